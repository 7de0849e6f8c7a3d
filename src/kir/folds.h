/* SPDX-License-Identifier: MIT */
/* folds.h - the rows of tables/folds.def by compute type: what a FOLD may fold, and
 * how. */
#ifndef VAPL_KIR_FOLDS_H
#define VAPL_KIR_FOLDS_H
#include "kir.h"

typedef enum korder { KORDER_NONE, KORDER_EXACT, KORDER_SUM, KORDER_TREE } korder;
typedef struct kfold_row {
  const char *glyph;
  struct {
    uint8_t order, op;
  } on[KTY_COUNT];
} kfold_row;
extern const kfold_row kfold_table[KF_COUNT];

/* The type in which values of type `from` are folded: `from`, or KB where the monoid has
 * truth values alone; KTY_COUNT if it folds none such. */
kty kfold_type(kfold f, kty from);
/* The identity on a type that it folds. */
kimm kfold_identity(kfold f, kty ty);
/* May a join itself escape? */
bool kfold_escapes(kfold f, kty from);
/* Is a.ty what a FOLD by a's monoid gives for values of type `from`? */
bool kfold_gives(const kacc *a, kty from);
/* The type of k's accumulator n: KI64 for a sum of integers, and the low half of a wide
 * one. */
kty kfold_acc_type(const kir *k, uint32_t n);
#endif
