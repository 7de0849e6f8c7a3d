/* SPDX-License-Identifier: MIT */
/* tolerance.c - comparing f64 with a number within ⎕CT, on a device.
 *
 * What equals c within ⎕CT lies between two numbers: as v leaves c upwards, v-c grows by a unit in
 * the last place of v for each that v does, its tolerance by ⎕CT of that; downwards the tolerance stays
 * that of c. So the host finds the two, and a kernel makes two comparisons instead of ten operations
 * (math.def, TEQ):
 *
 *   OR (EQ v c) (AND (LE d m) (LE d 1.8E308))     d = |v-c|, m = ⎕CT × |v|⌈|c|
 *   AND (GE v least) (LE v most)
 *
 * What is more than c without being equal is more than `most`, and what is more or equal no less than `least`: < ≤ ≥ >
 * are one comparison. */
#include "../prim/math.h"
#include "place.h"
#include "plan.h"
#include "../tables/fast.h"

#include <math.h>
#include <string.h>

typedef struct near_number { /* v = c within ct */
  kv v;
  double c, ct;
} near_number;

static bool number_at(const plan *p, const kir *k, kv v, double *r) {
  const kins *n = &k->ins[v], *of = &k->ins[n->a];
  if (n->ty != KF64) return false;
  if (n->op == KOP_CONST) *r = n->imm.f;
  else if (n->op == KOP_PARAM) *r = p->param[n->imm.i].f;
  else if (n->op == KOP_CVT && of->op == KOP_CONST && of->ty != KF32)
    *r = of->ty == KF64 ? of->imm.f : (double)of->imm.i;
  else return false;
  return true;
}

static bool is_op(const kir *k, kv v, kop op, kins *n) {
  *n = k->ins[v];
  return n->op == op;
}

/* Are a and b the magnitudes of x and y? */
static bool are_sizes(const kir *k, const kins *max, kv x, kv y) {
  kins a, b;
  if (!is_op(k, max->a, KOP_ABS, &a) || !is_op(k, max->b, KOP_ABS, &b)) return false;
  return (a.a == x && b.a == y) || (a.a == y && b.a == x);
}

/* Is instruction i the last one of a TEQ, and nothing else uses the four before it, slot[]? */
static bool is_near(const plan *p, const kir *k, kv i, const uint8_t *uses,
                    near_number *r, kv *slot) {
  kins either, eq, both, most, less, size, sub, mul, max;
  if (!is_op(k, i, KOP_OR, &either) || !is_op(k, either.a, KOP_EQ, &eq)) return false;
  if (!is_op(k, either.b, KOP_AND, &both) || !is_op(k, both.a, KOP_LE, &less))
    return false;
  if (!is_op(k, both.b, KOP_LE, &most) || less.a != most.a) return false;
  if (!is_op(k, less.a, KOP_ABS, &size) || !is_op(k, size.a, KOP_SUB, &sub)) return false;
  if (!is_op(k, less.b, KOP_MUL, &mul) || !is_op(k, mul.b, KOP_MAX, &max)) return false;
  if (sub.a != eq.a || sub.b != eq.b || !are_sizes(k, &max, eq.a, eq.b)) return false;
  bool first = number_at(p, k, eq.a, &r->c);
  r->v = first ? eq.b : eq.a;
  if (!first && !number_at(p, k, eq.b, &r->c)) return false;
  const kv own[4] = {either.a, both.a, both.b, either.b};
  for (int j = 0; j < 4; j++) { /* in their order */
    int n = 0;
    for (int other = 0; other < 4; other++) n += own[other] < own[j];
    slot[n] = own[j];
    if (uses[own[j]] > 1) return false;
  }
  return number_at(p, k, mul.a, &r->ct);
}

/* The last number that equals c on the way to `end`, from a guess on. */
static bool last_equal(double c, double ct, double end, double *v) {
  int steps = 0;
  while (!math_TEQ(*v, c, ct) && ++steps < 64) *v = nextafter(*v, c);
  for (double next; ++steps < 64 && math_TEQ(next = nextafter(*v, end), c, ct);)
    *v = next;
  return steps < 64;
}

static bool bounds(const near_number *r, double *least, double *most) {
  double size = fabs(r->c), ct = r->ct;
  *least = *most = r->c;
  if (size == 0) return true;
  if (!(size > 0x1p-900 && size < 0x1p900) || !(ct >= 0 && ct < 0x1p-20)) return false;
  double inner = size - ct * size, outer = size / (1 - ct);
  *least = r->c < 0 ? -outer : inner;
  *most = r->c < 0 ? -inner : outer;
  return last_equal(r->c, ct, -INFINITY, least) && last_equal(r->c, ct, INFINITY, most);
}

static kins param(plan *p, double v) {
  uint32_t i = p->k.n_param++;
  p->k.param[i] = KF64;
  p->param[i].f = v;
  return (kins){.op = KOP_PARAM, .ty = KF64, .imm.i = i};
}

typedef struct interval { /* of what equals c: the instructions that have its ends */
  near_number of;
  kv is, least, most;
} interval;

/* The relation of the instruction, LT or GT, or ANDed or ORed with one of the intervals: what v is to one of its
 * ends; false: it is something else. */
static bool is_beyond(const plan *p, const kir *k, const interval *t, const kins *n,
                      kins *r) {
  bool strict = n->op == KOP_AND;
  if (!strict && n->op != KOP_OR) return false;
  for (int swap = 0; swap < 2; swap++) {
    const kins *rel = &k->ins[swap ? n->b : n->a];
    kv is = swap ? n->a : n->b;
    if (strict && k->ins[is].op != KOP_NOT) continue;
    if (strict) is = k->ins[is].a;
    if (is != t->is || (rel->op != KOP_LT && rel->op != KOP_GT)) continue;
    bool first = rel->a == t->of.v, more = (rel->op == KOP_GT) == first;
    double c;
    if (!first && rel->b != t->of.v) continue;
    if (!number_at(p, k, first ? rel->b : rel->a, &c) || c != t->of.c) continue;
    *r = (kins){.ty = KB, .a = t->of.v, .b = more == strict ? t->most : t->least};
    if (strict) r->op = more ? KOP_GT : KOP_LT;
    else r->op = more ? KOP_GE : KOP_LE;
    return true;
  }
  return false;
}

static void count_uses(const kir *k, uint8_t *uses) {
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    const kv v[3] = {n->a, n->b, n->c};
    for (int j = 0; j < kop_table[n->op].operands; j++) uses[v[j]] = uses[v[j]] ? 2 : 1;
  }
  for (uint32_t i = 0; i < k->n_acc; i++) uses[k->acc[i].from] = 2;
  for (uint32_t i = 0; i < k->n_loop; i++)
    for (uint32_t j = 0; j < k->loop[i].body->n_in; j++) uses[k->loop[i].from[j]] = 2;
  for (uint32_t i = 0; i < k->n_out; i++) {
    const kout *o = &k->out[i];
    uses[o->value] = 2;
    if (o->put) uses[o->at] = uses[o->when] = uses[o->mask] = 2;
  }
}

/* In k, the plan's kernel or the body of a loop in it. */
static void narrow(plan *p, kir *k) {
  uint8_t uses[KIR_MAX_INS] = {0};
  near_number r;
  kv slot[4];
  double least, most;
  interval met = {.is = KIR_MAX_INS};
  count_uses(k, uses);
  for (uint32_t i = 0; i < k->n_ins && p->k.n_param + 2 <= KIR_MAX_PARAM; i++) {
    (void)is_beyond(p, k, &met, &k->ins[i], &k->ins[i]);
    if (!is_near(p, k, (kv)i, uses, &r, slot) || !bounds(&r, &least, &most)) continue;
    met = (interval){r, (kv)i, slot[0], slot[1]};
    k->ins[slot[0]] = param(p, least);
    k->ins[slot[1]] = param(p, most);
    k->ins[slot[2]] = (kins){.op = KOP_GE, .ty = KB, .a = r.v, .b = slot[0]};
    k->ins[slot[3]] = (kins){.op = KOP_LE, .ty = KB, .a = r.v, .b = slot[1]};
    k->ins[i] = (kins){.op = KOP_AND, .ty = KB, .a = slot[2], .b = slot[3]};
  }
  for (uint32_t i = 0; i < k->n_loop; i++) narrow(p, k->loop[i].body);
}

/* Bodies know the parameters that there are. */
static void tell_bodies(const kir *top, kir *k) {
  for (uint32_t i = 0; i < k->n_loop; i++) {
    kir *body = k->loop[i].body;
    body->n_param = top->n_param;
    memcpy(body->param, top->param, sizeof body->param);
    tell_bodies(top, body);
  }
}

void plan_narrow(plan *p) {
  bool may = !err_is(p->c) && !p->k.product && !p->k.join;
  if (!may || !plan_prefers_device(p)) return;
  narrow(p, &p->k);
  tell_bodies(&p->k, &p->k);
}
