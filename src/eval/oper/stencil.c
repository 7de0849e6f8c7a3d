/* SPDX-License-Identifier: MIT */
/* stencil.c - f⌺sizes: f called with each window of an array, and with how many of its cells
 * along each axis are fills: positive before, negative after. */
#include "../../array/element.h"
#include "../../base/arith.h"
#include "../../kir/kir.h"
#include "../../prim/args.h"
#include "../value/items.h"
#include "cells.h"
#include "../../tables/fast.h"
#include "oper.h"

#include <string.h>

typedef ir_stencil stencil;

/* How many windows the k-th axis has; false after an error. */
static bool stencil_axis(vm *v, stencil *s, int k, const arr *y) {
  int64_t size = s->size[k], len = y->shape[k];
  if (size < 1 || s->step[k] < 1)
    return err_set(v->c, ERR_DOMAIN, "the sizes and steps of ⌺ must be positive");
  if (size - (size > 2) > len) /* as Dyalog: fills on one side */
    return err_set(v->c, ERR_DOMAIN, "windows of %lld are too long for an axis of %lld",
                   (long long)size, (long long)len);
  s->frame[k] = (len - (size % 2 == 0) - 1) / s->step[k] + 1;
  return true;
}

static bool stencil_open(vm *v, stencil *s, arr *sizes, const arr *y) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, sizes)) return false;
  if (sizes->rank > 2)
    return err_set(v->c, ERR_RANK, "⌺ needs sizes, or a row of sizes and one of steps");
  bool steps = sizes->rank == 2;
  if (steps && sizes->shape[0] != 2)
    return err_set(v->c, ERR_LENGTH, "⌺ needs sizes, or a row of sizes and one of steps");
  int64_t n = steps ? sizes->shape[1] : sizes->count;
  if (!y->rank) return err_set(v->c, ERR_RANK, "⌺ has more sizes than the array axes");
  if (n > y->rank)
    return err_set(v->c, ERR_LENGTH, "⌺ has more sizes than the array axes");
  OWNED arr *m = prim_ints(&pe, sizes, "the sizes of ⌺");
  if (!m) return false;
  s->n = (int)n;
  for (int k = 0; k < n; k++) {
    s->size[k] = arr_get_int(m, k);
    s->step[k] = steps ? arr_get_int(m, n + k) : 1;
    if (!stencil_axis(v, s, k, y)) return false;
  }
  return true;
}

/* Where window i begins along each axis, before the array perhaps. */
static void window_begin(const stencil *s, int64_t i, int64_t *from) {
  for (int k = s->n - 1; k >= 0; k--) {
    from[k] = i % s->frame[k] * s->step[k] - (s->size[k] - 1) / 2;
    i /= s->frame[k];
  }
}

static arr *make_window(vm *v, const cells *c, int64_t i) {
  const stencil *s = c->how;
  prim_env pe = env_of(v);
  int64_t from[ARR_MAX_RANK];
  window_begin(s, i, from);
  return prim_window(&pe, c->of, s->n, from, s->size);
}

/* How many fills a window that begins at `from` has along axis k, negative: behind the array. */
static int64_t padding(const stencil *s, int k, int64_t from, const arr *y) {
  int64_t after = from + s->size[k] - y->shape[k];
  if (from < 0) return -from;
  return after > 0 ? -after : 0;
}

static arr *make_padding(vm *v, const cells *c, int64_t i) {
  const stencil *s = c->how;
  int64_t from[ARR_MAX_RANK];
  arr *pad = arr_vec(v->c, ET_I64, s->n);
  if (!pad) return NULL;
  window_begin(s, i, from);
  for (int k = 0; k < s->n; k++) arr_put_int(pad, k, padding(s, k, from[k], c->of));
  return pad;
}

/* ── all windows at once ── */

/* Elements that windows may be copied to where no kernel can read them in place. */
enum { MOST_COPIED = 1 << 24 };

/* y with the fills around it that windows reach. */
static arr *padded(vm *v, const stencil *s, arr *y) {
  int64_t from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  for (int k = 0; k < y->rank; k++) {
    size[k] = y->shape[k];
    if (k >= s->n) continue;
    from[k] = -((s->size[k] - 1) / 2);
    size[k] = (s->frame[k] - 1) * s->step[k] + s->size[k];
  }
  ir_call at = call_of(v);
  return ir_box(&at, y, from, size);
}

/* What make_padding gives along axis k: only windows at its ends reach fills, and what lies between
 * them is left to who asks for it. */
static arr *axis_paddings(vm *v, const stencil *s, int k, const arr *y) {
  int64_t before = (s->size[k] - 1) / 2, step = s->step[k], n = s->frame[k];
  int64_t first = min_i64(n, ceil_div(before, step)), last = 0, zero = 0;
  while (last < n && padding(s, k, (n - 1 - last) * step - before, y) < 0) last++;
  int64_t between = n - last;
  OWNED arr *head = arr_vec(v->c, ET_I64, max_i64(first, 1));
  OWNED arr *tail = arr_vec(v->c, ET_I64, last);
  if (!head || !tail) return NULL;
  int64_t *at_head = head->host, *at_tail = tail->host;
  *at_head = 0;
  for (int64_t i = 0; i < first; i++) at_head[i] = padding(s, k, i * step - before, y);
  for (int64_t i = 0; i < last; i++)
    at_tail[i] = padding(s, k, (between + i) * step - before, y);
  ir_call at = call_of(v);
  OWNED arr *begin = ir_box(&at, head, &zero, &between);
  return ir_dyadic(&at, P_COMMA, begin, tail);
}

/* What make_padding gives for each window: a vector for each axis, side by side. */
static arr *paddings(vm *v, const stencil *s, const arr *y) {
  ir_call at = call_of(v);
  int64_t shape[ARR_MAX_RANK + 1];
  OWNED arr *all = NULL;
  memcpy(shape, s->frame, (size_t)s->n * sizeof *shape);
  shape[s->n] = 1;
  for (int k = 0; k < s->n; k++) {
    OWNED arr *own = axis_paddings(v, s, k, y);
    OWNED arr *axis = own ? ir_spread(&at, own, s->n + 1, shape, &k) : NULL;
    if (!axis) return NULL;
    arr *both = all ? ir_dyadic(&at, P_COMMA, all, axis) : arr_retain(axis);
    arr_release(all);
    all = both;
    if (!all) return NULL;
  }
  return arr_move(&all);
}

/* f lifted over the windows; NULL without an error: it is called for each. */
static arr *stencil_lifted(vm *v, fn *f, const stencil *s, arr *y) {
  int64_t windows = arr_product(s->n, s->frame), each = arr_product(s->n, s->size);
  if (!ir_lifts(v->g, windows) || is_nested(y) || !y->count) return NULL;
  if (s->n + y->rank > ARR_MAX_RANK) return NULL;
  bool copied = s->n + y->rank > KIR_STRIDED_DIMS;
  if (copied && y->count > MOST_COPIED / each) return NULL;
  OWNED arr *z = padded(v, s, y);
  if (!z) return NULL;
  ir_call at = call_of(v);
  OWNED arr *w = ir_windows(&at, z, s);
  OWNED arr *pads = w ? paddings(v, s, y) : NULL;
  arr *r = NULL;
#define FAST_WINDOWS(way)                                                                \
  if (pads) FAST_FIRST(r, v->c, way(v, f, pads, w, s->n))
#include "../../tables/fast.def"
  return r;
}

/* ── one after the other ── */

static arr *stencil_call(vm *v, fn *f, arr *sizes, arr *y) {
  stencil s;
  if (!stencil_open(v, &s, sizes, y)) return NULL;
  arr *r = stencil_lifted(v, f, &s, y);
  if (r || err_is(v->c)) return r;
  if (!ir_host(v->g, y)) return NULL;
  OWNED_RESULTS all = results_open(v, s.n, s.frame);
  OWNED_CELLS pads = {
      .make = make_padding, .of = y, .how = &s, .count = all.want, .repeat = 1};
  OWNED_CELLS boxes = {
      .make = make_window, .of = y, .how = &s, .count = all.want, .repeat = 1};
  if (!call_cells(v, f, &pads, &boxes, &all)) return NULL;
  return results_mix(&all);
}

bool oper_stencil(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (x) return err_set(v->c, ERR_SYNTAX, "⌺ takes no left argument");
  return give_result(r, stencil_call(v, f->l.f, f->r.a, y));
}
