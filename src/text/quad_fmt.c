/* SPDX-License-Identifier: MIT */
/* quad_fmt.c - ⎕FMT by specification: columns of reports.
 *
 * The format is parsed into a list of phrases (fmt_parse.c); walking over it deals out the
 * columns of the data and gives each a place in the result (a `spot`); then the spots are
 * drawn from left to right, so that a later one overwrites an earlier one. */
#include "../array/match.h"
#include "../prim/struct.h"
#include "../array/element.h"
#include "fmt.h"

typedef struct column { /* n elements of a */
  const arr *a;
  int64_t at, step, n;
} column;

typedef struct spot { /* c.a is NULL: a text of the format, in every row */
  const phrase *p;
  column c;
  int64_t x;
} spot;

typedef struct fmt {
  prim_env *e;
  uint32_t *spec; /* the format */
  phrase_list phrases;
  VEC(column) columns;
  VEC(spot) spots;
  int64_t rows, width;
} fmt;

static void fmt_free(fmt *f) {
  ctx *c = f->e->c;
  vec_free(c, &f->phrases);
  vec_free(c, &f->columns);
  vec_free(c, &f->spots);
  mem_free(c, f->spec);
}

/* ── the columns of the data ────────────────────────────────────────────────────────── */

static bool add_columns(fmt *f, const arr *a) {
  ctx *c = f->e->c;
  if (a->rank > 2) return err_set(c, ERR_RANK, "⎕FMT takes tables of rank 2 at most");
  if (a->type == ET_NEST || a->type == ET_C128)
    return err_set(c, ERR_DOMAIN, "⎕FMT takes characters or real numbers");
  if (!arr_all_finite(a)) return err_set(c, ERR_DOMAIN, "⎕FMT takes finite numbers");
  int64_t m = a->rank == 2 ? a->shape[1] : 1, n = arr_first_axis(a);
  for (int64_t j = 0; j < m; j++)
    if (!vec_push(c, &f->columns, ((column){a, j, m, n}))) return false;
  if (n > f->rows) f->rows = n;
  return true;
}

static bool collect(fmt *f, const arr *y) {
  if (y->type != ET_NEST) return add_columns(f, y);
  if (y->rank > 1)
    return err_set(f->e->c, ERR_RANK, "⎕FMT takes a table, or a vector of tables");
  for (int64_t i = 0; i < y->count; i++)
    if (!add_columns(f, arr_item(y, i))) return false;
  return true;
}

/* ── dealing them out ───────────────────────────────────────────────────────────────── */

/* A walk over the phrases. */
typedef struct dealer {
  int64_t x;     /* where the next field begins */
  size_t column; /* the next column of the data */
  size_t before; /* what that was when the format began anew */
  int depth;     /* of open groups, each with its phrase and how often it comes yet */
  size_t from[FMT_MAX_GROUPS + 1];
  int64_t left[FMT_MAX_GROUPS + 1];
} dealer;

static bool used_up(const fmt *f, const dealer *d) { return d->column == f->columns.n; }

static bool add_spot(fmt *f, dealer *d, const phrase *p, column c) {
  if (!vec_push(f->e->c, &f->spots, ((spot){p, c, d->x}))) return false;
  d->x += p->w;
  if (d->x > f->width) f->width = d->x;
  return true;
}

static bool deal_text(fmt *f, dealer *d, const phrase *p) {
  for (int64_t i = 0; i < p->r; i++)
    if (!add_spot(f, d, p, (column){0})) return false;
  return true;
}

/* Numbers go to I F E G, characters to A. */
static bool suits(fmt *f, const phrase *p, const arr *a) {
  bool chars = elt_is_char((elt)a->type);
  if (chars == (p->kind == 'A')) return true;
  const char *what = chars ? "characters" : "numbers";
  return err_set(f->e->c, ERR_FORMAT, "%s cannot be formatted by %c", what, (int)p->kind);
}

/* *stop: the phrase wants data and there is none. */
static bool deal_data(fmt *f, dealer *d, const phrase *p, bool *stop) {
  for (int64_t i = 0; i < p->r; i++) {
    if (used_up(f, d)) {
      *stop = true;
      return true;
    }
    column c = f->columns.at[d->column];
    if (!suits(f, p, c.a) || !add_spot(f, d, p, c)) return false;
    d->column++;
  }
  return true;
}

static bool deal(fmt *f, dealer *d, const phrase *p, bool *stop) {
  switch (p->kind) {
  case 'T':
    d->x = f->width;
    if (p->w) d->x = p->w - 1;
    return true;
  case 'X':
    d->x += p->w;
    if (d->x >= 0) return true;
    return err_set(f->e->c, ERR_FORMAT, "X goes back beyond the left margin");
  case '<': return deal_text(f, d, p);
  default: return deal_data(f, d, p, stop);
  }
}

/* At the end of the format: it begins anew if there are data left. */
static bool begin_anew(fmt *f, dealer *d, bool *stop) {
  *stop = used_up(f, d);
  if (!*stop && d->column == d->before)
    return err_set(f->e->c, ERR_FORMAT, "the format takes no data");
  d->before = d->column;
  return true;
}

/* Deals until the data are used up, and then on over texts to the end of their group. */
static bool deal_all(fmt *f) {
  dealer d = {0};
  bool stop = false;
  for (size_t i = 0;; i++) {
    if (i == f->phrases.n) {
      if (!begin_anew(f, &d, &stop)) return false;
      if (stop) return true;
      i = 0;
    }
    const phrase *p = &f->phrases.at[i];
    if (p->kind == '(') {
      d.depth++;
      d.from[d.depth] = i;
      d.left[d.depth] = p->r;
    } else if (p->kind == ')') {
      if (f->columns.n && used_up(f, &d)) return true;
      d.left[d.depth]--;
      if (d.left[d.depth] > 0) i = d.from[d.depth];
      else d.depth--;
    } else {
      if (!deal(f, &d, p, &stop)) return false;
      if (stop) return true;
    }
    if (interrupted(f->e->c)) return false;
  }
}

/* ── drawing ────────────────────────────────────────────────────────────────────────── */

/* The text of one row of a spot into s; false if it does not fit. */
static bool put_element(fmt *f, const spot *at, int64_t row, str *num, str *s) {
  const arr *a = at->c.a;
  int64_t i = at->c.at + row * at->c.step;
  s->n = 0;
  if (!a) {
    fmt_put(s, at->p->t);
    return true;
  }
  if (at->p->kind != 'A') return fmt_number(at->p, arr_get_float(a, i), f->e->ct, num, s);
  str_putc(s, (uint32_t)arr_get_int(a, i));
  return true;
}

static bool draw_spot(fmt *f, const spot *at, uint32_t *to) {
  ctx *c = f->e->c;
  OWNED_STR str s = {.c = c};
  OWNED_STR str num = {.c = c};
  if (interrupted(c)) return false;
  for (int64_t row = 0; row < f->rows; row++) {
    if (row % 1024 == 1023 && interrupted(c)) return false;
    uint32_t *field = to + row * f->width + at->x;
    bool none = at->c.a && row >= at->c.n;
    if (none) {
      for (int64_t i = 0; i < at->p->w; i++) field[i] = ' ';
      continue;
    }
    bool fits = put_element(f, at, row, &num, &s);
    if (s.failed || num.failed) return false;
    fmt_draw(at->p, &s, fits, field);
  }
  return true;
}

static bool draw_spots(fmt *f, uint32_t *to) {
  for (int64_t i = 0; i < f->rows * f->width; i++) to[i] = ' ';
  for (size_t i = 0; i < f->spots.n; i++)
    if (!draw_spot(f, &f->spots.at[i], to)) return false;
  return true;
}

static arr *draw_all(fmt *f) {
  ctx *c = f->e->c;
  int64_t shape[2] = {f->rows, f->width};
  if (f->width && f->rows > INT64_MAX / 8 / f->width)
    return fail(f->e, ERR_WS_FULL, "the result would be too large");
  uint32_t *to = mem_alloc(c, (size_t)(f->rows * f->width) * sizeof *to);
  if (!to) return NULL;
  arr *r = NULL;
  if (draw_spots(f, to)) r = arr_chars(c, 2, shape, to);
  mem_free(c, to);
  return r;
}

static bool read_format(fmt *f, const arr *x) {
  f->spec = mem_alloc(f->e->c, ((size_t)x->count + 1) * sizeof *f->spec);
  if (!f->spec) return false;
  for (int64_t i = 0; i < x->count; i++) f->spec[i] = (uint32_t)arr_get_int(x, i);
  return fmt_parse(f->e->c, f->spec, x->count, &f->phrases);
}

arr *prim_fmt(prim_env *e, arr *x, arr *y) {
  if (x->rank > 1) return fail(e, ERR_RANK, "the format must be a character vector");
  if (!elt_is_char((elt)x->type))
    return fail(e, ERR_DOMAIN, "the format must be a character vector");
  __attribute__((cleanup(fmt_free))) fmt f = {.e = e};
  if (!read_format(&f, x) || !collect(&f, y) || !deal_all(&f)) return NULL;
  return draw_all(&f);
}
