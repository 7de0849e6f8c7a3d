/* SPDX-License-Identifier: MIT */
/* complex.c - scalar functions on complex arrays, and on real ones that leave the reals.
 *
 * prim.def's CPLX rows say what a function does with complex numbers.
 * Elements both of whose arguments are real go through the F row as ever, so that a
 * number has one result whether or not its neighbours are complex, and reach the CPLX row
 * only if the F row escapes: ¯1*0.5. A function without a CPLX row takes a complex number
 * as a real one if it equals its real part within ⎕CT, and refuses it otherwise.
 *
 * A result none of whose elements has an imaginary part is stored as real: type by value.
 * kir/lower.c says the same for kernels. */
#include "complex.h"
#include "../array/element.h"
#include "../base/arith.h"

#include <math.h>
#include <string.h>

cx_call cx_calling(const prim_env *e, prim f, bool dyadic) {
  cls row;
  cx_call j = {.f = f, .complex = cx_row_of(f, dyadic), .s = {.ct = e->ct}};
  j.many = cx_loop_of(f, dyadic);
  j.row = sc_find(f, dyadic, CLS_F, false, &row);
  j.float_variant = sc_float_variant(f, dyadic, CLS_F, false);
  return j;
}

bool cx_failed(const cx_call *j) { return j->s.err || j->s.inf || j->refused; }

arr *cx_fault(ctx *c, const cx_call *j, bool dyadic) {
  if (!j->refused) return sc_fault(c, j->f, dyadic, &j->s);
  err_set(c, ERR_DOMAIN, "%s: a complex number where a real one is needed",
          prim_table[j->f].glyph);
  return NULL;
}

/* The F row on one pair of numbers; false if it escapes. */
static bool apply_row(cx_call *j, const sc_row *row, double x, double y, cx *r) {
  union {
    bool b;
    int64_t i;
    double d;
  } v;
  sc_state s = {.ct = j->s.ct};
  row->one(&s, (sc_arg){&x, 0}, (sc_arg){&y, 0}, &v, 1);
  if (s.esc) return false;
  j->s.err |= s.err;
  j->s.inf |= s.inf;
  *r = (cx){v.d, 0};
  if (row->result == CLS_B) r->re = v.b;
  else if (row->result == CLS_I) r->re = (double)v.i;
  return true;
}

static bool near_real(cx z, double ct) { return cx_equal(z, (cx){z.re, 0}, ct); }

static bool is_finite(cx z) { return isfinite(z.re) && isfinite(z.im); }

cx cx_apply(cx_call *j, cx x, cx y) {
  cx r = {0, 0};
  bool real = x.im == 0 && y.im == 0;
  if (!real && !j->complex) real = near_real(x, j->s.ct) && near_real(y, j->s.ct);
  if (real && apply_row(j, j->row, x.re, y.re, &r)) return r;
  if (real && j->float_variant && apply_row(j, j->float_variant, x.re, y.re, &r))
    return r;
  if (!j->complex) {
    j->refused = true;
    return r;
  }
  /* Never -0: otherwise the side of a branch cut would depend on how the number was
   * made. */
  if (x.im == 0) x.im = 0;
  if (y.im == 0) y.im = 0;
  r = j->complex(&j->s, x, y);
  if (!is_finite(r) && is_finite(x) && is_finite(y)) j->s.inf = true;
  return r;
}

cx cx_at(const arr *a, int64_t i) {
  return (cx){arr_get_float(a, i), arr_get_imag(a, i)};
}

/* Elements i to i+n of a; a single element is repeated. No imaginary part is -0. */
static void complex_load(const arr *a, int64_t i, int64_t n, cx *to) {
  double v[SC_BLOCK];
  int64_t step = a->count != 1;
  if (a->type == ET_C128) {
    const cx *from = (const cx *)a->host + i * step;
    for (int64_t k = 0; k < n; k++)
      to[k] = (cx){from[k * step].re, from[k * step].im + 0};
    return;
  }
  sc_load(a, i * step, step, n, SC_F64, v);
  for (int64_t k = 0; k < n; k++) to[k] = (cx){v[k], 0};
}

/* The CPLX row on n elements. Returns false, with nothing changed, if there is no loop
 * or an element is at fault. */
static bool apply_loop(const cx_call *j, const cx *x, const cx *y, int64_t n, cx *r) {
  sc_state s = {.ct = j->s.ct};
  if (!j->many) return false;
  j->many(&s, x, y, n, r);
  return !s.err;
}

/* Is the loop's result for x and y final? Real numbers belong to the F row, and a
 * result that is not finite may be a fault, or too hard for the loop. */
static inline bool stands(cx x, cx y, cx r) {
  return ((x.im != 0) | (y.im != 0)) & (r.re - r.re == 0) & (r.im - r.im == 0);
}

static bool apply_block(cx_call *j, const cx *x, const cx *y, int64_t n, cx *r) {
  bool made = apply_loop(j, x, y, n, r), all = made;
  for (int64_t k = 0; k < n && made; k++) all &= stands(x[k], y[k], r[k]);
  for (int64_t k = 0; k < n && !all && !cx_failed(j); k++)
    if (!made || !stands(x[k], y[k], r[k])) r[k] = cx_apply(j, x[k], y[k]);
  return !cx_failed(j);
}

arr *cx_simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
               const arr *like) {
  cx_call j = cx_calling(e, f, dyadic);
  cx a[SC_BLOCK], b[SC_BLOCK], v[SC_BLOCK], *xs = x == y ? b : a;
  bool truths = j.row->result == CLS_B, truth[SC_BLOCK];
  OWNED arr *r = arr_new(e->c, truths ? ET_BIT : ET_C128, like->rank, like->shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < like->count; i += SC_BLOCK) {
    int64_t n = min_i64(like->count - i, SC_BLOCK);
    if (interrupted(e->c)) return NULL;
    if (x != y) complex_load(x, i, n, a);
    complex_load(y, i, n, b);
    if (!apply_block(&j, xs, b, n, v)) return cx_fault(e->c, &j, dyadic);
    for (int64_t k = 0; k < n && truths; k++) truth[k] = v[k].re != 0;
    if (truths) sc_block()->pack(truth, n, (uint8_t *)r->host + i / 8);
    else memcpy((cx *)r->host + i, v, (size_t)n * sizeof *v);
  }
  return cx_demote(e->c, arr_move(&r));
}
