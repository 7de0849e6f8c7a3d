/* SPDX-License-Identifier: MIT */
/* n_wise.c - n f/ y: the reduction of every window of n neighbours.
 *
 * The windows of a place in all lines at once are slices of y, each shifted by one: n of
 * them are reduced as whole arrays, from the right, so that a scalar primitive runs over
 * long arrays and fuses into one kernel that reads y once.
 *
 * Long windows of an associative function are put together from shorter ones: those of
 * 16^(k+1) elements are 16 windows of 16^k, shifted by 16^k, and n is written in base 16,
 * the longest windows on the left. So an element costs 16 joins for each digit of n, and
 * the bracketing of floats is a rule of n alone.
 *
 *     n = 37:   ├─ 16 ─┤├─ 16 ─┤1 1 1 1 1      two windows of 16, five of 1 */
#include <string.h>
#include "../../array/convert.h"
#include "../../tables/fast.h"
#include "../../tables/prim_fold.h"
#include "../run/primitive.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "scalar_fn.h"
#include "oper.h"

/* ── slices ─────────────────────────────────────────────────────────────────────────── */

/* n elements of y from `from` on, along the axis: a view, which the graph reads through. */
static arr *slice(vm *v, arr *y, int axis, int64_t from, int64_t n) {
  int64_t start[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  ir_call at = call_of(v);
  memcpy(size, y->shape, (size_t)y->rank * sizeof *size);
  start[axis] = from;
  size[axis] = n;
  return ir_box(&at, y, start, size);
}

/* ── windows ────────────────────────────────────────────────────────────────────────── */

typedef struct windows {
  vm *v;
  fn *f;
  int axis;
  bool reversed; /* a window is reduced from its first element */
  int64_t len;   /* how many windows there are in a line */
} windows;

/* *r joined with `pieces` windows of `each` elements, whose results are y, at `from` and
 * each behind the one before it. *r is NULL before the first. */
static bool join_pieces(const windows *w, arr *y, int64_t each, int64_t from,
                        int64_t pieces, arr **r) {
  for (int64_t k = 0; k < pieces; k++) {
    int64_t at = from + k * each;
    if (!w->reversed) at = from + (pieces - 1 - k) * each;
    OWNED arr *left = slice(w->v, y, w->axis, at, w->len);
    OWNED arr *right = arr_move(r);
    if (!left) return false;
    if (!right) *r = arr_move(&left);
    else if (fn_is_scalar(w->f, true)) *r = prim2(w->v, (prim)w->f->prim, left, right);
    else *r = each_call(w->v, w->f, left, right);
    if (!*r) return false;
  }
  return true;
}

/* The results of all windows of 16^k elements, k from 0 on: level[0] is y. */
enum { BASE = 16, LEVELS = 16 };
typedef struct levels {
  arr *at[LEVELS];
  int n;
} levels;

static void levels_drop(levels *l) {
  for (int k = 0; k < l->n; k++) arr_release(l->at[k]);
}
#define OWNED_LEVELS __attribute__((cleanup(levels_drop))) levels

/* Levels up to windows of at most `size` elements. They are computed here: each element of a
 * level is read by 16 of the next one. */
static bool make_levels(windows *w, arr *y, int64_t size, levels *l) {
  l->at[l->n++] = arr_retain(y);
  for (int64_t each = 1; each <= size / BASE; each *= BASE) {
    arr *below = l->at[l->n - 1], *r = NULL;
    w->len = below->shape[w->axis] - (BASE - 1) * each;
    bool ok = join_pieces(w, below, each, 0, BASE, &r);
    if (r) l->at[l->n++] = r;
    if (!ok || !ir_settle(w->v->g, r)) return false;
  }
  return true;
}

/* Is a window's reduction the same however it is bracketed, but for the rounding of floats? */
static bool is_associative(const fn *f, const arr *y) {
  if (!fn_is_scalar(f, true) || is_nested(y)) return false;
  cls on = cls_of((elt)y->type);
  const fold_row *row = fold_of((prim)f->prim, on);
  return row && (row->over == OVER_VALUES || row->on == CLS_B);
}

/* The digits of the window's length in base 16, from the end that is joined first. */
static arr *join_levels(windows *w, const levels *l, int64_t size) {
  arr *r = NULL;
  int64_t done = 0, each[LEVELS] = {1}, from[LEVELS], pieces[LEVELS];
  for (int k = 1; k < l->n; k++) each[k] = each[k - 1] * BASE;
  for (int k = l->n - 1; k >= 0; k--) { /* the longest ones stand on the left */
    from[k] = done;
    pieces[k] = (size - done) / each[k];
    done += pieces[k] * each[k];
  }
  for (int i = 0; i < l->n; i++) {
    int k = w->reversed ? l->n - 1 - i : i;
    if (join_pieces(w, l->at[k], each[k], from[k], pieces[k], &r)) continue;
    if (r) arr_release(r);
    return NULL;
  }
  return r;
}

static arr *reduce_windows(vm *v, fn *f, arr *y, int axis, int64_t n, bool strict) {
  int64_t size = n < 0 ? -n : n;
  windows w = {.v = v, .f = f, .axis = axis, .reversed = n < 0};
  OWNED_LEVELS l = {.n = 0};
  bool by_levels = is_associative(f, y) && !(strict && order_shows(f, y));
  int64_t longest = by_levels ? size : 1;
  if (by_levels) {
    ir_call at = call_of(v);
    arr *r = NULL;
#define FAST_SLIDING(way) FAST_FIRST(r, v->c, way(&at, (prim)f->prim, y, axis, size))
#include "../../tables/fast.def"
    if (r || err_is(v->c)) return r;
  }
  if (!make_levels(&w, y, longest, &l)) return NULL;
  w.len = y->shape[axis] - size + 1;
  return join_levels(&w, &l, size);
}

/* Windows of no elements: identities, one more than the axis is long. */
static arr *no_windows(vm *v, fn *f, arr *y, int axis) {
  int64_t shape[ARR_MAX_RANK];
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[axis]++;
  if (!ir_host(v->g, y)) return NULL;
  OWNED arr *id = reduce_identity(v, f, y);
  if (!id) return NULL;
  OWNED arr *one = arr_enclose(v->c, id);
  if (!one) return NULL;
  OWNED arr *to = arr_int_vec(v->c, y->rank, shape);
  return prim2(v, P_RHO, to, one);
}

/* The window's length, negative to have the windows reversed. */
static bool window_length(vm *v, arr *x, const arr *y, int64_t *n) {
  if (x->rank > 1)
    return err_set(v->c, ERR_RANK, "the window's length must be one number");
  if (!arg_int(v, x, n, "the window's length")) return false;
  return y->rank || err_set(v->c, ERR_RANK, "a scalar has no windows");
}

arr *n_wise(vm *v, fn *f, arr *x, arr *y, int axis, bool strict) {
  int64_t n;
  if (!window_length(v, x, y, &n)) return NULL;
  int64_t len = y->shape[axis];
  if (n > len + 1 || n < -len - 1)
    return err_null(v->c, ERR_LENGTH, "windows of %lld do not fit into %lld",
                    (long long)n, (long long)len);
  if (!n) return no_windows(v, f, y, axis);
  if (n > len || n < -len) return slice(v, y, axis, 0, 0);
  return reduce_windows(v, f, y, axis, n, strict);
}
