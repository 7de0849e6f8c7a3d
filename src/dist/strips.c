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
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../fold/tree.h"
#include "../ir/build.h"
#include "../prim/move.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { LONGEST_TILE = KIR_SCAN_TILE(4) };

bool is_for_strips(const dist *d, prim f, int64_t n, int64_t inner) {
  bool is = f == P_PLUS && inner == 1;
  for (int r = 1; r < d->ranks; r++)
    is = is && cut_at(n, d->ranks, r) % LONGEST_TILE == 0;
  return is && cut_at(n, d->ranks, 1) > 0;
}

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
  if (!r || !ir_host(call->g, r) || r->type != s->z->type) return NULL;
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

/* The totals of a tile's strips become what is before each of them in the tile; its total. */
static double before_strips(double *x) {
  double off = x[0];
  x[0] = -0.0;
  for (int k = 1; k < KIR_SCAN_STRIPS; k++) {
    double next = off + x[k];
    x[k] = off;
    off = next;
  }
  return off;
}

static float before_strips_single(float *x) {
  float off = x[0];
  x[0] = -0.0f;
  for (int k = 1; k < KIR_SCAN_STRIPS; k++) {
    float next = off + x[k];
    x[k] = off;
    off = next;
  }
  return off;
}

static void tile_totals(strips *s) {
  for (int64_t i = 0, t = 0; i < s->n; i += KIR_SCAN_STRIPS, t++) {
    double *x = (double *)s->sums->host + i;
    float *y = (float *)s->sums->host + i;
    if (s->size == 8) ((double *)(void *)s->totals)[t] = before_strips(x);
    else ((float *)(void *)s->totals)[t] = before_strips_single(y);
  }
}

static void push(tree *t, const char *total) {
  memcpy(t->off + (KIR_SCAN_STRIPS - 1) * t->size, total, t->size);
  tree_push_tile(t, t, 1);
}

/* P ∘ off of each strip. False: one is not finite. */
static bool carries(strips *s, tree *t) {
  dist *d = s->z->d;
  int64_t before = my_first(d, s->z->n) / s->tile;
  const char *all = s->all.all;
  bool finite = true;
  t->tiles = 0;
  for (int64_t i = 0; i < before; i++) push(t, all + (size_t)i * s->size);
  for (int64_t i = 0, tile = before; i < s->n; i += KIR_SCAN_STRIPS, tile++) {
    tree_prefix(t, t, 1);
    for (int64_t k = i; k < i + KIR_SCAN_STRIPS; k++) {
      double off = arr_get_float(s->sums, k), p = -0.0;
      if (t->has_prefix && s->size == 8) memcpy(&p, t->prefix, sizeof p);
      float q = (float)p;
      if (t->has_prefix && s->size == 4) memcpy(&q, t->prefix, sizeof q);
      double v = s->size == 8 ? p + off : (double)(q + (float)off);
      arr_put_float(s->carry, k, v);
      finite &= isfinite(v) != 0;
    }
    push(t, all + (size_t)tile * s->size);
  }
  return finite;
}

/* The elements behind the last whole tile, scanned; of none an empty vector. */
static arr *rest_of(const strips *s, tree *t) {
  ctx *c = s->call->env.c;
  int64_t whole = s->n * s->len, n = s->part->count - whole;
  size_t tiles = (size_t)(my_first(s->z->d, s->z->n) + whole) / (size_t)s->tile;
  OWNED arr *rest = ir_box(s->call, s->part, &whole, &n);
  OWNED arr *r = rest && ir_host(s->call->g, rest) ? arr_vec(c, s->z->type, n) : NULL;
  if (r) tree_scan_behind(t, s->all.all, tiles, r->host, rest->host, (size_t)n);
  for (int64_t i = 0; r && i < n; i++)
    if (!isfinite(arr_get_float(r, i))) return NULL;
  return arr_move(&r);
}

/* The part of the result. */
static arr *strips_scanned(const strips *s, tree *t) {
  const ir_call *call = s->call;
  int64_t shape[2] = {s->n, s->len}, whole = s->n * s->len;
  OWNED arr *own = ir_scan(call, P_PLUS, s->lines, 1);
  OWNED arr *before = own ? ir_spread(call, s->carry, 2, shape, (int[]){0}) : NULL;
  OWNED arr *sum = before ? ir_dyadic(call, P_PLUS, before, own) : NULL;
  OWNED arr *to = sum ? arr_int_vec(call->env.c, 1, &whole) : NULL;
  OWNED arr *r = to ? ir_dyadic(call, P_RHO, to, sum) : NULL;
  if (!r || s->part->count == whole) return arr_move(&r);
  OWNED arr *rest = rest_of(s, t);
  prim_env e = call->env;
  view v;
  bool both = rest && move_dyadic(&e, P_COMMA, r, rest, &v);
  return both ? viewed_both(call, P_COMMA, &v, r, rest) : NULL;
}

static bool agree(const strips *s, bool ok) {
  int64_t fails = !ok || op_gives_up(s->z->d);
  op_keeps_type(s->z->d);
  return dist_meet_values(s->z->d, AGREE_VALUES, &fails, 1) && !fails;
}

static arr *made(strips *s, tree *t) {
  dist *d = s->z->d;
  inside_begin(d);
  bool ok = cut_strips(s);
  if (ok) tile_totals(s);
  for (int r = 0; r < d->ranks; r++)
    s->z->rows[r] = cut_at(s->z->n, d->ranks, r + 1) / s->tile -
                    cut_at(s->z->n, d->ranks, r) / s->tile;
  ok = ok && fold_room(d, &s->all, s->z->rows, s->size);
  inside_end(d);
  if (!agree(s, ok) || !fold_gather(d, &s->all, s->totals)) return NULL;
  inside_begin(d);
  OWNED arr *r = carries(s, t) ? strips_scanned(s, t) : NULL;
  ok = r && ir_settle(s->call->g, r) && r->type == s->z->type;
  inside_end(d);
  return agree(s, ok) ? arr_move(&r) : NULL;
}

arr *scan_by_strips(first_fold *z) {
  _Alignas(64) char room[4096 * KIR_SCAN_TIERS];
  uintptr_t mem = (uintptr_t)room;
  strips s = {.z = z, .call = z->call, .size = z->type == ET_F32 ? 4 : 8};
  kty ty = s.size == 8 ? KF64 : KF32;
  tree t = tree_of(tree_loops_of(KF_ADD, ty), KF_ADD, ty);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert(mem <= (uintptr_t)room + sizeof room);
  s.len = tree_strip_len(s.size);
  s.tile = KIR_SCAN_TILE((int64_t)s.size);
  arr *r = made(&s, &t);
  arr_release(s.part);
  arr_release(s.lines);
  arr_release(s.sums);
  arr_release(s.carry);
  mem_free(z->d->c, s.totals);
  fold_room_free(z->d, &s.all);
  return cut_array(z->call, r, 1, z->y->shape);
}
