/* SPDX-License-Identifier: MIT */
/* test_ir.c - one meaning: the same expressions by the direct path, by the host's block
 * interpreter and on the device give the same bits, or the same error.
 *
 * Expressions are random chains of scalar functions, views and folds over random arrays of
 * every type and of awkward lengths, whose parts are kept and used again, as names would. The direct path (tune direct=huge) shares no code with
 * kernels and is the reference. The device is lavapipe or whatever VAPL_TEST_DEVICE names; with
 * no device those tests are left out, and say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "src/ir/ir.h"
#include "src/vk/gpu.h"
#include "src/base/hash.h"
#include "src/base/mem.h"
#include "src/array/convert.h"
#include "src/array/element.h"
#include "src/prim/index.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ctx c;
static uint64_t seed;

static prim_random rolls; /* every run begins with the same ones */

/* A primitive called with the defaults of a clear workspace. */
#define CALL(g)                                                                          \
  (&(ir_call){.g = (g),                                                                  \
              .env = {.c = &c, .ct = 1e-14, .io = 1, .random = &rolls, .pp = 10}})

static uint32_t rnd(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % n;
}

/* ── data ── */

static bool wild; /* this program's data hold NaN, infinities and negative zeros too */

static double some_float(void) {
  static const double beyond[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0};
  if (wild && !rnd(100)) return beyond[rnd(ARRAY_LEN(beyond))];
  static const double odd[] = {0,    1,     -1,    0.5, 3,           -2.5,
                               1e10, 1e-10, 1e300, 7,   1.0 + 1e-15, 100};
  return rnd(6) ? (double)rnd(2000) / 8 - 100 : odd[rnd(ARRAY_LEN(odd))];
}

static double f32_of(double v) {
  return fabs(v) > 1e30 && !isinf(v) ? 1e30f : (double)(float)v;
}

static arr *data(elt t, int64_t n) {
  arr *a = arr_vec(&c, t, n);
  assert_non_null(a);
  for (int64_t i = 0; i < n; i++) {
    int64_t v = (int64_t)rnd(200) - 100;
    if (t == ET_I32 && !rnd(50)) v = INT32_MAX - (int64_t)rnd(3);
    if (t == ET_I64 && !rnd(200))
      v = rnd(4) ? INT64_MAX - (int64_t)rnd(3) : INT64_MIN + (int64_t)rnd(2);
    if (t == ET_I64 && !rnd(20)) v = 9007199254740993 + (int64_t)rnd(4);
    if (elt_is_char(t))
      v = 97 + (int64_t)rnd(t == ET_C8 ? 3 : 200) * (t == ET_C32 ? 400 : 1);
    if (elt_is_float(t))
      arr_put_float(a, i, t == ET_F32 ? f32_of(some_float()) : some_float());
    else arr_put_int(a, i, t == ET_BIT ? (int64_t)rnd(2) : v);
  }
  return a;
}

/* ── expressions: a program of steps over a stack, run on any ir ── */

/* KEEP keeps the top of the stack in a register, as a name would; USE brings it back, PICK one
 * element of it. */
typedef enum what {
  S_DATA,
  S_SCALAR,
  S_MONAD,
  S_DYAD,
  S_REDUCE,
  S_SCAN,
  S_IOTA,
  S_KEEP,
  S_USE,
  S_TAKE,
  S_DROP,
  S_TABLE,
  S_PICK,
  S_TURN,
  S_MOVE,
  S_NUMBER,
  S_PUT,
  S_SET
} what;
typedef struct step {
  what what;
  prim p;
  int k;
} step;
/* Data by level: level l has n + 7×l elements, to be cut to those of the level below; then characters. */
enum {
  MAX_STEPS = 96,
  KINDS = 3,
  LEVELS = 3,
  CHARS = KINDS * LEVELS,
  MAX_DATA = CHARS + 3,
  MAX_REG = 6
};
typedef struct program {
  step s[MAX_STEPS];
  int n, regs, level[MAX_REG];
  arr *data[MAX_DATA], *scalar[7];
} program;

static const prim mon[] = {P_PLUS,    P_MINUS,   P_TIMES,  P_CEIL, P_FLOOR,
                           P_RESIDUE, P_REVERSE, P_DIVIDE, P_SIN,  P_ATAN};
/* These leave the real numbers. */
static const prim away[] = {P_LOG, P_ASIN, P_ACOSH, P_CO_SIN, P_TIMES_I};
static const prim dya[] = {P_PLUS,  P_MINUS,   P_TIMES, P_DIVIDE, P_CEIL,
                           P_FLOOR, P_RESIDUE, P_LT,    P_LE,     P_EQ,
                           P_GE,    P_GT,      P_NE,    P_AND,    P_OR};
static const prim folds[] = {P_PLUS, P_TIMES, P_CEIL, P_FLOOR, P_AND, P_OR};
enum { SCANS = 4 }; /* ∧\ of numbers takes the reference path quadratic time */

/* Folds go along the last axis but k, where there are as many. */
static step some_scan(void) { return (step){S_SCAN, folds[rnd(SCANS)], (int)rnd(2)}; }
static step some_reduce(void) {
  return (step){S_REDUCE, folds[rnd(ARRAY_LEN(folds))], (int)rnd(2)};
}
static int axis_of(const step *s, const arr *y) {
  return y->rank > s->k ? y->rank - 1 - s->k : y->rank - 1;
}
static step some_fold(void) { return rnd(2) ? some_reduce() : some_scan(); }

static void grow(program *g, step s) {
  assert_true(g->n < MAX_STEPS);
  g->s[g->n++] = s;
}

static void keep(program *g, int level) {
  if (g->regs == MAX_REG) return;
  g->level[g->regs] = level;
  grow(g, (step){S_KEEP, 0, g->regs++});
}

static bool use(program *g, int level) {
  for (int i = g->regs; i-- > 0;)
    if (g->level[i] == level && rnd(2)) return grow(g, (step){S_USE, 0, i}), true;
  return false;
}

static void leaf(program *g, int level) {
  uint32_t r = rnd(10);
  if (r < 4 && use(g, level)) return;
  if (r == 0 && level == 0) {
    bool turned = rnd(2);
    for (int i = 0; i < 2; i++) {
      grow(g, (step){S_DATA, 0, CHARS + (int)rnd(3)});
      if (turned) grow(g, (step){S_MONAD, P_REVERSE, 0});
    }
    grow(g, (step){S_DYAD, rnd(2) ? P_EQ : P_NE, 0});
  } else if (r < 3) grow(g, (step){S_IOTA, P_IOTA, level});
  else grow(g, (step){S_DATA, 0, level * KINDS + (int)rnd(KINDS)});
}

static void generate(program *g, int depth, bool fold, int level);

/* Something longer, cut to the length of the level in one of four ways. */
static void cut(program *g, int depth, int level) {
  generate(g, depth, false, level + 1);
  if (rnd(2)) grow(g, (step){S_DROP, 0, rnd(2) ? 7 : -7});
  else grow(g, (step){S_TAKE, 0, rnd(2) ? level + 1 : -(level + 1)});
}

static void generate(program *g, int depth, bool fold, int level) {
  if (depth <= 0) {
    leaf(g, level);
    return;
  }
  uint32_t r = rnd(12);
  if (r > 9 && level + 1 < LEVELS) {
    cut(g, depth - 1, level);
  } else if (r < 3) {
    generate(g, depth - 1, false, level);
    prim f =
        rnd(9) ? mon[rnd(ARRAY_LEN(mon) - (rnd(4) ? 3 : 0))] : away[rnd(ARRAY_LEN(away))];
    grow(g, (step){S_MONAD, f, 0});
  } else if (r < 6) {
    generate(g, depth - 1, false, level);
    bool power = !rnd(8); /* x*2 and x*0.5 have kernels of their own */
    if (!power && g->regs && rnd(2))
      grow(g, (step){S_PICK, 0, (int)rnd((uint32_t)g->regs)});
    else grow(g, (step){S_SCALAR, 0, power ? 4 + (int)rnd(3) : (int)rnd(4)});
    grow(g, (step){S_DYAD, power ? P_POWER : dya[rnd(ARRAY_LEN(dya))],
                   power ? 0 : (int)rnd(2)});
  } else {
    generate(g, depth - 1, false, level);
    if (!rnd(3)) keep(g, level);
    if (rnd(3) || !use(g, level)) generate(g, depth - 2, false, level);
    grow(g, (step){S_DYAD, dya[rnd(ARRAY_LEN(dya))], 0});
  }
  if (!rnd(16)) grow(g, (step){S_TURN, 0, 2 + (int)rnd(90)});
  if (!rnd(12)) grow(g, (step){S_MOVE, 0, (int)rnd(200)});
  if (!rnd(14)) grow(g, (step){S_NUMBER, 0, (int)rnd(60)});
  if (!rnd(14)) grow(g, (step){S_PUT, 0, (int)rnd(60)});
  if (!rnd(16)) grow(g, (step){S_SET, 0, (int)rnd(60)});
  if (!rnd(6)) keep(g, level);
  if (!fold && !rnd(12)) grow(g, some_scan());
  if (fold) {
    grow(g, some_fold());
    if (g->s[g->n - 1].what == S_SCAN && rnd(2)) {
      grow(g, (step){S_SCALAR, 0, (int)rnd(4)});
      grow(g, (step){S_DYAD, dya[rnd(ARRAY_LEN(dya))], 0});
    }
  }
}

/* A table of `columns`, what can be done with it, and its rows' folds. */
static void table(program *g, int columns) {
  enum { TABLES = 100, ROWS }; /* levels of their own */
  grow(g, (step){S_TABLE, 0, columns});
  for (uint32_t i = rnd(4); i > 0; i--) {
    if (rnd(2)) keep(g, TABLES);
    if (!rnd(3)) grow(g, some_scan());
    if (rnd(2)) keep(g, TABLES);
    if (!use(g, TABLES)) grow(g, (step){S_SCALAR, 0, (int)rnd(4)});
    grow(g, (step){S_DYAD, dya[rnd(ARRAY_LEN(dya))], 0});
  }
  if (!rnd(4)) return;
  grow(g, some_reduce());
  keep(g, ROWS);
  if (rnd(2)) grow(g, (step){S_MONAD, P_REVERSE, 0});
  if (!use(g, ROWS)) grow(g, (step){S_SCALAR, 0, (int)rnd(4)});
  grow(g, (step){S_DYAD, dya[rnd(ARRAY_LEN(dya))], 0});
  if (rnd(2)) grow(g, some_fold());
}

/* x f y with a small array as x. */
static arr *with(ir *g, prim f, int rank, int64_t a, int64_t b, arr *y) {
  arr *x = arr_vec(&c, ET_I64, rank), *r = NULL;
  if (x) arr_put_int(x, 0, a);
  if (x && rank == 2) arr_put_int(x, 1, b);
  if (x) r = ir_dyadic(CALL(g), f, x, y);
  arr_release(x);
  return r;
}

/* y as a table of k columns, its axes rearranged in some way, and as a vector again, recycled. */
static arr *turn(ir *g, int k, arr *y) {
  static const prim ways[] = {P_TRANSPOSE, P_REVERSE, P_REVERSE1};
  int64_t n = y->count, rows = n / (k / 3 + 2);
  if (rows < 3) return arr_retain(y);
  arr *t = with(g, P_RHO, 2, rows, k / 3 + 2, y), *u = NULL, *r = NULL;
  if (t)
    u = k % 4 < 3 ? ir_monadic(CALL(g), ways[k % 4], t)
                  : with(g, P_DROP, 2, k % 2 ? 1 : -1, -1, t);
  arr_release(t);
  if (u) r = with(g, P_RHO, 1, n, 0, u);
  arr_release(u);
  return r;
}

/* ⍳n of y's length, as i64 numbers: k × it modulo n. */
static arr *numbers(ir *g, int k, const arr *y) {
  arr *n = arr_int(&c, y->count), *by = arr_int(&c, k), *r = NULL, *i = NULL;
  if (n) i = ir_monadic(CALL(g), P_IOTA, n);
  if (i && by) r = ir_dyadic(CALL(g), P_TIMES, by, i);
  arr_release(i);
  arr *m = r ? ir_dyadic(CALL(g), P_RESIDUE, n, r) : NULL;
  arr_release(r);
  arr_release(by);
  arr_release(n);
  return m;
}

static arr *indexed(ir *g, int k, arr *y) {
  arr *at = numbers(g, k, y), *one = arr_int(&c, 1), *r = NULL;
  arr *i = at && one ? ir_dyadic(CALL(g), P_PLUS, at, one) : NULL;
  if (i) r = ir_index(CALL(g), y, 1, &i);
  if (i && !r && !err_is(&c) && ir_host(g, y) && ir_host(g, i)) {
    prim_env e = {.c = &c, .io = 1};
    r = prim_index(&e, y, 1, &i);
  }
  arr_release(i);
  arr_release(one);
  arr_release(at);
  return r;
}

/* Those elements whose numbers are even, then the others. */
static arr *parted(ir *g, int k, arr *y) {
  arr *i = numbers(g, 2 * k + 1, y), *three = arr_int(&c, 3 * k), *r = NULL;
  arr *low = i && three ? ir_dyadic(CALL(g), P_LT, i, three) : NULL;
  arr *high = i && three ? ir_dyadic(CALL(g), P_GE, i, three) : NULL;
  arr *a = low ? ir_compress(CALL(g), low, y) : NULL;
  arr *b = high ? ir_compress(CALL(g), high, y) : NULL;
  if (a && b) r = ir_dyadic(CALL(g), P_COMMA, a, b);
  arr_release(b);
  arr_release(a);
  arr_release(high);
  arr_release(low);
  arr_release(three);
  arr_release(i);
  return r;
}

/* x f[axis] t, or f[axis] t, of an x of n numbers, all of them v. */
static arr *along(ir *g, prim f, int n, int64_t v, int axis, arr *t) {
  OWNED arr *k = arr_int(&c, axis), *x = n ? arr_vec(&c, ET_I64, n) : NULL;
  for (int i = 0; x && i < n; i++) arr_put_int(x, i, v + i);
  return k && (x || !n) ? ir_along(CALL(g), f, x, t, k) : NULL;
}

/* t, of three axes, turned by a number for each line of axis k. */
static arr *turned_lines(ir *g, int k, arr *t) {
  int64_t shape[2] = {t->shape[k == 0], t->shape[k == 2 ? 1 : 2]};
  OWNED arr *by = arr_new(&c, ET_I64, 2, shape), *axis = arr_int(&c, k + 1);
  for (int64_t i = 0; by && i < by->count; i++) arr_put_int(by, i, 7 * i - 40);
  return by && axis ? ir_along(CALL(g), P_REVERSE, by, t, axis) : NULL;
}

/* Some of t's middle axis, all of its first, one of its last, over and over. */
static arr *sections(ir *g, int k, arr *t) {
  arr *list = arr_vec(&c, ET_I64, 5), *one = arr_int(&c, 1 + k % t->shape[2]), *r = NULL;
  for (int i = 0; list && i < 5; i++) arr_put_int(list, i, 1 + (i * k) % t->shape[1]);
  arr *at[3] = {NULL, list, k % 2 ? one : NULL};
  if (list && one) r = ir_index(CALL(g), t, 3, at);
  if (list && one && !r && !err_is(&c) && ir_host(g, t)) {
    prim_env e = {.c = &c, .io = 1};
    r = prim_index(&e, t, 3, at);
  }
  arr_release(one);
  arr_release(list);
  return r;
}

/* Cells along an axis of t, some more often, some not; or with fill elements between. */
static arr *copied(ir *g, int k, arr *t) {
  int64_t n = t->shape[k % 3], more = k / 3 % 2 ? n + n / 2 : n;
  OWNED arr *x = arr_vec(&c, k % 5 ? ET_I64 : ET_BIT, more);
  for (int64_t i = 0; x && i < more; i++) {
    int64_t v = (i + k) % 5 - 1;
    if (more > n) v = i % 3 != 2;
    else if (x->type == ET_BIT) v = i % 2;
    arr_put_int(x, i, v);
  }
  return x ? ir_replicate(CALL(g), x, t, k % 3, more > n) : NULL;
}

/* t, of three axes, moved in some way; some elements may become fill elements. */
static arr *moved(ir *g, int k, arr *t) {
  int axis = 1 + k % 3;
  switch (k / 3 % 11) {
  case 0: return along(g, P_REVERSE, 0, 0, axis, t);
  case 1: return along(g, P_REVERSE, 1, k - 50, axis, t);
  case 2: return turned_lines(g, axis - 1, t);
  case 3: return along(g, P_TAKE, 1, k % 2 ? k : -k, axis, t);
  case 4: return along(g, P_DROP, 1, k % 2 ? 1 : -1, axis, t);
  case 5: return with(g, P_TAKE, 2, t->shape[0] + 3, -t->shape[1] - k % 4, t);
  case 6: {
    OWNED arr *by = arr_float(&c, axis - 0.5 * (k % 2)),
              *u = along(g, P_REVERSE, 0, 0, 1, t);
    return by && u ? ir_along(CALL(g), P_COMMA, u, t, by) : NULL;
  }
  case 7: {
    OWNED arr *x = arr_vec(&c, ET_I64, 3);
    for (int i = 0; x && i < 3; i++) arr_put_int(x, i, 1 + (k >> i & 1));
    if (x && k % 8 == 0) arr_put_int(x, 0, 1);
    if (x && k % 8 == 7) arr_put_int(x, 1, 1);
    return x ? ir_dyadic(CALL(g), P_TRANSPOSE, x, t) : NULL;
  }
  case 8: return sections(g, k, t);
  default: return copied(g, k, t);
  }
}

/* y's elements as a table of three axes that is moved, as many of them. */
static arr *table_moved(ir *g, int k, arr *y) {
  int64_t shape[3] = {y->count / 12, 3, 4}, n = y->count;
  if (y->count < 36) return arr_retain(y);
  OWNED arr *x = arr_int_vec(&c, 3, shape), *len = arr_int_vec(&c, 1, &n);
  OWNED arr *t = x && len ? ir_dyadic(CALL(g), P_RHO, x, y) : NULL;
  OWNED arr *r = t ? moved(g, k, t) : NULL;
  return r ? ir_dyadic(CALL(g), P_RHO, len, r) : NULL;
}

/* y's elements at other places, as many of them; some may become fill elements. */
static arr *move(ir *g, int k, arr *y) {
  arr *u = NULL, *r = NULL;
  if (y->rank != 1 || y->count < 4) return arr_retain(y);
  if (k >= 64) return table_moved(g, k, y);
  if (k % 4 == 0) return indexed(g, k, y);
  if (k % 4 == 1) return parted(g, k, y);
  if (k % 4 == 2) return with(g, P_REVERSE, 1, k - 30, 0, y);
  u = with(g, P_TAKE, 1, k < 32 ? y->count + k : -y->count - k, 0, y);
  if (u) r = with(g, P_DROP, 1, k < 32 ? k : -k, 0, u);
  arr_release(u);
  return r;
}

/* ?y of whole numbers from 1, or of zeros. */
static arr *rolled(ir *g, int k, arr *y) {
  OWNED arr *of = numbers(g, k + 1, y), *one = arr_int(&c, k % 2), *zero = arr_int(&c, 0);
  OWNED arr *same =
      of && zero ? ir_dyadic(CALL(g), P_TIMES, of, k % 2 ? one : zero) : NULL;
  OWNED arr *range = same && one ? ir_dyadic(CALL(g), P_PLUS, same, one) : NULL;
  return range ? ir_monadic(CALL(g), P_ROLL, range) : NULL;
}

/* As many numbers as y has, from y's digits, from y as digits, or random. */
static arr *numbered(ir *g, int k, arr *y) {
  OWNED arr *t = NULL, *u = NULL;
  if (y->rank != 1 || y->count < 4) return arr_retain(y);
  if (k % 3 == 0) return rolled(g, k / 3, y);
  if (k % 3 == 1) {
    t = with(g, P_ENCODE, 2, 7 + k, k % 4 ? 2 + k : 1000000007, y);
    return t ? ir_reduce(CALL(g), P_PLUS, t, 0) : NULL;
  }
  t = with(g, P_RHO, 2, 2, y->count / 2, y);
  u = t ? with(g, P_DECODE, 2, 3, k - 20, t) : NULL;
  return u ? with(g, P_RHO, 1, y->count, 0, u) : NULL;
}

/* An element near y's middle. */
static arr *pick(ir *g, arr *y) {
  arr *r = ir_pick(CALL(g), y, y->count / 2);
  return r || err_is(&c) || !ir_host(g, y) ? r : arr_scalar_at(&c, y, y->count / 2);
}

/* y with some of its elements, by numbers that repeat, put to others of its places. */
static arr *stored(ir *g, int k, arr *y) {
  int64_t n = y->count, m = 1 + n * (1 + k % 3) / 2;
  if (y->rank != 1 || n < 2) return arr_retain(y);
  arr *at = arr_vec(&c, ET_I32, m), *r = arr_retain(y);
  if (!at) {
    arr_release(r);
    return NULL;
  }
  for (int64_t i = 0; i < m; i++)
    ((int32_t *)at->host)[i] = (int32_t)(1 + i * (k + 1) % n);
  prim_env e = CALL(g)->env;
  arr *v = ir_index(CALL(g), y, 1, &at);
  if (!v && !err_is(&c) && ir_host(g, y)) v = prim_index(&e, y, 1, &at);
  arr *turned = v ? ir_monadic(CALL(g), P_REVERSE, v) : NULL;
  bool ok = turned && ir_put(CALL(g), &r, at, turned);
  if (turned && !ok && !err_is(&c) && ir_host(g, r) && ir_host(g, turned))
    ok = prim_index_put(&e, &r, 1, &at, turned);
  arr_release(turned);
  arr_release(v);
  arr_release(at);
  if (ok) return r;
  arr_release(r);
  return NULL;
}

/* Where y's elements are in others of y, of as many elements. */
static arr *in_set(ir *g, int k, arr *y) {
  if (k % 3 == 0) return ir_monadic(CALL(g), P_NE, y);
  arr *some = with(g, P_DROP, 1, k % 30, 0, y), *r = NULL;
  if (some)
    r = ir_dyadic(CALL(g), k % 3 == 1 ? P_IOTA : P_MEMBER, k % 3 == 1 ? some : y,
                  k % 3 == 1 ? y : some);
  arr_release(some);
  return r;
}

/* The program's value on an ir, on the host and verified; NULL: an error is in c. */
static arr *run(ir *g, const program *pr) {
  arr *st[MAX_STEPS + 1], *reg[MAX_REG] = {NULL};
  int n = 0;
  bool ok = true;
  prim_random_seed(&rolls, (uint64_t)pr->n);
  for (int i = 0; i < pr->n && ok; i++) {
    const step *s = &pr->s[i];
    arr *r = NULL, *x, *y;
    switch (s->what) {
    case S_DATA: r = arr_retain(pr->data[s->k]); break;
    case S_SCALAR: r = arr_retain(pr->scalar[s->k]); break;
    case S_IOTA: {
      arr *len = arr_int(&c, pr->data[s->k * KINDS]->count);
      r = len ? ir_monadic(CALL(g), P_IOTA, len) : NULL;
      arr_release(len);
      break;
    }
    case S_DYAD:
      y = st[--n], x = st[--n];
      r = s->k ? ir_dyadic(CALL(g), s->p, y, x) : ir_dyadic(CALL(g), s->p, x, y);
      arr_release(x);
      arr_release(y);
      break;
    case S_KEEP: reg[s->k] = arr_retain(st[n - 1]); continue;
    case S_USE: r = arr_retain(reg[s->k]); break;
    case S_PICK: r = pick(g, reg[s->k]); break;
    default:
      y = st[--n];
      r = s->what == S_MONAD ? ir_monadic(CALL(g), s->p, y)
          : s->what == S_TAKE
              ? with(g, P_TAKE, 1,
                     (s->k < 0 ? -1 : 1) * (pr->data[0]->count + 7 * (abs(s->k) - 1)), 0,
                     y)
          : s->what == S_DROP   ? with(g, P_DROP, 1, s->k, 0, y)
          : s->what == S_TURN   ? turn(g, s->k, y)
          : s->what == S_MOVE   ? move(g, s->k, y)
          : s->what == S_NUMBER ? numbered(g, s->k, y)
          : s->what == S_PUT    ? stored(g, s->k, y)
          : s->what == S_SET    ? in_set(g, s->k, y)
          : s->what == S_TABLE  ? with(g, P_RHO, 2, y->count / s->k, s->k, y)
          : s->what == S_REDUCE ? ir_reduce(CALL(g), s->p, y, axis_of(s, y))
                                : ir_scan(CALL(g), s->p, y, axis_of(s, y));
      arr_release(y);
    }
    if (r) st[n++] = r;
    else ok = false;
  }
  if (!ok) ir_first_error(g);
  ok = ok && ir_verify(g) && ir_host(g, st[n - 1]);
  while (n > (ok ? 1 : 0)) arr_release(st[--n]);
  for (int i = 0; i < MAX_REG; i++) arr_release(reg[i]);
  return ok ? st[0] : NULL;
}

/* ── comparing ── */

static void show(const program *pr) {
  for (int i = 0; i < pr->n; i++) {
    static const char *const names[] = {
        "data", "scalar", "monad", "dyad", "reduce", "scan", "iota",   "keep", "use",
        "take", "drop",   "table", "pick", "turn",   "move", "number", "put",  "set"};
    const step *s = &pr->s[i];
    fprintf(stderr, " %s%s%d", names[s->what],
            s->what >= S_MONAD && s->what <= S_SCAN ? prim_table[s->p].glyph : "", s->k);
    if (s->what == S_DATA) fprintf(stderr, ":%s", elt_table[pr->data[s->k]->type].name);
    if (s->what == S_SCALAR) fprintf(stderr, "=%g", arr_get_float(pr->scalar[s->k], 0));
  }
  fprintf(stderr, "  n=%lld\n", (long long)pr->data[0]->count);
}

/* Same kind, shape and bits (an integer's width is not visible; any NaN equals any other). */
static bool same_bits(const arr *x, const arr *y) {
  if (!arr_same_shape(x, y)) return false;
  if (!elt_is_int((elt)x->type) || !elt_is_int((elt)y->type)) {
    if (x->type != y->type) return false;
    bool pairs = x->type == ET_C128;
    for (int64_t i = 0; i < x->count * (1 + pairs); i++) {
      double a = pairs ? ((double *)x->host)[i] : arr_get_float(x, i);
      double b = pairs ? ((double *)y->host)[i] : arr_get_float(y, i);
      if (isnan(a) && isnan(b)) continue;
      if (memcmp(&a, &b, 8)) {
        fprintf(stderr, "element %lld: %.17g and %.17g\n", (long long)i, a, b);
        return false;
      }
    }
    return true;
  }
  for (int64_t i = 0; i < x->count; i++)
    if (arr_get_int(x, i) != arr_get_int(y, i)) {
      fprintf(stderr, "element %lld: %lld and %lld\n", (long long)i,
              (long long)arr_get_int(x, i), (long long)arr_get_int(y, i));
      return false;
    }
  return true;
}

/* VAPL_TEST_SPIRV=DIR: every module that is emitted, for spirv-val. */
static void on_module(void *user, char stage, const char *text, const uint32_t *words,
                      size_t n) {
  UNUSED(text);
  if (stage != 's') return;
  char path[512];
  snprintf(path, sizeof path, "%s/%016llx.spv", (const char *)user,
           (unsigned long long)hash_bytes(words, n * 4, 0));
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(words, 4, n, f), n);
  fclose(f);
}

static uint64_t device_bytes; /* how much memory a device has; 0: what it has */

static ir *open_ir(const char *device, const char *tune) {
  ir *g = ir_new(&(ir_config){.c = &c,
                              .device = device,
                              .tune = tune,
                              .threads = 2,
                              .max_device_bytes = device_bytes});
  assert_non_null(g);
  char *dir = getenv("VAPL_TEST_SPIRV");
  if (dir) ir_set_sink(g, on_module, dir);
  return g;
}

static int compared, erred; /* of how many programs, how many end in an error */

/* The reference has one thread. */
static void compare(ir *reference, ir *other, const program *pr, const char *who) {
  ctx_team team = c.team;
  c.team.share = NULL;
  arr *a = run(reference, pr);
  c.team = team;
  int code = c.err.code;
  compared++;
  erred += code != 0;
  char msg[240];
  memcpy(msg, c.err.msg, sizeof msg);
  err_clear(&c);
  arr *b = run(other, pr);
  bool same = a && b ? same_bits(a, b)
                     : !a && !b && code == c.err.code && !strcmp(msg, c.err.msg);
  if (!same) {
    fprintf(stderr, "%s differs:", who);
    show(pr);
    fprintf(stderr, "  reference %s %s %s, other %s %s %s\n",
            a ? elt_table[a->type].name : "-", err_name(code), msg,
            b ? elt_table[b->type].name : "-", err_name(c.err.code), c.err.msg);
  }
  err_clear(&c);
  arr_release(a);
  arr_release(b);
  assert_true(same);
}

static void random_program(program *pr, int64_t n, int depth) {
  static const elt types[] = {ET_BIT, ET_I8,  ET_I16, ET_I32,
                              ET_I64, ET_F32, ET_F64, ET_F64};
  *pr = (program){.n = 0};
  wild = !rnd(4);
  for (int i = 0; i < CHARS; i++)
    pr->data[i] = data(types[rnd(ARRAY_LEN(types))], n + i / KINDS * 7);
  for (int i = CHARS; i < MAX_DATA; i++) pr->data[i] = data(ET_C8 + (elt)(i - CHARS), n);
  for (int i = 0; i < 4; i++)
    pr->scalar[i] =
        rnd(2) ? arr_int(&c, (int64_t)rnd(9) - 3) : arr_float(&c, some_float());
  static const double exponents[] = {2, 0.5, 3};
  for (int i = 4; i < 7; i++)
    pr->scalar[i] = rnd(2) && i != 5 ? arr_int(&c, (int64_t)exponents[i - 4])
                                     : arr_float(&c, exponents[i - 4]);
  int columns = 0;
  static const int widths[] = {2, 3, 4, 7, 31, 33, 128, 341, 1025};
  for (size_t i = 0; i < ARRAY_LEN(widths); i++)
    if (n % widths[i] == 0 && n > widths[i] && (!columns || rnd(2))) columns = widths[i];
  if (columns && rnd(3)) {
    generate(pr, depth, false, 0);
    table(pr, columns);
  } else {
    generate(pr, depth, rnd(3) != 0, 0);
  }
}

static void drop_program(program *pr) {
  for (int i = 0; i < MAX_DATA; i++) arr_release(pr->data[i]);
  for (int i = 0; i < 7; i++) arr_release(pr->scalar[i]);
}

static const int64_t lengths[] = {2,    3,     31,    32,    33,    127,
                                  255,  1023,  1024,  1025,  4097,  8191,
                                  8193, 16384, 16385, 20011, 65537, 100003};
/* These make tables too. */
static const int64_t areas[] = {4,    6,    62,   93,       1023,     1364,
                                2387, 3075, 7175, 33 * 341, 128 * 130};
static int64_t some_length(void) {
  return rnd(2) ? lengths[rnd(ARRAY_LEN(lengths))] : areas[rnd(ARRAY_LEN(areas))];
}

static void against(const char *device, const char *tune, int rounds, uint64_t start) {
  ir *reference = open_ir("host", "direct=1000000000"), *other = open_ir(device, tune);
  seed = start;
  for (int i = 0; i < rounds; i++) {
    program pr;
    random_program(&pr, some_length(), 1 + (int)rnd(4));
    compare(reference, other, &pr, tune);
    drop_program(&pr);
  }
  ir_free(reference);
  ir_free(other);
  assert_int_equal(c.blocks_live, 0);
}

static int rounds_of(int usual) {
  const char *s = getenv("VAPL_TEST_ROUNDS");
  return s ? atoi(s) : usual;
}

static void test_host_fused(void **s) {
  UNUSED(s);
  against("host", "direct=0", rounds_of(1500), 1);
}
static void test_host_unfused(void **s) {
  UNUSED(s);
  against("host", "direct=0 fuse=0", rounds_of(500), 2);
}
/* Both at once: what is short is computed directly, the rest by kernels. */
static void test_host_mixed(void **s) {
  UNUSED(s);
  against("host", "direct=1024", rounds_of(500), 6);
}
/* Threads share what is computed directly. */
static void test_host_shared(void **s) {
  UNUSED(s);
  against("host", "direct=1000000000 threads=3 share=64", rounds_of(700), 9);
}

static const char *test_device(void) {
  const char *d = getenv("VAPL_TEST_DEVICE");
  return d ? d : "cpu";
}

static bool no_device(void) {
  gpu_info *list;
  int n = 0;
  char why[160] = "";
  bool ok = gpu_list(&c, &list, &n, why);
  mem_free(&c, ok ? list : NULL);
  if (n == 0) print_message("no Vulkan device: %s\n", why);
  return n == 0;
}

/* A kernel costs lavapipe 10 to 200 ms: few programs, each over several lengths. */
static void test_device_fused(void **s) {
  UNUSED(s);
  if (no_device()) skip();
  ir *reference = open_ir("host", "direct=1000000000"),
     *other = open_ir(test_device(), "direct=0");
  int rounds = rounds_of(50);
  seed = 3;
  for (int i = 0; i < rounds; i++) {
    program pr;
    random_program(&pr, some_length(), 1 + (int)rnd(4));
    compare(reference, other, &pr, "device");
    drop_program(&pr);
  }
  ir_free(reference);
  ir_free(other);
  assert_int_equal(c.blocks_live, 0);
}

/* The same with every dispatch cut into small ones, all transfers in small pieces, and memory
 * for a few arrays, so that others leave the device all the time. */
static void test_device_cut(void **s) {
  UNUSED(s);
  if (no_device()) skip();
  device_bytes = 2 << 20;
  against(test_device(), "direct=0 cut=20000 staging=8192", rounds_of(12), 3);
  device_bytes = 0;
}

/* Every fold, plain, on rows and on columns, over every type on the device. Kernels take lavapipe
 * a while to compile, so each fold of each type meets a few of the lengths, other ones each
 * time; VAPL_TEST_ALL takes them all. */
static void test_device_folds(void **s) {
  UNUSED(s);
  if (no_device()) skip();
  ir *reference = open_ir("host", "direct=1000000000"),
     *other = open_ir(test_device(), "direct=0");
  static const elt types[] = {ET_BIT, ET_I8, ET_I32, ET_I64, ET_F32, ET_F64};
  size_t each = getenv("VAPL_TEST_ALL") ? 1 : 9;
  seed = 4;
  for (size_t t = 0; t < ARRAY_LEN(types); t++)
    for (size_t p = 0; p < 4; p++)
      for (size_t scan = 0; scan < 2; scan++)
        for (size_t l = (t * 8 + p * 2 + scan) % each; l < ARRAY_LEN(lengths);
             l += each) {
          program pr = {.n = 2};
          pr.s[0] = (step){S_DATA, 0, 0};
          pr.s[1] = (step){scan ? S_SCAN : S_REDUCE, folds[p], 0};
          arr *flat = data(types[t], lengths[l] * (l % 2 ? 3 : 1));
          bool columns = (t + p + l / 2) % 2;
          int64_t shape[] = {columns ? lengths[l] : 3, columns ? 3 : lengths[l]};
          pr.data[0] = l % 2 ? arr_reshape(&c, flat, 2, shape) : arr_retain(flat);
          pr.s[1].k = columns;
          arr_release(flat);
          compare(reference, other, &pr, "device fold");
          arr_release(pr.data[0]);
        }
  ir_free(reference);
  ir_free(other);
  assert_int_equal(c.blocks_live, 0);
}

/* ── exact answers ── */

static void test_exact(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", NULL);
  arr *n = arr_int(&c, 10000000), *v = ir_monadic(CALL(g), P_IOTA, n),
      *sum = ir_reduce(CALL(g), P_PLUS, v, 0);
  assert_true(ir_host(g, sum));
  assert_int_equal(arr_get_int(sum, 0), 50000005000000);
  arr *run_ = ir_scan(CALL(g), P_PLUS, v, 0);
  assert_true(ir_host(g, run_));
  for (int64_t i = 1; i <= 10000000; i += 7919)
    assert_int_equal(arr_get_int(run_, i - 1), i * (i + 1) / 2);
  arr_release(n);
  arr_release(v);
  arr_release(sum);
  arr_release(run_);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* ── the earliest error wins, also when pending work hides it ── */

static void test_first_error(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", "direct=0");
  arr *y = data(ET_I32, 1000), *z = arr_int(&c, 0), *one = arr_int(&c, 1);
  arr *a = ir_dyadic(CALL(g), P_DIVIDE, y, z); /* pending: would be DOMAIN ERROR */
  assert_non_null(a);
  uint64_t before = ir_seq(g);
  arr *b = ir_dyadic(CALL(g), P_PLUS, one, y);
  assert_true(ir_host(g, b)); /* not at fault, and does not hide the other */
  assert_false(ir_verify(g));
  assert_int_equal(c.err.code, ERR_DOMAIN);
  assert_true(ir_error_seq(g) < before);
  err_clear(&c);
  assert_true(ir_verify(g)); /* and it is said once */
  arr *all[] = {y, z, one, a, b};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* ── values that are used twice, or in part ── */

static arr *f1(ir *g, prim p, arr *y) { /* consumes y, as f2 does x and y */
  arr *r = ir_monadic(CALL(g), p, y);
  arr_release(y);
  return r;
}

static arr *f2(ir *g, arr *x, prim p, arr *y) {
  arr *r = ir_dyadic(CALL(g), p, x, y);
  arr_release(x);
  arr_release(y);
  return r;
}

static arr *scan_of(ir *g, prim p, arr *y) { return ir_scan(CALL(g), p, y, 0); }

static arr *floats(int64_t n) {
  arr *a = arr_vec(&c, ET_F64, n);
  for (int64_t i = 0; i < n; i++) arr_put_float(a, i, (double)(i % 37) / 8);
  return a;
}

static arr *same_long(int64_t v, int64_t n) {
  arr *a = arr_vec(&c, ET_I64, n);
  for (int64_t i = 0; i < n; i++) arr_put_int(a, i, v);
  return a;
}

/* A scan that is needed straight and reversed, or by another scan; a value that is held and
 * that something which must be made first has computed already; ∧ of truth values that turn
 * out to be floats; a few elements of what becomes floats because of another element. */
static arr *sharing(ir *g, int which) {
  arr *v = floats(1000), *s = NULL, *m = NULL, *r = NULL;
  if (which < 2) {
    s = scan_of(g, P_PLUS, v);
    m = f2(g, s, P_PLUS, arr_int(&c, 1));
    s = which == 0 ? ir_monadic(CALL(g), P_REVERSE, m) : scan_of(g, P_PLUS, m);
    r = f2(g, m, P_PLUS, s);
  } else if (which == 2) {
    m = f2(g, arr_retain(v), P_TIMES, arr_float(&c, 1.5));
    s = f2(g, scan_of(g, P_PLUS, m), P_PLUS, scan_of(g, P_CEIL, m));
    r = f2(g, arr_retain(m), P_PLUS, s);
    if (!ir_settle(g, r)) r = NULL; /* while m is held */
    arr_release(m);
  } else {
    arr *big = same_long(INT64_MAX, 1000);
    if (which == 5) {
      for (int64_t i = 0; i < 999; i++) arr_put_int(big, i, 9007199254740992);
      m = f2(g, big, P_PLUS, arr_int(&c, 1));
      r = f2(g, arr_int(&c, 200), P_TAKE, m);
    } else {
      m = f2(g, arr_retain(big), P_PLUS, big);
      s = f2(g, arr_int(&c, 2), P_RESIDUE, m);
      r = which == 3 ? ir_reduce(CALL(g), P_AND, s, 0)
                     : f2(g, arr_retain(s), P_OR, arr_retain(s));
      arr_release(s);
    }
  }
  arr_release(v);
  if (r && !ir_host(g, r)) arr_release(r), r = NULL;
  return r;
}

static void test_sharing(void **state) {
  UNUSED(state);
  for (int which = 0; which < 6; which++) {
    ir *direct = open_ir("host", "direct=1000000000"),
       *lazy = open_ir("host", "direct=0");
    arr *x = sharing(direct, which), *y = sharing(lazy, which);
    assert_true(x && y && x->type == y->type && same_bits(x, y));
    arr_release(x);
    arr_release(y);
    ir_free(direct);
    ir_free(lazy);
    assert_int_equal(c.blocks_live, 0);
  }
}

/* A number too large for f32 comes to stand beside f32 when ⌈ of it stays float. */
static void test_beyond_f32(void **s) {
  UNUSED(s);
  for (int lazy = 0; lazy < 2; lazy++) {
    ir *g = open_ir("host", lazy ? "direct=0" : "direct=1000000000");
    arr *v = arr_vec(&c, ET_F32, 500);
    for (int64_t i = 0; i < 500; i++) arr_put_float(v, i, 1e30);
    arr *r = f2(g, f1(g, P_CEIL, v), P_TIMES, arr_float(&c, 1e300));
    assert_true(!r || !ir_host(g, r));
    assert_int_equal(c.err.code, ERR_DOMAIN);
    err_clear(&c);
    arr_release(r);
    ir_free(g);
  }
  assert_int_equal(c.blocks_live, 0);
}

/* ── much pending work ── */

/* Thousands of faults and of values that nobody wants: the first is told, in little time and
 * stack, and the list of what is unverified stays short. */
static void test_many(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", "direct=0");
  arr *good = floats(300), *zero = same_long(0, 300);
  arr *one = f2(g, arr_retain(good), P_PLUS, arr_int(&c, 1));
  for (int i = 0; i < 20000; i++) arr_release(f1(g, P_DIVIDE, arr_retain(one)));
  assert_true(c.blocks_live < 10000);
  assert_true(ir_verify(g));
  uint64_t first = ir_seq(g);
  arr *bad = NULL;
  for (int i = 0; i < 20000 && (bad = ir_monadic(CALL(g), P_DIVIDE, zero)); i++)
    arr_release(bad);
  assert_true(!bad || !ir_verify(g));
  assert_int_equal(c.err.code, ERR_DOMAIN);
  ir_first_error(g);
  assert_int_equal(ir_error_seq(g), first);
  err_clear(&c);
  arr *chain = arr_retain(one);
  for (int i = 0; i < 20000; i++) chain = f2(g, chain, P_PLUS, arr_int(&c, 1));
  assert_true(ir_host(g, chain));
  assert_true(arr_get_float(chain, 0) == 20001);
  arr *all[] = {good, zero, one, chain};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* What cannot be made for want of memory is an error once, like any other: it does not come
 * back at every later verification. */
static void test_memory_full(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", "direct=0");
  arr *v = f1(g, P_IOTA, arr_int(&c, 1000000000000));
  arr *early = f1(g, P_DIVIDE, floats(300));
  uint64_t before = ir_seq(g);
  arr *r = f1(g, P_DIVIDE, arr_retain(v));
  c.bytes_max = 64 << 20;
  assert_false(ir_verify(g));
  ir_first_error(g);
  /* Element 0 of `early` divides by zero, and was built before. */
  assert_int_equal(c.err.code, ERR_DOMAIN);
  assert_true(ir_error_seq(g) < before);
  err_clear(&c);
  assert_true(ir_verify(g));
  arr *again = f1(g, P_DIVIDE, arr_retain(v));
  assert_false(ir_verify(g));
  assert_int_equal(c.err.code, ERR_WS_FULL);
  err_clear(&c);
  assert_true(ir_verify(g));
  c.bytes_max = 0;
  arr *all[] = {v, early, r, again};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* Parts whose rows alone do not fit. */
static void test_rows_full(void **s) {
  UNUSED(s);
  prim_env e = {.c = &c, .io = 1};
  int64_t n = 16 << 20;
  arr *ones = arr_vec(&c, ET_BIT, n);
  memset(ones->host, 0xFF, (size_t)n / 8);
  c.bytes_max = 64 << 20;
  assert_null(prim_dyadic(&e, P_ENCLOSE, ones, ones));
  assert_int_equal(c.err.code, ERR_WS_FULL);
  err_clear(&c);
  c.bytes_max = 0;
  arr_release(ones);
  assert_int_equal(c.blocks_live, 0);
}

/* An interrupt drops the work that it met, and what came later; what came before is still to
 * be verified, and everything can still be computed. */
static void test_interrupt(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", "direct=0");
  arr *v = f2(g, floats(300), P_PLUS, arr_int(&c, 1));
  arr *a = f1(g, P_DIVIDE, arr_retain(v));
  uint64_t between = ir_seq(g);
  arr *b = f1(g, P_DIVIDE, arr_retain(v));
  atomic_store(&c.interrupt, true);
  assert_false(ir_verify(g));
  assert_int_equal(c.err.code, ERR_INTERRUPT);
  ir_first_error(g);
  assert_int_equal(c.err.code, ERR_INTERRUPT);
  assert_int_equal(ir_error_seq(g), between);
  assert_true(ir_unverified(g));
  err_clear(&c);
  assert_true(ir_verify(g));
  assert_false(ir_unverified(g));
  assert_true(ir_host(g, a) && ir_host(g, b) && same_bits(a, b));
  arr *all[] = {v, a, b};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* ── the failing allocator ── */

typedef struct budget {
  int left;
} budget;
static void *failing(void *user, void *p, size_t old, size_t n) {
  UNUSED(old);
  budget *b = user;
  if (n == 0) return free(p), NULL;
  return b->left-- > 0 ? realloc(p, n) : NULL;
}

static void fail_each(uint64_t start) {
  for (int limit = 0;; limit++) {
    budget b = {1 << 30};
    ctx_init(&c, failing, &b);
    seed = start;
    program pr;
    random_program(&pr, 300, 3);
    b.left = limit;
    ir *g =
        ir_new(&(ir_config){.c = &c, .device = "host", .tune = "direct=0", .threads = 1});
    arr *r = g ? run(g, &pr) : NULL;
    bool done = r || (g && c.err.code != ERR_WS_FULL);
    if (!r && !done) assert_int_equal(c.err.code, ERR_WS_FULL);
    err_clear(&c);
    arr_release(r);
    ir_free(g);
    drop_program(&pr);
    assert_int_equal(c.blocks_live, 0);
    if (done) break;
    assert_true(limit < 5000);
  }
  ctx_init(&c, NULL, NULL);
}

static void test_failing_allocator(void **s) {
  UNUSED(s);
  for (uint64_t start = 5; start < 15; start++) fail_each(start);
}

int main(void) {
  ctx_init(&c, NULL, NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_first_error),
      cmocka_unit_test(test_sharing),
      cmocka_unit_test(test_beyond_f32),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_memory_full),
      cmocka_unit_test(test_rows_full),
      cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_host_fused),
      cmocka_unit_test(test_host_unfused),
      cmocka_unit_test(test_host_mixed),
      cmocka_unit_test(test_host_shared),
      cmocka_unit_test(test_failing_allocator),
      cmocka_unit_test(test_device_cut),
      cmocka_unit_test(test_device_folds),
      cmocka_unit_test(test_device_fused),
  };
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  print_message("%d programs compared, %d of them errors\n", compared, erred);
  return rc;
}
