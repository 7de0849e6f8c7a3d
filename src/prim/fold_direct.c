/* SPDX-License-Identifier: MIT */
/* fold_direct.c - f/ and f\ on the direct path, for scalar dyadic functions on simple arrays: the
 * reference of every folding kernel, so written plainly.
 *
 * A line of the argument along the axis is gathered into a buffer of one C type, folded or
 * scanned there, and its result put into a result of canonical type. How a line is folded is
 * decided once for the array:
 *
 *   SUM    + and - of integers: 128 bits, then i64, or f64 rounded once
 *   TREE   float + - and ×, integer ×, ⌊ ⌈: the tree of tables/fold.h, as fold/tree.c
 *          has it, but ⌊ ⌈ of integers in any order; in -/ every second element is negative
 *   TABLE  results that are truth values, scans: x → v f x on {0, 1} is two bits, and these
 *          compose from left to right in O(n)
 *   GCD    ∨\ and ∧\ of integers, associative: running
 *   RIGHT  everything else, and floats where the order is asked for: strictly from right to
 *          left (fold_right.c)
 *
 * An escape in any line redoes the whole array: sums as f64, other integers as f64 from where
 * a line escapes on (escaped), the rest by the F row, and where that escapes as complex numbers.
 * Complex sums add the parts by the tree, × runs from left to
 * right, and the rest goes from right to left. A float
 * product whose tree came out infinite, NaN or below the normal numbers although all its
 * elements are finite is redone from right to left, which decides whether it is an error; but not
 * a 0 with an element 0. */
#include "../base/arith.h"
#include "complex.h"
#include "fold_right.h"
#include "../fold/tree.h"
#include "../tables/fast.h"
#include "../tables/prim_fold.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/view.h"

#include <float.h>
#include <math.h>

typedef union num {
  bool b;
  int64_t i;
  double d;
  float s;
} num; /* one element of any type */
enum method { SUM, TREE, TABLE, GCD, RIGHT };

typedef struct fold {
  prim_env *e;
  prim f;
  enum method how;
  const fold_row *fold;         /* SUM and TREE: what is folded */
  const sc_row *row;            /* RIGHT, TABLE, and the redoing of products */
  const sc_row *variant, *real; /* of integers where the row escapes; the F row */
  bool escaped;                 /* elements are integers, results floats */
  sc_type in, out;              /* of the elements; of the results */
  int64_t n, cells, inner; /* a line's length, the number of lines, the step within one */
  int rank;                /* and shape of the result */
  int64_t shape[ARR_MAX_RANK];
  sc_state s;
  void *line, *res, *room;    /* n elements, n results, what the tree needs */
  char *in_lines, *out_lines; /* room for `abreast` of the former, 8 bytes an element */
  int64_t abreast;
  const exact_loops *exact; /* TREE: where the order cannot show; else NULL, and */
  const tree_loops *tree;
  bool blocks;  /* TREE: in blocks instead */
  bool strict;  /* floats from the right, not by a tree */
  bool forward; /* strict scans: from the last element of each prefix on */
  bool as_is;   /* lines are read as they lie in the array */
  bool minus;   /* TREE of ×: the sign of the product */
  int64_t work; /* steps since the interrupt flag was read */
} fold;

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ── identities ─────────────────────────────────────────────────────────────────────── */

arr *prim_identity(prim_env *e, prim f) {
  double v = 0;
  if (!fold_identity_of(f, &v)) {
    err_set(e->c, ERR_DOMAIN, "%s has no identity element", prim_table[f].glyph);
    return NULL;
  }
  if (fabs(v) < 0x1p53) return arr_int(e->c, (int64_t)v);
  return arr_float(e->c, v);
}

/* ── elements of a line ─────────────────────────────────────────────────────────────── */

static void *at(const fold *z, void *p, int64_t i) {
  return (char *)p + (size_t)i * sc_size(z->in);
}

/* One element: r ← x f y. */
static void fold_apply(fold *z, const void *x, const void *y, void *r) {
  z->row->one(&z->s, (sc_arg){x, 0}, (sc_arg){y, 0}, r, 1);
}

static double number_at(const fold *z, const void *p, int64_t i) {
  switch (z->in) {
  case SC_F64: return ((const double *)p)[i];
  case SC_F32: return (double)((const float *)p)[i];
  default: return 0; /* integers and bits are finite, which is what the callers ask */
  }
}

/* A result of the row, widened to the elements' type, for the row may give a truth
 * value. */
static void fold_widen(const fold *z, const void *from, void *to) {
  if (z->row->result != CLS_B) {
    memcpy(to, from, sc_size(z->in));
    return;
  }
  bool b = *(const bool *)from;
  if (z->in == SC_B) *(bool *)to = b;
  else if (z->in == SC_I64) *(int64_t *)to = b;
  else if (z->in == SC_F64) *(double *)to = b;
  else *(float *)to = b;
}

/* False after INTERRUPT, which is checked every so many steps. */
static bool go_on(fold *z, int64_t steps) {
  z->work += steps;
  if (z->work < 100000) return true;
  z->work = 0;
  return !interrupted(z->e->c);
}

/* A zero with the sign of the product. */
static void put_zero(const fold *z, void *p, int64_t i) {
  double v = z->minus ? -0.0 : 0.0;
  if (z->in == SC_F64) ((double *)p)[i] = v;
  else ((float *)p)[i] = (float)v;
}

/* v[0] f (v[1] f (… v[j])) → to, of the elements' type. A product that has become 0 stays so,
 * with the sign that the caller has put into z->minus. */
static bool fold_right(fold *z, int64_t j, void *to) {
  num acc, tmp;
  memcpy(&acc, at(z, z->line, j), sc_size(z->in));
  bool product = z->f == P_TIMES && z->in >= SC_F64;
  for (int64_t k = j - 1; k >= 0; k--) {
    if (product && number_at(z, &acc, 0) == 0) {
      put_zero(z, &acc, 0);
      break;
    }
    fold_apply(z, at(z, z->line, k), &acc, &tmp);
    fold_widen(z, &tmp, &acc);
    if (!go_on(z, 1)) return false;
  }
  memcpy(to, &acc, sc_size(z->in));
  return true;
}

static right_fold by_row(fold *z) {
  return (right_fold){z->e->c, z->f, z->row, z->in, &z->s};
}

/* ── the loops that fold values ─────────────────────────────────────────────────────── */

static kty kty_of(sc_type t) {
  if (t == SC_I64) return KI64;
  return t == SC_F64 ? KF64 : KF32;
}

/* Finds them for z's monoid and the type of elements. */
static void fold_find_loops(fold *z) {
  if (z->how != TREE) return;
  z->exact = exact_loops_of(z->fold->monoid, kty_of(z->in));
  z->tree = tree_loops_of(z->fold->monoid, kty_of(z->in));
}

/* ── reductions ─────────────────────────────────────────────────────────────────────── */

__extension__ typedef __int128 i128;

static void put_sum(fold *z, i128 sum, void *to, int64_t i) {
  if (z->out == SC_F64) ((double *)to)[i] = (double)sum;
  else if (sum < INT64_MIN || sum > INT64_MAX) z->s.esc = true;
  else ((int64_t *)to)[i] = (int64_t)sum;
}

/* Every prefix, or the last alone. The signs of - alternate. Most sums fit 64 bits whatever the
 * order, by the range of the elements. */
static void sums(fold *z, void *to, bool scan) {
  const int64_t *v = z->line;
  i128 sum = 0;
  int64_t low, high, *r = to, all = 0;
  sc_block()->range(SC_I64, v, z->n, &low, &high);
  int64_t most = INT64_MAX / 2 / z->n;
  if (z->out == SC_I64 && low >= -most && high <= most) {
    int64_t odd = z->fold->over == OVER_ALTERNATING ? -1 : 0; /* -v is ~v + 1 */
    if (!scan && !odd) {
      r[0] = sc_block()->sum(SC_I64, v, z->n);
      return;
    }
    for (int64_t i = 0; i < z->n; i++) {
      int64_t turn = -(i & 1) & odd;
      all += (v[i] ^ turn) - turn;
      if (scan) r[i] = all;
    }
    if (!scan) r[0] = all;
    return;
  }
  for (int64_t i = 0; i < z->n; i++) {
    if (z->fold->over == OVER_ALTERNATING && i % 2) sum -= v[i];
    else sum += v[i];
    if (scan) put_sum(z, sum, to, i);
  }
  if (!scan) put_sum(z, sum, to, 0);
}

static bool all_finite(const fold *z, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(number_at(z, z->line, i))) return false;
  return true;
}

static bool is_off(const fold *z, double r) {
  if (!isfinite(r)) return true;
  double normal = z->in == SC_F32 ? (double)FLT_MIN : DBL_MIN;
  return z->fold->monoid == KF_MUL && fabs(r) < normal;
}

/* Is the product 0 because an element is? */
static bool is_of_zero(const fold *z, double r) {
  bool any = false;
  for (int64_t i = 0; r == 0 && !any && i < z->n; i++)
    any = number_at(z, z->line, i) == 0;
  return any;
}

static bool is_checked(const fold *z) {
  kfold f = z->fold->monoid;
  return z->in >= SC_F64 && (f == KF_ADD || f == KF_MUL);
}

/* In blocks, as x f.g y has them. */
static uint32_t fold_blocks(const tree_loops *t, size_t size, const char *v, int64_t n,
                            void *to) {
  uint32_t flag = 0;
  num acc;
  for (int64_t at = 0; at < n; at += PRODUCT_BLOCK) {
    void *into = at ? &acc : to;
    t->fill(into, 1);
    flag |= t->chain(into, v + (size_t)at * size, (size_t)least(n - at, PRODUCT_BLOCK));
    if (at) flag |= t->both(to, to, &acc, 1);
  }
  return flag;
}

/* Folds the line of values, whatever comes of it. */
static void reduce_values(fold *z, void *to) {
  size_t size = sc_size(z->in);
  if (z->exact) {
    memcpy(to, z->line, size);
    z->exact->fold(to, at(z, z->line, 1), (size_t)z->n - 1, 1, 1);
  } else if (z->blocks) {
    z->s.esc |= fold_blocks(z->tree, size, z->line, z->n, to) != 0;
  } else {
    z->s.esc |= tree_line(z->tree, size, z->line, z->n, z->room, to) != 0;
  }
}

static bool reduce_tree(fold *z, void *to) {
  kfold f = z->fold->monoid;
  reduce_values(z, to);
  double r = number_at(z, to, 0);
  if (!is_checked(z) || !is_off(z, r) || !all_finite(z, z->n) || is_of_zero(z, r))
    return true;
  if (f == KF_ADD) {
    z->s.inf = true;
    return true;
  }
  z->minus = false;
  for (int64_t i = 0; i < z->n; i++) z->minus ^= signbit(number_at(z, z->line, i)) != 0;
  return fold_right(z, z->n - 1, to);
}

/* Folds z->line to one result of type z->out. */
static bool reduce_line(fold *z, void *to) {
  if (z->how == SUM) {
    sums(z, to, false);
    return true;
  }
  if (z->how == TREE) return reduce_tree(z, to);
  right_fold right = by_row(z);
  if (z->row->result != CLS_B) return right_line(&right, z->line, z->n, to);
  num last;
  if (!fold_right(z, z->n - 1, &last)) return false;
  if (z->in == SC_I64) *(bool *)to = last.i != 0;
  else if (z->in != SC_B) *(bool *)to = number_at(z, &last, 0) != 0;
  else *(bool *)to = last.b;
  return true;
}

/* ── scans ──────────────────────────────────────────────────────────────────────────── */

/* A product m × 2^e that cannot leave its range. */
typedef struct scaled {
  double m; /* 0, or a magnitude in ½ … 1 */
  int64_t e;
} scaled;

static void scaled_times(scaled *p, double v) {
  int of_v, of_m;
  double m = p->m * frexp(v, &of_v);
  p->m = frexp(m, &of_m);
  p->e += of_v + of_m;
}

/* Element i of the products is off; `all` is the product itself, and the products that end at i
 * have logarithms of magnitude from `low` to `high`. From the right none of them overflows, and
 * one becomes 0, or none; what may do both, or is near an end, is folded from the right. But far
 * down a line what has become subnormal is the product itself, rounded. */
static bool repair_product(fold *z, int64_t i, scaled all, double low, double high) {
  double most = z->in == SC_F32 ? FLT_MAX_EXP : DBL_MAX_EXP;
  double least =
      z->in == SC_F32 ? FLT_MIN_EXP - FLT_MANT_DIG : DBL_MIN_EXP - DBL_MANT_DIG;
  double room = z->in == SC_F32 ? FLT_MIN_EXP : DBL_MIN_EXP;
  enum { FAR = 1 << 12 };
  bool fits = high < most - 1;
  if (fits && low < least - 6) {
    put_zero(z, z->res, i);
  } else if (fits && (low > room + 1 || i > FAR)) {
    double v = ldexp(all.m, (int)all.e);
    if (z->in == SC_F64) ((double *)z->res)[i] = v;
    else ((float *)z->res)[i] = (float)v;
  } else {
    return fold_right(z, i, at(z, z->res, i));
  }
  return true;
}

/* Sums and products whose tree is off although the elements so far are finite. `low` and `high`
 * bound the logarithms of the products that end at an element and start behind a zero. */
static bool repair_scan(fold *z) {
  bool product = z->fold->monoid == KF_MUL;
  scaled all = {1, 0};
  double low = 0, high = 0;
  int64_t first = 0;
  while (first < z->n && !is_off(z, number_at(z, z->res, first))) first++;
  z->minus = false;
  for (int64_t i = 0; i < z->n && first < z->n; i++) {
    double v = number_at(z, z->line, i);
    if (!isfinite(v)) return true; /* from here on anything goes, as IEEE has it */
    z->minus ^= signbit(v) != 0;
    scaled_times(&all, v);
    low = v == 0 ? -HUGE_VAL : fmin(low, 0) + log2(fabs(v));
    high = v == 0 ? 0 : fmax(high, 0) + log2(fabs(v));
    if (i < first || !is_off(z, number_at(z, z->res, i))) continue;
    if (!product) z->s.inf = true;
    else if (!repair_product(z, i, all, low, high)) return false;
    if (z->s.inf) return true;
    if (!go_on(z, 1)) return false;
  }
  return true;
}

static bool scan_tree(fold *z) {
  kfold f = z->fold->monoid;
  if (z->exact) {
    num acc;
    memcpy(&acc, z->line, sc_size(z->in));
    fold_rows line = {z->res, 1, z->line, 1, (size_t)z->n, 1};
    z->exact->scan(&line, &acc, false);
    return true;
  }
  z->s.esc |= tree_scan_values(z->tree, f, kty_of(z->in), z->line, z->n, z->res) != 0;
  bool off = is_checked(z) && sc_block()->off(z->in, z->res, z->n, f == KF_MUL);
  return !off || repair_scan(z);
}

/* f of v[i] and an element, or of v[i] and the truth value b: a truth value. */
static bool truth(fold *z, int64_t i, const void *y) {
  bool r = false;
  fold_apply(z, at(z, z->line, i), y, &r);
  return r;
}
static bool truth_of(fold *z, int64_t i, bool b) {
  num y;
  fold_widen(z, &b, &y);
  return truth(z, i, &y);
}

/* Element j is C(v[j-1] f v[j]), with C the composition of x → v[i] f x for i < j-1. */
static void scan_table(fold *z) {
  bool c[2] = {false, true};
  memcpy(z->res, z->line, sc_size(z->in));
  for (int64_t j = 1; j < z->n; j++) {
    bool r = c[truth(z, j - 1, at(z, z->line, j))];
    fold_widen(z, &r, at(z, z->res, j));
    bool c0 = c[truth_of(z, j - 1, false)], c1 = c[truth_of(z, j - 1, true)];
    c[0] = c0;
    c[1] = c1;
  }
}

static void scan_running(fold *z) {
  memcpy(z->res, z->line, sc_size(z->in));
  for (int64_t j = 1; j < z->n; j++)
    fold_apply(z, at(z, z->res, j - 1), at(z, z->line, j), at(z, z->res, j));
}

/* Scans z->line to z->res, n results of type z->out. */
static bool scan_line(fold *z) {
  switch (z->how) {
  case SUM: sums(z, z->res, true); return true;
  case TREE: return scan_tree(z);
  case TABLE: scan_table(z); return true;
  case GCD: scan_running(z); return true;
  case RIGHT: break;
  }
  right_fold right = by_row(z);
  if (z->forward) return right_forward(&right, z->line, z->n, z->res);
  return right_prefixes(&right, z->line, z->n, z->res);
}

/* ── lines of integers, one of which has escaped ────────────────────────────────────── */

typedef struct mixed { /* a number: an integer for as long as it fits */
  bool real;
  num v;
} mixed;

static mixed element(const fold *z, int64_t i) {
  return (mixed){.v.i = ((const int64_t *)z->line)[i]};
}
static double value_of(mixed m) { return m.real ? m.v.d : (double)m.v.i; }

static mixed apply_mixed(fold *z, mixed x, mixed y) {
  mixed r = {0};
  const sc_row *row = z->row;
  if (!x.real && !y.real) {
    fold_apply(z, &x.v, &y.v, &r.v);
    if (!z->s.esc) return r;
    z->s.esc = false;
    row = z->variant;
  }
  r.real = true;
  double a = value_of(x), b = value_of(y);
  if (row && row == z->variant)
    row->one(&z->s, (sc_arg){&x.v, 0}, (sc_arg){&y.v, 0}, &r.v, 1);
  else z->real->fn(&z->s, (sc_arg){&a, 0}, (sc_arg){&b, 0}, &r.v, 1);
  return r;
}

/* Products that fit 128 bits, from the left; the others are those of floats. */
static bool products(fold *z, void *to, bool scan) {
  OWNED arr *ints = arr_vec(z->e->c, ET_I64, z->n);
  if (!ints) return false;
  int64_t *v = ints->host, n = 0;
  i128 p = 1;
  memcpy(v, z->line, (size_t)z->n * sizeof *v);
  while (n < z->n && !__builtin_mul_overflow(p, (i128)v[n], &p)) n++;
  if (!scan && n == z->n) {
    *(double *)to = (double)p;
    return true;
  }
  for (int64_t i = 0; i < z->n; i++) ((double *)z->line)[i] = (double)v[i];
  z->in = SC_F64;
  fold_find_loops(z);
  bool ok;
  right_fold right = by_row(z);
  right.row = z->real;
  if (z->strict && scan) ok = right_prefixes(&right, z->line, z->n, z->res);
  else if (z->strict) ok = right_line(&right, z->line, z->n, to);
  else ok = scan ? scan_tree(z) : reduce_tree(z, to);
  z->in = SC_I64;
  fold_find_loops(z);
  p = 1;
  for (int64_t i = 0; scan && i < n; i++) ((double *)z->res)[i] = (double)(p *= v[i]);
  return ok;
}

/* Reduces or scans z->line, i64, to doubles. */
static bool line_escaped(fold *z, void *to, bool scan) {
  double *r = scan ? z->res : to;
  if (z->how == TREE) return products(z, r, scan);
  mixed acc = element(z, 0);
  for (int64_t j = scan ? 0 : z->n - 1; j < z->n && !z->s.esc && !z->s.err; j++) {
    if (z->how == GCD && j) acc = apply_mixed(z, acc, element(z, j));
    if (z->how != GCD) acc = element(z, j);
    for (int64_t k = j - 1; z->how != GCD && k >= 0 && go_on(z, 1); k--)
      acc = apply_mixed(z, element(z, k), acc);
    *r++ = value_of(acc);
  }
  return !err_is(z->e->c);
}

/* ── the array ──────────────────────────────────────────────────────────────────────── */

static enum method method_of(const fold *z, cls on, cls row, bool scan) {
  const fold_row *f = z->fold;
  if (f && f->on == CLS_I && f->monoid == KF_ADD && on != CLS_F) return SUM;
  bool strict = z->strict && on == CLS_F && z->row && z->row->result == CLS_F;
  if (f && f->on != CLS_B && !strict) return TREE;
  if (scan && z->row->result == CLS_B) return TABLE;
  if (scan && (z->f == P_OR || z->f == P_AND) && row == CLS_I) return GCD;
  return RIGHT;
}

/* Chooses the method for elements of class `on`; `wide`: something escaped. Sums then become
 * floats, all else is folded as floats. */
static void fold_choose_method(fold *z, cls on, bool single, bool wide, bool scan) {
  cls row;
  z->fold = fold_of(z->f, on);
  bool sum = method_of(z, on, CLS_NONE, false) == SUM;
  z->row = sc_find(z->f, true, on, single, &row);
  z->escaped = wide && !sum && row == CLS_I;
  if (wide && !sum && !z->escaped) {
    on = CLS_F;
    z->fold = fold_of(z->f, on);
    z->row = sc_find(z->f, true, on, single, &row);
  }
  z->variant = sc_float_variant(z->f, true, row, single);
  if (z->escaped) z->real = sc_find(z->f, true, CLS_F, false, &on);
  z->how = method_of(z, on, row, scan);
  z->in = sc_type_of(sum ? CLS_I : row, single);
  fold_find_loops(z);
  z->out = z->in;
  if (wide && z->in == SC_I64) z->out = SC_F64;
  else if (!sum && !scan) z->out = sc_type_of((cls)z->row->result, single);
  z->s = (sc_state){.ct = z->e->ct};
  if (single && row == CLS_F) z->s.ct = 0;
}

/* Lines that lie side by side are moved together, some rows at a time, so that what one of them
 * brings into the cache serves its neighbours. */
enum { ABREAST = 16, STRIP = 256 };

/* Allocates the buffers that are needed and missing. Short lines that are read in
 * place need none. */
static bool buffers(fold *z) {
  ctx *c = z->e->c;
  z->abreast = least(z->inner, ABREAST);
  if (z->n > (int64_t)(PTRDIFF_MAX / 16 / ABREAST))
    return err_set(c, ERR_WS_FULL, "a line of %lld elements", (long long)z->n);
  size_t each = (size_t)z->n * 8, all = each * (size_t)z->abreast;
  if (!z->room && z->n > FOLD_TILE) z->room = mem_alloc(c, each / FOLD_TILE + 8);
  if (!z->in_lines && !z->as_is) {
    z->in_lines = mem_alloc(c, all);
    z->out_lines = mem_alloc(c, all);
  }
  return !err_is(c);
}

/* Negates every second float of the line. */
static void alternate(fold *z) {
  double *d = z->line;
  float *s = z->line;
  for (int64_t i = 1; i < z->n && z->in == SC_F64; i += 2) d[i] = -d[i];
  for (int64_t i = 1; i < z->n && z->in == SC_F32; i += 2) s[i] = -s[i];
}

/* m lines from element `first` on: from y into in_lines, or from out_lines into r. */
static void move_lines(fold *z, const arr *y, arr *r, int64_t first, int64_t m) {
  for (int64_t k = 0; k < z->n; k += STRIP)
    for (int64_t j = 0; j < m; j++) {
      int64_t n = least(z->n - k, STRIP), from = first + j + k * z->inner;
      char *to = z->in_lines + j * z->n * 8, *at = z->out_lines + j * z->n * 8;
      if (y) sc_load(y, from, z->inner, n, z->in, to + (size_t)k * sc_size(z->in));
      else sc_store(r, from, z->inner, n, z->out, at + (size_t)k * sc_size(z->out));
    }
}

/* All lines, until one faults or escapes. */
static bool lines(fold *z, const arr *y, arr *r, bool scan) {
  int64_t size = (int64_t)sc_size(z->in);
  int64_t first = 0,
          column = 0; /* the line's first element; which of those abreast it is */
  for (int64_t i = 0, m; i < z->cells; i += m) {
    m = least(z->inner - column, z->abreast);
    if (!z->as_is) move_lines(z, y, NULL, first, m);
    for (int64_t j = 0; j < m; j++) {
      num one;
      z->line = z->as_is ? (char *)y->host + first * size : z->in_lines + j * z->n * 8;
      z->res = z->as_is ? (char *)r->host + first * size : z->out_lines + j * z->n * 8;
      bool ok;
      if (z->how == TREE && z->fold->over == OVER_ALTERNATING) alternate(z);
      if (z->escaped) ok = line_escaped(z, &one, scan);
      else if (scan) ok = scan_line(z);
      else ok = reduce_line(z, &one);
      if (!ok || !go_on(z, z->n)) return false;
      if (z->s.esc || z->s.err || z->s.inf) return true;
      if (!scan) sc_store(r, i + j, 1, 1, z->out, &one);
    }
    if (scan && !z->as_is) move_lines(z, NULL, r, first, m);
    first += m;
    column += m;
    if (column < z->inner) continue;
    column = 0;
    first += (z->n - 1) * z->inner;
  }
  return true;
}

/* The same from the right. */
static bool columns_right(fold *z, const arr *y, arr *r) {
  enum { FEW = 8 };
  size_t row = (size_t)z->inner * sc_size(z->in);
  right_fold right = by_row(z);
  if (z->inner < FEW) return false;
  for (int64_t i = 0; i < z->cells / z->inner; i++) {
    const char *from = (const char *)y->host + (size_t)(i * z->n) * row;
    char *to = (char *)r->host + (size_t)i * row;
    if (!right_columns(&right, from, z->n, z->inner, to)) return false;
  }
  return true;
}

/* n rows of `inner` values become one. */
static void columns_exact(const fold *z, const char *v, char *to) {
  enum { SIDE = 1024 };
  size_t size = sc_size(z->in), row = (size_t)z->inner * size;
  for (int64_t j = 0, w; j < z->inner; j += w, v += SIDE * size, to += SIDE * size) {
    w = least(z->inner - j, SIDE);
    memcpy(to, v, (size_t)w * size);
    z->exact->fold(to, v + row, (size_t)z->n - 1, (size_t)w, (size_t)z->inner);
  }
}

/* Folds columns side by side, without a copy. Returns false if not applicable, or if a
 * result must be checked. */
static bool columns(fold *z, const arr *y, arr *r) {
  size_t size = sc_size(z->in), row = (size_t)z->inner * size;
  if (z->how == RIGHT) return columns_right(z, y, r);
  if (z->how != TREE || z->n > KIR_LANES || z->inner < 2 || z->blocks) return false;
  for (int64_t i = 0; i < z->cells / z->inner; i++) {
    const char *from = (const char *)y->host + (size_t)(i * z->n) * row;
    char *to = (char *)r->host + (size_t)i * row;
    if (z->exact) columns_exact(z, from, to);
    else z->s.esc |= tree_columns(z->tree, size, from, z->n, z->inner, to) != 0;
    if (!go_on(z, z->n * z->inner)) return false;
  }
  bool product = z->fold->monoid == KF_MUL;
  return !is_checked(z) || !sc_block()->off(z->in, r->host, r->count, product);
}

/* ── complex lines ──────────────────────────────────────────────────────────────────── */

static arr *fold_attempt(fold *z, const arr *y, bool scan);

/* The sums of the real or the imaginary parts. */
static arr *sum_parts(fold *z, const arr *y, bool imaginary, bool scan) {
  fold part = *z;
  part.in_lines = part.out_lines = NULL;
  part.room = NULL;
  OWNED arr *v = arr_new(z->e->c, ET_F64, y->rank, y->shape);
  if (!v) return NULL;
  for (int64_t i = 0; i < v->count; i++) {
    cx x = cx_at(y, i);
    arr_put_float(v, i, imaginary ? x.im : x.re);
  }
  return fold_attempt(&part, v, scan);
}

static arr *sum_complex(fold *z, const arr *y, bool scan) {
  OWNED arr *re = sum_parts(z, y, false, scan);
  if (!re) return NULL;
  OWNED arr *im = sum_parts(z, y, true, scan);
  if (!im) return NULL;
  arr *r = arr_new(z->e->c, ET_C128, z->rank, z->shape);
  for (int64_t i = 0; r && i < r->count; i++)
    arr_put_complex(r, i, arr_get_float(re, i), arr_get_float(im, i));
  return r;
}

/* v[0] f (v[1] f (… v[j])), of a line that begins at `first`. */
static cx complex_right(fold *z, cx_call *f, const arr *y, int64_t first, int64_t j) {
  cx acc = cx_at(y, first + j * z->inner);
  while (j-- > 0 && !cx_failed(f) && go_on(z, 1))
    acc = cx_apply(f, cx_at(y, first + j * z->inner), acc);
  return acc;
}

/* One line, every prefix or the last alone. */
static void complex_line(fold *z, cx_call *f, const arr *y, int64_t cell, arr *r,
                         bool scan) {
  int64_t first = cell / z->inner * z->n * z->inner + cell % z->inner, last = z->n - 1;
  cx acc = cx_at(y, first);
  bool running = z->f == P_TIMES && !z->strict;
  for (int64_t j = scan || running ? 0 : last; j <= last && !cx_failed(f); j++) {
    if (err_is(z->e->c)) return;
    if (!running) acc = complex_right(z, f, y, first, j);
    else if (j && go_on(z, 1)) acc = cx_apply(f, acc, cx_at(y, first + j * z->inner));
    if (scan) arr_put_complex(r, first + j * z->inner, acc.re, acc.im);
    else arr_put_complex(r, cell, acc.re, acc.im);
  }
}

static arr *run_complex(fold *z, const arr *y, bool scan) {
  ctx *c = z->e->c;
  cx_call f = cx_calling(z->e, z->f, true);
  if (z->f == P_PLUS || z->f == P_MINUS) return cx_demote(c, sum_complex(z, y, scan));
  OWNED arr *r = arr_new(c, ET_C128, z->rank, z->shape);
  for (int64_t i = 0; r && i < z->cells && !err_is(c) && !cx_failed(&f); i++)
    complex_line(z, &f, y, i, r, scan);
  if (err_is(c)) return NULL;
  if (cx_failed(&f)) return cx_fault(c, &f, true);
  OWNED arr *real = cx_demote(c, arr_move(&r));
  if (scan || f.row->result != CLS_B || !real) return arr_move(&real);
  return arr_convert(c, real, ET_BIT);
}

/* One attempt; it is `wide` if the last one escaped. *again: this one escaped, too. */
static arr *attempt(fold *z, const arr *y, bool wide, bool scan, bool *again) {
  ctx *c = z->e->c;
  *again = false;
  fold_choose_method(z, cls_of((elt)y->type), y->type == ET_F32, wide, scan);
  OWNED arr *r = arr_new(c, sc_elt(z->out), z->rank, z->shape);
  if (!r) return NULL;
  z->as_is = z->in == z->out && z->in != SC_B && y->type == sc_elt(z->in) &&
             !z->escaped &&
             (z->how == RIGHT || (z->fold && z->fold->over == OVER_VALUES));
  bool done = !scan && z->as_is && columns(z, y, r);
  z->as_is = z->as_is && z->inner == 1;
  if (err_is(c) || (!done && z->cells && !(buffers(z) && lines(z, y, r, scan))))
    return NULL;
  if (!z->s.esc && !z->s.err && !z->s.inf) return sc_narrow(c, arr_move(&r));
  *again = z->s.esc && !wide;
  if (*again) return NULL;
  if (z->s.esc) return run_complex(z, y, scan);
  sc_fault(c, z->f, true, &z->s);
  return NULL;
}

/* Folds y, of a class that f has a row for, along an axis of more than one element, into a
 * new array of the fold's shape. */
static arr *fold_attempt(fold *z, const arr *y, bool scan) {
  ctx *c = z->e->c;
  bool again;
  arr *r = attempt(z, y, false, scan, &again);
  if (again) r = attempt(z, y, true, scan, &again);
  mem_free(c, z->in_lines);
  mem_free(c, z->out_lines);
  mem_free(c, z->room);
  return r;
}

/* The fold's measures: the shape of y without its axis, or with it. */
static void fold_measure(fold *z, const arr *y, int axis, bool scan) {
  split s = split_at(y, axis);
  int64_t others[ARR_MAX_RANK];
  int n = 0;
  z->n = s.n;
  z->inner = s.inner;
  for (int i = 0; i < y->rank; i++) {
    if (i != axis) others[n++] = y->shape[i];
    if (scan || i != axis) z->shape[z->rank++] = y->shape[i];
  }
  z->cells = arr_product(n, others);
}

/* False, with the error recorded, unless elements of y can be folded with f. */
static bool foldable(fold *z, const arr *y) {
  const char *glyph = prim_table[z->f].glyph;
  if (y->type == ET_NEST || !prim_is_scalar(z->f, true))
    return err_set(z->e->c, ERR_NONCE, "%s/ of such items is the evaluator's", glyph);
  if (elt_is_char((elt)y->type) && z->f != P_EQ && z->f != P_NE)
    return err_set(z->e->c, ERR_DOMAIN, "%s: characters where numbers are needed", glyph);
  return true;
}

static arr *fill_identity(fold *z) {
  OWNED arr *v = prim_identity(z->e, z->f);
  if (!v) return NULL;
  arr *r = arr_new(z->e->c, (elt)v->type, z->rank, z->shape);
  for (int64_t i = 0; r && i < r->count; i++) {
    if (elt_is_int((elt)v->type)) arr_put_int(r, i, arr_get_int(v, 0));
    else arr_put_float(r, i, arr_get_float(v, 0));
  }
  return r;
}

/* =/ and ≠/ of n ≥ 2 characters: the last two are compared as characters, and a character is
 * never equal to the truth value that comes of it. */
static arr *reduce_chars(fold *z, const arr *y) {
  arr *r = arr_new(z->e->c, ET_BIT, z->rank, z->shape);
  for (int64_t i = 0; r && i < z->cells; i++) {
    int64_t last = (i / z->inner * z->n + z->n - 1) * z->inner + i % z->inner;
    bool same = z->n == 2 && arr_get_int(y, last) == arr_get_int(y, last - z->inner);
    arr_put_int(r, i, same == (z->f == P_EQ));
  }
  return r;
}

static arr *reduce(fold *z, arr *y, int axis) {
  ctx *c = z->e->c;
  if (!y->rank) return arr_retain(y);
  fold_measure(z, y, axis, false);
  if (z->n == 0) return fill_identity(z);
  if (z->n == 1) return cx_demote(c, arr_reshape(c, y, z->rank, z->shape));
  if (!foldable(z, y)) return NULL;
  if (elt_is_char((elt)y->type)) return reduce_chars(z, y);
  if (y->type == ET_C128) return run_complex(z, y, false);
  return fold_attempt(z, y, false);
}

bool prim_try_reduce_number(prim_env *e, prim f, const arr *y, prim_number *r) {
  r->of = CLS_I;
  if (y->type != ET_F64) return sc_reduce_ints(f, y, &r->as.i);
  r->of = CLS_F;
  const fold_row *row = fold_of(f, CLS_F);
  UNUSED(e);
  bool tile = y->rank == 1 && y->count > 1 && y->count <= FOLD_TILE;
  if (!tile || !row || row->on == CLS_B || row->over != OVER_VALUES) return false;
  tree_loops_of(row->monoid, KF64)->line(&r->as.d, y->host, (size_t)y->count);
  double d = r->as.d;
  return isfinite(d) && !(row->monoid == KF_MUL && fabs(d) < DBL_MIN);
}

arr *prim_reduce(prim_env *e, prim f, arr *y, int axis) {
  prim_number n;
  if (prim_try_reduce_number(e, f, y, &n)) return prim_of_number(e->c, n);
  fold z = {.e = e, .f = f};
  return reduce(&z, y, axis);
}

arr *prim_reduce_blocks(prim_env *e, prim f, arr *y, int axis) {
  fold z = {.e = e, .f = f, .blocks = true};
  return reduce(&z, y, axis);
}

/* =\ and ≠\ of characters: the first of each line stays a character, so the result is nested. */
static arr *scan_char(void *user, ctx *c, const arr *y, int64_t i) {
  const fold *z = user;
  int64_t j = i / z->inner % z->n;
  if (!j) return arr_scalar_at(c, y, i);
  bool same = j == 1 && arr_get_int(y, i) == arr_get_int(y, i - z->inner);
  return arr_int(c, same == (z->f == P_EQ));
}

static arr *scan(fold *z, arr *y, int axis) {
  if (!y->rank || y->shape[axis] < 2) return arr_retain(y);
  fold_measure(z, y, axis, true);
  if (!foldable(z, y)) return NULL;
  if (elt_is_char((elt)y->type) && y->count) return arr_map(z->e->c, y, scan_char, z);
  if (y->type == ET_C128) return run_complex(z, y, true);
  return fold_attempt(z, y, true);
}

arr *prim_scan(prim_env *e, prim f, arr *y, int axis) {
  arr *r = NULL;
#define FAST_SCAN(way) FAST_FIRST(r, e->c, way(e, f, y))
#include "../tables/fast.def"
  if (r || err_is(e->c)) return r;
  fold z = {.e = e, .f = f};
  return scan(&z, y, axis);
}

arr *prim_reduce_strict(prim_env *e, prim f, arr *y, int axis) {
  fold z = {.e = e, .f = f, .strict = true};
  return reduce(&z, y, axis);
}

arr *prim_scan_strict(prim_env *e, prim f, arr *y, int axis, bool forward) {
  fold z = {.e = e, .f = f, .strict = true, .forward = forward};
  return scan(&z, y, axis);
}
