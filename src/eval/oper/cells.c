/* SPDX-License-Identifier: MIT */
/* cells.c - the parts that arguments are taken apart into, and the result vector. */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../run/element.h"
#include "../run/primitive.h"
#include "cells.h"
#include <string.h>
#include "../value/items.h"

/* ── parts of an argument ───────────────────────────────────────────────────────────── */

/* An array of y's fill elements. */
static arr *fills(vm *v, const arr *y, int rank, const int64_t *shape) {
  prim_env pe = env_of(v);
  OWNED arr *fill = arr_fill_of(v->c, y);
  if (!fill) return NULL;
  OWNED arr *to = arr_int_vec(v->c, rank, shape);
  if (!to) return NULL;
  return prim_reshape(&pe, to, fill);
}

arr *item_of_fills(vm *v, const arr *a) {
  if (is_nested(a)) return arr_proto(v->c, arr_item(a, 0));
  return arr_fill_of(v->c, a);
}

static arr *make_item(vm *v, const cells *c, int64_t i) {
  if (i != CELL_OF_FILLS) return item_at(v, c->of, i);
  if (c->keep_first && c->of->count) return item_at(v, c->of, 0);
  return item_of_fills(v, c->of);
}

/* A cell of rank 0 is the element, an item still enclosed. */
static arr *make_cell(vm *v, const cells *c, int64_t i) {
  const arr *a = c->of;
  const int64_t *shape = a->shape + (a->rank - c->rank);
  if (i == CELL_OF_FILLS) return fills(v, a, c->rank, shape);
  if (a->type == ET_NEST && !c->rank) return arr_enclose(v->c, arr_item(a, i));
  arr *r = arr_new(v->c, (elt)a->type, c->rank, shape);
  if (!r) return NULL;
  arr_copy(r, 0, a, i * r->count, r->count);
  if (a->type == ET_NEST && !r->count) ((arr **)r->host)[0] = arr_retain(arr_item(a, 0));
  if (elt_is_int((elt)a->type) && a->has_range) arr_set_range(r, a->lo, a->hi);
  return r;
}

cells cells_items(arr *a) {
  return (cells){.make = make_item, .of = a, .count = a->count, .repeat = 1};
}

cells cells_of_rank(arr *a, int rank) {
  int64_t n = arr_product(a->rank - rank, a->shape);
  return (cells){.make = make_cell, .of = a, .rank = rank, .count = n, .repeat = 1};
}

bool cells_rank(vm *v, arr *k, int which, int rank, int *cell) {
  static const uint8_t from[4][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 1}, {0, 1, 2}};
  if (!ir_host(v->g, k)) return false;
  if (k->rank > 1) return err_set(v->c, ERR_RANK, "⍤ needs one to three ranks");
  if (k->type > ET_F64) return err_set(v->c, ERR_DOMAIN, "⍤ needs one to three ranks");
  if (k->count < 1 || k->count > 3)
    return err_set(v->c, ERR_LENGTH, "⍤ needs one to three ranks");
  double d = arr_get_float(k, from[k->count][which]);
  int64_t n = 99; /* no array has so many axes */
  if (d <= -99) n = -99;
  else if (d < 99) {
    n = (int64_t)d;
    if ((double)n != d) return err_set(v->c, ERR_DOMAIN, "a rank must be an integer");
  }
  if (n < 0) n += rank; /* axes that are left out of the cells */
  if (n < 0) n = 0;
  *cell = (int)(n < rank ? n : rank);
  return true;
}

static arr *cells_take(vm *v, cells *c, int64_t i) {
  arr_release(c->now);
  c->now = c->make(v, c, i);
  return c->now;
}

arr *cells_advance(vm *v, cells *c) {
  if (!cells_take(v, c, c->next)) return NULL;
  c->next++;
  if (c->next == c->count) c->next = 0;
  c->left = c->count == 1 ? INT64_MAX : c->repeat - 1;
  return c->now;
}

value cells_value(vm *v, cells *c) {
  prim_number n;
  bool elements = c->make == make_item || (c->make == make_cell && !c->rank);
  if (elements && c->repeat == 1 && prim_number_at(c->of, c->next, &n)) {
    c->next++;
    if (c->next == c->count) c->next = 0;
    return value_number(&n);
  }
  if (!cells_next(v, c)) return (value){0};
  if (c->left) return value_arr(arr_retain(c->now));
  return value_arr(arr_move(&c->now));
}

arr *cells_fills(vm *v, cells *c) { return cells_take(v, c, CELL_OF_FILLS); }

static bool has_characters(vm *v, const arr *a) {
  bool has = elt_is_char((elt)a->type);
  if (arr_nests(a) && out_of_stack(v->c)) return false;
  for (int64_t i = 0; arr_nests(a) && !has && i < arr_item_count(a); i++)
    has = has_characters(v, arr_item(a, i));
  return has;
}

arr *fills_for(vm *v, const fn *f, bool dyadic, arr *fills) {
  bool derived = f->kind == F_DERIVED && f->l.cls == C_FN;
  bool scalar = derived ? fn_is_scalar(f->l.f, true) : fn_is_scalar(f, dyadic);
  if (!scalar || !has_characters(v, fills)) return arr_retain(fills);
  OWNED arr *zero = arr_int(v->c, 0);
  return zero ? replace_leaves(v, fills, zero) : NULL;
}

void cells_close(cells *c) { arr_release(c->now); }

/* ── results ────────────────────────────────────────────────────────────────────────── */

results results_open(vm *v, int rank, const int64_t *shape) {
  results s = {.v = v, .rank = rank, .want = 1};
  bool fits = true;
  for (int k = 0; k < rank; k++) {
    s.shape[k] = shape[k];
    if (!shape[k]) s.of_fills = true;
    if (__builtin_mul_overflow(s.want, shape[k], &s.want)) fits = false;
  }
  if (s.of_fills) s.want = 1;
  else if (!fits || s.want >= PTRDIFF_MAX / 16) {
    err_set(v->c, ERR_WS_FULL, "an array of too many items");
    s.want = 0;
    return s;
  }
  s.at = mem_alloc(v->c, (size_t)s.want * sizeof *s.bits);
  if (!s.at) s.want = 0;
  return s;
}

/* The numbers become arrays; false: there was no memory, and what is left is dropped. */
static bool results_box(results *s) {
  int64_t n = s->n;
  unsigned of = s->numbers;
  s->n = 0;
  s->numbers = CLS_NONE;
  for (; of && s->n < n; s->n++) {
    value x;
    value_put_number(&x, of, s->bits[s->n].i);
    if (!value_make_array(s->v->c, &x)) return false;
    s->at[s->n] = x.a;
  }
  s->n = n;
  return true;
}

bool results_put(results *s, value x) {
  if (x.num && (x.num == s->numbers || !s->n)) {
    s->numbers = (cls)x.num;
    s->bits[s->n++].i = x.i;
    return !interrupted(s->v->c);
  }
  if (results_box(s) && value_box(s->v->c, &x)) return results_add(s, x.a);
  value_release(x);
  return false;
}

void results_close(results *s) {
  for (int64_t i = 0; !s->numbers && i < s->n; i++) arr_release(s->at[i]);
  mem_free(s->v->c, s->at);
}

/* The results as the items of an array of the frame's shape, whatever they are; s is empty
 * then. */
static arr *results_nested(results *s) {
  arr *all = arr_new(s->v->c, ET_NEST, s->rank, s->shape);
  if (!all) return NULL;
  memcpy(all->host, s->at, (size_t)s->n * sizeof *s->at);
  s->n = 0;
  return all;
}

static arr *results_numbers(results *s) {
  if (s->numbers == CLS_I) return arr_ints(s->v->c, s->rank, s->shape, &s->bits->i);
  arr *r = arr_new(s->v->c, ET_F64, s->rank, s->shape);
  if (r) memcpy(r->host, s->bits, (size_t)s->n * sizeof *s->bits);
  return r;
}

arr *results_array(results *s) {
  if (!s->at) return NULL;
  if (s->numbers) return results_numbers(s);
  if (s->of_fills) return collect_none(s->v, s->at[0], s->rank, s->shape);
  s->n = 0; /* collect takes the items over */
  return collect(s->v, s->at, s->rank, s->shape);
}

/* The result of fills alone, as the prototype of an empty array of the frame's shape. */
static arr *results_proto(results *s) {
  OWNED arr *proto = arr_proto(s->v->c, s->at[0]);
  if (!proto) return NULL;
  arr *all = arr_new(s->v->c, ET_NEST, s->rank, s->shape);
  if (all) ((arr **)all->host)[0] = arr_move(&proto);
  return all;
}

arr *results_mix(results *s) {
  if (!s->at) return NULL;
  bool simple = !s->of_fills;
  for (int64_t i = 0; !s->numbers && i < s->n; i++) {
    if (!ir_host(s->v->g, s->at[i])) return NULL;
    if (s->at[i]->rank || is_nested(s->at[i])) simple = false;
  }
  if (simple) return results_array(s);
  prim_env pe = env_of(s->v);
  OWNED arr *all = s->of_fills ? results_proto(s) : results_nested(s);
  if (!all) return NULL;
  return prim_mix(&pe, all);
}
