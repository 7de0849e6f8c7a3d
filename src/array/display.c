/* SPDX-License-Identifier: MIT */
/* display.c - arrays as text, the way Dyalog shows them.
 *
 * An array is first drawn onto a `canvas`, a rectangle of code points, and then written out
 * line by line, folded at ⎕PW. draw_plain.c draws it plainly, draw_boxes.c in the styles of ]box;
 * here nested items are drawn first, each onto a canvas of its own. ⍕ and ⎕FMT give the
 * canvas as an array instead of writing it.
 *
 * A text and a vector of numbers are written without a canvas, for nothing in them has to
 * be measured first. */
#include "display.h"
#include "../base/arith.h"
#include "draw.h"
#include "element.h"
#include "number.h"

#include <string.h>

/* ── drawing ────────────────────────────────────────────────────────────────────────── */

static void drawing_free(drawing *d) {
  vec_free(d->c, &d->columns);
  vec_free(d->c, &d->planes);
}
#define OWNED_DRAWING __attribute__((cleanup(drawing_free)))

static bool draw(drawing *d, const arr *a, int depth, canvas *b);

/* Draws the items that need a canvas: nested ones, all in the boxed styles. */
static bool draw_items(drawing *d, const arr *a, int depth, canvases *items) {
  if (out_of_stack(d->c) || !canvases_new(d->c, items, a->count)) return false;
  for (int64_t i = 0; i < a->count; i++) {
    if (stops_at(d->c, i)) return false;
    if (d->style == BOX_NONE && !nested_at(a, i)) continue;
    if (!draw(d, arr_item(a, i), depth + 1, &items->at[i])) return false;
  }
  return true;
}

/* Whatever is in boxes is one plane. */
static bool note_one_plane(drawing *d, int depth, const canvas *b) {
  if (depth) return true;
  return vec_push(d->c, &d->planes, ((interval){0, b->h}));
}

static bool draw_nested(drawing *d, const arr *a, int depth, canvas *b) {
  OWNED_CANVASES canvases items = {0};
  if (!draw_items(d, a, depth, &items)) return false;
  if (d->style == BOX_NONE) return draw_plain(d, a, items.at, depth == 0, b);
  return draw_table(d, a, items.at, b) && note_one_plane(d, depth, b);
}

/* `a`, or its replacement if it is empty, in which each empty axis has one element.
 * Owned. */
static arr *never_empty(ctx *c, const arr *a) {
  if (a->count) return arr_retain((arr *)(uintptr_t)a);
  int64_t shape[ARR_MAX_RANK] = {0};
  for (int k = 0; k < a->rank; k++) shape[k] = max_i64(a->shape[k], 1);
  arr *r = arr_new(c, (elt)a->type, a->rank, shape);
  if (!r) return NULL;
  int64_t fill = elt_is_char((elt)a->type) ? ' ' : 0;
  for (int64_t i = 0; i < r->count; i++) {
    if (a->type == ET_NEST) ((arr **)r->host)[i] = arr_retain(arr_item(a, 0));
    else arr_put_int(r, i, fill);
  }
  return r;
}

/* Draws the inside of the box of a, which is not empty. */
static bool draw_inside(drawing *d, const arr *a, int depth, canvas *b) {
  if (has_nested(a)) {
    OWNED_CANVASES canvases items = {0};
    return draw_items(d, a, depth, &items) && draw_grid(d, a, items.at, b);
  }
  drawing plain = {.c = d->c, .pp = d->pp, .terminal = d->terminal};
  return draw(&plain, a, 1, b);
}

static bool draw_boxed(drawing *d, const arr *a, int depth, canvas *b) {
  OWNED arr *shown = never_empty(d->c, a);
  if (!shown) return false;
  OWNED_CANVAS canvas inside = {0};
  if (!draw_inside(d, shown, depth, &inside)) return false;
  if (a->rank || has_nested(shown)) return draw_frame(d, a, &inside, b);
  return draw_scalar(d, a, &inside, b);
}

/* Draws `a` onto *b, which must be freed whatever comes back. Depth 0 notes where the canvas
 * may be folded. */
static bool draw(drawing *d, const arr *a, int depth, canvas *b) {
  *b = (canvas){0};
  if (a->ref) a = arr_ref_text(a);
  bool alone = d->style == BOX_DISP && !depth && a->rank && !has_nested(a);
  if (d->style == BOX_MAX || alone)
    return draw_boxed(d, a, depth, b) && note_one_plane(d, depth, b);
  if (!a->count && depth && d->style > BOX_MIN) {
    OWNED arr *shown = never_empty(d->c, a);
    return shown && draw(d, shown, depth, b);
  }
  if (elt_is_char((elt)a->type) || !a->count) return draw_chars(d, a, depth == 0, b);
  if (!has_nested(a)) return draw_plain(d, a, NULL, depth == 0, b);
  return draw_nested(d, a, depth, b);
}

/* ── writing, folded ────────────────────────────────────────────────────────────────── */

enum { INDENT = 6, MIN_WIDTH = 2 * INDENT };

/* A part of a canvas that goes on lines of its own: columns from .. to of it. */
typedef struct fold {
  int64_t from, to;
  int64_t next;  /* where the following part starts */
  size_t column; /* how many of the drawing's columns are before that */
} fold;

static bool in_number(uint32_t u) {
  return (u >= '0' && u <= '9') || u == '.' || u == 0xAF;
}

/* Does column x of the canvas cut a number in two? */
static bool cuts_number(const canvas *b, int64_t x) {
  for (int64_t y = 0; y < b->h; y++) {
    const uint32_t *row = b->at + y * b->w;
    if (in_number(row[x]) && (in_number(row[x - 1]) || row[x - 1] == 'E')) return true;
  }
  return false;
}

/* How many of the n columns behind `from` stand before a number that would be cut; n: all. */
static int64_t whole_numbers(const canvas *b, int64_t from, int64_t n) {
  int64_t k = n;
  while (k > n / 2 && cuts_number(b, from + k)) k--;
  return k > n / 2 ? k : n;
}

/* Ends the part that starts at f->from, given room for `n` columns: at the end of the last
 * whole column, else right there. */
static void end_fold(const drawing *d, const canvas *b, int64_t n, fold *f) {
  size_t first = f->column;
  if (b->w - f->from <= n) {
    f->to = f->next = b->w;
    return;
  }
  while (f->column < d->columns.n && d->columns.at[f->column].to - f->from <= n)
    f->column++;
  if (f->column == first) { /* not even one fits, or there are none */
    f->to = f->next = f->from + whole_numbers(b, f->from, n);
    return;
  }
  f->to = d->columns.at[f->column - 1].to;
  f->next = d->columns.at[f->column].from;
}

static bool write_plane(drawing *d, const canvas *b, interval lines, int pw, str *out) {
  fold f = {0};
  do {
    int indent = f.from ? INDENT : 0;
    end_fold(d, b, pw - indent, &f);
    for (int64_t y = lines.from; y < lines.to; y++) {
      if (out->failed || interrupted(d->c)) return false;
      str_pad(out, (size_t)indent);
      for (int64_t x = f.from; x < f.to; x++) {
        uint32_t cell = b->at[y * b->w + x];
        if (cell < CELL_VOID) str_putc(out, cell);
        else canvas_write(cell, out);
      }
      str_putc(out, '\n');
    }
    f.from = f.next;
  } while (f.from < b->w);
  return true;
}

static bool write_planes(drawing *d, const canvas *b, int pw, str *out) {
  for (size_t p = 0; p < d->planes.n; p++) {
    interval at = d->planes.at[p];
    if (p)
      for (int64_t y = d->planes.at[p - 1].to; y < at.from; y++) str_putc(out, '\n');
    if (!write_plane(d, b, at, pw, out)) return false;
  }
  return true;
}

/* ── texts and vectors of numbers ───────────────────────────────────────────────────── */

static bool is_break(int64_t c) { return c == '\n' || c == '\r'; }

/* \r\n is one break: is element i its second half? */
static bool ends_break(const arr *a, int64_t i) {
  return i && arr_get_int(a, i) == '\n' && arr_get_int(a, i - 1) == '\r';
}

static bool is_text(const arr *a) { return a->rank < 2 && elt_is_char((elt)a->type); }

/* A character scalar or vector, its line breaks obeyed. */
static bool write_text(const arr *a, int pw, str *out) {
  int64_t x = 0;
  bool bare = false;
  for (int64_t i = 0; i < a->count; i++) {
    int64_t u = arr_get_int(a, i);
    if (stops_at(out->c, i)) return false;
    if (ends_break(a, i)) continue;
    if (is_break(u)) {
      str_putc(out, '\n');
      x = 0;
      continue;
    }
    int64_t next = canvas_text(NULL, 0, x, (uint32_t)u, &bare);
    if (next > pw) {
      str_putc(out, '\n');
      str_pad(out, INDENT);
      next += INDENT - x;
    }
    str_putc(out, (uint32_t)u);
    x = next;
  }
  str_putc(out, '\n');
  return !out->failed;
}

static bool is_row(const arr *a) { /* of real numbers */
  return a->rank == 1 && a->count && a->type < ET_C128;
}

/* A vector of real numbers, no line wider than pw, which is more than any number: each has a
 * column of its own, so nothing has to be measured first, however long it is. */
static bool write_row(const arr *a, int pp, int64_t pw, str *out) {
  int64_t x = 0;
  pp = num_pp(a, pp);
  for (int64_t i = 0; i < a->count; i++) {
    char text[2 * NUM_TEXT_MAX];
    int64_t w;
    int n = num_text_of_item(a, i, pp, text, &w);
    if (out->failed || interrupted(out->c)) return false;
    if (i && x + 1 + w > pw) {
      str_putc(out, '\n');
      str_pad(out, INDENT);
      x = INDENT;
    } else if (i) {
      str_putc(out, ' ');
      x++;
    }
    str_put(out, text, (size_t)n);
    x += w;
  }
  return !out->failed;
}

/* Rows without columns are empty lines; this many are enough. */
enum { EMPTY_LINES = 100 };

static bool write_empty_rows(str *out) {
  for (int i = 0; i < EMPTY_LINES; i++) str_putc(out, '\n');
  return !out->failed;
}

bool arr_display(ctx *c, const arr *a, const fmt_opts *o, str *out) {
  int pw = o->pw;
  if (pw < MIN_WIDTH) pw = MIN_WIDTH;
  bool text_in_box = o->boxed == BOX_MAX || (o->boxed == BOX_DISP && a->rank);
  if (is_text(a) && !text_in_box) return write_text(a, pw, out);
  if (is_row(a) && o->boxed < BOX_MAX && pw >= NUM_PP_MAX + INDENT + 2) {
    bool done = write_row(a, o->pp, pw, out);
    str_putc(out, '\n');
    return done && !out->failed;
  }
  if (!a->count && !o->boxed && row_count(a) > EMPTY_LINES) return write_empty_rows(out);
  OWNED_DRAWING drawing d = {.c = c, .pp = o->pp, .style = o->boxed, .terminal = true};
  OWNED_CANVAS canvas b = {0};
  return draw(&d, a, 0, &b) && write_planes(&d, &b, pw, out) && !out->failed;
}

/* ── as an array ────────────────────────────────────────────────────────────────────── */

/* The lines of b, or with `rows` only those that are no gap between planes of `rows`. */
static arr *array_of(drawing *d, const canvas *b, const arr *rows, int rank,
                     const int64_t *shape) {
  uint32_t top = 0;
  for (int64_t i = 0; i < b->h * b->w; i++) {
    if (stops_at(d->c, i)) return NULL;
    if (b->at[i] > top) top = b->at[i];
  }
  OWNED arr *r = arr_new(d->c, elt_for_char(top), rank, shape);
  if (!r) return NULL;
  int64_t i = 0, y = 0;
  for (int64_t k = 0; i < r->count; k++, y++) {
    if (rows) y += gap_before(rows, k);
    for (int64_t x = 0; x < b->w; x++, i++) {
      if (stops_at(d->c, i)) return NULL;
      arr_put_int(r, i, b->at[y * b->w + x]);
    }
  }
  return arr_move(&r);
}

/* Are all items, however deep, scalars or vectors? */
static bool is_flat(const arr *a) {
  if (a->rank > 1) return false;
  if (!arr_nests(a)) return true;
  for (int64_t i = 0; i < a->count; i++)
    if (stack_is_low(a->c) || !is_flat(arr_item(a, i))) return false;
  return true;
}

static arr *format_row(ctx *c, const arr *a, int pp) {
  OWNED_STR str s = {.c = c};
  if (!write_row(a, pp, INT64_MAX, &s)) return NULL;
  return arr_text(c, s.at, s.n);
}

arr *arr_format(ctx *c, arr *a, int pp) {
  if (a->ref) return arr_format(c, (arr *)(uintptr_t)arr_ref_text(a), pp);
  if (elt_is_char((elt)a->type)) return arr_retain(a);
  if (is_row(a)) return format_row(c, a, pp);
  OWNED_DRAWING drawing d = {.c = c, .pp = pp};
  OWNED_CANVAS canvas b = {0};
  if (!draw(&d, a, 0, &b)) return NULL;
  bool simple = !has_nested(a);
  int64_t shape[ARR_MAX_RANK] = {0};
  int rank = 1;
  if (simple && a->rank > 1) {
    rank = a->rank;
    memcpy(shape, a->shape, sizeof *shape * (size_t)rank);
  } else if (!simple && !is_flat(a)) {
    rank = 2;
    shape[0] = b.h;
  }
  shape[rank - 1] = b.w;
  return array_of(&d, &b, simple ? a : NULL, rank, shape);
}

/* One pass over a text, which sets b's height and width, or writes into it once it has
 * memory: line breaks end lines, a backspace goes back a column. False after INTERRUPT. */
static bool lay_text(const arr *a, canvas *b) {
  int64_t x = 0, y = 0, w = 0;
  for (int64_t i = 0; i < a->count; i++) {
    int64_t u = arr_get_int(a, i);
    if (stops_at(a->c, i)) return false;
    if (ends_break(a, i)) continue;
    if (is_break(u)) {
      x = 0;
      y++;
    } else if (u == '\b') {
      if (x) x--;
    } else {
      if (b->at) canvas_put(b, y, x, (uint32_t)u);
      if (++x > w) w = x;
    }
  }
  bool ended = a->count && is_break(arr_get_int(a, a->count - 1));
  b->h = y + !ended;
  b->w = w;
  return true;
}

static bool draw_text(ctx *c, const arr *a, canvas *b) {
  canvas size = {0};
  return lay_text(a, &size) && canvas_new(c, b, size.h, size.w) &&
         (!b->at || lay_text(a, b));
}

arr *arr_format_matrix(ctx *c, const arr *a, int pp) {
  OWNED_DRAWING drawing d = {.c = c, .pp = pp};
  OWNED_CANVAS canvas b = {0};
  bool ok;
  if (is_text(a)) ok = draw_text(c, a, &b);
  else ok = draw(&d, a, 0, &b);
  if (!ok) return NULL;
  return array_of(&d, &b, NULL, 2, (int64_t[]){b.h, b.w});
}
