/* SPDX-License-Identifier: MIT */
/* lsp_answer.c - what vapl lsp answers about a place in a text, or a text.
 *
 * What a name is the text's names say (lsp_names.h), what a glyph is the topics of ]help do, how a program is laid out
 * vapl fmt's function. In a line that is wrong, names are found by their tokens. */
#include "../src/eval/system/command.h"
#include "../src/eval/value/sysname.h"
#include "../src/lexer/token.h"
#include "../src/tables/glyphs.h"
#include "fmt.h"
#include "line.h"
#include "lsp.h"
#include <string.h>
#include <strings.h>

typedef struct asked {
  lsp_doc *d;
  size_t at;
  const lsp_symbol *symbol; /* of the name there; NULL */
} asked;

static uint32_t symbol_number(const lsp_doc *d, const lsp_symbol *s) {
  return (uint32_t)(s - d->names.symbols.at);
}

/* ── tokens ─────────────────────────────────────────────────────────────────────────── */

typedef struct tokens { /* of a line, or of a text: one after the other */
  lexer l;
  token t, before; /* the one that was read last, and that before it */
  bool first;      /* the last one begins a statement */
  bool control;    /* in a statement that begins with a control word */
  bool word;       /* the last one is the name of a control word, behind its colon */
} tokens;

static bool is_sign(const token *t, uint32_t code) {
  return t->kind == TOK_PUNCT && t->code == code;
}

/* Reads the next one; false: the end. A wrong one ends its line. */
static bool token_next(tokens *k, ctx *c) {
  enum { DIAMOND = 0x22C4 };
  bool ended = k->t.kind == TOK_END || k->t.kind == TOK_COMMENT || is_sign(&k->t, '\n') ||
               is_sign(&k->t, DIAMOND);
  bool colon = is_sign(&k->t, ':') && (k->first || k->control);
  if (ended) k->control = false;
  const char *from = k->l.text + k->l.at;
  if (is_sign(&k->t, '\n') || !k->l.at) {
    const char *stop = memchr(from, '\n', k->l.len - k->l.at);
    size_t n = stop ? (size_t)(stop - from) : k->l.len - k->l.at;
    if (line_is_command(from, n)) k->l.at += n;
  }
  k->before = k->t;
  k->t = lex_next(&k->l);
  if (k->t.kind == TOK_ERROR) {
    const char *stop = memchr(k->l.text + k->t.begin, '\n', k->l.len - k->t.begin);
    k->l.at = stop ? (size_t)(stop - k->l.text) : k->l.len;
    err_clear(c);
  }
  k->first = ended;
  k->word = colon && k->t.kind == TOK_NAME && k->t.begin == k->before.end;
  if (k->word) k->control = true;
  return k->t.kind != TOK_END;
}

/* The token of a line that has, or ends at, a byte of the text; what it ends at counts only if nothing begins there.
 * Its places are counted from the line's first byte, which is *line. */
static bool token_at(lsp_doc *d, size_t at, size_t *row, tokens *found) {
  size_t end = lsp_line(d, at, row);
  tokens k = {.l = {.text = d->text.at + *row, .len = end - *row, .keep_comments = true}};
  bool any = false;
  while (token_next(&k, d->c)) {
    if (*row + k.t.begin > at) break;
    if (*row + k.t.end >= at) {
      *found = k;
      any = true;
    }
  }
  return any;
}

/* ── places ─────────────────────────────────────────────────────────────────────────── */

/* The symbol of a name's token in a line that the tree has not. */
static const lsp_symbol *symbol_of_token(lsp_doc *d, size_t at) {
  OWNED_STR str name = {.c = d->c};
  tokens k;
  size_t row;
  if (!d->tree || !token_at(d, at, &row, &k) || k.t.kind != TOK_NAME) return NULL;
  str_put(&name, d->text.at + row + k.t.begin, k.t.end - k.t.begin);
  if (name.failed) return NULL;
  uint32_t s =
      lsp_names_find(&d->names, lsp_names_scope(&d->names, (uint32_t)at), name.at);
  return s == NO_NAME ? NULL : &d->names.symbols.at[s];
}

static bool ask(const lsp *l, json_t *params, asked *k) {
  k->d = lsp_doc_of(l, params);
  json_t *position = json_object_get(params, "position");
  if (!k->d || !json_is_object(position)) return false;
  k->at = lsp_byte(k->d, position);
  const lsp_use *use = lsp_names_at(&k->d->names, (uint32_t)k->at);
  k->symbol = use ? &k->d->names.symbols.at[use->symbol] : symbol_of_token(k->d, k->at);
  return true;
}

static json_t *lsp_location(lsp_doc *d, size_t begin, size_t end) {
  return json_pack("{s:s,s:o}", "uri", d->uri, "range", lsp_range(d, begin, end));
}

json_t *lsp_define(lsp *l, json_t *params) {
  asked k;
  if (!ask(l, params, &k)) return NULL;
  if (!k.symbol || k.symbol->kind == NAME_UNKNOWN) return json_null();
  return lsp_location(k.d, k.symbol->name_begin, k.symbol->name_end);
}

json_t *lsp_refer(lsp *l, json_t *params) {
  asked k;
  if (!ask(l, params, &k)) return NULL;
  json_t *list = json_array(), *context = json_object_get(params, "context");
  bool all = !json_is_false(json_object_get(context, "includeDeclaration"));
  for (size_t i = 0; k.symbol && i < k.d->names.uses.n; i++) {
    const lsp_use *u = &k.d->names.uses.at[i];
    if (u->symbol == symbol_number(k.d, k.symbol) && (all || !u->defines))
      json_array_append_new(list, lsp_location(k.d, u->begin, u->end));
  }
  return list;
}

json_t *lsp_highlight(lsp *l, json_t *params) {
  enum { READ = 2, WRITE = 3 };
  asked k;
  if (!ask(l, params, &k)) return NULL;
  json_t *list = json_array();
  for (size_t i = 0; k.symbol && i < k.d->names.uses.n; i++) {
    const lsp_use *u = &k.d->names.uses.at[i];
    if (u->symbol == symbol_number(k.d, k.symbol))
      json_array_append_new(list, json_pack("{s:o,s:i}", "range",
                                            lsp_range(k.d, u->begin, u->end), "kind",
                                            u->defines ? WRITE : READ));
  }
  return list;
}

/* ── renaming ───────────────────────────────────────────────────────────────────────── */

json_t *lsp_can_rename(lsp *l, json_t *params) {
  asked k;
  if (!ask(l, params, &k)) return NULL;
  const lsp_use *u = lsp_names_at(&k.d->names, (uint32_t)k.at);
  return u ? lsp_range(k.d, u->begin, u->end) : json_null();
}

static bool is_one_name(const char *text, size_t n) {
  lexer l = {.text = text, .len = n};
  token t = lex_next(&l);
  return t.kind == TOK_NAME && !t.begin && t.end == n;
}

/* Does the text stand for something where the symbol is seen, so that the two would become one? */
static bool is_taken(const lsp_names *k, const lsp_symbol *s, const char *text) {
  const lsp_scope *in = &k->scopes.at[s->scope];
  for (size_t i = 0; i < k->uses.n; i++) {
    const lsp_use *u = &k->uses.at[i];
    bool within = !s->scope || (u->begin >= in->begin && u->end <= in->end);
    if (within && !strcmp(k->symbols.at[u->symbol].text, text)) return true;
  }
  return false;
}

json_t *lsp_rename(lsp *l, json_t *params) {
  asked k;
  json_t *name = json_object_get(params, "newName");
  if (!ask(l, params, &k) || !json_is_string(name)) return NULL;
  l->why = "no name is here";
  if (!k.symbol) return NULL;
  l->why = "that is no name";
  if (!is_one_name(json_string_value(name), json_string_length(name))) return NULL;
  l->why = "that name is in use here";
  if (is_taken(&k.d->names, k.symbol, json_string_value(name))) return NULL;
  json_t *edits = json_array();
  for (size_t i = 0; i < k.d->names.uses.n; i++) {
    const lsp_use *u = &k.d->names.uses.at[i];
    if (u->symbol == symbol_number(k.d, k.symbol))
      json_array_append_new(edits,
                            json_pack("{s:o,s:O}", "range",
                                      lsp_range(k.d, u->begin, u->end), "newText", name));
  }
  return json_pack("{s:{s:o}}", "changes", k.d->uri, edits);
}

/* ── hover ──────────────────────────────────────────────────────────────────────────── */

static bool is_comment_line(const char *p, size_t n) {
  while (n && (*p == ' ' || *p == '\t')) p++, n--;
  return n >= strlen("⍝") && !memcmp(p, "⍝", strlen("⍝"));
}

/* Appends the line at `at`; if it has to be a comment, only one that is. */
static bool put_line(str *s, const lsp_doc *d, size_t at, bool comment) {
  size_t begin, end = lsp_line(d, at, &begin);
  if (comment && !is_comment_line(d->text.at + begin, end - begin)) return false;
  str_put(s, d->text.at + begin, end - begin);
  str_puts(s, "\n");
  return true;
}

/* The line that defines it, with the comments above and below. */
static void put_symbol(str *s, lsp_doc *d, const lsp_symbol *k) {
  static const char *const kinds[] = {"not defined here", "array",     "function",
                                      "operator",         "namespace", "local name"};
  size_t row, above, column;
  lsp_place(d, k->name_begin, &row, &column);
  str_printf(s, "%s: %s", k->text, kinds[k->kind]);
  if (k->kind == NAME_UNKNOWN) return;
  str_printf(s, ", line %zu\n", row + 1);
  for (above = row; above; above--) {
    size_t begin, end = lsp_line(d, d->lines.at[above - 1], &begin);
    if (!is_comment_line(d->text.at + begin, end - begin)) break;
  }
  while (above < row) put_line(s, d, d->lines.at[above++], true);
  put_line(s, d, k->name_begin, false);
  if (k->kind == NAME_ARRAY || k->kind == NAME_LOCAL) return;
  while (++row < d->lines.n && put_line(s, d, d->lines.at[row], true)) {}
}

/* What ]help says about the token, or about the command that begins the line; false: nothing. */
static bool put_help(str *s, lsp_doc *d, size_t at) {
  tokens k;
  size_t begin, end = lsp_line(d, at, &begin);
  const char *row = d->text.at + begin;
  if (line_is_command(row, end - begin)) {
    size_t n = strspn(row, " \t");
    row += n;
    n = strcspn(row, " \t\r\n");
    help_about(s, row, n);
    return true;
  }
  if (!token_at(d, at, &begin, &k)) return false;
  if (is_sign(&k.t, ':') && k.first && token_next(&k, d->c)) {
  } /* a control word, from its colon on */
  size_t from = k.word ? k.before.begin : k.t.begin;
  bool sign = k.t.kind == TOK_PRIM || k.t.kind == TOK_OPER || k.t.kind == TOK_GREEK ||
              k.t.kind == TOK_SYSNAME;
  bool punct =
      k.t.kind == TOK_PUNCT && k.t.code != '\n' && !strchr(")]};", (int)(k.t.code & 127));
  if (!k.word && !sign && !punct) return false;
  help_about(s, row + from, k.t.end - from);
  return true;
}

json_t *lsp_hover(lsp *l, json_t *params) {
  asked k;
  if (!ask(l, params, &k)) return NULL;
  OWNED_STR str s = {.c = l->c};
  if (k.symbol) put_symbol(&s, k.d, k.symbol);
  else if (!put_help(&s, k.d, k.at)) return json_null();
  if (s.failed) return NULL;
  return json_pack("{s:{s:s,s:s#}}", "contents", "kind", "plaintext", "value", s.at,
                   (int)s.n);
}

/* ── completion ─────────────────────────────────────────────────────────────────────── */

enum {
  ITEM_FUNCTION = 3,
  ITEM_VARIABLE = 6,
  ITEM_SPACE = 9,
  ITEM_KEYWORD = 14,
  ITEM_SIGN = 24
};

typedef struct completer {
  asked k;
  const char *typed; /* what is completed */
  size_t n;
  json_t *list, *range;
} completer;

static bool begins(const completer *c, const char *name) {
  return !strncasecmp(name, c->typed, c->n);
}

/* A name that stands in place of what is typed; filter: what the editor compares with that. */
static void offer(const completer *c, const char *label, const char *text,
                  const char *filter, int kind, const char *detail) {
  json_array_append_new(c->list,
                        json_pack("{s:s,s:i,s:s,s:s*,s:{s:O,s:s}}", "label", label,
                                  "kind", kind, "detail", detail, "filterText", filter,
                                  "textEdit", "range", c->range, "newText", text));
}

static void offer_glyph(const completer *c, const glyph_row *g, const char *filter) {
  char label[40], detail[40];
  snprintf(label, sizeof label, "%s  %s", g->glyph, g->name);
  snprintf(detail, sizeof detail, "typed in a session: `%c", g->key);
  offer(c, label, g->glyph, filter ? filter : g->name, ITEM_SIGN, detail);
}

/* Behind a ` by key or name, else by name alone. */
static void offer_glyphs(const completer *c, bool prefix) {
  OWNED_STR str filter = {.c = c->k.d->c};
  str_puts(&filter, "`");
  str_put(&filter, c->typed, c->n);
  if (filter.failed) return;
  for (int i = 0; i < glyph_count; i++) {
    const glyph_row *g = &glyph_table[i];
    bool key = prefix && c->n == 1 && g->key == *c->typed;
    if (key) offer_glyph(c, g, filter.at);
  }
  for (int i = 0; i < glyph_count; i++)
    if (begins(c, glyph_table[i].name) && (prefix || c->n))
      offer_glyph(c, &glyph_table[i], prefix ? filter.at : NULL);
}

static void offer_names(const completer *c) {
  const lsp_names *k = &c->k.d->names;
  static const char *const details[] = {"",         "array",     "function",
                                        "operator", "namespace", "local name"};
  static const int kinds[] = {0,          ITEM_VARIABLE, ITEM_FUNCTION, ITEM_FUNCTION,
                              ITEM_SPACE, ITEM_VARIABLE};
  if (!c->k.d->tree) return;
  uint32_t from = lsp_names_scope(k, (uint32_t)c->k.at);
  for (uint32_t i = 0; i < k->symbols.n; i++) {
    const lsp_symbol *s = &k->symbols.at[i];
    if (s->kind != NAME_UNKNOWN && begins(c, s->text) &&
        lsp_names_find(k, from, s->text) == i)
      offer(c, s->text, s->text, NULL, kinds[s->kind], details[s->kind]);
  }
}

static void offer_system(const completer *c) {
  for (int i = 0; sys_name(i); i++)
    if (begins(c, sys_name(i)))
      offer(c, sys_name(i), sys_name(i), sys_name(i), ITEM_FUNCTION, sys_help(i));
}

static void offer_words(const completer *c) {
  for (size_t i = 0; parse_control_word(i); i++)
    if (begins(c, parse_control_word(i)))
      offer(c, parse_control_word(i), parse_control_word(i), NULL, ITEM_KEYWORD,
            "control word");
}

/* Where the ` before the letters or the key at the end of a line's n bytes is; n: there is none. */
static size_t find_prefix(const char *row, size_t n) {
  enum { LONGEST = 24 };
  for (size_t i = n; i && n - i < LONGEST; i--) {
    if (row[i - 1] == '`') return i - 1;
    bool letter = (row[i - 1] | 32) >= 'a' && (row[i - 1] | 32) <= 'z';
    if (!letter && i < n) break;
  }
  return n;
}

/* Is the byte in a text or a comment? */
static bool is_quoted(const char *row, size_t n) {
  tokens k = {.l = {.text = row, .len = n, .keep_comments = true}};
  lexer *l = &k.l;
  for (token t = lex_next(l);; t = lex_next(l)) {
    if (t.kind == TOK_END) return false;
    if (t.kind == TOK_COMMENT) return true;
    if (t.kind == TOK_ERROR)
      return t.begin < n && (row[t.begin] == '\'' || row[t.begin] == '"');
  }
}

json_t *lsp_complete(lsp *l, json_t *params) {
  completer c = {.n = 0};
  size_t row, from;
  tokens k = {.first = false};
  if (!ask(l, params, &c.k)) return NULL;
  lsp_line(c.k.d, c.k.at, &row);
  const char *text = c.k.d->text.at + row;
  size_t n = c.k.at - row;
  c.list = json_array();
  size_t prefix = find_prefix(text, n);
  bool some = !is_quoted(text, prefix);
  k.l = (lexer){.text = text, .len = n, .keep_comments = true};
  if (prefix == n)
    for (tokens next = k; token_next(&next, l->c);) k = next;
  bool touches = k.t.end == n && n;
  bool colon = touches && is_sign(&k.t, ':') && k.first;
  bool name = touches && (k.t.kind == TOK_NAME || k.t.kind == TOK_SYSNAME);
  from = name ? k.t.begin : n;
  if (prefix < n) from = prefix;
  c.typed = text + (prefix < n ? prefix + 1 : from);
  c.n = (size_t)(text + n - c.typed);
  c.range = lsp_range(c.k.d, row + from, c.k.at);
  if (!some) {
  } else if (prefix < n) offer_glyphs(&c, true);
  else if (colon || (name && k.word)) offer_words(&c);
  else if (name && k.t.kind == TOK_SYSNAME) offer_system(&c);
  else if (!is_sign(&k.t, '.') || !touches) {
    offer_names(&c);
    offer_glyphs(&c, false);
  }
  json_decref(c.range);
  return json_pack("{s:b,s:o}", "isIncomplete", prefix < n, "items", c.list);
}

/* ── the outline ────────────────────────────────────────────────────────────────────── */

static json_t *outline(lsp_doc *d, uint32_t scope) {
  static const int kinds[] = {
      [NAME_ARRAY] = 13, [NAME_FUNCTION] = 12, [NAME_OPERATOR] = 25, [NAME_SPACE] = 3};
  json_t *list = json_array();
  for (size_t i = 0; i < d->names.symbols.n; i++) {
    const lsp_symbol *s = &d->names.symbols.at[i];
    if (s->scope != scope || s->kind == NAME_UNKNOWN || s->kind == NAME_LOCAL) continue;
    json_t *kids = s->inner == NO_NAME ? json_array() : outline(d, s->inner);
    json_t *whole = lsp_range(d, s->begin, s->end),
           *name = lsp_range(d, s->name_begin, s->name_end);
    json_array_append_new(list, json_pack("{s:s,s:i,s:o,s:o,s:o}", "name", s->text,
                                          "kind", kinds[s->kind], "range", whole,
                                          "selectionRange", name, "children", kids));
  }
  return list;
}

json_t *lsp_outline(lsp *l, json_t *params) {
  lsp_doc *d = lsp_doc_of(l, params);
  return d ? outline(d, 0) : NULL;
}

/* ── the form ───────────────────────────────────────────────────────────────────────── */

/* One edit, of the lines from the first to the last that differ. */
json_t *lsp_format(lsp *l, json_t *params) {
  lsp_doc *d = lsp_doc_of(l, params);
  OWNED_STR str now = {.c = l->c};
  if (!d || !fmt_text(l->c, lsp_as(d), d->text.at, d->text.n, &now)) return NULL;
  size_t begin = 0, same = 0, n = d->text.n;
  while (begin < n && begin < now.n && d->text.at[begin] == now.at[begin]) begin++;
  while (begin && d->text.at[begin - 1] != '\n') begin--;
  while (same < n - begin && same < now.n - begin &&
         d->text.at[n - same - 1] == now.at[now.n - same - 1])
    same++;
  while (same && d->text.at[n - same - 1] != '\n') same--;
  if (begin == n && begin == now.n) return json_array();
  return json_pack("[{s:o,s:s#}]", "range", lsp_range(d, begin, n - same), "newText",
                   now.at ? now.at + begin : "", (int)(now.n - same - begin));
}

/* ── colours ────────────────────────────────────────────────────────────────────────── */

enum {
  C_NAMESPACE,
  C_FUNCTION,
  C_VARIABLE,
  C_PARAMETER,
  C_KEYWORD,
  C_COMMENT,
  C_STRING,
  C_NUMBER,
  C_PRIMITIVE,
  C_DECORATOR,
  C_MACRO,
  C_NO
};
const char *const lsp_colours[] = {"namespace", "function",  "variable", "parameter",
                                   "keyword",   "comment",   "string",   "number",
                                   "operator",  "decorator", "macro",    NULL};

static int colour_of_name(const lsp_doc *d, uint32_t at, bool *defines) {
  static const int colours[] = {C_VARIABLE,  C_VARIABLE,  C_FUNCTION,
                                C_DECORATOR, C_NAMESPACE, C_PARAMETER};
  const lsp_use *u = lsp_names_at(&d->names, at + 1);
  if (!u || u->begin != at) return C_NO;
  *defines = u->defines;
  return colours[d->names.symbols.at[u->symbol].kind];
}

static int colour_of(const lsp_doc *d, const tokens *k, bool *defines) {
  if (k->word) return C_KEYWORD;
  switch (k->t.kind) {
  case TOK_NAME: return colour_of_name(d, k->t.begin, defines);
  case TOK_SYSNAME: return C_MACRO;
  case TOK_GREEK: return C_PARAMETER;
  case TOK_PRIM: return C_PRIMITIVE;
  case TOK_OPER: return C_DECORATOR;
  case TOK_NUMBER: return C_NUMBER;
  case TOK_STRING: return C_STRING;
  case TOK_COMMENT: return C_COMMENT;
  default: return C_NO;
  }
}

/* Five numbers each: lines and units from the one before, length, type, modifiers. */
json_t *lsp_colour(lsp *l, json_t *params) {
  lsp_doc *d = lsp_doc_of(l, params);
  size_t row = 0, column = 0;
  if (!d) return NULL;
  json_t *data = json_array();
  tokens k = {.l = {.text = d->text.at, .len = d->text.n, .keep_comments = true}};
  while (token_next(&k, l->c) && !interrupted(l->c)) {
    bool defines = false;
    int colour = colour_of(d, &k, &defines);
    size_t begin = k.word ? k.before.begin : k.t.begin; /* with its colon */
    size_t at, place, ignored, stop = lsp_line(d, begin, &ignored);
    if (colour == C_NO || stop <= begin) continue;
    if (k.t.end < stop) stop = k.t.end;
    lsp_place(d, begin, &at, &place);
    size_t numbers[] = {at - row, at == row ? place - column : place,
                        lsp_units(d->text.at + begin, stop - begin), (size_t)colour,
                        defines};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
      json_array_append_new(data, json_integer((json_int_t)numbers[i]));
    row = at;
    column = place;
  }
  return json_pack("{s:o}", "data", data);
}
