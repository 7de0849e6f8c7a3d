/* SPDX-License-Identifier: MIT */
/* loops_quads.c - quads of neighbours that become four rows of lanes, and back, for one
 * instruction set: how fold_unit.c has its elements.
 *
 * Four lanes are a block of 4 × 4 elements, turned by shuffles; the last one overlaps the one
 * before. Lanes lie so far apart that their lines meet in few sets of the cache: a line is read
 * to its end at once. */
#include "loops_isa.h"

typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint64_t u64x4 __attribute__((vector_size(32)));

extern const blk_quads ISA_CAT(blk_quads, ISA);

/* Shuffles of vectors are spelt alike since gcc 12. */
#if defined(__clang__) || __GNUC__ >= 12
#define SH(a, b, i, j, m, n) __builtin_shufflevector(a, b, i, j, m, n)
#define TURN(V, v)                                                                       \
  do {                                                                                   \
    V a_ = SH(v[0], v[1], 0, 4, 2, 6), b_ = SH(v[0], v[1], 1, 5, 3, 7);                  \
    V c_ = SH(v[2], v[3], 0, 4, 2, 6), d_ = SH(v[2], v[3], 1, 5, 3, 7);                  \
    v[0] = SH(a_, c_, 0, 1, 4, 5), v[1] = SH(b_, d_, 0, 1, 4, 5);                        \
    v[2] = SH(a_, c_, 2, 3, 6, 7), v[3] = SH(b_, d_, 2, 3, 6, 7);                        \
  } while (0)
#define SPLIT4(T, V)                                                                     \
  V v[4];                                                                                \
  for (size_t i = 0; i < 4; i++) memcpy(&v[i], x + m->at[l + i] + 4 * q, sizeof(V));     \
  TURN(V, v);                                                                            \
  for (size_t j = 0; j < 4; j++) memcpy(row[j] + q * m->pitch + l, &v[j], sizeof(V));
#define UNSPLIT4(T, V)                                                                   \
  V v[4];                                                                                \
  for (size_t j = 0; j < 4; j++) memcpy(&v[j], row[j] + q * m->pitch + l, sizeof(V));    \
  TURN(V, v);                                                                            \
  for (size_t i = 0; i < 4; i++) memcpy(x + m->at[l + i] + 4 * q, &v[i], sizeof(V));
#define HAS_SHUFFLES
#endif

#define SPLIT1(T)                                                                        \
  const T *from = x + m->at[l] + 4 * q;                                                  \
  for (size_t j = 0; j < 4; j++) row[j][q * m->pitch + l] = from[j];
#define UNSPLIT1(T)                                                                      \
  T *to = x + m->at[l] + 4 * q;                                                          \
  for (size_t j = 0; j < 4; j++) to[j] = row[j][q * m->pitch + l];

/* As many quads at a time as a line of the cache has. */
#define EACH_LINE(T)                                                                     \
  for (size_t q0 = 0, end; q0 < m->quads; q0 = end) {                                    \
    end = q0 + 16 / sizeof(T);                                                           \
    if (end > m->quads) end = m->quads;
#define EACH_QUAD for (size_t q = q0; q < end; q++)
#ifdef HAS_SHUFFLES
#define LANES(T, V, BY4, BY1)                                                            \
  for (size_t l = 0; m->w >= 4 && l < m->w; l += 4) {                                    \
    if (l > m->w - 4) l = m->w - 4;                                                      \
    EACH_QUAD { BY4(T, V) }                                                              \
  }                                                                                      \
  for (size_t l = 0; m->w < 4 && l < m->w; l++) EACH_QUAD {                              \
      BY1(T)                                                                             \
    }
#else
#define LANES(T, V, BY4, BY1)                                                            \
  for (size_t l = 0; l < m->w; l++) EACH_QUAD {                                          \
      BY1(T)                                                                             \
    }
#endif
#define LANES1(T, V, BY4, BY1)                                                           \
  EACH_QUAD for (size_t l = 0; l < m->w; l++) { BY1(T) }

#define QUADS(s, T, V, BLOCKS)                                                           \
  static void split_##s(const blk_quad_rows *m, void *xv) {                              \
    const T *x = xv;                                                                     \
    T *row[4] = {m->row[0], m->row[1], m->row[2], m->row[3]};                            \
    EACH_LINE(T)                                                                         \
    BLOCKS(T, V, SPLIT4, SPLIT1)                                                         \
    for (size_t j = 0; j < 4; j++)                                                       \
      EACH_QUAD for (size_t l = m->w; l < m->pitch; l++) row[j][q * m->pitch + l] =      \
          row[j][q * m->pitch + m->w - 1];                                               \
  }                                                                                      \
  }                                                                                      \
  static void unsplit_##s(const blk_quad_rows *m, void *xv) {                            \
    T *x = xv;                                                                           \
    T *row[4] = {m->row[0], m->row[1], m->row[2], m->row[3]};                            \
    EACH_LINE(T)                                                                         \
    BLOCKS(T, V, UNSPLIT4, UNSPLIT1)                                                     \
  }                                                                                      \
  }
QUADS(1, uint8_t, , LANES1)
QUADS(4, uint32_t, u32x4, LANES)
QUADS(8, uint64_t, u64x4, LANES)

const blk_quads ISA_CAT(blk_quads, ISA) = {
    .split = {split_1, split_4, split_8},
    .unsplit = {unsplit_1, unsplit_4, unsplit_8},
};
