/* SPDX-License-Identifier: MIT */
/* fold_tree.h - the fold tree of tables/fold.h, plainly, for one C type. fold.c includes it three
 * times after setting
 *
 *   T    int64_t, double or float       OP(name)  name with the type's suffix
 *   HIGHEST, LOWEST  the ends of the type
 *   CLASS_B, CLASS_I, CLASS_F  KEEP for the class of T, else SKIP: whose rows of folds.def
 *        are taken
 *
 * Elements that a tile lacks count as the identity; since x ∘ identity is x for every
 * function here, what consists of them alone is not computed. */

static T OP(tree_identity_)(kfold f) {
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : return identity;)
#include "../tables/folds.def"
  default: return 0;
  }
}

static inline T OP(tree_op_)(sc_state *s, kfold f, T a, T b) {
  UNUSED(s);
  switch (f) {
#define ON(id, class, order, op, identity, group)                                        \
  CLASS_##class(case KF_##id : return JOIN_##op(a, b);)
#include "../tables/folds.def"
  default: return a;
  }
}

/* Up to one tile: lanes from the first row to the last, then neighbouring lanes. */
static T OP(tree_tile_)(sc_state *s, kfold f, const T *v, int64_t n) {
  T lane[KIR_LANES], id = OP(tree_identity_)(f);
  int64_t used = least(n, KIR_LANES);
  for (int64_t i = 0; i < used; i++) lane[i] = OP(tree_op_)(s, f, id, v[i]);
  for (int64_t i = KIR_LANES; i < n; i++)
    lane[i % KIR_LANES] = OP(tree_op_)(s, f, lane[i % KIR_LANES], v[i]);
  for (; used > 1; used = (used + 1) / 2)
    for (int64_t i = 0; i < used; i += 2)
      lane[i / 2] = OP(tree_op_)(s, f, lane[i], i + 1 < used ? lane[i + 1] : id);
  return lane[0];
}

/* The fold of n ≥ 1 elements; `room` takes the tiles' results, level after level. */
static T OP(tree_reduce_)(sc_state *s, kfold f, const T *v, int64_t n, T *room) {
  const int64_t tile = KIR_REDUCE_ROWS * KIR_LANES;
  while (n > tile) {
    int64_t tiles = ceil_div(n, tile);
    for (int64_t t = 0; t < tiles; t++)
      room[t] = OP(tree_tile_)(s, f, v + t * tile, least(n - t * tile, tile));
    v = room;
    room += tiles;
    n = tiles;
  }
  return OP(tree_tile_)(s, f, v, n);
}

/* The fold in blocks. */
static T OP(tree_blocks_)(sc_state *s, kfold f, const T *v, int64_t n) {
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

/* What comes before the elements of a group: of the line before its strip, and of the strip. */
struct OP(tree_place_) {
  sc_state *s;
  kfold f;
  bool has_before, has_run;
  T before, run;
};

/* What a comes before, if there is an a. */
static inline T OP(tree_behind_)(const struct OP(tree_place_) * p, bool has, T a, T b) {
  return has ? OP(tree_op_)(p->s, p->f, a, b) : b;
}

/* n values by neighbours; the last of an odd number waits. */
static T OP(tree_neighbours_)(sc_state *s, kfold f, T *v, int64_t n) {
  for (; n > 1; n = (n + 1) / 2)
    for (int64_t i = 0; i < n; i += 2)
      v[i / 2] = i + 1 < n ? OP(tree_op_)(s, f, v[i], v[i + 1]) : v[i];
  return v[0];
}

/* The total of a strip, which is whole. */
static T OP(tree_strip_)(sc_state *s, kfold f, const T *v) {
  enum { STRIP = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(sizeof(T)) };
  T c[KIR_SCAN_GROUP];
  memcpy(c, v, sizeof c);
  for (int g = KIR_SCAN_GROUP; g < STRIP; g += KIR_SCAN_GROUP)
    for (int i = 0; i < KIR_SCAN_GROUP; i++) c[i] = OP(tree_op_)(s, f, c[i], v[g + i]);
  return OP(tree_neighbours_)(s, f, c, KIR_SCAN_GROUP);
}

/* Scans n elements of one group from v to out. Of totals that nothing behind an element needs
 * only the group's is made, if `total` asks for it. */
static void OP(tree_group_)(const struct OP(tree_place_) * p, const T *v, T *out,
                            int64_t n, T *total) {
  T t[32], base = p->run;
  int64_t quads = total ? 32 : (n - 1) / 4;
  bool has = p->has_run;
  for (int64_t i = 0; i < n; i++) {
    out[i] = v[i];
    if (i % 4) out[i] = OP(tree_op_)(p->s, p->f, out[i - 1], v[i]);
  }
  for (int64_t q = 0; q < quads; q++) t[q] = out[4 * q + 3];
  for (int k = 0; k < 5; k++)
    for (int64_t q = 0; q < quads; q++)
      if (q >> k & 1) t[q] = OP(tree_op_)(p->s, p->f, t[(q >> k << k) - 1], t[q]);
  for (int64_t i = 0; i < n; i++) {
    if (i && i % 4 == 0) {
      base = OP(tree_behind_)(p, p->has_run, p->run, t[i / 4 - 1]);
      has = true;
    }
    out[i] = OP(tree_behind_)(p, has, base, out[i]);
    out[i] = OP(tree_behind_)(p, p->has_before, p->before, out[i]);
  }
  if (total) *total = t[31];
}

/* Scans n elements of one strip. */
static void OP(tree_scan_strip_)(struct OP(tree_place_) * p, const T *v, T *out,
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

/* Scans n ≥ 1 elements from v to out. What is a tile's total joins the lane of its number, and the
 * lanes what comes before the next tile. */
static void OP(tree_scan_)(sc_state *s, kfold f, const T *v, T *out, int64_t n) {
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
