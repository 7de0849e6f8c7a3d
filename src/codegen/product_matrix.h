/* SPDX-License-Identifier: MIT */
/* product_matrix.h - how the sides of a product lie where units for matrices read them (product_pack.c, product_matrix.c).
 *
 *   a tile (256 lines of x, 128 of y) ▶ a chunk of k ▶ a line ▶ 64 bytes, of which each half is a row of a unit's matrix:
 *
 *   bytes           64 places of k, as s8. An integer of two or three is the sum of a×256*0, b×256*1, …, where a, b, … are
 *                   s8: a tile has all that are a first, then all b, …
 *   f16             32 places, scaled
 *   f16, 2 pieces   16 places, scaled: what f16 has of them, and then what it has of the rest
 *
 * A line of floats is scaled by a power of two, so that its greatest is in [2*14, 2*15): an array of u32 has the biased
 * exponent of each line's greatest. Behind the last place of k there are zeros, up to an even number of chunks; lines
 * behind the last may be any. All tiles of x come first, batch after batch; a side that all batches share is there once. */
#ifndef VAPL_CG_PRODUCT_MATRIX_H
#define VAPL_CG_PRODUCT_MATRIX_H
#include "product.h"

enum { MATRIX_ROWS = 256, MATRIX_COLUMNS = 128, MATRIX_LINE = 64 };
enum { MATRIX_DIGITS = 11, MATRIX_DIGITS_2 = 22 }; /* of one piece, and of two */

/* u32: a × 2*n, a ÷ 2*n, and those of its bits that the mask has. */
static inline uint32_t up(cg *g, uint32_t a, uint32_t n) {
  return cg_ui(g, SpvOpShiftLeftLogical, a, n);
}
static inline uint32_t down(cg *g, uint32_t a, uint32_t n) {
  return cg_ui(g, SpvOpShiftRightLogical, a, n);
}
static inline uint32_t low(cg *g, uint32_t a, uint32_t mask) {
  return cg_ui(g, SpvOpBitwiseAnd, a, mask);
}

#define MATRIX_SLOT(g, field) cg_slot_u32(g, CG_OWN_SLOT(matrix_geom, field))

static inline uint32_t matrix_tile(int side) { /* its lines */
  return side == LEFT ? MATRIX_ROWS : MATRIX_COLUMNS;
}
static inline int64_t matrix_places(const matrix_opts *o) { /* of a chunk */
  return o->pieces ? MATRIX_LINE / 2 / o->pieces : MATRIX_LINE;
}

/* Which input a side is. */
static inline uint32_t matrix_input(const kir *k, int side) {
  return k->in[0].view == KV_STRIDED + side ? 0 : 1;
}
static inline int matrix_line_axis(int side) { return side == LEFT ? 1 : 3; }
/* a ÷ by, a power of two, rounded up; u32. */
uint32_t matrix_quotient(cg *g, uint32_t a, uint32_t by);
/* u32: lines of a side, and its tiles, of a batch. */
uint32_t matrix_lines(cg *g, int side);
uint32_t matrix_tiles(cg *g, int side);
/* u32: pairs of chunks along k. */
uint32_t matrix_pairs(cg *g);
/* u64: where a chunk (u32) lies of limb (u32) of tile (u32), among all of that side; bytes from limb to limb. */
uint32_t matrix_chunk_at(cg *g, uint32_t base, int side, uint32_t tile, uint32_t limb,
                         uint32_t chunk);
uint32_t matrix_limb_bytes(cg *g, int side);

/* The type in which a side's floats are scaled. */
static inline kty matrix_type(const kir *k, int side) {
  return k->in[matrix_input(k, side)].type == ET_F64 ? KF64 : KF32;
}
/* The biased exponents of 1 and of 2*14. */
static inline uint32_t matrix_one(kty t) { return t == KF64 ? 1023 : 127; }
static inline uint32_t matrix_top(kty t) { return matrix_one(t) + 14; }
/* The number of type t that has this biased exponent (u32), a power of two. */
uint32_t matrix_power(cg *g, kty t, uint32_t e);
/* Where (u64) the exponent is of line (u32) of tile (u32), among all of a side; that exponent (u32), or one that scales well, where
 * it is very small. */
uint32_t matrix_scale_at(cg *g, uint32_t scales, int side, uint32_t tile, uint32_t line);
uint32_t matrix_scale(cg *g, uint32_t scales, int side, uint32_t tile, uint32_t line);

void matrix_pack_emit(cg *g); /* MATRIX_SCALE, MATRIX_PACK */
#endif
