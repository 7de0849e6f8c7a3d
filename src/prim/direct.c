/* SPDX-License-Identifier: MIT */
/* direct.c - the entries of the direct path: which function a primitive is, by
 * prim.def. */
#include "scalar.h"

typedef arr *struct1(prim_env *e, arr *y);
typedef arr *struct2(prim_env *e, arr *x, arr *y);

static arr *missing(ctx *c, prim f, const char *form) {
  err_set(c, ERR_SYNTAX, "%s has no %s form", prim_table[f].glyph, form);
  return NULL;
}

arr *prim_monadic(prim_env *e, prim f, arr *y) {
  static struct1 *const functions[P_COUNT + 1] = {
#define STRUCT1(id, function, ...) [P_##id] = function,
#include "../tables/prim.def"
      [P_COUNT] = NULL};
  if (prim_is_scalar(f, false)) return sc_monadic(e, f, y);
  if (!functions[f]) return missing(e->c, f, "monadic");
  return cx_demote(e->c, functions[f](e, y));
}

arr *prim_dyadic(prim_env *e, prim f, arr *x, arr *y) {
  static struct2 *const functions[P_COUNT + 1] = {
#define STRUCT2(id, function, ...) [P_##id] = function,
#include "../tables/prim.def"
      [P_COUNT] = NULL};
  if (prim_is_scalar(f, true)) return sc_dyadic(e, f, x, y);
  if (!functions[f]) return missing(e->c, f, "dyadic");
  return cx_demote(e->c, functions[f](e, x, y));
}
