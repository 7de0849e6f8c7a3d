/* SPDX-License-Identifier: MIT */
/* reflect.h - what the templates of panels share (panel.c, panel_held.c): numbers of f64 in memory, and whether a
 * column may become a reflection. */
#ifndef VAPL_CG_REFLECT_H
#define VAPL_CG_REFLECT_H
#include "template.h"

#include "../tables/panel.h"
#include "cg_arith.h"

#define PANEL_SLOT(g, field) cg_slot_u32(g, CG_OWN_SLOT(panel_geom, field))

/* Of numbers at `base` (u64): the address of number i (u32); that number. */
static inline uint32_t panel_at(cg *g, uint32_t base, uint32_t i) {
  return cg_addr(g, base, cg_to_ix(g, i), 3);
}
static inline uint32_t panel_get(cg *g, uint32_t base, uint32_t i) {
  return cg_load(g, cg_scalar_type(g, KF64), panel_at(g, base, i), 8);
}
static inline void panel_put(cg *g, uint32_t base, uint32_t i, uint32_t v) {
  cg_store(g, cg_scalar_type(g, KF64), panel_at(g, base, i), v, 8);
}
static inline uint32_t panel_real(cg *g, kop op, uint32_t a, uint32_t b) {
  return cg_arith(g, op, KF64, a, b);
}
/* a + b × c, of u32. */
static inline uint32_t panel_place(cg *g, uint32_t a, uint32_t b, uint32_t c) {
  return cg_u(g, SpvOpIAdd, a, cg_u(g, SpvOpIMul, b, c));
}
/* a ÷ by, rounded up. */
static inline uint32_t panel_quotient(cg *g, uint32_t a, uint32_t by) {
  return cg_ui(g, SpvOpUDiv, cg_ui(g, SpvOpIAdd, a, by - 1), by);
}
/* a - v × t. */
static inline uint32_t panel_less(cg *g, uint32_t a, uint32_t v, uint32_t t) {
  return panel_real(g, KOP_SUB, a, panel_real(g, KOP_MUL, v, t));
}

/* Element i (u32) of the matrix that becomes a panel; what squares column k (u32) had in the whole of it. */
uint32_t panel_input(cg *g, uint32_t i);
uint32_t panel_square(cg *g, uint32_t k);

/* A reflection: r of R's diagonal, v of V's, β. */
typedef struct panel_reflection {
  uint32_t r, v, beta;
} panel_reflection;
/* That of a column with a[k;k] = pivot, below which its elements' squares sum up to `below`. A fault is raised if
 * it is one of those before it, or not finite: `square` as above, m (u32) rows. */
panel_reflection panel_reflect(cg *g, uint32_t pivot, uint32_t below, uint32_t square,
                               uint32_t m);
#endif
