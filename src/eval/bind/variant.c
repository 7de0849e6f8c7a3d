/* SPDX-License-Identifier: MIT */
/* variant.c - f⍠options: what an operand says of how a function works. */
#include "variant.h"
#include "../../array/element.h"
#include <string.h>
#include "../value/arg.h"

/* ── / and \ ────────────────────────────────────────────────────────────────────────── */

/* One option of a scan or fold, a name and 0 or 1. */
static bool fold_set(vm *v, void *says, arr *name, arr *x) {
  static const char *const names[] = {"Assoc", "Forward"};
  str s = {.c = v->c};
  bool ok = arg_text(v, name, "⍠: an option's name", &s);
  int k = 0;
  while (ok && k < 2 && strcmp(names[k], s.at)) k++;
  str_free(&s);
  if (!ok) return false;
  if (k == 2)
    return err_set(v->c, ERR_DOMAIN, "⍠: a function takes the options Assoc and Forward");
  if (x->count != 1 || !elt_is_int((elt)x->type) || arr_get_int(x, 0) >> 1)
    return err_set(v->c, ERR_DOMAIN, "⍠: %s takes 0 or 1", names[k]);
  *(int *)says = (*(int *)says & ~(1 << k)) | (int)arr_get_int(x, 0) << k;
  return true;
}

int says_of(const fn *f) {
  return f->kind == F_DERIVED && f->code == OP_VARIANT ? f->prim : 0;
}

fn *fold_variant(vm *v, fn *f, arr *x) {
  int says = says_of(f);
  bool ok = ir_host(v->g, x) && arg_options(v, x, fold_set, &says);
  fn *r = ok ? fn_new(v, F_DERIVED, OP_VARIANT) : NULL;
  if (!r) return NULL;
  r->l = (value){.cls = C_FN, .f = fn_retain(without_variant(f))};
  r->r = (value){.cls = C_ARR, .a = arr_retain(x)};
  r->prim = (uint16_t)says;
  return r;
}

/* ── ⎕R and ⎕S ──────────────────────────────────────────────────────────────────────── */

/* Words that an option takes, each ended by a blank, and the numbers that they stand for
 * from 0 on; without words it takes lo to hi. */
typedef struct option_row {
  const char *name, *words;
  int lo, hi, unset;
} option_row;
static const option_row options[REGEX_OPTIONS] = {
    [REGEX_IC] = {"IC", NULL, 0, 1, 0},
    [REGEX_MODE] = {"Mode", "L D M ", 0, 2, 0},
    [REGEX_DOTALL] = {"DotAll", NULL, 0, 1, 0},
    [REGEX_EOL] = {"EOL", "CRLF CR LF VT NEL FF LS PS ", 0, 7, 0},
    [REGEX_NEOL] = {"NEOL", NULL, 0, 1, 0},
    [REGEX_ML] = {"ML", NULL, -INT32_MAX, INT32_MAX, 0},
    [REGEX_GREEDY] = {"Greedy", NULL, 0, 1, 1},
    [REGEX_OM] = {"OM", NULL, 0, 1, 0},
    [REGEX_RESULT] = {"ResultText", "Implied Simple Nested ", 0, 2, 0},
    [REGEX_UCP] = {"UCP", NULL, 0, 1, 0},
    [REGEX_SEARCH] = {"Regex", NULL, 0, 1, 1},
    [REGEX_TO] = {"", NULL, 0, 1, 1}};

int regex_says(const fn *f, regex_option i) {
  return f->axis ? (int)arr_get_int(f->axis, i) : options[i].unset;
}

/* The number that a value of option o is; false after DOMAIN ERROR. */
static bool regex_value(vm *v, const option_row *o, arr *x, int64_t *n) {
  str s = {.c = v->c};
  bool ok = false;
  if (o->words && elt_is_char((elt)x->type) && arg_text(v, x, o->name, &s)) {
    *n = 0;
    for (const char *p = o->words, *end; !ok && *p; p = end + 1, ++*n) {
      end = strchr(p, ' ');
      ok = s.n == (size_t)(end - p) && !memcmp(p, s.at, s.n);
      if (ok) break;
    }
  } else if (!o->words && elt_is_int((elt)x->type) && x->count == 1) {
    *n = arr_get_int(x, 0);
    ok = *n >= o->lo && *n <= o->hi;
  }
  str_free(&s);
  return ok || err_set(v->c, ERR_DOMAIN, "⍠: the option %s does not take this", o->name);
}

typedef struct setting {
  const fn *f;
  arr *to;
} setting;

static bool regex_set(vm *v, void *user, arr *name, arr *x) {
  const fn *f = ((setting *)user)->f;
  arr *to = ((setting *)user)->to;
  str s = {.c = v->c};
  int64_t n = 0;
  int i = 0;
  bool ok = arg_text(v, name, "⍠: an option's name", &s), two = false;
  while (ok && i < REGEX_TO && strcmp(options[i].name, s.at)) i++;
  bool misfit = i == (f->code == OP_QUAD_R ? REGEX_OM : REGEX_RESULT);
  if (ok && (i == REGEX_TO || misfit))
    ok = err_set(v->c, ERR_DOMAIN, "⍠: %s has no option %s",
                 f->code == OP_QUAD_R ? "⎕R" : "⎕S", s.at);
  str_free(&s);
  two = ok && i == REGEX_SEARCH && x->count == 2 && elt_is_int((elt)x->type);
  for (int k = 0; ok && k <= two; k++) {
    arr *part = two ? arr_scalar_at(v->c, x, k) : arr_retain(x);
    ok = part && regex_value(v, &options[i], part, &n);
    if (ok) arr_put_int(to, i + k, n);
    arr_release(part);
  }
  if (ok && i == REGEX_SEARCH && !two) arr_put_int(to, REGEX_TO, n);
  return ok;
}

fn *regex_variant(vm *v, fn *f, arr *x) {
  arr *to = arr_vec(v->c, ET_I64, REGEX_OPTIONS), *ic = NULL;
  bool ok = to && ir_host(v->g, x);
  for (int i = 0; to && i < REGEX_OPTIONS; i++) arr_put_int(to, i, regex_says(f, i));
  setting s = {f, to};
  if (ok && x->type != ET_NEST) {
    ok = (ic = arr_text(v->c, "IC", 2)) && regex_set(v, &s, ic, x);
    arr_release(ic);
  } else ok = ok && arg_options(v, x, regex_set, &s);
  fn *r = ok ? fn_new(v, F_DERIVED, f->code) : NULL;
  if (r) {
    r->l = value_retain(f->l);
    r->r = value_retain(f->r);
    r->depth = f->depth;
    r->axis = to;
  } else arr_release(to);
  return r;
}
