/* SPDX-License-Identifier: MIT */
/* line_undo.h - what an entry was while it was typed, to go back to and forth. */
#ifndef VAPL_LINE_UNDO_H
#define VAPL_LINE_UNDO_H
#include "../src/base/mem.h"
#include <histedit.h>

typedef struct line_state {
  wchar_t *text;
  size_t n, cursor;
  bool typed; /* character by character: such are one step */
} line_state;

typedef struct line_undo {
  ctx *c;
  VEC(line_state) states;
  size_t now; /* the one that is shown */
} line_undo;

void undo_clear(line_undo *u);
void undo_note(line_undo *u, EditLine *el); /* before each key */
/* Shows the state before, or (forth) behind the one that is shown; false: there is none. */
bool undo_move(line_undo *u, EditLine *el, bool forth);
#endif
