/* SPDX-License-Identifier: MIT */
/* numeral.c - numeric literals: the text of a number to an integer, a float or a complex.
 *
 *   number = real [("J" | "j") real]
 *   real   = ["¯"] (digits ["." [digits]] | "." digits) [("E" | "e") ["¯"] digits]
 *
 * Digits alone are an exact integer if they fit 64 bits. Everything else goes through the
 * nearest double; one that is whole and at most 2^53 is an integer too (`1E6`, `5.`, `2J0`),
 * because no digit was lost, and a count written `1E6` then stays exact in arithmetic.
 *
 * Conversion is correctly rounded and knows no locale. Short numbers are one exact integer
 * times or divided by an exact power of ten, hence rounded once. The others are rewritten as
 * `digitsEexponent`, without a decimal point, and strtod reads that alike in every locale.
 * 767 significant digits tell every double from every midpoint between two; those beyond
 * MAX_DIGITS only matter as "there is something more", which one appended 1 says. */
#include <math.h>
#include <stdlib.h>
#include "literal.h"

enum { MAX_DIGITS = 780, EXACT_POWERS = 22 };
static const double POW10[EXACT_POWERS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};
/* Every integer up to it is a double: 2^53. */
static const uint64_t EXACT_MAX = UINT64_C(9007199254740992);

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Skips a high minus; true if there was one. */
static bool take_minus(const char **p, const char *end) {
  if (end - *p < 2 || (*p)[0] != '\xC2' || (*p)[1] != '\xAF') return false;
  *p += 2;
  return true;
}

static const char *skip_digits(const char *p, const char *end) {
  while (p < end && is_digit(*p)) p++;
  return p;
}

/* strtod of the digits in buf[n] with exponent e; buf has room for the exponent. */
static double slow_double(char *buf, size_t n, int64_t e) {
  const int64_t most = 9999; /* beyond it all digits are lost */
  int64_t size = e < 0 ? -e : e;
  if (size > most) size = most;
  buf[n++] = 'E';
  if (e < 0) buf[n++] = '-';
  for (int64_t power = 1000; power > 0; power /= 10)
    buf[n++] = (char)('0' + size / power % 10);
  buf[n] = 0;
  return strtod(buf, NULL);
}

double lex_decimal(const char *p, const char *q, char point, int64_t e) {
  char buf[MAX_DIGITS + 16];
  size_t n = 0;
  uint64_t m = 0; /* the digits as an integer while n <= 19 */
  bool behind_point = false, more = false;
  for (; p < q; p++) {
    if (*p == point) {
      behind_point = true;
    } else if (n < MAX_DIGITS) {
      if (n > 0 || *p != '0') {
        buf[n++] = *p;
        if (n <= 19) m = m * 10 + (uint64_t)(*p - '0');
      }
      e -= behind_point;
    } else {
      more |= *p != '0';
      e += !behind_point;
    }
  }
  if (n == 0) return 0;
  if (n <= 19 && m <= EXACT_MAX) {
    if (e >= 0 && e <= EXACT_POWERS) return (double)m * POW10[e];
    if (e < 0 && e >= -EXACT_POWERS) return (double)m / POW10[-e];
  }
  if (more) {
    buf[n++] = '1';
    e--;
  }
  return slow_double(buf, n, e);
}

/* digits alone to an i64; false if it does not fit. */
static bool to_int(const char *p, const char *q, bool negative, int64_t *out) {
  uint64_t m = 0, limit = (uint64_t)INT64_MAX + negative;
  for (; p < q; p++) {
    uint64_t d = (uint64_t)(*p - '0');
    if (m > (limit - d) / 10) return false;
    m = m * 10 + d;
  }
  if (negative) m = 0 - m;
  *out = (int64_t)m;
  return true;
}

static tnum whole(int64_t i) { return (tnum){.kind = KIND_INT, .i = i, .re = (double)i}; }

/* [("E" | "e") ["¯"] digits]: moves *p behind it; the exponent, saturated far beyond what a
 * text of 2^32 bytes can bring back into range. */
static int64_t scan_exponent(const char **p, const char *end) {
  const int64_t huge = INT64_C(1000000000000);
  if (*p == end || (**p != 'E' && **p != 'e')) return 0;
  const char *q = *p + 1;
  bool negative = take_minus(&q, end);
  if (q == end || !is_digit(*q)) return 0;
  int64_t e = 0;
  for (; q < end && is_digit(*q); q++) {
    e = e * 10 + (*q - '0');
    if (e > huge) e = huge;
  }
  *p = q;
  if (negative) e = -e;
  return e;
}

/* real: moves *p behind it. 1, 0 if there is none, -1 if it is too large for a double. */
static int scan_real(const char **p, const char *end, tnum *out) {
  const char *q = *p;
  bool negative = take_minus(&q, end);
  const char *from = q, *digits = skip_digits(q, end), *to = digits;
  if (to < end && *to == '.') to = skip_digits(to + 1, end);
  if (to - from == (digits < to)) return 0; /* no digit at all */
  const char *behind = to;
  int64_t e = scan_exponent(&behind, end), i;
  *p = behind;
  if (behind == digits && to_int(from, to, negative, &i)) {
    *out = whole(i);
    return 1;
  }
  double d = lex_decimal(from, to, '.', e);
  if (isinf(d)) return -1;
  if (negative) d = -d;
  bool exact = behind != digits && fabs(d) <= (double)EXACT_MAX && d == floor(d);
  if (exact) *out = whole((int64_t)d);
  else *out = (tnum){.kind = KIND_FLOAT, .re = d};
  return 1;
}

size_t lex_number(const char *p, const char *end, tnum *out) {
  const char *q = p;
  tnum re, im;
  if (scan_real(&q, end, &re) <= 0) return 0;
  *out = re;
  if (q == end || (*q != 'J' && *q != 'j')) return (size_t)(q - p);
  const char *r = q + 1;
  int got = scan_real(&r, end, &im);
  if (got < 0) return 0;
  if (got == 0) return (size_t)(q - p);
  if (im.re != 0) *out = (tnum){.kind = KIND_COMPLEX, .re = re.re, .im = im.re};
  return (size_t)(r - p);
}
