/* SPDX-License-Identifier: MIT */
/* names.c - symbols, environments, and the journal.
 *
 * A name is interned once; the symbol holds the workspace's value. A dfn's call has an
 * environment with a slot for each name that the dfn assigns; a name that is not (yet) set
 * there is looked for in the environments of the enclosing dfns, then in the workspace.
 * Plain assignment makes a local name; modified and indexed assignment change the name where
 * it is found.
 *
 * Because pending work may turn out to be wrong after later statements have run, every change
 * to a name that outlives the call which made it is noted in a journal while something is
 * pending. When verification fails, the changes made after the faulty primitive was applied
 * are taken back. What a dfn with an error guard had assigned to its own names is restored
 * from the guard's copy instead. */
#include "../internal.h"
#include "../../base/hash.h"
#include <string.h>

enum { JOURNAL_MAX = 256 };

/* ── values ─────────────────────────────────────────────────────────────────────────── */

void value_release(vm *v, value x) {
  if (x.cls == C_ARR) arr_release(x.a);
  else if (x.cls) fn_release(v, x.f);
}

value value_retain(value x) {
  if (x.cls == C_ARR) arr_retain(x.a);
  else if (x.cls) fn_retain(x.f);
  return x;
}

/* ── symbols ────────────────────────────────────────────────────────────────────────── */

static bool grow(vm *v) {
  uint32_t n = v->buckets ? v->buckets * 2 : 64;
  sym **b = mem_zalloc(v->c, n * sizeof *b);
  if (!b) return false;
  for (uint32_t i = 0; i < v->buckets; i++)
    for (sym *s = v->bucket[i], *next; s; s = next) {
      next = s->next;
      s->next = b[s->hash % n];
      b[s->hash % n] = s;
    }
  mem_free(v->c, v->bucket);
  v->bucket = b;
  v->buckets = n;
  return true;
}

static sym *find_hashed(const vm *v, const char *text, size_t n, uint32_t h) {
  if (!v->buckets) return NULL;
  for (sym *s = v->bucket[h % v->buckets]; s; s = s->next)
    if (s->hash == h && s->len == n && !memcmp(s->text, text, n)) return s;
  return NULL;
}

sym *sym_find(const vm *v, const char *text, size_t n) {
  return find_hashed(v, text, n, (uint32_t)hash_bytes(text, n, 0));
}

sym *sym_intern(vm *v, const char *text, size_t n) {
  uint32_t h = (uint32_t)hash_bytes(text, n, 0);
  sym *s = find_hashed(v, text, n, h);
  if (s) return s;
  if (v->symbols >= v->buckets && !grow(v)) return NULL;
  s = mem_zalloc(v->c, sizeof *s + n + 1);
  if (!s) return NULL;
  s->hash = h;
  s->len = (uint32_t)n;
  memcpy(s->text, text, n);
  s->next = v->bucket[h % v->buckets];
  v->bucket[h % v->buckets] = s;
  v->symbols++;
  return s;
}

void names_clear(vm *v) {
  for (uint32_t i = 0; i < v->buckets; i++)
    for (sym *s = v->bucket[i]; s; s = s->next) {
      value old = s->val;
      s->val = (value){0};
      value_release(v, old);
    }
}

static void journal_clear(vm *v) {
  while (v->journal.n) {
    change k = v->journal.at[--v->journal.n];
    value_release(v, k.old);
    env_release(v, k.e);
  }
}

void names_free(vm *v) {
  journal_clear(v);
  vec_free(v->c, &v->journal);
  names_clear(v);
  for (uint32_t i = 0; i < v->buckets; i++)
    for (sym *s = v->bucket[i], *next; s; s = next) {
      next = s->next;
      mem_free(v->c, s);
    }
  mem_free(v->c, v->bucket);
}

/* ── environments ───────────────────────────────────────────────────────────────────── */

static env *env_make(vm *v, body *k, env *outer, fn *self) {
  env *e = k ? mem_alloc(v->c, sizeof *e + k->n * sizeof(value)) : NULL;
  if (!e) return NULL;
  memset(e, 0, sizeof *e + k->n * sizeof(value));
  e->refs = 1;
  e->body = k;
  e->outer = outer;
  if (outer) outer->refs++;
  e->self = fn_retain(self);
  return e;
}

env *env_new(vm *v, fn *f, arr *x, arr *y) {
  env *e = env_make(v, body_of(v, f->u, f->node), f->env, f);
  if (!e) return NULL;
  if (x) e->alpha = (value){.cls = C_ARR, .a = arr_retain(x)};
  e->omega = arr_retain(y);
  e->sv = f->env ? f->env->sv : &v->vars;
  return e;
}

env *env_own_name(env *e, const sym *s, uint32_t *index) {
  for (; e; e = e->more)
    for (uint32_t i = 0; i < e->body->n; i++)
      if (e->body->local[i] == s) return *index = i, e;
  return NULL;
}

static bool is_own_name(env *e, const sym *s) {
  uint32_t index;
  return env_own_name(e, s, &index) != NULL;
}

env *env_text(vm *v, env *e, unit *u) {
  env *t = env_make(v, body_of_text(v, u, e, is_own_name), e, e->self);
  if (!t) return NULL;
  t->text = u;
  u->refs++;
  t->alpha = value_retain(e->alpha);
  t->omega = arr_retain(e->omega);
  t->sv = e->sv;
  if (!t->body->n) return t;
  t->more = e->more; /* what it makes is there until the call ends */
  e->more = t;
  t->refs++;
  return t;
}

void errguard_free(vm *v, errguard *g, uint32_t slots) {
  arr_release(g->codes);
  value_release(v, g->alpha);
  for (uint32_t i = 0; i < slots; i++) value_release(v, g->slot[i]);
  mem_free(v->c, g);
}

void env_leave(vm *v, env *e) {
  for (errguard *g = e->guard, *next; g; g = next) {
    next = g->next;
    errguard_free(v, g, e->body->n);
  }
  e->guard = NULL;
  for (uint32_t i = 0; i < e->body->n; i++) {
    value old = e->slot[i];
    e->slot[i] = (value){0};
    value_release(v, old);
  }
  value_release(v, e->alpha);
  e->alpha = (value){0};
  arr_release(e->omega);
  e->omega = NULL;
  while (!e->text && e->more) {
    env *t = e->more;
    e->more = t->more;
    t->more = NULL;
    env_leave(v, t);
    env_release(v, t);
  }
}

void env_release(vm *v, env *e) {
  if (!e || --e->refs) return;
  env *outer = e->outer;
  env_leave(v, e);
  unit_release(v, e->text);
  fn_release(v, e->self);
  mem_free(v->c, e);
  env_release(v, outer);
}

value *name_locate(env *e, const sym *s, int slot, env **where, uint32_t *index) {
  *where = slot >= 0 ? e : NULL;
  *index = slot >= 0 ? (uint32_t)slot : 0;
  if (slot >= 0 && e->slot[slot].cls) return &e->slot[slot];
  for (env *o = slot < 0 && e->more ? e : e->outer; o; o = o->outer) {
    uint32_t i;
    env *at = env_own_name(o, s, &i);
    if (!at || !at->slot[i].cls) continue;
    *where = at;
    *index = i;
    return &at->slot[i];
  }
  if (s->val.cls || slot < 0) *where = NULL;
  return (value *)(slot >= 0 && !s->val.cls ? &e->slot[slot] : &s->val);
}

value *env_find(env *e, const sym *s, int slot) {
  env *where;
  uint32_t index;
  return name_locate(e, s, slot, &where, &index);
}

/* ── the journal ────────────────────────────────────────────────────────────────────── */

bool verify(vm *v) {
  if (ir_seq(v->g) == v->verified_seq) return true;
  if (!ir_verify(v->g)) return false;
  journal_clear(v);
  v->verified_seq = ir_seq(v->g);
  return true;
}

void settle_error(vm *v) {
  ir_first_error(v->g);
  uint64_t bad = ir_error_seq(v->g);
  while (v->journal.n) {
    change *k = &v->journal.at[v->journal.n - 1];
    if (k->seq <= bad) break;
    value *at = k->e ? &k->e->slot[k->slot] : &k->s->val, now = *at;
    *at = k->old;
    k->old = (value){0};
    value_release(v, now);
    env_release(v, k->e);
    v->journal.n--;
  }
  if (ir_unverified(v->g))
    return; /* after an interrupt: the rest is for the next verify */
  journal_clear(v);
  v->verified_seq = ir_seq(v->g);
}

static bool note(vm *v, sym *s, env *e, uint32_t slot) {
  uint64_t seq = ir_seq(v->g);
  if (seq == v->verified_seq) return true;
  if (v->journal.n >= JOURNAL_MAX) return verify(v);
  value old = e ? e->slot[slot] : s->val;
  if (!vec_push(v->c, &v->journal, ((change){s, e, slot, old, seq}))) return false;
  value_retain(old);
  if (e) e->refs++;
  return true;
}

void value_set(vm *v, value *at, value x) {
  value old = *at;
  *at = value_retain(x);
  value_release(v, old);
}

bool name_set(vm *v, sym *s, value x) {
  if (!note(v, s, NULL, 0)) return false;
  value_set(v, &s->val, x);
  return true;
}

bool name_quiet(vm *v, const env *e, const env *where) {
  return where == e || ir_seq(v->g) == v->verified_seq;
}

bool name_put(vm *v, env *e, sym *s, env *where, uint32_t index, value x) {
  if (!where) return name_set(v, s, x);
  if (where != e && !note(v, s, where, index)) return false;
  value_set(v, &where->slot[index], x);
  return true;
}
