/* SPDX-License-Identifier: MIT */
/* direct.h - the primitives on the host: the direct path for scalars and short vectors, and the
 * structural functions. Longer arrays go through the graph (src/ir) to the block interpreter
 * (src/host) or to a device.
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
 *   radix.c ⊥ ⊤; linear.c ⌹; random.c ?; ⍕ and ⎕FMT are in src/text */
#ifndef VAPL_PRIM_DIRECT_H
#define VAPL_PRIM_DIRECT_H
#include "../array/array.h"
#include "../tables/prim.h"

/* The state of ? (random.c): draw number `drawn` of the generator that is keyed by `seed`. */
typedef struct prim_random {
  uint64_t seed, drawn;
  bool seeded;
} prim_random;
void prim_random_seed(prim_random *g,
                      uint64_t seed); /* not seeded: the system gives a seed */

typedef struct prim_env { /* what a primitive depends on besides its arguments */
  ctx *c;
  double ct;           /* ⎕CT */
  int io;              /* ⎕IO */
  prim_random *random; /* ⎕RL; may be NULL where nothing rolls */
  int pp;              /* ⎕PP */
} prim_env;

/* ── the direct path (scalar.c, fold.c) ── */
/* The primitive that is x○ when x is one code, on the host; P_COUNT if it is not. */
prim prim_circle(const arr *x, double ct);
/* f y, x f y. Scalar functions pervade nested arrays and extend scalars and one-element
 * arrays as Dyalog does. RANK ERROR, LENGTH ERROR, DOMAIN ERROR as the language says. */
arr *prim_monadic(prim_env *e, prim f, arr *y);
arr *prim_dyadic(prim_env *e, prim f, arr *x, arr *y);
/* f/ and f\ along `axis` (from 0) for any scalar dyadic primitive f: + × ⌊ ⌈ ∧ ∨ by the fold
 * tree of tables/fold.h, exact 128-bit integer sums for + and -, the rest from the right. An empty
 * axis gives identities, DOMAIN ERROR where there is none. Simple numeric arrays; for nested
 * ones and other functions the evaluator folds by calling. */
arr *prim_reduce(prim_env *e, prim f, arr *y, int axis);
arr *prim_scan(prim_env *e, prim f, arr *y, int axis);
arr *prim_identity(prim_env *e, prim f); /* scalar, DOMAIN ERROR if none */

/* Takes an owned array; a complex one without imaginary parts comes back real: the type of
 * what a primitive gives is by its value. NULL stays NULL. (complex.c) */
arr *cx_demote(ctx *c, arr *a);

/* ── structural functions ───────────────────────────────────────────────────────────── */
/* struct.c, nest.c, index.c, lookup.c, grade.c: the functions named in prim.def's STRUCT rows. */
#define STRUCT1(id, function, device, note) arr *function(prim_env *e, arr *y);
#define STRUCT2(id, function, device, note) arr *function(prim_env *e, arr *x, arr *y);
#include "../tables/prim.def"

arr *prim_fmt(prim_env *e, arr *x, arr *y);                  /* x ⎕FMT y */
arr *prim_index(prim_env *e, arr *x, int n, arr *const *at); /* x[i;j;…], NULL: elided */
/* x with x[i;j;…] replaced: a new array of the joined type. v extends if scalar. */
arr *prim_index_set(prim_env *e, arr *x, int n, arr *const *at, arr *v);
/* The same in *x, written over if it is unshared and can hold v, else replaced by a new array
 * and released. *x stays what it was on an error. */
bool prim_index_put(prim_env *e, arr **x, int n, arr *const *at, arr *v);
bool prim_pick_put(prim_env *e, arr **x, const arr *path,
                   arr *v); /* what path⊃x gives becomes v */
bool prim_put_item(prim_env *e, arr **x, int64_t i,
                   arr *value); /* element i in ravel order */
/* The box of y that begins at from[k] along each of the first n axes and is size[k] long there;
 * fills where it reaches beyond y. */
arr *prim_window(prim_env *e, const arr *y, int n, const int64_t *from,
                 const int64_t *size);
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
arr *prim_replicate(prim_env *e, arr *x, arr *y,
                    int axis); /* x/y as a function, axis from 0 */
arr *prim_expand(prim_env *e, arr *x, arr *y, int axis); /* x\y */
/* An argument that must be whole numbers, as an integer array of the same shape (y itself,
 * retained, if it is one): near-integers are rounded, DOMAIN ERROR naming `what` otherwise. */
arr *prim_ints(prim_env *e, arr *y, const char *what);
bool prim_int(prim_env *e, const arr *y, const char *what, int64_t *v); /* one element */
/* The position in x's major cells of each major cell that y is made of, as ⍳ finds them, from
 * 0, count of x's cells where there is none. `to` has room for them. */
bool prim_lookup(prim_env *e, const arr *x, const arr *y, int64_t *to);
#endif
