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

int kexpr_add(kexpr *e, kexpr_ins in) {
  for (uint32_t i = 0; i < e->n; i++)
    if (!memcmp(&e->ins[i], &in, sizeof in)) return (int)i;
  if (e->n == KEXPR_MAX) return -1;
  e->ins[e->n] = in;
  return (int)e->n++;
}

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
} value;
typedef struct lowering {
  ctx *c;
  const kexpr *e;
  kir *k;
  kty element, state;
  range of_element, of_state;
  bool wide, leaves_reals, rounds;
  unsigned faults;
  const char *why;
  value at[KEXPR_MAX];
} lowering;

static value refuse(lowering *l, const char *why) {
  if (!l->why) l->why = why;
  return (value){0, range_i64()};
}

static kv add(lowering *l, kop op, kty ty, kv a, kv b, int64_t imm) {
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

static bool beyond_f32(double d) { return fabs(d) > (double)FLT_MAX; }

static kv convert(lowering *l, kv v, kty to) {
  kty from = type_at(l, v);
  if (from == to || err_is(l->c)) return v;
  const kins *n = &l->k->ins[v];
  /* An element that was converted to its own type from the state's, and is wanted there. */
  if (n->op == KOP_CVT && l->k->ins[n->a].op == KOP_ARG && type_at(l, n->a) == to)
    return n->a;
  if (to == KF32 && n->op == KOP_CONST && from == KF64 && beyond_f32(n->imm.f))
    refuse(l, "a number is beyond f32");
  return add(l, KOP_CVT, to, v, 0, 0);
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
  if (kty_is_float(ty)) return (value){v, range_i64()};
  return (value){v, {n->value.i, n->value.i}};
}

static value argument(lowering *l, bool left) {
  kv v = add(l, KOP_ARG, l->state, 0, 0, left ? 0 : 1);
  if (!left) return (value){v, l->of_state};
  return (value){convert(l, v, l->element), l->of_element};
}

/* x where the condition holds, 1 where it does not: 1 is in every function's domain. */
static kv masked(lowering *l, const kexpr_ins *n, kv x) {
  if (!n->under || !(l->faults & (PRIM_ERRS | PRIM_ESCAPES))) return x;
  kty ty = type_at(l, x);
  kimm one = {.i = 1};
  if (kty_is_float(ty)) one.f = 1;
  kv u = kir_add(l->c, l->k, (kins){.op = KOP_CONST, .ty = (uint8_t)ty, .imm = one});
  kins sel = {.op = KOP_SEL, .ty = (uint8_t)ty, .a = l->at[n->under - 1].v};
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
  kv zero = add(l, KOP_CONST, ty, 0, 0, 0);
  add(l, KOP_ESC, KB, add(l, KOP_LT, KB, x, zero, 0), 0, 0);
  return add(l, KOP_SQRT, ty, x, 0, 0);
}

/* The parameter behind those of the call. */
static kv tolerance(lowering *l, const prim_body *b, kty ty) {
  if (ty != KF64 || !(prim_faults(b) & PRIM_TOLERANT)) return 0;
  return add(l, KOP_PARAM, KF64, 0, 0, l->e->n_param);
}

/* Of two values, or one, in the row of a class. */
static value body(lowering *l, const kexpr_ins *n, prim_body *b, value x, value y) {
  kty ty = KB;
  range r = {0, 1};
  cls result = prim_result(b->p, b->dyadic, b->row);
  if (b->row == CLS_I) {
    ty = KI64;
    if (result == CLS_I) r = range_of_result(b->p, b->dyadic, x.r, y.r);
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
  if (b->dyadic) x.v = masked(l, n, convert(l, x.v, ty));
  y.v = masked(l, n, convert(l, y.v, ty));
  bool real = b->row == CLS_F && prim_result(b->p, b->dyadic, b->row) == CLS_F;
  if (real && l->faults & PRIM_ESCAPES) l->leaves_reals = true;
  l->faults |= before;
  prim_values v = {x.v, y.v, .ct = tolerance(l, b, ty)};
  return (value){prim_lower(l->c, l->k, b, &v), r};
}

static value primitive(lowering *l, const kexpr_ins *n) {
  bool dyadic = n->op == KEXPR_DYAD;
  value x = l->at[n->a], y = x;
  if (dyadic) y = l->at[n->b];
  cls need = class_at(l, x.v) > class_at(l, y.v) ? class_at(l, x.v) : class_at(l, y.v);
  if (l->wide && need == CLS_I) need = CLS_F;
  prim_body b = {.p = (prim)n->prim, .dyadic = dyadic};
  b.row = prim_row_of(b.p, dyadic, need);
  double e = short_exponent(l, n);
  if (e == 2 && b.row >= CLS_I) {
    b = (prim_body){.p = P_TIMES, .dyadic = true, .row = need > CLS_I ? CLS_F : CLS_I};
    return body(l, n, &b, x, x);
  }
  if (e == 0.5 && b.row == CLS_F) {
    kty ty = type_at(l, x.v) == KF32 ? KF32 : KF64;
    return (value){square_root(l, n, convert(l, x.v, ty)), range_i64()};
  }
  if (b.row == CLS_NONE) return refuse(l, "one of its primitives has no kernel");
  return body(l, n, &b, x, y);
}

static value select(lowering *l, const kexpr_ins *n) {
  value c = l->at[n->a], x = l->at[n->b], y = l->at[n->c];
  if (type_at(l, c.v) != KB) return refuse(l, "a guard is no truth value by its type");
  kty tx = type_at(l, x.v), ty = type_at(l, y.v);
  kty to = tx > ty ? tx : ty;
  if (kty_is_float(tx) && kty_is_float(ty) && tx != ty)
    return refuse(l, "its results are of two float types");
  kins sel = {.op = KOP_SEL, .ty = (uint8_t)to, .a = c.v};
  sel.b = convert(l, x.v, to);
  sel.c = convert(l, y.v, to);
  range r = {range_least(x.r.lo, y.r.lo), range_most(x.r.hi, y.r.hi)};
  return (value){kir_add(l->c, l->k, sel), r};
}

static value instruction(lowering *l, const kexpr_ins *n) {
  switch ((kexpr_op)n->op) {
  case KEXPR_LEFT: return argument(l, true);
  case KEXPR_RIGHT: return argument(l, false);
  case KEXPR_CONST: return literal(l, n);
  case KEXPR_PARAM:
    return (value){add(l, KOP_PARAM, type_of_elt((elt)n->type), 0, 0, n->a),
                   range_of_elt((elt)n->type)};
  case KEXPR_MONAD:
  case KEXPR_DYAD: return primitive(l, n);
  case KEXPR_SELECT: return select(l, n);
  }
  return refuse(l, "");
}

/* The body for l's types, into l->k. Its result's type and range; false: see l->why. */
static bool lower(lowering *l, kty *ty, range *r) {
  kir *k = l->k;
  kir_free(l->c, k);
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
  if (k->n_loop) refuse(l, "one of its primitives loops");
  if (l->why || err_is(l->c)) return false;
  value v = l->at[l->e->result];
  *ty = type_at(l, v.v);
  *r = v.r;
  kv out = v.v;
  if (*ty <= l->state) out = convert(l, out, l->state);
  k->out[0] = (kout){.value = out, .type = (uint8_t)kir_elt(l->state)};
  return !err_is(l->c) && !l->why;
}

/* ── the fixpoint ── */

static bool inside(range a, range b) { return a.lo >= b.lo && a.hi <= b.hi; }
static const range exact_floats = {-((range_int)1 << 53), (range_int)1 << 53};

/* Widens the state to hold results of that type and range; false: it does. */
static bool widen(lowering *l, kty ty, range r, int *patience) {
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
  do {
    if (!lower(&l, &ty, &of)) break;
    if (kty_is_float(ty) && kty_is_float(l.state) && ty != l.state)
      refuse(&l, "its results are of two float types");
  } while (!l.why && widen(&l, ty, of, &patience));
  *why = l.why;
  if (l.why || err_is(c)) {
    kir_free(c, &r->k);
    return false;
  }
  r->ty = l.state;
  r->result = CLS_F;
  if (ty == KB) r->result = CLS_B;
  else if (kty_is_int(ty)) r->result = CLS_I;
  r->of_state = l.of_state;
  r->rounds = l.rounds;
  r->leaves_reals = l.leaves_reals;
  r->may_fault = (l.faults & (PRIM_ERRS | PRIM_ESCAPES)) != 0;
  return true;
}
