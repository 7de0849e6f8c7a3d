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
 *   scan, n elements: tiles of KIR_SCAN_ROWS rows of KIR_LANES. Within a tile a row is 256
 *     quads of 4 neighbours.
 *     1. a quad is scanned from left to right: s0 = x0, s1 = s0∘x1, s2 = s1∘x2, s3 = s2∘x3;
 *     2. the quads' totals s3, in groups of 32 neighbouring quads (8 groups a row), are
 *        scanned by Sklansky: for k = 0..4, if bit k of q (0..31) is set,
 *        t[q] = t[(q >> k << k) - 1] ∘ t[q], all q of a level at once;
 *     3. the group totals t[31] of the tile, 8 a row, row after row, are 64 values, scanned
 *        by Sklansky likewise (k = 0..5): g[0..63];
 *     4. element = ((C ∘ G) ∘ T) ∘ s, where C is the carry into the tile, G = g[group - 1],
 *        T = t[quad - 1 within its group]; a part that does not exist (first tile, group 0
 *        of the tile, quad 0 of the group) is left out, not added as an identity. C ∘ G is
 *        made first, then ∘ T, then ∘ s.
 *     A tile's total, for the next level, is that of the reduce rule above with
 *     KIR_SCAN_ROWS rows. The carries are the exclusive scan, by this same rule, of the
 *     tiles' totals: carry of tile t = scan(totals)[t-1]. The last tile's total is carried
 *     nowhere and is not computed, so it cannot escape.
 *   Missing elements of the last tile count as the identity: -0.0 for float +, 1 for ×,
 *   the type's end (infinity for floats) for ⌊ ⌈. An empty reduce gives the function's APL
 *   identity (0.0 for +; the largest finite numbers for ⌊ ⌈ are not made by kernels). */
#ifndef VAPL_FOLD_H
#define VAPL_FOLD_H

enum { KIR_LANES = 1024, KIR_REDUCE_ROWS = 16, KIR_SCAN_ROWS = 8 };
enum { KIR_SCAN_GROUP = 128, KIR_SCAN_STRIPS = 10 };

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
