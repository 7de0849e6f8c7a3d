/* SPDX-License-Identifier: MIT */
/* fmt.c - vapl fmt [--check] FILE…: programs in one form. Names of glyphs become the glyphs,
 * lines are indented by the brackets, functions and control structures that they stand in, no
 * blanks stand around primitives and one where there was any between other things; comments
 * behind neighbouring lines stand in one column. What stands in strings and behind ⍝ stays as
 * it is, and so do commands of the session.
 *
 *   read ─▶ tokens ─▶ lines written anew ─▶ comments moved into columns ─▶ the same tokens? ─▶ a new file
 *
 * A name that the program assigns somewhere is its own and stays a name. The tokens of what is
 * written are compared with those that were read, so that no program can come to mean
 * something else: where they differ, or brackets do not match, the file stays as it is. */
#include "fmt.h"
#include "../src/base/mem.h"
#include "../src/base/utf8.h"
#include "../src/lexer/token.h"
#include "../src/lexer/tree.h"
#include "check.h"
#include "keymap.h"
#include "script.h"
#include "session.h"
#include "terminal.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GLYPHS = 128, DEEPEST = 256, INDENT = 2, SPREAD = 32 };
enum {
  ARROW = 0x2190,
  BRANCH = 0x2192,
  DIAMOND = 0x22C4,
  DEL = 0x2207,
  DEL_LOCK = 0x236B
};

/* A comment behind code. */
typedef struct note {
  uint32_t row;
  size_t at;           /* in what is written */
  size_t width, level; /* of the code before it; of its line */
  size_t depth; /* of brackets before the comment: a line that opens one stands alone */
} note;

typedef struct form {
  ctx *c;
  const char *text;
  size_t n;
  unsigned as;            /* TEXT_… */
  VEC(token) tokens;      /* a command of the session is one TOK_COMMENT */
  bool taken[GLYPHS];     /* names of glyphs that the program uses as its own */
  uint32_t open[DEEPEST]; /* on which line each open bracket stands */
  size_t depth;
  int level;   /* functions of lines and control structures that are open */
  bool within; /* a function of lines */
  VEC(note) notes;
  int line; /* that has been read */
  str out;
} form;

static void form_free(form *f) {
  vec_free(f->c, &f->tokens);
  vec_free(f->c, &f->notes);
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

static bool is_any(const char *text, size_t n, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == n && !strncasecmp(text, *words, n)) return true;
  return false;
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

static bool is_dot(const token *t) {
  return t->code == '.' && (t->kind == TOK_OPER || t->kind == TOK_PUNCT);
}

/* A line that names what it defines, by a header, :For or :Namespace: all names in it are the program's own. */
static bool is_defining(const form *f, size_t i) {
  static const char *const words[] = {"for",      "namespace", "class", "interface",
                                      "property", "field",     NULL};
  const token *t = &f->tokens.at[i];
  bool del = t->kind == TOK_GREEK && (t->code == DEL || t->code == DEL_LOCK);
  bool control = is_punct(t, ':') && t[1].kind == TOK_NAME;
  return del || is_punct(t, ';') ||
         (control && is_any(f->text + t[1].begin, t[1].end - t[1].begin, words));
}

/* What stands on the left of an arrow, before a colon, or in a line that defines. */
static void find_taken(form *f) {
  int depth = 0;
  bool begins = true, defines = false;
  for (size_t i = 0; i < f->tokens.n; i++) {
    const token *t = &f->tokens.at[i];
    depth = depth_after(t, depth);
    if (is_line_end(t)) begins = true;
    else if (begins) {
      defines = !depth && is_defining(f, i);
      begins = false;
    }
    if (is_punct(t, ARROW)) take_target(f, i);
    if (is_punct(t, ':') && i) fmt_take(f, i - 1);
    if (defines) fmt_take(f, i);
  }
}

/* The glyph that stands for token i, or NULL. A name behind or before a dot is a member's. In a file of definitions
 * a name may be what another file defines. */
static const char *replacement(const form *f, size_t i) {
  int g = glyph_named(f, i);
  const token *t = &f->tokens.at[i];
  if (g < 0 || f->taken[g] || f->as & TEXT_DEFINITION) return NULL;
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

/* ── control structures ── */

/* Is token i the name of a control word? Its colon begins a statement, or it is :In. */
static bool is_word(const form *f, size_t i) {
  const token *t = &f->tokens.at[i];
  static const char *const inner[] = {"in", "ineach", NULL};
  if (i < 1 || t->kind != TOK_NAME || !is_punct(t - 1, ':') || t[-1].end != t->begin)
    return false;
  if (i == 1 || is_line_end(t - 2) || is_punct(t - 2, DIAMOND) || is_punct(t - 2, ':'))
    return true;
  return is_any(f->text + t->begin, t->end - t->begin, inner);
}

/* By how many levels what follows the word is deeper; *here: its own line. */
static int word_turns(const char *text, size_t n, int *here) {
  static const char *const opens[] = {"if",         "while",     "repeat", "for",
                                      "select",     "trap",      "with",   "hold",
                                      "disposable", "namespace", "class",  "interface",
                                      "property",   "section",   "region", NULL};
  static const char *const between[] = {"else", "elseif",   "andif", "orif",
                                        "case", "caselist", NULL};
  static const char *const until[] = {"until", NULL};
  *here = 0;
  if (is_any(text, n, opens)) return 1;
  if (is_any(text, n, between)) *here = -1;
  if ((n < 3 || strncasecmp(text, "end", 3)) && !is_any(text, n, until)) return 0;
  *here = -1;
  return -1;
}

static bool is_del(const token *t) {
  return t->kind == TOK_GREEK && (t->code == DEL || t->code == DEL_LOCK);
}

/* By how many levels a ∇ that begins the line at token i turns. One that ends a line or stands before a line's number,
 * ∇f[2], opens nothing. */
static int del_turns(const form *f, size_t i, int *here) {
  const token *t = &f->tokens.at[i], *last = t;
  *here = 0;
  while (!is_line_end(last + 1) && last[1].kind != TOK_COMMENT) last++;
  if (f->within) {
    *here = -1;
    return -1;
  }
  bool edits = t[1].kind == TOK_NAME && is_punct(t + 2, '[') && t[3].kind != TOK_NAME;
  return !edits && last > t && !is_del(last);
}

/* The level of the line that begins with token i; what follows it stands as deep as f->level says then. */
static size_t level_of_line(form *f, size_t i) {
  int turn = 0, here = 0, own;
  const token *first = &f->tokens.at[i];
  if (!f->depth && is_del(first)) {
    turn = del_turns(f, i, &here);
    if (turn) f->within = turn > 0;
  }
  for (size_t k = i; !f->depth && !is_line_end(&f->tokens.at[k]); k++) {
    const token *t = &f->tokens.at[k];
    if (!is_word(f, k)) continue;
    turn += word_turns(f->text + t->begin, t->end - t->begin, &own);
    if (k == i + 1) here = own;
  }
  int level = f->level + here;
  f->level += turn;
  if (f->level < 0) f->level = 0;
  return level > 0 ? (size_t)level : 0;
}

/* ── blanks ── */

/* Needs what token i becomes no blanks around it: a function, an operator, an arrow? */
static bool binds(const form *f, size_t i) {
  const char *glyph = replacement(f, i);
  const token *t = &f->tokens.at[i];
  token become;
  if (glyph) {
    lexer l = {.text = glyph, .len = strlen(glyph)};
    become = lex_next(&l);
    t = &become;
  } else glyph = f->text + t->begin;
  bool executes = t->kind == TOK_SYSNAME && !strncmp(glyph, "⍎", strlen("⍎"));
  return t->kind == TOK_PRIM || t->kind == TOK_OPER || executes || is_punct(t, ARROW) ||
         is_punct(t, BRANCH);
}

static bool is_primitive(const token *t) {
  return t->kind == TOK_PRIM || t->kind == TOK_OPER;
}

/* Does no blank stand between token i and the one before? A point beside a name or a number would become a part of it. */
static bool joins(const form *f, size_t i) {
  const token *t = &f->tokens.at[i], *before = t - 1;
  if (is_word(f, i - 1)) return false;
  if (is_dot(t)) return is_primitive(before);
  if (is_dot(before)) return is_primitive(t);
  bool opens = is_punct(before, ';') || depth_after(before, 0) > 0;
  bool closes = is_punct(t, ';') || depth_after(t, 0) < 0;
  return opens || closes || binds(f, i - 1) || binds(f, i);
}

static size_t last_width(const str *s) {
  size_t from = s->n, width = 0;
  while (from && s->at[from - 1] != '\n') from--;
  for (const char *p = s->at + from, *end = s->at + s->n; p < end;)
    width += (size_t)utf8_width(utf8_next(p, end, &p));
  return width;
}

/* What stands between token i, which does not begin its line, and the one before; of a comment it is put later. */
static bool put_gap(form *f, size_t i, uint32_t row, size_t level) {
  const token *t = &f->tokens.at[i], *before = t - 1;
  if (t->kind == TOK_COMMENT) {
    note n = {row, f->out.n, last_width(&f->out), level, f->depth};
    return vec_push(f->c, &f->notes, n);
  }
  bool diamond = is_punct(t, DIAMOND) || is_punct(before, DIAMOND);
  if (diamond || (t->after_blank && !joins(f, i))) str_puts(&f->out, " ");
  return true;
}

/* Those from `from` on that stand in one column: behind neighbouring lines of one level, none of which is SPREAD longer than another. */
static size_t notes_together(const form *f, size_t from, size_t *width) {
  const note *n = f->notes.at;
  size_t least = n[from].width, k = from + 1;
  *width = least;
  for (; k < f->notes.n && n[k].row == n[k - 1].row + 1; k++) {
    if (n[k].level != n[from].level || n[k].depth != n[from].depth) break;
    size_t low = n[k].width < least ? n[k].width : least;
    size_t high = n[k].width > *width ? n[k].width : *width;
    if (high - low > SPREAD) break;
    least = low;
    *width = high;
  }
  return k;
}

/* Puts the blanks before all comments behind code. */
static void align_notes(form *f) {
  str to = {.c = f->c};
  size_t done = 0, width;
  for (size_t i = 0, end; i < f->notes.n; i = end) {
    end = notes_together(f, i, &width);
    for (size_t k = i; k < end; k++) {
      const note *n = &f->notes.at[k];
      str_put(&to, f->out.at + done, n->at - done);
      str_pad(&to, width + 1 - n->width);
      done = n->at;
    }
  }
  if (f->out.n) str_put(&to, f->out.at + done, f->out.n - done);
  str_free(&f->out);
  f->out = to;
}

static void end_line(str *s) {
  while (s->n &&
         (s->at[s->n - 1] == ' ' || s->at[s->n - 1] == '\t' || s->at[s->n - 1] == '\r'))
    s->at[--s->n] = 0;
}

/* A command of the session stands where it stood. */
static bool is_indented(const form *f, const token *t) {
  const char *p = f->text + t->begin;
  return t->kind != TOK_COMMENT || !strncmp(p, "⍝", strlen("⍝"));
}

static bool write_lines(form *f) {
  uint32_t row = 0;
  size_t level = 0;
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
    if (begins) {
      level = level_of_line(f, i) + level_at(f, i);
      if (is_indented(f, t)) str_pad(&f->out, INDENT * level);
    } else if (!put_gap(f, i, row, level)) return false;
    note_brackets(f, t, row);
    if (glyph) str_puts(&f->out, glyph);
    else str_put(&f->out, f->text + t->begin, t->end - t->begin);
    begins = false;
  }
  while (f->out.n > 1 && f->out.at[f->out.n - 2] == '\n') f->out.n--;
  align_notes(f);
  return true;
}

/* ── a program ──────────────────────────────────────────────────────────────────────── */

static bool differs(const form *f) {
  return err_set(f->c, ERR_LIMIT, "what vapl fmt would write is another program");
}

static bool fmt_parses(const form *f, const char *text, size_t n) {
  source *src = source_new(f->c, "", text, n);
  tree *t = src ? parse_as(f->c, src, f->as) : NULL;
  bool ok = t != NULL;
  source_release(f->c, src);
  tree_release(f->c, t);
  err_clear(f->c);
  return ok;
}

/* Has what was written the tokens that were read, or the glyphs for their names? Is it right if that was? */
static bool same_program(form *f) {
  form again = {.c = f->c};
  if (fmt_parses(f, f->text, f->n) && !fmt_parses(f, f->out.at, f->out.n))
    return differs(f);
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
    bool other = !replacement(f, i) && t->kind != u->kind;
    if (other || u->end - u->begin != n || memcmp(text, got, n)) ok = differs(f);
    k++;
  }
  vec_free(f->c, &again.tokens);
  return ok;
}

static bool format_text(form *f) {
  if (!read_tokens(f, f->text, f->n)) return false;
  find_taken(f);
  if (!write_lines(f) || f->out.failed) return false;
  return !f->out.n || same_program(f);
}

bool fmt_text(ctx *c, unsigned as, const char *text, size_t n, str *out) {
  __attribute__((cleanup(form_free))) form f = {.c = c, .text = text, .n = n, .as = as};
  f.out.c = c;
  if (!format_text(&f)) return false;
  str_put(out, f.out.at, f.out.n);
  return !out->failed;
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
static int format_file(session *s, const char *path, bool asks) {
  OWNED_STR str input = {.c = &s->c};
  char *text = NULL;
  __attribute__((cleanup(form_free)))
  form f = {.c = &s->c, .as = check_as(path), .out = {.c = &s->c}};
  bool piped = !strcmp(path, "-");
  bool ok = piped ? read_input(&s->c, &input) : script_read(&s->c, path, &text, &f.n);
  f.text = text;
  if (piped && ok) {
    f.text = input.at;
    f.n = input.n;
  }
  ok = ok && format_text(&f);
  bool same = ok && f.n == f.out.n && (!f.n || !memcmp(f.text, f.out.at, f.n));
  if (ok && piped && !asks) {
    if (f.out.n) terminal_write(stdout, f.out.at, f.out.n);
  } else if (ok && !same && asks) terminal_print(stdout, "%s\n", path);
  else if (ok && !same) ok = replace_file(&f, path);
  mem_free(&s->c, text);
  if (!ok) {
    terminal_print(stderr, "vapl fmt: %s:%d: %s: %s\n", path, f.line,
                   err_name(s->c.err.code), s->c.err.msg);
    err_clear(&s->c);
    return EXIT_APL;
  }
  return asks && !same;
}

int format_files(session *s, int argc, const char *const *argv) {
  bool asks = argc && !strcmp(argv[0], "--check");
  int code = 0;
  if (argc == asks) {
    fputs("usage: vapl fmt [--check] FILE…, or - for standard input\n", stderr);
    return EXIT_USAGE;
  }
  for (int i = asks; i < argc && !interrupted(&s->c); i++) {
    int got = format_file(s, argv[i], asks);
    if (got) code = got;
  }
  return code;
}
