/* SPDX-License-Identifier: MIT */
/* source_text.h - source texts, and spans: the places in them that errors point at. */
#ifndef VAPL_SOURCE_H
#define VAPL_SOURCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

/* A text that was given to the interpreter: kept while trees, functions or errors point
 * into it. `name` is a file's name or "" for the prompt. */
typedef struct source {
  uint32_t refs;
  uint32_t first_line; /* the number of its first line, from 1 */
  bool executed;       /* it is what ⍎ runs */
  size_t len;          /* bytes of text, without the final NUL */
  char *name;
  char *text;              /* UTF-8, NUL-terminated */
  struct source_def *defs; /* the functions that are defined by ∇ in it, in order */
  size_t n_defs, defs_cap;
} source;

/* A definition by ∇: from its header, which is line 0, to behind its last line; its name. */
typedef struct source_def {
  uint32_t begin, end, name, name_end;
} source_def;

/* The bytes [begin, end) of a source; src == NULL: no place is known. Borrows the
 * source. */
typedef struct span {
  source *src;
  uint32_t begin, end;
} span;

/* Copies both the name and the text. NULL after LIMIT ERROR or WS FULL. */
source *source_new(struct ctx *c, const char *name, const char *text, size_t len);
source *source_retain(source *s);              /* NULL stays NULL */
void source_release(struct ctx *c, source *s); /* NULL is fine */
bool source_define(struct ctx *c, source *s, source_def d);
/* The definition that holds byte `at`; NULL: none does. */
const source_def *source_def_at(const source *s, uint32_t at);
#endif
