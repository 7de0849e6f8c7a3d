/* SPDX-License-Identifier: MIT */
/* assign.c - the forms of assignment: x←, a b←, x f←, x[i]←, (selection)←, and their
 * mixtures.
 *
 * x[i]←v writes into x itself where nothing else holds it, so that loops of it are linear.
 *
 * Selective assignment runs the selection on an array of slot numbers. Every element of the
 * name's array, and of its items at any depth, is a slot; `trees` lists the arrays they are
 * in. For x←1 'abc' (2 'de'):
 *
 *   numbers  1  4 5 6  (7  9 10)
 *   trees    x: 1…3, 'abc': 4…6, (2 'de'): 7 8, 'de': 9 10
 *
 * What comes out says where the values go. A number is a slot; an item that is still the very
 * array of numbers made for a slot (it carries a mark) means that slot as a whole; any other
 * item was made by the selection, and the value goes into it element by element. A function
 * that hands its argument through, as , does with a vector, would keep the mark: its result is
 * copied, which drops it. Only what ⊃ picks keeps it, for that is replaced as a whole. Fills
 * are slot 0, and what is assigned to them is lost. */
#include <string.h>
#include "../oper/oper.h"
#include "../system/system.h"
#include "../value/items.h"
#include "call.h"
#include "eval.h"
#include "primitive.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/index.h"

static const bnode *name_of(const bnode *b) { /* the name that a target changes */
  while (b->kind != G_NAME && b->kind != B_NAME) b = b->kid[0];
  return b;
}

/* ── the array that a target is part of ─────────────────────────────────────────────── */

typedef struct place { /* where a name was found, and the array there */
  const bnode *name;
  env *where;
  uint32_t index;
  value *at;
} place;

static bool place_find(vm *v, env *e, const bnode *target, place *p) {
  p->name = name_of(target);
  p->at = name_locate(e, p->name->s, p->name->slot, &p->where, &p->index);
  if (p->at->cls == C_ARR) return ir_host(v->g, p->at->a);
  if (!p->at->cls) err_set(v->c, ERR_VALUE, "%s has no value", p->name->s->text);
  return fail_node(v, e, p->name, ERR_SYNTAX, "it is not an array");
}

/* Once this is true the array may be written over: nothing needs what it was. */
static bool place_own(vm *v, env *e, const place *p) {
  return name_quiet(v, e, p->where) || verify(v);
}

/* ── slots ──────────────────────────────────────────────────────────────────────────── */

typedef struct tree_of { /* one array of the target */
  int64_t base, up;      /* its first slot; the slot that it fills, 0: it is the target */
  arr *x;                /* what it is by now */
  bool changed;
} tree_of;

typedef struct slots {
  vm *v;
  env *e;
  const sym *name;
  int64_t next;
  arr *root; /* of numbers */
  VEC(tree_of) trees;
} slots;

/* Which tree's numbers are these, as they were made? -1: none's. The mark is kept in a
 * field that means nothing where there is no foreign memory, and that no copy takes over.
 */
static int64_t marked(const arr *a) {
  return a->drop ? -1 : (int64_t)(intptr_t)a->drop_user - 1;
}
static void mark(arr *a, int64_t k) { a->drop_user = (void *)(intptr_t)(k + 1); }

static arr *number(slots *s, arr *x, int64_t up, bool deep_too);

static arr *number_items(slots *s, arr *x, int64_t base, bool deep_too) {
  arr *r = arr_new(s->v->c, ET_NEST, x->rank, x->shape), *fill = arr_int(s->v->c, 0);
  if (!fill) return arr_release(r), NULL;
  for (int64_t i = 0; r && i < x->count + !x->count; i++) {
    arr *item = arr_item(x, i), *n;
    if (!x->count) n = replace_leaves(s->v, item, fill);
    else if (!deep_too || (!item->rank && !is_nested(item)))
      n = arr_int(s->v->c, base + i);
    else n = number(s, item, base + i, true);
    ((arr **)r->host)[i] = n;
    if (n) continue;
    arr_release(r);
    r = NULL;
  }
  arr_release(fill);
  return r ? arr_squeeze(s->v->c, r) : NULL;
}

/* x's array of numbers; the items are slots of their own if deep_too. */
static arr *number(slots *s, arr *x, int64_t up, bool deep_too) {
  int64_t k = (int64_t)s->trees.n, base = s->next;
  arr *r = NULL;
  if (deep(s->v)) return NULL;
  if (!vec_push(s->v->c, &s->trees, ((tree_of){base, up, x, false}))) return NULL;
  arr_retain(x);
  s->next += x->count;
  if (is_nested(x)) r = number_items(s, x, base, deep_too);
  else if ((r = arr_new(s->v->c, elt_for_range(0, base + x->count), x->rank, x->shape))) {
    for (int64_t i = 0; i < x->count; i++) arr_put_int(r, i, base + i);
    arr_set_range(r, x->count ? base : 0, x->count ? base + x->count - 1 : 0);
  }
  if (r) mark(r, k);
  return r;
}

static bool slots_new(slots *s, vm *v, env *e, arr *x, bool deep_too) {
  *s = (slots){.v = v, .e = e, .next = 1};
  return (s->root = number(s, x, 0, deep_too)) != NULL;
}

static void slots_free(slots *s) {
  for (size_t i = 0; i < s->trees.n; i++) arr_release(s->trees.at[i].x);
  vec_free(s->v->c, &s->trees);
  arr_release(s->root);
}

/* The tree that slot n lies in, and its position there; NULL: a fill. */
static tree_of *slot_at(slots *s, int64_t n, int64_t *i) {
  size_t lo = 0, hi = s->trees.n;
  *i = 0;
  if (n <= 0) return NULL;
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (s->trees.at[mid].base <= n) lo = mid;
    else hi = mid;
  }
  *i = n - s->trees.at[lo].base;
  return &s->trees.at[lo];
}

/* What assigning does to one slot: value, or old f value. n 0 and mark 0 are the whole
 * target. */
static bool slot_set(slots *s, int64_t n, bool whole, fn *f, arr *val) {
  prim_env pe = env_of(s->v);
  int64_t i = 0;
  tree_of *t = n || !whole ? slot_at(s, n, &i) : &s->trees.at[0];
  if (!t) return true;
  bool all = !n && whole, ok;
  arr *new = f ? NULL : arr_retain(val), *old = NULL;
  if (f && (old = all ? arr_retain(t->x) : arr_scalar_at(s->v->c, t->x, i)))
    new = call2(s->v, f, old, val);
  arr_release(old);
  ok = new &&ir_host(s->v->g, new) && (all || prim_put_item(&pe, &t->x, i, new));
  if (ok && all) {
    arr_release(t->x);
    t->x = arr_retain(new);
  }
  t->changed |= ok;
  arr_release(new);
  return ok && !interrupted(s->v->c);
}

/* Gives val to the places that `to` names. */
static bool slots_put(slots *s, arr *to, bool whole, fn *f, arr *val) {
  prim_env pe = env_of(s->v);
  if (deep(s->v) || !ir_host(s->v->g, to)) return false;
  int64_t m = marked(to);
  if (m >= 0) return slot_set(s, s->trees.at[m].up, true, f, val);
  if (whole && !to->rank && !is_nested(to))
    return slot_set(s, arr_get_int(to, 0), false, f, val);
  if (!prim_conforms(&pe, to->rank, to->shape, val)) return false;
  bool ok = true;
  for (int64_t i = 0; ok && i < to->count; i++) {
    arr *one = arr_scalar_at(s->v->c, val, val->count == 1 ? 0 : i);
    arr *item = is_nested(to) ? arr_item(to, i) : NULL;
    if (!one) return false;
    if (!item) ok = slot_set(s, arr_get_int(to, i), false, f, one);
    else ok = slots_put(s, item, !item->rank && !is_nested(item), f, one);
    arr_release(one);
  }
  return ok;
}

/* The target with all that was given to its slots: the deepest arrays go into theirs first.
 */
static arr *slots_join(slots *s) {
  prim_env pe = env_of(s->v);
  for (size_t k = s->trees.n; k-- > 0;) {
    tree_of *t = &s->trees.at[k], *up;
    int64_t i = 0;
    if (!t->changed) continue;
    arr *x = arr_squeeze(s->v->c, arr_retain(t->x));
    if (!x) return NULL;
    arr_release(t->x);
    t->x = x;
    if (!t->up) continue;
    up = slot_at(s, t->up, &i);
    if (!prim_put_item(&pe, &up->x, i, t->x)) return NULL;
    up->changed = true;
  }
  return arr_retain(s->trees.at[0].x);
}

/* ── the selection ──────────────────────────────────────────────────────────────────── */

static bool selects(const fn *f, bool dyadic) {
  if (f->kind == F_REPL) return dyadic;
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

/* A result that is not to stand for a slot as a whole; consumes r. */
static arr *unmark(vm *v, arr *r) {
  if (!r || marked(r) < 0) return r;
  arr *copy = arr_reshape(v->c, r, r->rank, r->shape);
  arr_release(r);
  return copy;
}

static arr *select_apply(vm *v, fn *f, arr *x, arr *y, bool *whole);

/* x f¨ y, item by item, for what an item's result stands for depends on f. */
static arr *select_each(vm *v, fn *f, arr *x, arr *y) {
  bool spread_x = x && x->count == 1, spread_y = x && !spread_x && y->count == 1, whole;
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return NULL;
  const arr *like = spread_y ? x : y;
  if (x && !spread_x && !spread_y && !arr_same_shape(x, y))
    return err_set(v->c, x->rank != y->rank ? ERR_RANK : ERR_LENGTH,
                   "the arguments' shapes differ"),
           NULL;
  if (!like->count) return arr_vec(v->c, ET_BIT, 0);
  arr *r = arr_new(v->c, ET_NEST, like->rank, like->shape);
  for (int64_t i = 0; r && i < like->count; i++) {
    arr *b = arr_scalar_at(v->c, y, spread_y ? 0 : i), *a = NULL, *item = NULL;
    if (b && (!x || (a = arr_scalar_at(v->c, x, spread_x ? 0 : i))))
      item = select_apply(v, f, a, b, &whole);
    arr_release(a);
    arr_release(b);
    ((arr **)r->host)[i] = item;
    if (item && ir_host(v->g, item) && !interrupted(v->c)) continue;
    arr_release(r);
    return NULL;
  }
  return arr_squeeze(v->c, r);
}

static arr *select_apply(vm *v, fn *f, arr *x, arr *y, bool *whole) {
  *whole = fn_is(f, P_PICK);
  if (f->kind == F_DERIVED) return select_each(v, f->l.f, x, y);
  arr *r = call2(v, f, x, y);
  return *whole ? r : unmark(v, r);
}

static arr *select_from(slots *s, const bnode *b, bool *whole);

static arr *select_index(slots *s, const bnode *b) {
  arr *at[ARR_MAX_RANK], *y = NULL, *r = NULL;
  bool whole,
      ok = indices_of(s->v, s->e, b, at) && (y = select_from(s, b->kid[0], &whole));
  if (ok && !(r = unmark(s->v, index_of(s->v, y, (int)b->n - 1, at))))
    fail_at(s->v, s->e, b);
  arr_release(y);
  indices_release(at);
  return r;
}

static arr *select_step(slots *s, const step *st, arr *y, bool *whole) {
  vm *v = s->v;
  value f = {0};
  arr *x = NULL, *r = NULL;
  if (st->kind > S_DYADIC) err_set(v->c, ERR_SYNTAX, "a selection assigns nothing");
  else if ((st->x && !(x = eval_arr(v, s->e, st->x))) || !eval(v, s->e, st->f, &f))
    return arr_release(x), NULL;
  else if (!selects(f.f, x != NULL))
    err_set(v->c, ERR_SYNTAX, "this function selects nothing");
  else {
    v->at = span_in(s->e, st->begin, st->end);
    r = select_apply(v, f.f, x, y, whole);
  }
  if (!r) err_at(v->c, span_in(s->e, st->begin, st->end));
  value_release(f);
  arr_release(x);
  return r;
}

/* The slots that the expression selects; *whole: as one item, by ⊃. */
static arr *select_from(slots *s, const bnode *b, bool *whole) {
  *whole = false;
  if (b->kind == B_NAME) return arr_retain(s->root);
  if (b->kind == B_INDEX) return select_index(s, b);
  if (b->kind != B_CHAIN)
    return fail_node(s->v, s->e, b, ERR_SYNTAX, "it selects from no name"), NULL;
  arr *r = select_from(s, b->kid[0], whole);
  for (uint32_t i = 0; i < b->n && r; i++) {
    arr *next = select_step(s, &b->step[i], r, whole);
    arr_release(r);
    r = next;
  }
  return r;
}

/* ── giving values to a selection ───────────────────────────────────────────────────── */

/* flat[to]←val, or flat[to] f val; `to` from 1, vectors all. */
static bool put_turn(vm *v, arr **flat, arr *to, fn *f, arr *val) {
  prim_env pe = env_of(v);
  pe.io = 1;
  arr *old = f ? prim_index(&pe, *flat, 1, &to) : NULL;
  arr *new = !f ? arr_retain(val) : old ? call2(v, f, old, val) : NULL;
  bool ok = new &&ir_host(v->g, new) && prim_index_put(&pe, flat, 1, &to, new);
  arr_release(new);
  arr_release(old);
  return ok;
}

/* Elements at[0] … at[n-1] of a, or its only one. */
static arr *some_of(vm *v, arr *a, const int64_t *at, int64_t n) {
  if (a->count == 1) return arr_retain(a);
  arr *r = arr_vec(v->c, (elt)a->type, n);
  for (int64_t i = 0; r && i < n; i++) arr_copy(r, i, a, at[i], 1);
  return r;
}

/* The same where slots may be named again: first all that are named the first time, then
 * those that are named the second time, and so on, for a scalar function takes them in any
 * order but the ones at one place. */
static bool put_turns(vm *v, arr **flat, arr *to, fn *f, arr *val) {
  int64_t n = (*flat)->count, m = to->count, turns = 0;
  int64_t *seen = mem_zalloc(v->c, (size_t)(n + 1) * sizeof *seen);
  int64_t *start = mem_zalloc(v->c, (size_t)(m + 2) * sizeof *start);
  int64_t *turn = mem_alloc(v->c, (size_t)(m + 1) * 2 * sizeof *turn), *order = turn + m;
  bool ok = seen && start && turn;
  for (int64_t i = 0; ok && i < m; i++) {
    turn[i] = seen[arr_get_int(to, i)]++;
    if (turn[i] >= turns) turns = turn[i] + 1;
    start[turn[i] + 1]++;
  }
  for (int64_t k = 1; ok && k < turns; k++) start[k] += start[k - 1];
  for (int64_t i = 0; ok && i < m; i++) order[start[turn[i]]++] = i;
  for (int64_t k = 0, from = 0; ok && k < turns; from = start[k++]) {
    arr *part = some_of(v, to, order + from, start[k] - from);
    arr *vals = part ? some_of(v, val, order + from, start[k] - from) : NULL;
    ok = vals && put_turn(v, flat, part, f, vals) && !interrupted(v->c);
    arr_release(vals);
    arr_release(part);
  }
  mem_free(v->c, turn);
  mem_free(v->c, start);
  mem_free(v->c, seen);
  return ok;
}

/* The target a simple array, its slots numbers: a scatter. *done: it was possible. */
static arr *scatter(slots *s, arr *to, fn *f, arr *val, bool *done) {
  vm *v = s->v;
  arr *x = s->trees.at[0].x, *r = NULL;
  prim_env pe = env_of(v);
  *done = !is_nested(x) && !is_nested(to) && (!f || fn_is_scalar(f, true));
  for (int64_t i = 0; *done && i < to->count; i++) *done = arr_get_int(to, i) > 0;
  if (!*done || !prim_conforms(&pe, to->rank, to->shape, val)) return NULL;
  arr *flat = arr_reshape(v->c, x, 1, &x->count), *at = flat ? prim_ravel(&pe, to) : NULL;
  arr *vals = at ? prim_ravel(&pe, val) : NULL;
  if (vals && (f ? put_turns(v, &flat, at, f, vals) : put_turn(v, &flat, at, f, vals)))
    r = arr_reshape(v->c, flat, x->rank, x->shape);
  arr_release(vals);
  arr_release(at);
  arr_release(flat);
  return r;
}

/* The target with val given to the slots `to`. */
static arr *given(slots *s, arr *to, bool whole, fn *f, arr *val) {
  bool done = false;
  arr *r = NULL;
  if (!ir_host(s->v->g, to) || !ir_host(s->v->g, val)) return NULL;
  if (!whole) r = scatter(s, to, f, val, &done);
  if (r || done || err_is(s->v->c)) return r;
  return slots_put(s, to, whole, f, val) ? slots_join(s) : NULL;
}

/* (path⊃name)←y, which needs no numbering. */
static bool is_pick(const bnode *b) {
  const step *st = b->kind == B_CHAIN && b->n == 1 ? b->step : NULL;
  return st && b->kid[0]->kind == B_NAME && st->kind == S_DYADIC &&
         st->f->kind == B_CONST && fn_is(st->f->val.f, P_PICK);
}

static bool assign_picked(vm *v, env *e, const bnode *b, arr *y) {
  place p;
  arr *path = eval_arr(v, e, b->step[0].x);
  bool ok = path && ir_host(v->g, path) && ir_host(v->g, y) && place_find(v, e, b, &p) &&
            place_own(v, e, &p);
  prim_env pe = env_of(v);
  ok = ok && prim_pick_put(&pe, &p.at->a, path, y);
  arr_release(path);
  return ok || fail_at(v, e, b);
}

static bool assign_selected(vm *v, env *e, const bnode *b, fn *f, arr *y) {
  slots s = {.v = v};
  place p;
  bool whole;
  arr *to = NULL, *r = NULL;
  bool ok = place_find(v, e, b->kid[0], &p) && slots_new(&s, v, e, p.at->a, true) &&
            (to = select_from(&s, b->kid[0], &whole)) && (r = given(&s, to, whole, f, y));
  if (ok) { /* what was called may have changed where the name is: look again */
    ok = place_find(v, e, b->kid[0], &p) &&
         name_put(v, e, p.name->s, p.where, p.index, (value){.cls = C_ARR, .a = r});
  }
  if (!ok) fail_at(v, e, b);
  arr_release(r);
  arr_release(to);
  slots_free(&s);
  return ok;
}

/* ── x[i]← ──────────────────────────────────────────────────────────────────────────── */

static bool assign_indexed(vm *v, env *e, const bnode *b, arr *y) {
  arr *at[ARR_MAX_RANK];
  place p;
  bool ok = indices_of(v, e, b, at) && ir_host(v->g, y) && place_find(v, e, b, &p) &&
            place_own(v, e, &p);
  prim_env pe = env_of(v);
  ok = ok && prim_index_put(&pe, &p.at->a, (int)b->n - 1, at, y);
  if (!ok) fail_at(v, e, b);
  indices_release(at);
  return ok;
}

/* x[i]f←y for one element: x[i]←⊂x[i] f⊃y, x[i] being the item. */
static bool modify_one(vm *v, env *e, const bnode *b, fn *f, arr **at, arr *old, arr *y) {
  place p;
  arr *item = arr_scalar_at(v->c, old, 0), *val = NULL, *new = NULL, *one = NULL;
  if (item && y->count != 1)
    err_set(v->c, ERR_LENGTH, "one place for %lld values", (long long)y->count);
  else if (item) val = arr_scalar_at(v->c, y, 0);
  bool ok = val && (new = call2(v, f, item, val)) && ir_host(v->g, new) &&
            (one = arr_enclose(v->c, new)) && place_find(v, e, b, &p) &&
            place_own(v, e, &p);
  prim_env pe = env_of(v);
  ok = ok && prim_index_put(&pe, &p.at->a, (int)b->n - 1, at, one);
  arr_release(item);
  arr_release(val);
  arr_release(new);
  arr_release(one);
  return ok;
}

static bool modify_indexed(vm *v, env *e, const bnode *b, fn *f, arr *y) {
  arr *at[ARR_MAX_RANK], *old = NULL, *to = NULL, *r = NULL;
  int n = (int)b->n - 1;
  slots s = {.v = v};
  place p;
  prim_env pe = env_of(v);
  bool ok = indices_of(v, e, b, at) && ir_host(v->g, y) && place_find(v, e, b, &p) &&
            (old = index_of(v, p.at->a, n, at));
  if (ok && old->count == 1) ok = modify_one(v, e, b, f, at, old, y);
  else if (ok) {
    bool inside = n == 1 && at[0] && is_nested(at[0]);
    ok = slots_new(&s, v, e, p.at->a, inside) && (to = prim_index(&pe, s.root, n, at)) &&
         (to = unmark(v, to)) && (r = given(&s, to, false, f, y)) &&
         place_find(v, e, b, &p) &&
         name_put(v, e, p.name->s, p.where, p.index, (value){.cls = C_ARR, .a = r});
  }
  if (!ok) fail_at(v, e, b);
  arr_release(r);
  arr_release(to);
  arr_release(old);
  slots_free(&s);
  indices_release(at);
  return ok;
}

/* ── plain and strand assignment ────────────────────────────────────────────────────── */

static bool assign_name(vm *v, env *e, const bnode *b, value x) {
  uint32_t i = 0;
  env *at = b->slot < 0 && e->text ? env_own_name(e->outer, b->s, &i) : NULL;
  if (at) return name_put(v, e, b->s, at, i, x);
  if (b->slot < 0) return name_set(v, b->s, x);
  value_set(&e->slot[b->slot], x);
  return true;
}

/* The value that the i-th of several names takes. */
static bool part(vm *v, env *e, const bnode *b, value x, uint32_t i, value *item) {
  if (x.cls != C_ARR)
    return fail_node(v, e, b, ERR_SYNTAX, "several names take an array");
  if (x.a->rank > 1) return fail_node(v, e, b, ERR_RANK, "several names take a vector");
  if (x.a->count != 1 && x.a->count != b->n)
    return fail_node(v, e, b, ERR_LENGTH, "as many values as names are wanted");
  item->cls = C_ARR;
  item->a = item_at(v, x.a, x.a->count == 1 ? 0 : (int64_t)i);
  return item->a != NULL;
}

bool assign(vm *v, env *e, const bnode *b, value x) {
  value item = {0};
  switch (b->kind) {
  case G_NAME: return assign_name(v, e, b, x);
  case G_SYS: return sys_set(v, e, (int)b->code, x) || fail_at(v, e, b);
  case G_ALPHA: value_set(&e->alpha, x); return true;
  case B_ERROR: return fail_node(v, e, b, (int)b->code, b->text);
  case G_INDEX:
  case G_SELECT:
    if (x.cls != C_ARR)
      return fail_node(v, e, b, ERR_SYNTAX, "an element cannot be a function");
    if (b->kind == G_INDEX) return assign_indexed(v, e, b, x.a);
    return is_pick(b->kid[0]) ? assign_picked(v, e, b->kid[0], x.a)
                              : assign_selected(v, e, b, NULL, x.a);
  default: break;
  }
  for (uint32_t i = 0; i < b->n; i++) { /* G_STRAND */
    bool ok = part(v, e, b, x, i, &item) && assign(v, e, b->kid[i], item);
    value_release(item);
    item = (value){0};
    if (!ok) return false;
  }
  return true;
}

/* The value of a target that is modified as a whole; owned. */
static arr *target_value(vm *v, env *e, const bnode *b, env **where, uint32_t *index) {
  if (b->kind == G_SYS) return sys_get(v, e, (int)b->code);
  value *at =
      b->kind == G_ALPHA ? &e->alpha : name_locate(e, b->s, b->slot, where, index);
  if (at->cls == C_ARR) return arr_retain(at->a);
  if (!at->cls)
    err_set(v->c, ERR_VALUE, "%s has no value", b->kind == G_ALPHA ? "⍺" : b->s->text);
  fail_node(v, e, b, ERR_SYNTAX, "it is not an array");
  return NULL;
}

bool assign_with(vm *v, env *e, const bnode *b, fn *f, arr *y) {
  env *where = NULL;
  uint32_t index = 0;
  value new = {.cls = C_ARR};
  if (b->kind == G_INDEX) return modify_indexed(v, e, b, f, y);
  if (b->kind == G_SELECT) return assign_selected(v, e, b, f, y);
  for (uint32_t i = 0; b->kind == G_STRAND && i < b->n; i++) {
    value item = {0};
    bool ok = part(v, e, b, (value){.cls = C_ARR, .a = y}, i, &item) &&
              assign_with(v, e, b->kid[i], f, item.a);
    value_release(item);
    if (!ok) return false;
  }
  if (b->kind == G_STRAND) return true;
  arr *old = target_value(v, e, b, &where, &index);
  if (!old) return false;
  /* The function may have changed where the name is: look again afterwards. */
  new.a = call2(v, f, old, y);
  bool ok = new.a != NULL;
  if (ok && b->kind == G_NAME) {
    name_locate(e, b->s, b->slot, &where, &index);
    ok = name_put(v, e, b->s, where, index, new);
  } else if (ok) ok = assign(v, e, b, new);
  arr_release(new.a);
  arr_release(old);
  return ok;
}
