/* SPDX-License-Identifier: MIT */
/* fold.h - the monoids that can be folded, as folds.def lists them, and the tree that
 * folds them: what the direct path, the block interpreter and the device's kernels agree
 * on.
 *
 * THE FOLD TREE. Float + and ×, integer ×, and every ⌈ ⌊ on floats use one bracketing
 * that depends on the length alone (integer sums are exact, so their order never shows):
 *
 *   reduce, n elements: tiles of KIR_REDUCE_ROWS rows of KIR_LANES elements. Lane l of a tile
 *     folds its rows from the first to the last: acc = acc ∘ x, starting from the identity.
 *     The KIR_LANES lanes fold by neighbours: v[i] = v[2i] ∘ v[2i+1], ten times. If there is
 *     more than one tile, their results are n' elements and the same rule folds them.
 *     Missing elements of the last tile count as the identity: -0.0 for float +, 1 for ×,
 *     the type's end (infinity for floats) for ⌊ ⌈. An empty reduce gives the function's APL
 *     identity (0.0 for +; the largest finite numbers for ⌊ ⌈ are not made by kernels).
 *
 *   reduce in blocks, of x f.g y (prim/inner_product.h): each block of PRODUCT_BLOCK elements from the
 *     first to the last, starting from the identity; the blocks' results from the first to the last.
 *
 *   scan, n elements: what one pass over memory can do, in which a tile publishes its total
 *     and adds up those of the tiles before it. A group is KIR_SCAN_GROUP elements, 32 quads of
 *     4 neighbours: what a subgroup of 32 reads at once. A strip is KIR_SCAN_GROUPS groups,
 *     what it holds, by the bytes of an accumulator. A tile is KIR_SCAN_STRIPS strips.
 *     1. A quad is scanned from left to right: s0 = x0, s1 = s0∘x1, s2 = s1∘x2, s3 = s2∘x3.
 *     2. The quads' totals s3 are scanned within their group by Sklansky: for k = 0..4, if bit
 *        k of q (0..31) is set, t[q] = t[(q >> k << k) - 1] ∘ t[q], all q of a level at once.
 *        The group's total is t[31].
 *     3. Groups are scanned within their strip from left to right: run[1] is the total of
 *        group 0, run[i] = run[i-1] ∘ total of group i-1; run[0] does not exist.
 *     4. Strips are scanned within their tile from left to right: off[1] = S[0],
 *        off[k] = off[k-1] ∘ S[k-1]; off[0] does not exist. S is a strip's total:
 *        If the monoid commutes, as all of folds.def do: element j (0..3) of quad l of each of
 *        its groups, group after group, gives c[j]; h[l] = (c[0]∘c[1]) ∘ (c[2]∘c[3]); the 32 h
 *        fold by neighbours, v[i] = v[2i] ∘ v[2i+1], five times.
 *        If it does not, which only a join may: the last of run ∘ t[31].
 *     5. A tile's total is off ∘ S of its last strip.
 *     6. Tiles stand in super-tiles of KIR_SCAN_SUPER. The prefix p of a tile joins the totals
 *        a[0] … a[n-1] of those before it in its super-tile, in batches of 32 tiles.
 *        If the monoid commutes: lane l (0..31) folds a[l], a[32+l], a[64+l], … as far as
 *        they are among the n, from the first to the last; the lanes fold by neighbours.
 *        If it does not: a batch folds by neighbours; the batches fold from left to right.
 *        Places behind the last one that exists are left out: x ∘ nothing is x.
 *        A super-tile's total joins those of all its tiles, by the same rule. So its own prefix q
 *        joins the totals of the super-tiles before it: these stand in super-tiles of the next
 *        tier, and so on. The prefix of a tile is P = q ∘ p.
 *     7. element = (P ∘ off) ∘ ((run ∘ T) ∘ s), where T = t[q-1], that of the quad before it in
 *        its group. In an exclusive scan s is that of the element before it in its quad, and
 *        the very first result is the identity.
 *     A part that does not exist (P of the first tile, off of its first strip, run of a strip's
 *     first group, T of a group's first quad, an exclusive scan's s of a quad's first) is left
 *     out, not added as an identity. Only joins that some result depends on count: what would be
 *     the total of the last tile, or of a quad, group or strip that nothing follows in
 *     what it is part of, cannot escape. */
#ifndef VAPL_FOLD_H
#define VAPL_FOLD_H

enum { KIR_LANES = 1024, KIR_REDUCE_ROWS = 16, PRODUCT_BLOCK = 512 };
enum { KIR_SCAN_GROUP = 128, KIR_SCAN_STRIPS = 10 };
/* Tiers of totals: tiles, super-tiles and so on, for up to 2^40 tiles. */
enum { KIR_SCAN_SUPER = 1024, KIR_SCAN_TIERS = 4 };

/* By the bytes of an accumulator in memory: what a strip holds is about the same. */
#define KIR_SCAN_GROUPS(size) ((size) <= 4 ? 12 : (size) <= 8 ? 6 : (size) <= 16 ? 3 : 1)
#define KIR_SCAN_TILE(size) (KIR_SCAN_STRIPS * KIR_SCAN_GROUPS(size) * KIR_SCAN_GROUP)

/* The monoids of folds.def. Accumulators: KB for what folds truth values alone (of any
 * input); for ADD of KI32 or KI64 a 128-bit integer when `wide`, else KI64; else the
 * operand's type. The FOLD's own `ty` is the result's: a wide sum becomes KI64 (escape
 * imm if it does not fit) or KF64 (rounded once); a KI64 sum is KI64. */
typedef enum kfold {
#define MONOID(id, glyph) KF_##id,
#include "folds.def"
  KF_COUNT
} kfold;
#endif
