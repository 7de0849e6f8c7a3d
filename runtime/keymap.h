/* SPDX-License-Identifier: MIT */
/* keymap.h - the glyphs' keys and names (glyphs.def) for the REPL and --print-keymap. */
#ifndef VAPL_KEYMAP_H
#define VAPL_KEYMAP_H
#include "../src/base/str.h"

typedef struct glyph_row {
  char key;
  const char *glyph, *name;
} glyph_row;
extern const glyph_row glyph_table[];
extern const int glyph_count;

const glyph_row *glyph_of_key(uint32_t key); /* NULL: none */
const glyph_row *glyph_of_name(const char *name, size_t n);
/* The table that prefix-Tab shows, `columns` wide. */
void glyph_show(str *s, int columns);
/* For other programs: xcompose, inputrc, vim or emacs. False: no such format. */
bool glyph_print(str *s, const char *format);
#endif
