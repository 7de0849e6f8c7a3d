/* SPDX-License-Identifier: MIT */
/* build.c - primitives on long arrays become nodes; the rest is computed at once.
 *
 * What is short (tune.direct), nested, complex or not a matter for a kernel goes to
 * prim/host.h with its arguments made on the host. A node that may fault is kept alive by
 * ir.unverified until its elements have been computed, for the error must come even if
 * nobody ever looks at the value. */
#include "exec.h"
#include "plan.h"
#include "../kir/lower.h"
#include "../array/element.h"
#include <string.h>

/* ── at once ── */

static arr *direct1(const ir_call *call, prim f, arr *y) {
  if (!ir_host(call->g, y)) return NULL;
  prim_env e = call->env;
  return prim_monadic(&e, f, y);
}

static arr *direct2(const ir_call *call, prim f, arr *x, arr *y) {
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  prim_env e = call->env;
  return prim_dyadic(&e, f, x, y);
}

/* ── nodes ── */

/* A simple array of real numbers, or of characters if `chars`, that a kernel can read. */
static bool readable(const arr *a, bool chars) {
  return a->type <= ET_F64 || (chars && elt_is_char((elt)a->type));
}

static uint32_t weight_of(const arr *a) { return a && a->node ? a->node->weight : 0; }

/* Folds are forced one inside the other: their weight bounds how deep, and so the C stack. */
static uint32_t weight_own(const ir_node *n) {
  if (n->kind == N_REDUCE || n->kind == N_SCAN) return 60;
  if (n->kind != N_MONAD && n->kind != N_DYAD) return 4;
  if (n->kind == N_DYAD && short_exponent(n->p, n->y) != 0) return 12;
  unsigned size = prim_size(n->p, n->kind == N_DYAD);
  return size < 12 ? 12 : size;
}

/* Keeps one kernel's worth of pending work below what a kernel can hold. */
static bool make_room(ir *g, uint32_t own, arr *x, arr *y) {
  if (!bound_unverified(g)) return false;
  for (bool over;
       (over = own + weight_of(x) + weight_of(y) > IR_MAX_WEIGHT) || !g->tune.fuse;) {
    arr *heavy = weight_of(x) > weight_of(y) ? x : y;
    if (!weight_of(heavy) || (!over && heavy->node->kind == N_IOTA)) return true;
    if (!ir_settle(g, heavy)) return false;
  }
  return true;
}

static arr *node_new(const ir_call *call, ir_node want, int rank, const int64_t *shape) {
  uint32_t own = weight_own(&want);
  if (!make_room(call->g, own, want.x, want.y)) return NULL;
  arr *a = arr_new_pending(call->env.c, ET_I64, rank, shape);
  ir_node *n = mem_alloc(call->env.c, sizeof *n);
  if (!a || !n) goto fail;
  *n = want;
  n->g = call->g;
  n->self = a;
  n->ct = call->env.ct;
  n->at = call->at;
  source_retain(n->at.src);
  n->seq = call->g->seq++;
  call->g->error_is_first = false;
  n->weight = own + weight_of(n->x) + weight_of(n->y);
  if (n->x) arr_retain(n->x);
  if (n->y) arr_retain(n->y);
  a->node = n;
  a->owner = &call->g->owner;
  infer_node(n);
  /* < of complex numbers fails, of real ones never. */
  if (n->faulty || may_read_complex(n)) unverified_add(n);
  return a;
fail:
  arr_release(a);
  mem_free(call->env.c, n);
  return NULL;
}

static bool far_away(const arr *a) {
  return !a->host;
} /* pending, or on the device only */

/* ── scalar functions ── */

static arr *scalar1(const ir_call *call, prim f, arr *y) {
  if (y->count <= call->g->tune.direct || y->count < 2 || !readable(y, false) ||
      !prim_row_of(f, false, class_of(y)))
    return direct1(call, f, y);
  return node_new(call, (ir_node){.kind = N_MONAD, .p = f, .y = y}, y->rank, y->shape);
}

static arr *scalar2(const ir_call *call, prim f, arr *x, arr *y) {
  if (f == P_CIRCLE && x->count == 1 && x->rank <= y->rank) { /* a kernel for each code */
    prim code = ir_host(call->g, x) ? prim_circle(x, call->env.ct) : P_COUNT;
    if (code < P_COUNT) return scalar1(call, code, y);
    if (err_is(call->env.c)) return NULL;
  }
  arr *big = x->count == 1 ? y : x;
  bool chars =
      (f == P_EQ || f == P_NE) && elt_is_char((elt)x->type) && elt_is_char((elt)y->type);
  bool extend = x->count == 1 || y->count == 1;
  cls need = class_of(x) > class_of(y) ? class_of(x) : class_of(y);
  if (big->count <= call->g->tune.direct || big->count < 2 || !readable(x, chars) ||
      !readable(y, chars) || !prim_row_of(f, true, need) ||
      (!extend && !arr_same_shape(x, y)))
    return direct2(call, f, x, y);
  /* What extends is a scalar of the kernel: its value must be at hand. */
  if ((x->count == 1 && !ir_host(call->g, x)) || (y->count == 1 && !ir_host(call->g, y)))
    return NULL;
  const arr *one = x->count == 1 ? x : y;
  if (extend && (one->rank > big->rank || (big->type == ET_F32 && beyond_f32(one))))
    return direct2(call, f, x, y);
  return node_new(call, (ir_node){.kind = N_DYAD, .p = f, .x = x, .y = y}, big->rank,
                  big->shape);
}

/* ── generators and views ── */

static arr *iota(const ir_call *call, arr *y) {
  if (!ir_host(call->g, y)) return NULL;
  if (y->rank > 1 || y->count != 1 || !elt_is_int((elt)y->type))
    return direct1(call, P_IOTA, y);
  int64_t n = arr_get_int(y, 0);
  if (n <= call->g->tune.direct || n < 2 || n > INT64_MAX / 2)
    return direct1(call, P_IOTA, y);
  return node_new(
      call, (ir_node){.kind = N_IOTA, .p = P_IOTA, .first = call->env.io, .step = 1}, 1,
      &n);
}

/* n elements first + step×i of y's ravel, in a new shape: lazily where y is long or far away.
 * What the others are may decide y's type (an overflow makes all of it floats): unless that is
 * known, a part of y needs the whole. */
static arr *view(const ir_call *call, prim p, arr *y, int64_t n, int64_t first,
                 int64_t step, int rank, const int64_t *shape) {
  if (n < y->count && y->node && y->node->unresolved && !ir_settle(call->g, y))
    return NULL;
  return node_new(call,
                  (ir_node){.kind = N_VIEW, .p = p, .y = y, .first = first, .step = step},
                  rank, shape);
}

/* Is a view of y with n elements worth a node? Not if it were to keep much memory for little. */
static bool lazy_view(const ir *g, const arr *y, int64_t n) {
  if (y->host && n <= y->count / 64) return false;
  return n > 1 && readable(y, true) && y->count > g->tune.direct &&
         (n > g->tune.direct || far_away(y));
}

/* y read along axes of its own: element (i0, i1, …) of the result is number first + Σ i×stride
 * of y's ravel. Axes that run on into the next one are one dimension; NULL without an error
 * where too many are left for a kernel. */
static arr *strided_view(const ir_call *call, prim p, arr *y, int64_t first, int rank,
                         const int64_t *shape, const int64_t *stride) {
  ir_node n = {.kind = N_VIEW, .p = p, .y = y, .first = first, .step = 1};
  int64_t length[ARR_MAX_RANK + 1], by[ARR_MAX_RANK + 1], count = 1;
  int d = 0;
  for (int k = 0; k < rank; k++) {
    count *= shape[k];
    if (shape[k] == 1) continue;
    bool on = d && by[d - 1] == shape[k] * stride[k];
    length[d - on] = on ? length[d - 1] * shape[k] : shape[k];
    by[d - on] = stride[k];
    d += !on;
  }
  if (d > KIR_STRIDED_DIMS || !d) return NULL;
  if (d == 1) return view(call, p, y, count, first, by[0], rank, shape);
  if (count < y->count && y->node && y->node->unresolved && !ir_settle(call->g, y))
    return NULL;
  n.dims = (uint8_t)d;
  for (int k = 0; k < d; k++)
    n.strided.n[k] = k ? length[k] : 0, n.strided.stride[k] = by[k];
  return node_new(call, n, rank, shape);
}

static arr *shape_of(const ir_call *call, arr *y) {
  arr *r = arr_vec(call->env.c, ET_I64, y->rank);
  if (r && y->rank) memcpy(r->host, y->shape, (size_t)y->rank * sizeof *y->shape);
  return r;
}

/* x as a non-negative shape; false where prim/host.h must say what is wrong. */
static bool as_shape(const arr *x, int64_t *shape, int64_t *count) {
  if (x->rank > 1 || x->count > ARR_MAX_RANK || !elt_is_int((elt)x->type)) return false;
  *count = 1;
  for (int64_t i = 0; i < x->count; i++) {
    shape[i] = arr_get_int(x, i);
    if (shape[i] < 0 || __builtin_mul_overflow(*count, shape[i], count)) return false;
  }
  return true;
}

static arr *reshape(const ir_call *call, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK], n;
  if (!ir_host(call->g, x)) return NULL;
  if (as_shape(x, shape, &n) && readable(y, true)) {
    int rank = (int)x->count;
    if (y->count == 1 && n > call->g->tune.direct && n > 1) {
      if (!ir_host(call->g, y)) return NULL;
      return node_new(call, (ir_node){.kind = N_FILL, .p = P_RHO, .y = y}, rank, shape);
    }
    if (n <= y->count && lazy_view(call->g, y, n))
      return view(call, P_RHO, y, n, 0, 1, rank, shape);
    if (y->count > 1 && n > y->count && n > call->g->tune.direct) {
      ir_node cycle = {.kind = N_VIEW, .p = P_RHO, .y = y, .step = 1, .dims = 2};
      cycle.strided.n[1] = y->count;
      cycle.strided.stride[1] = 1;
      return node_new(call, cycle, rank, shape);
    }
  }
  return direct2(call, P_RHO, x, y);
}

arr *ir_pick(const ir_call *call, arr *y, int64_t i) {
  enum {
    PICKS = 16,
    ALL_OF_IT = 1 << 24
  }; /* after so many, all of what is no longer is cheaper */
  if (y->node && y->count <= ALL_OF_IT && y->node->forced >= PICKS) return NULL;
  if (!far_away(y) || y->rank != 1 || y->count < 2 || !readable(y, true) || i < 0 ||
      i >= y->count)
    return NULL;
  if (y->node && y->node->forced < PICKS) y->node->forced++;
  return view(call, P_SQUAD, y, 1, i, 1, 0, NULL);
}

/* x↑y and x↓y, where no fill is needed and something is left. */
static arr *take_drop(const ir_call *call, prim f, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK], by[ARR_MAX_RANK], first = 0, count = 1;
  if (!ir_host(call->g, x)) return NULL;
  bool box = x->rank <= 1 && x->count && x->count <= y->rank && elt_is_int((elt)x->type);
  if (box) strides_of(y->rank, y->shape, by);
  for (int i = 0; i < y->rank && box; i++) {
    int64_t n = y->shape[i], k = i < x->count ? arr_get_int(x, i) : f == P_TAKE ? n : 0;
    box = k >= -n && k <= n;
    if (!box) break;
    int64_t size = k < 0 ? -k : k;
    shape[i] = f == P_TAKE ? size : n - size;
    if ((f == P_TAKE) != (k >= 0)) first += (n - shape[i]) * by[i];
    count *= shape[i];
  }
  if (box && count && lazy_view(call->g, y, count)) {
    arr *r = strided_view(call, f, y, first, y->rank, shape, by);
    if (r || err_is(call->env.c)) return r;
  }
  return direct2(call, f, x, y);
}

/* Axis k of y becomes axis to[k], which are different axes. */
static arr *transpose(const ir_call *call, arr *y, const int *to) {
  int64_t shape[ARR_MAX_RANK], by[ARR_MAX_RANK], of[ARR_MAX_RANK];
  strides_of(y->rank, y->shape, of);
  for (int k = 0; k < y->rank; k++) shape[to[k]] = y->shape[k], by[to[k]] = of[k];
  return strided_view(call, P_TRANSPOSE, y, 0, y->rank, shape, by);
}

static arr *transpose1(const ir_call *call, arr *y) {
  int to[ARR_MAX_RANK];
  for (int k = 0; k < y->rank; k++) to[k] = y->rank - 1 - k;
  if (y->rank < 2) return arr_retain(y);
  arr *r = lazy_view(call->g, y, y->count) ? transpose(call, y, to) : NULL;
  return r || err_is(call->env.c) ? r : direct1(call, P_TRANSPOSE, y);
}

static arr *transpose2(const ir_call *call, arr *x, arr *y) {
  int to[ARR_MAX_RANK], seen = 0;
  if (!ir_host(call->g, x)) return NULL;
  bool plain =
      x->rank == 1 && x->count == y->rank && y->rank > 1 && elt_is_int((elt)x->type);
  for (int k = 0; k < y->rank && plain; k++) {
    int64_t v = arr_get_int(x, k) - call->env.io;
    plain = v >= 0 && v < y->rank && !(seen >> v & 1);
    to[k] = (int)v;
    seen |= plain ? 1 << v : 0;
  }
  arr *r = plain && lazy_view(call->g, y, y->count) ? transpose(call, y, to) : NULL;
  return r || err_is(call->env.c) ? r : direct2(call, P_TRANSPOSE, x, y);
}

/* y turned round along axis k. */
static arr *reverse(const ir_call *call, prim f, arr *y, int k) {
  int64_t by[ARR_MAX_RANK];
  if (y->rank && lazy_view(call->g, y, y->count)) {
    strides_of(y->rank, y->shape, by);
    int64_t first = (y->shape[k] - 1) * by[k];
    by[k] = -by[k];
    arr *r = strided_view(call, f, y, first, y->rank, y->shape, by);
    if (r || err_is(call->env.c)) return r;
  }
  return direct1(call, f, y);
}

arr *ir_spread(const ir_call *call, arr *y, int rank, const int64_t *shape,
               const int *k) {
  int64_t by[ARR_MAX_RANK] = {0}, of[ARR_MAX_RANK], n = 1;
  strides_of(y->rank, y->shape, of);
  for (int i = 0; i < y->rank; i++) by[k[i]] = of[i];
  for (int i = 0; i < rank; i++) n *= shape[i];
  if (n > call->g->tune.direct && y->count > 1 && readable(y, true)) {
    arr *r = strided_view(call, P_RHO, y, 0, rank, shape, by);
    if (r || err_is(call->env.c)) return r;
  }
  prim_env e = call->env;
  return ir_host(call->g, y) ? prim_spread(&e, y, rank, shape, k) : NULL;
}

/* ── the entries ── */

arr *ir_monadic(const ir_call *call, prim f, arr *y) {
  if (prim_is_scalar(f, false)) return scalar1(call, f, y);
  switch (f) {
  case P_LEFT:
  case P_RIGHT: return arr_retain(y);
  case P_IOTA: return iota(call, y);
  case P_RHO: return shape_of(call, y);
  case P_TALLY: return arr_int(call->env.c, arr_first_axis(y));
  case P_COMMA:
    if (y->rank == 1) return arr_retain(y);
    if (lazy_view(call->g, y, y->count))
      return view(call, f, y, y->count, 0, 1, 1, &y->count);
    break;
  case P_REVERSE: return reverse(call, f, y, y->rank - 1);
  case P_REVERSE1: return reverse(call, f, y, 0);
  case P_TRANSPOSE: return transpose1(call, y);
  default: break;
  }
  return direct1(call, f, y);
}

arr *ir_dyadic(const ir_call *call, prim f, arr *x, arr *y) {
  if (prim_is_scalar(f, true)) return scalar2(call, f, x, y);
  switch (f) {
  case P_LEFT: return arr_retain(x);
  case P_RIGHT: return arr_retain(y);
  case P_RHO: return reshape(call, x, y);
  case P_TAKE:
  case P_DROP: return take_drop(call, f, x, y);
  case P_TRANSPOSE: return transpose2(call, x, y);
  default: return direct2(call, f, x, y);
  }
}

static arr *fold(const ir_call *call, nkind kind, prim f, arr *y, int axis) {
  /* f/⍉m is f⌿m, and reads m as it lies. */
  if (kind == N_REDUCE && y->rank == 2 && y->node && y->node->dims &&
      y->node->p == P_TRANSPOSE)
    return fold(call, kind, f, y->node->y, 1 - axis);
  if (y->rank && y->count > call->g->tune.direct && readable(y, false) &&
      y->shape[axis] > 1 && fold_exists(f, class_of(y))) {
    ir_node n = {.kind = kind,
                 .p = f,
                 .y = y,
                 .axis = axis,
                 .rows = 1,
                 .len = y->shape[axis],
                 .inner = 1};
    int64_t shape[ARR_MAX_RANK];
    int rank = 0;
    for (int k = 0; k < y->rank; k++) {
      if (k < axis) n.rows *= y->shape[k];
      if (k > axis) n.inner *= y->shape[k];
      if (k != axis || kind == N_SCAN) shape[rank++] = y->shape[k];
    }
    return node_new(call, n, rank, shape);
  }
  if (!ir_host(call->g, y)) return NULL;
  prim_env e = call->env;
  return kind == N_REDUCE ? prim_reduce(&e, f, y, axis) : prim_scan(&e, f, y, axis);
}

arr *ir_reduce(const ir_call *call, prim f, arr *y, int axis) {
  return fold(call, N_REDUCE, f, y, axis);
}
arr *ir_scan(const ir_call *call, prim f, arr *y, int axis) {
  return fold(call, N_SCAN, f, y, axis);
}
