/* SPDX-License-Identifier: MIT */
/* scalar.h - the scalar functions of the direct path: the rows of prim.def as C loops
 * over buffers of one C type (rows.c), the loads and stores between arrays and such
 * buffers (buffers.c), and the functions on whole arrays (scalar.c).
 *
 * Seven C types serve the three classes: B is bool, I is int64_t, or int32_t, int16_t or int8_t where
 * all arguments are, F is double, or float when the result is f32. A loop is given its arguments in the row's type, and gives its
 * result in bool, its integer type or the row's float type. */
#ifndef VAPL_PRIM_SCALAR_H
#define VAPL_PRIM_SCALAR_H
#include "direct.h"
#include "../array/bits.h"
#include "../array/convert.h"

#include <string.h>

/* bool i8 i16 i32 i64 f64 f32 */
typedef enum sc_type {
  SC_B,
  SC_I8,
  SC_I16,
  SC_I32,
  SC_I64,
  SC_F64,
  SC_F32,
  SC_TYPES
} sc_type;

/* What the bodies read and report. */
typedef struct sc_state {
  double ct;
  bool err; /* ERRIF struck */
  bool inf; /* FIN struck */
  bool esc; /* a checked operation or ESCIF escaped */
  /* The result is written over an argument. A block that needs the careful loop is
   * left undone, and `again` is set. */
  bool over, again;
} sc_state;

/* ── rows.c, find.c ─────────────────────────────────────────────────────────────────────────── */

/* An argument of a loop: elements one after the other (step 1), or one for all (step
 * 0), of which there are n copies. */
typedef struct sc_arg {
  const void *at;
  int64_t step;
} sc_arg;
/* r[i] = x[i×step] f y[i×step] for i < n. A monadic loop reads x and ignores it. */
typedef void sc_fn(sc_state *s, sc_arg x, sc_arg y, void *r, int64_t n);
typedef struct sc_row {
  sc_fn *fn, *one; /* the latter for single elements: fn without its vectors */
  uint8_t result;  /* cls */
  bool host;       /* a HOSTDYA row: not for KIR */
  sc_fn *bytes; /* of an SC_I16 row: fn of arguments in int8_t, for which none escapes */
} sc_row;

/* The loops of one instruction set, [0] monadic, [1] dyadic: of the rows, and of their float
 * variants. */
typedef struct sc_rows {
  const sc_row *row[2][SC_TYPES], *variant[2][SC_TYPES];
} sc_rows;
extern const sc_rows sc_rows_base, sc_rows_avx2, sc_rows_avx512;
extern const sc_rows *const sc_rows_of[]; /* [isa_best()] */
INLINE const sc_row *sc_row_in(const sc_row *const of[SC_TYPES], sc_type t, prim p) {
  const sc_row *r = &of[t][p];
  return r->fn ? r : NULL;
}

/* The first row of B, I, F, host rows included, that holds `at_least`, and its class;
 * NULL if there is none. `single`: the f32 loop of an F row. */
const sc_row *sc_find(prim p, bool dyadic, cls at_least, bool single, cls *row);
/* Its row in that type, of int16_t (SC_I16) or int32_t (SC_I32) what escapes being for the next type; NULL if
 * there is none. */
const sc_row *sc_row_of(prim p, bool dyadic, sc_type t);
/* The primitive that is x○, P_COUNT if x is no code. */
prim sc_code(double x, double ct);
/* The variant of a row for arguments that make it escape; NULL if there is none. */
const sc_row *sc_float_variant(prim p, bool dyadic, cls on, bool single);
/* DOMAIN ERROR for what `s` reports. Always NULL. */
arr *sc_fault(ctx *c, prim p, bool dyadic, const sc_state *s);

/* ── blocks.c ───────────────────────────────────────────────────────────────────────── */

enum { SC_BLOCK = 512 }; /* elements that are read or written at a time */

enum { SC_RANKED = 128 }; /* keys that are put in order by counting how many are less */
enum { SC_NODE = 16 };    /* keys of a search tree's node */

/* Each works on n > 0 elements, from a whole byte on. */
typedef struct sc_blocks {
  void (*unpack)(const uint8_t *bits, int64_t n, bool *out);
  void (*pack)(const bool *from, int64_t n, uint8_t *bits);
  /* r ← x f y of bits, f being of[2×x + y]; r's last byte is filled with zeros. */
  void (*truths)(const bool of[4], const uint8_t *x, const uint8_t *y, int64_t n,
                 uint8_t *r);
  void (*load)(elt type, const void *from, int64_t n, sc_type t, void *out); /* no bits */
  /* Integers, SC_I8 to SC_I64, that fit the type `to`, which is not ET_BIT. */
  void (*store)(sc_type t, const void *from, int64_t n, elt to, void *out);
  void (*count)(int64_t from, int64_t n, elt to,
                void *out); /* from, from + 1, …; no bits */
  /* v[0], of 1, 2, 4 or 8 bytes, n times and on to a multiple of 64 bytes, as which v lies. */
  void (*repeat)(size_t size, int64_t n, void *v);
  void (*range)(sc_type t, const void *from, int64_t n, int64_t *lo, int64_t *hi);
  int64_t (*sum)(sc_type t, const void *v,
                 int64_t n); /* which int64_t holds, in any order */
  /* Keys in the order of integers, or (not `whole`) of doubles (sort_keys.h). */
  void (*keys)(bool whole, const void *v, int64_t n, uint64_t *key);
  /* rank[i] ← the place of key[i] among n of them, SC_RANKED at most, in order; equal ones as they come. */
  void (*ranks)(const uint64_t *key, int64_t n, uint8_t *rank);
  /* From node at[i] of a level of a tree (interval.c) to the node below, or the place, that is behind
   * all its keys up to key[i]; `most` at most. `next`: the level below, or NULL. */
  void (*descend)(const uint64_t *level, const uint64_t *next, int64_t most,
                  const uint64_t *key, int64_t n, int64_t *at);
  /* n ≤ SC_BLOCK draws, number at, at + 1, … of the generator: numbers from io to below[i] - 1 + io; fractions. */
  void (*rolls)(uint64_t seed, uint64_t at, const int32_t *below, int n, int io,
                int32_t *r);
  void (*fractions)(uint64_t seed, uint64_t at, int n, double *r);
  /* r ← radix|v and v ← ⌊v÷radix, all below 2^52 and the radix not 0; r ← v + r × by, which no
   * element of leaves 64 bits. */
  void (*digits)(int64_t radix, int64_t *v, int64_t n, int64_t *r);
  void (*horner)(int64_t by, const int64_t *v, int64_t n, int64_t *r);
  bool (*roots)(const double *v, int64_t n, double *r); /* is none below 0? */
  /* Is an SC_F64 or SC_F32 infinite, NaN or, of products, below the normal numbers? */
  bool (*off)(sc_type t, const void *v, int64_t n, bool product);
} sc_blocks;
extern const sc_blocks sc_blocks_base, sc_blocks_avx2, sc_blocks_avx512;
const sc_blocks *sc_block(void); /* for this machine (find.c) */

/* ── buffers.c ──────────────────────────────────────────────────────────────────────── */

static inline size_t sc_size(sc_type t) {
  static const uint8_t of[SC_TYPES] = {1, 1, 2, 4, 8, 8, 4};
  return of[t];
}
static inline sc_type sc_type_of(cls row, bool single) {
  if (row == CLS_B) return SC_B;
  if (row == CLS_I) return SC_I64;
  if (single) return SC_F32;
  return SC_F64;
}
static inline elt sc_elt(sc_type t) {
  static const uint8_t of[SC_TYPES] = {ET_BIT, ET_I8,  ET_I16, ET_I32,
                                       ET_I64, ET_F64, ET_F32};
  return (elt)of[t];
}
/* The narrowest of them for integers or characters as those of a. */
static inline sc_type sc_ints_of(const arr *a) {
  if (a->type <= ET_I8) return SC_I8;
  if (a->type == ET_I16 || a->type == ET_C8) return SC_I16;
  if (a->type == ET_I64 || a->type == ET_F32) return SC_I64;
  return SC_I32;
}
/* n elements from a[i], a[i+step], … as type t. Floats are never asked for as B or I. */
void sc_load(const arr *a, int64_t i, int64_t step, int64_t n, sc_type t, void *out);
/* n elements into r[i], r[i+step], …: r is a bit, i64, f64 or f32 array, as t is. */
void sc_store(arr *r, int64_t i, int64_t step, int64_t n, sc_type t, const void *from);
/* Is what functions of x (NULL: none) and y give f32? */
static inline bool sc_single(const arr *x, const arr *y) {
  bool any = y->type == ET_F32 || (x && x->type == ET_F32);
  return any && arr_float_type(x, y) == ET_F32;
}
/* The type of what real or complex functions of x (NULL: none) and y give. */
static inline elt sc_number_type(const arr *x, const arr *y) {
  if (y->type == ET_C128 || (x && x->type == ET_C128)) return ET_C128;
  return arr_float_type(x, y);
}
/* r[i] ← v[k] + add for n elements from i on, which the integers of r's type hold. */
void sc_put_ints(arr *r, int64_t i, int64_t n, const int64_t *v, int64_t add);
/* The bits of a from i on, a multiple of 64, zeros behind the last; how many ones it has. */
static inline uint64_t sc_word(const arr *a, int64_t i) {
  return bits_word(a->host, a->count, i);
}
static inline uint64_t sc_word_from(const arr *a, int64_t i) { /* any i below the count */
  int64_t at = i / 64 * 64;
  int by = (int)(i - at);
  uint64_t w = sc_word(a, at) >> by;
  if (by && at + 64 < a->count) w |= sc_word(a, at + 64) << (64 - by);
  return w;
}
static inline int64_t sc_ones(const arr *a) {
  return bits_loops()->count(a->host, a->count);
}
/* How many ones the truth values a have before the first of each piece of `bits`, a multiple of 8, and
 * behind the last one: so threads can put what the ones of each piece name where it belongs. */
arr *sc_ones_before(ctx *c, const arr *a, int64_t bits);
/* The least and the greatest integer, or code point, of a, which is not empty. */
void sc_bounds(const arr *a, int64_t *lo, int64_t *hi);
/* Do the first of n integers show that they need the 16 bits that they are stored in? Then the range of the
 * rest is not read: kernels do not gain by it. */
bool sc_is_wide(sc_type t, const void *v, int64_t n);
/* prim_try_reduce_number of integers. */
bool sc_reduce_ints(prim f, const arr *y, int64_t *r);
/* Takes an owned i64 array and gives it in its narrowest type, with its range; others as
 * they are. NULL stays NULL. */
arr *sc_narrow(ctx *c, arr *a);

/* ── scalar.c ───────────────────────────────────────────────────────────────────────── */

/* prim_monadic and prim_dyadic for the functions that are scalar. */
arr *sc_monadic(prim_env *e, prim f, arr *y);
arr *sc_dyadic(prim_env *e, prim f, arr *x, arr *y);
/* Applies a row from truth values to truth values; `like` has the shape. NULL: no memory, or as s says. */
arr *sc_bits(ctx *c, const sc_row *row, const arr *x, const arr *y, const arr *like,
             sc_state *s);
/* Up to SC_BLOCK integers of type t, at least one, in the shape of `like`, the narrowest type and with
 * their range. */
arr *sc_whole(ctx *c, sc_type t, const void *v, const arr *like);
#endif
