/* SPDX-License-Identifier: MIT */
/* product_loops.c - tiles of products: TILE_ROWS rows of two vectors of accumulators in
 * registers, for one instruction set (base/isa.h). */
#include "../base/isa.h"

#include "inner_product.h"

#include <math.h>

#if defined(__AVX512F__)
#define VECTOR 64
#elif defined(__AVX2__)
#define VECTOR 32
#else
#define VECTOR 16
#endif
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

typedef double vec_d __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef int64_t bits_d __attribute__((vector_size(VECTOR), aligned(8), may_alias));
typedef float vec_s __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef int32_t bits_s __attribute__((vector_size(VECTOR), aligned(4), may_alias));

enum { VECTORS = 2 };

/* A number in all lanes is the number less 0, which keeps the sign of ¯0.
 *
 * Lane by lane: `is` is all ones or zeros. */
#define CHOOSE(v, bits, is, a, b) ((v)(((is) & (bits)(a)) | (~(is) & (bits)(b))))
#define ONE_IF(v, bits, is) ((v)((is) & (bits)(1 - (v){0})))

#define FOLD_ADD(v, bits, a, b) ((a) + (b))
#define FOLD_MIN(v, bits, a, b) CHOOSE(v, bits, (bits)((b) < (a)), b, a)
#define FOLD_MAX(v, bits, a, b) CHOOSE(v, bits, (bits)((b) > (a)), b, a)
#define START_ADD -0.0
#define START_MIN HUGE_VAL
#define START_MAX -HUGE_VAL

#define MAP_TIMES(v, bits, a, b) ((a) * (b))
#define MAP_PLUS(v, bits, a, b) ((a) + (b))
#define MAP_LEAST(v, bits, a, b) CHOOSE(v, bits, (bits)((b) < (a)), b, a)
#define MAP_MOST(v, bits, a, b) CHOOSE(v, bits, (bits)((b) > (a)), b, a)
#define MAP_EQUAL(v, bits, a, b) ONE_IF(v, bits, (bits)((a) == (b)))
#define MAP_DIFFERS(v, bits, a, b) ONE_IF(v, bits, (bits)((a) != (b)))
#define MAP_LESS(v, bits, a, b) ONE_IF(v, bits, (bits)((a) < (b)))

#define TILE(suf, T, fold, map)                                                          \
  static void tile_##suf##_##fold##_##map(const void *a0, const void *b0, int64_t n,     \
                                          void *r) {                                     \
    const T *a = a0;                                                                     \
    const vec_##suf *b = b0;                                                             \
    vec_##suf acc[TILE_ROWS][VECTORS];                                                   \
    UNROLL for (int i = 0; i < TILE_ROWS; i++) UNROLL for (int j = 0; j < VECTORS; j++)  \
        acc[i][j] = (T)START_##fold - (vec_##suf){0};                                    \
    for (int64_t k = 0; k < n; k++, a += TILE_ROWS, b += VECTORS)                        \
      UNROLL for (int i = 0; i < TILE_ROWS; i++) {                                       \
        vec_##suf x = a[i] - (vec_##suf){0};                                             \
        UNROLL for (int j = 0; j < VECTORS; j++) {                                       \
          vec_##suf p = MAP_##map(vec_##suf, bits_##suf, x, b[j]);                       \
          acc[i][j] = FOLD_##fold(vec_##suf, bits_##suf, acc[i][j], p);                  \
        }                                                                                \
      }                                                                                  \
    UNROLL for (int i = 0; i < TILE_ROWS; i++)                                           \
        UNROLL for (int j = 0; j < VECTORS; j++)((vec_##suf *)r)[i * VECTORS + j] =      \
            acc[i][j];                                                                   \
  }

#define EACH_MAP(fold)                                                                   \
  TILE(d, double, fold, TIMES)                                                           \
  TILE(d, double, fold, PLUS)                                                            \
  TILE(d, double, fold, LEAST)                                                           \
  TILE(d, double, fold, MOST)                                                            \
  TILE(d, double, fold, EQUAL)                                                           \
  TILE(d, double, fold, DIFFERS)                                                         \
  TILE(d, double, fold, LESS)                                                            \
  TILE(s, float, fold, TIMES)                                                            \
  TILE(s, float, fold, PLUS)
EACH_MAP(ADD)
EACH_MAP(MIN)
EACH_MAP(MAX)

/* + of × of complex numbers, whose parts lie side by side: one vector of numbers is two of doubles. The parts of a
 * product are those that × gives, but that both may be real: then the others add nothing. */
static void tile_complex(const void *a0, const void *b0, int64_t n, void *r) {
  enum { LANES = VECTOR / 8 };
  const double *a = a0;
  const vec_d *b = b0;
  vec_d re[TILE_ROWS], im[TILE_ROWS];
  double *to = r;
  UNROLL for (int i = 0; i < TILE_ROWS; i++) re[i] = im[i] = -0.0 - (vec_d){0};
  for (int64_t k = 0; k < n; k++, a += (ptrdiff_t)2 * TILE_ROWS, b += 2) {
    vec_d b_re, b_im;
    UNROLL for (int j = 0; j < LANES; j++) {
      b_re[j] = b[2 * j / LANES][2 * j % LANES];
      b_im[j] = b[2 * j / LANES][2 * j % LANES + 1];
    }
    UNROLL for (int i = 0; i < TILE_ROWS; i++) {
      vec_d x = a[2 * i] - (vec_d){0}, y = a[2 * i + 1] - (vec_d){0};
      re[i] += x * b_re - y * b_im;
      im[i] += x * b_im + y * b_re;
    }
  }
  for (int i = 0; i < TILE_ROWS; i++)
    for (int j = 0; j < LANES; j++, to += 2) {
      to[0] = re[i][j];
      to[1] = im[i][j];
    }
}

#define ROW(suf, fold, map) [TILE_##map] = tile_##suf##_##fold##_##map
#define ROWS(fold)                                                                       \
  [TILE_##fold] = {ROW(d, fold, TIMES), ROW(d, fold, PLUS),  ROW(d, fold, LEAST),        \
                   ROW(d, fold, MOST),  ROW(d, fold, EQUAL), ROW(d, fold, DIFFERS),      \
                   ROW(d, fold, LESS)}
#define ROWS_S(fold) [TILE_##fold] = {ROW(s, fold, TIMES), ROW(s, fold, PLUS)}

const tile_set ISA_NAME(product_tiles) = {
    .columns = {VECTORS * VECTOR / 8, VECTORS *VECTOR / 4},
    .complex_columns = VECTOR / 8,
    .of_complex = tile_complex,
    .of_doubles = {ROWS(ADD), ROWS(MIN), ROWS(MAX)},
    .of_floats = {ROWS_S(ADD), ROWS_S(MIN), ROWS_S(MAX)}};

#ifdef ISA_IS_BASE
const tile_set *product_tiles_here(void) {
  static const tile_set *const all[] = FOR_ISA(product_tiles);
  return all[isa_best()];
}
#endif
