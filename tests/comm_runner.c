/* SPDX-License-Identifier: MIT */
/* comm_runner.c - checks an engine of ranks (runtime/vapl_comm.h) against what its functions mean: each
 * process knows what all of them pass, for it is drawn from the rank's number.
 *
 *   mpirun -n 3 comm_runner [--engine PATH] [--large] [TEST…]
 *
 * The tests are the rows of TESTS; without a name all. --large: gathers longer than 2 GiB, too. The tests
 * that end the job, `dies` and `aborts`, run only by name. The last line of rank 0 is "N passed, N failed". */
#include "runtime/ranks.h"
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const vapl_comm *m;
static int failed;
static bool large;

static void check_at(bool ok, int line, const char *what) {
  if (ok) return;
  failed++;
  fprintf(stderr, "comm_runner.c:%d: rank %d of %d: %s\n", line, m->rank, m->ranks, what);
}
#define CHECK(what) check_at(what, __LINE__, #what)

/* A number that depends on its arguments. */
static uint64_t draw(uint64_t a, uint64_t b) {
  uint64_t x = (a * 0x9e3779b97f4a7c15u) ^ (b + 1) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 31) * 0x94d049bb133111ebu;
  return x ^ x >> 29;
}

static void wait_for(void **request) {
  int done = 0;
  while (!done) {
    int error = m->test(m->user, request, &done);
    CHECK(!error);
    if (!done) usleep(20);
  }
  CHECK(!*request);
}

static void *memory(size_t n) {
  void *p = malloc(n ? n : 1);
  if (!p) m->abort(m->user, 70);
  return p;
}

/* All ranks have come so far. */
static void meet(void) {
  vapl_agreement mine = {.most = {1}}, all;
  void *request = NULL;
  CHECK(!m->agree(m->user, &mine, &all, &request));
  wait_for(&request);
}

/* ── the tests ──────────────────────────────────────────────────────────────────────── */

static void test_table(void) {
  CHECK(m->size == sizeof *m && m->ranks >= 1 && m->rank >= 0 && m->rank < m->ranks);
  CHECK(m->host_ranks >= 1 && m->host_rank >= 0 && m->host_rank < m->host_ranks);
  CHECK(m->name && strlen(m->name) > 3);
  int done = 0;
  void *request = NULL;
  CHECK(!m->test(m->user, &request, &done) && done);
}

static vapl_agreement drawn(int rank, uint64_t round) {
  vapl_agreement a;
  for (uint64_t i = 0; i < VAPL_COMM_WORDS; i++) {
    uint64_t seed = round * 64 + i;
    a.most[i] = (int64_t)draw((uint64_t)rank, seed);
    a.any[i] = draw((uint64_t)rank, seed + 32) & draw((uint64_t)rank, seed + 7777);
  }
  if (round == 1) a.most[0] = rank ? INT64_MIN : INT64_MAX; /* the ends of the numbers */
  return a;
}

static void test_agree(void) {
  for (uint64_t round = 0; round < 50; round++) {
    vapl_agreement mine = drawn(m->rank, round), all, want = drawn(0, round);
    void *request = NULL;
    for (int r = 1; r < m->ranks; r++) {
      vapl_agreement a = drawn(r, round);
      for (int i = 0; i < VAPL_COMM_WORDS; i++) {
        if (a.most[i] > want.most[i]) want.most[i] = a.most[i];
        want.any[i] |= a.any[i];
      }
    }
    CHECK(!m->agree(m->user, &mine, &all, &request));
    wait_for(&request);
    CHECK(!memcmp(&all, &want, sizeof all));
  }
}

/* One gather of shares[r] bytes of each rank r. */
static void gather_once(const size_t *shares, uint64_t round) {
  size_t total = 0, before = 0;
  for (int r = 0; r < m->ranks; r++) {
    if (r < m->rank) before += shares[r];
    total += shares[r];
  }
  unsigned char *all = memory(total), *mine = memory(shares[m->rank]);
  void *request = NULL;
  for (size_t i = 0; i < shares[m->rank]; i++)
    mine[i] = (unsigned char)draw((uint64_t)m->rank + round, i >> 12);
  memset(all, 0xAA, total);
  CHECK(!m->gather(m->user, mine, all, shares, &request));
  wait_for(&request);
  bool same = true;
  unsigned char *at = all;
  for (int r = 0; r < m->ranks; at += shares[r], r++)
    for (size_t i = 0; i < shares[r]; i++)
      same = same && at[i] == (unsigned char)draw((uint64_t)r + round, i >> 12);
  CHECK(same && before <= total);
  free(all);
  free(mine);
}

static void test_gather(void) {
  size_t *shares = memory((size_t)m->ranks * sizeof *shares);
  for (uint64_t round = 0; round < 20; round++) {
    for (int r = 0; r < m->ranks; r++)
      shares[r] = draw((uint64_t)r, round) % (round < 10 ? 5 : 100000);
    gather_once(shares, round);
  }
  for (int r = 0; r < m->ranks; r++) shares[r] = ((size_t)1 << 30) - (size_t)r;
  if (large) gather_once(shares, 99);
  void *request = NULL;
  shares[0] = ((size_t)1 << 30) + 1;
  int error = m->gather(m->user, NULL, NULL, shares, &request);
  CHECK(error && !request && strlen(m->text(m->user, error)) > 3);
  free(shares);
}

static void test_bcast(void) {
  static const size_t sizes[] = {0, 1, 4096, 1 << 20};
  for (int from = 0; from < m->ranks; from++)
    for (uint64_t k = 0; k < 4; k++) {
      unsigned char *at = memory(sizes[k]);
      void *request = NULL;
      for (size_t i = 0; i < sizes[k]; i++)
        at[i] = (unsigned char)draw((uint64_t)m->rank + k, i);
      CHECK(!m->bcast(m->user, at, sizes[k], from, &request));
      wait_for(&request);
      bool same = true;
      for (size_t i = 0; i < sizes[k]; i++)
        same = same && at[i] == (unsigned char)draw((uint64_t)from + k, i);
      CHECK(same);
      free(at);
    }
  void *request = NULL;
  CHECK(m->bcast(m->user, NULL, ((size_t)1 << 30) + 1, 0, &request) && !request);
}

/* Every rank to every rank, itself too, as many messages at a time as the table allows: those of a pair
 * arrive in their order where they have one tag, and by their tag in any order. */
static void test_messages(void) {
  enum { EACH = VAPL_COMM_MESSAGES / 2, WORDS = 3000 };
  for (int step = 0; step < m->ranks; step++) {
    int to = (m->rank + step) % m->ranks, from = (m->rank + m->ranks - step) % m->ranks;
    uint64_t *out = memory(EACH * WORDS * 8), *in = memory(EACH * WORDS * 8);
    void *requests[2 * EACH] = {NULL};
    for (int k = 0; k < EACH; k++) {
      int tag = k % 4 ? 7 : k;
      uint64_t *at = in + k * WORDS;
      CHECK(!m->receive(m->user, at, WORDS * 8, from, tag, &requests[k]));
    }
    for (int k = EACH; k-- > 0;) { /* tagged ones the other way round */
      if (k % 4) continue;
      for (int i = 0; i < WORDS; i++)
        out[k * WORDS + i] = draw((uint64_t)(m->rank * 64 + k), (uint64_t)i);
      CHECK(!m->send(m->user, out + k * WORDS, WORDS * 8, to, k, &requests[EACH + k]));
    }
    for (int k = 0; k < EACH; k++) {
      if (!(k % 4)) continue;
      for (int i = 0; i < WORDS; i++)
        out[k * WORDS + i] = draw((uint64_t)(m->rank * 64 + k), (uint64_t)i);
      CHECK(!m->send(m->user, out + k * WORDS, WORDS * 8, to, 7, &requests[EACH + k]));
    }
    void *one_more = NULL;
    int error = m->send(m->user, out, 8, to, 9, &one_more);
    if (!error)
      wait_for(&one_more); /* room for the collective one is room for a message */
    else CHECK(strlen(m->text(m->user, error)) > 3);
    for (int k = 0; k < 2 * EACH; k++) wait_for(&requests[k]);
    bool same = true;
    for (int k = 0; k < EACH; k++)
      for (int i = 0; i < WORDS; i++)
        same = same && in[k * WORDS + i] == draw((uint64_t)(from * 64 + k), (uint64_t)i);
    CHECK(same);
    uint64_t last = 0;
    void *request = NULL;
    if (!error) {
      CHECK(!m->receive(m->user, &last, 8, from, 9, &request));
      wait_for(&request);
    }
    meet();
    free(out);
    free(in);
  }
  void *request = NULL;
  CHECK(m->send(m->user, NULL, ((size_t)1 << 30) + 1, 0, 0, &request) && !request);
  CHECK(m->receive(m->user, NULL, ((size_t)1 << 30) + 1, 0, 0, &request) && !request);
  CHECK(m->send(m->user, &request, 8, m->ranks, 0, &request) && !request); /* nobody */
}

static void test_shared(void) {
  enum { BYTES = 100001 };
  if (!m->shared) {
    printf("comm_runner: no memory is shared\n");
    return;
  }
  void **at = memory((size_t)m->host_ranks * sizeof *at);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (uint64_t round = 0; round < 2; round++) {
    CHECK(!m->shared(m->user, BYTES, at));
    for (int r = 0; r < m->host_ranks; r++) CHECK((size_t)at[r] % page == 0);
    meet();
    unsigned char *mine = at[m->host_rank];
    for (size_t i = 0; i < BYTES; i++)
      mine[i] = (unsigned char)draw((uint64_t)m->host_rank + round, i);
    __sync_synchronize();
    meet();
    __sync_synchronize();
    bool same = true;
    for (int r = 0; r < m->host_ranks; r++)
      for (size_t i = 0; i < BYTES; i++)
        same = same &&
               ((unsigned char *)at[r])[i] == (unsigned char)draw((uint64_t)r + round, i);
    CHECK(same);
    meet();
  }
  free(at);
}

/* Each rank puts some of its memory into each other one's: where the host sees that, as of vapl-mpi.so with
 * tests/peer_host.c. Without such devices it fails on all ranks, and says why. */
static void test_device(void) {
  enum { BYTES = 50000, ALL = 40 * BYTES };
  vapl_comm_memory own;
  int n = m->host_ranks, me = m->host_rank, error = 1;
  const char *uuid = "00112233445566778899aabbccddeeff";
  for (int round = 0; round < 2; round++) {
    error = m->device(m->user, uuid, ALL, &own);
    if (error) {
      CHECK(m->text(m->user, error)[0] && own.fd < 0);
      return;
    }
    vapl_comm_memory again;
    CHECK(m->device(m->user, uuid, ALL, &again)); /* it is in use */
    if (!round) CHECK(!m->device(m->user, NULL, 0, NULL));
  }
  CHECK(own.host && own.bytes >= ALL);
  for (size_t i = 0; i < BYTES; i++)
    ((unsigned char *)own.host)[i] = (unsigned char)draw((uint64_t)me, i);
  meet();
  for (int r = 0; r < n; r++) {
    void *request = NULL;
    if (r == me) continue;
    CHECK(!m->put(m->user, 0, r, (size_t)(me + 1) * BYTES, BYTES, &request));
    wait_for(&request);
  }
  meet();
  bool same = true;
  for (int r = 0; r < n; r++)
    for (size_t i = 0; i < BYTES && r != me; i++)
      same = same && ((unsigned char *)own.host)[(size_t)(r + 1) * BYTES + i] ==
                         (unsigned char)draw((uint64_t)r, i);
  CHECK(same);
  meet();
}

/* Notes arrive while their receiver waits in something else, and come from everybody. */
static void test_notes(void) {
  char note[VAPL_COMM_NOTE], got[VAPL_COMM_NOTE];
  enum { EACH = 20 };
  int from = 0, count = 0;
  vapl_agreement mine = {.most = {m->rank}}, all;
  void *request = NULL;
  CHECK(!m->told(m->user, &from, got) && from == -1);
  meet();
  CHECK(!m->agree(m->user, &mine, &all, &request)); /* it is under way meanwhile */
  for (int k = 0; k < EACH; k++) {
    memset(note, 0, sizeof note);
    snprintf(note, sizeof note, "note %d of rank %d", k, m->rank);
    if (m->rank) CHECK(!m->tell(m->user, 0, note));
    memset(note, 'x', sizeof note); /* it was copied */
  }
  while (!m->rank && count < EACH * (m->ranks - 1)) {
    CHECK(!m->told(m->user, &from, got));
    if (from < 0) continue;
    int k = -1, who = -1;
    CHECK(sscanf(got, "note %d of rank %d", &k, &who) == 2 && who == from && k >= 0);
    count++;
  }
  wait_for(&request);
  CHECK(all.most[0] == m->ranks - 1);
}

/* The last rank is killed, the others wait for it. */
static void test_dies(void) {
  if (m->rank == m->ranks - 1) raise(SIGKILL);
  meet();
}

static void test_aborts(void) {
  if (m->rank == m->ranks - 1) m->abort(m->user, 42);
  meet();
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

static const struct {
  const char *name;
  void (*run)(void);
  bool by_name; /* only if it is asked for */
} TESTS[] = {{"table", test_table, false},       {"agree", test_agree, false},
             {"gather", test_gather, false},     {"bcast", test_bcast, false},
             {"messages", test_messages, false}, {"shared", test_shared, false},
             {"device", test_device, false},     {"notes", test_notes, false},
             {"dies", test_dies, true},          {"aborts", test_aborts, true}};

static bool is_wanted(int k, int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    if (!strcmp(argv[i], TESTS[k].name)) return true;
  return !argc && !TESTS[k].by_name;
}

/* The failures of all ranks. */
static int failed_anywhere(void) {
  vapl_agreement mine = {.most = {failed}}, all;
  void *request = NULL;
  if (m->agree(m->user, &mine, &all, &request)) return 1;
  wait_for(&request);
  return (int)all.most[0];
}

int main(int argc, char **argv) {
  char why[500];
  const char *path = NULL;
  int i = 1, passed = 0, bad = 0;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (!strcmp(argv[i], "--large")) large = true;
    else if (!strcmp(argv[i], "--engine") && i + 1 < argc) path = argv[++i];
  }
  m = ranks_open(path, why, sizeof why);
  if (!m) {
    fprintf(stderr, "comm_runner: %s\n", why);
    return 2;
  }
  for (int k = 0; k < (int)(sizeof TESTS / sizeof *TESTS); k++) {
    if (!is_wanted(k, argc - i, argv + i)) continue;
    failed = 0;
    TESTS[k].run();
    bool ok = !failed_anywhere();
    passed += ok;
    bad += !ok;
    if (!m->rank && !ok) printf("%s failed\n", TESTS[k].name);
  }
  if (!m->rank)
    printf("%d ranks, %s: %d passed, %d failed\n", m->ranks, m->name, passed, bad);
  return bad > 0;
}
