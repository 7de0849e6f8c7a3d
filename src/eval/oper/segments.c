/* SPDX-License-Identifier: MIT */
/* segments.c - f/¨x⊂y without parts: their places (prim/partition.c), then one fold of them
 * all (ir_reduce_segments), each by the tree of its own length. */
#include "segments.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "idiom.h"

/* The primitive that f/ folds the vector y with; P_COUNT: none that segments have. */
static prim fold_prim(vm *v, fn *f, const arr *y) {
  if (!fn_is_scalar(f, true) || is_nested(y) || y->rank != 1) return P_COUNT;
  if (y->type > ET_F64) return P_COUNT;
  return prim_in_force(v, (prim)f->prim, true);
}

bool segments_can_fold(vm *v, fn *f, arr *y) { return fold_prim(v, f, y) != P_COUNT; }

static bool has_empty(const arr *pairs) {
  const int64_t *at = pairs->host;
  for (int64_t i = 0; i < pairs->shape[0]; i++)
    if (at[2 * i] == at[2 * i + 1]) return true;
  return false;
}

arr *segments_fold(vm *v, fn *f, arr *y, arr *pairs) {
  prim p = fold_prim(v, f, y);
  if (p == P_COUNT || !pairs->shape[0] || has_empty(pairs)) return NULL;
  ir_call at = call_of(v);
  return ir_reduce_segments(&at, p, y, pairs);
}

static arr *lengths(vm *v, const arr *pairs) {
  const int64_t *at = pairs->host;
  int64_t n = pairs->shape[0];
  OWNED arr *r = arr_vec(v->c, ET_I64, n);
  if (!r) return NULL;
  for (int64_t i = 0; i < n; i++) ((int64_t *)r->host)[i] = at[2 * i + 1] - at[2 * i];
  return arr_move(&r);
}

arr *segments_each(vm *v, fn *each, prim by, arr *x, arr *y) {
  prim_env pe = env_of(v);
  part_idiom part;
  if (each->kind != F_DERIVED || each->code != OP_EACH || each->l.cls != C_FN)
    return NULL;
  if (is_nested(y) || y->rank != 1 || !part_idiom_of(v, each->l.f, y, &part)) return NULL;
  bool counts = part.kind == PART_SIZE;
  if (!counts && !(part.kind == PART_FOLD && segments_can_fold(v, part.fold, y)))
    return NULL;
  if (!ir_host(v->g, x)) return NULL;
  OWNED arr *pairs = partition_rows(&pe, by, x, y, 0);
  if (!pairs || !pairs->shape[0]) return NULL;
  if (counts) return lengths(v, pairs);
  return segments_fold(v, part.fold, y, pairs);
}
