/* SPDX-License-Identifier: MIT */
/* template.h - what the templates share, and their names.
 *
 * A template's file has two parts: how (which tasks it serves, by which passes) and the
 * body. Comments say of an id whether it is a u32, a position (ix), a bool or a
 * variable. */
#ifndef VAPL_CG_TEMPLATE_H
#define VAPL_CG_TEMPLATE_H
#include "cg_fold.h"
#include "memory.h"
#include "instructions.h"
#include "task.h"

/* Comparison of two scalars, and one of two scalars as a bool says. */
static inline uint32_t cg_is(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, spv_bool(g->b), op, a, b);
}
static inline uint32_t cg_pick(cg *g, uint32_t type, uint32_t is, uint32_t a,
                               uint32_t b) {
  return spv_op(g->b, type, SpvOpSelect, is, a, b);
}
/* v + n. */
static inline uint32_t cg_next(cg *g, uint32_t v, uint32_t n) {
  return n ? cg_ui(g, SpvOpIAdd, v, n) : v;
}
/* *t = quotient × by + remainder, u32: the quotient takes its place. */
uint32_t cg_split(cg *g, uint32_t *t, uint32_t by);
/* The same where *t and `by` are below 2^16, by a multiplication with cg_inverse of
 * `by`. */
uint32_t cg_split_small(cg *g, uint32_t *t, uint32_t by, uint32_t inverse);
uint32_t cg_inverse(cg *g, uint32_t by);

/* Behind cg_hold_args: what an argument is, of lengths and addresses, is loaded again. */
void cg_read_again(cg *g);

/* ── where a thread works (thread_place.c) ── */

/* A thread of a pass over rows. `tile`, `left` and `start` are for whole workgroups
 * only. */
typedef struct cg_place {
  uint32_t threads; /* that share a row: a workgroup, or fewer for short rows */
  uint32_t u, sub;  /* u32: place among them; which of the workgroup's rows */
  uint32_t row;     /* ix */
  uint32_t row_at;  /* ix: its first element in storage */
  uint32_t first; /* ix: in the row, of the thread's first lane in the tile's first row */
  uint32_t start; /* ix: in the row, of the tile */
  uint32_t tile;  /* u32: of the row */
  uint32_t left;  /* u32: its elements */
  uint32_t there; /* bool: the row exists; 0: it does */
} cg_place;
/* `threads` share a row; if that is a workgroup, it has a tile of `size` elements. */
cg_place cg_find_place(cg *g, uint32_t threads, int64_t size);
/* The number of an accumulator in an array of them, one for each tile of each row. */
uint32_t cg_partial_index(cg *g, uint32_t row, uint32_t tile);

/* The column of a thread, or its first of four: ix. */
typedef struct cg_column {
  uint32_t inner, row;
  uint32_t at; /* row × inner + j: its number */
} cg_column;
/* Where accumulator i (u32) of the n that each column has stands. */
cg_pos cg_column_partial(cg *g, const cg_column *c, uint32_t n, uint32_t i);

void cg_flat(cg *g); /* positions count through the whole input from here on */

/* ── sums of words, u32 (sum.c) ── */

/* Units of neighbouring threads: how many threads of one, and how many of them there are; u32:
 * the thread's place in its unit, the lane of the unit's first thread, the unit's number; and
 * workgroup memory for a word of each. */
typedef struct cg_units {
  uint32_t size, count;
  uint32_t in, first, number;
  uint32_t shared;
} cg_units;
cg_units cg_find_units(cg *g);
/* v of the unit's threads up to this one; what its last thread has of v. */
uint32_t cg_sum_upto(cg *g, const cg_units *z, uint32_t v);
uint32_t cg_unit_last(cg *g, const cg_units *z, uint32_t v);
/* Sums the units' totals: the result is that of the units before this one, *all that of all. A
 * barrier must follow before the next such sum. */
uint32_t cg_sum_before_unit(cg *g, const cg_units *z, uint32_t total, uint32_t *all);
/* v of all threads before this one; *all of all. Likewise. */
uint32_t cg_sum_before(cg *g, const cg_units *z, uint32_t v, uint32_t *all);
static inline uint32_t cg_ones(cg *g, uint32_t u32) {
  return spv_op(g->b, g->u32, SpvOpBitCount, u32);
}

/* ── results ── */

/* Where accumulators go; 0: the pass is final. */
uint32_t cg_result(cg *g);
/* Puts acc there or, in a final pass, runs the consumer and stores the outputs. ok: lanes
 * that may escape, or 0. */
void cg_finish(cg *g, uint32_t to, cg_pos *p, cg_acc acc, uint32_t ok);

/* ── the last workgroup (finish.c) ── */

/* Thread 0 publishes the workgroup's accumulator `a` as number `index` (u32) of those
 * at `to`, one of each workgroup, `count` (u32) in all. A bool, the same in all
 * threads: it was the last one, and they may all be read. */
uint32_t cg_is_last(cg *g, uint32_t to, uint32_t index, uint32_t count, cg_acc a);
/* In the last workgroup: zeroes the counter again. */
void cg_last_leaves(cg *g);

/* The slot of a field of a template's own geometry. */
#define CG_OWN_SLOT(geom, field)                                                         \
  (CG_SLOT_OWN + (uint32_t)(offsetof(geom, field) / sizeof(int64_t)))

/* The templates, named in kernels.def. */
#define TEMPLATE(id, name)                                                               \
  bool name##_serves(const cg_task *t);                                                  \
  void name##_passes(const cg_task *t, cg_passes *p);                                    \
  void name##_emit(cg *g);
#include "kernels.def"

/* Is this pass one over words of bits (reduce_tile_bits.c)? Then its tiles are REDUCE_TILE_BITS times as
 * long. (reduce_tile.c) */
enum { REDUCE_TILE_BITS = 16 };
bool reduce_reads_words(const kir *k, const cg_opts *o);
/* The words of the inputs at a word's address ÷ 4, as many as lanes; how many of their
 * elements count, of those in mask (0: all); what a count (u32) comes to. */
void cg_bits_load(cg *g, uint32_t word, uint32_t *raw);
uint32_t cg_bits_count(cg *g, const uint32_t *raw, uint32_t mask);
cg_acc cg_bits_acc(cg *g, uint32_t n);

#endif
