/* SPDX-License-Identifier: MIT */
/* rows.c - the rows of prim.def as C: each scalar function's bodies and a loop around
 * each of them, once for every C type (rows.h makes them), and the table that finds a
 * loop.
 *
 * What KIR cannot say (gcd, lcm, binomial coefficients, x○y with a variable code) is a
 * function here, which a HOSTDYA row of prim.def names. */
#include "scalar.h"
#include "math.h"

#include "ops.h"
#include "../array/element.h"

/* ── the bodies ─────────────────────────────────────────────────────────────────────── */

static inline bool teq_d(sc_state *s, double x, double y) {
  return math_TEQ(x, y, s->ct);
}
static inline bool teq_s(sc_state *s, float x, float y) {
  UNUSED(s);
  return x == y;
}

static int64_t binomial_whole(sc_state *s, int64_t x, int64_t y) {
  int64_t r;
  s->esc |= !binomial_int(x, y, &r);
  return r;
}

static double binomial_large(sc_state *s, int64_t x, int64_t y) {
  return binomial_wide(x, y, &s->err);
}

static double binomial_real(sc_state *s, double x, double y) {
  return binomial(x, y, &s->err);
}

static double circle(sc_state *s, double x, double y);

#define CLS B
#define SUF b
#define V bool
#define V_REAL double
#include "rows.h"
#define CLS I
#define SUF i
#define V int64_t
#define V_REAL double
#include "rows.h"
#define CLS F
#define SUF d
#define V double
#define V_REAL double
#include "rows.h"
#define CLS F
#define SUF s
#define V float
#define V_REAL float
#include "rows.h"

static const sc_row *const rows[2][SC_TYPES] = {{mon_b, mon_i, mon_d, mon_s},
                                                {dya_b, dya_i, dya_d, dya_s}};

/* The primitive that is x○, P_COUNT if x is no code. */
static prim code_of(double x, double ct) {
  double code = rint(x);
  if (!(fabs(code) <= 12 && math_TEQ(x, code, ct))) return P_COUNT;
  return prim_of_code((int64_t)code);
}

prim prim_circle(const arr *x, double ct) {
  if (x->count != 1 || x->type > ET_F64) return P_COUNT;
  return code_of(arr_get_float(x, 0), ct);
}

/* One element of x○y. Every code has a row on floats that gives a float. */
static double circle(sc_state *s, double x, double y) {
  double r = 0;
  prim p = code_of(x, s->ct);
  const sc_arg arg = {&y, 0};
  if (p < P_COUNT) mon_d[p].fn(s, arg, arg, &r, 1);
  else s->err = true;
  return r;
}

/* ── the table ──────────────────────────────────────────────────────────────────────── */

const sc_row *sc_find(prim p, bool dyadic, cls at_least, bool single, cls *row) {
  if (at_least < CLS_B) at_least = CLS_B;
  for (cls c = at_least; c <= CLS_F; c++) {
    const sc_row *r = &rows[dyadic][sc_type_of(c, single)][p];
    if (!r->fn) continue;
    *row = c;
    return r;
  }
  *row = CLS_NONE;
  return NULL;
}

const sc_row *sc_float_variant(prim p, bool dyadic, cls on, bool single) {
  static const sc_row *const float_variants[2][SC_TYPES] = {
      {float_variant_M_b, float_variant_M_i, float_variant_M_d, float_variant_M_s},
      {float_variant_D_b, float_variant_D_i, float_variant_D_d, float_variant_D_s}};
  const sc_row *r = &float_variants[dyadic][sc_type_of(on, single)][p];
  if (!r->fn) return NULL;
  return r;
}

/* ── one number ─────────────────────────────────────────────────────────────────────── */

bool prim_number_of(const arr *a, prim_number *v) {
  if (a->rank || !a->host) return false;
  v->of = CLS_I;
  switch (a->type) {
  case ET_BIT:
    v->of = CLS_B;
    v->b = *(const uint8_t *)a->host & 1;
    return true;
  case ET_I8: v->i = *(const int8_t *)a->host; return true;
  case ET_I16: v->i = *(const int16_t *)a->host; return true;
  case ET_I32: v->i = *(const int32_t *)a->host; return true;
  case ET_I64: v->i = *(const int64_t *)a->host; return true;
  case ET_F64:
    v->of = CLS_F;
    v->d = *(const double *)a->host;
    return true;
  default: return false;
  }
}

arr *prim_number_array(ctx *c, const prim_number *v) {
  if (v->of == CLS_F) return arr_float(c, v->d);
  if (v->of == CLS_I) return arr_int(c, v->i);
  arr *truth = arr_new(c, ET_BIT, 0, NULL);
  if (truth) *(uint8_t *)truth->host = v->b;
  return truth;
}

/* *v, or the same value of the class `to` in *room; NULL if that is not exact. */
static inline const void *as_class(const prim_number *v, cls to, prim_number *room) {
  if (v->of == to) return &v->i;
  room->i = v->of == CLS_B ? v->b : v->i;
  if (to == CLS_I) return &room->i;
  if (room->i < -F64_WHOLE || room->i > F64_WHOLE) return NULL;
  room->d = (double)room->i;
  return &room->d;
}

_Static_assert(SC_B == CLS_B - 1 && SC_I == CLS_I - 1 && SC_D == CLS_F - 1, "in step");

bool prim_on_numbers(double ct, prim f, const prim_number *x, prim_number *y) {
  bool dyadic = x != NULL;
  if (!dyadic) x = y;
  else if (f == P_CIRCLE) return false;
  prim_number x_room, y_room, r;
  cls on = x->of > y->of ? x->of : y->of;
  const sc_row *row = &rows[dyadic][on - 1][f];
  while (!row->fn && on < CLS_F) row = &rows[dyadic][++on - 1][f];
  const void *a = as_class(x, on, &x_room), *b = as_class(y, on, &y_room);
  if (!row->fn || !a || !b) return false;
  sc_state s = {.ct = ct};
  row->fn(&s, (sc_arg){a, 0}, (sc_arg){b, 0}, &r.i, 1);
  if (s.err || s.inf || s.esc) return false;
  y->of = (cls)row->result;
  if (y->of == CLS_I && (uint64_t)r.i <= 1) y->of = CLS_B; /* its narrowest type */
  if (y->of == CLS_I || y->of == CLS_F) y->i = r.i;
  else y->b = row->result == CLS_B ? r.b : r.i != 0;
  return true;
}

/* ── faults ─────────────────────────────────────────────────────────────────────────── */

arr *sc_fault(ctx *c, prim p, bool dyadic, const sc_state *s) {
  static const char *const texts[P_COUNT + 1][2] = {
#define FAULT(id, monadic, dyadic) [P_##id] = {monadic, dyadic},
#include "../tables/prim.def"
      [P_COUNT] = {0}};
  const char *text = texts[p][dyadic];
  if (!s->err || !text) text = "the result is too large for a number";
  err_set(c, ERR_DOMAIN, "%s: %s", prim_table[p].glyph, text);
  return NULL;
}
