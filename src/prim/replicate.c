/* SPDX-License-Identifier: MIT */
/* replicate.c - replicate and expand: x/y and x\y as functions.
 *
 * They see their argument as outer × axis × inner, and copy the cells of `inner` elements
 * that the left argument names along the axis. A truth vector on a simple vector, the
 * usual filter, has a loop of its own for each width. */
#include "axis.h"
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/convert.h"
#include "../array/element.h"

typedef struct plan { /* how an axis of n cells is copied to one of `total` */
  const arr *m;       /* the left argument; one element stands for all */
  int64_t n, steps, total;
  bool expand, fills;
} plan;

static int64_t mark(const plan *p, int64_t i) {
  if (p->m->count == 1) i = 0;
  return arr_get_int(p->m, i);
}

/* Cells that number v makes in the result. */
static uint64_t cells_of(const plan *p, int64_t v) {
  if (v < 0) return 0 - (uint64_t)v;
  if (!v && p->expand) return 1;
  return (uint64_t)v;
}

static bool plan_total(prim_env *e, plan *p) {
  uint64_t total = 0;
  int64_t used = 0;
  if (p->m->type == ET_BIT && p->m->count == p->steps && !p->expand) {
    p->total = sc_ones(p->m);
    return true;
  }
  for (int64_t i = 0; i < p->steps; i++) {
    int64_t v = mark(p, i);
    uint64_t more = cells_of(p, v);
    if (stops_at(e->c, i)) return false;
    if (more > (uint64_t)INT64_MAX - total)
      return err_set(e->c, ERR_LIMIT, "more than 2*63 elements");
    total += more;
    used += v > 0;
    if (v < 0 || (p->expand && !v)) p->fills = true;
  }
  p->total = (int64_t)total;
  if (p->expand && p->n != 1 && used != p->n)
    return err_set(e->c, ERR_LENGTH, "%lld cells are wanted of %lld", (long long)used,
                   (long long)p->n);
  return true;
}

static bool plan_new(prim_env *e, plan *p, const arr *m, int64_t n, bool expand) {
  *p = (plan){.m = m, .n = n, .expand = expand, .steps = m->count};
  if (expand) return plan_total(e, p);
  if (m->count != 1 && m->count != n && n != 1)
    return err_set(e->c, ERR_LENGTH, "the left argument has %lld elements for %lld cells",
                   (long long)m->count, (long long)n);
  if (m->count == 1) p->steps = n;
  return plan_total(e, p);
}

/* The cell of the argument that is used at step i, when `used` have been. */
static int64_t cell_at(const plan *p, int64_t i, int64_t used) {
  if (p->n == 1) return 0;
  return p->expand ? used : i;
}

/* Line o along the axis, where there are fill elements between the cells. */
static bool run_line(ctx *c, const plan *p, arr *r, const arr *y, split s, int64_t o) {
  int64_t used = 0, yo = o * s.n * s.inner, ro = o * p->total * s.inner;
  for (int64_t i = 0; i < p->steps; i++) {
    int64_t v = mark(p, i);
    int64_t from = yo + cell_at(p, i, used) * s.inner;
    for (int64_t k = 0; k < v; k++) {
      arr_copy(r, ro + k * s.inner, y, from, s.inner);
      if (stops_at(c, k + 1)) return false;
    }
    if (v > 0) used++;
    ro += (int64_t)cells_of(p, v) * s.inner;
  }
  return true;
}

enum { CELLS = 4096 }; /* cells of a line whose positions are listed at a time */

/* All lines, where the cells stand side by side: by the list of the cells that are
 * used. */
static bool gather_cells(ctx *c, const plan *p, arr *r, const arr *y, split s) {
  OWNED arr *list = arr_vec(c, ET_I64, min_i64(p->total, CELLS));
  if (!list) return false;
  view_part part = {.rank = 3,
                    .len = {s.outer, 0, s.inner},
                    .to_stride = {p->total * s.inner, s.inner, 1},
                    .stride = {s.n * s.inner, s.inner, 1},
                    .list = {NULL, list, NULL}};
  int64_t used = 0, *n = &part.len[1];
  for (int64_t i = 0; i < p->steps; i++) {
    int64_t v = mark(p, i), cell = cell_at(p, i, used);
    if (v) used++;
    for (; v > 0; v--) {
      ((int64_t *)list->host)[(*n)++] = cell;
      if (*n < list->count) continue;
      if (!view_copy_part(r, y, &part)) return false;
      part.to += *n * s.inner;
      *n = 0;
    }
  }
  return view_copy_part(r, y, &part);
}

/* A truth vector on a simple vector of whole bytes, by pieces: where the elements of a piece go
 * follows from how many ones stand before it. */
enum { PIECE = 2048 };
typedef struct filter_job {
  const arr *m, *y;
  arr *r;
  int64_t *at; /* of the pieces, in r */
} filter_job;

#define FILTER(T)                                                                        \
  {                                                                                      \
    T *to = (T *)k->r->host;                                                             \
    const T *from = (const T *)k->y->host;                                               \
    for (int64_t i = begin; i < end; i += 64) {                                          \
      uint64_t w = sc_word(k->m, i);                                                     \
      if (w == UINT64_MAX) {                                                             \
        memcpy(to + j, from + i, 64 * sizeof(T));                                        \
        j += 64;                                                                         \
      } else                                                                             \
        for (; w; w &= w - 1) to[j++] = from[i + __builtin_ctzll(w)];                    \
    }                                                                                    \
    return;                                                                              \
  }

static void filter_pieces(void *job, int64_t first, int64_t last) {
  const filter_job *k = job;
  int64_t begin = first * PIECE, end = min_i64(last * PIECE, k->m->count), j = 0;
  if (first) j = k->at[first];
  switch (elt_bits((elt)k->y->type)) {
  case 8: FILTER(uint8_t)
  case 16: FILTER(uint16_t)
  case 32: FILTER(uint32_t)
  default: FILTER(uint64_t)
  }
}

static bool can_filter(const plan *p, const arr *y, split s) {
  if (p->m->type != ET_BIT || p->m->count != p->n || p->n == 1 || p->expand) return false;
  if (s.outer != 1 || s.inner != 1 || y->type == ET_NEST) return false;
  int bits = elt_bits((elt)y->type);
  return bits >= 8 && bits <= 64;
}

static bool filter(ctx *c, const plan *p, arr *r, const arr *y) {
  filter_job k = {.m = p->m, .y = y, .r = r};
  int64_t pieces = ceil_div(p->n, PIECE), ones = 0;
  if (!each_is_long(c, p->n)) {
    filter_pieces(&k, 0, pieces);
    return true;
  }
  OWNED arr *at = arr_vec(c, ET_I64, pieces);
  if (!at) return false;
  k.at = at->host;
  for (int64_t i = 0; i < p->n; i += 64) {
    if (i % PIECE == 0) k.at[i / PIECE] = ones;
    ones += __builtin_popcountll(sc_word(p->m, i));
  }
  each_loop loop = {.n = pieces, .cell = PIECE, .steps = 5};
  loop.task = filter_pieces;
  loop.job = &k;
  return each_part(c, &loop);
}

static arr *copy_cells(prim_env *e, arr *x, arr *y, int axis, bool expand) {
  plan p;
  int64_t shape[ARR_MAX_RANK] = {1};
  int rank = y->rank;
  if (!rank) { /* a scalar counts as a vector */
    rank = 1;
    axis = 0;
  }
  if (x->rank > 1)
    return fail(e, ERR_RANK, "the left argument must be a scalar or a vector");
  OWNED arr *m = prim_ints(e, x, "the left argument");
  if (!m) return NULL;
  for (int k = 0; k < y->rank; k++) shape[k] = y->shape[k];
  if (!plan_new(e, &p, m, shape[axis], expand)) return NULL;
  split s = {1, shape[axis], 1};
  shape[axis] = p.total;
  OWNED arr *r = arr_like(e->c, y, rank, shape);
  if (!r || !r->count) return arr_move(&r);
  for (int k = axis + 1; k < rank; k++) s.inner *= shape[k];
  s.outer = r->count / p.total / s.inner; /* r may have elements where y has none */
  if (p.fills) {
    arr_blank(r);
    for (int64_t o = 0; o < s.outer; o++)
      if (!run_line(e->c, &p, r, y, s, o)) return NULL;
    return arr_fill_rest(e->c, arr_move(&r), y);
  }
  bool ok;
  if (can_filter(&p, y, s)) ok = filter(e->c, &p, r, y);
  else ok = gather_cells(e->c, &p, r, y, s);
  if (!ok) return NULL;
  return arr_squeeze(e->c, arr_move(&r));
}

arr *prim_replicate(prim_env *e, arr *x, arr *y, int axis) {
  return cx_demote(e->c, copy_cells(e, x, y, axis, false));
}
arr *prim_expand(prim_env *e, arr *x, arr *y, int axis) {
  return copy_cells(e, x, y, axis, true);
}
