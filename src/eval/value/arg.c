/* SPDX-License-Identifier: MIT */
/* arg.c - arguments that must be of some kind: a number, a text, options, an axis. */
#include "arg.h"
#include "../../array/element.h"
#include "../../prim/args.h"

bool arg_int(vm *v, arr *a, int64_t *n, const char *what) {
  if (!ir_host(v->g, a)) return false;
  int code = a->rank > 1 ? ERR_RANK : ERR_LENGTH;
  if (a->count != 1) return err_set(v->c, code, "%s must be one number", what);
  if (a->type > ET_C128) return err_set(v->c, ERR_DOMAIN, "%s must be a number", what);
  prim_env pe = env_of(v);
  return prim_int(&pe, a, what, n);
}

bool arg_number(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n) {
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "%s takes a number", name);
  if (!arg_int(v, x.a, n, name)) return false;
  if (*n >= lo && *n <= hi) return true;
  return err_set(v->c, ERR_DOMAIN, "%s takes %lld to %lld", name, (long long)lo,
                 (long long)hi);
}

bool arg_text(vm *v, arr *a, const char *what, str *s) {
  if (!ir_host(v->g, a)) return false;
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "%s must be a vector", what);
  if (a->count && !elt_is_char((elt)a->type))
    return err_set(v->c, ERR_DOMAIN, "%s must be text", what);
  for (int64_t i = 0; i < a->count; i++) {
    str_putc(s, (uint32_t)arr_get_int(a, i));
    if (i % 1048576 == 1048575 && interrupted(v->c)) return false;
  }
  str_put(s, "", 0);
  return !s->failed;
}

/* A name and a value. */
static bool is_option(const arr *a) {
  if (a->type != ET_NEST || a->rank != 1 || a->count != 2) return false;
  const arr *name = arr_item(a, 0);
  return elt_is_char((elt)name->type) && name->rank < 2;
}

bool arg_options(vm *v, arr *x, option_setter *set, void *user) {
  if (is_option(x)) return set(v, user, arr_item(x, 0), arr_item(x, 1));
  for (int64_t i = 0; i < x->count; i++) {
    arr *p = x->type == ET_NEST ? arr_item(x, i) : x;
    if (!is_option(p)) return err_set(v->c, ERR_DOMAIN, "⍠ takes names and values");
    if (!set(v, user, arr_item(p, 0), arr_item(p, 1))) return false;
  }
  return true;
}

bool fold_axis(vm *v, uint32_t code, arr *axis, const arr *y, int *k) {
  int64_t n;
  bool first = code == OP_REDUCE1 || code == OP_SCAN1 || !y->rank;
  *k = first ? 0 : y->rank - 1;
  if (!axis) return true;
  if (!arg_int(v, axis, &n, "the axis")) return false;
  if (n < v->sv->io || n - v->sv->io >= y->rank)
    return err_set(v->c, ERR_RANK, "there is no such axis");
  *k = (int)(n - v->sv->io);
  return true;
}
