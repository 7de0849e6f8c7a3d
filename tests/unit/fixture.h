/* SPDX-License-Identifier: MIT */
/* fixture.h - what the tests of the direct path share: a context whose n-th allocation can be
 * made to fail, an environment, and arrays from C lists: I(1, 2) integers, BITS(0, 1),
 * F(.5). */
#ifndef VAPL_TEST_FIXTURE_H
#define VAPL_TEST_FIXTURE_H
#include <stdlib.h>
#include "src/prim/direct.h"
#include "src/array/element.h"

static ctx c;
static prim_env env;
static int64_t fail_at; /* the how manieth allocation from now fails; 0: none */

static void *resize(void *user, void *p, size_t old, size_t size) {
  UNUSED(user);
  UNUSED(old);
  if (!size) {
    free(p);
    return NULL;
  }
  if (fail_at && --fail_at == 0) return NULL;
  return realloc(p, size);
}

static int setup(void **state) {
  UNUSED(state);
  fail_at = 0;
  ctx_init(&c, resize, NULL);
  env = (prim_env){.c = &c, .ct = 1e-14, .io = 1};
  return 0;
}
static int teardown(void **state) {
  UNUSED(state);
  err_clear(&c);
  return c.blocks_live == 0 ? 0 : -1;
}

/* ── arrays from C ──────────────────────────────────────────────────────────────────── */

static arr *ints(elt t, int n, const int64_t *v) { /* n < 0: a scalar */
  int64_t len = n;
  arr *a = arr_new(&c, t, n >= 0, &len);
  for (int64_t i = 0; a && i < a->count; i++) arr_put_int(a, i, v[i]);
  return a;
}
static arr *reals(elt t, int n, const double *v) {
  int64_t len = n;
  arr *a = arr_new(&c, t, n >= 0, &len);
  for (int64_t i = 0; a && i < a->count; i++) arr_put_float(a, i, v[i]);
  return a;
}
#define N_OF(T, ...) ((int)(sizeof((T[]){__VA_ARGS__}) / sizeof(T)))
#define I(...) ints(ET_I64, N_OF(int64_t, __VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define BITS(...) ints(ET_BIT, N_OF(int64_t, __VA_ARGS__), (int64_t[]){__VA_ARGS__})
#define F(...) reals(ET_F64, N_OF(double, __VA_ARGS__), (double[]){__VA_ARGS__})
#endif
