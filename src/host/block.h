/* SPDX-License-Identifier: MIT */
/* block.h - the inside of the block interpreter: what its files share.
 *
 *   block_loops.h  one tight loop per operation, compiled once per instruction set;
 *                  block_fold_loops.h those of folds
 *   block_ops.c    the instruction sets' tables, and the choice among them
 *   block_plan.c   kir → steps over cells: scalars computed once, buffers given out
 *   block_fold.c   REDUCE and SCAN of rows, by the fold tree of tables/fold.h
 *   block_cols.c   REDUCE and SCAN of columns, and of rows so short that they become columns
 *   block.c        running the steps of a block, loads and stores, threads, blk_run
 *
 * A `cell` is a value of the kernel. It is uniform (one number for the whole run, kept 64
 * times so that loops can run on it) or lives in a register: a buffer of `block` elements
 * that stays in L1, or for the time of a block directly in an input or an output array.
 *
 * Every loop takes a multiple of 64 elements. A block with fewer has its inputs padded with
 * copies of its last element, so that nothing but the elements themselves can raise a flag,
 * and no loop needs a scalar tail. */
#ifndef VAPL_PRIM_BLOCK_H
#define VAPL_PRIM_BLOCK_H
#include "../kir/kir.h"

__extension__ typedef __int128 blk_wide;

enum { BLK_UNI = 64, BLK_MIN = 256, BLK_MAX = 1024, BLK_GROUP = 128 };
enum { REDUCE_TILE = KIR_LANES * KIR_REDUCE_ROWS, SCAN_TILE = KIR_LANES * KIR_SCAN_ROWS };
_Static_assert((int)BLK_MAX <= (int)KIR_LANES, "a block does not leave its row of lanes");

/* ── the loops ──────────────────────────────────────────────────────────────────────── */

/* r[i] = f(a[i], b[i], c[i]) for n elements; not 0 if an element has a fault. */
typedef uint32_t (*blk_fn)(void *r, const void *a, const void *b, const void *c,
                           size_t n);
enum {
  FORM_VV,
  FORM_VS,
  FORM_SV,
  FORM_COUNT
}; /* which of a and b are vectors or scalars */
enum { SIZE_1, SIZE_4, SIZE_8, SIZE_COUNT };
enum { EXACT_ADD, EXACT_MIN, EXACT_MAX, EXACT_COUNT };

typedef union blk_num {
  int32_t i;
  int64_t l;
  float f;
  double d;
} blk_num;

/* The state of a scan within a tile, between groups of 128 elements. */
typedef struct blk_scan {
  blk_num
      d[6]; /* totals of the whole groups that are still to be joined: a binary counter */
  blk_num g, carry; /* g: scan of the groups so far; valid when group > 0 */
  uint32_t group;
  bool has_carry;
} blk_scan;

/* A monoid whose bracketing shows. The functions return not 0 when a product overflowed. */
typedef struct blk_tree {
  uint32_t (*lanes)(void *acc, const void *x, size_t n); /* acc[i] = acc[i] ∘ x[i] */
  uint32_t (*lanes4)(void *acc, const void *x); /* the same for four whole rows of x */
  uint32_t (*pairs)(void *r, const void *v,
                    size_t n); /* r[i] = v[2i] ∘ v[2i+1]; r may be v */
  uint32_t (*rows)(void *r, const void *x, size_t rows, size_t len); /* len ≤ KIR_LANES */
  /* Scans n elements that begin at a group; all calls of a tile but the last: whole groups. */
  uint32_t (*scan)(blk_scan *st, void *r, const void *x, size_t n);
  void (*fill)(void *v, size_t n); /* the identity */
  /* Columns: panels of rows of w elements, `pitch` elements from row to row. */
  uint32_t (*both)(void *r, const void *a, const void *b,
                   size_t n); /* r[i] = a[i] ∘ b[i] */
  /* What one row, or four neighbouring ones, give to the lanes' tree. */
  uint32_t (*leaf)(void *r, const void *x, size_t rows, size_t w, size_t pitch);
  uint32_t (*pairs_of)(void *r, const void *v, size_t n, size_t w); /* pairs of rows */
  /* Four rows scanned, behind `base` unless that is NULL; total: their last. */
  uint32_t (*quad)(void *r, size_t r_pitch, void *total, const void *base, const void *x,
                   size_t pitch, size_t w);
} blk_tree;

/* A monoid on integers or truth values whose order cannot show. */
typedef struct blk_exact {
  void (*fold)(blk_wide *acc, const void *x, size_t n); /* acc = acc ∘ x[0] ∘ … */
  /* Inclusive scan that begins with `start`; ADD: sums in i64, not 0 if one wrapped. */
  uint32_t (*scan)(void *r, const void *x, size_t n, int64_t start);
  /* Columns: acc[j] = acc[j] ∘ x[0][j] ∘ …; sums in i64, those of i64 in two halves. And the
   * scan, of sums in i64 without halves: not 0 if one wrapped. */
  void (*cols)(void *acc, const void *x, size_t rows, size_t w, size_t pitch);
  uint32_t (*cols_scan)(void *r, size_t r_pitch, void *acc, const void *x, size_t rows,
                        size_t w, size_t pitch);
} blk_exact;

typedef struct blk_isa {
  const char *name;
  blk_fn op[KOP_COUNT][KTY_COUNT][FORM_COUNT]; /* by the operands' type */
  blk_fn fin[4][2]
            [FORM_COUNT]; /* ADD SUB MUL DIV of KF32, KF64: not 0 if r is not finite */
  blk_fn cvt[KTY_COUNT][KTY_COUNT]; /* from, to */
  blk_fn sel[SIZE_COUNT][4];        /* bit 0: b is a scalar, bit 1: c is */
  blk_fn splat[SIZE_COUNT];
  blk_fn iota[2];                    /* KI32, KI64: from *(int64_t *)a on */
  blk_fn load[ET_COUNT];             /* storage narrower than kir_arg_type; any n */
  blk_fn store[KTY_COUNT][ET_COUNT]; /* to narrower storage */
  blk_tree tree[KF_MAX + 1][KTY_COUNT];
  blk_exact exact[EXACT_COUNT][KI64 + 1];
  /* to[c][r] = from[r][c], atoms of a elements */
  void (*turn[SIZE_COUNT])(void *to, size_t to_pitch, const void *from, size_t pitch,
                           size_t rows, size_t cols, size_t a);
  int64_t (*count)(const uint8_t *bits, int64_t from, int64_t n); /* ones among n bits */
} blk_isa;

/* The instruction sets that this machine has, best first; NULL after the last. */
const blk_isa *blk_isa_at(int i);

/* ── a plan ─────────────────────────────────────────────────────────────────────────── */

typedef struct blk_cell {
  void *uni;    /* its 64 copies, if uniform */
  int32_t def;  /* the step that makes it; -1: none */
  int32_t last; /* the last step that reads it */
  uint16_t reg;
  uint8_t ty;
} blk_cell;

enum blk_kind { STEP_RUN, STEP_FIN, STEP_LOAD, STEP_IOTA };
typedef struct blk_step {
  blk_fn fn;
  uint8_t kind, in;    /* LOAD: the input */
  int16_t flag;        /* the flag word that a fault sets; -1 */
  uint16_t r, a, b, c; /* cells; 0 where there is none */
  uint16_t fa, fb, fc; /* FIN: result and arguments to look at when fn saw a non-finite */
} blk_step;

typedef struct blk_out {
  blk_fn fn; /* narrowing; NULL: copy, or pack for bits */
  uint16_t cell;
  bool direct; /* the cell lives in the output array, but for padded blocks */
} blk_out;

typedef struct blk_plan {
  const kir *k;
  const kir_bind *b;
  const blk_isa *isa;
  blk_cell *cell;
  blk_step *step; /* [0, n_pre) make fold_x, [n_pre, n_step) the outputs */
  uint32_t n_cell, n_pre, n_step, n_reg;
  uint32_t *flags; /* n_flag words: what uniform instructions raised */
  uint32_t n_flag;
  size_t block, stride;    /* elements of a block; bytes from register to register */
  uint16_t fold_x, fold_r; /* cells */
  uint8_t fold_src;        /* kty of fold_x */
  uint8_t exact;           /* EXACT_…, when tree is NULL */
  const blk_tree *tree;
  int fold_flag;
  bool or_bits; /* bit outputs share bytes between blocks: OR them into zeros */
  blk_out out[KIR_MAX_OUT];
} blk_plan;

/* Bytes of memory that blk_plan_make needs; it cannot fail. */
size_t blk_plan_bytes(const kir *k);
void blk_plan_make(blk_plan *p, const blk_isa *isa, const kir *k, const kir_bind *b,
                   void *mem);
void blk_fetch(const kir *k, const kir_bind *b, uint32_t in, void *r, int64_t at,
               int64_t step, size_t n);

static inline int blk_size(kty t) {
  return t == KB ? SIZE_1 : kty_bytes(t) == 4 ? SIZE_4 : SIZE_8;
}

/* ── a run ──────────────────────────────────────────────────────────────────────────── */

typedef struct blk_job blk_job;
typedef struct blk_thread {
  blk_job *job;
  void **at; /* per cell: where it is now */
  char *regs;
  uint32_t *flags;
  void *tmp;             /* 8 bytes × block: narrowing at the tail */
  void *lanes;           /* 8 bytes × KIR_LANES, or × columns × KIR_LANES */
  void *res;             /* 16 bytes × block: results of rows */
  struct blk_cols *cols; /* block_cols.c's, where it is used */
  void *tile;            /* SCAN with threads: 8 bytes × SCAN_TILE */
} blk_thread;

struct blk_job {
  blk_plan plan;
  ctx *c;
  int threads;
  void (*task)(blk_job *j, blk_thread *t, int64_t i);
  int64_t n_task;
  atomic_llong next, turn; /* turn: the scan tile whose carry is known */
  atomic_bool stop;        /* interrupted */
  int64_t tiles;           /* of a row */
  char *partial;           /* rows × tiles accumulators */
  struct blk_carry *carry; /* SCAN of more than one tile */
  /* block_cols.c: columns of a panel (0: rows are folded one after the other), rows side by
   * side in a turned panel, panels across the array, pieces of a column, lanes of a piece. */
  int64_t w, group, chunks, pieces, part;
  struct blk_cols *shared; /* of the first thread: the carry of a scan cut into tiles */
};

/* The block of n elements from flat position e0, whose first is at `pos` of its row. Of columns
 * (inner > 1) `inner` elements have the same position. */
typedef struct blk_at {
  int64_t e0, pos, row_len;
  size_t n;
  int64_t inner;
} blk_at;
void blk_pre(blk_thread *t, blk_at w);  /* makes fold_x */
void blk_aim(blk_thread *t, blk_at w);  /* decides where this block's results are made */
void blk_post(blk_thread *t, blk_at w); /* MAP: all; else from fold_r on; then stores */
void blk_pad(void *v, size_t size, size_t n); /* up to a multiple of 64 */
bool blk_stopped(blk_job *j);                 /* polls the interrupt flag */
/* Runs job->task for every i below n_task, on all threads. */
struct blk_pool;
void blk_each(struct blk_pool *pool, blk_job *j, blk_thread *t);

/* For tests: the instruction set, and the element-steps from which threads are used. */
void blk_pool_tune(struct blk_pool *pool, const blk_isa *isa, int64_t thread_work);

/* ── shared by the folds ── */
static inline size_t blk_src_size(const blk_plan *p) {
  return (size_t)kty_bytes(p->fold_src);
}
static inline kty blk_res_type(const blk_plan *p) { return p->k->ins[p->k->fold_at].ty; }
static inline int64_t blk_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline void blk_flag(blk_thread *t, uint32_t f) {
  if (f) t->flags[t->job->plan.fold_flag] = 1;
}
blk_wide blk_identity(const blk_plan *p); /* of an exact fold; its other helpers: */
blk_wide blk_join(const blk_plan *p, blk_wide a, blk_wide b);
blk_wide blk_get(kty ty, const void *x, size_t i);
/* Stores an accumulator as the FOLD's type; a sum that should fit and does not escapes. */
void blk_put(blk_thread *t, void *r, size_t i, blk_wide v);
/* i64 sums become the FOLD's f64, where they are. */
void blk_sums_as_f64(void *r, size_t n);
const char *
blk_plain(const blk_plan *p); /* the input that the fold reads as it lies, or NULL */
/* The consumer, on the n results in t->res, the first being output number o. */
void blk_consume(blk_thread *t, int64_t o, size_t n);
/* Pads and stores a block of a scan. */
void blk_scanned(blk_thread *t, blk_at w);
bool blk_wait_turn(blk_job *j,
                   int64_t i); /* until tile i may go; false after an interrupt */

/* block_cols.c: whether it does this job (then j->w is not 0), bytes a thread needs, the run. */
void blk_cols_choose(blk_job *j);
size_t blk_cols_bytes(const blk_job *j);
bool blk_cols_run(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t);

bool blk_reduce(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t);
bool blk_scan_run(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t);
#endif
