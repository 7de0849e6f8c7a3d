/* SPDX-License-Identifier: MIT */
/* check.c - vapl --check FILE…, and the same for vapl lsp: what the parser refuses in programs, which are not run.
 *
 *   parse ─▶ an error: FILE:LINE:COLUMN: NAME: message ─▶ its line becomes blanks ─▶ parse again
 *
 * The parser stops at its first error, so the text is parsed once for each. If the line opens or closes
 * something (a bracket, a definition, a control structure), what stands around it would not fit any more: then
 * the whole entry becomes blanks, as a session would read it, until nothing is open. Blanks keep all places. */
#include "check.h"
#include "../src/base/mem.h"
#include "../src/lexer/token.h"
#include "line.h"
#include "script.h"
#include "session.h"
#include "terminal.h"
#include <string.h>

enum { MOST_ERRORS = 100, MOST_LINES = 1000, SOME_LINES = 60 };

static size_t line_begin(const check *k, size_t at) {
  while (at && k->text[at - 1] != '\n') at--;
  return at;
}

static size_t line_end(const check *k, size_t at) {
  const char *stop = memchr(k->text + at, '\n', k->n - at);
  return stop ? (size_t)(stop - k->text) : k->n;
}

/* Does what follows stand on its own if the line is gone? */
static bool stands_alone(const check *k, size_t begin, size_t end) {
  lexer l = {.text = k->text + begin, .len = end - begin};
  int depth = 0;
  bool first = true;
  for (token t = lex_next(&l); t.kind != TOK_END && t.kind != TOK_ERROR;
       t = lex_next(&l)) {
    bool punct = t.kind == TOK_PUNCT;
    if (first && punct && t.code == ':') return false; /* a control word */
    if (t.kind == TOK_GREEK && t.end - t.begin == strlen("∇") &&
        !memcmp(l.text + t.begin, "∇", strlen("∇")) && first)
      return false;
    if (punct && (t.code == '(' || t.code == '[' || t.code == '{')) depth++;
    if (punct && (t.code == ')' || t.code == ']' || t.code == '}')) depth--;
    if (depth < 0) return false;
    first = punct && t.code == '\n';
  }
  return !depth;
}

/* The entry around `at`: from *begin to what is returned. Beyond MOST_LINES it is the rest of the text. */
static size_t entry_around(const check *k, size_t at, size_t *begin) {
  size_t end = 0;
  for (*begin = 0; *begin < k->n; *begin = end + 1) {
    int lines = 0;
    end = line_end(k, *begin);
    while (end < k->n && line_is_open(k->text + *begin, end - *begin)) {
      if (++lines > MOST_LINES) return k->n;
      /* Asking line by line takes the square of their number: what is open at the end of the text is not asked for long. */
      if (lines == SOME_LINES && line_is_open(k->text + *begin, k->n - *begin))
        return k->n;
      end = line_end(k, end + 1);
    }
    if (end >= at) return end;
  }
  return k->n;
}

/* False if there was nothing to be made blank. */
static bool make_blank(check *k, size_t begin, size_t end) {
  bool some = false;
  for (; begin < end; begin++) {
    char *at = &k->text[begin];
    if (*at == '\n' || *at == ' ') continue;
    *at = ' ';
    some = true;
  }
  return some;
}

static bool leave_out(check *k, size_t at) {
  size_t begin = line_begin(k, at), end = line_end(k, at);
  bool whole = k->as & TEXT_DEFINITION && begin == 0; /* its header */
  if (!whole && stands_alone(k, begin, end) && make_blank(k, begin, end)) return true;
  if (whole) return false;
  end = entry_around(k, at, &begin);
  return make_blank(k, begin, end);
}

unsigned check_as(const char *path) {
  return script_is_definition(path) ? TEXT_DEFINITION : TEXT_COMMANDS;
}

tree *check_text(check *k) {
  while (k->errors < MOST_ERRORS && !interrupted(k->c)) {
    source *src = source_new(k->c, k->name, k->text, k->n);
    tree *t = src ? parse_as(k->c, src, k->as) : NULL;
    source_release(k->c, src);
    if (t) return t;
    const err *e = &k->c->err;
    size_t begin = e->at.src ? e->at.begin : 0, end = e->at.src ? e->at.end : 0;
    if (begin > k->n) begin = k->n;
    if (end > k->n) end = k->n;
    k->errors++;
    k->each(k, e, begin, end);
    err_clear(k->c);
    if (!leave_out(k, begin)) return NULL;
  }
  return NULL;
}

/* ── vapl --check ───────────────────────────────────────────────────────────────────── */

static void check_print(const check *k, const err *e, size_t begin, size_t end) {
  size_t row = 1, column = 1;
  UNUSED(end);
  for (size_t i = 0; i < begin; i++) {
    if (k->text[i] == '\n') row++, column = 1;
    else if ((k->text[i] & 0xC0) != 0x80) column++;
  }
  terminal_print(stdout, "%s:%zu:%zu: %s: %s\n", k->name, row, column, err_name(e->code),
                 e->msg);
  if (k->errors == MOST_ERRORS) terminal_print(stdout, "%s: and more\n", k->name);
}

static int check_file(session *s, const char *path) {
  check k = {.c = &s->c, .name = path, .as = check_as(path), .each = check_print};
  if (!strcmp(path, "-")) path = "/dev/stdin";
  if (!script_read(&s->c, path, &k.text, &k.n)) {
    terminal_print(stderr, "vapl: %s\n", s->c.err.msg);
    err_clear(&s->c);
    return EXIT_USAGE;
  }
  tree_release(&s->c, check_text(&k));
  mem_free(&s->c, k.text);
  return k.errors ? EXIT_APL : 0;
}

int check_files(session *s, const char *file, int argc, const char *const *argv) {
  if (!file) {
    fputs("usage: vapl --check FILE…, or - for standard input\n", stderr);
    return EXIT_USAGE;
  }
  int code = check_file(s, file);
  for (int i = 0; i < argc && !interrupted(&s->c); i++) {
    int got = check_file(s, argv[i]);
    if (got > code) code = got;
  }
  return code;
}
