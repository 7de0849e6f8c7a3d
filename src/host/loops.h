/* SPDX-License-Identifier: MIT */
/* loops.h - the tight loops of the block interpreter, a table of them for each instruction
 * set: elementwise ones (loops_map.c), those of joins (loops_quads.c), those of folds
 * (fold/fold_loops.c), and the choice at run time (loops.c).
 *
 * The loops of elements take a multiple of 64 of them. A block with fewer has its inputs
 * padded with copies of its last element, so that nothing but the elements themselves can
 * raise a flag, and no loop needs a scalar tail. The loops of folds take any number. */
#ifndef VAPL_HOST_LOOPS_H
#define VAPL_HOST_LOOPS_H
#include "../fold/fold_loops.h"
#include "../kir/kir.h"

__extension__ typedef __int128 blk_wide;

/* BLK_UNI: what loops count in. A block has BLK_MIN to BLK_MAX elements. */
enum { BLK_UNI = 64, BLK_MIN = 256, BLK_MAX = FOLD_MOST };
_Static_assert((int)BLK_MAX <= (int)KIR_LANES, "a block does not leave its row of lanes");

/* r[i] = f(a[i], b[i], c[i]) for n elements; not 0 if an element has a fault. */
typedef uint32_t (*blk_fn)(void *r, const void *a, const void *b, const void *c,
                           size_t n);
/* Which of a and b are vectors or scalars. */
enum { FORM_VV, FORM_VS, FORM_SV, FORM_COUNT };
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
  const fold_loops *folds;
  const blk_quads *quads;
} blk_isa;

/* The operations on one element: what a loop over elements that wait for one another calls. It
 * has no loops of folds. */
extern const blk_isa blk_isa_one;

/* The instruction sets that this machine has, best first; NULL after the last. */
const blk_isa *blk_isa_at(int i);
#endif
