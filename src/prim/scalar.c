/* SPDX-License-Identifier: MIT */
/* scalar.c - the direct path of the scalar functions: prim.def's rows, applied to arrays.
 *
 *   pervade ──▶ apply ──▶ run ──▶ loop     nested items; row by class; blocks; elements
 *
 * A simple array goes through `apply`. It takes the row of the class (the first of B, I,
 * F that holds the arguments) and runs it over the whole array. If an element escaped, it
 * runs the row's float variant, or the F row, instead; results that leave the reals are
 * complex.c's.
 *
 * `run` works in blocks of four C types on the stack, so that an element type costs one
 * loader and not one loop for each primitive. A short result is stored once, in its
 * narrowest type; a long one is made wide and narrowed when its range is known.
 *
 * f32 results: see arr_float_type. A rank-0 number too large for f32 is a DOMAIN ERROR
 * unless the result is Boolean, since the finite number would become an infinity. */
#include "complex.h"
#include "../base/arith.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <math.h>
#include <stdio.h>

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

/* "2 3" for messages; "scalar" for rank 0. */
static void shape_text(const arr *a, char *buf, size_t size) {
  size_t at = 0;
  if (!a->rank) snprintf(buf, size, "scalar");
  for (int i = 0; i < a->rank && at + 22 < size; i++) {
    if (i) buf[at++] = ' ';
    at += (size_t)snprintf(buf + at, size - at, "%lld", (long long)a->shape[i]);
  }
}

static arr *no_number(ctx *c, prim f) {
  err_set(c, ERR_DOMAIN, "%s: characters where numbers are needed", prim_table[f].glyph);
  return NULL;
}

/* Which argument gives the result its shape: x, y, or NULL after RANK or LENGTH ERROR. */
static const arr *shape_giver(ctx *c, const arr *x, const arr *y) {
  if (x->count == 1 && (y->count != 1 || y->rank > x->rank)) return y;
  if (y->count == 1 || arr_same_shape(x, y)) return x;
  char a[100], b[100];
  shape_text(x, a, sizeof a);
  shape_text(y, b, sizeof b);
  int code = ERR_LENGTH;
  if (x->rank != y->rank) code = ERR_RANK;
  err_set(c, code, "shapes %s and %s", a, b);
  return NULL;
}

/* ── simple arrays ──────────────────────────────────────────────────────────────────── */

enum { BLOCK = 512 }; /* a multiple of 8, so that blocks of bits start at whole bytes */

typedef struct job { /* one row over whole arrays; a monadic job has y twice */
  const sc_row *row;
  sc_type in, out;
  const arr *x, *y, *like;
} job;

static void job_set(job *j, const sc_row *row, cls on, bool single) {
  j->row = row;
  j->in = sc_type_of(on, single);
  j->out = sc_type_of((cls)row->result, single);
}

/* A short result, stored once in its final type. */
static arr *store_short(ctx *c, const job *j, const void *buf) {
  if (j->out == SC_I) return arr_ints(c, j->like->rank, j->like->shape, buf);
  arr *r = arr_new(c, sc_elt(j->out), j->like->rank, j->like->shape);
  if (r) sc_store(r, 0, 1, j->like->count, j->out, buf);
  return r;
}

/* Runs the job; faults and escapes are in s and the result is then not to be used. */
static arr *run(ctx *c, const job *j, sc_state *s) {
  union {
    int64_t i[BLOCK];
    double d[BLOCK];
  } xb, yb, rb;
  bool monadic = j->x == j->y;
  int64_t n = j->like->count, xs = j->x->count != 1, ys = j->y->count != 1;
  sc_arg x = {&xb, xs}, y = {&yb, ys};
  if (monadic) x = y;
  else if (!xs) sc_load(j->x, 0, 0, 1, j->in, &xb);
  if (!ys) sc_load(j->y, 0, 0, 1, j->in, &yb);
  OWNED arr *r = NULL;
  if (n > BLOCK) {
    r = arr_new(c, sc_elt(j->out), j->like->rank, j->like->shape);
    if (!r) return NULL;
  }
  for (int64_t at = 0; at < n; at += BLOCK) {
    int64_t m = min_i64(n - at, BLOCK);
    if (xs && !monadic) sc_load(j->x, at, 1, m, j->in, &xb);
    if (ys) sc_load(j->y, at, 1, m, j->in, &yb);
    j->row->fn(s, x, y, &rb, m);
    if (s->esc) return NULL;
    if (!r) continue;
    sc_store(r, at, 1, m, j->out, &rb);
    if (interrupted(c)) return NULL;
  }
  if (err_is(c)) return NULL;
  if (!r) return store_short(c, j, &rb);
  return sc_narrow(c, arr_move(&r));
}

static bool fits_single(const arr *a) {
  if (a->type != ET_F64) return true; /* a scalar then */
  double v = *(const double *)a->host;
  return !isfinite(v) || isfinite((float)v);
}

/* Has a integers that are no doubles? */
static bool is_beyond_f64(const arr *a) {
  if (a->type != ET_I64 || (a->has_range && a->lo >= -F64_WHOLE && a->hi <= F64_WHOLE))
    return false;
  const int64_t *v = a->host;
  bool r = false;
  for (int64_t i = 0; i < a->count; i++) r |= v[i] < -F64_WHOLE || v[i] > F64_WHOLE;
  return r;
}

/* f on simple arrays of real numbers (or characters that compare); x is y if monadic. */
static arr *apply(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                  const arr *like) {
  bool single = sc_single(x, y);
  cls need = cls_of((elt)x->type), other = cls_of((elt)y->type), on;
  if (other > need) need = other;
  const sc_row *row = sc_find(f, dyadic, need, single, &on);
  const sc_row *variant = sc_float_variant(f, dyadic, CLS_I, false);
  job j = {.x = x, .y = y, .like = like};
  if (on == CLS_F && need <= CLS_I && variant && (is_beyond_f64(x) || is_beyond_f64(y))) {
    row = variant;
    on = CLS_I;
  }
  for (;;) {
    job_set(&j, row, on, single);
    sc_state s = {.ct = e->ct};
    if (single && on == CLS_F) {
      s.ct = 0;
      if (row->result != CLS_B && like->count) s.inf = !fits_single(x) || !fits_single(y);
    }
    OWNED arr *r = run(e->c, &j, &s);
    if (!s.esc && !s.err && !s.inf) return arr_move(&r);
    if (err_is(e->c)) return NULL;
    if (!s.esc) return sc_fault(e->c, f, dyadic, &s);
    variant = sc_float_variant(f, dyadic, on, single);
    if (variant && row != variant) row = variant;
    else if (on != CLS_F) row = sc_find(f, dyadic, CLS_F, single, &on);
    else return cx_simple(e, f, dyadic, x, y, like);
  }
}

/* = and ≠ of a character with a number. */
static arr *constant(ctx *c, bool v, const arr *like) {
  arr *r = arr_new(c, ET_BIT, like->rank, like->shape);
  for (int64_t i = 0; r && i < like->count; i++) arr_put_int(r, i, v);
  return r;
}

static arr *simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                   const arr *like) {
  bool xc = elt_is_char((elt)x->type), yc = elt_is_char((elt)y->type);
  if (like->count && (xc || yc)) {
    if (!dyadic || (f != P_EQ && f != P_NE)) return no_number(e->c, f);
    if (xc != yc) return constant(e->c, f == P_NE, like);
  }
  if (f == P_CIRCLE && dyadic) {
    prim code = prim_circle(x, e->ct);
    if (code < P_COUNT) return simple(e, code, false, y, y, like);
  }
  if (x->type == ET_C128 || y->type == ET_C128)
    return cx_simple(e, f, dyadic, x, y, like);
  return apply(e, f, dyadic, x, y, like);
}

/* ── nested arrays ──────────────────────────────────────────────────────────────────── */

#if defined(__GNUC__) /* keeps the blocks of `run` out of the recursion's frames */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
static NOINLINE arr *leaf(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  const arr *like = y;
  if (dyadic) like = shape_giver(e->c, x, y);
  if (!like) return NULL;
  bool is_kept = !dyadic && f == P_PLUS && elt_is_char((elt)y->type);
  if (is_kept)
    return arr_retain(y); /* + is the conjugate of anything: what has none stays */
  return simple(e, f, dyadic, x, y, like);
}

static arr *pervade(prim_env *e, prim f, bool dyadic, arr *x, arr *y, int depth);

/* Item i of a, owned: of a one-element array always the same one; of an empty one its
 * fill. */
static arr *item_of(ctx *c, arr *a, int64_t i) {
  if (a->count == 1) i = 0;
  if (a->count) return arr_scalar_at(c, a, i);
  if (a->type == ET_NEST) return arr_retain(arr_item(a, 0));
  return arr_fill_of(c, a);
}

/* A scalar function applied to the items of x and y; monadic, x is y. */
typedef struct pervasion {
  prim_env *e;
  prim f;
  bool dyadic;
  arr *x, *y;
  int depth; /* of the items */
} pervasion;

static arr *pervade_item(void *user, ctx *c, const arr *like, int64_t i) {
  const pervasion *p = user;
  UNUSED(like);
  OWNED arr *y = item_of(c, p->y, i);
  if (!y) return NULL;
  if (!p->dyadic) return pervade(p->e, p->f, false, y, y, p->depth);
  OWNED arr *x = item_of(c, p->x, i);
  if (!x) return NULL;
  return pervade(p->e, p->f, true, x, y, p->depth);
}

/* Nothing of an empty nested array is computed but the result's prototype, and that by =,
 * which fails on no element and gives the structure. */
static arr *pervade_prototype(void *user, ctx *c, const arr *like, int64_t i) {
  const pervasion *given = user;
  pervasion p = *given;
  p.f = P_EQ;
  p.dyadic = true;
  OWNED arr *item = pervade_item(&p, c, like, i);
  if (!item) return NULL;
  return arr_proto(c, item);
}

/* Of the monadic functions + alone keeps the type of an empty array. */
static arr *pervade(prim_env *e, prim f, bool dyadic, arr *x, arr *y, int depth) {
  if (!dyadic && f == P_PLUS && !y->count) return arr_retain(y);
  if (x->type != ET_NEST && y->type != ET_NEST) return leaf(e, f, dyadic, x, y);
  if (depth > ARR_MAX_DEPTH) {
    err_set(e->c, ERR_LIMIT, "nested deeper than %d levels", ARR_MAX_DEPTH);
    return NULL;
  }
  const arr *like = y;
  if (dyadic) like = shape_giver(e->c, x, y);
  if (!like || interrupted(e->c)) return NULL;
  pervasion p = {e, f, dyadic, x, y, depth + 1};
  if (!like->count) return arr_map(e->c, like, pervade_prototype, &p);
  return arr_squeeze(e->c, arr_map(e->c, like, pervade_item, &p));
}

arr *sc_monadic(prim_env *e, prim f, arr *y) { return pervade(e, f, false, y, y, 0); }

arr *sc_dyadic(prim_env *e, prim f, arr *x, arr *y) {
  return pervade(e, f, true, x, y, 0);
}
