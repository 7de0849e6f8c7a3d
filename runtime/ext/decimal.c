/* SPDX-License-Identifier: MIT */
/* decimal.c - numbers in files: their text read and written, as every program has it.
 *
 * Most numbers have fewer than 20 digits and a small power of ten; their value is one product or
 * quotient, rounded once. The others are read as literals are. What is beyond a float is no
 * number. */
#include "../../src/array/number.h"
#include "../../src/lexer/literal.h"
#include "csv.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EXACT = 22 };

/* The digits of a number as they are read. */
typedef struct digits {
  uint64_t all; /* the first 19 of them */
  int n, dropped;
  int64_t exponent;
  bool negative, whole;
} digits;

/* The exponent at p, which is behind its E, into *e, saturated far beyond what the digits of a
 * text can bring back into range. Returns behind it, or NULL. */
static const char *read_exponent(const char *p, const char *end, int64_t *e) {
  const int64_t huge = INT64_C(1000000000000);
  bool negative = false;
  if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
  else if (end - p >= 2 && !memcmp(p, "\xC2\xAF", 2)) {
    negative = true;
    p += 2;
  }
  const char *q = p;
  for (; q < end && *q >= '0' && *q <= '9'; q++)
    if (*e < huge) *e = *e * 10 + *q - '0';
  if (q == p) return NULL;
  if (negative) *e = -*e;
  return q;
}

static const double power_of_ten[MOST_EXACT + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* n / 10*k, rounded once: of n and 10*k, each with its highest bit set, the quotient has 63 bits
 * or more, and its last one stands for all that are behind it. k: 1 to 19; n: not 0. */
static double quotient(uint64_t n, int k) {
  __extension__ typedef unsigned __int128 wide;
  uint64_t ten = (uint64_t)power_of_ten[k - k / 19];
  if (k == 19) ten *= 10;
  int up = __builtin_clzll(n), ten_up = __builtin_clzll(ten);
  wide all = (wide)(n << up) << 63;
  ten <<= ten_up;
  uint64_t q = (uint64_t)(all / ten);
  return ldexp((double)(q | (all % ten != 0)), ten_up - up - 63);
}

/* The digits t, which stand in [from, end), times 10*e. */
static double value_of(const digits *t, const char *from, const char *end, char point,
                       int64_t e) {
  int64_t k = t->exponent + e;
  bool small = t->all <= (uint64_t)1 << 53;
  if (t->dropped || k < -MOST_EXACT || k > MOST_EXACT || (!small && (k >= 0 || k < -19)))
    return lex_decimal(from, end, point, e);
  if (!small) return quotient(t->all, (int)-k);
  if (k < 0) return (double)t->all / power_of_ten[-k];
  return (double)t->all * power_of_ten[k];
}

static inline bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

/* How many of the 8 bytes of t, each its digit's value or something larger, begin with digits. */
static inline int leading_digits(uint64_t t) {
  uint64_t others = ((t + 0x7676767676767676u) | t) & 0x8080808080808080u;
  return others ? __builtin_ctzll(others) / 8 : 8;
}

/* The number of 8 digits, the first in the lowest byte: pairs, then fours, then all. */
static inline uint64_t number_of_eight(uint64_t t) {
  t = t * 10 + (t >> 8);
  return ((t & 0x000000FF000000FFu) * 0x000F424000000064u +
          (t >> 16 & 0x000000FF000000FFu) * 0x0000271000000001u) >>
         32;
}

/* 8 characters, the first in the lowest byte, digits as the numbers that they are. */
static inline uint64_t eight_figures(const char *p) {
  uint64_t t;
  memcpy(&t, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  t = __builtin_bswap64(t);
#endif
  return t ^ 0x3030303030303030u;
}

/* Digits at *p, added to n; *p behind them. Eight at a time, for their number is what a
 * processor cannot foresee. */
static inline uint64_t more_digits(const char **p, const char *end, uint64_t n) {
  static const uint64_t power[] = {1,      10,      100,      1000,     10000,
                                   100000, 1000000, 10000000, 100000000};
  const char *q = *p;
  while (end - q >= 8) {
    uint64_t t = eight_figures(q);
    int k = leading_digits(t);
    if (k) n = n * power[k] + number_of_eight(t << 8 * (8 - k));
    q += k;
    if (k == 8) continue;
    *p = q;
    return n;
  }
  for (; q < end && is_digit(*q); q++) n = n * 10 + (uint64_t)(*q - '0');
  *p = q;
  return n;
}

/* A number below 8 bytes, point and all, behind which there are more: one word, out of which the
 * point is taken. Returns behind it, or NULL; *behind: the digits after the point. */
static inline const char *short_number(const char *p, char point, uint64_t *n,
                                       int64_t *behind, bool *whole) {
  uint64_t t = eight_figures(p);
  uint64_t others = (((t & 0x7F7F7F7F7F7F7F7Fu) + 0x7676767676767676u) | t) &
                    0x8080808080808080u; /* the bytes that are no digits */
  if (!others) return NULL;
  int k = __builtin_ctzll(others) / 8, figures = k;
  *behind = 0;
  *whole = p[k] != point;
  if (!*whole) {
    others &= others - 1;
    if (!others) return NULL;
    uint64_t before = ((uint64_t)1 << 8 * k) - 1;
    figures = __builtin_ctzll(others) / 8 - 1;
    *behind = figures - k;
    t = (t & before) | (t >> 8 & ~before);
  }
  if (!figures) return NULL;
  *n = number_of_eight(t << 8 * (8 - figures));
  return p + figures + !*whole;
}

const char *csv_plain_number(const char *p, const char *end, char point, bool *whole,
                             int64_t *i, double *d) {
  bool negative = p < end && *p == '-';
  const char *from = p + negative, *q = NULL;
  uint64_t n;
  int64_t behind = 0;
  if (end - from >= 8) q = short_number(from, point, &n, &behind, whole);
  if (!q) {
    q = from;
    n = more_digits(&q, end, 0);
    *whole = q == end || *q != point;
    if (!*whole) {
      const char *dot = q++;
      n = more_digits(&q, end, n);
      behind = q - dot - 1;
    }
    int64_t figures = q - from - !*whole;
    if (figures < 1 || figures > 19 || n > INT64_MAX) return NULL;
  }
  if ((!n && negative) || (q < end && (*q | 32) == 'e')) return NULL;
  *i = negative ? -(int64_t)n : (int64_t)n;
  *d = (double)*i;
  if (!behind) return q;
  if (n <= (uint64_t)1 << 53) *d /= power_of_ten[behind];
  else {
    double size = quotient(n, (int)behind);
    *d = negative ? -size : size;
  }
  return q;
}

const char *csv_number(const char *p, const char *end, char point, bool *whole,
                       int64_t *i, double *d) {
  digits t = {.whole = true};
  if (p < end && *p == '-') t.negative = true, p++;
  else if (end - p >= 2 && !memcmp(p, "\xC2\xAF", 2)) t.negative = true, p += 2;
  const char *from = p;
  int seen = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++, seen++) {
    if (t.n < 19) t.all = t.all * 10 + (uint64_t)(*p - '0'), t.n += t.all != 0;
    else t.exponent++, t.dropped++;
  }
  if (p < end && *p == point) {
    t.whole = false;
    for (p++; p < end && *p >= '0' && *p <= '9'; p++, seen++) {
      if (t.n < 19) {
        t.all = t.all * 10 + (uint64_t)(*p - '0');
        t.n += t.all != 0;
        t.exponent--;
      } else t.dropped++;
    }
  }
  if (!seen) return NULL;
  if (t.whole && !t.dropped && t.all <= INT64_MAX &&
      (p == end || (*p != 'e' && *p != 'E'))) {
    *whole = !(t.negative && !t.all); /* -0 is a float */
    *i = t.negative ? -(int64_t)t.all : (int64_t)t.all;
    *d = t.negative ? -(double)t.all : (double)t.all;
    return p;
  }
  const char *digits_end = p;
  int64_t e = 0;
  if (p < end && (*p == 'e' || *p == 'E')) p = read_exponent(p + 1, end, &e);
  if (!p) return NULL;
  *whole = false;
  *d = value_of(&t, from, digits_end, point, e);
  if (isinf(*d)) return NULL;
  if (t.negative) *d = -*d;
  return p;
}

/* Is the number of these digits v again? */
static bool gives_back(const num_digits *t, double v, bool narrow) {
  char text[80];
  snprintf(text, sizeof text, "%.*sE%d", t->n, t->d, t->e - t->n + 1);
  if (narrow) return strtof(text, NULL) == (float)v;
  return strtod(text, NULL) == v;
}

void csv_put_float(str *s, double d, bool narrow, char point) {
  num_digits t;
  double size = d < 0 ? -d : d;
  for (int pp = narrow ? 6 : 15; pp <= 17; pp++) {
    num_of_float(&t, size, pp);
    if (t.special || gives_back(&t, size, narrow)) break;
  }
  if (t.special) {
    str_puts(s, d != d ? "NaN" : d < 0 ? "-Infinity" : "Infinity");
    return;
  }
  if (d < 0 || (d == 0 && 1 / d < 0)) str_puts(s, "-");
  if (t.e < -5 || t.e > 20) {
    str_put(s, t.d, 1);
    if (t.n > 1) str_put(s, &point, 1);
    str_put(s, t.d + 1, (size_t)(t.n - 1));
    str_printf(s, "e%d", t.e);
    return;
  }
  if (t.e < 0) {
    str_puts(s, "0");
    str_put(s, &point, 1);
    for (int k = -1; k > t.e; k--) str_puts(s, "0");
    str_put(s, t.d, (size_t)t.n);
    return;
  }
  for (int k = 0; k <= t.e; k++) str_put(s, k < t.n ? &t.d[k] : "0", 1);
  if (t.n <= t.e + 1) return;
  str_put(s, &point, 1);
  str_put(s, t.d + t.e + 1, (size_t)(t.n - t.e - 1));
}
