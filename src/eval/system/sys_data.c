/* SPDX-License-Identifier: MIT */
/* sys_data.c - how values are represented: ⎕DR, and the float widths ⎕F32 ⎕F64.
 *
 * ⎕DR reads the bits of an array as another type. A row of the array is a sequence of
 * bytes, the lowest first; the bits of a Boolean array stand in them from the highest down,
 * which is not how they are stored here, so bytes of bits are turned around on the way in
 * and out. */
#include <math.h>
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/direct.h"
#include "../value/items.h"
#include "system.h"

static const int16_t codes[ET_COUNT] = {
    [ET_BIT] = 11,  [ET_I8] = 83,   [ET_I16] = 163, [ET_I32] = 323,
    [ET_I64] = 643, [ET_F32] = 325, [ET_F64] = 645, [ET_C128] = 1289,
    [ET_C8] = 80,   [ET_C16] = 160, [ET_C32] = 320, [ET_NEST] = 326};

/* The type with that code; DOMAIN ERROR if elements of it cannot be made. */
bool sys_element_type(vm *v, int64_t code, elt *t) {
  for (int i = 0; i < ET_NEST; i++) {
    if (codes[i] != code) continue;
    *t = (elt)i;
    return true;
  }
  return err_set(v->c, ERR_DOMAIN, "⎕DR: there is no type %lld to convert to",
                 (long long)code);
}

void sys_turn_bits(void *at, size_t n) {
  unsigned char *p = at;
  for (size_t i = 0; i < n; i++) {
    unsigned b = p[i];
    b = (b >> 4 | b << 4) & 0xFF;
    b = (b >> 2 & 0x33) | (b & 0x33) << 2;
    p[i] = (unsigned char)((b >> 1 & 0x55) | (b & 0x55) << 1);
  }
}

static bool check_chars(vm *v, const arr *r) {
  for (int64_t i = 0; elt_is_char((elt)r->type) && i < r->count; i++) {
    if (stops_at(v->c, i)) return false;
    int64_t u = arr_get_int(r, i);
    if (u < 0 || u > 0x10FFFF)
      return err_set(v->c, ERR_DOMAIN, "⎕DR: there is no character %lld", (long long)u);
  }
  return true;
}

/* Copies n bytes and turns the bits of each round if asked to; false after INTERRUPT. */
static bool copy_bytes(vm *v, char *to, const char *from, size_t n, bool turns) {
  enum { AT_ONCE = 1 << 20 };
  for (size_t i = 0; i < n; i += AT_ONCE) {
    size_t part = n - i < AT_ONCE ? n - i : AT_ONCE;
    if (interrupted(v->c)) return false;
    memcpy(to + i, from + i, part);
    if (turns) sys_turn_bits(to + i, part);
  }
  return true;
}

/* The bits of `of` as elements of type t, along the last axis. */
static arr *reinterpret(vm *v, arr *of, elt t) {
  OWNED arr *y = of->type == t ? arr_retain(of) : arr_plain_nan(v->c, of);
  if (!y) return NULL;
  int64_t shape[ARR_MAX_RANK] = {1}, last = arr_last_axis(y);
  int64_t bits = elt_bits((elt)y->type);
  if (y->type == ET_NEST)
    return err_null(v->c, ERR_DOMAIN, "⎕DR: a nested array has no bits");
  if (last > INT64_MAX / 128 || last * bits % elt_bits(t))
    return err_null(v->c, ERR_LENGTH,
                    "⎕DR: %lld elements of %lld bits are no whole number of %d bits",
                    (long long)last, (long long)bits, elt_bits(t));
  if (y->rank) memcpy(shape, y->shape, y->rank * sizeof *shape);
  int rank = y->rank ? y->rank : 1;
  shape[rank - 1] = last * bits / elt_bits(t);
  OWNED arr *r = arr_new(v->c, t, rank, shape);
  if (!r) return NULL;
  bool turns = (t == ET_BIT) != (y->type == ET_BIT);
  if (!copy_bytes(v, r->host, y->host, elt_bytes(t, r->count), turns) ||
      !check_chars(v, r))
    return NULL;
  return arr_move(&r);
}

/* Does element i of y have an equal of type t? */
static bool converts(const arr *y, int64_t i, elt t) {
  if (elt_is_char((elt)y->type) || elt_is_char(t)) {
    if (!elt_is_char((elt)y->type) || !elt_is_char(t)) return false;
    return elt_bits(t) == 32 || arr_get_int(y, i) >> elt_bits(t) == 0;
  }
  if (t != ET_C128 && arr_get_imag(y, i) != 0) return false;
  if (elt_is_int((elt)y->type)) {
    int64_t n = arr_get_int(y, i);
    if (elt_is_int(t)) return elt_for_range(n, n) <= t;
    double d = (double)n;
    if (t == ET_F32) d = (double)(float)n;
    return d < 0x1p63 && (int64_t)d == n;
  }
  double d = arr_get_float(y, i);
  if (t == ET_F32) return (double)(float)d == d;
  if (!elt_is_int(t)) return true;
  return d == floor(d) && d >= -0x1p63 && d < 0x1p63 &&
         elt_for_range((int64_t)d, (int64_t)d) <= t;
}

/* Element i of r becomes that of y in r's type, which holds it. */
static void convert_at(arr *r, const arr *y, int64_t i) {
  bool from_float = y->type >= ET_F32 && y->type <= ET_C128;
  if (r->type == y->type) arr_copy(r, i, y, i, 1);
  else if (r->type >= ET_F32 && r->type <= ET_C128)
    arr_put_float(r, i, arr_get_float(y, i));
  else if (from_float) arr_put_int(r, i, (int64_t)arr_get_float(y, i));
  else arr_put_int(r, i, arr_get_int(y, i));
}

/* Element i of r becomes what stands for a value that its type does not hold. */
static void put_fill(arr *r, int64_t i) {
  if (r->type >= ET_F32 && r->type <= ET_C128) arr_put_float(r, i, 0);
  else if (elt_is_char((elt)r->type)) arr_put_int(r, i, ' ');
  else arr_put_int(r, i, 0);
}

/* y's values as type t, and which of them are. */
static arr *converted(vm *v, const arr *y, elt t) {
  OWNED arr *r = arr_new(v->c, t, y->rank, y->shape);
  OWNED arr *ok = arr_new(v->c, ET_BIT, y->rank, y->shape);
  if (!r || !ok) return NULL;
  for (int64_t i = 0; i < y->count; i++) {
    if (stops_at(v->c, i)) return NULL;
    bool fits = y->type != ET_NEST && converts(y, i, t);
    arr_put_int(ok, i, fits);
    if (fits) convert_at(r, y, i);
    else put_fill(r, i);
  }
  return items_pair(v, arr_move(&r), arr_move(&ok));
}

/* y, as real numbers where it is complex and all imaginary parts are 0, which is known once it
 * is computed. */
static arr *as_real(vm *v, arr *y) {
  if (y->type != ET_C128) return arr_retain(y);
  if (!ir_host(v->g, y)) return NULL;
  return cx_demote(v->c, arr_retain(y));
}

/* How y is stored. Of integers it is the narrowest type that has them: host and device choose
 * the type of what they compute by different rules, and nobody should see which did. */
static bool stored_as(vm *v, arr *y, elt *t) {
  int64_t lo = 0, hi = 0;
  if (!ir_settle(v->g, y)) return false;
  OWNED arr *real = as_real(v, y);
  if (!real) return false;
  *t = (elt)real->type;
  if (!elt_is_int(*t) || *t == ET_BIT) return true;
  ir_call call = call_of(v);
  if (y->count && !ir_extremes(&call, y, &lo, &hi)) return false;
  *t = elt_for_range(lo, hi);
  return true;
}

/* ⎕DR y: the type that y has. x ⎕DR y: x is a type, which y's bits become, or two: y's bits become the first, which may be
 * 0 for none, and then its values the second. */
bool sys_dr(vm *v, arr *x, arr *y, arr **r) {
  elt from = ET_BIT, to = ET_BIT, stored;
  if (!x) return stored_as(v, y, &stored) && give_result(r, arr_int(v->c, codes[stored]));
  if (!ir_host(v->g, x) || !ir_host(v->g, y)) return false;
  if (x->rank > 1)
    return err_set(v->c, ERR_RANK, "⎕DR takes one or two types on its left");
  if (x->count < 1 || x->count > 2)
    return err_set(v->c, ERR_LENGTH, "⎕DR takes one or two types on its left");
  if (!elt_is_int((elt)x->type))
    return err_set(v->c, ERR_DOMAIN, "⎕DR: a type is a number");
  int64_t first = arr_get_int(x, 0);
  bool two = x->count == 2;
  if ((first || !two) && !sys_element_type(v, first, &from)) return false;
  if (two && !sys_element_type(v, arr_get_int(x, 1), &to)) return false;
  if (!stored_as(v, y, &stored)) return false;
  OWNED arr *a = arr_convert(v->c, y, stored);
  if (!a) return false;
  if (first) {
    OWNED arr *plain = a;
    a = reinterpret(v, plain, from);
    if (!a) return false;
  }
  if (two) return give_result(r, converted(v, a, to));
  return give_result(r, arr_move(&a));
}

/* ── float widths ───────────────────────────────────────────────────────────────────── */

static bool convert(vm *v, arr *from, elt t, arr **r) {
  OWNED arr *y = as_real(v, from);
  if (!y) return false;
  if (y->type > ET_F64) return err_set(v->c, ERR_DOMAIN, "real numbers are wanted");
  if (y->type == t && !y->node) return give_result(r, arr_retain(y));
  ir_call call = call_of(v);
  OWNED arr *node = ir_floats(&call, y, t);
  if (node || err_is(v->c)) return give_result(r, arr_move(&node));
  if (!ir_host(v->g, y)) return false;
  if (y->type > ET_F64) return err_set(v->c, ERR_DOMAIN, "real numbers are wanted");
  if (y->type == t) return give_result(r, arr_retain(y));
  if (t == ET_F32) return give_result(r, arr_to_f32(v->c, y, v->sv->io));
  return give_result(r, arr_convert(v->c, y, t));
}

bool sys_f32(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return convert(v, y, ET_F32, r);
}
bool sys_f64(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return convert(v, y, ET_F64, r);
}
