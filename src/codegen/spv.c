/* SPDX-License-Identifier: MIT */
/* spv.c - the module builder: sections, interning, structured control flow.
 *
 * An interned instruction is found by hash and compared with what stands in SPV_GLOBAL,
 * the id left out. Structures that get decorated are not interned (the push constant's
 * block), since a decoration belongs to one id. Labels and branches are emitted here
 * alone, so that every branch has its merge instruction. */
#include "spv_wide.h"
#include "../base/hash.h"

#include <assert.h>
#include <string.h>

static uint32_t spv_id(spv *b) { return ++b->bound; }

static void spv_word(spv *b, enum spv_section s, uint32_t w) {
  if (!b->failed && !vec_push(b->c, &b->sec[s], w)) b->failed = true;
}

static void spv_words(spv *b, enum spv_section s, const uint32_t *w, size_t n) {
  for (size_t i = 0; i < n; i++) spv_word(b, s, w[i]);
}

static uint32_t spv_first(uint32_t op, size_t words) {
  return (uint32_t)words << SpvWordCountShift | op;
}

uint32_t spv_put(spv *b, enum spv_section s, uint32_t type, const uint32_t *w, size_t n) {
  uint32_t id = 0;
  if (b->words && s == SPV_CODE && wide_put(b, type, w, n, &id)) return id;
  if (type) {
    id = spv_id(b);
    spv_word(b, s, spv_first(w[0], n + 2));
    spv_word(b, s, type);
    spv_word(b, s, id);
  } else {
    spv_word(b, s, spv_first(w[0], n));
  }
  spv_words(b, s, w + 1, n - 1);
  return id;
}

/* An instruction whose result has no type: OpLabel, OpType…, OpExtInstImport. */
static uint32_t spv_named(spv *b, enum spv_section s, const uint32_t *w, size_t n) {
  uint32_t id = spv_id(b);
  spv_word(b, s, spv_first(w[0], n + 1));
  spv_word(b, s, id);
  spv_words(b, s, w + 1, n - 1);
  return id;
}

uint32_t spv_exact(spv *b, uint32_t id) {
  spv_note(b, id, SpvDecorationNoContraction);
  return id;
}

void spv_cap(spv *b, SpvCapability cap) {
  for (size_t i = 0; i < b->caps.n; i++)
    if (b->caps.at[i] == (uint32_t)cap) return;
  if (!vec_push(b->c, &b->caps, (uint32_t)cap)) b->failed = true;
}

void spv_ext(spv *b, const char *name) {
  uint32_t w[17] = {SpvOpExtension};
  size_t n = strlen(name);
  assert(n < sizeof w - 4);
  memcpy(w + 1, name, n);
  (void)spv_put(b, SPV_EXTS, 0, w, 2 + n / 4);
}

/* ── interned types and constants ──────────────────────────────────────────────────── */

/* Is instruction `at` of SPV_GLOBAL this one? first: its first word. */
static bool spv_is(const uint32_t *at, uint32_t first, uint32_t type, const uint32_t *w,
                   size_t n) {
  if (at[0] != first) return false;
  if (!type) return !memcmp(at + 2, w + 1, (n - 1) * 4);
  return at[1] == type && !memcmp(at + 3, w + 1, (n - 1) * 4);
}

/* As spv_put or spv_named into SPV_GLOBAL, but the same instruction only once. */
static uint32_t spv_intern(spv *b, uint32_t type, const uint32_t *w, size_t n) {
  uint32_t first = spv_first(w[0], type ? n + 2 : n + 1);
  uint32_t *bucket = &b->buckets[hash_bytes(w, n * 4, first ^ (uint64_t)type << 32) & 63];
  for (uint32_t e = *bucket; e; e = b->entries.at[e - 1].next) {
    const spv_entry *x = &b->entries.at[e - 1];
    if (spv_is(b->sec[SPV_GLOBAL].at + x->at, first, type, w, n)) return x->id;
  }
  uint32_t at = (uint32_t)b->sec[SPV_GLOBAL].n, id;
  if (type) id = spv_put(b, SPV_GLOBAL, type, w, n);
  else id = spv_named(b, SPV_GLOBAL, w, n);
  spv_entry e = {at, (uint32_t)n, id, *bucket};
  if (b->failed) return id;
  if (!vec_push(b->c, &b->entries, e)) b->failed = true;
  else *bucket = (uint32_t)b->entries.n;
  return id;
}
#define spv_type(b, ...) spv_intern(b, 0, SPV_LIST(__VA_ARGS__))

uint32_t spv_void(spv *b) { return spv_type(b, SpvOpTypeVoid); }
uint32_t spv_bool(spv *b) { return spv_type(b, SpvOpTypeBool); }

uint32_t spv_int(spv *b, uint32_t bits) {
  if (bits == 64 && b->words) return wide_type(b, 1);
  if (bits == 64) spv_cap(b, SpvCapabilityInt64);
  return spv_type(b, SpvOpTypeInt, bits, 0);
}

uint32_t spv_signed(spv *b, uint32_t bits) {
  if (bits == 8) spv_cap(b, SpvCapabilityInt8);
  return spv_type(b, SpvOpTypeInt, bits, 1);
}

uint32_t spv_matrix(spv *b, uint32_t type, uint32_t rows, uint32_t columns,
                    uint32_t use) {
  enum { TYPE_MATRIX = 4456, CAPABILITY = 6022 }; /* SPV_KHR_cooperative_matrix */
  uint32_t scope = spv_u32(b, SpvScopeSubgroup), of = spv_u32(b, use);
  rows = spv_u32(b, rows);
  columns = spv_u32(b, columns);
  spv_cap(b, (SpvCapability)CAPABILITY);
  return spv_type(b, TYPE_MATRIX, type, scope, rows, columns, of);
}

uint32_t spv_float(spv *b, uint32_t bits) {
  if (bits == 64) spv_cap(b, SpvCapabilityFloat64);
  if (bits == 16) spv_cap(b, SpvCapabilityFloat16);
  return spv_type(b, SpvOpTypeFloat, bits);
}

uint32_t spv_vec(spv *b, uint32_t type, uint32_t n) {
  if (is_wide(type)) return wide_type(b, n);
  if (n == 1) return type;
  return spv_type(b, SpvOpTypeVector, type, n);
}

uint32_t spv_ptr(spv *b, SpvStorageClass where, uint32_t type) {
  if (is_wide(type)) return wide_ptr(b, where, type);
  return spv_type(b, SpvOpTypePointer, (uint32_t)where, type);
}

uint32_t spv_pair(spv *b, uint32_t type) {
  return spv_type(b, SpvOpTypeStruct, type, type);
}

uint32_t spv_u32(spv *b, uint32_t v) { return spv_const(b, spv_int(b, 32), 32, v, 1); }

static uint32_t spv_splat(spv *b, uint32_t type, uint32_t x, uint32_t n) {
  if (n == 1) return x;
  uint32_t vec = spv_vec(b, type, n), w[5] = {SpvOpConstantComposite, x, x, x, x};
  return spv_intern(b, vec, w, n + 1);
}

static uint32_t spv_scalar(spv *b, uint32_t type, uint32_t width, uint64_t bits) {
  uint32_t w[3] = {SpvOpConstant, (uint32_t)bits, (uint32_t)(bits >> 32)};
  return spv_intern(b, type, w, width / 32 + 1);
}

uint32_t spv_const(spv *b, uint32_t type, uint32_t width, uint64_t bits, uint32_t n) {
  if (is_wide(type)) return wide_const(b, bits, n);
  return spv_splat(b, type, spv_scalar(b, type, width, bits), n);
}

uint32_t spv_const4(spv *b, uint32_t type, uint32_t width, const uint64_t v[4]) {
  if (is_wide(type)) return wide_const4(b, v);
  uint32_t w[5] = {SpvOpConstantComposite}, vec = spv_vec(b, type, 4);
  for (int i = 0; i < 4; i++) w[i + 1] = spv_scalar(b, type, width, v[i]);
  return spv_intern(b, vec, w, 5);
}

uint32_t spv_true(spv *b, bool v, uint32_t n) {
  uint32_t w[1] = {v ? SpvOpConstantTrue : SpvOpConstantFalse}, type = spv_bool(b);
  return spv_splat(b, type, spv_intern(b, type, w, 1), n);
}

/* ── variables ─────────────────────────────────────────────────────────────────────── */

static uint32_t spv_global(spv *b, SpvStorageClass where, uint32_t type) {
  uint32_t w[2] = {SpvOpVariable, (uint32_t)where};
  uint32_t id = spv_put(b, SPV_GLOBAL, spv_ptr(b, where, type), w, 2);
  if (!vec_push(b->c, &b->globals, id)) b->failed = true;
  return id;
}

uint32_t spv_builtin(spv *b, SpvBuiltIn what, uint32_t type) {
  uint32_t id = spv_global(b, SpvStorageClassInput, type);
  spv_note(b, id, SpvDecorationBuiltIn, (uint32_t)what);
  return id;
}

uint32_t spv_push(spv *b, uint32_t member) {
  if (is_wide(member)) return wide_push(b);
  uint32_t block = spv_named(b, SPV_GLOBAL, SPV_LIST(SpvOpTypeStruct, member));
  spv_note(b, block, SpvDecorationBlock);
  (void)spv_put(b, SPV_NOTES, 0,
                SPV_LIST(SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0));
  return spv_global(b, SpvStorageClassPushConstant, block);
}

uint32_t spv_local(spv *b, uint32_t type, uint32_t initial) {
  if (is_wide(type)) return wide_local(b, type, initial);
  uint32_t w[3] = {SpvOpVariable, SpvStorageClassFunction, initial};
  return spv_put(b, SPV_LOCAL, spv_ptr(b, SpvStorageClassFunction, type), w,
                 initial ? 3 : 2);
}

/* Bytes of an interned number or vector. */
static uint32_t spv_bytes(const spv *b, uint32_t type) {
  for (size_t i = 0; i < b->entries.n; i++) {
    const uint32_t *w = b->sec[SPV_GLOBAL].at + b->entries.at[i].at;
    if (b->entries.at[i].id != type) continue;
    if ((w[0] & 0xffff) == SpvOpTypeVector) return w[3] * spv_bytes(b, w[2]);
    return w[2] / 8;
  }
  return 0;
}

uint32_t spv_array(spv *b, uint32_t type, uint32_t count) {
  uint32_t n = spv_u32(b, count);
  return spv_type(b, SpvOpTypeArray, type, n);
}

uint32_t spv_shared(spv *b, uint32_t type, uint32_t count) {
  if (is_wide(type)) return wide_shared(b, type, count);
  b->shared += count * spv_bytes(b, type);
  return spv_global(b, SpvStorageClassWorkgroup, spv_array(b, type, count));
}

/* ── control flow ──────────────────────────────────────────────────────────────────── */

static void spv_label(spv *b, uint32_t id) { spv_do(b, SpvOpLabel, id); }

uint32_t spv_if(spv *b, uint32_t cond) {
  uint32_t then = spv_id(b), merge = spv_id(b);
  spv_do(b, SpvOpSelectionMerge, merge, SpvSelectionControlMaskNone);
  spv_do(b, SpvOpBranchConditional, cond, then, merge);
  spv_label(b, then);
  return merge;
}

void spv_endif(spv *b, uint32_t merge) {
  spv_do(b, SpvOpBranch, merge);
  spv_label(b, merge);
}

spv_loop spv_for(spv *b, uint32_t count) {
  uint32_t type = spv_int(b, 32), test = spv_id(b), body = spv_id(b);
  spv_loop l = {spv_id(b), spv_id(b), spv_id(b), spv_local(b, type, 0), 0};
  spv_do(b, SpvOpStore, l.var, spv_u32(b, 0));
  spv_do(b, SpvOpBranch, l.head);
  spv_label(b, l.head);
  spv_do(b, SpvOpLoopMerge, l.merge, l.next, SpvLoopControlMaskNone);
  spv_do(b, SpvOpBranch, test);
  spv_label(b, test);
  l.i = spv_op(b, type, SpvOpLoad, l.var);
  uint32_t more = spv_op(b, spv_bool(b), SpvOpULessThan, l.i, count);
  spv_do(b, SpvOpBranchConditional, more, body, l.merge);
  spv_label(b, body);
  return l;
}

void spv_endfor(spv *b, const spv_loop *l) {
  spv_do(b, SpvOpBranch, l->next);
  spv_label(b, l->next);
  uint32_t i = spv_op(b, spv_int(b, 32), SpvOpIAdd, l->i, spv_u32(b, 1));
  spv_do(b, SpvOpStore, l->var, i);
  spv_do(b, SpvOpBranch, l->head);
  spv_label(b, l->merge);
}

spv_loop spv_forever(spv *b) {
  uint32_t body = spv_id(b), head = spv_id(b), next = spv_id(b);
  spv_loop l = {.head = head, .next = next, .merge = spv_id(b)};
  spv_do(b, SpvOpBranch, l.head);
  spv_label(b, l.head);
  spv_do(b, SpvOpLoopMerge, l.merge, l.next, SpvLoopControlMaskNone);
  spv_do(b, SpvOpBranch, body);
  spv_label(b, body);
  return l;
}

void spv_break_if(spv *b, const spv_loop *l, uint32_t cond) {
  uint32_t leave = spv_id(b), stay = spv_id(b);
  spv_do(b, SpvOpSelectionMerge, stay, SpvSelectionControlMaskNone);
  spv_do(b, SpvOpBranchConditional, cond, leave, stay);
  spv_label(b, leave);
  spv_do(b, SpvOpBranch, l->merge);
  spv_label(b, stay);
}

void spv_again(spv *b, const spv_loop *l) {
  spv_do(b, SpvOpBranch, l->next);
  spv_label(b, l->next);
  spv_do(b, SpvOpBranch, l->head);
  spv_label(b, l->merge);
}

/* ── beginning and end ─────────────────────────────────────────────────────────────── */

void spv_begin(spv *b, ctx *c) {
  *b = (spv){.c = c};
  spv_cap(b, SpvCapabilityShader);
  spv_cap(b, SpvCapabilityPhysicalStorageBufferAddresses);
  static const char name[16] = "GLSL.std.450";
  uint32_t w[5] = {SpvOpExtInstImport};
  memcpy(w + 1, name, sizeof name);
  b->glsl = spv_named(b, SPV_CAPS, w, 5);
  (void)spv_put(b, SPV_CAPS, 0,
                SPV_LIST(SpvOpMemoryModel, SpvAddressingModelPhysicalStorageBuffer64,
                         SpvMemoryModelGLSL450));
  uint32_t none = spv_void(b), type = spv_type(b, SpvOpTypeFunction, none);
  b->main = spv_put(b, SPV_HEAD, none,
                    SPV_LIST(SpvOpFunction, SpvFunctionControlMaskNone, type));
  (void)spv_named(b, SPV_HEAD, SPV_LIST(SpvOpLabel));
}

void spv_vulkan_memory(spv *b) {
  spv_cap(b, SpvCapabilityVulkanMemoryModel);
  spv_cap(b, SpvCapabilityVulkanMemoryModelDeviceScope);
  size_t n = b->sec[SPV_CAPS].n; /* the model is the section's last word */
  if (n) b->sec[SPV_CAPS].at[n - 1] = SpvMemoryModelVulkan;
}

void spv_keeps(spv *b, uint32_t bits, bool special, bool subnormal) {
  if (special) spv_cap(b, SpvCapabilitySignedZeroInfNanPreserve);
  if (special) b->special |= bits;
  if (subnormal) spv_cap(b, SpvCapabilityDenormPreserve);
  if (subnormal) b->subnormal |= bits;
}

/* An execution mode of floats of the widths that are among these bits. */
static void spv_float_mode(spv *b, uint32_t mode, uint32_t widths) {
  for (uint32_t bits = 32; bits <= 64; bits *= 2)
    if (widths & bits)
      (void)spv_put(b, SPV_ENTRY, 0, SPV_LIST(SpvOpExecutionMode, b->main, mode, bits));
}

static void spv_entry_point(spv *b, uint32_t workgroup) {
  uint32_t name[2] = {0};
  memcpy(name, "main", 4);
  spv_word(b, SPV_ENTRY, spv_first(SpvOpEntryPoint, 5 + b->globals.n));
  spv_word(b, SPV_ENTRY, SpvExecutionModelGLCompute);
  spv_word(b, SPV_ENTRY, b->main);
  spv_words(b, SPV_ENTRY, name, 2);
  spv_words(b, SPV_ENTRY, b->globals.at, b->globals.n);
  (void)spv_put(
      b, SPV_ENTRY, 0,
      SPV_LIST(SpvOpExecutionMode, b->main, SpvExecutionModeLocalSize, workgroup, 1, 1));
  spv_float_mode(b, SpvExecutionModeSignedZeroInfNanPreserve, b->special);
  spv_float_mode(b, SpvExecutionModeDenormPreserve, b->subnormal);
}

static bool spv_join(spv *b, uint32_t **words, size_t *n) {
  size_t total = 5 + 2 * b->caps.n;
  for (int s = 0; s < SPV_SECTIONS; s++) total += b->sec[s].n;
  uint32_t *w = mem_alloc(b->c, total * 4);
  if (!w) return false;
  *words = w;
  *n = total;
  const uint32_t head[5] = {SpvMagicNumber, 0x00010500, 0, b->bound + 1, 0};
  memcpy(w, head, sizeof head);
  w += 5;
  for (size_t i = 0; i < b->caps.n; i++) {
    *w++ = spv_first(SpvOpCapability, 2);
    *w++ = b->caps.at[i];
  }
  for (int s = 0; s < SPV_SECTIONS; s++) {
    if (b->sec[s].n) memcpy(w, b->sec[s].at, b->sec[s].n * 4);
    w += b->sec[s].n;
  }
  return true;
}

bool spv_finish(spv *b, uint32_t workgroup, uint32_t **words, size_t *n) {
  spv_do(b, SpvOpFunctionEnd);
  spv_entry_point(b, workgroup);
  bool ok = !b->failed && spv_join(b, words, n);
  for (int s = 0; s < SPV_SECTIONS; s++) vec_free(b->c, &b->sec[s]);
  vec_free(b->c, &b->entries);
  vec_free(b->c, &b->globals);
  vec_free(b->c, &b->caps);
  vec_free(b->c, &b->wide);
  return ok;
}
