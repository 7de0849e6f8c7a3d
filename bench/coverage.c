/* SPDX-License-Identifier: MIT */
/* coverage.c - which functions have kernels: every primitive, and what operators and brackets
 * do, is run on arguments of some 100000 elements of each class, and the steps that were taken
 * are looked at (ir_watch). Nothing is believed: a cell says `kernel` where kernels alone did the
 * work, `host` where the host did some of it at once, with the reasons behind the cells, `free` where
 * there was no work, and nothing where the class has no such function.
 *
 *   coverage [--device WHICH]     the table of docs/coverage.md
 *
 * With no device named the host's threads run the kernels, and are asked for them wherever a
 * device would be; with one, a kernel that the host ran says so. */
#include "src/eval/eval.h"
#include <stdio.h>
#include <string.h>

/* ── arguments ── */

enum { CLASSES = 5 };
static const char *const class_names[CLASSES] = {"bit", "integer", "float", "char",
                                                 "complex"};
/* y x: vectors; the others are made of them. u: from 0 to 1; p: above 0; t: 0 and 1. */
static const char *const class_values[CLASSES] = {
    "y←100000⍴0 1 1 0 1 ⋄ x←⌽y ⋄ u←t←y ⋄ p←100000⍴1 ⋄ d←∘.=⍨⍳60",
    "y←100000⍴3 1 4 1 5 9 2 6 ⋄ x←⌽y ⋄ u←t←2|y ⋄ p←y ⋄ d←3×∘.=⍨⍳60",
    ("y←0.25+100000⍴3 1 4 1 5 9 2 6 ⋄ x←⌽y ⋄ u←y÷10 ⋄ p←y ⋄ d←2.5×∘.=⍨⍳60 ⋄ "
     "t←0.5+100000⍴0.5 ¯0.5"),
    "y←100000⍴'abcdefgh' ⋄ x←⌽y ⋄ u←t←p←y ⋄ d←60 60⍴y",
    "y←100000⍴1J2 3J¯1 2.5J1 ⋄ x←⌽y ⋄ u←t←p←y ⋄ d←1J1×∘.=⍨⍳60"};
static const char shared_values[] =
    "i←⌽⍳100000 ⋄ b←100000⍴1 0 1 ⋄ n←100000⍴0 1 2 ⋄ k←250⍴0 3 ¯5 ⋄ m←250 400⍴y ⋄ w←250 "
    "400⍴x "
    "⋄ c←10 10 10 10 10⍴y ⋄ r←100⍴7 250 3 ⋄ s←100⍴400 1 9 ⋄ e←100⍴⊂1000↑y "
    "⋄ q←1000↑p ⋄ h←1000↑u ⋄ f←1000↑t ⋄ v←2↑y ⋄ "
    "a←b/y ⋄ j←⊂i ⋄ o←y[⍋y]";

/* ── forms: where f y and x f y, or values for which f is defined, do not say enough ── */

typedef struct form {
  prim p;
  bool dyadic;
  const char *text;
} form;
static const form forms[] = {
    {P_DIVIDE, false, "÷p"},
    {P_DIVIDE, true, "x÷p"},
    {P_LOG, false, "⍟p"},
    {P_LOG, true, "p⍟p"},
    {P_POWER, true, "p*x"},
    {P_NAND, true, "t⍲t"},
    {P_NOR, true, "t⍱t"},
    {P_NOT, false, "~t"},
    {P_NOT, true, "x~v"},
    {P_IOTA, false, "⍳100000"},
    {P_IOTA, false, "⍳250 400"},
    {P_RHO, true, "250 400⍴y"},
    {P_RHO, true, "100000⍴v"},
    {P_COMMA, false, ",m"},
    {P_COMMA, true, "x,y"},
    {P_COMMA, true, "m,w"},
    {P_COMMA, true, "x,[0.5]y"},
    {P_COMMA1, true, "m⍪w"},
    {P_REVERSE, true, "7⌽y"},
    {P_REVERSE, true, "k⌽m"},
    {P_REVERSE1, true, "7⊖m"},
    {P_TRANSPOSE, false, "⍉m"},
    {P_TRANSPOSE, false, "⍉c"},
    {P_TRANSPOSE, true, "1 1 2 2 1⍉c"},
    {P_TAKE, false, "↑e"},
    {P_TAKE, true, "50000↑y"},
    {P_TAKE, true, "150000↑y"},
    {P_TAKE, true, "300 500↑m"},
    {P_DROP, false, "↓m"},
    {P_DROP, true, "7↓y"},
    {P_DROP, true, "7 7↓m"},
    {P_ENCLOSE, true, "b⊂y"},
    {P_NEST, true, "b⊆y"},
    {P_PICK, true, "5⊃y"},
    {P_WHERE, false, "⍸t"},
    {P_WHERE, false, "⍸250 400⍴t"},
    {P_WHERE, true, "o⍸x"},
    {P_FIND, true, "v⍷y"},
    {P_SQUAD, true, "j⌷y"},
    {P_SQUAD, true, "7⌷m"},
    {P_UP, true, "'hgfedcba'⍋y"},
    {P_DOWN, true, "'hgfedcba'⍒y"},
    {P_ROLL, false, "?p"},
    {P_ROLL, false, "?100000⍴0"},
    {P_ROLL, true, "1000?100000"},
    {P_DECODE, true, "10⊥m"},
    {P_ENCODE, true, "10 10⊤y"},
    {P_DOMINO, false, "⌹d"},
    {P_DOMINO, true, "d⌹d"},
    {P_FORMAT, true, "8 2⍕y"},
    {P_CIRCLE, true, "(100000⍴1 2)○y"},
    {P_FACT, true, "3!p"},
};
/* Brackets, / \ as functions, operators, ⎕-names. */
static const char *const others[] = {"y[i]",
                                     "m[r;s]",
                                     "m[r;]",
                                     "m[;s]",
                                     "m[7;]",
                                     "y[5]",
                                     "z←y ⋄ z[i]←x",
                                     "z←y ⋄ z[i]+←x",
                                     "z←m ⋄ z[r;]←w[r;]",
                                     "z←y ⋄ (b/z)←v[1]",
                                     "b/y",
                                     "b⌿100000 1⍴y",
                                     "3/y",
                                     "n/y",
                                     "(400⍴1 0 2)/m",
                                     "b\\a",
                                     "(320⍴1 1 ¯1 0)\\160↑[2]m",
                                     "v@3 5⊢x",
                                     "0@(5∘<)y",
                                     "{(2×⍵)+1}¨y",
                                     "x{⍺>⍵:⍺ ⋄ ⍵}¨y",
                                     "⌽¨e",
                                     "+/¨e",
                                     "+/¨b⊂y",
                                     "{(⍵-⌊/⍵)÷1+⌈/⍵}⍤1⊢m",
                                     "+/⍤1⊢m",
                                     "k+⍤0 1⊢m",
                                     "(250↑x)∘.+400↑y",
                                     "(250↑x)∘.{⍺+2×⍵}400↑y",
                                     "(60↑m)+.×⍉60↑w",
                                     "(60↑m)∧.=⍉60↑w",
                                     "{⍺+0.5×⍵}/q",
                                     "{⍺+0.5×⍵}\\q",
                                     "3+/y",
                                     "3⌈/y",
                                     "{⍺,≢⍵}⌸y",
                                     "y{+/⍵}⌸x",
                                     "{+/,⍵}⌺3 3⊢m",
                                     "{(+/⍵)÷≢⍵}¨↓m",
                                     "{1+2×⍵}⍣3⊢y",
                                     "{(⍵+÷⍵)÷2}⍣≡p",
                                     "{⍵>1000:⍵ ⋄ ∇ 2×⍵}¨p",
                                     "⎕F32 y",
                                     "⎕UCS y",
                                     "1⎕C y"};

/* ── cells: what a function of them costs, by the classes of rules that primitives have ── */

typedef struct cell_form {
  const char *rules; /* their class */
  const char *text;  /* in ⍵, the cell, and ⍺, another one like it */
  bool matrix;       /* cells are matrices */
} cell_form;
static const cell_form cell_forms[] = {
    {"scalar", "-⍵", false},
    {"scalar", "⍺+⍵", false},
    {"scalar", "⍵=⊃⍵", false},
    {"scalar", "⍵÷+/⍵", false},
    {"axis", "+/⍵", false},
    {"axis", "⌈/⍵", false},
    {"axis", "+\\⍵", false},
    {"axis", "2-/⍵", false},
    {"axis", "+⌿⍵", true},
    {"axis", "⌽⍵", false},
    {"axis", "2⌽⍵", false},
    {"axis", "(⊃⍺)⌽⍵", false},
    {"axis", "⊖⍵", true},
    {"axis", "⍉⍵", true},
    {"axis", "1 1⍉⍵", true},
    {"axis", "3↑⍵", false},
    {"axis", "2↓⍵", false},
    {"axis", "⍵,⍺", false},
    {"axis", "⍵⍪⍺", true},
    {"axis", "1 0 1 1/4↑⍵", false},
    {"axis", "2⊥⍵", false},
    {"axis", "2 2⊤⍵", false},
    {"order", "⍋⍵", false},
    {"order", "⍒⍵", false},
    {"order", "⍵[⍋⍵]", false},
    {"order", "⍵[(⍋⍵)[⌈0.5×≢⍵]]", false},
    {"order", "⍋⍵", true},
    {"search", "⍺⍳⍵", false},
    {"search", "⍵⍳⌈/⍵", false},
    {"search", "⍵⍳⊃⍺", false},
    {"search", "⍺∊⍵", false},
    {"search", "≠⍵", false},
    {"search", "≢∪⍵", false},
    {"search", "⍵[⍋⍵]⍸⍺", false},
    {"search", "(2↑⍵)⍷⍵", false},
    {"search", "⍺≡⍵", false},
    {"select", "∪⍵", false},
    {"select", "⍺~⍵", false},
    {"select", "⍺∩⍵", false},
    {"select", "⍺∪⍵", false},
    {"select", "⍸⍵=⊃⍵", false},
    {"select", "≢⍸⍵=⊃⍵", false},
    {"select", "(⍵=⊃⍵)/⍵", false},
    {"select", "+/(⍵=⊃⍵)/⍵", false},
    {"index", "⊃⍵", false},
    {"index", "⊃⌽⍵", false},
    {"index", "⍵[2 1]", false},
    {"index", "⍵[≢⍵]", false},
    {"index", "2⌷⍵", false},
    {"index", "2⊃⍵", false},
    {"index", "⍵[;1]", true},
    {"index", "0@2⊢⍵", false},
    {"index", "a⊣a[1]←0⊣a←⍵", false},
    {"product", "⍺+.×⍵", false},
    {"product", "⍵+.×⍉⍵", true},
    {"product", "⍵∘.×⍵", false},
    {"product", "⌹3 3↑⍵", true},
    {"random", "?≢⍵", false},
    {"random", "3?≢⍵", false},
    {"shape", "≢⍵", false},
    {"shape", "⍴⍵", false},
    {"shape", "≡⍵", false},
    {"shape", "2 2⍴⍵", false},
    {"shape", ",⍵", true},
    {"shape", "⍳≢⍵", false},
    {"nested", "⊂⍵", false},
    {"nested", "↓⍵", true},
    {"nested", "(⍵=⊃⍵)⊂⍵", false},
    {"nested", "⍵ ⍵", false},
    {"text", "⍕⍵", false},
    {"text", "⍎⍕⍵", false},
    {"control", "(⊃⍵)=⊃⍺:⍵ ⋄ ⌽⍵", false},
    {"control", "a b←(⊃⍵)(≢⍵) ⋄ a=b", false},
    {"control", "2≥≢⍵:⍵ ⋄ ∇1↓⍵", false},
    {"control", "(⌽⍣2)⍵", false},
    {"control", "{⍵}¨⍵", false},
    {"control", "{⍵=⊃⍵}⍤1⊢⍵", true},
};

/* ── running ── */

typedef struct run {
  vm *v;
  ctx *c;
  bool device;
  str *why; /* of the row */
} run;

/* Runs a text and what its value waits for. */
static bool run_text(run *r, const char *text) {
  OWNED arr *value = NULL;
  bool shy;
  vm_text t = {.name = "", .at = text, .n = strlen(text)};
  bool ok =
      vm_run(r->v, &t, false, &value, &shy) && (!value || ir_settle(vm_ir(r->v), value));
  return ok && ir_verify(vm_ir(r->v));
}

/* Adds the reasons of the host's steps to the row's, each once. False: there was none. */
static bool add_reasons(run *r, const char *steps) {
  bool any = false;
  for (const char *p = steps; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
    OWNED_STR str one = {.c = r->c};
    const char *why = strstr(p, ": "), *end = strchr(p, '\n');
    if (strncmp(p, "host  ", 6) || !why || !end || why > end) continue;
    any = true;
    str_put(&one, why + 2, (size_t)(end - why - 2));
    if (r->why->at && strstr(r->why->at, one.at)) continue;
    if (r->why->n) str_puts(r->why, "; ");
    str_puts(r->why, one.at);
  }
  return any;
}

static const char *cell(run *r, const char *text) {
  ir *g = vm_ir(r->v);
  ir_reading was, now;
  OWNED_STR str steps = {.c = r->c};
  str_puts(&steps, "");
  bool read = ir_read(g, &was);
  ir_watch(g);
  bool ok = run_text(r, text);
  ok = ir_watch_end(g, ok ? &steps : NULL) && ok;
  err_clear(r->c);
  if (!ok || !read || !ir_read(g, &now)) return "";
  ir_reading did = ir_since(&now, &was);
  if (add_reasons(r, steps.at)) return "host";
  if (r->device && did.kernels[0]) return "host’s kernel";
  return did.kernels[0] + did.kernels[1] ? "kernel" : "free";
}

/* How f of all cells is computed: with no call, with calls of what has no rule alone, or called for
 * each; nothing: there is no such function. */
static const char *way_of_cells(run *r, const char *text) {
  OWNED_STR str steps = {.c = r->c};
  str_puts(&steps, "");
  ir_watch(vm_ir(r->v));
  bool ok = run_text(r, text);
  ok = ir_watch_end(vm_ir(r->v), ok ? &steps : NULL) && ok;
  err_clear(r->c);
  if (!ok) return "";
  const char *calls = strstr(steps.at, " calls of ");
  if (!calls) return "lifted";
  const char *met = strstr(calls, "no rule for "),
             *end = met ? strstr(met, " here") : NULL;
  OWNED_STR str why = {.c = r->c};
  if (end) str_put(&why, met + 12, (size_t)(end - met - 12));
  if (end && !(r->why->at && strstr(r->why->at, why.at)))
    str_printf(r->why, "%s%s", r->why->n ? " " : "", why.at);
  return strstr(steps.at, " calls of a dfn") ? "called" : "looped";
}

/* The arguments as arrays at hand, on the device too. */
static void set_up(run *r, int class) {
  static const char *const names[] = {"y", "x", "u", "t", "p", "d", "i",
                                      "b", "n", "k", "m", "w", "c", "r",
                                      "s", "q", "h", "f", "v", "a", "o"};
  if (!run_text(r, class_values[class]) || !run_text(r, shared_values)) err_clear(r->c);
  for (size_t i = 0; i < ARRAY_LEN(names); i++) {
    OWNED arr *a = vm_get(r->v, names[i]);
    if (!a || !ir_host(vm_ir(r->v), a) || (r->device && !ir_device(vm_ir(r->v), a)))
      err_clear(r->c);
  }
}

static run run_open(ctx *c, const char *device) {
  vm_config k = {.c = c, .ir = {.device = device, .tune = "kernels=1 middle=128"}};
  return (run){.v = vm_new(&k), .c = c, .device = strcmp(device, "host")};
}

/* ── the table ── */

typedef struct table {
  run r[CLASSES]; /* an interpreter for each class */
} table;

static void put_text(const char *s) {
  for (; *s; s++) printf(*s == '|' ? "\\|" : "%c", *s);
}

static void put_row(table *t, const char *text) {
  OWNED_STR str why = {.c = t->r[0].c};
  printf("| `");
  put_text(text);
  printf("` |");
  for (int i = 0; i < CLASSES; i++) {
    t->r[i].why = &why;
    printf(" %s |", cell(&t->r[i], text));
  }
  printf(" ");
  put_text(why.n ? why.at : "");
  printf(" |\n");
}

static void put_head(const char *what) {
  printf("\n## %s\n\n| |", what);
  for (int i = 0; i < CLASSES; i++) printf(" %s |", class_names[i]);
  printf(" why on the host |\n|---|");
  for (int i = 0; i <= CLASSES; i++) printf("---|");
  printf("\n");
}

/* f y or x f y in all its forms. */
static void put_primitive(table *t, prim p, bool dyadic) {
  char text[64];
  bool code =
      p >= P_CO_SIN && p <= P_EXP_I; /* circle.def: the name begins with the code */
  const char *name = code ? prim_table[p].monadic : prim_table[p].glyph;
  bool any = false;
  for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
    if (forms[i].p != p || forms[i].dyadic != dyadic) continue;
    put_row(t, forms[i].text);
    any = true;
  }
  if (any || p == P_DIVIDE0) return;
  snprintf(text, sizeof text, "%s%.*s%s", dyadic ? "x" : "", (int)strcspn(name, " "),
           name, code ? "u" : "y");
  if (p == P_ACOSH || p == P_CO_COSH) strcpy(text + strlen(text) - 1, "1+u");
  put_row(t, text);
}

static void put_folds(table *t) {
  char text[64];
  for (int p = 0; p < P_COUNT; p++)
    for (int scan = 0; scan < 2; scan++) {
      if (!prim_is_scalar((prim)p, true) || !prim_has((prim)p, true) || p == P_DIVIDE0)
        continue;
      char of = 'q';
      if (p == P_TIMES) of = 'h'; /* no overflow */
      if (p == P_NAND || p == P_NOR) of = 'f';
      snprintf(text, sizeof text, "%s%c%c", prim_table[p].glyph, scan ? '\\' : '/', of);
      if (p != P_CIRCLE && p != P_FACT && p != P_LOG && p != P_POWER) put_row(t, text);
    }
}

/* The function {text} with ⍺ as another text, applied by the operator's. */
static void put_function(str *to, const char *text, const char *left, const char *way) {
  str_puts(to, "z←");
  str_puts(to, strstr(way, "J") == way ? "j{" : "{");
  for (const char *s = text; *s;) {
    bool alpha = !strncmp(s, "⍺", 3);
    if (alpha) str_puts(to, left);
    else str_put(to, s, 1);
    s += alpha ? 3 : 1;
  }
  str_puts(to, "}");
  str_puts(to, way + (*way == 'J'));
}

/* Of rows, of what lies in rows but is items, of groups and of parts. */
static void put_cells(table *t) {
  static const char *const vectors[] = {"⍤1⊢m", "¨↓m", "J⌸y", "¨b⊂y", "⌺5⊢y"};
  static const char *const matrices[] = {"⍤2⊢c", "¨g", "J⌸6000 3⍴y", "", "⌺5 5⊢m"};
  printf("\n## Functions of cells\n\nHow `{…}` is applied to the rows or planes of an "
         "array (`⍤`), to items and parts (`¨`), to "
         "groups (`⌸`)\nand to windows (`⌺`) of integers, and to rows of the other "
         "classes. ⍺ is another such cell.\n"
         "[How a function runs over cells](how-a-function-runs-over-cells.md) explains "
         "the words.\n\n"
         "| | |\n|---|---|\n"
         "| lifted | to all cells at once |\n"
         "| looped | a primitive without a rule is called for each cell, the rest is "
         "lifted |\n"
         "| called | the function is called for each cell, because the primitive in the "
         "last column has no rule |\n"
         "| (empty) | there is no such function |\n"
         "\n| | | `⍤` | `¨` items | `⌸` | `¨` parts | `⌺` | bit | float | char | "
         "complex | no rule for |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < CLASSES; i++) {
    run_text(&t->r[i], "y←6000↑y ⋄ m←400 15⍴y ⋄ c←600 4 5⍴y ⋄ j←6000⍴⍳100 ⋄ "
                       "b←6000⍴1 0 0 0 0 1 0 0 0 0 0 0 ⋄ g←⊂⍤2⊢c");
    err_clear(t->r[i].c);
  }
  for (size_t f = 0; f < ARRAY_LEN(cell_forms); f++) {
    const cell_form *row = &cell_forms[f];
    OWNED_STR str why = {.c = t->r[0].c};
    printf("| %s | `", row->rules);
    put_text(row->text);
    printf("` |");
    for (int k = 0; k < 5 + CLASSES - 1; k++) {
      static const int rest[] = {0, 2, 3, 4};
      run *r = &t->r[k < 5 ? 1 : rest[k - 5]];
      const char *way = (row->matrix ? matrices : vectors)[k < 5 ? k : 0];
      OWNED_STR str text = {.c = r->c};
      put_function(&text, row->text, row->matrix ? "(⊖⍵)" : "(⌽⍵)", way);
      r->why = &why;
      printf(" %s |", *way ? way_of_cells(r, text.at) : "");
    }
    printf(" ");
    put_text(why.n ? why.at : "");
    printf(" |\n");
  }
}

int main(int argc, char **argv) {
  ctx c;
  table t = {0};
  const char *device = "host";
  if (argc > 2 && !strcmp(argv[1], "--device")) device = argv[2];
  ctx_init(&c, NULL, NULL);
  for (int i = 0; i < CLASSES; i++) t.r[i] = run_open(&c, device);
  if (t.r[0].device && !ir_gpu(vm_ir(t.r[0].v))) {
    fprintf(stderr, "coverage: %s\n", c.err.msg);
    return 1;
  }
  for (int i = 0; i < CLASSES; i++) set_up(&t.r[i], i);
  printf("# What runs in kernels\n\nThis page is made by `make docs/coverage.md`. It "
         "runs each line on arguments of some "
         "100000 elements\n(1000 for `q h f`) of each class, and looks at what was done "
         "(`bench/coverage.c`). `make coverage` "
         "does the same on a device.\n\n"
         "| | |\n|---|---|\n"
         "| kernel | kernels did all of it |\n"
         "| host | the host did a part of it by a loop of its own |\n"
         "| free | there was no work, or too little for a plan |\n"
         "| (empty) | the class has no such function |\n");
  put_head("Functions");
  for (int p = 0; p < P_COUNT; p++)
    for (int d = 0; d < 2; d++)
      if (prim_has((prim)p, d)) put_primitive(&t, (prim)p, d);
  put_head("Folds and scans");
  put_folds(&t);
  put_head("Brackets, operators and ⎕-names");
  for (size_t i = 0; i < ARRAY_LEN(others); i++) put_row(&t, others[i]);
  put_cells(&t);
  for (int i = 0; i < CLASSES; i++) vm_free(t.r[i].v);
  return 0;
}
