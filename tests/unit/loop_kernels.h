/* SPDX-License-Identifier: MIT */
/* loop_kernels.h - kernels with LOOPs, which test_kir, test_block and test_codegen try. Their inputs
 * are an i32 and an f64; input 2, of i64, is for GETs. */
#ifndef VAPL_TESTS_LOOP_KERNELS_H
#define VAPL_TESTS_LOOP_KERNELS_H
#include "src/kir/kir.h"

enum { LOOP_KERNELS = 6 };

typedef struct lk {
  ctx *c;
  kir *k; /* what instructions are added to */
} lk;
static inline kv lk_op(lk w, kop op, kty t, kv a, kv b, int64_t imm) {
  kins in = {.op = (uint8_t)op, .ty = (uint8_t)t, .a = a, .b = b, .imm.i = imm};
  return kir_add(w.c, w.k, in);
}
static inline kv lk_num(lk w, kty t, double v) {
  kins in = {.op = KOP_CONST, .ty = (uint8_t)t};
  if (kty_is_float(t)) in.imm.f = v;
  else in.imm.i = (int64_t)v;
  return kir_add(w.c, w.k, in);
}
static inline void lk_out(lk w, kv v) {
  uint8_t t = (uint8_t)kir_elt((kty)w.k->ins[v].ty);
  w.k->out[w.k->n_out++] = (kout){.value = v, .type = t};
}
static inline lk lk_body(lk w, const kloop *l) { return (lk){w.c, l->body}; }

/* x and y of i64: while (y) x, y = y, x - y × x ÷ y */
static inline kv lk_gcd(lk w, kv x, kv y) {
  kloop *l = kir_loop_begin(w.c, w.k, (kv[]){x, y}, 2, 1);
  lk b = lk_body(w, l);
  kv zero = lk_num(b, KI64, 0);
  kir_loop_test(l, lk_op(b, KOP_NE, KB, 1, zero, 0));
  kv q = lk_op(b, KOP_QUOT, KI64, 0, 1, 0);
  kv rest = lk_op(b, KOP_SUB, KI64, 0, lk_op(b, KOP_MUL, KI64, q, 1, 0), 0);
  return kir_loop_end(w.c, w.k, l, (kv[]){1, rest});
}

/* n, steps: while (n > 1) n is halved or 3n+1, which escapes; the error is one of steps behind the
 * hundredth, which the test already has. */
static inline kv lk_collatz(lk w, kv n) {
  kv none = lk_num(w, KI64, 0), one = lk_num(w, KI64, 1);
  kloop *l = kir_loop_begin(w.c, w.k, (kv[]){n, none}, 2, 1);
  lk b = lk_body(w, l);
  kv u = kir_import(w.c, w.k, l, one), more = lk_op(b, KOP_ADD, KI64, 1, u, 0);
  kir_loop_test(l, lk_op(b, KOP_GT, KB, 0, u, 0));
  lk_op(b, KOP_ERR, KB, lk_op(b, KOP_GT, KB, more, lk_num(b, KI64, 100), 0), 0, 0);
  kv odd = lk_op(b, KOP_CVT, KB, lk_op(b, KOP_AND, KI64, 0, u, 0), 0, 0);
  kv up = lk_op(b, KOP_MULO, KI64, 0, lk_num(b, KI64, 3), 0);
  up = lk_op(b, KOP_ADDO, KI64, up, u, 0);
  kins sel = {.op = KOP_SEL, .ty = KI64, .a = odd, .b = up};
  sel.c = lk_op(b, KOP_SAR, KI64, 0, 0, 1);
  kv loop = kir_loop_end(w.c, w.k, l, (kv[]){kir_add(w.c, b.k, sel), more});
  lk_out(w, kir_loop_part(w.c, w.k, loop, 1));
  return loop;
}

/* z ← c + z × z while |z|² < 4, 50 steps at most; the imaginary part by a parameter. */
static inline kv lk_mandelbrot(lk w, kv re) {
  kv im = lk_op(w, KOP_PARAM, KF64, 0, 0, 0), zero = lk_num(w, KF64, 0);
  kloop *l = kir_loop_begin(w.c, w.k, (kv[]){zero, zero, lk_num(w, KI32, 0)}, 3, 0);
  lk b = lk_body(w, l);
  kv cr = kir_import(w.c, w.k, l, re), ci = kir_import(w.c, w.k, l, im);
  kv rr = lk_op(b, KOP_MUL, KF64, 0, 0, 0), ii = lk_op(b, KOP_MUL, KF64, 1, 1, 0);
  kv size = lk_op(b, KOP_ADD, KF64, rr, ii, 0);
  kv near = lk_op(b, KOP_LT, KB, size, lk_num(b, KF64, 4), 0);
  kv few = lk_op(b, KOP_LT, KB, 2, lk_num(b, KI32, 50), 0);
  kir_loop_test(l, lk_op(b, KOP_AND, KB, near, few, 0));
  kins fin = {.op = KOP_FIN, .ty = KF64, .a = size, .b = rr, .c = ii, .imm.i = 1};
  kir_add(w.c, b.k, fin);
  kv ri = lk_op(b, KOP_MUL, KF64, 0, 1, 0);
  kv next[3];
  next[0] = lk_op(b, KOP_ADD, KF64, lk_op(b, KOP_SUB, KF64, rr, ii, 0), cr, 0);
  next[1] = lk_op(b, KOP_ADD, KF64, lk_op(b, KOP_ADD, KF64, ri, ri, 0), ci, 0);
  next[2] = lk_op(b, KOP_ADD, KI32, 2, lk_num(b, KI32, 1), 0);
  kv loop = kir_loop_end(w.c, w.k, l, next);
  lk_out(w, kir_loop_part(w.c, w.k, loop, 1));
  return kir_loop_part(w.c, w.k, loop, 2);
}

/* As many times as the lowest three bits say: adds the gcd of what is read and the element. */
static inline kv lk_nested(lk w, kv n) {
  kv count = lk_op(w, KOP_AND, KI64, n, lk_num(w, KI64, 7), 0);
  kv truth = lk_num(w, KB, 1);
  kloop *l = kir_loop_begin(w.c, w.k, (kv[]){count, lk_num(w, KI64, 0), truth}, 3, 0);
  lk b = lk_body(w, l);
  kv x = kir_import(w.c, w.k, l, n), zero = lk_num(b, KI64, 0);
  kir_loop_test(l, lk_op(b, KOP_NE, KB, 0, zero, 0));
  kv read = lk_op(b, KOP_GET, KI64, 0, 0, 2);
  kv sum = lk_op(b, KOP_ADD, KI64, lk_gcd(b, read, x), 1, 0);
  kv less = lk_op(b, KOP_SUB, KI64, 0, lk_num(b, KI64, 1), 0);
  kv loop = kir_loop_end(w.c, w.k, l, (kv[]){less, sum, lk_op(b, KOP_NOT, KB, 2, 0, 0)});
  lk_out(w, kir_loop_part(w.c, w.k, loop, 2));
  return kir_loop_part(w.c, w.k, loop, 1);
}

/* Eight f32 that change places, the next of two being one value, that many times. */
static inline kv lk_rotate(lk w, kv n) {
  kv from[8], next[8], loop;
  from[0] = lk_op(w, KOP_AND, KI32, n, lk_num(w, KI32, 31), 0);
  for (int i = 1; i < 8; i++) from[i] = lk_num(w, KF32, i);
  kloop *l = kir_loop_begin(w.c, w.k, from, 8, 0);
  lk b = lk_body(w, l);
  kir_loop_test(l, lk_op(b, KOP_GT, KB, 0, lk_num(b, KI32, 0), 0));
  next[0] = lk_op(b, KOP_SUB, KI32, 0, lk_num(b, KI32, 1), 0);
  next[1] = 7, next[2] = 1, next[3] = lk_num(b, KF32, 9), next[4] = 4;
  next[5] = next[6] = lk_op(b, KOP_ADD, KF32, 5, 6, 0);
  next[7] = 6;
  loop = kir_loop_end(w.c, w.k, l, next);
  for (uint32_t i = 2; i < 8; i++) lk_out(w, kir_loop_part(w.c, w.k, loop, i));
  return kir_loop_part(w.c, w.k, loop, 1);
}

/* Number 5: the sum of numbers that loops make, and a loop behind the FOLD. */
static inline kir loop_kernel(ctx *c, int which) {
  kir k = {.kind = which == 5 ? KIR_REDUCE : KIR_MAP, .n_in = 3, .n_fault = 2};
  k.in[0] = (kin){ET_I32, KV_FLAT};
  k.in[1] = (kin){ET_F64, KV_FLAT};
  k.in[2] = (kin){ET_I64, KV_GET};
  k.n_param = 1;
  k.param[0] = KF64;
  lk w = {c, &k};
  kv n = lk_op(w, KOP_ARG, KI64, 0, 0, 0), r = 0;
  switch (which) {
  case 0: r = lk_gcd(w, n, lk_op(w, KOP_IOTA, KI64, 0, 0, 0)); break;
  case 1: r = lk_collatz(w, n); break;
  case 2: r = lk_mandelbrot(w, lk_op(w, KOP_ARG, KF64, 0, 0, 1)); break;
  case 3: r = lk_nested(w, n); break;
  case 4: r = lk_rotate(w, lk_op(w, KOP_ARG, KI32, 0, 0, 0)); break;
  default:
    r = lk_gcd(w, n, lk_num(w, KI64, 360));
    r = lk_op(w, KOP_FOLD, KI64, r, 0, 0);
    k.acc[0].monoid = KF_ADD;
    r = lk_gcd(w, r, lk_num(w, KI64, 720));
  }
  lk_out(w, r);
  return k;
}
#endif
