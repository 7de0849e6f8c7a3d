/* SPDX-License-Identifier: MIT */
/* inverse_prim.c - the inverses of primitives.
 *
 * Scalar functions have a row in a table: which function undoes them, for each argument that
 * is known. Structural functions are undone by code, which checks that y is what they could
 * have given. */
#include <math.h>
#include "../../array/element.h"
#include "../../prim/args.h"
#include "../../array/match.h"
#include "../run/primitive.h"
#include "oper.h"

enum { NONE = 0, SWAP = 1, KEEP = 2 }; /* no function; y g a; a g y */
enum { NO = P_COUNT };

/* What undoes f z; a f z and z f a, a being known. */
typedef struct undo_row {
  uint16_t f, one, known_left, left_order, known_right, right_order;
} undo_row;
static const undo_row undo_rows[] = {
    {P_PLUS, P_PLUS, P_MINUS, SWAP, P_MINUS, SWAP},
    {P_MINUS, P_MINUS, P_MINUS, KEEP, P_PLUS, SWAP},
    {P_TIMES, NO, P_DIVIDE, SWAP, P_DIVIDE, SWAP},
    {P_DIVIDE, P_DIVIDE, P_DIVIDE, KEEP, P_TIMES, SWAP},
    {P_POWER, P_LOG, P_LOG, KEEP, NO, NONE},
    {P_LOG, P_POWER, P_POWER, KEEP, NO, NONE},
    {P_NE, NO, P_NE, KEEP, P_NE, SWAP},
    {P_EQ, NO, P_EQ, KEEP, P_EQ, SWAP},
    {P_NOT, P_NOT, NO, NONE, NO, NONE},
    {P_REVERSE, P_REVERSE, NO, NONE, NO, NONE},
    {P_REVERSE1, P_REVERSE1, NO, NONE, NO, NONE},
    {P_TRANSPOSE, P_TRANSPOSE, NO, NONE, NO, NONE},
    {P_RIGHT, P_RIGHT, P_RIGHT, KEEP, NO, NONE},
    {P_LEFT, P_LEFT, NO, NONE, P_RIGHT, KEEP},
    {P_TAKE, P_DROP, NO, NONE, NO, NONE},
    {P_DROP, P_TAKE, NO, NONE, NO, NONE},
    {P_DOMINO, P_DOMINO, NO, NONE, NO, NONE},
};

static const undo_row *row_of(prim p) {
  for (size_t i = 0; i < ARRAY_LEN(undo_rows); i++)
    if (undo_rows[i].f == p) return &undo_rows[i];
  return NULL;
}

arr *no_inverse(vm *v) {
  return err_null(v->c, ERR_DOMAIN, "⍣ knows no inverse of this function");
}

arr *prim2_owned(vm *v, prim p, arr *x, arr *y) {
  OWNED arr *a = x, *b = y;
  return prim2(v, p, a, b);
}

bool arrays_match(vm *v, arr *a, arr *b) {
  if (!a || !b || !ir_host(v->g, a) || !ir_host(v->g, b)) return false;
  return arr_match(a, b, v->sv->ct);
}

/* x p y, with an axis perhaps; x NULL: p y. */
static arr *apply(vm *v, prim p, arr *axis, arr *x, arr *y) {
  if (axis) return prim_axis_call(v, p, x, y, axis);
  return prim_call(v, p, x, y);
}

/* ── structural functions ───────────────────────────────────────────────────────────── */

/* How many digits in that base y's largest number has; 0: it has none, or no inverse. */
static int64_t digits_of(double base, const arr *y) {
  double top = 1, most = 0;
  for (int64_t i = 0; i < y->count; i++) {
    double d = arr_get_float(y, i);
    if (!(d >= 0 && isfinite(d))) return 0;
    if (d > most) most = d;
  }
  int64_t n = 0;
  for (; !n || top <= most; n++) top *= base;
  return n;
}

/* x⊥z is y: as many digits as the largest of y needs; a vector x says how many. */
static arr *undecode(vm *v, arr *x, arr *y) {
  if (!ir_host(v->g, x) || !ir_host(v->g, y)) return NULL;
  if (x->rank) return prim2(v, P_ENCODE, x, y);
  if (x->type > ET_F64 || y->type > ET_F64 || arr_get_float(x, 0) <= 1)
    return no_inverse(v);
  int64_t n = digits_of(arr_get_float(x, 0), y);
  if (!n) return no_inverse(v);
  OWNED arr *len = arr_int(v->c, n);
  OWNED arr *radix = prim2(v, P_RHO, len, x);
  return prim2(v, P_ENCODE, radix, y);
}

/* The shape of the smallest array that has these index vectors; its rank, -1: there is
 * none. */
static int indexed_shape(const arr *ints, int io, int64_t *shape) {
  int rank = ints->rank == 2 ? (int)ints->shape[1] : 1;
  if (ints->rank > 2 || (ints->rank == 2 && ints->shape[1] > ARR_MAX_RANK)) return -1;
  for (int k = 0; k < rank; k++) shape[k] = 0;
  for (int64_t i = 0; i < ints->count; i++) {
    int64_t k = arr_get_int(ints, i) - io, *to = &shape[i % rank];
    if (k < 0 || k >= INT64_MAX - 1) return -1;
    if (k >= *to) *to = k + 1;
  }
  return rank;
}

/* Counts each of n index vectors in r; false: they are not in order, as ⍸ gives them. */
static bool count_indices(const arr *ints, int io, int64_t n, arr *r) {
  int64_t last = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t at = 0;
    for (int k = 0; k < r->rank; k++)
      at = at * r->shape[k] + arr_get_int(ints, i * r->rank + k) - io;
    arr_put_int(r, at, arr_get_int(r, at) + 1);
    if (at < last) return false;
    last = at;
  }
  return true;
}

/* ⍸z is y: how often each position, or index vector, occurs. */
static arr *unwhere(vm *v, arr *y) {
  prim_env pe = env_of(v);
  int64_t shape[ARR_MAX_RANK];
  if (!ir_host(v->g, y) || y->rank != 1) return no_inverse(v);
  OWNED arr *at = prim_mix(&pe, y);
  if (!at) return NULL;
  OWNED arr *ints = prim_ints(&pe, at, "the indices");
  if (!ints) return no_inverse(v);
  int rank = indexed_shape(ints, pe.io, shape);
  if (rank < 0) return no_inverse(v);
  OWNED arr *r = arr_new(v->c, ET_I64, rank, shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < r->count; i++) arr_put_int(r, i, 0);
  if (!count_indices(ints, pe.io, y->count, r)) return no_inverse(v);
  return arr_move(&r);
}

/* y without its first or last part a, which it must have. */
static arr *uncatenate(vm *v, arr *a, arr *y, bool front) {
  if (!ir_host(v->g, a) || !ir_host(v->g, y)) return no_inverse(v);
  if (y->rank != 1 || a->rank > 1 || a->count > y->count) return no_inverse(v);
  OWNED arr *n = arr_int(v->c, front ? a->count : -a->count);
  OWNED arr *flat = prim1(v, P_COMMA, a);
  OWNED arr *part = prim2(v, P_TAKE, n, y);
  if (!arrays_match(v, part, flat)) return no_inverse(v);
  return prim2(v, P_DROP, n, y);
}

/* x⍉z is y: only a permutation can be undone. */
static arr *untranspose(vm *v, arr *x, arr *y) {
  if (!ir_host(v->g, x)) return NULL;
  OWNED arr *flat = prim1(v, P_COMMA, x);
  OWNED arr *up = prim1(v, P_UP, flat);
  OWNED arr *back = prim1(v, P_UP, up);
  if (!arrays_match(v, back, flat)) return no_inverse(v);
  return prim2(v, P_TRANSPOSE, up, y);
}

/* x○z is y: codes of functions that only ask for a part of z have no inverse. */
static arr *uncircle(vm *v, arr *x, arr *y) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, x)) return NULL;
  OWNED arr *codes = prim_ints(&pe, x, "the left argument");
  if (!codes) return no_inverse(v);
  for (int64_t i = 0; i < codes->count; i++) {
    int64_t code = arr_get_int(codes, i);
    if (code < -8 || code > 8) return no_inverse(v);
  }
  return prim2_owned(v, P_CIRCLE, prim1(v, P_MINUS, x), arr_retain(y));
}

/* ○z is y */
static arr *unpi(vm *v, arr *y) {
  OWNED arr *one = arr_int(v->c, 1);
  OWNED arr *pi = prim1(v, P_CIRCLE, one);
  return prim2(v, P_DIVIDE, y, pi);
}

/* ── primitives ─────────────────────────────────────────────────────────────────────── */

static arr *undo_dyadic(vm *v, prim p, arr *x, arr *y) {
  switch (p) {
  case P_CIRCLE: return uncircle(v, x, y);
  case P_TRANSPOSE: return untranspose(v, x, y);
  case P_COMMA: return uncatenate(v, x, y, true);
  case P_DECODE: return undecode(v, x, y);
  case P_ENCODE: return prim2(v, P_DECODE, x, y);
  default: return no_inverse(v);
  }
}

arr *undo_prim(vm *v, prim p, arr *axis, arr *x, arr *y) {
  const undo_row *row = row_of(p);
  if (x && (p == P_EQ || p == P_NE) && (x->type != ET_BIT || y->type != ET_BIT))
    return no_inverse(v);
  if (row && !x && row->one != NO) return apply(v, (prim)row->one, axis, NULL, y);
  if (row && x && row->known_left != NO) {
    prim g = (prim)row->known_left;
    if (row->left_order == SWAP) return apply(v, g, axis, y, x);
    return apply(v, g, axis, x, y);
  }
  if (x && (p == P_REVERSE || p == P_REVERSE1)) {
    OWNED arr *back = prim1(v, P_MINUS, x);
    return back ? apply(v, p, axis, back, y) : NULL;
  }
  if (axis) return no_inverse(v);
  if (x) return undo_dyadic(v, p, x, y);
  switch (p) {
  case P_CIRCLE: return unpi(v, y);
  case P_WHERE: return unwhere(v, y);
  case P_PICK: return prim1(v, P_ENCLOSE, y);
  case P_ENCLOSE: return y->rank ? no_inverse(v) : prim1(v, P_PICK, y);
  default: return no_inverse(v);
  }
}

arr *undo_prim_left(vm *v, prim p, arr *a, arr *y) {
  const undo_row *row = row_of(p);
  if (row && row->known_right != NO) {
    prim g = (prim)row->known_right;
    if (row->right_order == SWAP) return prim2(v, g, y, a);
    return prim2(v, g, a, y);
  }
  switch (p) {
  case P_POWER: return prim2_owned(v, P_POWER, arr_retain(y), prim1(v, P_DIVIDE, a));
  case P_LOG: return prim2_owned(v, P_POWER, arr_retain(a), prim1(v, P_DIVIDE, y));
  case P_COMMA: return uncatenate(v, a, y, false);
  default: return no_inverse(v);
  }
}
