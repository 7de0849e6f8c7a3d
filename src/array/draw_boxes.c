/* SPDX-License-Identifier: MIT */
/* draw_boxes.c - arrays in boxes, the three styles of ]box.
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
 * The marked styles show an empty array's prototype. */
#include "draw.h"
#include "../base/arith.h"
#include "display.h"
#include "element.h"

enum {
  LINE = 0x2500,
  BAR = 0x2502,
  TOP_LEFT = 0x250C,
  TOP_RIGHT = 0x2510,
  LOW_LEFT = 0x2514,
  LOW_RIGHT = 0x2518,
  ACROSS = 0x2192,
  DOWN = 0x2193,
  NONE_ACROSS = 0x2296,
  NONE_DOWN = 0x233D,
  MANY_DOWN = 0x2352,
  MEMBER = 0x220A
};

/* ~ + ∊, or a line for characters. */
static uint32_t type_mark(const arr *a) {
  if (elt_is_char((elt)a->type)) return LINE;
  if (a->type != ET_NEST) return '~';
  if (has_nested(a) || !a->count) return MEMBER;
  bool chars = false, numbers = false;
  for (int64_t i = 0; i < a->count; i++) {
    if (elt_is_char((elt)arr_item(a, i)->type)) chars = true;
    else numbers = true;
  }
  if (chars && numbers) return '+';
  return chars ? LINE : '~';
}

static uint32_t across(const arr *a) {
  if (!a->rank) return LINE;
  return a->shape[a->rank - 1] ? ACROSS : NONE_ACROSS;
}

static uint32_t down(const arr *a, int axis) { return a->shape[axis] ? DOWN : NONE_DOWN; }

/* Several leading axes at once. */
static uint32_t leading(const arr *a) {
  for (int k = 0; k + 1 < a->rank; k++)
    if (!a->shape[k]) return NONE_DOWN;
  return a->rank > 2 ? MANY_DOWN : DOWN;
}

/* ── tables ─────────────────────────────────────────────────────────────────────────── */

/* Widths of columns and heights of rows; w has one column between cells, h nothing. */
typedef struct cells {
  ctx *c;
  int64_t m, rows, w, h, *ws, *hs;
} cells;

static void cells_free(cells *k) {
  mem_free(k->c, k->ws);
  mem_free(k->c, k->hs);
}
#define OWNED_CELLS __attribute__((cleanup(cells_free)))

static bool measure_cells(cells *k, const arr *a, const canvas *items) {
  k->m = arr_last_axis(a);
  k->rows = row_count(a);
  k->ws = mem_zalloc(k->c, (size_t)k->m * sizeof *k->ws);
  k->hs = mem_zalloc(k->c, (size_t)k->rows * sizeof *k->hs);
  if (!k->ws || !k->hs) return false;
  for (int64_t i = 0; i < a->count; i++) {
    if (items[i].w > k->ws[i % k->m]) k->ws[i % k->m] = items[i].w;
    if (items[i].h > k->hs[i / k->m]) k->hs[i / k->m] = items[i].h;
  }
  for (int64_t j = 0; j < k->m; j++) k->w += k->ws[j] + 1;
  for (int64_t r = 0; r < k->rows; r++) k->h += k->hs[r];
  return true;
}

/* A ruled line: a corner, columns of ─ with a joint between them, a corner. */
static void rule(canvas *b, int64_t y, const cells *k, const uint32_t *ends) {
  uint32_t *p = b->at + y * b->w;
  *p++ = ends[0];
  for (int64_t j = 0; j < k->m; j++) {
    for (int64_t i = 0; i < k->ws[j]; i++) *p++ = LINE;
    *p++ = ends[j + 1 < k->m ? 1 : 2];
  }
}

/* The items of row r and the bars right of them; y: its first line. */
static void draw_row(const cells *k, int64_t r, const canvas *items, bool centred,
                     canvas *b, int64_t y) {
  int64_t x = 1;
  for (int64_t j = 0; j < k->m; j++) {
    const canvas *item = &items[r * k->m + j];
    int64_t dy = 0, dx = 0;
    if (centred) {
      dy = (k->hs[r] - item->h) / 2;
      dx = (k->ws[j] - item->w) / 2;
    }
    canvas_draw(b, y + dy, x + dx, item);
    x += k->ws[j] + 1;
    for (int64_t i = 0; i < k->hs[r]; i++) canvas_put(b, y + i, x - 1, BAR);
  }
}

/* The marks of a cell whose inside is at (y, x), h by w. */
static void mark_cell(canvas *b, const arr *a, int64_t y, int64_t x, int64_t h,
                      int64_t w) {
  if (!h || !w || has_nested(a)) return; /* a table has its own marks */
  canvas_put(b, y + h, x, type_mark(a));
  if (a->rank) canvas_put(b, y + h, x + w - 1, across(a));
  if (a->rank > 1) canvas_put(b, y, x + w, leading(a));
}

/* Lines from the cells above row r to its own: a rule, or, before a plane, the end of the
 * table above, the gap and the beginning of the next. */
static int64_t lines_above(const arr *a, int64_t r) {
  if (!r || !gap_before(a, r)) return 1;
  return gap_before(a, r) + 2;
}

static bool begins_plane(const arr *a, int64_t r) { return !r || gap_before(a, r); }

static void mark_table(const arr *a, const cells *k, canvas *b) {
  int64_t y = 0;
  for (int64_t r = 0; r < k->rows; r++) {
    int64_t x = 1;
    y += lines_above(a, r);
    for (int64_t j = 0; j < k->m; j++) {
      mark_cell(b, arr_item(a, r * k->m + j), y, x, k->hs[r], k->ws[j]);
      x += k->ws[j] + 1;
    }
    if (begins_plane(a, r) && a->rank && b->w > 2) canvas_put(b, y - 1, 1, across(a));
    if (begins_plane(a, r) && a->rank > 1) canvas_put(b, y, 0, leading(a));
    y += k->hs[r];
  }
}

/* A plane of a higher rank is a table of its own. */
bool draw_table(drawing *d, const arr *a, const canvas *items, canvas *b) {
  static const uint32_t top[] = {TOP_LEFT, 0x252C, TOP_RIGHT},
                        mid[] = {0x251C, 0x253C, 0x2524},
                        low[] = {LOW_LEFT, 0x2534, LOW_RIGHT};
  OWNED_CELLS cells k = {.c = d->c};
  if (!measure_cells(&k, a, items)) return false;
  int64_t lines = k.h + 1, y = 0;
  for (int64_t r = 0; r < k.rows; r++) lines += lines_above(a, r);
  if (!canvas_new(d->c, b, lines, k.w + 1)) return false;
  for (int64_t r = 0; r < k.rows; r++) {
    bool begins = begins_plane(a, r);
    if (r && begins) rule(b, y, &k, low);
    y += lines_above(a, r);
    rule(b, y - 1, &k, begins ? top : mid);
    for (int64_t i = 0; i < k.hs[r]; i++) canvas_put(b, y + i, 0, BAR);
    draw_row(&k, r, items, d->style == BOX_DISP, b, y);
    y += k.hs[r];
  }
  rule(b, y, &k, low);
  if (d->style != BOX_MIN) mark_table(a, &k, b);
  return true;
}

/* ── boxes around every array ───────────────────────────────────────────────────────── */

/* A blank stands at both ends too, and blank lines between planes. */
bool draw_grid(drawing *d, const arr *a, const canvas *items, canvas *b) {
  OWNED_CELLS cells k = {.c = d->c};
  if (!measure_cells(&k, a, items)) return false;
  int64_t gaps = 0, y = 0;
  for (int64_t r = 0; r < k.rows; r++) gaps += gap_before(a, r);
  if (!canvas_new(d->c, b, k.h + gaps, k.w + 1)) return false;
  for (int64_t r = 0; r < k.rows; r++) {
    int64_t x = 1;
    y += gap_before(a, r);
    for (int64_t j = 0; j < k.m; j++) {
      canvas_draw(b, y, x, &items[r * k.m + j]);
      x += k.ws[j] + 1;
    }
    y += k.hs[r];
  }
  return true;
}

/* The left side has a column for each axis but the last, the outer axes on the outer ones. */
bool draw_frame(drawing *d, const arr *a, const canvas *in, canvas *b) {
  int64_t h = max_i64(in->h, 1), w = max_i64(in->w, 1);
  int64_t n = max_i64(a->rank - 1, 1);
  if (!canvas_new(d->c, b, h + 2, n + w + 1)) return false;
  for (int64_t x = 0; x < n; x++) {
    canvas_put(b, 0, x, TOP_LEFT);
    for (int64_t y = 1; y <= h; y++) canvas_put(b, y, x, BAR);
    canvas_put(b, h + 1, x, LOW_LEFT);
    if (a->rank > 1) canvas_put(b, 1, x, down(a, (int)x));
  }
  for (int64_t x = n; x < n + w; x++) {
    canvas_put(b, 0, x, LINE);
    canvas_put(b, h + 1, x, LINE);
  }
  canvas_put(b, 0, n + w, TOP_RIGHT);
  for (int64_t y = 1; y <= h; y++) canvas_put(b, y, n + w, BAR);
  canvas_put(b, h + 1, n + w, LOW_RIGHT);
  canvas_draw(b, 1, n, in);
  canvas_put(b, 0, n, across(a));
  canvas_put(b, h + 1, n, type_mark(a));
  return true;
}

/* The line under a character is drawn. */
bool draw_scalar(drawing *d, const arr *a, const canvas *in, canvas *b) {
  if (!canvas_new(d->c, b, 3, in->w)) return false;
  canvas_draw(b, 1, 0, in);
  if (elt_is_char((elt)a->type)) canvas_put(b, 2, 0, '-');
  return true;
}
