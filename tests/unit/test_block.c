/* SPDX-License-Identifier: MIT */
/* test_block.c - the block interpreter against kir_ref.h, bit for bit: every operation and
 * type on awkward numbers, every fold at lengths around every limit of the tree, random
 * kernels, one thread and three, every instruction set of the machine, a failing allocator,
 * and interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "src/host/host.h"
#include "src/ir/plan.h"
#include "src/host/threads.h"
#include "src/kir/folds.h"
#include "src/kir/lower.h"
#include "src/prim/direct.h"
#include "tests/unit/kir_ref.h"
#include "tests/unit/loop_kernels.h"
#include "tests/unit/pools.h"

/* ── data ── */

enum flavour {
  TAME,
  WILD
}; /* small numbers; or also NaN, infinities, ends of the ranges */

static double wild_float(void) {
  static const double odd[] = {0.0,       -0.0,   1,      -1,      0.5,   -2.5, 1.5,
                               1e300,     -1e300, 1e308,  3e9,     -3e9,  1e19, INFINITY,
                               -INFINITY, NAN,    0x1p31, -0x1p31, 0x1p63};
  if (below(4)) return (double)(below(2001) - 1000) / 8;
  return odd[below((int64_t)(sizeof odd / sizeof *odd))];
}

static int64_t wild_int(void) {
  static const int64_t odd[] = {
      0,         1,   -1,   INT32_MAX,        INT32_MIN,          INT64_MAX,
      INT64_MIN, 255, -128, (int64_t)1 << 32, -((int64_t)1 << 40)};
  if (below(3)) return below(41) - 20;
  return odd[below((int64_t)(sizeof odd / sizeof *odd))];
}

static void fill(elt t, void *p, int64_t n, enum flavour f) {
  for (int64_t i = 0; i < n; i++) {
    int64_t v = f == WILD ? wild_int() : below(7) - 3;
    double d = f == WILD ? wild_float() : (double)(below(4001) - 2000) / 64 + 1.0 / 3;
    switch (t) {
    case ET_BIT:
      ((uint8_t *)p)[i / 8] =
          (uint8_t)((i % 8 ? ((uint8_t *)p)[i / 8] : 0u) | (unsigned)(v & 1) << i % 8);
      break;
    case ET_I8:
    case ET_C8: ((uint8_t *)p)[i] = (uint8_t)v; break;
    case ET_I16:
    case ET_C16: ((uint16_t *)p)[i] = (uint16_t)v; break;
    case ET_I32: ((int32_t *)p)[i] = (int32_t)v; break;
    case ET_C32: ((uint32_t *)p)[i] = (uint32_t)v & 0x1fffff; break;
    case ET_I64: ((int64_t *)p)[i] = v; break;
    case ET_F32: ((float *)p)[i] = (float)d; break;
    default: ((double *)p)[i] = d; break;
    }
  }
}

/* ── the folds that are tested ── */

typedef struct fold_case {
  kfold fold;
  kty src, to;
  bool wide;
} fold_case;
enum { MOST_FOLDS = KF_COUNT * (KTY_COUNT + 5) };
static fold_case folds[MOST_FOLDS];
static size_t n_folds;

static void list_fold(kfold f, kty src, kty to, bool wide) {
  folds[n_folds++] = (fold_case){f, src, to, wide};
}

/* Every row of folds.def on every type; truth values also from integers. */
static void list_folds(void) {
  for (kfold f = 0; f < KF_COUNT; f++)
    for (kty ty = 0; ty < KTY_COUNT; ty++) {
      korder order = kfold_table[f].on[ty].order;
      if (order == KORDER_EXACT || order == KORDER_TREE) list_fold(f, ty, ty, false);
      if (ty == KB && kfold_type(f, KI32) == KB) list_fold(f, KI32, KB, false);
      if (order != KORDER_SUM) continue;
      list_fold(f, ty, KI64, false);
      list_fold(f, ty, KI64, true);
      list_fold(f, ty, KF64, true);
    }
}

/* ── running both ── */

static int set_up(void **state) {
  list_folds();
  return set_up_pools(state);
}

/* An output's elements before a run, of which some may stay. */
static void before(const kir *k, void *p, uint32_t o, int64_t n) {
  memset(p, 0xA5, elt_bytes(k->out[o].type, n));
  for (int64_t i = 0; k->out[o].kept && i < n; i++)
    ref_store((elt)k->out[o].type, p, i, KI64,
              (ref_val){.i = k->out[o].put == KPUT_INSERT ? -1 : i % 5});
}

/* Runs k on b (whose inputs are set) with the reference and on every pool. */
static void compare(const kir *k, kir_bind *b) {
  uint32_t want_flags[2 * KIR_MAX_FAULT] = {0}, flags[2 * KIR_MAX_FAULT];
  void *want[KIR_MAX_OUT];
  int64_t n = b->rows * b->inner * (k->kind == KIR_REDUCE ? 1 : b->len);
  if (k->kind == KIR_SCAN && k->segments) n = b->len;
  assert_true(kir_check(k));
  for (uint32_t o = 0; o < k->n_out; o++) {
    if (k->out[o].kept) n = b->out[o].count;
    b->out[o].host = want[o] = exact_alloc(elt_bytes(k->out[o].type, n));
    before(k, want[o], o, n);
  }
  b->flags = want_flags;
  ref_run(k, b);
  for (uint32_t o = 0; o < k->n_out; o++)
    b->out[o].host = exact_alloc(elt_bytes(k->out[o].type, n));
  b->flags = flags;
  for (int i = 0; i < n_pool; i++) {
    memset(flags, 0, sizeof flags);
    for (uint32_t o = 0; o < k->n_out; o++) before(k, b->out[o].host, o, n);
    assert_true(blk_run(&C, pools[i], k, b));
    bool bad = memcmp(flags, want_flags, sizeof flags) != 0;
    int64_t at = -1;
    for (uint32_t o = 0; o < k->n_out && at < 0; o++)
      at = ref_differs(k->out[o].type, want[o], b->out[o].host, n);
    if (bad || at >= 0) {
      str s = {.c = &C};
      kir_dump(k, &s);
      print_message("%s: rows %lld len %lld inner %lld: %s at %lld\n%s", pool_name[i],
                    (long long)b->rows, (long long)b->len, (long long)b->inner,
                    bad ? "flags" : "values", (long long)at, s.at);
      str_free(&s);
      fail();
    }
  }
  for (uint32_t o = 0; o < k->n_out; o++) {
    free(want[o]);
    free(b->out[o].host);
  }
  b->flags = NULL;
}

/* ── every operation ── */

static bool op_takes(kop op, kty t) { /* one of its own operands' type */
  kop_form f = (kop_form)kop_table[op].form;
  bool elementwise =
      f == KFORM_SAME || f == KFORM_COMPARE || f == KFORM_SELECT || f == KFORM_TEST;
  return elementwise && kop_takes(op, t);
}

static void one_op(kop op, kty ty, unsigned scalars, enum flavour f, int64_t len) {
  kir k = {.kind = KIR_MAP, .n_in = 4, .n_fault = 2};
  kir_bind b = {.rows = 1, .inner = 1, .len = len};
  kv v[4];
  for (int i = 0; i < 4; i++) {
    kty t = i == 3 ? KB : ty;
    bool one = scalars >> i & 1;
    k.in[i] = (kin){(uint8_t)elt_of(t), one ? KV_ONE : KV_FLAT};
    void *p = exact_alloc(elt_bytes(elt_of(t), one ? 1 : len));
    fill(elt_of(t), p, one ? 1 : len, f);
    b.in[i].host = p;
    v[i] = add(&k, KOP_ARG, t, 0, 0, 0, i);
  }
  bool sel = op == KOP_SEL, shift = kop_table[op].imm == KIMM_COUNT;
  kv r = add(&k, op, kop_gives(op, ty), sel ? v[3] : v[0], v[1], v[2],
             shift                ? below(8 * kty_bytes(ty))
             : kop_has_effect(op) ? 1
                                  : 0);
  if (op == KOP_ERR || op == KOP_ESC) r = v[0];
  output(&k, r, elt_of(k.ins[r].ty));
  compare(&k, &b);
  for (int i = 0; i < 4; i++) free((void *)(uintptr_t)b.in[i].host);
  kir_free(&C, &k);
}

static void test_operations(void **state) {
  (void)state;
  for (int op = 0; op < KOP_COUNT; op++)
    for (int ty = 0; ty < KTY_COUNT; ty++) {
      if (!op_takes((kop)op, (kty)ty)) continue;
      for (unsigned scalars = 0; scalars < 16; scalars++)
        for (int f = TAME; f <= WILD; f++)
          one_op((kop)op, (kty)ty, scalars, (enum flavour)f, 200 + (int)scalars);
      one_op((kop)op, (kty)ty, 0, TAME, 5000);
    }
}

/* Every storage type, read in every way, converted to every type it may have. */
static void test_loads_and_conversions(void **state) {
  (void)state;
  for (int t = 0; t < ET_COUNT; t++)
    for (int how = KV_FLAT; how <= KV_STRIDED; how++)
      for (int to = 0; to < KTY_COUNT; to++) {
        if (t == ET_C128 || t == ET_NEST || how == KV_GET || how == KV_NEAR) continue;
        int64_t len = 1000 + below(100), step = below(2) ? -3 : 2,
                n = how == KV_ONE ? 1 : 3 * len;
        kir k = {.kind = KIR_MAP, .n_in = 1};
        k.in[0] = (kin){(uint8_t)t, (uint8_t)how};
        kir_bind b = {.rows = 1, .inner = 1, .len = len};
        void *p = exact_alloc(elt_bytes((elt)t, n));
        fill((elt)t, p, n, WILD);
        b.in[0].host = p;
        b.in[0].step = step, b.in[0].offset = step < 0 ? n - 1 : 1;
        if (how == KV_STRIDED) { /* rows of 7, read by columns, each twice */
          k.n_strided = 1, k.strided[0] = 3;
          b.strided[0] = (kstrided){{0, 2, 7}, {1, 0, len / 7}};
          b.in[0].step = 1, b.in[0].offset = 0;
        }
        kty raw = kir_arg_type((elt)t);
        kv v = add(&k, KOP_ARG, raw, 0, 0, 0, 0);
        kv w = raw == (kty)to ? v : add(&k, KOP_CVT, (kty)to, v, 0, 0, 0);
        if (t == ET_BIT || t == ET_I8 || t == ET_F32) { /* also without CVT */
          if (!(t == ET_I8 && to == KB) && !(t == ET_F32 && to < KF32))
            output(&k, add(&k, KOP_ARG, (kty)to, 0, 0, 0, 0), elt_of((kty)to));
        }
        output(&k, v, elt_of(raw));
        output(&k, w, elt_of((kty)to));
        output(&k, w, elt_of((kty)to));
        if (kty_is_int((kty)to))
          for (int o = ET_I8; o <= ET_C32; o++)
            if (elt_is_int((elt)o) || elt_is_char((elt)o))
              if (k.n_out < KIR_MAX_OUT) output(&k, w, (elt)o);
        compare(&k, &b);
        kir_free(&C, &k);
        free(p);
      }
}

static void test_bits_and_params(void **state) {
  (void)state;
  kir k = {.kind = KIR_MAP, .n_in = 2, .n_param = 5, .n_fault = 1};
  k.in[0] = (kin){ET_F64, KV_FLAT}, k.in[1] = (kin){ET_F32, KV_FLAT};
  enum { LEN = 777 };
  static double x[LEN];
  static float y[LEN];
  fill(ET_F64, x, LEN, TAME), fill(ET_F32, y, LEN, TAME);
  kir_bind b = {.rows = 1, .inner = 1, .len = LEN};
  b.in[0].host = x, b.in[1].host = y;
  kv p[5];
  for (int i = 0; i < 5; i++) {
    k.param[i] = (uint8_t)i;
    if (i < KF32) b.param[i].i = i == KB ? 1 : -7;
    else b.param[i].f = 2.25;
    p[i] = add(&k, KOP_PARAM, (kty)i, 0, 0, 0, i);
  }
  kv a = add(&k, KOP_ARG, KF64, 0, 0, 0, 0), f = add(&k, KOP_ARG, KF32, 0, 0, 0, 1);
  kv u = add(&k, KOP_BITS, KI64, a, 0, 0, 0), w = add(&k, KOP_BITS, KI32, f, 0, 0, 0);
  kv shifted = add(&k, KOP_SAR, KI64, u, 0, 0, 52);
  kv back = add(&k, KOP_BITS, KF32, add(&k, KOP_XOR, KI32, w, p[KI32], 0, 0), 0, 0, 0);
  kv q = add(&k, KOP_FIN, KF64,
             add(&k, KOP_BITS, KF64, add(&k, KOP_ADD, KI64, u, p[KI64], 0, 0), 0, 0, 0),
             a, p[KF64], 0);
  output(&k, shifted, ET_I16);
  output(&k, back, ET_F32);
  output(&k, q, ET_F64);
  output(&k, p[KF64], ET_F64);
  output(&k, add(&k, KOP_SEL, KF32, p[KB], f, p[KF32], 0), ET_F32);
  output(&k, add(&k, KOP_IOTA, KI32, 0, 0, 0, 0), ET_I32);
  output(&k, add(&k, KOP_MUL, KI64, p[KI64], p[KI64], 0, 0), ET_I8);
  output(&k, p[KB], ET_BIT);
  compare(&k, &b);
  kir_free(&C, &k);
}

/* One look, or one beside its operands, at a number that all elements share. */
static void test_looks_at_params(void **state) {
  (void)state;
  for (int which = 0; which < 4; which++) {
    kir k = {.kind = KIR_MAP, .n_param = 2, .param = {KF64, KF64}, .n_fault = 1};
    kir_bind b = {.rows = 1, .inner = 1, .len = 777};
    b.param[0].f = which % 2 ? HUGE_VAL : 1.5;
    b.param[1].f = 2;
    kv p = add(&k, KOP_PARAM, KF64, 0, 0, 0, 0), q = add(&k, KOP_PARAM, KF64, 0, 0, 0, 1);
    kv beside = which < 2 ? p : q;
    output(&k, add(&k, KOP_FIN, KF64, p, beside, beside, 0), ET_F64);
    compare(&k, &b);
    kir_free(&C, &k);
  }
}

/* ── stores ── */

/* Into elements that stay where nothing goes. */
static void try_kept(kout how, elt t, kty where, int64_t len) {
  kir k = {.kind = KIR_MAP, .n_in = 2};
  kir_bind b = {.rows = 1, .inner = 1, .len = len};
  k.in[0] = (kin){(uint8_t)t, KV_FLAT};
  k.in[1] = (kin){(uint8_t)elt_of(where), KV_FLAT};
  void *x = exact_alloc(elt_bytes(t, len)), *at = exact_alloc(8 * (size_t)len);
  fill(t, x, len, TAME);
  for (int64_t i = 0; i < len; i++) {
    int64_t to = how.put == KPUT_ONCE ? 3 * i : below(len);
    ref_store(elt_of(where), at, i, KI64, (ref_val){.i = below(4) ? to : -1});
  }
  b.in[0].host = x;
  b.in[1].host = at;
  b.out[0].count = 3 * len;
  how.type = (uint8_t)t;
  how.kept = true;
  how.value = add(&k, KOP_ARG, kir_arg_type(t), 0, 0, 0, 0);
  how.at = add(&k, KOP_ARG, where, 0, 0, 0, 1);
  how.when = add(&k, KOP_GE, KB, how.at, number(&k, where, 0), 0, 0);
  k.out[k.n_out++] = how;
  compare(&k, &b);
  free(at);
  free(x);
  kir_free(&C, &k);
}

/* The lowest number of each key; keys are apart, for else chance says which has which place. */
static void test_seats(void **state) {
  enum { LEN = 54321, COUNT = 4096 };
  static const elt types[] = {ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64};
  (void)state;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    kir k = {.kind = KIR_MAP, .n_in = 2};
    kir_bind b = {.rows = 1, .inner = 1, .len = LEN};
    k.in[0] = (kin){(uint8_t)types[i], KV_GET};
    k.in[1] = (kin){ET_I32, KV_FLAT};
    void *keys = exact_alloc(elt_bytes(types[i], LEN)), *at = exact_alloc(4 * LEN);
    for (int64_t j = 0; j < LEN; j++) {
      int64_t key = below(100);
      ref_store(types[i], keys, j, KI64, (ref_val){.i = key, .d = (double)key});
      if (types[i] == ET_F32) ((float *)keys)[j] = (float)key;
      if (types[i] == ET_F64) ((double *)keys)[j] = (double)key;
      ref_store(ET_I32, at, j, KI64, (ref_val){.i = 32 * key});
    }
    b.in[0].host = keys;
    b.in[0].offset = LEN - 1;
    b.in[1].host = at;
    b.out[0].count = COUNT;
    kout seat = {.type = ET_I32, .put = KPUT_INSERT, .kept = true};
    seat.value = add(&k, KOP_IOTA, KI32, 0, 0, 0, 0);
    seat.at = add(&k, KOP_ARG, KI32, 0, 0, 0, 1);
    seat.mask = number(&k, KI32, COUNT - 1);
    seat.when = add(&k, KOP_NE, KB, seat.value, number(&k, KI32, 3), 0, 0);
    k.out[k.n_out++] = seat;
    compare(&k, &b);
    free(at);
    free(keys);
    kir_free(&C, &k);
  }
}

static void test_kept(void **state) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64};
  (void)state;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    for (int64_t len = 1; len < 70000; len = 7 * len + 1)
      try_kept((kout){.put = KPUT_ONCE}, types[i], i % 2 ? KI32 : KI64, len);
  for (uint8_t f = 0; f < KF_EACH_AND; f++)
    for (kty ty = KB; ty <= KI64; ty++) {
      uint8_t order = kfold_table[f].on[ty].order;
      if (order != KORDER_EXACT && order != KORDER_SUM) continue;
      try_kept((kout){.put = KPUT_JOIN, .monoid = f}, elt_of(ty), KI32, 54321);
    }
}

/* ── folds ── */

/* Where the rows of the next reductions lie in their line; NULL: rows × len × inner. */
static const int64_t *segments;

/* `how` 0: the fold alone; 1: a producer with a fault and a consumer, two outputs. */
static void fold_of(kir_kind kind, fold_case fc, elt t, int64_t rows, int64_t len,
                    int64_t inner, int how, enum flavour f) {
  kir k = {.kind = kind,
           .n_in = 1,
           .n_fault = 3,
           .exclusive = kind == KIR_SCAN && below(3) == 0,
           .acc[0] = {.monoid = (uint8_t)fc.fold, .wide = fc.wide}};
  kir_bind b = {.rows = rows, .len = len, .inner = inner};
  int64_t all = segments ? len : rows * len * inner;
  void *p = exact_alloc(elt_bytes(t, all));
  fill(t, p, all, f);
  if (fc.fold == KF_MUL && f == TAME)
    for (int64_t i = 0; i < all; i++) { /* products that stay in range */
      if (t == ET_F64) ((double *)p)[i] = 1 + (double)(below(3) - 1) / 1024;
      if (t == ET_F32) ((float *)p)[i] = 1 + (float)(below(3) - 1) / 1024;
      if (t == ET_I32) ((int32_t *)p)[i] = below(900) ? 1 - 2 * (int32_t)below(2) : 3;
      if (t == ET_I64) ((int64_t *)p)[i] = below(900) ? 1 - 2 * below(2) : 3;
    }
  if (t == ET_BIT && f == WILD) memset(p, below(2) ? 0xff : 0, elt_bytes(t, all));
  k.in[0] = (kin){(uint8_t)t, KV_FLAT};
  b.in[0].host = p;
  if (segments) {
    k.in[k.n_in] = (kin){ET_I64, KV_ONE};
    b.in[k.n_in].host = segments;
    k.segments = (uint8_t)++k.n_in;
  }
  kv v = add(&k, KOP_ARG, fc.src, 0, 0, 0, 0);
  if (how && fc.src == KF64)
    v = add(&k, KOP_FIN, KF64, add(&k, KOP_MUL, KF64, v, number(&k, KF64, 1.0625), 0, 0),
            v, v, 0);
  else if (how && kty_is_int(fc.src))
    v = add(&k, KOP_ADDO, fc.src, v, add(&k, KOP_IOTA, fc.src, 0, 0, 0, 0), 0, 0);
  else if (how && fc.src == KB) v = add(&k, KOP_NOT, KB, v, 0, 0, 0);
  kv r = add(&k, KOP_FOLD, fc.to, v, 0, 0, 1);
  if (how) {
    kv i = add(&k, KOP_IOTA, KI32, 0, 0, 0, 0), z = add(&k, KOP_CVT, fc.to, i, 0, 0, 0);
    kv c = add(&k, KOP_GT, KB, r, z, 0, 0);
    add(&k, KOP_ERR, (kty)0, add(&k, KOP_EQ, KB, i, number(&k, KI32, 900), 0, 0), 0, 0,
        2);
    output(&k, c, ET_BIT);
    output(&k, add(&k, KOP_SEL, fc.to, c, r, z, 0), elt_of(fc.to));
  }
  output(&k, r, elt_of(fc.to));
  assert_false(err_is(&C));
  compare(&k, &b);
  kir_free(&C, &k);
  free(p);
}

static void one_fold(kir_kind kind, fold_case fc, elt t, int64_t rows, int64_t len,
                     int how, enum flavour f) {
  fold_of(kind, fc, t, rows, len, 1, how, f);
}

static const int64_t lens[] = {
    1,    2,    3,    4,     5,     31,    32,    33,    63,   64,   65,   127,
    128,  129,  255,  257,   511,   767,   768,   769,   1000, 1023, 1024, 1025,
    1535, 1536, 1537, 2304,  4095,  4096,  4097,  7679,  7680, 7681, 8191, 8192,
    8193, 9984, 9985, 15359, 15360, 15361, 16383, 16384, 16385};

static void fold_lengths(kir_kind kind) {
  for (size_t f = 0; f < n_folds; f++)
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
      one_fold(kind, folds[f], elt_of(folds[f].src), 1, lens[i], (int)(i % 2), TAME);
      one_fold(kind, folds[f], elt_of(folds[f].src), 1, lens[i], (int)((i + f) % 2),
               WILD);
      if (lens[i] < 2000)
        one_fold(kind, folds[f], elt_of(folds[f].src),
                 1 + below(lens[i] < 100 ? 90 : 9000 / lens[i]), lens[i], (int)below(2),
                 (enum flavour)below(2));
      else if (f % 4 == 0)
        one_fold(kind, folds[f], elt_of(folds[f].src), 3, lens[i], (int)below(2), TAME);
    }
}
static void test_reduce_lengths(void **state) {
  (void)state;
  fold_lengths(KIR_REDUCE);
}
static void test_scan_lengths(void **state) {
  (void)state;
  fold_lengths(KIR_SCAN);
}

/* Two numbers whose product overflows, among ones and perhaps behind a zero: which products are
 * made is part of the rule. */
static void test_overflow(void **state) {
  (void)state;
  for (int n = 0; n < 1500; n++) {
    static const int64_t inners[] = {1, 1, 1, 2, 20};
    kty ty = below(2) ? KI32 : KI64;
    int64_t len = lens[below((int64_t)(sizeof lens / sizeof *lens))];
    int64_t inner = inners[below(5)], line = below(inner), near = 1 + below(len);
    int64_t i = below(near), j = below(near), big = ty == KI32 ? 1 << 20 : 1LL << 40;
    kir k = {.kind = KIR_SCAN, .n_in = 1, .n_fault = 1, .acc[0].monoid = KF_MUL};
    kir_bind b = {.rows = 1, .len = len, .inner = inner};
    void *p = exact_alloc(elt_bytes(elt_of(ty), len * inner));
    k.exclusive = below(2);
    k.in[0] = (kin){(uint8_t)elt_of(ty), KV_FLAT};
    b.in[0].host = p;
    if (below(2)) i = len - near + i, j = len - near + j;
    for (int64_t e = 0; e < len * inner; e++) {
      int64_t at = e / inner, v = 1;
      if (e % inner == line) {
        if (at == i || at == j) v = big;
        else if (at == 0 && n % 4) v = 0;
      }
      if (ty == KI32) ((int32_t *)p)[e] = (int32_t)v;
      else ((int64_t *)p)[e] = v;
    }
    kv v = add(&k, KOP_ARG, ty, 0, 0, 0, 0);
    output(&k, add(&k, KOP_FOLD, ty, v, 0, 0, 0), elt_of(ty));
    compare(&k, &b);
    kir_free(&C, &k);
    free(p);
  }
}

/* Columns of every width and length class: turned, narrow, whole, in parts, in tiles. */
/* Rows anywhere in a line: short and long ones, with gaps, some over others. */
static void test_segments(void **state) {
  enum { ROWS = 700 };
  int64_t pairs[2 * ROWS];
  UNUSED(state);
  for (size_t f = 0; f < n_folds; f++)
    for (int how = 0; how < 2; how++) {
      int64_t end = 0;
      for (int r = 0; r < ROWS; r++) {
        int64_t most = r % 100 ? 40 : 16385, from = end + below(3);
        if (r % 50 == 49) from = below(end + 1);
        pairs[2 * r] = from;
        end = pairs[2 * r + 1] = from + below(most);
        if (r && pairs[2 * r - 1] > end) end = pairs[2 * r - 1];
      }
      int64_t len = 0;
      for (int r = 0; r < ROWS; r++)
        if (pairs[2 * r + 1] > len) len = pairs[2 * r + 1];
      segments = pairs;
      fold_of(KIR_REDUCE, folds[f], elt_of(folds[f].src), ROWS, len, 1, how,
              (enum flavour)how);
    }
  segments = NULL;
}

/* Scans of rows that follow one another, by a table of their strips. */
static void test_scanned_segments(void **state) {
  enum { ROWS = 300 };
  UNUSED(state);
  for (size_t f = 0; f < n_folds; f++)
    for (int how = 0; how < 2; how++) {
      arr *pairs = arr_new(&C, ET_I64, 2, (int64_t[]){ROWS, 2}), *table;
      int64_t *pair = pairs->host, len = 0, strips;
      for (int r = 0; r < ROWS; r++) {
        *pair++ = len;
        *pair++ = len += r % 60 == 7 ? 20000 : 1 + below(r % 40 ? 40 : 5000);
      }
      table = strips_of_segments(&C, pairs, 768, &strips);
      segments = table->host;
      fold_of(KIR_SCAN, folds[f], elt_of(folds[f].src), strips, len, 1, how,
              (enum flavour)how);
      arr_release(pairs);
      arr_release(table);
    }
  segments = NULL;
}

static void test_columns(void **state) {
  (void)state;
  static const int64_t shapes[][3] = {
      {1, 2, 2},     {5, 3, 4},    {1, 4, 1000}, {1, 5, 1025}, {40, 3, 3},
      {200, 7, 2},   {3, 1000, 3}, {2, 1025, 5}, {1, 129, 17}, {1, 1023, 40},
      {2, 33, 300},  {3, 1, 9},    {1, 8191, 2}, {1, 8193, 3}, {2, 16385, 2},
      {1, 9000, 20}, {1, 260, 70}, {100, 1, 1},  {1000, 6, 1}, {70, 64, 1}};
  for (size_t f = 0; f < n_folds; f++)
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
      for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
        const int64_t *n = shapes[i];
        if (n[0] * n[1] * n[2] > 20000 && (f + i + (size_t)kind) % 3) continue;
        fold_of((kir_kind)kind, folds[f], elt_of(folds[f].src), n[0], n[1], n[2],
                (int)below(2), (enum flavour)below(2));
      }
  const fold_case f64 = {KF_ADD, KF64, KF64, false}, f32 = {KF_ADD, KF32, KF32, false};
  fold_of(KIR_SCAN, f64, ET_F64, 1, 9001, 150, 0, TAME); /* parts and tiles at once */
  fold_of(KIR_SCAN, f32, ET_F32, 1, 16390, 140, 1, TAME);
  fold_of(KIR_REDUCE, f64, ET_F64, 2, 16400, 3, 1, TAME);
  fold_of(KIR_REDUCE, (fold_case){KF_ADD, KI32, KI64, false}, ET_BIT, 3, 501, 13, 0,
          TAME);
  fold_of(KIR_SCAN, (fold_case){KF_ADD, KI32, KI64, false}, ET_I8, 3, 501, 13, 0, TAME);
}

static void test_random_columns(void **state) {
  (void)state;
  int n = getenv("BLOCK_RANDOM") ? atoi(getenv("BLOCK_RANDOM")) : 150;
  while (n-- > 0) {
    fold_case fc = folds[below((int64_t)n_folds)];
    int64_t most = below(20) ? 3000 : 60000, dim[3];
    for (int k = 0; k < 3; k++, most = most / dim[k - 1] + 1)
      dim[k] = 1 + below(most < 2000 ? 1 + below(most) : most);
    int at = (int)below(3);
    fold_of(below(2) ? KIR_SCAN : KIR_REDUCE, fc, elt_of(fc.src), dim[at],
            dim[(at + 1) % 3], dim[(at + 2) % 3], (int)below(2), (enum flavour)below(2));
  }
}

static void test_fold_long(void **state) {
  (void)state;
  static const fold_case some[] = {{KF_ADD, KF64, KF64, false},
                                   {KF_ADD, KI64, KI64, true},
                                   {KF_MAX, KF32, KF32, false},
                                   {KF_MUL, KI64, KI64, false}};
  for (size_t f = 0; f < sizeof some / sizeof *some; f++)
    for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
      one_fold((kir_kind)kind, some[f], elt_of(some[f].src), 1, 100003, 1, TAME);
      one_fold((kir_kind)kind, some[f], elt_of(some[f].src), 1, 1048577, f == 0, TAME);
      one_fold((kir_kind)kind, some[f], elt_of(some[f].src), 130, 101, 0, TAME);
      one_fold((kir_kind)kind, some[f], elt_of(some[f].src), 1025, 1 + (int64_t)f * 3, 1,
               TAME);
      one_fold((kir_kind)kind, some[f], elt_of(some[f].src), 7, 20011, 0, TAME);
    }
  one_fold(KIR_SCAN, (fold_case){KF_ADD, KI32, KI64, false}, ET_BIT, 1, 300001, 0, TAME);
  one_fold(KIR_REDUCE, (fold_case){KF_ADD, KI32, KI64, false}, ET_BIT, 1, 300001, 0,
           TAME);
  one_fold(KIR_REDUCE, (fold_case){KF_ADD, KI32, KI64, true}, ET_BIT, 5, 1003, 0, TAME);
  one_fold(KIR_REDUCE, (fold_case){KF_AND, KB, KB, false}, ET_BIT, 3, 5001, 0, WILD);
  one_fold(KIR_REDUCE, (fold_case){KF_ADD, KI64, KI64, false}, ET_I8, 2, 70001, 0, TAME);
}

/* The wide accumulator: sums that leave 64 bits and come back, and rounding just once. */
static void test_wide_sums(void **state) {
  (void)state;
  enum { LEN = 3000 };
  static int64_t x[LEN];
  for (int i = 0; i < LEN; i++) x[i] = i < LEN / 2 ? INT64_MAX : -INT64_MAX;
  x[LEN - 1] += 5;
  for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++)
    for (int ty = KI64; ty <= KF64; ty += 2) {
      kir k = {.kind = (kir_kind)kind,
               .n_in = 1,
               .n_fault = 1,
               .acc[0] = {.monoid = KF_ADD, .wide = true}};
      k.in[0] = (kin){ET_I64, KV_FLAT};
      kir_bind b = {.rows = 1, .inner = 1, .len = LEN};
      b.in[0].host = x;
      output(&k, add(&k, KOP_FOLD, (kty)ty, add(&k, KOP_ARG, KI64, 0, 0, 0, 0), 0, 0, 0),
             elt_of((kty)ty));
      compare(&k, &b);
      b.len = 40; /* never fits, but the first */
      compare(&k, &b);
      kir_free(&C, &k);
    }
}

/* A written-out example, so that the reference itself is tested: 0.1 summed n times. */
static void test_tree_by_hand(void **state) {
  (void)state;
  enum { LEN = 1027 };
  static double x[LEN];
  double r = 0, lane[1024];
  for (int i = 0; i < LEN; i++) x[i] = 0.1 * (i + 1);
  kir k = {.kind = KIR_REDUCE, .n_in = 1, .acc[0].monoid = KF_ADD};
  k.in[0] = (kin){ET_F64, KV_FLAT};
  kir_bind b = {.rows = 1, .inner = 1, .len = LEN};
  b.in[0].host = x, b.out[0].host = &r;
  output(&k, add(&k, KOP_FOLD, KF64, add(&k, KOP_ARG, KF64, 0, 0, 0, 0), 0, 0, 0),
         ET_F64);
  for (int i = 0; i < 1024; i++) lane[i] = x[i] + (i < 3 ? x[i + 1024] : -0.0);
  for (int w = 512; w; w /= 2)
    for (int i = 0; i < w; i++) lane[i] = lane[2 * i] + lane[2 * i + 1];
  assert_true(blk_run(&C, NULL, &k, &b));
  assert_memory_equal(&r, lane, 8);
  kir_free(&C, &k);

  static double y[140], s[140];
  k = (kir){.kind = KIR_SCAN, .n_in = 1, .acc[0].monoid = KF_ADD};
  k.in[0] = (kin){ET_F64, KV_FLAT};
  b = (kir_bind){.rows = 1, .inner = 1, .len = 140};
  for (int i = 0; i < 140; i++) y[i] = 1 / (double)(i + 3);
  b.in[0].host = y, b.out[0].host = s;
  output(&k, add(&k, KOP_FOLD, KF64, add(&k, KOP_ARG, KF64, 0, 0, 0, 0), 0, 0, 0),
         ET_F64);
  assert_true(blk_run(&C, NULL, &k, &b));
  double q0 = ((y[0] + y[1]) + y[2]) + y[3], q1 = ((y[4] + y[5]) + y[6]) + y[7];
  assert_true(s[0] == y[0] && s[2] == (y[0] + y[1]) + y[2]);
  assert_true(s[6] == q0 + ((y[4] + y[5]) + y[6]));
  assert_true(s[9] == (q0 + q1) + (y[8] + y[9]));
  assert_true(s[128] ==
              s[127] + y[128]); /* G is the first group's total; T is left out */
  assert_true(s[133] ==
              (s[127] + (((y[128] + y[129]) + y[130]) + y[131])) + (y[132] + y[133]));
  kir_free(&C, &k);
}

/* ── random kernels ── */

typedef struct maker {
  kir k;
  kv of[KTY_COUNT][512]; /* values by type */
  int n[KTY_COUNT];
} maker;

static void have(maker *m, kv v, kty t) {
  if (m->n[t] < 512) m->of[t][m->n[t]++] = v;
}
static kv some(maker *m, kty t) { /* newer ones more often */
  int n = m->n[t], i = (int)below(n);
  if (below(2)) i = n - 1 - (int)below(n < 3 ? n : 3);
  return m->of[t][i];
}

static void leaves(maker *m) {
  memset(m->n, 0, sizeof m->n);
  for (int t = 0; t < KTY_COUNT; t++) {
    have(m, number(&m->k, (kty)t, (double)(below(9) - 4)), (kty)t);
    have(m, add(&m->k, KOP_PARAM, (kty)t, 0, 0, 0, t), (kty)t);
  }
  if (below(2)) have(m, add(&m->k, KOP_IOTA, KI32, 0, 0, 0, 0), KI32);
  if (below(2)) have(m, add(&m->k, KOP_IOTA, KI64, 0, 0, 0, 0), KI64);
  for (uint32_t i = 0; i < m->k.n_in; i++) {
    kty t = kir_arg_type(m->k.in[i].type);
    have(m, add(&m->k, KOP_ARG, t, 0, 0, 0, i), t);
  }
}

static void random_ins(maker *m) {
  kop op = (kop)(KOP_CVT + below(KOP_FOLD - KOP_CVT));
  kty t = (kty)below(KTY_COUNT), from = (kty)below(KTY_COUNT);
  if (op == KOP_CVT) {
    have(m, add(&m->k, op, t, some(m, from), 0, 0, 0), t);
  } else if (op == KOP_BITS) { /* not from floats: a NaN's bits are anybody's */
    from = below(2) ? KI32 : KI64;
    t = from == KI32 ? KF32 : KF64;
    kv low = add(&m->k, KOP_CONST, from, 0, 0, 0,
                 from == KI32 ? INT32_MAX >> 1 : INT64_MAX >> 1);
    kv masked = add(&m->k, KOP_AND, from, some(m, from), low, 0, 0);
    have(m, add(&m->k, op, t, masked, 0, 0, 0), t);
  } else if (op_takes(op, t)) {
    bool shift = kop_table[op].imm == KIMM_COUNT;
    kv a = op == KOP_SEL ? some(m, KB) : some(m, t), b = some(m, t), c = some(m, t);
    int n = kop_table[op].operands;
    kv v = add(&m->k, op, kop_gives(op, t), a, n > 1 ? b : 0, n > 2 ? c : 0,
               shift            ? below(8 * kty_bytes(t))
               : op >= KOP_ADDO ? below(4)
                                : 0);
    if (op != KOP_ERR && op != KOP_ESC) have(m, v, kop_gives(op, t));
  }
}

static void random_outs(maker *m) {
  static const elt types[KTY_COUNT][4] = {{ET_BIT, ET_BIT, ET_BIT, ET_BIT},
                                          {ET_I32, ET_I8, ET_I64, ET_C16},
                                          {ET_I64, ET_I32, ET_I16, ET_C8},
                                          {ET_F32, ET_F32, ET_F32, ET_F32},
                                          {ET_F64, ET_F64, ET_F64, ET_F64}};
  for (int n = 1 + (int)below(4); n > 0; n--) {
    kty t = (kty)below(KTY_COUNT);
    output(&m->k, some(m, t), types[t][below(4)]);
  }
}

static void random_kernel(void) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I16, ET_I32, ET_I64, ET_F32,
                              ET_F64, ET_C8, ET_C16, ET_C32, ET_F64, ET_F64};
  maker *m = calloc(1, sizeof *m);
  m->k = (kir){.kind = (kir_kind)below(3),
               .n_fault = 4,
               .n_param = KTY_COUNT,
               .n_in = (uint32_t)below(4)};
  kir_bind b = {.rows = 1, .inner = 1, .len = 1 + below(below(6) ? 3000 : 40000)};
  if (m->k.kind != KIR_MAP && below(2))
    b.len = 1 + below(300), b.rows = 1 + below(below(4) ? 20 : 200);
  if (m->k.kind != KIR_MAP && !below(3))
    b.len = 1 + below(40), b.inner = 1 + below(below(4) ? 20 : 300);
  int64_t lines = b.rows * b.inner, all = lines * b.len;
  enum flavour f = (enum flavour)below(2);
  m->k.n_strided = (uint8_t)(1 + below(2));
  for (int w = 0; w < m->k.n_strided; w++) {
    m->k.strided[w] = (uint8_t)(1 + below(KIR_STRIDED_DIMS));
    for (int d = 0; d < KIR_STRIDED_DIMS; d++)
      b.strided[w].n[d] = 2 + below(40), b.strided[w].stride[d] = below(41) - 20;
  }
  for (uint32_t i = 0; i < m->k.n_in; i++) {
    elt t = types[below((int64_t)(sizeof types / sizeof *types))];
    int how = (int)below(KV_STRIDED + m->k.n_strided);
    if (lines > 1 && how == KV_STEP) how = KV_ONE;
    if (how == KV_GET || how == KV_NEAR) how = KV_FLAT;
    b.in[i].step = below(5) - 2;
    b.in[i].offset = b.in[i].step < 0 ? -b.in[i].step * all : below(3);
    int64_t n = how == KV_ONE ? 1 : how == KV_FLAT ? all : 2 * all + 3;
    m->k.in[i] = (kin){(uint8_t)t, (uint8_t)how};
    if (how >= KV_STRIDED) n = ref_strided_fit(&m->k, &b, i, all);
    void *p = exact_alloc(elt_bytes(t, n));
    fill(t, p, n, f);
    b.in[i].host = p;
  }
  for (int t = 0; t < KTY_COUNT; t++) {
    m->k.param[t] = (uint8_t)t;
    if (kty_is_float((kty)t)) b.param[t].f = (double)(below(33) - 16) / 4;
    else b.param[t].i = t == KB ? below(2) : below(50) - 25;
  }
  leaves(m);
  int n = (int)below(below(8) ? 25 : 150);
  while (n-- > 0) random_ins(m);
  if (m->k.kind != KIR_MAP) {
    fold_case fc = folds[below((int64_t)n_folds)];
    m->k.acc[0].monoid = (uint8_t)fc.fold, m->k.acc[0].wide = fc.wide;
    kv r = add(&m->k, KOP_FOLD, fc.to, some(m, fc.src), 0, 0, below(4));
    leaves(m);
    have(m, r, fc.to);
    for (n = (int)below(10); n > 0; n--) random_ins(m), have(m, r, fc.to);
  }
  random_outs(m);
  assert_false(err_is(&C));
  compare(&m->k, &b);
  for (uint32_t i = 0; i < m->k.n_in; i++) free((void *)(uintptr_t)b.in[i].host);
  kir_free(&C, &m->k);
  free(m);
}

static void test_random_kernels(void **state) {
  (void)state;
  int n = getenv("BLOCK_RANDOM") ? atoi(getenv("BLOCK_RANDOM")) : 300;
  while (n-- > 0) random_kernel();
}

/* ── the rest ── */

/* An output over an input: x ← f x in place, the input still needed after the first step. */
static void test_in_place(void **state) {
  (void)state;
  enum { LEN = 30000 };
  double *x = malloc(LEN * sizeof *x), *want = malloc(LEN * sizeof *want);
  static const int64_t columns[] = {1, 1, 3, 20, 100, 1500};
  for (int n = 0; n < 18; n++) { /* with a producer, without one, exclusive */
    int at = n % 6, kind = at ? KIR_SCAN : KIR_MAP;
    kir k = {.kind = (kir_kind)kind, .n_in = 1, .acc[0].monoid = KF_MAX};
    k.exclusive = at && n >= 12;
    k.in[0] = (kin){ET_F64, KV_FLAT};
    kir_bind b = {.rows = 1, .inner = columns[at], .len = LEN / columns[at]};
    kv a = add(&k, KOP_ARG, KF64, 0, 0, 0, 0), r;
    r = add(&k, KOP_MUL, KF64, add(&k, KOP_NEG, KF64, a, 0, 0, 0), a, 0, 0);
    if (n >= 6) r = a;
    if (kind == KIR_SCAN) r = add(&k, KOP_FOLD, KF64, r, 0, 0, 0);
    output(&k, r, ET_F64);
    for (int i = 0; i < n_pool; i++) {
      fill(ET_F64, x, LEN, TAME);
      b.in[0].host = x, b.out[0].host = want;
      ref_run(&k, &b);
      b.out[0].host = x;
      assert_true(blk_run(&C, pools[i], &k, &b));
      assert_true(ref_same(ET_F64, x, want, LEN));
    }
    kir_free(&C, &k);
  }
  free(want);
  free(x);
}

typedef struct limited {
  long left;
} limited;
static void *limited_resize(void *user, void *p, size_t old_size, size_t new_size) {
  limited *l = user;
  (void)old_size;
  if (!new_size) {
    free(p);
    return NULL;
  }
  if (l->left == 0) return NULL;
  l->left--;
  return realloc(p, new_size);
}

static void test_failing_allocator(void **state) {
  (void)state;
  enum { LEN = 20000 };
  double *x = malloc(LEN * sizeof *x), *r = malloc(LEN * sizeof *r);
  fill(ET_F64, x, LEN, TAME);
  for (int kind = KIR_MAP; kind <= KIR_SCAN; kind++)
    for (int way = 0; way < 4; way++) {
      bool with_pool = way & 1;
      int64_t inner = kind != KIR_MAP && way & 2 ? 2 : 1;
      bool done = false;
      for (long n = 0; !done; n++) {
        limited l = {n};
        ctx c;
        ctx_init(&c, limited_resize, &l);
        kir k = {.kind = (kir_kind)kind, .n_in = 1, .acc[0].monoid = KF_ADD};
        k.in[0] = (kin){ET_F64, KV_FLAT};
        kir_bind b = {.rows = 1, .inner = inner, .len = LEN / inner};
        b.in[0].host = x, b.out[0].host = r;
        kv v = kir_add(&c, &k, (kins){.op = KOP_ARG, .ty = KF64});
        v = kir_add(
            &c, &k,
            (kins){.op = kind == KIR_MAP ? KOP_NEG : KOP_FOLD, .ty = KF64, .a = v});
        output(&k, v, ET_F64);
        blk_pool *p = with_pool ? blk_pool_new(&c, 2) : NULL;
        if (p) blk_pool_tune(p, blk_isa_at(0), 1);
        done = !err_is(&c) && blk_run(&c, p, &k, &b);
        if (!done) assert_int_equal(c.err.code, ERR_WS_FULL);
        blk_pool_free(&c, p);
        kir_free(&c, &k);
        assert_int_equal(c.blocks_live, 0);
        assert_true(n < 20);
      }
    }
  free(r);
  free(x);
}

static void test_interrupt(void **state) {
  (void)state;
  enum { LEN = 200000 };
  double *x = calloc(LEN, sizeof *x), *r = malloc(LEN * sizeof *r);
  for (int kind = KIR_MAP; kind <= KIR_SCAN; kind++)
    for (int way = 0; way < 3 * n_pool; way++) {
      int i = way % n_pool;
      int64_t inner = kind == KIR_MAP || way < n_pool ? 1 : way < 2 * n_pool ? 4 : 1000;
      kir k = {.kind = (kir_kind)kind, .n_in = 1, .acc[0].monoid = KF_ADD};
      k.in[0] = (kin){ET_F64, KV_FLAT};
      kir_bind b = {.rows = 1, .inner = inner, .len = LEN / inner};
      b.in[0].host = x, b.out[0].host = r;
      kv v = add(&k, KOP_ARG, KF64, 0, 0, 0, 0);
      output(&k, add(&k, kind == KIR_MAP ? KOP_NEG : KOP_FOLD, KF64, v, 0, 0, 0), ET_F64);
      atomic_store(&C.interrupt, true);
      assert_false(blk_run(&C, pools[i], &k, &b));
      assert_int_equal(C.err.code, ERR_INTERRUPT);
      assert_false(atomic_load(&C.interrupt));
      err_clear(&C);
      assert_true(blk_run(&C, pools[i], &k, &b));
      kir_free(&C, &k);
    }
  free(r);
  free(x);
}

/* ── loops ── */

static void test_loops(void **state) {
  (void)state;
  static const int64_t most[] = {1, 2, 63, 64, 65, 255, 256, 257, 1000, 5003};
  enum { LEN = 5003 };
  static int32_t x[LEN];
  static double y[LEN];
  static int64_t z[9] = {12, 0, 35, -8, 1, 720, 7, 64, 9};
  for (int i = 0; i < LEN; i++) x[i] = (int32_t)below(2000) - 20;
  for (int i = 0; i < LEN; i++) y[i] = (double)below(4000) / 1000 - 2.5;
  for (int which = 0; which < LOOP_KERNELS; which++)
    for (size_t i = 0; i < ARRAY_LEN(most); i++) {
      kir k = loop_kernel(&C, which);
      kir_bind b = {.rows = 1, .inner = 1, .len = most[i], .param[0].f = 0.3};
      b.in[0].host = x + (i & 1), b.in[1].host = y + (i & 1), b.in[2].host = z;
      if (most[i] == LEN) b.in[0].host = x, b.in[1].host = y;
      b.in[2].offset = 8;
      compare(&k, &b);
      kir_free(&C, &k);
    }
}

/* A loop that does not end. */
static void test_endless_loop(void **state) {
  (void)state;
  int64_t x[100] = {0}, r[100];
  for (int i = 0; i < n_pool; i++) {
    kir k = {.kind = KIR_MAP, .n_in = 1, .n_fault = 1};
    k.in[0] = (kin){ET_I64, KV_FLAT};
    kir_bind b = {.rows = 1, .inner = 1, .len = 100, .in[0].host = x, .out[0].host = r};
    uint32_t flags[2] = {0};
    b.flags = flags;
    kv from = add(&k, KOP_ARG, KI64, 0, 0, 0, 0);
    kloop *l = kir_loop_begin(&C, &k, &from, 1, 0);
    kir_loop_test(l, number(l->body, KB, 1));
    kv next = add(l->body, KOP_ADD, KI64, 0, number(l->body, KI64, 1), 0, 0);
    output(&k, kir_loop_end(&C, &k, l, &next), ET_I64);
    atomic_store(&C.interrupt, true);
    assert_false(blk_run(&C, pools[i], &k, &b));
    assert_int_equal(C.err.code, ERR_INTERRUPT);
    err_clear(&C);
    kir_free(&C, &k);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations),
                                     cmocka_unit_test(test_loads_and_conversions),
                                     cmocka_unit_test(test_kept),
                                     cmocka_unit_test(test_seats),
                                     cmocka_unit_test(test_bits_and_params),
                                     cmocka_unit_test(test_looks_at_params),
                                     cmocka_unit_test(test_tree_by_hand),
                                     cmocka_unit_test(test_reduce_lengths),
                                     cmocka_unit_test(test_scan_lengths),
                                     cmocka_unit_test(test_wide_sums),
                                     cmocka_unit_test(test_fold_long),
                                     cmocka_unit_test(test_overflow),
                                     cmocka_unit_test(test_columns),
                                     cmocka_unit_test(test_segments),
                                     cmocka_unit_test(test_scanned_segments),
                                     cmocka_unit_test(test_random_columns),
                                     cmocka_unit_test(test_random_kernels),
                                     cmocka_unit_test(test_in_place),
                                     cmocka_unit_test(test_failing_allocator),
                                     cmocka_unit_test(test_loops),
                                     cmocka_unit_test(test_endless_loop),
                                     cmocka_unit_test(test_interrupt)};
  return cmocka_run_group_tests(tests, set_up, tear_down_pools);
}
