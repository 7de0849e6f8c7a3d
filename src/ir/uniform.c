/* SPDX-License-Identifier: MIT */
/* uniform.c - what a kernel would make of its parameters alone is made once, by the host, and is
 * a parameter: of 1.0001*k the logarithm of 1.0001, of 2⍟k that of 2, of x*1.7 whether 1.7 is whole.
 *
 * The host's own kernels do that by themselves (host/plan.c). */
#include "../host/host.h"
#include "place.h"
#include "plan.h"
#include "../tables/fast.h"

#include <string.h>

/* Fewer operations on f64 take no longer than to read what comes of them. */
enum { FEWEST = 12 };

typedef struct uniform {
  plan *p;
  bool known[KIR_MAX_INS],
      wanted[KIR_MAX_INS]; /* of parameters alone; and used by something else */
  kv at[KIR_MAX_INS];      /* in the host's kernel */
  kv value[KIR_MAX_PARAM]; /* those that are wanted */
  uint32_t n_known, n_wanted;
} uniform;

static bool is_leaf(const kins *n) { return n->op == KOP_CONST || n->op == KOP_PARAM; }

/* Integers of integers alone a device makes as fast as it reads a parameter. */
static bool has_floats(const uniform *u, const kins *n) {
  const kins *ins = u->p->k.ins;
  const kv v[3] = {n->a, n->b, n->c};
  bool has = kty_is_float((kty)n->ty);
  for (int j = 0; j < kop_table[n->op].operands; j++)
    has |= kty_is_float((kty)ins[v[j]].ty) || !is_leaf(&ins[v[j]]);
  return has;
}

static void find_known(uniform *u) {
  const kir *k = &u->p->k;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    const kop_row *row = &kop_table[n->op];
    bool pure =
        row->form >= KFORM_SAME && row->form <= KFORM_BITS && !kop_has_effect(n->op);
    const kv v[3] = {n->a, n->b, n->c};
    for (int j = 0; j < row->operands; j++) pure = pure && u->known[v[j]];
    pure = pure && has_floats(u, n);
    u->known[i] = pure || is_leaf(n);
    u->n_known += pure && n->ty == KF64;
  }
}

static void want(uniform *u, kv v) {
  if (!u->known[v] || u->wanted[v] || is_leaf(&u->p->k.ins[v])) return;
  u->wanted[v] = true;
  if (u->n_wanted < KIR_MAX_PARAM) u->value[u->n_wanted] = v;
  u->n_wanted++;
}

static void find_wanted(uniform *u) {
  const kir *k = &u->p->k;
  for (uint32_t i = 0; i < k->n_ins; i++) {
    const kins *n = &k->ins[i];
    const kv v[3] = {n->a, n->b, n->c};
    for (int j = 0; !u->known[i] && j < kop_table[n->op].operands; j++) want(u, v[j]);
  }
  for (uint32_t i = 0; i < k->n_acc; i++) want(u, k->acc[i].from);
  for (uint32_t i = 0; i < k->n_loop; i++)
    for (uint32_t j = 0; j < k->loop[i].body->n_in; j++) want(u, k->loop[i].from[j]);
  for (uint32_t i = 0; i < k->n_out; i++) {
    const kout *o = &k->out[i];
    want(u, o->value);
    if (o->put) want(u, o->at);
    if (o->put) want(u, o->when);
    if (o->put == KPUT_INSERT) want(u, o->mask);
  }
}

/* The host's kernel: all that is known, for `n` outputs from the first wanted one on. */
static void make_kernel(uniform *u, kir *h, uint32_t first, uint32_t n) {
  const plan *p = u->p;
  *h = (kir){.kind = KIR_MAP, .n_param = p->k.n_param, .n_out = n};
  memcpy(h->param, p->k.param, sizeof h->param);
  for (uint32_t i = 0; i < p->k.n_ins; i++) {
    kins in = p->k.ins[i];
    if (!u->known[i]) continue;
    if (!is_leaf(&in)) {
      int operands = kop_table[in.op].operands;
      in.a = u->at[in.a];
      in.b = operands > 1 ? u->at[in.b] : 0;
      in.c = operands > 2 ? u->at[in.c] : 0;
    }
    u->at[i] = kir_add(p->c, h, in);
  }
  for (uint32_t i = 0; i < n; i++) {
    kv v = u->value[first + i];
    h->out[i] = (kout){.value = u->at[v], .type = (uint8_t)kir_elt((kty)p->k.ins[v].ty)};
  }
}

static kimm number_of(kty ty, const void *at) {
  kimm v = {0};
  float f;
  int32_t i;
  memcpy(&f, at, sizeof f);
  memcpy(&i, at, sizeof i);
  if (kty_bytes(ty) == 8) memcpy(&v, at, sizeof v);
  else if (ty == KF32) v.f = (double)f;
  else v.i = ty == KB ? i & 1 : i;
  return v;
}

/* Parameters of the plan from then on. False: the error is recorded. */
static bool evaluate(uniform *u, uint32_t first, uint32_t n) {
  plan *p = u->p;
  kir h;
  uint64_t room[KIR_MAX_OUT][64] = {{0}}; /* of a block */
  uint32_t flags[2] = {0};
  kir_bind b = {.rows = 1, .len = 1, .inner = 1, .flags = flags};
  memcpy(b.param, p->param, sizeof b.param);
  for (uint32_t i = 0; i < n; i++) {
    b.out[i].host = room[i];
    b.out[i].count = 1;
  }
  make_kernel(u, &h, first, n);
  bool ok = !err_is(p->c) && blk_run(p->c, p->g->pool, &h, &b);
  kir_free(p->c, &h);
  for (uint32_t i = 0; ok && i < n; i++) {
    kins *in = &p->k.ins[u->value[first + i]];
    uint32_t to = p->k.n_param++;
    p->k.param[to] = in->ty;
    p->param[to] = number_of((kty)in->ty, room[i]);
    *in = (kins){.op = KOP_PARAM, .ty = in->ty, .imm.i = to};
  }
  return ok;
}

/* What only made those is there no more. */
static void drop_rest(uniform *u) {
  for (uint32_t i = 0; i < u->p->k.n_ins; i++) {
    kins *n = &u->p->k.ins[i];
    if (u->known[i] && !is_leaf(n)) *n = (kins){.op = KOP_CONST, .ty = n->ty};
  }
}

void plan_uniform(plan *p) {
  uniform *u = NULL;
  bool may = !err_is(p->c) && !p->k.product && !p->k.join;
  if (may && plan_prefers_device(p)) u = mem_zalloc(p->c, sizeof *u);
  if (!u) return;
  u->p = p;
  find_known(u);
  if (u->n_known >= FEWEST) find_wanted(u);
  bool ok = u->n_wanted && p->k.n_param + u->n_wanted <= KIR_MAX_PARAM;
  for (uint32_t i = 0, n; ok && i < u->n_wanted; i += n) {
    n = u->n_wanted - i < KIR_MAX_OUT ? u->n_wanted - i : KIR_MAX_OUT;
    ok = evaluate(u, i, n);
    if (!ok) break;
  }
  if (ok) drop_rest(u);
  mem_free(p->c, u);
}
