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
#include "eval.h"
#include "../../array/convert.h"
#include <string.h>
#include "../bind/derive.h"
#include "../system/system.h"
#include "../value/items.h"
#include "../value/record.h"
#include "call.h"
#include "primitive.h"

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

/* ── items and indices ──────────────────────────────────────────────────────────────── */

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
  value_release(f);
  arr_release(x);
  return ok;
}

static bool modify(vm *v, env *e, const step *s, arr *y) {
  value f;
  if (!eval(v, e, s->f, &f)) return false;
  v->at = span_in(e, s->begin, s->end);
  bool ok = assign_with(v, e, s->x, f.f, y);
  if (!ok) err_at(v->c, span_in(e, s->begin, s->end));
  value_release(f);
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
    value_release(*r);
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

static bool eval_part(vm *v, env *e, const bnode *b, value *r) {
  if (!eval(v, e, b, r)) return false;
  return r->cls || fail_node(v, e, b, ERR_VALUE, "the function gave no result");
}

/* A function made of parts, which must have values. */
static bool eval_function(vm *v, env *e, const bnode *b, value *r) {
  /* From the right: axis, right operand, operator, left operand. */
  static const uint8_t derived[] = {3, 2, 0, 1}, train[] = {2, 1, 0};
  const uint8_t *order = b->kind == B_DERIVED ? derived : train + 3 - b->n;
  value part[DERIVE_PARTS] = {{0}};
  bool ok = true;
  for (uint32_t i = 0; ok && i < b->n; i++) {
    uint8_t k = order[i];
    if (b->kid[k]) ok = eval_part(v, e, b->kid[k], &part[k]);
  }
  fn *f = ok ? derive(v, b, part) : NULL;
  for (uint32_t i = 0; i < b->n; i++) value_release(part[i]);
  *r = value_fn(f, b->cls);
  if (f) return true;
  return fail_at(v, e, b->kind == B_DERIVED && ok ? b->kid[0] : b);
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
  case B_DERIVED:
  case B_AXIS:
  case B_ATOP:
  case B_FORK: return eval_function(v, e, b, r);
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
  value_release(r);
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
