/* SPDX-License-Identifier: MIT */
/* test_array.c - making, releasing, copying, converting, comparing arrays. */
#include "make.h"
#include "src/array/match.h"
#include "src/base/mem.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void shapes_and_limits(void **state) {
  (void)state;
  int64_t big[] = {INT64_MAX, 2}, none[] = {INT64_MAX, INT64_MAX, 0}, ok[15];
  assert_null(arr_new(&C, ET_I8, 2, big));
  assert_int_equal(C.err.code, ERR_LIMIT);
  err_clear(&C);
  arr *a = arr_new(&C, ET_I8, 3, none); /* an empty array may have long axes */
  assert_non_null(a);
  assert_int_equal(a->count, 0);
  arr_release(a);
  big[1] = 1;
  assert_null(
      arr_new(&C, ET_F64, 2, big)); /* 2*63-1 elements, but no such number of bytes */
  assert_int_equal(C.err.code, ERR_WS_FULL);
  err_clear(&C);
  int64_t ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  assert_null(arr_new(&C, ET_I8, 16, ones));
  assert_int_equal(C.err.code, ERR_LIMIT);
  err_clear(&C);
  for (int k = 0; k < 15; k++) ok[k] = 2;
  a = arr_new(&C, ET_BIT, 15, ok);
  assert_int_equal(a->count, 32768);
  arr_release(a);
  a = arr_new_pending(&C, ET_I32, 1, (int64_t[]){3});
  assert_null(a->host);
  assert_true(arr_alloc_host(&C, a));
  arr_put_int(a, 2, 7);
  assert_int_equal(arr_get_int(a, 2), 7);
  arr_release(a);
}

static void narrowest_types(void **state) {
  (void)state;
  static const struct {
    int64_t v;
    elt t;
  } row[] = {{0, ET_BIT},         {1, ET_BIT},          {2, ET_I8},
             {-1, ET_I8},         {127, ET_I8},         {128, ET_I16},
             {-128, ET_I8},       {-129, ET_I16},       {32768, ET_I32},
             {INT32_MIN, ET_I32}, {2147483648, ET_I64}, {INT64_MIN, ET_I64}};
  for (size_t i = 0; i < ARRAY_LEN(row); i++) {
    arr *a = arr_int(&C, row[i].v);
    assert_int_equal(a->type, row[i].t);
    assert_true(arr_get_int(a, 0) == row[i].v);
    assert_true(a->has_range && a->lo == row[i].v && a->hi == row[i].v);
    arr_release(a);
  }
  arr *f = arr_float(&C, 3); /* a float stays a float */
  assert_int_equal(f->type, ET_F64);
  arr_release(f);
  static const struct {
    uint32_t u;
    elt t;
  } ch[] = {{'a', ET_C8}, {255, ET_C8}, {256, ET_C16}, {0x1F600, ET_C32}};
  for (size_t i = 0; i < ARRAY_LEN(ch); i++) {
    arr *a = arr_char(&C, ch[i].u);
    assert_int_equal(a->type, ch[i].t);
    assert_int_equal(arr_get_int(a, 0), ch[i].u);
    arr_release(a);
  }
  arr *t = arr_text(&C, "a⍳😀", 8);
  assert_int_equal(t->type, ET_C32);
  assert_int_equal(t->count, 3);
  assert_int_equal(arr_get_int(t, 1), 0x2373);
  arr_release(t);
}

static void joins(void **state) {
  (void)state;
  static const struct {
    elt a, b, r;
  } row[] = {
      {ET_BIT, ET_I8, ET_I8},     {ET_I64, ET_F64, ET_F64}, {ET_I16, ET_F32, ET_F32},
      {ET_I32, ET_F32, ET_F64},   {ET_F32, ET_F64, ET_F64}, {ET_I8, ET_C128, ET_C128},
      {ET_C8, ET_C32, ET_C32},    {ET_C8, ET_I8, ET_NEST},  {ET_NEST, ET_NEST, ET_NEST},
      {ET_NEST, ET_BIT, ET_NEST}, {ET_F32, ET_F32, ET_F32}, {ET_C128, ET_C8, ET_NEST}};
  for (size_t i = 0; i < ARRAY_LEN(row); i++) {
    assert_int_equal(elt_join(row[i].a, row[i].b), row[i].r);
    assert_int_equal(elt_join(row[i].b, row[i].a), row[i].r);
  }
}

static void bits_copy_at_any_offset(void **state) {
  (void)state;
  arr *y = arr_vec(&C, ET_BIT, 300), *r = arr_vec(&C, ET_BIT, 300);
  for (int i = 0; i < 300; i++) arr_put_int(y, i, (i * 7 + i / 5) % 3 == 0);
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++)
      for (int n = 0; n < 260; n += 13) {
        for (int k = 0; k < 300; k++) arr_put_int(r, k, k & 1);
        arr_copy(r, i, y, j, n);
        for (int k = 0; k < 300; k++)
          assert_int_equal(arr_get_int(r, k),
                           k >= i && k < i + n ? arr_get_int(y, j + k - i) : (k & 1));
      }
  arr_release(y);
  arr_release(r);
  r = arr_vec(&C, ET_BIT, 3); /* the tail of a new bit array is zero */
  arr_put_int(r, 0, 1), arr_put_int(r, 1, 1), arr_put_int(r, 2, 1);
  assert_int_equal(*(uint64_t *)r->host, 7);
  arr_release(r);
}

static void converting(void **state) {
  (void)state;
  static const elt to[] = {ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64, ET_C128};
  for (size_t i = 0; i < ARRAY_LEN(to); i++)
    for (size_t j = i; j < ARRAY_LEN(to); j++) {
      arr *a = typed(to[i], "1 -2 100 0"), *b = arr_convert(&C, a, to[j]);
      assert_int_equal(b->type, to[j]);
      assert_true(arr_match(a, b, 0));
      assert_ptr_equal(a == b, i == j);
      arr_release(a);
      arr_release(b);
    }
  arr *a = I("1 2"), *b = arr_convert(&C, a, ET_NEST), *back;
  assert_int_equal(b->type, ET_NEST);
  assert_true(arr_match(a, b, 0));
  back = arr_squeeze(&C, b);
  assert_int_equal(back->type, ET_I8);
  assert_true(arr_match(a, back, 0));
  arr_release(a);
  arr_release(back);
}

static bool same(arr *x, arr *y, double ct) {
  bool a = arr_match(x, y, ct), b = arr_match(y, x, ct);
  assert_int_equal(a, b);
  arr_release(x);
  arr_release(y);
  return a;
}

static void matching(void **state) {
  (void)state;
  double ct = 1e-14;
  assert_true(same(I("1 2 3"), F("1 2 3"), ct));
  assert_false(same(I("1 2 3"), I("1 2"), ct));
  assert_false(same(I("1"), S("", I("1")), ct));
  assert_true(same(F("1"), F("1.000000000000001"), ct));
  assert_false(same(F("1"), F("1.000000000000001"), 0));
  assert_false(same(F("1"), F("1.0000000000001"), ct));
  assert_false(same(F("1e-300"), F("-1e-300"), ct));
  assert_true(same(F("0"), F("-0"), 0));
  assert_true(same(F("nan inf"), F("nan inf"), ct));
  assert_false(same(F("inf"), F("-inf"), ct));
  assert_false(same(F("inf"), F("1e308"), ct));
  assert_false(same(T(""), I(""), ct)); /* prototypes differ */
  assert_true(same(I(""), F(""), ct));
  assert_false(same(S("0 3", I("1")), S("3 0", I("1")), ct));
  assert_false(same(T("1"), I("1"), ct));
  assert_true(same(T("abc"), typed(ET_C32, "97 98 99"), ct));
  assert_true(same(N(2, T("ab"), I("1 2")), N(2, T("ab"), F("1 2")), ct));
  assert_false(same(N(2, T("ab"), I("1 2")), N(2, T("ab"), I("1 3")), ct));
  assert_true(same(S("0", N(1, I("1 2"))), S("0", N(1, F("5 6"))), ct));
  assert_false(same(S("0", N(1, I("1 2"))), S("0", N(1, I("1 2 3"))), ct));
  assert_false(same(S("0", N(1, I("1 2"))), S("0", N(1, T("ab"))), ct));
  assert_false(same(S("0", N(1, I("1 2"))), I(""), ct));
  arr *a = arr_int(&C, 9007199254740993), *b = arr_int(&C, 9007199254740992);
  assert_false(arr_match(a, b, ct)); /* integers compare exactly */
  arr_release(a);
  arr_release(b);
}

static void deep_nesting(void **state) {
  (void)state;
  arr *a = I("1 2"), *b = I("1 2"), *x = I("1 2"), *y = I("1 2");
  bool equal;
  for (int i = 0; i < 300000; i++) { /* neither releasing nor comparing recurses here */
    a = N(1, a);
    b = N(2, S("", T("x")), b);
  }
  assert_true(arr_match(a, a, 0));
  assert_false(arr_match(a, b, 0));
  arr_release(a);
  arr_release(b);
  for (int i = 0; i < 100000; i++) x = N(2, x, S("", I("1"))), y = N(2, y, S("", I("1")));
  assert_false(arr_match_checked(&C, x, y, 0, &equal));
  assert_int_equal(C.err.code, ERR_LIMIT);
  err_clear(&C);
  assert_null(arr_proto(&C, x));
  err_clear(&C);
  arr_release(x);
  arr_release(y);
}

static void prototypes(void **state) {
  (void)state;
  arr *y = N(2, N(2, T("ab"), I("5 6 7")), S("", I("1"))), *p = arr_fill_of(&C, y);
  arr *want = E(N(2, T("  "), I("0 0 0")));
  assert_true(arr_match(p, want, 0));
  arr_release(y);
  arr_release(p);
  arr_release(want);
  y = T("xyz");
  p = arr_fill_of(&C, y);
  assert_int_equal(arr_get_int(p, 0), ' ');
  arr_release(p);
  arr_release(y);
  y = S("", I("5"));
  p = arr_enclose(&C, y); /* a simple scalar is its own enclosure */
  assert_ptr_equal(p, y);
  arr_release(p);
  arr_release(y);
}

/* Item i is i itself; item `bad` cannot be made. */
static arr *item_or_fail(void *user, ctx *c, const arr *y, int64_t i) {
  (void)y;
  if (i != *(int64_t *)user) return arr_int(c, i);
  err_set(c, ERR_DOMAIN, "item %d", (int)i);
  return NULL;
}

static void mapping(void **state) {
  (void)state;
  int64_t none = -1, bad = 2;
  arr *y = S("2 2", I("1 2 3 4")), *r = arr_map(&C, y, item_or_fail, &none);
  assert_int_equal(r->type, ET_NEST);
  assert_true(arr_same_shape(r, y));
  assert_int_equal(arr_get_int(arr_item(r, 3), 0), 3);
  arr_release(r);
  assert_null(arr_map(&C, y, item_or_fail, &bad)); /* what was made is given back */
  assert_int_equal(C.err.code, ERR_DOMAIN);
  err_clear(&C);
  arr_release(y);
  y = S("0 3", I(""));
  r = arr_map(&C, y, item_or_fail, &none); /* of an empty array: its prototype */
  assert_int_equal(r->count, 0);
  assert_int_equal(arr_get_int(arr_item(r, 0), 0), 0);
  arr_release(r);
  arr_release(y);
}

typedef struct counter {
  arr_owner o;
  int calls;
} counter;
static void owner_release(struct arr_owner *o, arr *a) {
  a->owner = NULL;
  ((counter *)(void *)o)->calls++;
}
static void count_drop(void *user, void *data) {
  (void)data;
  ++*(int *)user;
}

static void owners_and_foreign_memory(void **state) {
  (void)state;
  counter k = {{owner_release}, 0};
  int drops = 0;
  static int8_t data[] = {1, 2, 3};
  arr *a = arr_new_pending(&C, ET_I8, 1, (int64_t[]){3});
  a->host = data;
  a->drop = count_drop;
  a->drop_user = &drops;
  a->owner = &k.o;
  arr *n = N(2, arr_retain(a), a);
  arr_release(n);
  assert_int_equal(k.calls, 1);
  assert_int_equal(drops, 1);
}

static arr *many(void) {
  arr *y = arr_vec(&C, ET_NEST, 2), *r = NULL, *p = NULL, *s = NULL;
  if (y && (((arr **)y->host)[0] = arr_text(&C, "abc", 3)) &&
      (((arr **)y->host)[1] = arr_int(&C, 5)) && (p = arr_fill_of(&C, y)) &&
      (s = arr_enclose(&C, y)) && (r = arr_reshape(&C, y, 2, (int64_t[]){1, 2}))) {
    arr *in = arr_convert(&C, arr_item(y, 0), ET_NEST);
    arr_release(r);
    r = arr_squeeze(&C, in);
  }
  arr_release(p);
  arr_release(s);
  arr_release(y);
  return r;
}

static void failing_allocator(void **state) {
  (void)state;
  for (int n = 1;; n++) {
    size_t before = C.blocks_live;
    fail_at = n;
    arr *r = many();
    bool failed = fail_at == 0;
    fail_at = 0;
    assert_int_equal(r == NULL, failed);
    assert_int_equal(err_is(&C), failed);
    arr_release(r);
    err_clear(&C);
    assert_int_equal(C.blocks_live, before);
    if (!failed) break;
  }
}

/* Blocks of many sizes that come, grow, shrink and go: each keeps what was written to it, and the
 * counts are exact; beyond the limit there is WS FULL, whatever waits. */
static void freed_blocks_wait(void **state) {
  enum { BLOCKS = 64, TURNS = 20000 };
  (void)state;
  unsigned char *at[BLOCKS] = {0};
  size_t size[BLOCKS] = {0}, live = 0;
  uint32_t draw = 1;
  ctx c;
  ctx_init(&c, NULL, NULL);
  for (int turn = 0; turn < TURNS; turn++) {
    draw = draw * 1664525u + 1013904223u;
    size_t i = (draw >> 8) % BLOCKS, n = (draw >> 16) % 700, kept;
    if (turn % 3 == 0) n *= 1 + (size_t)turn % 100;
    if (turn % 512 == 0) n += (size_t)1 << 20;
    if (draw >> 30 == 0) {
      mem_free(&c, at[i]);
      at[i] = NULL;
      n = 0;
    } else {
      kept = n < size[i] ? n : size[i];
      at[i] = mem_resize(&c, at[i], n);
      assert_non_null(at[i]);
      assert_true(mem_room(at[i]) >= n && (uintptr_t)at[i] % 16 == 0);
      for (size_t k = 0; k < kept && k < 900; k++) assert_int_equal(at[i][k], i);
      memset(at[i], (int)i, n);
    }
    live += n - size[i];
    size[i] = n;
    assert_int_equal(c.bytes_live, live);
  }
  c.bytes_max = c.bytes_live + 1000;
  assert_null(mem_alloc(&c, 1001));
  assert_int_equal(c.err.code, ERR_WS_FULL);
  err_clear(&c);
  for (size_t i = 0; i < BLOCKS; i++) mem_free(&c, at[i]);
  assert_int_equal(c.bytes_live, 0);
  assert_int_equal(c.blocks_live, 0);
  ctx_close(&c);
  assert_int_equal(c.idle.small_bytes + c.idle.large_bytes, 0);
  assert_int_equal(c.bytes_held, 0);
}

/* A tree of control groups in a directory of its own. */
static void put_file(const char *dir, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
    *p = 0;
    mkdir(path, 0700);
  }
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static size_t limit_in(const char *dir, const char *groups) {
  char path[300];
  put_file(dir, "groups", groups);
  snprintf(path, sizeof path, "%s/groups", dir);
  return mem_of_groups(path, dir);
}

static void limits_of_groups(void **state) {
  (void)state;
  char dir[] = "/tmp/vapl-groups-XXXXXX", path[300];
  assert_non_null(mkdtemp(dir));
  put_file(dir, "job/step/memory.max", "max\n");
  put_file(dir, "job/memory.max", "1000\n");
  put_file(dir, "memory/box/memory.limit_in_bytes", "500\n");
  put_file(dir, "memory/memory.limit_in_bytes", "9223372036854771712\n");
  assert_int_equal(limit_in(dir, "0::/job/step\n"), 1000); /* of the group around it */
  assert_int_equal(limit_in(dir, "0::/\n"), SIZE_MAX);
  assert_int_equal(limit_in(dir, "3:cpu:/box\n4:memory:/box\n0::/job\n"), 500);
  assert_int_equal(limit_in(dir, "4:memory:/not/seen/here\n"), 9223372036854771712u);
  assert_int_equal(limit_in(dir, "nothing\n4:\n::\n"), SIZE_MAX);
  assert_int_equal(mem_of_groups("/nowhere", dir), SIZE_MAX);
  assert_true(mem_installed() > 0 && mem_of_machine() < mem_installed());
  ctx own;
  ctx_init(&own, NULL, NULL);
  assert_int_equal(own.bytes_max, mem_of_machine());
  static const char *const made[] = {"groups",     "job/step/memory.max",
                                     "job/step",   "job/memory.max",
                                     "job",        "memory/box/memory.limit_in_bytes",
                                     "memory/box", "memory/memory.limit_in_bytes",
                                     "memory"};
  for (size_t i = 0; i < ARRAY_LEN(made); i++) {
    snprintf(path, sizeof path, "%s/%s", dir, made[i]);
    assert_int_equal(remove(path), 0);
  }
  assert_int_equal(rmdir(dir), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(limits_of_groups),
                                     cmocka_unit_test(shapes_and_limits),
                                     cmocka_unit_test(narrowest_types),
                                     cmocka_unit_test(joins),
                                     cmocka_unit_test(bits_copy_at_any_offset),
                                     cmocka_unit_test(converting),
                                     cmocka_unit_test(matching),
                                     cmocka_unit_test(deep_nesting),
                                     cmocka_unit_test(prototypes),
                                     cmocka_unit_test(mapping),
                                     cmocka_unit_test(owners_and_foreign_memory),
                                     cmocka_unit_test(failing_allocator),
                                     cmocka_unit_test(freed_blocks_wait)};
  ctx_init(&C, test_resize, NULL);
  return cmocka_run_group_tests(tests, NULL, no_leak);
}
