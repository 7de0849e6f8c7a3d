/* SPDX-License-Identifier: MIT */
/* test_exchange.c - bytes between ranks against a serial model.
 *
 *   test_exchange                     forks: 1 to 5 ranks on one host and on several, on the host and on lavapipe
 *   mpirun -n 3 test_exchange FILE    the same lists by the engine in that file, vapl-mpi.so
 *
 * Lists are drawn from a seed that all ranks have: each rank's target is cut into runs, of which most come from
 * somewhere. A byte of a source is a function of its rank, its place and the seed, so every rank knows what it must
 * have in the end, and that nothing else was written. */
#include "gpu_bench.h"
#include "fork_comm.h"
#include "random.h"
#include "src/base/arith.h"
#include "src/dist/exchange.h"
#include <sched.h>
#include <sys/wait.h>

#define CHECK(what)                                                                      \
  do {                                                                                   \
    if (!(what)) die(__LINE__, #what);                                                   \
  } while (0)

enum { MOST = 400, DEVICE = 1, NO_IMPORT = 2, LARGE_PEERS = 4, NO_PEERS = 8 };

static const vapl_comm *comm;
static int rounds = 20;

static void die(int line, const char *what) {
  fprintf(stderr, "test_exchange.c:%d: rank %d of %d: %s\n", line, comm ? comm->rank : -1,
          comm ? comm->ranks : 0, what);
  _exit(1);
}

static unsigned char byte_of(uint64_t salt, int r, int64_t i) {
  uint64_t x =
      salt * 0x9e3779b97f4a7c15u + (uint64_t)r * 0x2545f4914f6cdd1du + (uint64_t)i;
  x = (x ^ x >> 31) * 0x94d049bb133111ebu;
  return (unsigned char)(x >> 40);
}

/* ── lists ──────────────────────────────────────────────────────────────────────────── */

typedef struct lists {
  exchange of[MOST];
  size_t n;
  int64_t source[FORK_RANKS], target[FORK_RANKS]; /* bytes of each rank's arrays */
} lists;

/* 0, 1, odd, about a chunk, or up to several rings. */
static int64_t draw_size(int64_t ring) {
  switch (next() % 6) {
  case 0: return (int64_t)(next() % 3);
  case 1: return (int64_t)(next() % 20);
  case 2: return ring / 4 - 2 + (int64_t)(next() % 5);
  case 3: return (int64_t)(next() % (uint64_t)(3 * ring)) | 1;
  default: return (int64_t)(next() % (uint64_t)ring);
  }
}

static void draw_runs(lists *l, int to, int ranks, int64_t ring) {
  for (int64_t at = 0; at < l->target[to] && l->n < MOST;) {
    int from = (int)(next() % (uint64_t)ranks);
    int64_t n = min_i64(draw_size(ring), l->target[to] - at);
    n = min_i64(n, l->source[from]);
    int64_t at_from = (int64_t)(next() % (uint64_t)(l->source[from] - n + 1));
    int array = (int)(next() % 2);
    if (next() % 8) l->of[l->n++] = (exchange){from, to, at_from, at, n, array};
    at += n + (next() % 4 ? 0 : 1);
  }
}

static void draw_list(lists *l, int ranks, int64_t ring) {
  l->n = 0;
  for (int r = 0; r < ranks; r++) {
    l->source[r] = draw_size(2 * ring);
    l->target[r] = draw_size(2 * ring);
  }
  for (int r = 0; r < ranks; r++) draw_runs(l, r, ranks, ring);
  for (size_t i = l->n; i > 1; i--) { /* in any order */
    size_t k = next() % i;
    exchange e = l->of[k];
    l->of[k] = l->of[i - 1];
    l->of[i - 1] = e;
  }
}

static unsigned char *source_of(const lists *l, int r, uint64_t salt) {
  unsigned char *x = malloc((size_t)l->source[r] + 1);
  CHECK(x);
  for (int64_t i = 0; i < l->source[r]; i++) x[i] = byte_of(salt, r, i);
  return x;
}

static unsigned char *expected(const lists *l, int me, uint64_t salt) {
  unsigned char *x = malloc((size_t)l->target[me] + 1);
  CHECK(x);
  memset(x, 0x5a, (size_t)l->target[me] + 1);
  for (size_t k = 0; k < l->n; k++)
    for (int64_t i = 0; l->of[k].to == me && i < l->of[k].n; i++)
      x[l->of[k].at_to + i] = byte_of(salt, l->of[k].from, l->of[k].at_from + i);
  return x;
}

/* ── one rank ───────────────────────────────────────────────────────────────────────── */

struct rank {
  struct bench b;
  gpu *g; /* NULL: its arrays are on the host */
  mover *m;
  bool host_only;
  long fail_at; /* the Vulkan call within the exchange that fails; negative: none */
};

static bool waits(void *user, bool begins) {
  struct rank *k = user;
  UNUSED(begins);
  struct fork_comm *f = comm->user;
  if (!strcmp(comm->name, "fork") && atomic_load(&f->all->stop))
    return err_set(&k->b.c, ERR_INTERRUPT, "%s", "given up");
  return true;
}

static void rank_open(struct rank *k, int how) {
  bench_init(&k->b);
  k->fail_at = -1;
  k->host_only = false;
  gpu_config cfg = config(&k->b);
  if (how & NO_IMPORT) cfg.mask = "import";
  cfg.staging_bytes = how & NO_IMPORT ? 8192 : 0;
  cfg.block_bytes = 1 << 20;
  k->g = how & DEVICE ? gpu_open(&k->b.c, &cfg) : NULL;
  CHECK(k->g || !(how & DEVICE));
}

static void mover_open(struct rank *k, uint64_t ring, uint64_t chunk) {
  k->m = move_open(&k->b.c, &(move_config){.comm = comm,
                                           .dev = k->g,
                                           .ring_bytes = ring,
                                           .chunk_bytes = chunk,
                                           .waits = waits,
                                           .user = k});
  CHECK(k->m);
}

static void rank_close(struct rank *k) {
  gpu_close(k->g);
  CHECK(!k->b.messages && !k->b.c.blocks_live);
}

/* These bytes as an array, on the device or not. */
static move_end end_make(struct rank *k, unsigned char *x, int64_t n, bool dev) {
  if (!dev) return (move_end){.host = x};
  gpu_buf *b = gpu_alloc(k->g, (uint64_t)n + 1);
  CHECK(b && gpu_upload(k->g, b, 0, x, (uint64_t)n + 1));
  return (move_end){.dev = b};
}

/* What all ranks would agree on. */
static bool all_have_peers(const struct rank *k) {
  const struct fork_comm *f = comm->user;
  bool alone = !strcmp(comm->name, "fork") && f->alone;
  return move_has_peers(k->m) && !alone;
}

/* An exchange of a list drawn from `salt`. `right`: its bytes are looked at. */
static bool exchange_once(struct rank *k, uint64_t salt, uint64_t ring, bool right) {
  uint64_t by_device = salt % 3 && all_have_peers(k) ? ring : 0;
  lists l;
  int me = comm->rank;
  seed = 88172645463325252u ^ salt * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 9; i++) next();
  draw_list(&l, comm->ranks, (int64_t)ring);
  uint64_t own = next() >> 9,
           also = next() >> 9; /* which of its arrays are on the device */
  unsigned char *x = source_of(&l, me, salt), *want = expected(&l, me, salt);
  unsigned char *y = malloc((size_t)l.target[me] + 1);
  CHECK(y);
  memset(y, 0x5a, (size_t)l.target[me] + 1);
  gpu *g = k->host_only ? NULL : k->g;
  bool from_dev = g && (own >> 2 * me & 1), to_dev = g && (own >> 2 * me & 2);
  const move_end from[2] = {end_make(k, x, l.source[me], from_dev),
                            end_make(k, x, l.source[me], g && (also >> me & 1))};
  move_end to = end_make(k, y, l.target[me], to_dev);
  k->b.call_left = k->fail_at;
  bool ok = exchange_run(k->m, l.of, l.n, from, to, by_device);
  k->b.call_left = -1;
  if (ok && to_dev) CHECK(gpu_download(k->g, to.dev, 0, y, (uint64_t)l.target[me] + 1));
  if (ok && right) CHECK(!memcmp(y, want, (size_t)l.target[me] + 1));
  CHECK(ok != err_is(&k->b.c));
  for (int i = 0; k->g && i < 2; i++) gpu_free(k->g, from[i].dev);
  if (k->g) gpu_free(k->g, to.dev);
  free(x), free(y), free(want);
  return ok;
}

static const uint64_t rings[][2] = {
    {4096, 1024}, {4096, 4096}, {65536, 8192}, {300000, 100003}};

/* All kinds of lists and rings. how: DEVICE, and NO_IMPORT of all but the first rank. */
static void run_lists(int how) {
  struct rank k;
  uint64_t salt = (uint64_t)how;
  rank_open(&k, comm->rank ? how : how & DEVICE);
  if (how & NO_PEERS && comm->rank == 1)
    ((struct fork_comm *)comm->user)->devices_fail = true;
  for (size_t i = 0; i < ARRAY_LEN(rings); i++) {
    mover_open(&k, rings[i][0], rings[i][1]);
    for (int round = 0; round < rounds; round++) {
      if (!exchange_once(&k, ++salt, rings[i][0], true)) die(__LINE__, k.b.c.err.msg);
      move_set_device(k.m, NULL); /* one is opened late, or closed for a while */
      if (round % 4) move_set_device(k.m, k.g);
      k.host_only = round % 4 == 0;
    }
    move_usage u = move_get_usage(k.m);
    CHECK(u.exchanges == (uint64_t)rounds && u.here_bytes > 0);
    CHECK(comm->ranks == 1 || u.ring_bytes + u.mail_bytes > 0);
    const char *why = NULL;
    CHECK((u.peer_bytes > 0) == (move_get_peers(k.m, &why) == PEERS_OPEN));
    CHECK(!(how & NO_PEERS) || why[0]);
    CHECK(!(how & NO_PEERS) || !u.peer_bytes);
    move_close(k.m);
  }
  rank_close(&k);
}

/* ── forked ranks ───────────────────────────────────────────────────────────────────── */

static struct fork_memory *shared;
static bool was_stopped; /* `stop` of the latest */

/* Runs f(how) as that many ranks. */
static void forked(int ranks, int per_host, void (*f)(int how), int how) {
  pid_t child[FORK_RANKS];
  assert_non_null(shared = fork_memory_new());
  fflush(NULL);
  for (int r = 0; r < ranks; r++) {
    child[r] = fork();
    assert_true(child[r] >= 0);
    if (child[r]) continue;
    struct fork_comm own;
    fork_comm_open(&own, shared, r, ranks, per_host);
    comm = &own.table;
    alarm(240);
    f(how);
    fflush(NULL);
    _exit(0);
  }
  int bad = 0;
  for (int r = 0, status; r < ranks; r++) {
    assert_int_equal(waitpid(child[r], &status, 0), child[r]);
    bad += !WIFEXITED(status) || WEXITSTATUS(status);
  }
  assert_int_equal(bad, 0);
  was_stopped = atomic_load(&shared->stop);
  munmap(shared, sizeof *shared);
}

static void test_host(void **state) {
  static const int ranks[][2] = {{1, 1}, {2, 1}, {2, 2}, {3, 1},
                                 {3, 2}, {3, 3}, {5, 2}, {5, 5}};
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
    forked(ranks[i][0], ranks[i][1], run_lists, 0);
  forked(3, 3, run_lists, NO_PEERS);
}

/* Rings and messages of the sizes that they have if nobody says otherwise. */
static void swap_large(int how) {
  enum { N = (20 << 20) + 77 };
  struct rank k;
  int me = comm->rank, other = 1 - me;
  rank_open(&k, how);
  mover_open(&k, 0, 0);
  unsigned char *x = malloc(N), *y = malloc(N);
  CHECK(x && y);
  for (int64_t i = 0; i < N; i++) x[i] = byte_of(3, me, i);
  const exchange list[] = {{0, 1, 0, 1, N - 1, 0}, {1, 0, 5, 0, N - 5, 0}};
  CHECK(exchange_run(k.m, list, 2, &(move_end){.host = x}, (move_end){.host = y},
                     how & LARGE_PEERS ? N : 0));
  for (int64_t i = 0; i < N - 5; i++)
    CHECK(me ? y[i + 1] == byte_of(3, other, i) : y[i] == byte_of(3, other, i + 5));
  free(x), free(y);
  move_close(k.m);
  rank_close(&k);
}

static void test_large(void **state) {
  (void)state;
  forked(2, 2, swap_large, 0);
  forked(2, 2, swap_large, LARGE_PEERS);
  forked(2, 1, swap_large, 0);
}

/* In a process of its own: one that has used a driver must not fork. */
static void opens_device(int how) {
  struct bench b;
  bench_init(&b);
  if (!gpu_open(&b.c, &(gpu_config){.device = device})) atomic_store(&shared->stop, 1);
  UNUSED(how);
}

static bool has_device(void) {
  static int has = -1;
  if (has >= 0) return has;
  forked(1, 1, opens_device, 0);
  has = !was_stopped;
  return has;
}

static void test_device(void **state) {
  (void)state;
  if (!has_device()) skip();
  rounds = 10;
  forked(2, 2, run_lists, DEVICE);
  forked(3, 2, run_lists, DEVICE);
  forked(2, 2, run_lists, DEVICE | NO_IMPORT);
  forked(2, 1, run_lists, DEVICE | NO_IMPORT);
}

/* ── failures ───────────────────────────────────────────────────────────────────────── */

/* Rank 1's k-th call of the engine fails: it says so, the others give up when they are told. */
static void engine_fails(int at) {
  struct rank k;
  struct fork_comm *f = comm->user;
  rank_open(&k, 0);
  mover_open(&k, 4096, 1024);
  if (comm->rank == 1) f->fail_left = at;
  bool ok = exchange_once(&k, 7, 4096, true) && exchange_once(&k, 8, 4096, true);
  if (comm->rank == 1) {
    CHECK(ok == (f->fail_left >= 0));
    if (!ok) CHECK(strstr(k.b.c.err.msg, "a call fails"));
    if (!ok) atomic_store(&shared->stop, 1);
    f->fail_left = -1;
  }
  if (!ok) { /* and for ever */
    err_clear(&k.b.c);
    CHECK(!exchange_once(&k, 9, 4096, false));
    CHECK(strstr(k.b.c.err.msg, "given up"));
  }
  move_close(k.m);
  CHECK(!k.b.c.blocks_live);
}

/* Without shared memory on one of them, all goes by messages. */
static void engine_shares_nothing(int how) {
  struct rank k;
  struct fork_comm *f = comm->user;
  rank_open(&k, how);
  mover_open(&k, 4096, 1024);
  if (comm->rank == 1) f->fail_left = 0;
  CHECK(exchange_once(&k, 7, 4096, true));
  CHECK(!move_get_usage(k.m).ring_bytes && move_get_usage(k.m).messages);
  move_close(k.m);
  rank_close(&k);
}

static void test_engine_fails(void **state) {
  (void)state;
  for (int at = 1; at < 12; at++) forked(3, 1, engine_fails, at);
  for (int at = 1; at < 3; at++) forked(3, 3, engine_fails, at);
  for (int at = 20; at < 400; at += 61) forked(3, 2, engine_fails, at);
  forked(3, 3, engine_shares_nothing, 0);
}

/* Rank 1's device fails at its k-th call within an exchange: the others get what they wait for, and the next
 * exchange is right for all, unless the device is lost. Bytes from rank 1 are not looked at then. */
static void device_fails(int code) {
  struct rank k;
  uint64_t salt = 0;
  rank_open(&k, DEVICE);
  mover_open(&k, 4096, 1024);
  k.b.code = code;
  for (int at = 0; at < 40; at += at < 8 ? 1 : 7) {
    k.b.fired = false;
    if (comm->rank == 1) k.fail_at = at;
    bool ok = exchange_once(&k, ++salt, 4096, false);
    k.fail_at = -1;
    CHECK(ok || comm->rank == 1);
    if (!ok)
      CHECK(k.b.fired && k.b.c.err.code == (gpu_lost(k.g) ? ERR_DEVICE : ERR_WS_FULL));
    err_clear(&k.b.c);
    if (code == VK_ERROR_DEVICE_LOST) break;
    CHECK(exchange_once(&k, ++salt, 4096, true));
  }
  move_close(k.m);
  rank_close(&k);
}

static void test_device_fails(void **state) {
  (void)state;
  if (!has_device()) skip();
  forked(2, 2, device_fails, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  forked(2, 1, device_fails, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  forked(2, 2, device_fails, VK_ERROR_DEVICE_LOST);
}

/* Each allocation of a mover fails. */
static void test_allocs_fail(void **state) {
  struct bench b;
  struct fork_comm own;
  (void)state;
  assert_non_null(shared = fork_memory_new());
  fork_comm_open(&own, shared, 0, 1, 1);
  for (long n = 0;; n++) {
    bench_init(&b);
    b.alloc_left = n;
    mover *m = move_open(&b.c, &(move_config){.comm = &own.table});
    assert_true(!m == b.fired);
    if (!m) assert_int_equal(b.c.err.code, ERR_WS_FULL);
    move_close(m);
    bench_end(&b);
    if (m) break;
  }
  munmap(shared, sizeof *shared);
}

/* ── under mpirun ───────────────────────────────────────────────────────────────────── */

static int under_engine(const char *path) {
  char why[200] = "";
  void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const vapl_comm *(*world)(char *, size_t) = NULL;
  if (lib) *(void **)&world = dlsym(lib, "vapl_mpi_world");
  comm = world ? world(why, sizeof why) : NULL;
  if (!comm) {
    fprintf(stderr, "test_exchange: %s: %s\n", path, lib ? why : dlerror());
    return 2;
  }
  alarm(240);
  run_lists(0);
  rounds = 10;
  if (getenv("EXCHANGE_DEVICE")) run_lists(DEVICE);
  if (!comm->rank) printf("test_exchange: %d ranks agree with the model\n", comm->ranks);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return under_engine(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_host),         cmocka_unit_test(test_large),
      cmocka_unit_test(test_engine_fails), cmocka_unit_test(test_allocs_fail),
      cmocka_unit_test(test_device),       cmocka_unit_test(test_device_fails),
  };
  keep_loaded();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
