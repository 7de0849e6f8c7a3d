/* SPDX-License-Identifier: MIT */
/* sys_space.c - namespaces by ⎕-names: ⎕NS ⎕VGET ⎕VSET ⎕DF. */
#include <math.h>
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "system.h"

/* ── namespaces as values ──────────────────────────────────────────────────────────────── */

arr *sys_get_null(vm *v) { return space_null(v); }

/* ⎕DF y: what the namespace in which this runs is shown as; ⎕NULL: its path, as at first. */
bool sys_df(vm *v, arr *x, arr *y, arr **r) {
  OWNED arr *in = sys_get_this(v);
  OWNED arr *null = space_null(v);
  UNUSED(x);
  if (!in || !null) return false;
  if (in == null ||
      (y != null && (is_nested(y) || (y->count && !elt_is_char((elt)y->type)))))
    return err_set(v->c, ERR_DOMAIN, "⎕DF takes text, or ⎕NULL");
  space *p = space_of(in);
  arr **shown = &((arr **)in->host)[1], *was = p->title ? *shown : NULL;
  if (!p->title && y != null) p->title = *shown;
  if (y != null) *shown = arr_retain(y);
  else if (p->title) {
    *shown = p->title;
    p->title = NULL;
  }
  v->shy = true;
  return give_result(r, was ? was : arr_move(&null));
}

/* ── ⎕NS ────────────────────────────────────────────────────────────────────────────── */

/* The namespace of that name or path, whose first parts there are; made if there is none, in place of a
 * variable too, unless it is `around` another one. */
static arr *space_at(vm *v, const str *s, bool around) {
  OWNED arr *in = NULL;
  sym *k;
  if (!path_of(v, s, &in, &k))
    return err_null(v->c, ERR_DOMAIN, "⎕NS: %s is no name", s->at);
  location at = name_there(v, in, k);
  if (at.val->cls == C_ARR && at.val->a->ref) return arr_retain(at.val->a);
  if (at.val->cls > C_ARR)
    return err_null(v->c, ERR_DOMAIN, "⎕NS: %s is a function", s->at);
  if (around && at.val->cls)
    return err_null(v->c, ERR_DOMAIN, "⎕NS: %s is no namespace", s->at);
  OWNED arr *r = space_new(v, in ? in : space_here(v), k->text);
  if (!r || !name_put(v, NULL, k, at, (value){.cls = C_ARR, .a = r})) return NULL;
  return arr_move(&r);
}

/* The namespace that x is or names, with those around it that its path names. */
static arr *space_for(vm *v, arr *x) {
  OWNED_STR str s = {.c = v->c};
  OWNED arr *r = NULL;
  if (x->ref) return arr_retain(x);
  if (!arg_text(v, x, "⎕NS's left argument", &s)) return NULL;
  size_t begins = strspn(s.at, "#."); /* spaces around */
  if (begins == s.n) return space_named(v, x, "⎕NS");
  for (size_t n = begins + 1; n <= s.n; n++) {
    if (n < s.n && s.at[n] != '.') continue;
    OWNED_STR str part = {.c = v->c};
    str_put(&part, s.at, n);
    arr_release(r);
    r = part.failed ? NULL : space_at(v, &part, n < s.n);
    if (!r) return NULL;
  }
  return arr_move(&r);
}

/* May a name that is x become y: is it none yet, or of the same class? */
static bool is_alike(const value *x, const value *y) {
  if (!x || !x->cls) return true;
  if (x->cls != y->cls || x->num || y->num || x->cls != C_ARR) return x->cls == y->cls;
  return !x->a->ref == !y->a->ref;
}

static bool copy_space(vm *v, arr *to, const space *from) {
  if (from->is_workspace)
    return err_set(v->c, ERR_NONCE,
                   "⎕NS: a copy of the workspace is not in this version");
  for (uint32_t i = 0; i < from->n; i++) {
    const value *x = space_read(&from->at[i]);
    if (!x->cls || !is_alike(space_find(to, from->at[i].s), x)) continue;
    if (!name_set(v, to, from->at[i].s, *x)) return false;
  }
  return true;
}

/* The name or path s, as what its last part is called. */
static bool copy_name(vm *v, arr *to, const str *s) {
  OWNED arr *in = NULL;
  sym *k;
  if (!path_of(v, s, &in, &k))
    return err_is(v->c)
               ? false
               : err_set(v->c, ERR_VALUE, "⎕NS: there is nothing called %s", s->at);
  const value *at = name_there(v, in, k).val;
  value x = *at;
  if (!x.cls) return err_set(v->c, ERR_VALUE, "⎕NS: %s has no value", s->at);
  return name_set(v, to, k, x);
}

/* The names or namespaces that y has. */
static bool copy_into(vm *v, arr *to, arr *y) {
  OWNED_STR str s = {.c = v->c};
  names_in names;
  if (!y->count) return true;
  if (y->ref) return copy_space(v, to, space_of(y));
  if (arr_nests(y) && arr_item(y, 0)->ref) names = (names_in){y, y->count, 0};
  else if (!names_open(v, y, &names)) return false;
  for (int64_t i = 0; i < names.n; i++) {
    arr *item = arr_nests(y) ? arr_item(y, i) : y;
    if (item->ref) {
      if (!copy_space(v, to, space_of(item))) return false;
      continue;
    }
    if (!name_at(v, &names, i, &s) || !copy_name(v, to, &s)) return false;
  }
  return true;
}

/* Into the namespace that x is or names, or into each of several: its name, or a reference as x is. */
static arr *copy_to(vm *v, arr *x, arr *y) {
  if (x->ref || !is_nested(x)) {
    if (!x->count && !elt_is_char((elt)x->type)) return arr_retain(x);
    OWNED arr *in = space_for(v, x);
    if (!in || !copy_into(v, in, y)) return NULL;
    return x->ref ? arr_move(&in) : arr_retain((arr *)(uintptr_t)arr_ref_text(in));
  }
  if (out_of_stack(v->c)) return NULL;
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < x->count; i++)
    if (!list_add(&items, copy_to(v, arr_item(x, i), y))) return NULL;
  if (!x->count) return arr_retain(x);
  items.n = 0;
  return collect(v, items.at, x->rank, x->shape);
}

bool sys_ns(vm *v, arr *x, arr *y, arr **r) {
  if (x) {
    *r = copy_to(v, x, y);
    v->shy = true;
    return *r != NULL;
  }
  OWNED arr *in = space_new(v, space_here(v), NULL);
  return in && copy_into(v, in, y) && give_result(r, arr_move(&in));
}

/* ── ⎕VGET ⎕VSET ────────────────────────────────────────────────────────────────────── */

typedef struct spec { /* names, each perhaps with a value */
  vm *v;
  const char *who;
  arr *y, *values; /* values: of (matrix of names)(values); NULL: there are pairs */
  names_in names;
} spec;

static bool is_name(const arr *a) {
  return a->rank < 2 && elt_is_char((elt)a->type) && a->count;
}

static bool spec_open(spec *p, vm *v, arr *y, const char *who) {
  *p = (spec){.v = v, .who = who, .y = y};
  bool pair = y->type == ET_NEST && y->rank == 1 && y->count == 2;
  if (pair && arr_item(y, 0)->rank == 2 && elt_is_char((elt)arr_item(y, 0)->type)) {
    p->y = arr_item(y, 0);
    p->values = arr_item(y, 1);
    bool each = p->values->rank == 1 && p->values->count == p->y->shape[0];
    if (p->values->rank && !each) /* a scalar is for all of them */
      return err_set(v->c, ERR_LENGTH, "%s: as many values as names are wanted", who);
  } else if (y->rank > 1 && y->type == ET_NEST)
    return err_set(v->c, ERR_RANK, "%s takes a vector of names", who);
  return names_open(v, p->y, &p->names);
}

/* The i-th name, and (owned even where it fails, may be NULL) its value. */
static bool spec_at(const spec *p, int64_t i, sym **k, arr **given) {
  vm *v = p->v;
  OWNED_STR str s = {.c = v->c};
  *given = NULL;
  if (p->y->type != ET_NEST) {
    if (!name_at(v, &p->names, i, &s)) return false;
    if (p->values) *given = item_at(v, p->values, p->values->rank ? i : 0);
  } else {
    arr *item = arr_item(p->y, i);
    bool pair = !is_name(item) && item->rank == 1 && item->count == 2;
    OWNED arr *name = pair ? item_at(v, item, 0) : arr_retain(item);
    if (!name || !is_name(name))
      return err_set(v->c, ERR_DOMAIN, "%s takes names, or pairs of a name and a value",
                     p->who);
    if (!arg_text(v, name, p->who, &s)) return false;
    if (pair) *given = item_at(v, item, 1);
  }
  if (err_is(v->c)) return false;
  *k = is_valid_name(&s) ? sym_intern(v, s.at, s.n) : NULL;
  return *k || err_set(v->c, ERR_DOMAIN, "%s: %s is no name", p->who, s.at);
}

static arr *value_there(const spec *p, arr *in, int64_t i) {
  vm *v = p->v;
  sym *k;
  OWNED arr *other = NULL;
  if (!spec_at(p, i, &k, &other)) return NULL;
  const value *x = name_there(v, in, k).val;
  if (x->cls == C_ARR) return arr_retain(x->a);
  if (!x->cls && other) return arr_move(&other);
  if (x->cls) return err_null(v->c, ERR_DOMAIN, "⎕VGET: %s is no array", k->text);
  return err_null(v->c, ERR_VALUE, "⎕VGET: %s has no value", k->text);
}

/* May names of class i in y have values? Labels and events could, but there are none. */
static bool has_values(const arr *y, int64_t i) {
  double class = floor(fabs(arr_get_float(y, i)));
  return class == 1 || class == 2 || class == 8 || class == 9;
}

/* All arrays of some classes. */
static arr *get_classes(vm *v, arr *in, arr *y) {
  space_visit visit;
  if (y->rank > 1)
    return err_null(v->c, ERR_RANK, "⎕VGET takes a vector of name classes");
  for (int64_t i = 0; i < y->count; i++)
    if (!has_values(y, i))
      return err_null(v->c, ERR_DOMAIN,
                      "⎕VGET: classes of names that have values are 2 and 9");
  if (in && !space_enter(&visit, v, v->env, in)) return NULL;
  arr *r = names_with_values(v, y);
  if (in) space_leave(&visit);
  return r;
}

static arr *get_in(vm *v, arr *in, arr *y) {
  spec p;
  if (y->type <= ET_F64 && y->count) return get_classes(v, in, y);
  if (!spec_open(&p, v, y, "⎕VGET")) return NULL;
  if (p.y->rank < 2 && p.y->type != ET_NEST) return value_there(&p, in, 0);
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < p.names.n; i++)
    if (!list_add(&items, value_there(&p, in, i))) return NULL;
  if (p.y->rank || !items.n) return list_array(&items);
  if (is_name(arr_item(y, 0))) return arr_enclose(v->c, items.at[0]);
  return arr_retain(items.at[0]);
}

static bool set_in(vm *v, arr *in, arr *y) {
  spec p;
  if (!spec_open(&p, v, y, "⎕VSET")) return false;
  for (int64_t i = 0; i < p.names.n; i++) {
    sym *k;
    OWNED arr *given = NULL;
    if (!spec_at(&p, i, &k, &given)) return false;
    value x = {.cls = C_ARR, .a = given};
    if (!given)
      return err_set(v->c, ERR_DOMAIN, "⎕VSET takes pairs of a name and a value");
    location at = name_there(v, in, k);
    if (at.val->cls > C_ARR)
      return err_set(v->c, ERR_DOMAIN, "⎕VSET: %s is a function", k->text);
    if (!name_put(v, NULL, k, at, x)) return false;
  }
  return true;
}

/* For each namespace in x, which it is or names, or here. */
static arr *each_space(vm *v, arr *x, arr *y, const char *who, bool sets) {
  if (x && !x->ref && elt_is_char((elt)x->type) && x->rank < 2) {
    OWNED arr *in = space_named(v, x, who);
    return in ? each_space(v, in, y, who, sets) : NULL;
  }
  if (!x || x->ref) {
    if (!sets) return get_in(v, x, y);
    if (!set_in(v, x, y)) return NULL;
    return x ? arr_retain(x) : sys_get_this(v);
  }
  if (!arr_nests(x))
    return err_null(v->c, ERR_DOMAIN, "%s: no namespace is on the left", who);
  if (out_of_stack(v->c)) return NULL;
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < x->count; i++)
    if (!list_add(&items, each_space(v, arr_item(x, i), y, who, sets))) return NULL;
  if (!x->count) return arr_retain(x);
  items.n = 0;
  return collect(v, items.at, x->rank, x->shape);
}

bool sys_vget(vm *v, arr *x, arr *y, arr **r) {
  return give_result(r, each_space(v, x, y, "⎕VGET", false));
}

bool sys_vset(vm *v, arr *x, arr *y, arr **r) {
  *r = each_space(v, x, y, "⎕VSET", true);
  v->shy = true;
  return *r != NULL;
}
