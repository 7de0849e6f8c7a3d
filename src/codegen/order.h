/* SPDX-License-Identifier: MIT */
/* order.h - what the phases of a radix sort share (order.c). */
#ifndef VAPL_CG_ORDER_H
#define VAPL_CG_ORDER_H
#include "template.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, MOST_DIGITS = 8, MOST_KEYS = 28 };
/* Elements of a row whose tiles look back: their counts have 30 bits. */
enum { ORDER_MOST = 1 << 30 };

/* Words of a row's plan, which ORDER_STARTS makes: by pass the shift of its digit, or
 * NO_DIGIT, and then by pass how many ran before it. */
enum { PLAN_WORDS = 2 * MOST_DIGITS, NO_DIGIT = 255 };

typedef struct sorter {
  uint32_t keys, rounds; /* elements of a thread; by which a tile is exchanged */
  cg_units unit;
  uint32_t bins;        /* digits of a thread: 1, or more than 256 threads have */
  uint32_t row, tile;   /* u32 */
  uint32_t row_at;      /* ix */
  uint32_t start, left; /* u32: of the tile, its first element; its elements */
  uint32_t before;      /* u32: passes that ran before, in this row */
  uint32_t shift;       /* u32 */
  uint32_t tiles;       /* u32 */
  uint32_t words;       /* u64: memory that the passes share */
  uint32_t from[CG_ACC_IDS], to[CG_ACC_IDS]; /* u64: of each value, the row's first */
} sorter;

const order_opts *order_of(const cg *g);
sorter order_begin(cg *g);
/* The tile of the workgroup; or tile number s->tile of row number s->row. */
void order_find_tile(cg *g, sorter *s);
void order_at_tile(cg *g, sorter *s);

/* Behind that, where the row's elements lie between passes. */
void order_find_lists(cg *g, sorter *s);

/* ── elements ── */

/* Element `in_tile` (u32) of the tile, where the kernel's inputs are read. */
cg_pos order_position(cg *g, const sorter *s, uint32_t in_tile);
/* `n` of them, `step` apart, the first `ids` values of each; what is not there may be
 * anything. */
void order_load(cg *g, const sorter *s, uint32_t first, uint32_t step, uint32_t n,
                uint32_t ids, cg_acc *v);
/* Bool: is it there? */
uint32_t order_has(cg *g, const sorter *s, uint32_t in_tile);
void order_store(cg *g, const sorter *s, uint32_t at, cg_acc v);
/* u32 */
uint32_t order_digit(cg *g, const sorter *s, uint32_t key);

/* ── words ── */

uint32_t order_get(cg *g, uint32_t array, uint32_t index); /* of workgroup memory */
void order_put(cg *g, uint32_t array, uint32_t index, uint32_t v);
void order_count(cg *g, uint32_t array, uint32_t index, uint32_t by);
/* The address of a u32 of those at base. */
uint32_t order_word(cg *g, uint32_t base, uint32_t index);
/* The counts (u32) of the row's digit `d` by bin, then where each begins. */
uint32_t order_start(cg *g, const sorter *s, uint32_t d, uint32_t bin);
uint32_t order_plan(cg *g, const sorter *s, uint32_t entry); /* a u32 of the row's plan */
uint32_t order_state(cg *g, const sorter *s); /* the first word of the row's first tile */

/* ── digits of the threads ── */

/* Digit j of those that are this thread's. */
uint32_t order_bin(cg *g, const sorter *s, uint32_t j);
/* Opens a branch for threads that have digits; 0: all have. */
uint32_t order_if_bins(cg *g);
/* v[j] becomes the sum of those of the digits before. A barrier must follow. */
void order_scan_bins(cg *g, const sorter *s, uint32_t *v);

/* ── counts by tile, without look-back (order_count.c) ── */

/* Where the count of a digit (u32) in the tile is, or what comes before it; where that of
 * row × DIGITS + digit is. */
uint32_t order_tile_count(cg *g, const sorter *s, uint32_t digit);
uint32_t order_row_count(cg *g, const sorter *s, uint32_t line);
/* Counts the digits of the tile's elements that are this thread's. */
void order_count_digit(cg *g, const sorter *s, uint32_t counters);

/* ── places in a tile (order_place.c) ── */

enum { AT_ONCE = 2 }; /* places in a word */

typedef struct placer {
  sorter s;
  uint32_t half;   /* elements of a round */
  uint32_t memory; /* workgroup memory: counters of each unit, then elements */
  uint32_t base; /* by digit: where its first element of the tile goes, less its place */
  cg_acc v[MOST_KEYS];
  uint32_t digit[MOST_KEYS];
  uint32_t at[MOST_KEYS / AT_ONCE]; /* places in the tile, of 16 bits */
  uint32_t count[DIGITS / 4],
      in_tile[DIGITS / 4];   /* of the thread's digits; before them */
  uint32_t sum[DIGITS / 4];  /* variables: what the tiles before have */
  uint32_t left[DIGITS / 4]; /* variables: so many tiles are still to be looked at */
  uint32_t
      missing;    /* workgroup memory: 1 + a tile whose count a thread waits for, or 0 */
  uint32_t turn;  /* u32: the word's highest bit */
  uint32_t state; /* u32: the row's first word */
} placer;

/* Ranks of the elements whose digits are p->digit in their unit, by digit; these become places
 * in the tile. p->at are 0 before. */
void order_rank(cg *g, placer *p);
void order_place(cg *g, placer *p);
uint32_t order_place_of(cg *g, const placer *p, uint32_t i); /* u32: that of element i */
/* v's words: of a value of 8 bytes there is a high one. */
uint32_t order_words(cg *g, kty t, uint32_t v, uint32_t *high);

/* ── phases ── */

void order_emit_count(cg *g);
void order_emit_bases(cg *g);
void order_emit_digits(cg *g);
void order_emit_starts(cg *g);
void order_emit_place(cg *g);
void order_emit_rows(cg *g);
#endif
