/* SPDX-License-Identifier: MIT */
/* node_lookup.c - a table of seats (kir.h): the elements of an array by what they are, and looks
 * into it. Keys are computed in one type, i64, f32 or f64.
 *
 * A key's place is a hash of its bits. Where f64 equal one another within ⎕CT it is one of its
 * bits but the last `loose`, so that whatever equals a value is in one of two groups of keys,
 * those of the values a tolerance below it and above it. A look goes through both groups. As long as
 * it finds nothing but the value itself, the answer is that of the definition; else it
 * escapes, and the reference path gives it. */
#include "plan.h"
#include <math.h>

static kty key_type(const ir_node *n) { return kir_arg_type(n->as); }

static bool is_tolerant(const ir_node *n) { return n->as == ET_F64 && n->ct > 0; }

/* A group has more of the last bits than a tolerance below and one above a value make. */
static int loose_bits(double ct) { return (int)ceil(log2(ct * 0x1p53 * 4)); }

/* 1.01 × ⎕CT, so that rounding does not matter. */
enum { WIDER_PERCENT = 101 };

/* What a key's place goes by: equal for equal keys, ¯0 being 0. */
static kv group_of(plan *p, const ir_node *n, kv key) {
  kty ty = key_type(n);
  if (ty == KI64) return key;
  kv v = plan_op(p, KOP_ADD, ty, key, plan_constant(p, ty, (kimm){.f = 0}), 0);
  if (ty == KF32) return plan_convert(p, plan_op(p, KOP_BITS, KI32, v, 0, 0), KI64);
  v = plan_op(p, KOP_BITS, KI64, v, 0, 0);
  int loose = is_tolerant(n) ? loose_bits(n->ct) : 0;
  return loose > 0 ? plan_op(p, KOP_SAR, KI64, v, 0, loose) : v;
}

static kv mixed(plan *p, kv v, int by) {
  return plan_op(p, KOP_XOR, KI64, v, plan_op(p, KOP_SAR, KI64, v, 0, by), 0);
}

/* Every bit of the group decides about every bit of the place. */
static kv place_of(plan *p, kv group, kv mask) {
  kv v = mixed(p, group, 32);
  v = plan_op(p, KOP_MUL, KI64, v, plan_integer(p, KI64, -0x61C8864680B583EB), 0);
  v = mixed(p, v, 29);
  v = plan_op(p, KOP_MUL, KI64, v, plan_integer(p, KI64, -0x4B47D0C5A2B1D1C3), 0);
  v = plan_op(p, KOP_AND, KI64, mixed(p, v, 32), plan_convert(p, mask, KI64), 0);
  return plan_convert(p, v, KI32);
}

void plan_seat(plan *p, ir_node *n) {
  kv mask = plan_param(p, KI32, (kimm){.i = p->root->count - 1});
  kv key = plan_element(p, n->x, identity_map, key_type(n));
  p->put = (kout){.put = KPUT_INSERT, .kept = true, .mask = mask};
  p->put.keys = (uint8_t)plan_fetched(p, n->x);
  p->put.at = place_of(p, group_of(p, n, key), mask);
  p->put.when = plan_integer(p, KB, 1);
}

/* ── a look ── */

typedef struct look {
  const ir_node *n;
  kv key, mask, ct, none; /* none: how many elements have seats */
  uint32_t seats, keys;   /* inputs */
  int fault;
} look;

/* In the kernel, or in a loop's body. */
static kv op_of(plan *p, kir *k, kop op, kty ty, kv a, kv b) {
  return kir_add(p->c, k, (kins){.op = (uint8_t)op, .ty = (uint8_t)ty, .a = a, .b = b});
}
static kv in_body(plan *p, kloop *l, kop op, kty ty, kv a, kv b) {
  return op_of(p, l->body, op, ty, a, b);
}

static kv got(plan *p, kir *k, uint32_t input, kv place) {
  kty ty = kir_arg_type((elt)p->k.in[input].type);
  kins get = {.op = KOP_GET, .ty = (uint8_t)ty, .a = place, .imm.i = input};
  return kir_add(p->c, k, get);
}

static kv carried(plan *p, kloop *l, kty ty, uint32_t i) {
  return kir_add(p->c, l->body, (kins){.op = KOP_ARG, .ty = (uint8_t)ty, .imm.i = i});
}

static kv chosen(plan *p, kloop *l, kv is, kv yes, kv no) {
  return kir_add(p->c, l->body,
                 (kins){.op = KOP_SEL, .ty = KI32, .a = is, .b = yes, .c = no});
}

/* From place `at` on while `on` is true: the number that has the seat there, its element
 * as a key, and whether there is one. */
static kv seat_at(plan *p, const look *k, kloop *l, kv on, kv *key, kv *is) {
  kv seat = got(p, l->body, k->seats, carried(p, l, KI32, 0));
  kty ty = key_type(k->n);
  *is = in_body(p, l, KOP_LT, KB, seat, kir_import(p->c, &p->k, l, k->none));
  *is = in_body(p, l, KOP_AND, KB, *is, kir_import(p->c, &p->k, l, on));
  *key = got(p, l->body, k->keys, seat);
  if ((kty)l->body->ins[*key].ty != ty) *key = in_body(p, l, KOP_CVT, ty, *key, 0);
  return seat;
}

static kv next_place(plan *p, const look *k, kloop *l) {
  kins one = {.op = KOP_CONST, .ty = KI32, .imm.i = 1};
  kv at =
      in_body(p, l, KOP_ADD, KI32, carried(p, l, KI32, 0), kir_add(p->c, l->body, one));
  return in_body(p, l, KOP_AND, KI32, at, kir_import(p->c, &p->k, l, k->mask));
}

/* The seat where an equal key is, or none: the first place that has either. */
static kv look_exactly(plan *p, const look *k) {
  kv from = place_of(p, group_of(p, k->n, k->key), k->mask), key, is;
  kv on = plan_integer(p, KB, 1);
  kloop *l = kir_loop_begin(p->c, &p->k, &from, 1, k->fault);
  if (!l) return 0;
  (void)seat_at(p, k, l, on, &key, &is);
  kv other = in_body(p, l, KOP_NE, KB, key, kir_import(p->c, &p->k, l, k->key));
  kir_loop_test(l, in_body(p, l, KOP_AND, KB, is, other));
  kv next = next_place(p, k, l);
  kv at = kir_loop_end(p->c, &p->k, l, &next);
  return plan_op(p, KOP_GET, KI32, at, 0, k->seats);
}

/* Goes through a whole group; *found and *near are what another one has given, and become what
 * this one does: the seat of the key itself, and 1 if others equal it within ⎕CT. */
static void look_through(plan *p, const look *k, kv group, kv on, kv *found, kv *near) {
  const kv from[3] = {place_of(p, group, k->mask), *found, *near};
  kv key, is, next[3];
  kloop *l = kir_loop_begin(p->c, &p->k, from, 3, k->fault);
  if (!l) return;
  kv seat = seat_at(p, k, l, on, &key, &is);
  kir_loop_test(l, is);
  kv own = kir_import(p->c, &p->k, l, k->key);
  kv same = in_body(p, l, KOP_EQ, KB, key, own);
  prim_body equal = {P_EQ, true, CLS_F, .no_overflow = true};
  prim_values v = {key, own, .ct = kir_import(p->c, &p->k, l, k->ct), .fault = k->fault};
  kv within = prim_lower(p->c, l->body, &equal, &v);
  kv one = kir_add(p->c, l->body, (kins){.op = KOP_CONST, .ty = KI32, .imm.i = 1});
  next[0] = next_place(p, k, l);
  next[1] = chosen(p, l, same, seat, carried(p, l, KI32, 1));
  within = in_body(p, l, KOP_AND, KB, within, in_body(p, l, KOP_NOT, KB, same, 0));
  next[2] = chosen(p, l, within, one, carried(p, l, KI32, 2));
  kv loop = kir_loop_end(p->c, &p->k, l, next);
  *found = kir_loop_part(p->c, &p->k, loop, 1);
  *near = kir_loop_part(p->c, &p->k, loop, 2);
}

static void escape_if(plan *p, const look *k, kv is) {
  plan_op(p, KOP_ESC, KB, is, 0, k->fault);
}

static kv look_around(plan *p, const look *k) {
  kv wide = plan_param(p, KF64, (kimm){.f = k->n->ct * WIDER_PERCENT / 100});
  kv by = plan_op(p, KOP_MUL, KF64, plan_op(p, KOP_ABS, KF64, k->key, 0, 0), wide, 0);
  kv low = group_of(p, k->n, plan_op(p, KOP_SUB, KF64, k->key, by, 0));
  kv high = group_of(p, k->n, plan_op(p, KOP_ADD, KF64, k->key, by, 0));
  kv found = k->none, near = plan_integer(p, KI32, 0);
  look_through(p, k, low, plan_integer(p, KB, 1), &found, &near);
  look_through(p, k, high, plan_op(p, KOP_NE, KB, low, high, 0), &found, &near);
  escape_if(p, k, plan_convert(p, near, KB));
  return found;
}

/* The number of the first element of y that equals x's, or how many it has. */
static kv emit_lookup(plan *p, ir_node *n, index_map at) {
  kty ty = key_type(n);
  look k = {.n = n, .key = plan_element(p, n->x, at, ty), .fault = plan_fault(p, n)};
  k.mask = plan_param(p, KI32, (kimm){.i = n->pairs->count - 1});
  k.none = plan_param(p, KI32, (kimm){.i = n->y->count});
  if (is_tolerant(n)) k.ct = plan_param(p, KF64, (kimm){.f = n->ct});
  k.seats = (uint32_t)plan_fetched(p, n->pairs);
  k.keys = (uint32_t)plan_fetched(p, n->y);
  if (kty_is_float(ty)) { /* NaN and infinities are the reference path's */
    kv nothing = plan_op(p, KOP_SUB, ty, k.key, k.key, 0);
    escape_if(p, &k, plan_op(p, KOP_NE, KB, nothing, plan_constant(p, ty, (kimm){0}), 0));
  }
  return is_tolerant(n) ? look_around(p, &k) : look_exactly(p, &k);
}

/* What it cannot decide is the reference path's, at once. */
static void infer_lookup(ir_node *n) {
  n->row = CLS_F;
  n->may_fault = true;
  set_result(n->self, CLS_I, ET_F64, (range){0, n->y->count});
  n->self->type = ET_I32;
}

static arr *looked_up(prim_env *e, ir_node *n) {
  OWNED arr *r = arr_new(e->c, ET_I64, n->self->rank, n->self->shape);
  if (!r || !prim_lookup(e, n->y, n->x, r->host)) return NULL;
  return arr_move(&r);
}

KIND(lookup, .infer = infer_lookup, .emit = emit_lookup, .reference = looked_up);

/* ── boxes of elements ── */

kty plan_compared(const arr *x, const arr *y) {
  if (x->type == ET_F32 && y->type == ET_F32) return KF32;
  if (elt_is_float((elt)x->type) || elt_is_float((elt)y->type)) return KF64;
  return range_in32(range_of(x)) && range_in32(range_of(y)) ? KI32 : KI64;
}

/* Are a and b one element? Floats within ⎕CT; NaN is itself. */
static kv is_same(plan *p, kir *k, kty ty, kv a, kv b, kv ct) {
  if (!kty_is_float(ty)) return op_of(p, k, KOP_EQ, KB, a, b);
  prim_body equal = {P_EQ, true, CLS_F, .no_overflow = true};
  prim_values v = {.x = a, .y = b, .ct = ct};
  kv is = prim_lower(p->c, k, &equal, &v);
  kv odd = op_of(p, k, KOP_NE, KB, a, a), too = op_of(p, k, KOP_NE, KB, b, b);
  return op_of(p, k, KOP_OR, KB, is, op_of(p, k, KOP_AND, KB, odd, too));
}

static kv got_as(plan *p, kir *k, uint32_t input, kv place, kty ty) {
  kv v = got(p, k, input, place);
  return (kty)k->ins[v].ty == ty ? v : op_of(p, k, KOP_CVT, ty, v, 0);
}

/* What is looked for: its places as seen from its first, its elements, and where. */
typedef struct found {
  uint32_t places, elements, all;
  kty ty, where;
} found;

/* Is element i of what is looked for that of y, where the first one is `here`? */
static kv is_there(plan *p, kir *k, const found *f, kv i, kv here, kv ct) {
  kv there = op_of(p, k, KOP_ADD, f->where, got(p, k, f->places, i), here);
  kv mine = got_as(p, k, f->elements, i, f->ty);
  return is_same(p, k, f->ty, mine, got_as(p, k, f->all, there, f->ty), ct);
}

/* Element by element, until one differs. */
static kv find_many(plan *p, ir_node *n, const found *f, kv here, kv ct) {
  kv from = plan_integer(p, KI32, 0);
  kv all = plan_param(p, KI32, (kimm){.i = n->x->count});
  kloop *l = kir_loop_begin(p->c, &p->k, &from, 1, plan_fault(p, n));
  if (!l) return 0;
  kv i = carried(p, l, KI32, 0);
  kv tolerance = ct ? kir_import(p->c, &p->k, l, ct) : 0;
  kv same = is_there(p, l->body, f, i, kir_import(p->c, &p->k, l, here), tolerance);
  kv more = in_body(p, l, KOP_LT, KB, i, kir_import(p->c, &p->k, l, all));
  kir_loop_test(l, in_body(p, l, KOP_AND, KB, more, same));
  kv one = kir_add(p->c, l->body, (kins){.op = KOP_CONST, .ty = KI32, .imm.i = 1});
  kv next = in_body(p, l, KOP_ADD, KI32, i, one);
  return plan_op(p, KOP_EQ, KB, kir_loop_end(p->c, &p->k, l, &next), all, 0);
}

static kv emit_find(plan *p, ir_node *n, index_map at) {
  if (n->row == CLS_NONE) return plan_unsupported(p, n);
  found f = {.ty = plan_compared(n->x, n->y), .where = kir_arg_type((elt)n->pairs->type)};
  kv here = plan_place(p, at, f.where);
  kv ct = f.ty == KF64 ? plan_param(p, KF64, (kimm){.f = n->ct}) : 0;
  f.places = (uint32_t)plan_fetched(p, n->pairs);
  f.elements = (uint32_t)plan_fetched(p, n->x);
  f.all = (uint32_t)plan_fetched(p, n->y);
  if (n->may_fault) return find_many(p, n, &f, here, ct);
  kv all = 0; /* a few are all looked at: no load waits for what another one is */
  for (int64_t i = 0; i < n->x->count; i++) {
    kv is = is_there(p, &p->k, &f, plan_integer(p, KI32, i), here, ct);
    all = i ? plan_op(p, KOP_AND, KB, all, is, 0) : is;
  }
  return all;
}

/* Whose loop is long is for the reference path; a few elements need no loop. */
static void infer_find(ir_node *n) {
  enum { FEW = 8 };
  n->row = CLS_I;
  n->ty = plan_compared(n->x, n->y);
  n->may_fault = n->x->count > FEW;
  set_result(n->self, CLS_B, ET_I64, (range){0, 1});
}

static arr *find_reference(prim_env *e, ir_node *n) { return prim_find(e, n->x, n->y); }

KIND(find, .infer = infer_find, .emit = emit_find, .reference = find_reference,
     .real = true);

/* ── runs ── */

/* One element after the other: floats have no other order. */
static kv emit_runs(plan *p, ir_node *n, index_map at) {
  kty ty = n->ty, where = kir_arg_type((elt)n->pairs->type);
  kv i = plan_place(p, at, where), zero = plan_integer(p, where, 0);
  int64_t ends = plan_fetched(p, n->pairs);
  uint32_t elements = (uint32_t)plan_fetched(p, n->y);
  kv end = plan_op(p, KOP_GET, where, i, 0, ends);
  kv before = plan_op(p, KOP_SUB, where, i, plan_integer(p, where, 1), 0);
  kv begin = plan_op(p, KOP_GET, where, before, 0, ends);
  begin = plan_select(p, where, plan_op(p, KOP_EQ, KB, i, zero, 0), zero, begin);
  const kv from[2] = {begin, plan_element(p, n->x, at, ty)};
  int fault = plan_fault(p, n);
  kloop *l = kir_loop_begin(p->c, &p->k, from, 2, fault);
  if (!l) return 0;
  kv k = carried(p, l, where, 0), next[2];
  kir_loop_test(l, in_body(p, l, KOP_LT, KB, k, kir_import(p->c, &p->k, l, end)));
  prim_body join = {n->p, true, CLS_F, .no_overflow = true};
  prim_values v = {.x = carried(p, l, ty, 1), .fault = fault};
  v.y = got_as(p, l->body, elements, k, ty);
  kins one = {.op = KOP_CONST, .ty = (uint8_t)where, .imm.i = 1};
  next[0] = in_body(p, l, KOP_ADD, where, k, kir_add(p->c, l->body, one));
  next[1] = prim_lower(p->c, l->body, &join, &v);
  return kir_loop_part(p->c, &p->k, kir_loop_end(p->c, &p->k, l, next), 1);
}

/* Runs are found among floats. */
static void infer_runs(ir_node *n) {
  infer_same(n, n->y);
  n->self->type = n->x->type;
  n->row = CLS_F;
  n->ty = kir_arg_type((elt)n->x->type);
  n->may_fault = n->loops = true;
}

KIND(runs, .infer = infer_runs, .emit = emit_runs, .reference = folded_by_calls);
