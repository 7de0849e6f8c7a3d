/* SPDX-License-Identifier: MIT */
/* kir.h - what one kernel computes, for every back end.
 *
 * A kernel is a straight line of typed SSA instructions, evaluated once per element,
 * around at most one FOLD. Instructions before the FOLD are the producer map, those
 * behind it the consumer map; an instruction behind the FOLD never uses one before it,
 * except through the FOLD (ir/fuse.c emits it twice where it is needed twice).
 *
 *   MAP     in[i] ── ins ──▶ out[i]                    i over len elements (rows, inner are 1)
 *   REDUCE  in[r,i,j] ── ins ──▶ FOLD over i ── ins ──▶ out[r,j]
 *   SCAN    in[r,i,j] ── ins ──▶ FOLD of 0..i ── ins ──▶ out[r,i,j]
 *
 * A fold runs along any axis of its input: r counts what is left of the axis (rows), i
 * the axis itself (len), j what is right of it (inner), and element (r, i, j) is number
 * (r×len + i)×inner + j of the ravel. With inner 1 rows are folded, with more columns;
 * each of the rows×inner lines is folded by itself, by the tree of tables/fold.h.
 *
 * `codegen` turns a kir into SPIR-V, `host` interprets it. Both must give the same bits.
 * Only classes are in a kir (types, operations, how an input is viewed); lengths, scalars
 * and addresses are in its kir_bind, so that one pipeline serves every size. */
#ifndef VAPL_KIR_H
#define VAPL_KIR_H
#include "../base/str.h"
#include "../base/types.h"
#include "../tables/fold.h"
#include "op.h"

enum { KIR_MAX_STRIDED = 4, KIR_STRIDED_DIMS = 4 };
enum {
  KIR_MAX_IN = 16,
  KIR_MAX_OUT = 8,
  KIR_MAX_PARAM = 32,
  KIR_MAX_FAULT = 64,
  KIR_MAX_INS = 4096
};

typedef uint16_t kv; /* a value: the number of its instruction */
/* f for KF32 (exactly a float) and KF64. */
typedef union kimm {
  int64_t i;
  double f;
} kimm;
typedef struct kins {
  uint8_t op, ty; /* ty: the result's type; 0 if there is no value */
  kv a, b, c;
  kimm imm;
} kins;

/* How an input is read.
 *   FLAT         element (r×len + i)×inner + j (a MAP: i), 4-wide loads allowed; behind the FOLD
 *                of a REDUCE r×inner + j
 *   STEP         element offset + step×i, any step, scalar loads; one line only (rows, inner 1)
 *   ONE          element 0 always
 *   STRIDED + w  where FLAT reads element p, offset + step×W(p): p is unravelled into positions
 *                along the dimensions of strided index map number w of the kernel, W is the sum
 *                of these, each times its stride
 * A stride of 0 repeats, so ⍉, cycling ⍴ and arguments that lie along some axes of the
 * other one need no copy. No output may lie over what a STRIDED reads. */
typedef enum kview { KV_FLAT, KV_STEP, KV_ONE, KV_STRIDED } kview;
typedef struct kin {
  uint8_t type /* elt */, view;
} kin;
typedef struct kstrided {
  int64_t n[KIR_STRIDED_DIMS], stride[KIR_STRIDED_DIMS]; /* n[0] is unused */
} kstrided;
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
  uint8_t n_strided;
  uint8_t strided[KIR_MAX_STRIDED]; /* dimensions of each, 1 to KIR_STRIDED_DIMS */
  /* REDUCE and SCAN: */
  kfold fold;
  bool wide;        /* 128-bit sums */
  uint32_t fold_at; /* the FOLD's place in ins; n_ins if there is none */
} kir;

/* What the host runs a kernel on (host/host.h); for the device ir/device.c puts the same
 * into an argument block. */
typedef struct kir_bind {
  int64_t rows, len, inner; /* MAP: rows and inner are 1. None is 0 */
  struct {
    const void *host;
    int64_t offset, step;
  } in[KIR_MAX_IN];
  struct {
    void *host;
  } out[KIR_MAX_OUT];
  kimm param[KIR_MAX_PARAM];
  kstrided strided[KIR_MAX_STRIDED];
  /* n_fault pairs of words: flags[2s] is set when fault s has an error, flags[2s+1] when
   * it escaped. The back end sets them; the caller has cleared them. */
  uint32_t *flags;
} kir_bind;

/* The type in which storage type t is computed without a wider use: bit→KB, i8 i16 i32
 * char→ KI32, i64→KI64, f32→KF32, f64→KF64. */
kty kir_arg_type(elt t);

/* Appends an instruction and returns its number; on failure (WS FULL, or LIMIT ERROR
 * beyond KIR_MAX_INS) the error is in c and the result is 0: check err_is(c) once at the
 * end. Equal instructions are merged, but for the FOLD: the number of the earlier one
 * comes back. */
kv kir_add(ctx *c, kir *k, kins in);
void kir_free(ctx *c, kir *k); /* leaves it empty */
bool kir_check(const kir *k);  /* types and order are right: for assertions and tests */
void kir_dump(const kir *k, str *s); /* one line an instruction, for VAPL_DUMP=kernels */
#endif
