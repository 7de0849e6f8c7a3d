/* SPDX-License-Identifier: MIT */
/* kind.h - the kinds of nodes. Each is a row: its functions, and what the passes over the graph ask
 * about it. The row stands in the file that has the functions (node_*.c, or build_*.c where they are few),
 * so that the passes themselves name no kind; what builds nodes of a kind, or looks for them, does. */
#ifndef VAPL_IR_KIND_H
#define VAPL_IR_KIND_H
#include "../kir/kir.h"
#include "../prim/direct.h"

struct index_map;
struct ir_node;
struct plan;

typedef struct node_kind {
  /* The type, range and faults of n, whose arguments are up to date (infer.c). */
  void (*infer)(struct ir_node *n);
  /* Where the map leads in n's argument x, or y; NULL: where it leads in n (edge.c). */
  struct index_map (*below)(const struct plan *p, const struct ir_node *n, bool of_x,
                            struct index_map at);
  /* n's element there (fuse.c); NULL: no kernel computes it, except as its FOLD. */
  kv (*emit)(struct plan *p, struct ir_node *n, struct index_map at);
  void (*fold)(struct plan *p, struct ir_node *n); /* the FOLD, and what is made of it */
  /* n by the direct path, owned; its arguments are at hand (outcome.c). NULL: it has no faults. */
  arr *(*reference)(prim_env *e, struct ir_node *n);
  const char *show; /* in ]plan: a text, which show.c explains; NULL: "fy" */
  kir_kind task;    /* of the kernel whose FOLD it is; KIR_MAP: it has none */
  bool scalar;      /* a function of scalars, element by element */
  bool folds;       /* by a monoid or a function */
  bool draws;       /* random numbers: much work for each */
  bool computes;    /* an element is more than one that is read elsewhere */
  bool view;        /* y's elements by strides */
  bool free;        /* to compute an element again costs nothing */
  bool real;        /* no kernel reads complex numbers */
  bool same;        /* all elements are y's only one */
  bool puts;        /* into memory that has elements: nothing is fused behind it */
  bool typed;       /* the builder gives its type, not what its elements need */
  bool behind; /* a map may run behind its FOLD, or behind that of x where it is `by_x` */
  bool by_x;   /* element i is y's whose number is x's element i */
  bool unordered; /* no fold of segments reads its elements as they are stored */
  bool at_once;   /* with nothing to fuse it is quicker by the direct path (exec.c) */
} node_kind;
#define KIND(name, ...) const node_kind kind_##name = {__VA_ARGS__} /* a row */

/* A scalar function of y, or of x and y. */
extern const node_kind kind_scalar;
/* f/ and f\ along an axis of y: rows × len × inner, len being the axis; of the vector y f/ where x, if
 * there is one, is 1: exact folds. */
extern const node_kind kind_reduce, kind_scan;
/* ⍋ or ⍒ of the vector y, from `first` on; or, sorted, its elements so, or those of x. */
extern const node_kind kind_order;
/* Element first + step×i of y's ravel; with `dims` first + step×W(i). Boxes of x and y side by side,
 * and fill elements: in `move`. The scalar y, everywhere. */
extern const node_kind kind_view, kind_parts, kind_fill;
/* Of y as rows × len × inner along the axis the elements whose numbers, from `first` on, x has, which
 * may be negative where the node `fills`. How many elements of y, which ascend, are no greater than x's,
 * exactly; without x than the number of the element, which is less than the last of them. */
extern const node_kind kind_index, kind_search;
/* The elements of the vector y where x, truth values, is 1. `into`, whose elements number x - first
 * become y's, or are joined with them. */
extern const node_kind kind_compress, kind_put;
/* For each of x the number of y's first equal element, by the seats in pairs. Is element i + p of the
 * ravel of y equal to x's, for each p of pairs? x's element i joined, by p, with those of y from
 * element pairs[i - 1] to pairs[i] - 1. */
extern const node_kind kind_lookup, kind_find, kind_runs;
/* first + step×i, stored nowhere. Draw first + i of the generator keyed by step, below y; y is 0: a
 * fraction. Place i of a deal of the numbers below y, by the keys first and step: shuffle.def. */
extern const node_kind kind_iota, kind_roll, kind_deal;
/* y's elements, characters being code points, in the type `as`; first: ⎕IO. */
extern const node_kind kind_convert;
/* y's floats as integers of type `as` that order as they do; or such integers as the floats. */
extern const node_kind kind_key;
/* For kinds of systems, which are solved whole (build_linear.c, build_solve.c): f64 of y's, and from x's element
 * number `first` on. */
void infer_systems(struct ir_node *n);
void fold_systems(struct plan *p, struct ir_node *n);
/* A vector of the stretches of the vector y in pairs: no kernel reads it. */
extern const node_kind kind_items;
#endif
