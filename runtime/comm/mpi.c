/* SPDX-License-Identifier: MIT */
/* mpi.c - vapl_comm's table on MPI, for Open MPI, MPICH and whoever else has MPI 3.
 *
 * It is a library of its own, vapl-mpi.so, because the ABIs of MPIs differ: the machine's mpicc builds it
 * (`make mpi`) and vapl opens it where it is asked for (--ranks). Nothing links MPI.
 *
 *   table ──user──▶ engine ─┬─ all     agree, gather, bcast
 *                           ├─ mail    send, receive
 *                           ├─ notes   tell, told: notes pass messages that nobody receives
 *                           └─ host    the ranks of this machine: shared, device; put, by peer_cuda.h
 *
 * WAITING. What is begun is a `pending`, of which the engine has a fixed number; the table's request is a
 * pointer to it. Every wait is a test that the caller repeats, so it sees interrupts and notes meanwhile.
 *
 * COUNTS are int in MPI 3: nothing longer than 1 GiB is taken. The places of a gather are ints, too: where
 * all of it is longer, each rank broadcasts its share.
 *
 * ERRORS. MPI returns them (MPI_ERRORS_RETURN): positive numbers. Negative ones are this file's. */
#include <mpi.h>
#include "../vapl_mpi.h"
#include "peer_cuda.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 30, NOTES = 32 };
enum { TOO_LONG = -1, TOO_MANY = -2, NO_MEMORY = -3, NO_DEVICE = -4, PUT_FAILED = -5 };
enum { PENDING = VAPL_COMM_MESSAGES + VAPL_COMM_PUTS + 1 };

/* Something that was begun. A gather that is too long for one call of MPI has a request a rank, a put none. */
typedef struct pending {
  bool used, put;
  int n, copy;                /* copy: of peer_copy */
  MPI_Request one, *requests; /* `requests` is &one or the engine's `shares` */
} pending;

typedef struct note {
  char bytes[VAPL_COMM_NOTE];
  MPI_Request sent; /* MPI_REQUEST_NULL: free */
} note;

typedef struct engine {
  vapl_comm table;
  MPI_Comm all, mail, notes, host;
  MPI_Datatype block; /* a vapl_agreement */
  MPI_Op join;
  int *counts, *places; /* of the gather that is under way, a number a rank */
  MPI_Request *shares;
  pending pending[PENDING];
  note note[NOTES];
  peers *peers;        /* NULL: there are none */
  peer_memory *memory; /* of the machine's ranks, as this one reaches it */
  char why[160];       /* there are no peers, or a put failed */
  char name[64], text[MPI_MAX_ERROR_STRING];
} engine;

static const char *error_text(void *user, int error) {
  engine *e = user;
  int n = 0;
  if (error == TOO_LONG) return "more than 1 GiB in one message";
  if (error == TOO_MANY) return "too many messages are under way";
  if (error == NO_MEMORY) return "out of memory";
  if (error == NO_DEVICE || error == PUT_FAILED) return e->why;
  if (MPI_Error_string(error, e->text, &n))
    snprintf(e->text, sizeof e->text, "error %d of MPI", error);
  return e->text;
}

/* ── what is under way ──────────────────────────────────────────────────────────────── */

static pending *new_pending(engine *e) {
  for (int i = 0; i < PENDING; i++) {
    pending *p = &e->pending[i];
    if (p->used) continue;
    *p = (pending){.used = true, .n = 1, .one = MPI_REQUEST_NULL, .requests = &p->one};
    return p;
  }
  return NULL;
}

/* Hands a pending over, or takes it back if beginning it failed. */
static int begun(pending *p, int error, void **request) {
  if (error) p->used = false;
  else *request = p;
  return error;
}

static int put_failed(engine *e, int error) {
  if (!error) return 0;
  snprintf(e->why, sizeof e->why, "%.100s", peer_text(e->peers, error));
  return PUT_FAILED;
}

static int test(void *user, void **request, int *done) {
  pending *p = *request;
  *done = 1;
  if (!p) return 0;
  int error = p->put ? put_failed(user, peer_test(((engine *)user)->peers, p->copy, done))
                     : MPI_Testall(p->n, p->requests, done, MPI_STATUSES_IGNORE);
  if (!error && !*done) return 0;
  p->used = false;
  *request = NULL;
  *done = 1;
  return error;
}

/* ── collective calls ───────────────────────────────────────────────────────────────── */

/* The operation of an agreement: a user function of MPI, on *n blocks. */
static void join_blocks(void *in, void *inout, int *n, MPI_Datatype *type) {
  const vapl_agreement *x = in;
  vapl_agreement *y = inout;
  (void)type;
  for (int i = 0; i < *n; i++, x++, y++)
    for (int k = 0; k < VAPL_COMM_WORDS; k++) {
      if (y->most[k] < x->most[k]) y->most[k] = x->most[k];
      y->any[k] |= x->any[k];
    }
}

static int agree(void *user, const vapl_agreement *mine, vapl_agreement *all,
                 void **request) {
  engine *e = user;
  pending *p = new_pending(e);
  if (!p) return TOO_MANY;
  int error = MPI_Iallreduce(mine, all, 1, e->block, e->join, e->all, &p->one);
  return begun(p, error, request);
}

/* Fills counts and places; the sum of all is *total. */
static int lay_out(engine *e, const size_t *bytes, size_t *total) {
  *total = 0;
  for (int r = 0; r < e->table.ranks; r++) {
    if (bytes[r] > LONGEST) return TOO_LONG;
    e->counts[r] = (int)bytes[r];
    e->places[r] = *total <= INT_MAX ? (int)*total : 0;
    *total += bytes[r];
  }
  return 0;
}

/* A gather whose places are beyond an int. */
static int gather_shares(engine *e, const void *mine, char *all, pending *p) {
  p->requests = e->shares;
  p->n = 0;
  for (int r = 0; r < e->table.ranks; r++) {
    size_t n = (size_t)e->counts[r];
    if (r == e->table.rank && mine != all) memcpy(all, mine, n);
    int error = MPI_Ibcast(all, e->counts[r], MPI_BYTE, r, e->all, &e->shares[p->n]);
    if (error) return error;
    p->n++;
    all += n;
  }
  return 0;
}

static int gather(void *user, const void *mine, void *all, const size_t *bytes,
                  void **request) {
  engine *e = user;
  size_t total;
  int error = lay_out(e, bytes, &total);
  if (error) return error;
  pending *p = new_pending(e);
  if (!p) return TOO_MANY;
  if (total > INT_MAX) return begun(p, gather_shares(e, mine, all, p), request);
  error = MPI_Iallgatherv(mine, e->counts[e->table.rank], MPI_BYTE, all, e->counts,
                          e->places, MPI_BYTE, e->all, &p->one);
  return begun(p, error, request);
}

static int bcast(void *user, void *at, size_t n, int from, void **request) {
  engine *e = user;
  if (n > LONGEST) return TOO_LONG;
  pending *p = new_pending(e);
  if (!p) return TOO_MANY;
  return begun(p, MPI_Ibcast(at, (int)n, MPI_BYTE, from, e->all, &p->one), request);
}

/* ── messages ───────────────────────────────────────────────────────────────────────── */

static int send(void *user, const void *at, size_t n, int to, int tag, void **request) {
  engine *e = user;
  if (n > LONGEST) return TOO_LONG;
  pending *p = new_pending(e);
  if (!p) return TOO_MANY;
  return begun(p, MPI_Isend(at, (int)n, MPI_BYTE, to, tag, e->mail, &p->one), request);
}

static int receive(void *user, void *at, size_t n, int from, int tag, void **request) {
  engine *e = user;
  if (n > LONGEST) return TOO_LONG;
  pending *p = new_pending(e);
  if (!p) return TOO_MANY;
  return begun(p, MPI_Irecv(at, (int)n, MPI_BYTE, from, tag, e->mail, &p->one), request);
}

/* ── notes ──────────────────────────────────────────────────────────────────────────── */

/* A free note, after those that arrived were given back; NULL if none did. */
static note *free_note(engine *e) {
  for (int i = 0; i < NOTES; i++) {
    int done = 1;
    note *o = &e->note[i];
    if (o->sent != MPI_REQUEST_NULL) MPI_Test(&o->sent, &done, MPI_STATUS_IGNORE);
    if (done) return o;
  }
  return NULL;
}

static int tell(void *user, int to, const void *bytes) {
  engine *e = user;
  note *o = free_note(e);
  if (!o) return TOO_MANY;
  memcpy(o->bytes, bytes, VAPL_COMM_NOTE);
  return MPI_Isend(o->bytes, VAPL_COMM_NOTE, MPI_BYTE, to, 0, e->notes, &o->sent);
}

static int told(void *user, int *from, void *bytes) {
  engine *e = user;
  MPI_Status status;
  int there = 0;
  *from = -1;
  int error = MPI_Iprobe(MPI_ANY_SOURCE, 0, e->notes, &there, &status);
  if (error || !there) return error;
  int source = status.MPI_SOURCE;
  error = MPI_Recv(bytes, VAPL_COMM_NOTE, MPI_BYTE, source, 0, e->notes, &status);
  if (!error) *from = source;
  return error;
}

/* ── memory that the ranks of a machine share ───────────────────────────────────────── */

/* Where a page begins in or behind the window's memory of host rank r. Each process has mapped it to
 * another address, but to the same place of a page. */
static int find_page(MPI_Win w, int r, size_t page, void **at) {
  MPI_Aint n;
  int unit;
  char *base;
  int error = MPI_Win_shared_query(w, r, &n, &unit, &base);
  if (!error) *at = base + (page - (size_t)base % page) % page;
  return error;
}

/* The window lives until the process ends. MPI lets it begin anywhere in a page, so it is a page
 * longer than what is asked for. */
static int shared(void *user, size_t bytes, void **at) {
  engine *e = user;
  MPI_Win w;
  MPI_Info info;
  void *mine;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (bytes > SIZE_MAX / 2 - page) return NO_MEMORY;
  MPI_Aint n = (MPI_Aint)((bytes + page - 1) / page * page + page);
  int error = MPI_Info_create(&info);
  if (error) return error;
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  error = MPI_Win_allocate_shared(n, 1, info, e->host, &mine, &w);
  MPI_Info_free(&info);
  for (int r = 0; r < e->table.host_ranks && !error; r++)
    error = find_page(w, r, page, &at[r]);
  return error;
}

/* ── memory of devices that the ranks of a machine share ────────────────────────────── */

/* What the ranks of a machine tell one another. */
typedef struct hello {
  char uuid[33], name[PEER_NAME];
  size_t bytes;
} hello;

static void drop_peers(engine *e) {
  for (int h = 0; e->peers && h < e->table.host_ranks; h++)
    peer_drop(e->peers, &e->memory[h]);
  peer_close(e->peers);
  e->peers = NULL;
}

/* Have all ranks of the machine come so far? `text` says why this one has not, if nothing else did. */
static bool all_here(engine *e, bool ok, const char *text) {
  int mine = ok, all = 0;
  if (!ok && !e->why[0]) snprintf(e->why, sizeof e->why, "%s", text);
  return !MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, e->host) && all;
}

static bool said(engine *e, int error) {
  if (error && !e->why[0])
    snprintf(e->why, sizeof e->why, "%.100s", peer_text(e->peers, error));
  return !error;
}

/* This rank's memory, which it offers to the others by a descriptor: the socket, or -1. */
static int offer(engine *e, hello *mine, int *fd) {
  peer_memory *own = &e->memory[e->table.host_rank];
  *fd = -1;
  if (!mine->uuid[0]) return -1;
  e->peers = peer_open(mine->uuid, e->why, sizeof e->why);
  if (!e->peers || !said(e, peer_make(e->peers, mine->bytes, own))) return -1;
  mine->bytes = own->bytes;
  return said(e, peer_export(e->peers, own, fd)) ? peer_offer_fd(mine->name) : -1;
}

/* Each rank in turn gives its descriptor to all others, which map the memory. */
static bool map_all(engine *e, const hello *all, int socket, int fd) {
  bool ok = true;
  int me = e->table.host_rank, n = e->table.host_ranks;
  for (int h = 0; h < n; h++) {
    for (int i = 1; h == me && i < n; i++) ok &= !peer_serve_fd(socket, fd);
    if (h == me) continue;
    int theirs = peer_fetch_fd(all[h].name), reaches = 0;
    ok &= theirs >= 0 && said(e, peer_reaches(e->peers, all[h].uuid, &reaches)) &&
          reaches && said(e, peer_map(e->peers, theirs, all[h].bytes, &e->memory[h]));
    if (theirs >= 0) close(theirs);
  }
  return ok;
}

static bool open_peers(engine *e, hello *mine, hello *all) {
  int fd = -1, socket = all_here(e, all && e->memory, "out of memory") ? 0 : -1;
  if (socket < 0) return false;
  socket = offer(e, mine, &fd);
  bool ok = all_here(e, socket >= 0, "it has no memory for others");
  if (ok)
    ok =
        !MPI_Allgather(mine, sizeof *mine, MPI_BYTE, all, sizeof *all, MPI_BYTE, e->host);
  ok = ok && all_here(e, map_all(e, all, socket, fd), "it does not reach another device");
  if (socket >= 0) close(socket);
  if (fd >= 0) close(fd);
  return ok;
}

static int device(void *user, const char *uuid, size_t bytes, vapl_comm_memory *mine) {
  engine *e = user;
  size_t n = (size_t)e->table.host_ranks;
  hello own = {.bytes = bytes}, *all;
  if (!uuid) {
    drop_peers(e);
    return 0;
  }
  *mine = (vapl_comm_memory){.fd = -1};
  e->why[0] = 0;
  if (!all_here(e, !e->peers, "another interpreter has it")) return NO_DEVICE;
  all = calloc(n, sizeof *all);
  snprintf(own.uuid, sizeof own.uuid, "%s", uuid);
  if (!e->memory) e->memory = calloc(n, sizeof *e->memory);
  bool ok = open_peers(e, &own, all);
  const peer_memory *m = ok ? &e->memory[e->table.host_rank] : NULL;
  ok = ok && all_here(e, m->host || said(e, peer_export(e->peers, m, &mine->fd)), "");
  free(all);
  if (ok) {
    mine->host = m->host;
    mine->bytes = m->bytes;
    return 0;
  }
  if (!e->why[0]) snprintf(e->why, sizeof e->why, "another rank has none");
  if (mine->fd >= 0) close(mine->fd);
  drop_peers(e);
  return NO_DEVICE;
}

static int put(void *user, size_t from, int to, size_t at, size_t n, void **request) {
  engine *e = user;
  const peer_memory *own = e->memory + e->table.host_rank;
  pending *p = new_pending(e);
  if (!p) return TOO_MANY;
  p->put = true;
  int error = peer_copy(e->peers, e->memory[to].at + at, own->at + from, n, &p->copy);
  return begun(p, put_failed(e, error), request);
}

/* ── opening ────────────────────────────────────────────────────────────────────────── */

static void end_all(void *user, int code) {
  engine *e = user;
  MPI_Abort(e->all, code);
}

/* "Open MPI v4.1.4, package: …" and "MPICH Version:\t4.0.2\n…": the name and the number. */
static void short_name(char *to, size_t room) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int n = 0;
  if (MPI_Get_library_version(text, &n)) n = 0;
  text[n] = 0;
  text[strcspn(text, ",\n")] = 0;
  char *number = strpbrk(text, "0123456789");
  char *end = number ? number : text + strlen(text);
  char *word = strstr(text, "Version");
  if (word && word < end) end = word;
  while (end > text && strchr(" \tv", end[-1])) end--;
  snprintf(to, room, "%.*s%s%.20s", (int)(end - text), text, number ? " " : "",
           number ? number : "");
}

static int open_comms(engine *e, MPI_Comm comm) {
  MPI_Comm *all[] = {&e->all, &e->mail, &e->notes};
  for (int i = 0; i < 3; i++) {
    int error = MPI_Comm_dup(comm, all[i]);
    if (!error) error = MPI_Comm_set_errhandler(*all[i], MPI_ERRORS_RETURN);
    if (error) return error;
  }
  int error =
      MPI_Comm_split_type(e->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &e->host);
  if (!error) error = MPI_Comm_set_errhandler(e->host, MPI_ERRORS_RETURN);
  return error;
}

static int open_types(engine *e) {
  int error = MPI_Type_contiguous(sizeof(vapl_agreement), MPI_BYTE, &e->block);
  if (!error) error = MPI_Type_commit(&e->block);
  return error ? error : MPI_Op_create(join_blocks, 1, &e->join);
}

static int open_engine(engine *e, MPI_Comm comm) {
  vapl_comm *t = &e->table;
  int error = open_comms(e, comm);
  if (!error) error = open_types(e);
  if (!error) error = MPI_Comm_rank(e->all, &t->rank);
  if (!error) error = MPI_Comm_size(e->all, &t->ranks);
  if (!error) error = MPI_Comm_rank(e->host, &t->host_rank);
  if (!error) error = MPI_Comm_size(e->host, &t->host_ranks);
  if (error) return error;
  size_t ranks = (size_t)t->ranks;
  e->counts = calloc(ranks, sizeof *e->counts);
  e->places = calloc(ranks, sizeof *e->places);
  e->shares = calloc(ranks, sizeof *e->shares);
  return e->counts && e->places && e->shares ? 0 : NO_MEMORY;
}

const vapl_comm *vapl_mpi_comm(MPI_Comm comm, char *why, size_t n) {
  engine *e = calloc(1, sizeof *e);
  if (!e) {
    snprintf(why, n, "out of memory");
    return NULL;
  }
  for (int i = 0; i < NOTES; i++) e->note[i].sent = MPI_REQUEST_NULL;
  short_name(e->name, sizeof e->name);
  e->table = (vapl_comm){.size = sizeof e->table,
                         .user = e,
                         .name = e->name,
                         .text = error_text,
                         .agree = agree,
                         .gather = gather,
                         .bcast = bcast,
                         .send = send,
                         .receive = receive,
                         .test = test,
                         .shared = shared,
                         .tell = tell,
                         .told = told,
                         .abort = end_all,
                         .device = device,
                         .put = put};
  int error = open_engine(e, comm);
  if (!error) return &e->table;
  snprintf(why, n, "%s: %s", e->name, error_text(e, error));
  free(e->counts);
  free(e->places);
  free(e->shares);
  free(e);
  return NULL;
}

/* How many copies the launcher says that it started; 0: it says nothing. Of Slurm it is what srun
 * sets for its tasks: SLURM_NTASKS stands in the shell of an allocation, too. */
static long copies_started(void) {
  static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                       "SLURM_STEP_NUM_TASKS"};
  const char *rank = getenv("PMIX_RANK");
  long most = rank ? strtol(rank, NULL, 10) + 1 : 0;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const char *text = getenv(counts[i]);
    long n = text ? strtol(text, NULL, 10) : 0;
    if (n > most) most = n;
  }
  return most;
}

/* MPI ends with the process: a launcher takes a process that does not end it for one that died. */
static void finalize(void) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) MPI_Finalize();
}

const vapl_comm *vapl_mpi_world(char *why, size_t n) {
  int begun_already = 0, given = 0, ranks = 0;
  MPI_Initialized(&begun_already);
  if (!begun_already) {
    int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given);
    if (error || atexit(finalize)) {
      snprintf(why, n, "MPI does not begin: error %d", error);
      return NULL;
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  long copies = copies_started();
  if (MPI_Comm_size(MPI_COMM_WORLD, &ranks) || ranks > 1 || copies < 2)
    return vapl_mpi_comm(MPI_COMM_WORLD, why, n);
  char name[64];
  short_name(name, sizeof name);
  snprintf(
      why, n,
      "%ld copies were started, but by another MPI than vapl-mpi.so is of (%s): build "
      "one with this mpirun's mpicc: make mpi",
      copies, name);
  return NULL;
}
