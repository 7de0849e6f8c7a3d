/* SPDX-License-Identifier: MIT */
/* kern.h - what the ladder's kernels are written with: the SPIR-V builder, and names for
 * what every compute kernel says.
 *
 * A kern is one kernel being emitted. Its argument block is six slots of eight bytes, whose
 * address is the push constant: n elements, workgroups, the addresses of input, output and
 * scratch, and one number of the kernel's own. Elements are 4 bytes: one monoid of three. */
#ifndef VAPL_BENCH_KERN_H
#define VAPL_BENCH_KERN_H
#include "src/codegen/codegen.h"
#include "src/codegen/spv.h"

/* All three have the identity 0, as bits: cleared memory is a neutral result. */
typedef enum monoid { SUM_F32, SUM_I32, MAX_U32 } monoid;

typedef struct kern_args {
  uint64_t n, groups, in, out, scratch, own;
} kern_args;

enum { KERN_WG = 256 };

typedef struct kern {
  spv b;
  monoid m;
  uint32_t S;                       /* threads of a subgroup, a constant of the module */
  uint32_t flag, u32, u64, val, v4; /* types; v4: four elements */
  uint32_t zero;                    /* the identity */
  uint32_t n, groups, own;          /* u32 */
  uint32_t in, out, scratch;        /* u64: addresses */
  /* u32: the workgroup; the place in it, in the subgroup; the subgroup. */
  uint32_t wid, tid, lane, sub;
  uint32_t shared; /* KERN_WG elements of workgroup memory */
} kern;

/* Opens a kernel whose workgroups beyond `groups` leave at once. */
void kern_begin(kern *k, ctx *c, monoid m, uint32_t subgroup);
bool kern_end(kern *k, cg_module *out);

/* Arithmetic on u32. */
uint32_t kern_u(kern *k, SpvOp op, uint32_t a, uint32_t b);
uint32_t kern_ui(kern *k, SpvOp op, uint32_t a, uint32_t constant);
uint32_t kern_is(kern *k, SpvOp op, uint32_t a, uint32_t b); /* a comparison */
uint32_t kern_first(kern *k); /* is this the workgroup's first thread? */
uint32_t kern_pick(kern *k, uint32_t type, uint32_t cond, uint32_t a, uint32_t b);
uint32_t kern_join(kern *k, uint32_t a, uint32_t b); /* the monoid */
uint32_t kern_join4(kern *k, const uint32_t v[4]);   /* of four neighbours */

/* Global memory, by element. */
uint32_t kern_pointer(kern *k, uint32_t type, uint32_t base, uint32_t index);
uint32_t kern_get(kern *k, uint32_t base, uint32_t index);
void kern_put(kern *k, uint32_t base, uint32_t index, uint32_t v);
uint32_t kern_get_or_zero(kern *k, uint32_t index); /* of the input; 0 behind its end */
/* Elements 4q … 4q + 3 of the input in one access; 0 behind its end. */
void kern_get_quad(kern *k, uint32_t q, uint32_t v[4]);
void kern_put_quad(kern *k, uint32_t q, const uint32_t v[4]); /* of the output */

/* Workgroup memory. */
uint32_t kern_sget(kern *k, uint32_t array, uint32_t index);
void kern_sput(kern *k, uint32_t array, uint32_t index, uint32_t v);
void kern_barrier(kern *k);
void kern_full_barrier(kern *k); /* orders global memory, too */

/* Threads of a subgroup need not be together behind a branch that some of them took: what
 * exchanges values between them is right only after this. */
void kern_reconverge(kern *k);

/* Subgroups: the instruction (Reduce, ExclusiveScan), and a shuffle. */
uint32_t kern_group(kern *k, SpvGroupOperation how, uint32_t v);
uint32_t kern_shuffle_xor(kern *k, uint32_t v, uint32_t mask);
uint32_t kern_shuffle(kern *k, uint32_t type, uint32_t v, uint32_t lane);

/* Words that several workgroups share: relaxed atomics of device scope, and the barrier
 * that orders them. */
uint32_t kern_atomic_add(kern *k, uint32_t base, uint32_t index, uint32_t v);
uint32_t kern_atomic_get(kern *k, uint32_t base, uint32_t index);
void kern_atomic_put(kern *k, uint32_t base, uint32_t index, uint32_t v);
void kern_device_barrier(kern *k);
uint32_t kern_as_word(kern *k, uint32_t v);
uint32_t kern_as_value(kern *k, uint32_t word);
/* The monoid's own atomic operation, on a buffer's element or on one of workgroup memory. */
void kern_atomic_join(kern *k, uint32_t pointer, SpvScope scope, uint32_t v);
uint32_t kern_shared_pointer(kern *k, uint32_t array, uint32_t index);
#endif
