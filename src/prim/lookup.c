/* SPDX-License-Identifier: MIT */
/* lookup.c - for each major cell of y, which is the first cell of x that equals it? Which cells of y equal none
 * before?
 *
 * The answer is that of the plain definition, a search from the front with tolerant comparison. It is found in one of
 * three ways:
 *
 *   table       whole numbers and characters of a small range (table.c)
 *   hash        anything else (tolerant_hash.c)
 *   definition  few things to find; few elements among many, or many among few, by vectors (few.c)
 *
 * TRIED: sorting both sides where x has more than 65,536 numbers: the hash takes 0.6 to 1.3 times as long. */
#include "lookup.h"
#include "sort_keys.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/match.h"
#include "../array/view.h"
#include "../base/arith.h"
#include "../tables/fast.h"

enum { FEW = 4 }; /* no more than this is searched for one by one */

bool lookup_equal_at(const arr *x, int64_t i, const arr *y, int64_t j, double ct) {
  bool same;
  if (x->type == ET_NEST) {
    arr_match_checked(x->c, arr_item(x, i), arr_item(y, j), ct, &same);
    return same;
  }
  if (elt_is_char((elt)x->type)) return arr_get_int(x, i) == arr_get_int(y, j);
  return arr_num_equal_at(x, i, y, j, ct);
}

double lookup_tolerance(const arr *x, const arr *y, double ct) {
  if (x->type == ET_F32 && y->type == ET_F32) return 0;
  return ct;
}

bool lookup_equal_cells(const arr *x, int64_t i, const arr *y, int64_t j, int64_t size,
                        double ct) {
  for (int64_t k = 0; k < size; k++)
    if (!lookup_equal_at(x, i * size + k, y, j * size + k, ct)) return false;
  return true;
}

/* ── which way ──────────────────────────────────────────────────────────────────────── */

static bool by_definition(cells *s) {
  for (int64_t j = 0; j < s->ny; j++) {
    if (interrupted(s->e->c)) return false;
    int64_t i = 0;
    for (; i < s->nx && !lookup_equal_cells(s->x, i, s->y, j, s->size, s->ct); i++)
      if (stops_at(s->e->c, i)) return false;
    s->to[j] = i;
  }
  return true;
}

/* Both arguments of one type where that is needed to compare them: whole numbers, characters, items. */
static bool make_alike(cells *s, arr **x, arr **y) {
  bool nested = s->x->type == ET_NEST || s->y->type == ET_NEST;
  bool whole = !nested && sort_is_whole(s->x) && sort_is_whole(s->y);
  elt type = nested ? ET_NEST : elt_join((elt)s->x->type, (elt)s->y->type);
  if (!nested) s->ct = lookup_tolerance(s->x, s->y, s->ct);
  if (!nested && (!whole || s->size == 1)) return true;
  *x = arr_convert(s->e->c, (arr *)(uintptr_t)s->x, type);
  if (*x) *y = arr_convert(s->e->c, (arr *)(uintptr_t)s->y, type);
  s->x = *x;
  s->y = *y;
  return *y;
}

static bool look(cells *s) {
  bool text = elt_is_char((elt)s->x->type), mixed = text != elt_is_char((elt)s->y->type);
  bool nested = s->x->type == ET_NEST || s->y->type == ET_NEST;
  OWNED arr *x = NULL, *y = NULL;
  if (!s->nx || !s->size || (!nested && mixed)) { /* nothing, or nothing to compare */
    int64_t at = s->nx;
    if (!s->size) at = 0;
    for (int64_t j = 0; j < s->ny; j++) s->to[j] = at;
    return true;
  }
  if (!make_alike(s, &x, &y)) return false;
#define FAST_LOOKUP(way)                                                                 \
  if (way(s)) return true;                                                               \
  if (err_is(s->e->c)) return false;
#include "../tables/fast.def"
  bool ok = s->ny <= FEW ? by_definition(s) : lookup_by_hash(s);
  return ok && !err_is(s->e->c);
}

/* Cells of y of the shape of x's major cells; false after RANK or LENGTH ERROR. */
static bool cells_of(prim_env *e, const arr *x, const arr *y, cells *s) {
  if (!x->rank) return err_set(e->c, ERR_RANK, "a scalar has no major cells");
  int rank = y->rank - (x->rank - 1); /* of the result */
  if (rank < 0)
    return err_set(e->c, ERR_RANK, "rank %d has no cells of rank %d", y->rank,
                   x->rank - 1);
  for (int k = 1; k < x->rank; k++)
    if (x->shape[k] != y->shape[rank + k - 1])
      return err_set(e->c, ERR_LENGTH, "the cells of the arguments differ in shape");
  *s = (cells){.e = e, .x = x, .y = y, .nx = x->shape[0], .ct = e->ct};
  s->ny = arr_product(rank, y->shape);
  s->size = arr_product(x->rank - 1, x->shape + 1);
  return true;
}

bool prim_lookup(prim_env *e, const arr *x, const arr *y, int64_t *to) {
  cells s;
  if (!cells_of(e, x, y, &s)) return false;
  s.to = to;
  return look(&s);
}

arr *lookup_positions(prim_env *e, const arr *x, const arr *y) {
  cells s;
  if (!cells_of(e, x, y, &s)) return NULL;
  OWNED arr *r = arr_new(e->c, ET_I64, y->rank - (x->rank - 1), y->shape);
  if (!r) return NULL;
  s.to = r->host;
  if (!look(&s)) return NULL;
  return arr_move(&r);
}

arr *lookup_new(prim_env *e, arr *y) {
  cells s;
  OWNED arr *r = arr_vec(e->c, ET_BIT, y->shape[0]), *a = NULL, *b = NULL;
  if (!r || !cells_of(e, y, y, &s)) return NULL;
  if (!s.nx) return arr_move(&r);
  if (!s.size) { /* all are equal */
    if (!arr_blank(r)) return NULL;
    bit_add(r->host, 0, true);
    return arr_move(&r);
  }
  if (!make_alike(&s, &a, &b) || !lookup_new_by_hash(&s, r->host) || err_is(e->c))
    return NULL;
  return arr_move(&r);
}
