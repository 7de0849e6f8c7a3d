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
  for (int i = 0; i < 3; i++)
    if (part[i].cls &&
        !(part[i].cls == C_ARR ? ir_host(v->g, part[i].a) : fn_host(v, part[i].f)))
      return false;
  return !f->axis || ir_host(v->g, f->axis);
}

bool show_value(vm *v, value x) {
  str s = {.c = v->c};
  fmt_opts o = show_options(v);
  if (!verify(v)) return false;
  bool ok = true;
  if (x.cls != C_ARR) ok = fn_host(v, x.f) && fn_show(v, x.f, &o, &s);
  else if ((ok = ir_host(v->g, x.a))) {
    arr *view = record_view(v, x.a);
    ok = !err_is(v->c) && arr_display(v->c, view ? view : x.a, &o, &s);
    arr_release(view);
  }
  ok = ok && !s.failed && put_out(v, s.at, s.n);
  if (ok && s.n) v->open_line.n = 0;
  str_free(&s);
  return ok;
}
