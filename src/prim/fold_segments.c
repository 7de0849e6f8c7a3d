/* SPDX-License-Identifier: MIT */
/* fold_segments.c - f/ and f\ of stretches of a vector, one after the other: what the kernels
 * that do many at once are compared with, and what gives their errors. */
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/view.h"
#include "../base/mem.h"
#include "direct.h"

#include <string.h>

/* Results, each a scalar or of a scan a vector, and the type that holds them all. */
typedef struct folded {
  ctx *c;
  arr **at;
  int64_t n;
  elt type;
} folded;

static void folded_close(folded *f) {
  for (int64_t i = 0; i < f->n; i++) arr_release(f->at[i]);
  mem_free(f->c, f->at);
}

static arr *fold_segment(prim_env *e, prim f, arr *y, const int64_t *pair, bool scan) {
  int64_t n = pair[1] - pair[0];
  view v;
  if (!view_ravelled(e->c, &v, pair[0], 1, &n)) return NULL;
  OWNED arr *part = view_copy(e->c, &v, &y);
  if (!part) return NULL;
  return scan ? prim_scan(e, f, part, 0) : prim_reduce(e, f, part, 0);
}

static bool fold_each(prim_env *e, prim f, arr *y, const arr *pairs, bool scan,
                      folded *all) {
  const int64_t *pair = pairs->host;
  int64_t n = pairs->shape[0];
  all->at = mem_alloc(e->c, (size_t)(n + 1) * sizeof *all->at);
  if (!all->at) return false;
  for (int64_t i = 0; i < n; i++, pair += pairs->shape[1]) {
    if (interrupted(e->c)) return false;
    arr *r = fold_segment(e, f, y, pair, scan);
    if (!r) return false;
    if (i) all->type = elt_join(all->type, (elt)r->type);
    else all->type = (elt)r->type;
    all->at[all->n++] = r;
  }
  return true;
}
#define OWNED_FOLDED __attribute__((cleanup(folded_close))) folded

arr *prim_reduce_segments(prim_env *e, prim f, arr *y, const arr *pairs) {
  OWNED_FOLDED all = {.c = e->c, .type = ET_BIT};
  if (!fold_each(e, f, y, pairs, false, &all)) return NULL;
  OWNED arr *r = arr_vec(e->c, all.type, all.n);
  if (!r) return NULL;
  for (int64_t i = 0; i < all.n; i++) arr_copy(r, i, all.at[i], 0, 1);
  return arr_move(&r);
}

arr *prim_scan_segments(prim_env *e, prim f, arr *y, const arr *pairs) {
  const int64_t *pair = pairs->host;
  OWNED_FOLDED all = {.c = e->c, .type = ET_BIT};
  if (!fold_each(e, f, y, pairs, true, &all)) return NULL;
  OWNED arr *r = arr_vec(e->c, all.type, y->count);
  if (!r) return NULL;
  memset(r->host, 0, elt_bytes(all.type, y->count));
  for (int64_t i = 0; i < all.n; i++, pair += pairs->shape[1])
    arr_copy(r, pair[0], all.at[i], 0, all.at[i]->count);
  return arr_move(&r);
}
