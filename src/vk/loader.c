/* SPDX-License-Identifier: MIT */
/* loader.c - where Vulkan's functions come from, and how a call fails.
 *
 * The loader's library is opened at run time, once for the process, so that the program starts where there is
 * none. Each gpu has tables of its own, filled from the X-macros in vk_table.h: two contexts share no pointers. */
#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include "vk.h"

static pthread_once_t loader_once = PTHREAD_ONCE_INIT;
static PFN_vkGetInstanceProcAddr instance_proc; /* NULL: there is no loader */
static void loader_open(void) {
  static const char *const names[] = {
#ifdef __APPLE__
      "libvulkan.dylib",
      "libvulkan.1.dylib",
      "libMoltenVK.dylib",
#else
      "libvulkan.so.1",
      "libvulkan.so",
#endif
  };
  void *lib = NULL;
  for (size_t i = 0; !lib && i < ARRAY_LEN(names); i++)
    lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (lib) *(void **)&instance_proc = dlsym(lib, "vkGetInstanceProcAddr");
}

bool vk_load_global(struct vk_table *t, uint32_t *version) {
  pthread_once(&loader_once, loader_open);
  t->GetInstanceProcAddr = instance_proc;
  if (!instance_proc) return false;
  PFN_vkEnumerateInstanceVersion ask =
      (PFN_vkEnumerateInstanceVersion)instance_proc(NULL, "vkEnumerateInstanceVersion");
  *version = VK_API_VERSION_1_0;
  if (ask) ask(version);
#define F(name) t->name = (PFN_vk##name)instance_proc(NULL, "vk" #name);
  VK_GLOBAL_TABLE(F)
#undef F
  return t->CreateInstance && t->EnumerateInstanceLayerProperties &&
         t->EnumerateInstanceExtensionProperties;
}

const char *vk_load_instance(struct vk_table *t, VkInstance i) {
  const char *missing = NULL;
#define F(name)                                                                          \
  if (!(t->name = (PFN_vk##name)t->GetInstanceProcAddr(i, "vk" #name)))                  \
    missing = "vk" #name;
  VK_INSTANCE_TABLE(F)
#undef F
  return missing;
}

void vk_load_debug(struct vk_table *t, VkInstance i) {
#define F(name) t->name = (PFN_vk##name)t->GetInstanceProcAddr(i, "vk" #name);
  VK_DEBUG_TABLE(F)
#undef F
}

const char *vk_load_device(struct vk_table *t, VkDevice d) {
  const char *missing = NULL;
#define F(name)                                                                          \
  if (!(t->name = (PFN_vk##name)t->GetDeviceProcAddr(d, "vk" #name)))                    \
    missing = "vk" #name;
  VK_DEVICE_TABLE(F)
#undef F
#define F(name) t->name = (PFN_vk##name)t->GetDeviceProcAddr(d, "vk" #name);
  VK_OPTIONAL_TABLE(F)
#undef F
  return missing;
}

#ifdef __linux__
struct nth {
  int left;
  char name[4096];
};
static int take_nth(struct dl_phdr_info *info, size_t size, void *user) {
  struct nth *n = user;
  UNUSED(size);
  if (n->left--) return 0;
  snprintf(n->name, sizeof n->name, "%s", info->dlpi_name);
  return 1;
}
#endif

/* Keeps the drivers' libraries loaded when the instance is gone. The loader would unload
 * them, and one takes static thread storage at each loading that glibc never gets back (known.def):
 * the 20th gpu of a process found no driver. The driver proper must stay, not a
 * library of its own, so what is loaded is looked through for its entry point; one at a
 * time, since dlopen must not be called inside dl_iterate_phdr. */
void vk_pin_drivers(void) {
#ifdef __linux__
  struct nth n;
  for (int k = 0;; k++) {
    n.left = k;
    if (!dl_iterate_phdr(take_nth, &n)) break;
    void *lib = NULL;
    if (n.name[0]) lib = dlopen(n.name, RTLD_LAZY | RTLD_NOLOAD);
    if (!lib) continue;
    if (dlsym(lib, "vk_icdGetInstanceProcAddr"))
      dlopen(n.name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    dlclose(lib);
  }
#endif
}

bool vk_hooked(gpu *g, const char *call) {
  int r = g->cfg.fail(g->cfg.fail_user, call);
  g->hooked = (VkResult)r;
  return r < 0;
}

static const char *result_name(VkResult r) {
  switch ((int)r) {
/* clang-format off */
#define NAME(x) case VK_ERROR_##x: return #x;
  NAME(OUT_OF_HOST_MEMORY) NAME(OUT_OF_DEVICE_MEMORY) NAME(INITIALIZATION_FAILED)
  NAME(DEVICE_LOST) NAME(MEMORY_MAP_FAILED) NAME(LAYER_NOT_PRESENT)
  NAME(EXTENSION_NOT_PRESENT) NAME(FEATURE_NOT_PRESENT) NAME(INCOMPATIBLE_DRIVER)
  NAME(TOO_MANY_OBJECTS) NAME(INVALID_OPAQUE_CAPTURE_ADDRESS) NAME(INVALID_SHADER_NV)
  NAME(INVALID_EXTERNAL_HANDLE) NAME(FRAGMENTATION) NAME(FRAGMENTED_POOL)
#undef NAME
    /* clang-format on */
  }
  return "an unknown result";
}

bool vk_error(gpu *g) {
  VkResult r = g->result;
  g->result = VK_SUCCESS;
  if (r >= 0) return false;
  if (r == VK_ERROR_DEVICE_LOST) g->lost = true;
  bool memory = r == VK_ERROR_OUT_OF_HOST_MEMORY || r == VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return err_set(g->c, memory ? ERR_WS_FULL : ERR_DEVICE, "%s: %s (%d)", g->call,
                 result_name(r), (int)r);
}

enum { PAGE = 4096 }; /* or a part of one */

void vk_fork_open(gpu *g) {
  g->opened_by = getpid();
#ifdef MADV_WIPEONFORK
  const int how = MAP_PRIVATE | MAP_ANONYMOUS;
  bool *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, how, -1, 0);
  if (page == MAP_FAILED) return;
  *page = true;
  g->here = page;
  if (!madvise(page, PAGE, MADV_WIPEONFORK)) return;
  vk_fork_close(g);
  g->here = NULL;
#endif
}

void vk_fork_close(const gpu *g) {
  if (g->here) munmap((void *)(uintptr_t)g->here, PAGE);
}

bool gpu_lost(const gpu *g) { return g->lost || vk_is_forked(g); }

/* What fork() copied belongs to the parent: a driver has its threads there alone, and calls
 * from the child would wait for them, or reach the parent's memory. */
bool vk_is_lost(gpu *g) {
  if (LIKELY(!gpu_lost(g))) return false;
  if (vk_is_forked(g))
    err_set(g->c, ERR_DEVICE,
            "the device %s was opened before fork(): open an interpreter in the child",
            g->info.name);
  else err_set(g->c, ERR_DEVICE, "the device %s was lost", g->info.name);
  return true;
}
