/* SPDX-License-Identifier: MIT */
/* test_classify.c - each class of folds against the sequential definition.
 *
 * A function is written in postfix (a the element, x the state, numbers, primitives) and
 * compiled for a type. Its class's kernels are then evaluated by kir_ref.h: lift every
 * element, join by a random bracketing, apply; and likewise with the last element as a start,
 * and the other way round. The definition is evaluated one element after the other: integers
 * by the body itself, whose checked operations say when they overflow; floats in long double,
 * with a bound beside them (`abs`: the same function of magnitudes, without cancellation).
 *
 *   exact classes   no escape: the sequential fold has none either, and the results are equal
 *   float classes   no escape: the error is at most (4n + 16) u × abs; docs/folds.md has what
 *                   each class promises, which is less
 *
 * An escape is always right; rows say on which data there must be none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/mem.h"
#include "src/base/utf8.h"
#include "src/kir/classify.h"
#include "src/kir/expr.h"

#include "kir_ref.h"

static ctx C;
static int64_t fail_at;
static void *resize(void *user, void *p, size_t old, size_t size) {
  (void)user;
  (void)old;
  if (!size) {
    free(p);
    return NULL;
  }
  if (fail_at && --fail_at == 0) return NULL;
  return realloc(p, size);
}

static uint64_t seed = 88172645463325252u;
static uint64_t rnd(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}
static int64_t below(int64_t n) { return (int64_t)(rnd() % (uint64_t)n); }

/* ── a function from its text ──────────────────────────────────────────────────────── */

static int push(kexpr *e, kexpr_ins in) {
  int at = kexpr_add(e, in);
  assert_true(at >= 0);
  return at;
}

static kexpr_ins literal(const char *word) {
  double v = strtod(word, NULL);
  kexpr_ins in = {.op = KEXPR_CONST, .type = ET_F64, .value.f = v};
  if (v == floor(v) && !strchr(word, '.')) {
    in.type = v == 0 || v == 1 ? ET_BIT : ET_I64;
    in.value.i = (int64_t)v;
  }
  return in;
}

/* Words: a x, numbers, a primitive of two, m and a primitive of one, ? of three. */
static void parse(kexpr *e, const char *text) {
  int stack[16], n = 0;
  char word[16];
  memset(e, 0, sizeof *e);
  while (*text) {
    size_t len = strcspn(text, " ");
    memcpy(word, text, len);
    word[len] = 0;
    text += len + (text[len] == ' ');
    kexpr_ins in = {0};
    const char *p = word + (word[0] == 'm');
    if (*word == 'a') in.op = KEXPR_LEFT;
    else if (*word == 'x') in.op = KEXPR_RIGHT;
    else if (*word == '?') {
      n -= 3;
      in = (kexpr_ins){.op = KEXPR_SELECT,
                       .a = (uint16_t)stack[n],
                       .b = (uint16_t)stack[n + 1],
                       .c = (uint16_t)stack[n + 2]};
    } else if ((*word >= '0' && *word <= '9') || (*word == '-' && len > 1)) {
      in = literal(word);
    } else {
      uint32_t code = 0;
      for (int i = 0; i < P_COUNT && !code; i++)
        if (!strcmp(prim_table[i].glyph, p)) {
          code = 1;
          in.prim = (uint16_t)i;
        }
      assert_true(code);
      in.op = p == word ? KEXPR_DYAD : KEXPR_MONAD;
      n -= p == word ? 2 : 1;
      in.a = (uint16_t)stack[n];
      in.b = in.op == KEXPR_DYAD ? (uint16_t)stack[n + 1] : 0;
    }
    stack[n++] = push(e, in);
  }
  assert_int_equal(n, 1);
  e->result = (uint32_t)stack[0];
}

/* ── evaluating a small kernel ─────────────────────────────────────────────────────── */

enum { MOST = 3000, USUAL = 512 };
typedef union word {
  kimm v;
  float f;
  uint8_t bit;
  int32_t i32;
} word;
typedef struct tuple {
  kimm v[KCLASS_MAX];
} tuple;

static const kimm params[KIR_MAX_PARAM] = {{.f = 1e-14}};
static bool escaped, erred;

static kimm load(elt t, const void *p) {
  ref_val r = ref_load(t, p, 0);
  if (t == ET_F32) return (kimm){.f = (double)r.f};
  if (t == ET_F64) return (kimm){.f = r.d};
  return (kimm){.i = r.i};
}

static void run(const kir *k, const kimm *arg, kimm *out) {
  static ref_val v[KIR_MAX_INS];
  static word at[KIR_MAX_IN];
  uint32_t flags[2] = {0};
  kir_bind b = {.rows = 1, .len = 1, .inner = 1, .flags = flags};
  memcpy(b.param, params, sizeof params);
  for (uint32_t i = 0; i < k->n_in; i++) {
    ref_val a = {.i = arg[i].i, .d = arg[i].f, .f = (float)arg[i].f};
    ref_store((elt)k->in[i].type, &at[i], 0, KB, a);
    b.in[i].host = &at[i];
  }
  ref_state s = {.k = k, .b = &b, .v = v};
  ref_ins(&s, 0, k->n_ins, 0, 0);
  for (uint32_t i = 0; i < k->n_out; i++) {
    word w = {.v.i = 0};
    ref_store((elt)k->out[i].type, &w, 0, (kty)k->ins[k->out[i].value].ty,
              v[k->out[i].value]);
    out[i] = load((elt)k->out[i].type, &w);
  }
  if (flags[0]) erred = true;
  if (flags[1]) escaped = true;
}

static tuple join(const kclass *r, tuple a, tuple b) {
  kimm arg[2 * KCLASS_MAX];
  tuple t;
  memcpy(arg, a.v, r->n * sizeof *arg);
  memcpy(arg + r->n, b.v, r->n * sizeof *arg);
  run(&r->join, arg, t.v);
  return t;
}

static tuple lift(const kclass *r, kimm v, bool start) {
  tuple t;
  run(&r->lift, (kimm[]){v, {.i = start}, v}, t.v);
  return t;
}

static kimm apply(const kclass *r, tuple t, kimm x) {
  kimm arg[KCLASS_MAX + 1], out;
  memcpy(arg, t.v, r->n * sizeof *arg);
  arg[r->n] = x;
  run(&r->apply, arg, &out);
  return out;
}

static tuple bracket(const kclass *r, const tuple *t, int n) {
  if (n == 1) return *t;
  int cut = 1 + (int)below(n - 1);
  if (below(2)) cut = n / 2;
  return join(r, bracket(r, t, cut), bracket(r, t + cut, n - cut));
}

/* Three ways: all lifted with a start; the identity joined, then applied; neither. */
static kimm by_class(const kclass *r, const kimm *v, int n, bool forward, int way) {
  static tuple t[MOST + 1];
  int value = forward ? 0 : n - 1, count = 0;
  if (way == 1) memcpy(t[count++].v, r->identity, sizeof r->identity);
  for (int i = 0; i < n; i++)
    if (i != value || way == 0) t[count++] = lift(r, v[i], i == value);
  if (way == 0) return apply(r, bracket(r, t, count), r->at);
  return apply(r, bracket(r, t, count), v[value]);
}

/* ── the rows ──────────────────────────────────────────────────────────────────────── */

typedef long double real;
typedef real real_fn(real v, real x);
enum {
  BITS = 1,
  SMALL = 2,
  WIDE = 4,
  ZEROS = 8,
  POSITIVE = 16,
  EDGE = 32,
  WILD = 64,
  ODD = 128
};
typedef struct row {
  const char *text;
  elt type;
  kclass_kind kind;
  int serves; /* data on which nothing escapes */
  real_fn *f, *abs;
} row;

static real iir(real v, real x) { return v + 0.5L * x; }
static real horner(real v, real x) { return v + 3 * x; }
static real minus(real v, real x) { return v - x; }
static real plus(real v, real x) { return v + x; }
static real slope(real v, real x) { return 1 + v * x; }
static real halves(real v, real x) { return (v + x) / 2; }
static real scaled_by(real v, real x) { return v * x * 0.75L; }
static real decay(real v, real x) { return 0.5L * x > v ? 0.5L * x : v; }
static real larger(real v, real x) { return x / 2 > v ? x / 2 : v; }
static real subarray(real v, real x) { return v + x > 0 ? v + x : 0; }
static real regret(real v, real x) { return v - x > 0 ? v - x : 0; }
static real limited(real v, real x) { return fminl(1, fmaxl(-1, v + x)); }
static real one_plus(real v, real x) { return v + x + 1; }
static real mixed(real v, real x) { return fmaxl(v, fminl(x, 3)); }
static real largest(real v, real x) { return fmaxl(fmaxl(v, x), 3); }
static real divide(real v, real x) { return v / x; }
static real fraction(real v, real x) { return v + 1 / x; }
static real moebius(real v, real x) { return (v + x) / (1 + x); }

static const row rows[] = {
    {"a x +", ET_I64, KCLASS_MONOID, 0, NULL, NULL},
    {"x a ⌈", ET_I64, KCLASS_MONOID, 0, NULL, NULL},
    {"a x ×", ET_F64, KCLASS_MONOID, 0, NULL, NULL},
    {"a x ∧", ET_BIT, KCLASS_MONOID, 0, NULL, NULL},
    {"a x >", ET_BIT, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x ⍲", ET_BIT, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x ⍱", ET_BIT, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x ≠", ET_BIT, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"x a ≤", ET_BIT, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x <", ET_I64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x =", ET_I64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x ≥", ET_F64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x ⍲", ET_I64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"a x + 2 >", ET_I64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"2 a x + |", ET_I64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"0 1 a x + ⌊ ⌈", ET_I64, KCLASS_BOOLEAN, BITS, NULL, NULL},
    {"3 a x + |", ET_I64, KCLASS_STATES, BITS, NULL, NULL},
    {"16 a x 3 × + |", ET_I64, KCLASS_STATES, BITS, NULL, NULL},
    {"5 a 0 > x 1 + x ? |", ET_I64, KCLASS_STATES, BITS, NULL, NULL},
    {"7 0 a x + ⌈ ⌊", ET_I64, KCLASS_CLAMP, BITS | SMALL, NULL, NULL},
    {"a x -", ET_I64, KCLASS_AFFINE, SMALL | BITS, NULL, NULL},
    {"x a -", ET_I64, KCLASS_AFFINE, SMALL | BITS, NULL, NULL},
    {"a a × x +", ET_I64, KCLASS_AFFINE, SMALL | BITS, NULL, NULL},
    {"a 1 + x -", ET_I64, KCLASS_AFFINE, SMALL | BITS, NULL, NULL},
    {"a x 2 × +", ET_I64, KCLASS_AFFINE, 0, NULL, NULL},
    {"1 a x × +", ET_I64, KCLASS_AFFINE, BITS, NULL, NULL},
    {"x a 0 > a 0 a - ? -", ET_I64, KCLASS_AFFINE, SMALL, NULL, NULL},
    {"a x 3 × x 2 × - +", ET_I64, KCLASS_AFFINE, BITS, NULL, NULL},
    {"0 a x + ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"-20 100 a x + ⌊ ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"a x 5 ⌊ ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS | WIDE | EDGE, NULL, NULL},
    {"a x 0 ⌈ +", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"a 1 x - ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"0 a x - ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"-20 100 a x - ⌊ ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"a x 1 + 1 - ⌈", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"0 a x - ⌈", ET_F64, KCLASS_CLAMP, SMALL | WIDE | ZEROS, regret, plus},
    {"a x > a x ?", ET_I64, KCLASS_CLAMP, SMALL | BITS, NULL, NULL},
    {"a x x × +", ET_I64, KCLASS_NONE, 0, NULL, NULL},
    {"a x |", ET_I64, KCLASS_NONE, 0, NULL, NULL},
    {"a x -", ET_F64, KCLASS_AFFINE, SMALL | WIDE | ZEROS, minus, plus},
    {"a 0.5 x × +", ET_F64, KCLASS_AFFINE, SMALL | WIDE | ZEROS, iir, iir},
    {"a 0.5 x × +", ET_F32, KCLASS_AFFINE, SMALL | ZEROS, iir, iir},
    {"a 3 x × +", ET_F64, KCLASS_AFFINE, SMALL | ZEROS, horner, horner},
    {"1 a x × +", ET_F64, KCLASS_AFFINE, POSITIVE, slope, slope},
    {"1 a x × +", ET_F32, KCLASS_AFFINE, ZEROS, slope, slope},
    {"a x + 2 ÷", ET_F64, KCLASS_AFFINE, SMALL | ZEROS | WIDE, halves, halves},
    {"a x × 0.75 ×", ET_F64, KCLASS_AFFINE, ZEROS, scaled_by, scaled_by},
    {"a 0.5 x × ⌈", ET_F64, KCLASS_CLAMP, SMALL | WIDE | ZEROS, decay, decay},
    {"a x 2 ÷ ⌈", ET_F32, KCLASS_CLAMP, SMALL | ZEROS, larger, larger},
    {"0 a x + ⌈", ET_F64, KCLASS_CLAMP, SMALL | WIDE | ZEROS, subarray, plus},
    {"-1 1 a x + ⌊ ⌈", ET_F64, KCLASS_CLAMP, SMALL | WIDE | ZEROS, limited, one_plus},
    {"-1 1 a x + ⌊ ⌈", ET_F32, KCLASS_CLAMP, SMALL | ZEROS, limited, one_plus},
    {"a x 3 ⌊ ⌈", ET_F64, KCLASS_CLAMP, SMALL | WIDE | ZEROS, mixed, largest},
    {"a x ÷", ET_F64, KCLASS_PRODUCT, SMALL | POSITIVE | WIDE, divide, NULL},
    {"a x ÷", ET_F32, KCLASS_PRODUCT, SMALL | POSITIVE, divide, NULL},
    {"a x m÷ +", ET_F64, KCLASS_MOBIUS, POSITIVE, fraction, NULL},
    {"a x m÷ +", ET_F32, KCLASS_MOBIUS, POSITIVE, fraction, NULL},
    {"a x + 1 x + ÷", ET_F64, KCLASS_MOBIUS, POSITIVE, moebius, NULL},
    {"a x *", ET_F64, KCLASS_NONE, 0, NULL, NULL},
};

/* ── data ──────────────────────────────────────────────────────────────────────────── */

static kimm int_datum(int kind, int i, int n) {
  static const int64_t ends[] = {0,
                                 1,
                                 -1,
                                 INT64_MAX,
                                 INT64_MIN,
                                 1ll << 62,
                                 -(1ll << 62),
                                 (1ll << 62) - 1,
                                 3037000500ll,
                                 2,
                                 -2,
                                 INT32_MAX};
  if (kind == BITS) return (kimm){.i = below(2)};
  if (kind == WIDE) return (kimm){.i = (int64_t)rnd() >> below(64)};
  if (kind == EDGE) return (kimm){.i = ends[below((int64_t)ARRAY_LEN(ends))]};
  if (kind == ZEROS)
    return (kimm){.i = i == 0 || i == n - 1 ? INT64_MAX - 5 : below(3) - 1};
  return (kimm){.i = below(200) - 100};
}

static kimm real_datum(int kind, bool narrow, int i) {
  static const double odd[] = {0,     -0.0,   HUGE_VAL, -HUGE_VAL, NAN,
                               1,     1e300,  -1e300,   1e-310,    5e-324,
                               1e308, -1e308, 1e-300,   0x1p-1022};
  double u = (double)(rnd() >> 11) * 0x1p-53, sign = below(2) ? 1 : -1;
  if (kind == BITS) return (kimm){.f = (double)below(2)};
  if (kind == WIDE) u = ldexp(sign * (0.5 + u), (int)below(narrow ? 40 : 200) - 100);
  else if (kind == ZEROS) u = below(3) ? 0 : u * 0.9;
  else if (kind == POSITIVE) u = 0.1 + u;
  else if (kind == EDGE) u = i % 2 ? 1e30 * u : 1e-30 * sign * u;
  else if (kind == WILD)
    u = ldexp(sign * (0.5 + u), (int)below(narrow ? 250 : 2040) - (narrow ? 125 : 1020));
  else if (kind == ODD) u = odd[below((int64_t)ARRAY_LEN(odd))];
  else u = sign * u;
  return (kimm){.f = narrow ? (double)(float)u : u};
}

static void fill(const row *r, kty ty, int kind, kimm *v, int n) {
  for (int i = 0; i < n; i++) {
    if (!kty_is_float(ty)) v[i] = int_datum(kind, i, n);
    else v[i] = real_datum(kind, ty == KF32, i);
    if (r->type == ET_BIT) v[i].i &= 1;
  }
}

/* ── comparing ─────────────────────────────────────────────────────────────────────── */

typedef struct expected {
  kimm exact; /* by the body */
  real r, abs;
  bool escaped;
} expected;

static expected sequential(const row *r, const kir *body, const kimm *v, int n,
                           bool forward) {
  int at = forward ? 0 : n - 1;
  expected e = {.exact = v[at], .r = (real)v[at].f, .abs = fabsl((real)v[at].f)};
  escaped = erred = false;
  for (int k = 1; k < n; k++) {
    kimm el = v[forward ? k : n - 1 - k];
    run(body, (kimm[]){el, e.exact}, &e.exact);
    if (!r->f) continue;
    e.r = r->f((real)el.f, e.r);
    if (r->abs) e.abs = r->abs(fabsl((real)el.f), e.abs);
  }
  e.escaped = escaped || erred;
  return e;
}

static void compare(const row *r, kty ty, int n, int kind, expected e, kimm got) {
  if (!kty_is_float(ty) || !r->f) {
    bool same = kty_is_float(ty) ? got.f == e.exact.f : got.i == e.exact.i;
    if (e.escaped || !same)
      fail_msg("%s n %d data %d: %lld (%g) not %lld (%g)%s", r->text, n, kind,
               (long long)got.i, got.f, (long long)e.exact.i, e.exact.f,
               e.escaped ? ", which escapes" : "");
    return;
  }
  real u = ty == KF32 ? 0x1p-24L : 0x1p-53L, scale = r->abs ? e.abs : fabsl(e.r);
  real least = ty == KF32 ? 0x1p-75L : 0x1p-890L; /* what vanishes */
  real most = (4 * n + 16) * (u * scale + least * (real)n);
  if (fabsl((real)got.f - e.r) <= most) return;
  fail_msg("%s n %d data %d: %.17g not %.17Lg, beyond %Lg", r->text, n, kind, got.f, e.r,
           most);
}

static void one_line(const row *r, const kexpr_body *b, const kclass *found, bool forward,
                     int kind) {
  kimm v[MOST];
  int n = 1 + (int)below(below(4) ? 24 : USUAL - 1);
  if (n == 1) n = 2;
  fill(r, b->ty, kind, v, n);
  expected e = sequential(r, &b->k, v, n, forward);
  bool states = found->kind == KCLASS_BOOLEAN || found->kind == KCLASS_STATES;
  for (int way = 0; way < 3; way++) {
    escaped = erred = false;
    kimm got = by_class(found, v, n, forward, way);
    assert_false(erred);
    if (!escaped) compare(r, b->ty, n, kind, e, got);
    else if ((r->serves & kind) && !e.escaped && !(states && kind != BITS))
      fail_msg("%s n %d data %d way %d: escapes", r->text, n, kind, way);
  }
}

/* ── tests ─────────────────────────────────────────────────────────────────────────── */

static void compile(const row *r, bool wide, kexpr_body *b) {
  static kexpr e;
  const char *why = NULL;
  parse(&e, r->text);
  kexpr_ask ask = {.element = r->type, .of_element = range_i64(), .wide = wide};
  if (r->type == ET_BIT) ask.of_element = (range){0, 1};
  if (!kexpr_compile(&C, &e, &ask, b, &why)) fail_msg("%s: %s", r->text, why);
  assert_true(kir_check(&b->k));
}

static void one_row(const row *r) {
  kexpr_body b;
  compile(r, false, &b);
  for (int forward = 0; forward < 2; forward++) {
    kclass found;
    kclass_ask ask = {&b.k, forward, range_i64(), b.of_state};
    assert_true(kir_classify(&C, &ask, &found));
    if (found.kind != r->kind) fail_msg("%s is %s (%d)", r->text, found.name, found.kind);
    assert_non_null(found.why);
    if (found.n) {
      assert_true(kir_check(&found.lift) && kir_check(&found.join) &&
                  kir_check(&found.apply));
      assert_int_equal(found.lift.n_out, found.n);
      assert_int_equal(found.join.n_out, found.n);
      assert_int_equal(found.apply.n_out, 1);
      for (int kind = BITS; kind <= ODD; kind *= 2)
        for (int i = 0; i < 30; i++) one_line(r, &b, &found, forward, kind);
    }
    kclass_free(&C, &found);
  }
  kir_free(&C, &b.k);
}

static void test_rows(void **state) {
  (void)state;
  if (getenv("VAPL_TEST_SEED")) seed ^= strtoull(getenv("VAPL_TEST_SEED"), NULL, 0);
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) one_row(&rows[i]);
}

static void test_failing_allocations(void **state) {
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
    kexpr_body b;
    compile(&rows[i], false, &b);
    kclass_ask ask = {&b.k, false, range_i64(), range_unknown()};
    for (int at = 1;; at++) {
      kclass found;
      fail_at = at;
      bool ok = kir_classify(&C, &ask, &found);
      bool failed = !fail_at;
      fail_at = 0;
      assert_int_equal(ok, !failed);
      kclass_free(&C, &found);
      err_clear(&C);
      if (!failed) break;
    }
    kir_free(&C, &b.k);
  }
}

/* A random function of up to `size` operations, in postfix. */
static void grow(char *to, int size) {
  static const char *const twos[] = {"+", "-", "×", "⌈", "⌊", "+",
                                     "-", "<", "=", "≥", "|", "≠"};
  static const char *const leaves[] = {"a", "x", "x", "a", "1", "2", "0", "5", "-3"};
  if (size == 0) {
    strcat(to, leaves[below((int64_t)ARRAY_LEN(leaves))]);
    return;
  }
  int left = (int)below(size), kind = (int)below(8);
  if (kind == 0 && size > 2) { /* a truth value, and two choices */
    grow(to, 0);
    strcat(to, " ");
    grow(to, 0);
    strcat(to, " > ");
    grow(to, left / 2);
    strcat(to, " ");
    grow(to, size - 2 - left / 2);
    strcat(to, " ?");
    return;
  }
  grow(to, left);
  strcat(to, " ");
  grow(to, size - 1 - left);
  strcat(to, " ");
  strcat(to, twos[below((int64_t)ARRAY_LEN(twos))]);
}

static void test_random_functions(void **state) {
  (void)state;
  int found_of[KCLASS_MOBIUS + 1] = {0};
  for (int i = 0; i < 1500; i++) {
    static kexpr e;
    char text[256] = "";
    grow(text, 1 + (int)below(5));
    row r = {text, below(4) ? ET_I64 : ET_BIT, KCLASS_NONE, 0, NULL, NULL};
    kexpr_body b;
    kclass found;
    const char *why;
    parse(&e, text);
    kexpr_ask want = {.element = r.type, .of_element = range_i64()};
    if (r.type == ET_BIT) want.of_element = (range){0, 1};
    if (!kexpr_compile(&C, &e, &want, &b, &why)) continue;
    kclass_ask ask = {&b.k, below(2), want.of_element, b.of_state};
    assert_true(kir_classify(&C, &ask, &found));
    found_of[found.kind]++;
    if (found.exact)
      for (int k = 0; k < 6; k++) one_line(&r, &b, &found, ask.forward, BITS << below(6));
    kclass_free(&C, &found);
    kir_free(&C, &b.k);
  }
  assert_true(found_of[KCLASS_NONE] && found_of[KCLASS_BOOLEAN] &&
              found_of[KCLASS_STATES]);
  assert_true(found_of[KCLASS_AFFINE] && found_of[KCLASS_CLAMP]);
}

/* ── one adversary for each class ──────────────────────────────────────────────────── */

static kimm line[MOST];

/* The row of that text and type, on `line`: whether it escapes must be as said, whichever way;
 * what does not escape is compared. */
static void adversary(const char *text, elt type, int n, bool escapes) {
  const row *r = rows;
  kexpr_body b;
  kclass found;
  while (strcmp(r->text, text) || r->type != type) r++;
  compile(r, false, &b);
  for (int forward = 0; forward < 2; forward++) {
    kclass_ask ask = {&b.k, forward, range_i64(), b.of_state};
    assert_true(kir_classify(&C, &ask, &found));
    expected e = sequential(r, &b.k, line, n, forward);
    for (int way = 0; way < 3; way++) {
      escaped = erred = false;
      kimm got = by_class(&found, line, n, forward, way);
      if (escaped != escapes)
        fail_msg("%s %s escape", text, escapes ? "does not" : "must not");
      if (!escaped) compare(r, b.ty, n, 0, e, got);
    }
    kclass_free(&C, &found);
  }
  kir_free(&C, &b.k);
}

static void test_affine_overflow(void **state) {
  (void)state;
  /* In range throughout, and beyond it at the last step alone, or in the middle alone. */
  for (int i = 0; i < 200; i++) line[i].i = i % 2 ? 1ll << 52 : -(1ll << 52);
  adversary("a x -", ET_I64, 200, false);
  line[0].i = INT64_MAX;
  line[199].i = INT64_MIN;
  adversary("a x -", ET_I64, 200, true);
  for (int i = 0; i < 200; i++)
    line[i].i = i >= 80 && i < 120 ? (i % 2 ? 1 : -1) * (1ll << 61) : 0;
  adversary("a x -", ET_I64, 200, true);
}

static void test_affine_exponents(void **state) {
  (void)state;
  /* 0.5^2999 is no f64, and neither is 3^2999; nothing shows of either. */
  for (int i = 0; i < MOST; i++) line[i].f = i == 0 || i == MOST - 1 ? 1e30 : 0;
  adversary("a 0.5 x × +", ET_F64, MOST, false);
  line[7].f = 1e300;
  adversary("a 0.5 x × +", ET_F64, MOST, true);
  for (int i = 0; i < MOST; i++) line[i].f = 0;
  adversary("a 3 x × +", ET_F64, MOST, false);
  /* Multipliers whose products leave f64 both ways, over and over. */
  for (int i = 0; i < MOST; i++) line[i].f = i % 8 < 4 ? 0x1p-300 : 0x1p300;
  adversary("a x × 0.75 ×", ET_F64, 24, false); /* the state overflows on the way */
  for (int i = 0; i < MOST; i++) line[i].f = i % 2 ? 0x1p-300 : 0x1p300;
  adversary("a x × 0.75 ×", ET_F64, MOST, false);
}

static void test_clamp_decay(void **state) {
  (void)state;
  /* The factor vanishes, and the bounds stay what they are; of either sign. */
  for (int i = 0; i < MOST; i++) line[i].f = i == MOST - 1 || i == 0 ? 1e20 : -1e-3 * i;
  adversary("a 0.5 x × ⌈", ET_F64, MOST, false);
  for (int i = 0; i < MOST; i++) line[i].f = i % 700 == 5 ? 7 : -1e9;
  adversary("a 0.5 x × ⌈", ET_F64, MOST, false);
  adversary("a x 2 ÷ ⌈", ET_F32, MOST, false);
}

static void test_affine_cancellation(void **state) {
  (void)state;
  for (int i = 0; i < MOST; i++) line[i].f = i % 2 ? 1e15 + i : 1e15 + i + 0.125;
  adversary("a x -", ET_F64, MOST, false);
  for (int i = 0; i < MOST; i++) line[i].f = (i % 3 ? 1 : -2) * 1e15 + (double)i / 8;
  adversary("a 0.5 x × +", ET_F64, MOST, false);
}

static void test_clamp_far(void **state) {
  (void)state;
  for (int i = 0; i < MOST; i++) line[i].i = (i % 2 ? 1 : -1) * (1ll << 49);
  adversary("0 a x + ⌈", ET_I64, MOST, false); /* 3000 × 2^49 is below 2^62 */
  adversary("-20 100 a x + ⌊ ⌈", ET_I64, MOST, false);
  for (int i = 0; i < MOST; i++) line[i].i = 1ll << 60;
  adversary("0 a x + ⌈", ET_I64, MOST, true); /* and overflows in truth */
  for (int i = 0; i < MOST; i++) line[i].f = (i % 2 ? 1 : -1) * 1e15 + i % 7;
  adversary("-1 1 a x + ⌊ ⌈", ET_F64, MOST, false);
}

static void test_product_range(void **state) {
  (void)state;
  for (int i = 0; i < MOST; i++) line[i].f = 0x1p300 * (1 + i / 4096.0);
  adversary("a x ÷", ET_F64, MOST, false); /* each half's product is 2^450000 */
  line[17].f = 0;
  adversary("a x ÷", ET_F64, MOST, true);
}

static void test_mobius_signs(void **state) {
  (void)state;
  for (int i = 0; i < MOST; i++) line[i].f = i % 2 ? 1e-9 : 1e9;
  adversary("a x m÷ +", ET_F64, MOST, false);
  line[5].f = -1;
  adversary("a x m÷ +", ET_F64, MOST, true);
}

static int set_up(void **state) {
  (void)state;
  ctx_init(&C, resize, NULL);
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  err_clear(&C);
  return C.blocks_live == 0 ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                     cmocka_unit_test(test_random_functions),
                                     cmocka_unit_test(test_affine_overflow),
                                     cmocka_unit_test(test_affine_exponents),
                                     cmocka_unit_test(test_affine_cancellation),
                                     cmocka_unit_test(test_clamp_far),
                                     cmocka_unit_test(test_clamp_decay),
                                     cmocka_unit_test(test_product_range),
                                     cmocka_unit_test(test_mobius_signs),
                                     cmocka_unit_test(test_failing_allocations)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
