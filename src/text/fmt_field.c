/* SPDX-License-Identifier: MIT */
/* fmt_field.c - the text of one number by a phrase of ⎕FMT's format, and the field that it
 * stands in. */
#include "fmt.h"
#include "../array/match.h"
#include "../array/number.h"
#include "../base/utf8.h"
#include <math.h>
#include <string.h>

void fmt_put(str *s, text t) {
  for (int64_t i = 0; i < t.n; i++) str_putc(s, t.at[i]);
}

/* What stands for the symbol u. */
static uint32_t symbol(const phrase *p, uint32_t u) {
  for (int64_t i = 0; i + 1 < p->symbols.n; i += 2)
    if (p->symbols.at[i] == u) return p->symbols.at[i + 1];
  return u;
}

static int64_t columns(const str *s) {
  if (!s->n) return 0;
  return (int64_t)utf8_count(s->at, s->n);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Would nothing but zeros be shown? */
static bool is_zero(const phrase *p, double v) {
  if (p->kind == 'E') return v == 0;
  return num_is_zero(v, (int)p->d);
}

/* ── I, F and E ─────────────────────────────────────────────────────────────────────── */

/* How many zeros fit in front of `whole` digits, which with what is behind them take `used`
 * columns of w. A comma in front of every third digit takes one too. */
static int64_t leading_zeros(const phrase *p, int64_t whole, int64_t used, int64_t w) {
  int64_t zeros = 0;
  if (!p->zeros) return 0;
  for (;;) {
    used++;
    if (p->commas && (whole + zeros) % 3 == 0) used++;
    if (used > w) return zeros;
    zeros++;
  }
}

/* The digits in `num` with commas in their integer part, and zeros in front up to w
 * columns. */
static void put_digits(const phrase *p, const str *num, int64_t w, str *s) {
  const char *q = num->at, *point = memchr(q, '.', num->n);
  int64_t n = (int64_t)num->n, whole = n, used = n;
  if (point) whole = point - q;
  if (p->commas) used += (whole - 1) / 3;
  int64_t zeros = leading_zeros(p, whole, used, w);
  if (!p->commas && !zeros && !p->symbols.n) {
    str_put(s, q, num->n);
    return;
  }
  for (int64_t i = -zeros; i < n; i++) {
    if (p->commas && i > -zeros && i < whole && (whole - i) % 3 == 0)
      str_putc(s, symbol(p, ','));
    if (i < 0) str_putc(s, symbol(p, '0'));
    else if (is_digit(q[i])) str_putc(s, (uint32_t)q[i]);
    else str_putc(s, symbol(p, (uint32_t)q[i]));
  }
}

/* The mantissa and the exponent, with blanks behind a short one if `room` columns are left. */
static void put_scaled(const phrase *p, const str *num, int64_t room, str *s) {
  const char *q = num->at, *end = q + num->n, *e = memchr(q, 'E', num->n);
  while (q < end) str_putc(s, symbol(p, utf8_next(q, end, &q)));
  if (!e) return;
  int64_t exponent = (int64_t)utf8_count(e + 1, (size_t)(end - e - 1));
  for (; room > 0 && exponent < EXPONENT_WIDTH; room--, exponent++) str_putc(s, ' ');
}

static void field_put_number(const phrase *p, double v, str *num, str *s) {
  bool negative = v < 0 && !is_zero(p, v);
  num->n = 0;
  if (p->kind == 'E') num_scaled(num, v, (int)p->d);
  else num_fixed(num, v, (int)p->d);
  if (num->failed) return;
  text behind = negative ? p->behind_neg : p->behind;
  if (!negative) fmt_put(s, p->before);
  else if (p->before_neg.at) fmt_put(s, p->before_neg);
  else str_putc(s, symbol(p, 0xAF));
  int64_t room = p->w - columns(s) - behind.n;
  if (p->kind == 'E') put_scaled(p, num, room - columns(num), s);
  else put_digits(p, num, room, s);
  fmt_put(s, behind);
}

/* ── G ──────────────────────────────────────────────────────────────────────────────── */

/* A pattern and the digits for its selectors, each of which is a 9 or a Z. */
typedef struct pattern {
  const phrase *p;
  uint32_t nine, zed; /* the symbols of the selectors */
  int64_t n, pad;     /* selectors, and those in front of the digits */
  const char *digits;
  int64_t first, last; /* selectors between which digits are shown; first < 0: none */
} pattern;

static bool is_selector(const pattern *g, uint32_t u) {
  return u == g->nine || u == g->zed;
}

static uint32_t digit_at(const pattern *g, int64_t i) {
  if (i < g->pad) return '0';
  return (uint32_t)g->digits[i - g->pad];
}

/* A 9 always shows its digit, a Z one that is no zero; both show all digits between. */
static void find_shown(pattern *g) {
  int64_t i = 0;
  g->first = g->last = -1;
  for (int64_t k = 0; k < g->p->t.n; k++) {
    uint32_t u = g->p->t.at[k];
    if (!is_selector(g, u)) continue;
    if (u == g->nine || digit_at(g, i) != '0') {
      if (g->first < 0) g->first = i;
      g->last = i;
    }
    i++;
  }
}

/* The digits of v in the pattern; text between two selectors shows only if digits are on both
 * sides. False: too many digits. */
static bool put_pattern(const phrase *p, double v, str *num, str *s) {
  pattern g = {.p = p, .nine = symbol(p, '9'), .zed = symbol(p, 'Z')};
  num->n = 0;
  num_fixed(num, v, 0);
  if (num->failed) return false;
  for (int64_t k = 0; k < p->t.n; k++)
    if (is_selector(&g, p->t.at[k])) g.n++;
  g.digits = num->at;
  g.pad = g.n - (int64_t)num->n;
  if (g.pad == -1 && num->at[0] == '0') g.pad = 0; /* no selector shows the zero */
  if (g.pad < 0) return false;
  find_shown(&g);
  int64_t i = 0; /* selectors so far */
  for (int64_t k = 0; k < p->t.n; k++) {
    uint32_t u = p->t.at[k];
    bool shown;
    if (is_selector(&g, u)) {
      shown = g.first >= 0 && i >= g.first && i <= g.last;
      if (shown) u = digit_at(&g, i);
      i++;
    } else {
      bool between_digits = g.first >= 0 && g.first < i && g.last >= i;
      shown = !i || i == g.n || between_digits;
    }
    str_putc(s, shown ? u : ' ');
  }
  return true;
}

/* ── any number, and its field ──────────────────────────────────────────────────────── */

static const text *substituted(const phrase *p, double v, double ct) {
  for (int i = 0; i < p->substitutes; i++)
    if (num_equal(v, p->o[i].v, ct)) return &p->o[i].t;
  return NULL;
}

bool fmt_number(const phrase *p, double v, double ct, str *num, str *s) {
  const text *instead = substituted(p, v, ct);
  if (instead) {
    fmt_put(s, *instead);
    return true;
  }
  if (p->scale > 0) v *= pow(10, (double)p->scale);
  if (p->scale < 0) v /= pow(10, (double)-p->scale);
  if (p->blank && is_zero(p, v)) return true;
  if (p->kind == 'G') return put_pattern(p, v, num, s);
  field_put_number(p, v, num, s);
  return true;
}

void fmt_draw(const phrase *p, const str *s, bool fits, uint32_t *to) {
  int64_t n = columns(s);
  if (!fits || n > p->w) {
    for (int64_t i = 0; i < p->w; i++) to[i] = symbol(p, '*');
    return;
  }
  for (int64_t i = 0; i < p->w; i++) {
    to[i] = ' ';
    if (p->preset.n) to[i] = p->preset.at[i % p->preset.n];
  }
  if (!n) return;
  if (!p->left) to += p->w - n;
  const char *q = s->at, *end = q + s->n;
  while (q < end) *to++ = utf8_next(q, end, &q);
}
