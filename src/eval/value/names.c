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
 * are taken back. What a dfn with an error guard assigns to its own names is kept by the guard
 * (name_kept). */
#include "../../base/mapped.h"
#include "names.h"
#include <string.h>
#include "../../base/hash.h"
#include "space.h"

enum { JOURNAL_MAX = 256 };

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

static uint32_t hash_of(const vm *v, const char *text, size_t n) {
  return (uint32_t)hash_bytes(text, n, v->c->seed);
}

sym *sym_find(const vm *v, const char *text, size_t n) {
  return find_hashed(v, text, n, hash_of(v, text, n));
}

sym *sym_intern(vm *v, const char *text, size_t n) {
  uint32_t h = hash_of(v, text, n);
  sym *s = find_hashed(v, text, n, h);
  if (s) return s;
  if (v->symbols >= v->buckets && !grow(v)) return NULL;
  s = mem_zalloc(v->c, sizeof *s + n + 1);
  if (!s) return NULL;
  s->c = v->c;
  s->hash = h;
  s->len = (uint32_t)n;
  memcpy(s->text, text, n);
  s->next = v->bucket[h % v->buckets];
  v->bucket[h % v->buckets] = s;
  v->symbols++;
  return s;
}

void names_clear(vm *v) {
  v->clears++;
  for (uint32_t i = 0; i < v->buckets; i++)
    for (sym *s = v->bucket[i]; s; s = s->next) {
      value *at = cell_place(&s->val), old = *at;
      *at = (value){0};
      value_release(old);
    }
}

static void journal_clear(vm *v) {
  while (v->journal.n) {
    change k = v->journal.at[--v->journal.n];
    value_release(k.old);
    env_release(k.e);
    arr_release(k.space);
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

uint32_t *body_place(const body *k, const sym *s) {
  uint32_t i = s->hash & k->mask;
  while (k->index[i] && k->local[k->index[i] - 1] != s) i = (i + 1) & k->mask;
  return &k->index[i];
}

int slot_of(const body *k, const sym *s) {
  if (k->index) return (int)*body_place(k, s) - 1;
  for (uint32_t i = 0; i < k->n; i++)
    if (k->local[i] == s) return (int)i;
  return -1;
}

env *env_own_name(env *e, const sym *s, uint32_t *index) {
  int i = e->body->open ? -1 : slot_of(e->body, s);
  *index = (uint32_t)i;
  return i >= 0 ? e : NULL;
}

SELDOM const value *slot_read(const sym *s, value *at) {
  static const value none;
  return value_box(s->c, at) ? at : &none;
}

location location_in(arr *in, sym *s) {
  static value none;
  value *cell = space_cell(in, s);
  return (location){NULL, in, 0, cell ? cell_place(cell) : &none};
}

/* Is s a local name of the function itself, and none that is lent? */
static bool is_local(const shadow *k, const sym *s) {
  size_t i = 0;
  while (i < k->more.n && (k->more.at[i].s != s || k->more.at[i].of)) i++;
  return i < k->more.n || slot_of(k->own, s) >= 0;
}

/* top: the outermost of those around e. */
static arr *home_of(const env *e, const env *top, const sym *s) {
  return top->locals && is_local(top->locals, s) ? top->locals->space : e->space;
}

arr *env_home(const env *e, const sym *s) {
  const env *top = e;
  while (top->outer) top = top->outer;
  return home_of(e, top, s);
}

location env_locate(env *e, sym *s, int slot) {
  if (slot >= 0 &&
      (e->slot[slot].cls || e->body->open)) /* the cell of an open one says so, too */
    return (location){e, NULL, (uint32_t)slot, &e->slot[slot]};
  env *top = e;
  for (env *o = e->outer; o; o = o->outer) {
    uint32_t i;
    env *at = env_own_name(o, s, &i);
    if (at && at->slot[i].cls) return (location){at, NULL, i, &at->slot[i]};
    top = o;
  }
  location last = location_in(home_of(e, top, s), s);
  if (last.val->cls || slot < 0) return last;
  return (location){e, NULL, (uint32_t)slot, &e->slot[slot]};
}

const value *env_read(env *e, sym *s, int slot) {
  const value *x = env_locate(e, s, slot).val, *far = NULL;
  if (LIKELY(x->cls)) return x;
  if (space_has_members(e->space)) far = e->v->classes->around(e->space, s);
  if (!far && e->v->path) far = e->v->path(e->v, e->space, s);
  return far ? far : x;
}

const value *env_find(env *e, sym *s, int slot) {
  value *at = env_locate(e, s, slot).val;
  return at->num ? slot_read(s, at) : at;
}

/* ── the journal ────────────────────────────────────────────────────────────────────── */

bool verify_pending(vm *v) {
  if (!ir_verify(v->g)) return false;
  journal_clear(v);
  v->verified_seq = ir_seq(v->g);
  return true;
}

/* What s was before k made it its own; NULL: it is none of k's names. */
static value *waiting(const shadow *k, const sym *s) {
  int slot = slot_of(k->own, s);
  if (slot >= 0 && (uint32_t)slot < k->n) return &k->old[slot];
  for (size_t i = 0; i < k->more.n; i++)
    if (k->more.at[i].s == s) return &k->more.at[i].old;
  return NULL;
}

value *shadow_cell(vm *v, const arr *in, sym *s, uint32_t depth) {
  value *at = space_has_members(in) ? space_make_cell(in, s) : space_cell(in, s);
  for (shadow *o = v->shadow; o && o->depth > depth; o = o->outer) {
    value *waits = o->space == in ? waiting(o, s) : NULL;
    if (waits) at = waits;
  }
  return cell_place(at);
}

/* Where the value is that the name had when k was noted. */
static value *cell_of(vm *v, const change *k) {
  if (k->e) return &k->e->slot[k->slot];
  return shadow_cell(v, k->space, k->s, k->depth);
}

/* Takes the journal's last change back. */
static void take_back(vm *v) {
  change k = v->journal.at[--v->journal.n];
  if (!k.s) {
    v->random.drawn = (uint64_t)k.old.i;
    return;
  }
  value *at = cell_of(v, &k), now = *at;
  *at = k.old;
  value_release(now);
  env_release(k.e);
  arr_release(k.space);
}

void settle_error(vm *v) {
  ir_first_error(v->g);
  mapped_whole(v->c); /* what was computed again may have failed as before */
  uint64_t bad = ir_error_seq(v->g);
  while (v->journal.n && v->journal.at[v->journal.n - 1].seq > bad) take_back(v);
  if (ir_unverified(v->g))
    return; /* after an interrupt: the rest is for the next verify */
  journal_clear(v);
  v->verified_seq = ir_seq(v->g);
}

/* Notes what s is, at `at`, before it changes. */
static bool note(vm *v, sym *s, location at) {
  uint64_t seq = ir_seq(v->g);
  if (seq == v->verified_seq) return true;
  if (v->journal.n >= JOURNAL_MAX) return verify(v);
  uint32_t depth = v->shadow ? v->shadow->depth : 0;
  change k = {s, at.e, at.space, at.slot, *at.val, seq, depth};
  if (!vec_push(v->c, &v->journal, k)) return false;
  value_retain(k.old);
  env_retain(k.e);
  if (k.space) arr_retain(k.space);
  return true;
}

bool note_draws(vm *v) {
  if (!ir_may_fail(v->g)) return true;
  if (v->journal.n >= JOURNAL_MAX) return verify(v);
  value drawn = {.cls = C_ARR, .num = CLS_I, .i = (int64_t)v->random.drawn};
  return vec_push(v->c, &v->journal, ((change){.old = drawn, .seq = ir_seq(v->g)}));
}

/* Is the name a number, whose array, which nobody else holds, can become x? It has, then. */
static bool number_over(vm *v, const value *at, value x) {
  bool can = x.num && at->cls == C_ARR && !at->num && ir_seq(v->g) == v->verified_seq;
  if (!can) return false;
  return x.num == CLS_I ? arr_to_int(at->a, x.i) : arr_to_float(at->a, x.d);
}

arr *plain_space(arr *in) { return in && space_of(in)->is_workspace ? NULL : in; }

bool name_is_label(const vm *v, arr *in, const sym *s) {
  const shadow *k = s->labels ? v->shadow : NULL;
  in = plain_space(in);
  while (k && (k->space != in || !shadow_has(k, s))) k = k->outer;
  const tnames *all = k ? &k->e->self->node->trad->label : NULL;
  uint32_t i = 0;
  while (all && i < all->n && all->at[i]->cache != s) i++;
  return all && i < all->n;
}

bool name_no_label(vm *v, arr *in, const sym *s) {
  if (name_is_label(v, in, s))
    return err_set(v->c, ERR_SYNTAX, "%s is a label: it cannot be assigned", s->text);
  return !space_has_members(in) || v->classes->may_change(v, in, s);
}

/* An array, by ←, does not become what the name of a definition by ∇ stands for. */
static bool is_defined(vm *v, const sym *s, const value *at, value x) {
  if (at->cls <= C_ARR || x.cls != C_ARR || !fn_is_trad(at->f)) return false;
  return !err_set(v->c, ERR_SYNTAX, "%s is defined by ∇: ⎕EX'%s' forgets that", s->text,
                  s->text);
}

/* Takes over x. */
static bool set(vm *v, arr *in, sym *s, value x, bool by_arrow) {
  OWNED_VALUE value new = x;
  if (in && in == v->null) return err_set(v->c, ERR_DOMAIN, "⎕NULL has no names");
  if (!LIKELY(!space_has_members(in))) {
    bool done = false, ok = v->classes->assign(v, in, s, new, &done);
    if (done || !ok || !v->classes->own(in, s)) return ok && done;
  }
  if (!name_may_change(v, in, s)) return false;
  value *cell = space_cell(in, s);
  if (cell && number_over(v, cell, x)) return true;
  bool slot = cell && cell->cls == C_SLOT;
  if (cell && by_arrow && is_defined(v, s, cell_place(cell), x)) return false;
  if (!slot && !value_box(v->c, &new)) return false;
  value *at = space_place(in, s);
  if (!at || !note(v, s, (location){NULL, plain_space(in), 0, at})) return false;
  value_set(at, new);
  return true;
}

static bool set_in(vm *v, arr *in, sym *s, value x, bool by_arrow) {
  if (!in || x.cls <= C_ARR) return set(v, in, s, value_retain(x), by_arrow);
  fn *f = fn_in_space(v, x.f, in);
  return f && set(v, in, s, value_fn(f, x.cls), by_arrow);
}

bool name_set(vm *v, arr *in, sym *s, value x) { return set_in(v, in, s, x, false); }

bool name_assign(vm *v, arr *in, sym *s, value x) {
  const arr *here = v->env ? v->env->space : NULL;
  if (x.cls <= C_ARR || x.f->space == here) return set_in(v, in, s, x, true);
  return set(v, in, s, value_retain(x), true);
}

bool name_put(vm *v, env *e, sym *s, location at, value x) {
  if (!at.e) return name_assign(v, at.space, s, x);
  if (!name_changes(v, e, at)) return false;
  if (at.e->trad && !name_may_change(v, at.e->space, s)) return false;
  if (!needs_no_journal(v, e, at.e) && !note(v, s, at)) return false;
  value_set(&at.e->slot[at.slot], x);
  return true;
}

/* ── error guards ───────────────────────────────────────────────────────────────────── */

/* The call of the dfn in which it runs. */
static env *call_of_dfn(env *e) { return e->text ? e->outer : e; }

/* Work that turns out to be wrong may have begun before the last change of the name: that is found
 * out first, while the journal can still take the change back. */
bool name_kept(vm *v, env *runs, location to) {
  env *e = call_of_dfn(runs);
  errguard *g = e->guard;
  if (!g || !to.e || call_of_dfn(to.e) != e) return true;
  bool *mark = &g->keeps[to.val == &e->alpha ? e->body->n : (size_t)(to.val - e->slot)];
  if (*mark) return true;
  if (to.val->cls && !verify(v)) return false;
  if (!vec_push(v->c, &g->kept, ((kept_name){to.val, *to.val}))) return false;
  value_retain(*to.val);
  *mark = true;
  return true;
}

/* ── local names of traditional functions ───────────────────────────────────────────── */

bool shadow_has(const shadow *k, const sym *s) { return waiting(k, s); }

sym *shadow_nth(const shadow *k, size_t i) {
  if (i < k->n) return k->own->local[i];
  i -= k->n;
  size_t at = 0;
  while (at < k->more.n && (k->more.at[at].of || i--)) at++;
  return at < k->more.n ? k->more.at[at].s : NULL;
}

/* The cell of s in the namespace `in`, NULL the workspace, made where it is not. */
static value *own_cell(arr *in, sym *s) {
  if (!in) return &s->val;
  value *last = space_cell_at_last(space_of(in), s);
  return LIKELY(last != NULL) ? last : space_own_cell(space_of(in), s, true);
}

bool shadow_enter(vm *v, shadow *k, const body *own) {
  k->own = own;
  k->old = k->few;
  if (own->n > SHADOW_FEW) k->old = mem_alloc(v->c, own->n * sizeof *k->old);
  if (!k->old) return false;
  for (uint32_t i = 0; i < own->n; i++) {
    value *cell = own_cell(k->space, own->local[i]);
    if (!cell) return false;
    value_copy(&k->old[i], cell);
    *cell = (value){.cls = C_SLOT, .at = &k->e->slot[i]};
    k->n = i + 1;
  }
  return true;
}

/* The cell of k's name s is what it was. */
static void give_back(const shadow *k, sym *s, value old) {
  value *cell = own_cell(k->space, s), now = *cell; /* it is there */
  *cell = old;
  value_release(now);
}

bool shadow_name(vm *v, shadow *k, sym *s) {
  value *cell = own_cell(k->space, s);
  if (!cell) return false;
  for (size_t i = 0; i < k->more.n; i++) {
    shadowed *m = &k->more.at[i];
    if (m->s != s || !m->of) continue;
    if (v->journal.n) lent_changes(v, k);
    give_back(k, s, m->old);
    value_give(&m->old, cell);
    m->of = NULL;
  }
  if (shadow_has(k, s)) return true;
  if (!vec_push(v->c, &k->more, ((shadowed){.s = s}))) return false;
  value_give(&k->more.at[k->more.n - 1].old, cell);
  return true;
}

/* The changes of its names that were noted while it ran, which are of nobody's concern now. */
static void forget_changes(vm *v, const shadow *k) {
  size_t kept = 0;
  for (size_t i = 0; i < v->journal.n; i++) {
    change *o = &v->journal.at[i];
    bool seen = o->s && !o->e && o->depth >= k->depth && o->space == k->space;
    bool own = o->e == k->e || (seen && shadow_has(k, o->s));
    if (!own) v->journal.at[kept++] = *o;
    else {
      value_release(o->old);
      env_release(o->e);
      arr_release(o->space);
    }
  }
  v->journal.n = kept;
}

void shadow_leave(vm *v, shadow *k) {
  sysvars *sv = k->e->sv;
  if (v->journal.n) {
    lent_changes(v, k);
    forget_changes(v, k);
  }
  for (size_t i = k->more.n; i-- > 0;) give_back(k, k->more.at[i].s, k->more.at[i].old);
  for (uint32_t i = k->n; i-- > 0;) give_back(k, k->own->local[i], k->old[i]);
  vec_free(v->c, &k->more);
  if (k->old != k->few) mem_free(v->c, k->old);
  if (k->sys & SHADOW_IO) sv->io = k->vars.io;
  if (k->sys & SHADOW_ML) sv->ml = k->vars.ml;
  if (k->sys & SHADOW_CT) sv->ct = k->vars.ct;
  if (k->sys & SHADOW_DIV) sv->div = k->vars.div;
  if (k->sys & SHADOW_PP) sv->pp = k->vars.pp;
  if (k->sys & SHADOW_PW) sv->pw = k->vars.pw;
  if (k->sys & SHADOW_RL) {
    v->random = k->random;
    v->rl_hidden = k->rl_hidden;
    v->rl_generator = k->rl_generator;
  }
  arr_release(k->trap);
  arr_release(k->branch);
}
