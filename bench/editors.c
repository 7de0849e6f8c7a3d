/* SPDX-License-Identifier: MIT */
/* editors.c - what editors know of the language, from the tables: `make editors`.
 *
 *   editors vim        editors/vim/syntax/vapl.vim
 *   editors keys       editors/vim/ftplugin/vapl.vim
 *   editors grammar    editors/vscode/syntaxes/vapl.tmLanguage.json
 *   editors snippets   editors/vscode/snippets/vapl.json
 *   editors glyphs     editors/tree-sitter/glyphs.json
 *
 * Functions are prim.def's, operators oper.def's, ⎕-names sysname.def's, keys glyphs.def's,
 * commands help.def's. The test is that the files in the tree are what this prints, and that
 * VS Code's own engine finds the tokens with it that the lexer finds (tests/grammar.js). */
#include "src/eval/value/sysname.h"
#include "src/lexer/tree.h"
#include "src/tables/glyphs.h"
#include "src/tables/help.h"
#include "src/tables/oper.h"
#include "src/tables/prim.h"
#include <stdio.h>
#include <string.h>

static const char number[] = "(\\d+\\.?\\d*|\\.\\d+)([Ee]¯?\\d+)?";
static const char marks[] = "←→⋄◊∇⍫⍺⍵αω⍬#:";
static const char look_alikes[] =
    "^∈∣∼⋆∗−εϵιρ"; /* as the lexer has them: ∧ ∊ | ~ * * - ∊ ∊ ⍳ ⍴ */
/* The lexer's letters. */
static const char letters[] = "A-Za-z_∆⍙À-ÖØ-Ýß-öø-üþⒶ-Ⓩ";

/* ── lists that stand in both ───────────────────────────────────────────────────────── */

/* In a class of characters these mean something else, with an escape that is one or two
 * backslashes: JSON has its own. */
static void put_in_class(const char *glyph, const char *escape) {
  if (strchr("]^-\\/[", *glyph)) fputs(escape, stdout);
  if (*glyph == '\\' && strlen(escape) > 1) fputs("\\", stdout);
  fputs(glyph, stdout);
}

static void functions(const char *escape) {
  const char *last = "";
  for (int p = 0; p < P_COUNT; p++) {
    const char *glyph = prim_table[p].glyph;
    bool any = prim_has((prim)p, false) || prim_has((prim)p, true);
    if (!any || !strcmp(glyph, last)) continue; /* the codes of ○ are rows of their own */
    put_in_class(glyph, escape);
    last = glyph;
  }
  put_in_class("^", escape);
  printf("⍎%s", look_alikes + strlen("^"));
}

static bool is_one_character(const char *s) {
  if (*s > 0) return !s[1];
  for (s++; (*s & 0xC0) == 0x80; s++) {}
  return !*s;
}

static void operators(const char *escape) {
  for (size_t i = 0; oper_at_row(i); i++)
    if (is_one_character(oper_at_row(i)->glyph))
      put_in_class(oper_at_row(i)->glyph, escape);
}

static void sysnames(void) {
  const char *before = "";
  for (int i = 0; sys_name(i); i++) {
    const char *word = sys_name(i) + strlen("⎕");
    if (!*word || strncmp(sys_name(i), "⎕", strlen("⎕"))) continue;
    printf("%s%s", before, word);
    before = "|";
  }
}

static void commands(void) {
  const char *before = "";
  for (size_t i = 0; help_at(i); i++) {
    if (!strchr(")]", *help_at(i)->key)) continue;
    printf("%s%s", before, help_at(i)->key + 1);
    before = "|";
  }
}

/* ── Vim ────────────────────────────────────────────────────────────────────────────── */

static const char made[] = "made from vapl's tables by `make editors`";

static void vim(void) {
  printf("\" Syntax of vapl's APL, %s.\n"
         "if exists('b:current_syntax') | finish | endif\n"
         "syntax case match\n",
         made);
  printf("syntax match vaplName /[%s][%s0-9]*/\n", letters, letters);
  printf("syntax match vaplFunction /[");
  functions("\\");
  printf("]/\nsyntax match vaplOperator /[");
  operators("\\");
  printf("]\\|∘\\./\n");
  printf("syntax match vaplNumber /\\v¯?%s([Jj]¯?%s)?/\n", number, number);
  printf("syntax match vaplMark /[%s]\\|⍺⍺\\|⍵⍵\\|∇∇/\n", marks);
  printf("syntax match vaplUnknown /⎕\\a[%s0-9]*/\n", letters);
  printf("syntax match vaplSystem /\\v\\c⎕(");
  sysnames();
  printf(")[%s0-9]@!|⎕[%s]@!|⍞/\n", letters, letters);
  printf("syntax region vaplString start=/'/ end=/'/ oneline\n"
         "syntax region vaplString start=/\"/ end=/\"/ oneline\n"
         "syntax match vaplCommand /\\v\\c^\\s*[\\])](");
  commands();
  printf(")[%s0-9]@!.*/ contains=vaplString,vaplComment\n"
         "syntax match vaplComment /⍝.*/ contains=@Spell\n"
         "syntax match vaplComment /\\%%1l^#!.*/\n",
         letters);
  static const char *const links[][2] = {
      {"Number", "Number"},  {"Function", "Function"}, {"Operator", "Operator"},
      {"Mark", "Statement"}, {"Unknown", "Error"},     {"System", "Identifier"},
      {"String", "String"},  {"Command", "PreProc"},   {"Comment", "Comment"},
      {"Name", "Normal"}};
  for (size_t i = 0; i < ARRAY_LEN(links); i++)
    printf("highlight default link vapl%s %s\n", links[i][0], links[i][1]);
  printf("let b:current_syntax = 'vapl'\n");
}

static const char *vim_key(char key) {
  static char text[2];
  if (key == '|') return "<Bar>";
  if (key == '<') return "<lt>";
  if (key == '\\') return "<Bslash>";
  text[0] = key;
  return text;
}

static void vim_keys(void) {
  printf("\" Keys for glyphs: the prefix ` and then a key; %s.\n"
         "if exists('b:did_ftplugin') | finish | endif\n"
         "let b:did_ftplugin = 1\n"
         "setlocal commentstring=⍝\\ %%s comments=:⍝ matchpairs=(:),[:],{:}\n"
         "setlocal makeprg=vapl\\ --check\\ %%:S errorformat=%%f:%%l:%%v:\\ %%m\n"
         "let b:undo_ftplugin = 'setlocal commentstring< comments< matchpairs< makeprg< "
         "errorformat<'\n"
         "if exists('g:vapl_no_keys') | finish | endif\n",
         made);
  for (int i = 0; i < glyph_count; i++) {
    const char *glyph = glyph_table[i].glyph;
    if (!strcmp(glyph, "|")) glyph = "<Bar>";
    printf("inoremap <buffer> `%s %s\n", vim_key(glyph_table[i].key), glyph);
  }
}

/* ── Visual Studio Code ─────────────────────────────────────────────────────────────── */

/* A pattern as JSON writes it. */
static void put_pattern(const char *pattern) {
  for (; *pattern; pattern++) {
    if (strchr("\\\"", *pattern)) putchar('\\');
    putchar(*pattern);
  }
}

static void open_rule(const char *scope) {
  printf("    {\"name\": \"%s.vapl\", \"match\": \"", scope);
}

static void rule(const char *scope, const char *pattern) {
  open_rule(scope);
  put_pattern(pattern);
  printf("\"},\n");
}

/* Words in any case of letters, and behind them no letter or digit. */
static void words(const char *before, void (*put)(void), const char *after) {
  put_pattern(before);
  printf("(?i:");
  put();
  printf(")(?![%s\\\\d])", letters);
  put_pattern(after);
}

static void put_number(const char *before, const char *after) {
  printf("%s¯?", before);
  put_pattern(number);
  printf("([Jj]¯?");
  put_pattern(number);
  printf(")?%s", after);
}

static void grammar(void) {
  printf("{\n  \"information_for_contributors\": \"%s\",\n"
         "  \"name\": \"vapl\",\n  \"scopeName\": \"source.vapl\",\n  \"patterns\": [\n"
         "    {\"name\": \"meta.preprocessor.vapl\", \"begin\": \"",
         made);
  words("^\\s*[\\])]", commands, "");
  printf("\", \"end\": \"$\",\n      \"patterns\": [{\"include\": \"#text\"}]},\n"
         "    {\"include\": \"#text\"},\n");
  open_rule("support.function");
  words("⎕", sysnames, "|⎕(?![");
  printf("%s])|⍞\"},\n", letters);
  open_rule("invalid.illegal");
  printf("⎕[%s\\\\d]+\"},\n", letters);
  open_rule("invalid.illegal"); /* 1E, 5EJ; but 2each is two tokens */
  put_number("(?>", ")(?=[EeJj])[EeJj\\\\d.¯]+(?!");
  printf("[%s])\"},\n", letters);
  open_rule("constant.numeric");
  put_number("", "\"},\n");
  open_rule("keyword.control");
  printf("⍺⍺|⍵⍵|∇∇|[%s]\"},\n", marks);
  open_rule("keyword.operator");
  printf("∘\\\\.|[");
  operators("\\\\");
  printf("]\"},\n");
  open_rule("entity.name.function");
  printf("[");
  functions("\\\\");
  printf("]\"},\n");
  open_rule("variable.other");
  printf("[%s][%s\\\\d]*\"},\n", letters, letters);
  open_rule("invalid.illegal"); /* but the prefix, which is typed before a key */
  put_pattern("[^\\s(){}\\[\\];`]");
  printf("\"}\n  ],\n  \"repository\": {\"text\": {\"patterns\": [\n");
  rule("comment.line", "⍝.*|\\A#!.*");
  rule("string.quoted.single", "'([^']|'')*'");
  rule("string.quoted.double", "\"([^\"]|\"\")*\"");
  open_rule("invalid.illegal.unclosed");
  put_pattern("['\"].*");
  printf("\"}\n  ]}}\n}\n");
}

static void snippets(void) {
  printf("{\n");
  const char *between = "";
  for (int i = 0; i < glyph_count; i++) {
    const glyph_row *g = &glyph_table[i];
    const char *escape = "";
    if (strchr("\"\\", g->key)) escape = "\\";
    printf("%s  \"%s %s\": {\"prefix\": [\"`%s%c\", \"%s\"], \"body\": \"%s\"}", between,
           g->glyph, g->name, escape, g->key, g->name, g->glyph);
    between = ",\n";
  }
  printf("\n");
  printf("}\n");
}

/* ── tree-sitter ────────────────────────────────────────────────────────────────────── */

static void glyphs(void) {
  printf("{\n  \"made\": \"%s\",\n  \"letters\": \"%s\",\n  \"functions\": \"[", made,
         letters);
  functions("\\\\");
  printf("]\",\n  \"operators\": \"[");
  operators("\\\\");
  printf("]\",\n  \"system_names\": \"");
  sysnames();
  printf("\",\n  \"control_words\": \"");
  for (size_t i = 0; parse_control_word(i); i++)
    printf("%s%s", i ? "|" : "", parse_control_word(i));
  printf("\"\n}\n");
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(void);
  } files[] = {{"vim", vim},
               {"keys", vim_keys},
               {"grammar", grammar},
               {"snippets", snippets},
               {"glyphs", glyphs}};
  for (size_t i = 0; i < ARRAY_LEN(files); i++) {
    if (argc != 2 || strcmp(argv[1], files[i].name)) continue;
    files[i].print();
    return 0;
  }
  fprintf(stderr, "usage: editors vim|keys|grammar|snippets|glyphs\n");
  return 2;
}
