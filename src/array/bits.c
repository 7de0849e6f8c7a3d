/* SPDX-License-Identifier: MIT */
/* bits.c - loops over truth values, 64 at a time (bits.h), for one instruction set.
 *
 * Elements that a mask names are brought to the lower end of a vector, and the whole vector is
 * stored where the next one then overwrites what is too much. So a word of truth values costs the
 * same whatever it holds, where a loop over its ones costs so much for each. Near the end of the
 * room, and where a vector would be read beyond the last element, there is that loop. Vectors of 8
 * elements are permuted by the places of a byte's ones, which a table has: on Zen 5 twice as
 * quick as AVX-512's instruction that compresses them, which serves elements of 1 and 2 bytes. */
#include "../base/isa.h"

#include "bits.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

static inline int64_t ones_of(uint64_t w) {
#if defined(__POPCNT__)
  return __builtin_popcountll(w);
#else /* the compiler would call a function */
  w -= w >> 1 & 0x5555555555555555;
  w = (w & 0x3333333333333333) + (w >> 2 & 0x3333333333333333);
  return (int64_t)(((w + (w >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#endif
}

static inline uint64_t word_at(const void *bits, int64_t byte) {
  uint64_t w;
  memcpy(&w, (const char *)bits + byte, sizeof w);
  return w;
}

static int64_t bits_count(const void *bits, int64_t n) {
  int64_t ones = 0, whole = n / 64;
  for (int64_t k = 0; k < whole; k++) ones += ones_of(word_at(bits, 8 * k));
  return n % 64 ? ones + ones_of(bits_word(bits, n, 64 * whole)) : ones;
}

static bool any(const void *bits, int64_t n, bool of) {
  enum { AT_ONCE = 32 }; /* words */
  const uint64_t turn = of ? 0 : UINT64_MAX;
  int64_t i = 0;
  for (; n - i >= 64 * AT_ONCE; i += 64 * AT_ONCE) {
    uint64_t all = 0;
    for (int64_t k = 0; k < AT_ONCE; k++) all |= word_at(bits, i / 8 + 8 * k) ^ turn;
    if (all) return true;
  }
  for (; n - i >= 64; i += 64)
    if (word_at(bits, i / 8) != turn) return true;
  return i < n && (bits_word(bits, n, i) ^ turn) << (64 - (n - i));
}

/* ── selections ─────────────────────────────────────────────────────────────────────── */

/* The places of a byte's ones, of the first in the lowest byte: its bits from the last on. */
#define PLACES_0(w) (w), (w) << 8
#define PLACES_1(w) PLACES_0(w), PLACES_0((w) << 8 | 1)
#define PLACES_2(w) PLACES_1(w), PLACES_1((w) << 8 | 2)
#define PLACES_3(w) PLACES_2(w), PLACES_2((w) << 8 | 3)
#define PLACES_4(w) PLACES_3(w), PLACES_3((w) << 8 | 4)
#define PLACES_5(w) PLACES_4(w), PLACES_4((w) << 8 | 5)
#define PLACES_6(w) PLACES_5(w), PLACES_5((w) << 8 | 6)
#define PLACES_7(w) PLACES_6(w), PLACES_6((w) << 8 | 7)
#if defined(__AVX2__)
static const uint64_t places_in[256] = {PLACES_7(UINT64_C(0))};
#define PLACES_IN(byte) _mm_loadl_epi64((const void *)&places_in[byte])
#endif

/* The positions of the ones of word w (64 words) go to r[j] and behind, byte by byte:
 * the place in the byte plus the number of the byte's first bit. */
#define BY_BYTES(store, of)                                                              \
  for (int64_t at = i; at < i + 64; at += 8, w >>= 8) {                                  \
    store((void *)(r + j), of(PLACES_IN(w & 0xff), at));                                 \
    j += ones_of(w & 0xff);                                                              \
  }
/* The same by what compresses vectors. */
#define BY_VECTORS(width, mask)                                                          \
  for (int64_t at = i; at<i + 64; at += 512 / width, w = width> 8 ? w >> 32 : 0) {       \
    __m512i v = _mm512_loadu_si512(y + at);                                              \
    _mm512_storeu_si512(r + j, _mm512_maskz_compress_epi##width((mask)w, v));            \
    j += ones_of((mask)w);                                                               \
  }

#define WORD_select_uint8_t
#define WORD_select_uint16_t
#define WORD_select_uint32_t
#define WORD_select_uint64_t
#define WORD_places_uint8_t /* of 127 at most */
#define WORD_places_uint16_t
#define WORD_places_uint32_t
#define WORD_places_uint64_t
#if defined(__AVX2__)
#define SELECTED_32(places, at)                                                          \
  _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const void *)(y + (at))),              \
                              _mm256_cvtepu8_epi32(places))
#define PLACES_16(places, at)                                                            \
  _mm_add_epi16(_mm_cvtepu8_epi16(places), _mm_set1_epi16((short)(first + (at))))
#define PLACES_32(places, at)                                                            \
  _mm256_add_epi32(_mm256_cvtepu8_epi32(places), _mm256_set1_epi32((int)(first + (at))))
#undef WORD_select_uint32_t
#define WORD_select_uint32_t BY_BYTES(_mm256_storeu_si256, SELECTED_32)
#undef WORD_places_uint16_t
#define WORD_places_uint16_t BY_BYTES(_mm_storeu_si128, PLACES_16)
#undef WORD_places_uint32_t
#define WORD_places_uint32_t BY_BYTES(_mm256_storeu_si256, PLACES_32)
#endif
#if defined(__AVX512F__)
#define SELECTED_64(places, at)                                                          \
  _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(places), _mm512_loadu_si512(y + (at)))
#undef WORD_select_uint64_t
#define WORD_select_uint64_t BY_BYTES(_mm512_storeu_si512, SELECTED_64)
#endif
#if defined(__AVX512VBMI2__)
#undef WORD_select_uint8_t
#define WORD_select_uint8_t BY_VECTORS(8, uint64_t)
#undef WORD_select_uint16_t
#define WORD_select_uint16_t BY_VECTORS(16, uint32_t)
#endif

/* `one` of each one of the bits: w & -w is it in its word w, of which bit 0 is number i. */
#define EACH_ONE(what, T, one)                                                           \
  T *r = to;                                                                             \
  int64_t j = 0;                                                                         \
  for (int64_t i = 0; i < n; i += 64) {                                                  \
    uint64_t w = bits_word(bits, n, i);                                                  \
    if (n - i >= 64 && room - j >= 64) { WORD_##what##_##T }                             \
    for (; w; w &= w - 1) r[j++] = one;                                                  \
  }                                                                                      \
  return j;

#define SELECT(T)                                                                        \
  static int64_t select_##T(const void *bits, int64_t n, const void *from, void *to,     \
                            int64_t room) {                                              \
    const T *y = from;                                                                   \
    EACH_ONE(select, T, y[i + __builtin_ctzll(w)])                                       \
  }
SELECT(uint8_t)
SELECT(uint16_t)
SELECT(uint32_t)
SELECT(uint64_t)

#define PLACES(T)                                                                        \
  static int64_t places_##T(const void *bits, int64_t n, int64_t first, void *to,        \
                            int64_t room) {                                              \
    EACH_ONE(places, T, (T)(first + i + __builtin_ctzll(w)))                             \
  }
PLACES(uint8_t)
PLACES(uint16_t)
PLACES(uint32_t)
PLACES(uint64_t)

/* Whole vectors are stored, of which the next element overwrites what is too much. */
#define REPEAT(T)                                                                        \
  static int64_t repeat_##T(const int64_t *times, int64_t n, const void *from, void *to, \
                            int64_t room) {                                              \
    enum { LANES = 64 / sizeof(T) };                                                     \
    const T *y = from;                                                                   \
    T *r = to;                                                                           \
    int64_t j = 0;                                                                       \
    for (int64_t i = 0; i < n; i++) {                                                    \
      const int64_t end = j + times[i];                                                  \
      const T v = y[i];                                                                  \
      int64_t k = j;                                                                     \
      for (; k < end && room - k >= LANES; k += LANES)                                   \
        for (int l = 0; l < LANES; l++) r[k + l] = v;                                    \
      for (; k < end; k++) r[k] = v;                                                     \
      j = end;                                                                           \
    }                                                                                    \
    return j;                                                                            \
  }
REPEAT(uint8_t)
REPEAT(uint16_t)
REPEAT(uint32_t)
REPEAT(uint64_t)

/* ── order ──────────────────────────────────────────────────────────────────────────── */

static void reverse(const uint8_t *bits, int64_t first, int64_t words, uint8_t *to) {
  const int off = (int)(first % 8);
  const uint8_t *y = bits + first / 8, *next = y + (off != 0); /* where the rest is */
  int64_t k = 0;
#if defined(__AVX512BW__)
  const __m512i low = _mm512_set1_epi8(15),
                halves = _mm512_broadcast_i32x4(
                    _mm_set_epi64x(0x0f070b030d050901, 0x0e060a020c040800)),
                bytes = _mm512_broadcast_i32x4(
                    _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f));
  const __m128i down = _mm_cvtsi32_si128(off), up = _mm_cvtsi32_si128(64 - off);
  for (; words - k >= 8; k += 8) {
    __m512i v = _mm512_srl_epi64(_mm512_loadu_si512(y + 8 * k), down);
    __m512i rest = _mm512_srli_epi64(_mm512_loadu_si512(next + 8 * k), 56);
    v = _mm512_or_si512(v, _mm512_sll_epi64(rest, up));
    __m512i high = _mm512_and_si512(_mm512_srli_epi64(v, 4), low);
    v = _mm512_shuffle_epi8(halves, _mm512_and_si512(v, low));
    v = _mm512_or_si512(_mm512_slli_epi64(v, 4), _mm512_shuffle_epi8(halves, high));
    v = _mm512_shuffle_epi8(v, bytes);
    _mm512_storeu_si512(to + 8 * (words - k - 8), _mm512_shuffle_i64x2(v, v, 0x1b));
  }
#endif
  for (; k < words; k++) {
    uint64_t w = word_at(y, 8 * k) >> off;
    if (off) w |= word_at(next, 8 * k) >> 56 << (64 - off);
    w = bits_reversed(w);
    memcpy(to + 8 * (words - 1 - k), &w, sizeof w);
  }
}

#define BACKWARDS(T)                                                                     \
  static void backwards_##T(const void *last, int64_t n, void *to) {                     \
    const T *y = last;                                                                   \
    T *r = to;                                                                           \
    IVDEP for (int64_t i = 0; i < n; i++) r[i] = y[-i];                                  \
  }
BACKWARDS(uint8_t)
BACKWARDS(uint16_t)
BACKWARDS(uint32_t)
BACKWARDS(uint64_t)

#define SIZES(f)                                                                         \
  { f##_uint8_t, f##_uint16_t, f##_uint32_t, f##_uint64_t }
const bit_loops ISA_NAME(bit_loops) = {bits_count,      any,           SIZES(select),
                                       SIZES(places),   SIZES(repeat), reverse,
                                       SIZES(backwards)};

/* ── for this machine ───────────────────────────────────────────────────────────────── */

#ifdef ISA_IS_BASE
const bit_loops *bits_loops(void) {
  static const bit_loops *const all[] = FOR_BIT_ISA(bit_loops);
  return all[isa_best_of(ISA_AVX512B)];
}
#endif
