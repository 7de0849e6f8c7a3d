/* SPDX-License-Identifier: MIT */
/* peer_runner.c - checks runtime/comm/peer_cuda.c by two processes, and times it.
 *
 *   peer_runner          on the first two NVIDIA devices that Vulkan shows; on one device twice if it is alone
 *
 * Each process makes memory by CUDA, imports it into Vulkan and maps the other's. Bytes that Vulkan wrote in one
 * process are copied to the other's memory, and read there by Vulkan. Exit code 77: descriptors went from process to
 * process, but there is no libcuda or no such device. */
#include "runtime/comm/peer_cuda.h"
#include "src/base/mem.h"
#include "src/vk/gpu.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 256 << 20, HALF = BYTES / 2, SKIPPED = 77 };

struct page { /* what both see */
  _Atomic int arrived;
  _Atomic int failed, skipped;
  char name[2][PEER_NAME], uuid[2][33];
  size_t bytes[2];
};

static struct page *page;
static int me, meetings;

static void fail_at(int line, const char *what) {
  fprintf(stderr, "peer_runner.c:%d: process %d: %s\n", line, me, what);
  atomic_store(&page->failed, 1);
  exit(1);
}
#define CHECK(what)                                                                      \
  do {                                                                                   \
    if (!(what)) fail_at(__LINE__, #what);                                               \
  } while (0)
#define CUDA(p, call)                                                                    \
  do {                                                                                   \
    int error_ = (call);                                                                 \
    if (error_) fail_at(__LINE__, peer_text(p, error_));                                 \
  } while (0)

/* Both have come so far. */
static void meet(void) {
  atomic_fetch_add(&page->arrived, 1);
  meetings++;
  while (atomic_load(&page->arrived) < 2 * meetings) {
    if (atomic_load(&page->failed)) exit(1);
    sched_yield();
  }
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(unsigned char *x, int rank) {
  uint64_t s = 0x9e3779b97f4a7c15u * (uint64_t)(rank + 1);
  for (size_t i = 0; i < HALF; i++) {
    s = s * 6364136223846793005u + 1442695040888963407u;
    x[i] = (unsigned char)(s >> 56);
  }
}

/* The other process's descriptor of this one's choice; this one's goes to the other. */
static int swap_fds(int fd) {
  int s = peer_offer_fd(page->name[me]), got = -1;
  CHECK(s >= 0);
  meet();
  for (int turn = 0; turn < 2; turn++) {
    if (turn == me) CHECK(!peer_serve_fd(s, fd));
    else got = peer_fetch_fd(page->name[1 - me]);
  }
  CHECK(got >= 0);
  close(s);
  return got;
}

static void test_fds(void) {
  char want[2][8] = {"first", "second"}, have[8] = "";
  int fd = memfd_create("peer", 0);
  CHECK(fd >= 0 && pwrite(fd, want[me], 8, 0) == 8);
  int got = swap_fds(fd);
  CHECK(pread(got, have, 8, 0) == 8 && !strcmp(have, want[1 - me]));
  CHECK(peer_fetch_fd("vapl-peer-nobody") < 0);
  close(fd);
  close(got);
  meet();
}

/* The UUID of NVIDIA's device number `me`, or of the only one. */
static bool find_uuid(ctx *c, char uuid[33]) {
  gpu_info *list = NULL;
  int n = 0, found = 0;
  CHECK(gpu_list(c, &list, &n, NULL));
  for (int i = 0; i < n; i++)
    if (list[i].vendor == 0x10de && !list[i].refused[0] && found++ <= me)
      memcpy(uuid, list[i].uuid, 33);
  mem_free(c, list);
  return found > 0;
}

/* Copies of that many bytes, four under way, from `from` to `to`: GB/s. */
static double rate(peers *p, uint64_t to, uint64_t from, size_t n) {
  enum { AHEAD = 4 };
  int request[AHEAD], count = (int)((size_t)4 * HALF / n);
  if (count < 16) count = 16;
  double begun = seconds();
  for (int i = 0, done; i < count + AHEAD; i++) {
    for (done = i < AHEAD; !done;) CUDA(p, peer_test(p, request[i % AHEAD], &done));
    if (i < count) CUDA(p, peer_copy(p, to, from, n, &request[i % AHEAD]));
  }
  return (double)count * (double)n / (seconds() - begun) * 1e-9;
}

static void time_copies(peers *p, uint64_t to, uint64_t from) {
  static const size_t sizes[] = {512 << 10, 4 << 20, 32 << 20, HALF};
  for (size_t i = 0; i < 4; i++) {
    double alone = 0;
    rate(p, to, from, sizes[i]);
    meet();
    if (!me) alone = rate(p, to, from, sizes[i]);
    meet();
    double both = rate(p, to, from, sizes[i]);
    if (!me)
      printf("%9zu bytes a copy: %6.1f GB/s one way, %6.1f with the other at once\n",
             sizes[i], alone, both);
    meet();
  }
}

static void test_memory(ctx *c, gpu *g, peers *p) {
  peer_memory mine, theirs;
  int fd, for_vulkan, request, done = 0, reaches;
  unsigned char *x = malloc(HALF), *y = malloc(HALF);
  CHECK(x && y);
  CUDA(p, peer_reaches(p, page->uuid[1 - me], &reaches));
  if (!reaches) fail_at(__LINE__, "the devices do not reach one another");
  CUDA(p, peer_make(p, BYTES, &mine));
  CUDA(p, peer_export(p, &mine, &fd));
  CUDA(p, peer_export(p, &mine, &for_vulkan));
  page->bytes[me] = mine.bytes;
  int got = swap_fds(fd);
  CUDA(p, peer_map(p, got, page->bytes[1 - me], &theirs));
  close(fd);
  close(got);
  gpu_buf *b = gpu_import_fd(g, for_vulkan, mine.bytes);
  if (!b) fail_at(__LINE__, c->err.msg);
  fill(x, me);
  CHECK(gpu_upload(g, b, 0, x, HALF) && gpu_wait(g));
  meet();
  CUDA(p, peer_copy(p, theirs.at + HALF, mine.at, HALF, &request));
  while (!done) CUDA(p, peer_test(p, request, &done));
  meet();
  fill(x, 1 - me);
  CHECK(gpu_download(g, b, HALF, y, HALF) && !memcmp(x, y, HALF));
  CUDA(p, peer_read(p, y, theirs.at, HALF)); /* and the host reads the other's */
  CHECK(!memcmp(x, y, HALF));
  if (!me) printf("bytes are right: Vulkan → CUDA → the other's Vulkan\n");
  meet();
  time_copies(p, theirs.at + HALF, mine.at);
  gpu_free(g, b);
  peer_drop(p, &theirs);
  meet();
  peer_drop(p, &mine);
  free(x);
  free(y);
}

static int run(void) {
  ctx c;
  char why[200] = "";
  peers *p = NULL;
  ctx_init(&c, NULL, NULL);
  test_fds();
  if (find_uuid(&c, page->uuid[me])) p = peer_open(page->uuid[me], why, sizeof why);
  else snprintf(why, sizeof why, "Vulkan shows no NVIDIA device");
  if (!p) atomic_store(&page->skipped, 1);
  meet();
  if (atomic_load(&page->skipped)) {
    if (!p) printf("peer_runner: process %d: skipped but for descriptors: %s\n", me, why);
    peer_close(p);
    return SKIPPED;
  }
  gpu *g = gpu_open(&c, &(gpu_config){.device = page->uuid[me]});
  if (!g) fail_at(__LINE__, c.err.msg);
  if (!me) printf("%s, %s\n", gpu_get_info(g)->name, gpu_get_info(g)->driver);
  test_memory(&c, g, p);
  gpu_close(g);
  peer_close(p);
  CHECK(!c.blocks_live);
  return 0;
}

int main(void) {
  page =
      mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 1;
  pid_t child = fork();
  if (child < 0) return 1;
  me = !child;
  alarm(120);
  int code = run();
  if (me) return code;
  int status = 0;
  fflush(stdout);
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
  if (WEXITSTATUS(status) != code) return 1;
  if (!code) printf("peer_runner: passed\n");
  return code;
}
