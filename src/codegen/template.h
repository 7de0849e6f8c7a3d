/* SPDX-License-Identifier: MIT */
/* template.h - what the templates share, and their names. */
#ifndef VAPL_CG_TEMPLATE_H
#define VAPL_CG_TEMPLATE_H
#include "fold.h"
#include "memory.h"
#include "ops.h"
#include "plan.h"

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
/* `threads` share a row; if that is a workgroup, it has a tile of `size` elements. */
cg_place cg_find_place(cg *g, uint32_t threads, int64_t size);
void cg_flat(cg *g); /* positions count through the whole input from here on */
/* The number of an accumulator in an array of them. */
uint32_t cg_partial_index(cg *g, uint32_t row, uint32_t tile);

/* The slot of a field of a template's own geometry. */
#define CG_OWN_SLOT(geom, field)                                                         \
  (CG_SLOT_OWN + (uint32_t)(offsetof(geom, field) / sizeof(int64_t)))

/* The templates, named in kernels.def. */
#define TEMPLATE(id, name, what)                                                         \
  bool name##_serves(const cg_task *t);                                                  \
  void name##_passes(const cg_task *t, cg_passes *p);                                    \
  void name##_emit(cg *g);
#include "kernels.def"

/* reduce_tile_bits.c: is this pass one over words of bits? Then tiles are REDUCE_TILE_BITS times
 * as long, and this thread's part of one is */
bool reduce_tile_bits_serves(const kir *k, const cg_opts *o);
cg_acc reduce_tile_bits(cg *g, const cg_place *w);
enum { REDUCE_TILE_BITS = 16 };

/* scan_columns.c: the two ways that scan_columns_passes chooses from. */
void scan_columns_by_tiles(const cg_task *t, cg_passes *p);
void scan_columns_by_groups(const cg_task *t, cg_passes *p);
#endif
