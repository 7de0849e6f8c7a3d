/* SPDX-License-Identifier: MIT */
/* check.h - all syntax errors of a text, for vapl --check and vapl lsp. */
#ifndef VAPL_CHECK_H
#define VAPL_CHECK_H
#include "../src/lexer/tree.h"

typedef struct check {
  ctx *c;
  const char *name;
  char *text; /* wrong lines become blanks */
  size_t n;
  unsigned as; /* TEXT_…: check_as */
  /* Called for each error, which is at the bytes from begin to end of the text. */
  void (*each)(const struct check *k, const err *e, size_t begin, size_t end);
  void *user;
  int errors;
} check;

unsigned check_as(const char *path); /* what a file may be, by its name */
tree *check_text(check *k); /* of what is left of the text; NULL: it is not parsed */
#endif
