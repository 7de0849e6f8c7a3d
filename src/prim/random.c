/* SPDX-License-Identifier: MIT */
/* random.c - roll and deal.
 *
 * The generator is Philox 4x32 with ten rounds (Salmon, Moraes, Dror, Shaw: Parallel
 * random numbers: as easy as 1, 2, 3; SC 2011): a keyed bijection of a 128-bit counter.
 * The key is the seed, the counter the number of the draw, so that element i of a roll
 * needs nothing from element i-1 and a kernel can make it as well as this loop
 * (tables/random.def).
 *
 * Every element takes one draw of 128 bits. A number of 0 to n-1 is the high part of draw
 * × n, whose probabilities differ by less than 2^-64 even for n near 2^63: no draw is
 * ever thrown away. A fraction takes 53 bits and half of the next one: it is never 0 or
 * 1.
 *
 * A short deal is a Fisher and Yates shuffle that stops after x steps. Where x is much less
 * than y, only the places that were touched are kept, in a hash table. A long one is made place
 * by place (tables/shuffle.def) and takes a single draw. */
#include "scalar.h"
#include "args.h"
#include "ops.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/element.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct draw {
  uint64_t lo, hi;
} draw;

void prim_random_seed(prim_random *g, uint64_t seed) {
  *g = (prim_random){.seed = seed, .seeded = true};
}

void prim_random_choose(prim_random *g) {
  uint64_t seed;
  if (getentropy(&seed, sizeof seed)) seed = (uint64_t)time(NULL);
  prim_random_seed(g, seed);
}

uint64_t prim_random_take(prim_random *g, uint64_t n) {
  if (!g->seeded) prim_random_choose(g);
  g->drawn += n;
  return g->drawn - n;
}

static draw next(prim_random *g) {
  uint64_t at = prim_random_take(g, 1);
  uint32_t c[4] = {(uint32_t)at, (uint32_t)(at >> 32), 0, 0};
  uint32_t k0 = (uint32_t)g->seed, k1 = (uint32_t)(g->seed >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t p = (uint64_t)c[0] * 0xD2511F53, q = (uint64_t)c[2] * 0xCD9E8D57;
    c[0] = (uint32_t)(q >> 32) ^ c[1] ^ k0;
    c[2] = (uint32_t)(p >> 32) ^ c[3] ^ k1;
    c[1] = (uint32_t)q;
    c[3] = (uint32_t)p;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return (draw){c[0] | (uint64_t)c[1] << 32, c[2] | (uint64_t)c[3] << 32};
}

static uint64_t high(uint64_t a, uint64_t b, uint64_t *low) {
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t mid = ah * bl + (al * bl >> 32), cross = al * bh + (uint32_t)mid;
  *low = a * b;
  return ah * bh + (mid >> 32) + (cross >> 32);
}

/* 0 to n-1, n above 0. */
static int64_t below(prim_random *g, int64_t n) {
  draw d = next(g);
  uint64_t low, other, up = high(d.hi, (uint64_t)n, &low);
  uint64_t carry = high(d.lo, (uint64_t)n, &other);
  return (int64_t)(up + (low + carry < low));
}

static arr *bad_range(prim_env *e) {
  err_set(e->c, ERR_DOMAIN, "?: the range must be 0 or a positive whole number");
  return NULL;
}

/* Draws of one kind for the elements of n, or for all elements of a shape where n is one number:
 * in blocks, straight into the narrowest type that holds the largest range. */
typedef struct rolling {
  const arr *n;
  int64_t most;
  int io;
  bool fractions;
  uint64_t seed, at;
  arr *r;
} rolling;

static void roll_block(const rolling *w, int64_t i, int64_t m) {
  int32_t below[SC_BLOCK], v[SC_BLOCK];
  const int64_t most = w->most;
  uint64_t at = w->at + (uint64_t)i;
  elt t = (elt)w->r->type;
  if (w->fractions) {
    sc_block()->fractions(w->seed, at, (int)m, (double *)w->r->host + i);
    return;
  }
  if (w->n->count == 1)
    for (int64_t k = 0; k < m; k++) below[k] = (int32_t)most;
  else sc_load(w->n, i, 1, m, SC_I32, below);
  sc_block()->rolls(w->seed, at, below, (int)m, w->io, v);
  if (t != ET_BIT) {
    size_t width = (size_t)elt_bits(t) / 8;
    sc_block()->store(SC_I32, v, m, t, (char *)w->r->host + (size_t)i * width);
    return;
  }
  bool truth[SC_BLOCK];
  for (int64_t k = 0; k < m; k++) truth[k] = v[k] != 0;
  sc_store(w->r, i, 1, m, SC_B, truth);
}

static void roll_stretch(void *job, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; i += SC_BLOCK)
    roll_block(job, i, min_i64(to - i, SC_BLOCK));
}

static bool roll_simple(prim_env *e, rolling *w) {
  int64_t n = w->r->count;
  if (!n) return true;
  w->at = prim_random_take(e->random, (uint64_t)n);
  w->seed = e->random->seed;
  w->io = e->io;
  each_loop loop = {.n = n, .cell = 1, .steps = 20, .task = roll_stretch, .job = w};
  return each_part(e->c, &loop);
}

/* Numbers of 0 and more where some are 0, or some are large: one by one. */
static bool roll_mixed(prim_env *e, const arr *n, arr *r) {
  for (int64_t i = 0; i < r->count; i++) {
    int64_t v = arr_get_int(n, n->count == 1 ? 0 : i);
    if (!v) arr_put_float(r, i, ((double)(next(e->random).hi >> 11) + 0.5) * 0x1p-53);
    else if (r->type == ET_F64)
      arr_put_float(r, i, (double)(below(e->random, v) + e->io));
    else arr_put_int(r, i, below(e->random, v) + e->io);
    if (stops_at(e->c, i)) return false;
  }
  return true;
}

arr *prim_roll_shape(prim_env *e, const arr *n, int rank, const int64_t *shape) {
  int64_t least = 1, most = 1;
  if (n->count) sc_bounds(n, &least, &most);
  if (least < 0) return bad_range(e);
  bool simple = (!most || least) && most <= INT32_MAX;
  elt t = ET_F64;
  if (least) t = elt_for_range(e->io, max_i64(most, 1) - 1 + e->io);
  OWNED arr *r = arr_new(e->c, t, rank, shape);
  if (!r) return NULL;
  if (!simple && !roll_mixed(e, n, r)) return NULL;
  rolling w = {.n = n, .most = most, .fractions = !most, .r = r};
  if (simple && !roll_simple(e, &w)) return NULL;
  if (least) arr_set_range(r, e->io, most - 1 + e->io);
  return arr_move(&r);
}

static arr *roll_item(void *user, ctx *c, const arr *y, int64_t i) {
  UNUSED(c);
  return prim_roll(user, arr_item(y, i));
}

arr *prim_roll(prim_env *e, arr *y) {
  if (arr_nests(y)) {
    if (!y->count) return arr_proto(e->c, y);
    return arr_map(e->c, y, roll_item, e);
  }
  OWNED arr *n = prim_ints(e, y, "?: the range");
  if (!n) return NULL;
  return prim_roll_shape(e, n, n->rank, n->shape);
}

/* ── deal ───────────────────────────────────────────────────────────────────────────── */

#define RANDOM(name, ...) random_##name(__VA_ARGS__)
#define MATH(type, name, args, ...)                                                      \
  static inline type random_##name args { __VA_ARGS__ }
#include "../tables/shuffle.def"

enum { SHORT_DEAL = 4096 };
static const int64_t largest_long = (int64_t)1 << 62;

bool prim_deal_is_long(int64_t x, int64_t y) {
  return x > SHORT_DEAL && y <= largest_long;
}

prim_dealing prim_deal_begin(prim_random *g, int64_t n) {
  draw d = next(g);
  prim_dealing how = {.n = n, .a = 2, .key = (int64_t)d.lo, .by = (int64_t)(d.hi | 1)};
  while (how.a < how.n / how.a) how.a *= 2;
  how.b = ceil_div(n, how.a);
  return how;
}

arr *prim_dealt(prim_env *e, const prim_dealing *how, int64_t x) {
  OWNED arr *r = arr_vec(e->c, ET_I64, x);
  int64_t up = (INT64_C(1) << 32) / how->a;
  for (int64_t i = 0; r && i < x; i++) {
    int64_t v = random_DEALT(i, how->n, how->a, up, how->b, how->key, how->by);
    ((int64_t *)r->host)[i] = v + e->io;
    if (stops_at(e->c, i)) return NULL;
  }
  return r ? sc_narrow(e->c, arr_move(&r)) : NULL;
}

/* What stands at the places that have been swapped; every other place holds its own
 * number. Open addressing over `mask`+1 slots, a power of two at least twice the
 * entries. */
typedef struct moved {
  int64_t *key, *value;
  uint64_t mask;
} moved;

static uint64_t slot_of(const moved *m, int64_t key) {
  uint64_t h = ((uint64_t)key * 0x9E3779B97F4A7C15) >> 20 & m->mask;
  while (m->key[h] >= 0 && m->key[h] != key) h = (h + 1) & m->mask;
  return h;
}
static int64_t swap_look(const moved *m, int64_t at) {
  uint64_t h = slot_of(m, at);
  if (m->key[h] < 0) return at;
  return m->value[h];
}
static void random_put(moved *m, int64_t at, int64_t v) {
  uint64_t h = slot_of(m, at);
  m->key[h] = at;
  m->value[h] = v;
}

static bool deal_few(prim_env *e, int64_t x, int64_t y, int64_t *r) {
  int64_t slots = next_pow2(max_i64(16, 2 * x));
  OWNED arr *keys = arr_vec(e->c, ET_I64, slots), *values = arr_vec(e->c, ET_I64, slots);
  if (!keys || !values) return false;
  moved m = {keys->host, values->host, (uint64_t)slots - 1};
  memset(m.key, 0xFF, (size_t)slots * sizeof *m.key);
  for (int64_t i = 0; i < x; i++) {
    int64_t j = i + below(e->random, y - i);
    r[i] = swap_look(&m, j) + e->io;
    random_put(&m, j, swap_look(&m, i));
  }
  return true;
}

static bool deal_many(prim_env *e, int64_t x, int64_t y, int64_t *r) {
  OWNED arr *places = arr_vec(e->c, ET_I64, y);
  if (!places) return false;
  int64_t *all = places->host;
  for (int64_t i = 0; i < y; i++) all[i] = i;
  for (int64_t i = 0; i < x; i++) {
    int64_t j = i + below(e->random, y - i), v = all[j];
    all[j] = all[i];
    r[i] = v + e->io;
  }
  return true;
}

arr *prim_deal(prim_env *e, arr *x, arr *y) {
  int64_t n, of;
  if (!prim_int(e, x, "the left argument of ?", &n) ||
      !prim_int(e, y, "the right argument of ?", &of))
    return NULL;
  if (n < 0 || of < 0) return bad_range(e);
  if (n > of) {
    err_set(e->c, ERR_DOMAIN, "?: there are no %lld different numbers among %lld",
            (long long)n, (long long)of);
    return NULL;
  }
  if (prim_deal_is_long(n, of)) {
    prim_dealing how = prim_deal_begin(e->random, of);
    return prim_dealt(e, &how, n);
  }
  OWNED arr *r = arr_vec(e->c, ET_I64, n);
  if (!r) return NULL;
  bool ok;
  if (n < of / 8) ok = deal_few(e, n, of, r->host);
  else ok = deal_many(e, n, of, r->host);
  if (!ok) return NULL;
  return sc_narrow(e->c, arr_move(&r));
}
