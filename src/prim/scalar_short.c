/* SPDX-License-Identifier: MIT */
/* scalar_short.c - scalar functions of short arrays, most of what a program computes.
 *
 * What scalar.c finds out for every job is known here: one block holds each argument that does
 * not lie in the type that a row reads, and what the row gives; no thread is asked, but for truth values, of
 * which there may be many. Whatever is not so, and whatever escapes or fails, is scalar.c's, from the start. */
#include "relations.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/isa.h"

/* Of each type the C type of a row that holds its elements, and for characters tells them apart;
 * CHARS: they are. */
enum { CHARS = 16 };
static const uint8_t row_types[] = {
    [ET_BIT] = SC_Q,         [ET_I8] = SC_Q,          [ET_I16] = SC_H,
    [ET_I32] = SC_W,         [ET_I64] = SC_I,         [ET_F32] = SC_TYPES,
    [ET_F64] = SC_D,         [ET_C128] = SC_TYPES,    [ET_C8] = CHARS | SC_Q,
    [ET_C16] = CHARS | SC_H, [ET_C32] = CHARS | SC_W, [ET_NEST] = SC_TYPES};

/* The type of a row for both, a and b being theirs. */
INLINE sc_type type_for(prim f, unsigned a, unsigned b) {
  unsigned both = a > b ? a : b;
  if (both < CHARS) return (sc_type)both;
  if (!(a & b & CHARS) || (f != P_EQ && f != P_NE)) return SC_TYPES;
  return (sc_type)(both - CHARS);
}

/* Which of both gives the result its shape; NULL: neither does without further questions. */
INLINE const arr *shape_of(const arr *x, const arr *y) {
  if (x->rank == y->rank && x->count == y->count)
    return x->rank == 1 || arr_same_shape(x, y) ? x : NULL;
  if (y->count == 1 && y->rank <= x->rank) return x;
  return x->count == 1 && x->rank <= y->rank ? y : NULL;
}

/* The row for arguments of type *t, or of what it is widened to, and its loop; NULL: scalar.c knows
 * which. Numbers that f has no integers of are doubles, which those of 64 bits may not be. */
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
  bool truth[1];
} __attribute__((aligned(64))) short_block;

INLINE bool lies_so(const arr *a, sc_type t) {
  return (row_types[a->type] & ~(unsigned)CHARS) == t && a->type != ET_BIT;
}

/* The argument of a loop over n elements of type t; room: for those that do not lie so. */
INLINE sc_arg argument(const arr *a, int64_t n, sc_type t, short_block *room) {
  bool alone = a->count == 1 && n > 1;
  if (!alone && lies_so(a, t)) return (sc_arg){a->host, 1};
  sc_load(a, 0, 1, alone ? 1 : n, t, room);
  if (!alone) return (sc_arg){room, 1};
  sc_block()->repeat(sc_size(t), n, room);
  return (sc_arg){room, 0};
}

arr *sc_whole(ctx *c, sc_type t, const void *v, const arr *like) {
  int64_t lo, hi, n = like->count;
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

/* Is a, which has more than a block of elements or one, read without another place for them? */
static bool is_in_place(const arr *a, sc_type t) {
  return a->count == 1 || lies_so(a, t);
}

INLINE sc_arg from(sc_arg a, size_t bytes) {
  return (sc_arg){(const char *)a.at + bytes * (size_t)a.step, a.step};
}

/* Doubles that the loop makes of doubles. */
static arr *from_doubles(prim_env *e, sc_fn *loop, sc_arg x, sc_arg y, const arr *like) {
  sc_state s = {.ct = e->ct};
  OWNED arr *r = arr_new_as(e->c, ET_F64, like);
  if (!r) return NULL;
  loop(&s, x, y, r->host, like->count);
  return s.esc || s.err || s.inf ? NULL : arr_move(&r);
}

/* An argument of n doubles, or one, which is repeated in that room. */
INLINE sc_arg of_doubles(const arr *a, int64_t n, short_block *room) {
  if (a->count == n) return (sc_arg){a->host, 1};
  room->i[0] = *(const int64_t *)a->host;
  sc_block()->repeat(sizeof(double), n, room);
  return (sc_arg){room, 0};
}

/* The same of few, one of which is one for all. */
static arr *from_double(prim_env *e, sc_fn *loop, const arr *x, const arr *y,
                        const arr *like) {
  short_block room;
  int64_t n = like->count;
  return from_doubles(e, loop, of_doubles(x, n, &room), of_doubles(y, n, &room), like);
}

/* What the loop of a row makes of elements of type t: in one block, but for doubles and relations
 * of what is read where it lies. */
static arr *by_blocks(prim_env *e, const sc_relation *relation, const sc_row *row,
                      sc_type t, sc_fn *loop, const arr *x, const arr *y,
                      const arr *like) {
  int64_t n = like->count, m = min_i64(n, SC_BLOCK);
  bool stays = row->result == CLS_F || relation->run; /* where it is written at once */
  if (n > m && !(stays && is_in_place(x, t) && is_in_place(y, t))) return NULL;
  short_block xs, ys, rs;
  sc_state s = {.ct = e->ct};
  sc_arg ya = argument(y, m, t, &ys), xa = ya;
  if (x != y) xa = argument(x, m, t, &xs);
  OWNED arr *r = NULL;
  if (row->result != CLS_I) {
    r = arr_new_as(e->c, row->result == CLS_F ? ET_F64 : ET_BIT, like);
    if (!r) return NULL;
  }
  if (relation->run) {
    relation->run(relation, xa, ya, n, r->host);
    return arr_move(&r);
  }
  loop(&s, xa, ya, row->result == CLS_F ? r->host : &rs, m);
  for (size_t each = sc_size(t), at = (size_t)m; at < (size_t)n; at += SC_BLOCK)
    loop(&s, from(xa, at * each), from(ya, at * each), (double *)r->host + at,
         min_i64(n - (int64_t)at, SC_BLOCK));
  if (s.esc || s.err || s.inf) return NULL;
  if (row->result == CLS_I) return sc_whole(e->c, t == SC_Q ? SC_H : t, &rs, like);
  if (row->result == CLS_B) sc_block()->pack(rs.truth, n, r->host);
  return arr_move(&r);
}

/* What f gives, a monadic f having y twice. NULL: nothing was computed, and the error, if there is one, is
 * sc_any's to find. */
INLINE arr *computed(prim_env *e, prim f, bool dyadic, const arr *x, const arr *y) {
  enum { MOST = 8 * SC_BLOCK };
  const arr *like = dyadic ? shape_of(x, y) : y;
  if (!like || !like->count) return NULL;
  if (x->type == ET_BIT && y->type == ET_BIT) return of_bits(e, f, dyadic, x, y, like);
  int64_t n = like->count;
  if (n > MOST) return NULL;
  unsigned a = row_types[x->type], b = row_types[y->type];
  sc_type t = type_for(f, a, b);
  if (t == SC_TYPES || (dyadic && (f == P_CIRCLE || f == P_POWER))) return NULL;
  sc_fn *loop;
  const sc_row *row = row_for(f, dyadic, &t, &loop);
  if (!row) return NULL;
  if (row->result == CLS_F && a == SC_D && b == SC_D) {
    if (x->count == y->count)
      return from_doubles(e, loop, (sc_arg){x->host, 1}, (sc_arg){y->host, 1}, like);
    if (n <= SC_BLOCK) return from_double(e, loop, x, y, like);
  }
  sc_relation relation = {0};
  if (row->result == CLS_B && dyadic && t == SC_D)
    relation = sc_relation_of(f, t, loop, e->ct);
  return by_blocks(e, &relation, row, t, loop, x, y, like);
}

arr *sc_monadic(prim_env *e, prim f, arr *y) {
  arr *r = computed(e, f, false, y, y);
  return r ? r : sc_any(e, f, false, y, y);
}

arr *sc_dyadic(prim_env *e, prim f, arr *x, arr *y) {
  arr *r = computed(e, f, true, x, y);
  return r ? r : sc_any(e, f, true, x, y);
}

/* Most need no array for the number; one that is lent does not last. */
arr *prim_with_number(prim_env *e, prim f, arr *a, prim_number n, bool left) {
  prim_bits room = n.as;
  arr lent = {.c = e->c, .refs = 1, .type = ET_F64, .count = 1, .host = &room};
  bool same = a->type == ET_F64 && prim_float_of(n, &room);
  if (!same && n.of == CLS_I) {
    lent.type = (uint8_t)elt_for_range(n.as.i, n.as.i);
    arr_put_int(&lent, 0, n.as.i);
  }
  arr *r = computed(e, f, true, left ? &lent : a, left ? a : &lent);
  if (r) return r;
  OWNED arr *one = n.of == CLS_I ? arr_int(e->c, n.as.i) : arr_float(e->c, n.as.d);
  return one ? sc_any(e, f, true, left ? one : a, left ? a : one) : NULL;
}
