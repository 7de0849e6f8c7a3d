/* SPDX-License-Identifier: MIT */
/* suspend.c - a traditional function is suspended: at an error that nobody handles, an interrupt, or
 * a stop.
 *
 *   run_steps ─▶ suspend ─▶ the person's session ─▶ vm_line ─▶ run_entry_in the function
 *        ◀── line to go on with, or it is given up ◀── → )RESET
 *
 * The C stack stays as it is: the session runs within the call, and what it calls may be suspended
 * in turn. Local names stand in their cells, so that entries see what the function sees. An error that was
 * found late has undone what came after it; so the function stands on the line that is to blame then. */
#include "trad.h"
#include "../../array/element.h"
#include "../system/error.h"
#include <math.h>

void vm_suspend_by(vm *v, bool (*session)(void *user)) { v->suspend = session; }

bool vm_resumes(const vm *v) { return v->off || v->resets || (v->halt && v->halt->goes); }

bool can_suspend(vm *v) {
  const ctx_stack *s = &v->c->stack;
  size_t above = (size_t)((char *)__builtin_frame_address(0) - s->low);
  if (!v->suspend || v->off) return false;
  if (v->c->limit.on && limit_is_reached(v->c)) return false;
  return above >= s->room / 4 && above < s->room; /* its entries need some of it */
}

bool give_up(vm *v) {
  v->aborts = true;
  return err_set(v->c, ERR_INTERRUPT, "→");
}

/* Runs the session, with nothing under way that its entries could disturb. */
static bool run_session(vm *v, halt *h) {
  span at = v->at;
  sysvars *sv = v->sv;
  const env *executes = v->executes;
  arr *options = v->options;
  v->options = NULL;
  v->executes = v->env = h->e;
  v->sv = h->e->sv;
  v->halt = h;
  bool goes = v->suspend(v->cfg.user);
  stack_forget(v);
  if (!goes) v->resets = stack_halts(v);
  v->halt = h->outer;
  v->options = options;
  v->executes = executes;
  v->env = h->e;
  v->sv = sv;
  v->at = at;
  err_clear(v->c);
  return h->goes && !v->resets && !v->off;
}

bool suspend(vm *v, halt *h) {
  h->outer = v->halt;
  h->depth = v->depth;
  error_note(v);
  if (run_session(v, h)) return true;
  if (v->resets) v->resets--;
  return give_up(v);
}

bool line_of_branch(vm *v, const arr *to, int64_t *line) {
  double d = to->type <= ET_F64 ? arr_get_float(to, 0) : 0.5;
  if (!(fabs(d) < 0x1p63) || d != trunc(d))
    return err_set(v->c, ERR_DOMAIN, "a branch is to a line's number");
  *line = (int64_t)d;
  return true;
}

bool branch_in_session(vm *v, const arr *to) {
  halt *h = v->halt;
  if (!to) {
    v->resets = h != NULL;
    return true;
  }
  if (!to->count) return true;
  if (!h) return err_set(v->c, ERR_SYNTAX, "nothing is suspended");
  h->goes = line_of_branch(v, to, &h->to);
  return h->goes;
}
