/* SPDX-License-Identifier: MIT */
/* lookback.c - decoupled look-back (Merrill and Garland): how a tile learns, within one kernel,
 * what came before it.
 *
 * It stands in the form that every Vulkan device can run: 32-bit atomics, and a value in the
 * lower halves of two words whose top bits say that it is there. Nothing but these words crosses
 * from one workgroup to another, so no order of memory is assumed. It waits for other
 * workgroups, which Vulkan does not promise to run. Tiles are drawn by a ticket, so that all
 * that a tile waits for have begun; and who has polled POLLS times says so in a word that the
 * others look at, and leaves. */
#include "bench/rungs/rungs.h"

enum { POLLS = 1 << 20 };

/* Words of a tile's state: halves of its total, of its prefix. */
enum { STATE_TOTAL = 0, STATE_PREFIX = 2 };
#define THERE 0x80000000u

typedef struct lookback {
  uint32_t tile;
  uint32_t left, sum; /* variables: tiles not looked at yet; of those that were */
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
  spv_loop l = spv_for(b, spv_u32(b, POLLS));
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

uint32_t lookback_ticket(kern *k) {
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

static uint32_t is_first_subgroup(kern *k) {
  uint32_t none = spv_u32(&k->b, 0);
  return kern_is(k, SpvOpIEqual, k->sub, none);
}

void lookback_publish(kern *k, uint32_t tile, uint32_t total) {
  uint32_t merge = spv_if(&k->b, is_first_subgroup(k));
  publish(k, tile, STATE_TOTAL, total);
  spv_endif(&k->b, merge);
}

uint32_t lookback_before(kern *k, uint32_t tile, uint32_t total, uint32_t window,
                         bool tells) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), before = spv_shared(b, k->val, 1);
  lookback z = {.tile = tile, .window = window};
  z.left = spv_local(b, k->u32, 0);
  z.sum = spv_local(b, k->val, 0);
  uint32_t merge = spv_if(b, is_first_subgroup(k));
  if (tells) publish(k, tile, STATE_TOTAL, total);
  else kern_reconverge(k);
  look_back(k, &z);
  uint32_t sum = spv_op(b, k->val, SpvOpLoad, z.sum);
  publish(k, tile, STATE_PREFIX, kern_join(k, sum, total));
  kern_sput(k, before, none, sum);
  spv_endif(b, merge);
  kern_barrier(k);
  return kern_sget(k, before, none);
}
