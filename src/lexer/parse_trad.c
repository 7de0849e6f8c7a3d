/* SPDX-License-Identifier: MIT */
/* parse_trad.c - traditional functions and control structures: lines to a flat list of steps.
 *
 *   ∇ r←f x;i            FOR i along ⍳x  ─┐
 *    :For i :In ⍳x       NEXT ─▶ 5        │ in this block
 *     →(i>9)/0           BRANCH (i>9)/0   │
 *    :EndFor             JUMP 1          ─┘
 *    r←i                 EXPR r←i
 *   ∇
 *
 * Structures are matched here, so that words without their partner are errors of the definition.
 * A step that jumps waits in a list, linked by `to`, until the place is known. A block is what
 * needs a state while it runs (the rounds of :For, the value of :Select, the errors of :Trap, the
 * namespace of :With): each step names the one that it is in, so that a jump from anywhere to
 * anywhere knows which to leave.
 *
 * What stands between :If and :OrIf runs only while the condition is open, and is known to
 * stand there only when :OrIf comes: the last test is turned round then. */
#include <string.h>
#include "parser.h"

#define NOWHERE UINT32_MAX

typedef enum word {
  W_IF,
  W_ELSEIF,
  W_ELSE,
  W_ENDIF,
  W_ANDIF,
  W_ORIF,
  W_WHILE,
  W_ENDWHILE,
  W_UNTIL,
  W_REPEAT,
  W_ENDREPEAT,
  W_FOR,
  W_IN,
  W_INEACH,
  W_ENDFOR,
  W_SELECT,
  W_CASE,
  W_CASELIST,
  W_ENDSELECT,
  W_TRAP,
  W_ENDTRAP,
  W_WITH,
  W_ENDWITH,
  W_HOLD,
  W_ENDHOLD,
  W_DISPOSABLE,
  W_ENDDISPOSABLE,
  W_LEAVE,
  W_CONTINUE,
  W_RETURN,
  W_GOTO,
  W_NAMESPACE,
  W_ENDNAMESPACE,
  W_CLASS,
  W_ENDCLASS,
  W_INTERFACE,
  W_ENDINTERFACE,
  W_PROPERTY,
  W_ENDPROPERTY,
  W_END,
  W_NONE
} word;

static const char *const words[] = {
    "If",           "ElseIf",     "Else",          "EndIf",  "AndIf",     "OrIf",
    "While",        "EndWhile",   "Until",         "Repeat", "EndRepeat", "For",
    "In",           "InEach",     "EndFor",        "Select", "Case",      "CaseList",
    "EndSelect",    "Trap",       "EndTrap",       "With",   "EndWith",   "Hold",
    "EndHold",      "Disposable", "EndDisposable", "Leave",  "Continue",  "Return",
    "GoTo",         "Namespace",  "EndNamespace",  "Class",  "EndClass",  "Interface",
    "EndInterface", "Property",   "EndProperty",   "End"};

typedef struct block { /* a structure that is open */
  word kind;           /* the word that began it */
  token at;            /* its place */
  uint32_t begin;      /* its first step */
  uint32_t around;     /* the block with a state that it is in */
  uint32_t test;       /* the last test of its condition; NOWHERE: it has none */
  /* Lists of steps that jump: behind a test that fails, to the body, behind the structure by its
   * parts' ends and by :Leave, and by :Continue. */
  uint32_t nexts, bodies, ends, leaves, again;
  word joint; /* W_ANDIF or W_ORIF, where the condition has one */
  bool is_else, has_case;
} block;

typedef struct builder {
  parser *p;
  trad *t;
  VEC(tstep) step;
  VEC(uint32_t) line;
  VEC(block) open;
  VEC(tnode *) label;
  VEC(uint32_t) label_line;
  VEC(tnode *) declared;
  token word;                  /* the control word whose steps are made */
  uint32_t in, counted, lines; /* lines before byte `counted` */
  bool bare;                   /* a definition without ∇, which ends with the text */
} builder;

/* ── words ──────────────────────────────────────────────────────────────────────────── */

static bool same_word(const char *w, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((w[i] | 32) != (text[i] | 32)) return false;
  return !w[n];
}

static word word_of(const char *text, size_t n) {
  for (int i = 0; i < W_NONE; i++)
    if (strlen(words[i]) == n && same_word(words[i], text, n)) return (word)i;
  return W_NONE;
}

const char *parse_control_word(size_t i) { return i < W_NONE ? words[i] : NULL; }

/* The word that ends what the word w begins, End and w; W_NONE: it begins nothing. */
static word ending(word w) {
  int i = 0;
  while (i < W_NONE && (strncmp(words[i], "End", 3) || strcmp(words[i] + 3, words[w])))
    i++;
  return (word)i;
}

/* The control word at a colon: behind it, without a blank, a name. */
static word word_behind(const parser *p) {
  lexer l = p->lx;
  l.c = NULL;
  token t = lex_next(&l);
  if (t.kind != TOK_NAME || t.after_blank) return W_NONE;
  return word_of(p->src->text + t.begin, t.end - t.begin);
}

bool parse_at_word(const parser *p) {
  return parse_at(p, ':') && word_behind(p) != W_NONE;
}

/* ∇, or ⍫, which locks the function that it begins or ends. */
static bool is_del(const token *t) {
  return t->kind == TOK_GREEK && (t->code == DEL || t->code == DEL_LOCK) &&
         t->end - t->begin == 3;
}

bool parse_at_del(const parser *p) { return is_del(&p->t); }

int parse_script_word(const parser *p) {
  static const uint8_t scripts[] = {W_NAMESPACE, W_CLASS, W_INTERFACE, W_PROPERTY};
  word w = parse_at(p, ':') ? word_behind(p) : W_NONE;
  for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
    if (w == scripts[i]) return (int)i + 1;
    if (w == ending((word)scripts[i])) return -(int)i - 1;
  }
  return 0;
}

/* ── steps ──────────────────────────────────────────────────────────────────────────── */

/* The line of byte `at`, the header being line 0. */
static uint32_t line_of(builder *b, uint32_t at) {
  const char *text = b->p->src->text;
  for (; b->counted < at; b->counted++) b->lines += text[b->counted] == '\n';
  return b->lines;
}

static bool emit(builder *b, tstep_op op, tnode *expr) {
  const token *t = &b->word;
  uint32_t begin = expr ? expr->begin : t->begin, end = expr ? expr->end : t->end;
  tstep s = {.op = (uint8_t)op,
             .line = b->lines,
             .to = NOWHERE,
             .in = b->in,
             .begin = begin,
             .end = end,
             .expr = expr};
  return vec_push(b->p->c, &b->step, s);
}

static uint32_t here(const builder *b) { return (uint32_t)b->step.n; }

/* A step that jumps to where the list will be told. */
static bool emit_into(builder *b, tstep_op op, tnode *expr, uint32_t *list) {
  if (!emit(b, op, expr)) return false;
  b->step.at[b->step.n - 1].to = *list;
  *list = here(b) - 1;
  return true;
}

static bool emit_to(builder *b, tstep_op op, tnode *expr, uint32_t to) {
  if (!emit(b, op, expr)) return false;
  b->step.at[b->step.n - 1].to = to;
  return true;
}

/* The steps in the list go to `to`. */
static void patch_jumps(builder *b, uint32_t *list, uint32_t to) {
  while (*list != NOWHERE) {
    tstep *s = &b->step.at[*list];
    *list = s->to;
    s->to = to;
  }
}

/* ── blocks ─────────────────────────────────────────────────────────────────────────── */

static block *top_block(builder *b) {
  return b->open.n ? &b->open.at[b->open.n - 1] : NULL;
}

static bool open_block(builder *b, word kind, token at) {
  block k = {.kind = kind,
             .at = at,
             .begin = here(b),
             .around = b->in,
             .test = NOWHERE,
             .nexts = NOWHERE,
             .bodies = NOWHERE,
             .ends = NOWHERE,
             .leaves = NOWHERE,
             .again = NOWHERE,
             .joint = W_NONE};
  return vec_push(b->p->c, &b->open, k);
}

static bool misplaced(builder *b, token at, const char *why) {
  const char *text = b->p->src->text + at.begin;
  return parse_fail(b->p, ERR_SYNTAX, at.begin, at.end, "%.*s %s",
                    (int)lex_shown(text, at.end - at.begin), text, why);
}

/* A test of a condition: goes into the list of those that go on behind the block. */
static bool emit_test(builder *b, block *k, tnode *expr) {
  k->test = here(b);
  return emit_into(b, STEP_UNLESS, expr, &k->nexts);
}

/* The condition's test holds, and its tests before: the body begins where it ends. */
static void body_begins(builder *b, block *k) {
  if (k->test != NOWHERE) patch_jumps(b, &k->bodies, k->test + 1);
  k->test = NOWHERE;
  k->joint = W_NONE;
}

static bool test_with_state(builder *b, word kind, token at) {
  tnode *expr;
  if (!parse_stmt(b->p, &expr) || !open_block(b, kind, at)) return false;
  block *k = top_block(b);
  return emit_test(b, k, expr);
}

static bool join(builder *b, word w, token at) {
  tnode *expr;
  block *k = top_block(b);
  if (!k || k->test == NOWHERE || (k->joint != W_NONE && k->joint != w))
    return misplaced(b, at, "does not belong to a condition here");
  if (!parse_stmt(b->p, &expr)) return false;
  k = top_block(b);
  k->joint = w;
  if (w == W_ORIF) { /* the test before, first in its list, goes to the body */
    tstep *s = &b->step.at[k->test];
    k->nexts = s->to;
    s->op = STEP_WHEN;
    s->to = k->bodies;
    k->bodies = k->test;
  }
  return emit_test(b, k, expr);
}

static bool else_if(builder *b, token at) {
  tnode *expr;
  block *k = top_block(b);
  if (!k || k->kind != W_IF || k->is_else) return misplaced(b, at, "without :If");
  body_begins(b, k);
  if (!emit_into(b, STEP_JUMP, NULL, &k->ends)) return false;
  patch_jumps(b, &k->nexts, here(b));
  if (!parse_stmt(b->p, &expr)) return false;
  return emit_test(b, top_block(b), expr);
}

/* The guarded block of :Trap ends, and with it its state. */
static bool trap_ends(builder *b, block *k) {
  if (b->in != k->begin) return true;
  if (!emit(b, STEP_TRAP_END, NULL)) return false;
  b->in = k->around;
  if (!emit_into(b, STEP_JUMP, NULL, &k->ends)) return false;
  b->step.at[k->begin].to = here(b);
  return true;
}

/* What came before in a structure of several parts ends. */
static bool part_ends(builder *b, block *k) {
  if (k->kind == W_TRAP && b->in == k->begin) return trap_ends(b, k);
  if (k->kind == W_IF) body_begins(b, k);
  bool first = k->kind == W_SELECT && !k->has_case; /* nothing was selected before it */
  k->has_case = true;
  if (!first && !emit_into(b, STEP_JUMP, NULL, &k->ends)) return false;
  patch_jumps(b, &k->nexts, here(b));
  return true;
}

static bool else_part(builder *b, token at) {
  block *k = top_block(b);
  bool may =
      k && !k->is_else &&
      (k->kind == W_IF || k->kind == W_SELECT || k->kind == W_TRAP || k->kind == W_HOLD);
  if (!may)
    return misplaced(b, at, "does not belong to :If, :Select, :Trap or :Hold here");
  k->is_else = true;
  if (k->kind == W_HOLD) b->step.at[k->begin].list = true;
  return part_ends(b, k);
}

static bool case_part(builder *b, word w, token at) {
  tnode *expr;
  block *k = top_block(b);
  if (!k || k->is_else || (k->kind != W_SELECT && k->kind != W_TRAP))
    return misplaced(b, at, "does not belong to :Select or :Trap here");
  if (!part_ends(b, k) || !parse_stmt(b->p, &expr)) return false;
  k = top_block(b);
  tstep_op op = k->kind == W_TRAP ? STEP_TRAP_CASE : STEP_CASE;
  if (!emit_into(b, op, expr, &k->nexts)) return false;
  b->step.at[b->step.n - 1].list = w == W_CASELIST;
  return true;
}

/* What the parentheses or braces t hold, NULL: no statement. */
static tnode *inside(const tnode *t) {
  bool one = t->n == 1 && t->kid[0] && t->kid[0]->kind == T_STMT;
  return one ? t->kid[0] : NULL;
}

/* The names before :In, perhaps in parentheses. */
static bool for_names(builder *b, token at, tnode **names) {
  if (!parse_stmt(b->p, names)) return false;
  tnode *s = *names, *in = s && s->n == 1 ? s->kid[0] : NULL;
  if (in && in->kind == T_PAREN) *names = s = inside(in);
  bool ok = s != NULL;
  for (uint32_t i = 0; ok && i < s->n; i++) ok = s->kid[i]->kind == T_NAME;
  return ok || misplaced(b, at, "needs names before :In");
}

/* :For names :In expr */
static bool for_loop(builder *b, token at) {
  parser *p = b->p;
  tnode *names, *expr;
  if (!for_names(b, at, &names)) return false;
  word w = parse_at(p, ':') ? word_behind(p) : W_NONE;
  if (w != W_IN && w != W_INEACH) return misplaced(b, at, "needs :In or :InEach");
  if (!parse_advance(p) || !parse_advance(p) || !parse_stmt(p, &expr)) return false;
  if (!open_block(b, W_FOR, at)) return false;
  block *k = top_block(b);
  if (!emit(b, STEP_FOR, expr)) return false;
  tstep *s = &b->step.at[k->begin];
  s->names = names;
  s->list = w == W_INEACH;
  b->in = k->begin;
  return emit_into(b, STEP_NEXT, NULL, &k->leaves);
}

/* A block whose state is the value of an expression: :Select :Trap :With. */
static bool with_state(builder *b, word w, token at) {
  static const uint8_t ops[] = {
      [W_SELECT] = STEP_SELECT, [W_TRAP] = STEP_TRAP, [W_WITH] = STEP_WITH};
  tnode *expr;
  if (!parse_stmt(b->p, &expr) || !open_block(b, w, at)) return false;
  bool ok = w == W_HOLD ? emit_into(b, STEP_HOLDS, expr, &top_block(b)->nexts)
                        : emit(b, (tstep_op)ops[w], expr);
  if (!ok) return false;
  b->in = top_block(b)->begin;
  return true;
}

/* :Disposable: the expression runs, and the body. */
static bool without_state(builder *b, word w, token at) {
  tnode *expr;
  if (!parse_stmt(b->p, &expr) || !open_block(b, w, at)) return false;
  return !expr || emit(b, STEP_EVAL, expr);
}

/* ── ends ───────────────────────────────────────────────────────────────────────────── */

/* :Until c, with what :AndIf and :OrIf join to it. */
static bool until(builder *b, token at) {
  tnode *expr;
  block *k = top_block(b);
  if (!k || (k->kind != W_WHILE && k->kind != W_REPEAT))
    return misplaced(b, at, "without :While or :Repeat");
  body_begins(b, k);
  uint32_t before = k->nexts; /* of :While: those that end it */
  k->nexts = NOWHERE;
  patch_jumps(b, &k->again, here(b));
  if (!parse_stmt(b->p, &expr) || !emit_test(b, top_block(b), expr)) return false;
  for (;;) {
    parser saved = *b->p;
    while (parse_at_separator(b->p))
      if (!parse_advance(b->p)) return false;
    word w = parse_at(b->p, ':') ? word_behind(b->p) : W_NONE;
    if (w != W_ANDIF && w != W_ORIF) {
      b->p->lx = saved.lx;
      b->p->t = saved.t;
      break;
    }
    token joint = b->p->t;
    if (!parse_advance(b->p)) return false;
    joint.end = b->p->t.end;
    if (!parse_advance(b->p) || !join(b, w, joint)) return false;
  }
  k = top_block(b);
  body_begins(b, k); /* behind the last test: the loop is left */
  patch_jumps(b, &k->nexts, k->begin);
  patch_jumps(b, &before, here(b));
  patch_jumps(b, &k->leaves, here(b));
  b->open.n--;
  return true;
}

static bool end_block(builder *b, block *k) {
  switch (k->kind) {
  case W_IF: body_begins(b, k); break;
  case W_WHILE:
  case W_REPEAT:
    body_begins(b, k);
    patch_jumps(b, &k->again, k->begin);
    if (!emit_to(b, STEP_JUMP, NULL, k->begin)) return false;
    break;
  case W_FOR:
    if (!emit_to(b, STEP_JUMP, NULL, k->begin + 1)) return false;
    b->in = k->around;
    break;
  case W_SELECT:
  case W_HOLD:
    patch_jumps(b, &k->nexts, here(b));
    patch_jumps(b, &k->ends, here(b));
    if (!emit(b, STEP_END, NULL)) return false;
    b->in = k->around;
    break;
  case W_WITH:
    if (!emit(b, STEP_END, NULL)) return false;
    b->in = k->around;
    break;
  case W_TRAP:
    if (!trap_ends(b, k)) return false;
    break;
  default: break;
  }
  patch_jumps(b, &k->nexts, here(b));
  patch_jumps(b, &k->ends, here(b));
  patch_jumps(b, &k->leaves, here(b));
  b->open.n--;
  return true;
}

static bool end_word(builder *b, word w, token at) {
  block *k = top_block(b);
  if (k && (w == W_END || w == ending(k->kind))) return end_block(b, k);
  if (!k) return misplaced(b, at, "ends nothing");
  char why[64];
  const char *begun = words[k->kind];
  size_t n = strlen(begun);
  memcpy(why, "does not end :", 14);
  memcpy(why + 14, begun, n + 1);
  return misplaced(b, at, why);
}

/* :Leave and :Continue, of the innermost loop. */
static bool trad_leave(builder *b, word w, token at) {
  size_t i = b->open.n;
  while (i > 0 && b->open.at[i - 1].kind != W_FOR && b->open.at[i - 1].kind != W_WHILE &&
         b->open.at[i - 1].kind != W_REPEAT)
    i--;
  if (!i) return misplaced(b, at, "outside a loop");
  block *k = &b->open.at[i - 1];
  if (w == W_LEAVE) return emit_into(b, STEP_LEAVE, NULL, &k->leaves);
  if (k->kind == W_FOR) return emit_to(b, STEP_LEAVE, NULL, k->begin + 1);
  return emit_into(b, STEP_LEAVE, NULL, &k->again);
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

static bool branch(builder *b, tnode *s) {
  b->word = (token){.begin = s->begin, .end = s->end};
  if (s->n == 1) return emit(b, STEP_ABORT, NULL);
  s->kid++;
  s->n--;
  s->begin = s->kid[0]->begin;
  return emit(b, STEP_BRANCH, s);
}

static bool go_to(builder *b) {
  tnode *expr;
  return parse_stmt(b->p, &expr) && emit(b, STEP_BRANCH, expr);
}

static bool control_word(builder *b) {
  parser *p = b->p;
  token at = p->t;
  word w = word_behind(p);
  if (w == W_NONE) return parse_refuse_colon(p, false);
  if (!parse_advance(p)) return false;
  at.end = p->t.end;
  b->word = at;
  if (!parse_advance(p)) return false;
  switch (w) {
  case W_IF:
  case W_WHILE: return test_with_state(b, w, at);
  case W_REPEAT: return open_block(b, w, at);
  case W_FOR: return for_loop(b, at);
  case W_SELECT:
  case W_TRAP:
  case W_WITH:
  case W_HOLD: return with_state(b, w, at);
  case W_DISPOSABLE: return without_state(b, w, at);
  case W_ELSEIF: return else_if(b, at);
  case W_ANDIF:
  case W_ORIF: return join(b, w, at);
  case W_ELSE: return else_part(b, at);
  case W_CASE:
  case W_CASELIST: return case_part(b, w, at);
  case W_UNTIL: return until(b, at);
  case W_LEAVE:
  case W_CONTINUE: return trad_leave(b, w, at);
  case W_RETURN: return emit(b, STEP_RETURN, NULL);
  case W_GOTO: return go_to(b);
  case W_IN:
  case W_INEACH: return misplaced(b, at, "without :For");
  case W_NAMESPACE:
  case W_CLASS:
  case W_INTERFACE:
  case W_PROPERTY: return misplaced(b, at, "cannot stand within another structure");
  default: return end_word(b, w, at);
  }
}

/* name: at the beginning of a line; the name is parsed. */
static bool add_label(builder *b, tnode *name) {
  ctx *c = b->p->c;
  return vec_push(c, &b->label, name) && vec_push(c, &b->label_line, b->lines) &&
         parse_advance(b->p);
}

static bool starts_line(const parser *p, uint32_t at) {
  const char *text = p->src->text;
  while (at && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
  return !at || text[at - 1] == '\n' || text[at - 1] == '\r' || text[at - 1] == ':';
}

static bool is_label(const parser *p, const tnode *s) {
  return s->n == 1 && s->kid[0]->kind == T_NAME && parse_at(p, ':') &&
         starts_line(p, s->begin);
}

/* Where a control word stands right behind a statement, it ends it too. */
static bool at_end_of_statement(const parser *p) {
  return parse_at_separator(p) || p->t.kind == TOK_END || parse_at_word(p);
}

/* What says how a class uses the function, and elsewhere nothing: :Access, :Implements … Where a constructor
 * has it, the base's one runs. */
static bool declaration(builder *b) {
  token at = b->p->t;
  tnode *n = parse_declaration(b->p);
  if (!n || !vec_push(b->p->c, &b->declared, n)) return false;
  bool constructs =
      n->n > 2 || (n->kid[1] && parse_is_word(n->kid[1]->kid[0], "constructor"));
  if (!constructs || !parse_is_word(n->kid[0], "implements")) return true;
  b->word = at;
  b->word.end = n->end;
  return emit(b, STEP_BASE, n->n > 2 ? n->kid[2] : NULL);
}

/* A statement, a control word, or nothing; labels may stand before it. */
static bool statement(builder *b) {
  parser *p = b->p;
  tnode *s;
  line_of(b, p->t.begin);
  for (;;) {
    if (parse_at_heading(p)) return parse_skip_line(p);
    if (b->t->name && parse_at_declaration(p)) return declaration(b);
    if (parse_at(p, ':')) return control_word(b);
    s = NULL;
    if (!parse_stmt(p, &s)) return false;
    if (!s) return true;
    if (!b->t->name || !is_label(p, s)) break;
    if (!add_label(b, s->kid[0])) return false;
  }
  if (s->kid[0]->kind == T_BRANCH) return branch(b, s);
  return emit(b, STEP_EXPR, s);
}

/* The lines up to that of the current token begin with the next step. */
static bool begin_lines(builder *b) {
  uint32_t n = line_of(b, b->p->t.begin);
  while (b->line.n <= n)
    if (!vec_push(b->p->c, &b->line, here(b))) return false;
  return true;
}

/* A statement, up to what separates it from the next; *more: there is one. */
static bool next_statement(builder *b, bool *more) {
  parser *p = b->p;
  if (!begin_lines(b) || !statement(b)) return false;
  if (!at_end_of_statement(p)) return misplaced(b, p->t, "cannot stand here");
  *more = p->t.kind != TOK_END;
  return true;
}

static bool skip_separator(parser *p) {
  return !parse_at_separator(p) || parse_advance(p);
}

static bool still_open(builder *b) {
  const block *k = top_block(b);
  return !k || misplaced(b, k->at, "is not closed");
}

/* ── headers ────────────────────────────────────────────────────────────────────────── */

static bool bad_header(parser *p, const tnode *at) {
  return parse_fail(p, ERR_SYNTAX, at->begin, at->end,
                    "a header is like r←x f y;local names, it is not");
}

static bool only_names(const tnode *s) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->kid[i]->kind != T_NAME && s->kid[i]->kind != T_SYSNAME) return false;
  return true;
}

/* A name, or names in parentheses (*list). */
static bool take_names(tnode **at, tnames *to, bool *list) {
  tnode *t = *at;
  *list = t->kind == T_PAREN;
  if (t->kind == T_NAME) *to = (tnames){at, 1};
  else if (*list && inside(t) && only_names(inside(t)))
    *to = (tnames){inside(t)->kid, inside(t)->n};
  return to->n > 0;
}

/* r, {r}, (a b), {(a b)} */
static bool take_result(trad *t, tnode **at) {
  if ((*at)->kind != T_DFN) return take_names(at, &t->result, &t->result_list);
  tnode *in = inside(*at);
  t->shy = true;
  return in && in->n == 1 && take_names(in->kid, &t->result, &t->result_list);
}

/* x, {x} */
static bool take_left(trad *t, tnode *at) {
  if (at->kind == T_DFN) {
    tnode *in = inside(at);
    if (!in || in->n != 1) return false;
    t->optional = true;
    at = in->kid[0];
  }
  t->left = at;
  return at->kind == T_NAME;
}

/* f, (f op), (f op g) */
static bool take_name(trad *t, tnode *at) {
  if (at->kind != T_PAREN) {
    t->name = at;
    return at->kind == T_NAME;
  }
  tnode *in = inside(at);
  if (!in || in->n < 2 || in->n > 3 || !only_names(in)) return false;
  t->lop = in->kid[0];
  t->name = in->kid[1];
  if (in->n == 3) t->rop = in->kid[2];
  return true;
}

/* [x], which stands before the right argument, out of the n items. */
static bool take_axis(trad *t, tnode **it, uint32_t *n) {
  if (*n < 3 || it[*n - 2]->kind != T_BRACKET) return true;
  tnode *in = inside(it[*n - 2]);
  bool ok = in && in->n == 1 && in->kid[0]->kind == T_NAME;
  if (ok) t->axis = in->kid[0];
  it[*n - 2] = it[*n - 1];
  --*n;
  return ok;
}

/* The items of a header before its local names. */
static bool read_header(parser *p, trad *t, tnode *s) {
  tnode **it = s->kid;
  uint32_t n = s->n;
  if (n > 2 && it[1]->kind == T_ASSIGN) {
    if (!take_result(t, it)) return bad_header(p, s);
    it += 2;
    n -= 2;
  }
  if (!take_axis(t, it, &n) || n < 1 || n > 3) return bad_header(p, s);
  t->niladic = n == 1;
  bool ok = take_name(t, it[n == 3]) && !(t->niladic && t->lop);
  if (ok && n == 3) ok = take_left(t, it[0]);
  if (ok && n > 1) ok = take_names(&it[n - 1], &t->right, &t->right_list);
  return ok || bad_header(p, s);
}

/* ;name … */
static bool read_locals(parser *p) {
  while (parse_at(p, ';')) {
    tnode *s;
    if (!parse_advance(p) || !parse_stmt(p, &s)) return false;
    if (s && !only_names(s)) return bad_header(p, s);
    for (uint32_t i = 0; s && i < s->n; i++)
      if (!parse_push(p, s->kid[i])) return false;
  }
  return true;
}

/* The local names of the header, and of the lines behind it that begin with a semicolon. */
static bool read_local_lines(parser *p, trad *t) {
  size_t from = p->stack.n;
  for (;;) {
    if (!read_locals(p)) return false;
    if (!parse_at(p, NEXT_LINE)) break;
    lexer lx = p->lx;
    token at = p->t;
    while (parse_at(p, NEXT_LINE))
      if (!parse_advance(p)) return false;
    if (parse_at(p, ';')) continue;
    p->lx = lx;
    p->t = at;
    break;
  }
  t->local.n = (uint32_t)(p->stack.n - from);
  t->local.at = arena_alloc(p->mem, (t->local.n + 1) * sizeof *t->local.at);
  if (!t->local.at) return false;
  if (t->local.n)
    memcpy(t->local.at, p->stack.at + from, t->local.n * sizeof *t->local.at);
  p->stack.n = from;
  return true;
}

/* ── definitions ────────────────────────────────────────────────────────────────────── */

static void *trad_keep(builder *b, const void *at, size_t n, size_t size) {
  void *r = arena_alloc(b->p->mem, (n + 1) * size);
  if (r && n) memcpy(r, at, n * size);
  return r;
}

/* What was gathered goes to the arena. */
static bool trad_finish(builder *b) {
  trad *t = b->t;
  t->n = here(b);
  t->step = trad_keep(b, b->step.at, b->step.n, sizeof *t->step);
  t->line = trad_keep(b, b->line.at, b->line.n, sizeof *t->line);
  t->label.n = (uint32_t)b->label.n;
  t->label.at = trad_keep(b, b->label.at, b->label.n, sizeof *t->label.at);
  t->label_line = trad_keep(b, b->label_line.at, b->label_line.n, sizeof *t->label_line);
  t->declared.n = (uint32_t)b->declared.n;
  t->declared.at = trad_keep(b, b->declared.at, b->declared.n, sizeof *t->declared.at);
  return t->step && t->line && t->label.at && t->label_line && t->declared.at;
}

static void free_builder(builder *b) {
  ctx *c = b->p->c;
  vec_free(c, &b->step);
  vec_free(c, &b->line);
  vec_free(c, &b->open);
  vec_free(c, &b->label);
  vec_free(c, &b->label_line);
  vec_free(c, &b->declared);
}

/* The node of what b builds, at the current token. */
static tnode *trad_begin(parser *p, tkind kind, builder *b) {
  tnode *n = parse_node(p, kind, p->t);
  *b = (builder){.p = p, .in = NO_BLOCK, .counted = p->t.begin};
  if (n) b->t = n->trad = arena_alloc(p->mem, sizeof *n->trad);
  return b->t ? n : NULL;
}

/* The lines up to the ∇ that closes the definition, or to the end of the text. */
static bool read_lines(builder *b) {
  parser *p = b->p;
  bool more = true;
  while (more && !parse_at_del(p)) {
    if (!next_statement(b, &more)) return false;
    if (more && !skip_separator(p)) return false;
  }
  uint32_t end = p->t.begin;
  bool ends = b->bare && p->t.kind == TOK_END;
  bool own_line = !ends || (end && p->src->text[end - 1] == '\n'); /* ∇ or nothing */
  if (!ends && !parse_at_del(p)) return false;
  if (!begin_lines(b) || !still_open(b)) return false;
  b->t->lines = (uint32_t)b->line.n - 1 - own_line; /* behind the header */
  b->t->end = end;
  if (!ends && p->t.code == DEL_LOCK) b->t->lock = LOCK_ALL;
  return parse_advance(p);
}

/* The definition n, which begins at `at`, behind its header. */
static bool define(builder *b, tnode *n, tnode *head, token at) {
  parser *p = b->p;
  bool ok = read_header(p, b->t, head) && read_local_lines(p, b->t);
  if (ok && !at_end_of_statement(p)) ok = bad_header(p, head);
  if (ok) {
    ok = read_lines(b);
    if (!ok && !p->c->err.code)
      parse_fail(p, ERR_SYNTAX, at.begin, at.end, "∇ is not closed");
  }
  const tnode *name = b->t->name;
  ok = ok && trad_finish(b) &&
       source_define(p->c, p->src,
                     (source_def){b->t->begin, b->t->end, name->begin, name->end});
  n->end = p->t.begin;
  free_builder(b);
  return ok && parse_push(p, n);
}

/* The lines by which a function is edited, which end at byte `end`. */
static bool take_edit(parser *p, const char *end) {
  tnode *n = parse_node(p, T_EDIT, p->t);
  if (!n) return false;
  n->begin = p->t.end;
  n->end = (uint32_t)(end - p->src->text);
  p->lx.at = n->end;
  return parse_advance(p) && parse_push(p, n);
}

bool parse_trad(parser *p) {
  bool closed;
  const char *text = p->src->text;
  const char *edited = parse_edit(text + p->t.end, text + p->src->len, &closed);
  if (edited) return take_edit(p, edited);
  builder b;
  tnode *head, *n = trad_begin(p, T_TRAD, &b);
  token del = p->t;
  if (!n || !parse_advance(p)) return false;
  b.t->begin = p->t.begin;
  if (del.code == DEL_LOCK) b.t->lock = LOCK_ALL;
  if (!parse_stmt(p, &head)) return false;
  if (!head)
    return parse_fail(p, ERR_SYNTAX, del.begin, del.end, "∇ needs a header behind it");
  return define(&b, n, head, del);
}

/* Can the statement s, with which a text begins, be no other than a header? f←{…} is none. */
static bool is_bare_header(const tnode *s) {
  bool assigned = s->n > 1 && s->kid[1]->kind == T_ASSIGN;
  if (s->kid[s->n - 1]->kind == T_DFN) return false;
  for (uint32_t i = 0; i < s->n; i++) {
    const tnode *t = s->kid[i];
    bool names = (t->kind == T_DFN || t->kind == T_PAREN) && inside(t) &&
                 (t->kind == T_DFN || only_names(inside(t)));
    bool other = t->kind == T_NAME || t->kind == T_BRACKET || (i == 1 && assigned);
    if (!names && !other) return false;
  }
  return true;
}

bool parse_definition(parser *p) {
  builder b;
  tnode *head;
  while (parse_at(p, NEXT_LINE))
    if (!parse_advance(p)) return false;
  if (parse_at_del(p) || parse_at(p, ':')) return parse_body(p, false);
  lexer lx = p->lx;
  token at = p->t;
  tnode *n = trad_begin(p, T_TRAD, &b);
  if (!n || !parse_stmt(p, &head)) return false;
  if (!head || !is_bare_header(head)) {
    p->lx = lx;
    p->t = at;
    return parse_body(p, false);
  }
  b.bare = true;
  b.t->begin = at.begin;
  return define(&b, n, head, at);
}

bool parse_control(parser *p) {
  builder b;
  tnode *n = trad_begin(p, T_CONTROL, &b);
  bool more = n != NULL, ok = more;
  while (ok && more) {
    ok = next_statement(&b, &more);
    if (!b.open.n) break;
    if (ok && more) ok = skip_separator(p);
  }
  ok = ok && still_open(&b) && trad_finish(&b);
  if (n) n->end = p->t.begin;
  free_builder(&b);
  return ok && parse_push(p, n);
}

/* ── is a text complete? ────────────────────────────────────────────────────────────── */

bool open_blocks_edit(const open_blocks *o, const token *t) {
  return o->starts && !o->del && is_del(t);
}

/* The token t, outside brackets, of a text whose definitions and structures are counted. Is it the
 * word of a heading, whose line is any text? */
bool open_blocks_see(open_blocks *o, const char *text, const token *t) {
  bool separates = t->kind == TOK_PUNCT && (t->code == NEXT_LINE || t->code == DIAMOND);
  bool colon = t->kind == TOK_PUNCT && t->code == ':', heading = false;
  if (o->starts && is_del(t)) o->del = !o->del;
  if (o->colon && t->kind == TOK_NAME && !t->after_blank) {
    const char *name = text + t->begin;
    size_t n = t->end - t->begin;
    word w = word_of(name, n);
    bool ends =
        w == W_UNTIL || w == W_END || (w < W_NONE && !strncmp(words[w], "End", 3));
    heading = parse_is_heading(name, n);
    if (w != W_NONE && ending(w) != W_NONE) o->depth++;
    if (ends && o->depth) o->depth--;
  }
  o->colon = colon;
  o->label = o->starts && t->kind == TOK_NAME;
  o->starts = separates || (colon && o->label);
  return heading;
}
