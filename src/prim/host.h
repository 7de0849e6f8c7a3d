/* SPDX-License-Identifier: MIT */
/* host.h - the primitives on the host: the direct path for scalars and short vectors, the
 * structural functions, and the interpreter of KIR for long ones.
 *
 * The direct path (prim_monadic, prim_dyadic, prim_reduce, prim_scan) takes and gives host
 * arrays, is complete (any size, any type), shares nothing with KIR, and is the oracle of
 * every differential test. Arguments are borrowed, the result is owned; NULL on an error.
 *
 *   scalar.c   THE PAGE TO READ FIRST: prim.def's bodies as C loops; fold.c / and \ of them
 *   math.c gamma.c   * ⍟ ○ ! of real numbers; complex.c cmath.c of complex ones
 *   struct.c   moves whole cells: ⍴ , ⍪ ⌽ ⊖ ⍉ ↑ ↓; axis.c x/y x\y and brackets with an axis
 *   nest.c     makes and opens items: ⊂ ⊆ ⊃ ↑ ↓ ∊ ≡
 *   index.c    ⍳ ⍸ ⌷ x[i]; lookup.c x⍳y ∊ ∪ ∩ ~ ≠ ⍷; grade.c ⍋ ⍒ x⍸y
 *   radix.c ⊥ ⊤; linear.c ⌹; random.c ?; format.c ⍕; fmt.c ⎕FMT
 *   block.c    interprets KIR, which lower.c makes of prim.def's bodies: block_plan.c its steps,
 *              block_ops.c its loops, block_fold.c and block_cols.c its folds and scans */
#ifndef VAPL_PRIM_HOST_H
#define VAPL_PRIM_HOST_H
#include "../array/array.h"
#include "../codegen/kir.h"
#include "../prim.h"

/* The state of ? (random.c): draw number `drawn` of the generator that is keyed by `seed`. */
typedef struct prim_random { uint64_t seed, drawn; bool seeded; } prim_random;
void prim_random_seed(prim_random *g, uint64_t seed); /* not seeded: the system gives a seed */

typedef struct prim_env { /* what a primitive depends on besides its arguments */
  ctx *c;
  double ct; /* ⎕CT */
  int io;    /* ⎕IO */
  prim_random *random; /* ⎕RL; may be NULL where nothing rolls */
  int pp;    /* ⎕PP */
} prim_env;

/* ── the direct path (scalar.c, fold.c) ── */
bool prim_is_scalar(prim p, bool dyadic); /* has MON (DYA) rows */
bool prim_has(prim p, bool dyadic);       /* is there any such function at all */
/* The primitive that is x○ when x is one code, on the host; P_COUNT if it is not. */
prim prim_circle(const arr *x, double ct);
/* f y, x f y. Scalar functions pervade nested arrays and extend scalars and one-element
 * arrays as Dyalog does. RANK ERROR, LENGTH ERROR, DOMAIN ERROR as the language says. */
arr *prim_monadic(prim_env *e, prim f, arr *y);
arr *prim_dyadic(prim_env *e, prim f, arr *x, arr *y);
/* f/ and f\ along `axis` (from 0) for any scalar dyadic primitive f: + × ⌊ ⌈ ∧ ∨ by the fold
 * tree of kir.h, exact 128-bit integer sums for + and -, the rest from the right. An empty
 * axis gives identities, DOMAIN ERROR where there is none. Simple numeric arrays; for nested
 * ones and other functions the evaluator folds by calling. */
arr *prim_reduce(prim_env *e, prim f, arr *y, int axis);
arr *prim_scan(prim_env *e, prim f, arr *y, int axis);
arr *prim_identity(prim_env *e, prim f); /* scalar, DOMAIN ERROR if none */

/* Takes an owned array; a complex one without imaginary parts comes back real: the type of
 * what a primitive gives is by its value. NULL stays NULL. (complex.c) */
arr *cx_demote(ctx *c, arr *a);

/* The rules that inference needs, from prim.def: which row serves arguments of these types,
 * and the kind of what comes out. */
typedef enum cls { CLS_NONE, CLS_B, CLS_I, CLS_F, CLS_C } cls; /* C has no rows for KIR */
cls prim_row_of(prim p, bool dyadic, cls at_least); /* first row B I F that holds it; NONE */
cls prim_result(prim p, bool dyadic, cls row);      /* what that row returns */
bool prim_has_twin(prim p, bool dyadic);            /* F→I row with an F twin */

/* ── prim.def's bodies as KIR (lower.c) ── */
/* Appends the body of p for the given row to k: x and y are values of the row's type (KB;
 * KI32 or KI64, both the same; KF32 or KF64, both the same). Faults use flag slot `slot`.
 * `ct` is the value of ⎕CT (KF64), used by tolerant rows. `twin`: the F→F twin.
 * When `no_overflow`, the planner has proved by ranges that no integer operation of this
 * primitive overflows, and checked operations become plain ones. Returns the result's value:
 * KB for result B; for I the integer type of x and y, or KI64 from an F row; else a float. */
kv prim_lower(ctx *c, kir *k, prim p, bool dyadic, cls row, bool twin, kv x, kv y, kv ct,
              int slot, bool no_overflow);
/* Which flags of its slot the body may set; whether it uses `ct`. */
enum { PRIM_ERRS = 1, PRIM_ESCAPES = 2, PRIM_TOLERANT = 4 };
unsigned prim_faults(prim p, bool dyadic, cls row, bool twin, bool no_overflow);
unsigned prim_size(prim p, bool dyadic); /* about how many instructions its longest row has */

/* ── the block interpreter (block.c) ── */
/* A pool of threads for long arrays. threads 0: as many as processors; 1: none but the
 * caller's. NULL only when memory is out. */
typedef struct blk_pool blk_pool;
blk_pool *blk_pool_new(ctx *c, int threads);
void blk_pool_free(ctx *c, blk_pool *p);
/* Runs a kernel on host pointers (in[].host, out[].host, flags_host); false after WS FULL or
 * INTERRUPT, the outputs being undefined. */
bool blk_run(ctx *c, blk_pool *p, const kir *k, const kir_bind *b);
/* memcpy by all threads where that pays; p NULL: by the caller's alone. */
void blk_copy(blk_pool *p, void *to, const void *from, size_t n);

/* ── structural functions ───────────────────────────────────────────────────────────── */
/* struct.c, nest.c, index.c, lookup.c, grade.c: the functions named in prim.def's STRUCT rows. */
#define STRUCT1(id, function, device, note) arr *function(prim_env *e, arr *y);
#define STRUCT2(id, function, device, note) arr *function(prim_env *e, arr *x, arr *y);
#include "../prim.def"

arr *prim_fmt(prim_env *e, arr *x, arr *y); /* x ⎕FMT y */
arr *prim_index(prim_env *e, arr *x, int n, arr *const *at); /* x[i;j;…], NULL: elided */
/* x with x[i;j;…] replaced: a new array of the joined type. v extends if scalar. */
arr *prim_index_set(prim_env *e, arr *x, int n, arr *const *at, arr *v);
/* The same in *x, written over if it is unshared and can hold v, else replaced by a new array
 * and released. *x stays what it was on an error. */
bool prim_index_put(prim_env *e, arr **x, int n, arr *const *at, arr *v);
bool prim_pick_put(prim_env *e, arr **x, const arr *path, arr *v); /* what path⊃x gives becomes v */
bool prim_put_item(prim_env *e, arr **x, int64_t i, arr *value);   /* element i in ravel order */
/* The box of y that begins at from[k] along each of the first n axes and is size[k] long there;
 * fills where it reaches beyond y. */
arr *prim_window(prim_env *e, const arr *y, int n, const int64_t *from, const int64_t *size);
/* May v be assigned to places of that shape? One element may; axes of length 1 do not count. */
bool prim_conforms(prim_env *e, int rank, const int64_t *shape, const arr *v);
/* f[axis] y and x f[axis] y; `axis` is what stood in the brackets, counted from ⎕IO, possibly
 * fractional or a vector where the function allows it: , ⍪ ⌽ ⊖ ↑ ↓ ⊂ ⌷. SYNTAX ERROR for
 * functions that take none, scalar functions among them: see prim_scalar_axes. */
arr *prim_monadic_axis(prim_env *e, prim f, arr *y, arr *axis);
arr *prim_dyadic_axis(prim_env *e, prim f, arr *x, arr *y, arr *axis);
/* Which axes of the other argument those of the one of lower rank lie along, in x f[axis] y of a
 * scalar function: k has room for 15. False after an error. */
bool prim_scalar_axes(prim_env *e, const arr *x, const arr *y, arr *axis, int *k);
/* How many elements of the ravel a step along each axis is. */
void strides_of(int rank, const int64_t *shape, int64_t *strides);
/* a repeated to that shape, whose axis k[i] is a's axis i, of the same length. */
arr *prim_spread(prim_env *e, const arr *a, int rank, const int64_t *shape, const int *k);
/* One axis from the brackets as a number from 0; RANK ERROR unless it is an axis of y. */
bool prim_axis(prim_env *e, const arr *axis, const arr *y, int *k);
arr *prim_replicate(prim_env *e, arr *x, arr *y, int axis); /* x/y as a function, axis from 0 */
arr *prim_expand(prim_env *e, arr *x, arr *y, int axis);    /* x\y */
/* An argument that must be whole numbers, as an integer array of the same shape (y itself,
 * retained, if it is one): near-integers are rounded, DOMAIN ERROR naming `what` otherwise. */
arr *prim_ints(prim_env *e, arr *y, const char *what);
bool prim_int(prim_env *e, const arr *y, const char *what, int64_t *v); /* one element */
/* The position in x's major cells of each major cell that y is made of, as ⍳ finds them, from
 * 0, count of x's cells where there is none. `to` has room for them. */
bool prim_lookup(prim_env *e, const arr *x, const arr *y, int64_t *to);
#endif
