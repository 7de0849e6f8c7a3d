/* SPDX-License-Identifier: MIT */
/* scalar.c - the direct path of the scalar functions: prim.def's rows, applied to arrays.
 *
 *   pervade ──▶ apply ──▶ run ──▶ run_short      nested items; row by class; a block
 *                             └─▶ run_many       many blocks, perhaps by threads
 *
 * A simple array goes through `apply`. It takes the row of the narrowest C type that holds
 * the arguments and runs it over the whole array. If an element escaped, `widened` runs the
 * row of the next wider type, the row's float variant, or the F row, instead; results that
 * leave the reals are complex.c's.
 *
 * Loops work on blocks of seven C types, so that an element type costs one loader and not
 * one loop for each primitive; what has one of these types is read and written where it lies.
 * Integers are stored in their narrowest type. Most arrays that a program computes with are one
 * block: so `apply` and `run_short` are one function, of which each call costs 10 ns.
 *
 * f32 results: see arr_float_type. A rank-0 number too large for f32 is a DOMAIN ERROR
 * unless the result is Boolean, since the finite number would become an infinity. */
#include "../base/isa.h"

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

static SELDOM arr *no_shape(ctx *c, const arr *x, const arr *y) {
  char a[100], b[100];
  shape_text(x, a, sizeof a);
  shape_text(y, b, sizeof b);
  int code = ERR_LENGTH;
  if (x->rank != y->rank) code = ERR_RANK;
  err_set(c, code, "shapes %s and %s", a, b);
  return NULL;
}

/* Which argument gives the result its shape: x, y, or NULL after RANK or LENGTH ERROR. */
static inline const arr *shape_giver(ctx *c, const arr *x, const arr *y) {
  if (x->rank == 1 && y->rank == 1 && x->count == y->count) return x;
  if (x->count == 1 && (y->count != 1 || y->rank > x->rank)) return y;
  if (y->count == 1 || arr_same_shape(x, y)) return x;
  return no_shape(c, x, y);
}

/* ── simple arrays ──────────────────────────────────────────────────────────────────── */

enum {
  BLOCK = SC_BLOCK
}; /* a multiple of 8, so that blocks of bits start at whole bytes */

/* For an element, as each.h counts them: of short integers, of others, of functions of the host. */
enum { SHORT_STEPS = 1, STEPS = 4, HOST_STEPS = 64 };
enum { BYTES = 8 }; /* that comparisons to bits read of an argument in a step */

/* For each element type, the C type of a row that holds it; SC_TYPES: none. */
static const uint8_t row_types[] = {
    [ET_BIT] = SC_B,   [ET_I8] = SC_I8,   [ET_I16] = SC_I16, [ET_I32] = SC_I32,
    [ET_I64] = SC_I64, [ET_F32] = SC_F32, [ET_F64] = SC_F64, [ET_C128] = SC_TYPES,
    [ET_C8] = SC_I8,   [ET_C16] = SC_I16, [ET_C32] = SC_I32, [ET_NEST] = SC_TYPES};

typedef struct job { /* one row over whole arrays; a monadic job has y twice */
  const sc_row *row;
  sc_fn *fn; /* of the row: fn or bytes */
  const arr *x, *y, *like;
  const sc_relation *relation; /* of a comparison: what gives bits at once; NULL: none */
  uint8_t f;                   /* prim */
  bool dyadic, variant;        /* variant: the row is the float variant of another one */
  uint8_t own, by;             /* sc_type of the arguments; of the row */
  uint8_t in, out;             /* of the loop */
} job;

/* The job is done by this row for arguments of type t. */
INLINE void job_set(job *j, const sc_row *row, sc_type t) {
  bool bytes = j->own == SC_I8 && row->bytes;
  sc_type out = SC_B;
  if (row->result == CLS_F) out = t == SC_F32 ? SC_F32 : SC_F64;
  else if (row->result == CLS_I) out = t >= SC_I8 && t < SC_I64 ? t : SC_I64;
  j->row = row;
  j->fn = bytes ? row->bytes : row->fn;
  j->by = (uint8_t)t;
  j->in = (uint8_t)(bytes ? SC_I8 : t);
  j->out = (uint8_t)out;
}

/* By the row for type t, or for the next one that has a row. */
INLINE void job_find(job *j, sc_type t) {
  const sc_row *const *of = sc_rows_of[isa_best()]->row[j->dyadic];
  const sc_row *row = sc_row_in(of, t, (prim)j->f);
  while (!LIKELY(row != NULL)) row = sc_row_in(of, ++t, (prim)j->f);
  job_set(j, row, t);
}

/* An element escaped: by the row of a wider type, by the float variant, or by the row of floats; false: that
 * is complex.c's. */
static bool job_widen(job *j) {
  cls on = j->by >= SC_F64 ? CLS_F : j->by == SC_B ? CLS_B : CLS_I;
  if (j->by >= SC_I8 && j->by < SC_I64) {
    job_find(j, j->by + 1);
    return true;
  }
  const sc_row *variant = sc_float_variant((prim)j->f, j->dyadic, on, j->by == SC_F32);
  if (variant && !j->variant) {
    job_set(j, variant, j->by);
    j->variant = true;
    return true;
  }
  j->variant = false;
  if (on != CLS_F) job_find(j, SC_F64);
  return on != CLS_F;
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

/* Has a elements as loops of type t read them? */
INLINE bool is_in_place(const arr *a, sc_type t) {
  return t != SC_B && row_types[a->type] == t;
}

/* b becomes n copies of a's one element. */
INLINE void fill_block(const arr *a, sc_type t, int64_t n, block *b) {
  if (t == SC_F32 || a->type == ET_F32) sc_load(a, 0, 0, 1, t, b);
  else if (a->type == ET_F64) b->d[0] = *(const double *)a->host;
  else if (t == SC_F64) b->d[0] = (double)arr_get_int(a, 0);
  else b->i[0] = arr_get_int(a, 0);
  sc_block()->repeat(sc_size(t), n, b);
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

/* The result as far as it is stored. Integers are in the narrowest type that has held all of
 * them so far: what is stored already is widened when a block needs it, unless others write to
 * it, too. */
typedef struct output {
  arr *r; /* owned; of integers NULL at first */
  int64_t lo, hi;
  bool fixed, begun;
  bool
      wide; /* the type is the widest that the loop gives: nobody looks at the range any more */
} output;

static bool is_wide(const job *j, const output *z, const void *b, int64_t n) {
  if (z->fixed && !z->r) return false;
  return z->r ? j->out == SC_I16 && z->r->type == ET_I16 : sc_is_wide(j->out, b, n);
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

arr *sc_whole(ctx *c, sc_type t, const void *v, const arr *like) {
  int64_t lo, hi, n = like->count;
  if (sc_is_wide(t, v, n)) {
    arr *wide = arr_new_as(c, ET_I16, like);
    if (wide) memcpy(wide->host, v, (size_t)n * sizeof(int16_t));
    return wide;
  }
  sc_block()->range(t, v, n, &lo, &hi);
  elt to = elt_for_range(lo, hi);
  arr *r = arr_new_as(c, to, like);
  if (!r) return NULL;
  arr_set_range(r, lo, hi);
  if (to != ET_BIT) {
    sc_block()->store(t, v, n, to, r->host);
    return r;
  }
  bool truth[SC_BLOCK];
  sc_block()->store(t, v, n, ET_I8, truth);
  sc_block()->pack(truth, n, r->host);
  return r;
}

/* Truth values of truth values: of whole words, by what the row gives for the four pairs. */
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

static bool is_whole(const job *j) { return j->out >= SC_I8 && j->out <= SC_I64; }

/* Elements from..to-1, until one escapes; false after an error. */
static bool run_blocks(ctx *c, const job *j, sc_state *s, output *z, int64_t from,
                       int64_t to) {
  block xb, yb, rb;
  int64_t most = block_length(j), n = min_i64(to - from, most);
  bool ok = true;
  const sc_relation *relation = j->relation;
  if (relation) n = min_i64(n, 64);
  operand y = operand_of(j->y, j->in, n, &yb), x = y;
  if (j->x != j->y) x = operand_of(j->x, j->in, n, &xb);
  if (j->out >= SC_F64 && x.each && y.each) most = PLACED_BLOCK;
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
    if (is_whole(j) && !s->esc) ok = store_integers(c, j, z, at, result, m);
    else if (j->out == SC_B) sc_store(z->r, at, 1, m, SC_B, &rb);
    ok = ok && (c->team.busy || !interrupted(c));
  }
  return ok;
}

/* A job whose stretches threads share, and what has come of those that are done. */
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
  if (j->in == SC_I8 || j->in == SC_I16) loop.steps = SHORT_STEPS;
  if (j->row->host) loop.steps = HOST_STEPS;
  each_loop work = loop;
  if (j->relation) {
    work.n = loop.n / BYTES * (int64_t)sc_size(j->in);
    work.steps = loop.steps = 1;
  }
  if (!each_is_shared(c, &work)) return run_blocks(c, j, s, z, 0, loop.n);
  if (is_whole(j)) look_at_blocks(c, j, s, z);
  k.s = *s;
  k.z = *z;
  loop.task = run_stretch;
  loop.job = &k;
  bool ok = true, again = is_whole(j);
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

INLINE sc_arg from(sc_arg a, size_t bytes) {
  return (sc_arg){(const char *)a.at + bytes * (size_t)a.step, a.step};
}

/* n results of the loop, of 2 bytes. It goes over vectors of 64 at most; what is left takes as long as some of
 * these, one by one: so the last vector begins earlier, over what was done before. */
INLINE void run_narrow(const job *j, sc_state *s, sc_arg x, sc_arg y, int16_t *r,
                       int64_t n) {
  enum { LANES = 64, MANY = 16 };
  bool late = n > LANES && n % LANES >= MANY;
  size_t at = (size_t)(n - LANES), each = sc_size(j->in);
  j->fn(s, x, y, r, late ? n - n % LANES : n);
  if (late) j->fn(s, from(x, at * each), from(y, at * each), r + at, LANES);
}

/* Is nothing but one element for all read into a block? */
INLINE bool is_placed(const arr *a, sc_type t) {
  return a->count == 1 || is_in_place(a, t);
}

/* A block or less, or a few of what is neither read into a block nor stored from one; not empty. */
INLINE bool is_short(const job *j) {
  enum { MOST = 8 * BLOCK };
  int64_t n = j->like->count;
  if (n <= BLOCK) return n;
  return n <= MOST && (j->out >= SC_F64 || j->relation) && is_placed(j->x, j->in) &&
         is_placed(j->y, j->in);
}

/* Does what is short: the result, or NULL as run says. */
INLINE arr *run_short(ctx *c, const job *j, sc_state *s) {
  block xb, yb, rb;
  int64_t n = j->like->count, m = min_i64(n, BLOCK);
  operand y = operand_of(j->y, j->in, m, &yb), x = y;
  sc_arg ya = argument(&y, j->in, 0, n), xa = ya;
  if (j->x != j->y) {
    x = operand_of(j->x, j->in, m, &xb);
    xa = argument(&x, j->in, 0, n);
  }
  if (is_whole(j)) {
    if (j->out == SC_I16) run_narrow(j, s, xa, ya, (int16_t *)&rb, n);
    else j->fn(s, xa, ya, &rb, n);
    return s->esc || s->err || s->inf ? NULL : sc_whole(c, j->out, &rb, j->like);
  }
  OWNED arr *r = arr_new_as(c, sc_elt(j->out), j->like);
  if (!r) return NULL;
  if (j->relation) {
    j->relation->run(j->relation, xa, ya, n, r->host);
    return arr_move(&r);
  }
  size_t in = sc_size(j->in), out = sc_size(j->out), at = 0;
  char *to = j->out == SC_B ? (char *)&rb : r->host;
  j->fn(s, xa, ya, to, m);
  while ((n -= m) > 0) {
    at += BLOCK;
    m = min_i64(n, BLOCK);
    j->fn(s, from(xa, at * in), from(ya, at * in), to + at * out, m);
  }
  if (j->out == SC_B) sc_block()->pack((bool *)&rb, m, r->host);
  return s->esc || s->err || s->inf ? NULL : arr_move(&r);
}

/* What is not short. */
static SELDOM arr *run_many(ctx *c, job by, sc_state *s) {
  const job *j = &by;
  int64_t n = j->like->count;
  bool whole = is_whole(j);
  output z = {0};
  if (!whole || !n) z.r = arr_new_as(c, whole ? ET_BIT : sc_elt(j->out), j->like);
  bool ok = z.r || whole;
  if (ok && each_is_long(c, n)) ok = run_long(c, j, s, &z);
  else if (ok) ok = run_blocks(c, j, s, &z, 0, n);
  OWNED arr *r = z.r;
  if (whole && n && r && !z.wide) arr_set_range(r, z.lo, z.hi);
  if (!ok || s->esc || s->err || s->inf || err_is(c)) return NULL;
  return arr_move(&r);
}

static bool fits_single(const arr *a) {
  if (a->type != ET_F64) return true; /* a scalar then */
  double v = *(const double *)a->host;
  return !isfinite(v) || isfinite((float)v);
}

/* Runs the job. NULL: an error, or what s says. */
INLINE arr *run(prim_env *e, job *j, sc_state *s, bool may_be_short) {
  int64_t n = j->like->count;
  sc_relation relation;
  *s = (sc_state){.ct = e->ct};
  if (j->by == SC_F32) {
    s->ct = 0;
    if (j->out != SC_B && n) s->inf = !fits_single(j->x) || !fits_single(j->y);
  }
  if (j->by == SC_B && j->row->result == CLS_B && n)
    return sc_bits(e->c, j->row, j->x, j->y, j->like, s);
  j->relation = NULL;
  if (j->dyadic && j->f >= P_LT && j->f <= P_NE && (j->in == SC_F64 || n >= 64)) {
    relation = sc_relation_of((prim)j->f, j->in, j->fn, s->ct);
    if (relation.run) j->relation = &relation;
  }
  if (may_be_short && is_short(j)) return run_short(e->c, j, s);
  return run_many(e->c, *j, s);
}

/* The same with less code, of what is rare. */
static SELDOM arr *run_again(prim_env *e, job *j, sc_state *s) {
  return run(e, j, s, false);
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

/* The job gave no result, since s says so, or after an error: by the next row, if one is wider. */
static SELDOM arr *widened(prim_env *e, job j, sc_state s) {
  while (!err_is(e->c)) {
    if (!s.esc) return sc_fault(e->c, (prim)j.f, j.dyadic, &s);
    if (!job_widen(&j)) return cx_simple(e, (prim)j.f, j.dyadic, j.x, j.y, j.like);
    arr *r = run_again(e, &j, &s);
    if (r) return r;
  }
  return NULL;
}

/* f on simple arrays of real numbers (or characters that compare); x is y if monadic. */
INLINE arr *apply(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                  const arr *like) {
  sc_type own = row_types[x->type], other = row_types[y->type];
  if (other > own) own = other;
  if (own == SC_F32 && !sc_single(x, y)) own = SC_F64;
  if (own == SC_B && !sc_row_of(f, dyadic, SC_B)) own = SC_I8;
  job j = {.x = x, .y = y, .like = like, .f = (uint8_t)f, .dyadic = dyadic};
  j.own = (uint8_t)own;
  /* Bytes of bytes, which may escape, are tried where they are many. */
  job_find(&j, own == SC_I8 && like->count <= BLOCK ? SC_I16 : own);
  if (j.by == SC_F64 && own <= SC_I64 && (is_beyond_f64(x) || is_beyond_f64(y))) {
    const sc_row *variant = sc_float_variant(f, dyadic, CLS_I, false);
    j.variant = variant;
    if (variant) job_set(&j, variant, SC_I64);
  }
  sc_state s;
  arr *r = run(e, &j, &s, true);
  return LIKELY(r != NULL) ? r : widened(e, j, s);
}

#if defined(__GNUC__) /* keeps the blocks of `run` out of the recursion's frames */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
static NOINLINE arr *apply1(prim_env *e, prim f, const arr *y, const arr *like) {
  return apply(e, f, false, y, y, like);
}

static NOINLINE arr *apply2(prim_env *e, prim f, const arr *x, const arr *y,
                            const arr *like) {
  return apply(e, f, true, x, y, like);
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

/* x*2 and x*0.5 of floats are x×x and square roots: what the row of * says, too. NULL without an
 * error: what it says of faults is wanted. */
static arr *short_power(prim_env *e, const arr *x, const arr *y) {
  double by = arr_get_float(y, 0);
  if (!elt_is_float((elt)x->type) || arr_float_type(x, y) != (elt)x->type) return NULL;
  if (by == 0.5 && x->type == ET_F64) {
    OWNED arr *r = arr_new(e->c, ET_F64, x->rank, x->shape);
    if (!r || !sc_block()->roots(x->host, x->count, r->host)) return NULL;
    return arr_move(&r);
  }
  if (by != 2) return NULL;
  bool single = x->type == ET_F32;
  job j = {.x = x, .y = x, .like = x, .f = P_TIMES, .dyadic = true};
  job_find(&j, single ? SC_F32 : SC_F64);
  sc_state s;
  return run_again(e, &j, &s);
}

/* Characters, complex numbers, and functions whose row depends on a value. */
static SELDOM arr *unusual(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
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
    arr *r = short_power(e, x, y);
    if (r || err_is(e->c)) return r;
  }
  return dyadic ? apply2(e, f, x, y, like) : apply1(e, f, y, like);
}

INLINE arr *simple(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                   const arr *like) {
  bool numbers = x->type <= ET_F64 && y->type <= ET_F64;
  if (LIKELY(numbers && !(dyadic && (f == P_CIRCLE || f == P_POWER))))
    return dyadic ? apply2(e, f, x, y, like) : apply1(e, f, y, like);
  return unusual(e, f, dyadic, x, y, like);
}

/* ── nested arrays ──────────────────────────────────────────────────────────────────── */

/* Only monadic + keeps the type of an empty array. */
INLINE arr *leaf(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  const arr *like = y;
  if (dyadic) like = shape_giver(e->c, x, y);
  if (!like) return NULL;
  bool is_kept = !dyadic && f == P_PLUS && (!y->count || elt_is_char((elt)y->type));
  if (is_kept)
    return arr_retain(y); /* + is the conjugate of anything: what has none stays */
  return simple(e, f, dyadic, x, y, like);
}

static SELDOM arr *pervade_items(prim_env *e, prim f, bool dyadic, arr *x, arr *y);

INLINE arr *pervade(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  if (LIKELY(x->type != ET_NEST && y->type != ET_NEST)) return leaf(e, f, dyadic, x, y);
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
  if (!p->dyadic) return sc_monadic(p->e, p->f, y);
  OWNED arr *x = item_of(c, p->x, i);
  if (!x) return NULL;
  return sc_dyadic(p->e, p->f, x, y);
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

/* References are equal or not; nothing else is known of them. */
static arr *of_references(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y) {
  if (dyadic && (f == P_EQ || f == P_NE)) return arr_int(e->c, (x == y) == (f == P_EQ));
  err_set(e->c, ERR_DOMAIN, "a namespace is no number");
  return NULL;
}

_Static_assert(P_NE - P_LT == 5, "comparisons are < ≤ = ≥ > ≠");
/* A comparison of many vectors of one type with a scalar: of all their elements side by side. NULL
 * without an error: it is something else. */
static arr *compare_together(prim_env *e, prim f, arr *x, arr *y) {
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

static SELDOM arr *pervade_items(prim_env *e, prim f, bool dyadic, arr *x, arr *y) {
  if (!dyadic && f == P_PLUS && !y->count) return arr_retain(y);
  if ((x->ref || y->ref) && !x->rank && !y->rank && !arr_nests(x) && !arr_nests(y))
    return of_references(e, f, dyadic, x, y);
  if (out_of_stack(e->c)) return NULL;
  const arr *like = y;
  if (dyadic) like = shape_giver(e->c, x, y);
  if (!like || interrupted(e->c)) return NULL;
  if (dyadic && f >= P_LT && f <= P_NE) {
    arr *r = compare_together(e, f, x, y);
    if (r || err_is(e->c)) return r;
  }
  pervasion p = {e, f, dyadic, x, y};
  if (!like->count) return arr_map(e->c, like, pervade_prototype, &p);
  if (dyadic && !arr_items_fit(e->c, like->count)) return NULL;
  return arr_squeeze(e->c, arr_map(e->c, like, pervade_item, &p));
}

arr *sc_monadic(prim_env *e, prim f, arr *y) { return pervade(e, f, false, y, y); }

arr *sc_dyadic(prim_env *e, prim f, arr *x, arr *y) { return pervade(e, f, true, x, y); }

arr *prim_widened(prim_env *e, prim f, arr *x, arr *y) {
  const arr *like = x ? shape_giver(e->c, x, y) : y;
  if (!like) return NULL;
  job j = {.x = x ? x : y, .y = y, .like = like, .f = (uint8_t)f, .dyadic = x != NULL};
  j.own = SC_I64;
  job_find(&j, SC_I64);
  return widened(e, j, (sc_state){.esc = true});
}

arr *prim_with_number(prim_env *e, prim f, arr *a, prim_number n, bool left) {
  prim_bits real;
  arr one = {.c = e->c, .refs = 1, .type = ET_F64, .count = 1, .host = &n.as};
  if (a->type == ET_F64 && prim_float_of(n, &real)) n.as = real;
  else if (n.of == CLS_I) {
    elt type = elt_for_range(n.as.i, n.as.i);
    if (type == ET_BIT && a->type != ET_BIT) type = ET_I8; /* bytes are read sooner */
    one.type = (uint8_t)type;
  }
  return sc_dyadic(e, f, left ? &one : a, left ? a : &one);
}
