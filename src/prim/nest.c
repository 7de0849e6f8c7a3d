/* SPDX-License-Identifier: MIT */
/* nest.c - the structural primitives that make and open items: ⊂ ⊆ ⊃ ↑ ↓ ∊ ≡ ≢ and the
 * partitions.
 *
 * An item of a nested array is any array; a simple scalar among the items stays a scalar
 * array of its own. Whatever selects items from a nested array hands its result through
 * arr_squeeze, so that an array without nested items is always a simple one.
 *
 * Cells are boxes of the argument, copied by copy_box. Functions that walk into items
 * (≡ ∊) follow the last item by a loop and give up with LIMIT ERROR at ARR_MAX_DEPTH levels
 * otherwise. */
#include "struct.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/match.h"

#include <math.h>
#include <string.h>

arr *prim_same(prim_env *e, arr *y) { return (void)e, arr_retain(y); }
arr *prim_left(prim_env *e, arr *x, arr *y) { return (void)e, (void)y, arr_retain(x); }
arr *prim_right(prim_env *e, arr *x, arr *y) { return (void)e, (void)x, arr_retain(y); }

static arr *too_deep(prim_env *e) {
  err_set(e->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
  return NULL;
}

/* ── ≡ ≢ ───────────────────────────────────────────────────────────────────────────── */

/* Depth, negative if uneven; INT64_MIN after LIMIT ERROR. */
static int64_t depth_of(prim_env *e, const arr *y, int level) {
  int64_t outer = 0, top = 0;
  bool even = true;
  while (y->type == ET_NEST && y->count <= 1) { /* one item: no need to recurse */
    outer++;
    y = arr_item(y, 0);
  }
  if (y->type != ET_NEST) return outer + (y->rank > 0);
  if (level > ARR_MAX_DEPTH) return too_deep(e), INT64_MIN;
  for (int64_t i = 0; i < y->count; i++) {
    int64_t d = depth_of(e, arr_item(y, i), level + 1);
    if (d == INT64_MIN) return d;
    int64_t size = d < 0 ? -d : d;
    if (d < 0 || (i && size != top)) even = false;
    if (size > top) top = size;
  }
  top += outer + 1;
  return even ? top : -top;
}

arr *prim_depth(prim_env *e, arr *y) {
  int64_t d = depth_of(e, y, 0);
  return d == INT64_MIN ? NULL : arr_int(e->c, d);
}

static arr *match(prim_env *e, const arr *x, const arr *y, bool wanted) {
  bool same;
  return arr_match_checked(e->c, x, y, e->ct, &same) ? arr_int(e->c, same == wanted)
                                                     : NULL;
}
arr *prim_match(prim_env *e, arr *x, arr *y) { return match(e, x, y, true); }
arr *prim_not_match(prim_env *e, arr *x, arr *y) { return match(e, x, y, false); }

/* ── ⊂ ⊆ ↓ ─────────────────────────────────────────────────────────────────────────── */

arr *prim_enclose(prim_env *e, arr *y) { return arr_enclose(e->c, y); }

arr *prim_nest(prim_env *e, arr *y) {
  if (!y->rank && y->type != ET_NEST) return arr_retain(y);
  bool nested = false;
  for (int64_t i = 0; y->type == ET_NEST && i < y->count + !y->count && !nested; i++)
    nested = arr_item(y, i)->rank || arr_item(y, i)->type == ET_NEST;
  return nested ? arr_retain(y) : arr_enclose(e->c, y);
}

/* The axes k become those of the items, in that order; the others stay outside. */
arr *enclose_axes(prim_env *e, arr *y, int n, const int *k) {
  int64_t in[ARR_MAX_RANK], out[ARR_MAX_RANK], is[ARR_MAX_RANK], os[ARR_MAX_RANK];
  int64_t ys[ARR_MAX_RANK], rs[ARR_MAX_RANK], at[ARR_MAX_RANK] = {0}, yo = 0;
  int m = 0;
  if (!n && y->type != ET_NEST) return arr_retain(y);
  strides_of(y->rank, y->shape, ys);
  for (int j = 0; j < y->rank; j++) {
    bool inside = false;
    for (int i = 0; i < n; i++) inside |= k[i] == j;
    if (!inside) out[m] = y->shape[j], os[m++] = ys[j];
  }
  for (int i = 0; i < n; i++) in[i] = y->shape[k[i]], is[i] = ys[k[i]];
  strides_of(n, in, rs);
  arr *r = arr_new(e->c, ET_NEST, m, out);
  for (int64_t i = 0; r && i < r->count + !r->count; i++) {
    arr *item = new_like(e, y, n, in);
    if (item && y->count) copy_box(item, 0, rs, y, yo, is, n, in);
    if (item && item->count && !r->count) { /* the prototype of no items */
      fill_simple(item);
      item->has_range = false;
      item = fill_rest(e, item, y);
    } else if (item && y->count) {
      item = arr_squeeze(e->c, item);
    }
    if (!(((arr **)r->host)[i] = item)) {
      arr_release(r);
      return NULL;
    }
    int j = m - 1;
    for (; j >= 0 && ++at[j] == out[j]; j--) yo -= os[j] * (out[j] - 1), at[j] = 0;
    if (j >= 0) yo += os[j];
  }
  return r;
}

arr *prim_split(prim_env *e, arr *y) {
  int last = y->rank - 1;
  return y->rank ? enclose_axes(e, y, 1, &last) : arr_retain(y);
}

/* ── x⊂y x⊆y ───────────────────────────────────────────────────────────────────────── */

/* Positions from..to-1 along axis k of y as an array of their own. */
static arr *slice(prim_env *e, const arr *y, int k, int64_t from, int64_t to) {
  int64_t shape[ARR_MAX_RANK];
  split s = split_at(y, k);
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[k] = to - from;
  arr *r = new_like(e, y, y->rank, shape);
  if (!r || !r->count) return r;
  int64_t run = (to - from) * s.inner;
  copy_box(r, 0, (int64_t[]){run, 1}, y, from * s.inner, (int64_t[]){s.n * s.inner, 1}, 2,
           (int64_t[]){s.outer, run});
  return arr_squeeze(e->c, r);
}

typedef struct parts { /* a vector of slices while it is made */
  arr *r;
  int64_t n;
} parts;

static bool add_part(prim_env *e, parts *p, const arr *y, int k, int64_t from,
                     int64_t to) {
  arr *item = slice(e, y, k, from, to);
  ((arr **)p->r->host)[p->n++] = item;
  return item != NULL;
}

/* A vector of n parts; without any it is empty with an empty part as its prototype. */
static bool parts_new(prim_env *e, parts *p, const arr *y, int k, int64_t n) {
  p->n = 0;
  p->r = arr_vec(e->c, ET_NEST, n);
  return p->r && (n || add_part(e, p, y, k, 0, 0));
}

static arr *parts_done(parts *p, bool ok) {
  if (ok) return p->r;
  arr_release(p->r);
  return NULL;
}

/* The left argument of a partition: whole numbers ≥ 0, one for each position or a scalar
 * for all. ⊂ may leave some out at the end, or have one more. */
static arr *part_marks(prim_env *e, arr *x, const arr *y, int k, bool loose) {
  int64_t n = y->rank ? y->shape[k] : 1;
  if (!y->rank) return fail(e, ERR_RANK, "the right argument must not be a scalar");
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  if (x->rank && (loose ? x->count > n + 1 : x->count != n && x->count != 1))
    return fail(e, ERR_LENGTH, "the left argument does not fit the axis that is cut");
  arr *m = prim_ints(e, x, "the left argument");
  for (int64_t i = 0; m && i < m->count; i++) {
    if (arr_get_int(m, i) >= 0) continue;
    arr_release(m);
    return fail(e, ERR_DOMAIN, "the left argument must not be negative");
  }
  if (!m || loose || m->count != 1) return m;
  arr *one = arr_scalar_at(e->c, m, 0);
  arr_release(m);
  return one;
}

static int64_t mark_at(const arr *m, int64_t i) {
  if (!m->rank) return arr_get_int(m, 0);
  return i < m->count ? arr_get_int(m, i) : 0;
}

/* x⊂y: x[i] parts start in front of position i, all but the last of them empty. */
arr *partition_axis(prim_env *e, arr *x, arr *y, int k) {
  arr *m = part_marks(e, x, y, k, true);
  int64_t n = y->rank ? y->shape[k] : 0, total = 0, open = -1;
  parts p;
  if (!m) return NULL;
  for (int64_t i = 0; i <= n; i++) {
    int64_t v = m->rank || i < n ? mark_at(m, i) : 0;
    if (v > INT64_MAX / 16 - total) {
      arr_release(m);
      return fail(e, ERR_WS_FULL, "too many parts");
    }
    total += v;
  }
  bool ok = parts_new(e, &p, y, k, total);
  for (int64_t i = 0; ok && i <= n; i++) {
    int64_t v = m->rank || i < n ? mark_at(m, i) : 0;
    for (; ok && v > 0; v--) {
      if (open >= 0) ok = add_part(e, &p, y, k, open, i);
      open = i;
    }
  }
  if (ok && open >= 0) ok = add_part(e, &p, y, k, open, n);
  arr_release(m);
  return parts_done(&p, ok);
}

/* x⊆y: a part starts where x grows, positions with x of 0 are in none. Rank above 1: the
 * parts are vectors along axis k, one vector of them for each line. */
static arr *nest_line(prim_env *e, const arr *m, const arr *y) {
  int64_t n = y->count, count = 0, from = -1;
  parts p;
  for (int64_t i = 0; i < n; i++) count += mark_at(m, i) > (i ? mark_at(m, i - 1) : 0);
  bool ok = parts_new(e, &p, y, 0, count);
  for (int64_t i = 0; ok && i <= n; i++) {
    int64_t v = i < n ? mark_at(m, i) : 0, before = i ? mark_at(m, i - 1) : 0;
    if (from >= 0 && (!v || v > before)) {
      ok = add_part(e, &p, y, 0, from, i);
      from = -1;
    }
    if (v > before) from = i;
  }
  return parts_done(&p, ok);
}

arr *nest_axis(prim_env *e, arr *x, arr *y, int k) {
  arr *m = part_marks(e, x, y, k, false), *lines = NULL, *r = NULL, *mixed = NULL;
  if (!m) return NULL;
  if (y->rank == 1) {
    r = nest_line(e, m, y);
  } else if ((lines = enclose_axes(e, y, 1, &k))) {
    bool ok = true;
    for (int64_t i = 0; ok && i < lines->count + !lines->count; i++) {
      arr **slot = (arr **)lines->host + i, *line = *slot;
      *slot = nest_line(e, m, line);
      arr_release(line);
      ok = *slot != NULL;
    }
    if (ok) mixed = prim_mix(e, lines);
  }
  if (mixed) { /* the axis of the parts goes where it came from */
    int64_t to[ARR_MAX_RANK];
    for (int j = 0; j < y->rank; j++) to[j] = j < k ? j : j + 1;
    to[y->rank - 1] = k;
    r = transpose_to(e, mixed, to, y->rank);
  }
  arr_release(mixed);
  arr_release(lines);
  arr_release(m);
  return r;
}

arr *prim_partition(prim_env *e, arr *x, arr *y) {
  return partition_axis(e, x, y, y->rank ? y->rank - 1 : 0);
}
arr *prim_nest_by(prim_env *e, arr *x, arr *y) {
  return nest_axis(e, x, y, y->rank ? y->rank - 1 : 0);
}

/* ── ⊃ ─────────────────────────────────────────────────────────────────────────────── */

arr *prim_first(prim_env *e, arr *y) {
  if (y->count) return arr_scalar_at(e->c, y, 0);
  if (y->type == ET_NEST) return arr_proto(e->c, arr_item(y, 0));
  return arr_fill_of(e->c, y);
}

/* Position of the element of y that `index` (a scalar or vector) names; false after an
 * error. */
bool index_position(prim_env *e, arr *index, const arr *y, int64_t *pos) {
  bool ok = true;
  if (index->rank > 1)
    return err_set(e->c, ERR_RANK, "an index must be a scalar or a vector");
  if (index->count != y->rank)
    return err_set(e->c, ERR_RANK, "%lld indices for rank %d", (long long)index->count,
                   y->rank);
  arr *at = prim_ints(e, index, "indices");
  if (!at) return false;
  *pos = 0;
  for (int k = 0; ok && k < y->rank; k++) {
    int64_t v = arr_get_int(at, k);
    if (v < e->io || v - e->io >= y->shape[k])
      ok = err_set(e->c, ERR_INDEX, "there is no index %s%llu", v < 0 ? "¯" : "",
                   v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v);
    else *pos = *pos * y->shape[k] + (v - e->io);
  }
  arr_release(at);
  return ok;
}

arr *pick_path(prim_env *e, const arr *x, arr *y) {
  arr *at = arr_retain(y);
  if (x->rank > 1) return arr_release(at), fail(e, ERR_RANK, "the path must be a vector");
  for (int64_t i = 0; at && i < x->count; i++) {
    int64_t pos = 0;
    arr *index = arr_scalar_at(e->c, x, i), *next = NULL;
    if (index && index_position(e, index, at, &pos)) next = arr_scalar_at(e->c, at, pos);
    arr_release(index);
    arr_release(at);
    at = next;
  }
  return at;
}

arr *prim_pick(prim_env *e, arr *x, arr *y) { return pick_path(e, x, y); }

/* ── ↑ ─────────────────────────────────────────────────────────────────────────────── */

typedef struct frame { /* what the items of a nested array have in common */
  int rank;
  int64_t shape[ARR_MAX_RANK];
} frame;

static void frame_add(frame *f, const arr *item, bool first) {
  int more = item->rank - f->rank;
  if (more > 0) { /* new leading axes of length 1 */
    memmove(f->shape + more, f->shape, (size_t)f->rank * sizeof *f->shape);
    for (int k = 0; k < more; k++) f->shape[k] = first ? 0 : 1;
    f->rank = item->rank;
  }
  for (int k = 0; k < f->rank; k++) {
    int j = k - (f->rank - item->rank);
    int64_t n = j < 0 ? 1 : item->shape[j];
    if (n > f->shape[k]) f->shape[k] = n;
  }
}

/* The type that holds all items and the fill elements that some of them need: an item
 * without elements that is not filled up has no say. */
static elt mixed_type(const arr *y, const frame *f) {
  elt t = ET_COUNT;
  int64_t size = 1;
  for (int k = 0; k < f->rank && size; k++) size = f->shape[k] ? 1 : 0;
  for (int64_t i = 0; i < y->count && size; i++) {
    const arr *item = arr_item(y, i);
    elt own = item->count || item->type == ET_NEST ? (elt)item->type
              : elt_is_char((elt)item->type)       ? ET_C8
                                                   : ET_BIT;
    t = t == ET_COUNT ? own : elt_join(t, own);
  }
  return t == ET_COUNT ? (elt)arr_item(y, 0)->type : t;
}

/* Puts an item into cell i of r, whose cells have the frame's shape, with the item's own
 * fill. */
static bool put_cell(prim_env *e, arr *r, int64_t i, int64_t size, const frame *f,
                     arr *item) {
  int64_t rs[ARR_MAX_RANK + 1], ys[ARR_MAX_RANK + 1], n[ARR_MAX_RANK + 1],
      all[ARR_MAX_RANK];
  arr *as = arr_convert(e->c, item, (elt)r->type), *fill = NULL;
  if (!as) return false;
  int lead = f->rank - item->rank;
  bool whole = item->count == size;
  for (int k = 0; k < f->rank; k++) {
    all[k] = f->shape[k];
    n[k] = k < lead ? 1 : item->shape[k - lead];
  }
  strides_of(f->rank, all, rs);
  strides_of(f->rank, n, ys);
  if (!whole && r->type == ET_NEST) fill = arr_fill_of(e->c, item);
  if (item->count) copy_box(r, i * size, rs, as, 0, ys, f->rank, n);
  bool ok = whole || r->type != ET_NEST || fill;
  if (fill && fill->type == ET_NEST && !fill->rank) { /* the item that ⊂ wrapped */
    arr *in = arr_retain(arr_item(fill, 0));
    arr_release(fill);
    fill = in;
  }
  for (int64_t j = 0; fill && j < size; j++) {
    arr **slot = (arr **)r->host + i * size + j;
    if (!*slot) *slot = arr_retain(fill);
  }
  arr_release(fill);
  arr_release(as);
  return ok;
}

arr *prim_mix(prim_env *e, arr *y) {
  frame f = {0};
  int64_t shape[2 * ARR_MAX_RANK], size = 1;
  if (y->type != ET_NEST) return arr_retain(y);
  for (int64_t i = 0; i < y->count + !y->count; i++)
    frame_add(&f, arr_item(y, i), i == 0);
  if (y->rank + f.rank > ARR_MAX_RANK)
    return fail(e, ERR_LIMIT, "the rank would be above 15");
  elt t = mixed_type(y, &f);
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  memcpy(shape + y->rank, f.shape, (size_t)f.rank * sizeof *shape);
  arr *r = arr_new(e->c, t, y->rank + f.rank, shape);
  if (!r) return NULL;
  if (!r->count) {
    if (r->type != ET_NEST) return r;
    arr_release(r);
    return new_like(e, arr_item(y, 0), y->rank + f.rank, shape);
  }
  fill_simple(r);
  for (int k = 0; k < f.rank; k++) size *= f.shape[k];
  for (int64_t i = 0; i < y->count; i++)
    if (!put_cell(e, r, i, size, &f, arr_item(y, i))) {
      arr_release(r);
      return NULL;
    }
  return arr_squeeze(e->c, r);
}

/* ↑[axis] y: a fraction says between which axes of y the items' axes go, whole numbers
 * which axes of the result they become. */
arr *mix_axis(prim_env *e, arr *y, arr *axis) {
  int64_t to[ARR_MAX_RANK], v;
  int k[ARR_MAX_RANK], n;
  bool taken[ARR_MAX_RANK] = {false};
  arr *m = prim_mix(e, y), *r = NULL;
  if (!m || m->rank == y->rank) return m;
  int inner = m->rank - y->rank;
  if (axis->count == 1 && elt_is_float((elt)axis->type) &&
      fabs(arr_get_float(axis, 0) - rint(arr_get_float(axis, 0))) > 1e-9) {
    double at = ceil(arr_get_float(axis, 0) - e->io);
    if (at < 0 || at > y->rank) fail(e, ERR_INDEX, "there is no place for those axes");
    n = err_is(e->c) ? -1 : inner;
    for (int j = 0; j < n; j++) k[j] = (int)at + j;
  } else if (axis->count == 1 && inner > 1 && prim_int(e, axis, "the axis", &v)) {
    n = v < e->io || v - e->io > y->rank ? -1 : inner;
    if (n < 0) fail(e, ERR_INDEX, "there is no place for those axes");
    for (int j = 0; j < n; j++) k[j] = (int)(v - e->io) + j;
  } else if ((n = axes_of(e, axis, m->rank, k)) >= 0 && n != inner) {
    n = -1;
    fail(e, ERR_LENGTH, "one number is needed for each axis of the items");
  }
  if (n == inner) {
    int free_at = 0;
    for (int j = 0; j < n; j++) taken[k[j]] = true, to[y->rank + j] = k[j];
    for (int j = 0; j < y->rank; j++) {
      while (taken[free_at]) free_at++;
      to[j] = free_at++;
    }
    r = transpose_to(e, m, to, m->rank);
  }
  arr_release(m);
  return r;
}

/* ── ∊ ─────────────────────────────────────────────────────────────────────────────── */

typedef VEC(const arr *) leaves;

/* Appends the simple arrays inside y, in order. */
static bool collect(prim_env *e, const arr *y, leaves *to, int depth) {
  while (y->type == ET_NEST && y->count) {
    if (depth > ARR_MAX_DEPTH) return too_deep(e), false;
    for (int64_t i = 0; i < y->count - 1; i++)
      if (!collect(e, arr_item(y, i), to, depth + 1)) return false;
    y = arr_item(y, y->count - 1);
  }
  return (y->type == ET_NEST && !y->count) || vec_push(e->c, to, y);
}

/* The innermost prototype of an array with no elements in it. */
static const arr *seed_of(const arr *y) {
  while (y->type == ET_NEST) y = arr_item(y, 0);
  return y;
}

arr *prim_enlist(prim_env *e, arr *y) {
  leaves all = {0};
  int64_t n = 0;
  arr *r = NULL;
  elt t = (elt)seed_of(y)->type;
  if (y->type != ET_NEST) return prim_ravel(e, y);
  if (!collect(e, y, &all, 0)) goto done;
  for (size_t i = 0; i < all.n; i++) {
    if (!all.at[i]->count) continue;
    t = n ? elt_join(t, (elt)all.at[i]->type) : (elt)all.at[i]->type;
    n += all.at[i]->count;
  }
  r = arr_vec(e->c, t, n);
  n = 0;
  for (size_t i = 0; r && i < all.n; i++) {
    const arr *part = all.at[i];
    if (t != ET_NEST) arr_copy(r, n, part, 0, part->count);
    for (int64_t j = 0; t == ET_NEST && j < part->count; j++) {
      if ((((arr **)r->host)[n + j] = arr_scalar_at(e->c, part, j))) continue;
      arr_release(r);
      r = NULL;
      goto done;
    }
    n += part->count;
  }
done:
  vec_free(e->c, &all);
  return r;
}
