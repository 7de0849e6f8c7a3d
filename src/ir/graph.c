/* SPDX-License-Identifier: MIT */
/* graph.c - a node's end, and the list of the unverified.
 *
 * A node that may fault must be computed even if nobody ever looks at its value, for its
 * error must come. Until its elements have been computed without a fault it is in a list,
 * which holds a reference to its array:
 *
 *   … ⇄ node ⇄ node ⇄ node ← ir.unverified
 *       seq 3   seq 7   seq 8
 *
 * Nodes enter it when they are built and leave it from anywhere, so it is always in order
 * of their numbers: the latest one is ir.unverified, and no search is needed to find
 * it. */
#include "cuts.h"
#include "join.h"
#include <assert.h>

void unverified_add(ir_node *n) {
  ir *g = n->g;
  n->listed = true;
  n->earlier = g->unverified;
  n->later = NULL;
  if (n->earlier) n->earlier->later = n;
  g->unverified = n;
  g->n_unverified++;
  arr_retain(n->self);
}

bool ir_left_call(ir *g, span at, uint64_t since) {
  if (g->cuts && !g->cuts->left_call(g, at, since)) return false;
  for (ir_node *n = g->unverified; n && n->seq >= since; n = n->earlier) {
    if (!n->calls) n->calls = mem_zalloc(g->c, sizeof *n->calls);
    if (!n->calls) return false;
    calls_add(g->c, n->calls, at);
  }
  return true;
}

void unverified_remove(ir_node *n) {
  ir *g = n->g;
  if (!n->listed) return;
  n->listed = false;
  if (n->earlier) n->earlier->later = n->later;
  if (n->later) n->later->earlier = n->earlier;
  else g->unverified = n->earlier;
  g->n_unverified--;
  arr_release(n->self);
}

void node_verified(ir_node *n) {
  n->verified = true;
  unverified_remove(n);
}

void reductions_add(ir_node *n) {
  ir *g = n->g;
  n->next_reduction = g->reductions;
  if (g->reductions) g->reductions->previous_reduction = n;
  g->reductions = n;
}

void node_read_by(ir_node *n, arr *a) {
  if (a && a->node) a->node->reader = n;
}

static void read_no_more(const ir_node *n, arr *a) {
  if (a && a->node && a->node->reader == n) a->node->reader = NULL;
}

void node_drop(ir *g, arr *a) {
  ir_node *n = a->node;
  if (!n) return;
  assert(!n->listed);
  ir_node *next = n->next_reduction, *previous = n->previous_reduction;
  if (next) next->previous_reduction = previous;
  if (previous) previous->next_reduction = next;
  else if (g->reductions == n) g->reductions = next;
  read_no_more(n, n->x);
  read_no_more(n, n->y);
  a->node = NULL;
  if (!a->dev) a->owner = NULL;
  arr_release(n->x);
  arr_release(n->y);
  arr_release(n->pairs);
  arr_release(n->into);
  if (n->factors) {
    arr_release(n->factors->x);
    arr_release(n->factors->y);
    mem_free(g->c, n->factors);
  }
  join_fn_release(n->fn);
  join_code_release(n->code);
  source_release(g->c, n->at.src);
  if (n->calls) calls_drop(g->c, n->calls);
  mem_free(g->c, n->calls);
  mem_free(g->c, n->move);
  mem_free(g->c, n);
}

void steps_tell(ir *g) {
  bool far = g->dev && (g->tune.hints > 1 || !gpu_get_info(g->dev)->cpu);
  g->tells = g->watching || g->metering || (g->cfg.hint && g->tune.hints && far);
  if (!g->tells) g->step = NULL;
}

/* ── what rounds of a function read ── */

/* How many times pending a reads y, 2 for more; *moved: some of them by what moves elements, or folds
 * them, so that an element of a needs several of y. */
static int reads_of(const arr *a, const arr *y, bool below, bool *moved) {
  if (a == y) *moved |= below;
  if (a == y) return 1;
  const ir_node *n = a ? a->node : NULL;
  if (!n || n->begun) return 0;
  bool moves = below || !n->kind->scalar;
  int reads = reads_of(n->x, y, moves, moved);
  if (reads < 2 || !*moved) reads += reads_of(n->y, y, moves, moved);
  return reads < 2 ? reads : 2;
}

bool ir_spreads(const arr *a, const arr *y) {
  bool moved = false;
  return is_pending(a) && reads_of(a, y, false, &moved) > 1 && moved;
}
