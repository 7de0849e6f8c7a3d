/* SPDX-License-Identifier: MIT */
/* inverse.c - f⍣¯1: the z for which f z, or x f z, is y.
 *
 * Scalar functions have a row in a table: which function undoes them, for each argument
 * that is known. Structural functions, derived functions and trains are taken apart:
 *
 *   undo(f∘g, y)     g⁻¹ f⁻¹ y           undo(A∘g, y)   undo(g, A, y)
 *   undo(f¨, y)      f⁻¹¨ y              undo(f∘A, y)   undo_left(f, A, y), for z f A
 *   undo(+\, y)      differences         undo(×⍨, y)    y*0.5
 *
 * An inverse that is a function itself, for ¨ ⍤ and ∘., is f⍣¯1. What has no inverse here,
 * dfns among them, is a DOMAIN ERROR. */
#include "../run/primitive.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/sysname.h"
#include "oper.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../array/match.h"
#include "../../prim/args.h"
#include <math.h>
#include <string.h>

enum { NONE = 0, SWAP = 1, KEEP = 2 }; /* no function; y g a; a g y */
enum { NO = P_COUNT };

/* What undoes f z; a f z and z f a, a being known. */
typedef struct undo_row {
  uint16_t f, one, known_left, left_order, known_right, right_order;
} undo_row;
static const undo_row undo_rows[] = {
    {P_PLUS, P_PLUS, P_MINUS, SWAP, P_MINUS, SWAP},
    {P_MINUS, P_MINUS, P_MINUS, KEEP, P_PLUS, SWAP},
    {P_TIMES, NO, P_DIVIDE, SWAP, P_DIVIDE, SWAP},
    {P_DIVIDE, P_DIVIDE, P_DIVIDE, KEEP, P_TIMES, SWAP},
    {P_POWER, P_LOG, P_LOG, KEEP, NO, NONE},
    {P_LOG, P_POWER, P_POWER, KEEP, NO, NONE},
    {P_NE, NO, P_NE, KEEP, P_NE, SWAP},
    {P_EQ, NO, P_EQ, KEEP, P_EQ, SWAP},
    {P_NOT, P_NOT, NO, NONE, NO, NONE},
    {P_REVERSE, P_REVERSE, NO, NONE, NO, NONE},
    {P_REVERSE1, P_REVERSE1, NO, NONE, NO, NONE},
    {P_TRANSPOSE, P_TRANSPOSE, NO, NONE, NO, NONE},
    {P_RIGHT, P_RIGHT, P_RIGHT, KEEP, NO, NONE},
    {P_LEFT, P_LEFT, NO, NONE, P_RIGHT, KEEP},
    {P_TAKE, P_DROP, NO, NONE, NO, NONE},
    {P_DROP, P_TAKE, NO, NONE, NO, NONE},
    {P_DOMINO, P_DOMINO, NO, NONE, NO, NONE},
};

static arr *no_inverse(vm *v) {
  err_set(v->c, ERR_DOMAIN, "⍣ knows no inverse of this function");
  return NULL;
}

static const undo_row *row_of(const fn *f) {
  if (f->kind == F_PRIM)
    for (size_t i = 0; i < ARRAY_LEN(undo_rows); i++)
      if (undo_rows[i].f == f->prim) return &undo_rows[i];
  return NULL;
}

/* x p y, with an axis perhaps; x NULL: p y. */
static arr *apply(vm *v, prim p, arr *axis, arr *x, arr *y) {
  return axis ? prim_axis_call(v, p, x, y, axis) : prim_call(v, p, x, y);
}

/* The same, both consumed; NULL if one of them is NULL. */
static arr *combine(vm *v, prim p, arr *x, arr *y) {
  arr *r = x && y ? prim2(v, p, x, y) : NULL;
  arr_release(x);
  arr_release(y);
  return r;
}

static bool match(vm *v, arr *a, arr *b) {
  return a && b && ir_host(v->g, a) && ir_host(v->g, b) && arr_match(a, b, v->sv->ct);
}

/* f⍣¯1 as a function. */
static fn *inverse_of(vm *v, fn *f) {
  fn *r = fn_new(v, F_DERIVED, OP_POWER);
  if (!r) return NULL;
  r->l = (value){.cls = C_FN, .f = fn_retain(f)};
  r->r = (value){.cls = C_ARR, .a = arr_int(v->c, -1)};
  if (r->r.a) return r;
  r->r.cls = C_NONE;
  fn_release(r);
  return NULL;
}

/* ── structural functions ───────────────────────────────────────────────────────────── */

/* x⊥z is y: as many digits as the largest of y needs; a vector x says how many. */
static arr *digits(vm *v, arr *x, arr *y) {
  double base, top = 1, most = 0;
  if (!ir_host(v->g, x) || !ir_host(v->g, y)) return NULL;
  if (x->rank) return prim2(v, P_ENCODE, x, y);
  if (x->type > ET_F64 || y->type > ET_F64 || (base = arr_get_float(x, 0)) <= 1)
    return no_inverse(v);
  for (int64_t i = 0; i < y->count; i++) {
    double d = arr_get_float(y, i);
    if (!(d >= 0 && isfinite(d))) return no_inverse(v);
    if (d > most) most = d;
  }
  int64_t n = 0;
  for (; !n || top <= most; n++) top *= base;
  arr *len = arr_int(v->c, n), *radix = len ? prim2(v, P_RHO, len, x) : NULL;
  arr_release(len);
  return combine(v, P_ENCODE, radix, arr_retain(y));
}

/* ⍸z is y: how often each position, or index vector, occurs. */
static arr *unwhere(vm *v, arr *y) {
  prim_env pe = env_of(v);
  int64_t shape[ARR_MAX_RANK] = {0}, n = 1;
  if (!ir_host(v->g, y) || y->rank != 1) return no_inverse(v);
  arr *at = prim_mix(&pe, y), *ints = at ? prim_ints(&pe, at, "the indices") : NULL,
      *r = NULL;
  int rank = ints && ints->rank == 2 ? (int)ints->shape[1] : 1;
  bool ok = ints && ints->rank <= 2 && rank <= ARR_MAX_RANK;
  for (int64_t i = 0; ok && i < ints->count; i++) {
    int64_t k = arr_get_int(ints, i) - pe.io, *to = &shape[i % rank];
    ok = k >= 0 && k < INT64_MAX - 1;
    if (ok && k >= *to) *to = k + 1;
  }
  if (ok && (r = arr_new(v->c, ET_I64, rank, shape))) {
    n = r->count;
    for (int64_t i = 0; i < n; i++) arr_put_int(r, i, 0);
    for (int64_t i = 0, last = 0, pos = 0; ok && i < y->count; i++, last = pos, pos = 0) {
      for (int k = 0; k < rank; k++)
        pos = pos * shape[k] + arr_get_int(ints, i * rank + k) - pe.io;
      ok = pos >= last; /* ⍸ gives them in order */
      arr_put_int(r, pos, arr_get_int(r, pos) + 1);
    }
  }
  arr_release(ints);
  arr_release(at);
  if (ok || !r) return r ? r : no_inverse(v);
  arr_release(r);
  return no_inverse(v);
}

/* y without its first or last part a, which it must have. */
static arr *uncatenate(vm *v, arr *a, arr *y, bool front) {
  if (!ir_host(v->g, a) || !ir_host(v->g, y) || y->rank != 1 || a->rank > 1 ||
      a->count > y->count)
    return no_inverse(v);
  arr *n = arr_int(v->c, front ? a->count : -a->count), *flat = prim1(v, P_COMMA, a);
  arr *part = n ? prim2(v, P_TAKE, n, y) : NULL, *r = NULL;
  if (match(v, part, flat)) r = prim2(v, P_DROP, n, y);
  else no_inverse(v);
  arr_release(part);
  arr_release(flat);
  arr_release(n);
  return r;
}

/* x⍉z is y: only a permutation can be undone. */
static arr *untranspose(vm *v, arr *x, arr *y) {
  arr *flat = ir_host(v->g, x) ? prim1(v, P_COMMA, x) : NULL,
      *up = flat ? prim1(v, P_UP, flat) : NULL;
  arr *back = up ? prim1(v, P_UP, up) : NULL, *r = NULL;
  if (match(v, back, flat)) r = prim2(v, P_TRANSPOSE, up, y);
  else if (back) no_inverse(v);
  arr_release(back);
  arr_release(up);
  arr_release(flat);
  return r;
}

/* x○z is y: codes of functions that only ask for a part of z have no inverse. */
static arr *uncircle(vm *v, arr *x, arr *y) {
  prim_env pe = env_of(v);
  arr *codes = ir_host(v->g, x) ? prim_ints(&pe, x, "the left argument") : NULL;
  bool ok = codes != NULL;
  for (int64_t i = 0; ok && i < codes->count; i++)
    ok = arr_get_int(codes, i) >= -8 && arr_get_int(codes, i) <= 8;
  arr_release(codes);
  return ok ? combine(v, P_CIRCLE, prim1(v, P_MINUS, x), arr_retain(y)) : no_inverse(v);
}

static arr *undo_prim(vm *v, fn *f, arr *axis, arr *x, arr *y) {
  const undo_row *row = row_of(f);
  prim p = (prim)f->prim;
  prim g = !row ? P_COUNT : x ? (prim)row->known_left : (prim)row->one;
  if (x && (p == P_EQ || p == P_NE) && (x->type != ET_BIT || y->type != ET_BIT))
    return no_inverse(v);
  if (g != P_COUNT && x && row->left_order == SWAP) return apply(v, g, axis, y, x);
  if (g != P_COUNT) return apply(v, g, axis, x, y);
  if (x && (p == P_REVERSE || p == P_REVERSE1)) {
    arr *back = prim1(v, P_MINUS, x);
    arr *r = back ? apply(v, p, axis, back, y) : NULL;
    arr_release(back);
    return r;
  }
  if (axis) return no_inverse(v);
  if (p == P_CIRCLE && x) return uncircle(v, x, y);
  if (p == P_CIRCLE) {
    arr *one = arr_int(v->c, 1), *pi = one ? prim1(v, P_CIRCLE, one) : NULL;
    arr_release(one);
    return combine(v, P_DIVIDE, arr_retain(y), pi);
  }
  if (x && p == P_TRANSPOSE) return untranspose(v, x, y);
  if (x && p == P_COMMA) return uncatenate(v, x, y, true);
  if (x && p == P_DECODE) return digits(v, x, y);
  if (x && p == P_ENCODE) return prim2(v, P_DECODE, x, y);
  if (!x && p == P_WHERE) return unwhere(v, y);
  if (!x && p == P_PICK) return prim1(v, P_ENCLOSE, y);
  if (!x && p == P_ENCLOSE && !y->rank) return prim1(v, P_PICK, y);
  return no_inverse(v);
}

/* z f a is y. */
static arr *undo_left(vm *v, fn *f, arr *a, arr *y) {
  const undo_row *row = row_of(f);
  prim p = (prim)f->prim;
  if (f->kind == F_DERIVED && f->code == OP_SELF && f->l.cls == C_FN) {
    fn *g = inverse_of(v, f->l.f); /* a f z */
    arr *r = g ? call2(v, g, a, y) : NULL;
    fn_release(g);
    return r;
  }
  if (f->kind != F_PRIM) return no_inverse(v);
  if (row && row->known_right != NO)
    return row->right_order == SWAP ? prim2(v, (prim)row->known_right, y, a)
                                    : prim2(v, (prim)row->known_right, a, y);
  if (p == P_POWER) return combine(v, P_POWER, arr_retain(y), prim1(v, P_DIVIDE, a));
  if (p == P_LOG) return combine(v, P_POWER, arr_retain(a), prim1(v, P_DIVIDE, y));
  return p == P_COMMA ? uncatenate(v, a, y, false) : no_inverse(v);
}

/* ── derived functions ──────────────────────────────────────────────────────────────── */

/* f\z is y: each element from its neighbours in y. */
static arr *unscan(vm *v, fn *f, arr *y) {
  fn *g = f->l.f;
  prim op = P_COUNT;
  int k;
  if (!fold_axis(v, f->code, f->axis, y, &k)) return NULL;
  if (g->kind == F_PRIM) switch ((prim)g->prim) {
    case P_PLUS:
    case P_MINUS: op = P_MINUS; break;
    case P_TIMES:
    case P_DIVIDE: op = P_DIVIDE; break;
    case P_NE: op = P_NE; break;
    case P_EQ: op = P_EQ; break;
    default: break;
    }
  if (op == P_COUNT || !ir_host(v->g, y)) return no_inverse(v);
  if (!y->rank || y->shape[k] < 2) return arr_retain(y);
  bool turns =
      g->prim == P_MINUS || g->prim == P_DIVIDE; /* every second one is turned round */
  arr *one = arr_int(v->c, 1), *last = arr_int(v->c, -1),
      *axis = arr_int(v->c, k + v->sv->io);
  arr *head = NULL, *rest = NULL, *prev = NULL, *d = NULL, *r = NULL;
  if (one && last && axis && (head = prim_axis_call(v, P_TAKE, one, y, axis)) &&
      (rest = prim_axis_call(v, P_DROP, one, y, axis)) &&
      (prev = prim_axis_call(v, P_DROP, last, y, axis)))
    d = prim2(v, op, rest, prev);
  if (d && turns) {
    arr *sign = arr_vec(v->c, ET_I8, rest->shape[k]);
    for (int64_t i = 0; sign && i < sign->count; i++)
      arr_put_int(sign, i, i % 2 ? 1 : -1);
    arr *t = !sign                ? NULL
             : g->prim == P_MINUS ? prim_axis_call(v, P_TIMES, d, sign, axis)
                                  : prim_axis_call(v, P_POWER, d, sign, axis);
    arr_release(sign);
    arr_release(d);
    d = t;
  }
  if (d) r = prim_axis_call(v, P_COMMA, head, d, axis);
  arr_release(d);
  arr_release(prev);
  arr_release(rest);
  arr_release(head);
  arr_release(axis);
  arr_release(last);
  arr_release(one);
  return r;
}

/* f⍨z is y, z f⍨ being z f z. */
static arr *unself(vm *v, fn *f, arr *y) {
  if (f->kind != F_PRIM || (f->prim != P_PLUS && f->prim != P_TIMES))
    return no_inverse(v);
  if (f->prim == P_PLUS) return combine(v, P_DIVIDE, arr_retain(y), arr_int(v->c, 2));
  return combine(v, P_POWER, arr_retain(y), arr_float(v->c, 0.5));
}

/* x∘.f z is y: what the first element of x gives tells z; that the others agree is checked.
 */
static arr *unouter(vm *v, fn *f, fn *inv, arr *x, arr *y) {
  prim_env pe = env_of(v);
  int64_t zero[ARR_MAX_RANK] = {0}, one[ARR_MAX_RANK];
  if (!x || !ir_host(v->g, x) || !ir_host(v->g, y) || !x->count || y->rank < x->rank)
    return no_inverse(v);
  for (int k = 0; k < x->rank; k++) one[k] = 1;
  arr *a = arr_scalar_at(v->c, x, 0), *box = prim_window(&pe, y, x->rank, zero, one);
  arr *part = box ? arr_reshape(v->c, box, y->rank - x->rank, y->shape + x->rank) : NULL;
  arr *all = a ? arr_enclose(v->c, a) : NULL,
      *r = part && a && all ? each_call(v, inv, all, part) : NULL;
  arr *again = r ? call2(v, f, x, r) : NULL;
  bool same = match(v, again, y);
  arr_release(again);
  arr_release(all);
  arr_release(part);
  arr_release(box);
  arr_release(a);
  if (!r || same) return r;
  arr_release(r);
  return no_inverse(v);
}

static arr *undo(vm *v, fn *f, arr *x, arr *y);

/* g⁻¹ of t, or of x and t; t is consumed. */
static arr *undo_then(vm *v, fn *g, arr *x, arr *t) {
  arr *r = t ? undo(v, g, x, t) : NULL;
  arr_release(t);
  return r;
}

static arr *undo_over(vm *v, fn *f, arr *x, arr *y) {
  arr *a = x ? call1(v, f->r.f, x) : NULL, *r = NULL;
  if (a || !x) r = undo_then(v, f->r.f, NULL, undo(v, f->l.f, a, y));
  arr_release(a);
  return r;
}

static arr *undo_behind(vm *v, fn *f, arr *x, arr *y) {
  if (f->r.cls != C_FN || (!x && f->l.cls == C_FN)) return no_inverse(v);
  arr *a = f->l.cls == C_ARR ? arr_retain(f->l.a) : call1(v, f->l.f, x);
  arr *r = a ? undo(v, f->r.f, a, y) : NULL;
  arr_release(a);
  return r;
}

static arr *undo_derived(vm *v, fn *f, arr *x, arr *y) {
  fn *l = f->l.cls == C_FN ? f->l.f : NULL, *g = f->r.cls == C_FN ? f->r.f : NULL, *inv;
  arr *r = NULL;
  int64_t n;
  switch (f->code) {
  case OP_JOT:
    if (l && g) return undo_then(v, g, NULL, undo(v, l, x, y));
    if (x) return no_inverse(v);
    return g ? undo(v, g, f->l.a, y) : undo_left(v, l, f->r.a, y);
  case OP_OVER: return undo_over(v, f, x, y);
  case OP_BEHIND: return undo_behind(v, f, x, y);
  case OP_SELF: return !l ? no_inverse(v) : x ? undo_left(v, l, x, y) : unself(v, l, y);
  case OP_SCAN:
  case OP_SCAN1: return x ? no_inverse(v) : unscan(v, f, y);
  case OP_POWER:
    if (g) return no_inverse(v);
    return arg_int(v, f->r.a, &n, "the number of times")
               ? power_times(v, l, n == INT64_MIN ? n : -n, x, y)
               : NULL;
  case OP_RANK:
    if (g) return undo_then(v, g, x, undo(v, l, NULL, y));
    break;
  case OP_EACH:
  case OP_OUTER: break;
  default: return no_inverse(v);
  }
  if (!(inv = inverse_of(v, l))) return NULL;
  if (f->code == OP_EACH) r = each_call(v, inv, x, y);
  else
    r = f->code == OP_RANK ? rank_call(v, inv, f->r.a, x, y) : unouter(v, f, inv, x, y);
  fn_release(inv);
  return r;
}

static arr *undo(vm *v, fn *f, arr *x, arr *y) {
  if (deep(v)) return NULL;
  switch ((fkind)f->kind) {
  case F_PRIM: return undo_prim(v, f, NULL, x, y);
  case F_AXIS:
    return f->l.f->kind == F_PRIM ? undo_prim(v, f->l.f, f->axis, x, y) : no_inverse(v);
  case F_SYS: /* ⎕UCS goes both ways */
    if (strcmp(sys_name((int)f->code), "⎕UCS")) return no_inverse(v);
    return call2(v, f, x, y);
  case F_DERIVED: return undo_derived(v, f, x, y);
  case F_ATOP: return undo_then(v, f->r.f, x, undo(v, f->l.f, NULL, y));
  case F_FORK:
    return f->l.cls == C_ARR ? undo_then(v, f->r.f, x, undo(v, f->m.f, f->l.a, y))
                             : no_inverse(v);
  default: return no_inverse(v);
  }
}

arr *power_times(vm *v, fn *f, int64_t n, arr *x, arr *y) {
  arr *r = arr_retain(y);
  bool back = n < 0;
  for (; n && r; n += back ? 1 : -1) {
    arr *next = interrupted(v->c) ? NULL : back ? undo(v, f, x, r) : call2(v, f, x, r);
    arr_release(r);
    r = next;
  }
  return r;
}
