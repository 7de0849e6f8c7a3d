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
 * `run` works in blocks of seven C types, so that an element type costs one loader and not
 * one loop for each primitive; what has one of these types is read and written where it lies.
 * Integers are stored in their narrowest type, block by block.
 *
 * f32 results: see arr_float_type. A rank-0 number too large for f32 is a DOMAIN ERROR
 * unless the result is Boolean, since the finite number would become an infinity. */
#include "complex.h"
#include "relations.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/convert.h"
#include "../array/element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
static inline const arr *shape_giver(ctx *c, const arr *x, const arr *y) {
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

enum {
  BLOCK = SC_BLOCK
}; /* a multiple of 8, so that blocks of bits start at whole bytes */

/* For an element, as each.h counts them: of short integers, of others, of functions of the host. */
enum { SHORT_STEPS = 1, STEPS = 4, HOST_STEPS = 64 };
enum { BYTES = 8 }; /* that comparisons to bits read of an argument in a step */

typedef struct job { /* one row over whole arrays; a monadic job has y twice */
  const sc_row *row;
  sc_fn *fn; /* of the row: fn or bytes */
  sc_type in, out;
  const arr *x, *y, *like;
  sc_relation relation; /* of a comparison: what gives bits at once, or NULL */
} job;

static void job_set(job *j, const sc_row *row, cls on, bool single) {
  j->row = row;
  j->fn = row->fn;
  j->in = sc_type_of(on, single);
  j->out = sc_type_of((cls)row->result, single);
}

/* The same by a row of integers of type t, or wider ones, of arguments of type `own`: which row it
 * is. */
static sc_type job_narrow(job *j, prim f, bool dyadic, sc_type own, sc_type t) {
  const sc_row *row = NULL;
  for (; t < SC_I && !row; t++) row = sc_row_of(f, dyadic, t);
  if (!row) return SC_I;
  j->row = row;
  j->in = --t;
  if (j->out == SC_I) j->out = t;
  bool bytes = own == SC_Q && row->bytes;
  j->fn = bytes ? row->bytes : row->fn;
  if (bytes) j->in = own;
  return t;
}

/* Elements of any C type, in whole vectors: BLOCK of 8 bytes, more of shorter ones. */
typedef union block {
  int64_t i[BLOCK];
  double d[BLOCK];
} __attribute__((aligned(64))) block;
enum {
  PLACED_BLOCK = 32768
}; /* of floats that are neither read into a block nor stored from one */

static int64_t block_length(const job *j) {
  size_t in = sc_size(j->in), out = sc_size(j->out);
  return (int64_t)(sizeof(block) / (in > out ? in : out));
}

/* An argument, block by block: where it lies if it has the loop's type; else in b. One for all
 * is there many times, so that there is one sort of loop. */
typedef struct operand {
  const arr *load; /* what is read into the block; else NULL */
  char *at;        /* its elements, or the block */
  size_t each;     /* bytes to the next one; 0: in the block */
  int64_t step;
} operand;

static void fill_block(const arr *a, sc_type t, int64_t n, block *b) {
  sc_load(a, 0, 0, 1, t, b);
  sc_block()->repeat(sc_size(t), n, b);
}

/* Do loops of type t read a's elements in place? They read characters of one byte as
 * integers. */
INLINE bool is_in_place(const arr *a, sc_type t) {
  return t != SC_B && (a->type == sc_elt(t) || (a->type == ET_C8 && t == SC_Q));
}

INLINE operand operand_of(const arr *a, sc_type t, int64_t n, block *b) {
  operand o = {NULL, (char *)b, 0, a->count != 1};
  if (!o.step) fill_block(a, t, n, b);
  else if (!is_in_place(a, t)) o.load = a;
  else {
    o.at = a->host;
    o.each = sc_size(t);
  }
  return o;
}

INLINE sc_arg argument(const operand *o, sc_type t, int64_t at, int64_t n) {
  if (o->load) sc_load(o->load, at, 1, n, t, o->at);
  return (sc_arg){o->at + (size_t)at * o->each, o->step};
}

/* The result as far as it is stored. Integers have the narrowest type that holds all
 * of them so far; stored ones are widened when a block needs it, unless other threads
 * write to them, too. */
typedef struct output {
  arr *r; /* owned; of integers NULL at first */
  int64_t lo, hi;
  bool fixed, begun;
  bool wide; /* the type is the widest that the loop gives: the range no longer matters */
} output;

static bool is_wide(const job *j, const output *z, const void *b, int64_t n) {
  if (z->fixed && !z->r) return false;
  return z->r ? j->out == SC_H && z->r->type == ET_I16 : sc_is_wide(j->out, b, n);
}

static bool store_integers(ctx *c, const job *j, output *z, int64_t at, const void *b,
                           int64_t n) {
  int64_t lo = INT16_MIN, hi = INT16_MAX;
  z->wide = z->wide || is_wide(j, z, b, n);
  if (!z->wide) sc_block()->range(j->out, b, n, &lo, &hi);
  if (!z->begun) {
    z->begun = true;
    z->lo = lo;
    z->hi = hi;
  }
  z->lo = min_i64(lo, z->lo);
  z->hi = max_i64(hi, z->hi);
  elt need = elt_for_range(z->lo, z->hi);
  if (z->fixed && (!z->r || need > z->r->type)) return true;
  if (!z->r || need > z->r->type) {
    OWNED arr *before = z->r;
    z->r = arr_new(c, need, j->like->rank, j->like->shape);
    if (!z->r) return false;
    if (before) arr_copy(z->r, 0, before, 0, at);
  }
  elt t = (elt)z->r->type;
  if (t != ET_BIT) {
    char *to = (char *)z->r->host + (size_t)at * ((size_t)elt_bits(t) / 8);
    if (to != b) sc_block()->store(j->out, b, n, t, to);
    return true;
  }
  bool truth[sizeof(block)];
  sc_block()->store(j->out, b, n, ET_I8, truth);
  sc_store(z->r, at, 1, n, SC_B, truth);
  return true;
}

/* Truth values of truth values, by whole words: the row's results for the four pairs
 * choose the operation. */
typedef struct truth_job {
  bool of[4];
  const uint8_t *x, *y;
  uint8_t *r;
} truth_job;

static void truth_stretch(void *user, int64_t from, int64_t to) {
  const truth_job *t = user;
  int64_t byte = from / 8;
  sc_block()->truths(t->of, t->x + byte, t->y + byte, to - from, t->r + byte);
}

arr *sc_bits(ctx *c, const sc_row *row, const arr *x, const arr *y, const arr *like,
             sc_state *s) {
  static const bool xs[4] = {0, 0, 1, 1}, ys[4] = {0, 1, 0, 1};
  bool one[2] = {0};
  truth_job t;
  row->fn(s, (sc_arg){x == y ? ys : xs, 1}, (sc_arg){ys, 1}, t.of, 4);
  if (s->err || s->esc) return NULL;
  if (x->count == 1) {
    sc_load(x, 0, 1, 1, SC_B, one);
    t.of[0] = t.of[2 * one[0]];
    t.of[3] = t.of[2 * one[0] + 1];
    x = y;
  } else if (y->count == 1) {
    sc_load(y, 0, 1, 1, SC_B, one);
    t.of[0] = t.of[one[0]];
    t.of[3] = t.of[2 + one[0]];
    y = x;
  }
  OWNED arr *r = arr_new_as(c, ET_BIT, like);
  if (!r) return NULL;
  t.x = x->host;
  t.y = y->host;
  t.r = r->host;
  int64_t words = ceil_div(r->count, 64);
  each_loop loop = {
      .n = r->count, .cell = 1, .steps = 1, .per = 64, .task = truth_stretch, .job = &t};
  if (!each_is_long(c, words)) truth_stretch(&t, 0, r->count);
  else if (!each_part(c, &loop)) return NULL;
  return arr_move(&r);
}

static bool scalar_is_whole(const job *j) { return j->out >= SC_Q && j->out <= SC_I; }

/* Elements from..to-1, until one escapes; false after an error. */
static bool run_blocks(ctx *c, const job *j, sc_state *s, output *z, int64_t from,
                       int64_t to) {
  block xb, yb, rb;
  int64_t most = block_length(j), n = min_i64(to - from, most);
  bool ok = true;
  const sc_relation *relation = j->relation.run ? &j->relation : NULL;
  if (relation) n = min_i64(n, 64);
  operand y = operand_of(j->y, j->in, n, &yb), x = y;
  if (j->x != j->y) x = operand_of(j->x, j->in, n, &xb);
  if (j->out >= SC_D && x.each && y.each) most = PLACED_BLOCK;
  if (relation && !x.load && !y.load) most = PLACED_BLOCK;
  for (int64_t at = from; ok && at < to && !s->esc; at += most) {
    int64_t m = min_i64(to - at, most);
    sc_arg ya = argument(&y, j->in, at, m), xa = ya;
    if (j->x != j->y) xa = argument(&x, j->in, at, m);
    if (relation) {
      relation->run(relation, xa, ya, m, (uint8_t *)z->r->host + at / 8);
      ok = c->team.busy || !interrupted(c);
      continue;
    }
    void *result = &rb;
    if (z->r && j->out != SC_B && z->r->type == sc_elt(j->out))
      result = (char *)z->r->host + (size_t)at * sc_size(j->out);
    j->fn(s, xa, ya, result, m);
    if (scalar_is_whole(j) && !s->esc) ok = store_integers(c, j, z, at, result, m);
    else if (j->out == SC_B) sc_store(z->r, at, 1, m, SC_B, &rb);
    ok = ok && (c->team.busy || !interrupted(c));
  }
  return ok;
}

/* A job whose stretches threads share, and the state of the finished ones. */
typedef struct shared_job {
  ctx *c;
  const job *j;
  sc_state s;
  output z;
  atomic_flag lock;
} shared_job;

static void run_stretch(void *user, int64_t from, int64_t to) {
  shared_job *k = user;
  sc_state s = {.ct = k->s.ct};
  output z = {.r = k->z.r, .fixed = true};
  run_blocks(k->c, k->j, &s, &z, from, to);
  while (atomic_flag_test_and_set_explicit(&k->lock, memory_order_acquire)) continue;
  k->s.err |= s.err;
  k->s.inf |= s.inf;
  k->s.esc |= s.esc;
  k->z.lo = min_i64(k->z.lo, z.lo);
  k->z.hi = max_i64(k->z.hi, z.hi);
  k->z.wide |= z.wide;
  atomic_flag_clear_explicit(&k->lock, memory_order_release);
}

/* Which integers a few blocks have. */
static void look_at_blocks(ctx *c, const job *j, sc_state *s, output *z) {
  enum { LOOKS = 8 };
  int64_t last = (j->like->count - 1) / BLOCK;
  z->fixed = true;
  for (int64_t i = 0; i < LOOKS && !s->esc; i++) {
    int64_t from = last * i / (LOOKS - 1) * BLOCK;
    run_blocks(c, j, s, z, from, min_i64(from + BLOCK, j->like->count));
  }
}

/* More elements than one stretch has. Where threads share them integers go to the type that holds
 * those of a few blocks; where it does not hold the others the job is run once more. */
static bool run_long(ctx *c, const job *j, sc_state *s, output *z) {
  shared_job k = {.c = c, .j = j, .lock = ATOMIC_FLAG_INIT};
  each_loop loop = {.n = j->like->count, .cell = 1, .steps = STEPS};
  if (j->in == SC_Q || j->in == SC_H) loop.steps = SHORT_STEPS;
  if (j->row->host) loop.steps = HOST_STEPS;
  each_loop work = loop;
  if (j->relation.run) {
    work.n = loop.n / BYTES * (int64_t)sc_size(j->in);
    work.steps = loop.steps = 1;
  }
  if (!each_is_shared(c, &work)) return run_blocks(c, j, s, z, 0, loop.n);
  if (scalar_is_whole(j)) look_at_blocks(c, j, s, z);
  k.s = *s;
  k.z = *z;
  loop.task = run_stretch;
  loop.job = &k;
  bool ok = true, again = scalar_is_whole(j);
  do {
    if (again) {
      arr_release(z->r);
      z->r = arr_new(c, elt_for_range(k.z.lo, k.z.hi), j->like->rank, j->like->shape);
    }
    k.z.r = z->r;
    ok = z->r && (k.s.esc || each_part(c, &loop));
    again = ok && again && elt_for_range(k.z.lo, k.z.hi) > z->r->type;
  } while (again);
  *s = k.s;
  z->lo = k.z.lo;
  z->hi = k.z.hi;
  z->wide = k.z.wide;
  return ok;
}

/* Runs the job; faults and escapes are in s and the result is then not to be used. */
static arr *scalar_run(ctx *c, const job *j, sc_state *s) {
  int64_t n = j->like->count;
  bool whole = scalar_is_whole(j);
  /* The row is asked, not j: a joint read of two fresh stores stalls. */
  if (j->in == SC_B && j->row->result == CLS_B && n > 8)
    return sc_bits(c, j->row, j->x, j->y, j->like, s);
  output z = {0};
  if (!whole || !n)
    z.r = arr_new(c, whole ? ET_BIT : sc_elt(j->out), j->like->rank, j->like->shape);
  bool ok = z.r || whole;
  if (ok && each_is_long(c, n)) ok = run_long(c, j, s, &z);
  else if (ok) ok = run_blocks(c, j, s, &z, 0, n);
  OWNED arr *r = z.r;
  if (whole && n && r && !z.wide) arr_set_range(r, z.lo, z.hi);
  if (!ok || s->esc || err_is(c)) return NULL;
  return arr_move(&r);
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
static arr *scalar_apply(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                         const arr *like) {
  bool single = sc_single(x, y);
  cls need = cls_of((elt)x->type), other = cls_of((elt)y->type), on;
  if (other > need) need = other;
  const sc_row *row = sc_find(f, dyadic, need, single, &on);
  const sc_row *variant = NULL;
  job j = {.x = x, .y = y, .like = like};
  if (need <= CLS_I) variant = sc_float_variant(f, dyadic, CLS_I, false);
  if (on == CLS_F && variant && (is_beyond_f64(x) || is_beyond_f64(y))) {
    row = variant;
    on = CLS_I;
  }
  sc_type own = SC_I;
  if (on == CLS_I && row != variant) own = (sc_type)max_i64(sc_ints_of(x), sc_ints_of(y));
  if (x->type == ET_C8 && y->type == ET_C8) own = SC_Q;
  sc_type by = own;
  for (;;) {
    job_set(&j, row, on, single);
    by = job_narrow(&j, f, dyadic, own, by);
    sc_state s = {.ct = e->ct};
    if (single && on == CLS_F) {
      s.ct = 0;
      if (row->result != CLS_B && like->count) s.inf = !fits_single(x) || !fits_single(y);
    }
    if (dyadic) j.relation = sc_relation_of(f, j.in, j.fn, s.ct);
    OWNED arr *r = scalar_run(e->c, &j, &s);
    if (!s.esc && !s.err && !s.inf) return arr_move(&r);
    if (err_is(e->c)) return NULL;
    if (!s.esc) return sc_fault(e->c, f, dyadic, &s);
    if (by < SC_I) {
      by++;
      continue;
    }
    variant = sc_float_variant(f, dyadic, on, single);
    if (variant && row != variant) row = variant;
    else if (on != CLS_F) row = sc_find(f, dyadic, CLS_F, single, &on);
    else return cx_simple(e, f, dyadic, x, y, like);
  }
}

/* = and ≠ of a character with a number. */
static arr *constant(ctx *c, bool v, const arr *like) {
  arr *r = arr_new(c, ET_BIT, like->rank, like->shape);
  if (!r) return NULL;
  size_t bytes = elt_bytes(ET_BIT, r->count);
  memset(r->host, v ? 0xff : 0, bytes);
  uint8_t *last = (uint8_t *)r->host + bytes - 1;
  if (v && r->count % 8) *last = (uint8_t)(*last >> (8 - r->count % 8));
  return r;
}

/* x*2 and x*0.5 of floats are x×x and square roots, as in the row of *. Returns NULL, with
 * no error, if not applicable, or if an element is at fault, which the row then finds. */
static arr *try_short_power(prim_env *e, const arr *x, const arr *y) {
  double by = arr_get_float(y, 0);
  if (!elt_is_float((elt)x->type) || arr_float_type(x, y) != (elt)x->type) return NULL;
  if (by == 0.5 && x->type == ET_F64) {
    OWNED arr *r = arr_new(e->c, ET_F64, x->rank, x->shape);
    if (!r || !sc_block()->roots(x->host, x->count, r->host)) return NULL;
    return arr_move(&r);
  }
  if (by != 2) return NULL;
  bool single = x->type == ET_F32;
  job j = {.x = x, .y = x, .like = x};
  cls on;
  const sc_row *row = sc_find(P_TIMES, true, CLS_F, single, &on);
  job_set(&j, row, on, single);
  sc_state s = {.ct = 0};
  OWNED arr *r = scalar_run(e->c, &j, &s);
  return s.inf ? NULL : arr_move(&r);
}

INLINE arr *simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                   const arr *like) {
  bool xc = elt_is_char((elt)x->type), yc = elt_is_char((elt)y->type);
  if (like->count && (xc || yc)) {
    if (!dyadic || (f != P_EQ && f != P_NE)) return no_number(e->c, f);
    if (xc != yc) return constant(e->c, f == P_NE, like);
  }
  if (f == P_CIRCLE && dyadic) {
    prim code = prim_circle(x, e->ct);
    if (code < P_COUNT) {
      f = code;
      dyadic = false;
      x = y;
    }
  }
  if (x->type == ET_C128 || y->type == ET_C128)
    return cx_simple(e, f, dyadic, x, y, like);
  if (f == P_POWER && dyadic && y->count == 1 && like == x) {
    arr *r = try_short_power(e, x, y);
    if (r || err_is(e->c)) return r;
  }
  return scalar_apply(e, f, dyadic, x, y, like);
}

/* ── nested arrays ──────────────────────────────────────────────────────────────────── */

#if defined(__GNUC__) /* keeps the blocks of `run` out of the recursion's frames */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
/* Monadic + alone keeps the type of an empty array. */
static NOINLINE arr *leaf(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  const arr *like = y;
  if (dyadic) like = shape_giver(e->c, x, y);
  if (!like) return NULL;
  bool is_kept = !dyadic && f == P_PLUS && (!y->count || elt_is_char((elt)y->type));
  if (is_kept)
    return arr_retain(y); /* + is the conjugate of anything; real elements stay */
  return simple(e, f, dyadic, x, y, like);
}

static arr *pervade_items(prim_env *e, prim f, bool dyadic, arr *x, arr *y);

static inline arr *pervade(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  if (x->type != ET_NEST && y->type != ET_NEST) return leaf(e, f, dyadic, x, y);
  return pervade_items(e, f, dyadic, x, y);
}

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
} pervasion;

static arr *pervade_item(void *user, ctx *c, const arr *like, int64_t i) {
  const pervasion *p = user;
  UNUSED(like);
  OWNED arr *y = item_of(c, p->y, i);
  if (!y) return NULL;
  if (!p->dyadic) return pervade(p->e, p->f, false, y, y);
  OWNED arr *x = item_of(c, p->x, i);
  if (!x) return NULL;
  return pervade(p->e, p->f, true, x, y);
}

/* An empty nested array needs only the result's prototype. = computes it, because =
 * fails on no element and keeps the structure. */
static arr *pervade_prototype(void *user, ctx *c, const arr *like, int64_t i) {
  const pervasion *given = user;
  pervasion p = *given;
  p.f = P_EQ;
  p.dyadic = true;
  OWNED arr *item = pervade_item(&p, c, like, i);
  if (!item) return NULL;
  return arr_proto(c, item);
}

/* References support = and ≠ only. */
static arr *of_references(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y) {
  if (dyadic && (f == P_EQ || f == P_NE)) return arr_int(e->c, (x == y) == (f == P_EQ));
  err_set(e->c, ERR_DOMAIN, "a namespace is no number");
  return NULL;
}

_Static_assert(P_NE - P_LT == 5, "comparisons are < ≤ = ≥ > ≠");
/* A comparison of many vectors of one type with a scalar: of all their elements side by side.
 * Returns NULL, with no error, if not applicable. */
static arr *try_compare_together(prim_env *e, prim f, arr *x, arr *y) {
  enum { MANY = 8 };
  bool left = y->type == ET_NEST;
  arr *nested = left ? y : x, *one = left ? x : y;
  if (one->type == ET_NEST || one->rank || nested->rank != 1) return NULL;
  if (nested->count < MANY || !prim_items_alike(nested, false)) return NULL;
  OWNED arr *pairs = NULL;
  OWNED arr *line = prim_line_of_items(e->c, nested, nested->count, &pairs);
  if (!line || !line->count) return NULL;
  OWNED arr *r = left ? leaf(e, f, true, one, line) : leaf(e, f, true, line, one);
  return r ? partition_items(e, pairs, r) : NULL;
}

static arr *pervade_items(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  if (!dyadic && f == P_PLUS && !y->count) return arr_retain(y);
  if ((x->ref || y->ref) && !x->rank && !y->rank && !arr_nests(x) && !arr_nests(y))
    return of_references(e, f, dyadic, x, y);
  if (out_of_stack(e->c)) return NULL;
  const arr *like = y;
  if (dyadic) like = shape_giver(e->c, x, y);
  if (!like || interrupted(e->c)) return NULL;
  if (dyadic && f >= P_LT && f <= P_NE) {
    arr *r = try_compare_together(e, f, x, y);
    if (r || err_is(e->c)) return r;
  }
  pervasion p = {e, f, dyadic, x, y};
  if (!like->count) return arr_map(e->c, like, pervade_prototype, &p);
  if (dyadic && !arr_items_fit(e->c, like->count)) return NULL;
  return arr_squeeze(e->c, arr_map(e->c, like, pervade_item, &p));
}

arr *sc_any(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  return pervade(e, f, dyadic, x, y);
}
