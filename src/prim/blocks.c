/* SPDX-License-Identifier: MIT */
/* blocks.c - what is done to blocks of elements beside computing with them, for one instruction
 * set: truth values in bits and in bytes, other types, ranges. sc_blocks (scalar.h) says what
 * each function gives. */
#define ISA_NO_PEELING
#include "../base/isa.h"

#include "scalar.h"

#include <float.h>
#include <math.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ── bits ───────────────────────────────────────────────────────────────────────────── */

/* Bit b of the byte becomes byte b of the word, and back. */
static void unpack(const uint8_t *bits, int64_t n, bool *out) {
  int64_t bytes = n >> 3;
  IVDEP for (int64_t k = 0; k < bytes; k++) {
    uint64_t w = (bits[k] * 0x0101010101010101u) & 0x8040201008040201u;
    w = (w + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    memcpy(out + 8 * k, &w, 8);
  }
  for (int64_t k = bytes << 3; k < n; k++) out[k] = bits[k >> 3] >> (k & 7) & 1;
}

static void pack(const bool *from, int64_t n, uint8_t *bits) {
  int64_t bytes = n >> 3, k = 0;
#if defined(__AVX512BW__)
  for (; k + 8 <= bytes; k += 8) {
    __m512i v = _mm512_loadu_si512(from + 8 * k);
    uint64_t w = _mm512_test_epi8_mask(v, v);
    memcpy(bits + k, &w, 8);
  }
#elif defined(__AVX2__)
  for (; k + 4 <= bytes; k += 4) { /* the lowest bit to the highest, of which is asked */
    __m256i v = _mm256_slli_epi16(_mm256_loadu_si256((const void *)(from + 8 * k)), 7);
    int w = _mm256_movemask_epi8(v);
    memcpy(bits + k, &w, 4);
  }
#endif
  IVDEP for (; k < bytes; k++) {
    uint64_t w;
    memcpy(&w, from + 8 * k, 8);
    bits[k] = (uint8_t)((w * 0x0102040810204080u) >> 56);
  }
  if (!(n & 7)) return;
  unsigned last = 0;
  for (k = bytes << 3; k < n; k++) last |= (unsigned)from[k] << (k & 7);
  bits[bytes] = (uint8_t)last;
}

static void truths(const bool of[4], const uint8_t *x, const uint8_t *y, int64_t n,
                   uint8_t *r) {
  uint8_t m[4],
      turn[2]; /* of x and y both 0, 0 1, …; what y changes where x is 0 and 1 */
  for (int k = 0; k < 4; k++) m[k] = of[k] ? 0xff : 0;
  for (int k = 0; k < 2; k++) turn[k] = m[2 * k] ^ m[2 * k + 1];
  int64_t bytes = (n + 7) >> 3;
  IVDEP for (int64_t k = 0; k < bytes; k++) {
    uint8_t a = x[k], b = y[k];
    uint8_t none = m[0] ^ (b & turn[0]), one = m[2] ^ (b & turn[1]);
    r[k] = (uint8_t)(none ^ (a & (none ^ one)));
  }
  if (n & 7) r[bytes - 1] &= (uint8_t)((1u << (n & 7)) - 1);
}

/* ── other types ────────────────────────────────────────────────────────────────────── */

#define EACH(T, A)                                                                       \
  {                                                                                      \
    const A *p = from;                                                                   \
    T *r = out;                                                                          \
    IVDEP for (int64_t k = 0; k < n; k++) r[k] = (T)p[k];                                \
    break;                                                                               \
  }
#define FROM(A)                                                                          \
  switch (t) {                                                                           \
  case SC_I16: EACH(int16_t, A)                                                          \
  case SC_I32: EACH(int32_t, A)                                                          \
  case SC_I64: EACH(int64_t, A)                                                          \
  case SC_F64: EACH(double, A)                                                           \
  default: EACH(float, A)                                                                \
  }                                                                                      \
  break;
static void block_load(elt type, const void *from, int64_t n, sc_type t, void *out) {
  switch (type) {
  case ET_I8: FROM(int8_t)
  case ET_I16: FROM(int16_t)
  case ET_I32: FROM(int32_t)
  case ET_I64: FROM(int64_t)
  case ET_C8: FROM(uint8_t)
  case ET_C16: FROM(uint16_t)
  case ET_C32: FROM(uint32_t)
  case ET_F32: FROM(float)
  default: FROM(double)
  }
}

#define STORE(T)                                                                         \
  switch (to) {                                                                          \
  case ET_I8: EACH(int8_t, T)                                                            \
  case ET_I16: EACH(int16_t, T)                                                          \
  case ET_I32: EACH(int32_t, T)                                                          \
  default: EACH(int64_t, T)                                                              \
  }
static void store(sc_type t, const void *from, int64_t n, elt to, void *out) {
  if (t == SC_I8) memcpy(out, from, (size_t)n);
  else if (t == SC_I16) STORE(int16_t)
  else if (t == SC_I32) STORE(int32_t)
  else STORE(int64_t)
}

#define COUNT(T)                                                                         \
  {                                                                                      \
    const T first = (T)from;                                                             \
    T *r = out;                                                                          \
    IVDEP for (int64_t k = 0; k < n; k++) r[k] = (T)(first + (T)k);                      \
    break;                                                                               \
  }
static void block_count(int64_t from, int64_t n, elt to, void *out) {
  switch (to) {
  case ET_I8: COUNT(int8_t)
  case ET_I16: COUNT(int16_t)
  case ET_I32: COUNT(int32_t)
  default: COUNT(int64_t)
  }
}

static void repeat(size_t size, int64_t n, void *v) {
  uint64_t one, *r = v;
  memcpy(&one, v, sizeof one);
  if (size == 1) one = (uint8_t)one * 0x0101010101010101u;
  else if (size == 2) one = (uint16_t)one * 0x0001000100010001u;
  else if (size == 4) one = (uint32_t)one * 0x0000000100000001u;
  for (int64_t k = 0; k < (int64_t)size * n; k += 64, r += 8)
    for (int j = 0; j < 8; j++) r[j] = one;
}

#define RANGE(T)                                                                         \
  {                                                                                      \
    const T *p = from, *q = p + n / 2;                                                   \
    T low = p[n - 1], high = low;                                                        \
    for (int64_t k = 0; k < n / 2; k++) { /* two at a time, as processors read */        \
      T less = p[k] < q[k] ? p[k] : q[k], more = p[k] < q[k] ? q[k] : p[k];              \
      low = less < low ? less : low;                                                     \
      high = more > high ? more : high;                                                  \
    }                                                                                    \
    *lo = low;                                                                           \
    *hi = high;                                                                          \
  }
static void range(sc_type t, const void *from, int64_t n, int64_t *lo, int64_t *hi) {
  if (t == SC_I8) RANGE(int8_t)
  else if (t == SC_I16) RANGE(int16_t)
  else if (t == SC_I32) RANGE(int32_t)
  else RANGE(int64_t)
}

/* Sums short integers, some thousands at a time so that 32 bits hold the sum; two at a
 * time, as above. */
#define SUM(T, S, PART)                                                                  \
  for (const T *p = v, *end = p + n; p < end;) {                                         \
    S part = 0;                                                                          \
    int64_t m = (end - p < PART ? end - p : PART) / 2;                                   \
    for (int64_t k = 0; k < m; k++) part += (S)p[k] + p[m + k];                          \
    all += part;                                                                         \
    p += 2 * m;                                                                          \
    if (end - p == 1) all += *p++;                                                       \
  }
static int64_t sum(sc_type t, const void *v, int64_t n) {
  enum { PART = 1 << 15 };
  int64_t all = 0;
  if (t == SC_I8) SUM(int8_t, int32_t, PART)
  else if (t == SC_I16) SUM(int16_t, int32_t, PART)
  else if (t == SC_I32) SUM(int32_t, int64_t, n)
  else SUM(int64_t, int64_t, n)
  return all;
}

/* ── keys ───────────────────────────────────────────────────────────────────────────── */

static void keys(bool whole, const void *v, int64_t n, uint64_t *key) {
  const uint64_t top = (uint64_t)1 << 63, *bits = v;
  const double *d = v;
  if (whole) {
    IVDEP for (int64_t i = 0; i < n; i++) key[i] = bits[i] ^ top;
    return;
  }
  IVDEP for (int64_t i = 0; i < n; i++) {
    uint64_t b = d[i] == 0 ? 0 : bits[i], k = b >> 63 ? ~b : b | top;
    key[i] = d[i] != d[i] ? UINT64_MAX : k;
  }
}

/* For few keys, comparing each with all takes less time than the tables of a sort by
 * digits. */
static void ranks(const uint64_t *key, int64_t n, uint8_t *rank) {
  enum { ABREAST = 4 };
  uint8_t equal[SC_RANKED] = {0};
  for (int64_t i = 0; i < n; i += ABREAST) {
    int64_t last = n - 1;
    uint64_t a = key[i], b = key[i + 1 < last ? i + 1 : last];
    uint64_t c = key[i + 2 < last ? i + 2 : last], d = key[i + 3 < last ? i + 3 : last];
    uint64_t less[ABREAST] = {0};
    for (int64_t k = 0; k < n; k++) {
      less[0] += key[k] < a;
      less[1] += key[k] < b;
      less[2] += key[k] < c;
      less[3] += key[k] < d;
    }
    for (int64_t k = 0; k < ABREAST && i + k < n; k++)
      rank[i + k] = (uint8_t)(less[k] + equal[less[k]]++);
  }
}

/* How many keys of a node are not above v. */
static inline int64_t within_node(const uint64_t *node, uint64_t v) {
#if defined(__AVX512F__)
  __m512i all = _mm512_set1_epi64((int64_t)v);
  unsigned low = _mm512_cmple_epu64_mask(_mm512_loadu_si512(node), all);
  unsigned high = _mm512_cmple_epu64_mask(_mm512_loadu_si512(node + 8), all);
  return __builtin_popcount(low | high << 8);
#else
  int64_t n = 0;
  for (int half = SC_NODE / 2; half; half /= 2) n += node[n + half - 1] <= v ? half : 0;
  return n + (node[n] <= v);
#endif
}

static void descend(const uint64_t *level, const uint64_t *next, int64_t most,
                    const uint64_t *key, int64_t n, int64_t *at) {
  for (int64_t i = 0; i < n; i++) {
    int64_t to = at[i] * SC_NODE;
    to += within_node(level + to, key[i]);
    at[i] = to = to < most ? to : most;
    if (!next) continue;
    __builtin_prefetch(next + to * SC_NODE);
    __builtin_prefetch(next + to * SC_NODE + SC_NODE / 2);
  }
}

/* ── draws ──────────────────────────────────────────────────────────────────────────── */

/* The words of n draws, n ≤ SC_BLOCK. */
typedef struct words {
  uint32_t of[4][SC_BLOCK];
} words;

/* The product of the lower halves of two 64-bit lanes is one instruction. So a lane
 * holds a word in its lower half; the upper half may be anything. */
#if defined(__AVX512F__)
#define LANES 8
typedef __m512i lanes;
#define MANY(v) _mm512_set1_epi64((int64_t)(v))
#define PLUS(a, b) _mm512_add_epi64(a, b)
#define TIMES(a, b) _mm512_mul_epu32(a, b)
#define UPPER(a) _mm512_srli_epi64(a, 32)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define COUNTING _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)
#define PUT(to, a) _mm256_storeu_si256((void *)(to), _mm512_cvtepi64_epi32(a))
#elif defined(__AVX2__)
#define LANES 4
typedef __m256i lanes;
#define MANY(v) _mm256_set1_epi64x((int64_t)(v))
#define PLUS(a, b) _mm256_add_epi64(a, b)
#define TIMES(a, b) _mm256_mul_epu32(a, b)
#define UPPER(a) _mm256_srli_epi64(a, 32)
#define XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define COUNTING _mm256_set_epi64x(3, 2, 1, 0)
#define EVEN _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0)
#define PUT(to, a)                                                                       \
  _mm_storeu_si128((void *)(to),                                                         \
                   _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(a, EVEN)))
#else
#define LANES 1
typedef uint64_t lanes;
#define MANY(v) (v)
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((uint64_t)(uint32_t)(a) * (uint32_t)(b))
#define UPPER(a) ((a) >> 32)
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define COUNTING 0
#define PUT(to, a) (*(to) = (uint32_t)(a))
#endif

static void draw(uint64_t seed, uint64_t at, int n, words *w) {
  enum {
    ROUNDS = 10,
    ABREAST = 4
  }; /* several, since each round waits for the one before */
  _Static_assert(SC_BLOCK % (LANES * ABREAST) == 0, "blocks are whole");
  const lanes m0 = MANY(0xD2511F53u), m1 = MANY(0xCD9E8D57u);
  lanes k0[ROUNDS], k1[ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    k0[r] = MANY((uint32_t)((uint32_t)seed + 0x9E3779B9u * (uint32_t)r));
    k1[r] = MANY((uint32_t)((uint32_t)(seed >> 32) + 0xBB67AE85u * (uint32_t)r));
  }
  for (int i = 0; i < n; i += LANES * ABREAST) {
    lanes c0[ABREAST], c1[ABREAST], c2[ABREAST], c3[ABREAST];
    for (int j = 0; j < ABREAST; j++) {
      c0[j] = PLUS(MANY(at + (uint64_t)(i + LANES * j)), COUNTING);
      c1[j] = UPPER(c0[j]);
      c2[j] = c3[j] = MANY(0);
    }
    for (int r = 0; r < ROUNDS; r++)
      for (int j = 0; j < ABREAST; j++) {
        lanes p = TIMES(c0[j], m0), q = TIMES(c2[j], m1);
        c0[j] = XOR3(UPPER(q), c1[j], k0[r]);
        c2[j] = XOR3(UPPER(p), c3[j], k1[r]);
        c1[j] = q;
        c3[j] = p;
      }
    for (int j = 0; j < ABREAST; j++) {
      PUT(w->of[0] + i + LANES * j, c0[j]);
      PUT(w->of[1] + i + LANES * j, c1[j]);
      PUT(w->of[2] + i + LANES * j, c2[j]);
      PUT(w->of[3] + i + LANES * j, c3[j]);
    }
  }
}

static void rolls(uint64_t seed, uint64_t at, const int32_t *below, int n, int io,
                  int32_t *r) {
  words w;
  draw(seed, at, n, &w);
  IVDEP for (int i = 0; i < n; i++) {
    uint64_t m = (uint32_t)below[i], t = w.of[0][i] * m >> 32;
    t = (w.of[1][i] * m + t) >> 32;
    t = (w.of[2][i] * m + t) >> 32;
    r[i] = (int32_t)((w.of[3][i] * m + t) >> 32) + io;
  }
}

static void fractions(uint64_t seed, uint64_t at, int n, double *r) {
  words w;
  draw(seed, at, n, &w);
  IVDEP for (int i = 0; i < n; i++) {
    uint64_t bits = (uint64_t)w.of[3][i] << 21 | w.of[2][i] >> 11;
    r[i] = ((double)(int64_t)bits + 0.5) * 0x1p-53;
  }
}

/* ── arithmetic ─────────────────────────────────────────────────────────────────────── */

/* A quotient of doubles below 2^52 is that of the integers, or next to it. */
static void digits(int64_t radix, int64_t *v, int64_t n, int64_t *r) {
  const double by = (double)radix;
  IVDEP for (int64_t i = 0; i < n; i++) {
    int64_t q = (int64_t)((double)v[i] / by), d = v[i] - q * radix;
    bool back = (d != 0) & ((d ^ radix) < 0);
    r[i] = back ? d + radix : d;
    v[i] = back ? q - 1 : q;
  }
}

static void horner(int64_t by, const int64_t *v, int64_t n, int64_t *r) {
  IVDEP for (int64_t i = 0; i < n; i++) r[i] = r[i] * by + v[i];
}

static bool roots(const double *v, int64_t n, double *r) {
  int64_t below = 0;
  IVDEP for (int64_t i = 0; i < n; i++) {
    below |= v[i] < 0;
    r[i] = sqrt(v[i]);
  }
  return !below;
}

#define OFF(name, T, abs, most, normal)                                                  \
  static bool name(const T *v, int64_t n, bool product) {                                \
    T low = product ? normal : -1;                                                       \
    int64_t off = 0;                                                                     \
    IVDEP for (int64_t i = 0; i < n; i++) off |=                                         \
        !(abs(v[i]) <= most) | (abs(v[i]) < low);                                        \
    return off != 0;                                                                     \
  }
OFF(off_doubles, double, fabs, DBL_MAX, DBL_MIN)
OFF(off_floats, float, fabsf, FLT_MAX, FLT_MIN)

static bool off(sc_type t, const void *v, int64_t n, bool product) {
  return t == SC_F64 ? off_doubles(v, n, product) : off_floats(v, n, product);
}

const sc_blocks ISA_NAME(sc_blocks) = {
    unpack, pack,  truths,  block_load, store,     block_count, repeat, range, sum,
    keys,   ranks, descend, rolls,      fractions, digits,      horner, roots, off};
