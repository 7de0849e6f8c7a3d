/* SPDX-License-Identifier: MIT */
/* scalar_loop.c - functions of scalars that are loops (kir/expr.h): dfns that end in calls of
 * themselves, and ⍣.
 *
 *   {c1: a ⋄ c2: ∇ b ⋄ ∇ c}      carried: the arguments, each number of a strand by itself
 *                                 again    (~c1)∧c2, or (~c1)∧~c2
 *                                 next     c2 chooses b or c
 *                                 result   a, behind the loop
 *
 * Such a dfn is gone through three times, for each of these. Wherever statements end, the truth
 * value `under` says of which elements they are the end. */
#include "../../array/element.h"
#include "../bind/bind.h"
#include "../../tables/fast.h"
#include "scalar_walk.h"

#include <string.h>

/* ── loops ── */

bool scalar_loop_begin(looping *l, walk *w, int n, const int *start) {
  kexpr *e = &scalar_of(w)->r->e;
  *l = (looping){.w = w, .n = n, .under = scalar_of(w)->under};
  if (n < 1 || n > KIR_MAX_CARRIED || !kexpr_enter(e)) return false;
  for (int i = 0; i < n; i++) {
    if (start[i] < 0 || start[i] >= COMPLEX) return false;
    kexpr_ins in = {.op = KEXPR_CARRY, .a = (uint16_t)start[i], .b = (uint16_t)i};
    l->carry[i] = scalar_emit(w, in);
    if (l->carry[i] == NONE) return false;
  }
  return true;
}

/* Elements for which it does not count are in no loop. */
bool scalar_loop_test(looping *l, int again) {
  again = scalar_both(l->w, l->under, again);
  if (again == NONE) return false;
  return scalar_emit(l->w, (kexpr_ins){.op = KEXPR_AGAIN, .a = (uint16_t)again}) != NONE;
}

bool scalar_loop_end(looping *l, int *next) {
  for (int i = 0; i < l->n; i++) {
    if (next[i] < 0 || next[i] >= COMPLEX) return false;
    kexpr_ins in = {.op = KEXPR_NEXT, .a = (uint16_t)next[i], .b = (uint16_t)l->carry[i]};
    if (scalar_emit(l->w, in) == NONE) return false;
  }
  kexpr_leave(&scalar_of(l->w)->r->e);
  scalar_of(l->w)->under = l->under;
  for (int i = 0; i < l->n; i++) {
    next[i] =
        scalar_emit(l->w, (kexpr_ins){.op = KEXPR_AFTER, .a = (uint16_t)l->carry[i]});
    if (next[i] == NONE) return false;
  }
  return true;
}

/* ── dfns that end in calls of themselves ── */

/* The last step is ∇. */
static bool is_call(const bnode *b) {
  if (b->kind != B_CHAIN || !b->n) return false;
  const step *s = &b->step[b->n - 1];
  return s->kind <= S_DYADIC && s->f->kind == B_DEL;
}

static const bnode *bare(const bnode *b) {
  while (b->kind == B_CHAIN && !b->n) b = b->kid[0];
  return b;
}

/* What is wanted where statements end. */
typedef enum wanted { AGAIN, NEXT, RESULT } wanted;
typedef struct recursion {
  walk *w;
  walk_frame at;
  wanted want;
  uint32_t first;      /* statement: before it ⍺ got its default */
  int n_left, n_right; /* carried values of ⍺, of ⍵ */
  int calls, results;  /* ends that are calls, and others: counted on the first way */
  /* Of the arguments' numbers: which are complex, and so two carried values. */
  bool pair[KIR_MAX_CARRIED];
  int value[KIR_MAX_CARRIED];
  bool any;
} recursion;

/* Of the elements for which that end counts, the value is `is`. */
static bool add(recursion *r, int i, int is) {
  int c = scalar_of(r->w)->under;
  if (is < 0 || is >= STRAND) return false;
  if (r->any) {
    if (c == NONE) return false;
    is = scalar_choose(r->w, c, is, r->value[i]);
  }
  r->value[i] = is;
  return is != NONE;
}

/* The arguments of a call: ⍺'s values, then ⍵'s. */
static int arguments(recursion *r, const bnode *b, int *item) {
  bnode y = *b;
  const step *s = &b->step[b->n - 1];
  y.n--;
  int n = 0, right = walk_node(r->w, &r->at, &y);
  if ((s->kind == S_DYADIC) != (r->n_left > 0) || right == NONE) return 0;
  if (r->n_left) {
    int left = walk_node(r->w, &r->at, s->x);
    n = left == NONE ? 0 : scalar_items(r->w, left, item);
    if (n != r->n_left) return 0;
  }
  int m = 0, of_right[KIR_MAX_CARRIED];
  m = scalar_items(r->w, right, of_right);
  if (m != r->n_right) return 0;
  memcpy(item + n, of_right, (size_t)m * sizeof *item);
  return n + m;
}

/* Statements end in b. */
static bool finish(recursion *r, const bnode *b) {
  scalar_walk *s = scalar_of(r->w);
  int under = s->under, item[KIR_MAX_CARRIED], n = 1;
  bool call = is_call(b), ok = true;
  if (r->want == AGAIN) {
    if (call) r->calls++;
    else r->results++;
    if (!call) return true;
    if (under == NONE) {
      kexpr_ins yes = {.op = KEXPR_CONST, .type = ET_BIT, .value.i = 1};
      under = scalar_emit(r->w, yes);
    }
    if (r->any) {
      kexpr_ins either = {.op = KEXPR_DYAD,
                          .prim = P_OR,
                          .a = (uint16_t)r->value[0],
                          .b = (uint16_t)under};
      under = scalar_emit(r->w, either);
    }
    r->value[0] = under;
    r->any = true;
    return under != NONE;
  }
  if (call != (r->want == NEXT)) return true;
  /* Where there is one such end, all elements that get there come to it. */
  if (call && r->calls == 1) s->under = NONE;
  if (call) n = arguments(r, b, item);
  else item[0] = walk_node(r->w, &r->at, b);
  if (call && r->calls == 1) s->under = under;
  for (int i = 0; i < n && ok; i++) ok = add(r, i, item[i]);
  r->any = true;
  return ok && n > 0;
}

static bool go_through(recursion *r, wanted want) {
  scalar_walk *s = scalar_of(r->w);
  const tnode *t = r->at.e->body->node;
  int around = s->under;
  bool done = false, ok = true;
  r->want = want;
  r->any = false;
  for (int i = 0; i < WALK_LOCALS; i++) r->at.local[i] = NONE;
  for (uint32_t i = r->first; i < t->n && ok && !done; i++) {
    tnode *stmt = t->kid[i];
    if (stmt->kind == T_GUARD && stmt->kid[1]) {
      const bnode *cond = walk_root(r->w, &r->at, stmt->kid[0]);
      int c = cond ? scalar_truth(r->w, walk_node(r->w, &r->at, cond)) : NONE;
      int before = s->under;
      const bnode *then = walk_root(r->w, &r->at, stmt->kid[1]);
      if (c == NONE || !then) return false;
      int other = scalar_not(r->w, c);
      s->under = scalar_both(r->w, before, c);
      ok = finish(r, bare(then));
      s->under = scalar_both(r->w, before, other);
      continue;
    }
    if (stmt->kind != T_STMT) return false;
    const bound *k = bind_cached(r->w->v, r->at.e, stmt);
    if (!k) return false;
    if (k->assigns) ok = !k->sets_default && walk_node(r->w, &r->at, k->root) != NONE;
    else ok = done = finish(r, bare(k->root));
  }
  s->under = around;
  return ok && done && r->any;
}

/* ⍺ and ⍵ become those of the carried values. */
static bool set_arguments(recursion *r, const int *carried) {
  int item[KIR_MAX_CARRIED], at = 0;
  for (int i = 0; i < r->n_left + r->n_right; i++) {
    item[i] = carried[at++];
    if (r->pair[i]) item[i] = scalar_pair_of(r->w, item[i], carried[at++]);
    if (item[i] == NONE) return false;
  }
  if (r->n_left) r->at.alpha = scalar_vector(r->w, r->n_left, item);
  r->at.omega = scalar_vector(r->w, r->n_right, item + r->n_left);
  return r->at.omega != NONE && (!r->n_left || r->at.alpha != NONE);
}

/* The arguments' numbers as values to be carried; how many. 0: too many, or one has become
 * complex, which is noted. */
static int flatten(recursion *r, const int *item, int *carried) {
  int n = 0;
  bool same = true;
  for (int i = 0; i < r->n_left + r->n_right; i++) {
    same &= r->pair[i] || !is_complex(item[i]);
    r->pair[i] |= is_complex(item[i]);
    if (n + 1 + r->pair[i] > KIR_MAX_CARRIED) return 0;
    carried[n++] = item[i];
    if (!r->pair[i]) continue;
    scalar_pair z = scalar_parts(r->w, item[i]);
    carried[n - 1] = z.re;
    carried[n++] = z.im;
  }
  return same ? n : 0;
}

/* ⍺←… at the beginning. */
static bool set_default(recursion *r) {
  tnode *stmt = r->at.e->body->node->kid[0];
  if (stmt->kind != T_STMT) return true;
  const bound *k = bind_cached(r->w->v, r->at.e, stmt);
  if (!k) return false;
  if (!k->sets_default) return true;
  r->first = 1;
  return r->at.alpha != NONE || walk_node(r->w, &r->at, k->root) != NONE;
}

static int recursion_in(recursion *r) {
  walk *w = r->w;
  looping l;
  int item[2 * KIR_MAX_CARRIED] = {0}, carried[KIR_MAX_CARRIED];
  if (!set_default(r)) return NONE;
  r->n_left = scalar_items(w, r->at.alpha, item);
  r->n_right = scalar_items(w, r->at.omega, item + r->n_left);
  if (!r->n_right || r->n_left + r->n_right > KIR_MAX_CARRIED) return NONE;
  for (int i = 0; i < r->n_left + r->n_right; i++) r->pair[i] |= is_complex(item[i]);
  if (!scalar_loop_begin(&l, w, flatten(r, item, carried), carried)) return NONE;
  if (!set_arguments(r, l.carry) || !go_through(r, AGAIN) || !r->results) return NONE;
  if (!scalar_loop_test(&l, r->value[0]) || !go_through(r, NEXT)) return NONE;
  if (flatten(r, r->value, carried) != l.n || !scalar_loop_end(&l, carried)) return NONE;
  if (!set_arguments(r, carried) || !go_through(r, RESULT)) return NONE;
  return r->value[0];
}

int scalar_recursion(walk *w, fn *f, int x, int y) {
  scalar_walk *s = scalar_of(w), was = *s;
  kexpr *e = &s->r->e, e_was = *e;
  recursion r = {.w = w};
  bool pair[KIR_MAX_CARRIED] = {0};
  int result = NONE, pairs = 0;
  /* Again where a number that began as a real one turns out to be complex. */
  for (int before = -1; result == NONE && before < pairs;) {
    before = pairs;
    *e = e_was;
    *s = was;
    r = (recursion){.w = w, .pair = {0}};
    memcpy(r.pair, pair, sizeof pair);
    if (!walk_enter(w, &r.at, f, x, y)) return NONE;
    result = recursion_in(&r);
    walk_leave(w, &r.at);
    memcpy(pair, r.pair, sizeof pair);
    pairs = 0;
    for (int i = 0; i < KIR_MAX_CARRIED; i++) pairs += pair[i];
  }
  return result;
}

/* ── ⍣ ── */

/* n times: the count is carried beside the value. */
static int times(walk *w, part f, int64_t n, int x, int y) {
  looping l;
  int start[2] = {y, scalar_integer(w, n)}, next[2];
  if (start[1] == NONE || !scalar_loop_begin(&l, w, 2, start)) return NONE;
  int zero = scalar_integer(w, 0), one = scalar_integer(w, 1);
  if (zero < 0 || one < 0 ||
      !scalar_loop_test(&l, scalar_prim(w, P_GT, l.carry[1], zero)))
    return NONE;
  next[0] = walk_apply(w, f, x, l.carry[0]);
  next[1] = scalar_prim(w, P_MINUS, l.carry[1], one);
  return scalar_loop_end(&l, next) ? next[0] : NONE;
}

/* Until new g old: the value, and whether it is enough. */
static int until(walk *w, part f, part g, int x, int y) {
  looping l;
  int start[2] = {y, scalar_integer(w, 0)}, next[2];
  if (start[1] == NONE || !scalar_loop_begin(&l, w, 2, start)) return NONE;
  if (!scalar_loop_test(&l, scalar_not(w, l.carry[1]))) return NONE;
  next[0] = walk_apply(w, f, x, l.carry[0]);
  if (next[0] == NONE) return NONE;
  next[1] = scalar_truth(w, walk_apply(w, g, next[0], l.carry[0]));
  return scalar_loop_end(&l, next) ? next[0] : NONE;
}

int scalar_power(walk *w, const part_derived *f, int x, int y) {
  if (part_class(&f->r) == C_FN) return until(w, f->l, f->r, x, y);
  const arr *n = part_array(&f->r);
  if (!n || n->rank || !n->host || !elt_is_int((elt)n->type)) return NONE;
  int64_t count = arr_get_int(n, 0);
  return count < 0 ? NONE : times(w, f->l, count, x, y);
}
