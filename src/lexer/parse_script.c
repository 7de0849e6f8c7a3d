/* SPDX-License-Identifier: MIT */
/* parse_script.c - scripts of namespaces, classes, interfaces and properties, and the lines in them, and in
 * methods, that say what something is: :Field, :Access, :Implements …
 *
 * What such a line means is the evaluator's: here it is a row of items behind a word. */
#include <string.h>
#include <strings.h>
#include "parser.h"

static const char *const script_words[] = {"Namespace", "Class", "Interface", "Property"};

bool parse_is_word(const tnode *t, const char *word) {
  return t->kind == T_NAME && !strcasecmp(t->text, word);
}

/* ── scripts ────────────────────────────────────────────────────────────────────────── */

static bool is_name(const tnode *s) {
  return s && s->n == 1 && s->kid[0]->kind == T_NAME;
}

static bool bad_head(parser *p, const tnode *n) {
  const char *word = script_words[n->code];
  const char *more = n->code == SCRIPT_CLASS ? ", and its base behind a colon" : "";
  return parse_fail(p, ERR_SYNTAX, n->begin, n->end, ":%s takes one name%s", word, more);
}

/* head = [name] | [name] [":" stmt] | stmt, of :Namespace, :Class and :Interface, :Property. Pushes the name and,
 * unless it is a namespace, what is behind it. */
static bool parse_head(parser *p, tnode *n) {
  tnode *s, *more = NULL;
  if (!parse_advance(p) || !parse_stmt(p, &s)) return false;
  bool based = n->code == SCRIPT_CLASS && parse_at(p, ':');
  if (based && (!parse_advance(p) || !parse_stmt(p, &more))) return false;
  bool ends = parse_at(p, NEXT_LINE) || p->t.kind == TOK_END;
  if (!ends || (based && !more)) return bad_head(p, n);
  if (n->code == SCRIPT_PROPERTY) return parse_push(p, NULL) && parse_push(p, s);
  if (s && !is_name(s)) return bad_head(p, n);
  return parse_push(p, s ? s->kid[0] : NULL) &&
         (n->code == SCRIPT_NAMESPACE || parse_push(p, more));
}

/* script = ":Namespace" head body ":EndNamespace", and likewise of the other words */
bool parse_script(parser *p) {
  size_t from = p->stack.n;
  int word = parse_script_word(p);
  tnode *n = parse_node(p, T_SCRIPT, p->t);
  if (!n || !parse_descend(p)) return false;
  n->code = (uint32_t)word - 1;
  n->end = p->t.end;
  if (!parse_head(p, n)) return false;
  p->scripts++;
  bool ok = parse_body(p, false);
  p->scripts--;
  p->depth--;
  const char *name = script_words[n->code];
  if (ok && p->t.kind == TOK_END)
    return parse_fail(p, ERR_SYNTAX, n->begin, n->end, ":%s is not closed", name);
  if (ok && parse_script_word(p) != -word) {
    token at = p->t;
    if (!parse_advance(p)) return false;
    return parse_fail(p, ERR_SYNTAX, at.begin, p->t.end, "%.*s does not end :%s",
                      (int)(p->t.end - at.begin), p->src->text + at.begin, name);
  }
  if (!ok || !parse_advance(p)) return false;
  n->end = p->t.end;
  return parse_take_kids(p, n, from) && parse_advance(p) && parse_push(p, n);
}

/* ── declarations ───────────────────────────────────────────────────────────────────── */

/* Those behind whose word any text is. */
static const char *const texts[] = {"signature", "attribute", "using", NULL};

static bool behind_colon(const parser *p, const char *const *words) {
  const char *at = p->src->text + p->t.end;
  return parse_at(p, ':') && parse_begins_with(at, p->src->len - p->t.end, words);
}

bool parse_at_declaration(const parser *p) {
  static const char *const all[] = {"access", "implements", "field", "include", NULL};
  return behind_colon(p, all) || behind_colon(p, texts);
}

/* :Require file://name, which is run as a command is. */
bool parse_at_require(const parser *p) {
  static const char *const word[] = {"require", NULL};
  return behind_colon(p, word);
}

/* declaration = ":" word [stmt] [":" "Base" [stmt]] | ":" word text */
tnode *parse_declaration(parser *p) {
  static const char *const base[] = {"base", NULL};
  tnode *n = parse_node(p, T_DECLARE, p->t), *s = NULL;
  size_t from = p->stack.n;
  bool text = behind_colon(p, texts);
  if (!n || !parse_advance(p)) return NULL;
  tnode *word = parse_node(p, T_NAME, p->t);
  char *name = word ? arena_alloc(p->mem, p->t.end - p->t.begin + 1) : NULL;
  if (!name) return NULL;
  word->n = p->t.end - p->t.begin;
  memcpy(name, p->src->text + p->t.begin, word->n);
  word->text = name;
  n->end = p->t.end;
  if (text ? !parse_skip_line(p) : !parse_advance(p) || !parse_stmt(p, &s)) return NULL;
  if (s) n->end = s->end;
  if (!parse_push(p, word) || !parse_push(p, s)) return NULL;
  if (behind_colon(p, base)) {
    if (!parse_advance(p) || !parse_advance(p) || !parse_stmt(p, &s) || !parse_push(p, s))
      return NULL;
    if (s) n->end = s->end;
  }
  return parse_take_kids(p, n, from) ? n : NULL;
}
