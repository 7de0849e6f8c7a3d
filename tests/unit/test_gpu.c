/* SPDX-License-Identifier: MIT */
/* test_gpu.c - the Vulkan executor on a real driver: lavapipe unless argv[1] names a
 * device.
 *
 * Everything runs under the validation layer with synchronisation validation, where it is
 * installed, and any message fails the run. One kernel serves all tests, since lavapipe
 * takes up to 200 ms for the first dispatch of each: out[i] = in[i] + 1 for i < n, 64
 * threads. It is the words of
 *
 *   layout(push_constant) P { Args a; };  Args { Data in; Data out; uint64_t n; };
 *   i = (WorkgroupID.x + WorkgroupID.y × NumWorkgroups.x) × 64 + LocalInvocationIndex
 *   if (i < a.n) a.out[i] = a.in[i] + 1
 *
 * as spirv-as made them. Two tests make each Vulkan call and each allocation of a whole
 * session fail in turn. */
#include "gpu_bench.h"
#include <dirent.h>

static const uint32_t plus_one[] = {
    0x7230203, 0x10500, 0x70000, 0x38,    0x0,     0x20011, 0x1,     0x20011, 0xb,
    0x20011,   0x14e3,  0x3000e, 0x14e4,  0x1,     0x9000f, 0x5,     0x1,     0x6e69616d,
    0x0,       0x2,     0x3,     0x4,     0x5,     0x60010, 0x1,     0x11,    0x40,
    0x1,       0x1,     0x40047, 0x2,     0xb,     0x1a,    0x40047, 0x3,     0xb,
    0x1d,      0x40047, 0x4,     0xb,     0x18,    0x30047, 0x6,     0x2,     0x50048,
    0x6,       0x0,     0x23,    0x0,     0x30047, 0x7,     0x2,     0x50048, 0x7,
    0x0,       0x23,    0x0,     0x50048, 0x7,     0x1,     0x23,    0x8,     0x50048,
    0x7,       0x2,     0x23,    0x10,    0x40047, 0x8,     0x6,     0x4,     0x30047,
    0x9,       0x2,     0x50048, 0x9,     0x0,     0x23,    0x0,     0x20013, 0xa,
    0x30021,   0xb,     0xa,     0x40015, 0xc,     0x20,    0x0,     0x40015, 0xd,
    0x40,      0x0,     0x20014, 0xe,     0x40017, 0xf,     0xc,     0x3,     0x40020,
    0x10,      0x1,     0xf,     0x40020, 0x11,    0x1,     0xc,     0x3001d, 0x8,
    0xc,       0x3001e, 0x9,     0x8,     0x40020, 0x12,    0x14e5,  0x9,     0x40020,
    0x13,      0x14e5,  0xc,     0x5001e, 0x7,     0x12,    0x12,    0xd,     0x40020,
    0x14,      0x14e5,  0x7,     0x40020, 0x15,    0x14e5,  0x12,    0x40020, 0x16,
    0x14e5,    0xd,     0x3001e, 0x6,     0x14,    0x40020, 0x17,    0x9,     0x6,
    0x40020,   0x18,    0x9,     0x14,    0x4002b, 0xc,     0x19,    0x0,     0x4002b,
    0xc,       0x1a,    0x1,     0x4002b, 0xc,     0x1b,    0x2,     0x4002b, 0xc,
    0x1c,      0x40,    0x4003b, 0x10,    0x2,     0x1,     0x4003b, 0x11,    0x3,
    0x1,       0x4003b, 0x10,    0x4,     0x1,     0x4003b, 0x17,    0x5,     0x9,
    0x50036,   0xa,     0x1,     0x0,     0xb,     0x200f8, 0x1d,    0x4003d, 0xf,
    0x1e,      0x2,     0x4003d, 0xf,     0x1f,    0x4,     0x4003d, 0xc,     0x20,
    0x3,       0x50051, 0xc,     0x21,    0x1e,    0x0,     0x50051, 0xc,     0x22,
    0x1e,      0x1,     0x50051, 0xc,     0x23,    0x1f,    0x0,     0x50084, 0xc,
    0x24,      0x22,    0x23,    0x50080, 0xc,     0x25,    0x24,    0x21,    0x50084,
    0xc,       0x26,    0x25,    0x1c,    0x50080, 0xc,     0x27,    0x26,    0x20,
    0x40071,   0xd,     0x28,    0x27,    0x50041, 0x18,    0x29,    0x5,     0x19,
    0x4003d,   0x14,    0x2a,    0x29,    0x50041, 0x16,    0x2b,    0x2a,    0x1b,
    0x6003d,   0xd,     0x2c,    0x2b,    0x2,     0x8,     0x500b0, 0xe,     0x2d,
    0x28,      0x2c,    0x300f7, 0x2e,    0x0,     0x400fa, 0x2d,    0x2f,    0x2e,
    0x200f8,   0x2f,    0x50041, 0x15,    0x30,    0x2a,    0x19,    0x6003d, 0x12,
    0x31,      0x30,    0x2,     0x8,     0x50041, 0x15,    0x32,    0x2a,    0x1a,
    0x6003d,   0x12,    0x33,    0x32,    0x2,     0x8,     0x60041, 0x13,    0x34,
    0x31,      0x19,    0x27,    0x60041, 0x13,    0x35,    0x33,    0x19,    0x27,
    0x6003d,   0xc,     0x36,    0x34,    0x2,     0x4,     0x50080, 0xc,     0x37,
    0x36,      0x1a,    0x5003e, 0x35,    0x37,    0x2,     0x4,     0x200f9, 0x2e,
    0x200f8,   0x2e,    0x100fd, 0x10038,
};

/* ── what the tests are made of ─────────────────────────────────────────────────────── */

struct args {
  uint64_t in, out, n;
};

/* out[i] = in[i] + 1 for n elements. */
static bool add_one(gpu *g, gpu_buf *in, gpu_buf *out, uint64_t n) {
  gpu_kernel *k = gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 0, "plus_one");
  struct args a = {gpu_address(in), gpu_address(out), n};
  gpu_use uses[] = {{in, false}, {out, true}};
  return k && gpu_record(g, &(gpu_dispatch){.kernel = k,
                                            .groups = (n + 63) / 64,
                                            .args = &a,
                                            .arg_bytes = sizeof a,
                                            .uses = uses,
                                            .n_uses = 2});
}

/* ── which device ───────────────────────────────────────────────────────────────────── */

static void opens_as(struct bench *b, const char *want) {
  gpu *g = opened(b, &(gpu_config){.device = want});
  assert_false(gpu_lost(g));
  gpu_close(g);
}

/* Several processes share devices that are alike in the order of their addresses, and round again. */
static void test_nth(void **state) {
  struct bench b;
  enum { N = 6 };
  gpu_info infos[N] = {{.cpu = true},
                       {.discrete = true, .pci = 0x8200, .name = "B"},
                       {.discrete = true, .pci = 0x100, .name = "A", .refused = "it"},
                       {.discrete = true, .pci = 0x8200, .name = "C"},
                       {.integrated = true, .pci = 0x10},
                       {.discrete = true, .pci = 0x4100, .name = "A"}};
  static const int order[] = {5, 1, 3, 5, 1, 3, 5};
  (void)state;
  bench_init(&b);
  for (int i = 0; i < N; i++) infos[i].index = i;
  for (int k = 0; k < (int)ARRAY_LEN(order); k++)
    assert_int_equal(gpu_choose(&b.c, infos, N, NULL, k + 1), order[k]);
  assert_int_equal(gpu_choose(&b.c, infos, N, "auto", 0), 1);
  assert_int_equal(gpu_choose(&b.c, infos, N, "4", 2), 4);
  assert_int_equal(gpu_choose(&b.c, infos, 1, NULL, 3), 0);
}

static void test_choice(void **state) {
  struct bench b;
  gpu_info *list;
  char why[160], text[300];
  int n;
  (void)state;
  bench_init(&b);
  assert_true(gpu_list(&b.c, &list, &n, why));
  assert_true(n >= 1);
  assert_string_equal(why, "");
  for (int i = 0; i < n; i++) {
    assert_int_equal(list[i].index, i);
    assert_true(list[i].name[0] != 0);
    if (list[i].refused[0]) continue;
    assert_true(list[i].max_workgroup >= 128 && list[i].memory_bytes > 0);
    assert_true(list[i].int64 || (!list[i].float64 && !list[i].atomic_i64));
    assert_true(list[i].subgroup_min <= list[i].subgroup &&
                list[i].subgroup <= list[i].subgroup_max);
    snprintf(text, sizeof text, "#%d", i);
    opens_as(&b, text);
    opens_as(&b, text + 1);
    snprintf(text, sizeof text, "%.4s", list[i].name + 1);
    text[0] ^= 0x20; /* the other case */
    if ((text[0] & 0x5f) >= 'A' && (text[0] & 0x5f) <= 'Z') opens_as(&b, text);
    snprintf(text, sizeof text, "%.8s-%s", list[i].uuid, list[i].uuid + 8);
    opens_as(&b, list[i].uuid);
    opens_as(&b, text);
  }
  opens_as(&b, NULL);
  opens_as(&b, "auto");
  mem_free(&b.c, list);
  static const char *const wrong[] = {"no such device", "#99", "7777",
                                      "0123456789abcdef0123456789abcdef"};
  for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
    assert_null(gpu_open(&b.c, &(gpu_config){.device = wrong[i]}));
    assert_int_equal(b.c.err.code, ERR_DEVICE);
    assert_non_null(strstr(b.c.err.msg, wrong[i]));
    assert_non_null(strstr(b.c.err.msg, "#0 "));
    err_clear(&b.c);
  }
  bench_end(&b);
}

/* A device that lacks what kernels need is refused by name. */
static void test_refused(void **state) {
  static const char *const lacks[][2] = {{"shuffle", "subgroup shuffles"},
                                         {"fp64,vote", "subgroup votes"},
                                         {"ballot", "subgroup ballots"},
                                         {"workgroup", "workgroups of 256 invocations"}};
  struct bench b;
  (void)state;
  bench_init(&b);
  for (size_t i = 0; i < ARRAY_LEN(lacks); i++) {
    assert_null(gpu_open(&b.c, &(gpu_config){.device = "cpu", .mask = lacks[i][0]}));
    assert_int_equal(b.c.err.code, ERR_DEVICE);
    assert_non_null(strstr(b.c.err.msg, lacks[i][1]));
    err_clear(&b.c);
  }
  bench_end(&b);
}

/* No driver is no error, unless one is asked for. */
static void test_no_driver(void **state) {
  struct bench b;
  gpu_info *list;
  char why[160];
  int n;
  (void)state;
  bench_init(&b);
  const char *was = getenv("VK_DRIVER_FILES");
  char *keep = was ? strdup(was) : NULL;
  setenv("VK_DRIVER_FILES", "/no/such/driver.json", 1);
  assert_true(gpu_list(&b.c, &list, &n, why));
  assert_int_equal(n, 0);
  assert_null(list);
  assert_non_null(strstr(why, "driver"));
  assert_null(gpu_open(&b.c, NULL));
  assert_int_equal(b.c.err.code, ERR_DEVICE);
  assert_non_null(strstr(b.c.err.msg, "driver"));
  err_clear(&b.c);
  char broken[] = "/tmp/vapl-driver-XXXXXX.json"; /* a file that is no JSON is named */
  int fd = mkstemps(broken, 5);
  assert_true(fd >= 0 && write(fd, "{", 1) == 1 && !close(fd));
  setenv("VK_DRIVER_FILES", broken, 1);
  setenv("VK_ICD_FILENAMES", broken, 1);
  assert_null(gpu_open(&b.c, NULL));
  assert_int_equal(b.c.err.code, ERR_DEVICE);
  assert_non_null(strstr(b.c.err.msg, broken));
  unlink(broken);
  unsetenv("VK_ICD_FILENAMES");
  if (keep) setenv("VK_DRIVER_FILES", keep, 1);
  else unsetenv("VK_DRIVER_FILES");
  free(keep);
  err_clear(&b.c);
  gpu_config cfg = config(&b); /* a driver whose hardware is not there */
  b.only = "vkEnumeratePhysicalDevices";
  b.code = VK_ERROR_INITIALIZATION_FAILED;
  b.call_left = 0;
  assert_null(gpu_open(&b.c, &cfg));
  assert_non_null(strstr(b.c.err.msg, "no Vulkan driver shows a device"));
  bench_end(&b);
}

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

static void test_alloc(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.block_bytes = 64 << 10;
  gpu *g = opened(&b, &cfg);
  gpu_buf *r[4];
  for (int order = 0; order < 24;
       order++) { /* freed in any order, four become one again */
    for (int i = 0; i < 4; i++) {
      assert_non_null(r[i] = gpu_alloc(g, 8000));
      assert_int_equal(gpu_address(r[i]) % 256, 0);
      assert_int_equal(gpu_bytes(r[i]), 8000);
    }
    assert_true(gpu_get_usage(g).used >= 32000);
    for (int left = 4, code = order; left; left--) {
      int k = code % left;
      code /= left;
      gpu_free(g, r[k]);
      memmove(&r[k], &r[k + 1], (size_t)(left - 1 - k) * sizeof *r);
    }
    assert_int_equal(gpu_get_usage(g).used, 0);
    gpu_buf *all = gpu_alloc(g, 32000);
    assert_non_null(all);
    assert_int_equal(gpu_get_usage(g).reserved, 64 << 10);
    gpu_free(g, all);
  }
  gpu_buf *large = gpu_alloc(g, 1000000),
          *none = gpu_alloc(g, 0); /* a block of its own */
  assert_non_null(large);
  assert_non_null(none);
  uint64_t reserved = gpu_get_usage(g).reserved;
  assert_true(reserved >= 1000000 + (64 << 10));
  gpu_free(g, large);
  gpu_free(g, NULL);
  large = gpu_alloc(g, 900000); /* of like size: the same block */
  assert_int_equal(gpu_get_usage(g).reserved, reserved);
  gpu_free(g, none);
  assert_null(gpu_alloc(g, UINT64_MAX)); /* larger than any allocation */
  assert_int_equal(b.c.err.code, ERR_LIMIT);
  assert_non_null(strstr(b.c.err.msg, "18446744073709551615"));
  err_clear(&b.c);
  if (!gpu_get_info(g)->sparse) {
    assert_null(gpu_alloc(g, gpu_get_info(g)->max_allocation));
    assert_int_equal(b.c.err.code, ERR_LIMIT);
    err_clear(&b.c);
  }
  gpu_close(g); /* frees `large` as well */
  bench_end(&b);
}

/* Of empty blocks, a quarter of the memory is kept: those used last, in whatever order they were freed. */
static void test_alloc_keeps(void **state) {
  enum { MIB = 1 << 20 };
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.block_bytes = 64 << 10;
  cfg.max_bytes = 32 * MIB;
  gpu *g = opened(&b, &cfg);
  uint32_t *x = numbers(1000, 1);
  gpu_buf *old[6], *now;
  for (int i = 0; i < 6; i++) {
    assert_non_null(old[i] = gpu_alloc(g, MIB));
    assert_true(gpu_upload(g, old[i], 0, x, 4000) && gpu_wait(g));
  }
  for (int i = 0; i < 6; i++) gpu_free(g, old[i]);
  for (int again = 0; again < 3; again++) {
    uint64_t reserved = gpu_get_usage(g).reserved;
    assert_non_null(now = gpu_alloc(g, 4 * MIB));
    if (again) assert_int_equal(gpu_get_usage(g).reserved, reserved); /* it was kept */
    assert_true(gpu_upload(g, now, 0, x, 4000) && gpu_wait(g));
    gpu_free(g, now);
  }
  free(x);
  gpu_close(g);
  bench_end(&b);
}

/* Live ranges never overlap, whatever the order of requests. */
static void test_alloc_random(void **state) {
  enum { LIVE = 200 };
  struct bench b;
  gpu_buf *live[LIVE] = {NULL};
  uint32_t seed = 1;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.block_bytes = 256 << 10;
  gpu *g = opened(&b, &cfg);
  for (int step = 0; step < 20000; step++) {
    seed = seed * 1664525u + 1013904223u;
    int i = (int)(seed >> 8) % LIVE;
    if (live[i]) {
      gpu_free(g, live[i]);
      live[i] = NULL;
      continue;
    }
    uint64_t n = (seed >> 4) % (1u << (seed >> 28));
    assert_non_null(live[i] = gpu_alloc(g, n));
    uint64_t at = gpu_address(live[i]);
    for (int k = 0; k < LIVE; k++)
      if (live[k] && k != i) {
        uint64_t other = gpu_address(live[k]);
        assert_true(at + n + 16 <= other || other + gpu_bytes(live[k]) + 16 <= at);
      }
  }
  for (int i = 0; i < LIVE; i++) gpu_free(g, live[i]);
  assert_int_equal(gpu_get_usage(g).used, 0);
  gpu_close(g);
  bench_end(&b);
}

static void test_full(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.max_bytes = 1 << 20;
  gpu *g = opened(&b, &cfg);
  uint32_t *x = numbers(100000, 1), *y = numbers(100000, 2);
  gpu_buf *a = gpu_alloc(g, 400000), *c = gpu_alloc(g, 400000);
  assert_true(a && c && gpu_upload(g, a, 0, x, 400000) && add_one(g, a, c, 100000));
  assert_null(gpu_alloc(g, 400000));
  assert_int_equal(b.c.err.code, ERR_WS_FULL);
  assert_non_null(strstr(b.c.err.msg, "400000"));
  assert_non_null(strstr(b.c.err.msg, "1048576"));
  err_clear(&b.c);
  assert_true(gpu_download(g, c, 0, y, 400000)); /* nothing is lost */
  for (int i = 0; i < 100000; i++) assert_int_equal(y[i], x[i] + 1);
  gpu_free(g, a);
  assert_non_null(a = gpu_alloc(g, 600000)); /* after giving the empty block back */
  assert_true(gpu_get_usage(g).reserved <= 1 << 20);
  gpu_free(g, a);
  /* The driver refuses: tried again, then the error with the size. */
  for (int fails = 1; fails < 12; fails++) {
    b.only = "vkAllocateMemory";
    b.code = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    b.call_left = 0;
    a = gpu_alloc(g, 300000);
    assert_true((a != NULL) != err_is(&b.c));
    if (!a) assert_int_equal(b.c.err.code, ERR_WS_FULL);
    err_clear(&b.c);
    gpu_free(g, a);
  }
  gpu_close(g);
  free(x);
  free(y);
  bench_end(&b);
}

/* ── arrays larger than one allocation ──────────────────────────────────────────────── */

/* lavapipe has no sparse binding. There two calls are played: a buffer is made without the
 * flag, and binding its pieces checks them and puts it on one allocation instead. What the
 * executor does about it all is the same as on a device that has it. */
enum { PIECE = 256 << 10 };
static struct {
  PFN_vkCreateBuffer create;
  PFN_vkSignalSemaphore signal;
  gpu *g;
  VkDeviceMemory behind[64];
  int n;
} played;

static VKAPI_ATTR VkResult VKAPI_CALL play_create(VkDevice d,
                                                  const VkBufferCreateInfo *info,
                                                  const VkAllocationCallbacks *a,
                                                  VkBuffer *b) {
  VkBufferCreateInfo plain = *info;
  plain.flags = 0;
  return played.create(d, &plain, a, b);
}

static VKAPI_ATTR VkResult VKAPI_CALL play_bind(VkQueue q, uint32_t n,
                                                const VkBindSparseInfo *info, VkFence f) {
  const VkSparseBufferMemoryBindInfo *b = info->pBufferBinds;
  const VkTimelineSemaphoreSubmitInfo *values = info->pNext;
  gpu *g = played.g;
  VkMemoryRequirements need;
  uint64_t at = 0;
  (void)q;
  assert_true(n == 1 && !f && info->bufferBindCount == 1 && b->bindCount > 1);
  g->vk.GetBufferMemoryRequirements(g->device, b->buffer, &need);
  for (uint32_t i = 0; i < b->bindCount; i++) { /* whole, in order, none too large */
    const VkSparseMemoryBind *k = &b->pBinds[i];
    assert_true(k->memory && k->resourceOffset == at && k->size <= PIECE);
    assert_int_equal(k->resourceOffset % need.alignment, 0);
    at += k->size;
  }
  assert_int_equal(at, need.size);
  VkMemoryAllocateFlagsInfo flags = {.sType =
                                         VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                     .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo alloc = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                .pNext = &flags,
                                .allocationSize = need.size};
  VkDeviceMemory *m = &played.behind[played.n++];
  if (g->vk.AllocateMemory(g->device, &alloc, NULL, m))
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  assert_int_equal(g->vk.BindBufferMemory(g->device, b->buffer, *m, 0), VK_SUCCESS);
  VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                  .semaphore = info->pSignalSemaphores[0],
                                  .value = values->pSignalSemaphoreValues[0]};
  return played.signal(g->device, &signal);
}

static void play_sparse(gpu *g) {
  played.g = g;
  played.n = 0;
  if (g->info.sparse) return;
  played.create = g->vk.CreateBuffer;
  played.signal =
      (PFN_vkSignalSemaphore)g->vk.GetDeviceProcAddr(g->device, "vkSignalSemaphore");
  g->vk.CreateBuffer = play_create;
  g->vk.QueueBindSparse = play_bind;
  g->info.sparse = true;
  g->info.max_sparse = (uint64_t)1 << 40;
}

/* An array of seven pieces goes up, through a kernel and down, and is one range. */
static bool sparse_session(struct bench *b, gpu *g) {
  enum { N = 6 * PIECE / 4 + 1234 };
  uint32_t *x = numbers(N, 21), *y = numbers(N, 22);
  gpu_buf *in = gpu_alloc(g, N * 4), *out = in ? gpu_alloc(g, N * 4) : NULL;
  bool ok = out && gpu_upload(g, in, 0, x, N * 4) && add_one(g, in, out, N) &&
            gpu_download(g, out, 0, y, N * 4);
  for (int i = 0; i < N && ok; i++) assert_int_equal(y[i], x[i] + 1);
  if (ok) assert_true(gpu_get_usage(g).reserved >= (uint64_t)2 * N * 4);
  gpu_free(g, in);
  gpu_free(g, out);
  assert_true(ok != err_is(&b->c));
  free(x);
  free(y);
  return ok;
}

static void test_sparse(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.max_allocation = PIECE;
  gpu *g = opened(&b, &cfg);
  if (!gpu_get_info(g)->sparse) { /* the error has both sizes */
    assert_null(gpu_alloc(g, 7 * PIECE));
    assert_int_equal(b.c.err.code, ERR_LIMIT);
    assert_non_null(strstr(b.c.err.msg, "1835008"));
    assert_non_null(strstr(b.c.err.msg, "262144"));
    err_clear(&b.c);
  }
  play_sparse(g);
  assert_true(sparse_session(&b, g));
  assert_int_equal(gpu_get_usage(g).used, 0);
  assert_null(gpu_alloc(g, gpu_get_info(g)->memory_bytes)); /* not even alone */
  assert_int_equal(b.c.err.code, ERR_LIMIT);
  err_clear(&b.c);
  static const int codes[] = {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY};
  for (int n = 0; n < 40; n++) { /* any call of it fails, or any allocation */
    b.fired = false;
    if (n & 1) b.alloc_left = n / 2;
    else b.call_left = n / 2, b.code = codes[n / 2 % 2];
    if (!sparse_session(&b, g)) assert_int_equal(b.c.err.code, ERR_WS_FULL);
    b.alloc_left = b.call_left = -1;
    err_clear(&b.c);
    assert_int_equal(gpu_get_usage(g).used, 0);
    assert_true(gpu_wait(g));
  }
  assert_true(sparse_session(&b, g));
  gpu_wait(g);
  vk_memory_close(g);
  for (int i = 0; i < played.n; i++) g->vk.FreeMemory(g->device, played.behind[i], NULL);
  gpu_close(g);
  bench_end(&b);
}

/* Tagged buffers, from the one used longest ago. */
static void test_cold(void **state) {
  struct bench b;
  int tag[4];
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = opened(&b, &cfg);
  gpu_buf *d[4];
  assert_null(gpu_cold(g, NULL));
  for (int i = 0; i < 4; i++) {
    assert_non_null(d[i] = gpu_alloc(g, 4000));
    gpu_set_tag(g, d[i], &tag[i]);
  }
  assert_true(add_one(g, d[0], d[2], 10));
  static const int order[] = {1, 3, 0, 2};
  gpu_buf *at = NULL;
  for (int i = 0; i < 4; i++) {
    at = gpu_cold(g, at);
    assert_ptr_equal(gpu_get_tag(at), &tag[order[i]]);
  }
  assert_null(gpu_cold(g, at));
  gpu_free(g, d[1]);
  gpu_set_tag(g, d[3], NULL);
  assert_ptr_equal(gpu_cold(g, NULL), d[0]);
  gpu_close(g);
  bench_end(&b);
}

/* ── transfers ──────────────────────────────────────────────────────────────────────── */

static void round_trips(struct bench *b, uint64_t staging) {
  static const size_t sizes[] = {0,    1,    2,     3,     4,     5,    63,
                                 64,   65,   255,   256,   257,   1021, 4095,
                                 4096, 4097, 65536, 99991, 300001};
  gpu_config cfg = config(b);
  cfg.staging_bytes = staging;
  gpu *g = opened(b, &cfg);
  for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
    size_t n = sizes[s];
    unsigned char *x = (unsigned char *)numbers(n, (uint32_t)s), *y = malloc(n + 8);
    assert_non_null(y);
    gpu_buf *d = gpu_alloc(g, n + 7);
    assert_non_null(d);
    for (uint64_t offset = 0; offset < 8; offset += 7) {
      memset(y, 0x5a, n + 8);
      assert_true(gpu_upload(g, d, offset, x, n));
      assert_true(gpu_download(g, d, offset, y, n));
      assert_memory_equal(x, y, n);
      assert_int_equal(y[n], 0x5a);
    }
    char few[5] = "", some[] = "a few";
    gpu_buf *e = gpu_alloc(g, 8);
    assert_true(e && gpu_upload(g, e, 2, some, 5) && gpu_upload(g, d, 3, x, n));
    memset(y, 0x5a, n + 8);
    const gpu_piece both[] = {{.b = e, .offset = 2, .n = 5, .to = few},
                              {.b = d, .offset = 3, .n = n, .to = y}};
    assert_true(gpu_download_two(g, both));
    assert_memory_equal(few, some, 5);
    assert_memory_equal(x, y, n);
    assert_int_equal(y[n], 0x5a);
    gpu_free(g, e);
    if (n >= 16) {
      assert_true(gpu_upload(g, d, 0, x, n) && gpu_clear(g, d, 4, 8) &&
                  gpu_download(g, d, 0, y, n));
      assert_memory_equal(x, y, 4);
      assert_memory_equal("\0\0\0\0\0\0\0", y + 4, 8);
      assert_memory_equal(x + 12, y + 12, n - 12);
    }
    assert_true(gpu_clear(g, d, 0, 0));
    gpu_free(g, d);
    free(x);
    free(y);
  }
  assert_true(gpu_get_usage(g).uploaded > 1000000 &&
              gpu_get_usage(g).downloaded > 1000000);
  gpu_close(g);
}

static void test_transfer(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  round_trips(&b, 0);
  round_trips(&b, 1);
  round_trips(&b, 4096);
  round_trips(&b, 100000);
  bench_end(&b);
}

/* An upload into a buffer that recorded work still reads comes after that work. */
static void test_upload_order(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  for (uint64_t staging = 0; staging <= 4096; staging += 4096) {
    gpu_config cfg = config(&b);
    cfg.staging_bytes = staging;
    gpu *g = opened(&b, &cfg);
    uint32_t *x = numbers(1000, 3), *y = numbers(1000, 4), *z = numbers(1000, 5);
    gpu_buf *in = gpu_alloc(g, 4000), *out = gpu_alloc(g, 4000);
    assert_true(in && out && gpu_upload(g, in, 0, x, 4000) && add_one(g, in, out, 1000));
    assert_true(gpu_upload(g, in, 0, y, 4000) && gpu_download(g, out, 0, z, 4000));
    for (int i = 0; i < 1000; i++) assert_int_equal(z[i], x[i] + 1);
    assert_true(gpu_download(g, in, 0, z, 4000));
    assert_memory_equal(z, y, 4000);
    gpu_close(g);
    free(x);
    free(y);
    free(z);
  }
  bench_end(&b);
}

static void test_interrupt(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.staging_bytes = 4096;
  gpu *g = opened(&b, &cfg);
  uint32_t *x = numbers(10000, 3);
  gpu_buf *d = gpu_alloc(g, 40000);
  atomic_store(&b.c.interrupt, true);
  assert_false(gpu_upload(g, d, 0, x, 40000));
  assert_int_equal(b.c.err.code, ERR_INTERRUPT);
  err_clear(&b.c);
  assert_true(gpu_upload(g, d, 0, x, 40000));
  atomic_store(&b.c.interrupt, true);
  assert_false(gpu_download(g, d, 0, x, 40000));
  assert_int_equal(b.c.err.code, ERR_INTERRUPT);
  err_clear(&b.c);
  assert_true(gpu_download(g, d, 0, x, 40000) && gpu_wait(g));
  gpu_close(g);
  free(x);
  bench_end(&b);
}

/* A dispatch of much work is cut, and the flag is read between its parts and while waiting. */
static int interrupt_at(void *user, const char *call) {
  struct bench *b = user;
  if (!strcmp(call, "vkQueueSubmit") && b->call_left >= 0 && b->call_left-- == 0)
    atomic_store(&b->c.interrupt, true);
  return 0;
}

static void test_cut(void **state) {
  enum { N = 64 * 1000 };
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.fail = interrupt_at;
  cfg.cut_work = 70;
  gpu *g = opened(&b, &cfg);
  uint32_t *x = numbers(N, 31);
  gpu_buf *in = gpu_alloc(g, N * 4), *out = gpu_alloc(g, N * 4);
  assert_true(in && out && gpu_upload(g, in, 0, x, N * 4) && gpu_wait(g));
  struct {
    struct args a;
    uint32_t end, first;
  } a = {{gpu_address(in), gpu_address(out), N}, 0, 0};
  gpu_use uses[] = {{in, false}, {out, true}};
  gpu_dispatch d = {.kernel = gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 0, NULL),
                    .groups = 1000,
                    .args = &a,
                    .arg_bytes = sizeof a,
                    .uses = uses,
                    .n_uses = 2,
                    .work = 1000,
                    .range_at = sizeof a.a};
  uint64_t before = gpu_get_usage(g).dispatches;
  assert_true(gpu_record(g, &d) && gpu_wait(g));
  assert_int_equal(gpu_get_usage(g).dispatches - before,
                   15); /* of 70 workgroups at most */
  before = gpu_get_usage(g).dispatches;
  b.call_left = 3;
  assert_false(gpu_record(g, &d));
  assert_int_equal(b.c.err.code, ERR_INTERRUPT);
  assert_int_equal(gpu_get_usage(g).dispatches - before, 4);
  err_clear(&b.c);
  assert_true(gpu_wait(g));
  g->cfg.cut_work = 0;
  assert_true(gpu_record(g, &d) && gpu_submit(g)); /* estimated to be short: whole */
  assert_int_equal(gpu_get_usage(g).dispatches - before, 5);
  assert_true(gpu_wait(g));
  d.work =
      1e15; /* hours, until the kernel's rate is known, which grows eightfold a batch at most */
  b.call_left = 2;
  assert_false(gpu_record(g, &d));
  assert_int_equal(b.c.err.code, ERR_INTERRUPT);
  err_clear(&b.c);
  assert_true(gpu_get_usage(g).dispatches - before < 10);
  before = gpu_get_usage(g).dispatches;
  d.work = 0;
  for (int i = 0; i < 200; i++) assert_true(gpu_record(g, &d));
  assert_true(gpu_submit(g));
  atomic_store(&b.c.interrupt, true);
  if (!gpu_wait(g)) assert_int_equal(b.c.err.code, ERR_INTERRUPT);
  atomic_store(&b.c.interrupt, false);
  err_clear(&b.c);
  assert_true(gpu_wait(g) && gpu_download(g, out, 0, x, 4));
  gpu_close(g);
  free(x);
  bench_end(&b);
}

/* ── kernels ────────────────────────────────────────────────────────────────────────── */

/* Each dispatch reads what the one before wrote; many batches, a tiny ring of arguments. */
static void test_dependent(void **state) {
  enum { N = 1000, STEPS = 1500 };
  struct bench b;
  (void)state;
  bench_init(&b);
  for (uint64_t staging = 0; staging <= 1024; staging += 1024) {
    gpu_config cfg = config(&b);
    cfg.staging_bytes = staging;
    gpu *g = opened(&b, &cfg);
    uint32_t *x = numbers(N, 6), *y = numbers(N, 7);
    gpu_buf *d[2] = {gpu_alloc(g, N * 4), gpu_alloc(g, N * 4)};
    assert_true(d[0] && d[1] && gpu_upload(g, d[0], 0, x, N * 4));
    for (int i = 0; i < STEPS; i++) assert_true(add_one(g, d[i & 1], d[~i & 1], N));
    assert_true(gpu_download(g, d[STEPS & 1], 0, y, N * 4));
    for (int i = 0; i < N; i++) assert_int_equal(y[i], x[i] + STEPS);
    gpu_usage u = gpu_get_usage(g);
    assert_int_equal(u.dispatches, STEPS);
    assert_int_equal(u.pipelines, 1);
    assert_int_equal(u.pipeline_hits, STEPS - 1);
    assert_true(u.submits < STEPS / 10);
    gpu_close(g);
    free(x);
    free(y);
  }
  bench_end(&b);
}

/* A freed range is handed out while its last use is pending, and the order still holds. */
static void test_reuse(void **state) {
  enum { N = 5000 };
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = opened(&b, &cfg);
  uint32_t *x = numbers(N, 8), *y = numbers(N, 9), *z = numbers(N, 10);
  gpu_buf *in = gpu_alloc(g, N * 4), *in2 = gpu_alloc(g, N * 4),
          *out = gpu_alloc(g, N * 4);
  gpu_buf *t = gpu_alloc(g, N * 4);
  assert_true(in && in2 && out && t);
  assert_true(gpu_upload(g, in, 0, x, N * 4) && gpu_upload(g, in2, 0, y, N * 4));
  assert_true(add_one(g, in, t, N) && add_one(g, t, out, N));
  uint64_t was = gpu_address(t);
  gpu_free(g, t);
  assert_non_null(t = gpu_alloc(g, N * 4));
  assert_int_equal(gpu_address(t), was);
  assert_true(add_one(g, in2, t, N)); /* must not overtake the reader of the old range */
  assert_true(gpu_download(g, out, 0, z, N * 4));
  for (int i = 0; i < N; i++) assert_int_equal(z[i], x[i] + 2);
  gpu_free(g, in);
  assert_true(gpu_download(g, t, 0, z, N * 4));
  for (int i = 0; i < N; i++) assert_int_equal(z[i], y[i] + 1);
  gpu_close(g);
  free(x);
  free(y);
  free(z);
  bench_end(&b);
}

/* More workgroups than one dimension takes; device time is positive. */
static void test_grid(void **state) {
  static const uint64_t groups[] = {1, 65535, 65536, 65537, 131071};
  struct bench b;
  double ns;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = opened(&b, &cfg);
  for (size_t k = 0; k < ARRAY_LEN(groups); k++) {
    uint64_t n = groups[k] * 64 - 5;
    uint32_t *x = numbers(n, 11);
    gpu_buf *d = gpu_alloc(g, n * 4 + 4);
    assert_true(d && gpu_upload(g, d, 0, x, n * 4) && gpu_clear(g, d, n * 4, 4));
    assert_true(gpu_time_begin(g) && add_one(g, d, d, n) && gpu_time_end(g, &ns));
    assert_true(gpu_get_info(g)->timestamp_ns > 0 ? ns > 0 : ns < 0);
    uint32_t *y = numbers(n + 1, 12);
    assert_true(gpu_download(g, d, 0, y, n * 4 + 4));
    for (uint64_t i = 0; i < n; i++)
      if (y[i] != x[i] + 1) fail_msg("element %llu", (unsigned long long)i);
    assert_int_equal(y[n], 0);
    gpu_free(g, d);
    free(x);
    free(y);
  }
  gpu_kernel *kernel = gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 0, NULL);
  assert_true(
      gpu_record(g, &(gpu_dispatch){.kernel = kernel})); /* no groups: nothing to do */
  assert_false(gpu_record(g, &(gpu_dispatch){.kernel = kernel, .groups = UINT64_MAX}));
  assert_int_equal(b.c.err.code, ERR_LIMIT);
  err_clear(&b.c);
  void *big = calloc(1, 2 << 20);
  assert_false(gpu_record(
      g,
      &(gpu_dispatch){.kernel = kernel, .groups = 1, .args = big, .arg_bytes = 2 << 20}));
  assert_int_equal(b.c.err.code, ERR_LIMIT);
  err_clear(&b.c);
  free(big);
  assert_true(gpu_time_end(g, &ns) && ns < 0); /* without a begin */
  gpu_close(g);
  bench_end(&b);
}

/* The kernel adding `step` instead of 1. */
static void variant(uint32_t words[ARRAY_LEN(plus_one)], uint32_t step) {
  memcpy(words, plus_one, sizeof plus_one);
  for (size_t i = 5; i < ARRAY_LEN(plus_one); i += words[i] >> 16)
    if ((words[i] & 0xffff) == 43 && words[i + 3] == 64)
      words[i + 3] = step; /* OpConstant */
}

static void test_pipelines(void **state) {
  struct bench b;
  uint32_t words[ARRAY_LEN(plus_one)];
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = opened(&b, &cfg);
  const gpu_info *info = gpu_get_info(g);
  gpu_kernel *k = gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 0, "a");
  assert_ptr_equal(k, gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 0, "b"));
  gpu_kernel *sized =
      gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), info->subgroup, NULL);
  assert_non_null(sized);
  assert_ptr_not_equal(k, sized);
  assert_null(gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 1024, NULL));
  assert_int_equal(b.c.err.code, ERR_DEVICE);
  err_clear(&b.c);
  g->max_kernels = 6; /* more kernels than are kept: the old ones go, the new ones work */
  for (uint32_t i = 0; i < 40; i++) {
    variant(words, 65 + i);
    assert_non_null(gpu_kernel_get(g, words, ARRAY_LEN(words), 0, NULL));
    assert_true(g->n_kernels <= 6);
  }
  assert_int_equal(gpu_get_usage(g).pipelines, 42);
  g->max_kernels = 1000;
  for (uint32_t i = 0; i < 60; i++) { /* the table grows */
    variant(words, 200 + i);
    assert_non_null(gpu_kernel_get(g, words, ARRAY_LEN(words), 0, NULL));
  }
  uint64_t made = gpu_get_usage(g).pipelines;
  for (uint32_t i = 0; i < 60; i++) {
    variant(words, 200 + i);
    assert_non_null(gpu_kernel_get(g, words, ARRAY_LEN(words), 0, NULL));
  }
  assert_int_equal(gpu_get_usage(g).pipelines, made);
  gpu_close(g);
  bench_end(&b);
}

/* ── the cache on disk ──────────────────────────────────────────────────────────────── */

/* The one file in the folder; anything beside it fails. */
static void only_file(const char *dir, char *path, size_t n) {
  int files = 0;
  DIR *d = opendir(dir);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));)
    if (e->d_name[0] != '.') {
      snprintf(path, n, "%s/%s", dir, e->d_name);
      files++;
    }
  closedir(d);
  assert_int_equal(files, 1);
}

/* Is the kernel found there? */
static bool use_cache(struct bench *b, const char *dir, bool make) {
  gpu_config cfg = config(b);
  cfg.cache_dir = dir;
  gpu *g = opened(b, &cfg);
  if (make) assert_non_null(gpu_kernel_get(g, plus_one, ARRAY_LEN(plus_one), 0, NULL));
  gpu_usage u = gpu_get_usage(g);
  assert_int_equal(u.pipelines + u.pipelines_disk, make);
  gpu_close(g);
  assert_false(err_is(&b->c));
  return u.pipelines_disk;
}

static bool has_note(struct bench *b, const char *dir, uint64_t write) {
  gpu_config cfg = config(b);
  cfg.cache_dir = dir;
  gpu *g = opened(b, &cfg);
  uint64_t note = 0;
  uint32_t smaller;
  bool ok = gpu_note_read(g, &note, sizeof note);
  assert_false(gpu_note_read(g, &smaller, sizeof smaller));
  if (write) gpu_note_write(g, &write, sizeof write);
  gpu_close(g);
  assert_false(err_is(&b->c));
  assert_true(!ok || note == 77);
  return ok;
}

/* ── what the driver says of a pipeline ─────────────────────────────────────────────── */

/* A driver's statistics, one list for each executable. */
static const struct told {
  const char *name;
  int64_t value;
} * told[2];
static uint32_t n_told;

static VKAPI_ATTR VkResult VKAPI_CALL
fake_properties(VkDevice d, const VkPipelineInfoKHR *info, uint32_t *n,
                VkPipelineExecutablePropertiesKHR *p) {
  (void)d, (void)info, (void)p;
  *n = n_told;
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
fake_statistics(VkDevice d, const VkPipelineExecutableInfoKHR *info, uint32_t *n,
                VkPipelineExecutableStatisticKHR *s) {
  const struct told *t = told[info->executableIndex];
  uint32_t i = 0;
  (void)d;
  for (; t[i].name && i < *n; i++) {
    snprintf(s[i].name, sizeof s[i].name, "%s", t[i].name);
    s[i].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR;
    s[i].value.i64 = t[i].value;
  }
  *n = i;
  return VK_SUCCESS;
}

static void reads(gpu *g, const struct told *a, const struct told *b,
                  gpu_statistics want) {
  told[0] = a;
  told[1] = b;
  n_told = b ? 2 : 1;
  gpu_statistics is = vk_read_statistics(g, VK_NULL_HANDLE);
  assert_int_equal(is.known, want.known);
  assert_int_equal(is.registers, want.registers);
  assert_int_equal(is.spilled, want.spilled);
  assert_int_equal(is.shared, want.shared);
}

/* The names that drivers have, what several executables come to, and calls that fail. */
static void test_statistics(void **state) {
  static const struct told
      nvidia[] = {{"Register Count", 182},   {"Binary Size", 9},     {"Stack Size", 16},
                  {"Local Memory Size", 24}, {"Shared Memory", 260}, {0}},
      h200[] = {{"Register Count", 212}, /* as driver 580 has it: sixteen times 2^32 */
                {"Stack Size", 0},
                {"Local Memory Size", 0x1000000000},
                {"Shared Memory Size", 16640},
                {0}},
      radv[] = {{"SGPRs", 40},        {"VGPRs", 96},        {"Spilled SGPRs", 12},
                {"Spilled VGPRs", 0}, {"PrivMem VGPRs", 3}, {"Code size", 4000},
                {"LDS size", 4096},   {"Scratch size", 0},  {0}},
      anv[] = {{"Instruction Count", 70},
               {"Spill Count", 5},
               {"Fill Count", 6},
               {"Scratch Memory Size", 1024},
               {"Max live registers", 110},
               {"Workgroup Memory Size", 8448},
               {0}},
      anv8[] = {{"Spill Count", 0}, {"Max live registers", 60}, {0}},
      amdvlk[] = {{"numUsedVgprs", 64},
                  {"numAvailableVgprs", 256},
                  {"ldsUsageSizeInBytes", 512},
                  {"scratchMemUsageInBytes", 0},
                  {0}},
      others[] = {{"Instruction Count", 3}, {"Code Size", -1}, {0}};
  static const char *const calls[] = {"vkGetPipelineExecutablePropertiesKHR",
                                      "vkGetPipelineExecutableStatisticsKHR"};
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = opened(&b, &cfg);
  g->vk.GetPipelineExecutablePropertiesKHR = fake_properties;
  g->vk.GetPipelineExecutableStatisticsKHR = fake_statistics;
  g->info.statistics = true;
  reads(g, nvidia, NULL, (gpu_statistics){true, 182, 24, 260});
  reads(g, h200, NULL, (gpu_statistics){true, 212, 0, 16640});
  reads(g, radv, NULL, (gpu_statistics){true, 96, 0, 4096});
  reads(g, anv, NULL, (gpu_statistics){true, 110, 1029, 8448});
  reads(g, anv, anv8, (gpu_statistics){true, 60, 0, 0});
  reads(g, amdvlk, others, (gpu_statistics){true, 64, 0, 512});
  reads(g, others, NULL, (gpu_statistics){.known = false});
  b.code = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (int i = 0; i < 2; i++) {
    b.only = calls[i];
    b.call_left = 0;
    reads(g, nvidia, NULL, (gpu_statistics){.known = false});
    assert_false(err_is(&b.c));
  }
  g->info.statistics = false;
  reads(g, nvidia, NULL, (gpu_statistics){.known = false});
  gpu_close(g);
  bench_end(&b);
}

static void test_cache(void **state) {
  struct bench b;
  char top[] = "/tmp/test_gpu_XXXXXX", mid[64], dir[80], path[400], byte;
  (void)state;
  bench_init(&b);
  assert_non_null(mkdtemp(top));
  snprintf(mid, sizeof mid, "%s/a", top);
  snprintf(dir, sizeof dir, "%s/b", mid);
  assert_false(use_cache(&b, dir, true)); /* makes the folders */
  only_file(dir, path, sizeof path);
  use_cache(&b, dir, false);
  assert_true(use_cache(&b, dir, true)); /* the second start makes no pipeline */
  FILE *f = fopen(path, "r+b");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  assert_true(size > 24);
  /* One byte wrong, anywhere: in the magic, the size, the hash, the blob. */
  for (long at = 0; at < size && at < 40; at += 5) {
    fseek(f, at, SEEK_SET);
    assert_int_equal(fread(&byte, 1, 1, f), 1);
    byte ^= 0x41;
    fseek(f, at, SEEK_SET);
    fwrite(&byte, 1, 1, f);
    fflush(f);
    use_cache(&b, dir, false);
    byte ^= 0x41;
    fseek(f, at, SEEK_SET);
    fwrite(&byte, 1, 1, f);
    fflush(f);
  }
  fclose(f);
  for (long cut = 0; cut < size; cut += 11) {
    assert_int_equal(truncate(path, cut), 0);
    use_cache(&b, dir, false);
  }
  assert_false(use_cache(&b, dir, true)); /* and it is whole again */
  assert_true(use_cache(&b, dir, true));
  only_file(dir, path, sizeof path);
  f = fopen(path, "rb");
  fseek(f, 0, SEEK_END);
  assert_true(ftell(f) >= size);
  fclose(f);
  remove(path);
  use_cache(&b, "/proc/no/such", true); /* nowhere to write: no error */
  assert_false(has_note(&b, "/proc/no/such", 1));
  assert_false(has_note(&b, NULL, 1));
  assert_false(has_note(&b, dir, 77));
  assert_true(has_note(&b, dir, 0));
  only_file(dir, path, sizeof path);
  remove(path);
  rmdir(dir);
  rmdir(mid);
  rmdir(top);
  bench_end(&b);
}

/* ── failures ───────────────────────────────────────────────────────────────────────── */

/* A whole session; true when every step of it worked, and then the numbers are right. */
static bool session(struct bench *b, const char *cache_dir, bool staged, bool validate) {
  enum { N = 1300 };
  double ns;
  bool ok = false;
  uint32_t *x = numbers(N, 13), *y = numbers(N, 14);
  gpu_buf *in = NULL, *t = NULL, *out = NULL;
  gpu_config cfg = config(b);
  cfg.validate = validate;
  cfg.cache_dir = cache_dir;
  cfg.staging_bytes = staged ? 4096 : 0;
  cfg.block_bytes = 32 << 10;
  gpu *g = gpu_open(&b->c, &cfg);
  if (!g) goto end;
  if (!(in = gpu_alloc(g, N * 4)) || !(t = gpu_alloc(g, 100000)) ||
      !(out = gpu_alloc(g, N * 4)))
    goto end;
  if (!gpu_upload(g, in, 0, x, N * 4) || !gpu_time_begin(g) || !add_one(g, in, t, N) ||
      !add_one(g, t, out, N) || !gpu_clear(g, in, 0, N * 4) || !gpu_time_end(g, &ns))
    goto end;
  gpu_free(g, t);
  t = NULL;
  if (!gpu_download(g, out, 0, y, N * 4)) goto end;
  for (int i = 0; i < N; i++) assert_int_equal(y[i], x[i] + 2);
  if (!gpu_download(g, in, 0, y, 4) || !gpu_wait(g)) goto end;
  assert_int_equal(y[0], 0);
  ok = true;
end:
  if (g) {
    assert_int_equal(gpu_validation_messages(g), 0);
    if (gpu_lost(g)) { /* stays lost, says so */
      err_clear(&b->c);
      assert_null(gpu_alloc(g, 4));
      assert_int_equal(b->c.err.code, ERR_DEVICE);
      assert_false(gpu_wait(g));
    }
    gpu_free(g, in);
    gpu_free(g, out);
  }
  assert_true(ok != err_is(&b->c));
  gpu_close(g);
  assert_true(ok != err_is(&b->c));
  free(x);
  free(y);
  return ok;
}

static void calls_fail(const char *dir, int code, bool staged, bool validate) {
  struct bench b;
  int survived = 0;
  for (long n = 0;; n++) {
    bench_init(&b);
    b.call_left = n;
    b.code = code;
    bool ok = session(&b, dir, staged, validate);
    if (!ok && code == VK_ERROR_DEVICE_LOST) assert_int_equal(b.c.err.code, ERR_DEVICE);
    if (!ok && code != VK_ERROR_DEVICE_LOST) assert_int_equal(b.c.err.code, ERR_WS_FULL);
    if (!ok && !b.fired) fail_msg("%s", b.c.err.msg);
    survived += ok && b.fired; /* done without: a second try, or a part of the cache */
    bench_end(&b);
    if (!b.fired) {
      assert_true(ok && n > 30 && survived < 16);
      return;
    }
  }
}

static void test_calls_fail(void **state) {
  char dir[] = "/tmp/test_gpu_XXXXXX", path[400];
  (void)state;
  assert_non_null(mkdtemp(dir));
  calls_fail(dir, VK_ERROR_OUT_OF_HOST_MEMORY, true, true);
  calls_fail(dir, VK_ERROR_OUT_OF_DEVICE_MEMORY, false, true);
  calls_fail(dir, VK_ERROR_DEVICE_LOST, true, true);
  only_file(dir, path, sizeof path);
  remove(path);
  rmdir(dir);
}

static void test_allocs_fail(void **state) {
  char dir[] = "/tmp/test_gpu_XXXXXX", path[400];
  struct bench b = {.fired = true};
  (void)state;
  assert_non_null(mkdtemp(dir));
  for (long n = 0; b.fired; n++) {
    bench_init(&b);
    b.alloc_left = n;
    bool ok = session(&b, dir, true, true);
    if (!ok) assert_int_equal(b.c.err.code, ERR_WS_FULL);
    if (!b.fired) assert_true(ok && n > 15);
    bench_end(&b);
  }
  b.fired = true;
  for (long n = 0; b.fired; n++) { /* and the list */
    gpu_info *list;
    int count;
    bench_init(&b);
    b.alloc_left = n;
    assert_true(gpu_list(&b.c, &list, &count, NULL) != b.fired);
    assert_true(b.fired ? b.c.err.code == ERR_WS_FULL && !list && !count : count > 0);
    mem_free(&b.c, list);
    bench_end(&b);
  }
  only_file(dir, path, sizeof path);
  remove(path);
  rmdir(dir);
}

/* A submission that fails loses its commands, and nothing else. */
static void test_dropped(void **state) {
  enum { N = 500 };
  struct bench b;
  (void)state;
  bench_init(&b);
  for (int staged = 0; staged < 2; staged++)
    for (int k = 0; k < 2; k++) {
      gpu_config cfg = config(&b);
      cfg.staging_bytes = staged ? 2048 : 0;
      gpu *g = opened(&b, &cfg);
      uint32_t *x = numbers(N, 15), *y = numbers(N, 16);
      gpu_buf *a = gpu_alloc(g, N * 4), *c = gpu_alloc(g, N * 4);
      assert_true(a && c && gpu_upload(g, a, 0, x, N * 4) && add_one(g, a, c, N) &&
                  gpu_submit(g));
      assert_true(add_one(g, c, a, N)); /* its barrier is dropped with it */
      b.only = k ? "vkQueueSubmit" : "vkEndCommandBuffer";
      b.code = VK_ERROR_OUT_OF_HOST_MEMORY;
      b.call_left = 0;
      assert_false(gpu_wait(g));
      assert_int_equal(b.c.err.code, ERR_WS_FULL);
      err_clear(&b.c);
      assert_true(add_one(g, c, a, N) && gpu_download(g, a, 0, y, N * 4));
      for (int i = 0; i < N; i++) assert_int_equal(y[i], x[i] + 2);
      gpu_close(g);
      free(x);
      free(y);
    }
  bench_end(&b);
}

int main(int argc, char **argv) {
  struct bench b;
  gpu_info *list;
  char why[160];
  int n;
  if (argc > 1) device = argv[1];
  keep_loaded();
  bench_init(&b);
  if (!gpu_list(&b.c, &list, &n, why)) return 1;
  mem_free(&b.c, list);
  if (!n) {
    printf("test_gpu: skipped: %s\n", why);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choice),       cmocka_unit_test(test_refused),
      cmocka_unit_test(test_nth),          cmocka_unit_test(test_no_driver),
      cmocka_unit_test(test_alloc),        cmocka_unit_test(test_alloc_keeps),
      cmocka_unit_test(test_alloc_random), cmocka_unit_test(test_full),
      cmocka_unit_test(test_transfer),     cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_cold),         cmocka_unit_test(test_cut),
      cmocka_unit_test(test_upload_order), cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_dependent),    cmocka_unit_test(test_reuse),
      cmocka_unit_test(test_grid),         cmocka_unit_test(test_pipelines),
      cmocka_unit_test(test_cache),        cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_dropped),      cmocka_unit_test(test_calls_fail),
      cmocka_unit_test(test_allocs_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
