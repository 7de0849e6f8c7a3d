/* SPDX-License-Identifier: MIT */
/* frame.h - the environment of a call: made when it begins, emptied when it ends. */
#ifndef VAPL_EVAL_FRAME_H
#define VAPL_EVAL_FRAME_H
#include "space.h"

enum { FRAME_SLOTS = 8, FRAMES_MOST = 64 }; /* of environments that wait; how many may */

env *env_alloc(vm *v, uint32_t n); /* of n slots at least */
/* Gives back its error guards, and what texts made that ⍎ ran. */
void env_leave_more(env *e);

/* An empty environment, in which neither a function nor a text runs. */
static inline env *env_make(vm *v, body *k, env *outer) {
  if (!k) return NULL;
  env *e = v->frame;
  if (LIKELY(e && k->n <= FRAME_SLOTS)) {
    v->frame = e->outer;
  } else e = env_alloc(v, k->n);
  if (!e) return NULL;
  e->refs = 1;
  e->body = k;
  e->outer = env_retain(outer);
  e->self = NULL;
  e->space = NULL;
  e->called = (span){0};
  e->caller = NULL;
  return e;
}

/* Of a call of the dfn f, whose body is k (NULL, out of memory: so is the result); its arguments
 * are none yet. Takes the reference to f over, even then. */
static inline env *env_new(vm *v, body *k, fn *f) {
  env *e = env_make(v, k, f->env);
  if (!LIKELY(e)) {
    fn_release(f);
    return NULL;
  }
  e->self = f;
  e->space = f->space;
  if (f->env) e->sv = f->env->sv;
  else if (f->space) e->sv = &space_of(f->space)->vars;
  else e->sv = &v->vars;
  return e;
}

static inline void env_empty(env *e) {
  for (uint32_t i = 0; i < e->body->n; i++) value_clear(&e->slot[i]);
  value_clear(&e->alpha);
  value_clear(&e->omega);
  if (e->holds) env_leave_more(e);
}

static inline void env_free(env *e) {
  env *outer = e->outer;
  vm *v = e->v;
  fn_release(e->self);
  if (e->holds) {
    unit_release(e->text);
    e->text = NULL;
    e->holds = false;
  }
  if (LIKELY(e->waits)) {
    e->outer = v->frame;
    v->frame = e;
  } else mem_free(v->c, e);
  if (outer) env_release(outer);
}

/* Empties it, and takes the call's reference away. */
static inline void env_end(env *e) {
  env_empty(e);
  if (LIKELY(!--e->refs)) env_free(e);
}
#endif
