/* SPDX-License-Identifier: MIT */
/* scalar.h - the scalar functions of the direct path: the rows of prim.def as C loops
 * over buffers of one C type (rows.c), the loads and stores between arrays and such
 * buffers (buffers.c), and the functions on whole arrays (scalar.c).
 *
 * Four C types serve the three classes: B is bool, I is int64_t, F is double, or float
 * when the result is f32. A loop is given its arguments in the row's type, and gives its
 * result in bool, int64_t or the row's float type. */
#ifndef VAPL_PRIM_SCALAR_H
#define VAPL_PRIM_SCALAR_H
#include "direct.h"
#include "../array/convert.h"

typedef enum sc_type { SC_B, SC_I, SC_D, SC_S, SC_TYPES } sc_type; /* bool i64 f64 f32 */

/* What the bodies read and report. */
typedef struct sc_state {
  double ct;
  bool err; /* ERRIF struck */
  bool inf; /* FIN struck */
  bool esc; /* a checked operation or ESCIF escaped */
} sc_state;

/* ── rows.c ─────────────────────────────────────────────────────────────────────────── */

/* An argument of a loop: elements one after the other (step 1), or one for all (step
 * 0). */
typedef struct sc_arg {
  const void *at;
  int64_t step;
} sc_arg;
/* r[i] = x[i×step] f y[i×step] for i < n. A monadic loop reads x and ignores it. */
typedef void sc_fn(sc_state *s, sc_arg x, sc_arg y, void *r, int64_t n);
typedef struct sc_row {
  sc_fn *fn;
  uint8_t result; /* cls */
  bool host;      /* a HOSTDYA row: not for KIR */
} sc_row;

/* The first row of B, I, F, host rows included, that holds `at_least`, and its class;
 * NULL if there is none. `single`: the f32 loop of an F row. */
const sc_row *sc_find(prim p, bool dyadic, cls at_least, bool single, cls *row);
/* The variant of a row for arguments that make it escape; NULL if there is none. */
const sc_row *sc_float_variant(prim p, bool dyadic, cls on, bool single);
/* DOMAIN ERROR for what `s` reports. Always NULL. */
arr *sc_fault(ctx *c, prim p, bool dyadic, const sc_state *s);

/* ── buffers.c ──────────────────────────────────────────────────────────────────────── */

static inline size_t sc_size(sc_type t) {
  if (t == SC_B) return 1;
  if (t == SC_S) return 4;
  return 8;
}
static inline sc_type sc_type_of(cls row, bool single) {
  if (row == CLS_B) return SC_B;
  if (row == CLS_I) return SC_I;
  if (single) return SC_S;
  return SC_D;
}
elt sc_elt(sc_type t);
/* n elements from a[i], a[i+step], … as type t. Floats are never asked for as B or I. */
void sc_load(const arr *a, int64_t i, int64_t step, int64_t n, sc_type t, void *out);
/* n elements into r[i], r[i+step], …: r is a bit, i64, f64 or f32 array, as t is. */
void sc_store(arr *r, int64_t i, int64_t step, int64_t n, sc_type t, const void *from);
/* Is what functions of x (NULL: none) and y give f32? */
static inline bool sc_single(const arr *x, const arr *y) {
  return arr_float_type(x, y) == ET_F32;
}
/* The type of what real or complex functions of x (NULL: none) and y give. */
static inline elt sc_number_type(const arr *x, const arr *y) {
  if (y->type == ET_C128 || (x && x->type == ET_C128)) return ET_C128;
  return arr_float_type(x, y);
}
/* Takes an owned i64 array and gives it in its narrowest type, with its range; others as
 * they are. NULL stays NULL. */
arr *sc_narrow(ctx *c, arr *a);

/* ── scalar.c ───────────────────────────────────────────────────────────────────────── */

/* prim_monadic and prim_dyadic for the functions that are scalar. */
arr *sc_monadic(prim_env *e, prim f, arr *y);
arr *sc_dyadic(prim_env *e, prim f, arr *x, arr *y);
#endif
