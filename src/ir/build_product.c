/* SPDX-License-Identifier: MIT */
/* build_product.c - x f.g y of scalar functions. */
#include "build.h"

arr *ir_product(const ir_call *call, const prim_factors *p) {
  if (!ir_host(call->g, p->x) || !ir_host(call->g, p->y)) return NULL;
  prim_env e = call->env;
  return prim_product(&e, p);
}
