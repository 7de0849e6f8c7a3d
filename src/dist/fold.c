/* SPDX-License-Identifier: MIT */
/* fold.c - f⌿y in parts, with the bits of one rank.
 *
 *   SUM, PARITY, EXTREME   Each rank folds its rows; everybody gets these results, and joins them.
 *   TREE                   A tile of the tree (tables/fold.h) lies on one rank where an array is cut between tiles
 *                          (cut.c). Each rank folds its tiles, as lines of their length; everybody gets the results,
 *                          which are elements of the same tree, and folds them.
 *
 * y is not settled first: what is pending below it is one kernel with the fold. So its type, on which the way
 * depends, is known when the rows are folded; the ranks agree about both in one message, and get one another's
 * results by a second one. A sum that leaves 64 bits on some rank is made again of 128.
 *
 * What comes out of none of these ways as on one rank is computed by whole columns (columns.c), or of all of y. */
#include "fold.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/extreme.h"
#include "../fold/tree.h"
#include "../ir/device.h"
#include "../prim/axis.h"
#include "../prim/scalar.h"
#include <float.h>
#include <math.h>
#include <string.h>

__extension__ typedef __int128 i128;

fold_way fold_way_of(prim f, cls on) {
  const fold_row *row = on <= CLS_F ? fold_of(f, on) : NULL;
  if (!row) return WAY_NONE;
  bool real = row->on == CLS_F;
  switch (row->monoid) {
  case KF_ADD:
    if (row->over == OVER_PARITY || row->over == OVER_EVENNESS) return WAY_PARITY;
    return real ? WAY_TREE : WAY_SUM;
  case KF_MUL: return real ? WAY_TREE : WAY_NONE;
  case KF_MIN:
  case KF_MAX:
  case KF_AND:
  case KF_OR: return WAY_EXTREME;
  default: return WAY_NONE;
  }
}

prim fold_extreme_of(prim f, cls on) {
  kfold m = fold_of(f, on)->monoid;
  return m == KF_MAX || m == KF_OR ? P_CEIL : P_FLOOR;
}

/* ── everybody's rows ── */

bool fold_room(dist *d, fold_rows_of *of, const int64_t *rows, size_t bytes) {
  size_t all = 0;
  of->each = mem_alloc(d->c, (size_t)d->ranks * sizeof *of->each);
  if (!of->each) return false;
  for (int r = 0; r < d->ranks; r++) all += of->each[r] = (size_t)rows[r] * bytes;
  of->all = mem_alloc(d->c, all + 1);
  return of->all != NULL;
}

void fold_room_free(dist *d, fold_rows_of *of) {
  mem_free(d->c, of->each);
  mem_free(d->c, of->all);
  *of = (fold_rows_of){0};
}

/* What `each` says from byte `from` of every rank on, to where it lies. */
static bool gather_from(dist *d, fold_rows_of *of, const char *mine, size_t from,
                        size_t most, size_t *some, char *room) {
  for (int r = 0; r < d->ranks; r++)
    some[r] = of->each[r] > from ? min_u64(of->each[r] - from, most) : 0;
  if (!dist_gather(d, some[d->me] ? mine + from : mine, room, some)) return false;
  char *to = of->all;
  for (int r = 0; r < d->ranks; to += of->each[r++]) {
    memcpy(to + from, room, some[r]);
    room += some[r];
  }
  return true;
}

bool fold_gather(dist *d, fold_rows_of *of, const void *mine) {
  size_t longest = 0, most = (size_t)GATHER_PART / (size_t)d->ranks;
  for (int r = 0; r < d->ranks; r++) longest = max_u64(longest, of->each[r]);
  if (longest <= most) return dist_gather(d, mine, of->all, of->each);
  size_t *some = mem_alloc(d->c, (size_t)d->ranks * sizeof *some);
  char *room = some ? mem_alloc(d->c, most * (size_t)d->ranks) : NULL;
  bool ok = room;
  for (size_t from = 0; ok && from < longest; from += most)
    ok = gather_from(d, of, mine, from, most, some, room);
  mem_free(d->c, some);
  mem_free(d->c, room);
  return ok;
}

/* ── a fold ── */

/* Tiles that end before row i, or with the last row. */
static int64_t tiles_to(const first_fold *z, int64_t i) {
  return i == z->n ? ceil_div(i, FOLD_TILE) : i / FOLD_TILE;
}

static bool is_cut_between_tiles(const first_fold *z) {
  for (int r = 1; r < z->d->ranks; r++)
    if (cut_at(z->n, z->d->ranks, r) % FOLD_TILE) return false;
  return true;
}

/* Rows that each rank tells. */
static void count_rows(first_fold *z) {
  for (int r = 0; r < z->d->ranks; r++) {
    int64_t from = cut_at(z->n, z->d->ranks, r), to = cut_at(z->n, z->d->ranks, r + 1);
    z->rows[r] = z->way == WAY_TREE ? tiles_to(z, to) - tiles_to(z, from) : 1;
    if (z->wide) z->rows[r] = 2;
  }
}

/* ── this rank's rows ── */

/* Rows `from` … of the part. */
static arr *rows_of(const first_fold *z, arr *part, int64_t from, int64_t n) {
  int64_t at[ARR_MAX_RANK] = {from}, size[ARR_MAX_RANK];
  if (!from && n == part->shape[0]) return arr_retain(part);
  memcpy(size, part->shape, (size_t)part->rank * sizeof *size);
  size[0] = n;
  return ir_box(z->call, part, at, size);
}

/* Row `to` of z->mine on become those of r, of its type. */
static bool put_rows(first_fold *z, int64_t to, arr *r) {
  if (!r || !ir_settle(z->call->g, r) || r->type != z->mine->type) return false;
  if (!ir_download(z->call->g, r)) return false; /* as it is meant: no hint */
  arr_copy(z->mine, to * z->inner, r, 0, r->count);
  return true;
}

/* The folds of the part's tiles. -/ begins each with a plus: a tile has an even number of rows. */
static bool tile_totals(first_fold *z, arr *part) {
  const ir_call *call = z->call;
  int64_t m = part->shape[0], whole = m / FOLD_TILE, rest = m % FOLD_TILE;
  int64_t shape[3] = {whole, FOLD_TILE, z->inner};
  z->mine =
      arr_new(call->env.c, (elt)part->type, 2, (int64_t[]){whole + (rest > 0), z->inner});
  if (!z->mine) return false;
  if (whole) {
    OWNED arr *rows = rows_of(z, part, 0, whole * FOLD_TILE);
    OWNED arr *to = arr_int_vec(call->env.c, z->inner > 1 ? 3 : 2, shape);
    OWNED arr *lines = to ? ir_dyadic(call, P_RHO, to, rows) : NULL;
    OWNED arr *r = ir_reduce(call, z->f, lines, 1);
    if (!put_rows(z, 0, r)) return false;
  }
  if (!rest) return true;
  OWNED arr *rows = rows_of(z, part, whole * FOLD_TILE, rest);
  OWNED arr *r = ir_reduce(call, z->f, rows, 0);
  return put_rows(z, whole, r);
}

static const tree_loops *loops_of(const first_fold *z, bool product) {
  return tree_loops_of(product ? KF_MUL : KF_ADD, z->type == ET_F32 ? KF32 : KF64);
}

/* The same of a vector's products, whatever comes of them: f/ looks at its result, and computes a product that
 * overflowed anew. */
static bool tile_products(first_fold *z, arr *part) {
  z->type = (elt)part->type;
  if (z->inner > 1 || !ir_host(z->call->g, part) || part->type != z->type) return false;
  size_t size = z->type == ET_F32 ? 4 : 8;
  int64_t n = part->count, tiles = ceil_div(n, FOLD_TILE);
  z->mine = arr_new(z->call->env.c, z->type, 2, (int64_t[]){tiles, 1});
  if (!z->mine) return false;
  for (int64_t i = 0; i < tiles; i++)
    loops_of(z, true)->line((char *)z->mine->host + (size_t)i * size,
                            (char *)part->host + (size_t)(i * FOLD_TILE) * size,
                            (size_t)min_i64(n - i * FOLD_TILE, FOLD_TILE));
  return true;
}

/* What no element changes, of the part's type. */
static arr *identity_of(const first_fold *z, elt t) {
  ctx *c = z->call->env.c;
  bool most = z->way == WAY_EXTREME && fold_extreme_of(z->f, z->on) == P_CEIL;
  if (z->way != WAY_EXTREME) return arr_int(c, 0);
  if (z->on == CLS_B) return arr_int(c, !most);
  if (z->on == CLS_I) return arr_int(c, most ? INT64_MIN : INT64_MAX);
  OWNED arr *end = arr_float(c, most ? -HUGE_VAL : HUGE_VAL);
  return end ? arr_convert(c, end, t) : NULL;
}

/* f of the part's elements where the mask is 1. */
static arr *fold_selected(first_fold *z, arr *part) {
  const ir_call *call = z->call;
  prim_env e = call->env;
  OWNED arr *mask = part_for(call, z->mask);
  OWNED arr *ones = mask ? ir_reduce(call, P_PLUS, mask, 0) : NULL;
  if (!ones || !ir_host(call->g, ones)) return NULL;
  z->any = arr_get_int(ones, 0) > 0;
  if (!z->any) return identity_of(z, (elt)part->type);
  arr *r = ir_reduce_where(call, z->f, mask, part);
  if (r || err_is(e.c)) return r;
  if (!ir_host(call->g, mask) || !ir_host(call->g, part)) return NULL;
  OWNED arr *some = prim_replicate(&e, mask, part, 0);
  return some ? ir_reduce(call, z->f, some, 0) : NULL;
}

/* One row: of integers where the elements are. */
static bool one_row(first_fold *z, arr *part) {
  prim f = z->way == WAY_PARITY ? P_NE : z->f;
  OWNED arr *r = z->mask ? fold_selected(z, part) : ir_reduce(z->call, f, part, 0);
  if (!r || !ir_host(z->call->g, r)) return false;
  bool whole = elt_is_int((elt)r->type), same = r->type == part->type;
  z->wide = z->way == WAY_SUM && !whole;
  if (z->wide) return !z->mask;
  if (whole) z->mine = arr_convert(z->call->env.c, r, ET_I64);
  else if (same) z->mine = arr_retain(r);
  return z->mine;
}

static bool fold_part(first_fold *z, arr *part) {
  if (z->way != WAY_TREE) return one_row(z, part);
  if (z->mask) return false;
  if (z->scan && is_for_strips(z->d, z->f, z->n, z->inner))
    return ir_settle(z->call->g, part);
  if (z->scan) return z->inner == 1 && ir_host(z->call->g, part);
  if (!is_cut_between_tiles(z)) return false;
  return z->f == P_TIMES ? tile_products(z, part) : tile_totals(z, part);
}

/* Folds this rank's rows by the class that they turn out to have. False: not in any way, or after an error. */
static bool fold_own(first_fold *z) {
  OWNED arr *part = part_for(z->call, z->y);
  bool ok = part;
  for (bool known = false; ok && !known; known = z->on == cls_of((elt)part->type)) {
    z->on = cls_of((elt)part->type);
    z->way = fold_way_of(z->f, z->on);
    z->wide = false;
    arr_release(z->mine);
    z->mine = NULL;
    ok = z->way && fold_part(z, part);
  }
  if (part) z->type = (elt)part->type;
  return ok;
}

/* Sums of 128 bits: a row of lower words, and one of upper ones. */
static bool sum_wide(first_fold *z) {
  enum { POLL = 1 << 20 };
  ctx *c = z->call->env.c;
  OWNED arr *part = part_for(z->call, z->y);
  if (!part || !ir_host(z->call->g, part)) return false;
  arr_release(z->mine);
  z->mine = arr_new(c, ET_I64, 2, (int64_t[]){2, z->inner});
  int64_t *low = z->mine ? z->mine->host : NULL, *high = low + z->inner;
  for (int64_t j = 0; low && j < z->inner; j++) {
    i128 sum = 0;
    for (int64_t i = 0, at = j; i < part->shape[0]; i++, at += z->inner) {
      bool minus = z->f == P_MINUS && i % 2;
      sum += minus ? -(i128)arr_get_int(part, at) : arr_get_int(part, at);
      if (i % POLL == 0 && interrupted(c)) return false;
    }
    low[j] = (int64_t)(uint64_t)sum;
    high[j] = (int64_t)(sum >> 64);
  }
  return low;
}

/* ── together ── */

/* Element j of row i of everybody's. */
static int64_t whole_at(const first_fold *z, int64_t i, int64_t j) {
  return ((const int64_t *)(const void *)z->all.all)[i * z->inner + j];
}

/* Rank r's sum in column j. -/ of rows behind an odd number of others begins with a minus. */
static i128 sum_of(const first_fold *z, int r, int64_t j) {
  i128 sum = whole_at(z, z->wide ? 2 * r + 1 : r, j);
  if (z->wide) sum = sum * ((i128)1 << 64) + (uint64_t)whole_at(z, 2 * r, j);
  bool minus = z->f == P_MINUS && cut_at(z->n, z->d->ranks, r) % 2;
  return minus ? -sum : sum;
}

static i128 sum_of_all(const first_fold *z, int64_t j) {
  i128 sum = 0;
  for (int r = 0; r < z->d->ranks; r++) sum += sum_of(z, r, j);
  return sum;
}

static arr *new_result(const first_fold *z, elt t) {
  return arr_new(z->call->env.c, t, z->y->rank - 1, z->y->shape + 1);
}

/* Integers if all fit, else floats, each rounded once. */
static arr *join_sums(const first_fold *z) {
  bool fits = true;
  for (int64_t j = 0; fits && j < z->inner; j++) {
    i128 sum = sum_of_all(z, j);
    fits = sum >= INT64_MIN && sum <= INT64_MAX;
  }
  OWNED arr *r = new_result(z, fits ? ET_I64 : ET_F64);
  for (int64_t j = 0; r && j < z->inner; j++) {
    i128 sum = sum_of_all(z, j);
    if (fits) arr_put_int(r, j, (int64_t)sum);
    else arr_put_float(r, j, (double)sum);
  }
  return r ? sc_narrow(z->call->env.c, arr_move(&r)) : NULL;
}

static arr *join_parities(const first_fold *z) {
  arr *r = new_result(z, ET_BIT);
  bool turns = fold_of(z->f, CLS_B)->over == OVER_EVENNESS && z->n % 2 == 0;
  for (int64_t j = 0; r && j < z->inner; j++) {
    int64_t sum = turns;
    for (int i = 0; i < z->d->ranks; i++) sum += whole_at(z, i, j);
    arr_put_int(r, j, sum & 1);
  }
  return r;
}

static double extreme(double a, double b, bool most) {
  return most ? most_f64(a, b) : least_f64(a, b);
}

static double real_at(const first_fold *z, int64_t i, int64_t j) {
  int64_t at = i * z->inner + j;
  if (z->type == ET_F32) return (double)((const float *)(const void *)z->all.all)[at];
  return ((const double *)(const void *)z->all.all)[at];
}

static arr *join_extremes(const first_fold *z) {
  ctx *c = z->call->env.c;
  bool most = fold_extreme_of(z->f, z->on) == P_CEIL;
  elt t = z->on == CLS_F ? z->type : z->on == CLS_B ? ET_BIT : ET_I64;
  OWNED arr *r = new_result(z, t);
  for (int64_t j = 0; r && j < z->inner; j++) {
    double real = 0;
    int64_t whole = 0;
    for (int i = 0; i < z->d->ranks; i++) {
      if (z->on == CLS_F) {
        real = i ? extreme(real, real_at(z, i, j), most) : real_at(z, 0, j);
        continue;
      }
      int64_t v = whole_at(z, i, j);
      if (!i || (most ? v > whole : v < whole)) whole = v;
    }
    if (z->on == CLS_F) arr_put_float(r, j, real);
    else arr_put_int(r, j, whole);
  }
  return r && z->on == CLS_I ? sc_narrow(c, arr_move(&r)) : arr_move(&r);
}

/* Did a sum or a product leave the numbers that need no second look? */
static bool is_off(const first_fold *z, double v) {
  double least = z->type == ET_F32 ? (double)FLT_MIN : DBL_MIN;
  return !isfinite(v) || (z->f == P_TIMES && fabs(v) < least);
}

/* Column j of everybody's rows, one behind the other. */
static void column_of(const first_fold *z, int64_t j, size_t size, char *to) {
  const char *from = z->all.all + (size_t)j * size;
  for (int64_t n = tiles_to(z, z->n), i = 0; i < n; i++, to += size)
    memcpy(to, from + (size_t)(i * z->inner) * size, size);
}

/* The tree of all tiles' results. NULL without an error: only the elements tell what the result is. */
static arr *join_tiles(const first_fold *z) {
  ctx *c = z->call->env.c;
  int64_t n = tiles_to(z, z->n);
  size_t size = z->type == ET_F32 ? 4 : 8;
  sc_type type = size == 8 ? SC_F64 : SC_F32;
  const tree_loops *loops = loops_of(z, z->f == P_TIMES);
  OWNED arr *line = arr_vec(c, z->type, z->inner > 1 ? n : 1);
  OWNED arr *room = line ? arr_vec(c, z->type, n) : NULL;
  OWNED arr *r = room ? new_result(z, z->type) : NULL;
  bool again = false;
  for (int64_t j = 0; r && j < z->inner; j++) {
    const char *v = z->inner > 1 ? line->host : z->all.all;
    if (z->inner > 1) column_of(z, j, size, line->host);
    tree_line(loops, size, v, n, room->host, (char *)r->host + (size_t)j * size);
    bool is = is_off(z, arr_get_float(r, j));
    again |= is && (z->f == P_TIMES || !sc_block()->off(type, v, n, false));
  }
  return again ? NULL : arr_move(&r);
}

static arr *join(const first_fold *z) {
  switch (z->way) {
  case WAY_SUM: return join_sums(z);
  case WAY_PARITY: return join_parities(z);
  case WAY_EXTREME: return join_extremes(z);
  case WAY_TREE: return join_tiles(z);
  default: return NULL;
  }
}

/* ── the fold ── */

/* What ranks tell one another before they exchange rows. */
enum { CLASS_MOST, TYPE_MOST, TYPE_LEAST, GIVES_UP, IS_WIDE, HAS_ANY, FOLD_VALUES };

/* All elements are of z->on then, and z->way and so on are of that. */
static bool take_values(first_fold *z, const int64_t *value) {
  z->on = (cls)value[CLASS_MOST];
  z->way = fold_way_of(z->f, z->on);
  z->type = (elt)value[TYPE_MOST];
  z->wide = value[IS_WIDE];
  bool one_type = z->on != CLS_F || value[TYPE_MOST] == ~value[TYPE_LEAST];
  return !value[GIVES_UP] && z->way && one_type && value[HAS_ANY];
}

static agreed agree_on(first_fold *z, bool ok) {
  int64_t value[FOLD_VALUES];
  ok &= !op_gives_up(z->d);
  op_keeps_type(z->d);
  value[CLASS_MOST] = z->on;
  value[TYPE_MOST] = z->type;
  value[TYPE_LEAST] = ~(int64_t)z->type;
  value[GIVES_UP] = !ok;
  value[IS_WIDE] = z->wide;
  value[HAS_ANY] = !z->mask || z->any;
  agreed is = dist_agree(z->d, AGREE_VALUES, value, FOLD_VALUES);
  if (is == AGREED && !take_values(z, value)) z->way = WAY_NONE;
  return is;
}

/* Memory for what everybody tells. */
static bool take_room(first_fold *z) {
  if (!z->mine) return true;
  bool single = z->on == CLS_F && z->type == ET_F32;
  count_rows(z);
  fold_room_free(z->d, &z->all);
  return fold_room(z->d, &z->all, z->rows, (size_t)z->inner * (single ? 4 : 8));
}

bool fold_parts(first_fold *z) {
  agreed is;
  do {
    inside_begin(z->d);
    bool ok = fold_own(z) && (z->wide || take_room(z));
    inside_end(z->d);
    is = agree_on(z, ok);
  } while (is == AGREED_WIDER);
  return is == AGREED;
}

/* The same of sums in two words. */
static bool sum_parts(first_fold *z) {
  agreed is;
  do {
    inside_begin(z->d);
    if (sum_wide(z)) take_room(z);
    inside_end(z->d);
    is = dist_agree(z->d, AGREE_VALUES, NULL, 0);
  } while (is == AGREED_WIDER);
  return is == AGREED;
}

/* f⌿y. NULL without an error: in no way of these. */
static arr *fold_as_rows(first_fold *z) {
  if (!fold_parts(z) || !z->way) return NULL;
  if (z->wide && !sum_parts(z)) return NULL;
  return fold_gather(z->d, &z->all, z->mine->host) ? join(z) : NULL;
}

bool fold_begins(first_fold *z, const ir_call *call, bool scan, prim f, arr *y) {
  dist *d = dist_of(call);
  *z = (first_fold){.call = call, .d = d, .f = f, .scan = scan, .y = y};
  if (!fold_way_of(f, CLS_B) || !op_begins(d, call->at)) return false;
  z->n = y->shape[0];
  z->inner = y->count / z->n;
  z->rows = mem_alloc(call->env.c, (size_t)d->ranks * sizeof *z->rows);
  return z->rows;
}

void fold_ends(first_fold *z) {
  arr_release(z->mine);
  mem_free(z->call->env.c, z->rows);
  fold_room_free(z->d, &z->all);
}

static arr *fold_first(const ir_call *call, prim f, arr *y) {
  first_fold z;
  arr *r = fold_begins(&z, call, false, f, y) ? fold_as_rows(&z) : NULL;
  fold_ends(&z);
  return r;
}

/* Can elements be left out of f/ of them? */
static bool can_select(prim f) {
  const fold_row *row = fold_of(f, CLS_B);
  return row && row->over != OVER_ALTERNATING && row->over != OVER_EVENNESS;
}

arr *part_fold_where(const ir_call *call, prim f, arr *x, arr *y) {
  first_fold z;
  dist *d = dist_of(call);
  if (!parts_ready(call, x, y)) return NULL;
  if (!is_for_parts(d, y) || !is_for_parts(d, x) || !elt_is_num((elt)y->type))
    return NULL;
  if (y->type == ET_C128 || x->type != ET_BIT || !can_select(f)) return NULL;
  bool begins = fold_begins(&z, call, false, f, y);
  z.mask = x;
  arr *r = begins ? fold_as_rows(&z) : NULL;
  fold_ends(&z);
  return r;
}

arr *part_fold(const ir_call *call, bool scan, prim f, arr *y, int axis) {
  dist *d = dist_of(call);
  const fold_call of = {.f = f, .scan = scan};
  if (!parts_ready(call, NULL, y)) return NULL;
  if (axis) return map_fold(call, &of, y, axis);
  if (!is_for_parts(d, y) || !elt_is_num((elt)y->type) || y->type == ET_C128) return NULL;
  arr *r = scan ? scan_first(call, f, y) : fold_first(call, f, y);
  return r || err_is(call->env.c) ? r : fold_by_columns(call, &of, y);
}

arr *part_fold_function(const ir_call *call, const ir_function *f, arr *y, int axis,
                        bool scan) {
  dist *d = dist_of(call);
  const fold_call of = {.fn = f, .scan = scan};
  if (!parts_ready(call, NULL, y)) return NULL;
  if (!is_for_parts(d, y) || !elt_is_num((elt)y->type) || y->type == ET_C128) return NULL;
  return axis ? map_fold(call, &of, y, axis) : fold_by_columns(call, &of, y);
}
