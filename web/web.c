/* SPDX-License-Identifier: MIT */
/* web.c - the interpreter behind the page: what the worker (worker.js) calls.
 *
 * There is one interpreter, with one thread and without a device. What it shows goes to the worker piece
 * by piece. Texts that are given are freed by the worker; those that are returned live until the next call.
 * Files are emscripten's, in memory: nothing of the computer's can be reached. */
#include "src/eval/eval.h"
#include "src/eval/system/command.h"
#include "src/tables/glyphs.h"
#include "src/tables/help.h"
#include "src/tables/oper.h"
#include "src/tables/prim.h"
#include <emscripten.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The least that a browser gives a page, and what is left of 2 GiB for growing. */
static const size_t most_bytes = (size_t)1 << 30;

static ctx c;
static vm *v;
static str text;     /* what was returned last */
static bool is_mute; /* nothing is shown but modules */

/* fd: 1 output, 2 errors, 3 kernels. */
EM_JS(void, web_show, (int fd, const char *utf8, size_t n),
      { Module["show"](fd, UTF8ToString(utf8, n)); });
/* A module of SPIR-V, which spirv.js makes a text. */
EM_JS(void, web_module, (const uint32_t *words, size_t n),
      { Module["showModule"](HEAPU32.slice(words >> 2, (words >> 2) + n)); });

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  UNUSED(user);
  if (!is_mute) web_show(fd, utf8, n);
}

static void on_kernel(void *user, char stage, const char *kir, const uint32_t *words,
                      size_t n) {
  UNUSED(user);
  UNUSED(words);
  UNUSED(n);
  if (stage == 'k') web_show(3, kir, strlen(kir));
}

/* Begins with an empty workspace in an empty folder; false: there is no memory for one. */
EMSCRIPTEN_KEEPALIVE bool web_open(void) {
  static const char *const folders[] = {"/home/web_user", "/tmp", NULL};
  if (chdir(folders[0])) return false;
  ctx_init(&c, NULL, NULL);
  c.bytes_max = most_bytes;
  c.may = MAY_READ | MAY_WRITE;
  text.c = &c;
  v = vm_new(&(vm_config){.c = &c,
                          .ir = {.device = "host", .threads = 1},
                          .write = on_write,
                          .folders = folders});
  return v != NULL;
}

/* Does an entry need further lines? */
EMSCRIPTEN_KEEPALIVE bool web_is_open(const char *entry) {
  bool command = *entry == ')' || *entry == ']';
  return !command && vm_entry_is_open(v, entry, strlen(entry));
}

/* Kernels that run are shown, or are not. */
EMSCRIPTEN_KEEPALIVE void web_kernels(bool shown) {
  ir_set_sink(vm_ir(v), shown ? on_kernel : NULL, NULL);
}

enum { DONE, FAILED, ENDED }; /* ENDED: )OFF or ⎕OFF */
EMSCRIPTEN_KEEPALIVE int web_run(const char *entry) {
  bool off = false;
  int code;
  if (vm_line(v, &(vm_text){.name = "", .at = entry, .n = strlen(entry)}, &off, &code))
    return off || vm_off(v, &code) ? ENDED : DONE;
  OWNED_STR str error = {.c = &c};
  vm_error_text(v, &error);
  err_clear(&c);
  if (!error.failed) web_show(2, error.at, error.n);
  return FAILED;
}

/* ── what a graphics card would be given ────────────────────────────────────────────── */

static void on_module(void *user, char stage, const char *kir, const uint32_t *words,
                      size_t n) {
  UNUSED(kir);
  if (stage != 's') return;
  ++*(int *)user;
  web_module(words, n);
}

static bool run_quietly(vm *m, const char *line) {
  bool off = false;
  int code;
  return vm_line(m, &(vm_text){.name = "", .at = line, .n = strlen(line)}, &off, &code);
}

/* Shows the modules that a card would be given for an entry: in a copy of the workspace it runs on a device of paper
 * (paper.c), with results that are wrong; the workspace stays as it is. How many there were. */
EMSCRIPTEN_KEEPALIVE int web_spirv(const char *entry) {
  ctx of_paper;
  int shown = 0;
  is_mute = true;
  run_quietly(v, "{}⎕SAVE'/tmp/paper'");
  err_clear(&c);
  ctx_init(&of_paper, NULL, NULL);
  of_paper.bytes_max = most_bytes;
  of_paper.may = MAY_READ;
  vm *m = vm_new(&(vm_config){
      .c = &of_paper,
      .ir = {.device = "paper", .threads = 1, .tune = "direct=0 device_min=0 measure=0"},
      .write = on_write});
  if (m) {
    run_quietly(m, ")COPY /tmp/paper");
    err_clear(&of_paper);
    ir_set_sink(vm_ir(m), on_module, &shown);
    run_quietly(m, entry);
    err_clear(&of_paper);
    vm_free(m);
  }
  is_mute = false;
  remove("/tmp/paper");
  return shown;
}

/* ── the language bar ───────────────────────────────────────────────────────────────── */

static void put_json(const char *s) {
  str_puts(&text, "\"");
  for (; *s; s++) {
    if (*s == '\n') str_puts(&text, "\\n");
    else {
      if (strchr("\"\\", *s)) str_puts(&text, "\\");
      str_put(&text, s, 1);
    }
  }
  str_puts(&text, "\"");
}

static bool is_character(const char *s) {
  const char *end = s + strlen(s), *next = s + 1;
  while (next < end && (*next & 0xC0) == 0x80) next++;
  return *s && next == end;
}

/* A glyph: its name, its key behind the prefix, and what it means. */
static void put_glyph(const char *glyph) {
  const glyph_row *row = glyph_of(glyph);
  OWNED_STR str help = {.c = &c};
  help_meaning(&help, glyph);
  str_puts(&text, text.n > 1 ? ",[" : "[");
  put_json(glyph);
  str_puts(&text, ",");
  put_json(row ? row->name : "");
  str_puts(&text, ",");
  put_json(row ? (char[]){row->key, 0} : "");
  str_puts(&text, ",");
  put_json(help.n ? help.at : "");
  str_puts(&text, "]");
}

static bool is_put(const char *glyph) {
  char begin[16];
  snprintf(begin, sizeof begin, "[\"%s\"", glyph);
  return text.at && strstr(text.at, begin);
}

/* The glyphs of functions, operators and syntax, and what else has a key: [glyph, name, key, help] each, as JSON. */
EMSCRIPTEN_KEEPALIVE const char *web_bar(void) {
  text.n = 0;
  str_puts(&text, "[");
  const char *last = "";
  for (int p = 0; p < P_COUNT; p++) {
    const char *glyph = prim_table[p].glyph;
    bool any = prim_has((prim)p, false) || prim_has((prim)p, true);
    if (!any || !strcmp(glyph, last)) continue; /* the codes of ○ are rows of their own */
    put_glyph(glyph);
    last = glyph;
  }
  for (size_t i = 0; oper_at_row(i); i++)
    if (is_character(oper_at_row(i)->glyph)) put_glyph(oper_at_row(i)->glyph);
  for (size_t i = 0; help_sign_at(i); i++)
    if (is_character(help_sign_at(i)->key)) put_glyph(help_sign_at(i)->key);
  for (int i = 0; i < glyph_count; i++)
    if (!is_put(glyph_table[i].glyph)) put_glyph(glyph_table[i].glyph);
  str_puts(&text, "]");
  return text.failed ? "[]" : text.at;
}
