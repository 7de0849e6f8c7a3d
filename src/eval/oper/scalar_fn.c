/* SPDX-License-Identifier: MIT */
/* scalar_fn.c - see scalar_fn.h: bound trees and functions made of functions, gone through
 * with symbols for ⍺ and ⍵.
 *
 * Nothing of the user's is run. A dfn is gone through as it would be called, with an
 * environment that only bind sees: its local names stand for numbers of instructions, which
 * `frame` has. Names from outside must be numbers: they become parameters, so that another
 * value needs no other kernel. A guard is a choice between its result and what the
 * statements behind it give. What changes anything, or has a value that is not a number,
 * ends the attempt: NONE. */
#include "scalar_fn.h"
#include "../../array/element.h"
#include "../bind/bind.h"
#include "../run/primitive.h"
#include "oper.h"

/* STATES: no scalar but a vector of states, of which only the first may be asked for. */
enum { NONE = -1, STATES = -2 };
enum { DEPTH_MAX = 24, LOCALS_MAX = 16, POWER_MAX = 16 };

typedef struct frame { /* a dfn that is being gone through */
  struct frame *caller;
  env *e;
  int alpha, omega;
  int local[LOCALS_MAX];
} frame;

typedef struct walk {
  vm *v;
  scalar_fn *r;
  frame *top;
  arr *dummy; /* stands for every array where bind asks for classes */
  const sym *name[KEXPR_PARAMS];
  int element, state;
  int under; /* what must be 1 for what is computed to count, or NONE */
  int depth;
} walk;

/* A function or an array: a value, or a node of a frame. */
typedef struct part {
  const value *v;
  const bnode *b;
  frame *at;
} part;

static part part_of_value(const value *v) { return (part){.v = v}; }
static part part_of_node(const bnode *b, frame *at) { return (part){.b = b, .at = at}; }
static uint8_t class_of(const part *p) { return p->v ? p->v->cls : p->b->cls; }

static int apply(walk *w, part f, int x, int y);
static int scalar(walk *w, part a);

/* ── instructions ── */

static int emit(walk *w, kexpr_ins in) { return kexpr_add(&w->r->e, in); }

static int emit_prim(walk *w, prim p, int x, int y) {
  if (x == STATES || y == STATES) return NONE;
  kexpr_ins in = {.op = KEXPR_MONAD, .prim = (uint16_t)p, .a = (uint16_t)y};
  if (x != NONE) {
    in.op = KEXPR_DYAD;
    in.a = (uint16_t)x;
    in.b = (uint16_t)y;
  }
  if (w->under != NONE) in.under = (uint16_t)(w->under + 1);
  return emit(w, in);
}

static int both(walk *w, int a, int b) {
  if (a == NONE || b == NONE) return b;
  return emit(
      w,
      (kexpr_ins){.op = KEXPR_DYAD, .prim = P_AND, .a = (uint16_t)a, .b = (uint16_t)b});
}

/* ── numbers ── */

static bool is_number(const arr *a) { return !a->rank && a->host && a->type <= ET_F64; }

static kimm number_in(const arr *a) {
  if (elt_is_float((elt)a->type)) return (kimm){.f = arr_get_float(a, 0)};
  return (kimm){.i = arr_get_int(a, 0)};
}

static int constant(walk *w, const arr *a) {
  return emit(w, (kexpr_ins){.op = KEXPR_CONST, .type = a->type, .value = number_in(a)});
}

/* A number of the call. Those of a name are one. */
static int parameter(walk *w, const sym *name, const arr *a) {
  uint32_t i = 0, n = w->r->e.n_param;
  while (i < n && !(name && w->name[i] == name)) i++;
  if (i == KEXPR_PARAMS || a->type == ET_F32) return NONE;
  if (i == n) {
    w->name[i] = name;
    w->r->param[i] = number_in(a);
    w->r->e.n_param++;
  }
  return emit(w, (kexpr_ins){.op = KEXPR_PARAM, .type = a->type, .a = (uint16_t)i});
}

/* A number that was bound to a function: small ones tell how it folds. */
static int bound_number(walk *w, const arr *a) {
  if (!is_number(a)) return NONE;
  bool small =
      elt_is_int((elt)a->type) && arr_get_int(a, 0) >= -16 && arr_get_int(a, 0) <= 16;
  return small ? constant(w, a) : parameter(w, NULL, a);
}

/* ── primitives ── */

/* The function that code○y is; P_COUNT: none that a kernel has. */
static prim circular(const walk *w, int x) {
  const kexpr_ins *n = &w->r->e.ins[x];
  if (n->op != KEXPR_CONST || elt_is_float((elt)n->type)) return P_COUNT;
  return prim_of_code(n->value.i);
}

/* Of a simple scalar it is the scalar. */
static bool is_identity(prim p) {
  return p == P_LEFT || p == P_RIGHT || p == P_PICK || p == P_ENCLOSE || p == P_REVERSE ||
         p == P_REVERSE1 || p == P_TRANSPOSE;
}

static int primitive(walk *w, prim p, int x, int y) {
  bool dyadic = x != NONE;
  if (dyadic && p == P_LEFT) return x;
  if (dyadic && p == P_RIGHT) return y;
  if (!dyadic && is_identity(p) && w->v->sv->ml < 2) return y;
  if (dyadic && p == P_CIRCLE) {
    p = circular(w, x);
    if (p == P_COUNT) return NONE;
    x = NONE;
    dyadic = false;
  }
  p = prim_in_force(w->v, p, dyadic);
  return prim_is_scalar(p, dyadic) ? emit_prim(w, p, x, y) : NONE;
}

/* ── operators ── */

static int power(walk *w, part f, part n, int x, int y) {
  if (!n.v || n.v->cls != C_ARR || !is_number(n.v->a)) return NONE;
  if (!elt_is_int((elt)n.v->a->type)) return NONE;
  int64_t times = arr_get_int(n.v->a, 0);
  if (times < 0 || times > POWER_MAX) return NONE;
  while (times-- > 0 && y != NONE) y = apply(w, f, x, y);
  return y;
}

/* f∘g, a∘g, f∘a */
static int beside(walk *w, part l, part r, int x, int y) {
  if (class_of(&l) == C_FN && class_of(&r) == C_FN) {
    y = apply(w, r, NONE, y);
    return y == NONE ? NONE : apply(w, l, x, y);
  }
  if (x != NONE) return NONE;
  if (class_of(&l) == C_ARR) {
    x = scalar(w, l);
    return x == NONE ? NONE : apply(w, r, x, y);
  }
  x = scalar(w, r);
  return x == NONE ? NONE : apply(w, l, y, x);
}

static int over(walk *w, part l, part r, int x, int y) {
  y = apply(w, r, NONE, y);
  if (y == NONE || x == NONE) return y == NONE ? NONE : apply(w, l, NONE, y);
  x = apply(w, r, NONE, x);
  return x == NONE ? NONE : apply(w, l, x, y);
}

static int behind(walk *w, part l, part r, int x, int y) {
  if (class_of(&r) != C_FN) return NONE;
  if (class_of(&l) == C_ARR) x = scalar(w, l);
  else x = apply(w, l, NONE, x == NONE ? y : x);
  return x == NONE ? NONE : apply(w, r, x, y);
}

static int derived(walk *w, uint32_t code, part l, part r, int x, int y) {
  switch (code) {
  case OP_EACH: return apply(w, l, x, y);
  case OP_SELF:
    if (class_of(&l) == C_ARR) return scalar(w, l);
    return apply(w, l, y, x == NONE ? y : x);
  case OP_POWER: return power(w, l, r, x, y);
  case OP_JOT: return beside(w, l, r, x, y);
  case OP_OVER: return over(w, l, r, x, y);
  case OP_BEHIND: return behind(w, l, r, x, y);
  case OP_RANK:
    if (class_of(&r) != C_FN) return apply(w, l, x, y);
    y = apply(w, r, x, y);
    return y == NONE ? NONE : apply(w, l, NONE, y);
  default: return NONE;
  }
}

static int fork(walk *w, part l, part m, part r, int x, int y) {
  int right = apply(w, r, x, y), left = NONE;
  if (right == NONE) return NONE;
  if (class_of(&l) == C_ARR) left = scalar(w, l);
  else left = apply(w, l, x, y);
  return left == NONE ? NONE : apply(w, m, left, right);
}

/* ── names ── */

static frame *frame_of(walk *w, const env *e) {
  frame *f = w->top;
  while (f && f->e != e) f = f->caller;
  return f;
}

/* What the name is in the frames that enclose `at`: an instruction, or NONE, and then the
 * value outside. *known is false where that is not settled: a local name without a value. */
static int in_frames(walk *w, frame *at, const bnode *b, bool *known) {
  *known = true;
  for (env *e = at->e; e; e = e->outer) {
    uint32_t i;
    frame *f = frame_of(w, e);
    if (!f || !env_own_name(e, b->s, &i)) continue;
    *known = f->local[i] != NONE;
    return f->local[i];
  }
  return NONE;
}

static int name(walk *w, frame *at, const bnode *b) {
  bool known;
  int r = in_frames(w, at, b, &known);
  if (r != NONE || !known) return r;
  const value *x = env_find(at->e, b->s, b->slot);
  if (x->cls != C_ARR || x->a->rank) return NONE;
  if (!ir_host(w->v->g, x->a) || !is_number(x->a)) return NONE;
  return parameter(w, b->s, x->a);
}

/* ── nodes ── */

static int node(walk *w, frame *at, const bnode *b);

/* Sets a local name, to v, or by f modified. */
static bool set(walk *w, frame *at, const step *s, int v) {
  const bnode *t = s->x;
  if (t->kind != G_NAME || t->slot < 0) return false;
  int *local = &at->local[t->slot];
  if (s->kind == S_MODIFY) {
    if (*local == NONE) return false;
    v = apply(w, part_of_node(s->f, at), *local, v);
  }
  *local = v;
  if (v == NONE) return false;
  if (!at->e->slot[t->slot].cls) at->e->slot[t->slot] = value_arr(arr_retain(w->dummy));
  return true;
}

static int chain(walk *w, frame *at, const bnode *b) {
  int r = node(w, at, b->kid[0]);
  for (uint32_t i = 0; i < b->n && r != NONE; i++) {
    const step *s = &b->step[i];
    if (s->kind >= S_SET) {
      if (!set(w, at, s, r)) return NONE;
      continue;
    }
    int x = NONE;
    if (s->kind == S_DYADIC) {
      x = node(w, at, s->x);
      if (x == NONE) return NONE;
    }
    r = apply(w, part_of_node(s->f, at), x, r);
  }
  return r;
}

static int node(walk *w, frame *at, const bnode *b) {
  if (b->cls != C_ARR) return NONE;
  switch ((bkind)b->kind) {
  case B_CONST: return is_number(b->val.a) ? constant(w, b->val.a) : NONE;
  case B_NAME: return name(w, at, b);
  case B_ALPHA: return at->alpha;
  case B_OMEGA: return at->omega;
  case B_CHAIN: return chain(w, at, b);
  case B_LOP:
  case B_ROP: {
    if (!at->e->self) return NONE;
    const value *x = b->kind == B_LOP ? &at->e->self->l : &at->e->self->r;
    return x->cls == C_ARR ? bound_number(w, x->a) : NONE;
  }
  default: return NONE;
  }
}

static int scalar(walk *w, part a) {
  if (a.b) return node(w, a.at, a.b);
  return a.v->cls == C_ARR ? bound_number(w, a.v->a) : NONE;
}

/* ── dfns ── */

static int statements(walk *w, frame *at, uint32_t i);

static const bnode *bound_root(walk *w, frame *at, tnode *s) {
  const bound *k = bind(w->v, at->e, s);
  return k ? k->root : NULL;
}

static int guard(walk *w, frame *at, uint32_t i) {
  tnode *s = at->e->body->node->kid[i];
  if (!s->kid[1]) return NONE;
  const bnode *cond = bound_root(w, at, s->kid[0]);
  int c = cond ? node(w, at, cond) : NONE;
  if (c == NONE) return NONE;
  int before = w->under, other = emit_prim(w, P_NOT, NONE, c);
  const bnode *then = bound_root(w, at, s->kid[1]);
  w->under = both(w, before, c);
  int yes = then ? node(w, at, then) : NONE;
  w->under = both(w, before, other);
  int no = yes == NONE || other == NONE ? NONE : statements(w, at, i + 1);
  w->under = before;
  if (yes < 0 || no < 0) return NONE;
  return emit(w, (kexpr_ins){.op = KEXPR_SELECT,
                             .a = (uint16_t)c,
                             .b = (uint16_t)yes,
                             .c = (uint16_t)no});
}

/* The result of the statements from number i on. One that ends in an assignment is not shown,
 * and so is left to a call. */
static int statements(walk *w, frame *at, uint32_t i) {
  const tnode *t = at->e->body->node;
  for (; i < t->n; i++) {
    tnode *s = t->kid[i];
    if (s->kind == T_GUARD) return guard(w, at, i);
    if (s->kind != T_STMT) return NONE;
    const bound *k = bind(w->v, at->e, s);
    if (!k) return NONE;
    if (k->sets_default && at->alpha != NONE) continue;
    int r = node(w, at, k->root);
    if (r == NONE || !k->assigns) return r;
  }
  return NONE;
}

/* Are the variables of a dfn those in force? */
static bool same_vars(const sysvars *a, const sysvars *b) {
  return a->ct == b->ct && a->ml == b->ml && a->div == b->div;
}

static int dfn(walk *w, fn *f, int x, int y) {
  body *k = body_of(w->v, f->u, f->node);
  if (!k || k->n > LOCALS_MAX) return NONE;
  env *e = env_new(w->v, k, f, x == NONE ? NULL : w->dummy, w->dummy);
  if (!e) return NONE;
  frame at = {.caller = w->top, .e = e, .alpha = x, .omega = y};
  for (int i = 0; i < LOCALS_MAX; i++) at.local[i] = NONE;
  int r = NONE;
  w->top = &at;
  if (same_vars(e->sv, w->v->sv)) r = statements(w, &at, 0);
  w->top = at.caller;
  env_leave(e);
  env_release(e);
  return r;
}

/* ── functions ── */

static int apply_value(walk *w, fn *f, int x, int y) {
  switch ((fkind)f->kind) {
  case F_PRIM: return primitive(w, (prim)f->prim, x, y);
  case F_DFN:
  case F_DOPPED: return dfn(w, f, x, y);
  case F_DERIVED:
    return derived(w, f->code, part_of_value(&f->l), part_of_value(&f->r), x, y);
  case F_ATOP:
    y = apply(w, part_of_value(&f->r), x, y);
    return y == NONE ? NONE : apply(w, part_of_value(&f->l), NONE, y);
  case F_FORK:
    return fork(w, part_of_value(&f->l), part_of_value(&f->m), part_of_value(&f->r), x,
                y);
  default: return NONE;
  }
}

/* A dfn inside another one: its names from outside are the frame's. */
static int inner_dfn(walk *w, frame *at, const bnode *b, int x, int y) {
  OWNED_FN fn *f = fn_closure(w->v, at->e, at->e->body->u, b->tree);
  if (!f || b->cls != C_FN) return NONE;
  return dfn(w, f, x, y);
}

static int apply_node(walk *w, frame *at, const bnode *b, int x, int y) {
  bnode **kid = b->kid;
  switch ((bkind)b->kind) {
  case B_CONST: return apply_value(w, b->val.f, x, y);
  case B_NAME: {
    const value *f = env_find(at->e, b->s, b->slot);
    return f->cls == C_FN ? apply_value(w, f->f, x, y) : NONE;
  }
  case B_LOP:
  case B_ROP: {
    if (!at->e->self) return NONE;
    const value *f = b->kind == B_LOP ? &at->e->self->l : &at->e->self->r;
    return f->cls == C_FN ? apply_value(w, f->f, x, y) : NONE;
  }
  case B_DFN: return inner_dfn(w, at, b, x, y);
  case B_DERIVED: {
    if (kid[0]->kind != B_CONST || kid[0]->val.f->kind != F_OPER || kid[3]) return NONE;
    const fn *op = kid[0]->val.f;
    part r = part_of_value(&op->r);
    if (kid[2]) r = part_of_node(kid[2], at);
    return derived(w, op->code, part_of_node(kid[1], at), r, x, y);
  }
  case B_ATOP:
    y = apply(w, part_of_node(kid[1], at), x, y);
    return y == NONE ? NONE : apply(w, part_of_node(kid[0], at), NONE, y);
  case B_FORK:
    return fork(w, part_of_node(kid[0], at), part_of_node(kid[1], at),
                part_of_node(kid[2], at), x, y);
  default: return NONE;
  }
}

static bool is_first(const part *f) {
  const value *v = f->v;
  if (f->b && f->b->kind == B_CONST) v = &f->b->val;
  return v && v->cls == C_FN && (fn_is(v->f, P_PICK) || fn_is(v->f, P_TAKE));
}

static int apply(walk *w, part f, int x, int y) {
  int r = NONE;
  if (class_of(&f) != C_FN || y == NONE || err_is(w->v->c)) return NONE;
  if (x == STATES) return NONE;
  if (y == STATES) return x == NONE && is_first(&f) ? w->state : NONE;
  if (++w->depth <= DEPTH_MAX) {
    if (f.v) r = apply_value(w, f.v->f, x, y);
    else r = apply_node(w, f.at, f.b, x, y);
  }
  w->depth--;
  return r;
}

/* ── what others ask ── */

static bool begin(vm *v, walk *w, scalar_fn *r, arr *dummy) {
  *r = (scalar_fn){.e = {.n = 0}};
  *w = (walk){.v = v, .r = r, .dummy = dummy, .under = NONE};
  w->element = emit(w, (kexpr_ins){.op = KEXPR_LEFT});
  w->state = emit(w, (kexpr_ins){.op = KEXPR_RIGHT});
  return dummy != NULL;
}

static bool end(walk *w, int result) {
  if (result < 0 || err_is(w->v->c)) return false;
  w->r->e.result = (uint32_t)result;
  return true;
}

bool scalar_fn_of(vm *v, fn *f, scalar_fn *r) {
  OWNED arr *dummy = arr_int(v->c, 0);
  walk w;
  if (!begin(v, &w, r, dummy)) return false;
  value of = {.cls = C_FN, .f = f};
  return end(&w, apply(&w, part_of_value(&of), w.element, w.state));
}

/* What stands before the comma of x,⍵; NULL: it is none. */
static const bnode *before_states(const bnode *b) {
  while (b->kind == B_CHAIN && !b->n) b = b->kid[0];
  if (b->kind != B_CHAIN || b->n != 1 || b->kid[0]->kind != B_OMEGA) return NULL;
  const step *s = &b->step[0];
  bool comma = s->kind == S_DYADIC && s->f->kind == B_CONST && s->f->cls == C_FN &&
               fn_is(s->f->val.f, P_COMMA);
  return comma ? s->x : NULL;
}

bool scalar_fn_of_states(vm *v, fn *f, scalar_fn *r) {
  if (f->kind != F_DFN || f->node->n != 1 || f->node->kid[0]->kind != T_STMT)
    return false;
  OWNED arr *dummy = arr_int(v->c, 0);
  walk w;
  if (!begin(v, &w, r, dummy)) return false;
  env *e = env_new(v, body_of(v, f->u, f->node), f, dummy, dummy);
  if (!e) return false;
  frame at = {.e = e, .alpha = w.element, .omega = STATES};
  for (int i = 0; i < LOCALS_MAX; i++) at.local[i] = NONE;
  w.top = &at;
  const bnode *root = bound_root(&w, &at, f->node->kid[0]);
  const bnode *x =
      root && !e->body->n && same_vars(e->sv, v->sv) ? before_states(root) : NULL;
  int result = x ? node(&w, &at, x) : NONE;
  env_leave(e);
  env_release(e);
  return end(&w, result);
}
