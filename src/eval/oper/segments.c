/* SPDX-License-Identifier: MIT */
/* segments.c - f¨ of the parts of a vector that have not been made (ir_items), and of many items that have been.
 *
 * Folds by monoids are one kernel, in which each part goes by the tree of its own length. Any
 * other function is lifted over all parts, beside a number for each; or else over all parts of
 * one length, as the rows of a matrix. Items of several axes are lifted over if they have one shape. */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../base/mem.h"
#include "../../tables/prim_fold.h"
#include "../run/call.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "../../tables/fast.h"
#include "lift.h"

#include <stdlib.h>

static const int64_t *pair_of(const arr *pairs, int64_t i) {
  return (const int64_t *)pairs->host + 2 * i;
}
static int64_t length_of(const arr *pairs, int64_t i) {
  return pair_of(pairs, i)[1] - pair_of(pairs, i)[0];
}

/* The primitive that f is, if segments of y are folded with it by one kernel; or P_COUNT. */
static prim monoid_of(vm *v, const fn *f, const arr *y) {
  if (!fn_is_scalar(f, true)) return P_COUNT;
  prim p = prim_in_force(v, (prim)f->prim, true);
  const fold_row *row = fold_of(p, cls_of((elt)y->type));
  return row && row->over != OVER_EVENNESS ? p : P_COUNT;
}

/* ── parts of one length ── */

/* The numbers of parts, those of one length together, and what is made of each such group. */
typedef struct groups {
  vm *v;
  arr *y, *pairs;
  int64_t *order, n; /* parts */
  arr **made;   /* by part: its group's result, borrowed or, of a group's first, owned */
  int64_t *row; /* its place there */
} groups;

static void groups_close(groups *g) {
  for (int64_t i = 0; g->made && i < g->n; i++)
    if (!g->row[i]) arr_release(g->made[i]);
  mem_free(g->v->c, g->order);
  mem_free(g->v->c, g->made);
  mem_free(g->v->c, g->row);
}
#define OWNED_GROUPS __attribute__((cleanup(groups_close))) groups

static int by_length(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : 1;
}

/* Their numbers by length, then in order. */
static bool groups_open(groups *g) {
  ctx *c = g->v->c;
  size_t n = (size_t)g->n;
  g->made = mem_zalloc(c, n * sizeof *g->made);
  g->row = mem_zalloc(c, n * sizeof *g->row);
  g->order = mem_alloc(c, n * sizeof *g->order);
  int64_t *keys = mem_alloc(c, 2 * n * sizeof *keys);
  bool ok = g->made && g->row && g->order && keys;
  for (size_t i = 0; ok && i < n; i++) {
    keys[2 * i] = length_of(g->pairs, (int64_t)i);
    keys[2 * i + 1] = (int64_t)i;
  }
  if (ok) qsort(keys, n, 2 * sizeof *keys, by_length);
  for (size_t i = 0; ok && i < n; i++) g->order[i] = keys[2 * i + 1];
  mem_free(c, keys);
  return ok;
}

/* Parts order[k] … order[end - 1] as the rows of a matrix. */
static arr *rows_of(groups *g, int64_t k, int64_t end) {
  int64_t len = length_of(g->pairs, g->order[k]),
          first = pair_of(g->pairs, g->order[k])[0];
  const int64_t shape[] = {end - k, len};
  bool line = true;
  for (int64_t i = k; i < end && line; i++)
    line = pair_of(g->pairs, g->order[i])[0] == first + (i - k) * len;
  if (line) { /* as it lies */
    int64_t size = len * (end - k);
    ir_call call = call_of(g->v);
    OWNED arr *z = ir_box(&call, g->y, &first, &size);
    return ir_reshape(&call, z, 2, shape);
  }
  if (!ir_host(g->v->g, g->y)) return NULL;
  OWNED arr *z = arr_new(g->v->c, (elt)g->y->type, 2, shape);
  for (int64_t i = k; z && i < end; i++)
    arr_copy(z, (i - k) * len, g->y, pair_of(g->pairs, g->order[i])[0], len);
  return arr_move(&z);
}

/* How many lengths there are, once they are in order. */
static int64_t count_groups(const groups *g) {
  int64_t many = 1;
  for (int64_t i = 1; i < g->n; i++)
    many += length_of(g->pairs, g->order[i]) != length_of(g->pairs, g->order[i - 1]);
  return many;
}

/* Do results go together? Those that are vectors become items, each of its own class. */
static bool go_together(const arr *r, const arr *first) {
  if (r->rank > 2 || r->rank != first->rank || r->type == ET_NEST) return false;
  bool same = cls_of((elt)r->type) == cls_of((elt)first->type);
  if (elt_is_char((elt)r->type) != elt_is_char((elt)first->type)) return false;
  return same || r->rank == 1;
}

/* f of each group; false without an error: of some it cannot be had, or not put together. */
static bool make_groups(groups *g, fn *f) {
  uint64_t drawn = g->v->random.drawn;
  bool ok = true;
  for (int64_t k = 0, end; ok && k < g->n; k = end) {
    int64_t len = length_of(g->pairs, g->order[k]);
    for (end = k; end < g->n && length_of(g->pairs, g->order[end]) == len; end++) {}
    OWNED arr *z = rows_of(g, k, end);
    arr *r = z ? lift_cells(g->v, f, false, z, 1) : NULL;
    bool only = k == 0 && end == g->n;
    for (int64_t i = k; i < end; i++) {
      g->made[g->order[i]] = r;
      g->row[g->order[i]] = i - k;
    }
    ok = r && (only || ir_host(g->v->g, r)) && go_together(r, g->made[g->order[0]]);
    ok = ok && !interrupted(g->v->c) && g->v->random.drawn == drawn;
  }
  g->v->random.drawn = drawn; /* what draws does so part by part */
  return ok;
}

/* How many elements of its group's result are a part's. */
static int64_t made_of(const groups *g, int64_t i) {
  return g->made[i]->rank > 1 ? g->made[i]->shape[1] : 1;
}

/* The results one behind the other. */
static arr *put_together(groups *g) {
  elt t = (elt)g->made[0]->type;
  int64_t count = 0;
  for (int64_t i = 0; i < g->n; i++) {
    t = elt_join(t, (elt)g->made[i]->type);
    count += made_of(g, i);
  }
  OWNED arr *r = arr_vec(g->v->c, t, count);
  for (int64_t i = 0, to = 0; r && i < g->n; i++) {
    int64_t n = made_of(g, i);
    arr_copy(r, to, g->made[i], g->row[i] * n, n);
    to += n;
  }
  return arr_move(&r);
}

/* Where they are then. */
static arr *made_pairs(const groups *g) {
  arr *r = arr_new(g->v->c, ET_I64, 2, g->pairs->shape);
  int64_t at = 0;
  for (int64_t i = 0; r && i < g->n; i++) {
    int64_t *pair = (int64_t *)r->host + 2 * i;
    pair[0] = at;
    pair[1] = at += made_of(g, i);
  }
  return r;
}

/* f¨, all parts of one length at once (lift.h). */
static arr *lift_groups(vm *v, fn *f, arr *y, arr *pairs) {
  OWNED_GROUPS g = {.v = v, .y = y, .pairs = pairs, .n = pairs->shape[0]};
  if (!ir_lifts(v->g, g.n) || !ir_host(v->g, pairs) || !groups_open(&g)) return NULL;
  if (!ir_lifts(v->g, g.n / count_groups(&g)) || !make_groups(&g, f)) return NULL;
  arr *only = g.made[g.order[0]];
  bool one = only == g.made[g.order[g.n - 1]];
  OWNED arr *r = NULL;
  if (!one) r = put_together(&g);
  else if (only->rank > 1) r = prim1(v, P_COMMA, only);
  else r = arr_retain(only);
  if (!r || only->rank == 1) return arr_move(&r);
  OWNED arr *at = made_pairs(&g);
  ir_call call = call_of(v);
  return at ? ir_items(&call, r, at) : NULL;
}

/* ── f/¨, f\¨ ── */

/* NULL without an error: f is no monoid, or some parts have no elements. */
static arr *derived_each(vm *v, fn *f, arr *y, arr *pairs) {
  bool foldable = y->rank == 1 && y->type <= ET_F64; /* by a kernel */
  prim p = foldable ? monoid_of(v, f->l.f, y) : P_COUNT;
  ir_call at = call_of(v);
  if (p == P_COUNT) return NULL;
  if (!is_scan(f->code)) return ir_reduce_segments(&at, p, y, pairs);
  OWNED arr *r = ir_scan_segments(&at, p, y, pairs);
  if (!r) return NULL;
  bool may_leave = !elt_is_float((elt)y->type) && elt_bits((elt)y->type) > 16;
  /* Where some results are floats, other parts' may have to stay integers. */
  if (may_leave && (!ir_settle(v->g, r) || elt_is_float((elt)r->type))) return NULL;
  return ir_items(&at, r, pairs);
}

static arr *segments_each(vm *v, fn *f, arr *y, arr *pairs) {
  ir_call at = call_of(v);
  if (fn_is(f, P_TALLY)) return ir_part_numbers(&at, pairs, PART_LENGTH);
  arr *r = fn_folded(f) ? derived_each(v, f, y, pairs) : NULL;
  if (!r && !err_is(v->c)) r = lift_over_parts(v, f, y, pairs);
  return r || err_is(v->c) ? r : lift_groups(v, f, y, pairs);
}

/* ── items that have been made ── */

/* So many items are worth it; what cannot be lifted over a few is not tried over all. */
enum { MANY = 64, MANY_CALLS = 512, FEW = 64 };

/* f¨ of the first n: vectors are stretches of a line, arrays of one shape cells of one array. */
static arr *items_each(vm *v, fn *f, const arr *y, int64_t n, bool line, bool fold) {
  OWNED arr *cells = line ? NULL : prim_try_cells_of_items(v->c, y, n);
  OWNED arr *pairs = NULL, *all = line ? prim_line_of_items(v->c, y, n, &pairs) : NULL;
  if (v->c->err.code == ERR_WS_FULL)
    err_clear(v->c); /* calls need no copy of all items */
  if (cells) return lift_rows_each(v, f, cells, ir_lifts(v->g, 1));
  if (!all) return NULL;
  return fold ? derived_each(v, f, all, pairs) : lift_over_parts(v, f, all, pairs);
}

static arr *segments_of_items(vm *v, fn *f, arr *y) {
  if (f->kind == F_PRIM || y->rank != 1 || y->count < MANY) return NULL;
  if (!y->host || !y->items_on_host) return NULL;
  bool line = prim_items_alike(y, true), fold = line && fn_folded(f);
  if (!fold && y->count < MANY_CALLS) return NULL;
  if (!fold) {
    uint64_t drawn = v->random.drawn;
    OWNED arr *some = items_each(v, f, y, FEW, line, fold);
    v->random.drawn = drawn;
    if (!some) return NULL;
  }
  return items_each(v, f, y, y->count, line, fold);
}

static arr *at_once(vm *v, fn *f, arr *y) {
  ir_call at = call_of(v);
  arr *line, *pairs;
  OWNED arr *rows = ir_rows(&at, y);
  bool many = rows && ir_lifts(v->g, rows->shape[0]);
  arr *all = many ? lift_rows_each(v, f, rows, true) : NULL;
  if (all || err_is(v->c)) return all;
  if (ir_stretches(y, &line, &pairs)) {
    arr *r = segments_each(v, f, line, pairs);
    if (r || err_is(v->c)) return r;
  }
  return is_nested(y) && ir_host_frame(v->g, y) ? segments_of_items(v, f, y) : NULL;
}

/* What is not had has drawn no random numbers. */
arr *each_of_segments(vm *v, fn *f, arr *y) {
  uint64_t drawn = v->random.drawn;
  arr *r = at_once(v, f, y);
  if (!r) v->random.drawn = drawn;
  return r;
}
