/* SPDX-License-Identifier: MIT */
/* codegen.h - KIR to SPIR-V words.
 *
 * cg_emit makes one SPIR-V 1.5 compute module, entry point "main", from a kernel and the
 * pass of it that is wanted. It never calls Vulkan and never fails but for memory or a
 * device feature that the caller should have looked at. The module has no descriptor: its
 * one push constant is the 64-bit address of its argument block, read as a struct of
 * 8-byte slots:
 *
 *   slot 0 len      elements of a row (of the producer's domain)
 *        1 rows
 *        2 groups   two u32: the end of the workgroups that this dispatch runs, and its first
 *                   (long work is cut); a 2-D grid may have more, they leave at once
 *        3 tiles    tiles of a row: group g works on row g ÷ tiles, tile g mod tiles
 *        4 flags    address of the flag words (u32), pairs (error, escape) as in kir_bind
 *        5 from     address of the partial accumulators read   (`from_partials`)
 *        6 to       address of the partial accumulators written (unless `final`; with
 *                   `finish` they are read there, too)
 *        7 carry    address of the totals of a scan's tiles, or of the words that it
 *                   publishes them in
 *        8 inner    elements right of the folded axis
 *        9 counter  address of a u32 (SCAN_AHEAD: of two) that is 0 before and after
 *                   (`finish`, SCAN_AHEAD)
 *        10 tag     u32 that no dispatch before has had (SCAN_AHEAD, pass.h)
 *        11 to 15   the template's own geometry (pass.h)
 *        16..       inputs: address, offset, step (3 slots each); outputs: address (1 slot
 *                   each); params: value (1 slot each: KI32 KI64 sign-extended, KF32 in the
 *                   low 32 bits, KF64 as bits, KB 0 or 1)
 *
 * Buffers are allocated with at least 16 bytes of slack behind their data, so that 4-wide
 * loads and stores at the tail are safe; what is read there is garbage, and raises no
 * flag.
 *
 * Rules for options. The templates' functions NAME_passes keep them; so must options made by hand:
 *   - width 4 wants rows that start at a multiple of 4 elements (len % 4 == 0 if rows > 1), and
 *     in a SCAN with a bit output at a multiple of 32 (len % 32 == 0 if rows > 1), of 8-bit and
 *     16-bit ones at whole words, which the first rule gives. Else width 1: right for any rows,
 *     slower. A STEP input is read element by element at either width.
 *   - an output for which cg_needs_clear is true must be zeroed before the kernel runs: its
 *     elements are OR-ed in, since rows or threads of several workgroups share words.
 *   - wide_index from 2^31 - 2^16 elements on (rows × len, the largest input, STEP positions), with
 *     `words` from 2^28 - 2^16.
 *   - subgroup: the pipeline's subgroups must have full size and this many invocations or a
 *     multiple of it (a kernel for 8 also runs at 32), and shuffle and vote operations. A MAP
 *     without narrow outputs runs at any size. */
#ifndef VAPL_CODEGEN_H
#define VAPL_CODEGEN_H
#include "pass.h"

enum {
  CG_SLOT_LEN,
  CG_SLOT_ROWS,
  CG_SLOT_GROUPS,
  CG_SLOT_TILES,
  CG_SLOT_FLAGS,
  CG_SLOT_FROM,
  CG_SLOT_TO,
  CG_SLOT_CARRY,
  CG_SLOT_INNER,
  CG_SLOT_COUNTER,
  CG_SLOT_TAG,
  CG_SLOT_OWN, /* the slots that a template gives a meaning: cg_geom.own */
  CG_SLOT_INPUTS = CG_SLOT_OWN + CG_OWN_SLOTS
};

/* Bytes of an accumulator in memory: of each of its values KB 4 (a u32 0 or 1), KI32 KF32
 * 4, KI64 KF64 8, wide 16 (low, high); in all a multiple of 8 if one has 8. */
int cg_acc_bytes(const kir *k);

/* 8-byte slots that the argument block takes; the first of dimension d of a strided,
 * behind all else: its stride, and but for the first dimension its length and cg_magic of
 * that. */
enum { CG_STRIDED_STRIDE, CG_STRIDED_N, CG_STRIDED_MAGIC, CG_STRIDED_SLOTS };
uint32_t cg_arg_slots(const kir *k);
uint32_t cg_out_slot(const kir *k, uint32_t out);
uint32_t cg_param_slot(const kir *k, uint32_t param);
uint32_t cg_strided_slot(const kir *k, uint32_t strided, uint32_t dim);
/* What divides a position below 2^31 by n, 2 ≤ n < 2^31: the low word is m, the high word
 * s, and p÷n is the upper half of p×m, shifted right by s. */
uint64_t cg_magic(uint64_t n);

/* Are i32 sums of len numbers, that go to so many places, made in workgroup memory first? */
bool cg_sums_nearby(int64_t len, int64_t places);

typedef struct cg_module {
  uint32_t *words;
  size_t n;
  uint32_t shared; /* bytes of workgroup memory */
} cg_module;       /* freed with mem_free */
bool cg_emit(ctx *c, const kir *k, const cg_opts *o, cg_module *out);

/* The kernels that are written by hand rather than made from a kir: the benchmarks'
 * floor. A plain copy of 16-byte words: slot 0 is their count, input 0 → output 0. */
bool cg_emit_copy(ctx *c, uint32_t workgroup, bool words, cg_module *out);

/* What a device does (facts.c): input 0 has 5 words; to output 0 each thread of one workgroup stores the size of its
 * subgroup as it is told, as it is counted, its place in it and in the workgroup, and the facts that hold, a bit
 * each. */
enum {
  CG_FACT_XOR,          /* shuffles by 1, 2, 4 … 64 threads */
  CG_FACT_BY_INDEX = 7, /* ... from a place */
  CG_FACT_SELECT,       /* of booleans */
  CG_FACT_LEAST,        /* the least integer's magnitude is itself */
  CG_FACT_KEPT,         /* a number of f32 below the normal ones, by a product */
  CG_FACT_COMPARED,     /* ... is not equal to 0 */
  CG_FACT_WORDS = 5
};
bool cg_emit_facts(ctx *c, const cg_opts *o, cg_module *out);

/* Does what has begun go on while others wait? Input 0: how many workgroups have begun; whether one has given up,
 * after CG_LOOKS looks; 1; a word for each, which becomes 1 when it has seen that of the one before. */
enum { CG_LOOKS = 1 << 14, CG_PROGRESS_WORDS = 3 };
bool cg_emit_progress(ctx *c, const cg_opts *o, cg_module *out);
#endif
