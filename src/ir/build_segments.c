/* SPDX-License-Identifier: MIT */
/* build_segments.c - folds of stretches of a vector; and arrays whose items are stretches of one
 * vector, x⊂y and x⊆y: the vector and where its stretches lie are kept, and items are made only
 * when somebody asks for them. */
#include "../array/element.h"
#include "../base/arith.h"
#include "../tables/prim_fold.h"
#include "build.h"
#include "cuts.h"
#include "plan.h"

/* ── numbers of stretches ── */

static arr *column(const ir_call *call, arr *pairs, int64_t k) {
  ir_node n = {.kind = &kind_view, .p = P_SQUAD, .y = pairs, .first = k, .step = 2};
  return node_new(call, n, 1, pairs->shape);
}

arr *ir_part_numbers(const ir_call *call, arr *pairs, part_number what) {
  OWNED arr *from = column(call, pairs, 0);
  if (what == PART_BEGIN) return node_convert(call, from, ET_I64);
  OWNED arr *less = what == PART_END ? arr_int(call->env.c, 1) : arr_move(&from);
  OWNED arr *end = column(call, pairs, 1);
  OWNED arr *r = ir_dyadic(call, P_MINUS, end, less);
  return node_convert(call, r, ET_I64);
}

bool ir_part_lengths(const ir_call *call, arr *pairs, int64_t *least, int64_t *most) {
  const int64_t *at = pairs->host;
  if (!at) {
    OWNED arr *lengths = ir_part_numbers(call, pairs, PART_LENGTH);
    return lengths && ir_extremes(call, lengths, least, most);
  }
  *least = INT64_MAX;
  *most = 0;
  for (int64_t i = 0; i < pairs->shape[0]; i++, at += 2) {
    *least = min_i64(*least, at[1] - at[0]);
    *most = max_i64(*most, at[1] - at[0]);
  }
  return true;
}

/* ── folds ── */

/* A kernel folds a segment in one piece. */
enum { SEGMENT = KIR_LANES * KIR_REDUCE_ROWS };

/* Do the sums of pieces surely stay in i64? Else the way to the whole would show. */
static bool pieces_fit(ir *g, const fold_row *f, arr *y) {
  if (f->monoid == KF_MUL && f->on == CLS_I) return false;
  if (f->monoid != KF_ADD || f->on != CLS_I) return true;
  infer(g, y);
  if (y->has_range) return y->lo > -(1 << 30) && y->hi < 1 << 30;
  return elt_bits((elt)y->type) <= 32;
}

/* The pieces of the segments: *pieces has their pairs, *lines which pieces are a segment's. */
static bool cut_segments(ctx *c, const arr *pairs, arr **pieces, arr **lines) {
  const int64_t *at = pairs->host;
  int64_t n = pairs->shape[0], all = 0;
  for (int64_t i = 0; i < n; i++) all += ceil_div(at[2 * i + 1] - at[2 * i], SEGMENT);
  *pieces = arr_new(c, ET_I64, 2, (int64_t[]){all, 2});
  *lines = arr_new(c, ET_I64, 2, (int64_t[]){n, 2});
  if (!*pieces || !*lines) return false;
  int64_t *piece = (*pieces)->host, *line = (*lines)->host, k = 0;
  for (int64_t i = 0; i < n; i++) {
    *line++ = k;
    for (int64_t from = at[2 * i]; from < at[2 * i + 1]; from += SEGMENT, k++) {
      *piece++ = from;
      *piece++ = min_i64(from + SEGMENT, at[2 * i + 1]);
    }
    *line++ = k;
  }
  return true;
}

/* Long segments are folded in two steps, by the tree's own rule: a tile's elements, then the
 * tiles' results, of which those of -/ are added. */
static arr *fold_pieces(const ir_call *call, prim f, arr *y, arr *pairs) {
  OWNED arr *pieces = NULL, *lines = NULL;
  if (!ir_host(call->g, pairs)) return NULL;
  if (!cut_segments(call->env.c, pairs, &pieces, &lines)) return NULL;
  OWNED arr *tiles = ir_reduce_segments(call, f, y, pieces);
  if (!tiles) return NULL;
  if (f == P_MINUS) f = P_PLUS;
  return ir_reduce_segments(call, f, tiles, lines);
}

arr *ir_scan_segments(const ir_call *call, prim f, arr *y, arr *pairs) {
  prim_env e = call->env;
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  if (is_long(call, y->count) && is_readable(y, false) && row) {
    ir_node n = {.kind = &kind_scan, .p = f, .y = y, .rows = pairs->shape[0], .inner = 1};
    int64_t least;
    if (!ir_part_lengths(call, pairs, &least, &n.len) || !least) return NULL;
    /* The table (kir.h) of segments of one strip each is made on a device that has the rows. */
    bool there = !pairs->host && n.len <= KIR_SCAN_GROUP;
    OWNED arr *none = there ? arr_int(call->env.c, 0) : NULL;
    OWNED arr *wide = ir_dyadic(call, P_COMMA, pairs, none);
    OWNED arr *table = there ? node_convert(call, wide, ET_I64) : arr_retain(pairs);
    if (!table || !(there ? ir_settle : ir_host)(call->g, table)) return NULL;
    n.pairs = table;
    return node_new(call, n, 1, &y->count);
  }
  if (!ir_host(call->g, y) || !ir_host(call->g, pairs)) return NULL;
  return prim_scan_segments(&e, f, y, pairs);
}

arr *ir_certain(arr *r) {
  ir_node *n = r ? r->node : NULL;
  if (n && n->kind == &kind_index) node_verified(n);
  if (n && (n->kind == &kind_index || n->pairs)) n->certain = true;
  return r;
}

arr *ir_reduce_segments(const ir_call *call, prim f, arr *y, arr *pairs) {
  prim_env e = call->env;
  const fold_row *row = fold_of(f, cls_of((elt)y->type));
  int64_t rows = pairs->shape[0], least, longest;
  bool lazy = rows && is_long(call, y->count) && is_readable(y, false) && row &&
              row->over != OVER_EVENNESS;
  if (!ir_part_lengths(call, pairs, &least, &longest) || !least) return NULL;
  arr *cut = is_cut(y) ? call->g->cuts->fold_stretches(call, f, y, pairs) : NULL;
  if (cut || err_is(e.c)) return cut;
  if (lazy && least * rows == y->count) {
    OWNED arr *m = ir_reshape(call, y, 2, (int64_t[]){rows, least});
    return ir_reduce(call, f, m, 1);
  }
  if (lazy && longest > SEGMENT) {
    if (pieces_fit(call->g, row, y)) return fold_pieces(call, f, y, pairs);
    lazy = false;
  }
  if (lazy) {
    ir_node n = {.kind = &kind_reduce, .p = f, .y = y, .rows = rows, .inner = 1};
    n.len = longest;
    n.pairs = pairs;
    return node_new(call, n, 1, &rows);
  }
  if (!ir_host(call->g, y) || !ir_host(call->g, pairs)) return NULL;
  return prim_reduce_segments(&e, f, y, pairs);
}

/* ── items ── */

/* Rows of element i of `all` and the one `apart` behind it. */
static arr *pairs_from(const ir_call *call, arr *all, int64_t apart) {
  if (!all) return NULL;
  int64_t n = all->count - apart;
  if (!n) return arr_new(call->env.c, ET_I64, 2, (int64_t[]){0, 2});
  ir_node rows = {.kind = &kind_view, .p = P_TRANSPOSE, .y = all, .step = 1, .dims = 2};
  rows.strided = (kstrided){.n = {n, 2}, .stride = {1, apart}};
  OWNED arr *both = node_new(call, rows, 2, (int64_t[]){n, 2});
  OWNED arr *r = node_convert(call, both, ET_I64);
  return settled(call, &r);
}

arr *ir_part_pairs(const ir_call *call, arr *lengths) {
  OWNED arr *zero = arr_int(call->env.c, 0);
  OWNED arr *ends = ir_scan(call, P_PLUS, lengths, 0);
  OWNED arr *all = ir_dyadic(call, P_COMMA, zero, ends);
  return pairs_from(call, all, 1);
}

/* The ends of x⊂y: each place where x is above 0, as many times as x says, and the end. */
static arr *enclosed_there(const ir_call *call, arr *x, int64_t n) {
  OWNED arr *at = x->count <= n + 1 ? where_ones(call, x) : NULL;
  OWNED arr *end = at && at->count ? arr_int(call->env.c, n) : NULL;
  OWNED arr *all = ir_dyadic(call, P_COMMA, at, end);
  return pairs_from(call, all, 1);
}

/* The parts of x⊆y: they begin where x rises, and end before it rises again or is 0. */
static arr *nested_there(const ir_call *call, arr *x, int64_t n) {
  OWNED arr *of = x->count == n ? counts_of(call, x) : NULL;
  OWNED arr *zero = of ? arr_int(call->env.c, 0) : NULL;
  OWNED arr *here = ir_dyadic(call, P_COMMA, of, zero);
  OWNED arr *before = ir_dyadic(call, P_COMMA, zero, of);
  OWNED arr *rises = ir_dyadic(call, P_GT, here, before);
  OWNED arr *is_0 = ir_dyadic(call, P_EQ, here, zero);
  OWNED arr *is_open = ir_dyadic(call, P_GT, before, zero);
  OWNED arr *stops = ir_dyadic(call, P_OR, is_0, rises);
  OWNED arr *ends = ir_dyadic(call, P_AND, stops, is_open);
  OWNED arr *from = rises && ends ? where_ones(call, rises) : NULL;
  OWNED arr *to = from && from->count ? where_ones(call, ends) : NULL;
  OWNED arr *all = ir_dyadic(call, P_COMMA, from, to);
  return all ? pairs_from(call, all, from->count) : NULL;
}

/* Where the stretches of x f y lie, found where a device has x. NULL without an error: it has not,
 * there are none, or x may be wrong. */
static arr *pairs_there(const ir_call *call, prim f, arr *x, int64_t n) {
  ir_call zero = exactly(from_zero(*call));
  if (x->rank != 1 || !is_for_kernels(call, x, x->count)) return NULL;
  return f == P_ENCLOSE ? enclosed_there(&zero, x, n) : nested_there(&zero, x, n);
}

static void infer_items(ir_node *n) { n->self->type = ET_NEST; }

/* Where n's stretches lie; of rows that is told only when somebody asks. False after an error. */
static bool has_pairs(ir_node *n) {
  int64_t rows = n->self->count;
  if (n->pairs) return true;
  n->pairs = arr_new(n->g->c, ET_I64, 2, (int64_t[]){rows, 2});
  if (!n->pairs) return false;
  int64_t *to = n->pairs->host;
  for (int64_t i = 0; i < 2 * rows; i++) to[i] = (i + 1) / 2 * n->len;
  return true;
}

static arr *items_reference(prim_env *e, ir_node *n) {
  return has_pairs(n) ? partition_items(e, n->pairs, n->y) : NULL;
}

KIND(items, .infer = infer_items, .reference = items_reference);

arr *ir_items(const ir_call *call, arr *y, arr *pairs) {
  ir_node n = {.kind = &kind_items, .p = P_ENCLOSE, .y = y, .pairs = pairs};
  return node_new(call, n, 1, pairs->shape);
}

arr *partitioned(const ir_call *call, prim f, arr *x, arr *y) {
  prim_env e = call->env;
  if (y->rank != 1 || !is_long(call, y->count) || !is_readable(y, true)) return NULL;
  OWNED arr *pairs = pairs_there(call, f, x, y->count);
  if (err_is(e.c) || (!pairs && !ir_host(call->g, x))) return NULL;
  if (!pairs) pairs = partition_rows(&e, f, x, y, 0);
  if (!pairs || !pairs->shape[0]) return NULL;
  return ir_items(call, y, pairs);
}

/* The rows of a matrix: stretches of `len`, which nobody has written down. */
arr *split_rows(const ir_call *call, arr *y) {
  int64_t n = y->rank == 2 ? y->shape[0] : 0;
  if (!n || (y->host && !is_long(call, y->count)) || !is_readable(y, true)) return NULL;
  OWNED arr *line = ir_monadic(call, P_COMMA, y);
  if (!line) return NULL;
  ir_node items = {.kind = &kind_items, .p = P_ENCLOSE, .y = line, .len = y->shape[1]};
  items.x = y; /* as which they are read, if no item is asked for */
  return node_new(call, items, 1, &n);
}

bool ir_stretches(const arr *a, arr **y, arr **pairs) {
  if (!a->node || a->node->kind != &kind_items || !has_pairs(a->node)) return false;
  *y = a->node->y;
  *pairs = a->node->pairs;
  return true;
}

arr *ir_rows(const ir_call *call, const arr *a) {
  const ir_node *n = a->node;
  UNUSED(call);
  return n && n->kind == &kind_items && n->x ? arr_retain(n->x) : NULL;
}

/* A few items of one shape, of which a device has some, side by side. */
static arr *mixed_few(const ir_call *call, const arr *y) {
  enum { FEW = 16 };
  int64_t shape[ARR_MAX_RANK] = {1};
  if (y->type != ET_NEST || !y->host || y->rank != 1 || y->count < 2 || y->count > FEW)
    return NULL;
  const arr *first = arr_item(y, 0);
  bool there = false;
  for (int64_t i = 0; i < y->count; i++) {
    const arr *item = arr_item(y, i);
    bool alike = elt_is_char((elt)item->type) == elt_is_char((elt)first->type) &&
                 (item->type == ET_F32) == (first->type == ET_F32);
    if (!alike || !is_movable(item) || !arr_same_shape(item, first)) return NULL;
    there |= !item->host;
  }
  if (!there || !first->count || !first->rank || first->rank == ARR_MAX_RANK) return NULL;
  for (int k = 0; k < first->rank; k++) shape[k + 1] = first->shape[k];
  OWNED arr *r = NULL;
  for (int64_t i = 0; i < y->count; i++) {
    OWNED arr *row = ir_reshape(call, arr_item(y, i), first->rank + 1, shape);
    arr *both = r ? ir_dyadic(call, P_COMMA1, r, row) : arr_retain(row);
    if (r) arr_release(r);
    r = both;
    if (!r) return NULL;
  }
  return arr_move(&r);
}

/* Stretches of one length, one behind the other, as the rows of a matrix; or few items. */
arr *mixed_rows(const ir_call *call, arr *y) {
  arr *line, *pairs, *rows = ir_rows(call, y);
  if (!rows && !err_is(call->env.c)) rows = mixed_few(call, y);
  if (rows || err_is(call->env.c)) return rows;
  if (!ir_stretches(y, &line, &pairs)) return NULL;
  int64_t n = pairs->shape[0], len, most, ends[2];
  if (!ir_part_lengths(call, pairs, &len, &most) || !len || len < most) return NULL;
  const int64_t size = n * len, shape[2] = {n, len};
  if (!ir_extremes(call, pairs, &ends[0], &ends[1]) || ends[1] - ends[0] != size)
    return NULL;
  OWNED arr *z = ir_box(call, line, ends, &size);
  return ir_reshape(call, z, 2, shape);
}

/* The numbers of the elements in stretches: where each begins less what is before it, repeated, and
 * counted on. */
static arr *numbers_in(const ir_call *call, arr *pairs, arr *lengths, int64_t total) {
  OWNED arr *from = ir_part_numbers(call, pairs, PART_BEGIN);
  OWNED arr *end = ir_scan(call, P_PLUS, lengths, 0);
  OWNED arr *before = ir_dyadic(call, P_MINUS, end, lengths);
  OWNED arr *base = ir_dyadic(call, P_MINUS, from, before);
  OWNED arr *bases = base ? ir_replicate(call, lengths, base, 0, false) : NULL;
  OWNED arr *count = arr_int(call->env.c, total);
  OWNED arr *numbers = ir_monadic(call, P_IOTA, count);
  return ir_dyadic(call, P_PLUS, bases, numbers);
}

static arr *copied_together(ctx *c, const arr *y, const arr *pairs, int64_t size) {
  const int64_t *at = pairs->host;
  OWNED arr *r = arr_vec(c, (elt)y->type, size);
  for (int64_t i = 0, to = 0; r && i < pairs->shape[0]; i++, at += 2) {
    arr_copy(r, to, y, at[0], at[1] - at[0]);
    to += at[1] - at[0];
    if (i % 65536 == 0 && interrupted(c)) return NULL;
  }
  return arr_move(&r);
}

arr *ir_together(const ir_call *call, arr *y, arr *pairs) {
  ir_call zero = from_zero(*call);
  int64_t ends[2];
  OWNED arr *lengths = ir_part_numbers(&zero, pairs, PART_LENGTH);
  OWNED arr *total = lengths ? ir_reduce(&zero, P_PLUS, lengths, 0) : NULL;
  if (!total || !ir_extremes(call, pairs, &ends[0], &ends[1])) return NULL;
  if (!ir_host(call->g, total)) return NULL;
  int64_t size = arr_get_int(total, 0);
  if (size == ends[1] - ends[0]) return ir_box(call, y, ends, &size);
  if (y->host && pairs->host) return copied_together(call->env.c, y, pairs, size);
  OWNED arr *at = numbers_in(&zero, pairs, lengths, size);
  return at ? index_axis(&zero, y, at, 0, 0, false) : NULL;
}
