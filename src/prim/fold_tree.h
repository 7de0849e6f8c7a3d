/* SPDX-License-Identifier: MIT */
/* fold_tree.h - the fold tree of tables/fold.h for one C type. fold_loops.c includes it three
 * times after setting
 *
 *   T    int64_t, double or float       OP(name)  name with the type's suffix
 *   INLINE   a function that is compiled anew for each monoid: loops without a choice in them
 *   HIGHEST, LOWEST  the ends of the type
 *   CLASS_B, CLASS_I, CLASS_F  KEEP for the class of T, else SKIP: whose rows of folds.def
 *        are taken
 *
 * Elements that a tile lacks count as the identity; since x ∘ identity is x for every
 * function here, what consists of them alone is not computed. */

INLINE T OP(tree_identity_)(kfold f) {
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : return identity;)
#include "../tables/folds.def"
  default: return 0;
  }
}

INLINE T OP(tree_op_)(sc_state *s, kfold f, T a, T b) {
  UNUSED(s);
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : return JOIN_##op(a, b);)
#include "../tables/folds.def"
  default: return a;
  }
}

/* Folds neighbours until 64 values are 8, in steps whose lengths the compiler knows. */
INLINE void OP(tree_64_)(sc_state *s, kfold f, const T *v, T *r) {
  T a[32], b[16], id = OP(tree_identity_)(f);
  IVDEP for (int i = 0; i < 32; i++) {
    T x = OP(tree_op_)(s, f, id, v[2 * i]), y = OP(tree_op_)(s, f, id, v[2 * i + 1]);
    a[i] = OP(tree_op_)(s, f, x, y);
  }
  IVDEP for (int i = 0; i < 16; i++) b[i] = OP(tree_op_)(s, f, a[2 * i], a[2 * i + 1]);
  IVDEP for (int i = 0; i < 8; i++) r[i] = OP(tree_op_)(s, f, b[2 * i], b[2 * i + 1]);
}

/* Folds n ≥ 1 lanes by neighbours; missing lanes count as the identity. */
INLINE T OP(tree_lanes_)(sc_state *s, kfold f, const T *v, int64_t n) {
  T part[KIR_LANES / 8], last[64], id = OP(tree_identity_)(f);
  if (n <= 16) { /* one for each part, or two */
    int64_t by = n > 8 ? 2 : 1;
    for (int64_t i = 0; i < 8; i++) part[i] = id;
    for (int64_t i = 0; i < n; i += by) {
      T x = OP(tree_op_)(s, f, id, v[i]);
      bool two = by == 2 && i + 1 < n;
      part[i / by] = two ? OP(tree_op_)(s, f, x, OP(tree_op_)(s, f, id, v[i + 1])) : x;
    }
    n = 8;
    v = part;
  }
  while (n > 8) {
    int64_t whole = n / 64 * 64, all = (n + 63) / 64 * 8;
    for (int64_t i = whole; i < whole + 64 && whole < n; i++)
      last[i - whole] = i < n ? v[i] : id;
    for (int64_t i = 0; i < whole; i += 64) OP(tree_64_)(s, f, v + i, part + i / 8);
    if (whole < n) OP(tree_64_)(s, f, last, part + whole / 8);
    n = all;
    v = part;
  }
  T p = OP(tree_op_)(s, f, v[0], v[1]), q = OP(tree_op_)(s, f, v[2], v[3]),
    u = OP(tree_op_)(s, f, v[4], v[5]), w = OP(tree_op_)(s, f, v[6], v[7]);
  return OP(tree_op_)(s, f, OP(tree_op_)(s, f, p, q), OP(tree_op_)(s, f, u, w));
}

/* ⌈ and ⌊ of floats, in any order. false: it is another monoid, or there are few. */
INLINE bool OP(tree_extreme_)(sc_state *s, kfold f, const T *v, int64_t n, T *r) {
  enum { ABREAST = 512 / sizeof(T) };
  T m[ABREAST];
  bool floats = (T)0.5 != 0; /* for others other loops are taken */
  if (!floats || (f != KF_MAX && f != KF_MIN) || n < ABREAST) return false;
  for (int j = 0; j < ABREAST; j++) m[j] = v[j];
  for (int64_t at = ABREAST; at < n; at += ABREAST) {
    const T *x = v + least(at, n - ABREAST); /* some of the last ones twice */
    IVDEP for (int j = 0; j < ABREAST; j++) m[j] = OP(tree_op_)(s, f, m[j], x[j]);
  }
  for (int w = ABREAST / 2; w > 0; w /= 2)
    IVDEP for (int j = 0; j < w; j++) m[j] = OP(tree_op_)(s, f, m[j], m[j + w]);
  *r = m[0];
  return true;
}

/* Up to one tile: lanes from the first row to the last, then neighbouring lanes. */
INLINE T OP(tree_tile_)(sc_state *s, kfold f, const T *v, int64_t n) {
  T lane[KIR_LANES], id = OP(tree_identity_)(f);
  const T *from = v;
  if (OP(tree_extreme_)(s, f, v, n, lane)) return *lane;
  if (n > KIR_LANES) {
    IVDEP for (int64_t i = 0; i < KIR_LANES; i++) lane[i] = OP(tree_op_)(s, f, id, v[i]);
    from = lane;
  }
  for (int64_t at = KIR_LANES; at < n; at += KIR_LANES) {
    int64_t m = least(n - at, KIR_LANES);
    IVDEP for (int64_t i = 0; i < m; i++) lane[i] =
        OP(tree_op_)(s, f, lane[i], v[at + i]);
  }
  return OP(tree_lanes_)(s, f, from, least(n, KIR_LANES));
}

/* Folds up to 8 rows by neighbours; `none` are the identities that replace missing
 * rows. */
INLINE void OP(tree_rows_)(sc_state *s, kfold f, const T *v, int64_t n, int64_t inner,
                           const T *none, T *r) {
  const T *row[8], id = OP(tree_identity_)(f);
  for (int k = 0; k < 8; k++) row[k] = k < n ? v + k * inner : none;
#define ROW(k) OP(tree_op_)(s, f, id, row[k][c])
#define PAIR(k) OP(tree_op_)(s, f, ROW(k), ROW((k) + 1))
#define FOUR(k) OP(tree_op_)(s, f, PAIR(k), PAIR((k) + 2))
  if (n <= 2) {
    IVDEP for (int64_t c = 0; c < inner; c++) r[c] = PAIR(0);
  } else if (n <= 4) {
    IVDEP for (int64_t c = 0; c < inner; c++) r[c] = FOUR(0);
  } else {
    IVDEP for (int64_t c = 0; c < inner; c++) r[c] = OP(tree_op_)(s, f, FOUR(0), FOUR(4));
  }
#undef ROW
#undef PAIR
#undef FOUR
}

/* The folds of `inner` columns of up to KIR_LANES rows, side by side; the first row of room. */
INLINE void OP(tree_columns_)(sc_state *s, kfold f, const T *v, int64_t n, int64_t inner,
                              T *room) {
  T *none = room + (n + 7) / 8 * inner;
  for (int64_t c = 0; c < inner; c++) none[c] = OP(tree_identity_)(f);
  do {
    for (int64_t i = 0; i < n; i += 8) OP(tree_rows_)
    (s, f, v + i * inner, least(n - i, 8), inner, none, room + i / 8 * inner);
    v = room;
    n = (n + 7) / 8;
  } while (n > 1);
}

/* The fold of n ≥ 1 elements; `room` takes the tiles' results, level after level. */
INLINE T OP(tree_reduce_)(sc_state *s, kfold f, const T *v, int64_t n, T *room) {
  const int64_t tile = KIR_REDUCE_ROWS * KIR_LANES;
  T all;
  do {
    int64_t tiles = ceil_div(n, tile);
    T *to = tiles > 1 ? room : &all;
    for (int64_t t = 0; t < tiles; t++)
      to[t] = OP(tree_tile_)(s, f, v + t * tile, least(n - t * tile, tile));
    v = to;
    room += tiles;
    n = tiles;
  } while (n > 1);
  return all;
}

/* The fold in blocks. */
INLINE T OP(tree_blocks_)(sc_state *s, kfold f, const T *v, int64_t n) {
  T all = OP(tree_identity_)(f);
  for (int64_t at = 0; at < n; at += PRODUCT_BLOCK) {
    T acc = OP(tree_identity_)(f);
    int64_t end = least(n, at + PRODUCT_BLOCK);
    for (int64_t i = at; i < end; i++) acc = OP(tree_op_)(s, f, acc, v[i]);
    all = at ? OP(tree_op_)(s, f, all, acc) : acc;
  }
  return all;
}

/* ── scans ──────────────────────────────────────────────────────────────────────────── */

/* The totals before the elements of a group: of the line before its strip, and of the
 * strip. */
struct OP(tree_place_) {
  sc_state *s;
  kfold f;
  bool has_before, has_run;
  T before, run;
};

/* What a comes before, if there is an a. */
INLINE T OP(tree_behind_)(const struct OP(tree_place_) * p, bool has, T a, T b) {
  return has ? OP(tree_op_)(p->s, p->f, a, b) : b;
}

/* n values by neighbours; the last of an odd number waits. */
INLINE T OP(tree_neighbours_)(sc_state *s, kfold f, T *v, int64_t n) {
  for (; n > 1; n = (n + 1) / 2)
    for (int64_t i = 0; i < n; i += 2)
      v[i / 2] = i + 1 < n ? OP(tree_op_)(s, f, v[i], v[i + 1]) : v[i];
  return v[0];
}

/* The total of a strip, which is whole. */
INLINE T OP(tree_strip_)(sc_state *s, kfold f, const T *v) {
  enum { STRIP = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(sizeof(T)) };
  T c[KIR_SCAN_GROUP];
  memcpy(c, v, sizeof c);
  for (int g = KIR_SCAN_GROUP; g < STRIP; g += KIR_SCAN_GROUP)
    for (int i = 0; i < KIR_SCAN_GROUP; i++) c[i] = OP(tree_op_)(s, f, c[i], v[g + i]);
  return OP(tree_neighbours_)(s, f, c, KIR_SCAN_GROUP);
}

/* Scans n elements of one group from v to out. Totals that no later element needs are not made, except
 * the group's, if `total` asks for it. Missing elements of a quad count as the identity: their
 * results are the last one's. */
INLINE void OP(tree_group_)(const struct OP(tree_place_) * p, const T *v, T *out,
                            int64_t n, T *total) {
  enum { QUADS = KIR_SCAN_GROUP / 4 };
  T s[4][QUADS], t[QUADS], base[QUADS], in[KIR_SCAN_GROUP], *to = out;
  int64_t all = (n + 3) / 4, quads = total ? QUADS : (n - 1) / 4;
  if (n < KIR_SCAN_GROUP) {
    memcpy(in, v, (size_t)n * sizeof(T));
    for (int64_t i = n; i < 4 * all; i++) in[i] = OP(tree_identity_)(p->f);
    v = to = in;
  }
  IVDEP for (int64_t q = 0; q < all; q++) {
    s[0][q] = v[4 * q];
    s[1][q] = OP(tree_op_)(p->s, p->f, s[0][q], v[4 * q + 1]);
    s[2][q] = OP(tree_op_)(p->s, p->f, s[1][q], v[4 * q + 2]);
    s[3][q] = t[q] = OP(tree_op_)(p->s, p->f, s[2][q], v[4 * q + 3]);
  }
  for (int64_t w = 1; w < quads; w *= 2)
    for (int64_t q = w; q < quads; q += 2 * w)
      for (int64_t i = q; i < least(q + w, quads); i++)
        t[i] = OP(tree_op_)(p->s, p->f, t[q - 1], t[i]);
  base[0] = p->run;
  for (int64_t q = 1; q < all; q++)
    base[q] = OP(tree_behind_)(p, p->has_run, p->run, t[q - 1]);
  for (int j = 0; j < 4; j++) {
    T first = OP(tree_behind_)(p, p->has_run, base[0], s[j][0]);
    IVDEP for (int64_t q = 1; q < all; q++) s[j][q] =
        OP(tree_op_)(p->s, p->f, base[q], s[j][q]);
    s[j][0] = first;
    for (int64_t q = 0; p->has_before && q < all; q++)
      s[j][q] = OP(tree_op_)(p->s, p->f, p->before, s[j][q]);
  }
  IVDEP for (int64_t q = 0; q < all; q++) {
    to[4 * q] = s[0][q], to[4 * q + 1] = s[1][q];
    to[4 * q + 2] = s[2][q], to[4 * q + 3] = s[3][q];
  }
  if (to == in) memcpy(out, in, (size_t)n * sizeof(T));
  if (total) *total = t[QUADS - 1];
}

/* Scans n elements of one strip. */
INLINE void OP(tree_scan_strip_)(struct OP(tree_place_) * p, const T *v, T *out,
                                 int64_t n) {
  T total;
  p->has_run = false;
  for (int64_t at = 0; at < n; at += KIR_SCAN_GROUP) {
    bool more = at + KIR_SCAN_GROUP < n;
    int64_t m = least(n - at, KIR_SCAN_GROUP);
    OP(tree_group_)(p, v + at, out + at, m, more ? &total : NULL);
    if (more) p->run = OP(tree_behind_)(p, p->has_run, p->run, total);
    p->has_run = true;
  }
}

/* Scans n ≥ 1 elements from v to out. A tile's total joins the lane of its number; the
 * lanes together are the total before the next tile. */
INLINE void OP(tree_scan_)(sc_state *s, kfold f, const T *v, T *out, int64_t n) {
  const int64_t strip = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(sizeof(T));
  struct OP(tree_place_) p = {.s = s, .f = f};
  T off = 0, prefix = 0, lane[32], lanes[32];
  for (int64_t at = 0, k = 0; at < n; at += strip, k++) {
    int64_t t = k / KIR_SCAN_STRIPS;
    bool has_off = k % KIR_SCAN_STRIPS > 0, ends = (k + 1) % KIR_SCAN_STRIPS == 0;
    if (t && !has_off) {
      memcpy(lanes, lane, sizeof lanes);
      prefix = OP(tree_neighbours_)(s, f, lanes, least(t, 32));
    }
    p.has_before = t || has_off;
    p.before = prefix;
    if (has_off) p.before = OP(tree_behind_)(&p, t > 0, prefix, off);
    OP(tree_scan_strip_)(&p, v + at, out + at, least(n - at, strip));
    if (at + strip >= n) return;
    off = OP(tree_behind_)(&p, has_off, off, OP(tree_strip_)(s, f, v + at));
    if (ends) lane[t % 32] = OP(tree_behind_)(&p, t >= 32, lane[t % 32], off);
  }
}

/* ── for each monoid ────────────────────────────────────────────────────────────────── */

static void OP(reduce_)(sc_state *s, kfold f, const void *v, int64_t n, void *room,
                        void *to) {
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id                                                             \
                : *(T *)to = OP(tree_reduce_)(s, KF_##id, v, n, room);                   \
                break;)
#include "../tables/folds.def"
  default: break;
  }
}
static void OP(blocks_)(sc_state *s, kfold f, const void *v, int64_t n, void *to) {
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : *(T *)to = OP(tree_blocks_)(s, KF_##id, v, n); break;)
#include "../tables/folds.def"
  default: break;
  }
}
static void OP(columns_)(sc_state *s, kfold f, const void *v, int64_t n, int64_t inner,
                         void *room) {
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : OP(tree_columns_)(s, KF_##id, v, n, inner, room); break;)
#include "../tables/folds.def"
  default: break;
  }
}
static void OP(scan_)(sc_state *s, kfold f, const void *v, void *out, int64_t n) {
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : OP(tree_scan_)(s, KF_##id, v, out, n); break;)
#include "../tables/folds.def"
  default: break;
  }
}
#undef SUF
#undef T
