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
 * Numbers are written down only where they are needed: of the target none are, at first, but the
 * formula that says what moves select of them (places.h); and the items of a nested array have
 * numbers of their own only once a function looks into them.
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
#include "../../prim/index.h"
#include "../../prim/places.h"
#include "../value/items.h"
#include "call.h"
#include "primitive.h"

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

static arr *number(positions *s, arr *x, int64_t up);

/* What stands for an item that is position n: that number, or the numbers of what is in it. */
static arr *number_item(positions *s, arr *item, int64_t n) {
  if (item->ref || is_simple_scalar(item)) return arr_int(s->v->c, n);
  return number(s, item, n);
}

static arr *number_items(positions *s, arr *x, int64_t base) {
  ctx *c = s->v->c;
  OWNED arr *r = arr_new(c, ET_NEST, x->rank, x->shape);
  OWNED arr *fill = arr_int(c, 0);
  if (!r || !fill) return NULL;
  arr **to = r->host;
  if (!x->count) to[0] = replace_leaves(s->v, arr_item(x, 0), fill);
  if (!x->count && !to[0]) return NULL;
  for (int64_t i = 0; i < x->count; i++) {
    to[i] = number_item(s, arr_item(x, i), base + i);
    if (!to[i] || stops_at(c, i)) return NULL;
  }
  return arr_squeeze(c, arr_move(&r));
}

/* The numbers of an array on a device: they are stored nowhere. */
static arr *number_there(const positions *s, const arr *x, int64_t base) {
  ir_call call = call_of(s->v);
  OWNED arr *count = arr_int(s->v->c, x->count);
  call.env.io = (int)base;
  OWNED arr *all = count ? ir_monadic(&call, P_IOTA, count) : NULL;
  return ir_reshape(&call, all, x->rank, x->shape);
}

/* x has the next positions. */
static bool add_array(positions *s, arr *x, int64_t up) {
  numbered k = {.base = s->next, .up = up, .x = x};
  if (!vec_push(s->v->c, &s->arrays, k)) return false;
  arr_retain(x);
  s->next += x->count;
  return true;
}

/* x's array of numbers, with those of its items. */
static arr *number(positions *s, arr *x, int64_t up) {
  size_t k = s->arrays.n;
  int64_t base = s->next;
  if (out_of_stack(s->v->c) || !add_array(s, x, up)) return NULL;
  OWNED arr *r = NULL;
  if (is_nested(x)) r = number_items(s, x, base);
  else if (!x->host) r = number_there(s, x, base);
  else {
    places all;
    places_all(&all, x, base);
    r = places_numbers(s->v->c, &all);
  }
  if (!r || !vec_push(s->v->c, &s->marks, ((mark){r, k}))) return NULL;
  s->arrays.at[k].numbers = arr_retain(r);
  return arr_move(&r);
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t)((const mark *)a)->numbers;
  uintptr_t y = (uintptr_t)((const mark *)b)->numbers;
  return (x > y) - (x < y);
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
  if (!s->marks.n) return NULL;
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

/* What stands for what is in place n of the target; 0: a fill. */
static arr *number_place(positions *s, int64_t n) {
  const arr *x = s->arrays.at[0].x;
  if (n && !is_nested(x)) return arr_int(s->v->c, n);
  if (n) return number_item(s, arr_item(x, n - 1), n);
  OWNED arr *zero = arr_int(s->v->c, 0);
  return zero ? replace_leaves(s->v, arr_item(x, 0), zero) : NULL;
}

/* What is selected so far: numbers, or one place of the target as a whole, or a formula that says
 * which (`to` is NULL). */
typedef struct selected {
  places by;
  arr *to;
  int64_t item; /* 0: it is no such place */
} selected;

static void sort_marks(positions *s) {
  if (s->marks.n) qsort(s->marks.at, s->marks.n, sizeof *s->marks.at, by_address);
}

/* The numbers themselves; NULL after an error. */
static arr *numbers_of(positions *s, selected *r) {
  if (r->to) return r->to;
  if (r->item) r->to = number_place(s, r->item);
  else r->to = places_numbers(s->v->c, &r->by);
  sort_marks(s);
  return r->to;
}

/* What stands for what is in the places `at` of the target, a vector. */
static arr *number_each(positions *s, arr *at) {
  ctx *c = s->v->c;
  OWNED arr *numbers = arr_convert(c, at, ET_I64);
  OWNED arr *r = numbers ? arr_new_items(c, 1, &at->count) : NULL;
  for (int64_t i = 0; r && i < at->count; i++) {
    arr *one = number_place(s, ((int64_t *)numbers->host)[i]);
    ((arr **)r->host)[i] = one;
    if (!one || stops_at(c, i)) return NULL;
  }
  sort_marks(s);
  return arr_squeeze(c, arr_move(&r));
}

/* The same for what looks into items: places of the target become the numbers of what is in them, the
 * same ones for the same place. */
static arr *numbers_inside(positions *s, selected *r) {
  prim_env pe = env_of(s->v);
  if (!numbers_of(s, r) || !is_nested(s->arrays.at[0].x)) return r->to;
  if (!ir_host(s->v->g, r->to)) return NULL;
  if (s->arrays.n > 1 || is_nested(r->to) || !r->to->count) return r->to;
  pe.io = 1;
  OWNED arr *line = prim_ravel(&pe, r->to);
  OWNED arr *once = line ? prim_monadic(&pe, P_UNION, line) : NULL;
  OWNED arr *which = once ? prim_dyadic(&pe, P_IOTA, once, r->to) : NULL;
  OWNED arr *items = which ? number_each(s, once) : NULL;
  arr *inside = items ? prim_index(&pe, items, 1, &which) : NULL;
  if (!inside) return NULL;
  arr_release(r->to);
  return r->to = inside;
}

/* What a function selected, not to stand for any position as a whole; consumes r, NULL stays
 * NULL. */
static arr *select_parts(const positions *s, arr *r) {
  if (!r || !numbered_of(s, r)) return r;
  OWNED arr *zero = arr_int(s->v->c, 0);
  arr *copy = NULL;
  if (r->host) copy = arr_reshape(s->v->c, r, r->rank, r->shape);
  else if (zero) copy = prim2(s->v, P_PLUS, r, zero);
  arr_release(r);
  return copy;
}

static arr *select_apply(positions *s, fn *f, arr *x, arr *y, bool *whole);
static bool select_in(positions *s, const bnode *b, selected *r, bool *whole);

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
  *whole = fn_is(f, P_PICK) && prim_in_force(s->v, P_PICK, x != NULL) == P_PICK;
  if (f->kind == F_DERIVED) return select_each(s, f->l.f, x, y);
  arr *r = call2(s->v, f, x, y);
  return *whole ? r : select_parts(s, r);
}

/* r becomes `to`, which is taken over. */
static bool select_becomes(selected *r, arr *to) {
  if (!to) return false;
  arr_release(r->to);
  r->to = to;
  return true;
}

/* r[at[0];…] of a formula r; NULL without an error: it is for numbers. */
static arr *index_formula(positions *s, const selected *r, const indices *ix) {
  prim_env pe = env_of(s->v);
  bool alone = ix->n == 1;
  if (r->to || r->item || (alone && !ix->at[0]) || !indices_host(s->v, ix)) return NULL;
  if (alone && is_nested(ix->at[0])) return places_try_choose(&pe, &r->by, ix->at[0]);
  return places_index(&pe, &r->by, ix->n, ix->at);
}

static bool select_places(positions *s, const indices *ix, selected *r) {
  arr *to = index_formula(s, r, ix);
  if (to || err_is(s->v->c)) return select_becomes(r, to);
  bool inside = ix->n == 1 && ix->at[0] && is_nested(ix->at[0]);
  arr *y = inside ? numbers_inside(s, r) : numbers_of(s, r);
  return y && select_becomes(r, select_parts(s, index_of(s->v, y, ix->n, ix->at)));
}

static bool select_index(positions *s, const bnode *b, selected *r) {
  OWNED_INDICES indices ix;
  bool whole;
  if (!indices_of(s->v, s->e, b, &ix) || !indices_box(s->v, &ix)) return false;
  if (!select_in(s, b->kid[0], r, &whole)) return false;
  s->v->at = span_in(s->e, b->begin, b->end);
  return select_places(s, &ix, r);
}

/* f r or x f r of a formula r; false, often without an error: it is for numbers. */
static bool select_by_formula(positions *s, const fn *f, arr *x, selected *r,
                              bool *whole) {
  vm *v = s->v;
  prim_env pe = env_of(v);
  if (r->to || r->item || f->kind != F_PRIM || (x && !ir_host(v->g, x))) return false;
  prim p = prim_in_force(v, (prim)f->prim, x != NULL);
  int64_t n;
  switch (p) {
  case P_RIGHT: return true;
  case P_SQUAD: return select_becomes(r, places_squad(&pe, &r->by, x));
  case P_PICK:
    if (x ? !places_pick(&pe, &r->by, x, &n) : !r->by.count) return false;
    r->item = x ? n : places_at(&r->by, 0);
    return *whole = true;
  case P_TAKE:
  case P_DROP:
  case P_RHO:
  case P_COMMA:
  case P_COMMA1:
  case P_REVERSE:
  case P_REVERSE1:
  case P_TRANSPOSE:
    if (x && (p == P_REVERSE || p == P_REVERSE1)) return false;
    return places_try_move(&pe, &r->by, p, x);
  default: return false;
  }
}

static bool select_step(positions *s, const step *st, selected *r, bool *whole) {
  vm *v = s->v;
  OWNED arr *x = NULL;
  OWNED_VALUE value f = {0};
  *whole = false;
  if (st->kind > S_DYADIC)
    return err_set(v->c, ERR_SYNTAX, "a selection assigns nothing");
  if (st->x) x = eval_arr(v, s->e, st->x);
  if ((st->x && !x) || !eval(v, s->e, st->f, &f)) return false;
  if (!selects(f.f, x != NULL))
    return err_set(v->c, ERR_SYNTAX, "this function selects nothing");
  v->at = span_in(s->e, st->begin, st->end);
  if (select_by_formula(s, f.f, x, r, whole)) return true;
  if (err_is(v->c)) return false;
  bool inside = f.f->kind == F_DERIVED || fn_is(f.f, P_PICK) || fn_is(f.f, P_MEMBER);
  arr *y = inside ? numbers_inside(s, r) : numbers_of(s, r);
  return y && select_becomes(r, select_apply(s, f.f, x, y, whole));
}

/* Does a step pick an item of the nested target first, so that nothing else of it changes? */
static bool picks_first(const positions *s, const bnode *b) {
  bool base = b->kid[0]->kind == B_NAME || b->kid[0]->kind == B_MEMBER;
  const step *st = b->step;
  if (!base || st->kind != S_DYADIC || !s->of->host || !arr_nests(s->of)) return false;
  return st->f->kind == B_CONST && fn_is(st->f->val.f, P_PICK);
}

/* All of the target x. */
static bool select_all(positions *s, arr *x, selected *r) {
  if (!add_array(s, x, 0)) return false;
  if (x->host) {
    places_all(&r->by, x, 1);
    return true;
  }
  r->to = number_there(s, x, 1);
  if (!r->to || !vec_push(s->v->c, &s->marks, ((mark){r->to, 0}))) return false;
  s->arrays.at[0].numbers = arr_retain(r->to);
  return true;
}

/* The item that the step picks. */
static bool select_picked(positions *s, const step *st, selected *r) {
  vm *v = s->v;
  s->path = eval_arr(v, s->e, st->x);
  if (!s->path) return false;
  v->at = span_in(s->e, st->begin, st->end);
  OWNED arr *item = prim2(v, P_PICK, s->path, s->of);
  return item && select_all(s, item, r);
}

static bool select_steps(positions *s, const bnode *b, selected *r, bool *whole) {
  uint32_t i = picks_first(s, b);
  bool ok = i ? select_picked(s, b->step, r) : select_in(s, b->kid[0], r, whole);
  if (i && !ok) err_at(s->v->c, span_in(s->e, b->step->begin, b->step->end));
  *whole |= i;
  for (; i < b->n && ok; i++) {
    ok = select_step(s, &b->step[i], r, whole);
    if (!ok) err_at(s->v->c, span_in(s->e, b->step[i].begin, b->step[i].end));
  }
  return ok;
}

/* Is it the name that the selection ends in? */
static bool is_named(const bnode *b) {
  return b->kind == B_NAME || b->kind == B_NILADIC || b->kind == B_MEMBER;
}

static bool select_in(positions *s, const bnode *b, selected *r, bool *whole) {
  *whole = false;
  if (is_named(b)) return select_all(s, s->of, r);
  if (b->kind == B_INDEX) return select_index(s, b, r) || fail_at(s->v, s->e, b);
  if (b->kind == B_CHAIN) return select_steps(s, b, r, whole);
  return fail_node(s->v, s->e, b, ERR_SYNTAX, "it selects from no name");
}

/* Nothing but a name, or an item: the target as a whole. */
static bool mark_target(positions *s, selected *r) {
  numbered *root = &s->arrays.at[0];
  if (r->to || r->item) return true;
  if (!numbers_of(s, r) || !vec_push(s->v->c, &s->marks, ((mark){r->to, 0})))
    return false;
  root->numbers = arr_retain(r->to);
  return true;
}

static arr *selected_numbers(positions *s, bool ok, selected *r) {
  if (ok && r->item && !r->to) return arr_int(s->v->c, r->item);
  if (ok && numbers_of(s, r)) return r->to;
  arr_release(r->to);
  return NULL;
}

arr *select_from(positions *s, const bnode *b, bool *whole) {
  selected r = {.to = NULL};
  bool name = is_named(b);
  bool ok = select_in(s, b, &r, whole) && (!(name || *whole) || mark_target(s, &r));
  return selected_numbers(s, ok, &r);
}

arr *select_at(positions *s, const indices *ix) {
  selected r = {.to = NULL};
  bool ok = select_all(s, s->of, &r) && select_places(s, ix, &r);
  return selected_numbers(s, ok, &r);
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

/* The deepest arrays go into theirs first; those of the target's items are left. */
static bool positions_join(positions *s) {
  prim_env pe = env_of(s->v);
  for (size_t k = s->arrays.n; k-- > 0;) {
    numbered *t = &s->arrays.at[k];
    int64_t i;
    if (!t->changed) continue;
    arr *x = arr_squeeze(s->v->c, arr_retain(t->x));
    if (!x) return false;
    arr_release(t->x);
    t->x = x;
    numbered *up = t->up ? position_at(s, t->up, &i) : NULL;
    if (!up || up == s->arrays.at) continue;
    if (!prim_put_item(&pe, &up->x, i, x)) return false;
    up->changed = true;
  }
  return true;
}

/* Is array k an item of the target that is new? */
static bool is_new_item(const positions *s, size_t k) {
  const numbered *t = &s->arrays.at[k];
  return t->changed && t->up && t->up < s->arrays.at[1].base;
}

/* The places of the new items, and in *items they themselves; there is one at least. */
static arr *new_items(const positions *s, int64_t n, arr **items) {
  OWNED arr *at = arr_vec(s->v->c, ET_I64, n);
  *items = arr_vec(s->v->c, ET_NEST, n);
  if (!at || !*items) return NULL;
  n = 0;
  for (size_t k = 1; k < s->arrays.n; k++) {
    if (!is_new_item(s, k)) continue;
    ((arr **)(*items)->host)[n] = arr_retain(s->arrays.at[k].x);
    ((int64_t *)at->host)[n++] = s->arrays.at[k].up;
  }
  return arr_move(&at);
}

bool positions_give(positions *s, arr *to, bool whole, fn *f, arr *val, arr **at,
                    arr **values) {
  numbered *root = &s->arrays.at[0];
  prim_env pe = env_of(s->v);
  OWNED arr *where = NULL, *items = NULL;
  int64_t n = 0;
  pe.io = 1;
  if (!put_positions(s, to, whole, f, val) || !positions_join(s)) return false;
  for (size_t k = 1; k < s->arrays.n; k++) n += is_new_item(s, k);
  if (n) where = new_items(s, n, &items);
  if (n && !where) return false;
  if (n && root->changed && !prim_ravel_put(&pe, &root->x, where, items)) return false;
  bool all = root->changed || !n;
  if (!all) *at = arr_move(&where);
  *values = all ? arr_retain(root->x) : arr_move(&items);
  return true;
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

bool put_in_order(vm *v, arr **flat, arr *to, fn *f, arr *val) {
  prim_env pe = env_of(v);
  OWNED arr *numbers = arr_convert(v->c, to, ET_I64);
  if (!numbers) return false;
  for (int64_t i = 0; i < to->count; i++) {
    int64_t at = ((int64_t *)numbers->host)[i] - 1;
    OWNED arr *old = arr_scalar_at(v->c, *flat, at), *one = value_at(v->c, val, i);
    OWNED arr *new = old &&one ? new_value(v, f, old, one) : NULL;
    if (!new || !prim_put_item(&pe, flat, at, new) || interrupted(v->c)) return false;
  }
  return true;
}

/* ── for assign.c ───────────────────────────────────────────────────────────────────── */

bool positions_plain(const positions *s, const arr *to) {
  return s->arrays.n == 1 && !is_nested(to);
}

int64_t positions_whole(const positions *s, const arr *to, bool whole) {
  const numbered *t = numbered_of(s, to);
  int64_t n = 0;
  if (t) n = t->up;
  else if (whole && is_simple_scalar(to)) n = arr_get_int(to, 0);
  bool inner = s->arrays.n > 1 && n >= s->arrays.at[1].base;
  return inner ? 0 : n;
}

void positions_let_go(positions *s) {
  arr_release(s->of);
  s->of = NULL;
  for (size_t k = 0; k < s->arrays.n; k++) {
    arr_release(s->arrays.at[k].x);
    s->arrays.at[k].x = NULL;
  }
}
