/* SPDX-License-Identifier: MIT */
/* api_ranks.c - parts of cut arrays for a program that runs as several ranks: vapl_cut, vapl_part, vapl_from_part.
 *
 * A part is an array that no other rank has. So its handle is marked, and is read or made a cut array of, but does
 * not meet arrays of APL. */
#include "../src/dist/dist.h"
#include "../src/ir/cuts.h"
#include "api.h"

vapl_status vapl_cut(vapl *v, uint32_t rank, const int64_t *shape, int64_t *first,
                     int64_t *rows) {
  if (!v) return VAPL_EARG;
  if (!first || !rows) return api_bad(v, "first or rows is NULL");
  *first = *rows = 0;
  if (api_count(v, rank, shape) < 0 || !api_enter(v)) return VAPL_EARG;
  dist_rows(&v->c, (int)rank, shape, first, rows);
  return api_leave(v, true);
}

/* The part of an array that is cut, or the array. */
static arr *part_of_handle(vapl *v, const vapl_array *h) {
  if (!is_ranked(&v->c) || h->part || !is_cut(h->a)) return arr_retain(h->a);
  return dist_part(&v->c, h->a);
}

vapl_status vapl_part(vapl *v, const vapl_array *a, int64_t *first, vapl_array **local) {
  if (local) *local = NULL;
  if (first) *first = 0;
  v = api_home(v, a);
  if (!v) return VAPL_EARG;
  if (!local) return api_bad(v, "local is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  if (!api_settle(v, a)) return api_leave(v, dist_end(&v->c, false));
  int64_t at, rows;
  OWNED arr *part = part_of_handle(v, a);
  bool cut = part && part != a->a;
  if (cut) dist_rows(&v->c, a->a->rank, a->a->shape, &at, &rows);
  bool ok = dist_end(&v->c, part && ir_verify(vm_ir(v->m)));
  ok = ok && api_give(v, arr_move(&part), false, local);
  if (ok) (*local)->part = cut || a->part;
  if (ok && cut && first) *first = at;
  return api_leave(v, ok);
}

/* Are its rows those of this rank? */
static bool is_part(vapl *v, const vapl_array *h, int rank, const int64_t *shape,
                    int64_t rows) {
  const arr *a = h->a;
  if (a->rank != rank)
    return err_set(&v->c, ERR_RANK, "the part has rank %d, the array %d", a->rank, rank);
  if (a->type == ET_NEST) return err_set(&v->c, ERR_DOMAIN, "a part is not nested");
  for (int i = 0; i < rank; i++) {
    int64_t want = i ? shape[i] : rows;
    if (a->shape[i] != want)
      return err_set(&v->c, ERR_LENGTH, "axis %d of the part has %lld, not %lld", i,
                     (long long)a->shape[i], (long long)want);
  }
  return true;
}

vapl_status vapl_from_part(vapl *v, uint32_t rank, const int64_t *shape,
                           const vapl_array *local, vapl_array **out) {
  if (out) *out = NULL;
  if (!v || api_home(v, local) != v) return VAPL_EARG;
  if (!out) return api_bad(v, "out is NULL");
  if (api_count(v, rank, shape) < 0 || !api_enter(v)) return VAPL_EARG;
  ctx *c = &v->c;
  int64_t first, rows;
  bool cut = dist_rows(c, (int)rank, shape, &first, &rows);
  bool ok = !is_cut(local->a) || err_set(c, ERR_DOMAIN, "the part is cut itself");
  ok = ok && api_to_host(v, local) && is_part(v, local, (int)rank, shape, rows);
  OWNED arr *r = NULL;
  if (dist_end(c, ok)) {
    r = cut ? dist_from_part(c, local->a, (int)rank, shape) : arr_retain(local->a);
    if (!cut && !dist_same_array(c, &r)) arr_release(arr_move(&r));
    if (!dist_end(c, r != NULL) && r) arr_release(arr_move(&r));
  }
  return api_leave(v, api_give(v, arr_move(&r), false, out));
}
