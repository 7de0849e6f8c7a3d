/* SPDX-License-Identifier: MIT */
/* fold_unit.c - the scan tree of tables/fold.h within some tiles or lines, for a join.
 *
 * All groups of the unit go side by side, one a lane: a step of the tree is a join of two rows
 * of lanes, and steps that are alike for several quads are one join of as many rows. A group
 * that is not full would leave holes in these rows, so it has rows of its own, with those of
 * the unit's other segments.
 *
 *   element        x[segment][group][quad][j]   ──▶   s[j][quad][group]
 *
 * Lanes are sorted by the group's place r in its strip, then by strip, then by segment: what
 * joins groups into strips, and strips into tiles, then joins neighbouring lanes as well.
 *
 * Only joins that some result depends on are made, or else what they raise is not looked at. */
#include "fold_join.h"

#include <string.h>

/* ── lanes ──────────────────────────────────────────────────────────────────────────── */

void blk_unit_measure(const blk_join_shape *s, blk_unit *u) {
  u->groups = u->n / KIR_SCAN_GROUP;
  u->whole_of = u->groups / s->strip;
  u->tail = u->groups % s->strip;
  u->strips = ceil_div(u->n, s->strip * KIR_SCAN_GROUP);
}

/* Strips of a segment that have a whole group number r; the lane of the first one. */
static int64_t strips_with(const blk_unit *u, int64_t r) {
  return u->whole_of + (r < u->tail);
}
static size_t lane_of(const blk_unit *u, int64_t r) {
  return (size_t)(r * u->whole_of + min_i64(r, u->tail)) * u->m;
}

static size_t pitch_of(size_t w) {
  if (w <= BLK_UNI / 2) return w;
  return round_up_u64(w, BLK_UNI);
}

/* `last`: where the last group of a segment is, none of whose joins over quad 31 may count. */
static void set_masks(blk_groups *g, size_t last, size_t n_last) {
  memset(g->pad, 0, g->pitch);
  memset(g->pad + g->w, 1, g->pitch - g->w);
  memcpy(g->skip, g->pad, g->pitch);
  memset(g->skip + last, 1, n_last);
}

static void set_whole(blk_join_thread *w, const blk_unit *u) {
  const blk_join_shape *s = w->shape;
  blk_groups *g = &w->whole;
  bool ends = u->n % KIR_SCAN_GROUP == 0 && !u->total;
  int64_t last = u->groups - 1;
  g->w = (size_t)u->groups * u->m;
  g->pitch = pitch_of(g->w);
  g->quads = BLK_GROUP_QUADS;
  g->last = 4;
  g->no_run = lane_of(u, 1);
  if (s->strip == 1) g->no_run = g->w;
  if (!g->w) return;
  set_masks(g, lane_of(u, last % s->strip) + (size_t)(last / s->strip) * u->m,
            ends ? u->m : 0);
  for (int64_t i = 0; i < u->groups; i++)
    for (size_t k = 0; k < u->m; k++)
      g->at[lane_of(u, i % s->strip) + (size_t)(i / s->strip) * u->m + k] =
          (uint32_t)((int64_t)k * u->n + i * KIR_SCAN_GROUP);
}

static void set_part(blk_join_thread *w, const blk_unit *u) {
  blk_groups *g = &w->part;
  size_t n = (size_t)u->n % KIR_SCAN_GROUP;
  g->w = n ? u->m : 0;
  g->pitch = pitch_of(g->w);
  g->quads = (n + 3) / 4;
  g->last = n % 4 ? n % 4 : 4;
  g->no_run = u->tail ? 0 : g->w;
  if (!g->w) return;
  set_masks(g, 0, u->total ? 0 : g->w);
  for (size_t k = 0; k < u->m; k++)
    g->at[k] = (uint32_t)((int64_t)k * u->n + u->groups * KIR_SCAN_GROUP);
}

static blk_tuple row(const blk_join_thread *w, const blk_groups *g, blk_tuple t,
                     size_t q) {
  return blk_lane(w->join.body, t, q * g->pitch);
}

static size_t rows_with(const blk_groups *g, size_t j) {
  return g->quads - (j >= g->last);
}

/* ── memory and lanes ───────────────────────────────────────────────────────────────── */

/* The elements of groups' last quads, which are not whole, to or from their rows. */
static void move_last(const blk_groups *g, uint32_t c, size_t size, char *x, bool in) {
  size_t q = g->quads - 1;
  for (size_t j = 0; j < g->last; j++) {
    char *lanes = g->s[j].at[c] + q * g->pitch * size;
    for (size_t l = 0; l < g->pitch; l++) {
      char *at = x + (g->at[l < g->w ? l : g->w - 1] + 4 * q + j) * size;
      if (in) memcpy(lanes + l * size, at, size);
      else if (l < g->w) memcpy(at, lanes + l * size, size);
    }
  }
}

/* Lanes are so many streams that the processor sees none: asks for where results will go. */
static void prefetch(const blk_body *y, blk_tuple r, int64_t n) {
  for (uint32_t c = 0; c < y->n; c++)
    for (size_t i = 0; i < (size_t)n * y->size[c]; i += 64)
      __builtin_prefetch(r.at[c] + i, 1);
}

/* All values of the unit's groups, between memory and rows of lanes. */
static void move(const blk_body *y, const blk_groups *g, blk_tuple x, bool in) {
  const blk_quads *loops = y->many.isa->quads;
  blk_quad_rows m = {.at = g->at, .w = g->w, .pitch = g->pitch, .quads = g->quads};
  if (g->last < 4) m.quads--;
  for (uint32_t c = 0; c < y->n; c++) {
    int kind = blk_size((kty)y->many.cell[y->arg_many[c]].ty);
    for (size_t j = 0; j < 4; j++) m.row[j] = g->s[j].at[c];
    if (in) loops->split[kind](&m, x.at[c]);
    else loops->unsplit[kind](&m, x.at[c]);
    if (g->last < 4) move_last(g, c, y->size[c], x.at[c], in);
  }
}

/* ── groups ─────────────────────────────────────────────────────────────────────────── */

/* n rows, or the lanes from `lane` on of one row. */
static void join_rows(blk_join_thread *w, const blk_groups *g, blk_tuple r, blk_tuple a,
                      blk_tuple b, size_t n) {
  blk_mask pads = {g->pad, g->pitch, false};
  if (n) blk_join(&w->join, r, a, b, n * g->pitch, g->w == g->pitch ? NULL : &pads);
}

/* One row, of whose lanes those of a segment's last group have no part. */
static void join_last(blk_join_thread *w, const blk_groups *g, blk_tuple r, blk_tuple a,
                      blk_tuple b) {
  blk_mask skip = {g->skip, g->pitch, false};
  blk_join(&w->join, r, a, b, g->pitch, &skip);
}

static void scan_quads(blk_join_thread *w, const blk_groups *g, const blk_unit *u) {
  for (size_t j = 1; j < 4; j++) {
    size_t rows = rows_with(g, j), last = g->quads - 1;
    bool ends = u->exclusive && rows == g->quads && j + 1 == g->last;
    if (ends) rows--; /* nothing comes behind some of these */
    join_rows(w, g, g->s[j], g->s[j - 1], g->s[j], rows);
    if (ends)
      join_last(w, g, row(w, g, g->s[j], last), row(w, g, g->s[j - 1], last),
                row(w, g, g->s[j], last));
  }
  blk_lanes_copy(w->join.body, g->t, g->s[3], (g->quads - 1) * g->pitch);
  blk_lanes_copy(w->join.body, row(w, g, g->t, g->quads - 1),
                 row(w, g, g->s[g->last - 1], g->quads - 1), g->pitch);
}

/* Step 2. A reduce makes only what the total needs: a join over every 2, 4, … quads. */
static void scan_totals(blk_join_thread *w, const blk_groups *g, const blk_unit *u) {
  for (size_t k = 0; k < BLK_NODES; k++)
    for (size_t q = 0; q < g->quads; q++) {
      blk_tuple left = row(w, g, g->t, (q >> k << k) - 1), at = row(w, g, g->t, q);
      bool needed = u->scan || q == g->quads - 1 || (q + 1) % ((size_t)2 << k) == 0;
      if (!(q >> k & 1) || !needed) continue;
      if (q == g->quads - 1) join_last(w, g, at, left, at);
      else join_rows(w, g, at, left, at, 1);
    }
}

/* ── strips ─────────────────────────────────────────────────────────────────────────── */

/* Steps 3 and 4: run, and the strips' totals. */
static void scan_groups(blk_join_thread *w, const blk_unit *u) {
  const blk_join_shape *s = w->shape;
  const blk_body *y = w->join.body;
  blk_groups *g = &w->whole;
  blk_tuple total = row(w, g, g->t, BLK_GROUP_QUADS - 1);
  int64_t needed = u->total ? u->whole_of : min_i64(u->whole_of, u->strips - 1);
  for (int64_t r = 1; r < s->strip && strips_with(u, r); r++) {
    size_t n = (size_t)strips_with(u, r) * u->m, l = lane_of(u, r - 1);
    blk_tuple to = blk_lane(y, g->run, lane_of(u, r)), last = blk_lane(y, total, l);
    if (r == 1) blk_lanes_copy(y, to, last, n);
    else blk_join(&w->join, to, blk_lane(y, g->run, l), last, n, NULL);
  }
  size_t n = (size_t)needed * u->m, l = lane_of(u, s->strip - 1);
  if (s->strip == 1) blk_lanes_copy(y, w->strip, total, n);
  else if (n)
    blk_join(&w->join, w->strip, blk_lane(y, g->run, l), blk_lane(y, total, l), n, NULL);
  if (!g->w || g->w == g->pitch) return;
  for (size_t i = g->w; i < g->pitch; i++)
    blk_lanes_copy(y, blk_lane(y, g->run, i), blk_lane(y, g->run, g->w - 1), 1);
}

/* The strip that is not whole: what comes before its part of a group, and its total. */
static void scan_tail(blk_join_thread *w, const blk_unit *u) {
  const blk_body *y = w->join.body;
  blk_groups *g = &w->whole, *p = &w->part;
  blk_tuple total = row(w, g, g->t, BLK_GROUP_QUADS - 1), tail = p->run;
  blk_tuple to = blk_lane(y, w->strip, (size_t)u->whole_of * u->m);
  if (u->tail && (p->w || u->total)) {
    size_t l = lane_of(u, u->tail - 1) + (size_t)u->whole_of * u->m;
    if (u->tail == 1) blk_lanes_copy(y, tail, blk_lane(y, total, l), u->m);
    else
      blk_join(&w->join, tail, blk_lane(y, g->run, l), blk_lane(y, total, l), u->m, NULL);
  }
  if (!u->total) return;
  if (p->w && u->tail)
    blk_join(&w->join, to, tail, row(w, p, p->t, p->quads - 1), u->m, NULL);
  else if (p->w) blk_lanes_copy(y, to, row(w, p, p->t, p->quads - 1), u->m);
  else if (u->tail) blk_lanes_copy(y, to, tail, u->m);
}

/* off, and the segments' totals. */
static void scan_strips(blk_join_thread *w, const blk_unit *u) {
  const blk_body *y = w->join.body;
  size_t last = (size_t)(u->strips - 1) * u->m;
  for (size_t k = u->m; k <= last; k += u->m) {
    blk_tuple to = blk_lane(y, w->off, k), s = blk_lane(y, w->strip, k - u->m);
    if (k == u->m) blk_lanes_copy(y, to, s, u->m);
    else blk_join(&w->join, to, blk_lane(y, w->off, k - u->m), s, u->m, NULL);
  }
  if (!u->total) return;
  if (!last) blk_lanes_copy(y, w->total, w->strip, u->m);
  else
    blk_join(&w->join, w->total, blk_lane(y, w->off, last), blk_lane(y, w->strip, last),
             u->m, NULL);
}

void blk_unit_up(blk_join_thread *w, const blk_unit *u, blk_tuple x) {
  blk_groups *both[2] = {&w->whole, &w->part};
  set_whole(w, u);
  set_part(w, u);
  for (int i = 0; i < 2; i++) {
    if (!both[i]->w) continue;
    move(w->join.body, both[i], x, true);
    scan_quads(w, both[i], u);
    scan_totals(w, both[i], u);
  }
  scan_groups(w, u);
  scan_tail(w, u);
  scan_strips(w, u);
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

/* P ∘ off for each strip: rows of segments, of which the first row lacks u->first. */
static void make_base(blk_join_thread *w, const blk_unit *u) {
  const blk_body *y = w->join.body;
  size_t some = u->m - u->first;
  if (some)
    blk_lanes_copy(y, blk_lane(y, w->base, u->first), blk_lane(y, w->prefix, u->first),
                   some);
  for (size_t k = u->m; k < (size_t)u->strips * u->m; k += u->m) {
    blk_tuple to = blk_lane(y, w->base, k), off = blk_lane(y, w->off, k);
    blk_lanes_copy(y, to, off, u->first);
    if (some)
      blk_join(&w->join, blk_lane(y, to, u->first), blk_lane(y, w->prefix, u->first),
               blk_lane(y, off, u->first), some, NULL);
  }
}

/* How many rows `before` holds. */
static size_t rows_at_once(const blk_groups *g) {
  return max_u64(1, min_u64(g->quads, BLK_MAX / g->pitch));
}

/* A row has been made: pads, and copies of it. */
static void repeat_before(const blk_body *y, blk_groups *g) {
  for (size_t i = g->w; i < g->pitch; i++)
    blk_lanes_copy(y, blk_lane(y, g->before, i), blk_lane(y, g->before, g->w - 1), 1);
  for (size_t i = 1; i < rows_at_once(g); i++)
    blk_lanes_copy(y, blk_lane(y, g->before, i * g->pitch), g->before, g->pitch);
}

static void set_before(blk_join_thread *w, const blk_unit *u) {
  const blk_body *y = w->join.body;
  const blk_join_shape *s = w->shape;
  blk_groups *g = &w->whole, *p = &w->part;
  size_t last = (size_t)(u->strips - 1) * u->m;
  g->alone = p->alone = 0;
  memcpy(g->keep, g->pad, g->pitch);
  for (int64_t r = 0; g->w && r < s->strip; r++) {
    size_t n = (size_t)strips_with(u, r) * u->m, l = lane_of(u, r), alone = u->first;
    if (alone > n) alone = n;
    blk_lanes_copy(y, blk_lane(y, g->before, l), w->base, n);
    memset(g->keep + l, 1, alone);
    g->alone += alone;
  }
  if (g->w && g->alone < g->w) repeat_before(y, g);
  if (!p->w) return;
  memcpy(p->keep, p->pad, p->pitch);
  if (!last) p->alone = u->first;
  memset(p->keep, 1, p->alone);
  blk_lanes_copy(y, p->before, blk_lane(y, w->base, last), p->w);
  if (p->alone < p->w) repeat_before(y, p);
}

/* `before` joins n rows from the left. */
static void join_before(blk_join_thread *w, const blk_groups *g, blk_tuple r, size_t n) {
  const blk_body *y = w->join.body;
  size_t at_once = rows_at_once(g), some;
  blk_mask keep = {g->keep, g->pitch, g->alone != 0};
  if (g->alone == g->w) return;
  for (size_t q = 0; q < n; q += some) {
    some = min_u64(at_once, n - q);
    blk_tuple at = blk_lane(y, r, q * g->pitch);
    blk_join(&w->join, at, g->before, at, some * g->pitch,
             g->alone || g->w != g->pitch ? &keep : NULL);
  }
}

/* run joins, from the left, the lanes of a row that have it: r = run ∘ x. */
static void join_run(blk_join_thread *w, const blk_groups *g, blk_tuple r, blk_tuple x) {
  const blk_body *y = w->join.body;
  size_t l = g->no_run;
  if (l < g->w)
    blk_join(&w->join, blk_lane(y, r, l), blk_lane(y, g->run, l), blk_lane(y, x, l),
             g->w - l, NULL);
}

static void inclusive(blk_join_thread *w, const blk_groups *g) {
  for (size_t j = 0; j < 4; j++) {
    size_t rows = rows_with(g, j);
    if (!rows) continue;
    blk_tuple behind = row(w, g, g->s[j], 1);
    join_rows(w, g, behind, g->t, behind, rows - 1);
    join_run(w, g, g->s[j], g->s[j]);
    join_before(w, g, g->s[j], rows);
  }
}

/* Element j is made of what s has for the one before it, from the last one on. A group's first
 * has only what comes before the group. */
static void exclusive(blk_join_thread *w, const blk_groups *g) {
  const blk_body *y = w->join.body;
  for (size_t j = 4; j-- > 1;) {
    size_t rows = rows_with(g, j);
    if (!rows) continue;
    join_rows(w, g, row(w, g, g->s[j], 1), g->t, row(w, g, g->s[j - 1], 1), rows - 1);
    blk_lanes_copy(y, g->s[j], g->s[j - 1], min_u64(g->no_run, g->w));
    join_run(w, g, g->s[j], g->s[j - 1]);
    join_before(w, g, g->s[j], rows);
  }
  blk_tuple first = g->s[0];
  blk_lanes_copy(y, row(w, g, first, 1), g->t, (g->quads - 1) * g->pitch);
  join_before(w, g, row(w, g, first, 1), g->quads - 1);
  for (size_t l = 0; l < g->w; l++) {
    blk_tuple to = blk_lane(y, first, l), run = blk_lane(y, g->run, l);
    bool has_run = l >= g->no_run, alone = g->keep[l];
    if (has_run && !alone)
      blk_join(&w->join, to, blk_lane(y, g->before, l), run, 1, NULL);
    else if (has_run) blk_lanes_copy(y, to, run, 1);
    else if (alone) blk_lanes_copy(y, to, w->identity, 1);
    else blk_lanes_copy(y, to, blk_lane(y, g->before, l), 1);
  }
}

void blk_unit_down(blk_join_thread *w, const blk_unit *u, blk_tuple r) {
  blk_groups *both[2] = {&w->whole, &w->part};
  prefetch(w->join.body, r, u->n * (int64_t)u->m);
  make_base(w, u);
  set_before(w, u);
  for (int i = 0; i < 2; i++) {
    blk_groups *g = both[i];
    if (!g->w) continue;
    for (size_t q = 0; q + 1 < g->quads; q++)
      join_run(w, g, row(w, g, g->t, q), row(w, g, g->t, q));
    if (u->exclusive) exclusive(w, g);
    else inclusive(w, g);
    move(w->join.body, g, r, false);
  }
}

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

typedef struct limits {
  size_t whole, part, part_rows, strips, elements, m;
} limits;

static void add_limits(limits *l, const blk_join_shape *s, int64_t n, int64_t m) {
  blk_unit u = {.n = n, .m = (size_t)m};
  blk_unit_measure(s, &u);
  size_t whole = pitch_of((size_t)u.groups * u.m);
  size_t part = n % KIR_SCAN_GROUP ? pitch_of(u.m) : 0;
  size_t rows = (size_t)ceil_div(n % KIR_SCAN_GROUP, 4) * part;
  l->whole = max_u64(l->whole, whole);
  l->part = max_u64(l->part, part);
  l->part_rows = max_u64(l->part_rows, rows);
  l->strips = max_u64(l->strips, (size_t)u.strips * u.m);
  l->elements = max_u64(l->elements, (size_t)n * u.m);
  l->m = max_u64(l->m, u.m);
}

static void take_groups(const blk_body *y, blk_groups *g, size_t pitch, size_t m,
                        size_t lanes, uintptr_t *mem) {
  for (int j = 0; j < 4; j++) g->s[j] = blk_lanes_take(y, lanes, mem);
  g->t = blk_lanes_take(y, lanes, mem);
  g->run = blk_lanes_take(y, max_u64(pitch, m), mem);
  g->before = blk_lanes_take(y, max_u64(pitch, BLK_MAX), mem);
  g->pad = blk_take(mem, pitch);
  g->skip = blk_take(mem, pitch);
  g->keep = blk_take(mem, pitch);
  g->at = blk_take(mem, pitch * sizeof *g->at);
}

void blk_unit_take(const blk_body *y, const blk_join_shape *s, blk_join_thread *w,
                   uintptr_t *mem) {
  limits l = {0};
  blk_join_shape level = *s;
  for (;; level.len = level.tiles) { /* a reduce folds totals, and so on */
    level.tiles = ceil_div(level.len, s->tile);
    if (level.tiles == 1) {
      int64_t m = min_i64(BLK_UNIT / level.len, BLK_UNIT_LINES);
      add_limits(&l, s, level.len, max_i64(1, min_i64(m, level.rows)));
      break;
    }
    add_limits(&l, s, s->tile, max_i64(1, BLK_UNIT / s->tile));
    add_limits(&l, s, level.len - (level.tiles - 1) * s->tile, 1);
  }
  take_groups(y, &w->whole, l.whole, l.m, BLK_GROUP_QUADS * l.whole, mem);
  take_groups(y, &w->part, l.part, l.m, l.part_rows, mem);
  w->x = blk_lanes_take(y, l.elements, mem);
  w->r = blk_lanes_take(y, l.elements, mem);
  w->strip = blk_lanes_take(y, l.strips, mem);
  w->off = blk_lanes_take(y, l.strips, mem);
  w->base = blk_lanes_take(y, l.strips, mem);
  w->prefix = blk_lanes_take(y, l.m, mem);
  w->total = blk_lanes_take(y, l.m, mem);
}
