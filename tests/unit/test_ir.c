/* SPDX-License-Identifier: MIT */
/* test_ir.c - one meaning: the same expressions by the direct path, by the host's block
 * interpreter and on the device give the same bits, or the same error.
 *
 * Expressions are random chains of scalar functions, views and folds over random arrays of
 * every type and of awkward lengths. The direct path (tune direct=huge) shares no code with
 * kernels and is the oracle. The device is lavapipe or whatever VAPL_TEST_DEVICE names; with
 * no device those tests are left out, and say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "src/ir/ir.h"
#include "src/vk/gpu.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ctx c;
static uint64_t seed;
static uint32_t rnd(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % n;
}

/* ── data ── */

static bool wild; /* this program's data hold NaN, infinities and negative zeros too */

static double some_float(void) {
  static const double beyond[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0};
  if (wild && !rnd(100)) return beyond[rnd(ARRAY_LEN(beyond))];
  static const double odd[] = {0, 1, -1, 0.5, 3, -2.5, 1e10, 1e-10, 1e300, 7, 1.0 + 1e-15, 100};
  return rnd(6) ? (double)rnd(2000) / 8 - 100 : odd[rnd(ARRAY_LEN(odd))];
}

static double f32_of(double v) { return fabs(v) > 1e30 && !isinf(v) ? 1e30f : (double)(float)v; }

static arr *data(elt t, int64_t n) {
  arr *a = arr_vec(&c, t, n);
  assert_non_null(a);
  for (int64_t i = 0; i < n; i++) {
    int64_t v = (int64_t)rnd(200) - 100;
    if (t == ET_I32 && !rnd(50)) v = INT32_MAX - (int64_t)rnd(3);
    if (t == ET_I64 && !rnd(200)) v = INT64_MAX - (int64_t)rnd(3);
    if (elt_is_float(t)) arr_put_float(a, i, t == ET_F32 ? f32_of(some_float()) : some_float());
    else arr_put_int(a, i, t == ET_BIT ? (int64_t)rnd(2) : v);
  }
  return a;
}

/* ── expressions: a program of steps over a stack, run on any ir ── */

typedef struct step { enum { S_DATA, S_SCALAR, S_MONAD, S_DYAD, S_REDUCE, S_SCAN, S_IOTA } what; prim p; int k; } step;
enum { MAX_STEPS = 24, MAX_DATA = 3 };
typedef struct program { step s[MAX_STEPS]; int n; arr *data[MAX_DATA]; arr *scalar[7]; } program;

static const prim mon[] = {P_PLUS, P_MINUS, P_TIMES, P_CEIL, P_FLOOR, P_RESIDUE, P_REVERSE, P_DIVIDE};
static const prim dya[] = {P_PLUS, P_MINUS, P_TIMES, P_DIVIDE, P_CEIL, P_FLOOR, P_RESIDUE,
                           P_LT, P_LE, P_EQ, P_GE, P_GT, P_NE};
static const prim folds[] = {P_PLUS, P_TIMES, P_CEIL, P_FLOOR};

static void grow(program *g, step s) { if (g->n < MAX_STEPS) g->s[g->n++] = s; }

static void generate(program *g, int depth, bool fold) {
  if (depth <= 0) {
    uint32_t r = rnd(5);
    if (r == 0) grow(g, (step){S_IOTA, P_IOTA, 0});
    else grow(g, (step){S_DATA, 0, (int)rnd(MAX_DATA)});
    return;
  }
  uint32_t r = rnd(10);
  if (r < 3) {
    generate(g, depth - 1, false);
    grow(g, (step){S_MONAD, mon[rnd(ARRAY_LEN(mon) - (rnd(4) != 0))], 0});
  } else if (r < 6) {
    generate(g, depth - 1, false);
    bool power = !rnd(8); /* x*2 and x*0.5 have kernels of their own */
    grow(g, (step){S_SCALAR, 0, power ? 4 + (int)rnd(3) : (int)rnd(4)});
    grow(g, (step){S_DYAD, power ? P_POWER : dya[rnd(ARRAY_LEN(dya))], power ? 0 : (int)rnd(2)});
  } else {
    generate(g, depth - 1, false);
    generate(g, depth - 2, false);
    grow(g, (step){S_DYAD, dya[rnd(ARRAY_LEN(dya))], 0});
  }
  if (fold) {
    grow(g, (step){rnd(2) ? S_REDUCE : S_SCAN, folds[rnd(ARRAY_LEN(folds))], 0});
    if (g->s[g->n - 1].what == S_SCAN && rnd(2)) {
      grow(g, (step){S_SCALAR, 0, (int)rnd(4)});
      grow(g, (step){S_DYAD, dya[rnd(ARRAY_LEN(dya))], 0});
    }
  }
}

/* The program's value on an ir, on the host and verified; NULL: an error is in c. */
static arr *run(ir *g, const program *pr) {
  arr *st[MAX_STEPS + 1];
  int n = 0;
  bool ok = true;
  for (int i = 0; i < pr->n && ok; i++) {
    const step *s = &pr->s[i];
    arr *r = NULL, *x, *y;
    switch (s->what) {
    case S_DATA: r = arr_retain(pr->data[s->k]); break;
    case S_SCALAR: r = arr_retain(pr->scalar[s->k]); break;
    case S_IOTA: {
      arr *len = arr_int(&c, pr->data[0]->count);
      r = len ? ir_monadic(g, P_IOTA, len) : NULL;
      arr_release(&c, len);
      break;
    }
    case S_DYAD:
      y = st[--n], x = st[--n];
      r = s->k ? ir_dyadic(g, s->p, y, x) : ir_dyadic(g, s->p, x, y);
      arr_release(&c, x);
      arr_release(&c, y);
      break;
    default:
      y = st[--n];
      r = s->what == S_MONAD ? ir_monadic(g, s->p, y)
          : s->what == S_REDUCE ? ir_reduce(g, s->p, y, y->rank - 1) : ir_scan(g, s->p, y, y->rank - 1);
      arr_release(&c, y);
    }
    if (r) st[n++] = r;
    else ok = false;
  }
  if (!ok) ir_first_error(g);
  ok = ok && ir_verify(g) && ir_host(g, st[n - 1]);
  while (n > (ok ? 1 : 0)) arr_release(&c, st[--n]);
  return ok ? st[0] : NULL;
}

/* ── comparing ── */

static void show(const program *pr) {
  for (int i = 0; i < pr->n; i++) {
    static const char *const names[] = {"data", "scalar", "monad", "dyad", "reduce", "scan", "iota"};
    const step *s = &pr->s[i];
    fprintf(stderr, " %s%s%d", names[s->what],
            s->what == S_DATA || s->what == S_SCALAR || s->what == S_IOTA ? "" : prim_table[s->p].glyph, s->k);
    if (s->what == S_DATA) fprintf(stderr, ":%s", elt_table[pr->data[s->k]->type].name);
    if (s->what == S_SCALAR) fprintf(stderr, "=%g", arr_get_float(pr->scalar[s->k], 0));
  }
  fprintf(stderr, "  n=%lld\n", (long long)pr->data[0]->count);
}

/* Same kind, shape and bits (an integer's width is not visible; any NaN equals any other). */
static bool same_bits(const arr *x, const arr *y) {
  if (!arr_same_shape(x, y)) return false;
  if (elt_is_float((elt)x->type) || elt_is_float((elt)y->type)) {
    if (x->type != y->type) return false;
    for (int64_t i = 0; i < x->count; i++) {
      double a = arr_get_float(x, i), b = arr_get_float(y, i);
      if (isnan(a) && isnan(b)) continue;
      if (memcmp(&a, &b, 8)) {
        fprintf(stderr, "element %lld: %.17g and %.17g\n", (long long)i, a, b);
        return false;
      }
    }
    return true;
  }
  for (int64_t i = 0; i < x->count; i++)
    if (arr_get_int(x, i) != arr_get_int(y, i)) {
      fprintf(stderr, "element %lld: %lld and %lld\n", (long long)i, (long long)arr_get_int(x, i),
              (long long)arr_get_int(y, i));
      return false;
    }
  return true;
}

static ir *open_ir(const char *device, const char *tune) {
  ir *g = ir_new(&(ir_config){.c = &c, .device = device, .tune = tune, .threads = 2});
  assert_non_null(g);
  return g;
}

static int compared, erred; /* of how many programs, how many end in an error */

static void compare(ir *oracle, ir *other, const program *pr, const char *who) {
  arr *a = run(oracle, pr);
  int code = c.err.code;
  compared++;
  erred += code != 0;
  char msg[240];
  memcpy(msg, c.err.msg, sizeof msg);
  err_clear(&c);
  arr *b = run(other, pr);
  bool same = a && b ? same_bits(a, b) : !a && !b && code == c.err.code && !strcmp(msg, c.err.msg);
  if (!same) {
    fprintf(stderr, "%s differs:", who);
    show(pr);
    fprintf(stderr, "  oracle %s %s %s, other %s %s %s\n", a ? elt_table[a->type].name : "-", err_name(code), msg,
            b ? elt_table[b->type].name : "-", err_name(c.err.code), c.err.msg);
  }
  err_clear(&c);
  arr_release(&c, a);
  arr_release(&c, b);
  assert_true(same);
}

static void random_program(program *pr, int64_t n, int depth) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64, ET_F64};
  *pr = (program){.n = 0};
  wild = !rnd(4);
  for (int i = 0; i < MAX_DATA; i++) pr->data[i] = data(types[rnd(ARRAY_LEN(types))], n);
  for (int i = 0; i < 4; i++)
    pr->scalar[i] = rnd(2) ? arr_int(&c, (int64_t)rnd(9) - 3) : arr_float(&c, some_float());
  static const double exponents[] = {2, 0.5, 3};
  for (int i = 4; i < 7; i++)
    pr->scalar[i] = rnd(2) && i != 5 ? arr_int(&c, (int64_t)exponents[i - 4]) : arr_float(&c, exponents[i - 4]);
  generate(pr, depth, rnd(3) != 0);
}

static void drop_program(program *pr) {
  for (int i = 0; i < MAX_DATA; i++) arr_release(&c, pr->data[i]);
  for (int i = 0; i < 7; i++) arr_release(&c, pr->scalar[i]);
}

static const int64_t lengths[] = {2, 3, 31, 32, 33, 127, 255, 1023, 1024, 1025, 4097, 8191, 8193, 16384, 16385, 20011, 100003};

static void against(const char *device, const char *tune, int rounds, uint64_t start) {
  ir *oracle = open_ir("host", "direct=1000000000"), *other = open_ir(device, tune);
  seed = start;
  for (int i = 0; i < rounds; i++) {
    program pr;
    random_program(&pr, lengths[rnd(ARRAY_LEN(lengths))], 1 + (int)rnd(4));
    compare(oracle, other, &pr, tune);
    drop_program(&pr);
  }
  ir_free(oracle);
  ir_free(other);
  assert_int_equal(c.blocks_live, 0);
}

static void test_host_fused(void **s) { UNUSED(s); against("host", "direct=0", 1500, 1); }
static void test_host_unfused(void **s) { UNUSED(s); against("host", "direct=0 fuse=0", 500, 2); }

static const char *test_device(void) {
  const char *d = getenv("VAPL_TEST_DEVICE");
  return d ? d : "cpu";
}

static bool no_device(void) {
  gpu_info *list;
  int n = 0;
  char why[160] = "";
  bool ok = gpu_list(&c, &list, &n, why);
  mem_free(&c, ok ? list : NULL);
  if (n == 0) print_message("no Vulkan device: %s\n", why);
  return n == 0;
}

/* A kernel costs lavapipe 10 to 200 ms: few programs, each over several lengths. */
static void test_device_fused(void **s) {
  UNUSED(s);
  if (no_device()) skip();
  ir *oracle = open_ir("host", "direct=1000000000"), *other = open_ir(test_device(), "direct=0");
  int rounds = getenv("VAPL_TEST_ROUNDS") ? atoi(getenv("VAPL_TEST_ROUNDS")) : 50;
  seed = 3;
  for (int i = 0; i < rounds; i++) {
    program pr;
    random_program(&pr, lengths[rnd(ARRAY_LEN(lengths))], 1 + (int)rnd(4));
    compare(oracle, other, &pr, "device");
    drop_program(&pr);
  }
  ir_free(oracle);
  ir_free(other);
  assert_int_equal(c.blocks_live, 0);
}

/* Every fold, plain and on rows, over every type and length on the device. */
static void test_device_folds(void **s) {
  UNUSED(s);
  if (no_device()) skip();
  ir *oracle = open_ir("host", "direct=1000000000"), *other = open_ir(test_device(), "direct=0");
  static const elt types[] = {ET_BIT, ET_I8, ET_I32, ET_I64, ET_F32, ET_F64};
  seed = 4;
  for (size_t t = 0; t < ARRAY_LEN(types); t++)
    for (size_t p = 0; p < 4; p++)
      for (int scan = 0; scan < 2; scan++)
        for (size_t l = 0; l < ARRAY_LEN(lengths); l += 3) {
          program pr = {.n = 2};
          pr.s[0] = (step){S_DATA, 0, 0};
          pr.s[1] = (step){scan ? S_SCAN : S_REDUCE, folds[p], 0};
          arr *flat = data(types[t], lengths[l] * (l % 2 ? 3 : 1));
          int64_t shape[] = {3, lengths[l]};
          pr.data[0] = l % 2 ? arr_reshape(&c, flat, 2, shape) : arr_retain(flat);
          arr_release(&c, flat);
          compare(oracle, other, &pr, "device fold");
          arr_release(&c, pr.data[0]);
        }
  ir_free(oracle);
  ir_free(other);
  assert_int_equal(c.blocks_live, 0);
}

/* ── exact answers ── */

static void test_exact(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", NULL);
  arr *n = arr_int(&c, 10000000), *v = ir_monadic(g, P_IOTA, n), *sum = ir_reduce(g, P_PLUS, v, 0);
  assert_true(ir_host(g, sum));
  assert_int_equal(arr_get_int(sum, 0), 50000005000000);
  arr *run_ = ir_scan(g, P_PLUS, v, 0);
  assert_true(ir_host(g, run_));
  for (int64_t i = 1; i <= 10000000; i += 7919)
    assert_int_equal(arr_get_int(run_, i - 1), i * (i + 1) / 2);
  arr_release(&c, n);
  arr_release(&c, v);
  arr_release(&c, sum);
  arr_release(&c, run_);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* ── the earliest error wins, also when pending work hides it ── */

static void test_first_error(void **s) {
  UNUSED(s);
  ir *g = open_ir("host", "direct=0");
  arr *y = data(ET_I32, 1000), *z = arr_int(&c, 0), *one = arr_int(&c, 1);
  arr *a = ir_dyadic(g, P_DIVIDE, y, z); /* pending: would be DOMAIN ERROR */
  assert_non_null(a);
  uint64_t before = ir_seq(g);
  arr *b = ir_dyadic(g, P_PLUS, one, y);
  assert_true(ir_host(g, b)); /* not at fault, and does not hide the other */
  assert_false(ir_verify(g));
  assert_int_equal(c.err.code, ERR_DOMAIN);
  assert_true(ir_error_seq(g) < before);
  err_clear(&c);
  assert_true(ir_verify(g)); /* and it is said once */
  arr *all[] = {y, z, one, a, b};
  for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(&c, all[i]);
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
}

/* ── the failing allocator ── */

typedef struct budget { int left; } budget;
static void *failing(void *user, void *p, size_t old, size_t n) {
  UNUSED(old);
  budget *b = user;
  if (n == 0) return free(p), NULL;
  return b->left-- > 0 ? realloc(p, n) : NULL;
}

static void test_failing_allocator(void **s) {
  UNUSED(s);
  for (int limit = 0;; limit++) {
    budget b = {1 << 30};
    ctx_init(&c, failing, &b);
    seed = 5;
    program pr;
    random_program(&pr, 300, 3);
    b.left = limit;
    ir *g = ir_new(&(ir_config){.c = &c, .device = "host", .tune = "direct=0", .threads = 1});
    arr *r = g ? run(g, &pr) : NULL;
    bool done = r != NULL;
    if (!r) assert_int_equal(c.err.code, ERR_WS_FULL);
    err_clear(&c);
    arr_release(&c, r);
    ir_free(g);
    drop_program(&pr);
    assert_int_equal(c.blocks_live, 0);
    if (done) break;
    assert_true(limit < 5000);
  }
  ctx_init(&c, NULL, NULL);
}

int main(void) {
  ctx_init(&c, NULL, NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact),        cmocka_unit_test(test_first_error),
      cmocka_unit_test(test_host_fused),   cmocka_unit_test(test_host_unfused),
      cmocka_unit_test(test_failing_allocator),
      cmocka_unit_test(test_device_folds), cmocka_unit_test(test_device_fused),
  };
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  print_message("%d programs compared, %d of them errors\n", compared, erred);
  return rc;
}
