/* SPDX-License-Identifier: MIT */
/* oper.h - the primitive operators, as oper.def lists them. */
#ifndef VAPL_OPER_H
#define VAPL_OPER_H
#include "../base/macros.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
#define OPER(id, code, ...) OP_##id = code,
#define OPER_ABSENT(id, code, ...) OP_##id = code,
#include "oper.def"
};

typedef enum operands {
  OPERANDS_ABSENT,    /* the operator is not in this version */
  OPERANDS_ANY,       /* whatever they are */
  OPERANDS_FUNCTION,  /* the left one is a function */
  OPERANDS_FUNCTIONS, /* both are */
  OPERANDS_EITHER,    /* one of them is */
  OPERANDS_SIZES,     /* a function on the left, an array of sizes on the right */
  OPERANDS_OPTIONS,   /* a function on the left, an array of options on the right */
  OPERANDS_PATTERNS   /* an array on the left */
} operands;

typedef struct oper_row {
  uint32_t code;
  const char *glyph, *name;
  uint8_t valence, operands;
  const char *help;
} oper_row;

const oper_row *oper_at_row(size_t i);    /* NULL behind the last one */
const oper_row *oper_find(uint32_t code); /* NULL: there is none */

static inline bool is_scan(uint32_t code) { return code == OP_SCAN || code == OP_SCAN1; }
static inline bool is_fold(uint32_t code) { /* one of / ⌿ \ ⍀ */
  return code == OP_REDUCE || code == OP_REDUCE1 || is_scan(code);
}
#endif
