/* SPDX-License-Identifier: MIT */
/* test_import.c - host memory that devices import, copies that are asked about and not waited for:
 * bytes from a device of one process to a device of another through a memfd, as src/dist moves them,
 * and back; then every Vulkan call and every allocation of it fails once.
 *
 *   window of shared memory   | counters … | ring there: SLOTS slots | ring back: SLOTS slots |
 *
 * The other process is this program once more, for one that has used a driver must not fork. */
#include "gpu_bench.h"
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

extern char **environ;

enum {
  HEAD = 64 << 10,
  SLOT = 16 << 10,
  SLOTS = 4,
  RING = SLOT * SLOTS,
  WINDOW = HEAD + 2 * RING
};

static const uint64_t sizes[] = {0,        1,        3,    17,       4095,    4096,
                                 SLOT - 1, SLOT + 1, RING, RING + 1, 1000003, 70001};

/* Slots that were filled and emptied since the window was made, of the ring there and that back. */
struct counters {
  _Atomic uint64_t filled, emptied;
};

struct ring {
  struct counters *count;
  gpu_buf *buf;
  uint64_t filled, emptied; /* this side's: begun, and told */
  gpu_mark mark[SLOTS];
};

static char *map_window(int fd) {
  void *at = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  assert_true(at != MAP_FAILED);
  return at;
}

static struct ring ring_open(gpu *g, char *window, int k) {
  struct ring r = {.count = (struct counters *)(void *)window + k};
  r.buf = gpu_import_host(g, window + HEAD + k * RING, RING);
  assert_non_null(r.buf);
  return r;
}

static bool is_reached(gpu *g, gpu_mark mark) {
  bool reached;
  assert_true(gpu_reached(g, mark, &reached));
  return reached;
}

static uint64_t part_of(uint64_t n, uint64_t chunk) {
  return n - chunk * SLOT < SLOT ? n - chunk * SLOT : SLOT;
}

/* n bytes of an array into the ring; the array begins at `at` of its buffer. */
static void send_bytes(gpu *g, struct ring *r, gpu_buf *from, uint64_t at, uint64_t n) {
  uint64_t chunks = (n + SLOT - 1) / SLOT, begun = 0, told = 0;
  while (told < chunks) {
    while (begun < chunks && r->filled - atomic_load(&r->count->emptied) < SLOTS) {
      uint64_t slot = r->filled++ % SLOTS;
      assert_true(
          gpu_copy(g, from, at + begun * SLOT, r->buf, slot * SLOT, part_of(n, begun)));
      assert_true(gpu_set_mark(g, &r->mark[slot]));
      begun++;
    }
    uint64_t first = r->filled - (begun - told);
    if (told < begun && is_reached(g, r->mark[first % SLOTS])) {
      atomic_fetch_add(&r->count->filled, 1);
      told++;
    } else {
      sched_yield();
    }
  }
}

static void receive_bytes(gpu *g, struct ring *r, gpu_buf *to, uint64_t at, uint64_t n) {
  uint64_t chunks = (n + SLOT - 1) / SLOT, begun = 0, told = 0;
  while (told < chunks) {
    while (begun < chunks && r->emptied < atomic_load(&r->count->filled)) {
      uint64_t slot = r->emptied++ % SLOTS;
      assert_true(
          gpu_copy(g, r->buf, slot * SLOT, to, at + begun * SLOT, part_of(n, begun)));
      assert_true(gpu_set_mark(g, &r->mark[slot]));
      begun++;
    }
    uint64_t first = r->emptied - (begun - told);
    if (told < begun && is_reached(g, r->mark[first % SLOTS])) {
      atomic_fetch_add(&r->count->emptied, 1);
      told++;
    } else {
      sched_yield();
    }
  }
}

/* n bytes of a buffer are those of this seed, and those around them what they were. */
static void has_bytes(gpu *g, gpu_buf *b, uint64_t at, uint64_t n, uint32_t seed) {
  unsigned char *x = (unsigned char *)numbers(n, seed), *y = malloc(at + n + 1);
  assert_non_null(y);
  assert_true(gpu_download(g, b, 0, y, at + n + 1));
  assert_memory_equal(x, y + at, n);
  assert_int_equal(y[at + n], 0x5a);
  if (at) assert_int_equal(y[at - 1], 0x5a);
  free(x);
  free(y);
}

static gpu_buf *filled_buf(gpu *g, uint64_t n) {
  unsigned char *x = malloc(n);
  assert_non_null(x);
  memset(x, 0x5a, n);
  gpu_buf *b = gpu_alloc(g, n);
  assert_true(b && gpu_upload(g, b, 0, x, n));
  free(x);
  return b;
}

/* One side of the talk: bytes of seed s there, of s + 100 back. */
static void talk(gpu *g, char *window, bool first) {
  struct ring out = ring_open(g, window, !first), in = ring_open(g, window, first);
  for (uint32_t s = 0; s < ARRAY_LEN(sizes); s++) {
    uint64_t n = sizes[s], at = s % 3;
    unsigned char *x = (unsigned char *)numbers(n, first ? s : s + 100);
    gpu_buf *a = gpu_alloc(g, n + 2), *b = filled_buf(g, n + 4);
    assert_true(a && gpu_upload(g, a, at, x, n));
    if (first) send_bytes(g, &out, a, at, n);
    receive_bytes(g, &in, b, 2 - at, n);
    if (!first) send_bytes(g, &out, a, at, n);
    has_bytes(g, b, 2 - at, n, first ? s + 100 : s);
    gpu_free(g, a);
    gpu_free(g, b);
    free(x);
  }
  gpu_free(g, out.buf);
  gpu_free(g, in.buf);
}

static bool imports(gpu *g) {
  return g->info.host_align && HEAD % g->info.host_align == 0;
}

/* The other process: 77, where its device imports nothing. */
static void test_other(void **state) {
  struct bench b;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = opened(&b, &cfg);
  char *window = map_window(*(int *)*state);
  talk(g, window, false);
  munmap(window, WINDOW);
  gpu_close(g);
  bench_end(&b);
}

static gpu *importing(struct bench *b, const gpu_config *cfg) {
  gpu *g = opened(b, cfg);
  if (imports(g)) return g;
  gpu_close(g);
  skip();
  return NULL;
}

static void test_two_processes(void **state) {
  struct bench b;
  char number[16];
  pid_t other;
  int fd = memfd_create("window", 0), status;
  (void)state;
  assert_true(fd >= 0 && !ftruncate(fd, WINDOW));
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu *g = importing(&b, &cfg);
  snprintf(number, sizeof number, "%d", fd);
  char *const args[] = {"test_import", (char *)(uintptr_t)device, number, NULL};
  assert_int_equal(posix_spawn(&other, "/proc/self/exe", NULL, NULL, args, environ), 0);
  char *window = map_window(fd);
  talk(g, window, true);
  assert_int_equal(waitpid(other, &status, 0), other);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  munmap(window, WINDOW);
  close(fd);
  gpu_close(g);
  bench_end(&b);
}

/* The host reads and writes such a buffer as any other; memory is imported more than once. */
static void test_host_side(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  for (uint64_t staging = 0; staging <= 4096; staging += 4096) {
    gpu_config cfg = config(&b);
    cfg.staging_bytes = staging;
    gpu *g = importing(&b, &cfg);
    uint32_t *x = numbers(RING / 4, 41), *y = numbers(RING / 4, 42);
    char *at = aligned_alloc(HEAD, RING);
    gpu_buf *one = gpu_import_host(g, at, RING), *two = gpu_import_host(g, at, RING);
    gpu_buf *d = gpu_alloc(g, RING);
    assert_true(one && two && d && gpu_is_shared(one));
    assert_int_equal(gpu_bytes(one), RING);
    uint64_t used = gpu_get_usage(g).used;
    memcpy(at, x, RING); /* what the host wrote before is seen */
    assert_true(gpu_copy(g, one, 0, d, 0, RING) && gpu_download(g, d, 0, y, RING));
    assert_memory_equal(x, y, RING);
    assert_true(gpu_upload(g, one, 5, "abc", 3) && gpu_download(g, two, 4, y, 5));
    assert_memory_equal((char *)x + 4, y, 1);
    assert_memory_equal("abc", (char *)y + 1, 3);
    assert_true(gpu_clear(g, d, 0, RING) && gpu_copy(g, d, 7, two, 1, 11));
    gpu_free(g, two); /* waits for the copy */
    assert_memory_equal("\0\0\0\0\0\0\0\0\0\0\0", at + 1, 11);
    assert_memory_equal((char *)x + 12, at + 12, RING - 12);
    gpu_mark first, again;
    bool reached;
    assert_true(gpu_set_mark(g, &first) && gpu_wait(g) && is_reached(g, first));
    assert_true(gpu_set_mark(g, &again)); /* nothing recorded: the same place */
    assert_true(first == again && gpu_reached(g, 0, &reached) && reached);
    gpu_free(g, one);
    assert_int_equal(gpu_get_usage(g).used, used);
    gpu_close(g);
    free(at);
    free(x);
    free(y);
  }
  bench_end(&b);
}

/* Memory of one device as another one exports it, which is all that can be had without a second API. */
static int exported_fd(gpu *g, struct vk_mem *m, uint64_t bytes) {
  VkExportMemoryAllocateInfo out = {.sType =
                                        VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                    .handleTypes = VK_FD_MEMORY};
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .pNext = &out,
                               .allocationSize = bytes};
  VkMemoryGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                              .handleType = VK_FD_MEMORY};
  PFN_vkGetMemoryFdKHR get_fd =
      (PFN_vkGetMemoryFdKHR)g->vk.GetDeviceProcAddr(g->device, "vkGetMemoryFdKHR");
  int fd = -1;
  *m = (struct vk_mem){.size = bytes};
  assert_true(get_fd &&
              g->vk.AllocateMemory(g->device, &info, NULL, &m->mem) == VK_SUCCESS);
  get.memory = m->mem;
  assert_int_equal(get_fd(g->device, &get, &fd), VK_SUCCESS);
  return fd;
}

static void test_fd(void **state) {
  enum { N = 1 << 20 };
  struct bench b, b2;
  struct vk_mem m;
  (void)state;
  bench_init(&b);
  bench_init(&b2);
  gpu_config cfg = config(&b), cfg2 = config(&b2);
  gpu *g = opened(&b, &cfg), *h = opened(&b2, &cfg2);
  if (!gpu_get_info(g)->import_fd) {
    gpu_close(g), gpu_close(h);
    skip();
  }
  uint32_t *x = numbers(N / 4, 61), *y = numbers(N / 4, 62);
  int fd = exported_fd(g, &m, N);
  gpu_buf *one = gpu_import_fd(g, dup(fd), N), *two = gpu_import_fd(h, fd, N);
  gpu_buf *d = gpu_alloc(g, N);
  assert_true(one && two && d && gpu_upload(g, d, 0, x, N));
  assert_true(gpu_copy(g, d, 0, one, 0, N) && gpu_wait(g));
  assert_true(gpu_download(h, two, 0, y, N));
  assert_memory_equal(x, y, N);
  gpu_free(g, one);
  gpu_free(h, two);
  vk_mem_drop(g, &m);
  b.only = "vkAllocateMemory"; /* the descriptor is closed all the same */
  b.code = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  b.call_left = 0;
  fd = dup(0);
  assert_null(gpu_import_fd(g, fd, N));
  assert_int_equal(b.c.err.code, ERR_WS_FULL);
  assert_int_equal(close(fd), -1);
  gpu_close(g), gpu_close(h);
  err_clear(&b.c);
  free(x), free(y);
  bench_end(&b);
  bench_end(&b2);
}

static void test_refused(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.mask = "import";
  gpu *g = opened(&b, &cfg);
  char *at = aligned_alloc(HEAD, HEAD);
  assert_int_equal(gpu_get_info(g)->host_align, 0);
  assert_null(gpu_import_host(g, at, HEAD));
  assert_int_equal(b.c.err.code, ERR_DEVICE);
  assert_non_null(strstr(b.c.err.msg, "imports no host memory"));
  err_clear(&b.c);
  assert_null(gpu_import_fd(g, dup(0), HEAD));
  assert_non_null(strstr(b.c.err.msg, "no memory of others"));
  err_clear(&b.c);
  gpu_close(g);
  free(at);
  bench_end(&b);
}

/* To imported memory and back; true if every step worked, and then the bytes are right. */
static bool session(struct bench *b, gpu *g, char *at) {
  enum { N = 40001 };
  unsigned char *x = (unsigned char *)numbers(N, 51), *y = malloc(N);
  gpu_mark mark;
  bool ok = false, reached = false;
  gpu_buf *ring = gpu_import_host(g, at, RING), *from = NULL, *to = NULL;
  if (!ring || !(from = gpu_alloc(g, N)) || !(to = gpu_alloc(g, N))) goto end;
  if (!gpu_upload(g, from, 0, x, N) || !gpu_copy(g, from, 0, ring, 3, N) ||
      !gpu_set_mark(g, &mark))
    goto end;
  while (!reached)
    if (!gpu_reached(g, mark, &reached)) goto end;
  assert_memory_equal(x, at + 3, N);
  if (!gpu_copy(g, ring, 3, to, 0, N) || !gpu_set_mark(g, &mark)) goto end;
  for (reached = false; !reached;)
    if (!gpu_reached(g, mark, &reached)) goto end;
  if (!gpu_download(g, to, 0, y, N)) goto end;
  assert_memory_equal(x, y, N);
  ok = true;
end:
  gpu_free(g, ring);
  gpu_free(g, from);
  gpu_free(g, to);
  assert_true(ok != err_is(&b->c));
  free(x);
  free(y);
  return ok;
}

/* Once for each call, which fails with this result, or for each allocation if it is 0. Then all
 * works again, but on a lost device, which is opened anew. */
static void fails(int code, char *at) {
  struct bench b;
  bool fired = true;
  gpu *g = NULL;
  gpu_mark mark;
  bench_init(&b);
  gpu_config cfg = config(&b);
  cfg.staging_bytes = 4096;
  cfg.block_bytes = 64 << 10;
  cfg.validate = code != VK_ERROR_DEVICE_LOST; /* which opens many */
  for (long k = 0; fired; k++) {
    if (!g) g = opened(&b, &cfg);
    b.fired = false;
    b.code = code;
    if (code) b.call_left = k;
    else b.alloc_left = k;
    bool ok = session(&b, g, at);
    b.call_left = b.alloc_left = -1;
    fired = b.fired;
    if (!ok) assert_int_equal(b.c.err.code, gpu_lost(g) ? ERR_DEVICE : ERR_WS_FULL);
    if (!fired) assert_true(ok && k > 1);
    err_clear(&b.c);
    if (!gpu_lost(g)) {
      assert_true(session(&b, g, at));
      continue;
    }
    assert_false(gpu_set_mark(g, &mark));
    assert_null(gpu_import_host(g, at, RING));
    err_clear(&b.c);
    gpu_close(g);
    g = NULL;
  }
  gpu_close(g);
  bench_end(&b);
}

static void test_fails(void **state) {
  struct bench b;
  (void)state;
  bench_init(&b);
  gpu_config cfg = config(&b);
  gpu_close(importing(&b, &cfg));
  bench_end(&b);
  char *at = aligned_alloc(HEAD, RING);
  fails(VK_ERROR_OUT_OF_DEVICE_MEMORY, at);
  fails(VK_ERROR_DEVICE_LOST, at);
  fails(0, at);
  free(at);
}

int main(int argc, char **argv) {
  struct bench b;
  gpu_info *list;
  char why[160];
  int n, fd = 0;
  alarm(600);
  if (argc > 1) device = argv[1];
  if (argc > 2) fd = atoi(argv[2]);
  keep_loaded();
  const struct CMUnitTest other[] = {cmocka_unit_test_prestate(test_other, &fd)};
  if (argc > 2) return cmocka_run_group_tests(other, NULL, NULL);
  bench_init(&b);
  if (!gpu_list(&b.c, &list, &n, why)) return 1;
  mem_free(&b.c, list);
  if (!n) {
    printf("test_import: skipped: %s\n", why);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_processes),
      cmocka_unit_test(test_host_side),
      cmocka_unit_test(test_fd),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
