/* SPDX-License-Identifier: MIT */
/* iota.c - making indices: ⍳ ⍸.
 *
 * TRIED: threads for ⍸ of truth values: 17 to 35 % slower on two busy processors. */
#include "scalar.h"
#include "index.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/element.h"

/* Numbers from `first` on, in r. */
typedef struct numbering {
  arr *r;
  int64_t first;
} numbering;

static void number_stretch(void *job, int64_t from, int64_t to) {
  const numbering *k = job;
  elt type = (elt)k->r->type;
  char *at = (char *)k->r->host + elt_bytes(type, from);
  sc_block()->count(k->first + from, to - from, type, at);
}

bool prim_put_numbers(arr *r, int64_t first) {
  numbering k = {r, first};
  each_loop loop = {.n = r->count, .cell = 1, .steps = 1, .per = 4};
  loop.task = number_stretch;
  loop.job = &k;
  if (r->type == ET_BIT)
    sc_put_ints(r, 0, r->count, (const int64_t[]){0, 1}, first); /* two at most */
  else if (each_is_long(r->c, r->count)) return each_part(r->c, &loop);
  else number_stretch(&k, 0, r->count);
  return true;
}

arr *prim_numbers(ctx *c, int64_t first, int64_t n) {
  int64_t last = first + n - 1;
  if (!n) return arr_vec(c, ET_BIT, 0);
  OWNED arr *r = arr_vec(c, elt_for_range(first, last), n);
  if (!r || !prim_put_numbers(r, first)) return NULL;
  arr_set_range(r, first, last);
  return arr_move(&r);
}

/* Item i of r becomes the index vector of position `pos` of an array of that shape. */
static bool put_index(prim_env *e, arr *r, int64_t i, int rank, const int64_t *shape,
                      int64_t pos) {
  int64_t at[ARR_MAX_RANK];
  for (int k = rank - 1; k >= 0; k--) {
    at[k] = pos % shape[k] + e->io;
    pos /= shape[k];
  }
  arr *v = arr_int_vec(e->c, rank, at);
  ((arr **)r->host)[i] = v;
  return v != NULL;
}

/* The prototype of index vectors: zeros. */
static bool put_no_index(prim_env *e, arr *r, int rank) {
  static const int64_t none[ARR_MAX_RANK];
  arr *v = arr_int_vec(e->c, rank, none);
  *(arr **)r->host = v;
  return v != NULL;
}

/* The index vectors of all elements of an array of that shape. */
static arr *index_vectors(prim_env *e, int rank, const int64_t *shape) {
  OWNED arr *r = arr_new_items(e->c, rank, shape);
  if (!r || (!r->count && !put_no_index(e, r, rank))) return NULL;
  for (int64_t i = 0; i < r->count; i++)
    if (!put_index(e, r, i, rank, shape, i) || (i % 256 == 0 && interrupted(e->c)))
      return NULL;
  return arr_move(&r);
}

arr *prim_iota(prim_env *e, arr *y) {
  int64_t shape[ARR_MAX_RANK];
  if (y->rank > 1) return fail(e, ERR_RANK, "the argument must be a scalar or a vector");
  if (y->count > ARR_MAX_RANK) return fail(e, ERR_LIMIT, "the rank would be above 15");
  OWNED arr *n = prim_ints(e, y, "the argument");
  if (!n) return NULL;
  int rank = (int)n->count;
  for (int k = 0; k < rank; k++) {
    shape[k] = arr_get_int(n, k);
    if (shape[k] < 0) return fail(e, ERR_DOMAIN, "the argument must not be negative");
  }
  if (rank != 1) return index_vectors(e, rank, shape);
  if (shape[0] > INT64_MAX - 1)
    return fail(e, ERR_LIMIT, "the last index would be above 2*63");
  return prim_numbers(e->c, e->io, shape[0]);
}

/* How many elements ⍸ gives: the sum of m; -1 after an error. */
static int64_t sum_of(prim_env *e, const arr *m) {
  int64_t sum = 0, v[SC_BLOCK];
  if (m->type == ET_BIT) return sc_ones(m);
  for (int64_t i = 0; i < m->count; i += SC_BLOCK) {
    int64_t n = min_i64(m->count - i, SC_BLOCK);
    sc_load(m, i, 1, n, SC_I64, v);
    for (int64_t k = 0; k < n; k++) {
      if (v[k] < 0) {
        fail(e, ERR_DOMAIN, "the argument must not be negative");
        return -1;
      }
      if (__builtin_add_overflow(sum, v[k], &sum)) {
        fail(e, ERR_LIMIT, "more than 2*63 elements");
        return -1;
      }
    }
  }
  return sum;
}

/* The positions of m's ones, counted from `first` on, go to r from element `to` on. */
typedef struct ones {
  const arr *m;
  arr *r;
  int64_t first, to;
  const int64_t *before; /* how many ones the pieces before each one have */
} ones;

enum { PIECE = 1 << 12 }; /* truth values of a piece */

static int64_t put_piece(const ones *o, int64_t i, int64_t n, int64_t to, int64_t room) {
  int bytes = elt_bits((elt)o->r->type) / 8;
  return bits_loops()->places[bits_size(8 * bytes)](
      (const char *)o->m->host + i / 8, n, i + o->first, (char *)o->r->host + to * bytes,
      room);
}

static void put_pieces(void *job, int64_t from, int64_t to) {
  const ones *o = job;
  int64_t i = from * PIECE, n = min_i64(to * PIECE, o->m->count) - i;
  put_piece(o, i, n, o->to + o->before[from], o->before[to] - o->before[from]);
}

static bool put_shared(ctx *c, ones *o, each_loop *loop) {
  OWNED arr *before = sc_ones_before(c, o->m, PIECE);
  if (!before) return false;
  o->before = before->host;
  loop->job = o;
  return each_part(c, loop);
}

static bool put_ones(ctx *c, ones *o) {
  enum { AT_ONCE = 1 << 16, PER = 3 }; /* truth values in a step */
  each_loop loop = {.n = ceil_div(o->m->count, PIECE), .cell = PIECE / PER, .steps = 1};
  loop.task = put_pieces;
  if (each_is_shared(c, &loop)) return put_shared(c, o, &loop);
  for (int64_t i = 0, to = o->to; i < o->m->count; i += AT_ONCE) {
    int64_t n = min_i64(o->m->count - i, AT_ONCE);
    to += put_piece(o, i, n, to, o->r->count - to);
    if (interrupted(c)) return false;
  }
  return true;
}

arr *order_of_truths(prim_env *e, arr *y, bool down) {
  int64_t n = y->count, last = n - 1 + e->io;
  OWNED arr *not = prim_monadic(e, P_NOT, y);
  OWNED arr *r = not ? arr_vec(e->c, elt_for_range(e->io, last), n) : NULL;
  if (!r) return NULL;
  ones before = {.m = down ? y : not, .r = r, .first = e->io}, after = before;
  after.m = down ? not : y;
  after.to = sc_ones(before.m);
  if (!put_ones(e->c, &before) || !put_ones(e->c, &after)) return NULL;
  arr_set_range(r, e->io, last);
  return arr_move(&r);
}

/* Each position as often as m has there. */
static bool put_counted(prim_env *e, const arr *m, arr *r) {
  int64_t at[SC_BLOCK], n = 0, to = 0, v[SC_BLOCK];
  for (int64_t i = 0; i < m->count; i++) {
    if (i % SC_BLOCK == 0) sc_load(m, i, 1, min_i64(m->count - i, SC_BLOCK), SC_I64, v);
    for (int64_t times = v[i % SC_BLOCK]; times > 0; times--) {
      at[n++] = i;
      if (n < SC_BLOCK) continue;
      sc_put_ints(r, to, n, at, e->io);
      to += n;
      n = 0;
      if (interrupted(e->c)) return false;
    }
  }
  sc_put_ints(r, to, n, at, e->io);
  return true;
}

static arr *where_in_vector(prim_env *e, const arr *m, int64_t n) {
  if (!n) return arr_vec(e->c, ET_BIT, 0);
  OWNED arr *r = arr_vec(e->c, elt_for_range(0, m->count + e->io - 1), n);
  bool loops = m->type == ET_BIT && r && r->type != ET_BIT;
  ones o = {.m = m, .r = r, .first = e->io};
  if (!r || !(loops ? put_ones(e->c, &o) : put_counted(e, m, r))) return NULL;
  return arr_move(&r);
}

arr *prim_index_vectors(prim_env *e, const arr *at, const arr *y) {
  OWNED arr *r = arr_new_items(e->c, 1, &at->count);
  if (!r || (!at->count && !put_no_index(e, r, y->rank))) return NULL;
  for (int64_t i = 0; i < at->count; i++)
    if (!put_index(e, r, i, y->rank, y->shape, arr_get_int(at, i)) ||
        (i % 256 == 0 && interrupted(e->c)))
      return NULL;
  return arr_move(&r);
}

arr *prim_where(prim_env *e, arr *y) {
  OWNED arr *m = prim_ints(e, y, "the argument");
  if (!m) return NULL;
  int64_t n = sum_of(e, m);
  if (n < 0) return NULL;
  if (y->rank == 1) return where_in_vector(e, m, n);
  prim_env from_0 = *e;
  from_0.io = 0;
  OWNED arr *at = where_in_vector(&from_0, m, n);
  return at ? prim_index_vectors(e, at, y) : NULL;
}
