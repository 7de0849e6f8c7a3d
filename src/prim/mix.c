/* SPDX-License-Identifier: MIT */
/* mix.c - ↑: the items of a nested array become cells of one array, filled up to a common
 * shape. */
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/each.h"
#include "../base/mem.h"

#include <math.h>
#include <string.h>

typedef struct frame { /* what the items of a nested array have in common */
  int rank;
  int64_t shape[ARR_MAX_RANK];
} frame;

static void frame_add(frame *f, const arr *item, bool first) {
  int more = item->rank - f->rank;
  if (more > 0) { /* new leading axes of length 1 */
    memmove(f->shape + more, f->shape, (size_t)f->rank * sizeof *f->shape);
    for (int k = 0; k < more; k++) f->shape[k] = !first;
    f->rank = item->rank;
  }
  for (int k = 0; k < f->rank; k++) {
    int j = k - (f->rank - item->rank);
    int64_t n = j < 0 ? 1 : item->shape[j];
    if (n > f->shape[k]) f->shape[k] = n;
  }
}

/* The type that holds all items and the fill elements that some of them need. An empty
 * item that needs no fill does not count. */
static elt mixed_type(const arr *y, const frame *f) {
  static const arr blank = {.type = ET_C8}, zero = {.type = ET_BIT};
  arr_joined all = {0};
  int64_t size = 1;
  for (int k = 0; k < f->rank && size; k++) size = f->shape[k] != 0;
  for (int64_t i = 0; i < y->count && size; i++) {
    const arr *item = arr_item(y, i);
    if (item->count || item->type == ET_NEST) arr_join_add(&all, item);
    else if (elt_is_char((elt)item->type)) arr_join_add(&all, &blank);
    else arr_join_add(&all, &zero);
  }
  if (!all.some) return (elt)arr_item(y, 0)->type;
  return arr_joined_type(&all);
}

/* The fill element of nested cells that an item does not fill: the item's own. */
static arr *cell_fill(prim_env *e, const arr *item) {
  OWNED arr *fill = arr_fill_of(e->c, item);
  bool wrapped = fill && fill->type == ET_NEST && !fill->rank; /* by ⊂ */
  if (wrapped) return arr_retain(arr_item(fill, 0));
  return arr_move(&fill);
}

/* Puts an item into cell i of r; a cell has the frame's shape and `size` elements. */
static bool put_cell(prim_env *e, arr *r, int64_t i, int64_t size, const frame *f,
                     arr *item) {
  if (item->type == r->type && item->rank == 1 && arr_copies_bytes(r)) {
    size_t each = elt_bytes((elt)r->type, 1);
    if (each_is_long(e->c, item->count))
      return arr_copy_long(r, i * size, item, 0, item->count);
    mem_copy((char *)r->host + (size_t)(i * size) * each, item->host,
             (size_t)item->count * each);
    return true;
  }
  OWNED arr *as = arr_convert(e->c, item, (elt)r->type);
  if (!as) return false;
  int lead = f->rank - item->rank;
  view_part p = {.rank = f->rank, .to = i * size};
  for (int k = 0; k < f->rank; k++) p.len[k] = k < lead ? 1 : item->shape[k - lead];
  strides_of(f->rank, f->shape, p.to_stride);
  strides_of(f->rank, p.len, p.stride);
  if (!view_copy_part(r, as, &p)) return false;
  if (item->count == size || r->type != ET_NEST) return true;
  OWNED arr *fill = cell_fill(e, item);
  for (int64_t j = 0; fill && j < size; j++) {
    arr **place = (arr **)r->host + i * size + j;
    if (!*place) *place = arr_retain(fill);
  }
  return fill != NULL;
}

arr *prim_mix(prim_env *e, arr *y) {
  frame f = {0};
  int64_t shape[2 * ARR_MAX_RANK], size;
  if (y->type != ET_NEST) return arr_retain(y);
  for (int64_t i = 0; i < arr_item_count(y); i++) {
    if (stops_at(e->c, i)) return NULL;
    frame_add(&f, arr_item(y, i), i == 0);
  }
  int rank = y->rank + f.rank;
  if (rank > ARR_MAX_RANK) return fail(e, ERR_LIMIT, "the rank would be above 15");
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  memcpy(shape + y->rank, f.shape, (size_t)f.rank * sizeof *shape);
  OWNED arr *r = arr_new(e->c, mixed_type(y, &f), rank, shape);
  if (!r) return NULL;
  if (!r->count) {
    if (r->type != ET_NEST) return arr_move(&r);
    return arr_like(e->c, arr_item(y, 0), rank, shape);
  }
  if (!arr_blank(r)) return NULL;
  size = r->count / y->count;
  for (int64_t i = 0; i < y->count; i++)
    if (stops_at(e->c, i) || !put_cell(e, r, i, size, &f, arr_item(y, i))) return NULL;
  return arr_squeeze(e->c, arr_move(&r));
}

/* ── ↑[axis] ────────────────────────────────────────────────────────────────────────── */

/* `inner` axes of the items, next to one another from axis `at` of the result on. */
static int consecutive(int at, int inner, int *k) {
  for (int j = 0; j < inner; j++) k[j] = at + j;
  return inner;
}

/* Which axes of a result of that rank the items' axes become: a fraction says between which
 * axes of y they go, whole numbers each axis. -1 after an error. */
static int item_axes(prim_env *e, const arr *axis, int outer, int rank, int *k) {
  int inner = rank - outer;
  int64_t v;
  if (axis->count == 1 && elt_is_float((elt)axis->type)) {
    double at = arr_get_float(axis, 0);
    if (fabs(at - rint(at)) > 1e-9) {
      at = ceil(at - e->io);
      if (at >= 0 && at <= outer) return consecutive((int)at, inner, k);
      fail(e, ERR_INDEX, "there is no place for those axes");
      return -1;
    }
  }
  if (axis->count == 1 && inner > 1 && prim_int(e, axis, "the axis", &v)) {
    if (v >= e->io && v - e->io <= outer) return consecutive((int)(v - e->io), inner, k);
    fail(e, ERR_INDEX, "there is no place for those axes");
    return -1;
  }
  int n = axes_of(e, axis, rank, k);
  if (n < 0 || n == inner) return n;
  fail(e, ERR_LENGTH, "one number is needed for each axis of the items");
  return -1;
}

arr *mix_axis(prim_env *e, arr *y, arr *axis) {
  int64_t to[ARR_MAX_RANK];
  int k[ARR_MAX_RANK], next = 0;
  bool taken[ARR_MAX_RANK] = {false};
  view v;
  OWNED arr *m = prim_mix(e, y);
  if (!m || m->rank == y->rank) return arr_move(&m);
  int n = item_axes(e, axis, y->rank, m->rank, k);
  if (n < 0) return NULL;
  for (int j = 0; j < n; j++) {
    taken[k[j]] = true;
    to[y->rank + j] = k[j];
  }
  for (int j = 0; j < y->rank; j++) {
    while (taken[next]) next++;
    to[j] = next++;
  }
  if (!move_transpose(e, m, to, m->rank, &v)) return NULL;
  return view_copy(e->c, &v, &m);
}
