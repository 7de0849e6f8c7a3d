/* SPDX-License-Identifier: MIT */
/* scalar_complex.c - complex numbers in functions of scalars, as pairs of floats: what
 * prim/cmath.c says of + - × | and of squares, operation by operation, so that it is the same bit
 * by bit. A number whose imaginary part is 0 is a real one, as it is there, and its results are
 * those of real numbers. */
#include "scalar_walk.h"

static int real(walk *w, double v) {
  return scalar_emit(w, (kexpr_ins){.op = KEXPR_CONST, .type = ET_F64, .value.f = v});
}

static int op(walk *w, prim p, int x, int y) {
  if (y == NONE) return NONE;
  return w->rules->primitive(w, p, x, y);
}

int scalar_pair_of(walk *w, int re, int im) {
  scalar_walk *s = (scalar_walk *)w;
  if (re < 0 || im < 0 || re >= COMPLEX || im >= COMPLEX) return NONE;
  if (s->n_pair == SCALAR_PAIRS) return NONE;
  s->pair[s->n_pair] = (scalar_pair){re, im};
  return COMPLEX + s->n_pair++;
}

scalar_pair scalar_parts(walk *w, int x) {
  if (is_complex(x)) return ((scalar_walk *)w)->pair[x - COMPLEX];
  int one = real(w, 1);
  return (scalar_pair){op(w, P_TIMES, x, one), real(w, 0)};
}

/* That number, or 0 where `is` holds. */
static int unless(walk *w, int is, int v) {
  int zero = real(w, 0);
  return is == NONE || zero == NONE ? NONE : scalar_choose(w, is, zero, v);
}

static int is_zero(walk *w, int v) {
  int zero = real(w, 0);
  return zero == NONE ? NONE : op(w, P_EQ, v, zero);
}

static int times(walk *w, scalar_pair x, scalar_pair y) {
  int re = op(w, P_TIMES, x.re, y.re), sub = op(w, P_TIMES, x.im, y.im);
  int im = op(w, P_TIMES, x.re, y.im), add = op(w, P_TIMES, x.im, y.re);
  if (re == NONE || im == NONE) return NONE;
  int both = scalar_both(w, is_zero(w, x.im), is_zero(w, y.im));
  return scalar_pair_of(w, op(w, P_MINUS, re, sub),
                        unless(w, both, op(w, P_PLUS, im, add)));
}

static int magnitude(walk *w, scalar_pair z) {
  int is = is_zero(w, z.im), of_real = op(w, P_RESIDUE, NONE, z.re);
  kexpr_ins in = {.op = KEXPR_HYPOT, .a = (uint16_t)z.re, .b = (uint16_t)z.im};
  int all = scalar_emit(w, in);
  return is == NONE ? NONE : scalar_choose(w, is, of_real, all);
}

static int monadic(walk *w, prim p, scalar_pair z) {
  int minus = NONE;
  if (p == P_MINUS || p == P_PLUS)
    minus = unless(w, is_zero(w, z.im), op(w, P_MINUS, NONE, z.im));
  switch (p) {
  case P_PLUS: return scalar_pair_of(w, z.re, minus);
  case P_MINUS: return scalar_pair_of(w, op(w, P_MINUS, NONE, z.re), minus);
  case P_RESIDUE: return magnitude(w, z);
  default: return NONE;
  }
}

/* Is x the whole number n of the text? */
static bool is_number(walk *w, int x, int64_t n) {
  if (x < 0 || x >= COMPLEX) return false;
  const kexpr_ins *of = &((scalar_walk *)w)->r->e.ins[x];
  return of->op == KEXPR_CONST && !elt_is_float((elt)of->type) && of->value.i == n;
}

int scalar_complex(walk *w, prim p, int x, int y) {
  if (y >= STRAND || x >= STRAND) return NONE;
  if (x == NONE) return monadic(w, p, scalar_parts(w, y));
  if (p == P_CIRCLE && is_complex(y)) {
    if (is_number(w, x, 9)) return scalar_parts(w, y).re;
    if (is_number(w, x, 10)) return magnitude(w, scalar_parts(w, y));
    return is_number(w, x, 11) ? scalar_parts(w, y).im : NONE;
  }
  scalar_pair a = scalar_parts(w, x);
  if (p == P_POWER) return is_number(w, y, 2) ? times(w, a, a) : NONE;
  scalar_pair b = scalar_parts(w, y);
  if (a.re == NONE || b.re == NONE) return NONE;
  if (p == P_TIMES) return times(w, a, b);
  if (p != P_PLUS && p != P_MINUS) return NONE;
  return scalar_pair_of(w, op(w, p, a.re, b.re), op(w, p, a.im, b.im));
}
