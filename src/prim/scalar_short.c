/* SPDX-License-Identifier: MIT */
/* scalar_short.c - scalar functions of short arrays, most of what a program computes.
 *
 * Here much is fixed that scalar.c finds out for every job: one block holds each argument that is not in the
 * type that a row reads, and the row's results; no threads help, except for truth values, of which there may
 * be many. Other cases, and all that escape or fail, go to scalar.c from the start.
 *
 * TRIED: filling blocks up to whole vectors: q+j of 64 took 73 ns instead of 60, for the processor waits when
 * it reads what was stored in parts. */
#include "relations.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/isa.h"

/* For each element type, the C type of a row that holds it; CHARS marks characters. */
enum { CHARS = 16 };
static const uint8_t row_types[] = {
    [ET_BIT] = SC_Q,         [ET_I8] = SC_Q,          [ET_I16] = SC_H,
    [ET_I32] = SC_W,         [ET_I64] = SC_I,         [ET_F32] = SC_TYPES,
    [ET_F64] = SC_D,         [ET_C128] = SC_TYPES,    [ET_C8] = CHARS | SC_Q,
    [ET_C16] = CHARS | SC_H, [ET_C32] = CHARS | SC_W, [ET_NEST] = SC_TYPES};

/* The type of a row for both, a and b being theirs. */
INLINE sc_type short_type(prim f, unsigned a, unsigned b) {
  unsigned both = a > b ? a : b;
  if (both < CHARS) return (sc_type)both;
  if (!(a & b & CHARS) || (f != P_EQ && f != P_NE)) return SC_TYPES;
  return (sc_type)(both - CHARS);
}

/* An argument: an array, or a number where a is NULL. Its elements are of the C type `kind` of a row, if they
 * do not lie packed, and perhaps CHARS. */
typedef struct side {
  const arr *a;
  int64_t count;
  unsigned kind;
  prim_number n;
} side;

INLINE side side_of_array(const arr *a) {
  return (side){.a = a, .count = a->count, .kind = row_types[a->type]};
}

INLINE side side_of_number(prim_number n) {
  unsigned kind = SC_I;
  if (n.of == CLS_F) kind = SC_D;
  else if (n.as.i == (int8_t)n.as.i) kind = SC_Q;
  else if (n.as.i == (int16_t)n.as.i) kind = SC_H;
  else if (n.as.i == (int32_t)n.as.i) kind = SC_W;
  return (side){.count = 1, .kind = kind, .n = n};
}

INLINE bool is_bits(const side *s) { return s->a && s->a->type == ET_BIT; }

/* The argument that gives the result its shape; NULL: not decided here. */
INLINE const arr *shape_of(const arr *x, const arr *y) {
  if (!x || !y) return x ? x : y;
  if (x->rank == y->rank && x->count == y->count)
    return x->rank == 1 || arr_same_shape(x, y) ? x : NULL;
  if (y->count == 1 && y->rank <= x->rank) return x;
  return x->count == 1 && x->rank <= y->rank ? y : NULL;
}

/* The row for arguments of type *t, which may be widened, and its loop; NULL: scalar.c
 * finds it. If f has no row of integers, they become doubles, which integers of 64
 * bits must not. */
INLINE const sc_row *row_for(prim f, bool dyadic, sc_type *t, sc_fn **loop) {
  const sc_row *const *of = sc_rows_of[isa_best()]->row[dyadic];
  const sc_row *row = sc_row_in(of, *t == SC_Q ? SC_H : *t, f);
  if (*t == SC_Q && row && row->bytes) {
    *loop = row->bytes;
    return row;
  }
  if (*t == SC_Q) *t = SC_H;
  if (!row && *t == SC_H) row = sc_row_in(of, *t = SC_W, f);
  if (!row && *t == SC_W && !sc_row_in(of, SC_I, f)) row = sc_row_in(of, *t = SC_D, f);
  if (row) *loop = row->fn;
  return row;
}

typedef union short_block { /* n elements of up to 8 bytes */
  int64_t i[SC_BLOCK];
  double d[1];
  bool truth[1];
} __attribute__((aligned(64))) short_block;

INLINE bool lies_so(const side *s, sc_type t) {
  return (s->kind & ~(unsigned)CHARS) == t && s->a && s->a->type != ET_BIT;
}

/* The one element of s, n times, as elements of type t in `room`. */
INLINE sc_arg repeated(const side *s, int64_t n, sc_type t, short_block *room) {
  if (s->a) sc_load(s->a, 0, 1, 1, t, room);
  else if (t == SC_D && s->n.of == CLS_I) room->d[0] = (double)s->n.as.i;
  else room->i[0] = s->n.as.i;
  sc_block()->repeat(sc_size(t), n, room);
  return (sc_arg){room, 0};
}

/* The argument of a loop over n elements of type t; room: for those that do not lie so. */
INLINE sc_arg argument(const side *s, int64_t n, sc_type t, short_block *room) {
  if (s->count == 1 && (n > 1 || !s->a)) return repeated(s, n, t, room);
  if (lies_so(s, t)) return (sc_arg){s->a->host, 1};
  if (s->a->type == ET_BIT || t <= SC_Q) sc_load(s->a, 0, 1, n, t, room);
  else sc_block()->load((elt)s->a->type, s->a->host, n, t, room);
  return (sc_arg){room, 1};
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

/* By whole words, however many there are. */
static arr *of_bits(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y,
                    const arr *like) {
  const sc_row *row = sc_row_of(f, dyadic, SC_B);
  sc_state s = {.ct = e->ct};
  if (!row || row->result != CLS_B) return NULL;
  return sc_bits(e->c, row, x, y, like, &s);
}

/* The same of the bits `a` and a number, the right argument if `right`, for which an
 * array is lent. Returns NULL, with no error, if the number is no truth value. */
static arr *of_bits_and_number(prim_env *e, prim f, const arr *a, prim_number n,
                               bool right) {
  uint64_t word = (uint64_t)n.as.i;
  arr lent = {.c = e->c, .refs = 1, .type = ET_BIT, .count = 1, .host = &word};
  if (n.of != CLS_I || word > 1) return NULL;
  return of_bits(e, f, true, right ? a : &lent, right ? &lent : a, a);
}

/* Can s, which has one element or more than a block, be read in place? */
INLINE bool is_in_place(const side *s, sc_type t) {
  return s->count == 1 || lies_so(s, t);
}

INLINE sc_arg from(sc_arg a, size_t bytes) {
  return (sc_arg){(const char *)a.at + bytes * (size_t)a.step, a.step};
}

typedef struct short_loop { /* of a row that serves both arguments */
  const sc_row *row;
  sc_fn *run;
  sc_type t; /* that it reads */
} short_loop;

/* Computes m of more than a block of doubles. */
static SELDOM void more_doubles(const short_loop *k, sc_state *s, sc_arg x, sc_arg y,
                                const arr *r) {
  size_t each = sc_size(k->t);
  for (int64_t at = SC_BLOCK; at < r->count; at += SC_BLOCK)
    k->run(s, from(x, (size_t)at * each), from(y, (size_t)at * each),
           (double *)r->host + at, min_i64(r->count - at, SC_BLOCK));
}

/* n results of the loop, of 2 bytes. It goes over vectors of 64 at most; what is left takes as long as some of
 * these, one by one: so the last vector begins earlier, over what was done before. */
INLINE void run_narrow(const short_loop *k, sc_state *s, sc_arg x, sc_arg y, int16_t *r,
                       int64_t n) {
  enum { LANES = 64, MANY = 16 };
  bool late = n > LANES && n % LANES >= MANY;
  size_t at = (size_t)(n - LANES), each = sc_size(k->t);
  k->run(s, x, y, r, late ? n - n % LANES : n);
  if (late) k->run(s, from(x, at * each), from(y, at * each), r + at, LANES);
}

/* Whole numbers or truth values, which the loop makes of a block. */
static arr *block_of(prim_env *e, short_loop k, sc_arg x, sc_arg y, const arr *like) {
  short_block r;
  sc_state s = {.ct = e->ct};
  if (k.t <= SC_H && k.row->result == CLS_I)
    run_narrow(&k, &s, x, y, (int16_t *)&r, like->count);
  else k.run(&s, x, y, &r, like->count);
  if (s.esc || s.err || s.inf) return NULL;
  if (k.row->result == CLS_I) return sc_whole(e->c, k.t == SC_Q ? SC_H : k.t, &r, like);
  arr *bits = arr_new_as(e->c, ET_BIT, like);
  if (bits) sc_block()->pack(r.truth, like->count, bits->host);
  return bits;
}

/* ── doubles ────────────────────────────────────────────────────────────────────────── */

/* Vectors of so many doubles are written over: what they were can be put back. */
enum { KEPT = 64 };

INLINE bool is_doubles(const arr *a) { return a->type == ET_F64 && a->host; }

/* How many results there are; 0 if not applicable: it serves doubles with as many
 * doubles, or with a number. */
INLINE int64_t doubles_in(const arr *x, const arr *y) {
  if (!x || !y) {
    if (!x) x = y;
    return is_doubles(x) && x->count <= SC_BLOCK ? x->count : 0;
  }
  bool alike = is_doubles(x) && is_doubles(y) && x->rank == 1 && y->rank == 1;
  return alike && x->count == y->count && x->count <= 8 * SC_BLOCK ? x->count : 0;
}

/* May the result be written over a? */
INLINE bool is_spare(const arr *a, int64_t n) {
  return a && n <= KEPT && a->count == n && a->type == ET_F64 && arr_is_alone(a);
}

/* Applies the row; the result is written over an argument that is `spare`, or to a new
 * array. */
static SELDOM arr *doubles_over(const sc_row *row, sc_state *s, sc_arg x, sc_arg y,
                                arr *spare) {
  double kept[KEPT];
  size_t bytes = (size_t)spare->count * sizeof(double);
  memcpy(kept, spare->host, bytes);
  s->over = true;
  row->fn(s, x, y, spare->host, spare->count);
  if (LIKELY(!(s->esc | s->err | s->inf | s->again))) {
    arr_written(spare);
    return arr_retain(spare);
  }
  memcpy(spare->host, kept, bytes);
  return NULL;
}

static SELDOM arr *doubles_related(prim_env *e, prim f, const sc_row *row, sc_arg x,
                                   sc_arg y, const arr *like) {
  sc_relation relation = sc_relation_of(f, SC_D, row->fn, e->ct);
  arr *r = relation.run ? arr_new_as(e->c, ET_BIT, like) : NULL;
  if (r) relation.run(&relation, x, y, like->count, r->host);
  return r;
}

arr *prim_of_doubles(prim_env *e, prim f, arr *x, arr *y, double number, arr *spare) {
  short_block room;
  const arr *like = x ? x : y;
  int64_t n = doubles_in(x, y);
  const sc_row *row = sc_row_in(sc_rows_of[isa_best()]->row[1], SC_D, f);
  if (!n || !row || row->result == CLS_I || f == P_POWER || f == P_CIRCLE) return NULL;
  sc_arg xs = {room.i, 0}, ys = xs;
  if (x) xs = (sc_arg){x->host, 1};
  if (y) ys = (sc_arg){y->host, 1};
  room.d[0] = number;
  if (!(x && y)) sc_block()->repeat(sizeof(double), n, &room);
  if (row->result == CLS_B) return doubles_related(e, f, row, xs, ys, like);
  sc_state s = {.ct = e->ct};
  if (is_spare(spare, n)) return doubles_over(row, &s, xs, ys, spare);
  arr *r = arr_new_as(e->c, ET_F64, like);
  if (!r) return NULL;
  row->fn(&s, xs, ys, r->host, n);
  if (LIKELY(!(s.esc | s.err | s.inf))) return r;
  arr_release(r);
  return NULL;
}

/* ── any type ───────────────────────────────────────────────────────────────────────── */

/* Tries f; for a monadic f, x and y are the same. Returns NULL if nothing was
 * computed; sc_any finds the error, if there is one. */
INLINE arr *computed(prim_env *e, prim f, bool dyadic, side x, side y) {
  enum { MOST = 8 * SC_BLOCK };
  const arr *like = dyadic ? shape_of(x.a, y.a) : y.a;
  if (!like || !like->count) return NULL;
  int64_t n = like->count, m = min_i64(n, SC_BLOCK);
  if (like->type == ET_BIT && is_bits(&x) && is_bits(&y))
    return of_bits(e, f, dyadic, x.a, y.a, like);
  if (n > MOST) return NULL;
  if (dyadic && like->type == ET_BIT && !(x.a && y.a)) {
    arr *r = of_bits_and_number(e, f, like, x.a ? y.n : x.n, x.a);
    if (r || err_is(e->c)) return r;
  }
  short_loop k = {.t = short_type(f, x.kind, y.kind)};
  if (k.t == SC_TYPES || (dyadic && (f == P_CIRCLE || f == P_POWER))) return NULL;
  k.row = row_for(f, dyadic, &k.t, &k.run);
  if (!k.row) return NULL;
  sc_relation relation = {0};
  if (k.row->result == CLS_B && dyadic && (k.t == SC_D || n >= 64))
    relation = sc_relation_of(f, k.t, k.run, e->ct);
  if (n > m) {
    bool stays = k.row->result == CLS_F || relation.run; /* where it is written at once */
    if (!stays || !is_in_place(&x, k.t) || !is_in_place(&y, k.t)) return NULL;
  }
  short_block xs, ys;
  sc_arg ya = argument(&y, m, k.t, &ys), xa = ya;
  if (dyadic) xa = argument(&x, m, k.t, &xs);
  if (k.row->result != CLS_F && !relation.run) return block_of(e, k, xa, ya, like);
  OWNED arr *r = arr_new_as(e->c, relation.run ? ET_BIT : ET_F64, like);
  if (!r) return NULL;
  if (relation.run) {
    relation.run(&relation, xa, ya, n, r->host);
    return arr_move(&r);
  }
  sc_state s = {.ct = e->ct};
  k.run(&s, xa, ya, r->host, m);
  if (n > m) more_doubles(&k, &s, xa, ya, r);
  return s.esc || s.err || s.inf ? NULL : arr_move(&r);
}

/* r, or what sc_any gives if nothing was computed. */
INLINE arr *or_any(prim_env *e, prim f, bool dyadic, arr *x, arr *y, arr *r) {
  if (LIKELY(r != NULL) || err_is(e->c)) return r;
  return sc_any(e, f, dyadic, x, y);
}

arr *sc_monadic(prim_env *e, prim f, arr *y) {
  side of = side_of_array(y);
  return or_any(e, f, false, y, y, computed(e, f, false, of, of));
}

arr *sc_dyadic(prim_env *e, prim f, arr *x, arr *y) {
  arr *r = NULL;
  if (is_doubles(x) && is_doubles(y)) r = prim_of_doubles(e, f, x, y, 0, NULL);
  if (!r && !err_is(e->c)) r = computed(e, f, true, side_of_array(x), side_of_array(y));
  return or_any(e, f, true, x, y, r);
}

arr *prim_with_number(prim_env *e, prim f, arr *a, prim_number n, bool left) {
  side array = side_of_array(a), number = side_of_number(n);
  arr *r = computed(e, f, true, left ? number : array, left ? array : number);
  if (r || err_is(e->c)) return r;
  OWNED arr *one = prim_of_number(e->c, n);
  return one ? sc_any(e, f, true, left ? one : a, left ? a : one) : NULL;
}
