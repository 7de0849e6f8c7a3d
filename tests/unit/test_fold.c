/* SPDX-License-Identifier: MIT */
/* test_fold.c - f/ and f\ on the direct path: the tree against a second, literal reading of
 * kir.h that pads every tile; every function against folding by calls; 128-bit sums, the
 * redoing of products, axes, empty and one-element axes, failing allocations. */
#include "src/fold/tree.h"
#include "src/prim/direct.h"
#include "src/tables/fold.h"
#include "src/array/convert.h"
#include "src/array/match.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fixture.h"
#include "random.h"

static arr *shaped(arr *y, int rank, const int64_t *shape) {
  arr *r = arr_reshape(&c, y, rank, shape);
  arr_release(y);
  return r;
}
#define SHAPE(y, ...) shaped(y, N_OF(int64_t, __VA_ARGS__), (int64_t[]){__VA_ARGS__})

static arr *red_at(prim f, arr *y, int axis) {
  arr *r = prim_reduce(&env, f, y, axis);
  arr_release(y);
  return r;
}
static arr *scan_at(prim f, arr *y, int axis) {
  arr *r = prim_scan(&env, f, y, axis);
  arr_release(y);
  return r;
}
static arr *red(prim f, arr *y) { return red_at(f, y, 0); }
static arr *scan(prim f, arr *y) { return scan_at(f, y, 0); }

static void same(arr *r, arr *want) {
  assert_non_null(r);
  if (want->rank == 1 && want->count == 1 && !r->rank) want = shaped(want, 0, NULL);
  assert_true(arr_match(r, want, 0));
  assert_int_equal(elt_kind((elt)r->type), elt_kind((elt)want->type));
  arr_release(r);
  arr_release(want);
}
static void fails(arr *r, int code) {
  assert_null(r);
  assert_int_equal(c.err.code, code);
  err_clear(&c);
}

static void test_cases(void **state) {
  UNUSED(state);
  same(red(P_PLUS, I(1, 2, 3)), I(6));
  same(red(P_MINUS, I(1, 2, 3)), I(2));
  same(red(P_PLUS, BITS(1, 0, 1)), I(2));
  same(red(P_PLUS, I(INT64_MAX, INT64_MAX, -INT64_MAX)), I(INT64_MAX));
  same(red(P_MINUS, I(INT64_MIN, INT64_MAX, INT64_MAX)), I(INT64_MIN));
  same(red(P_PLUS, I(INT64_MAX, INT64_MAX)), F(0x1p64));
  same(scan(P_PLUS, I(INT64_MAX, 1, -1)), F(0x1p63, 0x1p63, 0x1p63));
  same(scan(P_MINUS, I(1, 2, 3, 4)), I(1, -1, 2, -2));
  same(red(P_TIMES, I(1 << 30, 1 << 30, 8)), F(0x1p63));
  same(red(P_TIMES, I(1 << 30, 1 << 30, 2)), I(1LL << 61));
  same(red(P_TIMES, BITS(1, 1, 0)), BITS(0));
  same(red(P_CEIL, I(3, 9, -2)), I(9));
  same(red(P_FLOOR, F(3, 9, -2.5)), F(-2.5));
  same(red(P_DIVIDE, I(1, 2, 4)), F(2));
  same(red(P_LT, I(5, 3, 9)), BITS(0));
  same(scan(P_LT, I(5, 3, 9)), I(5, 0, 0));
  same(scan(P_LT, F(5.5, 3, 9)), F(5.5, 0, 0));
  same(scan(P_DIVIDE, I(6, 2, 4)), F(6, 3, 12));
  same(red(P_OR, I(12, 18, 30)), I(6));
  same(scan(P_OR, I(-12, 18, 3)), I(-12, 6, 3));
  same(red(P_AND, I(4, 6, 10)), I(60));
  same(scan(P_AND, I(4, 6, 10)), I(4, 12, 60));
  same(red(P_POWER, I(2, 3, 2)), I(512));
  fails(red(P_PLUS, F(DBL_MAX, DBL_MAX, -DBL_MAX)), ERR_DOMAIN);
}

static void test_edges(void **state) {
  UNUSED(state);
  same(red(P_PLUS, I(7)), I(7));
  same(red(P_DIVIDE, I(7)), I(7));
  same(red(P_PLUS, arr_text(&c, "a", 1)), arr_char(&c, 'a'));
  same(red(P_PLUS, arr_vec(&c, ET_F64, 0)), I(0));
  same(red(P_TIMES, arr_vec(&c, ET_C8, 0)), I(1));
  same(red(P_FLOOR, arr_vec(&c, ET_I8, 0)), F(DBL_MAX));
  same(red(P_CEIL, arr_vec(&c, ET_I8, 0)), F(-DBL_MAX));
  same(scan(P_PLUS, arr_vec(&c, ET_F64, 0)), arr_vec(&c, ET_F64, 0));
  same(red_at(P_PLUS, SHAPE(arr_vec(&c, ET_I8, 0), 3, 0), 1), I(0, 0, 0));
  arr *r = red_at(P_PLUS, SHAPE(arr_vec(&c, ET_I8, 0), 0, 3), 1);
  assert_true(r && r->rank == 1 && r->count == 0);
  arr_release(r);
  fails(red(P_PLUS, arr_text(&c, "ab", 2)), ERR_DOMAIN);
  fails(scan(P_LT, arr_text(&c, "ab", 2)), ERR_DOMAIN);
  same(red(P_EQ, arr_text(&c, "aa", 2)), BITS(1));
  same(red(P_EQ, arr_text(&c, "aaa", 3)), BITS(0));
  same(red(P_NE, arr_text(&c, "aaa", 3)), BITS(1));
  r = scan(P_EQ, arr_text(&c, "aab", 3));
  assert_true(r && r->type == ET_NEST && elt_is_char((elt)arr_item(r, 0)->type));
  assert_true(arr_get_int(arr_item(r, 1), 0) == 1 && arr_get_int(arr_item(r, 2), 0) == 0);
  arr_release(r);
  fails(red(P_PLUS, F(DBL_MAX, DBL_MAX)), ERR_DOMAIN);
  fails(scan(P_PLUS, F(1, DBL_MAX, DBL_MAX)), ERR_DOMAIN);
  same(red(P_PLUS, F(HUGE_VAL, 1)), F(HUGE_VAL));
  fails(red(P_DIVIDE, F(1, 0)), ERR_DOMAIN);
  fails(prim_identity(&env, P_NOT), ERR_DOMAIN);
  fails(red(P_NOT, arr_vec(&c, ET_I8, 0)), ERR_DOMAIN);
  same(red_at(P_PLUS, SHAPE(I(1, 2, 3, 4, 5, 6), 2, 3), 0), I(5, 7, 9));
  same(red_at(P_PLUS, SHAPE(I(1, 2, 3, 4, 5, 6), 2, 3), 1), I(6, 15));
  same(scan_at(P_PLUS, SHAPE(I(1, 2, 3, 4, 5, 6), 2, 3), 0),
       SHAPE(I(1, 2, 3, 5, 7, 9), 2, 3));
  same(red_at(P_MINUS, SHAPE(I(1, 2, 3, 4, 5, 6, 7, 8), 2, 2, 2), 1),
       SHAPE(I(-2, -2, -2, -2), 2, 2));
  same(red_at(P_TIMES, SHAPE(I(3, 1LL << 40, 5, 1LL << 40), 2, 2), 0), F(15, 0x1p80));
  for (int f = P_PLUS; f <= P_OR; f++) {
    arr *id = prim_identity(&env, (prim)f);
    assert_non_null(id);
    arr_release(id);
  }
}

/* Products whose tree is off: the order from the right decides. */
static void test_products(void **state) {
  UNUSED(state);
  same(red(P_TIMES, F(1e200, 1e200, 1e-150, 1e-100)),
       F(1e200 * (1e200 * (1e-150 * 1e-100))));
  same(red(P_TIMES, F(1e200, 1e200, 1e-200, 1e-200)), F(0));
  fails(red(P_TIMES, F(1e-200, 1e-200, 1e200, 1e200)), ERR_DOMAIN);
  same(red(P_TIMES, F(HUGE_VAL, 2)), F(HUGE_VAL));
  same(scan(P_TIMES, F(0, 1e200, 2, -1e-200)), F(0, 0, 0, 0));
  fails(scan(P_TIMES, F(0, 1e200, 1e200)), ERR_DOMAIN);
  same(red(P_TIMES, F(0, 3, -2)), F(0));
}

/* ── the tree, read a second time ───────────────────────────────────────────────────── */

static double op(prim f, double a, double b) {
  if (f == P_PLUS) return a + b;
  if (f == P_TIMES) return a * b;
  if (isnan(a) || isnan(b)) return (double)NAN;
  if (f == P_FLOOR) return b < a ? b : a;
  return b > a ? b : a;
}
static double id_of(prim f) {
  return f == P_PLUS ? -0.0 : f == P_TIMES ? 1 : f == P_FLOOR ? HUGE_VAL : -HUGE_VAL;
}
static float single; /* the type that is folded: 1 for f32 */
static double fit(double v) { return single != 0 ? (double)(float)v : v; }

static double *padded(prim f, const double *v, int64_t n, int64_t unit) {
  int64_t m = (n + unit - 1) / unit * unit;
  double *p = malloc((size_t)m * sizeof *p);
  for (int64_t i = 0; i < m; i++) p[i] = i < n ? v[i] : id_of(f);
  return p;
}

static double fold_tile(prim f, const double *v, int rows) {
  double a[KIR_LANES];
  for (int l = 0; l < KIR_LANES; l++) a[l] = id_of(f);
  for (int r = 0; r < rows; r++)
    for (int l = 0; l < KIR_LANES; l++) a[l] = fit(op(f, a[l], v[r * KIR_LANES + l]));
  for (int w = KIR_LANES / 2; w; w /= 2)
    for (int i = 0; i < w; i++) a[i] = fit(op(f, a[2 * i], a[2 * i + 1]));
  return a[0];
}

static double fold_all(prim f, const double *v, int64_t n) {
  int64_t unit = KIR_REDUCE_ROWS * KIR_LANES, tiles = (n + unit - 1) / unit;
  double *p = padded(f, v, n, unit), *t = malloc((size_t)tiles * sizeof *t);
  for (int64_t i = 0; i < tiles; i++) t[i] = fold_tile(f, p + i * unit, KIR_REDUCE_ROWS);
  double r = tiles == 1 ? t[0] : fold_all(f, t, tiles);
  free(p);
  free(t);
  return r;
}

static double join(prim f, double a, double b) { return fit(op(f, a, b)); }

static double neighbours(prim f, const double *x, int64_t n) {
  double v[128];
  memcpy(v, x, (size_t)n * sizeof *v);
  for (; n > 1; n = (n + 1) / 2)
    for (int64_t i = 0; i < n; i += 2)
      v[i / 2] = i + 1 < n ? join(f, v[i], v[i + 1]) : v[i];
  return v[0];
}

static int64_t groups(void) { return single != 0 ? 12 : 6; }

/* The total of the strip at v. */
static double strip_total(prim f, const double *v) {
  double h[32];
  for (int l = 0; l < 32; l++) {
    double col[4];
    for (int j = 0; j < 4; j++) {
      col[j] = v[4 * l + j];
      for (int64_t g = 1; g < groups(); g++)
        col[j] = join(f, col[j], v[128 * g + 4 * l + j]);
    }
    h[l] = join(f, join(f, col[0], col[1]), join(f, col[2], col[3]));
  }
  return neighbours(f, h, 32);
}

static double tile_total(prim f, const double *v) {
  double off = strip_total(f, v);
  for (int k = 1; k < 10; k++) off = join(f, off, strip_total(f, v + k * groups() * 128));
  return off;
}

/* The fold of the first n + 1 elements of the group at v: quads, and Sklansky's tree read as what
 * it is: the largest power of two that is in q, before the rest. */
static double quads(prim f, const double *v, int64_t from, int64_t to) {
  if (to - from == 1) {
    const double *x = v + 4 * from;
    return join(f, join(f, join(f, x[0], x[1]), x[2]), x[3]);
  }
  int64_t half = 1;
  while (2 * half < to - from) half *= 2;
  return join(f, quads(f, v, from, from + half), quads(f, v, from + half, to));
}

/* What there may be of an element, and the join of what there is. */
typedef struct part {
  bool is;
  double v;
} part;
static part both(prim f, part a, part b) {
  if (!a.is || !b.is) return a.is ? a : b;
  return (part){true, join(f, a.v, b.v)};
}

/* What n > 0 totals come to, by 32 lanes. */
static double lanes(prim f, const double *total, int64_t n) {
  double lane[32];
  for (int64_t j = 0; j < n; j++)
    lane[j % 32] = j < 32 ? total[j] : join(f, lane[j % 32], total[j]);
  return neighbours(f, lane, n < 32 ? n : 32);
}

/* What comes before tile t, of the totals of tiles: all whole super-tiles, then the rest. */
static part prefix(prim f, const double *total, int64_t t) {
  int64_t whole = t / 1024, rest = t % 1024;
  part q = {false, 0}, p = q;
  if (whole) {
    double *sum = malloc((size_t)whole * sizeof *sum);
    for (int64_t s = 0; s < whole; s++) sum[s] = lanes(f, total + 1024 * s, 1024);
    q = prefix(f, sum, whole);
    free(sum);
  }
  if (rest) p = (part){true, lanes(f, total + 1024 * whole, rest)};
  return both(f, q, p);
}

/* Every element by itself; its parts are made anew where they change. */
static void scan_all(prim f, const double *v, double *out, int64_t n) {
  const int64_t strip = groups() * 128, tile = 10 * strip;
  double *total = malloc((size_t)(n / tile + 1) * sizeof *total);
  for (int64_t t = 0; (t + 1) * tile < n; t++) total[t] = tile_total(f, v + t * tile);
  part p = {false, 0}, off = p, run = p, t = p, none = p;
  for (int64_t i = 0; i < n; i++) {
    const double *x = v + i;
    if (i % tile == 0) p = prefix(f, total, i / tile);
    if (i % tile == 0) off = none;
    else if (i % strip == 0) off = both(f, off, (part){true, strip_total(f, x - strip)});
    if (i % strip == 0) run = none;
    else if (i % 128 == 0) run = both(f, run, (part){true, quads(f, x - 128, 0, 32)});
    if (i % 128 == 0) t = none;
    else if (i % 4 == 0) t = (part){true, quads(f, x - i % 128, 0, i % 128 / 4)};
    double s = *(x - i % 4);
    for (int64_t j = 1; j <= i % 4; j++) s = join(f, s, x[j - i % 4]);
    part r = both(f, both(f, run, t), (part){true, s});
    out[i] = both(f, both(f, p, off), r).v;
  }
  free(total);
}

/* Both trees of n random values. */
static void try_tree(prim f, int n, bool odd) {
  double *v = malloc((size_t)n * sizeof *v), *want = malloc((size_t)n * sizeof *v);
  for (int64_t i = 0; i < n; i++)
    v[i] = fit(f == P_TIMES ? uniform(0.999, 1.001) : uniform(-1, 1));
  if (odd) v[n / 2] = (double)NAN;
  arr *y = reals(single != 0 ? ET_F32 : ET_F64, n, v);
  arr *r = prim_reduce(&env, f, y, 0), *s = prim_scan(&env, f, y, 0);
  double all = fold_all(f, v, n);
  assert_true(arr_get_float(r, 0) == all || (isnan(all) && isnan(arr_get_float(r, 0))));
  scan_all(f, v, want, n);
  for (int64_t i = 0; i < n; i++) {
    double got = arr_get_float(s, i);
    assert_true(got == want[i] || (isnan(got) && isnan(want[i])));
  }
  assert_int_equal(s->type, y->type);
  arr_release(y);
  arr_release(r);
  arr_release(s);
  free(v);
  free(want);
}

static void test_tree(void **state) {
  UNUSED(state);
  static const int lens[] = {
      2,    3,     4,     5,     127,   128,   129,   255,           767,
      768,  769,   1023,  1024,  1025,  1537,  4097,  7679,          7680,
      7681, 15360, 15361, 16384, 16385, 40000, 76801, 16384 * 3 + 7, 7680 * 33 + 900};
  const prim fs[] = {P_PLUS, P_TIMES, P_FLOOR, P_CEIL};
  for (size_t l = 0; l < ARRAY_LEN(lens); l++)
    for (int k = 0; k < 8; k++) {
      prim f = fs[k % 4];
      single = (float)(k / 4);
      try_tree(f, lens[l], f >= P_CEIL && l % 2);
    }
  single = 0; /* more than a super-tile */
  try_tree(P_PLUS, 7680 * 1028 + 77, false);
}

/* ── the prefix alone, of tiles that have nothing but a total ───────────────────────── */

enum { TILES = (1 << 20) + 3000 };
static _Alignas(64) char tree_room[1 << 13];

static tree prefix_tree(kty ty) {
  uintptr_t mem = (uintptr_t)tree_room;
  tree t = tree_of(tree_loops_of(KF_ADD, ty), KF_ADD, ty);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert_true(mem <= (uintptr_t)tree_room + sizeof tree_room);
  t.tiles = 0;
  return t;
}

static void push(tree *t, double total) {
  size_t at = KIR_SCAN_STRIPS - 1;
  if (single != 0) ((float *)(void *)t->off)[at] = (float)total;
  else ((double *)(void *)t->off)[at] = total;
  tree_push_tile(t, t, 1);
}

static double prefix_now(tree *t) {
  tree_prefix(t, t, 1);
  if (single != 0) return *(float *)(void *)t->prefix;
  return *(double *)(void *)t->prefix;
}

/* Every tile of the first super-tiles; then around the ends of some. */
static bool is_tried(int64_t t) {
  return t < 2200 || (t % (1 << 17) < 3 || t % (1 << 17) == 131071) || t == TILES;
}

/* The rule; and what it was before there were super-tiles, up to the tile behind the first. */
static void test_prefix(void **state) {
  double *total = malloc(TILES * sizeof *total);
  UNUSED(state);
  for (int k = 0; k < 2; k++) {
    single = (float)k;
    tree t = prefix_tree(k ? KF32 : KF64);
    for (int64_t i = 0; i < TILES; i++) {
      total[i] = fit(uniform(-1, 1));
      push(&t, total[i]);
      if (!is_tried(i + 1)) continue;
      double now = prefix_now(&t);
      assert_true(now == prefix(P_PLUS, total, i + 1).v);
      if (i + 1 <= 1024) assert_true(now == lanes(P_PLUS, total, i + 1));
    }
  }
  free(total);
}

/* The bound of docs/folds.md, where every sum is rounded in the same direction: totals are
 * integers, so the true sums are known. Without super-tiles the error is larger. */
static void test_prefix_bound(void **state) {
  const double odd = 0xAAAAAB, u = 0x1p-24;
  double *total = malloc(TILES * sizeof *total), worst = 0;
  UNUSED(state);
  single = 1;
  tree t = prefix_tree(KF32);
  for (int64_t i = 0; i < TILES; i++) {
    push(&t, total[i] = odd);
    int64_t n = i + 1, s = n >> 10, r = n >> 20; /* totals of each tier */
    int64_t d = 36 + (r ? 36 : s ? (s + 31) / 32 + 4 : 0) + (r ? (r + 31) / 32 + 4 : 0);
    d += (s > 0) + (r > 0);
    double error = fabs(prefix_now(&t) - odd * (double)n);
    assert_true(error <= (double)d * u * odd * (double)n);
    worst = fmax(worst, error / (u * odd * (double)n));
  }
  double before = fabs(lanes(P_PLUS, total, TILES) - odd * TILES) / (u * odd * TILES);
  assert_true(worst < 83 && before > 83);
  free(total);
}

/* The bound for elements: integers again. */
static void test_scan_bound(void **state) {
  const int64_t n = 15360 * 1030 + 99;
  arr *y = arr_vec(&c, ET_F32, n);
  float *v = y->host;
  UNUSED(state);
  for (int64_t i = 0; i < n; i++) v[i] = (float)(16777215 - 2 * (int64_t)(next() >> 62));
  arr *s = prim_scan(&env, P_PLUS, y, 0);
  const float *got = s->host;
  int64_t exact = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t t = i / 15360;
    exact += (int64_t)v[i];
    double d = t < 1024 ? (double)(34 + (t + 31) / 32) : 71;
    assert_true(fabs((double)got[i] - (double)exact) <= d * 0x1p-24 * (double)exact);
  }
  arr_release(y);
  arr_release(s);
}

/* ── every function against calls, from the right ───────────────────────────────────── */

/* The fold of elements 0..j by prim_dyadic, or NULL. */
static arr *by_calls(prim f, const arr *y, int64_t j) {
  arr *acc = arr_scalar_at(&c, y, j);
  for (int64_t i = j - 1; acc && i >= 0; i--) {
    arr *x = arr_scalar_at(&c, y, i), *r = prim_dyadic(&env, f, x, acc);
    arr_release(x);
    arr_release(acc);
    acc = r;
  }
  return acc;
}

static arr *random_line(int kind, int n) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I32, ET_F64, ET_F32};
  arr *y = arr_vec(&c, types[kind], n);
  for (int i = 0; i < n; i++) {
    int64_t v = (int64_t)(next() >> 33);
    if (kind < 3)
      arr_put_int(y, i, kind == 0 ? v & 1 : kind == 1 ? v % 9 - 4 : v % 2001 - 1000);
    else arr_put_float(y, i, (double)(v % 33 - 16) / (kind == 3 ? 4 : 8));
  }
  return y;
}

/* A line that begins with its third tile, behind the totals of two: what ranks do. */
static void scan_behind(kty ty, kfold f) {
  enum { BEFORE = 2, ALL = 3 * KIR_SCAN_TILE(4) + 777 };
  static _Alignas(64) char room[4096 * KIR_SCAN_TIERS], x[8 * ALL], r[8 * ALL],
      z[8 * ALL];
  size_t size = (size_t)kty_bytes(ty),
         tile = size == 4 ? KIR_SCAN_TILE(4) : KIR_SCAN_TILE(8);
  double totals[BEFORE];
  uintptr_t mem = (uintptr_t)room;
  tree t = tree_of(tree_loops_of(f, ty), f, ty);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert_true(mem <= (uintptr_t)room + sizeof room);
  for (int i = 0; i < ALL; i++) {
    double v = f == KF_MUL ? uniform(0.9995, 1.0005) : uniform(-0.5, 0.5);
    if (size == 8) ((double *)(void *)x)[i] = v;
    else ((float *)(void *)x)[i] = (float)v;
  }
  tree_scan_line(&t, r, x, ALL);
  tree_totals(&t, totals, x, BEFORE);
  size_t skip = BEFORE * tile * size, rest = ALL - BEFORE * tile;
  memcpy(z, x + skip, rest * size);
  tree_scan_behind(&t, totals, BEFORE, z, z, rest);
  assert_memory_equal(z, r + skip, rest * size);
  tree_scan_behind(&t, totals, 0, z, x, ALL);
  assert_memory_equal(z, r, ALL * size);
}

static void test_behind(void **state) {
  UNUSED(state);
  scan_behind(KF64, KF_ADD);
  scan_behind(KF64, KF_MUL);
  scan_behind(KF32, KF_ADD);
  scan_behind(KF32, KF_MUL);
}

static void test_all_functions(void **state) {
  UNUSED(state);
  for (int round = 0; round < 6000; round++) {
    prim f = (prim)(round % (P_OR + 1));
    int n = 2 + (int)(next() >> 60) % 7;
    arr *y = random_line((int)(next() >> 40) % 5, n);
    arr *r = prim_reduce(&env, f, y, 0);
    bool failed = err_is(&c);
    err_clear(&c);
    if (r && r->type == ET_C128 &&
        y->type == ET_F32) { /* what leaves the reals is f64 throughout */
      arr *wide = arr_convert(&c, y, ET_F64);
      arr_release(y);
      y = wide;
    }
    arr *want = by_calls(f, y, n - 1);
    err_clear(&c);
    assert_int_equal(want == NULL, failed);
    if (r && !arr_match(r, want, 1e-6))
      fail_msg("%s/ of %d elements", prim_table[f].glyph, n);
    arr_release(r);
    arr_release(want);
    arr *s = prim_scan(&env, f, y, 0);
    err_clear(&c);
    for (int j = 0; j < n; j++) {
      want = by_calls(f, y, j);
      err_clear(&c);
      if (!want) assert_null(s);
      if (s && want)
        assert_true(num_equal(arr_get_float(s, j), arr_get_float(want, 0), 1e-6));
      arr_release(want);
    }
    arr_release(s);
    arr_release(y);
  }
}

/* ×\ where prefixes vanish, overflow, or hold a zero: strict folds from the right. */
static void test_product_scans(void **state) {
  UNUSED(state);
  for (int round = 0; round < 3000; round++) {
    int n = 2 + (int)(next() >> 60);
    arr *y = arr_vec(&c, round % 2 ? ET_F64 : ET_F32, n);
    double reach = round % 2 ? 900 : 110;
    for (int i = 0; i < n; i++) {
      double v = ldexp(uniform(-2, 2), (int)uniform(-reach, reach));
      arr_put_float(y, i,
                    next() % 7 == 0 ? copysign(0, v)
                    : round % 3     ? v
                                    : uniform(-2, 2));
    }
    arr *s = prim_scan(&env, P_TIMES, y, 0);
    err_clear(&c);
    for (int j = 0; j < n; j++) {
      arr *want = by_calls(P_TIMES, y, j);
      err_clear(&c);
      double got = s ? arr_get_float(s, j) : 0, w = want ? arr_get_float(want, 0) : 0;
      if (s && fabs(got) < (y->type == ET_F64 ? DBL_MIN : (double)FLT_MIN))
        assert_true(want && w == got && signbit(w) == signbit(got));
      if (s) assert_true(isfinite(got));
      arr_release(want);
    }
    arr_release(s);
    arr_release(y);
  }
  int n = 300000; /* decays to 0, and a zero in front: neither may take quadratic time */
  arr *y = arr_vec(&c, ET_F64, n);
  for (int i = 0; i < n; i++) arr_put_float(y, i, 0.5);
  arr *s = prim_scan(&env, P_TIMES, y, 0);
  assert_true(arr_get_float(s, 1000) == 0x1p-1001 && arr_get_float(s, n - 1) == 0);
  arr_release(s);
  for (int i = 0; i < n; i++) arr_put_float(y, i, i % 2 ? 0.9 : 1.01);
  s = prim_scan(&env, P_TIMES, y,
                0); /* what is subnormal on the way stays so, or becomes 0 */
  assert_true(arr_get_float(s, n - 1) == 0 && arr_get_float(s, 100) > 0);
  arr_release(s);
  for (int i = 0; i < n; i++) arr_put_float(y, i, i == 1 ? 0 : i % 2 ? 0.5 : -2);
  s = prim_scan(&env, P_TIMES, y, 0);
  assert_true(arr_get_float(s, n - 1) == 0);
  arr_release(s);
  arr_release(y);
}

static arr *work(int which, arr *y) {
  switch (which) {
  case 0: return prim_reduce(&env, P_PLUS, y, 0);
  case 1: return prim_scan(&env, P_TIMES, y, 1);
  case 2: return prim_scan(&env, P_MINUS, y, 0);
  case 3: return prim_reduce(&env, P_EQ, y, 1);
  default: return prim_reduce(&env, P_TIMES, y, 0);
  }
}

static void test_failing(void **state) {
  UNUSED(state);
  int64_t shape[] = {30, 500};
  arr *y = arr_new(&c, ET_I8, 2, shape);
  for (int64_t i = 0; i < y->count; i++) arr_put_int(y, i, i % 5 - 2);
  size_t live = c.blocks_live;
  for (int which = 0; which < 5; which++)
    for (int64_t at = 1;; at++) {
      fail_at = at;
      arr *r = work(which, y);
      fail_at = 0;
      if (!r) assert_int_equal(c.err.code, ERR_WS_FULL);
      err_clear(&c);
      arr_release(r);
      assert_int_equal(c.blocks_live, live);
      if (r) break;
    }
  arr_release(y);
  y = arr_vec(&c, ET_F64, 200000);
  memset(y->host, 0, (size_t)y->count * 8);
  atomic_store(&c.interrupt, true);
  fails(prim_scan(&env, P_DIVIDE, y, 0), ERR_INTERRUPT);
  atomic_store(&c.interrupt, true);
  fails(prim_reduce(&env, P_PLUS, y, 0), ERR_INTERRUPT);
  arr_release(y);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_cases),         TEST(test_edges),  TEST(test_products),
      TEST(test_tree),          TEST(test_prefix), TEST(test_prefix_bound),
      TEST(test_scan_bound),    TEST(test_behind), TEST(test_all_functions),
      TEST(test_product_scans), TEST(test_failing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
