/* SPDX-License-Identifier: MIT */
/* keymap.c - the table of glyphs.def shown, and printed for other programs.
 *
 * Each format spells "prefix, key" in its own way; what differs is only how a character that
 * means something to that program is written. X compose files take any character by its code
 * (U0069), so that no list of keysym names is needed. */
#include "keymap.h"
#include "../src/base/utf8.h"
#include <stdio.h>
#include <string.h>

void glyph_show(str *s, int columns) {
  enum { CELL = 18 };
  int across = columns / CELL;
  if (across < 1) across = 1;
  int down = (glyph_count + across - 1) / across;
  for (int i = 0; i < down; i++) {
    for (int k = i; k < glyph_count; k += down) {
      const glyph_row *g = &glyph_table[k];
      str_printf(s, "`%c %s %s", g->key, g->glyph, g->name);
      if (k + down < glyph_count) str_pad(s, CELL - 5 - strlen(g->name));
    }
    str_puts(s, "\n");
  }
}

static void xcompose(str *s, const glyph_row *g) {
  const char *p = g->glyph;
  uint32_t u = utf8_next(p, p + strlen(p), &p);
  str_printf(s, "<Multi_key> <U0060> <U%04X> : \"%s\" U%04X\n", (unsigned)g->key,
             g->glyph, (unsigned)u);
}

static void inputrc(str *s, const glyph_row *g) {
  const char *escape = g->key == '"' || g->key == '\\' ? "\\" : "";
  str_printf(s, "\"`%s%c\": \"%s\"\n", escape, g->key, g->glyph);
}

/* Three characters mean something in a mapping of vim. */
static void vim_char(str *s, const char *utf8) {
  if (!strcmp(utf8, "|")) utf8 = "<Bar>";
  else if (!strcmp(utf8, "<")) utf8 = "<lt>";
  else if (!strcmp(utf8, "\\")) utf8 = "<Bslash>";
  str_puts(s, utf8);
}

static void vim(str *s, const glyph_row *g) {
  str_puts(s, "inoremap <buffer> `");
  vim_char(s, (char[]){g->key, 0});
  str_puts(s, " ");
  if (!strcmp(g->glyph, "|")) vim_char(s, g->glyph);
  else str_puts(s, g->glyph);
  str_puts(s, "\n");
}

static void emacs(str *s, const glyph_row *g) {
  bool letter = (g->key | 32) >= 'a' && (g->key | 32) <= 'z';
  bool digit = g->key >= '0' && g->key <= '9';
  const char *escape_key = letter || digit ? "" : "\\";
  const char *escape_glyph = (signed char)g->glyph[0] > 0 ? "\\" : ""; /* ASCII */
  str_printf(s, "(define-key key-translation-map [?\\` ?%s%c] [?%s%s])\n", escape_key,
             g->key, escape_glyph, g->glyph);
}

bool glyph_print(str *s, const char *format) {
  static const struct {
    const char *name;
    void (*row)(str *, const glyph_row *);
  } formats[] = {
      {"xcompose", xcompose}, {"inputrc", inputrc}, {"vim", vim}, {"emacs", emacs}};
  for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
    if (strcmp(format, formats[f].name)) continue;
    for (int i = 0; i < glyph_count; i++) formats[f].row(s, &glyph_table[i]);
    return true;
  }
  return false;
}
