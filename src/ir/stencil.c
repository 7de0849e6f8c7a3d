/* SPDX-License-Identifier: MIT */
/* stencil.c - maps over a matrix of which an element's neighbours are read, too: stencils.
 *
 * A window's k-th elements are the matrix shifted, with fill elements along its edges
 * (build_few.c): each is a GET at a computed place, asked whether it is there. Where several read
 * near one another a kernel for the device has NEARs instead (kir.h, codegen/near.c): how far
 * down and right, nothing to compute. The host keeps GETs. */
#include "plan.h"
#include "../tables/fast.h"

#include <stdlib.h>

typedef struct shift {
  int64_t columns; /* 0: any number of them divides `all` */
  int64_t all;     /* elements, that a row's shift moves */
  int64_t down, right;
} shift;

/* By how much the box [lo, lo + len) of n along an axis is shifted if it is all that is there. */
static int64_t shift_along(int64_t lo, int64_t len, int64_t n) {
  return lo ? -lo : n - len;
}

/* Is n its argument shifted, with fill elements where that is not? */
static bool is_shifted(const ir_node *n, int64_t columns, shift *s) {
  const node_move *m = n->move;
  if (!m || m->parts != 1 || !m->fills || m->rank > 2) return false;
  const arr *a = part_source(n, 0);
  const view_part *p = &m->part[0];
  if (a->count != n->self->count || a->type != n->self->type || a->type == ET_C128)
    return false;
  int last = m->rank - 1;
  int64_t lo = m->lo[0][last], by = shift_along(lo, p->len[last], m->n[last]);
  if (p->stride[last] != 1) return false;
  if (m->rank == 2) {
    columns = m->n[1];
    int64_t top = m->lo[0][0], down = shift_along(top, p->len[0], m->n[0]);
    *s = (shift){.columns = columns, .down = down, .right = by};
    if (p->stride[0] != columns || p->len[0] != m->n[0] - llabs(down)) return false;
    if (p->from != (top + down) * columns + lo + by) return false;
  } else {
    if (!columns || by % columns) return false;
    *s = (shift){.columns = columns, .down = by / columns};
    if (p->from != lo + by) return false;
  }
  if (p->len[last] != m->n[last] - llabs(by)) return false;
  return llabs(s->down) <= KIR_FAR && llabs(s->right) <= KIR_FAR;
}

/* How many shifted arrays the map reads, whose rows have p->near elements; those of the first
 * are if that is 0. */
static int count_near(plan *p, arr *a, bool any) {
  ir_node *n = a->node;
  shift s;
  if (!n || (n->begun && a != p->root)) return 0;
  if (n->move && n->self->count == p->len) {
    if (!is_shifted(n, any ? 0 : p->near, &s)) return 0;
    if (any) p->near = s.columns;
    return s.columns == p->near;
  }
  if (!n->kind->scalar || n->loops || plan_is_edge(p, a, identity_map)) return 0;
  int count = n->x ? count_near(p, n->x, any) : 0;
  return count + count_near(p, n->y, any);
}

bool plan_find_near(plan *p) {
  enum { LEAST = 3, LEAST_COLUMNS = 32 };
  if (!count_near(p, p->root, true) || p->near < LEAST_COLUMNS) p->near = 0;
  if (p->near && count_near(p, p->root, false) < LEAST) p->near = 0;
  return p->near;
}

/* The NEAR of an array that is in memory. False: a GET has to do. */
static bool emit_near(plan *p, arr *a, int64_t down, int64_t right, kv *v) {
  uint32_t i = 0, others = 0;
  for (; i < p->k.n_in; i++) {
    if (p->k.in[i].view != KV_NEAR) continue;
    if (p->in[i] == a) break;
    others++;
  }
  if (i == KIR_MAX_IN || others == KIR_MAX_NEAR) return false;
  index_map at = {.off = p->near, .step = p->len / p->near};
  if (i == p->k.n_in) plan_input(p, a, at, KV_NEAR);
  *v = plan_op(p, KOP_NEAR, kir_arg_type((elt)a->type), 0, 0, knear(i, down, right));
  return true;
}

bool plan_near(plan *p, ir_node *n, kv *v) {
  shift s;
  if (!p->near || !is_shifted(n, p->near, &s) || s.columns != p->near) return false;
  arr *a = part_source(n, 0);
  index_map below = {.computed = true};
  return plan_is_edge(p, a, below) && emit_near(p, a, s.down, s.right, v);
}

bool plan_near_itself(plan *p, arr *a, kv *v) {
  return p->near && a->count == p->len && emit_near(p, a, 0, 0, v);
}

/* Rows of bits and other narrow elements are to begin at whole words. */
bool plan_near_fits(const plan *p) {
  bool narrow = elt_bits((elt)p->root->type) < 32;
  return !kir_has_near(&p->k) || !narrow || p->near % 32 == 0;
}
