/* SPDX-License-Identifier: MIT */
/* build_node.c - a new node, whether one is worth it, and the entries by which builders ask for further
 * primitives. build.c says which builder a primitive has: it is given to the graph (build.h), for it is above
 * all of them.
 *
 * A node that may fault is kept alive by ir.unverified until its elements have been computed, for the error must
 * come even if nobody ever looks at the value. */
#include "../base/arith.h"
#include "../tables/prim_fold.h"
#include "build.h"
#include "cuts.h"
#include "exec.h"
#include "place.h"
#include "plan.h"
#include "show.h"

/* ── at once ── */

arr *direct1(const ir_call *call, prim f, arr *y) {
  if (!ir_host(call->g, y)) return NULL;
  prim_env e = call->env;
  return prim_monadic(&e, f, y);
}

arr *direct2(const ir_call *call, prim f, arr *x, arr *y) {
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  prim_env e = call->env;
  return prim_dyadic(&e, f, x, y);
}

/* ── nodes ── */

bool is_readable(const arr *a, bool chars) {
  return a->type <= ET_F64 || (chars && elt_is_char((elt)a->type));
}

bool is_movable(const arr *a) {
  return elt_is_num((elt)a->type) || elt_is_char((elt)a->type);
}

/* What a node adds to the weight of a pending expression, in KIR instructions or so.
 * Folds are forced one inside the other: their weight bounds how deep, and so the C
 * stack. */
enum { WEIGHT_LOAD = 4, WEIGHT_SCALAR = 12, WEIGHT_FOLD = 60, WEIGHT_DRAW = 190 };

static uint32_t weight_own(const ir_node *n) {
  if (n->kind->task != KIR_MAP) return WEIGHT_FOLD;
  if (n->kind->draws) return WEIGHT_DRAW;
  if (!n->kind->scalar) return WEIGHT_LOAD;
  if (n->fn) return n->fn->e.n * WEIGHT_LOAD;
  if (n->x && short_exponent(n->p, n->y) != 0) return WEIGHT_SCALAR;
  cls row = arguments_class(n->x, n->y);
  return (uint32_t)max_u64(prim_size(n->p, n->x != NULL, row), WEIGHT_SCALAR);
}

/* Was the same built before at the same place of the program, for what a is made of? So far as a look at some of it tells. */
static bool comes_from(const ir_call *call, prim p, const arr *a, int *looks) {
  const ir_node *n = a ? a->node : NULL;
  if (!n || n->link || (*looks)-- <= 0) return false;
  bool before = n->p == p && n->at_step != (uint32_t)call->env.c->limit.steps;
  if (before && n->at.src == call->at.src && n->at.begin == call->at.begin) return true;
  return comes_from(call, p, n->x, looks) || comes_from(call, p, n->y, looks);
}

/* What a kernel can hold; of the rounds of a loop, each of which reads the one before, less: what a longer kernel saves
 * is no memory to speak of, and the rounds behind another number of them would be another kernel. */
static uint32_t most_weight(const ir_call *call, const ir_node *n, uint32_t weight) {
  enum { OF_ROUNDS = 600, LOOKS = 64 };
  int looks = LOOKS;
  if (weight <= OF_ROUNDS || !call->at.src) return IR_MAX_WEIGHT;
  bool rounds =
      comes_from(call, n->p, n->x, &looks) || comes_from(call, n->p, n->y, &looks);
  return rounds ? OF_ROUNDS : IR_MAX_WEIGHT;
}

/* Keeps one kernel's worth of pending work below that. */
static bool make_room(const ir_call *call, const ir_node *n, uint32_t own) {
  ir *g = call->g;
  arr *x = n->x, *y = n->y;
  if (!bound_unverified(g)) return false;
  for (;;) {
    uint32_t weight = own + weight_of(x) + weight_of(y);
    bool over = weight > most_weight(call, n, weight);
    if (!over && g->tune.fuse) return true;
    arr *heavy = weight_of(x) > weight_of(y) ? x : y;
    if (!weight_of(heavy) || (!over && !heavy->node->y)) return true;
    if (!ir_begin(g, heavy)) return false;
  }
}

/* No node reads a cut array. */
static bool brought_here(ir *g, const ir_node *n) {
  arr *of[] = {n->x,
               n->y,
               n->pairs,
               n->into,
               n->factors ? n->factors->x : NULL,
               n->factors ? n->factors->y : NULL};
  for (size_t i = 0; i < ARRAY_LEN(of); i++)
    if (is_cut(of[i]) && !g->cuts->here(g, of[i])) return false;
  return true;
}

arr *node_new(const ir_call *call, ir_node want, int rank, const int64_t *shape) {
  if (call->g->cuts && !brought_here(call->g, &want)) return NULL;
  uint32_t own = weight_own(&want);
  if (!make_room(call, &want, own)) return NULL;
  OWNED arr *a = arr_new_pending(call->env.c, ET_I64, rank, shape);
  if (!a) return NULL;
  ir_node *n = mem_alloc(call->env.c, sizeof *n);
  if (!n) return NULL;
  *n = want;
  n->g = call->g;
  n->self = a;
  n->ct = call->env.ct;
  n->at = call->at;
  n->at_step = (uint32_t)call->env.c->limit.steps;
  source_retain(n->at.src);
  n->seq = call->g->seq++;
  call->g->error_is_first = false;
  n->weight = own + weight_of(n->x) + weight_of(n->y);
  if (n->x) arr_retain(n->x);
  if (n->y) arr_retain(n->y);
  if (n->pairs) arr_retain(n->pairs);
  if (n->into) arr_retain(n->into);
  if (n->fn) n->fn->refs++;
  a->node = n;
  a->owner = &call->g->owner;
  node_read_by(n, n->x);
  node_read_by(n, n->y);
  if (n->kind->task == KIR_REDUCE) reductions_add(n);
  infer_node(n);
  if (n->may_fault || may_fault_later(n)) unverified_add(n);
  return arr_move(&a);
}

bool not_on_host(const arr *a) { return !a->host; }

arr *settled(const ir_call *call, arr **a) {
  if (!*a || !ir_settle(call->g, *a)) return NULL;
  return arr_move(a);
}

arr *begun(const ir_call *call, arr **a) {
  return *a && ir_begin(call->g, *a) ? arr_move(a) : NULL;
}

/* ── is one worth it? ── */

bool is_long(const ir_call *call, int64_t n) {
  const ir *g = call->g;
  if (n >= g->costs_from && g->costs_wanted) g->costs_wanted(call->g, n);
  return n > g->tune.direct && n > 1;
}

bool is_worth_a_node(const ir_call *call, int64_t n, const arr *y) {
  return is_long(call, n) && (n > call->g->tune.middle || not_on_host(y));
}

bool is_for_kernels(const ir_call *call, const arr *a, int64_t n) {
  if (a->dev && !a->host) return is_long(call, n > a->count ? n : a->count);
  return is_long(call, n) && opens_device(call->g, 2 * elt_bytes((elt)a->type, n));
}

bool ir_is_for_device(const ir_call *call, const arr *a) {
  return is_cut(a) || is_for_kernels(call, a, a->count);
}

static bool is_away_within(const ir_call *call, const arr *a, int depth) {
  if (!a || a->host) return false;
  if (a->dev || is_for_kernels(call, a, a->count)) return true;
  const ir_node *n = a->node;
  return n && depth &&
         (is_away_within(call, n->x, depth - 1) || is_away_within(call, n->y, depth - 1));
}

bool is_away(const ir_call *call, const arr *a) {
  enum { NEAR = 6 };
  return is_away_within(call, a, NEAR);
}

/* Scalars wait while what they wait for is no heavier, and keeps no more memory; longer
 * arrays than tune.direct by that factor are worth it. */
enum { WAITING_WEIGHT = 600, WAITING_BYTES = 16 << 20, WAITING_FACTOR = 128 };

bool scalar_waits(const ir_call *call, const arr *a) {
  const ir_node *n = a->node;
  if (!n || a->rank || !call->g->tune.fuse || n->weight > WAITING_WEIGHT) return false;
  if (n->kind->scalar) return true;
  if (n->kind->task != KIR_REDUCE) return false;
  bool is_short = n->y->count <= WAITING_FACTOR * call->g->tune.direct;
  if (is_short && !is_away(call, n->y)) return false;
  bool kept = is_pending(n->y) || n->y->refs > 1;
  return kept || elt_bytes((elt)n->y->type, n->y->count) <= WAITING_BYTES;
}

bool list_waits(const ir_call *call, const arr *a) {
  if (scalar_waits(call, a)) return true;
  return a->node && a->node->few && a->node->weight <= WAITING_WEIGHT;
}

/* ── the entries ── */

int64_t ir_at_once(const ir *g, bool scalar) {
  if (g->tells) return -1;
  int64_t most = min_i64(scalar ? g->tune.middle : g->tune.direct, g->costs_from - 1);
  return min_i64(most, g->cut_above);
}

/* f y in parts; *r NULL without an error: it is not for them. Is that the end of it? */
static bool monadic_cut(const ir_call *call, prim f, arr *y, arr **r) {
  if (LIKELY(y->count <= call->g->cut_above)) return false;
  *r = call->g->cuts->monadic(call, f, y);
  return *r || err_is(call->env.c);
}

arr *ir_monadic(const ir_call *call, prim f, arr *y) {
  if (!y) return NULL;
  arr *cut;
  if (monadic_cut(call, f, y, &cut)) return cut;
  if (!call->g->tells) return call->g->primitives->monadic(call, f, y);
  ir_step s;
  ir_step_begin(call->g, &s);
  arr *r = call->g->primitives->monadic(call, f, y);
  steps_primitive(call->g, &s, f, NULL, y, r);
  return r;
}

/* The same of x f y. A short y may be reshaped to a long array. */
static bool dyadic_cut(const ir_call *call, prim f, arr *x, arr *y, arr **r) {
  bool is_long = max_i64(x->count, y->count) > call->g->cut_above;
  bool made = f == P_RHO && call->g->cut_above < INT64_MAX;
  if (LIKELY(!is_long && !made)) return false;
  *r = call->g->cuts->dyadic(call, f, x, y);
  return *r || err_is(call->env.c);
}

arr *ir_dyadic(const ir_call *call, prim f, arr *x, arr *y) {
  if (!x || !y) return NULL;
  arr *cut;
  if (dyadic_cut(call, f, x, y, &cut)) return cut;
  if (!call->g->tells) return call->g->primitives->dyadic(call, f, x, y);
  ir_step s;
  ir_step_begin(call->g, &s);
  arr *r = call->g->primitives->dyadic(call, f, x, y);
  steps_primitive(call->g, &s, f, x, y, r);
  return r;
}

arr *ir_reduce(const ir_call *call, prim f, arr *y, int axis) {
  return y ? call->g->primitives->fold(call, false, f, y, axis) : NULL;
}

arr *ir_scan(const ir_call *call, prim f, arr *y, int axis) {
  return y ? call->g->primitives->fold(call, true, f, y, axis) : NULL;
}
