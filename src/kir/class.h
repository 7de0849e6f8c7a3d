/* SPDX-License-Identifier: MIT */
/* class.h - what the files of classify.h share: building small kernels, the symbolic forms,
 * and one function per class. */
#ifndef VAPL_KIR_CLASS_H
#define VAPL_KIR_CLASS_H
#include "classify.h"
#include "../tables/fast.h"

/* ── building (class_make.c) ───────────────────────────────────────────────────────── */

/* Where instructions go. Arithmetic of constants is done at once. */
typedef struct mk {
  ctx *c;
  kir *k;
  kty ty;    /* S */
  kv unless; /* a KB: what escapes while it is true does not count */
  bool has_unless;
} mk;

/* Begins the kernel k: n ARGs of the types given, the body's params, one fault. */
mk mk_begin(ctx *c, kir *k, const kir *body, const uint8_t *arg, uint32_t n);
void mk_out(mk *m, uint32_t i, kv v);
kv mk_arg(mk *m, uint32_t i);
kv mk_int(mk *m, kty ty, int64_t v);
kv mk_real(mk *m, kty ty, double v);
kv mk_num(mk *m, kty ty, double v); /* of any type */
kv mk_one(mk *m, kop op, kv a);
kv mk_two(mk *m, kop op, kv a, kv b);
kv mk_cmp(mk *m, kop op, kv a, kv b);
kv mk_sel(mk *m, kv c, kv a, kv b);
kv mk_shift(mk *m, kop op, kv a, int count);
kv mk_cvt(mk *m, kty ty, kv a);
kv mk_bits(mk *m, kty ty, kv a);
void mk_escape(mk *m, kv when);
kty mk_type(const mk *m, kv a);
/* Is a this constant? Any constant, with its value in *v? */
bool mk_is(const mk *m, kv a, double v);
bool mk_const(const mk *m, kv a, double *v);
kv mk_finite(mk *m, kv a);
/* Another MAP's instruction with other operands; its faults become escapes. */
kv mk_copy(mk *m, kins in, const kv arg[3]);
/* All of the body with these arguments: its result. */
kv mk_body(mk *m, const kir *body, kv v, kv x);

/* A float as mantissa × 2^exponent: magnitude in [1, 2), or 0, infinite or NaN with
 * exponent 0. The exponent is KI32, and stays within ±2^30. */
typedef struct scaled {
  kv m, e;
} scaled;
scaled mk_split(mk *m, kv a);
scaled mk_scaled_mul(mk *m, scaled x, scaled y);
scaled mk_scaled_div(mk *m, scaled x, scaled y);
kv mk_ldexp(mk *m, kv a, kv e); /* a × 2^e, rounded only where the result is subnormal */

/* A product of multipliers below 1: 0 from where on nothing shows of it. What it multiplies
 * must not be large. */
kv mk_vanishing(mk *m, kv b);
void mk_escape_large(mk *m, kv a);

/* Upper bounds of magnitudes, KF32, at most 2^64: each step rounds up. */
kv mk_bound(mk *m, kv a); /* of the integer a */
kv mk_bound_add(mk *m, kv a, kv b);
kv mk_bound_mul(mk *m, kv a, kv b);
kv mk_bound_max(mk *m, kv a, kv b);
void mk_escape_from(mk *m, kv bound, double limit); /* unless it is less */

/* ── symbolic forms (class_form.c) ─────────────────────────────────────────────────── */

typedef enum form_kind {
  FORM_NONE,   /* something else */
  FORM_FREE,   /* a, without x */
  FORM_LINEAR, /* hi ⌊ lo ⌈ a + b×x, lo ≤ hi */
  FORM_RATIO,  /* (b×x + a) ÷ (d×x + e) */
  FORM_FALSE,  /* a truth value that is 0, and 1, if the assumptions hold */
  FORM_TRUE
} form_kind;
typedef struct form {
  uint8_t kind;
  bool has_lo, has_hi;
  bool checked;     /* an operation that overflows where the value leaves i64 */
  uint32_t assumes; /* a set of numbers in forms.nonzero */
  kv a, b, lo, hi, d, e;
} form;
enum { FORMS_ASSUMED = 32 };
typedef struct forms {
  mk *m; /* of the lift: coefficients are its values */
  const kir *body;
  form *f; /* OWNED: of each instruction */
  form out;
  const char *why;             /* the first value that has none; static text */
  bool ok;                     /* out's and all effects' forms are known */
  form nonzero[FORMS_ASSUMED]; /* what is assumed not to be 0 */
  uint32_t n_nonzero, assumed; /* those that out or an effect rests on */
} forms;

/* The body's form in the lift; ARG 0 there is v. */
bool forms_derive(forms *s, mk *m, const kir *body);
bool forms_overflow(const forms *s); /* may a linear value of the body leave i64? */
void forms_free(forms *s);

/* ── how kernels begin (class_begin.c) ── */

/* A further component: its place. */
int class_component(kclass *r, kty ty, kimm identity);

/* Components' types are known: the join's and the apply's kernels begin. left and right are
 * the outer and the inner function's tuples. */
mk class_begin_join(ctx *c, const kclass_ask *ask, kclass *r, kv *outer, kv *inner);
mk class_begin_apply(ctx *c, const kclass_ask *ask, kclass *r, kv *tuple, kv *x);
/* ARG 0, 1 and 2; what escapes counts only unless it is the start. */
mk class_begin_lift(ctx *c, const kclass_ask *ask, kclass *r);
#endif
