/* SPDX-License-Identifier: MIT */
/* plan.h - a kernel and its scalars as steps that are run for every block.
 *
 * A `cell` is a value of the kernel. It is uniform (one number for the whole run, kept 64
 * times so that loops can run on it) or lives in a register: a buffer of `block` elements
 * that stays in L1, or for the time of a block directly in an input or an output array. */
#ifndef VAPL_HOST_PLAN_H
#define VAPL_HOST_PLAN_H
#include "../base/arith.h"
#include "loops.h"

typedef struct blk_cell {
  void *uni;    /* its 64 copies, if uniform */
  int32_t def;  /* the step that makes it; -1: none */
  int32_t last; /* the last step that reads it */
  uint16_t reg;
  uint8_t ty;
} blk_cell;

/* HOLD: nothing is done, but its cells hold their registers. */
enum blk_kind {
  STEP_RUN,
  STEP_FIN,
  STEP_LOAD,
  STEP_GET,
  STEP_IOTA,
  STEP_NUMBER,
  STEP_LOOP,
  STEP_HOLD
};
typedef struct blk_step {
  blk_fn fn;
  uint8_t kind, in;    /* LOAD, GET: the input; LOOP: its number */
  int16_t flag;        /* the flag word that a fault sets; -1 */
  uint16_t r, a, b, c; /* cells; 0 where there is none */
  uint16_t fa, fb, fc; /* FIN: result and arguments to look at when fn saw a non-finite */
} blk_step;

typedef struct blk_out {
  blk_fn fn; /* narrowing; NULL: copy, or pack for bits */
  uint16_t cell;
  uint16_t at, when, mask; /* cells of one that is put; else 0 */
  bool direct;             /* the cell lives in the output array, but for padded blocks */
} blk_out;

typedef struct blk_plan {
  const kir *k, *top; /* top: whose inputs GETs read */
  const kir_bind *b;
  const blk_isa *isa;
  blk_cell *cell;
  blk_step *step; /* [0, n_pre) make fold_x, [n_pre, n_step) the outputs */
  uint32_t n_cell, n_pre, n_step, n_reg;
  uint32_t *flags; /* n_flag words: what uniform instructions raised */
  uint32_t n_flag;
  size_t block, stride;    /* elements of a block; bytes from register to register */
  uint16_t fold_x, fold_r; /* cells */
  /* For a FOLD of a tuple, a cell for each value; the first ones are fold_x and fold_r. */
  uint16_t tuple_x[KIR_MAX_ACC], tuple_r[KIR_MAX_ACC];
  uint8_t fold_src;       /* kty of fold_x */
  const tree_loops *tree; /* of the fold, one of the two */
  const exact_loops *exact;
  bool sum; /* exact, and it is one of those that widen their accumulator */
  int fold_flag;
  bool or_bits; /* bit outputs share bytes between blocks: OR them into zeros */
  blk_out out[KIR_MAX_OUT];
  uint32_t n_test; /* of a loop's body: the steps that make `again` */
  struct blk_loop *loop;
} blk_plan;

/* A LOOP: its body's plan, whose outputs are the next values and `again`. */
typedef struct blk_loop {
  blk_plan body;
  uint16_t start[KIR_MAX_IN]; /* cells around it: what the body's inputs begin as */
  uint16_t result[KIR_MAX_CARRIED];
  uint16_t arg[KIR_MAX_IN]; /* the body's: its inputs */
  uint16_t *kept; /* the body's cells that the test makes for the steps behind it */
  uint32_t n_kept;
} blk_loop;

/* Bytes of memory that blk_plan_make needs; it cannot fail. */
size_t blk_plan_bytes(const kir *k);
void blk_plan_make(blk_plan *p, const blk_isa *isa, const kir *k, const kir_bind *b,
                   void *mem);
/* Makes its blocks no larger. */
void blk_plan_limit(blk_plan *p, size_t block);
/* The same of a join's body (body.h), a run of `outer` on b: the cells of its arguments are
 * arg[], and it has neither inputs nor outputs in memory. */
void blk_plan_body(blk_plan *p, const blk_isa *isa, const kir *outer, const kir_bind *b,
                   uint16_t *arg, void *mem);

/* n elements at, at + step, … of an input's storage, in kir_arg_type. */
void blk_fetch(elt type, const void *src, void *r, int64_t at, int64_t step, size_t n);
/* Those of n numbers. */
void blk_gather(elt type, const void *src, void *r, const int64_t *at, size_t n);

/* n bytes of *mem, which moves behind them; both at multiples of 64. */
static inline void *blk_take(uintptr_t *mem, size_t n) {
  uintptr_t at = *mem;
  *mem += (n + 63) & ~(size_t)63;
  return (void *)at;
}

static inline size_t blk_src_size(const blk_plan *p) {
  return (size_t)kty_bytes(p->fold_src);
}
static inline kty blk_res_type(const blk_plan *p) { return p->k->ins[p->k->fold_at].ty; }
static inline size_t blk_res_size(const blk_plan *p) {
  return (size_t)kty_bytes(blk_res_type(p));
}
/* Does a loop make cell c, in a buffer that the caller may choose? */
static inline bool blk_is_made(const blk_plan *p, uint16_t c) {
  return p->cell[c].def >= 0 && p->step[p->cell[c].def].kind <= STEP_FIN;
}
#endif
