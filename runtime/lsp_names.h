/* SPDX-License-Identifier: MIT */
/* lsp_names.h - the names of a program: where each is defined, where it is used, which are the same. */
#ifndef VAPL_LSP_NAMES_H
#define VAPL_LSP_NAMES_H
#include "../src/lexer/tree.h"

#define NO_NAME UINT32_MAX

typedef enum lsp_kind {
  NAME_UNKNOWN, /* it is used, but not defined in this text */
  NAME_ARRAY,
  NAME_FUNCTION,
  NAME_OPERATOR,
  NAME_SPACE,
  NAME_LOCAL, /* an argument, result or local name of a function of lines */
} lsp_kind;

typedef struct lsp_symbol {
  const char *text; /* in the tree */
  lsp_kind kind;
  uint32_t scope;
  uint32_t inner;                /* of a namespace: the scope of its members */
  uint32_t begin, end;           /* what defines it; of NAME_UNKNOWN its first use */
  uint32_t name_begin, name_end; /* its name in there */
} lsp_symbol;

typedef struct lsp_use {
  uint32_t begin, end, symbol;
  bool defines;
} lsp_use;

typedef enum lsp_scope_kind {
  SCOPE_TEXT,
  SCOPE_SPACE,
  SCOPE_TRAD,
  SCOPE_DFN
} lsp_scope_kind;
typedef struct lsp_scope {
  lsp_scope_kind kind;
  uint32_t around, begin, end;
} lsp_scope;

typedef struct lsp_names {
  ctx *c;
  VEC(lsp_symbol) symbols;
  VEC(lsp_use) uses; /* in the order of the text, each place once */
  VEC(lsp_scope) scopes;
  VEC(uint32_t) table; /* of symbols by scope and text: 1 + which; 0: free */
  uint32_t in;         /* the scope that is walked */
  uint32_t entered;    /* scopes so far in this walk */
  bool resolving;      /* the second walk, in which all definitions are known */
} lsp_names;

bool lsp_names_read(lsp_names *k, const tree *t);
void lsp_names_free(lsp_names *k);
/* The use of a name that has, or ends at, the byte; NULL: there is none. */
const lsp_use *lsp_names_at(const lsp_names *k, uint32_t at);
/* The innermost scope around the byte. */
uint32_t lsp_names_scope(const lsp_names *k, uint32_t at);
/* The symbol that the text is in the scope, or in one around it; NO_NAME. */
uint32_t lsp_names_find(const lsp_names *k, uint32_t scope, const char *text);
#endif
