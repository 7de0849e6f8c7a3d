/* SPDX-License-Identifier: MIT */
/* tree.c - a tree's life, and the tree as text for VAPL_DUMP=ast.
 *
 * The dump is one S-expression per statement: an item that is one glyph or name stands for
 * itself, everything else is a list whose head says what it is. Floats are written with as
 * few digits as read back to the same double, with a point whatever the locale. */
#include <stdio.h>
#include <stdlib.h>
#include "tree.h"

void tree_release(ctx *c, tree *t) {
  if (!t) return;
  arena_free(&t->mem);
  source_release(c, t->src);
  mem_free(c, t);
}

static void dump_double(double d, str *s) {
  char buf[40];
  bool point = false;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buf, sizeof buf, "%.*g", digits, d);
    if (strtod(buf, NULL) == d) break;
  }
  for (const char *p = buf; *p; p++) {
    bool part = (*p >= '0' && *p <= '9') || *p == 'e' || *p == '+' || *p == '-';
    if (*p == '-') str_puts(s, "¯");
    else if (*p == 'e') str_puts(s, "E");
    else if (part && *p != '+') str_put(s, p, 1);
    else if (!part && !point) {
      str_puts(s, ".");
      point = true;
    }
  }
}

static void dump_number(const tnum *v, str *s) {
  if (v->kind == KIND_INT) {
    uint64_t size = (uint64_t)v->i;
    if (v->i < 0) {
      size = 0 - size;
      str_puts(s, "¯");
    }
    str_printf(s, "%llu", (unsigned long long)size);
    return;
  }
  dump_double(v->re, s);
  if (v->kind == KIND_FLOAT) return;
  str_puts(s, "J");
  dump_double(v->im, s);
}

static void dump_string(const tnode *t, str *s) {
  uint32_t quote = t->code;
  str_putc(s, quote);
  for (uint32_t i = 0; i < t->n; i++) {
    if (t->chars[i] == quote) str_putc(s, quote);
    str_putc(s, t->chars[i]);
  }
  str_putc(s, quote);
}

/* What a node with kids starts its list with; NULL for the others. */
static const char *head_of(const tnode *t) {
  static const char *const dfns[] = {"dfn", "dop1", "dop2"};
  switch ((tkind)t->kind) {
  case T_PAREN: return "paren";
  case T_BRACKET: return "index";
  case T_DFN: return dfns[t->dop];
  case T_VECTOR: return "vector";
  case T_MATRIX: return "matrix";
  case T_SPACE: return "space";
  case T_STMT: return "stmt";
  case T_GUARD: return "guard";
  case T_ERRGUARD: return "errguard";
  case T_PROGRAM: return "program";
  case T_SCRIPT: return "script";
  case T_DECLARE: return "declare";
  case T_COMMAND: return "command";
  default: return NULL;
  }
}

static void dump_numbers(const tnode *t, str *s) {
  if (t->n == 1) {
    dump_number(&t->num[0], s);
    return;
  }
  str_puts(s, "(num");
  for (uint32_t i = 0; i < t->n; i++) {
    str_puts(s, " ");
    dump_number(&t->num[i], s);
  }
  str_puts(s, ")");
}

static void dump_leaf(const tnode *t, str *s) {
  switch ((tkind)t->kind) {
  case T_NAME:
  case T_SYSNAME: str_put(s, t->text, t->n); break;
  case T_STRING: dump_string(t, s); break;
  case T_ALPHA2: str_puts(s, "⍺⍺"); break;
  case T_OMEGA2: str_puts(s, "⍵⍵"); break;
  case T_DEL2: str_puts(s, "∇∇"); break;
  case T_HASH: str_puts(s, t->n == 2 ? "##" : "#"); break;
  case T_DOT: str_puts(s, "(dot)"); break;
  case T_NUMBERS: dump_numbers(t, s); break;
  default: str_putc(s, t->code); break;
  }
}

/* t: NULL where a statement is elided. */
static void dump(const tnode *t, str *s) {
  if (!t) {
    str_puts(s, "()");
    return;
  }
  const char *head = head_of(t);
  if (!head) {
    dump_leaf(t, s);
    return;
  }
  str_printf(s, "(%s", head);
  for (uint32_t i = 0; i < t->n; i++) {
    str_puts(s, " ");
    dump(t->kid[i], s);
  }
  str_puts(s, ")");
}

void tree_dump(const tnode *t, str *s) {
  if (t->kind == T_PROGRAM) {
    for (uint32_t i = 0; i < t->n; i++) tree_dump(t->kid[i], s);
    return;
  }
  dump(t, s);
  str_puts(s, "\n");
}
