/* SPDX-License-Identifier: MIT */
/* fn_walk.c - see fn_walk.h. */
#include "fn_walk.h"
#include "../bind/bind.h"
#include "../../array/element.h"
#include "../value/frame.h"
#include "../run/primitive.h"
#include "../trad/trad.h"

/* ── parts ── */

part part_of_value(const value *v) { return (part){.v = v}; }
static part part_of_node(const bnode *b, walk_frame *at) {
  return (part){.b = b, .at = at};
}

uint8_t part_class(const part *p) {
  if (p->v) return p->v->cls;
  return p->b ? p->b->cls : C_NONE;
}

const value *part_value(const part *p) {
  if (p->v || !p->b) return p->v;
  if (p->b->kind == B_CONST) return &p->b->val;
  const fn *self = p->at ? p->at->e->self : NULL;
  if (p->b->kind == B_LOP && self) return &self->l;
  if (p->b->kind == B_ROP && self) return &self->r;
  return NULL;
}

prim part_prim(const part *f) {
  const value *x = part_value(f);
  if (!x || x->cls != C_FN || x->f->kind != F_PRIM) return P_COUNT;
  return (prim)x->f->prim;
}

arr *part_array(const part *a) {
  const value *x = part_value(a);
  return x && x->cls == C_ARR ? x->a : NULL;
}

/* x and y were made for the value r, which has come of them. */
static int used(walk *w, int x, int y, int r) {
  walk_drop(w, x);
  walk_drop(w, y);
  return r;
}

/* ── operators ── */

static int power(walk *w, const part_derived *f, int x, int y) {
  const arr *n = part_array(&f->r);
  if (!n || n->rank || !n->host || !elt_is_int((elt)n->type)) return NONE;
  int64_t times = arr_get_int(n, 0);
  if (times < 0 || times > WALK_POWER) return NONE;
  y = walk_keep(w, y);
  while (times-- > 0 && y != NONE) y = used(w, y, NONE, walk_apply(w, f->l, x, y));
  return y;
}

/* f g y and the like: f of what g gave. */
static int then(walk *w, part f, int x, int y) {
  return y == NONE ? NONE : used(w, NONE, y, walk_apply(w, f, x, y));
}

/* f∘g, a∘g, f∘a */
static int beside(walk *w, part l, part r, int x, int y) {
  if (part_class(&l) == C_FN && part_class(&r) == C_FN)
    return then(w, l, x, walk_apply(w, r, NONE, y));
  if (x != NONE) return NONE;
  if (part_class(&l) == C_ARR) {
    x = walk_array(w, l);
    return x == NONE ? NONE : used(w, x, NONE, walk_apply(w, r, x, y));
  }
  x = walk_array(w, r);
  return x == NONE ? NONE : used(w, x, NONE, walk_apply(w, l, y, x));
}

static int over(walk *w, part l, part r, int x, int y) {
  y = walk_apply(w, r, NONE, y);
  if (y == NONE || x == NONE) return then(w, l, NONE, y);
  x = walk_apply(w, r, NONE, x);
  return x == NONE ? NONE : used(w, x, y, walk_apply(w, l, x, y));
}

static int behind(walk *w, part l, part r, int x, int y) {
  if (part_class(&r) != C_FN) return NONE;
  if (part_class(&l) == C_ARR) x = walk_array(w, l);
  else x = walk_apply(w, l, NONE, x == NONE ? y : x);
  return x == NONE ? NONE : used(w, x, NONE, walk_apply(w, r, x, y));
}

static int derived(walk *w, const part_derived *f, int x, int y) {
  part l = f->l, r = f->r;
  switch (f->code) {
  case OP_SELF:
    if (part_class(&l) == C_ARR) return walk_array(w, l);
    return walk_apply(w, l, y, x == NONE ? y : x);
  case OP_POWER: {
    int times = power(w, f, x, y);
    if (times != NONE) return times;
    break;
  }
  case OP_JOT: return beside(w, l, r, x, y);
  case OP_OVER: return over(w, l, r, x, y);
  case OP_BEHIND: return behind(w, l, r, x, y);
  case OP_RANK:
    if (part_class(&r) != C_FN) break;
    return then(w, l, NONE, walk_apply(w, r, x, y));
  default: break;
  }
  return w->rules->derived(w, f, x, y);
}

static int fork(walk *w, part l, part m, part r, int x, int y) {
  int right = walk_apply(w, r, x, y), left = NONE;
  if (right == NONE) return NONE;
  if (part_class(&l) == C_ARR) left = walk_array(w, l);
  else left = walk_apply(w, l, x, y);
  return left == NONE ? NONE : used(w, left, right, walk_apply(w, m, left, right));
}

/* ── names ── */

/* What the name is in the frames that enclose `at`: a value, or NONE, and then the value
 * outside. *known is false where that is not settled: a local name without a value. */
static int in_frames(walk *w, walk_frame *at, const bnode *b, bool *known) {
  *known = true;
  for (env *e = at->e; e; e = e->outer) {
    uint32_t i;
    walk_frame *f = w->top;
    while (f && f->e != e) f = f->caller;
    if (!f || !env_own_name(e, b->s, &i)) continue;
    *known = f->local[i] != NONE;
    return f->local[i];
  }
  return NONE;
}

/* The names of traditional functions are seen by all that they call, those of dfns by traditional functions. The
 * frame that has s so, or NULL; *i: its number there. */
static walk_frame *in_callers(walk_frame *at, const sym *s, int *i) {
  for (walk_frame *f = at; f; f = f->caller)
    if ((f->e->body->open || at->e->body->open) && (*i = slot_of(f->e->body, s)) >= 0)
      return f;
  return NULL;
}

static int name(walk *w, walk_frame *at, const bnode *b) {
  bool known;
  int r = in_frames(w, at, b, &known), i;
  if (r != NONE || !known) return walk_keep(w, r);
  const walk_frame *f = in_callers(at, b->s, &i);
  if (f) return f->e->body->open ? walk_keep(w, f->local[i]) : NONE;
  const value *x = env_find(at->e, b->s, b->slot);
  return x->cls == C_ARR ? w->rules->outer(w, b->s, x->a) : NONE;
}

/* f←{…}: the name has the function, in the environment that bind sees. */
static bool set_function(walk_frame *at, vm *v, const bnode *b) {
  const bnode *f = b->kind == B_CHAIN && b->n == 1 ? b->kid[0] : NULL;
  const step *s = f ? &b->step[0] : NULL;
  if (!f || s->kind != S_SET || s->x->kind != G_NAME || s->x->slot < 0) return false;
  if (f->cls != C_FN || (f->kind != B_DFN && f->kind != B_CONST)) return false;
  OWNED_VALUE value to = {0};
  if (f->kind == B_CONST) to = value_retain(f->val);
  else to = value_fn(fn_closure(v, at->e, at->e->body->u, f->tree), C_FN);
  if (to.cls) value_set(&at->e->slot[s->x->slot], to);
  return to.cls;
}

/* ── nodes ── */

/* The names of a strand become items of y. */
static bool set_items(walk *w, walk_frame *at, const bnode *t, int y);

/* Some elements of a local name. */
static bool set_part(walk *w, walk_frame *at, const step *s, int y) {
  const bnode *t = s->x, *name = t->kid[0];
  if (!w->rules->put || name->kind != G_NAME || name->slot < 0) return false;
  int *local = &at->local[name->slot];
  part f = part_of_node(s->f, at);
  int now = walk_keep(w, *local);
  if (now == NONE) return false;
  int new = used(w, now, NONE,
                 w->rules->put(w, at, t, now, s->kind == S_MODIFY ? &f : NULL, y));
  if (new == NONE) return false;
  walk_drop(w, *local);
  *local = new;
  return true;
}

/* Sets a local name, or ⍺, to y, or by f modified. */
static bool set(walk *w, walk_frame *at, const step *s, int y) {
  const bnode *t = s->x;
  if (t->kind == G_STRAND && s->kind == S_SET) return set_items(w, at, t, y);
  if (t->kind == G_ALPHA && s->kind == S_SET && at->alpha == NONE) {
    at->alpha = walk_keep(w, y);
    at->e->alpha = value_arr(arr_retain(w->dummy));
    return true;
  }
  if (t->kind == G_INDEX) return set_part(w, at, s, y);
  if (t->kind != G_NAME || t->slot < 0) return false;
  int *local = &at->local[t->slot], before = *local;
  if (s->kind == S_SET) y = walk_keep(w, y);
  else if (before == NONE) return false;
  else {
    int now = walk_keep(w, before);
    y = now == NONE ? NONE
                    : used(w, now, NONE, walk_apply(w, part_of_node(s->f, at), now, y));
  }
  if (y == NONE) return false;
  walk_drop(w, before);
  *local = y;
  if (at->e->slot[t->slot].cls != C_ARR)
    value_set(&at->e->slot[t->slot], (value){.cls = C_ARR, .a = w->dummy});
  return true;
}

static bool set_items(walk *w, walk_frame *at, const bnode *t, int y) {
  for (uint32_t i = 0; i < t->n; i++) {
    step one = {.kind = S_SET, .x = t->kid[i]};
    int item = w->rules->item ? w->rules->item(w, y, i, t->n) : NONE;
    if (item == NONE || !set(w, at, &one, item)) return false;
    walk_drop(w, item);
  }
  return true;
}

/* Does it set what no cell has of its own? Then nothing of it need be tried. */
static bool sets_outer(const bnode *b) {
  for (uint32_t i = 0; i < b->n; i++) {
    const step *s = &b->step[i];
    if (s->kind < S_SET) continue;
    const bnode *t = s->x->kind == G_INDEX ? s->x->kid[0] : s->x;
    bool other = t->kind != G_NAME && t->kind != G_ALPHA && t->kind != G_STRAND;
    if (other || (t->kind == G_NAME && t->slot < 0)) return true;
  }
  return false;
}

static int chain(walk *w, walk_frame *at, const bnode *b) {
  if (sets_outer(b)) return NONE;
  int r = walk_node(w, at, b->kid[0]);
  for (uint32_t i = 0; i < b->n && r != NONE; i++) {
    const step *s = &b->step[i];
    if (s->kind >= S_SET) {
      if (!set(w, at, s, r)) return NONE;
      continue;
    }
    int x = NONE;
    if (s->kind == S_DYADIC) {
      x = walk_node(w, at, s->x);
      if (x == NONE) return NONE;
    }
    r = used(w, x, r, walk_apply(w, part_of_node(s->f, at), x, r));
  }
  return r;
}

int walk_node(walk *w, walk_frame *at, const bnode *b) {
  if (b->cls != C_ARR || stack_is_low(w->v->c)) return NONE;
  switch ((bkind)b->kind) {
  case B_CONST: return w->rules->constant(w, b->val.a);
  case B_NAME: return name(w, at, b);
  case B_ALPHA: return walk_keep(w, at->alpha);
  case B_OMEGA: return walk_keep(w, at->omega);
  case B_CHAIN: return chain(w, at, b);
  case B_LOP:
  case B_ROP: return walk_array(w, part_of_node(b, at));
  default: return w->rules->node ? w->rules->node(w, at, b) : NONE;
  }
}

int walk_array(walk *w, part a) {
  bool operand = a.v || (a.b && (a.b->kind == B_LOP || a.b->kind == B_ROP));
  if (!operand) return a.b ? walk_node(w, a.at, a.b) : NONE;
  arr *x = part_array(&a);
  return x ? w->rules->outer(w, NULL, x) : NONE;
}

/* ── dfns ── */

const bnode *walk_root(walk *w, walk_frame *at, tnode *stmt) {
  const bound *k = bind_cached(w->v, at->e, stmt);
  return k ? k->root : NULL;
}

int walk_shown(walk *w, walk_frame *at, tnode *stmt) {
  const bound *k = bind_cached(w->v, at->e, stmt);
  return k && !k->assigns ? walk_node(w, at, k->root) : NONE;
}

int walk_statements(walk *w, walk_frame *at, uint32_t i) {
  const tnode *t = at->e->body->node;
  for (; i < t->n; i++) {
    tnode *s = t->kid[i];
    if (s->kind == T_GUARD) return s->kid[1] ? w->rules->guard(w, at, i) : NONE;
    if (s->kind != T_STMT) return NONE;
    const bound *k = bind_cached(w->v, at->e, s);
    if (!k) return NONE;
    if (k->sets_default && at->alpha != NONE) continue;
    if (set_function(at, w->v, k->root)) continue;
    int r = walk_node(w, at, k->root);
    if (r == NONE || !k->assigns) return r;
    walk_drop(w, r);
  }
  return NONE;
}

/* Begins a call of f, whose body is k; NULL: there is none. */
static bool frame_begin(walk *w, walk_frame *at, fn *f, body *k) {
  if (!k || k->n > WALK_LOCALS) return false;
  *at = (walk_frame){.caller = w->top, .alpha = NONE, .omega = NONE};
  at->e = env_new(w->v, k, fn_retain(f));
  if (!at->e) return false;
  for (int i = 0; i < WALK_LOCALS; i++) at->local[i] = NONE;
  w->top = at;
  const sysvars *own = at->e->sv, *now = w->v->sv;
  if (own->ct == now->ct && own->io == now->io && own->ml == now->ml &&
      own->div == now->div)
    return true;
  walk_leave(w, at);
  return false;
}

bool walk_enter(walk *w, walk_frame *at, fn *f, int x, int y) {
  if (!frame_begin(w, at, f, body_of(w->v, f->u, f->node))) return false;
  at->alpha = x;
  at->omega = y;
  if (x != NONE) at->e->alpha = value_arr(arr_retain(w->dummy));
  at->e->omega = value_arr(arr_retain(w->dummy));
  return true;
}

void walk_leave(walk *w, walk_frame *at) {
  for (int i = 0; i < WALK_LOCALS; i++) walk_drop(w, at->local[i]);
  w->top = at->caller;
  env_end(at->e);
}

int walk_call(walk *w, fn *f, int x, int y) {
  walk_frame at;
  if (!walk_enter(w, &at, f, x, y)) return NONE;
  int r = walk_statements(w, &at, 0);
  walk_leave(w, &at);
  return r;
}

/* ── traditional functions ──
 *
 * TRIED: to look at all lines before the first one is gone through, for those that cannot be. f¨ of a function
 * whose 13th line ends the attempt takes as long, with 3, 40 and 100 items. */

/* An assignment of local names. */
static bool walk_line(walk *w, walk_frame *at, tnode *stmt) {
  const bound *k = bind_cached(w->v, at->e, stmt);
  if (!k || !k->assigns) return false;
  if (set_function(at, w->v, k->root)) return true;
  int r = walk_node(w, at, k->root);
  walk_drop(w, r);
  return r != NONE;
}

bool walk_steps(walk *w, walk_frame *at, uint32_t i, uint32_t end) {
  const trad *t = at->e->self->node->trad;
  while (i < end) {
    const tstep *s = &t->step[i];
    if (s->look) return false;
    if (s->op == STEP_RETURN && end == t->n) break;
    if (s->op == STEP_EXPR) {
      if (!walk_line(w, at, s->expr)) return false;
      i++;
    } else if (!w->rules->control || !w->rules->control(w, at, &i, end)) return false;
  }
  return true;
}

/* Does it take these arguments and give one result, without labels or a line 0 that is looked at? */
static bool is_plain(const trad *t, int x) {
  bool one = t->result.n == 1 && t->right.n == 1 && !t->result_list && !t->right_list;
  bool left = x == NONE ? !t->left || t->optional : t->left != NULL;
  return one && left && !t->shy && !t->label.n && !t->axis && !t->look_at_exit;
}

static void give(walk *w, walk_frame *at, const tnode *t, int x) {
  int i = slot_of(at->e->body, t->cache);
  at->local[i] = walk_keep(w, x);
  value_set(&at->e->slot[i], (value){.cls = C_ARR, .a = w->dummy});
}

static int walk_trad(walk *w, fn *f, int x, int y) {
  walk_frame at;
  const trad *t = f->node->trad;
  int r = NONE;
  if (!is_plain(t, x) || !frame_begin(w, &at, f, trad_body(w->v, f))) return NONE;
  give(w, &at, t->right.at[0], y);
  if (x != NONE) give(w, &at, t->left, x);
  if (walk_steps(w, &at, 0, t->n))
    r = walk_keep(w, at.local[slot_of(at.e->body, t->result.at[0]->cache)]);
  walk_leave(w, &at);
  return r;
}

static int dfn(walk *w, fn *f, int x, int y) {
  return w->rules->call ? w->rules->call(w, f, x, y) : walk_call(w, f, x, y);
}

/* ∇: as deep as the stack and the rules allow. */
static int again(walk *w, fn *f, int x, int y) {
  enum { MOST = 100 };
  int depth = w->depth;
  if (w->rules->call || f->kind == F_TRAD || w->again == MOST) return NONE;
  w->again++;
  w->depth = 0;
  int r = walk_call(w, f, x, y);
  w->depth = depth;
  w->again--;
  return r;
}

/* ── functions ── */

static int apply_value(walk *w, fn *f, int x, int y) {
  part l = part_of_value(&f->l), m = part_of_value(&f->m), r = part_of_value(&f->r);
  switch ((fkind)f->kind) {
  case F_PRIM: return w->rules->primitive(w, (prim)f->prim, x, y);
  case F_REPLICATE:
    if (!w->rules->replicate || x == NONE) return NONE;
    return w->rules->replicate(w, f->code, x, y);
  case F_SYS: return w->rules->system ? w->rules->system(w, f, x, y) : NONE;
  case F_DFN:
  case F_DOPPED: return dfn(w, f, x, y);
  case F_TRAD: return walk_trad(w, f, x, y);
  case F_DERIVED: {
    value axis = {.cls = f->axis ? C_ARR : C_NONE, .a = f->axis};
    part_derived d = {.code = f->code, .l = l, .r = r};
    if (f->axis) d.axis = part_of_value(&axis);
    return derived(w, &d, x, y);
  }
  case F_ATOP: return then(w, l, NONE, walk_apply(w, r, x, y));
  case F_FORK: return fork(w, l, m, r, x, y);
  default: return NONE;
  }
}

/* Can the function be made? What is never applied is made, too. */
static bool can_be_made(walk *w, walk_frame *at, const bnode *b) {
  if (!b || b->kind != B_DERIVED) return true;
  bnode **kid = b->kid;
  const fn *op = kid[0]->kind == B_CONST ? kid[0]->val.f : NULL;
  if (!op || op->kind != F_OPER || stack_is_low(w->v->c)) return false;
  part l = part_of_node(kid[1], at), r = {0};
  if (kid[2]) r = part_of_node(kid[2], at);
  value left = {.cls = part_class(&l)},
        right = {.cls = kid[2] ? part_class(&r) : op->r.cls};
  bool takes = derive_takes(w->v, oper_find(op->code), left, right);
  if (!takes) err_clear(w->v->c);
  return takes && can_be_made(w, at, kid[1]) && can_be_made(w, at, kid[2]);
}

static int apply_node(walk *w, walk_frame *at, const bnode *b, int x, int y) {
  bnode **kid = b->kid;
  switch ((bkind)b->kind) {
  case B_CONST: return apply_value(w, b->val.f, x, y);
  case B_NAME: {
    int i;
    const walk_frame *in = in_callers(at, b->s, &i);
    if (in && in != at) return NONE;
    const value *f = env_find(at->e, b->s, b->slot);
    return f->cls == C_FN ? apply_value(w, f->f, x, y) : NONE;
  }
  case B_LOP:
  case B_ROP: {
    part self = part_of_node(b, at);
    const value *f = part_value(&self);
    return f && f->cls == C_FN ? apply_value(w, f->f, x, y) : NONE;
  }
  case B_DFN: { /* its names from outside are the frame's */
    OWNED_FN fn *f = fn_closure(w->v, at->e, at->e->body->u, b->tree);
    return f && b->cls == C_FN ? dfn(w, f, x, y) : NONE;
  }
  case B_DEL: return again(w, at->e->self, x, y);
  case B_DERIVED: {
    if (kid[0]->kind != B_CONST || kid[0]->val.f->kind != F_OPER) return NONE;
    if (!can_be_made(w, at, kid[1]) || !can_be_made(w, at, kid[2])) return NONE;
    const fn *op = kid[0]->val.f;
    part_derived d = {.code = op->code, .l = part_of_node(kid[1], at)};
    if (kid[2]) d.r = part_of_node(kid[2], at);
    else if (op->r.cls) d.r = part_of_value(&op->r);
    if (kid[3]) d.axis = part_of_node(kid[3], at);
    return derived(w, &d, x, y);
  }
  case B_ATOP:
    return then(w, part_of_node(kid[0], at), NONE,
                walk_apply(w, part_of_node(kid[1], at), x, y));
  case B_FORK:
    return fork(w, part_of_node(kid[0], at), part_of_node(kid[1], at),
                part_of_node(kid[2], at), x, y);
  default: return NONE;
  }
}

int walk_apply(walk *w, part f, int x, int y) {
  int r = NONE;
  if (part_class(&f) != C_FN || y == NONE || err_is(w->v->c)) return NONE;
  if (++w->depth <= WALK_DEPTH && !stack_is_low(w->v->c)) {
    if (f.v) r = apply_value(w, f.v->f, x, y);
    else r = apply_node(w, f.at, f.b, x, y);
  }
  w->depth--;
  return r;
}
