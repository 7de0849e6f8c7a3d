/* SPDX-License-Identifier: MIT */
/* value.h - what a name can stand for: an array, a function, an operator.
 *
 * OWNERSHIP is as in array.h: a function borrows its arguments, and what it gives is the
 * caller's. A local value that owns is declared OWNED_VALUE (a function: OWNED_FN, fn.h) and
 * goes back where its block ends; value_move hands it on. */
#ifndef VAPL_EVAL_VALUE_H
#define VAPL_EVAL_VALUE_H
#include "../../array/array.h"

/* Name classes, as ⎕NC has them. */
enum { C_NONE = 0, C_ARR = 2, C_FN = 3, C_OP = 4 };

struct fn;
typedef struct value {
  uint8_t cls; /* C_NONE: no value */
  union {
    arr *a;
    struct fn *f;
  };
} value;

/* Both take the reference over; NULL gives no value. */
static inline value value_arr(arr *a) {
  return (value){.cls = a ? C_ARR : C_NONE, .a = a};
}
static inline value value_fn(struct fn *f, int name_class) {
  return (value){.cls = (uint8_t)(f ? name_class : C_NONE), .f = f};
}

/* *r is a; false if it is NULL. */
static inline bool give_result(arr **r, arr *a) {
  *r = a;
  return a != NULL;
}

value value_retain(value x);
void value_release(value x);
void value_set(value *at, value x); /* retains x, releases what was there */
/* Releases what is there, if anything. */
static inline void value_clear(value *at) {
  value old = *at;
  *at = (value){0};
  if (old.cls) value_release(old);
}

#define OWNED_VALUE __attribute__((cleanup(value_clear)))
static inline value value_move(value *x) {
  value r = *x;
  *x = (value){0};
  return r;
}
#endif
