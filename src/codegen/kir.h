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
 *
 * THE FOLD TREE. Float + and ×, integer ×, and every ⌈ ⌊ on floats use one bracketing that
 * depends on the length alone (integer sums are exact, so their order never shows):
 *
 *   reduce, n elements: tiles of KIR_REDUCE_ROWS rows of KIR_LANES elements. Lane l of a tile
 *     folds its rows from the first to the last: acc = acc ∘ x, starting from the identity.
 *     The KIR_LANES lanes fold by neighbours: v[i] = v[2i] ∘ v[2i+1], ten times. If there is
 *     more than one tile, their results are n' elements and the same rule folds them.
 *   scan, n elements: tiles of KIR_SCAN_ROWS rows of KIR_LANES. Within a tile a row is 256
 *     quads of 4 neighbours.
 *     1. a quad is scanned from left to right: s0 = x0, s1 = s0∘x1, s2 = s1∘x2, s3 = s2∘x3;
 *     2. the quads' totals s3, in groups of 32 neighbouring quads (8 groups a row), are
 *        scanned by Sklansky: for k = 0..4, if bit k of q (0..31) is set,
 *        t[q] = t[(q >> k << k) - 1] ∘ t[q], all q of a level at once;
 *     3. the group totals t[31] of the tile, 8 a row, row after row, are 64 values, scanned
 *        by Sklansky likewise (k = 0..5): g[0..63];
 *     4. element = ((C ∘ G) ∘ T) ∘ s, where C is the carry into the tile, G = g[group - 1],
 *        T = t[quad - 1 within its group]; a part that does not exist (first tile, group 0
 *        of the tile, quad 0 of the group) is left out, not added as an identity. C ∘ G is
 *        made first, then ∘ T, then ∘ s.
 *     A tile's total, for the next level, is that of the reduce rule above with
 *     KIR_SCAN_ROWS rows. The carries are the exclusive scan, by this same rule, of the
 *     tiles' totals: carry of tile t = scan(totals)[t-1]. The last tile's total is nobody's
 *     carry and is not made: it cannot escape.
 *   Missing elements of the last tile count as the identity: -0.0 for float +, 1 for ×,
 *   the type's end (infinity for floats) for ⌊ ⌈. An empty reduce gives the function's APL
 *   identity (0.0 for +; the largest finite numbers for ⌊ ⌈ are the planner's business). */
#ifndef VAPL_KIR_H
#define VAPL_KIR_H
#include "../base.h"
#include "../types.h"

enum { KIR_LANES = 1024, KIR_REDUCE_ROWS = 16, KIR_SCAN_ROWS = 8 };
enum { KIR_MAX_WALK = 4, KIR_WALK_DIMS = 4 };
enum { KIR_MAX_IN = 16, KIR_MAX_OUT = 8, KIR_MAX_PARAM = 32, KIR_MAX_SLOT = 64, KIR_MAX_INS = 4096 };

/* Compute types. A KB is one truth value. */
typedef enum kty { KB, KI32, KI64, KF32, KF64, KTY_COUNT } kty;

/* OP(name, operands, what). Operand types equal the result type unless said. Integer
 * arithmetic wraps around silently unless the name ends in O. Shifts take the count from
 * imm, 0 to bits-1. Float operations are IEEE, round to nearest even, never contracted. */
#define KIR_OPS(OP)                                                                      \
  OP(ARG, 0, "element of input imm, converted exactly to ty (see kir_arg_type)")         \
  OP(IOTA, 0, "position from 0: MAP and SCAN i; REDUCE i before the FOLD, behind it "     \
              "the output's element number; KI32 or KI64")                               \
  OP(CONST, 0, "the literal imm")                                                        \
  OP(PARAM, 0, "run-time scalar number imm")                                             \
  OP(CVT, 1, "a of any type to ty: exact or rounded to nearest; float to int truncates, "\
             "out of range is any value but no trap; number to KB is a≠0")               \
  OP(BITS, 1, "same bits, other type of the same size: KI64/KF64, KI32/KF32")            \
  OP(ADD, 2, "sum") OP(SUB, 2, "difference") OP(MUL, 2, "product")                       \
  OP(DIV, 2, "float quotient, correctly rounded")                                        \
  OP(SQRT, 1, "float square root, correctly rounded")                                    \
  OP(QUOT, 2, "integer quotient towards zero; b≠0 and not MIN÷-1, or any value, no trap")\
  OP(NEG, 1, "negative; float: the sign bit flipped") OP(ABS, 1, "magnitude; float: sign bit cleared") \
  OP(MIN, 2, "b<a ? b : a") OP(MAX, 2, "b>a ? b : a")                                    \
  OP(FLOOR, 1, "float: largest whole number ≤ a") OP(TRUNC, 1, "float: towards zero")    \
  OP(RINT, 1, "float: nearest whole number, ties to even")                               \
  OP(AND, 2, "KB or integer, bitwise") OP(OR, 2, "likewise") OP(XOR, 2, "likewise")      \
  OP(NOT, 1, "likewise") OP(SHL, 1, "a << imm") OP(SHR, 1, "logical a >> imm")           \
  OP(SAR, 1, "arithmetic a >> imm")                                                      \
  OP(EQ, 2, "operands of one type, result KB; false if a NaN") OP(NE, 2, "true if a NaN")\
  OP(LT, 2, "false if a NaN") OP(LE, 2, "") OP(GT, 2, "") OP(GE, 2, "")                  \
  OP(SEL, 3, "a (KB) ? b : c; both are evaluated")                                       \
  OP(ADDO, 2, "integer sum, escape imm if it overflows")                                 \
  OP(SUBO, 2, "integer difference, likewise") OP(MULO, 2, "integer product, likewise")   \
  OP(FIN, 3, "error imm if a is not finite though b and c are; the value is a")          \
  OP(ERR, 1, "error imm (a flag slot) if a (KB); no value")                              \
  OP(ESC, 1, "escape imm if a (KB); no value")                                           \
  OP(FOLD, 1, "the fold of a; see struct kir")
typedef enum kop {
#define OP(name, n, what) KOP_##name,
  KIR_OPS(OP)
#undef OP
      KOP_COUNT
} kop;
typedef struct kop_row { const char *name; uint8_t operands; } kop_row;
extern const kop_row kop_table[KOP_COUNT];

typedef uint16_t kv; /* a value: the number of its instruction */
typedef union kimm { int64_t i; double f; } kimm; /* .f for KF32 (exactly a float) and KF64 */
typedef struct kins {
  uint8_t op, ty; /* ty: of the result; of the value converted to, for CVT; 0 for ERR ESC */
  kv a, b, c;
  kimm imm;
} kins;

/* The monoids that a FOLD knows. Accumulators: KB for AND OR (any input); for ADD of KI32 or
 * KI64 a 128-bit integer when `wide`, else KI64; else the operand's type. The FOLD's own `ty`
 * is the result's: a wide sum becomes KI64 (escape imm if it does not fit) or KF64 (rounded
 * once); a KI64 sum is KI64. */
typedef enum kfold { KF_ADD, KF_MUL, KF_MIN, KF_MAX, KF_AND, KF_OR, KF_COUNT } kfold;

/* How an input is read. FLAT: element (r×len + i)×inner + j (a MAP: i), 4-wide loads allowed;
 * behind the FOLD of a REDUCE r×inner + j. STEP: element offset + step×i, any step, scalar
 * loads, one line only (rows and inner 1). ONE: element 0 always. WALK + w: where FLAT
 * reads element p, offset + step×W(p): p is unravelled into the positions of walk number w of
 * the kernel, W is the sum of these, each times its stride. A stride of 0 repeats, so ⍉, cycling
 * ⍴ and arguments that lie along some axes of the other one need no copy. No output may lie
 * over what a WALK reads. */
typedef enum kview { KV_FLAT, KV_STEP, KV_ONE, KV_WALK } kview;
typedef struct kin { uint8_t type /* elt */, view; } kin;
typedef struct kwalk { int64_t n[KIR_WALK_DIMS], stride[KIR_WALK_DIMS]; } kwalk; /* n[0] is unused */
typedef struct kout { kv value; uint8_t type; /* elt: integers are known to fit, bit takes KB */ } kout;
typedef enum kir_kind { KIR_MAP, KIR_REDUCE, KIR_SCAN } kir_kind;

typedef struct kir {
  kir_kind kind;
  uint32_t n_ins, n_in, n_out, n_param, n_slot;
  kins *ins; /* n_ins; grown by kir_add; freed by kir_free */
  size_t cap;
  kin in[KIR_MAX_IN];
  kout out[KIR_MAX_OUT];
  uint8_t param[KIR_MAX_PARAM]; /* kty of each run-time scalar */
  uint8_t n_walk, walk[KIR_MAX_WALK]; /* how many dimensions each has, 1 to KIR_WALK_DIMS */
  /* REDUCE and SCAN: */
  kfold fold;
  bool wide;        /* 128-bit sums */
  uint32_t fold_at; /* the FOLD's place in ins; n_ins if there is none */
} kir;

/* What a kernel runs on. Host or device pointers according to the back end that is given it. */
typedef struct kir_bind {
  int64_t rows, len, inner; /* MAP: rows and inner are 1. None is 0: such never come here */
  struct { const void *host; uint64_t dev; int64_t offset, step; } in[KIR_MAX_IN];
  struct { void *host; uint64_t dev; } out[KIR_MAX_OUT];
  kimm param[KIR_MAX_PARAM];
  kwalk walk[KIR_MAX_WALK];
  /* n_slot pairs of words: flags[2s] is set when slot s has an error, flags[2s+1] when it
   * escaped. The back end sets them; the caller has cleared them. */
  uint32_t *flags_host;
  uint64_t flags_dev;
} kir_bind;

/* The type in which storage type t is computed without a wider use: bit→KB, i8 i16 i32 char→
 * KI32, i64→KI64, f32→KF32, f64→KF64. */
kty kir_arg_type(elt t);
static inline int kty_bytes(kty t) { return t == KB ? 1 : t == KI32 || t == KF32 ? 4 : 8; }
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
