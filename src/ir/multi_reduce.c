/* SPDX-License-Identifier: MIT */
/* multi_reduce.c - reductions that one kernel computes together.
 *
 * (⌊/x)(⌈/x)(+/x) are three pending reductions when the first is asked for. Each alone
 * would read x. So whoever forces one takes in others that are pending, fold the same
 * lines, and read something that it reads, too: the FOLD has a value for each (kir.h),
 * and the kernel as many outputs. Each has the bits that it has alone.
 *
 *   x ─┬─ -m ─ ×⍨ ─┐
 *      └─ | ───────┴─▶ FOLD + ⌈ ─▶ +/×⍨x-m   ⌈/|x
 *
 * Not taken in is what waits for another kernel itself. Where bits alone are read the
 * count of 32 at a time (codegen/reduce_tile_bits.c) beats one pass for several. */
#include "plan.h"
#include "../tables/fast.h"

enum { MOST_BYTES = 48, MOST_WEIGHT = 1000, MOST_LEAVES = 10 };
enum {
  LOOKS = 256
}; /* at reductions that are pending: a table of calls makes thousands */

/* The arrays that a region reads, scalars left out. */
typedef struct leaves {
  const arr *at[MOST_LEAVES];
  int n;
  bool waits;   /* something pending has to be made first */
  bool numbers; /* not bits alone */
} leaves;

static bool has_leaf(const leaves *l, const arr *a) {
  for (int i = 0; i < l->n; i++)
    if (l->at[i] == a) return true;
  return false;
}

static void add_leaf(leaves *l, const arr *a) {
  if (a->count == 1 || has_leaf(l, a)) return;
  if (l->n == MOST_LEAVES) {
    l->waits = true;
    return;
  }
  l->at[l->n++] = a;
  l->numbers |= a->type != ET_BIT;
}

static void find_leaves(const plan *p, arr *a, index_map at, leaves *l) {
  if (l->waits) return;
  if (a == p->root || plan_is_edge(p, a, at)) {
    if (is_pending(a) && !is_linked(a)) l->waits = true;
    else add_leaf(l, a);
    return;
  }
  ir_node *n = a->node;
  if (n->x) find_leaves(p, n->x, plan_below(p, n, true, at), l);
  if (n->y) find_leaves(p, n->y, plan_below(p, n, false, at), l);
}

static leaves leaves_of(const plan *p, const ir_node *n) {
  static const index_map itself = {.step = 1};
  leaves l = {.n = 0};
  find_leaves(p, n->y, itself, &l);
  if (n->x) find_leaves(p, n->x, itself, &l);
  return l;
}

static bool shares(const leaves *a, const leaves *b) {
  for (int i = 0; i < b->n; i++)
    if (has_leaf(a, b->at[i])) return true;
  return false;
}

/* A reduction that kernels compute. */
static bool is_ordinary(ir *g, ir_node *n) {
  infer(g, n->self);
  return n->kind->task == KIR_REDUCE && !n->link && !n->pairs && !n->fn && !n->factors &&
         n->row != CLS_NONE && !may_read_complex(n);
}

static int bytes_of(const ir_node *n) { return n->wide_sum ? 16 : 8; }

void plan_take_others(plan *p) {
  ir *g = p->g;
  if (!g->tune.fuse || p->fold != p->root->node || !is_ordinary(g, p->fold)) return;
  leaves mine = leaves_of(p, p->fold);
  uint32_t weight = p->fold->weight;
  int bytes = bytes_of(p->fold);
  if (mine.waits || !mine.numbers) return;
  int looks = LOOKS;
  for (ir_node *n = g->reductions; n && looks--; n = n->next_reduction) {
    if (p->n_out == KIR_MAX_ACC) return;
    bool same = n->rows == p->rows && n->len == p->len && n->inner == p->inner;
    if (n == p->fold || !same || !is_ordinary(g, n)) continue;
    leaves theirs = leaves_of(p, n);
    if (theirs.waits || !theirs.numbers || !shares(&mine, &theirs)) continue;
    if (bytes + bytes_of(n) > MOST_BYTES || weight + n->weight > MOST_WEIGHT) continue;
    bytes += bytes_of(n);
    weight += n->weight;
    for (int i = 0; i < theirs.n; i++) add_leaf(&mine, theirs.at[i]);
    p->out[p->n_out++] = n->self;
    if (mine.waits) return;
  }
}
