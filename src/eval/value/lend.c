/* SPDX-License-Identifier: MIT */
/* lend.c - what a traditional function sees of the dfns that led to its call.
 *
 *   {x←1 ⋄ f ⍵}    the cell of x in f's namespace ──▶ the dfn's slot, while f runs; what the cell had waits
 *
 * Its names are dynamic: a name that it does not have is that of the nearest call which has it, be that of a
 * traditional function or of a dfn. So while it runs the cells of its namespace point to
 * the slots of a dfn's names that it mentions, as they do to those of its own names, and whoever looks a name up
 * finds them. What it mentions is known by its lines; where it runs a text, or a ⎕-name looks for
 * names, all that it can see is lent. */
#include "space.h"

/* The first call from o outwards that has names of a dfn; *past: the outermost traditional function that was
 * passed. */
static env *next_lender(env *o, uint32_t *past) {
  while (o && !o->trad && !o->body->n) o = o->caller;
  if (!o || !o->trad) return o;
  *past = o->trad->past;
  return o->trad->lender;
}

void shadow_lenders(shadow *k, env *caller) {
  k->past = k->depth;
  k->lender = next_lender(caller, &k->past);
}

/* Has k or a traditional function that it was called from, down to that depth, the name? */
static bool is_nearer(const shadow *k, const sym *s, uint32_t past) {
  const arr *in = k->space;
  while (k && k->depth >= past && (k->space != in || !shadow_has(k, s))) k = k->outer;
  return k && k->depth >= past;
}

static bool lend_one(vm *v, shadow *k, env *o, uint32_t slot) {
  sym *s = o->body->local[slot];
  value *cell = k->space ? space_own_cell(space_of(k->space), s, true) : &s->val;
  shadowed lent = {.s = s, .of = o, .slot = slot};
  if (cell) value_copy(&lent.old, cell);
  if (!cell || !vec_push(v->c, &k->more, lent)) return false;
  *cell = (value){.cls = C_SLOT, .at = &o->slot[slot]};
  return true;
}

static bool lend_some(vm *v, shadow *k, env *o, uint32_t past, const body *names) {
  if (names && !(names->bits & o->body->bits)) return true;
  for (uint32_t i = 0; i < o->body->n; i++) {
    const sym *s = o->body->local[i];
    bool has = o->slot[i].cls && (!names || slot_of(names, s) >= 0);
    if (has && !is_nearer(k, s, past) && !lend_one(v, k, o, i)) return false;
  }
  return true;
}

bool shadow_lend(vm *v, shadow *k, const body *names) {
  uint32_t past = k->past;
  for (env *o = k->lender; o; o = next_lender(o->caller, &past)) {
    bool here = plain_space(o->space) == k->space;
    if (here && !lend_some(v, k, o, past, names)) return false;
    if (interrupted(v->c)) return false;
  }
  k->has_all |= !names;
  return true;
}

void lent_changes(vm *v, const shadow *k) {
  for (size_t j = 0; j < k->more.n; j++)
    for (size_t i = 0; i < v->journal.n; i++) {
      change *o = &v->journal.at[i];
      const shadowed *m = &k->more.at[j];
      bool own = !o->e && o->s == m->s && o->space == k->space && o->depth >= k->depth;
      if (!m->of || !own) continue;
      arr_release(o->space);
      o->space = NULL;
      o->e = env_retain(m->of);
      o->slot = m->slot;
    }
}

bool shadow_may_see(const env *caller, const body *names) {
  uint32_t past = 0;
  const env *o = next_lender((env *)(uintptr_t)caller, &past);
  for (; o; o = next_lender(o->caller, &past))
    if (o->body->bits & names->bits) return true;
  return false;
}
