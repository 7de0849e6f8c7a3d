/* SPDX-License-Identifier: MIT */
/* kern.c - names for what the ladder's kernels say, each a few instructions of SPIR-V. */
#include "bench/rungs/kern.h"

enum {
  GLSL_UMAX = 41,
  SHARED_ORDER =
      SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask,
  BUFFER_ORDER =
      SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsUniformMemoryMask
};

/* ── arithmetic ─────────────────────────────────────────────────────────────────────── */

uint32_t kern_u(kern *k, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(&k->b, k->u32, op, a, b);
}

uint32_t kern_ui(kern *k, SpvOp op, uint32_t a, uint32_t constant) {
  uint32_t c = spv_u32(&k->b, constant);
  return spv_op(&k->b, k->u32, op, a, c);
}

uint32_t kern_is(kern *k, SpvOp op, uint32_t a, uint32_t b) {
  return spv_op(&k->b, k->flag, op, a, b);
}

uint32_t kern_first(kern *k) {
  uint32_t none = spv_u32(&k->b, 0);
  return kern_is(k, SpvOpIEqual, k->tid, none);
}

uint32_t kern_pick(kern *k, uint32_t type, uint32_t cond, uint32_t a, uint32_t b) {
  return spv_op(&k->b, type, SpvOpSelect, cond, a, b);
}

uint32_t kern_join(kern *k, uint32_t a, uint32_t b) {
  if (k->m == SUM_F32) return spv_flop(&k->b, k->val, SpvOpFAdd, a, b);
  if (k->m == SUM_I32) return spv_op(&k->b, k->val, SpvOpIAdd, a, b);
  return spv_glsl(&k->b, k->val, GLSL_UMAX, a, b);
}

uint32_t kern_join4(kern *k, const uint32_t v[4]) {
  uint32_t a = kern_join(k, v[0], v[1]), b = kern_join(k, v[2], v[3]);
  return kern_join(k, a, b);
}

/* ── global memory ──────────────────────────────────────────────────────────────────── */

static uint32_t at_byte(kern *k, uint32_t type, uint32_t base, uint32_t index,
                        uint32_t log2_bytes) {
  spv *b = &k->b;
  uint32_t wide = spv_op(b, k->u64, SpvOpUConvert, index), by = spv_u32(b, log2_bytes);
  uint32_t bytes = spv_op(b, k->u64, SpvOpShiftLeftLogical, wide, by);
  uint32_t addr = spv_op(b, k->u64, SpvOpIAdd, base, bytes);
  uint32_t ptr = spv_ptr(b, SpvStorageClassPhysicalStorageBuffer, type);
  return spv_op(b, ptr, SpvOpConvertUToPtr, addr);
}

static uint32_t load(kern *k, uint32_t type, uint32_t ptr, uint32_t align) {
  return spv_op(&k->b, type, SpvOpLoad, ptr, SpvMemoryAccessAlignedMask, align);
}

static void store(kern *k, uint32_t ptr, uint32_t v, uint32_t align) {
  spv_do(&k->b, SpvOpStore, ptr, v, SpvMemoryAccessAlignedMask, align);
}

uint32_t kern_pointer(kern *k, uint32_t type, uint32_t base, uint32_t index) {
  return at_byte(k, type, base, index, 2);
}

uint32_t kern_get(kern *k, uint32_t base, uint32_t index) {
  return load(k, k->val, kern_pointer(k, k->val, base, index), 4);
}

void kern_put(kern *k, uint32_t base, uint32_t index, uint32_t v) {
  store(k, kern_pointer(k, k->val, base, index), v, 4);
}

/* Behind the end the last element is read and not used: no branch, no read outside. */
uint32_t kern_get_or_zero(kern *k, uint32_t index) {
  uint32_t there = kern_is(k, SpvOpULessThan, index, k->n);
  uint32_t last = kern_ui(k, SpvOpISub, k->n, 1);
  uint32_t v = kern_get(k, k->in, kern_pick(k, k->u32, there, index, last));
  return kern_pick(k, k->val, there, v, k->zero);
}

/* Buffers have 16 bytes of slack: the quad with the end is read whole. */
void kern_get_quad(kern *k, uint32_t q, uint32_t v[4]) {
  spv *b = &k->b;
  uint32_t last = kern_ui(k, SpvOpShiftRightLogical, kern_ui(k, SpvOpISub, k->n, 1), 2);
  uint32_t there = kern_is(k, SpvOpULessThanEqual, q, last);
  uint32_t at = kern_pick(k, k->u32, there, q, last);
  uint32_t quad = load(k, k->v4, at_byte(k, k->v4, k->in, at, 4), 16);
  uint32_t first = kern_ui(k, SpvOpShiftLeftLogical, q, 2);
  for (uint32_t j = 0; j < 4; j++) {
    uint32_t x = spv_op(b, k->val, SpvOpCompositeExtract, quad, j);
    uint32_t i = kern_ui(k, SpvOpIAdd, first, j);
    v[j] = kern_pick(k, k->val, kern_is(k, SpvOpULessThan, i, k->n), x, k->zero);
  }
}

/* The slack behind the output may be written, too. */
void kern_put_quad(kern *k, uint32_t q, const uint32_t v[4]) {
  spv *b = &k->b;
  uint32_t first = kern_ui(k, SpvOpShiftLeftLogical, q, 2);
  uint32_t merge = spv_if(b, kern_is(k, SpvOpULessThan, first, k->n));
  uint32_t quad = spv_op(b, k->v4, SpvOpCompositeConstruct, v[0], v[1], v[2], v[3]);
  store(k, at_byte(k, k->v4, k->out, q, 4), quad, 16);
  spv_endif(b, merge);
}

/* ── workgroup memory ───────────────────────────────────────────────────────────────── */

uint32_t kern_shared_pointer(kern *k, uint32_t array, uint32_t index) {
  uint32_t ptr = spv_ptr(&k->b, SpvStorageClassWorkgroup, k->val);
  return spv_op(&k->b, ptr, SpvOpAccessChain, array, index);
}

uint32_t kern_sget(kern *k, uint32_t array, uint32_t index) {
  return spv_op(&k->b, k->val, SpvOpLoad, kern_shared_pointer(k, array, index));
}

void kern_sput(kern *k, uint32_t array, uint32_t index, uint32_t v) {
  spv_do(&k->b, SpvOpStore, kern_shared_pointer(k, array, index), v);
}

void kern_barrier(kern *k) {
  uint32_t group = spv_u32(&k->b, SpvScopeWorkgroup), how = spv_u32(&k->b, SHARED_ORDER);
  spv_do(&k->b, SpvOpControlBarrier, group, group, how);
}

void kern_full_barrier(kern *k) {
  uint32_t group = spv_u32(&k->b, SpvScopeWorkgroup);
  uint32_t how = spv_u32(&k->b, SHARED_ORDER | BUFFER_ORDER);
  spv_do(&k->b, SpvOpControlBarrier, group, group, how);
}

void kern_reconverge(kern *k) {
  uint32_t group = spv_u32(&k->b, SpvScopeSubgroup), how = spv_u32(&k->b, SHARED_ORDER);
  spv_do(&k->b, SpvOpControlBarrier, group, group, how);
}

/* ── subgroups ──────────────────────────────────────────────────────────────────────── */

uint32_t kern_group(kern *k, SpvGroupOperation how, uint32_t v) {
  static const SpvOp op[] = {[SUM_F32] = SpvOpGroupNonUniformFAdd,
                             [SUM_I32] = SpvOpGroupNonUniformIAdd,
                             [MAX_U32] = SpvOpGroupNonUniformUMax};
  uint32_t scope = spv_u32(&k->b, SpvScopeSubgroup);
  spv_cap(&k->b, SpvCapabilityGroupNonUniformArithmetic);
  return spv_op(&k->b, k->val, op[k->m], scope, (uint32_t)how, v);
}

uint32_t kern_shuffle_xor(kern *k, uint32_t v, uint32_t mask) {
  uint32_t scope = spv_u32(&k->b, SpvScopeSubgroup), by = spv_u32(&k->b, mask);
  spv_cap(&k->b, SpvCapabilityGroupNonUniformShuffle);
  return spv_op(&k->b, k->val, SpvOpGroupNonUniformShuffleXor, scope, v, by);
}

uint32_t kern_shuffle(kern *k, uint32_t type, uint32_t v, uint32_t lane) {
  uint32_t scope = spv_u32(&k->b, SpvScopeSubgroup);
  spv_cap(&k->b, SpvCapabilityGroupNonUniformShuffle);
  return spv_op(&k->b, type, SpvOpGroupNonUniformShuffle, scope, v, lane);
}

/* ── between workgroups ─────────────────────────────────────────────────────────────── */

uint32_t kern_atomic_add(kern *k, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t ptr = kern_pointer(k, k->u32, base, index);
  uint32_t device = spv_u32(&k->b, SpvScopeDevice), relaxed = spv_u32(&k->b, 0);
  return spv_op(&k->b, k->u32, SpvOpAtomicIAdd, ptr, device, relaxed, v);
}

uint32_t kern_atomic_get(kern *k, uint32_t base, uint32_t index) {
  uint32_t ptr = kern_pointer(k, k->u32, base, index);
  uint32_t device = spv_u32(&k->b, SpvScopeDevice), relaxed = spv_u32(&k->b, 0);
  return spv_op(&k->b, k->u32, SpvOpAtomicLoad, ptr, device, relaxed);
}

void kern_atomic_put(kern *k, uint32_t base, uint32_t index, uint32_t v) {
  uint32_t ptr = kern_pointer(k, k->u32, base, index);
  uint32_t device = spv_u32(&k->b, SpvScopeDevice), relaxed = spv_u32(&k->b, 0);
  spv_do(&k->b, SpvOpAtomicStore, ptr, device, relaxed, v);
}

void kern_device_barrier(kern *k) {
  uint32_t device = spv_u32(&k->b, SpvScopeDevice), how = spv_u32(&k->b, BUFFER_ORDER);
  spv_do(&k->b, SpvOpMemoryBarrier, device, how);
}

uint32_t kern_as_word(kern *k, uint32_t v) {
  if (k->m != SUM_F32) return v;
  return spv_op(&k->b, k->u32, SpvOpBitcast, v);
}

uint32_t kern_as_value(kern *k, uint32_t word) {
  if (k->m != SUM_F32) return word;
  return spv_op(&k->b, k->val, SpvOpBitcast, word);
}

void kern_atomic_join(kern *k, uint32_t pointer, SpvScope scope, uint32_t v) {
  static const SpvOp op[] = {[SUM_F32] = SpvOpAtomicFAddEXT,
                             [SUM_I32] = SpvOpAtomicIAdd,
                             [MAX_U32] = SpvOpAtomicUMax};
  uint32_t where = spv_u32(&k->b, (uint32_t)scope), relaxed = spv_u32(&k->b, 0);
  if (k->m == SUM_F32) {
    spv_cap(&k->b, SpvCapabilityAtomicFloat32AddEXT);
    spv_ext(&k->b, "SPV_EXT_shader_atomic_float_add");
  }
  (void)spv_op(&k->b, k->val, op[k->m], pointer, where, relaxed, v);
}

/* ── beginning and end ──────────────────────────────────────────────────────────────── */

static uint32_t builtin(kern *k, SpvBuiltIn what, uint32_t parts, uint32_t part) {
  uint32_t type = spv_vec(&k->b, k->u32, parts);
  uint32_t v = spv_op(&k->b, type, SpvOpLoad, spv_builtin(&k->b, what, type));
  if (parts == 1) return v;
  return spv_op(&k->b, k->u32, SpvOpCompositeExtract, v, part);
}

/* Slot `slot` of the argument block at address `args`. */
static uint32_t slot_of(kern *k, uint32_t args, uint32_t type, uint32_t slot) {
  uint32_t index = spv_u32(&k->b, slot);
  return load(k, type, at_byte(k, type, args, index, 3), 8);
}

static void read_args(kern *k) {
  uint32_t var = spv_push(&k->b, k->u64), none = spv_u32(&k->b, 0);
  uint32_t ptr = spv_ptr(&k->b, SpvStorageClassPushConstant, k->u64);
  uint32_t at = spv_op(&k->b, ptr, SpvOpAccessChain, var, none);
  uint32_t args = spv_op(&k->b, k->u64, SpvOpLoad, at);
  k->n = slot_of(k, args, k->u32, 0);
  k->groups = slot_of(k, args, k->u32, 1);
  k->in = slot_of(k, args, k->u64, 2);
  k->out = slot_of(k, args, k->u64, 3);
  k->scratch = slot_of(k, args, k->u64, 4);
  k->own = slot_of(k, args, k->u32, 5);
}

/* Many workgroups are spread over two dimensions; those too many leave. */
static void find_place(kern *k) {
  uint32_t x = builtin(k, SpvBuiltInWorkgroupId, 3, 0);
  uint32_t y = builtin(k, SpvBuiltInWorkgroupId, 3, 1);
  uint32_t wide = builtin(k, SpvBuiltInNumWorkgroups, 3, 0);
  k->wid = kern_u(k, SpvOpIAdd, x, kern_u(k, SpvOpIMul, y, wide));
  uint32_t merge = spv_if(&k->b, kern_is(k, SpvOpUGreaterThanEqual, k->wid, k->groups));
  spv_do(&k->b, SpvOpReturn);
  spv_do(&k->b, SpvOpLabel, merge);
  spv_cap(&k->b, SpvCapabilityGroupNonUniform);
  k->sub = builtin(k, SpvBuiltInSubgroupId, 1, 0);
  k->lane = builtin(k, SpvBuiltInSubgroupLocalInvocationId, 1, 0);
  k->tid = kern_u(k, SpvOpIAdd, kern_ui(k, SpvOpIMul, k->sub, k->S), k->lane);
}

void kern_begin(kern *k, ctx *c, monoid m, uint32_t subgroup) {
  *k = (kern){.m = m, .S = subgroup};
  spv *b = &k->b;
  spv_begin(b, c);
  k->flag = spv_bool(b);
  k->u32 = k->val = spv_int(b, 32);
  k->u64 = spv_int(b, 64);
  if (m == SUM_F32) k->val = spv_float(b, 32);
  k->v4 = spv_vec(b, k->val, 4);
  k->zero = spv_const(b, k->val, 32, 0, 1);
  k->shared = spv_shared(b, k->val, KERN_WG);
  read_args(k);
  find_place(k);
}

bool kern_end(kern *k, cg_module *out) {
  *out = (cg_module){0};
  spv_do(&k->b, SpvOpReturn);
  return spv_finish(&k->b, KERN_WG, &out->words, &out->n);
}
