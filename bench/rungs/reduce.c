/* SPDX-License-Identifier: MIT */
/* reduce.c - the ladder's reductions: a way to load, a tree in the workgroup, a finish.
 *
 *   n elements ── load ──▶ a value a thread ── tree ──▶ one a workgroup ── finish ──▶ one
 *
 * The rungs are rows of reduce.def. */
#include "bench/rungs/rungs.h"

enum { GRID_QUADS = 4, GRID_GROUPS = 2048 };

const reduce_rung reduce_rungs[] = {
#define RUNG(name, tree, load, finish, change)                                           \
  {{name, change}, TREE_##tree, LOAD_##load, FINISH_##finish},
#include "bench/rungs/reduce.def"
};
const int n_reduce_rungs = sizeof reduce_rungs / sizeof *reduce_rungs;

/* ── loads ──────────────────────────────────────────────────────────────────────────── */

static uint32_t elements_of_group(const reduce_rung *r) {
  if (r->load == LOAD_TWO) return 2 * KERN_WG;
  if (r->load == LOAD_QUAD) return 4 * KERN_WG;
  return r->load == LOAD_GRID ? 4 * KERN_WG * GRID_QUADS : KERN_WG;
}

uint64_t reduce_groups(const reduce_rung *r, uint64_t n, uint64_t *own) {
  uint64_t size = elements_of_group(r), groups = (n + size - 1) / size;
  if (r->load == LOAD_GRID && groups > GRID_GROUPS) groups = GRID_GROUPS;
  *own = (n + groups * size - 1) / (groups * size); /* rounds of the grid */
  return groups;
}

/* The thread's place in a row of workgroups that are `wide` elements each. */
static uint32_t place(kern *k, uint32_t group, uint32_t wide) {
  return kern_u(k, SpvOpIAdd, kern_ui(k, SpvOpIMul, group, wide), k->tid);
}

static uint32_t load_grid(kern *k) {
  spv *b = &k->b;
  uint32_t acc = spv_local(b, k->val, k->zero), v[GRID_QUADS][4];
  spv_loop l = spv_for(b, k->own);
  uint32_t row = kern_ui(k, SpvOpIMul, l.i, GRID_QUADS);
  for (uint32_t j = 0; j < GRID_QUADS; j++) {
    uint32_t at = kern_u(k, SpvOpIMul, kern_ui(k, SpvOpIAdd, row, j), k->groups);
    at = place(k, kern_u(k, SpvOpIAdd, at, k->wid), KERN_WG);
    kern_get_quad(k, at, v[j]);
  }
  uint32_t sum = spv_op(b, k->val, SpvOpLoad, acc);
  for (uint32_t j = 0; j < GRID_QUADS; j++) sum = kern_join(k, sum, kern_join4(k, v[j]));
  spv_do(b, SpvOpStore, acc, sum);
  spv_endfor(b, &l);
  return spv_op(b, k->val, SpvOpLoad, acc);
}

static uint32_t load(kern *k, const reduce_rung *r) {
  uint32_t v[4];
  switch (r->load) {
  case LOAD_ONE: return kern_get_or_zero(k, place(k, k->wid, KERN_WG));
  case LOAD_TWO: {
    uint32_t at = place(k, k->wid, 2 * KERN_WG), a = kern_get_or_zero(k, at);
    return kern_join(k, a, kern_get_or_zero(k, kern_ui(k, SpvOpIAdd, at, KERN_WG)));
  }
  case LOAD_QUAD: kern_get_quad(k, place(k, k->wid, KERN_WG), v); return kern_join4(k, v);
  default: return load_grid(k);
  }
}

/* ── trees ──────────────────────────────────────────────────────────────────────────── */

static uint32_t log2_of(uint32_t n) {
  uint32_t k = 0;
  while (n > 1U << k) k++;
  return k;
}

static void add_shared(kern *k, uint32_t to, uint32_t from) {
  uint32_t a = kern_sget(k, k->shared, to), b = kern_sget(k, k->shared, from);
  kern_sput(k, k->shared, to, kern_join(k, a, b));
}

/* Steps of a tree in workgroup memory, with a barrier behind each. */
static void tree_in_memory(kern *k, tree how, uint32_t levels) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), one = spv_u32(b, 1), all = spv_u32(b, KERN_WG);
  spv_loop l = spv_for(b, spv_u32(b, levels));
  uint32_t i = kern_u(k, SpvOpShiftLeftLogical, one, l.i), at = k->tid, works;
  uint32_t twice = kern_u(k, SpvOpIAdd, i, i);
  if (how == TREE_DIVERGENT) {
    works = kern_is(k, SpvOpIEqual, kern_u(k, SpvOpUMod, k->tid, twice), none);
  } else if (how == TREE_STRIDED) {
    at = kern_u(k, SpvOpIMul, twice, k->tid);
    works = kern_is(k, SpvOpULessThan, at, all);
  } else {
    i = kern_u(k, SpvOpShiftRightLogical, spv_u32(b, KERN_WG / 2), l.i);
    works = kern_is(k, SpvOpULessThan, k->tid, i);
  }
  uint32_t merge = spv_if(b, works);
  add_shared(k, at, kern_u(k, SpvOpIAdd, at, i));
  spv_endif(b, merge);
  kern_barrier(k);
  spv_endfor(b, &l);
}

/* A subgroup's values, or the first `n` of them, into one. */
static uint32_t in_subgroup(kern *k, bool by_instruction, uint32_t n, uint32_t v) {
  if (by_instruction) return kern_group(k, SpvGroupOperationReduce, v);
  for (uint32_t mask = 1; mask < n; mask *= 2)
    v = kern_join(k, v, kern_shuffle_xor(k, v, mask));
  return v;
}

static uint32_t tree_of_subgroups(kern *k, bool by_instruction, uint32_t v) {
  spv *b = &k->b;
  v = in_subgroup(k, by_instruction, k->S, v);
  for (uint32_t left = KERN_WG / k->S; left > 1; left = (left + k->S - 1) / k->S) {
    uint32_t none = spv_u32(b, 0);
    uint32_t merge = spv_if(b, kern_is(k, SpvOpIEqual, k->lane, none));
    kern_sput(k, k->shared, k->sub, v);
    spv_endif(b, merge);
    kern_barrier(k);
    uint32_t is = kern_is(k, SpvOpULessThan, k->tid, spv_u32(b, left));
    v = kern_pick(k, k->val, is, kern_sget(k, k->shared, k->tid), k->zero);
    v = in_subgroup(k, by_instruction, left < k->S ? left : k->S, v);
    kern_barrier(k); /* all have read before anybody writes again */
  }
  return v;
}

static uint32_t tree_last_group(kern *k) {
  spv *b = &k->b;
  uint32_t var = spv_local(b, k->val, k->zero), none = spv_u32(b, 0);
  tree_in_memory(k, TREE_SEQUENTIAL, log2_of(KERN_WG / k->S));
  uint32_t merge = spv_if(b, kern_is(k, SpvOpIEqual, k->sub, none));
  uint32_t v = kern_sget(k, k->shared, k->tid);
  spv_do(b, SpvOpStore, var, in_subgroup(k, false, k->S, v));
  spv_endif(b, merge);
  return spv_op(b, k->val, SpvOpLoad, var);
}

static uint32_t tree_atomic(kern *k, uint32_t v) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), merge = spv_if(b, kern_first(k));
  kern_sput(k, k->shared, none, k->zero);
  spv_endif(b, merge);
  kern_barrier(k);
  kern_atomic_join(k, kern_shared_pointer(k, k->shared, none), SpvScopeWorkgroup, v);
  kern_barrier(k);
  return kern_sget(k, k->shared, none);
}

/* The workgroup's values; the first thread has the result. */
static uint32_t reduce_tree(kern *k, tree how, uint32_t v) {
  uint32_t none = spv_u32(&k->b, 0);
  if (how == TREE_LOCAL_ATOMIC) return tree_atomic(k, v);
  if (how == TREE_SHUFFLES || how == TREE_INSTRUCTION)
    return tree_of_subgroups(k, how == TREE_INSTRUCTION, v);
  kern_sput(k, k->shared, k->tid, v);
  kern_barrier(k);
  if (how == TREE_LAST_GROUP) return tree_last_group(k);
  tree_in_memory(k, how, log2_of(KERN_WG));
  return kern_sget(k, k->shared, none);
}

/* ── finishes ───────────────────────────────────────────────────────────────────────── */

/* Leaves the workgroup's value and counts it out: is it the last? Word 0 of the scratch is
 * the counter, the values stand behind it. Why this is right by the memory model is told in
 * codegen/finish.c. */
static uint32_t leaves_last(kern *k, uint32_t v) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), one = spv_u32(b, 1);
  uint32_t flag = spv_shared(b, k->u32, 1),
           ptr = spv_ptr(b, SpvStorageClassWorkgroup, k->u32);
  uint32_t merge = spv_if(b, kern_first(k));
  v = kern_as_word(k, v);
  kern_atomic_put(k, k->scratch, kern_ui(k, SpvOpIAdd, k->wid, 1), v);
  kern_device_barrier(k);
  uint32_t before = kern_atomic_add(k, k->scratch, none, one);
  kern_device_barrier(k);
  spv_do(b, SpvOpStore, spv_op(b, ptr, SpvOpAccessChain, flag, none), before);
  spv_endif(b, merge);
  kern_full_barrier(k);
  before = spv_op(b, k->u32, SpvOpLoad, spv_op(b, ptr, SpvOpAccessChain, flag, none));
  return kern_is(k, SpvOpIEqual, kern_ui(k, SpvOpIAdd, before, 1), k->groups);
}

static void finish_last(kern *k, tree how, uint32_t v) {
  spv *b = &k->b;
  uint32_t last = spv_if(b, leaves_last(k, v)), none = spv_u32(b, 0);
  uint32_t acc = spv_local(b, k->val, 0);
  spv_do(b, SpvOpStore, acc, k->zero);
  uint32_t rounds = kern_ui(k, SpvOpIAdd, k->groups, KERN_WG - 1);
  spv_loop l = spv_for(b, kern_ui(k, SpvOpUDiv, rounds, KERN_WG));
  uint32_t at = place(k, l.i, KERN_WG);
  uint32_t is = kern_is(k, SpvOpULessThan, at, k->groups);
  at = kern_ui(k, SpvOpIAdd, kern_pick(k, k->u32, is, at, none), 1);
  uint32_t x = kern_as_value(k, kern_atomic_get(k, k->scratch, at));
  x = kern_pick(k, k->val, is, x, k->zero);
  uint32_t sum = spv_op(b, k->val, SpvOpLoad, acc);
  spv_do(b, SpvOpStore, acc, kern_join(k, sum, x));
  spv_endfor(b, &l);
  v = reduce_tree(k, how, spv_op(b, k->val, SpvOpLoad, acc));
  uint32_t merge = spv_if(b, kern_first(k));
  kern_put(k, k->out, none, v);
  kern_atomic_put(k, k->scratch, none, none);
  spv_endif(b, merge);
  spv_endif(b, last);
}

bool reduce_emit(ctx *c, const reduce_rung *r, monoid m, uint32_t subgroup,
                 cg_module *out) {
  kern k;
  kern_begin(&k, c, m, subgroup);
  uint32_t v = reduce_tree(&k, r->tree, load(&k, r)), none = spv_u32(&k.b, 0);
  if (r->finish == FINISH_LAST) {
    finish_last(&k, r->tree, v);
    return kern_end(&k, out);
  }
  uint32_t merge = spv_if(&k.b, kern_first(&k));
  if (r->finish == FINISH_PASSES) kern_put(&k, k.out, k.wid, v);
  else kern_atomic_join(&k, kern_pointer(&k, k.val, k.out, none), SpvScopeDevice, v);
  spv_endif(&k.b, merge);
  return kern_end(&k, out);
}
