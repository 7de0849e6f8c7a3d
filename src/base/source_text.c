/* SPDX-License-Identifier: MIT */
/* source_text.c - the source texts of source_text.h. A source, its text and its name are one block
 * of memory, so that releasing the last reference is one free. */
#include "source_text.h"
#include "ctx.h"
#include "mem.h"
#include <string.h>

source *source_new(ctx *c, const char *name, const char *text, size_t len) {
  size_t name_len = strlen(name);
  if (len > UINT32_MAX - 1 || name_len > UINT32_MAX) {
    err_set(c, ERR_LIMIT, "the text is too long");
    return NULL;
  }
  source *s = mem_alloc(c, sizeof *s + name_len + len + 2);
  if (!s) return NULL;
  *s = (source){.refs = 1, .first_line = 1, .len = len};
  s->text = (char *)(s + 1);
  s->name = s->text + len + 1;
  if (len) memcpy(s->text, text, len); /* no text may be NULL */
  s->text[len] = 0;
  memcpy(s->name, name, name_len + 1);
  return s;
}

source *source_retain(source *s) {
  if (s) s->refs++;
  return s;
}

void source_release(ctx *c, source *s) {
  if (!s || --s->refs > 0) return;
  mem_free(c, s->defs);
  mem_free(c, s);
}

bool source_define(ctx *c, source *s, source_def d) {
  if (!vec_room(c, (void **)&s->defs, s->n_defs, &s->defs_cap, sizeof d)) return false;
  s->defs[s->n_defs++] = d;
  return true;
}

const source_def *source_def_at(const source *s, uint32_t at) {
  size_t from = 0, to = s->n_defs; /* the last one that begins before it */
  while (from < to) {
    size_t i = (from + to) / 2;
    if (s->defs[i].begin <= at) from = i + 1;
    else to = i;
  }
  return from && at < s->defs[from - 1].end ? &s->defs[from - 1] : NULL;
}
