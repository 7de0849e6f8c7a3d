/* SPDX-License-Identifier: MIT */
/* array.h - the array value: immutable, reference-counted, rank 0 to 15.
 *
 * OWNERSHIP. A function borrows its arguments and returns an array that the caller owns
 * (one reference), or NULL after recording an error. A local variable that owns its array is
 * declared OWNED: its reference goes back where the block ends, however the block is left.
 *
 * An array's elements are on the host (`host`), on the device (`dev`), on both, or nowhere
 * yet: then `node` is the lazy graph's and `ir_host`/`ir_settle` make them. Type, rank,
 * shape and count of an array are always known, except that a pending node's type may still
 * be speculative: ask ir_settle before looking at it. Host functions (prim, display) are
 * only ever given arrays with `host`.
 *
 * element.h reads and writes elements, convert.h changes types and structure, match.h
 * compares, display.h shows. */
#ifndef VAPL_ARRAY_H
#define VAPL_ARRAY_H
#include "../base/ctx.h"
#include "../base/types.h"

enum { ARR_MAX_RANK = 15 };
struct gpu_buf;
struct ir_node;
struct arr_owner;

typedef struct arr {
  ctx *c; /* whose memory it is */
  uint32_t refs;
  uint8_t type; /* elt */
  uint8_t rank; /* 0 to 15 */
  /* lo..hi is known to hold every element (integers and characters). */
  bool has_range;
  /* NEST: its items are on the host at every depth, and stay there. */
  bool items_on_host : 1;
  bool grows : 1; /* made by catenation: the next one leaves room (grow.h) */
  bool
      buffer : 1; /* a buffer that is only seen through slices; lo, hi: the part in use (grow.h) */
  bool ref : 1;      /* a reference, see arr_ref */
  bool distinct : 1; /* its numbers are known to differ from one another */
  bool ascends : 1;  /* it is known that none of its elements comes after a greater one */
  bool pooled : 1;   /* it stands in the block drop_user of an arr_pool */
  int64_t count;     /* product of shape */
  /* Elements, see elt_bytes. NEST: arr*[max(count,1)]; an empty nested array keeps its
   * prototype at [0]. */
  void *host;
  /* Set when the host memory is not ours: called with it at the end. */
  void (*drop)(void *user, void *data);
  void *drop_user;
  struct arr_owner *owner; /* set when dev or node is */
  /* Releasing a short vector reads only the fields above: one cache line. */
  int64_t lo, hi;
  struct gpu_buf *dev;
  struct ir_node *node;
  int64_t shape[]; /* rank; host data usually follows */
} arr;

/* The owner of an array that has a dev or a node embeds this. arr_release calls
 * `release` before it frees such an array, so that this module needs to know neither. */
typedef struct arr_owner {
  void (*release)(struct arr_owner *o, arr *a);
} arr_owner;

/* ── references ─────────────────────────────────────────────────────────────────────── */

static inline arr *arr_retain(arr *a) {
  a->refs++;
  return a;
}
void arr_free(arr *a);                   /* one that has no references left */
static inline void arr_release(arr *a) { /* NULL is fine */
  if (a && !--a->refs) arr_free(a);
}

/* OWNED arr *x = …; releases x where its block ends, on every way out of it; so it starts as an
 * owned reference or NULL. return arr_move(&x) hands the reference on and leaves NULL. */
#define OWNED __attribute__((cleanup(arr_drop)))
static inline void arr_drop(arr **a) { arr_release(*a); }
static inline arr *arr_move(arr **a) {
  arr *r = *a;
  *a = NULL;
  return r;
}

/* Bytes in front of the elements that stand in an array's own block. */
static inline size_t arr_header(int rank) {
  return (sizeof(arr) + (size_t)rank * sizeof(int64_t) + 15) & ~(size_t)15;
}
/* The most frequent array: freeing it frees only its own block. */
static inline bool arr_is_alone(const arr *a) {
  if (a->type == ET_NEST || a->owner || a->drop) return false;
  return a->host == (const char *)a + arr_header(a->rank);
}

/* ── making ─────────────────────────────────────────────────────────────────────────── */

/* A new host array, elements uninitialised (bits: tail zeroed; NEST: NULLs, which the caller
 * must fill before anything else sees it). LIMIT ERROR for rank above 15 or a count above
 * 2^63-1, WS FULL with the size. */
arr *arr_new(ctx *c, elt t, int rank, const int64_t *shape);
arr *arr_vec(ctx *c, elt t, int64_t n); /* arr_new of rank 1 */
arr *arr_new_as(
    ctx *c, elt t,
    const arr *like); /* arr_new of its shape, which is no product too large */
/* Is there room for n items, each an array of its own? False after WS FULL, which
 * comes now and not after the memory has been filled with items. */
bool arr_items_fit(ctx *c, int64_t n);
arr *arr_new_items(ctx *c, int rank,
                   const int64_t *shape); /* arr_new of type NEST if so */
/* As arr_new without storage: for pending and device arrays. host is NULL. */
arr *arr_new_pending(ctx *c, elt t, int rank, const int64_t *shape);
/* Gives it host storage, uninitialised (bits: tail zeroed). */
bool arr_alloc_host(ctx *c, arr *a);

/* Scalars; an integer takes its narrowest type. */
arr *arr_int(ctx *c, int64_t v);
arr *arr_float(ctx *c, double v);
/* A scalar with one reference becomes the number. Returns false if it is no such
 * array. */
bool arr_to_int(arr *a, int64_t v);
bool arr_to_float(arr *a, double v);
arr *arr_char(ctx *c, uint32_t code_point);
/* Character vector; utf8 may be NULL where n is 0. */
arr *arr_text(ctx *c, const char *utf8, size_t n);

/* Many short vectors, made one after another, stand in blocks that they share, without a
 * header of the allocator's for each. A block is freed when none of its vectors is left. */
typedef struct arr_pool {
  struct arr_block *block; /* the one that has room, or NULL */
} arr_pool;
arr *arr_pool_vec(ctx *c, arr_pool *p, elt t, int64_t n); /* arr_vec; p may be NULL */
/* n elements of the simple vector y, from number `from` on. */
arr *arr_pool_part(ctx *c, arr_pool *p, const arr *y, int64_t from, int64_t n);
/* The same, or n copies of y's first element, unpooled, in less time than describing a
 * view takes. Returns NULL, with no error, if they are too many, or y is empty. */
arr *arr_few(ctx *c, const arr *y, int64_t from, int64_t n);
arr *arr_few_same(ctx *c, const arr *y, int64_t n);
arr *arr_pool_text(ctx *c, arr_pool *p, const char *utf8, size_t n);
void arr_pool_end(arr_pool *p); /* no more are made */
/* Integers, with their range, and characters in the narrowest type that holds them all. */
arr *arr_ints(ctx *c, int rank, const int64_t *shape, const int64_t *v);
arr *arr_chars(ctx *c, int rank, const int64_t *shape, const uint32_t *v);
static inline arr *arr_int_vec(ctx *c, int64_t n, const int64_t *v) {
  return arr_ints(c, 1, &n, v);
}
/* Call when elements are written over: clears what was known about all of them. */
static inline void arr_written(arr *a) {
  a->has_range = a->distinct = a->ascends = false;
}
static inline void arr_set_range(arr *a, int64_t lo, int64_t hi) {
  a->has_range = true;
  a->lo = lo;
  a->hi = hi;
}

/* A reference to something that is no array (`drop` releases it): a scalar of type
 * NEST that, as any simple scalar, is its own item. So code that moves items moves
 * references, and only code that goes into items must ask arr_nests. It takes `text`
 * over, which is how it is shown. Equal references are the same arr. */
arr *arr_ref(ctx *c, arr *text, void (*drop)(void *user, void *data), void *user);
static inline const arr *arr_ref_text(const arr *a) { return ((arr **)a->host)[1]; }
/* Are its elements copied as the bytes that they are? */
static inline bool arr_copies_bytes(const arr *a) {
  return a->type != ET_NEST && a->type != ET_BIT;
}
/* Are there items to go into? */
static inline bool arr_nests(const arr *a) { return a->type == ET_NEST && !a->ref; }

/* ── shape ──────────────────────────────────────────────────────────────────────────── */

/* The product of lengths, 2^63-1 if it is larger: the product of some axes of an empty
 * array may be. */
int64_t arr_product(int rank, const int64_t *shape);
/* The product of a shape. LIMIT ERROR for a rank above 15 or a product above 2^63-1. */
bool arr_count(ctx *c, int rank, const int64_t *shape, int64_t *count);
bool arr_same_shape(const arr *x, const arr *y);
/* Lengths; of a scalar 1. */
static inline int64_t arr_first_axis(const arr *a) { return a->rank ? a->shape[0] : 1; }
static inline int64_t arr_last_axis(const arr *a) {
  return a->rank ? a->shape[a->rank - 1] : 1;
}
#endif
