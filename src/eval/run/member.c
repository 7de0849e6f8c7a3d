/* SPDX-License-Identifier: MIT */
/* member.c - what stands behind a point, read and assigned: in one namespace, or in each of an
 * array of them. */
#include "member.h"
#include "call.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../oper/cells.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "../value/sysname.h"
#include <string.h>

/* What is left of a point, where ⎕BASE may stand. */
static arr *left_of_point(vm *v, env *e, const bnode *b) {
  bool base = b->kind == B_SYS && !strcmp(sys_name((int)b->code), "⎕BASE");
  if (!base) return eval_arr(v, e, b);
  return v->classes->base(v, e);
}

arr *eval_namespace(vm *v, env *e, const bnode *b) {
  OWNED arr *on = left_of_point(v, e, b);
  if (on && !on->ref) fail_node(v, e, b, ERR_SYNTAX, "it is no namespace");
  return on && on->ref && space_ready(v, on) ? arr_move(&on) : NULL;
}

/* ── read ───────────────────────────────────────────────────────────────────────────── */

static bool no_member(vm *v, const bnode *m, value x) {
  if (x.cls > C_ARR)
    return err_set(v->c, ERR_SYNTAX, "%s is an operator there: name the namespace first",
                   m->s->text);
  if (x.cls) return err_set(v->c, ERR_SYNTAX, "%s is no function there", m->s->text);
  return err_set(v->c, ERR_VALUE, "%s has no value there", m->s->text);
}

/* What the name behind the point stands for in one namespace: of the class that was seen when the
 * statement was bound, or a function where nothing could be seen. */
static bool member_named(vm *v, env *e, const bnode *b, arr *in, value *r) {
  const bnode *m = b->kid[1];
  const value *x = space_find(in, m->s);
  bool found = x && b->cls == C_ARR && x->cls == C_FN;
  if (found && fn_is_niladic(x->f)) {
    v->at = span_in(e, m->begin, m->end);
    return step_begins(v->c) && member_read(v, x->f, in, r);
  }
  if (!x || (x->cls != b->cls && !found)) return no_member(v, m, x ? *x : (value){0});
  return space_take(v, x, in, r);
}

/* The member b of one namespace. */
static bool member_in(vm *v, env *e, const bnode *b, arr *in, value *r) {
  const bnode *m = b->kid[1];
  space_visit i;
  bool ok;
  if (!space_ready(v, in)) return false;
  if (m->kind == B_NAME || m->kind == B_NILADIC) return member_named(v, e, b, in, r);
  if (m->kind == B_CONST) {
    *r = value_fn(fn_in_space(v, m->val.f, in), C_FN);
    return r->cls != C_NONE;
  }
  if (!space_enter(&i, v, e, in)) return false;
  if (m->kind == B_STATEMENT) ok = eval_stmt(v, i.e, m->tree, false, r);
  else ok = eval(v, i.e, m, r);
  ok = ok && value_box(v->c, r);
  space_leave(&i);
  v->shy = false;
  if (ok && (r->cls == C_ARR || r->cls == C_FN)) return true;
  if (ok && !r->cls && m->kind == B_STATEMENT) return true; /* a function gave no value */
  if (ok) err_set(v->c, r->cls ? ERR_SYNTAX : ERR_VALUE, "an array is wanted here");
  value_clear(r);
  return false;
}

/* Another one of what would fill the array `on`, an empty one of instances; NULL, often without an error: it is no
 * such. */
static arr *try_fill_of(vm *v, const arr *on) {
  if (!arr_nests(on) || on->count) return NULL;
  OWNED arr *fill = arr_item(on, 0)->ref ? arr_proto(v->c, arr_item(on, 0)) : NULL;
  return fill && fill->ref ? arr_move(&fill) : NULL;
}

/* Of no namespaces: as a fill has it. */
static bool member_of_none(vm *v, env *e, const bnode *b, arr *on, value *r) {
  OWNED arr *fill = try_fill_of(v, on);
  OWNED_VALUE value x = {0};
  if (err_is(v->c) || (fill && !member_in(v, e, b, fill, &x)) || !value_box(v->c, &x))
    return false;
  if (x.cls == C_FN) return err_set(v->c, ERR_SYNTAX, "an array is wanted here");
  if (!fill) *r = value_arr(arr_new(v->c, ET_BIT, on->rank, on->shape));
  else if (x.cls) *r = value_arr(collect_none(v, x.a, on->rank, on->shape));
  return r->cls || !err_is(v->c);
}

static bool member_of_each(vm *v, env *e, const bnode *b, arr *on, value *r);

/* Of item i of `on`; none where it gives no value, which all do or none. */
static bool member_of_item(vm *v, env *e, const bnode *b, arr *on, int64_t i,
                           arr_list *items) {
  value x = {0};
  arr *in = arr_item(on, i);
  bool ok = in->ref ? member_in(v, e, b, in, &x) : member_of_each(v, e, b, in, &x);
  if (!ok || !value_box(v->c, &x)) return false;
  if (x.cls == C_FN) {
    value_clear(&x);
    return err_set(v->c, ERR_SYNTAX, "an array is wanted here");
  }
  if ((int64_t)items->n != (x.cls ? i : 0)) {
    value_clear(&x);
    return no_result(v);
  }
  return (!x.cls || list_add(items, x.a)) && !interrupted(v->c);
}

/* Of each namespace in `on`; *r is none if their functions give no value. */
static bool member_of_each(vm *v, env *e, const bnode *b, arr *on, value *r) {
  *r = (value){0};
  if (!on->count) return member_of_none(v, e, b, on, r);
  if (!arr_nests(on)) return err_set(v->c, ERR_SYNTAX, "it is no namespace");
  if (out_of_stack(v->c)) return false;
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < on->count; i++)
    if (!member_of_item(v, e, b, on, i, &items)) return false;
  if (!items.n) return true;
  items.n = 0;
  *r = value_arr(collect(v, items.at, on->rank, on->shape));
  return r->cls;
}

/* ── a function of several namespaces ── */

/* Of the namespaces in `on` the function m, which it takes over, or what has the name m there. */
static fn *spread_over(vm *v, value m, arr *on) {
  OWNED_VALUE value own = m;
  fn *f = own.cls ? fn_new(v, F_SPREAD, 0) : NULL;
  if (!f) return NULL;
  f->l = value_arr(arr_retain(on));
  f->m = value_move(&own);
  return f;
}

static fn *spread(vm *v, env *e, const bnode *m, arr *on) {
  value f = {0};
  if (m->kind == B_CONST || m->kind == B_DFN)
    return eval(v, e, m, &f) ? spread_over(v, f, on) : NULL;
  return spread_over(v, value_arr(arr_text(v->c, m->s->text, m->s->len)), on);
}

/* What f is in one of them, which may be an array of namespaces in turn; owned. */
static fn *spread_in(vm *v, const fn *f, arr *in) {
  OWNED_STR str name = {.c = v->c};
  if (arr_nests(in)) return spread_over(v, value_retain(f->m), in);
  if (!in->ref) return err_null(v->c, ERR_SYNTAX, "it is no namespace");
  if (!space_ready(v, in)) return NULL;
  if (f->m.cls == C_FN) return fn_in_space(v, f->m.f, in);
  if (!arg_text(v, f->m.a, "a name", &name)) return NULL;
  sym *s = sym_intern(v, name.at, name.n);
  const value *x = s ? space_find(in, s) : NULL;
  if (x && x->cls == C_FN) return space_method(v, x->f, in);
  if (!s) return NULL;
  return err_null(v->c, ERR_VALUE, "%s is no function in one of the namespaces", s->text);
}

static arr *first_item(vm *v, arr *a) {
  if (a->count) return item_at(v, a, 0);
  OWNED arr *fill = arr_fill_of(v->c, a);
  return fill ? item_at(v, fill, 0) : NULL;
}

/* Of an empty array: as a fill of it has it, of one item of each argument. */
static bool call_none(vm *v, const fn *f, arr *in, arr *x, arr *y, arr **r) {
  OWNED arr *a = NULL, *b = NULL, *one = NULL;
  if (x) a = first_item(v, x);
  if (a || !x) b = first_item(v, y);
  OWNED_FN fn *g = b ? spread_in(v, f, in) : NULL;
  if (!g || !call(v, g, a, b, &one)) return false;
  return !one || give_result(r, collect_none(v, one, f->l.a->rank, f->l.a->shape));
}

/* An item of each argument, where there are two, for the namespace `in`. */
static bool call_in(vm *v, const fn *f, arr *in, arr *a, arr *b, results *to) {
  arr *r = NULL;
  OWNED_FN fn *g = in && b ? spread_in(v, f, in) : NULL;
  if (!g || !call(v, g, a, b, &r)) return false;
  if (r && !to->none) return results_add(to, r);
  arr_release(r);
  to->none = true;
  return (!r && !to->n) || no_result(v);
}

/* An item of each argument for each namespace; a single one goes with all. */
bool member_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  arr *on = f->l.a, *like = on;
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return false;
  if (like->count == 1) like = y;
  if (x && like->count == 1) like = x;
  OWNED arr *fill = try_fill_of(v, on);
  if (fill) return call_none(v, f, fill, x, y, r);
  if (err_is(v->c)) return false;
  bool fits = like->count && (on->count == 1 || arr_same_shape(like, on)) &&
              (y->count == 1 || arr_same_shape(like, y)) &&
              (!x || x->count == 1 || arr_same_shape(like, x));
  if (!fits)
    return err_set(v->c, ERR_LENGTH, "as many arguments as namespaces are wanted");
  OWNED_CELLS ys = cells_items(y);
  OWNED_CELLS xs = cells_items(x ? x : y);
  OWNED_CELLS spaces = cells_items(on);
  OWNED_RESULTS all = results_open(v, like->rank, like->shape);
  for (int64_t i = 0; i < all.want; i++) {
    arr *in = cells_next(v, &spaces);
    arr *a = x ? cells_next(v, &xs) : NULL, *b = NULL;
    if (a || !x) b = cells_next(v, &ys);
    if (!call_in(v, f, in, a, b, &all) || interrupted(v->c)) return false;
  }
  return all.none || give_result(r, results_array(&all));
}

/* Is the member b of the first of the namespaces a function? */
static bool is_function_of(const bnode *b, const arr *on) {
  if (b->cls != C_ARR || b->kid[1]->kind != B_NAME) return b->cls == C_FN;
  while (arr_nests(on) && on->count) on = arr_item(on, 0);
  const value *x = on->ref ? space_find(on, b->kid[1]->s) : NULL;
  return x && x->cls == C_FN && !fn_is_niladic(x->f);
}

/* The member b of `on`. */
static bool member_of(vm *v, env *e, const bnode *b, arr *on, value *r) {
  if (on->ref) return member_in(v, e, b, on, r) || fail_at(v, e, b);
  if (is_function_of(b, on)) *r = value_fn(spread(v, e, b->kid[1], on), C_FN);
  else if (b->cls == C_OP) err_set(v->c, ERR_NONCE, "an operator of several namespaces");
  else return member_of_each(v, e, b, on, r) || fail_at(v, e, b);
  return r->cls || fail_at(v, e, b);
}

bool eval_member(vm *v, env *e, const bnode *b, value *r) {
  OWNED arr *on = left_of_point(v, e, b->kid[0]);
  if (!on || !ir_host(v->g, on)) return fail_at(v, e, b);
  return member_of(v, e, b, on, r);
}

/* ── indexed ── */

arr *member_at(vm *v, env *e, const bnode *b, int n, arr *const *at) {
  const bnode *on = b->kid[0];
  const value *found = NULL;
  OWNED arr *in = NULL;
  OWNED_VALUE value x = {0};
  if (on->kind == B_MEMBER) {
    in = left_of_point(v, e, on->kid[0]);
    if (!in || !ir_host(v->g, in)) return NULL;
    if (in->ref && !space_ready(v, in)) return NULL;
    if (in->ref) found = space_find(in, on->kid[1]->s);
  } else found = env_read(e, on->s, on->slot);
  if (found && found->cls == C_FN && found->f->member) { /* of a class */
    OWNED_FN fn *f = fn_retain(found->f);
    v->at = span_in(e, on->end, b->end);
    if (!step_begins(v->c)) return NULL;
    return v->classes->get_part(v, f, in ? in : e->space, n, at);
  }
  if (in ? !member_of(v, e, on, in, &x) : !eval(v, e, on, &x)) return NULL;
  if (!x.cls) no_result(v);
  if (x.cls != C_ARR || !value_box(v->c, &x)) return NULL;
  v->at = span_in(e, on->end, b->end);
  return index_of(v, x.a, n, at);
}

arr *reference_at(vm *v, arr *on, int n, arr *const *at) {
  fn *f = space_has_members(on) ? v->classes->by_default(on) : NULL;
  if (f) return space_ready(v, on) ? v->classes->get_part(v, f, on, n, at) : NULL;
  return n == PART_SQUAD ? prim_call(v, P_SQUAD, at[0], on) : index_of(v, on, n, at);
}

arr *eval_hash(vm *v, env *e, const bnode *b) {
  OWNED arr *on = b->n ? eval_namespace(v, e, b->kid[0]) : NULL;
  if (b->n && !on) return NULL;
  arr *in = NULL;
  if (b->code == 2) in = space_parent(on ? on : e->space);
  return in ? arr_retain(space_of(in)->ref) : space_workspace(v);
}

arr *eval_space(vm *v, env *e, const bnode *b) {
  OWNED arr *r = space_new(v, e->space, NULL);
  for (uint32_t i = 0; r && i < b->n; i += 2) {
    OWNED_VALUE value x = {0};
    if (!eval(v, e, b->kid[i + 1], &x)) return NULL;
    if (!x.cls) return err_null(v->c, ERR_VALUE, "%s gets no value", b->kid[i]->s->text);
    if (!name_assign(v, r, b->kid[i]->s, x)) return NULL;
  }
  return arr_move(&r);
}

/* ── assigned ───────────────────────────────────────────────────────────────────────── */

/* target←x, or target f←x, in one namespace. */
static bool assign_in(vm *v, env *e, const bnode *target, arr *in, fn *f, value x) {
  space_visit i;
  if (!space_ready(v, in)) return false;
  if (target->kind == G_NAME && !f) return name_assign(v, in, target->s, x);
  if (!space_enter(&i, v, e, in)) return false;
  bool ok = f ? assign_with(v, i.e, target, f, x) : assign(v, i.e, target, x);
  space_leave(&i);
  return ok;
}

/* In each namespace of `on`, for which x has an item, or one for all. */
static bool assign_each(vm *v, env *e, const bnode *b, arr *on, fn *f, value x) {
  bool one = x.cls != C_ARR || x.a->count == 1;
  if (!arr_nests(on)) return err_set(v->c, ERR_SYNTAX, "it is no namespace");
  if (!one && !arr_same_shape(on, x.a))
    return err_set(v->c, ERR_LENGTH, "as many values as namespaces are wanted");
  if (out_of_stack(v->c)) return false;
  for (int64_t i = 0; i < on->count; i++) {
    arr *in = arr_item(on, i);
    OWNED_VALUE value item = {0};
    if (x.cls != C_ARR || (one && !in->ref)) item = value_retain(x);
    else item = value_arr(item_at(v, x.a, one ? 0 : i));
    if (!item.cls || interrupted(v->c)) return false;
    bool ok = in->ref ? assign_in(v, e, b->kid[1], in, f, item)
                      : assign_each(v, e, b, in, f, item);
    if (!ok) return false;
  }
  return true;
}

bool assign_member(vm *v, env *e, const bnode *b, fn *f, value x) {
  OWNED arr *on = left_of_point(v, e, b->kid[0]);
  v->at = span_in(e, b->begin, b->end);
  if (!on || !ir_host(v->g, on)) return fail_at(v, e, b);
  bool ok =
      on->ref ? assign_in(v, e, b->kid[1], on, f, x) : assign_each(v, e, b, on, f, x);
  return ok || fail_at(v, e, b);
}
