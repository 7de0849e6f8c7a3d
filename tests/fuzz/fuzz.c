/* SPDX-License-Identifier: MIT */
/* fuzz.c - libFuzzer's targets: any text and any file is a value or an error, takes no more than its
 * limits and loses no memory. `make fuzz` builds one program, and a link to it for each target,
 * whose name says which it is; tests/fuzz.sh runs them.
 *
 *   fuzz --list          the targets
 *   NAME --seeds DIR     inputs to begin with, written by vapl itself where they are files
 *   fuzz --dict          glyphs, ⎕-names and pieces of the formats, for -dict=
 *   NAME [-OPTION…] [DIR…]   libFuzzer
 *
 * Each input has an interpreter of its own, which permits nothing (a file may be read). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/utf8.h"
#include "src/eval/eval.h"
#include "src/lexer/token.h"
#include "src/tables/glyphs.h"
#include "tests/unit/formats.h"

#define REQUIRE(that)                                                                    \
  do                                                                                     \
    if (!(that)) {                                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #that);                 \
      abort();                                                                           \
    }                                                                                    \
  while (0)

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* ── the targets ── */

enum { READS = 5 };
typedef struct target {
  const char *name;
  /* What reads the text D, or its lines P X Y; none: D itself is run. A file's are in formats.h. */
  const char *read[READS];
  const char *const *seeds;
} target;

#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})
static const target targets[] = {
    {"parse",
     {NULL},
     SEEDS("f←{⍺←1 ⋄ ⍵=0:⍺ ⋄ ∇⍵-1}", "(a b)←1 'x' ⋄ x[1;]+←2 ⋄ ns←(a:1 ⋄ b:2)",
           "1E400 1J2 ¯∞ 'it''s' \"a\"\"b\" ⍝ c\n→0", "+⍨∘(÷⍨/)⍤1⊢a.b.(c d)⌺3 3")},
    {"eval",
     {NULL},
     SEEDS("+/⍳10", "{⍵≤1:1 ⋄ ⍵×∇⍵-1}20", "x←2 3⍴⍳6 ⋄ x[1;]←0 ⋄ ⍉x,⍪1 2",
           "{0::⎕DMX.EM ⋄ ÷0}1", "⍎'1+',⍕2", "(⍳3)∘.×⍳3", "a←() ⋄ a.b←1 ⋄ a.b+1",
           "⌽⍣3⊢'abc' 'de'", "{⍺ ⍵}⌸'mississippi'", "⎕FMT 2 2⍴÷⍳4")},
    {"json",
     {"⎕JSON D", "(⎕JSON⍠'Format' 'M')D", "1 ⎕JSON ⎕JSON D", "(⎕JSON⍠'Null' 0)D",
      "1 ⎕JSON(⎕JSON⍠'Dialect' 'JSON5')D"},
     SEEDS("{\"a\":[1,-2.5e10,\"x\\u00e9\",{\"b\":null}],\"c\":true}", "[[1,2],[3,4]]",
           "\"\\ud83d\\ude00\"", "[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}]")},
    {"xml",
     {"⎕XML D", "('Markup' 'Preserve')⎕XML D", "('Whitespace' 'Preserve')⎕XML ⎕XML D"},
     SEEDS("<a b=\"1\">x<c/>&amp;y<!-- n --></a>",
           "<?xml version=\"1.0\"?><!DOCTYPE a><a>&nbsp;</a>",
           "<a><![CDATA[<>]]><?go on?></a>")},
    {"csv",
     {"⎕CSV D 'S'", "(⎕CSV⍠'Ragged' 1)D 'S' 5 1", "⎕CSV D 'S' 2",
      "(⎕CSV⍠'Separator' ';')D 'S' 4"},
     SEEDS("a,b\n1,\"x\"\"y\"\n2.5,\n", "1;2\r\n3;4\r\n", "\"a\nb\",1e400,¯2\n")},
    {"numbers",
     {"⎕VFI D", "',;' ⎕VFI D", "{0::0 ⋄ ⍎⍵}¨(D∊'0123456789.E¯J')⊆D"},
     SEEDS("1 -2 ¯3 4.5e10 0x1F abc", "1e400,2;3",
           "1J2 9223372036854775808 1e-400 .5 5.")},
    {"fix",
     {"⎕FIX D(≠⊆⊣)⎕UCS 10", "2 ⎕FIX D(≠⊆⊣)⎕UCS 10"},
     SEEDS(":Namespace a\nx←1\nf←{⍵+1}\n:Namespace b\ny←2\n:EndNamespace\n:EndNamespace",
           "g←{\n  ⍺+⍵ ⍝ c\n}", "∇ r←h x\nr←x\n∇")},
    {"regex",
     {"(P ⎕R Y)X", "(P ⎕S Y)X", "(P'b'⎕R Y'&')X X", "P ⎕S 0 1 2 3⊢X"},
     SEEDS("a+\naabaa\n<&>", "(?<n>\\w)(.)\nabc def\n\\2\\1\\<n>\\u0%",
           "^|$\nxy\n\\r\\n\\x{263a}")},
    {"fmt",
     {"P ⎕FMT 3 3⍴1.5 ¯2 3E10 0 7", "P ⎕FMT 2 3⍴'abcdef'", "(⎕VFI P)⊢⍕X",
      "P ⎕FMT ⍉2 300⍴÷⍳600"},
     SEEDS("I5,F8.2,E10.3,⎕x⎕", "3(I2,<:>),K2ZF6.1,BCM<(>N<)>I4",
           "G⎕$99,999.99⎕,5A1,X3,T9", "R⎕*⎕S⎕,.⎕LI9")},
    {"dt",
     {"P ⎕DT 46348 0.5 1E5 ¯1", "(P 20)⎕DT⊂X", "P ⎕DT ⊂2026 11 22 23 59 59 999"},
     SEEDS("Dddd, DDoo Mmmm YYYY\nSunday, 22nd November 2026",
           "DD.MM.YYYY hh:mm:ss\n22.11.2026 01:02:03", "%ISO%\n2026-11-22T00:00:00",
           "YYYY-WW-d tt:mm:ss.fff pp\n2026-47-7 01:02:03.004 pm")},
    /* The function looks at none of its arguments, so whatever is declared is safe. */
    {"na",
     {"'f'⎕NA'I4 |getpid ',P ⋄ f ⎕JSON X", "⎕NA P,' |getpid'"},
     SEEDS("<I4[] >0C[20]\n[[1,2,3],0]", "F8 =U1[3] <0UTF8\n[1.5,[1,2,3],\"text\"]",
           ">{I4 F8{I2 I2}[2] 0C[6]} <#C[]\n[0,\"abc\"]")},
};
static const target *the;        /* one of them, or NULL: */
static const format *the_format; /* a file's */
static const char preamble[] = "⎕RL←16807 1 ⋄ x←1 2 3 ⋄ y←2 3⍴⍳6 ⋄ z←'abc'(1 2)(⊂3) ⋄ "
                               "f←{⍺←1 ⋄ ⍺+⍵} ⋄ g←+/ ⋄ h←{⍺⍺ ⍵}";

/* ── running ── */

static char folder[] = "/tmp/vapl-fuzz.XXXXXX", path[80];

static void begin(ctx *c) {
  ctx_init(c, NULL, NULL);
  c->idle.on = 0; /* a sanitizer sees what is released */
  c->bytes_max = (size_t)64 << 20;
  c->limit.max_steps = 20000;
  c->limit.seconds = 1;
}

static bool run(vm *v, ctx *c, const char *text, size_t n) {
  limits_begin(c);
  bool ok = vm_run(v, &(vm_text){.name = "", .at = text, .n = n}, false, NULL, NULL);
  REQUIRE(ok || *err_name(c->err.code));
  return ok;
}

static vm *open_vm(ctx *c) {
  vm_config cfg = {.c = c, .ir = {.device = "host", .threads = 1}};
  vm *v = vm_new(&cfg);
  REQUIRE(v);
  return v;
}

static void close_vm(vm *v, ctx *c) {
  str s = {.c = c};
  if (err_is(c)) vm_error_text(v, &s);
  str_free(&s);
  err_clear(c);
  int code;
  if (!vm_off(v, &code)) REQUIRE(run(v, c, "{⍵}1+1", strlen("{⍵}1+1")));
  vm_free(v);
  REQUIRE(!c->blocks_live);
  ctx_close(c);
}

static void parse_text(ctx *c, const char *p, size_t n) {
  lexer l = {.c = c, .text = p, .len = n, .keep_comments = true};
  for (token t = {.kind = TOK_NAME}; t.kind != TOK_END && t.kind != TOK_ERROR;) {
    uint32_t before = t.end;
    t = lex_next(&l);
    REQUIRE(t.begin >= before && t.end >= t.begin && t.end <= n);
  }
  err_clear(c);
  source *src = source_new(c, "", p, n);
  REQUIRE(src);
  tree *t = parse(c, src);
  REQUIRE(!t == err_is(c));
  str s = {.c = c};
  if (t) tree_dump(t->root, &s);
  str_free(&s);
  tree_release(c, t);
  source_release(c, src);
  parse_open(p, n);
  err_clear(c);
  REQUIRE(!c->blocks_live);
}

/* Bytes as a text: what is no UTF-8 becomes U+FFFD. */
static char *text_of(const char *p, size_t n, size_t *length) {
  char *r = malloc(3 * n + 1), *at = r;
  REQUIRE(r);
  for (const char *end = p + n; p < end;) at += utf8_put(at, utf8_next(p, end, &p));
  *length = (size_t)(at - r);
  return r;
}

static void read_text(vm *v, ctx *c, const char *p, size_t n) {
  static const char lines[] = "P X Y←3↑(D(≠⊆⊣)⎕UCS 10),'' '' ''";
  size_t length;
  char *text = text_of(p, n, &length);
  arr *a = arr_text(c, text, length);
  free(text);
  REQUIRE(a && vm_set(v, "D", a));
  arr_release(a);
  REQUIRE(run(v, c, lines, sizeof lines - 1));
  if (!strcmp(the->name, "na")) c->may = MAY_CALL;
  for (int i = 0; i < READS && the->read[i]; i++) {
    run(v, c, the->read[i], strlen(the->read[i]));
    err_clear(c);
  }
}

static void spill(const char *name, const void *p, size_t n) {
  FILE *f = fopen(name, "wb");
  REQUIRE(f && fwrite(p, 1, n, f) == n);
  fclose(f);
}

static void read_file(vm *v, ctx *c, const unsigned char *p, size_t n) {
  unsigned char *mended = malloc(n + 1);
  char name[100];
  REQUIRE(mended);
  memcpy(mended, p, n);
  mend(the_format->file, mended, n);
  spill(path, mended, n);
  free(mended);
  snprintf(name, sizeof name, "F←'%s'", path);
  REQUIRE(run(v, c, name, strlen(name)));
  c->may = MAY_READ;
  run(v, c, the_format->read, strlen(the_format->read));
}

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n) {
  const char *text = n ? (const char *)p : "";
  ctx c;
  begin(&c);
  if (the == &targets[0]) return parse_text(&c, text, n), 0;
  vm *v = open_vm(&c);
  if (the_format) read_file(v, &c, p, n);
  else if (*the->read) read_text(v, &c, text, n);
  else if (run(v, &c, preamble, sizeof preamble - 1)) run(v, &c, text, n);
  close_vm(v, &c);
  return 0;
}

/* ── lists, seeds, the dictionary ── */

static void file_seed(const char *to) {
  ctx c;
  begin(&c);
  c.may = MAY_ALL;
  c.limit.seconds = 0;
  vm *v = open_vm(&c);
  char name[400];
  snprintf(name, sizeof name, "F←'%s/%s'", to, the_format->file);
  REQUIRE(run(v, &c, name, strlen(name)));
  if (!run(v, &c, the_format->write, strlen(the_format->write)))
    printf("no seed: %s\n", c.err.msg); /* a library is missing */
  close_vm(v, &c);
}

static int seeds(const char *to) {
  char name[400];
  if (the_format) file_seed(to);
  for (int i = 0; the && the->seeds[i]; i++) {
    snprintf(name, sizeof name, "%s/%d", to, i);
    spill(name, the->seeds[i], strlen(the->seeds[i]));
  }
  return 0;
}

static void word(const char *p) {
  printf("\"");
  for (; *p; p++) printf("\\x%02X", (unsigned char)*p);
  printf("\"\n");
}

#define SYSNAME(name, ...) name,
static const char *const words[] = {
#include "src/tables/sysname.def"
    "⍺",
    "⍵",
    "∇",
    "⍺⍺",
    "⍵⍵",
    "∇∇",
    "::",
    ":",
    "⋄",
    "\n",
    "()",
    "¯1",
    "0.5",
    "1E308",
    "1J1",
    "9223372036854775808",
    "[1]",
    "[;1]",
    "∘.",
    "←⍳300",
    "+←",
    "(1E6⍴0)",
    "(0 3⍴0)",
    "(15⍴1)",
    "⍬",
    "''",
    "⍳300",
    "20 20⍴⍳400",
    ":Namespace a\n",
    ":EndNamespace\n",
    "\\u00e9",
    "null",
    "true",
    "false",
    "[{\"",
    "\\1",
    "\\<",
    "(?<a>",
    "IHDR",
    "PLTE",
    "tRNS",
    "IDAT",
    "IEND",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
    "PK\1\2",
    "PK\3\4",
    "P6 3 3 255\n",
    "P1",
    "P2",
    "P5 65535 65535 65535\n",
    "4294967296",
    "YYYY",
    "DDoo",
    "hh:mm:ss.fff"};
#undef SYSNAME

static int dictionary(void) {
  for (int i = 0; i < glyph_count; i++) word(glyph_table[i].glyph);
  for (size_t i = 0; i < ARRAY_LEN(words); i++) word(words[i]);
  return 0;
}

static int list(void) {
  for (size_t i = 0; i < ARRAY_LEN(targets); i++) printf("%s\n", targets[i].name);
  for (size_t i = 0; i < ARRAY_LEN(formats); i++) printf("%s\n", formats[i].file);
  return 0;
}

static bool choose(const char *program) {
  const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
  for (size_t i = 0; i < ARRAY_LEN(targets); i++)
    if (!strcmp(targets[i].name, name)) the = &targets[i];
  for (size_t i = 0; i < ARRAY_LEN(formats); i++)
    if (!strcmp(formats[i].file, name)) the_format = &formats[i];
  return the || the_format;
}

static void leave_folder(void) {
  unlink(path);
  rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *what = *argc > 1 ? (*argv)[1] : "";
  if (!strcmp(what, "--list")) exit(list());
  if (!strcmp(what, "--dict")) exit(dictionary());
  if (!choose((*argv)[0])) {
    fprintf(stderr, "the program's name is none of:\n");
    list();
    exit(2);
  }
  if (!strcmp(what, "--seeds") && *argc == 3) exit(seeds((*argv)[2]));
  if (!the_format) return 0;
  REQUIRE(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/%s", folder, the_format->file);
  atexit(leave_folder);
  return 0;
}
