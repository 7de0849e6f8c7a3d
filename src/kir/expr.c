/* SPDX-License-Identifier: MIT */
/* expr.c - see expr.h.
 *
 * The type of the state is a fixpoint: it begins as the elements' and widens (truth values,
 * integers, floats) until the function's result for such a state is no wider. The range of
 * integers likewise, a few times, then it counts as unbounded and sums are checked. */
#include "expr.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ── building ── */

static int expr_find(const kexpr *e, const kexpr_ins *in) {
  for (uint32_t i = 0; i < e->n; i++)
    if (!memcmp(&e->ins[i], in, sizeof *in)) return (int)i;
  return -1;
}

/* An instruction that counts always serves where one counts under a condition. */
int kexpr_add(kexpr *e, kexpr_ins in) {
  bool alone = in.op >= KEXPR_CARRY && in.op <= KEXPR_NEXT;
  for (uint8_t scope = e->scope; !alone; scope = e->around[scope]) {
    kexpr_ins always = in;
    in.scope = always.scope = scope;
    always.under = 0;
    int i = expr_find(e, &in);
    if (i < 0) i = expr_find(e, &always);
    if (i >= 0) return i;
    if (!scope) break;
  }
  if (e->n == KEXPR_MAX) return -1;
  in.scope = e->scope;
  e->ins[e->n] = in;
  return (int)e->n++;
}

bool kexpr_enter(kexpr *e) {
  if (e->n_scope + 1 == KEXPR_SCOPES) return false;
  e->around[++e->n_scope] = e->scope;
  e->scope = e->n_scope;
  return true;
}

void kexpr_leave(kexpr *e) { e->scope = e->around[e->scope]; }

static bool commutes(prim p) {
  switch (p) {
  case P_PLUS:
  case P_TIMES:
  case P_CEIL:
  case P_FLOOR:
  case P_AND:
  case P_OR:
  case P_NAND:
  case P_NOR:
  case P_EQ:
  case P_NE: return true;
  default: return false;
  }
}

bool kexpr_is_prim(const kexpr *e, prim *p) {
  const kexpr_ins *r = &e->ins[e->result];
  if (r->op != KEXPR_DYAD) return false;
  uint8_t a = e->ins[r->a].op, b = e->ins[r->b].op;
  *p = (prim)r->prim;
  if (a == KEXPR_LEFT && b == KEXPR_RIGHT) return true;
  return a == KEXPR_RIGHT && b == KEXPR_LEFT && commutes(*p);
}

/* ── one lowering, for a given type of the state ── */

typedef struct value {
  kv v;
  range r;
  bool mixed; /* of some elements the class is a lesser one */
} value;
/* The kernel or, further on, loops in it, whose instructions are being made. */
typedef struct level {
  kir *k;
  kloop *loop;
  uint16_t scope;
  uint32_t first; /* its first CARRY */
  kv next[KIR_MAX_CARRIED];
} level;
typedef struct lowering {
  ctx *c;
  const kexpr *e;
  kir *k; /* of the innermost level */
  level level[KEXPR_SCOPES];
  uint32_t depth;
  bool map;
  bool again;               /* a carried value's type or class has widened */
  uint8_t carry[KEXPR_MAX]; /* by CARRY: kty, so far */
  bool carry_mixed[KEXPR_MAX];
  kv loop_at[KEXPR_MAX]; /* by a loop's first CARRY */
  kty right;
  range of_right;
  kty element, state;
  range of_element, of_state;
  bool wide, leaves_reals, rounds, mixed;
  unsigned faults;
  const char *why;
  value at[KEXPR_MAX];
} lowering;

static value known(kv v, range r) { return (value){v, r, false}; }

static value expr_refuse(lowering *l, const char *why) {
  if (!l->why) l->why = why;
  return known(0, range_i64());
}

static kv expr_add(lowering *l, kop op, kty ty, kv a, kv b, int64_t imm) {
  return kir_add(
      l->c, l->k,
      (kins){.op = (uint8_t)op, .ty = (uint8_t)ty, .a = a, .b = b, .imm.i = imm});
}

static kty type_at(const lowering *l, kv v) {
  return v < l->k->n_ins ? (kty)l->k->ins[v].ty : KB;
}

static cls class_at(const lowering *l, kv v) {
  kty t = type_at(l, v);
  if (t == KB) return CLS_B;
  return kty_is_float(t) ? CLS_F : CLS_I;
}

static kv expr_convert(lowering *l, kv v, kty to) {
  kty from = type_at(l, v);
  if (from == to || err_is(l->c)) return v;
  const kins *n = &l->k->ins[v];
  /* An element that was converted to its own type from the state's, and is wanted there. */
  if (n->op == KOP_CVT && l->k->ins[n->a].op == KOP_ARG && type_at(l, n->a) == to)
    return n->a;
  if (to == KF32 && n->op == KOP_CONST && from == KF64 &&
      fabs(n->imm.f) > (double)FLT_MAX)
    expr_refuse(l, "a number is beyond f32");
  return expr_add(l, KOP_CVT, to, v, 0, 0);
}

static kty type_of_elt(elt t) {
  if (t == ET_BIT) return KB;
  if (t == ET_F32) return KF32;
  return t == ET_F64 ? KF64 : KI64;
}

static range range_of_elt(elt t) {
  switch (t) {
  case ET_BIT: return (range){0, 1};
  case ET_I8: return (range){INT8_MIN, INT8_MAX};
  case ET_I16: return (range){INT16_MIN, INT16_MAX};
  case ET_I32: return (range){INT32_MIN, INT32_MAX};
  default: return range_i64();
  }
}

static value literal(lowering *l, const kexpr_ins *n) {
  kty ty = type_of_elt((elt)n->type);
  kv v = kir_add(l->c, l->k, (kins){.op = KOP_CONST, .ty = (uint8_t)ty, .imm = n->value});
  if (kty_is_float(ty)) return known(v, range_i64());
  return known(v, (range){n->value.i, n->value.i});
}

/* What instruction i of the expression is at that level, which is in its scope. */
static kv value_at(lowering *l, uint32_t i, uint32_t depth) {
  if (l->level[depth].scope == l->e->ins[i].scope || !depth) return l->at[i].v;
  kv around = value_at(l, i, depth - 1);
  if (err_is(l->c)) return 0;
  return kir_import(l->c, l->level[depth - 1].k, l->level[depth].loop, around);
}

static value operand(lowering *l, uint32_t i) {
  value r = l->at[i];
  r.v = value_at(l, i, l->depth);
  return r;
}

static value argument(lowering *l, bool left) {
  if (l->map && left)
    return known(expr_add(l, KOP_ARG, l->element, 0, 0, 0), l->of_element);
  if (l->map) return known(expr_add(l, KOP_ARG, l->right, 0, 0, 1), l->of_right);
  kv v = expr_add(l, KOP_ARG, l->state, 0, 0, left ? 0 : 1);
  if (!left) return known(v, l->of_state);
  return known(expr_convert(l, v, l->element), l->of_element);
}

/* x where the condition holds, 1 where it does not: 1 is in every function's domain. */
static kv masked(lowering *l, const kexpr_ins *n, kv x) {
  if (!n->under || !(l->faults & (PRIM_ERRS | PRIM_ESCAPES))) return x;
  kty ty = type_at(l, x);
  kimm one = {.i = 1};
  if (kty_is_float(ty)) one.f = 1;
  kv u = kir_add(l->c, l->k, (kins){.op = KOP_CONST, .ty = (uint8_t)ty, .imm = one});
  kins sel = {.op = KOP_SEL, .ty = (uint8_t)ty, .a = operand(l, n->under - 1u).v};
  sel.b = x;
  sel.c = u;
  return kir_add(l->c, l->k, sel);
}

/* x*2 and x*0.5, as ir/fuse.c has them: 2, 0.5, or 0 for any other exponent. */
static double short_exponent(const lowering *l, const kexpr_ins *n) {
  if (n->op != KEXPR_DYAD || n->prim != P_POWER) return 0;
  const kexpr_ins *y = &l->e->ins[n->b];
  if (y->op != KEXPR_CONST) return 0;
  double e = y->type == ET_F64 ? y->value.f : (double)y->value.i;
  return e == 2 || e == 0.5 ? e : 0;
}

static kv square_root(lowering *l, const kexpr_ins *n, kv x) {
  kty ty = type_at(l, x);
  l->faults |= PRIM_ESCAPES;
  l->leaves_reals = true;
  x = masked(l, n, x);
  kv zero = expr_add(l, KOP_CONST, ty, 0, 0, 0);
  expr_add(l, KOP_ESC, KB, expr_add(l, KOP_LT, KB, x, zero, 0), 0, 0);
  return expr_add(l, KOP_SQRT, ty, x, 0, 0);
}

/* The parameter behind those of the call. */
static kv tolerance(lowering *l, const prim_body *b, kty ty) {
  if (ty != KF64 || !(prim_faults(b) & PRIM_TOLERANT)) return 0;
  return expr_add(l, KOP_PARAM, KF64, 0, 0, l->e->n_param);
}

/* Is the result of another class for arguments of lesser ones? */
static bool by_class(const prim_body *b) {
  for (cls c = CLS_B; c < b->row; c++) {
    cls row = prim_row_of(b->p, b->dyadic, c);
    if (prim_result(b->p, b->dyadic, row) != prim_result(b->p, b->dyadic, b->row))
      return true;
  }
  return false;
}

/* Lowers one row of a primitive, of one argument or two. */
static value body(lowering *l, const kexpr_ins *n, prim_body *b, value x, value y) {
  kty ty = KB;
  range r = {0, 1};
  cls result = prim_result(b->p, b->dyadic, b->row);
  if (b->row == CLS_I) {
    ty = KI64;
    if (result == CLS_I) r = range_of_result(b->p, b->dyadic, x.r, y.r);
    if (b->float_variant) r = range_unknown();
    b->no_overflow = range_in64(r);
  } else if (b->row == CLS_F) {
    bool single = type_at(l, x.v) == KF32 || type_at(l, y.v) == KF32;
    ty = single ? KF32 : KF64;
    if (result != CLS_B) r = range_of_result(b->p, b->dyadic, range_i64(), range_i64());
    bool rounds = result == CLS_I && prim_has_float_variant(b->p, b->dyadic, CLS_F);
    b->float_variant = l->wide && rounds;
    l->rounds |= rounds;
  }
  if (!range_in64(r)) r = range_i64();
  unsigned before = l->faults;
  l->faults = prim_faults(b);
  bool masks = b->row != CLS_F ||
               l->faults & PRIM_LOOPS; /* else faults are asked whether they count */
  x.v = b->dyadic ? expr_convert(l, x.v, ty) : 0;
  y.v = expr_convert(l, y.v, ty);
  if (masks && b->dyadic) x.v = masked(l, n, x.v);
  if (masks) y.v = masked(l, n, y.v);
  bool real = b->row == CLS_F && prim_result(b->p, b->dyadic, b->row) == CLS_F;
  if (real && l->faults & PRIM_ESCAPES) l->leaves_reals = true;
  l->faults |= before;
  prim_values v = {x.v, y.v, .ct = tolerance(l, b, ty)};
  if (!masks && n->under) v.under = operand(l, n->under - 1u).v + 1;
  bool mixed = (x.mixed || y.mixed) && by_class(b);
  return (value){prim_lower(l->c, l->k, b, &v), r, mixed};
}

static value primitive(lowering *l, const kexpr_ins *n) {
  bool dyadic = n->op == KEXPR_DYAD;
  value x = operand(l, n->a), y = x;
  if (dyadic) y = operand(l, n->b);
  cls need = class_at(l, x.v) > class_at(l, y.v) ? class_at(l, x.v) : class_at(l, y.v);
  if (l->wide && need == CLS_I) need = CLS_F;
  prim_body b = {.p = (prim)n->prim, .dyadic = dyadic};
  b.row = prim_row_of(b.p, dyadic, need);
  bool doubles = range_is_f64(x.r) && range_is_f64(y.r);
  if (need <= CLS_I && b.row == CLS_F && !doubles &&
      prim_has_float_variant(b.p, dyadic, CLS_I)) {
    b.row = CLS_I; /* a quotient of integers that are no doubles */
    b.float_variant = true;
  }
  double e = short_exponent(l, n);
  if (e == 2 && b.row >= CLS_I) {
    b = (prim_body){.p = P_TIMES, .dyadic = true, .row = need > CLS_I ? CLS_F : CLS_I};
    return body(l, n, &b, x, x);
  }
  if (e == 0.5 && b.row == CLS_F) {
    kty ty = type_at(l, x.v) == KF32 ? KF32 : KF64;
    return known(square_root(l, n, expr_convert(l, x.v, ty)), range_i64());
  }
  if (b.row == CLS_NONE) return expr_refuse(l, "one of its primitives has no kernel");
  return body(l, n, &b, x, y);
}

/* A map's value that becomes a `to`, beside what is one. What is large in magnitude escapes: as a
 * float it would be equal to others. `chosen`: that truth value says whether it counts (it is 0 if
 * `other`). */
static kv join_class(lowering *l, value x, kty to, int chosen, bool other) {
  static const range small = {INT32_MIN, INT32_MAX};
  kty from = type_at(l, x.v);
  if (!l->map || !kty_is_int(from) || !kty_is_float(to)) return expr_convert(l, x.v, to);
  if (x.r.lo < small.lo || x.r.hi > small.hi) {
    kv low = expr_add(l, KOP_CVT, KI64, expr_add(l, KOP_CVT, KI32, x.v, 0, 0), 0, 0);
    kv large = expr_add(l, KOP_NE, KB, low, expr_convert(l, x.v, KI64), 0);
    if (chosen >= 0) {
      kv is = operand(l, (uint32_t)chosen).v;
      if (other) is = expr_add(l, KOP_NOT, KB, is, 0, 0);
      large = expr_add(l, KOP_AND, KB, large, is, 0);
    }
    expr_add(l, KOP_ESC, KB, large, 0, 0);
    l->faults |= PRIM_ESCAPES;
  }
  return expr_convert(l, x.v, to);
}

static value select(lowering *l, const kexpr_ins *n) {
  value c = operand(l, n->a), x = operand(l, n->b), y = operand(l, n->c);
  if (type_at(l, c.v) != KB)
    return expr_refuse(l, "a guard is no truth value by its type");
  kty tx = type_at(l, x.v), ty = type_at(l, y.v);
  kty to = tx > ty ? tx : ty;
  if (kty_is_float(tx) && kty_is_float(ty) && tx != ty)
    return expr_refuse(l, "its results are of two float types");
  kins sel = {.op = KOP_SEL, .ty = (uint8_t)to, .a = c.v};
  sel.b = join_class(l, x, to, n->a, false);
  sel.c = join_class(l, y, to, n->a, true);
  range r = {range_least(x.r.lo, y.r.lo), range_most(x.r.hi, y.r.hi)};
  return (value){kir_add(l->c, l->k, sel), r, x.mixed || y.mixed || tx != ty};
}

static value expr_joined(lowering *l, const kexpr_ins *n) {
  value x = operand(l, n->a), y = operand(l, n->b);
  kty tx = type_at(l, x.v), ty = type_at(l, y.v), to = tx > ty ? tx : ty;
  if (kty_is_float(tx) && kty_is_float(ty) && tx != ty)
    return expr_refuse(l, "its values are of two float types");
  bool sure = (tx == to && !x.mixed) || (ty == to && !y.mixed);
  return (value){join_class(l, x, to, -1, false), x.r, !sure};
}

static value hypotenuse(lowering *l, const kexpr_ins *n) {
  kv x = expr_convert(l, operand(l, n->a).v, KF64),
     y = expr_convert(l, operand(l, n->b).v, KF64);
  kv r = kir_hypot(l->c, l->k, x, y);
  kins fin = {.op = KOP_FIN, .ty = KF64, .a = r, .b = x, .c = y};
  l->faults |= PRIM_ERRS;
  return known(kir_add(l->c, l->k, fin), range_i64());
}

/* The condition of a guard, as a truth value. */
static value truth(lowering *l, const kexpr_ins *n) {
  value x = operand(l, n->a);
  kty ty = type_at(l, x.v);
  if (ty == KB) return x;
  if (!l->map) return expr_refuse(l, "a guard is no truth value by its type");
  l->faults |= PRIM_ERRS;
  kimm one = {.i = 1};
  if (kty_is_float(ty)) one.f = 1;
  kv v = masked(l, n, x.v), zero = expr_add(l, KOP_CONST, ty, 0, 0, 0);
  kv u = kir_add(l->c, l->k, (kins){.op = KOP_CONST, .ty = (uint8_t)ty, .imm = one});
  kv is = expr_add(l, KOP_EQ, KB, v, u, 0), none = expr_add(l, KOP_EQ, KB, v, zero, 0);
  kv neither = expr_add(l, KOP_NOT, KB, expr_add(l, KOP_OR, KB, is, none, 0), 0, 0);
  expr_add(l, KOP_ERR, KB, neither, 0, 0);
  return known(is, (range){0, 1});
}

/* ── loops ── */

static kty wider(kty a, kty b) { return a > b ? a : b; }

/* The CARRYs from number i on begin a loop. */
static value begin_loop(lowering *l, uint32_t i) {
  const kexpr_ins *n = &l->e->ins[i];
  kv from[KIR_MAX_CARRIED];
  uint32_t count = 0, faults = l->faults;
  for (; n[count].op == KEXPR_CARRY && n[count].scope == n->scope; count++) {
    value x = operand(l, n[count].a);
    kty was = (kty)l->carry[i + count], ty = wider(was, type_at(l, x.v));
    l->carry[i + count] = (uint8_t)ty;
    l->carry_mixed[i + count] |= x.mixed || type_at(l, x.v) != ty;
    from[count] = join_class(l, x, ty, -1, false);
  }
  l->faults |= faults;
  kloop *loop = kir_loop_begin(l->c, l->k, from, count, 0);
  if (!loop) return (value){0};
  l->level[++l->depth] =
      (level){.k = loop->body, .loop = loop, .scope = n->scope, .first = i};
  l->k = loop->body;
  for (uint32_t j = 0; j < count; j++) {
    bool truth = l->carry[i + j] == KB;
    l->at[i + j] =
        (value){(kv)j, truth ? (range){0, 1} : range_i64(), l->carry_mixed[i + j]};
  }
  return l->at[i];
}

static value test_loop(lowering *l, const kexpr_ins *n) {
  kv again = operand(l, n->a).v;
  if (type_at(l, again) != KB)
    return expr_refuse(l, "a guard is no truth value by its type");
  kir_loop_test(l->level[l->depth].loop, again);
  return (value){0};
}

/* The last NEXT ends its loop. */
static value next(lowering *l, const kexpr_ins *n) {
  level *at = &l->level[l->depth];
  uint32_t j = n->b - at->first;
  value x = operand(l, n->a);
  kty ty = type_at(l, x.v), was = (kty)l->carry[n->b];
  bool mixed = x.mixed || ty != was;
  if (kty_is_float(ty) && kty_is_float(was) && ty != was)
    return expr_refuse(l, "its values are of two float types");
  l->again |= ty > was || (mixed && !l->carry_mixed[n->b]);
  l->carry[n->b] = (uint8_t)wider(was, ty);
  l->carry_mixed[n->b] |= mixed;
  at->next[j] = ty > was ? 0 : join_class(l, x, was, -1, false);
  if (j + 1 < at->loop->n) return x;
  if (l->again) return expr_refuse(l, ""); /* all of it anew, with wider types */
  l->k = l->level[--l->depth].k;
  l->loop_at[at->first] = kir_loop_end(l->c, l->k, at->loop, at->next);
  return x;
}

static value after(lowering *l, const kexpr_ins *n) {
  const kexpr_ins *carry = &l->e->ins[n->a];
  kv loop = l->loop_at[n->a - carry->b];
  bool truth = l->carry[n->a] == KB;
  return (value){kir_loop_part(l->c, l->k, loop, carry->b),
                 truth ? (range){0, 1} : range_i64(), l->carry_mixed[n->a]};
}

static value instruction(lowering *l, const kexpr_ins *n) {
  switch ((kexpr_op)n->op) {
  case KEXPR_JOIN: return expr_joined(l, n);
  case KEXPR_HYPOT: return hypotenuse(l, n);
  case KEXPR_TRUTH: return truth(l, n);
  case KEXPR_CARRY:
    return n->b ? l->at[n - l->e->ins] : begin_loop(l, (uint32_t)(n - l->e->ins));
  case KEXPR_AGAIN: return test_loop(l, n);
  case KEXPR_NEXT: return next(l, n);
  case KEXPR_AFTER: return after(l, n);
  case KEXPR_LEFT: return argument(l, true);
  case KEXPR_RIGHT: return argument(l, false);
  case KEXPR_CONST: return literal(l, n);
  case KEXPR_PARAM:
    return known(expr_add(l, KOP_PARAM, type_of_elt((elt)n->type), 0, 0, n->a),
                 range_of_elt((elt)n->type));
  case KEXPR_MONAD:
  case KEXPR_DYAD: return primitive(l, n);
  case KEXPR_SELECT: return select(l, n);
  }
  return expr_refuse(l, "");
}

/* The body for l's types, into l->k. Its result's type and range; false: see l->why. */
static bool lower(lowering *l, kty *ty, range *r) {
  kir *k = l->k = l->level[0].k;
  kir_free(l->c, k);
  l->depth = 0;
  l->again = false;
  k->kind = KIR_MAP;
  k->n_in = 2;
  k->n_out = k->n_fault = 1;
  k->in[0].type = k->in[1].type = (uint8_t)kir_elt(l->state);
  k->n_param = l->e->n_param + 1;
  k->param[l->e->n_param] = KF64;
  for (uint32_t i = 0; i < l->e->n; i++)
    if (l->e->ins[i].op == KEXPR_PARAM)
      k->param[l->e->ins[i].a] = (uint8_t)type_of_elt((elt)l->e->ins[i].type);
  l->faults = 0;
  l->leaves_reals = l->rounds = false;
  for (uint32_t i = 0; i < l->e->n && !l->why && !err_is(l->c); i++)
    l->at[i] = instruction(l, &l->e->ins[i]);
  if (k->n_loop && !l->map) expr_refuse(l, "it loops");
  if (l->why || err_is(l->c)) return false;
  value v = l->at[l->e->result];
  *ty = type_at(l, v.v);
  *r = v.r;
  l->mixed = v.mixed;
  kv out = v.v;
  if (l->map) l->state = *ty;
  if (*ty <= l->state) out = expr_convert(l, out, l->state);
  k->out[0] = (kout){.value = out, .type = (uint8_t)kir_elt(l->state)};
  return !err_is(l->c) && !l->why;
}

/* ── the fixpoint ── */

static bool inside(range a, range b) { return a.lo >= b.lo && a.hi <= b.hi; }
static const range exact_floats = {-((range_int)1 << 53), (range_int)1 << 53};

/* Widens the state to hold results of that type and range; false: it does. */
static bool expr_widen(lowering *l, kty ty, range r, int *patience) {
  if (ty > l->state) {
    l->state = ty;
    l->of_state = range_i64();
    /* Integers beside floats: those that a float does not hold count as floats. */
    bool exact = l->element == KB || inside(l->of_element, exact_floats);
    if (kty_is_float(ty) && !kty_is_float(l->element) && !exact) l->element = ty;
    if (!kty_is_float(ty)) l->of_state = l->of_element;
    return true;
  }
  if (kty_is_float(l->state) || inside(r, l->of_state)) return false;
  l->of_state =
      (range){range_least(r.lo, l->of_state.lo), range_most(r.hi, l->of_state.hi)};
  if (--*patience <= 0 || !range_in64(l->of_state)) l->of_state = range_i64();
  return true;
}

bool kexpr_compile(ctx *c, const kexpr *e, const kexpr_ask *ask, kexpr_body *r,
                   const char **why) {
  lowering l = {.c = c, .e = e, .k = &r->k, .wide = ask->wide};
  int patience = 4;
  kty ty = KB;
  range of = {0, 1};
  *r = (kexpr_body){.ty = KB};
  l.element = type_of_elt(ask->element);
  l.of_element = ask->of_element;
  if (ask->wide && !kty_is_float(l.element)) l.element = KF64;
  if (kty_is_float(l.element)) l.of_element = range_i64();
  l.state = l.element;
  l.of_state = l.of_element;
  l.map = ask->map;
  l.level[0].k = &r->k;
  if (l.map) {
    l.right = type_of_elt(ask->right);
    l.of_right = kty_is_float(l.right) ? range_i64() : ask->of_right;
    while (!lower(&l, &ty, &of) && l.again && l.why && !*l.why) l.why = NULL;
  }
  while (!l.map) {
    if (!lower(&l, &ty, &of)) break;
    if (kty_is_float(ty) && kty_is_float(l.state) && ty != l.state)
      expr_refuse(&l, "its results are of two float types");
    if (l.why || !expr_widen(&l, ty, of, &patience)) break;
  }
  if (c->err.code == ERR_LIMIT) {
    err_clear(c);
    l.why = "it is too large for one kernel";
  }
  *why = l.why;
  if (l.why || err_is(c)) {
    kir_free(c, &r->k);
    return false;
  }
  r->ty = l.state;
  r->result = CLS_F;
  if (ty == KB) r->result = CLS_B;
  else if (kty_is_int(ty)) r->result = CLS_I;
  r->of_state = l.map ? of : l.of_state;
  r->mixed = l.mixed;
  r->rounds = l.rounds;
  r->leaves_reals = l.leaves_reals;
  r->may_fault = r->k.n_loop || (l.faults & (PRIM_ERRS | PRIM_ESCAPES));
  return true;
}
