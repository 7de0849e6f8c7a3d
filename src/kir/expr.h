/* SPDX-License-Identifier: MIT */
/* expr.h - a function of two scalars as data: what a function of the language computes,
 * before it is known of which types; and the kernel body that it is for given ones.
 *
 *   a function ──▶ kexpr ──(types of the element and of the state)──▶ kir
 *
 * The left argument of a fold's function is an element, the right one the state: what was
 * folded so far. A kexpr is a straight line of applications of scalar primitives; choices
 * evaluate both sides, and what may fault in a side that is not chosen computes with ones
 * instead of its arguments.
 *
 * A map's function is one of an element of each argument. It may have loops, while (again) the
 * carried values become the next: CARRYs, what `again` needs, AGAIN, what comes next, NEXTs, in a
 * scope of their own, which is within the one around it. */
#ifndef VAPL_KIR_EXPR_H
#define VAPL_KIR_EXPR_H
#include "lower.h"
#include "range.h"

enum { KEXPR_MAX = 160, KEXPR_PARAMS = 16, KEXPR_SCOPES = 8 };
typedef enum kexpr_op {
  KEXPR_LEFT,
  KEXPR_RIGHT,
  KEXPR_CONST,  /* value, of type */
  KEXPR_PARAM,  /* scalar number a of the call, of type */
  KEXPR_MONAD,  /* prim of a */
  KEXPR_DYAD,   /* a prim b */
  KEXPR_SELECT, /* a, a truth value, chooses: b if it is 1, else c */
  KEXPR_JOIN,   /* a of the class that a vector of it and b has */
  KEXPR_HYPOT,  /* the magnitude of the complex number of the floats a and b */
  KEXPR_TRUTH,  /* a as a truth value; an error if it is none */
  KEXPR_CARRY,  /* number b of the values that a loop carries; a is what it begins as */
  KEXPR_AGAIN,  /* a says whether the loop goes on */
  KEXPR_NEXT,   /* a becomes that of the CARRY b */
  KEXPR_AFTER   /* what the CARRY a is behind the loop */
} kexpr_op;
typedef struct kexpr_ins {
  uint8_t op, type /* elt */;
  uint16_t prim, a, b, c;
  uint16_t under; /* 1 + the truth value that must be 1 for this to count; 0: always */
  uint16_t scope, unused;
  kimm value;
} kexpr_ins;
/* Compared and hashed as bytes: zeroed before it is filled. */
typedef struct kexpr {
  uint32_t n, n_param;
  uint32_t result;
  uint8_t scope, n_scope;       /* where instructions are added; 0: around all loops */
  uint8_t around[KEXPR_SCOPES]; /* of each scope */
  uint16_t unused;
  kexpr_ins ins[KEXPR_MAX];
} kexpr;

/* Appends an instruction, or finds the equal one; its number, or -1 where there is no
 * room. */
int kexpr_add(kexpr *e, kexpr_ins in);
/* A scope for a loop's instructions, until kexpr_leave. False: there are too many. */
bool kexpr_enter(kexpr *e);
void kexpr_leave(kexpr *e);
/* Is the function left p right, or its equal with the arguments exchanged? */
bool kexpr_is_prim(const kexpr *e, prim *p);

typedef struct kexpr_ask {
  elt element;      /* what the elements are stored as: a number */
  range of_element; /* integers: what they lie in */
  bool wide;        /* an integer result has escaped: floats throughout */
  bool map;         /* of an element of each argument: the right one's are as follows */
  elt right;
  range of_right;
} kexpr_ask;

/* What a fold's function is for elements of a type. */
typedef struct kexpr_body {
  kir k;  /* MAP: ARG 0 the element, ARG 1 the state, both of `ty`, as its only output is;
             * PARAM n: scalar n of the call, behind them ⎕CT. One fault id, 0 */
  kty ty; /* of the state: KB, KI64, KF32 or KF64; elements are converted to it */
  cls result;     /* of an application: it may be narrower than the state */
  range of_state; /* integers: what every state lies in */
  bool may_fault;
  bool rounds;       /* floats become integers, and escape where these are too large */
  bool leaves_reals; /* an escape may mean that a result is complex */
  /* A map's: the outputs type is ty; the class may be a lesser one for each element. */
  bool mixed;
} kexpr_body;

/* False with an error recorded, or with *why saying what no kernel can do. *r is freed by
 * kir_free(&r->k). */
bool kexpr_compile(ctx *c, const kexpr *e, const kexpr_ask *ask, kexpr_body *r,
                   const char **why);
#endif
