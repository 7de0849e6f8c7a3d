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
 * Sums along k have the order of prim/inner_product.h: in blocks, which may be parts, a workgroup
 * each, where the result is small; PRODUCT_JOIN folds these.
 *
 * What the kernel computes of x or y alone it does once, on the way to workgroup memory; the rest
 * for every x g y. A thread's rows come in vectors of 16 bytes, and those of its subgroup in
 * squares of four threads, so that neighbours read neighbouring vectors. Lanes of a load lie
 * along the axis in which the argument's neighbours lie. The last tile of some begins before its
 * place, and makes results again; of fewer rows than a tile's the last one is read again, and not
 * stored. The last steps, fewer than bk, are a loop of their own. */
#include "product.h"

#include <string.h>

#include "../base/arith.h"

enum { LONG_STEP = 24, SHORT_LEN = 128 };
/* Results of a thread from which on addresses count more than the module's length. */
enum { ROUND_RESULTS = 8 };

/* ── what is computed where ─────────────────────────────────────────────────────────── */

static uint8_t part_of(const kir *k, const kins *n, const uint8_t *of) {
  if (n->op == KOP_ARG) return (uint8_t)(1 << (k->in[n->imm.i].view - KV_STRIDED));
  if (n->op == KOP_IOTA || n->op == KOP_LOOP) return 3;
  const kv v[3] = {n->a, n->b, n->c};
  uint8_t all = 0;
  for (int j = 0; j < kop_table[n->op].operands; j++) all |= of[v[j]];
  return all;
}

/* One more value of a side; false: there are too many, or others of another type. */
static bool bind(const kir *k, parting *p, int side, kv v) {
  kv *bound = p->bound[side];
  uint32_t *n = &p->n_bound[side];
  for (uint32_t i = 0; i < *n; i++)
    if (bound[i] == v) return true;
  if (*n == p->n_in[side] || (*n && k->ins[v].ty != k->ins[bound[0]].ty)) return false;
  bound[(*n)++] = v;
  return true;
}

/* Instruction i binds what it asks for of a side. *last: the last value that is none of the inputs. */
static bool bind_operands(const kir *k, parting *p, int side, uint32_t i, kv *last) {
  const kins *at = &k->ins[i];
  kv v[3 + KIR_MAX_ACC] = {at->a, at->b, at->c};
  uint32_t n = (uint32_t)kop_table[at->op].operands;
  for (uint32_t j = 0; i == k->fold_at && j < k->n_acc; j++) v[n++] = k->acc[j].from;
  bool fits = true;
  for (uint32_t j = 0; j < n; j++) {
    if (p->of[v[j]] != 1 << side) continue;
    if (k->ins[v[j]].op != KOP_ARG && v[j] > *last) *last = v[j];
    fits &= bind(k, p, side, v[j]);
  }
  return fits;
}

/* What is made of what is made of both is made of both; so are faults of it. */
static void spread(const kir *k, parting *p) {
  for (uint32_t i = 0; i < k->fold_at; i++) {
    const kv v[3] = {k->ins[i].a, k->ins[i].b, k->ins[i].c};
    for (int j = 0; j < kop_table[k->ins[i].op].operands; j++)
      if (p->of[v[j]] == 3) p->of[i] = 3;
  }
}

/* Makes `bound` for a side, of as many values as it has inputs: what is made of it last is made of
 * both. */
static void find_bound(const kir *k, parting *p, int side) {
  bool fits;
  do {
    kv last = 0;
    fits = true;
    p->n_bound[side] = 0;
    for (uint32_t i = 0; i <= k->fold_at; i++)
      if (i == k->fold_at || p->of[i] == 3) fits &= bind_operands(k, p, side, i, &last);
    if (!fits) p->of[last] = 3;
    if (!fits) spread(k, p);
  } while (!fits);
  if (!p->n_bound[side]) p->n_bound[side] = 1; /* any */
}

void product_part(const kir *k, parting *p) {
  memset(p, 0, sizeof *p);
  for (uint32_t i = 0; i < k->fold_at; i++) {
    const kins *n = &k->ins[i];
    p->of[i] = part_of(k, n, p->of);
    p->loops |= n->op == KOP_LOOP;
    p->position |= n->op == KOP_IOTA;
    if (n->op != KOP_ARG) continue;
    int side = k->in[n->imm.i].view - KV_STRIDED;
    p->in[side][p->n_in[side]++] = (uint32_t)n->imm.i;
  }
  for (uint32_t i = 0; i < k->fold_at;
       i++) /* half the memory, and a product of halves is quick */
    if (k->ins[i].op == KOP_CVT && k->ins[i].ty == KI64 && k->ins[k->ins[i].a].ty == KI32)
      p->of[i] = p->of[i] ? 3 : 0;
  for (int side = 0; side < SIDES; side++) find_bound(k, p, side);
  for (uint32_t i = 0; i < k->fold_at; i++) p->steps += p->of[i] == 3;
}

kty product_shared_type(const kir *k, const parting *p, int side) {
  kty t = (kty)k->ins[p->bound[side][0]].ty;
  return t == KB ? KI32 : t;
}

uint32_t product_shared_bytes(const kir *k, const parting *p, int side) {
  return (uint32_t)kty_bytes(product_shared_type(k, p, side)) * p->n_bound[side];
}

/* Is it +.×, with nothing else computed of both? */
static bool adds_products(const kir *k, const parting *p) {
  const kacc *a = &k->acc[0];
  return a->monoid == KF_ADD && k->ins[a->from].op == KOP_MUL && p->steps == 1;
}

bool product_contracts(const kir *k, const parting *p, bool float64) {
  kty t = (kty)k->ins[k->acc[0].from].ty;
  return k->digits && adds_products(k, p) && kty_is_float(t) && (t == KF32 || float64);
}

/* ── how ────────────────────────────────────────────────────────────────────────────── */

bool product_serves(const cg_task *t) { return t->kind == CG_TASK_FOLD && t->k->product; }

static uint32_t threads_of(const cg_tile *s) { return s->bm / s->tm * (s->bn / s->tn); }

static bool has_no_order(const kir *k) { return k->digits || cg_fold_exact(k); }

/* Where little is done a short module is worth more. bound: bytes of the larger of x and y. */
static cg_tiles kind_of(const cg_task *t, const parting *p, uint32_t bound) {
  int result = cg_acc_bytes(t->k);
  if (t->small || p->steps > LONG_STEP || p->loops) return CG_TILES_MUCH;
  if (bound > 8) return CG_TILES_COMPLEX;
  if (result > 8) return CG_TILES_WIDE;
  bool blocks = !has_no_order(t->k) && t->len > PRODUCT_BLOCK;
  if (bound > 4 && blocks) return CG_TILES_BLOCKS_8;
  if (bound > 4) return CG_TILES_DOUBLES;
  if (result > 4) return CG_TILES_SUMS;
  if (blocks || t->len <= SHORT_LEN) return CG_TILES_BLOCKS;
  return CG_TILES_WORDS;
}

static const int64_t most_parts_bytes = INT64_C(1) << 30;

typedef struct cut {
  int64_t down, across, groups; /* tiles; workgroups without parts */
  int64_t parts, chunk;         /* of k */
} cut;

static cut cut_by(const cg_task *t, const cg_tile *s) {
  int64_t m = t->strided->n[1], n = t->inner;
  cut c = {.down = ceil_div(m, s->bm), .across = ceil_div(n, s->bn), .parts = 1};
  c.groups = c.down * c.across * (t->rows / m);
  c.chunk = t->len;
  bool enough = c.groups * threads_of(s) >= (int64_t)t->choice->busy * CG_WORKGROUP;
  if (enough || t->len <= PRODUCT_BLOCK) return c;
  int64_t blocks = ceil_div(t->len, PRODUCT_BLOCK), each = 1;
  if (has_no_order(t->k))
    each = ceil_div(blocks, ceil_div(4 * t->choice->busy, c.groups));
  int64_t parts = ceil_div(blocks, each);
  if (t->rows * n > most_parts_bytes / cg_acc_bytes(t->k) / parts) return c;
  c.parts = parts;
  c.chunk = each * PRODUCT_BLOCK;
  return c;
}

/* Few results are a workgroup each, whose threads load parts side by side. */
static void join_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_PRODUCT);
  int64_t all = t->rows * t->inner, groups = 2 * (int64_t)t->choice->busy;
  uint32_t results = 1, each = 8, value = CG_WORKGROUP * (uint32_t)cg_acc_bytes(t->k);
  while (each > 1 && each * value > t->choice->shared) each /= 2;
  while (results < CG_WORKGROUP &&
         (all > groups * results || CG_WORKGROUP / results * each > 2 * t->len))
    results *= 2;
  s->o.product = (product_opts){.phase = PRODUCT_JOIN, .bn = results, .bk = each};
  s->o.width = 1;
  s->o.workgroup = CG_WORKGROUP;
  s->geom.workgroups = ceil_div(all, results);
}

/* Do tiles of this shape keep the device busy, and not with what is beyond the result? */
static bool is_enough(const cg_task *t, const cg_tile *s, const cut *c) {
  int64_t some = t->choice->busy;
  if (threads_of(s) > t->most_threads) return false;
  if (s->bm >= 2 * t->strided->n[1] || s->bn >= 2 * t->inner) return false;
  return c->groups >= some || c->groups * c->parts >= 2 * some;
}

/* Places that fill no tile are gone through one by one: tiles are no longer than lines. */
static cg_tile for_length(cg_tile s, int64_t len) {
  while (s.bk > len && cg_tile_feeds(&s, s.bk / 2)) s.bk /= 2;
  return s;
}

/* What is no sum of products takes more instructions, and registers, for each x g y: a thread has a quarter of the results.
 * 2048³ on an H200, ms with all and with a quarter, of f64: ⌊.+ 13.1 and 4.3, ⌈.× 16.8 and 4.3, +.= 73 and 8.6, ∨.≤ 39 and
 * 9.4, +.| 108 and 36; of f32 ⌊.+ 14.4 and 2.9; of i8 ∧.= 6.7 and 2.0. Their modules compile in a quarter of the time, too. */
static cg_choice results_of(const cg_task *t, const parting *p) {
  enum { LEAST = 16 };
  const kir *k = t->k;
  cg_choice c = *t->choice;
  uint8_t monoid = k->acc[0].monoid;
  bool words = monoid == KF_EACH_OR || monoid == KF_EACH_AND;
  if (k->n_acc > 1 || k->join || words || adds_products(k, p)) return c;
  c.results = (uint32_t)max_i64(c.results / 4, LEAST);
  return c;
}

static cg_tile choose_tile(const cg_task *t, cut *c) {
  int n;
  parting p;
  product_part(t->k, &p);
  cg_choice choice = results_of(t, &p);
  uint32_t result = (uint32_t)cg_acc_bytes(t->k);
  uint32_t bound = (uint32_t)max_i64(product_shared_bytes(t->k, &p, LEFT),
                                     product_shared_bytes(t->k, &p, RIGHT));
  const cg_tile *list = cg_tiles_of(kind_of(t, &p, bound), &n);
  for (;;) {
    cg_tile s = for_length(cg_tile_within(&choice, *list++, result, bound), t->len);
    *c = cut_by(t, &s);
    if (--n == 0 || is_enough(t, &s, c)) return s;
  }
}

/* May a side's tiles be loaded by vectors of 16 bytes? Then each begins at a multiple of these, and
 * all lines are there. */
static bool is_wide(const cg_task *t, const cg_tile *s, int side, uint32_t along) {
  parting p;
  product_part(t->k, &p);
  const kstrided *by = t->strided;
  int64_t lines = by->n[1];
  uint32_t tile = s->bm, line = 1;
  if (side == RIGHT) by = t->right, lines = t->inner, tile = s->bn, line = 3;
  uint32_t bits = (uint32_t)elt_bits((elt)t->k->in[p.in[side][0]].type);
  if (bits < 32 || p.n_in[side] > 1 || !(along >> (SIDES + side) & 1)) return false;
  uint32_t wide = 128 / bits;
  if (tile * s->bk / threads_of(s) < wide) return false;
  bool is_along = along >> side & 1;
  int64_t starts = t->first[side] | by->stride[0];
  if (is_along) starts |= by->stride[line] | t->len;
  else starts |= by->stride[2] | lines;
  return by->stride[is_along ? 2 : line] == 1 && starts % wide == 0;
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
  for (int side = 0; side < SIDES; side++)
    if (is_wide(t, s, side, o->along)) o->along |= 1u << (2 * SIDES + side);
  if (s->tm * s->tn >= ROUND_RESULTS && t->len >= 2 * s->bk) o->along |= PRODUCT_ROUNDS;
  parting part;
  product_part(t->k, &part);
  bool four = s->tn >= 4 && product_shared_bytes(t->k, &part, RIGHT) == 4;
  bool all = o->along >> (SIDES + RIGHT) & 1; /* its columns are there */
  pass->o.width = four && all && t->inner % 4 == 0 ? 4 : 1;
  pass->o.workgroup = threads_of(s);
  pass->geom.product = (product_geom){c.down, c.across, c.chunk};
  pass->geom.tiles = p->tiles = c.parts;
  pass->geom.workgroups = c.groups * c.parts;
}
