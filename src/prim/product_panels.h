/* SPDX-License-Identifier: MIT */
/* product_panels.h - a product of matrices by tiles, for one C type: inner_product.c includes it three times
 * after setting T and SUF (d, s or c), and ORDERED of a type that has ⌊ and ⌈.
 *
 * For some columns at a time and a block of k: those of y are packed, one tile's width side by
 * side, then rows of x, TILE_ROWS of them; what a tile gives of a block joins the result. */

/* count × n values: those of `lanes` lines side by side; what there is no line of is 0. */
static void OP(pack_)(T *to, const T *from, int64_t count, int64_t n, int64_t line,
                      int64_t step, int64_t lanes) {
  for (int64_t k = 0; k < n; k++, from += step, to += lanes) {
    if (line == 1) memcpy(to, from, (size_t)count * sizeof *to);
    else
      for (int64_t i = 0; i < count; i++) to[i] = from[i * line];
    for (int64_t i = count; i < lanes; i++) to[i] = 0;
  }
}

/* A tile's results, of which rows × columns are wanted, join those of the blocks before. */
static void OP(join_)(const tiling *t, T *r, const T *tile, int64_t rows, int64_t columns,
                      bool first) {
  for (int64_t i = 0; i < rows; i++, tile += t->columns)
    for (int64_t j = 0; j < columns; j++) {
      T *to = r + i * t->r_row + j * t->r_column, v = tile[j];
      if (first) *to = v;
      else if (t->fold == TILE_ADD) *to = *to + v;
#ifdef ORDERED
      else if (t->fold == TILE_MIN) *to = v < *to ? v : *to;
      else *to = v > *to ? v : *to;
#endif
    }
}

/* Columns j0 to j1 - 1 of the block of k that begins at k0. */
static void OP(block_)(const tiling *t, int64_t j0, int64_t j1, int64_t k0) {
  int64_t n = least(t->k - k0, PRODUCT_BLOCK), w = t->columns;
  const T *x = (const T *)t->x + k0 * t->x_k, *y = (const T *)t->y + k0 * t->y_k;
  T *a = (T *)t->room, *b = a + TILE_ROWS * PRODUCT_BLOCK,
    tile[TILE_ROWS * TILE_MOST_COLUMNS];
  for (int64_t j = j0; j < j1; j += w) OP(pack_)
  (b + (j - j0) * n, y + j * t->y_column, least(j1 - j, w), n, t->y_column, t->y_k, w);
  for (int64_t i = 0; i < t->m; i += TILE_ROWS) {
    int64_t rows = least(t->m - i, TILE_ROWS);
    OP(pack_)(a, x + i * t->x_row, rows, n, t->x_row, t->x_k, TILE_ROWS);
    for (int64_t j = j0; j < j1; j += w) {
      T *r = (T *)t->r + i * t->r_row + j * t->r_column;
      t->tile(a, b + (j - j0) * n, n, tile);
      OP(join_)(t, r, tile, rows, least(j1 - j, w), k0 == 0);
    }
  }
}

static bool OP(tiles_)(ctx *c, const tiling *t) {
  for (int64_t j = 0; j < t->n; j += t->across)
    for (int64_t k = 0; k < t->k; k += PRODUCT_BLOCK) {
      OP(block_)(t, j, least(t->n, j + t->across), k);
      if (interrupted(c)) return false;
    }
  return true;
}
#undef SUF
#undef T
