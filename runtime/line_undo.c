/* SPDX-License-Identifier: MIT */
/* line_undo.c - undo and redo for the line editor, which libedit has in its vi mode alone, for one
 * step.
 *
 * Before each key the entry is compared with what it was: so whatever changed it, a key of libedit's
 * or one of ours, is a step. Characters that are typed one after the other are one, up to a blank. */
#ifdef HAVE_LIBEDIT
#include "line_undo.h"
#include <string.h>
#include <wchar.h>

enum { STEPS = 256, LONGEST = 8192 }; /* a longer entry is not kept */

static void drop_from(line_undo *u, size_t i) {
  while (u->states.n > i) mem_free(u->c, u->states.at[--u->states.n].text);
}

void undo_clear(line_undo *u) {
  drop_from(u, 0);
  vec_free(u->c, &u->states);
  u->now = 0;
}

static bool push(line_undo *u, const LineInfoW *i, bool typed) {
  size_t n = (size_t)(i->lastchar - i->buffer);
  line_state s = {mem_alloc(u->c, (n + 1) * sizeof *s.text), n,
                  (size_t)(i->cursor - i->buffer), typed};
  if (!s.text) return false;
  wmemcpy(s.text, i->buffer, n);
  s.text[n] = 0;
  if (u->states.n == STEPS) {
    mem_free(u->c, u->states.at[0].text);
    memmove(u->states.at, u->states.at + 1, --u->states.n * sizeof s);
  }
  if (!vec_push(u->c, &u->states, s)) {
    mem_free(u->c, s.text);
    return false;
  }
  u->now = u->states.n - 1;
  return true;
}

/* Was one character more typed than in the state s, where it was left? */
static bool is_typed(const line_state *s, const LineInfoW *i) {
  size_t n = (size_t)(i->lastchar - i->buffer), at = (size_t)(i->cursor - i->buffer);
  return n == s->n + 1 && at == s->cursor + 1 && i->buffer[at - 1] != L' ' &&
         !wmemcmp(i->buffer, s->text, s->cursor);
}

void undo_note(line_undo *u, EditLine *el) {
  const LineInfoW *i = el_wline(el);
  size_t n = (size_t)(i->lastchar - i->buffer);
  bool kept = true, typed = false;
  if (n > LONGEST) undo_clear(u);
  if (n > LONGEST) return;
  if (u->states.n) {
    line_state *s = &u->states.at[u->now];
    if (s->n == n && !wmemcmp(s->text, i->buffer, n)) {
      s->cursor = (size_t)(i->cursor - i->buffer);
      return;
    }
    typed = is_typed(s, i);
    drop_from(u, u->now + 1);
    if (typed && s->typed) drop_from(u, u->now); /* it goes on */
  }
  kept = push(u, i, typed);
  if (!kept) undo_clear(u);
  if (!kept) err_clear(u->c);
}

bool undo_move(line_undo *u, EditLine *el, bool forth) {
  const LineInfoW *i = el_wline(el);
  if (forth ? u->now + 1 >= u->states.n : !u->now) return false;
  if (forth) u->now++;
  else u->now--;
  const line_state *s = &u->states.at[u->now];
  el_cursor(el, (int)(i->lastchar - i->cursor));
  el_deletestr(el, (int)(i->lastchar - i->buffer));
  if (s->n) el_winsertstr(el, s->text);
  i = el_wline(el);
  el_cursor(el, (int)(i->buffer + s->cursor - i->cursor));
  return true;
}
#endif
