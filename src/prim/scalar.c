/* SPDX-License-Identifier: MIT */
/* scalar.c - the direct path of the scalar functions: prim.def's bodies as C loops, and the
 * walk over arrays around them.
 *
 *   pervade ──▶ apply ──▶ run ──▶ loop         nested items; row by class; blocks; elements
 *
 * A simple array goes through `apply`, which picks the row (first of B, I, F), runs it over
 * the whole array and, if anything escaped, runs the F row (or the float float_variant) instead; what
 * is complex or becomes so is complex.c's. It
 * works in blocks of canonical C types on the stack, so an element type costs one loader, not
 * one loop per primitive. Short results are stored once, in their narrowest type; long ones
 * are made wide and narrowed afterwards, when their range is known.
 *
 * f32 results: see arr_float_type. A rank-0
 * number too large for f32 is a DOMAIN ERROR unless the result is Boolean, since the finite
 * number would become an infinity. */
#include "complex.h"
#include "math.h"

#include "ops.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <stdio.h>

/* ── the bodies ─────────────────────────────────────────────────────────────────────── */

static inline bool teq_d(sc_state *s, double x, double y) {
  return math_TEQ(x, y, s->ct);
}
static inline bool teq_s(sc_state *s, float x, float y) {
  UNUSED(s);
  return x == y;
}

static uint64_t magnitude(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

static uint64_t gcd_u64(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t t = a % b;
    a = b;
    b = t;
  }
  return a;
}

static int64_t gcd_int(sc_state *s, int64_t x, int64_t y) {
  uint64_t g = gcd_u64(magnitude(x), magnitude(y));
  s->esc |= g > INT64_MAX;
  return (int64_t)g;
}

/* x × y÷gcd: the sign is that of the product. */
static int64_t lcm_int(sc_state *s, int64_t x, int64_t y) {
  uint64_t g = gcd_u64(magnitude(x), magnitude(y));
  if (!g) return 0;
  int64_t q = (int64_t)(magnitude(y) / g); /* 2^63 is possible */
  s->esc |= q < 0;
  return mulo_i(s, x, y < 0 ? sub_i(0, q) : q);
}

/* Euclid: exact on whole numbers. Fractions are taken to be off by ⎕CT of themselves; what that
 * may have made of a remainder goes along with it (ea, eb), and a remainder that is no more is
 * none: 1∨0.4321 is 0.0001. It ends: remainders fall below half every two steps, and what
 * does not fall counts as 0. The lesser number is made a whole multiple of the result. */
static double gcd_float(sc_state *s, double x, double y) {
  double a = fabs(x), b = fabs(y);
  double top = a > b ? a : b, low = a == 0 || (b > 0 && b < a) ? b : a;
  if (!isfinite(a) || !isfinite(b)) return a + b;
  bool whole = floor(a) == a && floor(b) == b && top <= 0x1p64;
  double ea = whole ? 0 : s->ct * a, eb = whole ? 0 : s->ct * b;
  while (b > eb) {
    double t = whole ? fmod(a, b) : math_RESID(b, a, s->ct), et = ea + floor(a / b) * eb;
    a = b, ea = eb;
    b = t < b ? t : 0, eb = et;
  }
  return whole || a == 0 ? a : low / rint(low / a);
}

static double lcm_float(sc_state *s, double x, double y) {
  double g = gcd_float(s, x, y);
  return g == 0 ? 0 : fin_d(s, x * (y / g), x, y);
}

static int64_t binomial_whole(sc_state *s, int64_t x, int64_t y) {
  int64_t r;
  s->esc |= !binomial_int(x, y, &r);
  return r;
}

static double binomial_real(sc_state *s, double x, double y) {
  return binomial(x, y, &s->err);
}

static double circle(sc_state *s, double x, double y);

#define CLS B
#define SUF b
#define V bool
#include "rows.h"
#define CLS I
#define SUF i
#define V int64_t
#include "rows.h"
#define CLS F
#define SUF d
#define V double
#include "rows.h"
#define CLS F
#define SUF s
#define V float
#include "rows.h"

static const sc_row *const rows[2][SC_TYPES] = {{mon_b, mon_i, mon_d, mon_s},
                                                {dya_b, dya_i, dya_d, dya_s}};

static prim code_of(double x, double ct) {
  double code = rint(x);
  return fabs(code) <= 12 && math_TEQ(x, code, ct) ? prim_of_code((int64_t)code)
                                                   : P_COUNT;
}

prim prim_circle(const arr *x, double ct) {
  return x->count == 1 && x->type <= ET_F64 ? code_of(arr_get_float(x, 0), ct) : P_COUNT;
}

/* One element of x○y. Every code has a row on floats that gives a float. */
static double circle(sc_state *s, double x, double y) {
  double r = 0;
  prim p = code_of(x, s->ct);
  if (p < P_COUNT) mon_d[p].fn(s, &y, &y, &r, 1, 0, 0);
  else s->err = true;
  return r;
}

/* ── the rules, for this file and for inference ─────────────────────────────────────── */

const sc_row *sc_find(prim p, bool dyadic, cls at_least, bool single, cls *row) {
  for (cls c = at_least < CLS_B ? CLS_B : at_least; c <= CLS_F; c++) {
    const sc_row *r = &rows[dyadic][sc_type_of(c, single)][p];
    if (!r->fn) continue;
    *row = c;
    return r;
  }
  *row = CLS_NONE;
  return NULL;
}

const sc_row *sc_float_variant(prim p, bool dyadic, bool single) {
  static const sc_row *const float_variants[2][2] = {
      {float_variant_M_d, float_variant_M_s}, {float_variant_D_d, float_variant_D_s}};
  const sc_row *r = &float_variants[dyadic][single][p];
  return r->fn ? r : NULL;
}

/* ── arrays to buffers and back ─────────────────────────────────────────────────────── */

elt sc_elt(sc_type t) {
  static const uint8_t of[SC_TYPES] = {ET_BIT, ET_I64, ET_F64, ET_F32};
  return (elt)of[t];
}

static inline int bit_of(const arr *a, int64_t i) {
  return ((const uint8_t *)a->host)[i >> 3] >> (i & 7) & 1;
}

#define EACH(T, expr)                                                                    \
  for (int64_t k = 0; k < n; k++, i += step) ((T *)out)[k] = (T)(expr)
#define FROM_INT(T)                                                                      \
  {                                                                                      \
    const T *p = a->host;                                                                \
    if (t == SC_I) EACH(int64_t, p[i]);                                                  \
    else if (t == SC_D) EACH(double, p[i]);                                              \
    else EACH(float, p[i]);                                                              \
    break;                                                                               \
  }
#define FROM_FLOAT(T)                                                                    \
  {                                                                                      \
    const T *p = a->host;                                                                \
    if (t == SC_D) EACH(double, p[i]);                                                   \
    else EACH(float, p[i]);                                                              \
    break;                                                                               \
  }
void sc_load(const arr *a, int64_t i, int64_t step, int64_t n, sc_type t, void *out) {
  switch (a->type) {
  case ET_BIT:
    if (t == SC_B) EACH(bool, bit_of(a, i));
    else if (t == SC_I) EACH(int64_t, bit_of(a, i));
    else if (t == SC_D) EACH(double, bit_of(a, i));
    else EACH(float, bit_of(a, i));
    break;
  case ET_I8: FROM_INT(int8_t)
  case ET_I16: FROM_INT(int16_t)
  case ET_I32: FROM_INT(int32_t)
  case ET_I64: FROM_INT(int64_t)
  case ET_C8: FROM_INT(uint8_t)
  case ET_C16: FROM_INT(uint16_t)
  case ET_C32: FROM_INT(uint32_t)
  case ET_F32: FROM_FLOAT(float)
  case ET_F64: FROM_FLOAT(double)
  default: break;
  }
}

void sc_store(arr *r, int64_t i, int64_t step, int64_t n, sc_type t, const void *from) {
  if (t == SC_B) {
    const bool *p = from;
    uint8_t *bits = r->host;
    for (int64_t k = 0; k < n; k++, i += step) {
      uint8_t bit = (uint8_t)(1u << (i & 7));
      bits[i >> 3] = (uint8_t)(p[k] ? bits[i >> 3] | bit : bits[i >> 3] & ~bit);
    }
  } else if (step == 1) {
    memcpy((char *)r->host + (size_t)i * sc_size(t), from, (size_t)n * sc_size(t));
  } else {
    for (int64_t k = 0; k < n; k++, i += step)
      memcpy((char *)r->host + (size_t)i * sc_size(t),
             (const char *)from + (size_t)k * sc_size(t), sc_size(t));
  }
}

static void range_of(const int64_t *p, int64_t n, int64_t *lo, int64_t *hi) {
  *lo = *hi = n ? p[0] : 0;
  for (int64_t k = 0; k < n; k++) {
    if (p[k] < *lo) *lo = p[k];
    if (p[k] > *hi) *hi = p[k];
  }
}

arr *sc_narrow(ctx *c, arr *a) {
  if (!a || a->type != ET_I64) return a;
  int64_t lo, hi;
  range_of(a->host, a->count, &lo, &hi);
  arr *r = arr_convert(c, a, elt_for_range(lo, hi));
  arr_release(a);
  if (!r) return NULL;
  arr_set_range(r, lo, hi);
  return r;
}

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

/* "2 3" for messages; "scalar" for rank 0. */
static void shape_text(const arr *a, char *buf, size_t size) {
  size_t at = 0;
  if (!a->rank) snprintf(buf, size, "scalar");
  for (int i = 0; i < a->rank && at + 22 < size; i++)
    at += (size_t)snprintf(buf + at, size - at, i ? " %lld" : "%lld",
                           (long long)a->shape[i]);
}

arr *sc_fault(ctx *c, prim p, bool dyadic, const sc_state *s) {
  static const char *const texts[P_COUNT + 1][2] = {
#define FAULT(id, monadic, dyadic) [P_##id] = {monadic, dyadic},
#include "../tables/prim.def"
      [P_COUNT] = {0}};
  const char *text = texts[p][dyadic];
  if (s->err && text) err_set(c, ERR_DOMAIN, "%s: %s", prim_table[p].glyph, text);
  else
    err_set(c, ERR_DOMAIN, "%s: the result is too large for a number",
            prim_table[p].glyph);
  return NULL;
}

static arr *no_number(ctx *c, prim f) {
  err_set(c, ERR_DOMAIN, "%s: characters where numbers are needed", prim_table[f].glyph);
  return NULL;
}

/* Which argument gives the result its shape: x, y, or NULL after RANK or LENGTH ERROR. */
static const arr *shape_giver(ctx *c, const arr *x, const arr *y) {
  if (x->count == 1 && y->count == 1) return y->rank > x->rank ? y : x;
  if (x->count == 1) return y;
  if (y->count == 1 || arr_same_shape(x, y)) return x;
  char a[100], b[100];
  shape_text(x, a, sizeof a);
  shape_text(y, b, sizeof b);
  err_set(c, x->rank != y->rank ? ERR_RANK : ERR_LENGTH, "shapes %s and %s", a, b);
  return NULL;
}

/* ── simple arrays ──────────────────────────────────────────────────────────────────── */

enum { BLOCK = 512 }; /* a multiple of 8, so that blocks of bits start at whole bytes */

typedef struct job { /* one row over whole arrays; a monadic job has y twice */
  const sc_row *row;
  sc_type in, out;
  const arr *x, *y, *like;
} job;

static void job_set(job *j, const sc_row *row, cls on, bool single) {
  j->row = row;
  j->in = sc_type_of(on, single);
  j->out = sc_type_of((cls)row->result, single);
}

/* A short result, stored once in its final type. */
static arr *store_short(ctx *c, const job *j, const void *buf) {
  if (j->out == SC_I) return arr_ints(c, j->like->rank, j->like->shape, buf);
  arr *r = arr_new(c, sc_elt(j->out), j->like->rank, j->like->shape);
  if (r) sc_store(r, 0, 1, j->like->count, j->out, buf);
  return r;
}

/* Runs the job; faults and escapes are in s and the result is then not to be used. */
static arr *run(ctx *c, const job *j, sc_state *s) {
  union {
    int64_t i[BLOCK];
    double d[BLOCK];
  } xb, yb, rb;
  bool mon = j->x == j->y, xone = j->x->count == 1, yone = j->y->count == 1;
  int64_t n = j->like->count;
  if (xone && !mon) sc_load(j->x, 0, 0, 1, j->in, &xb);
  if (yone) sc_load(j->y, 0, 0, 1, j->in, &yb);
  arr *r = NULL;
  if (n > BLOCK) {
    r = arr_new(c, sc_elt(j->out), j->like->rank, j->like->shape);
    if (!r) return NULL;
  }
  for (int64_t at = 0; at < n; at += BLOCK) {
    int64_t m = n - at < BLOCK ? n - at : BLOCK;
    if (!xone && !mon) sc_load(j->x, at, 1, m, j->in, &xb);
    if (!yone) sc_load(j->y, at, 1, m, j->in, &yb);
    j->row->fn(s, mon ? &yb : &xb, &yb, &rb, m, !(mon ? yone : xone), !yone);
    if (r) sc_store(r, at, 1, m, j->out, &rb);
    if (s->esc || (r && interrupted(c))) break;
  }
  if (s->esc || err_is(c)) return arr_release(r), NULL;
  return r ? sc_narrow(c, r) : store_short(c, j, &rb);
}

static bool fits_single(const arr *a) {
  if (a->type != ET_F64) return true; /* a scalar then */
  double v = *(const double *)a->host;
  return !isfinite(v) || isfinite((float)v);
}

/* f on simple arrays of real numbers (or characters that compare); x is y if monadic. */
static arr *apply(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                  const arr *like) {
  bool single = sc_single(dyadic ? x : NULL, y);
  cls need = cls_of((elt)x->type), other = cls_of((elt)y->type), on;
  if (other > need) need = other;
  job j = {.x = x, .y = y, .like = like};
  for (bool float_variant = false;;) {
    const sc_row *row = sc_find(f, dyadic, need, single, &on);
    if (float_variant) row = sc_float_variant(f, dyadic, single);
    job_set(&j, row, on, single);
    sc_state s = {.ct = single && on == CLS_F ? 0 : e->ct};
    if (single && on == CLS_F && row->result != CLS_B && like->count)
      s.inf = !fits_single(x) || !fits_single(y);
    arr *r = run(e->c, &j, &s);
    if (!s.esc && !s.err && !s.inf) return r;
    if (r) arr_release(r);
    if (err_is(e->c)) return NULL;
    if (!s.esc) return sc_fault(e->c, f, dyadic, &s);
    if (on == CLS_F && !sc_float_variant(f, dyadic, single))
      return cx_simple(e, f, dyadic, x, y, like);
    if (on == CLS_F) float_variant = true;
    else need = CLS_F;
  }
}

/* = and ≠ of a character with a number. */
static arr *constant(ctx *c, bool v, const arr *like) {
  arr *r = arr_new(c, ET_BIT, like->rank, like->shape);
  for (int64_t i = 0; r && i < like->count; i++) arr_put_int(r, i, v);
  return r;
}

static arr *simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                   const arr *like) {
  bool xc = elt_is_char((elt)x->type), yc = elt_is_char((elt)y->type);
  if (like->count && (xc || yc)) {
    if (!dyadic || (f != P_EQ && f != P_NE)) return no_number(e->c, f);
    if (xc != yc) return constant(e->c, f == P_NE, like);
  }
  prim code = f == P_CIRCLE && dyadic ? prim_circle(x, e->ct) : P_COUNT;
  if (code < P_COUNT) return simple(e, code, false, y, y, like);
  if (cls_of((elt)x->type) == CLS_C || cls_of((elt)y->type) == CLS_C)
    return cx_simple(e, f, dyadic, x, y, like);
  return apply(e, f, dyadic, x, y, like);
}

/* ── nested arrays ──────────────────────────────────────────────────────────────────── */

#if defined(__GNUC__) /* keeps the blocks of `run` out of the recursion's frames */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
static NOINLINE arr *leaf(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  const arr *like = dyadic ? shape_giver(e->c, x, y) : y;
  return like ? simple(e, f, dyadic, x, y, like) : NULL;
}

static arr *pervade(prim_env *e, prim f, bool dyadic, arr *x, arr *y, int depth);

/* Item i of a, owned: of a one-element array always the same one; of an empty one its fill. */
static arr *item_of(ctx *c, arr *a, int64_t i) {
  if (a->count) return arr_scalar_at(c, a, a->count == 1 ? 0 : i);
  if (a->type == ET_NEST) return arr_retain(arr_item(a, 0));
  return arr_fill_of(c, a);
}

/* A scalar function on its way through the items of x and y; monadic, x is y. */
typedef struct pervasion {
  prim_env *e;
  prim f;
  bool dyadic;
  arr *x, *y;
  int depth; /* of the items */
} pervasion;

static arr *pervade_item(void *user, ctx *c, const arr *like, int64_t i) {
  const pervasion *p = user;
  UNUSED(like);
  OWNED arr *y = item_of(c, p->y, i);
  if (!y) return NULL;
  if (!p->dyadic) return pervade(p->e, p->f, false, y, y, p->depth);
  OWNED arr *x = item_of(c, p->x, i);
  if (!x) return NULL;
  return pervade(p->e, p->f, true, x, y, p->depth);
}

/* Nothing of an empty nested array is computed but the result's prototype, and that by =,
 * which fails on no element and gives the structure. */
static arr *pervade_prototype(void *user, ctx *c, const arr *like, int64_t i) {
  const pervasion *given = user;
  pervasion p = *given;
  p.f = P_EQ;
  p.dyadic = true;
  OWNED arr *item = pervade_item(&p, c, like, i);
  if (!item) return NULL;
  return arr_proto(c, item);
}

/* Of the monadic functions + alone keeps the type of an empty array. */
static arr *pervade(prim_env *e, prim f, bool dyadic, arr *x, arr *y, int depth) {
  if (!dyadic && f == P_PLUS && !y->count) return arr_retain(y);
  if (x->type != ET_NEST && y->type != ET_NEST) return leaf(e, f, dyadic, x, y);
  if (depth > ARR_MAX_DEPTH) {
    err_set(e->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
    return NULL;
  }
  const arr *like = dyadic ? shape_giver(e->c, x, y) : y;
  if (!like || interrupted(e->c)) return NULL;
  pervasion p = {e, f, dyadic, x, y, depth + 1};
  if (!like->count) return arr_map(e->c, like, pervade_prototype, &p);
  return arr_squeeze(e->c, arr_map(e->c, like, pervade_item, &p));
}

/* ── the entries ────────────────────────────────────────────────────────────────────── */

typedef arr *struct1(prim_env *e, arr *y);
typedef arr *struct2(prim_env *e, arr *x, arr *y);

static arr *missing(ctx *c, prim f, const char *form) {
  err_set(c, ERR_SYNTAX, "%s has no %s form", prim_table[f].glyph, form);
  return NULL;
}

arr *prim_monadic(prim_env *e, prim f, arr *y) {
  static struct1 *const functions[P_COUNT + 1] = {
#define STRUCT1(id, function, ...) [P_##id] = function,
#include "../tables/prim.def"
      [P_COUNT] = NULL};
  if (prim_is_scalar(f, false)) return pervade(e, f, false, y, y, 0);
  return functions[f] ? cx_demote(e->c, functions[f](e, y)) : missing(e->c, f, "monadic");
}

arr *prim_dyadic(prim_env *e, prim f, arr *x, arr *y) {
  static struct2 *const functions[P_COUNT + 1] = {
#define STRUCT2(id, function, ...) [P_##id] = function,
#include "../tables/prim.def"
      [P_COUNT] = NULL};
  if (prim_is_scalar(f, true)) return pervade(e, f, true, x, y, 0);
  return functions[f] ? cx_demote(e->c, functions[f](e, x, y))
                      : missing(e->c, f, "dyadic");
}
