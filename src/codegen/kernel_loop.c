/* SPDX-License-Identifier: MIT */
/* kernel_loop.c - a LOOP of the kernel.
 *
 *   carried values, which lanes are in the loop, steps: Function variables
 *   for (;;)
 *     the test's instructions ─ lanes that do not go on leave ─ no lane left: out
 *     too many steps: out
 *     the other instructions ─ lanes that are in the loop take the next values
 *
 * Instructions see the carried values as the body's inputs, and raise what they raise for the
 * lanes that are in the loop. A lane beyond the length never is. */
#include "instructions.h"

#include "memory.h"

typedef struct looping {
  const kloop *l;
  uint32_t var[KIR_MAX_CARRIED]; /* variables: the carried values */
  uint32_t in;                   /* variable, KB: the lanes in the loop */
  uint32_t raw[KIR_MAX_IN];      /* the body's inputs */
  spv_loop loop;
} looping;

static kty carried_type(const looping *w, uint32_t i) {
  return kir_arg_type((elt)w->l->body->in[i].type);
}

static void store(cg *g, uint32_t var, uint32_t v) { spv_do(g->b, SpvOpStore, var, v); }

static void loop_begin(cg *g, looping *w, uint32_t ok) {
  for (uint32_t i = 0; i < w->l->body->n_in; i++) {
    w->raw[i] = g->val[w->l->from[i]];
    if (i >= w->l->n) continue;
    w->var[i] = spv_local(g->b, cg_type(g, carried_type(w, i)), 0);
    store(g, w->var[i], w->raw[i]);
  }
  w->in = spv_local(g->b, cg_type(g, KB), 0);
  store(g, w->in, ok ? ok : cg_const(g, KB, 1));
}

static uint32_t none_of(cg *g, uint32_t lanes) {
  uint32_t kb = spv_bool(g->b);
  if (g->lanes == 4) lanes = spv_op(g->b, kb, SpvOpAny, lanes);
  return spv_op(g->b, kb, SpvOpLogicalNot, lanes);
}

/* Leaves the loop where it has taken as many steps as it may. */
static void count_step(cg *g, const looping *w) {
  uint32_t n = spv_op(g->b, g->u32, SpvOpLoad, g->steps);
  store(g, g->steps, cg_ui(g, SpvOpIAdd, n, 1));
  uint32_t most = spv_u32(g->b, g->o->loop_steps);
  uint32_t over = spv_op(g->b, spv_bool(g->b), SpvOpUGreaterThanEqual, n, most);
  spv_break_if(g->b, &w->loop, over);
}

/* One step; g->k is the body. */
static void loop_step(cg *g, looping *w) {
  const kir *body = w->l->body;
  uint32_t kb = cg_type(g, KB), ok = spv_op(g->b, kb, SpvOpLoad, w->in);
  cg_pos p = {.tail = true, .ok = ok};
  for (uint32_t i = 0; i < w->l->n; i++)
    w->raw[i] = spv_op(g->b, cg_type(g, carried_type(w, i)), SpvOpLoad, w->var[i]);
  cg_range(g, 0, w->l->test, &p, w->raw);
  ok = p.ok = cg_both(g, ok, g->val[body->out[w->l->n].value]);
  store(g, w->in, ok);
  spv_break_if(g->b, &w->loop, none_of(g, ok));
  count_step(g, w);
  cg_range(g, w->l->test, body->n_ins, &p, w->raw);
  for (uint32_t i = 0; i < w->l->n; i++) {
    uint32_t next = g->val[body->out[i].value];
    if (g->lanes == 4) next = cg_sel(g, carried_type(w, i), ok, next, w->raw[i]);
    store(g, w->var[i], next);
  }
}

uint32_t cg_loop(cg *g, uint32_t number, cg_pos *p) {
  const kir *k = g->k;
  uint32_t *val = g->val, ok = cg_ok(g, p), steps = g->steps;
  looping w = {.l = &k->loop[number]};
  loop_begin(g, &w, ok);
  if (!steps) {
    g->steps = spv_local(g->b, g->u32, 0);
    store(g, g->steps, spv_u32(g->b, 0));
  }
  g->k = w.l->body;
  g->val = mem_zalloc(g->b->c, (cg_values(g->k) + 1) * sizeof *val);
  g->b->failed |= !g->val;
  w.loop = spv_forever(g->b);
  if (g->val) loop_step(g, &w);
  spv_again(g->b, &w.loop);
  mem_free(g->b->c, g->val);
  g->k = k;
  g->val = val;
  uint32_t taken = spv_op(g->b, g->u32, SpvOpLoad, g->steps);
  uint32_t most = spv_u32(g->b, g->o->loop_steps);
  uint32_t over = spv_op(g->b, spv_bool(g->b), SpvOpUGreaterThan, taken, most);
  g->steps = steps;
  cg_raise(g, cg_splat(g, KB, over), ok, w.l->fault, true);
  for (uint32_t i = 0; i < w.l->n; i++)
    *cg_loop_result(g, number, i) =
        spv_op(g->b, cg_type(g, carried_type(&w, i)), SpvOpLoad, w.var[i]);
  return *cg_loop_result(g, number, 0);
}
