/* SPDX-License-Identifier: MIT */
/* reference.c - the language reference in Markdown, from the tables that the program itself reads,
 * so that they cannot disagree; the examples of help.def are run by the tests as the pages are.
 *
 *   reference primitives|operators|names    docs/primitives.md, docs/operators.md, docs/names.md
 *   reference --commands                    the commands of the session, as docs/vapl.1 has them */
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

/* n bytes in which nothing is a sign of Markdown. */
static void put_plain(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) printf(strchr("\\`*_<[]|", s[i]) ? "\\%c" : "%c", s[i]);
}

static void put_code(const char *s, size_t n) {
  printf(memchr(s, '`', n) ? "`` %.*s ``" : "`%.*s`", (int)n, s);
}

/* A text of help: parts between "; ", each perhaps a form of APL, two blanks and what it means. */
static void put_help(const char *s) {
  for (const char *end; *s; s = end) {
    end = strstr(s, "; ");
    end = end ? end + 2 : s + strlen(s);
    const char *form = strstr(s, "  ");
    if (form && form < end) {
      put_code(s, (size_t)(form - s));
      s = form + 1;
    }
    put_plain(s, (size_t)(end - s));
  }
}

/* A C number as APL writes it. */
static void put_number(const char *s) {
  for (; *s; s++)
    if (*s == '-') fputs("¯", stdout);
    else putchar(*s == 'e' ? 'E' : *s);
}

/* ── examples ───────────────────────────────────────────────────────────────────────── */

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

/* A result of several lines stands as a session shows it, unless a line looks like one that is typed. */
static bool is_picture(const char *result) {
  return help_compares(result) && *result != '!' && strchr(result, '\n') &&
         strncmp(result, "      ", 6) && !strstr(result, "\n      ");
}

static void put_examples(const char *key) {
  const char *open = "";
  for (size_t i = 0; help_at(i); i++) {
    const help_topic *t = help_at(i);
    for (size_t k = 0; !strcmp(t->key, key) && t->examples[k]; k += 2) {
      const char *text = t->examples[k], *result = t->examples[k + 1];
      const char *block = is_picture(result) ? "session" : "apl";
      if (strcmp(block, open)) printf("%s\n```%s\n", *open ? "```\n" : "", block);
      open = block;
      if (is_picture(result))
        printf("      %s\n%s%s", text, result,
               result[strlen(result) - 1] == '\n' ? "" : "\n");
      else put_example(text, result);
    }
  }
  if (*open) printf("```\n");
}

/* A section about a glyph or a name. */
static void put_section(const char *key, const char *name, const char *args,
                        const char *text) {
  printf("\n### ");
  char whole[200];
  snprintf(whole, sizeof whole, "%s%s", key, args);
  put_code(whole, strlen(whole));
  printf("%s%s\n\n", *name ? " " : "", name);
  put_help(text);
  putchar('\n');
  put_examples(key);
}

/* ── the pages ──────────────────────────────────────────────────────────────────────── */

static const char *form_of(const help *h, bool dyadic) {
  const char *text = NULL;
  if (h) text = dyadic ? h->dyadic : h->monadic;
  return text && *text ? text : NULL;
}

static bool has_forms(prim p) { return prim_has(p, false) || prim_has(p, true); }

static void put_forms(prim p) {
  const help *h = help_of(p);
  for (int dyadic = 0; dyadic < 2; dyadic++) {
    if (!prim_has(p, dyadic)) continue;
    char form[64];
    int n = snprintf(form, sizeof form, "%s%sy", dyadic ? "x" : "", prim_table[p].glyph);
    printf("- ");
    put_code(form, (size_t)n);
    printf(" **%s**%s", dyadic ? prim_table[p].dyadic : prim_table[p].monadic,
           form_of(h, dyadic) ? ": " : "");
    put_help(form_of(h, dyadic) ? form_of(h, dyadic) : "");
    printf("\n");
  }
}

/* A section about a glyph; the rows behind its first one say what another setting makes of it. */
static void put_function(prim p) {
  const char *glyph = prim_table[p].glyph;
  bool m = prim_has(p, false), d = prim_has(p, true);
  printf("\n### ");
  put_code(glyph, strlen(glyph));
  printf(" %s%s%s\n\n", m ? prim_table[p].monadic : "", m && d ? ", " : "",
         d ? prim_table[p].dyadic : "");
  for (int q = (int)p; q < P_COUNT; q++)
    if (has_forms((prim)q) && !strcmp(prim_table[q].glyph, glyph)) put_forms((prim)q);
  if (*ident_of(p)) {
    printf("- identity: `%s/⍬` is ", glyph);
    put_number(ident_of(p));
    printf("\n");
  }
  put_examples(glyph);
}

static bool is_first(prim p) { /* of those with its glyph */
  for (int q = 0; q < (int)p; q++)
    if (has_forms((prim)q) && !strcmp(prim_table[q].glyph, prim_table[p].glyph))
      return false;
  return has_forms(p);
}

static void primitives(void) {
  printf("# The primitive functions\n\nEach glyph with its meaning for one argument, `f "
         "y`, and for two, `x f y`. "
         "Results of several lines are shown as a session shows them. This page is made "
         "by `make docs/primitives.md` from "
         "the tables in `src/tables`, from which `]help` is made, too. The tests run the "
         "examples: `⍝ →` stands before a "
         "result, `⍝ !` before an error.\n\n[Primitives in pictures](pictures.md) shows "
         "the most important ones. "
         "[Operators](operators.md) and syntax have a page, and so have "
         "[the ⎕-names and commands](names.md).\n\n## Functions\n");
  for (int p = 0; p < P_COUNT; p++)
    if (is_first((prim)p)) put_function((prim)p);
}

static void operators(void) {
  printf("# Operators and syntax\n\nAn operator makes a function of functions or arrays. "
         "`f` and `g` are functions, "
         "`a` an array, `x` and `y` arguments. This page is made by `make "
         "docs/primitives.md` from "
         "`src/tables/oper.def` and `src/tables/help.def`; the tests run the "
         "examples.\n\n## Operators\n");
  for (size_t i = 0; oper_at_row(i); i++)
    if (*oper_at_row(i)->help)
      put_section(oper_at_row(i)->glyph, oper_at_row(i)->name, "", oper_at_row(i)->help);
  printf("\n## Syntax\n");
  for (size_t i = 0; help_sign_at(i); i++) {
    const help_sign *s = help_sign_at(i);
    put_section(s->key, strcmp(s->key, s->name) ? s->name : "", "", s->help);
  }
}

static void names(void) {
  printf("# ⎕-names and commands\n\nThe names of the system, which begin with `⎕`, and "
         "the commands of a session, which "
         "begin with `)` or `]`. This page is made by `make docs/primitives.md` from "
         "`src/tables/sysname.def` and the table "
         "of commands; the tests run the examples.\n\n## ⎕-names\n");
  for (int i = 0; sys_name(i); i++) put_section(sys_name(i), "", "", sys_help(i));
  printf("\n## Commands of the session\n");
  for (size_t i = 0; command_at(i); i++)
    put_section(command_at(i)->name, "", command_at(i)->args, command_at(i)->help);
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

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*put)(void);
  } pages[] = {{"--commands", commands_of_man},
               {"primitives", primitives},
               {"operators", operators},
               {"names", names}};
  for (size_t i = 0; argc == 2 && i < ARRAY_LEN(pages); i++)
    if (!strcmp(argv[1], pages[i].name)) {
      pages[i].put();
      return 0;
    }
  fputs("usage: reference primitives|operators|names|--commands\n", stderr);
  return 2;
}
