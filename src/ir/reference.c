/* SPDX-License-Identifier: MIT */
/* reference.c - the reference path: one node by the direct path of src/prim, whose word is
 * final. It gives what no kernel can compute (complex numbers), the value where a kernel left
 * its type's range, and the message of an error that a kernel only flagged. */
#include "device.h"
#include "exec.h"
#include "../array/element.h"

/* Which element of y's ravel, from the view's first, the view's element i is (see kir.h). */
static int64_t view_index(const ir_node *n, int64_t i) {
  int64_t sum = 0;
  if (!n->dims) return i;
  for (int d = n->dims - 1; d > 0; d--) {
    sum += i % n->strided.n[d] * n->strided.stride[d];
    i /= n->strided.n[d];
  }
  return sum + i * n->strided.stride[0];
}

/* A view or a fill of complex numbers, which no kernel reads. */
static arr *copy_view(const ir_node *n) {
  ctx *c = n->g->c;
  OWNED arr *r = arr_new(c, (elt)n->y->type, n->self->rank, n->self->shape);
  for (int64_t i = 0; r && i < r->count; i++)
    arr_copy(r, i, n->y, n->first + n->step * view_index(n, i), 1);
  return cx_demote(c, arr_move(&r));
}

arr *node_reference(ir_node *n) {
  prim_env e = {.c = n->g->c, .ct = n->ct, .io = 1};
  if (n->x && !ir_download(n->g, n->x)) return NULL;
  if (!ir_download(n->g, n->y)) return NULL;
  switch (n->kind) {
  case N_MONAD: return prim_monadic(&e, n->p, n->y);
  case N_DYAD: return prim_dyadic(&e, n->p, n->x, n->y);
  case N_REDUCE: return prim_reduce(&e, n->p, n->y, n->axis);
  case N_SCAN: return prim_scan(&e, n->p, n->y, n->axis);
  case N_VIEW:
  case N_FILL: return copy_view(n);
  case N_IOTA: break; /* cannot fault */
  }
  return NULL;
}
