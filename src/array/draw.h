/* SPDX-License-Identifier: MIT */
/* draw.h - what display.c, draw_plain.c and draw_boxes.c share: how an array comes onto a canvas. */
#ifndef VAPL_DRAW_H
#define VAPL_DRAW_H
#include "../base/mem.h"
#include "array.h"
#include "canvas.h"

typedef struct interval {
  int64_t from, to;
} interval;

typedef struct drawing {
  ctx *c;
  int pp, style;         /* style: BOX_… */
  bool terminal;         /* for eyes: cells of the canvas are a terminal's columns */
  VEC(interval) columns; /* of the outermost array, where it may be folded */
  VEC(interval) planes;  /* lines of its planes */
} drawing;

/* ── draw_plain.c: an array as a matrix of rows, blank lines between its planes ── */

bool has_nested(const arr *a);           /* is any item more than a simple scalar? */
bool nested_at(const arr *a, int64_t i); /* is item i? */
int64_t row_count(const arr *a);         /* the product of all axes but the last */
int gap_before(const arr *a, int64_t r); /* blank lines in front of row r */
/* These draw `a` onto *b. `outer`: it is the outermost array, so that *d is told where it
 * may be folded. `items` are NULL if `a` has no nested ones. */
bool draw_chars(drawing *d, const arr *a, bool outer, canvas *b);
bool draw_plain(drawing *d, const arr *a, const canvas *items, bool outer, canvas *b);

/* ── draw_boxes.c ── */

/* A nested array as a ruled table (BOX_MIN, BOX_MID, BOX_DISP). */
bool draw_table(drawing *d, const arr *a, const canvas *items, canvas *b);
/* What stands in the box of a nested array (BOX_MAX): its items, a blank between them. */
bool draw_grid(drawing *d, const arr *a, const canvas *items, canvas *b);
/* `in` in a box that tells rank, emptiness and type of a. */
bool draw_frame(drawing *d, const arr *a, const canvas *in, canvas *b);
/* `in`, which shows the simple scalar a, with a line above and below. */
bool draw_scalar(drawing *d, const arr *a, const canvas *in, canvas *b);
#endif
