/* SPDX-License-Identifier: MIT */
/* classify.c - which class a body belongs to: the first that fits, exact and small ones
 * first. Each derives what it needs anew; a body that does not fit leaves nothing behind. */
#include "classify.h"

#include "folds.h"
#include "../tables/fast.h"

#include <string.h>

/* ── v ∘ x, a row of folds.def ─────────────────────────────────────────────────────── */

static bool is_arg(const kir *k, kv a, int64_t i) {
  return k->ins[a].op == KOP_ARG && k->ins[a].imm.i == i;
}

/* Through what only checks. */
static kv unchecked(const kir *k, kv a) {
  while (k->ins[a].op == KOP_FIN) a = k->ins[a].a;
  return a;
}

static bool of_both(const kir *k, kv a, kv b) {
  return is_arg(k, unchecked(k, a), 0) && is_arg(k, unchecked(k, b), 1);
}

static bool plain_of(kop op, kop plain) {
  if (op == plain) return true;
  return (op == KOP_ADDO && plain == KOP_ADD) || (op == KOP_MUL && plain == KOP_MULO);
}

static bool no_other_effects(const kir *k, kv out) {
  for (uint32_t i = 0; i < k->n_ins; i++)
    if (kop_has_effect((kop)k->ins[i].op) && i != out && k->ins[i].op != KOP_FIN)
      return false;
  return true;
}

static bool class_monoid(ctx *c, const kclass_ask *ask, kclass *r) {
  const kir *k = ask->body;
  kv out = unchecked(k, k->out[0].value);
  const kins *n = &k->ins[out];
  UNUSED(c);
  if (kop_table[n->op].operands != 2 || !no_other_effects(k, out)) return false;
  if (!of_both(k, n->a, n->b) && !of_both(k, n->b, n->a)) return false;
  for (int f = 0; f < KF_COUNT; f++) {
    if (!kfold_table[f].on[n->ty].order) continue;
    if (!plain_of((kop)n->op, (kop)kfold_table[f].on[n->ty].op)) continue;
    r->monoid = (kfold)f;
    r->kind = KCLASS_MONOID;
    r->name = "monoid";
    r->why = "the function itself is associative";
    return true;
  }
  return false;
}

/* ── the first that fits ───────────────────────────────────────────────────────────── */

typedef bool class_fn(ctx *c, const kclass_ask *ask, kclass *r);
#define FAST_CLASS(way) way,
static class_fn *const classes[] = {
    class_monoid,
#include "../tables/fast.def"
};

static const char *why_none(ctx *c, const kclass_ask *ask, kclass *r) {
#define FAST_NO_CLASS(way) return way(c, ask, r);
#include "../tables/fast.def"
  return "the function itself is not associative";
}

bool kir_classify(ctx *c, const kclass_ask *ask, kclass *r) {
  *r = (kclass){0};
  for (size_t i = 0; i < ARRAY_LEN(classes) && !err_is(c); i++) {
    if (classes[i](c, ask, r)) return true;
    kclass_free(c, r);
  }
  r->name = "sequential";
  r->why = why_none(c, ask, r);
  return !err_is(c);
}

void kclass_free(ctx *c, kclass *r) {
  kir_free(c, &r->lift);
  kir_free(c, &r->join);
  kir_free(c, &r->apply);
  *r = (kclass){0};
}
