/* SPDX-License-Identifier: MIT */
/* keymap.h - the glyphs' keys for the session and --print-keymap. */
#ifndef VAPL_KEYMAP_H
#define VAPL_KEYMAP_H
#include "../src/base/str.h"
#include "../src/tables/glyphs.h"

/* The table that prefix-Tab shows, `columns` wide. */
void glyph_show(str *s, int columns);
/* For other programs: xcompose, inputrc, vim or emacs. False: no such format. */
bool glyph_print(str *s, const char *format);
#endif
