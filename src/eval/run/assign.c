/* SPDX-License-Identifier: MIT */
/* assign.c - the forms of assignment: x←, a b←, x f←, x[i]←, (selection)←, and their
 * mixtures.
 *
 * x[i]←v writes into x itself where nothing else holds it, so that loops of it are linear.
 * What a selection names is select.c's matter. Functions that are called on the way may change
 * where the name is: it is looked for again before it is given its new value. */
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/axis.h"
#include "../../prim/index.h"
#include "../../prim/scalar.h"
#include "../value/items.h"
#include "call.h"
#include "element.h"
#include "member.h"
#include "primitive.h"
#include "select.h"
#include "sys_call.h"
#include "../../tables/fast.h"

/* ── the array that a target is part of ─────────────────────────────────────────────── */

typedef struct target { /* an array that changes in part, and where it is */
  vm *v;
  env *e;
  const bnode *node;
  const bnode *name; /* within the node */
  arr *in;           /* the namespace that it is in; owned */
  location at;
  arr *path; /* of the item of it that is meant, NULL: all; owned */
} target;

static void target_free(target *t) {
  arr_release(t->in);
  arr_release(t->path);
}
#define OWNED_TARGET __attribute__((cleanup(target_free)))

static bool is_name(const bnode *b) {
  return b->kind == G_NAME || b->kind == B_NAME || b->kind == B_NILADIC;
}

static bool is_member(const bnode *b) {
  return b->kind == G_MEMBER || b->kind == B_MEMBER;
}

/* Finds the name. */
static bool target_name(target *t) {
  t->name = t->node;
  while (!is_name(t->name) && !is_member(t->name)) t->name = t->name->kid[0];
  if (is_member(t->name)) {
    if (!t->in) t->in = eval_namespace(t->v, t->e, t->name->kid[0]);
    if (!t->in) return false;
    t->name = t->name->kid[1];
    t->at = location_in(t->in, t->name->s);
  } else t->at = space_locate_own(t->e, t->name->s, t->name->slot);
  return t->at.val;
}

/* Finds the array; again after something was called. */
static bool target_find(target *t) {
  vm *v = t->v;
  if (!target_name(t)) return false;
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
         (t->at.e || name_may_change(t->v, t->at.space, t->name->s)) &&
         (needs_no_journal(t->v, t->e, t->at.e) || verify(t->v));
}

static bool target_own_host(target *t) {
  return target_own(t) && ir_host_part(t->v->g, t->at.val->a);
}

/* Where the array, or the item of it that is meant, is to be written over; NULL after an error. */
static arr **target_place(target *t) {
  prim_env pe = env_of(t->v);
  if (!target_own_host(t)) return NULL;
  if (!t->path) return &t->at.val->a;
  arr **place = prim_try_pick_place(&pe, &t->at.val->a, t->path);
  if (!place) err_set(t->v->c, ERR_INDEX, "the item is no longer there");
  return place;
}

/* ── properties ─────────────────────────────────────────────────────────────────────── */

/* The property that the target is, or that indices of what it refers to are of, in *in; NULL, perhaps after an error:
 * none. */
static fn *target_property(target *t, arr **in) {
  if (LIKELY(!t->v->spaces) || !target_name(t)) return NULL;
  const value *x = t->at.val;
  bool reference = x->cls == C_ARR && !x->num && x->a->ref && space_has_members(x->a);
  *in = reference ? x->a : t->in;
  if (!*in) *in = t->e->space;
  if (reference) return t->v->classes->by_default(x->a);
  return x->cls == C_FN && x->f->member ? x->f : NULL;
}

/* Its part becomes y, or what it is f y. */
static bool put_property(vm *v, fn *property, arr *in, int n, arr *const *at, fn *f,
                         arr *y) {
  OWNED_FN fn *p = fn_retain(property);
  OWNED arr *of = arr_retain(in);
  if (!f) return v->classes->put_part(v, p, of, n, at, y);
  OWNED arr *old = v->classes->get_part(v, p, of, n, at);
  OWNED arr *new = old ? call2(v, f, old, y) : NULL;
  return new && v->classes->put_part(v, p, of, n, at, new);
}

/* Does the selection b index its name, rather than select from it by other functions? */
static bool indexes_name(const bnode *b) {
  while (b->kid[0]->kind == B_CHAIN || b->kid[0]->kind == B_INDEX) b = b->kid[0];
  return b->kind == B_INDEX || (b->kind == B_CHAIN && b->n && b->step->prim == P_SQUAD);
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
  if (!target_find(t) || !ir_settle(t->v->g, t->at.val->a)) return false;
  arr *x = t->at.val->a;
  if (!ir_takes_puts(&call, x, ix->n == 1 ? ix->at[0] : NULL, y)) return false;
  OWNED arr *at = ir_places(&call, x, ix->n, ix->at);
  if (at) ir_look(&call, at, x->count);
  return at && !err_is(t->v->c) && put_places(t, at, f, y);
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

/* Are so few of the elements of x named that telling them apart costs less than all do? */
static bool are_few(const arr *named, const arr *x) {
  return named->count < 16 + x->count / 64;
}

/* What the places `to` of x, or all of x, become by x[to]f←y. Their numbers, from 1, are in *places, or
 * that stays NULL: all. */
static arr *modified(vm *v, arr *x, arr *to, fn *f, arr *y, arr **places) {
  prim_env pe = env_of(v);
  bool few = are_few(to, x);
  pe.io = 1;
  if (!few && f->kind == F_PRIM) {
    prim p = prim_in_force(v, (prim)f->prim, true);
    OWNED arr *joined = NULL;
#define FAST_JOIN(way) FAST_FIRST(joined, v->c, way(&pe, p, x, to, y))
#include "../../tables/fast.def"
    if (joined && joined->rank != x->rank)
      return arr_reshape(v->c, joined, x->rank, x->shape);
    if (joined || err_is(v->c)) return arr_move(&joined);
  }
  OWNED arr *line = prim_ravel(&pe, to), *vals = prim_ravel(&pe, y), *new = NULL;
  OWNED arr *once = NULL;
  if (line && to->count == 1) once = arr_retain(line);
  else if (line && few) once = prim_monadic(&pe, P_UNION, line);
  OWNED arr *which = once ? prim_dyadic(&pe, P_IOTA, once, line) : NULL;
  if (few) new = which ? prim_ravel_index(&pe, x, once) : NULL;
  else new = arr_reshape(v->c, x, 1, &x->count);
  if (!line || !vals || !new) return NULL;
  bool by_turns = fn_is_scalar(f, true) && !is_nested(x) && !is_nested(y);
  arr *at = few ? which : line;
  if (!(by_turns ? put_by_turns(v, &new, at, f, vals)
                 : put_in_order(v, &new, at, f, vals)))
    return NULL;
  *places = arr_move(&once);
  return *places ? arr_move(&new) : arr_reshape(v->c, new, x->rank, x->shape);
}

/* The target's places, from 1 in its ravel, or all of it where `places` is NULL, become those of
 * new, which is taken over. */
static bool put_new(target *t, positions *s, arr *places, arr *new) {
  OWNED arr *values = arr_squeeze(t->v->c, new);
  prim_env pe = env_of(t->v);
  pe.io = 1;
  if (!values) return false;
  positions_let_go(s);
  arr **place = target_place(t);
  if (!place) return false;
  if (places) return prim_ravel_put(&pe, place, places, values);
  arr_release(*place);
  *place = arr_move(&values);
  return true;
}

/* The places `to` of the target, all on the host, become y, or what they are f y. */
static bool put_here(target *t, positions *s, arr *to, fn *f, arr *y) {
  vm *v = t->v;
  prim_env pe = env_of(v);
  OWNED arr *places = NULL;
  if (!prim_conforms(&pe, to->rank, to->shape, y)) return false;
  if (!f) return put_new(t, s, to, arr_retain(y));
  arr *new = modified(v, s->arrays.at[0].x, to, f, y, &places);
  return new &&put_new(t, s, places, new);
}

/* The same where some of `to` may be fills, which are lost with what is assigned to them. */
static bool put_but_fills(target *t, positions *s, arr *to, fn *f, arr *y) {
  prim_env pe = env_of(t->v);
  int64_t lo = 1, hi;
  if (to->has_range) lo = to->lo;
  else if (to->count) sc_bounds(to, &lo, &hi);
  if (lo > 0 || !prim_conforms(&pe, to->rank, to->shape, y))
    return !err_is(t->v->c) && put_here(t, s, to, f, y);
  OWNED arr *zero = arr_int(t->v->c, 0), *line = prim_ravel(&pe, to);
  OWNED arr *real = zero && line ? prim_dyadic(&pe, P_NE, line, zero) : NULL;
  OWNED arr *some = real ? prim_replicate(&pe, real, line, 0) : NULL;
  OWNED arr *all = some ? prim_ravel(&pe, y) : NULL, *vals = NULL;
  if (all) vals = y->count == 1 ? arr_retain(y) : prim_replicate(&pe, real, all, 0);
  return vals && put_here(t, s, some, f, vals);
}

/* The positions `to` of the target, which is on a device, become y or what they are f y; false without
 * an error: it is for the host. So that the array is written over, `s` lets go of it meanwhile. */
static bool put_there(target *t, positions *s, arr *to, fn *f, arr *y) {
  vm *v = t->v;
  ir_call call = call_of(v);
  numbered *root = &s->arrays.at[0];
  if (!positions_plain(s, to) || root->numbers == to) return false;
  if (!target_find(t) || t->at.val->a != root->x) return false;
  if (!ir_takes_puts(&call, root->x, to, y)) return false;
  OWNED arr *less = arr_int(v->c, 1 - v->sv->io);
  OWNED arr *at = ir_dyadic(&call, P_MINUS, to, less);
  arr_release(root->x);
  arr_release(s->of);
  root->x = s->of = NULL;
  bool done = at && put_places(t, at, f, y);
  if (!done) root->x = arr_retain(t->at.val->a);
  return done;
}

/* The positions `to` become y, or what they are f y. */
static bool put_selected(target *t, positions *s, arr *to, bool whole, fn *f, arr *y) {
  vm *v = t->v;
  OWNED arr *places = NULL, *new = NULL;
  if (!whole && put_there(t, s, to, f, y)) return true;
  if (err_is(v->c) || !target_host(t) || !ir_host(v->g, to) || !ir_host(v->g, y))
    return false;
  if (s->path) t->path = arr_retain(s->path);
  int64_t one = positions_whole(s, to, whole);
  if (one > 0) {
    OWNED arr *at = arr_int_vec(v->c, 1, &one), *item = arr_enclose(v->c, y);
    return at && item && put_here(t, s, at, f, item);
  }
  if (!whole && positions_plain(s, to)) return put_but_fills(t, s, to, f, y);
  return positions_give(s, to, whole, f, y, &places, &new) &&
         put_new(t, s, places, arr_move(&new));
}

/* What the selection g names of a property becomes y, or what it is f y. */
static bool select_property(vm *v, env *e, const bnode *g, fn *property, arr *in, fn *f,
                            arr *y) {
  OWNED_POSITIONS positions s = {0};
  OWNED_FN fn *p = fn_retain(property);
  OWNED arr *of = arr_retain(in), *all = v->classes->places(v, p, of);
  bool whole;
  if (!all || !ir_host(v->g, all)) return false;
  positions_of(&s, v, e, all);
  OWNED arr *to = select_from(&s, g->kid[0], &whole);
  v->at = span_in(e, g->begin, g->end);
  return to && ir_host(v->g, to) && put_property(v, p, of, PART_PLACES, &to, f, y);
}

/* f may be NULL; g is b in its parentheses. */
static bool assign_selected(vm *v, env *e, const bnode *g, fn *f, arr *y) {
  const bnode *b = g->kid[0];
  OWNED_POSITIONS positions s = {0};
  OWNED_TARGET target t = {v, e, .node = b};
  bool whole;
  arr *in;
  fn *property = target_property(&t, &in);
  bool by_default = property && t.at.val->cls == C_ARR;
  if (err_is(v->c)) return false;
  if (property && (!by_default || indexes_name(b)))
    return select_property(v, e, g, property, in, f, y);
  if (!f && is_pick(b)) return assign_picked(v, e, g, NULL, y) || fail_at(v, e, b);
  if (!target_find(&t) || !ir_settle(v->g, t.at.val->a)) return false;
  if (t.at.val->a->host && is_pick(b))
    return assign_picked(v, e, g, f, y) || fail_at(v, e, g);
  positions_of(&s, v, e, t.at.val->a);
  OWNED arr *to = select_from(&s, b, &whole);
  if (!to) return false;
  v->at = span_in(e, g->begin, g->end);
  return put_selected(&t, &s, to, whole, f, y);
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

/* Are these indices of numbers, and x, too, and f a scalar function, so that x[i]f←y costs what its places
 * do, however many elements x has? */
static bool is_by_places(const arr *x, const indices *ix, const fn *f) {
  if (is_nested(x) || !fn_is_scalar(f, true)) return false;
  for (int k = 0; k < ix->n; k++)
    if (ix->at[k] && ix->at[k]->type > ET_I64) return false;
  return true;
}

/* x[i]f←y of places that differ; old: x[i]. */
static bool modify_by_places(target *t, indices *ix, fn *f, arr *old, arr *y) {
  vm *v = t->v;
  prim_env pe = env_of(v);
  if (!prim_conforms(&pe, old->rank, old->shape, y)) return false;
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

static bool modify_indexed(target *t, indices *ix, fn *f, arr *y) {
  OWNED_POSITIONS positions s = {0};
  vm *v = t->v;
  if (put_by_kernel(t, ix, f, y)) return true;
  if (err_is(v->c) || !indices_host(v, ix) || !ir_host(v->g, y) || !target_host(t))
    return false;
  arr *x = t->at.val->a;
  OWNED arr *old = index_of(v, x, ix->n, ix->at);
  if (!old) return false;
  if (old->count == 1) return modify_one(t, f, ix, old, y);
  if (!can_join(v, f, old, y)) return false;
  if (is_by_places(x, ix, f) && are_few(old, x)) {
    bool distinct = are_distinct(v, ix);
    if (err_is(v->c)) return false;
    if (distinct) return modify_by_places(t, ix, f, old, y);
  }
  positions_of(&s, v, t->e, x);
  OWNED arr *to = select_at(&s, ix);
  return to && put_selected(t, &s, to, false, f, y);
}

/* f may be NULL; y may be a number. */
static bool assign_indexed(vm *v, env *e, const bnode *b, fn *f, value y) {
  OWNED_INDICES indices ix;
  OWNED_TARGET target t = {v, e, .node = b};
  if (!indices_of(v, e, b, &ix)) return false;
#define FAST_ELEMENT_PUT(way)                                                            \
  if (way(v, e, b->kid[0], &ix, f, &y)) return true;
#include "../../tables/fast.def"
  if (err_is(v->c)) return false;
  v->at = span_in(e, b->begin, b->end);
  OWNED_VALUE value boxed = value_retain(y);
  if (!indices_box(v, &ix) || !value_box(v->c, &boxed)) return false;
  arr *in;
  fn *property = target_property(&t, &in);
  if (property) return put_property(v, property, in, ix.n, ix.at, f, boxed.a);
  if (err_is(v->c)) return false;
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
    location own = {e, NULL, (uint32_t)b->slot, &e->slot[b->slot]};
    if (!env_is_plain(v, e) || own.slot < e->body->fixed)
      return name_put(v, e, b->s, own, x);
    value_set(own.val, x);
    return true;
  }
  env *at = NULL, *o = e->text ? e->outer : NULL;
  for (; o && !at && o->space == e->space; o = o->outer) at = env_own_name(o, b->s, &i);
  if (!at) {
    arr *in = e->outer || e->locals ? env_home(e, b->s) : e->space;
    return name_assign(v, in, b->s, x) || fail_at(v, e, b);
  }
  return name_put(v, e, b->s, (location){at, NULL, i, &at->slot[i]}, x);
}

/* Can the names of a strand take x? */
static bool can_share(vm *v, env *e, const bnode *b, value x) {
  if (x.cls != C_ARR)
    return fail_node(v, e, b, ERR_SYNTAX, "several names take an array");
  if (x.a->rank > 1) return fail_node(v, e, b, ERR_RANK, "several names take a vector");
  if (x.a->count == 1 || x.a->count == b->n) return true;
  err_set(v->c, ERR_LENGTH, "%u names take %lld values", (unsigned)b->n,
          (long long)x.a->count);
  return fail_at(v, e, b);
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
  if (at.cls == C_FN && at.f->member) { /* a property */
    OWNED_VALUE value f = value_move(&at);
    if (!member_read(v, f.f, e->space, &at)) return NULL;
  }
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
  /* x∘←y of an x that stands for nothing makes it, outside the dfn if that does not assign it. */
  if (b->kind == G_NAME && fn_is(f, P_RIGHT) && !env_find(e, b->s, b->slot)->cls)
    return assign_name(v, e, b, y);
  OWNED arr *old = target_value(v, e, b);
  if (!old) return false;
  OWNED_VALUE value new = value_arr(call2(v, f, old, y.a));
  if (!new.cls) return false;
  if (b->kind != G_NAME) return assign(v, e, b, new);
  return name_put(v, e, b->s, env_locate(e, b->s, b->slot), new);
}

bool assign_with(vm *v, env *e, const bnode *b, fn *f, value y) {
  if (b->kind == G_INDEX && y.num) return assign_part(v, e, b, f, y);
#define FAST_NUMBER_PUT(way)                                                             \
  if (way(v, e, b, f, &y)) return true;
#include "../../tables/fast.def"
  OWNED_VALUE value boxed = value_retain(y);
  return value_box(v->c, &boxed) && assign_with_boxed(v, e, b, f, boxed);
}
