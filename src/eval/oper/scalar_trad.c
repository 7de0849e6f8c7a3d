/* SPDX-License-Identifier: MIT */
/* scalar_trad.c - control structures of traditional functions of scalars.
 *
 *   :If c … :Else … :EndIf     both parts; c chooses what each name that they assign is
 *   :If c … :Return :EndIf …   likewise, the second part being the rest of the function
 *   :While c … :EndWhile       a loop (kir/expr.h) that carries the names that its lines assign
 *   :For i :In ⍳n … :EndFor    likewise, and i
 *
 * A name that only one part assigns, or that a loop assigns first, has no value behind it that is known: who
 * asks for it ends the attempt. */
#include "../bind/bind.h"
#include "../../tables/fast.h"
#include "scalar_walk.h"

#include <string.h>

static const tstep *step_of(const walk_frame *at, uint32_t i) {
  return &at->e->self->node->trad->step[i];
}

static int condition(walk *w, walk_frame *at, const tstep *s) {
  const bnode *root = s->expr ? walk_root(w, at, s->expr) : NULL;
  return root ? scalar_truth(w, walk_node(w, at, root)) : NONE;
}

/* ── :If ── */

typedef struct names { /* what local names are */
  int is[WALK_LOCALS];
} names;

static names names_now(const walk_frame *at) {
  names r;
  memcpy(r.is, at->local, sizeof r.is);
  return r;
}

static void set_names(walk_frame *at, const names *to) {
  memcpy(at->local, to->is, sizeof to->is);
}

/* Steps i to end-1 where c holds. */
static bool part_where(walk *w, walk_frame *at, int c, uint32_t i, uint32_t end) {
  int before = scalar_of(w)->under;
  if (c == NONE) return false;
  scalar_of(w)->under = scalar_both(w, before, c);
  bool ok = scalar_of(w)->under != NONE && walk_steps(w, at, i, end);
  scalar_of(w)->under = before;
  return ok;
}

/* Each name is what it is in `yes` where c holds, else what it is now. */
static bool choose_names(walk *w, walk_frame *at, int c, const names *yes) {
  for (int i = 0; i < WALK_LOCALS; i++) {
    int no = at->local[i];
    if (yes->is[i] == no) continue;
    at->local[i] = NONE;
    if (yes->is[i] == NONE || no == NONE) continue;
    at->local[i] = scalar_choose(w, c, yes->is[i], no);
    if (at->local[i] == NONE) return false;
  }
  return true;
}

/* The steps of both parts: the first ends at s->to, perhaps with a jump over the second one or with :Return. */
static bool if_block(walk *w, walk_frame *at, uint32_t *i, uint32_t end) {
  const tstep *s = step_of(at, *i), *last = step_of(at, s->to - 1);
  uint32_t first_end = s->to, second_end = s->to, n = at->e->self->node->trad->n;
  if (last->op == STEP_JUMP && last->to >= s->to && last->to <= end) {
    first_end--;
    second_end = last->to;
  } else if (last->op == STEP_RETURN && end == n) {
    first_end--;
    second_end = n;
  }
  int c = condition(w, at, s);
  names before = names_now(at);
  if (c == NONE || !part_where(w, at, c, *i + 1, first_end)) return false;
  names yes = names_now(at);
  set_names(at, &before);
  if (!part_where(w, at, scalar_not(w, c), s->to, second_end)) return false;
  *i = second_end;
  return choose_names(w, at, c, &yes);
}

/* ── loops ── */

enum { ROUNDS_MOST = 1 << 24 };
typedef struct rounds {
  uint32_t from, to; /* the steps of a round */
  const tstep *test; /* of :While; NULL: :For */
  int name;          /* of :For: its slot */
  int most;          /* … how many rounds it has */
} rounds;

/* The names that a round assigns: which are carried, *n of them, and which have no value before it (fresh). A
 * round is gone through, and what that made is forgotten. */
static bool assigned(walk *w, walk_frame *at, const rounds *k, int *slot, int *n,
                     bool *fresh) {
  scalar_walk *s = scalar_of(w), was = *s;
  kexpr e_was = s->r->e;
  names before = names_now(at);
  if (k->name != NONE) at->local[k->name] = scalar_integer(w, 1);
  bool ok = walk_steps(w, at, k->from, k->to);
  *n = 0;
  memset(fresh, 0, WALK_LOCALS * sizeof *fresh);
  for (int i = 0; i < WALK_LOCALS && ok; i++) {
    fresh[i] = at->local[i] != before.is[i] && (before.is[i] == NONE || i == k->name);
    if (at->local[i] == before.is[i] || fresh[i]) continue;
    ok = *n < KIR_MAX_CARRIED - 1 && before.is[i] < COMPLEX;
    if (ok) slot[(*n)++] = i;
  }
  if (k->name != NONE) fresh[k->name] = true;
  set_names(at, &before);
  s->r->e = e_was;
  *s = was;
  return ok;
}

/* What is carried is at->local[slot[j]], and behind them, if it is a :For, the number of the round. */
static bool go_round(walk *w, walk_frame *at, const rounds *k) {
  looping l;
  bool fresh[WALK_LOCALS];
  int slot[KIR_MAX_CARRIED], now[KIR_MAX_CARRIED], n, again;
  if (!assigned(w, at, k, slot, &n, fresh)) return false;
  for (int j = 0; j < n; j++) now[j] = at->local[slot[j]];
  int first = scalar_integer(w, w->v->sv->io), one = scalar_integer(w, 1);
  bool counts = k->name != NONE;
  if (counts) now[n] = first;
  int end = counts ? scalar_prim(w, P_PLUS, first, k->most) : 0;
  if (first == NONE || one == NONE || end == NONE) return false;
  if (!scalar_loop_begin(&l, w, n + counts, now)) return false;
  for (int j = 0; j < n; j++) at->local[slot[j]] = l.carry[j];
  if (counts) again = scalar_prim(w, P_LT, l.carry[n], end);
  else again = condition(w, at, k->test);
  if (again == NONE || !scalar_loop_test(&l, again)) return false;
  if (counts) at->local[k->name] = l.carry[n];
  if (!walk_steps(w, at, k->from, k->to)) return false;
  for (int j = 0; j < n; j++) now[j] = at->local[slot[j]];
  if (counts) now[n] = scalar_prim(w, P_PLUS, l.carry[n], one);
  if (!scalar_loop_end(&l, now)) return false;
  for (int i = 0; i < WALK_LOCALS; i++)
    if (fresh[i]) at->local[i] = NONE;
  for (int j = 0; j < n; j++) at->local[slot[j]] = now[j];
  return true;
}

static bool while_loop(walk *w, walk_frame *at, uint32_t *i) {
  const tstep *s = step_of(at, *i);
  rounds k = {.from = *i + 1, .to = s->to - 1, .test = s, .name = NONE, .most = NONE};
  *i = s->to;
  return go_round(w, at, &k);
}

/* n of ⍳n, which must be a number of rounds, and not very many: else calls are made, and find the error. */
static int number_of_rounds(walk *w, walk_frame *at, const tstep *s) {
  const bnode *root = s->expr ? walk_root(w, at, s->expr) : NULL;
  if (!root || root->kind != B_CHAIN || !root->n) return NONE;
  const step *last = &root->step[root->n - 1];
  bool iota = last->kind == S_MONADIC && last->f->kind == B_CONST &&
              last->f->cls == C_FN && fn_is(last->f->val.f, P_IOTA);
  bnode argument = *root;
  argument.n--;
  int n = iota ? walk_node(w, at, &argument) : NONE;
  if (n < 0 || n >= COMPLEX) return NONE;
  int whole = scalar_prim(w, P_FLOOR, NONE, n), zero = scalar_integer(w, 0);
  int wrong = scalar_prim(w, P_NE, whole, n), less = scalar_prim(w, P_LT, n, zero);
  int more = scalar_prim(w, P_GT, n, scalar_integer(w, ROUNDS_MOST));
  if (wrong == NONE || less == NONE || more == NONE) return NONE;
  int bad = scalar_prim(w, P_OR, scalar_prim(w, P_OR, wrong, less), more);
  if (scalar_truth(w, scalar_prim(w, P_MINUS, NONE, bad)) == NONE) return NONE;
  return scalar_choose(w, bad, zero, whole);
}

static bool for_loop(walk *w, walk_frame *at, uint32_t *i) {
  const tstep *s = step_of(at, *i), *next = s + 1;
  if (s->list || s->names->n != 1) return false;
  const sym *name = symbol_of(w->v, s->names->kid[0]);
  if (!name) return false;
  rounds k = {.from = *i + 2, .to = next->to - 1};
  k.name = slot_of(at->e->body, name);
  k.most = k.name < 0 ? NONE : number_of_rounds(w, at, s);
  *i = next->to;
  return k.most != NONE && go_round(w, at, &k);
}

static bool jumps_back(const walk_frame *at, uint32_t from, uint32_t to) {
  return from > to && step_of(at, from)->op == STEP_JUMP && step_of(at, from)->to == to;
}

bool scalar_control(walk *w, walk_frame *at, uint32_t *i, uint32_t end) {
  const tstep *s = step_of(at, *i);
  if (stack_is_low(w->v->c)) return false;
  if (s->op == STEP_FOR) {
    const tstep *next = s + 1;
    bool whole = next->op == STEP_NEXT && next->to <= end && next->to > *i + 1;
    return whole && jumps_back(at, next->to - 1, *i + 1) && for_loop(w, at, i);
  }
  if (s->op != STEP_UNLESS || s->to <= *i || s->to > end) return false;
  return jumps_back(at, s->to - 1, *i) ? while_loop(w, at, i) : if_block(w, at, i, end);
}
