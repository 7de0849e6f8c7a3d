/* SPDX-License-Identifier: MIT */
/* lexer.c - text to tokens.
 *
 * APL needs little of a lexer: nearly every character is a token of its own. One call reads
 * one token, nothing is kept but the position, so the parser, the REPL (is this line
 * complete?) and the token dump all run the same code over any text. A token says where it
 * lies; what it means is read from its bytes when the tree is built.
 *
 * Numbers are the longest literal that fits, and adjacent ones need no blank: `1.2.3` is
 * 1.2 0.3 and `1¯2` is 1 ¯2. A number that ends as none does (`1E`, `5EJ`) is refused; other
 * letters behind one begin a name (`2step`).
 *
 * A lexer without a context (parse_open has none) reports errors by TOK_ERROR alone. */
#include <string.h>
#include "token.h"
#include "../base/utf8.h"
#include "../tables/prim.h"
#include "literal.h"

enum { NEXT_LINE = 0x85, INFINITE = 0x221E, COLONS = 0x2237, NO_CHAR = 0xFFFD };

static const uint32_t PUNCT[] = U"()[]{};:⋄←→⍬#.";
static const uint32_t GREEK[] = U"⍺⍵∇⍫";
static const uint32_t OPERS[] = {
#define OPER(id, code, ...) code,
#define OPER_ABSENT(id, code, ...) code,
#include "../tables/oper.def"
    0};
/* Primitive functions of the language, whether prim.def has a row for them or not. */
static const uint32_t PRIMS[] = U"⍟○!?⍒⍋⍸∪∩∊⍷⌷⊤⊥⌹⍲⍱⊆";

static bool among(uint32_t c, const uint32_t *set) {
  while (*set && *set != c) set++;
  return *set != 0;
}

static bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

/* The letters of names as Dyalog lists them: Latin without Þ ý ÿ, and the circled ones. */
static bool is_letter(uint32_t c) {
  if (c < 0x80) return (c | 32) - 'a' < 26 || c == '_';
  if (c < 0x100)
    return c >= 0xC0 && c != 0xD7 && c != 0xF7 && c != 0xDE && c != 0xFD && c != 0xFF;
  return c == 0x2206 || c == 0x2359 || (c >= 0x24B6 && c <= 0x24CF);
}

static bool is_break(uint32_t c) { return c == '\n' || c == '\r' || c == NEXT_LINE; }

/* The code point at byte `at`, 0 at the end of the text; *next is behind it. */
static uint32_t peek(const lexer *l, size_t at, size_t *next) {
  const char *behind;
  *next = at;
  if (at >= l->len) return 0;
  uint32_t c = utf8_next(l->text + at, l->text + l->len, &behind);
  *next = (size_t)(behind - l->text);
  return c;
}

/* Where the line that holds byte `at` ends: at its line break or the end of the text. */
static size_t line_end(const lexer *l, size_t at) {
  size_t next = at;
  while (at < l->len && !is_break(peek(l, at, &next))) at = next;
  return at;
}

/* Columns count characters from 1. */
static size_t column(const lexer *l, size_t at) {
  size_t from = at;
  while (from > 0 && l->text[from - 1] != '\n' && l->text[from - 1] != '\r') from--;
  return utf8_count(l->text + from, at - from) + 1;
}

/* ── tokens ─────────────────────────────────────────────────────────────────────────── */

static token make(lexer *l, tok kind, uint32_t code, size_t begin, size_t end) {
  l->at = end;
  return (token){kind, code, (uint32_t)begin, (uint32_t)end, false};
}

size_t lex_shown(const char *text, size_t n) {
  enum { MOST = 40 };
  if (n <= MOST) return n;
  n = MOST;
  while ((text[n] & 0xC0) == 0x80) n--;
  return n;
}

/* The bytes [begin, end) are no token. `fmt` shows them with one %.*s. */
static token bad(lexer *l, int code, const char *fmt, size_t begin, size_t end) {
  const char *text = l->text + begin;
  if (l->c) err_set(l->c, code, fmt, (int)lex_shown(text, end - begin), text);
  return make(l, TOK_ERROR, 0, begin, end);
}

/* Says why c, in n bytes from `begin` on, is no part of the language. */
static void refuse(lexer *l, uint32_t c, size_t begin, int n) {
  size_t col = column(l, begin);
  if (c == NO_CHAR && n == 1)
    err_set(l->c, ERR_SYNTAX, "malformed UTF-8: byte 0x%02X in column %zu",
            (unsigned)(uint8_t)l->text[begin], col);
  else if (c == INFINITE)
    err_set(l->c, ERR_SYNTAX, "∞ (U+221E) in column %zu: infinity has no literal", col);
  else if (c > 0x20 && (c < 0x7F || c > 0xA0))
    err_set(l->c, ERR_SYNTAX, "stray character %.*s (U+%04X) in column %zu", n,
            l->text + begin, (unsigned)c, col);
  else
    err_set(l->c, ERR_SYNTAX, "stray character U+%04X in column %zu", (unsigned)c, col);
}

/* A character that is no part of the language, or a byte that is no part of a character. */
static token stray(lexer *l, uint32_t c, size_t begin, size_t end) {
  if (l->c) refuse(l, c, begin, (int)(end - begin));
  return make(l, TOK_ERROR, 0, begin, end);
}

/* A digit, or a point before a digit? */
static bool at_digits(const lexer *l, size_t at) {
  size_t next;
  uint32_t c = peek(l, at, &next);
  if (c == '.') c = peek(l, next, &next);
  return is_digit(c);
}

/* The bytes from `at` on that look like one word: what a malformed number's message shows. */
static size_t word_end(const lexer *l, size_t at) {
  for (;;) {
    size_t next;
    uint32_t c = peek(l, at, &next);
    if (!is_letter(c) && !is_digit(c) && c != '.' && c != 0xAF) return at;
    at = next;
  }
}

/* Is the word from `at` on, which is longer than a number, only letters that numbers have? A
 * name behind a number is a token of its own: 2step. */
static bool looks_numeric(const lexer *l, size_t at) {
  size_t end = word_end(l, at), next;
  for (; at < end; at = next) {
    uint32_t c = peek(l, at, &next);
    if (is_letter(c) && c != 'E' && c != 'e' && c != 'J' && c != 'j') return false;
  }
  return true;
}

/* The number at `at`; `digits` is behind its high minus, if it has one. */
static token lex_num(lexer *l, size_t at, size_t digits) {
  tnum ignored;
  size_t next, n = lex_number(l->text + at, l->text + l->len, &ignored);
  bool ends = !is_letter(peek(l, at + n, &next)) || !looks_numeric(l, at + n);
  if (n > 0 && ends) return make(l, TOK_NUMBER, 0, at, at + n);
  if (n > 0) return bad(l, ERR_SYNTAX, "malformed number %.*s", at, word_end(l, at));
  if (at_digits(l, digits))
    return bad(l, ERR_DOMAIN, "the number %.*s is out of range", at, word_end(l, at));
  uint32_t c = peek(l, digits, &next);
  if (c == INFINITE) return stray(l, c, digits, next);
  return bad(l, ERR_SYNTAX, "%.*s without a number", at, digits);
}

static token open_quote(lexer *l, size_t begin, size_t end) {
  if (l->c)
    err_set(l->c, ERR_SYNTAX, "a quote in column %zu is not closed", column(l, begin));
  return make(l, TOK_ERROR, 0, begin, end);
}

/* Quotes of the same kind are doubled inside; a string ends on its line. */
static token lex_string(lexer *l, uint32_t quote, size_t begin) {
  size_t at = begin + 1, next;
  for (;; at = next) {
    uint32_t c = peek(l, at, &next);
    if (next == at || is_break(c)) return open_quote(l, begin, at);
    if (c == NO_CHAR && next == at + 1) return stray(l, c, at, next);
    if (c != quote) continue;
    if (next >= l->len || (uint8_t)l->text[next] != quote)
      return make(l, TOK_STRING, quote, begin, next);
    next++;
  }
}

/* Behind the letters and digits from `at` on. */
static size_t name_end(const lexer *l, size_t at) {
  for (;;) {
    size_t next;
    uint32_t c = peek(l, at, &next);
    if (!is_letter(c) && !is_digit(c)) return at;
    at = next;
  }
}

/* ⎕ alone, ⎕ with a name, ⍞, or ⍎, which needs what system functions need. */
static token lex_quad(lexer *l, uint32_t c, size_t begin, size_t next) {
  size_t ignored;
  size_t end = next;
  if (c == 0x2395 && is_letter(peek(l, next, &ignored))) end = name_end(l, next);
  return make(l, TOK_SYSNAME, c, begin, end);
}

static token lex_punct(lexer *l, uint32_t c, size_t begin, size_t next) {
  bool twice = next < l->len && (c == ':' || c == '#') && l->text[next] == (char)c;
  if (twice) next++;
  if (twice && c == ':') c = COLONS;
  return make(l, TOK_PUNCT, c, begin, next);
}

static token lex_break(lexer *l, uint32_t c, size_t begin, size_t next) {
  if (c == '\r' && next < l->len && l->text[next] == '\n') next++;
  return make(l, TOK_PUNCT, '\n', begin, next);
}

/* A byte order mark, then a line that starts with #!, at the start of a text. */
static void skip_head(lexer *l) {
  if (l->len >= 3 && memcmp(l->text, "\xEF\xBB\xBF", 3) == 0) l->at = 3;
  if (l->len - l->at >= 2 && memcmp(l->text + l->at, "#!", 2) == 0)
    l->at = line_end(l, l->at);
}

/* Characters that look like one of the language's and are typed for it. */
static uint32_t same_as(uint32_t c) {
  switch (c) {
  case '^': return 0x2227;   /* ∧ */
  case 0x3B1: return 0x237A; /* Greek α: ⍺ */
  case 0x3B5:
  case 0x3F5: return 0x220A; /* ε, ϵ: ∊ */
  case 0x3B9: return 0x2373; /* ι: ⍳ */
  case 0x3C1: return 0x2374; /* ρ: ⍴ */
  case 0x3C9: return 0x2375; /* ω: ⍵ */
  case 0x2212: return '-';   /* the minus sign */
  case 0x2217: return '*';
  case 0x2208: return 0x220A; /* ∈: ∊ */
  case 0x2223: return '|';
  case 0x223C: return '~';
  case 0x22C6: return '*';
  case 0x25CA: return 0x22C4; /* ◊: ⋄ */
  default: return c;
  }
}

/* One of ⍺ ⍵ ∇ ⍫, or two of the same. */
static token lex_greek(lexer *l, uint32_t c, size_t begin, size_t next) {
  size_t again;
  if (same_as(peek(l, next, &again)) == c) next = again;
  return make(l, TOK_GREEK, c, begin, next);
}

static token lex_one(lexer *l) {
  size_t at = l->at, next;
  uint32_t c = same_as(peek(l, at, &next));
  if (next == at) return make(l, TOK_END, 0, at, at);
  if (c == 0xAF) return lex_num(l, at, next);
  if (at_digits(l, at)) return lex_num(l, at, at);
  if (is_letter(c)) return make(l, TOK_NAME, 0, at, name_end(l, at));
  if (is_break(c)) return lex_break(l, c, at, next);
  if (c == '\'' || c == '"') return lex_string(l, c, at);
  if (c == 0x235D) return make(l, TOK_COMMENT, 0, at, line_end(l, at));
  if (c == 0x2395 || c == 0x235E || c == 0x234E) return lex_quad(l, c, at, next);
  if (among(c, PUNCT)) return lex_punct(l, c, at, next);
  if (among(c, GREEK)) return lex_greek(l, c, at, next);
  if (among(c, OPERS)) return make(l, TOK_OPER, c, at, next);
  if (c != 0 && (prim_of(c) != P_COUNT || among(c, PRIMS)))
    return make(l, TOK_PRIM, c, at, next);
  return stray(l, c, at, next);
}

token lex_next(lexer *l) {
  size_t start = l->at;
  if (start == 0) skip_head(l);
  for (;;) {
    while (l->at < l->len && (l->text[l->at] == ' ' || l->text[l->at] == '\t')) l->at++;
    bool after_blank = l->at > start;
    token t = lex_one(l);
    t.after_blank = after_blank;
    if (t.kind != TOK_COMMENT || l->keep_comments) return t;
  }
}
