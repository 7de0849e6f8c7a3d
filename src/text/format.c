/* SPDX-License-Identifier: MIT */
/* format.c - ⍕: arrays as text.
 *
 * Monadic, what display would show (array/display.c). By specification x⍕y formats each
 * column of y by a pair of numbers: the width and the decimals; a negative count of
 * decimals means E form with that many digits. Without a width (0) a column is as wide as
 * its widest number, and a blank; what is too wide for a given width is shown as stars. */
#include "../array/match.h"
#include <string.h>
#include "../array/number.h"
#include "../prim/struct.h"
#include "../prim/direct.h"
#include "../base/mem.h"
#include "../base/utf8.h"
#include "../array/display.h"
#include "../array/element.h"

enum { DEFAULT_PP = 10, FIELD_MAX = 32767 };

arr *prim_format(prim_env *e, arr *y) {
  return arr_format(e->c, y, e->pp ? e->pp : DEFAULT_PP);
}

typedef struct field { /* of a column */
  int64_t w, p;        /* width and decimals, or with p < 0 digits of the E form */
  int64_t exponent;    /* E form: columns behind the E */
} field;

/* What is formatted, and how. */
typedef struct format {
  prim_env *e;
  const arr *y;
  int64_t m;     /* columns of y */
  field *fields; /* a field for each */
  str s;         /* the text of the number at hand */
} format;

static void format_free(format *f) {
  mem_free(f->e->c, f->fields);
  str_free(&f->s);
}

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

/* The text of y[i] into f->s; its columns. */
static int64_t format_put_number(format *f, int64_t i, const field *k) {
  double v = arr_get_float(f->y, i);
  f->s.n = 0;
  /* A number of which only zeros would be shown has no sign. */
  if (v < 0 && !(k->p >= 0 && num_is_zero(v, (int)k->p))) str_puts(&f->s, "¯");
  if (k->p >= 0) num_fixed(&f->s, v, (int)k->p);
  else num_scaled(&f->s, v, (int)-k->p);
  if (f->s.failed) return 0;
  return (int64_t)utf8_count(f->s.at, f->s.n);
}

/* The columns behind the E of the number at hand; 0 in plain form. */
static int64_t exponent_of(const str *s) {
  const char *e = NULL;
  if (!s->failed) e = memchr(s->at, 'E', s->n);
  if (!e) return 0;
  return (int64_t)utf8_count(e + 1, (size_t)(s->at + s->n - e - 1));
}

/* ── columns ────────────────────────────────────────────────────────────────────────── */

/* Measures column j: its widest exponent, and the width if none is given. The Es stand under
 * each other. False after INTERRUPT. */
static bool format_measure(format *f, int64_t j) {
  field *k = &f->fields[j];
  int64_t w = 0;
  if (k->w && k->p >= 0) return true;
  for (int64_t i = j; i < f->y->count; i += f->m) {
    if (interrupted(f->e->c)) return false;
    int64_t n = format_put_number(f, i, k), exponent = exponent_of(&f->s);
    if (exponent > k->exponent) k->exponent = exponent;
    if (n - exponent > w) w = n - exponent;
  }
  if (!k->w && f->y->count) k->w = w + k->exponent + 1;
  return true;
}

/* Blanks behind the number at hand, so that its E stands under the others, as far as the
 * field has room. */
static int64_t blanks_behind(const format *f, const field *k, int64_t n) {
  int64_t own = exponent_of(&f->s), room = k->w - n;
  if (!own || own >= k->exponent) return 0;
  return k->exponent - own < room ? k->exponent - own : room;
}

/* Writes y[i] at r[at..]. */
static void place(format *f, int64_t i, const field *k, arr *r, int64_t at) {
  int64_t n = format_put_number(f, i, k), end = at + k->w;
  if (f->s.failed) return;
  uint8_t *to = r->host;
  if (n > k->w) {
    memset(to + at, '*', (size_t)k->w);
    return;
  }
  int64_t from = end - n - blanks_behind(f, k, n);
  const char *p = f->s.at, *p_end = p + f->s.n;
  memset(to + at, ' ', (size_t)k->w);
  while (p < p_end) to[from++] = (uint8_t)utf8_next(p, p_end, &p);
}

static arr *fill_fields(format *f) {
  const arr *y = f->y;
  int64_t shape[ARR_MAX_RANK] = {0}, w = 0, at = 0;
  for (int64_t j = 0; j < f->m; j++) {
    if (!format_measure(f, j)) return NULL;
    w += f->fields[j].w;
  }
  if (f->s.failed) return NULL;
  if (y->rank) memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  int rank = y->rank ? y->rank : 1;
  shape[rank - 1] = w;
  OWNED arr *r = arr_new(f->e->c, ET_C8, rank, shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < y->count; i++) {
    const field *k = &f->fields[i % f->m];
    place(f, i, k, r, at);
    at += k->w;
    if (f->s.failed || interrupted(f->e->c)) return NULL;
  }
  return arr_move(&r);
}

/* ── the specification ──────────────────────────────────────────────────────────────── */

static bool check_count(ctx *c, int64_t n, int64_t m) {
  if (!n) return err_set(c, ERR_LENGTH, "the format is empty");
  if (n <= 2) return true;
  if (n % 2 == 0 && m % (n / 2) == 0) return true;
  return err_set(c, ERR_LENGTH, "%lld numbers for %lld columns: pairs, used in turn",
                 (long long)n, (long long)m);
}

/* x as a field for each column. */
static bool read_fields(format *f, arr *x) {
  OWNED arr *k = prim_ints(f->e, x, "the format");
  if (!k || !check_count(f->e->c, k->count, f->m)) return false;
  for (int64_t j = 0; j < f->m; j++) {
    field *to = &f->fields[j];
    if (k->count == 1) {
      to->p = arr_get_int(k, 0);
    } else {
      int64_t at = 2 * j % k->count;
      to->w = arr_get_int(k, at);
      to->p = arr_get_int(k, at + 1);
    }
    if (to->w < 0 || to->w > FIELD_MAX || to->p > FIELD_MAX || to->p < -FIELD_MAX)
      return err_set(f->e->c, ERR_DOMAIN, "a width is 0 to %d, decimals are at most that",
                     (int)FIELD_MAX);
    if (to->p < 0 && to->w) to->exponent = EXPONENT_WIDTH;
  }
  return true;
}

arr *prim_format_by(prim_env *e, arr *x, arr *y) {
  if (x->rank > 1) return fail(e, ERR_RANK, "the format must be a vector");
  OWNED arr *real = cx_demote(e->c, arr_retain(y));
  if (!real) return NULL;
  y = real;
  if (y->type > ET_F64) return fail(e, ERR_DOMAIN, "real numbers are wanted");
  if (!arr_all_finite(y)) return fail(e, ERR_DOMAIN, "it is not finite");
  __attribute__((cleanup(format_free)))
  format f = {.e = e, .y = y, .m = arr_last_axis(y), .s = {.c = e->c}};
  f.fields = mem_zalloc(e->c, (size_t)f.m * sizeof *f.fields);
  if (!f.fields || !read_fields(&f, x)) return NULL;
  return fill_fields(&f);
}
