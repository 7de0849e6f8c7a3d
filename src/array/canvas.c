/* SPDX-License-Identifier: MIT */
/* canvas.c - the rectangles of characters of canvas.h. */
#include "canvas.h"
#include "../base/mem.h"
#include "../base/utf8.h"

#include <string.h>

bool canvas_new(ctx *c, canvas *b, int64_t h, int64_t w) {
  *b = (canvas){.c = c, .h = h, .w = w};
  if (!h || !w) return true;
  if (h > PTRDIFF_MAX / 8 / w)
    return err_set(c, ERR_WS_FULL, "the display would have %lld lines of %lld columns",
                   (long long)h, (long long)w);
  b->at = mem_alloc(c, (size_t)(h * w) * sizeof *b->at);
  if (!b->at) return false;
  for (int64_t i = 0; i < h * w; i++) {
    if (stops_at(c, i)) return false;
    b->at[i] = ' ';
  }
  return true;
}

void canvas_free(canvas *b) {
  if (b->at) mem_free(b->c, b->at);
  *b = (canvas){0};
}

void canvas_put_utf8(canvas *b, int64_t y, int64_t x, const char *p, int n) {
  uint32_t *to = b->at + y * b->w + x;
  const char *end = p + n;
  while (p < end) *to++ = utf8_next(p, end, &p);
}

int64_t canvas_text_any(canvas *b, int64_t y, int64_t x, uint32_t c, bool *bare) {
  uint32_t mark = utf8_mark(c);
  if (mark && *bare) {
    if (b) b->at[y * b->w + x - 1] |= mark << CELL_BITS;
    *bare = false;
    return x;
  }
  bool wide = utf8_width(c) == 2;
  if (b) canvas_put(b, y, x, c);
  if (b && wide) canvas_put(b, y, x + 1, CELL_VOID);
  *bare = !wide && !mark;
  return x + 1 + wide;
}

void canvas_write(uint32_t cell, str *out) {
  uint32_t mark = cell >> CELL_BITS;
  if (cell == CELL_VOID) return;
  str_putc(out, cell & CELL_VOID);
  if (mark) str_putc(out, utf8_mark_at(mark));
}

void canvas_draw(canvas *b, int64_t y, int64_t x, const canvas *from) {
  if (!from->w) return;
  for (int64_t i = 0; i < from->h; i++)
    memcpy(b->at + (y + i) * b->w + x, from->at + i * from->w,
           (size_t)from->w * sizeof *b->at);
}

bool canvases_new(ctx *c, canvases *items, int64_t n) {
  *items = (canvases){.c = c, .n = n};
  items->at = mem_zalloc(c, (size_t)n * sizeof *items->at);
  return items->at != NULL;
}

void canvases_free(canvases *items) {
  if (!items->at) return;
  for (int64_t i = 0; i < items->n; i++) canvas_free(&items->at[i]);
  mem_free(items->c, items->at);
  items->at = NULL;
}
