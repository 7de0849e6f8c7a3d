/* SPDX-License-Identifier: MIT */
/* glyphs.c - the table of glyphs.def, looked up. */
#include "glyphs.h"
#include <string.h>

const glyph_row glyph_table[] = {
#define KEY(key, glyph, name) {key, glyph, name},
#include "glyphs.def"
};
const int glyph_count = (int)ARRAY_LEN(glyph_table);

const glyph_row *glyph_of_key(uint32_t key) {
  for (int i = 0; i < glyph_count; i++)
    if ((uint32_t)glyph_table[i].key == key) return &glyph_table[i];
  return NULL;
}

const glyph_row *glyph_of_name(const char *name, size_t n) {
  for (int i = 0; i < glyph_count; i++)
    if (strlen(glyph_table[i].name) == n && !memcmp(glyph_table[i].name, name, n))
      return &glyph_table[i];
  return NULL;
}

const glyph_row *glyph_of(const char *glyph) {
  for (int i = 0; i < glyph_count; i++)
    if (!strcmp(glyph_table[i].glyph, glyph)) return &glyph_table[i];
  return NULL;
}
