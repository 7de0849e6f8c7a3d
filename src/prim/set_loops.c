/* SPDX-License-Identifier: MIT */
/* set_loops.c - see set_loops.h; for one instruction set. A vector of bytes is looked up in a table of
 * sixteen bytes by one instruction, a vector of numbers in one of 64 bytes. */
#include "../base/isa.h"

#include "set_loops.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

static void among_each(const uint8_t set[32], const uint8_t *from, int64_t n,
                       uint8_t *bits) {
  for (int64_t i = 0; i < n; i += 8, bits++) {
    unsigned w = 0;
    for (int64_t k = 0; k < 8 && i + k < n; k++) {
      uint8_t v = from[i + k];
      w |= (unsigned)(set[(v & 15) | (v >> 7 << 4)] >> (v >> 4 & 7) & 1) << k;
    }
    *bits = (uint8_t)w;
  }
}

#define NEAR_EACH(T, U)                                                                  \
  for (const T *v = from; i < n; i += 8, bits++) {                                       \
    unsigned w = 0;                                                                      \
    for (int64_t k = 0; k < 8 && i + k < n; k++) {                                       \
      U d = (U)((U)v[i + k] - (U)lo);                                                    \
      w |= (unsigned)(d < 512 ? set[d / 8] >> d % 8 & 1 : far) << k;                     \
    }                                                                                    \
    *bits = (uint8_t)w;                                                                  \
  }
static void near_each(const uint8_t set[64], int64_t lo, bool far, int width,
                      const void *from, int64_t i, int64_t n, uint8_t *bits) {
  if (width == 2) NEAR_EACH(uint16_t, uint16_t)
  else NEAR_EACH(uint32_t, uint32_t)
}

/* A byte's lower half chooses, of 16 bytes, the one whose bit k tells of the byte with upper half k:
 * up to 7, and from 8 on. What chooses with its highest bit set gets 0. Whole numbers choose a word
 * of the set by their distance from `lo`, and a bit of it by the rest. */
#if defined(__AVX512BW__)
#define SPREAD(v) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(v)))
static void among(const uint8_t set[32], const uint8_t *from, int64_t n, uint8_t *bits) {
  static const uint8_t one[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                  1, 2, 4, 8, 16, 32, 64, 128};
  __m512i low = SPREAD(set), high = SPREAD(set + 16), bit = SPREAD(one);
  __m512i keep = _mm512_set1_epi8((char)0x8f), top = _mm512_set1_epi8((char)0x80);
  __m512i half = _mm512_set1_epi8(0x0f);
  int64_t i = 0;
  for (; n - i >= 64; i += 64) {
    __m512i v = _mm512_loadu_si512(from + i), at = _mm512_and_si512(v, keep);
    __m512i near = _mm512_shuffle_epi8(low, at);
    __m512i far = _mm512_shuffle_epi8(high, _mm512_xor_si512(at, top));
    __m512i which = _mm512_and_si512(_mm512_srli_epi16(v, 4), half);
    uint64_t w = _mm512_test_epi8_mask(_mm512_or_si512(near, far),
                                       _mm512_shuffle_epi8(bit, which));
    memcpy(bits + i / 8, &w, sizeof w);
  }
  among_each(set, from + i, n - i, bits + i / 8);
}

#define NEAR(W, MASK, LOG)                                                               \
  {                                                                                      \
    enum { EACH = 512 / W };                                                             \
    __m512i first = _mm512_set1_epi##W((int##W##_t)lo), one = _mm512_set1_epi##W(1);     \
    __m512i within = _mm512_set1_epi##W(512), lowest = _mm512_set1_epi##W(W - 1);        \
    for (; n - i >= EACH; i += EACH) {                                                   \
      __m512i v = _mm512_loadu_si512((const char *)from + i * (W / 8));                  \
      __m512i d = _mm512_sub_epi##W(v, first);                                           \
      __m512i word = _mm512_permutexvar_epi##W(_mm512_srli_epi##W(d, LOG), all);         \
      __m512i bit = _mm512_sllv_epi##W(one, _mm512_and_si512(d, lowest));                \
      MASK in = _mm512_cmplt_epu##W##_mask(d, within);                                   \
      MASK w = _mm512_mask_test_epi##W##_mask(in, word, bit);                            \
      if (far) w = (MASK)(w | ~in);                                                      \
      memcpy(bits + i / 8, &w, sizeof w);                                                \
    }                                                                                    \
  }
static void near(const uint8_t set[64], int64_t lo, bool far, int width, const void *from,
                 int64_t n, uint8_t *bits) {
  __m512i all = _mm512_loadu_si512(set);
  int64_t i = 0;
  if (width == 2) NEAR(16, uint32_t, 4)
  else NEAR(32, uint16_t, 5)
  near_each(set, lo, far, width, from, i, n, bits + i / 8);
}
#else
static void near(const uint8_t set[64], int64_t lo, bool far, int width, const void *from,
                 int64_t n, uint8_t *bits) {
  near_each(set, lo, far, width, from, 0, n, bits);
}
#if defined(__AVX2__)
#define SPREAD(v) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(v)))
static void among(const uint8_t set[32], const uint8_t *from, int64_t n, uint8_t *bits) {
  static const uint8_t one[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                  1, 2, 4, 8, 16, 32, 64, 128};
  __m256i low = SPREAD(set), high = SPREAD(set + 16), bit = SPREAD(one);
  __m256i keep = _mm256_set1_epi8((char)0x8f), top = _mm256_set1_epi8((char)0x80);
  __m256i half = _mm256_set1_epi8(0x0f);
  int64_t i = 0;
  for (; n - i >= 32; i += 32) {
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(from + i));
    __m256i at = _mm256_and_si256(v, keep), near = _mm256_shuffle_epi8(low, at);
    __m256i far = _mm256_shuffle_epi8(high, _mm256_xor_si256(at, top));
    __m256i which = _mm256_and_si256(_mm256_srli_epi16(v, 4), half);
    __m256i is = _mm256_shuffle_epi8(bit, which);
    __m256i has = _mm256_and_si256(_mm256_or_si256(near, far), is);
    int w = _mm256_movemask_epi8(_mm256_cmpeq_epi8(has, is));
    memcpy(bits + i / 8, &w, sizeof w);
  }
  among_each(set, from + i, n - i, bits + i / 8);
}
#else
#define among among_each
#endif
#endif

const set_loops ISA_NAME(set_loops) = {among, near};

#ifdef ISA_IS_BASE
const set_loops *set_loops_here(void) {
  static const set_loops *const all[] = FOR_ISA(set_loops);
  return all[isa_best()];
}
#endif
