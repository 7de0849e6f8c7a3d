/* SPDX-License-Identifier: MIT */
/* struct.c - the structural primitives that move whole cells: ⍴ , ⍪ ⌽ ⊖ ⍉ ↑ ↓ ≢ and the
 * copying that all structural functions share.
 *
 * Every one of them is a box of elements copied with strides, so there is one copying loop:
 * copy_box drops axes of length 1, joins axes that are contiguous on both sides, and runs
 * the innermost axis as a memcpy where it can. Where an element is missing (overtake,
 * reshape of an empty array) the result is filled first, or, if nested, afterwards: slots
 * that are still NULL get the prototype, so that no reference is written over. */
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/match.h"

#include <math.h>
#include <string.h>

arr *fail(prim_env *e, int code, const char *msg) {
  err_set(e->c, code, "%s", msg);
  return NULL;
}

/* ── arguments ──────────────────────────────────────────────────────────────────────── */

bool is_scalar_like(const arr *y) { return y->count == 1; }

static bool near_int(prim_env *e, double re, double im, int64_t *v) {
  double n = rint(re);
  if (!(fabs(n) < 0x1p63) || !num_equal_complex(re, im, n, 0, e->ct)) return false;
  *v = (int64_t)n;
  return true;
}

/* Element i of y as a whole number. */
static bool int_at(prim_env *e, const arr *y, int64_t i, int64_t *v) {
  if (y->type == ET_NEST) {
    const arr *item = arr_item(y, i);
    return !item->rank && item->type != ET_NEST && int_at(e, item, 0, v);
  }
  if (elt_is_int((elt)y->type)) return *v = arr_get_int(y, i), true;
  if (elt_is_char((elt)y->type)) return false;
  return near_int(e, arr_get_float(y, i), arr_get_imag(y, i), v);
}

arr *prim_ints(prim_env *e, arr *y, const char *what) {
  if (elt_is_int((elt)y->type)) return arr_retain(y);
  arr *r = arr_new(e->c, y->count ? ET_I64 : ET_BIT, y->rank, y->shape);
  for (int64_t i = 0; r && i < y->count; i++) {
    if (int_at(e, y, i, (int64_t *)r->host + i)) continue;
    err_set(e->c, ERR_DOMAIN, "%s must be whole numbers", what);
    arr_release(r);
    return NULL;
  }
  return r;
}

bool prim_int(prim_env *e, const arr *y, const char *what, int64_t *v) {
  if (!is_scalar_like(y)) return err_set(e->c, ERR_LENGTH, "%s must be one number", what);
  return int_at(e, y, 0, v) ||
         err_set(e->c, ERR_DOMAIN, "%s must be a whole number", what);
}

int axes_of(prim_env *e, arr *axis, int rank, int *k) {
  bool seen[ARR_MAX_RANK + 1] = {false};
  if (axis->rank > 1) return err_set(e->c, ERR_RANK, "the axis must be a vector"), -1;
  if (axis->count > rank)
    return err_set(e->c, ERR_LENGTH, "more axes than the array has"), -1;
  for (int64_t i = 0; i < axis->count; i++) {
    int64_t v;
    if (!int_at(e, axis, i, &v))
      return err_set(e->c, ERR_DOMAIN, "an axis must be a whole number"), -1;
    if (v < e->io || v - e->io >= rank)
      return err_set(e->c, ERR_RANK, "the array has no axis %lld", (long long)v), -1;
    k[i] = (int)(v - e->io);
    if (seen[k[i]]) return err_set(e->c, ERR_DOMAIN, "an axis is given twice"), -1;
    seen[k[i]] = true;
  }
  return (int)axis->count;
}

bool prim_axis(prim_env *e, const arr *axis, const arr *y, int *k) {
  int64_t v;
  if (!prim_int(e, axis, "the axis", &v)) return false;
  if (v < e->io || v - e->io >= y->rank)
    return err_set(e->c, ERR_RANK, "the array has no axis %lld", (long long)v);
  *k = (int)(v - e->io);
  return true;
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

arr *new_like(prim_env *e, const arr *y, int rank, const int64_t *shape) {
  arr *r = arr_new(e->c, (elt)y->type, rank, shape);
  if (!r) return NULL;
  r->has_range = y->has_range;
  r->lo = y->lo;
  r->hi = y->hi;
  if (r->count || y->type != ET_NEST) return r;
  arr *p = arr_proto(e->c, arr_item(y, 0));
  *(arr **)r->host = p;
  if (p) return arr_squeeze(e->c, r);
  arr_release(r);
  return NULL;
}

void range_with_fill(arr *r) {
  int64_t fill = elt_is_char((elt)r->type) ? ' ' : 0;
  if (fill < r->lo) r->lo = fill;
  if (fill > r->hi) r->hi = fill;
}

void fill_simple(arr *r) {
  if (r->type == ET_NEST) return;
  if (elt_is_char((elt)r->type)) {
    if (r->type == ET_C8) memset(r->host, ' ', (size_t)r->count);
    else
      for (int64_t i = 0; i < r->count; i++) arr_put_int(r, i, ' ');
  } else {
    memset(r->host, 0, elt_bytes((elt)r->type, r->count));
  }
}

arr *fill_rest(prim_env *e, arr *r, const arr *y) {
  if (!r || r->type != ET_NEST || !r->count) return r;
  arr *p = NULL, **slot = r->host;
  for (int64_t i = 0; i < r->count; i++) {
    if (slot[i]) continue;
    if (!p && !(p = arr_proto(e->c, arr_item(y, 0)))) {
      arr_release(r);
      return NULL;
    }
    slot[i] = arr_retain(p);
  }
  arr_release(p);
  return arr_squeeze(e->c, r);
}

/* ── copying ────────────────────────────────────────────────────────────────────────── */

#define STEP(T)                                                                          \
  {                                                                                      \
    T *to = (T *)r->host + i;                                                            \
    const T *from = (const T *)y->host + j;                                              \
    for (int64_t k = 0; k < n; k++) to[k] = from[k * step];                              \
    return;                                                                              \
  }

void copy_step(arr *r, int64_t i, const arr *y, int64_t j, int64_t step, int64_t n) {
  typedef struct pair {
    double a, b;
  } pair;
  if (step == 1) {
    arr_copy(r, i, y, j, n);
    return;
  }
  switch (elt_bits((elt)y->type)) {
  case 8: STEP(uint8_t)
  case 16: STEP(uint16_t)
  case 32: STEP(uint32_t)
  case 128: STEP(pair)
  case 64:
    if (y->type != ET_NEST) STEP(uint64_t)
    for (int64_t k = 0; k < n; k++)
      ((arr **)r->host)[i + k] = arr_retain(arr_item(y, j + k * step));
    return;
  default:
    for (int64_t k = 0; k < n; k++) arr_put_int(r, i + k, arr_get_int(y, j + k * step));
  }
}

void strides_of(int rank, const int64_t *shape, int64_t *strides) {
  int64_t s = 1;
  for (int k = rank - 1; k >= 0; k--) {
    strides[k] = s;
    if (shape[k] && s) s *= shape[k];
  }
}

/* Drops axes of length 1 and joins neighbours; returns the new rank, -1 if nothing is in
 * it. */
static int join_axes(int rank, int64_t *n, int64_t *rs, int64_t *ys) {
  int m = 0;
  for (int k = 0; k < rank; k++) {
    if (!n[k]) return -1;
    if (n[k] == 1) continue;
    if (m && rs[m - 1] == n[k] * rs[k] && ys[m - 1] == n[k] * ys[k]) {
      n[m - 1] *= n[k];
      rs[m - 1] = rs[k];
      ys[m - 1] = ys[k];
      continue;
    }
    n[m] = n[k];
    rs[m] = rs[k];
    ys[m++] = ys[k];
  }
  return m;
}

void copy_box(arr *r, int64_t ro, const int64_t *rs0, const arr *y, int64_t yo,
              const int64_t *ys0, int rank, const int64_t *shape) {
  int64_t n[ARR_MAX_RANK + 1], rs[ARR_MAX_RANK + 1], ys[ARR_MAX_RANK + 1];
  int64_t at[ARR_MAX_RANK + 1] = {0};
  for (int k = 0; k < rank; k++) n[k] = shape[k], rs[k] = rs0[k], ys[k] = ys0[k];
  int m = join_axes(rank, n, rs, ys);
  if (m < 0) return;
  if (!m || rs[m - 1] != 1)
    n[m] = 1, rs[m] = ys[m] = 1, m++; /* the innermost run is packed */
  for (;;) {
    copy_step(r, ro, y, yo, ys[m - 1], n[m - 1]);
    int k = m - 2;
    for (; k >= 0 && ++at[k] == n[k]; k--) {
      ro -= rs[k] * (n[k] - 1);
      yo -= ys[k] * (n[k] - 1);
      at[k] = 0;
    }
    if (k < 0) return;
    ro += rs[k];
    yo += ys[k];
  }
}

split split_at(const arr *y, int k) {
  split s = {1, 1, 1};
  for (int j = 0; j < y->rank; j++) {
    if (j < k) s.outer *= y->shape[j];
    else if (j == k) s.n = y->shape[j];
    else s.inner *= y->shape[j];
    if (!y->count && (!s.outer || !s.inner))
      s.outer = s.inner = 0; /* products may not overflow */
  }
  return s;
}

/* ── ⍴ ≢ , ⍪ ───────────────────────────────────────────────────────────────────────── */

arr *prim_shape(prim_env *e, arr *y) { return arr_int_vec(e->c, y->rank, y->shape); }

arr *prim_tally(prim_env *e, arr *y) { return arr_int(e->c, arr_first_axis(y)); }

/* Repeats the first n elements of r until it is full, in runs that double. */
static void repeat(arr *r, int64_t n) {
  while (n < r->count) {
    int64_t more = r->count - n < n ? r->count - n : n;
    arr_copy(r, n, r, 0, more);
    n += more;
  }
}

arr *prim_reshape(prim_env *e, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK], v;
  if (x->rank > 1) return fail(e, ERR_RANK, "the shape must be a scalar or a vector");
  if (x->count > ARR_MAX_RANK) return fail(e, ERR_LIMIT, "the rank would be above 15");
  for (int64_t k = 0; k < x->count; k++) {
    if (!int_at(e, x, k, &v) || v < 0)
      return fail(e, ERR_DOMAIN, "a shape must be whole numbers that are not negative");
    shape[k] = v;
  }
  arr *r = new_like(e, y, (int)x->count, shape);
  if (!r || !r->count) return r;
  int64_t n = y->count < r->count ? y->count : r->count;
  arr_copy(r, 0, y, 0, n);
  if (n) {
    repeat(r, n);
    return n < y->count ? arr_squeeze(e->c, r) : r;
  }
  fill_simple(r);
  r->has_range = false;
  return fill_rest(e, r, y);
}

arr *prim_ravel(prim_env *e, arr *y) {
  return y->rank == 1 ? arr_retain(y) : arr_reshape(e->c, y, 1, &y->count);
}

arr *prim_table_of(prim_env *e, arr *y) {
  int64_t shape[2] = {arr_first_axis(y), 1};
  for (int k = 1; k < y->rank && y->count; k++) shape[1] *= y->shape[k];
  for (int k = 1; k < y->rank; k++)
    if (!y->shape[k]) shape[1] = 0;
  if (!shape[0] && shape[1] == 1) { /* no elements, but the cells have a size */
    for (int k = 1; k < y->rank; k++) {
      if (shape[1] > INT64_MAX / y->shape[k])
        return fail(e, ERR_LIMIT, "an axis would be longer than 2*63");
      shape[1] *= y->shape[k];
    }
  }
  return arr_reshape(e->c, y, 2, shape);
}

/* ,[axis] y: a new axis of length 1 for a fraction, the last one for an empty axis, else
 * the given neighbouring axes joined. */
arr *ravel_axis(prim_env *e, arr *y, arr *axis) {
  int64_t shape[ARR_MAX_RANK + 1], v;
  int k[ARR_MAX_RANK], n, rank = 0;
  bool fraction =
      axis->count == 1 && elt_is_num((elt)axis->type) && !int_at(e, axis, 0, &v);
  if (fraction || !axis->count) {
    double at = fraction ? arr_get_float(axis, 0) - e->io : y->rank;
    int before = !fraction ? y->rank : at <= -1 || at >= y->rank ? -1 : (int)ceil(at);
    if (before < 0) return fail(e, ERR_RANK, "there is no place for that axis");
    for (int j = 0; j <= y->rank; j++)
      shape[j] = j < before ? y->shape[j] : j == before ? 1 : y->shape[j - 1];
    return arr_reshape(e->c, y, y->rank + 1, shape);
  }
  if ((n = axes_of(e, axis, y->rank, k)) < 0) return NULL;
  for (int j = 1; j < n; j++)
    if (k[j] != k[j - 1] + 1)
      return fail(e, ERR_DOMAIN, "the axes must be neighbours, in order");
  for (int j = 0; j < y->rank; j++) {
    bool join = j > k[0] && j <= k[n - 1];
    if (!join) shape[rank++] = y->shape[j];
    else if (!y->shape[j] || shape[rank - 1] <= INT64_MAX / y->shape[j])
      shape[rank - 1] *= y->shape[j];
    else return fail(e, ERR_LIMIT, "an axis would be longer than 2*63");
  }
  return arr_reshape(e->c, y, rank, shape);
}

/* ── x,y ────────────────────────────────────────────────────────────────────────────── */

/* The type of a catenation with elements: an argument that has none has no say. */
static elt joint_type(const arr *x, const arr *y) {
  if (!x->count) return (elt)y->type;
  return !y->count ? (elt)x->type : elt_join((elt)x->type, (elt)y->type);
}

static void joint_range(arr *r, const arr *x, const arr *y) {
  const arr *known = !x->count ? y : !y->count ? x : NULL;
  if (elt_kind((elt)r->type) != KIND_INT && !elt_is_char((elt)r->type)) return;
  if (known) {
    r->has_range = known->has_range;
    r->lo = known->lo;
    r->hi = known->hi;
  } else if (x->has_range && y->has_range) {
    arr_set_range(r, x->lo < y->lo ? x->lo : y->lo, x->hi > y->hi ? x->hi : y->hi);
  }
}

/* Copies `outer` runs of n elements of y to r at i, i+step, …; a scalar y is repeated.
 * Nested r with simple y makes scalars: false when memory is out. */
static bool put_runs(prim_env *e, arr *r, int64_t i, int64_t step, const arr *y,
                     bool scalar, int64_t outer, int64_t n) {
  bool wrap = r->type == ET_NEST && y->type != ET_NEST;
  arr *one = NULL;
  if (wrap && scalar && n && outer && !(one = arr_scalar_at(e->c, y, 0))) return false;
  if (!scalar && !wrap && y->type == r->type && outer > 1) {
    copy_box(r, i, (int64_t[]){step, 1}, y, 0, (int64_t[]){n, 1}, 2,
             (int64_t[]){outer, n});
    return true;
  }
  for (int64_t o = 0; o < outer; o++, i += step) {
    if (!scalar && !wrap) {
      arr_copy(r, i, y, o * n, n);
      continue;
    }
    for (int64_t k = 0; k < n; k++) {
      arr **slot = (arr **)r->host + i + k;
      if (one) *slot = arr_retain(one);
      else if (!wrap) arr_copy(r, i + k, y, 0, 1);
      else if (!(*slot = arr_scalar_at(e->c, y, o * n + k))) return false;
    }
  }
  arr_release(one);
  return true;
}

/* An array of x's elements followed by y's along axis k of r, whose shape is given. An empty
 * one is of x's kind, unless only y has a length along that axis. */
static arr *join(prim_env *e, arr *x, arr *y, int rank, const int64_t *shape, int k,
                 int64_t nx, int64_t ny) {
  int64_t inner = 1, outer = 1;
  for (int j = 0; j < rank; j++)
    if (!shape[j]) return new_like(e, !nx && ny ? y : x, rank, shape);
  arr *r = arr_new(e->c, joint_type(x, y), rank, shape);
  if (!r) return NULL;
  joint_range(r, x, y);
  for (int j = 0; j < k; j++) outer *= shape[j];
  for (int j = k + 1; j < rank; j++) inner *= shape[j];
  int64_t step = (nx + ny) * inner;
  if (put_runs(e, r, 0, step, x, !x->rank && nx * inner * outer != 0, outer,
               nx * inner) &&
      put_runs(e, r, nx * inner, step, y, !y->rank && ny * inner * outer != 0, outer,
               ny * inner))
    return r;
  arr_release(r);
  return NULL;
}

static bool catenable(prim_env *e, const arr *a, const arr *to, int k) {
  if (a == to || !a->rank) return true;
  if (a->rank != to->rank && a->rank + 1 != to->rank)
    return err_set(e->c, ERR_RANK, "ranks %d and %d do not go together", a->rank,
                   to->rank);
  for (int j = 0, i = 0; j < to->rank; j++) {
    if (j == k) i += a->rank == to->rank;
    else if (a->shape[i++] != to->shape[j])
      return err_set(e->c, ERR_LENGTH, "the arguments' axis lengths %lld and %lld differ",
                     (long long)a->shape[i - 1], (long long)to->shape[j]);
  }
  return true;
}

arr *catenate_axis(prim_env *e, arr *x, arr *y, int k) {
  const arr *to = x->rank >= y->rank ? x : y;
  int64_t shape[ARR_MAX_RANK], nx, ny;
  int rank = to->rank ? to->rank : 1;
  if (!catenable(e, x, to, k) || !catenable(e, y, to, k)) return NULL;
  nx = x->rank == rank ? x->shape[k] : 1;
  ny = y->rank == rank ? y->shape[k] : 1;
  if (to->rank) memcpy(shape, to->shape, (size_t)rank * sizeof *shape);
  if (nx > INT64_MAX - ny) return fail(e, ERR_LIMIT, "an axis would be longer than 2*63");
  shape[k] = nx + ny;
  return join(e, x, y, rank, shape, k, nx, ny);
}

arr *laminate(prim_env *e, arr *x, arr *y, int k) {
  const arr *to = x->rank >= y->rank ? x : y;
  int64_t shape[ARR_MAX_RANK + 1];
  if (x->rank && y->rank && !arr_same_shape(x, y))
    return fail(e, x->rank != y->rank ? ERR_RANK : ERR_LENGTH, "the shapes differ");
  if (to->rank == ARR_MAX_RANK) return fail(e, ERR_LIMIT, "the rank would be above 15");
  for (int j = 0; j <= to->rank; j++)
    shape[j] = j < k ? to->shape[j] : j == k ? 2 : to->shape[j - 1];
  return join(e, x, y, to->rank + 1, shape, k, 1, 1);
}

static int greater_rank(const arr *x, const arr *y) {
  return x->rank > y->rank ? x->rank : y->rank;
}

arr *prim_catenate(prim_env *e, arr *x, arr *y) {
  int rank = greater_rank(x, y);
  return catenate_axis(e, x, y, rank ? rank - 1 : 0);
}

arr *prim_catenate_first(prim_env *e, arr *x, arr *y) {
  return catenate_axis(e, x, y, 0);
}

/* ── ⌽ ⊖ ⍉ ─────────────────────────────────────────────────────────────────────────── */

arr *reverse_axis(prim_env *e, arr *y, int k) {
  int64_t rs[ARR_MAX_RANK], ys[ARR_MAX_RANK];
  arr *r = new_like(e, y, y->rank, y->shape);
  if (!r || !r->count) return r;
  strides_of(y->rank, y->shape, rs);
  memcpy(ys, rs, sizeof ys);
  ys[k] = -ys[k];
  copy_box(r, 0, rs, y, (y->shape[k] - 1) * rs[k], ys, y->rank, y->shape);
  return r;
}

arr *prim_reverse(prim_env *e, arr *y) {
  return y->rank ? reverse_axis(e, y, y->rank - 1) : arr_retain(y);
}
arr *prim_reverse_first(prim_env *e, arr *y) {
  return y->rank ? reverse_axis(e, y, 0) : arr_retain(y);
}

static int64_t turn(int64_t by, int64_t n) {
  int64_t m = by % n;
  return m < 0 ? m + n : m;
}

static void rotate_by_array(arr *r, const arr *x, const arr *y, split s) {
  for (int64_t o = 0; o < s.outer; o++)
    for (int64_t i = 0; i < s.inner; i++) {
      int64_t by = turn(arr_get_int(x, o * s.inner + i), s.n),
              base = o * s.n * s.inner + i;
      for (int64_t k = 0; k < s.n; k++)
        arr_copy(r, base + k * s.inner, y,
                 base + (k + by < s.n ? k + by : k + by - s.n) * s.inner, 1);
    }
}

static bool rotates(prim_env *e, const arr *x, const arr *y, int k) {
  if (is_scalar_like(x)) return true;
  if (x->rank != y->rank - 1)
    return err_set(e->c, ERR_RANK, "the left argument needs rank %d or one element",
                   y->rank - 1);
  for (int j = 0; j < x->rank; j++)
    if (x->shape[j] != y->shape[j + (j >= k)])
      return err_set(e->c, ERR_LENGTH,
                     "the left argument must have the shape of the right one "
                     "without the axis that is rotated");
  return true;
}

arr *rotate_axis(prim_env *e, arr *x, arr *y, int k) {
  arr *by = NULL, *r = NULL;
  if (!y->rank) {
    int64_t v;
    if (!is_scalar_like(x)) return fail(e, ERR_RANK, "a scalar is turned by one number");
    return prim_int(e, x, "the left argument", &v) ? arr_retain(y) : NULL;
  }
  if (!rotates(e, x, y, k) || !(by = prim_ints(e, x, "the left argument"))) return NULL;
  r = new_like(e, y, y->rank, y->shape);
  if (r && r->count) {
    split s = split_at(y, k);
    if (!is_scalar_like(by)) {
      rotate_by_array(r, by, y, s);
    } else {
      int64_t cut = turn(arr_get_int(by, 0), s.n) * s.inner, all = s.n * s.inner;
      int64_t step[2] = {all, 1};
      copy_box(r, 0, step, y, cut, step, 2, (int64_t[]){s.outer, all - cut});
      copy_box(r, all - cut, step, y, 0, step, 2, (int64_t[]){s.outer, cut});
    }
  }
  arr_release(by);
  return r;
}

arr *prim_rotate(prim_env *e, arr *x, arr *y) {
  return rotate_axis(e, x, y, y->rank ? y->rank - 1 : 0);
}
arr *prim_rotate_first(prim_env *e, arr *x, arr *y) { return rotate_axis(e, x, y, 0); }

arr *transpose_to(prim_env *e, arr *y, const int64_t *to, int rank) {
  int64_t shape[ARR_MAX_RANK], rs[ARR_MAX_RANK], ys[ARR_MAX_RANK],
      from[ARR_MAX_RANK] = {0};
  for (int k = 0; k < rank; k++) shape[k] = -1;
  strides_of(y->rank, y->shape, ys);
  for (int k = 0; k < y->rank; k++) {
    int64_t *n = &shape[to[k]];
    if (*n < 0 || y->shape[k] < *n) *n = y->shape[k];
    from[to[k]] += ys[k];
  }
  arr *r = new_like(e, y, rank, shape);
  if (!r || !r->count) return r;
  strides_of(rank, shape, rs);
  copy_box(r, 0, rs, y, 0, from, rank, shape);
  return r;
}

arr *prim_transpose(prim_env *e, arr *y) {
  int64_t to[ARR_MAX_RANK];
  if (y->rank < 2) return arr_retain(y);
  for (int k = 0; k < y->rank; k++) to[k] = y->rank - 1 - k;
  return transpose_to(e, y, to, y->rank);
}

arr *prim_transpose_by(prim_env *e, arr *x, arr *y) {
  int64_t to[ARR_MAX_RANK];
  bool used[ARR_MAX_RANK] = {false};
  int rank = 0;
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  if (x->count != y->rank)
    return fail(e, ERR_LENGTH, "one number is needed for each axis");
  for (int k = 0; k < y->rank; k++) {
    if (!int_at(e, x, k, &to[k]))
      return fail(e, ERR_DOMAIN, "the left argument must be whole numbers");
    if (to[k] < e->io) return fail(e, ERR_DOMAIN, "the left argument is below ⎕IO");
    if (to[k] - e->io >= y->rank)
      return fail(e, ERR_RANK, "the left argument names an axis that cannot be");
    to[k] -= e->io;
    used[to[k]] = true;
    if (to[k] >= rank) rank = (int)to[k] + 1;
  }
  for (int k = 0; k < rank; k++)
    if (!used[k]) return fail(e, ERR_RANK, "the left argument leaves an axis out");
  return transpose_to(e, y, to, rank);
}

/* ── x↑y x↓y ───────────────────────────────────────────────────────────────────────── */

static bool leading_axes(prim_env *e, const arr *x, int rank, int *n, int *k) {
  if (x->rank > 1) return err_set(e->c, ERR_RANK, "the left argument must be a vector");
  if (x->count > rank)
    return err_set(e->c, ERR_RANK, "the left argument has %lld numbers for %d axes",
                   (long long)x->count, rank);
  *n = (int)x->count;
  for (int j = 0; j < *n; j++) k[j] = j;
  return true;
}

/* The box that `shape` takes of y, from its front or, if back[k], its end. */
static arr *take_box(prim_env *e, arr *y, int rank, const int64_t *yn,
                     const int64_t *shape, const bool *back) {
  int64_t rs[ARR_MAX_RANK], ys[ARR_MAX_RANK], n[ARR_MAX_RANK], ro = 0, yo = 0;
  bool over = false;
  arr *r = new_like(e, y, rank, shape);
  if (!r || !r->count) return r;
  strides_of(rank, shape, rs);
  strides_of(rank, yn, ys);
  for (int k = 0; k < rank; k++) {
    int64_t extra = shape[k] - yn[k];
    n[k] = extra > 0 ? yn[k] : shape[k];
    if (extra > 0) over = true;
    if (back[k] && extra > 0) ro += extra * rs[k];
    if (back[k] && extra < 0) yo -= extra * ys[k];
  }
  if (over) fill_simple(r), range_with_fill(r);
  if (y->count) copy_box(r, ro, rs, y, yo, ys, rank, n);
  return over ? fill_rest(e, r, y) : arr_squeeze(e->c, r);
}

arr *take_axes(prim_env *e, arr *x, arr *y, int n, const int *k) {
  int64_t shape[ARR_MAX_RANK], yn[ARR_MAX_RANK], v;
  bool back[ARR_MAX_RANK] = {false};
  int rank = y->rank ? y->rank : n; /* a scalar takes the rank that is asked for */
  for (int j = 0; j < rank; j++) shape[j] = yn[j] = y->rank ? y->shape[j] : 1;
  for (int j = 0; j < n; j++) {
    if (!int_at(e, x, j, &v) || v == INT64_MIN)
      return fail(e, ERR_DOMAIN, "the left argument must be whole numbers");
    back[k[j]] = v < 0;
    shape[k[j]] = v < 0 ? -v : v;
  }
  return take_box(e, y, rank, yn, shape, back);
}

arr *prim_take(prim_env *e, arr *x, arr *y) {
  int n, k[ARR_MAX_RANK];
  if (!leading_axes(e, x, y->rank ? y->rank : ARR_MAX_RANK, &n, k)) return NULL;
  return take_axes(e, x, y, n, k);
}

arr *drop_axes(prim_env *e, arr *x, arr *y, int n, const int *k) {
  int64_t shape[ARR_MAX_RANK], yn[ARR_MAX_RANK], v;
  bool back[ARR_MAX_RANK] = {false};
  int rank = y->rank ? y->rank : n;
  for (int j = 0; j < rank; j++) shape[j] = yn[j] = y->rank ? y->shape[j] : 1;
  for (int j = 0; j < n; j++) {
    if (!int_at(e, x, j, &v))
      return fail(e, ERR_DOMAIN, "the left argument must be whole numbers");
    int64_t *len = &shape[k[j]];
    back[k[j]] = v >= 0; /* what is left stands at the end */
    *len = v == INT64_MIN || (v < 0 ? -v : v) >= *len ? 0 : *len - (v < 0 ? -v : v);
  }
  return take_box(e, y, rank, yn, shape, back);
}

arr *prim_drop(prim_env *e, arr *x, arr *y) {
  int n, k[ARR_MAX_RANK];
  if (!leading_axes(e, x, y->rank ? y->rank : ARR_MAX_RANK, &n, k)) return NULL;
  return drop_axes(e, x, y, n, k);
}
