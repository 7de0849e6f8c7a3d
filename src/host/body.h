/* SPDX-License-Identifier: MIT */
/* body.h - a FOLD's join on the host: two tuples become one, for many pairs of them side by
 * side or for one pair after the other. body.c says how. */
#ifndef VAPL_HOST_BODY_H
#define VAPL_HOST_BODY_H
#include <string.h>

#include "steps.h"

/* Lanes of tuples: an array for each value of a tuple, of its compute type. What is read in
 * many lanes may be read up to a multiple of 64 of them: arrays have so much room behind. */
typedef struct blk_tuple {
  char *at[KIR_MAX_ACC];
} blk_tuple;

typedef struct blk_body {
  blk_plan many, one; /* the same steps for blocks of lanes, and for a single one */
  uint16_t arg_many[2 * KIR_MAX_ACC], arg_one[2 * KIR_MAX_ACC];
  uint32_t n;               /* values of a tuple */
  size_t size[KIR_MAX_ACC]; /* bytes of each */
  /* May a result be made where an argument of the same place is, lane for lane? */
  bool in_place[KIR_MAX_ACC];
} blk_body;

/* Lanes that have no part in a join: lane i if skip[i % period]. What is made of them raises
 * nothing. `keep`: the result's lanes stay what they were. */
typedef struct blk_mask {
  const uint8_t *skip;
  size_t period;
  bool keep;
} blk_mask;

/* A thread that joins. */
typedef struct blk_joiner {
  const blk_body *body;
  blk_thread many, one;
  char *tmp; /* results that wait; operands once more: 4 × 8 bytes × BLK_MAX */
} blk_joiner;

size_t blk_body_bytes(const kir *k);
void blk_body_make(blk_body *y, const blk_isa *isa, const kir *k, const kir_bind *b,
                   void *mem);
/* A joiner's memory from *mem on; its flags are `flags`. */
void blk_joiner_take(blk_joiner *w, const blk_body *y, uint32_t *flags, uintptr_t *mem);
void blk_joiner_init(blk_joiner *w);

/* r[i] = a[i] ∘ b[i] for n lanes; an array of r is the same as that of a or b, or apart from
 * it. mask: NULL, or which lanes have no part. */
void blk_join(blk_joiner *w, blk_tuple r, blk_tuple a, blk_tuple b, size_t n,
              const blk_mask *mask);
/* r[i×rs] = a[i×as] ∘ b[i×bs] for i = 0, 1, … n-1, each after the one before it. */
typedef struct blk_steps_of {
  ptrdiff_t r, a, b;
} blk_steps_of;
void blk_join_each(blk_joiner *w, blk_tuple r, blk_tuple a, blk_tuple b, size_t n,
                   blk_steps_of by);

/* Lane i, also the one before the first, and n lanes copied. */
static inline blk_tuple blk_lane(const blk_body *y, blk_tuple t, size_t i) {
  for (uint32_t c = 0; c < y->n; c++) t.at[c] += (ptrdiff_t)(i * y->size[c]);
  return t;
}
static inline void blk_lanes_copy(const blk_body *y, blk_tuple to, blk_tuple from,
                                  size_t n) {
  for (uint32_t c = 0; c < y->n; c++) memmove(to.at[c], from.at[c], n * y->size[c]);
}
/* Room for n lanes from *mem on, and for what is read behind them. */
blk_tuple blk_lanes_take(const blk_body *y, size_t n, uintptr_t *mem);
#endif
