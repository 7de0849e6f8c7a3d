/* SPDX-License-Identifier: MIT */
/* lower.h - prim.def's bodies as KIR. */
#ifndef VAPL_KIR_LOWER_H
#define VAPL_KIR_LOWER_H
#include "../tables/prim.h"
#include "kir.h"

/* One body of prim.def: p's row for arguments of a class, or the F body that stands in
 * for an F row whose integer result escaped. */
typedef struct prim_body {
  prim p;
  bool dyadic;
  cls row;
  bool float_variant;
  bool no_overflow; /* ranges prove it: checked operations become plain ones */
} prim_body;

/* What it is applied to: x and y are values of the row's type (KB; KI32 or KI64, both the
 * same; KF32 or KF64, both the same), ct that of ⎕CT (KF64), which tolerant rows use. */
typedef struct prim_values {
  kv x, y, ct;
  kv x_im, y_im; /* C */
  int fault;     /* the fault id that it may raise */
  kv under; /* 1 + the truth value that says of which elements it may raise it; or 0 */
} prim_values;

/* Appends the body to k. Returns the result's value: KB for result B; for I the integer
 * type of x and y, or KI64 from an F row; else a float. */
kv prim_lower(ctx *c, kir *k, const prim_body *b, const prim_values *v);

/* The CPLX row of b, whose row is C, to complex numbers, of which v has the real parts, as
 * prim/complex.c applies it. Returns the real part of the result; *im: its imaginary part, which
 * a result of another class than C has not. */
kv prim_lower_complex(ctx *c, kir *k, const prim_body *b, const prim_values *v, kv *im);

/* math.def's HYPOT of two f64. */
kv kir_hypot(ctx *c, kir *k, kv x, kv y);

/* Which flags of its fault the body may set; whether it uses `ct`. */
/* LOOPS: a device may give up, by that fault. */
enum { PRIM_ERRS = 1, PRIM_ESCAPES = 2, PRIM_TOLERANT = 4, PRIM_LOOPS = 8 };
unsigned prim_faults(const prim_body *b);
/* About how many instructions the row has, or the longest up to it. */
unsigned prim_size(prim p, bool dyadic, cls row);

/* Appends draw number `at` (i64) of the generator keyed by `seed` (i64): a KI64 below
 * *below, a positive integer, or, if that is NULL, a KF64 between 0 and 1. */
kv random_lower(ctx *c, kir *k, kv at, kv seed, const kv *below);
/* Appends place `at` of a long deal, i64 all: how has n, a, 2^32 ÷ a, b and the keys of shuffle.def. It
 * loops. */
kv deal_lower(ctx *c, kir *k, kv at, const kv *how, int fault);
#endif
