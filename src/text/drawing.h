/* SPDX-License-Identifier: MIT */
/* drawing.h - trees drawn downwards, made from their leaves up.
 *
 *     ┌─┼─┐      a bar joins the roots of two or three trees; over a single one it leads to the
 *     / ÷ ≢      right. Trees are moved together until one blank is left between them in some
 *   ┌─┘          line. */
#ifndef VAPL_DRAWING_H
#define VAPL_DRAWING_H
#include "../array/canvas.h"
#include "../base/str.h"

typedef struct drawing {
  canvas b;
  int64_t root; /* its column in line 0 */
} drawing;

void drawing_free(drawing *t);
/* OWNED_DRAWING drawing t = {0}; frees t where its block ends, on every way out of it. */
#define OWNED_DRAWING __attribute__((cleanup(drawing_free)))

/* Each makes *t of drawings that it borrows. */
bool draw_label(ctx *c, const str *s,
                drawing *t); /* a text, its lines under each other */
bool draw_single(ctx *c, const drawing *l, drawing *t);
bool draw_pair(ctx *c, const drawing *l, const drawing *r, drawing *t);
bool draw_three(ctx *c, const drawing *l, const drawing *m, const drawing *r, drawing *t);
bool draw_above(ctx *c, const drawing *label, const drawing *below, drawing *t);
void draw_lines(const drawing *t, str *s); /* appends its lines */
#endif
