/* SPDX-License-Identifier: MIT */
/* na_library.c - functions for tests/lang/na.apl to call: each type and width by value, in, out and
 * both; texts, structures, pointers, many arguments. It knows nothing of vapl. */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>

/* FUNCTION(result, name, (parameters)) { … } */
#define FUNCTION(result, name, parameters)                                               \
  __attribute__((visibility("default"))) result name parameters;                         \
  result name parameters

/* clang-format off */
#define TYPES(T)                                                                         \
  T(i1, int8_t) T(i2, int16_t) T(i4, int32_t) T(i8, int64_t)                             \
  T(u1, uint8_t) T(u2, uint16_t) T(u4, uint32_t) T(u8, uint64_t)                         \
  T(f4, float) T(f8, double) T(c1, unsigned char) T(c2, char16_t) T(c4, char32_t)

#define FOUR(name, type)                                                                 \
  FUNCTION(type, name##_next, (type x)) { return (type)(x + 1); }                        \
  FUNCTION(type, name##_sum, (const type *x, int64_t n)) {                               \
    type sum = 0;                                                                        \
    for (int64_t i = 0; i < n; i++) sum = (type)(sum + x[i]);                            \
    return sum;                                                                          \
  }                                                                                      \
  FUNCTION(void, name##_count, (type *to, int64_t n)) {                                  \
    for (int64_t i = 0; i < n; i++) to[i] = (type)(i + 65);                              \
  }                                                                                      \
  FUNCTION(int, name##_turn, (type *x, int64_t n)) {                                     \
    for (int64_t i = 0; i < n / 2; i++) {                                                \
      type k = x[i];                                                                     \
      x[i] = x[n - 1 - i];                                                               \
      x[n - 1 - i] = k;                                                                  \
    }                                                                                    \
    return (int)n;                                                                       \
  }
TYPES(FOUR)
/* clang-format on */

FUNCTION(double complex, j_square, (double complex x)) { return x * x; }
FUNCTION(void, j_conjugate, (double complex *x, int32_t n)) {
  for (int32_t i = 0; i < n; i++) x[i] = conj(x[i]);
}

/* ── many arguments ── */

FUNCTION(int64_t, twelve,
         (int8_t a, int16_t b, int32_t c, int64_t d, uint8_t e, uint16_t f, uint32_t g,
          uint64_t h, int8_t i, int16_t j, int32_t k, int64_t l)) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * (int64_t)g + 8 * (int64_t)h +
         9 * i + 10 * j + 11 * k + 12 * l;
}
FUNCTION(double, ten_floats,
         (double a, double b, double c, double d, double e, double f, double g, double h,
          double i, double j)) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
FUNCTION(double, mixed,
         (float a, int8_t b, double c, int64_t d, float e, uint16_t f, double g,
          int32_t h, float i, uint8_t j)) {
  return (double)a + 2 * b + 3 * c + 4 * (double)d + 5 * (double)e + 6 * f + 7 * g +
         8 * h + 9 * (double)i + 10 * j;
}
FUNCTION(int, seven, (void)) { return 7; }
FUNCTION(void, nothing, (int x)) { (void)x; }

/* ── texts ── */

FUNCTION(size_t, text_length, (const char *s)) { return strlen(s); }
FUNCTION(size_t, wide_length, (const char32_t *s)) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
FUNCTION(size_t, units_16, (const char16_t *s)) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
FUNCTION(int, text_copy, (char *to, const char *from)) {
  strcpy(to, from);
  return (int)strlen(to);
}
FUNCTION(int, wide_copy, (char32_t *to, const char32_t *from)) {
  int n = 0;
  while ((to[n] = from[n])) n++;
  return n;
}
FUNCTION(void, text_upper, (char *s)) {
  for (; *s; s++)
    if (*s >= 'a' && *s <= 'z') *s = (char)(*s - 32);
}
FUNCTION(const char *, text_constant, (int which)) {
  return which ? "gr\xC3\xBC\xC3\x9F dich" : NULL;
}
FUNCTION(const char16_t *, text_16, (void)) { return u"a\U0001F600z"; }
FUNCTION(const int32_t *, three_numbers, (int there)) {
  static const int32_t numbers[] = {3, 1, 4};
  return there ? numbers : NULL;
}
/* A number in front of as many bytes. */
FUNCTION(void, counted_turn, (unsigned char *s)) {
  for (int i = 0; i < s[0] / 2; i++) {
    unsigned char k = s[1 + i];
    s[1 + i] = s[s[0] - i];
    s[s[0] - i] = k;
  }
}
FUNCTION(void, counted_make, (unsigned char *s, int n)) {
  s[0] = (unsigned char)n;
  memset(s + 1, 'x', (size_t)n);
}

/* ── pointers and structures ── */

FUNCTION(void *, make_numbers, (int32_t n)) {
  double *p = malloc(sizeof *p * (size_t)(n + !n));
  for (int32_t i = 0; p && i < n; i++) p[i] = i * 0.5;
  return p;
}
FUNCTION(double, number_at, (const double *p, int32_t i)) { return p[i]; }
FUNCTION(void, free_numbers, (void *p)) { free(p); }

#pragma pack(push, 1)
typedef struct point {
  int16_t x, y;
} point;
typedef struct record {
  int8_t kind;
  double weight;
  point at;
  char name[6];
} record;
#pragma pack(pop)

FUNCTION(double, record_weight, (const record *r)) {
  return r->kind * r->weight + r->at.x - r->at.y + (double)strlen(r->name);
}
FUNCTION(void, record_make, (record * r)) {
  *r = (record){.kind = 2, .weight = 2.5, .at = {-3, 4}, .name = "abc"};
}
FUNCTION(void, points_turn, (point * p, int n)) {
  for (int i = 0; i < n; i++) {
    int16_t x = p[i].x;
    p[i].x = p[i].y;
    p[i].y = x;
  }
}
FUNCTION(void, points_make, (point * p, int n)) {
  for (int i = 0; i < n; i++) p[i] = (point){(int16_t)i, (int16_t)(i * i)};
}
