/* SPDX-License-Identifier: MIT */
/* idiom.h - operands whose results an operator can make without calling them. */
#ifndef VAPL_OPER_IDIOM_H
#define VAPL_OPER_IDIOM_H
#include "../value/vm.h"

/* What a function makes of a vector, if it only counts or folds it, or goes through it. */
typedef enum part_kind {
  PART_NONE,
  PART_SIZE,
  PART_FOLD,
  PART_FIRST,
  PART_SCAN,
  PART_BEFORE /* {¯1↓0,f\⍵} */
} part_kind;
typedef struct part_idiom {
  part_kind kind;
  fn *f; /* f/ or f\, borrowed */
} part_idiom;

/* any: an array, in the place of ⍺ and ⍵. False after an error. */
bool part_idiom_of(vm *v, fn *f, arr *any, part_idiom *idiom);
#endif
