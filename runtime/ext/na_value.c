/* SPDX-License-Identifier: MIT */
/* na_value.c - arrays as the bytes that a C function takes, and back.
 *
 * A number is put if its type holds it exactly, but that floats are rounded to the nearest one.
 * Structures are packed: a field follows the one before without a gap. */
#include "na.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/value/items.h"
#include <float.h>
#include <math.h>

enum { BYTES_MOST = 1 << 30 }; /* of a text with a number in front */

/* ── lengths ────────────────────────────────────────────────────────────────────────── */

bool na_bytes(const na_type *t, int64_t n, size_t *bytes) {
  int64_t all;
  bool ends = t->form == NA_ZERO && !t->sized;
  if (__builtin_add_overflow(n, ends, &all) ||
      __builtin_mul_overflow((size_t)all, t->element, bytes))
    return false;
  if (t->form == NA_COUNTED) *bytes += t->width;
  return *bytes <= (size_t)1 << 40;
}

static bool fails(vm *v, const na_place *p, int code, const char *what) {
  return err_set(v->c, code, "%s: argument %u: %s", p->d->function.at, p->arg + 1, what);
}

/* Its text in the declaration, as %.*s takes it. */
static int type_length(const na_type *t) { return (int)(t->end - t->at); }
static const char *type_text(const na_place *p, const na_type *t) {
  return p->d->text.at + t->at;
}

static bool value_does_not_fit(vm *v, const na_place *p, const na_type *t) {
  return err_set(v->c, ERR_DOMAIN, "%s: argument %u does not fit %.*s", p->d->function.at,
                 p->arg + 1, type_length(t), type_text(p, t));
}

static bool does_not_fit(vm *v, const na_place *p, const na_type *t, const arr *x,
                         int64_t i) {
  if (x->count == 1) return value_does_not_fit(v, p, t);
  return err_set(v->c, ERR_DOMAIN, "%s: element %lld of argument %u does not fit %.*s",
                 p->d->function.at, (long long)(i + v->sv->io), p->arg + 1,
                 type_length(t), type_text(p, t));
}

/* Units that a code point takes. */
static int units_of(const na_type *t, uint32_t u) {
  char unused[4];
  if (t->width == 1) return utf8_put(unused, u);
  return u > 0xFFFF ? 2 : 1;
}

bool na_length(vm *v, const na_type *t, const arr *x, int64_t *n) {
  *n = x->count;
  if (t->kind != NA_UTF || !elt_is_char((elt)x->type)) return true;
  for (int64_t i = *n = 0; i < x->count; i++) {
    if (stops_at(v->c, i)) return false;
    *n += units_of(t, (uint32_t)arr_get_int(x, i));
  }
  return true;
}

/* ── numbers and characters into C ──────────────────────────────────────────────────── */

static bool whole_at(const arr *x, int64_t i, bool is_signed, uint64_t *bits) {
  if (elt_is_int((elt)x->type)) {
    int64_t n = arr_get_int(x, i);
    *bits = (uint64_t)n;
    return is_signed || n >= 0;
  }
  double d = arr_get_float(x, i);
  if (arr_get_imag(x, i) != 0 || d != floor(d)) return false;
  if (is_signed && (d < -0x1p63 || d >= 0x1p63)) return false;
  if (!is_signed && (d < 0 || d >= 0x1p64)) return false;
  *bits = d < 0 ? (uint64_t)(int64_t)d : (uint64_t)d;
  return true;
}

static bool fits_width(uint64_t bits, bool is_signed, uint32_t width) {
  if (width == 8) return true;
  uint64_t most = UINT64_C(1) << (8 * width);
  if (!is_signed) return bits < most;
  return bits + most / 2 < most;
}

static bool put_integer(const na_type *t, const arr *x, int64_t i, char *to) {
  bool is_signed = t->kind == NA_INT;
  uint64_t bits;
  if (!elt_is_num((elt)x->type) || !whole_at(x, i, is_signed, &bits) ||
      !fits_width(bits, is_signed, t->width))
    return false;
  memcpy(to, &bits, t->width); /* the lowest byte first */
  return true;
}

static bool put_float(const na_type *t, const arr *x, int64_t i, char *to) {
  if (!elt_is_num((elt)x->type) || arr_get_imag(x, i) != 0) return false;
  double d = arr_get_float(x, i);
  float f = (float)d;
  if (t->width == 8) memcpy(to, &d, 8);
  else memcpy(to, &f, 4);
  return t->width == 8 || d - d != 0 || fabs(d) <= (double)FLT_MAX;
}

static bool put_complex(const arr *x, int64_t i, char *to) {
  if (!elt_is_num((elt)x->type)) return false;
  double parts[2] = {arr_get_float(x, i), arr_get_imag(x, i)};
  memcpy(to, parts, sizeof parts);
  return true;
}

static bool put_char(const na_type *t, const arr *x, int64_t i, char *to) {
  if (!elt_is_char((elt)x->type)) return false;
  uint32_t u = (uint32_t)arr_get_int(x, i);
  memcpy(to, &u, t->width);
  return t->width == 4 || u < 1u << (8 * t->width);
}

static bool put_element(const na_type *t, const arr *x, int64_t i, char *to) {
  switch (t->kind) {
  case NA_INT:
  case NA_UNSIGNED:
  case NA_POINTER: return put_integer(t, x, i, to);
  case NA_FLOAT: return put_float(t, x, i, to);
  case NA_COMPLEX: return put_complex(x, i, to);
  default: return put_char(t, x, i, to);
  }
}

/* The array type that has the same bytes; ET_NEST: none. */
static elt same_bytes(const na_type *t) {
  static const elt ints[] = {0, ET_I8, ET_I16, 0, ET_I32, 0, 0, 0, ET_I64};
  static const elt chars[] = {0, ET_C8, ET_C16, 0, ET_C32};
  switch (t->kind) {
  case NA_INT: return ints[t->width];
  case NA_POINTER: return ET_NEST; /* not below 0 */
  case NA_CHAR: return chars[t->width];
  case NA_FLOAT: return t->width == 8 ? ET_F64 : ET_F32;
  case NA_COMPLEX: return ET_C128;
  default: return ET_NEST;
  }
}

bool na_lies_right(const na_type *t, const arr *x) {
  bool whole = t->form == NA_ARRAY || t->form == NA_ONE;
  return t->way == '<' && whole && x->count && x->type == same_bytes(t) &&
         (!t->sized || t->n == x->count);
}

static bool put_elements(vm *v, const na_place *p, const na_type *t, const arr *x,
                         char *to) {
  if (is_nested(x)) return fails(v, p, ERR_DOMAIN, "a simple array is wanted");
  if (x->type == same_bytes(t)) {
    if (x->count) memcpy(to, x->host, elt_bytes((elt)x->type, x->count));
    return true;
  }
  for (int64_t i = 0; i < x->count; i++, to += t->element) {
    if (stops_at(v->c, i)) return false;
    if (!put_element(t, x, i, to)) return does_not_fit(v, p, t, x, i);
  }
  return true;
}

static bool put_units(vm *v, const na_place *p, const na_type *t, const arr *x,
                      char *to) {
  for (int64_t i = 0; i < x->count; i++) {
    if (stops_at(v->c, i)) return false;
    uint32_t u = (uint32_t)arr_get_int(x, i);
    if (!utf8_holds(u)) return does_not_fit(v, p, t, x, i);
    if (t->width == 1) {
      to += utf8_put(to, u);
      continue;
    }
    uint16_t pair[2] = {(uint16_t)u};
    if (u > 0xFFFF) {
      pair[0] = (uint16_t)(0xD800 + ((u - 0x10000) >> 10));
      pair[1] = (uint16_t)(0xDC00 + ((u - 0x10000) & 0x3FF));
    }
    size_t n = 2u * (size_t)units_of(t, u);
    memcpy(to, pair, n);
    to += n;
  }
  return true;
}

static bool put_structure(vm *v, const na_place *p, const na_type *t, const arr *x,
                          char *to) {
  int64_t k = 0;
  if (out_of_stack(v->c)) return false;
  for (const na_type *f = t->first; f; f = f->next, k++) {
    if (x->rank > 1 || k == x->count)
      return fails(v, p, ERR_LENGTH, "a structure is a vector of its fields");
    size_t bytes;
    int64_t n = f->sized ? f->n : 1;
    OWNED arr *item = arr_scalar_at(v->c, x, k);
    if (!item || !na_bytes(f, n, &bytes) || !na_put(v, p, f, item, n, to)) return false;
    to += bytes;
  }
  return k == x->count ||
         fails(v, p, ERR_LENGTH, "a structure is a vector of its fields");
}

static bool put_structures(vm *v, const na_place *p, const na_type *t, const arr *x,
                           char *to) {
  if (t->form == NA_ONE) return put_structure(v, p, t, x, to);
  for (int64_t i = 0; i < x->count; i++, to += t->element) {
    OWNED arr *item = arr_scalar_at(v->c, x, i);
    if (!item || interrupted(v->c) || !put_structure(v, p, t, item, to)) return false;
  }
  return true;
}

/* Has x as many elements as t takes of n? */
static bool right_count(vm *v, const na_place *p, const na_type *t, int64_t have,
                        int64_t n) {
  bool text = t->form == NA_ZERO || t->form == NA_COUNTED;
  int64_t most = n;
  if (t->form == NA_ZERO && t->sized) most--;
  if (t->kind == NA_STRUCT && t->form == NA_ONE) return true;
  if (have == n && have <= most) return true;
  if (text && have <= most) return true;
  return err_set(v->c, ERR_LENGTH, "%s: argument %u has %lld elements, not %lld",
                 p->d->function.at, p->arg + 1, (long long)have, (long long)most);
}

bool na_put(vm *v, const na_place *p, const na_type *t, const arr *x, int64_t n,
            char *to) {
  int64_t have;
  if (!na_length(v, t, x, &have) || !right_count(v, p, t, have, n)) return false;
  if (t->form == NA_COUNTED) {
    if (!fits_width((uint64_t)have, false, t->width) || have > BYTES_MOST)
      return fails(v, p, ERR_LENGTH, "it is too long for the number in front");
    memcpy(to, &have, t->width);
    to += t->width;
  }
  if (t->kind == NA_STRUCT) return put_structures(v, p, t, x, to);
  if (t->kind != NA_UTF) return put_elements(v, p, t, x, to);
  if (x->count && !elt_is_char((elt)x->type))
    return fails(v, p, ERR_DOMAIN, "a text is wanted");
  return put_units(v, p, t, x, to);
}

bool na_put_number(vm *v, const na_place *p, const arr *y, char *to) {
  const na_type *t = p->d->arg[p->arg];
  int64_t i = p->arg;
  if (is_nested(y) && !y->ref) {
    y = arr_item(y, i);
    i = 0;
    if (!right_count(v, p, t, y->count, 1)) return false;
  }
  if (is_nested(y)) return fails(v, p, ERR_DOMAIN, "a number or a character is wanted");
  return put_element(t, y, i, to) || value_does_not_fit(v, p, t);
}

/* ── and out of it ──────────────────────────────────────────────────────────────────── */

static bool is_zero(const char *at, uint32_t width) {
  static const char zeros[8];
  return !memcmp(at, zeros, width);
}

static int64_t elements_here(const na_type *t, int64_t n, const char **from) {
  if (t->form == NA_COUNTED) {
    uint64_t count = 0;
    memcpy(&count, *from, t->width);
    *from += t->width;
    return count < (uint64_t)n ? (int64_t)count : n;
  }
  if (t->form != NA_ZERO) return n;
  int64_t i = 0;
  while (i < n && !is_zero(*from + (size_t)i * t->width, t->width)) i++;
  return i;
}

/* Unsigned numbers; beyond 2*63 they are floats. */
static arr *get_unsigned(vm *v, const na_type *t, int rank, int64_t n, const char *from) {
  bool large = false;
  for (int64_t i = 0; t->width == 8 && i < n; i++) large |= from[8 * i + 7] < 0;
  OWNED arr *r = arr_new(v->c, large ? ET_F64 : ET_I64, rank, &n);
  for (int64_t i = 0; r && i < n; i++) {
    uint64_t u = 0;
    if (stops_at(v->c, i)) return NULL;
    memcpy(&u, from + i * t->width, t->width);
    if (large) arr_put_float(r, i, (double)u);
    else arr_put_int(r, i, (int64_t)u);
  }
  return arr_move(&r);
}

static arr *get_units(vm *v, const na_type *t, int64_t n, const char *from) {
  OWNED_STR str s = {.c = v->c};
  if (t->width == 1) return arr_text(v->c, from, (size_t)n);
  for (int64_t i = 0; i < n; i++) {
    uint16_t u, low = 0;
    if (stops_at(v->c, i)) return NULL;
    memcpy(&u, from + 2 * i, 2);
    if (i + 1 < n) memcpy(&low, from + 2 * i + 2, 2);
    bool pair = u >> 10 == 0x36 && low >> 10 == 0x37;
    if (pair) i++;
    str_putc(&s, pair ? 0x10000u + ((u & 0x3FFu) << 10) + (low & 0x3FFu) : u);
  }
  return str_take(v, &s);
}

static arr *get_structure(vm *v, const na_place *p, const na_type *t, const char *from) {
  OWNED_LIST arr_list fields = {.v = v};
  if (out_of_stack(v->c)) return NULL;
  for (const na_type *f = t->first; f; f = f->next) {
    int64_t n = f->sized ? f->n : 1;
    size_t bytes;
    if (!na_bytes(f, n, &bytes) || !list_add(&fields, na_get(v, p, f, n, from)))
      return NULL;
    from += bytes;
  }
  return list_array(&fields);
}

static arr *get_structures(vm *v, const na_place *p, const na_type *t, int64_t n,
                           const char *from) {
  OWNED_LIST arr_list items = {.v = v};
  if (t->form == NA_ONE) return get_structure(v, p, t, from);
  for (int64_t i = 0; i < n; i++, from += t->element)
    if (interrupted(v->c) || !list_add(&items, get_structure(v, p, t, from))) return NULL;
  return list_array(&items);
}

static bool are_characters(vm *v, const na_place *p, const arr *r) {
  for (int64_t i = 0; r->type == ET_C32 && i < r->count; i++)
    if (((const uint32_t *)r->host)[i] > 0x10FFFF)
      return err_set(v->c, ERR_DOMAIN, "%s gave %u, which is no character",
                     p->d->function.at, ((const uint32_t *)r->host)[i]);
  return true;
}

arr *na_get(vm *v, const na_place *p, const na_type *t, int64_t n, const char *from) {
  n = elements_here(t, n, &from);
  int rank = t->form != NA_ONE;
  if (t->kind == NA_STRUCT) return get_structures(v, p, t, n, from);
  if (t->kind == NA_UTF) return get_units(v, t, n, from);
  if (t->kind == NA_UNSIGNED || t->kind == NA_POINTER)
    return get_unsigned(v, t, rank, n, from);
  OWNED arr *r = arr_new(v->c, same_bytes(t), rank, &n);
  if (!r) return NULL;
  if (n) memcpy(r->host, from, elt_bytes((elt)r->type, n));
  if (!are_characters(v, p, r)) return NULL;
  return r->type == ET_F32 ? arr_convert(v->c, r, ET_F64) : arr_move(&r);
}
