/* SPDX-License-Identifier: MIT */
/* reference.c - the language reference in Markdown (docs/primitives.md), from the tables that
 * the program itself reads, so that they cannot disagree; the examples of help.def are run by
 * the tests as the page is. `reference --commands`: the commands of the session as docs/vapl.1
 * has them. */
#include "src/eval/system/command.h"
#include "src/base/utf8.h"
#include "src/eval/value/sysname.h"
#include "src/tables/help.h"
#include "src/tables/oper.h"
#include "src/tables/prim.h"
#include <stdio.h>
#include <string.h>

typedef struct help {
  prim p;
  const char *monadic, *dyadic;
} help;
static const help helps[] = {
#define HELP(id, monadic, dyadic) {P_##id, monadic, dyadic},
#include "src/tables/prim.def"
};
typedef struct ident {
  prim p;
  const char *value;
} ident;
static const ident idents[] = {
#define IDENT(id, value) {P_##id, #value},
#include "src/tables/prim.def"
};
static const help *help_of(prim p) {
  for (size_t i = 0; i < ARRAY_LEN(helps); i++)
    if (helps[i].p == p) return &helps[i];
  return NULL;
}

static const char *ident_of(prim p) {
  for (size_t i = 0; i < ARRAY_LEN(idents); i++)
    if (idents[i].p == p) return idents[i].value;
  return "";
}

/* A text inside a table, which | would end. */
static void put_text(const char *s) {
  for (; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
}

/* A C number as APL writes it. */
static void put_number(const char *s) {
  for (; *s; s++)
    if (*s == '-') fputs("¯", stdout);
    else putchar(*s == 'e' ? 'E' : *s);
}

static void put_form(const char *name, const char *text) {
  printf(" **%s**%s", name, text && *text ? ": " : "");
  put_text(text ? text : "");
}

/* ── examples ───────────────────────────────────────────────────────────────────────── */

typedef enum section { FUNCTIONS, OPERATORS, SYNTAX, NAMES, COMMANDS } section;

static section section_of(const char *key) {
  if (strchr(")]", *key)) return COMMANDS;
  if (help_sign_of(key)) return SYNTAX;
  for (size_t i = 0; oper_at_row(i); i++)
    if (!strcmp(oper_at_row(i)->glyph, key) && *oper_at_row(i)->help) return OPERATORS;
  for (int p = 0; p < P_COUNT; p++)
    if (!strcmp(prim_table[p].glyph, key)) return FUNCTIONS;
  return NAMES;
}

/* One line of tests/lang: the text, and what it shows, lines joined by ⏎. */
static void put_example(const char *text, const char *result) {
  if (!help_runs(result)) {
    printf("⍝ %s\n", text);
    return;
  }
  printf("%s", text);
  if (help_compares(result)) {
    for (size_t n = utf8_count(text, strlen(text)); n < 32; n++) putchar(' ');
    if (*result == '!') printf("  ⍝ %s", result);
    else printf("  ⍝ →%s", *result ? " " : "");
  }
  for (const char *p = result; help_compares(result) && *result != '!' && *p; p++)
    if (*p == '\n') fputs(" ⏎ ", stdout);
    else putchar(*p);
  putchar('\n');
}

static void examples(section of) {
  printf("\n```apl\n");
  for (size_t i = 0; help_at(i); i++) {
    const help_topic *t = help_at(i);
    for (size_t k = 0; section_of(t->key) == of && t->examples[k]; k += 2)
      put_example(t->examples[k], t->examples[k + 1]);
  }
  printf("```\n");
}

static void operators(void) {
  printf("\n# The primitive operators\n\nMade from the table `src/tables/oper.def`. "
         "`f` and `g` are functions, `a` an array, `x` and `y` arguments.\n\n"
         "| | | |\n|---|---|---|\n");
  for (size_t i = 0; oper_at_row(i); i++) {
    const oper_row *op = oper_at_row(i);
    if (!*op->help) continue;
    printf("| `%s` | **%s** | ", op->glyph, op->name);
    put_text(op->help);
    printf(" |\n");
  }
  examples(OPERATORS);
}

static void row_of(const char *name, const char *args, const char *text) {
  printf("| `%s%s` | ", name, args);
  put_text(text);
  printf(" |\n");
}

static void syntax(void) {
  printf("\n# Syntax\n\n| | |\n|---|---|\n");
  for (size_t i = 0; help_sign_at(i); i++)
    row_of(help_sign_at(i)->key, "", help_sign_at(i)->help);
  examples(SYNTAX);
}

static void names(void) {
  printf("\n# The ⎕-names\n\nMade from the table `src/tables/sysname.def`.\n\n| | "
         "|\n|---|---|\n");
  for (int i = 0; sys_name(i); i++) row_of(sys_name(i), "", sys_help(i));
  examples(NAMES);
}

static void commands(void) {
  printf("\n# The commands of the session\n\n| | |\n|---|---|\n");
  for (size_t i = 0; command_at(i); i++)
    row_of(command_at(i)->name, command_at(i)->args, command_at(i)->help);
  examples(COMMANDS);
}

/* In the language of manual pages. */
static void put_roff(const char *text) {
  for (; *text; text++)
    if (*text == '-') fputs("\\-", stdout);
    else putchar(*text);
}

static void commands_of_man(void) {
  for (size_t i = 0; command_at(i); i++) {
    const command_row *k = command_at(i);
    printf(".TP\n.B %s", k->name);
    put_roff(k->args);
    putchar('\n');
    put_roff(k->help);
    putchar('\n');
  }
}

static void functions(void) {
  printf("# The primitive functions\n\nMade from the tables in `src/tables` by "
         "`make docs/primitives.md`, as `]help` is; the tests run the examples.\n\n"
         "| | monadic | dyadic | identity |\n|---|---|---|---|\n");
  for (int p = 0; p < P_COUNT; p++) {
    const help *h = help_of((prim)p);
    bool m = prim_has((prim)p, false), d = prim_has((prim)p, true);
    if (!m && !d) continue;
    printf("| `");
    put_text(prim_table[p].glyph);
    printf("` |");
    if (m) put_form(prim_table[p].monadic, h ? h->monadic : NULL);
    printf(" |");
    if (d) put_form(prim_table[p].dyadic, h ? h->dyadic : NULL);
    printf(" | ");
    put_number(ident_of((prim)p));
    printf(" |\n");
  }
  examples(FUNCTIONS);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--commands")) {
    commands_of_man();
    return 0;
  }
  functions();
  operators();
  syntax();
  names();
  commands();
  return 0;
}
