/* SPDX-License-Identifier: MIT */
/* lookup.c - finding equal things: x⍳y ∊ ∪ ∩ ~ ≠ ⍷.
 *
 * All but ⍷ ask one question, prim_lookup: for each major cell of y, which is the first of
 * x that equals it? The answer is that of the plain definition, a search from the front
 * with tolerant comparison, found in one of five ways:
 *
 *   table   integers or characters from a small range: an array of first positions
 *   sorted  other vectors of numbers, both put in order: what equals y within ⎕CT is an
 *           interval of x, and the first position in it is the answer, exactly. (Sorting
 *           beats hashing: it runs through memory in order.)
 *   hash    cells without floats, or with floats when tolerance makes no difference
 *   strip   vectors of complex numbers, in the order of their shadows on a slanting line:
 *           what equals y within ⎕CT casts its shadow near that of y
 *   search  the definition itself: few things to find; cells and items that hold floats
 *           some of which are equal only within ⎕CT, and too deep ones
 *
 * Tolerant equality is not transitive, so ∪ looks whether the first equal cell was itself
 * kept, and only if somewhere it was not goes by the definition. */
#include "complex.h"
#include "order.h"
#include "axis.h"
#include "../base/mem.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../array/match.h"

#include <math.h>
#include <string.h>

enum { FEW = 4 }; /* no more than this is searched for one by one */

typedef struct cells {
  prim_env *e;
  const arr *x, *y;
  int64_t nx, ny, size; /* cells, and elements in one */
  double ct;
  int64_t *to;
} cells;

/* ── equality and hashing of cells ──────────────────────────────────────────────────── */

static bool equal_at(const arr *a, int64_t i, const arr *b, int64_t j, double ct) {
  if (a->type == ET_NEST) return arr_match(arr_item(a, i), arr_item(b, j), ct);
  if (elt_is_char((elt)a->type)) return arr_get_int(a, i) == arr_get_int(b, j);
  return arr_num_equal_at(a, i, b, j, ct);
}

/* Has the user asked to stop? Looked at once in a while. */
static bool stopped(ctx *c, int64_t i) {
  return (i & 0xFFFFF) == 0xFFFFF && interrupted(c);
}

static bool equal_cells(const cells *s, int64_t i, const arr *b, int64_t j) {
  for (int64_t k = 0; k < s->size; k++)
    if (!equal_at(s->x, i * s->size + k, b, j * s->size + k, s->ct)) return false;
  return true;
}

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 32;
}

/* A number's hash depends on its value alone, not on its type. */
static uint64_t hash_number(uint64_t h, const arr *a, int64_t i) {
  if (!elt_is_float((elt)a->type)) return mix(h, (uint64_t)arr_get_int(a, i));
  double v = arr_get_float(a, i);
  if (v >= -0x1p63 && v < 0x1p63 && v == rint(v)) return mix(h, (uint64_t)(int64_t)v);
  return mix(h, sort_key_float(v));
}

static uint64_t hash_array(uint64_t h, const arr *a) {
  for (;;) {
    int64_t last = a->count - 1;
    h = mix(h, a->rank);
    for (int k = 0; k < a->rank; k++) h = mix(h, (uint64_t)a->shape[k]);
    if (!a->count) return h;
    if (a->type != ET_NEST) {
      for (int64_t i = 0; i <= last; i++) h = hash_number(h, a, i);
      return h;
    }
    for (int64_t i = 0; i < last; i++) h = hash_array(h, arr_item(a, i));
    a = arr_item(a, last);
  }
}

static uint64_t hash_cell(const arr *a, int64_t i, int64_t size) {
  uint64_t h = 0;
  for (int64_t k = i * size; k < (i + 1) * size; k++)
    h = a->type == ET_NEST ? hash_array(h, arr_item(a, k)) : hash_number(h, a, k);
  return mix(h, h >> 29);
}

/* ── five ways ──────────────────────────────────────────────────────────────────────── */

static bool by_search(cells *s) {
  for (int64_t j = 0; j < s->ny; j++) {
    int64_t i = 0;
    if (interrupted(s->e->c)) return false;
    while (i < s->nx && !equal_cells(s, i, s->y, j))
      if (stopped(s->e->c, i++)) return false;
    s->to[j] = i;
  }
  return true;
}

static bool by_table(cells *s, int64_t lo, int64_t hi) {
  size_t n = (size_t)(hi - lo) + 1;
  int64_t *first = mem_alloc(s->e->c, n * sizeof *first);
  if (!first) return false;
  for (size_t i = 0; i < n; i++) first[i] = s->nx;
  for (int64_t i = s->nx - 1; i >= 0 && !stopped(s->e->c, i); i--)
    first[arr_get_int(s->x, i) - lo] = i;
  for (int64_t j = 0; j < s->ny && !err_is(s->e->c) && !stopped(s->e->c, j); j++) {
    int64_t v = arr_get_int(s->y, j);
    s->to[j] = v < lo || v > hi ? s->nx : first[v - lo];
  }
  mem_free(s->e->c, first);
  return !err_is(s->e->c);
}

static bool by_hash(cells *s) {
  int bits = 3;
  while (bits < 62 && (1ll << bits) < s->nx * 2) bits++;
  if (bits > 58) return err_set(s->e->c, ERR_WS_FULL, "%lld cells", (long long)s->nx);
  uint64_t mask = (1ull << bits) - 1;
  int64_t *slot = mem_alloc(s->e->c, (size_t)(mask + 1) * sizeof *slot);
  if (!slot) return false;
  memset(slot, -1, (size_t)(mask + 1) * sizeof *slot);
  for (int64_t i = 0; i < s->nx && !stopped(s->e->c, i); i++) {
    uint64_t h = hash_cell(s->x, i, s->size) & mask;
    while (slot[h] >= 0 && !equal_cells(s, slot[h], s->x, i)) h = (h + 1) & mask;
    if (slot[h] < 0) slot[h] = i;
  }
  for (int64_t j = 0; j < s->ny && !err_is(s->e->c) && !stopped(s->e->c, j); j++) {
    uint64_t h = hash_cell(s->y, j, s->size) & mask;
    while (slot[h] >= 0 && !equal_cells(s, slot[h], s->y, j)) h = (h + 1) & mask;
    s->to[j] = slot[h] < 0 ? s->nx : slot[h];
  }
  mem_free(s->e->c, slot);
  return !err_is(s->e->c);
}

static bool is_whole(const arr *a) {
  return elt_is_int((elt)a->type) || elt_is_char((elt)a->type);
}

/* The elements of a in order, with their positions, earlier ones first; NULL when memory is
 * out. As integers if `whole`, else as floats. */
static sort_item *sorted(ctx *c, const arr *a, bool whole) {
  int64_t n = a->count;
  if ((uint64_t)n > SIZE_MAX / 64)
    return err_set(c, ERR_WS_FULL, "%lld cells", (long long)n), NULL;
  sort_item *item = mem_alloc(c, (size_t)n * sizeof *item);
  sort_item *spare = item ? mem_alloc(c, (size_t)n * sizeof *spare) : NULL;
  if (!spare) {
    mem_free(c, item);
    return NULL;
  }
  for (int64_t i = 0; i < n; i++) {
    uint64_t key =
        whole ? sort_key_int(arr_get_int(a, i)) : sort_key_float(arr_get_float(a, i));
    item[i] = (sort_item){key, i};
  }
  sort_items(item, spare, n);
  mem_free(c, spare);
  return item;
}

/* Leaves one item for each value, that of its first position. */
static int64_t distinct(sort_item *item, int64_t n) {
  int64_t m = 0;
  for (int64_t i = 0; i < n; i++)
    if (!m || item[i].key != item[m - 1].key) item[m++] = item[i];
  return m;
}

static bool within(const cells *s, int64_t i, double v) {
  return num_equal(arr_get_float(s->x, i), v, s->ct);
}

/* The first position in x of what equals v within ct, given that the distinct values
 * x[0..lo) are below v and the others are not. */
static int64_t first_within(const cells *s, const sort_item *x, int64_t n, int64_t lo,
                            double v) {
  int64_t best = s->nx;
  for (int64_t i = lo; i < n && within(s, x[i].at, v); i++)
    if (x[i].at < best) best = x[i].at;
  for (int64_t i = lo - 1; i >= 0 && within(s, x[i].at, v); i--)
    if (x[i].at < best) best = x[i].at;
  return best;
}

/* Vectors: the values of both in order, side by side. */
static bool by_sorting(cells *s) {
  ctx *c = s->e->c;
  bool whole = is_whole(s->x) && is_whole(s->y);
  sort_item *y = sorted(c, s->y, whole);
  sort_item *x = y && s->x != s->y ? sorted(c, s->x, whole) : y;
  if (x == y && y && (x = mem_alloc(c, (size_t)s->nx * sizeof *x)))
    memcpy(x, y, (size_t)s->nx * sizeof *x);
  int64_t n = x ? distinct(x, s->nx) : 0, lo = 0;
  for (int64_t j = 0; x && j < s->ny; j++) {
    while (lo < n && x[lo].key < y[j].key) lo++;
    int64_t *to = s->to + y[j].at;
    if (whole) *to = lo < n && x[lo].key == y[j].key ? x[lo].at : s->nx;
    else *to = first_within(s, x, n, lo, arr_get_float(s->y, y[j].at));
  }
  mem_free(c, x);
  mem_free(c, y);
  return x != NULL;
}

/* The distance from the origin along a line that no pattern of numbers is likely to follow, so
 * that few shadows coincide. */
static double shadow(cx z) {
  return z.re * 0.5403023058681398 + z.im * 0.8414709848078965;
}

/* x in the order of shadows, equal neighbours once. */
static sort_item *in_shadow(cells *s, int64_t *n) {
  arr *dark = arr_vec(s->e->c, ET_F64, s->nx);
  for (int64_t i = 0; dark && i < s->nx; i++)
    arr_put_float(dark, i, shadow(cx_at(s->x, i)));
  sort_item *x = dark ? sorted(s->e->c, dark, false) : NULL;
  arr_release(dark);
  *n = 0;
  for (int64_t i = 0; x && i < s->nx; i++)
    if (!*n || !arr_num_equal_at(s->x, x[i].at, s->x, x[*n - 1].at, 0)) x[(*n)++] = x[i];
  return x;
}

/* The width covers ⎕CT and the shadows' rounding; of what is no number there is none, and all
 * of x is looked at. */
static bool by_strip(cells *s) {
  int64_t n;
  sort_item *x = in_shadow(s, &n);
  for (int64_t j = 0; x && j < s->ny; j++) {
    cx v = cx_at(s->y, j);
    double at = shadow(v), width = (2 * s->ct + 0x1p-48) * (fabs(v.re) + fabs(v.im));
    bool number = isfinite(at) && isfinite(width);
    uint64_t from = number ? sort_key_float(at - width) : 0;
    uint64_t to = number ? sort_key_float(at + width) : UINT64_MAX;
    int64_t lo = 0, hi = n;
    while (lo < hi) {
      int64_t mid = lo + (hi - lo) / 2;
      if (x[mid].key < from) lo = mid + 1;
      else hi = mid;
    }
    s->to[j] = s->nx;
    for (; lo < n && x[lo].key <= to; lo++)
      if (x[lo].at < s->to[j] && equal_cells(s, x[lo].at, s->y, j)) s->to[j] = x[lo].at;
    if (j % 4096 == 4095 && interrupted(s->e->c)) break;
  }
  mem_free(s->e->c, x);
  return x && !err_is(s->e->c);
}

/* ── which way ──────────────────────────────────────────────────────────────────────── */

static bool has_float(const arr *a, int depth) {
  while (a->type == ET_NEST && a->count) {
    if (depth > ARR_MAX_DEPTH) return true; /* hashing would go as deep: search instead */
    for (int64_t i = 0; i < a->count - 1; i++)
      if (has_float(arr_item(a, i), depth + 1)) return true;
    a = arr_item(a, a->count - 1);
  }
  return a->type != ET_NEST && a->count &&
         (elt_is_float((elt)a->type) || a->type == ET_C128);
}

/* 1 if two different values of x and y are equal within ct; -1 when memory is out. */
static int tolerance_matters(cells *s) {
  int64_t nx = s->x->count, n = nx + s->y->count;
  arr *all = arr_vec(s->e->c, ET_F64, n);
  if (!all) return -1;
  arr_copy(all, 0, s->x, 0, nx);
  arr_copy(all, nx, s->y, 0, s->y->count);
  sort_item *item = sorted(s->e->c, all, false);
  int yes = item ? 0 : -1;
  n = item ? distinct(item, n) : 0;
  for (int64_t i = 1; i < n && !yes; i++)
    yes = num_equal(arr_get_float(all, item[i - 1].at), arr_get_float(all, item[i].at),
                    s->ct);
  mem_free(s->e->c, item);
  arr_release(all);
  return yes;
}

static bool range_of(const arr *a, int64_t *lo, int64_t *hi) {
  *lo = INT64_MAX, *hi = INT64_MIN;
  for (int64_t i = 0; i < a->count; i++) {
    int64_t v = arr_get_int(a, i);
    if (v < *lo) *lo = v;
    if (v > *hi) *hi = v;
  }
  return (uint64_t)*hi - (uint64_t)*lo < 65536u + 4u * (uint64_t)a->count;
}

static bool look_simple(cells *s) {
  int64_t lo, hi;
  bool whole = is_whole(s->x) && is_whole(s->y);
  if (s->x->type == ET_F32 && s->y->type == ET_F32) s->ct = 0;
  bool complex = s->x->type == ET_C128 || s->y->type == ET_C128;
  if (s->size == 1 && s->ny <= FEW) return by_search(s);
  if (complex) return s->size == 1 ? by_strip(s) : by_search(s);
  if (s->size == 1)
    return whole && range_of(s->x, &lo, &hi) ? by_table(s, lo, hi) : by_sorting(s);
  int matters = !whole && s->ct > 0 ? tolerance_matters(s) : 0;
  return matters < 0 ? false : matters ? by_search(s) : by_hash(s);
}

/* x or y is nested: both are made so. */
static bool look_nested(cells *s) {
  ctx *c = s->e->c;
  arr *x = arr_convert(c, (arr *)(uintptr_t)s->x, ET_NEST);
  arr *y = x ? arr_convert(c, (arr *)(uintptr_t)s->y, ET_NEST) : NULL;
  bool ok = false;
  if (y) {
    s->x = x;
    s->y = y;
    ok = has_float(x, 0) || has_float(y, 0) ? by_search(s) : by_hash(s);
  }
  arr_release(x);
  arr_release(y);
  return ok;
}

/* Cells of y (of x's major cells' shape); false after RANK or LENGTH ERROR. */
static bool cells_of(prim_env *e, const arr *x, const arr *y, cells *s, int *rank) {
  if (!x->rank) return err_set(e->c, ERR_RANK, "a scalar has no major cells");
  *s =
      (cells){.e = e, .x = x, .y = y, .nx = x->shape[0], .ny = 1, .size = 1, .ct = e->ct};
  *rank = y->rank - (x->rank - 1);
  if (*rank < 0)
    return err_set(e->c, ERR_RANK, "rank %d has no cells of rank %d", y->rank,
                   x->rank - 1);
  for (int k = 1; k < x->rank; k++) {
    if (x->shape[k] != y->shape[*rank + k - 1])
      return err_set(e->c, ERR_LENGTH, "the cells of the arguments differ in shape");
    s->size = s->size && x->shape[k] ? s->size * x->shape[k] : 0;
  }
  for (int k = 0; k < *rank; k++) s->ny = s->ny && y->shape[k] ? s->ny * y->shape[k] : 0;
  return true;
}

static bool look(cells *s) {
  bool text = elt_is_char((elt)s->x->type), mixed = text != elt_is_char((elt)s->y->type);
  bool nested = s->x->type == ET_NEST || s->y->type == ET_NEST;
  if (!s->nx || !s->size || (!nested && mixed)) { /* nothing, or nothing to compare */
    for (int64_t j = 0; j < s->ny; j++) s->to[j] = s->size ? s->nx : 0;
    return true;
  }
  return nested ? look_nested(s) : look_simple(s);
}

bool prim_lookup(prim_env *e, const arr *x, const arr *y, int64_t *to) {
  cells s;
  int rank;
  if (!cells_of(e, x, y, &s, &rank)) return false;
  s.to = to;
  return look(&s);
}

/* prim_lookup into memory of its own, which the caller frees. */
static int64_t *positions(prim_env *e, const arr *x, const arr *y, int64_t *n,
                          int *rank) {
  cells s;
  if (!cells_of(e, x, y, &s, rank)) return NULL;
  *n = s.ny;
  if ((uint64_t)s.ny > SIZE_MAX / 64)
    return err_set(e->c, ERR_WS_FULL, "%lld cells", (long long)s.ny), NULL;
  s.to = mem_alloc(e->c, (size_t)s.ny * sizeof *s.to);
  if (s.to && look(&s)) return s.to;
  mem_free(e->c, s.to);
  return NULL;
}

/* ── ⍳ ∊ ───────────────────────────────────────────────────────────────────────────── */

arr *prim_index_of(prim_env *e, arr *x, arr *y) {
  int64_t n = 0;
  int rank = 0;
  int64_t *at = positions(e, x, y, &n, &rank);
  arr *r = at ? arr_new(e->c, elt_for_range(e->io, x->shape[0] + e->io), rank, y->shape)
              : NULL;
  for (int64_t j = 0; r && j < n; j++) arr_put_int(r, j, at[j] + e->io);
  if (r) arr_set_range(r, e->io, x->shape[0] + e->io);
  mem_free(e->c, at);
  return r;
}

arr *prim_member(prim_env *e, arr *x, arr *y) {
  int64_t n = 0;
  int rank = 0;
  arr *in = prim_ravel(e, y), *r = NULL;
  int64_t *at = in ? positions(e, in, x, &n, &rank) : NULL;
  if (at) r = arr_new(e->c, ET_BIT, x->rank, x->shape);
  if (r && n) memset(r->host, 0, elt_bytes(ET_BIT, n));
  for (int64_t j = 0; r && j < n; j++)
    if (at[j] < in->count) arr_put_int(r, j, 1);
  mem_free(e->c, at);
  arr_release(in);
  return r;
}

/* ── ∪ ≠ ∩ ~ ───────────────────────────────────────────────────────────────────────── */

/* ≠y by the definition: a cell is new if no cell that was new before equals it. */
static bool mask_by_search(prim_env *e, const arr *y, arr *mask, int64_t *kept) {
  cells s;
  int rank;
  int64_t n = 0;
  if (!cells_of(e, y, y, &s, &rank)) return false;
  if (y->type == ET_F32) s.ct = 0;
  for (int64_t j = 0; j < s.nx; j++) {
    bool new = true;
    if (interrupted(e->c)) return false;
    for (int64_t i = 0; i < n && new; i++) new = !equal_cells(&s, kept[i], y, j);
    arr_put_int(mask, j, new);
    if (new) kept[n++] = j;
  }
  return true;
}

arr *prim_unique_mask(prim_env *e, arr *y) {
  int64_t n = 1;
  int rank = 0;
  bool plain = true, ok = true;
  arr *v = y->rank ? arr_retain(y) : prim_ravel(e, y);
  int64_t *at = v ? positions(e, v, v, &n, &rank) : NULL;
  arr *r = at ? arr_vec(e->c, ET_BIT, n) : NULL;
  for (int64_t j = 0; r && j < n; j++) {
    arr_put_int(r, j, at[j] == j);
    if (at[at[j]] != at[j]) plain = false;
  }
  if (r && !plain) ok = mask_by_search(e, v, r, at);
  mem_free(e->c, at);
  arr_release(v);
  if (ok) return r;
  arr_release(r);
  return NULL;
}

arr *prim_unique(prim_env *e, arr *y) {
  arr *mask = prim_unique_mask(e, y);
  arr *r = mask ? prim_replicate(e, mask, y, 0) : NULL;
  arr_release(mask);
  return r;
}

static bool is_list(prim_env *e, const arr *a) {
  return a->rank <= 1 ||
         err_set(e->c, ERR_RANK, "the argument must be a scalar or a vector");
}

/* The elements of x that are in y, or that are not. */
static arr *sieve(prim_env *e, arr *x, arr *y, bool in) {
  if (!is_list(e, x)) return NULL;
  arr *m = prim_member(e, x, y);
  for (int64_t i = 0; m && !in && i < m->count; i++)
    arr_put_int(m, i, !arr_get_int(m, i));
  arr *r = m ? prim_replicate(e, m, x, 0) : NULL;
  arr_release(m);
  return r;
}

arr *prim_without(prim_env *e, arr *x, arr *y) { return sieve(e, x, y, false); }

arr *prim_intersection(prim_env *e, arr *x, arr *y) {
  return is_list(e, y) ? sieve(e, x, y, true) : NULL;
}

arr *prim_union(prim_env *e, arr *x, arr *y) {
  if (!is_list(e, x)) return NULL;
  arr *more = sieve(e, y, x, false), *list = more ? prim_ravel(e, x) : NULL;
  arr *r = list ? prim_catenate(e, list, more) : NULL;
  arr_release(list);
  arr_release(more);
  return r;
}

/* ── ⍷ ─────────────────────────────────────────────────────────────────────────────── */

/* Does the box of x's shape that begins at position `pos` of y hold x? */
static bool box_equal(const prim_env *e, const arr *x, const int64_t *n, const arr *y,
                      const int64_t *ys, int64_t pos) {
  int64_t at[ARR_MAX_RANK] = {0};
  double ct = x->type == ET_F32 && y->type == ET_F32 ? 0 : e->ct;
  for (int64_t i = 0; i < x->count; i++) {
    if (!equal_at(x, i, y, pos, ct)) return false;
    for (int k = y->rank - 1; k >= 0; k--) {
      pos += ys[k];
      if (++at[k] < n[k]) break;
      pos -= ys[k] * n[k];
      at[k] = 0;
    }
  }
  return true;
}

static bool find_boxes(prim_env *e, const arr *x, const arr *y, arr *r) {
  int64_t n[ARR_MAX_RANK], ys[ARR_MAX_RANK], at[ARR_MAX_RANK] = {0};
  int lead = y->rank - x->rank;
  for (int k = 0; k < y->rank; k++) n[k] = k < lead ? 1 : x->shape[k - lead];
  strides_of(y->rank, y->shape, ys);
  for (int64_t pos = 0; pos < y->count; pos++) {
    bool fits = true;
    if (!(pos & 4095) && interrupted(e->c)) return false;
    for (int k = 0; k < y->rank && fits; k++) fits = at[k] + n[k] <= y->shape[k];
    if (fits && box_equal(e, x, n, y, ys, pos)) arr_put_int(r, pos, 1);
    for (int k = y->rank - 1; k >= 0 && ++at[k] == y->shape[k]; k--) at[k] = 0;
  }
  return true;
}

arr *prim_find(prim_env *e, arr *x, arr *y) {
  arr *a = NULL, *b = NULL, *r = arr_new(e->c, ET_BIT, y->rank, y->shape);
  bool nested = x->type == ET_NEST || y->type == ET_NEST;
  bool never =
      x->rank > y->rank ||
      (!nested && x->count && elt_is_char((elt)x->type) != elt_is_char((elt)y->type));
  if (!r || !r->count) return r;
  memset(r->host, 0, elt_bytes(ET_BIT, r->count));
  if (never) return r;
  a = nested ? arr_convert(e->c, x, ET_NEST) : arr_retain(x);
  b = a && nested ? arr_convert(e->c, y, ET_NEST) : arr_retain(y);
  bool ok = a && b && find_boxes(e, a, b, r);
  arr_release(a);
  arr_release(b);
  if (ok) return r;
  arr_release(r);
  return NULL;
}
