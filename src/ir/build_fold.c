/* SPDX-License-Identifier: MIT */
/* build_fold.c - folds by functions of two scalars become nodes (join.h).
 *
 * Such a fold goes along the last axis: another one is brought there by a view. */
#include "build.h"
#include "cuts.h"
#include "../array/view.h"
#include "exec.h"
#include "join.h"
#include "plan.h"

/* ── folds by functions of two scalars ── */

/* y with its axes exchanged so that `axis` is the last, or back again. */
static arr *turned(const ir_call *call, arr *y, int axis, bool back) {
  int64_t to[ARR_MAX_RANK];
  for (int k = 0; k < y->rank; k++) {
    to[k] = k - (k > axis);
    if (back) to[k] = k + (k >= axis);
  }
  to[back ? y->rank - 1 : axis] = back ? axis : y->rank - 1;
  for (int k = 0; k < y->rank; k++) to[k] += call->env.io;
  OWNED arr *x = arr_int_vec(call->env.c, y->rank, to);
  return ir_dyadic(call, P_TRANSPOSE, x, y);
}

static arr *fold_last(const ir_call *call, join_fn *f, prim p, arr *y, bool scan) {
  int axis = y->rank - 1;
  split s = split_at(y, axis);
  ir_node n = {
      .kind = scan ? &kind_scan : &kind_reduce, .p = p, .fn = f, .y = y, .axis = axis};
  n.rows = s.outer;
  n.len = s.n;
  n.inner = 1;
  OWNED arr *r = node_new(call, n, y->rank - !scan, y->shape);
  /* Where a kernel fails the caller knows another way: whether it fails must be known now. */
  bool may_fail = p == P_COUNT && r && r->node->listed;
  if (may_fail && !force_alone(call->g, r)) {
    if (r->node) node_verified(r->node);
    return NULL;
  }
  return arr_move(&r);
}

static arr *fold_along(const ir_call *call, join_fn *f, prim p, arr *y, int axis,
                       bool scan) {
  if (axis == y->rank - 1) return fold_last(call, f, p, y, scan);
  OWNED arr *z = turned(call, y, axis, false);
  OWNED arr *r = z ? fold_last(call, f, p, z, scan) : NULL;
  if (!r || !scan) return arr_move(&r);
  return turned(call, r, axis, true);
}

/* Is a function that has no class too long to be gone through element by element by the
 * interpreter of kernels? Calls are as quick. */
static bool is_slow(const join_code *k, const join_fn *f, bool scan) {
  enum { SLOW = 150 };
  if (k->of.n || k->assoc || (scan && !f->forward)) return false;
  return k->body.k.n_ins > SLOW;
}

/* ── divisors and multiples ──
 *
 * ∨ and ∧ of integers that are not negative are associative, commute, and give back what is joined
 * with itself: elements may be joined in any order, more than once. A kernel joins the halves of a line, overlapping
 * where it is odd; or every element with that 1, 2, 4, … before it, or with the first. */

static arr *half_of(const ir_call *call, arr *y, int axis, bool second) {
  int64_t from[ARR_MAX_RANK] = {0}, size[ARR_MAX_RANK];
  for (int k = 0; k < y->rank; k++) size[k] = y->shape[k];
  size[axis] = (y->shape[axis] + 1) / 2;
  if (second) from[axis] = y->shape[axis] - size[axis];
  return ir_box(call, y, from, size);
}

/* The elements `back` before each, or the first. */
static arr *before(const ir_call *call, arr *y, int axis, int64_t back) {
  OWNED arr *place = node_numbers(call, y->shape[axis]);
  OWNED arr *zero = arr_int(call->env.c, 0);
  arr *from = place ? with_number(call, P_PLUS, -back, arr_move(&place)) : NULL;
  OWNED arr *at = ir_dyadic(call, P_CEIL, zero, from);
  arr_release(from);
  return at ? index_axis(call, y, at, axis, 0, false) : NULL;
}

/* f/y or f\y; NULL without an error: it is for the host. */
static arr *fold_divisors(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  int64_t n = y->shape[axis], back = 1, lo, hi;
  if ((f != P_OR && f != P_AND) || !elt_is_int((elt)y->type)) return NULL;
  if (!is_for_kernels(call, y, y->count)) return NULL;
  if (!ir_bounds(call, y, &lo, &hi) || lo < 0) return NULL;
  OWNED arr *r = arr_retain(y);
  while (scan ? back < n : r->shape[axis] > 1) {
    OWNED arr *a = scan ? arr_retain(r) : half_of(call, r, axis, false);
    OWNED arr *b = scan ? before(call, r, axis, back) : half_of(call, r, axis, true);
    OWNED arr *next = ir_dyadic(call, f, a, b);
    if (!next || !force_alone(call->g, next)) return NULL;
    if (!elt_is_int((elt)next->type))
      return NULL; /* not a value of the result, perhaps */
    arr *was = r;
    r = arr_move(&next);
    arr_release(was);
    back *= 2;
  }
  if (scan) return arr_move(&r);
  int64_t shape[ARR_MAX_RANK];
  int rank = 0;
  for (int k = 0; k < y->rank; k++)
    if (k != axis) shape[rank++] = y->shape[k];
  return ir_reshape(call, r, rank, shape);
}

/* f/ or f\ of a primitive that is no monoid, where it is one of a class. NULL without an
 * error: it is not. */
arr *fold_by_class(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  if (!y->rank || y->shape[axis] <= JOIN_SHORT || !is_readable(y, false)) return NULL;
  if (!prim_is_scalar(f, true)) return NULL;
  arr *divisors = fold_divisors(call, scan, f, y, axis);
  if (divisors || err_is(call->env.c)) return divisors;
  kexpr e = {.n = 0};
  kexpr_add(&e, (kexpr_ins){.op = KEXPR_LEFT});
  kexpr_add(&e, (kexpr_ins){.op = KEXPR_RIGHT});
  e.result = (uint32_t)kexpr_add(
      &e, (kexpr_ins){.op = KEXPR_DYAD, .prim = (uint16_t)f, .a = 0, .b = 1});
  const kimm none[KEXPR_PARAMS] = {{0}};
  join_fn *j = join_fn_new(call->env.c, &e, none);
  if (!j) return NULL;
  kexpr_ask ask = {.element = (elt)y->type, .of_element = range_i64()};
  if (y->type == ET_BIT) ask.of_element = (range){0, 1};
  join_code *k = join_compile(call->g, j, &ask);
  bool can = k && !k->why;
  /* Where the bracketing shows in the result, short lines are folded by the same tree. */
  if (can) can = !is_slow(k, j, scan);
  if (can && (!k->of.n || k->of.exact)) can = is_long(call, y->count);
  arr *r = NULL;
  if (can) r = fold_along(call, j, f, y, axis, scan);
  join_code_release(k);
  join_fn_release(j);
  return r;
}

/* What only a kernel of y's type tells: is there one? *whole: it gives integers, of floats too. */
static bool can_join(const ir_call *call, const join_fn *f, const arr *y, bool scan,
                     bool *whole) {
  kexpr_ask ask = {.element = (elt)y->type, .of_element = range_i64()};
  if (y->type == ET_BIT) ask.of_element = (range){0, 1};
  join_code *k = join_compile(call->g, f, &ask);
  bool can = k && !k->why && !is_slow(k, f, scan);
  *whole = can && elt_is_float((elt)y->type) && k->body.result < CLS_F;
  join_code_release(k);
  return can;
}

/* So little that calls are quicker, and give the same: no integers that could overflow. */
static bool is_little(const ir_call *call, const ir_function *f, const arr *y, int axis) {
  enum { LITTLE = 64 };
  if (f->assoc || y->shape[axis] > JOIN_SHORT || y->count > LITTLE) return false;
  return y->count <= call->g->tune.direct &&
         (elt_is_float((elt)y->type) || y->type <= ET_I8);
}

arr *ir_fold_function(const ir_call *call, const ir_function *f, arr *y, int axis,
                      bool scan) {
  if (y->rank && y->count > call->g->cut_above) {
    arr *r = call->g->cuts->fold_function(call, f, y, axis, scan);
    if (r || err_is(call->env.c)) return r;
  }
  if (y->node && y->node->unresolved && !ir_settle(call->g, y)) return NULL;
  if (!y->rank || y->count < 1 || y->shape[axis] < 2 || !is_readable(y, false))
    return NULL;
  if (is_little(call, f, y, axis)) return NULL;
  join_fn *j = join_fn_new(call->env.c, f->e, f->param);
  if (!j) return NULL;
  j->forward = f->forward;
  j->assoc = f->assoc;
  OWNED arr *r = NULL;
  bool whole = false;
  if (can_join(call, j, y, scan, &whole)) r = fold_along(call, j, P_COUNT, y, axis, scan);
  join_fn_release(j);
  ir_call exact = exactly(*call);
  /* The kernel's state is a float, as a line's last element is. */
  return r && whole && !scan ? ir_monadic(&exact, P_FLOOR, r) : arr_move(&r);
}

/* ── maps ── */

/* Scalars become numbers of the kernel. */
static bool can_map(const ir_call *call, arr *a, const arr *other) {
  if (a->node && a->node->unresolved && !ir_settle(call->g, a)) return false;
  if (!is_readable(a, false)) return false;
  if (a->rank || !other) return true;
  return ir_host(call->g, a);
}

arr *ir_map(const ir_call *call, const ir_function *f, arr *x, arr *y, bool *mixed) {
  const arr *like = x && !y->rank ? x : y;
  if (!can_map(call, y, x) || (x && !can_map(call, x, y))) return NULL;
  if (x && x->rank && y->rank && !arr_same_shape(x, y)) return NULL;
  if (like->count < 2) return NULL;
  join_fn *j = join_fn_new(call->env.c, f->e, f->param);
  if (!j) return NULL;
  ir_node n = {.kind = &kind_scalar, .p = P_COUNT, .fn = j, .x = x, .y = y};
  OWNED arr *r = node_new(call, n, like->rank, like->shape);
  join_fn_release(j);
  if (!r) return NULL;
  bool can = r->node->row != CLS_NONE;
  *mixed = can && r->node->code->body.mixed;
  if (can && force_alone(call->g, r)) return arr_move(&r);
  if (r->node) node_verified(r->node);
  return NULL;
}

/* ── the first in an order ── */

/* Do 32 bits tell y's elements apart, whatever becomes of it? */
static bool has_short_keys(const arr *y) {
  if (y->node && y->node->unresolved) return false;
  if (y->type == ET_F32 || elt_is_char((elt)y->type)) return true;
  range r = range_of(y);
  return elt_is_int((elt)y->type) && (r.hi - r.lo) >> 32 == 0;
}

arr *first_in_order(const ir_call *call, seek seeks, arr *y, int64_t first, int rank,
                    const int64_t *shape) {
  ir_node n = {
      .kind = &kind_reduce, .p = P_FLOOR, .y = y, .seeks = seeks, .first = first};
  infer(call->g, y);
  if (!is_readable(y, true) || !has_short_keys(y)) return NULL;
  n.axis = y->rank - 1;
  n.len = y->shape[n.axis];
  n.rows = y->count / n.len;
  n.inner = 1;
  return n.len < INT32_MAX ? node_new(call, n, rank, shape) : NULL;
}
