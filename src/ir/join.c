/* SPDX-License-Identifier: MIT */
/* join.c - see join.h: compiled functions and the types of nodes that fold with them.
 *
 * Compiling costs some microseconds, so the latest results are kept, by what they were
 * made from. Ranges of integers decide which checks are left out and are many, so all but
 * small ones count as those of their type.
 *
 * A kernel of a class may escape although no value does: the tuples have bounds of their
 * own. Then the fold goes through the elements one after the other, and where that escapes
 * too all is done in floats, by the class first. */
#include "join.h"

#include <string.h>

/* ── functions ── */

join_fn *join_fn_new(ctx *c, const kexpr *e, const kimm *param) {
  join_fn *f = mem_zalloc(c, sizeof *f);
  if (!f) return NULL;
  f->c = c;
  f->refs = 1;
  f->e = *e;
  memcpy(f->param, param, sizeof f->param);
  return f;
}

void join_fn_release(join_fn *f) {
  if (f && !--f->refs) mem_free(f->c, f);
}

void join_code_release(join_code *k) {
  if (!k || --k->refs) return;
  kir_free(k->c, &k->body.k);
  kclass_free(k->c, &k->of);
  mem_free(k->c, k);
}

/* ── compiling ── */

static bool has_faults(const kir *k) {
  for (uint32_t i = 0; i < k->n_ins; i++)
    if (kop_has_effect((kop)k->ins[i].op)) return true;
  return false;
}

static bool compile(join_code *k) {
  ctx *c = k->c;
  if (!kexpr_compile(c, &k->e, &k->ask, &k->body, &k->why)) return !err_is(c);
  k->faults = has_faults(&k->body.k);
  if (k->assoc || k->ask.map) return true;
  kclass_ask ask = {.body = &k->body.k, .forward = k->forward};
  ask.element = range_unknown();
  ask.state = ask.element;
  if (!kty_is_float(k->body.ty)) {
    ask.element = k->ask.of_element;
    ask.state = k->body.of_state;
  }
  if (!kir_classify(c, &ask, &k->of)) return false;
  if (k->of.n)
    k->faults =
        has_faults(&k->of.lift) || has_faults(&k->of.join) || has_faults(&k->of.apply);
  return true;
}

static void make_usual(elt *type, range *r) {
  enum { SMALL = 64 };
  if (elt_is_float(*type)) *r = range_i64();
  else if (r->lo < -SMALL || r->hi > SMALL) {
    elt t = elt_for_range((int64_t)r->lo, (int64_t)r->hi);
    range_int most = (range_int)1 << (elt_bytes(t, 1) * 8 - 1);
    *r = (range){-most, most - 1};
  }
  if (!elt_is_float(*type) && *type != ET_BIT) *type = ET_I64;
}

static bool is_for(const join_code *k, const join_fn *f, const kexpr_ask *ask) {
  return k->forward == f->forward && k->assoc == f->assoc && k->ask.wide == ask->wide &&
         k->ask.element == ask->element && k->ask.of_element.lo == ask->of_element.lo &&
         k->ask.of_element.hi == ask->of_element.hi && k->ask.map == ask->map &&
         k->ask.right == ask->right && k->ask.of_right.lo == ask->of_right.lo &&
         k->ask.of_right.hi == ask->of_right.hi && k->e.n == f->e.n &&
         k->e.result == f->e.result && k->e.n_param == f->e.n_param &&
         !memcmp(k->e.ins, f->e.ins, f->e.n * sizeof *f->e.ins);
}

join_code *join_compile(ir *g, const join_fn *f, const kexpr_ask *want) {
  kexpr_ask ask = *want;
  make_usual(&ask.element, &ask.of_element);
  if (ask.map) make_usual(&ask.right, &ask.of_right);
  for (int i = 0; i < IR_JOINS; i++) {
    join_code *k = g->join[i];
    if (!k || !is_for(k, f, &ask)) continue;
    k->refs++;
    return k;
  }
  join_code *k = mem_zalloc(g->c, sizeof *k);
  if (!k) return NULL;
  k->c = g->c;
  k->refs = 1;
  k->e = f->e;
  k->ask = ask;
  k->forward = f->forward;
  k->assoc = f->assoc;
  if (!compile(k)) {
    join_code_release(k);
    return NULL;
  }
  join_code **place = &g->join[g->join_next++ % IR_JOINS];
  join_code_release(*place);
  *place = k;
  k->refs++;
  return k;
}

void join_forget(ir *g) {
  for (int i = 0; i < IR_JOINS; i++) {
    join_code_release(g->join[i]);
    g->join[i] = NULL;
  }
}

/* ── types ── */

/* Is n's function compiled, for its code? */
static bool compile_for(ir_node *n, const kexpr_ask *ask) {
  join_code_release(n->code);
  n->code = NULL;
  if (ask->element > ET_F64 || ask->right > ET_F64) return false;
  n->code = join_compile(n->g, n->fn, ask);
  return n->code && !n->code->why;
}

bool infer_join(ir_node *n, range of_elements) {
  kexpr_ask ask = {
      .element = (elt)n->y->type, .of_element = of_elements, .wide = n->wide};
  if (!compile_for(n, &ask)) return false;
  const join_code *k = n->code;
  bool sequential = !k->assoc && (!k->of.n || n->len <= JOIN_SHORT);
  n->ty = k->body.ty;
  n->row = CLS_F;
  if (n->ty == KB) n->row = CLS_B;
  if (kty_is_int(n->ty)) n->row = CLS_I;
  n->float_variant = n->no_overflow = n->wide_sum = false;
  n->serial |= sequential;
  n->may_fault = n->serial ? k->body.may_fault : k->faults;
  n->leaves_reals = k->body.leaves_reals;
  return true;
}

cls join_result(const ir_node *n) {
  return n->kind->task == KIR_REDUCE ? n->code->body.result : n->row;
}

range join_range(const ir_node *n) {
  if (join_result(n) == CLS_B) return (range){0, 1};
  return n->row == CLS_I ? n->code->body.of_state : range_i64();
}

bool infer_map(ir_node *n, range x, range y) {
  kexpr_ask ask = {.map = true, .right = (elt)n->y->type, .of_right = y};
  ask.element = n->x ? (elt)n->x->type : ET_BIT;
  if (n->x) ask.of_element = x;
  if (!compile_for(n, &ask)) return false;
  const kexpr_body *b = &n->code->body;
  n->ty = b->ty;
  n->row = b->result;
  n->loops = b->k.n_loop > 0;
  n->may_fault = b->may_fault;
  n->float_variant = n->no_overflow = n->leaves_reals = false;
  return true;
}

/* ── what comes after an escape ── */

/* Steps that a scan of prefixes takes may be many. */
static bool is_affordable(const ir_node *n) {
  enum { STEPS_MAX = 1 << 30 };
  if (n->kind->task == KIR_REDUCE || n->fn->forward || n->fn->assoc) return true;
  double steps = (double)n->rows * (double)n->len * (double)n->len / 2;
  return steps <= STEPS_MAX;
}

bool join_next_stage(ir_node *n) {
  if (n->kind->scalar) return false; /* a map's caller knows another way */
  bool wider = !n->wide && (n->row != CLS_F || n->code->body.rounds);
  if (n->p != P_COUNT && n->serial && !wider) return false;
  if (!n->serial && (is_affordable(n) || !wider)) {
    n->serial = true;
    return true;
  }
  if (!wider) return false;
  n->wide = true;
  n->serial = false;
  return true;
}
