/* SPDX-License-Identifier: MIT */
/* node_order.c - ⍋y, ⍒y, y[⍋y] and x[⍋y]. Their kernel has keys that order as the elements do (kir.h),
 * and behind the FOLD the number or the element of x that went along, or the element made of its
 * key. */
#include "../array/element.h"
#include "../kir/range.h"
#include "../array/convert.h"
#include "../prim/index.h"
#include "plan.h"

static kty key_type(kty ty) { return kty_bytes(ty) == 8 ? KI64 : KI32; }
static int64_t sign_bit(kty key) { return key == KI64 ? INT64_MIN : INT32_MIN; }

/* The bits of a float so that they order as unsigned numbers do: the sign bit flipped, or all
 * bits of what is negative. */
static kv float_key(plan *p, kv v, kty key) {
  kv bits = plan_op(p, KOP_BITS, key, v, 0, 0);
  kv sign = plan_op(p, KOP_SAR, key, bits, 0, 8 * kty_bytes(key) - 1);
  kv flip = plan_op(p, KOP_OR, key, sign, plan_integer(p, key, sign_bit(key)), 0);
  return plan_op(p, KOP_XOR, key, bits, flip, 0);
}

/* With -0 as 0, and NaNs alike, behind infinity: as the numbers are graded. */
static kv graded_float(plan *p, kv v, kty ty) {
  kty key = key_type(ty);
  kv zero = plan_constant(p, ty, (kimm){0});
  kv is_zero = plan_op(p, KOP_EQ, KB, v, zero, 0),
     is_nan = plan_op(p, KOP_NE, KB, v, v, 0);
  kv k = float_key(p, plan_select(p, ty, is_zero, zero, v), key);
  return plan_select(p, key, is_nan, plan_integer(p, key, -1), k);
}

static int64_t bytes_of_range(range r) {
  int64_t n = 1;
  while (n < 8 && (r.hi - r.lo) >> (8 * n)) n++;
  return n;
}

int64_t order_key_bytes(const arr *y) {
  if (elt_is_float((elt)y->type)) return (int64_t)elt_bytes((elt)y->type, 1);
  return bytes_of_range(range_of(y));
}

/* Do 32 bits tell the elements of r's, in 64 bits, apart? */
static bool is_narrow(kty ty, range r) { return ty == KI64 && bytes_of_range(r) <= 4; }

/* What integers of r are reckoned from as keys: narrow ones so that they fit 32 bits. */
static kv key_origin(plan *p, kty ty, range r, bool down) {
  uint64_t half = is_narrow(ty, r) ? UINT64_C(1) << 31 : 0;
  uint64_t from = (uint64_t)(int64_t)r.lo + half;
  if (down) from = (uint64_t)(int64_t)r.hi - half;
  return plan_param(p, ty, (kimm){.i = (int64_t)from});
}

static kv integer_key(plan *p, kv v, range r, bool down) {
  kty ty = plan_type(p, v);
  kv from = key_origin(p, ty, r, down);
  p->k.key_bits = (uint8_t)(8 * bytes_of_range(r));
  if (down) v = plan_op(p, KOP_SUB, ty, from, v, 0);
  else v = plan_op(p, KOP_SUB, ty, v, from, 0);
  if (!is_narrow(ty, r)) return v;
  v = plan_convert(p, v, KI32);
  return plan_op(p, KOP_XOR, KI32, v, plan_integer(p, KI32, INT32_MIN), 0);
}

/* The key of an element v of n->y; sets what the kernel says of keys. */
static kv emit_key(plan *p, const ir_node *n, kv v, range r) {
  kty ty = plan_type(p, v), key = key_type(ty);
  bool down = n->p == P_DOWN, alone = n->sorted && !n->x;
  if (!kty_is_float(ty)) return integer_key(p, v, r, down);
  p->k.key_bits = (uint8_t)(8 * kty_bytes(ty));
  kv k = 0;
  if (alone) k = float_key(p, v, key);
  else k = graded_float(p, v, ty);
  if (alone && down) p->k.key_floats = KEY_FLOATS_DOWN;
  else if (alone) p->k.key_floats = KEY_FLOATS_UP;
  if (!down) return k;
  return plan_op(p, KOP_NOT, key, k, 0, 0);
}

static kv element_of_key(plan *p, const ir_node *n, kv v, kty ty, range r) {
  kty key = key_type(ty);
  bool down = n->p == P_DOWN;
  if (kty_is_float(ty)) {
    if (down) v = plan_op(p, KOP_NOT, key, v, 0, 0);
    kv sign = plan_op(p, KOP_SAR, key, v, 0, 8 * kty_bytes(key) - 1);
    kv flip = plan_op(p, KOP_NOT, key, sign, 0, 0);
    flip = plan_op(p, KOP_OR, key, flip, plan_integer(p, key, sign_bit(key)), 0);
    return plan_op(p, KOP_BITS, ty, plan_op(p, KOP_XOR, key, v, flip, 0), 0, 0);
  }
  kv from = key_origin(p, ty, r, down);
  if (is_narrow(ty, r)) {
    v = plan_op(p, KOP_XOR, KI32, v, plan_integer(p, KI32, INT32_MIN), 0);
    v = plan_convert(p, v, KI64);
  }
  if (down) return plan_op(p, KOP_SUB, ty, from, v, 0);
  return plan_op(p, KOP_ADD, ty, v, from, 0);
}

/* The bits of v, a number of any type, as an integer; and back. */
static kv bits_of(plan *p, kv v, kty to) {
  if (plan_type(p, v) == to) return v;
  if (kty_is_float(to) || kty_is_float(plan_type(p, v)))
    return plan_op(p, KOP_BITS, to, v, 0, 0);
  return plan_convert(p, v, to);
}

/* ── floats as integers ──
 *
 * What is below 0 has all bits but the sign flipped: then bits order as numbers do, -0 below 0, as ⌈ and
 * ⌊ have it. To do so again gives the float. By P_UP they are as ⍋ has them, and any numbers or characters, less
 * their last `step` bits. */

static void infer_key(ir_node *n) {
  infer_same(n, n->y);
  n->self->type = (uint8_t)n->as;
  n->self->has_range = false;
}

static kv emit_keys(plan *p, ir_node *n, index_map at) {
  kty to = kir_arg_type(n->as), key = key_type(to);
  kv of = plan_element(p, n->y, at, kir_arg_type((elt)n->y->type));
  if (n->p == P_UP) {
    if (!kty_is_float(plan_type(p, of))) of = plan_convert(p, of, key);
    else
      of = plan_op(p, KOP_XOR, key, graded_float(p, of, plan_type(p, of)),
                   plan_integer(p, key, sign_bit(key)), 0);
    return plan_op(p, KOP_SAR, key, of, 0, n->step);
  }
  kv v = bits_of(p, of, key);
  kv sign = plan_op(p, KOP_SAR, key, v, 0, 8 * kty_bytes(key) - 1);
  int64_t most = key == KI64 ? INT64_MAX : INT32_MAX;
  kv flip = plan_op(p, KOP_AND, key, sign, plan_integer(p, key, most), 0);
  kv r = plan_op(p, KOP_XOR, key, v, flip, 0);
  if (kty_is_float(to)) return bits_of(p, r, to);
  kv is_nan = plan_op(p, KOP_NE, KB, of, of, 0);
  int64_t nan = key == KI64 ? INT64_C(0x7ff8) << 48 : 0x7fc00000;
  if (n->p == P_FLOOR) nan = ~nan;
  return plan_select(p, key, is_nan, plan_integer(p, key, nan), r);
}

KIND(key, .infer = infer_key, .emit = emit_keys, .show = "⊢y", .typed = true);

/* ── orders ── */

/* What goes along with a key: the element's number, or the element of x. */
static kv companion(plan *p, const ir_node *n, kty *ty) {
  *ty = KI32;
  if (n->len >= INT32_MAX) *ty = KI64;
  if (!n->x) return plan_op(p, KOP_IOTA, *ty, 0, 0, 0);
  kv v = plan_value(p, n->x, identity_map);
  *ty = plan_type(p, v);
  return bits_of(p, v, key_type(*ty));
}

static kv order_of(plan *p, ir_node *n) {
  range r = range_of(n->y);
  kacc acc[2] = {{.fault = -1}, {.fault = -1}};
  bool complex = cls_of((elt)n->y->type) == CLS_C || n->self->type == ET_C128;
  if (complex) return plan_unsupported(p, n);
  p->phase = 0;
  kv v = plan_value(p, n->y, identity_map);
  if (plan_type(p, v) == KB) v = plan_convert(p, v, KI32);
  kty ty = plan_type(p, v);
  acc[0].from = emit_key(p, n, v, r);
  acc[0].ty = (uint8_t)key_type(plan_type(p, acc[0].from));
  uint32_t parts = 1;
  kty along = KB;
  if (n->x || !n->sorted) {
    parts = 2;
    acc[1].from = companion(p, n, &along);
    acc[1].ty = (uint8_t)key_type(along);
  }
  p->phase = 1;
  kv first = kir_fold(p->c, &p->k, acc, parts);
  if (parts == 1) return element_of_key(p, n, first, ty, r);
  kv second = kir_part(p->c, &p->k, 1);
  if (n->x) return bits_of(p, second, along);
  kv at = plan_param(p, along, (kimm){.i = n->first});
  return plan_op(p, KOP_ADD, along, second, at, 0);
}

static void emit_order(plan *p, ir_node *n) {
  plan_remember(p, n->self, identity_map, order_of(p, n));
  vec_push(p->c, &p->whole, n);
}

static void infer_order(ir_node *n) {
  if (n->sorted && n->x) infer_same(n, n->x);
  else if (n->sorted) infer_same(n, n->y);
  else set_result(n->self, CLS_I, ET_I64, (range){n->first, n->first + n->len - 1});
  n->may_fault = false;
}

/* ── the first in order ──
 *
 * Its number is found by one fold: the least of keys of 32 bits, each with the element's number below
 * it. */

void infer_seek(ir_node *n) {
  n->row = CLS_I;
  n->ty = KI64;
  n->wide_sum = n->may_fault = n->no_overflow = false;
  set_result(n->self, CLS_I, ET_I64, (range){n->first, n->first + n->len - 1});
}

/* v's key, as a number of 32 bits with a sign, in 64. */
static kv seek_key(plan *p, const ir_node *n, kv v) {
  kty ty = plan_type(p, v);
  bool down = n->seeks == SEEK_DOWN;
  if (kty_is_float(ty)) {
    kv k = graded_float(p, v, ty);
    if (n->seeks == SEEK_LEAST) { /* a NaN is the least of all, too */
      kv is_nan = plan_op(p, KOP_NE, KB, v, v, 0);
      k = plan_select(p, KI32, is_nan, plan_integer(p, KI32, 0), k);
    }
    if (down) k = plan_op(p, KOP_NOT, KI32, k, 0, 0);
    k = plan_op(p, KOP_XOR, KI32, k, plan_integer(p, KI32, INT32_MIN), 0);
    return plan_convert(p, k, KI64);
  }
  range r = range_of(n->y);
  v = plan_convert(p, v, KI64);
  int64_t half = INT64_C(1) << 31, from = (int64_t)r.lo + half, to = (int64_t)r.hi - half;
  if (down) return plan_op(p, KOP_SUB, KI64, plan_param(p, KI64, (kimm){.i = to}), v, 0);
  return plan_op(p, KOP_SUB, KI64, v, plan_param(p, KI64, (kimm){.i = from}), 0);
}

kacc seek_operand(plan *p, ir_node *n) {
  kv v = plan_value(p, n->y, identity_map);
  if (plan_type(p, v) == KB) v = plan_convert(p, v, KI32);
  kv high = plan_op(p, KOP_SHL, KI64, seek_key(p, n, v), 0, 32);
  kv place = plan_op(p, KOP_IOTA, KI32, 0, 0, 0);
  kacc a = {.monoid = KF_MIN, .ty = KI64, .fault = -1};
  a.from = plan_op(p, KOP_OR, KI64, high, plan_convert(p, place, KI64), 0);
  return a;
}

kv seek_value(plan *p, ir_node *n, kv v) {
  v = plan_op(p, KOP_AND, KI64, v, plan_integer(p, KI64, INT32_MAX), 0);
  return plan_op(p, KOP_ADD, KI64, v, plan_param(p, KI64, (kimm){.i = n->first}), 0);
}

/* ── the direct path ── */

static arr *ordered(prim_env *e, ir_node *n) {
  const int64_t first = n->sorted ? 1 : n->first;
  e->io = (int)first;
  if (n->y->rank == 1 && (!n->sorted || n->x)) {
    OWNED arr *at = prim_monadic(e, n->p, n->y);
    if (!at || !n->x) return arr_move(&at);
    return prim_index(e, n->x, 1, &at);
  }
  OWNED arr *all = arr_new(e->c, ET_I64, n->self->rank, n->self->shape);
  const int64_t shape[2] = {n->rows, n->len};
  OWNED arr *lines = arr_reshape(e->c, n->y, 2, shape);
  for (int64_t r = 0; r < n->rows && all; r++) {
    OWNED arr *number = arr_int(e->c, r + first);
    arr *at[2] = {number, NULL};
    OWNED arr *line = lines && number ? prim_index(e, lines, 2, at) : NULL;
    OWNED arr *numbers = line ? prim_monadic(e, n->p, line) : NULL;
    if (!numbers) return NULL;
    int64_t *to = (int64_t *)all->host + r * n->len, before = n->sorted ? r * n->len : 0;
    for (int64_t i = 0; i < n->len; i++) to[i] = arr_get_int(numbers, i) + before;
  }
  if (!all || !n->sorted) return arr_move(&all);
  OWNED arr *line = arr_reshape(e->c, n->y, 1, &n->y->count);
  return line ? prim_index(e, line, 1, &all) : NULL;
}

KIND(order, .infer = infer_order, .fold = emit_order, .reference = ordered,
     .task = KIR_ORDER, .behind = true, .at_once = true);
