/* SPDX-License-Identifier: MIT */
/* cuts.h - what the graph asks where a program runs on several ranks (src/dist, which is above it, and sets
 * ir.cuts): a CUT array has no elements here, but a node of kind_cut, which owns this rank's part.
 *
 * A cut array is never an argument of another node: a builder that meets one makes the same of the parts, by one
 * of these functions, or node_new brings it here, whole. Those that give an array give NULL without an error where
 * there is no form in parts; all of them are called by all ranks alike. */
#ifndef VAPL_IR_CUTS_H
#define VAPL_IR_CUTS_H
#include "graph.h"

typedef struct ir_cuts {
  arr *(*monadic)(const ir_call *call, prim f, arr *y);
  arr *(*dyadic)(const ir_call *call, prim f, arr *x, arr *y);
  arr *(*convert)(const ir_call *call, arr *y, elt t); /* as node_convert */
  arr *(*fold)(const ir_call *call, bool scan, prim f, arr *y, int axis);
  arr *(*fold_where)(const ir_call *call, prim f, arr *x,
                     arr *y); /* as ir_reduce_where */
  arr *(*fold_stretches)(const ir_call *call, prim f, arr *y,
                         arr *pairs); /* as ir_reduce_segments */
  arr *(*fold_function)(const ir_call *call, const ir_function *f, arr *y, int axis,
                        bool scan);
  arr *(*product)(const ir_call *call, const prim_factors *p);
  arr *(*numbers)(const ir_call *call, int64_t first,
                  int64_t n);                           /* first, first + 1, … */
  arr *(*pick)(const ir_call *call, arr *y, int64_t i); /* as ir_pick, of a cut array */
  /* v, which p names, of x (source 0, or NULL) and y, some of them or the result cut */
  arr *(*view)(const ir_call *call, prim p, const view *v, arr *x, arr *y);
  /* x/y along axis k, or x\y; ⍸y; y[at[0];…]: as ir_replicate, where_ones and ir_index */
  arr *(*replicate)(const ir_call *call, arr *x, arr *y, int k, bool expand);
  arr *(*where)(const ir_call *call, arr *y);
  arr *(*index)(const ir_call *call, arr *y, int n, arr *const *at);
  bool (*put)(const ir_call *call, arr **x, arr *at, arr *v); /* as ir_put, x is cut */
  /* As ir_put_joined, of an x that is not, where at or v is. */
  bool (*join)(const ir_call *call, prim f, arr **x, arr *at, arr *v);
  arr *(*sorted)(const ir_call *call, arr *y, const arr *x); /* as ir_sorted; x is cut */
  bool (*settle)(ir *g,
                 arr *a); /* its type is certain, its elements are there, on some rank */
  bool (*here)(ir *g,
               arr *a); /* it is an array like others: all elements on every rank */
  /* Verification has ended so; an attempt has that began at ir_seq `since`: has it on all ranks? */
  bool (*verified)(ir *g, bool ok);
  bool (*all)(ir *g, uint64_t since, bool ok);
  bool (*is_open)(const ir *g); /* are there operations that are not verified? */
  void (*first_error)(ir *g);
  bool (*left_call)(ir *g, span at, uint64_t since);
  void (*left_type)(ir *g, uint64_t seq, bool reals); /* a node of a part did */
} ir_cuts;

extern const node_kind kind_cut;
static inline bool is_cut(const arr *a) {
  return a && a->node && a->node->kind == &kind_cut;
}
#endif
