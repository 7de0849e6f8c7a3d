/* SPDX-License-Identifier: MIT */
/* power.c - f⍣n, f applied n times or undone, and f⍣g, until g says that it is enough. */
#include "../../array/element.h"
#include "../value/arg.h"
#include "oper.h"

static bool is_true(vm *v, arr *a, bool *truth) {
  int64_t n;
  if (!arg_int(v, a, &n, "the condition of ⍣")) return false;
  *truth = n == 1;
  if (n == 0 || n == 1) return true;
  return err_set(v->c, ERR_DOMAIN, "the condition of ⍣ must be 0 or 1");
}

/* Until new g old. */
static arr *power_until(vm *v, fn *f, fn *g, arr *x, arr *y) {
  OWNED arr *now = arr_retain(y);
  for (bool done = false; !done;) {
    if (interrupted(v->c)) return NULL;
    OWNED arr *old = arr_move(&now);
    now = call2(v, f, x, old);
    if (!now) return NULL;
    OWNED arr *stop = call2(v, g, now, old);
    if (!stop || !is_true(v, stop, &done)) return NULL;
  }
  return arr_move(&now);
}

/* n < 0 */
static arr *undo_times(vm *v, fn *f, int64_t n, arr *x, arr *y) {
  OWNED arr *now = arr_retain(y);
  for (int64_t k = 0; k != n; k--) {
    if (interrupted(v->c)) return NULL;
    OWNED arr *old = arr_move(&now);
    now = undo(v, f, x, old);
    if (!now) return NULL;
  }
  return arr_move(&now);
}

static bool call_once(vm *v, fn *f, arr *x, value *now) {
  if (interrupted(v->c)) return false;
  pending_call p = {.f = fn_retain(f), .y = value_move(now)};
  if (x) p.x = value_arr(arr_retain(x));
  if (!call_value(v, &p, now)) return false;
  return now->cls == C_ARR || no_result(v);
}

static bool begin_items(vm *v, const arr *a) {
  bool ok = true;
  for (int64_t i = 0; ok && i < a->count; i++) ok = ir_begin(v->g, arr_item(a, i));
  return ok;
}

/* Between two rounds: where each element of a round needs several of the one before, those are stored, so
 * that a round stays one kernel; so are the arrays of a state of several. What is begun is not waited for. */
static bool end_round(vm *v, const arr *y, int64_t k, bool *spreads, const value *now) {
  if (now->cls != C_ARR || now->num) return true;
  if (now->a->type == ET_NEST && now->a->host) return begin_items(v, now->a);
  if (!k) *spreads = ir_spreads(now->a, y);
  return !*spreads || ir_begin(v->g, now->a);
}

arr *power_times(vm *v, fn *f, int64_t n, arr *x, arr *y) {
  if (n < 0) return undo_times(v, f, n, x, y);
  OWNED_VALUE value now = value_arr(arr_retain(y));
  bool ok = true, spreads = false, shown = share_begins(v->c, n);
  for (int64_t k = 0; ok && k < n; k++) {
    share_is(v->c, shown, k);
    ok = call_once(v, f, x, &now) && (k == n - 1 || end_round(v, y, k, &spreads, &now));
  }
  share_ends(v->c, shown);
  if (!ok || !value_box(v->c, &now)) return NULL;
  return value_move(&now).a;
}

bool oper_power(vm *v, fn *f, arr *x, arr *y, arr **r) {
  int64_t n;
  if (f->r.cls == C_FN) return give_result(r, power_until(v, f->l.f, f->r.f, x, y));
  if (!arg_int(v, f->r.a, &n, "the number of times")) return false;
  return give_result(r, power_times(v, f->l.f, n, x, y));
}
