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
 * only ever given arrays with `host`. */
#ifndef VAPL_ARRAY_H
#define VAPL_ARRAY_H
#include "../base/str.h"
#include "../base/types.h"

enum { ARR_MAX_RANK = 15 };
enum { ARR_MAX_DEPTH = 2000 }; /* how deep functions that recurse into items will go */
struct gpu_buf;
struct ir_node;
struct arr_owner;

typedef struct arr {
  ctx *c; /* whose memory it is */
  uint32_t refs;
  uint8_t type;   /* elt */
  uint8_t rank;   /* 0 to 15 */
  bool has_range; /* lo..hi is known to hold every element (integers and chars) */
  bool
      at_hand; /* NEST: its items were found on the host at every depth, where they stay */
  int64_t count; /* product of shape */
  int64_t lo, hi;
  void *host; /* elements, see elt_bytes; NEST: arr*[max(count,1)], an empty nested
                     array keeps its prototype at [0] */
  struct gpu_buf *dev;
  struct ir_node *node;
  void (*drop)(void *user,
               void *data); /* host memory that is not ours: called at the end */
  void *drop_user;
  struct arr_owner *owner; /* set when dev or node is */
  int64_t shape[];         /* rank; host data usually follows */
} arr;

/* What an array that has a dev or a node belongs to: arr_release calls `release` before it
 * frees such an array, so that this module needs to know neither. The owner embeds it. */
typedef struct arr_owner {
  void (*release)(struct arr_owner *o, arr *a);
} arr_owner;

/* A new host array, elements uninitialised (bits: tail zeroed; NEST: NULLs, which the caller
 * must fill before anything else sees it). LIMIT ERROR for rank above 15 or a count above
 * 2^63-1, WS FULL with the size. */
arr *arr_new(ctx *c, elt t, int rank, const int64_t *shape);
/* As arr_new without storage: for pending and device arrays. host is NULL. */
arr *arr_new_empty_handed(ctx *c, elt t, int rank, const int64_t *shape);
bool arr_alloc_host(ctx *c,
                    arr *a); /* gives it host storage, uninitialised (bits: tail zero) */
static inline arr *arr_retain(arr *a) {
  a->refs++;
  return a;
}
void arr_release(arr *a); /* NULL is fine */

/* OWNED arr *x = …; releases x where its block ends, on every way out of it; so it starts as an
 * owned reference or NULL. return arr_move(&x) hands the reference on and leaves NULL. */
#define OWNED __attribute__((cleanup(arr_drop)))
static inline void arr_drop(arr **a) {
  if (*a) arr_release(*a);
}
static inline arr *arr_move(arr **a) {
  arr *r = *a;
  *a = NULL;
  return r;
}

arr *arr_int(ctx *c, int64_t v); /* scalars; an integer takes its narrowest type */
arr *arr_float(ctx *c, double v);
arr *arr_char(ctx *c, uint32_t code_point);
arr *arr_vec(ctx *c, elt t, int64_t n); /* arr_new of rank 1 */
/* Character vector; utf8 may be NULL where n is 0. */
arr *arr_text(ctx *c, const char *utf8, size_t n);
/* Integers, with their range, and characters in the narrowest type that holds them all. */
arr *arr_ints(ctx *c, int rank, const int64_t *shape, const int64_t *v);
arr *arr_chars(ctx *c, int rank, const int64_t *shape, const uint32_t *v);
static inline arr *arr_int_vec(ctx *c, int64_t n, const int64_t *v) {
  return arr_ints(c, 1, &n, v);
}
arr *arr_enclose(ctx *c,
                 arr *y); /* scalar holding y; a simple scalar comes back itself */
/* Same elements, new shape of the same count; shares nothing, copies host data. */
arr *arr_reshape(ctx *c, const arr *y, int rank, const int64_t *shape);

/* Elements, host arrays only. i from 0 in ravel order. */
int64_t arr_get_int(const arr *a, int64_t i); /* integer and char types */
double arr_get_float(const arr *a,
                     int64_t i); /* f32 exactly, i64 rounded; of C128 the real part */
static inline double arr_get_imag(const arr *a, int64_t i) { /* any numeric type */
  return a->type == ET_C128 ? ((const double *)a->host)[2 * i + 1] : 0;
}
static inline void arr_set_range(arr *a, int64_t lo, int64_t hi) {
  a->has_range = true;
  a->lo = lo;
  a->hi = hi;
}
static inline arr *arr_item(const arr *a, int64_t i) {
  return ((arr **)a->host)[i];
} /* NEST, borrowed */
arr *arr_scalar_at(ctx *c, const arr *a,
                   int64_t i); /* element i as a scalar array (NEST: the item itself) */
void arr_put_int(arr *a, int64_t i, int64_t v); /* storing; v fits */
void arr_put_float(arr *a, int64_t i, double v);
void arr_put_complex(arr *a, int64_t i, double re, double im); /* into C128 */
/* Copies n elements from y[j..] to r[i..]; r's type holds y's exactly (same kind). NEST retains. */
void arr_copy(arr *r, int64_t i, const arr *y, int64_t j, int64_t n);
/* The narrowest type that both convert to exactly, or NEST when kinds do not mix
 * (char with number), or when either is. int with float is F64 (F32 for bit i8 i16 with f32). */
elt elt_join(elt a, elt b);
arr *arr_convert(ctx *c, arr *y, elt t); /* another numeric or char width,
   or NEST of scalars; y itself, retained, if same */
/* Consumes a. A nested array whose items are all numbers or all characters becomes a simple one
 * (what strands, ¨ and selections make must go through this); anything else comes back. NULL
 * stays NULL. */
arr *arr_squeeze(ctx *c, arr *a);
arr *arr_fill_of(
    ctx *c,
    const arr *y); /* the fill element of y's prototype, a scalar (0, ' ', or nested) */
bool arr_match(const arr *x, const arr *y,
               double ct); /* ≡: same structure, equal within ct */
/* The same; LIMIT ERROR where arr_match gives up: items nested deeper than ARR_MAX_DEPTH
 * levels other than as the last of their array. */
bool arr_match_checked(ctx *c, const arr *x, const arr *y, double ct, bool *same);
bool arr_same_shape(const arr *x, const arr *y);
/* The float type of what functions of x (or NULL) and y give: f32 if one of them is f32 and no
 * f64 array of rank above 0 takes part, else f64. An integer's width decides nothing. */
elt arr_float_type(const arr *x, const arr *y);
bool num_equal(double x, double y, double ct); /* NaN equals NaN here, as ≡ has it */
bool num_equal_complex(double xr, double xi, double yr, double yi,
                       double ct); /* likewise */
/* Element i of x and j of y, both numeric: integers exactly, f32 with f32 exactly. */
bool arr_num_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct);
/* y's structure with every number 0 and every character a blank. */
arr *arr_proto(ctx *c, const arr *y);
/* Lengths; of a scalar 1. */
static inline int64_t arr_first_axis(const arr *a) { return a->rank ? a->shape[0] : 1; }
static inline int64_t arr_last_axis(const arr *a) {
  return a->rank ? a->shape[a->rank - 1] : 1;
}

/* ── display (display.c) ── */
enum { BOX_NONE, BOX_MIN, BOX_MID, BOX_MAX, BOX_DISP }; /* ]box -style=, ]disp */
typedef struct fmt_opts {
  int pp, pw, boxed;
} fmt_opts; /* ⎕PP, ⎕PW, BOX_… */
/* As Dyalog prints it: lines, each ended by \n; nothing for an empty vector but one \n, and
 * nothing at all for arrays with an empty leading part, as Dyalog. Folded at pw. */
bool arr_display(ctx *c, const arr *a, const fmt_opts *o, str *out);
arr *arr_format(ctx *c, arr *a, int pp); /* ⍕a: what is displayed, unfolded */
arr *arr_format_matrix(ctx *c, const arr *a,
                       int pp); /* ⎕FMT a: the same, always a matrix */
/* One number as Dyalog shows it at precision pp: "¯1.5E10". */
void num_format_int(str *s, int64_t v, int pp);
void num_format_float(str *s, double v, int pp);
#endif
