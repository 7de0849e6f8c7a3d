/* SPDX-License-Identifier: MIT */
/* oper.c - the table of operators. */
#include "oper.h"

static const oper_row rows[] = {
#define OPER(id, code, glyph, name, valence, operands)                                   \
  {code, glyph, name, valence, OPERANDS_##operands},
#include "oper.def"
#undef OPER
};

const oper_row *oper_find(uint32_t code) {
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (rows[i].code == code) return &rows[i];
  return NULL;
}
