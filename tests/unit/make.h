/* SPDX-License-Identifier: MIT */
/* make.h - short ways to make and compare arrays in unit tests.
 *
 * I("1 2 3") ints, F("1.5 2") floats, T("abc") text, N(n, items…) a nested vector that takes
 * its items over (simple scalars included), S("2 3", a) reshapes to any shape, recycling as ⍴
 * does, and takes a over. None of these may fail: they are for allocators that do not. */
#ifndef VAPL_TEST_MAKE_H
#define VAPL_TEST_MAKE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/array/array.h"
#include "src/array/convert.h"
#include "src/array/display.h"
#include "src/array/element.h"

static ctx C;
static int fail_at; /* the allocation that fails, counted down; 0: none */

static void *test_resize(void *user, void *p, size_t old_size, size_t n) {
  UNUSED(user);
  UNUSED(old_size);
  if (n == 0) {
    free(p);
    return NULL;
  }
  if (fail_at && --fail_at == 0) return NULL;
  return realloc(p, n);
}

/* The teardown of a group. */
static inline int no_leak(void **state) {
  (void)state;
  return C.blocks_live == 0 && C.bytes_live == 0 ? 0 : -1;
}

static inline int64_t numbers(const char *z, double *to) {
  int64_t n = 0;
  for (char *end; *z; z = end) {
    double v = strtod(z, &end);
    if (end == z) break;
    to[n++] = v;
  }
  return n;
}

static inline arr *typed(elt t,
                         const char *z) { /* -1 for negative, inf and nan for floats */
  double v[256];
  int64_t n = numbers(z, v);
  arr *a = arr_vec(&C, t, n);
  for (int64_t i = 0; i < n; i++) {
    if (elt_is_float(t) || t == ET_C128) arr_put_float(a, i, v[i]);
    else arr_put_int(a, i, (int64_t)v[i]);
  }
  return a;
}

static inline arr *I(const char *z) {
  double v[256];
  int64_t n = numbers(z, v), lo = 0, hi = 0;
  for (int64_t i = 0; i < n; i++) {
    if (v[i] < (double)lo) lo = (int64_t)v[i];
    if (v[i] > (double)hi) hi = (int64_t)v[i];
  }
  return typed(elt_for_range(lo, hi), z);
}
static inline arr *F(const char *z) { return typed(ET_F64, z); }
static inline arr *T(const char *z) { return arr_text(&C, z, strlen(z)); }
static inline arr *N(int n, ...) {
  va_list ap;
  va_start(ap, n);
  arr *a = arr_vec(&C, ET_NEST, n);
  for (int i = 0; i < n; i++) ((arr **)a->host)[i] = va_arg(ap, arr *);
  va_end(ap);
  return a;
}

static inline arr *S(const char *shape, arr *a) {
  double v[256];
  int64_t dims[16];
  int rank = (int)numbers(shape, v);
  for (int k = 0; k < rank; k++) dims[k] = (int64_t)v[k];
  arr *r = arr_new(&C, (elt)a->type, rank, dims);
  for (int64_t i = 0; a->count && i < r->count; i++) arr_copy(r, i, a, i % a->count, 1);
  if (!r->count && r->type == ET_NEST)
    ((arr **)r->host)[0] = arr_proto(&C, arr_item(a, 0));
  arr_release(a);
  return r;
}
static inline arr *E(arr *a) { /* enclose */
  arr *r = arr_enclose(&C, a);
  arr_release(a);
  return r;
}

/* The display of a, which is released. */
static inline char *shown(arr *a, int pp, int pw, int boxed) {
  static char buf[1 << 16];
  str s = {.c = &C};
  fmt_opts o = {pp, pw, boxed};
  bool ok = a && arr_display(&C, a, &o, &s);
  const char *text = s.at ? s.at : "";
  if (!ok) text = err_name(C.err.code);
  strncpy(buf, text, sizeof buf - 1);
  str_free(&s);
  arr_release(a);
  err_clear(&C);
  return buf;
}
#endif
