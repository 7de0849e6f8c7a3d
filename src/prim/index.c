/* SPDX-License-Identifier: MIT */
/* index.c - making and using indices: ⍳ ⍸ ⌷ x[i;j] x[i;j]←.
 *
 * A subscript of any shape is checked once and kept as an array of positions from 0. The
 * result is copied row of the last subscripts by row; elided last axes are one run. A
 * nested subscript alone is choose (each item one index per axis) or reach (each item a
 * path). */
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <math.h>
#include <string.h>

/* ── ⍳ ⍸ ───────────────────────────────────────────────────────────────────────────── */

static arr *iota(prim_env *e, int64_t n) {
  int64_t lo = e->io, hi = n + e->io - 1;
  arr *r = arr_vec(e->c, n ? elt_for_range(lo, hi) : ET_BIT, n);
  if (!r || !n) return r;
  for (int64_t i = 0; i < n; i++) arr_put_int(r, i, lo + i);
  arr_set_range(r, lo, hi);
  return r;
}

/* The index vector of position `pos` of an array of that shape. */
static arr *index_vector(prim_env *e, int rank, const int64_t *shape, int64_t pos) {
  int64_t at[ARR_MAX_RANK];
  for (int k = rank - 1; k >= 0; k--) {
    at[k] = shape[k] ? pos % shape[k] + e->io : 0;
    pos = shape[k] ? pos / shape[k] : 0;
  }
  return arr_int_vec(e->c, rank, at);
}

/* Fills r[i] with an index vector; false when memory is out. An empty r gets its prototype.
 */
static bool put_index(prim_env *e, arr *r, int64_t i, int rank, const int64_t *shape,
                      int64_t pos) {
  arr *v = index_vector(e, rank, shape, pos);
  ((arr **)r->host)[i] = v;
  return v != NULL;
}

static arr *index_prototype(prim_env *e, arr *r, int rank) {
  int64_t none[ARR_MAX_RANK] = {0};
  if (put_index(e, r, 0, rank, none, 0)) return r;
  arr_release(r);
  return NULL;
}

arr *prim_iota(prim_env *e, arr *y) {
  int64_t shape[ARR_MAX_RANK];
  if (y->rank > 1) return fail(e, ERR_RANK, "the argument must be a scalar or a vector");
  if (y->count > ARR_MAX_RANK) return fail(e, ERR_LIMIT, "the rank would be above 15");
  arr *n = prim_ints(e, y, "the argument"), *r = NULL;
  if (!n) return NULL;
  int rank = (int)n->count;
  for (int k = 0; k < rank; k++) shape[k] = arr_get_int(n, k);
  arr_release(n);
  for (int k = 0; k < rank; k++)
    if (shape[k] < 0) return fail(e, ERR_DOMAIN, "the argument must not be negative");
  if (rank == 1) {
    if (shape[0] > INT64_MAX - 1)
      return fail(e, ERR_LIMIT, "the last index would be above 2*63");
    return iota(e, shape[0]);
  }
  r = arr_new(e->c, ET_NEST, rank, shape);
  if (!r || !r->count) return r ? index_prototype(e, r, rank) : NULL;
  for (int64_t i = 0; i < r->count; i++)
    if (!put_index(e, r, i, rank, shape, i)) {
      arr_release(r);
      return NULL;
    }
  return r;
}

arr *prim_where(prim_env *e, arr *y) {
  arr *m = prim_ints(e, y, "the argument"), *r = NULL;
  int64_t n = 0, at = 0;
  for (int64_t i = 0; m && i < m->count; i++) {
    int64_t v = arr_get_int(m, i);
    if (v < 0) fail(e, ERR_DOMAIN, "the argument must not be negative");
    else if (v > INT64_MAX - n) fail(e, ERR_LIMIT, "more than 2*63 elements");
    if (err_is(e->c)) goto done;
    n += v;
  }
  if (!m) return NULL;
  bool flat = y->rank == 1;
  r = arr_vec(e->c,
              !flat ? ET_NEST
              : n   ? elt_for_range(0, y->count + e->io - 1)
                    : ET_BIT,
              n);
  if (r && !flat && !n) r = index_prototype(e, r, y->rank);
  for (int64_t i = 0; r && i < m->count; i++)
    for (int64_t v = arr_get_int(m, i); r && v > 0; v--, at++) {
      if (flat) {
        arr_put_int(r, at, i + e->io);
      } else if (!put_index(e, r, at, y->rank, y->shape, i)) {
        arr_release(r);
        r = NULL;
      }
    }
done:
  arr_release(m);
  return r;
}

/* ── subscripts ─────────────────────────────────────────────────────────────────────── */

typedef struct subs { /* checked subscripts: positions from 0 along each axis */
  int n;
  arr *at[ARR_MAX_RANK]; /* integer arrays counted from ⎕IO; NULL: all of the axis */
  int64_t len[ARR_MAX_RANK]; /* how many positions */
  int rank;                  /* of the result */
  int64_t shape[ARR_MAX_RANK];
} subs;

static void subs_free(subs *s) {
  for (int k = 0; k < s->n; k++) arr_release(s->at[k]);
}

static bool in_range(prim_env *e, const arr *at, int64_t n) {
  for (int64_t i = 0; i < at->count; i++) {
    int64_t v = arr_get_int(at, i);
    if (v < e->io || v - e->io >= n)
      return err_set(
          e->c, ERR_INDEX, "there is no index %s%llu in an axis of length %lld",
          v < 0 ? "¯" : "", v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v,
          (long long)n);
  }
  return true;
}

static bool subs_add(prim_env *e, subs *s, arr *at, int64_t n) {
  int k = s->n;
  s->at[k] = at ? prim_ints(e, at, "indices") : NULL;
  if (at && !s->at[k]) return false;
  s->n++;
  s->len[k] = at ? at->count : n;
  int rank = at ? at->rank : 1;
  if (s->rank + rank > ARR_MAX_RANK)
    return err_set(e->c, ERR_LIMIT, "the rank would be above 15");
  memcpy(s->shape + s->rank, at ? at->shape : &n, (size_t)rank * sizeof n);
  s->rank += rank;
  return !at || in_range(e, s->at[k], n);
}

/* Calls for each line of positions along the last axis: offset of the line in x, and where
 * it goes in the result. The last subscript is applied by the caller of next_line. */
typedef struct lines {
  int64_t at[ARR_MAX_RANK], stride[ARR_MAX_RANK], base, done;
} lines;

static int64_t position(const prim_env *e, const subs *s, int k, int64_t i) {
  return s->at[k] ? arr_get_int(s->at[k], i) - e->io : i;
}

static void lines_start(const prim_env *e, const subs *s, const arr *x, lines *l) {
  *l = (lines){.base = 0};
  strides_of(x->rank, x->shape, l->stride);
  for (int k = 0; k + 1 < s->n; k++) l->base += position(e, s, k, 0) * l->stride[k];
}

static bool lines_next(const prim_env *e, const subs *s, lines *l) {
  for (int k = s->n - 2; k >= 0; k--) {
    l->base -= position(e, s, k, l->at[k]) * l->stride[k];
    bool more = ++l->at[k] < s->len[k];
    if (!more) l->at[k] = 0;
    l->base += position(e, s, k, l->at[k]) * l->stride[k];
    if (more) return true;
  }
  return false;
}

static void gather(arr *r, int64_t ro, const arr *x, int64_t base, const arr *at,
                   int io) {
  for (int64_t i = 0; i < at->count; i++)
    arr_copy(r, ro + i, x, base + arr_get_int(at, i) - io, 1);
}

#define GATHER(T)                                                                        \
  for (int64_t i = 0; i < n; i++)                                                        \
    ((T *)r->host)[ro + i] = ((const T *)x->host)[base + arr_get_int(at, i) - io];       \
  return

/* r[ro+i] = x[base + at[i]] for one line; fast for the common widths. */
static void take_line(arr *r, int64_t ro, const arr *x, int64_t base, const arr *at,
                      int io) {
  int64_t n = at->count;
  switch (x->type == ET_NEST ? 0 : elt_bits((elt)x->type)) {
  case 8: GATHER(uint8_t);
  case 16: GATHER(uint16_t);
  case 32: GATHER(uint32_t);
  case 64: GATHER(uint64_t);
  default: gather(r, ro, x, base, at, io);
  }
}

static arr *select_subs(prim_env *e, const arr *x, const subs *s) {
  arr *r = new_like(e, x, s->rank, s->shape);
  if (!r || !r->count) return r;
  int last = s->n - 1;
  lines l;
  lines_start(e, s, x, &l);
  int64_t done = 0;
  do {
    if (s->at[last]) take_line(r, done, x, l.base, s->at[last], e->io);
    else arr_copy(r, done, x, l.base, s->len[last]);
    done += s->len[last];
  } while (lines_next(e, s, &l));
  return arr_squeeze(e->c, r);
}

/* ── x[i;j] ─────────────────────────────────────────────────────────────────────────── */

/* Does an item of a nested subscript name one element of x by an index for each axis? */
static bool chooses(const arr *item, const arr *x) {
  return item->type != ET_NEST && item->rank <= 1 && item->count == x->rank;
}

/* x[at] with a nested subscript: each item chooses an element or is a path to one. */
static arr *index_items(prim_env *e, arr *x, const arr *at) {
  arr *r = arr_new(e->c, ET_NEST, at->rank, at->shape);
  for (int64_t i = 0; r && i < at->count; i++) {
    arr *item = arr_item(at, i), *got = NULL;
    arr *path = chooses(item, x) ? arr_enclose(e->c, item) : arr_retain(item);
    if (path) got = pick_path(e, path, x);
    arr_release(path);
    ((arr **)r->host)[i] = got;
    if (got) continue;
    arr_release(r);
    return NULL;
  }
  if (r && !r->count) {
    arr_release(r);
    return new_like(e, x, at->rank, at->shape);
  }
  return arr_squeeze(e->c, r);
}

static bool subs_of(prim_env *e, const arr *x, int n, arr *const *at, subs *s) {
  *s = (subs){.n = 0};
  if (n != x->rank)
    return err_set(e->c, ERR_RANK, "%d subscripts for rank %d", n, x->rank);
  for (int k = 0; k < n; k++)
    if (!subs_add(e, s, at[k], x->shape[k])) return false;
  return true;
}

static bool is_nested_index(int n, arr *const *at) {
  return n == 1 && at[0] && at[0]->type == ET_NEST;
}

arr *prim_index(prim_env *e, arr *x, int n, arr *const *at) {
  subs s;
  if (is_nested_index(n, at)) return index_items(e, x, at[0]);
  if (n == 1 && !at[0]) return arr_retain(x); /* x[] */
  arr *r = subs_of(e, x, n, at, &s) ? select_subs(e, x, &s) : NULL;
  subs_free(&s);
  return r;
}

/* x⌷y along the axes k: each item of x is one subscript. */
arr *squad_axes(prim_env *e, arr *x, arr *y, int n, const int *k) {
  subs s = {.n = 0};
  arr *at[ARR_MAX_RANK] = {NULL}, *r = NULL;
  bool ok = true;
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  if (x->count != n) return fail(e, ERR_LENGTH, "one index is needed for each axis");
  for (int j = 0; ok && j < n; j++) ok = (at[k[j]] = arr_scalar_at(e->c, x, j)) != NULL;
  for (int j = 0; ok && j < y->rank; j++) ok = subs_add(e, &s, at[j], y->shape[j]);
  if (ok) r = y->rank ? select_subs(e, y, &s) : arr_retain(y);
  subs_free(&s);
  for (int j = 0; j < ARR_MAX_RANK; j++) arr_release(at[j]);
  return r;
}

arr *prim_squad(prim_env *e, arr *x, arr *y) {
  int k[ARR_MAX_RANK];
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  if (x->count > y->rank)
    return fail(e, ERR_LENGTH, "more indices than the array has axes");
  for (int j = 0; j < x->count; j++) k[j] = j;
  return squad_axes(e, x, y, (int)x->count, k);
}

arr *prim_window(prim_env *e, const arr *y, int n, const int64_t *from,
                 const int64_t *size) {
  int64_t shape[ARR_MAX_RANK], rs[ARR_MAX_RANK], ys[ARR_MAX_RANK], box[ARR_MAX_RANK];
  int64_t ro = 0, yo = 0;
  bool over = false;
  for (int k = 0; k < y->rank; k++) box[k] = shape[k] = k < n ? size[k] : y->shape[k];
  arr *r = new_like(e, y, y->rank, shape);
  if (!r || !r->count) return r;
  strides_of(y->rank, shape, rs);
  strides_of(y->rank, y->shape, ys);
  for (int k = 0; k < n; k++) {
    int64_t lo = from[k] < 0 ? 0 : from[k], hi = from[k] + size[k];
    if (hi > y->shape[k]) hi = y->shape[k];
    box[k] = hi > lo ? hi - lo : 0;
    over |= box[k] < size[k];
    ro += (lo - from[k]) * rs[k];
    yo += lo * ys[k];
  }
  if (over) fill_simple(r), range_with_fill(r);
  if (y->count) copy_box(r, ro, rs, y, yo, ys, y->rank, box);
  return over ? fill_rest(e, r, y) : arr_squeeze(e->c, r);
}

/* ── x[i;j]←v ───────────────────────────────────────────────────────────────────────── */

bool prim_conforms(prim_env *e, int rank, const int64_t *shape, const arr *v) {
  int i = 0, j = 0;
  if (is_scalar_like(v)) return true;
  for (;; i++, j++) {
    while (i < rank && shape[i] == 1) i++;
    while (j < v->rank && v->shape[j] == 1) j++;
    if (i == rank && j == v->rank) return true;
    int64_t places = i < rank ? shape[i] : 1, values = j < v->rank ? v->shape[j] : 1;
    if (places != values)
      return err_set(e->c, ERR_LENGTH, "%lld places for %lld values", (long long)places,
                     (long long)values);
  }
}

/* May its elements be written over? What is on a device too, or foreign, may not. */
static bool is_ours(const arr *x) {
  return x->refs == 1 && x->host && !x->dev && !x->drop;
}

/* x itself if it is ours and can hold elements of v too, else a copy that can. */
static arr *writable(prim_env *e, arr *x, const arr *v) {
  elt t = elt_join((elt)x->type, (elt)v->type);
  arr *r = x;
  if (t != x->type) r = arr_convert(e->c, x, t);
  else if (!is_ours(x)) r = arr_reshape(e->c, x, x->rank, x->shape);
  if (r) r->has_range = false;
  return r;
}

/* r[i] = element j of v; in nested r what was there is released. */
static bool put_element(prim_env *e, arr *r, int64_t i, const arr *v, int64_t j) {
  if (r->type != ET_NEST) {
    arr_copy(r, i, v, j, 1);
    return true;
  }
  arr *item = arr_scalar_at(e->c, v, j), **slot = (arr **)r->host + i;
  if (!item) return false;
  arr_release(*slot);
  *slot = item;
  return true;
}

/* *x becomes r, or r is dropped. */
static bool settle(arr **x, arr *r, bool ok) {
  arr *drop = ok ? *x : r;
  if (r == *x) return ok;
  if (ok) *x = r;
  arr_release(drop);
  return ok;
}

bool prim_put_item(prim_env *e, arr **x, int64_t i, arr *value) {
  arr *one = arr_enclose(e->c, value), *r = one ? writable(e, *x, one) : NULL;
  bool ok = r && settle(x, r, put_element(e, r, i, one, 0));
  arr_release(one);
  return ok;
}

/* *x in its normal form; it stays as it is when memory is out. */
static bool squeeze(prim_env *e, arr **x) {
  arr *r = arr_squeeze(e->c, arr_retain(*x));
  if (!r) return false;
  arr_release(*x);
  *x = r;
  return true;
}

/* Replaces the element at the end of a path: shared arrays on the way are copied. */
static bool put_path(prim_env *e, arr **x, const arr *path, int64_t from, arr *v) {
  int64_t pos = 0;
  if (from > ARR_MAX_DEPTH) return err_set(e->c, ERR_LIMIT, "the path is too long");
  if (path->rank > 1) return err_set(e->c, ERR_RANK, "a path must be a vector");
  if (from == path->count) {
    arr_release(*x);
    *x = arr_retain(v);
    return true;
  }
  arr *step = arr_scalar_at(e->c, path, from), *in = NULL;
  bool ok = step && index_position(e, step, *x, &pos) &&
            (in = arr_scalar_at(e->c, *x, pos)) && put_path(e, &in, path, from + 1, v) &&
            squeeze(e, &in) && prim_put_item(e, x, pos, in);
  arr_release(in);
  arr_release(step);
  return ok;
}

bool prim_pick_put(prim_env *e, arr **x, const arr *path, arr *v) {
  return put_path(e, x, path, 0, v) && squeeze(e, x);
}

static bool put_items(prim_env *e, arr **x, const arr *at, arr *v) {
  if (!prim_conforms(e, at->rank, at->shape, v)) return false;
  arr *r = arr_retain(*x);
  bool ok = true;
  for (int64_t i = 0; ok && i < at->count; i++) {
    arr *item = arr_item(at, i);
    arr *value = arr_scalar_at(e->c, v, is_scalar_like(v) ? 0 : i);
    arr *path = chooses(item, *x) ? arr_enclose(e->c, item) : arr_retain(item);
    ok = value && path && put_path(e, &r, path, 0, value);
    arr_release(path);
    arr_release(value);
  }
  if ((ok = ok && squeeze(e, &r))) { /* they change places: the old one goes */
    arr *old = *x;
    *x = r;
    r = old;
  }
  arr_release(r);
  return ok;
}

static bool put_subs(prim_env *e, arr *r, const subs *s, const arr *v) {
  lines l;
  int last = s->n - 1;
  int64_t j = 0, step = !is_scalar_like(v);
  lines_start(e, s, r, &l);
  do {
    for (int64_t i = 0; i < s->len[last]; i++, j += step)
      if (!put_element(e, r, l.base + position(e, s, last, i), v, j)) return false;
  } while (lines_next(e, s, &l));
  return true;
}

bool prim_index_put(prim_env *e, arr **x, int n, arr *const *at, arr *v) {
  subs s = {.n = 0};
  arr *all[ARR_MAX_RANK] = {NULL}, *items = NULL;
  if (is_nested_index(n, at)) return put_items(e, x, at[0], v);
  if (n == 1 && !at[0]) at = all, n = (*x)->rank; /* x[]← */
  if (!n && !(*x)->rank) {
    if (!is_scalar_like(v)) return err_set(e->c, ERR_RANK, "a scalar takes one value");
    return prim_put_item(e, x, 0, v->type == ET_NEST ? arr_item(v, 0) : v) &&
           squeeze(e, x);
  }
  bool any = true, ok = subs_of(e, *x, n, at, &s) && prim_conforms(e, s.rank, s.shape, v);
  for (int k = 0; k < s.n; k++) any &= s.len[k] != 0;
  if (ok && any) { /* what may be nested is made so first: then nothing fails half-way */
    arr *r = writable(e, *x, v);
    if (r) items = r->type == ET_NEST ? arr_convert(e->c, v, ET_NEST) : arr_retain(v);
    ok = r && settle(x, r, items && put_subs(e, r, &s, items)) && squeeze(e, x);
  }
  arr_release(items);
  subs_free(&s);
  return ok;
}

arr *prim_index_set(prim_env *e, arr *x, int n, arr *const *at, arr *v) {
  arr *r = arr_retain(x);
  if (prim_index_put(e, &r, n, at, v)) return r;
  arr_release(r);
  return NULL;
}
