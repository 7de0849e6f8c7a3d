/* SPDX-License-Identifier: MIT */
/* args.h - reading the arguments of primitives: whole numbers and axes. */
#ifndef VAPL_PRIM_ARGS_H
#define VAPL_PRIM_ARGS_H
#include "direct.h"

arr *fail(prim_env *e, int code, const char *msg); /* records the error; NULL */

bool is_scalar_like(const arr *y); /* one element, whatever the rank */
static inline int last_axis(int rank) { return rank ? rank - 1 : 0; } /* a scalar's: 0 */
/* Element i of y as a whole number, within ⎕CT. Returns false, with no error, if it is none. */
bool prim_int_at(prim_env *e, const arr *y, int64_t i, int64_t *v);
/* An argument that must be one whole number. LENGTH or DOMAIN ERROR, naming `what`. */
bool prim_int(prim_env *e, const arr *y, const char *what, int64_t *v);
/* An argument that must be whole numbers, as an integer array of the same shape (y
 * itself, retained, if it is one): near-integers are rounded, DOMAIN ERROR naming `what`
 * otherwise. */
arr *prim_ints(prim_env *e, arr *y, const char *what);
/* v as APL writes it, for messages. */
typedef struct int_text {
  char at[32];
} int_text;
int_text prim_int_text(int64_t v);
/* One axis from the brackets as a number from 0; RANK ERROR unless it is an axis of y. */
bool prim_axis(prim_env *e, const arr *axis, const arr *y, int *k);
/* `axis` as whole axis numbers from 0, each in 0..rank-1 and different: fills k, returns
 * how many, -1 after an error. */
int axes_of(prim_env *e, const arr *axis, int rank, int *k);
#endif
