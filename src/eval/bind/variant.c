/* SPDX-License-Identifier: MIT */
/* variant.c - f⍠options: the options that change how a function works. Those of / and \ are
 * bits, and the identity; those of ⎕R and ⎕S a vector of numbers; both are kept with the derived function. */
#include "variant.h"
#include <string.h>
#include "../../array/element.h"
#include "../value/arg.h"
#include "../../prim/inner_product.h"

/* ── / and \ ────────────────────────────────────────────────────────────────────────── */

typedef struct fold_settings {
  uint8_t set, digits; /* FOLD_…; of fn */
  arr *identity;       /* borrowed, or NULL */
} fold_settings;

/* 'Strict', which is all that Order takes. */
static bool set_order(vm *v, fold_settings *to, arr *x) {
  OWNED_STR str s = {.c = v->c};
  if (elt_is_char((elt)x->type) && x->rank < 2) {
    if (!arg_text(v, x, "⍠: Order", &s)) return false;
    to->set |= FOLD_STRICT;
    if (!strcmp(s.at, "Strict")) return true;
    return err_set(v->c, ERR_DOMAIN, "⍠: Order takes 'Strict', not '%s'", s.at);
  }
  return err_set(v->c, ERR_DOMAIN, "⍠: Order takes 'Strict'");
}

static bool set_precision(vm *v, fold_settings *to, arr *x) {
  int64_t n;
  to->set |= PRODUCT_FAST;
  bool ok = arg_number(v, value_arr(x), 1, PRODUCT_ALL_DIGITS, "⍠: Precision", &n);
  if (ok) to->digits = (uint8_t)n;
  return ok;
}

/* One option of a scan, reduction or product: a name and 0 or 1, the identity, the order, or digits. */
static bool fold_set(vm *v, void *user, arr *name, arr *x) {
  static const char *const names[] = {"Assoc", "Forward", "Identity",
                                      "Fast",  "Order",   "Precision"};
  fold_settings *to = user;
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, name, "⍠: an option's name", &s)) return false;
  size_t k = 0;
  while (k < ARRAY_LEN(names) && strcmp(names[k], s.at)) k++;
  if (k == ARRAY_LEN(names))
    return err_set(v->c, ERR_DOMAIN,
                   "⍠: a function takes the options Assoc, Forward, Identity, Fast, "
                   "Precision and Order");
  int bit = 1 << k; /* FOLD_… */
  if (bit == FOLD_STRICT) return set_order(v, to, x);
  if (bit == PRODUCT_PRECISION) return set_precision(v, to, x);
  if (bit == FOLD_IDENTITY) {
    to->set |= FOLD_IDENTITY;
    to->identity = x;
    return true;
  }
  if (x->count != 1 || !elt_is_int((elt)x->type) || arr_get_int(x, 0) >> 1)
    return err_set(v->c, ERR_DOMAIN, "⍠: %s takes 0 or 1", names[k]);
  to->set &= (uint8_t)~bit;
  if (bit == PRODUCT_FAST) to->digits = PRODUCT_ALL_DIGITS;
  if (arr_get_int(x, 0)) to->set |= (uint8_t)bit;
  return true;
}

static fn *fold_variant(vm *v, fn *f, arr *x) {
  fold_settings s = {f->fold_options, f->digits, identity_given(f)};
  if (!arg_options(v, x, fold_set, &s)) return NULL;
  fn *r = fn_new(v, F_DERIVED, OP_VARIANT);
  if (!r) return NULL;
  r->l = value_fn(fn_retain(without_variant(f)), C_FN);
  r->r = value_arr(arr_retain(x));
  r->fold_options = s.set;
  r->digits = s.digits;
  if (s.identity) r->options = arr_retain(s.identity);
  return r;
}

/* ── ⎕R and ⎕S ──────────────────────────────────────────────────────────────────────── */

static const struct {
  option_row row;
  int unset;
} options[REGEX_OPTIONS] = {
    [REGEX_IC] = {{.name = "IC", .hi = 1}, 0},
    [REGEX_MODE] = {{.name = "Mode", .words = "L D M "}, 0},
    [REGEX_DOTALL] = {{.name = "DotAll", .hi = 1}, 0},
    [REGEX_EOL] = {{.name = "EOL", .words = "CRLF CR LF VT NEL FF LS PS "}, 0},
    [REGEX_NEOL] = {{.name = "NEOL", .hi = 1}, 0},
    [REGEX_ML] = {{.name = "ML", .lo = -INT32_MAX, .hi = INT32_MAX}, 0},
    [REGEX_GREEDY] = {{.name = "Greedy", .hi = 1}, 1},
    [REGEX_OM] = {{.name = "OM", .hi = 1}, 0},
    [REGEX_RESULT] = {{.name = "ResultText", .words = "Implied Simple Nested "}, 0},
    [REGEX_UCP] = {{.name = "UCP", .hi = 1}, 0},
    [REGEX_SEARCH] = {{.name = "Regex", .hi = 1}, 1},
    [REGEX_TO] = {{.name = ""}, 1}};

int regex_option_of(const fn *f, regex_option i) {
  return f->options ? (int)arr_get_int(f->options, i) : options[i].unset;
}

/* Regex takes two values: of the patterns, and of the transformation. */
static bool regex_both(vm *v, const char *who, arr *to, arr *x) {
  int64_t n;
  for (int k = 0; k < 2; k++) {
    OWNED arr *part = arr_scalar_at(v->c, x, k);
    if (!part || !arg_option_value(v, who, &options[REGEX_SEARCH].row, part, &n))
      return false;
    arr_put_int(to, REGEX_SEARCH + k, n);
  }
  return true;
}

/* The option of that name that f has, IC without one; REGEX_TO after DOMAIN ERROR. */
static regex_option option_named(vm *v, const fn *f, arr *name) {
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, name, "⍠: an option's name", &s)) return REGEX_TO;
  if (!s.n) return REGEX_IC;
  regex_option foreign = f->code == OP_QUAD_R ? REGEX_OM : REGEX_RESULT, i = 0;
  while (i < REGEX_TO && strcmp(options[i].row.name, s.at)) i++;
  if (i < REGEX_TO && i != foreign) return i;
  err_set(v->c, ERR_DOMAIN, "%s has no option %s", oper_find(f->code)->glyph, s.at);
  return REGEX_TO;
}

typedef struct setting {
  const fn *f;
  arr *to;
} setting;

static bool regex_set(vm *v, void *user, arr *name, arr *x) {
  setting *s = user;
  int64_t n;
  regex_option i = option_named(v, s->f, name);
  if (i == REGEX_TO) return false;
  const char *who = oper_find(s->f->code)->glyph;
  if (i == REGEX_SEARCH && x->count == 2 && elt_is_int((elt)x->type))
    return regex_both(v, who, s->to, x);
  if (!arg_option_value(v, who, &options[i].row, x, &n)) return false;
  arr_put_int(s->to, i, n);
  if (i == REGEX_SEARCH) arr_put_int(s->to, REGEX_TO, n);
  return true;
}

/* What f calls: of ⎕R or ⎕S with options the function that has them. */
static fn *regex_in(fn *f) { return f->m.cls ? f->m.f : f; }

/* f⍠x, to be told as it was written; m is what it calls. */
static fn *regex_variant(vm *v, fn *given, arr *x) {
  fn *f = regex_in(given);
  OWNED arr *to = arr_vec(v->c, ET_I64, REGEX_OPTIONS);
  if (!to) return NULL;
  for (regex_option i = 0; i < REGEX_OPTIONS; i++)
    arr_put_int(to, i, regex_option_of(f, i));
  setting s = {f, to};
  if (!arg_options(v, x, regex_set, &s)) return NULL;
  OWNED_FN fn *does = fn_new(v, F_DERIVED, f->code);
  fn *r = does ? fn_new(v, F_DERIVED, OP_VARIANT) : NULL;
  if (!r) return NULL;
  does->l = value_retain(f->l);
  does->r = value_retain(f->r);
  does->depth = f->depth;
  does->options = arr_move(&to);
  r->l = value_fn(fn_retain(given), C_FN);
  r->r = value_arr(arr_retain(x));
  r->m = value_fn(fn_move(&does), C_FN);
  return r;
}

/* Options of a ⎕-function, which it reads itself when it is called. */
static fn *sys_variant(vm *v, fn *f, arr *x) {
  OWNED arr *all = f->options ? arg_options_both(v, f->options, x) : arr_retain(x);
  fn *r = all ? fn_new(v, F_SYS, f->code) : NULL;
  if (!r) return NULL;
  r->options = arr_move(&all);
  if (f->space) r->space = arr_retain(f->space);
  return r;
}

fn *variant_derive(vm *v, fn *f, arr *x) {
  if (!ir_host(v->g, x)) return NULL;
  if (f->kind == F_SYS) return sys_variant(v, f, x);
  const fn *in = regex_in(f);
  bool regex = in->kind == F_DERIVED && (in->code == OP_QUAD_R || in->code == OP_QUAD_S);
  return regex ? regex_variant(v, f, x) : fold_variant(v, f, x);
}
