/* SPDX-License-Identifier: MIT */
/* join_emit.c - the FOLD of a node that folds by a function.
 *
 * A class (kir/classify.h) makes each element v the function x → v f x as a tuple:
 *
 *   f/v   elements ─ lift ─▶ FOLD ─▶ the constant that is left; the last element is lifted
 *         as a constant
 *   f\v   elements ─ lift ─▶ exclusive FOLD ─▶ apply, to the element itself
 *   forward  elements ─ lift ─▶ FOLD ─▶ the constant; the first is lifted as a constant
 *
 * Lift and apply become part of the kernel's producer and consumer, the join a kernel
 * beside it. With neither, the function itself is the join: where the user says that it is
 * associative, or one element after the other. */
#include <string.h>

#include "../base/macros.h"
#include "join.h"
#include "plan.h"

typedef struct emission {
  plan *p;
  ir_node *n;
  const join_code *k;
  int param[KEXPR_PARAMS + 1]; /* the kernel's for the function's; -1: none yet */
} emission;

/* The kernel's parameter for the function's number i. */
static int64_t param_of(emission *e, int64_t i) {
  plan *p = e->p;
  const kir *body = &e->k->body.k;
  if (e->param[i] >= 0) return e->param[i];
  kimm value = {.f = e->n->ct};
  if (i < e->n->fn->e.n_param) value = e->n->fn->param[i];
  plan_param(p, (kty)body->param[i], value);
  e->param[i] = (int)p->k.n_param - 1;
  return e->param[i];
}

/* An instruction with the kernel's numbers for parameters and faults. */
static kins renumbered(emission *e, kins in) {
  if (in.op == KOP_PARAM) in.imm.i = param_of(e, in.imm.i);
  if (kop_has_effect((kop)in.op)) in.imm.i = plan_fault(e->p, e->n);
  return in;
}

/* ── one kernel's instructions in another ── */

typedef struct inlining {
  emission *e;
  const kir *k; /* whose instructions become `to`'s */
  kir *to;
  const kv *args; /* to's values of k's inputs */
  kv *at;         /* to's values of k's instructions */
} inlining;

static void inline_range(inlining *w, uint32_t from, uint32_t to);

static kv inline_loop(inlining *w, const kloop *l) {
  ctx *c = w->e->p->c;
  const kir *body = l->body;
  kv from[KIR_MAX_IN] = {0}, args[KIR_MAX_IN] = {0}, next[KIR_MAX_CARRIED];
  kv *at = mem_zalloc(c, (body->n_ins + 1) * sizeof *at), r = 0;
  for (uint32_t i = 0; i < body->n_in; i++) from[i] = w->at[l->from[i]];
  kloop *m = kir_loop_begin(c, w->to, from, l->n, plan_fault(w->e->p, w->e->n));
  if (at && m) {
    for (uint32_t i = 0; i < body->n_in; i++)
      args[i] = i < l->n ? (kv)i : kir_import(c, w->to, m, from[i]);
    inlining in = {.e = w->e, .k = body, .to = m->body, .args = args, .at = at};
    inline_range(&in, 0, l->test);
    kir_loop_test(m, at[body->out[l->n].value]);
    inline_range(&in, l->test, body->n_ins);
    for (uint32_t i = 0; i < l->n; i++) next[i] = at[body->out[i].value];
    r = kir_loop_end(c, w->to, m, next);
  }
  mem_free(c, at);
  return r;
}

static void inline_range(inlining *w, uint32_t from, uint32_t to) {
  ctx *c = w->e->p->c;
  for (uint32_t i = from; i < to && !err_is(c); i++) {
    kins in = w->k->ins[i];
    if (in.op == KOP_ARG) {
      w->at[i] = w->args[in.imm.i];
      continue;
    }
    if (in.op == KOP_LOOP) {
      w->at[i] = inline_loop(w, &w->k->loop[in.imm.i]);
      continue;
    }
    kv *operand[] = {&in.a, &in.b, &in.c};
    for (int j = 0; j < kop_table[in.op].operands; j++) *operand[j] = w->at[*operand[j]];
    w->at[i] = kir_add(c, w->to, renumbered(w->e, in));
  }
}

/* The instructions of k become `to`'s: k's outputs for these arguments. */
static void inline_kir(emission *e, kir *to, const kir *k, const kv *args, kv *out) {
  ctx *c = e->p->c;
  kv *at = mem_alloc(c, (k->n_ins + !k->n_ins) * sizeof *at);
  if (!at) return;
  inlining w = {.e = e, .k = k, .to = to, .args = args, .at = at};
  inline_range(&w, 0, k->n_ins);
  for (uint32_t i = 0; i < k->n_out && !err_is(c); i++) out[i] = at[k->out[i].value];
  mem_free(c, at);
}

kv join_emit_map(plan *p, ir_node *n, const kv *args) {
  emission e = {.p = p, .n = n, .k = n->code};
  const kir *k = &n->code->body.k;
  kv out[KIR_MAX_OUT] = {0};
  for (uint32_t i = 0; i <= KEXPR_PARAMS; i++) e.param[i] = -1;
  /* A loop's body knows the parameters that there are when it begins. */
  for (uint32_t i = 0; k->n_loop && i < k->n_param; i++) param_of(&e, i);
  inline_kir(&e, &p->k, k, args, out);
  return out[0];
}

/* The values of a tuple that has its last element beside the class's. */
static uint32_t peeled_values(const kclass *of) {
  uint32_t lifted = 2 * (uint32_t)of->n + 1;
  return lifted <= KIR_MAX_ACC ? lifted : of->n + 1u;
}

/* ── the join ── */

/* A join of tuples of these types without instructions: its arguments are in arg. */
static kir *join_begin(emission *e, const uint8_t *ty, uint32_t n, kv *arg) {
  plan *p = e->p;
  kir *j = mem_zalloc(p->c, sizeof *j);
  if (!j) return NULL;
  p->k.join = j;
  j->kind = KIR_MAP;
  j->n_in = 2 * n;
  j->n_out = n;
  for (uint32_t i = 0; i < 2 * n; i++) {
    j->in[i].type = (uint8_t)kir_elt((kty)ty[i % n]);
    arg[i] = kir_add(p->c, j, (kins){.op = KOP_ARG, .ty = ty[i % n], .imm.i = i});
    if (i < n) j->out[i].type = (uint8_t)kir_elt((kty)ty[i]);
  }
  return j;
}

static void join_end(emission *e, const kv *out) {
  plan *p = e->p;
  kir *j = p->k.join;
  for (uint32_t i = 0; i < j->n_out; i++) j->out[i].value = out[i];
  j->n_param = p->k.n_param;
  memcpy(j->param, p->k.param, sizeof j->param);
  j->n_fault = p->k.n_fault;
}

/* k as the kernel's join; `exchanged`: its two arguments have changed places. */
static void add_join(emission *e, const kir *k, bool exchanged) {
  kv arg[2 * KIR_MAX_ACC], out[KIR_MAX_ACC];
  uint8_t ty[KIR_MAX_ACC];
  for (uint32_t i = 0; i < k->n_out; i++) ty[i] = k->ins[k->out[i].value].ty;
  kir *j = join_begin(e, ty, k->n_out, arg);
  if (!j) return;
  if (exchanged) {
    kv left = arg[0];
    arg[0] = arg[1];
    arg[1] = left;
  }
  inline_kir(e, j, k, arg, out);
  join_end(e, out);
}

/* The join of tuples that have, behind a class's, what they stand for's last element: the
 * class's are of what is before it. (T, v)∘(U, w) is (T∘(lift v)∘U, w). Where there is room
 * lift v is in the tuple, too: each element is lifted once. */
static void add_peeled_join(emission *e) {
  const kclass *of = &e->k->of;
  uint32_t n = of->n, all = peeled_values(of), last = all - 1;
  uint8_t ty[KIR_MAX_ACC];
  kv arg[2 * KIR_MAX_ACC], in[2 * KIR_MAX_ACC], out[KIR_MAX_ACC];
  memcpy(ty, of->ty, n);
  if (all > n + 1) memcpy(ty + n, of->ty, n);
  ty[last] = (uint8_t)e->n->ty;
  kir *j = join_begin(e, ty, all, arg);
  if (!j) return;
  memcpy(in, arg, n * sizeof *in);
  if (all > n + 1) memcpy(in + n, arg + n, n * sizeof *in);
  else {
    kv no = kir_add(e->p->c, j, (kins){.op = KOP_CONST, .ty = KB});
    const kv lifted[] = {arg[last], no, arg[last]};
    inline_kir(e, j, &of->lift, lifted, in + n);
  }
  inline_kir(e, j, &of->join, in, out);
  memcpy(in, out, n * sizeof *in);
  memcpy(in + n, arg + all, n * sizeof *in);
  inline_kir(e, j, &of->join, in, out);
  memcpy(out + n, arg + all + n, (all - n) * sizeof *out);
  join_end(e, out);
}

/* ── the FOLD ── */

/* Is this the element that the others are applied to? */
static kv is_start(emission *e) {
  plan *p = e->p;
  if (e->n->kind->task == KIR_SCAN && !e->n->fn->forward)
    return plan_op(p, KOP_CONST, KB, 0, 0, 0);
  kty ty = p->len < INT32_MAX ? KI32 : KI64;
  int64_t at = e->n->kind->task == KIR_SCAN ? 0 : p->len - 1;
  kv place = plan_op(p, KOP_IOTA, ty, 0, 0, 0);
  kv start = plan_op(p, KOP_CONST, ty, 0, 0, 0);
  if (at) start = plan_param(p, ty, (kimm){.i = at});
  return plan_op(p, KOP_EQ, KB, place, start, 0);
}

/* The FOLD of these values, of which there are n; its results take their place. */
static void fold_values(emission *e, kv *v, uint32_t n) {
  plan *p = e->p;
  kacc acc[KIR_MAX_ACC] = {{0}};
  for (uint32_t i = 0; i < n; i++)
    acc[i] = (kacc){.from = v[i], .ty = p->k.ins[v[i]].ty, .fault = -1};
  p->phase = 1;
  v[0] = kir_fold(p->c, &p->k, acc, n);
  for (uint32_t i = 1; i < n; i++) v[i] = kir_part(p->c, &p->k, i);
}

/* The function itself is the join. */
static kv fold_directly(emission *e, kv v) {
  plan *p = e->p;
  const join_fn *f = e->n->fn;
  bool scan = e->n->kind->task == KIR_SCAN, exchanged = false;
  p->k.join_order = KJOIN_RIGHT;
  if (scan && f->forward) p->k.join_order = KJOIN_FORWARD;
  if (f->assoc && !e->n->serial) {
    p->k.join_order = e->n->ty == KB ? KJOIN_EXACT : KJOIN_TREE;
    exchanged = scan && f->forward;
  } else if (f->assoc && scan && !f->forward) {
    p->k.join_order = KJOIN_FORWARD;
    exchanged = true;
  }
  add_join(e, &e->k->body.k, exchanged);
  if (!err_is(p->c)) fold_values(e, &v, 1);
  return v;
}

static void class_order(emission *e) {
  const kclass *of = &e->k->of;
  kir *k = &e->p->k;
  k->join_order = of->exact ? KJOIN_EXACT : KJOIN_TREE;
  k->exclusive = e->n->kind->task == KIR_SCAN && !e->n->fn->forward;
  memcpy(k->identity, of->identity, sizeof k->identity);
}

static kv fold_class(emission *e, kv v) {
  plan *p = e->p;
  const kclass *of = &e->k->of;
  kv tuple[KIR_MAX_ACC + 1], args[] = {v, is_start(e), v}, r = 0;
  class_order(e);
  inline_kir(e, &p->k, &of->lift, args, tuple);
  add_join(e, &of->join, false);
  if (err_is(p->c)) return 0;
  fold_values(e, tuple, of->n);
  if (p->k.exclusive) tuple[of->n] = plan_element(p, e->n->y, identity_map, e->n->ty);
  else {
    kins at = {.op = KOP_CONST, .ty = (uint8_t)e->n->ty, .imm = of->at};
    tuple[of->n] = kir_add(p->c, &p->k, at);
  }
  if (!err_is(p->c)) inline_kir(e, &p->k, &of->apply, tuple, &r);
  return r;
}

/* f\ where the value that the functions are applied to may be anything, but f's results are
 * states: f is applied to it once, with the element before it. The first element of a line
 * has none, and is the result; 1 stands for both then. */
static kv fold_peeled(emission *e, kv v) {
  plan *p = e->p;
  const kclass *of = &e->k->of;
  kty ty = e->n->ty, ity = p->len < INT32_MAX ? KI32 : KI64;
  uint32_t all = peeled_values(of), last = all - 1;
  kv tuple[KIR_MAX_ACC + 1], r = 0;
  class_order(e);
  for (uint32_t i = 0; i < of->n; i++) {
    kins none = {.op = KOP_CONST, .ty = of->ty[i], .imm = of->identity[i]};
    tuple[i] = kir_add(p->c, &p->k, none);
  }
  const kv lifted[] = {v, plan_op(p, KOP_CONST, KB, 0, 0, 0), v};
  if (all > of->n + 1u) inline_kir(e, &p->k, &of->lift, lifted, tuple + of->n);
  tuple[last] = v;
  add_peeled_join(e);
  if (err_is(p->c)) return 0;
  fold_values(e, tuple, all);
  kv x = plan_element(p, e->n->y, identity_map, ty);
  kimm one = {.i = 1};
  if (kty_is_float(ty)) one.f = 1;
  kv u = kir_add(p->c, &p->k, (kins){.op = KOP_CONST, .ty = (uint8_t)ty, .imm = one});
  kv place = plan_op(p, KOP_IOTA, ity, 0, 0, 0),
     zero = plan_op(p, KOP_CONST, ity, 0, 0, 0);
  kv first = plan_op(p, KOP_EQ, KB, place, zero, 0);
  const kv pair[] = {plan_select(p, ty, first, u, tuple[last]),
                     plan_select(p, ty, first, u, x)};
  inline_kir(e, &p->k, &e->k->body.k, pair, &tuple[of->n]);
  if (!err_is(p->c)) inline_kir(e, &p->k, &of->apply, tuple, &r);
  return err_is(p->c) ? 0 : plan_select(p, ty, first, x, r);
}

kv join_emit(plan *p, ir_node *n) {
  emission e = {.p = p, .n = n, .k = n->code};
  for (size_t i = 0; i < ARRAY_LEN(e.param); i++) e.param[i] = -1;
  p->phase = 0;
  kv v = plan_element(p, n->y, identity_map, n->ty);
  if (err_is(p->c)) return 0;
  bool peeled = e.k->of.peel && n->kind->task == KIR_SCAN && !n->fn->forward;
  if (n->serial || n->fn->assoc) v = fold_directly(&e, v);
  else if (peeled && peeled_values(&e.k->of) <= KIR_MAX_ACC) v = fold_peeled(&e, v);
  else v = fold_class(&e, v);
  if (err_is(p->c)) return 0;
  switch (join_result(n)) {
  case CLS_B: return plan_convert(p, v, KB);
  case CLS_I: return plan_convert(p, v, KI64);
  default: return v;
  }
}
