/* SPDX-License-Identifier: MIT */
/* scan.h - the steps of the scan tree (tables/fold.h) for one tile of a row, which the
 * passes of scan_tile.c put together.
 *
 *   scan_open      what the options say                 scan_tree.c
 *   scan_find      the tile at hand: positions
 *   scan_load      its elements                         x: the elements
 *   scan_sums      strips' totals → workgroup memory, if the monoid commutes; else
 *   scan_inside    does so; steps 1 to 3                x: (run ∘ T) ∘ s
 *   scan_offsets   step 4, and 5 for the tile's total
 *   scan_put       step 7, and the outputs
 *   scan_before    step 6, from totals in memory        scan_window.c
 *   scan_ahead     all of it, over many tiles           scan_ahead.c */
#ifndef VAPL_CG_SCAN_H
#define VAPL_CG_SCAN_H
#include "template.h"

enum { SCAN_MOST_PARTS = 2, SCAN_MOST_QUADS = SCAN_MOST_PARTS * KIR_SCAN_GROUPS(4) };

/* A part and whether it exists: 0 never, else a bool. */
typedef struct scan_part {
  cg_acc v;
  uint32_t is;
} scan_part;

typedef struct scan {
  uint32_t groups;  /* of a strip, a quad of each in every thread */
  uint32_t parts;   /* strips of a thread */
  uint32_t quads;   /* of a thread: groups × parts */
  uint32_t strips;  /* of the tile */
  uint32_t threads; /* that share a row */
  uint32_t q, unit; /* u32: the quad's place in its group; which 32 of the threads */
  uint32_t pieces;  /* of 32 threads, that subgroups make */
  bool commutes;
  uint32_t sums_each; /* in workgroup memory, that a strip's total is made of */
  cg_var block, sums; /* workgroup memory */
  bool has_block;
  uint32_t partner[5], bit[5]; /* of the groups' levels (scan_inside) */
  cg_place w;
  uint32_t led[SCAN_MOST_QUADS]; /* bool: something of its strip is before the quad; 0 */
  uint32_t number[SCAN_MOST_PARTS]; /* u32: of the thread's strips, in the tile */
  uint32_t at[SCAN_MOST_PARTS];     /* ix: their first elements, in the row */
  cg_pos p[SCAN_MOST_QUADS];
  cg_acc x[SCAN_MOST_QUADS]; /* four lanes */
} scan;

void scan_open(cg *g, scan *z);
void scan_find(cg *g, scan *z); /* tile g->wid of all rows' */
void scan_load(cg *g, scan *z);
/* Into workgroup memory: to be read behind a barrier. */
void scan_sums(cg *g, scan *z);
void scan_inside(cg *g, scan *z);
/* What comes before the thread's strips in the tile; the tile's total. */
cg_acc scan_offsets(cg *g, scan *z, scan_part off[SCAN_MOST_PARTS]);
/* Quad r, behind what comes before its strip. */
void scan_put(cg *g, scan *z, uint32_t r, scan_part before);
scan_part scan_join(cg *g, scan_part a, scan_part b, uint32_t used);
cg_acc scan_neighbours(cg *g, cg_acc *v, uint32_t n, uint32_t used);
/* h = (c0∘c1)∘(c2∘c3). */
cg_acc scan_four(cg *g, cg_acc c, uint32_t used);

scan_part scan_before(cg *g, scan *z); /* the prefix of the tile */
void scan_ahead(cg *g, scan *z);
static inline const scan_tile_opts *scan_opts(const cg *g) { return &g->o->scan_tile; }
/* Groups of a strip as the tree has them, and a strip's elements. Values that are not
 * joined are folded each as if it were alone: where the tree shows they have one size. */
static inline uint32_t scan_law(const kir *k) {
  int bytes = cg_acc_bytes(k);
  if (!k->join) bytes /= k->n_acc;
  return (uint32_t)KIR_SCAN_GROUPS(bytes);
}
static inline uint32_t scan_strip(const kir *k) { return scan_law(k) * KIR_SCAN_GROUP; }

/* Tiles of a super-tile; how many tiers of super-tiles a row fills: 0, if it has one at most. */
static inline uint32_t scan_super(const cg_task *t) {
  return t->super ? t->super : KIR_SCAN_SUPER;
}
uint32_t scan_tiers(const cg_task *t);

/* A workgroup's view of the totals of a row's tiles (scan_window.c). */
enum { SCAN_MOST_LOOK = 4, SCAN_MOST_SLICES = 8 };
typedef struct scan_window {
  uint32_t l;       /* u32: this thread's place in its subgroup */
  uint32_t tile;    /* u32: the tile whose prefix is asked for */
  uint32_t base;    /* u64: where the row's totals, or words, begin */
  uint32_t lookers; /* threads, the first ones, that look at totals */
  uint32_t look;    /* totals that each of them looks at together */
  uint32_t slices;  /* of a batch of 32 tiles, where subgroups are smaller */
  uint32_t words;   /* of a total, published; 0: they lie in memory */
  uint32_t tag;     /* u32 */
  uint32_t aborted; /* workgroup memory: 1 if a wait timed out */
  cg_var seen;      /* workgroup memory: the totals that were looked at */
  uint32_t tiers;   /* of super-tiles: scan_tile_opts */
  uint32_t super;
  cg_var above;  /* workgroup memory: what is before the super-tile at hand */
  uint32_t prev; /* variable: tiles that are in acc and above, a multiple of 32 */
  /* Variables: of full batches. Where the order of tiles shows the first is that of all
   * lanes. */
  cg_var acc[SCAN_MOST_SLICES];
  uint32_t word[SCAN_MOST_LOOK][CG_ACC_WORDS]; /* variables, u64 */
} scan_window;

/* Which threads look at the totals before a tile, and how many workgroups that takes. */
void scan_choose_window(const cg_task *t, cg_pass *s);
/* words: of a published total, or 0. */
void scan_open_window(cg *g, const scan *z, scan_window *w, uint32_t words);
void scan_begin_row(cg *g, const scan_window *w);
/* The window of the tile at hand. */
void scan_find_window(cg *g, const scan *z, scan_window *w);
void scan_window_publish(cg *g, const scan_window *w, uint32_t tile, cg_acc total);
/* Goes down the totals of the tiles before, until they are complete or a wait timed out: *aborted,
 * a bool. Returns how many batches (u32) of the last round were full. */
uint32_t scan_go_down(cg *g, scan_window *w, uint32_t *aborted);
scan_part scan_prefix(cg *g, const scan_window *w, uint32_t full);

/* Variables, and a single u32 of workgroup memory. */
static inline uint32_t scan_get(cg *g, uint32_t type, uint32_t var) {
  return spv_op(g->b, type, SpvOpLoad, var);
}
static inline void scan_set(cg *g, uint32_t var, uint32_t v) {
  spv_do(g->b, SpvOpStore, var, v);
}
static inline uint32_t scan_shared(cg *g, uint32_t array) {
  return cg_shared_ptr(g, g->u32, array, spv_u32(g->b, 0));
}
#endif
