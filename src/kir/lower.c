/* SPDX-License-Identifier: MIT */
/* lower.c - prim.def's bodies as KIR. The same macro language as in ops.h, but a value is
 * the number of an instruction and an operation appends one: running a body builds its
 * kernel.
 *
 * A body is written for a class; the machine type (i32 or i64, f32 or f64) is that of the
 * values it is given, and an operation takes its type from its operands. math.def is f64
 * always: f32 values go there and back by CVT.
 *
 * Nested macro calls run in an order that the C compiler chooses, so the order of a
 * kernel's instructions is the compiler's too; what they compute is not. With `k` NULL
 * nothing is appended and only `faults` is learnt.
 *
 * In a LOOPn `k` is the loop's body. Its values have the bit IN_BODY; one without, of the kernel
 * around, is imported where an operation takes it. */
#include "lower.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>

typedef struct pair {
  kv re, im;
} pair;
typedef struct low {
  ctx *c;
  kir *k, *around;
  kloop *loop; /* or NULL */
  kty ty;      /* of V */
  kv ct;
  int fault;
  kv under;        /* 1 + what says of which elements faults count, or 0 */
  bool plain;      /* no integer operation overflows */
  bool collects;   /* faults are not raised, but those of this element are: */
  kv err, esc;     /* or 0 */
  unsigned faults; /* which flags of the fault may be set */
  unsigned size;   /* instructions asked for */
} low;

enum { IN_BODY = 0x8000 };
_Static_assert((int)KIR_MAX_INS <= (int)IN_BODY, "a bit is free");

static kty type_of(const low *s, kv a) {
  if (!s->k || err_is(s->c)) return s->ty;
  const kir *k = s->loop && !(a & IN_BODY) ? s->around : s->k;
  return (kty)k->ins[a & ~IN_BODY].ty;
}

/* The number that a has in s->k. */
static kv here(low *s, kv a) {
  if (s->loop && !(a & IN_BODY)) return kir_import(s->c, s->around, s->loop, a);
  return a & (kv)~IN_BODY;
}

static kv lower_put(low *s, kop op, kty ty, const kv v[3], int64_t imm) {
  kv at[3] = {0};
  s->size++;
  if (!s->k || err_is(s->c)) return 0;
  for (int i = 0; i < kop_table[op].operands; i++) at[i] = here(s, v[i]);
  kins in = {.op = (uint8_t)op, .ty = (uint8_t)ty, .imm = {.i = imm}};
  in.a = at[0];
  in.b = at[1];
  in.c = at[2];
  return kir_add(s->c, s->k, in) | (s->loop ? IN_BODY : 0);
}
#define OF(...) ((const kv[3]){__VA_ARGS__})

static kv op_one(low *s, kop op, kv a, int64_t imm) {
  return lower_put(s, op, type_of(s, a), OF(a, 0, 0), imm);
}
static kv op_two(low *s, kop op, kv a, kv b) {
  return lower_put(s, op, type_of(s, a), OF(a, b, 0), 0);
}
static kv op_compare(low *s, kop op, kv a, kv b) {
  return lower_put(s, op, KB, OF(a, b, 0), 0);
}
static kv op_select(low *s, kv c, kv a, kv b) {
  return lower_put(s, KOP_SEL, type_of(s, a), OF(c, a, b), 0);
}
static kv op_convert(low *s, kty ty, kv a) {
  if (s->k && type_of(s, a) == ty) return a;
  return lower_put(s, KOP_CVT, ty, OF(a, 0, 0), 0);
}

/* A checked operation, or the plain one where it cannot overflow. */
static kv op_checked(low *s, kop op, kop plain, kv a, kv b) {
  if (s->plain) return op_two(s, plain, a, b);
  s->faults |= PRIM_ESCAPES;
  return lower_put(s, op, type_of(s, a), OF(a, b, 0), s->fault);
}

static void collect(low *s, kv *all, kv one) {
  *all = *all ? op_two(s, KOP_OR, *all, one) : one;
}

static kv is_finite(low *s, kv v) {
  kimm most = {.f = DBL_MAX};
  kv size = op_one(s, KOP_ABS, v, 0);
  return op_compare(s, KOP_LE, size, lower_put(s, KOP_CONST, KF64, OF(0, 0, 0), most.i));
}

static kv op_real(low *s, kty ty, double v) {
  kimm imm = {.f = v};
  if (ty == KF32) imm.f = (float)v;
  return lower_put(s, KOP_CONST, ty, OF(0, 0, 0), imm.i);
}

/* Of elements that do not count 1 is looked at, and nothing else is done with that. */
static kv op_finite(low *s, kv r, kv a, kv b) {
  s->faults |= PRIM_ERRS;
  if (s->collects) {
    kv arguments = op_two(s, KOP_AND, is_finite(s, a), is_finite(s, b));
    kv infinite = op_one(s, KOP_NOT, is_finite(s, r), 0);
    collect(s, &s->err, op_two(s, KOP_AND, infinite, arguments));
    return r;
  }
  kv look = s->under ? op_select(s, s->under - 1, r, op_real(s, type_of(s, r), 1)) : r;
  look = lower_put(s, KOP_FIN, type_of(s, r), OF(look, a, b), s->fault);
  return s->under ? r : look;
}

static kv op_flag(low *s, kop op, kv c, kv v) {
  if (op == KOP_ESC) s->faults |= PRIM_ESCAPES;
  else s->faults |= PRIM_ERRS;
  if (s->under) c = op_two(s, KOP_AND, s->under - 1, c);
  if (s->collects) collect(s, op == KOP_ESC ? &s->esc : &s->err, c);
  else lower_put(s, op, KB, OF(c, 0, 0), s->fault);
  return v;
}

static kv op_whole(low *s, kty ty, int64_t v) {
  return lower_put(s, KOP_CONST, ty, OF(0, 0, 0), v);
}
static kv op_literal(low *s, double v) {
  if (kty_is_float(s->ty)) return op_real(s, s->ty, v);
  return op_whole(s, s->ty, (int64_t)v);
}

/* ── loops ─────────────────────────────────────────────────────────────────────────── */

/* The carried values become those of a body, which is s->k from here on. Loops of two values are short: Euclid's
 * of integers, of 91 steps at most, and a deal's, which seldom takes a second one. */
static void loop_begin(low *s, kv *v, uint32_t n) {
  enum { SHORT = 64 };
  s->faults |= PRIM_LOOPS;
  if (!s->k) return;
  kloop *l = kir_loop_begin(s->c, s->k, v, n, s->fault);
  if (!l) return;
  if (n == 2) l->usual = SHORT;
  s->around = s->k;
  s->loop = l;
  s->k = l->body;
  for (uint32_t i = 0; i < n; i++) v[i] = (kv)(i | IN_BODY);
}

static void loop_test(low *s, kv again) {
  if (s->loop && !err_is(s->c)) kir_loop_test(s->loop, here(s, again));
}

/* Next values become those behind the loop. */
static void loop_end(low *s, kv *v, uint32_t n) {
  if (!s->loop) return;
  for (uint32_t i = 0; i < n; i++) v[i] = here(s, v[i]);
  kloop *l = s->loop;
  s->k = s->around;
  s->loop = NULL;
  kv first = kir_loop_end(s->c, s->k, l, v);
  for (uint32_t i = 0; i < n; i++) v[i] = kir_loop_part(s->c, s->k, first, i);
}

/* ── the macro language ────────────────────────────────────────────────────────────── */

#define V kv
#define VB kv
#define VI kv
#define VD kv
#define VC pair
#define CX(re, im) ((pair){re, im})
#define L(c) op_literal(s, (double)(c))
#define LI(c) op_whole(s, KI64, c)
#define LD(c) op_real(s, KF64, c)
#define ADD(a, b) op_two(s, KOP_ADD, a, b)
#define SUB(a, b) op_two(s, KOP_SUB, a, b)
#define MUL(a, b) op_two(s, KOP_MUL, a, b)
#define DIV(a, b) op_two(s, KOP_DIV, a, b)
#define MUL_ADD(a, b, c) lower_put(s, KOP_FMA, KF64, OF(a, b, c), 0)
#define QUOT(a, b) op_two(s, KOP_QUOT, a, b)
#define NEG(a) op_one(s, KOP_NEG, a, 0)
#define ABS(a) op_one(s, KOP_ABS, a, 0)
#define MIN(a, b) op_two(s, KOP_MIN, a, b)
#define MAX(a, b) op_two(s, KOP_MAX, a, b)
#define ADDO(a, b) op_checked(s, KOP_ADDO, KOP_ADD, a, b)
#define SUBO(a, b) op_checked(s, KOP_SUBO, KOP_SUB, a, b)
#define MULO(a, b) op_checked(s, KOP_MULO, KOP_MUL, a, b)
#define SQRT(a) op_one(s, KOP_SQRT, a, 0)
#define FLOOR(a) op_one(s, KOP_FLOOR, a, 0)
#define RINT(a) op_one(s, KOP_RINT, a, 0)
#define AND(a, b) op_two(s, KOP_AND, a, b)
#define OR(a, b) op_two(s, KOP_OR, a, b)
#define XOR(a, b) op_two(s, KOP_XOR, a, b)
#define NOT(a) op_one(s, KOP_NOT, a, 0)
#define BAND AND
#define BOR OR
#define BXOR XOR
#define HALF(a) op_one(s, KOP_SAR, a, 1)
#define EQ(a, b) op_compare(s, KOP_EQ, a, b)
#define NE(a, b) op_compare(s, KOP_NE, a, b)
#define LT(a, b) op_compare(s, KOP_LT, a, b)
#define LE(a, b) op_compare(s, KOP_LE, a, b)
#define GT(a, b) op_compare(s, KOP_GT, a, b)
#define GE(a, b) op_compare(s, KOP_GE, a, b)
#define SEL(c, a, b) op_select(s, c, a, b)
#define TOI(a) op_convert(s, KI64, a)
#define TOF(a) op_convert(s, s->ty, a)
#define FIN(r, a, b) op_finite(s, r, a, b)
#define ERRIF(c, v) op_flag(s, KOP_ERR, c, v)
#define ESCIF(c, v) op_flag(s, KOP_ESC, c, v)
#define BITSI(a) lower_put(s, KOP_BITS, KI64, OF(a, 0, 0), 0)
#define BITSF(a) lower_put(s, KOP_BITS, KF64, OF(a, 0, 0), 0)
#define ITOD(a) op_convert(s, KF64, a)
#define DTOI(a) op_convert(s, KI64, a)
#define IADD ADD
#define ISUB SUB
#define IMUL MUL
#define IAND AND
#define ISEL SEL
#define ILT LT
#define ISHL(a, n) op_one(s, KOP_SHL, a, n)
#define ISAR(a, n) op_one(s, KOP_SAR, a, n)

#define IQUOT QUOT
#define OTHER(name, ...) math_##name(s, __VA_ARGS__)
#define HARD(c, name, a) op_flag(s, KOP_ERR, c, math_##name(s, a))
#define REPEAT2(a, b, turns, again, ...)                                                 \
  {                                                                                      \
    kv carried[2] = {a, b};                                                              \
    loop_begin(s, carried, 2);                                                           \
    a = carried[0], b = carried[1];                                                      \
    if (s->loop) s->loop->most = turns;                                                  \
    loop_test(s, again);                                                                 \
    __VA_ARGS__                                                                          \
    carried[0] = a, carried[1] = b;                                                      \
    loop_end(s, carried, 2);                                                             \
    a = carried[0], b = carried[1];                                                      \
  }
#define FOUND(a, ...) __VA_ARGS__
#define LOOP2(a, b, again, next_a, next_b)                                               \
  {                                                                                      \
    kv carried[2] = {a, b};                                                              \
    loop_begin(s, carried, 2);                                                           \
    a = carried[0], b = carried[1];                                                      \
    loop_test(s, again);                                                                 \
    carried[0] = next_a, carried[1] = next_b;                                            \
    loop_end(s, carried, 2);                                                             \
    a = carried[0], b = carried[1];                                                      \
  }
#define LOOP4(a, b, c, d, again, next_a, next_b, next_c, next_d)                         \
  {                                                                                      \
    kv carried[4] = {a, b, c, d};                                                        \
    loop_begin(s, carried, 4);                                                           \
    a = carried[0], b = carried[1], c = carried[2], d = carried[3];                      \
    loop_test(s, again);                                                                 \
    carried[0] = next_a, carried[1] = next_b;                                            \
    carried[2] = next_c, carried[3] = next_d;                                            \
    loop_end(s, carried, 4);                                                             \
    a = carried[0], b = carried[1], c = carried[2], d = carried[3];                      \
  }
#define LOOP3(a, b, c, again, next_a, next_b, next_c)                                    \
  {                                                                                      \
    kv carried[3] = {a, b, c};                                                           \
    loop_begin(s, carried, 3);                                                           \
    a = carried[0], b = carried[1], c = carried[2];                                      \
    loop_test(s, again);                                                                 \
    carried[0] = next_a, carried[1] = next_b, carried[2] = next_c;                       \
    loop_end(s, carried, 3);                                                             \
    a = carried[0], b = carried[1], c = carried[2];                                      \
  }

#define ARGS(...) (low * s, __VA_ARGS__)
#define MATH(type, name, args, ...)                                                      \
  static inline type math_##name ARGS args { __VA_ARGS__ }
#include "../tables/math.def"

static kv d_of(low *s, kv a) { return op_convert(s, KF64, a); }
/* The tolerance is none on f32. */
static kv ct_of(low *s) {
  if (s->ty == KF32) return op_real(s, KF64, 0);
  s->faults |= PRIM_TOLERANT;
  return s->ct;
}
static kv op_equal(low *s, kv x, kv y) {
  if (s->ty == KF32) return EQ(x, y);
  return math_TEQ(s, x, y, ct_of(s));
}
#define TEQ(a, b) op_equal(s, a, b)
#define MATH1(name, a) TOF(math_##name(s, d_of(s, a)))
#define MATH1S(name, a) (s->ty == KF32 ? MATH1(name##_S, a) : MATH1(name, a))
#define MATH2(name, a, b) TOF(math_##name(s, d_of(s, a), d_of(s, b)))
#define MATH1SP(name, a) MATH1S(name, a)
#define HARD1P(c, name, a) op_flag(s, KOP_ERR, c, MATH1S(name, a))
#define MATH2P(name, of, a, b) MATH2(name, a, b)
#define WHOLE2(name, a, b)                                                               \
  math_WHOLE_##name(s, op_convert(s, KI64, a), op_convert(s, KI64, b))
#define FIND(r) FIN(r, LD(0), LD(0))
#define TOLERANT2(name, a, b) TOF(math_##name(s, d_of(s, a), d_of(s, b), ct_of(s)))
#define HARD1(c, name, a) op_flag(s, KOP_ERR, c, MATH1(name, a))

#define MATH(type, name, args, ...)                                                      \
  static kv random_##name ARGS args { __VA_ARGS__ }
#include "../tables/random.def"
#define RANDOM(name, ...) random_##name(s, __VA_ARGS__)
#define MATH(type, name, args, ...)                                                      \
  static kv random_##name ARGS args { __VA_ARGS__ }
#include "../tables/shuffle.def"

kv deal_lower(ctx *c, kir *k, kv at, const kv *how, int fault) {
  low s = {.c = c, .k = k, .ty = KI64, .fault = fault};
  if (err_is(c)) return 0;
  return random_DEALT(&s, at, how[0], how[1], how[2], how[3], how[4], how[5]);
}

kv random_lower(ctx *c, kir *k, kv at, kv seed, const kv *below) {
  low s = {.c = c, .k = k, .ty = KI64};
  if (err_is(c)) return 0;
  if (!below) return random_FRACTION(&s, at, seed);
  kv n = op_convert(&s, KI64, *below);
  if (k->ins[*below].ty == KI64) return random_BELOW_ANY(&s, at, seed, n);
  return random_BELOW(&s, at, seed, n);
}

/* ── the rows ──────────────────────────────────────────────────────────────────────── */

typedef kv body_fn(low *s, kv x, kv y);
#define BODY(name, ...)                                                                  \
  static kv name(low *s, kv x, kv y) {                                                   \
    UNUSED(s);                                                                           \
    UNUSED(x);                                                                           \
    __VA_ARGS__                                                                          \
  }
#define MON(id, class, result, ...) BODY(mon_##id##_##class, __VA_ARGS__)
#define DYA(id, class, result, ...) BODY(dya_##id##_##class, __VA_ARGS__)
#define KERNELDYA(id, class, ...) DYA(id, class, I, __VA_ARGS__)
#define FLOAT_VARIANT(id, form, class, ...)                                              \
  BODY(float_variant_##id##_##form##_##class, __VA_ARGS__)
#include "../tables/prim.def"

enum { FLOAT_VARIANTS = CLS_F }; /* those of class c behind c */
static body_fn *const bodies[P_COUNT + 1][2][2 * CLS_F + 1] = {
#define MON(id, class, result, ...) [P_##id][0][CLS_##class] = mon_##id##_##class,
#define DYA(id, class, result, ...) [P_##id][1][CLS_##class] = dya_##id##_##class,
#define KERNELDYA(id, class, ...) DYA(id, class, I, )
#define FLOAT_VARIANT(id, form, class, ...)                                              \
  [P_##id][FORM_##form][FLOAT_VARIANTS + CLS_##class] =                                  \
      float_variant_##id##_##form##_##class,
#include "../tables/prim.def"
    [P_COUNT] = {{NULL}}};

static body_fn *body_of(const prim_body *b) {
  int variant = b->float_variant ? FLOAT_VARIANTS : 0;
  return bodies[b->p][b->dyadic][variant + (int)b->row];
}

/* ── complex numbers ───────────────────────────────────────────────────────────────── */

typedef pair complex_fn(low *s, pair x, pair y);
#define PAIR_B(v) CX(v, LD(0))
#define PAIR_F(v) CX(v, LD(0))
#define PAIR_C(v) (v)
#define RES_B kv
#define RES_F kv
#define RES_C pair
#define CT ct_of(s)
#define COMPLEX(name, result, ...)                                                       \
  static inline RES_##result name##_of(low *s, pair x, pair y) {                         \
    UNUSED(s);                                                                           \
    UNUSED(x);                                                                           \
    __VA_ARGS__                                                                          \
  }                                                                                      \
  static pair name(low *s, pair x, pair y) { return PAIR_##result(name##_of(s, x, y)); }
#define CPLX1(id, result, ...) COMPLEX(complex_mon_##id, result, __VA_ARGS__)
#define CPLX2(id, result, ...) COMPLEX(complex_dya_##id, result, __VA_ARGS__)
#include "../tables/prim.def"

static complex_fn *const complex_rows[P_COUNT + 1][2] = {
#define CPLX1(id, ...) [P_##id][0] = complex_mon_##id,
#define CPLX2(id, ...) [P_##id][1] = complex_dya_##id,
#include "../tables/prim.def"
    [P_COUNT] = {NULL}};

/* Not -0: see prim/complex.c. */
static pair normal(low *s, pair z) {
  kv zero = LD(0);
  return CX(z.re, SEL(EQ(z.im, zero), zero, z.im));
}

/* The F row of the real parts; its faults are left in s. */
static kv real_row(low *s, const prim_body *b, pair x, pair y) {
  prim_body own = *b;
  own.row = CLS_F;
  own.float_variant = prim_has_float_variant(b->p, b->dyadic, CLS_F);
  kv r = body_of(&own)(s, x.re, y.re);
  if (own.float_variant || prim_result(b->p, b->dyadic, CLS_F) == CLS_B) return r;
  return op_convert(s, KF64, r);
}

static kv are_finite(low *s, pair z) {
  return AND(is_finite(s, z.re), is_finite(s, z.im));
}

/* Is z as good as real? */
static kv near_real(low *s, pair z) {
  return math_C_TEQ(s, z, CX(z.re, LD(0)), ct_of(s));
}

/* x f y of complex numbers, element by element: the F row where both are real, unless it escapes,
 * else the CPLX row. What has none takes what is real within ⎕CT. */
static pair complex_body(low *s, const prim_body *b, pair x, pair y) {
  complex_fn *fn = complex_rows[b->p][b->dyadic];
  s->collects = true;
  x = normal(s, x);
  y = normal(s, y);
  pair r = {real_row(s, b, x, y), LD(0)};
  if (!fn) {
    kv real = near_real(s, y);
    if (b->dyadic) real = op_two(s, KOP_AND, real, near_real(s, x));
    collect(s, &s->err, op_one(s, KOP_NOT, real, 0));
    return r;
  }
  kv real = EQ(y.im, LD(0)), of_real = s->err;
  if (b->dyadic) real = op_two(s, KOP_AND, real, EQ(x.im, LD(0)));
  if (s->esc) real = op_two(s, KOP_AND, real, NOT(s->esc));
  s->err = 0;
  pair all = fn(s, x, y);
  if (prim_result(b->p, b->dyadic, CLS_C) != CLS_B) {
    kv out = NOT(are_finite(s, all));
    collect(s, &s->err, AND(out, AND(are_finite(s, x), are_finite(s, y))));
  }
  kv none = op_compare(s, KOP_NE, LD(0), LD(0));
  s->err = op_select(s, real, of_real ? of_real : none, s->err ? s->err : none);
  return CX(SEL(real, r.re, all.re), SEL(real, r.im, all.im));
}

kv prim_lower_complex(ctx *c, kir *k, const prim_body *b, const prim_values *v, kv *im) {
  low s = {.c = c, .k = k, .ct = v->ct, .fault = v->fault, .ty = KF64};
  pair x = {v->x, v->x_im}, y = {v->y, v->y_im};
  if (err_is(c)) return 0;
  if (!b->dyadic) x = y;
  pair r = complex_body(&s, b, x, y);
  if (s.err) lower_put(&s, KOP_ERR, KB, OF(s.err, 0, 0), v->fault);
  *im = r.im;
  return r.re;
}

kv prim_lower(ctx *c, kir *k, const prim_body *b, const prim_values *v) {
  body_fn *body = body_of(b);
  if (!body) {
    err_set(c, ERR_NONCE, "%s has no such row for a kernel", prim_table[b->p].glyph);
    return 0;
  }
  if (err_is(c)) return 0;
  low s = {.c = c,
           .k = k,
           .ct = v->ct,
           .fault = v->fault,
           .under = v->under,
           .plain = b->no_overflow};
  s.ty = (kty)k->ins[v->y].ty;
  return body(&s, v->x, v->y);
}

kv kir_hypot(ctx *c, kir *k, kv x, kv y) {
  low s = {.c = c, .k = k, .ty = KF64};
  return err_is(c) ? 0 : math_HYPOT(&s, x, y);
}

unsigned prim_faults(const prim_body *b) {
  body_fn *body = body_of(b);
  low s = {.ty = KF64, .plain = b->no_overflow};
  if (b->row == CLS_C) {
    complex_body(&s, b, CX(0, 0), CX(0, 0));
    return PRIM_ERRS | (s.faults & PRIM_TOLERANT);
  }
  if (b->row == CLS_B) s.ty = KB;
  if (b->row == CLS_I) s.ty = KI64;
  if (body) body(&s, 0, 0);
  return s.faults;
}

/* Counted once: it takes as long as a short vector does. Threads may count at the same time. */
unsigned prim_size(prim p, bool dyadic, cls upto) {
  static atomic_ushort known[P_COUNT + 1][2][CLS_C + 1]; /* and 1 more */
  atomic_ushort *size = &known[p][dyadic][upto];
  unsigned was = atomic_load_explicit(size, memory_order_relaxed);
  if (was) return was - 1;
  low s = {.ty = KF64};
  const prim_body complex = {.p = p, .dyadic = dyadic, .row = CLS_C};
  bool has_real = bodies[p][dyadic][CLS_F] || prim_has_float_variant(p, dyadic, CLS_F);
  if (upto == CLS_C && has_real) complex_body(&s, &complex, CX(0, 0), CX(0, 0));
  for (cls row = CLS_F; row >= CLS_B && !s.size; row--)
    if (bodies[p][dyadic][row]) bodies[p][dyadic][row](&s, 0, 0);
  atomic_store_explicit(size, (unsigned short)(s.size + 1), memory_order_relaxed);
  return s.size;
}
