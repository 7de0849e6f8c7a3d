/* SPDX-License-Identifier: MIT */
/* definition.c - see trad.h. */
#include "trad.h"
#include "../bind/bind.h"
#include "../value/sysname.h"
#include <string.h>

static bool add_symbol(vm *v, tnode *t, name_list *out) {
  if (!t) return true;
  sym *s = symbol_of(v, t);
  return s && vec_push(v->c, out, s);
}

static void add_system(trad_code *k, const tnode *t) {
  static const struct {
    const char *name;
    unsigned bit;
  } known[] = {{"⎕IO", SHADOW_IO},   {"⎕ML", SHADOW_ML},    {"⎕CT", SHADOW_CT},
               {"⎕DIV", SHADOW_DIV}, {"⎕PP", SHADOW_PP},    {"⎕PW", SHADOW_PW},
               {"⎕RL", SHADOW_RL},   {"⎕TRAP", SHADOW_TRAP}};
  size_t i = 0;
  while (i < ARRAY_LEN(known) && strcmp(t->text, known[i].name)) i++;
  int row = sys_find(t->text, t->n);
  if (i < ARRAY_LEN(known)) k->sys |= known[i].bit;
  else if (row >= 0) k->var[k->vars++] = row;
}

static bool add_all(vm *v, const tnames *names, name_list *out, trad_code *k) {
  for (uint32_t i = 0; i < names->n; i++) {
    tnode *t = names->at[i];
    if (t->kind == T_SYSNAME) add_system(k, t);
    else if (!add_symbol(v, t, out)) return false;
  }
  return true;
}

trad_code *trad_code_of(vm *v, const fn *f) {
  if (f->node->cache) return f->node->cache;
  const trad *t = f->node->trad;
  arena *mem = &f->u->t->mem;
  name_list names = {0};
  trad_code *k = arena_alloc(mem, sizeof *k);
  uint32_t most = t->result.n + t->right.n + t->local.n + t->label.n;
  if (k) k->var = arena_alloc(mem, (most + 1) * sizeof *k->var);
  bool ok = k && k->var && add_all(v, &t->label, &names, k);
  size_t labels = names.n;
  ok = ok && add_all(v, &t->result, &names, k) && add_symbol(v, t->left, &names) &&
       add_all(v, &t->right, &names, k) && add_symbol(v, t->lop, &names) &&
       add_symbol(v, t->rop, &names) && add_symbol(v, t->axis, &names) &&
       add_all(v, &t->local, &names, k);
  if (ok) k->body = (body){.u = f->u, .src = f->u->t->src, .open = true};
  if (ok && names.n) ok = body_names(&k->body, mem, &names);
  for (size_t i = 0; ok && i < labels; i++) { /* a label may stand twice */
    uint32_t slot = (uint32_t)slot_of(&k->body, names.at[i]);
    if (slot >= k->body.fixed) k->body.fixed = slot + 1;
  }
  if (ok) f->node->cache = k;
  vec_free(v->c, &names);
  return ok ? k : NULL;
}

const body *trad_mentions(vm *v, const fn *f, trad_code *k) {
  const trad *t = f->node->trad;
  name_list names = {0};
  if (k->others) return k->others;
  body *b = arena_alloc(&f->u->t->mem, sizeof *b);
  bool ok = b != NULL;
  for (uint32_t i = 0; ok && i < t->n; i++)
    ok = body_mentions(v, t->step[i].expr, &names) &&
         body_mentions(v, t->step[i].names, &names);
  size_t n = 0;
  for (size_t i = 0; i < names.n; i++)
    if (slot_of(&k->body, names.at[i]) < 0) names.at[n++] = names.at[i];
  names.n = n;
  if (ok && n) ok = body_names(b, &f->u->t->mem, &names);
  if (ok) k->others = b;
  vec_free(v->c, &names);
  return k->others;
}

body *trad_body(vm *v, const fn *f) {
  trad_code *k = trad_code_of(v, f);
  const body *names = k && !k->sys && !k->vars ? trad_mentions(v, f, k) : NULL;
  return names && !shadow_may_see(v->env, names) ? &k->body : NULL;
}
