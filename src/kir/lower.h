/* SPDX-License-Identifier: MIT */
/* lower.h - prim.def's bodies as KIR. */
#ifndef VAPL_KIR_LOWER_H
#define VAPL_KIR_LOWER_H
#include "../tables/prim.h"
#include "kir.h"

/* Appends the body of p for the given row to k: x and y are values of the row's type (KB;
 * KI32 or KI64, both the same; KF32 or KF64, both the same). Faults use fault id `fault`.
 * `ct` is the value of ⎕CT (KF64), used by tolerant rows. `float_variant`: the F→F float_variant.
 * When `no_overflow`, the planner has proved by ranges that no integer operation of this
 * primitive overflows, and checked operations become plain ones. Returns the result's value:
 * KB for result B; for I the integer type of x and y, or KI64 from an F row; else a float. */
kv prim_lower(ctx *c, kir *k, prim p, bool dyadic, cls row, bool float_variant, kv x,
              kv y, kv ct, int fault, bool no_overflow);
/* Which flags of its fault the body may set; whether it uses `ct`. */
enum { PRIM_ERRS = 1, PRIM_ESCAPES = 2, PRIM_TOLERANT = 4 };
unsigned prim_faults(prim p, bool dyadic, cls row, bool float_variant, bool no_overflow);
unsigned prim_size(prim p,
                   bool dyadic); /* about how many instructions its longest row has */
#endif
