/* SPDX-License-Identifier: MIT */
/* show.c - output: how values are displayed. Whatever is seen from outside waits for pending
 * work. */
#include "show.h"
#include "../../dist/dist.h"
#include "../../prim/direct.h"
#include "system.h"
#include <string.h>

bool put_out(vm *v, const char *p, size_t n) {
  if (v->captured) {
    str_put(v->captured, p, n);
    return !v->captured->failed;
  }
  if (v->cfg.write && n) v->cfg.write(v->cfg.user, 1, p, n);
  return true;
}

fmt_opts show_options(vm *v) {
  bool boxed = v->box.on && (v->box.fns || !v->env || !v->env->body->node);
  return (fmt_opts){.pp = v->sv->pp,
                    .pw = v->box.long_rows ? INT32_MAX : line_width(v, INT32_MAX),
                    .boxed = boxed ? v->box.style : BOX_NONE};
}

/* The arrays that a function's text will show must be at hand. */
static bool fn_host(vm *v, const fn *f) {
  const value part[3] = {f->l, f->m, f->r};
  if (out_of_stack(v->c)) return false;
  for (int i = 0; i < 3; i++) {
    if (part[i].cls == C_ARR && !ir_host(v->g, part[i].a)) return false;
    if (part[i].cls > C_ARR && !fn_host(v, part[i].f)) return false;
  }
  return !f->axis || ir_host(v->g, f->axis);
}

/* ── long results on a terminal ─────────────────────────────────────────────────────── */

/* How many lines of a result are shown; 0: all. */
static int64_t most_lines(vm *v) {
  int lines;
  if (v->box.fold) return v->box.fold < 0 ? 0 : v->box.fold;
  if (!terminal_of(v, &lines) || !lines) return 0;
  return lines < 50 ? 100 : 2 * (int64_t)lines;
}

/* The first and last cells of a, n of each, where it has many more than can be shown. */
static arr *ends_of(vm *v, arr *a, int64_t n) {
  ir_call call = call_of(v);
  OWNED arr *some = arr_int(v->c, n);
  OWNED arr *less = arr_int(v->c, -n);
  OWNED arr *first = ir_dyadic(&call, P_TAKE, some, a);
  OWNED arr *last = ir_dyadic(&call, P_TAKE, less, a);
  return ir_dyadic(&call, P_COMMA1, first, last);
}

/* What of a is worth being laid out: all of it, or its ends. */
static arr *worth_showing(vm *v, arr *a, int64_t lines, int pw) {
  int64_t n = arr_first_axis(a), most = lines;
  if (!lines || !a->rank || n <= most || pw == INT32_MAX) return arr_retain(a);
  if (a->rank == 1) most = lines * pw / 2;
  else if (a->count / n > pw) most = lines / (a->count / n / pw + 1) + 1;
  if (a->rank == 1 && elt_is_char((elt)a->type)) most = n; /* its lines are its own */
  return n > 2 * most ? ends_of(v, a, most) : arr_retain(a);
}

/* Where line n of the text begins. */
static const char *line_at(const str *s, size_t from, int64_t n) {
  const char *p = s->at + from;
  for (; n > 0; n--) p = (const char *)memchr(p, '\n', s->n) + 1;
  return p;
}

/* The lines from byte `from` on: the middle of them left out if they are more than n. */
static bool elide(vm *v, const arr *a, size_t from, int64_t n, bool shortened, str *s) {
  int64_t lines = 0;
  for (size_t i = from; i < s->n; i++) lines += s->at[i] == '\n';
  if (!n || (lines <= n && !shortened)) return true;
  OWNED_STR str kept = {.c = v->c};
  int64_t half = lines < n ? lines / 2 : n / 2;
  const char *first = line_at(s, from, half), *last = line_at(s, from, lines - half);
  str_put(&kept, s->at, (size_t)(first - s->at));
  str_puts(&kept, "      ⋮  shape");
  for (int k = 0; k < a->rank; k++) str_printf(&kept, " %lld", (long long)a->shape[k]);
  str_puts(&kept, ", its middle is left out: ]rows -fold=off shows all\n");
  str_put(&kept, last, (size_t)(s->at + s->n - last));
  s->n = 0;
  str_put(s, kept.at, kept.n);
  return !kept.failed && !s->failed;
}

/* The rest of a long array is not brought here. */
static bool show_arr(vm *v, arr *a, const fmt_opts *o, str *s) {
  if (a->type == ET_NEST && !ir_host(v->g, a)) return false;
  enum { SHORT = 1000 };
  int64_t size[] = {most_lines(v), o->pw}; /* the terminal is the first rank's */
  if (a->count > SHORT && is_ranked(v->c) && !dist_same(v->c, size, sizeof size))
    return false;
  int64_t lines = size[0];
  OWNED arr *shown = worth_showing(v, a, lines, (int)size[1]);
  size_t from = s->n;
  return shown && ir_host(v->g, shown) && arr_display(v->c, shown, o, s) && !s->failed &&
         elide(v, a, from, lines, shown != a, s);
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
