/* SPDX-License-Identifier: MIT */
/* product_thin.c - x f.g y of few columns, or few rows: a thread has a line of the long side and as
 * many sums as there are few lines, so that the long side is read once.
 *
 *   ⍉X +.× y   lines of the long side lie side by side: threads read it as it lies
 *   X +.× y    a line's elements do: they go through workgroup memory, some places of k of the 128
 *              lines of a workgroup at a time
 *
 * What a thread wants of the other side its neighbours want too: it is loaded as it is used. Chains
 * are lines of batches, or parts of these along k, which PRODUCT's join folds; all of a
 * workgroup's are equally long: the last parts, if they are shorter, have workgroups of their
 * own. The order is that of prim/inner_product.h.
 *
 * On an H200, µs of the device, of which some 14 are not the kernel's (a read of 64 MB takes 30, of 128 46);
 * in brackets by tiles. f32: 2^20×32 by a vector 61 [115], turned 79 [234]; 4096² by a vector 42 [46],
 * a vector by it 40 [44]; 2^20 products of 4×4 87 [5929]. i8 4096²: 28 [33], 25 [43].
 * TRIED: the line's next elements loaded when they are used: 57 [44] of a vector by 4096²; all in
 * tiles of 128 bytes: 80 of 2^20×32 by a vector, of 64 bytes: 54 of 4096² by a vector; 16 columns of 4096²: 92 [75]. */
#include "product.h"

#include <string.h>

#include "../base/arith.h"

enum { CHAINS = 128, MOST_FEW = 16, LONG_STEP = 24, BUSY = 8 };
enum {
  SHORT = 128 /* places of k up to which tiles of a few lines are not worth their start */
};
enum { DEEPEST = 32, TOGETHER = 32 /* values that a thread loads at a time */ };
enum { AXIS_PARTS = 1, AXIS_BATCHES = 2, AXIS_ACROSS = 4 };
enum { ALONG_K = 1, ALONG_LINES = 2 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

static int64_t lines_of(const cg_task *t, int side) {
  return side == LEFT ? t->strided->n[1] : t->inner;
}
static int few_side(const cg_task *t) {
  return lines_of(t, LEFT) < lines_of(t, RIGHT) ? LEFT : RIGHT;
}
static int64_t batches_of(const cg_task *t) { return t->rows / t->strided->n[1]; }

bool product_thin_serves(const cg_task *t) {
  if (t->kind != CG_TASK_FOLD || !t->k->product || t->from_partials || t->small)
    return false;
  int few = few_side(t);
  int64_t blocks = ceil_div(t->len, PRODUCT_BLOCK);
  if (lines_of(t, few) > (t->len > SHORT ? MOST_FEW / 2 : MOST_FEW)) return false;
  if (t->rows * t->inner > INT32_MAX / blocks) return false;
  parting p;
  product_part(t->k, &p);
  bool pairs = p.n_bound[LEFT] > 1 || p.n_bound[RIGHT] > 1;
  return p.steps <= LONG_STEP && !p.loops && !p.position && !pairs;
}

/* Few lines that a thread has: all, or what its registers hold. */
static uint32_t columns_of(const cg_task *t, bool blocks) {
  uint32_t n = (uint32_t)lines_of(t, few_side(t));
  uint32_t words = (uint32_t)cg_acc_bytes(t->k) / 4 << blocks;
  if (n > 4) n = (n + 3) / 4 * 4;
  while (n > 1 && n * words > t->choice->results >> t->choice->smaller)
    n = n > 8 ? 8 : n / 2;
  return n;
}

typedef struct side_steps {
  int64_t batch, line, k, first;
  uint32_t bytes; /* of a value */
} side_steps;

static side_steps steps_of(const cg_task *t, const parting *p, int side) {
  const kstrided *by = side == LEFT ? t->strided : t->right;
  return (side_steps){by->stride[0], by->stride[side == LEFT ? 1 : 3], by->stride[2],
                      t->first[side],
                      (uint32_t)kty_bytes(product_shared_type(t->k, p, side))};
}

/* Places of k that are loaded together: a power of two. */
static uint32_t depth(const cg_task *t, uint32_t values, uint32_t bytes) {
  uint32_t n = DEEPEST;
  while (n > 4 && (n * values * bytes > 4 * TOGETHER || n / 2 >= t->len)) n /= 2;
  return n;
}

/* Of a line, in workgroup memory: vectors of 16 bytes, an odd number of them, for other banks. */
static uint32_t row_vectors(uint32_t bk, uint32_t bytes) { return bk * bytes / 16 | 1; }

static uint32_t staged_depth(const cg_task *t, uint32_t bytes) {
  uint32_t bk = (t->len > SHORT ? 128 : 64) / bytes;
  while (bk > 4 && (bk / 2 >= t->len ||
                    CHAINS * (16 * row_vectors(bk, bytes) + 8) > t->choice->shared))
    bk /= 2;
  return bk;
}

static void choose_loads(const cg_task *t, const parting *p, thin_opts *o) {
  int side = o->few == LEFT ? RIGHT : LEFT;
  side_steps s = steps_of(t, p, side), f = steps_of(t, p, (int)o->few);
  bool is_line = lines_of(t, side) == 1 || s.line != 1;
  if (s.k == 1 && is_line) o->staged = staged_depth(t, s.bytes);
  int64_t line = lines_of(t, side) == 1 ? 0 : s.line;
  if (o->staged && (s.first | s.batch | line | t->len) % 4 == 0) o->wide = 1;
  uint32_t bytes = f.bytes > s.bytes ? f.bytes : s.bytes;
  o->deep = depth(t, o->columns, bytes);
  if (o->staged && o->deep > o->staged) o->deep = o->staged;
  int64_t n = lines_of(t, (int)o->few), column = n == 1 ? 0 : f.line;
  if (f.k == 1 && (f.first | f.batch | column) % 4 == 0) o->few_wide = ALONG_K;
  if (f.line == 1 && o->columns % 4 == 0 && n % 4 == 0 &&
      (f.first | f.batch | f.k) % 4 == 0)
    o->few_wide = ALONG_LINES;
}

void product_thin_passes(const cg_task *t, cg_passes *p) {
  int few = few_side(t);
  int64_t chains = lines_of(t, !few) * batches_of(t), blocks = 1;
  thin_geom at = {.chunk = t->len, .whole = 1, .batches = batches_of(t)};
  bool order = !t->k->digits && !cg_fold_exact(t->k);
  parting part;
  product_part(t->k, &part);
  uint32_t c = columns_of(t, order && t->len > PRODUCT_BLOCK);
  at.across = ceil_div(lines_of(t, few), c);
  int64_t groups = ceil_div(chains, CHAINS) * at.across, busy = BUSY * t->choice->busy;
  blocks = ceil_div(t->len, PRODUCT_BLOCK);
  if (groups < busy && blocks > 1) {
    int64_t each = order ? 1 : ceil_div(blocks, ceil_div(busy, groups));
    at.chunk = each * PRODUCT_BLOCK;
    at.whole = t->len / at.chunk;
  }
  int64_t parts = ceil_div(t->len, at.chunk);
  cg_pass *s = cg_add_pass(p, t, CG_PRODUCT_THIN);
  thin_opts *o = &s->o.thin;
  *o = (thin_opts){.few = (uint32_t)few, .columns = c};
  o->blocks = order && at.chunk > PRODUCT_BLOCK;
  if (parts > 1) o->axes |= AXIS_PARTS;
  if (at.batches > 1) o->axes |= AXIS_BATCHES;
  if (at.across > 1) o->axes |= AXIS_ACROSS;
  choose_loads(t, &part, o);
  at.whole_groups = ceil_div(chains * at.whole, CHAINS) * at.across;
  s->geom.workgroups = at.whole_groups;
  if (parts > at.whole) s->geom.workgroups += groups;
  s->o.width = 4;
  s->o.workgroup = CHAINS;
  s->geom.thin = at;
  s->geom.tiles = p->tiles = parts;
}

/* ── sides ──────────────────────────────────────────────────────────────────────────── */

/* Of elements of 32 bits and more places are bytes, of others elements. */
typedef struct thin_side {
  int number;
  uint32_t in;
  elt type;
  kty t;                   /* of its elements as they are loaded */
  uint32_t batch, line, k; /* u64: steps */
  uint32_t base, at;       /* u64: place of element 0; variable: the next place */
} thin_side;

typedef struct thin {
  parting part;
  thin_side line, few;
  uint32_t c;                        /* few lines of a thread */
  uint32_t there, row, batch, piece; /* bool; u32: the line's numbers */
  uint32_t rows, columns;            /* u32: of all lines, of the few */
  uint32_t first;                    /* u32: the first of this thread's few */
  uint32_t length;                   /* u32: places of a chain */
  uint32_t beyond[MOST_FEW];         /* u64: from the first of the few */
  cg_var acc[MOST_FEW], all[MOST_FEW];
  /* Of what goes through workgroup memory: */
  uint32_t bk, wide, vec, vec_type, stride; /* stride: vectors from line to line */
  kty held_type;
  uint32_t starts, held;    /* arrays there: u64 places, by line; elements */
  uint32_t loaded[DEEPEST]; /* variables */
} thin;

static const thin_opts *opts(const cg *g) { return &g->o->thin; }

static uint32_t times64(cg *g, uint32_t a, uint32_t u32) {
  return mul64(g, a, to64(g, u32));
}

static bool is_narrow(const thin_side *s) { return elt_bits(s->type) < 32; }
static uint32_t log_bytes(const thin_side *s) {
  return is_narrow(s) ? 0 : cg_log2((uint32_t)elt_bits(s->type) / 8);
}

/* A number of elements, from an argument, as places. */
static uint32_t places_slot(cg *g, const thin_side *s, uint32_t slot) {
  uint32_t v = cg_slot(g, slot);
  return spv_op(g->b, g->u64, SpvOpShiftLeftLogical, v, cg_u64(g, log_bytes(s)));
}

static void open_side(cg *g, thin *t, thin_side *s, int number) {
  s->number = number;
  s->in = t->part.in[number][0];
  s->type = (elt)g->k->in[s->in].type;
  s->t = kir_arg_type(s->type);
  uint32_t line = number == LEFT ? 1 : 3, n = (uint32_t)number;
  s->batch = places_slot(g, s, cg_strided_slot(g->k, n, 0) + CG_STRIDED_STRIDE);
  s->line = places_slot(g, s, cg_strided_slot(g->k, n, line) + CG_STRIDED_STRIDE);
  s->k = places_slot(g, s, cg_strided_slot(g->k, n, 2) + CG_STRIDED_STRIDE);
  s->base = places_slot(g, s, CG_SLOT_INPUTS + 3 * s->in + 1);
  if (!is_narrow(s)) s->base = add64(g, s->base, g->base[s->in]);
}

/* Where the chain of line `line` begins (u32), k0 places along. */
static uint32_t start_of(cg *g, const thin *t, const thin_side *s, uint32_t line,
                         uint32_t k0) {
  uint32_t at = add64(g, s->base, times64(g, s->batch, t->batch));
  at = add64(g, at, times64(g, s->k, k0));
  return add64(g, at, times64(g, s->line, line));
}

/* n neighbours, 1 or 4, from a place on. */
static void load(cg *g, const thin_side *s, uint32_t at, uint32_t n, uint32_t *v) {
  uint32_t type = cg_scalar_type(g, s->t);
  if (!is_narrow(s)) {
    uint32_t each = n < 4u >> (log_bytes(s) - 2) ? n : 4u >> (log_bytes(s) - 2);
    for (uint32_t j = 0; j < n; j += each) {
      uint32_t x = j ? cg_plus(g, at, j << log_bytes(s)) : at;
      x = cg_load(g, spv_vec(g->b, type, each), x, each << log_bytes(s));
      for (uint32_t i = 0; i < each; i++) {
        v[j + i] = x;
        if (each > 1) v[j + i] = spv_op(g->b, type, SpvOpCompositeExtract, x, i);
      }
    }
    return;
  }
  if (g->ix == g->u32) at = spv_op(g->b, g->u32, SpvOpUConvert, at);
  cg_pos p = {.i = at};
  g->lanes = n;
  uint32_t x = n == 1 ? cg_get_at(g, s->type, g->base[s->in], at)
                      : cg_get(g, s->type, g->base[s->in], &p);
  for (uint32_t j = 0; j < n; j++) v[j] = cg_part(g, s->t, x, j);
  g->lanes = 1;
}

/* What the kernel makes of an element of one side alone. */
static uint32_t made_of(cg *g, const thin *t, const thin_side *s, uint32_t element) {
  uint32_t raw[KIR_MAX_IN] = {0};
  cg_pos p = {.i = cg_ixc(g, 0)};
  raw[s->in] = element;
  for (uint32_t n = 0; n < g->k->fold_at; n++)
    if (t->part.of[n] == 1 << s->number) cg_range(g, n, n + 1, &p, raw);
  return g->val[t->part.bound[s->number][0]];
}

static uint32_t next_place(cg *g, const thin_side *s) {
  return spv_op(g->b, g->u64, SpvOpLoad, s->at);
}

/* n places of k of the few lines: y[i][j] is place i of line j. */
static void load_few(cg *g, thin *t, uint32_t n, uint32_t y[DEEPEST][MOST_FEW]) {
  const thin_side *s = &t->few;
  uint32_t at = next_place(g, s), v[4] = {0};
  uint32_t along = opts(g)->few_wide == ALONG_K && n % 4 == 0 ? 4 : 1;
  uint32_t across = opts(g)->few_wide == ALONG_LINES ? 4 : 1;
  for (uint32_t i = 0; i < n; i += along) {
    for (uint32_t j = 0; j < t->c; j += across) {
      uint32_t there = j ? add64(g, at, t->beyond[j]) : at;
      load(g, s, there, along * across, v);
      for (uint32_t l = 0; l < along * across; l++)
        if (along > 1) y[i + l][j] = v[l];
        else y[i][j + l] = v[l];
    }
    for (uint32_t l = 0; l < along; l++) at = add64(g, at, s->k);
  }
  spv_do(g->b, SpvOpStore, s->at, at);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < t->c; j++) y[i][j] = made_of(g, t, s, y[i][j]);
}

/* ── the long side ──────────────────────────────────────────────────────────────────── */

/* n places of this thread's line, as they lie. */
static void load_line(cg *g, thin *t, uint32_t n, uint32_t *x) {
  const thin_side *s = &t->line;
  uint32_t at = next_place(g, s);
  for (uint32_t i = 0; i < n; i++) {
    load(g, s, at, 1, &x[i]);
    at = add64(g, at, s->k);
  }
  spv_do(g->b, SpvOpStore, s->at, at);
}

/* Load i of this thread: which line of the workgroup's, which place of the tile (u32). */
static void tile_place(cg *g, const thin *t, uint32_t i, uint32_t *line, uint32_t *k) {
  uint32_t fast = t->bk / t->wide;
  *k = cg_ui(g, SpvOpIMul, cg_ui(g, SpvOpBitwiseAnd, g->thread, fast - 1), t->wide);
  *line = cg_ui(g, SpvOpShiftRightLogical, g->thread, cg_log2(fast));
  *line = cg_next(g, *line, i * (CHAINS / fast));
}

/* The tile at place `from` (u32) of all lines to variables; of `count` places (u32) or all. */
static void load_tile(cg *g, thin *t, uint32_t from, uint32_t count) {
  const thin_side *s = &t->line;
  for (uint32_t i = 0; i < t->bk / t->wide; i++) {
    uint32_t line, k, v[4] = {0};
    tile_place(g, t, i, &line, &k);
    if (count) k = cg_least(g, g->u32, k, cg_ui(g, SpvOpISub, count, t->wide));
    uint32_t ptr = cg_shared_ptr(g, g->u64, t->starts, line);
    uint32_t at = spv_op(g->b, g->u64, SpvOpLoad, ptr);
    k = cg_u(g, SpvOpIAdd, from, k);
    at = add64(g, at, times64(g, s->k, k));
    load(g, s, at, t->wide, v);
    for (uint32_t j = 0; j < t->wide; j++)
      spv_do(g->b, SpvOpStore, t->loaded[i * t->wide + j], v[j]);
  }
}

/* A pointer to element `k` (u32) of the line whose first vector is `at` (u32). */
static uint32_t held_element(cg *g, const thin *t, uint32_t at, uint32_t k) {
  uint32_t type =
      spv_ptr(g->b, SpvStorageClassWorkgroup, cg_scalar_type(g, t->held_type));
  at = cg_u(g, SpvOpIAdd, at, cg_ui(g, SpvOpShiftRightLogical, k, cg_log2(t->vec)));
  if (t->vec == 1) return cg_shared_ptr(g, t->vec_type, t->held, at);
  k = cg_ui(g, SpvOpBitwiseAnd, k, t->vec - 1);
  return spv_op(g->b, type, SpvOpAccessChain, t->held, at, k);
}

/* What was loaded goes to workgroup memory, once all threads have read what is there. */
static void hold_tile(cg *g, thin *t) {
  kv bound = t->part.bound[t->line.number][0];
  uint32_t type = cg_scalar_type(g, t->line.t);
  cg_barrier(g);
  for (uint32_t i = 0; i < t->bk / t->wide; i++) {
    uint32_t line, k;
    tile_place(g, t, i, &line, &k);
    line = cg_ui(g, SpvOpIMul, line, t->stride);
    for (uint32_t j = 0; j < t->wide; j++) {
      uint32_t v = spv_op(g->b, type, SpvOpLoad, t->loaded[i * t->wide + j]);
      v = cg_cvt(g, made_of(g, t, &t->line, v), (kty)g->k->ins[bound].ty, t->held_type);
      spv_do(g->b, SpvOpStore, held_element(g, t, line, cg_next(g, k, j)), v);
    }
  }
  cg_barrier(g);
}

/* n places of this thread's line from place `from` (u32) of the tile on, a multiple of n. */
static void held_line(cg *g, const thin *t, uint32_t from, uint32_t n, uint32_t *x) {
  kv bound = t->part.bound[t->line.number][0];
  uint32_t type = cg_scalar_type(g, t->held_type);
  uint32_t own = cg_ui(g, SpvOpIMul, g->thread, t->stride), v = 0;
  uint32_t first = cg_ui(g, SpvOpShiftRightLogical, from, cg_log2(t->vec));
  first = cg_u(g, SpvOpIAdd, own, first);
  for (uint32_t i = 0; i < n; i++) {
    if (n < t->vec) {
      uint32_t ptr = held_element(g, t, own, cg_next(g, from, i));
      x[i] = spv_op(g->b, type, SpvOpLoad, ptr);
    } else {
      uint32_t at = cg_next(g, first, i / t->vec);
      uint32_t ptr = cg_shared_ptr(g, t->vec_type, t->held, at);
      if (i % t->vec == 0) v = spv_op(g->b, t->vec_type, SpvOpLoad, ptr);
      x[i] = v;
      if (t->vec > 1) x[i] = spv_op(g->b, type, SpvOpCompositeExtract, v, i % t->vec);
    }
    x[i] = cg_cvt(g, x[i], t->held_type, (kty)g->k->ins[bound].ty);
  }
}

/* ── steps ──────────────────────────────────────────────────────────────────────────── */

/* The next n places of k, of which x are the line's elements, or what is made of them where workgroup
 * memory holds these. */
static void steps(cg *g, thin *t, uint32_t n, uint32_t *x) {
  uint32_t y[DEEPEST][MOST_FEW] = {{0}}, deep = opts(g)->deep;
  cg_acc acc[MOST_FEW];
  for (; n > deep; n -= deep, x += deep) steps(g, t, deep, x);
  load_few(g, t, n, y);
  for (uint32_t j = 0; j < t->c; j++) acc[j] = cg_var_get(g, t->acc[j]);
  for (uint32_t i = 0; i < n; i++) {
    if (!opts(g)->staged) x[i] = made_of(g, t, &t->line, x[i]);
    for (uint32_t j = 0; j < t->c; j++) {
      uint32_t a = t->line.number == LEFT ? x[i] : y[i][j];
      uint32_t b = t->line.number == LEFT ? y[i][j] : x[i];
      acc[j] = product_pair(g, &t->part, &a, &b, 0, acc[j]);
    }
  }
  for (uint32_t j = 0; j < t->c; j++) cg_var_set(g, t->acc[j], acc[j]);
}

/* `count` places (u32), fewer than twice as many as are loaded together: by those, by half as many, … */
static void rest_steps(cg *g, thin *t, uint32_t count, uint32_t n) {
  uint32_t zero = spv_u32(g->b, 0);
  for (; n; n /= 2) {
    uint32_t bit = cg_ui(g, SpvOpBitwiseAnd, count, n), x[DEEPEST] = {0};
    uint32_t merge = spv_if(g->b, cg_less(g, zero, bit));
    if (opts(g)->staged)
      held_line(g, t, cg_ui(g, SpvOpBitwiseAnd, count, ~(2 * n - 1)), n, x);
    else load_line(g, t, n, x);
    steps(g, t, n, x);
    spv_endif(g->b, merge);
  }
}

static void load_ahead(cg *g, thin *t) {
  uint32_t x[DEEPEST] = {0}, n = opts(g)->deep;
  load_line(g, t, n, x);
  for (uint32_t i = 0; i < n; i++) spv_do(g->b, SpvOpStore, t->loaded[i], x[i]);
}

/* `count` places (u32) of the line as it lies; the next are loaded while some are used. */
static void direct_steps(cg *g, thin *t, uint32_t count) {
  uint32_t n = opts(g)->deep, zero = spv_u32(g->b, 0), x[DEEPEST] = {0};
  uint32_t type = cg_scalar_type(g, t->line.t);
  uint32_t whole = cg_ui(g, SpvOpUDiv, count, n);
  uint32_t some = spv_if(g->b, cg_less(g, zero, whole));
  load_ahead(g, t);
  spv_loop l = spv_for(g->b, whole);
  for (uint32_t i = 0; i < n; i++) x[i] = spv_op(g->b, type, SpvOpLoad, t->loaded[i]);
  uint32_t more = spv_if(g->b, cg_less(g, cg_next(g, l.i, 1), whole));
  load_ahead(g, t);
  spv_endif(g->b, more);
  steps(g, t, n, x);
  spv_endfor(g->b, &l);
  spv_endif(g->b, some);
  rest_steps(g, t, cg_ui(g, SpvOpBitwiseAnd, count, n - 1), n / 2);
}

/* Tiles of `count` places from place `from` on (u32); the next is loaded while one is used. */
static void staged_steps(cg *g, thin *t, uint32_t from, uint32_t count) {
  uint32_t whole = cg_ui(g, SpvOpUDiv, count, t->bk), zero = spv_u32(g->b, 0);
  uint32_t rest = cg_ui(g, SpvOpUMod, count, t->bk), x[DEEPEST] = {0};
  uint32_t some = spv_if(g->b, cg_less(g, zero, whole));
  load_tile(g, t, from, 0);
  spv_loop l = spv_for(g->b, whole);
  hold_tile(g, t);
  uint32_t next = cg_next(g, l.i, 1), more = spv_if(g->b, cg_less(g, next, whole));
  load_tile(g, t, cg_u(g, SpvOpIAdd, from, cg_ui(g, SpvOpIMul, next, t->bk)), 0);
  spv_endif(g->b, more);
  for (uint32_t k = 0; k < t->bk; k += opts(g)->deep) {
    held_line(g, t, spv_u32(g->b, k), opts(g)->deep, x);
    steps(g, t, opts(g)->deep, x);
  }
  spv_endfor(g->b, &l);
  spv_endif(g->b, some);
  some = spv_if(g->b, cg_less(g, zero, rest));
  load_tile(g, t, cg_u(g, SpvOpIAdd, from, cg_ui(g, SpvOpIMul, whole, t->bk)), rest);
  hold_tile(g, t);
  rest_steps(g, t, rest, t->bk / 2);
  spv_endif(g->b, some);
}

static void run(cg *g, thin *t, uint32_t from, uint32_t count) {
  if (opts(g)->staged) staged_steps(g, t, from, count);
  else direct_steps(g, t, count);
}

static void run_blocks(cg *g, thin *t) {
  uint32_t count =
      cg_ui(g, SpvOpUDiv, cg_next(g, t->length, PRODUCT_BLOCK - 1), PRODUCT_BLOCK);
  spv_loop l = spv_for(g->b, count);
  uint32_t from = cg_ui(g, SpvOpIMul, l.i, PRODUCT_BLOCK);
  uint32_t left = cg_u(g, SpvOpISub, t->length, from);
  run(g, t, from, cg_least(g, g->u32, left, spv_u32(g->b, PRODUCT_BLOCK)));
  for (uint32_t j = 0; j < t->c; j++) {
    cg_acc all = cg_var_get(g, t->all[j]), acc = cg_var_get(g, t->acc[j]);
    cg_var_set(g, t->all[j], cg_combine(g, all, acc, 0));
    cg_var_set(g, t->acc[j], cg_identity(g));
  }
  spv_endfor(g->b, &l);
}

/* ── where ──────────────────────────────────────────────────────────────────────────── */

static uint32_t own_slot(cg *g, uint32_t slot) { return cg_slot_u32(g, slot); }
#define SLOT(name) own_slot(g, CG_OWN_SLOT(thin_geom, name))

/* Which line of which batch, which part of it; threads behind the last do that again. */
static void find_chain(cg *g, thin *t) {
  uint32_t wid = g->wid, zero = spv_u32(g->b, 0), one = spv_u32(g->b, 1);
  uint32_t whole = SLOT(whole), groups = SLOT(whole_groups), chunk = SLOT(chunk);
  uint32_t in_last = cg_is(g, SpvOpUGreaterThanEqual, wid, groups), axes = opts(g)->axes;
  wid = cg_u(g, SpvOpISub, wid, cg_pick(g, g->u32, in_last, groups, zero));
  t->first = t->batch = t->piece = zero;
  if (axes & AXIS_ACROSS)
    t->first = cg_ui(g, SpvOpIMul, cg_split(g, &wid, SLOT(across)), t->c);
  uint32_t chain = cg_u(g, SpvOpIAdd, cg_ui(g, SpvOpIMul, wid, CHAINS), g->thread);
  uint32_t batches = SLOT(batches), all = cg_u(g, SpvOpIMul, t->rows, batches);
  all = cg_u(g, SpvOpIMul, all, cg_pick(g, g->u32, in_last, one, whole));
  t->there = cg_less(g, chain, all);
  t->row = chain = cg_least(g, g->u32, chain, cg_u(g, SpvOpISub, all, one));
  if (axes & (AXIS_BATCHES | AXIS_PARTS)) t->row = cg_split(g, &chain, t->rows);
  if (axes & AXIS_PARTS) {
    if (axes & AXIS_BATCHES) t->batch = cg_split(g, &chain, batches);
    t->piece = cg_u(g, SpvOpIAdd, chain, cg_pick(g, g->u32, in_last, whole, zero));
  } else if (axes & AXIS_BATCHES) t->batch = chain;
  uint32_t rest =
      cg_u(g, SpvOpISub, cg_slot_u32(g, CG_SLOT_LEN), cg_u(g, SpvOpIMul, whole, chunk));
  t->length = cg_pick(g, g->u32, in_last, rest, chunk);
}

static void open_staged(cg *g, thin *t) {
  int side = t->line.number;
  t->bk = opts(g)->staged;
  t->wide = opts(g)->wide ? 4 : 1;
  t->held_type = product_shared_type(g->k, &t->part, side);
  uint32_t bytes = (uint32_t)kty_bytes(t->held_type);
  t->vec = 16 / bytes;
  t->vec_type = spv_vec(g->b, cg_scalar_type(g, t->held_type), t->vec);
  t->stride = row_vectors(t->bk, bytes);
  t->starts = spv_shared(g->b, g->u64, CHAINS);
  t->held = spv_shared(g->b, t->vec_type, CHAINS * t->stride);
}

/* Where the thread's lines begin. */
static void find_starts(cg *g, thin *t) {
  uint32_t k0 = cg_u(g, SpvOpIMul, t->piece, SLOT(chunk));
  uint32_t at = start_of(g, t, &t->line, t->row, k0);
  if (opts(g)->staged) {
    spv_do(g->b, SpvOpStore, cg_shared_ptr(g, g->u64, t->starts, g->thread), at);
    cg_barrier(g);
  } else {
    t->line.at = spv_local(g->b, g->u64, 0);
    spv_do(g->b, SpvOpStore, t->line.at, at);
  }
  uint32_t across = opts(g)->few_wide == ALONG_LINES ? 4 : 1;
  uint32_t last = cg_ui(g, SpvOpISub, t->columns, across), first = 0;
  for (uint32_t j = 0; j < t->c; j += across) {
    uint32_t line = cg_least(g, g->u32, cg_next(g, t->first, j), last);
    if (!j) first = line;
    t->beyond[j] = times64(g, t->few.line, cg_u(g, SpvOpISub, line, first));
  }
  at = start_of(g, t, &t->few, first, k0);
  t->few.at = spv_local(g->b, g->u64, 0);
  spv_do(g->b, SpvOpStore, t->few.at, at);
}

static void open_thin(cg *g, thin *t) {
  int few = (int)opts(g)->few;
  product_part(g->k, &t->part);
  t->c = opts(g)->columns;
  uint32_t rows = cg_slot_u32(g, cg_strided_slot(g->k, LEFT, 1) + CG_STRIDED_N);
  t->rows = t->columns = cg_slot_u32(g, CG_SLOT_INNER);
  if (few == LEFT) t->columns = rows;
  else t->rows = rows;
  find_chain(g, t);
  open_side(g, t, &t->line, !few);
  open_side(g, t, &t->few, few);
  if (opts(g)->staged) open_staged(g, t);
  for (uint32_t i = 0; i < (t->bk ? t->bk : opts(g)->deep); i++)
    t->loaded[i] = spv_local(g->b, cg_scalar_type(g, t->line.t), 0);
  find_starts(g, t);
  product_make_rest(g, &t->part);
  for (uint32_t j = 0; j < t->c; j++) {
    t->acc[j] = cg_var_acc(g, cg_identity(g));
    if (opts(g)->blocks) t->all[j] = cg_var_acc(g, cg_identity(g));
  }
}

static void store_results(cg *g, thin *t) {
  bool by_rows = t->line.number == LEFT;
  uint32_t to = cg_result(g), there = spv_if(g->b, t->there);
  for (uint32_t j = 0; j < t->c; j++) {
    uint32_t few = cg_next(g, t->first, j);
    uint32_t merge = spv_if(g->b, cg_less(g, few, t->columns));
    uint32_t at =
        product_result(g, (product_at){.batch = t->batch,
                                       .piece = t->piece,
                                       .row = by_rows ? t->row : few,
                                       .column = by_rows ? few : t->row,
                                       .rows = by_rows ? t->rows : t->columns,
                                       .columns = by_rows ? t->columns : t->rows});
    cg_pos p = {.i = at};
    cg_finish(g, to, &p, cg_var_get(g, opts(g)->blocks ? t->all[j] : t->acc[j]), 0);
    spv_endif(g->b, merge);
  }
  spv_endif(g->b, there);
}

void product_thin_emit(cg *g) {
  thin t;
  memset(&t, 0, sizeof t);
  g->lanes = 1;
  open_thin(g, &t);
  if (opts(g)->blocks) run_blocks(g, &t);
  else run(g, &t, spv_u32(g->b, 0), t.length);
  store_results(g, &t);
}
