/* SPDX-License-Identifier: MIT */
/* fold_matrices.c - f/ and f\ of matrices by a product, which is associative: in a scan each
 * prefix is made from the one before, not anew; and 2×2 matrices, with which recurrences of
 * second order are written, are a fold of tuples of four (kir.h):
 *
 *   items ── taken apart ──▶ four columns ── FOLD by the product ──▶ four columns ──▶ items
 *
 * The order of the products is that of the tree of tables/fold.h, so floats may differ from
 * the product one by one by rounding. A result that is not finite, and integers that
 * overflow, go item by item. */
#include "../value/vm.h"
#include "../../tables/fast.h"
#include "../../array/element.h"
#include "../../host/host.h"
#include "../../ir/place.h"
#include "../value/items.h"
#include "cells.h"

#include <math.h>

enum { SIZE = 2, PARTS = SIZE * SIZE };

typedef struct ring { /* f.g, on integers and on floats */
  prim f, g;
  kop plus[2], times[2];
} ring;

static const ring rings[] = {
    {P_PLUS, P_TIMES, {KOP_ADDO, KOP_ADD}, {KOP_MULO, KOP_MUL}},
    {P_CEIL, P_PLUS, {KOP_MAX, KOP_MAX}, {KOP_ADDO, KOP_ADD}},
    {P_FLOOR, P_PLUS, {KOP_MIN, KOP_MIN}, {KOP_ADDO, KOP_ADD}},
};

static const ring *ring_of(const fn *f) {
  if (f->kind != F_DERIVED || f->code != OP_DOT) return NULL;
  if (f->l.cls != C_FN || f->r.cls != C_FN) return NULL;
  for (size_t i = 0; i < ARRAY_LEN(rings); i++)
    if (fn_is(f->l.f, rings[i].f) && fn_is(f->r.f, rings[i].g)) return &rings[i];
  return NULL;
}

bool is_matrix_product(const fn *f, const arr *y) {
  if (!is_nested(y) || !y->count || !ring_of(f)) return false;
  const arr *first = arr_item(y, 0);
  for (int64_t i = 0; i < y->count; i++) {
    const arr *a = arr_item(y, i);
    bool fit = a->rank == 2 && !a->node && a->type <= ET_F64;
    if (!fit || a->shape[0] != a->shape[1] || a->shape[0] != first->shape[0])
      return false;
  }
  return true;
}

/* ── the kernel ── */

static kv add(ctx *c, kir *k, kop op, kty ty, kv a, kv b, int64_t imm) {
  return kir_add(
      c, k, (kins){.op = (uint8_t)op, .ty = (uint8_t)ty, .a = a, .b = b, .imm.i = imm});
}

/* Row `row` of the left matrix times column `col` of the right one, whose arguments begin at
 * left and right. */
static kv product_part(ctx *c, kir *j, const ring *of, kty ty, const int at[4]) {
  int row = at[0], col = at[1], left = at[2], right = at[3];
  bool floats = kty_is_float(ty);
  kv sum = 0;
  for (int i = 0; i < SIZE; i++) {
    kv l = add(c, j, KOP_ARG, ty, 0, 0, left + SIZE * row + i);
    kv r = add(c, j, KOP_ARG, ty, 0, 0, right + SIZE * i + col);
    kv p = add(c, j, of->times[floats], ty, l, r, 0);
    sum = i ? add(c, j, of->plus[floats], ty, sum, p, 0) : p;
  }
  return sum;
}

/* earlier × later, or later × earlier if forward. */
static kir *product(ctx *c, const ring *of, elt t, bool forward) {
  kty ty = kir_arg_type(t);
  int left = forward ? PARTS : 0;
  kir *j = mem_zalloc(c, sizeof *j);
  if (!j) return NULL;
  *j = (kir){.kind = KIR_MAP, .n_in = 2 * PARTS, .n_out = PARTS, .n_fault = 1};
  for (int i = 0; i < 2 * PARTS; i++)
    j->in[i] = (kin){.type = (uint8_t)t, .view = KV_FLAT};
  for (int i = 0; i < PARTS; i++) {
    const int at[4] = {i / SIZE, i % SIZE, left, PARTS - left};
    kv v = product_part(c, j, of, ty, at);
    j->out[i] = (kout){.value = v, .type = (uint8_t)t};
  }
  return j;
}

static void kernel(ctx *c, kir *k, const ring *of, elt t, bool forward) {
  kty ty = kir_arg_type(t);
  kacc acc[PARTS];
  k->n_in = k->n_out = PARTS;
  k->n_fault = 1;
  for (int i = 0; i < PARTS; i++) {
    k->in[i] = (kin){.type = (uint8_t)t, .view = KV_FLAT};
    kv from = add(c, k, KOP_ARG, ty, 0, 0, i);
    acc[i] = (kacc){.from = from, .ty = (uint8_t)ty, .fault = -1};
  }
  kir_fold(c, k, acc, PARTS);
  for (uint32_t i = 0; i < PARTS; i++)
    k->out[i] = (kout){.value = kir_part(c, k, i), .type = (uint8_t)t};
  k->join_order = KJOIN_TREE;
  k->join = product(c, of, t, forward);
}

/* ── matrices and columns ── */

/* The type of all elements: i64 or f64; ET_NEST: neither. */
static elt type_of_all(const arr *y) {
  int64_t floats = 0;
  for (int64_t i = 0; i < y->count; i++) {
    const arr *a = arr_item(y, i);
    if (a->shape[0] != SIZE || a->type == ET_F32 || !a->host) return ET_NEST;
    floats += a->type == ET_F64;
  }
  if (!floats) return ET_I64;
  return floats == y->count ? ET_F64 : ET_NEST;
}

static void take_apart(const arr *y, elt t, void *columns) {
  int64_t n = y->count;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < PARTS; j++)
      if (t == ET_I64) ((int64_t *)columns)[j * n + i] = arr_get_int(arr_item(y, i), j);
      else ((double *)columns)[j * n + i] = arr_get_float(arr_item(y, i), j);
}

static bool all_finite(const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* Matrix i of n, from the columns. */
static arr *put_together(vm *v, elt t, const void *columns, int64_t i, int64_t n) {
  const int64_t shape[2] = {SIZE, SIZE};
  arr *a = arr_new(v->c, t, 2, shape);
  const uint64_t *from = columns;
  for (int64_t j = 0; a && j < PARTS; j++) ((uint64_t *)a->host)[j] = from[j * n + i];
  return a;
}

/* Runs the kernel on n matrices. *done: nothing has escaped; false: an error. */
static bool run(vm *v, const kir *k, void *from, void *to, int64_t n, bool *done) {
  int64_t many = k->kind == KIR_SCAN ? n : 1;
  uint32_t flags[2] = {0};
  kir_bind b = {.rows = 1, .len = n, .inner = 1, .flags = flags};
  for (int64_t i = 0; i < PARTS; i++) {
    b.in[i].host = (uint64_t *)from + i * n;
    b.in[i].step = 1;
    b.out[i].host = (uint64_t *)to + i * many;
  }
  struct blk_pool *pool = v->g->pool;
  if (!pool || !blk_run(v->c, pool, k, &b)) return false;
  *done = !flags[0] && !flags[1];
  if (k->out[0].type == ET_F64) *done &= all_finite(to, PARTS * many);
  return true;
}

arr *fold_matrices(vm *v, const fn *f, arr *y, bool scan, bool forward) {
  if (y->rank != 1 || y->count < 2 || !is_matrix_product(f, y)) return NULL;
  elt t = type_of_all(y);
  if (t == ET_NEST) return NULL;
  int64_t n = y->count, many = scan ? n : 1;
  OWNED arr *from = arr_vec(v->c, t, PARTS * n), *to = arr_vec(v->c, t, PARTS * many);
  if (!from || !to) return NULL;
  kir k = {.kind = scan ? KIR_SCAN : KIR_REDUCE};
  kernel(v->c, &k, ring_of(f), t, forward);
  take_apart(y, t, from->host);
  bool done = false, ok = !err_is(v->c) && run(v, &k, from->host, to->host, n, &done);
  kir_free(v->c, &k);
  if (!ok || !done) return NULL;
  OWNED_RESULTS all = results_open(v, scan, y->shape);
  for (int64_t i = 0; i < all.want; i++)
    if (!results_add(&all, put_together(v, t, to->host, i, many))) return NULL;
  return results_array(&all);
}
