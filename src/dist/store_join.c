/* SPDX-License-Identifier: MIT */
/* store_join.c - x[at]f←v of whole numbers, f one of + ⌈ ⌊, where x is the same everywhere and `at` or v is cut: counts
 * and sums by keys.
 *
 *   each rank's places and values ─▶ a table like x ─▶ all ranks' tables, row by row ─▶ these joined with x
 *
 * A sum that leaves 64 bits is left to one rank's way. */
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../prim/args.h"
#include "forms.h"

enum { TABLE_MOST = 1 << 22 }; /* elements of x: every rank has a table of each */

typedef struct joining {
  const ir_call *call;
  prim f;
  arr *x;      /* a vector */
  arr *at, *v; /* this rank's, settled; owned */
  bool one;
} joining;

/* A table of what x has, or of zeros. */
static arr *table_of(const joining *j, bool zeros) {
  arr *r = arr_vec(j->call->env.c, ET_I64, j->x->count);
  for (int64_t i = 0; r && i < r->count; i++)
    ((int64_t *)r->host)[i] = zeros ? 0 : arr_get_int(j->x, i);
  return r;
}

/* *to f b; false where a sum does not fit. */
static bool join_one(prim f, int64_t *to, int64_t b) {
  if (f == P_PLUS) return !__builtin_add_overflow(*to, b, to);
  *to = f == P_CEIL ? max_i64(*to, b) : min_i64(*to, b);
  return true;
}

/* False likewise, or after INDEX ERROR or an interrupt. */
static bool join_all(const joining *j, const int64_t *at, const int64_t *v, arr *table) {
  int64_t *to = table->host, n = table->count, io = j->call->env.io;
  for (int64_t i = 0; i < j->at->count; i++) {
    if (stops_at(j->call->env.c, i)) return false;
    if (at[i] < io || at[i] - io >= n)
      return err_set(j->call->env.c, ERR_INDEX,
                     "there is no index %s in an axis of length %lld",
                     prim_int_text(at[i]).at, (long long)n);
    if (!join_one(j->f, &to[at[i] - io], v[j->one ? 0 : i])) return false;
  }
  return true;
}

/* On the host. */
static bool join_here(const joining *j, arr *table) {
  ir *g = j->call->g;
  ctx *c = j->call->env.c;
  if (!ir_host(g, j->at) || !ir_host(g, j->v)) return false;
  OWNED arr *at = arr_convert(c, j->at, ET_I64), *v = arr_convert(c, j->v, ET_I64);
  return at && v && join_all(j, at->host, v->host, table);
}

/* This rank's table, as a row; NULL after an error, and where one rank's way is to do it. */
static arr *own_table(const joining *j) {
  /* Extremes begin with x, for joining it again changes nothing; sums with 0. */
  OWNED arr *table = table_of(j, j->f == P_PLUS);
  if (!table) return NULL;
  bool done = ir_put_joined(j->call, j->f, &table, j->at, j->v);
  if (!done && (err_is(j->call->env.c) || !join_here(j, table))) return NULL;
  if (!ir_host(j->call->g, table)) return NULL;
  OWNED arr *line = arr_convert(j->call->env.c, table, ET_I64);
  return line ? arr_reshape(j->call->env.c, line, 2, (int64_t[]){1, line->count}) : NULL;
}

/* All ranks' tables and x, joined; NULL without an error, on all ranks: a sum does not fit. */
static arr *all_joined(const joining *j, arr *table) {
  ctx *c = j->call->env.c;
  const dist *d = c->dist;
  int64_t n = j->x->count, shape[2] = {d->ranks, n};
  OWNED arr *all = gathered(j->call, table, 2, shape);
  OWNED arr *r = all && ir_host(j->call->g, all) ? table_of(j, false) : NULL;
  for (int64_t i = 0; r && i < d->ranks * n; i++)
    if (!join_one(j->f, (int64_t *)r->host + i % n, ((const int64_t *)all->host)[i]))
      return NULL;
  return arr_move(&r);
}

/* What x becomes; NULL likewise. */
static arr *joined(const ir_call *call, prim f, arr *x, arr *at, arr *v) {
  dist *d = call->env.c->dist;
  joining j = {.call = call, .f = f, .one = v->count == 1};
  OWNED arr *line = ir_monadic(call, P_COMMA, x);
  OWNED arr *places = line ? part_for(call, at) : NULL;
  OWNED arr *values = places && !j.one ? part_for(call, v) : arr_retain(v);
  j.x = line;
  j.at = places;
  j.v = values;
  inside_begin(d);
  OWNED arr *table = places && values && ir_host(d->g, line) ? own_table(&j) : NULL;
  inside_end(d);
  int64_t not = !table;
  if (!dist_meet_values(d, AGREE_VALUES, &not, 1) || not ) return NULL;
  return all_joined(&j, table);
}

bool store_join(const ir_call *call, prim f, arr **x, arr *at, arr *v) {
  dist *d = dist_of(call);
  if (f != P_PLUS && f != P_CEIL && f != P_FLOOR) return false;
  if (is_cut(*x) || (*x)->count > TABLE_MOST || !is_for_parts(d, at)) return false;
  if (at->rank != 1 || (v->count != 1 && v->count != at->count)) return false;
  if (!parts_ready(call, at, v) || !parts_settle(d, at) || !parts_settle(d, v))
    return false;
  if (!ir_settle(d->g, *x)) return false;
  bool whole = elt_is_int((elt)(*x)->type) && elt_is_int((elt)at->type) &&
               elt_is_int((elt)v->type);
  if (!whole || !op_begins(d, call->at)) return false;
  OWNED arr *r = joined(call, f, *x, at, v);
  arr *same = r ? arr_reshape(d->c, r, (*x)->rank, (*x)->shape) : NULL;
  if (!same) return false;
  arr_release(*x);
  *x = same;
  return true;
}
