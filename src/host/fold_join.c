/* SPDX-License-Identifier: MIT */
/* fold_join.c - REDUCE and SCAN by a join: tiles and what comes before them, tasks, results.
 *
 * A unit is some tiles of a line, or some lines that are no longer than a tile: as many as make
 * its lanes worth while, and as stay in the cache (fold_unit.c). Units are tasks.
 *
 *   reduce   A unit gives its segments' totals. If a line has several, these are the elements of
 *            the next level, where the same is done again.
 *   scan     A unit makes its totals ahead of its turn; in its turn it takes the prefixes of its
 *            tiles and hands its totals on; then it makes its results. The producer is run once. */
#include "fold_join.h"

#include <string.h>

#include "../base/mem.h"

static bool is_scan(const blk_plan *p) { return p->k->kind == KIR_SCAN; }
static bool in_order(const blk_plan *p) { /* element after element */
  return p->k->join_order >= KJOIN_RIGHT;
}

/* ── the shape of the work ──────────────────────────────────────────────────────────── */

/* Fills a level in from its rows and len. */
static void measure(blk_join_shape *s) {
  s->tiles = ceil_div(s->len, s->tile);
  s->m = max_i64(1, BLK_UNIT / min_i64(s->len, s->tile));
  if (s->tiles == 1) {
    s->m = min_i64(s->m, min_i64(BLK_UNIT_LINES, s->rows));
    s->units = ceil_div(s->rows, s->m);
  } else { /* the last tile is a unit of its own */
    s->units = ceil_div(s->tiles - 1, s->m) + 1;
  }
}

blk_join_shape blk_join_shape_of(const blk_plan *p, const blk_body *y, int threads) {
  blk_join_shape s = {.rows = p->b->rows, .len = p->b->len};
  size_t size = 0;
  UNUSED(threads);
  for (uint32_t c = 0; c < y->n; c++) size += max_u64(y->size[c], 4);
  s.strip = KIR_SCAN_GROUPS(size);
  s.tile = s.strip * KIR_SCAN_GROUP * KIR_SCAN_STRIPS;
  if (in_order(p)) blk_line_shape(p, &s);
  else measure(&s);
  return s;
}

static void layout(const blk_plan *p, const blk_body *y, const blk_join_shape *s,
                   blk_join_thread *w, uint32_t *flags, uintptr_t *mem) {
  blk_joiner_take(&w->join, y, flags, mem);
  w->identity = blk_lanes_take(y, 1, mem);
  if (in_order(p)) {
    blk_line_take(p, y, s, w, mem);
    return;
  }
  blk_unit_take(y, s, w, mem);
  for (int k = 0; k < KIR_SCAN_TIERS; k++) {
    blk_tier *x = &w->tier[k];
    x->full = blk_lanes_take(y, 1, mem);
    x->v = blk_lanes_take(y, 1, mem);
    for (int i = 0; i < BLK_NODES; i++) x->node[i] = blk_lanes_take(y, 1, mem);
  }
}

enum { HEAD = (sizeof(blk_join_thread) + 63) / 64 * 64 };

size_t blk_join_bytes(const blk_plan *p, const blk_body *y, const blk_join_shape *s) {
  blk_join_thread probe;
  uintptr_t m = HEAD;
  layout(p, y, s, &probe, NULL, &m);
  return m;
}

static void set_identity(const kir *k, blk_tuple to) {
  for (uint32_t c = 0; c < k->n_acc; c++) {
    kimm v = k->identity[c];
    float f = (float)v.f;
    int32_t i = (int32_t)v.i;
    uint8_t b = v.i != 0;
    switch ((kty)k->acc[c].ty) {
    case KB: memcpy(to.at[c], &b, sizeof b); break;
    case KI32: memcpy(to.at[c], &i, sizeof i); break;
    case KF32: memcpy(to.at[c], &f, sizeof f); break;
    default: memcpy(to.at[c], &v, sizeof v); break;
    }
  }
}

/* ── the producer and the consumer ──────────────────────────────────────────────────── */

/* The input that value c of the tuple is, as it lies in memory, or NULL. */
static const char *plain(const blk_plan *p, uint32_t c) {
  int32_t def = p->cell[p->tuple_x[c]].def;
  if (def < 0 || p->step[def].kind != STEP_LOAD) return NULL;
  uint32_t in = p->step[def].in;
  elt type = p->k->in[in].type;
  if (p->k->in[in].view != KV_FLAT || p->isa->map->load[type]) return NULL;
  return p->b->in[in].host;
}

blk_tuple blk_join_make(blk_thread *t, blk_tuple room, int64_t e0, int64_t pos,
                        int64_t n) {
  const blk_plan *p = t->plan;
  const blk_body *y = t->join->join.body;
  int64_t step = (int64_t)p->block, len = p->b->len;
  bool as_it_lies[KIR_MAX_ACC], loads = true;
  for (uint32_t i = 0; i < p->n_pre; i++) loads &= p->step[i].kind == STEP_LOAD;
  for (uint32_t c = 0; c < y->n; c++) {
    const char *x = plain(p, c);
    as_it_lies[c] = x != NULL;
    if (x) room.at[c] = (char *)(uintptr_t)x + (size_t)e0 * y->size[c];
    loads &= x != NULL;
  }
  for (int64_t i = 0; i < n && !loads; i += step) {
    blk_at b = {e0 + i, (pos + i) % len, len, (size_t)min_i64(step, n - i), 1};
    blk_tuple to = blk_lane(y, room, (size_t)i);
    for (uint32_t c = 0; c < y->n; c++)
      if (blk_is_made(p, p->tuple_x[c])) t->at[p->tuple_x[c]] = to.at[c];
    blk_pre(t, &b);
    for (uint32_t c = 0; c < y->n; c++) {
      const void *x = t->at[p->tuple_x[c]];
      if (!as_it_lies[c] && x != to.at[c]) memcpy(to.at[c], x, b.n * y->size[c]);
    }
  }
  return room;
}

/* An output that is the result itself, as it is. */
static char *direct(const blk_plan *p, uint32_t c, int64_t e0) {
  for (uint32_t i = 0; i < p->k->n_out; i++)
    if (p->out[i].direct && p->out[i].cell == p->tuple_r[c])
      return (char *)p->b->out[i].host + (size_t)e0 * elt_bytes(p->k->out[i].type, 1);
  return NULL;
}

blk_tuple blk_join_aim(const blk_thread *t, blk_tuple r, int64_t e0) {
  for (uint32_t c = 0; c < t->join->join.body->n; c++) {
    char *out = direct(t->plan, c, e0);
    if (out) r.at[c] = out;
  }
  return r;
}

void blk_join_scanned(blk_thread *t, blk_tuple r, int64_t e0, int64_t pos, int64_t n) {
  const blk_plan *p = t->plan;
  const blk_body *y = t->join->join.body;
  int64_t step = (int64_t)p->block, len = p->b->len;
  uint32_t made = 0;
  for (uint32_t c = 0; c < y->n; c++) made += r.at[c] == direct(p, c, e0);
  if (made == p->k->n_out && p->n_step == p->n_pre)
    return; /* they are what was asked for */
  for (int64_t i = 0; i < n; i += step) {
    blk_at b = {e0 + i, (pos + i) % len, len, (size_t)min_i64(step, n - i), 1};
    blk_aim(t, &b);
    for (uint32_t c = 0; c < y->n; c++) {
      void **at = &t->at[p->tuple_r[c]];
      char *x = r.at[c] + (size_t)i * y->size[c];
      if (b.n % BLK_UNI == 0) {
        *at = x;
      } else if (*at != x) {
        memcpy(*at, x, b.n * y->size[c]);
        blk_pad(*at, y->size[c], b.n);
      }
    }
    blk_post(t, &b);
  }
}

void blk_join_reduced(blk_thread *t, blk_tuple r, int64_t o, size_t n) {
  const blk_plan *p = t->plan;
  const blk_body *y = t->join->join.body;
  for (size_t i = 0, some; i < n; i += some) {
    some = min_u64(n - i, p->block);
    int64_t at = o + (int64_t)i;
    blk_at b = {at, at, p->b->rows, some, 1};
    blk_aim(t, &b);
    for (uint32_t c = 0; c < y->n; c++) {
      memcpy(t->at[p->tuple_r[c]], r.at[c] + i * y->size[c], some * y->size[c]);
      blk_pad(t->at[p->tuple_r[c]], y->size[c], some);
    }
    blk_post(t, &b);
  }
}

/* ── the prefix of tiles ────────────────────────────────────────────────────────────── */

/* What the tier's totals come to, if there are any: to `to`. */
static bool tier_of(blk_joiner *w, const blk_tier *x, blk_tuple to) {
  bool any = false;
  for (uint32_t i = 0; i < BLK_NODES; i++) {
    if (!(x->n >> i & 1)) continue;
    if (any) blk_join(w, to, x->node[i], to, 1, NULL);
    else blk_lanes_copy(w->body, to, x->node[i], 1);
    any = true;
  }
  if (!x->batches) return any;
  if (any) blk_join(w, to, x->full, to, 1, NULL);
  else blk_lanes_copy(w->body, to, x->full, 1);
  return true;
}

/* What the tiles so far come to, if there are any: to `to`. */
static void prefix_of(blk_joiner *w, const blk_tier *x, blk_tuple to) {
  bool any = false;
  for (int i = KIR_SCAN_TIERS; i-- > 0;) {
    if (!any) any = tier_of(w, &x[i], to);
    else if (tier_of(w, &x[i], x[i].v)) blk_join(w, to, to, x[i].v, 1, NULL);
  }
}

/* The next total: neighbours join, and batches of 32. The total of a super-tile is the next tier's. */
static void prefix_push(blk_joiner *w, blk_tier *x, blk_tuple total) {
  uint32_t i = 0;
  blk_lanes_copy(w->body, x->v, total, 1);
  for (; x->n >> i & 1; i++) blk_join(w, x->v, x->node[i], x->v, 1, NULL);
  x->n++;
  if (i < BLK_NODES) {
    blk_lanes_copy(w->body, x->node[i], x->v, 1);
    return;
  }
  x->n = 0;
  if (x->batches++) blk_join(w, x->full, x->full, x->v, 1, NULL);
  else blk_lanes_copy(w->body, x->full, x->v, 1);
  if (x->batches < KIR_SCAN_SUPER >> BLK_NODES) return;
  x->batches = 0;
  prefix_push(w, x + 1, x->full);
}

static void take_turn(blk_joiner *w, blk_tier *x, const blk_unit *u,
                      blk_join_thread *own) {
  const blk_body *y = w->body;
  for (int i = 0; !u->at && i < KIR_SCAN_TIERS; i++) x[i].n = x[i].batches = 0;
  for (size_t i = 0; i < u->m; i++) {
    if (i >= u->first) prefix_of(w, x, blk_lane(y, own->prefix, i));
    if (u->total) prefix_push(w, x, blk_lane(y, own->total, i));
  }
}

/* ── units ──────────────────────────────────────────────────────────────────────────── */

static blk_unit unit_at(const blk_plan *p, const blk_join_shape *s, int64_t i) {
  blk_unit u = {.scan = is_scan(p), .total = !is_scan(p)};
  u.exclusive = p->k->exclusive;
  if (s->tiles == 1) {
    u.row = i * s->m;
    u.n = s->len;
    u.m = (size_t)min_i64(s->m, s->rows - u.row);
    u.first = u.m;
  } else {
    int64_t tile = i % s->units * s->m, last = s->tiles - 1;
    u.row = i / s->units;
    u.n = s->tile;
    u.m = (size_t)min_i64(s->m, last - tile);
    u.total = true;
    if (i % s->units == s->units - 1) {
      tile = last;
      u.n = s->len - last * s->tile;
      u.m = 1;
      u.total = !is_scan(p);
    }
    u.at = tile * s->tile;
    u.first = tile == 0;
  }
  blk_unit_measure(s, &u);
  return u;
}

/* What is behind the totals of unit i. */
static void scan_rest(blk_job *j, blk_thread *t, const blk_unit *u, int64_t i,
                      int64_t e0) {
  blk_join_thread *w = t->join;
  if (w->shape->tiles > 1) {
    if (!blk_wait_turn(j, i)) return;
    take_turn(&w->join, j->team[0].join->tier, u, w);
    blk_next_turn(j, i);
  }
  blk_tuple r = blk_join_aim(t, w->r, e0);
  blk_unit_down(w, u, r);
  blk_join_scanned(t, r, e0, u->at, u->n * (int64_t)u->m);
}

static void unit_task(blk_job *j, blk_thread *t, int64_t i) {
  blk_join_thread *w = t->join;
  const blk_plan *p = t->plan;
  const blk_join_shape *s = w->shape;
  const blk_body *y = w->join.body;
  blk_unit u = unit_at(p, s, i);
  int64_t e0 = u.row * s->len + u.at, n = u.n * (int64_t)u.m;
  if (blk_stopped(j)) return;
  if (s->from.at[0]) {
    blk_unit_up(w, &u, blk_lane(y, s->from, (size_t)e0));
  } else {
    blk_unit_up(w, &u, blk_join_make(t, w->x, e0, u.at, n));
  }
  if (u.scan) {
    scan_rest(j, t, &u, i, e0);
  } else if (s->tiles == 1) {
    blk_join_reduced(t, w->total, u.row, u.m);
  } else {
    size_t at = (size_t)(u.row * s->tiles + u.at / s->tile);
    blk_lanes_copy(y, blk_lane(y, s->to, at), w->total, u.m);
  }
}

/* ── a run ──────────────────────────────────────────────────────────────────────────── */

static void run_level(blk_pool *pool, blk_job *j, const blk_join_shape *s) {
  for (int i = 0; i < j->threads; i++) j->team[i].join->shape = s;
  j->task = unit_task;
  j->n_task = s->units;
  if (s->tiles > 1) j->n_task *= s->rows;
  blk_each(pool, j);
}

/* Levels of a reduce: each has a place for its totals, two of which are in use at a time. */
static bool run_levels(ctx *c, blk_pool *pool, blk_job *j, const blk_body *y,
                       blk_join_shape *s) {
  void *mem[2] = {NULL, NULL};
  bool ok = true;
  for (int i = 0; ok && s->tiles > 1 && !is_scan(j->team->plan); i = !i) {
    uintptr_t size = 0;
    size_t n = (size_t)(s->rows * s->tiles);
    blk_lanes_take(y, n, &size);
    mem_free(c, mem[i]);
    mem[i] = mem_alloc(c, size + 64);
    ok = mem[i] != NULL;
    if (!ok) break;
    uintptr_t at = ((uintptr_t)mem[i] + 63) & ~(uintptr_t)63;
    s->to = blk_lanes_take(y, n, &at);
    run_level(pool, j, s);
    s->from = s->to;
    s->len = s->tiles;
    measure(s);
  }
  if (ok) run_level(pool, j, s);
  mem_free(c, mem[0]);
  mem_free(c, mem[1]);
  return ok;
}

bool blk_join_run(ctx *c, blk_pool *pool, blk_job *j, const blk_body *y,
                  blk_join_shape *s) {
  const blk_plan *p = j->team[0].plan;
  for (int i = 0; i < j->threads; i++) {
    blk_join_thread *w = j->team[i].join;
    uintptr_t m = (uintptr_t)w + HEAD;
    layout(p, y, s, w, j->team[i].flags, &m);
    blk_joiner_init(&w->join);
    set_identity(p->k, w->identity);
    w->job = j;
    w->shape = s;
  }
  if (!in_order(p)) return run_levels(c, pool, j, y, s);
  return blk_line_run(c, pool, j, s);
}
