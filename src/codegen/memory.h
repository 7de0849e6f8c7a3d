/* SPDX-License-Identifier: MIT */
/* memory.h - the argument block, flags, and elements between buffers and registers. */
#ifndef VAPL_CG_MEMORY_H
#define VAPL_CG_MEMORY_H
#include "cg.h"

/* ── arguments and flags (argument_block.c) ──────────────────────────────────────────────────── */
uint32_t cg_slot_addr(cg *g, uint32_t slot);
uint32_t cg_slot(cg *g, uint32_t slot); /* an argument, u64 */
uint32_t cg_slot_ix(cg *g, uint32_t slot);
uint32_t cg_slot_u32(cg *g, uint32_t slot);
uint32_t cg_slot_param(cg *g, uint32_t slot, kty t);
/* From here on arguments are read from workgroup memory: so they need not be kept in
 * registers, for which of them is read again in a loop is loaded again. */
void cg_hold_args(cg *g);
/* Raises a fault if cond (KB of lanes) holds in a lane that `ok` (or 0) admits. */
void cg_raise(cg *g, uint32_t cond, uint32_t ok, int64_t fault, bool escape);
void cg_write_flags(cg *g); /* at the end of the kernel */

/* ── addresses and indices (load.c) ────────────────────────────────────────────────── */
uint32_t cg_addr(cg *g, uint32_t base, uint32_t index,
                 uint32_t shift); /* base + (index << shift) */
uint32_t cg_plus(cg *g, uint32_t addr, uint32_t bytes);
uint32_t cg_pointer(cg *g, uint32_t type, uint32_t addr);
uint32_t cg_load(cg *g, uint32_t type, uint32_t addr, uint32_t align);
void cg_store(cg *g, uint32_t type, uint32_t addr, uint32_t v, uint32_t align);
bool cg_quads(const cg *g); /* are four lanes one access? */
/* The storage index of element i of the row. */
uint32_t cg_in_row(cg *g, const cg_pos *p, uint32_t i);
/* The storage index of lane j for a load, kept below the length where it might not be. */
uint32_t cg_lane_index(cg *g, const cg_pos *p, uint32_t j);
uint32_t cg_bits_log2(elt t);
/* The address of the word that element `index` of a narrow type is in; *at: its first
 * bit. */
uint32_t cg_word_addr(cg *g, elt t, uint32_t base, uint32_t index, uint32_t *at);

/* ── loads ─────────────────────────────────────────────────────────────────────────── */
uint32_t cg_get(cg *g, elt t, uint32_t base, cg_pos *p); /* FLAT; as kir_arg_type(t) */
uint32_t cg_get_input(cg *g, uint32_t input, cg_pos *p);
/* From here on positions, of which `first` (ix) is the least, differ in the last dimension alone of
 * every strided index map. */
void cg_hold_line(cg *g, uint32_t first);
/* Elements number `index`, of type t, of an input that is for GET. */
uint32_t cg_fetch(cg *g, uint32_t input, kty t, uint32_t index);
uint32_t cg_get_at(cg *g, elt t, uint32_t base, uint32_t index); /* one scalar element */
/* Quads of 8-bit or 16-bit elements that follow one another, 16 bytes in all, from one
 * load: as many as cg_quads_per_load says. p: of the first, a multiple of them, in a line
 * that begins the storage. */
uint32_t cg_quads_per_load(elt t);
void cg_get_quads(cg *g, elt t, uint32_t base, const cg_pos *p, uint32_t *v);

/* ── stores (store.c) ──────────────────────────────────────────────────────────────── */
/* The storage index of lane j for a store that is known to exist. */
uint32_t cg_store_index(cg *g, const cg_pos *p, uint32_t j);
/* Is element i + j there? Opens a branch if that must be asked; 0: it need not. */
uint32_t cg_guard(cg *g, const cg_pos *p, uint32_t j);
void cg_unguard(cg *g, uint32_t merge);
/* v is of kir_arg_type(t). */
void cg_put(cg *g, elt t, uint32_t base, cg_pos *p, uint32_t v);
/* One element; a narrow one is OR-ed in. */
void cg_put_at(cg *g, elt t, uint32_t base, uint32_t index, uint32_t v);
void cg_put_outputs(cg *g, cg_pos *p);
/* Places in workgroup memory, a multiple of the workgroup: what the only output would join goes
 * there; then these join it. */
void cg_begin_sums(cg *g, uint32_t places);
void cg_end_sums(cg *g, uint32_t places);
#endif
