/* SPDX-License-Identifier: MIT */
/* prim_fold.c - prim.def's FOLD and IDENT rows. */
#include "prim_fold.h"

#include <stddef.h>

#include "../base/macros.h"

const fold_row *fold_of(prim p, cls on) {
  static const fold_row rows[P_COUNT + 1][CLS_F + 1] = {
#define FOLD(id, class, monoid, result, over)                                            \
  [P_##id][CLS_##class] = {P_##id, CLS_##class, KF_##monoid, CLS_##result, OVER_##over},
#include "prim.def"
      [P_COUNT] = {{0}}};
  for (; on <= CLS_F; on++)
    if (rows[p][on].on) return &rows[p][on];
  return NULL;
}

bool fold_identity_of(prim p, double *v) {
  static const struct {
    prim p;
    double v;
  } rows[] = {
#define IDENT(id, value) {P_##id, value},
#include "prim.def"
  };
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (rows[i].p == p) {
      *v = rows[i].v;
      return true;
    }
  return false;
}
