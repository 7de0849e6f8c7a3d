/* SPDX-License-Identifier: MIT */
/* scan_loops.h - the loops of scans by the tree of tables/fold.h, for fold_loops.c: a line, group
 * by group, and four rows of columns. T, TYPE, MEMBER, L and J are its own. */
#ifndef VAPL_FOLD_SCAN_LOOPS_H
#define VAPL_FOLD_SCAN_LOOPS_H

#define APART __attribute__((noinline)) /* large, and called from several places */

/* The last n elements of a line's strip, at most a group, from p to o. Steps 1, 2 and 7 of
 * tables/fold.h. An exclusive scan has what is of the element before. */
#define TREE_PART(id, J, ID)                                                             \
  APART static void L(part, id)(T * o, const T *p, int n, const line_scan *st,           \
                                uint32_t *f) {                                           \
    T s[KIR_SCAN_GROUP], t[32];                                                          \
    const T before = st->before.MEMBER, run = st->run.MEMBER;                            \
    const int late = st->exclusive, quads = (n - 1) / 4; /* that something follows */    \
    for (int i = 0; i < n - late; i++) s[i] = i % 4 ? J(s[i - 1], p[i]) : p[i];          \
    for (int q = 0; q < quads; q++) t[q] = s[4 * q + 3];                                 \
    for (int w = 1; w < quads; w *= 2)                                                   \
      for (int q = w; q < quads; q += 2 * w)                                             \
        for (int i = q; i < q + w && i < quads; i++) t[i] = J(t[q - 1], t[i]);           \
    for (int i = 0; i < n; i++) {                                                        \
      int q = i / 4, at = i - late;                                                      \
      bool any = st->has_run || q;                                                       \
      T v = st->has_run ? run : (T)(ID);                                                 \
      if (q) v = st->has_run ? J(run, t[q - 1]) : t[q - 1];                              \
      if (at >= 4 * q) v = any ? J(v, s[at]) : s[at];                                    \
      o[i] = st->has_before ? J(before, v) : v;                                          \
    }                                                                                    \
    UNUSED(f);                                                                           \
  }

/* The same for a whole group in vectors of four, or of two such halves, the lower one for the
 * group's first 16 quads, the upper one for the others. Four quads of a half are transposed, so
 * that every step of a quad is one operation. Only the last level of Sklansky's crosses the
 * halves. SH shuffles within halves; FIRST and UPPER are b, but for the very first place, or the
 * lower half, of a. */
#define AT8(i) ((i) < 4 ? (i) : (i) + 4)
#define SH8(a, b, i, j, m, n)                                                            \
  __builtin_shufflevector(a, b, AT8(i), AT8(j), AT8(m), AT8(n), AT8(i) + 4, AT8(j) + 4,  \
                          AT8(m) + 4, AT8(n) + 4)
#define FIRST4(a, b) SH4(a, b, 0, 5, 6, 7)
#define FIRST8(a, b) __builtin_shufflevector(a, b, 0, 9, 10, 11, 12, 13, 14, 15)
#define UPPER4(a, b) (a)
#define UPPER8(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 12, 13, 14, 15)
#define EVERY4(v) ((VECTOR){v, v, v, v})
#define EVERY8(v) ((VECTOR){v, v, v, v, v, v, v, v})
#define GET4(v, p) memcpy(&v, p, sizeof v)
#define PUT4(p, v) memcpy(p, &v, sizeof v)
#define GET8(v, p)                                                                       \
  do {                                                                                   \
    HALF lo_, hi_;                                                                       \
    memcpy(&lo_, p, sizeof lo_), memcpy(&hi_, (p) + 64, sizeof hi_);                     \
    v = __builtin_shufflevector(lo_, hi_, 0, 1, 2, 3, 4, 5, 6, 7);                       \
  } while (0)
#define PUT8(p, v)                                                                       \
  do {                                                                                   \
    HALF lo_ = __builtin_shufflevector(v, v, 0, 1, 2, 3);                                \
    HALF hi_ = __builtin_shufflevector(v, v, 4, 5, 6, 7);                                \
    memcpy(p, &lo_, sizeof lo_), memcpy((p) + 64, &hi_, sizeof hi_);                     \
  } while (0)
#define TREE_VECTORS(id, J, JV, ID)                                                      \
  APART static T L(whole, id)(T * o, const T *p, const line_scan *st, uint32_t *f) {     \
    enum { LANES = sizeof(VECTOR) / sizeof(T), N = 32 / LANES };                         \
    VECTOR s0[N], s1[N], s2[N], s3[N], t[N], x, y, z, w;                                 \
    UNUSED(f);                                                                           \
    for (int i = 0; i < N; i++) {                                                        \
      VEC(GET)(x, p + 16 * i);                                                           \
      VEC(GET)(y, p + 16 * i + 4);                                                       \
      VEC(GET)(z, p + 16 * i + 8);                                                       \
      VEC(GET)(w, p + 16 * i + 12);                                                      \
      TRANSPOSE(VEC(SH), VECTOR, x, y, z, w);                                            \
      s0[i] = x, s1[i] = x = JV(x, y), s2[i] = x = JV(x, z), s3[i] = x = JV(x, w);       \
      y = VEC(SH)(x, x, 0, 0, 2, 2), y = JV(y, x), x = VEC(SH)(x, y, 0, 5, 2, 7);        \
      y = VEC(SH)(x, x, 1, 1, 1, 1), y = JV(y, x), t[i] = VEC(SH)(x, y, 0, 1, 6, 7);     \
    }                                                                                    \
    for (int k = 1; k < N; k *= 2)                                                       \
      for (int i = k; i < N; i += 2 * k) {                                               \
        x = VEC(SH)(t[i - 1], t[i - 1], 3, 3, 3, 3);                                     \
        for (int j = i; j < i + k; j++) t[j] = JV(x, t[j]);                              \
      }                                                                                  \
    const T before = st->before.MEMBER, run = st->run.MEMBER;                            \
    const VECTOR a = VEC(EVERY)(before), b = VEC(EVERY)(run);                            \
    VECTOR last = b;                                                                     \
    if (LANES == 8) {                                                                    \
      const T half = t[N - 1][3];                                                        \
      x = VEC(EVERY)(half);                                                              \
      for (int i = 0; i < N; i++) y = JV(x, t[i]), t[i] = VEC(UPPER)(t[i], y);           \
      last = VEC(UPPER)(b, x);                                                           \
    }                                                                                    \
    const T total = t[N - 1][LANES - 1];                                                 \
    for (int i = 0; i < N; i++) {                                                        \
      VECTOR u = VEC(SH)(last, t[i], 3, 4, 5, 6); /* the totals before each quad */      \
      bool none = !i && !st->has_run;             /* before the first */                 \
      if (st->has_run) x = JV(b, u), u = i ? x : VEC(FIRST)(b, x);                       \
      last = t[i];                                                                       \
      if (!st->exclusive) {                                                              \
        x = JV(u, s0[i]), y = JV(u, s1[i]), z = JV(u, s2[i]), w = JV(u, s3[i]);          \
        if (none) {                                                                      \
          x = VEC(FIRST)(s0[0], x), y = VEC(FIRST)(s1[0], y);                            \
          z = VEC(FIRST)(s2[0], z), w = VEC(FIRST)(s3[0], w);                            \
        }                                                                                \
      } else {                                                                           \
        x = u, y = JV(u, s0[i]), z = JV(u, s1[i]), w = JV(u, s2[i]);                     \
        if (none) {                                                                      \
          x[0] = (T)(ID), y = VEC(FIRST)(s0[0], y);                                      \
          z = VEC(FIRST)(s1[0], z), w = VEC(FIRST)(s2[0], w);                            \
        }                                                                                \
      }                                                                                  \
      if (st->has_before) x = JV(a, x), y = JV(a, y), z = JV(a, z), w = JV(a, w);        \
      TRANSPOSE(VEC(SH), VECTOR, x, y, z, w);                                            \
      VEC(PUT)(o + 16 * i, x);                                                           \
      VEC(PUT)(o + 16 * i + 4, y);                                                       \
      VEC(PUT)(o + 16 * i + 8, z);                                                       \
      VEC(PUT)(o + 16 * i + 12, w);                                                      \
    }                                                                                    \
    return total;                                                                        \
  }

/* The same in loops that the compiler may vectorise: for registers of 16 bytes, integers,
 * and compilers without shuffles. */
#define TREE_LOOPS(id, J, JV, ID)                                                        \
  APART static T L(whole, id)(T * o, const T *p, const line_scan *st, uint32_t *f) {     \
    T s[4][32], e[4][32], t[32], b[32];                                                  \
    const T before = st->before.MEMBER, run = st->run.MEMBER;                            \
    const int late = st->exclusive;                                                      \
    UNUSED(f);                                                                           \
    IVDEP for (int q = 0; q < 32; q++) {                                                 \
      T s1 = J(p[4 * q], p[4 * q + 1]), s2 = J(s1, p[4 * q + 2]);                        \
      s[0][q] = p[4 * q], s[1][q] = s1, s[2][q] = s2;                                    \
      s[3][q] = t[q] = J(s2, p[4 * q + 3]);                                              \
    }                                                                                    \
    for (int w = 1; w < 32; w *= 2)                                                      \
      for (int q = w; q < 32; q += 2 * w)                                                \
        for (int i = q; i < q + w; i++) t[i] = J(t[q - 1], t[i]);                        \
    b[0] = st->has_run ? run : (T)(ID);                                                  \
    for (int q = 1; q < 32; q++) b[q] = st->has_run ? J(run, t[q - 1]) : t[q - 1];       \
    for (int j = late; j < 4; j++) {                                                     \
      IVDEP for (int q = 0; q < 32; q++) e[j][q] = J(b[q], s[j - late][q]);              \
    }                                                                                    \
    for (int q = 0; q < 32 && late; q++) e[0][q] = b[q];                                 \
    for (int j = late; j < 4 && !st->has_run; j++) e[j][0] = s[j - late][0];             \
    for (int j = 0; j < 4 && st->has_before; j++) {                                      \
      IVDEP for (int q = 0; q < 32; q++) e[j][q] = J(before, e[j][q]);                   \
    }                                                                                    \
    IVDEP for (int q = 0; q < 32; q++) {                                                 \
      o[4 * q] = e[0][q], o[4 * q + 1] = e[1][q];                                        \
      o[4 * q + 2] = e[2][q], o[4 * q + 3] = e[3][q];                                    \
    }                                                                                    \
    return t[31];                                                                        \
  }

/* Less than FEW elements are not worth a whole group's vectors. */
enum { FEW = 24 };

/* Step 3. A product that only the total of a strip's last group would need is not made. */
#define TREE_SCAN(id, J, ESCAPES)                                                        \
  static uint32_t L(scan, id)(line_scan * st, void *rv, const void *xv, size_t n) {      \
    uint32_t flag = 0, *f = &flag;                                                       \
    T *r = rv, in[KIR_SCAN_GROUP], out[KIR_SCAN_GROUP];                                  \
    const T *x = xv;                                                                     \
    while (n) {                                                                          \
      size_t w = n < KIR_SCAN_GROUP ? n : KIR_SCAN_GROUP;                                \
      bool more = st->left > w;                                                          \
      T v = x[0]; /* its total, if somebody wants it */                                  \
      if (!more && (ESCAPES || w < FEW)) {                                               \
        L(part, id)(r, x, (int)w, st, f);                                                \
      } else if (w < KIR_SCAN_GROUP) { /* what is behind w is of no use */               \
        memcpy(in, x, w * sizeof(T));                                                    \
        for (size_t i = w; i < KIR_SCAN_GROUP; i++) in[i] = v;                           \
        (void)L(whole, id)(out, in, st, f);                                              \
        memcpy(r, out, w * sizeof(T));                                                   \
      } else {                                                                           \
        v = L(whole, id)(r, x, st, f);                                                   \
      }                                                                                  \
      if (more) st->run.MEMBER = st->has_run ? J(st->run.MEMBER, v) : v;                 \
      st->has_run = true;                                                                \
      x += w, r += w, n -= w, st->left -= w;                                             \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }

/* Four rows, and what becomes of them behind `before` and `base`. */
#define QUAD(J, BEHIND, E0, E1, E2, E3)                                                  \
  IVDEP for (size_t j = 0; j < w; j++) {                                                 \
    const T s0 = x[j], s1 = J(s0, y[j]), s2 = J(s1, z[j]), s3 = J(s2, u[j]);             \
    r[j] = BEHIND(J, E0), q[j] = BEHIND(J, E1), s[j] = BEHIND(J, E2),                    \
    o[j] = BEHIND(J, E3);                                                                \
    t[j] = s3;                                                                           \
  }
#define BEHIND_BASE(J, v) J(b[j], v)
#define BEHIND_BOTH(J, v) J(a[j], J(b[j], v))
#define TREE_QUAD(id, J, ID)                                                             \
  static uint32_t L(quad, id)(const fold_rows *m, void *total,                           \
                              const fold_behind *behind) {                               \
    uint32_t flag = 0, *f = &flag;                                                       \
    const size_t rp = m->r_pitch, xp = m->pitch, w = m->w;                               \
    T *r = m->r, *q = r + rp, *s = q + rp, *o = s + rp, *t = total, none = (T)(ID);      \
    const T *x = m->x, *y = x + xp, *z = y + xp, *u = z + xp;                            \
    const T *a = behind->before, *b = behind->base;                                      \
    if (behind->exclusive) {                                                             \
      QUAD(J, BEHIND_BOTH, none, s0, s1, s2)                                             \
    } else if (a == behind->none) {                                                      \
      QUAD(J, BEHIND_BASE, s0, s1, s2, s3)                                               \
    } else {                                                                             \
      QUAD(J, BEHIND_BOTH, s0, s1, s2, s3)                                               \
    }                                                                                    \
    UNUSED(f);                                                                           \
    return flag;                                                                         \
  }
#endif
