/* SPDX-License-Identifier: MIT */
/* format.c - ⍕: arrays as text.
 *
 * Monadic, what display would show (array/display.c). By specification x⍕y formats each
 * column of y by a pair of numbers: the width and the decimals; a negative count of
 * decimals means E form with that many digits. Without a width (0) a column is as wide as
 * its widest number, and a blank; what is too wide for a given width is shown as stars. */
#include <math.h>
#include <string.h>
#include "../array/number.h"
#include "../prim/struct.h"
#include "../base/mem.h"
#include "../base/utf8.h"
#include "../array/display.h"
#include "../array/element.h"

arr *prim_format(prim_env *e, arr *y) { return arr_format(e->c, y, e->pp ? e->pp : 10); }

typedef struct field { /* of a column */
  int64_t w, p;
  int exponent; /* E form: columns behind the E */
} field;

/* The text of y[i]; in E form with blanks up to the column's widest exponent. */
static int64_t put_number(const arr *y, int64_t i, const field *f, str *s) {
  double v = arr_get_float(y, i);
  s->n = 0;
  if (v < 0 && !(f->p >= 0 && num_is_zero(v, (int)f->p))) str_puts(s, "¯");
  if (f->p >= 0) num_fixed(s, v, (int)f->p);
  else num_scaled(s, v, (int)-f->p);
  return (int64_t)utf8_count(s->at ? s->at : "", s->n);
}

static int exponent_of(const str *s) {
  const char *e = s->at ? memchr(s->at, 'E', s->n) : NULL;
  return e ? (int)utf8_count(e + 1, (size_t)(s->at + s->n - e - 1)) : 0;
}

/* Width of a column that gives none: its widest number, the Es under each other. */
static void fit(const arr *y, int64_t j, int64_t m, field *f, str *s) {
  int64_t w = 0;
  for (int64_t i = j; i < y->count; i += m) {
    int64_t n = put_number(y, i, f, s);
    int k = f->p < 0 ? exponent_of(s) : 0;
    if (k > f->exponent) f->exponent = k;
    if (n - k > w) w = n - k;
  }
  if (!f->w && y->count) f->w = w + f->exponent + 1;
}

static void place(const arr *y, int64_t i, const field *f, arr *r, int64_t at, str *s) {
  int64_t n = put_number(y, i, f, s), k = f->p < 0 ? exponent_of(s) : 0,
          x = at + f->w - n;
  bool wide = n > f->w;
  if (!wide && k && k < f->exponent)
    x -= f->exponent - k < f->w - n ? f->exponent - k : f->w - n;
  const char *p = s->at ? s->at : "", *end = p + s->n;
  for (int64_t c = at; c < at + f->w; c++)
    arr_put_int(r, c, wide ? '*' : c < x || p == end ? ' ' : utf8_next(p, end, &p));
}

static arr *fill_fields(prim_env *e, const arr *y, field *f, int64_t m) {
  int64_t shape[ARR_MAX_RANK] = {0}, w = 0;
  int rank = y->rank ? y->rank : 1;
  str s = {.c = e->c};
  for (int64_t j = 0; j < m; j++) {
    if (!f[j].w || f[j].p < 0) fit(y, j, m, &f[j], &s);
    w += f[j].w;
  }
  if (y->rank) memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[rank - 1] = w;
  arr *r = s.failed ? NULL : arr_new(e->c, ET_C8, rank, shape);
  for (int64_t i = 0, at = 0; r && i < y->count; i++) {
    place(y, i, &f[i % m], r, at, &s);
    at += f[i % m].w;
    if (s.failed || interrupted(e->c)) {
      arr_release(r);
      r = NULL;
    }
  }
  str_free(&s);
  return r;
}

enum { FIELD_MAX = 32767 };

/* x as a field for each of m columns. */
static bool read_fields(prim_env *e, arr *x, field *f, int64_t m) {
  arr *k = prim_ints(e, x, "the format");
  bool ok = k != NULL;
  if (ok && k->count > 2 && (k->count % 2 || m % (k->count / 2)))
    ok = err_set(e->c, ERR_LENGTH, "%lld numbers for %lld columns: pairs, used in turn",
                 (long long)k->count, (long long)m);
  if (ok && !k->count) ok = err_set(e->c, ERR_LENGTH, "the format is empty");
  for (int64_t j = 0; ok && j < m; j++) {
    int64_t at = k->count > 2 ? 2 * j % k->count : 0;
    f[j].w = k->count > 1 ? arr_get_int(k, at) : 0;
    f[j].p = arr_get_int(k, at + (k->count > 1));
    if (f[j].w < 0 || f[j].w > FIELD_MAX || f[j].p > FIELD_MAX || f[j].p < -FIELD_MAX)
      ok = err_set(e->c, ERR_DOMAIN, "a width is 0 to %d, decimals are at most that",
                   (int)FIELD_MAX);
    if (f[j].p < 0 && f[j].w) f[j].exponent = EXPONENT_WIDTH;
  }
  arr_release(k);
  return ok;
}

arr *prim_format_by(prim_env *e, arr *x, arr *y) {
  int64_t m = arr_last_axis(y);
  if (x->rank > 1) return fail(e, ERR_RANK, "the format must be a vector");
  if (y->type > ET_F64) return fail(e, ERR_DOMAIN, "real numbers are wanted");
  for (int64_t i = 0; elt_is_float((elt)y->type) && i < y->count; i++)
    if (!isfinite(arr_get_float(y, i))) return fail(e, ERR_DOMAIN, "it is not finite");
  field *f = mem_zalloc(e->c, (size_t)(m ? m : 1) * sizeof *f);
  arr *r = f && read_fields(e, x, f, m) ? fill_fields(e, y, f, m) : NULL;
  mem_free(e->c, f);
  return r;
}
