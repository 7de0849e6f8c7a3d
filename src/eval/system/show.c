/* SPDX-License-Identifier: MIT */
/* show.c - output: how values are displayed. Whatever is seen from outside waits for pending
 * work. */
#include "show.h"
#include "../value/record.h"

bool put_out(vm *v, const char *p, size_t n) {
  if (v->cfg.write && n) v->cfg.write(v->cfg.user, 1, p, n);
  return true;
}

fmt_opts show_options(const vm *v) {
  bool boxed = v->box.on && (v->box.fns || !v->env);
  return (fmt_opts){.pp = v->sv->pp,
                    .pw = v->box.long_rows ? INT32_MAX : v->sv->pw,
                    .boxed = boxed ? v->box.style : BOX_NONE};
}

/* The arrays that a function's text will show must be at hand. */
static bool fn_host(vm *v, const fn *f) {
  const value part[3] = {f->l, f->m, f->r};
  for (int i = 0; i < 3; i++) {
    if (part[i].cls == C_ARR && !ir_host(v->g, part[i].a)) return false;
    if (part[i].cls > C_ARR && !fn_host(v, part[i].f)) return false;
  }
  return !f->axis || ir_host(v->g, f->axis);
}

static bool show_arr(vm *v, arr *a, const fmt_opts *o, str *s) {
  if (!ir_host(v->g, a)) return false;
  OWNED arr *view = record_view(v, a);
  if (err_is(v->c)) return false;
  return arr_display(v->c, view ? view : a, o, s);
}

bool show_value(vm *v, value x) {
  OWNED_STR str s = {.c = v->c};
  fmt_opts o = show_options(v);
  if (!verify(v)) return false;
  bool ok;
  if (x.cls == C_ARR) ok = show_arr(v, x.a, &o, &s);
  else ok = fn_host(v, x.f) && fn_show(v, x.f, &o, &s);
  if (!ok || s.failed || !put_out(v, s.at, s.n)) return false;
  if (s.n) v->open_line.n = 0;
  return true;
}
