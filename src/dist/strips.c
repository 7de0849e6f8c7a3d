/* SPDX-License-Identifier: MIT */
/* strips.c - +\ of a vector of floats in parts, where it is computed: by strips of the scan tree (tables/fold.h).
 *
 *   part ─▶ the total of each strip, by step 4 ─▶ to the host: totals of tiles ─▶ to all ranks
 *   P ∘ off of each strip, by steps 4 to 6, on the host ─▶ beside the part's strips, each scanned as a line of its own,
 *   which is (run ∘ T) ∘ s: step 7 in one kernel
 *
 * Each rank has whole tiles, but for what remains behind the last one, which the host scans. A missing part is -0,
 * which changes no sum. What is not finite has the host scan it all (scan.c), which looks where that begins. */
#include "fold.h"
#include "../array/element.h"
#include "../fold/tree.h"
#include "../ir/build.h"
#include "../ir/device.h"
#include "fetch.h"
#include <assert.h>
#include <math.h>

typedef struct strips {
  first_fold *z;
  const ir_call *call;
  size_t size; /* bytes of an element */
  int64_t len, tile,
      n; /* elements of a strip, of a tile; whole strips of this rank's part */
  arr *part, *lines; /* owned; lines: strips */
  arr *sums, *carry; /* owned, on the host: each strip's total; P ∘ off */
  char *totals;      /* of tiles */
  fold_rows_of all;
} strips;

/* Strips as lines, of which the sums of groups are added: c of step 4; and that by neighbours. */
static arr *sums_of(const strips *s) {
  const ir_call *call = s->call;
  int64_t size[2] = {s->n, KIR_SCAN_GROUP};
  OWNED arr *c = NULL;
  for (int64_t at = 0; at < s->len; at += KIR_SCAN_GROUP) {
    OWNED arr *group = ir_box(call, s->lines, (int64_t[]){0, at}, size);
    arr *sum = c && group ? ir_dyadic(call, P_PLUS, c, group) : NULL;
    if (!c) sum = arr_move(&group);
    arr_release(c);
    c = sum;
    if (!c) return NULL;
  }
  OWNED arr *r = ir_reduce(call, P_PLUS, c, 1);
  if (!r || !ir_settle(call->g, r) || r->type != s->z->type) return NULL;
  if (!ir_download(call->g, r)) return NULL; /* as it is meant: no hint */
  return arr_move(&r);
}

static bool cut_strips(strips *s) {
  const ir_call *call = s->call;
  s->part = part_for(call, s->z->y);
  if (!s->part || !ir_settle(call->g, s->part) || s->part->type != s->z->type)
    return false;
  int64_t whole = s->part->count / s->tile * s->tile;
  s->n = whole / s->len;
  OWNED arr *rows = ir_box(call, s->part, (int64_t[]){0}, &whole);
  OWNED arr *shape = rows ? arr_int_vec(call->env.c, 2, (int64_t[]){s->n, s->len}) : NULL;
  s->lines = shape ? ir_dyadic(call, P_RHO, shape, rows) : NULL;
  s->sums = s->lines ? sums_of(s) : NULL;
  s->carry = s->sums ? arr_vec(call->env.c, s->z->type, s->n) : NULL;
  s->totals = s->carry ? mem_alloc(call->env.c, (size_t)s->n * s->size) : NULL;
  return s->totals;
}

/* ── what is before ── */

/* A sum of the type, of which a and b are: of floats it is that of doubles, rounded. */
static inline double add(double a, double b, bool single) {
  return single ? (double)(float)(a + b) : a + b;
}
static inline double value_at(const void *v, int64_t i, bool single) {
  return single ? (double)((const float *)v)[i] : ((const double *)v)[i];
}
static inline void put_at(void *v, int64_t i, double x, bool single) {
  if (single) ((float *)v)[i] = (float)x;
  else ((double *)v)[i] = x;
}

/* off ∘ S of a tile's last strip. */
static inline void tile_totals(const strips *s, bool single) {
  for (int64_t i = 0, t = 0; i < s->n; i += KIR_SCAN_STRIPS, t++) {
    double off = value_at(s->sums->host, i, single);
    for (int k = 1; k < KIR_SCAN_STRIPS; k++)
      off = add(off, value_at(s->sums->host, i + k, single), single);
    put_at(s->totals, t, off, single);
  }
}

/* The totals before a tile, by step 6: of each tier those of its super-tile that is not full, as a tree whose leaves are
 * the lanes: a total joins one of them, and changes what is above it. What is missing is -0. */
enum { LANES = TREE_BATCH };
typedef struct tier {
  double node[2 * LANES]; /* the root is 1, under i are 2i and 2i + 1 */
  int n;
} tier;
typedef struct prefix {
  tier tier[KIR_SCAN_TIERS];
  double above; /* what all tiers but the first come to */
} prefix;

static void tier_clear(tier *t) {
  for (int i = 0; i < 2 * LANES; i++) t->node[i] = -0.0;
  t->n = 0;
}

static inline void tier_push(tier *t, double total, bool single) {
  int i = LANES + t->n++ % LANES;
  t->node[i] = add(t->node[i], total, single);
  while (i /= 2) t->node[i] = add(t->node[2 * i], t->node[2 * i + 1], single);
}

static void super_tile_ends(prefix *p, bool single) {
  double total;
  for (int k = 0; k + 1 < KIR_SCAN_TIERS && p->tier[k].n == KIR_SCAN_SUPER; k++) {
    total = p->tier[k].node[1];
    tier_clear(&p->tier[k]);
    tier_push(&p->tier[k + 1], total, single);
  }
  p->above = -0.0;
  for (int k = KIR_SCAN_TIERS; --k;) p->above = add(p->above, p->tier[k].node[1], single);
}

static inline void push(prefix *p, double total, bool single) {
  tier_push(&p->tier[0], total, single);
  if (p->tier[0].n == KIR_SCAN_SUPER) super_tile_ends(p, single);
}

/* P ∘ off of each strip. False: one is not finite. */
static inline bool carries(const strips *s, bool single) {
  enum { POLL = 1 << 16 };
  prefix p = {.above = -0.0};
  const char *all = s->all.all;
  int64_t before = my_first(s->z->d, s->z->n) / s->tile,
          last = before + s->n / KIR_SCAN_STRIPS;
  bool finite = true;
  for (int k = 0; k < KIR_SCAN_TIERS; k++) tier_clear(&p.tier[k]);
  for (int64_t t = 0; t < before; t++) push(&p, value_at(all, t, single), single);
  for (int64_t t = before, i = 0; t < last; t++) {
    double from = add(p.above, p.tier[0].node[1], single), off = -0.0;
    for (int k = 0; k < KIR_SCAN_STRIPS; k++, i++) {
      double v = add(from, off, single);
      put_at(s->carry->host, i, v, single);
      finite &= v - v == 0;
      off = add(off, value_at(s->sums->host, i, single), single);
    }
    push(&p, value_at(all, t, single), single);
    if (t % POLL == 0 && interrupted(s->call->env.c)) return false;
  }
  return finite;
}

/* The elements behind the last whole tile, scanned; of none an empty vector. */
static arr *rest_of(const strips *s) {
  _Alignas(64) char room[4096 * KIR_SCAN_TIERS];
  uintptr_t mem = (uintptr_t)room;
  ctx *c = s->call->env.c;
  kty ty = s->size == 8 ? KF64 : KF32;
  tree t = tree_of(tree_loops_of(KF_ADD, ty), KF_ADD, ty);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert(mem <= (uintptr_t)room + sizeof room);
  int64_t whole = s->n * s->len, n = s->part->count - whole;
  size_t tiles = (size_t)(my_first(s->z->d, s->z->n) + whole) / (size_t)s->tile;
  OWNED arr *rest = ir_box(s->call, s->part, &whole, &n);
  OWNED arr *r = rest && ir_host(s->call->g, rest) ? arr_vec(c, s->z->type, n) : NULL;
  if (r) tree_scan_behind(&t, s->all.all, tiles, r->host, rest->host, (size_t)n);
  for (int64_t i = 0; r && i < n; i++)
    if (!isfinite(arr_get_float(r, i))) return NULL;
  return arr_move(&r);
}

/* The part of the result. */
static arr *strips_scanned(const strips *s) {
  const ir_call *call = s->call;
  int64_t shape[2] = {s->n, s->len}, whole = s->n * s->len;
  OWNED arr *own = ir_scan(call, P_PLUS, s->lines, 1);
  OWNED arr *before = own ? ir_spread(call, s->carry, 2, shape, (int[]){0}) : NULL;
  OWNED arr *sum = before ? ir_dyadic(call, P_PLUS, before, own) : NULL;
  OWNED arr *to = sum ? arr_int_vec(call->env.c, 1, &whole) : NULL;
  OWNED arr *r = to ? ir_dyadic(call, P_RHO, to, sum) : NULL;
  if (!r || s->part->count == whole) return arr_move(&r);
  OWNED arr *rest = rest_of(s);
  return rest ? side_by_side(call, r, rest) : NULL;
}

static arr *made(strips *s) {
  dist *d = s->z->d;
  bool single = s->size == 4;
  inside_begin(d);
  bool ok = cut_strips(s);
  if (ok && single) tile_totals(s, true);
  else if (ok) tile_totals(s, false);
  for (int r = 0; r < d->ranks; r++)
    s->z->rows[r] = cut_at(s->z->n, d->ranks, r + 1) / s->tile -
                    cut_at(s->z->n, d->ranks, r) / s->tile;
  ok = ok && fold_room(d, &s->all, s->z->rows, s->size);
  inside_end(d);
  if (!fold_agreed(s->z, ok) || !fold_gather(d, &s->all, s->totals)) return NULL;
  inside_begin(d);
  ok = single ? carries(s, true) : carries(s, false);
  OWNED arr *r = ok ? strips_scanned(s) : NULL;
  ok = r && ir_settle(s->call->g, r) && r->type == s->z->type;
  inside_end(d);
  return fold_agreed(s->z, ok) ? arr_move(&r) : NULL;
}

arr *scan_by_strips(first_fold *z) {
  strips s = {.z = z, .call = z->call, .size = z->type == ET_F32 ? 4 : 8};
  s.len = tree_strip_len(s.size);
  s.tile = KIR_SCAN_TILE((int64_t)s.size);
  arr *r = made(&s);
  arr_release(s.part);
  arr_release(s.lines);
  arr_release(s.sums);
  arr_release(s.carry);
  mem_free(z->d->c, s.totals);
  fold_room_free(z->d, &s.all);
  return cut_array(z->call, r, 1, z->y->shape);
}
