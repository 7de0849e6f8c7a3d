/* SPDX-License-Identifier: MIT */
/* prim.h - the primitives' numbers and names, as prim.def lists them. */
#ifndef VAPL_PRIM_H
#define VAPL_PRIM_H
#include "../base/types.h"

#include <stdbool.h>
#include <stdint.h>
typedef enum prim {
#define GLYPH(id, ...) P_##id,
#include "prim.def"
  P_COUNT
} prim;
enum { FORM_M, FORM_D }; /* a row's form, where it names one: monadic or dyadic */
typedef struct prim_row {
  const char *glyph, *monadic, *dyadic;
} prim_row;
extern const prim_row prim_table[P_COUNT];
/* P_COUNT if it is no primitive function. */
prim prim_of(uint32_t code_point);
/* What code○y calls monadically; P_COUNT if there is none. */
prim prim_of_code(int64_t code);
static inline bool prim_has(prim p, bool dyadic) { /* is there any such function at all */
  return *(dyadic ? prim_table[p].dyadic : prim_table[p].monadic) != 0;
}

/* The classes of arguments that prim.def's rows are written for: truth values, integers,
 * floats; complex numbers. */
typedef enum cls { CLS_NONE, CLS_B, CLS_I, CLS_F, CLS_C } cls;
/* The class of a simple array of this type; characters are I. */
static inline cls cls_of(elt type) {
  if (type == ET_C128) return CLS_C;
  if (type == ET_BIT) return CLS_B;
  return elt_is_float(type) ? CLS_F : CLS_I;
}
typedef struct prim_class {
  uint8_t result; /* cls; NONE: no row */
  bool host;
} prim_class;
extern const prim_class prim_classes[P_COUNT + 1][2][CLS_C + 1]; /* [dyadic][arguments] */
static inline bool prim_is_scalar(prim p, bool dyadic) {         /* has MON (DYA) rows */
  const prim_class *own = prim_classes[p][dyadic];
  return own[CLS_B].result | own[CLS_I].result | own[CLS_F].result;
}
/* The first row of B, I, F that holds arguments of this class; NONE: none for kernels. C for complex
 * numbers; a function without a row C takes only real ones among them. */
cls prim_row_of(prim p, bool dyadic, cls at_least);
/* Has the host a function for the row of x p y that is faster there than kernels? */
bool prim_is_for_host(prim p, cls at_least);
cls prim_result(prim p, bool dyadic, cls row); /* what that row returns */
/* What prim.def notes of a structural function's kernels ("": nothing, or p is no such function);
 * *host: it has none. */
const char *prim_note(prim p, bool dyadic, bool *host);
const char *prim_device(prim p, bool dyadic); /* VIEW GEN SHAPE HOST, "" of another one */
/* Integers up to this magnitude are doubles. */
#define F64_WHOLE (INT64_C(1) << 53)
/* Has it a FLOAT_VARIANT for arguments of that class? */
bool prim_has_float_variant(prim p, bool dyadic, cls on);
#endif
