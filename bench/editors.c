/* SPDX-License-Identifier: MIT */
/* editors.c - what editors know of the language, from the tables: `make editors`.
 *
 *   editors vim        editors/vim/syntax/vapl.vim
 *   editors keys       editors/vim/ftplugin/vapl.vim
 *   editors grammar    editors/vscode/syntaxes/vapl.tmLanguage.json
 *   editors snippets   editors/vscode/snippets/vapl.json
 *
 * Functions are prim.def's, operators oper.def's, ⎕-names sysname.def's, keys glyphs.def's. The
 * test is that the files in the tree are what this prints. */
#include "src/eval/value/sysname.h"
#include "src/tables/glyphs.h"
#include "src/tables/oper.h"
#include "src/tables/prim.h"
#include <stdio.h>
#include <string.h>

static const char number[] = "(\\d+\\.?\\d*|\\.\\d+)([Ee]¯?\\d+)?";
static const char marks[] = "←→⋄∇⍺⍵⍬#:";

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
  printf("⍎");
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

static void sysnames(const char *between) {
  const char *before = "";
  for (int i = 0; sys_name(i); i++) {
    const char *letters = sys_name(i) + strlen("⎕");
    if (!*letters || strncmp(sys_name(i), "⎕", strlen("⎕"))) continue;
    printf("%s%s", before, letters);
    before = between;
  }
}

/* ── Vim ────────────────────────────────────────────────────────────────────────────── */

static const char made[] = "made from vapl's tables by `make editors`";

static void vim(void) {
  printf("\" Syntax of vapl's APL, %s.\n"
         "if exists('b:current_syntax') | finish | endif\n"
         "syntax case match\n",
         made);
  printf("syntax match vaplName /\\v[[:alpha:]_∆⍙À-ÖØ-öø-ÿ][[:alnum:]_∆⍙À-ÖØ-öø-ÿ]*/\n");
  printf("syntax match vaplFunction /[");
  functions("\\");
  printf("]/\nsyntax match vaplOperator /[");
  operators("\\");
  printf("]\\|∘\\./\n");
  printf("syntax match vaplNumber /\\v¯?%s([Jj]¯?%s)?/\n", number, number);
  printf("syntax match vaplMark /[%s]\\|⍺⍺\\|⍵⍵\\|∇∇/\n", marks);
  printf("syntax match vaplUnknown /⎕\\a\\+/\n");
  printf("syntax match vaplSystem /\\v⎕(");
  sysnames("|");
  printf(")\\a@!|[⎕⍞]\\a@!/\n");
  printf("syntax region vaplString start=/'/ end=/'/ oneline\n"
         "syntax region vaplString start=/\"/ end=/\"/ oneline\n"
         "syntax match vaplCommand /^\\s*[\\])]\\a.*/\n"
         "syntax match vaplComment /⍝.*/ contains=@Spell\n"
         "syntax match vaplComment /\\%%1l^#!.*/\n");
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
         "let b:undo_ftplugin = 'setlocal commentstring< comments< matchpairs<'\n"
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

static void grammar(void) {
  printf("{\n  \"information_for_contributors\": \"%s\",\n"
         "  \"name\": \"vapl\",\n  \"scopeName\": \"source.vapl\",\n  \"patterns\": [\n",
         made);
  rule("comment.line", "⍝.*|\\A#!.*");
  rule("meta.preprocessor", "^\\s*[\\])][A-Za-z].*");
  rule("string.quoted.single", "'([^'\\n]|'')*'");
  rule("string.quoted.double", "\"([^\"\\n]|\"\")*\"");
  open_rule("support.function");
  printf("⎕(");
  sysnames("|");
  printf(")(?![A-Za-z])|[⎕⍞](?![A-Za-z])\"},\n");
  rule("invalid.illegal", "⎕[A-Za-z]+");
  open_rule("constant.numeric");
  printf("¯?");
  put_pattern(number);
  printf("([Jj]¯?");
  put_pattern(number);
  printf(")?\"},\n");
  rule("keyword.control", "⍺⍺|⍵⍵|∇∇|[←→⋄∇⍺⍵⍬#:]");
  open_rule("keyword.operator");
  printf("∘\\\\.|[");
  operators("\\\\");
  printf("]\"},\n");
  open_rule("entity.name.function");
  printf("[");
  functions("\\\\");
  printf("]\"},\n");
  printf("    {\"name\": \"variable.other.vapl\", \"match\": "
         "\"[\\\\p{L}_∆⍙][\\\\p{L}\\\\d_∆⍙]*\"}\n  ]\n}\n");
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

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(void);
  } files[] = {
      {"vim", vim}, {"keys", vim_keys}, {"grammar", grammar}, {"snippets", snippets}};
  for (size_t i = 0; i < ARRAY_LEN(files); i++) {
    if (argc != 2 || strcmp(argv[1], files[i].name)) continue;
    files[i].print();
    return 0;
  }
  fprintf(stderr, "usage: editors vim|keys|grammar|snippets\n");
  return 2;
}
