/* SPDX-License-Identifier: MIT */
/* interval.c - x⍸y: how many of x's cells, which ascend, are not above each cell of y?
 *
 * Vectors of numbers, or of characters, are searched by keys in the same order, in a tree whose
 * nodes are 16 neighbours: above them stand the last keys of each, and so on until they fit one node.
 * A block of keys goes down a level together, so that what they read is on its way for all of them.
 *
 *   nodes of 3:              20        7 → the first node, then its second, then its first
 *                    6 11 20 | …
 *      1 4 6 | 7 9 11 | 15 18 20 | …
 *
 * Other cells are searched for by halves, each by itself. */
#include "sort_keys.h"
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"

/* ── trees of keys ──────────────────────────────────────────────────────────────────── */

enum { LEVELS = 16 };

typedef struct tree {
  int64_t n,
      nodes[LEVELS];     /* keys; nodes of each level, the lowest of which has the keys */
  uint64_t *key[LEVELS]; /* padded by the greatest to whole nodes */
  int levels;
  arr *room;
} tree;

static void tree_free(tree *t) {
  if (t->room) arr_release(t->room);
}
#define OWNED_TREE __attribute__((cleanup(tree_free)))

/* Room for n keys, n > 0. */
static bool tree_new(ctx *c, int64_t n, tree *t) {
  int64_t all = 0, nodes = n;
  *t = (tree){.n = n};
  do {
    nodes = ceil_div(nodes, SC_NODE);
    t->nodes[t->levels++] = nodes;
    all += nodes * SC_NODE;
  } while (nodes > 1);
  t->room = arr_vec(c, ET_I64, all + SC_NODE);
  if (!t->room) return false;
  uintptr_t node = SC_NODE * sizeof(uint64_t), at = (uintptr_t)t->room->host;
  uint64_t *key = (uint64_t *)((at + node - 1) / node *
                               node); /* no node crosses a line of the cache */
  for (int k = 0; k < t->levels; k++) {
    t->key[k] = key;
    key += t->nodes[k] * SC_NODE;
  }
  return true;
}

/* The levels above the lowest one, whose keys are there. */
static void tree_build(tree *t) {
  int64_t n = t->n;
  for (int k = 0; k < t->levels; k++) {
    for (int64_t i = n; i < t->nodes[k] * SC_NODE; i++) t->key[k][i] = UINT64_MAX;
    n = t->nodes[k];
    if (k + 1 == t->levels) break;
    const uint64_t *last = t->key[k] + SC_NODE - 1;
    for (int64_t i = 0; i < n; i++) t->key[k + 1][i] = last[i * SC_NODE];
  }
}

/* How many of the tree's keys are not above each of m. */
static void tree_search(const tree *t, const uint64_t *key, int64_t m, int64_t *at) {
  for (int64_t i = 0; i < m; i++) at[i] = 0;
  for (int k = t->levels - 1; k >= 0; k--) {
    const uint64_t *next = k ? t->key[k - 1] : NULL;
    int64_t most = k ? t->nodes[k - 1] - 1 : t->n;
    sc_block()->descend(t->key[k], next, most, key, m, at);
  }
}

/* ── vectors ────────────────────────────────────────────────────────────────────────── */

typedef struct search {
  const tree *t;
  const arr *y;
  arr *r;
  bool whole;
  int io;
} search;

static void search_stretch(void *job, int64_t i, int64_t to) {
  const search *s = job;
  uint64_t key[SC_BLOCK];
  int64_t at[SC_BLOCK];
  for (int64_t m; i < to; i += m) {
    m = min_i64(to - i, SC_BLOCK);
    sort_keys(s->y, i, m, s->whole, key);
    tree_search(s->t, key, m, at);
    sc_put_ints(s->r, i, m, at, s->io - 1);
  }
}

/* The keys of x; does none come after a greater one? False after INTERRUPT. */
static bool enter_keys(ctx *c, const arr *x, bool whole, uint64_t *key, bool *ascend) {
  *ascend = true;
  for (int64_t i = 0; i < x->count; i += SC_BLOCK) {
    int64_t m = min_i64(x->count - i, SC_BLOCK), down = 0;
    if (stops_at(c, i)) return false;
    sort_keys(x, i, m, whole, key + i);
    for (int64_t k = i ? i : 1; k < i + m; k++) down |= key[k - 1] > key[k];
    if (down) *ascend = false;
  }
  return true;
}

static arr *not_ascending(prim_env *e) {
  return fail(e, ERR_DOMAIN, "the left argument must be in ascending order");
}

/* So few that a tree is not worth a look at all of x, which is known to ascend. */
static arr *interval_few(prim_env *e, const arr *x, const arr *y, bool whole, arr *r) {
  for (int64_t j = 0; j < r->count; j++) {
    int64_t lo = 0, hi = x->count; /* as in cells_up_to */
    uint64_t key, middle;
    if (stops_at(e->c, j)) return NULL;
    sort_keys(y, j, 1, whole, &key);
    while (lo < hi) {
      int64_t mid = lo + (hi - lo) / 2;
      sort_keys(x, mid, 1, whole, &middle);
      if (middle <= key) lo = mid + 1;
      else hi = mid;
    }
    sc_put_ints(r, j, 1, &lo, e->io - 1);
  }
  return arr_retain(r);
}

/* Whole numbers are compared with floats as floats; but that they ascend is told of themselves. */
static arr *interval_keys(prim_env *e, arr *x, const arr *y, arr *r) {
  enum { FEW = 256 }; /* a step of a search, in looks */
  bool own = sort_is_whole(x), whole = own && sort_is_whole(y), ascend = true;
  if (x->ascends && r->count <= x->count / FEW) return interval_few(e, x, y, whole, r);
  OWNED_TREE tree t = {.n = 0};
  if (x->count) {
    if (!tree_new(e->c, x->count, &t)) return NULL;
    if (!enter_keys(e->c, x, own, t.key[0], &ascend)) return NULL;
    if (!ascend) return not_ascending(e);
    x->ascends = true;
    if (own != whole && !enter_keys(e->c, x, whole, t.key[0], &ascend)) return NULL;
    tree_build(&t);
  }
  search job = {&t, y, r, whole, e->io};
  each_loop loop = {.n = r->count, .cell = 1, .steps = 8 * (t.levels + 1)};
  loop.task = search_stretch;
  loop.job = &job;
  return each_part(e->c, &loop) ? arr_retain(r) : NULL;
}

/* ── cells ──────────────────────────────────────────────────────────────────────────── */

/* How many of x's n cells are not above cell j of y. */
static int64_t cells_up_to(cell_pair *p, int64_t n, int64_t j) {
  int64_t lo = 0, hi = n; /* cells before lo are not above it, those from hi on are */
  while (lo < hi) {
    int64_t mid = lo + (hi - lo) / 2;
    if (compare_cells(p, mid, j) <= 0) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

arr *prim_interval(prim_env *e, arr *x, arr *y) {
  if (!x->rank) return fail(e, ERR_RANK, "the left argument must not be a scalar");
  int rank = y->rank - (x->rank - 1);
  if (rank < 0)
    return fail(e, ERR_RANK, "the right argument has no cells like the left one's");
  for (int k = 1; k < x->rank; k++)
    if (x->shape[k] != y->shape[rank + k - 1])
      return fail(e, ERR_LENGTH, "the cells of the arguments differ in shape");
  int64_t n = x->shape[0], size = arr_product(x->rank - 1, x->shape + 1);
  OWNED arr *r = arr_new(e->c, elt_for_range(e->io - 1, n - 1 + e->io), rank, y->shape);
  if (!r) return NULL;
  bool same = elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
  if (x->rank == 1 && same && sort_has_keys(x) && sort_has_keys(y))
    return interval_keys(e, x, y, r);
  cell_pair limits = {x, x, size, false}, p = {x, y, size, false};
  for (int64_t i = 1; i < n; i++) {
    if (stops_at(e->c, i)) return NULL;
    if (compare_cells(&limits, i - 1, i) > 0) return not_ascending(e);
  }
  for (int64_t j = 0; j < r->count; j++) {
    if (interrupted(e->c)) return NULL;
    int64_t at = cells_up_to(&p, n, j);
    sc_put_ints(r, j, 1, &at, e->io - 1);
  }
  if (limits.why) return sort_no_order(e, limits.why);
  if (p.why) return sort_no_order(e, p.why);
  return arr_move(&r);
}
