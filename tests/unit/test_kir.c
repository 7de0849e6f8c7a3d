/* SPDX-License-Identifier: MIT */
/* test_kir.c - building kernels: merging of equal instructions, the fold as a border, limits,
 * failing allocations, what kir_check refuses; and that every row of ops.def is served by both
 * back ends for every type that it names. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/codegen/codegen.h"
#include "src/base/mem.h"
#include "src/host/host.h"

#include "kir_ref.h"
#include "loop_kernels.h"

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
  kir k = {.kind = KIR_REDUCE, .n_in = 1, .acc[0].monoid = KF_ADD};
  k.in[0] = (kin){ET_F64, KV_FLAT};
  kv one = real(&k, 1), x = add(&k, KOP_ARG, KF64, 0, 0, 0, 0);
  kv r = add(&k, KOP_FOLD, KF64, add(&k, KOP_ADD, KF64, x, one, 0, 0), 0, 0, 0);
  assert_int_equal(k.fold_at, r);
  kv again = real(&k, 1);
  assert_true(again > r);
  assert_int_equal(real(&k, 1), again);
  k.out[k.n_out++] =
      (kout){.value = add(&k, KOP_DIV, KF64, r, again, 0, 0), .type = ET_F64};
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
                              {"fault out of range", KOP_ADDO, KI64, 1, 1, 0, 2},
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
  k.out[k.n_out++] = (kout){.value = last, .type = ET_I32};
  assert_false(kir_check(&k));
  k.out[0] = (kout){.value = 3, .type = ET_BIT};
  assert_false(kir_check(&k));
  k.out[0] = (kout){.value = last, .type = ET_F64};
  assert_true(kir_check(&k));
  k.out[0].kept = true;
  assert_false(kir_check(&k)); /* what is written everywhere keeps nothing */
  k.out[0].put = KPUT_ONCE;
  k.out[0].at = 1;
  k.out[0].when = 2;
  assert_true(kir_check(&k));
  k.out[0].put = KPUT_JOIN;
  assert_false(kir_check(&k)); /* a sum of floats */
  k.out[0].value = 1;
  k.out[0].type = ET_I64;
  assert_true(kir_check(&k));
  k.out[0].type = ET_I16;
  assert_false(kir_check(&k));
  k.out[0] = (kout){.value = last, .type = ET_F64};
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
    kir k = {.kind = KIR_REDUCE,
             .n_fault = 1,
             .acc[0] = {.monoid = (uint8_t)t[i].f, .wide = t[i].wide}};
    kv x = add(&k, KOP_CONST, t[i].from, 0, 0, 0, 0);
    add(&k, KOP_FOLD, t[i].to, x, 0, 0, 0);
    if (kir_check(&k) != t[i].ok) fail_msg("case %d", (int)i);
    kir_free(&C, &k);
  }
}

/* ── tuples ── */

static kv adding(kir *k, kv a, kv b) { return add(k, KOP_ADD, KF64, a, b, 0, 0); }

/* A scan of two floats, by a join that multiplies with a parameter. */
static void tuple(kir *k) {
  *k = (kir){.kind = KIR_SCAN, .n_in = 1, .n_fault = 1, .n_param = 1, .param = {KF64}};
  k->in[0] = (kin){ET_F64, KV_FLAT};
  kv x = add(k, KOP_ARG, KF64, 0, 0, 0, 0), y = add(k, KOP_NEG, KF64, x, 0, 0, 0);
  kacc acc[2] = {{.from = x, .ty = KF64, .fault = -1},
                 {.from = y, .ty = KF64, .fault = -1}};
  k->join = mem_zalloc(&C, sizeof *k->join);
  kir *j = k->join;
  *j = (kir){.kind = KIR_MAP, .n_in = 4, .n_param = 1, .param = {KF64}};
  kv v[4];
  for (int i = 0; i < 4; i++) {
    j->in[i] = (kin){ET_F64, KV_FLAT};
    v[i] = add(j, KOP_ARG, KF64, 0, 0, 0, i);
  }
  kv p = add(j, KOP_PARAM, KF64, 0, 0, 0, 0);
  j->out[j->n_out++] = (kout){.value = adding(j, v[0], v[2]), .type = ET_F64};
  j->out[j->n_out++] =
      (kout){.value = add(j, KOP_MUL, KF64, v[1], p, 0, 0), .type = ET_F64};
  kv r = kir_fold(&C, k, acc, 2);
  k->out[k->n_out++] = (kout){.value = adding(k, r, kir_part(&C, k, 1)), .type = ET_F64};
}

static void test_tuples(void **state) {
  (void)state;
  kir k;
  tuple(&k);
  assert_true(kir_check(&k));
  assert_int_equal(kir_part(&C, &k, 0), k.fold_at);
  str s = {.c = &C};
  kir_dump(&k, &s);
  assert_string_equal(s.at, "scan in0:f64.flat p0:f64 faults:1\n"
                            "  %0   = ARG.f64 #0\n"
                            "  %1   = NEG.f64 %0\n"
                            "  %2   = FOLD.f64 %0 !-1, %1.f64 !-1 join tree\n"
                            "  %3   = PART.f64 %2 #1\n"
                            "  %4   = ADD.f64 %2 %3\n"
                            "  out0:f64 = %4\n"
                            "join map in0:f64.flat in1:f64.flat in2:f64.flat in3:f64.flat"
                            " p0:f64 faults:0\n"
                            "  %0   = ARG.f64 #0\n"
                            "  %1   = ARG.f64 #1\n"
                            "  %2   = ARG.f64 #2\n"
                            "  %3   = ARG.f64 #3\n"
                            "  %4   = PARAM.f64 #0\n"
                            "  %5   = ADD.f64 %0 %2\n"
                            "  %6   = MUL.f64 %1 %4\n"
                            "  out0:f64 = %5\n"
                            "  out1:f64 = %6\n");
  str_free(&s);
  kir *j = k.join;
#define REFUSED(what, change, back)                                                      \
  change;                                                                                \
  if (kir_check(&k)) fail_msg("%s", what);                                               \
  back;                                                                                  \
  assert_true(kir_check(&k))
  REFUSED("a component that is not there", k.ins[3].imm.i = 2, k.ins[3].imm.i = 1);
  REFUSED("a part of something else", k.ins[3].a = 0, k.ins[3].a = 2);
  REFUSED("a part's type", k.acc[1].ty = KF32, k.acc[1].ty = KF64);
  REFUSED("folding what comes behind", k.acc[1].from = 3, k.acc[1].from = 1);
  REFUSED("the FOLD's own operand", k.ins[2].a = 1, k.ins[2].a = 0);
  REFUSED("a wide value of a join", k.acc[1].wide = true, k.acc[1].wide = false);
  REFUSED("a join of one tuple", j->n_in = 2, j->n_in = 4);
  REFUSED("a result too few", j->n_out = 1, j->n_out = 2);
  REFUSED("a result's type", j->in[0].type = ET_BIT;
          j->ins[0].ty = KB, j->in[0].type = ET_F64; j->ins[0].ty = KF64);
  REFUSED("another parameter", j->param[0] = KF32, j->param[0] = KF64);
  REFUSED("a reduction is not exclusive", k.kind = KIR_REDUCE;
          k.exclusive = true, k.kind = KIR_SCAN; k.exclusive = false);
  kins was = j->ins[4];
  j->n_param = 0;
  REFUSED("a position", j->ins[4] = ((kins){.op = KOP_IOTA, .ty = KI32}), j->ins[4] = was;
          j->n_param = 1);
  kir_free(&C, &k);
  /* Without a join each has its own monoid and result; not in a scan. */
  tuple(&k);
  k.kind = KIR_REDUCE;
  kir_free(&C, k.join);
  mem_free(&C, k.join);
  k.join = NULL;
  k.acc[0].monoid = KF_MIN, k.acc[1].monoid = KF_ADD;
  assert_true(kir_check(&k));
  k.kind = KIR_SCAN;
  assert_false(kir_check(&k));
  k.kind = KIR_REDUCE;
  k.acc[1].monoid = KF_COUNT;
  assert_false(kir_check(&k));
  kir_free(&C, &k);
}

static void test_loops(void **state) {
  (void)state;
  for (int which = 0; which < LOOP_KERNELS; which++) {
    kir k = loop_kernel(&C, which);
    assert_true(kir_check(&k));
    kir_free(&C, &k);
  }
  kir k = loop_kernel(&C, 2);
  str s = {.c = &C};
  kir_dump(&k, &s);
  const char *loop = strstr(s.at, "LOOP");
  assert_non_null(loop);
  assert_memory_equal(loop, "LOOP.f64 #0 %3 %3 %4; %1 !0\n", 28);
  assert_non_null(strstr(loop, "loop 0 test 13 map in0:f64.flat in1:f64.flat in2:i32.flat"
                               " in3:f64.flat p0:f64 faults:2\n"));
  str_free(&s);
  kloop *l = &k.loop[0];
  kir *j = l->body;
  REFUSED("a start from behind", l->from[1] = 200, l->from[1] = 3);
  REFUSED("a start's type", l->from[1] = 4, l->from[1] = 3);
  REFUSED("no carried value", l->n = 0, l->n = 3);
  REFUSED("a result too few", j->n_out = 3, j->n_out = 4);
  REFUSED("no truth value", j->out[3].value = 0, j->out[3].value = 12);
  REFUSED("again behind the test", l->test = 12, l->test = 13);
  REFUSED("no fault", l->fault = 2, l->fault = 0);
  REFUSED("a next value's type", j->out[0].value = 2, j->out[0].value = 16);
  REFUSED("another parameter", j->param[0] = KF32, j->param[0] = KF64);
  REFUSED("no such loop", k.ins[k.out[0].value].imm.i = 3,
          k.ins[k.out[0].value].imm.i = 1);
  kins was = j->ins[3];
  REFUSED("a position", j->ins[3] = ((kins){.op = KOP_IOTA, .ty = KI32}),
          j->ins[3] = was);
  kir_free(&C, &k);
}

static void test_table_and_dump(void **state) {
  (void)state;
  assert_string_equal(kop_table[KOP_ARG].name, "ARG");
  assert_string_equal(kop_table[KOP_FOLD].name, "FOLD");
  assert_int_equal(kop_table[KOP_SEL].operands, 3);
  assert_int_equal(kir_arg_type(ET_BIT), KB);
  assert_int_equal(kir_arg_type(ET_C32), KI32);
  assert_int_equal(kir_arg_type(ET_I16), KI32);
  kir k = {.kind = KIR_SCAN,
           .n_in = 1,
           .n_fault = 1,
           .acc[0] = {.monoid = KF_ADD, .wide = true}};
  k.in[0] = (kin){ET_I8, KV_FLAT};
  kv x = add(&k, KOP_ARG, KI64, 0, 0, 0, 0);
  kv r = add(&k, KOP_FOLD, KI64, add(&k, KOP_ADDO, KI64, x, x, 0, 0), 0, 0, 0);
  k.out[k.n_out++] = (kout){.value = r, .type = ET_I64};
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

/* ── every row of ops.def ── */

enum { LEN = 70 };

static elt elt_of(kty t) {
  static const elt of[KTY_COUNT] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  return of[t];
}

/* Numbers of all signs and sizes, with zeros, ends and what is not finite; whole: what a
 * conversion to an integer may meet. */
static void fill(kty t, void *p, int seed, bool whole) {
  static const double f[] = {0, -0.0, 1, -1, 2.5, -7.25, 1e30, -1e-30, INFINITY, NAN};
  for (int i = 0; i < LEN; i++) {
    int at = (i * 7 + seed * 3 + i / 10) % (whole ? 6 : 10);
    int64_t end = t == KI32 ? INT32_MIN : INT64_MIN;
    int64_t v[10] = {0, 1, -1, 2, -3, 1000, -77, end, -(end + 1), 12345};
    switch (t) {
    case KB: {
      uint8_t *b = (uint8_t *)p + i / 8;
      if (i % 8 == 0) *b = 0;
      *b = (uint8_t)(*b | (at & 1) << i % 8);
      break;
    }
    case KI32: ((int32_t *)p)[i] = (int32_t)v[at]; break;
    case KI64: ((int64_t *)p)[i] = v[at]; break;
    case KF32: ((float *)p)[i] = (float)f[at]; break;
    default: ((double *)p)[i] = f[at]; break;
    }
  }
}

typedef struct trial {
  kir k;
  kir_bind b;
  uint64_t in[3][LEN], out[LEN], want[LEN];
  uint32_t flags[2], flags_wanted[2];
} trial;

static kv operand(trial *t, kty ty, bool whole) {
  uint32_t n = t->k.n_in++;
  t->k.in[n] = (kin){(uint8_t)elt_of(ty), KV_FLAT};
  fill(ty, t->in[n], (int)n, whole);
  t->b.in[n].host = t->in[n];
  return add(&t->k, KOP_ARG, ty, 0, 0, 0, n);
}

/* A map of the one operation on type ty; false where form and type give nothing to try. */
static bool make_trial(trial *t, kop op, kty ty, kty from) {
  const kop_row *row = &kop_table[op];
  kty types[3] = {ty, ty, ty};
  kv v[3] = {0};
  bool whole = row->form == KFORM_CONVERT && kty_is_int(ty);
  *t = (trial){.k = {.kind = KIR_MAP, .n_fault = 1},
               .b = {.rows = 1, .len = LEN, .inner = 1}};
  if (row->form == KFORM_SELECT) types[0] = KB;
  if (row->form == KFORM_CONVERT || row->form == KFORM_BITS) types[0] = from;
  else if (from != ty) return false;
  if (row->form == KFORM_BITS && kty_bytes(from) != kty_bytes(ty)) return false;
  if (row->imm == KIMM_INPUT) (void)operand(t, ty, false);
  for (int j = 0; j < row->operands; j++) v[j] = operand(t, types[j], whole);
  if (row->imm == KIMM_PARAM) {
    t->k.param[t->k.n_param++] = (uint8_t)ty;
    if (kty_is_float(ty)) t->b.param[0].f = 2.5;
    else t->b.param[0].i = 1;
  }
  kv r = add(&t->k, op, kop_gives(op, ty), v[0], v[1], v[2], 0);
  if (!kop_has_value(op)) r = v[0];
  t->k.out[t->k.n_out++] =
      (kout){.value = r, .type = (uint8_t)elt_of((kty)t->k.ins[r].ty)};
  return true;
}

static void try_host(trial *t, const char *name) {
  elt e = (elt)t->k.out[0].type;
  t->b.flags = t->flags_wanted;
  t->b.out[0].host = t->want;
  ref_run(&t->k, &t->b);
  t->b.flags = t->flags;
  t->b.out[0].host = t->out;
  assert_true(blk_run(&C, NULL, &t->k, &t->b));
  if (!ref_same(e, t->out, t->want, LEN)) fail_msg("%s: values on the host", name);
  if (memcmp(t->flags, t->flags_wanted, sizeof t->flags)) fail_msg("%s: flags", name);
}

/* test_codegen validates and runs such modules; here one is made at all. */
static void try_codegen(const trial *t, const char *name) {
  cg_opts o = {
      .template = CG_MAP, .workgroup = 64, .subgroup = 8, .width = 4, .float64 = true};
  o.map.items = 1;
  cg_module m;
  assert_true(cg_emit(&C, &t->k, &o, &m));
  if (m.n < 20) fail_msg("%s: no module", name);
  mem_free(&C, m.words);
}

/* FOLD is special: its types are the monoid's (test_fold_types), and test_block and
 * test_codegen try each monoid. */
static void test_every_operation(void **state) {
  (void)state;
  static trial t;
  for (kop op = 0; op < KOP_COUNT; op++) {
    int tried = 0;
    /* Folds are not of one element, GET's input is read otherwise, LOOPs are more than
     * one: test_block has them. */
    if (op == KOP_FOLD || op == KOP_PART || op == KOP_GET || op == KOP_LOOP) continue;
    if (op == KOP_NEAR) continue; /* test_codegen has it */
    for (kty ty = KB; ty < KTY_COUNT; ty++)
      for (kty from = KB; from < KTY_COUNT; from++) {
        if (!kop_takes(op, ty) || !make_trial(&t, op, ty, from)) continue;
        if (!kir_check(&t.k)) fail_msg("%s: not legal", kop_table[op].name);
        try_host(&t, kop_table[op].name);
        try_codegen(&t, kop_table[op].name);
        kir_free(&C, &t.k);
        tried++;
      }
    if (!tried) fail_msg("%s: legal for no type", kop_table[op].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_merge),  cmocka_unit_test(test_fold_is_a_border),
      cmocka_unit_test(test_limit),  cmocka_unit_test(test_failing_allocator),
      cmocka_unit_test(test_check),  cmocka_unit_test(test_fold_types),
      cmocka_unit_test(test_tuples), cmocka_unit_test(test_table_and_dump),
      cmocka_unit_test(test_loops),  cmocka_unit_test(test_every_operation)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
