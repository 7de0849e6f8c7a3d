/* SPDX-License-Identifier: MIT */
/* template.h - what the templates share, and their names. */
#ifndef VAPL_CG_TEMPLATE_H
#define VAPL_CG_TEMPLATE_H
#include "fold.h"
#include "memory.h"
#include "ops.h"

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
cg_place cg_find_place(cg *g);
void cg_flat(cg *g); /* positions count through the whole input from here on */
/* The number of an accumulator in an array of them. */
uint32_t cg_partial_index(cg *g, uint32_t row, uint32_t tile);

/* ── count.c ── */
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
