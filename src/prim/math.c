/* SPDX-License-Identifier: MIT */
/* math.c - math.def as C functions, and what only the host computes: sine, cosine and
 * tangent of huge numbers.
 *
 * HUGE ARGUMENTS. x = m × 2^e. A turn is 2π, so x is m × 2^(e-2) × 2/π turns, and only
 * the fraction counts: of the bits of 2/π those below the binary point after the shift.
 * 192 of them leave an error of 2^-137 turns, while no double comes nearer to a multiple
 * of ½π than 2^-62 of it. */
#include "math.h"

#include "ops.h"

#define SUF d
#define V double
#define ARGS(...) (__VA_ARGS__)
#define MATH(type, name, args, ...)                                                      \
  type math_##name args { __VA_ARGS__ }
#include "../tables/math.def"

__extension__ typedef unsigned __int128 u128;

/* 64 zeros, then the bits of 2/π. */
static const uint64_t two_over_pi[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};

/* The 64 bits from bit k of w[0] on, the most significant bit being 0; k is below 64. */
static uint64_t bits_from(const uint64_t *w, int64_t k) {
  if (!k) return w[0];
  return w[0] << k | w[1] >> (64 - k);
}

static uint64_t window(int64_t at) { /* 64 bits from bit `at` on */
  return bits_from(two_over_pi + at / 64, at % 64);
}

/* 53 bits from bit `at` of the fraction f, most significant word first, times 2^up; `at`
 * is below 128. */
static double piece(const uint64_t f[3], int at, int up) {
  uint64_t bits = bits_from(f + at / 64, at % 64);
  return (double)(int64_t)(bits >> 11) * op_bitsf((int64_t)(970 - at + up) << 52);
}

static u128 high(uint64_t a, uint64_t b) { return ((u128)a * b) >> 64; }

/* x = (4j + k) ½π + h + l with a whole j, for a finite |x| ≥ 2^27. */
static void far(double x, double *h, double *l, int64_t *k) {
  int64_t bits = op_bitsi(fabs(x)), at = 64 + (bits >> 52) - 1075 - 2;
  uint64_t m = ((uint64_t)bits & 0xfffffffffffff) | 1ull << 52, f[3];
  u128 low = (u128)m * window(at + 128),
       mid = (u128)m * window(at + 64) + (uint64_t)(low >> 64);
  f[2] = (uint64_t)low;
  f[1] = (uint64_t)mid;
  f[0] = m * window(at) + (uint64_t)(mid >> 64);
  uint64_t quarter = (f[0] + (1ull << 61)) >> 62;
  f[0] -= quarter << 62; /* now a signed fraction of a turn, from -1/8 to 1/8 */
  bool minus = f[0] >> 63;
  for (int i = 0; minus && i < 3; i++)
    f[i] = ~f[i]; /* the last bit is beyond what counts */
  int z = 64 + __builtin_clzll(f[1] | 1);
  if (f[0]) z = __builtin_clzll(f[0]);
  int y = z % 64;
  if (z >= 64) {
    f[0] = f[1];
    f[1] = f[2];
    f[2] = 0;
  }
  f[0] = bits_from(f, y);
  f[1] = bits_from(f + 1, y);
  static const uint64_t pi[2] = {0xc90fdaa22168c234, 0xc4c6628b80dc1cd1}; /* × 2^-126 */
  u128 r = (u128)f[0] * pi[0] + high(f[0], pi[1]) + high(f[1], pi[0]);
  uint64_t angle[3] = {(uint64_t)(r >> 64), (uint64_t)r};
  int first = __builtin_clzll(angle[0]);
  double sign = 1;
  if ((x < 0) != minus) sign = -1;
  *h = sign * piece(angle, first, 3 - z);
  *l = sign * piece(angle, first + 53, 3 - z);
  if (x < 0) quarter = 4 - quarter;
  *k = (int64_t)(quarter & 3);
}

#define HARD_TURN(name)                                                                  \
  double hard_##name(double x) {                                                         \
    double h, l;                                                                         \
    int64_t k;                                                                           \
    if (!(fabs(x) >= 0x1p27 && fabs(x) < HUGE_VAL)) return math_##name(x);               \
    far(x, &h, &l, &k);                                                                  \
    return math_##name##_AT(h, l, k);                                                    \
  }
HARD_TURN(SIN)
HARD_TURN(COS)
HARD_TURN(TAN)
