/* SPDX-License-Identifier: MIT */
/* number.c - numbers as Dyalog shows them, as digits first and as text second.
 *
 * A number shown at precision ⎕PP is rounded to that many significant digits, trailing
 * zeros go, and it takes the E form when its first digit stands ⎕PP places or more left of
 * the point, or more than five zeros would follow the point; integers of 32 bits are shown in
 * full. Rounding is that of the exact binary value, ties to even, for integers and floats
 * alike, so that an integer stored as a float looks the same. A float carries no more than
 * 17 digits of information: a fraction, and a number too long for ⎕PP that is beyond the
 * integers, is never shown with more.
 *
 * A float between 1E¯17 and 1E38 is scaled to an integer of as many digits by 128 bits, which hold
 * what is exact, so that it is rounded once. The C library converts all others (its rounding is
 * correct, too); the only character that depends on the locale, the decimal point, is skipped by
 * position and never copied. */
#include "number.h"
#include "../base/utf8.h"
#include "element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int clamp_pp(int pp) {
  if (pp < 1) return 1;
  if (pp > NUM_PP_MAX) return NUM_PP_MAX;
  return pp;
}

static void trim(num_digits *t, int pp) {
  while (t->n > 1 && t->d[t->n - 1] == '0') t->n--;
  if (t->d[0] == '0') {
    t->n = 1;
    t->e = 0;
    t->neg = false;
  }
  t->sci = t->e >= pp || t->e < -6;
}

/* Adds one to the last digit. */
static void round_up(num_digits *t) {
  int i = t->n - 1;
  while (i >= 0 && t->d[i] == '9') t->d[i--] = '0';
  if (i >= 0) {
    t->d[i]++;
    return;
  }
  t->d[0] = '1'; /* 99…9 became 10…0 */
  t->e++;
  if (!t->n) t->n = 1;
}

/* Rounds the exact digits of an integer to pp places, ties to even. */
static void round_digits(num_digits *t, int pp) {
  if (t->n <= pp) return;
  bool tail = false;
  for (int i = pp + 1; i < t->n; i++) tail |= t->d[i] != '0';
  char next = t->d[pp];
  bool up = next > '5' || (next == '5' && (tail || (t->d[pp - 1] - '0') % 2));
  t->n = pp;
  if (up) round_up(t);
}

void num_of_int(num_digits *t, int64_t v, int pp) {
  char rev[24];
  int n = 0;
  uint64_t u = (uint64_t)v;
  if (v < 0) u = 0 - u;
  do {
    rev[n++] = (char)('0' + u % 10);
    u /= 10;
  } while (u);
  *t = (num_digits){.neg = v < 0, .e = n - 1, .n = n};
  for (int i = 0; i < n; i++) t->d[i] = rev[n - 1 - i];
  pp = clamp_pp(pp);
  round_digits(t, pp);
  trim(t, pp);
}

/* ── floats whose digits 128 bits hold ──────────────────────────────────────────────── */

__extension__ typedef unsigned __int128 u128;

static u128 five_to(int k) {
  u128 r = 1;
  for (; k >= 8; k -= 8) r *= 390625;
  for (; k > 0; k--) r *= 5;
  return r;
}

/* n÷2*shift, or n÷by where that is not 0, to the nearest integer, ties to even. */
static uint64_t nearest(u128 n, u128 by, int shift) {
  u128 whole = n >> shift, rest = n - (whole << shift), half = (u128)1 << shift >> 1;
  if (by) {
    whole = n / by;
    rest = n % by;
    half = by - rest; /* rest > half: above the middle */
  }
  bool up = rest > half || (rest && rest == half && (whole & 1));
  return (uint64_t)whole + up;
}

/* v×10*k, v = m×2*q > 0 not too small, to the nearest integer, if 128 bits hold what is exact: else 0. */
static uint64_t scaled(double v, int k) {
  enum { MOST_FIVES = 32, MOST_DIVIDED = 27, BITS = 53 };
  uint64_t bits, hidden = (uint64_t)1 << (BITS - 1);
  memcpy(&bits, &v, sizeof bits);
  uint64_t m = (bits & (hidden - 1)) | hidden;
  int q = (int)(bits >> (BITS - 1)) - 1075;
  int two = q + k; /* v×10*k is m × 5*k × 2*two */
  if (k < -MOST_DIVIDED || k > MOST_FIVES) return 0;
  if (k >= 0 && two <= 0 && two > -128) return nearest(m * five_to(k), 0, -two);
  if (k >= 0 && two > 0 && two < 11) return (uint64_t)(m * five_to(k)) << two;
  if (k < 0 && two >= 0 && two < 128 - BITS)
    return nearest((u128)m << two, five_to(-k), 0);
  if (k < 0 && two < 0 && two > -64) return nearest(m, five_to(-k) << -two, 0);
  return 0;
}

/* The digits of v > 0, rounded to so many places, at most 17. False: not by this way. */
static bool digits_scaled(num_digits *t, double v, int places) {
  if (places > 17 || v < 1e-17 || v > 1e38) return false;
  int e = (int)floor(log10(v)); /* or one off */
  uint64_t least = (uint64_t)(five_to(places - 1) << (places - 1));
  uint64_t n = scaled(v, places - 1 - e);
  if (n > 10 * least) n = scaled(v, places - 1 - ++e);
  if (n && n <= least) { /* it may be less, and only look like a power of ten */
    uint64_t finer = scaled(v, places - e);
    if (finer <= 10 * least) {
      n = finer;
      e--;
    }
  }
  if (n == 10 * least) {
    n = least;
    e++;
  }
  if (n < least || n > 10 * least) return false;
  t->e = e;
  t->n = places;
  for (int i = places; i-- > 0; n /= 10) t->d[i] = (char)('0' + n % 10);
  return true;
}

/* The digits of v ≥ 0, rounded to so many places. */
static void float_digits(num_digits *t, double v, int places) {
  if (digits_scaled(t, v, places)) return;
  char buf[64];
  int end = snprintf(buf, sizeof buf, "%.*e", places - 1, v);
  while (end > 0 && buf[end - 1] != 'e') end--;
  t->e = (int)strtol(buf + end, NULL, 10);
  for (int i = 0; i < end && t->n < places; i++)
    if (buf[i] >= '0' && buf[i] <= '9') t->d[t->n++] = buf[i];
}

void num_of_float(num_digits *t, double v, int pp) {
  *t = (num_digits){.neg = signbit(v) != 0};
  pp = clamp_pp(pp);
  if (isnan(v)) {
    t->special = "NaN";
    t->neg = false;
    return;
  }
  if (isinf(v)) {
    t->special = "∞";
    return;
  }
  double size = fabs(v);
  int places = pp;
  if (pp > 17 && size != floor(size)) places = 17;
  float_digits(t, size, places);
  trim(t, pp);
  /* It is no integer, and too long to show exactly. */
  if (t->sci && places > 17 && size >= 0x1p63) {
    num_of_float(t, v, 17);
    t->sci = true;
  }
}

void num_of_item(num_digits *t, const arr *a, int64_t i, int pp) {
  if (elt_is_int((elt)a->type)) num_of_int(t, arr_get_int(a, i), pp);
  else num_of_float(t, arr_get_float(a, i), pp);
}

int num_pp(const arr *a, int pp) {
  if (!elt_is_int((elt)a->type)) return pp;
  if (a->type == ET_I64)
    for (int64_t i = 0; i < a->count; i++) {
      int64_t v = ((const int64_t *)a->host)[i];
      if (v != (int32_t)v) return pp;
    }
  return NUM_PP_MAX;
}

int num_left(const num_digits *t) {
  int digits = 1;
  if (t->special) digits = (int)utf8_count(t->special, strlen(t->special));
  else if (t->e > 0) digits = t->e + 1;
  return t->neg + digits;
}

int num_right(const num_digits *t) {
  int places = t->n - 1 - t->e;
  if (t->special || places <= 0) return 0;
  return 1 + places;
}

int num_mantissa(const num_digits *t) {
  if (t->special || t->n < 2) return 0;
  return t->n;
}

/* Digits from .. from + n - 1; there are only zeros around those that t has. */
static char *put_digits(char *p, const num_digits *t, int from, int n) {
  for (int i = from; i < from + n; i++) {
    bool has = i >= 0 && i < t->n;
    *p++ = has ? t->d[i] : '0';
  }
  return p;
}

static char *number_put_text(char *p, const char *z) {
  size_t n = strlen(z);
  memcpy(p, z, n);
  return p + n;
}

static char *put_sci(char *p, const num_digits *t, int mantissa) {
  *p++ = t->d[0];
  if (mantissa > 1) {
    *p++ = '.';
    p = put_digits(p, t, 1, mantissa - 1);
  }
  *p++ = 'E';
  if (t->e < 0) p = number_put_text(p, "¯");
  return p + snprintf(p, 8, "%d", abs(t->e));
}

static char *put_plain(char *p, const num_digits *t) {
  int right = num_right(t);
  if (t->e < 0) *p++ = '0';
  else p = put_digits(p, t, 0, t->e + 1);
  if (!right) return p;
  *p++ = '.';
  return put_digits(p, t, t->e + 1, right - 1);
}

int num_write(const num_digits *t, bool sci, int mantissa, char *out) {
  char *p = out;
  if (t->neg) p = number_put_text(p, "¯");
  if (t->special) p = number_put_text(p, t->special);
  else if (sci) p = put_sci(p, t, mantissa);
  else p = put_plain(p, t);
  return (int)(p - out);
}

static int write_alone(const num_digits *t, char *out) {
  return num_write(t, t->sci, num_mantissa(t), out);
}

int num_text_of_item(const arr *a, int64_t i, int pp, char *out, int64_t *left) {
  num_digits t;
  num_of_item(&t, a, i, pp);
  int n = write_alone(&t, out);
  *left = (int64_t)utf8_count(out, (size_t)n);
  if (arr_get_imag(a, i) == 0) return n;
  out[n++] = 'J';
  num_of_float(&t, arr_get_imag(a, i), pp);
  return n + write_alone(&t, out + n);
}

static void number_put(str *s, const num_digits *t) {
  char buf[NUM_TEXT_MAX];
  str_put(s, buf, (size_t)write_alone(t, buf));
}

void num_format_int(str *s, int64_t v, int pp) {
  num_digits t;
  num_of_int(&t, v, pp);
  number_put(s, &t);
}

void num_format_float(str *s, double v, int pp) {
  num_digits t;
  num_of_float(&t, v, pp);
  number_put(s, &t);
}

/* ── by specification ───────────────────────────────────────────────────────────────── */

enum { HELD = 16 }; /* digits that a float is taken to hold */

/* The float that t's digits, at most 15 of them, say. A quotient of two numbers that floats hold
 * is rounded once, as it should be. */
static double read_back(const num_digits *t) {
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  char text[NUM_TEXT_MAX];
  int k = t->n - 1 - t->e;
  if (k >= 0 && k <= 22) {
    int64_t n = 0;
    for (int i = 0; i < t->n; i++) n = 10 * n + (t->d[i] - '0');
    return (double)n / tens[k];
  }
  snprintf(text, sizeof text, "%.*sE%d", t->n, t->d, -k);
  return strtod(text, NULL);
}

/* The digits of |v|, rounded to `keep` of them (counted from the first one, may be below 1);
 * false if nothing is left. */
static bool digits_of(num_digits *t, double v, int keep, bool decimals) {
  v = fabs(v);
  num_of_float(t, v, HELD - 1);
  if (!t->special && read_back(t) != v) num_of_float(t, v, HELD);
  if (decimals) keep += t->e + 1;
  if (t->special || (t->n == 1 && t->d[0] == '0')) return false;
  if (keep >= t->n) return true;
  bool up = keep >= 0 && t->d[keep] >= '5';
  t->n = keep;
  if (keep < 0) t->n = 0;
  if (up) round_up(t);
  return t->n > 0;
}

/* The digit at place i, `_` where the float holds none. */
static char held_digit(const num_digits *t, int i) {
  if (i < 0) return '0';
  if (i < t->n) return t->d[i];
  return i < HELD ? '0' : '_';
}

static void put_held(str *s, const num_digits *t, int from, int n) {
  char buf[64];
  int in = 0;
  for (int i = from; i < from + n; i++) {
    buf[in++] = held_digit(t, i);
    if (in < (int)sizeof buf && i + 1 < from + n) continue;
    str_put(s, buf, (size_t)in);
    in = 0;
  }
}

void num_fixed(str *s, double v, int decimals) {
  num_digits t;
  if (!digits_of(&t, v, decimals, true))
    t = (num_digits){.special = t.special, .e = -(1 << 28)};
  if (t.special) {
    str_puts(s, t.special);
    return;
  }
  if (t.e < 0) str_put(s, "0", 1);
  else put_held(s, &t, 0, t.e + 1);
  if (decimals) str_put(s, ".", 1);
  put_held(s, &t, t.e + 1, decimals);
}

void num_scaled(str *s, double v, int digits) {
  num_digits t;
  if (!digits_of(&t, v, digits, false) && !t.special) t = (num_digits){.n = 1, .d = "0"};
  if (t.special) {
    str_puts(s, t.special);
    return;
  }
  put_held(s, &t, 0, 1);
  if (digits > 1) str_puts(s, ".");
  put_held(s, &t, 1, digits - 1);
  str_put(s, "E", 1);
  if (t.e < 0) str_puts(s, "¯");
  num_format_int(s, abs(t.e), NUM_PP_MAX);
}

bool num_is_zero(double v, int decimals) {
  num_digits t;
  return !digits_of(&t, v, decimals, true) && !t.special;
}
