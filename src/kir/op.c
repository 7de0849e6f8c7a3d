/* SPDX-License-Identifier: MIT */
/* op.c - ops.def as a table. */
#include "op.h"

enum {
  TYPES_TRUTH = 1 << KB,
  TYPES_INT = 1 << KI32 | 1 << KI64,
  TYPES_DOUBLE = 1 << KF64,
  TYPES_FLT = 1 << KF32 | 1 << KF64,
  TYPES_LOGIC = TYPES_TRUTH | TYPES_INT,
  TYPES_NUM = TYPES_INT | TYPES_FLT,
  TYPES_ANY = TYPES_TRUTH | TYPES_NUM
};
const kop_row kop_table[KOP_COUNT] = {
#define OP(name, n, form, types, imm, what)                                              \
  {#name, n, KFORM_##form, KIMM_##imm, TYPES_##types},
#include "ops.def"
};

bool kop_takes(kop op, kty t) { return kop_table[op].types >> t & 1; }
