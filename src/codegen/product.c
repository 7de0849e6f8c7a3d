/* SPDX-License-Identifier: MIT */
/* product.c - x f.g y: a workgroup makes a tile of the result, a thread some rows × columns of it
 * in registers, of tiles of x and y that go through workgroup memory.
 *
 *        y   k ▼ ┌──────┐ columns        for each bk of k:
 *   x  k ▶       │ bk×bn│                  load the next tiles of x and y into registers
 *     ┌─────┐    └──────┘                  bk steps: f of tm × tn results and x g y
 *     │bm×bk│    ┌──────┐                  store what was loaded to the other buffer, barrier
 *     └─────┘    │ bm×bn│
 *      rows      └──────┘ the result
 *
 * Sums along k have the order of prim/product.h: in blocks, which may be parts, a workgroup
 * each, where the result is small; PRODUCT_JOIN folds these.
 *
 * What the kernel computes of x or y alone it does once, on the way to workgroup memory; the rest
 * for every x g y. A thread's rows come in vectors of 16 bytes, and those of its subgroup in
 * squares of four threads, so that neighbours read neighbouring vectors. Lanes of a load lie
 * along the axis in which the argument's neighbours lie. The last tile of some begins before its
 * place, and makes results again; of fewer rows than a tile's the last one is read again, and not
 * stored. The last steps, fewer than bk, are a loop of their own. */
#include "template.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

#include "../base/arith.h"
#include "arith.h"

enum { LEFT, RIGHT, SIDES };
enum { ROWS_ABREAST = 8, COLUMNS_ABREAST = 4 }; /* threads of 32 */
enum { MOST_TILE = 8, MOST_LOADS = 16, LONG_STEP = 24 };

/* ── what is computed where ─────────────────────────────────────────────────────────── */

/* By instruction: of no argument, of x, of y, of both (bits 1 and 2). */
typedef struct parting {
  uint8_t of[KIR_MAX_INS];
  kv bound[SIDES]; /* what workgroup memory has of x and of y */
  uint32_t in[SIDES];
  uint32_t steps; /* instructions of every x g y */
  bool loops, position;
} parting;

static uint8_t part_of(const kir *k, const kins *n, const uint8_t *of) {
  if (n->op == KOP_ARG) return (uint8_t)(1 << (k->in[n->imm.i].view - KV_STRIDED));
  if (n->op == KOP_IOTA || n->op == KOP_LOOP) return 3;
  const kv v[3] = {n->a, n->b, n->c};
  uint8_t all = 0;
  for (int j = 0; j < kop_table[n->op].operands; j++) all |= of[v[j]];
  return all;
}

/* Makes `bound` for a side; false: more than one value of it is asked for. */
static bool find_bound(const kir *k, parting *p, int side) {
  uint8_t mine = (uint8_t)(1 << side);
  uint32_t n = 0;
  for (uint32_t i = 0; i <= k->fold_at; i++) {
    const kins *at = &k->ins[i];
    const kv v[3] = {at->a, at->b, at->c};
    if (i < k->fold_at && p->of[i] != 3) continue;
    for (int j = 0; j < kop_table[at->op].operands; j++) {
      if (p->of[v[j]] != mine || (n && p->bound[side] == v[j])) continue;
      p->bound[side] = v[j];
      n++;
    }
  }
  return n <= 1;
}

static void part(const kir *k, parting *p) {
  memset(p, 0, sizeof *p);
  for (uint32_t i = 0; i < k->fold_at; i++) {
    const kins *n = &k->ins[i];
    p->of[i] = part_of(k, n, p->of);
    p->loops |= n->op == KOP_LOOP;
    p->position |= n->op == KOP_IOTA;
    if (n->op == KOP_ARG) p->in[k->in[n->imm.i].view - KV_STRIDED] = (uint32_t)n->imm.i;
  }
  for (uint32_t i = 0; i < k->fold_at;
       i++) /* half the memory, and a product of halves is quick */
    if (k->ins[i].op == KOP_CVT && k->ins[i].ty == KI64 && k->ins[k->ins[i].a].ty == KI32)
      p->of[i] = p->of[i] ? 3 : 0;
  for (int side = 0; side < SIDES; side++) {
    if (find_bound(k, p, side)) continue;
    for (uint32_t i = 0; i < k->fold_at; i++) /* what is made of it is made of both */
      if (p->of[i] == 1 << side && k->ins[i].op != KOP_ARG) p->of[i] = 3;
    (void)find_bound(k, p, side);
  }
  for (uint32_t i = 0; i < k->fold_at; i++) p->steps += p->of[i] == 3;
}

static kty shared_type(const kir *k, const parting *p, int side) {
  kty t = (kty)k->ins[p->bound[side]].ty;
  return t == KB ? KI32 : t;
}

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool product_serves(const cg_task *t) { return t->kind == CG_TASK_FOLD && t->k->product; }

static uint32_t threads_of(const cg_tile *s) { return s->bm / s->tm * (s->bn / s->tn); }

/* Memory is what a result of a few columns, or rows, waits for. */
enum { THIN_COLUMNS = 4, THIN_ROWS = 8 };
static bool is_thin(const cg_task *t) {
  return t->inner <= THIN_COLUMNS || t->strided->n[1] <= THIN_ROWS;
}

/* Where little is done a short module is worth more. bound: bytes of the larger of x and y. */
static cg_tiles kind_of(const cg_task *t, const parting *p, uint32_t bound) {
  int result = cg_acc_bytes(t->k);
  bool few = t->inner <= THIN_COLUMNS;
  if (t->small || p->steps > LONG_STEP || p->loops) return CG_TILES_MUCH;
  if (is_thin(t) && (bound > 4 || result > 8))
    return few ? CG_TILES_COLUMNS_8 : CG_TILES_ROWS_8;
  if (is_thin(t)) return few ? CG_TILES_COLUMNS : CG_TILES_ROWS;
  if (result > 8) return CG_TILES_WIDE;
  if (bound > 4) return CG_TILES_DOUBLES;
  return result > 4 ? CG_TILES_SUMS : CG_TILES_WORDS;
}

/* Workgroups that keep a device busy, with arithmetic or with loads. */
static int64_t busy(const cg_task *t) {
  int64_t n = t->choice->busy;
  return is_thin(t) ? 8 * n : n;
}
static const int64_t most_parts_bytes = INT64_C(1) << 30;

static bool has_no_order(const kir *k) { return k->fast || cg_fold_exact(k); }

typedef struct cut {
  int64_t down, across, groups; /* tiles; workgroups without parts */
  int64_t parts, chunk;         /* of k */
} cut;

static cut cut_by(const cg_task *t, const cg_tile *s) {
  int64_t m = t->strided->n[1], n = t->inner;
  cut c = {.down = ceil_div(m, s->bm), .across = ceil_div(n, s->bn), .parts = 1};
  c.groups = c.down * c.across * (t->rows / m);
  c.chunk = t->len;
  if (c.groups >= busy(t) || t->len <= PRODUCT_BLOCK) return c;
  int64_t blocks = ceil_div(t->len, PRODUCT_BLOCK), each = 1;
  if (has_no_order(t->k)) each = ceil_div(blocks, ceil_div(4 * busy(t), c.groups));
  int64_t parts = ceil_div(blocks, each);
  if (t->rows * n > most_parts_bytes / cg_acc_bytes(t->k) / parts) return c;
  c.parts = parts;
  c.chunk = each * PRODUCT_BLOCK;
  return c;
}

static void join_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_PRODUCT);
  s->o.product.phase = PRODUCT_JOIN;
  s->o.width = 1;
  s->o.workgroup = CG_WORKGROUP;
  s->geom.workgroups = ceil_div(t->rows * t->inner, CG_WORKGROUP);
}

/* Do tiles of this shape keep the device busy, and not with what is beyond the result? */
static bool is_enough(const cg_task *t, const cg_tile *s, const cut *c) {
  int64_t some = t->choice->busy;
  if (threads_of(s) > t->most_threads) return false;
  if (s->bm >= 2 * t->strided->n[1] || s->bn >= 2 * t->inner) return false;
  return c->groups >= some || c->groups * c->parts >= 2 * some;
}

static cg_tile choose_tile(const cg_task *t, cut *c) {
  int n;
  parting p;
  part(t->k, &p);
  uint32_t result = (uint32_t)cg_acc_bytes(t->k);
  uint32_t bound = (uint32_t)max_i64(kty_bytes(shared_type(t->k, &p, LEFT)),
                                     kty_bytes(shared_type(t->k, &p, RIGHT)));
  const cg_tile *list = cg_tiles_of(kind_of(t, &p, bound), &n);
  for (;;) {
    cg_tile s = cg_tile_within(t->choice, *list++, result, bound);
    *c = cut_by(t, &s);
    if (--n == 0 || is_enough(t, &s, c)) return s;
  }
}

void product_passes(const cg_task *t, cg_passes *p) {
  if (t->from_partials) {
    join_passes(t, p);
    return;
  }
  cut c;
  cg_tile shape = choose_tile(t, &c);
  const cg_tile *s = &shape;
  cg_pass *pass = cg_add_pass(p, t, CG_PRODUCT);
  product_opts *o = &pass->o.product;
  *o = (product_opts){PRODUCT_TILES, s->bm, s->bn, s->bk, s->tm, s->tn, 0, 0};
  if (!has_no_order(t->k) && c.chunk > PRODUCT_BLOCK) o->blocks = PRODUCT_BLOCK / s->bk;
  const kstrided *x = t->strided, *y = t->right;
  if (x->stride[2] == 1 || x->stride[1] != 1) o->along |= 1 << LEFT;
  if (y->stride[3] != 1 && y->stride[2] == 1) o->along |= 1 << RIGHT;
  if (x->n[1] >= s->bm) o->along |= 1 << (SIDES + LEFT);
  if (t->inner >= s->bn) o->along |= 1 << (SIDES + RIGHT);
  pass->o.width = 1;
  pass->o.workgroup = threads_of(s);
  pass->geom.product = (product_geom){c.down, c.across, c.chunk};
  pass->geom.tiles = p->tiles = c.parts;
  pass->geom.workgroups = c.groups * c.parts;
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* Of x the lines are rows, of y columns. */
typedef struct side {
  int number;
  uint32_t in;
  elt type;
  kty t;                     /* in workgroup memory */
  uint32_t tile, each, vec;  /* lines of the tile, of a thread; elements of a vector */
  uint32_t loads;            /* of a thread */
  bool along;                /* neighbouring threads load along k, else along lines */
  bool inside;               /* all lines of the tile are there */
  uint32_t apart;            /* u64: from load to load of a thread, where it is inside */
  uint32_t base, line, step; /* u64: element of the part's first place; strides */
  uint32_t first, last;      /* u32: the tile's first line, the last that there is */
  uint32_t shared, vec_type; /* its two buffers */
  uint32_t stride;           /* vectors from place to place of k */
  uint32_t own;              /* u32: this thread's first vector */
  uint32_t at[MOST_LOADS];   /* variables, u64: addresses or elements to be loaded next */
  uint32_t raw[MOST_LOADS];  /* loaded: elements as workgroup memory has them */
} side;

typedef struct tiles {
  parting part;
  side of[SIDES];
  uint32_t bk, rows, columns; /* u32: lengths of the result */
  uint32_t batch, piece;      /* u32 */
  uint32_t k0, full, rest;    /* u32: first place; whole tiles; places behind them */
  bool contracts;
  cg_var acc[MOST_TILE][MOST_TILE], all[MOST_TILE][MOST_TILE];
} tiles;

static uint32_t mul64(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u64, SpvOpIMul, a, b);
}
static uint32_t add64(cg *g, uint32_t a, uint32_t b) {
  return spv_op(g->b, g->u64, SpvOpIAdd, a, b);
}
static uint32_t to64(cg *g, uint32_t u32) {
  return spv_op(g->b, g->u64, SpvOpUConvert, u32);
}

static const product_opts *opts(const cg *g) { return &g->o->product; }

/* Elements below 32 bits have a number, others an address. */
static bool is_narrow(const side *s) { return elt_bits(s->type) < 32; }
static uint32_t log_bytes(const side *s) {
  return is_narrow(s) ? 0 : cg_log2((uint32_t)elt_bits(s->type) / 8);
}

/* Where a load begins: the element at place k (u32) of the part, of line `line` (u32). */
static uint32_t place_at(cg *g, const side *s, uint32_t line, uint32_t k) {
  uint32_t n = cg_u(g, SpvOpIAdd, s->first, line);
  if (!s->inside) n = cg_least(g, g->u32, n, s->last);
  uint32_t at = add64(g, s->base, mul64(g, to64(g, n), s->line));
  at = add64(g, at, mul64(g, to64(g, k), s->step));
  if (is_narrow(s)) return at;
  at = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, at, cg_u64(g, log_bytes(s)));
  return add64(g, g->base[s->in], at);
}

/* Load i of this thread: which line of the tile, which place of its bk. */
static void load_place(cg *g, const tiles *t, const side *s, uint32_t i, uint32_t *line,
                       uint32_t *k) {
  uint32_t fast = s->along ? t->bk : s->tile, v = g->thread;
  uint32_t low = cg_ui(g, SpvOpBitwiseAnd, v, fast - 1);
  uint32_t high = cg_ui(g, SpvOpShiftRightLogical, v, cg_log2(fast));
  high = cg_next(g, high, i * (g->o->workgroup / fast));
  *line = s->along ? high : low;
  *k = s->along ? low : high;
}

static uint32_t load_element(cg *g, const side *s, uint32_t at) {
  kty t = kir_arg_type(s->type);
  if (!is_narrow(s))
    return cg_load(g, cg_scalar_type(g, t), at, (uint32_t)elt_bits(s->type) / 8);
  if (g->ix == g->u32) at = spv_op(g->b, g->u32, SpvOpUConvert, at);
  return cg_get_at(g, s->type, g->base[s->in], at);
}

/* What workgroup memory has of an element. */
static uint32_t made_of(cg *g, const tiles *t, const side *s, uint32_t element) {
  uint32_t raw[KIR_MAX_IN] = {0};
  cg_pos p = {.i = cg_ixc(g, 0)};
  raw[s->in] = element;
  for (uint32_t n = 0; n < g->k->fold_at; n++)
    if (t->part.of[n] == 1 << s->number) cg_range(g, n, n + 1, &p, raw);
  kv bound = t->part.bound[s->number];
  return cg_cvt(g, g->val[bound], (kty)g->k->ins[bound].ty, s->t);
}

/* The elements that are next; then those of the tile behind it are, if `more` (bool). */
static void load_next(cg *g, tiles *t, uint32_t more) {
  for (int n = 0; n < SIDES; n++) {
    side *s = &t->of[n];
    uint32_t shift = cg_u64(g, log_bytes(s)), none = cg_u64(g, 0);
    uint32_t by = mul64(g, s->step, cg_u64(g, t->bk));
    by = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, by, shift);
    by = spv_op(g->b, g->u64, SpvOpSelect, more, by, none);
    for (uint32_t i = 0; i < s->loads; i++) {
      uint32_t var = s->inside ? s->at[0] : s->at[i];
      uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, var), skip = cg_u64(g, i);
      if (s->inside && i) at = add64(g, at, mul64(g, s->apart, skip));
      s->raw[i] = load_element(g, s, at);
    }
    for (uint32_t i = 0; i < (s->inside ? 1 : s->loads); i++) {
      uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, s->at[i]);
      spv_do(g->b, SpvOpStore, s->at[i], add64(g, at, by));
    }
  }
}

/* The places behind the whole tiles; the last of them stands for what there is not. */
static void load_rest(cg *g, tiles *t, uint32_t first) {
  uint32_t last = cg_ui(g, SpvOpISub, t->rest, 1);
  for (int n = 0; n < SIDES; n++) {
    side *s = &t->of[n];
    for (uint32_t i = 0; i < s->loads; i++) {
      uint32_t line, k;
      load_place(g, t, s, i, &line, &k);
      k = cg_u(g, SpvOpIAdd, first, cg_least(g, g->u32, k, last));
      s->raw[i] = load_element(g, s, place_at(g, s, line, k));
    }
  }
}

static uint32_t vector_ptr(cg *g, const side *s, uint32_t index) {
  return cg_shared_ptr(g, s->vec_type, s->shared, index);
}

/* What was loaded goes to buffer `buffer` (u32). */
static void store_tile(cg *g, tiles *t, uint32_t buffer) {
  for (int n = 0; n < SIDES; n++) {
    side *s = &t->of[n];
    uint32_t type = cg_scalar_type(g, s->t);
    uint32_t ptr_type = spv_ptr(g->b, SpvStorageClassWorkgroup, type);
    uint32_t from = cg_ui(g, SpvOpIMul, buffer, t->bk * s->stride);
    for (uint32_t i = 0; i < s->loads; i++) {
      uint32_t line, k, v = made_of(g, t, s, s->raw[i]);
      load_place(g, t, s, i, &line, &k);
      uint32_t at = cg_u(g, SpvOpIAdd, from, cg_ui(g, SpvOpIMul, k, s->stride));
      at =
          cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpShiftRightLogical, line, cg_log2(s->vec)));
      uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, line, s->vec - 1), ptr;
      if (s->vec == 1) ptr = vector_ptr(g, s, at);
      else ptr = spv_op(g->b, ptr_type, SpvOpAccessChain, s->shared, at, lane);
      spv_do(g->b, SpvOpStore, ptr, v);
    }
  }
}

/* This thread's values of a side at vector `at` (u32) on. */
static void fragment(cg *g, const tiles *t, const side *s, uint32_t at, uint32_t *v) {
  uint32_t abreast = s->number == LEFT ? ROWS_ABREAST : COLUMNS_ABREAST;
  uint32_t type = cg_scalar_type(g, s->t);
  kv bound = t->part.bound[s->number];
  for (uint32_t i = 0; i < s->each; i += s->vec) {
    uint32_t index = cg_next(g, at, i / s->vec * abreast);
    uint32_t x = spv_op(g->b, s->vec_type, SpvOpLoad, vector_ptr(g, s, index));
    for (uint32_t j = 0; j < s->vec; j++) {
      v[i + j] = x;
      if (s->vec > 1) v[i + j] = spv_op(g->b, type, SpvOpCompositeExtract, x, j);
      v[i + j] = cg_cvt(g, v[i + j], s->t, (kty)g->k->ins[bound].ty);
    }
  }
}

/* Is it sums of products of two values of floats, which may be one operation? */
static bool contracts(const cg *g, const parting *p) {
  const kacc *a = &g->k->acc[0];
  const kins *n = &g->k->ins[a->from];
  return g->k->fast && a->monoid == KF_ADD && n->op == KOP_MUL && kty_is_float(n->ty) &&
         p->steps == 1 && (n->ty == KF32 || g->o->float64);
}

static void contract(cg *g, cg_acc *acc) {
  const kins *n = &g->k->ins[g->k->acc[0].from];
  acc->id[0] = spv_glsl(g->b, cg_type(g, (kty)n->ty), GLSLstd450Fma, g->val[n->a],
                        g->val[n->b], acc->id[0]);
}

/* One step: each result joins x g y. place: of k (ix), where the kernel asks for it; 0. */
static void one_step(cg *g, tiles *t, const uint32_t *x, const uint32_t *y,
                     uint32_t place, cg_acc acc[MOST_TILE][MOST_TILE]) {
  static const uint32_t raw[KIR_MAX_IN];
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++) {
      cg_pos p = {.i = place ? place : cg_ixc(g, 0), .iota = place};
      g->val[t->part.bound[LEFT]] = x[i];
      g->val[t->part.bound[RIGHT]] = y[j];
      if (t->contracts) {
        contract(g, &acc[i][j]);
        continue;
      }
      for (uint32_t n = 0; n < g->k->fold_at; n++)
        if (t->part.of[n] == 3) cg_range(g, n, n + 1, &p, raw);
      acc[i][j] = cg_combine(g, acc[i][j], cg_acc_here(g), 0);
    }
}

static void get_all(cg *g, tiles *t, cg_acc acc[MOST_TILE][MOST_TILE]) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++)
      acc[i][j] = cg_var_get(g, t->acc[i][j]);
}

static void put_all(cg *g, tiles *t, cg_acc acc[MOST_TILE][MOST_TILE]) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++)
      cg_var_set(g, t->acc[i][j], acc[i][j]);
}

static uint32_t place_of(cg *g, const tiles *t, uint32_t in_part) {
  if (!t->part.position) return 0;
  return cg_to_ix(g, cg_u(g, SpvOpIAdd, t->k0, in_part));
}

/* All steps of the tile number `tile` (u32) of the part, in buffer `buffer` (u32). */
static void tile_steps(cg *g, tiles *t, uint32_t tile, uint32_t buffer) {
  cg_acc acc[MOST_TILE][MOST_TILE];
  uint32_t v[2][SIDES][MOST_TILE], at[SIDES];
  get_all(g, t, acc);
  for (int n = 0; n < SIDES; n++) {
    side *s = &t->of[n];
    uint32_t from = cg_ui(g, SpvOpIMul, buffer, t->bk * s->stride);
    at[n] = cg_u(g, SpvOpIAdd, from, s->own);
    fragment(g, t, s, at[n], v[0][n]);
  }
  for (uint32_t k = 0; k < t->bk; k++) {
    for (int n = 0; n < SIDES && k + 1 < t->bk; n++) {
      const side *s = &t->of[n];
      fragment(g, t, s, cg_next(g, at[n], (k + 1) * s->stride), v[(k + 1) % 2][n]);
    }
    uint32_t in_part = cg_next(g, cg_ui(g, SpvOpIMul, tile, t->bk), k);
    one_step(g, t, v[k % 2][LEFT], v[k % 2][RIGHT], place_of(g, t, in_part), acc);
  }
  put_all(g, t, acc);
}

/* What the block has joins what the blocks before it have. */
static void end_block(cg *g, tiles *t) {
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++) {
      cg_acc all = cg_var_get(g, t->all[i][j]), acc = cg_var_get(g, t->acc[i][j]);
      cg_var_set(g, t->all[i][j], cg_combine(g, all, acc, 0));
      cg_var_set(g, t->acc[i][j], cg_identity(g));
    }
}

static void end_block_if_full(cg *g, tiles *t, uint32_t tile) {
  if (!opts(g)->blocks) return;
  uint32_t done = cg_ui(g, SpvOpUMod, cg_next(g, tile, 1), opts(g)->blocks);
  uint32_t merge = spv_if(g->b, cg_is_zero(g, done));
  end_block(g, t);
  spv_endif(g->b, merge);
}

/* The whole tiles. */
static void whole_tiles(cg *g, tiles *t) {
  uint32_t none = spv_u32(g->b, 0), one = spv_u32(g->b, 1);
  uint32_t some = spv_if(g->b, cg_less(g, none, t->full));
  load_next(g, t, cg_less(g, one, t->full));
  store_tile(g, t, none);
  cg_barrier(g);
  spv_loop l = spv_for(g->b, t->full);
  uint32_t buffer = cg_ui(g, SpvOpBitwiseAnd, l.i, 1);
  load_next(g, t, cg_less(g, cg_next(g, l.i, 2), t->full));
  tile_steps(g, t, l.i, buffer);
  store_tile(g, t, cg_ui(g, SpvOpBitwiseXor, buffer, 1));
  end_block_if_full(g, t, l.i);
  cg_barrier(g);
  spv_endfor(g->b, &l);
  spv_endif(g->b, some);
}

static void last_steps(cg *g, tiles *t) {
  uint32_t x[MOST_TILE], y[MOST_TILE], none = spv_u32(g->b, 0);
  cg_acc acc[MOST_TILE][MOST_TILE];
  uint32_t first = cg_ui(g, SpvOpIMul, t->full, t->bk);
  uint32_t some = spv_if(g->b, cg_less(g, none, t->rest));
  load_rest(g, t, first);
  store_tile(g, t, none);
  cg_barrier(g);
  spv_loop l = spv_for(g->b, t->rest);
  for (int n = 0; n < SIDES; n++) {
    const side *s = &t->of[n];
    uint32_t at = cg_u(g, SpvOpIAdd, s->own, cg_ui(g, SpvOpIMul, l.i, s->stride));
    fragment(g, t, s, at, n == LEFT ? x : y);
  }
  get_all(g, t, acc);
  one_step(g, t, x, y, place_of(g, t, cg_u(g, SpvOpIAdd, first, l.i)), acc);
  put_all(g, t, acc);
  spv_endfor(g->b, &l);
  spv_endif(g->b, some);
}

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static uint32_t strided_slot(cg *g, int number, uint32_t dim, uint32_t what) {
  return cg_strided_slot(g->k, (uint32_t)number, dim) + what;
}

static void open_side(cg *g, tiles *t, int number, uint32_t tile_at) {
  side *s = &t->of[number];
  const product_opts *o = opts(g);
  uint32_t lines = number == LEFT ? t->rows : t->columns, dim = number == LEFT ? 1 : 3;
  s->number = number;
  s->in = t->part.in[number];
  s->type = (elt)g->k->in[s->in].type;
  s->t = shared_type(g->k, &t->part, number);
  s->tile = number == LEFT ? o->bm : o->bn;
  s->each = number == LEFT ? o->tm : o->tn;
  s->vec = 16 / (uint32_t)kty_bytes(s->t);
  if (s->vec > s->each) s->vec = s->each;
  s->loads = s->tile * t->bk / g->o->workgroup;
  s->along = o->along >> number & 1;
  s->line = cg_slot(g, strided_slot(g, number, dim, CG_STRIDED_STRIDE));
  s->step = cg_slot(g, strided_slot(g, number, 2, CG_STRIDED_STRIDE));
  uint32_t batch = cg_slot(g, strided_slot(g, number, 0, CG_STRIDED_STRIDE));
  s->base = cg_slot(g, CG_SLOT_INPUTS + 3 * s->in + 1);
  s->base = add64(g, s->base, mul64(g, to64(g, t->batch), batch));
  s->base = add64(g, s->base, mul64(g, to64(g, t->k0), s->step));
  s->first = cg_ui(g, SpvOpIMul, tile_at, s->tile);
  s->last = cg_ui(g, SpvOpISub, lines, 1);
  s->inside = o->along >> (SIDES + number) & 1;
  if (s->inside) /* the last tile begins before its place */
    s->first = cg_least(g, g->u32, s->first, cg_ui(g, SpvOpISub, lines, s->tile));
  uint32_t each = g->o->workgroup / (s->along ? t->bk : s->tile);
  s->apart = mul64(g, s->along ? s->line : s->step, cg_u64(g, each));
  uint32_t shift = cg_u64(g, log_bytes(s));
  s->apart = spv_op(g->b, g->u64, SpvOpShiftLeftLogical, s->apart, shift);
  s->vec_type = spv_vec(g->b, cg_scalar_type(g, s->t), s->vec);
  s->stride = s->tile / s->vec + (number == LEFT); /* one more, for other banks */
  s->shared = spv_shared(g->b, s->vec_type, 2 * t->bk * s->stride);
  for (uint32_t i = 0; i < (s->inside ? 1 : s->loads); i++) {
    uint32_t line, k;
    load_place(g, t, s, i, &line, &k);
    s->at[i] = spv_local(g->b, g->u64, 0);
    spv_do(g->b, SpvOpStore, s->at[i], place_at(g, s, line, k));
  }
}

/* Squares of four threads side by side: of 32, 8 lie down the rows and 4 across. */
static void place_thread(cg *g, tiles *t) {
  side *x = &t->of[LEFT], *y = &t->of[RIGHT];
  uint32_t lane = cg_ui(g, SpvOpBitwiseAnd, g->thread, 31);
  uint32_t unit = cg_ui(g, SpvOpShiftRightLogical, g->thread, 5);
  uint32_t low = cg_ui(g, SpvOpBitwiseAnd, lane, 1);
  uint32_t high = cg_ui(g, SpvOpShiftRightLogical, lane, 2);
  high = cg_ui(g, SpvOpShiftLeftLogical, cg_ui(g, SpvOpBitwiseAnd, high, 3), 1);
  uint32_t row = cg_u(g, SpvOpBitwiseOr, low, high);
  low = cg_ui(g, SpvOpBitwiseAnd, cg_ui(g, SpvOpShiftRightLogical, lane, 1), 1);
  high = cg_ui(g, SpvOpShiftLeftLogical, cg_ui(g, SpvOpShiftRightLogical, lane, 4), 1);
  uint32_t column = cg_u(g, SpvOpBitwiseOr, low, high);
  uint32_t units = x->tile / (ROWS_ABREAST * x->each); /* down the tile */
  uint32_t down = cg_ui(g, SpvOpBitwiseAnd, unit, units - 1);
  uint32_t across = cg_ui(g, SpvOpShiftRightLogical, unit, cg_log2(units));
  down = cg_ui(g, SpvOpIMul, down, ROWS_ABREAST * (x->each / x->vec));
  across = cg_ui(g, SpvOpIMul, across, COLUMNS_ABREAST * (y->each / y->vec));
  x->own = cg_u(g, SpvOpIAdd, down, row);
  y->own = cg_u(g, SpvOpIAdd, across, column);
}

static void open_tiles(cg *g, tiles *t) {
  part(g->k, &t->part);
  t->contracts = contracts(g, &t->part);
  t->bk = opts(g)->bk;
  t->rows = cg_slot_u32(g, strided_slot(g, LEFT, 1, CG_STRIDED_N));
  t->columns = cg_slot_u32(g, CG_SLOT_INNER);
  uint32_t wid = g->wid;
  uint32_t across = cg_split(g, &wid, cg_slot_u32(g, CG_OWN_SLOT(product_geom, across)));
  uint32_t down = cg_split(g, &wid, cg_slot_u32(g, CG_OWN_SLOT(product_geom, down)));
  t->piece = cg_split(g, &wid, cg_slot_u32(g, CG_SLOT_TILES));
  t->batch = wid;
  uint32_t chunk = cg_slot_u32(g, CG_OWN_SLOT(product_geom, chunk));
  t->k0 = cg_u(g, SpvOpIMul, t->piece, chunk);
  uint32_t left = cg_u(g, SpvOpISub, cg_slot_u32(g, CG_SLOT_LEN), t->k0);
  left = cg_least(g, g->u32, left, chunk);
  t->full = cg_ui(g, SpvOpUDiv, left, t->bk);
  t->rest = cg_ui(g, SpvOpUMod, left, t->bk);
  open_side(g, t, LEFT, down);
  open_side(g, t, RIGHT, across);
  place_thread(g, t);
  cg_pos p = {.i = cg_ixc(g, 0)};
  static const uint32_t raw[KIR_MAX_IN];
  for (uint32_t n = 0; n < g->k->fold_at; n++)
    if (!t->part.of[n]) cg_range(g, n, n + 1, &p, raw);
  for (uint32_t i = 0; i < t->of[LEFT].each; i++)
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++) {
      t->acc[i][j] = cg_var_acc(g, cg_identity(g));
      if (opts(g)->blocks) t->all[i][j] = cg_var_acc(g, cg_identity(g));
    }
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

/* Line i of this thread's. */
static uint32_t own_line(cg *g, const side *s, uint32_t i) {
  uint32_t abreast = s->number == LEFT ? ROWS_ABREAST : COLUMNS_ABREAST;
  uint32_t at = cg_ui(g, SpvOpIMul, cg_next(g, s->own, i / s->vec * abreast), s->vec);
  return cg_u(g, SpvOpIAdd, s->first, cg_next(g, at, i % s->vec));
}

static void store_results(cg *g, tiles *t) {
  uint32_t to = cg_result(g);
  for (uint32_t i = 0; i < t->of[LEFT].each; i++) {
    uint32_t row = own_line(g, &t->of[LEFT], i);
    uint32_t there = spv_if(g->b, cg_less(g, row, t->rows));
    uint32_t line = cg_x(g, SpvOpIMul, cg_to_ix(g, t->batch), cg_to_ix(g, t->rows));
    line = cg_x(g, SpvOpIAdd, line, cg_to_ix(g, row));
    if (!g->o->final) {
      line = cg_x(g, SpvOpIMul, line, cg_slot_ix(g, CG_SLOT_TILES));
      line = cg_x(g, SpvOpIAdd, line, cg_to_ix(g, t->piece));
    }
    line = cg_x(g, SpvOpIMul, line, cg_to_ix(g, t->columns));
    for (uint32_t j = 0; j < t->of[RIGHT].each; j++) {
      uint32_t column = own_line(g, &t->of[RIGHT], j);
      uint32_t merge = spv_if(g->b, cg_less(g, column, t->columns));
      cg_pos p = {.i = cg_x(g, SpvOpIAdd, line, cg_to_ix(g, column))};
      cg_acc v = cg_var_get(g, t->acc[i][j]);
      if (opts(g)->blocks) v = cg_combine(g, cg_var_get(g, t->all[i][j]), v, 0);
      cg_finish(g, to, &p, v, 0);
      spv_endif(g->b, merge);
    }
    spv_endif(g->b, there);
  }
}

/* A thread for each result: its parts from the first to the last. */
static void emit_join(cg *g) {
  enum { TOGETHER = 8 };
  uint32_t inner = cg_slot_ix(g, CG_SLOT_INNER), count = cg_slot_u32(g, CG_SLOT_LEN);
  uint32_t all = cg_x(g, SpvOpIMul, cg_slot_ix(g, CG_SLOT_ROWS), inner);
  uint32_t id = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, g->wid, CG_WORKGROUP), g->thread);
  uint32_t e = cg_to_ix(g, id), merge = spv_if(g->b, cg_less(g, e, all));
  cg_column c = {.inner = inner, .row = cg_x(g, SpvOpUDiv, e, inner), .at = e};
  cg_var acc = cg_var_acc(g, cg_identity(g));
  uint32_t rounds = cg_ui(g, SpvOpUDiv, cg_next(g, count, TOGETHER - 1), TOGETHER);
  spv_loop l = spv_for(g->b, rounds);
  cg_acc v[TOGETHER], sum = cg_var_get(g, acc), none = cg_identity(g);
  uint32_t is[TOGETHER], last = cg_ui(g, SpvOpISub, count, 1);
  for (uint32_t i = 0; i < TOGETHER; i++) {
    uint32_t at = cg_next(g, cg_ui(g, SpvOpIMul, l.i, TOGETHER), i);
    is[i] = cg_less(g, at, count);
    cg_pos p =
        cg_column_partial(g, &c, cg_to_ix(g, count), cg_least(g, g->u32, at, last));
    v[i] = cg_get_acc_at(g, g->from, p.i);
  }
  for (uint32_t i = 0; i < TOGETHER; i++)
    sum = cg_combine(g, sum, cg_acc_sel(g, is[i], v[i], none), 0);
  cg_var_set(g, acc, sum);
  spv_endfor(g->b, &l);
  cg_pos p = {.i = e};
  cg_finish(g, cg_result(g), &p, cg_var_get(g, acc), 0);
  spv_endif(g->b, merge);
}

void product_emit(cg *g) {
  g->lanes = 1;
  if (opts(g)->phase == PRODUCT_JOIN) {
    emit_join(g);
    return;
  }
  tiles t;
  open_tiles(g, &t);
  whole_tiles(g, &t);
  last_steps(g, &t);
  store_results(g, &t);
}
