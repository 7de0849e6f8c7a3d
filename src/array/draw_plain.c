/* SPDX-License-Identifier: MIT */
/* draw_plain.c - the plain layout of an array on a canvas, as Dyalog has it.
 *
 * An array is a matrix of rows, with blank lines between its planes. Drawing takes two
 * passes over the items: the first measures the columns (all rows and planes share them),
 * the second puts the text in place.
 *
 *   numeric column  a column with a number in it: decimal points (or the Es, if any number
 *                   needs the E form) stand under each other, the rest is flush right;
 *                   complex numbers have their Js under each other, real ones end where the
 *                   J would stand
 *   other columns   flush left, with no gap between them
 *   nested items    are canvases of their own; their column has a blank on either side
 *
 * A numeric column without nested items has a blank between it and its neighbours. */
#include "draw.h"
#include "../base/utf8.h"
#include "element.h"
#include "number.h"

typedef struct col {
  bool num, cplx; /* it has a number, a complex one */
  bool sci, box;  /* it has a number in E form, a nested item */
  /* Plain numbers: columns before and from the point. Complex ones: before and from the J. */
  uint8_t left, right;
  /* E form: sign and digit, from the point on, behind the E. */
  uint8_t lead, mantissa, exponent;
  int64_t at, w; /* w: widest text, then the column's width */
} col;

/* An array on its way onto a canvas. */
typedef struct layout {
  drawing *d;
  const arr *a;
  const canvas *items; /* of the nested items; NULL if there are none */
  bool outer;
  int pp;
  int64_t rows, m; /* a's rows and columns */
  col *cols;
  int64_t *row_h; /* heights of the rows; NULL: 1 each */
} layout;

/* ── rows and items ─────────────────────────────────────────────────────────────────── */

/* The array and position where element i of `a` is a simple scalar; NULL if it is nested. */
static const arr *leaf_of(const arr *a, int64_t *i) {
  if (a->type != ET_NEST) return a;
  const arr *item = arr_item(a, *i);
  if (item->rank || item->type == ET_NEST) return NULL;
  *i = 0;
  return item;
}

bool nested_at(const arr *a, int64_t i) { return !leaf_of(a, &i); }

bool has_nested(const arr *a) {
  if (!arr_nests(a)) return false;
  for (int64_t i = 0; i < a->count; i++)
    if (nested_at(a, i)) return true;
  return false;
}

int64_t row_count(const arr *a) {
  int64_t n = 1;
  for (int k = 0; k + 1 < a->rank; k++) {
    if (!a->shape[k]) return 0;
    n *= a->shape[k];
  }
  return n;
}

/* One line for each axis before the last two that advances. */
int gap_before(const arr *a, int64_t r) {
  int gap = 0;
  int64_t size = 1;
  if (!r) return 0;
  for (int k = a->rank - 2; k > 0; k--) {
    size *= a->shape[k];
    if (r % size) break;
    gap++;
  }
  return gap;
}

/* Blank lines of an array whose planes have no rows: those between the planes. */
static int64_t gaps_alone(const arr *a) {
  int64_t lines = 0, planes = 1;
  for (int k = 0; k < a->rank - 2; k++) {
    if (!a->shape[k] || planes > INT64_MAX / ARR_MAX_RANK / a->shape[k]) return 0;
    planes *= a->shape[k];
    lines += planes - 1;
  }
  return lines;
}

static int64_t row_height(const int64_t *row_h, int64_t r) {
  return row_h ? row_h[r] : 1;
}

static bool note_plane(drawing *d, int64_t from, int64_t to) {
  return vec_push(d->c, &d->planes, ((interval){from, to}));
}

/* Lines of the whole array. Notes the planes of the outermost one. */
static bool line_count(drawing *d, const arr *a, const int64_t *row_h, bool outer,
                       int64_t *h) {
  int64_t rows = row_count(a), y = 0, top = 0;
  for (int64_t r = 0; r < rows; r++) {
    if (interrupted(d->c)) return false;
    int gap = gap_before(a, r);
    if (gap && outer && !note_plane(d, top, y)) return false;
    y += gap;
    if (gap) top = y;
    y += row_height(row_h, r);
  }
  if (outer && !rows) y = gaps_alone(a);
  *h = y;
  return !outer || note_plane(d, top, y);
}

/* ── characters ─────────────────────────────────────────────────────────────────────── */

/* Inside another array a line feed would tear its lines apart: control pictures (␊) stand for
 * control characters there. */
static uint32_t picture_of(uint32_t c) {
  enum { PICTURES = 0x2400, DELETE = 0x7F, PICTURE_OF_DELETE = 0x2421 };
  if (c == DELETE) return PICTURE_OF_DELETE;
  return c < ' ' ? PICTURES + c : c;
}

/* Row r of characters on line y of *b, or only measured (NULL): its width. */
static int64_t lay_row(const arr *a, int64_t r, bool outer, bool wide, canvas *b,
                       int64_t y) {
  int64_t m = arr_last_axis(a), x = 0;
  bool bare = false;
  for (int64_t j = 0; j < m; j++) {
    uint32_t c = (uint32_t)arr_get_int(a, r * m + j);
    if (!outer) c = picture_of(c);
    if (wide) x = canvas_text(b, y, x, c, &bare);
    else canvas_put(b, y, x++, c);
  }
  return x;
}

/* Columns of the widest row. */
static int64_t chars_width(const arr *a, bool outer) {
  int64_t rows = row_count(a), w = 0;
  for (int64_t r = 0; r < rows && !interrupted(a->c); r++) {
    int64_t wide = lay_row(a, r, outer, true, NULL, 0);
    if (wide > w) w = wide;
  }
  return w;
}

/* May a character of it take more or less than one column? */
static bool has_wide(const drawing *d, const arr *a) {
  const uint16_t *two = a->host;
  if (!d->terminal || a->type == ET_C8) return false;
  if (a->type == ET_C32) return true;
  for (int64_t i = 0; i < a->count; i++)
    if (two[i] >= CELL_NARROW) return true;
  return false;
}

bool draw_chars(drawing *d, const arr *a, bool outer, canvas *b) {
  int64_t rows = row_count(a), w = arr_last_axis(a), h, y = 0;
  if (!line_count(d, a, NULL, outer, &h)) return false;
  if (!a->count) return canvas_new(d->c, b, h, 0);
  bool wide = has_wide(d, a);
  if (wide) w = chars_width(a, outer);
  if (err_is(d->c) || !canvas_new(d->c, b, h, w)) return false;
  for (int64_t r = 0; r < rows; r++, y++) {
    if (interrupted(d->c)) return false;
    y += gap_before(a, r);
    lay_row(a, r, outer, wide, b, y);
  }
  return true;
}

/* ── measuring ──────────────────────────────────────────────────────────────────────── */

/* Which columns have numbers, and complex ones. */
static bool classify(layout *l) {
  for (int64_t i = 0; i < l->a->count; i++) {
    int64_t at = i;
    if (stops_at(l->d->c, i)) return false;
    const arr *leaf = leaf_of(l->a, &at);
    if (!leaf || elt_is_char((elt)leaf->type)) continue;
    col *k = &l->cols[i % l->m];
    k->num = true;
    if (arr_get_imag(leaf, at) != 0) k->cplx = true;
  }
  return true;
}

static void widen(uint8_t *w, int n) {
  if (n > *w) *w = (uint8_t)n;
}

static void widen_column(col *k, int64_t w) {
  if (w > k->w) k->w = w;
}

static int exponent_width(const num_digits *t) {
  int e = t->e < 0 ? -t->e : t->e;
  return (t->e < 0) + 1 + (e > 9) + (e > 99);
}

static void measure_complex(col *k, const arr *a, int64_t i, int pp) {
  char text[2 * NUM_TEXT_MAX];
  int64_t left;
  int n = num_text_of_item(a, i, pp, text, &left);
  widen(&k->left, (int)left);
  widen(&k->right, (int)utf8_count(text, (size_t)n) - (int)left);
  widen_column(k, left);
}

static void measure_real(col *k, const arr *a, int64_t i, int pp) {
  num_digits t;
  num_of_item(&t, a, i, pp);
  if (t.special) {
    widen_column(k, num_left(&t));
    return;
  }
  if (t.sci) {
    k->sci = true;
  } else {
    widen(&k->left, num_left(&t));
    widen(&k->right, num_right(&t));
  }
  widen(&k->lead, 1 + t.neg);
  widen(&k->mantissa, num_mantissa(&t));
  widen(&k->exponent, exponent_width(&t));
}

/* The precision for a leaf, see num_pp; `a` itself was asked once for all its elements. */
static int leaf_pp(const layout *l, const arr *leaf) {
  if (leaf == l->a) return l->pp;
  return num_pp(leaf, l->d->pp);
}

/* Columns of a character that stands alone. */
static int64_t char_width(const drawing *d, const arr *leaf, int64_t i) {
  if (!d->terminal) return 1;
  return canvas_text(NULL, 0, 0, (uint32_t)arr_get_int(leaf, i), &(bool){false});
}

static void measure_leaf(const layout *l, col *k, const arr *leaf, int64_t i) {
  if (elt_is_char((elt)leaf->type)) widen_column(k, char_width(l->d, leaf, i));
  else if (k->cplx) measure_complex(k, leaf, i, leaf_pp(l, leaf));
  else measure_real(k, leaf, i, leaf_pp(l, leaf));
}

static bool plain_measure(layout *l) {
  int64_t i = 0;
  if (!classify(l)) return false;
  for (int64_t r = 0; r < l->rows; r++) {
    if (l->row_h) l->row_h[r] = 1;
    for (int64_t j = 0; j < l->m; j++, i++) {
      int64_t at = i;
      const arr *leaf = leaf_of(l->a, &at);
      if (!(i & 1023) && interrupted(l->d->c)) return false;
      if (leaf) {
        measure_leaf(l, &l->cols[j], leaf, at);
        continue;
      }
      l->cols[j].box = true;
      widen_column(&l->cols[j], l->items[i].w);
      if (l->items[i].h > l->row_h[r]) l->row_h[r] = l->items[i].h;
    }
  }
  return true;
}

/* ── placing ────────────────────────────────────────────────────────────────────────── */

static int64_t column_width(const col *k) {
  int64_t w = k->left + k->right;
  if (k->sci) w = k->lead + k->mantissa + 1 + k->exponent;
  if (k->w > w) w = k->w;
  if (k->box) w += 2;
  return w;
}

/* Gives each column its place; returns the width of all. */
static bool place(layout *l, int64_t *width) {
  drawing *d = l->d;
  int64_t x = 0;
  for (int64_t j = 0; j < l->m; j++) {
    col *k = &l->cols[j];
    k->w = column_width(k);
    if (j) {
      const col *before = k - 1;
      x += (before->num && !before->box) || (k->num && !k->box);
    }
    k->at = x;
    x += k->w;
    if (l->outer && !l->items && !vec_push(d->c, &d->columns, ((interval){k->at, x})))
      return false;
  }
  *width = x;
  return true;
}

/* ── drawing ────────────────────────────────────────────────────────────────────────── */

static void draw_real(const col *k, canvas *b, int64_t y, const arr *a, int64_t i,
                      int pp) {
  char text[NUM_TEXT_MAX];
  num_digits t;
  num_of_item(&t, a, i, pp);
  int n = num_write(&t, k->sci, k->mantissa, text);
  int64_t x = k->at + k->w - k->box;
  if (t.special) x -= num_left(&t);
  else if (k->sci) x -= k->exponent + 1 + k->mantissa + 1 + t.neg;
  else x -= k->right + num_left(&t);
  canvas_put_utf8(b, y, x, text, n);
}

static void draw_complex(const col *k, canvas *b, int64_t y, const arr *a, int64_t i,
                         int pp) {
  char text[2 * NUM_TEXT_MAX];
  int64_t left;
  int n = num_text_of_item(a, i, pp, text, &left);
  canvas_put_utf8(b, y, k->at + k->w - k->box - k->right - left, text, n);
}

static void draw_leaf(const layout *l, const col *k, const arr *leaf, int64_t i,
                      canvas *b, int64_t y) {
  if (elt_is_char((elt)leaf->type)) {
    int64_t x = k->at + k->box;
    if (k->num) x = k->at + k->w - k->box - char_width(l->d, leaf, i);
    if (l->d->terminal)
      canvas_text(b, y, x, (uint32_t)arr_get_int(leaf, i), &(bool){false});
    else canvas_put(b, y, x, (uint32_t)arr_get_int(leaf, i));
  } else if (k->cplx) {
    draw_complex(k, b, y, leaf, i, leaf_pp(l, leaf));
  } else {
    draw_real(k, b, y, leaf, i, leaf_pp(l, leaf));
  }
}

static void draw_nested_item(const col *k, const canvas *item, canvas *b, int64_t y) {
  int64_t x = k->at + 1;
  if (k->num) x = k->at + k->w - 1 - item->w;
  canvas_draw(b, y, x, item);
}

static bool draw_rows(const layout *l, canvas *b) {
  int64_t i = 0, y = 0;
  for (int64_t r = 0; r < l->rows; r++) {
    y += gap_before(l->a, r);
    for (int64_t j = 0; j < l->m; j++, i++) {
      int64_t at = i;
      const arr *leaf = leaf_of(l->a, &at);
      if (!(i & 1023) && interrupted(l->d->c)) return false;
      if (leaf) draw_leaf(l, &l->cols[j], leaf, at, b, y);
      else draw_nested_item(&l->cols[j], &l->items[i], b, y);
    }
    y += row_height(l->row_h, r);
  }
  return true;
}

static bool layout_room(layout *l) {
  ctx *c = l->d->c;
  l->cols = mem_zalloc(c, (size_t)l->m * sizeof *l->cols);
  if (!l->cols) return false;
  if (!l->items) return true;
  l->row_h = mem_alloc(c, (size_t)l->rows * sizeof *l->row_h);
  return l->row_h != NULL;
}

static void layout_free(layout *l) {
  mem_free(l->d->c, l->row_h);
  mem_free(l->d->c, l->cols);
}

bool draw_plain(drawing *d, const arr *a, const canvas *items, bool outer, canvas *b) {
  __attribute__((cleanup(layout_free)))
  layout l = {.d = d, .a = a, .items = items, .outer = outer};
  int64_t h, w;
  l.pp = num_pp(a, d->pp);
  l.rows = row_count(a);
  l.m = arr_last_axis(a);
  if (!layout_room(&l) || !plain_measure(&l) || !place(&l, &w)) return false;
  if (!line_count(d, a, l.row_h, outer, &h)) return false;
  return canvas_new(d->c, b, h, w) && draw_rows(&l, b);
}
