/* SPDX-License-Identifier: MIT */
/* scalar_fn.c - see scalar_fn.h: the rules of a walk (fn_walk.h) whose values are numbers of
 * instructions.
 *
 * Names from outside must be numbers: they become parameters, so that another value needs no
 * other kernel. A guard is a choice between its result and what the statements behind it
 * give. What has a value that is not a number ends the attempt. */
#include "scalar_fn.h"
#include "../../array/element.h"
#include "../run/primitive.h"
#include "fn_walk.h"

/* No scalar but a vector of states, of which only the first may be asked for. */
enum { STATES = 0x7fff };

typedef struct scalar_walk {
  walk w; /* first: the rules are given it */
  scalar_fn *r;
  const sym *name[KEXPR_PARAMS];
  int element, state;
  int under; /* what must be 1 for what is computed to count, or NONE */
} scalar_walk;

static scalar_walk *of(walk *w) { return (scalar_walk *)w; }

/* ── instructions ── */

static int emit(walk *w, kexpr_ins in) { return kexpr_add(&of(w)->r->e, in); }

static int emit_prim(walk *w, prim p, int x, int y) {
  if (x == STATES || y == STATES) return NONE;
  kexpr_ins in = {.op = KEXPR_MONAD, .prim = (uint16_t)p, .a = (uint16_t)y};
  if (x != NONE) {
    in.op = KEXPR_DYAD;
    in.a = (uint16_t)x;
    in.b = (uint16_t)y;
  }
  if (of(w)->under != NONE) in.under = (uint16_t)(of(w)->under + 1);
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

static int constant(walk *w, arr *a) {
  if (!is_number(a)) return NONE;
  return emit(w, (kexpr_ins){.op = KEXPR_CONST, .type = a->type, .value = number_in(a)});
}

/* A number of the call. Those of a name are one. */
static int parameter(walk *w, const sym *name, const arr *a) {
  scalar_walk *s = of(w);
  uint32_t i = 0, n = s->r->e.n_param;
  while (i < n && !(name && s->name[i] == name)) i++;
  if (i == KEXPR_PARAMS || a->type == ET_F32) return NONE;
  if (i == n) {
    s->name[i] = name;
    s->r->param[i] = number_in(a);
    s->r->e.n_param++;
  }
  return emit(w, (kexpr_ins){.op = KEXPR_PARAM, .type = a->type, .a = (uint16_t)i});
}

/* A number that was bound to a function: small ones tell how it folds. */
static int bound_number(walk *w, arr *a) {
  if (!is_number(a)) return NONE;
  bool small =
      elt_is_int((elt)a->type) && arr_get_int(a, 0) >= -16 && arr_get_int(a, 0) <= 16;
  return small ? constant(w, a) : parameter(w, NULL, a);
}

static int outer(walk *w, const sym *name, arr *a) {
  if (!name) return bound_number(w, a);
  if (a->rank || !ir_host(w->v->g, a) || !is_number(a)) return NONE;
  return parameter(w, name, a);
}

/* ── primitives ── */

/* The function that code○y is; P_COUNT: none that a kernel has. */
static prim circular(walk *w, int x) {
  const kexpr_ins *n = &of(w)->r->e.ins[x];
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
  if (x == STATES) return NONE;
  if (y == STATES)
    return !dyadic && prim_in_force(w->v, p, false) == P_PICK ? of(w)->state : NONE;
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

static int derived(walk *w, const part_derived *f, int x, int y) {
  bool cells = f->code == OP_EACH || f->code == OP_RANK;
  return cells ? walk_apply(w, f->l, x, y) : NONE;
}

/* ── guards ── */

static int guard(walk *w, walk_frame *at, uint32_t i) {
  tnode *s = at->e->body->node->kid[i];
  const bnode *cond = walk_root(w, at, s->kid[0]);
  int c = cond ? walk_node(w, at, cond) : NONE;
  if (c == NONE) return NONE;
  int before = of(w)->under, other = emit_prim(w, P_NOT, NONE, c);
  const bnode *then = walk_root(w, at, s->kid[1]);
  of(w)->under = both(w, before, c);
  int yes = then ? walk_node(w, at, then) : NONE;
  of(w)->under = both(w, before, other);
  int no = yes == NONE || other == NONE ? NONE : walk_statements(w, at, i + 1);
  of(w)->under = before;
  if (yes < 0 || no < 0 || yes == STATES || no == STATES) return NONE;
  return emit(w, (kexpr_ins){.op = KEXPR_SELECT,
                             .a = (uint16_t)c,
                             .b = (uint16_t)yes,
                             .c = (uint16_t)no});
}

/* ── what others ask ── */

static const walk_rules rules = {.constant = constant,
                                 .outer = outer,
                                 .primitive = primitive,
                                 .derived = derived,
                                 .guard = guard};

static bool begin(vm *v, scalar_walk *s, scalar_fn *r, arr *dummy) {
  *r = (scalar_fn){.e = {.n = 0}};
  *s = (scalar_walk){.w = {.v = v, .rules = &rules, .dummy = dummy}, .r = r};
  s->under = NONE;
  s->element = emit(&s->w, (kexpr_ins){.op = KEXPR_LEFT});
  s->state = emit(&s->w, (kexpr_ins){.op = KEXPR_RIGHT});
  return dummy != NULL;
}

static bool end(scalar_walk *s, int result) {
  if (result < 0 || result == STATES || err_is(s->w.v->c)) return false;
  s->r->e.result = (uint32_t)result;
  return true;
}

bool scalar_fn_of(vm *v, fn *f, scalar_fn *r) {
  OWNED arr *dummy = arr_int(v->c, 0);
  scalar_walk s;
  if (!begin(v, &s, r, dummy)) return false;
  value g = {.cls = C_FN, .f = f};
  return end(&s, walk_apply(&s.w, part_of_value(&g), s.element, s.state));
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
  scalar_walk s;
  walk_frame at;
  if (!begin(v, &s, r, dummy) || !walk_enter(&s.w, &at, f, s.element, STATES))
    return false;
  const bnode *root = walk_root(&s.w, &at, f->node->kid[0]);
  const bnode *x = root && !at.e->body->n ? before_states(root) : NULL;
  int result = x ? walk_node(&s.w, &at, x) : NONE;
  walk_leave(&s.w, &at);
  return end(&s, result);
}
