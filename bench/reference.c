/* SPDX-License-Identifier: MIT */
/* reference.c - the language reference's tables in Markdown (docs/primitives.md), from prim.def
 * and oper.def, so that they cannot disagree with the program. */
#include "src/tables/oper.h"
#include "src/tables/prim.h"
#include <stdio.h>

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
}

static void functions(void) {
  printf("# The primitive functions\n\nMade from the table `src/tables/prim.def` by "
         "`make docs/primitives.md`.\n\n"
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
}

int main(void) {
  functions();
  operators();
  return 0;
}
