/* SPDX-License-Identifier: MIT */
/* strips.c - +\ of a vector of floats in parts, where it is computed: by strips of the scan tree (tables/fold.h).
 *
 *   part ─▶ the total of each strip, by step 4 ─▶ of each tile, by step 5 ─▶ to the host: P of each tile, by step 6, from
 *   these and from what the ranks before tell of theirs: super-tiles' totals, and tiles' of those that lie on several ranks
 *   P ─▶ P ∘ off of each strip ─▶ beside the part's strips, each scanned as a line of its own, which is (run ∘ T) ∘ s:
 *   step 7 in one kernel
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
  int64_t len, tile, n,
      tiles; /* elements of a strip, of a tile; whole strips and tiles of this rank's part */
  arr *part, *lines; /* owned; lines: strips */
  arr *sums; /* owned: each strip's total, those of all tiles' first strips first */
  arr *totals, *told,
      *before; /* owned, on the host: tiles' totals; what this rank tells of them; P of each tile */
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
  return ir_reduce(call, P_PLUS, c, 1);
}

/* The total of strip number k of each tile. */
static arr *strip_sums(const strips *s, int k) {
  int64_t at = k * s->tiles;
  return ir_box(s->call, s->sums, &at, &s->tiles);
}

/* So many strips of each tile, the first ones, joined from the first to the last. */
static arr *strips_joined(const strips *s, int n) {
  OWNED arr *r = strip_sums(s, 0);
  for (int k = 1; r && k < n; k++) {
    OWNED arr *next = strip_sums(s, k);
    arr *sum = next ? ir_dyadic(s->call, P_PLUS, r, next) : NULL;
    arr_release(r);
    r = sum;
  }
  return arr_move(&r);
}

/* r with its elements and of the type that it should have; else NULL. */
static arr *made_of_type(const strips *s, arr *r) {
  OWNED arr *own = r;
  bool ok = own && ir_settle(s->call->g, own) && own->type == s->z->type;
  return ok ? arr_move(&own) : NULL;
}

static bool find_sums(strips *s) {
  const ir_call *call = s->call;
  OWNED arr *each = sums_of(s);
  OWNED arr *shape =
      each ? arr_int_vec(call->env.c, 2, (int64_t[]){s->tiles, KIR_SCAN_STRIPS}) : NULL;
  OWNED arr *table = shape ? ir_dyadic(call, P_RHO, shape, each) : NULL;
  OWNED arr *turned = table ? ir_monadic(call, P_TRANSPOSE, table) : NULL;
  s->sums = made_of_type(s, turned ? ir_monadic(call, P_COMMA, turned) : NULL);
  if (s->sums) s->totals = made_of_type(s, strips_joined(s, KIR_SCAN_STRIPS));
  return s->totals && ir_download(call->g, s->totals); /* as it is meant: no hint */
}

static bool cut_strips(strips *s) {
  const ir_call *call = s->call;
  s->part = part_for(call, s->z->y);
  if (!s->part || !ir_settle(call->g, s->part) || s->part->type != s->z->type)
    return false;
  int64_t whole = s->part->count / s->tile * s->tile;
  s->n = whole / s->len;
  s->tiles = whole / s->tile;
  OWNED arr *rows = ir_box(call, s->part, (int64_t[]){0}, &whole);
  OWNED arr *shape = rows ? arr_int_vec(call->env.c, 2, (int64_t[]){s->n, s->len}) : NULL;
  s->lines = shape ? ir_dyadic(call, P_RHO, shape, rows) : NULL;
  return s->lines && find_sums(s);
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

/* A super-tile of that total ends. */
static void super_tile_ends(prefix *p, double total, bool single) {
  tier_clear(&p->tier[0]);
  for (int k = 1; k < KIR_SCAN_TIERS; k++) {
    tier_push(&p->tier[k], total, single);
    if (p->tier[k].n < KIR_SCAN_SUPER) break;
    total = p->tier[k].node[1];
    tier_clear(&p->tier[k]);
  }
  p->above = -0.0;
  for (int k = KIR_SCAN_TIERS; --k;) p->above = add(p->above, p->tier[k].node[1], single);
}

static inline void push(prefix *p, double total, bool single) {
  tier_push(&p->tier[0], total, single);
  if (p->tier[0].n == KIR_SCAN_SUPER) super_tile_ends(p, p->tier[0].node[1], single);
}

static void prefix_clear(prefix *p) {
  for (int k = 0; k < KIR_SCAN_TIERS; k++) tier_clear(&p->tier[k]);
  p->above = -0.0;
}

/* What rank r tells. */
static fold_told told_by(const strips *s, int r) {
  int64_t n = s->z->n, from = cut_at(n, s->z->d->ranks, r),
          to = cut_at(n, s->z->d->ranks, r + 1);
  return fold_told_of(from / s->tile, to / s->tile, KIR_SCAN_SUPER);
}

/* What is above the leaves. */
static inline void tier_nodes(tier *t, bool single) {
  for (int i = LANES; --i;) t->node[i] = add(t->node[2 * i], t->node[2 * i + 1], single);
}

/* A batch of totals; root[k] is what came before its number k. One by one each would wait for the one before. */
static inline void tier_push_batch(tier *t, const double *total, double *root,
                                   bool single) {
  double was[2 * LANES];
  memcpy(was, t->node, sizeof was);
  for (int k = 0; k < LANES; k++) {
    root[k] = was[LANES + k];
    t->node[LANES + k] = add(root[k], total[k], single);
  }
  tier_nodes(t, single);
  for (int level = 0; LANES >> level; level++)
    for (int k = 0, i; k < LANES && (i = (LANES + k) >> level) > 1; k++)
      root[k] =
          i & 1 ? add(t->node[i - 1], root[k], single) : add(root[k], was[i + 1], single);
  t->n += LANES;
}

/* The total of a super-tile of these tiles. */
static inline double super_total(const strips *s, int64_t from, bool single) {
  tier t;
  tier_clear(&t);
  for (int64_t i = 0; i < KIR_SCAN_SUPER; i++) {
    double *leaf = &t.node[LANES + i % LANES];
    *leaf = add(*leaf, value_at(s->totals->host, from + i, single), single);
  }
  tier_nodes(&t, single);
  return t.node[1];
}

static inline bool tell(strips *s, bool single) {
  fold_told t = told_by(s, s->z->d->me);
  int64_t last = t.head + t.whole, end = t.head + t.whole * KIR_SCAN_SUPER;
  s->told = arr_vec(s->call->env.c, s->z->type, last + t.tail);
  if (!s->told) return false;
  arr_copy(s->told, 0, s->totals, 0, t.head);
  for (int64_t i = 0; i < t.whole; i++)
    put_at(s->told->host, t.head + i, super_total(s, t.head + i * KIR_SCAN_SUPER, single),
           single);
  arr_copy(s->told, last, s->totals, end, t.tail);
  return true;
}

/* What ranks before this one told. */
static void take_told(const strips *s, prefix *p, bool single) {
  int64_t at = 0;
  for (int r = 0; r < s->z->d->me; r++) {
    fold_told t = told_by(s, r);
    for (int64_t end = at + t.head; at < end; at++)
      push(p, value_at(s->all.all, at, single), single);
    for (int64_t end = at + t.whole; at < end; at++)
      super_tile_ends(p, value_at(s->all.all, at, single), single);
    for (int64_t end = at + t.tail; at < end; at++)
      push(p, value_at(s->all.all, at, single), single);
  }
}

/* P of each tile, and in *p what all of them come to. False: one is not finite. */
static inline bool find_before(strips *s, prefix *p, bool single) {
  double root[LANES], total[LANES];
  tier *t = &p->tier[0];
  bool finite = true;
  prefix_clear(p);
  take_told(s, p, single);
  s->before = arr_vec(s->call->env.c, s->z->type, s->tiles);
  for (int64_t i = 0, n; s->before && i < s->tiles; i += n) {
    n = t->n % LANES == 0 && i + LANES <= s->tiles ? LANES : 1;
    for (int k = 0; k < n; k++) total[k] = value_at(s->totals->host, i + k, single);
    root[0] = t->node[1];
    if (n > 1) tier_push_batch(t, total, root, single);
    else tier_push(t, total[0], single);
    for (int k = 0; k < n; k++) {
      double from = add(p->above, root[k], single);
      put_at(s->before->host, i + k, from, single);
      finite &= from - from == 0;
    }
    if (t->n == KIR_SCAN_SUPER) super_tile_ends(p, t->node[1], single);
    if (t->n == 0 && interrupted(s->call->env.c)) return false;
  }
  return s->before && finite;
}

/* The elements behind the last whole tile, scanned behind P, which is like the total of one tile before; of none an
 * empty vector. */
static arr *rest_of(const strips *s, const prefix *p) {
  _Alignas(64) char room[4096 * KIR_SCAN_TIERS];
  uintptr_t mem = (uintptr_t)room;
  ctx *c = s->call->env.c;
  kty ty = s->size == 8 ? KF64 : KF32;
  tree t = tree_of(tree_loops_of(KF_ADD, ty), KF_ADD, ty);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert(mem <= (uintptr_t)room + sizeof room);
  int64_t whole = s->n * s->len, n = s->part->count - whole;
  double before = add(p->above, p->tier[0].node[1], s->size == 4);
  OWNED arr *total = arr_vec(c, s->z->type, 1);
  OWNED arr *rest = total ? ir_box(s->call, s->part, &whole, &n) : NULL;
  OWNED arr *r = rest && ir_host(s->call->g, rest) ? arr_vec(c, s->z->type, n) : NULL;
  if (!r) return NULL;
  put_at(total->host, 0, before, s->size == 4);
  tree_scan_behind(&t, total->host, my_first(s->z->d, s->z->n) + whole > 0, r->host,
                   rest->host, (size_t)n);
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(arr_get_float(r, i))) return NULL;
  return arr_move(&r);
}

/* P ∘ off of each strip. */
static arr *before_strips(const strips *s) {
  const ir_call *call = s->call;
  OWNED arr *all = arr_retain(s->before), *off = NULL;
  for (int k = 0; all && k + 1 < KIR_SCAN_STRIPS; k++) {
    OWNED arr *sum = strip_sums(s, k);
    arr *more = sum && off ? ir_dyadic(call, P_PLUS, off, sum) : NULL;
    if (!off) more = arr_move(&sum);
    arr_release(off);
    off = more;
    OWNED arr *v = off ? ir_dyadic(call, P_PLUS, s->before, off) : NULL;
    arr *both = v ? side_by_side(call, all, v) : NULL;
    arr_release(all);
    all = both;
  }
  const int64_t shape[2] = {KIR_SCAN_STRIPS, s->tiles};
  OWNED arr *to = all ? arr_int_vec(call->env.c, 2, shape) : NULL;
  OWNED arr *table = to ? ir_dyadic(call, P_RHO, to, all) : NULL;
  OWNED arr *turned = table ? ir_monadic(call, P_TRANSPOSE, table) : NULL;
  return made_of_type(s, turned ? ir_monadic(call, P_COMMA, turned) : NULL);
}

/* The part of the result: one kernel, if what is beside the lines is a view. */
static arr *strips_scanned(const strips *s, const prefix *p) {
  const ir_call *call = s->call;
  const int64_t shape[2] = {s->n, s->len}, whole = s->n * s->len;
  OWNED arr *carry = before_strips(s);
  OWNED arr *own = carry ? ir_scan(call, P_PLUS, s->lines, 1) : NULL;
  OWNED arr *before = own ? ir_spread(call, carry, 2, shape, (int[]){0}) : NULL;
  OWNED arr *sum = before ? ir_dyadic(call, P_PLUS, before, own) : NULL;
  OWNED arr *r = sum ? ir_monadic(call, P_COMMA, sum) : NULL;
  if (!r || s->part->count == whole) return arr_move(&r);
  OWNED arr *rest = rest_of(s, p);
  return rest ? side_by_side(call, r, rest) : NULL;
}

static arr *made(strips *s) {
  dist *d = s->z->d;
  bool single = s->size == 4;
  prefix p;
  inside_begin(d);
  bool ok = cut_strips(s);
  if (ok) ok = single ? tell(s, true) : tell(s, false);
  for (int r = 0; r < d->ranks; r++) {
    fold_told t = told_by(s, r);
    s->z->rows[r] = t.head + t.whole + t.tail;
  }
  ok = ok && fold_room(d, &s->all, s->z->rows, s->size);
  inside_end(d);
  if (!fold_agreed(s->z, ok) || !fold_gather(d, &s->all, s->told->host)) return NULL;
  inside_begin(d);
  ok = single ? find_before(s, &p, true) : find_before(s, &p, false);
  OWNED arr *r = ok ? made_of_type(s, strips_scanned(s, &p)) : NULL;
  inside_end(d);
  return fold_agreed(s->z, r) ? arr_move(&r) : NULL;
}

arr *scan_by_strips(first_fold *z) {
  strips s = {.z = z, .call = z->call, .size = z->type == ET_F32 ? 4 : 8};
  s.len = tree_strip_len(s.size);
  s.tile = KIR_SCAN_TILE((int64_t)s.size);
  arr *r = made(&s);
  arr *own[] = {s.part, s.lines, s.sums, s.totals, s.told, s.before};
  for (size_t i = 0; i < ARRAY_LEN(own); i++) arr_release(own[i]);
  fold_room_free(z->d, &s.all);
  return cut_array(z->call, r, 1, z->y->shape);
}
