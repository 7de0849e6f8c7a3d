/* SPDX-License-Identifier: MIT */
/* oper.c - the primitive operators other than / ⌿ \ ⍀.
 *
 * bind/derive.c checks the operands and makes the derived function, oper_call calls it. An
 * operator that calls its operand for each item gathers the results as items, which gives a
 * simple array when all of them are simple scalars. Where the operand is a scalar primitive
 * and the arguments are simple, whole arrays are handed to it instead. */
#include "oper.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include <string.h>
#include "../run/primitive.h"
#include "../system/system.h"
#include "../value/arg.h"
#include "../value/items.h"

/* ── gathering ──────────────────────────────────────────────────────────────────────── */

bool pile_new(vm *v, pile *s, int64_t n) {
  *s = (pile){0};
  if (n >= PTRDIFF_MAX / 16)
    return err_set(v->c, ERR_WS_FULL, "%lld items", (long long)n);
  s->at = mem_alloc(v->c, (size_t)(n ? n : 1) * sizeof *s->at);
  return s->at != NULL;
}

bool pile_add(vm *v, pile *s, arr *a) {
  if (!a) return false;
  s->at[s->n++] = a;
  return !interrupted(v->c);
}

arr *pile_end(vm *v, pile *s, bool ok, int rank, const int64_t *shape) {
  arr *r = NULL;
  if (ok) r = collect(v, s->at, rank, shape);
  else
    for (int64_t i = 0; i < s->n; i++) arr_release(s->at[i]);
  mem_free(v->c, s->at);
  return r;
}

/* ── each ───────────────────────────────────────────────────────────────────────────── */

/* The first item; where there is none, or if `proto`, the item that fills are. */
static arr *first_item(vm *v, arr *a, bool proto) {
  if (!is_nested(a)) return a->count && !proto ? item_at(v, a, 0) : arr_fill_of(v->c, a);
  return a->count && !proto ? arr_retain(arr_item(a, 0))
                            : arr_proto(v->c, arr_item(a, 0));
}

/* No items: f is called once, with prototypes or first items, for the result's prototype. */
static arr *each_none(vm *v, fn *f, arr *x, arr *y, bool proto, int rank,
                      const int64_t *shape) {
  arr *b = first_item(v, y, proto), *a = b && x ? first_item(v, x, proto) : NULL;
  arr *t = b && (a || !x) ? call2(v, f, a, b) : NULL, *r = NULL;
  if (t && ir_host(v->g, t)) r = collect_none(v, t, rank, shape);
  arr_release(a);
  arr_release(b);
  arr_release(t);
  return r;
}

/* f of each item, or of each pair; *r NULL if f gives a result for none of them. */
static bool each_items(vm *v, fn *f, arr *x, arr *y, const arr *like, bool spread_x,
                       bool spread_y, arr **r) {
  pile s;
  int64_t n = like->count;
  if (!pile_new(v, &s, n)) return false;
  bool ok = true;
  for (int64_t i = 0; ok && i < n; i++) {
    arr *b = item_at(v, y, spread_y ? 0 : i),
        *a = x && b ? item_at(v, x, spread_x ? 0 : i) : NULL, *t = NULL;
    ok = b && (a || !x) && call(v, f, a, b, &t);
    arr_release(a);
    arr_release(b);
    if (ok && t && s.n < i) ok = err_set(v->c, ERR_VALUE, "the function gave no result");
    if (t) ok = pile_add(v, &s, t) && ok;
    else ok = ok && !interrupted(v->c);
  }
  if (ok && s.n && s.n < n) ok = err_set(v->c, ERR_VALUE, "the function gave no result");
  bool none = ok && !s.n;
  *r = pile_end(v, &s, ok && !none, like->rank, like->shape);
  return *r || none;
}

/* x f¨ y, or f¨ y if x is NULL; *r NULL if f gives no results. */
static bool each(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (fn_is_scalar(f, x != NULL) && !is_nested(y) && !(x && is_nested(x))) {
    *r = prim_call(v, (prim)f->prim, x, y);
    return *r != NULL;
  }
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return false;
  bool spread_x = x && x->count == 1 && (y->count != 1 || y->rank >= x->rank);
  bool spread_y = x && !spread_x && y->count == 1;
  const arr *like = spread_y ? x : y;
  if (x && !spread_x && !spread_y && !arr_same_shape(x, y)) {
    bool rank = x->rank != y->rank;
    return err_set(v->c, rank ? ERR_RANK : ERR_LENGTH, "the arguments' %s differ",
                   rank ? "ranks" : "lengths");
  }
  if (like->count) return each_items(v, f, x, y, like, spread_x, spread_y, r);
  *r = each_none(v, f, x, y, true, like->rank, like->shape);
  return *r != NULL;
}

arr *each_call(vm *v, fn *f, arr *x, arr *y) {
  arr *r;
  if (each(v, f, x, y, &r) && !r) err_set(v->c, ERR_VALUE, "the function gave no result");
  return r;
}

/* ── outer and inner product ────────────────────────────────────────────────────────── */

static bool join_shapes(vm *v, const arr *x, int nx, const arr *y, int skip,
                        int64_t *shape, int *rank) {
  *rank = nx + y->rank - skip;
  if (*rank > ARR_MAX_RANK)
    return err_set(v->c, ERR_LIMIT, "rank %d is above %d", *rank, ARR_MAX_RANK);
  for (int k = 0; k < nx; k++) shape[k] = x->shape[k];
  for (int k = skip; k < y->rank; k++) shape[nx + k - skip] = y->shape[k];
  return true;
}

static arr *outer(vm *v, fn *f, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK];
  int rank;
  pile s;
  if (!join_shapes(v, x, x->rank, y, 0, shape, &rank)) return NULL;
  if (x->count && y->count && fn_is_scalar(f, true)) {
    int k[2 * ARR_MAX_RANK];
    for (int i = 0; i < rank; i++) k[i] = i;
    ir_call call = call_of(v);
    arr *a = ir_spread(&call, x, rank, shape, k);
    arr *b = a ? ir_spread(&call, y, rank, shape, k + x->rank) : NULL;
    arr *r = b ? prim2(v, (prim)f->prim, a, b) : NULL;
    arr_release(a);
    arr_release(b);
    return r;
  }
  if (!ir_host(v->g, x) || !ir_host(v->g, y)) return NULL;
  if (!x->count || !y->count) return each_none(v, f, x, y, false, rank, shape);
  if (!pile_new(v, &s, x->count * y->count)) return NULL;
  bool ok = true;
  for (int64_t i = 0; ok && i < x->count; i++) {
    arr *a = item_at(v, x, i);
    ok = a != NULL;
    for (int64_t j = 0; ok && j < y->count; j++) {
      arr *b = item_at(v, y, j);
      ok = b && pile_add(v, &s, call2(v, f, a, b));
      arr_release(b);
    }
    arr_release(a);
  }
  return pile_end(v, &s, ok, rank, shape);
}

/* y with its first axis last, as cells × n: the columns of an inner product. */
static arr *columns(vm *v, const arr *y) {
  int64_t n = arr_first_axis(y), cells = 1;
  for (int k = 1; k < y->rank; k++) cells *= y->shape[k];
  arr *r = arr_new(v->c, (elt)y->type, 2, (int64_t[]){cells, n});
  for (int64_t i = 0; r && i < cells; i++)
    for (int64_t k = 0; k < n; k++) arr_copy(r, i * n + k, y, k * cells + i, 1);
  if (r && y->type == ET_NEST && !r->count) arr_copy(r, 0, y, 0, 1);
  return r;
}

/* Elements from..from+n of a as a vector; the scalar a as a vector of n. */
static arr *vector_of(vm *v, const arr *a, int64_t from, int64_t n, bool spread) {
  arr *r = arr_vec(v->c, (elt)a->type, n);
  for (int64_t i = 0; r && spread && i < n; i++) arr_copy(r, i, a, 0, 1);
  if (r && !spread) arr_copy(r, 0, a, from, n);
  if (r && a->type == ET_NEST && !n) ((arr **)r->host)[0] = arr_retain(arr_item(a, 0));
  return r;
}

/* The rows of x with all columns c at once, as many rows as stay short: f/ rows g columns. */
static arr *inner_block(vm *v, fn *f, fn *g, const arr *x, arr *c, int64_t row,
                        int64_t rows, int64_t n) {
  int64_t cells = c->shape[0], shape[3] = {rows, cells, n};
  static const int behind[2] = {1, 2};
  prim_env pe = env_of(v);
  arr *a = arr_new(v->c, (elt)x->type, 3, shape), *b = NULL, *z = NULL, *r = NULL;
  for (int64_t i = 0; a && i < rows * cells; i++)
    arr_copy(a, i * n, x, (row + i / cells) * n, n);
  if (a) b = prim_spread(&pe, c, 3, shape, behind);
  if (b) z = prim2(v, (prim)g->prim, a, b);
  if (z) r = fold_with(v, f, z, 2);
  if (r && !ir_host(v->g, r)) {
    arr_release(r);
    r = NULL;
  }
  arr_release(z);
  arr_release(a);
  arr_release(b);
  return r;
}

/* Catenates blocks of rows into the result's shape; consumes them. */
static arr *inner_join(vm *v, arr **part, int64_t n, int rank, const int64_t *shape) {
  elt t = (elt)part[0]->type;
  int64_t at = 0;
  for (int64_t i = 1; i < n; i++) t = elt_join(t, (elt)part[i]->type);
  arr *r = arr_new(v->c, t, rank, shape);
  for (int64_t i = 0; r && i < n; i++) {
    arr_copy(r, at, part[i], 0, part[i]->count);
    at += part[i]->count;
  }
  return r;
}

static arr *inner_whole(vm *v, fn *f, fn *g, arr *x, arr *c, int64_t rows, int64_t n,
                        int rank, const int64_t *shape) {
  int64_t each = c->count ? (1 << 20) / c->count : 1, done = 0, parts = 0;
  if (each < 1) each = 1;
  pile s;
  if (!pile_new(v, &s, rows / each + 1)) return NULL;
  bool ok = true;
  for (; ok && done < rows; done += each, parts++) {
    int64_t m = rows - done < each ? rows - done : each;
    ok = pile_add(v, &s, inner_block(v, f, g, x, c, done, m, n));
  }
  arr *r = ok ? inner_join(v, s.at, s.n, rank, shape) : NULL;
  for (int64_t i = 0; i < s.n; i++) arr_release(s.at[i]);
  mem_free(v->c, s.at);
  return r;
}

/* One element: f/ a g¨ b; both are consumed. */
static arr *inner_item(vm *v, fn *f, fn *g, arr *a, arr *b) {
  arr *z = a && b ? each_call(v, g, a, b) : NULL, *t = z ? fold_with(v, f, z, 0) : NULL;
  arr *r = t ? item_at(v, t, 0) : NULL;
  arr_release(a);
  arr_release(b);
  arr_release(z);
  arr_release(t);
  return r;
}

static arr *inner_one(vm *v, fn *f, fn *g, const arr *x, bool spread_x, int64_t i, arr *c,
                      bool spread_c, int64_t j, int64_t n) {
  return inner_item(v, f, g, vector_of(v, x, i * n, n, spread_x),
                    vector_of(v, c, j * n, n, spread_c));
}

/* No elements: what f/ x g¨ y would be of fills tells what they would look like. */
static arr *inner_none(vm *v, fn *f, fn *g, arr *x, arr *y, int64_t n, int rank,
                       const int64_t *shape) {
  prim_env pe = env_of(v);
  arr *len = arr_int_vec(v->c, 1, &n), *t = NULL, *r = NULL;
  if (len) t = inner_item(v, f, g, prim_reshape(&pe, len, x), prim_reshape(&pe, len, y));
  if (t && ir_host(v->g, t)) r = collect_none(v, t, rank, shape);
  arr_release(len);
  arr_release(t);
  return r;
}

static arr *inner(vm *v, fn *f, fn *g, arr *x, arr *y) {
  int64_t shape[ARR_MAX_RANK], rows = 1;
  int rank, nx = x->rank ? x->rank - 1 : 0;
  pile s;
  if (!ir_host(v->g, x) || !ir_host(v->g, y)) return NULL;
  bool spread_x = x->count == 1, spread_y = y->count == 1;
  int64_t lx = arr_last_axis(x), ly = arr_first_axis(y), n = spread_x ? ly : lx;
  if (!spread_x && !spread_y && lx != ly)
    return err_set(v->c, ERR_LENGTH, "%lld columns and %lld rows", (long long)lx,
                   (long long)ly),
           NULL;
  if (!join_shapes(v, x, nx, y, y->rank > 0, shape, &rank)) return NULL;
  for (int k = 0; k < nx; k++) rows *= x->shape[k];
  arr *c = columns(v, y), *r = NULL;
  if (!c) return NULL;
  int64_t cells = c->shape[0];
  bool whole =
      fn_is_scalar(f, true) && fn_is_scalar(g, true) && !is_nested(x) && !is_nested(y);
  if (whole && n && rows && cells && spread_x == spread_y && lx == ly)
    r = inner_whole(v, f, g, x, c, rows, n, rank, shape);
  else if (!rows || !cells) r = inner_none(v, f, g, x, y, n, rank, shape);
  else if (pile_new(v, &s, rows * cells)) {
    bool ok = true;
    for (int64_t i = 0; ok && i < rows * cells; i++)
      ok = pile_add(v, &s,
                    inner_one(v, f, g, x, spread_x, i / cells, c, spread_y && !spread_x,
                              i % cells, n));
    r = pile_end(v, &s, ok, rank, shape);
  }
  arr_release(c);
  return r;
}

/* ── power ──────────────────────────────────────────────────────────────────────────── */

static bool is_true(vm *v, arr *a, bool *truth) {
  int64_t n;
  if (!arg_int(v, a, &n, "the condition of ⍣")) return false;
  *truth = n == 1;
  return n == 0 || n == 1 ||
         err_set(v->c, ERR_DOMAIN, "the condition of ⍣ must be 0 or 1");
}

static arr *power_until(vm *v, fn *f, fn *g, arr *x, arr *y) {
  arr *now = arr_retain(y);
  for (bool done = false; !done;) {
    arr *next = interrupted(v->c) ? NULL : call2(v, f, x, now);
    arr *stop = next ? call2(v, g, next, now) : NULL;
    bool ok = stop && is_true(v, stop, &done);
    arr_release(stop);
    arr_release(now);
    now = next;
    if (ok) continue;
    arr_release(now);
    return NULL;
  }
  return now;
}

static arr *power_call(vm *v, fn *f, value k, arr *x, arr *y) {
  int64_t n;
  if (k.cls == C_FN) return power_until(v, f, k.f, x, y);
  return arg_int(v, k.a, &n, "the number of times") ? power_times(v, f, n, x, y) : NULL;
}

/* ── compositions ───────────────────────────────────────────────────────────────────── */

/* f (x g y), f g y, and so on: `inner` is consumed. */
static bool then(vm *v, fn *f, arr *x, arr *in, arr **r) {
  bool ok = in && call(v, f, x, in, r);
  arr_release(in);
  return ok;
}

static bool bind_or_beside(vm *v, fn *f, arr *x, arr *y, arr **r) {
  if (f->l.cls == C_FN && f->r.cls == C_FN)
    return then(v, f->l.f, x, call1(v, f->r.f, y), r);
  if (x)
    return err_set(v->c, ERR_SYNTAX,
                   "a function with a bound argument takes no left one");
  if (f->l.cls == C_ARR) return call(v, f->r.f, f->l.a, y, r);
  return call(v, f->l.f, y, f->r.a, r);
}

/* (f x) g y, (f y) g y. */
static bool behind(vm *v, fn *f, arr *x, arr *y, arr **r) {
  arr *left = f->l.cls == C_ARR ? arr_retain(f->l.a) : call1(v, f->l.f, x ? x : y);
  bool ok = left && (f->r.cls == C_FN
                         ? call(v, f->r.f, left, y, r)
                         : err_set(v->c, ERR_SYNTAX, "⍛ needs a function on its right"));
  arr_release(left);
  return ok;
}

static bool over(vm *v, fn *f, arr *x, arr *y, arr **r) {
  arr *b = call1(v, f->r.f, y), *a = b && x ? call1(v, f->r.f, x) : NULL;
  bool ok = b && (a || !x) && call(v, f->l.f, a, b, r);
  arr_release(a);
  arr_release(b);
  return ok;
}

static bool needs_left(vm *v, const arr *x) {
  return x || err_set(v->c, ERR_SYNTAX, "the derived function takes a left argument");
}

bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  fn *l = f->l.cls == C_FN ? f->l.f : NULL;
  switch (f->code) {
  case OP_EACH: return each(v, l, x, y, r);
  case OP_SELF:
    if (!l) return *r = arr_retain(f->l.a), true;
    return call(v, l, y, x ? x : y, r);
  case OP_QUAD_R:
  case OP_QUAD_S: return regex_call(v, f, x, y, r);
  case OP_OUTER: return needs_left(v, x) && (*r = outer(v, l, x, y));
  case OP_DOT: return needs_left(v, x) && (*r = inner(v, l, f->r.f, x, y));
  case OP_JOT: return bind_or_beside(v, f, x, y, r);
  case OP_BEHIND: return behind(v, f, x, y, r);
  case OP_OVER: return over(v, f, x, y, r);
  case OP_RANK:
    if (f->r.cls == C_FN) return then(v, l, NULL, call2(v, f->r.f, x, y), r);
    return (*r = rank_call(v, l, f->r.a, x, y)) != NULL;
  case OP_VARIANT: return call(v, l, x, y, r);
  case OP_KEY: return (*r = key_call(v, l, x, y)) != NULL;
  case OP_STENCIL:
    if (x) return err_set(v->c, ERR_SYNTAX, "⌺ takes no left argument");
    return (*r = stencil_call(v, l, f->r.a, y)) != NULL;
  case OP_AT: return (*r = at_call(v, f->l, f->r, x, y)) != NULL;
  case OP_POWER: return (*r = power_call(v, l, f->r, x, y)) != NULL;
  default: return (*r = fold_call(v, f, x, y)) != NULL;
  }
}
