/* SPDX-License-Identifier: MIT */
/* build.c - primitives on long arrays become nodes; the rest is computed at once.
 *
 * What is short (tune.direct), nested, complex or not a matter for a kernel goes to
 * prim/direct.h with its arguments made on the host. Primitives that only move elements
 * are views, made by prim/move.h: a view that a kernel can read through stays a node, any
 * other is copied at once. The table at the end is given to the graph: build_node.c asks by it. */
#include "exec.h"
#include "cuts.h"
#include "build.h"
#include "place.h"
#include "plan.h"
#include "show.h"
#include "../tables/prim_fold.h"
#include "../base/arith.h"
#include "../kir/lower.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../prim/scalar.h"
#include "../tables/fast.h"

/* The node r or, where there is none, the result at once. */
static arr *or_direct(const ir_call *call, prim f, arr *x, arr *y, arr *r) {
  if (r || err_is(call->env.c)) return r;
  return x ? direct2(call, f, x, y) : direct1(call, f, y);
}

/* ── nested arrays ──
 *
 * Functions of scalars go item by item where items are long: nodes of these are made, and nothing that is
 * pending or on the device comes to the host.
 *
 *     ⊃+/w×(⍳31)⌽¨⊂f     31 views of f, 31 products, 30 sums: one map */

/* Has it a long item, wherever that is? Many items are not worth a look. */
static bool has_long_items(const ir *g, const arr *a) {
  enum { MANY = 4096 };
  if (!arr_nests(a) || !a->host || (a->count > MANY && a->items_on_host)) return false;
  for (int64_t i = 0; i < a->count; i++) {
    const arr *item = arr_item(a, i);
    bool is_long = item && item->rank && item->count > g->tune.direct;
    if (is_long && item->type != ET_NEST) return true;
  }
  return false;
}

/* Item i of a, or its only one; owned. */
static arr *item_for(const ir_call *call, arr *a, int64_t i) {
  bool here = arr_nests(a) ? ir_host_frame(call->g, a) : ir_host(call->g, a);
  if (!here) return NULL;
  return arr_scalar_at(call->env.c, a, a->count == 1 ? 0 : i);
}

static arr *for_item(const ir_call *call, prim f, arr *x, arr *y, int64_t i) {
  OWNED arr *b = item_for(call, y, i);
  if (!b || !x) return ir_monadic(call, f, b);
  OWNED arr *a = item_for(call, x, i);
  return ir_dyadic(call, f, a, b);
}

/* f y, x NULL, or x f y; NULL without an error: no items are long, or the shapes differ. */
static arr *item_by_item(const ir_call *call, prim f, arr *x, arr *y) {
  bool is_long = has_long_items(call->g, y) || (x && has_long_items(call->g, x));
  if (!is_long || out_of_stack(call->env.c)) return NULL;
  const arr *like = y;
  if (x && x->count != 1 && y->count == 1) like = x;
  if (x && x->count == 1 && y->count == 1 && x->rank > y->rank) like = x;
  if (x && x->count != 1 && y->count != 1 && !arr_same_shape(x, y)) return NULL;
  if (!like->count) return NULL; /* its prototype */
  OWNED arr *r = arr_new(call->env.c, ET_NEST, like->rank, like->shape);
  for (int64_t i = 0; r && i < r->count; i++) {
    arr *one = for_item(call, f, x, y, i);
    if (!one || interrupted(call->env.c)) {
      arr_release(one);
      return NULL;
    }
    ((arr **)r->host)[i] = one;
  }
  return arr_move(&r);
}

/* ── scalar functions ── */

/* Are a's elements there, or what one function makes of such? Then a loop keeps not much more memory than
 * there is. NULL is no argument. */
static bool is_made(const arr *a, bool almost) {
  const ir_node *n = a ? a->node : NULL;
  if (!n || a->count == 1) return true;
  return almost && n->kind->scalar && is_made(n->x, false) && is_made(n->y, false);
}

/* Up to how many elements is f one loop in vectors that is quicker than the interpreter of blocks, which
 * does its instructions one after the other, even where a fold could be fused with it? Functions are that
 * give truth values, those of integers of 16 bits, and those of floats, and of two integers, that have
 * several instructions: but no common divisors, whose loops no compiler makes vectors of. Where floats of
 * few instructions do not stay in the cache, memory is what costs. */
static int64_t quick_at_once(const ir_tune *t, prim f, const arr *x, const arr *y) {
  enum {
    SEVERAL = 5,
    MANY = 20,
    FACTORS = 17 /* bits: the product stays short */
  };
  cls on = arguments_class(x, y);
  bool any_length = t->any_length && is_made(x, true) && is_made(y, true);
  int64_t most = any_length ? INT64_MAX : t->at_once;
  if (prim_result(f, x != NULL, on) == CLS_B) return most;
  bool small = y->type <= ET_I16 && (!x || x->type <= ET_I16);
  if (f == P_TIMES && x)
    small = elt_bits((elt)x->type) + elt_bits((elt)y->type) <= FACTORS;
  if (small && sc_row_of(f, x != NULL, SC_I16)) return most;
  if (on != CLS_F && !(x && on == CLS_I && sc_row_of(f, true, SC_I32))) return 0;
  unsigned size = prim_size(f, x != NULL, on);
  const prim_body body = {.p = f, .dyadic = true, .row = on};
  if (size < (x ? SEVERAL : MANY) || (x && prim_faults(&body) & PRIM_LOOPS)) return 0;
  return on == CLS_F && size < MANY ? t->at_once : most;
}

/* The same of f on n elements, at hand or not: until threads repay it, those stay on the host. Two
 * threads that share a kernel are about as quick as one with a loop at once. */
static bool is_worth_for(const ir_call *call, prim f, const arr *x, const arr *y,
                         int64_t n, const arr *at_hand) {
  const ir_tune *t = &call->g->tune;
  if (!is_worth_a_node(call, n, at_hand)) return false;
  return t->middle == t->direct || n > quick_at_once(t, f, x, y) || is_away(call, y) ||
         is_away(call, x) || is_for_kernels(call, at_hand, n);
}

static arr *scalar1(const ir_call *call, prim f, arr *y) {
  /* Where all of the complex numbers y turn out to be real, f y is of another type. */
  bool open = is_pending(y) && y->type == ET_C128;
  if (open && prim_result(f, false, CLS_F) == CLS_I && !ir_settle(call->g, y))
    return NULL;
  bool lazy = (is_worth_for(call, f, NULL, y, y->count, y) || scalar_waits(call, y)) &&
              elt_is_num((elt)y->type) && prim_row_of(f, false, cls_of((elt)y->type));
  if (!lazy) return or_direct(call, f, NULL, y, item_by_item(call, f, NULL, y));
  return node_new(call, (ir_node){.kind = &kind_scalar, .p = f, .y = y}, y->rank,
                  y->shape);
}

/* Can a kernel compute x f y, as far as types and shapes go? */
static bool lazy_scalar2(const ir_call *call, prim f, const arr *x, const arr *y) {
  const arr *big = x->count == 1 ? y : x;
  bool scalars = !x->rank && !y->rank && (scalar_waits(call, x) || scalar_waits(call, y));
  const arr *other = big == x ? y : x;
  const arr *at_hand = not_on_host(other) ? other : big;
  if (!scalars && !is_worth_for(call, f, x, y, big->count, at_hand)) return false;
  bool chars =
      (f == P_EQ || f == P_NE) && elt_is_char((elt)x->type) && elt_is_char((elt)y->type);
  bool extend = x->count == 1 || y->count == 1;
  bool types = chars || (elt_is_num((elt)x->type) && elt_is_num((elt)y->type));
  return types && prim_row_of(f, true, arguments_class(x, y)) &&
         (extend || arr_same_shape(x, y)) &&
         (!prim_is_for_host(f, arguments_class(x, y)) ||
          is_for_kernels(call, big, big->count));
}

static arr *scalar2(const ir_call *call, prim f, arr *x, arr *y) {
  if (f == P_CIRCLE && x->count == 1 && x->rank <= y->rank) { /* a kernel for each code */
    if (!ir_host(call->g, x)) return NULL;
    prim code = prim_circle(x, call->env.ct);
    if (code < P_COUNT) return scalar1(call, code, y);
  }
  if (f == P_CIRCLE) {
    arr *many = NULL;
#define FAST_CIRCLE(way) FAST_FIRST(many, call->env.c, way(call, x, y))
#include "../tables/fast.def"
    if (many || err_is(call->env.c)) return many;
  }
  if (!lazy_scalar2(call, f, x, y))
    return or_direct(call, f, x, y, item_by_item(call, f, x, y));
  /* What extends is a scalar of the kernel: its value is at hand, or will be. */
  arr *one = y, *big = x;
  if (x->count == 1) {
    one = x;
    big = y;
  }
  bool f32 = big->type == ET_F32 && one->type != ET_F32;
  if (one->count == 1 && (f32 || !scalar_waits(call, one))) {
    if (!ir_host(call->g, one)) return NULL;
    if (one->rank > big->rank || (big->type == ET_F32 && beyond_f32(one)))
      return direct2(call, f, x, y);
  }
  return node_new(call, (ir_node){.kind = &kind_scalar, .p = f, .x = x, .y = y},
                  big->rank, big->shape);
}

/* ── generators ── */

static arr *iota(const ir_call *call, arr *y) {
  if (!ir_host(call->g, y)) return NULL;
  if (y->rank > 1 || y->count != 1 || !elt_is_int((elt)y->type))
    return direct1(call, P_IOTA, y);
  int64_t n = arr_get_int(y, 0);
  if (n > call->g->cut_above) return call->g->cuts->numbers(call, call->env.io, n);
  if (!is_worth_a_node(call, n, y) || n > INT64_MAX / 2) return direct1(call, P_IOTA, y);
  ir_node numbers = {.kind = &kind_iota, .p = P_IOTA, .first = call->env.io, .step = 1};
  return node_new(call, numbers, 1, &n);
}

/* Is m the greatest or least element of the vector x, still to be found? */
static bool is_extreme(const arr *m, const arr *x) {
  const ir_node *n = m->node;
  if (!n || n->kind->task != KIR_REDUCE || n->y != x || x->rank != 1) return false;
  return n->p == P_CEIL || n->p == P_FLOOR;
}

/* Where x differs from its greatest or least element m, which is a NaN if x has one. */
static arr *differing(const ir_call *call, arr *x, arr *m) {
  OWNED arr *differs = scalar2(call, P_NE, x, m);
  bool ints = elt_is_int((elt)x->type) && !(x->node && x->node->unresolved);
  if (ints || !differs) return arr_move(&differs);
  OWNED arr *number = scalar2(call, P_EQ, x, x);
  return number ? scalar2(call, P_AND, differs, number) : NULL;
}

/* x⍳m of an element m of x: the least position with an equal. */
static arr *first_equal(const ir_call *call, arr *x, arr *m) {
  OWNED arr *n = arr_int(call->env.c, x->count);
  OWNED arr *differs = differing(call, x, m);
  OWNED arr *beyond = n && differs ? scalar2(call, P_TIMES, differs, n) : NULL;
  OWNED arr *place = n ? iota(call, n) : NULL;
  OWNED arr *at = beyond && place ? scalar2(call, P_PLUS, place, beyond) : NULL;
  return ir_reduce(call, P_FLOOR, at, 0);
}

/* The node r or, where there is none, what a part of y makes at once. */
static arr *part_of(const ir_call *call, prim f, arr *x, arr *y, arr *r) {
  prim_env e = call->env;
  bool item = y->type == ET_NEST && (!x || f == P_SQUAD || x->count == 1);
  if (r || err_is(e.c)) return r;
  if (item ? !ir_host_own(call->g, y) : !ir_host_part(call->g, y)) return NULL;
  if (!x) return prim_monadic(&e, f, y);
  return ir_host(call->g, x) ? prim_dyadic(&e, f, x, y) : NULL;
}

/* ── by their glyphs ── */

static arr *monadic(const ir_call *call, prim f, arr *y) {
  arr *line, *pairs;
  if (prim_is_scalar(f, false)) return scalar1(call, f, y);
  switch (f) {
  case P_LEFT:
  case P_RIGHT:
  case P_SQUAD: return arr_retain(y);
  case P_IOTA: return iota(call, y);
  case P_MEMBER:
    if (ir_stretches(y, &line, &pairs)) return ir_together(call, line, pairs);
    return y->type == ET_NEST ? direct1(call, f, y) : moved1(call, P_COMMA, y);
  case P_ENCLOSE: /* whatever copies items, or makes their prototype, does not ask for pending parts */
    if (y->type == ET_NEST && !ir_settle(call->g, y)) return NULL;
    return arr_enclose(call->env.c, y);
  case P_RHO: return arr_int_vec(call->env.c, y->rank, y->shape);
  case P_TALLY: return arr_int(call->env.c, arr_first_axis(y));
  case P_COMMA:
  case P_COMMA1:
  case P_REVERSE:
  case P_REVERSE1:
  case P_TRANSPOSE: return moved1(call, f, y);
  case P_PICK: return part_of(call, f, NULL, y, ir_pick(call, y, 0));
  case P_MATCH:
    if (y->type != ET_NEST) return arr_int(call->env.c, y->rank > 0);
    return direct1(call, f, y);
#define ROW(p, node)                                                                     \
  case p: return or_direct(call, f, NULL, y, node);
    BUILD_MONADIC(ROW)
  default: return direct1(call, f, y);
  }
}

static arr *dyadic(const ir_call *call, prim f, arr *x, arr *y) {
  if (prim_is_scalar(f, true)) return scalar2(call, f, x, y);
  switch (f) {
  case P_LEFT: return arr_retain(x);
  case P_RIGHT: return arr_retain(y);
  case P_IOTA:
    if (is_extreme(y, x)) {
      arr *at = ir_place_of_extreme(call, x, y);
      return at || err_is(call->env.c) ? at : first_equal(call, x, y);
    }
    return or_direct(call, f, x, y, set_dyadic(call, f, x, y));
  case P_REVERSE:
  case P_REVERSE1: return rotated(call, f, x, y);
  case P_COMMA:
  case P_COMMA1: return catenated(call, f, x, y);
  case P_SQUAD: return part_of(call, f, x, y, squad_along(call, x, y, NULL));
  case P_PICK: return part_of(call, f, x, y, picked(call, x, y));
#undef ROW
#define ROW(p, node)                                                                     \
  case p: return or_direct(call, f, x, y, node);
    BUILD_DYADIC(ROW)
  case P_RHO:
  case P_TAKE:
  case P_DROP:
  case P_TRANSPOSE: return moved2(call, f, x, y);
  default: return direct2(call, f, x, y);
  }
}

static arr *direct_fold(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  if (!ir_host(call->g, y)) return NULL;
  prim_env e = call->env;
  if (scan) return prim_scan(&e, f, y, axis);
  return prim_reduce(&e, f, y, axis);
}

/* f\y of a vector at hand; NULL without an error: no loop of the host's does it. */
static arr *try_scan(const ir_call *call, prim f, const arr *y) {
  prim_env e = call->env;
  arr *r = NULL;
#define FAST_SCAN(way) FAST_FIRST(r, e.c, way(&e, f, y))
#include "../tables/fast.def"
  return r;
}

static arr *fold(const ir_call *call, bool scan, prim f, arr *y, int axis);

/* Folds complex numbers by sums of the real and of the imaginary parts. */
static arr *fold_parts(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  enum { FACTOR = 32 }; /* that much longer, the host's own loop is slower */
  bool sums = f == P_PLUS || f == P_MINUS;
  if (y->host && y->count < FACTOR * call->g->tune.direct) sums = false;
  if (!sums || !y->rank || !is_long(call, y->count) || y->shape[axis] < 2)
    return direct_fold(call, scan, f, y, axis);
  OWNED arr *re = scalar1(call, P_REAL, y), *im = scalar1(call, P_IMAGINARY, y);
  OWNED arr *x = re ? fold(call, scan, f, re, axis) : NULL;
  OWNED arr *i = im ? fold(call, scan, f, im, axis) : NULL;
  if (!x || !i) return NULL;
  ir_node both = {.kind = &kind_scalar, .p = P_COMPLEX, .x = x, .y = i, .left = true};
  return node_new(call, both, i->rank, i->shape);
}

/* Are the lines of y, which is not worth a node, such that the direct path has loops for them:
 * long ones of numbers that lie one behind the other, or many short ones side by side? */
static bool has_loops(bool scan, const fold_row *f, const arr *y, int axis) {
  enum { LONG = 256, SIDE_BY_SIDE = 8 };
  split s = split_at(y, axis);
  if (!f || f->on == CLS_B || y->type == ET_BIT) return false;
  if (s.inner == 1) return s.outer == 1 || s.n >= LONG;
  return !scan && elt_is_float((elt)y->type) && s.n <= KIR_LANES &&
         s.inner >= SIDE_BY_SIDE && f->over == OVER_VALUES;
}

/* How many elements of a loop that is no quicker than a kernel are what a fold of y by row f at once
 * is. Sums and extremes of floats, and of vectors, are read as fast as memory goes; truth values are
 * words. */
static int64_t weight_at_once(const ir_call *call, bool scan, const fold_row *f,
                              const arr *y) {
  enum { LOOPS = 16, WORDS = 4096 };
  const ir_tune *t = &call->g->tune;
  bool real = elt_is_float((elt)y->type), whole = y->rank == 1 && !real;
  bool quick = f && f->over == OVER_VALUES && (real || (whole && f->monoid != KF_MUL));
  if (y->type == ET_BIT) return y->count / WORDS;
  if (scan) return y->count;
  if (quick && t->middle != t->direct && y->count <= t->at_once) return 0;
  return y->count / LOOPS;
}

static arr *fold(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  if (y->count > call->g->cut_above) {
    arr *r = call->g->cuts->fold(call, scan, f, y, axis);
    if (r || err_is(call->env.c)) return r;
  }
  /* f/⍉m is f⌿m, and reads m as it lies. */
  const ir_node *of = y->node;
  if (!scan && of && of->dims && of->p == P_TRANSPOSE && y->rank == 2 &&
      of->y->rank == 2) {
    OWNED arr *m = arr_retain(of->y);
    return fold(call, scan, f, m, 1 - axis);
  }
  if (y->type == ET_C128) return fold_parts(call, scan, f, y, axis);
  if (!scan && f == P_PLUS && y->rank == 2) {
    arr *counts = NULL;
#define FAST_REDUCE(way) FAST_FIRST(counts, call->env.c, way(call, y, axis))
#include "../tables/fast.def"
    if (counts || err_is(call->env.c)) return counts;
  }
  /* Sums so far of so many integers are a loop in vectors, where kernels of the host have none. */
  const ir_tune *t = &call->g->tune;
  if (scan && !not_on_host(y) && t->middle != t->direct && is_long(call, y->count) &&
      y->count <= t->at_once) {
    arr *sums = try_scan(call, f, y);
    if (sums || err_is(call->env.c)) return sums;
  }
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  if (y->rank && is_long(call, y->count) && !not_on_host(y) &&
      !is_worth_a_node(call, weight_at_once(call, scan, row, y), y)) {
    prim_env e = call->env;
    prim_number n;
    arr *r = NULL;
    if (scan) r = try_scan(call, f, y);
    else if (y->type <= ET_I64 && prim_try_reduce_number(&e, f, y, &n))
      r = prim_of_number(e.c, n);
    if (r || err_is(call->env.c)) return r;
    if (has_loops(scan, row, y, axis)) return direct_fold(call, scan, f, y, axis);
  }
  bool lazy = y->rank && is_long(call, y->count) && is_readable(y, false) &&
              y->shape[axis] > 1 && row;
  if (!lazy) {
    arr *r = row ? NULL : fold_by_class(call, scan, f, y, axis);
    if (r || err_is(call->env.c)) return r;
    return direct_fold(call, scan, f, y, axis);
  }
  int64_t shape[ARR_MAX_RANK];
  int rank = 0;
  split s = split_at(y, axis);
  ir_node want = {.kind = scan ? &kind_scan : &kind_reduce, .p = f, .y = y, .axis = axis};
  want.rows = s.outer;
  want.len = s.n;
  want.inner = s.inner;
  for (int k = 0; k < y->rank; k++)
    if (k != axis || scan) shape[rank++] = y->shape[k];
  return node_new(call, want, rank, shape);
}

/* May f/ of numbers of class c meet identities between its elements? The greatest of truth
 * values, by ∨, would be 0 where there are none. */
static bool can_be_masked(prim p, cls c) {
  const fold_row *f = fold_of(p, c);
  if (!f || f->over == OVER_ALTERNATING || f->over == OVER_EVENNESS) return false;
  if (c == CLS_B && (p == P_CEIL || p == P_FLOOR)) return false;
  return f->monoid != KF_MUL && !(f->monoid == KF_ADD && f->on == CLS_F);
}

arr *ir_ones(const ir_call *call, arr *x) {
  if (!is_truths(x) || x->rank != 1 || x->count < 2) return NULL;
  return ir_reduce(call, P_PLUS, x, 0);
}

arr *ir_reduce_where(const ir_call *call, prim f, arr *x, arr *y) {
  bool vectors = x->rank == 1 && y->rank == 1 && x->count == y->count;
  if (vectors && y->count > call->g->cut_above)
    return call->g->cuts->fold_where(call, f, x, y);
  bool fits = vectors && is_truths(x);
  if (!fits || !is_long(call, y->count) || !is_readable(y, false)) return NULL;
  if (is_cut(x) || is_cut(y) || (y->node && y->node->unresolved)) return NULL;
  if (!can_be_masked(f, cls_of((elt)y->type))) return NULL;
  ir_node n = {.kind = &kind_reduce, .p = f, .x = x, .y = y, .rows = 1, .inner = 1};
  n.len = y->count;
  return node_new(call, n, 0, NULL);
}

ir *ir_new(const ir_config *cfg) {
  static const ir_primitives primitives = {monadic, dyadic, fold};
  ir *g = graph_new(cfg);
  if (g) g->primitives = &primitives;
  return g;
}
