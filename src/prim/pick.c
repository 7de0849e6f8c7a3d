/* SPDX-License-Identifier: MIT */
/* pick.c - one element of an array, and paths into nested ones: ⊃. */
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"

arr *prim_first(prim_env *e, arr *y) {
  if (y->count) return arr_scalar_at(e->c, y, 0);
  if (y->type == ET_NEST) return arr_proto(e->c, arr_item(y, 0));
  return arr_fill_of(e->c, y);
}

bool index_position(prim_env *e, arr *index, const arr *y, int64_t *pos) {
  if (index->rank > 1)
    return err_set(e->c, ERR_RANK, "an index must be a scalar or a vector");
  if (index->count != y->rank)
    return err_set(e->c, ERR_RANK, "%lld indices for rank %d", (long long)index->count,
                   y->rank);
  OWNED arr *at = prim_ints(e, index, "indices");
  if (!at) return false;
  *pos = 0;
  for (int k = 0; k < y->rank; k++) {
    int64_t v = arr_get_int(at, k);
    if (v < e->io || v - e->io >= y->shape[k])
      return err_set(e->c, ERR_INDEX, "there is no index %s", prim_int_text(v).at);
    *pos = *pos * y->shape[k] + (v - e->io);
  }
  return true;
}

arr *pick_path(prim_env *e, const arr *x, arr *y) {
  if (x->rank > 1) return fail(e, ERR_RANK, "the path must be a vector");
  OWNED arr *at = arr_retain(y);
  for (int64_t i = 0; i < x->count; i++) {
    int64_t pos = 0;
    OWNED arr *index = arr_scalar_at(e->c, x, i);
    if (!index || !index_position(e, index, at, &pos)) return NULL;
    arr *next = arr_scalar_at(e->c, at, pos);
    arr_release(at);
    at = next;
    if (!at) return NULL;
  }
  return arr_move(&at);
}

arr *prim_pick(prim_env *e, arr *x, arr *y) { return pick_path(e, x, y); }
