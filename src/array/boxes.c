/* SPDX-License-Identifier: MIT */
/* boxes.c - arrays in boxes, the three styles of ]box.
 *
 *   min   a nested array is a table ruled with lines, its cells flush top left
 *   mid   the same; marks in a cell's rules tell its rank and type (]disp: cells centred)
 *   max   every array has a box of its own with marks in it
 *
 *   ┌→──┬───────┐
 *   │ABC│1 2 3 4↓
 *   └──→┴~─────→┘
 *
 * Marks: → a vector or last axis, ↓ leading axes (⊖ ⌽ if they are empty), each in a rule of
 * its own in max; ~ numbers, + numbers and characters, ∊ nested, ─ characters.
 * Of an empty array the marked styles show what its prototype looks like. */
#include "block.h"

#include <string.h>

enum {
  LINE = 0x2500,
  BAR = 0x2502,
  ACROSS = 0x2192,
  DOWN = 0x2193,
  NONE_ACROSS = 0x2296,
  NONE_DOWN = 0x233D,
  MANY_DOWN = 0x2352,
  MEMBER = 0x220A
};

/* ~ + ∊, or a line for characters. */
static uint32_t type_mark(const arr *a) {
  bool chars = elt_is_char((elt)a->type), numbers = !chars && a->type != ET_NEST;
  if (a->type == ET_NEST) {
    if (has_nested(a) || !a->count) return MEMBER;
    for (int64_t i = 0; i < a->count; i++)
      if (elt_is_char((elt)arr_item(a, i)->type)) chars = true;
      else numbers = true;
  }
  return chars && numbers ? '+' : numbers ? '~' : LINE;
}

static uint32_t across(const arr *a) {
  return !a->rank ? LINE : a->shape[a->rank - 1] ? ACROSS : NONE_ACROSS;
}

static uint32_t down(const arr *a, int axis) { return a->shape[axis] ? DOWN : NONE_DOWN; }

/* Several leading axes at once. */
static uint32_t leading(const arr *a) {
  for (int k = 0; k + 1 < a->rank; k++)
    if (!a->shape[k]) return NONE_DOWN;
  return a->rank > 2 ? MANY_DOWN : DOWN;
}

static void put(block *b, int64_t y, int64_t x, uint32_t mark) {
  b->at[y * b->w + x] = mark;
}

arr *arr_opened(ctx *c, const arr *a) {
  int64_t shape[ARR_MAX_RANK] = {0};
  if (a->count) return arr_retain((arr *)(uintptr_t)a);
  for (int k = 0; k < a->rank; k++) shape[k] = a->shape[k] ? a->shape[k] : 1;
  arr *fill = arr_fill_of(c, a),
      *r = fill ? arr_new(c, (elt)a->type, a->rank, shape) : NULL;
  for (int64_t i = 0; r && i < r->count; i++)
    if (a->type == ET_NEST) ((arr **)r->host)[i] = arr_retain(arr_item(a, 0));
    else arr_copy(r, i, fill, 0, 1);
  arr_release(fill);
  return r;
}

/* ── tables ─────────────────────────────────────────────────────────────────────────── */

/* Widths of columns and heights of rows; w has one column between cells, h nothing. */
typedef struct cells {
  int64_t m, rows, w, h, *ws, *hs;
} cells;

static bool measure_cells(dsp *d, const arr *a, const block *items, cells *k) {
  *k = (cells){.m = arr_last_axis(a), .rows = row_count(a)};
  k->ws = mem_zalloc(d->c, (size_t)k->m * sizeof *k->ws);
  k->hs = mem_zalloc(d->c, (size_t)k->rows * sizeof *k->hs);
  if (!k->ws || !k->hs) return false;
  for (int64_t i = 0; i < a->count; i++) {
    if (items[i].w > k->ws[i % k->m]) k->ws[i % k->m] = items[i].w;
    if (items[i].h > k->hs[i / k->m]) k->hs[i / k->m] = items[i].h;
  }
  for (int64_t j = 0; j < k->m; j++) k->w += k->ws[j] + 1;
  for (int64_t r = 0; r < k->rows; r++) k->h += k->hs[r];
  return true;
}

static void cells_free(dsp *d, cells *k) {
  mem_free(d->c, k->ws);
  mem_free(d->c, k->hs);
}

/* A ruled line: a corner, columns of ─ with a joint between them, a corner. */
static void rule(block *b, int64_t y, const int64_t *ws, int64_t m,
                 const uint32_t *ends) {
  uint32_t *p = b->at + y * b->w;
  *p++ = ends[0];
  for (int64_t j = 0; j < m; j++) {
    for (int64_t i = 0; i < ws[j]; i++) *p++ = 0x2500;
    *p++ = ends[j + 1 < m ? 1 : 2];
  }
}

/* The marks of a cell whose inside is at (y, x), h by w. */
static void mark_cell(block *b, const arr *a, int64_t y, int64_t x, int64_t h,
                      int64_t w) {
  if (!h || !w || has_nested(a)) return; /* a table has its own marks */
  put(b, y + h, x, type_mark(a));
  if (a->rank) put(b, y + h, x + w - 1, across(a));
  if (a->rank > 1) put(b, y, x + w, leading(a));
}

static void rule_table(const arr *a, int style, const block *items, const int64_t *hs,
                       int64_t rows, const int64_t *ws, int64_t m, block *b) {
  static const uint32_t top[] = {0x250C, 0x252C, 0x2510},
                        mid[] = {0x251C, 0x253C, 0x2524},
                        low[] = {0x2514, 0x2534, 0x2518};
  bool centred = style == BOX_DISP;
  int64_t y = 0;
  for (int64_t r = 0; r < rows; y += hs[r++]) {
    rule(b, y++, ws, m, r ? mid : top);
    for (int64_t i = 0; i < hs[r]; i++) put(b, y + i, 0, BAR);
    for (int64_t j = 0, x = 1; j < m; x += ws[j++] + 1) {
      const block *k = &items[r * m + j];
      int64_t dy = centred ? (hs[r] - k->h) / 2 : 0,
              dx = centred ? (ws[j] - k->w) / 2 : 0;
      draw_block(b, y + dy, x + dx, k);
      for (int64_t i = 0; i < hs[r]; i++) put(b, y + i, x + ws[j], BAR);
    }
  }
  rule(b, y, ws, m, low);
  if (style == BOX_MIN) return;
  y = 1;
  for (int64_t r = 0; r < rows; y += hs[r++] + 1)
    for (int64_t j = 0, x = 1; j < m; x += ws[j++] + 1)
      mark_cell(b, arr_item(a, r * m + j), y, x, hs[r], ws[j]);
  if (a->rank && b->w > 2) put(b, 0, 1, across(a));
  if (a->rank > 1) put(b, 1, 0, leading(a));
}

bool draw_table(dsp *d, const arr *a, const block *items, block *b) {
  cells k;
  bool ok = measure_cells(d, a, items, &k) && block_new(d, b, k.h + k.rows + 1, k.w + 1);
  if (ok) rule_table(a, d->style, items, k.hs, k.rows, k.ws, k.m, b);
  cells_free(d, &k);
  return ok;
}

/* ── boxes around every array ───────────────────────────────────────────────────────── */

/* The items one blank apart, with a blank at both ends and blank lines between planes. */
static bool draw_grid(dsp *d, const arr *a, const block *items, block *b) {
  cells k;
  int64_t gaps = 0;
  bool ok = measure_cells(d, a, items, &k);
  for (int64_t r = 0; ok && r < k.rows; r++) gaps += gap_before(a, r);
  ok = ok && block_new(d, b, k.h + gaps, k.w + 1);
  for (int64_t r = 0, y = 0; ok && r < k.rows; y += k.hs[r++]) {
    y += gap_before(a, r);
    for (int64_t j = 0, x = 1; j < k.m; x += k.ws[j++] + 1)
      draw_block(b, y, x, &items[r * k.m + j]);
  }
  cells_free(d, &k);
  return ok;
}

/* `in` in a box that tells rank, emptiness and type of a: a left side for each axis but the
 * last, the outer axes on the outer sides. */
static bool frame(dsp *d, const arr *a, const block *in, block *b) {
  int64_t h = in->h ? in->h : 1, w = in->w ? in->w : 1, n = a->rank > 2 ? a->rank - 1 : 1;
  if (!block_new(d, b, h + 2, n + w + 1)) return false;
  for (int64_t x = 0; x < n; x++) {
    put(b, 0, x, 0x250C), put(b, h + 1, x, 0x2514);
    for (int64_t y = 1; y <= h; y++) put(b, y, x, BAR);
    if (a->rank > 1) put(b, 1, x, down(a, (int)x));
  }
  for (int64_t x = n; x < n + w; x++) put(b, 0, x, LINE), put(b, h + 1, x, LINE);
  for (int64_t y = 1; y <= h; y++) put(b, y, n + w, BAR);
  put(b, 0, n + w, 0x2510), put(b, h + 1, n + w, 0x2518);
  draw_block(b, 1, n, in);
  put(b, 0, n, across(a));
  put(b, h + 1, n, type_mark(a));
  return true;
}

/* A simple scalar has a line above and below; the one under a character is drawn. */
static bool draw_scalar(dsp *d, const arr *a, const block *in, block *b) {
  if (!block_new(d, b, 3, in->w)) return false;
  draw_block(b, 1, 0, in);
  if (elt_is_char((elt)a->type)) put(b, 2, 0, '-');
  return true;
}

bool draw_boxed(dsp *d, const arr *a, int depth, block *b) {
  block *items = NULL, in = {0};
  dsp plain = {.c = d->c, .pp = d->pp};
  arr *o = arr_opened(d->c, a);
  bool ok = o != NULL, nested = ok && has_nested(o);
  if (nested) ok = draw_each(d, o, depth, &items) && draw_grid(d, o, items, &in);
  else if (ok) ok = draw(&plain, o, 1, &in);
  ok = ok && (a->rank || nested ? frame(d, a, &in, b) : draw_scalar(d, a, &in, b));
  blocks_free(d, items, items ? o->count : 0);
  block_free(d, &in);
  arr_release(o);
  return ok;
}
