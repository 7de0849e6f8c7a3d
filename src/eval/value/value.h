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
enum { C_NONE = 0, C_ARR = 2, C_FN = 3, C_OP = 4, C_SPACE = 9 }; /* C_SPACE: C_ARR here */
/* The cell of a name that a call has in a slot, while a traditional function sees it: the value is `at` (env.h). */
enum { C_SLOT = 0x40 };

/* Scalars that primitives make of scalars need no array: where `num` says so, a value of class
 * C_ARR is the number itself. Such values stay where dfns run: they are arguments and results of
 * calls and what local names stand for; value_box makes arrays of them for all else. */
struct fn;
typedef struct value {
  union {
    struct {
      uint8_t cls; /* C_NONE: no value */
      uint8_t num; /* CLS_I: i, CLS_F: d; CLS_NONE: a */
    };
    uint16_t head; /* both */
  };
  union {
    arr *a;
    struct fn *f;
    struct value *at;
    int64_t i;
    double d;
  };
} value;

/* Values are copied by these two parts: a processor waits until what was written in parts is in
 * the cache before it reads it as a whole. */
static inline void value_copy(value *to, const value *x) {
  to->head = x->head;
  to->i = x->i;
}
static inline void value_put_number(value *to, unsigned cls_of, int64_t bits) {
  to->head =
      (uint16_t)(C_ARR | cls_of << 8); /* little-endian, as host/loops_isa.h asks */
  to->i = bits;
}

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

void value_drop(value x); /* value_release of an array or a function, or of C_SLOT */
static inline void value_release(value x) {
  if (!LIKELY(!x.cls || x.num)) value_drop(x);
}
/* x becomes an array if it is a number without one; false if there is no memory for that. */
bool value_make_array(ctx *c, value *x);
static inline bool value_box(ctx *c, value *x) {
  return !x->num || value_make_array(c, x);
}
/* Releases what is there, if anything. */
static inline void value_clear(value *at) {
  value old = {0};
  if (!LIKELY(!at->cls || at->num)) value_copy(&old, at);
  *at = (value){0};
  if (old.cls) value_drop(old);
}

static inline void value_set_number(value *at, unsigned cls_of, int64_t bits) {
  value_clear(at);
  value_put_number(at, cls_of, bits);
}

#define OWNED_VALUE __attribute__((cleanup(value_clear)))
static inline value value_move(value *x) {
  value r;
  value_copy(&r, x);
  *x = (value){0};
  return r;
}
static inline void value_give(value *to, value *x) { /* what is in *to is lost */
  value_copy(to, x);
  *x = (value){0};
}
#endif
