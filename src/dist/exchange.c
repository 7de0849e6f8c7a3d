/* SPDX-License-Identifier: MIT */
/* exchange.c - the list of an exchange → chunks in slots of rings and messages (move.h), and all of it under way
 * at once in one loop that never blocks.
 *
 * ORDER. A rank sends to the next rank first, then to the one after it, and receives from the one before it first:
 * so at any time every rank is sent to by one other. Between two ranks the list's entries go one behind the other as
 * one stream, cut into chunks without regard to entries. Both sides cut alike, so a message has nothing with it but
 * its bytes, and messages between two ranks keep their order.
 *
 * NO WAITING IN A CIRCLE. Rings are each for one pair, and each stream goes on by itself. Messages are begun in the
 * order above on both sides, out of slots of their own for each direction; so of all pairs that are not done, one
 * with the least distance has slots on both sides, or gets them when what was begun before is done.
 *
 * BETWEEN DEVICES 4.3 GB each way take 17 ms on two H200s, 255 GB/s, where copies of 32 MiB alone reach 375: the queue that
 * fills and empties slots works for 11 of them, one copy after the other at 36 µs, for slots are one buffer to it. */
#include "../base/arith.h"
#include "move.h"
#include <assert.h>

enum { ROUND = 64 };
/* A message: FILLING → GOING → DONE of one that is sent, GOING → EMPTYING → DONE of one that is received. */
enum { FILLING, GOING, EMPTYING, DONE };
typedef struct letter {
  int state, peer;
  int slot; /* -1: `bytes` are in the array itself */
  char *bytes;
  uint64_t n;
  list_place at; /* of its first byte, of one that is received */
  void *request;
  gpu_mark mark;
} letter;

/* Letters in the order in which they were begun: first … end - 1, modulo MOVE_MAIL. */
typedef struct letters {
  letter of[MOVE_MAIL];
  uint32_t first, end;
  int distance; /* of the rank whose stream is begun next; 0: not begun */
} letters;

typedef struct run {
  mover *m;
  const exchange *list;
  const move_end *source;
  move_end target;
  int sort;      /* of rings */
  uint64_t open; /* bytes of streams that are not done */
  bool failed;   /* a copy failed: no other is made */
  int recorded;  /* copies of this round, by the device */
  gpu_mark *marks[ROUND];
  bool moved; /* something happened in this round */
  letters out, in;
} run;

static move_stream *stream_to(const mover *m, int r) { return &m->streams[r]; }
static move_stream *stream_from(const mover *m, int r) {
  return &m->streams[m->ranks + r];
}

/* ── reading the list ── */

/* How much goes to each rank and comes from it. */
static void read_list(run *x, size_t n) {
  mover *m = x->m;
  for (int i = 0; i < 2 * m->ranks; i++) m->streams[i] = (move_stream){.left = 0};
  for (size_t i = 0; i < n; i++) {
    const exchange *e = &x->list[i];
    assert(e->n >= 0 && e->from >= 0 && e->from < m->ranks && e->to >= 0 &&
           e->to < m->ranks);
    if (e->from == e->to || (e->from != m->me && e->to != m->me)) continue;
    move_stream *s = e->from == m->me ? stream_to(m, e->to) : stream_from(m, e->from);
    s->left += (uint64_t)e->n;
    x->open += (uint64_t)e->n;
  }
  /* A stream is cut alike on both sides: into chunks that keep all that it passes busy, of a slot at most. */
  enum { CHUNKS = 16, ALIGN = 64 << 10 };
  uint64_t slot = m->rings[x->sort].slot;
  for (move_stream *s = m->streams; s < m->streams + 2 * m->ranks; s++)
    s->chunk = min_u64(slot, round_up_u64(max_u64(s->left / CHUNKS, slot / 4), ALIGN));
}

/* The rest of the entry that the place is in, or of the next one from rank to rank that is not empty. */
static uint64_t entry_left(const run *x, list_place *p, int from, int to) {
  for (;; p->i++, p->done = 0) {
    const exchange *e = &x->list[p->i];
    if (e->from == from && e->to == to && (uint64_t)e->n > p->done)
      return (uint64_t)e->n - p->done;
  }
}

/* The place moves on by n bytes. */
static void pass(const run *x, list_place *p, int from, int to, uint64_t n) {
  for (uint64_t part; n; n -= part) {
    part = min_u64(n, entry_left(x, p, from, to));
    p->done += part;
  }
}

/* ── copies, as long as none has failed ── */

static void note(run *x, bool ok) { x->failed = x->failed || !ok; }

/* Copies are handed over together: between two submissions a device does nothing for as long as it copies 32 MiB. So they
 * are gathered while it has two before it, up to a round of them. */
static void hand_over(run *x, bool all) {
  gpu_mark now = 0;
  gpu *g = x->m->cfg.dev;
  if (!all && g && gpu_is_recording(g) && gpu_is_busy(g)) return;
  if (x->recorded && !x->failed) note(x, gpu_set_mark(g, &now));
  while (x->recorded) *x->marks[--x->recorded] = now;
}

/* Marks of the host's copies, which are done, are 0: any device has reached that. */
static void set_mark(run *x, bool by_device, gpu_mark *mark) {
  *mark = by_device && !x->failed ? MOVE_RECORDED : 0;
  if (*mark) x->marks[x->recorded++] = mark;
  if (x->recorded == ROUND) hand_over(x, true);
}

/* n bytes of the stream to `peer` into the area, and the place moves on. */
static void fill(run *x, move_area *a, uint64_t at, int peer, uint64_t n,
                 gpu_mark *mark) {
  mover *m = x->m;
  list_place *p = &stream_to(m, peer)->at;
  bool by_device = false;
  for (uint64_t part; n; n -= part, at += part) {
    part = min_u64(n, entry_left(x, p, m->me, peer));
    const exchange *e = &x->list[p->i];
    move_end from = x->source[e->array];
    by_device |= from.dev != NULL || !a->at;
    if (!x->failed)
      note(x, move_put(m, a, at, from, e->at_from + (int64_t)p->done, part));
    p->done += part;
  }
  set_mark(x, by_device, mark);
}

/* n bytes from the area to where the place is, which moves on. */
static void empty(run *x, move_area *a, uint64_t at, int peer, list_place *p, uint64_t n,
                  gpu_mark *mark) {
  mover *m = x->m;
  for (uint64_t part; n; n -= part, at += part) {
    part = min_u64(n, entry_left(x, p, peer, m->me));
    int64_t to = x->list[p->i].at_to + (int64_t)p->done;
    if (!x->failed) note(x, mover_take(m, a, at, x->target, to, part));
    p->done += part;
  }
  set_mark(x, x->target.dev || !a->at, mark);
}

static bool is_done(run *x, gpu_mark mark) {
  bool done = mark != MOVE_RECORDED;
  if (!x->failed && done) note(x, move_is_done(x->m, mark, &done));
  return done || x->failed;
}

/* Is what was asked of the engine done? NULL: nothing was. False: it fails. */
static bool has_arrived(run *x, void **request, bool *arrived) {
  const vapl_comm *t = x->m->comm;
  int done = 1, error = *request ? t->test(t->user, request, &done) : 0;
  *arrived = done;
  return !error || move_failed(x->m, error);
}

/* ── rings ── */

/* What is in the sender's slot goes to the receiver's, where these are two. False: the engine fails. */
static bool slot_sent(run *x, const move_rings *w, move_ring *r) {
  const vapl_comm *t = x->m->comm;
  uint64_t k = r->sent % w->n_slots, at = k * w->slot;
  r->put[k] = NULL;
  if (x->sort == BY_HOST || x->failed) return true;
  int error = t->put(t->user, r->at + at, r->host, r->to + at, r->bytes[k], &r->put[k]);
  return !error || move_failed(x->m, error);
}

/* A few slots are filled in a round, for they are handed over together, and the first one is waited for. */
static bool ring_send(run *x, const move_rings *w, move_ring *r) {
  enum { SOME = 2 };
  mover *m = x->m;
  move_stream *s = stream_to(m, r->peer);
  uint64_t emptied = atomic_load_explicit(&r->count->emptied, memory_order_acquire);
  bool arrived = true;
  for (int some = 0; some < SOME && s->left && r->begun - emptied < w->n_slots; some++) {
    uint64_t n = min_u64(s->left, s->chunk), slot = r->begun++ % w->n_slots;
    fill(x, r->area, r->at + slot * w->slot, r->peer, n, &r->mark[slot]);
    s->left -= n;
    r->bytes[slot] = n;
    m->usage.ring_bytes += n;
    if (x->sort == BY_DEVICE) m->usage.peer_bytes += n;
    x->moved = true;
  }
  for (; r->sent < r->begun && is_done(x, r->mark[r->sent % w->n_slots]); r->sent++) {
    if (!slot_sent(x, w, r)) return false;
    x->moved = true;
  }
  while (r->told < r->sent) {
    if (!has_arrived(x, &r->put[r->told % w->n_slots], &arrived)) return false;
    if (!arrived) break;
    x->open -= r->bytes[r->told % w->n_slots];
    atomic_store_explicit(&r->count->filled, ++r->told, memory_order_release);
    x->moved = true;
  }
  return true;
}

static void ring_receive(run *x, const move_rings *w, move_ring *r) {
  move_stream *s = stream_from(x->m, r->peer);
  uint64_t filled = atomic_load_explicit(&r->count->filled, memory_order_acquire);
  for (; s->left && r->begun < filled; x->moved = true) {
    uint64_t n = min_u64(s->left, s->chunk), slot = r->begun++ % w->n_slots;
    empty(x, r->area, r->at + slot * w->slot, r->peer, &s->at, n, &r->mark[slot]);
    s->left -= n;
    r->bytes[slot] = n;
  }
  for (; r->told < r->begun && is_done(x, r->mark[r->told % w->n_slots]);
       x->moved = true) {
    x->open -= r->bytes[r->told % w->n_slots];
    atomic_store_explicit(&r->count->emptied, ++r->told, memory_order_release);
  }
}

static bool step_rings(run *x) {
  const mover *m = x->m;
  const move_rings *w = &m->rings[x->sort];
  int n = m->comm->host_ranks, me = m->comm->host_rank;
  for (int k = 1; k < n && m->has_rings; k++) {
    if (!ring_send(x, w, &w->out[(me + k) % n])) return false;
    ring_receive(x, w, &w->in[(me + n - k) % n]);
  }
  return true;
}

/* ── messages ── */

/* The next stream by messages that has chunks to begin: its rank, or -1. */
static int next_peer(const run *x, letters *l, bool out) {
  const mover *m = x->m;
  for (; l->distance < m->ranks; l->distance++) {
    int peer = (m->me + (out ? l->distance : m->ranks - l->distance)) % m->ranks;
    if (peer == m->me || m->by_ring[peer]) continue;
    if ((out ? stream_to(m, peer) : stream_from(m, peer))->left) return peer;
  }
  return -1;
}

/* The bytes where the place is, if the host's array has all n of them in a piece; NULL. */
static char *in_place(const run *x, list_place *p, int from, int to, uint64_t n) {
  bool out = from == x->m->me;
  if (entry_left(x, p, from, to) < n) return NULL;
  const exchange *e = &x->list[p->i];
  move_end array = out ? x->source[e->array] : x->target;
  if (array.dev) return NULL;
  return (char *)array.host + (out ? e->at_from : e->at_to) + p->done;
}

static uint64_t slot_place(const mover *m, const letter *l) {
  return (uint64_t)l->slot * m->cfg.chunk_bytes;
}

/* A chunk to that rank is in its slot soon; step_out sends it. False: there is no slot. */
static bool begin_sending(run *x, int peer) {
  mover *m = x->m;
  letter *l = &x->out.of[x->out.end % MOVE_MAIL];
  move_stream *s = stream_to(m, peer);
  *l = (letter){.state = FILLING, .peer = peer, .slot = -1};
  l->n = min_u64(s->left, m->cfg.chunk_bytes);
  l->bytes = in_place(x, &s->at, m->me, peer, l->n);
  if (l->bytes) {
    s->at.done += l->n;
  } else {
    l->slot = mail_slot(&m->mail_out);
    if (l->slot < 0) return false;
    l->bytes = m->mail_out.area.at + slot_place(m, l);
    fill(x, &m->mail_out.area, slot_place(m, l), peer, l->n, &l->mark);
  }
  s->left -= l->n;
  x->out.end++;
  x->moved = true;
  return true;
}

/* False, too, if the engine fails. */
static bool begin_receiving(run *x, int peer) {
  mover *m = x->m;
  const vapl_comm *t = m->comm;
  letter *l = &x->in.of[x->in.end % MOVE_MAIL];
  move_stream *s = stream_from(m, peer);
  *l = (letter){.state = GOING, .peer = peer, .slot = -1, .at = s->at};
  l->n = min_u64(s->left, m->cfg.chunk_bytes);
  l->bytes = in_place(x, &l->at, peer, m->me, l->n);
  if (!l->bytes) {
    l->slot = mail_slot(&m->mail_in);
    if (l->slot < 0) return false;
    l->bytes = m->mail_in.area.at + slot_place(m, l);
  }
  pass(x, &s->at, peer, m->me, l->n);
  s->left -= l->n;
  x->in.end++;
  x->moved = true;
  int error = t->receive(t->user, l->bytes, l->n, peer, MOVE_TAG, &l->request);
  return !error || move_failed(m, error);
}

static bool send_begins(run *x, letter *l) {
  const vapl_comm *t = x->m->comm;
  int error = t->send(t->user, l->bytes, l->n, l->peer, MOVE_TAG, &l->request);
  l->state = GOING;
  x->moved = true;
  x->m->usage.messages++;
  x->m->usage.mail_bytes += l->n;
  return !error || move_failed(x->m, error);
}

static void letter_done(run *x, move_mail *mail, letter *l) {
  if (l->slot >= 0) mail->used &= ~(1u << l->slot);
  l->state = DONE;
  x->open -= l->n;
  x->moved = true;
}

/* Sends what is filled, up to the first that is not, so that messages to a rank keep their order; looks after
 * what was sent. */
static bool step_out(run *x) {
  bool in_order = true, arrived;
  move_mail *mail = &x->m->mail_out;
  for (uint32_t i = x->out.first; i != x->out.end; i++) {
    letter *l = &x->out.of[i % MOVE_MAIL];
    if (l->state == FILLING && in_order) {
      in_order = is_done(x, l->mark);
      if (in_order && !send_begins(x, l)) return false;
    } else if (l->state == GOING) {
      if (!has_arrived(x, &l->request, &arrived)) return false;
      if (arrived) letter_done(x, mail, l);
    }
  }
  return true;
}

static bool step_in(run *x) {
  bool arrived;
  move_mail *mail = &x->m->mail_in;
  for (uint32_t i = x->in.first; i != x->in.end; i++) {
    letter *l = &x->in.of[i % MOVE_MAIL];
    if (l->state == GOING) {
      if (!has_arrived(x, &l->request, &arrived)) return false;
      if (!arrived) continue;
      l->state = EMPTYING;
      x->moved = true;
      if (l->slot >= 0)
        empty(x, &mail->area, slot_place(x->m, l), l->peer, &l->at, l->n, &l->mark);
    }
    if (l->state == EMPTYING && is_done(x, l->mark)) letter_done(x, mail, l);
  }
  return true;
}

/* Room for letters is counted from the first that is not done. */
static bool has_room(letters *l) {
  while (l->first != l->end && l->of[l->first % MOVE_MAIL].state == DONE) l->first++;
  return l->end - l->first < MOVE_MAIL;
}

static bool step_mail(run *x) {
  int peer;
  while (has_room(&x->in) && (peer = next_peer(x, &x->in, false)) >= 0)
    if (!begin_receiving(x, peer)) break;
  while (has_room(&x->out) && (peer = next_peer(x, &x->out, true)) >= 0)
    if (!begin_sending(x, peer)) break;
  return !x->m->broken && step_in(x) && step_out(x);
}

/* ── the whole ── */

static bool step(run *x) {
  x->moved = false;
  bool ok = step_rings(x) && step_mail(x);
  hand_over(x, false);
  return ok;
}

static void run_here(run *x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const exchange *e = &x->list[i];
    if (e->from == x->m->me && e->to == e->from && !x->failed)
      note(x, move_here(x->m, x->source[e->array], e->at_from, x->target, e->at_to,
                        (uint64_t)e->n));
  }
}

/* All copies of an exchange are of places apart: those of a slot begin when the host has seen the ones before end. */
static bool run_list(run *x, size_t n) {
  if (!step(x)) return false; /* others have something to do while this rank copies */
  run_here(x, n);
  for (int looks = 0; x->open;) {
    if (!step(x)) return false;
    looks = x->moved ? 0 : looks + 1;
    if (looks && !move_pause(x->m, looks)) return false;
  }
  return true;
}

bool exchange_run(mover *m, const exchange *list, size_t n, const move_end *from,
                  move_end to, uint64_t by_device) {
  double begun = now_ns();
  if (!move_ready(m, by_device)) return false;
  run x = {.m = m, .list = list, .source = from, .target = to};
  if (by_device && m->peers == PEERS_OPEN) x.sort = BY_DEVICE;
  read_list(&x, n);
  gpu *g = m->cfg.dev;
  if (g) gpu_apart(g, true);
  bool ok = run_list(&x, n);
  if (g) gpu_apart(g, false);
  if (!ok) return false;
  m->usage.exchanges++;
  m->usage.ns += now_ns() - begun;
  return !x.failed;
}
