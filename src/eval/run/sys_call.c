/* SPDX-License-Identifier: MIT */
/* sys_call.c - ⎕-names read, assigned and called, by their rows. Variables that hold one small integer are
 * fields of `sysvars`, which their row bounds. */
#include "sys_call.h"
#include "../value/arg.h"
#include "../value/space.h"
#include "../../dist/dist.h"
#include <string.h>

static SELDOM arr *get_alone(vm *v, sys_getter *get) {
  arr *r = NULL;
  if (!verify(v)) return NULL;
  if (dist_alone_begins(v->c)) r = get(v);
  return dist_alone_ends(v->c, &r) ? r : NULL;
}

arr *sys_get(vm *v, int row) {
  const sys_row *w = &v->sys[row];
  if (w->valence & SYS_OUTSIDE && is_ranked(v->c)) return get_alone(v, w->get);
  if (w->get) return w->get(v);
  return arr_int(v->c, *(const int *)((const char *)v->sv + w->field));
}

sysvars *sys_own(vm *v, env *e) {
  if (e->text) { /* ⍎ sets what is its caller's */
    e->sv = sys_own(v, e->outer);
    return e->sv;
  }
  if (e->body->node && !e->body->open && e->sv != &e->own) {
    e->own = *e->sv;
    e->sv = &e->own;
  }
  v->sv = e->sv;
  return e->sv;
}

bool sys_set(vm *v, env *e, int row, value x) {
  const sys_row *w = &v->sys[row];
  int64_t n;
  if (!w->set && !w->field)
    return err_set(v->c, ERR_SYNTAX, "%s cannot be assigned", w->name);
  /* The journal keeps names, not system variables: what is pending is checked first. */
  if (!verify(v)) return false;
  if (w->set) return w->set(v, e, x);
  if (!arg_number(v, x, w->lo, w->hi, w->name, &n)) return false;
  *(int *)((char *)sys_own(v, e) + w->field) = (int)n;
  return true;
}

bool sys_is_variable(const vm *v, int row) {
  return row >= 0 && v->sys[row].get && v->sys[row].set &&
         strlen(v->sys[row].name) > strlen("⎕");
}

void sys_restore(vm *v, env *e, int row, arr *x) { v->sys[row].set(v, e, value_arr(x)); }

static SELDOM bool call_alone(vm *v, sys_caller *call, arr *x, arr *y, arr **r) {
  if (!verify(v)) return false;
  if (dist_alone_begins(v->c)) call(v, x, y, r);
  if (!dist_alone_ends(v->c, r)) return false;
  if (dist_same(v->c, &v->shy, sizeof v->shy)) return true;
  arr_drop(r);
  *r = NULL;
  return false;
}

bool sys_apply(vm *v, int valence, sys_caller *call, arr *x, arr *y, arr **r) {
  if (valence & SYS_OUTSIDE && is_ranked(v->c)) return call_alone(v, call, x, y, r);
  return call(v, x, y, r);
}

bool sys_call(vm *v, const fn *f, arr *x, arr *y, arr **r) {
  const sys_row *w = &v->sys[f->code];
  *r = NULL;
  if (x && !(w->valence & SYS_DYADIC))
    return err_set(v->c, ERR_SYNTAX, "%s takes no left argument", w->name);
  if (!x && !(w->valence & SYS_MONADIC))
    return err_set(v->c, ERR_SYNTAX, "%s takes a left argument", w->name);
  static const option_row no_options[] = {{0}};
  if (!(w->valence & SYS_OPTIONS) &&
      !arg_option_rows(v, f->options, w->name, no_options, NULL))
    return false;
  ir_step s;
  ir_step_begin(v->g, &s);
  v->options = f->options;
  space_visit i = {0};
  bool ok = !f->space || space_enter(&i, v, v->env, f->space);
  if (ok && !(w->valence & SYS_FETCHES))
    ok = (!x || ir_host(v->g, x)) && ir_host(v->g, y);
  ok = ok && sys_apply(v, w->valence, w->call, x, y, r);
  if (i.e) space_leave(&i);
  if (ir_step_end(v->g, &s)) ir_step_tell(v->g, &s, w->name, NULL);
  return ok;
}
