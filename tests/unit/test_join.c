/* SPDX-License-Identifier: MIT */
/* test_join.c - FOLDs of tuples on the host against kir_ref.h: joins of every size and order,
 * several folds in one kernel, joins that are not associative, element by element;
 * Fibonacci numbers as an oracle; interrupts, and every allocation failing once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "src/base/ctx.h"
#include "src/base/mem.h"
#include "src/host/host.h"
#include "src/host/threads.h"
#include "tests/unit/kir_ref.h"
#include "tests/unit/pools.h"

/* ── running both ── */

static void say(const kir *k, const kir_bind *b, int pool, const char *what, int64_t at) {
  str s = {.c = &C};
  kir_dump(k, &s);
  print_message("%s: rows %lld len %lld: %s at %lld\n%s", pool_name[pool],
                (long long)b->rows, (long long)b->len, what, (long long)at, s.at);
  str_free(&s);
  fail();
}

static bool any(const uint32_t *flags) {
  for (int i = 0; i < 2 * KIR_MAX_FAULT; i++)
    if (flags[i]) return true;
  return false;
}

static bool may_stop(const kir *k) {
  return k->kind == KIR_SCAN && k->join && k->join_order == KJOIN_RIGHT;
}

static void compare(const kir *k, kir_bind *b,
                    void (*reference)(const kir *, const kir_bind *)) {
  uint32_t want_flags[2 * KIR_MAX_FAULT] = {0}, flags[2 * KIR_MAX_FAULT];
  void *want[KIR_MAX_OUT];
  int64_t n = b->rows * b->inner * (k->kind == KIR_REDUCE ? 1 : b->len);
  assert_false(err_is(&C));
  if (!kir_check(k)) say(k, b, 0, "check", 0);
  for (uint32_t o = 0; o < k->n_out; o++) {
    b->out[o].host = want[o] = exact_alloc(elt_bytes(k->out[o].type, n));
    memset(want[o], 0xA5, elt_bytes(k->out[o].type, n));
  }
  b->flags = want_flags;
  reference(k, b);
  for (uint32_t o = 0; o < k->n_out; o++)
    b->out[o].host = exact_alloc(elt_bytes(k->out[o].type, n));
  b->flags = flags;
  for (int i = 0; i < n_pool; i++) {
    memset(flags, 0, sizeof flags);
    for (uint32_t o = 0; o < k->n_out; o++)
      memset(b->out[o].host, 0xA5, elt_bytes(k->out[o].type, n));
    assert_true(blk_run(&C, pools[i], k, b));
    if (may_stop(k) && any(want_flags)) { /* what is lost need not be finished */
      if (!any(flags)) say(k, b, i, "no flags", 0);
      continue;
    }
    if (memcmp(flags, want_flags, sizeof flags)) say(k, b, i, "flags", flags[1]);
    for (uint32_t o = 0; o < k->n_out; o++) {
      int64_t at = ref_differs(k->out[o].type, want[o], b->out[o].host, n);
      if (at >= 0) say(k, b, i, "values", at);
    }
  }
  for (uint32_t o = 0; o < k->n_out; o++) {
    free(want[o]);
    free(b->out[o].host);
  }
  b->flags = NULL;
}

/* ── joins ── */

/* What a kernel's join is being built in: its arguments' types, and its arguments. */
typedef struct building {
  kir k;
  kv a[KIR_MAX_ACC], b[KIR_MAX_ACC], c[KIR_MAX_ACC]; /* results */
} building;

static building *begin_join(kir *outer, const kty *ty, uint32_t n) {
  building *j = calloc(1, sizeof *j);
  j->k.kind = KIR_MAP;
  j->k.n_in = 2 * n;
  j->k.n_fault = outer->n_fault;
  for (uint32_t i = 0; i < 2 * n; i++) {
    kty t = ty[i % n];
    j->k.in[i] = (kin){(uint8_t)elt_of(t), KV_FLAT};
    kv v = add(&j->k, KOP_ARG, t, 0, 0, 0, i);
    if (i < n) j->a[i] = v;
    else j->b[i - n] = v;
  }
  return j;
}

static void end_join(kir *outer, building *j, const kty *ty, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) output(&j->k, j->c[i], elt_of(ty[i]));
  outer->join = mem_zalloc(&C, sizeof *outer->join);
  *outer->join = j->k;
  free(j);
}

typedef enum which {
  MATRIX_F64, /* 2×2 matrices */
  MATRIX_I64, /* with checked arithmetic */
  AFFINE_F32, /* x → a×x + b */
  AFFINE_FIN, /* f64, finiteness checked */
  ADD_CHECK,  /* one value: checked sums of i32, which have no monoid of their own */
  FIRST,      /* (there, value): the first that is there */
  MIN_AT,     /* a minimum with its place */
  AUTOMATON,  /* 16 states: a word of 16 × 4 bits; here 4 states in 8 bits of an i32 */
  TABLE,      /* a Boolean function of one bit: two bits */
  SWAP,       /* results that are arguments, crosswise */
  TWO_ONE,    /* a result twice, and a constant */
  WHICH
} which;

typedef struct join_case {
  const char *name;
  uint32_t n;
  kty ty[KIR_MAX_ACC];
} join_case;
static const join_case cases[WHICH] = {
    [MATRIX_F64] = {"matrix f64", 4, {KF64, KF64, KF64, KF64}},
    [MATRIX_I64] = {"matrix i64", 4, {KI64, KI64, KI64, KI64}},
    [AFFINE_F32] = {"affine f32", 2, {KF32, KF32}},
    [AFFINE_FIN] = {"affine f64", 2, {KF64, KF64}},
    [ADD_CHECK] = {"checked sum", 1, {KI32}},
    [FIRST] = {"first", 2, {KB, KF64}},
    [MIN_AT] = {"least at", 2, {KF32, KI64}},
    [AUTOMATON] = {"automaton", 1, {KI32}},
    [TABLE] = {"table", 2, {KB, KB}},
    [SWAP] = {"swap", 2, {KF64, KF64}},
    [TWO_ONE] = {"two and one", 3, {KI32, KI32, KF32}},
};

static void build_matrix(kir *k, building *j, kty ty) {
  kop times = ty == KI64 ? KOP_MULO : KOP_MUL, plus = ty == KI64 ? KOP_ADDO : KOP_ADD;
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) {
      kv x = add(k, times, ty, j->a[2 * r], j->b[c], 0, ty == KI64);
      kv y = add(k, times, ty, j->a[2 * r + 1], j->b[2 + c], 0, ty == KI64);
      j->c[2 * r + c] = add(k, plus, ty, x, y, 0, ty == KI64);
    }
}

/* a ∘ b: first a's function, then b's. */
static void build_affine(kir *k, building *j, kty ty, bool fin) {
  kv m = add(k, KOP_MUL, ty, j->a[0], j->b[0], 0, 0);
  if (fin) m = add(k, KOP_FIN, ty, m, j->a[0], j->b[0], 1);
  kv n = add(k, KOP_MUL, ty, j->a[1], j->b[0], 0, 0);
  if (fin) n = add(k, KOP_FIN, ty, n, j->a[1], j->b[0], 1);
  kv p = add(k, KOP_ADD, ty, n, j->b[1], 0, 0);
  if (fin) p = add(k, KOP_FIN, ty, p, n, j->b[1], 2);
  j->c[0] = m, j->c[1] = p;
}

/* Four states of 2 bits: r[s] = b[a[s]]. */
static void build_automaton(kir *k, building *j) {
  kv r = number(k, KI32, 0), three = number(k, KI32, 3);
  for (int s = 0; s < 4; s++) {
    kv to =
        add(k, KOP_AND, KI32, add(k, KOP_SAR, KI32, j->a[0], 0, 0, 2 * s), three, 0, 0);
    kv found = number(k, KI32, 0);
    for (int t = 0; t < 4; t++) {
      kv next =
          add(k, KOP_AND, KI32, add(k, KOP_SAR, KI32, j->b[0], 0, 0, 2 * t), three, 0, 0);
      kv is = add(k, KOP_EQ, KB, to, number(k, KI32, t), 0, 0);
      found = add(k, KOP_SEL, KI32, is, next, found, 0);
    }
    r = add(k, KOP_OR, KI32, r, add(k, KOP_SHL, KI32, found, 0, 0, 2 * s), 0, 0);
  }
  j->c[0] = r;
}

static void build(kir *outer, which what) {
  const join_case *jc = &cases[what];
  building *j = begin_join(outer, jc->ty, jc->n);
  kir *k = &j->k;
  switch (what) {
  case MATRIX_F64: build_matrix(k, j, KF64); break;
  case MATRIX_I64: build_matrix(k, j, KI64); break;
  case AFFINE_F32: build_affine(k, j, KF32, false); break;
  case AFFINE_FIN: build_affine(k, j, KF64, true); break;
  case ADD_CHECK: j->c[0] = add(k, KOP_ADDO, KI32, j->a[0], j->b[0], 0, 1); break;
  case FIRST:
    j->c[0] = add(k, KOP_OR, KB, j->a[0], j->b[0], 0, 0);
    j->c[1] = add(k, KOP_SEL, KF64, j->a[0], j->a[1], j->b[1], 0);
    break;
  case MIN_AT: {
    kv less = add(k, KOP_LT, KB, j->b[0], j->a[0], 0, 0);
    j->c[0] = add(k, KOP_SEL, KF32, less, j->b[0], j->a[0], 0);
    j->c[1] = add(k, KOP_SEL, KI64, less, j->b[1], j->a[1], 0);
    break;
  }
  case AUTOMATON: build_automaton(k, j); break;
  case TABLE:
    for (int i = 0; i < 2; i++)
      j->c[i] = add(k, KOP_SEL, KB, j->a[i], j->b[1], j->b[0], 0);
    break;
  case SWAP:
    j->c[0] = j->b[1];
    j->c[1] = j->a[0];
    break;
  default:
    j->c[0] = j->c[1] = add(k, KOP_ADD, KI32, j->a[1], j->b[0], 0, 0);
    j->c[2] = number(k, KF32, 2.5);
  }
  end_join(outer, j, jc->ty, jc->n);
}

/* ── kernels ── */

typedef struct run_of {
  kir_kind kind;
  which what;
  kjoin_order order;
  bool exclusive;
  int how; /* 0: results alone; 1: a producer and a consumer besides */
  bool wild;
  int64_t rows, len;
} run_of;

static double value(which what, uint32_t c, bool wild) {
  static const double odd[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e300, -3e38, 2};
  if (what == AUTOMATON) return (double)below(256);
  if (what == MATRIX_I64 && wild) return (double)(below(3) - 1);
  if (what == MATRIX_I64) return c % 3 ? 0 : 1 - 2 * (double)below(2);
  if (what == ADD_CHECK && wild) return (double)(below(2001) - 1000) * 40000;
  if (wild && !below(40)) return odd[below(10)];
  if (what == MATRIX_F64 || what == AFFINE_F32 || what == AFFINE_FIN)
    return (double)(below(2001) - 1000) / 1024;
  return (double)(below(2001) - 1000);
}

static void *fill(which what, uint32_t c, kty ty, int64_t n, bool wild) {
  elt t = elt_of(ty);
  void *p = exact_alloc(elt_bytes(t, n));
  memset(p, 0, elt_bytes(t, n));
  for (int64_t i = 0; i < n; i++) {
    double d = value(what, c, wild);
    ref_val v = {.d = d, .f = (float)d};
    if (!kty_is_float(ty)) v.i = ty == KB ? below(2) : (int64_t)d;
    if (what == FIRST && c == 0) v.i = !below(300);
    ref_store(t, p, i, ty, v);
  }
  return p;
}

static void run_join(run_of r) {
  const join_case *jc = &cases[r.what];
  kir k = {.kind = r.kind, .n_in = jc->n, .n_fault = 4};
  kir_bind b = {.rows = r.rows, .len = r.len, .inner = 1};
  kacc acc[KIR_MAX_ACC];
  k.exclusive = r.exclusive;
  k.join_order = (uint8_t)r.order;
  for (uint32_t c = 0; c < jc->n; c++) {
    kty ty = jc->ty[c];
    bool at = r.what == MIN_AT && c == 1 && r.how; /* its place is its number */
    k.in[c] = (kin){(uint8_t)elt_of(ty), KV_FLAT};
    b.in[c].host = fill(r.what, c, ty, r.rows * r.len, r.wild);
    kv v = at ? add(&k, KOP_IOTA, KI64, 0, 0, 0, 0) : add(&k, KOP_ARG, ty, 0, 0, 0, c);
    if (r.how && ty == KF64) v = add(&k, KOP_MUL, ty, v, number(&k, ty, 0.5), 0, 0);
    acc[c] = (kacc){.from = v, .ty = (uint8_t)ty, .fault = -1};
    k.identity[c] = (kimm){.i = 0};
    if (kty_is_float(ty)) k.identity[c].f = 0.25;
    else if (ty == KB) k.identity[c].i = 1;
    else k.identity[c].i = -7;
  }
  kir_fold(&C, &k, acc, jc->n);
  build(&k, r.what);
  for (uint32_t c = 0; c < jc->n; c++) {
    kv v = kir_part(&C, &k, c);
    kty ty = jc->ty[c];
    if (r.how && c == 0 && kty_is_float(ty)) {
      kv i = add(&k, KOP_CVT, ty, add(&k, KOP_IOTA, KI32, 0, 0, 0, 0), 0, 0, 0);
      output(&k, add(&k, KOP_LT, KB, v, i, 0, 0), ET_BIT);
      v = add(&k, KOP_MUL, ty, v, number(&k, ty, 2), 0, 0);
    }
    output(&k, v, elt_of(ty));
  }
  compare(&k, &b, ref_run);
  for (uint32_t c = 0; c < jc->n; c++) free((void *)(uintptr_t)b.in[c].host);
  kir_free(&C, &k);
}

static const int64_t lens[] = {1,    2,    3,    4,    5,    7,    8,    31,
                               64,   100,  127,  128,  129,  131,  255,  256,
                               383,  384,  385,  509,  1279, 1280, 1281, 1536,
                               1537, 2000, 2560, 3839, 3840, 3841, 5003, 7681};

static void test_lengths(void **state) {
  (void)state;
  for (int what = 0; what < WHICH; what++)
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++)
      for (int kind = 0; kind < 3; kind++) {
        run_of r = {.kind = kind ? KIR_SCAN : KIR_REDUCE, .what = (which)what};
        r.exclusive = kind == 2;
        r.how = (int)(i + (size_t)what) % 2;
        r.rows = 1, r.len = lens[i];
        run_join(r);
        r.wild = true, r.how = !r.how;
        if (lens[i] < 300) r.rows = 1 + below(3000 / lens[i] + 1);
        else r.rows = 1 + (lens[i] < 2000 && below(2));
        run_join(r);
      }
}

/* Several tiles and batches of them, and levels of a reduce. */
static void test_long(void **state) {
  (void)state;
  static const int64_t some[] = {15360, 15361, 40961, 42240, 44000, 61441};
  for (int what = 0; what < WHICH; what++)
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
      int kind = (int)(i + (size_t)what) % 3;
      run_of r = {.kind = kind ? KIR_SCAN : KIR_REDUCE, .what = (which)what};
      r.exclusive = kind == 2;
      r.how = (int)below(2), r.wild = below(2);
      r.rows = 1 + below(2), r.len = some[i];
      run_join(r);
    }
}

/* More than a super-tile: 1280 matrices are a tile. */
static void test_super(void **state) {
  (void)state;
  run_of r = {.kind = KIR_SCAN, .what = MATRIX_F64, .rows = 1, .len = 1280 * 1060 + 77};
  run_join(r);
}

static void test_in_order(void **state) {
  (void)state;
  static const int64_t rows[] = {1, 3, 70, 300};
  static const int64_t some[] = {1, 2, 3, 5, 63, 65, 127, 129, 300, 1025, 1500};
  static const which whats[] = {AFFINE_FIN, ADD_CHECK, FIRST, SWAP, TABLE, MATRIX_I64};
  for (size_t w = 0; w < sizeof whats / sizeof *whats; w++)
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
      for (size_t j = 0; j < 4; j++)
        for (int kind = 0; kind < 3; kind++) {
          int64_t joins = rows[j] * some[i] * (kind == 1 ? some[i] : 2);
          if (joins > 40000 && (w || joins > 600000)) continue;
          run_of r = {.kind = kind ? KIR_SCAN : KIR_REDUCE, .what = whats[w]};
          r.order = kind == 2 ? KJOIN_FORWARD : KJOIN_RIGHT;
          r.how = (int)below(2), r.wild = below(2);
          r.rows = rows[j], r.len = some[i];
          run_join(r);
        }
}

/* ── exact oracles ── */

/* Fibonacci numbers modulo 2^64: powers of 1 1 1 0, wrapping. */
static void test_fibonacci(void **state) {
  (void)state;
  static const int64_t some[] = {1, 2, 93, 127, 128, 129, 1279, 1281, 104729, 1400000};
  const kty ty[4] = {KI64, KI64, KI64, KI64};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
      int64_t n = some[i], m = kind == KIR_SCAN ? n : 1;
      kir k = {.kind = (kir_kind)kind, .join_order = (uint8_t)(n % 2)};
      kir_bind b = {.rows = 1, .len = n, .inner = 1};
      uint32_t flags[2];
      kacc acc[4];
      for (int c = 0; c < 4; c++)
        acc[c] = (kacc){.from = number(&k, KI64, c < 3), .ty = KI64, .fault = -1};
      kir_fold(&C, &k, acc, 4);
      building *j = begin_join(&k, ty, 4);
      for (int r = 0; r < 4; r++) {
        kv x = add(&j->k, KOP_MUL, KI64, j->a[r / 2 * 2], j->b[r % 2], 0, 0);
        kv y = add(&j->k, KOP_MUL, KI64, j->a[r / 2 * 2 + 1], j->b[2 + r % 2], 0, 0);
        j->c[r] = add(&j->k, KOP_ADD, KI64, x, y, 0, 0);
      }
      end_join(&k, j, ty, 4);
      output(&k, kir_part(&C, &k, 1), ET_I64);
      assert_false(err_is(&C));
      int64_t *f = b.out[0].host = exact_alloc((size_t)m * 8);
      b.flags = flags;
      for (int p = 0; p < n_pool; p++) {
        uint64_t x = 0, y = 1;
        memset(f, 0xA5, (size_t)m * 8);
        assert_true(blk_run(&C, pools[p], &k, &b));
        for (int64_t e = 0; e < n; e++) {
          uint64_t z = x + y;
          x = y, y = z;
          if (m == n) assert_int_equal(f[e], x);
        }
        assert_int_equal(f[m - 1], x);
      }
      free(f);
      kir_free(&C, &k);
    }
}

/* ── what may go wrong ── */

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

/* Every allocation of a run fails once. */
static void let_fail(const kir *k, const kir_bind *b) {
  for (int with_pool = 0; with_pool < 2; with_pool++) {
    bool done = false;
    for (long n = 0; !done; n++) {
      limited l = {n};
      ctx c;
      ctx_init(&c, limited_resize, &l);
      blk_pool *p = with_pool ? blk_pool_new(&c, 2) : NULL;
      if (p) blk_pool_tune(p, blk_isa_at(0), 1);
      done = !err_is(&c) && blk_run(&c, p, k, b);
      if (!done) assert_int_equal(c.err.code, ERR_WS_FULL);
      blk_pool_free(&c, p);
      assert_int_equal(c.blocks_live, 0);
      assert_true(n < 20);
    }
  }
}

/* x0 - (x1 - …) for every prefix of a line that takes minutes. */
static void test_interrupt(void **state) {
  (void)state;
  enum { LEN = 3000000 };
  kir k = {.kind = KIR_SCAN, .n_in = 1, .join_order = KJOIN_RIGHT};
  kir_bind b = {.rows = 1, .len = LEN, .inner = 1};
  const kty ty[1] = {KF64};
  uint32_t flags[2];
  k.in[0] = (kin){ET_F64, KV_FLAT};
  kacc acc = {.from = add(&k, KOP_ARG, KF64, 0, 0, 0, 0), .ty = KF64, .fault = -1};
  kir_fold(&C, &k, &acc, 1);
  building *j = begin_join(&k, ty, 1);
  j->c[0] = add(&j->k, KOP_SUB, KF64, j->a[0], j->b[0], 0, 0);
  end_join(&k, j, ty, 1);
  output(&k, (kv)k.fold_at, ET_F64);
  b.in[0].host = calloc(LEN, 8);
  b.out[0].host = malloc(LEN * 8);
  b.flags = flags;
  for (int order = KJOIN_TREE; order <= KJOIN_FORWARD; order++) {
    k.join_order = (uint8_t)order;
    b.len = 20000;
    if (order != KJOIN_RIGHT) let_fail(&k, &b);
    b.len = LEN;
    for (int p = 0; p < n_pool; p++) {
      atomic_store(&C.interrupt, 1);
      assert_false(blk_run(&C, pools[p], &k, &b));
      assert_int_equal(C.err.code, ERR_INTERRUPT);
      err_clear(&C);
      atomic_store(&C.interrupt, 0);
    }
  }
  free((void *)(uintptr_t)b.in[0].host);
  free(b.out[0].host);
  kir_free(&C, &k);
}

/* ── several folds ── */

enum { SUM_F, MOST_F, LEAST_F32, SUM_I, ANY_B, PRODUCT_I, FOLDS };

/* Fold number f of x0 (f64), x1 (f32) and x2 (i32). */
static kacc one_of(kir *k, int f) {
  kv x = add(k, KOP_ARG, KF64, 0, 0, 0, 0), y = add(k, KOP_ARG, KF32, 0, 0, 0, 1);
  kv z = add(k, KOP_ARG, KI32, 0, 0, 0, 2);
  switch (f) {
  case SUM_F:
    x = add(k, KOP_FIN, KF64, add(k, KOP_MUL, KF64, x, x, 0, 0), x, x, 0);
    return (kacc){.from = x, .monoid = KF_ADD, .ty = KF64, .fault = -1};
  case MOST_F: return (kacc){.from = x, .monoid = KF_MAX, .ty = KF64, .fault = -1};
  case LEAST_F32: return (kacc){.from = y, .monoid = KF_MIN, .ty = KF32, .fault = -1};
  case SUM_I:
    return (kacc){.from = z, .monoid = KF_ADD, .wide = true, .ty = KI64, .fault = 1};
  case ANY_B:
    z = add(k, KOP_LT, KB, z, add(k, KOP_IOTA, KI32, 0, 0, 0, 0), 0, 0);
    return (kacc){.from = z, .monoid = KF_AND, .ty = KB, .fault = -1};
  default: return (kacc){.from = z, .monoid = KF_MUL, .ty = KI32, .fault = 2};
  }
}

static const int64_t *segments; /* or NULL */

static kir fold_kernel(const int *f, uint32_t n) {
  kir k = {.kind = KIR_REDUCE, .n_in = 3, .n_fault = 4};
  kacc acc[KIR_MAX_ACC] = {{0}};
  k.in[0] = (kin){ET_F64, KV_FLAT};
  k.in[1] = (kin){ET_F32, KV_FLAT};
  k.in[2] = (kin){ET_I32, KV_FLAT};
  if (segments) {
    k.in[k.n_in++] = (kin){ET_I64, KV_ONE};
    k.segments = (uint8_t)k.n_in;
  }
  for (uint32_t i = 0; i < n; i++) acc[i] = one_of(&k, f[i]);
  kir_fold(&C, &k, acc, n);
  for (uint32_t i = 0; i < n; i++) output(&k, kir_part(&C, &k, i), elt_of(acc[i].ty));
  return k;
}

static int picked[KIR_MAX_ACC];
static uint32_t n_picked;

/* Each of them alone. */
static void ref_each(const kir *k, const kir_bind *b) {
  for (uint32_t i = 0; i < n_picked; i++) {
    kir one = fold_kernel(&picked[i], 1);
    kir_bind bind = *b;
    bind.out[0] = b->out[i];
    ref_run(&one, &bind);
    kir_free(&C, &one);
  }
  /* The last output: whether the first result is less than its number. */
  ref_val v;
  int64_t n = b->rows * b->inner;
  memset(b->out[n_picked].host, 0, elt_bytes(ET_BIT, n));
  for (int64_t i = 0; i < n; i++) {
    kty ty = (kty)k->acc[0].ty;
    v = ref_load(elt_of(ty), b->out[0].host, i);
    ref_val at = ref_cvt(KI32, ty, (ref_val){.i = i});
    ref_store(ET_BIT, b->out[n_picked].host, i, KB,
              (ref_val){.i = ref_rel(ty, v, at, KOP_LT)});
  }
}

static void run_several(int64_t rows, int64_t len, int64_t inner) {
  kir_bind b = {.rows = rows, .len = len, .inner = inner};
  int64_t n = segments ? len : rows * len * inner;
  b.in[3].host = segments;
  n_picked = 2 + (uint32_t)below(3);
  for (uint32_t i = 0; i < n_picked; i++) picked[i] = (int)below(FOLDS);
  kir k = fold_kernel(picked, n_picked);
  kty ty = (kty)k.acc[0].ty;
  kv i = add(&k, KOP_CVT, ty, add(&k, KOP_IOTA, KI32, 0, 0, 0, 0), 0, 0, 0);
  output(&k, add(&k, KOP_LT, KB, (kv)k.fold_at, i, 0, 0), ET_BIT);
  b.in[0].host = fill(AFFINE_FIN, 0, KF64, n, below(2));
  b.in[1].host = fill(AFFINE_F32, 0, KF32, n, below(2));
  b.in[2].host = fill(ADD_CHECK, 0, KI32, n, below(2));
  compare(&k, &b, ref_each);
  if (len == 40000) {
    uint32_t flags[2 * KIR_MAX_FAULT];
    b.flags = flags;
    for (uint32_t o = 0; o < k.n_out; o++) b.out[o].host = exact_alloc(16);
    let_fail(&k, &b);
    for (uint32_t o = 0; o < k.n_out; o++) free(b.out[o].host);
  }
  for (int j = 0; j < 3; j++) free((void *)(uintptr_t)b.in[j].host);
  kir_free(&C, &k);
}

static void test_several(void **state) {
  (void)state;
  static const int64_t shapes[][3] = {
      {1, 1, 1},     {1, 5, 1},   {1, 129, 1},  {1, 16384, 1}, {1, 16385, 1},
      {1, 40000, 1}, {200, 3, 1}, {300, 40, 1}, {20, 1000, 1}, {3, 9000, 1},
      {1, 1, 300},   {2, 70, 3},  {1, 1000, 7}, {1, 17000, 2}, {1, 40, 600},
      {2, 33, 300},  {1, 8193, 3}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int again = 0; again < 3; again++)
      run_several(shapes[i][0], shapes[i][1], shapes[i][2]);
  static int64_t pairs[400];
  for (int i = 0; i < 200; i++) {
    pairs[2 * i] = i ? pairs[2 * i - 1] : 0;
    pairs[2 * i + 1] = pairs[2 * i] + 1 + (i % 50 ? below(90) : below(20000));
  }
  segments = pairs;
  run_several(200, pairs[399], 1);
  segments = NULL;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lengths),   cmocka_unit_test(test_long),
      cmocka_unit_test(test_super),     cmocka_unit_test(test_in_order),
      cmocka_unit_test(test_fibonacci), cmocka_unit_test(test_interrupt),
      cmocka_unit_test(test_several),
  };
  return cmocka_run_group_tests(tests, set_up_pools, tear_down_pools);
}
