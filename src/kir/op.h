/* SPDX-License-Identifier: MIT */
/* op.h - the types that kernels compute in, and their operations: the rows of ops.def. */
#ifndef VAPL_KIR_OP_H
#define VAPL_KIR_OP_H
#include <stdbool.h>
#include <stdint.h>

/* Compute types. A KB is one truth value. */
typedef enum kty { KB, KI32, KI64, KF32, KF64, KTY_COUNT } kty;
static inline int kty_bytes(kty t) {
  if (t == KB) return 1;
  return t == KI32 || t == KF32 ? 4 : 8;
}
static inline bool kty_is_float(kty t) { return t >= KF32; }
static inline bool kty_is_int(kty t) { return t == KI32 || t == KI64; }

typedef enum kop {
#define OP(name, ...) KOP_##name,
#include "ops.def"
  KOP_COUNT
} kop;
/* The columns of ops.def. */
typedef enum kop_form {
  KFORM_LEAF,
  KFORM_SAME,
  KFORM_COMPARE,
  KFORM_SELECT,
  KFORM_CONVERT,
  KFORM_BITS,
  KFORM_FETCH,
  KFORM_TEST,
  KFORM_FOLD,
  KFORM_LOOP,
  KFORM_PART
} kop_form;
typedef enum kop_imm {
  KIMM_NONE,
  KIMM_INPUT,
  KIMM_NEAR,
  KIMM_PARAM,
  KIMM_LITERAL,
  KIMM_COUNT,
  KIMM_FAULT,
  KIMM_LOOP,
  KIMM_COMPONENT
} kop_imm;
typedef struct kop_row {
  const char *name;
  uint8_t operands, form, imm, types; /* kop_form; kop_imm; a set of kty, a bit each */
} kop_row;
extern const kop_row kop_table[KOP_COUNT];
/* Is op there for type t (of what it compares or tests, else of its result)? */
bool kop_takes(kop op, kty t);
static inline bool kop_has_value(kop op) { return kop_table[op].form != KFORM_TEST; }
static inline bool kop_has_fault(kop op) { return kop_table[op].imm == KIMM_FAULT; }
static inline bool kop_has_effect(kop op) {
  return kop_has_fault(op) || kop_table[op].imm == KIMM_LOOP;
}
#endif
