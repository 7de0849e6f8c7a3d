/* SPDX-License-Identifier: MIT */
/* fmt.c - vapl fmt [--check] FILE…: programs in one form. Names of glyphs become the glyphs,
 * lines of a function that has several are indented by how deep they stand, blanks are one or
 * none; what stands in strings and behind ⍝ stays as it is, and so do commands of the session.
 *
 *   read ─▶ tokens ─▶ lines written anew ─▶ the same tokens? ─▶ a new file in place of the old
 *
 * A name that the program assigns somewhere is its own and stays a name. The tokens of what is
 * written are compared with those that were read, so that no program can come to mean
 * something else: where they differ, or brackets do not match, the file stays as it is. */
#include "../src/base/mem.h"
#include "../src/lexer/token.h"
#include "../src/lexer/tree.h"
#include "keymap.h"
#include "script.h"
#include "session.h"
#include "terminal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GLYPHS = 128, DEEPEST = 256, INDENT = 2, ARROW = 0x2190, DIAMOND = 0x22C4 };

typedef struct form {
  ctx *c;
  const char *text;
  size_t n;
  VEC(token) tokens;      /* a command of the session is one TOK_COMMENT */
  bool taken[GLYPHS];     /* names of glyphs that the program uses as its own */
  uint32_t open[DEEPEST]; /* on which line each open bracket stands */
  size_t depth;
  int line; /* that has been read */
  str out;
} form;

static void form_free(form *f) {
  vec_free(f->c, &f->tokens);
  str_free(&f->out);
}

/* ── tokens ─────────────────────────────────────────────────────────────────────────── */

static bool is_punct(const token *t, uint32_t code) {
  return t->kind == TOK_PUNCT && t->code == code;
}

/* Is there a command of the session at the start of a line, or the #! of a script? */
static bool is_command(const char *text, size_t n, size_t at) {
  if (at && text[at - 1] != '\n') return false;
  while (at < n && (text[at] == ' ' || text[at] == '\t')) at++;
  if (at + 1 >= n) return false;
  if (text[at] == '#' && text[at + 1] == '!') return true;
  char letter = (char)(text[at + 1] | 32);
  return (text[at] == ')' || text[at] == ']') && letter >= 'a' && letter <= 'z';
}

static int depth_after(const token *t, int depth) {
  if (t->kind != TOK_PUNCT) return depth;
  if (t->code == '(' || t->code == '[' || t->code == '{') return depth + 1;
  if (t->code == ')' || t->code == ']' || t->code == '}') return depth - 1;
  return depth;
}

/* All tokens of a text, the last a TOK_END; false after an error, with brackets open too. */
static bool read_tokens(form *f, const char *text, size_t n) {
  lexer l = {.c = f->c, .text = text, .len = n, .keep_comments = true};
  int depth = 0;
  f->line = 1;
  if (n >= UINT32_MAX) return err_set(f->c, ERR_LIMIT, "the file is too long");
  for (token t = {.kind = TOK_NAME}; t.kind != TOK_END;) {
    if (!depth && is_command(text, n, l.at)) {
      const char *stop = memchr(text + l.at, '\n', n - l.at);
      t = (token){.kind = TOK_COMMENT, .begin = (uint32_t)l.at, .end = (uint32_t)n};
      if (stop) t.end = (uint32_t)(stop - text);
      l.at = t.end;
    } else t = lex_next(&l);
    depth = depth_after(&t, depth);
    f->line += is_punct(&t, '\n');
    if (t.kind == TOK_ERROR) return false;
    if (depth < 0 || depth >= DEEPEST)
      return err_set(f->c, ERR_SYNTAX, "brackets do not match");
    if (!vec_push(f->c, &f->tokens, t)) return false;
  }
  return !depth || err_set(f->c, ERR_SYNTAX, "a bracket is open at the end");
}

static bool is_line_end(const token *t) {
  return t->kind == TOK_END || is_punct(t, '\n');
}

/* ── names of glyphs ────────────────────────────────────────────────────────────────── */

/* The row of the glyph that token i names; -1: none, or one that is no token of its own. */
static int glyph_named(const form *f, size_t i) {
  const token *t = &f->tokens.at[i];
  if (t->kind != TOK_NAME) return -1;
  const glyph_row *g = glyph_of_name(f->text + t->begin, t->end - t->begin);
  if (!g || g - glyph_table >= GLYPHS) return -1;
  lexer l = {.text = g->glyph, .len = strlen(g->glyph)};
  tok kind = lex_next(&l).kind;
  bool whole = kind == TOK_PRIM || kind == TOK_OPER || kind == TOK_GREEK ||
               kind == TOK_PUNCT || kind == TOK_SYSNAME;
  return whole ? (int)(g - glyph_table) : -1;
}

static void fmt_take(form *f, size_t i) {
  int g = glyph_named(f, i);
  if (g >= 0) f->taken[g] = true;
}

/* What stands left of the arrow at token i is the program's own: all names as far back as the
 * target may reach, in brackets too. */
static void take_target(form *f, size_t i) {
  int depth = 0;
  while (i-- > 0) {
    const token *t = &f->tokens.at[i];
    fmt_take(f, i);
    if (is_line_end(t) || is_punct(t, DIAMOND)) return;
    depth -= depth_after(t, 0);
    if (depth < 0 || (depth == 0 && t->kind != TOK_PRIM && t->kind != TOK_OPER)) return;
  }
}

static void find_taken(form *f) {
  for (size_t i = 0; i < f->tokens.n; i++) {
    const token *t = &f->tokens.at[i];
    if (is_punct(t, ARROW)) take_target(f, i);
    if (is_punct(t, ':') && i) fmt_take(f, i - 1);
  }
}

static bool is_dot(const token *t) {
  return t->code == '.' && (t->kind == TOK_OPER || t->kind == TOK_PUNCT);
}

/* The glyph that stands for token i, or NULL. A name behind or before a dot is a member's. */
static const char *replacement(const form *f, size_t i) {
  int g = glyph_named(f, i);
  const token *t = &f->tokens.at[i];
  if (g < 0 || f->taken[g]) return NULL;
  if (is_dot(t + 1)) return NULL;
  if (i > 1 && is_dot(t - 1) && t[-2].kind != TOK_PRIM) return NULL;
  return glyph_table[g].glyph;
}

/* ── lines ──────────────────────────────────────────────────────────────────────────── */

/* In how many lines are brackets open that lie around token i, which begins its line? */
static size_t level_at(const form *f, size_t i) {
  size_t depth = f->depth, level = 0;
  for (; depth && depth_after(&f->tokens.at[i], 0) < 0; i++) depth--;
  bool closes = depth < f->depth; /* as deep as the line that opened what it closes */
  for (size_t k = 0; k < depth; k++) {
    bool other = !k || f->open[k] != f->open[k - 1];
    if (other && !(closes && f->open[k] == f->open[depth])) level++;
  }
  return level;
}

static void note_brackets(form *f, const token *t, uint32_t row) {
  int change = depth_after(t, 0);
  if (change > 0) f->open[f->depth++] = row;
  if (change < 0) f->depth--;
}

/* Is token i a name that becomes a function, an operator or an arrow, which needs no blanks? */
static bool becomes_function(const form *f, size_t i) {
  const char *glyph = replacement(f, i);
  if (!glyph) return false;
  lexer l = {.text = glyph, .len = strlen(glyph)};
  token t = lex_next(&l);
  return t.kind == TOK_PRIM || t.kind == TOK_OPER || is_punct(&t, ARROW);
}

/* Does no blank stand behind token i, or in front of it? */
static bool joins_next(const form *f, size_t i) {
  const token *t = &f->tokens.at[i];
  bool begins = is_punct(t, ARROW) || is_punct(t, ';') || depth_after(t, 0) > 0;
  return begins || becomes_function(f, i);
}
static bool joins_before(const form *f, size_t i) {
  const token *t = &f->tokens.at[i];
  bool ends = is_punct(t, ARROW) || is_punct(t, ';') || depth_after(t, 0) < 0;
  return ends || becomes_function(f, i);
}

/* What stands between token i, which does not begin its line, and the one before. */
static void put_gap(form *f, size_t i) {
  const token *t = &f->tokens.at[i], *before = t - 1;
  if (t->kind == TOK_COMMENT) {
    str_put(&f->out, f->text + before->end, t->begin - before->end);
    return;
  }
  bool diamond = is_punct(t, DIAMOND) || is_punct(before, DIAMOND);
  bool apart = t->after_blank && !joins_next(f, i - 1) && !joins_before(f, i);
  if (diamond || apart) str_puts(&f->out, " ");
}

static void end_line(str *s) {
  while (s->n &&
         (s->at[s->n - 1] == ' ' || s->at[s->n - 1] == '\t' || s->at[s->n - 1] == '\r'))
    s->at[--s->n] = 0;
}

static void write_lines(form *f) {
  uint32_t row = 0;
  bool begins = true;
  for (size_t i = 0; i < f->tokens.n; i++) {
    const token *t = &f->tokens.at[i];
    const char *glyph = replacement(f, i);
    if (is_line_end(t)) {
      end_line(&f->out);
      if (t->kind != TOK_END || f->out.n) str_puts(&f->out, "\n");
      begins = true;
      row++;
      continue;
    }
    if (begins) str_pad(&f->out, INDENT * level_at(f, i));
    else put_gap(f, i);
    note_brackets(f, t, row);
    if (glyph) str_puts(&f->out, glyph);
    else str_put(&f->out, f->text + t->begin, t->end - t->begin);
    begins = false;
  }
  while (f->out.n > 1 && f->out.at[f->out.n - 2] == '\n') f->out.n--;
}

/* ── a program ──────────────────────────────────────────────────────────────────────── */

static bool differs(const form *f) {
  return err_set(f->c, ERR_LIMIT, "what vapl fmt would write is another program");
}

/* Has what was written the tokens that were read, or the glyphs for their names? */
static bool same_program(form *f) {
  form again = {.c = f->c};
  bool ok = read_tokens(&again, f->out.at, f->out.n);
  size_t k = 0;
  for (size_t i = 0; ok && i < f->tokens.n; i++) {
    const token *t = &f->tokens.at[i], *u = &again.tokens.at[k];
    const char *text = replacement(f, i), *got = f->out.at + u->begin;
    size_t n = text ? strlen(text) : t->end - t->begin;
    if (!text) text = f->text + t->begin;
    if (is_line_end(t) && is_line_end(u)) {
      k += u->kind != TOK_END;
      continue;
    }
    while (n && t->kind == TOK_COMMENT && strchr(" \t\r", text[n - 1])) n--;
    if (u->end - u->begin != n || memcmp(text, got, n)) ok = differs(f);
    k++;
  }
  vec_free(f->c, &again.tokens);
  return ok;
}

static bool format_text(form *f) {
  if (!read_tokens(f, f->text, f->n)) return false;
  find_taken(f);
  write_lines(f);
  if (f->out.failed) return false;
  return !f->out.n || same_program(f);
}

/* A file takes the place of the old one, where links lead to it, when all of it is written. */
static bool replace_file(form *f, const char *name) {
  OWNED_STR str to = {.c = f->c};
  struct stat was;
  char path[PATH_MAX];
  if (!realpath(name, path))
    return err_set(f->c, ERR_FILE_SYSTEM, "it cannot be written");
  str_printf(&to, "%s.XXXXXX", path);
  if (to.failed) return false;
  int fd = mkstemp(to.at);
  FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
  bool ok = out && !stat(path, &was) && !fchmod(fd, was.st_mode & 07777);
  ok = ok && fwrite(f->out.at, 1, f->out.n, out) == f->out.n;
  if (out && fclose(out)) ok = false;
  if (ok && !rename(to.at, path)) return true;
  if (fd >= 0) unlink(to.at);
  return err_set(f->c, ERR_FILE_SYSTEM, "it cannot be written");
}

static bool read_input(ctx *c, str *s) {
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, stdin)) > 0;) str_put(s, part, n);
  str_put(s, "", 0);
  return !s->failed && !interrupted(c);
}

/* Formats a file, "-" standard input to standard output. The exit code. */
static int format_file(session *s, const char *path, bool check) {
  OWNED_STR str input = {.c = &s->c};
  char *text = NULL;
  __attribute__((cleanup(form_free))) form f = {.c = &s->c, .out = {.c = &s->c}};
  bool piped = !strcmp(path, "-");
  bool ok = piped ? read_input(&s->c, &input) : script_read(&s->c, path, &text, &f.n);
  f.text = text;
  if (piped && ok) {
    f.text = input.at;
    f.n = input.n;
  }
  ok = ok && format_text(&f);
  bool same = ok && f.n == f.out.n && (!f.n || !memcmp(f.text, f.out.at, f.n));
  if (ok && piped && !check) {
    if (f.out.n) terminal_write(stdout, f.out.at, f.out.n);
  } else if (ok && !same && check) terminal_print(stdout, "%s\n", path);
  else if (ok && !same) ok = replace_file(&f, path);
  mem_free(&s->c, text);
  if (!ok) {
    terminal_print(stderr, "vapl fmt: %s:%d: %s: %s\n", path, f.line,
                   err_name(s->c.err.code), s->c.err.msg);
    err_clear(&s->c);
    return EXIT_APL;
  }
  return check && !same;
}

int format_files(session *s, int argc, const char *const *argv) {
  bool check = argc && !strcmp(argv[0], "--check");
  int code = 0;
  if (argc == check) {
    fputs("usage: vapl fmt [--check] FILE…, or - for standard input\n", stderr);
    return EXIT_USAGE;
  }
  for (int i = check; i < argc && !interrupted(&s->c); i++) {
    int got = format_file(s, argv[i], check);
    if (got) code = got;
  }
  return code;
}
