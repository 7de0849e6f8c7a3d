/* SPDX-License-Identifier: MIT */
/* build_radix.c - ⊥ and ⊤ of long arrays as nodes of other primitives, where these give what
 * Horner's rule and its reverse give (prim/radix.c).
 *
 *   x⊤y  of integers: digit k is x[k]|⌊y÷w[k], w[k] being the product of the radices behind it
 *        (all are positive, but that the first may be 0); of reals: digit by digit, from the
 *        last on, as the host does it
 *   x⊥y  of integers, where no sum of |w| × |y| leaves 64 bits: +⌿w×y; of reals and complex
 *        numbers Horner's rule, step by step: of many columns, or at many points x */
#include "../array/convert.h"
#include "../array/element.h"
#include "../kir/range.h"
#include "../prim/scalar.h"
#include "build.h"

#include <math.h>

enum { RADICES = 64, REAL_RADICES = 6, HORNER_STEPS = 256 };

/* a along the first axis of that shape, or along all but the first. */
static arr *along(const ir_call *call, arr *a, bool first, int rank,
                  const int64_t *shape) {
  int k[ARR_MAX_RANK];
  for (int i = 0; i < a->rank; i++) k[i] = first ? 0 : i + 1;
  return ir_spread(call, a, rank, shape, k);
}

/* w[k] is the product of x from k + 1 on, x being n radices or one for all. NULL: it does not
 * fit. */
static arr *weights(const ir_call *call, const arr *x, int64_t n) {
  OWNED arr *w = arr_vec(call->env.c, ET_I64, n);
  int64_t v = 1;
  for (int64_t k = n - 1; w && k >= 0; k--) {
    ((int64_t *)w->host)[k] = v;
    int64_t radix = arr_get_int(x, x->count == 1 ? 0 : k);
    if (k && __builtin_mul_overflow(v, radix, &v)) return NULL;
  }
  return sc_narrow(call->env.c, arr_move(&w));
}

static bool are_positive(const arr *x) {
  for (int64_t k = 0; k < x->count; k++)
    if (arr_get_int(x, k) < (k > 0)) return false;
  return true;
}

static arr *encode_whole(const ir_call *call, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK] = {x->count};
  int rank = 1 + y->rank;
  if (!x->rank) return ir_dyadic(call, P_RESIDUE, x, y);
  if (!are_positive(x)) return NULL;
  for (int k = 0; k < y->rank; k++) shape[k + 1] = y->shape[k];
  OWNED arr *w = weights(call, x, x->count);
  OWNED arr *by = w ? along(call, w, true, rank, shape) : NULL;
  OWNED arr *of = by ? along(call, y, false, rank, shape) : NULL;
  OWNED arr *left = ir_dyadic(call, P_WHOLES, by, of);
  OWNED arr *own = /* with its range */
      left ? sc_narrow(call->env.c, arr_convert(call->env.c, x, ET_I64)) : NULL;
  OWNED arr *radix = own ? along(call, own, true, rank, shape) : NULL;
  return ir_dyadic(call, P_RESIDUE, radix, left);
}

/* The row `digits` before those that there are, which may be none. */
static arr *put_before(const ir_call *call, arr *digits, arr *rows) {
  int64_t shape[ARR_MAX_RANK] = {1};
  if (rows) return ir_dyadic(call, P_COMMA1, digits, rows);
  for (int k = 0; k < digits->rank; k++) shape[k + 1] = digits->shape[k];
  return along(call, digits, false, digits->rank + 1, shape);
}

/* Numbers by which nothing overflows. */
static bool are_moderate(const arr *x) {
  for (int64_t k = 0; k < x->count; k++) {
    double w = fabs(arr_get_float(x, k));
    if (w != 0 && !(w >= 1 && w < 1e100)) return false;
  }
  return true;
}

static arr *encode_real(const ir_call *call, arr *x, arr *y) {
  if (!x->rank || x->count > REAL_RADICES || !are_moderate(x)) return NULL;
  if (x->type == ET_F64 && y->type == ET_F32) return NULL;
  OWNED arr *v = arr_retain(y), *rows = NULL;
  for (int64_t k = x->count - 1; k >= 0; k--) {
    OWNED arr *radix = arr_scalar_at(call->env.c, x, k);
    OWNED arr *digits = ir_dyadic(call, P_RESIDUE, radix, v);
    if (!digits) return NULL;
    OWNED arr *above = rows;
    rows = put_before(call, digits, above);
    if (!rows) return NULL;
    if (!k) break;
    OWNED arr *rest = ir_dyadic(call, P_MINUS, v, digits);
    if (!rest) return NULL;
    arr_release(v);
    v = arr_get_float(radix, 0) == 0 ? arr_retain(rest)
                                     : ir_dyadic(call, P_DIVIDE, rest, radix);
    if (!v) return NULL;
  }
  return arr_move(&rows);
}

/* Is y, of which the type is known then, to be taken apart, or put together, with radices x? */
static bool is_candidate(const ir_call *call, arr *x, arr *y, int64_t n) {
  bool types = is_readable(x, false) && is_readable(y, false);
  if (!types || x->rank > 1 || !x->count || !is_for_kernels(call, y, n)) return false;
  if (y->node && y->node->unresolved && !ir_settle(call->g, y)) return false;
  return is_readable(y, false) && ir_host(call->g, x);
}

arr *ir_encode(const ir_call *call, arr *x, arr *y) {
  if (x->count > RADICES || y->rank >= ARR_MAX_RANK) return NULL;
  if (!is_candidate(call, x, y, x->count * y->count)) return NULL;
  bool whole = elt_is_int((elt)x->type) && elt_is_int((elt)y->type);
  return whole ? encode_whole(call, x, y) : encode_real(call, x, y);
}

/* Does no sum of the weights times numbers of y leave 64 bits? */
static bool sums_fit(const ir_call *call, const arr *w, arr *y) {
  range_int sum = 0;
  int64_t lo, hi;
  for (int64_t k = 0; k < w->count; k++) {
    range_int v = arr_get_int(w, k);
    sum += v < 0 ? -v : v;
  }
  if (sum > INT64_MAX || !ir_bounds(call, y, &lo, &hi)) return false;
  return range_most(hi, -(range_int)lo) * sum <= INT64_MAX;
}

/* r×x + y's cell number k; `several`: of x the number k. */
static arr *horner_step(const ir_call *call, arr *r, arr *x, bool several, arr *y,
                        int64_t k) {
  OWNED arr *place = arr_int(call->env.c, k + call->env.io);
  OWNED arr *radix = several ? arr_scalar_at(call->env.c, x, k) : arr_retain(x);
  OWNED arr *cell = place && radix ? ir_dyadic(call, P_SQUAD, place, y) : NULL;
  OWNED arr *up = cell ? ir_dyadic(call, P_TIMES, r, radix) : NULL;
  return ir_dyadic(call, P_PLUS, up, cell);
}

/* x⊥y of numbers that are not all whole. */
static arr *decode_real(const ir_call *call, arr *x, arr *y) {
  bool numbers = elt_is_num((elt)x->type) && elt_is_num((elt)y->type);
  bool points = x->rank && y->rank == 1 && arr_last_axis(x) == 1 && x->count > 1;
  int64_t n = y->rank ? y->shape[0] : 0;
  bool columns = !points && x->rank <= 1 && (x->count == 1 || x->count == n);
  if (!numbers || x->type == ET_F32 || y->type == ET_F32 || n < 2 || n > HORNER_STEPS)
    return NULL;
  if (!points && (!columns || !is_for_kernels(call, y, y->count / n))) return NULL;
  if (points && !is_for_kernels(call, x, x->count)) return NULL;
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type)) return NULL;
  if ((columns && !ir_host(call->g, x)) || (points && !ir_host(call->g, y))) return NULL;
  uint64_t since = ir_attempt(call->g);
  OWNED arr *r = arr_float(call->env.c, 0);
  OWNED arr *by = NULL;
  if (points) by = ir_reshape(call, x, x->rank - 1, x->shape);
  else by = x->count == 1 ? arr_scalar_at(call->env.c, x, 0) : arr_retain(x);
  for (int64_t k = 0; k < n && r && by; k++) {
    arr *next = horner_step(call, r, by, !points && by->rank, y, k);
    arr_release(r);
    r = next;
  }
  return ir_attempt_end(call->g, since, r) ? arr_move(&r) : NULL;
}

arr *ir_decode(const ir_call *call, arr *x, arr *y) {
  arr *real = decode_real(call, x, y);
  if (real || err_is(call->env.c)) return real;
  if (!y->rank || y->shape[0] < 2 || !is_candidate(call, x, y, y->count)) return NULL;
  if (!elt_is_int((elt)x->type) || !elt_is_int((elt)y->type)) return NULL;
  if (x->count == 1 && arr_get_int(x, 0) == 1) return ir_reduce(call, P_PLUS, y, 0);
  if (x->count != 1 && x->count != y->shape[0]) return NULL;
  OWNED arr *w = weights(call, x, y->shape[0]);
  if (!w || !sums_fit(call, w, y)) return NULL;
  OWNED arr *by = along(call, w, true, y->rank, y->shape);
  OWNED arr *parts = ir_dyadic(call, P_TIMES, by, y);
  return ir_reduce(call, P_PLUS, parts, 0);
}
