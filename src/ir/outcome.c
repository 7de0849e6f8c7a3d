/* SPDX-License-Identifier: MIT */
/* outcome.c - what comes of a kernel's run (exec.c): its arrays have their elements, or a node
 * at fault is computed in a wider type, or on the reference path, which has the error. */
#include "outcome.h"
#include "../array/element.h"
#include "../array/grow.h"
#include "cuts.h"
#include "device.h"
#include "exec.h"
#include "join.h"
#include "place.h"
#include "show.h"

void attribute_error(ir *g, uint64_t seq, span at, err_calls *k) {
  err *e = &g->c->err;
  err_at(g->c, at);
  calls_drop(g->c, &e->calls);
  e->calls = *k;
  e->built = seq + 1;
  *k = (err_calls){0};
  g->error_seq = seq;
  g->error_attributed = true;
}

ir_node *first_fault(const plan *p, const uint32_t *flags, bool *escaped) {
  ir_node *first = NULL;
  for (uint32_t s = 0; s < p->k.n_fault; s++) {
    bool left = flags[2 * s + 1] && !is_complex(p->fault[s]);
    if (!flags[2 * s] && !left) continue;
    if (first && first->seq < p->fault[s]->seq) continue;
    first = p->fault[s];
    *escaped = left;
  }
  return first;
}

static void end_pending(ir *g, arr *a) {
  unverified_remove(a->node);
  a->owner = NULL;
  if (a->dev) a->owner = &g->owner;
  node_drop(g, a);
}

/* The outputs have their elements. All nodes are verified before theirs go, which hold
 * the others; and the outputs are kept until then, for the list of the unverified may
 * hold the last reference. */
void outcome_commit(plan *p) {
  ir *g = p->g;
  arr *into = plan_into(p);
  if (into && !p->root->host) { /* it was written over on the device */
    p->root->dev = into->dev;
    gpu_set_tag(g->dev, into->dev, p->root);
    into->dev = NULL;
    into->owner = NULL;
  }
  for (uint32_t i = 0; i < p->n_out; i++) arr_retain(p->out[i]);
  for (size_t i = 0; i < p->whole.n; i++) {
    ir_node *n = p->whole.at[i];
    node_verified(n);
    if (n->self != p->root && n->forced < UINT8_MAX) n->forced++;
  }
  for (uint32_t i = 0; i < p->n_out; i++) end_pending(g, p->out[i]);
  for (uint32_t i = 0; i < p->n_out; i++) arr_release(p->out[i]);
}

bool became_real(plan *p, const uint32_t *flags) {
  bool any = false;
  for (uint32_t s = 0; s < p->k.n_fault; s++) {
    ir_node *n = p->fault[s];
    bool out = false;
    for (uint32_t i = 0; i < p->n_out; i++) out |= p->out[i] == n->self;
    if (!out || !is_complex(n) || n->kind->typed || flags[2 * s + 1]) continue;
    any = n->real = true;
  }
  return any;
}

/* Can the node be computed in a wider type? Once; of folds, sums of integers can; a function
 * that leaves the real numbers cannot. */
static bool can_widen(const ir_node *n) {
  if (n->wide || n->fn || n->left) return false;
  if (n->kind->scalar) return n->row != CLS_F || !n->leaves_reals;
  return n->wide_sum;
}

static bool force_argument(ir *g, arr *a) { return !a || !is_pending(a) || force(g, a); }

/* The pending array a gets the elements of y from number `first` on: both use the same memory, which
 * nobody writes over then. */
static void share_elements(ir *g, arr *a, arr *y, int64_t first) {
  a->type = y->type;
  a->has_range = y->has_range;
  a->lo = y->lo;
  a->hi = y->hi;
  if (y->host) arr_share(a, y, first);
  if (y->dev) a->dev = gpu_share(y->dev);
  end_pending(g, a);
}

/* The pending array a gets the elements of r, which is as long: long ones are not copied. */
static bool take_elements(ir *g, arr *a, arr *r) {
  if (arr_may_slice(r, r->count) && !r->dev) {
    share_elements(g, a, r, 0);
    return true;
  }
  a->type = r->type;
  a->has_range = r->has_range;
  a->lo = r->lo;
  a->hi = r->hi;
  if (!arr_alloc_host(g->c, a)) return false;
  arr_copy(a, 0, r, 0, r->count);
  end_pending(g, a);
  return true;
}

bool shows_argument(const ir *g, const ir_node *n) {
  const arr *y = n->y;
  int64_t count = n->self->count;
  if (!is_slice(n) || count < 2) return false;
  if (count == y->count) return !n->first;
  bool most = !n->first && y->count - count <= y->count / 64;
  if (most && y->dev && y->type != ET_BIT)
    return true; /* a copy would save no memory to speak of */
  if (y->dev || prefers_device(g, 2 * elt_bytes((elt)y->type, count))) return false;
  return arr_may_slice(y, count);
}

void ir_share_view(ir *g, arr *a) {
  bool ready = is_pending(a) && is_slice(a->node) && !is_pending(a->node->y);
  ready = ready && !g->n_chain; /* whose kernels may have it among their nodes */
  if (!ready || !shows_argument(g, a->node)) return;
  OWNED arr *y = arr_retain(a->node->y);
  share_elements(g, a, y, a->node->first);
}

bool show_argument(ir *g, arr *a) {
  OWNED arr *y = arr_retain(a->node->y);
  if (is_pending(y) && !force(g, y)) return false;
  if (is_pending(a)) share_elements(g, a, y, a->node->first);
  return true;
}

/* All x g y of a product are not made. */
bool force_arguments(ir *g, const ir_node *n) {
  if (n->factors) return ir_host(g, n->factors->x) && ir_host(g, n->factors->y);
  return force_argument(g, n->x) && force_argument(g, n->y);
}

static bool at_hand(ir *g, arr *a) { return !a || ir_download(g, a); }

/* n by the direct path, its arguments having been forced. */
static arr *by_direct_path(ir_node *n) {
  prim_env e = {.c = n->g->c, .ct = n->ct, .io = 1};
  bool all = n->factors ||
             (at_hand(n->g, n->x) && at_hand(n->g, n->pairs) && at_hand(n->g, n->y));
  return all && n->kind->reference ? n->kind->reference(&e, n) : NULL;
}

bool run_reference(ir *g, ir_node *n, const char *why) {
  OWNED arr *self = arr_retain(n->self), *r = NULL;
  uint64_t seq = n->seq;
  span at = n->at;
  err_calls calls = calls_copy(n->calls);
  source_retain(at.src);
  if (force_arguments(g, n)) {
    steps_redone(g, n, why);
    r = by_direct_path(n);
  }
  bool ok = r != NULL;
  if (ok && is_pending(self)) ok = take_elements(g, self, r);
  else if (!ok && !g->error_attributed && g->c->err.code != ERR_INTERRUPT)
    attribute_error(g, seq, at, &calls);
  calls_drop(g->c, &calls);
  source_release(g->c, at.src);
  return ok;
}

bool outcome_fault(ir *g, ir_node *fault, bool escaped) {
  /* The reference path computes the lines of a fold of floats each by itself, and no other way
   * where another line is at fault. */
  bool by_lines =
      fault->kind->task == KIR_REDUCE && !fault->fn && kty_is_float(fault->ty);
  if (fault->seq > g->fault_seq && !by_lines) g->fault_seq = fault->seq;
  if (escaped && fault->fn && join_next_stage(fault)) return true;
  if (escaped && can_widen(fault)) {
    if (g->cuts) g->cuts->left_type(g, fault->seq, false);
    fault->wide = true;
    return true;
  }
  if (escaped && fault->kind->scalar && fault->leaves_reals && !fault->fn &&
      prim_row_of(fault->p, fault->x != NULL, CLS_C)) {
    if (g->cuts) g->cuts->left_type(g, fault->seq, true);
    fault->left = true;
    return true;
  }
  if (fault->of) fault = fault->of;
  if (escaped)
    return run_reference(g, fault, "a kernel met a value that its type cannot hold");
  return run_reference(g, fault, "a kernel met an error, or what it leaves to the host");
}
