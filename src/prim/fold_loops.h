/* SPDX-License-Identifier: MIT */
/* fold_loops.h - folds and scans by the tree, of buffers of one C type, for the instruction set of
 * this machine: what fold_direct.c is made of. */
#ifndef VAPL_PRIM_FOLD_LOOPS_H
#define VAPL_PRIM_FOLD_LOOPS_H
#include "scalar.h"
#include "../tables/prim_fold.h"

/* Folds of n ≥ 1 elements. After products of integers s says whether one escaped. */
typedef struct sc_tree {
  /* room for n/1024 + 128 elements */
  void (*reduce)(sc_state *s, kfold f, const void *v, int64_t n, void *room, void *to);
  void (*blocks)(sc_state *s, kfold f, const void *v, int64_t n, void *to);
  /* n ≤ KIR_LANES rows of `inner`, which are folded to the first row of room: it has room for an
   * eighth of them, rounded up, and for one more. */
  void (*columns)(sc_state *s, kfold f, const void *v, int64_t n, int64_t inner,
                  void *room);
  void (*scan)(sc_state *s, kfold f, const void *v, void *out, int64_t n);
  /* Is a float infinite, NaN or, of products, below the normal numbers? */
  bool (*off)(const void *v, int64_t n, bool product);
} sc_tree;
typedef struct sc_trees {
  sc_tree of[SC_TYPES];
} sc_trees;
extern const sc_trees sc_trees_base, sc_trees_avx2, sc_trees_avx512;
const sc_tree *sc_tree_of(sc_type t); /* SC_I64, SC_F64, SC_F32 (find.c) */
#endif
