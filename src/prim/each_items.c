/* SPDX-License-Identifier: MIT */
/* each_items.c - f¨ of a primitive f over items that are at hand, where what it gives for one of them is
 * known from its header, or is read from its elements by a copy:
 *
 *   ≢¨y  x≡¨y  x≢¨y  ⊃¨y  k⊃¨y     numbers and elements: written into one array, with no array for
 *                                  each of them
 *   ⌽¨y  k⌽¨y  k↑¨y  k↓¨y  x,¨y    of simple vectors: pieces of one or two vectors, in vectors that
 *                                  share their blocks (arr_pool) */
#include "scalar.h"
#include "struct.h"
#include "../array/element.h"
#include "../array/match.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../tables/fast.h"

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

static arr *tallies(prim_env *e, const arr *y) {
  OWNED arr *r = arr_new(e->c, ET_I64, y->rank, y->shape);
  if (!r) return NULL;
  arr *const *item = y->host;
  int64_t *to = r->host;
  for (int64_t i = 0; i < y->count; i++) {
    if (stops_at(e->c, i)) return NULL;
    to[i] = item[i]->rank == 1 ? item[i]->count : arr_first_axis(item[i]);
  }
  return sc_narrow(e->c, arr_move(&r));
}

/* The item of a for result i: a single item is used for all. */
static const arr *item_for(const arr *a, int64_t i) {
  return arr_item(a, a->count == 1 ? 0 : i);
}

/* x≡¨y, or x≢¨y if not `wanted`. */
static arr *matches(prim_env *e, const arr *x, const arr *y, bool wanted,
                    const arr *like) {
  OWNED arr *r = arr_new(e->c, ET_BIT, like->rank, like->shape);
  bool same, all = true, none = true;
  if (!r) return NULL;
  uint64_t *to = r->host, word = 0;
  for (int64_t i = 0; i < r->count; i++) {
    if (interrupted(e->c)) return NULL;
    if (!arr_match_checked(e->c, item_for(x, i), item_for(y, i), e->ct, &same))
      return NULL;
    bool is = same == wanted;
    word |= (uint64_t)is << (i & 63);
    all &= is;
    none &= !is;
    if ((i & 63) < 63 && i + 1 < r->count) continue;
    to[i / 64] = word;
    word = 0;
  }
  arr_set_range(r, all, !none);
  return arr_move(&r);
}

enum { PIECE = 65536 }; /* items between looks at the user */

/* ── elements ───────────────────────────────────────────────────────────────────────── */

/* The type of the elements at place `at` of y's items, simple vectors of one type that all have one;
 * ET_NEST: they are something else. */
static elt type_at(const arr *y, int64_t at) {
  arr *const *item = y->host;
  uint8_t t = item[0]->type;
  if (t == ET_NEST || t == ET_C128) return ET_NEST;
  for (int64_t i = 0; i < y->count; i++)
    if (item[i]->type != t || item[i]->rank != 1 || item[i]->count <= at) return ET_NEST;
  return (elt)t;
}

#define GATHER(T)                                                                        \
  for (; i < end; i++) ((T *)r->host)[i] = ((const T *)item[i]->host)[at];

/* Element `at` of each of y's items from number i to that before `end`, which are of r's type; bits
 * join those that are there. */
static void gather(arr *r, const arr *y, int64_t at, int64_t i, int64_t end) {
  arr *const *item = y->host;
  switch (elt_bits((elt)r->type)) {
  case 8: GATHER(uint8_t) break;
  case 16: GATHER(uint16_t) break;
  case 32: GATHER(uint32_t) break;
  case 64: GATHER(uint64_t) break;
  default:
    for (; i < end; i++) bit_add(r->host, i, bit_at(item[i]->host, at));
  }
}

static arr *items_elements(prim_env *e, const arr *y, int64_t at) {
  elt t = type_at(y, at);
  if (t == ET_NEST) return NULL;
  OWNED arr *r = arr_new(e->c, t, y->rank, y->shape);
  if (!r) return NULL;
  if (t == ET_BIT) memset(r->host, 0, elt_bytes(t, r->count));
  for (int64_t i = 0; i < r->count; i += PIECE) {
    if (interrupted(e->c)) return NULL;
    gather(r, y, at, i, min_i64(i + PIECE, r->count));
  }
  if (elt_is_float(t)) return arr_move(&r);
  sc_bounds(r, &r->lo, &r->hi);
  r->has_range = true;
  return arr_move(&r);
}

/* ── vectors ────────────────────────────────────────────────────────────────────────── */

/* n elements of a simple array, from number `from` on. */
typedef struct piece {
  const arr *of;
  int64_t from, n;
  bool element; /* a scalar of its own, without flags or range */
} piece;

/* The parts of an item of the result: fills, both pieces, fills. */
typedef struct pieces {
  piece at[2];
  int64_t before, behind;
} pieces;

/* The moves of each item of y: its number is an element of k, its other argument x's item. */
typedef struct moves {
  prim f;
  const arr *x, *y, *k; /* x: of catenation; k: of the other ones, i64; NULL: none */
} moves;

enum { LONGEST = 4096 }; /* elements of an item, and fills */

/* Are all items simple vectors, short ones, of whole bytes? What is left of complex numbers may be
 * real ones. */
static bool are_short_vectors(const arr *y) {
  arr *const *item = y->host;
  for (int64_t i = 0; i < y->count; i++) {
    uint8_t t = item[i]->type;
    if (item[i]->rank != 1 || item[i]->count > LONGEST) return false;
    if (t == ET_NEST || t == ET_BIT || t == ET_C128) return false;
  }
  return true;
}

/* The argument of a catenation for result i: an item, or an element of a simple
 * argument. */
static piece joined_piece(const arr *a, int64_t i) {
  if (a->count == 1) i = 0;
  if (a->type != ET_NEST) return (piece){a, i, 1, true};
  const arr *item = arr_item(a, i);
  return (piece){item, 0, item->count, false};
}

static pieces taken(const arr *y, int64_t k) {
  pieces p = {.at = {{.of = y, .n = min_i64(k, y->count)}}};
  if (k >= 0) {
    p.behind = max_i64(k - y->count, 0);
    return p;
  }
  p.before = max_i64(-k - y->count, 0);
  p.at[0].n = min_i64(-k, y->count);
  p.at[0].from = y->count - p.at[0].n;
  return p;
}

static pieces dropped(const arr *y, int64_t k) {
  int64_t n = max_i64(y->count - max_i64(k, -k), 0);
  return (pieces){.at = {{.of = y, .from = k > 0 && n ? k : 0, .n = n}}};
}

static pieces rotated(const arr *y, int64_t k) {
  int64_t cut = k;
  if (cut >= y->count || cut <= -y->count) cut = y->count ? k % y->count : 0;
  if (cut < 0) cut += y->count;
  return (pieces){.at = {{y, cut, y->count - cut, false}, {.of = y, .n = cut}}};
}

static pieces pieces_of(const moves *m, int64_t i) {
  if (m->f == P_COMMA)
    return (pieces){.at = {joined_piece(m->x, i), joined_piece(m->y, i)}};
  const arr *y = arr_item(m->y, i);
  if (!m->k) return (pieces){.at = {{.of = y, .n = y->count}}};
  int64_t k = ((const int64_t *)m->k->host)[m->k->count == 1 ? 0 : i];
  if (m->f == P_TAKE) return taken(y, k);
  if (m->f == P_DROP) return dropped(y, k);
  return rotated(y, k);
}

/* r's elements from number `to` on become a piece, those of ⌽ in the other order. */
static void put_piece(arr *r, int64_t to, const piece *p, bool reversed) {
  size_t each = elt_bytes((elt)r->type, 1);
  char *at = (char *)r->host + (size_t)to * each;
  const char *from = (const char *)p->of->host + (size_t)p->from * each;
  if (!reversed) {
    mem_copy(at, from, (size_t)p->n * each);
  } else if (each == 1) {
    for (int64_t i = 0; i < p->n; i++) at[i] = from[p->n - 1 - i];
  } else {
    for (size_t i = 0, n = (size_t)p->n; i < n; i++)
      memcpy(at + i * each, from + (n - 1 - i) * each, each);
  }
}

/* n fill elements from number `to` on, which join r's range. */
static void put_fills(arr *r, int64_t to, int64_t n) {
  int fill = elt_is_char((elt)r->type) ? ' ' : 0;
  if (!n) return;
  r->lo = min_i64(r->lo, fill);
  r->hi = max_i64(r->hi, fill);
  if (r->type == ET_C16)
    for (int64_t i = to; i < to + n; i++) ((uint16_t *)r->host)[i] = ' ';
  else if (r->type == ET_C32)
    for (int64_t i = to; i < to + n; i++) ((uint32_t *)r->host)[i] = ' ';
  else
    memset((char *)r->host + elt_bytes((elt)r->type, to), fill,
           elt_bytes((elt)r->type, n));
}

/* r gets the flags and ranges of the arguments' elements. */
static void set_range_of(arr *r, const piece *x, const piece *y) {
  if (x->n && y->n && x->of != y->of) {
    if (!x->element && !y->element) arr_join_ranges(r, x->of, y->of);
    return;
  }
  const piece *from = !x->n && y->n ? y : x;
  if (!from->element && from->of->has_range) arr_set_range(r, from->of->lo, from->of->hi);
}

static arr *catenate_items(ctx *c, arr_pool *pool, const pieces *p, bool reversed) {
  int64_t nx = p->at[0].n, ny = p->at[1].n, n = p->before + nx + ny + p->behind;
  arr *r = arr_pool_vec(c, pool, (elt)p->at[0].of->type, n);
  if (!r) return NULL;
  set_range_of(r, &p->at[0], &p->at[1]);
  put_fills(r, 0, p->before);
  put_piece(r, p->before, &p->at[0], reversed);
  if (ny) put_piece(r, p->before + nx, &p->at[1], false);
  put_fills(r, n - p->behind, p->behind);
  return r;
}

static arr *moved(prim_env *e, const moves *m, const arr *like) {
  OWNED arr *r = arr_new(e->c, ET_NEST, like->rank, like->shape);
  arr_pool pool = {0};
  bool ok = r != NULL;
  for (int64_t i = 0; ok && i < like->count; i++) {
    pieces p = pieces_of(m, i);
    arr *item = catenate_items(e->c, &pool, &p, m->f == P_REVERSE && !m->k);
    ((arr **)r->host)[i] = item;
    ok = item && !interrupted(e->c);
  }
  arr_pool_end(&pool);
  if (!ok) return NULL;
  r->items_on_host = true;
  return arr_move(&r);
}

/* May x and y be catenated as they are? */
static bool are_joined(const arr *x, const arr *y, const arr *like) {
  const arr *all[] = {x, y};
  uint8_t t = ET_NEST;
  for (int j = 0; j < 2; j++) {
    bool nested = all[j]->type == ET_NEST;
    if (nested && !are_short_vectors(all[j])) return false;
    for (int64_t i = 0; i < like->count; i++) {
      uint8_t own = joined_piece(all[j], i).of->type;
      if (t == ET_NEST) t = own;
      if (own != t || own == ET_BIT || own == ET_C128) return false;
    }
  }
  return true;
}

/* The numbers by which items are moved, short ones, as i64. Returns NULL, with no error, if not
 * applicable. */
static arr *try_numbers(prim_env *e, arr *k, const arr *y) {
  bool fit = k->count == 1 ? k->rank <= 1 : k->count == y->count;
  if (!fit || !elt_is_int((elt)k->type)) return NULL;
  OWNED arr *r = arr_convert(e->c, k, ET_I64);
  const int64_t *at = r ? r->host : NULL;
  for (int64_t i = 0; r && i < r->count; i++)
    if (at[i] > LONGEST || at[i] < -LONGEST) return NULL;
  return arr_move(&r);
}

static arr *moved_vectors(prim_env *e, prim f, arr *x, const arr *y, const arr *like) {
  moves m = {.f = f, .x = x, .y = y};
  bool joins = f == P_COMMA && x;
  if (joins && !arr_items_fit(e->c, like->count)) return NULL;
  if (joins) return are_joined(x, y, like) ? moved(e, &m, like) : NULL;
  bool by_number = x && (f == P_TAKE || f == P_DROP || f == P_REVERSE);
  if (like != y || y->type != ET_NEST || (!by_number && (x || f != P_REVERSE)))
    return NULL;
  if (!are_short_vectors(y)) return NULL;
  OWNED arr *k = x ? try_numbers(e, x, y) : NULL;
  if (x && !k) return NULL;
  m.k = k;
  return moved(e, &m, like);
}

/* ── the entry ──────────────────────────────────────────────────────────────────────── */

/* Is x one whole number, and so a place in each item of y? */
static bool is_place(prim_env *e, const arr *x, int64_t *at) {
  if (x->count != 1 || !elt_is_int((elt)x->type)) return false;
  *at = arr_get_int(x, 0) - e->io;
  return *at >= 0;
}

arr *prim_try_each(prim_env *e, prim f, arr *x, const arr *y, const arr *like) {
  int64_t at = 0;
  bool nested = y->type == ET_NEST, both = nested && x && x->type == ET_NEST;
  if (both && (f == P_MATCH || f == P_TALLY)) return matches(e, x, y, f == P_MATCH, like);
  if (nested && !x && f == P_TALLY) return tallies(e, y);
  if (f != P_PICK) return moved_vectors(e, f, x, y, like);
  if (!nested || like != y) return NULL;
  if (x && !is_place(e, x, &at)) return NULL;
  return items_elements(e, y, at);
}

/* ── items as cells ─────────────────────────────────────────────────────────────────── */

/* Do arrays of these types have elements of one class, and of one width if that shows? */
static bool types_agree(elt t, elt want) {
  bool whole = t != ET_NEST && cls_of(t) == CLS_I && cls_of(want) == CLS_I;
  return t == want || (whole && elt_is_char(t) == elt_is_char(want));
}

static bool are_cells(const arr *y, int64_t n) {
  arr *const *item = y->host;
  const arr *first = item[0];
  bool may_be = first->rank && first->count && first->rank < ARR_MAX_RANK;
  if (!may_be || first->type == ET_NEST || first->type == ET_C128) return false;
  for (int64_t i = 1; i < n; i++) {
    if (!types_agree((elt)item[i]->type, (elt)first->type)) return false;
    if (!arr_same_shape(item[i], first)) return false;
  }
  return true;
}

arr *prim_try_cells_of_items(ctx *c, const arr *y, int64_t n) {
  arr *const *item = y->host;
  int64_t shape[ARR_MAX_RANK] = {n};
  if (!n || !are_cells(y, n)) return NULL;
  elt t = (elt)item[0]->type;
  for (int64_t i = 1; i < n; i++) t = elt_join(t, (elt)item[i]->type);
  memcpy(shape + 1, item[0]->shape, (size_t)item[0]->rank * sizeof *shape);
  OWNED arr *r = arr_new(c, t, 1 + item[0]->rank, shape);
  for (int64_t i = 0; r && i < n; i++) {
    if (stops_at(c, i)) return NULL;
    arr_copy(r, i * item[i]->count, item[i], 0, item[i]->count);
  }
  if (r) prim_known_of_items(r, item, n);
  return arr_move(&r);
}
