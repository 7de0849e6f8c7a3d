/* SPDX-License-Identifier: MIT */
/* class.c - scripts to classes; ⎕NEW ⎕CLASS ⎕INSTANCES ⎕BASE.
 *
 *   :Class Parrot: Bird        fix: the base is looked for; its public members come first
 *     :Field Public Name       declared, then given its value in the order of the lines
 *     ∇ r←Speak                methods are there before any line runs
 *       :Access Public
 *     …
 *   :EndClass                  the name stands for the class when all of it was right
 */
#include "class.h"
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/value/items.h"
#include "../../src/lexer/parser.h"
#include <string.h>

typedef struct fixer { /* of one script */
  vm *v;
  env *e;   /* in which it stands */
  env *own; /* in the class */
  class *k;
} fixer;

/* ── life ───────────────────────────────────────────────────────────────────────────── */

void class_release(class *k) {
  if (--k->refs) return;
  for (size_t i = 0; i < k->members.n; i++) {
    member *m = k->members.at[i];
    if (m->counted) m->name->labels--;
    mem_free(k->c, m);
  }
  arr_release(k->spare);
  vec_free(k->c, &k->members);
  vec_free(k->c, &k->fields);
  vec_free(k->c, &k->makers);
  vec_free(k->c, &k->interfaces);
  vec_free(k->c, &k->included);
  vec_free(k->c, &k->implements);
  mem_free(k->c, k->row);
  arr_release(k->title);
  arr_release(k->title_in);
  mem_free(k->c, k);
}

arr *class_new(vm *v, arr *in, const char *name, bool is_interface) {
  class *k = mem_zalloc(v->c, sizeof *k);
  part *p = k ? mem_zalloc(v->c, sizeof *p) : NULL;
  arr *text = p ? space_text(v, in, name) : NULL;
  arr *r = text ? space_open(v, &p->s, text, in) : NULL;
  if (!r) {
    mem_free(v->c, p);
    mem_free(v->c, k);
    return NULL;
  }
  *k = (class){.refs = 1, .c = v->c, .own = p, .ref = r, .is_interface = is_interface};
  p->cls = k;
  p->is_class = true;
  v->c->fill_of_ref = instance_fill;
  p->s.part = p;
  return r;
}

/* ── members ────────────────────────────────────────────────────────────────────────── */

static bool wrong(const fixer *w, const tnode *t, int code, const char *why) {
  err_set(w->v->c, code, "%s", why);
  err_at(w->v->c, (span){w->e->body->src, t->begin, t->end});
  return false;
}

/* A member of the class under its name; NULL: an error, at t. What was included gives way. */
static member *add_member(const fixer *w, const tnode *t, sym *name, member_kind kind) {
  member *was = class_find(w->k, name);
  if (was && was->of == w->k && !was->included) {
    wrong(w, t, ERR_SYNTAX, "the class has a member of this name");
    return NULL;
  }
  member *m = mem_zalloc(w->k->c, sizeof *m);
  if (!m) return NULL;
  *m = (member){.name = name, .of = w->k, .kind = (uint8_t)kind};
  if (!vec_push(w->k->c, &w->k->members, m)) {
    mem_free(w->k->c, m);
    return NULL;
  }
  return class_put_row(w->k, m) ? m : NULL;
}

static void count_member(member *m) {
  if (!m->counted) m->name->labels++;
  m->counted = true;
}

/* Is t a word of :Access or :Field, which says something of m? */
static bool take_word(member *m, const tnode *t) {
  if (parse_is_word(t, "public")) return m->is_public = true;
  if (parse_is_word(t, "shared")) return m->shared = true;
  if (parse_is_word(t, "private")) m->is_public = false;
  else if (parse_is_word(t, "instance")) m->shared = false;
  else if (parse_is_word(t, "readonly")) return m->read_only = true;
  else if (parse_is_word(t, "overridable")) return m->overridable = true;
  else if (parse_is_word(t, "override")) return m->overrides = true;
  else return parse_is_word(t, "webmethod");
  return true;
}

static bool take_access(const fixer *w, member *m, const tnode *words) {
  for (uint32_t i = 0; words && i < words->n; i++)
    if (!take_word(m, words->kid[i]))
      return wrong(w, words->kid[i], ERR_SYNTAX,
                   ":Access is Public or Private, Instance "
                   "or Shared, Overridable or Override");
  return true;
}

static bool is_declared(const tnode *d, const char *word, const char *first) {
  if (d->kind != T_DECLARE || !parse_is_word(d->kid[0], word)) return false;
  return !first || (d->kid[1] && parse_is_word(d->kid[1]->kid[0], first));
}

/* What the lines of a function say of it. */
static bool take_declared(const fixer *w, member *m, const trad *t) {
  for (uint32_t i = 0; i < t->declared.n; i++) {
    const tnode *d = t->declared.at[i];
    if (is_declared(d, "access", NULL) && !take_access(w, m, d->kid[1])) return false;
    if (is_declared(d, "implements", "constructor")) m->kind = CONSTRUCTOR;
    if (is_declared(d, "implements", "destructor")) w->k->destructor = m;
  }
  if (m->kind == CONSTRUCTOR && (t->left || t->lop || m->shared))
    return wrong(w, t->name, ERR_SYNTAX,
                 "a constructor is of instances, with a right argument or none");
  if (w->k->destructor == m && (!t->niladic || m->shared))
    return wrong(w, t->name, ERR_SYNTAX,
                 "a destructor is of instances, without arguments");
  w->k->destroys |= w->k->destructor == m;
  return m->kind != CONSTRUCTOR || vec_push(w->k->c, &w->k->makers, m);
}

/* The function f, which it takes over, as a method; at t of the script. */
static bool add_method(const fixer *w, const tnode *t, fn *f, bool included) {
  OWNED_FN fn *made = f;
  const trad *d = made->node->trad;
  sym *name = sym_intern(w->v, d->name->text, d->name->n);
  if (!name) return false;
  const member *was = class_find(w->k, name);
  if (included && was && was->of == w->k && !was->included) return true;
  member *m = add_member(w, t, name, METHOD);
  if (!m) return false;
  m->included = included;
  member_takes(m, made);
  m->val = value_fn(fn_move(&made), d->lop ? C_OP : C_FN);
  return take_declared(w, m, d);
}

/* ── fields ─────────────────────────────────────────────────────────────────────────── */

/* The name in the row of a :Field: before its arrow, or at its end; -1: there is none. */
static int field_name(const tnode *s) {
  uint32_t i = 0;
  while (i < s->n && s->kid[i]->kind != T_ASSIGN) i++;
  return i && s->kid[i - 1]->kind == T_NAME ? (int)i - 1 : -1;
}

static bool declare_field(const fixer *w, const tnode *d) {
  const tnode *s = d->kid[1];
  int at = s ? field_name(s) : -1;
  if (at < 0) return wrong(w, d, ERR_SYNTAX, ":Field needs a name");
  sym *name = sym_intern(w->v, s->kid[at]->text, s->kid[at]->n);
  member *m = name ? add_member(w, s->kid[at], name, FIELD) : NULL;
  if (!m) return false;
  for (int i = 0; i < at; i++)
    if (!take_word(m, s->kid[i]))
      return wrong(w, s->kid[i], ERR_SYNTAX,
                   ":Field is Public or Private, Instance or "
                   "Shared, ReadOnly, and a name");
  if (m->read_only) count_member(m);
  m->slot = (uint32_t)w->k->fields.n;
  if (!m->shared) return vec_push(w->k->c, &w->k->fields, m);
  return space_own_cell(&w->k->own->s, name, true);
}

/* What a field begins with. */
static bool give_field(const fixer *w, const tnode *d) {
  const tnode *s = d->kid[1];
  uint32_t at = (uint32_t)field_name(s);
  if (at + 1 == s->n) return true;
  tnode expr = *s;
  OWNED_VALUE value x = {0};
  if (at + 2 == s->n)
    return wrong(w, d, ERR_SYNTAX, "a value is missing behind the arrow");
  member *m = class_find(w->k, sym_find(w->v, s->kid[at]->text, s->kid[at]->n));
  tnode *behind = arena_alloc(&w->e->body->u->t->mem, sizeof *behind);
  if (!behind) return false;
  expr.kid += at + 2;
  expr.n -= at + 2;
  expr.begin = expr.kid[0]->begin;
  expr.cache = NULL;
  *behind = expr;
  if (!eval_stmt(w->v, w->own, behind, false, &x) || !value_box(w->v->c, &x))
    return false;
  if (x.cls != C_ARR)
    return wrong(w, behind, x.cls ? ERR_SYNTAX : ERR_VALUE, "a field is an array");
  if (!verify(w->v)) return false;
  value *to = m->shared ? space_own_cell(&w->k->own->s, m->name, true) : &m->val;
  if (to) value_set(to, x);
  return to;
}

/* ── properties, triggers ───────────────────────────────────────────────────────────── */

static bool is_comma(const tnode *t) { return t->kind == T_PRIM && t->prim == P_COMMA; }

/* Has the function t of a property the header that it needs? */
static bool is_accessor(const member *m, const tnode *t) {
  const trad *d = t->trad;
  if (d->left || d->lop || d->right_list) return false;
  if (parse_is_word(d->name, "set")) return !d->niladic;
  if (parse_is_word(d->name, "shape")) return d->result.n > 0;
  return d->result.n > 0 && (m->asked == SIMPLE || !d->niladic);
}

/* The function t of a property. */
static bool take_accessor(const fixer *w, member *m, tnode *t) {
  const tnode *name = t->trad->name;
  fn **at = NULL;
  if (parse_is_word(name, "get")) at = &m->get;
  else if (parse_is_word(name, "set")) at = &m->set;
  else if (parse_is_word(name, "shape")) at = &m->shape;
  if (!at || !is_accessor(m, t)) {
    const char *get = m->asked == SIMPLE ? "r←get, r←get x" : "r←get x";
    err_set(w->v->c, ERR_SYNTAX, "a property has %s and set x%s", get,
            m->asked == NUMBERED ? " and r←shape" : "");
    return wrong(w, name, ERR_SYNTAX, "");
  }
  if (*at) return wrong(w, name, ERR_SYNTAX, "the property has this function already");
  *at = fn_of_trad(w->v, w->own, t);
  return *at;
}

/* The functions of a property, and what its lines say of it. */
static bool take_property(const fixer *w, member *m, const tnode *s) {
  for (uint32_t i = 2; i < s->n; i++) {
    tnode *t = s->kid[i];
    bool access = is_declared(t, "access", NULL);
    if (access && !take_access(w, m, t->kid[1])) return false;
    if (t->kind == T_TRAD && !take_accessor(w, m, t)) return false;
  }
  if (m->asked == NUMBERED && !m->shape)
    return wrong(w, s->kid[1], ERR_SYNTAX, "a numbered property has a function shape");
  return true;
}

/* What stands for the property where its name is bound: a function without arguments. */
static bool stand_for(const fixer *w, member *m, const tnode *t) {
  const fn *of = m->get ? m->get : m->set;
  if (!of) return wrong(w, t, ERR_SYNTAX, "the property has neither get nor set");
  fn *f = fn_new(w->v, F_NILADIC, 0);
  if (!f) return false;
  f->node = of->node;
  f->u = unit_retain(of->u);
  f->space = arr_retain(of->space);
  member_takes(m, f);
  m->val = value_fn(f, C_FN);
  return true;
}

/* What the words before the names of a property say; how many there are, -1: an error. */
static int property_words(const fixer *w, const tnode *head, uint8_t *asked,
                          bool *by_default) {
  static const char *const kinds[] = {"simple", "numbered", "keyed"};
  int i = 0;
  for (; i + 1 < (int)head->n && !is_comma(head->kid[i + 1]); i++) {
    const tnode *t = head->kid[i];
    uint8_t k = 0;
    while (k < ARRAY_LEN(kinds) && !parse_is_word(t, kinds[k])) k++;
    if (k < ARRAY_LEN(kinds)) *asked = k;
    else if (parse_is_word(t, "default")) *by_default = true;
    else {
      wrong(w, t, ERR_SYNTAX,
            ":Property is Simple, Numbered or Keyed, Default, and takes names with "
            "commas between");
      return -1;
    }
  }
  return i;
}

static bool make_default(const fixer *w, member *m, const tnode *t) {
  const member *was = w->k->by_default;
  if (was && was->of == w->k)
    return wrong(w, t, ERR_SYNTAX, "the class has a default property");
  w->k->by_default = m;
  return true;
}

static bool declare_property(const fixer *w, const tnode *s) {
  const tnode *head = s->kid[1];
  uint8_t asked = SIMPLE;
  bool by_default = false;
  if (!head) return wrong(w, s, ERR_SYNTAX, ":Property needs a name");
  int i = property_words(w, head, &asked, &by_default);
  for (; i >= 0 && i < (int)head->n; i += 2) {
    const tnode *t = head->kid[i];
    bool last = i + 1 == (int)head->n;
    if (t->kind != T_NAME || (!last && !is_comma(head->kid[i + 1])))
      return wrong(w, t, ERR_SYNTAX, ":Property takes names with commas between");
    sym *name = sym_intern(w->v, t->text, t->n);
    member *m = name ? add_member(w, t, name, PROPERTY) : NULL;
    if (!m) return false;
    m->asked = asked;
    if (!take_property(w, m, s) || !stand_for(w, m, t)) return false;
    if (by_default && !make_default(w, m, t)) return false;
  }
  return i >= 0;
}

/* The fields behind :Implements Trigger. */
static bool add_triggers(const fixer *w, member *m, const tnode *s) {
  for (uint32_t i = 1; i < s->n; i += 2) {
    const tnode *t = s->kid[i];
    if (t->kind != T_NAME)
      return wrong(w, t, ERR_NONCE,
                   "a trigger is of fields of its class in this version");
    const sym *name = sym_find(w->v, t->text, t->n);
    member *of = name ? class_find(w->k, name) : NULL;
    if (!of || of->of != w->k || of->kind != FIELD || (of->shared && !m->shared))
      return wrong(w, t, ERR_SYNTAX, "a trigger is of fields of its class");
    of->trigger = m;
    count_member(of);
    if (i + 1 < s->n && !is_comma(s->kid[i + 1]))
      return wrong(w, s->kid[i + 1], ERR_SYNTAX, "a comma is wanted between the fields");
  }
  return true;
}

/* Is the interface shown by that name, whatever contains it? */
static bool is_called(const arr *interface, const tnode *name) {
  const arr *text = arr_ref_text(interface);
  int64_t n = text->count;
  uint32_t i = name->n;
  while (i && n && (unsigned char)name->text[i - 1] == arr_get_int(text, n - 1)) i--, n--;
  return !i && n && arr_get_int(text, n - 1) == '.';
}

/* The row behind :Implements, Method interface.name. */
static bool add_implemented(const fixer *w, member *m, const tnode *s) {
  uint32_t n = s->n, i = 0;
  bool path = n > 3 && s->kid[n - 1]->kind == T_NAME && s->kid[n - 3]->kind == T_NAME;
  size_t all = w->k->interfaces.n;
  while (path && i < all && !is_called(w->k->interfaces.at[i], s->kid[n - 3])) i++;
  if (!path || i == all)
    return wrong(w, s, ERR_SYNTAX,
                 ":Implements Method names a method of an interface of the class");
  sym *name = sym_intern(w->v, s->kid[n - 1]->text, s->kid[n - 1]->n);
  implements k = {arr_retain(w->k->interfaces.at[i]), name, m};
  if (name && vec_push(w->k->c, &w->k->implements, k)) return true;
  arr_release(k.interface);
  return false;
}

/* What methods implement, which is known when all members are. */
static bool take_implemented(const fixer *w) {
  for (size_t j = 0; j < w->k->members.n; j++) {
    member *m = w->k->members.at[j];
    const trad *t = m->kind == METHOD ? m->val.f->node->trad : NULL;
    for (uint32_t i = 0; t && i < t->declared.n; i++) {
      const tnode *d = t->declared.at[i];
      if (is_declared(d, "implements", "trigger") && !add_triggers(w, m, d->kid[1]))
        return false;
      if (is_declared(d, "implements", "method") && !add_implemented(w, m, d->kid[1]))
        return false;
    }
  }
  return true;
}

/* ── bases, namespaces that are included ────────────────────────────────────────────── */

/* The items from..to of the row s as an expression in e: a reference, owned. */
static arr *refers(const fixer *w, env *e, const tnode *s, uint32_t from, uint32_t to) {
  OWNED_VALUE value x = {0};
  if (from >= to) {
    wrong(w, s, ERR_SYNTAX, "a name is missing");
    return NULL;
  }
  tnode *row = arena_alloc(&w->e->body->u->t->mem, sizeof *row);
  if (!row) return NULL;
  *row = (tnode){.kind = T_STMT,
                 .n = to - from,
                 .kid = s->kid + from,
                 .begin = s->kid[from]->begin,
                 .end = s->kid[to - 1]->end};
  if (row->n == 1 && row->kid[0]->kind == T_STRING) {
    wrong(w, row, ERR_NONCE, "classes of .NET and of windows are not in this version");
    return NULL;
  }
  if (!eval_stmt(w->v, e, row, false, &x)) return NULL;
  if (x.cls == C_ARR && !x.num && x.a->ref) return value_move(&x).a;
  wrong(w, row, x.cls ? ERR_DOMAIN : ERR_VALUE, "a class or a namespace is wanted here");
  return NULL;
}

/* The public members of the base. */
static bool inherit(const fixer *w, arr *of) {
  class *k = w->k, *base = class_of(of);
  for (uint32_t i = 0; i < base->rows; i++)
    if (base->row[i].m && base->row[i].m->is_public && !class_put_row(k, base->row[i].m))
      return false;
  k->base = arr_retain(of);
  k->destroys = base->destroys;
  if (base->by_default && base->by_default->is_public) k->by_default = base->by_default;
  return true;
}

/* base [, interface …] | , interface … */
static bool take_bases(const fixer *w, const tnode *s) {
  for (uint32_t i = 0, from = 0; s && i <= s->n; i++) {
    if (i < s->n && !is_comma(s->kid[i])) continue;
    bool first = !from, empty = first && i == 0;
    OWNED arr *of = empty ? NULL : refers(w, w->e, s, from, i);
    if (!of && !empty) return false;
    class *k = of ? class_of(of) : NULL;
    if (of && !k) return wrong(w, s, ERR_DOMAIN, "the base is no class");
    if (k && !k->is_interface && first) {
      if (!inherit(w, of)) return false;
    } else if (k && !k->is_interface)
      return wrong(w, s, ERR_DOMAIN, "behind the base are interfaces");
    else if (of && !vec_push(k->c, &w->k->interfaces, of)) return false;
    else if (of) arr_retain(of);
    from = i + 1;
  }
  return true;
}

/* The functions of a namespace, as if they were written at d. */
static bool include_space(const fixer *w, const tnode *d, arr *of) {
  const space *p = space_of(of);
  if (!vec_push(w->k->c, &w->k->included, of)) return false;
  arr_retain(of);
  for (uint32_t i = 0; i < p->n; i++) {
    const value *x = space_read(&p->at[i]);
    if (x->cls <= C_ARR) continue;
    OWNED_FN fn *f = fn_in_space(w->v, x->f, w->own->space);
    if (!f) return false;
    if (fn_is_trad(f)) {
      if (!add_method(w, d, fn_move(&f), true)) return false;
      continue;
    }
    value *at = space_own_cell(&w->k->own->s, p->at[i].s, true);
    if (!at) return false;
    if (!at->cls) value_set(at, value_fn(f, x->cls));
  }
  return true;
}

static bool include(const fixer *w, const tnode *d) {
  const tnode *s = d->kid[1];
  OWNED arr *of = s ? refers(w, w->own, s, 0, s->n) : NULL;
  if (!of) return s ? false : wrong(w, d, ERR_SYNTAX, ":Include needs a namespace");
  return include_space(w, d, of);
}

/* ── scripts ────────────────────────────────────────────────────────────────────────── */

/* What is there before any line runs. */
static bool declare(const fixer *w, const tnode *s) {
  for (uint32_t i = 2; i < s->n; i++) {
    tnode *t = s->kid[i];
    bool ok = true;
    if (t->kind == T_TRAD) {
      fn *f = fn_of_trad(w->v, w->own, t);
      ok = f && add_method(w, t->trad->name, f, false);
    } else if (is_declared(t, "field", NULL)) ok = declare_field(w, t);
    else if (t->kind == T_SCRIPT && t->code == SCRIPT_PROPERTY)
      ok = declare_property(w, t);
    else if (t->kind == T_DECLARE &&
             (is_declared(t, "access", NULL) || is_declared(t, "implements", NULL)))
      ok = wrong(w, t, ERR_SYNTAX, "it stands in a method");
    if (!ok) return false;
  }
  return true;
}

static bool run_lines(const fixer *w, const tnode *s) {
  for (uint32_t i = 2; i < s->n; i++) {
    tnode *t = s->kid[i];
    OWNED_VALUE value ignored = {0};
    bool shy, ok = true;
    if (is_declared(t, "field", NULL)) ok = give_field(w, t);
    else if (is_declared(t, "include", NULL)) ok = include(w, t);
    else if (t->kind != T_TRAD && t->kind != T_DECLARE &&
             !(t->kind == T_SCRIPT && t->code == SCRIPT_PROPERTY))
      ok = run_stmt(w->v, w->own, t, false, &ignored, &shy);
    if (!ok) {
      err_at(w->v->c, (span){w->e->body->src, t->begin, t->end});
      return false;
    }
  }
  return true;
}

/* In place of its lines: what they included. */
static bool include_again(const fixer *w, const tnode *s, const class_pieces *pieces) {
  size_t n = 0;
  for (uint32_t i = 2; i < s->n; i++) {
    const tnode *t = s->kid[i];
    if (!is_declared(t, "include", NULL)) continue;
    if (n == pieces->included_n || !include_space(w, t, pieces->included[n++]))
      return false;
  }
  return true;
}

static bool take_pieces(const fixer *w, const class_pieces *pieces) {
  class *base = pieces->base ? class_of(pieces->base) : NULL;
  if (pieces->base &&
      (!base || base == w->k || base->is_interface || !base->own->s.script.src))
    return err_set(w->v->c, ERR_DOMAIN, "the base is no class");
  if (base && !inherit(w, pieces->base)) return false;
  for (size_t i = 0; i < pieces->interfaces_n; i++) {
    if (!vec_push(w->k->c, &w->k->interfaces, pieces->interfaces[i])) return false;
    arr_retain(pieces->interfaces[i]);
  }
  return true;
}

/* By the lines of its script or, without running any, by `pieces`. */
static bool fill(fixer *w, const tnode *s, const class_pieces *pieces) {
  vm *v = w->v;
  if (!(pieces ? take_pieces(w, pieces) : take_bases(w, s->kid[1]))) return false;
  OWNED arr *in = class_inside(w->k->own);
  if (!in) return false;
  env own = {.v = v,
             .refs = 1,
             .body = w->e->body->u->top,
             .sv = &w->k->own->s.vars,
             .space = in};
  env *outer = v->env;
  sysvars *sv = v->sv;
  w->own = &own;
  v->env = &own;
  v->sv = own.sv;
  bool ok = !out_of_stack(v->c) && declare(w, s) &&
            (pieces ? include_again(w, s, pieces) : run_lines(w, s)) &&
            take_implemented(w);
  v->env = outer;
  v->sv = sv;
  return ok;
}

static bool class_fix(vm *v, env *e, const tnode *s, value *r) {
  const tnode *name = s->kid[0];
  sym *k = name ? sym_intern(v, name->text, name->n) : NULL;
  if (name && !k) return false;
  OWNED arr *in =
      class_new(v, e->space, name ? name->text : "[Class]", s->code == SCRIPT_INTERFACE);
  if (!in) return false;
  space_of(in)->script = (span){source_retain(e->body->src), s->begin, s->end};
  fixer w = {.v = v, .e = e, .k = part_of(in)->cls};
  if (!fill(&w, s, NULL) || (k && !name_set(v, e->space, k, value_arr(in)))) return false;
  *r = value_arr(arr_move(&in));
  return true;
}

bool class_restore(vm *v, arr *of, const str *text, const class_pieces *pieces) {
  OWNED_UNIT unit *u = unit_new(v, &(vm_text){.name = "", .at = text->at, .n = text->n});
  if (!u) return false;
  const tnode *root = u->t->root, *s = root->n == 1 ? root->kid[0] : NULL;
  bool fits = s && s->kind == T_SCRIPT &&
              (s->code == SCRIPT_CLASS || s->code == SCRIPT_INTERFACE);
  if (!fits) return err_set(v->c, ERR_SYNTAX, "it is no script of a class");
  env e = {.v = v, .refs = 1, .body = u->top, .sv = &v->vars};
  fixer w = {.v = v, .e = &e, .k = class_of(of)};
  if (!fill(&w, s, pieces)) return false;
  space_of(of)->script = (span){source_retain(u->t->src), s->begin, s->end};
  return true;
}

/* ── ⎕-names ────────────────────────────────────────────────────────────────────────── */

/* Item i of a vector, as it is. */
static arr *argument(vm *v, arr *y, int64_t i) { return item_at(v, y, i); }

bool ext_new(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  bool pair = !y->ref && y->rank == 1 && is_nested(y) && (y->count == 1 || y->count == 2);
  OWNED arr *of = NULL;
  if (y->ref) of = arr_retain(y);
  else if (pair || (is_nested(y) && !y->rank)) of = argument(v, y, 0);
  if (err_is(v->c)) return false;
  const arr *name = of ? of : y;
  if (elt_is_char((elt)name->type))
    return err_set(v->c, ERR_NONCE,
                   "⎕NEW: classes of .NET and of windows are not in this version");
  class *k = of ? class_of(of) : NULL;
  if (!k || k->is_interface)
    return err_set(v->c, ERR_DOMAIN, "⎕NEW takes a class, or a class and an argument");
  OWNED arr *arg = pair && y->count == 2 ? argument(v, y, 1) : NULL;
  if (err_is(v->c)) return false;
  OWNED arr *made = instance_new(v, k, v->env ? v->env->space : NULL);
  if (!made) return false;
  v->shy = false;
  if (!instance_construct(part_of(made), arg, false)) {
    part_of(made)->is_destroyed = true;
    return false;
  }
  v->shy = false;
  return give_result(r, arr_move(&made));
}

/* The class k, then its interfaces. */
static arr *class_with_interfaces(vm *v, const class *k) {
  OWNED_LIST arr_list items = {.v = v};
  if (!list_add(&items, arr_retain(k->ref))) return NULL;
  for (size_t i = 0; i < k->interfaces.n; i++)
    if (!list_add(&items, arr_retain(k->interfaces.at[i]))) return NULL;
  return list_array(&items);
}

/* A namespace with what q's class has for the interface; NULL without an error: it has nothing to do with it. */
static arr *as_interface(vm *v, part *q, const arr *interface) {
  const class *k = q->cls;
  size_t i = 0;
  while (i < k->interfaces.n && k->interfaces.at[i] != interface) i++;
  if (i == k->interfaces.n) return NULL;
  OWNED arr *r = space_new(v, NULL, NULL);
  for (i = 0; r && i < k->implements.n; i++) {
    const implements *o = &k->implements.at[i];
    if (o->interface != interface) continue;
    OWNED_VALUE value f = value_fn(member_in(q, o->by), o->by->val.cls);
    value *at = f.cls ? space_place(r, o->name) : NULL;
    if (!at) return NULL;
    value_set(at, f);
  }
  return arr_move(&r);
}

bool ext_class(vm *v, arr *x, arr *y, arr **r) {
  part *p = y->ref ? part_of(y) : NULL;
  if (x) {
    class *k = class_of(x);
    bool is_instance = k && p && !p->is_class;
    for (part *o = is_instance && k->is_interface ? whole_of(p) : NULL; o;
         o = part_below(o)) {
      *r = as_interface(v, o, x);
      if (*r || err_is(v->c)) return *r;
    }
    part *q = is_instance ? class_level(p, k) : NULL;
    if (!q)
      return err_set(v->c, ERR_DOMAIN,
                     "⎕CLASS: x is a class, or an interface, of the instance y");
    return give_result(r, class_view(q, false));
  }
  if (!y->ref) return err_set(v->c, ERR_DOMAIN, "⎕CLASS takes an instance or a class");
  OWNED_LIST arr_list items = {.v = v};
  const class *k = p ? p->cls : NULL;
  for (; k; k = k->base ? class_of(k->base) : NULL)
    if (!list_add(&items, class_with_interfaces(v, k))) return false;
  return give_result(r, list_array(&items));
}

bool ext_instances(vm *v, arr *x, arr *y, arr **r) {
  const class *k = class_of(y);
  UNUSED(x);
  if (!k) return err_set(v->c, ERR_DOMAIN, "⎕INSTANCES takes a class");
  OWNED_LIST arr_list items = {.v = v};
  for (const space *s = v->spaces; s; s = s->next) {
    part *p = s->part;
    bool lives = p && !p->is_class && !p->waits && !p->is_destroyed;
    if (!lives || !class_level(p, k)) continue;
    if (!list_add(&items, arr_retain(s->ref))) return false;
  }
  for (size_t i = 0, j = items.n; i + 1 < j; i++) { /* the oldest one first */
    arr *last = items.at[--j];
    items.at[j] = items.at[i];
    items.at[i] = last;
  }
  return give_result(r, list_array(&items));
}

/* The part of the base of what runs in e, or its class's base; NULL: there is none. */
static part *base_of(const env *e) {
  part *p = space_has_members(e->space) ? part_of(e->space) : NULL;
  if (!p || !p->is_class) return p ? part_below(p) : NULL;
  return p->cls->base ? part_of(p->cls->base) : NULL;
}

static arr *base_in(vm *v, const env *e) {
  part *p = base_of(e);
  return p ? class_view(p, true)
           : err_null(v->c, ERR_VALUE, "⎕BASE: there is no base class");
}

static const value *find_in_base(const env *e, sym *s) {
  part *p = base_of(e);
  return p ? member_public(p, s, true) : NULL;
}

arr *ext_base(vm *v) {
  return err_null(v->c, ERR_SYNTAX, "⎕BASE stands before a point: ⎕BASE.name");
}

static double space_class(const arr *a) {
  const part *p = part_of(a);
  if (!p) return 9.1;
  if (!p->is_class) return 9.2;
  return p->cls->is_interface ? 9.5 : 9.4;
}

const class_hooks ext_classes = {.cell = member_cell,
                                 .around = member_around,
                                 .own = member_own,
                                 .may_change = member_may_change,
                                 .assign = member_assign,
                                 .bound = member_bound,
                                 .keeps = member_keeps,
                                 .read = class_read,
                                 .by_default = property_by_default,
                                 .places = property_places,
                                 .get_part = property_get_part,
                                 .put_part = property_put_part,
                                 .base_step = instance_base_step,
                                 .space_class = space_class,
                                 .name_class = member_class,
                                 .base = base_in,
                                 .base_find = find_in_base,
                                 .construct = instance_from_fill,
                                 .stays = instance_stays,
                                 .empty = instance_empty,
                                 .settle = instance_settle,
                                 .end = instance_end,
                                 .as_parent = class_as_parent,
                                 .follow = class_follow,
                                 .fix = class_fix};
