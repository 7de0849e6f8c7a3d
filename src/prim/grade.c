/* SPDX-License-Identifier: MIT */
/* grade.c - ⍋ ⍒ (plain and collated), ⍸ with a left argument, and the order of arrays.
 *
 * Numbers and characters of a vector become 64-bit keys in the same order and are sorted by
 * radix, 11 bits at a time from the lowest, over the bits that their range has: stable, and
 * linear in the length. Everything else (major cells, nested items) is merged with the
 * total order of arrays: numbers before characters; elements in ravel order, a missing one
 * first; then rank, then shape. Grading is exact: ⎕CT plays no part. NaN comes after
 * infinity. */
#include "order.h"
#include "../base/mem.h"
#include "../array/element.h"

#include <math.h>
#include <string.h>

/* ── by radix ───────────────────────────────────────────────────────────────────────── */

uint64_t sort_key_int(int64_t v) { return (uint64_t)v ^ (1ull << 63); }

uint64_t sort_key_float(double v) {
  uint64_t b;
  if (v == 0) v = 0;
  if (isnan(v)) return UINT64_MAX;
  memcpy(&b, &v, sizeof b);
  return b >> 63 ? ~b : b | 1ull << 63;
}

static void sort_few(sort_item *item, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    sort_item it = item[i];
    int64_t j = i;
    for (; j && item[j - 1].key > it.key; j--) item[j] = item[j - 1];
    item[j] = it;
  }
}

enum { DIGIT = 11, BUCKETS = 1 << DIGIT };

/* One pass over the digit at `shift`. */
static void sort_pass(const sort_item *from, sort_item *to, int64_t n, int shift) {
  int64_t count[BUCKETS] = {0};
  for (int64_t i = 0; i < n; i++) count[from[i].key >> shift & (BUCKETS - 1)]++;
  for (int64_t b = 0, sum = 0; b < BUCKETS; b++) {
    int64_t c = count[b];
    count[b] = sum;
    sum += c;
  }
  for (int64_t i = 0; i < n; i++)
    to[count[from[i].key >> shift & (BUCKETS - 1)]++] = from[i];
}

void sort_items(sort_item *item, sort_item *spare, int64_t n) {
  uint64_t least = UINT64_MAX, most = 0;
  if (n < 96) {
    sort_few(item, n);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    if (item[i].key < least) least = item[i].key;
    if (item[i].key > most) most = item[i].key;
  }
  for (int64_t i = 0; i < n; i++) item[i].key -= least; /* only the range counts */
  sort_item *from = item, *to = spare;
  for (int shift = 0; shift < 64 && (most - least) >> shift; shift += DIGIT) {
    sort_pass(from, to, n, shift);
    sort_item *swap = from;
    from = to;
    to = swap;
  }
  if (from != item) memcpy(item, from, (size_t)n * sizeof *item);
  for (int64_t i = 0; i < n; i++) item[i].key += least;
}

/* ── the total order ────────────────────────────────────────────────────────────────── */

static int sign_of(bool less, bool greater) { return greater - less; }

static int compare_floats(double a, double b) {
  if (isnan(a) || isnan(b)) return sign_of(!isnan(a), !isnan(b));
  return sign_of(a<b, a> b);
}

static int compare_numbers(const arr *x, int64_t i, const arr *y, int64_t j) {
  if (elt_is_int((elt)x->type) && elt_is_int((elt)y->type)) {
    int64_t a = arr_get_int(x, i), b = arr_get_int(y, j);
    return sign_of(a<b, a> b);
  }
  int c = compare_floats(arr_get_float(x, i), arr_get_float(y, j));
  if (c || (x->type != ET_C128 && y->type != ET_C128)) return c;
  return compare_floats(arr_get_imag(x, i), arr_get_imag(y, j));
}

static int compare_arrays(const arr *x, const arr *y, int depth, bool *deep);

static int compare_simple(const arr *x, int64_t i, const arr *y, int depth, bool *deep);

static int compare_elements(const arr *x, int64_t i, const arr *y, int64_t j, int depth,
                            bool *deep) {
  if (x->type == ET_NEST || y->type == ET_NEST) {
    const arr *a = x, *b = y;
    if (x->type == ET_NEST) a = arr_item(x, i), i = 0;
    if (y->type == ET_NEST) b = arr_item(y, j), j = 0;
    bool sa = a != x ? !a->rank && a->type != ET_NEST : true;
    bool sb = b != y ? !b->rank && b->type != ET_NEST : true;
    if (sa && sb) return compare_elements(a, i, b, j, depth, deep);
    if (sa) return compare_simple(a, i, b, depth + 1, deep);
    if (sb) return -compare_simple(b, j, a, depth + 1, deep);
    return compare_arrays(a, b, depth + 1, deep);
  }
  bool cx = elt_is_char((elt)x->type), cy = elt_is_char((elt)y->type);
  if (cx != cy) return sign_of(cy, cx);
  if (!cx) return compare_numbers(x, i, y, j);
  int64_t a = arr_get_int(x, i), b = arr_get_int(y, j);
  return sign_of(a<b, a> b);
}

/* A simple element against an array that is none: as if it had y's rank. */
static int compare_simple(const arr *x, int64_t i, const arr *y, int depth, bool *deep) {
  if (depth > ARR_MAX_DEPTH) return *deep = true, 0;
  if (!y->count) return 1;
  int c = compare_elements(x, i, y, 0, depth, deep);
  return c ? c : -1; /* y goes on, or has the higher rank */
}

/* Position in `a` of the element at coordinates `at` of a frame of that rank, -1: none. */
static int64_t find_at(const arr *a, int rank, const int64_t *at) {
  int64_t pos = 0;
  for (int k = 0; k < rank; k++) {
    int j = k - (rank - a->rank);
    if (j < 0 ? at[k] > 0 : at[k] >= a->shape[j]) return -1;
    if (j >= 0) pos = pos * a->shape[j] + at[k];
  }
  return pos;
}

/* Elements of arrays of different shapes, in the ravel order of a frame that holds both. */
static int compare_framed(const arr *x, const arr *y, int depth, bool *deep) {
  int64_t n[ARR_MAX_RANK], at[ARR_MAX_RANK] = {0}, left = x->count + y->count;
  int rank = x->rank > y->rank ? x->rank : y->rank;
  for (int k = 0; k < rank; k++) {
    int i = k - (rank - x->rank), j = k - (rank - y->rank);
    int64_t a = i < 0 ? 1 : x->shape[i], b = j < 0 ? 1 : y->shape[j];
    n[k] = a > b ? a : b;
  }
  while (left > 0) {
    int64_t i = x->count ? find_at(x, rank, at) : -1,
            j = y->count ? find_at(y, rank, at) : -1;
    if ((i < 0) != (j < 0)) return sign_of(i < 0, j < 0);
    if (i >= 0) {
      int c = compare_elements(x, i, y, j, depth, deep);
      if (c) return c;
      left -= 2;
    }
    int k = rank - 1;
    while (k >= 0 && ++at[k] == n[k]) at[k--] = 0;
    if (k < 0) break;
  }
  return 0;
}

/* From the last axis on, absent ones being 1; then by rank. */
static int compare_shapes(const arr *x, const arr *y) {
  for (int k = 1; k <= x->rank || k <= y->rank; k++) {
    int64_t a = k <= x->rank ? x->shape[x->rank - k] : 1;
    int64_t b = k <= y->rank ? y->shape[y->rank - k] : 1;
    if (a != b) return sign_of(a<b, a> b);
  }
  return sign_of(x->rank<y->rank, x->rank> y->rank);
}

static bool is_text(const arr *a) {
  while (a->type == ET_NEST) a = arr_item(a, 0);
  return elt_is_char((elt)a->type);
}

static int compare_arrays(const arr *x, const arr *y, int depth, bool *deep) {
  int c = 0;
  if (depth > ARR_MAX_DEPTH) return *deep = true, 0;
  if (!x->count && !y->count) {
    c = sign_of(is_text(y), is_text(x));
  } else if (arr_same_shape(x, y)) {
    for (int64_t i = 0; i < x->count && !c; i++)
      c = compare_elements(x, i, y, i, depth, deep);
  } else {
    c = compare_framed(x, y, depth, deep);
  }
  return c ? c : compare_shapes(x, y);
}

/* Cell i of x against cell j of y, cells of `size` elements, in the total order of arrays;
 * *deep is set when they are nested too deep to tell. */
static int compare_cells(const arr *x, int64_t i, const arr *y, int64_t j, int64_t size,
                         bool *deep) {
  int c = 0;
  for (int64_t k = 0; k < size && !c; k++)
    c = compare_elements(x, i * size + k, y, j * size + k, 0, deep);
  return c;
}

/* ── ⍋ ⍒ ───────────────────────────────────────────────────────────────────────────── */

typedef struct grader {
  prim_env *e;
  const arr *y;
  int64_t n, size;
  bool down, deep;
  sort_item *item, *spare;
} grader;

static bool grader_new(prim_env *e, grader *g, const arr *y, bool down) {
  *g = (grader){.e = e, .y = y, .down = down, .size = 1};
  if (!y->rank) return err_set(e->c, ERR_RANK, "a scalar cannot be graded");
  g->n = y->shape[0];
  for (int k = 1; k < y->rank; k++)
    g->size = g->size && y->shape[k] ? g->size * y->shape[k] : 0;
  if ((uint64_t)g->n > SIZE_MAX / (4 * sizeof *g->item))
    return err_set(e->c, ERR_WS_FULL, "%lld cells", (long long)g->n);
  g->item = mem_alloc(e->c, (size_t)g->n * sizeof *g->item);
  g->spare = mem_alloc(e->c, (size_t)g->n * sizeof *g->item);
  for (int64_t i = 0; g->item && i < g->n; i++) g->item[i] = (sort_item){0, i};
  return g->item && g->spare;
}

static bool precedes(grader *g, int64_t i, int64_t j) { /* strictly */
  int c = compare_cells(g->y, i, g->y, j, g->size, &g->deep);
  return g->down ? c > 0 : c < 0;
}

/* Merge sort of item[0..n) by the total order. */
static void merge_sort(grader *g, sort_item *a, sort_item *b, int64_t n) {
  if (n < 2) return;
  int64_t m = n / 2, i = 0, j = m;
  merge_sort(g, a, b, m);
  merge_sort(g, a + m, b, n - m);
  if (!precedes(g, a[m].at, a[m - 1].at)) return;
  memcpy(b, a, (size_t)m * sizeof *a);
  for (int64_t k = 0; i < m; k++)
    a[k] = j < n && precedes(g, a[j].at, b[i].at) ? a[j++] : b[i++];
}

static void sort_by_keys(grader *g) {
  bool whole = elt_is_int((elt)g->y->type) || elt_is_char((elt)g->y->type);
  for (int64_t i = 0; i < g->n; i++) {
    uint64_t key = whole ? sort_key_int(arr_get_int(g->y, i))
                         : sort_key_float(arr_get_float(g->y, i));
    g->item[i].key = g->down ? ~key : key;
  }
  sort_items(g->item, g->spare, g->n);
}

static arr *grader_done(grader *g, bool ok) {
  prim_env *e = g->e;
  arr *r = NULL;
  if (g->deep)
    ok = err_set(e->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
  if (ok) r = arr_vec(e->c, g->n ? elt_for_range(e->io, g->n - 1 + e->io) : ET_BIT, g->n);
  for (int64_t i = 0; r && i < g->n; i++) arr_put_int(r, i, g->item[i].at + e->io);
  if (r && g->n) arr_set_range(r, e->io, g->n - 1 + e->io);
  mem_free(e->c, g->item);
  mem_free(e->c, g->spare);
  return r;
}

static arr *grade(prim_env *e, arr *y, bool down) {
  grader g;
  bool ok = grader_new(e, &g, y, down);
  if (ok && y->rank == 1 && y->type != ET_NEST && y->type != ET_C128) sort_by_keys(&g);
  else if (ok) merge_sort(&g, g.item, g.spare, g.n);
  return grader_done(&g, ok);
}

arr *prim_grade_up(prim_env *e, arr *y) { return grade(e, y, false); }
arr *prim_grade_down(prim_env *e, arr *y) { return grade(e, y, true); }

/* ── x⍋y: characters in the order of x ─────────────────────────────────────────────── */

/* An I64 array like y: the least coordinate along axis k of x where each character stands.
 */
static arr *coordinates(prim_env *e, const arr *x, int k, const arr *y) {
  int64_t low[256]; /* for the common characters; others are searched for */
  split s = split_at(x, k);
  arr *r = arr_new(e->c, ET_I64, y->rank, y->shape);
  if (!r) return NULL;
  for (int c = 0; c < 256; c++) low[c] = INT64_MAX;
  for (int64_t i = 0; i < x->count; i++) {
    int64_t c = arr_get_int(x, i), at = i / s.inner % s.n;
    if (c < 256 && at < low[c]) low[c] = at;
  }
  for (int64_t i = 0; i < y->count; i++) {
    int64_t c = arr_get_int(y, i), best = INT64_MAX;
    if (c < 256) best = low[c];
    for (int64_t j = 0; c >= 256 && j < x->count; j++)
      if (arr_get_int(x, j) == c && j / s.inner % s.n < best) best = j / s.inner % s.n;
    ((int64_t *)r->host)[i] = best;
  }
  return r;
}

static arr *collate(prim_env *e, arr *x, arr *y, bool down) {
  grader g;
  if (!x->rank) return fail(e, ERR_RANK, "the left argument must not be a scalar");
  if ((x->count && !elt_is_char((elt)x->type)) ||
      (y->count && !elt_is_char((elt)y->type)))
    return fail(e, ERR_DOMAIN, "both arguments must be characters");
  bool ok = grader_new(e, &g, y, down);
  for (int k = 0; ok && k < x->rank; k++) { /* the last axis weighs most */
    arr *at = coordinates(e, x, k, y);
    g.y = at;
    if (at) merge_sort(&g, g.item, g.spare, g.n);
    arr_release(at);
    ok = at != NULL;
  }
  return grader_done(&g, ok);
}

arr *prim_collate_up(prim_env *e, arr *x, arr *y) { return collate(e, x, y, false); }
arr *prim_collate_down(prim_env *e, arr *x, arr *y) { return collate(e, x, y, true); }

/* ── x⍸y ───────────────────────────────────────────────────────────────────────────── */

arr *prim_interval(prim_env *e, arr *x, arr *y) {
  bool deep = false;
  int64_t size = 1, cells = 1, n;
  if (!x->rank) return fail(e, ERR_RANK, "the left argument must not be a scalar");
  int rank = y->rank - (x->rank - 1);
  if (rank < 0)
    return fail(e, ERR_RANK, "the right argument has no cells like the left one's");
  for (int k = 1; k < x->rank; k++) {
    if (x->shape[k] != y->shape[rank + k - 1])
      return fail(e, ERR_LENGTH, "the cells of the arguments differ in shape");
    size = size && x->shape[k] ? size * x->shape[k] : 0;
  }
  n = x->shape[0];
  for (int64_t i = 1; i < n; i++)
    if (compare_cells(x, i - 1, x, i, size, &deep) > 0)
      return fail(e, ERR_DOMAIN, "the left argument must be in ascending order");
  for (int k = 0; k < rank; k++) cells = cells && y->shape[k] ? cells * y->shape[k] : 0;
  arr *r = arr_new(e->c, elt_for_range(e->io - 1, n - 1 + e->io), rank, y->shape);
  for (int64_t j = 0; r && j < cells; j++) {
    int64_t lo = 0, hi = n; /* cells before lo are ≤ y's, those from hi on greater */
    while (lo < hi) {
      int64_t mid = lo + (hi - lo) / 2;
      if (compare_cells(x, mid, y, j, size, &deep) <= 0) lo = mid + 1;
      else hi = mid;
    }
    arr_put_int(r, j, lo - 1 + e->io);
  }
  if (!deep) return r;
  arr_release(r);
  err_set(e->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
  return NULL;
}
