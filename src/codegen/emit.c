/* SPDX-License-Identifier: MIT */
/* emit.c - one module from one kernel.
 *
 *   entry ─ read arguments ─ leave if there is no work ─ template ─ raise flags ─ return
 *
 * kernels.def names the templates; their table is here, above all of them. What is
 * uniform (addresses, lengths, params, ONE inputs) is loaded once at the entry.
 *
 * TRIED: what is made of params alone (of 1.0001*k the logarithm of 1.0001) made by the host, as a param. On an H200 2⍟f and
 * 1.0001*k are 1.3 times as fast, x*1.7, x÷3 and what else was tried 1.0. */
#include "template.h"

#include "memory.h"

#include <assert.h>

/* ── what is uniform ───────────────────────────────────────────────────────────────── */

static bool cg_consumes(const cg *g) { return g->k->kind != KIR_MAP && g->o->final; }

static bool cg_in_pass(const cg *g, uint32_t n) {
  if (n < g->k->fold_at) return !g->o->from_partials;
  return n > g->k->fold_at && cg_consumes(g);
}

static void cg_read_param(cg *g, uint32_t i) {
  uint32_t *to = &g->uniform[KIR_MAX_IN + i];
  if (!*to) *to = cg_slot_param(g, cg_param_slot(g->k, i), (kty)g->k->param[i]);
}

static void cg_read_input(cg *g, uint32_t i) {
  uint32_t slot = CG_SLOT_INPUTS + 3 * i;
  const kin *in = &g->k->in[i];
  if (g->base[i]) return;
  g->base[i] = cg_slot(g, slot);
  if (in->view == KV_ONE)
    g->uniform[i] = cg_get_at(g, (elt)in->type, g->base[i], cg_ixc(g, 0));
  if (in->view == KV_ONE || in->view == KV_FLAT) return;
  g->offset[i] = cg_slot_ix(g, slot + 1);
  g->step[i] = cg_slot_ix(g, slot + 2);
}

static void cg_read_dimension(cg *g, uint32_t strided, uint32_t dim) {
  uint32_t slot = cg_strided_slot(g->k, strided, dim), *to = g->strided[strided][dim];
  to[CG_STRIDED_STRIDE] = cg_slot_ix(g, slot + CG_STRIDED_STRIDE);
  if (dim == 0) return;
  to[CG_STRIDED_N] = cg_slot_ix(g, slot + CG_STRIDED_N);
  to[CG_STRIDED_MAGIC] = cg_slot(g, slot + CG_STRIDED_MAGIC);
}

/* What the kernels inside k read. */
static void cg_read_inner(cg *g, const kir *k) {
  const kir *inner;
  for (uint32_t i = 0; (inner = kir_inner(k, i)); i++) {
    for (uint32_t n = 0; n < inner->n_ins; n++) {
      const kins *in = &inner->ins[n];
      if (in->op == KOP_PARAM) cg_read_param(g, (uint32_t)in->imm.i);
      if (in->op == KOP_GET) cg_read_input(g, (uint32_t)in->imm.i);
    }
    cg_read_inner(g, inner);
  }
}

static void cg_read_uniforms(cg *g) {
  const kir *k = g->k;
  for (uint32_t n = 0; n < k->n_ins; n++) {
    const kins *in = &k->ins[n];
    if (!cg_in_pass(g, n)) continue;
    if (in->op == KOP_PARAM) cg_read_param(g, (uint32_t)in->imm.i);
    if (in->op == KOP_ARG || in->op == KOP_GET) cg_read_input(g, (uint32_t)in->imm.i);
    if (in->op == KOP_NEAR) cg_read_input(g, knear_in(in->imm.i));
  }
  cg_read_inner(g, k);
  for (uint32_t i = 0; i < k->n_out; i++)
    if (k->out[i].put == KPUT_INSERT) cg_read_input(g, k->out[i].keys);
  for (uint32_t w = 0; w < k->n_strided; w++)
    for (uint32_t d = 0; d < k->strided[w]; d++) cg_read_dimension(g, w, d);
  if (g->o->from_partials) g->from = cg_slot(g, CG_SLOT_FROM);
  bool stores = k->kind == KIR_MAP || g->o->final;
  for (uint32_t n = 0; n < k->n_out && stores; n++)
    g->out[n] = cg_slot(g, cg_out_slot(k, n));
}

void cg_read_again(cg *g) {
  const kir *k = g->k;
  g->len = cg_slot_ix(g, CG_SLOT_LEN);
  g->last = cg_x(g, SpvOpISub, g->len, cg_ixc(g, 1));
  for (uint32_t i = 0; i < k->n_in; i++) {
    uint32_t slot = CG_SLOT_INPUTS + 3 * i;
    if (g->base[i]) g->base[i] = cg_slot(g, slot);
    if (g->offset[i]) g->offset[i] = cg_slot_ix(g, slot + 1);
    if (g->step[i]) g->step[i] = cg_slot_ix(g, slot + 2);
  }
  for (uint32_t w = 0; w < k->n_strided; w++)
    for (uint32_t d = 0; d < k->strided[w]; d++) cg_read_dimension(g, w, d);
  for (uint32_t n = 0; n < k->n_out; n++)
    if (g->out[n]) g->out[n] = cg_slot(g, cg_out_slot(k, n));
}

/* ── where this invocation is ──────────────────────────────────────────────────────── */

/* The first component of a built-in variable of n. */
uint32_t cg_builtin(cg *g, SpvBuiltIn what, uint32_t n) {
  uint32_t type = spv_vec(g->b, g->u32, n);
  uint32_t var = spv_builtin(g->b, what, type);
  uint32_t v = spv_op(g->b, type, SpvOpLoad, var);
  if (n == 1) return v;
  return cg_u(g, SpvOpCompositeExtract, v, 0);
}

/* x + y × groups in x: a long grid is folded into two dimensions. Behind the first of the
 * workgroups that this dispatch runs; those at and behind its end leave. */
static void cg_find_group(cg *g) {
  uint32_t type = spv_vec(g->b, g->u32, 3);
  uint32_t id = spv_builtin(g->b, SpvBuiltInWorkgroupId, type);
  uint32_t v = spv_op(g->b, type, SpvOpLoad, id);
  uint32_t x = cg_u(g, SpvOpCompositeExtract, v, 0);
  uint32_t y = cg_u(g, SpvOpCompositeExtract, v, 1);
  uint32_t nx = cg_builtin(g, SpvBuiltInNumWorkgroups, 3);
  g->wid = cg_u(g, SpvOpIAdd, x, cg_u(g, SpvOpIMul, y, nx));
  uint32_t two = spv_vec(g->b, g->u32, 2);
  uint32_t range = cg_load(g, two, cg_slot_addr(g, CG_SLOT_GROUPS), 8);
  uint32_t end = cg_u(g, SpvOpCompositeExtract, range, 0);
  uint32_t first = cg_u(g, SpvOpCompositeExtract, range, 1);
  g->wid = cg_u(g, SpvOpIAdd, g->wid, first);
  uint32_t beyond = spv_op(g->b, spv_bool(g->b), SpvOpUGreaterThanEqual, g->wid, end);
  uint32_t merge = spv_if(g->b, beyond);
  spv_do(g->b, SpvOpReturn);
  spv_do(g->b, SpvOpLabel, merge);
}

/* Do threads of a map share words of an output? */
static bool cg_packs(const kir *k) {
  for (uint32_t n = 0; n < k->n_out; n++)
    if (elt_bits((elt)k->out[n].type) < 32) return true;
  return false;
}

/* With shuffles the place in the workgroup must follow the subgroups. The physical size
 * is read, so that a module made for 8 lanes also runs where subgroups have 16 or 32. */
uint32_t cg_find_lane(cg *g) {
  spv_cap(g->b, SpvCapabilityGroupNonUniform);
  uint32_t id = cg_builtin(g, SpvBuiltInSubgroupId, 1);
  uint32_t size = cg_builtin(g, SpvBuiltInSubgroupSize, 1);
  g->lane = cg_builtin(g, SpvBuiltInSubgroupLocalInvocationId, 1);
  uint32_t first = cg_u(g, SpvOpIMul, id, size);
  g->thread = cg_u(g, SpvOpIAdd, first, g->lane);
  return size;
}

static void cg_find_thread(cg *g) {
  if (g->k->kind == KIR_MAP && !cg_packs(g->k)) {
    g->thread = cg_builtin(g, SpvBuiltInLocalInvocationId, 3);
    return;
  }
  (void)cg_find_lane(g);
}

static uint32_t cg_read_args(cg *g) {
  uint32_t var = spv_push(g->b, g->u64);
  uint32_t ptr = spv_ptr(g->b, SpvStorageClassPushConstant, g->u64);
  uint32_t at = spv_op(g->b, ptr, SpvOpAccessChain, var, spv_u32(g->b, 0));
  return spv_op(g->b, g->u64, SpvOpLoad, at);
}

/* All value types first, so that no id depends on the order in which a C compiler
 * evaluates two arguments that ask for types. */
static void cg_name_types(cg *g) {
  g->u32 = spv_int(g->b, 32);
  g->u64 = spv_int(g->b, 64);
  for (uint32_t n = 1; n <= 4; n += 3)
    for (int t = KB; t < KTY_COUNT; t++) {
      g->lanes = n;
      if (t != KF64 || g->o->float64) (void)cg_type(g, (kty)t);
    }
  g->lanes = 1;
}

void cg_open(cg *g) {
  g->b->words = g->o->words;
  uint32_t of64 = g->o->float64 ? g->o->keeps64 : 0;
  spv_keeps(g->b, 32, g->o->keeps32 & CG_KEEPS_SPECIAL,
            g->o->keeps32 & CG_KEEPS_SUBNORMAL);
  spv_keeps(g->b, 64, of64 & CG_KEEPS_SPECIAL, of64 & CG_KEEPS_SUBNORMAL);
  cg_name_types(g);
  g->ix = g->o->wide_index ? g->u64 : g->u32;
  g->args = cg_read_args(g);
  cg_find_group(g);
  cg_find_thread(g);
  g->len = cg_slot_ix(g, CG_SLOT_LEN);
  g->last = cg_x(g, SpvOpISub, g->len, cg_ixc(g, 1));
}

/* ── entry points ──────────────────────────────────────────────────────────────────── */

typedef struct template_row {
  const char *name;
  bool (*serves)(const cg_task *t);
  void (*passes)(const cg_task *t, cg_passes *p);
  void (*emit)(cg *g);
} template_row;

#ifdef WITHOUT_LEAVES
static bool no_task(const cg_task *t) { return false; }
#endif

static const template_row templates[CG_TEMPLATES] = {
#define TEMPLATE(id, name) {#name, name##_serves, name##_passes, name##_emit},
#ifdef WITHOUT_LEAVES
#define LEAF(id, name, gain) {#name, no_task, NULL, NULL},
#endif
#include "kernels.def"
};

const char *cg_template_name(cg_template by) { return templates[by].name; }

void cg_task_passes_by(cg_template by, const cg_task *t, cg_passes *p) {
  *p = (cg_passes){.tiles = 1, .parts = 1};
  templates[by].passes(t, p);
}

void cg_task_passes(const cg_task *t, cg_passes *p) {
  int by = 0;
  /* The last ones, reduce_strided and scan_columns, serve whatever is left. */
  while (!templates[by].serves(t)) by++;
  cg_task_passes_by((cg_template)by, t, p);
}

bool cg_emit(ctx *c, const kir *k, const cg_opts *o, cg_module *out) {
  spv b;
  *out = (cg_module){0};
  assert(kir_check(k));
  uint32_t n_join = k->join ? cg_values(k->join) : 0;
  if (k->kind == KIR_ROWS) n_join = ROWS_MOST_QUADS * cg_values(k);
  cg *g = mem_zalloc(c, sizeof *g + (cg_values(k) + n_join) * sizeof *g->val);
  if (!g) return false;
  *g = (cg){.b = &b, .k = k, .top = k, .o = o, .val = (uint32_t *)(g + 1)};
  g->join_val = g->val + cg_values(k);
  spv_begin(&b, c);
  cg_open(g);
  cg_read_uniforms(g);
  templates[o->template].emit(g);
  cg_write_flags(g);
  spv_do(&b, SpvOpReturn);
  mem_free(c, g);
  out->shared = b.shared;
  return spv_finish(&b, o->workgroup, &out->words, &out->n);
}

bool cg_emit_copy(ctx *c, uint32_t workgroup, bool words, cg_module *out) {
  static const kir none = {.kind = KIR_MAP};
  const cg_opts o = {.workgroup = workgroup,
                     .subgroup = 4,
                     .width = 1,
                     .wide_index = true,
                     .words = words};
  spv b;
  cg g = {.b = &b, .k = &none, .top = &none, .o = &o};
  *out = (cg_module){0};
  spv_begin(&b, c);
  cg_open(&g);
  g.base[0] = cg_slot(&g, CG_SLOT_INPUTS);
  g.out[0] = cg_slot(&g, CG_SLOT_INPUTS + 3);
  uint32_t v4 = spv_vec(&b, g.u32, 4);
  uint32_t first = cg_to_ix(&g, g.wid);
  first = cg_x(&g, SpvOpIMul, first, cg_ixc(&g, workgroup));
  uint32_t i = cg_x(&g, SpvOpIAdd, first, cg_to_ix(&g, g.thread));
  uint32_t merge = spv_if(&b, cg_less(&g, i, g.len));
  uint32_t v = cg_load(&g, v4, cg_addr(&g, g.base[0], i, 4), 16);
  cg_store(&g, v4, cg_addr(&g, g.out[0], i, 4), v, 16);
  spv_endif(&b, merge);
  spv_do(&b, SpvOpReturn);
  return spv_finish(&b, workgroup, &out->words, &out->n);
}
