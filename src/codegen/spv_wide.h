/* SPDX-License-Identifier: MIT */
/* spv_wide.h - integers of 64 bits as pairs of words, for devices that have none; for spv.c. */
#ifndef VAPL_SPV_WIDE_H
#define VAPL_SPV_WIDE_H
#include "spv.h"

/* An id with this bit stands for a type, a value or a pointer of the pairs: it is a number in
 * spv.wide and in no module. */
#define SPV_WIDE 0x80000000u
static inline bool is_wide(uint32_t id) { return id & SPV_WIDE; }

uint32_t wide_type(spv *b, uint32_t n); /* of n components */
/* type: a wide one. */
uint32_t wide_ptr(spv *b, SpvStorageClass where, uint32_t type);
uint32_t wide_const(spv *b, uint64_t bits, uint32_t n);
uint32_t wide_const4(spv *b, const uint64_t v[4]);
uint32_t wide_push(spv *b);
uint32_t wide_local(spv *b, uint32_t type, uint32_t initial);
uint32_t wide_shared(spv *b, uint32_t type, uint32_t count);
/* As spv_put. False: the instruction has nothing to do with pairs. */
bool wide_put(spv *b, uint32_t type, const uint32_t *w, size_t n, uint32_t *id);
#endif
