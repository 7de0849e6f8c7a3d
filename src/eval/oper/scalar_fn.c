/* SPDX-License-Identifier: MIT */
/* scalar_fn.c - see scalar_fn.h: the rules of a walk (fn_walk.h) whose values are numbers of
 * instructions.
 *
 * Names from outside must be numbers: they become parameters, so that another value needs no
 * other kernel. A guard is a choice between its result and what the statements behind it
 * give. A dfn that ends in calls of itself is a loop (scalar_loop.c). A few numbers side by side
 * may be an argument; what else has a value that is not a number ends the attempt. */
#include "scalar_fn.h"
#include "../../array/element.h"
#include "../run/primitive.h"
#include "../../tables/fast.h"
#include "scalar_walk.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ── instructions ── */

int scalar_emit(walk *w, kexpr_ins in) { return kexpr_add(&scalar_of(w)->r->e, in); }

static int emit_prim(walk *w, prim p, int x, int y) {
  if (x >= COMPLEX || y >= COMPLEX) return NONE;
  kexpr_ins in = {.op = KEXPR_MONAD, .prim = (uint16_t)p, .a = (uint16_t)y};
  if (x != NONE) {
    in.op = KEXPR_DYAD;
    in.a = (uint16_t)x;
    in.b = (uint16_t)y;
  }
  if (scalar_of(w)->under != NONE) in.under = (uint16_t)(scalar_of(w)->under + 1);
  return scalar_emit(w, in);
}

int scalar_integer(walk *w, int64_t n) {
  uint8_t t = ET_I64;
  if (n == 0 || n == 1) t = ET_BIT;
  return scalar_emit(w, (kexpr_ins){.op = KEXPR_CONST, .type = t, .value.i = n});
}

int scalar_prim(walk *w, prim p, int x, int y) { return w->rules->primitive(w, p, x, y); }

int scalar_not(walk *w, int x) { return emit_prim(w, P_NOT, NONE, x); }

int scalar_truth(walk *w, int x) {
  if (x < 0 || x >= COMPLEX) return NONE;
  kexpr_ins in = {.op = KEXPR_TRUTH, .a = (uint16_t)x};
  if (scalar_of(w)->under != NONE) in.under = (uint16_t)(scalar_of(w)->under + 1);
  return scalar_emit(w, in);
}

int scalar_both(walk *w, int a, int b) {
  if (a == NONE || b == NONE) return b == NONE ? a : b;
  return scalar_emit(
      w,
      (kexpr_ins){.op = KEXPR_DYAD, .prim = P_AND, .a = (uint16_t)a, .b = (uint16_t)b});
}

int scalar_choose(walk *w, int c, int yes, int no) {
  if (yes < 0 || no < 0 || yes >= STRAND || no >= STRAND) return NONE;
  if (is_complex(yes) || is_complex(no)) {
    scalar_pair a = scalar_parts(w, yes), b = scalar_parts(w, no);
    int re = scalar_choose(w, c, a.re, b.re);
    return scalar_pair_of(w, re, scalar_choose(w, c, a.im, b.im));
  }
  return scalar_emit(w, (kexpr_ins){.op = KEXPR_SELECT,
                                    .a = (uint16_t)c,
                                    .b = (uint16_t)yes,
                                    .c = (uint16_t)no});
}

/* ── a few numbers side by side ── */

/* Items of one class already. */
int scalar_vector(walk *w, int n, const int *item) {
  scalar_walk *s = scalar_of(w);
  if (n == 1) return item[0];
  if (n < 1 || n > KIR_MAX_CARRIED || s->n_strand == SCALAR_STRANDS) return NONE;
  strand *t = &s->strand[s->n_strand];
  t->n = n;
  memcpy(t->item, item, (size_t)n * sizeof *item);
  return STRAND + s->n_strand++;
}

static int joined(walk *w, int a, int b) {
  if (is_complex(a)) a = scalar_parts(w, a).re;
  if (is_complex(b)) b = scalar_parts(w, b).re;
  if (a < 0 || b < 0 || a == b) return a;
  return scalar_emit(w,
                     (kexpr_ins){.op = KEXPR_JOIN, .a = (uint16_t)a, .b = (uint16_t)b});
}

/* The numbers as a vector, whose numbers are of one class. */
static int vector_of(walk *w, int n, const int *item) {
  int to[KIR_MAX_CARRIED], all = item[0];
  if (n > KIR_MAX_CARRIED) return NONE;
  for (int i = 1; i < n; i++) all = joined(w, all, item[i]);
  for (int i = 0; i < n; i++) {
    to[i] = item[i];
    if (n > 1 && !is_complex(item[i])) to[i] = joined(w, item[i], all);
    if (to[i] == NONE) return NONE;
  }
  return scalar_vector(w, n, to);
}

int scalar_items(walk *w, int x, int *item) {
  if (x == STATES) return 0;
  if (x < STRAND) {
    item[0] = x;
    return x != NONE;
  }
  const strand *t = &scalar_of(w)->strand[x - STRAND];
  memcpy(item, t->item, (size_t)t->n * sizeof *item);
  return t->n;
}

static int item_of(walk *w, int x, uint32_t i, uint32_t n) {
  int item[KIR_MAX_CARRIED];
  return scalar_items(w, x, item) == (int)n && n > 1 ? item[i] : NONE;
}

static int catenated(walk *w, int x, int y) {
  int item[2 * KIR_MAX_CARRIED], n = scalar_items(w, x, item);
  int m = scalar_items(w, y, item + n);
  return n && m ? vector_of(w, n + m, item) : NONE;
}

/* A strand's items, and those of strands among them are none. */
static int node(walk *w, walk_frame *at, const bnode *b) {
  int item[KIR_MAX_CARRIED], n = (int)b->n;
  if ((b->kind != B_STRAND && b->kind != B_VECTOR) || n > KIR_MAX_CARRIED) return NONE;
  for (int i = 0; i < n; i++) {
    item[i] = walk_node(w, at, b->kid[i]);
    if (item[i] < 0 || item[i] >= STRAND) return NONE;
  }
  return vector_of(w, n, item);
}

/* ── numbers ── */

static bool is_number(const arr *a) { return !a->rank && a->host && a->type <= ET_F64; }

static kimm number_in(const arr *a, int64_t i) {
  if (elt_is_float((elt)a->type)) return (kimm){.f = arr_get_float(a, i)};
  return (kimm){.i = arr_get_int(a, i)};
}

/* A number, or a few. */
static int constant(walk *w, arr *a) {
  int item[KIR_MAX_CARRIED];
  if (!a->rank && a->host && a->type == ET_C128) {
    const double *z = a->host;
    for (int i = 0; i < 2; i++)
      item[i] =
          scalar_emit(w, (kexpr_ins){.op = KEXPR_CONST, .type = ET_F64, .value.f = z[i]});
    return scalar_pair_of(w, item[0], item[1]);
  }
  if (a->rank > 1 || !a->host || a->type > ET_F64 || a->count > KIR_MAX_CARRIED)
    return NONE;
  for (int i = 0; i < a->count; i++)
    item[i] = scalar_emit(
        w, (kexpr_ins){.op = KEXPR_CONST, .type = a->type, .value = number_in(a, i)});
  return a->rank && a->count == 1 ? NONE : scalar_vector(w, (int)a->count, item);
}

/* A number of the call. Those of a name are one. */
static int parameter(walk *w, const sym *name, const arr *a) {
  scalar_walk *s = scalar_of(w);
  uint32_t i = 0, n = s->r->e.n_param;
  while (i < n && !(name && s->name[i] == name)) i++;
  if (i == KEXPR_PARAMS || a->type == ET_F32) return NONE;
  if (i == n) {
    s->name[i] = name;
    s->r->param[i] = number_in(a, 0);
    s->r->e.n_param++;
  }
  return scalar_emit(w,
                     (kexpr_ins){.op = KEXPR_PARAM, .type = a->type, .a = (uint16_t)i});
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
  const kexpr_ins *n = &scalar_of(w)->r->e.ins[x];
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
    return !dyadic && prim_in_force(w->v, p, false) == P_PICK ? scalar_of(w)->state
                                                              : NONE;
  if (dyadic && p == P_LEFT) return x;
  if (dyadic && p == P_RIGHT) return y;
  if (dyadic && p == P_COMMA) return catenated(w, x, y);
  if (x >= STRAND || y >= STRAND) return NONE;
  if (is_complex(x) || is_complex(y)) return scalar_complex(w, p, x, y);
  if (dyadic && p == P_MATCH) p = P_EQ;
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
  if (cells && (x >= STRAND || y >= STRAND)) return NONE; /* each item is called for */
  if (f->code == OP_EACH) return walk_apply(w, f->l, x, y);
  if (f->code == OP_RANK) { /* without ranks it is an error, of scalars, too */
    const arr *k = part_array(&f->r);
    bool are = k && k->rank <= 1 && k->count >= 1 && k->count <= 3;
    return are && elt_is_int((elt)k->type) ? walk_apply(w, f->l, x, y) : NONE;
  }
#define FAST_POWER(way)                                                                  \
  if (f->code == OP_POWER && y < STRAND) return way(w, f, x, y);
#include "../../tables/fast.def"
  return NONE;
}

/* ── guards ── */

static int guard(walk *w, walk_frame *at, uint32_t i) {
  tnode *s = at->e->body->node->kid[i];
  const bnode *cond = walk_root(w, at, s->kid[0]);
  int c = cond ? scalar_truth(w, walk_node(w, at, cond)) : NONE;
  if (c == NONE) return NONE;
  int before = scalar_of(w)->under, other = scalar_not(w, c);
  scalar_of(w)->under = scalar_both(w, before, c);
  int yes = walk_shown(w, at, s->kid[1]);
  scalar_of(w)->under = scalar_both(w, before, other);
  int no = yes == NONE || other == NONE ? NONE : walk_statements(w, at, i + 1);
  scalar_of(w)->under = before;
  return scalar_choose(w, c, yes, no);
}

bool scalar_calls_itself(const tnode *t) {
  switch ((tkind)t->kind) {
  case T_DEL: return true;
  case T_PAREN:
  case T_BRACKET:
  case T_DFN:
  case T_VECTOR:
  case T_STMT:
  case T_GUARD:
    for (uint32_t i = 0; i < t->n; i++) {
      const tnode *kid = t->kid[i];
      if (kid && kid->kind != T_DFN && scalar_calls_itself(kid)) return true;
    }
    return false;
  default: return false;
  }
}

static int call_of_dfn(walk *w, fn *f, int x, int y) {
  if (!scalar_calls_itself(f->node)) return walk_call(w, f, x, y);
#define FAST_RECURSION(way) return way(w, f, x, y);
#include "../../tables/fast.def"
  return NONE;
}

static bool control(walk *w, walk_frame *at, uint32_t *i, uint32_t end) {
#define FAST_CONTROL(way) return way(w, at, i, end);
#include "../../tables/fast.def"
  return false;
}

/* ── what others ask ── */

static const walk_rules rules = {.constant = constant,
                                 .outer = outer,
                                 .primitive = primitive,
                                 .derived = derived,
                                 .node = node,
                                 .guard = guard,
                                 .item = item_of,
                                 .call = call_of_dfn,
                                 .control = control};

static bool begin(vm *v, scalar_walk *s, scalar_fn *r, arr *dummy) {
  *r = (scalar_fn){.e = {.n = 0}};
  *s = (scalar_walk){.w = {.v = v, .rules = &rules, .dummy = dummy}, .r = r};
  s->under = NONE;
  s->element = scalar_emit(&s->w, (kexpr_ins){.op = KEXPR_LEFT});
  s->state = scalar_emit(&s->w, (kexpr_ins){.op = KEXPR_RIGHT});
  return dummy != NULL;
}

static bool end(scalar_walk *s, int result) {
  if (result < 0 || result >= COMPLEX || err_is(s->w.v->c)) return false;
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

bool scalar_map_of(vm *v, fn *f, scalar_args args, scalar_fn *r) {
  OWNED arr *dummy = arr_int(v->c, 0);
  scalar_walk s;
  if (!begin(v, &s, r, dummy)) return false;
  value g = {.cls = C_FN, .f = f};
  int x = args == SCALAR_DYADIC ? s.element : NONE, y = s.state;
  if (args == SCALAR_COMPLEX) y = scalar_pair_of(&s.w, s.element, s.state);
  return end(&s, walk_apply(&s.w, part_of_value(&g), x, y));
}

bool scalar_fn_fits(const scalar_fn *s, const arr *a) {
  if (!a || a->type != ET_F32) return true;
  for (uint32_t i = 0; i < s->e.n; i++) {
    const kexpr_ins *n = &s->e.ins[i];
    if (n->op != KEXPR_PARAM || n->type != ET_F64) continue;
    if (fabs(s->param[n->a].f) > (double)FLT_MAX) return false;
  }
  return true;
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
