/* SPDX-License-Identifier: MIT */
/* fold.c - REDUCE and SCAN on the host: one engine for rows and columns.
 *
 * What is folded is rows × len × inner, and its lines run along len. A strip is w
 * neighbouring columns of one row: w accumulators go through its len positions together, so
 * the loops run over neighbours and vectorise, whatever the monoid. A line of an array whose
 * last axis is folded is a strip of width 1. It takes the same way, and only the innermost
 * loops know it: there the lanes of the fold tree, or the elements of a block, stand for the
 * columns.
 *
 *   strips       the columns that fit, or all of them: as they lie in memory, or as blocks of
 *                the producer make them (fold_strip.c)
 *   lines of     so short that a block holds several (inner is 1): one pass of the producer,
 *   a block      then each is folded
 *   side by side very short rows, inner 1 or small: some are turned into a strip, and the
 *                results of a scan turned back
 *   narrow       scans of a few long columns: turned into lines, each scanned as such
 *
 * How a strip is folded is the monoid's: by the tree of tables/fold.h (fold_tree.c, fold/tree.c), or in
 * the fastest order if none can show (fold_exact.c).
 *
 * Tasks are rows × strips × pieces of a line: tiles, or parts of a tile's lanes where the tasks
 * would be too few. What pieces give is joined at the end. A scan reads its input once: its
 * tasks are whole strips, or, where these are few, tiles that are begun in order. A tile's
 * total is made first, ahead of its turn; then it takes the carry, hands on the next one, and
 * scans.
 *
 * TRIED: what a tile waits with kept, so that it is not made again for its scan: 1.1 to 1.2. */
#include "fold.h"

#include <string.h>

#include "../base/mem.h"

/* Elements of a turned strip; the longest rows that are turned; a piece of an exact fold, and of
 * an exact scan. */
enum { TURNED = 2048, SHORT = 128, PIECE = 1 << 16, EXACT_TILE = 8192 };

/* ── the shape of the work ──────────────────────────────────────────────────────────── */

static bool is_scan(const blk_plan *p) { return p->k->kind == KIR_SCAN; }
/* Positions of a line: a strip of the tree, and a tile. */
static int64_t scan_strip(const blk_plan *p) { return tree_strip_len(blk_src_size(p)); }
static int64_t scan_tile(const blk_plan *p) {
  return p->tree ? KIR_SCAN_STRIPS * scan_strip(p) : EXACT_TILE;
}
static bool has_strips(const blk_plan *p) { /* a scan that needs totals of strips */
  return is_scan(p) && p->tree && p->b->len > scan_strip(p);
}

static int64_t round_up(int64_t n, int64_t to) { return ceil_div(n, to) * to; }

/* Rows that are turned into one strip: a multiple of 8, but not of 64, so that the strip's rows
 * lie in different sets of the cache. */
static int64_t rows_side_by_side(const blk_plan *p) {
  int64_t rows = p->b->rows, inner = p->b->inner, size = p->b->len * inner;
  bool is_short = size <= 2 * SHORT && inner < 2 * TREE_NARROW;
  if (inner == 1) is_short = size <= SHORT;
  if (inner == 1 && is_scan(p) && p->tree) is_short = size < KIR_SCAN_GROUP;
  if (!is_short || rows == 1 || size > (int64_t)p->block) return 0;
  int64_t n = min_i64((int64_t)p->block / inner, TURNED / size);
  n = min_i64(n, round_up(rows, 8)) & ~(int64_t)7;
  if (n && n % 64 == 0) n -= 8;
  return n;
}

static int64_t columns_of_a_strip(const blk_plan *p) {
  int64_t inner = p->b->inner, most = (int64_t)p->block, size = (int64_t)blk_src_size(p);
  if (is_scan(p)) most /= 4;
  if (has_strips(p)) most = min_i64(most, 1024 / size); /* a group's rows stay in L2 */
  if (!is_scan(p)) most = min_i64(most, 2048 / size);   /* the counter stays in L1 */
  if (inner <= most) return inner;
  return round_up(ceil_div(inner, ceil_div(inner, most)), BLK_UNI);
}

/* Cuts lines into pieces where there are fewer strips than tasks are wanted. Several folds of
 * the same lines take piece after piece, so that memory is read once. */
static void cut_lines(const blk_plan *p, int folds, blk_shape *s, int64_t strips,
                      int64_t wanted) {
  int64_t len = p->b->len;
  if (is_scan(p)) {
    if (strips < wanted) s->pieces = ceil_div(len, scan_tile(p));
  } else if (p->tree) {
    int64_t tiles = ceil_div(len, FOLD_TILE);
    while (s->part < 16 && strips * tiles * s->part < wanted) s->part *= 2;
    s->pieces = tiles * s->part;
  } else {
    int64_t most = min_i64(ceil_div(len * p->b->inner, PIECE), len);
    s->pieces = most;
    if (folds == 1) s->pieces = min_i64(most, ceil_div(wanted, strips));
    if (len / s->pieces > INT32_MAX) s->pieces = ceil_div(len, INT32_MAX);
  }
}

/* Results of several rows go to the consumer together, and a block may hold several lines. */
static void gather_rows(const blk_plan *p, blk_shape *s, int64_t wanted) {
  int64_t block = (int64_t)p->block;
  if (p->b->inner == 1) s->in_block = block / p->b->len;
  if (is_scan(p)) {
    if (s->in_block) s->rows = 16 * s->in_block;
  } else if (s->chunks == 1) {
    s->rows = min_i64(block / s->w, ceil_div(p->b->rows, wanted));
  }
}

/* That of the columns of the plan with the widest values, and of the tree if one has it. */
blk_shape blk_fold_shape(const blk_plan *p, int folds, int threads) {
  int64_t rows = p->b->rows, inner = p->b->inner, wanted = 1;
  blk_shape s = {.chunks = 1, .rows = 1, .pieces = 1, .part = 1};
  const blk_plan *longest = p;
  if (p->k->segments) {
    s.w = 1;
    s.rows = min_i64((int64_t)p->block, ceil_div(rows, 8 * threads));
    return s;
  }
  s.side_by_side = rows_side_by_side(p);
  if (s.side_by_side) {
    s.rows = s.side_by_side;
    s.w = s.rows * inner;
    return s;
  }
  if (threads > 1) wanted = 4 * threads;
  s.w = columns_of_a_strip(p);
  for (int i = 1; i < folds; i++) {
    s.w = min_i64(s.w, columns_of_a_strip(&p[i]));
    if (p[i].tree) longest = &p[i];
  }
  s.chunks = ceil_div(inner, s.w);
  cut_lines(longest, folds, &s, rows * s.chunks, wanted);
  if (s.pieces == 1) gather_rows(p, &s, wanted);
  return s;
}

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

/* Lays a thread's memory out from *mem on, and moves it behind. */
static void layout(const blk_plan *p, const blk_shape *s, blk_fold *f, uintptr_t *mem) {
  bool scan = is_scan(p);
  int parts = TREE_REDUCE;
  uintptr_t m = *mem;
  size_t row = 8 * (size_t)s->w + 64;
  if (scan) parts |= TREE_SCAN;
  if (has_strips(p) && !s->side_by_side) parts |= TREE_TILES;
  if (p->tree) tree_take(&f->tree, parts, (size_t)s->w, &m);
  if (scan) {
    f->r = blk_take(&m, 8 * TURNED + 512);
    f->scan_acc = blk_take(&m, row);
    f->saved = blk_take(&m, row);
    f->wide_acc = blk_take(&m, 2 * row);
  }
  f->acc = blk_take(&m, 16 * BLK_MAX);
  f->wide = blk_take(&m, 2 * row);
  f->into = blk_take(&m, 2 * row);
  f->res = blk_take(&m, 16 * p->block);
  f->x = blk_take(&m, 8 * TURNED + 512);
  *mem = m;
}

enum { HEAD = (sizeof(blk_fold) + 63) / 64 * 64 };

size_t blk_fold_bytes(const blk_plan *p, const blk_shape *s) {
  blk_fold probe;
  uintptr_t m = HEAD;
  layout(p, s, &probe, &m);
  return m;
}

/* ── the consumer ───────────────────────────────────────────────────────────────────── */

/* On the n results in fold->res, the first being output number o; or they wait for those of
 * other folds. */
static void consume(blk_thread *t, int64_t o, size_t n) {
  const blk_plan *p = t->plan;
  if (t->fold->results) {
    size_t size = blk_res_size(p);
    memcpy(t->fold->results + (size_t)o * size, t->fold->res, n * size);
    return;
  }
  blk_at w = {o, o, p->b->rows * p->b->inner, n, 1};
  blk_pad(t->fold->res, blk_res_size(p), n);
  blk_aim(t, &w);
  t->at[p->fold_r] = t->fold->res;
  blk_post(t, &w);
}

/* On a block of a scan. */
static void scanned(blk_thread *t, const blk_at *w) {
  const blk_plan *p = t->plan;
  if (w->n % BLK_UNI) blk_pad(t->at[p->fold_r], blk_res_size(p), w->n);
  blk_post(t, w);
}

/* ── reduce ─────────────────────────────────────────────────────────────────────────── */

static size_t partial_size(const blk_plan *p) {
  return p->tree ? blk_src_size(p) : sizeof(blk_wide);
}

static void lines_by_tree(blk_thread *t, char *to, const char *x, size_t lines,
                          size_t len) {
  tree *tr = &t->fold->tree;
  for (; lines; lines--, to += tr->size, x += len * tr->size)
    tr->flag |= tr->loops->line(to, x, len);
}

/* The lines of rows r, r + 1, … that are one block, folded to `to`. */
static void reduce_block(blk_thread *t, int64_t r, int64_t rows, char *to) {
  const blk_plan *p = t->plan;
  size_t n = (size_t)rows, len = (size_t)p->b->len;
  blk_strip s = blk_strip_at(p, r, 0, 0, 1);
  const char *x = blk_strip_rows(t, &s, 0, n * len);
  if (p->tree) lines_by_tree(t, to, x, n, len);
  else blk_exact_lines(t, to, x, n, len);
}

/* A strip of some rows, folded as a whole: its results are consumed. */
static void reduce_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  const blk_shape *s = t->fold->shape;
  int64_t rows = p->b->rows, inner = p->b->inner, len = p->b->len, n;
  int64_t r0 = i / s->chunks * s->rows, j0 = i % s->chunks * s->w;
  int64_t r1 = min_i64(r0 + s->rows, rows), w = min_i64(s->w, inner - j0);
  char *to = t->fold->res;
  for (int64_t r = r0; r < r1; r += n) {
    if (blk_stopped(j)) return;
    n = 1;
    if (s->in_block) {
      n = min_i64(s->in_block, r1 - r);
      reduce_block(t, r, n, to);
    } else {
      blk_strip strip = blk_strip_at(p, r, 0, j0, (size_t)w);
      if (p->tree) blk_tree_fold(t, &strip, len, 0, KIR_LANES, to);
      else blk_exact_fold(t, &strip, len, to);
    }
    to += (size_t)(n * w) * blk_res_size(p);
  }
  consume(t, r0 * inner + j0, (size_t)((r1 - r0) * w));
}

/* One piece of a strip, to its place among the partial results. */
static void reduce_piece_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  const blk_fold *f = t->fold;
  const blk_shape *s = f->shape;
  int64_t piece = i / s->chunks % s->pieces, r = i / s->chunks / s->pieces;
  int64_t j0 = i % s->chunks * s->w, inner = p->b->inner, len = p->b->len;
  size_t w = (size_t)min_i64(s->w, inner - j0), size = partial_size(p);
  char *to = f->partial + (size_t)((r * s->pieces + piece) * inner + j0) * size;
  UNUSED(j);
  if (p->tree) {
    int64_t lanes = KIR_LANES / s->part, l0 = piece % s->part * lanes;
    int64_t from = piece / s->part * FOLD_TILE;
    blk_strip strip = blk_strip_at(p, r, from, j0, w);
    blk_tree_fold(t, &strip, min_i64(FOLD_TILE, len - from), l0, l0 + lanes, to);
  } else {
    int64_t each = ceil_div(len, s->pieces), from = min_i64(piece * each, len);
    blk_strip strip = blk_strip_at(p, r, from, j0, w);
    blk_exact_fold(t, &strip, min_i64(each, len - from), NULL);
    memcpy(to, f->wide, w * size);
  }
}

static void join_exact(blk_thread *t, const char *v, size_t row, size_t w) {
  const blk_plan *p = t->plan;
  blk_wide *sum = t->fold->wide, x;
  memcpy(sum, v, w * sizeof x);
  for (int64_t i = 1; i < t->fold->shape->pieces; i++)
    for (size_t k = 0; k < w; k++) {
      memcpy(&x, v + (size_t)i * row + k * sizeof x, sizeof x);
      sum[k] = blk_exact_join(p, sum[k], x);
    }
  blk_exact_put(t, t->fold->res, sum, w);
}

/* Parts of lanes are joined by neighbours, which is the rest of the lanes' tree; the tiles' results
 * are folded by the same rule until there is one. */
static void join_tree(blk_thread *t, char *v, size_t row, size_t w) {
  const blk_plan *p = t->plan;
  int64_t n = t->fold->shape->pieces;
  for (int64_t part = t->fold->shape->part; part > 1; part /= 2, n /= 2)
    for (int64_t i = 0; i < n / 2; i++) {
      const char *x = v + (size_t)(2 * i) * row;
      t->fold->tree.flag |= p->tree->both(v + (size_t)i * row, x, x + row, w);
    }
  while (n > 1) {
    int64_t tiles = ceil_div(n, FOLD_TILE);
    for (int64_t i = 0; i < tiles; i++) {
      int64_t from = i * FOLD_TILE;
      blk_strip s = {.w = w, .pitch = (size_t)p->b->inner};
      s.plain = v + (size_t)from * row;
      blk_tree_fold(t, &s, min_i64(FOLD_TILE, n - from), 0, KIR_LANES,
                    v + (size_t)i * row);
    }
    n = tiles;
  }
  memcpy(t->fold->res, v, w * blk_src_size(p));
}

/* ── segments ───────────────────────────────────────────────────────────────────────── */

/* Values that a producer made for several segments at once: those of positions [from, end). */
typedef struct made_rows {
  const char *x;
  int64_t from, end;
} made_rows;

/* The end of the segments from number r on that follow one another without a gap, as far as
 * a block reaches. */
static int64_t end_of_run(const blk_plan *p, const int64_t *pairs, int64_t r,
                          int64_t r1) {
  int64_t end = pairs[2 * r + 1], most = pairs[2 * r] + (int64_t)p->block;
  while (++r < r1 && pairs[2 * r] == end && pairs[2 * r + 1] <= most)
    end = pairs[2 * r + 1];
  return end;
}

/* Does the kernel see where in its row an element is? Of a REDUCE the producer alone. */
static bool sees_position(const blk_plan *p) {
  uint32_t n = is_scan(p) ? p->n_step : p->n_pre;
  for (uint32_t i = 0; i < n; i++)
    if (p->step[i].kind == STEP_IOTA) return true;
  return false;
}

/* The line from element `from` on, as a row of its own. */
static blk_strip segment(const blk_plan *p, int64_t from) {
  blk_strip s = {.plain = blk_plain(p), .e0 = from, .w = 1, .pitch = 1};
  if (s.plain) s.plain += (size_t)from * blk_src_size(p);
  return s;
}

/* Segment r, which fits into a block; those that follow may be made with it. */
static void fold_short(blk_thread *t, const int64_t *pairs, int64_t r, int64_t r1,
                       made_rows *m, char *to) {
  const blk_plan *p = t->plan;
  int64_t from = pairs[2 * r], end = pairs[2 * r + 1];
  if (from < m->from || end > m->end || !m->x) {
    int64_t last = sees_position(p) ? end : end_of_run(p, pairs, r, r1);
    blk_strip s = segment(p, from);
    *m = (made_rows){blk_strip_rows(t, &s, 0, (size_t)(last - from)), from, last};
    if (sees_position(p)) m->from = m->end = -1;
  }
  const char *x = m->x;
  size_t n = (size_t)(end - from);
  if (m->from >= 0) x += (size_t)(from - m->from) * blk_src_size(p);
  if (p->tree) lines_by_tree(t, to, x, 1, n);
  else blk_exact_lines(t, to, x, 1, n);
}

static void fold_long(blk_thread *t, int64_t from, int64_t n, char *to) {
  const blk_plan *p = t->plan;
  blk_strip s = segment(p, from);
  if (p->tree) blk_tree_fold(t, &s, n, 0, KIR_LANES, to);
  else blk_exact_fold(t, &s, n, to);
}

/* Some rows that are segments of one line. */
static void segments_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  int64_t r0 = i * t->fold->shape->rows;
  int64_t r1 = min_i64(r0 + t->fold->shape->rows, p->b->rows);
  const int64_t *pairs = p->b->in[p->k->segments - 1].host;
  char *to = t->fold->res;
  made_rows m = {NULL, -1, -1};
  for (int64_t r = r0; r < r1 && !blk_stopped(j); r++) {
    int64_t n = pairs[2 * r + 1] - pairs[2 * r];
    if (n && n <= (int64_t)p->block) fold_short(t, pairs, r, r1, &m, to);
    else fold_long(t, pairs[2 * r], n, to);
    if (n > (int64_t)p->block) m.x = NULL; /* its register is another's now */
    to += blk_res_size(p);
  }
  consume(t, r0, (size_t)(r1 - r0));
}

/* What the pieces have given. */
static void join_pieces(blk_job *j) {
  blk_thread *t = j->team;
  const blk_plan *p = t->plan;
  const blk_shape *s = t->fold->shape;
  int64_t strips = p->b->rows * s->chunks, inner = p->b->inner;
  size_t size = partial_size(p), row = (size_t)inner * size;
  for (int64_t i = 0; i < strips && !blk_stopped(j); i++) {
    int64_t r = i / s->chunks, j0 = i % s->chunks * s->w, w = min_i64(s->w, inner - j0);
    char *v = t->fold->partial + (size_t)(r * s->pieces * inner + j0) * size;
    if (p->tree) join_tree(t, v, row, (size_t)w);
    else join_exact(t, v, row, (size_t)w);
    consume(t, r * inner + j0, (size_t)w);
  }
}

/* ── scan: a strip ──────────────────────────────────────────────────────────────────── */

static void scan_some(blk_thread *t, fold_rows m) {
  if (t->plan->tree) tree_scan_rows(&t->fold->tree, m);
  else blk_exact_scan(t, m);
}

/* Rows from `at` on join the total: before their scan, which may be made where they lie. */
static void add_rows(blk_thread *t, const blk_strip *s, int64_t at, const char *x,
                     size_t rows) {
  tree_add(&t->fold->tree, at, &(fold_rows){NULL, 0, x, s->pitch, rows, s->w});
}

/* All columns: several rows are one block of the producer, and one of the consumer. */
static void scan_whole(blk_thread *t, const blk_strip *s, int64_t n, bool total) {
  const blk_plan *p = t->plan;
  size_t w = s->w, step = blk_strip_step(p, s);
  for (int64_t at = 0; at < n && !blk_stopped(t->fold->job); at += (int64_t)step) {
    size_t rows = (size_t)min_i64((int64_t)step, n - at);
    const char *x = blk_strip_rows(t, s, at, rows);
    blk_at b = blk_strip_block(p, s, at, rows);
    blk_aim(t, &b);
    if (total) add_rows(t, s, at, x, rows);
    scan_some(t, (fold_rows){t->at[p->fold_r], w, x, w, rows, w});
    scanned(t, &b);
  }
}

/* A few long columns: each is a line in fold->x, and scanned as such. */
static void scan_narrow(blk_thread *t, const blk_strip *s, int64_t n, bool total) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  size_t w = s->w, step = blk_strip_step(p, s), size = blk_src_size(p), line = step;
  int kind = blk_size(p->fold_src);
  if (line < KIR_SCAN_GROUP) line = KIR_SCAN_GROUP;
  for (int64_t at = 0; at < n && !blk_stopped(f->job); at += (int64_t)line) {
    size_t rows = (size_t)min_i64((int64_t)line, n - at), some;
    for (size_t k = 0; k < rows; k += some) {
      some = min_u64(rows - k, step);
      const char *x = blk_strip_rows(t, s, at + (int64_t)k, some);
      fold_rows m = {f->x + k * size, line, x, w, some, w};
      p->isa->folds->turn[kind](&m, 1);
      if (total) add_rows(t, s, at + (int64_t)k, x, some);
    }
    for (size_t j = 0; j < w; j++) {
      size_t skip = j * line * size;
      f->tree.flag |= p->tree->scan(&f->tree.line[j], f->r + skip, f->x + skip, rows);
    }
    for (size_t k = 0; k < rows; k += some) {
      some = min_u64(rows - k, step);
      blk_at b = blk_strip_block(p, s, at + (int64_t)k, some);
      blk_aim(t, &b);
      fold_rows m = {t->at[p->fold_r], w, f->r + k * size, line, w, some};
      p->isa->folds->turn[kind](&m, 1);
      scanned(t, &b);
    }
  }
}

/* Rows i, i + 1, … of some of the columns, `pitch` values apart: as they lie, or made in f->x. */
static const char *part_rows(blk_thread *t, const blk_strip *s, int64_t i, size_t rows,
                             size_t pitch) {
  const blk_plan *p = t->plan;
  size_t size = blk_src_size(p);
  if (s->plain) {
    const char *x = blk_strip_rows(t, s, i, rows);
    blk_prefetch(s, x, rows, size);
    return x;
  }
  bool made = blk_is_made(p, p->fold_x);
  for (size_t k = 0; k < rows; k++) {
    char *to = t->fold->x + k * pitch * size;
    if (made) t->at[p->fold_x] = to;
    blk_at b = blk_strip_block(p, s, i + (int64_t)k, 1);
    blk_pre(t, &b);
    if (t->at[p->fold_x] != to) memcpy(to, t->at[p->fold_x], s->w * size);
  }
  return t->fold->x;
}

/* Can whole rows of w results be made where an output has them? */
static bool is_direct(const blk_plan *p, size_t w) {
  for (uint32_t i = 0; i < p->k->n_out && w % BLK_UNI == 0; i++)
    if (p->out[i].direct && p->out[i].cell == p->fold_r) return true;
  return false;
}

/* Some of the columns: four rows, each a block of its own, are scanned together. */
static void scan_part(blk_thread *t, const blk_strip *s, int64_t n, bool total) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  size_t w = s->w, pitch = (size_t)round_up((int64_t)w, BLK_UNI), rp = pitch;
  blk_strip read = *s; /* as part_rows gives it */
  bool direct = is_direct(p, w), idle = p->n_step == p->n_pre && p->k->n_out == 1;
  if (!s->plain) read.pitch = pitch;
  if (direct) rp = s->pitch;
  for (int64_t at = 0; at < n && !blk_stopped(f->job); at += 4) {
    size_t rows = (size_t)min_i64(4, n - at);
    const char *x = part_rows(t, s, at, rows, pitch);
    char *r = f->r;
    blk_at first = blk_strip_block(p, s, at, 1);
    blk_aim(t, &first);
    if (direct) r = t->at[p->fold_r];
    if (total) add_rows(t, &read, at, x, rows);
    scan_some(t, (fold_rows){r, rp, x, read.pitch, rows, w});
    if (direct && idle) continue; /* nothing is left to do for a result */
    for (size_t k = 0; k < rows; k++) {
      blk_at b = blk_strip_block(p, s, at + (int64_t)k, 1);
      blk_aim(t, &b);
      if (!direct) t->at[p->fold_r] = f->r + k * pitch * blk_res_size(p);
      scanned(t, &b);
    }
  }
}

/* n rows behind what begin() has set; `total`: that of the strip is made as well. */
static void scan_strip_rows(blk_thread *t, const blk_strip *s, int64_t n, bool total) {
  bool few = s->w > 1 && s->w < TREE_NARROW && n > KIR_SCAN_GROUP;
  if (s->w != (size_t)t->plan->b->inner) scan_part(t, s, n, total);
  else if (t->plan->tree && few) scan_narrow(t, s, n, total);
  else scan_whole(t, s, n, total);
}

/* n rows of a tile, behind the prefix. The totals of its strips are made on the way, unless they
 * are there; `feeds`: a tile follows that needs its total. */
static void scan_rows_of_tile(blk_thread *t, const blk_strip *s, int64_t n, bool made,
                              bool feeds) {
  int64_t strip = scan_strip(t->plan);
  int k = 0;
  for (int64_t at = 0; at < n && !blk_stopped(t->fold->job); at += strip, k++) {
    bool total = !made && (feeds || at + strip < n);
    int64_t m = min_i64(strip, n - at);
    blk_strip x = blk_strip_behind(t->plan, s, at);
    tree_begin(&t->fold->tree, k, (size_t)m, s->w);
    scan_strip_rows(t, &x, m, total);
    if (total) tree_strip(&t->fold->tree, k, s->w);
  }
}

/* ── scan: tasks ────────────────────────────────────────────────────────────────────── */

/* A line that lies in memory. */
static void scan_line(blk_thread *t, char *to, const char *x, int64_t len) {
  if (t->plan->tree) {
    tree_scan_line(&t->fold->tree, to, x, (size_t)len);
    return;
  }
  blk_exact_begin(t, NULL, 1);
  blk_exact_scan(t, (fold_rows){to, 1, x, 1, (size_t)len, 1});
}

/* The lines of rows that are one block. */
static void scan_block(blk_thread *t, int64_t r, int64_t rows) {
  const blk_plan *p = t->plan;
  size_t len = (size_t)p->b->len;
  blk_strip s = blk_strip_at(p, r, 0, 0, 1);
  blk_at b = blk_strip_block(p, &s, 0, (size_t)rows * len);
  const char *x = blk_strip_rows(t, &s, 0, (size_t)rows * len);
  blk_aim(t, &b);
  char *to = t->at[p->fold_r];
  for (int64_t k = 0; k < rows; k++) {
    scan_line(t, to, x, p->b->len);
    x += len * blk_src_size(p);
    to += len * blk_res_size(p);
  }
  scanned(t, &b);
}

/* A whole strip of len rows, by the tree tile after tile. */
static void scan_tiles(blk_thread *t, const blk_strip *whole, int64_t len) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  int64_t tile = scan_tile(p);
  size_t w = whole->w;
  if (!p->tree) {
    blk_exact_begin(t, NULL, w);
    scan_strip_rows(t, whole, len, false);
    return;
  }
  f->tree.tiles = 0;
  f->tree.has_prefix = false;
  for (int64_t at = 0; at < len && !blk_stopped(f->job); at += tile) {
    bool feeds = at + tile < len; /* the last total is nobody's carry */
    blk_strip s = blk_strip_behind(p, whole, at);
    if (at) tree_prefix(&f->tree, &f->tree, w);
    scan_rows_of_tile(t, &s, min_i64(tile, len - at), false, feeds);
    if (feeds) tree_push_tile(&f->tree, &f->tree, w);
  }
}

static void scan_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  const blk_shape *s = t->fold->shape;
  int64_t r = i / s->chunks * s->rows, r1 = min_i64(r + s->rows, p->b->rows);
  int64_t j0 = i % s->chunks * s->w, n = s->in_block;
  size_t w = (size_t)min_i64(s->w, p->b->inner - j0);
  for (; n && r < r1 && !blk_stopped(j); r += n) scan_block(t, r, min_i64(n, r1 - r));
  if (n) return;
  blk_strip strip = blk_strip_at(p, r, 0, j0, w);
  scan_tiles(t, &strip, p->b->len);
}

/* Segments from row r of the table on, a block at most: each a line of its own. Behind them. */
static int64_t scan_short(blk_thread *t, const int64_t *table, int64_t r, int64_t r1) {
  const blk_plan *p = t->plan;
  int64_t from = table[3 * r], most = from + (int64_t)p->block, end = table[3 * r + 1];
  int64_t last = r + 1;
  bool alone = sees_position(p);
  for (; !alone && last < r1 && table[3 * last] == end; end = table[3 * last++ + 1])
    if (table[3 * last + 1] > most) break;
  blk_strip s = segment(p, from);
  blk_at b = blk_strip_block(p, &s, 0, (size_t)(end - from));
  const char *x = blk_strip_rows(t, &s, 0, (size_t)(end - from));
  blk_aim(t, &b);
  char *to = t->at[p->fold_r];
  for (; r < last; r++) {
    int64_t n = table[3 * r + 1] - table[3 * r], skip = table[3 * r] - from;
    scan_line(t, to + (size_t)skip * blk_res_size(p), x + (size_t)skip * blk_src_size(p),
              n);
  }
  scanned(t, &b);
  return last;
}

/* Some rows of a table of strips: whole segments, each where its first one is. */
static void scan_segments_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  const int64_t *table = p->b->in[p->k->segments - 1].host;
  int64_t r = i * t->fold->shape->rows;
  int64_t r1 = min_i64(r + t->fold->shape->rows, p->b->rows);
  while (r < r1 && !blk_stopped(j)) {
    int64_t from = table[3 * r], n = table[3 * r + 1] - from;
    if (table[3 * r + 2]) {
      r++;
    } else if (n <= (int64_t)p->block) {
      r = scan_short(t, table, r, r1);
    } else {
      blk_strip s = segment(p, from);
      scan_tiles(t, &s, n);
      r++;
    }
  }
}

/* A tile takes the carry, which the first thread's memory has, and makes the next one. */
static void take_turn(blk_thread *t, int64_t tile, size_t w) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold, *shared = f->job->team[0].fold;
  bool feeds = tile + 1 < f->shape->pieces;
  if (p->tree) {
    if (!tile) shared->tree.tiles = 0;
    tree_prefix(&f->tree, &shared->tree, w);
    if (feeds) tree_push_tile(&f->tree, &shared->tree, w);
    return;
  }
  blk_wide *into = (blk_wide *)(void *)shared->into;
  blk_exact_begin(t, tile ? into : NULL, w);
  for (size_t k = 0; feeds && k < w; k++) {
    blk_wide v = f->wide[k];
    if (tile) v = blk_exact_join(p, into[k], v);
    into[k] = v;
  }
}

/* A tile whose total is made ahead of its turn. */
static void scan_tile_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  const blk_shape *s = f->shape;
  int64_t tile = i % s->pieces, strip = i / s->pieces, r = strip / s->chunks;
  int64_t j0 = strip % s->chunks * s->w, from = tile * scan_tile(p);
  int64_t n = min_i64(scan_tile(p), p->b->len - from);
  size_t w = (size_t)min_i64(s->w, p->b->inner - j0);
  bool feeds = tile + 1 < s->pieces;
  blk_strip x = blk_strip_at(p, r, from, j0, w);
  if (feeds) {
    if (p->tree) blk_tree_tile(t, &x);
    else blk_exact_fold(t, &x, n, NULL);
  }
  if (!blk_wait_turn(j, i)) return;
  take_turn(t, tile, w);
  blk_next_turn(j, i);
  if (p->tree) scan_rows_of_tile(t, &x, n, feeds, false);
  else scan_strip_rows(t, &x, n, false);
}

/* ── very short rows ────────────────────────────────────────────────────────────────── */

/* Turns some rows into one strip, in fold->x. */
static void turn_rows(blk_thread *t, int64_t r0, int64_t rows) {
  const blk_plan *p = t->plan;
  int64_t len = p->b->len, inner = p->b->inner, row = len * inner, n;
  size_t size = blk_src_size(p), a = (size_t)inner, w = (size_t)(rows * inner);
  const char *plain = blk_plain(p), *x;
  for (int64_t r = 0; r < rows; r += n) {
    if (plain) {
      n = rows;
      x = plain + (size_t)(r0 * row) * size;
    } else {
      n = min_i64((int64_t)p->block / row, rows - r);
      blk_at b = {(r0 + r) * row, 0, len, (size_t)(n * row), inner};
      blk_pre(t, &b);
      x = t->at[p->fold_x];
    }
    fold_rows m = {
        t->fold->x + (size_t)r * a * size, w, x, (size_t)row, (size_t)n, (size_t)len};
    p->isa->folds->turn[blk_size(p->fold_src)](&m, a);
  }
}

/* Turns their scans back, and consumes them. */
static void turn_back(blk_thread *t, int64_t r0, int64_t rows) {
  const blk_plan *p = t->plan;
  int64_t len = p->b->len, inner = p->b->inner, row = len * inner, n;
  size_t size = blk_res_size(p), a = (size_t)inner, w = (size_t)(rows * inner);
  for (int64_t r = 0; r < rows; r += n) {
    n = min_i64((int64_t)p->block / row, rows - r);
    blk_at b = {(r0 + r) * row, 0, len, (size_t)(n * row), inner};
    blk_aim(t, &b);
    fold_rows m = {t->at[p->fold_r], (size_t)row, t->fold->r + (size_t)r * a * size, w,
                   (size_t)len,      (size_t)n};
    p->isa->folds->turn[blk_size(blk_res_type(p))](&m, a);
    scanned(t, &b);
  }
}

static void side_by_side_task(blk_job *j, blk_thread *t, int64_t i) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  int64_t r0 = i * f->shape->rows, rows = min_i64(f->shape->rows, p->b->rows - r0);
  size_t w = (size_t)(rows * p->b->inner), len = (size_t)p->b->len;
  if (blk_stopped(j)) return;
  turn_rows(t, r0, rows);
  if (is_scan(p)) {
    f->tree.has_prefix = false;
    if (p->tree) tree_begin(&f->tree, 0, len, w);
    else blk_exact_begin(t, NULL, w);
    scan_some(t, (fold_rows){f->r, w, f->x, w, len, w});
    turn_back(t, r0, rows);
    return;
  }
  blk_strip s = {.plain = f->x, .w = w, .pitch = w};
  if (p->tree) blk_tree_fold(t, &s, p->b->len, 0, KIR_LANES, f->res);
  else blk_exact_fold(t, &s, p->b->len, f->res);
  consume(t, r0 * p->b->inner, w);
}

/* ── a run ──────────────────────────────────────────────────────────────────────────── */

bool blk_fold_begin(ctx *c, blk_job *j, const blk_shape *s, char *results) {
  const blk_plan *p = j->team[0].plan;
  char *partial = NULL;
  if (s->pieces > 1 && !is_scan(p)) {
    size_t n = (size_t)(p->b->rows * s->pieces * p->b->inner);
    partial = mem_alloc(c, n * partial_size(p));
    if (!partial) return false;
  }
  for (int i = 0; i < j->threads; i++) {
    blk_fold *f = j->team[i].fold;
    uintptr_t m = (uintptr_t)f + HEAD;
    if (p->tree) f->tree = tree_of(p->tree, p->k->acc[0].monoid, p->fold_src);
    f->tree.exclusive = p->k->exclusive;
    layout(p, s, f, &m);
    f->job = j;
    f->shape = s;
    f->partial = partial;
    f->results = results;
  }
  j->task = reduce_task;
  if (is_scan(p)) j->task = scan_task;
  if (s->pieces > 1) j->task = is_scan(p) ? scan_tile_task : reduce_piece_task;
  if (s->side_by_side) j->task = side_by_side_task;
  if (p->k->segments) j->task = is_scan(p) ? scan_segments_task : segments_task;
  j->n_task = ceil_div(p->b->rows, s->rows) * s->chunks * s->pieces;
  return true;
}

void blk_fold_end(ctx *c, blk_job *j) {
  char *partial = j->team[0].fold->partial;
  if (partial) join_pieces(j);
  for (int i = 0; i < j->threads; i++)
    if (j->team[i].plan->tree) blk_flag(&j->team[i], j->team[i].fold->tree.flag);
  mem_free(c, partial);
}

bool blk_fold_run(ctx *c, blk_pool *pool, blk_job *j, const blk_shape *s) {
  if (!blk_fold_begin(c, j, s, NULL)) return false;
  blk_each(pool, j);
  blk_fold_end(c, j);
  return true;
}
