/* SPDX-License-Identifier: MIT */
/* fetch.c - elements come to the ranks that want them (fetch.h).
 *
 *   what each rank wants, where parts begin ─▶ runs of bytes from rank to rank ─▶ exchange.h ─▶ what arrives
 *   what arrives, and views of what is here already, side by side ─▶ what this rank wants
 *
 * Bytes go from device to device where arrays lie there, unless they are few. Truth values may begin within a byte on
 * both sides: the bytes that have them are sent, from the host, and are shifted where they arrive. */
#include "fetch.h"
#include "exchange.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/view.h"
#include "../base/arith.h"
#include "../ir/build.h"
#include "../ir/device.h"
#include "../prim/move.h"
#include <string.h>

/* Some of what this rank wants: n elements of its part, or of what arrives, from number `at` on. */
typedef struct piece {
  bool own;
  int64_t at, n;
} piece;

/* Truth values that arrive: n of them, from bit `bit` of what is received on, are those from number `at` on. */
typedef struct bit_run {
  int64_t bit, at, n;
} bit_run;

typedef struct fetch {
  dist *d;
  const fetching *of;
  bool copies;  /* what is here is copied, too, among what arrives */
  bool by_host; /* elements are sent from there, and arrive there */
  VEC(exchange) runs;
  VEC(piece) pieces;
  VEC(bit_run) bits;
  int64_t arrives, received; /* elements; bytes of truth values */
  uint64_t sends;            /* bytes */
  bool failed;
} fetch;

/* ── what goes from whom to whom ── */

/* Elements lo to hi - 1 of the ravel, which rank `from` has, go to rank `to`. */
static void add_run(fetch *f, int from, int to, int64_t lo, int64_t hi) {
  elt t = f->of->t;
  int64_t at = lo - f->of->starts[from], n = hi - lo;
  exchange e = {.from = from, .to = to};
  if (t == ET_BIT) {
    e.at_from = at / 8;
    e.n = (at % 8 + n + 7) / 8;
    e.at_to = f->received;
  } else {
    e.at_from = (int64_t)elt_bytes(t, at);
    e.n = (int64_t)elt_bytes(t, n);
    e.at_to = (int64_t)elt_bytes(t, f->arrives);
  }
  f->failed |= !vec_push(f->d->c, &f->runs, e);
  if (to != f->d->me) return;
  bit_run b = {.bit = f->received * 8 + at % 8, .at = f->arrives, .n = n};
  if (t == ET_BIT) f->failed |= !vec_push(f->d->c, &f->bits, b);
  f->received += e.n;
  f->arrives += n;
}

static void add_piece(fetch *f, int from, int64_t lo, int64_t hi) {
  bool own = from == f->d->me && !f->copies;
  piece *last = f->pieces.n ? &f->pieces.at[f->pieces.n - 1] : NULL;
  piece p = {own, own ? lo - f->of->starts[from] : f->arrives, hi - lo};
  if (last && !own && !last->own) last->n += p.n;
  else f->failed |= !vec_push(f->d->c, &f->pieces, p);
  if (!own) add_run(f, from, f->d->me, lo, hi);
}

void want(wanted *w, int64_t lo, int64_t hi) {
  fetch *f = w->into;
  const int64_t *starts = w->of->starts;
  int64_t a = max_i64(lo, starts[w->rank]), b = min_i64(hi, starts[w->rank + 1]);
  if (lo >= hi) return;
  w->foreign += hi - lo - max_i64(b - a, 0);
  if (!f) return;
  int me = f->d->me, first = w->rank == me ? 0 : me;
  int last = w->rank == me ? f->d->ranks - 1 : me;
  for (int r = first; r <= last; r++) {
    a = max_i64(lo, starts[r]);
    b = min_i64(hi, starts[r + 1]);
    if (a < b && w->rank == me) add_piece(f, r, a, b);
    else if (a < b) add_run(f, me, w->rank, a, b);
  }
}

int64_t fetch_count(const fetching *of, int ranks) {
  int64_t sum = 0;
  for (int r = 0; r < ranks; r++) {
    wanted w = {.of = of, .rank = r};
    of->wants(of->user, &w);
    sum += w.foreign;
  }
  return sum;
}

static bool list_runs(fetch *f) {
  for (int r = 0; r < f->d->ranks; r++) {
    wanted w = {.of = f->of, .rank = r, .into = f};
    f->of->wants(f->of->user, &w);
  }
  return !f->failed;
}

static void fetch_free(fetch *f) {
  vec_free(f->d->c, &f->runs);
  vec_free(f->d->c, &f->pieces);
  vec_free(f->d->c, &f->bits);
}

/* ── bytes ── */

/* Looks after a wait of the mover: ranks that do not come are told. */
static bool waits(void *user, bool begins) {
  dist *d = user;
  if (begins) d->mover_waits = (watch){0};
  watch_wait(d, &d->mover_waits);
  return true;
}

static bool copies(void *user, gpu_buf *from, uint64_t at, gpu_buf *to, uint64_t to_at,
                   uint64_t n) {
  return device_copy(((dist *)user)->g, from, at, to, to_at, n);
}

static mover *mover_of(dist *d) {
  const move_config cfg = {.comm = d->comm,
                           .peers_from = (uint64_t)d->g->tune.exchange_from << 8,
                           .waits = waits,
                           .copy = copies,
                           .user = d};
  if (!d->mover) d->mover = move_open(d->c, &cfg);
  if (d->mover) move_set_device(d->mover, d->g->dev);
  return d->mover;
}

/* Where an array's elements are: on the device, if there too. */
static move_end end_of(const arr *a) {
  return (move_end){a->dev, a->dev ? NULL : a->host};
}

/* Memory for r's elements, which has none. */
static bool take_memory(dist *d, arr *r, bool by_device) {
  if (!by_device) return arr_alloc_host(d->c, r);
  uint64_t n = elt_bytes((elt)r->type, max_i64(r->count, 1));
  gpu_buf *buf = device_alloc(d->g, n, NULL);
  if (buf) ir_adopt(d->g, r, buf);
  return buf != NULL;
}

/* All ranks meet before the list is run. *by_device: as exchange_run takes it. `ok`: this rank can do its part, with
 * elements on the device or not. */
static bool list_agreed(fetch *f, bool ok, bool on_device, uint64_t *by_device) {
  dist *d = f->d;
  int64_t value[2] = {!on_device || !d->mover || !move_has_peers(d->mover)};
  for (size_t i = 0; i < f->runs.n; i++) {
    const exchange *e = &f->runs.at[i];
    if (e->from == d->me && e->to != d->me) value[1] += e->n;
  }
  f->sends = (uint64_t)value[1];
  bool met = dist_meet_values(d, AGREE_EXCHANGE, value, 2);
  *by_device = value[0] ? 0 : (uint64_t)value[1];
  return met && ok;
}

static bool run_list(fetch *f, const move_end *from, const arr *to, uint64_t by_device) {
  dist_sent(f->d, "elements that change place", f->sends);
  return exchange_run(f->d->mover, f->runs.at, f->runs.n, from, end_of(to), by_device);
}

/* ── elements ── */

/* This rank's part as exchanges take it; NULL after an error. */
static arr *part_ready(fetch *f, arr *part) {
  dist *d = f->d;
  const fetching *of = f->of;
  inside_begin(d);
  bool ok = part && ir_settle(d->g, part);
  if (ok) {
    uint64_t all = elt_bytes(of->t, of->starts[d->ranks]);
    bool few = all < (uint64_t)d->g->tune.exchange_from;
    f->by_host = few || of->t == ET_BIT || part->type != of->t;
    if (f->by_host) ok = ir_host(d->g, part);
  }
  inside_end(d);
  return ok ? arr_convert(d->c, part, of->t) : NULL;
}

/* What arrives is in r, which has memory. */
static bool run_fetch(fetch *f, const arr *own, arr *r, arr *bits, uint64_t by_device) {
  move_end from = f->by_host ? (move_end){.host = own->host} : end_of(own);
  if (!run_list(f, &from, bits ? bits : r, by_device)) return false;
  for (size_t i = 0; i < f->bits.n; i++)
    arr_copy(r, f->bits.at[i].at, bits, f->bits.at[i].bit, f->bits.at[i].n);
  return true;
}

/* What arrives: the elements of `to`, or of a vector. NULL after an error. */
static arr *arrivals(fetch *f, arr *own, arr *to) {
  dist *d = f->d;
  elt t = f->of->t;
  OWNED arr *r = NULL, *bits = NULL;
  if (own && list_runs(f) && mover_of(d))
    r = to ? arr_retain(to) : arr_new_pending(d->c, t, 1, &f->arrives);
  bool on_device = own && own->dev && !f->by_host;
  uint64_t by_device;
  bool ok = r && take_memory(d, r, on_device);
  if (ok && t == ET_BIT) ok = (bits = arr_vec(d->c, t, f->received * 8)) != NULL;
  ok = list_agreed(f, ok, on_device, &by_device) && run_fetch(f, own, r, bits, by_device);
  return ok ? arr_move(&r) : NULL;
}

bool fetched_into(dist *d, arr *part, const fetching *of, arr *to) {
  fetch f = {.d = d, .of = of, .copies = true};
  OWNED arr *own = part_ready(&f, part);
  OWNED arr *r = arrivals(&f, own, to);
  fetch_free(&f);
  if (r || !to) return r != NULL;
  mem_free(d->c, to->host);
  to->host = NULL;
  device_release(d->g, to);
  return false;
}

/* ── what is wanted ── */

/* Elements of a's ravel from number `at` on, as many as the shape has. */
static arr *stretch_of(const ir_call *call, arr *a, int64_t at, int rank,
                       const int64_t *shape) {
  view v;
  if (!view_ravelled(call->env.c, &v, at, rank, shape)) return NULL;
  return viewed(call, P_RHO, &v, a);
}

/* Not by ⍪, which may write y beside x. */
arr *side_by_side(const ir_call *call, arr *x, arr *y) {
  prim_env e = call->env;
  view v;
  return move_dyadic(&e, P_COMMA, x, y, &v) ? viewed_both(call, P_COMMA, &v, x, y) : NULL;
}

static arr *put_together(const ir_call *call, const fetch *f, arr *own, arr *in) {
  OWNED arr *r = f->pieces.n ? NULL : arr_retain(in);
  for (size_t i = 0; i < f->pieces.n; i++) {
    const piece *p = &f->pieces.at[i];
    OWNED arr *next = stretch_of(call, p->own ? own : in, p->at, 1, &p->n);
    arr *both = r && next ? side_by_side(call, r, next) : NULL;
    if (!r) both = arr_move(&next);
    arr_release(r);
    r = both;
    if (!r) return NULL;
  }
  return arr_move(&r);
}

arr *fetched(const ir_call *call, arr *part, const fetching *of) {
  dist *d = dist_of(call);
  fetch f = {.d = d, .of = of};
  OWNED arr *own = part_ready(&f, part);
  OWNED arr *in = arrivals(&f, own, NULL);
  inside_begin(d);
  OWNED arr *line = in ? put_together(call, &f, own, in) : NULL;
  arr *r = line && of->shape ? stretch_of(call, line, 0, of->rank, of->shape)
                             : arr_move(&line);
  inside_end(d);
  fetch_free(&f);
  return r;
}

/* ── every rank's for every other one ── */

static bool list_all(fetch *f, arr *const *out, const int64_t *in, elt t) {
  int me = f->d->me;
  for (int r = 0; r < f->d->ranks; r++) {
    piece p = {r == me, r == me ? 0 : f->arrives, in[r]};
    if (in[r]) f->failed |= !vec_push(f->d->c, &f->pieces, p);
    if (r == me) continue;
    exchange s = {.from = me, .to = r, .array = r}, g = {.from = r, .to = me};
    s.n = (int64_t)elt_bytes(t, out[r]->count);
    g.n = (int64_t)elt_bytes(t, in[r]);
    g.at_to = (int64_t)elt_bytes(t, f->arrives);
    f->arrives += in[r];
    f->failed |= !vec_push(f->d->c, &f->runs, g) || !vec_push(f->d->c, &f->runs, s);
  }
  return !f->failed;
}

bool counts_shared(dist *d, int64_t *counts, bool ok) {
  size_t bytes = (size_t)d->ranks * sizeof *counts;
  int64_t *mine = mem_alloc(d->c, bytes);
  if (mine && ok) memcpy(mine, counts + d->me * d->ranks, bytes);
  bool met = dist_meet(d, AGREE_GATHER);
  ok = met && dist_gather_same(d, mine, counts, bytes);
  mem_free(d->c, mine);
  return ok;
}

arr *exchanged(const ir_call *call, arr *const *out, const int64_t *in, elt t) {
  dist *d = dist_of(call);
  size_t n = (size_t)d->ranks;
  fetch f = {.d = d};
  OWNED arr *r = NULL;
  move_end *from = out ? mem_alloc(d->c, n * sizeof *from) : NULL;
  if (from && list_all(&f, out, in, t) && mover_of(d))
    r = arr_new_pending(d->c, t, 1, &f.arrives);
  bool on_device = r && out[d->me]->dev;
  uint64_t by_device;
  bool ok = r && take_memory(d, r, on_device);
  ok = list_agreed(&f, ok, on_device, &by_device);
  for (size_t i = 0; ok && i < n; i++) from[i] = end_of(out[i]);
  ok = ok && run_list(&f, from, r, by_device);
  mem_free(d->c, from);
  inside_begin(d);
  arr *all = ok ? put_together(call, &f, out[d->me], r) : NULL;
  inside_end(d);
  fetch_free(&f);
  return all;
}
