/* SPDX-License-Identifier: MIT */
/* cg.h - what the files of codegen share: the state of one emission and its helpers.
 *
 *   codegen.c   entry, argument block, flags, instruction ranges, kernels.def
 *   ops.c       one KIR operation → SPIR-V, for any number of lanes
 *   root.c      square roots and quotients, correctly rounded
 *   memory.c    elements ↔ registers, for every storage type
 *   fold.c      accumulators: identity, combination, result; subgroup and shared traffic
 *   count.c     the reduce template's way with words of bits
 *   map.c reduce.c stage.c columns.c few.c scan.c march.c   the templates
 *   way.c       which template serves a REDUCE, and how
 *
 * A value is an id. It has g->lanes components, 4 or 1: templates set g->lanes before they
 * emit, and everything below follows. A position (cg_pos) says which elements the lanes are. */
#ifndef VAPL_CG_H
#define VAPL_CG_H
#include "codegen.h"
#include "spv.h"

typedef struct cg_acc {
  uint32_t lo, hi;
} cg_acc; /* hi: upper half of a wide one, else 0 */

/* Elements i, i+1, … (as many as lanes) of the row whose first element is number `row_at`
 * in storage; row_at 0: there are no rows. `tail`: some may lie beyond the length; then
 * loads are clamped and `ok` has, per lane, whether it exists (made when it is needed).
 * `iota`, if not 0: the position of all the lanes, where i is an element's number (columns). */
typedef struct cg_pos {
  uint32_t i, row_at;
  bool tail;
  uint32_t ok, iota;
} cg_pos;

typedef struct cg {
  spv *b;
  const kir *k;
  const cg_opts *o;
  uint32_t lanes; /* components of a value now: 1 or 4 */
  uint32_t ix;    /* type of positions: u32, or u64 with wide_index */
  uint32_t u32, u64;
  uint32_t args;        /* address of the argument block */
  uint32_t len, last;   /* ix: elements of a row; clamp for the first lane of a load */
  uint32_t line, inner; /* ix: behind cg_flat, the axis and what is right of it; else 0 */
  uint32_t thread, lane; /* u32: place in the workgroup, in the (physical) subgroup */
  uint32_t wid;
  uint32_t *val;                                /* by instruction: the value's id */
  uint32_t uniform[KIR_MAX_IN + KIR_MAX_PARAM]; /* scalars: ONE inputs, then params */
  uint32_t base[KIR_MAX_IN], offset[KIR_MAX_IN], step[KIR_MAX_IN];       /* u64, ix, ix */
  uint32_t strided[KIR_MAX_STRIDED][KIR_STRIDED_DIMS][CG_STRIDED_SLOTS]; /* ix, ix, u64 */
  uint32_t out[KIR_MAX_OUT], from;                                       /* u64 */
  uint32_t flag[KIR_MAX_FAULT]
               [2]; /* Function variables: error, escape; 0: never raised */
  uint32_t
      word_share; /* workgroup array for packing words across small subgroups, or 0 */
} cg;

/* Where a thread of a REDUCE or SCAN works. */
typedef struct cg_place {
  uint32_t threads; /* that share a row: 256, or fewer for short rows (a power of two) */
  uint32_t u, sub;  /* u32: place among them; which of the workgroup's rows */
  uint32_t row, row_at,
      first;      /* ix: the row, its first element in storage, and the position
                                  in the row of the thread's first lane in the tile's first row */
  uint32_t start; /* ix: the first element of the tile in the row (256 threads only) */
  uint32_t tile, left; /* u32: tile of the row, its elements (likewise) */
  uint32_t there;      /* bool: the row exists; 0: it does */
} cg_place;

/* ── types and constants, as many lanes as now (codegen.c) ── */
uint32_t cg_scalar_type(cg *g, kty t);
uint32_t cg_type(cg *g, kty t);
uint32_t cg_const(cg *g, kty t, uint64_t bits); /* bits as the type has them; KB 0 or 1 */
uint32_t cg_real(cg *g, kty t, double v);
uint32_t cg_int(cg *g, kty t, int64_t v);
uint32_t cg_splat(cg *g, kty t, uint32_t scalar);       /* to the lanes of now */
uint32_t cg_part(cg *g, kty t, uint32_t v, uint32_t j); /* component j; v if lanes is 1 */
uint32_t cg_join(cg *g, kty t, const uint32_t v[4]);    /* four scalars → a vector */
uint32_t cg_sel(cg *g, kty t, uint32_t cond, uint32_t a, uint32_t b);
uint32_t cg_ixc(cg *g, uint64_t v);     /* a position's constant */
uint32_t cg_to_ix(cg *g, uint32_t u32); /* u32 → position */
uint32_t cg_slot(cg *g, uint32_t slot); /* an argument, u64 */
uint32_t cg_slot_ix(cg *g, uint32_t slot);
uint32_t cg_slot_u32(cg *g, uint32_t slot);
uint32_t cg_out_slot(const kir *k, uint32_t out);
uint32_t cg_param_slot(const kir *k, uint32_t param);

/* Arithmetic on one u32 or position: b is an id, or with `i` at the end a constant. */
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
uint32_t cg_to_u32(cg *g, uint32_t ix);
uint32_t cg_least(cg *g, uint32_t type, uint32_t a, uint32_t b);

/* ── templates' common parts (codegen.c) ── */
void cg_range(cg *g, uint32_t from, uint32_t to, cg_pos *p, const uint32_t *raw);
void cg_load_raw(cg *g, uint32_t from, uint32_t to, cg_pos *p, uint32_t *raw);
/* Sets the flag of a slot if cond (KB of lanes) holds in a lane that `ok` (or 0) admits. */
void cg_raise(cg *g, uint32_t cond, uint32_t ok, int64_t slot, bool escape);
uint32_t cg_ok(cg *g, cg_pos *p);  /* the mask of existing lanes; 0: all exist */
uint32_t cg_subgroup(const cg *g); /* the width that shuffles assume: at most 32 */
uint32_t cg_log2(uint32_t v);
uint32_t cg_row_threads(const cg_opts *o); /* 256, or less for short rows */
cg_place cg_find_place(cg *g);
void cg_flat(cg *g); /* positions count through the whole input from here on */
uint32_t cg_partial_index(cg *g, uint32_t row,
                          uint32_t tile); /* in an array of accumulators */
void cg_barrier(cg *g);

/* ── ops.c ── */
uint32_t cg_cvt(cg *g, uint32_t v, kty from, kty to);
uint32_t cg_ins(cg *g, const kins *in, cg_pos *p); /* not ARG IOTA PARAM FOLD */
uint32_t cg_cmp(cg *g, kop op, kty t, uint32_t a, uint32_t b);
uint32_t cg_arith(cg *g, kop op, kty t, uint32_t a,
                  uint32_t b); /* ADD SUB MUL MIN MAX … */
uint32_t cg_mulo(cg *g, kty t, uint32_t a, uint32_t b, uint32_t *over);
uint32_t cg_ineg(cg *g, kty t, uint32_t a);
uint32_t cg_shift(cg *g, kty t, SpvOp op, uint32_t v, uint32_t by);
/* root.c */
uint32_t cg_sqrt(cg *g, kty t, uint32_t x);
uint32_t cg_div(cg *g, kty t, uint32_t a, uint32_t b);

/* ── memory.c ── */
uint32_t cg_addr(cg *g, uint32_t base, uint32_t index,
                 uint32_t shift); /* base + (index << shift) */
uint32_t cg_load(cg *g, uint32_t type, uint32_t addr, uint32_t align);
void cg_store(cg *g, uint32_t type, uint32_t addr, uint32_t v, uint32_t align);
uint32_t cg_get(cg *g, elt t, uint32_t base, cg_pos *p); /* FLAT; as kir_arg_type(t) */
uint32_t cg_get_input(cg *g, uint32_t input, cg_pos *p);
uint32_t cg_get_at(cg *g, elt t, uint32_t base, uint32_t index); /* one scalar element */
void cg_put(cg *g, elt t, uint32_t base, cg_pos *p,
            uint32_t v); /* v as kir_arg_type(t) */
void cg_put_at(cg *g, elt t, uint32_t base, uint32_t index,
               uint32_t v); /* one; narrow: OR-ed in */
void cg_put_outputs(cg *g, cg_pos *p);
cg_acc cg_get_acc(cg *g, uint32_t base, cg_pos *p);
cg_acc cg_get_acc_at(cg *g, uint32_t base, uint32_t index);
void cg_put_acc(cg *g, uint32_t base, cg_pos *p, cg_acc v);
void cg_put_acc_at(cg *g, uint32_t base, uint32_t index, cg_acc v);

/* ── fold.c ── */
cg_acc cg_identity(cg *g);
cg_acc cg_combine(cg *g, cg_acc a, cg_acc b,
                  uint32_t ok); /* ok: lanes that may escape, or 0 */
cg_acc cg_acc_sel(cg *g, uint32_t cond, cg_acc a, cg_acc b);
cg_acc cg_acc_part(cg *g, cg_acc v, uint32_t j);
cg_acc cg_acc_join(cg *g, const cg_acc v[4]);
cg_acc cg_acc_splat(cg *g, cg_acc v);
uint32_t cg_shuffle_word(cg *g, uint32_t type, uint32_t v, uint32_t lane, bool is_xor);
cg_acc cg_shuffle(cg *g, cg_acc v, uint32_t lane,
                  bool is_xor);                        /* lane: physical; or a mask */
uint32_t cg_fold_result(cg *g, cg_acc v, uint32_t ok); /* as the FOLD's type */
bool cg_fold_escapes(const kir *k); /* combining may raise the FOLD's flag */
/* An accumulator in memory of the Function or Workgroup class. */
typedef struct cg_cell {
  uint32_t lo, hi;
} cg_cell;
cg_cell cg_local_acc(cg *g, cg_acc initial); /* a constant */
cg_cell cg_var_acc(cg *g, cg_acc v);         /* holds v */
cg_acc cg_cell_get(cg *g, cg_cell v);
void cg_cell_set(cg *g, cg_cell v, cg_acc a);
uint32_t cg_shared_ptr(cg *g, uint32_t type, uint32_t array, uint32_t index);
cg_cell cg_shared_acc(cg *g, uint32_t count);
cg_acc cg_shared_get(cg *g, cg_cell v, uint32_t index);
void cg_shared_put(cg *g, cg_cell v, uint32_t index, cg_acc a);
/* The accumulators of the producer (or of `from`) at p. */
cg_acc cg_source(cg *g, cg_pos *p, const uint32_t *raw);

/* ── count.c ── */
bool cg_counts(const kir *k, const cg_opts *o); /* is this pass one over words of bits? */
cg_acc cg_count_tile(cg *g, const cg_place *w); /* this thread's part of the tile */

/* ── the templates, named in kernels.def ── */
void cg_map(cg *g);
void cg_reduce(cg *g);
void cg_stage(cg *g);
void cg_columns(cg *g);
void cg_few(cg *g);
void cg_scan(cg *g);
void cg_march(cg *g);
bool cg_scan_selects(const cg *g); /* scans: is the identity not neutral on the left? */
#endif
