/* SPDX-License-Identifier: MIT */
/* kir.h - what one kernel computes, for every back end.
 *
 * A kernel is a straight line of typed SSA instructions, evaluated once per element, around
 * at most one FOLD. Instructions before the FOLD are the producer map, those behind it the
 * consumer map; an instruction behind the FOLD never uses one before it, except through the
 * FOLD (the planner emits it twice where it is needed twice).
 *
 *   MAP     in[i] ── ins ──▶ out[i]                    i over len elements (rows, inner are 1)
 *   REDUCE  in[r,i,j] ── ins ──▶ FOLD over i ── ins ──▶ out[r,j]
 *   SCAN    in[r,i,j] ── ins ──▶ FOLD of 0..i ── ins ──▶ out[r,i,j]
 *
 * A fold runs along any axis of its input: r counts what is left of the axis (rows), i the
 * axis itself (len), j what is right of it (inner), and element (r, i, j) is number
 * (r×len + i)×inner + j of the ravel. With inner 1 rows are folded, with more columns; each of
 * the rows×inner lines is folded by itself, by the tree below.
 *
 * `codegen` turns a kir into SPIR-V, `prim/block.c` interprets it on the host. Both must give
 * the same bits. Only classes are in a kir (types, operations, how an input is viewed);
 * lengths, scalars and addresses are in its kir_bind, so that one pipeline serves every size.
 * The monoids that a FOLD knows and the tree by which it folds are in tables/fold.h. */
#ifndef VAPL_KIR_H
#define VAPL_KIR_H
#include "../base/str.h"
#include "../base/types.h"
#include "../tables/fold.h"

enum { KIR_MAX_STRIDED = 4, KIR_STRIDED_DIMS = 4 };
enum {
  KIR_MAX_IN = 16,
  KIR_MAX_OUT = 8,
  KIR_MAX_PARAM = 32,
  KIR_MAX_FAULT = 64,
  KIR_MAX_INS = 4096
};

/* Compute types. A KB is one truth value. */
typedef enum kty { KB, KI32, KI64, KF32, KF64, KTY_COUNT } kty;

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
  KFORM_TEST,
  KFORM_FOLD
} kop_form;
typedef enum kop_imm {
  KIMM_NONE,
  KIMM_INPUT,
  KIMM_PARAM,
  KIMM_LITERAL,
  KIMM_COUNT,
  KIMM_FAULT
} kop_imm;
typedef struct kop_row {
  const char *name;
  uint8_t operands, form, imm, types; /* kop_form; kop_imm; a set of kty, a bit each */
} kop_row;
extern const kop_row kop_table[KOP_COUNT];
/* Is op there for type t (of what it compares or tests, else of its result)? What does it
 * then give? 0 if it has no value. */
bool kop_takes(kop op, kty t);
kty kop_gives(kop op, kty t);
static inline bool kop_has_value(kop op) { return kop_table[op].form != KFORM_TEST; }
static inline bool kop_has_effect(kop op) { return kop_table[op].imm == KIMM_FAULT; }

typedef uint16_t kv; /* a value: the number of its instruction */
typedef union kimm {
  int64_t i;
  double f;
} kimm; /* .f for KF32 (exactly a float) and KF64 */
typedef struct kins {
  uint8_t op,
      ty; /* ty: of the result; of the value converted to, for CVT; 0 for ERR ESC */
  kv a, b, c;
  kimm imm;
} kins;

/* How an input is read. FLAT: element (r×len + i)×inner + j (a MAP: i), 4-wide loads allowed;
 * behind the FOLD of a REDUCE r×inner + j. STEP: element offset + step×i, any step, scalar
 * loads, one line only (rows and inner 1). ONE: element 0 always. STRIDED + w: where FLAT
 * reads element p, offset + step×W(p): p is unravelled into the positions of strided number w of
 * the kernel, W is the sum of these, each times its stride. A stride of 0 repeats, so ⍉, cycling
 * ⍴ and arguments that lie along some axes of the other one need no copy. No output may lie
 * over what a STRIDED reads. */
typedef enum kview { KV_FLAT, KV_STEP, KV_ONE, KV_STRIDED } kview;
typedef struct kin {
  uint8_t type /* elt */, view;
} kin;
typedef struct kstrided {
  int64_t n[KIR_STRIDED_DIMS], stride[KIR_STRIDED_DIMS];
} kstrided; /* n[0] is unused */
typedef struct kout {
  kv value;
  uint8_t type; /* elt: integers are known to fit, bit takes KB */
} kout;
typedef enum kir_kind { KIR_MAP, KIR_REDUCE, KIR_SCAN } kir_kind;

typedef struct kir {
  kir_kind kind;
  uint32_t n_ins, n_in, n_out, n_param, n_fault;
  kins *ins; /* n_ins; grown by kir_add; freed by kir_free */
  size_t cap;
  kin in[KIR_MAX_IN];
  kout out[KIR_MAX_OUT];
  uint8_t param[KIR_MAX_PARAM]; /* kty of each run-time scalar */
  uint8_t n_strided,
      strided[KIR_MAX_STRIDED]; /* how many dimensions each has, 1 to KIR_STRIDED_DIMS */
  /* REDUCE and SCAN: */
  kfold fold;
  bool wide;        /* 128-bit sums */
  uint32_t fold_at; /* the FOLD's place in ins; n_ins if there is none */
} kir;

/* What a kernel runs on. Host or device pointers according to the back end that is given it. */
typedef struct kir_bind {
  int64_t rows, len,
      inner; /* MAP: rows and inner are 1. None is 0: such never come here */
  struct {
    const void *host;
    uint64_t dev;
    int64_t offset, step;
  } in[KIR_MAX_IN];
  struct {
    void *host;
    uint64_t dev;
  } out[KIR_MAX_OUT];
  kimm param[KIR_MAX_PARAM];
  kstrided strided[KIR_MAX_STRIDED];
  /* n_fault pairs of words: flags[2s] is set when fault s has an error, flags[2s+1] when it
   * escaped. The back end sets them; the caller has cleared them. */
  uint32_t *flags_host;
  uint64_t flags_dev;
} kir_bind;

/* The type in which storage type t is computed without a wider use: bit→KB, i8 i16 i32 char→
 * KI32, i64→KI64, f32→KF32, f64→KF64. */
kty kir_arg_type(elt t);
static inline int kty_bytes(kty t) {
  return t == KB ? 1 : t == KI32 || t == KF32 ? 4 : 8;
}
static inline bool kty_is_float(kty t) { return t >= KF32; }
static inline bool kty_is_int(kty t) { return t == KI32 || t == KI64; }

/* Appends an instruction and returns its number; on failure (WS FULL, or LIMIT ERROR beyond
 * KIR_MAX_INS) the error is in c and the result is 0: check err_is(c) once at the end. Equal
 * instructions without effect are merged: the number of the earlier one comes back. */
kv kir_add(ctx *c, kir *k, kins in);
void kir_free(ctx *c, kir *k); /* leaves it empty */
bool kir_check(const kir *k);  /* types and order are right: for assertions and tests */
void kir_dump(const kir *k, str *s); /* one line an instruction, for VAPL_DUMP=kernels */
#endif
