/* SPDX-License-Identifier: MIT */
/* display.c - arrays as text, the way Dyalog shows them.
 *
 * An array is first drawn into a `block`, a rectangle of code points, and then written out
 * line by line, folded at ⎕PW. Drawing takes two passes over the items: the first measures
 * the columns (all rows and planes share them), the second puts the text in place.
 *
 *   numeric column  a column with a number in it: decimal points (or the Es, if any number
 *                   needs the E form) stand under each other, the rest is flush right
 *   complex numbers have their Js under each other, real ones end where the J would stand
 *   other columns   flush left, with no gap between them
 *   nested items    are blocks of their own; their column has a blank on either side
 *
 * A numeric column without nested items has a blank between it and its neighbours. ⍕ and ⎕FMT give the block as an
 * array instead of writing it.
 *
 * In the boxed style (]box on) a nested array is a table ruled with lines whose cells are
 * flush top left; simple arrays look the same in both styles. */
#include "block.h"
#include "../base/utf8.h"

#include <string.h>

typedef struct col {
  uint8_t left, right; /* plain numbers: columns before and from the point */
  uint8_t lead, mantissa,
      exponent;       /* E form: sign and digit, from the point on, behind E */
  bool num, sci, box; /* has a number, one in E form, a nested item */
  bool cplx;          /* has a complex number: left and right are before and from the J */
  int64_t at, w;      /* w: widest text, then the column's width */
} col;

/* ── blocks ─────────────────────────────────────────────────────────────────────────── */

bool block_new(dsp *d, block *b, int64_t h, int64_t w) {
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

void block_free(dsp *d, block *b) { mem_free(d->c, b->at); }

void blocks_free(dsp *d, block *b, int64_t n) {
  for (int64_t i = 0; b && i < n; i++) block_free(d, &b[i]);
  mem_free(d->c, b);
}

static void draw_utf8(block *b, int64_t y, int64_t x, const char *p, int n) {
  uint32_t *to = b->at + y * b->w + x;
  for (const char *end = p + n; p < end;) *to++ = utf8_next(p, end, &p);
}

void draw_block(block *b, int64_t y, int64_t x, const block *from) {
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

static int alone(const num_digits *t, char *out) {
  return num_write(t, t->sci, num_mantissa(t), out);
}

/* Text of a number as it is shown alone; the parts of a complex one are formatted each on
 * their own. *left: columns in front of the J, or all. */
static int number_text(const arr *a, int64_t i, int pp, char *out, int64_t *left) {
  num_digits t;
  num_of_item(&t, a, i, pp);
  int n = alone(&t, out);
  *left = (int64_t)utf8_count(out, (size_t)n);
  if (arr_get_imag(a, i) == 0) return n;
  out[n++] = 'J';
  num_of_float(&t, arr_get_imag(a, i), pp);
  return n + alone(&t, out + n);
}

static void widen(uint8_t *w, int n) {
  if (n > *w) *w = (uint8_t)n;
}

static int exponent_width(const num_digits *t) {
  int e = t->e < 0 ? -t->e : t->e;
  return (t->e < 0) + 1 + (e > 9) + (e > 99);
}

/* pp: see num_pp. */
static void measure_leaf(col *k, const arr *a, int64_t i, int pp) {
  int64_t w = 0;
  if (elt_is_char((elt)a->type)) {
    w = 1;
  } else if (k->cplx) {
    char text[2 * NUM_TEXT_MAX];
    int n = number_text(a, i, pp, text, &w);
    widen(&k->left, (int)w);
    widen(&k->right, (int)utf8_count(text, (size_t)n) - (int)w);
  } else {
    num_digits t;
    num_of_item(&t, a, i, pp);
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

static void draw_leaf(const col *k, block *b, int64_t y, const arr *a, int64_t i,
                      int pp) {
  char text[2 * NUM_TEXT_MAX];
  int64_t end = k->at + k->w - k->box, x;
  if (elt_is_char((elt)a->type)) {
    x = k->num ? end - 1 : k->at + k->box;
    b->at[y * b->w + x] = (uint32_t)arr_get_int(a, i);
    return;
  }
  int n;
  if (k->cplx) {
    n = number_text(a, i, pp, text, &x);
    x = end - k->right - x;
  } else {
    num_digits t;
    num_of_item(&t, a, i, pp);
    n = num_write(&t, k->sci, k->mantissa, text);
    if (t.special) x = end - num_left(&t);
    else if (k->sci) x = end - k->exponent - 1 - k->mantissa - 1 - t.neg;
    else x = end - k->right - num_left(&t);
  }
  draw_utf8(b, y, x, text, n);
}

/* ── the layout of a plain display ──────────────────────────────────────────────────── */

int64_t row_count(const arr *a) {
  int64_t n = 1;
  for (int k = 0; k + 1 < a->rank; k++) {
    if (!a->shape[k]) return 0;
    n *= a->shape[k];
  }
  return n;
}

/* Blank lines in front of row r: one for each axis before the last two that moves on. */
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

/* Blank lines of an array whose planes have no rows: what would stand between them. */
static int64_t gaps_alone(const arr *a) {
  int64_t lines = 0, planes = 1;
  for (int k = 0; k < a->rank - 2; k++) {
    if (!a->shape[k] || planes > INT64_MAX / ARR_MAX_RANK / a->shape[k]) return 0;
    lines += (planes *= a->shape[k]) - 1;
  }
  return lines;
}

/* Lines of the whole array; row_h gives each row's height (NULL: 1). Notes the planes of
 * the outermost array. */
static bool line_count(dsp *d, const arr *a, const int64_t *row_h, bool outer,
                       int64_t *h) {
  int64_t rows = row_count(a), y = 0, top = 0;
  for (int64_t r = 0; r < rows; r++) {
    if (interrupted(d->c)) return false;
    int gap = gap_before(a, r);
    if (gap && outer && !vec_push(d->c, &d->planes, ((range){top, y}))) return false;
    y += gap;
    if (gap) top = y;
    y += row_h ? row_h[r] : 1;
  }
  *h = outer && !rows ? gaps_alone(a) : y;
  return !outer || vec_push(d->c, &d->planes, ((range){top, *h}));
}

static bool draw_chars(dsp *d, const arr *a, bool outer, block *b) {
  int64_t m = arr_last_axis(a), rows = row_count(a), h, y = 0;
  if (!line_count(d, a, NULL, outer, &h) || !block_new(d, b, h, a->count ? m : 0))
    return false;
  if (!a->count) return true;
  for (int64_t r = 0; r < rows; r++, y++) {
    y += gap_before(a, r);
    for (int64_t j = 0; j < m; j++)
      b->at[y * m + j] = (uint32_t)arr_get_int(a, r * m + j);
  }
  return true;
}

/* Which columns have numbers, and complex ones. */
static void classify(const arr *a, col *cols) {
  int64_t m = arr_last_axis(a);
  for (int64_t i = 0; i < a->count; i++) {
    int64_t at = i;
    const arr *leaf = leaf_of(a, &at);
    if (!leaf || elt_is_char((elt)leaf->type)) continue;
    cols[i % m].num = true;
    cols[i % m].cplx |= elt_is_num((elt)leaf->type) && arr_get_imag(leaf, at) != 0;
  }
}

static bool measure(dsp *d, const arr *a, const block *items, col *cols, int64_t *row_h) {
  int64_t m = arr_last_axis(a), rows = row_count(a), i = 0;
  int pp = num_pp(a, d->pp);
  classify(a, cols);
  for (int64_t r = 0; r < rows; r++) {
    if (interrupted(d->c)) return false;
    if (row_h) row_h[r] = 1;
    for (int64_t j = 0; j < m; j++, i++) {
      int64_t at = i;
      const arr *leaf = leaf_of(a, &at);
      if (leaf) {
        measure_leaf(&cols[j], leaf, at, leaf == a ? pp : num_pp(leaf, d->pp));
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
  int64_t x = 0;
  for (int64_t j = 0; j < m; j++) {
    col *k = &cols[j];
    int64_t w = k->sci ? k->lead + k->mantissa + 1 + k->exponent : k->left + k->right;
    if (w > k->w) k->w = w;
    if (k->box) k->w += 2;
    if (j) {
      const col *before = k - 1;
      x += (before->num && !before->box) || (k->num && !k->box);
    }
    k->at = x;
    x += k->w;
    if (outer && !nested && !vec_push(d->c, &d->columns, ((range){k->at, x})))
      return false;
  }
  *width = x;
  return true;
}

static bool draw_items(dsp *d, const arr *a, const block *items, const col *cols,
                       const int64_t *row_h, block *b) {
  int64_t m = arr_last_axis(a), rows = row_count(a), i = 0, y = 0;
  int pp = num_pp(a, d->pp);
  for (int64_t r = 0; r < rows; r++) {
    if (interrupted(d->c)) return false;
    y += gap_before(a, r);
    for (int64_t j = 0; j < m; j++, i++) {
      int64_t at = i;
      const col *k = &cols[j];
      const arr *leaf = leaf_of(a, &at);
      if (leaf) draw_leaf(k, b, y, leaf, at, leaf == a ? pp : num_pp(leaf, d->pp));
      else
        draw_block(b, y, k->num ? k->at + k->w - 1 - items[i].w : k->at + 1, &items[i]);
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

/* ── any array ──────────────────────────────────────────────────────────────────────── */

bool has_nested(const arr *a) {
  if (a->type != ET_NEST || !a->count) return false;
  for (int64_t i = 0; i < a->count; i++) {
    int64_t at = i;
    if (!leaf_of(a, &at)) return true;
  }
  return false;
}

/* Blocks of the items that need one: nested ones, all in the boxed styles. */
bool draw_each(dsp *d, const arr *a, int depth, block **items) {
  if (depth > ARR_MAX_DEPTH)
    return err_set(d->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
  *items = mem_zalloc(d->c, (size_t)a->count * sizeof **items);
  bool ok = *items != NULL;
  for (int64_t i = 0; ok && i < a->count; i++) {
    int64_t at = i;
    if (d->style || !leaf_of(a, &at)) ok = draw(d, arr_item(a, i), depth + 1, *items + i);
  }
  return ok;
}

static bool draw_nested(dsp *d, const arr *a, int depth, block *b) {
  block *items = NULL;
  bool ok =
      draw_each(d, a, depth, &items) &&
      (d->style ? draw_table(d, a, items, b) : draw_plain(d, a, items, depth == 0, b));
  blocks_free(d, items, items ? a->count : 0);
  return ok && (!d->style || depth || vec_push(d->c, &d->planes, ((range){0, b->h})));
}

bool draw(dsp *d, const arr *a, int depth, block *b) {
  *b = (block){0};
  bool alone = d->style == BOX_DISP && !depth && a->rank && !has_nested(a);
  if (d->style == BOX_MAX || alone)
    return draw_boxed(d, a, depth, b) &&
           (depth || vec_push(d->c, &d->planes, ((range){0, b->h})));
  if (!a->count && depth && d->style > BOX_MIN) {
    arr *o = arr_opened(d->c, a);
    bool ok = o && draw(d, o, depth, b);
    arr_release(o);
    return ok;
  }
  if (elt_is_char((elt)a->type) || !a->count) return draw_chars(d, a, depth == 0, b);
  if (!has_nested(a)) return draw_plain(d, a, NULL, depth == 0, b);
  return draw_nested(d, a, depth, b);
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

static bool is_break(int64_t c) { return c == '\n' || c == '\r'; }

/* A character scalar or vector, its line breaks obeyed. */
static bool write_text(const arr *a, int pw, str *out) {
  int64_t x = 0;
  for (int64_t i = 0; i < a->count; i++) {
    int64_t u = arr_get_int(a, i);
    if (is_break(u)) {
      if (u == '\n' && i && arr_get_int(a, i - 1) == '\r') continue;
      str_putc(out, '\n');
      x = 0;
      continue;
    }
    if (x == pw) {
      str_putc(out, '\n');
      str_pad(out, INDENT);
      x = INDENT;
    }
    str_putc(out, (uint32_t)u);
    x++;
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
  int64_t x = 0, w;
  pp = num_pp(a, pp);
  for (int64_t i = 0; i < a->count; i++, x += w) {
    char text[2 * NUM_TEXT_MAX];
    int n = number_text(a, i, pp, text, &w);
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
  }
  return !out->failed;
}

static void dsp_free(dsp *d) {
  vec_free(d->c, &d->columns);
  vec_free(d->c, &d->planes);
}

static bool is_text(const arr *a) { return a->rank < 2 && elt_is_char((elt)a->type); }

bool arr_display(ctx *c, const arr *a, const fmt_opts *o, str *out) {
  dsp d = {.c = c, .pp = o->pp, .style = o->boxed};
  int pw = o->pw < MIN_WIDTH ? MIN_WIDTH : o->pw;
  block b = {0};
  if (is_text(a) && (d.style < BOX_MAX || (d.style == BOX_DISP && !a->rank)))
    return write_text(a, pw, out);
  if (is_row(a) && d.style < BOX_MAX && pw >= NUM_PP_MAX + INDENT + 2) {
    bool done = write_row(a, d.pp, pw, out);
    str_putc(out, '\n');
    return done && !out->failed;
  }
  bool ok = draw(&d, a, 0, &b);
  for (size_t p = 0; ok && p < d.planes.n; p++) {
    range at = d.planes.at[p];
    int64_t gap = p ? at.from - d.planes.at[p - 1].to : 0;
    while (gap-- > 0) str_putc(out, '\n');
    ok = write_plane(&d, &b, at, pw, out);
  }
  block_free(&d, &b);
  dsp_free(&d);
  return ok && !out->failed;
}

/* ── as an array ────────────────────────────────────────────────────────────────────── */

/* The lines of b, or with `rows` only those that are no gap between planes of `rows`. */
static arr *block_arr(dsp *d, const block *b, const arr *rows, int rank,
                      const int64_t *shape) {
  uint32_t top = 0;
  for (int64_t i = 0; i < b->h * b->w; i++)
    if (b->at[i] > top) top = b->at[i];
  arr *r = arr_new(d->c, elt_for_char(top), rank, shape);
  for (int64_t y = 0, k = 0, i = 0; r && i < r->count; y++, k++) {
    y += rows ? gap_before(rows, k) : 0;
    for (int64_t x = 0; x < b->w; x++) arr_put_int(r, i++, b->at[y * b->w + x]);
  }
  return r;
}

/* Are all items, however deep, scalars or vectors? */
static bool is_flat(const arr *a, int depth) {
  if (a->rank > 1) return false;
  for (int64_t i = 0; a->type == ET_NEST && i < a->count; i++)
    if (depth > ARR_MAX_DEPTH || !is_flat(arr_item(a, i), depth + 1)) return false;
  return true;
}

arr *arr_format(ctx *c, arr *a, int pp) {
  dsp d = {.c = c, .pp = pp};
  block b = {0};
  int64_t shape[ARR_MAX_RANK] = {0};
  if (elt_is_char((elt)a->type)) return arr_retain(a);
  if (is_row(a)) {
    str s = {.c = c};
    arr *r = write_row(a, pp, INT64_MAX, &s) ? arr_text(c, s.at, s.n) : NULL;
    str_free(&s);
    return r;
  }
  bool ok = draw(&d, a, 0, &b), simple = !has_nested(a);
  int rank = simple ? (a->rank ? a->rank : 1) : is_flat(a, 0) ? 1 : 2;
  if (simple && rank > 1) memcpy(shape, a->shape, sizeof *shape * (size_t)a->rank);
  else if (rank == 2) shape[0] = b.h;
  shape[rank - 1] = b.w;
  arr *r = ok ? block_arr(&d, &b, simple ? a : NULL, rank, shape) : NULL;
  block_free(&d, &b);
  dsp_free(&d);
  return r;
}

/* A text as a block: line breaks end lines, a backspace goes back a column. */
static bool draw_text(dsp *d, const arr *a, block *b) {
  for (int pass = 0; pass < 2; pass++) {
    int64_t x = 0, y = 0, w = 0;
    for (int64_t i = 0; i < a->count; i++) {
      int64_t u = arr_get_int(a, i);
      if (u == '\n' && i && arr_get_int(a, i - 1) == '\r') continue;
      if (is_break(u)) x = 0, y++;
      else if (u == '\b') x -= x > 0;
      else {
        if (pass) b->at[y * b->w + x] = (uint32_t)u;
        if (++x > w) w = x;
      }
    }
    bool ended = a->count && is_break(arr_get_int(a, a->count - 1));
    if (!pass && !block_new(d, b, y + !ended, w)) return false;
  }
  return true;
}

arr *arr_format_matrix(ctx *c, const arr *a, int pp) {
  dsp d = {.c = c, .pp = pp};
  block b = {0};
  arr *r = NULL;
  if (is_text(a) ? draw_text(&d, a, &b) : draw(&d, a, 0, &b))
    r = block_arr(&d, &b, NULL, 2, (int64_t[]){b.h, b.w});
  block_free(&d, &b);
  dsp_free(&d);
  return r;
}
