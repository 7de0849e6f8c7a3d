/* SPDX-License-Identifier: MIT */
/* class_life.c - instances from ⎕NEW to their destructor, and the references that lead to them.
 *
 * References are counted. When the last one to an instance has gone whose class has a destructor, it is kept, and the
 * destructor runs before the program's next step; then it goes. */
#include "class.h"
#include "../../src/eval/trad/trad.h"
#include "../../src/eval/value/arg.h"
#include <string.h>

/* What is to be done before the next step: destructors and triggers. */
typedef struct due {
  arr *of;   /* the instance or class; owned */
  part *at;  /* of a trigger: where its field is; NULL: a destructor */
  member *m; /* the field */
  value was; /* owned */
} due;

typedef struct errands {
  VEC(due) due;
  bool runs;
} errands;

static void close_errands(vm *v, void *state) {
  errands *k = state;
  vec_free(v->c, &k->due);
}

static errands *errands_of(vm *v) {
  return ext_state_of(v, close_errands, sizeof(errands));
}

/* ── references ─────────────────────────────────────────────────────────────────────── */

static arr *text_of(const part *p) {
  return arr_retain((arr *)(uintptr_t)arr_ref_text(p->s.ref));
}

static void leave_nothing(void *user, void *data) {
  UNUSED(user);
  UNUSED(data);
}

static void leave_inside(void *user, void *data) {
  part *p = user;
  arr **at = data, *in = at[0];
  p->inside = NULL;
  arr_release(at[1]);
  at[1] = NULL;
  if (p->cls && !p->cls->spare) {
    p->cls->spare = in;
    in->refs = 1;
    in->drop = leave_nothing;
  }
  arr_release(p->s.ref);
}

static void leave_view(void *user, void *data) {
  const part *p = user;
  arr_release(((arr **)data)[1]);
  arr_release(p->s.ref);
}

static void leave_base(void *user, void *data) { leave_view(user, data); }

bool class_sees_own(const arr *in) { return in->drop == leave_base; }

/* Behind the reference is its text or, once the instance has gone, the space that it leads to instead. */
static void leave_weak(void *user, void *data) {
  part *p = ((space *)user)->part;
  arr **at = data;
  if (p && p->weak == at[0]) p->weak = NULL;
  arr_release(at[1]);
}

arr *class_inside(part *p) {
  if (p->inside) return arr_retain(p->inside);
  if (p->cls && p->cls->spare) {
    p->inside = p->cls->spare;
    p->cls->spare = NULL;
    ((arr **)p->inside->host)[1] = text_of(p);
    p->inside->drop = leave_inside;
    p->inside->drop_user = p;
  } else p->inside = arr_ref(p->s.c, text_of(p), leave_inside, p);
  if (p->inside) arr_retain(p->s.ref);
  return p->inside;
}

arr *class_view(part *p, bool own) {
  if (!p->is_base) return arr_retain(p->s.ref);
  arr *r = arr_ref(p->s.c, text_of(p), own ? leave_base : leave_view, p);
  if (r) arr_retain(p->s.ref);
  return r;
}

arr *class_as_parent(arr *in) {
  part *p = whole_of(part_of(in));
  if (p->is_class) return arr_retain(p->s.ref);
  if (p->weak) return arr_retain(p->weak);
  return p->weak = arr_ref(p->s.c, text_of(p), leave_weak, p);
}

/* What was made in the instance p is in the nearest space around it that is no instance. */
static void redirect_weak(part *p) {
  if (!p->weak) return;
  arr **at = p->weak->host, *in = p->s.parent;
  while (in && space_has_members(in) && !part_of(in)->is_class) in = space_parent(in);
  in = in ? arr_retain(space_of(in)->ref) : space_workspace(p->s.v);
  if (!in) return; /* out of memory: nothing will be found there */
  arr_release(at[1]);
  at[1] = in;
  p->weak->drop_user = space_of(in);
  p->weak = NULL;
}

bool class_follow(const arr *a, void (*each)(void *g, value x), void *g) {
  const space *s = space_of(a);
  part *p = s->part;
  bool weak = a->drop == leave_weak;
  if (weak && p && p->weak == a) return false;
  if (weak || a != s->ref) {
    each(g, value_arr(weak ? ((arr **)a->host)[1] : s->ref));
    return false;
  }
  for (part *q = p; q && !p->is_class; q = part_below(q)) {
    for (uint32_t i = 0; q != p && i < q->s.n; i++) each(g, q->s.at[i].val);
    if (q != p) each(g, value_arr(q->s.parent));
    if (q->cls) each(g, value_arr(q->cls->ref));
  }
  if (p && p->more) each(g, value_arr(p->more));
  const class *k = p && p->is_class ? p->cls : NULL;
  if (!k) return true;
  each(g, value_arr(k->base));
  for (size_t i = 0; i < k->interfaces.n; i++) each(g, value_arr(k->interfaces.at[i]));
  for (size_t i = 0; i < k->included.n; i++) each(g, value_arr(k->included.at[i]));
  for (size_t i = 0; i < k->implements.n; i++)
    each(g, value_arr(k->implements.at[i].interface));
  for (size_t i = 0; i < k->members.n; i++) {
    const member *m = k->members.at[i];
    each(g, m->val);
    each(g, value_fn(m->get, C_FN));
    each(g, value_fn(m->set, C_FN));
    each(g, value_fn(m->shape, C_FN));
  }
  return true;
}

/* ── made ───────────────────────────────────────────────────────────────────────────── */

/* What an instance of k that is made in `in` is shown as; owned. */
static arr *title_of(vm *v, class *k, arr *in) {
  const arr *around = space_title(in);
  if (k->title && k->title_in == around) return arr_retain(k->title);
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  OWNED arr *shown = arr_retain((arr *)(uintptr_t)arr_ref_text(k->ref));
  if (!arg_text(v, shown, "", &name)) return NULL;
  const char *dot = name.n ? memrchr(name.at, '.', name.n) : NULL;
  str_printf(&s, "[%s]", dot ? dot + 1 : name.at);
  OWNED arr *r = s.failed ? NULL : space_text(v, in, s.at);
  if (!r) return NULL;
  arr_release(k->title);
  arr_release(k->title_in);
  k->title = arr_retain(r);
  k->title_in = around ? arr_retain((arr *)(uintptr_t)around) : NULL;
  return arr_move(&r);
}

/* Room for the fields of k, and for a name more. */
static uint32_t room_of(const class *k) {
  return k->fields.n ? (uint32_t)k->fields.n + 1 : 0;
}

/* The fields of q's class, with what they begin with; *room is for their names, and then what is behind them. */
static bool take_fields(part *q, space_name **room) {
  const class *k = q->cls;
  uint32_t n = (uint32_t)k->fields.n;
  q->s.cap = room_of(k);
  q->s.names_inside = q->s.cap;
  if (q->s.cap) q->s.at = *room;
  *room += q->s.cap;
  for (uint32_t i = 0; i < n; i++) {
    if (!space_own_cell(&q->s, k->fields.at[i]->name, true)) return false;
    value_share(&q->s.at[i].val, &k->fields.at[i]->val);
  }
  return true;
}

static void join_class(part *q, class *k) {
  q->cls = k;
  k->refs++;
  arr_retain(k->ref);
}

static void leave_class(part *q) {
  class *k = q->cls;
  if (!k) return;
  q->cls = NULL;
  arr_release(k->ref);
  class_release(k);
}

arr *instance_new(vm *v, class *k, arr *in) {
  size_t depth = 0, names = 0;
  for (const class *o = k; o; o = o->base ? class_of(o->base) : NULL) {
    depth++;
    names += room_of(o);
  }
  arr *text = title_of(v, k, in);
  part *p =
      text ? mem_zalloc(v->c, depth * sizeof *p + names * sizeof(space_name)) : NULL;
  if (!p) arr_release(text);
  OWNED arr *r = p ? space_open(v, &p->s, text, in) : NULL;
  if (!r) {
    mem_free(v->c, p);
    return NULL;
  }
  for (size_t i = 0; i < depth; i++) {
    part *q = &p[i];
    q->s.part = q;
    q->s.c = v->c;
    q->s.v = v;
    q->s.ref = r;
    q->s.vars = k->own->s.vars;
    q->is_base = i > 0;
    q->has_base = i + 1 < depth;
    if (i && p->s.parent) q->s.parent = arr_retain(p->s.parent);
    join_class(q, k);
    k = k->base ? class_of(k->base) : NULL;
  }
  space_name *room = (space_name *)(void *)(p + depth);
  for (size_t i = 0; i < depth; i++)
    if (!take_fields(&p[i], &room)) return NULL;
  return arr_move(&r);
}

/* ── constructed ────────────────────────────────────────────────────────────────────── */

/* The constructor that takes x, or (NULL) nothing; NULL: there is none. */
static member *maker_for(const class *k, const arr *x) {
  member *any = NULL;
  for (size_t i = 0; i < k->makers.n; i++) {
    member *m = k->makers.at[i];
    const trad *t = m->val.f->node->trad;
    if (!m->is_public || t->niladic != !x) continue;
    if (!t->right_list && !any) any = m;
    if (t->right_list && x->rank == 1 && x->count == t->right.n) return m;
  }
  return any;
}

static bool none_fits(vm *v, const class *k, const arr *x) {
  OWNED_STR str name = {.c = v->c};
  const char *with = x ? "takes this argument" : "takes no argument";
  if (!arg_text(v, (arr *)(uintptr_t)arr_ref_text(k->ref), "", &name)) return false;
  return err_set(v->c, ERR_LENGTH, "no public constructor of %s %s", name.at, with);
}

bool instance_construct(part *p, arr *x, bool base) {
  vm *v = p->s.v;
  p->is_made = true;
  if (out_of_stack(v->c)) return false;
  if (!p->cls->makers.n) {
    if (x && (!base || !part_below(p))) return none_fits(v, p->cls, x);
    return !part_below(p) || instance_construct(part_below(p), x, true);
  }
  member *m = maker_for(p->cls, x);
  if (!m) return none_fits(v, p->cls, x);
  OWNED_FN fn *f = member_in(p, m);
  OWNED_VALUE value r = {0};
  value y = value_arr(x);
  if (!f || !class_call(v, f, &y, &r)) return false;
  return !part_below(p) || part_below(p)->is_made ||
         instance_construct(part_below(p), NULL, true);
}

arr *instance_fill(ctx *c, const arr *y) {
  const part *p = part_of(y);
  if (!p || p->is_class || !p->cls) return arr_int(c, 0);
  arr *r = instance_new(p->s.v, p->cls, p->s.parent);
  if (!r) return NULL;
  part_of(r)->s.is_fill = part_of(r)->is_destroyed = true;
  return r;
}

bool instance_from_fill(arr *in) {
  OWNED arr *kept = arr_retain(in);
  part *p = part_of(kept);
  p->s.is_fill = p->is_destroyed = false;
  if (instance_construct(p, NULL, false)) return true;
  p->s.is_fill = p->is_destroyed = true;
  return false;
}

bool instance_base_step(vm *v, env *e, const value *x) {
  const member *m = e->self ? e->self->member : NULL;
  if (!m || m->kind != CONSTRUCTOR || !space_has_members(e->space)) return true;
  part *below = part_below(part_of(e->space));
  if (!below && x->cls) return err_set(v->c, ERR_SYNTAX, ":Base: the class has no base");
  if (!below || below->is_made) return true;
  return instance_construct(below, x->cls ? x->a : NULL, true);
}

/* ── errands: destructors, triggers ─────────────────────────────────────────────────── */

bool class_call(vm *v, fn *f, const value *y, value *r) {
  static const value none;
  span at = v->at;
  bool ok = step_begins(v->c) && call_trad(v, f, &none, y ? y : &none, r);
  v->at = at;
  return ok;
}

static void run_errands(void *user) { instance_settle(user); }

static bool add_errand(vm *v, due d) {
  errands *k = errands_of(v);
  if (!k || !vec_push(v->c, &k->due, d)) return false;
  arr_retain(d.of);
  value_retain(d.was);
  step_errand(v->c, run_errands, v);
  return true;
}

bool instance_stays(space *s) {
  part *p = s->part;
  bool needs = !p->is_class && p->cls && p->cls->destroys && !p->is_destroyed;
  if (!needs || p->waits) return needs;
  p->waits = add_errand(s->v, (due){.of = s->ref});
  return p->waits;
}

bool instance_note(part *p, member *m, const value *was) {
  vm *v = p->s.v;
  errands *k = errands_of(v);
  if (!k) return false;
  for (size_t i = 0; i < k->due.n; i++)
    if (k->due.at[i].at == p && k->due.at[i].m == m) return true;
  OWNED_VALUE value old = was ? value_retain(*was) : (value){0};
  return add_errand(v, (due){.of = p->s.ref, .at = p, .m = m, .was = old});
}

static void report(vm *v) {
  OWNED_STR str s = {.c = v->c};
  settle_error(v);
  vm_error_text(v, &s);
  err_clear(v->c);
  if (s.n && v->cfg.write) v->cfg.write(v->cfg.user, 2, s.at, s.n);
}

/* From its class to its bases. What is wrong is told. */
static void destroy(vm *v, part *p) {
  bool (*session)(void *) = v->suspend;
  v->suspend = NULL;
  p->is_destroyed = true;
  for (part *q = p; q && q->cls && !v->off; q = part_below(q)) {
    member *m = q->cls->destructor;
    OWNED_FN fn *f = m ? member_in(q, m) : NULL;
    OWNED_VALUE value r = {0};
    if (f && !(class_call(v, f, NULL, &r) && verify(v))) report(v);
  }
  v->suspend = session;
}

static bool run_trigger(vm *v, const due *d) {
  part *q = d->m->shared ? d->m->of->own : class_level(d->at, d->m->of);
  OWNED_FN fn *f = q ? member_in(q, d->m->trigger) : NULL;
  OWNED_VALUE value r = {0}, y = {0};
  if (!f) return !err_is(v->c);
  const value *now = space_own_cell(&q->s, d->m->name, false);
  if (f->kind != F_NILADIC)
    y = value_arr(class_told(v, d->m, &(property_told){.new = now, .old = &d->was}));
  return (f->kind == F_NILADIC || y.cls) && class_call(v, f, &y, &r);
}

/* An error that is recorded is another one's, and stays. */
void instance_settle(vm *v) {
  errands *k = errands_of(v);
  v->c->errand = NULL;
  if (!k || k->runs || !k->due.n) return;
  err kept = err_take(v->c);
  bool shy = v->shy, ok = kept.code || verify(v);
  k->runs = true;
  while (ok && k->due.n) {
    due d = k->due.at[0];
    k->due.n--;
    memmove(k->due.at, k->due.at + 1, k->due.n * sizeof d);
    if (d.at) ok = run_trigger(v, &d);
    else destroy(v, part_of(d.of));
    value_release(d.was);
    arr_release(d.of);
  }
  k->runs = false;
  v->shy = shy;
  if (k->due.n) step_errand(v->c, run_errands, v);
  if (kept.code) err_put_back(v->c, kept);
}

static void uncount(const class *k) {
  for (size_t i = 0; i < k->members.n; i++) {
    member *m = k->members.at[i];
    if (m->counted) m->name->labels--;
    m->counted = false;
  }
}

void instance_end(vm *v) {
  VEC(arr *) all = {0};
  bool ok = true;
  for (space *s = v->spaces; ok && s; s = s->next)
    if (s->part && !((part *)s->part)->is_class) ok = vec_push(v->c, &all, s->ref);
  for (size_t i = all.n; i-- > 0;) instance_stays(space_of(all.at[i]));
  vec_free(v->c, &all);
  v->off = false;
  if (v->c->errand) instance_settle(v);
  for (const space *s = v->spaces; s; s = s->next) /* symbols go before classes do */
    if (s->part && ((part *)s->part)->is_class) uncount(((part *)s->part)->cls);
}

/* ── gone ───────────────────────────────────────────────────────────────────────────── */

static void empty_class(part *p) {
  class *k = p->cls;
  arr *more = p->more;
  p->cls = NULL;
  p->more = NULL;
  k->own = NULL;
  for (size_t i = 0; i < k->members.n; i++) {
    member *m = k->members.at[i];
    value_clear(&m->val);
    fn_release(m->get);
    fn_release(m->set);
    fn_release(m->shape);
    m->get = m->set = m->shape = NULL;
    fn *spare = m->spare;
    m->spare = NULL;
    fn_release(spare);
  }
  while (k->interfaces.n) arr_release(k->interfaces.at[--k->interfaces.n]);
  while (k->included.n) arr_release(k->included.at[--k->included.n]);
  while (k->implements.n) arr_release(k->implements.at[--k->implements.n].interface);
  arr *base = k->base;
  k->base = NULL;
  arr_release(base);
  arr_release(more);
  class_release(k);
}

void instance_empty(space *s) {
  part *p = s->part;
  s->part = NULL;
  if (p->is_class) {
    empty_class(p);
    return;
  }
  redirect_weak(p);
  for (part *q = p; q; q = part_below(q)) {
    for (uint32_t i = 0; q != p && i < q->s.n; i++) value_clear(&q->s.at[i].val);
    q->s.part = NULL;
    leave_class(q);
    if (q == p) continue;
    space_free_names(&q->s);
    arr_release(q->s.parent);
    q->s.parent = NULL;
  }
  arr *more = p->more;
  p->more = NULL;
  arr_release(more);
}
