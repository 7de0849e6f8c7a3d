/* SPDX-License-Identifier: MIT */
/* lsp.h - what the files of vapl lsp share: texts that an editor has open, and places in them.
 *
 * A place is a byte here, and a line and a number of UTF-16 units there, as the protocol counts. */
#ifndef VAPL_LSP_H
#define VAPL_LSP_H
#include "lsp_names.h"
#include <jansson.h>

typedef struct lsp_doc {
  ctx *c;
  char *uri;
  str text;
  VEC(uint32_t) lines; /* the byte with which each begins */
  tree *tree;          /* of what is not wrong; NULL: of nothing */
  lsp_names names;
  size_t seen_line, seen_byte, seen_unit; /* the place that was asked for last */
} lsp_doc;

typedef struct lsp {
  ctx *c;
  VEC(lsp_doc *) docs;
  bool begun, shut, ended; /* initialize, shutdown, exit have come */
  const char *why; /* why a request has no answer; NULL: its parameters are wrong */
} lsp;

/* ── lsp_text.c ── */

lsp_doc *lsp_doc_new(ctx *c, const char *uri); /* NULL: WS FULL */
void lsp_doc_free(lsp_doc *d);
/* The text becomes another one, wholly or in the range that the change names. False: it names none, or WS FULL. */
bool lsp_doc_change(lsp_doc *d, json_t *change);
/* Reads the text anew: its tree, its names; *errors is an array of diagnostics. */
bool lsp_doc_read(lsp_doc *d, json_t **errors);
unsigned lsp_as(const lsp_doc *d); /* TEXT_…, by its name */
size_t lsp_byte(const lsp_doc *d, json_t *position);
json_t *lsp_range(lsp_doc *d, size_t begin, size_t end);
/* The line with byte `at`, without what ends it: from *begin to what is returned. */
size_t lsp_line(const lsp_doc *d, size_t at, size_t *begin);
/* Line and UTF-16 unit of a byte. */
void lsp_place(lsp_doc *d, size_t byte, size_t *line, size_t *unit);
size_t lsp_units(const char *text, size_t n);

/* ── lsp_answer.c ── */

/* The answer to a request, a new reference; NULL: an error. */
typedef json_t *lsp_answer(lsp *l, json_t *params);
lsp_answer lsp_hover, lsp_complete, lsp_define, lsp_refer, lsp_highlight, lsp_rename,
    lsp_can_rename, lsp_outline, lsp_format, lsp_colour;
extern const char *const lsp_colours[]; /* the types of semantic tokens, up to a NULL */
/* The text that params.textDocument names; NULL: it is not open. */
lsp_doc *lsp_doc_of(const lsp *l, json_t *params);
#endif
