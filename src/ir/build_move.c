/* SPDX-License-Identifier: MIT */
/* build_move.c - primitives that only move elements become nodes: views that a kernel reads
 * through by strides, and all others, whose places it computes (node_move.c).
 *
 *   prim/move.c ─▶ view ─┬ one part, strides, up to four axes ─▶ view
 *                        ├ boxes side by side, fill elements  ─▶ parts
 *                        └ short, nested, no device            ─▶ view_copy, at once
 *
 * TRIED: windows that overlap counted as four times as long: copied at once they take 0.6 to 1.0 of that. */
#include <string.h>
#include "../array/grow.h"
#include "../array/element.h"
#include "../base/arith.h"
#include "../prim/axis.h"
#include "../prim/move.h"
#include "build.h"
#include "cuts.h"
#include "exec.h"

/* Is y to be under way before a part of it is read? What the other elements are may decide its type: an overflow makes all
 * of them floats. And of much that others hold too each part would be a kernel of its own, which computes it all again: of
 * a loop that stores in a table what it reads from there, a longer kernel for each round. */
static bool comes_first(const arr *y) {
  enum { MUCH = 100 };
  const ir_node *n = y->node;
  if (!n || n->unresolved) return n;
  return n->kind->scalar && n->weight > MUCH && y->refs > 1u + n->listed;
}

/* A node that reads y through the only part of v. NULL without an error where that has
 * more axes than a kernel can take apart. */
static arr *view_node(const ir_call *call, prim p, const view *v, arr *y) {
  view_part box;
  view_simplify(&v->part[0], &box);
  if (box.rank > KIR_STRIDED_DIMS) return NULL;
  if (v->count < y->count && comes_first(y) && !ir_begin(call->g, y)) return NULL;
  ir_node n = {.kind = &kind_view, .p = p, .y = y, .first = box.from, .step = 1};
  if (box.rank == 1) n.step = box.stride[0];
  if (box.rank > 1) n.dims = (uint8_t)box.rank;
  for (int k = 0; k < n.dims; k++) {
    if (k) n.strided.n[k] = box.len[k];
    n.strided.stride[k] = box.stride[k];
  }
  arr *first = first_of_order(call, &n, v->rank, v->shape);
  if (first || err_is(call->env.c)) return first;
  return node_new(call, n, v->rank, v->shape);
}

/* y's ravel over and over: two dimensions, of which the first stays where it is. */
static arr *cycle_node(const ir_call *call, prim p, const view *v, arr *y) {
  ir_node n = {.kind = &kind_view, .p = p, .y = y, .step = 1, .dims = 2};
  n.strided.n[1] = v->modulo;
  n.strided.stride[1] = 1;
  return node_new(call, n, v->rank, v->shape);
}

/* Is there an axis all positions of which read one element, or which is read backwards? */
static bool repeats_or_reverses(const view *v) {
  bool is = false;
  for (int k = 0; v->parts == 1 && !v->fills && k < v->rank; k++)
    is |= v->part[0].stride[k] <= 0 && v->part[0].len[k] > 1;
  return is;
}

/* Is v of y worth a node? Not if it were to keep much memory for little. */
static bool worth_a_node(const ir_call *call, const view *v, const arr *y) {
  int64_t n = v->count;
  if (!is_movable(y) || n < 2) return false;
  if (y->type == ET_C128 && y->host && !is_for_kernels(call, y, n)) return false;
  if (n >= y->count) return is_worth_a_node(call, n, y);
  if (y->host && n <= y->count / 64) return false;
  return is_long(call, y->count) && (is_long(call, n) || not_on_host(y));
}

/* After so many picks all of an array that is no longer is cheaper. */
enum { PICKS = 16, PICKED_WHOLE = 1 << 24 };

/* Is one element of y picked where y is? */
static bool is_picked(arr *y) {
  if (!not_on_host(y) || y->count < 2 || !is_movable(y)) return false;
  if (!y->node) return true;
  if (y->node->forced >= PICKS) return y->count > PICKED_WHOLE;
  y->node->forced++;
  return true;
}

/* v of y as a node. NULL without an error where it is to be copied: a kernel cannot read
 * through it, or it is too short. */
static arr *lazy_view(const ir_call *call, prim p, const view *v, arr *y) {
  bool whole = v->parts == 1 && !v->fills;
  if (whole && v->count == 1 && !v->modulo && is_picked(y))
    return view_node(call, p, v, y);
  if (!worth_a_node(call, v, y)) return NULL;
  if (v->modulo == 1 || (whole && y->count == 1)) {
    if (!ir_host(call->g, y)) return NULL;
    return node_new(call, (ir_node){.kind = &kind_fill, .p = p, .y = y}, v->rank,
                    v->shape);
  }
  if (v->modulo) return cycle_node(call, p, v, y);
  return whole ? view_node(call, p, v, y) : NULL;
}

bool types_join(const arr *x, const arr *y) {
  if (x->type == y->type) return true;
  if (x->type == ET_F32 || y->type == ET_F32) return false;
  return elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
}

/* ── views as boxes ── */

/* Where the part begins along each axis of the result. */
static void part_begin(const view_part *p, int64_t *lo) {
  int64_t to = p->to;
  for (int k = 0; k < p->rank; k++) {
    lo[k] = to / p->to_stride[k];
    to %= p->to_stride[k];
  }
}

/* Can axis k of v go on as one with the axis before it, the last that m has? */
static bool joins_axis(const node_move *m, const view *v, int k) {
  int at = m->rank - 1;
  for (int i = 0; i < m->parts; i++) {
    const view_part *p = &v->part[i];
    if (p->len[k] != v->shape[k] || m->part[i].stride[at] != v->shape[k] * p->stride[k])
      return false;
  }
  return true;
}

/* Axis k of v: joined to the one before, or one more. */
static void add_axis(node_move *m, const view *v, int k, bool joins,
                     int64_t lo[2][ARR_MAX_RANK]) {
  int at = joins ? m->rank - 1 : m->rank++;
  int64_t n = v->shape[k];
  m->n[at] = joins ? m->n[at] * n : n;
  for (int i = 0; i < m->parts; i++) {
    view_part *to = &m->part[i];
    m->lo[i][at] = joins ? m->lo[i][at] * n : lo[i][k];
    to->len[at] = joins ? to->len[at] * n : v->part[i].len[k];
    to->stride[at] = v->part[i].stride[k];
    to->list[at] = NULL;
  }
}

/* v, whose parts have elements, along the fewest axes. */
static void boxes_of(const view *v, node_move *m) {
  int64_t lo[2][ARR_MAX_RANK], strides[ARR_MAX_RANK];
  *m = (node_move){.parts = v->parts, .fills = v->fills};
  for (int i = 0; i < v->parts; i++) {
    m->part[i] = v->part[i];
    part_begin(&v->part[i], lo[i]);
  }
  for (int k = 0; k < v->rank; k++) {
    bool last = k + 1 == v->rank && !m->rank;
    if (v->shape[k] > 1 || last) add_axis(m, v, k, m->rank && joins_axis(m, v, k), lo);
  }
  strides_of(m->rank, m->n, strides);
  for (int i = 0; i < v->parts; i++) {
    m->part[i].rank = m->rank;
    memcpy(m->part[i].to_stride, strides, sizeof strides);
  }
}

/* The parts of v, boxes of x (source 0, or NULL) and y. A source without elements has no say in
 * the type. */
static arr *parts_node(const ir_call *call, prim p, const view *given, arr *x, arr *y) {
  view v = *given;
  int64_t read = 0;
  v.parts = 0;
  for (int k = 0; k < given->parts; k++)
    if (arr_product(given->part[k].rank, given->part[k].len))
      v.part[v.parts++] = given->part[k];
  if (!v.parts || !v.rank) return NULL;
  if (x && v.parts == 1) {
    if (!v.part[0].source) y = x;
    x = NULL;
  }
  for (int k = 0; k < v.parts; k++) read += arr_product(v.rank, v.part[k].len);
  bool some = !x && read < y->count;
  if (some && comes_first(y) && !ir_begin(call->g, y)) return NULL;
  ir_node n = {.kind = &kind_parts, .p = p, .x = x, .y = y};
  n.move = mem_alloc(call->env.c, sizeof *n.move);
  if (!n.move) return NULL;
  boxes_of(&v, n.move);
  arr *r = node_new(call, n, v.rank, v.shape);
  if (!r) mem_free(call->env.c, n.move);
  return r;
}

/* v of x and y, or of y alone. */
static arr *put_together(const ir_call *call, prim p, const view *v, arr *x, arr *y) {
  bool can = is_movable(y) && (!x || (is_movable(x) && types_join(x, y)));
  bool should =
      is_for_kernels(call, y, v->count) || (x && is_for_kernels(call, x, v->count));
  if (!can || !should || v->itself || v->modulo) return NULL;
  return parts_node(call, p, v, x, y);
}

/* Is v all of y in its order, of another shape perhaps? */
static bool is_in_order(const view *v, const arr *y) {
  if (v->parts != 1 || v->fills || v->modulo || v->count != y->count) return false;
  view_part box;
  view_simplify(&v->part[0], &box);
  return !box.from && (!box.rank || (box.rank == 1 && box.stride[0] == 1));
}

/* Is v, of y at hand, quicker copied than read through by a kernel? What a kernel reads backwards or
 * again and again is, while it stays in the cache, and truth values, which a copy moves by words. */
static bool is_quick_copy(const ir_call *call, const view *v, const arr *y) {
  enum { MOST_BYTES = 1 << 19, MOST_AGAIN = 1 << 17 };
  const ir_tune *t = &call->g->tune;
  int64_t n = max_i64(y->count, v->count);
  if (t->middle == t->direct || y->dev || elt_bytes((elt)y->type, n) > MOST_BYTES)
    return false;
  bool many = v->count > y->count && n > MOST_AGAIN; /* threads share a kernel */
  bool bits = y->type == ET_BIT && y->count > 1;
  return v->modulo || bits || (repeats_or_reverses(v) && !many);
}

/* Is it copied at once, for neither y nor what becomes of it is long? */
static bool is_copied(const ir_call *call, const view *v, const arr *y) {
  if (!y->host) return false;
  if (!is_worth_a_node(call, max_i64(y->count, v->count), y)) return true;
  return is_quick_copy(call, v, y);
}

/* v in parts, x NULL or source 0; NULL without an error: it is not for them. */
static arr *view_cut(const ir_call *call, prim p, const view *v, arr *x, arr *y) {
  bool is = is_cut(x) || is_cut(y) || v->count > call->g->cut_above;
  return is && !v->itself ? call->g->cuts->view(call, p, v, x, y) : NULL;
}

arr *viewed(const ir_call *call, prim p, const view *v, arr *y) {
  if (v->itself) return arr_retain(y);
  arr *cut = view_cut(call, p, v, NULL, y);
  if (cut || err_is(call->env.c)) return cut;
  ir_share_view(call->g, y);
  if (y->host && !is_for_kernels(call, y, v->count)) {
    arr *r = arr_try_slice(call->env.c, v, y);
    if (r || err_is(call->env.c)) return r;
  }
  if (is_copied(call, v, y)) return cx_demote(call->env.c, view_copy(call->env.c, v, &y));
  if (is_in_order(v, y)) {
    for (const ir_node *n = y->node; n && is_slice(n) && !n->first; n = y->node) {
      if (n->y->count != y->count) break; /* else y, which is pending, is a reshape */
      y = n->y;
    }
    bool same = y->rank == v->rank;
    for (int k = 0; same && k < v->rank; k++) same = y->shape[k] == v->shape[k];
    if (same) return arr_retain(y);
  }
  arr *r = lazy_view(call, p, v, y);
  if (!r && !err_is(call->env.c)) r = put_together(call, p, v, NULL, y);
  if (r || err_is(call->env.c)) return r;
  if (v->count < y->count ? !ir_host_part(call->g, y) : !ir_host(call->g, y)) return NULL;
  return cx_demote(call->env.c, view_copy(call->env.c, v, &y));
}

arr *moved1(const ir_call *call, prim f, arr *y) {
  prim_env e = call->env;
  view v;
  if (!move_monadic(&e, f, y, &v)) return NULL;
  return viewed(call, f, &v, y);
}

static bool is_number(const arr *a, double v) {
  return a->count == 1 && a->host && a->type <= ET_F64 && arr_get_float(a, 0) == v;
}

/* If the pending vector y is 0,+\z of integers whose sums fit: its scan's node. */
static const ir_node *sums_behind_zero(const arr *y) {
  const ir_node *n = y->node;
  if (!n || n->kind != &kind_parts || n->p != P_COMMA || y->rank != 1 || !n->x)
    return NULL;
  const ir_node *s = n->y->node;
  if (!s || s->kind != &kind_scan || s->p != P_PLUS || s->fn || s->exclusive) return NULL;
  bool first = n->move->parts == 2 && !n->move->fills && n->move->part[0].source == 0;
  bool exact = s->row < CLS_F && !s->may_fault && n->y->rank == 1;
  return first && exact && n->x->type < ET_F32 && is_number(n->x, 0) ? s : NULL;
}

/* ¯1↓0,+\y is one scan, of what comes before each element. */
static arr *exclusive_scan(const ir_call *call, const ir_node *s) {
  ir_node n = {.kind = &kind_scan, .p = s->p, .y = s->y, .axis = s->axis};
  n.rows = s->rows;
  n.len = s->len;
  n.inner = s->inner;
  n.exclusive = true;
  return node_new(call, n, s->self->rank, s->self->shape);
}

/* Up to some elements x↑y or x↓y of a vector that is here, none of them a fill element, or x⍴y of one.
 * NULL without an error: it is something else. */
static arr *cut_short(const ir_call *call, prim f, const arr *x, const arr *y) {
  ctx *c = call->env.c;
  bool one = x->count == 1 && x->rank < 2 && elt_is_int((elt)x->type);
  if (!one || (f != P_TAKE && f != P_DROP && f != P_RHO)) return NULL;
  int64_t by = arr_get_int(x, 0), n = y->count;
  bool same = f == P_RHO && n == 1 && by > 0 && !is_long(call, by);
  if (f == P_RHO) return same ? arr_few_same(c, y, by) : NULL;
  if (by == INT64_MIN || (f == P_TAKE && (by > n || -by > n))) return NULL;
  int64_t size = min_i64(by < 0 ? -by : by, n);
  if (f == P_DROP) size = n - size;
  bool last = (f == P_TAKE) == (by < 0);
  return arr_few(c, y, last ? n - size : 0, size);
}

arr *moved2(const ir_call *call, prim f, arr *x, arr *y) {
  prim_env e = call->env;
  view v;
  if (!ir_host(call->g, x)) return NULL;
  arr *few = cut_short(call, f, x, y);
  if (few || err_is(e.c)) return few;
  const ir_node *sums = f == P_DROP && is_number(x, -1) ? sums_behind_zero(y) : NULL;
  if (sums) return exclusive_scan(call, sums);
  if (!move_dyadic(&e, f, x, y, &v)) return NULL;
  arr *r = viewed(call, f, &v, y);
  /* What is cut at one end and catenated to at the other grows, too. */
  if (r && r->refs == 1 && (f == P_DROP || f == P_TAKE)) r->grows = y->grows;
  return r;
}

/* x,y of scalars that wait, or of lists of such: it waits, too. */
static arr *waiting_list(const ir_call *call, arr *x, arr *y) {
  enum { MOST = 16 };
  prim_env e = call->env;
  view v;
  if (max_i64(x->rank, y->rank) > 1 || x->count > MOST - min_i64(y->count, MOST))
    return NULL;
  if (!list_waits(call, x) && !list_waits(call, y)) return NULL;
  if (!is_movable(x) || !is_movable(y) || !types_join(x, y)) return NULL;
  if (!x->count || !y->count || !move_dyadic(&e, P_COMMA, x, y, &v)) return NULL;
  arr *r = parts_node(call, P_COMMA, &v, x, y);
  if (r) r->node->few = true;
  return r;
}

/* k⌽y and k⊖y, along axis k. */
static arr *rotated_along(const ir_call *call, prim f, arr *x, arr *y, int k) {
  prim_env e = call->env;
  view v;
  if (x->count != 1 || x->rank) return rotate_lines(call, x, y, k);
  if (!ir_host(call->g, x)) return NULL;
  if (!move_rotate(&e, x, y, k, &v)) return NULL;
  return viewed(call, f, &v, y);
}

arr *rotated(const ir_call *call, prim f, arr *x, arr *y) {
  bool here = !is_cut(y) && !is_for_kernels(call, y, y->count);
  if (!y->rank || here) return direct2(call, f, x, y);
  arr *r = rotated_along(call, f, x, y, f == P_REVERSE1 ? 0 : y->rank - 1);
  if (r || err_is(call->env.c)) return r;
  return direct2(call, f, x, y);
}

arr *viewed_both(const ir_call *call, prim f, const view *v, arr *x, arr *y) {
  arr *r = view_cut(call, f, v, x, y);
  if (r || err_is(call->env.c)) return r;
  r = put_together(call, f, v, x, y);
  if (r || err_is(call->env.c)) return r;
  if (!ir_host(call->g, x) || !ir_host(call->g, y)) return NULL;
  return view_copy(call->env.c, v, (arr *[]){x, y});
}

static arr *appended(const ir_call *call, prim f, arr *x, arr *y);

/* The same where a scalar stands for a cell of `to`. */
static arr *cell_appended(const ir_call *call, prim f, arr *to, arr *one, bool before) {
  prim_env e = call->env;
  int64_t shape = arr_product(to->rank - 1, to->shape + 1);
  if (shape > to->count / 8 + 1 || !ir_host(call->g, one)) return NULL;
  OWNED arr *lengths = arr_int_vec(e.c, to->rank - 1, to->shape + 1);
  OWNED arr *cell = lengths ? prim_dyadic(&e, P_RHO, lengths, one) : NULL;
  if (!cell) return NULL;
  return before ? appended(call, f, cell, to) : appended(call, f, to, cell);
}

/* x,y or x⍪y where the longer one has come of a catenation and the other is written beside it,
 * on the host. NULL without an error: it is to be made anew. */
static arr *appended(const ir_call *call, prim f, arr *x, arr *y) {
  bool before = x->count < y->count;
  arr *to = before ? y : x, *more = before ? x : y;
  if (!more->rank && to->rank > 1 && to->grows)
    return cell_appended(call, f, to, more, before);
  if (!to->grows || (f == P_COMMA && to->rank > 1) || to->dev || more->dev) return NULL;
  if (more->count > to->count / 8 + 1 || to->type == ET_BIT) return NULL;
  if (!ir_host(call->g, more)) return NULL;
  if (to->type == ET_NEST ? !ir_host(call->g, to) : !ir_settle(call->g, to)) return NULL;
  return arr_try_append(call->env.c, to, more, before);
}

static arr *catenated_anew(const ir_call *call, prim f, arr *x, arr *y) {
  prim_env e = call->env;
  int64_t n = x->count > INT64_MAX - y->count ? INT64_MAX : x->count + y->count;
  view v;
  arr *list = f == P_COMMA ? waiting_list(call, x, y) : NULL;
  if (list || err_is(call->env.c)) return list;
  bool direct = !is_for_kernels(call, x, n) && !is_for_kernels(call, y, n);
  if (direct && x->host && y->host) return direct2(call, f, x, y);
  /* What the shapes forbid is an error before elements are made, on the host as on a device. */
  if (!move_dyadic(&e, f, x, y, &v)) return NULL;
  if (direct) return direct2(call, f, x, y);
  return viewed_both(call, f, &v, x, y);
}

/* x,y and x⍪y. */
arr *catenated(const ir_call *call, prim f, arr *x, arr *y) {
  prim_env e = call->env;
  view v;
  if ((is_cut(x) || is_cut(y)) && move_dyadic(&e, f, x, y, &v)) {
    arr *cut = view_cut(call, f, &v, x, y);
    if (cut) return cut;
  }
  if (err_is(e.c)) return NULL;
  arr *r = appended(call, f, x, y);
  if (r || err_is(call->env.c)) return r;
  r = catenated_anew(call, f, x, y);
  if (r && r->refs == 1) r->grows = true;
  return r;
}

/* ── with an axis ── */

/* What is a node of y, and x if there is one. NULL without an error: it is for the host. */
static arr *moved_along(const ir_call *call, prim f, arr *x, arr *y, arr *axis) {
  prim_env e = call->env;
  bool joins = x && (f == P_COMMA || f == P_COMMA1);
  bool lazy = is_cut(x) || is_cut(y) || is_for_kernels(call, y, y->count);
  int k;
  view v;
  if (joins) lazy |= is_for_kernels(call, x, x->count) || !x->host || !y->host;
  bool cuts = x && (f == P_TAKE || f == P_DROP) && y->host;
  if (!lazy && !cuts) return NULL;
  bool turns = x && (f == P_REVERSE || f == P_REVERSE1);
  if (x && !joins && !turns && !ir_host(call->g, x)) return NULL;
  if (turns) return prim_axis(&e, axis, y, &k) ? rotated_along(call, f, x, y, k) : NULL;
  if (move_has_axis(f, x)) {
    if (!move_along(&e, f, x, y, axis, &v)) return NULL;
    return joins ? viewed_both(call, f, &v, x, y) : viewed(call, f, &v, y);
  }
  return x && f == P_SQUAD ? squad_along(call, x, y, axis) : NULL;
}

arr *ir_along(const ir_call *call, prim f, arr *x, arr *y, arr *axis) {
  prim_env e = call->env;
  ir *g = call->g;
  if (!ir_host(g, axis)) return NULL;
  arr *r = moved_along(call, f, x, y, axis);
  if (r || err_is(call->env.c)) return r;
  if ((x && !ir_host(g, x)) || !ir_host(g, y)) return NULL;
  if (x) return prim_dyadic_axis(&e, f, x, y, axis);
  return prim_monadic_axis(&e, f, y, axis);
}

/* ── others ── */

arr *ir_reshape(const ir_call *call, arr *y, int rank, const int64_t *shape) {
  OWNED arr *to = y ? arr_int_vec(call->env.c, rank, shape) : NULL;
  return ir_dyadic(call, P_RHO, to, y);
}

arr *ir_spread(const ir_call *call, arr *y, int rank, const int64_t *shape,
               const int *k) {
  prim_env e = call->env;
  view v;
  if (!move_spread(&e, y, rank, shape, k, &v)) return NULL;
  return viewed(call, P_RHO, &v, y);
}

arr *ir_windows(const ir_call *call, arr *y, const ir_stencil *s) {
  prim_env e = call->env;
  view v;
  if (!move_windows(&e, y, s->n, s->frame, s->step, s->size, &v)) return NULL;
  return viewed(call, P_TAKE, &v, y);
}

arr *ir_box(const ir_call *call, arr *y, const int64_t *from, const int64_t *size) {
  prim_env e = call->env;
  view v;
  arr *few = is_long(call, y->count) ? NULL : arr_few(e.c, y, *from, *size);
  if (few || err_is(e.c)) return few;
  if (!move_window(&e, y, y->rank, from, size, &v)) return NULL;
  return viewed(call, P_TAKE, &v, y);
}

arr *ir_pick(const ir_call *call, arr *y, int64_t i) {
  if (is_cut(y)) return call->g->cuts->pick(call, y, i);
  view v;
  if (i < 0 || i >= y->count || !is_picked(y)) return NULL;
  if (!view_ravelled(call->env.c, &v, i, 0, NULL)) return NULL;
  return view_node(call, P_SQUAD, &v, y);
}
