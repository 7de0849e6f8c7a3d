/* SPDX-License-Identifier: MIT */
/* block_fold_loops.h - the loops of folds, a part of block_loops.h and like it compiled once
 * for each instruction set.
 *
 * Nothing here may reassociate a float operation: the brackets of `tree` loops are those of
 * the fold tree in kir.h. What is exact (sums of integers in 128 bits, least, greatest,
 * truth values) goes in the order that is fastest. */
/* ── folds whose order cannot show ──────────────────────────────────────────────────── */

#define SUM(name, A, S)                                                                  \
  static void N(name)(blk_wide * acc, const void *xv, size_t n) {                        \
    const A *x = xv;                                                                     \
    S s = 0;                                                                             \
    for (size_t i = 0; i < n; i++) s += x[i];                                            \
    *acc += s;                                                                           \
  }
SUM(sum_b, uint8_t, uint32_t)
SUM(sum_i32, int32_t, int64_t)
/* Exact: halves are summed apart, the upper ones without their sign, which goes at the end. */
static void N(sum_i64)(blk_wide *acc, const void *xv, size_t n) {
  const int64_t *x = xv;
  uint64_t lo = 0, hi = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t w = (uint64_t)x[i] ^ (uint64_t)1 << 63;
    lo += w & 0xffffffffu;
    hi += w >> 32;
  }
  *acc += ((blk_wide)hi << 32) + (blk_wide)lo - ((blk_wide)(int64_t)n << 63);
}
#define EXTREME(name, T, REL)                                                            \
  static void N(name)(blk_wide * acc, const void *xv, size_t n) {                        \
    const T *x = xv;                                                                     \
    T m = (T)*acc;                                                                       \
    for (size_t i = 0; i < n; i++) m = x[i] REL m ? x[i] : m;                            \
    *acc = m;                                                                            \
  }                                                                                      \
  static uint32_t N(name##_scan)(void *rv, const void *xv, size_t n, int64_t start) {    \
    T *r = rv;                                                                           \
    const T *x = xv;                                                                     \
    T m = (T)start;                                                                      \
    for (size_t i = 0; i < n; i++) r[i] = m = x[i] REL m ? x[i] : m;                     \
    return 0;                                                                            \
  }
EXTREME(least_b, uint8_t, <)
EXTREME(least_i32, int32_t, <)
EXTREME(least_i64, int64_t, <)
EXTREME(most_b, uint8_t, >)
EXTREME(most_i32, int32_t, >)
EXTREME(most_i64, int64_t, >)

/* The same for columns: acc[j] = acc[j] ∘ x[i][j] over the rows of a panel, `pitch` elements
 * from row to row. Sums are in i64; of i64, whose sum may need more, halves are summed apart:
 * acc[j] the lower ones, acc[BLK_MAX + j] the upper ones. */
#define COLUMNS(name, A, S, e)                                                           \
  static void N(name)(void *accv, const void *xv, size_t rows, size_t w, size_t pitch) { \
    S *acc = accv;                                                                       \
    const A *x = xv;                                                                     \
    for (; rows--; x += pitch) { IVDEP for (size_t j = 0; j < w; j++) e; }               \
  }
COLUMNS(sum_b_cols, uint8_t, int64_t, acc[j] += x[j])
COLUMNS(sum_i32_cols, int32_t, int64_t, acc[j] += x[j])
COLUMNS(sum_i64_cols, int64_t, int64_t,
        (acc[j] += x[j] & 0xffffffff, acc[BLK_MAX + j] += x[j] >> 32))
#define EXTREME_COLUMNS(name, T, REL)                                                    \
  COLUMNS(name##_cols, T, T, acc[j] = x[j] REL acc[j] ? x[j] : acc[j])                   \
  static uint32_t N(name##_cols_scan)(void *rv, size_t rp, void *accv, const void *xv,   \
                                      size_t rows, size_t w, size_t xp) {                \
    T *r = rv, *acc = accv;                                                              \
    const T *x = xv;                                                                     \
    for (; rows--; x += xp, r += rp) {                                                   \
      IVDEP for (size_t j = 0; j < w; j++) r[j] = acc[j] =                               \
          x[j] REL acc[j] ? x[j] : acc[j];                                               \
    }                                                                                    \
    return 0;                                                                            \
  }
EXTREME_COLUMNS(least_b, uint8_t, <)
EXTREME_COLUMNS(least_i32, int32_t, <)
EXTREME_COLUMNS(least_i64, int64_t, <)
EXTREME_COLUMNS(most_b, uint8_t, >)
EXTREME_COLUMNS(most_i32, int32_t, >)
EXTREME_COLUMNS(most_i64, int64_t, >)

#define SUMS(name, A)                                                                    \
  static uint32_t N(name)(void *rv, const void *xv, size_t n, int64_t start) {           \
    int64_t *r = rv;                                                                     \
    const A *x = xv;                                                                     \
    bool f = false;                                                                      \
    for (size_t i = 0; i < n; i++) {                                                     \
      f |= __builtin_add_overflow(start, (int64_t)x[i], &start);                         \
      r[i] = start;                                                                      \
    }                                                                                    \
    return f;                                                                            \
  }                                                                                      \
  static uint32_t N(name##_cols)(void *rv, size_t rp, void *accv, const void *xv,        \
                                 size_t rows, size_t w, size_t xp) {                     \
    int64_t *r = rv, *acc = accv, f = 0;                                                 \
    const A *x = xv;                                                                     \
    for (; rows--; x += xp, r += rp) {                                                   \
      IVDEP for (size_t j = 0; j < w; j++) {                                             \
        const int64_t a = acc[j], y = x[j], z = (int64_t)((uint64_t)a + (uint64_t)y);    \
        f |= (a ^ z) & (y ^ z);                                                          \
        r[j] = acc[j] = z;                                                               \
      }                                                                                  \
    }                                                                                    \
    return f < 0;                                                                        \
  }
SUMS(sums_b, uint8_t)
SUMS(sums_i32, int32_t)
SUMS(sums_i64, int64_t)

/* ── folds by the tree ──────────────────────────────────────────────────────────────── */

/* One group of the scan rule: up to 128 elements at p, written to o. `base` is C ∘ G, or what
 * of it exists. Steps 1, 2 and 4 of tables/fold.h; returns the group's total. */
#define TREE_PART(name, T)                                                               \
  APART static T N(name##_part)(T * o, const T *p, int n, bool has, T base,              \
                                uint32_t *f) {                                           \
    T s[BLK_GROUP], t[32];                                                               \
    int quads = (n + 3) / 4;                                                             \
    for (int i = 0; i < n; i++) t[i / 4] = s[i] = i % 4 ? J(s[i - 1], p[i]) : p[i];      \
    for (int w = 1; w < quads; w *= 2)                                                   \
      for (int q = w; q < quads; q += 2 * w)                                             \
        for (int i = q; i < q + w && i < quads; i++) t[i] = J(t[q - 1], t[i]);           \
    for (int q = 0; q < quads; q++) {                                                    \
      bool any = has || q;                                                               \
      T b = !q ? base : has ? J(base, t[q - 1]) : t[q - 1];                              \
      for (int i = 4 * q; i < n && i < 4 * q + 4; i++) o[i] = any ? J(b, s[i]) : s[i];   \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return t[quads - 1];                                                                 \
  }

/* The same for a whole group in vectors of four: four quads are transposed, so that every
 * step of a quad is one operation, and the quads' totals are eight vectors. */
#define TREE_VECTORS(name, T, V)                                                         \
  static inline T N(name##_whole)(T * o, const T *p, bool has, T base, uint32_t *f) {    \
    V s0[8], s1[8], s2[8], s3[8], t[8], x, y, z, w;                                      \
    UNUSED(f);                                                                           \
    for (int i = 0; i < 8; i++) {                                                        \
      memcpy(&x, p + 16 * i, sizeof x), memcpy(&y, p + 16 * i + 4, sizeof x);            \
      memcpy(&z, p + 16 * i + 8, sizeof x), memcpy(&w, p + 16 * i + 12, sizeof x);       \
      TRANSPOSE(V, x, y, z, w);                                                          \
      s0[i] = x, s1[i] = x = JV(V, x, y), s2[i] = x = JV(V, x, z),                       \
      s3[i] = x = JV(V, x, w);                                                           \
      y = SH(x, x, 0, 0, 2, 2), y = JV(V, y, x), x = SH(x, y, 0, 5, 2, 7);               \
      y = SH(x, x, 1, 1, 1, 1), y = JV(V, y, x), t[i] = SH(x, y, 0, 1, 6, 7);            \
    }                                                                                    \
    for (int k = 1; k < 8; k *= 2)                                                       \
      for (int i = k; i < 8; i += 2 * k) {                                               \
        x = SH(t[i - 1], t[i - 1], 3, 3, 3, 3);                                          \
        for (int j = i; j < i + k; j++) t[j] = JV(V, x, t[j]);                           \
      }                                                                                  \
    const T first[4] = {s0[0][0], s1[0][0], s2[0][0], s3[0][0]}, total = t[7][3];        \
    V b = {base, base, base, base}, before = b;                                          \
    for (int i = 0; i < 8; i++) {                                                        \
      V u = SH(before, t[i], 3, 4, 5, 6); /* the totals before each quad */              \
      if (has) x = JV(V, b, u), u = i ? x : SH(b, x, 0, 5, 6, 7);                        \
      before = t[i];                                                                     \
      x = JV(V, u, s0[i]), y = JV(V, u, s1[i]), z = JV(V, u, s2[i]),                     \
      w = JV(V, u, s3[i]);                                                               \
      TRANSPOSE(V, x, y, z, w);                                                          \
      memcpy(o + 16 * i, &x, sizeof x), memcpy(o + 16 * i + 4, &y, sizeof x);            \
      memcpy(o + 16 * i + 8, &z, sizeof x), memcpy(o + 16 * i + 12, &w, sizeof x);       \
    }                                                                                    \
    if (!has) memcpy(o, first, sizeof first);                                            \
    return total;                                                                        \
  }
/* The same in loops that the compiler may vectorise: for registers of 16 bytes, integers,
 * and compilers without shuffles. */
#define TREE_LOOPS(name, T, V)                                                           \
  static inline T N(name##_whole)(T * o, const T *p, bool has, T base, uint32_t *f) {    \
    T s[4][32], t[32], b[32];                                                            \
    UNUSED(f);                                                                           \
    IVDEP for (int q = 0; q < 32; q++) {                                                 \
      T s1 = J(p[4 * q], p[4 * q + 1]), s2 = J(s1, p[4 * q + 2]);                        \
      s[0][q] = p[4 * q], s[1][q] = s1, s[2][q] = s2;                                    \
      s[3][q] = t[q] = J(s2, p[4 * q + 3]);                                              \
    }                                                                                    \
    for (int w = 1; w < 32; w *= 2)                                                      \
      for (int q = w; q < 32; q += 2 * w)                                                \
        for (int i = q; i < q + w; i++) t[i] = J(t[q - 1], t[i]);                        \
    b[0] = base;                                                                         \
    for (int q = 1; q < 32; q++) b[q] = has ? J(base, t[q - 1]) : t[q - 1];              \
    IVDEP for (int q = 0; q < 32; q++) {                                                 \
      o[4 * q] = J(b[q], s[0][q]), o[4 * q + 1] = J(b[q], s[1][q]);                      \
      o[4 * q + 2] = J(b[q], s[2][q]), o[4 * q + 3] = J(b[q], s[3][q]);                  \
    }                                                                                    \
    for (int i = 0; i < 4 && !has; i++) o[i] = s[i][0];                                  \
    return t[31];                                                                        \
  }

/* Step 3: the group's total joins the Sklansky scan of the groups so far. Level k joins it
 * with the total of the aligned 2^k groups before it, kept in d[k] since its last group. */
#define TREE_SCAN(name, T, m, ID)                                                        \
  static uint32_t N(name##_scan)(blk_scan * st, void *rv, const void *xv, size_t n) {    \
    uint32_t flag = 0, *f = &flag;                                                       \
    T *r = rv;                                                                           \
    const T *x = xv;                                                                     \
    for (; n; st->group++) {                                                             \
      size_t w = n < BLK_GROUP ? n : BLK_GROUP;                                          \
      bool has = st->has_carry || st->group;                                             \
      T base = st->has_carry ? st->carry.m : (T)(ID), v;                                 \
      if (st->group) base = st->has_carry ? J(base, st->g.m) : st->g.m;                  \
      if (w < BLK_GROUP) v = N(name##_part)(r, x, (int)w, has, base, f);                 \
      else v = N(name##_whole)(r, x, has, base, f);                                      \
      for (int i = 0; i < 6; i++) {                                                      \
        uint32_t low = (1u << i) - 1;                                                    \
        if (st->group >> i & 1) v = J(st->d[i].m, v);                                    \
        else if ((st->group & low) == low) st->d[i].m = v;                               \
      }                                                                                  \
      st->g.m = v;                                                                       \
      x += w, r += w, n -= w;                                                            \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }

#define TREE(name, T, m, ID, WHOLE_GROUP, V)                                                \
  static uint32_t N(name##_lanes)(void *accv, const void *xv, size_t n) {                   \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *acc = accv;                                                                          \
    const T *x = xv;                                                                        \
    IVDEP for (size_t i = 0; i < n; i++) acc[i] = J(acc[i], x[i]);                          \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  static uint32_t N(name##_lanes4)(void *accv, const void *xv) {                            \
    enum { L = KIR_LANES };                                                                 \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *acc = accv;                                                                          \
    const T *x = xv;                                                                        \
    IVDEP for (int i = 0; i < L; i++) {                                                     \
      T a = J(J(acc[i], x[i]), x[i + L]);                                                   \
      acc[i] = J(J(a, x[i + 2 * L]), x[i + 3 * L]);                                         \
    }                                                                                       \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  APART static uint32_t N(name##_pairs)(void *rv, const void *vv, size_t n) {               \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *r = rv;                                                                              \
    const T *v = vv;                                                                        \
    IVDEP for (size_t i = 0; i < n; i++) r[i] = J(v[2 * i], v[2 * i + 1]);                  \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  APART static uint32_t N(name##_pairs_of)(void *rv, const void *vv, size_t n,              \
                                           size_t w) {                                      \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *r = rv;                                                                              \
    const T *v = vv;                                                                        \
    if (w == 1) return N(name##_pairs)(rv, vv, n);                                          \
    if (w == 2) {                                                                           \
      IVDEP for (size_t i = 0; i < n; i++) for (size_t j = 0; j < 2; j++) r[2 * i + j] =    \
          J(v[4 * i + j], v[4 * i + 2 + j]);                                                \
    } else if (w == 3) {                                                                    \
      IVDEP for (size_t i = 0; i < n; i++) for (size_t j = 0; j < 3; j++) r[3 * i + j] =    \
          J(v[6 * i + j], v[6 * i + 3 + j]);                                                \
    } else {                                                                                \
      for (size_t i = 0; i < n; i++, r += w, v += 2 * w)                                    \
        for (size_t j = 0; j < w; j++) r[j] = J(v[j], v[w + j]);                            \
    }                                                                                       \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  static uint32_t N(name##_both)(void *rv, const void *av, const void *bv, size_t n) {      \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *r = rv;                                                                              \
    const T *a = av, *b = bv;                                                               \
    IVDEP for (size_t i = 0; i < n; i++) r[i] = J(a[i], b[i]);                              \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  static uint32_t N(name##_leaf)(void *rv, const void *xv, size_t rows, size_t w,           \
                                 size_t p) {                                                \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *r = rv;                                                                              \
    const T *x = xv, id = (T)(ID);                                                          \
    if (rows == 1) {                                                                        \
      IVDEP for (size_t j = 0; j < w; j++) r[j] = J(id, x[j]);                              \
    } else {                                                                                \
      const T *y = x + p, *z = y + p, *u = z + p;                                           \
      IVDEP for (size_t j = 0; j < w; j++) {                                                \
        const T a = J(J(id, x[j]), J(id, y[j])), b = J(J(id, z[j]), J(id, u[j]));           \
        r[j] = J(a, b);                                                                     \
      }                                                                                     \
    }                                                                                       \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  static uint32_t N(name##_quad)(void *rv, size_t rp, void *total, const void *base,        \
                                 const void *xv, size_t xp, size_t w) {                     \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *r = rv, *q = r + rp, *s = q + rp, *o = s + rp, *t = total;                           \
    const T *x = xv, *y = x + xp, *z = y + xp, *u = z + xp, *b = base;                      \
    if (b) {                                                                                \
      IVDEP for (size_t j = 0; j < w; j++) {                                                \
        const T s1 = J(x[j], y[j]), s2 = J(s1, z[j]), s3 = J(s2, u[j]), s0 = x[j];          \
        r[j] = J(b[j], s0), q[j] = J(b[j], s1), s[j] = J(b[j], s2), o[j] = J(b[j], s3);     \
        t[j] = s3;                                                                          \
      }                                                                                     \
    } else {                                                                                \
      IVDEP for (size_t j = 0; j < w; j++) {                                                \
        const T s1 = J(x[j], y[j]), s2 = J(s1, z[j]), s3 = J(s2, u[j]), s0 = x[j];          \
        r[j] = s0, q[j] = s1, s[j] = s2, o[j] = t[j] = s3;                                  \
      }                                                                                     \
    }                                                                                       \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  static void N(name##_fill)(void *vv, size_t n) {                                          \
    T *v = vv;                                                                              \
    for (size_t i = 0; i < n; i++) v[i] = (T)(ID);                                          \
  }                                                                                         \
  /* Many short rows at once. While a row is even, no pair crosses rows; then each row is \
   * padded to a power of two. */ \
  static uint32_t N(name##_rows)(void *rv, const void *xv, size_t rows, size_t len) {       \
    uint32_t flag = 0, *f = &flag;                                                          \
    T *r = rv, v[2 * KIR_LANES + 8], u[2 * KIR_LANES];                                      \
    const T *x = xv;                                                                        \
    size_t odd = len, width = 1;                                                            \
    while (odd % 2 == 0) odd /= 2;                                                          \
    while (width < odd) width *= 2;                                                         \
    for (size_t at = 0; at < rows;) {                                                       \
      size_t most = 2 * KIR_LANES / len, some = rows - at < most ? rows - at : most;        \
      for (size_t i = 0; i < some * len; i++) v[i] = J((T)(ID), x[i]);                      \
      for (size_t w = len; w > odd; w /= 2) flag |= N(name##_pairs)(v, v, some * w / 2);    \
      if (odd > 1) {                                                                        \
        some = some * width <= 2 * KIR_LANES ? some : 2 * KIR_LANES / width;                \
        for (size_t j = 0; j < some; j++) {                                                 \
          T *to = u + j * width;                                                            \
          const T *from = v + j * odd;                                                      \
          if (width == 8) memcpy(to, from, 8 * sizeof(T)); /* past the row, but not v */    \
          else if (width == 4) memcpy(to, from, 4 * sizeof(T));                             \
          else memcpy(to, from, odd * sizeof(T));                                           \
          for (size_t i = odd; i < width; i++) to[i] = (T)(ID);                             \
        }                                                                                   \
        flag |= N(name##_pairs)(v, u, some * width / 2);                                    \
        for (size_t w = width / 2; w > 1; w /= 2)                                           \
          flag |= N(name##_pairs)(v, v, some * w / 2);                                      \
      }                                                                                     \
      memcpy(r + at, v, some * sizeof(T));                                                  \
      at += some, x += some * len;                                                          \
    }                                                                                       \
    UNUSED(f);                                                                              \
    return flag;                                                                            \
  }                                                                                         \
  TREE_PART(name, T)                                                                        \
  WHOLE_GROUP(name, T, V)                                                                   \
  TREE_SCAN(name, T, m, ID)

typedef float N(f32x4) __attribute__((vector_size(16)));
typedef double N(f64x4) __attribute__((vector_size(32)));
typedef int32_t N(i32x4) __attribute__((vector_size(16)));
typedef int64_t N(i64x4) __attribute__((vector_size(32)));
#define CHOOSE(V, M, c, a, b) ((V)(((M)(a) & (c)) | ((M)(b) & ~(c))))

/* The products of integers report an overflow in *f. */
#define TREE_MUL(name, T)                                                                \
  static inline T N(name##_join)(T a, T b, uint32_t * f) {                               \
    T z;                                                                                 \
    *f |= (uint32_t)__builtin_mul_overflow(a, b, &z);                                    \
    return z;                                                                            \
  }
TREE_MUL(mul_i32, int32_t)
TREE_MUL(mul_i64, int64_t)
#define LEAST(name, T, REL)                                                              \
  static inline T N(name##_join)(T a, T b) { return b REL a ? b : a; }
LEAST(min_f32, float, <)
LEAST(min_f64, double, <)
LEAST(max_f32, float, >)
LEAST(max_f64, double, >)

#define J(a, b) ((a) + (b))
#define JV(V, a, b) ((a) + (b))
TREE(tadd_f32, float, f, -0.0, BLK_GROUP32, N(f32x4))
TREE(tadd_f64, double, d, -0.0, BLK_GROUP64, N(f64x4))
#undef J
#undef JV
#define J(a, b) ((a) * (b))
#define JV(V, a, b) ((a) * (b))
TREE(tmul_f32, float, f, 1, BLK_GROUP32, N(f32x4))
TREE(tmul_f64, double, d, 1, BLK_GROUP64, N(f64x4))
#undef J
#undef JV
#define J(a, b) N(min_f32_join)(a, b)
#define JV(V, a, b) CHOOSE(V, N(i32x4), (b) < (a), b, a)
TREE(tmin_f32, float, f, __builtin_inff(), BLK_GROUP32, N(f32x4))
#undef J
#undef JV
#define J(a, b) N(min_f64_join)(a, b)
#define JV(V, a, b) CHOOSE(V, N(i64x4), (b) < (a), b, a)
TREE(tmin_f64, double, d, __builtin_inf(), BLK_GROUP64, N(f64x4))
#undef J
#undef JV
#define J(a, b) N(max_f32_join)(a, b)
#define JV(V, a, b) CHOOSE(V, N(i32x4), (b) > (a), b, a)
TREE(tmax_f32, float, f, -__builtin_inff(), BLK_GROUP32, N(f32x4))
#undef J
#undef JV
#define J(a, b) N(max_f64_join)(a, b)
#define JV(V, a, b) CHOOSE(V, N(i64x4), (b) > (a), b, a)
TREE(tmax_f64, double, d, -__builtin_inf(), BLK_GROUP64, N(f64x4))
#undef J
#undef JV
#define J(a, b) N(mul_i32_join)(a, b, f)
TREE(tmul_i32, int32_t, i, 1, TREE_LOOPS, int32_t)
#undef J
#define J(a, b) N(mul_i64_join)(a, b, f)
TREE(tmul_i64, int64_t, l, 1, TREE_LOOPS, int64_t)
#undef J
