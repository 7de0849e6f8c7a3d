/* SPDX-License-Identifier: MIT */
/* cg.h - the state of one emission, and the lowest of codegen's layers: values and
 * positions.
 *
 * Each layer uses those above it in this list, none below:
 *
 *   pass.h          slots.c                what a kernel and a pass look like from outside
 *   codegen.h
 *   task.h          task.c                 tasks and the passes that do them
 *   spv.h           spv.c spv_wide.c       words of a module; 64-bit integers as pairs of them
 *   cg.h            cg.c                   types, constants, lanes, positions
 *   cg_arith.h      cg_arith.c root.c      arithmetic on values
 *   soft.h          soft.c                 f64 in integers, where a device has none
 *   memory.h        argument_block.c load.c store.c   arguments, flags; elements ↔ registers
 *   instructions.h  instructions.c kernel_loop.c      the kernel's instructions at a position
 *   cg_fold.h       cg_fold.c group.c acc.c           accumulators
 *   template.h      thread_place.c finish.c sum.c, map.c reduce_tile.c …   the templates
 *   scan.h          scan_tree.c scan_tile.c …         those of scans
 *                   emit.c                 entry, uniforms; the template of a task
 *                   describe.c             a pass in plain words
 *
 * A value is an id. It has g->lanes components, 4 or 1: templates set g->lanes before
 * they emit, and everything below follows. A position (cg_pos) says which elements the
 * lanes are. */
#ifndef VAPL_CG_H
#define VAPL_CG_H
#include "codegen.h"
#include "spv.h"

/* Elements i, i+1, … (as many as lanes) of the row whose first element is number `row_at`
 * in storage; row_at 0: there are no rows. `tail`: some may lie beyond the length; then
 * loads are clamped and `ok` has, per lane, whether it exists (made when it is needed).
 * `iota`, if not 0: the position of all the lanes, where i is an element's number
 * (columns).
 * `origin`, if not 0: a position `skip` elements, whole words, before i: several quads that a
 * thread stores then have one address and constants behind it. There are `left` elements from
 * CG_BEFORE before there on, at most. */
enum { CG_BEFORE = 4 };
typedef struct cg_pos {
  uint32_t i, row_at;
  bool tail;
  uint32_t ok, iota;
  uint32_t origin, skip, left; /* ix, a number, u32 */
} cg_pos;

typedef struct cg {
  spv *b;
  const kir *k,
      *top; /* the kernel, or one inside it; the kernel, whose inputs are read */
  const cg_opts *o;
  uint32_t lanes; /* components of a value now: 1 or 4 */
  uint32_t ix;    /* type of positions: u32, or u64 with wide_index */
  uint32_t u32, u64;
  uint32_t args;        /* address of the argument block */
  uint32_t held;        /* the same in workgroup memory (cg_hold_args), or 0 */
  uint32_t len, last;   /* ix: elements of a row; clamp for the first lane of a load */
  uint32_t line, inner; /* ix: behind cg_flat, the axis and what is right of it; else 0 */
  uint32_t thread, lane; /* u32: place in the workgroup, in the (physical) subgroup */
  uint32_t wid;          /* u32: the workgroup's number */
  uint32_t *val;         /* by instruction: the value's id; then by loop: its results */
  uint32_t *join_val; /* the same for the join's; of a ROWS, for each quad of a thread */
  uint32_t result[KIR_MAX_ACC]; /* behind the FOLD: its components */
  uint32_t
      steps; /* in a loop: the variable that counts them, its own and inner ones; 0 */
  /* Scalars: ONE inputs, then params. */
  uint32_t uniform[KIR_MAX_IN + KIR_MAX_PARAM];
  uint32_t base[KIR_MAX_IN];                     /* u64: of each input, its address */
  uint32_t offset[KIR_MAX_IN], step[KIR_MAX_IN]; /* ix */
  uint32_t strided[KIR_MAX_STRIDED][KIR_STRIDED_DIMS][CG_STRIDED_SLOTS]; /* ix, ix, u64 */
  /* Behind cg_hold_line: the first of the positions there are, ix, or 0; by STRIDED input which
   * element is there, how far the next is (ix), and that element, where all are it. */
  uint32_t line_from, line_at[KIR_MAX_IN], line_step[KIR_MAX_IN], line_held[KIR_MAX_IN];
  uint32_t out[KIR_MAX_OUT], from; /* u64: addresses */
  /* The accumulators at `from` were stored by this dispatch: they are read atomically. */
  bool published;
  /* By fault id, error and escape: Function variables; 0: never raised. */
  uint32_t flag[KIR_MAX_FAULT][2];
  /* What the template's threads hold when they store, neighbours in neighbouring threads:
   * elements, so that bits of one word are put together by shuffles; or even all quads of
   * a tile, so that two threads may trade halves of two quads. */
  bool packs, trades;
  /* The workgroup's array for packing words across small subgroups, or 0. */
  uint32_t word_share;
  uint32_t sums; /* workgroup memory that a JOIN adds to, in the output's place; or 0 */
} cg;

/* How many ids a kernel's `val` has. */
static inline uint32_t cg_values(const kir *k) {
  return k->n_ins + k->n_loop * KIR_MAX_CARRIED;
}

/* Types and constants, as many lanes as now. */
uint32_t cg_scalar_type(cg *g, kty t);
uint32_t cg_type(cg *g, kty t);
uint32_t cg_const(cg *g, kty t, uint64_t bits); /* bits as the type has them; KB 0 or 1 */
uint32_t cg_real(cg *g, kty t, double v);
uint32_t cg_int(cg *g, kty t, int64_t v);
uint32_t cg_splat(cg *g, kty t, uint32_t scalar);       /* to the lanes of now */
uint32_t cg_part(cg *g, kty t, uint32_t v, uint32_t j); /* component j; v if lanes is 1 */
uint32_t cg_join(cg *g, kty t, const uint32_t v[4]);    /* four scalars → a vector */
uint32_t cg_sel(cg *g, kty t, uint32_t cond, uint32_t a, uint32_t b);
uint32_t cg_both(cg *g, uint32_t a, uint32_t b); /* of KB */

/* Positions, and arithmetic on one u32 or position: b is an id, or with `i` at the end a
 * constant. */
uint32_t cg_u64(cg *g, uint64_t v);      /* a constant */
uint32_t cg_ixc(cg *g, uint64_t v);      /* a position's constant */
uint32_t cg_steps(cg *g, uint32_t type); /* the constant 0 1 2 3 of u32 or u64 */
uint32_t cg_beyond(cg *g, uint32_t ix, uint32_t n); /* a position n further on */
uint32_t cg_to_ix(cg *g, uint32_t u32);             /* u32 → position */
uint32_t cg_to_u32(cg *g, uint32_t ix);
static inline uint32_t cg_u(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u32, op, a, b);
}
static inline uint32_t cg_ui(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u32, op, a, spv_u32(g->b, b));
}
static inline uint32_t cg_x(cg *g, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->ix, op, a, b);
}
static inline uint32_t cg_less(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, spv_bool(g->b), SpvOpULessThan, a, b);
}
uint32_t cg_is_zero(cg *g, uint32_t u32);
uint32_t cg_least(cg *g, uint32_t type, uint32_t a, uint32_t b);
uint32_t cg_log2(uint32_t v);
uint32_t cg_ok(cg *g, cg_pos *p); /* the mask of existing lanes; 0: all exist */

/* How a module begins (emit.c). */
uint32_t cg_builtin(cg *g, SpvBuiltIn what, uint32_t n); /* the first of n components */
uint32_t cg_find_lane(cg *g); /* g.lane, g.thread; the size of the subgroup */
void cg_open(cg *g);

/* Between threads. */
uint32_t cg_subgroup(const cg *g); /* the width that shuffles assume: at most 32 */
void cg_barrier(cg *g);
uint32_t cg_any(cg *g, uint32_t cond); /* of the subgroup's threads */
uint32_t cg_shuffle_word(cg *g, uint32_t type, uint32_t v, uint32_t lane, bool is_xor);
uint32_t cg_shared_ptr(cg *g, uint32_t type, uint32_t array, uint32_t index);
#endif
