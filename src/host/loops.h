/* SPDX-License-Identifier: MIT */
/* loops.h - the tight loops of the block interpreter, a table of them for each instruction
 * set: elementwise ones (loops_map.c), those of folds (loops_fold.c, loops_quads.c), and the
 * choice at run time (loops.c).
 *
 * The loops of elements take a multiple of 64 of them. A block with fewer has its inputs
 * padded with copies of its last element, so that nothing but the elements themselves can
 * raise a flag, and no loop needs a scalar tail. The loops of folds take any number. */
#ifndef VAPL_HOST_LOOPS_H
#define VAPL_HOST_LOOPS_H
#include "../kir/kir.h"

__extension__ typedef __int128 blk_wide;

/* BLK_UNI: what loops count in. A block has BLK_MIN to BLK_MAX elements. */
enum {
  BLK_UNI = 64,
  BLK_MIN = 256,
  BLK_MAX = 1024,
  REDUCE_TILE = KIR_LANES * KIR_REDUCE_ROWS
};
_Static_assert((int)BLK_MAX <= (int)KIR_LANES, "a block does not leave its row of lanes");

/* r[i] = f(a[i], b[i], c[i]) for n elements; not 0 if an element has a fault. */
typedef uint32_t (*blk_fn)(void *r, const void *a, const void *b, const void *c,
                           size_t n);
/* Which of a and b are vectors or scalars. */
enum { FORM_VV, FORM_VS, FORM_SV, FORM_COUNT };
enum { SIZE_1, SIZE_4, SIZE_8, SIZE_COUNT };

static inline int blk_size(kty t) {
  if (t == KB) return SIZE_1;
  return kty_bytes(t) == 4 ? SIZE_4 : SIZE_8;
}

/* ── folds ──────────────────────────────────────────────────────────────────────────── */

typedef union blk_num {
  int32_t i;
  int64_t l;
  float f;
  double d;
} blk_num;

/* A line's scan within a strip, between groups. */
typedef struct blk_scan {
  blk_num before; /* what comes before the strip: P ∘ off */
  blk_num run;    /* the groups so far */
  bool has_before, has_run, exclusive;
  size_t left; /* elements of the strip that are still to come */
} blk_scan;

/* Rows of w values, from x to r; pitches in values from row to row. */
typedef struct blk_rows {
  void *r;
  size_t r_pitch;
  const void *x;
  size_t pitch, rows, w;
} blk_rows;

/* Rows that come before others, or NULL. There is no `before` alone. */
typedef struct blk_behind {
  const void *before, *base;
  bool exclusive;
} blk_behind;

/* A monoid whose bracketing shows. A `row` is w neighbouring values; rows of x are `pitch`
 * values apart, and a line is a row of one column. The functions return not 0 when a product
 * overflowed. */
typedef struct blk_tree {
  void (*fill)(void *v, size_t n); /* the identity */
  /* r[i] = a[i] ∘ b[i]; r may be a or b. */
  uint32_t (*both)(void *r, const void *a, const void *b, size_t n);
  /* acc[i] = (((acc[i] ∘ x[i]) ∘ x[i + pitch]) ∘ …), four of them */
  uint32_t (*both4)(void *acc, const void *x, size_t n, size_t pitch);
  /* What one row, or four neighbouring ones, give to the lanes' tree. */
  uint32_t (*leaf)(void *r, const void *x, size_t rows, size_t w, size_t pitch);
  /* n rows from pairs of neighbouring rows; r may be v. */
  uint32_t (*pairs)(void *r, const void *v, size_t n, size_t w);
  /* The folds of many lines that lie one behind the other; len ≤ KIR_LANES. */
  uint32_t (*lines)(void *r, const void *x, size_t lines, size_t len);
  /* Scans n elements of a line that begin at a group; all calls of a strip but the last:
   * whole groups. */
  uint32_t (*scan)(blk_scan *st, void *r, const void *x, size_t n);
  /* Four rows scanned behind what there is, before ∘ (base ∘ s); total: their last s. */
  uint32_t (*quad)(const blk_rows *m, void *total, const blk_behind *b);
} blk_tree;

/* A monoid whose order cannot show: acc[j] takes the rows of x, or is scanned over them. Sums
 * are in i64. Those of i64 that are folded are in halves, the upper ones at acc + BLK_MAX;
 * a scan wraps, and returns not 0 if it did. */
typedef struct blk_exact {
  void (*fold)(void *acc, const void *x, size_t rows, size_t w, size_t pitch);
  uint32_t (*scan)(const blk_rows *m, void *acc, bool exclusive);
} blk_exact;

typedef struct blk_folds {
  blk_tree tree[KF_COUNT][KTY_COUNT];   /* fill is NULL where there is none */
  blk_exact exact[KF_COUNT][KTY_COUNT]; /* fold is */
  void (*turn[SIZE_COUNT])(const blk_rows *m,
                           size_t a); /* r[j][i] = x[i][j], of a values */
  int64_t (*count)(const uint8_t *bits, int64_t from, int64_t n); /* ones among n bits */
} blk_folds;

/* ── an instruction set ─────────────────────────────────────────────────────────────── */

typedef struct blk_map {
  blk_fn op[KOP_COUNT][KTY_COUNT][FORM_COUNT]; /* by the operands' type */
  /* ADD SUB MUL DIV of KF32, KF64: not 0 if r is not finite */
  blk_fn fin[4][2][FORM_COUNT];
  blk_fn cvt[KTY_COUNT][KTY_COUNT]; /* from, to */
  blk_fn sel[SIZE_COUNT][4];        /* bit 0: b is a scalar, bit 1: c is */
  blk_fn splat[SIZE_COUNT];
  blk_fn iota[2];                    /* KI32, KI64: from *(int64_t *)a on */
  blk_fn load[ET_COUNT];             /* storage narrower than kir_arg_type; any n */
  blk_fn store[KTY_COUNT][ET_COUNT]; /* to narrower storage */
} blk_map;

/* Quads of neighbours as rows of lanes: element j of quad q of lane l is x[at[l] + 4q + j] and
 * row[j][q×pitch + l]. Lanes from w to the pitch repeat the last one. */
typedef struct blk_quad_rows {
  void *row[4];
  const uint32_t *at;
  size_t w, pitch, quads;
} blk_quad_rows;
typedef struct blk_quads {
  void (*split[SIZE_COUNT])(const blk_quad_rows *m, void *x); /* x is read */
  void (*unsplit[SIZE_COUNT])(const blk_quad_rows *m, void *x);
} blk_quads;

typedef struct blk_isa {
  const char *name;
  const blk_map *map;
  const blk_folds *folds;
  const blk_quads *quads;
} blk_isa;

/* The operations on one element: what a loop over elements that wait for one another calls. It
 * has no loops of folds. */
extern const blk_isa blk_isa_one;

/* The instruction sets that this machine has, best first; NULL after the last. */
const blk_isa *blk_isa_at(int i);
#endif
