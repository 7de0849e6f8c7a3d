/* SPDX-License-Identifier: MIT */
/* sys_text.c - characters: ⎕UCS, ⎕C and ⎕VFI. */
#include "../value/arg.h"
#include "../value/items.h"
#include "system.h"
#include "../../base/utf8.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../../prim/scalar.h"
#include "../../text/case.h"
#include <math.h>
#include <string.h>

/* ── ⎕UCS ───────────────────────────────────────────────────────────────────────────── */

/* Element i of y, a character or a whole number in lo..hi; false after DOMAIN ERROR. */
static bool unit_at(vm *v, const arr *y, int64_t i, int64_t lo, int64_t hi, int64_t *u) {
  if (elt_is_char((elt)y->type)) {
    *u = arr_get_int(y, i);
    return true;
  }
  double d = NAN;
  if (y->type <= ET_F64) d = arr_get_float(y, i);
  if (!(d >= (double)lo && d <= (double)hi) || d != floor(d))
    return err_set(v->c, ERR_DOMAIN, "⎕UCS: element %lld is not a number %lld to %lld",
                   (long long)i + v->sv->io, (long long)lo, (long long)hi);
  *u = (int64_t)d;
  return true;
}

static arr *ucs_simple(vm *v, arr *y) {
  ir_call call = call_of(v);
  arr *node = ir_code_points(&call, y);
  if (node || err_is(v->c)) return node;
  if (!ir_host(v->g, y)) return NULL;
  arr *known = prim_try_code_points(v->c, y);
  if (known || err_is(v->c)) return known;
  bool chars = elt_is_char((elt)y->type);
  if (!chars && y->type > ET_F64)
    return err_null(v->c, ERR_DOMAIN, "⎕UCS takes simple characters or code points");
  int64_t u, top = 0;
  for (int64_t i = 0; i < y->count; i++) {
    if (stops_at(v->c, i) || !unit_at(v, y, i, 0, 0x10FFFF, &u)) return NULL;
    if (u > top) top = u;
  }
  elt t = chars ? elt_for_range(0, top) : elt_for_char((uint32_t)top);
  OWNED arr *r = arr_new(v->c, t, y->rank, y->shape);
  for (int64_t i = 0; r && i < y->count && unit_at(v, y, i, 0, 0x10FFFF, &u); i++) {
    if (stops_at(v->c, i)) return NULL;
    arr_put_int(r, i, u);
  }
  return arr_move(&r);
}

/* Puts the code units of a character into r from position n on; returns how many. */
static int put_units(arr *r, int64_t n, uint32_t u, int bits, bool wraps) {
  if (bits == 8) {
    char b[4];
    int k = utf8_put(b, u);
    for (int j = 0; j < k; j++) {
      int64_t byte = (unsigned char)b[j];
      if (wraps) byte = (signed char)b[j];
      arr_put_int(r, n + j, byte);
    }
    return k;
  }
  if (bits == 16 && u > 0xFFFF) {
    arr_put_int(r, n, 0xD800 + ((u - 0x10000) >> 10));
    arr_put_int(r, n + 1, 0xDC00 + (u & 0x3FF));
    return 2;
  }
  arr_put_int(r, n, u);
  return 1;
}

/* The code units of text y, 8, 16 or 32 bits each. */
static arr *ucs_encode(vm *v, const arr *y, int bits, bool wraps) {
  int64_t n = 0, most = 32 / bits;
  if (y->count > INT64_MAX / 32) return err_null(v->c, ERR_LIMIT, "the text is too long");
  OWNED arr *r = arr_vec(v->c, ET_I32, y->count * most);
  if (!r) return NULL;
  for (int64_t i = 0; i < y->count; i++) {
    if (stops_at(v->c, i)) return NULL;
    uint32_t u = (uint32_t)arr_get_int(y, i);
    if (!utf8_holds(u)) {
      arg_no_char(v, "⎕UCS", u);
      return NULL;
    }
    n += put_units(r, n, u, bits, wraps);
  }
  OWNED arr *units = arr_vec(v->c, ET_I64, n);
  if (!units || !arr_copy_long(units, 0, r, 0, n)) return NULL;
  return sc_narrow(v->c, arr_move(&units));
}

/* A text that is decoded unit by unit. */
typedef struct decoder {
  int bits;
  int64_t lo, hi;  /* of a unit */
  int64_t pending; /* UTF-16: the first half of a pair, or 0 */
  str *s;
} decoder;

/* Takes the next unit; false if it cannot stand here. */
static bool decode_unit(decoder *d, int64_t u) {
  bool first = u >= 0xD800 && u < 0xDC00, second = u >= 0xDC00 && u < 0xE000;
  if (d->bits == 8) {
    str_put(d->s, &(char){(char)(unsigned char)(u & 255)}, 1);
    return true;
  }
  if (d->bits == 16 && second && d->pending) {
    str_putc(d->s, (uint32_t)(0x10000 + ((d->pending - 0xD800) << 10) + (u - 0xDC00)));
    d->pending = 0;
    return true;
  }
  if (d->pending) return false;
  if (d->bits == 16 && first) {
    d->pending = u;
    return true;
  }
  if (first || second) return false;
  str_putc(d->s, (uint32_t)u);
  return true;
}

static bool is_utf8(const str *s) {
  const char *p = s->at, *end = p + s->n;
  for (int64_t i = 0; s->n && p < end; i++) {
    const char *was = p;
    if (stops_at(s->c, i)) return false;
    if (utf8_next(p, end, &p) == 0xFFFD && p - was != 3) return false;
  }
  return true;
}

static bool decode_units(vm *v, const arr *y, decoder *d) {
  for (int64_t i = 0; i < y->count; i++) {
    int64_t u;
    if (stops_at(v->c, i)) return false;
    if (!unit_at(v, y, i, d->lo, d->hi, &u)) return false;
    if (!decode_unit(d, u)) return false;
  }
  return !d->pending && (d->bits != 8 || is_utf8(d->s));
}

/* The text that code units stand for. */
static arr *ucs_decode(vm *v, const arr *y, int bits, bool wraps) {
  OWNED_STR str s = {.c = v->c};
  decoder d = {.bits = bits, .hi = 0x10FFFF, .s = &s};
  if (bits == 8) d.hi = 255;
  if (bits == 16) d.hi = 0xFFFF;
  if (wraps) {
    d.lo = -128;
    d.hi = 127;
  }
  if (decode_units(v, y, &d)) return str_take(v, &s);
  return err_null(v->c, ERR_DOMAIN, "⎕UCS: this is not valid UTF-%d", bits);
}

/* The bits of a unit of the scheme that a names; 0: it names none. */
static int scheme_bits(vm *v, const arr *a) {
  OWNED_STR str s = {.c = v->c};
  if (!elt_is_char((elt)a->type) || a->rank != 1) return 0;
  for (int64_t i = 0; i < a->count; i++) str_putc(&s, (uint32_t)arr_get_int(a, i));
  if (!s.n) return 0;
  if (!strcmp(s.at, "UTF-8")) return 8;
  if (!strcmp(s.at, "UTF-16")) return 16;
  if (!strcmp(s.at, "UTF-32")) return 32;
  return 0;
}

/* 'UTF-8', 'UTF-16', 'UTF-32', or 'UTF-8' 83, whose units are -128 to 127: the bits of a unit;
 * 0 after an error. */
static int ucs_scheme(vm *v, arr *x, bool *wraps) {
  const arr *name = x;
  *wraps = false;
  if (x->type == ET_NEST && x->rank == 1 && x->count == 2) {
    const arr *n = arr_item(x, 1);
    *wraps = n->type <= ET_F64 && n->count == 1 && arr_get_float(n, 0) == 83;
    if (*wraps) name = arr_item(x, 0);
  }
  int bits = scheme_bits(v, name);
  if (bits == 8 || (bits && !*wraps)) return bits;
  err_set(v->c, ERR_DOMAIN, "⎕UCS knows 'UTF-8', 'UTF-8' 83, 'UTF-16' and 'UTF-32'");
  return 0;
}

bool sys_ucs(vm *v, arr *x, arr *y, arr **r) {
  bool wraps;
  if (!x) return give_result(r, ucs_simple(v, y));
  if (!ir_host(v->g, x) || !ir_host(v->g, y)) return false;
  int bits = ucs_scheme(v, x, &wraps);
  if (!bits) return false;
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕UCS: a vector is wanted");
  if (y->type == ET_NEST || y->type == ET_C128)
    return err_set(v->c, ERR_DOMAIN, "⎕UCS: characters or code units are wanted");
  if (elt_is_char((elt)y->type)) return give_result(r, ucs_encode(v, y, bits, wraps));
  return give_result(r, ucs_decode(v, y, bits, wraps));
}

/* ── ⎕C ─────────────────────────────────────────────────────────────────────────────── */

static arr *cased(vm *v, arr *y, int how);

typedef struct casing {
  vm *v;
  int how; /* CASE_… */
} casing;

static arr *cased_item(void *user, ctx *c, const arr *y, int64_t i) {
  const casing *k = user;
  UNUSED(c);
  return cased(k->v, arr_item(y, i), k->how);
}

/* Simple characters with their case changed. Those below 256 are looked up once each. */
static arr *cased_text(vm *v, const arr *y, int how) {
  uint32_t known[256] = {0}, *at = mem_alloc(v->c, ((size_t)y->count + 1) * sizeof *at);
  if (!at) return NULL;
  for (int64_t i = 0; i < y->count && !stops_at(v->c, i); i++) {
    uint32_t u = (uint32_t)arr_get_int(y, i);
    if (u >= ARRAY_LEN(known)) at[i] = case_change(u, how);
    else {
      if (!known[u]) known[u] = case_change(u, how);
      at[i] = known[u];
    }
  }
  arr *r = NULL;
  if (!err_is(v->c)) r = arr_chars(v->c, y->rank, y->shape, at);
  mem_free(v->c, at);
  return r;
}

static arr *cased(vm *v, arr *y, int how) {
  ir_call call = call_of(v);
  arr *node = ir_translate(&call, y, case_change, how);
  if (node || err_is(v->c)) return node;
  if (!ir_settle(v->g, y)) return NULL;
  if (y->type <= ET_C128) return arr_retain(y);
  if (!ir_host(v->g, y)) return NULL;
  if (elt_is_char((elt)y->type)) return cased_text(v, y, how);
  casing k = {v, how};
  return arr_map(v->c, y, cased_item, &k);
}

bool sys_case(vm *v, arr *x, arr *y, arr **r) {
  int64_t how = -3;
  if (x && !ir_host(v->g, x)) return false;
  if (x && !arg_int(v, x, &how, "⎕C's left argument")) return false;
  if (how != 1 && how != -1 && how != -3)
    return err_set(v->c, ERR_DOMAIN, "⎕C's left argument is 1, ¯1 or ¯3");
  return give_result(r, cased(v, y, (int)how));
}

/* ── ⎕VFI ───────────────────────────────────────────────────────────────────────────── */

typedef struct found {
  ctx *c;
  VEC(tnum) num;
  VEC(uint8_t) valid;
} found;

static void found_free(found *f) {
  vec_free(f->c, &f->num);
  vec_free(f->c, &f->valid);
}

/* The field [p, end), blanks around it left out; what is empty counts as 0. */
static bool vfi_field(const char *p, const char *end, found *f) {
  tnum n = {0};
  if (stops_at(f->c, (int64_t)f->num.n)) return false;
  while (p < end && *p == ' ') p++;
  while (end > p && end[-1] == ' ') end--;
  bool ok = p == end || lex_number(p, end, &n) == (size_t)(end - p);
  if (!ok) n = (tnum){0};
  return vec_push(f->c, &f->num, n) && vec_push(f->c, &f->valid, (uint8_t)ok);
}

/* The fields of s. Without separators blanks separate, any number of them together. */
static bool vfi_fields(const str *seps, const str *s, found *f) {
  const char *p = s->at, *end = p + s->n, *from = p, *next;
  bool any = false;
  for (; p < end; p = next) {
    if (stops_at(f->c, p - s->at)) return false;
    uint32_t u = utf8_next(p, end, &next);
    if (seps ? !utf8_among(u, seps->at, seps->at + seps->n) : u != ' ') continue;
    any = true;
    if ((seps || p > from) && !vfi_field(from, p, f)) return false;
    from = next;
  }
  for (p = from; p < end && *p == ' ';) p++;
  bool nothing_left = p == end && (!seps || !any);
  return nothing_left || vfi_field(from, end, f);
}

/* The numbers of the fields as a vector, and which of them are numbers. */
static arr *vfi_result(vm *v, const found *f) {
  int64_t n = (int64_t)f->num.n;
  OWNED arr *ok = arr_vec(v->c, ET_BIT, n);
  OWNED arr *num = NULL;
  if (n) num = literal_numbers(v->c, f->num.at, n);
  else num = arr_vec(v->c, ET_I8, 0);
  if (!ok || !num) return NULL;
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(v->c, i)) return NULL;
    arr_put_int(ok, i, f->valid.at[i]);
  }
  if (num->rank) return items_pair(v, arr_move(&ok), arr_move(&num));
  return items_pair(v, arr_move(&ok), arr_reshape(v->c, num, 1, &n)); /* one number */
}

bool sys_vfi(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str seps = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  __attribute__((cleanup(found_free))) found f = {.c = v->c};
  if (x && !arg_text(v, x, "⎕VFI's left argument", &seps)) return false;
  if (!arg_text(v, y, "⎕VFI's argument", &s)) return false;
  if (!vfi_fields(x ? &seps : NULL, &s, &f)) return false;
  return give_result(r, vfi_result(v, &f));
}
