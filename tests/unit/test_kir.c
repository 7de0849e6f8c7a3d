/* SPDX-License-Identifier: MIT */
/* test_kir.c - building kernels: merging of equal instructions, the fold as a border, limits,
 * failing allocations, and what kir_check refuses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/kir/kir.h"

static ctx C;

static int set_up(void **state) {
  (void)state;
  ctx_init(&C, NULL, NULL);
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  return C.blocks_live == 0 ? 0 : -1;
}

static kv add(kir *k, kop op, kty ty, kv a, kv b, kv c, int64_t imm) {
  return kir_add(&C, k, (kins){(uint8_t)op, (uint8_t)ty, a, b, c, {.i = imm}});
}
static kv real(kir *k, double v) {
  return kir_add(&C, k, (kins){.op = KOP_CONST, .ty = KF64, .imm.f = v});
}

static void test_merge(void **state) {
  (void)state;
  kir k = {.kind = KIR_MAP, .n_in = 2, .n_fault = 2};
  k.in[0] = k.in[1] = (kin){ET_F64, KV_FLAT};
  kv x = add(&k, KOP_ARG, KF64, 0, 0, 0, 0), y = add(&k, KOP_ARG, KF64, 0, 0, 0, 1);
  assert_int_not_equal(x, y);
  assert_int_equal(add(&k, KOP_ARG, KF64, 0, 0, 0, 0), x);
  kv s = add(&k, KOP_ADD, KF64, x, y, 0, 0);
  assert_int_equal(add(&k, KOP_ADD, KF64, x, y, 0, 0), s);
  assert_int_not_equal(add(&k, KOP_ADD, KF64, y, x, 0, 0), s);
  assert_int_not_equal(real(&k, 0.0), real(&k, -0.0));
  assert_int_equal(real(&k, NAN), real(&k, NAN));
  kv big[200];
  for (int i = 0; i < 200; i++) big[i] = real(&k, i + 0.5); /* the table grows */
  for (int i = 0; i < 200; i++) assert_int_equal(real(&k, i + 0.5), big[i]);
  assert_int_equal(add(&k, KOP_ADD, KF64, x, y, 0, 0), s);
  assert_int_equal(k.fold_at, k.n_ins);
  assert_true(kir_check(&k));
  kir_free(&C, &k);
  assert_null(k.ins);
  assert_int_equal(k.n_ins, 0);
}

static void test_fold_is_a_border(void **state) {
  (void)state;
  kir k = {.kind = KIR_REDUCE, .n_in = 1, .fold = KF_ADD};
  k.in[0] = (kin){ET_F64, KV_FLAT};
  kv one = real(&k, 1), x = add(&k, KOP_ARG, KF64, 0, 0, 0, 0);
  kv r = add(&k, KOP_FOLD, KF64, add(&k, KOP_ADD, KF64, x, one, 0, 0), 0, 0, 0);
  assert_int_equal(k.fold_at, r);
  kv again = real(&k, 1);
  assert_true(again > r);
  assert_int_equal(real(&k, 1), again);
  k.out[k.n_out++] = (kout){add(&k, KOP_DIV, KF64, r, again, 0, 0), ET_F64};
  assert_true(kir_check(&k));
  k.ins[k.n_ins - 1].b = one; /* reaches over the fold */
  assert_false(kir_check(&k));
  kir_free(&C, &k);
}

static void test_limit(void **state) {
  (void)state;
  kir k = {.kind = KIR_MAP};
  for (int i = 0; i < KIR_MAX_INS; i++) assert_int_equal(real(&k, i), i);
  assert_false(err_is(&C));
  assert_int_equal(real(&k, 7), 7); /* still found */
  assert_int_equal(real(&k, -1), 0);
  assert_int_equal(C.err.code, ERR_LIMIT);
  assert_int_equal(real(&k, 7), 0); /* sticky */
  err_clear(&C);
  kir_free(&C, &k);
}

static long left;
static void *limited(void *user, void *p, size_t old_size, size_t new_size) {
  (void)user, (void)old_size;
  if (!new_size) {
    free(p);
    return NULL;
  }
  return left-- > 0 ? realloc(p, new_size) : NULL;
}

static void test_failing_allocator(void **state) {
  (void)state;
  for (long n = 0; n < 8; n++) {
    ctx c;
    ctx_init(&c, limited, NULL);
    left = n;
    kir k = {.kind = KIR_MAP};
    for (int i = 0; i < 1000; i++)
      kir_add(&c, &k, (kins){.op = KOP_CONST, .ty = KI64, .imm.i = i});
    if (err_is(&c)) assert_int_equal(c.err.code, ERR_WS_FULL);
    else assert_int_equal(k.n_ins, 1000);
    assert_true(n < 2 ? err_is(&c) : true);
    assert_true(kir_check(&k));
    kir_free(&c, &k);
    assert_int_equal(c.blocks_live, 0);
  }
}

/* A valid kernel, one change each that must be refused. */
typedef struct bad {
  const char *what;
  uint8_t op, ty;
  int a, b, c;
  int64_t imm;
} bad;
static void test_check(void **state) {
  (void)state;
  static const bad cases[] = {{"input out of range", KOP_ARG, KF64, 0, 0, 0, 3},
                              {"i64 does not fit f64", KOP_ARG, KF64, 0, 0, 0, 1},
                              {"f64 is no truth value", KOP_ARG, KB, 0, 0, 0, 0},
                              {"iota of floats", KOP_IOTA, KF64, 0, 0, 0, 0},
                              {"a truth value is 0 or 1", KOP_CONST, KB, 0, 0, 0, 2},
                              {"parameter's type", KOP_PARAM, KF32, 0, 0, 0, 0},
                              {"mixed operands", KOP_ADD, KF64, 0, 1, 0, 0},
                              {"adding truth values", KOP_ADD, KB, 2, 2, 0, 0},
                              {"division of integers", KOP_DIV, KI64, 1, 1, 0, 0},
                              {"quotient of floats", KOP_QUOT, KF64, 0, 0, 0, 0},
                              {"shift too far", KOP_SHL, KI64, 1, 0, 0, 64},
                              {"comparison is a truth value", KOP_LT, KF64, 0, 0, 0, 0},
                              {"selector", KOP_SEL, KF64, 0, 0, 0, 0},
                              {"bits of another size", KOP_BITS, KF32, 0, 0, 0, 0},
                              {"and of floats", KOP_AND, KF64, 0, 0, 0, 0},
                              {"slot out of range", KOP_ADDO, KI64, 1, 1, 0, 2},
                              {"error of a number", KOP_ERR, 0, 0, 0, 0, 0},
                              {"error has no type", KOP_ERR, KI64, 2, 0, 0, 0},
                              {"operand from the future", KOP_NEG, KF64, 4, 0, 0, 0},
                              {"no value", KOP_NOT, KB, 3, 0, 0, 0},
                              {"a fold in a map", KOP_FOLD, KF64, 0, 0, 0, 0},
                              {"no such operation", KOP_COUNT, KF64, 0, 0, 0, 0},
                              {"no such type", KOP_NEG, KTY_COUNT, 0, 0, 0, 0}};
  kir k = {.kind = KIR_MAP, .n_in = 2, .n_fault = 2, .n_param = 1, .param = {KF64}};
  k.in[0] = (kin){ET_F64, KV_FLAT}, k.in[1] = (kin){ET_I64, KV_FLAT};
  kv x = add(&k, KOP_ARG, KF64, 0, 0, 0, 0);
  add(&k, KOP_ARG, KI64, 0, 0, 0, 1);
  add(&k, KOP_ERR, (kty)0, add(&k, KOP_EQ, KB, x, x, 0, 0), 0, 0,
      0); /* 2 is KB, 3 no value */
  kv last = add(&k, KOP_NEG, KF64, x, 0, 0, 0);
  assert_true(kir_check(&k));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bad *b = &cases[i];
    kins was = k.ins[last];
    k.ins[last] = (kins){b->op, b->ty, (kv)b->a, (kv)b->b, (kv)b->c, {.i = b->imm}};
    if (kir_check(&k)) fail_msg("%s", b->what);
    k.ins[last] = was;
  }
  k.out[k.n_out++] = (kout){last, ET_I32};
  assert_false(kir_check(&k));
  k.out[0] = (kout){3, ET_BIT};
  assert_false(kir_check(&k));
  k.out[0] = (kout){last, ET_F64};
  assert_true(kir_check(&k));
  k.kind = KIR_SCAN;
  assert_false(kir_check(&k)); /* no fold */
  kir_free(&C, &k);
}

static void test_fold_types(void **state) {
  (void)state;
  static const struct {
    kfold f;
    kty from, to;
    bool wide, ok;
  } t[] = {{KF_ADD, KF64, KF64, false, true}, {KF_ADD, KF32, KF64, false, false},
           {KF_ADD, KI32, KI64, false, true}, {KF_ADD, KI32, KI32, false, false},
           {KF_ADD, KI64, KF64, true, true},  {KF_ADD, KI64, KF64, false, false},
           {KF_ADD, KB, KI64, false, false},  {KF_MUL, KI64, KI64, false, true},
           {KF_MAX, KF32, KF32, false, true}, {KF_MIN, KI32, KI64, false, false},
           {KF_AND, KB, KB, false, true},     {KF_OR, KF64, KB, false, true},
           {KF_AND, KB, KI32, false, false},  {KF_ADD, KF64, KF64, true, false}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    kir k = {.kind = KIR_REDUCE, .n_fault = 1, .fold = t[i].f, .wide = t[i].wide};
    kv x = add(&k, KOP_CONST, t[i].from, 0, 0, 0, 0);
    add(&k, KOP_FOLD, t[i].to, x, 0, 0, 0);
    if (kir_check(&k) != t[i].ok) fail_msg("case %d", (int)i);
    kir_free(&C, &k);
  }
}

static void test_table_and_dump(void **state) {
  (void)state;
  assert_string_equal(kop_table[KOP_ARG].name, "ARG");
  assert_string_equal(kop_table[KOP_FOLD].name, "FOLD");
  assert_int_equal(kop_table[KOP_SEL].operands, 3);
  assert_int_equal(kir_arg_type(ET_BIT), KB);
  assert_int_equal(kir_arg_type(ET_C32), KI32);
  assert_int_equal(kir_arg_type(ET_I16), KI32);
  kir k = {.kind = KIR_SCAN, .n_in = 1, .n_fault = 1, .fold = KF_ADD, .wide = true};
  k.in[0] = (kin){ET_I8, KV_FLAT};
  kv x = add(&k, KOP_ARG, KI64, 0, 0, 0, 0);
  kv r = add(&k, KOP_FOLD, KI64, add(&k, KOP_ADDO, KI64, x, x, 0, 0), 0, 0, 0);
  k.out[k.n_out++] = (kout){r, ET_I64};
  str s = {.c = &C};
  kir_dump(&k, &s);
  assert_string_equal(s.at, "scan in0:i8.flat faults:1\n"
                            "  %0   = ARG.i64 #0\n"
                            "  %1   = ADDO.i64 %0 %0 !0\n"
                            "  %2   = FOLD.i64 %1 + wide !0\n"
                            "  out0:i64 = %2\n");
  str_free(&s);
  kir_free(&C, &k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_merge),         cmocka_unit_test(test_fold_is_a_border),
      cmocka_unit_test(test_limit),         cmocka_unit_test(test_failing_allocator),
      cmocka_unit_test(test_check),         cmocka_unit_test(test_fold_types),
      cmocka_unit_test(test_table_and_dump)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
