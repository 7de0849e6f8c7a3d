/* SPDX-License-Identifier: MIT */
/* block.h - the rectangles of characters that arrays are drawn into, shared by display.c
 * (plain layout, writing) and boxes.c (the styles of ]box). */
#ifndef VAPL_BLOCK_H
#define VAPL_BLOCK_H
#include "number.h"
#include "../base/mem.h"

typedef struct block {
  int64_t h, w;
  uint32_t *at; /* h rows of w */
} block;

typedef struct range {
  int64_t from, to;
} range;

typedef struct dsp {
  ctx *c;
  int pp, style;      /* style: BOX_… */
  VEC(range) columns; /* of the outermost array, where it may be folded */
  VEC(range) planes;  /* lines of its planes */
} dsp;

bool block_new(dsp *d, block *b, int64_t h, int64_t w); /* blanks; WS FULL */
void block_free(dsp *d, block *b);
void draw_block(block *b, int64_t y, int64_t x, const block *from);

/* Draws `a` into *b, which must be freed whatever comes back. Depth 0 notes where the block
 * may be folded. */
bool draw(dsp *d, const arr *a, int depth, block *b);
bool draw_each(dsp *d, const arr *a, int depth, block **items); /* see blocks_free */
void blocks_free(dsp *d, block *b, int64_t n);                  /* NULL is fine */
bool has_nested(const arr *a); /* is any item more than a simple scalar? */
int64_t row_count(const arr *a);
int gap_before(const arr *a, int64_t r); /* blank lines in front of row r */

/* boxes.c: a nested array as a ruled table (BOX_MIN, BOX_MID), any array in boxes (BOX_MAX). */
bool draw_table(dsp *d, const arr *a, const block *items, block *b);
bool draw_boxed(dsp *d, const arr *a, int depth, block *b);
/* `a`, or what stands for it if it is empty: every empty axis has one element. Owned. */
arr *arr_opened(ctx *c, const arr *a);
#endif
