/* SPDX-License-Identifier: MIT */
/* na.h - what ⎕NA is told of a function of a C library, and how arrays become what C takes.
 *
 *   na_parse.c   a declaration as a tree of types
 *   na_value.c   arrays ↔ the bytes that a type describes
 *   na.c         ⎕NA itself: libraries, calls */
#ifndef VAPL_EXT_NA_H
#define VAPL_EXT_NA_H
#include "../../src/base/mem.h"
#include "../../src/base/str.h"
#include "../../src/eval/value/vm.h"

enum { NA_MOST = 64 }; /* arguments of a function */

typedef enum na_kind {
  NA_INT,
  NA_UNSIGNED,
  NA_CHAR, /* C and T */
  NA_FLOAT,
  NA_COMPLEX,
  NA_POINTER,
  NA_UTF, /* a text, as UTF-8 or, of width 2, UTF-16 */
  NA_STRUCT
} na_kind;

/* How many elements there are: one; up to a zero; as many as a number in front says; so many. */
typedef enum na_form { NA_ONE, NA_ZERO, NA_COUNTED, NA_ARRAY } na_form;

typedef struct na_type {
  na_kind kind;
  na_form form;
  char way;       /* < into C, > out of it, = both, 0 by value */
  bool sized;     /* [n] */
  uint32_t width; /* bytes of a number or a character */
  int64_t n;      /* of [n] */
  size_t element; /* bytes of one element, of a structure all of its fields */
  struct na_type *first, *next; /* fields; of a field the next one */
  uint32_t at, end;             /* where it stands in the declaration */
} na_type;

typedef struct na_declaration {
  arena mem;
  str text, library, function;
  na_type *result; /* NULL: none */
  na_type *arg[NA_MOST];
  uint32_t n;
} na_declaration;

/* Reads d->text. DOMAIN ERROR with the column. */
bool na_parse(vm *v, na_declaration *d);
void na_drop(na_declaration *d);

/* What the elements of a type take with n of them: a terminator and a number in front too. False:
 * too many. */
bool na_bytes(const na_type *t, int64_t n, size_t *bytes);
/* How many elements t has for the array x: of a text those that it is encoded by. */
bool na_length(vm *v, const na_type *t, const arr *x, int64_t *n);

/* Where an argument stands, for errors. */
typedef struct na_place {
  const na_declaration *d;
  uint32_t arg; /* from 0 */
} na_place;
/* x, on the host with all of its items, as n elements of t from `to` on, zeroed before. */
bool na_put(vm *v, const na_place *p, const na_type *t, const arr *x, int64_t n,
            char *to);
/* The same of what is given by value: element p->arg of the arguments y. */
bool na_put_number(vm *v, const na_place *p, const arr *y, char *to);
/* The array of n elements of t that stand from `from` on; up to a zero where t says so. */
arr *na_get(vm *v, const na_place *p, const na_type *t, int64_t n, const char *from);
/* Is x stored as C wants t? Then it may be given as it lies. */
bool na_lies_right(const na_type *t, const arr *x);
#endif
