/* SPDX-License-Identifier: MIT */
/* lsp_names.c - what the names of a program are, from its tree.
 *
 * The tree is walked twice in the same order: first definitions are found, then each name is
 * looked up from the scope that it stands in outwards.
 *
 *   text, namespace   functions of lines and what is assigned outside functions
 *   function of lines its header's names; what else it assigns is defined around it
 *   dfn               what is assigned in it
 *
 * That is what a reader sees. Which value a name has is known when the program runs, for a function of lines sees
 * the local names of its callers, too. What a name is defined as is guessed from the last item on the right of its
 * arrow: +/ is a function, 1 2 3 an array. */
#include "lsp_names.h"
#include "../src/eval/value/sysname.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool walk(lsp_names *k, const tnode *t);

void lsp_names_free(lsp_names *k) {
  vec_free(k->c, &k->symbols);
  vec_free(k->c, &k->uses);
  vec_free(k->c, &k->scopes);
  vec_free(k->c, &k->table);
}

/* ── symbols ────────────────────────────────────────────────────────────────────────── */

static size_t names_hash(uint32_t scope, const char *text) {
  uint64_t h = 14695981039346656037u ^ scope; /* FNV-1a */
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

/* Where in the table the symbol is, or belongs; there is room. */
static uint32_t *names_slot(const lsp_names *k, uint32_t scope, const char *text) {
  size_t mask = k->table.n - 1, i = names_hash(scope, text) & mask;
  for (;; i = (i + 1) & mask) {
    uint32_t *at = &k->table.at[i];
    if (!*at) return at;
    const lsp_symbol *s = &k->symbols.at[*at - 1];
    if (s->scope == scope && !strcmp(s->text, text)) return at;
  }
}

/* Makes the table twice as large. */
static bool names_grow(lsp_names *k) {
  size_t n = k->table.n ? 2 * k->table.n : 64;
  k->table.n = 0;
  for (size_t i = 0; i < n; i++)
    if (!vec_push(k->c, &k->table, 0)) return false;
  for (size_t i = 0; i < k->symbols.n; i++)
    *names_slot(k, k->symbols.at[i].scope, k->symbols.at[i].text) = (uint32_t)i + 1;
  return true;
}

static uint32_t names_local(const lsp_names *k, uint32_t scope, const char *text) {
  return k->table.n ? *names_slot(k, scope, text) - 1 : NO_NAME;
}

uint32_t lsp_names_find(const lsp_names *k, uint32_t scope, const char *text) {
  for (; scope != NO_NAME; scope = k->scopes.at[scope].around) {
    uint32_t got = names_local(k, scope, text);
    if (got != NO_NAME) return got;
  }
  return NO_NAME;
}

/* The symbol of the name in the scope, which is made if there is none; NO_NAME after WS FULL. */
static uint32_t names_define(lsp_names *k, uint32_t scope, const tnode *name,
                             const tnode *whole, lsp_kind kind) {
  if (k->table.n <= 2 * k->symbols.n && !names_grow(k)) return NO_NAME;
  uint32_t *at = names_slot(k, scope, name->text);
  if (*at) return *at - 1;
  lsp_symbol s = {.text = name->text,
                  .kind = kind,
                  .scope = scope,
                  .inner = NO_NAME,
                  .begin = whole->begin,
                  .end = whole->end,
                  .name_begin = name->begin,
                  .name_end = name->end};
  if (!vec_push(k->c, &k->symbols, s)) return NO_NAME;
  return (*at = (uint32_t)k->symbols.n) - 1;
}

static bool names_use(lsp_names *k, const tnode *name, uint32_t symbol, bool defines) {
  lsp_use u = {name->begin, name->end, symbol, defines};
  return !k->resolving || vec_push(k->c, &k->uses, u);
}

/* ── scopes ─────────────────────────────────────────────────────────────────────────── */

/* Goes into a scope: a new one, or in the second walk the next one. */
static bool names_enter(lsp_names *k, lsp_scope_kind kind, const tnode *t) {
  lsp_scope s = {kind, k->in, t->begin, t->end};
  if (!k->resolving && !vec_push(k->c, &k->scopes, s)) return false;
  k->in = k->entered++;
  return true;
}

static void names_leave(lsp_names *k) { k->in = k->scopes.at[k->in].around; }

/* The scope in which an assignment of the text defines it. */
static uint32_t names_home(const lsp_names *k, const char *text) {
  uint32_t scope = k->in;
  while (k->scopes.at[scope].kind == SCOPE_TRAD && names_local(k, scope, text) == NO_NAME)
    scope = k->scopes.at[scope].around;
  return scope;
}

/* A place where the name is defined. */
static bool names_assign(lsp_names *k, const tnode *name, const tnode *whole,
                         lsp_kind kind) {
  if (k->resolving) return names_use(k, name, lsp_names_find(k, k->in, name->text), true);
  return names_define(k, names_home(k, name->text), name, whole, kind) != NO_NAME;
}

/* A name that is used; what nothing defines is defined outside of this text. */
static bool names_resolve(lsp_names *k, const tnode *name, uint32_t *symbol) {
  if (!k->resolving) return true;
  *symbol = lsp_names_find(k, k->in, name->text);
  if (*symbol == NO_NAME) *symbol = names_define(k, 0, name, name, NAME_UNKNOWN);
  return *symbol != NO_NAME && names_use(k, name, *symbol, false);
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

static lsp_kind kind_of_row(const lsp_names *k, const tnode *s, uint32_t from);

static lsp_kind kind_of_dfn(const tnode *t) {
  return t->dop ? NAME_OPERATOR : NAME_FUNCTION;
}

static lsp_kind kind_of_item(const lsp_names *k, const tnode *t) {
  uint32_t symbol;
  switch ((tkind)t->kind) {
  case T_PRIM:
  case T_OPER: return NAME_FUNCTION;
  case T_DFN: return kind_of_dfn(t);
  case T_PAREN: return t->n ? kind_of_row(k, t->kid[0], 0) : NAME_ARRAY;
  case T_NAME:
    symbol = lsp_names_find(k, k->in, t->text);
    return symbol == NO_NAME ? NAME_ARRAY : k->symbols.at[symbol].kind;
  case T_SYSNAME:
    return sys_class(sys_find(t->text, t->n)) == C_FN ? NAME_FUNCTION : NAME_ARRAY;
  default: return NAME_ARRAY;
  }
}

/* What the items of a statement from `from` on are. */
static lsp_kind kind_of_row(const lsp_names *k, const tnode *s, uint32_t from) {
  if (!s || s->kind != T_STMT || from >= s->n || stack_is_low(k->c)) return NAME_ARRAY;
  const tnode *last = s->kid[s->n - 1],
              *before = s->n - 1 > from ? s->kid[s->n - 2] : NULL;
  if (last->kind == T_NUMBERS && before && before->kind == T_OPER)
    return NAME_FUNCTION; /* f⍤1 */
  lsp_kind is = kind_of_item(k, last);
  return is == NAME_UNKNOWN || is == NAME_LOCAL ? NAME_ARRAY : is;
}

static bool is_kind(const tnode *s, uint32_t i, tkind kind) {
  return i < s->n && s->kid[i]->kind == kind;
}

/* Is item i, a name, assigned: by an arrow behind it, or as one of names that are the whole left of one? */
static bool is_assigned(const lsp_names *k, const tnode *s, uint32_t i) {
  uint32_t arrow = i + 1, first = i;
  while (is_kind(s, arrow, T_NAME)) arrow++;
  if (!is_kind(s, arrow, T_ASSIGN)) return false;
  if (arrow == i + 1) return true;
  uint32_t symbol = lsp_names_find(k, k->in, s->kid[i]->text);
  if (symbol != NO_NAME && k->symbols.at[symbol].kind == NAME_FUNCTION) return false;
  while (first && is_kind(s, first - 1, T_NAME)) first--;
  return !first || is_kind(s, first - 1, T_ASSIGN);
}

/* Are these only names, and such in parentheses? */
static bool is_target(const lsp_names *k, const tnode *t) {
  if (t->kind == T_NAME) return true;
  if ((t->kind != T_PAREN && t->kind != T_STMT) || !t->n || stack_is_low(k->c))
    return false;
  for (uint32_t i = 0; i < t->n; i++)
    if (!t->kid[i] || !is_target(k, t->kid[i])) return false;
  return true;
}

static bool walk_target(lsp_names *k, const tnode *t, const tnode *whole) {
  if (t->kind == T_NAME) return names_assign(k, t, whole, NAME_ARRAY);
  for (uint32_t i = 0; i < t->n; i++)
    if (!walk_target(k, t->kid[i], whole)) return false;
  return true;
}

/* The name behind a point: of the namespace that the symbol *of is, if that is known. */
static bool walk_member(lsp_names *k, const tnode *name, uint32_t *of) {
  uint32_t inner = *of == NO_NAME ? NO_NAME : k->symbols.at[*of].inner;
  *of = inner == NO_NAME ? NO_NAME : names_local(k, inner, name->text);
  return *of == NO_NAME || names_use(k, name, *of, false);
}

static bool walk_row(lsp_names *k, const tnode *s) {
  uint32_t of = NO_NAME; /* the symbol before a point */
  for (uint32_t i = 0; i < s->n; i++) {
    const tnode *t = s->kid[i];
    bool ok = true;
    if (t->kind == T_DOT) continue;
    bool member = i && s->kid[i - 1]->kind == T_DOT;
    if (t->kind != T_NAME) {
      of = NO_NAME;
      if (t->kind == T_PAREN && is_kind(s, i + 1, T_ASSIGN) && is_target(k, t))
        ok = walk_target(k, t, s);
      else ok = walk(k, t);
    } else if (member && i > 1 && s->kid[i - 2]->kind == T_HASH) {
      uint32_t in = k->in; /* #.name */
      k->in = 0;
      ok = names_resolve(k, t, &of);
      k->in = in;
    } else if (member) ok = walk_member(k, t, &of);
    else if (is_assigned(k, s, i)) {
      uint32_t arrow = i + 1;
      while (!is_kind(s, arrow, T_ASSIGN)) arrow++;
      lsp_kind kind = arrow == i + 1 ? kind_of_row(k, s, arrow + 1) : NAME_ARRAY;
      ok = names_assign(k, t, s, kind);
    } else ok = names_resolve(k, t, &of);
    if (!ok) return false;
  }
  return true;
}

/* ── definitions ────────────────────────────────────────────────────────────────────── */

static bool walk_kids(lsp_names *k, const tnode *t, uint32_t from) {
  for (uint32_t i = from; i < t->n; i++)
    if (t->kid[i] && !walk(k, t->kid[i])) return false;
  return true;
}

static bool walk_dfn(lsp_names *k, const tnode *t) {
  if (!names_enter(k, SCOPE_DFN, t)) return false;
  bool ok = walk_kids(k, t, 0);
  names_leave(k);
  return ok;
}

static bool walk_local(lsp_names *k, const tnode *name) {
  if (!name || name->kind != T_NAME) return true;
  if (k->resolving) return names_use(k, name, names_local(k, k->in, name->text), true);
  return names_define(k, k->in, name, name, NAME_LOCAL) != NO_NAME;
}

static bool walk_header(lsp_names *k, const trad *t) {
  const tnames *lists[] = {&t->result, &t->right, &t->local, &t->label};
  const tnode *single[] = {t->left, t->axis, t->lop, t->rop};
  for (size_t i = 0; i < ARRAY_LEN(lists); i++)
    for (uint32_t j = 0; j < lists[i]->n; j++)
      if (!walk_local(k, lists[i]->at[j])) return false;
  for (size_t i = 0; i < ARRAY_LEN(single); i++)
    if (!walk_local(k, single[i])) return false;
  return true;
}

static bool walk_steps(lsp_names *k, const trad *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    const tstep *s = &t->step[i];
    for (uint32_t j = 0; s->names && j < s->names->n; j++)
      if (s->names->kid[j]->kind == T_NAME &&
          !names_assign(k, s->names->kid[j], s->names, NAME_ARRAY))
        return false;
    if (s->expr && !walk(k, s->expr)) return false;
  }
  return true;
}

static bool walk_trad(lsp_names *k, const tnode *n) {
  const trad *t = n->trad;
  if (!t->name) return walk_steps(k, t); /* a control structure */
  if (!names_assign(k, t->name, n, t->lop ? NAME_OPERATOR : NAME_FUNCTION)) return false;
  if (!names_enter(k, SCOPE_TRAD, n)) return false;
  bool ok = walk_header(k, t) && walk_steps(k, t);
  names_leave(k);
  return ok;
}

static bool walk_script(lsp_names *k, const tnode *t) {
  const tnode *name = t->n ? t->kid[0] : NULL;
  bool more = t->code != SCRIPT_NAMESPACE && t->n > 1;
  if (name && !names_assign(k, name, t, NAME_SPACE)) return false;
  if (more && t->kid[1] && t->code == SCRIPT_CLASS && !walk(k, t->kid[1])) return false;
  uint32_t symbol = name && !k->resolving
                        ? names_local(k, names_home(k, name->text), name->text)
                        : NO_NAME;
  if (symbol != NO_NAME) k->symbols.at[symbol].inner = k->entered;
  if (!names_enter(k, SCOPE_SPACE, t)) return false;
  bool ok = walk_kids(k, t, 1 + more);
  names_leave(k);
  return ok;
}

/* :Field Public x←3: the last name before the arrow. */
static bool walk_declare(lsp_names *k, const tnode *t) {
  const tnode *s = t->n > 1 ? t->kid[1] : NULL;
  if (!s || s->kind != T_STMT || strcasecmp(t->kid[0]->text, "field")) return true;
  uint32_t i = 0;
  while (is_kind(s, i, T_NAME)) i++;
  if (i && !names_assign(k, s->kid[i - 1], s, NAME_ARRAY)) return false;
  return walk_kids(k, s, i);
}

/* (a: 1 ⋄ b: 2): names and statements by turns; the names are members of what has no name. */
static bool walk_space(lsp_names *k, const tnode *t) {
  for (uint32_t i = 1; i < t->n; i += 2)
    if (t->kid[i] && !walk(k, t->kid[i])) return false;
  return true;
}

static bool walk(lsp_names *k, const tnode *t) {
  uint32_t symbol;
  if (out_of_stack(k->c) || interrupted(k->c)) return false;
  switch ((tkind)t->kind) {
  case T_NAME: return names_resolve(k, t, &symbol);
  case T_STMT: return walk_row(k, t);
  case T_DFN: return walk_dfn(k, t);
  case T_TRAD:
  case T_CONTROL: return walk_trad(k, t);
  case T_SCRIPT: return walk_script(k, t);
  case T_DECLARE: return walk_declare(k, t);
  case T_SPACE: return walk_space(k, t);
  case T_PAREN:
  case T_BRACKET:
  case T_VECTOR:
  case T_MATRIX:
  case T_GUARD:
  case T_ERRGUARD:
  case T_PROGRAM: return walk_kids(k, t, 0);
  default: return true;
  }
}

static int by_place(const void *x, const void *y) {
  const lsp_use *a = x, *b = y;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return b->defines - a->defines;
}

/* An expression that stands in two steps was walked twice. */
static void names_sort(lsp_names *k) {
  size_t n = 0;
  if (k->uses.n) qsort(k->uses.at, k->uses.n, sizeof *k->uses.at, by_place);
  for (size_t i = 0; i < k->uses.n; i++)
    if (!n || k->uses.at[i].begin != k->uses.at[n - 1].begin)
      k->uses.at[n++] = k->uses.at[i];
  k->uses.n = n;
}

bool lsp_names_read(lsp_names *k, const tree *t) {
  bool ok = true;
  for (int i = 0; i < 2 && ok; i++) {
    k->resolving = i;
    k->in = NO_NAME;
    k->entered = 0;
    ok = names_enter(k, SCOPE_TEXT, t->root) && walk(k, t->root);
  }
  names_sort(k);
  return ok;
}

/* ── questions ──────────────────────────────────────────────────────────────────────── */

const lsp_use *lsp_names_at(const lsp_names *k, uint32_t at) {
  size_t low = 0, high = k->uses.n; /* the first one that ends at or behind it */
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (k->uses.at[mid].end < at) low = mid + 1;
    else high = mid;
  }
  const lsp_use *u = low < k->uses.n ? &k->uses.at[low] : NULL;
  return u && u->begin <= at ? u : NULL;
}

uint32_t lsp_names_scope(const lsp_names *k, uint32_t at) {
  uint32_t in = 0; /* inner scopes come later than those around them */
  for (uint32_t i = 1; i < k->scopes.n; i++)
    if (k->scopes.at[i].begin <= at && at <= k->scopes.at[i].end) in = i;
  return in;
}
