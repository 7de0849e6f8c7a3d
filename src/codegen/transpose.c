/* SPDX-License-Identifier: MIT */
/* transpose.c - a map of inputs whose axes are turned: what lies side by side in the input does
 * not in the output. A workgroup takes a square of the two axes that are fastest on either
 * side, reads it along the input's and stores it along the output's, through workgroup memory:
 *
 *   input   thread t: column t%32 of rows t/32, +8, +16, +24 ──▶ shared[row][column]
 *   output  thread t: row t%32 of columns t/32, +8, +16, +24 ◀── shared[row][column]
 *
 * A row of shared memory has one element more than it needs, so that neither side meets the
 * same bank twice. What else the kernel reads and computes it does at the output's element.
 * A workgroup has one position along the other axes. Beyond an edge the last elements are read
 * again; what would be stored there has a position behind the kernel's last. */
#include "template.h"

#include <stdlib.h>

#include "../base/arith.h"
#include "cg_arith.h"

enum {
  SIDE = 32,
  ACROSS = SIDE + 1,
  EACH = SIDE * SIDE / CG_WORKGROUP,
  MOST_SHARED = 16896
};

/* ── how ────────────────────────────────────────────────────────────────────────────── */

/* Lengths along the output's axes. False: there is no whole number of lines along the first. */
static bool axis_lengths(const cg_task *t, int64_t *n) {
  int64_t line = 1;
  for (int d = 1; d < t->k->strided[0]; d++) line *= n[d] = t->strided->n[d];
  n[0] = t->len / line;
  return t->len % line == 0;
}

/* The axis along which the input is read: that of its neighbours; -1: there is none, or the
 * output's own would do. */
static int input_axis(const cg_task *t, const int64_t *n) {
  int last = t->k->strided[0] - 1, best = -1;
  for (int d = 0; d < last; d++)
    if (llabs(t->strided->stride[d]) == 1 && n[d] >= SIDE / 4) best = d;
  int64_t along = llabs(t->strided->stride[last]);
  return along > 1 && n[last] >= SIDE / 4 ? best : -1;
}

/* Bytes of workgroup memory that the turned inputs need. */
static int64_t shared_bytes(const kir *k) {
  int64_t n = 0;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (k->in[i].view >= KV_STRIDED)
      n += max_i64(kty_bytes(kir_arg_type((elt)k->in[i].type)), 4) * SIDE * ACROSS;
  return n;
}

/* Do neighbours along the last axis fill whole words of all outputs? */
static bool fills_words(const kir *k, int64_t last) {
  for (uint32_t i = 0; i < k->n_out; i++)
    if (k->out[i].put || k->out[i].pair || last * elt_bits((elt)k->out[i].type) % 32)
      return false;
  return true;
}

bool transpose_serves(const cg_task *t) {
  int64_t n[KIR_STRIDED_DIMS];
  if (t->kind != CG_TASK_MAP || t->small || t->k->n_strided != 1 || !t->strided)
    return false;
  if (t->k->out[0].put) return false;
  if (t->common->wide_index || shared_bytes(t->k) > MOST_SHARED) return false;
  if (shared_bytes(t->k) > t->choice->shared) return false;
  if (!axis_lengths(t, n) || input_axis(t, n) < 0) return false;
  return fills_words(t->k, n[t->k->strided[0] - 1]);
}

void transpose_passes(const cg_task *t, cg_passes *p) {
  int64_t n[KIR_STRIDED_DIMS], others = 1;
  cg_pass *s = cg_add_pass(p, t, CG_TRANSPOSE);
  transpose_geom *m = &s->geom.transpose;
  int last = t->k->strided[0] - 1;
  (void)axis_lengths(t, n);
  int axis = input_axis(t, n);
  for (int d = 0; d < last; d++)
    if (d != axis) others *= n[d];
  s->o.workgroup = CG_WORKGROUP;
  s->o.width = 1;
  s->o.transpose.axis = (uint32_t)axis;
  m->first = n[0];
  m->down = ceil_div(n[axis], SIDE);
  m->across = ceil_div(n[last], SIDE);
  s->geom.workgroups = others * m->down * m->across;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* An axis: its length, a step of the output and of the input, and where the workgroup is.
 * All u32, as positions are here. */
typedef struct turned_axis {
  uint32_t n, to, from, at;
} turned_axis;

typedef struct square {
  turned_axis axis[KIR_STRIDED_DIMS];
  int last, down;    /* numbers of the output's fastest axis and of the input's */
  uint32_t to, from; /* where its first element is */
  uint32_t x, y;     /* this thread's place */
  uint32_t shared[KIR_MAX_IN];
} square;

static kty shared_type(const kin *in) {
  kty t = kir_arg_type((elt)in->type);
  return t == KB ? KI32 : t;
}

static square find_square(cg *g) {
  square s = {.last = g->k->strided[0] - 1, .down = (int)g->o->transpose.axis};
  uint32_t wid = g->wid, to = spv_u32(g->b, 1);
  for (int d = s.last; d >= 0; d--) {
    turned_axis *a = &s.axis[d];
    a->to = to;
    a->from = g->strided[0][d][CG_STRIDED_STRIDE];
    if (d) a->n = g->strided[0][d][CG_STRIDED_N];
    else a->n = cg_slot_u32(g, CG_OWN_SLOT(transpose_geom, first));
    to = cg_u(g, SpvOpIMul, to, a->n);
  }
  uint32_t across = cg_slot_u32(g, CG_OWN_SLOT(transpose_geom, across));
  uint32_t down = cg_slot_u32(g, CG_OWN_SLOT(transpose_geom, down));
  s.axis[s.last].at = cg_ui(g, SpvOpIMul, cg_split(g, &wid, across), SIDE);
  s.axis[s.down].at = cg_ui(g, SpvOpIMul, cg_split(g, &wid, down), SIDE);
  for (int d = s.last; d-- > 0;)
    if (d != s.down) s.axis[d].at = cg_split(g, &wid, s.axis[d].n);
  s.to = s.from = spv_u32(g->b, 0);
  for (int d = 0; d <= s.last; d++) {
    const turned_axis *a = &s.axis[d];
    if (d == s.last || d == s.down) continue;
    s.to = cg_u(g, SpvOpIAdd, s.to, cg_u(g, SpvOpIMul, a->at, a->to));
    s.from = cg_u(g, SpvOpIAdd, s.from, cg_u(g, SpvOpIMul, a->at, a->from));
  }
  s.x = cg_ui(g, SpvOpBitwiseAnd, g->thread, SIDE - 1);
  s.y = cg_ui(g, SpvOpShiftRightLogical, g->thread, 5);
  return s;
}

/* Position i of the square along an axis, and that times the axis's step. */
static uint32_t along(cg *g, const turned_axis *a, uint32_t i, bool inside) {
  uint32_t at = cg_u(g, SpvOpIAdd, a->at, i),
           last = cg_u(g, SpvOpISub, a->n, spv_u32(g->b, 1));
  return inside ? cg_least(g, g->u32, at, last) : at;
}

/* Element (row, column) of the square of shared memory. */
static uint32_t shared_at(cg *g, uint32_t type, uint32_t array, uint32_t row,
                          uint32_t column) {
  uint32_t i = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, row, ACROSS), column);
  return cg_shared_ptr(g, type, array, i);
}

/* Input n's square: its rows are positions along the output's fastest axis. */
static void load_square(cg *g, square *s, uint32_t n) {
  const kin *in = &g->k->in[n];
  const turned_axis *down = &s->axis[s->down], *last = &s->axis[s->last];
  kty t = shared_type(in);
  uint32_t type = cg_scalar_type(g, t), v[EACH];
  s->shared[n] = spv_shared(g->b, type, SIDE * ACROSS);
  uint32_t column = cg_u(g, SpvOpIMul, along(g, down, s->x, true), down->from);
  column = cg_u(g, SpvOpIAdd, column, s->from);
  for (uint32_t r = 0; r < EACH; r++) {
    uint32_t y = cg_next(g, s->y, r * (SIDE / EACH));
    uint32_t i = cg_u(g, SpvOpIMul, along(g, last, y, true), last->from);
    i = cg_u(g, SpvOpIMul, cg_u(g, SpvOpIAdd, i, column), g->step[n]);
    i = cg_u(g, SpvOpIAdd, i, g->offset[n]);
    v[r] = cg_get_at(g, (elt)in->type, g->base[n], i);
  }
  for (uint32_t r = 0; r < EACH; r++) {
    uint32_t y = cg_next(g, s->y, r * (SIDE / EACH));
    uint32_t x = cg_cvt(g, v[r], kir_arg_type((elt)in->type), t);
    spv_do(g->b, SpvOpStore, shared_at(g, type, s->shared[n], y, s->x), x);
  }
}

/* The element of input n for (row s->x, column `y`). */
static uint32_t turned(cg *g, const square *s, uint32_t n, uint32_t y) {
  const kin *in = &g->k->in[n];
  kty t = shared_type(in);
  uint32_t type = cg_scalar_type(g, t);
  uint32_t v = spv_op(g->b, type, SpvOpLoad, shared_at(g, type, s->shared[n], s->x, y));
  return cg_cvt(g, v, t, kir_arg_type((elt)in->type));
}

/* The output's element at column `y` of the square. */
static void put_turned(cg *g, const square *s, uint32_t y) {
  const turned_axis *down = &s->axis[s->down], *last = &s->axis[s->last];
  uint32_t raw[KIR_MAX_IN] = {0}, i = along(g, down, y, false),
           j = along(g, last, s->x, false);
  uint32_t there = cg_both(g, cg_less(g, i, down->n), cg_less(g, j, last->n));
  uint32_t to = cg_u(g, SpvOpIAdd, s->to, cg_u(g, SpvOpIMul, i, down->to));
  to = cg_pick(g, g->u32, there, cg_u(g, SpvOpIAdd, to, j), g->len);
  cg_pos p = {.i = to, .tail = true};
  for (uint32_t n = 0; n < g->k->n_ins; n++) {
    uint32_t in = (uint32_t)g->k->ins[n].imm.i;
    if (g->k->ins[n].op != KOP_ARG || raw[in]) continue;
    if (g->k->in[in].view >= KV_STRIDED) raw[in] = turned(g, s, in, y);
    else raw[in] = cg_get_input(g, in, &p);
  }
  cg_range(g, 0, g->k->n_ins, &p, raw);
  cg_put_outputs(g, &p);
}

void transpose_emit(cg *g) {
  g->lanes = 1;
  g->packs = true;
  square s = find_square(g);
  for (uint32_t n = 0; n < g->k->n_in; n++)
    if (g->k->in[n].view >= KV_STRIDED && g->base[n]) load_square(g, &s, n);
  cg_barrier(g);
  for (uint32_t r = 0; r < EACH; r++)
    put_turned(g, &s, cg_next(g, s.y, r * (SIDE / EACH)));
}
