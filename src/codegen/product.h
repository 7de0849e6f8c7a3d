/* SPDX-License-Identifier: MIT */
/* product.h - what the files of x f.g y share.
 *
 *   product.c        what is computed where, by which tiles
 *   product_sides.c  tiles of x and of y: loads, workgroup memory, what a thread reads of it
 *   product_tiles.c  steps along k, results, the join of parts
 *   product_thin.c   few rows or columns
 *   product_matrix.c bytes and bits, and floats to few digits, by units for matrices
 *   product_pack.c   their sides */
#ifndef VAPL_CG_PRODUCT_H
#define VAPL_CG_PRODUCT_H
#include "cg_arith.h"
#include "template.h"

enum { LEFT, RIGHT, SIDES };
enum { PRODUCT_ROUNDS = 1 << 6 };               /* in product_opts.along */
enum { ROWS_ABREAST = 8, COLUMNS_ABREAST = 4 }; /* threads of 32 */
enum { MOST_TILE = 8, MOST_LOADS = 16, MOST_WIDE = 4, MOST_PARTS = 2 };

/* By instruction: of no argument, of x, of y, of both (bits 1 and 2). */
typedef struct parting {
  uint8_t of[KIR_MAX_INS];
  kv bound[SIDES][MOST_PARTS]; /* what workgroup memory has of x and of y */
  uint32_t in[SIDES][MOST_PARTS];
  uint32_t n_bound[SIDES], n_in[SIDES]; /* of complex numbers both parts */
  uint32_t steps;                       /* instructions of every x g y */
  bool loops, position;
} parting;

void product_part(const kir *k, parting *p);

static inline uint32_t mul64(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u64, SpvOpIMul, a, b);
}
static inline uint32_t add64(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u64, SpvOpIAdd, a, b);
}
static inline uint32_t to64(cg *g, uint32_t u32) {
  return spv_op(g->b, g->u64, SpvOpUConvert, u32);
}

/* A workgroup's tile, down and across, of which part of k of which batch; that part's first place, and how
 * many. All are u32. */
typedef struct product_work {
  uint32_t down, across, piece, batch, k0, count;
} product_work;
product_work product_own_work(cg *g);
/* Is it sums of products of two values of floats, which may be one operation? */
bool product_contracts(const kir *k, const parting *p, bool float64);
/* The type of a side's values in workgroup memory; the bytes of those of an element. */
kty product_shared_type(const kir *k, const parting *p, int side);
uint32_t product_shared_bytes(const kir *k, const parting *p, int side);

/* x g y of an element of each side, of as many values as are bound, joins a; at: place of k (ix) where the kernel asks for it, or 0. */
cg_acc product_pair(cg *g, const parting *p, const uint32_t *x, const uint32_t *y,
                    uint32_t at, cg_acc a);
/* What is made of neither x nor y, of as many lanes as now. */
void product_make_rest(cg *g, const parting *p);
/* The number (ix) of a result, or of its part. All are u32. */
typedef struct product_at {
  uint32_t batch, piece, row, column, rows, columns;
} product_at;
uint32_t product_result(cg *g, product_at a);

/* The lines of x are rows, those of y columns. */
typedef struct tile_side {
  int number;
  uint32_t in;
  elt type;
  kty t;                    /* in workgroup memory */
  uint32_t parts;           /* values of an element there */
  bool pair;                /* in memory it is two doubles */
  uint32_t tile, each, vec; /* lines of the tile, of a thread; elements of a vector */
  uint32_t loads;           /* of a thread */
  bool along;               /* neighbouring threads load along k, else along lines */
  bool inside;              /* all lines of the tile are there */
  uint32_t wide;            /* elements of a load */
  uint32_t apart, by; /* u64: from load to load of a thread, where it is inside; from
                              * tile to tile */
  uint32_t base, line, step; /* u64: element of the part's first place; strides */
  uint32_t first, last;      /* u32: the tile's first line, the last that there is */
  uint32_t shared, vec_type; /* its two buffers */
  uint32_t stride;           /* vectors from place to place of k */
  uint32_t own;              /* u32: this thread's first vector */
  uint32_t at[MOST_LOADS];   /* variables, u64: addresses or elements to be loaded next */
  uint32_t raw[MOST_LOADS];  /* loaded: elements, or vectors of `wide` */
  /* u32: which vector of a buffer they go to, and where in it. */
  uint32_t put[MOST_LOADS], lane[MOST_LOADS];
} tile_side;

typedef struct tiles {
  parting part;
  tile_side of[SIDES];
  uint32_t bk, rows, columns; /* u32: lengths of the result */
  uint32_t batch, piece;      /* u32 */
  uint32_t round;             /* tiles of a round: 2, in a buffer each, or 1 */
  uint32_t k0, rounds, rest;  /* u32: first place; whole rounds; places behind them */
  cg_var acc[MOST_TILE][MOST_TILE], all[MOST_TILE][MOST_TILE];
} tiles;

/* ── tiles of the sides (product_sides.c) ── */
/* tile_at: u32, its number down the rows or across the columns. */
void product_open_side(cg *g, tiles *t, int number, uint32_t tile_at);
/* Which rows and columns of the tile are this thread's. */
void product_place_thread(cg *g, tiles *t);
/* The elements that are next; then those of the tile behind it are, if `more` (bool; 0: yes). */
void product_load_next(cg *g, tiles *t, uint32_t more);
/* `count` places from `first` on (u32), fewer than a tile's; the last of them stands for what there
 * is not. */
void product_load_rest(cg *g, tiles *t, uint32_t first, uint32_t count);
/* What was loaded goes to buffer `buffer` (u32). */
void product_store_tile(cg *g, tiles *t, uint32_t buffer);
/* This thread's values of a side at vector `at` (u32) on. */
typedef uint32_t product_values[MOST_TILE][MOST_PARTS];
void product_fragment(cg *g, const tiles *t, const tile_side *s, uint32_t at,
                      product_values v);
/* The row or column (u32) of this thread's value i. */
uint32_t product_line(cg *g, const tile_side *s, uint32_t i);
#endif
