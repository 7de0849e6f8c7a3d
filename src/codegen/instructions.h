/* SPDX-License-Identifier: MIT */
/* instructions.h - the kernel's instructions at a position. */
#ifndef VAPL_CG_OPS_H
#define VAPL_CG_OPS_H
#include "cg.h"

/* The inputs that instructions from … to - 1 read at p, by number; 0 for the others. */
void cg_load_raw(cg *g, uint32_t from, uint32_t to, cg_pos *p, uint32_t *raw);
/* Emits these instructions at p; raw is what cg_load_raw read, or NULL: they are loaded
 * here. */
void cg_range(cg *g, uint32_t from, uint32_t to, cg_pos *p, const uint32_t *raw);
/* kernel_loop.c: loop number i of the kernel, for the elements at p; its results. */
uint32_t cg_loop(cg *g, uint32_t i, cg_pos *p);
static inline uint32_t *cg_loop_result(const cg *g, uint32_t i, uint32_t component) {
  return &g->val[g->k->n_ins + i * KIR_MAX_CARRIED + component];
}
#endif
