/* SPDX-License-Identifier: MIT */
/* prim_fold.c - prim.def's FOLD and IDENT rows. */
#include "prim_fold.h"

#include <stddef.h>

#include "../base/macros.h"

const fold_row *fold_of(prim p, cls on) {
  static const fold_row rows[] = {
#define FOLD(id, class, monoid, result, over)                                            \
  {P_##id, CLS_##class, KF_##monoid, CLS_##result, OVER_##over},
#include "prim.def"
  };
  const fold_row *best = NULL;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
    const fold_row *f = &rows[i];
    if (f->p == p && f->on >= on && (!best || f->on < best->on)) best = f;
  }
  return best;
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
