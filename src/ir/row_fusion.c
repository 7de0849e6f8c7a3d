/* SPDX-License-Identifier: MIT */
/* row_fusion.c - reductions of rows that one kernel computes together with the map behind them.
 *
 *     q ─┬─────── - ─ * ─┬────── ÷ ─▶ row softmax
 *        └─ ⌈/ ───┘      └─ +/ ──┘
 *
 * Each of the two reductions would be a kernel, and the map a third one: q is read three
 * times, and * computed twice. Where a row fits the registers of a workgroup all of it is one
 * kernel (KIR_ROWS, codegen/row_maps.c), on a device. The host keeps the kernels apart: there the rows of
 * a block stay in the cache.
 *
 * What is found first is a view by which an array of an element for each row (r) lies along the
 * rows' elements (r, i); below it reductions of such rows, and scalar functions of what they give.
 *
 * TRIED: nodes that compute the same found by comparing them, and computed once: softmax in one
 * line, 1.03 to 1.07. */
#include "plan.h"
#include "../tables/fast.h"

#include "../codegen/codegen.h"

static void find_rows(plan *p, arr *a, index_map at);

static bool adds(plan *p, ir_node *n) {
  for (uint32_t i = 0; i < p->n_row_nodes; i++)
    if (p->row_node[i] == n) return true;
  if (p->n_row_nodes < PLAN_ROW_NODES) p->row_node[p->n_row_nodes++] = n;
  else p->full = true;
  return !p->full;
}

static bool folds_row(plan *p, ir_node *n) {
  if (n->kind->task != KIR_REDUCE || n->factors || n->rows != p->rows ||
      n->len != p->len || n->inner != 1)
    return false;
  infer(p->g, n->self);
  bool real = n->self->type != ET_C128 && !may_read_complex(n);
  return real && !n->pairs && !n->fn && !n->x && n->row != CLS_NONE;
}

/* a has an element for each row. Does it come of folds of rows? Then it is the kernel's. */
static bool take_row(plan *p, arr *a) {
  ir_node *n = a->node;
  if (!n || n->begun || a->count != p->rows || n->forced) return false;
  if (folds_row(p, n)) {
    if (adds(p, n)) find_rows(p, n->y, identity_map);
    return true;
  }
  if (!n->kind->scalar || n->fn || n->loops) return false;
  bool x = n->x && take_row(p, n->x), y = take_row(p, n->y);
  return (x || y) && adds(p, n);
}

/* Below an element of the rows: the first view tells how long they are. */
static void find_rows(plan *p, arr *a, index_map at) {
  ir_node *n = a->node;
  if (p->full || !n || (n->begun && a != p->root)) return;
  if (plan_repeats_rows(n) && at.step == 1 && !at.strided && !at.computed) {
    int64_t len = n->strided.n[1];
    if (!p->row_view) {
      p->len = len;
      p->rows = a->count / len;
      p->row_view = n;
    }
    if (len == p->len && !n->y->node) return;
    if (len == p->len && !take_row(p, n->y) && !p->n_row_nodes) p->row_view = NULL;
    return;
  }
  if (!n->kind->scalar || n->loops || plan_is_edge(p, a, at)) return;
  if (n->x) find_rows(p, n->x, at);
  find_rows(p, n->y, at);
}

/* More instructions take a driver long to compile. */
enum { MOST_INSTRUCTIONS = 2400 };

bool plan_rows_fit(const plan *p) {
  if (p->k.kind != KIR_ROWS) return true;
  int64_t quads = (p->len + KIR_LANES - 1) / KIR_LANES;
  if (p->len <= KIR_LANES) quads = 4;
  return p->k.n_ins * quads <= MOST_INSTRUCTIONS;
}

bool plan_find_rows(plan *p) {
  int64_t all = p->len;
  p->row_view = NULL;
  find_rows(p, p->root, identity_map);
  if (!p->full && p->n_row_nodes && p->len > 1 && p->len <= ROWS_MOST) return true;
  p->full = false;
  p->n_row_nodes = 0;
  p->rows = 1;
  p->len = all;
  return false;
}
