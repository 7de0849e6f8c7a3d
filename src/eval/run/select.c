/* SPDX-License-Identifier: MIT */
/* select.c - selective assignment: (selection)←, and x[i]f← of many elements.
 *
 * The selection runs on an array of numbers instead of the name's array. Every element of that
 * array, and of its items at any depth, is a position and has a number; `arrays` lists
 * those they are in. For x←1 'abc' (2 'de'):
 *
 *   numbers  1  4 5 6  (7  9 10)
 *   arrays   x: 1…3, 'abc': 4…6, (2 'de'): 7 8, 'de': 9 10
 *
 * What comes out says where the values go. A number is a position; an item that is still the
 * very array of numbers made for a position (`marks` knows them by their addresses) means that
 * position as a whole; any other item was made by the selection, and the value goes into it
 * element by element. A function that hands its argument through, as , does with a vector,
 * would give the very array too: its result is copied. Only what ⊃ picks is not, for that is
 * replaced as a whole. Fills are number 0, and what is assigned to them is lost. */
#include "select.h"
#include <stdlib.h>
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../array/match.h"
#include "../../base/arith.h"
#include "../../prim/index.h"
#include "../../prim/scalar.h"
#include "../value/items.h"
#include "call.h"
#include "primitive.h"

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

static arr *number(positions *s, arr *x, int64_t up, bool deep_too);

static arr *number_items(positions *s, arr *x, int64_t base, bool deep_too) {
  ctx *c = s->v->c;
  OWNED arr *r = arr_new(c, ET_NEST, x->rank, x->shape);
  OWNED arr *fill = arr_int(c, 0);
  if (!r || !fill) return NULL;
  arr **to = r->host;
  if (!x->count) to[0] = replace_leaves(s->v, arr_item(x, 0), fill);
  if (!x->count && !to[0]) return NULL;
  for (int64_t i = 0; i < x->count; i++) {
    arr *item = arr_item(x, i);
    if (!deep_too || item->ref || is_simple_scalar(item)) to[i] = arr_int(c, base + i);
    else to[i] = number(s, item, base + i, true);
    if (!to[i]) return NULL;
  }
  return arr_squeeze(c, arr_move(&r));
}

/* The same of an array on a device: they are stored nowhere. */
static arr *number_there(positions *s, arr *x, int64_t base) {
  ir_call call = call_of(s->v);
  OWNED arr *count = arr_int(s->v->c, x->count);
  OWNED arr *shape = arr_int_vec(s->v->c, x->rank, x->shape);
  call.env.io = (int)base;
  OWNED arr *all = count && shape ? ir_monadic(&call, P_IOTA, count) : NULL;
  return ir_dyadic(&call, P_RHO, shape, all);
}

static arr *number_simple(positions *s, const arr *x, int64_t base) {
  int64_t n = x->count;
  OWNED arr *r = arr_new(s->v->c, elt_for_range(0, base + n), x->rank, x->shape);
  if (!r || !prim_put_numbers(r, base)) return NULL;
  if (n) arr_set_range(r, base, base + n - 1);
  else arr_set_range(r, 0, 0);
  return arr_move(&r);
}

/* x's array of numbers; the items are positions of their own if deep_too. */
static arr *number(positions *s, arr *x, int64_t up, bool deep_too) {
  ctx *c = s->v->c;
  size_t k = s->arrays.n;
  int64_t base = s->next;
  if (out_of_stack(s->v->c)) return NULL;
  if (!vec_push(c, &s->arrays, ((numbered){.base = base, .up = up, .x = x}))) return NULL;
  arr_retain(x);
  s->next += x->count;
  OWNED arr *r = NULL;
  if (is_nested(x)) r = number_items(s, x, base, deep_too);
  else if (!x->host) r = number_there(s, x, base);
  else r = number_simple(s, x, base);
  if (!r || !vec_push(c, &s->marks, ((mark){r, k}))) return NULL;
  s->arrays.at[k].numbers = arr_retain(r);
  return arr_move(&r);
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)((const mark *)a)->numbers;
  uintptr_t y = (uintptr_t)((const mark *)b)->numbers;
  return (x > y) - (x < y);
}

static bool number_target(positions *s, arr *x, bool deep_too) {
  OWNED arr *root = number(s, x, 0, deep_too);
  if (!root) return false;
  qsort(s->marks.at, s->marks.n, sizeof *s->marks.at, by_address);
  return true;
}

bool positions_new(positions *s, vm *v, env *e, arr *x, bool deep_too) {
  *s = (positions){.v = v, .e = e, .next = 1};
  return number_target(s, x, deep_too);
}

void positions_of(positions *s, vm *v, env *e, arr *x) {
  *s = (positions){.v = v, .e = e, .next = 1, .of = arr_retain(x)};
}

void positions_free(positions *s) {
  arr_release(s->of);
  arr_release(s->path);
  for (size_t i = 0; i < s->arrays.n; i++) {
    arr_release(s->arrays.at[i].x);
    arr_release(s->arrays.at[i].numbers);
  }
  if (!s->v) return;
  vec_free(s->v->c, &s->arrays);
  vec_free(s->v->c, &s->marks);
}

/* The array whose numbers these are, the very array that was made of them; NULL: none's. */
static numbered *numbered_of(const positions *s, const arr *a) {
  mark key = {.numbers = a};
  const mark *m = bsearch(&key, s->marks.at, s->marks.n, sizeof key, by_address);
  return m ? &s->arrays.at[m->array] : NULL;
}

/* The array that position n, from 1, is in, and its index there. */
static numbered *position_at(const positions *s, int64_t n, int64_t *i) {
  size_t lo = 0, hi = s->arrays.n;
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (s->arrays.at[mid].base <= n) lo = mid;
    else hi = mid;
  }
  *i = n - s->arrays.at[lo].base;
  return &s->arrays.at[lo];
}

/* ── the selection ──────────────────────────────────────────────────────────────────── */

/* Does the function move elements and nothing else? */
static bool selects(const fn *f, bool dyadic) {
  if (f->kind == F_REPLICATE) return dyadic;
  if (f->kind == F_AXIS) return selects(f->l.f, dyadic);
  if (f->kind == F_DERIVED) return f->code == OP_EACH && selects(f->l.f, dyadic);
  if (f->kind != F_PRIM) return false;
  switch ((prim)f->prim) {
  case P_PICK:
  case P_REVERSE:
  case P_REVERSE1:
  case P_TRANSPOSE: return true;
  case P_TAKE:
  case P_DROP:
  case P_RHO:
  case P_SQUAD: return dyadic;
  case P_COMMA:
  case P_COMMA1:
  case P_MEMBER:
  case P_RIGHT: return !dyadic;
  default: return false;
  }
}

arr *select_parts(const positions *s, arr *r) {
  if (!r || !numbered_of(s, r)) return r;
  OWNED arr *zero = arr_int(s->v->c, 0);
  arr *copy = NULL;
  if (r->host) copy = arr_reshape(s->v->c, r, r->rank, r->shape);
  else if (zero) copy = prim2(s->v, P_PLUS, r, zero);
  arr_release(r);
  return copy;
}

static arr *select_apply(positions *s, fn *f, arr *x, arr *y, bool *whole);

/* Element i of a, or its only one. */
static arr *value_at(ctx *c, const arr *a, int64_t i) {
  return arr_scalar_at(c, a, a->count == 1 ? 0 : i);
}

/* f of item i of y, and of x if there is one; an argument of one item is that for all. */
static arr *select_item(positions *s, fn *f, arr *x, arr *y, int64_t i) {
  ctx *c = s->v->c;
  bool whole;
  OWNED arr *b = value_at(c, y, i);
  if (!b) return NULL;
  OWNED arr *a = NULL;
  if (x) a = value_at(c, x, i);
  if (x && !a) return NULL;
  OWNED arr *r = select_apply(s, f, a, b, &whole);
  if (!r || !ir_host(s->v->g, r) || interrupted(s->v->c)) return NULL;
  return arr_move(&r);
}

/* x f¨ y, item by item, for what an item's result stands for depends on f. */
static arr *select_each(positions *s, fn *f, arr *x, arr *y) {
  vm *v = s->v;
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return NULL;
  const arr *like = x && x->count != 1 && y->count == 1 ? x : y;
  bool spread = x && (x->count == 1 || y->count == 1);
  if (x && !spread && !arr_same_shape(x, y)) {
    int code = x->rank != y->rank ? ERR_RANK : ERR_LENGTH;
    return err_null(v->c, code, "the arguments' shapes differ");
  }
  if (!like->count) return arr_vec(v->c, ET_BIT, 0);
  OWNED arr *r = arr_new(v->c, ET_NEST, like->rank, like->shape);
  for (int64_t i = 0; r && i < like->count; i++) {
    arr *item = select_item(s, f, x, y, i);
    if (!item) return NULL;
    ((arr **)r->host)[i] = item;
  }
  return arr_squeeze(v->c, arr_move(&r));
}

static arr *select_apply(positions *s, fn *f, arr *x, arr *y, bool *whole) {
  *whole = fn_is(f, P_PICK);
  if (f->kind == F_DERIVED) return select_each(s, f->l.f, x, y);
  arr *r = call2(s->v, f, x, y);
  return *whole ? r : select_parts(s, r);
}

static arr *select_index(positions *s, const bnode *b) {
  OWNED_INDICES indices ix;
  bool whole;
  if (!indices_of(s->v, s->e, b, &ix) || !indices_box(s->v, &ix)) return NULL;
  OWNED arr *y = select_from(s, b->kid[0], &whole);
  if (!y) return NULL;
  s->v->at = span_in(s->e, b->begin, b->end);
  return select_parts(s, index_of(s->v, y, ix.n, ix.at));
}

static arr *select_step(positions *s, const step *st, arr *y, bool *whole) {
  vm *v = s->v;
  OWNED arr *x = NULL;
  OWNED_VALUE value f = {0};
  if (st->kind > S_DYADIC)
    return err_null(v->c, ERR_SYNTAX, "a selection assigns nothing");
  if (st->x) x = eval_arr(v, s->e, st->x);
  if ((st->x && !x) || !eval(v, s->e, st->f, &f)) return NULL;
  if (!selects(f.f, x != NULL))
    return err_null(v->c, ERR_SYNTAX, "this function selects nothing");
  v->at = span_in(s->e, st->begin, st->end);
  return select_apply(s, f.f, x, y, whole);
}

/* Does a step pick an item of the nested target first, so that nothing else of it changes? */
static bool picks_first(const positions *s, const bnode *b) {
  bool base = b->kid[0]->kind == B_NAME || b->kid[0]->kind == B_MEMBER;
  const step *st = b->step;
  if (!base || st->kind != S_DYADIC || !s->of || !s->of->host || !arr_nests(s->of))
    return false;
  return st->f->kind == B_CONST && fn_is(st->f->val.f, P_PICK);
}

/* The numbers of the item that the step picks. */
static arr *select_picked(positions *s, const step *st) {
  vm *v = s->v;
  s->path = eval_arr(v, s->e, st->x);
  if (!s->path) return NULL;
  v->at = span_in(s->e, st->begin, st->end);
  OWNED arr *item = prim2(v, P_PICK, s->path, s->of);
  if (!item || !number_target(s, item, true)) return NULL;
  return arr_retain(positions_root(s));
}

arr *select_from(positions *s, const bnode *b, bool *whole) {
  *whole = false;
  if (b->kind == B_NAME || b->kind == B_MEMBER) {
    if (s->of && !number_target(s, s->of, true)) return NULL;
    return arr_retain(positions_root(s));
  }
  if (b->kind == B_INDEX) {
    arr *r = select_index(s, b);
    if (!r) fail_at(s->v, s->e, b);
    return r;
  }
  if (b->kind != B_CHAIN) {
    fail_node(s->v, s->e, b, ERR_SYNTAX, "it selects from no name");
    return NULL;
  }
  uint32_t i = picks_first(s, b);
  OWNED arr *r = i ? select_picked(s, b->step) : select_from(s, b->kid[0], whole);
  if (i && !r) err_at(s->v->c, span_in(s->e, b->step->begin, b->step->end));
  *whole |= i;
  for (; i < b->n && r; i++) {
    arr *next = select_step(s, &b->step[i], r, whole);
    if (!next) err_at(s->v->c, span_in(s->e, b->step[i].begin, b->step[i].end));
    arr_release(r);
    r = next;
  }
  return arr_move(&r);
}

/* ── values, position by position ───────────────────────────────────────────────────────────── */

/* What becomes of a place that holds `old`. */
static arr *new_value(vm *v, fn *f, arr *old, arr *val) {
  OWNED arr *r = NULL;
  if (f) r = call2(v, f, old, val);
  else r = arr_retain(val);
  if (!r || !ir_host(v->g, r)) return NULL;
  return arr_move(&r);
}

static bool put_position(positions *s, int64_t n, fn *f, arr *val) {
  vm *v = s->v;
  prim_env pe = env_of(v);
  int64_t i;
  if (n <= 0) return true; /* a fill */
  numbered *t = position_at(s, n, &i);
  OWNED arr *old = NULL;
  if (f) old = arr_scalar_at(v->c, t->x, i);
  if (f && !old) return false;
  OWNED arr *new = new_value(v, f, old, val);
  if (!new || !prim_put_item(&pe, &t->x, i, new)) return false;
  t->changed = true;
  return !interrupted(v->c);
}

static bool put_target(positions *s, fn *f, arr *val) {
  numbered *t = &s->arrays.at[0];
  arr *new = new_value(s->v, f, t->x, val);
  if (!new) return false;
  arr_release(t->x);
  t->x = new;
  t->changed = true;
  return !interrupted(s->v->c);
}

/* Gives val to the places that `to` names. */
static bool put_positions(positions *s, arr *to, bool whole, fn *f, arr *val) {
  vm *v = s->v;
  prim_env pe = env_of(v);
  if (out_of_stack(v->c) || !ir_host(v->g, to)) return false;
  const numbered *t = numbered_of(s, to);
  if (t && !t->up) return put_target(s, f, val);
  if (t) return put_position(s, t->up, f, val);
  if (whole && is_simple_scalar(to)) return put_position(s, arr_get_int(to, 0), f, val);
  if (!prim_conforms(&pe, to->rank, to->shape, val)) return false;
  for (int64_t i = 0; i < to->count; i++) {
    OWNED arr *one = value_at(v->c, val, i);
    if (!one) return false;
    bool ok;
    if (is_nested(to)) {
      arr *item = arr_item(to, i);
      ok = put_positions(s, item, is_simple_scalar(item), f, one);
    } else ok = put_position(s, arr_get_int(to, i), f, one);
    if (!ok) return false;
  }
  return true;
}

/* The target with all that was given to its positions: the deepest arrays go into theirs
 * first. */
static arr *positions_join(positions *s) {
  prim_env pe = env_of(s->v);
  for (size_t k = s->arrays.n; k-- > 0;) {
    numbered *t = &s->arrays.at[k];
    int64_t i;
    if (!t->changed) continue;
    arr *x = arr_squeeze(s->v->c, arr_retain(t->x));
    if (!x) return NULL;
    arr_release(t->x);
    t->x = x;
    if (!t->up) continue;
    numbered *up = position_at(s, t->up, &i);
    if (!prim_put_item(&pe, &up->x, i, x)) return NULL;
    up->changed = true;
  }
  return arr_retain(s->arrays.at[0].x);
}

/* ── values, all at once ────────────────────────────────────────────────────────────── */

/* flat[to]←val, or flat[to] f val; `to` from 1, vectors all. */
static bool put_turn(vm *v, arr **flat, arr *to, fn *f, arr *val) {
  prim_env pe = env_of(v);
  pe.io = 1;
  OWNED arr *old = NULL;
  if (f) old = prim_index(&pe, *flat, 1, &to);
  if (f && !old) return false;
  OWNED arr *new = new_value(v, f, old, val);
  return new &&prim_index_put(&pe, flat, 1, &to, new);
}

/* Elements at[0] … at[n-1] of a, or its only one. */
static arr *some_of(vm *v, arr *a, const int64_t *at, int64_t n) {
  if (a->count == 1) return arr_retain(a);
  arr *r = arr_vec(v->c, (elt)a->type, n);
  for (int64_t i = 0; r && i < n; i++) arr_copy(r, i, a, at[i], 1);
  return r;
}

/* The m places in `to` by turns: first all that are named the first time, then those that are
 * named the second time, and so on. Turn k is order[start[k]] … order[start[k+1]-1]. */
typedef struct turns {
  int64_t n, *start, *order;
} turns;

/* mem: size n+1 + 3×(m+2), zeros. */
static turns turns_of(const arr *to, int64_t n, int64_t *mem) {
  int64_t m = to->count, *seen = mem, *turn = seen + n + 1, *next = turn + m;
  turns t = {0, NULL, next + m + 2};
  for (int64_t i = 0; i < m; i++) {
    turn[i] = seen[arr_get_int(to, i)]++;
    if (turn[i] >= t.n) t.n = turn[i] + 1;
    next[turn[i] + 2]++;
  }
  for (int64_t k = 2; k <= t.n; k++) next[k] += next[k - 1];
  for (int64_t i = 0; i < m; i++) t.order[next[turn[i] + 1]++] = i;
  t.start = next;
  return t;
}

/* A scalar function takes elements in any order, but not those at one place. */
bool put_by_turns(vm *v, arr **flat, arr *to, fn *f, arr *val) {
  int64_t n = (*flat)->count, m = to->count;
  int64_t *mem = mem_zalloc(v->c, (size_t)(n + 1 + 3 * (m + 2)) * sizeof *mem);
  if (!mem) return false;
  turns t = turns_of(to, n, mem);
  bool ok = true;
  for (int64_t k = 0; ok && k < t.n; k++) {
    const int64_t *at = t.order + t.start[k];
    int64_t count = t.start[k + 1] - t.start[k];
    OWNED arr *part = some_of(v, to, at, count);
    OWNED arr *vals = part ? some_of(v, val, at, count) : NULL;
    ok = vals && put_turn(v, flat, part, f, vals) && !interrupted(v->c);
  }
  mem_free(v->c, mem);
  return ok;
}

bool positions_scatter(const positions *s, const arr *to, const fn *f) {
  int64_t lo = 1, hi;
  if (is_nested(s->arrays.at[0].x) || is_nested(to)) return false;
  if (f && !fn_is_scalar(f, true)) return false;
  if (to->has_range && to->lo > 0) return true;
  if (to->count) sc_bounds(to, &lo, &hi);
  return lo > 0;
}

static arr *scatter(positions *s, arr *to, fn *f, arr *val) {
  vm *v = s->v;
  arr *x = s->arrays.at[0].x;
  prim_env pe = env_of(v);
  if (!prim_conforms(&pe, to->rank, to->shape, val)) return NULL;
  OWNED arr *flat = arr_reshape(v->c, x, 1, &x->count);
  OWNED arr *at = prim_ravel(&pe, to);
  OWNED arr *vals = prim_ravel(&pe, val);
  if (!flat || !at || !vals) return NULL;
  bool ok;
  if (f) ok = put_by_turns(v, &flat, at, f, vals);
  else ok = put_turn(v, &flat, at, NULL, vals);
  if (!ok) return NULL;
  return x->rank == 1 ? arr_move(&flat) : arr_reshape(v->c, flat, x->rank, x->shape);
}

arr *positions_give(positions *s, arr *to, bool whole, fn *f, arr *val) {
  if (!ir_host(s->v->g, to) || !ir_host(s->v->g, val)) return NULL;
  if (!whole && positions_scatter(s, to, f)) return scatter(s, to, f, val);
  if (!put_positions(s, to, whole, f, val)) return NULL;
  return positions_join(s);
}
