/* SPDX-License-Identifier: MIT */
/* doubles.c - x f y of short vectors of doubles, as scalar.c does it for any arrays, sooner: what has to be
 * asked first is little, and the result is written over an argument that nobody else holds. What escapes or
 * fails is scalar.c's, from the start.
 *
 * TRIED without it (70 rows in a dfn, of which 16 are such, by turns): at 10 and 100 elements f-g, f÷g, f×2.5 and chains
 * of these take 1.15 to 1.3 times as long, 3 to 6 ns a function; the geometric mean of all rows stays within 1.03. */
#include "relations.h"
#include "../tables/fast.h"
#include "../base/isa.h"

typedef union short_block {
  double d[SC_BLOCK];
} __attribute__((aligned(64))) short_block;

/* Vectors of so many doubles are written over: what they were can be put back. */
enum { KEPT = 64 };

INLINE bool is_doubles(const arr *a) { return a->type == ET_F64 && a->host; }

/* How many results there are; 0: something else than doubles beside as many, or beside a number. */
INLINE int64_t doubles_in(const arr *x, const arr *y) {
  if (!x || !y) {
    if (!x) x = y;
    return is_doubles(x) && x->count <= SC_BLOCK ? x->count : 0;
  }
  bool alike = is_doubles(x) && is_doubles(y) && x->rank == 1 && y->rank == 1;
  return alike && x->count == y->count && x->count <= 8 * SC_BLOCK ? x->count : 0;
}

/* May the result stand where a does, which nobody else holds? */
INLINE bool is_spare(const arr *a, int64_t n) {
  return a && n <= KEPT && a->count == n && a->type == ET_F64 && arr_is_alone(a);
}

/* What the row makes of one argument, at least, that is `spare`: written over it, or in a new array. */
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
  sc_relation relation = sc_relation_of(f, SC_F64, row->fn, e->ct);
  arr *r = relation.run ? arr_new_as(e->c, ET_BIT, like) : NULL;
  if (r) relation.run(&relation, x, y, like->count, r->host);
  return r;
}

arr *prim_try_doubles(prim_env *e, prim f, arr *x, arr *y, double number, arr *spare) {
  short_block room;
  const arr *like = x ? x : y;
  int64_t n = doubles_in(x, y);
  const sc_row *row = sc_row_in(sc_rows_of[isa_best()]->row[1], SC_F64, f);
  if (!n || !row || row->result == CLS_I || f == P_POWER || f == P_CIRCLE) return NULL;
  sc_arg xs = {room.d, 0}, ys = xs;
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
