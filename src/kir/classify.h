/* SPDX-License-Identifier: MIT */
/* classify.h - which folds are monoids in disguise.
 *
 * APL folds from the right: f/v is v0 f (v1 f (… f vn)), and most f are not associative.
 * But x → v f x is a function of one variable, and functions compose associatively. Where
 * these functions have a small closed form that composition does not leave, the fold is a
 * reduction over the forms, and a scan a scan of them:
 *
 *   f/v   the composition F0∘F1∘…∘F(n-1) of the others, applied to the last element
 *   f\v   element j: the composition of those before it (exclusive), applied to it
 *   forward scan: r0 = v0, rj = vj f r(j-1): the composition the other way round
 *
 * kir_classify derives the form from f's body, symbolically: KIR in, KIR out, never running
 * it. Everything is of one type S: the body's elements (ARG 0), its state (ARG 1) and its
 * result. docs/folds.md has the classes, their bounds and the arguments for these. */
#ifndef VAPL_KIR_CLASSIFY_H
#define VAPL_KIR_CLASSIFY_H
#include "kir.h"
#include "range.h"

enum { KCLASS_MAX = 4 }; /* components */

typedef enum kclass_kind {
  KCLASS_NONE,    /* no class fits: sequential */
  KCLASS_MONOID,  /* x joined by a row of folds.def; no tuple, no kernels */
  KCLASS_BOOLEAN, /* two states: a table of two truth values */
  KCLASS_STATES,  /* up to 16 states: a table in one word */
  KCLASS_AFFINE,  /* a + b×x */
  KCLASS_CLAMP,   /* hi ⌊ lo ⌈ a + b×x */
  KCLASS_PRODUCT, /* c×x or c÷x */
  KCLASS_MOBIUS   /* (p×x + q) ÷ (r×x + s), all positive */
} kclass_kind;

typedef struct kclass_ask {
  const kir *body; /* MAP; ARG 0 = v, ARG 1 = x, out[0].value, all of one type */
  bool forward;    /* join(earlier, later) is later∘earlier, else earlier∘later */
  range element, state; /* integers: what values are in; range_unknown() else */
} kclass_ask;

/* The three kernels are MAPs of ARGs and the body's params. Fault 0 is their only one, and
 * only ever escapes: then the fold has to be done sequentially, which also says which error
 * the body has, and where. */
typedef struct kclass {
  kclass_kind kind;
  const char *name; /* "affine", for ]plan; static, never NULL */
  const char *why;  /* a sentence for ]plan; static, never NULL */
  kfold monoid;     /* MONOID: the row */
  bool peel;  /* the value that the others are applied to may be anything: f is to be
                       applied to it once, directly, and the result is the value meant here.
                       Not needed where it is known to be one of the states */
  bool exact; /* any bracketing gives the same, else the tree shows */
  uint8_t n;  /* components; 0 for NONE and MONOID */
  uint8_t ty[KCLASS_MAX];    /* kty of each */
  kimm identity[KCLASS_MAX]; /* the function that gives back what it is given */
  kimm at;   /* of S: what a composition with a start in it is applied to */
  kir lift;  /* OWNED. ARG 0 = v, 1 = KB start, 2 = x: the tuple of x → v f x, or where
                start is true one that gives x at `at` */
  kir join;  /* OWNED. ARG 0..n-1 the tuple of the earlier position, n..2n-1 of the later
                one: the tuple of both */
  kir apply; /* OWNED. ARG 0..n-1 a tuple, n = a value: the function there */
} kclass;

/* Fills *r. False if memory ran out: the error is in c, and *r is empty. */
bool kir_classify(ctx *c, const kclass_ask *ask, kclass *r);
void kclass_free(ctx *c, kclass *r); /* leaves it empty */
#endif
