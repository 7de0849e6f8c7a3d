/* SPDX-License-Identifier: MIT */
/* each.c - f¨ y and x f¨ y, and the loop that calls a function for every pair of cells. */
#include "../run/primitive.h"
#include "../value/items.h"
#include "cells.h"
#include "oper.h"

/* f of the i-th cells; *r NULL if there was no result. */
static bool call_cell(vm *v, fn *f, cells *x, cells *y, int64_t i, arr **r) {
  arr *b = cells_at(v, y, i), *a = NULL;
  if (!b) return false;
  if (x) {
    a = cells_at(v, x, i);
    if (!a) return false;
  }
  return call(v, f, a, b, r);
}

/* Either all calls give results, or none does and that is allowed. */
static bool goes_with(const results *s, const arr *t, int64_t i) {
  if (t) return !s->none;
  return s->may_be_none && !s->of_fills && (s->none || !i);
}

bool call_cells(vm *v, fn *f, cells *x, cells *y, results *to) {
  if (!to->at) return false;
  for (int64_t i = 0; i < to->want; i++) {
    OWNED arr *t = NULL;
    int64_t cell = to->of_fills ? CELL_OF_FILLS : i;
    if (!call_cell(v, f, x, y, cell, &t)) return false;
    if (!goes_with(to, t, i))
      return err_set(v->c, ERR_VALUE, "the function gave no result");
    if (!t) {
      to->none = true;
      if (interrupted(v->c)) return false;
    } else if (!results_add(to, arr_move(&t))) return false;
  }
  return !to->of_fills || ir_host(v->g, to->at[0]);
}

/* ── ¨ ──────────────────────────────────────────────────────────────────────────────── */

static bool shapes_agree(vm *v, const arr *x, const arr *y) {
  if (arr_same_shape(x, y)) return true;
  if (x->rank != y->rank) return err_set(v->c, ERR_RANK, "the arguments' ranks differ");
  return err_set(v->c, ERR_LENGTH, "the arguments' lengths differ");
}

/* x f¨ y, or f¨ y if x is NULL; *r NULL if f gives no results. */
static bool each(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (fn_is_scalar(f, x != NULL) && !is_nested(y) && !(x && is_nested(x)))
    return give_result(r, prim_call(v, (prim)f->prim, x, y));
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return false;
  const arr *like = y; /* a single item goes with every item of the other argument */
  if (x && x->count == 1 && (y->count != 1 || y->rank >= x->rank)) like = y;
  else if (x && y->count == 1) like = x;
  else if (x && !shapes_agree(v, x, y)) return false;
  OWNED_CELLS ys = cells_items(y);
  OWNED_CELLS xs = cells_items(x ? x : y);
  OWNED_RESULTS all = results_open(v, like->rank, like->shape);
  all.may_be_none = true;
  if (!call_cells(v, f, x ? &xs : NULL, &ys, &all)) return false;
  return all.none || give_result(r, results_array(&all));
}

bool oper_each(vm *v, fn *f, arr *x, arr *y, arr **r) { return each(v, f->l.f, x, y, r); }

arr *each_call(vm *v, fn *f, arr *x, arr *y) {
  arr *r;
  if (each(v, f, x, y, &r) && !r) err_set(v->c, ERR_VALUE, "the function gave no result");
  return r;
}
