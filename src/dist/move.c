/* SPDX-License-Identifier: MIT */
/* move.c - the memory of rings and messages, and copies between it and arrays (move.h).
 *
 *   shared memory of one rank:  | its number, counts of the rings to it | ring from host rank 0 | from 1 | …
 *   memory of its device:       | ring from the first other one | from the second | … | slots to the first | …
 *
 * The ring to a rank lies with it. Counts begin at 0 when the memory is made and count on: an exchange needs no
 * beginning and no end that ranks would wait for. */
#include "move.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
enum { ALIGN = 64 << 10, SLOTS_LEAST = 2, MAIL_SLOTS = 8 };
#define RING_BYTES (64 * MIB)
#define HOST_BYTES (256 * MIB) /* of the rings to one rank */
#define CHUNK_BYTES (8 * MIB)
/* Between devices: TRIED by itself on two H200s, copies of 4 MiB reach 302 GB/s, of 32 MiB 374, of more 386. */
#define PEER_RING (512 * MIB)
#define PEER_CHUNK (32 * MIB)

/* What stands before the rings to a rank. */
typedef struct ring_page {
  int rank;
  ring_counts count[]; /* by the sender's number on the host */
} ring_page;

bool move_failed(mover *m, int error) {
  m->broken = true;
  return err_set(m->c, ERR_DEVICE, "ranks: %s", m->comm->text(m->comm->user, error));
}

/* ── opening ── */

/* Addresses alone: memory comes when it is written to. So no exchange runs out of memory for slots. */
static bool mail_open(mover *m, move_mail *mail) {
  uint64_t n = round_up_u64(MAIL_SLOTS * m->cfg.chunk_bytes, ALIGN);
  const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *at = mmap(NULL, n, PROT_READ | PROT_WRITE, how, -1, 0);
  if (at == MAP_FAILED)
    return err_set(m->c, ERR_WS_FULL, "%llu bytes for messages", (unsigned long long)n);
  mail->area = (move_area){.at = at, .bytes = n};
  return true;
}

static bool rings_open(ctx *c, move_rings *w, size_t here) {
  bool ok = true;
  for (int k = 0; k < RING_SORTS && ok; k++) {
    w[k].out = mem_zalloc(c, here * sizeof *w[k].out);
    w[k].in = mem_zalloc(c, here * sizeof *w[k].in);
    ok = w[k].out && w[k].in;
  }
  return ok;
}

mover *move_open(ctx *c, const move_config *cfg) {
  mover *m = mem_zalloc(c, sizeof *m);
  if (!m) return NULL;
  m->c = c;
  m->cfg = *cfg;
  m->comm = cfg->comm;
  m->me = m->comm->rank;
  m->ranks = m->comm->ranks;
  m->spins = pause_spins(m->comm);
  if (!m->cfg.chunk_bytes) m->cfg.chunk_bytes = CHUNK_BYTES;
  size_t n = (size_t)m->ranks, here = (size_t)m->comm->host_ranks;
  if (rings_open(c, m->rings, here) &&
      (m->shared = mem_zalloc(c, here * sizeof *m->shared)) &&
      (m->by_ring = mem_zalloc(c, n * sizeof *m->by_ring)) &&
      (m->streams = mem_alloc(c, 2 * n * sizeof *m->streams)) &&
      (m->each = mem_alloc(c, n * sizeof *m->each)) && (m->have = mem_alloc(c, n)) &&
      mail_open(m, &m->mail_out) && mail_open(m, &m->mail_in))
    return m;
  move_close(m);
  return NULL;
}

static void area_leave(mover *m, move_area *a) {
  if (a->dev) gpu_free(m->cfg.dev, a->dev);
  a->dev = NULL;
  a->asked = false;
}

void move_set_device(mover *m, gpu *dev) {
  if (dev == m->cfg.dev) return;
  const move_rings *w = &m->rings[BY_HOST];
  for (int h = 0; w->in && h < m->comm->host_ranks; h++) {
    area_leave(m, &w->out[h].own);
    area_leave(m, &w->in[h].own);
  }
  if (m->peer_memory.dev && !m->peer_memory.at) m->peers = PEERS_NONE;
  area_leave(m, &m->peer_memory);
  area_leave(m, &m->mail_out.area);
  area_leave(m, &m->mail_in.area);
  m->cfg.dev = dev;
}

/* Memory with messages under way, which the engine cannot take back, stays. */
static void mail_close(mover *m, move_mail *mail) {
  if (mail->area.at && !m->broken) munmap(mail->area.at, mail->area.bytes);
}

static void give_peer_memory(mover *m) {
  area_leave(m, &m->peer_memory);
  if (m->peer_memory.bytes && !m->broken) m->comm->device(m->comm->user, NULL, 0, NULL);
  m->peer_memory = (move_area){.at = NULL};
}

void move_close(mover *m) {
  if (!m) return;
  move_set_device(m, NULL);
  give_peer_memory(m);
  mail_close(m, &m->mail_out);
  mail_close(m, &m->mail_in);
  for (int k = 0; k < RING_SORTS; k++) {
    mem_free(m->c, m->rings[k].out);
    mem_free(m->c, m->rings[k].in);
  }
  mem_free(m->c, m->shared);
  mem_free(m->c, m->by_ring);
  mem_free(m->c, m->streams);
  mem_free(m->c, m->each);
  mem_free(m->c, m->have);
  mem_free(m->c, m);
}

move_usage move_get_usage(const mover *m) { return m->usage; }

/* Waits for all ranks: have they all got their memory? */
static bool all_have(mover *m, bool mine, bool *all) {
  char has = mine;
  int done = 0;
  void *request = NULL;
  for (int r = 0; r < m->ranks; r++) m->each[r] = 1;
  int error = m->comm->gather(m->comm->user, &has, m->have, m->each, &request);
  for (int looks = 0; !error && !done; looks++) {
    error = m->comm->test(m->comm->user, &request, &done);
    if (!error && !done && !move_pause(m, looks)) return false;
  }
  if (error) return move_failed(m, error);
  *all = !memchr(m->have, 0, (size_t)m->ranks);
  return true;
}

static uint64_t page_bytes(const mover *m) {
  size_t n = RING_SORTS * (size_t)m->comm->host_ranks * sizeof(ring_counts);
  return round_up_u64(sizeof(ring_page) + n, ALIGN);
}

/* The bytes of a ring, which is to have at most `most` slots. */
static uint64_t choose_slots(move_rings *w, uint64_t ring, uint64_t chunk,
                             uint64_t most) {
  w->slot = min_u64(chunk, ring / SLOTS_LEAST);
  w->n_slots = min_u64(ring / w->slot, most);
  return round_up_u64(w->n_slots * w->slot, ALIGN);
}

/* What both sides know of the rings from one host rank to another. */
static void ring_set(const mover *m, int sort, int to, int from) {
  int me = m->comm->host_rank, other = me == to ? from : to;
  const move_rings *w = &m->rings[sort];
  move_ring *r = me == to ? &w->in[from] : &w->out[to];
  ring_page *page = m->shared[to];
  r->count = &page->count[sort * m->comm->host_ranks + from];
  r->host = other;
  r->peer = ((const ring_page *)m->shared[other])->rank;
}

static void set_rings(mover *m, uint64_t bytes) {
  int me = m->comm->host_rank;
  for (int h = 0; h < m->comm->host_ranks; h++) {
    const move_rings *w = &m->rings[BY_HOST];
    move_ring *way[] = {&w->out[h], &w->in[h]};
    m->by_ring[((const ring_page *)m->shared[h])->rank] = true;
    for (int k = 0; k < 2; k++) {
      int to = k ? me : h, from = k ? h : me;
      char *at = (char *)m->shared[to] + page_bytes(m) + (uint64_t)from * bytes;
      for (int sort = 0; sort < RING_SORTS; sort++) ring_set(m, sort, to, from);
      way[k]->own = (move_area){.at = at, .bytes = bytes};
      way[k]->area = &way[k]->own;
    }
  }
  m->has_rings = true;
}

/* Without shared memory on any host there are no rings, and all goes by messages. */
static bool open_rings(mover *m) {
  bool all = false;
  int n = m->comm->host_ranks;
  uint64_t bytes = 0, ring = m->cfg.ring_bytes;
  bool made = m->comm->shared != NULL;
  if (made && n > 1) {
    if (!ring) ring = min_u64(RING_BYTES, HOST_BYTES / ((uint64_t)n - 1));
    bytes = choose_slots(&m->rings[BY_HOST], ring, m->cfg.chunk_bytes, MOVE_SLOTS);
    uint64_t size = page_bytes(m) + (uint64_t)n * bytes;
    made = !m->comm->shared(m->comm->user, size, m->shared);
  }
  if (made && n > 1) {
    ring_page *page = m->shared[m->comm->host_rank];
    memset(page, 0, page_bytes(m));
    page->rank = m->me;
    atomic_thread_fence(memory_order_seq_cst);
  }
  if (!all_have(m, made, &all)) return false;
  atomic_thread_fence(memory_order_seq_cst);
  if (all && n > 1) set_rings(m, bytes);
  m->opened = true;
  return true;
}

/* ── rings between devices ── */

/* The number of host rank h among all but `but`. */
static uint64_t among_others(int h, int but) { return (uint64_t)(h > but ? h - 1 : h); }

static void set_peers(mover *m, uint64_t bytes) {
  int me = m->comm->host_rank;
  uint64_t others = (uint64_t)m->comm->host_ranks - 1;
  const move_rings *w = &m->rings[BY_DEVICE];
  for (int h = 0; h < m->comm->host_ranks; h++) {
    if (h == me) continue;
    w->in[h].area = w->out[h].area = &m->peer_memory;
    w->in[h].at = among_others(h, me) * bytes;
    w->out[h].at = (others + among_others(h, me)) * bytes;
    w->out[h].to = among_others(me, h) * bytes;
  }
}

/* This rank's memory for them, as its device sees it. */
static bool take_peer_memory(mover *m, uint64_t bytes) {
  gpu *g = m->cfg.dev;
  vapl_comm_memory own = {.fd = -1};
  const char *uuid = g ? gpu_get_info(g)->uuid : "";
  int error = m->comm->device(m->comm->user, uuid, bytes, &own);
  if (error) snprintf(m->why, sizeof m->why, "%s", m->comm->text(m->comm->user, error));
  if (error) return false;
  m->peer_memory = (move_area){.at = own.host, .bytes = own.bytes};
  if (own.host) return true;
  m->peer_memory.asked = true;
  if (g) m->peer_memory.dev = gpu_import_fd(g, own.fd, own.bytes);
  if (m->peer_memory.dev) return true;
  if (g) snprintf(m->why, sizeof m->why, "%.110s", m->c->err.msg);
  if (g && !gpu_lost(g)) err_clear(m->c);
  return false;
}

/* There are such rings if all ranks have memory for them, on one host or on many. */
static bool open_peers(mover *m) {
  bool all = false;
  double begun = now_ns();
  uint64_t others = (uint64_t)m->comm->host_ranks - 1, ring = m->cfg.ring_bytes,
           chunk = m->cfg.chunk_bytes;
  if (!ring) ring = PEER_RING / others;
  if (!m->cfg.ring_bytes) chunk = PEER_CHUNK;
  uint64_t most = min_u64(MOVE_SLOTS, VAPL_COMM_PUTS / others);
  bool made = m->has_rings && most >= SLOTS_LEAST;
  if (made) {
    ring = choose_slots(&m->rings[BY_DEVICE], ring, chunk, most);
    made = take_peer_memory(m, 2 * others * ring);
  }
  if (!all_have(m, made, &all)) return false;
  m->peers = all ? PEERS_OPEN : PEERS_NONE;
  if (all) set_peers(m, ring);
  else give_peer_memory(m);
  if (!all && !m->why[0])
    snprintf(m->why, sizeof m->why, "another rank has no such memory");
  m->usage.peer_ns = now_ns() - begun;
  return true;
}

bool move_has_peers(const mover *m) {
  const vapl_comm *t = m->comm;
  if (t->size < offsetof(vapl_comm, put) + sizeof t->put || !t->device) return false;
  return m->peers != PEERS_NONE && t->host_ranks > 1;
}

move_peers move_get_peers(const mover *m, const char **why) {
  *why = m->why;
  return m->peers;
}

bool move_ready(mover *m, uint64_t by_device) {
  if (m->broken)
    return err_set(m->c, ERR_DEVICE, "ranks: an exchange was given up before");
  if (!m->opened && !open_rings(m)) return false;
  m->wanted += by_device;
  bool opens = by_device && m->peers == PEERS_CLOSED && m->wanted >= m->cfg.peers_from;
  return !opens || open_peers(m);
}

int mail_slot(move_mail *mail) {
  for (int k = 0; k < MAIL_SLOTS; k++)
    if (!(mail->used >> k & 1)) {
      mail->used |= 1u << k;
      return k;
    }
  return -1;
}

/* ── copies ── */

/* The device's view of the area; NULL: there is none, and no error. */
static gpu_buf *area_buf(mover *m, move_area *a) {
  gpu *g = m->cfg.dev;
  uint64_t align = gpu_get_info(g)->host_align;
  if (a->dev || a->asked || err_is(m->c)) return a->dev;
  a->asked = true;
  if (!align || (uintptr_t)a->at % align || a->bytes % align) return NULL;
  a->dev = gpu_import_host(g, a->at, a->bytes);
  if (!a->dev && !gpu_lost(g)) err_clear(m->c);
  return a->dev;
}

/* Where bytes are: in a buffer of the device, or else on the host. */
typedef struct place {
  gpu_buf *dev;
  uint64_t at; /* in it */
  char *host;
} place;

static place in_array(move_end e, int64_t at) {
  return (place){e.dev, (uint64_t)at, e.dev ? NULL : (char *)e.host + at};
}

/* An area is the device's, too, for copies from its own buffers and to them, if it can see it. */
static place in_area(mover *m, move_area *a, uint64_t at, bool by_device) {
  gpu_buf *dev = a->dev;
  if (a->at) dev = by_device ? area_buf(m, a) : NULL;
  return (place){dev, at, dev ? NULL : a->at + at};
}

/* n bytes; `within` the device's own memory, if it has both. */
static bool copied(mover *m, place from, place to, uint64_t n, bool within) {
  gpu *g = m->cfg.dev;
  if (from.dev && to.dev && within && m->cfg.copy)
    return m->cfg.copy(m->cfg.user, from.dev, from.at, to.dev, to.at, n);
  if (from.dev && to.dev) return gpu_copy(g, from.dev, from.at, to.dev, to.at, n);
  if (from.dev) return gpu_download(g, from.dev, from.at, to.host, n);
  if (to.dev) return gpu_upload(g, to.dev, to.at, from.host, n);
  if (n) memcpy(to.host, from.host, n);
  return true;
}

bool move_put(mover *m, move_area *a, uint64_t at, move_end array, int64_t from,
              uint64_t n) {
  place to = in_area(m, a, at, array.dev);
  return copied(m, in_array(array, from), to, n, !a->at);
}

bool mover_take(mover *m, move_area *a, uint64_t at, move_end array, int64_t to,
                uint64_t n) {
  place from = in_area(m, a, at, array.dev);
  return copied(m, from, in_array(array, to), n, !a->at);
}

bool move_here(mover *m, move_end from, int64_t at, move_end to, int64_t to_at,
               uint64_t n) {
  m->usage.here_bytes += n;
  return copied(m, in_array(from, at), in_array(to, to_at), n, true);
}

bool move_is_done(mover *m, gpu_mark mark, bool *done) {
  *done = true;
  return !mark || gpu_reached(m->cfg.dev, mark, done);
}

/* ── waiting ── */

int pause_spins(const vapl_comm *comm) {
  return comm->host_ranks > sysconf(_SC_NPROCESSORS_ONLN) ? 1 : 2000;
}

void pause_after(int looks, int spins) {
  enum { YIELD = 20000 };
  if (looks < spins) return;
  if (looks < YIELD) sched_yield();
  else nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

bool move_pause(mover *m, int looks) {
  bool asks = pause_asks(looks) && m->cfg.waits;
  if (asks && !m->cfg.waits(m->cfg.user, looks < PAUSE_ASKS)) {
    m->broken = true;
    return false;
  }
  pause_after(looks, m->spins);
  return true;
}
