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
 *   PRODUCT is a REDUCE: below
 *   ORDER   in[r,i] ── ins ──▶ FOLD: the row's i-th by key ── ins ──▶ out[r,i]
 *   ROWS    in[r,i] ── ins, FOLDs over i among them ──▶ out[r,i]
 *   PANEL   in[i] ── ins ──▶ FOLD: a matrix as reflections (tables/panel.h) ──▶ out
 *   FOURIER in[r,i,j] ── ins ──▶ FOLD over i: the transform's number i ── ins ──▶ out[r,i,j]
 *
 * A ROWS has up to KIR_MAX_ACC FOLDs, whose `b` is the number of the value of acc that it folds;
 * what each gives has the same value for all elements of the row, and any instruction behind it may
 * use that beside what came before. Its inner is 1, it has no join and no LOOP, and puts nothing.
 * No host runs it: what it computes can be had by a kernel for each FOLD, too (ir/row_fusion.c).
 *
 * A PANEL is one line, the ravel of a matrix of f64; its output has 3 rows more for each of
 * the first columns, as many as become reflections. Input 0, which no ARG reads, has
 * the squares of the columns' lengths; the FOLD's fault is an error: the columns depend on one another.
 *
 * A SOLVE is one line, the ravels of matrices of f64; input 0, if it is no element of it, has right-hand sides.
 * A FOURIER's FOLD has two values of f64, the real and the imaginary part, and takes the steps of
 * tables/fourier.h; input number `roots`, which no instruction reads, has the table. No host runs it.
 *
 * A fold runs along any axis of its input: r counts what is left of the axis (rows), i
 * the axis itself (len), j what is right of it (inner), and element (r, i, j) is number
 * (r×len + i)×inner + j of the ravel. With inner 1 rows are folded, with more columns;
 * each of the rows×inner lines is folded by itself, by the tree of tables/fold.h.
 *
 * `codegen` turns a kir into SPIR-V, `host` interprets it. Both must give the same bits.
 * SEGMENTS. The rows of a FOLD may be any stretches of one line instead: input number
 * segments - 1 of the kernel, i64 that no ARG reads, says for each of `rows` rows
 * from which element of the line it reaches, and which is the first behind it. Then len is
 * that of the line, inner 1, i counts within the row, r is its number, and there is no join.
 * In a SCAN the result of element i is element i of the output, elements in no row have any
 * value (bits 0), no row lies over another or is empty. Its table has a row for each strip (fold.h) of a
 * segment, with a third number: the strip's in its segment, whose strips follow one another;
 * behind these, for the device, one for each tile of the segments of several strips: its first
 * strip's row, how many strips it has, its number, how many tiles follow in the segment.
 *
 * PRODUCT. A REDUCE that is a `product` folds x g y: rows, len and inner are those of batches of
 * m × k and k × n. It has two inputs, x by strided index map 0 and y by 1, or of complex numbers
 * for each part one, the real before the imaginary one. The map's four dimensions
 * are the batch, m, k and n: x's stride along n is 0, and y's along m. The order of the fold is
 * that of prim/inner_product.h. No kernel of the host does it.
 *
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
  KIR_MAX_OUT = 9,
  KIR_MAX_PARAM = 96,
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
 *   NEAR         no ARG, but NEARs, of a MAP alone: a matrix of `step` rows, `offset` columns each,
 *                that has an element for each of the MAP's
 *   STRIDED + w  where FLAT reads element p, offset + step×W(p): p is unravelled into positions
 *                along the dimensions of strided index map number w of the kernel, W is the sum
 *                of these, each times its stride
 *   GET          no ARG, but GETs of any element; the offset is the number of the last one
 * Bit i of `quads`: of input i, GET or STRIDED, elements that FLAT reads as an aligned group of
 * four come from such a group; or, with bit i of `still`, are one element: the last stride is 0.
 * A stride of 0 repeats, so ⍉, cycling ⍴ and arguments that lie along some axes of the
 * other one need no copy. No output may lie over what a STRIDED or GET reads. */
typedef enum kview { KV_FLAT, KV_STEP, KV_ONE, KV_GET, KV_NEAR, KV_STRIDED } kview;
/* The immediate of a NEAR: which input, how many rows down and columns right, ¯KIR_FAR to KIR_FAR. */
enum { KIR_FAR = 4, KIR_MAX_NEAR = 4 /* such inputs */ };
static inline int64_t knear(uint32_t in, int64_t down, int64_t right) {
  return in | (down & 0xff) << 8 | (right & 0xff) << 16;
}
static inline uint32_t knear_in(int64_t imm) { return imm & 0xff; }
static inline int knear_down(int64_t imm) { return (int8_t)(imm >> 8); }
static inline int knear_right(int64_t imm) { return (int8_t)(imm >> 16); }
typedef struct kin {
  uint8_t type /* elt */, view;
} kin;
typedef struct kstrided {
  int64_t n[KIR_STRIDED_DIMS], stride[KIR_STRIDED_DIMS]; /* n[0] is unused */
} kstrided;
/* Where the elements of an output go, and what becomes of them there.
 *   NOT   element i of the domain to element i of the output
 *   ONCE  to element at[i], an integer, if when[i], a KB, is true. What goes to one place is
 *         the same, or is one element
 *   JOIN  likewise any number to one place, each joined by `monoid` with what is there:
 *         sums, minima and maxima of i32 and i64, which are known to fit, ∧ ∨ of bits, for
 *         in these the order never shows
 *   SEAT  the value is the number of an element of input `keys`, which is for GET. It goes to the
 *         first of the places at, at + 1 & mask, … where there is the number of an equal element,
 *         of which the lower stays, or a number that no element has. All are i32 but the keys,
 *         which are no bits. The lowest number of equal elements stays; its place is any of the
 *         free ones
 * MAP and SCAN alone have outputs that are put to. The memory of one that is `kept`, and of a
 * JOIN or SEAT always, has elements before, and those that nothing is put to stay; of another they
 * are any (bits 0).
 * Outputs of complex numbers are two, PAIR_RE and PAIR_IM behind it, alike but for the value, of f64:
 * element i of them goes to the places 2i and 2i + 1 of one array of pairs. */
typedef enum kpair { PAIR_NOT, PAIR_RE, PAIR_IM } kpair;
typedef enum kput { KPUT_NOT, KPUT_ONCE, KPUT_JOIN, KPUT_INSERT, KPUT_KINDS } kput;
typedef struct kout {
  kv value;
  uint8_t type;        /* elt: integers are known to fit, bit takes KB */
  uint8_t put, monoid; /* kput, kfold */
  bool kept;
  uint8_t keys; /* SEAT */
  uint8_t pair; /* kpair */
  kv at, when, mask;
} kout;
typedef enum kir_kind {
  KIR_MAP,
  KIR_REDUCE,
  KIR_SCAN,
  KIR_ORDER,
  KIR_ROWS,
  KIR_PANEL,
  KIR_SOLVE,
  KIR_FOURIER
} kir_kind;

/* ── the FOLD ──
 *
 * It folds a tuple of up to KIR_MAX_ACC values. Without a `join` these are independent
 * folds of the same elements, each by the monoid of its own and to the bits that it has
 * alone; a SCAN has one value then, for its tree goes by the bytes of it.
 * A `join` is a function of two tuples, the earlier one on the left, that
 * gives one:
 * a kernel of kind MAP that reads no memory. Its input n is component n of the left
 * tuple, input n_acc + n that of the right one, its output n component n of the
 * result, of the type that acc[n].from has; its parameters are the first of the kernel's,
 * its fault ids the kernel's. It has no IOTA. A kernel with a join has inner 1. */
enum { KIR_MAX_ACC = 4 };
typedef struct kacc { /* one value of the tuple */
  kv from;            /* what is folded, before the FOLD; acc[0].from is the FOLD's a */
  uint8_t monoid; /* kfold: a row of folds.def; without a meaning if there is a join */
  bool wide;      /* 128-bit sums; never with a join */
  uint8_t ty;     /* kty of the result; acc[0].ty is the FOLD's */
  int16_t fault;  /* that it may raise (escape), or -1; acc[0].fault is the FOLD's */
} kacc;

/* An ORDER's FOLD puts the tuples of a row in the order of their keys, equal ones in that in
 * which they were. The key is component 0, taken as an unsigned integer of at most key_bits
 * bits; component 1, if there is one, an integer that goes along. Keys may be the bits of
 * floats, the sign bit flipped, or all bits of what is negative, and for the reverse order
 * all bits again: then -0 equals 0, and NaNs are equal, behind infinity. Monoids have no
 * meaning; inner is 1. */
typedef enum kkey_floats { KEY_NO_FLOATS, KEY_FLOATS_UP, KEY_FLOATS_DOWN } kkey_floats;

/* In which order a join's tuples are joined. */
typedef enum kjoin_order {
  KJOIN_TREE,   /* the tree of tables/fold.h, in which elements keep their order */
  KJOIN_EXACT,  /* any bracketing gives the same; elements keep their order */
  KJOIN_RIGHT,  /* x0 f (x1 f (… f xn)), a SCAN for every prefix: the host alone */
  KJOIN_FORWARD /* SCAN: r0 = x0, ri = xi f r(i-1): the host alone */
} kjoin_order;

/* ── LOOPs ──
 *
 * A LOOP does, for each element by itself, while (again(s)) s = next(s). Its value is the first
 * of the carried values s at the end; PARTs have the others. The body is a kernel of kind MAP:
 * input i < n of it is carried value i, its other inputs stay what they are; from[] says what all
 * of them begin as. Output i < n is carried value i of the next step, output n, a KB, `again`.
 *
 * The body's first `test` instructions make `again` and count wherever an element still is in
 * the loop; those behind them, and their faults, only where `again` is true. Parameters and
 * faults are the kernel's, as in a join; so are the inputs that GETs read. A body has no IOTA; it
 * may have loops. The host goes on until no element is left. On a device an element that has
 * taken cg_opts.loop_steps steps leaves the loop, and escapes by `fault`. */
enum { KIR_MAX_LOOP = 8, KIR_MAX_CARRIED = KIR_MAX_OUT - 1 };
typedef struct kloop {
  struct kir *body; /* freed by kir_free */
  uint8_t n;        /* carried values, 1 to KIR_MAX_CARRIED */
  int16_t fault;
  uint16_t test;
  uint16_t most;  /* steps that an element takes at most; 0: any number */
  uint16_t usual; /* steps that elements take, or fewer; 0: not known */
  kv from[KIR_MAX_IN];
} kloop;

typedef struct kir {
  kir_kind kind;
  uint32_t n_ins, n_in, n_out, n_param, n_fault;
  kins *ins; /* n_ins; grown by kir_add; freed by kir_free */
  size_t cap;
  kin in[KIR_MAX_IN];
  uint32_t quads, still; /* by input */
  kout out[KIR_MAX_OUT];
  uint8_t param[KIR_MAX_PARAM]; /* kty of each run-time scalar */
  bool plain[KIR_MAX_PARAM];    /* it is neither NaN nor ¯0 */
  uint8_t n_strided;
  uint8_t strided[KIR_MAX_STRIDED]; /* dimensions of each, 1 to KIR_STRIDED_DIMS */
  /* REDUCE and SCAN: */
  uint8_t n_acc; /* 1 to KIR_MAX_ACC; MAP: 0 */
  kacc acc[KIR_MAX_ACC];
  struct kir *join;             /* or NULL; freed by kir_free */
  uint8_t join_order;           /* kjoin_order */
  bool product;                 /* REDUCE; see above */
  uint8_t digits;               /* prim_factors */
  bool exclusive;               /* SCAN: result i folds the elements before i */
  uint8_t key_bits, key_floats; /* ORDER; kkey_floats */
  kimm identity[KIR_MAX_ACC];   /* of a join, where something must stand for no element */
  uint8_t roots;                /* FOURIER */
  uint8_t segments; /* 1 + the input that says where rows are; 0: rows × len × inner */
  uint32_t fold_at; /* the (last) FOLD's place in ins; n_ins if there is none */
  uint8_t n_loop;
  kloop loop[KIR_MAX_LOOP];
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
    int64_t count; /* of a `put` one: its elements */
  } out[KIR_MAX_OUT];
  kimm param[KIR_MAX_PARAM];
  kstrided strided[KIR_MAX_STRIDED];
  /* n_fault pairs of words: flags[2s] is set when fault s has an error, flags[2s+1] when
   * it escaped. The back end sets them; the caller has cleared them. */
  uint32_t *flags;
} kir_bind;

/* The type in which storage type t is computed without a wider use: bit→KB, i8 i16 i32
 * char→ KI32, i64→KI64, f32→KF32, f64→KF64. */
kty kir_arg_type(elt t); /* a part of a c128: KF64 */
elt kir_elt(kty t);      /* how a value of type t is stored */

/* Appends an instruction and returns its number; on failure (WS FULL, or LIMIT ERROR
 * beyond KIR_MAX_INS) the error is in c and the result is 0: check err_is(c) once at the
 * end. Equal instructions are merged, but for the FOLD: the number of the earlier one
 * comes back. */
kv kir_add(ctx *c, kir *k, kins in);
/* A FOLD that kir_add appends has one value: it sets acc[0] but for monoid and wide, which
 * the caller sets before or after. kir_fold appends one of n values, and sets all. Their
 * results are the FOLD and, made by kir_part, the PARTs behind it. */
kv kir_fold(ctx *c, kir *k, const kacc *acc, uint32_t n);
kv kir_part(ctx *c, kir *k, uint32_t component); /* component 0 is the FOLD itself */
/* Adds a FOLD to a ROWS, or finds an equal one. LIMIT ERROR beyond KIR_MAX_ACC. */
kv kir_row_fold(ctx *c, kir *k, const kacc *acc);
/* A LOOP is made in five steps: kir_loop_begin, of values of k; `again`, from ARGs 0 to n-1 of
 * the body and what kir_import gives, before kir_loop_test; the next values; kir_loop_end, which
 * gives the LOOP; kir_loop_part for the others. NULL with an error: too many loops. */
kloop *kir_loop_begin(ctx *c, kir *k, const kv *from, uint32_t n, int fault);
/* The value v of k, in a body of it: a constant or parameter again, else another input. */
kv kir_import(ctx *c, const kir *k, kloop *l, kv v);
void kir_loop_test(kloop *l, kv again);
kv kir_loop_end(ctx *c, kir *k, kloop *l, const kv *next);
kv kir_loop_part(ctx *c, kir *k, kv loop, uint32_t component);
/* The kernels inside k: its join and the bodies of its loops; NULL: no more. */
kir *kir_inner(const kir *k, uint32_t i);
void kir_free(ctx *c, kir *k); /* leaves it empty; the inner ones are freed, too */
/* Has no host a way to run it? */
bool kir_is_for_device(const kir *k);
bool kir_has_near(const kir *k);
bool kir_check(const kir *k); /* types and order are right: for assertions and tests */
void kir_dump(const kir *k, str *s); /* one line an instruction, for VAPL_DUMP=kernels */
#endif
