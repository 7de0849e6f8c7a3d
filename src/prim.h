/* SPDX-License-Identifier: MIT */
/* prim.h - the primitives' numbers and names, as prim.def lists them. */
#ifndef VAPL_PRIM_H
#define VAPL_PRIM_H
#include "base.h"
typedef enum prim {
#define GLYPH(id, ...) P_##id,
#include "prim.def"
  P_COUNT
} prim;
typedef struct prim_row { const char *glyph, *monadic, *dyadic; } prim_row;
extern const prim_row prim_table[P_COUNT];
prim prim_of(uint32_t code_point); /* P_COUNT if it is no primitive function */
prim prim_of_code(int64_t code);   /* what code○y calls monadically; P_COUNT if there is none */
#endif
