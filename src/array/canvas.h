/* SPDX-License-Identifier: MIT */
/* canvas.h - rectangles of characters, which arrays and functions are drawn onto. */
#ifndef VAPL_CANVAS_H
#define VAPL_CANVAS_H
#include "../base/str.h"

typedef struct canvas {
  ctx *c; /* the context of its memory; NULL before canvas_new */
  int64_t h, w;
  uint32_t *at; /* h rows of w cells, of a column each: code points, see canvas_text */
} canvas;

/* OWNED_CANVAS canvas x = {0}; frees x where its block ends, on every way out of it. */
#define OWNED_CANVAS __attribute__((cleanup(canvas_free)))
bool canvas_new(ctx *c, canvas *b, int64_t h, int64_t w); /* blanks; WS FULL */
void canvas_free(canvas *b);

static inline void canvas_put(canvas *b, int64_t y, int64_t x, uint32_t code_point) {
  b->at[y * b->w + x] = code_point;
}
void canvas_put_utf8(canvas *b, int64_t y, int64_t x, const char *p, int n);
/* Text as a terminal shows it: a wide character is followed by a cell that has nothing, a mark
 * goes into the cell before it (utf8_mark), in the bits above the code point. `c` at column x
 * of *b, or only measured where b is NULL; *bare: the cell before can take a mark. Returns the
 * column behind. */
/* Below CELL_NARROW are neither wide characters nor marks. */
enum { CELL_VOID = 0x1FFFFF, CELL_BITS = 21, CELL_NARROW = 0x300 };
int64_t canvas_text_any(canvas *b, int64_t y, int64_t x, uint32_t c, bool *bare);
static inline int64_t canvas_text(canvas *b, int64_t y, int64_t x, uint32_t c,
                                  bool *bare) {
  if (c >= CELL_NARROW) return canvas_text_any(b, y, x, c, bare);
  if (b) canvas_put(b, y, x, c);
  *bare = true;
  return x + 1;
}
void canvas_write(uint32_t cell, str *out); /* as UTF-8 */
void canvas_draw(canvas *b, int64_t y, int64_t x, const canvas *from);

/* The canvases of an array's items, each empty until it is drawn. */
typedef struct canvases {
  ctx *c;
  int64_t n;
  canvas *at;
} canvases;

#define OWNED_CANVASES __attribute__((cleanup(canvases_free)))
bool canvases_new(ctx *c, canvases *items, int64_t n);
void canvases_free(canvases *items);
#endif
