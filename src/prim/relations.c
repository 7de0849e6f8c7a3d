/* SPDX-License-Identifier: MIT */
/* relations.c - comparisons whose truth values go into words of 64, for one instruction set.
 *
 * AVX-512 compares vectors to a mask of bits, which is what an array of truth values holds: bytes
 * for each of them, as the loops of rows.c give, are not made then. Other instruction sets have
 * these loops alone.
 *
 * Doubles within ⎕CT of each other are rare, and their integers are close together: with the sign
 * and the exponent above the digits, the integers of two numbers of one sign are as far apart as there
 * are doubles from one to the other. So 64 pairs are compared exactly, and the tolerant loop is asked
 * where one of them is that close and not the same. */
#include "../base/isa.h"

#include "../base/macros.h"
#include "relations.h"

#if defined(__AVX512BW__)
#include <immintrin.h>

/* 64 pairs: how they compare, and whether the tolerant loop must be asked. */
typedef struct pairs {
  uint64_t are, close;
} pairs;

/* Is the distance of integers of x and y from 1 to `near`? */
static inline uint64_t close_together(__m512i x, __m512i y, int64_t near) {
  __m512i by = _mm512_add_epi64(_mm512_sub_epi64(x, y), _mm512_set1_epi64(near));
  __mmask8 m = _mm512_cmp_epu64_mask(by, _mm512_set1_epi64(2 * near), _MM_CMPINT_LE);
  return _mm512_mask_cmp_epi64_mask(m, x, y, _MM_CMPINT_NE);
}

#define CMP_8(x, y, is) _mm512_cmp_epi8_mask(x, y, _MM_CMPINT_##is)
#define CMP_16(x, y, is) _mm512_cmp_epi16_mask(x, y, _MM_CMPINT_##is)
#define CMP_32(x, y, is) _mm512_cmp_epi32_mask(x, y, _MM_CMPINT_##is)
#define CMP_64(x, y, is) _mm512_cmp_epi64_mask(x, y, _MM_CMPINT_##is)
#define FLOAT_LT _CMP_LT_OQ
#define FLOAT_LE _CMP_LE_OQ
#define FLOAT_EQ _CMP_EQ_OQ
#define FLOAT_NLT _CMP_GE_OQ
#define FLOAT_NLE _CMP_GT_OQ
#define FLOAT_NE _CMP_NEQ_UQ
#define CMP_D(x, y, is)                                                                  \
  _mm512_cmp_pd_mask(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), FLOAT_##is)
#define CMP_S(x, y, is)                                                                  \
  _mm512_cmp_ps_mask(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), FLOAT_##is)

#define RELATION(name, is, kind, lanes, tolerant)                                        \
  static inline pairs name##_##is(const char *x, const char *y, int64_t near) {          \
    pairs r = {0, 0};                                                                    \
    UNUSED(near);                                                                        \
    for (int k = 0; k < 64 / (lanes); k++) {                                             \
      __m512i a = _mm512_loadu_si512(x + 64 * k), b = _mm512_loadu_si512(y + 64 * k);    \
      r.are |= (uint64_t)CMP_##kind(a, b, is) << k * (lanes) % 64;                       \
      if (tolerant) r.close |= close_together(a, b, near);                               \
    }                                                                                    \
    return r;                                                                            \
  }
static uint64_t tolerantly(const sc_relation *how, const char *x, const char *y) {
  sc_state s = {.ct = how->ct};
  bool are[64];
  how->fn(&s, (sc_arg){x, 1}, (sc_arg){y, 1}, are, 64);
  __m512i v = _mm512_loadu_si512(are);
  return _mm512_test_epi8_mask(v, v);
}

/* The pairs behind the last whole word: in room for one. */
static void rest(const sc_relation *how, size_t size, sc_arg x, sc_arg y, int64_t n,
                 uint8_t *bits) {
  char of[2][64 * 8];
  uint64_t word;
  int64_t at = n / 64 * 64, bytes = at * (int64_t)size, m = n - at;
  const char *a = (const char *)x.at + bytes * x.step,
             *b = (const char *)y.at + bytes * y.step;
  for (size_t k = 0, all = (size_t)m * size; k < 64 * size; k += 64) { /* zeros behind */
    __mmask64 are = k >= all ? 0 : UINT64_MAX >> (all - k < 64 ? 64 - (all - k) : 0);
    _mm512_storeu_si512(of[0] + k, _mm512_maskz_loadu_epi8(are, a + k));
    _mm512_storeu_si512(of[1] + k, _mm512_maskz_loadu_epi8(are, b + k));
  }
  how->run(how, (sc_arg){of[0], 1}, (sc_arg){of[1], 1}, 64, (uint8_t *)&word);
  word &= ((uint64_t)1 << m) - 1;
  memcpy(bits + at / 8, &word, (size_t)(m + 7) / 8);
}

#define EACH_WORD(pairs_of)                                                              \
  for (int64_t k = 0; k < n / 64; k++, a += xs, b += ys) {                               \
    pairs p = pairs_of(a, b, near);                                                      \
    if (p.close) p.are = tolerantly(how, a, b);                                          \
    memcpy(bits + 8 * k, &p.are, 8);                                                     \
  }                                                                                      \
  break
#define RELATIONS(name, kind, lanes, tolerant)                                           \
  RELATION(name, LT, kind, lanes, tolerant)                                              \
  RELATION(name, LE, kind, lanes, tolerant)                                              \
  RELATION(name, EQ, kind, lanes, tolerant)                                              \
  RELATION(name, NLT, kind, lanes, tolerant)                                             \
  RELATION(name, NLE, kind, lanes, tolerant)                                             \
  RELATION(name, NE, kind, lanes, tolerant)                                              \
  static void name(const sc_relation *how, sc_arg x, sc_arg y, int64_t n,                \
                   uint8_t *bits) {                                                      \
    enum { SIZE = 64 / (lanes) };                                                        \
    const int64_t near = (tolerant) ? how->near : 0, xs = x.step * SIZE * 64,            \
                  ys = y.step * SIZE * 64;                                               \
    const char *a = x.at, *b = y.at;                                                     \
    if (n % 64) rest(how, SIZE, x, y, n, bits);                                          \
    switch (how->f) {                                                                    \
    case P_LT: EACH_WORD(name##_LT);                                                     \
    case P_LE: EACH_WORD(name##_LE);                                                     \
    case P_EQ: EACH_WORD(name##_EQ);                                                     \
    case P_GE: EACH_WORD(name##_NLT);                                                    \
    case P_GT: EACH_WORD(name##_NLE);                                                    \
    default: EACH_WORD(name##_NE);                                                       \
    }                                                                                    \
  }

RELATIONS(bytes, 8, 64, false)
RELATIONS(shorts, 16, 32, false)
RELATIONS(words, 32, 16, false)
RELATIONS(longs, 64, 8, false)
RELATIONS(doubles, D, 8, true)
RELATIONS(floats, S, 16, false)
const sc_relations ISA_NAME(sc_relations) = {
    {NULL, bytes, shorts, words, longs, doubles, floats}};
#else
const sc_relations ISA_NAME(sc_relations) = {{NULL}};
#endif
