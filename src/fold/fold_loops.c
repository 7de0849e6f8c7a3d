/* SPDX-License-Identifier: MIT */
/* fold_loops.c - the loops of folds, for one instruction set: folds.def's rows, each on its
 * types.
 *
 * Nothing here may reassociate a float operation: the brackets of TREE loops are those of the
 * fold tree in tables/fold.h. What is exact goes in the order that is fastest. A line is a
 * strip of one column, and the loops over rows of columns have a loop of their own for it.
 *
 * TRIED: ⌊ and ⌈ of floats, whose order cannot show, by loops of the exact kind, scanned as integers
 * in the order of the floats. 60 KB less for each instruction set, columns in 0.5 to 0.8 of the time;
 * but lines of tables took 1.2 to 1.5 times as long, ⌈\ of tables and of f32 1.2 to 1.5. Loops over four
 * rows and over two and three columns mended a part of that, and were as large as what they saved.
 *
 * The loops are written for a type T, whose name is TYPE, and a monoid `id` with the join
 * J(a, b); f, where J reports a product that overflowed, is their local variable. Those of scans
 * by the tree are in scan_loops.h. Below them
 * folds.def is included once for every type. */
#include "../base/isa.h"

#include "fold_loops.h"
#include "scan_loops.h"

#include <string.h>

#include "../base/extreme.h"
#include "../base/macros.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x4 __attribute__((vector_size(32)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef int64_t i64x4 __attribute__((vector_size(32)));
typedef float f32x8 __attribute__((vector_size(32)));
typedef double f64x8 __attribute__((vector_size(64)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef int64_t i64x8 __attribute__((vector_size(64)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint64_t u64x4 __attribute__((vector_size(32)));

/* Shuffles of vectors are spelt alike since gcc 12. */
#if defined(__clang__) || __GNUC__ >= 12
#define HAS_SHUFFLES
#endif

/* ── bits, and rows that become columns ─────────────────────────────────────────────── */

static int64_t count_bits(const uint8_t *bits, int64_t from, int64_t n) {
  int64_t s = 0, i = from, end = from + n;
  for (; i < end && i % 8; i++) s += bits[i / 8] >> (i % 8) & 1;
  for (; i + 64 <= end; i += 64) {
    uint64_t w;
    memcpy(&w, bits + i / 8, 8);
    s += __builtin_popcountll(w);
  }
  for (; i < end; i++) s += bits[i / 8] >> (i % 8) & 1;
  return s;
}

/* to[c][r] = from[r][c] of atoms of `a` elements, `tp` and `fp` elements from row to row. Single
 * elements go in blocks of 4 × 4; the last one of a row or column overlaps the one before. */
#ifdef HAS_SHUFFLES
#define SH4(a, b, i, j, m, n) __builtin_shufflevector(a, b, i, j, m, n)
#define TRANSPOSE(SH, V, a, b, c, d)                                                     \
  do {                                                                                   \
    V a_ = SH(a, b, 0, 4, 2, 6), b_ = SH(a, b, 1, 5, 3, 7);                              \
    V c_ = SH(c, d, 0, 4, 2, 6), d_ = SH(c, d, 1, 5, 3, 7);                              \
    a = SH(a_, c_, 0, 1, 4, 5), b = SH(b_, d_, 0, 1, 4, 5);                              \
    c = SH(a_, c_, 2, 3, 6, 7), d = SH(b_, d_, 2, 3, 6, 7);                              \
  } while (0)
#define TURN4(T, V)                                                                      \
  for (size_t r = 0; rows >= 4 && cols >= 4 && r < rows; r += 4) {                       \
    if (r > rows - 4) r = rows - 4;                                                      \
    for (size_t c = 0; c < cols; c += 4) {                                               \
      if (c > cols - 4) c = cols - 4;                                                    \
      const T *x = from + r * fp + c;                                                    \
      T *y = to + c * tp + r;                                                            \
      __builtin_prefetch((const char *)x +                                               \
                         4096); /* in time for the strip's next rows */                  \
      V p, q, s, u;                                                                      \
      memcpy(&p, x, sizeof p), memcpy(&q, x + fp, sizeof p);                             \
      memcpy(&s, x + 2 * fp, sizeof p), memcpy(&u, x + 3 * fp, sizeof p);                \
      TRANSPOSE(SH4, V, p, q, s, u);                                                     \
      memcpy(y, &p, sizeof p), memcpy(y + tp, &q, sizeof p);                             \
      memcpy(y + 2 * tp, &s, sizeof p), memcpy(y + 3 * tp, &u, sizeof p);                \
    }                                                                                    \
  }                                                                                      \
  if (rows >= 4 && cols >= 4) return;
#else
#define TURN4(T, V)
#endif
/* Rows of two or three elements, and their way back: lengths that the compiler sees. */
#define THIN(n)                                                                          \
  if (cols == n && fp == n) {                                                            \
    IVDEP for (size_t r = 0; r < rows; r++) for (size_t c = 0; c < n; c++)               \
        to[c * tp + r] = from[r * n + c];                                                \
    return;                                                                              \
  }                                                                                      \
  if (rows == n && tp == n) {                                                            \
    IVDEP for (size_t c = 0; c < cols; c++) for (size_t r = 0; r < n; r++)               \
        to[c * n + r] = from[r * fp + c];                                                \
    return;                                                                              \
  }
#define TURN(name, T, V, BLOCKS)                                                         \
  static void name(const fold_rows *m, size_t a) {                                       \
    const size_t tp = m->r_pitch, fp = m->pitch, rows = m->rows, cols = m->w;            \
    T *to = m->r;                                                                        \
    const T *from = m->x;                                                                \
    if (a > 1) {                                                                         \
      for (size_t r = 0; r < rows; r++)                                                  \
        for (size_t c = 0; c < cols; c++)                                                \
          for (size_t j = 0; j < a; j++)                                                 \
            to[c * tp + r * a + j] = from[r * fp + c * a + j];                           \
      return;                                                                            \
    }                                                                                    \
    THIN(2)                                                                              \
    THIN(3)                                                                              \
    BLOCKS                                                                               \
    if (rows < cols)                                                                     \
      for (size_t r = 0; r < rows; r++)                                                  \
        for (size_t c = 0; c < cols; c++) to[c * tp + r] = from[r * fp + c];             \
    else                                                                                 \
      for (size_t c = 0; c < cols; c++)                                                  \
        for (size_t r = 0; r < rows; r++) to[c * tp + r] = from[r * fp + c];             \
  }
TURN(turn_1, uint8_t, uint8_t, )
TURN(turn_4, uint32_t, u32x4, TURN4(uint32_t, u32x4))
TURN(turn_8, uint64_t, u64x4, TURN4(uint64_t, u64x4))

/* ── joins ──────────────────────────────────────────────────────────────────────────── */

/* The name of a loop: what it does, the monoid, the type. */
#define L(what, id) ISA_CAT(what##_##id, TYPE)

#define JOIN_ADD(a, b) ((a) + (b))
#define JOIN_MUL(a, b) ((a) * (b))
#define JOIN_MULO(a, b) ISA_CAT(product, TYPE)(a, b, f)
#define JOIN_MIN(a, b) ISA_CAT(least, TYPE)(a, b)
#define JOIN_MAX(a, b) ISA_CAT(most, TYPE)(a, b)
#define JOIN_AND(a, b) (T)((a) & (b))
#define JOIN_OR(a, b) (T)((a) | (b))
#define JOIN_XOR(a, b) (T)((a) ^ (b))

/* Those of floats on vectors. */
#define VECTOR_ADD(a, b) ((a) + (b))
#define VECTOR_MUL(a, b) ((a) * (b))
#define VECTOR_MIN(a, b) LESSER(VECTOR, MASK, a, b)
#define VECTOR_MAX(a, b) GREATER(VECTOR, MASK, a, b)
#define VECTOR_MULO(a, b) /* integers have no vectors */

/* May the join overflow? May the order of floats be any? */
enum { ESCAPE_ADD, ESCAPE_MUL = 0, ESCAPE_MIN = 0, ESCAPE_MAX = 0, ESCAPE_MULO = 1 };
enum { ANY_ORDER_ADD, ANY_ORDER_MUL = 0, ANY_ORDER_MIN = 1, ANY_ORDER_MAX = 1 };

static inline int32_t product_i32(int32_t a, int32_t b, uint32_t *f) {
  int64_t z = (int64_t)a * b; /* for this there are vectors */
  *f |= z != (int32_t)z;
  return (int32_t)z;
}
static inline int64_t product_i64(int64_t a, int64_t b, uint32_t *f) {
  int64_t z;
  *f |= (uint32_t)__builtin_mul_overflow(a, b, &z);
  return z;
}

/* ── folds whose order cannot show ──────────────────────────────────────────────────── */

#define EXACT(id, J)                                                                     \
  static void L(fold, id)(void *accv, const void *xv, size_t rows, size_t w,             \
                          size_t pitch) {                                                \
    T *acc = accv;                                                                       \
    const T *x = xv;                                                                     \
    if (w == 1 && pitch == 1) {                                                          \
      T a = acc[0];                                                                      \
      for (size_t i = 0; i < rows; i++) a = J(a, x[i]);                                  \
      acc[0] = a;                                                                        \
      return;                                                                            \
    }                                                                                    \
    for (; rows--; x += pitch) {                                                         \
      IVDEP for (size_t j = 0; j < w; j++) acc[j] = J(acc[j], x[j]);                     \
    }                                                                                    \
  }                                                                                      \
  static uint32_t L(scan, id)(const fold_rows *m, void *accv, bool ex) {                 \
    const size_t rp = m->r_pitch, pitch = m->pitch, w = m->w;                            \
    size_t rows = m->rows;                                                               \
    T *r = m->r, *acc = accv;                                                            \
    const T *x = m->x;                                                                   \
    if (w == 1 && pitch == 1 && rp == 1) {                                               \
      T a = acc[0], z;                                                                   \
      if (ex)                                                                            \
        for (size_t i = 0; i < rows; i++) z = J(a, x[i]), r[i] = a, a = z;               \
      else                                                                               \
        for (size_t i = 0; i < rows; i++) r[i] = a = J(a, x[i]);                         \
      acc[0] = a;                                                                        \
      return 0;                                                                          \
    }                                                                                    \
    for (; rows--; x += pitch, r += rp) {                                                \
      IVDEP for (size_t j = 0; j < w; j++) {                                             \
        const T a = acc[j], z = J(a, x[j]);                                              \
        r[j] = ex ? a : z, acc[j] = z;                                                   \
      }                                                                                  \
    }                                                                                    \
    return 0;                                                                            \
  }

/* Sums of whole numbers in i64. A block's sum of one line is in S. */
#define SUM_NARROW(id, S)                                                                \
  static void L(fold, id)(void *accv, const void *xv, size_t rows, size_t w,             \
                          size_t pitch) {                                                \
    int64_t *acc = accv;                                                                 \
    const T *x = xv;                                                                     \
    if (w == 1 && pitch == 1) {                                                          \
      S s = 0;                                                                           \
      for (size_t i = 0; i < rows; i++) s += x[i];                                       \
      acc[0] += s;                                                                       \
      return;                                                                            \
    }                                                                                    \
    for (; rows--; x += pitch) { IVDEP for (size_t j = 0; j < w; j++) acc[j] += x[j]; }  \
  }

/* In halves. Those of one line are summed without their sign, which goes at the end: a shift
 * that keeps the sign is slow before AVX-512. */
#define SUM_HALVES(id)                                                                   \
  static void L(fold, id)(void *accv, const void *xv, size_t rows, size_t w,             \
                          size_t pitch) {                                                \
    int64_t *acc = accv;                                                                 \
    const int64_t *x = xv;                                                               \
    if (w == 1 && pitch == 1) {                                                          \
      uint64_t lo = 0, hi = 0;                                                           \
      for (size_t i = 0; i < rows; i++) {                                                \
        uint64_t u = (uint64_t)x[i] ^ (uint64_t)1 << 63;                                 \
        lo += u & 0xffffffffu;                                                           \
        hi += u >> 32;                                                                   \
      }                                                                                  \
      acc[0] += (int64_t)lo;                                                             \
      acc[FOLD_MOST] += (int64_t)(hi - ((uint64_t)rows << 31));                          \
      return;                                                                            \
    }                                                                                    \
    for (; rows--; x += pitch) {                                                         \
      IVDEP for (size_t j = 0; j < w; j++) {                                             \
        acc[j] += x[j] & 0xffffffff;                                                     \
        acc[FOLD_MOST + j] += x[j] >> 32;                                                \
      }                                                                                  \
    }                                                                                    \
  }
#define SUM_u8(id) SUM_NARROW(id, uint32_t)
#define SUM_i32(id) SUM_NARROW(id, int64_t)
#define SUM_i64(id) SUM_HALVES(id)

/* The scans of n columns, all there are: a number that the compiler sees. */
#define SUM_SCAN(n)                                                                      \
  if (w == n && pitch == n && rp == n) {                                                 \
    bool wraps = false;                                                                  \
    int64_t a[n];                                                                        \
    memcpy(a, acc, sizeof a);                                                            \
    for (; rows--; x += n, r += n)                                                       \
      for (size_t j = 0; j < n; j++) {                                                   \
        const int64_t before = a[j];                                                     \
        wraps |= __builtin_add_overflow(a[j], (int64_t)x[j], &a[j]);                     \
        r[j] = ex ? before : a[j];                                                       \
      }                                                                                  \
    memcpy(acc, a, sizeof a);                                                            \
    return wraps;                                                                        \
  }

#define SUM(id)                                                                          \
  ISA_CAT(SUM, TYPE)                                                                     \
  (id) static uint32_t L(scan, id)(const fold_rows *m, void *accv, bool ex) {            \
    const size_t rp = m->r_pitch, pitch = m->pitch, w = m->w;                            \
    size_t rows = m->rows;                                                               \
    int64_t *r = m->r, *acc = accv, f = 0;                                               \
    const T *x = m->x;                                                                   \
    SUM_SCAN(1)                                                                          \
    SUM_SCAN(2)                                                                          \
    SUM_SCAN(3)                                                                          \
    for (; rows--; x += pitch, r += rp) {                                                \
      IVDEP for (size_t j = 0; j < w; j++) {                                             \
        const int64_t a = acc[j], y = x[j], z = (int64_t)((uint64_t)a + (uint64_t)y);    \
        f |= (a ^ z) & (y ^ z);                                                          \
        r[j] = ex ? a : z, acc[j] = z;                                                   \
      }                                                                                  \
    }                                                                                    \
    return f < 0;                                                                        \
  }

/* ── folds by the tree ──────────────────────────────────────────────────────────────── */

#define TREE(id, J, JV, ID, ESCAPES)                                                     \
  static void L(fill, id)(void *vv, size_t n) {                                          \
    T *v = vv;                                                                           \
    for (size_t i = 0; i < n; i++) v[i] = ID;                                            \
  }                                                                                      \
  static uint32_t L(both, id)(void *rv, const void *av, const void *bv, size_t n) {      \
    uint32_t flag = 0, *f = &flag;                                                       \
    T *r = rv;                                                                           \
    const T *a = av, *b = bv;                                                            \
    IVDEP for (size_t i = 0; i < n; i++) r[i] = J(a[i], b[i]);                           \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }                                                                                      \
  static uint32_t L(both4, id)(void *accv, const void *xv, size_t n, size_t p) {         \
    uint32_t flag = 0, *f = &flag;                                                       \
    T *acc = accv;                                                                       \
    const T *x = xv, *y = x + p, *z = y + p, *u = z + p;                                 \
    IVDEP for (size_t i = 0; i < n; i++) {                                               \
      T a = J(J(acc[i], x[i]), y[i]);                                                    \
      acc[i] = J(J(a, z[i]), u[i]);                                                      \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }                                                                                      \
  static uint32_t L(chain, id)(void *accv, const void *xv, size_t n) {                   \
    uint32_t flag = 0, *f = &flag;                                                       \
    T acc = *(T *)accv;                                                                  \
    const T *x = xv;                                                                     \
    for (size_t i = 0; i < n; i++) acc = J(acc, x[i]);                                   \
    *(T *)accv = acc;                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }                                                                                      \
  static uint32_t L(leaf, id)(void *rv, const void *xv, size_t rows, size_t w,           \
                              size_t p) {                                                \
    uint32_t flag = 0, *f = &flag;                                                       \
    T *r = rv;                                                                           \
    const T *x = xv;                                                                     \
    if (rows == 2) {                                                                     \
      IVDEP for (size_t j = 0; j < w; j++) r[j] = J(x[j], x[p + j]);                     \
    } else if (rows == 4) {                                                              \
      const T *y = x + 2 * p;                                                            \
      IVDEP for (size_t j = 0; j < w; j++) r[j] =                                        \
          J(J(x[j], x[p + j]), J(y[j], y[p + j]));                                       \
    } else {                                                                             \
      const T *y = x + 2 * p, *z = y + 2 * p, *u = z + 2 * p;                            \
      IVDEP for (size_t j = 0; j < w; j++) {                                             \
        const T a = J(J(x[j], x[p + j]), J(y[j], y[p + j])),                             \
                b = J(J(z[j], z[p + j]), J(u[j], u[p + j]));                             \
        r[j] = J(a, b);                                                                  \
      }                                                                                  \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }                                                                                      \
  APART static uint32_t L(pairs, id)(void *rv, const void *vv, size_t n, size_t w) {     \
    uint32_t flag = 0, *f = &flag;                                                       \
    T *r = rv;                                                                           \
    const T *v = vv;                                                                     \
    if (w == 1) {                                                                        \
      IVDEP for (size_t i = 0; i < n; i++) r[i] = J(v[2 * i], v[2 * i + 1]);             \
    } else if (w == 2) {                                                                 \
      IVDEP for (size_t i = 0; i < n; i++) for (size_t j = 0; j < 2; j++) r[2 * i + j] = \
          J(v[4 * i + j], v[4 * i + 2 + j]);                                             \
    } else if (w == 3) {                                                                 \
      IVDEP for (size_t i = 0; i < n; i++) for (size_t j = 0; j < 3; j++) r[3 * i + j] = \
          J(v[6 * i + j], v[6 * i + 3 + j]);                                             \
    } else {                                                                             \
      for (size_t i = 0; i < n; i++, r += w, v += 2 * w)                                 \
        for (size_t j = 0; j < w; j++) r[j] = J(v[j], v[w + j]);                         \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }                                                                                      \
  /* 64 neighbours become 8: lengths that the compiler sees. */                          \
  APART static uint32_t L(eighth, id)(T * r, const T *v) {                               \
    uint32_t flag = 0, *f = &flag;                                                       \
    T a[32], b[16];                                                                      \
    IVDEP for (int i = 0; i < 32; i++) a[i] = J(v[2 * i], v[2 * i + 1]);                 \
    IVDEP for (int i = 0; i < 16; i++) b[i] = J(a[2 * i], a[2 * i + 1]);                 \
    IVDEP for (int i = 0; i < 8; i++) r[i] = J(b[2 * i], b[2 * i + 1]);                  \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }                                                                                      \
  /* Up to KIR_LANES lanes by neighbours; what lanes lack is the identity. */            \
  static inline T L(lanes, id)(const T *v, size_t n, uint32_t *f) {                      \
    T part[KIR_LANES / 8], last[64];                                                     \
    if (n <= 16) { /* one lane, or two, for each part */                                 \
      const size_t by = n > 8 ? 2 : 1, two = by == 2 ? n / 2 : 0;                        \
      for (size_t i = 0; i < two; i++) part[i] = J(v[2 * i], v[2 * i + 1]);              \
      for (size_t i = two; i < 8; i++) part[i] = by * i < n ? v[by * i] : (T)(ID);       \
      n = 8, v = part;                                                                   \
    }                                                                                    \
    while (n > 8) {                                                                      \
      const size_t whole = n / 64 * 64, all = (n + 63) / 64 * 8;                         \
      for (size_t i = whole; whole < n && i < whole + 64; i++)                           \
        last[i - whole] = i < n ? v[i] : (T)(ID);                                        \
      for (size_t i = 0; i < whole; i += 64) *f |= L(eighth, id)(part + i / 8, v + i);   \
      if (whole < n) *f |= L(eighth, id)(part + whole / 8, last);                        \
      n = all, v = part;                                                                 \
    }                                                                                    \
    const T p = J(v[0], v[1]), q = J(v[2], v[3]), u = J(v[4], v[5]), w = J(v[6], v[7]);  \
    return J(J(p, q), J(u, w));                                                          \
  }                                                                                      \
  static uint32_t L(line, id)(void *rv, const void *xv, size_t n) {                      \
    enum { SIDE = 512 / sizeof(T) };                                                     \
    uint32_t flag = 0, *f = &flag;                                                       \
    T lane[KIR_LANES];                                                                   \
    const T *x = xv;                                                                     \
    if (ANY_ORDER_##id && n >= SIDE) {                                                   \
      memcpy(lane, x, SIDE * sizeof(T));                                                 \
      for (size_t at = SIDE; at < n; at += SIDE) {                                       \
        const T *y =                                                                     \
            x + (at < n - SIDE ? at : n - SIDE); /* some of the last ones twice */       \
        IVDEP for (int j = 0; j < SIDE; j++) lane[j] = J(lane[j], y[j]);                 \
      }                                                                                  \
      x = lane, n = SIDE;                                                                \
    } else if (n > KIR_LANES) {                                                          \
      size_t at = KIR_LANES;                                                             \
      memcpy(lane, x, sizeof lane);                                                      \
      for (; at + 4 * KIR_LANES <= n; at += 4 * KIR_LANES)                               \
        flag |= L(both4, id)(lane, x + at, KIR_LANES, KIR_LANES);                        \
      for (size_t m; at < n; at += m) {                                                  \
        m = n - at < KIR_LANES ? n - at : KIR_LANES;                                     \
        flag |= L(both, id)(lane, lane, x + at, m);                                      \
      }                                                                                  \
      x = lane, n = KIR_LANES;                                                           \
    }                                                                                    \
    *(T *)rv = L(lanes, id)(x, n, f);                                                    \
    return flag;                                                                         \
  }                                                                                      \
  TREE_PART(id, J, ID)                                                                   \
  TREE_WHOLE(id, J, JV, ID)                                                              \
  TREE_SCAN(id, J, ESCAPES)                                                              \
  TREE_QUAD(id, J, ID)

/* ── every row on every type ────────────────────────────────────────────────────────── */

#define LOOPS_EXACT(id, op, identity) EXACT(id, JOIN_##op)
#define LOOPS_SUM(id, op, identity) SUM(id)
#define LOOPS_TREE(id, op, identity)                                                     \
  TREE(id, JOIN_##op, VECTOR_##op, (T)(identity), ESCAPE_##op)
#define KEEP(LOOPS, ...) LOOPS(__VA_ARGS__)
#define SKIP(...)
#define ROW(id, class, order, op, identity, group)                                       \
  CLASS_##class(LOOPS_##order, id, op, identity)

#define CLASS_B KEEP
#define CLASS_I SKIP
#define CLASS_F SKIP
#define TYPE u8
#define T uint8_t
#define ON ROW
#include "../tables/folds.def"
SUM(ADD) /* a sum of truth values needs no conversion */
#undef TYPE
#undef T

#undef CLASS_B
#undef CLASS_I
#define CLASS_B SKIP
#define CLASS_I KEEP
#define TREE_WHOLE TREE_LOOPS
#define TYPE i32
#define T int32_t
#define MEMBER i
#define HIGHEST INT32_MAX
#define LOWEST INT32_MIN
#define ON ROW
#include "../tables/folds.def"
#undef TYPE
#undef T
#undef MEMBER
#undef HIGHEST
#undef LOWEST
#define TYPE i64
#define T int64_t
#define MEMBER l
#define HIGHEST INT64_MAX
#define LOWEST INT64_MIN
#define ON ROW
#include "../tables/folds.def"
#undef TYPE
#undef T
#undef MEMBER
#undef HIGHEST
#undef LOWEST

#undef CLASS_I
#undef CLASS_F
#define CLASS_I SKIP
#define CLASS_F KEEP
#define HIGHEST __builtin_inf()
#define LOWEST -__builtin_inf()
#ifdef HAS_SHUFFLES
#undef TREE_WHOLE
#define TREE_WHOLE TREE_VECTORS
#endif
#define TYPE f32
#define T float
#define MEMBER f
#ifdef __AVX2__
#define VECTOR f32x8
#define HALF f32x4
#define MASK i32x8
#define VEC(what) what##8
#else
#define VECTOR f32x4
#define MASK i32x4
#define VEC(what) what##4
#endif
#define ON ROW
#include "../tables/folds.def"
#undef TYPE
#undef T
#undef MEMBER
#undef VECTOR
#undef HALF
#undef MASK
#undef VEC
/* Four doubles need registers of 32 bytes. */
#ifndef __AVX2__
#undef TREE_WHOLE
#define TREE_WHOLE TREE_LOOPS
#endif
#define TYPE f64
#define T double
#define MEMBER d
#ifdef __AVX512F__
#define VECTOR f64x8
#define HALF f64x4
#define MASK i64x8
#define VEC(what) what##8
#else
#define VECTOR f64x4
#define MASK i64x4
#define VEC(what) what##4
#endif
#define ON ROW
#include "../tables/folds.def"
#undef TYPE
#undef T
#undef MEMBER
#undef VECTOR
#undef HALF
#undef MASK
#undef VEC

/* ── the table ──────────────────────────────────────────────────────────────────────── */

#define TREE_OF(id, s)                                                                   \
  {                                                                                      \
    .fill = fill_##id##_##s, .both = both_##id##_##s, .both4 = both4_##id##_##s,         \
    .chain = chain_##id##_##s, .leaf = leaf_##id##_##s, .pairs = pairs_##id##_##s,       \
    .line = line_##id##_##s, .scan = scan_##id##_##s, .quad = quad_##id##_##s            \
  }
#define EXACT_OF(id, s)                                                                  \
  { .fold = fold_##id##_##s, .scan = scan_##id##_##s }
#define ON_B(f, id) [KF_##id][KB] = f(id, u8),
#define ON_I(f, id) [KF_##id][KI32] = f(id, i32), [KF_##id][KI64] = f(id, i64),
#define ON_F(f, id) [KF_##id][KF32] = f(id, f32), [KF_##id][KF64] = f(id, f64),

const fold_loops ISA_NAME(fold_loops) = {
    .tree =
        {
#define ROW_TREE(class, id) ON_##class(TREE_OF, id)
#define ROW_EXACT(class, id)
#define ROW_SUM(class, id)
#define ON(id, class, order, ...) ROW_##order(class, id)
#include "../tables/folds.def"
        },
    .exact =
        {
#undef ROW_TREE
#undef ROW_EXACT
#undef ROW_SUM
#define ROW_TREE(class, id)
#define ROW_EXACT(class, id) ON_##class(EXACT_OF, id)
#define ROW_SUM(class, id) ON_##class(EXACT_OF, id)[KF_##id][KB] = EXACT_OF(id, u8),
#define ON(id, class, order, ...) ROW_##order(class, id)
#include "../tables/folds.def"
        },
    .turn = {turn_1, turn_4, turn_8},
    .count = count_bits,
};
