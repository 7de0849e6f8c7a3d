/* SPDX-License-Identifier: MIT */
/* index.c - using indices: ⌷ and x[i;j].
 *
 * A subscript of any shape is checked once. Together they are a view of the array: along each
 * axis a list of positions, or the whole axis. A nested subscript alone is choose (each item
 * one index per axis) or reach (each item a path). */
#include "subscript.h"
#include "scalar.h"
#include "../base/each.h"
#include "../array/convert.h"
#include "../array/element.h"

/* ── subscripts ─────────────────────────────────────────────────────────────────────── */

void subscripts_free(subscripts *s) {
  for (int k = 0; k < s->n; k++) arr_release(s->at[k]);
}

static bool no_index(prim_env *e, int64_t v, int64_t n) {
  return err_set(e->c, ERR_INDEX, "there is no index %s in an axis of length %lld",
                 prim_int_text(v).at, (long long)n);
}

/* Are all of them indices of an axis of length n? */
static bool in_range(prim_env *e, const arr *at, int64_t n) {
  int64_t io = e->io, lo = at->lo, hi = at->hi;
  if (!at->count || (at->has_range && lo >= io && hi - io < n)) return true;
  sc_bounds(at, &lo, &hi);
  if (lo >= io && hi - io < n) return true;
  for (int64_t i = 0;; i++) { /* the first that is none */
    int64_t v = arr_get_int(at, i);
    if (v < io || v - io >= n) return no_index(e, v, n);
  }
}

/* The shape of a result while subscripts are added to it. */
typedef struct shape_so_far {
  int rank;
  int64_t at[ARR_MAX_RANK];
} shape_so_far;

static bool add_lengths(prim_env *e, shape_so_far *to, int rank, const int64_t *shape) {
  if (to->rank + rank > ARR_MAX_RANK)
    return err_set(e->c, ERR_LIMIT, "the rank would be above 15");
  for (int k = 0; k < rank; k++) to->at[to->rank++] = shape[k];
  return true;
}

/* One more subscript, for an axis of length n; NULL: all of it. */
static bool add_subscript(prim_env *e, subscripts *s, arr *at, int64_t n,
                          shape_so_far *shape) {
  s->at[s->n++] = NULL;
  if (!at) return add_lengths(e, shape, 1, &n);
  arr *own = prim_ints(e, at, "indices");
  s->at[s->n - 1] = own;
  return own && add_lengths(e, shape, at->rank, at->shape) && in_range(e, own, n);
}

/* The view has one axis for each subscript, whatever the shape of that is, of an array of that
 * shape. */
static void view_subscripts(const prim_env *e, const int64_t *shape, subscripts *s) {
  view_part *p = &s->v.part[0];
  s->v.parts = 1;
  p->source = 0;
  p->rank = s->n;
  p->to = p->from = 0;
  strides_of(s->n, shape, p->stride);
  for (int k = 0; k < s->n; k++) {
    const arr *list = s->at[k];
    p->list[k] = list;
    p->len[k] = shape[k];
    if (!list) continue;
    p->len[k] = list->count;
    p->from -= e->io * p->stride[k];
  }
  strides_of(s->n, p->len, p->to_stride);
}

static bool subscripts_in(prim_env *e, const int64_t *lengths, int n, arr *const *at,
                          subscripts *s) {
  shape_so_far shape = {.rank = 0};
  for (int k = 0; k < n; k++)
    if (!add_subscript(e, s, at[k], lengths[k], &shape)) return false;
  if (!view_shape(e->c, &s->v, shape.rank, shape.at)) return false;
  view_subscripts(e, lengths, s);
  return true;
}

bool subscripts_of(prim_env *e, const arr *x, int n, arr *const *at, subscripts *s) {
  s->n = 0;
  if (n != x->rank)
    return err_set(e->c, ERR_RANK, "%d subscripts for rank %d", n, x->rank);
  return subscripts_in(e, x->shape, n, at, s);
}

bool subscripts_of_ravel(prim_env *e, const arr *x, arr *at, subscripts *s) {
  s->n = 0;
  return subscripts_in(e, &x->count, 1, &at, s);
}

/* ── x[i;j] ─────────────────────────────────────────────────────────────────────────── */

arr *item_path(prim_env *e, arr *item, const arr *x) {
  bool chooses = item->type != ET_NEST && item->rank <= 1 && item->count == x->rank;
  if (chooses) return arr_enclose(e->c, item);
  return arr_retain(item);
}

/* Whose items are chosen by paths. */
typedef struct chosen {
  prim_env *e;
  arr *x;
} chosen;

static arr *choose_item(void *user, ctx *c, const arr *at, int64_t i) {
  const chosen *k = user;
  UNUSED(c);
  OWNED arr *path = item_path(k->e, arr_item(at, i), k->x);
  if (!path) return NULL;
  return pick_path(k->e, path, k->x);
}

static arr *index_items(prim_env *e, arr *x, const arr *at) {
  if (!at->count) return arr_like(e->c, x, at->rank, at->shape);
  chosen k = {e, x};
  return arr_squeeze(e->c, arr_map(e->c, at, choose_item, &k));
}

bool prim_place(prim_env *e, const arr *path, const arr *y, int64_t *place) {
  if (path->rank > 1 || path->count != 1) return false;
  OWNED arr *step = arr_scalar_at(e->c, path, 0);
  return step && index_position(e, step, y, place);
}

arr *prim_try_places(prim_env *e, const arr *at, arr *y) {
  OWNED arr *r = arr_new(e->c, ET_I64, at->rank, at->shape);
  for (int64_t i = 0; r && i < at->count; i++) {
    OWNED arr *path = item_path(e, arr_item(at, i), y);
    if (!path || !prim_place(e, path, y, (int64_t *)r->host + i)) return NULL;
  }
  if (r) arr_set_range(r, 0, y->count - 1);
  return arr_move(&r);
}

/* Elements of a vector, which are read one by one wherever they are. */
typedef struct gathering {
  const arr *x, *at;
  arr *r;
  int64_t io;
} gathering;

#define GATHER(T, A)                                                                     \
  {                                                                                      \
    const int64_t io = g->io;                                                            \
    const T *x = g->x->host;                                                             \
    const A *at = g->at->host;                                                           \
    T *r = g->r->host;                                                                   \
    for (int64_t i = from; i < to; i++) r[i] = x[at[i] - io];                            \
    break;                                                                               \
  }
#define GATHER_BY(T)                                                                     \
  switch (g->at->type) {                                                                 \
  case ET_I8: GATHER(T, int8_t)                                                          \
  case ET_I16: GATHER(T, int16_t)                                                        \
  case ET_I32: GATHER(T, int32_t)                                                        \
  default: GATHER(T, int64_t)                                                            \
  }                                                                                      \
  break;
static void gather_stretch(void *job, int64_t from, int64_t to) {
  const gathering *g = job;
  switch (elt_bits((elt)g->r->type)) {
  case 8: GATHER_BY(uint8_t)
  case 16: GATHER_BY(uint16_t)
  case 32: GATHER_BY(uint32_t)
  default: GATHER_BY(uint64_t)
  }
}

/* x[at] of a vector x. Returns NULL, with no error, if not applicable. */
static arr *try_index_vector(prim_env *e, const arr *x, arr *at) {
  enum { STEPS = 4 };
  bool fits = x->type != ET_BIT && x->type != ET_NEST && x->type != ET_C128;
  if (!fits || x->rank != 1 || !x->host || !at->host || !at->count) return NULL;
  if (at->type < ET_I8 || at->type > ET_I64) return NULL;
  if (!in_range(e, at, x->count)) return NULL;
  OWNED arr *r = arr_new(e->c, (elt)x->type, at->rank, at->shape);
  gathering g = {x, at, r, e->io};
  each_loop loop = {.n = at->count, .cell = 1, .steps = STEPS};
  loop.task = gather_stretch;
  loop.job = &g;
  if (!r) return NULL;
  if (!each_is_long(e->c, at->count)) gather_stretch(&g, 0, at->count);
  else if (!each_part(e->c, &loop)) return NULL;
  if (x->has_range) arr_set_range(r, x->lo, x->hi);
  return arr_move(&r);
}

static arr *index_subscripts(prim_env *e, arr *x, int n, arr *const *at) {
  subscripts s;
  arr *r = NULL;
  if (n == 1 && at[0]) r = try_index_vector(e, x, at[0]);
  if (r || err_is(e->c)) return r;
  if (subscripts_of(e, x, n, at, &s)) r = view_copy(e->c, &s.v, &x);
  subscripts_free(&s);
  return r;
}

arr *prim_index(prim_env *e, arr *x, int n, arr *const *at) {
  if (is_nested_index(n, at)) return index_items(e, x, at[0]);
  if (n == 1 && !at[0]) return arr_retain(x); /* x[] */
  return index_subscripts(e, x, n, at);
}

arr *prim_ravel_index(prim_env *e, arr *x, arr *at) {
  subscripts s;
  arr *r = NULL;
  if (x->rank == 1) return prim_index(e, x, 1, &at);
  if (subscripts_of_ravel(e, x, at, &s)) r = view_copy(e->c, &s.v, &x);
  subscripts_free(&s);
  return r;
}

/* ── x⌷y ────────────────────────────────────────────────────────────────────────────── */

/* Along the axes k: each item of x is one subscript. */
arr *squad_axes(prim_env *e, arr *x, arr *y, int n, const int *k) {
  arr *at[ARR_MAX_RANK] = {NULL}, *r = NULL;
  bool ok = true;
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  if (x->count != n) return fail(e, ERR_LENGTH, "one index is needed for each axis");
  if (!y->rank) return arr_retain(y);
  for (int j = 0; ok && j < n; j++) {
    at[k[j]] = arr_scalar_at(e->c, x, j);
    ok = at[k[j]] != NULL;
  }
  if (ok) r = index_subscripts(e, y, y->rank, at);
  for (int j = 0; j < y->rank; j++) arr_release(at[j]);
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
