/* SPDX-License-Identifier: MIT */
/* glyphs.h - the glyphs' keys and names, as glyphs.def lists them. */
#ifndef VAPL_GLYPHS_H
#define VAPL_GLYPHS_H
#include "../base/macros.h"
#include <stddef.h>
#include <stdint.h>

typedef struct glyph_row {
  char key;
  const char *glyph, *name;
} glyph_row;
extern const glyph_row glyph_table[];
extern const int glyph_count;

const glyph_row *glyph_of_key(uint32_t key); /* NULL: none */
const glyph_row *glyph_of_name(const char *name, size_t n);
const glyph_row *glyph_of(const char *glyph);
#endif
