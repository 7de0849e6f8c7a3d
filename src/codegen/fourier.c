/* SPDX-License-Identifier: MIT */
/* fourier.c - the template of Fourier transforms: a pass takes some of the steps of tables/fourier.h, those
 * of a part of the length. The numbers of a row lie as length × rest × line, line being what is right
 * of the axis times the lengths of the parts before:
 *
 *   length × rest × line ─▶ tiles of some columns of rest × line ─▶ rest × length × line
 *
 * A workgroup has a tile: each of its columns, `length` numbers, takes the steps; between two of them the
 * numbers go through workgroup memory, real parts first, so that it holds twice as many. A thread has some
 * butterflies of a step, which it loads, or stores, itself in the first step and the last. Neighbouring threads
 * have neighbouring columns, or neighbours along a column where columns do not lie side by side.
 *
 * Places of workgroup memory are exchanged within groups of 16, so that threads that are 8 or 16 places apart
 * do not meet the same bank.
 *
 * TRIED on an H200, µs: two passes of 2^10 for 2^20 (used: three) 69.9, 69.3 as it is; with tiles of 4096 numbers, 32 KiB, 61.2; 2^19 so
 * 32.9 for 38.2; two of 2^11 for 2^22 198 for 149. Tiles of 1024 and of 4096, two columns each: none is faster. */
#include <assert.h>

#include "template.h"

#include "../base/arith.h"
#include "../tables/fourier.h"
#include "cg_arith.h"

enum {
  MOST_STEPS = 8,   /* of a pass: their radices are packed, 4 bits each */
  MOST_EACH = 8,    /* butterflies of a thread */
  TILE = 2048,      /* numbers of a workgroup */
  EACH = 16,        /* of a thread */
  SIDE_BY_SIDE = 8, /* columns that fill what memory gives at once */
  GROUP = 16,       /* places that are exchanged */
  ALONG_LOADS = 1,  /* neighbouring threads load along a column */
  ALONG_STORES = 2, /* they store so */
  NO_ROOTS = 3,     /* beside fourier_roots: of a last step */
  NUMBER_BYTES_LOG2 = 4
};

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool fourier_serves(const cg_task *t) { return t->kind == CG_TASK_FOURIER; }

/* How many numbers workgroup memory holds, each by one part. */
static int64_t tile_of(const cg_task *t) {
  int64_t most = min_i64(TILE, EACH * (int64_t)t->most_threads), fits = EACH;
  while (2 * fits <= most && 2 * fits * 8 <= t->choice->shared) fits *= 2;
  return fits;
}

/* Behind the last step that a pass takes from step i on. */
static int part_end(const cg_task *t, const fourier_plan *plan, int i) {
  int64_t length = plan->radix[i], most = tile_of(t);
  int first = i;
  while (!plan->ends[i] && i + 1 - first < MOST_STEPS &&
         length * plan->radix[i + 1] <= most)
    length *= plan->radix[++i];
  return i + 1;
}

/* Columns of a tile: as many as fit, but enough workgroups for the device. */
static int64_t columns_of(const cg_task *t, int64_t length, int64_t all) {
  int64_t n = 1, most = tile_of(t) / length;
  while (2 * n <= most && n < all) n *= 2;
  while (n > SIDE_BY_SIDE && ceil_div(all, n) < t->choice->busy) n /= 2;
  return n;
}

static void add_part(const cg_task *t, cg_passes *p, const fourier_plan *plan, int from,
                     int end) {
  cg_pass *s = cg_add_pass(p, t, CG_FOURIER);
  fourier_opts *o = &s->o.fourier;
  fourier_geom *m = &s->geom.fourier;
  int64_t length = 1;
  m->done = 1;
  for (int i = 0; i < from; i++) m->done *= plan->radix[i];
  for (int i = from; i < end; i++) {
    bool last = i + 1 == plan->n;
    uint32_t roots = last ? NO_ROOTS : fourier_roots_of(t->len, m->done * length);
    o->radices |= (plan->radix[i] - 1u) << (4 * (i - from));
    o->roots |= roots << (2 * (i - from));
    length *= plan->radix[i];
  }
  m->rest = t->len / (m->done * length);
  m->low = fourier_low(t->len);
  int64_t line = m->done * t->inner, all = t->rows * m->rest * line;
  int64_t columns = columns_of(t, length, all);
  o->columns = (uint32_t)columns;
  if (m->rest * line < SIDE_BY_SIDE) o->along |= ALONG_LOADS;
  if (line < SIDE_BY_SIDE) o->along |= ALONG_STORES;
  uint32_t unit = s->o.subgroup > 32 ? s->o.subgroup : 32;
  uint64_t threads = (uint64_t)ceil_div(length * columns, EACH);
  s->o.workgroup = (uint32_t)round_up_u64(threads, unit);
  while (s->o.workgroup > t->most_threads) s->o.workgroup -= unit;
  s->o.width = 1;
  s->o.from_partials = from > 0;
  s->geom.tiles = ceil_div(all, columns);
  s->geom.workgroups = s->geom.tiles;
}

void fourier_passes(const cg_task *t, cg_passes *p) {
  fourier_plan plan;
  bool is = fourier_plan_of(t->len, &plan);
  assert(is);
  (void)is;
  for (int i = 0, end; i < plan.n; i = end) {
    end = part_end(t, &plan, i);
    add_part(t, p, &plan, i, end);
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (i) p->at[i].from = i % 2 ? CG_OWN : CG_OWN_B;
    if (i + 1 < p->n) p->at[i].to = i % 2 ? CG_OWN_B : CG_OWN;
    if (i + 1 < p->n) p->own[i % 2] = t->rows * t->len * t->inner;
  }
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

#define V uint32_t
#define W cg *
#define ADD(w, a, b) cg_arith(w, KOP_ADD, KF64, a, b)
#define SUB(w, a, b) cg_arith(w, KOP_SUB, KF64, a, b)
#define MUL(w, a, b) cg_arith(w, KOP_MUL, KF64, a, b)
#define NEG(w, a) cg_neg(w, KF64, a)
#define OF(w, d) cg_real(w, KF64, d)
#include "../tables/fourier.def"

typedef struct transform {
  uint32_t f64, two; /* types: a real number, and two of them */
  uint32_t length, columns, steps;
  uint32_t radix[MOST_STEPS];
  uint32_t first, all;       /* ix: the tile's first column; columns there are */
  uint32_t done, rest, line; /* ix */
  uint32_t table, high;      /* u64: addresses of the roots, and of every so manieth */
  uint32_t
      pairs; /* u64: of the complex numbers that are read as they lie; 0: they are not */
  bool exchanged; /* their parts are */
  uint32_t shared;
} transform;

/* Is v twice the number of the element? */
static bool is_even_place(const kir *k, kv v) {
  const kins *in = &k->ins[v], *by = &k->ins[in->b], *of = &k->ins[in->a];
  if (in->op != KOP_MUL || by->op != KOP_CONST || by->imm.i != 2) return false;
  if (of->op == KOP_CVT) of = &k->ins[of->a];
  return of->op == KOP_NUMBER || of->op == KOP_IOTA;
}

/* Are v and w the parts of element i of one array, real and imaginary? */
static bool are_parts(const kir *k, kv v, kv w) {
  const kins *re = &k->ins[v], *im = &k->ins[w];
  if (re->op != KOP_GET || im->op != KOP_GET || re->imm.i != im->imm.i) return false;
  const kins *at = &k->ins[im->a];
  return at->op == KOP_ADD && at->a == re->a && is_even_place(k, re->a);
}

/* Pairs that lie side by side are loaded by one instruction. */
static void find_pairs(cg *g, transform *s) {
  const kir *k = g->k;
  kv re = k->acc[0].from, im = k->acc[1].from;
  s->exchanged = are_parts(k, im, re);
  if (!g->o->from_partials && (s->exchanged || are_parts(k, re, im)))
    s->pairs = cg_slot(g, CG_SLOT_INPUTS + 3u * (uint32_t)k->ins[re].imm.i);
}

/* A butterfly of this thread in a step: its number in the column (u32), the column of the tile (u32), is it
 * there (bool; 0: surely), and its numbers. */
typedef struct butterfly {
  uint32_t at, column, is;
  fourier_number v[FOURIER_RADIX];
} butterfly;

/* Where the column is (ix): rest and row × rest × line, and is it there (bool). */
typedef struct column_place {
  uint32_t j, q, row, is;
} column_place;

static const fourier_opts *opts(const cg *g) { return &g->o->fourier; }

static void open_transform(cg *g, transform *s) {
  const fourier_opts *o = opts(g);
  *s = (transform){.length = 1, .columns = o->columns};
  for (uint32_t left = o->radices; left; left >>= 4)
    s->length *= s->radix[s->steps++] = (left & 15) + 1;
  s->f64 = cg_scalar_type(g, KF64);
  s->two = spv_vec(g->b, s->f64, 2);
  s->done = cg_slot_ix(g, CG_OWN_SLOT(fourier_geom, done));
  s->rest = cg_slot_ix(g, CG_OWN_SLOT(fourier_geom, rest));
  uint32_t inner = cg_slot_ix(g, CG_SLOT_INNER), rows = cg_slot_ix(g, CG_SLOT_ROWS);
  s->line = cg_x(g, SpvOpIMul, s->done, inner);
  s->all = cg_x(g, SpvOpIMul, rows, cg_x(g, SpvOpIMul, s->rest, s->line));
  uint32_t wid = cg_to_ix(g, g->wid);
  s->first = cg_x(g, SpvOpIMul, wid, cg_ixc(g, s->columns));
  s->table = cg_slot(g, CG_SLOT_INPUTS + 3u * g->k->roots);
  uint32_t low = cg_slot_ix(g, CG_OWN_SLOT(fourier_geom, low));
  s->high = cg_addr(g, s->table, low, NUMBER_BYTES_LOG2);
  if (s->steps > 1)
    s->shared = spv_shared(
        g->b, s->f64, (uint32_t)round_up_u64((uint64_t)s->length * s->columns, GROUP));
  find_pairs(g, s);
  cg_flat(g);
}

/* *v ÷ by, u32; the remainder. */
static uint32_t split_by(cg *g, uint32_t *v, uint32_t by) {
  uint32_t rest = by == 1 ? spv_u32(g->b, 0) : cg_ui(g, SpvOpUMod, *v, by);
  if (by > 1) *v = cg_ui(g, SpvOpUDiv, *v, by);
  return rest;
}

static uint32_t is_along(const cg *g, const transform *s, uint32_t step) {
  return opts(g)->along & (step + 1 == s->steps ? ALONG_STORES : ALONG_LOADS);
}

static uint32_t each_of(const cg *g, const transform *s, uint32_t step) {
  uint32_t all = s->length / s->radix[step] * s->columns;
  return (all + g->o->workgroup - 1) / g->o->workgroup;
}

/* Which butterflies of the step this thread has. */
static void find_butterflies(cg *g, const transform *s, uint32_t step, butterfly *b) {
  uint32_t a_column = s->length / s->radix[step], all = a_column * s->columns;
  for (uint32_t i = 0; i < each_of(g, s, step); i++) {
    uint32_t id = cg_next(g, g->thread, i * g->o->workgroup);
    b[i].is = 0;
    if ((i + 1) * g->o->workgroup > all) {
      b[i].is = cg_less(g, id, spv_u32(g->b, all));
      id = cg_least(g, g->u32, id, spv_u32(g->b, all - 1));
    }
    uint32_t other = id;
    if (is_along(g, s, step)) {
      b[i].at = split_by(g, &other, a_column);
      b[i].column = other;
    } else {
      b[i].column = split_by(g, &other, s->columns);
      b[i].at = other;
    }
  }
}

static uint32_t split_ix(cg *g, uint32_t *v, uint32_t by) {
  uint32_t quotient = cg_x(g, SpvOpUDiv, *v, by);
  uint32_t rest = cg_x(g, SpvOpISub, *v, cg_x(g, SpvOpIMul, quotient, by));
  *v = quotient;
  return rest;
}

/* Beyond the last column it is that one. */
static column_place find_column(cg *g, const transform *s, uint32_t column) {
  column_place c;
  uint32_t at = cg_x(g, SpvOpIAdd, s->first, cg_to_ix(g, column));
  c.is = cg_less(g, at, s->all);
  c.row = cg_pick(g, g->ix, c.is, at, cg_x(g, SpvOpISub, s->all, cg_ixc(g, 1)));
  c.q = split_ix(g, &c.row, s->line);
  c.j = split_ix(g, &c.row, s->rest);
  return c;
}

/* The column's first number where numbers are rest × line apart, or `apart` lines, behind one another:
 * (row × length × rest + j) × line + q, or, with j times `apart`. */
static uint32_t first_number(cg *g, const transform *s, const column_place *c,
                             uint32_t apart) {
  uint32_t at = cg_x(g, SpvOpIMul, c->row, s->rest);
  at = cg_x(g, SpvOpIMul, at, cg_ixc(g, s->length / apart));
  at = cg_x(g, SpvOpIAdd, at, c->j);
  at = cg_x(g, SpvOpIMul, at, cg_ixc(g, apart));
  return cg_x(g, SpvOpIAdd, cg_x(g, SpvOpIMul, at, s->line), c->q);
}

static fourier_number load_two(cg *g, const transform *s, uint32_t base, uint32_t at) {
  uint32_t v = cg_load(g, s->two, cg_addr(g, base, at, NUMBER_BYTES_LOG2), 16);
  fourier_number r;
  r.re = spv_op(g->b, s->f64, SpvOpCompositeExtract, v, 0);
  r.im = spv_op(g->b, s->f64, SpvOpCompositeExtract, v, 1);
  return r;
}

static fourier_number load_pair(cg *g, const transform *s, uint32_t at) {
  fourier_number v = load_two(g, s, s->pairs, at);
  return s->exchanged ? (fourier_number){v.im, v.re} : v;
}

static void load_butterfly(cg *g, const transform *s, butterfly *b) {
  uint32_t raw[FOURIER_RADIX][KIR_MAX_IN], r = s->radix[0];
  column_place c = find_column(g, s, b->column);
  uint32_t next = cg_x(g, SpvOpIMul, s->rest, s->line);
  uint32_t at = first_number(g, s, &c, 1);
  at = cg_x(g, SpvOpIAdd, at, cg_x(g, SpvOpIMul, cg_to_ix(g, b->at), next));
  next = cg_x(g, SpvOpIMul, next, cg_ixc(g, s->length / r));
  cg_pos p[FOURIER_RADIX];
  for (uint32_t i = 0; i < r; i++) {
    p[i] = (cg_pos){.i = at};
    at = cg_x(g, SpvOpIAdd, at, next);
    if (g->o->from_partials) b->v[i] = load_two(g, s, g->from, p[i].i);
    else if (s->pairs) b->v[i] = load_pair(g, s, p[i].i);
    else cg_load_raw(g, 0, g->k->fold_at, &p[i], raw[i]);
  }
  for (uint32_t i = 0; i < r && !g->o->from_partials && !s->pairs; i++) {
    cg_acc v = cg_source(g, &p[i], raw[i]);
    b->v[i] = (fourier_number){v.id[0], v.id[2]};
  }
}

/* Root number e (ix) of those that a step has. */
static fourier_number root_of(cg *g, const transform *s, uint32_t roots, uint32_t e) {
  uint32_t high = cg_x(g, SpvOpShiftRightLogical, e, cg_ixc(g, FOURIER_LOW));
  if (roots == FOURIER_IS_LOW) return load_two(g, s, s->table, e);
  if (roots == FOURIER_IS_HIGH) return load_two(g, s, s->high, high);
  uint32_t low = cg_x(g, SpvOpBitwiseAnd, e, cg_ixc(g, (1 << FOURIER_LOW) - 1));
  fourier_number a = load_two(g, s, s->table, low);
  fourier_number b = load_two(g, s, s->high, high);
  return fourier_times(g, a, b);
}

/* The step's butterfly; before: the product of the radices of the pass that were before. */
static void take_step(cg *g, const transform *s, uint32_t step, uint32_t before,
                      butterfly *b) {
  uint32_t r = s->radix[step], roots = opts(g)->roots >> (2 * step) & 3;
  fourier_number root[FOURIER_RADIX];
  fourier_butterfly(g, (int)r, b->v);
  if (roots == NO_ROOTS) return;
  column_place c = find_column(g, s, b->column);
  uint32_t j = b->at;
  (void)split_by(g, &j, before);
  uint32_t e = cg_x(g, SpvOpIMul, cg_to_ix(g, j), s->rest);
  e = cg_x(g, SpvOpIAdd, e, c.j);
  e = cg_x(g, SpvOpIMul, e, cg_x(g, SpvOpIMul, s->done, cg_ixc(g, before)));
  for (uint32_t k = 1; k < r; k *= 2) {
    root[k] = root_of(g, s, roots, e);
    e = cg_x(g, SpvOpIAdd, e, e);
  }
  fourier_turn(g, (int)r, b->v, root);
}

/* Where in workgroup memory number i (u32) of a column of the tile is. */
static uint32_t shared_place(cg *g, const transform *s, uint32_t i, uint32_t column) {
  uint32_t at;
  if (opts(g)->along == (ALONG_LOADS | ALONG_STORES))
    at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, column, s->length), i);
  else at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, i, s->columns), column);
  uint32_t by = cg_ui(g, SpvOpShiftRightLogical, at, 4);
  by = cg_ui(g, SpvOpBitwiseAnd, by, GROUP - 1);
  at = cg_u(g, SpvOpBitwiseXor, at, by);
  return cg_shared_ptr(g, s->f64, s->shared, at);
}

static void put_part(cg *g, const transform *s, uint32_t step, uint32_t before,
                     const butterfly *b, bool im) {
  uint32_t r = s->radix[step], j = b->at;
  uint32_t merge = b->is ? spv_if(g->b, b->is) : 0;
  uint32_t q = split_by(g, &j, before);
  uint32_t at = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, j, r * before), q);
  for (uint32_t k = 0; k < r; k++) {
    uint32_t v = im ? b->v[k].im : b->v[k].re;
    uint32_t to = shared_place(g, s, cg_next(g, at, k * before), b->column);
    spv_do(g->b, SpvOpStore, to, v);
  }
  if (merge) spv_endif(g->b, merge);
}

static void get_part(cg *g, const transform *s, uint32_t step, butterfly *b, bool im) {
  uint32_t r = s->radix[step], apart = s->length / r;
  for (uint32_t k = 0; k < r; k++) {
    uint32_t from = shared_place(g, s, cg_next(g, b->at, k * apart), b->column);
    uint32_t v = spv_op(g->b, s->f64, SpvOpLoad, from);
    if (im) b->v[k].im = v;
    else b->v[k].re = v;
  }
}

/* From what the threads have behind a step to what they have before the next one. */
static void exchange(cg *g, const transform *s, uint32_t step, uint32_t before,
                     const butterfly *b, butterfly *next) {
  uint32_t n = each_of(g, s, step), m = each_of(g, s, step + 1);
  find_butterflies(g, s, step + 1, next);
  for (int im = 0; im < 2; im++) {
    if (im || step) cg_barrier(g);
    for (uint32_t i = 0; i < n; i++) put_part(g, s, step, before, &b[i], im);
    cg_barrier(g);
    for (uint32_t i = 0; i < m; i++) get_part(g, s, step + 1, &next[i], im);
  }
}

static void store_number(cg *g, const transform *s, uint32_t at, fourier_number v) {
  if (g->o->final) {
    cg_pos p = {.i = at};
    cg_finish(g, 0, &p, (cg_acc){{v.re, 0, v.im}}, 0);
    return;
  }
  uint32_t both = spv_op(g->b, s->two, SpvOpCompositeConstruct, v.re, v.im);
  uint32_t to = cg_addr(g, cg_slot(g, CG_SLOT_TO), at, NUMBER_BYTES_LOG2);
  cg_store(g, s->two, to, both, 16);
}

static void store_butterfly(cg *g, const transform *s, const butterfly *b) {
  uint32_t r = s->radix[s->steps - 1];
  column_place c = find_column(g, s, b->column);
  uint32_t is = b->is ? cg_both(g, c.is, b->is) : c.is, merge = spv_if(g->b, is);
  uint32_t at = first_number(g, s, &c, s->length);
  at = cg_x(g, SpvOpIAdd, at, cg_x(g, SpvOpIMul, cg_to_ix(g, b->at), s->line));
  uint32_t next = cg_x(g, SpvOpIMul, s->line, cg_ixc(g, s->length / r));
  for (uint32_t k = 0; k < r; k++) {
    store_number(g, s, at, b->v[k]);
    at = cg_x(g, SpvOpIAdd, at, next);
  }
  spv_endif(g->b, merge);
}

void fourier_emit(cg *g) {
  transform s;
  butterfly b[2][MOST_EACH];
  uint32_t before = 1;
  g->lanes = 1;
  open_transform(g, &s);
  find_butterflies(g, &s, 0, b[0]);
  for (uint32_t i = 0; i < each_of(g, &s, 0); i++) load_butterfly(g, &s, &b[0][i]);
  for (uint32_t step = 0; step < s.steps; step++) {
    butterfly *now = b[step % 2];
    for (uint32_t i = 0; i < each_of(g, &s, step); i++)
      take_step(g, &s, step, before, &now[i]);
    if (step + 1 < s.steps) exchange(g, &s, step, before, now, b[1 - step % 2]);
    before *= s.radix[step];
  }
  for (uint32_t i = 0; i < each_of(g, &s, s.steps - 1); i++)
    store_butterfly(g, &s, &b[(s.steps - 1) % 2][i]);
}
