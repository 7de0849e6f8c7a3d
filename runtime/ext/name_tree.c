/* SPDX-License-Identifier: MIT */
/* name_tree.c - ]map: which names there are, namespace by namespace.
 *
 *   #
 *   ·   ~ count data      arrays
 *   ·   ∇ mean            functions
 *   ·   ∘ twice           operators
 *   ·   app               a namespace that was made here, and what is in it
 *   ·   ·   ∇ run
 *   ·   log → #.app       one that was made elsewhere; a class; an instance
 */
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/space.h"

typedef enum branch { ARRAYS, FUNCTIONS, OPERATORS, REFERENCES } branch;

typedef struct wanted {
  vm *v;
  branch of;
} wanted;

static bool is_wanted(void *user, const sym *k, location at) {
  const wanted *w = user;
  const value *x = sym_read(k);
  if (at.val) x = cell_read(k, at.val);
  if (x->cls == C_FN) return w->of == FUNCTIONS;
  if (x->cls == C_OP) return w->of == OPERATORS;
  bool reference = x->cls == C_ARR && !x->num && x->a->ref;
  return x->cls == C_ARR && w->of == (reference ? REFERENCES : ARRAYS);
}

static void put_dots(str *s, int depth) {
  for (int i = 0; i < depth; i++) str_puts(s, "·   ");
}

/* The names of one kind on a line. */
static bool put_names(vm *v, branch of, const char *mark, int depth, str *s) {
  wanted w = {v, of};
  name_list names = {0};
  bool ok = names_sorted(v, is_wanted, &w, &names);
  if (names.n) put_dots(s, depth);
  if (names.n) str_puts(s, mark);
  for (size_t i = 0; i < names.n; i++) str_printf(s, " %s", names.at[i]->text);
  if (names.n) str_puts(s, "\n");
  vec_free(v->c, &names);
  return ok;
}

static bool put_space(vm *v, int depth, str *s);

/* The name k, and what is in the namespace that it refers to, if that was made here. */
static bool put_reference(vm *v, sym *k, int depth, str *s) {
  const arr *here = v->env ? v->env->space : NULL;
  const value *x = space_find(here, k);
  space_visit i;
  OWNED arr *of = x && x->cls == C_ARR && !x->num ? arr_retain(x->a) : NULL;
  OWNED_STR str shown = {.c = v->c};
  if (!of || !of->ref) return true;
  put_dots(s, depth);
  str_puts(s, k->text);
  bool child =
      !space_has_members(of) && !space_of(of)->is_workspace && space_parent(of) == here;
  if (!child) {
    OWNED arr *title = arr_retain((arr *)(uintptr_t)space_title(of));
    if (title->rank <= 1 && !arg_text(v, title, "", &shown)) return false;
    str_printf(s, " → %s\n", shown.n ? shown.at : "…");
    return true;
  }
  str_puts(s, "\n");
  if (!space_enter(&i, v, v->env, of)) return false;
  bool ok = put_space(v, depth + 1, s);
  space_leave(&i);
  return ok;
}

static bool put_space(vm *v, int depth, str *s) {
  static const char *const marks[] = {"~", "∇", "∘"};
  wanted w = {v, REFERENCES};
  name_list names = {0};
  bool ok = !out_of_stack(v->c) && !interrupted(v->c);
  for (int i = 0; ok && i < REFERENCES; i++)
    ok = put_names(v, (branch)i, marks[i], depth, s);
  ok = ok && names_sorted(v, is_wanted, &w, &names);
  for (size_t i = 0; ok && i < names.n; i++) ok = put_reference(v, names.at[i], depth, s);
  vec_free(v->c, &names);
  return ok;
}

/* All of the workspace, or of the namespace that the expression is. */
bool ext_cmd_map(vm *v, const char *at, const char *end) {
  OWNED_STR str s = {.c = v->c};
  OWNED_VALUE value x = {0};
  bool shy;
  while (at < end && *at == ' ') at++;
  vm_text t = {
      .name = "", .at = at == end ? "#" : at, .n = at == end ? 1 : (size_t)(end - at)};
  if (!run_text(v, &t, false, &x, &shy)) return false;
  if (x.cls != C_ARR || x.num || !x.a->ref)
    return err_set(v->c, ERR_DOMAIN, "]map takes a namespace");
  space_visit i;
  OWNED arr *title = arr_retain((arr *)(uintptr_t)space_title(x.a));
  if (title->rank > 1 || !arg_text(v, title, "", &s)) return false;
  str_puts(&s, "\n");
  if (!space_ready(v, x.a) || !space_enter(&i, v, v->env, x.a)) return false;
  bool ok = put_space(v, 1, &s);
  space_leave(&i);
  return ok && !s.failed && put_out(v, s.at, s.n);
}
