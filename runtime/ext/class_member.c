/* SPDX-License-Identifier: MIT */
/* class_member.c - the members of classes as names: who sees which, and what reading and assigning does.
 *
 * From inside, a method finds, in this order: its local names and the fields of its class's part; plain names of the
 * class; members of the class, then public ones of its bases; what the space has in which the instance was made; what
 * stands beside the class. From outside there are public members, and names that were given from outside. */
#include "class.h"
#include "../../src/eval/run/call.h"

/* ── the table of a class ───────────────────────────────────────────────────────────── */

static bool make_room(class *k) {
  if (2 * k->n < k->rows) return true;
  uint32_t rows = k->rows ? 2 * k->rows : 16;
  member_row *row = mem_zalloc(k->c, rows * sizeof *row);
  if (!row) return false;
  for (uint32_t i = 0; i < k->rows; i++)
    if (k->row[i].m) *class_row(row, rows, k->row[i].name) = k->row[i];
  mem_free(k->c, k->row);
  k->row = row;
  k->rows = rows;
  return true;
}

bool class_put_row(class *k, member *m) {
  if (!make_room(k)) return false;
  member_row *at = class_row(k->row, k->rows, m->name);
  k->n += !at->m;
  *at = (member_row){m->name, m};
  return true;
}

/* ── parts ──────────────────────────────────────────────────────────────────────────── */

part *class_level(part *p, const class *k) {
  part *q = whole_of(p);
  while (q && q->cls != k) q = part_below(q);
  return q;
}

/* m, or of an Overridable one what a class above has in its place. */
static member *in_force(part *p, member *m) {
  if (!m->overridable || p->is_class) return m;
  for (part *q = whole_of(p); q && q->cls != m->of; q = part_below(q)) {
    member *over = class_find(q->cls, m->name);
    if (over && over->of == q->cls && over->overrides) return over;
  }
  return m;
}

/* The cell of a member; NULL: there is none in p. */
static value *cell_of(part *p, member *m) {
  if (m->kind != FIELD) return &m->val;
  if (m->shared)
    return m->of->own ? space_own_cell(&m->of->own->s, m->name, false) : NULL;
  part *q = p->cls == m->of ? p : class_level(p, m->of);
  return q ? &q->s.at[m->slot].val : NULL;
}

/* Is the member there for who is in a class, not in an instance? */
static bool is_there(const part *p, const member *m) { return m->shared || !p->is_class; }

/* What s is for who sees all of p; NULL: no member. */
static member *own_member(part *p, const sym *s) {
  member *m = class_find(p->cls, s);
  return m && is_there(p, m) ? in_force(p, m) : NULL;
}

/* Does what runs stand in the instance or class of p? The part in which it does; else NULL. */
static part *runs_in(const part *p) {
  const env *e = p->s.v->env;
  while (e && e->space == p->s.ref) e = e->caller; /* p.( … ) */
  if (!e || !space_has_members(e->space) || !is_inside(e->space)) return NULL;
  part *q = part_of(e->space);
  return q->s.ref == p->s.ref ? q : NULL;
}

/* Where the names of p from outside are; NULL: there are none, or no memory. */
static arr *names_outside(part *p, bool make) {
  part *q = whole_of(p);
  if (!q->more && make) q->more = space_new(q->s.v, NULL, NULL);
  return q->more;
}

/* The plain name s of p's class; NULL: none. */
static value *plain_cell(const part *p, sym *s) {
  if (p->is_class || !p->cls || !p->cls->own) return NULL;
  value *at = space_own_cell(&p->cls->own->s, s, false);
  return at && at->cls ? at : NULL;
}

static value *inside_cell(part *p, sym *s, bool make) {
  value *at = space_own_cell(&p->s, s, false);
  if (at && at->cls) return at;
  member *m = class_find(p->cls, s);
  if (!m || m->of != p->cls) {
    value *plain = plain_cell(p, s);
    if (plain) return plain;
  }
  m = m && is_there(p, m) ? in_force(p, m) : NULL;
  value *cell = m ? cell_of(p, m) : NULL;
  if (cell) return cell;
  return at || !make ? at : space_own_cell(&p->s, s, true);
}

value *member_public(part *p, sym *s, bool own) {
  member *m = class_find(p->cls, s);
  if (!m || !m->is_public || !is_there(p, m)) return NULL;
  return cell_of(p, own ? m : in_force(p, m));
}

/* Is it a method of p's class which nothing overrides? */
static inline bool is_plain_method(const part *p, const member *m) {
  return m->of == p->cls && m->kind != FIELD && !m->overridable && is_there(p, m);
}

value *member_cell(const arr *in, sym *s, bool make) {
  part *p = part_of(in), *q;
  if (in == p->inside) {
    value *at = space_cell_at_last(&p->s, s);
    if (at && at->cls) return at;
    if (at || space_may_have(&p->s, s)) return inside_cell(p, s, make);
    member *m = class_find(p->cls, s);
    return m && is_plain_method(p, m) ? &m->val : inside_cell(p, s, make);
  }
  member *m = class_find(p->cls, s);
  if (LIKELY(m && m->is_public && m->of == p->cls)) {
    if (is_plain_method(p, m)) return &m->val;
    if (m->kind == FIELD && !m->shared && !p->is_class) return &p->s.at[m->slot].val;
  }
  value *public = member_public(p, s, class_sees_own(in));
  if (public) return public;
  if ((q = runs_in(p))) return inside_cell(q, s, make);
  arr *more = names_outside(p, make);
  if (!more) return NULL;
  return make ? space_make_cell(more, s) : space_cell(more, s);
}

member *member_seen(const arr *in, const sym *s) {
  part *p = part_of(in), *q = NULL;
  if (!is_inside(in)) {
    member *m = class_find(p->cls, s);
    if (m && m->is_public && is_there(p, m))
      return class_sees_own(in) ? m : in_force(p, m);
    q = runs_in(p);
    if (!q) return NULL;
    p = q;
  }
  member *m = own_member(p, s);
  if (m && m->of != p->cls && plain_cell(p, (sym *)(uintptr_t)s)) return NULL;
  const value *at = space_own_cell(&p->s, (sym *)(uintptr_t)s, false);
  bool local = at && (at->cls == C_SLOT || (at->cls && m && at != cell_of(p, m)));
  return local ? NULL : m;
}

/* What a name of the space means to what is in it. */
static const value *named_in(arr *in, sym *s) {
  const value *x = space_find(in, s);
  return x && x->cls ? x : NULL;
}

static const value *named_around(const part *p, sym *s) {
  const value *x = named_in(p->s.parent, s);
  part *own = p->cls ? p->cls->own : NULL;
  while (!x && own) { /* outwards, from class to class */
    arr *up = own->s.parent;
    if (!space_has_members(up)) return named_in(up, s);
    own = part_of(up);
    x = inside_cell(own, s, false);
    if (x && !x->cls) x = NULL;
  }
  return x;
}

/* The member that s is of the instance whose method called the shared one that runs in the class p; NULL: none. */
static const value *named_by_caller(const part *p, sym *s) {
  const env *e = p->s.v->env;
  while (e && space_has_members(e->space) && part_of(e->space) == p) e = e->caller;
  if (!e || !space_has_members(e->space) || !is_inside(e->space)) return NULL;
  part *q = part_of(e->space)->is_class ? NULL : class_level(part_of(e->space), p->cls);
  member *m = q ? own_member(q, s) : NULL;
  const value *x = m ? cell_of(q, m) : NULL;
  return x && x->cls && x->cls != C_SLOT ? x : NULL;
}

/* A name that is local to a function which runs is nothing else, though it has no value. */
const value *member_around(const arr *in, sym *s) {
  part *p = part_of(in);
  if (!is_inside(in)) return NULL;
  const value *own = space_own_cell(&p->s, s, false);
  if (own && own->cls == C_SLOT) return NULL;
  const value *x = named_around(p, s);
  return x || !p->is_class ? x : named_by_caller(p, s);
}

/* ── assigned ───────────────────────────────────────────────────────────────────────── */

bool member_own(const arr *in, sym *s) {
  part *p = part_of(in);
  if (!is_inside(in) || p->is_class) return true;
  value *at = space_own_cell(&p->s, s, false);
  const member *m = at && at->cls ? NULL : class_find(p->cls, s);
  if ((at && at->cls) || (m && m->of == p->cls)) return true;
  const value *plain = plain_cell(p, s);
  if (!plain || plain->cls != C_ARR) return true;
  at = space_own_cell(&p->s, s, true);
  if (at) value_share(at, plain);
  return at;
}

static bool is_method(vm *v, const member *m) {
  return !err_set(v->c, ERR_SYNTAX, "%s is a method of a class: it cannot be assigned",
                  m->name->text);
}

/* A field that is ReadOnly gets its value once, from inside. */
static bool may_write(vm *v, const arr *in, member *m) {
  if (!m->read_only) return true;
  const value *at = cell_of(part_of(in), m);
  bool inside = is_inside(in) || runs_in(part_of(in));
  return (inside && at && !at->cls) ||
         err_set(v->c, ERR_SYNTAX, "%s is ReadOnly", m->name->text);
}

bool member_may_change(vm *v, const arr *in, const sym *s) {
  member *m = member_seen(in, s);
  if (!m || m->kind != FIELD) return true;
  if (!may_write(v, in, m)) return false;
  return !m->trigger || instance_note(part_of(in), m, cell_of(part_of(in), m));
}

/* What the field i of a told namespace is; none: it has it not. */
static value told_field(vm *v, const member *m, const property_told *t, size_t i) {
  static const value none;
  switch (i) {
  case 0: return value_arr(arr_text(v->c, m->name->text, m->name->len));
  case 1: return t->new ? value_retain(*t->new) : none;
  case 2: return t->old ? value_retain(*t->old) : none;
  case 3: return t->indexers ? value_arr(arr_retain(t->indexers)) : none;
  default: return t->specified ? value_arr(arr_retain(t->specified)) : none;
  }
}

arr *class_told(vm *v, const member *m, const property_told *t) {
  static const char *const names[] = {"Name", "NewValue", "OldValue", "Indexers",
                                      "IndexersSpecified"};
  OWNED arr *r = space_new(v, NULL, NULL);
  for (size_t i = 0; r && i < ARRAY_LEN(names); i++) {
    OWNED_VALUE value x = told_field(v, m, t, i);
    if (!x.cls && i) continue;
    sym *k = sym_intern(v, names[i], strlen(names[i]));
    value *at = k && x.cls && value_box(v->c, &x) ? space_place(r, k) : NULL;
    if (!at) return NULL;
    *at = value_move(&x);
  }
  return arr_move(&r);
}

bool member_ask(vm *v, part *p, const member *m, fn *f, const property_told *t,
                value *r) {
  member as = *m;
  as.val = value_fn(f, C_FN);
  OWNED_FN fn *g = member_in(p, &as);
  *r = (value){0};
  if (!g) return false;
  if (g->kind == F_NILADIC) return call_niladic(v, g, r);
  OWNED_VALUE value y = value_arr(class_told(v, m, t));
  return y.cls && class_call(v, g, &y, r);
}

static bool set_property(vm *v, part *p, const member *m, value x) {
  if (!m->set)
    return err_set(v->c, ERR_SYNTAX, "the property %s has no set", m->name->text);
  OWNED_VALUE value r = {0};
  OWNED_VALUE value new = value_retain(x);
  bool shy = v->shy, ok;
  if (m->asked == NUMBERED) ok = value_box(v->c, &new) && numbered_put(v, p, m, new.a);
  else ok = member_ask(v, p, m, m->set, &(property_told){.new = &new}, &r);
  v->shy = shy;
  return ok;
}

bool member_assign(vm *v, arr *in, sym *s, value x, bool *done) {
  member *m = member_seen(in, s);
  if (!m || m->kind == FIELD) return true;
  if (m->kind != PROPERTY) return !is_method(v, m);
  *done = true;
  return set_property(v, part_of(in), m, x);
}

/* ── read and called ────────────────────────────────────────────────────────────────── */

fn *member_in(part *p, member *m) {
  fn *f = m->val.f;
  if (m->shared) return fn_retain(f);
  part *q = p->cls == m->of ? p : class_level(p, m->of);
  if (!q || q->is_class)
    return err_null(f->v->c, ERR_VALUE, "%s is of instances", m->name->text);
  OWNED arr *in = class_inside(q);
  fn *r = in ? m->spare : NULL;
  if (r && f->member) {
    m->spare = NULL;
    r->space = arr_move(&in);
    return r;
  }
  r = in ? fn_in_space(f->v, f, in) : NULL;
  if (r && f->member) member_takes(m, r);
  return r;
}

void member_takes(member *m, fn *f) {
  f->member = m;
  m->of->refs++;
}

bool member_keeps(fn *f) {
  member *m = f->member;
  bool spare =
      m->of->own && f != m->val.f && !m->spare && m->kind != PROPERTY && f->space;
  if (!spare) {
    class_release(m->of);
    return false;
  }
  arr *in = f->space;
  m->spare = f;
  f->space = NULL;
  f->refs = 1;
  f->next = NULL;
  arr_release(in);
  return true;
}

fn *member_bound(vm *v, fn *f, const arr *in) {
  member *m = f->member;
  if (f != m->val.f || (m->shared && m->kind == METHOD)) return fn_retain(f); /* it is */
  if (m->kind == CONSTRUCTOR && !(space_has_members(in) && is_inside(in)))
    return err_null(v->c, ERR_SYNTAX, "%s is a constructor: ⎕NEW calls it",
                    m->name->text);
  if (LIKELY(space_has_members(in) && part_of(in)->cls == m->of))
    return member_in(part_of(in), m);
  while (space_has_members(in) && !class_level(part_of(in), m->of)) in = space_parent(in);
  if (!space_has_members(in)) return fn_retain(f);
  return member_in(part_of(in), m);
}

static bool get_property(vm *v, part *p, const member *m, value *r) {
  if (!m->get)
    return err_set(v->c, ERR_VALUE, "the property %s has no get", m->name->text);
  if (m->asked != NUMBERED) return member_ask(v, p, m, m->get, &(property_told){0}, r);
  *r = value_arr(numbered_get(v, p, m));
  return r->cls;
}

part *member_part(const arr *in, const member *m) {
  while (space_has_members(in) && !class_level(part_of(in), m->of)) in = space_parent(in);
  return space_has_members(in) ? part_of(in) : NULL;
}

bool class_read(vm *v, fn *f, const arr *in, value *r) {
  member *m = f->member;
  *r = (value){0};
  if (m->kind != PROPERTY || f != m->val.f) {
    OWNED_FN fn *g = member_bound(v, f, in);
    return g && call_niladic(v, g, r);
  }
  part *p = member_part(in, m);
  return p && get_property(v, p, m, r);
}

/* ── ⎕NC ────────────────────────────────────────────────────────────────────────────── */

double member_class(const arr *in, sym *s, bool fine) {
  member *m = member_seen(in, s);
  if (!m) return 0;
  bool outside = !is_inside(in) && m->is_public;
  double c = m->kind == FIELD ? 2.2 : 2.3;
  if (m->kind == METHOD || m->kind == CONSTRUCTOR) c = m->val.cls + 0.1;
  if (fine) return outside ? -c : c;
  return outside && c < C_FN ? 0 : (int)c;
}
