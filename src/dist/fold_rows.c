/* SPDX-License-Identifier: MIT */
/* fold_rows.c - what each rank's rows come to, for folds (fold.c) and scans (scan.c, strips.c).
 *
 *   SUM, PARITY, EXTREME   Each rank folds its rows.
 *   TREE                   A tile of the tree (tables/fold.h) lies on one rank where an array is cut between tiles
 *                          (cut.c). Each rank folds its tiles, as lines of their length; and its host folds what these
 *                          give, which are elements of the same tree, where it has all of a tile of the next level:
 *
 *     tiles of rank 0   . . . . . . . .|. . . . . . . .|. .               2 wholes, a tail
 *     of rank 1                                            . . . . . .|. . .     a head, which goes to rank 0, and a tail
 *
 * TRIED on two H200s: devices that fold tiles of the next level, too. Of 2^30 f64 what comes then is less, and 0.1 ms of
 * kernels and waits more.
 *
 * y is not settled first: what is pending below it is one kernel with the fold. So its type, on which the way
 * depends, is known when the rows are folded; the ranks agree about both in one message, and get what others tell
 * by a second one. A sum that leaves 64 bits on some rank is made again of 128. */
#include "fold.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../fold/tree.h"
#include "../ir/build.h"
#include "../ir/device.h"
#include "../prim/axis.h"
#include "../prim/scalar.h"
#include "fetch.h"
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

enum { LONGEST_TILE = KIR_SCAN_TILE(4) };

bool is_for_strips(const dist *d, prim f, int64_t n, int64_t inner) {
  return f == P_PLUS && inner == 1 && is_cut_by(d, n, LONGEST_TILE) &&
         cut_at(n, d->ranks, 1) > 0;
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

bool fold_gather(dist *d, fold_rows_of *of, const void *mine) {
  size_t longest = 0, most = (size_t)GATHER_PART / (size_t)d->ranks;
  char *to = of->all;
  for (int r = 0; r < d->ranks; r++) longest = max_u64(longest, of->each[r]);
  if (longest <= most) return dist_gather(d, mine, of->all, of->each);
  for (int r = 0; r < d->ranks; to += of->each[r++]) {
    if (r == d->me) memcpy(to, mine, of->each[r]);
    if (!dist_send_all(d, to, of->each[r], r)) return false;
  }
  return true;
}

/* ── what each rank tells ── */

fold_told fold_told_of(int64_t from, int64_t to, int64_t many) {
  int64_t first = ceil_div(from, many) * many;
  int64_t head = min_i64(to, first) - from, whole = max_i64(to / many - first / many, 0);
  return (fold_told){head, whole, to - from - head - whole * many};
}

/* The number of rank r's first tile. */
static int64_t first_tile(const first_fold *z, int r) {
  int64_t i = cut_at(z->n, z->d->ranks, r);
  return i == z->n ? ceil_div(i, FOLD_TILE) : i / FOLD_TILE;
}

fold_told fold_tells(const first_fold *z, int r) {
  return fold_told_of(first_tile(z, r), first_tile(z, r + 1), FOLD_TILE);
}

int fold_owner(const first_fold *z, int r) {
  int64_t begins = first_tile(z, r) / FOLD_TILE * FOLD_TILE;
  while (first_tile(z, r) > begins) r--;
  return r;
}

/* ── this rank's rows ── */

/* The folds of the part's tiles, as a vector. -/ begins each with a plus: a tile has an even number of rows. */
static arr *tile_totals(const first_fold *z, arr *part) {
  int64_t m = part->shape[0], whole = m / FOLD_TILE, rest = m % FOLD_TILE;
  OWNED arr *r = NULL, *last = NULL;
  if (whole) {
    int64_t shape[3] = {whole, FOLD_TILE, z->inner};
    OWNED arr *rows = some_rows(z->call, part, 0, whole * FOLD_TILE);
    OWNED arr *lines = ir_reshape(z->call, rows, z->inner > 1 ? 3 : 2, shape);
    OWNED arr *folds = lines ? ir_reduce(z->call, z->f, lines, 1) : NULL;
    r = folds ? ir_monadic(z->call, P_COMMA, folds) : NULL;
  }
  if (!rest) return arr_move(&r);
  OWNED arr *rows = some_rows(z->call, part, whole * FOLD_TILE, rest);
  OWNED arr *line = rows ? ir_reduce(z->call, z->f, rows, 0) : NULL;
  last = line ? ir_monadic(z->call, P_COMMA, line) : NULL;
  if (!whole) return arr_move(&last);
  return r && last ? side_by_side(z->call, r, last) : NULL;
}

/* The folds of a vector's tiles by products, whatever comes of them: f/ looks at its result, and computes a product that
 * overflowed anew. */
static bool tile_products(first_fold *z, arr *part) {
  z->type = (elt)part->type;
  if (z->inner > 1 || !ir_host(z->call->g, part) || part->type != z->type) return false;
  size_t size = z->type == ET_F32 ? 4 : 8;
  int64_t n = part->count, tiles = ceil_div(n, FOLD_TILE);
  z->mine = arr_new(z->call->env.c, z->type, 2, (int64_t[]){tiles, 1});
  if (!z->mine) return false;
  for (int64_t i = 0; i < tiles; i++)
    tree_loops_of(KF_MUL, z->type == ET_F32 ? KF32 : KF64)
        ->line((char *)z->mine->host + (size_t)i * size,
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
  if (!is_cut_by(z->d, z->n, FOLD_TILE)) return false;
  if (z->f == P_TIMES) return tile_products(z, part);
  z->mine = tile_totals(z, part);
  z->type = (elt)part->type;
  if (!z->mine || !ir_await(z->call->g, z->mine) || z->mine->type != z->type)
    return false;
  sc_type type = z->type == ET_F32 ? SC_F32 : SC_F64;
  z->off = sc_block()->off(type, z->mine->host, z->mine->count, false);
  return true;
}

/* Folds this rank's rows by the class that they turn out to have. False: not in any way, or after an error. */
static bool fold_own(first_fold *z) {
  OWNED arr *part = part_for(z->call, z->y);
  bool ok = part;
  for (bool known = false; ok && !known; known = z->on == cls_of((elt)part->type)) {
    z->on = cls_of((elt)part->type);
    z->way = fold_way_of(z->f, z->on);
    z->wide = z->off = false;
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

/* What ranks tell one another before they exchange rows. */
enum {
  CLASS_MOST,
  TYPE_MOST,
  TYPE_LEAST,
  GIVES_UP,
  IS_WIDE,
  IS_OFF,
  HAS_ANY,
  FOLD_VALUES
};

/* All elements are of z->on then, and z->way and so on are of that. */
static bool take_values(first_fold *z, const int64_t *value) {
  z->on = (cls)value[CLASS_MOST];
  z->way = fold_way_of(z->f, z->on);
  z->type = (elt)value[TYPE_MOST];
  z->wide = value[IS_WIDE];
  z->off = value[IS_OFF];
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
  value[IS_OFF] = z->off;
  value[HAS_ANY] = !z->mask || z->any;
  agreed is = dist_agree(z->d, AGREE_VALUES, value, FOLD_VALUES);
  if (is == AGREED && !take_values(z, value)) z->way = WAY_NONE;
  return is;
}

/* Memory for a fold by the tree. */
static bool take_lines(first_fold *z) {
  ctx *c = z->d->c;
  int64_t rows = fold_tells(z, z->d->me).tail, tops = 0;
  for (int r = 0; r < z->d->ranks; r++) {
    if (r > z->d->me && fold_owner(z, r) == z->d->me) rows += fold_tells(z, r).head;
    tops += z->rows[r];
  }
  arr **to[] = {&z->line, &z->tops, &z->column};
  int64_t n[] = {rows * z->inner, z->rows[z->d->me] * z->inner,
                 2 * max_i64(tops, FOLD_TILE)};
  for (size_t i = 0; i < ARRAY_LEN(to); i++) {
    arr_release(*to[i]);
    if (!(*to[i] = arr_vec(c, z->type, max_i64(n[i], 1)))) return false;
  }
  return true;
}

/* Memory for what ranks tell. */
static bool take_room(first_fold *z) {
  if (!z->mine) return true;
  bool single = z->on == CLS_F && z->type == ET_F32;
  for (int r = 0; r < z->d->ranks; r++) { /* rows that everybody gets of each rank */
    fold_told t = fold_tells(z, r);
    z->rows[r] = z->way == WAY_TREE ? t.whole + (t.tail > 0) : 1 + z->wide;
  }
  fold_room_free(z->d, &z->all);
  return (z->way != WAY_TREE || take_lines(z)) &&
         fold_room(z->d, &z->all, z->rows, (size_t)z->inner * (single ? 4 : 8));
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

bool fold_again(first_fold *z) {
  agreed is;
  if (!z->wide) return true;
  do {
    inside_begin(z->d);
    if (sum_wide(z)) take_room(z);
    inside_end(z->d);
    is = dist_agree(z->d, AGREE_VALUES, NULL, 0);
  } while (is == AGREED_WIDER);
  return is == AGREED;
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
  arr *own[] = {z->mine, z->line, z->tops, z->column};
  for (size_t i = 0; i < ARRAY_LEN(own); i++) arr_release(own[i]);
  mem_free(z->call->env.c, z->rows);
  fold_room_free(z->d, &z->all);
}

bool fold_agreed(first_fold *z, bool ok) {
  int64_t fails = !ok || op_gives_up(z->d);
  op_keeps_type(z->d);
  bool met = dist_meet_values(z->d, AGREE_VALUES, &fails, 1);
  return met && !fails;
}
