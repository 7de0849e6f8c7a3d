/* SPDX-License-Identifier: MIT */
/* spv.h - a builder of SPIR-V modules, word by word.
 *
 * A module has sections in a fixed order; each is a growable buffer here, so that a type,
 * a constant or a capability can be asked for in the middle of a function. Types and
 * constants are interned; asking for a 64-bit type adds its capability. Every instruction
 * goes through spv_put: macros count the words of a compound literal. With `words` set behind
 * spv_begin the module has no 64-bit integers, though callers name and use them as ever.
 *
 *   id = spv_op(b, type, SpvOpIAdd, x, y);      a result of that type
 *   spv_do(b, SpvOpStore, pointer, value);      none
 *
 * The builder is sticky: after a failed allocation calls do nothing useful, and
 * spv_finish returns false. Operands are evaluated in unspecified order, so at most one
 * of them may itself emit an instruction, or modules would differ between compilers. */
#ifndef VAPL_SPV_H
#define VAPL_SPV_H
#include "../base/mem.h"
#define SPV_ENABLE_UTILITY_CODE 0
#include <spirv/unified1/spirv.h>

enum spv_section {
  SPV_EXTS,   /* extensions; capabilities are kept apart and stand before them */
  SPV_CAPS,   /* the GLSL.std.450 import and the memory model */
  SPV_ENTRY,  /* entry point and execution modes */
  SPV_NOTES,  /* decorations */
  SPV_GLOBAL, /* types, constants, global variables */
  SPV_HEAD,   /* OpFunction and its first label */
  SPV_LOCAL,  /* variables of the function */
  SPV_CODE,
  SPV_SECTIONS
};

typedef struct spv_entry {
  uint32_t at, n, id, next;
} spv_entry; /* interned, in SPV_GLOBAL */
/* A type, value or pointer of pairs of words, of n components: spv_wide.c. */
typedef struct spv_wide {
  uint32_t kind, n, lo, hi;
  bool constant; /* each component is `bits` */
  uint64_t bits;
} spv_wide;
typedef struct spv {
  ctx *c;
  VEC(uint32_t) sec[SPV_SECTIONS];
  VEC(spv_entry) entries;
  uint32_t buckets[64];  /* heads of chains of entries, number + 1 */
  VEC(uint32_t) globals; /* what the entry point lists */
  VEC(uint32_t) caps;
  uint32_t bound, glsl, main, special, subnormal;
  uint32_t shared; /* bytes of workgroup memory */
  bool words;      /* integers of 64 bits are pairs of words */
  VEC(spv_wide) wide;
  bool failed;
} spv;

void spv_begin(spv *b, ctx *c); /* PhysicalStorageBuffer64 GLSL450; opens main */
/* Closes main (after its OpReturn) and joins the sections; frees the builder. */
bool spv_finish(spv *b, uint32_t workgroup, uint32_t **words, size_t *n);

/* words[0] is the opcode; type 0: no result. Returns the result's id. */
uint32_t spv_put(spv *b, enum spv_section s, uint32_t type, const uint32_t *words,
                 size_t n);
#define SPV_LIST(...)                                                                    \
  (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define spv_op(b, type, ...) spv_put(b, SPV_CODE, type, SPV_LIST(__VA_ARGS__))
#define spv_do(b, ...) ((void)spv_put(b, SPV_CODE, 0, SPV_LIST(__VA_ARGS__)))
#define spv_note(b, ...)                                                                 \
  ((void)spv_put(b, SPV_NOTES, 0, SPV_LIST(SpvOpDecorate, __VA_ARGS__)))
/* A float operation that must not be contracted. */
#define spv_flop(b, type, ...) spv_exact(b, spv_op(b, type, __VA_ARGS__))
/* An instruction of GLSL.std.450. */
#define spv_glsl(b, type, ...) spv_op(b, type, SpvOpExtInst, (b)->glsl, __VA_ARGS__)
uint32_t spv_exact(spv *b, uint32_t id); /* decorates with NoContraction; returns id */

void spv_cap(spv *b, SpvCapability cap); /* once each */
void spv_ext(spv *b, const char *name);  /* an OpExtension of up to 63 characters */
/* Floats of 32 or 64 bits keep -0, infinities and NaN. */
/* Of floats that wide -0, infinities and NaN are kept; numbers below the normal ones are. */
void spv_keeps(spv *b, uint32_t bits, bool special, bool subnormal);
uint32_t spv_void(spv *b);
uint32_t spv_bool(spv *b);
uint32_t spv_int(spv *b, uint32_t bits);    /* all integers are declared unsigned */
uint32_t spv_signed(spv *b, uint32_t bits); /* 8 or 32 */
uint32_t spv_float(spv *b, uint32_t bits);
/* A subgroup's matrix, and its use as an operand: 0 a, 1 b, 2 what a × b is added to. */
uint32_t spv_matrix(spv *b, uint32_t type, uint32_t rows, uint32_t columns, uint32_t use);
void spv_vulkan_memory(spv *b); /* Vulkan's memory model, which matrices want */
uint32_t spv_vec(spv *b, uint32_t type, uint32_t n); /* n 1: the type itself */
uint32_t spv_ptr(spv *b, SpvStorageClass where, uint32_t type);
uint32_t spv_pair(spv *b, uint32_t type); /* struct of two, for OpUMulExtended */
/* Constants. `bits` is the pattern; n > 1: a vector of equal components. */
uint32_t spv_u32(spv *b, uint32_t v);
uint32_t spv_const(spv *b, uint32_t type, uint32_t width, uint64_t bits, uint32_t n);
uint32_t spv_true(spv *b, bool v, uint32_t n);
uint32_t spv_const4(spv *b, uint32_t type, uint32_t width, const uint64_t v[4]);

uint32_t spv_builtin(spv *b, SpvBuiltIn what, uint32_t type); /* an input variable */
uint32_t spv_push(spv *b, uint32_t member); /* a push constant of one member */
uint32_t spv_local(spv *b, uint32_t type, uint32_t initial); /* initial 0: undefined */
uint32_t spv_array(spv *b, uint32_t type, uint32_t count);
/* An array in workgroup memory. */
uint32_t spv_shared(spv *b, uint32_t type, uint32_t count);

/* Structured control flow. */
uint32_t spv_if(spv *b, uint32_t cond); /* opens a branch, returns its merge label */
void spv_endif(spv *b, uint32_t merge);
typedef struct spv_loop {
  uint32_t head, next, merge, var, i;
} spv_loop;
/* for (u32 i = 0; i < count; i++): the position is l.i. */
spv_loop spv_for(spv *b, uint32_t count);
void spv_endfor(spv *b, const spv_loop *l);
/* for (;;): left by spv_break_if alone, from the loop's own level; `i` is not used. */
spv_loop spv_forever(spv *b);
void spv_break_if(spv *b, const spv_loop *l, uint32_t cond);
void spv_again(spv *b, const spv_loop *l);
#endif
