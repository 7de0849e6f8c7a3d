/* SPDX-License-Identifier: MIT */
/* parser.c - tokens to a tree, by recursive descent; the grammar rule stands above each
 * function.
 *
 * Whether a name is a function shows only when it runs, so a statement stays the row of its
 * items and there is no precedence to parse: what is left are the brackets, the separators
 * between statements, and the colons of guards and namespaces. A parenthesis or bracket that
 * holds a separator of its own is array notation.
 *
 * Items wait on one stack until their bracket closes, then move to the arena at their exact
 * size. Nesting is bounded, so the C stack is too. On an error everything is dropped; an
 * unclosed bracket is reported at its opening, where the mistake can be seen. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "../base/utf8.h"
#include "parser.h"

enum { MAX_DEPTH = 1000, COLONS = 0x2237 };

/* ── helpers ────────────────────────────────────────────────────────────────────────── */

bool parse_fail(parser *p, int code, uint32_t begin, uint32_t end, const char *fmt, ...) {
  char msg[200];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(msg, sizeof msg, fmt, ap);
  va_end(ap);
  err_set(p->c, code, "%s", msg);
  err_at(p->c, (span){p->src, begin, end});
  return false;
}

bool parse_advance(parser *p) {
  if (!(++p->tokens & 0xFFF) && interrupted(p->c)) return false;
  p->t = lex_next(&p->lx);
  if (p->t.kind != TOK_ERROR) return true;
  err_at(p->c, (span){p->src, p->t.begin, p->t.end});
  return false;
}

bool parse_at(const parser *p, uint32_t code) {
  return p->t.kind == TOK_PUNCT && p->t.code == code;
}

bool parse_at_separator(const parser *p) {
  return parse_at(p, DIAMOND) || parse_at(p, NEXT_LINE);
}

static bool at_colon(const parser *p) { return parse_at(p, ':') || parse_at(p, COLONS); }

static const char *token_text(const parser *p) { return p->src->text + p->t.begin; }

tnode *parse_node(parser *p, tkind kind, token t) {
  tnode *n = arena_alloc(p->mem, sizeof *n);
  if (!n) return NULL;
  n->kind = (uint8_t)kind;
  n->code = t.code;
  n->begin = t.begin;
  n->end = t.end;
  return n;
}

bool parse_push(parser *p, tnode *n) { return vec_push(p->c, &p->stack, n); }

bool parse_take_kids(parser *p, tnode *n, size_t from) {
  size_t count = p->stack.n - from;
  n->n = (uint32_t)count;
  p->stack.n = from;
  if (count == 0) return true;
  n->kid = arena_alloc(p->mem, count * sizeof *n->kid);
  if (!n->kid) return false;
  memcpy(n->kid, p->stack.at + from, count * sizeof *n->kid);
  return true;
}

bool parse_descend(parser *p) {
  if (stack_is_low(p->c))
    return parse_fail(p, ERR_LIMIT, p->t.begin, p->t.end,
                      "nested too deeply for the C stack");
  if (p->depth++ < MAX_DEPTH) return parse_advance(p);
  return parse_fail(p, ERR_LIMIT, p->t.begin, p->t.end, "nested more than %d deep",
                    MAX_DEPTH);
}

/* The closing bracket of n must be the current token. */
static bool ascend(parser *p, tnode *n, char close) {
  char open = p->src->text[n->begin];
  if (at_colon(p) || parse_at(p, ';'))
    return parse_fail(p, ERR_SYNTAX, p->t.begin, p->t.end, "%.*s cannot stand in %c %c",
                      (int)(p->t.end - p->t.begin), token_text(p), open, close);
  if (!parse_at(p, (unsigned char)close))
    return parse_fail(p, ERR_SYNTAX, n->begin, n->begin + 1, "%c is not closed", open);
  n->end = p->t.end;
  p->depth--;
  return parse_advance(p);
}

/* The same: n, or NULL. */
static tnode *with_kids(parser *p, tnode *n, size_t from) {
  return parse_take_kids(p, n, from) ? n : NULL;
}

/* ── items ──────────────────────────────────────────────────────────────────────────── */

/* numbers = number { number } */
static tnode *parse_numbers(parser *p) {
  tnode *n = parse_node(p, T_NUMBERS, p->t);
  if (!n) return NULL;
  p->nums.n = 0;
  while (p->t.kind == TOK_NUMBER) {
    tnum v;
    lex_number(token_text(p), p->src->text + p->t.end, &v);
    n->end = p->t.end;
    if (!vec_push(p->c, &p->nums, v) || !parse_advance(p)) return NULL;
  }
  n->n = (uint32_t)p->nums.n;
  n->num = arena_alloc(p->mem, p->nums.n * sizeof *n->num);
  if (!n->num) return NULL;
  memcpy(n->num, p->nums.at, p->nums.n * sizeof *n->num);
  return n;
}

/* Goes on behind a node's token: the node, or NULL if there is none or no further token. */
static tnode *behind(parser *p, tnode *n) {
  if (!n || !parse_advance(p)) return NULL;
  return n;
}

/* string = "'" { character | "''" } "'" | '"' { character | '""' } '"' */
static tnode *parse_string(parser *p) {
  tnode *n = parse_node(p, T_STRING, p->t);
  const char *q = token_text(p) + 1, *end = p->src->text + p->t.end - 1;
  size_t room = utf8_count(q, (size_t)(end - q));
  if (!n) return NULL;
  n->chars = arena_alloc(p->mem, (room + 1) * sizeof *n->chars);
  if (!n->chars) return NULL;
  while (q < end) {
    uint32_t c = utf8_next(q, end, &q);
    if (c == p->t.code) q++;
    n->chars[n->n++] = c;
  }
  return behind(p, n);
}

/* A name with its text; those that start with ⎕ in upper case. */
static tnode *parse_name(parser *p) {
  bool sys = p->t.kind == TOK_SYSNAME;
  tnode *n = parse_node(p, sys ? T_SYSNAME : T_NAME, p->t);
  if (!n) return NULL;
  size_t len = p->t.end - p->t.begin;
  char *text = arena_alloc(p->mem, len + 1);
  if (!text) return NULL;
  memcpy(text, token_text(p), len);
  for (size_t i = 0; sys && i < len; i++)
    if (text[i] >= 'a' && text[i] <= 'z') text[i] = (char)(text[i] - 32);
  n->code = 0;
  n->n = (uint32_t)len;
  n->text = text;
  return behind(p, n);
}

static tkind greek_kind(uint32_t code, bool twice) {
  switch (code) {
  case 0x237A: return twice ? T_ALPHA2 : T_ALPHA;
  case 0x2375: return twice ? T_OMEGA2 : T_OMEGA;
  default: return twice ? T_DEL2 : T_DEL;
  }
}

/* ⍺ ⍵ ∇, or two of the same without a blank. ⍺⍺ and ⍵⍵ make an operator of their dfn. */
static tnode *parse_greek(parser *p) {
  if (p->t.code == DEL_LOCK) {
    parse_fail(p, ERR_SYNTAX, p->t.begin, p->t.end,
               "⍫ stands before a header, or alone behind the last line");
    return NULL;
  }
  bool twice = p->t.end - p->t.begin > 3;
  tkind k = greek_kind(p->t.code, twice);
  if (p->dop && k == T_ALPHA2 && *p->dop == 0) *p->dop = 1;
  if (p->dop && k == T_OMEGA2) *p->dop = 2;
  return behind(p, parse_node(p, k, p->t));
}

static tnode *parse_glyph(parser *p, tkind kind) {
  tnode *n = parse_node(p, kind, p->t);
  if (n && kind == T_PRIM) n->prim = (uint16_t)prim_of(p->t.code);
  if (n && kind == T_HASH) n->n = p->t.end - p->t.begin;
  return behind(p, n);
}

/* Can the item to the left of a point be a namespace? */
static bool may_be_space(tkind k) {
  switch (k) {
  case T_NAME:
  case T_SYSNAME:
  case T_HASH:
  case T_PAREN:
  case T_BRACKET:
  case T_ALPHA:
  case T_OMEGA:
  case T_ALPHA2:
  case T_OMEGA2:
  case T_SPACE:
  case T_VECTOR: return true;
  default: return false;
  }
}

/* Can the current token be found in a namespace? */
static bool may_be_member(const parser *p) {
  return p->t.kind == TOK_NAME || p->t.kind == TOK_SYSNAME || parse_at(p, '(') ||
         parse_at(p, '{') || parse_at(p, '#');
}

/* A point is part of a namespace path when what can be a namespace is on its left and what
 * can be found in one is on its right; otherwise the operator. */
static tnode *parse_dot(parser *p, const tnode *left) {
  tnode *n = parse_glyph(p, T_OPER);
  if (n && left && may_be_space((tkind)left->kind) && may_be_member(p)) n->kind = T_DOT;
  return n;
}

/* ── brackets ───────────────────────────────────────────────────────────────────────── */

/* pair = name ":" stmt; the name was parsed as the statement `name`. Pushes both. */
static bool parse_pair(parser *p, const tnode *name) {
  tnode *value;
  uint32_t colon = p->t.begin;
  if (name->n != 1 || name->kid[0]->kind != T_NAME)
    return parse_fail(p, ERR_SYNTAX, colon, colon + 1, "a colon behind what is no name");
  if (!parse_advance(p) || !parse_stmt(p, &value)) return false;
  if (!value)
    return parse_fail(p, ERR_SYNTAX, name->begin, colon + 1, "a name without a value");
  return parse_push(p, name->kid[0]) && parse_push(p, value);
}

/* paren  = "(" stmt ")"
 * vector = "(" { sep } stmt sep { stmt sep } [stmt] ")" | "(" sep { sep } stmt ")"
 * space  = "(" { sep } [pair { sep { sep } pair } { sep }] ")" */
static tnode *parse_paren(parser *p) {
  tnode *n = parse_node(p, T_PAREN, p->t);
  size_t from = p->stack.n, values = 0, pairs = 0;
  bool broken = false;
  if (!n || !parse_descend(p)) return NULL;
  for (;;) {
    tnode *s;
    if (!parse_stmt(p, &s)) return NULL;
    if (s && parse_at(p, ':')) {
      pairs++;
      if (!parse_pair(p, s)) return NULL;
    } else if (s) {
      values++;
      if (!parse_push(p, s)) return NULL;
    }
    if (!parse_at_separator(p)) break;
    broken = true;
    if (!parse_advance(p)) return NULL;
  }
  if (!ascend(p, n, ')')) return NULL;
  if (pairs && values) {
    parse_fail(p, ERR_SYNTAX, n->begin, n->end, "values with a name and without");
    return NULL;
  }
  if (values == 0) n->kind = T_SPACE;
  else if (broken) n->kind = T_VECTOR;
  return with_kids(p, n, from);
}

/* index  = "[" [stmt] { ";" [stmt] } "]"
 * matrix = "[" { sep } stmt sep { stmt sep } [stmt] "]" | "[" sep { sep } stmt "]" */
static tnode *parse_bracket(parser *p) {
  tnode *n = parse_node(p, T_BRACKET, p->t);
  size_t from = p->stack.n;
  bool broken = false, index = false;
  if (!n || !parse_descend(p)) return NULL;
  for (;;) {
    tnode *s;
    if (!parse_stmt(p, &s)) return NULL;
    bool more = parse_at(p, ';'), sep = parse_at_separator(p);
    index |= more;
    broken |= sep;
    if (index && broken) {
      parse_fail(p, ERR_SYNTAX, p->t.begin, p->t.end, "; and a separator in one [ ]");
      return NULL;
    }
    if ((s || !broken) && !parse_push(p, s)) return NULL;
    if (!more && !sep) break;
    if (!parse_advance(p)) return NULL;
  }
  if (!ascend(p, n, ']')) return NULL;
  if (broken) n->kind = T_MATRIX;
  if (broken && p->stack.n == from) {
    parse_fail(p, ERR_SYNTAX, n->begin, n->end, "[ ] without an element");
    return NULL;
  }
  return with_kids(p, n, from);
}

/* dfn = "{" body "}" */
static tnode *parse_dfn(parser *p) {
  tnode *n = parse_node(p, T_DFN, p->t);
  uint8_t *outer = p->dop;
  size_t from = p->stack.n;
  if (!n || !parse_descend(p)) return NULL;
  p->dop = &n->dop;
  bool ok = parse_body(p, true) && ascend(p, n, '}') && parse_take_kids(p, n, from);
  p->dop = outer;
  return ok ? n : NULL;
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

static tnode *parse_punct(parser *p, const tnode *left) {
  switch (p->t.code) {
  case '(': return parse_paren(p);
  case '[': return parse_bracket(p);
  case '{': return parse_dfn(p);
  case '.': return parse_dot(p, left);
  case '#': return parse_glyph(p, T_HASH);
  case 0x2190: return parse_glyph(p, T_ASSIGN);
  case 0x2192: return parse_glyph(p, T_BRANCH);
  default: return parse_glyph(p, T_ZILDE);
  }
}

/* item = numbers | string | name | greek | primitive | operator | "←" | "→" | "⍬" | "#" | "."
 *      | paren | vector | space | index | matrix | dfn */
static tnode *parse_item(parser *p, const tnode *left) {
  switch (p->t.kind) {
  case TOK_NUMBER: return parse_numbers(p);
  case TOK_STRING: return parse_string(p);
  case TOK_NAME:
  case TOK_SYSNAME: return parse_name(p);
  case TOK_GREEK: return parse_greek(p);
  case TOK_PRIM: return parse_glyph(p, T_PRIM);
  case TOK_OPER: return parse_glyph(p, T_OPER);
  default: return parse_punct(p, left);
  }
}

static bool ends_stmt(const parser *p) {
  if (p->t.kind == TOK_END) return true;
  if (p->t.kind != TOK_PUNCT) return false;
  switch (p->t.code) {
  case ')':
  case ']':
  case '}':
  case ';':
  case ':':
  case COLONS:
  case DIAMOND:
  case NEXT_LINE: return true;
  default: return false;
  }
}

/* Replaces ⎕∘← on top of the stack by the function {⎕←⍵}, for which it is short, and any other ∘←
 * by ⊢←, which does the same. */
static bool parse_jot_arrow(parser *p, size_t from) {
  enum { JOT = 0x2218, QUAD_BYTES = 3 };
  if (p->stack.n < from + 3) return true;
  tnode **it = p->stack.at + p->stack.n - 3;
  bool quad = it[0]->kind == T_SYSNAME && it[0]->n == QUAD_BYTES;
  bool jot = it[1]->kind == T_OPER && it[1]->code == JOT && it[2]->kind == T_ASSIGN;
  if (!jot) return true;
  it[1]->kind = T_PRIM;
  it[1]->prim = P_RIGHT;
  if (!quad) return true;
  token t = {.begin = it[0]->begin, .end = it[2]->end};
  tnode *arg = parse_node(p, T_OMEGA, t), *stmt = parse_node(p, T_STMT, t),
        *f = parse_node(p, T_DFN, t);
  if (!arg || !stmt || !f) return false;
  it[1] = it[2];
  it[2] = arg;
  if (!parse_take_kids(p, stmt, p->stack.n - 3) || !parse_push(p, stmt)) return false;
  return parse_take_kids(p, f, p->stack.n - 1) && parse_push(p, f);
}

/* stmt = item { item }; *out is NULL where there is none. */
bool parse_stmt(parser *p, tnode **out) {
  size_t from = p->stack.n;
  const tnode *left = NULL;
  *out = NULL;
  while (!ends_stmt(p)) {
    tnode *item = parse_item(p, left);
    if (!item || !parse_push(p, item) || !parse_jot_arrow(p, from)) return false;
    left = p->stack.at[p->stack.n - 1];
  }
  if (!left) return true;
  const tnode *first = p->stack.at[from];
  tnode *n = parse_node(p, T_STMT, (token){.begin = first->begin, .end = left->end});
  if (!n || !parse_take_kids(p, n, from)) return false;
  *out = n;
  return true;
}

/* guard = stmt (":" | "::") [stmt], in a dfn; the condition is parsed. */
static tnode *parse_guard(parser *p, tnode *cond) {
  tkind kind = parse_at(p, ':') ? T_GUARD : T_ERRGUARD;
  tnode *n = parse_node(p, kind, p->t), *result;
  if (!n || !parse_advance(p) || !parse_stmt(p, &result)) return NULL;
  n->code = 0;
  n->begin = cond->begin;
  if (result) n->end = result->end;
  n->n = 2;
  n->kid = arena_alloc(p->mem, 2 * sizeof *n->kid);
  if (!n->kid) return NULL;
  n->kid[0] = cond;
  n->kid[1] = result;
  return n;
}

bool parse_refuse_colon(parser *p, bool in_dfn) {
  token colon = p->t;
  if (!parse_advance(p)) return false;
  if (p->t.kind != TOK_NAME || colon.code != ':' || p->t.after_blank)
    return parse_fail(p, ERR_SYNTAX, colon.begin, colon.end,
                      "nothing is before the colon");
  const char *word = token_text(p), *why = "is no control word";
  if (in_dfn) why = "is a control word: a dfn has none";
  return parse_fail(p, ERR_SYNTAX, colon.begin, p->t.end, ":%.*s %s",
                    (int)lex_shown(word, p->t.end - p->t.begin), word, why);
}

static bool is_lower_or_upper(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

bool parse_begins_with(const char *at, size_t n, const char *const *words) {
  for (; *words; words++) {
    size_t m = strlen(*words);
    if (n < m || strncasecmp(at, *words, m)) continue;
    if (n == m || !is_lower_or_upper(at[m])) return true;
  }
  return false;
}

/* :Section and :Region, and their ends, are headings: nothing happens. */
bool parse_is_heading(const char *at, size_t n) {
  static const char *const all[] = {"section", "endsection", "region", "endregion", NULL};
  return parse_begins_with(at, n, all);
}

bool parse_at_heading(const parser *p) {
  return parse_at(p, ':') &&
         parse_is_heading(p->src->text + p->t.end, p->src->len - p->t.end);
}

bool parse_skip_line(parser *p) {
  const char *at = p->src->text + p->t.end;
  size_t rest = p->src->len - p->t.end;
  const char *end = memchr(at, '\n', rest);
  p->lx.at = p->t.end + (end ? (size_t)(end - at) : rest);
  return parse_advance(p);
}

/* Is the statement s, before a semicolon, the header of a traditional function, r←f x;local? */
static bool is_header(const tnode *s) {
  return s && s->n > 1 && s->kid[0]->kind == T_NAME;
}

/* A colon or a semicolon is behind the statement s. Always false. */
static bool refuse_behind(parser *p, const tnode *s, bool in_dfn) {
  const char *hint = "";
  if (!in_dfn && parse_at(p, ';') && is_header(s))
    return parse_fail(
        p, ERR_SYNTAX, p->t.begin, p->t.end,
        "; cannot stand here: ∇ begins a traditional function, before its header");
  if (!in_dfn && parse_at(p, ':')) hint = ": labels are within functions";
  return parse_fail(p, ERR_SYNTAX, p->t.begin, p->t.end, "%.*s cannot stand here%s",
                    (int)(p->t.end - p->t.begin), token_text(p), hint);
}

/* Is the current token the start of a line like )OFF or ]box? */
static bool at_command(const parser *p) {
  const char *at = token_text(p), *text = p->src->text;
  bool bracket = parse_at(p, ')') || parse_at(p, ']');
  if (!bracket || p->t.end >= p->src->len || !is_lower_or_upper(at[1])) return false;
  while (at > text && (at[-1] == ' ' || at[-1] == '\t')) at--;
  return at == text || at[-1] == '\n';
}

static bool parse_command(parser *p) {
  tnode *n = parse_node(p, T_COMMAND, p->t);
  if (!n || !parse_skip_line(p)) return false;
  n->end = p->t.begin;
  return parse_push(p, n);
}

/* What only stands outside functions, *some: is there any? */
static bool parse_top(parser *p, bool *some) {
  *some = true;
  if (parse_at_heading(p)) return parse_skip_line(p);
  if (parse_at_del(p)) return parse_trad(p);
  if (parse_script_word(p) > 0) return parse_script(p);
  if (parse_at_require(p)) return parse_command(p);
  if (parse_at_declaration(p)) {
    tnode *n = parse_declaration(p);
    return n && parse_push(p, n);
  }
  if (parse_at_word(p)) return parse_control(p);
  if (p->commands && !p->scripts && at_command(p)) return parse_command(p);
  *some = false;
  return true;
}

/* body = { [stmt | guard] sep } [stmt | guard]; guards in a dfn only. Pushes them. */
bool parse_body(parser *p, bool in_dfn) {
  tnode *s;
  for (;;) {
    bool some = false;
    s = NULL;
    if (!in_dfn && p->scripts && parse_script_word(p) < 0) return true;
    if (!in_dfn && !parse_top(p, &some)) return false;
    if (!some && !parse_stmt(p, &s)) return false;
    if (!s && at_colon(p)) return parse_refuse_colon(p, in_dfn);
    if (s && in_dfn && at_colon(p)) {
      s = parse_guard(p, s);
      if (!s) return false;
    }
    if (s && !parse_push(p, s)) return false;
    if (!parse_at_separator(p)) break;
    if (!parse_advance(p)) return false;
  }
  return (!at_colon(p) && !parse_at(p, ';')) || refuse_behind(p, s, in_dfn);
}

/* program = body | header lines */
static tnode *parse_program(parser *p, bool defines) {
  tnode *n = parse_node(p, T_PROGRAM, (token){.end = (uint32_t)p->src->len});
  if (!n || !parse_advance(p)) return NULL;
  if (!(defines ? parse_definition(p) : parse_body(p, false))) return NULL;
  if (p->t.kind == TOK_END) return with_kids(p, n, 0);
  bool bracket = parse_at(p, ')') || parse_at(p, ']') || parse_at(p, '}');
  const char *hint = "";
  if (!bracket) {
    refuse_behind(p, NULL, false);
    return NULL;
  }
  if (at_command(p)) hint = ": commands are for sessions and scripts";
  parse_fail(p, ERR_SYNTAX, p->t.begin, p->t.end, "%.1s closes nothing%s", token_text(p),
             hint);
  return NULL;
}

tree *parse(ctx *c, source *src) { return parse_as(c, src, 0); }

tree *parse_as(ctx *c, source *src, unsigned as) {
  if (src->len >= UINT32_MAX) return err_null(c, ERR_LIMIT, "a text of 4 GiB or more");
  tree *t = mem_zalloc(c, sizeof *t);
  if (!t) return NULL;
  t->mem.c = c;
  t->src = source_retain(src);
  parser p = {.c = c, .src = src, .mem = &t->mem, .commands = as & TEXT_COMMANDS};
  p.lx = (lexer){.c = c, .text = src->text, .len = src->len};
  t->root = parse_program(&p, as & TEXT_DEFINITION);
  vec_free(c, &p.stack);
  vec_free(c, &p.nums);
  if (t->root) return t;
  tree_release(c, t);
  return NULL;
}

/* What closes an opening bracket; 0: the token is none. */
static char closing(uint32_t code) {
  switch (code) {
  case '(': return ')';
  case '[': return ']';
  case '{': return '}';
  default: return 0;
  }
}

static bool closes(uint32_t code) { return code == ')' || code == ']' || code == '}'; }

int parse_open(const char *text, size_t n) {
  lexer l = {.text = text, .len = n};
  char want[MAX_DEPTH]; /* what closes each open bracket */
  int depth = 0;
  open_blocks o = {.starts = true};
  if (n >= UINT32_MAX) return 0;
  for (;;) {
    token t = lex_next(&l);
    if (t.kind == TOK_ERROR) return 0;
    if (t.kind == TOK_END) return depth + o.depth + o.del;
    if (!depth && open_blocks_edit(&o, &t)) {
      bool closed;
      const char *end = parse_edit(text + t.end, text + n, &closed);
      if (end && !closed) return 1;
      if (end) l.at = (size_t)(end - text);
      if (end) continue;
    }
    if (!depth && open_blocks_see(&o, text, &t))
      while (l.at < n && text[l.at] != '\n') l.at++;
    if (t.kind != TOK_PUNCT) continue;
    if (closing(t.code)) {
      if (depth == MAX_DEPTH) return 0;
      want[depth++] = closing(t.code);
    } else if (closes(t.code)) {
      if (depth == 0) return 0;
      depth--;
      if (want[depth] != (char)t.code) return 0;
    }
  }
}
