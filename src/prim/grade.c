/* SPDX-License-Identifier: MIT */
/* grade.c - ⍋ ⍒ (plain and collated).
 *
 * The elements of a simple vector are sorted by counting (counted.c) or radix (sort_keys.c), cells and items of
 * characters or whole numbers by the radix of their first ones. Everything else (floats in rows, nested
 * items, complex numbers) is merged by the total order of arrays (compare.c). */
#include "../tables/fast.h"
#include "sort_keys.h"
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/hash.h"
#include "../base/mem.h"
#include "../array/element.h"

#include <string.h>

/* ── ⍋ ⍒ ───────────────────────────────────────────────────────────────────────────── */

/* The major cells of y, and their positions in the order so far. */
typedef struct grader {
  cell_pair cells; /* y twice */
  bool down;
  sort_list list;
} grader;
#define OWNED_GRADER __attribute__((cleanup(grader_free)))

static void grader_free(grader *g) { sort_free(&g->list); }

static bool grader_new(prim_env *e, const arr *y, bool down, grader *g) {
  if (!y->rank) return err_set(e->c, ERR_RANK, "a scalar cannot be graded");
  g->down = down;
  g->cells = (cell_pair){y, y, arr_product(y->rank - 1, y->shape + 1), false};
  return sort_new(e->c, y->shape[0], &g->list);
}

static bool precedes(grader *g, int64_t i, int64_t j) { /* strictly */
  int c = compare_cells(&g->cells, i, j);
  if (g->down) return c > 0;
  return c < 0;
}

/* Merge sort of a[0..n) by the total order; b is spare room. False after INTERRUPT. */
static bool merge_sort(grader *g, sort_item *a, sort_item *b, int64_t n) {
  enum { LOOK = 256 }; /* a comparison may be long */
  if (n < 2) return true;
  if (n >= LOOK && interrupted(g->list.c)) return false;
  int64_t m = n / 2, i = 0, j = m;
  if (!merge_sort(g, a, b, m) || !merge_sort(g, a + m, b, n - m)) return false;
  if (!precedes(g, a[m].at, a[m - 1].at)) return true;
  memcpy(b, a, (size_t)m * sizeof *a);
  for (int64_t k = 0; i < m; k++) {
    if (k % LOOK == LOOK - 1 && interrupted(g->list.c)) return false;
    if (j < n && precedes(g, a[j].at, b[i].at)) a[k] = a[j++];
    else a[k] = b[i++];
  }
  return true;
}

static bool merge_positions(grader *g) {
  return merge_sort(g, g->list.item, g->list.spare, g->list.n);
}

/* ── cells by their first elements ── */

/* A key of texts of 8 bits has 7 characters; their count is the lowest byte. A key of other characters
 * or whole numbers has as many as fit 63 bits, each as its distance from the least one, from 1 on, for 0
 * is none; the lowest bit says whether there are more. A key of floats has the first one, or 0. */
enum { TEXT_KEY = 7, KEY_BITS = 63, FLOAT_BITS = 64, NO_KEYS = -1 };
typedef struct key_form {
  int64_t length; /* of the longest cells that keys tell apart; NO_KEYS */
  int bits;       /* of an element; 0: texts of 8 bits; FLOAT_BITS */
  int64_t least;
} key_form;

typedef struct cell { /* elements of a simple array */
  const arr *of;
  int64_t from, n;
} cell;

/* Major cell i, or the item that it is. */
static cell cell_of(const grader *g, int64_t i) {
  const arr *y = g->cells.x, *item = y;
  if (y->type == ET_NEST) item = arr_item(y, i);
  else return (cell){y, i * g->cells.size, g->cells.size};
  return (cell){item, 0, item->count};
}

static int64_t text_key(cell c) {
  uint64_t n = (uint64_t)min_i64(c.n, TEXT_KEY + 1);
  uint64_t first = few_bytes(c.of->host, n > TEXT_KEY ? TEXT_KEY : n);
  return (int64_t)((__builtin_bswap64(first) | n) ^ (uint64_t)1 << 63);
}

static int64_t key_of(const key_form *f, cell c) {
  int64_t v[KEY_BITS], n = min_i64(c.n, f->length);
  uint64_t key = 0, sign = (uint64_t)1 << 63;
  if (f->bits == FLOAT_BITS)
    return (int64_t)((c.n ? sort_key_float(arr_get_float(c.of, c.from)) : 0) ^ sign);
  sc_load(c.of, c.from, 1, n, SC_I64, v);
  for (int64_t k = 0; k < f->length; k++)
    key = key << f->bits | (k < n ? (uint64_t)v[k] - (uint64_t)f->least + 1 : 0);
  return (int64_t)((key << 1 | (c.n > n)) ^ sign);
}

static key_form form_of_range(int64_t least, int64_t most) {
  uint64_t apart = (uint64_t)most - (uint64_t)least;
  if (least > most || apart >> (KEY_BITS - 1)) return (key_form){NO_KEYS, 0, 0};
  int bits = 64 - __builtin_clzll(apart + 1);
  return (key_form){KEY_BITS / bits, bits, least};
}

/* The form of keys for items that are vectors, all of characters, of whole numbers or of floats. */
static key_form form_of_items(ctx *c, const arr *y) {
  bool text = elt_is_char((elt)arr_item(y, 0)->type), whole = true, floats = true;
  int64_t least = INT64_MAX, most = INT64_MIN, lo, hi;
  for (int64_t i = 0; i < y->count; i++) {
    const arr *item = arr_item(y, i);
    whole = whole && sort_is_whole(item);
    floats = floats && (item->type <= ET_I32 || elt_is_float((elt)item->type));
    if ((!whole && !floats) || item->rank != 1 || stops_at(c, i))
      return (key_form){NO_KEYS, 0, 0};
    if (text != elt_is_char((elt)item->type)) return (key_form){NO_KEYS, 0, 0};
  }
  if (!whole) return (key_form){.bits = FLOAT_BITS};
  for (int64_t i = 0; i < y->count; i++) {
    if (stops_at(c, i)) return (key_form){NO_KEYS, 0, 0};
    if (!arr_item(y, i)->count) continue;
    sc_bounds(arr_item(y, i), &lo, &hi);
    least = min_i64(least, lo);
    most = max_i64(most, hi);
  }
  return form_of_range(least, most);
}

static key_form key_form_of(ctx *c, const grader *g) {
  const arr *y = g->cells.x;
  int64_t least, most;
  if (y->type == ET_NEST && y->rank == 1) return form_of_items(c, y);
  if (elt_is_float((elt)y->type)) return (key_form){.bits = FLOAT_BITS};
  if (!sort_is_whole(y) || !y->count) return (key_form){NO_KEYS, 0, 0};
  sc_bounds(y, &least, &most);
  return form_of_range(least, most);
}

/* Longer cells with one key are put in order by the rest. */
static bool order_alike(grader *g, int64_t length) {
  sort_item *item = g->list.item;
  sort_item *spare = mem_alloc(g->list.c, (size_t)g->list.n * sizeof *spare);
  bool ok = spare;
  for (int64_t i = 0, end; ok && i < g->list.n; i = end) {
    for (end = i + 1; end < g->list.n && item[end].key == item[i].key; end++) {}
    bool longer = cell_of(g, item[i].at).n > length;
    ok = !stops_at(g->list.c, i) && (!longer || merge_sort(g, item + i, spare, end - i));
  }
  mem_free(g->list.c, spare);
  return ok;
}

static bool is_text_of_bytes(const grader *g, int64_t i) {
  const arr *y = g->cells.x, *item = y->type == ET_NEST ? arr_item(y, i) : y;
  return y->type == ET_NEST && y->rank == 1 && item->type == ET_C8 && item->rank == 1;
}

/* *served is false, with no error, if there are no keys. */
static bool try_order_by_keys(ctx *c, grader *g, bool *served) {
  bool longer = false;
  key_form f = {.length = TEXT_KEY};
  OWNED arr *keys = arr_vec(c, ET_I64, g->list.n);
  int64_t *key = keys ? keys->host : NULL;
  for (int64_t i = 0; keys && i < g->list.n; i++) {
    if (!f.bits && !is_text_of_bytes(g, i)) { /* again from the first cell on */
      f = key_form_of(c, g);
      if (f.length == NO_KEYS) return !err_is(c);
      longer = false;
      i = 0;
    }
    cell of = cell_of(g, i);
    if (stops_at(c, i)) return false;
    longer |= of.n > f.length;
    key[i] = f.bits ? key_of(&f, of) : text_key(of);
  }
  *served = true;
  if (!keys || !sort_elements(&g->list, keys, true, g->down)) return false;
  return !longer || order_alike(g, f.length);
}

static bool order_cells(ctx *c, grader *g) {
  enum { FEW = 8 }; /* but for texts, whose keys are soon made */
  bool served = false,
       keys = g->list.n > 2 && (g->list.n > FEW || is_text_of_bytes(g, 0));
  if (keys && !try_order_by_keys(c, g, &served)) return false;
  return served || (sort_positions(&g->list) && merge_positions(g));
}

arr *sort_no_order(prim_env *e, undecided why) {
  if (interrupted(e->c)) return NULL;
  if (why == TOO_DEEP && stack_error(e->c)) return NULL;
  return fail(e, ERR_DOMAIN, "namespaces have no order");
}

/* The positions, from ⎕IO. */
static arr *grade_of(prim_env *e, const grader *g) {
  if (g->cells.why) return sort_no_order(e, g->cells.why);
  int64_t n = g->list.n, last = n - 1 + e->io;
  if (!n) return arr_vec(e->c, ET_BIT, 0);
  OWNED arr *r = arr_vec(e->c, elt_for_range(e->io, last), n);
  if (!r) return NULL;
  int64_t at[SC_BLOCK];
  const sort_item *item = g->list.item;
  for (int64_t i = 0; i < n; i += SC_BLOCK) {
    int64_t m = min_i64(n - i, SC_BLOCK);
    if (stops_at(e->c, i)) return NULL;
    for (int64_t k = 0; k < m; k++) at[k] = item[i + k].at;
    sc_put_ints(r, i, m, at, e->io);
  }
  arr_set_range(r, e->io, last);
  return arr_move(&r);
}

/* The same for a few numbers or characters, three or more, whose positions are no
 * truth values. */
static arr *grade_few(prim_env *e, const arr *y, bool down) {
  uint64_t key[SC_RANKED];
  uint8_t rank[SC_RANKED];
  int16_t at[SC_RANKED];
  int64_t n = y->count;
  sort_keys(y, 0, n, sort_is_whole(y), key);
  for (int64_t i = 0; down && i < n; i++) key[i] = ~key[i];
  sc_block()->ranks(key, n, rank);
  for (int64_t i = 0; i < n; i++) at[rank[i]] = (int16_t)(i + e->io);
  arr *r = arr_vec(e->c, elt_for_range(e->io, n - 1 + e->io), n);
  if (!r) return NULL;
  sc_block()->store(SC_I16, at, n, (elt)r->type, r->host);
  arr_set_range(r, e->io, n - 1 + e->io);
  return r;
}

static arr *grade(prim_env *e, arr *y, bool down) {
  enum { RANKED_FIRST = 40 }; /* with more, counting a small range takes less time */
  enum { FEW_TRUTHS = 64 };   /* which counting serves as well */
  bool few = y->rank == 1 && y->count > 2 && y->count <= SC_RANKED && sort_has_keys(y);
  if (few && y->count <= RANKED_FIRST) return grade_few(e, y, down);
  if (y->rank == 1 && y->type == ET_BIT && y->count > FEW_TRUTHS)
    return order_of_truths(e, y, down);
  if (y->rank == 1 && y->count > 2 && sort_is_whole(y)) {
    arr *r = NULL;
#define FAST_GRADE(way) FAST_FIRST(r, e->c, way(e, y, down))
#include "../tables/fast.def"
    if (!r && !err_is(e->c)) r = sort_places(e->c, y, down, e->io);
    if (r || err_is(e->c)) return r;
  }
  if (few) return grade_few(e, y, down);
  OWNED_GRADER grader g = {0};
  if (!grader_new(e, y, down, &g)) return NULL;
  if (y->rank == 1 && sort_has_keys(y)) {
    if (!sort_elements(&g.list, y, sort_is_whole(y), down)) return NULL;
  } else if (!order_cells(e->c, &g)) return NULL;
  return grade_of(e, &g);
}

/* Complex numbers are in the order of rows of their two parts. */
static arr *grade_any(prim_env *e, arr *y, bool down) {
  if (y->type != ET_C128 || !y->rank || !y->count) return grade(e, y, down);
  const int64_t shape[2] = {y->shape[0], 2 * (y->count / y->shape[0])};
  OWNED arr *rows = arr_new(e->c, ET_F64, 2, shape);
  if (!rows) return NULL;
  memcpy(rows->host, y->host, elt_bytes(ET_C128, y->count));
  return grade(e, rows, down);
}

arr *prim_grade_up(prim_env *e, arr *y) { return grade_any(e, y, false); }
arr *prim_grade_down(prim_env *e, arr *y) { return grade_any(e, y, true); }

/* ── x⍋y: characters in the order of x ─────────────────────────────────────────────── */

enum { COMMON = 256 }; /* characters below are looked up, others are searched for */

/* An I64 array like y: the least coordinate along axis k of x where each character
 * stands. */
static arr *coordinates(prim_env *e, const arr *x, int k, const arr *y) {
  int64_t low[COMMON];
  split s = split_at(x, k);
  OWNED arr *r = arr_new(e->c, ET_I64, y->rank, y->shape);
  if (!r) return NULL;
  for (int c = 0; c < COMMON; c++) low[c] = INT64_MAX;
  for (int64_t i = 0; i < x->count; i++) {
    int64_t c = arr_get_int(x, i), at = i / s.inner % s.n;
    if (c < COMMON && at < low[c]) low[c] = at;
  }
  for (int64_t i = 0; i < y->count; i++) {
    int64_t c = arr_get_int(y, i), best = INT64_MAX;
    if (c < COMMON) best = low[c];
    for (int64_t j = 0; c >= COMMON && j < x->count; j++)
      if (arr_get_int(x, j) == c) best = min_i64(best, j / s.inner % s.n);
    ((int64_t *)r->host)[i] = best;
  }
  return arr_move(&r);
}

static bool are_characters(const arr *a) {
  return !a->count || elt_is_char((elt)a->type);
}

static arr *collate(prim_env *e, const arr *x, const arr *y, bool down) {
  OWNED_GRADER grader g = {0};
  if (!x->rank) return fail(e, ERR_RANK, "the left argument must not be a scalar");
  if (!are_characters(x) || !are_characters(y))
    return fail(e, ERR_DOMAIN, "both arguments must be characters");
  if (!grader_new(e, y, down, &g) || !sort_positions(&g.list)) return NULL;
  for (int k = 0; k < x->rank; k++) { /* the last axis weighs most */
    OWNED arr *at = coordinates(e, x, k, y);
    if (!at) return NULL;
    g.cells.x = g.cells.y = at;
    if (!merge_positions(&g)) return NULL;
  }
  return grade_of(e, &g);
}

arr *prim_collate_up(prim_env *e, arr *x, arr *y) { return collate(e, x, y, false); }
arr *prim_collate_down(prim_env *e, arr *x, arr *y) { return collate(e, x, y, true); }
