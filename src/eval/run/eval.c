/* SPDX-License-Identifier: MIT */
/* eval.c - bound nodes to values: chains, strands, indices, functions made of functions.
 *
 *   eval_stmt ─▶ bind ─▶ chain: base, then step by step from right to left
 *                          │ primitive ─▶ prim1, prim2 ─▶ ir (scalars: prim/direct.h)
 *                          └ function  ─▶ call ─▶ call_dfn (dfn.c) ─▶ body: eval_stmt …
 *
 * A dfn's statement that yields its result is evaluated with `tail`: if its last application
 * calls a dfn that does not need this call's names, the call is left in vm.tail and made by
 * call_dfn when this call's environment is gone, so that loops by ∇ run in constant space.
 * Everything that recurses asks out_of_stack() first, which knows how much C stack is left: a node
 * that is made of others is one of a chain that may be as long as a text. */
#include "eval.h"
#include "../../array/convert.h"
#include "../../tables/fast.h"
#include "../../tables/help.h"
#include "../bind/bind.h"
#include "../value/items.h"
#include "../value/space.h"
#include "member.h"
#include "primitive.h"
#include "row.h"
#include "sys_call.h"

/* ── places in the text ─────────────────────────────────────────────────────────────── */

SELDOM bool fail_at(vm *v, const env *e, const bnode *b) {
  err_at(v->c, span_in(e, b->begin, b->end));
  return false;
}

SELDOM bool fail_node(vm *v, const env *e, const bnode *b, int code, const char *msg) {
  err_set(v->c, code, "%s", msg);
  return fail_at(v, e, b);
}

static bool no_result_at(vm *v, const env *e, const bnode *b) {
  no_result(v);
  return fail_at(v, e, b);
}

bool no_array(vm *v, env *e, const bnode *b, value *r) {
  bool none = !r->cls;
  value_clear(r);
  if (none) return no_result_at(v, e, b);
  return fail_node(v, e, b, ERR_SYNTAX, "an array is wanted here");
}

bool no_argument(vm *v, const env *e, const step *s, value x) {
  if (x.cls) err_set(v->c, ERR_SYNTAX, "a function cannot be an argument");
  else no_result(v);
  err_at(v->c, span_in(e, s[-1].begin, s[-1].end));
  return false;
}

/* ── strands and array notation ─────────────────────────────────────────────────────── */

typedef struct gathered { /* items; those that are there are owned */
  ctx *c;
  int64_t n;
  arr **at, *few[8]; /* few: of a short strand, on the stack */
} gathered;

static void gathered_free(gathered *g) {
  for (int64_t i = 0; i < g->n; i++) arr_release(g->at[i]);
  if (g->at != g->few) mem_free(g->c, g->at);
}

/* A row of a matrix: a scalar becomes a vector. */
static arr *as_row(vm *v, arr *a) {
  static const int64_t one = 1;
  if (a->rank) return arr_retain(a);
  if (!ir_host(v->g, a)) return NULL;
  return arr_reshape(v->c, a, 1, &one);
}

/* A step whose left argument may turn out to be a function. */
typedef struct waiting {
  const step *s;
  arr *y;    /* its right argument */
  bool done; /* it was applied */
} waiting;

static bool eval_items(vm *v, env *e, const bnode *b, int64_t n, waiting *w, value *r);

/* f/ of an f that was found left of / ⌿ \ ⍀ */
static fn *fold_found(vm *v, const fn *slash, fn *f) {
  fn *g = fn_new(v, F_DERIVED, slash->code);
  if (!g) return NULL;
  g->l = value_fn(fn_retain(f), C_FN);
  g->depth = f->depth + 1;
  return g;
}

/* The right argument of the function *f that was found: what w makes of x, the items behind it (NULL: none),
 * and its own argument. A slash right behind the function makes another one of it. */
static arr *right_of_found(vm *v, env *e, waiting *w, arr *x, fn **f) {
  OWNED_FN fn *g = function_made(v, e, w->s);
  if (!g) return NULL;
  w->done = true;
  v->at = span_in(e, w->s->begin, w->s->end);
  if (x || g->kind != F_REPLICATE) return call2(v, g, x, w->y);
  fn *folds = fold_found(v, g, *f);
  if (!folds) return NULL;
  fn_release(*f);
  *f = folds;
  return arr_retain(w->y);
}

/* The function f, item k of the row b, applied to y and to what the items left of it are. */
static bool call_found(vm *v, env *e, const bnode *b, int64_t k, fn *f, arr *y,
                       value *r) {
  OWNED_VALUE value x = {0};
  const bnode *at = b->kind == B_STRAND ? b->kid[k] : b;
  if (out_of_stack(v->c)) return false; /* the items left of it may be functions, too */
  if (k && (!eval_items(v, e, b, k, NULL, &x) || !value_box(v->c, &x))) return false;
  v->at = span_in(e, at->begin, at->end);
  OWNED arr *fy = NULL;
  arr *got = NULL;
  bool ok = call(v, f, x.cls == C_ARR ? x.a : NULL, y, &fy);
  if (ok && x.cls == C_FN) ok = fy ? call(v, x.f, NULL, fy, &got) : no_result(v);
  else got = arr_move(&fy);
  *r = value_arr(got);
  if (!ok) err_at(v->c, v->at);
  return ok;
}

/* Item k of the strand b turned out to be the function f, whose reference it takes over. It is applied to
 * those right of it, which are gathered, and to what those left of it are. */
static bool apply_found(vm *v, env *e, const bnode *b, int64_t k, gathered *g, waiting *w,
                        fn *f, value *r) {
  OWNED_FN fn *found = f;
  OWNED arr *y = NULL;
  int64_t m = g->n - 1 - k;
  if (m == 1) y = arr_move(&g->at[k + 1]);
  else if (m) y = collect(v, g->at + k + 1, 1, &m);
  g->n = k + 1;
  if (m && !y) return false;
  if (w) {
    arr *all = right_of_found(v, e, w, y, &found);
    arr_release(y);
    y = all;
    if (!y) return false;
  }
  if (y) return call_found(v, e, b, k, found, y, r);
  if (!k) *r = value_fn(fn_move(&found), C_FN);
  return !k || fail_node(v, e, b->kid[k], ERR_SYNTAX, "the right argument is missing");
}

/* The values of the first n kids as items, evaluated from the right (strand) or from the left; w: the
 * step of which the strand is the left argument, or NULL. */
static bool eval_items(vm *v, env *e, const bnode *b, int64_t n, waiting *w, value *r) {
  __attribute__((cleanup(gathered_free))) gathered g = {.c = v->c};
  g.at = g.few;
  if (n > (int64_t)ARRAY_LEN(g.few)) g.at = mem_zalloc(v->c, (size_t)n * sizeof *g.at);
  if (!g.at) return false;
  g.n = n;
  for (int64_t i = 0; i < n; i++) {
    int64_t k = b->kind == B_STRAND ? n - 1 - i : i;
    OWNED_VALUE value x = {0};
    if (!eval_load(v, e, b->kid[k], &x)) return false;
    if (x.cls == C_FN && b->kind == B_STRAND)
      return apply_found(v, e, b, k, &g, w, value_move(&x).f, r);
    if (x.cls != C_ARR) return no_array(v, e, b->kid[k], &x);
    if (!value_box(v->c, &x)) return fail_at(v, e, b->kid[k]);
    if (b->kind == B_MATRIX) g.at[k] = as_row(v, x.a);
    else g.at[k] = value_move(&x).a;
    if (!g.at[k]) return false;
  }
  g.n = 0; /* collect takes them over */
  if (n == 1 && b->kind == B_STRAND) *r = value_arr(g.at[0]);
  else *r = value_arr(collect(v, g.at, 1, &n));
  return r->cls;
}

static arr *eval_matrix(vm *v, env *e, const bnode *b) {
  OWNED_VALUE value rows = {0};
  if (!eval_items(v, e, b, b->n, NULL, &rows) || !ir_host(v->g, rows.a)) return NULL;
  prim_env pe = env_of(v);
  return prim_mix(&pe, rows.a);
}

/* ── indices in brackets ────────────────────────────────────────────────────────────── */

bool indices_of(vm *v, env *e, const bnode *b, indices *ix) {
  ix->n = ix->from = 0;
  if (b->n - 1 > ARR_MAX_RANK)
    return fail_node(v, e, b, ERR_RANK, "more indices than an array has axes");
  ix->n = (int)b->n - 1;
  for (int i = ix->n; i-- > 0;) {
    ix->of[i] = (value){0};
    if (!b->kid[i + 1] || eval_array(v, e, b->kid[i + 1], &ix->of[i])) continue;
    ix->from = i + 1;
    return false;
  }
  return true;
}

bool indices_box(vm *v, indices *ix) {
  for (int i = 0; i < ix->n; i++) {
    if (!value_box(v->c, &ix->of[i])) return false;
    ix->at[i] = ix->of[i].cls ? ix->of[i].a : NULL;
  }
  return true;
}

bool indices_host(vm *v, const indices *ix) {
  for (int i = 0; i < ix->n; i++)
    if (ix->at[i] && !ir_host(v->g, ix->at[i])) return false;
  return true;
}

void indices_release(indices *ix) {
  for (int i = ix->from; i < ix->n; i++) value_release(ix->of[i]);
}

/* Is it a name, perhaps behind a point, that stands for a function without arguments? */
static bool is_called(const bnode *b) {
  return b->kind == B_NILADIC || (b->kind == B_MEMBER && b->kid[1]->kind == B_NILADIC);
}

static bool eval_index(vm *v, env *e, const bnode *b, value *r) {
  OWNED_INDICES indices ix;
  if (!indices_of(v, e, b, &ix)) return false;
#define FAST_ELEMENT(way)                                                                \
  if (way(v, e, b->kid[0], &ix, r)) return true;
#include "../../tables/fast.def"
  if (!indices_box(v, &ix)) return false;
  if (is_called(b->kid[0])) *r = value_arr(member_at(v, e, b, ix.n, ix.at));
  else {
    OWNED arr *y = eval_arr(v, e, b->kid[0]);
    if (!y) return false;
    v->at = span_in(e, b->kid[0]->end, b->end);
    if (y->ref) *r = value_arr(reference_at(v, y, ix.n, ix.at));
    else *r = value_arr(index_of(v, y, ix.n, ix.at));
  }
  if (!r->cls) err_at(v->c, span_in(e, b->kid[0]->end, b->end));
  return r->cls;
}

/* ── steps that seldom run, or that are not on numbers ──────────────────────────────── */

bool number_in(const env *e, const bnode *b, prim_number *n) {
  const value *x = value_at_hand(e, b);
  return x && number_of(x, n);
}

fn *member_function(vm *v, const env *e, const bnode *b) {
  const arr *in = e->space;
  const sym *s = b->s;
  if (b->kind == B_MEMBER) {
    const value *on = value_at_hand(e, b->kid[0]);
    if (b->kid[1]->kind != B_NAME || !on || on->num || !on->a->ref) return NULL;
    in = on->a;
    if (space_of(in)->is_fill) return NULL;
    s = b->kid[1]->s;
  } else if (b->kind != B_NAME || !in || b->slot >= 0 || !env_has_no_other(e))
    return NULL;
  const value *x = space_find(in, (sym *)(uintptr_t)s);
  bool plain = x && x->cls == C_FN && !fn_is_niladic(x->f) && x->f->kind != F_REPLICATE;
  return plain && b->cls == C_FN ? space_method(v, x->f, in) : NULL;
}

fn *function_made(vm *v, env *e, const step *s) {
  value f = {0};
  if (!eval(v, e, s->f, &f)) return NULL;
  if (f.cls == C_FN) return f.f;
  value_release(f);
  v->at = span_in(e, s->begin, s->end);
  return err_null(v->c, ERR_SYNTAX, "a function is wanted here");
}

fn *operand_of_self(fn *f, value *x, value *y) {
  bool self = f->kind == F_DERIVED && f->code == OP_SELF && f->l.cls == C_FN;
  if (!self || !is_dfn(f->l.f)) return f;
  value left = *y;
  *y = x->cls ? *x : value_retain(left);
  *x = left;
  fn *g = fn_retain(f->l.f);
  fn_release(f);
  return g;
}

/* Applies the primitive of s to *r, which it takes over. */
static bool apply_to_arrays(vm *v, prim p, value *x, value *r) {
  OWNED_VALUE value y = value_move(r);
  if (!value_box(v->c, x) || !value_box(v->c, &y)) return false;
  *r = value_arr(primitive_call(v, p, x->a, y.a));
  return r->cls;
}

static inline bool is_ranked(const value *x) {
  return x && x->cls == C_ARR && !x->num && x->a->rank;
}

/* The array that x is, which nobody else holds; NULL: it is no such. */
static inline arr *only_holder(const value *x) {
  return !x->num && x->a->refs == 1 ? x->a : NULL;
}

/* The scalar function of at->s on what is short and no number, most of what a program does; *ok: without an
 * error. False: it is something else, and nothing has happened. */
SELDOM static bool run_short(vm *v, const env *e, row_at *at, value *r, bool *ok) {
  const step *s = at->s;
  const value *x = NULL, *y = r;
  bool held = s->at == AT_HELD;
  arr *made = NULL;
  if (held) {
    x = r;
    y = at->held - 1;
  } else if (s->own.num) x = &s->own;
  else if (s->x && !(x = value_at_hand(e, s->x))) return false;
  if (!is_ranked(y) && !is_ranked(x)) return false;
  arr *spare = only_holder(y);
  if (held && !spare) spare = only_holder(x);
  if (!prim_short(v, (prim)s->prim, x, y, spare, &made)) return false;
  v->shy = false;
  *ok = made != NULL;
  if (!made) {
    err_at(v->c, span_in(e, s->begin, s->end));
    return true;
  }
  value_release(*r);
  *r = value_arr(made);
  if (held) value_release(*--at->held);
  return true;
}

bool run_primitive(vm *v, env *e, row_at *at, value *r) {
  const step *s = at->s;
  bool ok;
  if (s->scalar && run_short(v, e, at, r, &ok)) return ok;
  OWNED_VALUE value x = {0};
  prim_number a, b;
  ok = !s->x || left_of(v, e, at, r, &x);
  if (ok) v->shy = false;
  if (ok && s->x && number_of(&x, &a) && number_of(r, &b)) {
    if (!v->sv->div && prim_on_numbers(v->sv->ct, &s->on, a, &b)) {
      value_release(*r);
      number_into(r, b);
      return true;
    }
  }
  if (ok) v->at = span_in(e, s->begin, s->end);
  ok = ok && apply_to_arrays(v, (prim)s->prim, &x, r);
  if (!LIKELY(ok)) err_at(v->c, span_in(e, s->begin, s->end));
  return ok;
}

bool number_made(vm *v, const step *s, value *r, prim_number *n) {
  if (r->cls != C_ARR || r->num) return false;
  *n = (prim_number){CLS_I, {arr_first_axis(r->a)}};
  if (s->run == R_FOLD) {
    const fn *f = s->f->val.f->l.f;
    if (!prim_fold_short(v, (prim)f->prim, r->a, n)) return false;
  }
  value_clear(r);
  v->shy = false;
  return true;
}

static bool modify(vm *v, env *e, const step *s, value *y) {
  OWNED_VALUE value f = {0};
  if (!eval(v, e, s->f, &f)) return false;
  v->at = span_in(e, s->begin, s->end);
  return assign_with(v, e, s->x, f.f, *y);
}

/* What step f makes of x/y, or of ⍸y if x is NULL; NULL without an error: it needs that. */
static arr *of_selected(vm *v, const fn *f, arr *x, arr *y) {
  ir_call at = call_of(v);
  if (!fn_is(f, P_TALLY))
    return ir_reduce_where(&at, prim_in_force(v, (prim)f->l.f->prim, true), x, y);
  arr *mask = x ? x : y;
  if (y->rank != 1 || mask->rank != 1 || y->count != mask->count) return NULL;
  return ir_ones(&at, mask);
}

/* Step at->s and the next one at once, or else that one alone. */
static bool run_selected(vm *v, env *e, row_at *at, value *r) {
  const step *s = at->s;
  OWNED_VALUE value x = {0};
  if (s->x && !left_of(v, e, at, r, &x)) return false;
  OWNED_VALUE value y = value_move(r);
  if (!value_box(v->c, &x) || !value_box(v->c, &y)) return false;
  v->shy = false;
  v->at = span_in(e, s->begin, s->end);
  arr *next = of_selected(v, s[1].f->val.f, x.a, y.a);
  if (next) at->s++;
  else if (!err_is(v->c)) next = call2(v, s->f->val.f, x.a, y.a);
  *r = value_arr(next);
  return next != NULL;
}

/* x f y; of an x that turns out to be a function what it makes of f y. */
static bool run_open(vm *v, env *e, const step *s, value *r) {
  OWNED_VALUE value x = {0};
  OWNED_VALUE value y = value_move(r);
  if (!value_box(v->c, &y)) return false;
  waiting w = {.s = s, .y = y.a};
  bool strand = s->x->kind == B_STRAND;
  bool ok = strand ? eval_items(v, e, s->x, s->x->n, &w, &x) : eval(v, e, s->x, &x);
  if (!ok || w.done) {
    *r = value_move(&x);
    return ok;
  }
  if (x.cls == C_FN) {
    OWNED arr *fy = right_of_found(v, e, &w, NULL, &x.f);
    return fy && call_found(v, e, s->x, 0, x.f, fy, r);
  }
  if (x.cls != C_ARR) return no_array(v, e, s->x, &x);
  OWNED_FN fn *f = function_made(v, e, s);
  if (!f || !value_box(v->c, &x)) return false;
  arr *got = NULL;
  v->at = span_in(e, s->begin, s->end);
  ok = call(v, f, x.a, y.a, &got);
  *r = value_arr(got);
  return ok;
}

bool run_other(vm *v, env *e, row_at *at, value *r) {
  const step *s = at->s;
  bool ok;
  switch ((rkind)s->run) {
  case R_SET: return r->cls ? assign(v, e, s->x, *r) : no_argument(v, e, s, *r);
  case R_PAREN: v->shy = false; return r->cls || no_result_at(v, e, s->x);
  default:
    if (r->cls != C_ARR) return no_argument(v, e, s, *r);
  }
  if (s->run == R_HOLD) {
    value_give(at->held++, r);
    return true;
  }
  if (s->run == R_OPEN) ok = run_open(v, e, s, r);
  else if (s->run == R_SELECT) ok = run_selected(v, e, at, r);
  else ok = modify(v, e, s, r);
  if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
  return ok;
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* Does x = 3 stand there, where x←3 is likely to be meant? */
static bool looks_assigned(span at) {
  const char *p = at.src->text + at.end;
  while (*p == ' ') p++;
  return *p == '=';
}

/* VALUE ERROR, with a hint for who comes from another language. */
static bool no_value(vm *v, env *e, const bnode *b) {
  const char *name = b->s->text, *hint = hint_of(name);
  help_name known;
  if (looks_assigned(span_in(e, b->begin, b->end)))
    err_set(v->c, ERR_VALUE, "%s has no value; %s←… gives it one, = compares", name,
            name);
  else if (hint) err_set(v->c, ERR_VALUE, "%s has no value; %s", name, hint);
  else if (help_type(name, strlen(name), &known))
    err_set(v->c, ERR_VALUE, "%s has no value; it may mean %.*s: ]help %.*s", name,
            (int)known.text_n, known.text, (int)known.text_n, known.text);
  else err_set(v->c, ERR_VALUE, "%s has no value", name);
  return fail_at(v, e, b);
}

static bool eval_name(vm *v, env *e, const bnode *b, value *r) {
  const value *x = env_at_once(e, b->s, b->slot);
  if (!x || !x->cls) x = env_read(e, b->s, b->slot);
  if (x->cls == b->cls) return space_take(v, x, e->space, r) || fail_at(v, e, b);
  if (x->cls)
    return fail_node(v, e, b, ERR_SYNTAX,
                     "what it stands for was changed by this statement");
  return no_value(v, e, b);
}

/* A function without arguments, which may give no value. */
static bool eval_niladic(vm *v, env *e, const bnode *b, value *r) {
  const value *x = env_read(e, b->s, b->slot);
  if (x->cls != C_FN || !fn_is_niladic(x->f))
    return err_set(v->c, ERR_SYNTAX, "what it stands for was changed by this statement");
  v->at = span_in(e, b->begin, b->end);
  return step_begins(v->c) && member_read(v, x->f, e->space, r);
}

/* ⍺ and operands, which may be missing. */
static bool eval_own(vm *v, env *e, const bnode *b, value x, value *r) {
  *r = value_retain(x);
  if (x.cls) return true;
  if (b->kind == B_ALPHA)
    return fail_node(v, e, b, ERR_VALUE, "⍺ has no value: there is no left argument");
  return fail_node(v, e, b, ERR_SYNTAX, "there is no such operand");
}

/* ── functions ──────────────────────────────────────────────────────────────────────── */

/* A function made of parts, which must have values. */
static bool eval_function(vm *v, env *e, const bnode *b, value *r) {
  /* From the right: axis, right operand, operator, left operand. */
  static const uint8_t derived[] = {3, 2, 0, 1}, train[] = {2, 1, 0};
  const uint8_t *order = b->kind == B_DERIVED ? derived : train + 3 - b->n;
  value part[DERIVE_PARTS] = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && i < b->n; i++) {
    const bnode *kid = b->kid[order[i]];
    value *x = &part[order[i]];
    if (kid) ok = eval(v, e, kid, x) && (x->cls || no_result_at(v, e, kid));
    ok = ok && value_box(v->c, x);
  }
  fn *f = ok ? derive(v, b, part) : NULL;
  for (uint32_t i = 0; i < b->n; i++) value_release(part[i]);
  *r = value_fn(f, b->cls);
  if (f) return true;
  return fail_at(v, e, b->kind == B_DERIVED && ok ? b->kid[0] : b);
}

/* A function or an operator that a text gives. */
static bool eval_execute(vm *v, env *e, const bnode *b, value *r) {
  v->at = span_in(e, b->begin, b->end);
  bool ok = execute(v, v->env, b->kid[0]->val.a, r);
  v->shy = false;
  if (ok && r->cls == b->cls) return true;
  value_clear(r);
  if (!ok) return fail_at(v, e, b);
  return fail_node(v, e, b, ERR_SYNTAX,
                   "what it stands for was changed by this statement");
}

/* ── nodes ──────────────────────────────────────────────────────────────────────────── */

/* The nodes that make an array. */
static arr *eval_made(vm *v, env *e, const bnode *b) {
  switch ((bkind)b->kind) {
  case B_SYS: v->at = span_in(e, b->begin, b->end); return sys_get(v, (int)b->code);
  case B_MATRIX: return eval_matrix(v, e, b);
  case B_SPACE: return eval_space(v, e, b);
  case B_HASH: return eval_hash(v, e, b);
  default: return err_null(v->c, (int)b->code, "%s", b->text); /* B_ERROR */
  }
}

bool eval(vm *v, env *e, const bnode *b, value *r) {
  *r = (value){0};
  if (b->kind >= B_STRAND && out_of_stack(v->c)) return fail_at(v, e, b);
  switch ((bkind)b->kind) {
  case B_CONST: *r = value_retain(b->val); return true;
  case B_NAME: return eval_name(v, e, b, r);
  case B_NILADIC: return eval_niladic(v, e, b, r) || fail_at(v, e, b);
  case B_ALPHA: return eval_own(v, e, b, e->alpha, r);
  case B_OMEGA: *r = value_retain(e->omega); return true;
  case B_LOP: return eval_own(v, e, b, e->self->l, r);
  case B_ROP: return eval_own(v, e, b, e->self->r, r);
  case B_DEL: *r = value_fn(fn_retain(e->self), C_FN); return true;
  case B_DEL2: return eval_own(v, e, b, e->self->m, r);
  case B_CHAIN: return eval_chain(v, e, b, r);
  case B_STRAND:
  case B_VECTOR: return eval_items(v, e, b, b->n, NULL, r) || fail_at(v, e, b);
  case B_INDEX: return eval_index(v, e, b, r) || fail_at(v, e, b);
  case B_EXECUTE: return eval_execute(v, e, b, r);
  case B_MEMBER: return eval_member(v, e, b, r);
  case B_DFN: *r = value_fn(fn_closure(v, e, e->body->u, b->tree), b->cls); break;
  case B_DERIVED:
  case B_AXIS:
  case B_ATOP:
  case B_FORK: return eval_function(v, e, b, r);
  default: *r = value_arr(eval_made(v, e, b));
  }
  return r->cls || fail_at(v, e, b);
}

arr *eval_arr(vm *v, env *e, const bnode *b) {
  value r;
  if (!eval_array(v, e, b, &r)) return NULL;
  if (value_box(v->c, &r)) return r.a;
  fail_at(v, e, b);
  return NULL;
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

bound *bound_for_names(vm *v, env *e, tnode *stmt) {
  bound *k = bind_cached(v, e, stmt);
  if (!k) err_at(v->c, span_in(e, stmt->begin, stmt->end));
  return k;
}

bool eval_chain(vm *v, env *e, const bnode *b, value *r) {
  *r = (value){0};
  if (out_of_stack(v->c)) return fail_at(v, e, b);
  return run_row(v, e, b->flat, false, r);
}

bool eval_stmt(vm *v, env *e, tnode *stmt, bool tail, value *r) {
  *r = (value){0};
  v->shy = false;
  const bound *k = bound_of(v, e, stmt);
  return k && eval_bound(v, e, k, tail, r);
}
