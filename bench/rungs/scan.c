/* SPDX-License-Identifier: MIT */
/* scan.c - the ladder's scans: how a workgroup scans its tile, and how the tiles learn what
 * came before them.
 *
 *   PLAN_ADD       scan tiles ─▶ scan their totals (likewise) ─▶ add them       4n moved
 *   PLAN_TOTALS    totals of tiles ─▶ scan these ─▶ scan tiles from there       3n
 *   PLAN_LOOKBACK  one kernel: a tile publishes its total, then looks back      2n */
#include "bench/rungs/rungs.h"

enum { STRIP_QUADS = 4, LOOKBACK_QUADS = 16 };

const scan_rung scan_rungs[] = {
#define RUNG(name, block, plan, window, change)                                          \
  {{name, change}, BLOCK_##block, PLAN_##plan, window},
#include "bench/rungs/scan.def"
};
const int n_scan_rungs = sizeof scan_rungs / sizeof *scan_rungs;

static uint32_t quads_of(const scan_rung *r) {
  return r->plan == PLAN_LOOKBACK ? LOOKBACK_QUADS : STRIP_QUADS;
}

uint32_t scan_tile(const scan_rung *r) {
  if (r->block == BLOCK_HILLIS) return KERN_WG;
  if (r->block == BLOCK_BLELLOCH) return 2 * KERN_WG;
  return 4 * KERN_WG * quads_of(r);
}

static uint32_t place(kern *k, uint32_t group, uint32_t wide) {
  return kern_u(k, SpvOpIAdd, kern_ui(k, SpvOpIMul, group, wide), k->tid);
}

static void put_if_there(kern *k, uint32_t at, uint32_t v) {
  uint32_t merge = spv_if(&k->b, kern_is(k, SpvOpULessThan, at, k->n));
  kern_put(k, k->out, at, v);
  spv_endif(&k->b, merge);
}

/* The tile's total, which the first thread has, to the scratch. */
static void put_total(kern *k, uint32_t total) {
  uint32_t merge = spv_if(&k->b, kern_first(k));
  kern_put(k, k->scratch, k->wid, total);
  spv_endif(&k->b, merge);
}

/* ── in workgroup memory ────────────────────────────────────────────────────────────── */

static void hillis(kern *k) {
  spv *b = &k->b;
  uint32_t at = place(k, k->wid, KERN_WG), one = spv_u32(b, 1), none = spv_u32(b, 0);
  kern_sput(k, k->shared, k->tid, kern_get_or_zero(k, at));
  kern_barrier(k);
  spv_loop l = spv_for(b, spv_u32(b, 8)); /* log2 KERN_WG */
  uint32_t i = kern_u(k, SpvOpShiftLeftLogical, one, l.i);
  uint32_t has = kern_is(k, SpvOpUGreaterThanEqual, k->tid, i);
  uint32_t from = kern_pick(k, k->u32, has, kern_u(k, SpvOpISub, k->tid, i), none);
  uint32_t before = kern_sget(k, k->shared, from);
  before = kern_pick(k, k->val, has, before, k->zero);
  uint32_t v = kern_join(k, before, kern_sget(k, k->shared, k->tid));
  kern_barrier(k);
  kern_sput(k, k->shared, k->tid, v);
  kern_barrier(k);
  spv_endfor(b, &l);
  put_if_there(k, at, kern_sget(k, k->shared, k->tid));
  put_total(k, kern_sget(k, k->shared, spv_u32(b, KERN_WG - 1)));
}

/* Blelloch's two sweeps over 512 elements; place p of step d is (t + 1) 2^(d+1) - 1. Up:
 * p adds what is 2^d before it. Down, of an inclusive scan: p + 2^d adds p. */
static void blelloch_step(kern *k, uint32_t array, uint32_t half, bool up) {
  spv *b = &k->b;
  uint32_t next = kern_ui(k, SpvOpIAdd, k->tid, 1),
           twice = kern_u(k, SpvOpIAdd, half, half);
  uint32_t right = kern_ui(k, SpvOpISub, kern_u(k, SpvOpIMul, next, twice), 1), left;
  if (up) {
    left = kern_u(k, SpvOpISub, right, half);
  } else {
    left = right;
    right = kern_u(k, SpvOpIAdd, left, half);
  }
  uint32_t end = spv_u32(b, 2 * KERN_WG);
  uint32_t merge = spv_if(b, kern_is(k, SpvOpULessThan, right, end));
  uint32_t x = kern_sget(k, array, left), y = kern_sget(k, array, right);
  kern_sput(k, array, right, kern_join(k, x, y));
  spv_endif(b, merge);
  kern_barrier(k);
}

static void blelloch(kern *k) {
  spv *b = &k->b;
  uint32_t array = spv_shared(b, k->val, 2 * KERN_WG), one = spv_u32(b, 1);
  uint32_t at[2] = {place(k, k->wid, 2 * KERN_WG), 0}, here[2] = {k->tid, 0};
  at[1] = kern_ui(k, SpvOpIAdd, at[0], KERN_WG);
  here[1] = kern_ui(k, SpvOpIAdd, k->tid, KERN_WG);
  for (int j = 0; j < 2; j++) kern_sput(k, array, here[j], kern_get_or_zero(k, at[j]));
  kern_barrier(k);
  spv_loop l = spv_for(b, spv_u32(b, 9)); /* log2 of 512 */
  blelloch_step(k, array, kern_u(k, SpvOpShiftLeftLogical, one, l.i), true);
  spv_endfor(b, &l);
  l = spv_for(b, spv_u32(b, 8));
  uint32_t most = spv_u32(b, KERN_WG / 2);
  blelloch_step(k, array, kern_u(k, SpvOpShiftRightLogical, most, l.i), false);
  spv_endfor(b, &l);
  for (int j = 0; j < 2; j++) put_if_there(k, at[j], kern_sget(k, array, here[j]));
  put_total(k, kern_sget(k, array, spv_u32(b, 2 * KERN_WG - 1)));
}

/* ── strips: 4-wide, subgroups by their instruction ─────────────────────────────────── */

/* A subgroup has `quads` rows of S quads, one behind another. */
typedef struct strip {
  uint32_t quads, first;         /* u32: this thread's quad of the first row */
  uint32_t x[LOOKBACK_QUADS][4]; /* inclusive in the subgroup */
  uint32_t total;                /* the subgroup's */
} strip;

static void strip_load(kern *k, strip *s, uint32_t tile) {
  uint32_t at = kern_ui(k, SpvOpIMul, k->sub, s->quads * k->S);
  at = kern_u(k, SpvOpIAdd, at, k->lane);
  uint32_t base = kern_ui(k, SpvOpIMul, tile, KERN_WG * s->quads);
  s->first = kern_u(k, SpvOpIAdd, base, at);
  for (uint32_t r = 0; r < s->quads; r++)
    kern_get_quad(k, kern_ui(k, SpvOpIAdd, s->first, r * k->S), s->x[r]);
}

static void strip_scan(kern *k, strip *s) {
  uint32_t last = spv_u32(&k->b, k->S - 1);
  for (uint32_t r = 0; r < s->quads; r++) {
    uint32_t *x = s->x[r];
    for (int j = 1; j < 4; j++) x[j] = kern_join(k, x[j - 1], x[j]);
    uint32_t before = kern_group(k, SpvGroupOperationExclusiveScan, x[3]);
    if (r) before = kern_join(k, s->total, before);
    for (int j = 0; j < 4; j++) x[j] = kern_join(k, before, x[j]);
    s->total = kern_shuffle(k, k->val, x[3], last);
  }
}

static void strip_reduce(kern *k, strip *s) {
  uint32_t sum = kern_join4(k, s->x[0]);
  for (uint32_t r = 1; r < s->quads; r++) sum = kern_join(k, sum, kern_join4(k, s->x[r]));
  s->total = kern_group(k, SpvGroupOperationReduce, sum);
}

/* Subgroups' totals into workgroup memory. */
static void strip_publish(kern *k, const strip *s) {
  uint32_t none = spv_u32(&k->b, 0);
  uint32_t merge = spv_if(&k->b, kern_is(k, SpvOpIEqual, k->lane, none));
  kern_sput(k, k->shared, k->sub, s->total);
  spv_endif(&k->b, merge);
  kern_barrier(k);
}

/* The first n of them, one after the other. */
static uint32_t strip_fold(kern *k, uint32_t n) {
  spv *b = &k->b;
  uint32_t acc = spv_local(b, k->val, 0);
  spv_do(b, SpvOpStore, acc, k->zero);
  spv_loop l = spv_for(b, n);
  uint32_t sum = spv_op(b, k->val, SpvOpLoad, acc);
  spv_do(b, SpvOpStore, acc, kern_join(k, sum, kern_sget(k, k->shared, l.i)));
  spv_endfor(b, &l);
  return spv_op(b, k->val, SpvOpLoad, acc);
}

static void strip_store(kern *k, const strip *s, uint32_t before) {
  uint32_t v[4];
  for (uint32_t r = 0; r < s->quads; r++) {
    for (int j = 0; j < 4; j++) v[j] = kern_join(k, before, s->x[r][j]);
    kern_put_quad(k, kern_ui(k, SpvOpIAdd, s->first, r * k->S), v);
  }
}

static uint32_t subgroups(kern *k) { return spv_u32(&k->b, KERN_WG / k->S); }

/* What the totals of the tiles before come to, from their inclusive scan. */
static uint32_t carry_of(kern *k) {
  uint32_t some = kern_is(k, SpvOpINotEqual, k->wid, spv_u32(&k->b, 0));
  uint32_t before = kern_ui(k, SpvOpISub, k->wid, 1);
  before = kern_pick(k, k->u32, some, before, spv_u32(&k->b, 0));
  return kern_pick(k, k->val, some, kern_get(k, k->scratch, before), k->zero);
}

static void strips(kern *k, const scan_rung *r, scan_role role) {
  strip s = {.quads = quads_of(r)};
  strip_load(k, &s, k->wid);
  if (role == ROLE_TOTAL) strip_reduce(k, &s);
  else strip_scan(k, &s);
  strip_publish(k, &s);
  if (role != ROLE_CARRY) put_total(k, strip_fold(k, subgroups(k)));
  if (role == ROLE_TOTAL) return;
  uint32_t before = strip_fold(k, k->sub);
  if (role == ROLE_CARRY) before = kern_join(k, carry_of(k), before);
  strip_store(k, &s, before);
}

/* Adds the carry to a tile that is scanned, at most once a thread and element. */
static void add_carry(kern *k, const scan_rung *r) {
  uint32_t before = carry_of(k), size = scan_tile(r);
  for (uint32_t i = 0; i < size; i += KERN_WG) {
    uint32_t at = kern_ui(k, SpvOpIAdd, place(k, k->wid, size), i);
    uint32_t v = kern_get_or_zero(k, at);
    put_if_there(k, at, kern_join(k, before, v));
  }
}

/* The total is told first: the tiles behind wait for it while this one is scanned. */
static void scan_lookback(kern *k, const scan_rung *r) {
  uint32_t tile = lookback_ticket(k);
  strip s = {.quads = quads_of(r)};
  strip_load(k, &s, tile);
  strip_reduce(k, &s);
  strip_publish(k, &s);
  uint32_t total = strip_fold(k, subgroups(k)), inside = strip_fold(k, k->sub);
  lookback_publish(k, tile, total);
  strip_scan(k, &s);
  uint32_t window = r->window ? r->window : k->S;
  uint32_t before = lookback_before(k, tile, total, window, false);
  strip_store(k, &s, kern_join(k, before, inside));
}

bool scan_emit(ctx *c, const scan_rung *r, scan_role role, monoid m, uint32_t subgroup,
               cg_module *out) {
  kern k;
  kern_begin(&k, c, m, subgroup);
  if (role == ROLE_ADD) add_carry(&k, r);
  else if (role == ROLE_LOOKBACK) scan_lookback(&k, r);
  else if (r->block == BLOCK_HILLIS) hillis(&k);
  else if (r->block == BLOCK_BLELLOCH) blelloch(&k);
  else strips(&k, r, role);
  return kern_end(&k, out);
}
