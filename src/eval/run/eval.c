/* SPDX-License-Identifier: MIT */
/* eval.c - bound nodes to values: chains, strands, indices, calls.
 *
 *   eval_stmt ─▶ bind ─▶ chain: base, then step by step from right to left
 *                          │ primitive ─▶ prim1, prim2 ─▶ ir (scalars: prim/host.h at once)
 *                          └ function  ─▶ call ─▶ call_dfn (dfn.c) ─▶ body: eval_stmt …
 *
 * A dfn's statement that yields its result is evaluated with `tail`: if its last application
 * calls a dfn that does not need this call's names, the call is left in vm.tail and made by
 * call_dfn when this call's environment is gone, so that loops by ∇ run in constant space.
 * Everything that recurses asks deep() first, which knows how much C stack is left. */
#include "../internal.h"
#include "../../base/utf8.h"
#include <string.h>

span span_in(const env *e, uint32_t begin, uint32_t end) {
  return (span){e->body->u->t->src, begin, end};
}

bool fail_at(vm *v, const env *e, const bnode *b) {
  err_at(v->c, span_in(e, b->begin, b->end));
  return false;
}

bool fail_node(vm *v, const env *e, const bnode *b, int code, const char *msg) {
  err_set(v->c, code, "%s", msg);
  return fail_at(v, e, b);
}

bool deep(vm *v) {
  if ((char *)__builtin_frame_address(0) > v->stack_low) return false;
  err_set(v->c, ERR_LIMIT, "calls or parentheses are nested too deeply (%u calls)",
          v->depth);
  return true;
}

prim_env env_of(vm *v) {
  return (prim_env){
      .c = v->c, .ct = v->sv->ct, .io = v->sv->io, .pp = v->sv->pp, .random = &v->random};
}

ir_call call_of(vm *v) { return (ir_call){.g = v->g, .env = env_of(v), .at = v->at}; }

/* ── primitives ─────────────────────────────────────────────────────────────────────── */

static bool missing(vm *v, prim p, bool dyadic) {
  const char *name = dyadic ? prim_table[p].dyadic : prim_table[p].monadic;
  if (!*name)
    return err_set(v->c, ERR_SYNTAX, "%s takes %s", prim_table[p].glyph,
                   dyadic ? "no left argument" : "a left argument");
  return err_set(v->c, ERR_NONCE, "%s (%s) is not in this version", prim_table[p].glyph,
                 name);
}

static inline bool at_hand(const arr *a) {
  return !a->rank && a->host && a->type != ET_NEST;
}

prim prim_in_force(const vm *v, prim p, bool dyadic) {
  if (v->sv->div && p == P_DIVIDE) return P_DIVIDE0;
  if (v->sv->ml == 1) return p;
  if (dyadic) return v->sv->ml > 2 && p == P_ENCLOSE ? P_NEST : p;
  if (v->sv->ml > 1 && p == P_TAKE) return P_PICK;
  return v->sv->ml > 1 && p == P_PICK ? P_TAKE : p;
}

/* ∊ at ⎕ML 0 is the type of y, ≡ from 2 on is never negative; NULL without an error: neither. */
static arr *level_result(vm *v, prim p, arr *y) {
  if (p == P_MEMBER && !v->sv->ml) return ir_host(v->g, y) ? arr_proto(v->c, y) : NULL;
  if (p != P_MATCH || v->sv->ml < 2) return NULL;
  prim_env pe = env_of(v);
  arr *d = ir_host(v->g, y) ? prim_depth(&pe, y) : NULL;
  arr *r = d ? prim_monadic(&pe, P_RESIDUE, d) : NULL;
  arr_release(d);
  return r;
}

arr *prim1(vm *v, prim p, arr *y) {
  if (v->sv->ml != 1) {
    arr *r = level_result(v, p, y);
    if (r || err_is(v->c)) return r;
  }
  p = prim_in_force(v, p, false);
  if (!prim_has(p, false)) return missing(v, p, false), NULL;
  if (p != P_IOTA && at_hand(y)) { /* ⍳n is long however short n is */
    prim_env pe = env_of(v);
    return prim_monadic(&pe, p, y);
  }
  ir_call call = call_of(v);
  return ir_monadic(&call, p, y);
}

arr *prim2(vm *v, prim p, arr *x, arr *y) {
  p = prim_in_force(v, p, true);
  if (!prim_has(p, true)) return missing(v, p, true), NULL;
  if (p != P_RHO && at_hand(x) && at_hand(y)) {
    prim_env pe = env_of(v);
    return prim_dyadic(&pe, p, x, y);
  }
  ir_call call = call_of(v);
  return ir_dyadic(&call, p, x, y);
}

arr *index_of(vm *v, arr *y, int n, arr *const *at) {
  if (n == 1 && !y->host && at[0] && at_hand(at[0]) && elt_is_int((elt)at[0]->type) &&
      arr_get_int(at[0], 0) >= v->sv->io) {
    ir_call call = call_of(v);
    arr *r = ir_pick(&call, y, arr_get_int(at[0], 0) - v->sv->io);
    if (r || err_is(v->c)) return r;
  }
  if (!ir_host(v->g, y)) return NULL;
  prim_env pe = env_of(v);
  return cx_demote(v->c, prim_index(&pe, y, n, at));
}

bool get_int(vm *v, arr *a, int64_t *n, const char *what) {
  if (!ir_host(v->g, a)) return false;
  if (a->count != 1)
    return err_set(v->c, a->rank > 1 ? ERR_RANK : ERR_LENGTH, "%s must be one number",
                   what);
  if (a->type > ET_C128) return err_set(v->c, ERR_DOMAIN, "%s must be a number", what);
  prim_env pe = env_of(v);
  return prim_int(&pe, a, what, n);
}

/* ── arrays from items ──────────────────────────────────────────────────────────────── */

static bool is_simple_scalar(const arr *a) { return !a->rank && !is_nested(a); }

arr *collect_none(vm *v, arr *like, int rank, const int64_t *shape) {
  if (is_simple_scalar(like)) return arr_new(v->c, (elt)like->type, rank, shape);
  arr *proto = ir_host(v->g, like) ? arr_proto(v->c, like) : NULL;
  arr *r = proto ? arr_new(v->c, ET_NEST, rank, shape) : NULL;
  if (r) ((arr **)r->host)[0] = proto;
  else arr_release(proto);
  return r;
}

static arr *collect_simple(vm *v, arr **items, elt t, int rank, const int64_t *shape) {
  arr *r = arr_new(v->c, t, rank, shape);
  if (!r) return NULL;
  bool ranged = elt_is_int(t) || elt_is_char(t);
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (int64_t i = 0; i < r->count; i++) {
    arr_copy(r, i, items[i], 0, 1);
    if (!ranged) continue;
    int64_t k = arr_get_int(items[i], 0);
    if (k < lo) lo = k;
    if (k > hi) hi = k;
  }
  if (ranged && r->count) arr_set_range(r, lo, hi);
  return r;
}

arr *collect(vm *v, arr **items, int rank, const int64_t *shape) {
  int64_t n = 1;
  bool simple = true, ok = true;
  elt t = ET_BIT;
  arr *r = NULL;
  for (int k = 0; k < rank; k++) n *= shape[k];
  for (int64_t i = 0; i < n && ok; i++) {
    ok = items[i]->rank || ir_host(v->g, items[i]);
    if (!ok || !(simple = simple && is_simple_scalar(items[i]))) continue;
    t = i ? elt_join(t, (elt)items[i]->type) : (elt)items[i]->type;
  }
  if (ok && simple && t != ET_NEST) r = collect_simple(v, items, t, rank, shape);
  else if (ok && (r = arr_new(v->c, ET_NEST, rank, shape)) && n) {
    memcpy(r->host, items, (size_t)n * sizeof *items);
    return r;
  }
  for (int64_t i = 0; i < n; i++) arr_release(items[i]);
  return r;
}

/* The values of kids as items, evaluated from the right (strand) or from the left. */
static arr *eval_items(vm *v, env *e, const bnode *b, bool vectors) {
  arr *few[8] = {NULL}, **items = few, *r = NULL;
  int64_t n = b->n;
  bool right = b->kind == B_STRAND, ok = true;
  if (n > 8 && !(items = mem_zalloc(v->c, (size_t)n * sizeof *items))) return NULL;
  for (int64_t i = 0; i < n && ok; i++) {
    int64_t k = right ? n - 1 - i : i, one = 1;
    ok = (items[k] = eval_arr(v, e, b->kid[k])) != NULL;
    if (!ok || !vectors || items[k]->rank) continue;
    arr *s = items[k];
    ok = ir_host(v->g, s) && (items[k] = arr_reshape(v->c, s, 1, &one));
    if (!ok) items[k] = NULL;
    arr_release(s);
  }
  if (ok) r = collect(v, items, 1, &n);
  else
    for (int64_t i = 0; i < n; i++) arr_release(items[i]);
  if (items != few) mem_free(v->c, items);
  return r;
}

static arr *eval_matrix(vm *v, env *e, const bnode *b) {
  arr *rows = eval_items(v, e, b, true), *r = NULL;
  if (rows && ir_host(v->g, rows)) {
    prim_env pe = env_of(v);
    r = prim_mix(&pe, rows);
  }
  arr_release(rows);
  return r;
}

bool indices_of(vm *v, env *e, const bnode *b, arr **at) {
  memset(at, 0, ARR_MAX_RANK * sizeof *at);
  if (b->n - 1 > ARR_MAX_RANK)
    return fail_node(v, e, b, ERR_RANK, "more indices than an array has axes");
  for (uint32_t i = b->n - 1; i-- > 0;) {
    if (!b->kid[i + 1]) continue;
    at[i] = eval_arr(v, e, b->kid[i + 1]);
    if (!at[i] || !ir_host(v->g, at[i])) return false;
  }
  return true;
}

void indices_release(arr **at) {
  for (int i = 0; i < ARR_MAX_RANK; i++) arr_release(at[i]);
}

static arr *eval_index(vm *v, env *e, const bnode *b) {
  arr *at[ARR_MAX_RANK], *r = NULL;
  arr *y = indices_of(v, e, b, at) ? eval_arr(v, e, b->kid[0]) : NULL;
  if (y) {
    v->at = span_in(e, b->kid[0]->end, b->end);
    r = index_of(v, y, (int)b->n - 1, at);
    if (!r) err_at(v->c, v->at);
  }
  arr_release(y);
  indices_release(at);
  return r;
}

/* ── chains ─────────────────────────────────────────────────────────────────────────── */

/* May this call be left to the caller of the dfn that runs in e? */
static bool can_leave(const fn *f, const env *e) {
  return e->body->node && (f->kind == F_DFN || f->kind == F_DOPPED) && !fn_uses(f, e);
}

/* Applies s to y; *r is NULL if there is no result, or if the call was left to the caller. */
static bool apply(vm *v, env *e, const step *s, bool tail, arr *y, arr **r) {
  arr *x = NULL;
  value f = {0};
  bool ok = true;
  *r = NULL;
  if (s->x && !(x = eval_arr(v, e, s->x))) return false;
  v->shy = false;
  if (s->f->kind == B_CONST && s->f->val.f->kind == F_PRIM) {
    prim p = (prim)s->f->val.f->prim;
    v->at = span_in(e, s->begin, s->end);
    *r = prim_call(v, p, x, y);
    ok = *r != NULL;
  } else if ((ok = eval(v, e, s->f, &f))) {
    v->at = span_in(e, s->begin, s->end);
    if (f.cls != C_FN) ok = err_set(v->c, ERR_SYNTAX, "a function is wanted here");
    else if (tail && can_leave(f.f, e)) {
      v->tail.f = f.f;
      v->tail.x = x;
      v->tail.y = arr_retain(y);
      return true;
    } else ok = call(v, f.f, x, y, r);
  }
  if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
  value_release(v, f);
  arr_release(x);
  return ok;
}

static bool modify(vm *v, env *e, const step *s, arr *y) {
  value f;
  if (!eval(v, e, s->f, &f)) return false;
  v->at = span_in(e, s->begin, s->end);
  bool ok = assign_with(v, e, s->x, f.f, y);
  if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
  value_release(v, f);
  return ok;
}

static bool eval_chain(vm *v, env *e, const bnode *b, bool tail, value *r) {
  if (deep(v)) return fail_at(v, e, b);
  if (!eval(v, e, b->kid[0], r)) return false;
  for (uint32_t i = 0; i < b->n; i++) {
    const step *s = &b->step[i];
    bool ok = true, applies = s->kind == S_MONADIC || s->kind == S_DYADIC;
    arr *next = NULL;
    if (!r->cls || (r->cls != C_ARR && s->kind != S_SET)) {
      err_set(v->c, r->cls ? ERR_SYNTAX : ERR_VALUE, "%s",
              r->cls ? "a function cannot be an argument"
                     : "the function gave no result");
      err_at(v->c, i ? span_in(e, b->step[i - 1].begin, b->step[i - 1].end)
                     : span_in(e, b->kid[0]->begin, b->kid[0]->end));
      ok = false;
    } else if (applies) ok = apply(v, e, s, tail && i + 1 == b->n, r->a, &next);
    else if (s->kind == S_MODIFY) ok = modify(v, e, s, r->a);
    else ok = assign(v, e, s->x, *r);
    if (ok && !applies) continue;
    value_release(v, *r);
    *r = (value){.cls = next ? C_ARR : C_NONE, .a = next};
    if (!ok) return false;
  }
  if (b->n) return true;
  v->shy = false; /* a parenthesis */
  return r->cls || fail_node(v, e, b, ERR_VALUE, "the function gave no result");
}

/* ── other nodes ────────────────────────────────────────────────────────────────────── */

static bool give(value *r, arr *a) {
  *r = (value){.cls = a ? C_ARR : C_NONE, .a = a};
  return a != NULL;
}

static bool give_fn(value *r, fn *f) {
  *r = (value){.cls = f ? C_FN : C_NONE, .f = f};
  return f != NULL;
}

static bool eval_name(vm *v, env *e, const bnode *b, value *r) {
  const value *x = env_find(e, b->s, b->slot);
  if (x->cls == b->cls) return *r = value_retain(*x), true;
  if (x->cls)
    return fail_node(v, e, b, ERR_SYNTAX,
                     "what it stands for was changed by this statement");
  err_set(v->c, ERR_VALUE, "%s has no value", b->s->text);
  return fail_at(v, e, b);
}

static bool eval_own(vm *v, env *e, const bnode *b, value x, value *r) {
  if (x.cls) return *r = value_retain(x), true;
  return fail_node(v, e, b, b->kind == B_ALPHA ? ERR_VALUE : ERR_SYNTAX,
                   b->kind == B_ALPHA ? "⍺ has no value: there is no left argument"
                                      : "there is no such operand");
}

/* A dyadic operator with its right operand: a monadic one. */
static fn *curried(vm *v, fn *op, value r) {
  fn *f = fn_new(v, (fkind)op->kind, op->code);
  if (!f) return NULL;
  f->valence = 1;
  f->r = value_retain(r);
  f->node = op->node;
  if ((f->u = op->u)) f->u->refs++;
  if ((f->env = op->env)) f->env->refs++;
  return f;
}

static fn *dopped(vm *v, fn *dop, value l, value r) {
  if (dop->r.cls) r = dop->r;
  fn *f = fn_new(v, F_DOPPED, 0);
  if (!f) return NULL;
  f->node = dop->node;
  f->u = dop->u;
  f->u->refs++;
  f->env = dop->env;
  if (f->env) f->env->refs++;
  f->l = value_retain(l);
  f->r = value_retain(r);
  f->m = (value){.cls = C_OP, .f = fn_retain(dop)};
  return f;
}

static uint32_t depth_of(value x) { return x.cls > C_ARR ? x.f->depth : 0; }

/* How deep a function is built is bounded, for what walks over functions recurses. */
static bool measure(vm *v, fn *f) {
  uint32_t l = depth_of(f->l), m = depth_of(f->m), r = depth_of(f->r);
  f->depth = 1 + (l > m ? (l > r ? l : r) : m > r ? m : r);
  return f->depth <= 1000 || err_set(v->c, ERR_LIMIT, "the function has too many parts");
}

/* A part of a function, which must have a value. */
static bool eval_part(vm *v, env *e, const bnode *b, value *r) {
  return eval(v, e, b, r) &&
         (r->cls || fail_node(v, e, b, ERR_VALUE, "the function gave no result"));
}

static bool eval_derived(vm *v, env *e, const bnode *b, value *r) {
  value part[4] = {{0}, {0}, {0}, {0}};
  static const uint8_t order[] = {3, 2, 0, 1};
  fn *f = NULL;
  bool ok = true;
  for (int i = 0; i < 4 && ok; i++)
    if (b->kid[order[i]]) ok = eval_part(v, e, b->kid[order[i]], &part[order[i]]);
  if (ok && b->cls == C_OP) f = curried(v, part[0].f, part[2]);
  else if (ok && part[0].f->kind == F_OPER)
    f = oper_apply(v, part[0].f, part[1], part[2], part[3].a);
  else if (ok && part[3].cls)
    err_set(v->c, ERR_SYNTAX, "a defined operator takes no axis");
  else if (ok) f = dopped(v, part[0].f, part[1], part[2]);
  if (f && !measure(v, f)) {
    fn_release(v, f);
    f = NULL;
  }
  if (!f && ok) fail_at(v, e, b->kid[0]);
  for (int i = 0; i < 4; i++) value_release(v, part[i]);
  *r = (value){.cls = f ? b->cls : C_NONE, .f = f};
  return f != NULL;
}

static bool eval_parts(vm *v, env *e, const bnode *b, value *r) {
  fn *f = fn_new(v, b->kind == B_FORK ? F_FORK : b->kind == B_ATOP ? F_ATOP : F_AXIS, 0);
  value axis = {0};
  *r = (value){0};
  if (!f) return false;
  value *to[3] = {&f->l,
                  b->kind == B_FORK   ? &f->m
                  : b->kind == B_ATOP ? &f->r
                                      : &axis,
                  &f->r};
  bool ok = true;
  for (uint32_t i = b->n; i-- > 0 && ok;) ok = eval_part(v, e, b->kid[i], to[i]);
  f->axis = axis.a;
  if (ok && b->kind == B_AXIS && f->l.f->kind != F_PRIM && f->l.f->kind != F_REPL)
    ok = fail_node(v, e, b, ERR_SYNTAX, "this function takes no axis");
  if (ok && measure(v, f)) return give_fn(r, f);
  fail_at(v, e, b);
  fn_release(v, f);
  return false;
}

/* kid.text, kid being a record. */
static arr *eval_member(vm *v, env *e, const bnode *b) {
  arr *a = eval_arr(v, e, b->kid[0]);
  arr *r = a && ir_settle(v->g, a) ? record_field(v, a, b->kid[1]->text) : NULL;
  arr_release(a);
  return r;
}

bool eval(vm *v, env *e, const bnode *b, value *r) {
  *r = (value){0};
  switch ((bkind)b->kind) {
  case B_CONST: *r = value_retain(b->val); return true;
  case B_NAME: return eval_name(v, e, b, r);
  case B_ALPHA: return eval_own(v, e, b, e->alpha, r);
  case B_OMEGA: return give(r, arr_retain(e->omega));
  case B_LOP: return eval_own(v, e, b, e->self->l, r);
  case B_ROP: return eval_own(v, e, b, e->self->r, r);
  case B_DEL: return give_fn(r, fn_retain(e->self));
  case B_DEL2: return eval_own(v, e, b, e->self->m, r);
  case B_SYS:
    v->at = span_in(e, b->begin, b->end);
    return give(r, sys_get(v, e, (int)b->code)) || fail_at(v, e, b);
  case B_STRAND:
  case B_VECTOR: return give(r, eval_items(v, e, b, false)) || fail_at(v, e, b);
  case B_MATRIX: return give(r, eval_matrix(v, e, b)) || fail_at(v, e, b);
  case B_INDEX: return give(r, eval_index(v, e, b)) || fail_at(v, e, b);
  case B_CHAIN: return eval_chain(v, e, b, false, r);
  case B_DFN:
    *r = (value){.cls = b->cls, .f = fn_closure(v, e, e->body->u, b->tree)};
    return r->f || (r->cls = C_NONE, fail_at(v, e, b));
  case B_DERIVED: return eval_derived(v, e, b, r);
  case B_AXIS:
  case B_ATOP:
  case B_FORK: return eval_parts(v, e, b, r);
  case B_MEMBER: return give(r, eval_member(v, e, b)) || fail_at(v, e, b);
  case B_ERROR: return fail_node(v, e, b, (int)b->code, b->text);
  default: return fail_node(v, e, b, ERR_SYNTAX, "");
  }
}

arr *eval_arr(vm *v, env *e, const bnode *b) {
  value r;
  if (!eval(v, e, b, &r)) return NULL;
  if (r.cls == C_ARR) return r.a;
  fail_node(v, e, b, r.cls ? ERR_SYNTAX : ERR_VALUE,
            r.cls ? "an array is wanted here" : "the function gave no result");
  value_release(v, r);
  return NULL;
}

bound *bound_of(vm *v, env *e, tnode *stmt) {
  bound *k = bind(v, e, stmt);
  if (!k) err_at(v->c, span_in(e, stmt->begin, stmt->end));
  return k;
}

bool eval_bound(vm *v, env *e, const bound *k, bool tail, value *r, bool *shy) {
  v->shy = false;
  bool ok = k->root->kind == B_CHAIN ? eval_chain(v, e, k->root, tail && !k->assigns, r)
                                     : eval(v, e, k->root, r);
  *shy = k->assigns || v->shy;
  return ok;
}

bool eval_stmt(vm *v, env *e, tnode *stmt, bool tail, value *r, bool *shy) {
  *r = (value){0};
  *shy = false;
  const bound *k = bound_of(v, e, stmt);
  return k && eval_bound(v, e, k, tail, r, shy);
}

/* ── calls ──────────────────────────────────────────────────────────────────────────── */

static arr *replicate(vm *v, uint32_t code, arr *axis, arr *x, arr *y) {
  int k;
  char glyph[5] = {0};
  utf8_put(glyph, code);
  if (!x) return err_set(v->c, ERR_SYNTAX, "%s takes a left argument", glyph), NULL;
  if (!fold_axis(v, code, axis, y, &k) || !ir_host(v->g, x) || !ir_host(v->g, y))
    return NULL;
  prim_env pe = env_of(v);
  return is_scan(code) ? prim_expand(&pe, x, y, k) : prim_replicate(&pe, x, y, k);
}

/* x f[axis] y of a scalar function. */
static arr *scalar_axis(vm *v, prim p, arr *x, arr *y, arr *axis) {
  int k[ARR_MAX_RANK];
  prim_env pe = env_of(v);
  if (!ir_host(v->g, axis) || !prim_scalar_axes(&pe, x, y, axis, k)) return NULL;
  arr *low = x->rank < y->rank ? x : y, *high = low == x ? y : x;
  ir_call call = call_of(v);
  arr *wide = ir_spread(&call, low, high->rank, high->shape, k);
  arr *r = !wide ? NULL : low == x ? prim2(v, p, wide, y) : prim2(v, p, x, wide);
  arr_release(wide);
  return r;
}

arr *prim_axis_call(vm *v, prim p, arr *x, arr *y, arr *axis) {
  if (x && prim_is_scalar(p, true)) return scalar_axis(v, p, x, y, axis);
  if (!ir_host(v->g, axis) || (x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return NULL;
  prim_env pe = env_of(v);
  return x ? prim_dyadic_axis(&pe, p, x, y, axis) : prim_monadic_axis(&pe, p, y, axis);
}

static arr *with_axis(vm *v, fn *f, arr *x, arr *y) {
  if (f->l.f->kind == F_REPL) return replicate(v, f->l.f->code, f->axis, x, y);
  prim p = prim_in_force(v, (prim)f->l.f->prim, x != NULL);
  if (!prim_has(p, x != NULL)) return missing(v, p, x != NULL), NULL;
  return prim_axis_call(v, p, x, y, f->axis);
}

static bool call_fork(vm *v, fn *f, arr *x, arr *y, arr **r) {
  arr *right = NULL, *left = NULL;
  bool ok = (right = call2(v, f->r.f, x, y)) != NULL;
  if (ok && f->l.cls == C_ARR) left = arr_retain(f->l.a);
  else if (ok) left = call2(v, f->l.f, x, y);
  ok = left && call(v, f->m.f, left, right, r);
  arr_release(left);
  arr_release(right);
  return ok;
}

static bool call_atop(vm *v, fn *f, arr *x, arr *y, arr **r) {
  arr *t = call2(v, f->r.f, x, y);
  bool ok = t && call(v, f->l.f, NULL, t, r);
  arr_release(t);
  return ok;
}

bool call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  v->shy = false; /* a derived function's result is shy if its operand's last one was */
  if (f->kind == F_PRIM) {
    *r = prim_call(v, (prim)f->prim, x, y);
    return *r != NULL;
  }
  if (deep(v)) return false;
  switch ((fkind)f->kind) {
  case F_REPL: return (*r = replicate(v, f->code, NULL, x, y)) != NULL;
  case F_SYS: return sys_call(v, (int)f->code, x, y, r);
  case F_DFN:
  case F_DOPPED: return call_dfn(v, f, x, y, r);
  case F_DERIVED: return oper_call(v, f, x, y, r);
  case F_AXIS: return (*r = with_axis(v, f, x, y)) != NULL;
  case F_ATOP: return call_atop(v, f, x, y, r);
  case F_FORK: return call_fork(v, f, x, y, r);
  default: return err_set(v->c, ERR_SYNTAX, "an operator is no function");
  }
}

arr *call1(vm *v, fn *f, arr *y) { return call2(v, f, NULL, y); }

arr *call2(vm *v, fn *f, arr *x, arr *y) {
  arr *r;
  if (call(v, f, x, y, &r) && !r) err_set(v->c, ERR_VALUE, "the function gave no result");
  return r;
}
