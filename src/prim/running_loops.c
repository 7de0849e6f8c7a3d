/* SPDX-License-Identifier: MIT */
/* running_loops.c - see running_loops.h; for one instruction set, of those that bits.c knows, too. Results of a whole
 * word or vector are made in steps, and then take what came before it. */
#include "../base/isa.h"

#include "running_loops.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ── integers ───────────────────────────────────────────────────────────────────────── */

/* Running sums of 32-bit integers that fit 32 bits; r may be v. Within a vector they
 * are made in steps of 1, 2, 4, … elements. */
#if defined(__AVX512F__)
#define SCANNED 16
typedef __m512i scanned;
#define SCAN_LOAD(v) _mm512_loadu_si512(v)
#define SCAN_STORE(r, a) _mm512_storeu_si512(r, a)
#define SCAN_ALL(a) _mm512_set1_epi32(a)
#define SCAN_LAST(a) _mm512_permutexvar_epi32(_mm512_set1_epi32(15), a)
#define SCAN_ADD(a, b) _mm512_add_epi32(a, b)
static inline scanned scan_vector(scanned a) {
  const scanned none = _mm512_setzero_si512();
  a = SCAN_ADD(a, _mm512_alignr_epi32(a, none, 15));
  a = SCAN_ADD(a, _mm512_alignr_epi32(a, none, 14));
  a = SCAN_ADD(a, _mm512_alignr_epi32(a, none, 12));
  return SCAN_ADD(a, _mm512_alignr_epi32(a, none, 8));
}
#elif defined(__AVX2__)
#define SCANNED 8
typedef __m256i scanned;
#define SCAN_LOAD(v) _mm256_loadu_si256((const void *)(v))
#define SCAN_STORE(r, a) _mm256_storeu_si256((void *)(r), a)
#define SCAN_ALL(a) _mm256_set1_epi32(a)
#define SCAN_LAST(a) _mm256_permutevar8x32_epi32(a, _mm256_set1_epi32(7))
#define SCAN_ADD(a, b) _mm256_add_epi32(a, b)
static inline scanned scan_vector(scanned a) {
  a = SCAN_ADD(a, _mm256_slli_si256(a, 4));
  a = SCAN_ADD(a, _mm256_slli_si256(a, 8));
  scanned low = _mm256_permute2x128_si256(a, a, 8); /* the lower half's, as upper one */
  return SCAN_ADD(a, _mm256_shuffle_epi32(low, 0xff));
}
#endif

static int32_t ints(const int32_t *v, int64_t n, int32_t before, int32_t *r) {
  int64_t k = 0;
#ifdef SCANNED
  scanned all = SCAN_ALL(before);
  for (; k + SCANNED <= n; k += SCANNED) {
    scanned a = scan_vector(SCAN_LOAD(v + k));
    SCAN_STORE(r + k, SCAN_ADD(a, all));
    all = SCAN_ADD(all, SCAN_LAST(a));
  }
  if (k) before = r[k - 1];
#endif
  for (; k < n; k++) r[k] = before += v[k];
  return before;
}

/* ── truth values ───────────────────────────────────────────────────────────────────── */

/* ≠\ of n ≤ 64 bits, behind ones whose result ends with `before`, of which all bits are alike. */
static inline uint64_t parity_word(uint64_t w, uint64_t before) {
  for (int by = 1; by < 64; by *= 2) w ^= w << by;
  return w ^ before;
}

#if defined(__AVX512DQ__)
/* The same of eight words, by themselves; a product without carries by ones gives it at once. */
static inline __m512i parity_words(__m512i v) {
#if defined(__VPCLMULQDQ__)
  const __m512i ones = _mm512_set1_epi64(-1);
  return _mm512_unpacklo_epi64(_mm512_clmulepi64_epi128(v, ones, 0),
                               _mm512_clmulepi64_epi128(v, ones, 1));
#else
  v = _mm512_xor_si512(v, _mm512_slli_epi64(v, 1));
  v = _mm512_xor_si512(v, _mm512_slli_epi64(v, 2));
  v = _mm512_xor_si512(v, _mm512_slli_epi64(v, 4));
  v = _mm512_xor_si512(v, _mm512_slli_epi64(v, 8));
  v = _mm512_xor_si512(v, _mm512_slli_epi64(v, 16));
  return _mm512_xor_si512(v, _mm512_slli_epi64(v, 32));
#endif
}
#endif

static void parities(const void *bits, int64_t n, void *to) {
  uint64_t before = 0;
  int64_t i = 0;
#if defined(__AVX512DQ__)
  for (; n - i >= 512; i += 512) {
    __m512i v = parity_words(_mm512_loadu_si512((const char *)bits + i / 8));
    /* The last bits of the eight words: which words have an odd number of ones before them? */
    uint32_t odd = _mm512_movepi64_mask(v);
    odd ^= odd << 1;
    odd ^= odd << 2;
    odd ^= odd << 4;
    __m512i turn = _mm512_movm_epi64((__mmask8)(odd << 1 ^ before));
    _mm512_storeu_si512((char *)to + i / 8, _mm512_xor_si512(v, turn));
    before ^= -(uint64_t)(odd >> 7 & 1);
  }
#endif
  for (; i < n; i += 64) {
    uint64_t w = parity_word(bits_word(bits, n, i), before);
    before = -(w >> 63);
    if (n - i < 64) w &= ((uint64_t)1 << (n - i)) - 1;
    memcpy((char *)to + i / 8, &w, n - i < 64 ? (size_t)(n - i + 7) / 8 : 8);
  }
}

/* How many ones bits 0 to k of a word have, k from 0 to 63: those of the bytes before, by a product,
 * and in the byte, by a product again or by counting what a mask leaves. */
static inline void count_word(uint64_t w, uint8_t upto[64]) {
  const uint64_t each = 0x0101010101010101;
  uint64_t t = w - (w >> 1 & 0x5555555555555555), before;
  t = (t & 0x3333333333333333) + (t >> 2 & 0x3333333333333333);
  before = ((t + (t >> 4)) & 0x0f0f0f0f0f0f0f0f) * each << 8;
#if defined(__AVX512BITALG__)
  const __m512i byte = _mm512_set_epi64(
      0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
      0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const __m512i mask = _mm512_set1_epi64((int64_t)0xff7f3f1f0f070301);
  __m512i v = _mm512_shuffle_epi8(_mm512_set1_epi64((int64_t)w), byte);
  v = _mm512_popcnt_epi8(_mm512_and_si512(v, mask));
  v = _mm512_add_epi8(v, _mm512_shuffle_epi8(_mm512_set1_epi64((int64_t)before), byte));
  _mm512_storeu_si512(upto, v);
#else
  for (int k = 0; k < 8; k++) {
    uint64_t b = (w >> 8 * k & 0xff) * each & 0x8040201008040201;
    b = ((b + 0x7f7f7f7f7f7f7f7f) >> 7 & each) + (before >> 8 * k & 0xff);
    b *= each;
    memcpy(upto + 8 * k, &b, 8);
  }
#endif
}

#define BITS(T)                                                                          \
  static void bits_##T(const void *bits, int64_t n, void *to) {                          \
    T *r = to, before = 0;                                                               \
    for (int64_t i = 0; i < n; i += 64) {                                                \
      uint8_t upto[64];                                                                  \
      count_word(bits_word(bits, n, i), upto);                                           \
      if (n - i >= 64)                                                                   \
        for (int k = 0; k < 64; k++) r[i + k] = (T)(before + upto[k]);                   \
      else                                                                               \
        for (int k = 0; k < n - i; k++) r[i + k] = (T)(before + upto[k]);                \
      before = (T)(before + upto[63]);                                                   \
    }                                                                                    \
  }
BITS(uint8_t)
BITS(uint16_t)
BITS(uint32_t)
BITS(uint64_t)

const running_loops ISA_NAME(running_loops) = {
    ints, parities, {bits_uint8_t, bits_uint16_t, bits_uint32_t, bits_uint64_t}};

#ifdef ISA_IS_BASE
const running_loops *running_loops_here(void) {
  static const running_loops *const all[] = FOR_BIT_ISA(running_loops);
  return all[isa_best_of(ISA_AVX512B)];
}
#endif
