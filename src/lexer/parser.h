/* SPDX-License-Identifier: MIT */
/* parser.h - what the files of the parser share: parser.c, and parse_trad.c for traditional
 * functions and control structures. */
#ifndef VAPL_PARSER_H
#define VAPL_PARSER_H
#include "token.h"
#include "tree.h"

enum { NEXT_LINE = '\n', DIAMOND = 0x22C4, DEL = 0x2207, DEL_LOCK = 0x236B };

typedef struct parser {
  ctx *c;
  source *src;
  arena *mem;
  lexer lx;
  token t;            /* the token to be parsed */
  VEC(tnode *) stack; /* items and statements of all open brackets */
  VEC(tnum) nums;     /* of the strand of numbers being read */
  int depth, scripts; /* brackets and namespaces, and namespaces, that are open */
  bool commands;      /* lines may be commands of the session */
  uint32_t tokens;    /* that were read: it is looked now and then whether to go on */
  uint8_t *dop;       /* of the innermost open dfn, else NULL */
} parser;

/* Records an error with its place; always false. */
bool parse_fail(parser *p, int code, uint32_t begin, uint32_t end, const char *fmt, ...)
    PRINTF_LIKE(5, 6);
bool parse_advance(parser *p);
tnode *parse_node(parser *p, tkind kind, token t);
bool parse_push(parser *p, tnode *n);
/* What lies on the stack above `from` becomes the kids of n. */
bool parse_take_kids(parser *p, tnode *n, size_t from);
bool parse_descend(parser *p); /* one more open bracket or script, at whose token it is */
bool parse_at(const parser *p, uint32_t code); /* a token of punctuation? */
bool parse_at_separator(const parser *p);      /* ⋄ or a line's end? */
bool parse_stmt(parser *p, tnode **out);       /* *out is NULL where there is none */
bool parse_body(parser *p, bool in_dfn);       /* statements, which are pushed */

/* parse_trad.c: what begins at the current token is pushed. */
bool parse_at_del(const parser *p);  /* ∇ alone? */
bool parse_at_word(const parser *p); /* a control word? */
/* Does one of the words, lower case and NULL behind the last, begin the text? */
bool parse_begins_with(const char *at, size_t n, const char *const *words);
bool parse_is_heading(const char *at, size_t n); /* a heading's? */
/* A statement cannot start with the colon at the current token: says why. Always false. */
bool parse_refuse_colon(parser *p, bool in_dfn);
bool parse_at_heading(const parser *p); /* :Section and its kin, which mean nothing? */
bool parse_skip_line(parser *p);  /* behind a heading: the rest of the line is any text */
bool parse_trad(parser *p);       /* ∇ header … ∇ */
bool parse_control(parser *p);    /* a control structure, up to its end */
bool parse_definition(parser *p); /* a text: a definition without ∇, or any other one */
/* At :Namespace, :Class …: 1 + its SCRIPT_…; at its end less than 0; else 0. */
int parse_script_word(const parser *p);
/* parse_script.c */
bool parse_script(parser *p); /* up to its end; is pushed */
bool parse_at_declaration(const parser *p);
bool parse_at_require(const parser *p);
tnode *parse_declaration(parser *p);                  /* not pushed; NULL: an error */
bool parse_is_word(const tnode *t, const char *word); /* a name, in any case? */
/* How many definitions and control structures a text leaves open: told token by token. */
typedef struct open_blocks {
  int depth;
  bool del, starts, colon, label; /* starts: a statement may begin */
} open_blocks;
/* May t begin the editing of a function? */
bool open_blocks_edit(const open_blocks *o, const token *t);
bool open_blocks_see(open_blocks *o, const char *text, const token *t);
#endif
