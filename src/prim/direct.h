/* SPDX-License-Identifier: MIT */
/* direct.h - the primitives on the host: the direct path for scalars and short vectors,
 * and the structural functions. Longer arrays go through the graph (src/ir) to the block
 * interpreter (src/host) or to a device.
 *
 * The direct path (prim_monadic, prim_dyadic, prim_reduce, prim_scan) takes and gives
 * host arrays, is complete (any size, any type), shares nothing with KIR, and is the
 * reference of every differential test. Arguments are borrowed, the result is owned; NULL
 * on an error.
 *
 *   direct.c   which function a primitive is; scalar.c: the scalar ones on arrays
 *   rows.c     THE PAGE TO READ FIRST: prim.def's bodies as loops; find.c finds them;
 *              blocks.c buffers.c: bits, types, ranges of blocks; fold_direct.c: \ and /
 *   math.c gamma.c   * ⍟ ○ ! of real numbers; complex.c cmath.c complex_loops.c of complex ones
 *   move.c     functions that only move elements, as views; struct.c copies by them
 *   index.c    ⌷ x[i]; put.c x[i]←v, put_join.c x[i]f←v; iota.c ⍳ ⍸; axis.c brackets with an axis
 *   nest.c ⊂ ⊆ ↓ ∊ ≡y; mix.c ↑; pick.c ⊃; partition.c x⊂y x⊆y; replicate.c x/y x\y
 *   sets.c     x⍳y ∊ ∪ ∩ ~ ≠, by lookup.c and table.c; box_search.c ⍷; identical.c x≡y
 *   grade.c    ⍋ ⍒, by sort_keys.c and compare.c; interval.c x⍸y
 *   radix.c ⊥ ⊤; linear.c ⌹; random.c ?; ⍕ and ⎕FMT are in src/text
 *
 * What is faster in a special way are leaves (tables/fast.def): doubles.c, counted.c, count.c, put_join.c,
 * each_items.c, relations.c. Beside this header: args.h reads arguments, index.h and axis.h show what their files
 * do, and move.h the views. */
#ifndef VAPL_PRIM_DIRECT_H
#define VAPL_PRIM_DIRECT_H
#include "../array/array.h"
#include "../tables/prim.h"

/* The state of ? (random.c): draw number `drawn` of the generator that is keyed by
 * `seed`. */
typedef struct prim_random {
  uint64_t seed, drawn;
  bool seeded;
} prim_random;
void prim_random_seed(prim_random *g,
                      uint64_t seed);    /* not seeded: the system gives a seed */
void prim_random_choose(prim_random *g); /* a seed that the system gives, at once */
/* Reserves the next n draws and returns the number of the first. Without a seed it
 * asks the system for one. */
uint64_t prim_random_take(prim_random *g, uint64_t n);

/* Long deals: place i is made from i, n and the keys (tables/shuffle.def). */
typedef struct prim_dealing {
  int64_t n, a, b, key, by;
} prim_dealing;

typedef struct prim_env { /* what a primitive depends on besides its arguments */
  ctx *c;
  double ct;           /* ⎕CT */
  int io;              /* ⎕IO */
  prim_random *random; /* ⎕RL; may be NULL where nothing rolls */
  int pp;              /* ⎕PP */
} prim_env;

/* first, first + 1, …: n numbers, whose last is no larger than INT64_MAX. */
arr *prim_numbers(ctx *c, int64_t first, int64_t n);
/* All elements of r, an array of integers that hold them; false after INTERRUPT. */
bool prim_put_numbers(arr *r, int64_t first);
/* ? of an array of that shape; n has its elements, or the one that all of them are. */
arr *prim_roll_shape(prim_env *e, const arr *n, int rank, const int64_t *shape);
/* Is x?y a long deal? It begins with one draw; then its first x numbers. */
bool prim_deal_is_long(int64_t x, int64_t y);
prim_dealing prim_deal_begin(prim_random *g, int64_t n);
arr *prim_dealt(prim_env *e, const prim_dealing *how, int64_t x);

/* ── the direct path (direct.c, fold_direct.c) ── */
/* The primitive that is x○ when x is one code, on the host; P_COUNT if it is not. */
prim prim_circle(const arr *x, double ct);
/* f y, x f y. Scalar functions pervade nested arrays and extend scalars and one-element
 * arrays as Dyalog does. RANK ERROR, LENGTH ERROR, DOMAIN ERROR as the language says. */
arr *prim_monadic(prim_env *e, prim f, arr *y);
arr *prim_dyadic(prim_env *e, prim f, arr *x, arr *y);
/* f y (x NULL), or x f y, scalar, of integers of one shape or one of all: as of an array of which these are
 * some elements and another result leaves the integers. */
arr *prim_widened(prim_env *e, prim f, arr *x, arr *y);

/* ── numbers ── */
/* A real number of rank 0 without an array, so that a primitive costs no more than a
 * row of prim.def. If a row alone is not enough (escapes, faults, f32, characters),
 * these functions return false with nothing changed, and the two above do it. (rows.c) */
typedef union prim_bits {
  int64_t i;
  double d;
} prim_bits;
typedef struct prim_number {
  cls of; /* CLS_I: as.i, CLS_F: as.d */
  prim_bits as;
} prim_number;
bool prim_number_at(const arr *a, int64_t i, prim_number *v); /* element i */
static inline bool prim_number_of(const arr *a, prim_number *v) {
  return !a->rank && prim_number_at(a, 0, v);
}

typedef struct prim_number_row {
  bool (*fn)(double ct, prim_bits x, prim_bits y, prim_bits *r);
  cls gives;
} prim_number_row;
/* [dyadic][float][primitive]; monadic ones read x. */
extern const prim_number_row *const prim_number_rows[2][2];
typedef struct
    prim_on_number { /* the rows of one primitive; their fn is NULL where there is none */
  const prim_number_row *ints, *floats;
} prim_on_number;
prim_on_number prim_number_find(prim f, bool dyadic);
/* prim_dyadic of a scalar function, of the array a and the number n, which is x if it is `left`. (scalar.c) */
arr *prim_with_number(prim_env *e, prim f, arr *a, prim_number n, bool left);
/* The same number as a float; false if that is not exact. */
static inline bool prim_float_of(prim_number x, prim_bits *r) {
  *r = x.as;
  if (x.of == CLS_F) return true;
  r->d = (double)x.as.i;
  return x.as.i >= -F64_WHOLE && x.as.i <= F64_WHOLE;
}
/* *y becomes f y, or x f y; for f y, x is y, too. */
INLINE bool prim_on_numbers(double ct, const prim_on_number *f, prim_number x,
                            prim_number *y) {
  const prim_number_row *row = f->ints;
  prim_bits a = x.as, b = y->as, r;
  if (x.of != CLS_I || y->of != CLS_I || !row->fn) {
    row = f->floats;
    if (!row->fn || !prim_float_of(x, &a) || !prim_float_of(*y, &b)) return false;
  }
  if (!row->fn(ct, a, b, &r)) return false;
  y->of = row->gives;
  y->as = r;
  return true;
}

/* *y becomes x f y of integers, in line, for the primitives that programs count with.
 * Returns false if f is another one, or the result is no integer. */
INLINE bool prim_whole_in_line(prim f, int64_t x, int64_t *y) {
  int64_t r;
  bool lost = false;
  switch (f) {
  case P_PLUS: lost = __builtin_add_overflow(x, *y, &r); break;
  case P_MINUS: lost = __builtin_sub_overflow(x, *y, &r); break;
  case P_TIMES: lost = __builtin_mul_overflow(x, *y, &r); break;
  case P_LT: r = x < *y; break;
  case P_LE: r = x <= *y; break;
  case P_EQ: r = x == *y; break;
  case P_GE: r = x >= *y; break;
  case P_GT: r = x > *y; break;
  case P_NE: r = x != *y; break;
  default: return false;
  }
  if (!LIKELY(!lost)) return false;
  *y = r;
  return true;
}

/* f/ and f\ along `axis` (from 0) for any scalar dyadic primitive f: + × ⌊ ⌈ ∧ ∨ by the
 * fold tree of tables/fold.h, exact 128-bit integer sums for + and -, the rest from the
 * right. An empty axis gives identities, DOMAIN ERROR where there is none. Simple numeric
 * arrays; for nested ones and other functions the evaluator folds by calling. */
/* The same of a vector: *r is the number. Integers by + ⌊ ⌈ ∧ ∨ are a loop over blocks. Doubles may be no more
 * than a tile of the tree, and of functions whose results need no check. Returns false if not applicable. */
bool prim_try_reduce_number(prim_env *e, prim f, const arr *y, prim_number *r);
arr *prim_of_number(ctx *c, prim_number n); /* as an array */
arr *prim_reduce(prim_env *e, prim f, arr *y, int axis);
arr *prim_scan(prim_env *e, prim f, arr *y, int axis);
/* The same, and floats are folded from the right, too, one element after the other.
 * forward: a forward scan of real floats by a function with real results. */
arr *prim_reduce_strict(prim_env *e, prim f, arr *y, int axis);
arr *prim_scan_strict(prim_env *e, prim f, arr *y, int axis, bool forward);
/* f/ in blocks instead of by the tree. */
arr *prim_reduce_blocks(prim_env *e, prim f, arr *y, int axis);
/* Where the parts of x⊂y (f is P_ENCLOSE) or x⊆y (P_NEST) lie along axis k of y: a row of
 * two i64 for each, its first position and the one behind its last. */
arr *partition_rows(prim_env *e, prim f, arr *x, const arr *y, int k);
/* The parts of the vector y in such rows, as items. */
arr *partition_items(prim_env *e, const arr *rows, arr *y);
/* The same of stretches of a vector: pairs has a row of two i64 for each, as partition_rows
 * gives them, and the result an element. */
arr *prim_reduce_segments(prim_env *e, prim f, arr *y, const arr *pairs);
/* The same for f\: each scan stands where its part stands in y; 0 elsewhere. */
arr *prim_scan_segments(prim_env *e, prim f, arr *y, const arr *pairs);
/* of[k], k < n, grows by how often lo + k is in y; false after an error. (buffers.c) */
bool prim_count_each(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of);
arr *prim_identity(prim_env *e, prim f); /* scalar, DOMAIN ERROR if none */

/* Takes an owned array; a complex one without imaginary parts comes back real: the type
 * of what a primitive gives is by its value. NULL stays NULL. (buffers.c) */
arr *cx_demote(ctx *c, arr *a);

/* Characters as their code points, or such numbers as characters. Returns NULL, with no error, if y has others,
 * no elements, or none above 1. (buffers.c) */
arr *prim_try_code_points(ctx *c, const arr *y);

/* ── structural functions ───────────────────────────────────────────────────────────── */
/* struct.c, nest.c, index.c, sets.c, grade.c: the functions named in prim.def's STRUCT
 * rows. */
#define STRUCT1(id, function, device, note) arr *function(prim_env *e, arr *y);
#define STRUCT2(id, function, device, note) arr *function(prim_env *e, arr *x, arr *y);
#include "../tables/prim.def"

arr *prim_fmt(prim_env *e, arr *x, arr *y); /* x ⎕FMT y */

/* Are y's items vectors of one simple type, and if `full`, none of them empty? (nest.c) */
bool prim_items_alike(const arr *y, bool full);
/* Catenates the first n of such items; *pairs: the place of each, as partition_rows
 * gives them. */
arr *prim_line_of_items(ctx *c, const arr *y, int64_t n, arr **pairs);
/* r, which has the elements of all n items, gets what is known of all of them. */
void prim_known_of_items(arr *r, arr *const *item, int64_t n);
/* The first n of y's items as the cells of one array, behind an axis of length n, if all have one shape, which
 * is no scalar's, and class. Returns NULL, with no error, if not applicable. (each_items.c, a leaf, of leaves) */
arr *prim_try_cells_of_items(ctx *c, const arr *y, int64_t n);

/* ── what operators are made of ─────────────────────────────────────────────────────── */
/* The box of y that begins at from[k] along each of the first n axes and is size[k] long
 * there; fills where it reaches beyond y. */
arr *prim_window(prim_env *e, arr *y, int n, const int64_t *from, const int64_t *size);
/* y repeated to that shape, whose axis k[i] is y's axis i, of the same length. */
arr *prim_spread(prim_env *e, arr *y, int rank, const int64_t *shape, const int *k);
/* The position in x's major cells of each major cell that y is made of, as ⍳ finds them,
 * from 0, count of x's cells where there is none. `to` has room for them. */
bool prim_lookup(prim_env *e, const arr *x, const arr *y, int64_t *to);
#endif
