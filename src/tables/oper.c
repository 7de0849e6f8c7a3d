/* SPDX-License-Identifier: MIT */
/* oper.c - the table of operators. */
#include "oper.h"

static const oper_row rows[] = {
#define OPER(id, code, glyph, name, valence, operands, call, help)                       \
  {code, glyph, name, valence, OPERANDS_##operands, help},
#define OPER_ABSENT(id, code, glyph, name, instead)                                      \
  {code, glyph, name, 1, OPERANDS_ABSENT, "not in this version" instead},
#include "oper.def"
};

const oper_row *oper_at_row(size_t i) { return i < ARRAY_LEN(rows) ? &rows[i] : NULL; }

const oper_row *oper_find(uint32_t code) {
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (rows[i].code == code) return &rows[i];
  return NULL;
}
