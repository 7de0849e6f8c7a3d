/* SPDX-License-Identifier: MIT */
/* inner_product.c - x f.g y on the host, in the order of inner_product.h.
 *
 *   by words   ∨ ∧ ≠ of ∧ ∨ on truth values: a bit of x stands for a whole row of y
 *   by tiles   + ⌊ ⌈ of × + - on floats; and of most functions on integers and characters that
 *              f64 holds exactly, and all sums of them: such a sum has no order
 *   by parts   the others, and whatever is at fault: x g y of some rows and columns at a time,
 *              then f/ in blocks
 *
 * Whether a result left the finite numbers is asked of the result: a float sum that has met an
 * infinity or a NaN never ends finite. */
#include "inner_product.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../base/arith.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../tables/prim_fold.h"
#include "scalar.h"

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ── shapes ─────────────────────────────────────────────────────────────────────────── */

bool product_measure(ctx *c, const prim_factors *p, product_sizes *s) {
  const arr *x = p->x, *y = p->y, *framed = p->x_frame ? x : y;
  int frame = p->x_frame ? p->x_frame : p->y_frame;
  int nx = x->rank > p->x_frame, ny = y->rank > p->y_frame; /* axes that go together */
  s->batch = arr_product(frame, framed->shape);
  s->k = 1;
  if (nx) s->k = x->shape[x->rank - 1];
  else if (ny) s->k = y->shape[p->y_frame];
  s->m = arr_product(x->rank - p->x_frame - nx, x->shape + p->x_frame);
  s->n = arr_product(y->rank - p->y_frame - ny, y->shape + p->y_frame + ny);
  s->rank = frame + x->rank - p->x_frame - nx + y->rank - p->y_frame - ny;
  if (s->rank > ARR_MAX_RANK)
    return err_set(c, ERR_LIMIT, "rank %d is above %d", s->rank, ARR_MAX_RANK);
  int at = 0;
  for (int i = 0; i < frame; i++) s->shape[at++] = framed->shape[i];
  for (int i = p->x_frame; i < x->rank - nx; i++) s->shape[at++] = x->shape[i];
  for (int i = p->y_frame + ny; i < y->rank; i++) s->shape[at++] = y->shape[i];
  return true;
}

typedef struct product {
  prim_env *e;
  const prim_factors *p;
  product_sizes s;
  int64_t x_batch, y_batch; /* elements from batch to batch */
  bool as_floats;           /* x g y of integers become floats before they are folded */
} product;

/* ── by parts ───────────────────────────────────────────────────────────────────────── */

enum { PART_ELEMENTS = 1 << 20, SOME = 512 }; /* SOME are looked at together */

/* lines × k elements of x, a row each, or of y, a column each. */
static arr *lines_of(const product *z, const arr *a, bool of_x, int64_t at, int64_t i,
                     int64_t lines) {
  const int64_t shape[2] = {lines, z->s.k};
  arr *r = arr_new(z->e->c, (elt)a->type, 2, shape);
  if (!r) return NULL;
  if (of_x) arr_copy(r, 0, a, at + i * z->s.k, lines * z->s.k);
  for (int64_t j = 0; j < lines && !of_x; j++)
    for (int64_t k = 0; k < z->s.k; k++)
      arr_copy(r, j * z->s.k + k, a, at + k * z->s.n + i + j, 1);
  return r;
}

typedef struct extent {
  double lo, hi;
} extent;

/* What is in a, which has elements. */
static extent extent_of(const arr *a) {
  int64_t lo = INT64_MAX, hi = INT64_MIN, v[SOME];
  if (a->type == ET_BIT) return (extent){0, 1};
  if (elt_is_char((elt)a->type)) return (extent){0, 0x10FFFF};
  for (int64_t at = 0; at < a->count; at += SOME) {
    int64_t n = least(a->count - at, SOME);
    sc_load(a, at, 1, n, SC_I64, v);
    for (int64_t i = 0; i < n; i++) {
      lo = min_i64(lo, v[i]);
      hi = max_i64(hi, v[i]);
    }
  }
  return (extent){(double)lo, (double)hi};
}

/* f/ rows g columns. *escaped: x g y of integers has become floats. */
static arr *product_part(const product *z, arr *rows, arr *columns, bool *escaped) {
  static const int of_rows[2] = {0, 2}, of_columns[2] = {1, 2};
  const int64_t shape[3] = {rows->shape[0], columns->shape[0], z->s.k};
  OWNED arr *a = prim_spread(z->e, rows, 3, shape, of_rows);
  OWNED arr *b = a ? prim_spread(z->e, columns, 3, shape, of_columns) : NULL;
  OWNED arr *v = b ? prim_dyadic(z->e, z->p->g, a, b) : NULL;
  if (!v) return NULL;
  cls of = cls_of((elt)rows->type);
  if (cls_of((elt)columns->type) > of) of = cls_of((elt)columns->type);
  *escaped |= of <= CLS_I && elt_is_float((elt)v->type);
  if (z->as_floats && !elt_is_float((elt)v->type)) {
    OWNED arr *integers = v;
    v = arr_convert(z->e->c, integers, ET_F64);
    if (!v) return NULL;
  }
  if (z->s.k == 1) return arr_reshape(z->e->c, v, 2, shape);
  return prim_reduce_blocks(z->e, z->p->f, v, 2);
}

/* Lines of a part, of so many. */
static int64_t lines_of_part(const product *z, int64_t lines) {
  return min_i64(lines, max_i64(1, PART_ELEMENTS / z->s.k));
}

/* The parts of one batch join r, whose type becomes that of all. */
static bool batch_by_parts(const product *z, int64_t b, arr **r, bool *escaped) {
  const product_sizes *s = &z->s;
  ctx *c = z->e->c;
  int64_t across = lines_of_part(z, s->n),
          down = min_i64(s->m, max_i64(1, PART_ELEMENTS / s->k / across)),
          all = s->m * s->n;
  for (int64_t j = 0; j < s->n; j += across) {
    OWNED arr *columns =
        lines_of(z, z->p->y, false, b * z->y_batch, j, min_i64(across, s->n - j));
    for (int64_t i = 0; columns && i < s->m; i += down) {
      OWNED arr *rows =
          lines_of(z, z->p->x, true, b * z->x_batch, i, min_i64(down, s->m - i));
      OWNED arr *v = rows ? product_part(z, rows, columns, escaped) : NULL;
      if (!v || interrupted(c)) return false;
      elt t = (elt)v->type;
      if (*r) t = elt_join(t, (elt)(*r)->type);
      if (!*r || t != (*r)->type) {
        arr *wider = *r ? arr_convert(c, *r, t) : arr_new(c, t, s->rank, s->shape);
        arr_release(*r);
        *r = wider;
        if (!wider) return false;
      }
      int64_t n = v->shape[1];
      for (int64_t k = 0; k < v->shape[0]; k++)
        arr_copy(*r, b * all + (i + k) * s->n + j, v, k * n, n);
    }
    if (!columns) return false;
  }
  return true;
}

/* No imaginary part is -0. */
static void settle_imaginary(arr *r) {
  double *v = r->host;
  for (int64_t i = 1; r->type == ET_C128 && i < 2 * r->count; i += 2) v[i] += 0;
}

static arr *all_parts(const product *z, bool *escaped) {
  OWNED arr *r = NULL;
  for (int64_t b = 0; b < z->s.batch; b++)
    if (!batch_by_parts(z, b, &r, escaped)) return NULL;
  settle_imaginary(r);
  return cx_demote(z->e->c, arr_move(&r));
}

/* Are all integers of a doubles? */
static bool are_doubles(const arr *a) {
  extent e = extent_of(a);
  return e.lo > -0x1p53 && e.hi < 0x1p53;
}

/* One product that is no integer makes floats of all: each the exact product, rounded once. */
static arr *in_floats(product z) {
  bool escaped = false;
  if (!are_doubles(z.p->x) || !are_doubles(z.p->y)) {
    z.as_floats = true;
    return all_parts(&z, &escaped);
  }
  OWNED arr *x = arr_convert(z.e->c, z.p->x, ET_F64);
  OWNED arr *y = x ? arr_convert(z.e->c, z.p->y, ET_F64) : NULL;
  if (!y) return NULL;
  prim_factors as_floats = *z.p;
  as_floats.x = x;
  as_floats.y = y;
  return prim_product(z.e, &as_floats);
}

static arr *by_parts(const product *z) {
  bool escaped = false;
  OWNED arr *r = all_parts(z, &escaped);
  if (!r) return NULL;
  bool floats = elt_is_float((elt)z->p->x->type) || elt_is_float((elt)z->p->y->type);
  if (!escaped || floats || !prim_has_float_variant(z->p->g, true, CLS_I))
    return arr_move(&r);
  return in_floats(*z);
}

/* ── by tiles ───────────────────────────────────────────────────────────────────────── */

/* r[i,j] = fold of x[i,k] map y[k,j]: elements from row to row, and so on. */
typedef struct tiling {
  tile_fn *tile;
  tile_fold fold;
  const void *x, *y;
  void *r, *room;
  int64_t m, k, n;
  int64_t x_row, x_k, y_k, y_column, r_row, r_column;
  int64_t columns, across; /* of a tile; of what is packed at once */
} tiling;

#define OP_CAT2(name, suf) name##suf
#define OP_CAT(name, suf) OP_CAT2(name, suf)
#define OP(name) OP_CAT(name, SUF)
#define ORDERED
#define SUF d
#define T double
#include "product_panels.h"
#define SUF s
#define T float
#include "product_panels.h"
#undef ORDERED
#define SUF c
#define T double _Complex
#include "product_panels.h"
#undef OP

enum { ACROSS = 256 };

/* What is done: f and g as folds and maps of floats, on operands that are made ready: times -1,
 * then plus 1 or not. */
typedef struct recipe {
  tile_fold fold;
  tile_map map;
  elt type; /* ET_F64; ET_F32; ET_C128: + of × alone */
  double x_sign, y_sign, y_plus;
} recipe;

/* All batches. Lanes are the longer side's lines; the maps that do not commute are only asked
 * with x on the left. */
static arr *run_tiles(const product *z, const recipe *how, arr *x, arr *y) {
  const product_sizes *s = &z->s;
  ctx *c = z->e->c;
  bool turned = s->n < s->m && s->n < ACROSS / 4 && how->map != TILE_LESS;
  const tile_set *set = product_tiles_here();
  tiling t = {
      .fold = how->fold, .k = s->k, .m = s->m, .n = s->n, .x_row = s->k, .x_k = 1};
  t.tile = set->of_doubles[how->fold][how->map];
  t.columns = set->columns[how->type == ET_F32];
  if (how->type == ET_F32) t.tile = set->of_floats[how->fold][how->map];
  if (how->type == ET_C128) t.tile = set->of_complex;
  if (how->type == ET_C128) t.columns = set->complex_columns;
  t.y_k = t.r_row = s->n;
  t.y_column = t.r_column = 1;
  if (turned)
    t = (tiling){.tile = t.tile,
                 .columns = t.columns,
                 .fold = t.fold,
                 .k = s->k,
                 .m = s->n,
                 .n = s->m,
                 .x_row = 1,
                 .x_k = s->n,
                 .y_k = 1,
                 .y_column = s->k,
                 .r_row = 1,
                 .r_column = s->n};
  t.across = min_i64(ACROSS, ceil_div(t.n, t.columns) * t.columns);
  size_t size = (size_t)elt_bytes(how->type, 1);
  OWNED arr *r = arr_new(c, how->type, s->rank, s->shape);
  t.room = mem_alloc(c, (size_t)((t.across + TILE_ROWS) * PRODUCT_BLOCK) * size);
  bool ok = r && t.room;
  for (int64_t b = 0; ok && b < s->batch; b++) {
    t.x = (char *)x->host + (size_t)(b * z->x_batch) * size;
    t.y = (char *)y->host + (size_t)(b * z->y_batch) * size;
    t.r = (char *)r->host + (size_t)(b * s->m * s->n) * size;
    if (turned) {
      const void *left = t.x;
      t.x = t.y;
      t.y = left;
    }
    if (how->type == ET_C128) ok = tiles_c(c, &t);
    else ok = how->type == ET_F32 ? tiles_s(c, &t) : tiles_d(c, &t);
  }
  mem_free(c, t.room);
  return ok ? arr_move(&r) : NULL;
}

/* a's elements as floats of type t, times sign, plus `plus`. */
static arr *ready(ctx *c, arr *a, elt t, double sign, double plus) {
  if (a->type == t && sign == 1 && plus == 0) return arr_retain(a);
  if (t == ET_C128) return arr_convert(c, a, t);
  OWNED arr *r = arr_new(c, t, a->rank, a->shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < a->count && elt_is_char((elt)a->type); i++)
    ((double *)r->host)[i] = (double)arr_get_int(a, i);
  if (!elt_is_char((elt)a->type))
    sc_load(a, 0, 1, a->count, t == ET_F32 ? SC_F32 : SC_F64, r->host);
  double *d = r->host;
  float *f = r->host;
  bool as_is = sign == 1 && plus == 0;
  for (int64_t i = 0; i < a->count && !as_is; i++) {
    if (t == ET_F64) d[i] = plus != 0 ? d[i] * sign + plus : d[i] * sign;
    else f[i] *= (float)sign;
  }
  return arr_move(&r);
}

static arr *tiled(const product *z, const recipe *how) {
  ctx *c = z->e->c;
  OWNED arr *x = ready(c, z->p->x, how->type, how->x_sign, 0);
  OWNED arr *y = x ? ready(c, z->p->y, how->type, how->y_sign, how->y_plus) : NULL;
  return y ? run_tiles(z, how, x, y) : NULL;
}

/* ── floats ─────────────────────────────────────────────────────────────────────────── */

/* The largest magnitude; infinity of what has an infinity or a NaN. */
static double magnitude(const arr *a) {
  double most = 0, v[SOME];
  for (int64_t at = 0; at < a->count; at += SOME) {
    int64_t n = least(a->count - at, SOME);
    sc_load(a, at, 1, n, SC_F64, v);
    for (int64_t i = 0; i < n; i++)
      if (!(fabs(v[i]) <= most)) most = isfinite(v[i]) ? fabs(v[i]) : HUGE_VAL;
  }
  return most;
}

/* x g y of floats, of the type that it has. */
static double product_element(prim g, double x, double y, bool single) {
  double v = x + y;
  if (g == P_TIMES) v = x * y;
  if (g == P_MINUS) v = x - y;
  return single ? (double)(float)v
                : v; /* f64 holds x g y of f32 so that it is rounded once */
}

/* Element k of the fold that is result i; *finite: so are its factors. */
static double element_at(const product *z, int64_t i, int64_t k, bool single,
                         bool *finite) {
  const product_sizes *s = &z->s;
  int64_t b = i / (s->m * s->n), row = i / s->n % s->m, column = i % s->n;
  double x = arr_get_float(z->p->x, b * z->x_batch + row * s->k + k);
  double y = arr_get_float(z->p->y, b * z->y_batch + k * s->n + column);
  *finite = isfinite(x) && isfinite(y);
  return product_element(z->p->g, x, y, single);
}

/* Has result i left the finite numbers on its own? An element has, of finite arguments; or none
 * has, and so the sum. */
static bool is_at_fault(const product *z, int64_t i, bool single) {
  bool finite = true, factors;
  for (int64_t k = 0; k < z->s.k; k++) {
    bool is = isfinite(element_at(z, i, k, single, &factors));
    if (!is && factors) return true;
    finite &= is;
  }
  return finite;
}

static bool all_well(const product *z, const arr *r) {
  double v[SOME];
  for (int64_t at = 0; at < r->count; at += SOME) {
    int64_t n = least(r->count - at, SOME);
    sc_load(r, at, 1, n, SC_F64, v);
    for (int64_t i = 0; i < n; i++)
      if (!isfinite(v[i]) && is_at_fault(z, at + i, r->type == ET_F32)) return false;
  }
  return true;
}

static bool has_minus(const arr *a) {
  double v[SOME];
  bool minus = false;
  for (int64_t at = 0; at < a->count && !minus; at += SOME) {
    int64_t n = least(a->count - at, SOME);
    sc_load(a, at, 1, n, SC_F64, v);
    for (int64_t i = 0; i < n; i++) minus |= signbit(v[i]) != 0;
  }
  return minus;
}

/* Does some element of the fold that is result i have the sign `minus`, and is 0? */
static bool has_zero(const product *z, int64_t i, bool single, bool minus) {
  bool finite;
  for (int64_t k = 0; k < z->s.k; k++) {
    double v = element_at(z, i, k, single, &finite);
    if (v == 0 && (signbit(v) != 0) == minus) return true;
  }
  return false;
}

/* Tiles take any of equal numbers. Where the least one is 0, it is ¯0 if an element is; the
 * greatest one is 0 if an element is. */
static bool settle_zeros(const product *z, bool minus, arr *r) {
  if (!has_minus(z->p->x) && !has_minus(z->p->y)) return true;
  for (int64_t i = 0; i < r->count; i++) {
    if (arr_get_float(r, i) != 0) continue;
    bool is = has_zero(z, i, r->type == ET_F32, minus) == minus;
    arr_put_float(r, i, is ? -0.0 : 0.0);
    if (interrupted(z->e->c)) return false;
  }
  return true;
}

/* False: f.g of floats is not for tiles. The ends of ⌊ and ⌈ hide what is not finite, so that
 * there must be no such thing. */
static bool float_recipe(const product *z, recipe *how) {
  const prim_factors *p = z->p;
  const fold_row *f = fold_of(p->f, CLS_F);
  *how = (recipe){.x_sign = 1, .y_sign = 1, .type = ET_F64};
  if (sc_single(p->x, p->y)) how->type = ET_F32;
  if (p->g == P_TIMES) how->map = TILE_TIMES;
  else if (p->g == P_PLUS || p->g == P_MINUS) how->map = TILE_PLUS;
  else return false;
  if (p->g == P_MINUS) how->y_sign = -1;
  if (!f || f->over != OVER_VALUES || f->monoid == KF_MUL) return false;
  how->fold = TILE_ADD;
  if (f->monoid == KF_ADD) return true;
  how->fold = f->monoid == KF_MIN ? TILE_MIN : TILE_MAX;
  double x = magnitude(p->x), y = magnitude(p->y), most = x + y;
  if (p->g == P_TIMES) most = x * y;
  return most < (how->type == ET_F32 ? (double)FLT_MAX : DBL_MAX);
}

static arr *float_product(const product *z) {
  recipe how;
  if (!float_recipe(z, &how)) return by_parts(z);
  OWNED arr *r = tiled(z, &how);
  if (!r) return NULL;
  if (how.fold != TILE_ADD)
    return settle_zeros(z, how.fold == TILE_MIN, r) ? arr_move(&r) : NULL;
  if (all_well(z, r)) return arr_move(&r);
  return by_parts(z);
}

static bool all_finite(const arr *r) {
  const double *v = r->host;
  for (int64_t i = 0; i < 2 * r->count; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

static arr *complex_product(const product *z) {
  const recipe how = {.x_sign = 1, .y_sign = 1, .type = ET_C128};
  if (z->p->f != P_PLUS || z->p->g != P_TIMES) return by_parts(z);
  OWNED arr *r = tiled(z, &how);
  if (!r) return NULL;
  if (!all_finite(r)) return by_parts(z);
  settle_imaginary(r);
  return cx_demote(z->e->c, arr_move(&r));
}

/* ── integers, truth values, characters ─────────────────────────────────────────────── */

/* The map of g, on truth values if `truths`. */
static bool map_of(prim g, bool truths, recipe *how) {
  how->x_sign = how->y_sign = 1;
  switch (g) {
  case P_TIMES: how->map = TILE_TIMES; return true;
  case P_AND: how->map = TILE_TIMES; return truths;
  case P_OR: how->map = TILE_MOST; return truths;
  case P_FLOOR: how->map = TILE_LEAST; return true;
  case P_CEIL: how->map = TILE_MOST; return true;
  case P_MINUS: how->y_sign = -1; /* fall through */
  case P_PLUS: how->map = TILE_PLUS; return true;
  case P_EQ: how->map = TILE_EQUAL; return true;
  case P_NE: how->map = TILE_DIFFERS; return true;
  case P_GT:                                 /* ¯x < ¯y */
  case P_GE: how->x_sign = how->y_sign = -1; /* fall through */
  case P_LT:
  case P_LE:
    how->map = TILE_LESS; /* x ≤ y is x < y + 1 */
    how->y_plus = g == P_GE || g == P_LE;
    return true;
  default: return false;
  }
}

/* The fold of f on elements of class `on`; *row: what it means. */
static bool fold_for(prim f, cls on, recipe *how, const fold_row **row) {
  *row = fold_of(f, on);
  if (!*row || (*row)->over == OVER_ALTERNATING) return false;
  switch ((*row)->monoid) {
  case KF_ADD: how->fold = TILE_ADD; return true;
  case KF_MIN:
  case KF_AND: how->fold = TILE_MIN; return true;
  case KF_MAX:
  case KF_OR: how->fold = TILE_MAX; return true;
  default: return false;
  }
}

/* How, where f64 holds all elements and sums. */
static bool exact_recipe(const product *z, recipe *how, const fold_row **row) {
  const prim_factors *p = z->p;
  bool chars = elt_is_char((elt)p->x->type);
  if (chars != elt_is_char((elt)p->y->type)) return false;
  if (chars && p->g != P_EQ && p->g != P_NE) return false;
  bool truths = p->x->type == ET_BIT && p->y->type == ET_BIT;
  *how = (recipe){.map = TILE_TIMES, .type = ET_F64};
  if (!map_of(p->g, truths, how)) return false;
  bool compares = how->map >= TILE_EQUAL;
  cls on = truths && prim_result(p->g, true, CLS_B) == CLS_B ? CLS_B : CLS_I;
  if (compares) on = CLS_B;
  if (!fold_for(p->f, on, how, row)) return false;
  extent x = extent_of(p->x), y = extent_of(p->y);
  double a = fmax(-x.lo, x.hi), b = fmax(-y.lo, y.hi), most = a + b;
  if (how->map == TILE_TIMES) most = a * b;
  if (compares) most = 1;
  if (how->fold == TILE_ADD) most *= (double)z->s.k;
  const double limit = 0x1p53;
  return most <= limit && a < limit && b < limit;
}

/* Numbers that are integers, as what the fold's row says. */
static arr *as_integers(const product *z, arr *v, const fold_row *row) {
  bool bits = row->result == CLS_B;
  bool negates = row->over == OVER_EVENNESS && z->s.k % 2 == 0;
  OWNED arr *r = arr_new(z->e->c, bits ? ET_BIT : ET_I64, v->rank, v->shape);
  const double *d = v->host;
  if (!r) return NULL;
  for (int64_t i = 0; i < r->count; i++) {
    int64_t n = (int64_t)d[i];
    if (row->over != OVER_VALUES) n = (n & 1) ^ negates;
    if (bits) arr_put_int(r, i, n);
    else ((int64_t *)r->host)[i] = n;
  }
  return sc_narrow(z->e->c, arr_move(&r));
}

static arr *exact_product(const product *z) {
  recipe how;
  const fold_row *row;
  if (!exact_recipe(z, &how, &row)) return by_parts(z);
  OWNED arr *r = tiled(z, &how);
  return r ? as_integers(z, r, row) : NULL;
}

/* ── by words ───────────────────────────────────────────────────────────────────────── */

enum { WORD = 64 };

/* acc joins f of `with`, if `row` is NULL, else of row's words. */
static void join_words(kfold f, bool parity, uint64_t *acc, const uint64_t *row,
                       uint64_t with, int64_t words) {
  for (int64_t w = 0; w < words; w++) {
    uint64_t v = row ? row[w] : with;
    if (f == KF_AND) acc[w] &= v;
    else if (parity) acc[w] ^= v;
    else acc[w] |= v;
  }
}

/* A batch, y's rows being whole words at `rows`, r's elements from number `to` on. */
static bool words_of_batch(const product *z, const fold_row *f, int64_t b,
                           const uint64_t *rows, arr *acc, arr *r) {
  const product_sizes *s = &z->s;
  const uint8_t *x = z->p->x->host;
  bool both = z->p->g == P_AND || z->p->g == P_TIMES, parity = f->over != OVER_VALUES;
  int64_t words = acc->count / WORD, bit = b * z->x_batch;
  uint64_t *to = acc->host, neutral = f->monoid == KF_AND ? UINT64_MAX : 0;
  for (int64_t i = 0; i < s->m; i++) {
    for (int64_t w = 0; w < words; w++) to[w] = neutral;
    for (int64_t k = 0; k < s->k; k++, bit++) {
      bool is = x[bit >> 3] >> (bit & 7) & 1;
      uint64_t with = both ? 0 : UINT64_MAX; /* x ∧ y is 0 or y, x ∨ y is y or 1 */
      if (is == both) join_words(f->monoid, parity, to, rows + k * words, 0, words);
      else if (with != neutral) join_words(f->monoid, parity, to, NULL, with, words);
    }
    arr_copy(r, (b * s->m + i) * s->n, acc, 0, s->n);
    if (interrupted(z->e->c)) return false;
  }
  return true;
}

static arr *by_words(const product *z, const fold_row *f) {
  const product_sizes *s = &z->s;
  ctx *c = z->e->c;
  int64_t wide = ceil_div(s->n, WORD) * WORD;
  OWNED arr *rows = arr_vec(c, ET_BIT, s->k * wide), *acc = arr_vec(c, ET_BIT, wide),
            *r = arr_new(c, ET_BIT, s->rank, s->shape);
  bool ok = rows && acc && r;
  for (int64_t b = 0; ok && b < s->batch; b++) {
    memset(rows->host, 0, elt_bytes(ET_BIT, rows->count));
    for (int64_t k = 0; k < s->k; k++)
      arr_copy(rows, k * wide, z->p->y, b * z->y_batch + k * s->n, s->n);
    ok = words_of_batch(z, f, b, rows->host, acc, r);
  }
  return ok ? arr_move(&r) : NULL;
}

/* ∨ ∧ ≠ of ∧ ∨ on truth values: how f folds them; NULL: it is something else. */
static const fold_row *row_of_words(const prim_factors *p) {
  bool truths = p->x->type == ET_BIT && p->y->type == ET_BIT;
  bool can = p->g == P_AND || p->g == P_TIMES || p->g == P_OR;
  const fold_row *f = fold_of(p->f, CLS_B);
  if (!truths || !can || !f || f->result != CLS_B) return NULL;
  return f->over == OVER_EVENNESS ? NULL : f;
}

arr *prim_product(prim_env *e, const prim_factors *p) {
  product z = {.e = e, .p = p};
  if (!product_measure(e->c, p, &z.s)) return NULL;
  if (p->x_frame) z.x_batch = z.s.m * z.s.k;
  if (p->y_frame) z.y_batch = z.s.k * z.s.n;
  cls x = cls_of((elt)p->x->type), y = cls_of((elt)p->y->type);
  bool chars = elt_is_char((elt)p->x->type) || elt_is_char((elt)p->y->type);
  if (x == CLS_C || y == CLS_C) return chars ? by_parts(&z) : complex_product(&z);
  if (!chars && (x == CLS_F || y == CLS_F)) return float_product(&z);
  const fold_row *words = row_of_words(p);
  if (words) return by_words(&z, words);
  return exact_product(&z);
}

/* ── outer products of truth values ─────────────────────────────────────────────────── */

/* r's rows, of m ≤ 64 bits: row[b] for a bit b of x. */
static bool put_short_rows(ctx *c, const arr *x, const uint64_t row[2], int64_t m,
                           arr *r) {
  uint64_t *to = r->host, open = 0;
  int64_t fill = 0;
  for (int64_t i = 0; i < x->count; i++) {
    uint64_t w = row[bit_at(x->host, i)];
    open |= w << fill;
    fill += m;
    if (i % 65536 == 0 && interrupted(c)) return false;
    if (fill < 64) continue;
    *to++ = open;
    fill -= 64;
    open = fill ? w >> (m - fill) : 0;
  }
  if (fill) *to = open;
  return true;
}

static bool put_rows(ctx *c, const arr *x, arr *const row[2], arr *r) {
  int64_t m = row[0]->count;
  for (int64_t i = 0; i < x->count; i++) {
    arr_copy(r, i * m, row[bit_at(x->host, i)], 0, m);
    if (i % 256 == 0 && interrupted(c)) return false;
  }
  return true;
}

/* b f y. */
static arr *truth_row(ctx *c, const sc_row *f, bool b, const arr *y) {
  sc_state s = {.ct = 0};
  OWNED arr *one = arr_new(c, ET_BIT, 0, NULL);
  if (!one) return NULL;
  bit_add(one->host, 0, b);
  return sc_bits(c, f, one, y, y, &s);
}

arr *prim_try_outer_truths(prim_env *e, prim f, const arr *x, const arr *y) {
  int64_t shape[2 * ARR_MAX_RANK];
  cls on;
  ctx *c = e->c;
  const sc_row *row = sc_find(f, true, CLS_B, false, &on);
  if (!row || on != CLS_B || row->result != CLS_B || row->host) return NULL;
  memcpy(shape, x->shape, (size_t)x->rank * sizeof *shape);
  memcpy(shape + x->rank, y->shape, (size_t)y->rank * sizeof *shape);
  OWNED arr *no = truth_row(c, row, false, y), *yes = truth_row(c, row, true, y);
  OWNED arr *r = no && yes ? arr_new(c, ET_BIT, x->rank + y->rank, shape) : NULL;
  if (!r) return NULL;
  bool few = y->count <= 64;
  uint64_t words[2] = {sc_word(no, 0), sc_word(yes, 0)};
  bool done = few ? put_short_rows(c, x, words, y->count, r)
                  : put_rows(c, x, (arr *const[]){no, yes}, r);
  return done ? arr_move(&r) : NULL;
}
