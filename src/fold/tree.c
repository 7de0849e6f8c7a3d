/* SPDX-License-Identifier: MIT */
/* tree.c - see tree.h.
 *
 * Every operation of the tree is one between rows of w accumulators.
 *
 *   reduce   Rows are folded in halves: the left one has a power of two of them, the right one what
 *            is left. What that lacks would be identities. A single line is folded by a loop of its
 *            own.
 *   scan     Within a strip of the tree, totals of quads go through a binary counter for each
 *            group, with what comes before a quad kept as a row. A single line is scanned by a
 *            loop of its own, which does the same with groups in registers. A strip's own
 *            total is made from rows for each place of a group.
 *   prefix   Totals of tiles join 32 rows of lanes, those of super-tiles others, and so on: a tier
 *            each. For every tile these are folded.
 *
 * Since x ∘ identity is x, what does not exist is a row of identities where that is simpler. */
#include "tree.h"

#include <assert.h>
#include <string.h>

#include "../base/arith.h"
#include "../base/isa.h"
#include "../base/macros.h"
#include "../kir/folds.h"

enum { GROUP_QUADS = KIR_SCAN_GROUP / 4 };

static const fold_loops *loops(void) {
  static const fold_loops *const all[] = FOR_ISA(fold_loops);
  return all[isa_best()];
}

const tree_loops *tree_loops_of(kfold f, kty ty) { return &loops()->tree[f][ty]; }

const exact_loops *exact_loops_of(kfold f, kty ty) {
  const exact_loops *e = &loops()->exact[f][ty];
  return e->fold ? e : NULL;
}

tree tree_of(const tree_loops *loops, kfold f, kty ty) {
  return (tree){
      .loops = loops, .size = (size_t)kty_bytes(ty), .escapes = kfold_escapes(f, ty)};
}

static void both(tree *t, void *r, const void *a, const void *b, size_t w) {
  t->flag |= t->loops->both(r, a, b, w);
}

static void copy(const tree *t, void *to, const void *from, size_t w) {
  memcpy(to, from, w * t->size);
}

static char *row_of(const tree *t, char *rows, int64_t i, size_t w) {
  return rows + (size_t)i * w * t->size;
}

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

static char *take(uintptr_t *mem, size_t n) {
  uintptr_t at = *mem;
  *mem += round_up_u64(n, 64);
  return (char *)at;
}

void tree_take(tree *t, int parts, size_t w, uintptr_t *mem) {
  size_t rows = 8 * w, row = rows + 64;
  rows_scan *s = &t->scan;
  char **scan[] = {&s->s, &s->e, &s->v, &s->before, &s->run, &s->tmp, &t->none};
  if (parts & TREE_REDUCE) {
    t->level_size = round_up_u64(row, 64);
    t->levels = take(mem, TREE_LEVELS * t->level_size);
    t->tmp = take(mem, 8 * FOLD_MOST);
  }
  for (size_t i = 0; parts & TREE_SCAN && i < ARRAY_LEN(scan); i++)
    *scan[i] = take(mem, row);
  for (int i = 0; parts & TREE_SCAN && i < TREE_QUADS; i++) s->d[i] = take(mem, row);
  if (parts & TREE_SCAN)
    t->line = (line_scan *)(void *)take(mem, TREE_NARROW * sizeof *t->line);
  if (!(parts & TREE_TILES)) return;
  t->group = take(mem, KIR_SCAN_GROUP * rows);
  t->off = take(mem, KIR_SCAN_STRIPS * rows);
  t->lane = take(mem, KIR_SCAN_TIERS * TREE_BATCH * rows);
  t->prefix = take(mem, row);
}

/* ── reduce ─────────────────────────────────────────────────────────────────────────── */

uint32_t tree_line(const tree_loops *t, size_t size, const void *v, int64_t n, void *room,
                   void *to) {
  uint32_t flag = 0;
  for (int64_t tiles; n > FOLD_TILE; n = tiles, v = room) {
    tiles = ceil_div(n, FOLD_TILE);
    for (int64_t i = 0, at = 0; i < tiles; i++, at += FOLD_TILE)
      flag |=
          t->line((char *)room + (size_t)i * size, (const char *)v + (size_t)at * size,
                  (size_t)min_i64(n - at, FOLD_TILE));
  }
  return flag | t->line(to, v, (size_t)n);
}

/* n ≥ 16 rows of few columns, a power of two that fits into tmp. */
static void fold_narrow(tree *t, const char *x, size_t n, size_t w, char *to) {
  t->flag |= t->loops->pairs(t->tmp, x, n / 2, w);
  for (size_t m = n / 4; m; m /= 2)
    t->flag |= t->loops->pairs(m == 1 ? to : t->tmp, t->tmp, m, w);
}

void tree_fold_rows(tree *t, const char *x, size_t n, size_t w, size_t pitch, char *to) {
  enum { FEW = 8 };
  bool whole = (n & (n - 1)) == 0, narrow = w < FEW && w == pitch;
  if (n == 1) {
    copy(t, to, x, w);
  } else if (whole && n <= 8) {
    t->flag |= t->loops->leaf(to, x, n, w, pitch);
  } else if (whole && narrow && n * w <= FOLD_MOST) {
    fold_narrow(t, x, n, w, to);
  } else {
    size_t half = tree_half(n);
    char *right = tree_level(t, half);
    tree_fold_rows(t, x, half, w, pitch, to);
    tree_fold_rows(t, x + half * pitch * t->size, n - half, w, pitch, right);
    both(t, to, to, right, w);
  }
}

uint32_t tree_columns(const tree_loops *loops, size_t size, const char *v, int64_t n,
                      int64_t inner, char *to) {
  enum { WIDE = 128 };
  _Alignas(64) char room[TREE_LEVELS * (8 * WIDE + 64) + 8 * FOLD_MOST];
  uintptr_t mem = (uintptr_t)room;
  tree t = {.loops = loops, .size = size};
  tree_take(&t, TREE_REDUCE, (size_t)min_i64(inner, WIDE), &mem);
  assert(mem <= (uintptr_t)room + sizeof room);
  for (int64_t at = 0, w; at < inner; at += w) {
    size_t skip = (size_t)at * size;
    w = min_i64(inner - at, WIDE);
    tree_fold_rows(&t, v + skip, (size_t)n, (size_t)w, (size_t)inner, to + skip);
  }
  return t.flag;
}

/* ── scan: rows ─────────────────────────────────────────────────────────────────────── */

/* v joins, from the left, what stands on the levels where `at` has a one; it stays on the lowest
 * level where it has none. Then v is the inclusive Sklansky scan at place `at`. */
static void scan_count(tree *t, char *v, char **d, uint32_t at, size_t w) {
  bool kept = false;
  for (int k = 0; k < TREE_QUADS; k++) {
    if (at >> k & 1) {
      both(t, v, d[k], v, w);
    } else if (!kept) {
      copy(t, d[k], v, w);
      kept = true;
    }
  }
}

/* Quad number q of the strip has total s->v, and something follows. */
static void quad_done(tree *t, rows_scan *s, uint32_t q, size_t w) {
  scan_count(t, s->v, s->d, q % GROUP_QUADS, w);
  if (q % GROUP_QUADS == GROUP_QUADS - 1) {
    if (s->has_run) both(t, s->run, s->run, s->v, w);
    else copy(t, s->run, s->v, w);
    s->has_run = true;
    s->behind.base = s->run;
  } else if (s->has_run) {
    both(t, s->tmp, s->run, s->v, w);
    s->behind.base = s->tmp;
  } else {
    s->behind.base = s->v;
  }
}

/* A row that is not one of four whole ones. Nothing follows the last one: in an exclusive scan
 * its total is not made. */
static void scan_row(tree *t, rows_scan *s, const fold_rows *m) {
  size_t w = m->w;
  bool first = s->i % 4 == 0;
  const char *now = first ? t->none : s->s;
  if (!t->exclusive || s->left > 1) {
    if (first) copy(t, s->e, m->x, w);
    else both(t, s->e, s->s, m->x, w);
    if (!t->exclusive) now = s->e;
  }
  both(t, m->r, s->behind.base, now, w);
  if (s->has_before) both(t, m->r, s->before, m->r, w);
  char *old = s->s;
  s->s = s->e;
  s->e = old;
  if (s->i % 4 == 3) copy(t, s->v, s->s, w);
}

static void scan_rows(tree *t, rows_scan *s, fold_rows m) {
  bool keeps = t->exclusive && t->escapes;
  size_t n;
  for (; m.rows; m.rows -= n) {
    if (s->i && s->i % 4 == 0) quad_done(t, s, s->i / 4 - 1, m.w);
    n = 1;
    if (s->i % 4 == 0 && m.rows >= 4 && !(keeps && s->left == 4)) n = 4;
    if (n == 4) t->flag |= t->loops->quad(&m, s->v, &s->behind);
    else scan_row(t, s, &m);
    s->i += (uint32_t)n;
    s->left -= n;
    m.r = (char *)m.r + n * m.r_pitch * t->size;
    m.x = (const char *)m.x + n * m.pitch * t->size;
  }
}

/* ── scan: a strip of the tree ──────────────────────────────────────────────────────── */

void tree_begin(tree *t, int k, size_t n, size_t w) {
  rows_scan *s = &t->scan;
  const char *off = k ? row_of(t, t->off, k - 1, w) : NULL;
  s->has_before = t->has_prefix || k;
  s->has_run = false;
  s->i = 0;
  s->left = n;
  if (t->has_prefix && k) both(t, s->before, t->prefix, off, w);
  else if (s->has_before) copy(t, s->before, k ? off : t->prefix, w);
  t->loops->fill(t->none, w);
  s->behind =
      (fold_behind){s->has_before ? s->before : t->none, t->none, t->none, t->exclusive};
  for (size_t j = 0; j < w && w < TREE_NARROW; j++) {
    t->line[j] =
        (line_scan){.has_before = s->has_before, .exclusive = t->exclusive, .left = n};
    if (s->has_before) memcpy(&t->line[j].before, s->before + j * t->size, t->size);
  }
}

void tree_scan_rows(tree *t, fold_rows m) {
  if (m.w == 1 && m.pitch == 1 && m.r_pitch == 1)
    t->flag |= t->loops->scan(&t->line[0], m.r, m.x, m.rows);
  else scan_rows(t, &t->scan, m);
}

/* n values x, of groups one behind the other, join a group's; at: the first one's number. */
static void add_values(tree *t, size_t at, const char *x, size_t n, size_t group) {
  size_t some;
  for (; n; n -= some, at += some, x += some * t->size) {
    char *to = t->group + at % group * t->size;
    some = min_u64(n, group - at % group);
    if (at < group) {
      copy(t, to, x, some);
    } else if (at % group == 0 && n >= 4 * group) {
      some = 4 * group;
      t->flag |= t->loops->both4(to, x, group, group);
    } else {
      both(t, to, to, x, some);
    }
  }
}

void tree_add(tree *t, int64_t at, const fold_rows *m) {
  size_t w = m->w, i = (size_t)at, group = KIR_SCAN_GROUP * w;
  const char *x = m->x;
  if (w == m->pitch) {
    add_values(t, i * w, x, m->rows * w, group);
    return;
  }
  for (size_t k = 0; k < m->rows; k++, x += m->pitch * t->size)
    add_values(t, (i + k) * w, x, w, group);
}

void tree_strip(tree *t, int k, size_t w) {
  char *c = t->group, *off = row_of(t, t->off, k, w);
  for (size_t n = KIR_SCAN_GROUP / 2; n; n /= 2) t->flag |= t->loops->pairs(c, c, n, w);
  if (k) both(t, off, row_of(t, t->off, k - 1, w), c, w);
  else copy(t, off, c, w);
}

/* ── scan: the prefix ───────────────────────────────────────────────────────────────── */

/* Totals that are in the last super-tile of tier i, as yet. */
static size_t in_tier(const tree *t, int i) {
  int64_t n = t->tiles;
  while (i--) n /= KIR_SCAN_SUPER;
  return (size_t)(n % KIR_SCAN_SUPER);
}

/* What tier i of `of` comes to, n > 0 totals: its lanes, by neighbours. */
static const char *fold_tier(tree *t, const tree *of, int i, size_t n, size_t w) {
  const char *v = row_of(t, of->lane, i * TREE_BATCH, w);
  char *to = t->group;
  size_t half;
  for (n = min_u64(n, TREE_BATCH); n > 1; n -= half, v = to) {
    half = n / 2; /* the last of an odd number waits */
    t->flag |= t->loops->pairs(to, v, half, w);
    if (n % 2) copy(t, row_of(t, to, (int64_t)half, w), v + (n - 1) * w * t->size, w);
  }
  return v;
}

void tree_prefix(tree *t, const tree *of, size_t w) {
  t->has_prefix = false;
  for (int i = KIR_SCAN_TIERS; i-- > 0;) {
    size_t n = in_tier(of, i);
    if (!n) continue;
    const char *v = fold_tier(t, of, i, n, w);
    if (t->has_prefix) both(t, t->prefix, t->prefix, v, w);
    else copy(t, t->prefix, v, w);
    t->has_prefix = true;
  }
}

void tree_push_tile(tree *t, tree *of, size_t w) {
  const char *total = row_of(t, t->off, KIR_SCAN_STRIPS - 1, w);
  for (int i = 0; i < KIR_SCAN_TIERS; i++) {
    size_t n = in_tier(of, i);
    char *lane = row_of(t, of->lane, i * TREE_BATCH + (int64_t)(n % TREE_BATCH), w);
    if (n < TREE_BATCH) copy(t, lane, total, w);
    else both(t, lane, lane, total, w);
    if (n + 1 < KIR_SCAN_SUPER) break;
    total = fold_tier(t, of, i, KIR_SCAN_SUPER, w);
  }
  of->tiles++;
}

/* ── scan: a line ───────────────────────────────────────────────────────────────────── */

/* n values from the first of a tile on, behind the prefix. */
static void scan_tiles(tree *t, void *r, const void *x, size_t n) {
  size_t strip = (size_t)tree_strip_len(t->size), m;
  for (int k = 0; n; n -= m, k++) {
    m = min_u64(strip, n);
    if (k == KIR_SCAN_STRIPS) {
      tree_push_tile(t, t, 1);
      tree_prefix(t, t, 1);
      k = 0;
    }
    fold_rows rows = {r, 1, x, 1, m, 1};
    tree_begin(t, k, m, 1);
    if (m < n) tree_add(t, 0, &rows); /* r may be x */
    tree_scan_rows(t, rows);
    if (m < n) tree_strip(t, k, 1);
    x = (const char *)x + m * t->size;
    r = (char *)r + m * t->size;
  }
}

void tree_scan_line(tree *t, void *r, const void *x, size_t n) {
  if (n <= (size_t)tree_strip_len(t->size)) {
    line_scan all = {.exclusive = t->exclusive, .left = n};
    t->flag |= t->loops->scan(&all, r, x, n);
    return;
  }
  t->tiles = 0;
  t->has_prefix = false;
  scan_tiles(t, r, x, n);
}

void tree_totals(tree *t, void *totals, const void *x, size_t tiles) {
  size_t strip = (size_t)tree_strip_len(t->size);
  for (size_t i = 0; i < tiles; i++) {
    for (int k = 0; k < KIR_SCAN_STRIPS; k++) {
      fold_rows rows = {NULL, 1, x, 1, strip, 1};
      tree_add(t, 0, &rows);
      tree_strip(t, k, 1);
      x = (const char *)x + strip * t->size;
    }
    copy(t, (char *)totals + i * t->size, row_of(t, t->off, KIR_SCAN_STRIPS - 1, 1), 1);
  }
}

void tree_scan_behind(tree *t, const void *totals, size_t tiles, void *r, const void *x,
                      size_t n) {
  t->tiles = 0;
  for (size_t i = 0; i < tiles; i++) {
    copy(t, row_of(t, t->off, KIR_SCAN_STRIPS - 1, 1), (const char *)totals + i * t->size,
         1);
    tree_push_tile(t, t, 1);
  }
  tree_prefix(t, t, 1);
  scan_tiles(t, r, x, n);
}

uint32_t tree_scan_values(const tree_loops *loops, kfold f, kty type, const void *v,
                          int64_t n, void *r) {
  if (n <= tree_strip_len((size_t)kty_bytes(type))) {
    line_scan all = {.left = (size_t)n};
    return loops->scan(&all, r, v, (size_t)n);
  }
  _Alignas(64) char room[5120];
  uintptr_t mem = (uintptr_t)room;
  tree t = tree_of(loops, f, type);
  tree_take(&t, TREE_SCAN | TREE_TILES, 1, &mem);
  assert(mem <= (uintptr_t)room + sizeof room);
  tree_scan_line(&t, r, v, (size_t)n);
  return t.flag;
}
