/* SPDX-License-Identifier: MIT */
/* coverage.c - what the table of primitives says, printed: primitive × type × {kernel, host:
 * why} (`make coverage`), or with --reference the language reference's tables in Markdown
 * (docs/primitives.md). Both come from prim.def and oper.def, so they cannot disagree with the
 * program. */
#include "src/host/host.h"
#include "src/kir/lower.h"
#include "src/prim/direct.h"
#include "src/tables/oper.h"
#include "src/base/utf8.h"
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
typedef struct structural {
  prim p;
  bool dyadic;
  const char *device, *note;
} structural;
static const structural structurals[] = {
#define STRUCT1(id, function, device, note) {P_##id, false, #device, note},
#define STRUCT2(id, function, device, note) {P_##id, true, #device, note},
#include "src/tables/prim.def"
};
typedef struct fold {
  prim p;
  cls on;
} fold;
static const fold folds[] = {
#define FOLD(id, class, monoid, result, over) {P_##id, CLS_##class},
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

static const structural *struct_of(prim p, bool dyadic) {
  for (size_t i = 0; i < ARRAY_LEN(structurals); i++)
    if (structurals[i].p == p && structurals[i].dyadic == dyadic) return &structurals[i];
  return NULL;
}

static bool folds_on(prim p, cls on) {
  for (size_t i = 0; i < ARRAY_LEN(folds); i++)
    if (folds[i].p == p && folds[i].on >= on) return true;
  return false;
}

/* One cell: does a kernel serve p on this class? */
static const char *scalar_cell(prim p, bool dyadic, cls on) {
  return prim_row_of(p, dyadic, on) ? "kernel" : prim_is_scalar(p, dyadic) ? "host" : "-";
}

/* The first n bytes of s and blanks up to `wide` columns: printf would count bytes. */
static void put_cell(const char *s, size_t n, size_t wide) {
  size_t columns = utf8_count(s, n);
  printf("%.*s%*s", (int)n, s, columns < wide ? (int)(wide - columns) : 0, "");
}

static void coverage(void) {
  printf("%-4s %-8s %-8s %-8s %-8s  %s\n", "", "valence", "bit", "integer", "float",
         "structural");
  for (int p = 0; p < P_COUNT; p++)
    for (int d = 0; d < 2; d++) {
      if (!prim_has((prim)p, d)) continue;
      const structural *s = struct_of((prim)p, d);
      bool code =
          p >= P_CO_SIN && p <= P_EXP_I; /* circle.def: the name begins with the code */
      const char *glyph = code ? prim_table[p].monadic : prim_table[p].glyph;
      put_cell(glyph, strcspn(glyph, " "), 5);
      printf("%-8s %-8s %-8s %-8s%s%s%s%s\n", d ? "dyadic" : "monadic",
             scalar_cell((prim)p, d, CLS_B), scalar_cell((prim)p, d, CLS_I),
             scalar_cell((prim)p, d, CLS_F), s ? "  " : "", s ? s->device : "",
             s && s->note[0] ? ": " : "", s ? s->note : "");
    }
  printf("\nfolds / and \\ along any axis by a kernel (other functions: host)\n");
  for (int p = 0; p < P_COUNT; p++)
    if (folds_on((prim)p, CLS_B)) {
      put_cell(prim_table[p].glyph, strlen(prim_table[p].glyph), 4);
      printf("bit %s  integer %s  float %s\n",
             folds_on((prim)p, CLS_B) ? "kernel" : "host",
             folds_on((prim)p, CLS_I) ? "kernel" : "host",
             folds_on((prim)p, CLS_F) ? "kernel" : "host");
    }
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

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--reference")) {
    functions();
    operators();
  } else coverage();
  return 0;
}
