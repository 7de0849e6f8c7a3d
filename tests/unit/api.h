/* SPDX-License-Identifier: MIT */
/* api.h - what the tests of the library's interface share: what must succeed, values of texts. */
#ifndef VAPL_TEST_API_H
#define VAPL_TEST_API_H
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <cmocka.h>

#include "runtime/vapl.h"

#define OK(call) assert_int_equal((call), VAPL_OK)
#define EARG(call) assert_int_equal((call), VAPL_EARG)

static inline vapl_array *value(vapl *v, const char *text) {
  vapl_array *r = NULL;
  vapl_status s = vapl_eval(v, text, VAPL_STRLEN, NULL, &r);
  if (s) print_error("%s: %s\n", text, vapl_last_error(v)->message);
  OK(s);
  assert_non_null(r);
  return r;
}

static inline int64_t number(vapl *v, const char *text) {
  int64_t n = 0;
  vapl_array *r = value(v, text);
  OK(vapl_read(v, r, VAPL_I64, &n, sizeof n));
  vapl_release(r);
  return n;
}
#endif
