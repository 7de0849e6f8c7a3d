/* SPDX-License-Identifier: MIT */
/* relax.c - one look for many: fewer of a kernel's checks whether a float is finite.
 *
 * Each + - × ÷ of a chain has a FIN. But a number that has left the finite ones does not come back by
 * + - ×: one look where the chain ends will do, whatever its arguments are, and where that is not
 * finite a kernel with all the checks says which function it was (exec.c).
 *
 *   %2 = MUL %0 %1     %3 = FIN %2 %0 %1         %3 = %2
 *   %4 = ADD %3 %1     %5 = FIN %4 %3 %1    →    %5 = FIN %4 %4 %4
 *
 * `seen` are the values that some check sees: the value that it looks at, and from there upwards what
 * passes on to that. In a loop's body the test comes again behind each step, so what it sees of a
 * carried value it sees of the next one. */
#include "place.h"
#include "plan.h"
#include "../tables/fast.h"

/* How many of n's operands, the first ones, make it infinite or undefined where they are? */
static int passing(const kins *n) {
  if (!kty_is_float((kty)n->ty)) return 0;
  switch ((kop)n->op) {
  case KOP_ADD:
  case KOP_SUB:
  case KOP_MUL: return 2;
  case KOP_DIV:
  case KOP_SQRT:
  case KOP_NEG:
  case KOP_ABS: return 1;
  default: return 0;
  }
}

/* What a check looks at: the value itself, not 1 where it does not count (lower.c). */
static kv looked_at(const kir *k, const kins *fin) {
  const kins *a = &k->ins[fin->a];
  bool counts = a->op == KOP_SEL && k->ins[a->c].op == KOP_CONST;
  return counts ? a->b : fin->a;
}

/* Instructions from..to, the last one first. Returns how many checks go. */
static uint32_t relax_part(kir *k, uint32_t from, uint32_t to, bool *seen) {
  uint32_t gone = 0;
  for (uint32_t i = to; i-- > from;) {
    kins *n = &k->ins[i];
    bool is = seen[i];
    if (n->op == KOP_FIN) {
      kv a = looked_at(k, n);
      is |= seen[a];
      gone += is;
      if (is) n->op = KOP_CVT; /* to the type that it has */
      else n->a = n->b = n->c = a;
      seen[a] = true;
    } else if (is) {
      for (int j = passing(n); j-- > 0;) seen[j ? n->b : n->a] = true;
    }
  }
  return gone;
}

/* What the test sees of the carried values it sees of the next ones; where the loop has its number of
 * steps there may be no last test. */
static uint32_t relax_body(const kloop *l) {
  bool seen[KIR_MAX_INS] = {false};
  kir *k = l->body;
  uint32_t gone = relax_part(k, 0, l->test, seen);
  for (uint32_t i = 0; i < l->test && !l->most; i++) {
    const kins *n = &k->ins[i];
    if (n->op == KOP_ARG && seen[i] && n->imm.i < l->n)
      seen[k->out[n->imm.i].value] = true;
  }
  gone += relax_part(k, l->test, k->n_ins, seen);
  for (uint32_t i = 0; i < k->n_loop; i++) gone += relax_body(&k->loop[i]);
  return gone;
}

/* On the host a look costs little: there it is windows of many elements that gain. */
void plan_relax(plan *p) {
  ir *g = p->g;
  bool may = !err_is(p->c) && !g->apart && !p->k.product && !plan_into(p);
  if (g->doubts) g->doubts--;
  else if (may && (kir_has_near(&p->k) || plan_prefers_device(p))) {
    bool seen[KIR_MAX_INS] = {false};
    uint32_t gone = relax_part(&p->k, 0, p->k.n_ins, seen);
    for (uint32_t i = 0; i < p->k.n_loop; i++) gone += relax_body(&p->k.loop[i]);
    p->relaxed = gone > 0;
  }
}
