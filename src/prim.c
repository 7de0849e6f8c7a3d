/* SPDX-License-Identifier: MIT */
/* prim.c - the primitives' names as a table, made from prim.def. The code points are decoded
 * from the glyphs at look-up: there are few, and a second column could only disagree. */
#include "prim.h"
#include <string.h>

const prim_row prim_table[P_COUNT] = {
#define GLYPH(id, glyph, monadic, dyadic) {glyph, monadic, dyadic},
#include "prim.def"
};

prim prim_of(uint32_t code_point) {
  char utf8[5] = {0};
  utf8_put(utf8, code_point);
  for (int p = 0; p < P_COUNT; p++)
    if (strcmp(prim_table[p].glyph, utf8) == 0) return (prim)p;
  return P_COUNT;
}

prim prim_of_code(int64_t code) {
  static const prim codes[25] = {
#define CODE(code, id) [code + 12] = P_##id,
#include "prim.def"
  };
  return code < -12 || code > 12 ? P_COUNT : codes[code + 12];
}
