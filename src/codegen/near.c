/* SPDX-License-Identifier: MIT */
/* near.c - the map template for matrices of which an element's neighbours are read, too.
 *
 * A thread has a few rows of four columns (of one where the rows do not begin at quads). It loads
 * what all NEARs of these elements read, each once, all first, and then computes row after
 * row from registers:
 *
 *     rows   a thread's own, and as many above and below as NEARs reach
 *     row    l │ c c c c │ r      a quad, and single elements beside it
 *
 * So 16 sums of 3 × 3 take 18 loads. What several threads load comes from the cache: of a warp,
 * 32 quads side by side, and of the workgroup, 8 such below one another. */
#include "template.h"

#include "../base/arith.h"
#include "cg_arith.h"

#include <assert.h>

enum { ACROSS = 32, DOWN = CG_WORKGROUP / ACROSS }; /* threads of a workgroup */
enum { MOST_ROWS = 8, SPAN = MOST_ROWS + 2 * KIR_FAR, LINE = 4 + 2 * KIR_FAR };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

static bool has_long_elements(const kir *k) {
  for (uint32_t i = 0; i < k->n_in; i++)
    if (elt_bits((elt)k->in[i].type) == 64) return true;
  for (uint32_t i = 0; i < k->n_out; i++)
    if (elt_bits((elt)k->out[i].type) == 64) return true;
  return false;
}

bool near_serves(const cg_task *t) {
  return t->kind == CG_TASK_MAP && kir_has_near(t->k);
}

void near_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_NEAR);
  near_opts *o = &s->o.near;
  s->o.width = t->columns % 4 || has_long_elements(t->k) ? 1 : 4;
  s->o.workgroup = CG_WORKGROUP;
  o->rows = s->o.width == 4 ? 4 : MOST_ROWS;
  if (t->k->n_ins > 2 * CG_LONG_PRODUCER) o->rows /= 2;
  if (t->k->n_ins > 2 * CG_VERY_LONG_PRODUCER) o->rows /= 2;
  s->geom.near.across = ceil_div(t->columns, ACROSS * s->o.width);
  s->geom.workgroups =
      s->geom.near.across * ceil_div(t->len / t->columns, DOWN * o->rows);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* What NEARs of an input reach, and the elements of the thread's rows as scalars. */
typedef struct near_input {
  uint32_t number;
  int up, down, left, right;
  uint32_t at[SPAN][LINE]; /* row from `up` on; column from KIR_FAR before the first on */
} near_input;

typedef struct near {
  near_input in[KIR_MAX_NEAR];
  uint32_t n;
  uint32_t rows, columns; /* ix: of the matrix */
  uint32_t row, column;   /* ix: the thread's first */
} near;

static int most(int a, int b) { return a > b ? a : b; }

static near_input *input_of(near *z, uint32_t number) {
  uint32_t i = 0;
  while (i < z->n && z->in[i].number != number) i++;
  assert(i < KIR_MAX_NEAR);
  if (i == z->n) z->in[z->n++] = (near_input){.number = number};
  return &z->in[i];
}

static void find_reach(const cg *g, near *z) {
  for (uint32_t n = 0; n < g->k->n_ins; n++) {
    int64_t imm = g->k->ins[n].imm.i;
    if (g->k->ins[n].op != KOP_NEAR) continue;
    near_input *in = input_of(z, knear_in(imm));
    in->up = most(in->up, -knear_down(imm));
    in->down = most(in->down, knear_down(imm));
    in->left = most(in->left, -knear_right(imm));
    in->right = most(in->right, knear_right(imm));
  }
}

static void find_place(cg *g, near *z) {
  uint32_t first = z->in[0].number, down = g->wid;
  z->columns = g->offset[first];
  z->rows = g->step[first];
  uint32_t across = cg_split(g, &down, cg_slot_u32(g, CG_OWN_SLOT(near_geom, across)));
  uint32_t x = cg_ui(g, SpvOpBitwiseAnd, g->thread, ACROSS - 1);
  uint32_t y = cg_ui(g, SpvOpUDiv, g->thread, ACROSS);
  x = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, across, ACROSS), x);
  y = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, down, DOWN), y);
  z->column = cg_to_ix(g, cg_ui(g, SpvOpIMul, x, g->o->width));
  z->row = cg_to_ix(g, cg_ui(g, SpvOpIMul, y, g->o->near.rows));
}

/* a + by, which may be before the first: then it is beyond the last, too. */
static uint32_t beside(cg *g, uint32_t a, int by) {
  uint64_t n = (uint64_t)(int64_t)by;
  if (g->ix == g->u32) n &= UINT32_MAX;
  return by ? cg_x(g, SpvOpIAdd, a, cg_ixc(g, n)) : a;
}

/* a, or the last of `of` where there are not so many. */
static uint32_t inside(cg *g, uint32_t a, uint32_t of) {
  return cg_least(g, g->ix, a, cg_x(g, SpvOpISub, of, cg_ixc(g, 1)));
}

static uint32_t fill_of(cg *g, elt t) {
  kty ty = kir_arg_type(t);
  if (kty_is_float(ty)) return cg_real(g, ty, 0);
  return cg_int(g, ty, elt_is_char(t) ? ' ' : 0);
}

/* The quad of a row that begins at `line`; is: the row exists. */
static void load_quad(cg *g, const near *z, near_input *in, uint32_t line, uint32_t is,
                      uint32_t *to) {
  elt t = (elt)g->k->in[in->number].type;
  kty ty = kir_arg_type(t);
  uint32_t last = cg_x(g, SpvOpISub, z->columns, cg_ixc(g, 4));
  cg_pos p = {.i = cg_x(g, SpvOpIAdd, line, cg_least(g, g->ix, z->column, last))};
  uint32_t v = cg_get(g, t, g->base[in->number], &p);
  v = cg_sel(g, ty, cg_splat(g, KB, is), v, fill_of(g, t));
  for (uint32_t j = 0; j < 4; j++) to[j] = cg_part(g, ty, v, j);
}

/* The element `by` columns from the thread's first. */
static uint32_t load_one(cg *g, const near *z, near_input *in, uint32_t line, uint32_t is,
                         int by) {
  elt t = (elt)g->k->in[in->number].type;
  uint32_t lanes = g->lanes, column = beside(g, z->column, by);
  uint32_t at = cg_x(g, SpvOpIAdd, line, inside(g, column, z->columns));
  g->lanes = 1;
  is = cg_both(g, is, cg_less(g, column, z->columns));
  uint32_t v = cg_get_at(g, t, g->base[in->number], at);
  v = cg_sel(g, kir_arg_type(t), is, v, fill_of(g, t));
  g->lanes = lanes;
  return v;
}

static void load_row(cg *g, const near *z, near_input *in, int down) {
  uint32_t row = beside(g, z->row, down), is = cg_less(g, row, z->rows);
  uint32_t line = cg_x(g, SpvOpIMul, inside(g, row, z->rows), z->columns);
  uint32_t *to = in->at[down + in->up] + KIR_FAR;
  int wide = (int)g->o->width;
  if (wide == 4) load_quad(g, z, in, line, is, to);
  else to[0] = load_one(g, z, in, line, is, 0);
  for (int by = 1; by <= in->left; by++) to[-by] = load_one(g, z, in, line, is, -by);
  for (int by = wide; by < wide + in->right; by++)
    to[by] = load_one(g, z, in, line, is, by);
}

/* What the NEARs of the thread's row k read. */
static void set_values(cg *g, near *z, uint32_t k) {
  for (uint32_t n = 0; n < g->k->n_ins; n++) {
    const kins *i = &g->k->ins[n];
    if (i->op != KOP_NEAR) continue;
    const near_input *in = input_of(z, knear_in(i->imm.i));
    kty ty = kir_arg_type((elt)g->k->in[in->number].type);
    int row = (int)k + knear_down(i->imm.i) + in->up;
    uint32_t v = cg_join(g, ty, &in->at[row][knear_right(i->imm.i) + KIR_FAR]);
    g->val[n] = cg_cvt(g, v, ty, (kty)i->ty);
  }
}

void near_emit(cg *g) {
  uint32_t raw[MOST_ROWS][KIR_MAX_IN], rows = g->o->near.rows;
  cg_pos p[MOST_ROWS];
  near z = {.n = 0};
  find_reach(g, &z);
  find_place(g, &z);
  g->lanes = g->o->width;
  g->packs = true;
  uint32_t there = cg_less(g, z.column, z.columns);
  for (uint32_t k = 0; k < rows; k++) {
    uint32_t line = cg_x(g, SpvOpIMul, cg_beyond(g, z.row, k), z.columns);
    uint32_t i = cg_x(g, SpvOpIAdd, line, z.column);
    p[k] = (cg_pos){.i = cg_pick(g, g->ix, there, i, g->len), .tail = true};
    cg_load_raw(g, 0, g->k->n_ins, &p[k], raw[k]);
  }
  for (uint32_t i = 0; i < z.n; i++)
    for (int d = -z.in[i].up; d < (int)rows + z.in[i].down; d++)
      load_row(g, &z, &z.in[i], d);
  for (uint32_t k = 0; k < rows; k++) {
    set_values(g, &z, k);
    cg_range(g, 0, g->k->n_ins, &p[k], raw[k]);
    cg_put_outputs(g, &p[k]);
  }
}
