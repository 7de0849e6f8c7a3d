/* SPDX-License-Identifier: MIT */
/* dump.c - VAPL_DUMP: what each stage makes of a text, on stderr.
 *
 * VAPL_DUMP holds words out of: tokens ast graph kernels spirv, separated by anything. The
 * first two are made here, from the lexer and the parser, before the text runs; the others
 * come from the graph's sink as it works, each marked by the letter of its stage. SPIR-V is
 * printed as words in hexadecimal, which `xxd -r -p` turns into a module for spirv-dis. */
#include "terminal.h"
#include "session.h"
#include "../src/lexer/token.h"
#include <stdio.h>
#include <string.h>

static const char *const stages[] = {"tokens", "ast", "graph", "kernels", "spirv"};
enum {
  TOKENS = 1,
  AST = 2,
  FROM_GRAPH = 2 /* the first stage that the graph's sink gives */
};

unsigned dump_flags(const char *words) {
  unsigned flags = 0;
  for (unsigned i = 0; words && i < ARRAY_LEN(stages); i++)
    if (strstr(words, stages[i])) flags |= 1u << i;
  return flags;
}

static const char *token_kind(tok kind) {
  static const char *const names[] = {
      [TOK_END] = "end",       [TOK_ERROR] = "error",    [TOK_NUMBER] = "number",
      [TOK_STRING] = "string", [TOK_NAME] = "name",      [TOK_SYSNAME] = "sysname",
      [TOK_GREEK] = "greek",   [TOK_PRIM] = "prim",      [TOK_OPER] = "oper",
      [TOK_PUNCT] = "punct",   [TOK_COMMENT] = "comment"};
  return (size_t)kind < ARRAY_LEN(names) ? names[kind] : "?";
}

static void dump_tokens(const char *text, size_t n) {
  ctx c; /* its own: the error of a bad token is the parser's to report */
  ctx_init(&c, NULL, NULL);
  lexer l = {.c = &c, .text = text, .len = n, .keep_comments = true};
  for (;;) {
    token t = lex_next(&l);
    if (t.kind == TOK_END) break;
    int shown = (int)(t.end - t.begin);
    const char *at = text + t.begin;
    if (t.kind == TOK_PUNCT && t.code == '\n') {
      shown = 2;
      at = "\\n";
    }
    terminal_print(stderr, "%5u %-8s %.*s\n", (unsigned)t.begin, token_kind(t.kind),
                   shown, at);
    if (t.kind == TOK_ERROR) break;
  }
  err_clear(&c);
  ctx_close(&c);
}

/* A text on stderr, on a line of its own. */
static void print_line(const char *text, size_t n) {
  terminal_print(stderr, "%s", text);
  if (n && text[n - 1] != '\n') fputc('\n', stderr);
}

static void dump_ast(session *s, const char *name, const char *text, size_t n) {
  OWNED_STR str out = {.c = &s->c};
  source *src = source_new(&s->c, name, text, n);
  tree *t = NULL;
  if (src) t = parse_as(&s->c, src, TEXT_COMMANDS);
  if (t) tree_dump(t->root, &out);
  if (out.at && !out.failed) print_line(out.at, out.n);
  tree_release(&s->c, t);
  source_release(&s->c, src);
  err_clear(&s->c);
}

void dump_text(session *s, const char *name, const char *text, size_t n) {
  if (s->dump & TOKENS) dump_tokens(text, n);
  if (s->dump & AST) dump_ast(s, name, text, n);
}

/* Words in hexadecimal, their bytes in memory order, eight to a line. */
static void print_words(const uint32_t *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (int byte = 0; byte < 4; byte++)
      fprintf(stderr, "%02x", (unsigned)(words[i] >> (8 * byte) & 255));
    if (i % 8 == 7 || i + 1 == n) fputc('\n', stderr);
  }
}

static void on_stage(void *user, char stage, const char *text, const uint32_t *words,
                     size_t n) {
  const session *s = user;
  for (unsigned i = FROM_GRAPH; i < ARRAY_LEN(stages); i++)
    if (stages[i][0] == stage && !(s->dump >> i & 1)) return;
  if (text && !words) print_line(text, strlen(text));
  if (words) print_words(words, n);
}

void dump_attach(session *s) {
  if (s->dump >> FROM_GRAPH) ir_set_sink(vm_ir(s->m), on_stage, s);
}
