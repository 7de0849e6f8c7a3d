/* SPDX-License-Identifier: MIT */
/* test_struct.c - the structural primitives on the host: every function against small results
 * written out by hand, edge cases (empty, fill, prototype, axis, index origin, rank 15), the
 * errors, identities between functions on random arrays, and a failing allocator. */
#include "make.h"
#include "src/prim/axis.h"
#include "src/prim/index.h"
#include "src/array/view.h"
#include "src/array/match.h"

static prim_random R;
static prim_env E1 = {.c = &C, .ct = 1e-14, .io = 1, .random = &R},
                E0 = {.c = &C, .ct = 1e-14, .random = &R};
static prim_env *env = &E1;

typedef arr *fn1(prim_env *, arr *);
typedef arr *fn2(prim_env *, arr *, arr *);

/* Applies f and releases the arguments. */
static arr *m(fn1 *f, arr *y) {
  arr *r = f(env, y);
  arr_release(y);
  return r;
}
static arr *d(arr *x, fn2 *f, arr *y) {
  arr *r = f(env, x, y);
  arr_release(x);
  arr_release(y);
  return r;
}
static arr *mx(prim f, arr *axis, arr *y) {
  arr *r = prim_monadic_axis(env, f, y, axis);
  arr_release(axis);
  arr_release(y);
  return r;
}
static arr *dx(arr *x, prim f, arr *axis, arr *y) {
  arr *r = prim_dyadic_axis(env, f, x, y, axis);
  arr_release(x);
  arr_release(axis);
  arr_release(y);
  return r;
}
static arr *rep(arr *x, arr *y, int axis) {
  arr *r = prim_replicate(env, x, y, axis);
  arr_release(x);
  arr_release(y);
  return r;
}
static arr *expand(arr *x, arr *y, int axis) {
  arr *r = prim_expand(env, x, y, axis);
  arr_release(x);
  arr_release(y);
  return r;
}

static void same_at(int line, arr *got, arr *want) {
  bool ok = got && want && arr_match(got, want, 0);
  if (!ok) {
    str s = {.c = &C};
    fmt_opts o = {10, 80, true};
    str_puts(&s, "got\n");
    if (got) arr_display(&C, got, &o, &s);
    else str_printf(&s, "%s %s\n", err_name(C.err.code), C.err.msg);
    str_puts(&s, "want\n");
    if (want) arr_display(&C, want, &o, &s);
    print_error("line %d: %s", line, s.at);
    str_free(&s);
  }
  if (got && got->has_range && got->type < ET_F32)
    for (int64_t i = 0; i < got->count; i++)
      assert_true(arr_get_int(got, i) >= got->lo && arr_get_int(got, i) <= got->hi);
  arr_release(got);
  arr_release(want);
  err_clear(&C);
  assert_true(ok);
}
#define same(got, want) same_at(__LINE__, got, want)

static void bad_at(int line, int code, arr *got) {
  int found = C.err.code;
  if (got || found != code)
    print_error("line %d: %s\n", line, got ? "no error" : err_name(found));
  assert_true(!got && found == code);
  err_clear(&C);
}
#define bad(code, got) bad_at(__LINE__, code, got)

static arr *Z(int v) { return arr_int(&C, v); } /* scalars */
static arr *ch(const char *z) { return S("", T(z)); }
static arr *M23(void) { return S("2 3", I("1 2 3 4 5 6")); }
static arr *C234(void) {
  return S("2 3 4", I("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24"));
}
static arr *none_of(arr *item) { return S("0", N(1, item)); } /* 0⍴⊂item */

static void iota_and_where(void **state) {
  (void)state;
  same(m(prim_iota, Z(5)), I("1 2 3 4 5"));
  same(m(prim_iota, I("3")), I("1 2 3"));
  same(m(prim_iota, Z(0)), I(""));
  same(m(prim_iota, S("", F("3.00000000000000001"))), I("1 2 3"));
  same(m(prim_iota, I("2 2")), S("2 2", N(4, I("1 1"), I("1 2"), I("2 1"), I("2 2"))));
  same(m(prim_iota, I("")), E(I("")));
  same(m(prim_iota, I("0 3")), S("0 3", N(1, I("0 0"))));
  bad(ERR_DOMAIN, m(prim_iota, Z(-1)));
  bad(ERR_DOMAIN, m(prim_iota, S("", F("2.5"))));
  bad(ERR_DOMAIN, m(prim_iota, T("a")));
  bad(ERR_RANK, m(prim_iota, S("1 1", I("2"))));
  arr *big = arr_int(&C, 256), *r = prim_iota(env, big);
  assert_int_equal(r->type, ET_I16); /* the narrowest */
  assert_true(r->has_range && r->lo == 1 && r->hi == 256);
  arr_release(r);
  arr_release(big);
  env = &E0;
  same(m(prim_iota, Z(3)), I("0 1 2"));
  same(m(prim_where, I("0 1 1")), I("1 2"));
  env = &E1;
  same(m(prim_where, I("0 1 0 2")), I("2 4 4"));
  same(m(prim_where, I("0 0")), I(""));
  same(m(prim_where, S("2 2", I("0 1 1 0"))), N(2, I("1 2"), I("2 1")));
  same(m(prim_where, S("2 2", I("0"))), none_of(I("0 0")));
  same(m(prim_where, Z(2)), N(2, I(""), I("")));
  bad(ERR_DOMAIN, m(prim_where, I("1 -1")));
}

static void shape_and_reshape(void **state) {
  (void)state;
  same(m(prim_shape, M23()), I("2 3"));
  same(m(prim_shape, Z(5)), I(""));
  same(m(prim_tally, M23()), Z(2));
  same(m(prim_tally, Z(5)), Z(1));
  same(d(I("2 3"), prim_reshape, I("1 2 3 4")), S("2 3", I("1 2 3 4 1 2")));
  same(d(Z(3), prim_reshape, Z(7)), I("7 7 7"));
  same(d(I(""), prim_reshape, I("7 8")), Z(7));
  same(d(I("2"), prim_reshape, I("")), I("0 0"));
  same(d(I("3"), prim_reshape, T("")), T("   "));
  same(d(I("2"), prim_reshape, none_of(T("ab"))), N(2, T("  "), T("  ")));
  same(d(I("0"), prim_reshape, N(2, I("1 2"), T("a"))), none_of(I("0 0")));
  same(d(I("2"), prim_reshape, N(3, Z(1), Z(2), ch("a"))), I("1 2")); /* simple again */
  same(d(I("100"), prim_reshape, typed(ET_BIT, "1 0 1")), S("100", I("1 0 1")));
  same(d(I("0 5"), prim_reshape, Z(1)), S("0 5", I("1")));
  bad(ERR_DOMAIN, d(I("-1"), prim_reshape, Z(1)));
  bad(ERR_RANK, d(S("1 1", I("2")), prim_reshape, Z(1)));
  bad(ERR_LIMIT, d(S("16", I("1")), prim_reshape, Z(1)));
  bad(ERR_LIMIT, d(F("4e18 4e18"), prim_reshape, Z(1)));
  bad(ERR_DOMAIN, d(T("ab"), prim_reshape, Z(1)));
  arr *r = d(S("15", I("1")), prim_reshape, Z(4));
  assert_int_equal(r->rank, 15);
  same(m(prim_ravel, r), I("4"));
}

static void ravel_and_table(void **state) {
  (void)state;
  same(m(prim_ravel, M23()), I("1 2 3 4 5 6"));
  same(m(prim_ravel, Z(3)), I("3"));
  same(m(prim_table_of, C234()), S("2 12", m(prim_ravel, C234())));
  same(m(prim_table_of, I("1 2")), S("2 1", I("1 2")));
  same(m(prim_table_of, Z(1)), S("1 1", I("1")));
  same(m(prim_table_of, S("0 3 2", I("1"))), S("0 6", I("1")));
  same(mx(P_COMMA, I("2 3"), C234()), S("2 12", m(prim_ravel, C234())));
  same(mx(P_COMMA, I("1 2"), C234()), S("6 4", m(prim_ravel, C234())));
  same(mx(P_COMMA, F("0.5"), M23()), S("1 2 3", I("1 2 3 4 5 6")));
  same(mx(P_COMMA, F("1.5"), M23()), S("2 1 3", I("1 2 3 4 5 6")));
  same(mx(P_COMMA, F("2.5"), M23()), S("2 3 1", I("1 2 3 4 5 6")));
  same(mx(P_COMMA, I(""), M23()), S("2 3 1", I("1 2 3 4 5 6")));
  bad(ERR_RANK, mx(P_COMMA, I("3"), M23()));
  bad(ERR_DOMAIN, mx(P_COMMA, I("1 3"), C234()));
  bad(ERR_RANK, mx(P_COMMA, F("3.5"), M23()));
}

static void catenating(void **state) {
  (void)state;
  same(d(I("1 2"), prim_catenate, I("3 4 5")), I("1 2 3 4 5"));
  same(d(Z(1), prim_catenate, Z(2)), I("1 2"));
  same(d(I("1 2"), prim_catenate, F("0.5")), F("1 2 0.5"));
  same(d(T("ab"), prim_catenate, T("⍳")), T("ab⍳"));
  same(d(I("1"), prim_catenate, T("a")), N(2, Z(1), ch("a")));
  same(d(T(""), prim_catenate, I("1 2")), I("1 2"));
  same(d(I("1 2"), prim_catenate, T("")), I("1 2"));
  same(d(T(""), prim_catenate, I("")), T(""));
  same(d(I(""), prim_catenate, T("")), I(""));
  same(d(I("1 2"), prim_catenate, E(T("ab"))), N(3, Z(1), Z(2), T("ab")));
  same(d(none_of(I("1 2")), prim_catenate, none_of(T("a"))), none_of(I("0 0")));
  same(d(M23(), prim_catenate, Z(9)), S("2 4", I("1 2 3 9 4 5 6 9")));
  same(d(I("7 8"), prim_catenate, M23()), S("2 4", I("7 1 2 3 8 4 5 6")));
  same(d(M23(), prim_catenate_first, I("7 8 9")), S("3 3", I("1 2 3 4 5 6 7 8 9")));
  same(d(M23(), prim_catenate, M23()), S("2 6", I("1 2 3 1 2 3 4 5 6 4 5 6")));
  same(dx(I("7 8"), P_COMMA, I("2"), M23()), S("2 4", I("7 1 2 3 8 4 5 6")));
  same(dx(I("7 8 9"), P_COMMA, I("1"), M23()), S("3 3", I("7 8 9 1 2 3 4 5 6")));
  same(dx(I("1 2"), P_COMMA, F("0.5"), I("3 4")), S("2 2", I("1 2 3 4")));
  same(dx(I("1 2"), P_COMMA, F("1.5"), I("3 4")), S("2 2", I("1 3 2 4")));
  same(dx(T("ab"), P_COMMA, F("0.1"), ch("-")), S("2 2", T("ab--")));
  same(d(S("0 3", I("1")), prim_catenate_first, M23()), M23());
  same(d(S("2 0", I("1")), prim_catenate, S("2 0", T("a"))), S("2 0", I("1")));
  bad(ERR_LENGTH, d(M23(), prim_catenate, I("1 2 3")));
  bad(ERR_RANK, d(C234(), prim_catenate, I("1 2")));
  bad(ERR_LENGTH, d(M23(), prim_catenate_first, S("2 2", I("1"))));
  bad(ERR_RANK, dx(I("1 2"), P_COMMA, I("2"), I("3")));
  bad(ERR_RANK, dx(I("1 2"), P_COMMA, F("2.5"), I("3 4")));
  bad(ERR_LENGTH, dx(I("1 2"), P_COMMA, F("0.5"), I("3 4 5")));
  bad(ERR_DOMAIN, dx(I("1 2"), P_COMMA, T("a"), I("3 4")));
}

static void reversing(void **state) {
  (void)state;
  same(m(prim_reverse, I("1 2 3")), I("3 2 1"));
  same(m(prim_reverse, typed(ET_BIT, "1 1 0")), I("0 1 1"));
  same(m(prim_reverse, M23()), S("2 3", I("3 2 1 6 5 4")));
  same(m(prim_reverse_first, M23()), S("2 3", I("4 5 6 1 2 3")));
  same(m(prim_reverse, Z(5)), Z(5));
  same(m(prim_reverse, I("")), I(""));
  same(m(prim_reverse, N(2, I("1 2"), Z(3))), N(2, Z(3), I("1 2")));
  same(mx(P_REVERSE, I("1"), M23()), S("2 3", I("4 5 6 1 2 3")));
  same(d(Z(1), prim_rotate, I("1 2 3 4")), I("2 3 4 1"));
  same(d(Z(-1), prim_rotate, I("1 2 3 4")), I("4 1 2 3"));
  same(d(Z(9), prim_rotate, I("1 2 3 4")), I("2 3 4 1"));
  same(d(I("1 2"), prim_rotate, M23()), S("2 3", I("2 3 1 6 4 5")));
  same(d(I("0 1 0"), prim_rotate_first, M23()), S("2 3", I("1 5 3 4 2 6")));
  same(d(Z(1), prim_rotate_first, M23()), S("2 3", I("4 5 6 1 2 3")));
  same(d(Z(3), prim_rotate, Z(5)), Z(5));
  same(d(Z(3), prim_rotate, I("")), I(""));
  same(d(F("1.0"), prim_rotate, I("1 2")), I("2 1"));
  bad(ERR_RANK, mx(P_REVERSE, I("3"), M23()));
  bad(ERR_RANK, mx(P_REVERSE, I("0"), M23()));
  bad(ERR_LENGTH, d(I("1 2 3"), prim_rotate, M23()));
  bad(ERR_RANK, d(I("1 2"), prim_rotate, I("1 2 3")));
  bad(ERR_DOMAIN, d(F("0.5"), prim_rotate, I("1 2 3")));
  bad(ERR_SYNTAX, mx(P_RHO, I("1"), M23()));
}

static void transposing(void **state) {
  (void)state;
  same(m(prim_transpose, M23()), S("3 2", I("1 4 2 5 3 6")));
  same(m(prim_transpose, m(prim_transpose, C234())), C234());
  same(m(prim_shape, m(prim_transpose, C234())), I("4 3 2"));
  same(m(prim_transpose, S("0 3", I("1"))), S("3 0", I("1")));
  same(d(I("1 1"), prim_transpose_by, S("3 3", I("1 2 3 4 5 6 7 8 9"))), I("1 5 9"));
  same(d(I("2 1"), prim_transpose_by, M23()), S("3 2", I("1 4 2 5 3 6")));
  same(m(prim_shape, d(I("2 1 3"), prim_transpose_by, C234())), I("3 2 4"));
  same(m(prim_shape, d(I("3 1 2"), prim_transpose_by, C234())), I("3 4 2"));
  same(d(I("1 2 1"), prim_transpose_by, C234()), S("2 3", I("1 5 9 14 18 22")));
  same(d(I(""), prim_transpose_by, Z(4)), Z(4));
  same(d(Z(1), prim_transpose_by, I("1 2")), I("1 2"));
  env = &E0;
  same(d(I("1 0"), prim_transpose_by, M23()), S("3 2", I("1 4 2 5 3 6")));
  env = &E1;
  bad(ERR_LENGTH, d(I("1"), prim_transpose_by, M23()));
  bad(ERR_RANK, d(I("1 3"), prim_transpose_by, M23()));
  bad(ERR_RANK, d(I("2 2"), prim_transpose_by, M23()));
  bad(ERR_DOMAIN, d(I("0 1"), prim_transpose_by, M23()));
  bad(ERR_DOMAIN, d(F("1 1.5"), prim_transpose_by, M23()));
}

static void taking(void **state) {
  (void)state;
  same(d(Z(2), prim_take, I("1 2 3")), I("1 2"));
  same(d(Z(-2), prim_take, I("1 2 3")), I("2 3"));
  same(d(Z(5), prim_take, I("1 2 3")), I("1 2 3 0 0"));
  same(d(Z(-5), prim_take, I("1 2 3")), I("0 0 1 2 3"));
  same(d(Z(4), prim_take, T("ab")), T("ab  "));
  same(d(Z(0), prim_take, T("ab")), T(""));
  same(d(Z(2), prim_take, I("")), I("0 0"));
  same(d(Z(3), prim_take, N(2, I("1 2"), T("abc"))), N(3, I("1 2"), T("abc"), I("0 0")));
  same(d(Z(0), prim_take, N(2, I("1 2"), T("abc"))), none_of(I("0 0")));
  same(d(Z(3), prim_take, N(2, ch("a"), Z(1))), N(3, ch("a"), Z(1), ch(" ")));
  same(d(Z(1), prim_take, N(2, ch("a"), Z(1))), T("a"));
  same(d(I("1 2"), prim_take, M23()), S("1 2", I("1 2")));
  same(d(I("3 -2"), prim_take, M23()), S("3 2", I("2 3 5 6 0 0")));
  same(d(I("1"), prim_take, M23()), S("1 3", I("1 2 3"))); /* the other axes whole */
  same(d(I("2 2"), prim_take, Z(5)), S("2 2", I("5 0 0 0")));
  same(d(I(""), prim_take, Z(5)), Z(5));
  same(d(F("2.0"), prim_take, I("1 2 3")), I("1 2"));
  same(dx(I("2"), P_TAKE, I("2"), M23()), S("2 2", I("1 2 4 5")));
  same(dx(I("2 -1"), P_TAKE, I("2 1"), M23()), S("1 2", I("4 5")));
  same(d(Z(1), prim_drop, I("1 2 3")), I("2 3"));
  same(d(Z(-1), prim_drop, I("1 2 3")), I("1 2"));
  same(d(Z(9), prim_drop, T("abc")), T(""));
  same(d(I("1 -1"), prim_drop, M23()), S("1 2", I("4 5")));
  same(d(I("1"), prim_drop, M23()), S("1 3", I("4 5 6")));
  same(d(I("1 0"), prim_drop, Z(5)), S("0 1", I("5")));
  same(d(Z(2), prim_drop, N(2, T("ab"), Z(1))), none_of(T("  ")));
  same(dx(I("1"), P_DROP, I("2"), M23()), S("2 2", I("2 3 5 6")));
  arr *min = arr_int(&C, INT64_MIN);
  same(d(min, prim_drop, I("1 2")), I(""));
  bad(ERR_RANK, d(I("1 1"), prim_take, I("1 2")));
  bad(ERR_DOMAIN, d(F("1.5"), prim_take, I("1 2")));
  bad(ERR_RANK, d(S("1 1", I("1")), prim_take, I("1 2")));
  bad(ERR_LENGTH, dx(I("1 2"), P_TAKE, I("1"), M23()));
  bad(ERR_RANK, dx(I("1"), P_DROP, I("3"), M23()));
  bad(ERR_DOMAIN, dx(I("1 1"), P_DROP, I("1 1"), M23()));
}

static void enclosing(void **state) {
  (void)state;
  same(m(prim_enclose, I("1 2")), E(I("1 2")));
  same(m(prim_enclose, Z(1)), Z(1));
  same(m(prim_split, M23()), N(2, I("1 2 3"), I("4 5 6")));
  same(m(prim_split, I("1 2")), E(I("1 2")));
  same(m(prim_split, Z(1)), Z(1));
  same(m(prim_split, S("0 3", T("a"))), none_of(T("   ")));
  same(m(prim_split, S("2 0", T("a"))), N(2, T(""), T("")));
  same(mx(P_DROP, I("1"), M23()), N(3, I("1 4"), I("2 5"), I("3 6")));
  same(mx(P_ENCLOSE, I("1"), M23()), N(3, I("1 4"), I("2 5"), I("3 6")));
  same(mx(P_ENCLOSE, I("2 1"), M23()), E(S("3 2", I("1 4 2 5 3 6"))));
  same(mx(P_ENCLOSE, I(""), M23()), M23());
  same(m(prim_shape, mx(P_ENCLOSE, I("1 3"), C234())), I("3"));
  same(m(prim_nest, I("1 2")), E(I("1 2")));
  same(m(prim_nest, N(2, I("1 2"), Z(3))), N(2, I("1 2"), Z(3)));
  same(m(prim_nest, Z(3)), Z(3));
  same(m(prim_nest, N(2, ch("a"), Z(3))), E(N(2, ch("a"), Z(3))));
  bad(ERR_RANK, mx(P_ENCLOSE, I("3"), M23()));
  bad(ERR_DOMAIN, mx(P_ENCLOSE, I("1 1"), M23()));
}

static void partitioning(void **state) {
  (void)state;
  same(d(I("1 0 1 0 0"), prim_partition, I("1 2 3 4 5")), N(2, I("1 2"), I("3 4 5")));
  same(d(I("0 1 0 0 1"), prim_partition, T("abcde")), N(2, T("bcd"), T("e")));
  same(d(I("2 0 1"), prim_partition, T("abc")), N(3, T(""), T("ab"), T("c")));
  same(d(I("1 0 0 1"), prim_partition, T("abc")), N(2, T("abc"), T("")));
  same(d(I("1"), prim_partition, T("abc")), N(1, T("abc"))); /* zeros may be left out */
  same(d(Z(1), prim_partition, T("abc")), N(3, T("a"), T("b"), T("c")));
  same(d(I("0 0 0"), prim_partition, T("abc")), none_of(T("")));
  same(d(I("1 0 1"), prim_partition, M23()),
       N(2, S("2 2", I("1 2 4 5")), S("2 1", I("3 6"))));
  same(dx(I("1 1"), P_ENCLOSE, I("1"), M23()),
       N(2, S("1 3", I("1 2 3")), S("1 3", I("4 5 6"))));
  same(d(I("1 1 2 2 0 2"), prim_nest_by, T("abcdef")), N(3, T("ab"), T("cd"), T("f")));
  same(d(I("3 2 1"), prim_nest_by, I("1 2 3")), N(1, I("1 2 3")));
  same(d(I("0 0"), prim_nest_by, I("1 2")), none_of(I("")));
  same(d(I("1"), prim_nest_by, I("1 2 3")), N(1, I("1 2 3")));
  same(d(I("1 1 2"), prim_nest_by, M23()),
       S("2 2", N(4, I("1 2"), I("3"), I("4 5"), I("6"))));
  same(dx(I("1 2"), P_NEST, I("1"), M23()),
       S("2 3", N(6, I("1"), I("2"), I("3"), I("4"), I("5"), I("6"))));
  bad(ERR_LENGTH, d(S("5", I("1")), prim_partition, T("abc")));
  bad(ERR_LENGTH, d(I("1 1"), prim_nest_by, T("abc")));
  bad(ERR_DOMAIN, d(I("-1 1 1"), prim_partition, T("abc")));
  same(d(Z(1), prim_partition, Z(1)), N(1, I("1")));
  bad(ERR_RANK, d(S("1 3", I("1")), prim_nest_by, T("abc")));
}

static void first_and_pick(void **state) {
  (void)state;
  same(m(prim_first, I("7 8")), Z(7));
  same(m(prim_first, N(2, T("ab"), Z(1))), T("ab"));
  same(m(prim_first, I("")), Z(0));
  same(m(prim_first, T("")), ch(" "));
  same(m(prim_first, none_of(N(2, I("1 2"), T("a")))), N(2, I("0 0"), T(" ")));
  same(m(prim_first, E(T("abc"))), T("abc"));
  same(d(Z(2), prim_pick, I("7 8")), Z(8));
  same(d(I("2 1"), prim_pick, N(2, Z(1), T("xyz"))), ch("x"));
  same(d(N(2, I("1 2"), Z(3)), prim_pick, S("1 2", N(2, Z(1), T("xyz")))), ch("z"));
  same(d(E(I("2 3")), prim_pick, M23()), Z(6));
  same(d(I(""), prim_pick, I("1 2")), I("1 2"));
  same(d(N(1, I("")), prim_pick, E(T("abc"))), T("abc"));
  env = &E0;
  same(d(Z(0), prim_pick, I("7 8")), Z(7));
  env = &E1;
  bad(ERR_INDEX, d(Z(3), prim_pick, I("7 8")));
  bad(ERR_INDEX, d(Z(0), prim_pick, I("7 8")));
  bad(ERR_RANK, d(Z(1), prim_pick, M23()));
  bad(ERR_RANK, d(I("1 1"), prim_pick, I("7 8")));
  bad(ERR_DOMAIN, d(T("a"), prim_pick, I("7 8")));
}

static void mixing(void **state) {
  (void)state;
  same(m(prim_mix, N(2, I("1 2 3"), I("4 5 6"))), M23());
  same(m(prim_mix, N(2, I("1 2"), I("3"))), S("2 2", I("1 2 3 0")));
  same(m(prim_mix, N(2, T("ab"), T("c"))), S("2 2", T("abc ")));
  same(m(prim_mix, N(2, T("ab"), I("1"))), S("2 2", N(4, ch("a"), ch("b"), Z(1), Z(0))));
  same(m(prim_mix, N(2, I("1 2"), Z(3))), S("2 2", I("1 2 3 0")));
  same(m(prim_mix, N(2, I("1 2"), T(""))), S("2 2", N(4, Z(1), Z(2), ch(" "), ch(" "))));
  same(m(prim_mix, N(2, T(""), I(""))), S("2 0", T("")));
  same(m(prim_mix, I("1 2")), I("1 2"));
  same(m(prim_mix, E(M23())), M23());
  same(m(prim_mix, N(2, M23(), I("9"))), S("2 2 3", I("1 2 3 4 5 6 9 0 0 0 0 0")));
  same(m(prim_mix, none_of(I("1 2 3"))), S("0 3", I("1")));
  same(m(prim_mix, N(1, N(2, I("1 2"), T("a")))), S("1 2", N(2, I("1 2"), T("a"))));
  same(m(prim_mix, N(2, N(1, I("1 2")), N(2, T("a"), I("3")))),
       S("2 2", N(4, I("1 2"), I("0 0"), T("a"), I("3"))));
  same(m(prim_mix, N(2, I("1 2"), F("0.5"))), S("2 2", F("1 2 0.5 0")));
  same(mx(P_TAKE, F("0.5"), N(2, I("1 2 3"), I("4 5 6"))), S("3 2", I("1 4 2 5 3 6")));
  same(mx(P_TAKE, I("1"), N(2, I("1 2 3"), I("4 5 6"))), S("3 2", I("1 4 2 5 3 6")));
  same(mx(P_TAKE, F("1.5"), N(2, I("1 2 3"), I("4 5 6"))), M23());
  bad(ERR_INDEX, mx(P_TAKE, F("2.5"), N(2, I("1 2 3"), I("4 5 6"))));
}

static void depth_and_match(void **state) {
  (void)state;
  same(m(prim_depth, Z(1)), Z(0));
  same(m(prim_depth, I("1 2")), Z(1));
  same(m(prim_depth, I("")), Z(1));
  same(m(prim_depth, E(I("1 2"))), Z(2));
  same(m(prim_depth, N(2, I("1 2"), I("3"))), Z(2));
  same(m(prim_depth, N(2, I("1 2"), Z(3))), Z(-2));
  same(m(prim_depth, N(2, N(2, I("1"), Z(1)), I("3"))), Z(-3));
  same(m(prim_depth, none_of(I("1 2"))), Z(2));
  same(m(prim_depth, N(2, ch("a"), Z(1))), Z(1));
  same(d(I("1 2"), prim_match, F("1 2")), Z(1));
  same(d(I("1 2"), prim_not_match, I("1 2 3")), Z(1));
  same(d(T(""), prim_match, I("")), Z(0));
  same(m(prim_same, I("1")), I("1"));
  same(d(I("1"), prim_left, I("2")), I("1"));
  same(d(I("1"), prim_right, I("2")), I("2"));
  same(m(prim_enlist, N(3, Z(1), N(2, I("2 3"), Z(4)), M23())), I("1 2 3 4 1 2 3 4 5 6"));
  same(m(prim_enlist, N(2, T("ab"), I("1"))), N(3, ch("a"), ch("b"), Z(1)));
  same(m(prim_enlist, none_of(T("ab"))), T(""));
  same(m(prim_enlist, N(2, T(""), I("1"))), I("1"));
  same(m(prim_enlist, Z(1)), I("1"));
  arr *deep = I("1 2");
  for (int i = 0; i < 100000; i++) deep = N(1, deep);
  same(m(prim_depth, deep), arr_int(&C, 100001));
  arr *left = I("1 2");
  for (int i = 0; i < 100000; i++) left = N(2, left, Z(1));
  bad(ERR_LIMIT, m(prim_depth, arr_retain(left)));
  bad(ERR_LIMIT, m(prim_enlist, left));
}

static void replicating(void **state) {
  (void)state;
  same(rep(I("1 0 1"), I("7 8 9"), 0), I("7 9"));
  same(rep(I("2 0 1"), T("abc"), 0), T("aac"));
  same(rep(I("1 -2 3"), I("4 5 6"), 0), I("4 0 0 6 6 6"));
  same(rep(Z(2), I("1 2"), 0), I("1 1 2 2"));
  same(rep(I("2"), I("1 2"), 0), I("1 1 2 2"));
  same(rep(I("1 0 2"), Z(5), 0), I("5 5 5"));
  same(rep(I("1 2"), I("5"), 0), I("5 5 5"));
  same(rep(Z(0), I("1 2"), 0), I(""));
  same(rep(I(""), I(""), 0), I(""));
  same(rep(I("1 0 1"), M23(), 1), S("2 2", I("1 3 4 6")));
  same(rep(I("0 1"), M23(), 0), S("1 3", I("4 5 6")));
  same(rep(I("1 -1 0"), M23(), 1), S("2 2", I("1 0 4 0")));
  same(rep(I("1 -1"), N(2, T("ab"), Z(1)), 0), N(2, T("ab"), T("  ")));
  same(rep(Z(0), N(2, T("ab"), Z(1)), 0), none_of(T("  ")));
  same(rep(F("2 1"), I("1 2"), 0), I("1 1 2"));
  same(rep(typed(ET_BIT, "1 0 0 1 1 0 0 0 1"), I("1 2 3 4 5 6 7 8 9"), 0), I("1 4 5 9"));
  same(rep(typed(ET_BIT, "0 0 1"), typed(ET_BIT, "1 0 1"), 0), I("1"));
  bad(ERR_LENGTH, rep(I("1 0"), I("7 8 9"), 0));
  bad(ERR_DOMAIN, rep(F("0.5 1"), I("7 8"), 0));
  bad(ERR_RANK, rep(S("1 2", I("1")), I("7 8"), 0));
  same(expand(I("1 0 1"), I("7 8"), 0), I("7 0 8"));
  same(expand(I("1 -2 2"), T("ab"), 0), T("a  bb"));
  same(expand(I("0 0"), I(""), 0), I("0 0"));
  same(expand(Z(3), I("5"), 0), I("5 5 5"));
  same(expand(I("1 0 1"), Z(5), 0), I("5 0 5"));
  same(expand(I("1 0 1"), S("2 2", I("1 2 3 4")), 1), S("2 3", I("1 0 2 3 0 4")));
  same(expand(I("1 0 1"), S("2 2", I("1 2 3 4")), 0), S("3 2", I("1 2 0 0 3 4")));
  same(expand(I("0 1"), N(1, I("1 2")), 0), N(2, I("0 0"), I("1 2")));
  bad(ERR_LENGTH, expand(I("1 0 1"), I("7 8 9"), 0));
}

static arr *at(arr *x, int n, arr *i, arr *j, arr *k) {
  arr *sub[] = {i, j, k}, *r = prim_index(env, x, n, sub);
  for (int a = 0; a < 3; a++) arr_release(sub[a]);
  arr_release(x);
  return r;
}
static arr *set(arr *x, int n, arr *i, arr *j, arr *v) {
  arr *sub[] = {i, j}, *r = prim_index_set(env, x, n, sub, v);
  for (int a = 0; a < 2; a++) arr_release(sub[a]);
  arr_release(x);
  arr_release(v);
  return r;
}

static void indexing(void **state) {
  (void)state;
  same(at(I("7 8 9"), 1, Z(2), NULL, NULL), Z(8));
  same(at(I("7 8 9"), 1, S("2 2", I("1 2 3 1")), NULL, NULL), S("2 2", I("7 8 9 7")));
  same(at(I("7 8 9"), 1, NULL, NULL, NULL), I("7 8 9"));
  same(at(T("abc"), 1, I(""), NULL, NULL), T(""));
  same(at(M23(), 2, Z(2), NULL, NULL), I("4 5 6"));
  same(at(M23(), 2, NULL, Z(2), NULL), I("2 5"));
  same(at(M23(), 2, Z(1), Z(3), NULL), Z(3));
  same(at(M23(), 2, I("2 1"), I("3 1"), NULL), S("2 2", I("6 4 3 1")));
  same(at(C234(), 3, I("2"), Z(1), NULL), S("1 4", I("13 14 15 16")));
  same(at(C234(), 3, NULL, NULL, Z(4)), S("2 3", I("4 8 12 16 20 24")));
  same(at(N(2, T("ab"), Z(1)), 1, Z(1), NULL, NULL), E(T("ab")));
  same(at(N(3, T("ab"), Z(1), Z(2)), 1, I("2 3"), NULL, NULL), I("1 2"));
  same(at(N(2, T("ab"), Z(1)), 1, I(""), NULL, NULL), none_of(T("  ")));
  same(at(M23(), 1, N(2, I("1 3"), I("2 1")), NULL, NULL), I("3 4"));
  same(at(M23(), 1, E(I("1 3")), NULL, NULL), Z(3));
  same(at(N(2, T("ab"), T("xyz")), 1, N(1, I("2 3")), NULL, NULL), T("z")); /* reach */
  same(at(S("1 2", N(2, T("ab"), T("xyz"))), 1, N(1, N(2, I("1 2"), Z(3))), NULL, NULL),
       T("z"));
  same(at(Z(5), 1, N(1, I("")), NULL, NULL), I("5"));
  env = &E0;
  same(at(I("7 8 9"), 1, I("0 2"), NULL, NULL), I("7 9"));
  env = &E1;
  bad(ERR_INDEX, at(I("7 8"), 1, Z(3), NULL, NULL));
  bad(ERR_INDEX, at(I("7 8"), 1, Z(0), NULL, NULL));
  bad(ERR_RANK, at(M23(), 1, Z(1), NULL, NULL));
  bad(ERR_RANK, at(I("1 2"), 2, Z(1), Z(1), NULL));
  bad(ERR_DOMAIN, at(I("7 8"), 1, T("a"), NULL, NULL));
  bad(ERR_DOMAIN, at(I("7 8"), 1, F("1.5"), NULL, NULL));
  bad(ERR_INDEX, at(M23(), 1, E(I("1 4")), NULL, NULL));
  same(d(Z(2), prim_squad, I("7 8 9")), Z(8));
  same(d(I("2"), prim_squad, M23()), I("4 5 6"));
  same(d(I("2 3"), prim_squad, M23()), Z(6));
  same(d(N(2, I("2 1"), Z(3)), prim_squad, M23()), I("6 3"));
  same(d(E(I("2 1")), prim_squad, M23()), S("2 3", I("4 5 6 1 2 3")));
  same(dx(Z(3), P_SQUAD, I("2"), M23()), I("3 6"));
  same(d(I(""), prim_squad, M23()), M23());
  bad(ERR_LENGTH, d(I("1 1 1"), prim_squad, M23()));
  bad(ERR_INDEX, d(I("3 1"), prim_squad, M23()));
}

static void assigning(void **state) {
  (void)state;
  same(set(I("7 8 9"), 1, Z(2), NULL, Z(0)), I("7 0 9"));
  same(set(I("7 8 9"), 1, I("1 3"), NULL, I("300 -1")), I("300 8 -1"));
  same(set(I("7 8 9"), 1, I("1 3"), NULL, F("0.5")), F("0.5 8 0.5"));
  same(set(I("7 8 9"), 1, I("1 1"), NULL, I("1 2")), I("2 8 9")); /* the last wins */
  same(set(I("7 8 9"), 1, Z(2), NULL, ch("a")), N(3, Z(7), ch("a"), Z(9)));
  same(set(N(2, Z(7), ch("a")), 1, Z(2), NULL, Z(1)), I("7 1"));
  same(set(I("7 8 9"), 1, Z(1), NULL, E(T("ab"))), N(3, T("ab"), Z(8), Z(9)));
  same(set(I("7 8 9"), 1, NULL, NULL, Z(1)), I("1 1 1"));
  same(set(M23(), 2, Z(1), NULL, I("7 8 9")), S("2 3", I("7 8 9 4 5 6")));
  same(set(M23(), 2, NULL, Z(2), I("7 8")), S("2 3", I("1 7 3 4 8 6")));
  same(set(M23(), 2, I("1 2"), I("1 3"), S("2 2", I("9 8 7 6"))),
       S("2 3", I("9 2 8 7 5 6")));
  same(set(M23(), 1, NULL, NULL, Z(0)), S("2 3", I("0")));
  same(set(M23(), 1, N(2, I("1 1"), I("2 3")), NULL, I("8 9")),
       S("2 3", I("8 2 3 4 5 9")));
  same(set(N(2, T("ab"), T("xyz")), 1, N(1, I("2 3")), NULL, ch("!")),
       N(2, T("ab"), T("xy!")));
  same(set(I("7 8"), 1, I(""), NULL, I("")), I("7 8"));
  same(set(I("7 8"), 1, I(""), NULL, Z(3)), I("7 8"));
  same(set(I("7 8"), 1, S("1 2", I("1 2")), NULL, I("1 2")),
       I("1 2")); /* axes of 1 are free */
  arr *x = I("1 2"), *i = Z(1), *v = Z(9), *r = prim_index_set(env, x, 1, &i, v);
  same(x, I("1 2")); /* the argument is as it was */
  same(r, I("9 2"));
  arr_release(i);
  arr_release(v);
  bad(ERR_LENGTH, set(I("7 8 9"), 1, I("1 3"), NULL, I("1 2 3")));
  bad(ERR_LENGTH, set(I("7 8 9"), 1, I("1 3"), NULL, S("2 2", I("1"))));
  bad(ERR_INDEX, set(I("7 8 9"), 1, I("4"), NULL, Z(1)));
  bad(ERR_RANK, set(M23(), 1, Z(1), NULL, Z(1)));
  bad(ERR_INDEX, set(N(2, T("ab"), Z(1)), 1, N(1, I("1 3")), NULL, Z(1)));
}

static void looking_up(void **state) {
  (void)state;
  same(d(I("7 8 9 8"), prim_index_of, I("8 9 1")), I("2 3 5"));
  same(d(T("abc"), prim_index_of, T("cxa")), I("3 4 1"));
  same(d(I("1 2"), prim_index_of, T("a")), I("3"));
  same(d(I(""), prim_index_of, I("1 2")), I("1 1"));
  same(d(I("1 2"), prim_index_of, Z(2)), Z(2));
  same(d(F("1 2 3"), prim_index_of, I("3 4")), I("3 4"));
  same(d(I("1 2 3"), prim_index_of, F("3.000000000000001 3.1")), I("3 4"));
  same(d(F("nan 0 inf"), prim_index_of, F("-0 nan -inf inf")), I("2 1 4 3"));
  same(d(I("70000 1 -5 2000000000"), prim_index_of, I("2000000000 -5 3")), I("4 3 5"));
  same(d(N(2, T("ab"), I("1 2")), prim_index_of, N(2, F("1 2"), T("a"))), I("2 3"));
  same(d(N(2, T("ab"), T("cd")), prim_index_of, E(T("cd"))), Z(2));
  same(d(N(2, ch("a"), Z(1)), prim_index_of, Z(1)), Z(2));
  same(d(M23(), prim_index_of, I("4 5 6")), Z(2));
  same(d(M23(), prim_index_of, S("2 3", I("4 5 6 7 8 9"))), I("2 3"));
  same(d(S("2 2", F("0.1 0.2 0.3 0.4")), prim_index_of, F("0.3 0.4000000000000001")),
       Z(2));
  env = &E0;
  same(d(I("7 8"), prim_index_of, I("8 9")), I("1 2"));
  env = &E1;
  bad(ERR_RANK, d(Z(1), prim_index_of, I("1")));
  bad(ERR_LENGTH, d(M23(), prim_index_of, I("1 2")));
  bad(ERR_RANK, d(M23(), prim_index_of, Z(1)));
  same(d(I("1 5 2"), prim_member, M23()), I("1 1 1"));
  same(d(S("2 2", I("1 9 9 2")), prim_member, I("1 2")), S("2 2", I("1 0 0 1")));
  same(d(T("ab"), prim_member, I("1 2")), I("0 0"));
  same(d(T("ab"), prim_member, T("")), I("0 0"));
  same(m(prim_unique, I("3 1 3 2 1")), I("3 1 2"));
  same(m(prim_unique, Z(3)), I("3"));
  same(m(prim_unique, S("3 2", I("1 2 3 4 1 2"))), S("2 2", I("1 2 3 4")));
  same(m(prim_unique, N(3, T("ab"), T("c"), T("ab"))), N(2, T("ab"), T("c")));
  same(m(prim_unique, T("")), T(""));
  same(m(prim_unique_mask, T("banana")), I("1 1 1 0 0 0"));
  /* a ≈ b and b ≈ c, but not a ≈ c: c is compared with a, which was kept, alone */
  same(m(prim_unique_mask, F("1 1.000000000000008 1.000000000000016")), I("1 0 1"));
  same(d(T("WASH"), prim_union, T("SHOUT")), T("WASHOUT"));
  same(d(I("1 2"), prim_union, I("3 3")), I("1 2 3 3"));
  same(d(Z(1), prim_union, Z(1)), I("1"));
  same(d(I("1 2 3 2"), prim_intersection, I("2 4")), I("2 2"));
  same(d(T("abc"), prim_intersection, I("1")), T(""));
  same(d(I("1 2 3 2"), prim_without, I("2 4")), I("1 3"));
  same(d(Z(3), prim_without, Z(3)), I(""));
  same(d(N(2, T("ab"), T("c")), prim_without, E(T("c"))), N(1, T("ab")));
  bad(ERR_RANK, d(M23(), prim_without, I("1")));
  bad(ERR_RANK, d(I("1"), prim_union, M23()));
  same(d(T("an"), prim_find, T("banana")), I("0 1 0 1 0 0"));
  same(d(S("2 2", I("1 2 4 5")), prim_find, M23()), S("2 3", I("1 0 0 0 0 0")));
  same(d(I("5 6"), prim_find, M23()), S("2 3", I("0 0 0 0 1 0")));
  same(d(T(""), prim_find, T("ab")), I("1 1"));
  same(d(M23(), prim_find, I("1 2")), I("0 0"));
  same(d(E(T("c")), prim_find, N(2, T("ab"), T("c"))), I("0 1"));
}

static void grading(void **state) {
  (void)state;
  same(m(prim_grade_up, I("3 1 2 1")), I("2 4 3 1"));
  same(m(prim_grade_down, I("3 1 2 1")), I("1 3 2 4"));
  same(m(prim_grade_up, F("0.5 -inf nan 3 -0 0 inf")), I("2 5 6 1 4 7 3"));
  same(m(prim_grade_up, T("banana")), I("2 4 6 1 3 5"));
  same(m(prim_grade_up, S("3 2", I("2 1 1 9 1 2"))), I("3 2 1"));
  same(m(prim_grade_up, N(4, T("b"), Z(2), T("abc"), ch("a"))), I("2 4 3 1"));
  same(m(prim_grade_up, N(3, T("ab"), T("a"), T("aa"))), I("2 3 1"));
  same(m(prim_grade_up, I("")), I(""));
  same(m(prim_grade_up, S("2 0", I("1"))), I("1 2"));
  bad(ERR_RANK, m(prim_grade_up, Z(1)));
  env = &E0;
  same(m(prim_grade_up, I("3 1 2")), I("1 2 0"));
  env = &E1;
  same(d(T("zyx"), prim_collate_up, T("xyzq")), I("3 2 1 4"));
  same(d(T("zyx"), prim_collate_down, T("xyzq")), I("4 1 2 3"));
  same(d(S("2 2", T("abAB")), prim_collate_up, T("BAba")), I("4 2 3 1"));
  bad(ERR_DOMAIN, d(T("ab"), prim_collate_up, I("1")));
  same(d(I("10 20 30"), prim_interval, I("5 10 15 30 99")), I("0 1 1 3 3"));
  same(d(I("10 20 30"), prim_interval, S("2 1", I("20 25"))), S("2 1", I("2 2")));
  same(d(T("AEIOU"), prim_interval, T("DYALOG")), I("1 5 1 3 4 2"));
  bad(ERR_DOMAIN, d(I("2 1"), prim_interval, I("5")));
  bad(ERR_RANK, d(Z(2), prim_interval, I("5")));
}

/* ── identities on random arrays ────────────────────────────────────────────────────── */

static uint64_t seed = 12345;
static int64_t rnd(int64_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((seed >> 33) % (uint64_t)n);
}

static arr *random_array(elt t, int rank, int64_t range) {
  int64_t shape[ARR_MAX_RANK];
  for (int k = 0; k < rank; k++) shape[k] = rnd(6);
  arr *a = arr_new(&C, t, rank, shape);
  for (int64_t i = 0; i < a->count; i++) {
    if (t == ET_F64) arr_put_float(a, i, (double)rnd(range) / 4);
    else arr_put_int(a, i, rnd(t == ET_BIT ? 2 : range));
  }
  return a;
}

static void identities(void **state) {
  (void)state;
  static const elt types[] = {ET_BIT, ET_I8,  ET_I16, ET_I32,
                              ET_I64, ET_F64, ET_C8,  ET_C32};
  for (int round = 0; round < 400; round++) {
    elt t = types[rnd((int64_t)ARRAY_LEN(types))];
    int rank = 1 + (int)rnd(4);
    arr *a = random_array(t, rank, 100);
#define A arr_retain(a)
    same(m(prim_reverse, m(prim_reverse, A)), A);
    same(m(prim_reverse_first, m(prim_reverse_first, A)), A);
    same(m(prim_transpose, m(prim_transpose, A)), A);
    same(m(prim_mix, m(prim_split, A)), A);
    same(d(m(prim_shape, A), prim_reshape, m(prim_ravel, A)), A);
    int64_t k = rnd(9) - 4;
    same(d(arr_int(&C, -k), prim_rotate, d(arr_int(&C, k), prim_rotate, A)), A);
    same(d(d(arr_int(&C, 2), prim_take, A), prim_catenate_first,
           d(arr_int(&C, 2), prim_drop, A)),
         a->shape[0] >= 2 ? A : d(arr_int(&C, 2), prim_take, A));
    same(d(A, prim_match, A), Z(1));
    arr *flat = m(prim_ravel, A), *perm = m(prim_grade_up, arr_retain(flat));
    arr *s = at(arr_retain(flat), 1, arr_retain(perm), NULL, NULL);
    for (int64_t i = 1; i < s->count; i++)
      assert_true(arr_get_float(s, i - 1) <= arr_get_float(s, i));
    same(m(prim_grade_up, m(prim_grade_up, arr_retain(perm))), arr_retain(perm));
    /* every element is found where it stands first */
    arr *where = d(arr_retain(flat), prim_index_of, arr_retain(flat));
    for (int64_t i = 0; i < where->count; i++) {
      int64_t j = 0;
      while (arr_get_float(flat, j) != arr_get_float(flat, i)) j++;
      assert_int_equal(arr_get_int(where, i), j + 1);
    }
    arr_release(flat);
    arr_release(perm);
    arr_release(s);
    arr_release(where);
    arr_release(a);
  }
}

static void long_vectors(void **state) {
  (void)state;
  static const int64_t lengths[] = {63, 64, 65, 1000, 65537, 200003};
  for (size_t k = 0; k < ARRAY_LEN(lengths); k++)
    for (int wide = 0; wide < 2; wide++) {
      int64_t n = lengths[k];
      arr *a = arr_vec(&C, ET_I64, n);
      for (int64_t i = 0; i < n; i++)
        arr_put_int(a, i, rnd(n) * (wide ? 1000003 : 1) - n / 2);
      arr *g = prim_grade_down(env, a), *u = prim_unique(env, a),
          *f = arr_convert(&C, a, ET_F64);
      arr *ia = prim_index_of(env, a, u), *fa = prim_index_of(env, f, u);
      for (int64_t i = 1; i < n; i++) {
        int64_t p = arr_get_int(g, i - 1) - 1, q = arr_get_int(g, i) - 1;
        int64_t x = arr_get_int(a, p), y = arr_get_int(a, q);
        assert_true(x > y || (x == y && p < q));
      }
      assert_true(arr_match(ia, fa, 0)); /* by hash or table, and by sorting */
      for (int64_t i = 1; i < ia->count; i++)
        assert_true(arr_get_int(ia, i - 1) < arr_get_int(ia, i));
      arr_release(g);
      arr_release(u);
      arr_release(f);
      arr_release(ia);
      arr_release(fa);
      arr_release(a);
    }
}

/* ── views against element by element ───────────────────────────────────────────────── */

static const elt every_size[] = {ET_BIT, ET_I8, ET_C16, ET_I32, ET_F64, ET_C128, ET_NEST};

/* Numbers from 0, in a simple type as far as they fit, so that elements can be told apart. */
static arr *counting(elt t, int rank, const int64_t *shape) {
  arr *a = arr_new(&C, t, rank, shape);
  for (int64_t i = 0; i < a->count; i++) {
    if (t == ET_NEST) ((arr **)a->host)[i] = arr_int_vec(&C, 2, (int64_t[]){i, i});
    else if (t == ET_C128) arr_put_complex(a, i, (double)i, 1);
    else if (t == ET_BIT) arr_put_int(a, i, rnd(2));
    else if (t == ET_I8) arr_put_int(a, i, i % 127);
    else arr_put_int(a, i, i);
  }
  return a;
}

static bool same_element(const arr *x, int64_t i, const arr *y, int64_t j) {
  arr *a = arr_scalar_at(&C, x, i), *b = arr_scalar_at(&C, y, j);
  bool same = arr_match(a, b, 0);
  arr_release(a);
  arr_release(b);
  return same;
}

/* A part of an array of n elements with lengths and strides by chance; false if it would read
 * beyond them. */
static bool random_part(view *v, int64_t n) {
  static const int64_t steps[] = {0, 1, -1, 2, 7, -7, 50, 64, -64};
  int64_t shape[4], lo = 0, hi = 0;
  int rank = (int)rnd(5);
  for (int k = 0; k < rank; k++) shape[k] = rnd(4) ? 1 + rnd(5) : 1 + rnd(70);
  assert_true(view_shape(&C, v, rank, shape));
  view_part *p = view_add(v);
  for (int k = 0; k < rank; k++) {
    p->stride[k] = steps[rnd((int64_t)ARRAY_LEN(steps))];
    int64_t reach = p->stride[k] * (shape[k] - 1);
    if (reach < 0) lo += reach;
    else hi += reach;
  }
  p->from = rnd(9) - lo;
  return p->from + hi < n && v->count < 5000;
}

static void views_copied(void **state) {
  (void)state;
  for (int test = 0; test < 1500; test++) {
    view v;
    int64_t n = 3000, at[4] = {0};
    if (!random_part(&v, n)) continue;
    arr *y = counting(every_size[test % (int)ARRAY_LEN(every_size)], 1, &n);
    arr *r = view_copy(&C, &v, &y);
    assert_non_null(r);
    for (int64_t i = 0; i < r->count; i++) {
      int64_t from = v.part[0].from;
      for (int k = 0; k < v.rank; k++) from += at[k] * v.part[0].stride[k];
      if (!same_element(r, i, y, from)) fail_msg("view %d, element %d", test, (int)i);
      for (int k = v.rank - 1; k >= 0 && ++at[k] == v.shape[k]; k--) at[k] = 0;
    }
    arr_release(r);
    arr_release(y);
  }
}

/* x[a;b;c], some elided, read and written, against element by element. */
static void subscripts_by_chance(void **state) {
  (void)state;
  for (int test = 0; test < 700; test++) {
    elt t = every_size[test % (int)ARRAY_LEN(every_size)];
    int rank = 1 + (int)rnd(3);
    int64_t shape[3], len[3], count = 1, at[3] = {0};
    arr *sub[3] = {NULL};
    for (int k = 0; k < rank; k++) {
      shape[k] = len[k] = rnd(3) ? 1 + rnd(6) : 30 + rnd(20);
      if (rnd(3)) {
        len[k] = rnd(3) ? 1 + rnd(6) : 30 + rnd(300);
        sub[k] = arr_vec(&C, rnd(2) ? ET_I8 : ET_I64, len[k]);
        for (int64_t i = 0; i < len[k]; i++) arr_put_int(sub[k], i, 1 + rnd(shape[k]));
      }
      count *= len[k];
    }
    if (count < 20000) {
      arr *x = counting(t, rank, shape), *v = counting(t, rank, len);
      arr *r = prim_index(&E1, x, rank, sub), *set = prim_index_set(&E1, x, rank, sub, v);
      arr *want = arr_reshape(&C, x, rank, shape);
      assert_true(r && set && r->count == count);
      for (int64_t i = 0; i < count; i++) {
        int64_t from = 0;
        for (int k = 0; k < rank; k++)
          from = from * shape[k] + (sub[k] ? arr_get_int(sub[k], at[k]) - 1 : at[k]);
        assert_true(same_element(r, i, x, from));
        if (t == ET_NEST) arr_release(arr_item(want, from));
        arr_copy(want, from, v, i, 1); /* the last one stays */
        for (int k = rank - 1; k >= 0 && ++at[k] == len[k]; k--) at[k] = 0;
      }
      assert_true(arr_match(set, want, 0));
      arr_release(x);
      arr_release(v);
      arr_release(r);
      arr_release(set);
      arr_release(want);
    }
    for (int k = 0; k < rank; k++) arr_release(sub[k]);
  }
}

/* ── failing allocator ──────────────────────────────────────────────────────────────── */

typedef struct call {
  fn1 *one;
  fn2 *two;
  prim axis_of;
  bool boxed_x;
} call;

static arr *apply(const call *c, arr *x, arr *y, arr *axis) {
  arr *sub[2] = {x, NULL};
  if (c->one) return c->one(env, y);
  if (c->two) return c->two(env, x, y);
  if (c->axis_of == P_SQUAD) return prim_index(env, y, y->rank, sub);
  if (c->axis_of == P_NE) return prim_index_set(env, y, y->rank, sub, x);
  if (c->axis_of == P_LT) return prim_replicate(env, x, y, 0);
  if (c->axis_of == P_GT) return prim_expand(env, x, y, 0);
  return c->boxed_x ? prim_dyadic_axis(env, c->axis_of, x, y, axis)
                    : prim_monadic_axis(env, c->axis_of, y, axis);
}

static void failing_allocator(void **state) {
  (void)state;
  static const call calls[] = {
#define STRUCT1(id, f, ...) {.one = f},
#define STRUCT2(id, f, ...) {.two = f},
#include "src/tables/prim.def"
      {.axis_of = P_SQUAD},
      {.axis_of = P_NE},
      {.axis_of = P_LT},
      {.axis_of = P_GT},
      {.axis_of = P_TAKE},
      {.axis_of = P_ENCLOSE},
      {.axis_of = P_COMMA},
      {.axis_of = P_ENCLOSE, .boxed_x = true},
      {.axis_of = P_COMMA, .boxed_x = true},
      {.axis_of = P_TAKE, .boxed_x = true},
      {.axis_of = P_NEST, .boxed_x = true}};
  for (int set_no = 0; set_no < 7; set_no++)
    for (size_t i = 0; i < ARRAY_LEN(calls); i++)
      for (int n = 1; n < 10000; n++) {
        arr *axis = I("1"), *x, *y;
        switch (set_no) {
        case 0: x = I("1 2"), y = I("1 2"); break;
        case 1: x = I("2 1 1"), y = N(3, T("abc"), I("1 2"), ch("x")); break;
        case 2: x = F("2 1"), y = M23(); break;
        case 3: x = N(2, T("abc"), Z(1)), y = N(2, T("abc"), I("5 6")); break;
        case 4: x = Z(1), y = S("2 2", N(4, T("abc"), I("1 2"), Z(1), F("0.5 1"))); break;
        case 5: x = F("1 -2.0"), y = N(1, N(2, I("1 2"), T("abcd"))); break;
        default: x = E(I("1 2")), y = none_of(I("1 2")); break;
        }
        size_t before = C.blocks_live;
        fail_at = n;
        arr *r = apply(&calls[i], x, y, axis);
        bool failed = fail_at == 0;
        fail_at = 0;
        if (failed) assert_null(r);
        assert_int_equal(r == NULL, err_is(&C));
        if (r) { /* complete: no slot is missing */
          str s = {.c = &C};
          fmt_opts o = {10, 80, false};
          assert_true(arr_display(&C, r, &o, &s));
          str_free(&s);
        }
        arr_release(r);
        err_clear(&C);
        assert_int_equal(C.blocks_live, before);
        arr_release(x);
        arr_release(y);
        arr_release(axis);
        if (!failed) break;
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(iota_and_where),
                                     cmocka_unit_test(shape_and_reshape),
                                     cmocka_unit_test(ravel_and_table),
                                     cmocka_unit_test(catenating),
                                     cmocka_unit_test(reversing),
                                     cmocka_unit_test(transposing),
                                     cmocka_unit_test(taking),
                                     cmocka_unit_test(enclosing),
                                     cmocka_unit_test(partitioning),
                                     cmocka_unit_test(first_and_pick),
                                     cmocka_unit_test(mixing),
                                     cmocka_unit_test(depth_and_match),
                                     cmocka_unit_test(replicating),
                                     cmocka_unit_test(indexing),
                                     cmocka_unit_test(assigning),
                                     cmocka_unit_test(looking_up),
                                     cmocka_unit_test(grading),
                                     cmocka_unit_test(identities),
                                     cmocka_unit_test(long_vectors),
                                     cmocka_unit_test(views_copied),
                                     cmocka_unit_test(subscripts_by_chance),
                                     cmocka_unit_test(failing_allocator)};
  ctx_init(&C, test_resize, NULL);
  return cmocka_run_group_tests(tests, NULL, no_leak);
}
