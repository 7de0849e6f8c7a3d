/* SPDX-License-Identifier: MIT */
/* display.c - arrays as text, the way Dyalog shows them.
 *
 * An array is first drawn into a `block`, a rectangle of code points, and then written out
 * line by line, folded at ⎕PW. Drawing takes two passes over the items: the first measures
 * the columns (all rows and planes share them), the second puts the text in place.
 *
 *   numeric column  a column with a number in it: decimal points (or the Es, if any number
 *                   needs the E form) stand under each other, the rest is flush right
 *   other columns   flush left; single characters have no gap between them
 *   nested items    are blocks of their own, with a blank on either side, but none on the
 *                   right in a numeric column; a nested array starts with a blank
 *
 * In the boxed style (]box on) a nested array is a table ruled with lines whose cells are
 * flush top left; simple arrays look the same in both styles. */
#include "number.h"

#include <string.h>

typedef struct block {
  int64_t h, w;
  uint32_t *at; /* h rows of w */
} block;

typedef struct col {
  uint8_t left, right; /* plain numbers: columns before and from the point */
  uint8_t lead, mantissa,
      exponent;       /* E form: sign and digit, from the point on, behind E */
  bool num, sci, box; /* has a number, one in E form, a nested item */
  int64_t at, w;      /* w: widest text, then the column's width */
} col;

typedef struct range {
  int64_t from, to;
} range;

typedef struct dsp {
  ctx *c;
  int pp;
  bool boxed;
  VEC(range) columns; /* of the outermost array, where it may be folded */
  VEC(range) planes;  /* lines of its planes */
} dsp;

/* ── blocks ─────────────────────────────────────────────────────────────────────────── */

static bool block_new(dsp *d, block *b, int64_t h, int64_t w) {
  *b = (block){.h = h, .w = w};
  if (!h || !w) return true;
  if (h > PTRDIFF_MAX / 8 / w)
    return err_set(d->c, ERR_WS_FULL, "the display would have %lld lines of %lld columns",
                   (long long)h, (long long)w);
  b->at = mem_alloc(d->c, (size_t)(h * w) * sizeof *b->at);
  if (!b->at) return false;
  for (int64_t i = 0; i < h * w; i++) b->at[i] = ' ';
  return true;
}

static void block_free(dsp *d, block *b) { mem_free(d->c, b->at); }

static void blocks_free(dsp *d, block *b, int64_t n) {
  for (int64_t i = 0; b && i < n; i++) block_free(d, &b[i]);
  mem_free(d->c, b);
}

static void draw_utf8(block *b, int64_t y, int64_t x, const char *p, int n) {
  uint32_t *to = b->at + y * b->w + x;
  for (const char *end = p + n; p < end;) *to++ = utf8_next(p, end, &p);
}

static void draw_block(block *b, int64_t y, int64_t x, const block *from) {
  for (int64_t i = 0; i < from->h && from->w; i++)
    memcpy(b->at + (y + i) * b->w + x, from->at + i * from->w,
           (size_t)from->w * sizeof *b->at);
}

/* ── items ──────────────────────────────────────────────────────────────────────────── */

/* The array and position where element i of `a` is a simple scalar; NULL if it is nested.
 */
static const arr *leaf_of(const arr *a, int64_t *i) {
  if (a->type != ET_NEST) return a;
  const arr *item = arr_item(a, *i);
  if (item->rank || item->type == ET_NEST) return NULL;
  *i = 0;
  return item;
}

/* Text of a complex number; its parts are formatted each on their own. */
static int complex_text(const arr *a, int64_t i, int pp, char *out) {
  const double *z = (const double *)a->host + 2 * i;
  num_digits t;
  num_of_float(&t, z[0], pp);
  int n = num_write(&t, t.sci, num_mantissa(&t), out);
  if (z[1] == 0) return n;
  out[n++] = 'J';
  num_of_float(&t, z[1], pp);
  return n + num_write(&t, t.sci, num_mantissa(&t), out + n);
}

static void widen(uint8_t *w, int n) {
  if (n > *w) *w = (uint8_t)n;
}

static int exponent_width(const num_digits *t) {
  int e = t->e < 0 ? -t->e : t->e;
  return (t->e < 0) + 1 + (e > 9) + (e > 99);
}

static void measure_leaf(const dsp *d, col *k, const arr *a, int64_t i) {
  int64_t w = 0;
  if (elt_is_char((elt)a->type)) {
    w = 1;
  } else if (a->type == ET_C128) {
    char text[2 * NUM_TEXT_MAX];
    w = (int64_t)utf8_count(text, (size_t)complex_text(a, i, d->pp, text));
    k->num = true;
  } else {
    num_digits t;
    num_of_item(&t, a, i, d->pp);
    k->num = true;
    if (t.special) {
      w = num_left(&t);
    } else {
      if (t.sci) k->sci = true;
      if (!t.sci) widen(&k->left, num_left(&t)), widen(&k->right, num_right(&t));
      widen(&k->lead, 1 + t.neg);
      widen(&k->mantissa, num_mantissa(&t));
      widen(&k->exponent, exponent_width(&t));
    }
  }
  if (w > k->w) k->w = w;
}

static void draw_leaf(const dsp *d, const col *k, block *b, int64_t y, const arr *a,
                      int64_t i) {
  char text[2 * NUM_TEXT_MAX];
  int64_t end = k->at + k->w, x;
  if (elt_is_char((elt)a->type)) {
    x = k->num ? end - 1 : k->at + k->box;
    b->at[y * b->w + x] = (uint32_t)arr_get_int(a, i);
    return;
  }
  int n;
  if (a->type == ET_C128) {
    n = complex_text(a, i, d->pp, text);
    x = end - (int64_t)utf8_count(text, (size_t)n);
  } else {
    num_digits t;
    num_of_item(&t, a, i, d->pp);
    n = num_write(&t, k->sci, k->mantissa, text);
    if (t.special) x = end - num_left(&t);
    else if (k->sci) x = end - k->exponent - 1 - k->mantissa - 1 - t.neg;
    else x = end - k->right - num_left(&t);
  }
  draw_utf8(b, y, x, text, n);
}

/* ── the layout of a plain display ──────────────────────────────────────────────────── */

static int64_t row_count(const arr *a) {
  int64_t n = 1;
  for (int k = 0; k + 1 < a->rank; k++) {
    if (!a->shape[k]) return 0;
    n *= a->shape[k];
  }
  return n;
}

/* Blank lines in front of row r: one for each axis before the last two that moves on. */
static int gap_before(const arr *a, int64_t r) {
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

/* Lines of the whole array; row_h gives each row's height (NULL: 1). Notes the planes of
 * the outermost array. */
static bool line_count(dsp *d, const arr *a, const int64_t *row_h, bool outer, int64_t *h) {
  int64_t rows = row_count(a), y = 0, top = 0;
  for (int64_t r = 0; r < rows; r++) {
    int gap = gap_before(a, r);
    if (gap && outer && !vec_push(d->c, &d->planes, ((range){top, y}))) return false;
    y += gap;
    if (gap) top = y;
    y += row_h ? row_h[r] : 1;
  }
  *h = y;
  return !outer || vec_push(d->c, &d->planes, ((range){top, y}));
}

static bool draw_chars(dsp *d, const arr *a, bool outer, block *b) {
  int64_t m = arr_last_axis(a), rows = row_count(a), h, y = 0;
  if (!line_count(d, a, NULL, outer, &h) || !block_new(d, b, h, a->count ? m : 0))
    return false;
  if (!a->count) return true;
  for (int64_t r = 0; r < rows; r++, y++) {
    y += gap_before(a, r);
    for (int64_t j = 0; j < m; j++) b->at[y * m + j] = (uint32_t)arr_get_int(a, r * m + j);
  }
  return true;
}

static bool measure(dsp *d, const arr *a, const block *items, col *cols, int64_t *row_h) {
  int64_t m = arr_last_axis(a), rows = row_count(a), i = 0;
  for (int64_t r = 0; r < rows; r++) {
    if (interrupted(d->c)) return false;
    if (row_h) row_h[r] = 1;
    for (int64_t j = 0; j < m; j++, i++) {
      int64_t at = i;
      const arr *leaf = leaf_of(a, &at);
      if (leaf) {
        measure_leaf(d, &cols[j], leaf, at);
        continue;
      }
      cols[j].box = true;
      if (items[i].w > cols[j].w) cols[j].w = items[i].w;
      if (items[i].h > row_h[r]) row_h[r] = items[i].h;
    }
  }
  return true;
}

/* Gives each column its place; returns the width of all. */
static bool place(dsp *d, col *cols, int64_t m, bool nested, bool outer, int64_t *width) {
  int64_t x = nested && !cols[0].box;
  for (int64_t j = 0; j < m; j++) {
    col *k = &cols[j];
    int64_t w = k->sci ? k->lead + k->mantissa + 1 + k->exponent : k->left + k->right;
    if (w > k->w) k->w = w;
    if (k->box) k->w += k->num ? 1 : 2;
    if (j) {
      const col *before = k - 1;
      x += before->num || k->num || before->box != k->box;
    }
    k->at = x;
    x += k->w;
    if (outer && !nested && !vec_push(d->c, &d->columns, ((range){k->at, x}))) return false;
  }
  *width = x;
  return true;
}

static bool draw_items(dsp *d, const arr *a, const block *items, const col *cols,
                       const int64_t *row_h, block *b) {
  int64_t m = arr_last_axis(a), rows = row_count(a), i = 0, y = 0;
  for (int64_t r = 0; r < rows; r++) {
    if (interrupted(d->c)) return false;
    y += gap_before(a, r);
    for (int64_t j = 0; j < m; j++, i++) {
      int64_t at = i;
      const col *k = &cols[j];
      const arr *leaf = leaf_of(a, &at);
      if (leaf) draw_leaf(d, k, b, y, leaf, at);
      else draw_block(b, y, k->num ? k->at + k->w - items[i].w : k->at + 1, &items[i]);
    }
    y += row_h ? row_h[r] : 1;
  }
  return true;
}

static bool draw_plain(dsp *d, const arr *a, const block *items, bool outer, block *b) {
  int64_t m = arr_last_axis(a), rows = row_count(a), h, w;
  col *cols = mem_zalloc(d->c, (size_t)m * sizeof *cols);
  int64_t *row_h = items ? mem_alloc(d->c, (size_t)rows * sizeof *row_h) : NULL;
  bool ok = cols && (row_h || !items) && measure(d, a, items, cols, row_h) &&
            place(d, cols, m, items != NULL, outer, &w) &&
            line_count(d, a, row_h, outer, &h) && block_new(d, b, h, w) &&
            draw_items(d, a, items, cols, row_h, b);
  mem_free(d->c, row_h);
  mem_free(d->c, cols);
  return ok;
}

/* ── the boxed table ────────────────────────────────────────────────────────────────── */

/* A ruled line: a corner, columns of ─ with a joint between them, a corner. */
static void rule(block *b, int64_t y, const int64_t *ws, int64_t m, const uint32_t *ends) {
  uint32_t *p = b->at + y * b->w;
  *p++ = ends[0];
  for (int64_t j = 0; j < m; j++) {
    for (int64_t i = 0; i < ws[j]; i++) *p++ = 0x2500;
    *p++ = ends[j + 1 < m ? 1 : 2];
  }
}

static void draw_table(const block *items, const int64_t *hs, int64_t rows,
                       const int64_t *ws, int64_t m, block *b) {
  static const uint32_t top[] = {0x250C, 0x252C, 0x2510}, mid[] = {0x251C, 0x253C, 0x2524},
                        low[] = {0x2514, 0x2534, 0x2518};
  int64_t y = 0;
  for (int64_t r = 0; r < rows; r++) {
    rule(b, y++, ws, m, r ? mid : top);
    for (int64_t i = 0; i < hs[r]; i++) b->at[(y + i) * b->w] = 0x2502;
    for (int64_t j = 0, x = 1; j < m; x += ws[j++] + 1) {
      draw_block(b, y, x, &items[r * m + j]);
      for (int64_t i = 0; i < hs[r]; i++) b->at[(y + i) * b->w + x + ws[j]] = 0x2502;
    }
    y += hs[r];
  }
  rule(b, y, ws, m, low);
}

static bool draw_boxed(dsp *d, const arr *a, const block *items, bool outer, block *b) {
  int64_t m = arr_last_axis(a), rows = row_count(a), h = 1, w = 1;
  int64_t *ws = mem_zalloc(d->c, (size_t)m * sizeof *ws);
  int64_t *hs = mem_zalloc(d->c, (size_t)rows * sizeof *hs);
  bool ok = ws && hs;
  for (int64_t i = 0; ok && i < a->count; i++) {
    if (items[i].w > ws[i % m]) ws[i % m] = items[i].w;
    if (items[i].h > hs[i / m]) hs[i / m] = items[i].h;
  }
  for (int64_t j = 0; ok && j < m; j++) w += ws[j] + 1;
  for (int64_t r = 0; ok && r < rows; r++) h += hs[r] + 1;
  ok = ok && block_new(d, b, h, w);
  if (ok) draw_table(items, hs, rows, ws, m, b);
  mem_free(d->c, ws);
  mem_free(d->c, hs);
  return ok && (!outer || vec_push(d->c, &d->planes, ((range){0, h})));
}

/* ── any array ──────────────────────────────────────────────────────────────────────── */

static bool draw(dsp *d, const arr *a, int depth, block *b);

static bool has_nested(const arr *a) {
  if (a->type != ET_NEST || !a->count) return false;
  for (int64_t i = 0; i < a->count; i++) {
    int64_t at = i;
    if (!leaf_of(a, &at)) return true;
  }
  return false;
}

/* Blocks of the items that need one: nested ones, all in the boxed style. */
static block *draw_each(dsp *d, const arr *a, int depth) {
  if (depth > ARR_MAX_DEPTH) {
    err_set(d->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
    return NULL;
  }
  block *items = mem_zalloc(d->c, (size_t)a->count * sizeof *items);
  bool ok = items != NULL;
  for (int64_t i = 0; ok && i < a->count; i++) {
    int64_t at = i;
    if (d->boxed || !leaf_of(a, &at)) ok = draw(d, arr_item(a, i), depth + 1, &items[i]);
  }
  if (ok) return items;
  blocks_free(d, items, a->count);
  return NULL;
}

/* Draws `a` into *b, which must be freed whatever comes back. */
static bool draw(dsp *d, const arr *a, int depth, block *b) {
  bool outer = depth == 0;
  *b = (block){0};
  if (elt_is_char((elt)a->type) || !a->count) return draw_chars(d, a, outer, b);
  if (!has_nested(a)) return draw_plain(d, a, NULL, outer, b);
  block *items = draw_each(d, a, depth);
  bool ok = items && (d->boxed ? draw_boxed(d, a, items, outer, b)
                               : draw_plain(d, a, items, outer, b));
  blocks_free(d, items, items ? a->count : 0);
  return ok;
}

/* ── writing, folded ────────────────────────────────────────────────────────────────── */

enum { INDENT = 6, MIN_WIDTH = 2 * INDENT };

/* Where the part that starts at `from` ends, given room for `n` columns: at the end of the
 * last whole column (*k counts columns), else right there. *next is the following start. */
static int64_t fold_end(const dsp *d, const block *b, int64_t from, int64_t n, size_t *k,
                        int64_t *next) {
  size_t first = *k;
  if (b->w - from <= n) return *next = b->w;
  while (*k < d->columns.n && d->columns.at[*k].to - from <= n) ++*k;
  if (*k == first) return *next = from + n; /* not even one fits, or there are none */
  *next = d->columns.at[*k].from;
  return d->columns.at[*k - 1].to;
}

static bool write_plane(dsp *d, const block *b, range lines, int pw, str *out) {
  size_t k = 0;
  int64_t from = 0, next = 0;
  do {
    int indent = from ? INDENT : 0;
    int64_t end = fold_end(d, b, from, pw - indent, &k, &next);
    for (int64_t y = lines.from; y < lines.to; y++) {
      if (out->failed || interrupted(d->c)) return false;
      str_pad(out, (size_t)indent);
      for (int64_t x = from; x < end; x++) str_putc(out, b->at[y * b->w + x]);
      str_putc(out, '\n');
    }
    from = next;
  } while (from < b->w);
  return true;
}

bool arr_display(ctx *c, const arr *a, const fmt_opts *o, str *out) {
  dsp d = {.c = c, .pp = o->pp, .boxed = o->boxed};
  int pw = o->pw < MIN_WIDTH ? MIN_WIDTH : o->pw;
  block b = {0};
  bool ok = draw(&d, a, 0, &b);
  for (size_t p = 0; ok && p < d.planes.n; p++) {
    range at = d.planes.at[p];
    int64_t gap = p ? at.from - d.planes.at[p - 1].to : 0;
    while (gap-- > 0) str_putc(out, '\n');
    ok = write_plane(&d, &b, at, pw, out);
  }
  block_free(&d, &b);
  vec_free(c, &d.columns);
  vec_free(c, &d.planes);
  return ok && !out->failed;
}
