/* SPDX-License-Identifier: MIT */
/* scan.c - the ladder's scans: how a workgroup scans its tile, and how the tiles learn what
 * came before them.
 *
 *   SCAN_ADD       scan tiles ─▶ scan their totals (likewise) ─▶ add them       4n moved
 *   SCAN_TOTALS    totals of tiles ─▶ scan these ─▶ scan tiles from there       3n
 *   SCAN_LOOKBACK  one kernel: a tile publishes its total, then looks back      2n
 *
 * Look-back is Merrill and Garland's (decoupled look-back), in the form that every Vulkan
 * device can run: 32-bit atomics, and a value in the lower halves of two words whose top bits
 * say that it is there. Nothing but these words crosses from one workgroup to another, so no
 * order of memory is assumed. It waits for other workgroups, which Vulkan does not promise to run. Tiles are
 * drawn by a ticket, so that all that a tile waits for have begun; and who has polled
 * LOOKBACK_POLLS times says so in a word that the others look at, and leaves. */
#include "bench/rungs/rungs.h"

enum { STRIP_QUADS = 4, LOOKBACK_QUADS = 8, LOOKBACK_POLLS = 1 << 20 };

const scan_rung scan_rungs[] = {
    {"Hillis-Steele in workgroups",
     "every element adds the one 1, 2, 4 … places before: n log n additions; then the "
     "tiles' totals are scanned, then added",
     BLOCK_HILLIS, SCAN_ADD, 0},
    {"work-efficient tree",
     "up a tree of sums and down again: 2n additions, in workgroup memory",
     BLOCK_BLELLOCH, SCAN_ADD, 0},
    {"subgroup instruction, 4-wide",
     "four elements in a thread, subgroups by their scan instruction, larger tiles",
     BLOCK_STRIPS, SCAN_ADD, 0},
    {"reduce, then scan",
     "the first kernel only adds up its tile; the last one reads it again and scans from "
     "what came before: elements move three times, not four",
     BLOCK_STRIPS, SCAN_TOTALS, 0},
    {"look-back, one by one",
     "one kernel: a tile publishes its total and adds up those before it, until one "
     "knows "
     "its whole prefix: elements move twice",
     BLOCK_STRIPS, SCAN_LOOKBACK, 1},
    {"look-back, by subgroups",
     "the lanes of a subgroup look at as many tiles together; how floats are bracketed "
     "depends on who was first",
     BLOCK_STRIPS, SCAN_LOOKBACK, 0},
};
const int n_scan_rungs = sizeof scan_rungs / sizeof *scan_rungs;

static uint32_t quads_of(const scan_rung *r) {
  return r->plan == SCAN_LOOKBACK ? LOOKBACK_QUADS : STRIP_QUADS;
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

/* ── look-back ──────────────────────────────────────────────────────────────────────── */

/* Words of a tile's state: halves of its total, of its prefix. */
enum { STATE_TOTAL = 0, STATE_PREFIX = 2 };
#define THERE 0x80000000u

typedef struct lookback {
  uint32_t tile, total; /* of this workgroup */
  uint32_t left, sum;   /* variables: tiles not looked at yet; of those that were */
  uint32_t window;
} lookback;

static uint32_t state(kern *k, uint32_t tile, uint32_t word) {
  uint32_t at = kern_ui(k, SpvOpShiftLeftLogical, tile, 2);
  return kern_ui(k, SpvOpIAdd, at, LOOKBACK_STATE + word);
}

static void publish(kern *k, uint32_t tile, uint32_t word, uint32_t v) {
  uint32_t none = spv_u32(&k->b, 0);
  uint32_t merge = spv_if(&k->b, kern_is(k, SpvOpIEqual, k->lane, none));
  v = kern_as_word(k, v);
  uint32_t half[2] = {kern_ui(k, SpvOpBitwiseAnd, v, 0xffff), 0};
  half[1] = kern_ui(k, SpvOpShiftRightLogical, v, 16);
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t at = state(k, tile, word + i);
    kern_atomic_put(k, k->scratch, at, kern_ui(k, SpvOpBitwiseOr, half[i], THERE));
  }
  spv_endif(&k->b, merge);
}

/* Reads a value; *there: is it known? */
static uint32_t published(kern *k, uint32_t tile, uint32_t word, uint32_t *there) {
  uint32_t low = kern_atomic_get(k, k->scratch, state(k, tile, word));
  uint32_t high = kern_atomic_get(k, k->scratch, state(k, tile, word + 1));
  uint32_t both =
      kern_ui(k, SpvOpBitwiseAnd, kern_u(k, SpvOpBitwiseAnd, low, high), THERE);
  *there = kern_is(k, SpvOpINotEqual, both, spv_u32(&k->b, 0));
  low = kern_ui(k, SpvOpBitwiseAnd, low, 0xffff);
  high = kern_ui(k, SpvOpShiftLeftLogical, high, 16); /* its top bit leaves */
  return kern_as_value(k, kern_u(k, SpvOpBitwiseOr, low, high));
}

static void break_if(kern *k, const spv_loop *l, uint32_t cond) {
  uint32_t merge = spv_if(&k->b, cond);
  spv_do(&k->b, SpvOpBranch, l->merge);
  spv_do(&k->b, SpvOpLabel, merge);
}

/* The first lane for which cond holds; S: none. */
static uint32_t first_lane(kern *k, uint32_t cond) {
  uint32_t scope = spv_u32(&k->b, SpvScopeSubgroup), none = spv_u32(&k->b, k->S);
  uint32_t mine = kern_pick(k, k->u32, cond, k->lane, none);
  spv_cap(&k->b, SpvCapabilityGroupNonUniformArithmetic);
  return spv_op(&k->b, k->u32, SpvOpGroupNonUniformUMin, scope, SpvGroupOperationReduce,
                mine);
}

/* One look at the window of tiles before those that are done: lane l looks at the l-th.
 * If all up to the first that has a prefix are there, they are added. */
static void look(kern *k, const lookback *z, uint32_t left) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), window = spv_u32(b, z->window), has, prefixed;
  uint32_t wide =
      kern_pick(k, k->u32, kern_is(k, SpvOpULessThan, left, window), left, window);
  uint32_t mine = kern_is(k, SpvOpULessThan, k->lane, wide);
  uint32_t at = kern_u(k, SpvOpISub, kern_ui(k, SpvOpISub, left, 1), k->lane);
  at = kern_pick(k, k->u32, mine, at, none);
  uint32_t prefix = published(k, at, STATE_PREFIX, &prefixed);
  uint32_t v = published(k, at, STATE_TOTAL, &has);
  v = kern_pick(k, k->val, prefixed, prefix, v);
  has = spv_op(b, k->flag, SpvOpLogicalOr, has, prefixed);
  uint32_t lacks = spv_op(b, k->flag, SpvOpLogicalNot, has);
  lacks = spv_op(b, k->flag, SpvOpLogicalAnd, lacks, mine);
  prefixed = spv_op(b, k->flag, SpvOpLogicalAnd, prefixed, mine);
  uint32_t known = first_lane(k, prefixed), missing = first_lane(k, lacks);
  uint32_t merge = spv_if(b, kern_is(k, SpvOpULessThanEqual, known, missing));
  uint32_t used = kern_is(k, SpvOpULessThanEqual, k->lane, known);
  used = spv_op(b, k->flag, SpvOpLogicalAnd, used, mine);
  v = kern_group(k, SpvGroupOperationReduce, kern_pick(k, k->val, used, v, k->zero));
  uint32_t sum = spv_op(b, k->val, SpvOpLoad, z->sum);
  spv_do(b, SpvOpStore, z->sum, kern_join(k, v, sum));
  uint32_t found = kern_is(k, SpvOpULessThan, known, spv_u32(b, k->S));
  left = kern_pick(k, k->u32, found, none, kern_u(k, SpvOpISub, left, wide));
  spv_do(b, SpvOpStore, z->left, left);
  spv_endif(b, merge);
}

/* Polls until nothing is left, or gives up. */
static void look_back(kern *k, lookback *z) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), dead = spv_u32(b, LOOKBACK_DEAD), one = spv_u32(b, 1);
  spv_do(b, SpvOpStore, z->left, z->tile);
  spv_do(b, SpvOpStore, z->sum, k->zero);
  spv_loop l = spv_for(b, spv_u32(b, LOOKBACK_POLLS));
  uint32_t left = spv_op(b, k->u32, SpvOpLoad, z->left);
  break_if(k, &l, kern_is(k, SpvOpIEqual, left, none));
  look(k, z, left);
  uint32_t often = kern_ui(k, SpvOpBitwiseAnd, kern_ui(k, SpvOpIAdd, l.i, 1), 1023);
  uint32_t merge = spv_if(b, kern_is(k, SpvOpIEqual, often, none));
  uint32_t gave_up = kern_atomic_get(k, k->scratch, dead);
  break_if(k, &l, kern_is(k, SpvOpINotEqual, gave_up, none));
  spv_endif(b, merge);
  spv_endfor(b, &l);
  left = spv_op(b, k->u32, SpvOpLoad, z->left);
  merge = spv_if(b, kern_is(k, SpvOpINotEqual, left, none));
  kern_atomic_put(k, k->scratch, dead, one);
  spv_endif(b, merge);
}

/* The next tile, for the whole workgroup. */
static uint32_t draw_ticket(kern *k) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, LOOKBACK_TICKET), one = spv_u32(b, 1);
  uint32_t place = spv_shared(b, k->u32, 1),
           ptr = spv_ptr(b, SpvStorageClassWorkgroup, k->u32);
  uint32_t merge = spv_if(b, kern_first(k));
  uint32_t drawn = kern_atomic_add(k, k->scratch, none, one);
  spv_do(b, SpvOpStore, spv_op(b, ptr, SpvOpAccessChain, place, none), drawn);
  spv_endif(b, merge);
  kern_barrier(k);
  return spv_op(b, k->u32, SpvOpLoad, spv_op(b, ptr, SpvOpAccessChain, place, none));
}

static void scan_lookback(kern *k, const scan_rung *r) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), before = spv_shared(b, k->val, 1);
  strip s = {.quads = quads_of(r)};
  lookback z = {.tile = draw_ticket(k), .window = r->window ? r->window : k->S};
  strip_load(k, &s, z.tile);
  strip_scan(k, &s);
  strip_publish(k, &s);
  z.left = spv_local(b, k->u32, 0);
  z.sum = spv_local(b, k->val, 0);
  uint32_t merge = spv_if(b, kern_is(k, SpvOpIEqual, k->sub, none));
  z.total = strip_fold(k, subgroups(k));
  publish(k, z.tile, STATE_TOTAL, z.total);
  look_back(k, &z);
  uint32_t sum = spv_op(b, k->val, SpvOpLoad, z.sum);
  publish(k, z.tile, STATE_PREFIX, kern_join(k, sum, z.total));
  kern_sput(k, before, none, sum);
  spv_endif(b, merge);
  kern_barrier(k);
  uint32_t inside = strip_fold(k, k->sub);
  strip_store(k, &s, kern_join(k, kern_sget(k, before, none), inside));
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
