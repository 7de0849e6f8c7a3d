/* SPDX-License-Identifier: MIT */
/* pipeline.c - kernels: SPIR-V words to compute pipelines, cached in memory and on disk.
 *
 * All pipelines share one layout: a push constant of 8 bytes, the address of the argument
 * block. In memory they are found by two 64-bit hashes of the words, their number and the
 * subgroup size; when there are too many, those used longest ago are destroyed.
 *
 * On disk there is one file per device, driver and driver version, named by what the
 * driver says identifies its cache (base/kept.h): n, the n names of kernels (8 bytes each), and the
 * driver's own blob. It is written when the gpu is closed, if there is something new; a file
 * that has grown above 64 MiB is begun anew. The names, a hash each, tell which pipelines the blob was saved
 * with: those were made by an earlier start and are not counted as made. Everything works
 * without the cache, so no failure of it is an error. Beside it, under the same name,
 * lies a note: what was measured about this device (gpu_note_read). */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "vk.h"
#include "../base/hash.h"
#include "../base/kept.h"
#include "../base/str.h"

enum { MAX_KERNELS = 4096, FIRST_SLOTS = 64 };

struct gpu_kernel {
  uint64_t hash[2], tick; /* tick: of the last look-up */
  double rate;
  size_t n;
  uint32_t subgroup;
  VkPipeline pipeline;
  gpu_statistics statistics;
};

/* ── the file ───────────────────────────────────────────────────────────────────────── */

static bool cache_name(gpu *g, const char *dir) {
  VkPhysicalDeviceProperties p;
  str s = {.c = g->c};
  g->vk.GetPhysicalDeviceProperties(g->physical, &p);
  str_printf(&s, "%s/%08x-%08x-%08x-", dir, p.vendorID, p.deviceID, p.driverVersion);
  for (unsigned i = 0; i < VK_UUID_SIZE; i++)
    str_printf(&s, "%02x", p.pipelineCacheUUID[i]);
  str_puts(&s, ".vkcache");
  if (s.failed) {
    str_free(&s);
    return false;
  }
  g->cache_file = s.at;
  kept_folder(g->cache_file);
  return true;
}

/* The note's file name; false when there is none. The error that this may leave is no
 * error. */
static bool note_name(gpu *g, str *s) {
  if (g->cache_file) str_printf(s, "%s.note", g->cache_file);
  return s->at && !s->failed;
}

bool gpu_note_read(gpu *g, void *note, size_t n) {
  OWNED_STR str path = {.c = g->c};
  size_t have = 0;
  bool had_error = err_is(g->c);
  void *blob = NULL;
  if (note_name(g, &path)) blob = kept_read(g->c, path.at, &have);
  bool ok = blob && have == n;
  if (ok) memcpy(note, blob, n);
  mem_free(g->c, blob);
  if (!had_error) err_clear(g->c);
  return ok;
}

void gpu_note_write(gpu *g, const void *note, size_t n) {
  OWNED_STR str path = {.c = g->c};
  bool had_error = err_is(g->c);
  if (note_name(g, &path)) kept_write(g->c, path.at, note, n);
  if (!had_error) err_clear(g->c);
}

static void cache_save(gpu *g) {
  size_t n = 0, names = g->known.n * sizeof *g->known.at, head = sizeof(uint64_t) + names;
  uint64_t count = g->known.n;
  if (VK_CALL(g, GetPipelineCacheData, g->device, g->cache, &n, NULL) != VK_SUCCESS || !n)
    return;
  if (n + head > KEPT_MAX) {
    remove(g->cache_file);
    return;
  }
  char *all = mem_alloc(g->c, n + head);
  if (!all) return;
  if (VK_CALL(g, GetPipelineCacheData, g->device, g->cache, &n, all + head) ==
      VK_SUCCESS) {
    memcpy(all, &count, sizeof count);
    if (names) memcpy(all + sizeof count, g->known.at, names);
    kept_write(g->c, g->cache_file, all, n + head);
  }
  mem_free(g->c, all);
}

/* Takes the names from the file's contents; where the driver's blob begins, 0 if it is
 * wrong. */
static size_t cache_names(gpu *g, const char *all, size_t n) {
  uint64_t count, name;
  if (n < sizeof count) return 0;
  memcpy(&count, all, sizeof count);
  if (count > (n - sizeof count) / sizeof name) return 0;
  for (uint64_t i = 0; i < count; i++) {
    memcpy(&name, all + (1 + i) * sizeof name, sizeof name);
    if (!vec_push(g->c, &g->known, name)) return 0;
  }
  return (size_t)(1 + count) * sizeof name;
}

static bool is_known(const gpu *g, uint64_t name) {
  for (size_t i = 0; i < g->known.n; i++)
    if (g->known.at[i] == name) return true;
  return false;
}

/* ── opening and closing ────────────────────────────────────────────────────────────── */

/* Makes the driver's cache from a blob of its own; without it where the driver does not
 * like it. */
static bool make_cache(gpu *g, const void *blob, size_t n) {
  VkPipelineCacheCreateInfo cache = {.sType =
                                         VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                     .initialDataSize = n,
                                     .pInitialData = blob};
  if (n) {
    VkResult r = VK_CALL(g, CreatePipelineCache, g->device, &cache, NULL, &g->cache);
    if (r >= 0) return true;
    cache.initialDataSize = 0;
    g->known.n = 0;
  }
  VK_NEW(g, &g->cache, CreatePipelineCache, g->device, &cache);
  return true;
fail:
  return vk_error(g);
}

/* ... from the file, if there is one. */
static bool load_cache(gpu *g) {
  size_t n = 0, skip = 0;
  if (!g->cfg.cache_dir) return make_cache(g, NULL, 0);
  if (!cache_name(g, g->cfg.cache_dir)) return false;
  char *blob = kept_read(g->c, g->cache_file, &n);
  if (blob) skip = cache_names(g, blob, n);
  bool ok = !err_is(g->c);
  if (ok && skip) ok = make_cache(g, blob + skip, n - skip);
  else if (ok) ok = make_cache(g, NULL, 0);
  mem_free(g->c, blob);
  return ok;
}

bool vk_pipeline_open(gpu *g) {
  VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
  VkPipelineLayoutCreateInfo layout = {.sType =
                                           VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &push};
  g->max_kernels = MAX_KERNELS;
  VK_NEW(g, &g->layout, CreatePipelineLayout, g->device, &layout);
  return load_cache(g);
fail:
  return vk_error(g);
}

void vk_pipeline_close(gpu *g) {
  bool had_error = err_is(g->c);
  if (g->cache && g->cache_file && g->cache_dirty && !g->lost) cache_save(g);
  if (!had_error) err_clear(g->c); /* a failed save is none */
  for (size_t i = 0; i < g->kernel_slots; i++)
    if (g->kernels[i]) {
      g->vk.DestroyPipeline(g->device, g->kernels[i]->pipeline, NULL);
      mem_free(g->c, g->kernels[i]);
    }
  mem_free(g->c, g->kernels);
  vec_free(g->c, &g->known);
  if (g->cache) g->vk.DestroyPipelineCache(g->device, g->cache, NULL);
  if (g->layout) g->vk.DestroyPipelineLayout(g->device, g->layout, NULL);
}

/* ── the table in memory ────────────────────────────────────────────────────────────── */

/* The slot that holds the key, or the empty one where it belongs. */
static gpu_kernel **slot_of(gpu_kernel **slots, size_t n_slots, const gpu_kernel *key) {
  for (size_t i = key->hash[0];; i++) {
    gpu_kernel **s = &slots[i & (n_slots - 1)];
    if (!*s || ((*s)->hash[0] == key->hash[0] && (*s)->hash[1] == key->hash[1] &&
                (*s)->n == key->n && (*s)->subgroup == key->subgroup))
      return s;
  }
}

/* Makes room for one more kernel: moves all into a larger table, or into one of the same
 * size while the longer unused half is destroyed. */
static bool make_room(gpu *g) {
  bool evict = g->n_kernels >= g->max_kernels;
  size_t slots = g->kernel_slots;
  if (!evict && g->n_kernels < slots / 2) return true;
  if (!slots) slots = FIRST_SLOTS;
  else if (!evict) slots *= 2;
  gpu_kernel **fresh = mem_zalloc(g->c, slots * sizeof *fresh);
  if (!fresh) return false;
  if (evict && !gpu_wait(g)) {
    mem_free(g->c, fresh);
    return false;
  }
  g->n_kernels = 0;
  for (size_t i = 0; i < g->kernel_slots; i++) {
    gpu_kernel *k = g->kernels[i];
    if (!k) continue;
    if (evict && k->tick + g->max_kernels / 2 < g->tick) {
      g->vk.DestroyPipeline(g->device, k->pipeline, NULL);
      mem_free(g->c, k);
    } else {
      *slot_of(fresh, slots, k) = k;
      g->n_kernels++;
    }
  }
  mem_free(g->c, g->kernels);
  g->kernels = fresh;
  g->kernel_slots = slots;
  return true;
}

/* ── creation ───────────────────────────────────────────────────────────────────────── */

static void set_name(gpu *g, VkPipeline p, const char *name) {
  if (!g->messenger || !name || !g->vk.SetDebugUtilsObjectNameEXT) return;
  VkDebugUtilsObjectNameInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = VK_OBJECT_TYPE_PIPELINE,
      .objectHandle = (uint64_t)p,
      .pObjectName = name};
  VK_CALL(g, SetDebugUtilsObjectNameEXT, g->device, &info);
}

/* One pipeline that is made, and what became of it. */
typedef struct made {
  const gpu_code *code;
  gpu_kernel key, **kernel; /* where it goes */
  VkPipeline pipeline;
  gpu_statistics statistics;
  VkResult result;
  const char *call; /* that failed, or NULL */
} made;
typedef struct making {
  gpu *g;
  made made[GPU_TOGETHER];
} making;

/* Number i of them, by any thread. */
static void make_one(void *job, int64_t i) {
  making *m = job;
  gpu *g = m->g;
  const gpu_info *info = &g->info;
  made *r = &m->made[i];
  const gpu_code *code = r->code;
  VkShaderModule module = VK_NULL_HANDLE;
  VkShaderModuleCreateInfo words = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = code->n * sizeof *code->words,
                                    .pCode = code->words};
  /* A size is only required where the driver could choose another: elsewhere the demand
   * costs threads of a workgroup (known.def). */
  bool require = code->subgroup && info->subgroup_control &&
                 info->subgroup_min != info->subgroup_max;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = code->subgroup};
  r->call = "vkCreateShaderModule";
  r->result = VK_CALL(g, CreateShaderModule, g->device, &words, NULL, &module);
  if (r->result < 0) return;
  VkComputePipelineCreateInfo all = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main"},
      .layout = g->layout};
  if (info->statistics) all.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (require) {
    all.stage.pNext = &size;
    all.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  r->call = "vkCreateComputePipelines";
  r->result = VK_CALL(g, CreateComputePipelines, g->device, g->cache, 1, &all, NULL,
                      &r->pipeline);
  if (r->result >= 0) {
    r->call = NULL;
    r->statistics = vk_read_statistics(g, r->pipeline);
  } else {
    r->pipeline = VK_NULL_HANDLE; /* undefined */
  }
  g->vk.DestroyShaderModule(g->device, module, NULL);
}

static bool size_fits(gpu *g, uint32_t subgroup) {
  const gpu_info *i = &g->info;
  if (subgroup == 0 || subgroup == i->subgroup || subgroup == i->subgroup_min)
    return true;
  if (i->subgroup_control && subgroup >= i->subgroup_min && subgroup <= i->subgroup_max)
    return true;
  return err_set(g->c, ERR_DEVICE, "subgroups of %u threads asked, %s has %u to %u",
                 (unsigned)subgroup, i->name, (unsigned)i->subgroup_min,
                 (unsigned)i->subgroup_max);
}

/* One more pipeline, or one that an earlier start made. Forgetting a name is no error. */
static void pipeline_count(gpu *g, const gpu_kernel *k) {
  uint64_t name = k->hash[0] ^ k->subgroup;
  bool had_error = err_is(g->c);
  if (is_known(g, name)) {
    g->usage.pipelines_disk++;
    return;
  }
  g->usage.pipelines++;
  g->cache_dirty = true;
  if (g->cache_file && !vec_push(g->c, &g->known, name) && !had_error) err_clear(g->c);
}

static gpu_kernel key_of(const gpu_code *code) {
  size_t bytes = code->n * sizeof *code->words;
  return (gpu_kernel){.hash = {hash_bytes(code->words, bytes, 0),
                               hash_bytes(code->words, bytes, 0x9e3779b97f4a7c15)},
                      .n = code->n,
                      .subgroup = code->subgroup};
}

static gpu_kernel *find(gpu *g, const gpu_kernel *key) {
  gpu_kernel *found = g->kernel_slots ? *slot_of(g->kernels, g->kernel_slots, key) : NULL;
  if (found) found->tick = ++g->tick;
  return found;
}

/* It enters the table, unless its like did meanwhile. */
static bool insert(gpu *g, const made *r) {
  gpu_kernel *k = find(g, &r->key);
  bool is_new = !k;
  if (is_new && make_room(g)) k = mem_alloc(g->c, sizeof *k);
  *r->kernel = k;
  if (!k || !is_new) g->vk.DestroyPipeline(g->device, r->pipeline, NULL);
  if (!k || !is_new) return k;
  *k = r->key;
  k->pipeline = r->pipeline;
  k->statistics = r->statistics;
  set_name(g, k->pipeline, r->code->name);
  k->tick = ++g->tick;
  *slot_of(g->kernels, g->kernel_slots, k) = k;
  g->n_kernels++;
  pipeline_count(g, k);
  return true;
}

/* The first n. It takes long: the device may work meanwhile. */
static bool make_all(making *m, int n) {
  gpu *g = m->g;
  const ctx_team *t = &g->c->team;
  bool ok = gpu_submit(g);
  for (int i = 0; i < n && ok; i++) ok = size_fits(g, m->made[i].code->subgroup);
  if (!ok) return false;
  int64_t begun = vk_now();
  bool together = n > 1 && t->share && !t->busy && !g->cfg.fail;
  if (together) t->share(t->pool, g->c, n, make_one, m);
  for (int i = 0; i < n && !together; i++) make_one(m, i);
  g->usage.pipeline_ns += (double)(vk_now() - begun);
  for (int i = 0; i < n; i++) {
    const made *r = &m->made[i];
    if (r->pipeline) ok = insert(g, r) && ok;
    if (!r->call || !ok) continue;
    g->result = r->result;
    g->call = r->call;
    ok = vk_error(g);
  }
  return ok;
}

bool gpu_kernels_get(gpu *g, const gpu_code *code, int n, gpu_kernel **kernel) {
  making m = {.g = g};
  int missing = 0;
  assert(n <= GPU_TOGETHER);
  for (int i = 0; i < n; i++) {
    gpu_kernel key = key_of(&code[i]);
    kernel[i] = find(g, &key);
    g->usage.pipeline_hits += kernel[i] != NULL;
    if (!kernel[i])
      m.made[missing++] = (made){.code = &code[i], .key = key, .kernel = &kernel[i]};
  }
  return !missing || make_all(&m, missing);
}

gpu_kernel *gpu_kernel_get(gpu *g, const uint32_t *words, size_t n, uint32_t subgroup,
                           const char *name) {
  gpu_kernel *k;
  return gpu_kernels_get(g, &(gpu_code){words, n, subgroup, name}, 1, &k) ? k : NULL;
}

void gpu_kernel_keep(gpu *g, gpu_kernel *k) { k->tick = ++g->tick; }

VkPipeline vk_kernel_pipeline(const gpu_kernel *k) { return k->pipeline; }
gpu_statistics gpu_kernel_statistics(const gpu_kernel *k) { return k->statistics; }
double *vk_kernel_rate(gpu_kernel *k) { return &k->rate; }
