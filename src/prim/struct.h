/* SPDX-License-Identifier: MIT */
/* struct.h - what the structural primitives' files show one another. Nothing outside src/prim
 * and src/text includes it. */
#ifndef VAPL_PRIM_STRUCT_H
#define VAPL_PRIM_STRUCT_H
#include "args.h"
#include "move.h"

/* struct.c */
arr *rotate_axis(prim_env *e, arr *x, arr *y, int k);
/* nest.c */
arr *enclose_axes(prim_env *e, arr *y, int n, const int *k);
/* mix.c */
arr *mix_axis(prim_env *e, arr *y, arr *axis);
/* partition.c */
arr *partition_axis(prim_env *e, arr *x, arr *y, int k); /* ⊂ */
arr *nest_axis(prim_env *e, arr *x, arr *y, int k);      /* ⊆ */
/* pick.c */
arr *pick_path(prim_env *e, const arr *x, arr *y); /* x⊃y */
/* Position of the element of y that `index` (a scalar or vector) names; false after an
 * error. */
bool index_position(prim_env *e, arr *index, const arr *y, int64_t *pos);
/* iota.c: ⍋y or ⍒y (`down`) of a vector of truth values */
arr *order_of_truths(prim_env *e, arr *y, bool down);
/* index.c */
arr *squad_axes(prim_env *e, arr *x, arr *y, int n, const int *k);
#endif
