/* SPDX-License-Identifier: MIT */
/* key.c - f⌸: f called for each different key with the cells that have it, or with their
 * positions. Where f counts groups, folds them and goes on with what that gives, it is called
 * once for all of them (lift.h). */
#include "../../array/element.h"
#include "../../prim/index.h"
#include "../run/primitive.h"
#include "../value/items.h"
#include "cells.h"
#include "groups.h"
#include "../../tables/fast.h"
#include "oper.h"

/* ── a call for each key ────────────────────────────────────────────────────────────── */

typedef struct key_parts {
  const groups *g;
  arr *all; /* what is grouped, by groups; NULL: cells of higher rank are indexed */
} key_parts;

/* The positions, from ⎕IO, of the cells with key k. */
static arr *positions(vm *v, const groups *g, int64_t k) {
  if (k == CELL_OF_FILLS) return arr_vec(v->c, ET_BIT, 0);
  const int64_t *pair = (const int64_t *)g->pairs->host + 2 * k;
  int64_t n = pair[1] - pair[0], io = v->sv->io;
  arr *r = arr_vec(v->c, elt_for_range(0, g->n), n);
  for (int64_t i = 0; r && i < n; i++)
    arr_put_int(r, i, arr_get_int(g->order, pair[0] + i) + io);
  return r;
}

static arr *make_positions(vm *v, const cells *c, int64_t k) {
  return positions(v, ((const key_parts *)c->how)->g, k);
}

static arr *make_group(vm *v, const cells *c, int64_t k) {
  prim_env pe = env_of(v);
  const key_parts *p = c->how;
  arr *at[ARR_MAX_RANK] = {NULL};
  if (p->all && k != CELL_OF_FILLS) return groups_part(v, p->all, p->g->pairs, k);
  OWNED arr *where = positions(v, p->g, k);
  at[0] = where;
  if (!where) return NULL;
  return prim_index(&pe, c->of, c->of->rank, at);
}

static arr *key_groups(vm *v, fn *f, groups *g, arr *of) {
  key_parts how = {.g = g};
  arr *order = groups_order(v, g);
  if (!order || !groups_pairs(v, g) || !ir_host(v->g, g->pairs)) return NULL;
  if (!ir_host(v->g, order) || !ir_host(v->g, g->keys)) return NULL;
  OWNED arr *all = NULL;
  if (of && of->rank == 1 && of->count) {
    all = groups_elements(v, g, of);
    if (!all || !ir_host(v->g, all)) return NULL;
  }
  how.all = all;
  if (of && !all && !ir_host(v->g, of)) return NULL;
  OWNED_CELLS keys = cells_of_rank(g->keys, g->keys->rank - 1);
  OWNED_CELLS parts = {.make = of ? make_group : make_positions,
                       .of = of,
                       .how = &how,
                       .count = g->count,
                       .repeat = 1};
  OWNED_RESULTS made = results_open(v, 1, &g->count);
  if (!call_cells(v, f, &keys, &parts, &made)) return NULL;
  return results_mix(&made);
}

/* ── ⌸ ──────────────────────────────────────────────────────────────────────────────── */

/* f called once for all groups; NULL without an error: that cannot be. */
static arr *key_lifted(vm *v, fn *f, groups *g, arr *of) {
  if (!g->count || !ir_lifts(v->g, g->n)) return NULL;
  OWNED arr *n = of ? NULL : arr_int(v->c, g->n);
  OWNED arr *numbers = NULL;
  if (of) numbers = arr_retain(of);
  else if (n) numbers = prim1(v, P_IOTA, n);
  arr *r = NULL;
#define FAST_GROUPED(way)                                                                \
  if (numbers) FAST_FIRST(r, v->c, way(v, f, g, numbers))
#include "../../tables/fast.def"
  return r;
}

/* The groups, where a device has the keys, or what they are the keys of, or is to have them, there. */
static bool find_groups(vm *v, groups *g, arr *keys, const arr *of) {
  ir_call call = call_of(v);
  bool here = !ir_is_for_device(&call, keys) && (!of || of->host);
  bool rows = keys->rank == 2;
  bool exact = elt_is_int((elt)keys->type) || elt_is_char((elt)keys->type);
  bool fit = keys->rank == 1 ? !is_nested(keys) : rows && exact;
  if (!here && fit && keys->count) {
    if (groups_open_there(v, g, keys)) return true;
    if (err_is(v->c)) return false;
    groups_close(g);
  }
  return ir_host(v->g, keys) && groups_open(v, g, keys);
}

static arr *key_call(vm *v, fn *f, arr *x, arr *y) {
  OWNED_GROUPS g = {0};
  if ((x && !ir_settle(v->g, x)) || !ir_settle(v->g, y)) return NULL;
  arr *keys = x ? x : y, *of = x ? y : NULL;
  if (!keys->rank || !y->rank)
    return err_null(v->c, ERR_RANK, "a scalar has no cells to be grouped");
  if (x && arr_first_axis(x) != arr_first_axis(y))
    return err_null(v->c, ERR_LENGTH, "there must be as many keys as cells");
  if (!find_groups(v, &g, keys, of)) return NULL;
  arr *r = key_lifted(v, f, &g, of);
  if (r || err_is(v->c)) return r;
  return key_groups(v, f, &g, of);
}

bool oper_key(vm *v, fn *f, arr *x, arr *y, arr **r) {
  return give_result(r, key_call(v, f->l.f, x, y));
}
