/* SPDX-License-Identifier: MIT */
/* scalar_walk.h - what scalar_fn.c and scalar_loop.c share: a walk whose values are numbers of
 * instructions, or from COMPLEX on pairs of them, or from STRAND on a few of either side by
 * side. */
#ifndef VAPL_EVAL_SCALAR_WALK_H
#define VAPL_EVAL_SCALAR_WALK_H
#include "fn_walk.h"
#include "scalar_fn.h"

/* STATES: a vector of states, of which only the first may be asked for. */
enum {
  COMPLEX = 0x2000,
  STRAND = 0x4000,
  STATES = 0x7fff,
  SCALAR_STRANDS = 32,
  SCALAR_PAIRS = 48
};
typedef struct scalar_pair { /* a complex number, of floats */
  int re, im;
} scalar_pair;
typedef struct strand {
  int n, item[KIR_MAX_CARRIED];
} strand;

typedef struct scalar_walk {
  walk w; /* first: the rules are given it */
  scalar_fn *r;
  const sym *name[KEXPR_PARAMS];
  int element, state;
  int under; /* what must be 1 for what is computed to count, or NONE */
  strand strand[SCALAR_STRANDS];
  int n_strand;
  scalar_pair pair[SCALAR_PAIRS];
  int n_pair;
} scalar_walk;
static inline scalar_walk *scalar_of(walk *w) { return (scalar_walk *)w; }

int scalar_emit(walk *w, kexpr_ins in);
int scalar_integer(walk *w, int64_t n);
int scalar_prim(walk *w, prim p, int x, int y); /* x NONE: p y */
int scalar_truth(walk *w, int x);               /* what a guard makes of it */
int scalar_not(walk *w, int x);
int scalar_both(walk *w, int a, int b); /* a∧b; NONE: it is always so */
int scalar_choose(walk *w, int c, int yes, int no);
/* A strand of those numbers, which are of one class, or of one itself. */
int scalar_vector(walk *w, int n, const int *item);
int scalar_items(walk *w, int x, int *item); /* how many x is; item has room for as many
                                                       as a loop carries */

/* scalar_complex.c */
static inline bool is_complex(int x) { return x >= COMPLEX && x < STRAND; }
int scalar_pair_of(walk *w, int re, int im);
scalar_pair scalar_parts(walk *w, int x);          /* of a number of either kind */
int scalar_complex(walk *w, prim p, int x, int y); /* x p y, of which one is complex */

/* scalar_loop.c: a loop that carries n values. It begins, `again` says at its beginning whether it goes on, and
 * it ends: what next[i] is then is carried value i behind it. Elements for which it does not count are in none. */
typedef struct looping {
  walk *w;
  int n, carry[KIR_MAX_CARRIED];
  int under; /* around the loop */
} looping;
bool scalar_loop_begin(looping *l, walk *w, int n, const int *start);
bool scalar_loop_test(looping *l, int again);
bool scalar_loop_end(looping *l, int *next);
#endif
