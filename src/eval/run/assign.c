/* SPDX-License-Identifier: MIT */
/* assign.c - the forms of assignment: x←, a b←, x f←, x[i]←, (selection)←, and their
 * mixtures.
 *
 * x[i]←v writes into x itself where nothing else holds it, so that loops of it are linear.
 * What a selection names is select.c's matter. Functions that are called on the way may change
 * where the name is: it is looked for again before it is given its new value. */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/index.h"
#include "../../prim/scalar.h"
#include "../system/system.h"
#include "../value/items.h"
#include "call.h"
#include "element.h"
#include "member.h"
#include "primitive.h"
#include "select.h"

/* ── the array that a target is part of ─────────────────────────────────────────────── */

typedef struct target { /* an array that changes in part, and where it is */
  vm *v;
  env *e;
  const bnode *node;
  const bnode *name; /* within the node */
  arr *in;           /* the namespace that it is in; owned */
  location at;
} target;

static void target_free(target *t) { arr_release(t->in); }
#define OWNED_TARGET __attribute__((cleanup(target_free)))

static bool is_member(const bnode *b) {
  return b->kind == G_MEMBER || b->kind == B_MEMBER;
}

/* Finds the array; again after something was called. */
static bool target_find(target *t) {
  vm *v = t->v;
  t->name = t->node;
  while (t->name->kind != G_NAME && t->name->kind != B_NAME && !is_member(t->name))
    t->name = t->name->kid[0];
  if (is_member(t->name)) {
    if (!t->in) t->in = eval_namespace(v, t->e, t->name->kid[0]);
    if (!t->in) return false;
    t->name = t->name->kid[1];
    t->at = location_in(t->in, t->name->s);
  } else t->at = env_locate(t->e, t->name->s, t->name->slot);
  if (t->at.val->cls == C_ARR) return value_box(v->c, t->at.val);
  if (!t->at.val->cls) err_set(v->c, ERR_VALUE, "%s has no value", t->name->s->text);
  return fail_node(v, t->e, t->name, ERR_SYNTAX, "it is not an array");
}

static bool target_host(target *t) {
  return target_find(t) && ir_host_part(t->v->g, t->at.val->a);
}

/* The same for an array that is to be written over: once this is true nothing needs what it
 * was. */
static bool target_own(target *t) {
  return target_find(t) && name_changes(t->v, t->e, t->at) &&
         (needs_no_journal(t->v, t->e, t->at.e) || verify(t->v));
}

static bool target_own_host(target *t) {
  return target_own(t) && ir_host_part(t->v->g, t->at.val->a);
}

/* Gives the name, wherever it is by now, the array r. */
static bool target_set(target *t, arr *r) {
  if (!target_find(t)) return false;
  return name_put(t->v, t->e, t->name->s, t->at, (value){.cls = C_ARR, .a = r});
}

/* ── by kernels ─────────────────────────────────────────────────────────────────────── */

/* The places `at`, all different, become what they are f y. */
static bool modify_places(target *t, arr *at, fn *f, arr *y) {
  vm *v = t->v;
  ir_call call = call_of(v);
  OWNED arr *new = NULL;
  {
    OWNED arr *line = ir_monadic(&call, P_COMMA, t->at.val->a);
    OWNED arr *old = line ? ir_index(&call, line, 1, &at) : NULL;
    if (old) new = call2(v, f, old, y);
    if (!new || !ir_settle(v->g, new)) return false;
  }
  return target_own(t) && ir_put(&call, &t->at.val->a, at, new);
}

/* The places `at` of the target, numbers from ⎕IO in its ravel, become y, or what they are
 * f y. False without an error: it is for the host. */
static bool put_places(target *t, arr *places, fn *f, arr *values) {
  vm *v = t->v;
  prim_env pe = env_of(v);
  ir_call call = call_of(v);
  if (!target_own(t)) return false;
  if (!prim_conforms(&pe, places->rank, places->shape, values)) {
    err_clear(v->c); /* there may be another one before it */
    return false;
  }
  if (f && values->count != 1 && !arr_same_shape(places, values))
    return false; /* likewise */
  OWNED arr *at = ir_monadic(&call, P_COMMA, places);
  OWNED arr *y = at ? ir_monadic(&call, P_COMMA, values) : NULL;
  if (!y) return false;
  if (!f) return ir_put(&call, &t->at.val->a, at, y);
  if (!fn_is_scalar(f, true)) return false;
  int distinct = ir_distinct(&call, t->at.val->a, at, false);
  bool done = distinct > 0 && modify_places(t, at, f, y);
  if (distinct > 0 || err_is(v->c)) return done;
  if (f->kind == F_PRIM)
    done =
        ir_put_joined(&call, prim_in_force(v, (prim)f->prim, true), &t->at.val->a, at, y);
  if (done || err_is(v->c)) return done;
  distinct = ir_distinct(&call, t->at.val->a, at, true);
  if (distinct > 0) return modify_places(t, at, f, y);
  if (distinct < 0 || f->kind != F_PRIM) return false;
  return ir_put_ordered(&call, prim_in_force(v, (prim)f->prim, true), &t->at.val->a, at,
                        y);
}

/* x[i]←y, or x[i]f←y, where the array is on a device, or comes there; likewise. */
static bool put_by_kernel(target *t, indices *ix, fn *f, arr *y) {
  ir_call call = call_of(t->v);
  if (!target_find(t)) return false;
  arr *x = t->at.val->a;
  if (!ir_takes_puts(&call, x, ix->n == 1 ? ix->at[0] : NULL, y)) return false;
  OWNED arr *at = ir_places(&call, x, ix->n, ix->at);
  return at && put_places(t, at, f, y);
}

/* ── (selection)← ───────────────────────────────────────────────────────────────────── */

/* (path⊃name)←y, which needs no numbering. */
static bool is_pick(const bnode *b) {
  if (b->kind != B_CHAIN || b->n != 1) return false;
  if (b->kid[0]->kind != B_NAME && b->kid[0]->kind != B_MEMBER) return false;
  const step *st = b->step;
  return st->kind == S_DYADIC && st->f->kind == B_CONST && fn_is(st->f->val.f, P_PICK);
}

/* f may be NULL; g is the pick in its parentheses. */
static bool assign_picked(vm *v, env *e, const bnode *g, fn *f, arr *y) {
  const bnode *b = g->kid[0];
  OWNED_TARGET target t = {v, e, .node = b};
  OWNED arr *path = eval_arr(v, e, b->step[0].x), *new = NULL;
  if (!path || !ir_host(v->g, path) || !target_find(&t)) return false;
  if (f) {
    OWNED arr *old = prim2(v, P_PICK, path, t.at.val->a);
    v->at = span_in(e, g->begin, g->end);
    if (!old) err_at(v->c, span_in(e, b->step[0].begin, b->step[0].end));
    else new = call2(v, f, old, y);
  } else {
    new = arr_retain(y);
  }
  if (!new || !ir_host(v->g, new) || !target_own_host(&t)) return false;
  prim_env pe = env_of(v);
  return prim_pick_put(&pe, &t.at.val->a, path, new);
}

/* The positions `to` of the target, which is on a device, become y or what they are f y; likewise. */
static bool put_there(target *t, arr *to, fn *f, arr *y) {
  vm *v = t->v;
  ir_call call = call_of(v);
  OWNED arr *less = arr_int(v->c, 1 - v->sv->io);
  OWNED arr *at = ir_dyadic(&call, P_MINUS, to, less);
  return at && put_places(t, at, f, y);
}

/* The same of a vector on the host. */
static bool put_here(target *t, arr *to, arr *y) {
  prim_env pe = env_of(t->v);
  pe.io = 1;
  return target_own_host(t) && prim_index_put(&pe, &t->at.val->a, 1, &to, y);
}

/* The positions `to` become y, or what they are f y; likewise. So that the array is written over, `s`
 * lets go of it meanwhile. */
static bool put_selected(target *t, positions *s, arr *to, fn *f, arr *y) {
  vm *v = t->v;
  ir_call call = call_of(v);
  numbered *root = &s->arrays.at[0];
  if (s->arrays.n != 1 || root->numbers == to || is_nested(to)) return false;
  if (!target_find(t) || t->at.val->a != root->x) return false;
  bool there = ir_takes_puts(&call, root->x, to, y);
  if (!there) {
    if (f || root->x->rank != 1 || !root->x->host) return false;
    if (!ir_host(v->g, to) || !ir_host(v->g, y)) return false;
    if (!positions_scatter(s, to, NULL)) return false;
  }
  arr_release(root->x);
  root->x = NULL;
  bool done = there ? put_there(t, to, f, y) : put_here(t, to, y);
  if (!done) root->x = arr_retain(t->at.val->a);
  return done;
}

/* f may be NULL; g is b in its parentheses. */
static bool assign_selected(vm *v, env *e, const bnode *g, fn *f, arr *y) {
  const bnode *b = g->kid[0];
  OWNED_POSITIONS positions s = {0};
  OWNED_TARGET target t = {v, e, .node = b};
  bool whole;
  if (!f && is_pick(b)) return assign_picked(v, e, g, NULL, y) || fail_at(v, e, b);
  if (!target_find(&t) || !ir_settle(v->g, t.at.val->a)) return false;
  if (t.at.val->a->host && is_pick(b))
    return assign_picked(v, e, g, f, y) || fail_at(v, e, g);
  positions_of(&s, v, e, t.at.val->a);
  OWNED arr *to = select_from(&s, b, &whole);
  if (!to) return false;
  v->at = span_in(e, g->begin, g->end);
  if (!whole && put_selected(&t, &s, to, f, y)) return true;
  if (err_is(v->c) || !target_host(&t)) return false;
  OWNED arr *r = positions_give(&s, to, whole, f, y);
  if (!r || !s.path) return r && target_set(&t, r);
  prim_env pe = env_of(v);
  arr_release(s.of); /* so that the target is written over */
  s.of = NULL;
  return target_own_host(&t) && prim_pick_put(&pe, &t.at.val->a, s.path, r);
}

/* ── x[i]← ──────────────────────────────────────────────────────────────────────────── */

static bool put_indexed(target *t, indices *ix, arr *y) {
  vm *v = t->v;
  if (put_by_kernel(t, ix, NULL, y)) return true;
  if (err_is(v->c) || !indices_host(v, ix) || !ir_host(v->g, y) || !target_own_host(t))
    return false;
  prim_env pe = env_of(v);
  return prim_index_put(&pe, &t->at.val->a, ix->n, ix->at, y);
}

/* x[i]f←y for one element, which is `old`: x[i]←⊂x[i] f⊃y, x[i] being the item. */
static bool modify_one(target *t, fn *f, indices *ix, arr *old, arr *y) {
  vm *v = t->v;
  if (y->count != 1)
    return err_set(v->c, ERR_LENGTH, "one place for %lld values", (long long)y->count);
  OWNED arr *item = arr_scalar_at(v->c, old, 0);
  OWNED arr *val = arr_scalar_at(v->c, y, 0);
  if (!item || !val) return false;
  OWNED arr *new = call2(v, f, item, val);
  if (!new || !ir_host(v->g, new)) return false;
  OWNED arr *one = arr_enclose(v->c, new);
  if (!one || !target_own_host(t)) return false;
  prim_env pe = env_of(v);
  return prim_index_put(&pe, &t->at.val->a, ix->n, ix->at, one);
}

/* Does no place of those that the indices name come twice? Asked axis by axis. */
static bool are_distinct(vm *v, const indices *ix) {
  prim_env pe = env_of(v);
  for (int k = 0; k < ix->n; k++) {
    arr *at = ix->at[k];
    if (!at || at->count < 2 || at->distinct) continue;
    OWNED arr *line = prim_ravel(&pe, at);
    OWNED arr *news = line ? prim_monadic(&pe, P_NE, line) : NULL;
    if (!news || sc_ones(news) < news->count) return false;
  }
  return true;
}

/* x[at]f←y of a vector x, some of whose places come more than once: of those that there are, each
 * once, by turns. */
static bool modify_again(target *t, arr *at, fn *f, arr *y) {
  vm *v = t->v;
  prim_env pe = env_of(v), from_1 = pe;
  from_1.io = 1;
  OWNED arr *line = prim_ravel(&pe, at);
  OWNED arr *places = line ? prim_monadic(&pe, P_UNION, line) : NULL;
  OWNED arr *which = places ? prim_dyadic(&from_1, P_IOTA, places, line) : NULL;
  OWNED arr *vals = which ? prim_ravel(&pe, y) : NULL;
  OWNED arr *new = vals ? prim_index(&pe, t->at.val->a, 1, &places) : NULL;
  if (!new || !put_by_turns(v, &new, which, f, vals) || !target_own_host(t)) return false;
  return prim_index_put(&pe, &t->at.val->a, 1, &places, new);
}

/* Are these indices of numbers, and x, too, and f a scalar function, so that x[i]f←y costs what its places
 * do, however many elements x has? */
static bool is_by_places(const arr *x, const indices *ix, const fn *f) {
  if (is_nested(x) || !fn_is_scalar(f, true)) return false;
  for (int k = 0; k < ix->n; k++)
    if (ix->at[k] && ix->at[k]->type > ET_I64) return false;
  return true;
}

/* x[i]f←y; old: x[i], or NULL where places come more than once. */
static bool modify_by_places(target *t, indices *ix, fn *f, arr *old, arr *y) {
  vm *v = t->v;
  prim_env pe = env_of(v);
  const arr *like = old ? old : ix->at[0];
  if (!prim_conforms(&pe, like->rank, like->shape, y)) return false;
  if (!old) return modify_again(t, ix->at[0], f, y);
  OWNED arr *new = call2(v, f, old, y);
  if (!new || !ir_host(v->g, new) || !target_own_host(t)) return false;
  return prim_index_put(&pe, &t->at.val->a, ix->n, ix->at, new);
}

/* Is there x[i] f y, for each element of its own? Else its error is raised. */
static bool can_join(vm *v, fn *f, arr *old, arr *y) {
  if (!fn_is_scalar(f, true) || y->count == 1 || arr_same_shape(old, y)) return true;
  OWNED arr *r = call2(v, f, old, y);
  return r && ir_host(v->g, r);
}

/* Are so few of the elements of x named that telling them apart costs less than numbering all? */
static bool are_few(const arr *old, const arr *x) {
  return old->count < 16 + x->count / 64;
}

/* x[i]f←y of a vector, value by value; NULL without an error: it is for another. */
static arr *modify_in_turn(target *t, const indices *ix, const fn *f, const arr *y) {
  prim_env pe = env_of(t->v);
  arr *x = t->at.val->a, *at = ix->at[0];
  bool plain = ix->n == 1 && at && x->rank == 1 && f->kind == F_PRIM;
  if (!plain || at->count < 2 || are_few(at, x)) return NULL;
  return prim_index_join(&pe, prim_in_force(t->v, (prim)f->prim, true), x, at, y);
}

static bool modify_indexed(target *t, indices *ix, fn *f, arr *y) {
  OWNED_POSITIONS positions s = {0};
  vm *v = t->v;
  if (put_by_kernel(t, ix, f, y)) return true;
  if (err_is(v->c) || !indices_host(v, ix) || !ir_host(v->g, y) || !target_host(t))
    return false;
  arr *x = t->at.val->a;
  OWNED arr *joined = modify_in_turn(t, ix, f, y);
  if (joined || err_is(v->c)) return joined && target_set(t, joined);
  OWNED arr *old = index_of(v, x, ix->n, ix->at);
  if (!old) return false;
  if (old->count == 1) return modify_one(t, f, ix, old, y);
  if (!can_join(v, f, old, y)) return false;
  if (is_by_places(x, ix, f) && are_few(old, x)) {
    bool distinct = are_distinct(v, ix);
    if (err_is(v->c)) return false;
    if (distinct || x->rank == 1)
      return modify_by_places(t, ix, f, distinct ? old : NULL, y);
  }
  bool inside = ix->n == 1 && ix->at[0] && is_nested(ix->at[0]);
  if (!positions_new(&s, v, t->e, x, inside)) return false;
  prim_env pe = env_of(v);
  OWNED arr *to = select_parts(&s, prim_index(&pe, positions_root(&s), ix->n, ix->at));
  if (!to) return false;
  OWNED arr *r = positions_give(&s, to, false, f, y);
  return r && target_set(t, r);
}

/* f may be NULL; y may be a number. */
static bool assign_indexed(vm *v, env *e, const bnode *b, fn *f, value y) {
  OWNED_INDICES indices ix;
  OWNED_TARGET target t = {v, e, .node = b};
  if (!indices_of(v, e, b, &ix)) return false;
  if (element_put(v, e, b->kid[0], &ix, f, &y)) return true;
  if (err_is(v->c)) return false;
  v->at = span_in(e, b->begin, b->end);
  OWNED_VALUE value boxed = value_retain(y);
  if (!indices_box(v, &ix) || !value_box(v->c, &boxed)) return false;
  if (f) return modify_indexed(&t, &ix, f, boxed.a);
  return put_indexed(&t, &ix, boxed.a);
}

/* x[i]←y, (selection of x)←y, or with f. */
static bool assign_part(vm *v, env *e, const bnode *b, fn *f, value y) {
  const char *why = NULL;
  ir_step s;
  bool ok;
  ir_step_begin(v->g, &s);
  if (b->kind == G_SELECT) ok = assign_selected(v, e, b, f, y.a);
  else ok = assign_indexed(v, e, b, f, y);
  if (!ir_step_end(v->g, &s)) return ok || fail_at(v, e, b);
  if (f && s.came) why = "places repeat: one value after the other";
  ir_step_tell(v->g, &s, b->kind == G_SELECT ? "(…x)←y" : "x[i]←y", why);
  return ok || fail_at(v, e, b);
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static bool assign_name(vm *v, env *e, const bnode *b, value x) {
  uint32_t i;
  if (b->slot >= 0) {
    if (!name_changes(v, e, (location){e, NULL, 0, &e->slot[b->slot]})) return false;
    value_set(&e->slot[b->slot], x);
    return true;
  }
  env *at = e->text ? env_own_name(e->outer, b->s, &i) : NULL;
  if (!at) return name_set(v, e->space, b->s, x);
  return name_put(v, e, b->s, (location){at, NULL, i, &at->slot[i]}, x);
}

/* Can the names of a strand take x? */
static bool can_share(vm *v, env *e, const bnode *b, value x) {
  if (x.cls != C_ARR)
    return fail_node(v, e, b, ERR_SYNTAX, "several names take an array");
  if (x.a->rank > 1) return fail_node(v, e, b, ERR_RANK, "several names take a vector");
  if (x.a->count == 1 || x.a->count == b->n) return true;
  return fail_node(v, e, b, ERR_LENGTH, "as many values as names are wanted");
}

/* The value that the i-th of several names takes, owned. */
static arr *share(vm *v, arr *x, uint32_t i) {
  return item_at(v, x, x->count == 1 ? 0 : (int64_t)i);
}

static bool assign_strand(vm *v, env *e, const bnode *b, value x) {
  if (b->n && !can_share(v, e, b, x)) return false;
  for (uint32_t i = 0; i < b->n; i++) {
    OWNED_VALUE value item = value_arr(share(v, x.a, i));
    if (!item.cls || !assign(v, e, b->kid[i], item)) return false;
  }
  return true;
}

static bool is_part(const bnode *b) { return b->kind == G_INDEX || b->kind == G_SELECT; }

static bool assign_boxed(vm *v, env *e, const bnode *b, value x) {
  if (is_part(b) && x.cls != C_ARR)
    return fail_node(v, e, b, ERR_SYNTAX, "an element cannot be a function");
  switch (b->kind) {
  case G_SYS: return sys_set(v, e, (int)b->code, x) || fail_at(v, e, b);
  case G_INDEX:
  case G_SELECT: return assign_part(v, e, b, NULL, x);
  case G_STRAND: return assign_strand(v, e, b, x);
  case G_MEMBER: return assign_member(v, e, b, NULL, x);
  default: return fail_node(v, e, b, (int)b->code, b->text); /* B_ERROR */
  }
}

bool assign(vm *v, env *e, const bnode *b, value x) {
  if (b->kind == G_NAME) return assign_name(v, e, b, x);
  if (b->kind == G_ALPHA) {
    if (!name_changes(v, e, (location){e, NULL, 0, &e->alpha})) return false;
    value_set(&e->alpha, x);
    return true;
  }
  if (b->kind == G_INDEX && x.num) return assign_part(v, e, b, NULL, x);
  OWNED_VALUE value boxed = value_retain(x);
  return value_box(v->c, &boxed) && assign_boxed(v, e, b, boxed);
}

/* ── x f← ───────────────────────────────────────────────────────────────────────────── */

/* The value of a target that is modified as a whole; owned. */
static arr *target_value(vm *v, env *e, const bnode *b) {
  if (b->kind == G_SYS) return sys_get(v, (int)b->code);
  bool alpha = b->kind == G_ALPHA;
  OWNED_VALUE value at = {0};
  if (alpha) at = value_retain(e->alpha);
  else at = value_retain(*env_find(e, b->s, b->slot));
  if (at.cls == C_ARR) {
    if (!value_box(v->c, &at)) return NULL;
    return value_move(&at).a;
  }
  if (!at.cls) err_set(v->c, ERR_VALUE, "%s has no value", alpha ? "⍺" : b->s->text);
  fail_node(v, e, b, ERR_SYNTAX, "it is not an array");
  return NULL;
}

static bool modify_strand(vm *v, env *e, const bnode *b, fn *f, arr *y) {
  if (b->n && !can_share(v, e, b, (value){.cls = C_ARR, .a = y})) return false;
  for (uint32_t i = 0; i < b->n; i++) {
    OWNED arr *item = share(v, y, i);
    if (!item || !assign_with(v, e, b->kid[i], f, (value){.cls = C_ARR, .a = item}))
      return false;
  }
  return true;
}

/* Of an array. */
static bool assign_with_boxed(vm *v, env *e, const bnode *b, fn *f, value y) {
  if (is_part(b)) return assign_part(v, e, b, f, y);
  if (b->kind == G_STRAND) return modify_strand(v, e, b, f, y.a);
  if (b->kind == B_ERROR) return fail_node(v, e, b, (int)b->code, b->text);
  if (b->kind == G_MEMBER) return assign_member(v, e, b, f, y);
  OWNED arr *old = target_value(v, e, b);
  if (!old) return false;
  OWNED_VALUE value new = value_arr(call2(v, f, old, y.a));
  if (!new.cls) return false;
  if (b->kind != G_NAME) return assign(v, e, b, new);
  return name_put(v, e, b->s, env_locate(e, b->s, b->slot), new);
}

bool assign_with(vm *v, env *e, const bnode *b, fn *f, value y) {
  if (b->kind == G_INDEX && y.num) return assign_part(v, e, b, f, y);
  if (number_modify(v, e, b, f, &y)) return true;
  OWNED_VALUE value boxed = value_retain(y);
  return value_box(v->c, &boxed) && assign_with_boxed(v, e, b, f, boxed);
}
