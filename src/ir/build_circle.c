/* SPDX-License-Identifier: MIT */
/* build_circle.c - x○y with many codes in x: each code's function of those elements of y that it
 * stands beside, put where they belong. Each element is computed by one function alone, so
 * errors, and results that leave the real numbers, are those of the host, which does all of it
 * then. */
#include "build.h"
#include "exec.h"
#include "../tables/fast.h"

enum { CODES = 12 };

/* The results of one code, put into *r. False without an error: it is for the host. */
static bool put_code(const ir_call *call, int64_t code, arr *x, arr *y, arr **r) {
  OWNED arr *c = arr_int(call->env.c, code);
  OWNED arr *is = ir_dyadic(call, P_EQ, x, c);
  if (!is) return false;
  int64_t n = ones_of(call, is);
  if (n <= 0) return n == 0;
  OWNED arr *own = ir_compress(call, is, y);
  OWNED arr *v = ir_monadic(call, prim_of_code(code), own);
  if (!v || (is_pending(v) && !force_alone(call->g, v)) || v->type != ET_F64)
    return false;
  OWNED arr *at = ir_monadic(call, P_WHERE, is);
  return at && ir_put(call, r, at, v);
}

arr *ir_circle(const ir_call *call, arr *x, arr *y) {
  int64_t lo, hi, n = y->count;
  if (!is_for_kernels(call, y, n) || !is_readable(x, false) || !is_readable(y, false))
    return NULL;
  if (!arr_same_shape(x, y) || !ir_settle(call->g, x) || !ir_settle(call->g, y))
    return NULL;
  if (!elt_is_int((elt)x->type) || y->type > ET_F64 || y->type == ET_F32) return NULL;
  if (!ir_bounds(call, x, &lo, &hi) || lo < -CODES || hi > CODES) return NULL;
  OWNED arr *code = ir_monadic(call, P_COMMA, x), *line = ir_monadic(call, P_COMMA, y);
  OWNED arr *zero = arr_float(call->env.c, 0);
  if (!code || !line || !zero) return NULL;
  OWNED arr *real = node_convert(call, line, ET_F64);
  OWNED arr *r = real ? ir_reshape(call, zero, 1, &n) : NULL;
  if (!r || !ir_settle(call->g, r)) return NULL;
  for (int64_t k = lo; k <= hi; k++)
    if (!put_code(call, k, code, real, &r)) return NULL;
  return ir_reshape(call, r, y->rank, y->shape);
}
