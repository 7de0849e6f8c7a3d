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
#include "../array/convert.h"
#include "../array/element.h"

#include <math.h>
#include <string.h>

cx_call cx_calling(const prim_env *e, prim f, bool dyadic) {
  cls row;
  cx_call j = {.f = f, .fn = cx_function(f, dyadic), .s = {.ct = e->ct}};
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
  if (!real && !j->fn) real = near_real(x, j->s.ct) && near_real(y, j->s.ct);
  if (real && apply_row(j, j->row, x.re, y.re, &r)) return r;
  if (real && j->float_variant && apply_row(j, j->float_variant, x.re, y.re, &r))
    return r;
  if (!j->fn) {
    j->refused = true;
    return r;
  }
  /* Not -0: which side of a cut that is would depend on how the number came about. */
  if (x.im == 0) x.im = 0;
  if (y.im == 0) y.im = 0;
  r = j->fn(&j->s, x, y);
  if (!is_finite(r) && is_finite(x) && is_finite(y)) j->s.inf = true;
  return r;
}

cx cx_at(const arr *a, int64_t i) {
  return (cx){arr_get_float(a, i), arr_get_imag(a, i)};
}

arr *cx_simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
               const arr *like) {
  cx_call j = cx_calling(e, f, dyadic);
  bool truth = j.row->result == CLS_B;
  int64_t x_step = x->count != 1, y_step = y->count != 1;
  elt t = ET_C128;
  if (truth) t = ET_BIT;
  OWNED arr *r = arr_new(e->c, t, like->rank, like->shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < like->count; i++) {
    cx v = cx_apply(&j, cx_at(x, i * x_step), cx_at(y, i * y_step));
    if (cx_failed(&j)) return cx_fault(e->c, &j, dyadic);
    if (i % 4096 == 4095 && interrupted(e->c)) return NULL;
    if (truth) arr_put_int(r, i, v.re != 0);
    else memcpy((cx *)r->host + i, &v, sizeof v);
  }
  return cx_demote(e->c, arr_move(&r));
}
