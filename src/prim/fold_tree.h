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

/* Sklansky's inclusive scan of the first n of 2^levels places. */
static void OP(tree_sklansky_)(sc_state *s, kfold f, T *t, int64_t n, int levels) {
  for (int k = 0; k < levels; k++)
    for (int64_t q = 0; q < n; q++)
      if (q >> k & 1) t[q] = OP(tree_op_)(s, f, t[(q >> k << k) - 1], t[q]);
}

/* Scans one tile from v to out; `carry` is what comes before it, or NULL. */
static void OP(tree_scan_tile_)(sc_state *s, kfold f, const T *v, T *out, int64_t n,
                                const T *carry) {
  enum { QUADS = KIR_SCAN_ROWS * KIR_LANES / 4, GROUP = 32, GROUPS = QUADS / GROUP };
  T total[QUADS], g[GROUPS];
  int64_t quads = ceil_div(n, 4), groups = ceil_div(quads, GROUP);
  for (int64_t i = 0; i < n; i++) {
    out[i] = v[i];
    if (i % 4) out[i] = OP(tree_op_)(s, f, out[i - 1], v[i]);
  }
  for (int64_t q = 0; q < quads; q++) total[q] = out[least(4 * q + 3, n - 1)];
  for (int64_t j = 0; j < groups; j++) {
    int64_t m = least(quads - j * GROUP, GROUP);
    OP(tree_sklansky_)(s, f, total + j * GROUP, m, 5);
    g[j] = total[j * GROUP + m - 1];
  }
  OP(tree_sklansky_)(s, f, g, groups, 6);
  for (int64_t i = 0; i < n; i++) {
    int64_t q = i / 4, j = q / GROUP;
    const T *parts[3];
    int m = 0;
    if (carry) parts[m++] = carry;
    if (j) parts[m++] = &g[j - 1];
    if (q % GROUP) parts[m++] = &total[q - 1];
    if (!m) continue;
    T before = *parts[0];
    for (int k = 1; k < m; k++) before = OP(tree_op_)(s, f, before, *parts[k]);
    out[i] = OP(tree_op_)(s, f, before, out[i]);
  }
}

/* Scans n ≥ 1 elements from v to out; `room` as above, twice as much. A total behind the last
 * tile is nobody's carry and is not made. */
static void OP(tree_scan_)(sc_state *s, kfold f, const T *v, T *out, int64_t n, T *room) {
  const int64_t tile = KIR_SCAN_ROWS * KIR_LANES;
  int64_t tiles = ceil_div(n, tile);
  T *total = room, *carry = room + tiles;
  for (int64_t t = 0; t + 1 < tiles; t++)
    total[t] = OP(tree_tile_)(s, f, v + t * tile, tile);
  if (tiles > 1) OP(tree_scan_)(s, f, total, carry, tiles - 1, carry + tiles);
  for (int64_t t = 0; t < tiles; t++) {
    const T *before = NULL;
    int64_t at = t * tile;
    if (t) before = &carry[t - 1];
    OP(tree_scan_tile_)(s, f, v + at, out + at, least(n - at, tile), before);
  }
}
