/* SPDX-License-Identifier: MIT */
/* part.c - THE PAGE TO READ FIRST: cut arrays.
 *
 * A cut array is pending, and its node (kind_cut) has
 *
 *   y          this rank's part: an array like others, pending itself or not, on the host or on the device
 *   seq        the number of the operation that made it, shifted (agree.h)
 *   x, pairs   while it is not settled: what the operation's arguments are (cut_map)
 *   first, step  how many widenings the part is known to have; how many there were when it was made
 *
 * THE TYPE of an operation's result depends on its elements: a sum of integers that leaves their range is a float,
 * all of it. Each rank computes its part by itself; if an operation leaves its type on one of them, the next
 * agreement tells all of them. They make the parts of that operation and of what rests on it anew, from the
 * arguments, in the wider type (part_of), so every element is what one rank alone would have made of it.
 *
 * SETTLED is a cut array when all ranks have its elements: its type is known, the arguments are let go. */
#include "fetch.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../ir/plan.h"
#include "../prim/index.h"
#include <assert.h>
#include <string.h>

int64_t my_first(const dist *d, int64_t n) { return cut_at(n, d->ranks, d->me); }

bool is_cut_by(const dist *d, int64_t n, int64_t unit) {
  int r = 1;
  while (r < d->ranks && cut_at(n, d->ranks, r) % unit == 0) r++;
  return r >= d->ranks;
}

int64_t my_rows(const dist *d, int64_t n) {
  return cut_at(n, d->ranks, d->me + 1) - my_first(d, n);
}

int64_t *part_starts(dist *d, int rank, const int64_t *shape) {
  int64_t inner = arr_product(rank - 1, shape + 1);
  int64_t *starts = mem_alloc(d->c, ((size_t)d->ranks + 1) * sizeof *starts);
  for (int r = 0; starts && r <= d->ranks; r++)
    starts[r] = cut_at(shape[0], d->ranks, r) * inner;
  return starts;
}

/* ── making parts ── */

arr *some_rows(const ir_call *call, arr *a, int64_t from, int64_t n) {
  int64_t at[ARR_MAX_RANK] = {from}, size[ARR_MAX_RANK];
  if (!from && n == a->shape[0]) return arr_retain(a);
  memcpy(size, a->shape, (size_t)a->rank * sizeof *size);
  size[0] = n;
  return ir_box(call, a, at, size);
}

arr *part_for(const ir_call *call, arr *a) {
  dist *d = dist_of(call);
  if (is_cut(a)) {
    arr *part = part_of(d, a);
    return part ? arr_retain(part) : NULL;
  }
  inside_begin(d);
  arr *part = some_rows(call, a, my_first(d, a->shape[0]), my_rows(d, a->shape[0]));
  inside_end(d);
  return part;
}

/* An argument of a function of elements: the only element of one that has no more, else this rank's rows. */
static arr *argument_for(const ir_call *call, arr *a) {
  return a->count == 1 ? arr_retain(a) : part_for(call, a);
}

/* a in that class, from which a function computes there what it gives in it. */
static arr *widened(const ir_call *call, arr *a, int to, elt floats) {
  ctx *c = call->env.c;
  if (!ir_settle(call->g, a)) return NULL;
  if ((int)cls_of((elt)a->type) >= to || !elt_is_num((elt)a->type)) return arr_retain(a);
  elt t = to == CLS_C ? ET_C128 : floats;
  if (!ir_host(call->g, a)) return NULL;
  return arr_convert(c, a, t);
}

/* Did what was computed at once leave the class that f has of such arguments? */
static void note_class(const ir_call *call, prim f, const arr *x, const arr *y,
                       const arr *r, uint64_t op) {
  if (is_pending(r) || !elt_is_num((elt)r->type)) return;
  bool dyadic = x != NULL;
  cls row = prim_row_of(f, dyadic, arguments_class(x, y)), is = cls_of((elt)r->type);
  if (row == CLS_NONE) return;
  cls of = prim_result(f, dyadic, row);
  if (is > of && is >= CLS_F) dist_left_type(call->g, op << OP_SHIFT, is == CLS_C);
}

static arr *apply(const ir_call *call, prim f, arr *x, arr *y) {
  return x ? ir_dyadic(call, f, x, y) : ir_monadic(call, f, y);
}

/* Integers alone go by what one rank takes where they leave theirs: the results are not those of floats. */
static arr *apply_variant(const ir_call *call, prim f, arr *x, arr *y) {
  if (!ir_host(call->g, y) || (x && !ir_host(call->g, x))) return NULL;
  prim_env env = call->env;
  return prim_widened(&env, f, x, y);
}

/* The same in the class that the operation was widened to. */
static arr *apply_wide(const ir_call *call, prim f, arr *x, arr *y, int to) {
  elt floats = arr_float_type(x, y);
  if (!ir_settle(call->g, y) || (x && !ir_settle(call->g, x))) return NULL;
  bool ints = elt_is_int((elt)y->type) && (!x || elt_is_int((elt)x->type));
  if (ints && to == CLS_F) return apply_variant(call, f, x, y);
  OWNED arr *b = widened(call, y, to, floats);
  OWNED arr *a = x && b ? widened(call, x, to, floats) : NULL;
  if (!b || (x && !a)) return NULL;
  OWNED arr *r = apply(call, f, a, b);
  if (!r) return NULL;
  bool exact = cls_of((elt)r->type) < CLS_F && elt_is_num((elt)r->type);
  return exact ? widened(call, r, CLS_F, floats) : arr_move(&r);
}

/* This rank's part of f y, or of x f y, as operation number op. */
static arr *part_made(const ir_call *call, prim f, arr *x, arr *y, uint64_t op) {
  dist *d = dist_of(call);
  int to = widened_to(d, op);
  OWNED arr *b = argument_for(call, y);
  OWNED arr *a = x && b ? argument_for(call, x) : NULL;
  if (!b || (x && !a)) return NULL;
  inside_begin(d);
  arr *r = to ? apply_wide(call, f, a, b, to) : apply(call, f, a, b);
  inside_end(d);
  if (r && !to) note_class(call, f, a, b, r, op);
  return r;
}

/* ── making them anew ── */

/* How many widenings there were when a's part was made. */
static int64_t made_at(const arr *a) { return is_cut(a) ? a->node->step : 0; }

static bool was_widened(const dist *d, const ir_node *n) {
  for (size_t i = (size_t)n->step; i < d->wide.n; i++)
    if (d->wide.at[i].op == op_of(n->seq)) return true;
  return false;
}

/* An argument of n was made anew, or the operation itself was widened. */
static bool is_stale(const dist *d, const ir_node *n) {
  return was_widened(d, n) || made_at(n->pairs) > n->step || made_at(n->x) > n->step;
}

static bool make_anew(dist *d, ir_node *n) {
  uint64_t seq = d->g->seq;
  ir_call call = {.g = d->g, .env = {.c = d->c, .ct = n->ct, .io = 1}, .at = n->at};
  d->g->seq = n->seq;
  arr *part = part_made(&call, n->p, n->x, n->pairs, op_of(n->seq));
  d->g->seq = seq;
  if (!part) return false;
  arr_release(n->y);
  n->y = part;
  n->step = (int64_t)d->wide.n;
  return true;
}

arr *part_of(dist *d, arr *a) {
  ir_node *n = a->node;
  assert(n->y);
  if (n->first == (int64_t)d->wide.n || !n->pairs) return n->y;
  if (out_of_stack(d->c)) return NULL;
  if (is_cut(n->pairs) && !part_of(d, n->pairs)) return NULL;
  if (is_cut(n->x) && !part_of(d, n->x)) return NULL;
  if (is_stale(d, n) && !make_anew(d, n)) return NULL;
  n->first = (int64_t)d->wide.n;
  return n->y;
}

/* ── cut arrays ── */

/* One with that part, taken over, whose operation is the latest. Until it is settled its type is t, which all
 * ranks give alike: what the part has now may be another. */
static arr *cut_new(const ir_call *call, arr *part, elt t, int rank,
                    const int64_t *shape) {
  ctx *c = call->env.c;
  dist *d = c->dist;
  OWNED arr *own = part, *a = arr_new_pending(c, t, rank, shape);
  if (!a) return NULL;
  ir_node *n = mem_zalloc(c, sizeof *n);
  if (!n) return NULL;
  *n = (ir_node){.g = call->g, .self = a, .kind = &kind_cut, .at = call->at};
  source_retain(n->at.src);
  n->seq = d->op << OP_SHIFT;
  n->ct = call->env.ct;
  n->unresolved = true;
  n->y = arr_move(&own);
  n->first = n->step = (int64_t)d->wide.n;
  a->node = n;
  a->owner = &call->g->owner;
  return arr_move(&a);
}

bool is_cut_shape(const dist *d, int rank, const int64_t *shape) {
  return rank && shape[0] >= d->ranks && arr_product(rank, shape) >= d->cut_from;
}

arr *cut_array(const ir_call *call, arr *part, int rank, const int64_t *shape) {
  dist *d = dist_of(call);
  OWNED arr *own = part;
  if (!part) return NULL;
  if (!is_cut_shape(d, rank, shape)) return gathered(call, own, rank, shape);
  OWNED arr *a = cut_new(call, arr_move(&own), ET_BIT, rank, shape);
  return a && part_settle(call->g, a) ? arr_move(&a) : NULL;
}

arr *cut_array_as(const ir_call *call, arr *part, elt t, int rank, const int64_t *shape) {
  bool known = part && t != ET_C128 && is_cut_shape(dist_of(call), rank, shape);
  if (!known) return cut_array(call, part, rank, shape);
  arr *a = cut_new(call, part, t, rank, shape);
  if (a) a->node->unresolved = false;
  return a;
}

arr *cut_later(const ir_call *call, prim f, arr *y, elt t) {
  arr *a = cut_new(call, NULL, t, y->rank, y->shape);
  if (!a) return NULL;
  a->node->unresolved = false;
  a->node->p = f;
  a->node->axis = call->env.io;
  a->node->x = arr_retain(y);
  return a;
}

/* The type of x f y where nothing leaves its class. */
static elt type_of_map(prim f, const arr *x, const arr *y) {
  cls row = prim_row_of(f, x != NULL, arguments_class(x, y));
  switch (row ? prim_result(f, x != NULL, row) : CLS_F) {
  case CLS_B: return ET_BIT;
  case CLS_I: return ET_I64;
  case CLS_C: return ET_C128;
  default: return arr_float_type(x, y);
  }
}

arr *cut_map(const ir_call *call, prim f, arr *x, arr *y, int rank,
             const int64_t *shape) {
  dist *d = dist_of(call);
  arr *part = part_made(call, f, x, y, d->op);
  arr *a = part ? cut_new(call, part, type_of_map(f, x, y), rank, shape) : NULL;
  if (!a) return NULL;
  a->node->p = f;
  a->node->x = x ? arr_retain(x) : NULL;
  a->node->pairs = arr_retain(y);
  return a;
}

/* ── settling ── */

static bool take_type(dist *d, arr *a, elt t) {
  ir_node *n = a->node;
  a->type = (uint8_t)t;
  if (n->y->type == t) return true;
  if (!ir_host(d->g, n->y)) return false;
  arr *part = arr_convert(d->c, n->y, t);
  if (!part) return false;
  arr_release(n->y);
  n->y = part;
  return true;
}

/* What was put off is an operation now. */
static bool make_later(dist *d, ir_node *n) {
  ir_call call = {.g = d->g, .env = {.c = d->c, .ct = n->ct, .io = n->axis}, .at = n->at};
  n->y = d->ordered(&call, n->p, n->x);
  n->seq = d->op << OP_SHIFT;
  n->first = n->step = (int64_t)d->wide.n;
  return n->y != NULL;
}

bool parts_ready(const ir_call *call, arr *x, arr *y) {
  arr *of[] = {x, y};
  for (size_t i = 0; i < ARRAY_LEN(of); i++)
    if (is_cut(of[i]) && !of[i]->node->y && !part_settle(call->g, of[i])) return false;
  return true;
}

arr *part_as(dist *d, arr *a, elt t) {
  bool ok = a && ir_settle(d->g, a) && (a->type == t || ir_host(d->g, a));
  return ok ? arr_convert(d->c, a, t) : NULL;
}

/* Agrees about a until its part has elements of one type on all ranks. */
bool part_settle(ir *g, arr *a) {
  dist *d = g->c->dist;
  OWNED arr *own = arr_retain(a);
  UNUSED(own);
  if (!a->node->y && !make_later(d, a->node)) return false;
  while (!a->node->verified) {
    int64_t type = -1;
    int64_t kind = AGREE_SETTLE | (int64_t)op_of(a->node->seq) << AGREE_BITS;
    arr *part = part_of(d, a);
    inside_begin(d);
    if (part && ir_settle(g, part)) type = part->type;
    inside_end(d);
    agreed is = dist_agree(d, kind, &type, 1);
    if (is == AGREED_ERROR) return false;
    if (is == AGREED_WIDER) continue;
    ir_node *n = a->node; /* its operation is done on all ranks */
    if (n->pairs) {       /* else x is what an order is of */
      arr_release(n->x);
      n->x = NULL;
    }
    arr_release(n->pairs);
    n->pairs = NULL;
    n->verified = true;
    n->unresolved = false;
    if (!take_type(d, a, (elt)type)) return false;
  }
  return true;
}

/* ── made without a word to the others ── */

arr *local_part(const ir_call *call, local_fn *make, void *user, elt *type) {
  dist *d = dist_of(call);
  for (;;) {
    inside_begin(d);
    OWNED arr *part = make(call, user);
    int64_t t = part && ir_settle(call->g, part) ? part->type : -1;
    inside_end(d);
    agreed is = dist_agree(d, AGREE_VALUES, &t, 1);
    if (is == AGREED_WIDER) continue;
    *type = (elt)t;
    return is == AGREED ? arr_move(&part) : NULL;
  }
}

/* ── all of it ── */

bool may_gather(dist *d, elt t, int64_t count) {
  uint64_t bytes = elt_bytes(t, count);
  if (bytes <= d->gather_limit) return true;
  return err_set(
      d->c, ERR_LIMIT,
      "this has no form in parts, and its argument, of %llu MB on %d ranks, is "
      "more than the %llu MB that are brought together",
      (unsigned long long)(bytes >> 20), d->ranks,
      (unsigned long long)(d->gather_limit >> 20));
}

static void want_all(const void *user, wanted *w) { want(w, 0, *(const int64_t *)user); }

/* All ranks' elements become those of `to`, which has none yet; NULL after an error of this rank. */
static bool gather_into(dist *d, arr *part, arr *to) {
  int64_t *starts = to ? part_starts(d, to->rank, to->shape) : NULL;
  fetching f = {.starts = starts, .wants = want_all};
  if (to) f.user = &to->count;
  if (to) f.t = (elt)to->type;
  bool ok = fetched_into(d, starts ? part : NULL, &f, to);
  mem_free(d->c, starts);
  return ok;
}

bool part_here(ir *g, arr *a) {
  dist *d = g->c->dist;
  OWNED arr *own = arr_retain(a);
  UNUSED(own);
  if (!part_settle(g, a)) return false;
  if (!may_gather(d, (elt)a->type, a->count)) return false;
  if (!gather_into(d, a->node->y, a)) return false;
  node_drop(g, a);
  return true;
}

bool part_whole(ir *g, arr *a) { return is_cut(a) ? part_here(g, a) : ir_settle(g, a); }

arr *gathered(const ir_call *call, arr *part, int rank, const int64_t *shape) {
  dist *d = dist_of(call);
  inside_begin(d);
  int64_t type = ir_settle(call->g, part) ? part->type : -1;
  inside_end(d);
  if (!dist_meet_values(d, AGREE_VALUES, &type, 1)) return NULL;
  OWNED arr *r = arr_new_pending(d->c, (elt)type, rank, shape);
  return gather_into(d, part, r) ? arr_move(&r) : NULL;
}

/* ── one element ── */

typedef struct element_note {
  uint8_t type;
  unsigned char bytes[16];
} element_note;

static arr *element_here(const ir_call *call, arr *part, int64_t i) {
  OWNED arr *r = ir_pick(call, part, i);
  if (!r && !err_is(call->env.c) && ir_host(call->g, part))
    r = arr_scalar_at(call->env.c, part, i);
  return r && ir_host(call->g, r) ? arr_move(&r) : NULL;
}

arr *part_pick(const ir_call *call, arr *y, int64_t i) {
  dist *d = dist_of(call);
  int64_t inner = arr_product(y->rank - 1, y->shape + 1), n = y->shape[0];
  int owner = cut_owner(n, d->ranks, i / inner);
  element_note note = {0};
  /* One element of what is not computed yet is, unless the others tell its type. */
  if (!parts_ready(call, NULL, y)) return NULL;
  if (y->node->unresolved && !part_settle(call->g, y)) return NULL;
  if (owner == d->me) {
    inside_begin(d);
    OWNED arr *r = element_here(call, y->node->y, i - my_first(d, n) * inner);
    inside_end(d);
    if (r) note.type = r->type;
    if (r) memcpy(note.bytes, r->host, elt_bytes((elt)r->type, 1));
  }
  bool met = dist_meet(d, AGREE_FETCH);
  if (!met || !dist_send_all(d, &note, sizeof note, owner)) return NULL;
  arr *r = arr_new(d->c, (elt)note.type, 0, NULL);
  if (r) memcpy(r->host, note.bytes, elt_bytes((elt)note.type, 1));
  return r;
}

arr *elements_at(const ir_call *call, arr *a, arr *places) {
  ir_call zero = from_zero(*call);
  return index_there(&zero, a, 1, &places);
}
