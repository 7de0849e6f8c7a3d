/* SPDX-License-Identifier: MIT */
/* token.h - text to tokens (lexer.c), for the parser, the REPL and VAPL_DUMP=tokens. */
#ifndef VAPL_TOKEN_H
#define VAPL_TOKEN_H
#include "../base/ctx.h"

typedef enum tok {
  TOK_END,
  TOK_ERROR,
  TOK_NUMBER,
  TOK_STRING,
  TOK_NAME,
  TOK_SYSNAME,
  TOK_GREEK,
  TOK_PRIM,
  TOK_OPER,
  TOK_PUNCT,   /* ( ) [ ] { } ; : :: (code ∷) ⋄ ← → ⍬ # . newline: code */
  TOK_COMMENT, /* only with keep_comments */
} tok;

typedef struct token {
  tok kind;
  uint32_t code, begin, end; /* bytes [begin, end) of the text */
  bool after_blank;
} token;

typedef struct lexer {
  ctx *c; /* NULL: errors are reported by TOK_ERROR alone */
  const char *text;
  size_t len, at;
  bool keep_comments;
} lexer;

/* The next token; TOK_ERROR after recording SYNTAX ERROR (open quote, stray character). */
token lex_next(lexer *l);

/* Bytes of a text of n bytes that a message shows: at most 40, and only whole characters. */
size_t lex_shown(const char *text, size_t n);
#endif
