/* SPDX-License-Identifier: MIT */
/* panel.h - the order of operations by which a panel becomes reflections (Householder's QR). The host's loop
 * (prim/qr_panel.c) and the devices' kernel (codegen/panel.c) keep it, so that both give the same bits.
 *
 * The panel a has m rows of at most PANEL_COLUMNS columns, of which the first n become reflections. Step k, from 0
 * to n-1:
 *
 *   s[j] ← Σ a[i;k]×a[i;j]                        over the rows i > k, for all columns j
 *   r ← (s[k]+a[k;k]*2)*0.5, less than 0 if a[k;k] > 0
 *   v ← a[k;k]-r      β ← ¯1÷r×v      d[j] ← s[j]+v×a[k;j]      t[j] ← β×d[j]
 *   a[k;k] ← v        a[i;j] ← a[i;j]-a[i;k]×t[j]      i ≥ k, j > k
 *
 * Then row k is done with: R has r on its diagonal and a[k;j], j > k, beside it, where 0 takes their place. What
 * is left of the n columns is V: Q' = I-VT'V', and row k of T' is
 *
 *   β on the diagonal, left of it -β×Σ d[i]×T'[i;j]       over i < k
 *
 * Likewise with r¯¹ in β's place and R[i;k] in that of d[i] row k of the transposed inverse of R. The result is V, T',
 * that inverse and R, below one another.
 *
 * Sums. A sum over rows is one of blocks of strips × length rows, of which strip s has every strips-th one, from
 * the s-th on. A strip begins with 0 and adds its products in order; strips are added by halves, the s-th and the
 * one strips÷2 behind it first. The blocks' sums are added likewise, and the d[i]×T'[i;j]: strip s has every
 * strips-th of them. */
#ifndef VAPL_TABLES_PANEL_H
#define VAPL_TABLES_PANEL_H
#include <stdint.h>

enum {
  PANEL_COLUMNS = 64,
  PANEL_THREADS = 256, /* of a block: strips × columns */
  PANEL_BATCH = 8      /* rows of a strip whose loads a thread issues together */
};

typedef struct panel_shape {
  int64_t columns; /* a power of two, n at least */
  int64_t strips, length, blocks;
} panel_shape;

static inline panel_shape panel_shape_of(int64_t m, int64_t n) {
  enum { MOST = 256, EACH = 32 }; /* blocks; blocks that a strip adds */
  panel_shape p = {.columns = 1};
  while (p.columns < n) p.columns *= 2;
  p.strips = PANEL_THREADS / p.columns;
  int64_t most = EACH * p.strips, batch = PANEL_BATCH * p.strips;
  if (most > MOST) most = MOST;
  p.length = PANEL_BATCH * ((m + batch * most - 1) / (batch * most));
  p.blocks = (m + p.strips * p.length - 1) / (p.strips * p.length);
  return p;
}
#endif
