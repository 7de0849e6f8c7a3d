/* SPDX-License-Identifier: MIT */
/* block_cols.c - REDUCE and SCAN of columns on the host: many lines at once, side by side.
 *
 * A panel is some rows of w columns. Every operation of the fold tree (kir.h) is one between
 * rows, so its loops run over w neighbours and vectorise, whatever the monoid:
 *
 *   columns      panels of neighbouring columns, as they lie in memory, or as a block of the
 *                producer makes them: several rows of all columns, or one row of some
 *   short rows   `group` of them are turned into a panel, and scans' results turned back
 *   narrow       scans of a few long columns: turned into lines, and scanned as rows are
 *
 * The tree of a reduction is built from the bottom as rows come: row i of the lanes is joined
 * with what stands on level 0, 1, … of a counter, as many as i has ones at its end. A lane of a
 * long column is folded over the tile's rows first (lane l: rows l, l + 1024, …), so only
 * results go through the counter. Scans go the same way: totals of quads through one counter
 * per group, totals of groups through another, with what comes before a quad kept as a row.
 *
 * Tasks are columns × pieces of a column: tiles, or parts of a tile's lanes where the tasks
 * would be too few. A scan has whole columns as tasks, or, with few of them, tiles that are
 * begun in order and wait for their carry, as in block_fold.c. */
#include "block.h"
#include "../base/mem.h"

#include <string.h>

enum { PANEL = 2048, LEVELS = 11, NARROW = 16, CARRIES = 3, SHORT = 128 };

/* The state of a scan within a tile. Rows of w accumulators. */
typedef struct vscan {
  char *s, *v, *base, *cg, *carry; /* quad so far; its total; C∘G∘T; C∘G; C */
  char *d[5], *g[6];               /* counters of quads in their group, of groups */
  const char *before; /* what comes before the quad: base, cg, v or carry; or NULL */
  bool has_carry, has_cg;
  uint32_t i; /* rows so far */
} vscan;

typedef struct level { /* the scan of tiles' totals, which come one by one */
  vscan scan;
  char *lanes; /* of this level's own tile; NULL: there is but one */
  int64_t n;
} level;

typedef struct exact_scan {
  char *acc, *saved;
  blk_wide *wide; /* where sums have left 64 bits */
  bool slow;
} exact_scan;

struct blk_cols {
  char *d[LEVELS], *tmp; /* the counter of a reduction */
  char *total, *sum;     /* rows: of a carry's tile, of a tile */
  void *into;            /* the carry into the next tile; exact: of blk_wide */
  char *acc;             /* lanes of one block; exact: sums and their upper halves */
  char *lanes;           /* KIR_LANES rows */
  char *x, *r;           /* panels */
  blk_wide *wide;
  vscan scan;
  exact_scan exact;
  level carry[CARRIES];
};

/* ── the shape of the work ──────────────────────────────────────────────────────────── */

static int64_t up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }
static int64_t ceil_div(int64_t n, int64_t by) { return (n + by - 1) / by; }

static bool tree_tiles(const blk_plan *p) { /* a scan that needs tiles' totals */
  return p->k->kind == KIR_SCAN && p->tree && p->b->len > SCAN_TILE;
}

void blk_cols_choose(blk_job *j) {
  const blk_plan *p = &j->plan;
  int64_t rows = p->b->rows, len = p->b->len, inner = p->b->inner, line = len * inner;
  int64_t block = (int64_t)p->block;
  bool scan = p->k->kind == KIR_SCAN;
  j->group = 0;
  if (line <= block && rows > 1 &&
      (inner == 1 ? len <= SHORT : inner < 2 * NARROW && line <= 2 * SHORT)) {
    j->group = blk_min(blk_min(block / inner, PANEL / line), up(rows, 8)) & ~(int64_t)7;
    if (j->group % 64 == 0)
      j->group -= 8; /* rows of a panel in different sets of the cache */
    j->w = j->group * inner;
    j->chunks = ceil_div(rows, j->group ? j->group : 1);
    j->pieces = j->part = 1;
    if (j->group) return;
  }
  j->w = 0;
  if (inner == 1) return;
  int64_t most = scan ? block / 4 : block;
  if (tree_tiles(p))
    most = blk_min(most, 1024 / (int64_t)blk_src_size(p)); /* lanes in L2 */
  if (!scan)
    most = blk_min(most, 2048 / (int64_t)blk_src_size(p)); /* the counter stays in L1 */
  j->chunks = ceil_div(inner, most);
  j->w = j->chunks == 1 ? inner : up(ceil_div(inner, j->chunks), BLK_UNI);
  j->chunks = ceil_div(inner, j->w);
  int64_t lines = rows * j->chunks, wanted = j->threads > 1 ? 4 * j->threads : 1;
  j->pieces = j->part = 1;
  if (scan) {
    if (lines < wanted && len > SCAN_TILE) j->pieces = ceil_div(len, SCAN_TILE);
  } else if (p->tree) {
    j->tiles = ceil_div(len, REDUCE_TILE);
    while (j->part < 16 && lines * j->tiles * j->part < wanted) j->part *= 2;
    j->pieces = j->tiles * j->part;
  } else {
    int64_t most_pieces = ceil_div(line, 1 << 16);
    j->pieces = blk_min(most_pieces, blk_min(len, ceil_div(wanted, lines)));
    if (len / j->pieces > INT32_MAX) j->pieces = ceil_div(len, INT32_MAX);
  }
}

static void *take(uintptr_t *mem, size_t n) {
  uintptr_t at = *mem;
  *mem += (n + 63) & ~(size_t)63;
  return (void *)at;
}

static void take_vscan(vscan *s, uintptr_t *m, size_t row) {
  char **all[] = {&s->s, &s->v, &s->base, &s->cg, &s->carry};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) *all[i] = take(m, row);
  for (size_t i = 0; i < ARRAY_LEN(s->d); i++) s->d[i] = take(m, row);
  for (size_t i = 0; i < ARRAY_LEN(s->g); i++) s->g[i] = take(m, row);
}

/* Lays a thread's room out from *mem on, and moves it behind. */
static void layout(const blk_job *j, struct blk_cols *c, uintptr_t *mem) {
  const blk_plan *p = &j->plan;
  bool scan = p->k->kind == KIR_SCAN, tiles = tree_tiles(p) && !j->group;
  uintptr_t m = *mem;
  size_t row = 8 * (size_t)j->w + 64, block = 8 * p->block + 64;
  for (int i = 0; i < LEVELS; i++) c->d[i] = take(&m, row);
  c->tmp = take(&m, block);
  c->total = take(&m, row);
  c->sum = take(&m, row);
  c->into = take(&m, 2 * row);
  c->acc = take(&m, 16 * BLK_MAX);
  c->wide = take(&m, 2 * row);
  c->x = take(&m, 8 * PANEL + 512);
  c->r = take(&m, scan ? 8 * PANEL + 512 : 0);
  c->lanes = take(&m, tiles ? KIR_LANES * row : 0);
  take_vscan(&c->scan, &m, scan ? row : 0);
  c->exact.acc = take(&m, scan ? row : 0);
  c->exact.saved = take(&m, scan ? row : 0);
  c->exact.wide = take(&m, scan ? 2 * row : 0);
  int64_t n = tiles ? ceil_div(p->b->len, SCAN_TILE) : 0;
  for (int i = 0; i < CARRIES; i++, n /= SCAN_TILE) {
    take_vscan(&c->carry[i].scan, &m, n ? row : 0);
    c->carry[i].lanes = take(&m, n > SCAN_TILE ? KIR_LANES * row : 0);
    if (n <= SCAN_TILE) c->carry[i].lanes = NULL;
  }
  *mem = m;
}

enum { HEAD = (sizeof(struct blk_cols) + 63) / 64 * 64 };

size_t blk_cols_bytes(const blk_job *j) {
  struct blk_cols probe;
  uintptr_t m = HEAD;
  layout(j, &probe, &m);
  return m;
}

/* ── panels ─────────────────────────────────────────────────────────────────────────── */

/* Some columns of one row of rows × len × inner, from position i on. */
typedef struct panel {
  const char
      *plain;    /* where they lie, if the producer does nothing but read them, or NULL */
  int64_t e0, i; /* the first one's number in the ravel, and position */
  size_t w, pitch; /* columns; elements from row to row */
} panel;

static panel panel_at(const blk_plan *p, int64_t r, int64_t i, int64_t j0, size_t w) {
  panel s = {.plain = blk_plain(p),
             .e0 = (r * p->b->len + i) * p->b->inner + j0,
             .i = i,
             .w = w,
             .pitch = (size_t)p->b->inner};
  if (s.plain) s.plain += (size_t)s.e0 * blk_src_size(p);
  return s;
}

static blk_at block_of(const blk_plan *p, const panel *s, int64_t i, size_t rows) {
  return (blk_at){s->e0 + i * p->b->inner, s->i + i, p->b->len, rows * s->w, p->b->inner};
}

/* Rows i, i + 1, … of it; several only where all columns are in it, or it is plain. Valid until
 * the next call. */
static const char *rows_of(blk_thread *t, const panel *s, int64_t i, size_t rows) {
  const blk_plan *p = &t->job->plan;
  if (s->plain) return s->plain + (size_t)i * s->pitch * blk_src_size(p);
  blk_pre(t, block_of(p, s, i, rows));
  return t->at[p->fold_x];
}

/* Asks for what will be read after the next rows: the processor sees no stream in rows that lie
 * far apart. Nothing is read: an address behind the end does no harm. */
static void ahead(const panel *s, const char *x, size_t rows, size_t size) {
  if (!s->plain) return;
  for (size_t k = 0; k < rows; k++)
    for (size_t at = 0; at < s->w * size; at += 64)
      __builtin_prefetch(x + (rows + k) * s->pitch * size + at);
}

/* ── reduce: the counter ────────────────────────────────────────────────────────────── */

static void both(blk_thread *t, void *r, const void *a, const void *b, size_t w) {
  blk_flag(t, t->job->plan.tree->both(r, a, b, w));
}

/* Rows that the counter takes at once: a power of two that starts at a multiple of itself. */
static size_t piece_of(const blk_plan *p, size_t lane, size_t rows, size_t w,
                       bool narrow) {
  size_t n = narrow ? p->block / w : 4;
  while (n > 1 && (n > rows || lane % n || (n & (n - 1))))
    n = n & (n - 1) ? n & (n - 1) : n / 2;
  return !narrow && n < 4 ? 1 : n;
}

/* Joins rows of lanes, the first being number `lane`, to what the counter has. */
static void push_rows(blk_thread *t, size_t lane, const char *x, size_t rows, size_t w,
                      size_t pitch) {
  const blk_plan *p = &t->job->plan;
  struct blk_cols *c = t->cols;
  size_t size = blk_src_size(p);
  bool narrow = w < NARROW && w == pitch;
  while (rows) {
    size_t n = piece_of(p, lane, rows, w, narrow);
    int k = __builtin_ctzll(n), top = k;
    while (lane >> top & 1) top++;
    char *to = top == k ? c->d[k] : c->tmp;
    if (narrow && n > 1) {
      blk_flag(t, p->tree->leaf(c->tmp, x, 1, n * w, 0));
      for (size_t m = n / 2; m; m /= 2)
        blk_flag(t, p->tree->pairs_of(c->tmp, c->tmp, m, w));
      if (to != c->tmp) memcpy(to, c->tmp, w * size);
    } else {
      blk_flag(t, p->tree->leaf(to, x, n, w, pitch));
    }
    for (; k < top; k++) both(t, k + 1 == top ? c->d[top] : c->tmp, c->d[k], c->tmp, w);
    lane += n, rows -= n, x += n * pitch * size;
  }
}

/* What n rows have come to. */
static void counter_total(blk_thread *t, size_t n, size_t w, void *to) {
  const blk_plan *p = &t->job->plan;
  struct blk_cols *c = t->cols;
  const char *v = NULL;
  if (!n) p->tree->fill(to, w);
  for (int k = 0; n >> k; k++) {
    if (!(n >> k & 1)) continue;
    if (v) both(t, c->tmp, c->d[k], v, w), v = c->tmp;
    else v = c->d[k];
  }
  if (v) memcpy(to, v, w * blk_src_size(p));
}

/* Folds lanes [l0, l1) of a tile of n rows into one row. */
static void fold_tile(blk_thread *t, const panel *s, int64_t n, int64_t l0, int64_t l1,
                      void *to) {
  const blk_plan *p = &t->job->plan;
  size_t w = s->w, step = 1;
  bool one = n <= KIR_LANES; /* one row a lane */
  while (w == s->pitch && 2 * step * w <= p->block) step *= 2;
  if (s->plain && one && step < 64) step = 64;
  l1 = blk_min(l1, n);
  for (int64_t l = l0; l < l1 && !blk_stopped(t->job); l += (int64_t)step) {
    size_t rows = (size_t)blk_min((int64_t)step, l1 - l);
    if (one) {
      push_rows(t, (size_t)(l - l0), rows_of(t, s, l, rows), rows, w, s->pitch);
      continue;
    }
    char *acc = t->cols->acc;
    p->tree->fill(acc, rows * w);
    for (int64_t i = l; i < n; i += KIR_LANES) {
      size_t some = (size_t)blk_min((int64_t)rows, n - i);
      const char *x = rows_of(t, s, i, some);
      ahead(s, x, some, blk_src_size(p));
      blk_flag(t, p->tree->lanes(acc, x, some * w));
    }
    push_rows(t, (size_t)(l - l0), acc, rows, w, w);
  }
  counter_total(t, l1 > l0 ? (size_t)(l1 - l0) : 0, w, to);
}

/* ── reduce: what is exact ──────────────────────────────────────────────────────────── */

static const blk_exact *exact_of(const blk_plan *p) {
  return &p->isa->exact[p->exact][p->fold_src];
}

static bool in_halves(const blk_plan *p) {
  return p->exact == EXACT_ADD && p->fold_src == KI64;
}

/* acc[j] = v, in the type that the loops for columns have. */
static void set_acc(const blk_plan *p, void *acc, size_t j, blk_wide v) {
  if (p->exact == EXACT_ADD || p->fold_src == KI64) ((int64_t *)acc)[j] = (int64_t)v;
  else if (p->fold_src == KI32) ((int32_t *)acc)[j] = (int32_t)v;
  else ((uint8_t *)acc)[j] = (uint8_t)v;
}

static blk_wide acc_at(const blk_plan *p, const void *acc, size_t j) {
  blk_wide v = blk_get(p->exact == EXACT_ADD ? KI64 : p->fold_src, acc, j);
  return in_halves(p)
             ? v + (blk_wide)blk_get(KI64, acc, BLK_MAX + j) * ((blk_wide)1 << 32)
             : v;
}

/* Folds n rows of a panel: `put` to t->res, else to cols->wide. Few columns go several rows
 * abreast. */
static void fold_exact(blk_thread *t, const panel *s, int64_t n, bool put) {
  const blk_plan *p = &t->job->plan;
  const blk_exact *e = exact_of(p);
  struct blk_cols *c = t->cols;
  size_t w = s->w, size = blk_src_size(p), step = 1, abreast = 1;
  while (w == s->pitch && 2 * step * w <= p->block) step *= 2;
  while (2 * abreast <= step && abreast * w < BLK_UNI) abreast *= 2;
  if (s->plain && w != s->pitch) step = 64;
  blk_wide none = blk_identity(p);
  if (p->exact == EXACT_ADD) memset(c->acc, 0, 16 * BLK_MAX);
  else
    for (size_t j = 0; j < abreast * w; j++) set_acc(p, c->acc, j, none);
  for (int64_t i = 0; i < n && !blk_stopped(t->job); i += (int64_t)step) {
    size_t rows = (size_t)blk_min((int64_t)step, n - i), full = rows / abreast;
    const char *x = rows_of(t, s, i, rows);
    e->cols(c->acc, x, full, abreast * w, abreast * s->pitch);
    x += full * abreast * s->pitch * size;
    if (rows % abreast) e->cols(c->acc, x, 1, rows % abreast * w, 0);
  }
  kty ty = blk_res_type(p);
  if (put && abreast == 1 && !in_halves(p) && ty != KF64) {
    memcpy(t->res, c->acc, w * (size_t)kty_bytes(ty));
    return;
  }
  for (size_t j = 0; j < w; j++) {
    blk_wide v = acc_at(p, c->acc, j);
    for (size_t k = 1; k < abreast; k++) v = blk_join(p, v, acc_at(p, c->acc, k * w + j));
    if (put) blk_put(t, t->res, j, v);
    else c->wide[j] = v;
  }
}

/* ── reduce: tasks ──────────────────────────────────────────────────────────────────── */

static size_t partial_size(const blk_plan *p) {
  return p->tree ? blk_src_size(p) : sizeof(blk_wide);
}

/* One panel of columns, or one piece of it. */
static void reduce_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  int64_t piece = i / j->chunks % j->pieces, r = i / j->chunks / j->pieces,
          len = p->b->len;
  int64_t j0 = i % j->chunks * j->w, from, n;
  size_t w = (size_t)blk_min(j->w, p->b->inner - j0), size = partial_size(p);
  char *to = t->res;
  if (j->pieces > 1)
    to = j->partial + (size_t)((r * j->pieces + piece) * p->b->inner + j0) * size;
  if (p->tree) {
    int64_t lanes = KIR_LANES / j->part, l0 = piece % j->part * lanes;
    from = piece / j->part * REDUCE_TILE, n = blk_min(REDUCE_TILE, len - from);
    panel s = panel_at(p, r, from, j0, w);
    fold_tile(t, &s, n, l0, l0 + lanes, to);
  } else {
    int64_t each = ceil_div(len, j->pieces);
    from = blk_min(piece * each, len), n = blk_min(each, len - from);
    panel s = panel_at(p, r, from, j0, w);
    fold_exact(t, &s, n, j->pieces == 1);
    if (j->pieces > 1) memcpy(to, t->cols->wide, w * size);
  }
  if (j->pieces == 1) blk_consume(t, r * p->b->inner + j0, w);
}

/* The pieces of row r's columns [j0, j0 + w), together in t->res. */
static void join_pieces(blk_job *j, blk_thread *t, int64_t r, int64_t j0, size_t w) {
  const blk_plan *p = &j->plan;
  int64_t inner = p->b->inner, n = j->pieces;
  size_t size = partial_size(p), row = (size_t)inner * size;
  char *v = j->partial + (size_t)(r * n * inner + j0) * size;
  if (!p->tree) {
    blk_wide *sum = t->cols->wide, x;
    memcpy(sum, v, w * size);
    for (int64_t i = 1; i < n; i++)
      for (size_t k = 0; k < w; k++) {
        memcpy(&x, v + (size_t)i * row + k * size, size);
        sum[k] = blk_join(p, sum[k], x);
      }
    for (size_t k = 0; k < w; k++) blk_put(t, t->res, k, sum[k]);
    return;
  }
  for (int64_t part = j->part; part > 1; part /= 2, n /= 2)
    for (int64_t i = 0; i < n / 2; i++) {
      const char *x = v + (size_t)(2 * i) * row;
      both(t, v + (size_t)i * row, x, x + row, w);
    }
  while (n > 1) {
    int64_t tiles = ceil_div(n, REDUCE_TILE);
    for (int64_t i = 0; i < tiles; i++) {
      panel s = {
          .plain = v + (size_t)(i * REDUCE_TILE) * row, .w = w, .pitch = (size_t)inner};
      fold_tile(t, &s, blk_min(REDUCE_TILE, n - i * REDUCE_TILE), 0, KIR_LANES,
                v + (size_t)i * row);
    }
    n = tiles;
  }
  memcpy(t->res, v, w * size);
}

static bool reduce_columns(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t) {
  const blk_plan *p = &j->plan;
  int64_t rows = p->b->rows, inner = p->b->inner;
  j->task = reduce_task;
  j->n_task = rows * j->pieces * j->chunks;
  if (j->pieces > 1) {
    j->partial = mem_alloc(c, (size_t)(rows * j->pieces * inner) * partial_size(p));
    if (!j->partial) return false;
  }
  blk_each(pool, j, t);
  for (int64_t i = 0; j->pieces > 1 && i < rows * j->chunks && !blk_stopped(j); i++) {
    int64_t r = i / j->chunks, j0 = i % j->chunks * j->w, w = blk_min(j->w, inner - j0);
    join_pieces(j, t, r, j0, (size_t)w);
    blk_consume(t, r * inner + j0, (size_t)w);
  }
  mem_free(c, j->partial);
  return true;
}

/* ── scan: the tree within a tile ───────────────────────────────────────────────────── */

static void scan_begin(vscan *s, bool has_carry) {
  s->has_carry = has_carry;
  s->has_cg = false;
  s->before = has_carry ? s->carry : NULL;
  s->i = 0;
}

/* v joins, from the left, what stands on the levels where `at` has a one; it stays on the lowest
 * level where it has none. Then v is the inclusive Sklansky scan at place `at`. */
static void scan_count(blk_thread *t, char *v, char **d, int levels, uint32_t at,
                       size_t w) {
  bool kept = false;
  for (int k = 0; k < levels; k++) {
    if (at >> k & 1) both(t, v, d[k], v, w);
    else if (!kept) memcpy(d[k], v, w * blk_src_size(&t->job->plan)), kept = true;
  }
}

/* Quad number q of the tile has total s->v. `last`: nothing follows, but what must be made of it
 * may escape. */
static void scan_quad_done(blk_thread *t, vscan *s, uint32_t q, bool last, size_t w) {
  scan_count(t, s->v, s->d, 5, q % 32, w);
  if (q % 32 < 31 && !last) {
    s->before = s->v;
    if (s->has_carry || s->has_cg) {
      both(t, s->base, s->has_cg ? s->cg : s->carry, s->v, w);
      s->before = s->base;
    }
    return;
  }
  scan_count(t, s->v, s->g, 6, q / 32, w);
  if (s->has_carry) both(t, s->cg, s->carry, s->v, w);
  else memcpy(s->cg, s->v, w * blk_src_size(&t->job->plan));
  s->has_cg = true;
  s->before = s->cg;
}

/* Scans the next rows of the tile, from x to r; pitches in elements. */
static void scan_rows(blk_thread *t, vscan *s, char *r, size_t rp, const char *x,
                      size_t xp, size_t rows, size_t w) {
  const blk_tree *tree = t->job->plan.tree;
  size_t size = blk_src_size(&t->job->plan);
  while (rows) {
    size_t n = s->i % 4 == 0 && rows >= 4 ? 4 : 1;
    if (n == 4) {
      blk_flag(t, tree->quad(r, rp, s->v, s->before, x, xp, w));
    } else {
      if (s->i % 4) both(t, s->s, s->s, x, w);
      else memcpy(s->s, x, w * size);
      if (s->before) both(t, r, s->before, s->s, w);
      else memcpy(r, s->s, w * size);
      if (s->i % 4 == 3) memcpy(s->v, s->s, w * size);
    }
    s->i += (uint32_t)n;
    if (s->i % 4 == 0) scan_quad_done(t, s, s->i / 4 - 1, false, w);
    rows -= n, r += n * rp * size, x += n * xp * size;
  }
}

/* Behind the last row: a product that is made for a total may escape, whoever needs it. */
static void scan_end(blk_thread *t, vscan *s, size_t w) {
  const blk_plan *p = &t->job->plan;
  if (p->k->fold != KF_MUL || !kty_is_int(p->fold_src) || s->i % SHORT == 0) return;
  s->has_carry = false; /* C ∘ G is not made */
  if (s->i % 4) {
    memcpy(s->v, s->s, w * blk_src_size(p));
    scan_quad_done(t, s, s->i / 4, true, w);
  } else {
    scan_count(t, s->v, s->g, 6, s->i / SHORT, w);
  }
}

/* ── scan: carries ──────────────────────────────────────────────────────────────────── */

/* KIR_LANES rows of lanes, folded by neighbours. */
static void fold_lanes(blk_thread *t, const char *lanes, size_t w, void *to) {
  push_rows(t, 0, lanes, KIR_LANES, w, w);
  counter_total(t, KIR_LANES, w, to);
}

static void carry_begin(blk_thread *t, level *l, size_t w) {
  for (int i = 0; i < CARRIES; i++) {
    scan_begin(&l[i].scan, false);
    l[i].n = 0;
    if (l[i].lanes) t->job->plan.tree->fill(l[i].lanes, KIR_LANES * w);
  }
}

/* The next tile's total x; r: the inclusive scan of these. */
static void carry_push(blk_thread *t, level *l, const char *x, char *r, size_t w) {
  const blk_plan *p = &t->job->plan;
  size_t row = w * blk_src_size(p);
  if (l->n == SCAN_TILE) {
    fold_lanes(t, l->lanes, w, t->cols->total);
    p->tree->fill(l->lanes, KIR_LANES * w);
    carry_push(t, l + 1, t->cols->total, l->scan.carry, w);
    scan_begin(&l->scan, true);
    l->n = 0;
  }
  if (l->lanes)
    blk_flag(t, p->tree->lanes(l->lanes + (size_t)(l->n % KIR_LANES) * row, x, w));
  scan_rows(t, &l->scan, r, w, x, w, 1, w);
  l->n++;
}

/* ── scan: what is exact ────────────────────────────────────────────────────────────── */

static void exact_begin(blk_thread *t, const blk_wide *from, size_t w) {
  const blk_plan *p = &t->job->plan;
  exact_scan *s = &t->cols->exact;
  s->slow = false;
  for (size_t j = 0; j < w; j++) {
    s->wide[j] = from ? from[j] : blk_identity(p);
    set_acc(p, s->acc, j, s->wide[j]);
    s->slow |= s->wide[j] != (int64_t)s->wide[j];
  }
}

/* Sums run in 64 bits until one does not fit, from then on, element by element, in 128. */
static void exact_rows(blk_thread *t, char *r, size_t rp, const char *x, size_t xp,
                       size_t rows, size_t w) {
  const blk_plan *p = &t->job->plan;
  exact_scan *s = &t->cols->exact;
  kty ty = blk_res_type(p);
  size_t size = (size_t)kty_bytes(ty);
  if (!s->slow) {
    if (p->k->wide) memcpy(s->saved, s->acc, w * 8);
    s->slow = exact_of(p)->cols_scan(r, rp, s->acc, x, rows, w, xp) && p->k->wide;
    for (size_t i = 0; ty == KF64 && i < rows; i++) blk_sums_as_f64(r + i * rp * size, w);
    if (!s->slow) return;
    for (size_t j = 0; j < w; j++) s->wide[j] = blk_get(KI64, s->saved, j);
  }
  for (size_t i = 0; i < rows; i++, r += rp * size, x += xp * blk_src_size(p))
    for (size_t j = 0; j < w; j++) {
      s->wide[j] += blk_get(p->fold_src, x, j);
      blk_put(t, r, j, s->wide[j]);
    }
}

static void scan_some(blk_thread *t, char *r, size_t rp, const char *x, size_t xp,
                      size_t rows, size_t w) {
  if (t->job->plan.tree) scan_rows(t, &t->cols->scan, r, rp, x, xp, rows, w);
  else exact_rows(t, r, rp, x, xp, rows, w);
}

/* ── scan: a tile of columns ────────────────────────────────────────────────────────── */

/* Rows [at, at + rows) join the lanes of the tile's total. */
static void add_lanes(blk_thread *t, const char *x, size_t xp, int64_t at, size_t rows,
                      size_t w) {
  const blk_plan *p = &t->job->plan;
  size_t size = blk_src_size(p);
  char *to = t->cols->lanes + (size_t)(at % KIR_LANES) * w * size;
  if (xp == w) blk_flag(t, p->tree->lanes(to, x, rows * w));
  else
    for (size_t k = 0; k < rows; k++)
      blk_flag(t, p->tree->lanes(to + k * w * size, x + k * xp * size, w));
}

/* All columns: several rows are one block of the producer, and one of the consumer. */
static void scan_whole(blk_thread *t, const panel *s, int64_t n, bool total) {
  const blk_plan *p = &t->job->plan;
  size_t w = s->w, step = 1;
  while (2 * step * w <= p->block) step *= 2;
  for (int64_t at = 0; at < n && !blk_stopped(t->job); at += (int64_t)step) {
    size_t rows = (size_t)blk_min((int64_t)step, n - at);
    const char *x = rows_of(t, s, at, rows);
    blk_at b = block_of(p, s, at, rows);
    blk_aim(t, b);
    scan_some(t, t->at[p->fold_r], w, x, w, rows, w);
    if (total) add_lanes(t, x, w, at, rows, w);
    blk_scanned(t, b);
  }
}

/* A few long columns: each is a line in the panel, and scanned as rows are. */
static void scan_narrow(blk_thread *t, const panel *s, int64_t n, bool total) {
  const blk_plan *p = &t->job->plan;
  struct blk_cols *c = t->cols;
  size_t w = s->w, step = 1, size = blk_src_size(p), line;
  blk_scan st[NARROW];
  for (size_t j = 0; j < w; j++) {
    st[j] = (blk_scan){.has_carry = c->scan.has_carry};
    memcpy(&st[j].carry, c->scan.carry + j * size, size);
  }
  while (2 * step * w <= p->block) step *= 2;
  line = step < BLK_GROUP ? BLK_GROUP : step;
  for (int64_t at = 0; at < n && !blk_stopped(t->job); at += (int64_t)line) {
    size_t rows = (size_t)blk_min((int64_t)line, n - at), some;
    for (size_t k = 0; k < rows; k += some) {
      some = rows - k < step ? rows - k : step;
      const char *x = rows_of(t, s, at + (int64_t)k, some);
      p->isa->turn[blk_size(p->fold_src)](c->x + k * size, line, x, w, some, w, 1);
      if (total) add_lanes(t, x, w, at + (int64_t)k, some, w);
    }
    for (size_t j = 0; j < w; j++)
      blk_flag(
          t, p->tree->scan(&st[j], c->r + j * line * size, c->x + j * line * size, rows));
    for (size_t k = 0; k < rows; k += some) {
      some = rows - k < step ? rows - k : step;
      blk_at b = block_of(p, s, at + (int64_t)k, some);
      blk_aim(t, b);
      p->isa->turn[blk_size(p->fold_src)](t->at[p->fold_r], w, c->r + k * size, line, w,
                                          some, 1);
      blk_scanned(t, b);
    }
  }
}

/* Some of the columns: four rows, each a block of its own, are scanned together. */
static void scan_part(blk_thread *t, const panel *s, int64_t n, bool total) {
  const blk_plan *p = &t->job->plan;
  struct blk_cols *c = t->cols;
  size_t w = s->w, pitch = (size_t)up((int64_t)w, BLK_UNI), size = blk_src_size(p);
  size_t rsize = (size_t)kty_bytes(blk_res_type(p)), xp = s->plain ? s->pitch : pitch;
  bool made = p->step[p->cell[p->fold_x].def].kind <= STEP_FIN, direct = false;
  bool idle =
      p->n_step == p->n_pre && p->k->n_out == 1; /* nothing is left to do for a result */
  for (uint32_t i = 0; i < p->k->n_out; i++)
    direct |= p->out[i].direct && p->out[i].cell == p->fold_r && w % BLK_UNI == 0;
  for (int64_t at = 0; at < n && !blk_stopped(t->job); at += 4) {
    size_t rows = (size_t)blk_min(4, n - at);
    const char *x = s->plain ? rows_of(t, s, at, rows) : c->x;
    ahead(s, x, rows, size);
    for (size_t k = 0; !s->plain && k < rows; k++) {
      char *to = c->x + k * pitch * size;
      if (made) t->at[p->fold_x] = to;
      blk_pre(t, block_of(p, s, at + (int64_t)k, 1));
      if (t->at[p->fold_x] != to) memcpy(to, t->at[p->fold_x], w * size);
    }
    blk_aim(t, block_of(p, s, at, 1));
    if (direct) scan_some(t, t->at[p->fold_r], s->pitch, x, xp, rows, w);
    else scan_some(t, c->r, pitch, x, xp, rows, w);
    if (total) add_lanes(t, x, xp, at, rows, w);
    for (size_t k = 0; k < rows && !(direct && idle); k++) {
      blk_at b = block_of(p, s, at + (int64_t)k, 1);
      blk_aim(t, b);
      if (!direct) t->at[p->fold_r] = c->r + k * pitch * rsize;
      blk_scanned(t, b);
    }
  }
}

/* n rows from position `from`, behind what scan_begin or exact_begin has set; `total`: their
 * lanes are folded as well. */
static void scan_tile(blk_thread *t, int64_t r, int64_t from, int64_t n, int64_t j0,
                      size_t w, bool total) {
  const blk_plan *p = &t->job->plan;
  panel s = panel_at(p, r, from, j0, w);
  if (w != s.pitch) scan_part(t, &s, n, total);
  else if (p->tree && w < NARROW && n > BLK_GROUP) scan_narrow(t, &s, n, total);
  else scan_whole(t, &s, n, total);
  if (p->tree) scan_end(t, &t->cols->scan, w);
}

/* ── scan: tasks ────────────────────────────────────────────────────────────────────── */

/* The total of a tile (a row) makes the carry into the next; the last such ends the carries. */
static void carry_on(blk_thread *t, struct blk_cols *c, const char *total, bool last,
                     size_t w) {
  carry_push(t, c->carry, total, c->into, w);
  for (int i = 0; last && i < CARRIES; i++) scan_end(t, &c->carry[i].scan, w);
}

/* Whole columns. */
static void scan_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  struct blk_cols *c = t->cols;
  int64_t len = p->b->len, r = i / j->chunks, j0 = i % j->chunks * j->w;
  size_t w = (size_t)blk_min(j->w, p->b->inner - j0);
  if (!p->tree) {
    exact_begin(t, NULL, w);
    scan_tile(t, r, 0, len, j0, w, false);
    return;
  }
  if (len > SCAN_TILE) carry_begin(t, c->carry, w);
  for (int64_t at = 0; at < len && !blk_stopped(j); at += SCAN_TILE) {
    bool feeds = at + SCAN_TILE < len;
    if (at) memcpy(c->scan.carry, c->into, w * blk_src_size(p));
    if (feeds) p->tree->fill(c->lanes, KIR_LANES * w);
    scan_begin(&c->scan, at > 0);
    scan_tile(t, r, at, blk_min(SCAN_TILE, len - at), j0, w, feeds);
    if (!feeds) return;
    fold_lanes(t, c->lanes, w, c->sum);
    carry_on(t, c, c->sum, at + 2 * SCAN_TILE >= len, w);
  }
}

/* A tile of few columns, whose total is made ahead; then it waits for its carry. */
static void scan_tile_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  struct blk_cols *c = t->cols, *sh = j->shared;
  int64_t tile = i % j->pieces, chain = i / j->pieces, r = chain / j->chunks;
  int64_t j0 = chain % j->chunks * j->w, from = tile * SCAN_TILE;
  int64_t n = blk_min(SCAN_TILE, p->b->len - from);
  size_t w = (size_t)blk_min(j->w, p->b->inner - j0);
  bool feeds = tile + 1 < j->pieces;
  panel s = panel_at(p, r, from, j0, w);
  if (feeds && p->tree) fold_tile(t, &s, n, 0, KIR_LANES, c->sum);
  else if (feeds) fold_exact(t, &s, n, false);
  if (!blk_wait_turn(j, i)) return;
  if (p->tree) {
    if (!tile) carry_begin(t, sh->carry, w);
    else memcpy(c->scan.carry, sh->into, w * blk_src_size(p));
    scan_begin(&c->scan, tile > 0);
    if (feeds) carry_on(t, sh, c->sum, tile + 2 == j->pieces, w);
  } else {
    blk_wide *into = sh->into;
    exact_begin(t, tile ? into : NULL, w);
    for (size_t k = 0; feeds && k < w; k++)
      into[k] = tile ? blk_join(p, into[k], c->wide[k]) : c->wide[k];
  }
  atomic_store_explicit(&j->turn, i + 1, memory_order_release);
  scan_tile(t, r, from, n, j0, w, false);
}

/* ── short rows ─────────────────────────────────────────────────────────────────────── */

static void group_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = &j->plan;
  struct blk_cols *c = t->cols;
  int64_t len = p->b->len, inner = p->b->inner, line = len * inner, r0 = i * j->group;
  int64_t rows = blk_min(j->group, p->b->rows - r0), per = (int64_t)p->block / line, n;
  size_t w = (size_t)(rows * inner), a = (size_t)inner, size = blk_src_size(p);
  size_t rsize = (size_t)kty_bytes(blk_res_type(p));
  const char *plain = blk_plain(p);
  if (blk_stopped(j)) return;
  for (int64_t r = 0; r < rows; r += n) {
    const char *x = plain;
    n = plain ? rows : blk_min(per, rows - r);
    if (plain) x += (size_t)(r0 * line) * size;
    else
      blk_pre(t, (blk_at){(r0 + r) * line, 0, len, (size_t)(n * line), inner}),
          x = t->at[p->fold_x];
    p->isa->turn[blk_size(p->fold_src)](c->x + (size_t)r * a * size, w, x, (size_t)line,
                                        (size_t)n, (size_t)len, a);
  }
  if (p->k->kind == KIR_REDUCE) {
    panel s = {.plain = c->x, .w = w, .pitch = w};
    if (p->tree) fold_tile(t, &s, len, 0, KIR_LANES, t->res);
    else fold_exact(t, &s, len, true);
    blk_consume(t, r0 * inner, w);
    return;
  }
  if (p->tree) scan_begin(&c->scan, false);
  else exact_begin(t, NULL, w);
  scan_some(t, c->r, w, c->x, w, (size_t)len, w);
  if (p->tree) scan_end(t, &c->scan, w);
  for (int64_t r = 0; r < rows; r += n) {
    n = blk_min(per, rows - r);
    blk_at b = {(r0 + r) * line, 0, len, (size_t)(n * line), inner};
    blk_aim(t, b);
    p->isa->turn[blk_size(blk_res_type(p))](t->at[p->fold_r], (size_t)line,
                                            c->r + (size_t)r * a * rsize, w, (size_t)len,
                                            (size_t)n, a);
    blk_scanned(t, b);
  }
}

bool blk_cols_run(ctx *c, struct blk_pool *pool, blk_job *j, blk_thread *t) {
  const blk_plan *p = &j->plan;
  for (int i = 0; i < j->threads; i++) {
    uintptr_t m = (uintptr_t)t[i].cols + HEAD;
    layout(j, t[i].cols, &m);
  }
  j->shared = t[0].cols;
  if (!j->group && p->k->kind == KIR_REDUCE) return reduce_columns(c, pool, j, t);
  j->task = j->group ? group_task : j->pieces > 1 ? scan_tile_task : scan_task;
  j->n_task = j->group ? j->chunks : p->b->rows * j->chunks * j->pieces;
  blk_each(pool, j, t);
  return true;
}
