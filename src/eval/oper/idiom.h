/* SPDX-License-Identifier: MIT */
/* idiom.h - operands whose results an operator can make without calling them. */
#ifndef VAPL_OPER_IDIOM_H
#define VAPL_OPER_IDIOM_H
#include "../value/vm.h"

/* What ⌸'s operand makes of a key and its group, if only the group's size matters. */
typedef enum key_idiom {
  KEY_NONE,
  KEY_SIZE,      /* {≢⍵} */
  KEY_CATENATED, /* {⍺,≢⍵} */
  KEY_STRANDED   /* {⍺(≢⍵)} */
} key_idiom;

/* keys: any array, in the place of ⍺ and ⍵. */
bool key_idiom_of(vm *v, fn *f, arr *keys, key_idiom *idiom);
#endif
