/* SPDX-License-Identifier: MIT */
/* product.c - x f.g y in parts.
 *
 *   x cut by rows   each rank multiplies its rows by all of y, which is brought together if it is cut, too
 *   y cut alone     along the axis that is summed: each rank has some of the blocks in which results are summed
 *                   (prim/inner_product.h). It makes theirs, which all ranks get and fold from the first to
 *                   the last. So the bits are those of one rank. */
#include "forms.h"
#include "../array/element.h"

typedef struct factors {
  prim_factors of;
  product_sizes s;
  int64_t from, rows; /* along the axis that is summed: what this rank has */
} factors;

/* ── rows ── */

static arr *rows_part(const ir_call *call, void *user) {
  const factors *z = user;
  prim_factors of = z->of;
  OWNED arr *x = part_for(call, of.x);
  of.x = x;
  return x ? ir_product(call, &of) : NULL;
}

/* Integers that leave their type on some rank leave it everywhere, in all their elements, and each is a sum that is
 * rounded once: what is brought together is so. */
static arr *by_rows(const ir_call *call, factors *z) {
  elt type;
  if (!ir_settle(call->g, z->of.x) || !part_whole(call->g, z->of.y)) return NULL;
  if (!op_begins(dist_of(call), call->at)) return NULL;
  OWNED arr *part = local_part(call, rows_part, z, &type);
  bool exact = cls_of((elt)z->of.x->type) <= CLS_I && cls_of((elt)z->of.y->type) <= CLS_I;
  if (!part || (exact && cls_of(type) > CLS_I)) return NULL;
  return cut_array(call, arr_move(&part), z->s.rank, z->s.shape);
}

/* ── blocks ── */

static int64_t blocks_of(const dist *d, const factors *z, int r) {
  int64_t n = cut_at(z->s.k, d->ranks, r + 1) - cut_at(z->s.k, d->ranks, r);
  return (n + PRODUCT_BLOCK - 1) / PRODUCT_BLOCK;
}

/* Places from..from+n-1 along x's last axis, as a matrix of m rows. */
static arr *places_of(const ir_call *call, const factors *z, int64_t from, int64_t n) {
  arr *x = z->of.x;
  OWNED arr *all = is_cut(x) ? part_for(call, x) : arr_retain(x);
  if (is_cut(x)) from -= z->from;
  OWNED arr *flat =
      ir_reshape(call, all, 2, (int64_t[]){z->s.m, all ? all->count / z->s.m : 0});
  return flat ? ir_box(call, flat, (int64_t[]){0, from}, (int64_t[]){z->s.m, n}) : NULL;
}

/* The results of blocks of `each` places, in the order of their places, from this rank's place `from` on. */
static arr *some_blocks(const ir_call *call, const factors *z, arr *y, int64_t from,
                        int64_t blocks, int64_t each) {
  int64_t m = z->s.m, n = z->s.n, rows = blocks * each;
  OWNED arr *few = ir_box(call, y, (int64_t[]){from, 0}, (int64_t[]){rows, n});
  OWNED arr *b = ir_reshape(call, few, 3, (int64_t[]){blocks, each, n});
  OWNED arr *places = b ? places_of(call, z, z->from + from, rows) : NULL;
  OWNED arr *table = ir_reshape(call, places, 3, (int64_t[]){m, blocks, each});
  int64_t io = call->env.io, order[3] = {io + 1, io, io + 2};
  OWNED arr *turn = table ? arr_int_vec(call->env.c, 3, order) : NULL;
  OWNED arr *a = turn ? ir_dyadic(call, P_TRANSPOSE, turn, table) : NULL;
  if (!a) return NULL;
  prim_factors of = {z->of.f, z->of.g, a, b, 1, 1, z->of.digits};
  OWNED arr *r = ir_product(call, &of);
  return ir_reshape(call, r, 3, (int64_t[]){blocks, m, n});
}

static arr *own_blocks(const ir_call *call, void *user) {
  const factors *z = user;
  int64_t whole = z->rows / PRODUCT_BLOCK, rest = z->rows % PRODUCT_BLOCK;
  OWNED arr *own = part_for(call, z->of.y);
  OWNED arr *y = ir_reshape(call, own, 2, (int64_t[]){z->rows, z->s.n});
  OWNED arr *r = NULL;
  if (y && whole) r = some_blocks(call, z, y, 0, whole, PRODUCT_BLOCK);
  if (!y || (whole && !r)) return NULL;
  if (rest) {
    OWNED arr *last = some_blocks(call, z, y, whole * PRODUCT_BLOCK, 1, rest);
    if (!last || !whole) return arr_move(&last);
    arr *all = ir_dyadic(call, P_COMMA1, r, last);
    arr_release(r);
    r = all;
  }
  return arr_move(&r);
}

/* Everybody's blocks, from the first to the last. */
static arr *all_blocks(const ir_call *call, const factors *z, arr *part) {
  dist *d = dist_of(call);
  ctx *c = call->env.c;
  elt t = (elt)part->type;
  int64_t all = 0, each = z->s.m * z->s.n;
  for (int r = 0; r < d->ranks; r++) {
    all += blocks_of(d, z, r);
    d->each[r] = elt_bytes(t, blocks_of(d, z, r) * each);
  }
  OWNED arr *r = arr_new(c, t, 2, (int64_t[]){all, each});
  if (r) ir_host(call->g, part); /* an error is for all to hear of now */
  bool met = dist_meet(d, AGREE_GATHER);
  if (!met || !dist_gather(d, part->host, r->host, d->each)) return NULL;
  return arr_move(&r);
}

/* f of the rows, from the first to the last. */
static arr *joined(const ir_call *call, const factors *z, arr *blocks) {
  OWNED arr *r = NULL;
  prim_env e = call->env;
  for (int64_t i = 0; i < blocks->shape[0]; i++) {
    OWNED arr *row = arr_new(e.c, (elt)blocks->type, z->s.rank, z->s.shape);
    if (!row) return NULL;
    arr_copy(row, 0, blocks, i * row->count, row->count);
    arr *both = r ? prim_dyadic(&e, z->of.f, r, row) : arr_retain(row);
    arr_release(r);
    r = both;
    if (!r) return NULL;
  }
  return arr_move(&r);
}

/* Is the sum of a type that no result can leave, and that all ranks know? */
static bool has_blocks(const ir_call *call, factors *z) {
  enum { BYTES = 8 };
  int64_t most = 0, each;
  const dist *d = dist_of(call);
  const arr *x = z->of.x;
  if (z->of.f != P_PLUS || z->of.g != P_TIMES) return false;
  if ((is_cut(x) && x->rank != 1) || !is_cut_by(d, z->s.k, PRODUCT_BLOCK)) return false;
  /* All blocks' results of every rank are to be less than its part of y, and to be brought together. */
  for (int r = 0; r < d->ranks; r++)
    if (blocks_of(d, z, r) > most) most = blocks_of(d, z, r);
  if (__builtin_mul_overflow(z->s.m * BYTES, z->s.n, &each)) return false;
  return each <= GATHER_PART / most && z->s.m < PRODUCT_BLOCK / 2;
}

static bool are_floats(const arr *x, const arr *y) {
  bool reals = elt_is_num((elt)x->type) && elt_is_num((elt)y->type) &&
               x->type != ET_C128 && y->type != ET_C128;
  return reals && (elt_is_float((elt)x->type) || elt_is_float((elt)y->type));
}

static arr *by_blocks(const ir_call *call, factors *z) {
  dist *d = dist_of(call);
  elt type;
  if (!ir_settle(call->g, z->of.x) || !ir_settle(call->g, z->of.y)) return NULL;
  if (!are_floats(z->of.x, z->of.y) || !op_begins(d, call->at)) return NULL;
  z->from = my_first(d, z->s.k);
  z->rows = my_rows(d, z->s.k);
  OWNED arr *part = local_part(call, own_blocks, z, &type);
  if (!part || !elt_is_float(type)) return NULL;
  OWNED arr *mine = part;
  part = NULL;
  OWNED arr *all = all_blocks(call, z, mine);
  return all ? joined(call, z, all) : NULL;
}

arr *product_cut(const ir_call *call, const prim_factors *p) {
  const dist *d = dist_of(call);
  factors z = {.of = *p};
  if (!parts_ready(call, p->x, p->y)) return NULL;
  if (p->x_frame || p->y_frame || !product_measure(call->env.c, p, &z.s)) return NULL;
  if (is_for_parts(d, p->x) && p->x->rank > 1) return by_rows(call, &z);
  if (is_for_parts(d, p->y) && has_blocks(call, &z)) return by_blocks(call, &z);
  return NULL;
}
