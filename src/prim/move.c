/* SPDX-License-Identifier: MIT */
/* move.c - what the primitives that only move elements do; see move.h.
 *
 * Most of a function is its checks and the result's shape. What follows is the stride of the
 * argument along each axis of the result: negated by ⌽, permuted by ⍉, 0 where an element is
 * repeated. */
#include "move.h"
#include "../base/arith.h"
#include "../array/element.h"

#include <math.h>
#include <string.h>

static bool no(prim_env *e, int code, const char *msg) {
  return err_set(e->c, code, "%s", msg);
}

static bool multiply_length(prim_env *e, int64_t *n, int64_t by) {
  if (!__builtin_mul_overflow(*n, by, n)) return true;
  return no(e, ERR_LIMIT, "an axis would be longer than 2*63");
}

/* ── ⍴ , ⍪ ─────────────────────────────────────────────────────────────────────────── */

static bool move_reshape(prim_env *e, const arr *x, const arr *y, view *v) {
  int64_t shape[ARR_MAX_RANK];
  if (x->rank > 1) return no(e, ERR_RANK, "the shape must be a scalar or a vector");
  if (x->count > ARR_MAX_RANK) return no(e, ERR_LIMIT, "the rank would be above 15");
  int rank = (int)x->count;
  for (int k = 0; k < rank; k++)
    if (!prim_int_at(e, x, k, &shape[k]) || shape[k] < 0)
      return no(e, ERR_DOMAIN, "a shape must be whole numbers that are not negative");
  if (!view_shape(e->c, v, rank, shape)) return false;
  if (v->count <= y->count) return view_ravelled(e->c, v, 0, rank, shape);
  v->modulo = y->count;
  v->fills = !y->count;
  return true;
}

static bool move_ravel(prim_env *e, const arr *y, view *v) {
  if (y->rank == 1) return view_itself(e->c, v, y);
  return view_ravelled(e->c, v, 0, 1, &y->count);
}

static bool move_table(prim_env *e, const arr *y, view *v) {
  int64_t shape[2] = {arr_first_axis(y), 1};
  for (int k = 1; k < y->rank; k++)
    if (!y->shape[k]) shape[1] = 0;
  for (int k = 1; k < y->rank && shape[1]; k++)
    if (!multiply_length(e, &shape[1], y->shape[k])) return false;
  return view_ravelled(e->c, v, 0, 2, shape);
}

/* ,[k+½] y: a new axis of length 1 in front of axis `before`. */
static bool move_new_axis(prim_env *e, const arr *y, int before, view *v) {
  int64_t shape[ARR_MAX_RANK + 1];
  memcpy(shape, y->shape, (size_t)before * sizeof *shape);
  shape[before] = 1;
  memcpy(shape + before + 1, y->shape + before,
         (size_t)(y->rank - before) * sizeof *shape);
  return view_ravelled(e->c, v, 0, y->rank + 1, shape);
}

/* A new axis of length 1 for a fraction, the last one for an empty axis, else the given
 * neighbouring axes joined. */
bool move_ravel_axes(prim_env *e, const arr *y, const arr *axis, view *v) {
  int64_t shape[ARR_MAX_RANK], whole;
  int k[ARR_MAX_RANK], rank = 0;
  if (!axis->count) return move_new_axis(e, y, y->rank, v);
  if (axis->count == 1 && elt_is_num((elt)axis->type) &&
      !prim_int_at(e, axis, 0, &whole)) {
    double at = arr_get_float(axis, 0) - e->io;
    if (at <= -1 || at >= y->rank)
      return no(e, ERR_RANK, "there is no place for that axis");
    return move_new_axis(e, y, (int)ceil(at), v);
  }
  int n = axes_of(e, axis, y->rank, k);
  if (n < 0) return false;
  for (int j = 1; j < n; j++)
    if (k[j] != k[j - 1] + 1)
      return no(e, ERR_DOMAIN, "the axes must be neighbours, in order");
  for (int j = 0; j < y->rank; j++) {
    bool join = j > k[0] && j <= k[n - 1];
    if (!join) shape[rank++] = y->shape[j];
    else if (!multiply_length(e, &shape[rank - 1], y->shape[j])) return false;
  }
  return view_ravelled(e->c, v, 0, rank, shape);
}

/* ── x,y ────────────────────────────────────────────────────────────────────────────── */

static bool catenable(prim_env *e, const arr *a, const arr *to, int k) {
  if (a == to || !a->rank) return true;
  if (a->rank != to->rank && a->rank + 1 != to->rank)
    return err_set(e->c, ERR_RANK, "ranks %d and %d do not go together", a->rank,
                   to->rank);
  int i = 0;
  for (int j = 0; j < to->rank; j++) {
    if (j == k) {
      i += a->rank == to->rank;
      continue;
    }
    if (a->shape[i] != to->shape[j])
      return err_set(e->c, ERR_LENGTH, "the arguments' axis lengths %lld and %lld differ",
                     (long long)a->shape[i], (long long)to->shape[j]);
    i++;
  }
  return true;
}

/* n positions along axis k of the result that come from `a`: the whole of it, or the same
 * elements again at each of them where it lacks that axis. Returns the part. */
static view_part *join_part(view *v, const arr *a, int k, int64_t n) {
  int64_t own[ARR_MAX_RANK];
  int i = 0;
  view_part *p = view_add(v);
  p->len[k] = n;
  strides_of(a->rank, a->shape, own);
  for (int j = 0; j < v->rank && a->rank; j++)
    if (j != k || a->rank == v->rank) p->stride[j] = own[i++];
  return p;
}

/* How long `a` is along axis k of a result of that rank: 1 where it lacks that axis. */
static int64_t length_of(const arr *a, int rank, int k) {
  return a->rank == rank ? a->shape[k] : 1;
}

static const arr *higher(const arr *x, const arr *y) {
  return x->rank >= y->rank ? x : y;
}

/* x's elements followed by y's along axis k. An empty result is of x's type, unless only y has
 * a length along that axis. */
static void join(const arr *x, const arr *y, int k, view *v) {
  int64_t nx = length_of(x, v->rank, k), ny = v->shape[k] - nx;
  join_part(v, x, k, nx);
  view_part *behind = join_part(v, y, k, ny);
  behind->source = 1;
  if (v->count) behind->to = nx * behind->to_stride[k];
  if (!nx && ny) v->like = 1;
}

bool move_catenate(prim_env *e, const arr *x, const arr *y, int k, view *v) {
  const arr *to = higher(x, y);
  int64_t shape[ARR_MAX_RANK];
  int rank = to->rank ? to->rank : 1;
  if (!catenable(e, x, to, k) || !catenable(e, y, to, k)) return false;
  int64_t nx = length_of(x, rank, k), ny = length_of(y, rank, k);
  if (to->rank) memcpy(shape, to->shape, (size_t)rank * sizeof *shape);
  if (nx > INT64_MAX - ny) return no(e, ERR_LIMIT, "an axis would be longer than 2*63");
  shape[k] = nx + ny;
  if (!view_shape(e->c, v, rank, shape)) return false;
  join(x, y, k, v);
  return true;
}

bool move_laminate(prim_env *e, const arr *x, const arr *y, int k, view *v) {
  const arr *to = higher(x, y);
  int64_t shape[ARR_MAX_RANK + 1];
  if (x->rank && y->rank && !arr_same_shape(x, y)) {
    int code = x->rank != y->rank ? ERR_RANK : ERR_LENGTH;
    return no(e, code, "the shapes differ");
  }
  if (to->rank == ARR_MAX_RANK) return no(e, ERR_LIMIT, "the rank would be above 15");
  memcpy(shape, to->shape, (size_t)k * sizeof *shape);
  shape[k] = 2;
  memcpy(shape + k + 1, to->shape + k, (size_t)(to->rank - k) * sizeof *shape);
  if (!view_shape(e->c, v, to->rank + 1, shape)) return false;
  join(x, y, k, v);
  return true;
}

/* ── ⌽ ⊖ ⍉ ─────────────────────────────────────────────────────────────────────────── */

bool move_reverse(prim_env *e, const arr *y, int k, view *v) {
  if (!y->rank) return view_itself(e->c, v, y);
  if (!view_ravelled(e->c, v, 0, y->rank, y->shape)) return false;
  view_part *p = &v->part[0];
  if (v->count) p->from = (y->shape[k] - 1) * p->stride[k];
  p->stride[k] = -p->stride[k];
  return true;
}

bool move_rotate(prim_env *e, const arr *x, const arr *y, int k, view *v) {
  int64_t by;
  if (!y->rank)
    return prim_int(e, x, "the left argument", &by) && view_itself(e->c, v, y);
  if (!prim_int_at(e, x, 0, &by))
    return no(e, ERR_DOMAIN, "the left argument must be whole numbers");
  if (!view_ravelled(e->c, v, 0, y->rank, y->shape)) return false;
  if (!v->count) return true;
  int64_t n = y->shape[k], cut = by % n;
  if (cut < 0) cut += n;
  v->part[1] = v->part[0];
  v->parts = 2;
  int64_t step = v->part[0].stride[k];
  v->part[0].from = cut * step;
  v->part[0].len[k] = n - cut;
  v->part[1].to = (n - cut) * step;
  v->part[1].len[k] = cut;
  return true;
}

bool move_transpose(prim_env *e, const arr *y, const int64_t *to, int rank, view *v) {
  int64_t shape[ARR_MAX_RANK], own[ARR_MAX_RANK];
  for (int k = 0; k < rank; k++) shape[k] = INT64_MAX;
  for (int k = 0; k < y->rank; k++)
    if (y->shape[k] < shape[to[k]]) shape[to[k]] = y->shape[k];
  if (!view_shape(e->c, v, rank, shape)) return false;
  view_part *p = view_add(v);
  strides_of(y->rank, y->shape, own);
  for (int k = 0; k < y->rank; k++) p->stride[to[k]] += own[k];
  return true;
}

static bool move_transpose_all(prim_env *e, const arr *y, view *v) {
  int64_t to[ARR_MAX_RANK];
  if (y->rank < 2) return view_itself(e->c, v, y);
  for (int k = 0; k < y->rank; k++) to[k] = y->rank - 1 - k;
  return move_transpose(e, y, to, y->rank, v);
}

static bool move_transpose_by(prim_env *e, const arr *x, const arr *y, view *v) {
  int64_t to[ARR_MAX_RANK];
  bool used[ARR_MAX_RANK] = {false};
  int rank = 0;
  if (x->rank > 1) return no(e, ERR_RANK, "the left argument must be a vector");
  if (x->count != y->rank) return no(e, ERR_LENGTH, "one number is needed for each axis");
  for (int k = 0; k < y->rank; k++) {
    if (!prim_int_at(e, x, k, &to[k]))
      return no(e, ERR_DOMAIN, "the left argument must be whole numbers");
    if (to[k] < e->io) return no(e, ERR_DOMAIN, "the left argument is below ⎕IO");
    if (to[k] - e->io >= y->rank)
      return no(e, ERR_RANK, "the left argument names an axis that cannot be");
    to[k] -= e->io;
    used[to[k]] = true;
    if (to[k] >= rank) rank = (int)to[k] + 1;
  }
  for (int k = 0; k < rank; k++)
    if (!used[k]) return no(e, ERR_RANK, "the left argument leaves an axis out");
  return move_transpose(e, y, to, rank, v);
}

/* ── x↑y x↓y and other boxes ────────────────────────────────────────────────────────── */

/* Lengths `size` from position `from` on, along each axis of an array of shape n. */
typedef struct cut {
  int rank;
  int64_t n[ARR_MAX_RANK], from[ARR_MAX_RANK], size[ARR_MAX_RANK];
} cut;

/* All of y. A scalar counts as an array of `axes` axes of length 1. */
static void cut_all(const arr *y, int axes, cut *b) {
  b->rank = y->rank ? y->rank : axes;
  for (int k = 0; k < b->rank; k++) {
    b->n[k] = b->size[k] = y->rank ? y->shape[k] : 1;
    b->from[k] = 0;
  }
}

static bool move_cut(prim_env *e, const cut *b, view *v) {
  if (!view_shape(e->c, v, b->rank, b->size)) return false;
  view_part *p = view_add(v);
  strides_of(b->rank, b->n, p->stride);
  for (int k = 0; k < b->rank; k++) {
    int64_t lo = max_i64(b->from[k], 0);
    int64_t hi = min_i64(b->from[k] + b->size[k], b->n[k]);
    p->len[k] = max_i64(hi - lo, 0);
    if (p->len[k] < b->size[k]) v->fills = true;
    if (!v->count || !p->len[k]) continue; /* nothing is read: no product may overflow */
    p->to += (lo - b->from[k]) * p->to_stride[k];
    p->from += lo * p->stride[k];
  }
  return true;
}

bool move_take(prim_env *e, const arr *x, const arr *y, int n, const int *k, view *v) {
  cut b;
  int64_t want;
  cut_all(y, n, &b);
  for (int j = 0; j < n; j++) {
    if (!prim_int_at(e, x, j, &want) || want == INT64_MIN)
      return no(e, ERR_DOMAIN, "the left argument must be whole numbers");
    b.size[k[j]] = want;
    if (want >= 0) continue;
    b.size[k[j]] = -want;
    b.from[k[j]] = b.n[k[j]] + want;
  }
  return move_cut(e, &b, v);
}

bool move_drop(prim_env *e, const arr *x, const arr *y, int n, const int *k, view *v) {
  cut b;
  int64_t by;
  cut_all(y, n, &b);
  for (int j = 0; j < n; j++) {
    if (!prim_int_at(e, x, j, &by))
      return no(e, ERR_DOMAIN, "the left argument must be whole numbers");
    int64_t length = b.n[k[j]], *size = &b.size[k[j]];
    if (by >= length || by <= -length) *size = 0;
    else if (by < 0) *size = length + by;
    else *size = length - by;
    if (by > 0 && *size) b.from[k[j]] = by;
  }
  return move_cut(e, &b, v);
}

/* x↑y and x↓y: along the leading axes, of which a scalar has as many as are asked for. */
static bool move_leading(prim_env *e, prim f, const arr *x, const arr *y, view *v) {
  int k[ARR_MAX_RANK], rank = ARR_MAX_RANK;
  if (y->rank) rank = y->rank;
  if (x->rank > 1) return no(e, ERR_RANK, "the left argument must be a vector");
  if (x->count > rank)
    return err_set(e->c, ERR_RANK, "the left argument has %lld numbers for %d axes",
                   (long long)x->count, rank);
  int n = (int)x->count;
  for (int j = 0; j < n; j++) k[j] = j;
  if (f == P_TAKE) return move_take(e, x, y, n, k, v);
  return move_drop(e, x, y, n, k, v);
}

bool move_window(prim_env *e, const arr *y, int n, const int64_t *from,
                 const int64_t *size, view *v) {
  cut b;
  cut_all(y, y->rank, &b);
  for (int k = 0; k < n; k++) {
    b.from[k] = from[k];
    b.size[k] = size[k];
  }
  return move_cut(e, &b, v);
}

bool move_windows(prim_env *e, const arr *y, int n, const int64_t *frame,
                  const int64_t *step, const int64_t *size, view *v) {
  int64_t shape[2 * ARR_MAX_RANK], own[ARR_MAX_RANK];
  for (int k = 0; k < y->rank; k++) shape[n + k] = k < n ? size[k] : y->shape[k];
  for (int k = 0; k < n; k++) shape[k] = frame[k];
  if (!view_shape(e->c, v, n + y->rank, shape)) return false;
  view_part *p = view_add(v);
  strides_of(y->rank, y->shape, own);
  for (int k = 0; k < y->rank; k++) p->stride[n + k] = own[k];
  for (int k = 0; k < n; k++) p->stride[k] = step[k] * own[k];
  return true;
}

bool move_spread(prim_env *e, const arr *y, int rank, const int64_t *shape, const int *k,
                 view *v) {
  int64_t own[ARR_MAX_RANK];
  if (!view_shape(e->c, v, rank, shape)) return false;
  view_part *p = view_add(v);
  strides_of(y->rank, y->shape, own);
  for (int i = 0; i < y->rank; i++) p->stride[k[i]] = own[i];
  return true;
}

/* ── f y and x f y ──────────────────────────────────────────────────────────────────── */

bool move_monadic(prim_env *e, prim f, const arr *y, view *v) {
  switch (f) {
  case P_COMMA: return move_ravel(e, y, v);
  case P_COMMA1: return move_table(e, y, v);
  case P_REVERSE: return move_reverse(e, y, last_axis(y->rank), v);
  case P_REVERSE1: return move_reverse(e, y, 0, v);
  default: return move_transpose_all(e, y, v);
  }
}

bool move_dyadic(prim_env *e, prim f, const arr *x, const arr *y, view *v) {
  switch (f) {
  case P_RHO: return move_reshape(e, x, y, v);
  case P_COMMA: return move_catenate(e, x, y, last_axis(higher(x, y)->rank), v);
  case P_COMMA1: return move_catenate(e, x, y, 0, v);
  case P_TRANSPOSE: return move_transpose_by(e, x, y, v);
  default: return move_leading(e, f, x, y, v);
  }
}
