/* SPDX-License-Identifier: MIT */
/* fork_comm.h - the table of vapl_comm.h for processes of one fork(), over memory that they share, without MPI.
 *
 * They may play several hosts, each with neighbouring ranks. A call of the table can be made to fail. Messages are
 * streams of bytes from rank to rank through a small buffer, so large ones only move while both sides test. There
 * are no notes and no agreements. */
#ifndef VAPL_TEST_FORK_COMM_H
#define VAPL_TEST_FORK_COMM_H
#include "runtime/vapl_comm.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FORK_RANKS = 8, FORK_PIPE = 3000, FORK_GATHER = 64, FORK_SHARED = 720 << 20 };
enum { FORK_FAILS = 99 };

struct fork_pipe {
  _Atomic uint64_t in, out; /* bytes that were ever put in and taken out */
  char bytes[FORK_PIPE];
};

/* What all processes see. */
struct fork_memory {
  _Atomic uint64_t gathered[2]; /* arrivals at even and at odd gathers */
  char gather[2][FORK_RANKS][FORK_GATHER];
  struct fork_pipe pipe[FORK_RANKS][FORK_RANKS]; /* from, to */
  _Atomic int stop;                              /* for tests: all are to give up */
  _Alignas(4096) char shared[FORK_RANKS][FORK_SHARED];
};

struct fork_op {
  bool used, out;
  int peer;
  char *at;
  size_t n, done;
  uint64_t order;
};

struct fork_comm {
  vapl_comm table;
  struct fork_memory *all;
  uint64_t gathers, begun;
  size_t shared_used;
  int host;
  char *gather_to;
  size_t gather_each[FORK_RANKS];
  struct fork_op gather, op[VAPL_COMM_MESSAGES];
  void *device[FORK_RANKS]; /* memory, by the number on the host */
  bool devices_fail;
  bool alone;     /* some host has one rank */
  long fail_left; /* the call that reaches 0 fails; negative: none */
};

static const char *fork_text(void *user, int error) {
  (void)user;
  return error == FORK_FAILS ? "a call fails" : "?";
}

static bool fork_fails(struct fork_comm *f) {
  return f->fail_left >= 0 && f->fail_left-- == 0;
}

static int fork_gather(void *user, const void *mine, void *all, const size_t *bytes,
                       void **request) {
  struct fork_comm *f = user;
  int odd = f->gathers % 2;
  if (fork_fails(f)) return FORK_FAILS;
  assert(bytes[f->table.rank] <= FORK_GATHER && !f->gather.used);
  f->gather.used = true;
  f->gather_to = all;
  memcpy(f->gather_each, bytes, (size_t)f->table.ranks * sizeof *bytes);
  memcpy(f->all->gather[odd][f->table.rank], mine, bytes[f->table.rank]);
  atomic_fetch_add(&f->all->gathered[odd], 1);
  *request = &f->gather;
  return 0;
}

static bool fork_gathered(struct fork_comm *f) {
  int odd = f->gathers % 2;
  uint64_t all = (f->gathers / 2 + 1) * (uint64_t)f->table.ranks;
  if (atomic_load(&f->all->gathered[odd]) < all) return false;
  char *to = f->gather_to;
  for (int r = 0; r < f->table.ranks; to += f->gather_each[r++])
    memcpy(to, f->all->gather[odd][r], f->gather_each[r]);
  f->gathers++;
  return true;
}

static int fork_message(struct fork_comm *f, bool out, char *at, size_t n, int peer,
                        void **request) {
  int k = 0;
  if (fork_fails(f)) return FORK_FAILS;
  while (k < VAPL_COMM_MESSAGES && f->op[k].used) k++;
  assert(k < VAPL_COMM_MESSAGES);
  f->op[k] = (struct fork_op){true, out, peer, at, n, 0, f->begun++};
  *request = &f->op[k];
  return 0;
}

static int fork_send(void *user, const void *at, size_t n, int to, int tag,
                     void **request) {
  (void)tag;
  return fork_message(user, true, (char *)(uintptr_t)at, n, to, request);
}

static int fork_receive(void *user, void *at, size_t n, int from, int tag,
                        void **request) {
  (void)tag;
  return fork_message(user, false, at, n, from, request);
}

/* Is it the first of its direction and rank? */
static bool fork_is_next(const struct fork_comm *f, const struct fork_op *o) {
  for (int k = 0; k < VAPL_COMM_MESSAGES; k++) {
    const struct fork_op *p = &f->op[k];
    if (p->used && p->out == o->out && p->peer == o->peer && p->order < o->order &&
        p->done < p->n)
      return false;
  }
  return true;
}

static void fork_move(struct fork_comm *f, struct fork_op *o) {
  int me = f->table.rank;
  if (o->peer < 0) return;
  struct fork_pipe *p = o->out ? &f->all->pipe[me][o->peer] : &f->all->pipe[o->peer][me];
  uint64_t in = atomic_load(&p->in), out = atomic_load(&p->out);
  for (; o->done < o->n && (o->out ? in - out < FORK_PIPE : out < in); o->done++) {
    if (o->out) p->bytes[in++ % FORK_PIPE] = o->at[o->done];
    else o->at[o->done] = p->bytes[out++ % FORK_PIPE];
  }
  if (o->out) atomic_store(&p->in, in);
  else atomic_store(&p->out, out);
}

static int fork_test(void *user, void **request, int *done) {
  struct fork_comm *f = user;
  struct fork_op *o = *request;
  *done = 1;
  if (!o) return 0;
  if (fork_fails(f)) return FORK_FAILS;
  for (int k = 0; k < VAPL_COMM_MESSAGES; k++)
    if (f->op[k].used && fork_is_next(f, &f->op[k])) fork_move(f, &f->op[k]);
  *done = o == &f->gather ? fork_gathered(f) : o->done == o->n;
  if (!*done) return 0;
  o->used = false;
  *request = NULL;
  return 0;
}

static int fork_share(void *user, size_t bytes, void **at) {
  struct fork_comm *f = user;
  if (fork_fails(f) || bytes > FORK_SHARED - f->shared_used) return FORK_FAILS;
  int first = f->table.rank - f->table.host_rank;
  for (int h = 0; h < f->table.host_ranks; h++)
    at[h] = f->all->shared[first + h] + f->shared_used;
  f->shared_used += (bytes + 4095) / 4096 * 4096;
  return 0;
}

/* Memory of the host plays that of devices. */
static int fork_device(void *user, const char *uuid, size_t bytes,
                       vapl_comm_memory *mine) {
  struct fork_comm *f = user;
  if (!uuid) return 0;
  if (fork_share(user, bytes, f->device) || f->devices_fail) return FORK_FAILS;
  *mine = (vapl_comm_memory){.fd = -1,
                             .bytes = (bytes + 4095) / 4096 * 4096,
                             .host = f->device[f->table.host_rank]};
  return 0;
}

static int fork_put(void *user, size_t from, int to, size_t at, size_t n,
                    void **request) {
  struct fork_comm *f = user;
  memcpy((char *)f->device[to] + at, (char *)f->device[f->table.host_rank] + from, n);
  return fork_message(f, true, NULL, 0, -1, request);
}

static struct fork_memory *fork_memory_new(void) {
  const int how = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  void *at = mmap(NULL, sizeof(struct fork_memory), PROT_READ | PROT_WRITE, how, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

/* In the process of rank r; hosts have `per_host` ranks each, the last maybe fewer. */
static void fork_comm_open(struct fork_comm *f, struct fork_memory *all, int r, int ranks,
                           int per_host) {
  int first = r / per_host * per_host;
  int here = ranks - first < per_host ? ranks - first : per_host;
  *f = (struct fork_comm){.all = all, .fail_left = -1};
  f->alone = per_host == 1 || ranks % per_host == 1;
  f->table = (vapl_comm){.size = sizeof f->table,
                         .user = f,
                         .rank = r,
                         .ranks = ranks,
                         .host_rank = r - first,
                         .host_ranks = here,
                         .name = "fork",
                         .text = fork_text,
                         .gather = fork_gather,
                         .send = fork_send,
                         .receive = fork_receive,
                         .test = fork_test,
                         .shared = fork_share,
                         .device = fork_device,
                         .put = fork_put};
}
#endif
