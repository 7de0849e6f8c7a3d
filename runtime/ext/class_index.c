/* SPDX-License-Identifier: MIT */
/* class_index.c - parts of properties: x.p[i], of what is by default x[i] and i⌷x, and what they become.
 *
 *   Simple    get gives the value, of which the part is taken; set gets the value with another part
 *   Numbered  shape is asked, then get or set for each element; indices select from an array of the elements'
 *             numbers, so that they mean, and their errors are, what they are of any array
 *   Keyed     get and set are given the indices as they are written */
#include "class.h"
#include "../../src/array/element.h"
#include "../../src/eval/run/primitive.h"
#include "../../src/eval/value/items.h"
#include "../../src/prim/index.h"

fn *property_by_default(const arr *in) {
  const class *k = part_of(in)->cls;
  const member *m = k ? k->by_default : NULL;
  if (m) m = member_seen(in, m->name);
  return m && m->kind == PROPERTY ? m->val.f : NULL;
}

/* Of values as of any array. */
static arr *part_of_value(vm *v, arr *x, int n, arr *const *at) {
  if (n != PART_SQUAD) return index_of(v, x, n, at);
  return prim_call(v, P_SQUAD, at[0], x);
}

/* ── numbered ───────────────────────────────────────────────────────────────────────── */

/* The numbers of all elements, in the shape that the property has; owned. */
static arr *all_places(vm *v, part *p, const member *m) {
  ir_call call = call_of(v);
  OWNED_VALUE value got = {0};
  if (!member_ask(v, p, m, m->shape, &(property_told){0}, &got) || !value_box(v->c, &got))
    return NULL;
  arr *shape = got.cls ? got.a : NULL;
  bool fits = shape && ir_host(v->g, shape) && shape->rank <= 1 && shape->type <= ET_I64;
  int64_t n = 1;
  for (int64_t i = 0; fits && i < shape->count; i++) {
    int64_t k = arr_get_int(shape, i);
    fits = k >= 0 && !__builtin_mul_overflow(n, k, &n);
  }
  if (!fits)
    return err_null(v->c, ERR_DOMAIN, "shape of the property %s gives no lengths",
                    m->name->text);
  OWNED arr *count = arr_int(v->c, n);
  call.env.io = 1;
  OWNED arr *numbers = count ? ir_monadic(&call, P_IOTA, count) : NULL;
  return numbers ? ir_dyadic(&call, P_RHO, shape, numbers) : NULL;
}

/* The places that are meant, of all. */
static arr *some_places(vm *v, part *p, const member *m, int n, arr *const *at,
                        arr **all) {
  *all = all_places(v, p, m);
  if (!*all) return NULL;
  arr *to = n == PART_PLACES ? arr_retain(at[0]) : part_of_value(v, *all, n, at);
  if (to && ir_host(v->g, to)) return to;
  arr_release(to);
  return NULL;
}

/* The indices of element `number`, from 1, of an array as `all` is. */
static arr *indices_at(vm *v, const part *p, const arr *all, int64_t number) {
  int64_t at[ARR_MAX_RANK];
  number--;
  for (int k = all->rank; k-- > 0; number /= all->shape[k])
    at[k] = p->s.vars.io + number % all->shape[k];
  return arr_int_vec(v->c, all->rank, at);
}

static arr *get_element(vm *v, part *p, const member *m, arr *at) {
  OWNED_VALUE value got = {0};
  if (!at || !member_ask(v, p, m, m->get, &(property_told){.indexers = at}, &got) ||
      !value_box(v->c, &got))
    return NULL;
  if (got.cls && !ir_host(v->g, got.a)) return NULL;
  if (got.cls && got.a->count == 1) return arr_scalar_at(v->c, got.a, 0);
  return err_null(v->c, got.cls ? ERR_RANK : ERR_VALUE,
                  "get of the numbered property %s gives a scalar", m->name->text);
}

static arr *get_places(vm *v, part *p, const member *m, const arr *all, const arr *to) {
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < to->count; i++) {
    OWNED arr *at = indices_at(v, p, all, arr_get_int(to, i));
    if (!list_add(&items, get_element(v, p, m, at)) || interrupted(v->c)) return NULL;
  }
  if (!to->count) return arr_new(v->c, ET_BIT, to->rank, to->shape);
  items.n = 0;
  return collect(v, items.at, to->rank, to->shape);
}

static bool put_places(vm *v, part *p, const member *m, const arr *all, const arr *to,
                       arr *y) {
  prim_env pe = env_of(v);
  if (!ir_host(v->g, y) || !prim_conforms(&pe, to->rank, to->shape, y)) return false;
  for (int64_t i = 0; i < to->count; i++) {
    int64_t number = arr_get_int(to, i);
    if (number <= 0) continue; /* a fill */
    OWNED arr *at = indices_at(v, p, all, number);
    OWNED_VALUE value new = value_arr(arr_scalar_at(v->c, y, y->count == 1 ? 0 : i));
    OWNED_VALUE value none = {0};
    property_told t = {.new = &new, .indexers = at};
    if (!at || !new.cls || !member_ask(v, p, m, m->set, &t, &none)) return false;
    if (interrupted(v->c)) return false;
  }
  return true;
}

arr *numbered_get(vm *v, part *p, const member *m) {
  OWNED arr *all = all_places(v, p, m);
  return all && ir_host(v->g, all) ? get_places(v, p, m, all, all) : NULL;
}

bool numbered_put(vm *v, part *p, const member *m, arr *y) {
  OWNED arr *all = all_places(v, p, m);
  return all && ir_host(v->g, all) && put_places(v, p, m, all, all, y);
}

/* ── keyed ──────────────────────────────────────────────────────────────────────────── */

/* The indices as get and set are given them; `specified`: which were written. */
static arr *keys_of(vm *v, int n, arr *const *at, arr **specified) {
  OWNED_LIST arr_list items = {.v = v};
  int64_t written[ARR_MAX_RANK];
  arr *of = n == PART_SQUAD ? at[0] : NULL;
  if (n < 0 && !of)
    return err_null(v->c, ERR_NONCE, "nobody knows all elements of a keyed property");
  if (of && !ir_host(v->g, of)) return NULL;
  if (of && of->count > ARR_MAX_RANK)
    return err_null(v->c, ERR_RANK, "more indices than an array has axes");
  if (of) n = (int)of->count;
  for (int i = 0; i < n; i++) {
    arr *item = NULL;
    written[i] = of || at[i];
    if (of) item = arr_scalar_at(v->c, of, i);
    else item = at[i] ? arr_retain(at[i]) : space_null(v);
    if (!item || !ir_host(v->g, item) || !list_add(&items, item)) return NULL;
  }
  *specified = arr_int_vec(v->c, n, written);
  return *specified ? list_array(&items) : NULL;
}

/* Do the lengths `have` fit those that are wanted, axes of one element aside? -1: any. */
static bool lengths_fit(const int64_t *want, int n, const int64_t *have, int m) {
  while (m && *have == 1) have++, m--;
  while (n && *want == 1) want++, n--;
  if (!n) return !m;
  if (m && *want == *have && lengths_fit(want + 1, n - 1, have + 1, m - 1)) return true;
  if (*want >= 0) return false;
  return lengths_fit(want + 1, n - 1, have, m) ||
         (m && lengths_fit(want + 1, n - 1, have + 1, m - 1));
}

/* May y be what the elements at the keys are, or become? */
static bool keys_fit(vm *v, const arr *keys, const arr *specified, const arr *y) {
  int64_t want[ARR_MAX_RANK];
  int n = 0;
  if (y->count == 1) return true;
  for (int64_t i = 0; i < keys->count; i++) {
    const arr *key = keys->type == ET_NEST ? arr_item(keys, i) : NULL;
    int64_t any = -1;
    bool written = arr_get_int(specified, i);
    int rank = written ? (key ? key->rank : 0) : 1;
    if (n + rank > ARR_MAX_RANK)
      return err_set(v->c, ERR_RANK, "more axes than an array has");
    for (int k = 0; k < rank; k++) want[n++] = written ? key->shape[k] : any;
  }
  if (lengths_fit(want, n, y->shape, y->rank)) return true;
  return err_set(v->c, y->rank == n ? ERR_LENGTH : ERR_RANK,
                 "the keys are of another shape than the values");
}

static arr *get_keyed(vm *v, part *p, const member *m, int n, arr *const *at) {
  OWNED arr *specified = NULL;
  OWNED arr *keys = keys_of(v, n, at, &specified);
  OWNED_VALUE value got = {0};
  property_told t = {.indexers = keys, .specified = specified};
  if (!keys || !member_ask(v, p, m, m->get, &t, &got) || !value_box(v->c, &got))
    return NULL;
  if (!got.cls) err_set(v->c, ERR_VALUE, "the function gave no result");
  if (!got.cls || !keys_fit(v, keys, specified, got.a)) return NULL;
  return value_move(&got).a;
}

static bool put_keyed(vm *v, part *p, const member *m, int n, arr *const *at, arr *y) {
  OWNED arr *specified = NULL;
  OWNED arr *keys = keys_of(v, n, at, &specified);
  OWNED_VALUE value none = {0};
  value new = value_arr(y);
  property_told t = {.new = &new, .indexers = keys, .specified = specified};
  return keys && keys_fit(v, keys, specified, y) &&
         member_ask(v, p, m, m->set, &t, &none);
}

/* ── any ────────────────────────────────────────────────────────────────────────────── */

/* What f is of an instance or class, a property or a function without arguments; owned. */
static arr *value_of(vm *v, fn *f, const arr *in) {
  OWNED_VALUE value x = {0};
  if (!class_read(v, f, in, &x) || !value_box(v->c, &x)) return NULL;
  if (!x.cls) err_set(v->c, ERR_VALUE, "the function gave no result");
  return x.cls ? value_move(&x).a : NULL;
}

static bool is_property(const fn *f) {
  const member *m = f->member;
  return m->kind == PROPERTY && f == m->val.f;
}

arr *property_places(vm *v, fn *f, arr *in) {
  const member *m = f->member;
  part *p = member_part(in, m);
  if (!is_property(f) || m->asked == SIMPLE) return value_of(v, f, in);
  if (p && m->asked == NUMBERED) return all_places(v, p, m);
  return err_null(v->c, ERR_NONCE, "nobody knows all elements of a keyed property");
}

arr *property_get_part(vm *v, fn *f, arr *in, int n, arr *const *at) {
  const member *m = f->member;
  part *p = member_part(in, m);
  OWNED arr *all = NULL;
  if (!is_property(f) || !p || m->asked == SIMPLE) {
    OWNED arr *x = value_of(v, f, in);
    return x ? part_of_value(v, x, n, at) : NULL;
  }
  if (!m->get)
    return err_null(v->c, ERR_VALUE, "the property %s has no get", m->name->text);
  if (m->asked == KEYED) return get_keyed(v, p, m, n, at);
  OWNED arr *to = some_places(v, p, m, n, at, &all);
  return to ? get_places(v, p, m, all, to) : NULL;
}

/* Its value with another part becomes the value of a simple one. */
static bool put_simple(vm *v, fn *f, arr *in, int n, arr *const *at, arr *y) {
  prim_env pe = env_of(v);
  const member *m = f->member;
  bool done;
  OWNED arr *x = value_of(v, f, in);
  if (!x || !ir_host_own(v->g, x) || !ir_host(v->g, y)) return false;
  for (int i = 0; i < n; i++)
    if (at[i] && !ir_host(v->g, at[i])) return false;
  bool plain = n == PART_PLACES && !is_nested(at[0]) && !is_nested(x);
  if (n < 0 && !plain)
    return err_set(v->c, ERR_NONCE, "a selection of the property %s", m->name->text);
  pe.io = n < 0 ? 1 : pe.io;
  bool ok = n < 0 ? prim_ravel_put(&pe, &x, at[0], y) : prim_index_put(&pe, &x, n, at, y);
  return ok && member_assign(v, in, m->name, value_arr(x), &done);
}

bool property_put_part(vm *v, fn *f, arr *in, int n, arr *const *at, arr *y) {
  const member *m = f->member;
  part *p = member_part(in, m);
  OWNED arr *all = NULL;
  if (!is_property(f) || !p)
    return err_set(v->c, ERR_SYNTAX, "%s is a method of a class: it cannot be assigned",
                   m->name->text);
  if (!m->set)
    return err_set(v->c, ERR_SYNTAX, "the property %s has no set", m->name->text);
  if (m->asked == SIMPLE) return put_simple(v, f, in, n, at, y);
  if (m->asked == KEYED) return put_keyed(v, p, m, n, at, y);
  OWNED arr *to = some_places(v, p, m, n, at, &all);
  return to && put_places(v, p, m, all, to, y);
}
