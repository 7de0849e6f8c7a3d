/* SPDX-License-Identifier: MIT */
/* relations.c - comparisons whose truth values go into words of 64, for one instruction set.
 *
 * AVX-512 compares vectors to a mask of bits, which is what an array of truth values holds, and AVX2 has an
 * instruction that makes one: bytes for each of them, as the loops of rows.c give, are not made then. Other
 * instruction sets have these loops alone.
 *
 * Doubles within ⎕CT of each other are rare, and their integers are close together: with the sign
 * and the exponent above the digits, the integers of two numbers of one sign are as far apart as there
 * are doubles from one to the other. So 64 pairs are compared exactly, and the tolerant loop is asked
 * where one of them is that close and not the same. */
#include "../base/isa.h"

#include "../base/macros.h"
#include "relations.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>

/* 64 pairs: how they compare, and whether the tolerant loop must be asked. */
typedef struct pairs {
  uint64_t are, close;
} pairs;

#if defined(__AVX512BW__)
typedef __m512i vec;
#define LOAD(at) _mm512_loadu_si512(at)

/* Is the distance of integers of x and y from 1 to `near`? */
static inline uint64_t close_together(vec x, vec y, int64_t near) {
  vec by = _mm512_add_epi64(_mm512_sub_epi64(x, y), _mm512_set1_epi64(near));
  __mmask8 m = _mm512_cmp_epu64_mask(by, _mm512_set1_epi64(2 * near), _MM_CMPINT_LE);
  return _mm512_mask_cmp_epi64_mask(m, x, y, _MM_CMPINT_NE);
}

#define CMP_8(x, y, is) _mm512_cmp_epi8_mask(x, y, _MM_CMPINT_##is)
#define CMP_16(x, y, is) _mm512_cmp_epi16_mask(x, y, _MM_CMPINT_##is)
#define CMP_32(x, y, is) _mm512_cmp_epi32_mask(x, y, _MM_CMPINT_##is)
#define CMP_64(x, y, is) _mm512_cmp_epi64_mask(x, y, _MM_CMPINT_##is)
#define CMP_D(x, y, is)                                                                  \
  _mm512_cmp_pd_mask(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), FLOAT_##is)
#define CMP_S(x, y, is)                                                                  \
  _mm512_cmp_ps_mask(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), FLOAT_##is)
#else
typedef __m256i vec;
#define LOAD(at) _mm256_loadu_si256((const vec *)(at))

/* The uppermost bits of the elements. */
static inline uint32_t mask_8(vec m) { return (uint32_t)_mm256_movemask_epi8(m); }
static inline uint32_t mask_16(vec m) { /* the two halves of 128 bits give 8 bits each */
  uint32_t r = mask_8(_mm256_packs_epi16(m, _mm256_setzero_si256()));
  return (r & 0xff) | (r >> 8 & 0xff00);
}
static inline uint32_t mask_32(vec m) {
  return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(m));
}
static inline uint32_t mask_64(vec m) {
  return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(m));
}

/* As above. There are comparisons of signed integers alone. */
static inline uint64_t close_together(vec x, vec y, int64_t near) {
  vec by = _mm256_add_epi64(_mm256_sub_epi64(x, y), _mm256_set1_epi64x(INT64_MIN + near));
  vec apart =
      _mm256_or_si256(_mm256_cmpgt_epi64(by, _mm256_set1_epi64x(INT64_MIN + 2 * near)),
                      _mm256_cmpeq_epi64(x, y));
  return mask_64(apart) ^ 15;
}

#define IS_LT(x, y, bits) mask_##bits(_mm256_cmpgt_epi##bits(y, x))
#define IS_NLE(x, y, bits) mask_##bits(_mm256_cmpgt_epi##bits(x, y))
#define IS_EQ(x, y, bits) mask_##bits(_mm256_cmpeq_epi##bits(x, y))
#define IS_LE(x, y, bits) (IS_NLE(x, y, bits) ^ LANES_##bits)
#define IS_NLT(x, y, bits) (IS_LT(x, y, bits) ^ LANES_##bits)
#define IS_NE(x, y, bits) (IS_EQ(x, y, bits) ^ LANES_##bits)
#define LANES_8 0xffffffffu /* a bit for each element of a vector */
#define LANES_16 0xffffu
#define LANES_32 0xffu
#define LANES_64 0xfu
#define CMP_8(x, y, is) IS_##is(x, y, 8)
#define CMP_16(x, y, is) IS_##is(x, y, 16)
#define CMP_32(x, y, is) IS_##is(x, y, 32)
#define CMP_64(x, y, is) IS_##is(x, y, 64)
#define CMP_D(x, y, is)                                                                  \
  _mm256_movemask_pd(                                                                    \
      _mm256_cmp_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(y), FLOAT_##is))
#define CMP_S(x, y, is)                                                                  \
  _mm256_movemask_ps(                                                                    \
      _mm256_cmp_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), FLOAT_##is))
#endif
#define FLOAT_LT _CMP_LT_OQ
#define FLOAT_LE _CMP_LE_OQ
#define FLOAT_EQ _CMP_EQ_OQ
#define FLOAT_NLT _CMP_GE_OQ
#define FLOAT_NLE _CMP_GT_OQ
#define FLOAT_NE _CMP_NEQ_UQ

#define RELATION(name, is, kind, size, tolerant)                                         \
  static inline pairs name##_##is(const char *x, const char *y, int64_t near) {          \
    enum { LANES = sizeof(vec) / (size) };                                               \
    pairs r = {0, 0};                                                                    \
    UNUSED(near);                                                                        \
    for (int k = 0; k < 64 / LANES; k++) {                                               \
      vec a = LOAD(x + (int)sizeof a * k), b = LOAD(y + (int)sizeof b * k);              \
      r.are |= (uint64_t)CMP_##kind(a, b, is) << k * LANES % 64;                         \
      if (tolerant) r.close |= close_together(a, b, near);                               \
    }                                                                                    \
    return r;                                                                            \
  }
static uint64_t tolerantly(const sc_relation *how, const char *x, const char *y) {
  sc_state s = {.ct = how->ct};
  bool are[64];
  uint64_t bits = 0;
  how->fn(&s, (sc_arg){x, 1}, (sc_arg){y, 1}, are, 64);
  for (int k = 0; k < 64; k += (int)sizeof(vec))
    bits |= (uint64_t)CMP_8(LOAD(are + k), (vec){0}, NE) << k;
  return bits;
}

/* Elements in room for 64, zeros behind them. */
static inline void fill(char *room, const char *from, size_t bytes, size_t size) {
#if defined(__AVX512BW__) /* a copy of a length that is not known is a call */
  for (size_t k = 0; k < 64 * size; k += 64) {
    __mmask64 are =
        k >= bytes ? 0 : UINT64_MAX >> (bytes - k < 64 ? 64 - (bytes - k) : 0);
    _mm512_storeu_si512(room + k, _mm512_maskz_loadu_epi8(are, from + k));
  }
#else
  memset(room + bytes, 0, 64 * size - bytes);
  memcpy(room, from, bytes);
#endif
}

/* The pairs behind the last whole word. */
static void rest(const sc_relation *how, size_t size, sc_arg x, sc_arg y, int64_t n,
                 uint8_t *bits) {
  _Alignas(64) char of[2][64 * 8];
  uint64_t word;
  int64_t at = n / 64 * 64, before = at * (int64_t)size, m = n - at;
  fill(of[0], (const char *)x.at + before * x.step, (size_t)m * size, size);
  fill(of[1], (const char *)y.at + before * y.step, (size_t)m * size, size);
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
#define RELATIONS(name, kind, size, tolerant)                                            \
  RELATION(name, LT, kind, size, tolerant)                                               \
  RELATION(name, LE, kind, size, tolerant)                                               \
  RELATION(name, EQ, kind, size, tolerant)                                               \
  RELATION(name, NLT, kind, size, tolerant)                                              \
  RELATION(name, NLE, kind, size, tolerant)                                              \
  RELATION(name, NE, kind, size, tolerant)                                               \
  static void name(const sc_relation *how, sc_arg x, sc_arg y, int64_t n,                \
                   uint8_t *bits) {                                                      \
    const int64_t near = (tolerant) ? how->near : 0, xs = x.step * (size)*64,            \
                  ys = y.step * (size)*64;                                               \
    const char *a = x.at, *b = y.at;                                                     \
    if (n % 64) rest(how, size, x, y, n, bits);                                          \
    switch (how->f) {                                                                    \
    case P_LT: EACH_WORD(name##_LT);                                                     \
    case P_LE: EACH_WORD(name##_LE);                                                     \
    case P_EQ: EACH_WORD(name##_EQ);                                                     \
    case P_GE: EACH_WORD(name##_NLT);                                                    \
    case P_GT: EACH_WORD(name##_NLE);                                                    \
    default: EACH_WORD(name##_NE);                                                       \
    }                                                                                    \
  }

RELATIONS(bytes, 8, 1, false)
RELATIONS(shorts, 16, 2, false)
RELATIONS(words, 32, 4, false)
RELATIONS(longs, 64, 8, false)
RELATIONS(doubles, D, 8, true)
RELATIONS(floats, S, 4, false)
const sc_relations ISA_NAME(sc_relations) = {
    {NULL, bytes, shorts, words, longs, doubles, floats}};
#else
const sc_relations ISA_NAME(sc_relations) = {{NULL}};
#endif
