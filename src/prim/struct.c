/* SPDX-License-Identifier: MIT */
/* struct.c - the structural primitives that move whole cells, on the host: ⍴ , ⍪ ⌽ ⊖ ⍉ ↑ ↓.
 *
 * What they do is in move.c, as views; here the views are copied. Only rotation by an array,
 * each line by a number of its own, is more than a view: its lines are gathered by lists of
 * positions, a block of them at a time. */
#include "struct.h"
#include "../base/arith.h"
#include "../array/bits.h"
#include "../array/convert.h"
#include "../array/element.h"

/* ── by a view ──────────────────────────────────────────────────────────────────────── */

static arr *moved1(prim_env *e, prim f, arr *y) {
  view v;
  if (!move_monadic(e, f, y, &v)) return NULL;
  return view_copy(e->c, &v, &y);
}

static arr *moved2(prim_env *e, prim f, arr *x, arr *y) {
  view v;
  if (!move_dyadic(e, f, x, y, &v)) return NULL;
  return view_copy(e->c, &v, &y);
}

static arr *joined(prim_env *e, prim f, arr *x, arr *y) {
  view v;
  if (!move_dyadic(e, f, x, y, &v)) return NULL;
  return view_copy(e->c, &v, (arr *[]){x, y});
}

/* Is it a simple vector with elements, so short that describing a view takes longer than copying it? */
static bool is_few(const arr *y) {
  return y->rank == 1 && y->type != ET_NEST && y->count && y->count <= 4096;
}

/* ⌽ of such a vector. Returns NULL, with no error, if not applicable. */
static arr *try_reverse_few(ctx *c, const arr *y) {
  int size = bits_size(elt_bits((elt)y->type));
  bool word = y->type == ET_BIT && y->count <= 64;
  if (!is_few(y) || (size < 0 && !word)) return NULL;
  arr *r = arr_like(c, y, 1, y->shape);
  if (!r) return NULL;
  if (word) {
    uint64_t w = bits_word(y->host, y->count, 0);
    bits_loops()->reverse((const uint8_t *)&w, 0, 1, r->host);
    *(uint64_t *)r->host >>= 64 - y->count;
  } else {
    const char *last = (const char *)y->host + elt_bytes((elt)y->type, y->count - 1);
    bits_loops()->backwards[size](last, y->count, r->host);
  }
  return r;
}

/* The same of ⌽ by one number. */
static arr *few_rotated(ctx *c, const arr *x, const arr *y) {
  prim_number by;
  if (!is_few(y) || !prim_number_of(x, &by) || by.of != CLS_I) return NULL;
  int64_t n = y->count, cut = by.as.i % n;
  if (cut < 0) cut += n;
  arr *r = arr_like(c, y, 1, y->shape);
  if (!r) return NULL;
  arr_copy(r, 0, y, cut, n - cut);
  arr_copy(r, n - cut, y, 0, cut);
  return r;
}

arr *prim_ravel(prim_env *e, arr *y) { return moved1(e, P_COMMA, y); }
arr *prim_table_of(prim_env *e, arr *y) { return moved1(e, P_COMMA1, y); }
arr *prim_reverse(prim_env *e, arr *y) {
  arr *r = try_reverse_few(e->c, y);
  return r || err_is(e->c) ? r : moved1(e, P_REVERSE, y);
}
arr *prim_reverse_first(prim_env *e, arr *y) { return moved1(e, P_REVERSE1, y); }
arr *prim_transpose(prim_env *e, arr *y) { return moved1(e, P_TRANSPOSE, y); }

arr *prim_reshape(prim_env *e, arr *x, arr *y) { return moved2(e, P_RHO, x, y); }
arr *prim_transpose_by(prim_env *e, arr *x, arr *y) {
  return moved2(e, P_TRANSPOSE, x, y);
}
arr *prim_take(prim_env *e, arr *x, arr *y) { return moved2(e, P_TAKE, x, y); }
arr *prim_drop(prim_env *e, arr *x, arr *y) { return moved2(e, P_DROP, x, y); }

/* x,y of vectors and scalars with elements, the most common catenation. Returns NULL, with no error, if not
 * applicable. */
static arr *try_catenate_flat(ctx *c, const arr *x, const arr *y) {
  if (x->rank > 1 || y->rank > 1 || !x->count || !y->count) return NULL;
  elt type = arr_join_type(x, y);
  if (type == ET_NEST) return NULL;
  arr *r = arr_vec(c, type, x->count + y->count);
  if (!r) return NULL;
  arr_copy(r, 0, x, 0, x->count);
  arr_copy(r, x->count, y, 0, y->count);
  arr_join_ranges(r, x, y);
  return r;
}

arr *prim_catenate(prim_env *e, arr *x, arr *y) {
  arr *r = try_catenate_flat(e->c, x, y);
  return r || err_is(e->c) ? r : joined(e, P_COMMA, x, y);
}
arr *prim_catenate_first(prim_env *e, arr *x, arr *y) {
  return joined(e, P_COMMA1, x, y);
}

arr *prim_spread(prim_env *e, arr *y, int rank, const int64_t *shape, const int *k) {
  view v;
  if (!move_spread(e, y, rank, shape, k, &v)) return NULL;
  return view_copy(e->c, &v, &y);
}

arr *prim_window(prim_env *e, arr *y, int n, const int64_t *from, const int64_t *size) {
  view v;
  if (!move_window(e, y, n, from, size, &v)) return NULL;
  return view_copy(e->c, &v, &y);
}

/* ── lengths ────────────────────────────────────────────────────────────────────────── */

arr *prim_shape(prim_env *e, arr *y) { return arr_int_vec(e->c, y->rank, y->shape); }

arr *prim_tally(prim_env *e, arr *y) { return arr_int(e->c, arr_first_axis(y)); }

/* ── x⌽y by an array ────────────────────────────────────────────────────────────────── */

enum { GATHERED = 4096 }; /* elements whose positions are listed at a time */

static bool one_for_each_line(prim_env *e, const arr *x, const arr *y, int k) {
  if (!y->rank) return err_set(e->c, ERR_RANK, "a scalar is turned by one number");
  if (x->rank != y->rank - 1)
    return err_set(e->c, ERR_RANK, "the left argument needs rank %d or one element",
                   y->rank - 1);
  for (int j = 0; j < x->rank; j++)
    if (x->shape[j] != y->shape[j + (j >= k)])
      return err_set(e->c, ERR_LENGTH,
                     "the left argument must have the shape of the right one "
                     "without the axis that is rotated");
  return true;
}

/* Where the elements of `cells` cells come from, the first of which is turned by by[first]. */
static void turned_positions(const arr *by, int64_t first, int64_t cells, split s,
                             int64_t *at) {
  for (int64_t line = 0; line < cells * s.inner; line++) {
    int64_t base = line / s.inner * s.n * s.inner + line % s.inner;
    int64_t cut = arr_get_int(by, first + line) % s.n;
    if (cut < 0) cut += s.n;
    for (int64_t k = 0; k < s.n; k++) {
      int64_t from = k + cut;
      if (from >= s.n) from -= s.n;
      at[base + k * s.inner] = base + from * s.inner;
    }
  }
}

static arr *rotate_lines(prim_env *e, const arr *by, const arr *y, split s) {
  OWNED arr *r = arr_like(e->c, y, y->rank, y->shape);
  if (!r || !r->count) return arr_move(&r);
  int64_t cell = s.n * s.inner;
  int64_t most = min_i64(max_i64(GATHERED / cell, 1), s.outer);
  OWNED arr *at = arr_vec(e->c, ET_I64, most * cell);
  if (!at) return NULL;
  view_part p = {.rank = 1, .to_stride = {1}, .stride = {1}, .list = {at}};
  for (int64_t o = 0; o < s.outer; o += most) {
    int64_t cells = min_i64(s.outer - o, most);
    turned_positions(by, o * s.inner, cells, s, at->host);
    p.to = p.from = o * cell;
    p.len[0] = cells * cell;
    if (!view_copy_part(r, y, &p)) return NULL;
  }
  return arr_move(&r);
}

static arr *rotate_by_one(prim_env *e, const arr *x, arr *y, int k) {
  view v;
  if (!move_rotate(e, x, y, k, &v)) return NULL;
  return view_copy(e->c, &v, &y);
}

arr *rotate_axis(prim_env *e, arr *x, arr *y, int k) {
  if (is_scalar_like(x)) return rotate_by_one(e, x, y, k);
  if (!one_for_each_line(e, x, y, k)) return NULL;
  OWNED arr *by = prim_ints(e, x, "the left argument");
  if (!by) return NULL;
  return rotate_lines(e, by, y, split_at(y, k));
}

arr *prim_rotate(prim_env *e, arr *x, arr *y) {
  arr *r = few_rotated(e->c, x, y);
  return r || err_is(e->c) ? r : rotate_axis(e, x, y, last_axis(y->rank));
}
arr *prim_rotate_first(prim_env *e, arr *x, arr *y) { return rotate_axis(e, x, y, 0); }
