/* SPDX-License-Identifier: MIT */
/* test_api.c - the public library, as a host program sees it: every function of vapl.h, what it
 * refuses, what it promises about memory, and that it survives a host without any.
 *
 * All interpreters here run on an allocator that counts blocks and can be told to fail, so each
 * test ends by asserting that nothing is left. */
#include "api.h"
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ── a host program ─────────────────────────────────────────────────────────────────── */

typedef struct host {
  long blocks, calls, fail_at; /* fail_at: the allocation that fails, from 1; 0: none */
  bool fail_on;                /* and all after it */
  char out[4096], err[4096];
  const char *input; /* what `read` gives, then the end */
  vapl *inside;      /* called from the write callback, which must be refused */
  vapl_status refused;
} host;

static void *resize(void *user, void *p, size_t old_size, size_t new_size) {
  host *h = user;
  (void)old_size;
  if (!new_size) {
    if (p) h->blocks--;
    free(p);
    return NULL;
  }
  h->calls++;
  if (h->fail_at && (h->calls == h->fail_at || (h->fail_on && h->calls > h->fail_at)))
    return NULL;
  void *q = realloc(p, new_size);
  if (q && !p) h->blocks++;
  return q;
}

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  host *h = user;
  char *to = fd == 2 ? h->err : h->out;
  size_t have = strlen(to);
  if (have + n < sizeof h->out) memcpy(to + have, utf8, n), to[have + n] = 0;
  if (h->inside) h->refused = vapl_eval(h->inside, "1", 1, NULL, NULL);
}

static ptrdiff_t on_read(void *user, int mode, const char *prompt, char *buf, size_t n) {
  host *h = user;
  (void)mode, (void)prompt;
  if (!h->input) return -1;
  size_t len = strlen(h->input) < n ? strlen(h->input) : n;
  memcpy(buf, h->input, len);
  h->input = NULL;
  return (ptrdiff_t)len;
}

static vapl_config config_of(host *h) {
  vapl_config k;
  memset(&k, 0, sizeof k);
  k.size = sizeof k;
  k.device = "host";
  k.resize = resize;
  k.write = on_write;
  k.read = on_read;
  k.user = h;
  k.threads = 1;
  return k;
}

static vapl *open_host(host *h) {
  vapl *v = NULL;
  vapl_config k = config_of(h);
  memset(h, 0, sizeof *h);
  assert_int_equal(vapl_open(&k, &v), VAPL_OK);
  assert_non_null(v);
  return v;
}

static void close_host(host *h, vapl *v) {
  vapl_close(v);
  assert_int_equal(h->blocks, 0);
}

static vapl_view info(const vapl_array *a) {
  vapl_view w;
  w.size = sizeof w;
  OK(vapl_info(a, &w));
  return w;
}

/* ── opening ────────────────────────────────────────────────────────────────────────── */

static void test_open(void **state) {
  (void)state;
  host h = {0};
  vapl *v = (vapl *)&h;
  assert_int_equal(vapl_version(), VAPL_VERSION_MAJOR << 16 | VAPL_VERSION_MINOR << 8 |
                                       VAPL_VERSION_PATCH);
  EARG(vapl_open(NULL, NULL));
  vapl_config k = config_of(&h);
  k.size = 0;
  EARG(vapl_open(&k, &v));
  assert_null(v);
  k.size = 3;
  EARG(vapl_open(&k, &v));
  k = config_of(&h);
  k.threads = -1;
  EARG(vapl_open(&k, &v));
  OK(vapl_open(NULL, &v));
  assert_non_null(v);
  vapl_close(v);
  vapl_close(NULL);
  assert_null(vapl_last_error(NULL));
  assert_int_equal(h.blocks, 0);
}

/* A newer program's larger configuration is taken as long as what we do not know is zero. */
static void test_config_size(void **state) {
  (void)state;
  host h = {0};
  struct {
    vapl_config k;
    uint64_t later;
  } big;
  memset(&big, 0, sizeof big);
  vapl *v;
  big.k = config_of(&h);
  big.k.size = sizeof big;
  OK(vapl_open(&big.k, &v));
  close_host(&h, v);
  big.later = 1;
  EARG(vapl_open(&big.k, &v));
  assert_null(v);
}

static void test_no_such_device(void **state) {
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v = NULL;
  k.device = "no such device as this";
  assert_int_equal(vapl_open(&k, &v), VAPL_EDEVICE);
  assert_null(v);
  assert_int_equal(h.blocks, 0);
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

static void test_eval(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *r = NULL;
  assert_int_equal(number(v, "+/⍳100"), 5050);
  OK(vapl_eval(v, "1+1 garbage", 3, NULL, &r)); /* n bytes, no more */
  assert_int_equal(info(r).rank, 0);
  assert_int_equal(info(r).shy, 0);
  vapl_release(r);
  OK(vapl_eval(v, "a←⍳3\nb←a×2", VAPL_STRLEN, NULL, &r));
  assert_int_equal(info(r).shy, 1);
  assert_int_equal(info(r).count, 3);
  vapl_release(r);
  OK(vapl_eval(v, "", 0, NULL, &r));
  assert_null(r);
  OK(vapl_eval(v, "⍝ nothing", VAPL_STRLEN, NULL, &r));
  assert_null(r);
  OK(vapl_eval(v, "c←5", VAPL_STRLEN, "name", NULL));
  assert_int_equal(number(v, "c"), 5);
  assert_string_equal(h.out, ""); /* nothing was displayed */
  OK(vapl_eval(v, "⎕←1 2 3", VAPL_STRLEN, NULL, NULL));
  assert_string_equal(h.out, "1 2 3\n");
  EARG(vapl_eval(NULL, "1", 1, NULL, NULL));
  EARG(vapl_eval(v, NULL, 0, NULL, NULL));
  OK(vapl_sync(v));
  EARG(vapl_sync(NULL));
  close_host(&h, v);
}

static void test_error_record(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *r = (vapl_array *)&h;
  assert_int_equal(vapl_last_error(v)->status, VAPL_OK);
  assert_int_equal(vapl_eval(v, "a←⍳3\nb←'÷',1 2+a", VAPL_STRLEN, "f.apl", &r),
                   VAPL_LENGTH);
  assert_null(r);
  const vapl_error *e = vapl_last_error(v);
  assert_int_equal(e->status, VAPL_LENGTH);
  assert_string_equal(e->name, "LENGTH ERROR");
  assert_string_equal(e->file, "f.apl");
  assert_string_equal(e->source, "b←'÷',1 2+a");
  assert_int_equal(e->line, 2);
  assert_int_equal(e->column, 10); /* the + in code points … */
  assert_int_equal(e->length, 1);
  assert_int_equal(e->byte_offset, strlen("a←⍳3\nb←'÷',1 2")); /* … and in bytes */
  assert_int_equal(e->byte_length, 1);
  assert_int_equal(e->n_frames, 0);
  assert_null(e->frames);
  OK(vapl_eval(v, "1", 1, NULL, NULL));
  assert_int_equal(vapl_last_error(v)->status, VAPL_LENGTH); /* the last failure stays */
  OK(vapl_eval(v, "f←{⍵=0:1÷⍵ ⋄ 1+f ⍵-1}", VAPL_STRLEN, "lib.apl", NULL));
  assert_int_equal(vapl_eval(v, "\n2×f 5", VAPL_STRLEN, "f.apl", NULL), VAPL_DOMAIN);
  assert_string_equal(e->file, "lib.apl");
  assert_int_equal(e->n_frames, 2);
  assert_int_equal(e->frames_hidden, 0);
  assert_string_equal(e->frames[0].file, "lib.apl");
  assert_int_equal(e->frames[0].times, 5);
  assert_int_equal(e->frames[0].column, 16);
  assert_string_equal(e->frames[1].file, "f.apl");
  assert_string_equal(e->frames[1].source, "2×f 5");
  assert_int_equal(e->frames[1].line, 2);
  assert_int_equal(e->frames[1].column, 3);
  assert_int_equal(e->frames[1].length, 1);
  assert_int_equal(e->frames[1].times, 1);
  assert_int_equal(vapl_eval(v, "1 ⋄ (2", VAPL_STRLEN, NULL, NULL), VAPL_SYNTAX);
  assert_int_equal(vapl_last_error(v)->line, 1);
  assert_string_equal(vapl_last_error(v)->file, "");
  assert_int_equal(vapl_eval(v, "nobody+1", VAPL_STRLEN, NULL, NULL), VAPL_VALUE);
  assert_int_equal(vapl_last_error(v)->column, 1);
  assert_int_equal(vapl_eval(v, "1÷0", VAPL_STRLEN, NULL, NULL), VAPL_DOMAIN);
  assert_int_equal(number(v, "a[3]"), 3); /* what was assigned before is still there */
  close_host(&h, v);
}

static void test_call(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  OK(vapl_eval(v, "half←{⍵÷2}\nless←{⍺-⍵}\nx←5\nnone←{}", VAPL_STRLEN, NULL, NULL));
  vapl_array *two = value(v, "2 4"), *one = value(v, "1"), *r = NULL;
  double d[2];
  OK(vapl_call(v, "half", NULL, two, &r));
  OK(vapl_read(v, r, VAPL_F64, d, sizeof d));
  assert_true(d[0] == 1 && d[1] == 2);
  vapl_release(r);
  OK(vapl_call(v, "less", one, two, &r));
  OK(vapl_read(v, r, VAPL_F64, d, sizeof d));
  assert_true(d[0] == -1 && d[1] == -3);
  vapl_release(r);
  OK(vapl_call(v, "half", NULL, two, NULL));
  assert_int_equal(vapl_call(v, "nobody", NULL, two, &r), VAPL_VALUE);
  assert_null(r);
  assert_int_not_equal(vapl_call(v, "x", NULL, two, &r), VAPL_OK); /* no function */
  OK(vapl_call(v, "none", NULL, two, &r));
  assert_null(r);
  EARG(vapl_call(v, "half", NULL, NULL, &r));
  assert_int_equal(vapl_call(v, "1+", NULL, two, &r), VAPL_SYNTAX);
  assert_int_equal(vapl_call(v, "1+1", NULL, two, &r), VAPL_VALUE);
  assert_int_equal(vapl_call(v, "{1 2+1 2 3}", NULL, two, &r), VAPL_LENGTH);
  assert_int_equal(vapl_last_error(v)->column, 5);
  assert_int_equal(vapl_last_error(v)->n_frames, 0);
  OK(vapl_call(v, "+/", NULL, two, &r));
  vapl_release(r);
  OK(vapl_call(v, "{⍺-half ⍵}", one, two, &r));
  vapl_release(r);
  EARG(vapl_call(v, NULL, NULL, two, &r));
  EARG(vapl_call(NULL, "half", NULL, two, &r));
  vapl_release(two), vapl_release(one);
  close_host(&h, v);
}

static void test_run_file(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  char path[] = "/tmp/vapl-test-XXXXXX";
  int fd = mkstemp(path);
  FILE *f = fdopen(fd, "w");
  fputs("#!/usr/bin/env vapl\n1+1\nk←3\nk÷0\n", f);
  fclose(f);
  const char *const args[] = {"one", "two"};
  assert_int_equal(vapl_run_file(v, path, 2, args), VAPL_DOMAIN);
  assert_string_equal(h.out, "2\n");
  assert_int_equal(vapl_last_error(v)->line, 4);
  assert_int_equal(vapl_last_error(v)->column, 2);
  assert_string_equal(vapl_last_error(v)->file, path);
  assert_int_equal(number(v, "k"), 3);
  unlink(path);
  vapl_status s = vapl_run_file(v, path, 0, NULL);
  assert_true(s >= VAPL_FILE && s <= 38);
  EARG(vapl_run_file(v, NULL, 0, NULL));
  EARG(vapl_run_file(v, path, -1, NULL));
  EARG(vapl_run_file(v, path, 1, NULL));
  close_host(&h, v);
}

static void test_names(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *a = value(v, "⍳4"), *b = NULL;
  OK(vapl_set(v, "x", a));
  assert_int_equal(number(v, "+/x"), 10);
  OK(vapl_get(v, "x", &b));
  assert_int_equal(info(b).count, 4);
  vapl_release(b);
  assert_int_equal(vapl_get(v, "nobody", &b), VAPL_VALUE);
  assert_null(b);
  static const char *const wrong[] = {"", "1x", "a b", "x+", "⍳", "'x'", " x", "x "};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    EARG(vapl_set(v, wrong[i], a));
    EARG(vapl_get(v, wrong[i], &b));
  }
  OK(vapl_set(v, "∆é_1", a));
  OK(vapl_eval(v, "f←{⍵}", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(vapl_get(v, "f", &b), VAPL_VALUE); /* a function is no array */
  OK(vapl_set(v, "f", a));
  assert_int_equal(number(v, "+/f"), 10);
  OK(vapl_get(v, "⎕IO", &b)); /* system variables are names too */
  OK(vapl_set(v, "⎕IO", b));
  assert_int_equal(vapl_set(v, "⎕IO", a), VAPL_LENGTH);
  vapl_release(b);
  EARG(vapl_set(v, NULL, a));
  EARG(vapl_set(v, "x", NULL));
  EARG(vapl_set(NULL, "x", a));
  EARG(vapl_get(v, "x", NULL));
  EARG(vapl_get(v, NULL, &b));
  EARG(vapl_get(NULL, "x", &b));
  vapl_release(a);
  close_host(&h, v);
}

/* ── arrays ─────────────────────────────────────────────────────────────────────────── */

static const int64_t LENGTHS[] = {0, 1, 7, 8, 9, 63, 64, 65, 1023, 1024, 1025, 4099};

/* Every type goes in and comes out as itself, at odd addresses too. */
static void test_round_trip(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  static const size_t bytes[] = {0, 1, 1, 1, 2, 4, 8, 4, 8, 16, 1, 2, 4};
  enum { ROOM = 4099 * 16 + 2 };
  unsigned char *from = malloc(ROOM), *to = malloc(ROOM);
  for (int t = VAPL_BIT; t <= VAPL_CHAR32; t++)
    for (size_t k = 0; k < sizeof LENGTHS / sizeof *LENGTHS; k++) {
      int64_t n = LENGTHS[k];
      size_t size = t == VAPL_BIT ? ((size_t)n + 7) / 8 : (size_t)n * bytes[t];
      for (size_t i = 0; i < ROOM; i++) from[i] = (unsigned char)(i * 37 % 61);
      if (t == VAPL_BOOL)
        for (size_t i = 0; i < ROOM; i++) from[i] = i % 3 == 0;
      if (t == VAPL_CHAR32)
        for (size_t i = 0; i < (size_t)n; i++) {
          uint32_t c = (uint32_t)(i * 271 % 0x110000);
          if (c >> 11 == 0xD800 >> 11) c = 0xFFFD;
          memcpy(from + 1 + 4 * i, &c, 4);
        }
      if (t == VAPL_BIT && n % 8)
        from[size] = (unsigned char)(from[size] & ((1 << (n % 8)) - 1));
      vapl_array *a = NULL;
      OK(vapl_new(v, (vapl_type)t, 1, &n, from + 1, &a));
      memset(to, 0xEE, ROOM);
      OK(vapl_read(v, a, (vapl_type)t, to + 1, size));
      assert_memory_equal(from + 1, to + 1, size);
      assert_int_equal(to[size + 1], 0xEE); /* and not a byte more */
      if (size) EARG(vapl_read(v, a, (vapl_type)t, to + 1, size - 1));
      vapl_view w = {.size = sizeof w};
      OK(vapl_map(v, a, (vapl_type)t, &w));
      assert_int_equal(w.count, n);
      assert_int_equal(w.bytes, size);
      if (size) assert_memory_equal(w.data, from + 1, size);
      vapl_release(a);
    }
  free(from), free(to);
  close_host(&h, v);
}

static void fits(vapl *v, const char *text, vapl_type t, vapl_status expect) {
  unsigned char to[64];
  vapl_array *a = value(v, text);
  assert_int_equal(vapl_read(v, a, t, to, sizeof to), expect);
  vapl_view w = {.size = sizeof w};
  assert_int_equal(vapl_map(v, a, t, &w), expect);
  if (expect) assert_null(w.data);
  vapl_release(a);
}

static void test_conversions(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  static const struct {
    const char *text;
    vapl_type t;
    vapl_status expect;
  } cases[] = {{"0 1 1", VAPL_BIT, VAPL_OK},
               {"0 1 2", VAPL_BIT, VAPL_DOMAIN},
               {"0 1 1", VAPL_F64, VAPL_OK},
               {"0 1 2", VAPL_BOOL, VAPL_DOMAIN},
               {"127 ¯128", VAPL_I8, VAPL_OK},
               {"128", VAPL_I8, VAPL_DOMAIN},
               {"¯129", VAPL_I8, VAPL_DOMAIN},
               {"255 0", VAPL_U8, VAPL_OK},
               {"256", VAPL_U8, VAPL_DOMAIN},
               {"¯1", VAPL_U8, VAPL_DOMAIN},
               {"32767", VAPL_I16, VAPL_OK},
               {"32768", VAPL_I16, VAPL_DOMAIN},
               {"2147483647", VAPL_I32, VAPL_OK},
               {"2147483648", VAPL_I32, VAPL_DOMAIN},
               {"2147483648", VAPL_F32, VAPL_OK},
               {"1.5", VAPL_I64, VAPL_DOMAIN},
               {"4÷2", VAPL_I8, VAPL_OK},
               {"1E300", VAPL_I64, VAPL_DOMAIN},
               {"1E300", VAPL_F32, VAPL_DOMAIN},
               {"1.5", VAPL_F32, VAPL_OK},
               {"1.5 2.5", VAPL_C128, VAPL_OK},
               {"1 2", VAPL_C128, VAPL_OK},
               {"'abc'", VAPL_CHAR32, VAPL_OK},
               {"'abc'", VAPL_CHAR8, VAPL_OK},
               {"'⍳'", VAPL_CHAR8, VAPL_DOMAIN},
               {"'⍳'", VAPL_CHAR16, VAPL_OK},
               {"'abc'", VAPL_I32, VAPL_DOMAIN},
               {"1 2", VAPL_CHAR8, VAPL_DOMAIN},
               {"1 'a'", VAPL_I32, VAPL_DOMAIN},
               {"(1 2)(3 4)", VAPL_I32, VAPL_DOMAIN},
               {"3J4 1", VAPL_C128, VAPL_OK},
               {"3J4 1", VAPL_F64, VAPL_DOMAIN},
               {"¯4*0.5", VAPL_C128, VAPL_OK},
               {"¯4*0.5", VAPL_I8, VAPL_DOMAIN},
               {"3J4-0J4", VAPL_I8, VAPL_OK},
               {"⌽3 1J1-0J1 0", VAPL_C128, VAPL_OK},
               {"9223372036854775807", VAPL_I64, VAPL_OK}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    fits(v, cases[i].text, cases[i].t, cases[i].expect);
  vapl_array *a = value(v, "3 ¯4 500");
  vapl_view w = {.size = sizeof w}, again = {.size = sizeof again};
  OK(vapl_map(v, a, VAPL_F64, &w));
  assert_true(((const double *)w.data)[2] == 500);
  OK(vapl_map(v, a, VAPL_F64, &again));
  assert_ptr_equal(w.data, again.data); /* converted once */
  vapl_release(a);
  close_host(&h, v);
}

/* NaN and infinities enter as data and come out as they were. */
static void test_special_floats(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  double d[4] = {NAN, INFINITY, -INFINITY, -0.0}, e[4];
  float f[4];
  int64_t n = 4;
  vapl_array *a;
  OK(vapl_new(v, VAPL_F64, 1, &n, d, &a));
  OK(vapl_read(v, a, VAPL_F64, e, sizeof e));
  assert_memory_equal(d, e, sizeof d);
  OK(vapl_read(v, a, VAPL_F32, f, sizeof f));
  assert_true(isnan(f[0]) && isinf(f[1]) && f[2] < 0 && signbit(f[3]));
  assert_int_equal(vapl_read(v, a, VAPL_I64, e, sizeof e), VAPL_DOMAIN);
  vapl_release(a);
  close_host(&h, v);
}

static void test_new_refuses(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  int64_t n = 2, minus = -1, huge[2] = {INT64_MAX, 3},
          empty[3] = {INT64_MAX, INT64_MAX, 0};
  int64_t many = INT64_MAX / 4, rank16[16] = {0};
  uint8_t bytes[2] = {1, 2};
  uint32_t chars[2] = {65, 0x110000};
  vapl_array *a = NULL;
  EARG(vapl_new(NULL, VAPL_I8, 1, &n, bytes, &a));
  EARG(vapl_new(v, VAPL_I8, 1, &n, bytes, NULL));
  EARG(vapl_new(v, VAPL_I8, 1, &n, NULL, &a));
  EARG(vapl_new(v, VAPL_I8, 1, NULL, bytes, &a));
  EARG(vapl_new(v, (vapl_type)55, 1, &n, bytes, &a));
  EARG(vapl_new(v, (vapl_type)-1, 1, &n, bytes, &a));
  EARG(vapl_new(v, VAPL_AS_IT_IS, 1, &n, bytes, &a));
  EARG(vapl_new(v, VAPL_NESTED, 1, &n, bytes, &a));
  EARG(vapl_new(v, VAPL_I8, 1, &minus, bytes, &a));
  assert_non_null(strstr(vapl_last_error(v)->message, "negative"));
  EARG(vapl_new(v, VAPL_I8, 2, huge, bytes, &a));
  EARG(vapl_new(v, VAPL_I64, 1, &many, bytes, &a));
  EARG(vapl_new(v, VAPL_I8, 16, rank16, bytes, &a));
  assert_int_equal(vapl_new(v, VAPL_BOOL, 1, &n, bytes, &a), VAPL_EARG);
  assert_int_equal(vapl_new(v, VAPL_CHAR32, 1, &n, chars, &a), VAPL_EARG);
  assert_null(a);
  assert_string_equal(vapl_last_error(v)->name, "ARGUMENT ERROR");
  OK(vapl_new(v, VAPL_F64, 3, empty, NULL, &a)); /* empty: no overflow, no data */
  assert_int_equal(info(a).count, 0);
  assert_int_equal(info(a).rank, 3);
  vapl_release(a);
  OK(vapl_new(v, VAPL_I8, 15, rank16, NULL, &a));
  vapl_release(a);
  OK(vapl_new(v, VAPL_I8, 0, NULL, bytes, &a));
  vapl_release(a);
  close_host(&h, v);
}

typedef struct dropped {
  int times;
  void *data;
} dropped;
static void on_drop(void *user, void *data) {
  dropped *d = user;
  d->times++;
  d->data = data;
}

static void test_wrap(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  int64_t n = 1000, data[1000];
  dropped d = {0, NULL};
  vapl_array *a = NULL, *r;
  for (int i = 0; i < 1000; i++) data[i] = i;
  OK(vapl_wrap(v, VAPL_I64, 1, &n, data, on_drop, &d, &a));
  vapl_view w = {.size = sizeof w};
  OK(vapl_map(v, a, VAPL_AS_IT_IS, &w));
  assert_ptr_equal(w.data, data); /* no copy */
  assert_int_equal(w.type, VAPL_I64);
  OK(vapl_set(v, "x", a));
  vapl_release(a);
  assert_int_equal(d.times, 0); /* the name holds it */
  assert_int_equal(number(v, "+/x"), 499500);
  assert_int_equal(number(v, "+/x[1 2 1000]"), 1000);
  /* Only the name holds it now, yet nothing may write into it. */
  OK(vapl_eval(v, "y←x+1 ⋄ x[3]←77", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(data[0], 0);
  assert_int_equal(data[2], 2);
  assert_int_equal(number(v, "x[3]"), 77);
  OK(vapl_eval(v, "x←0 ⋄ y←0", VAPL_STRLEN, NULL, &r));
  vapl_release(r);
  vapl_sync(v);
  vapl_close(v);
  assert_int_equal(d.times, 1);
  assert_ptr_equal(d.data, data);
  assert_int_equal(h.blocks, 0);
}

static void test_wrap_refuses(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  int64_t n = 3, data[3] = {0, 0, 0};
  uint64_t bits = 0xF;
  dropped d = {0, NULL};
  vapl_array *a = NULL;
  EARG(vapl_wrap(v, VAPL_I64, 1, &n, NULL, on_drop, &d, &a));
  EARG(vapl_wrap(v, VAPL_I64, 1, &n, (char *)data + 4, on_drop, &d, &a));
  assert_non_null(strstr(vapl_last_error(v)->message, "aligned"));
  EARG(vapl_wrap(v, VAPL_BOOL, 1, &n, data, on_drop, &d, &a));
  EARG(vapl_wrap(v, VAPL_U8, 1, &n, data, on_drop, &d, &a));
  EARG(vapl_wrap(v, VAPL_BIT, 1, &n, &bits, on_drop, &d, &a)); /* the fourth bit is set */
  EARG(vapl_wrap(v, VAPL_NESTED, 1, &n, data, on_drop, &d, &a));
  EARG(vapl_wrap(NULL, VAPL_I64, 1, &n, data, on_drop, &d, &a));
  EARG(vapl_wrap(v, VAPL_I64, 1, &n, data, on_drop, &d, NULL));
  bits = 0x5;
  OK(vapl_wrap(v, VAPL_BIT, 1, &n, &bits, NULL, NULL, &a));
  OK(vapl_set(v, "b", a));
  vapl_release(a);
  assert_int_equal(number(v, "+/b"), 2);
  close_host(&h, v);
  assert_int_equal(d.times, 0); /* on failure the memory stays the caller's */
}

static void test_nested(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *items[3] = {value(v, "1 2 3"), value(v, "'text'"), value(v, "7")}, *a, *b,
             *c;
  int64_t n = 3, none = 0, one = 1;
  OK(vapl_new_nested(v, 1, &n, items, &a));
  assert_int_equal(info(a).type, VAPL_NESTED);
  OK(vapl_set(v, "z", a));
  assert_int_equal(number(v, "≢⊃z"), 3);
  OK(vapl_item(v, a, 1, &b));
  char *text = NULL;
  size_t len = 0;
  OK(vapl_utf8(v, b, &text, &len));
  assert_string_equal(text, "text");
  assert_int_equal(len, 4);
  vapl_free(v, text);
  vapl_release(b);
  assert_int_equal(vapl_item(v, a, 3, &b), VAPL_INDEX);
  assert_null(b);
  OK(vapl_item(v, items[0], 2, &b));
  assert_int_equal(info(b).rank, 0);
  int64_t third = 0;
  OK(vapl_read(v, b, VAPL_I64, &third, sizeof third));
  assert_int_equal(third, 3);
  vapl_release(b);
  /* Scalars of one kind make a plain array; no items, an empty one. */
  vapl_array *scalars[3] = {items[2], items[2], items[2]};
  OK(vapl_new_nested(v, 1, &n, scalars, &b));
  assert_int_not_equal(info(b).type, VAPL_NESTED);
  OK(vapl_set(v, "s", b));
  assert_int_equal(number(v, "+/s"), 21);
  vapl_release(b);
  OK(vapl_new_nested(v, 1, &none, NULL, &b));
  assert_int_equal(info(b).count, 0);
  vapl_release(b);
  OK(vapl_new_nested(v, 0, NULL, items, &b)); /* enclosed */
  OK(vapl_new_nested(v, 1, &one, &b, &c));
  vapl_release(c), vapl_release(b);
  EARG(vapl_new_nested(v, 1, &n, NULL, &b));
  EARG(vapl_new_nested(NULL, 1, &n, items, &b));
  EARG(vapl_new_nested(v, 1, &n, items, NULL));
  vapl_array *gap[3] = {items[0], NULL, items[2]};
  EARG(vapl_new_nested(v, 1, &n, gap, &b));
  EARG(vapl_item(v, NULL, 0, &b));
  EARG(vapl_item(v, a, 0, NULL));
  for (int i = 0; i < 3; i++) vapl_release(items[i]);
  vapl_release(a);
  close_host(&h, v);
}

static void test_text(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *a = NULL;
  char *s = NULL;
  size_t n = 9;
  OK(vapl_text(v, "aß⍳😀", VAPL_STRLEN, &a));
  assert_int_equal(info(a).count, 4);
  OK(vapl_utf8(v, a, &s, &n));
  assert_string_equal(s, "aß⍳😀");
  vapl_free(v, s);
  vapl_release(a);
  OK(vapl_text(v, "", 0, &a));
  OK(vapl_utf8(v, a, &s, NULL));
  assert_string_equal(s, "");
  vapl_free(v, s);
  vapl_release(a);
  static const char *const wrong[] = {"a\xFF", "a\xC3", "a\xC0\x80", "a\xED\xA0\x80"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    EARG(vapl_text(v, wrong[i], VAPL_STRLEN, &a));
    assert_non_null(strstr(vapl_last_error(v)->message, "byte 1"));
  }
  /* What UTF-8 cannot hold is refused at either end. */
  static const uint16_t half[] = {'a', 0xD800};
  static const uint32_t above[] = {'a', 0x110000};
  static const uint16_t fine[] = {0xD7FF, 0xE000, 0xFFFF};
  int64_t two = 2, three = 3;
  EARG(vapl_new(v, VAPL_CHAR16, 1, &two, half, &a));
  EARG(vapl_wrap(v, VAPL_CHAR16, 1, &two, (void *)(uintptr_t)half, NULL, NULL, &a));
  assert_non_null(strstr(vapl_last_error(v)->message, "U+D800"));
  EARG(vapl_new(v, VAPL_CHAR32, 1, &two, above, &a));
  OK(vapl_new(v, VAPL_CHAR16, 1, &three, fine, &a));
  OK(vapl_utf8(v, a, &s, &n));
  assert_int_equal(n, 9);
  vapl_free(v, s);
  vapl_release(a);
  a = value(v, "⎕UCS 97 55296");
  assert_int_equal(vapl_utf8(v, a, &s, NULL), VAPL_DOMAIN);
  vapl_release(a);
  EARG(vapl_text(v, NULL, 0, &a));
  EARG(vapl_text(v, "a", 1, NULL));
  EARG(vapl_text(NULL, "a", 1, &a));
  a = value(v, "1 2 3");
  assert_int_equal(vapl_utf8(v, a, &s, &n), VAPL_DOMAIN);
  assert_null(s);
  EARG(vapl_utf8(v, a, NULL, &n));
  vapl_release(a);
  close_host(&h, v);
}

static void test_format(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *a = value(v, "2 3⍴⍳6");
  char *s = NULL;
  size_t n = 0;
  OK(vapl_format(v, a, 0, &s, &n));
  assert_string_equal(s, "1 2 3\n4 5 6\n");
  assert_int_equal(n, strlen(s));
  vapl_free(v, s);
  EARG(vapl_format(v, a, 0, NULL, &n));
  EARG(vapl_format(v, NULL, 0, &s, &n));
  EARG(vapl_format(NULL, a, 0, &s, &n));
  OK(vapl_stats(v, &s, &n));
  assert_non_null(strstr(s, "\"arrays\":1"));
  assert_true(s[0] == '{' && s[n - 1] == '}');
  vapl_free(v, s);
  vapl_free(v, NULL);
  vapl_free(NULL, NULL);
  EARG(vapl_stats(NULL, &s, &n));
  EARG(vapl_stats(v, NULL, &n));
  vapl_release(a);
  close_host(&h, v);
}

static void test_view(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *a = value(v, "2 3⍴⍳6");
  vapl_view w = {.size = sizeof w};
  OK(vapl_info(a, &w));
  assert_int_equal(w.rank, 2);
  assert_true(w.shape[0] == 2 && w.shape[1] == 3 && w.count == 6);
  assert_null(w.data);
  EARG(vapl_info(a, NULL));
  EARG(vapl_info(NULL, &w));
  w.size = 1;
  EARG(vapl_info(a, &w));
  w.size = sizeof w;
  EARG(vapl_map(v, a, VAPL_NESTED, &w));
  EARG(vapl_map(v, a, (vapl_type)77, &w));
  EARG(vapl_map(v, NULL, VAPL_I64, &w));
  OK(vapl_map(NULL, a, VAPL_I64, &w)); /* NULL: the array's own interpreter */
  int64_t to[6];
  EARG(vapl_read(v, a, VAPL_I64, to, sizeof to - 1));
  EARG(vapl_read(v, a, VAPL_I64, NULL, sizeof to));
  EARG(vapl_read(v, a, VAPL_NESTED, to, sizeof to));
  EARG(vapl_read(v, NULL, VAPL_I64, to, sizeof to));
  assert_ptr_equal(vapl_retain(a), a);
  vapl_release(a);
  assert_null(vapl_retain(NULL));
  vapl_release(NULL);
  vapl_release(a);
  close_host(&h, v);
}

/* ── more than one interpreter, and none ────────────────────────────────────────────── */

static void test_two(void **state) {
  (void)state;
  host g, h;
  vapl *v = open_host(&g), *w = open_host(&h);
  OK(vapl_eval(v, "x←1", VAPL_STRLEN, NULL, NULL));
  OK(vapl_eval(w, "x←2", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(number(v, "x"), 1);
  assert_int_equal(number(w, "x"), 2);
  vapl_array *a = value(v, "1 2 3"), *r = NULL;
  int64_t n = 1;
  vapl_view view = {.size = sizeof view};
  char *s;
  EARG(vapl_set(w, "y", a));
  assert_non_null(strstr(vapl_last_error(w)->message, "another interpreter"));
  assert_int_equal(vapl_last_error(v)->status, VAPL_OK);
  OK(vapl_eval(w, "f←{⍵}", VAPL_STRLEN, NULL, NULL));
  EARG(vapl_call(w, "f", NULL, a, &r));
  EARG(vapl_call(w, "f", a, a, &r));
  EARG(vapl_map(w, a, VAPL_I64, &view));
  EARG(vapl_read(w, a, VAPL_I8, &n, sizeof n));
  EARG(vapl_item(w, a, 0, &r));
  EARG(vapl_utf8(w, a, &s, NULL));
  EARG(vapl_format(w, a, 0, &s, NULL));
  EARG(vapl_new_nested(w, 1, &n, &a, &r));
  vapl_interrupt(v);
  assert_int_equal(number(w, "x"), 2); /* an interrupt is one interpreter's */
  vapl_release(a);
  close_host(&g, v);
  assert_int_equal(number(w, "+/⍳10"), 55);
  close_host(&h, w);
}

static void test_arrays_outlive(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *a = value(v, "2×⍳5000"), *b = value(v, "(⍳3)'abc'(2×⍳4000)"), *c = NULL;
  OK(vapl_set(v, "x", a));
  vapl_close(v);
  assert_true(h.blocks > 0);
  vapl_view w = info(a);
  assert_int_equal(w.count, 5000);
  OK(vapl_map(NULL, a, VAPL_I64, &w));
  assert_int_equal(((const int64_t *)w.data)[4999], 10000);
  OK(vapl_item(NULL, b, 2, &c));
  vapl_release(b);
  int64_t *to = malloc(4000 * sizeof *to);
  OK(vapl_read(NULL, c, VAPL_I64, to, 4000 * sizeof *to));
  assert_int_equal(to[3999], 8000);
  free(to);
  vapl_retain(a), vapl_release(a);
  vapl_release(a);
  assert_true(h.blocks > 0);
  vapl_release(c);
  assert_int_equal(h.blocks, 0);
}

/* A namespace, in circles, is shown, has no elements, and may be held when all is closed. */
static void test_namespaces(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  vapl_array *a = value(v, "n←(a:⍳3 ⋄ f:{a+⍵}) ⋄ n.n←n ⋄ n.g←n.f ⋄ n"), *c = NULL;
  vapl_array *b = value(v, "n n.n 1");
  vapl_view w = info(a);
  assert_true(w.type == VAPL_NAMESPACE && w.rank == 0 && w.count == 1);
  assert_int_equal(vapl_item(v, a, 0, &c), VAPL_DOMAIN);
  assert_int_equal(vapl_map(v, a, VAPL_I64, &w), VAPL_DOMAIN);
  char *text;
  OK(vapl_format(v, a, 0, &text, NULL));
  assert_string_equal(text, "#.[Namespace]\n");
  vapl_free(v, text);
  OK(vapl_set(v, "m", a));
  c = value(v, "m.f 10");
  assert_int_equal(info(c).count, 3);
  vapl_release(c);
  vapl_close(v);
  OK(vapl_item(NULL, b, 1, &c));
  vapl_release(b);
  vapl_release(c);
  vapl_release(a);
  assert_int_equal(h.blocks, 0);
}

/* The same with elements that only the device has; skipped where there is none. */
static void test_arrays_outlive_device(void **state) {
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v = NULL;
  k.device = "llvmpipe";
  if (vapl_open(&k, &v) == VAPL_EDEVICE) skip();
  assert_non_null(v);
  enum { N = 300000 };
  vapl_array *a = value(v, "x←0.5×⍳300000"), *b = value(v, "'both' x (1+x)");
  vapl_close(v);
  double *to = malloc(N * sizeof *to);
  OK(vapl_read(NULL, a, VAPL_F64, to, N * sizeof *to));
  assert_true(to[0] == 0.5 && to[N - 1] == 150000);
  vapl_release(a);
  OK(vapl_item(NULL, b, 2, &a));
  vapl_release(b);
  OK(vapl_read(NULL, a, VAPL_F64, to, N * sizeof *to));
  assert_true(to[0] == 1.5 && to[N - 1] == 150001);
  vapl_release(a);
  free(to);
  assert_int_equal(h.blocks, 0);
}

/* ── fork ───────────────────────────────────────────────────────────────────────────── */

static const char LONG_WORK[] =
    "+/⌊0.5×(⍳2000000)*2"; /* for threads, and long for a device */

/* What a child of the process answers; a child that hangs is killed. */
static int in_child(int (*child)(vapl *v), vapl *v) {
  pid_t id = fork();
  if (!id) {
    alarm(60);
    _exit(child(v));
  }
  int status = -1;
  assert_int_equal(waitpid(id, &status, 0), id);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* It goes on with what it has, and so does a child of its own. */
static int goes_on(vapl *v) {
  vapl_array *r = NULL;
  double sum = 0;
  if (vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, &r)) return 1;
  if (vapl_read(v, r, VAPL_F64, &sum, sizeof sum) || sum != 1333334333333000000.0)
    return 2;
  vapl_release(r);
  vapl_close(v);
  return 0;
}

static int twice_removed(vapl *v) {
  if (vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, NULL)) return 3;
  pid_t id = fork();
  if (!id) _exit(goes_on(v));
  int status = -1;
  if (waitpid(id, &status, 0) != id || status) return 4;
  return goes_on(v);
}

static void test_fork(void **state) {
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  k.threads = 3;
  OK(vapl_open(&k, &v));
  assert_int_equal(in_child(goes_on, v), 0);
  OK(vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, NULL));
  assert_int_equal(in_child(goes_on, v), 0);
  assert_int_equal(in_child(twice_removed, v), 0);
  OK(vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, NULL));
  close_host(&h, v);
}

/* The device stays the parent's: an error that says so; another interpreter works. */
static int without_device(vapl *v) {
  if (vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, NULL) != VAPL_EDEVICE) return 1;
  if (!strstr(vapl_last_error(v)->message, "before fork()")) return 2;
  if (vapl_eval(v, "kept", VAPL_STRLEN, NULL, NULL)) return 3;
  vapl_close(v);
  vapl_config k = {.size = sizeof k, .device = "host", .threads = 3};
  if (vapl_open(&k, &v)) return 4;
  return goes_on(v);
}

static void test_fork_device(void **state) {
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  k.device = "llvmpipe";
  if (vapl_open(&k, &v) == VAPL_EDEVICE) skip();
  OK(vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, NULL));
  OK(vapl_eval(v, "kept←1 2 3", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(in_child(without_device, v), 0);
  OK(vapl_eval(v, LONG_WORK, VAPL_STRLEN, NULL, NULL));
  close_host(&h, v);
}

/* ── callbacks, limits, interrupts ──────────────────────────────────────────────────── */

static void test_callbacks(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  h.inside = v;
  OK(vapl_eval(v, "⎕←2", VAPL_STRLEN, NULL, NULL));
  EARG(h.refused);
  h.inside = NULL;
  assert_int_equal(number(v, "1+1"), 2);
  close_host(&h, v);
}

static void test_limits(void **state) {
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  k.max_host_bytes = 4 << 20;
  k.max_depth = 50;
  OK(vapl_open(&k, &v));
  assert_int_equal(vapl_eval(v, "x←2×⍳10000000 ⋄ y←x[⍳≢x]", VAPL_STRLEN, NULL, NULL),
                   VAPL_WS_FULL);
  assert_int_equal(number(v, "+/⍳1000"), 500500);
  assert_int_equal(vapl_eval(v, "{1+∇ ⍵+1}0", VAPL_STRLEN, NULL, NULL), VAPL_LIMIT);
  assert_int_equal(number(v, "{⍵=0:0 ⋄ 1+∇ ⍵-1}20"), 20);
  close_host(&h, v);
}

/* Nothing outside is permitted unless the host says so. */
static void test_permissions(void **state) {
  (void)state;
  static const char *const files[] = {"⎕NGET '/no/such'", "'x'⎕NPUT '/no/such'",
                                      "⎕CSV '/no/such'", "⎕LOAD '/no/such'"};
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  OK(vapl_open(&k, &v));
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    assert_int_equal(vapl_eval(v, files[i], VAPL_STRLEN, NULL, NULL), 19);
  assert_int_equal(vapl_eval(v, "⎕SH 'ls'", VAPL_STRLEN, NULL, NULL), VAPL_EPERM);
  assert_int_equal(vapl_eval(v, "⎕ENV 'HOME'", VAPL_STRLEN, NULL, NULL), VAPL_EPERM);
  close_host(&h, v);
  k.may = VAPL_MAY_READ | VAPL_MAY_ENV;
  OK(vapl_open(&k, &v));
  assert_int_equal(vapl_eval(v, files[0], VAPL_STRLEN, NULL, NULL), 22);
  assert_int_equal(vapl_eval(v, files[1], VAPL_STRLEN, NULL, NULL), 19);
  OK(vapl_eval(v, "⎕ENV 'HOME'", VAPL_STRLEN, NULL, NULL));
  close_host(&h, v);
}

static void all_are(vapl *v, const char *const *texts, int status) {
  for (; *texts; texts++) {
    int got = (int)vapl_eval(v, *texts, VAPL_STRLEN, NULL, NULL);
    if (got != status) fail_msg("%s: %d %s", *texts, got, vapl_last_error(v)->message);
  }
}

/* Who may read and write files has neither the environment nor the memory of the host. */
static void test_system_files(void **state) {
  (void)state;
  static const char *const texts[] = {"⎕NGET '/proc/self/environ'",
                                      "⎕MAP '/proc/self/environ'",
                                      "⎕NGET '/dev/../proc/self/./environ'",
                                      "⎕NGET L",
                                      "⎕NEXISTS L",
                                      "'/proc/self/mem' ⎕NTIE 0 2",
                                      "'x' ⎕NPUT '/proc/self/mem' 1",
                                      "'x' ⎕NPUT '/proc/self/comm' 2",
                                      "⎕NEXISTS '/proc/self/environ'",
                                      "7 ⎕NINFO '/proc/self/exe'",
                                      "(⎕NINFO⍠'Wildcard' 1)'/proc/self/*'",
                                      "⎕FIX 'file:///proc/self/environ'",
                                      "⎕CSV '/proc/self/environ'",
                                      "⎕IMG '/proc/self/environ'",
                                      "⎕NPY '/proc/self/environ'",
                                      "⎕NPZ '/proc/self/environ'",
                                      "⎕LOAD '/proc/self/environ'",
                                      "⎕CY '/proc/self/environ'",
                                      "⎕NGET '/sys/kernel/uevent_seqnum'",
                                      "⎕NGET '/dev/stdin'",
                                      "⎕NGET '/dev/fd/0'",
                                      "⎕NGET '/dev/zero'",
                                      "⎕NGET F",
                                      "'x' ⎕NPUT '/dev/null' 1",
                                      "'x' ⎕NPUT F 1",
                                      NULL};
  char folder[] = "/tmp/vapl-reach-XXXXXX", text[200];
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  assert_non_null(mkdtemp(folder));
  snprintf(text, sizeof text, "%s/link", folder);
  assert_int_equal(symlink("/proc/self/environ", text), 0);
  snprintf(text, sizeof text, "%s/pipe", folder);
  assert_int_equal(mkfifo(text, 0600), 0);
  k.may = VAPL_MAY_READ | VAPL_MAY_WRITE;
  OK(vapl_open(&k, &v));
  snprintf(text, sizeof text, "L←'%s/link' ⋄ F←'%s/pipe'", folder, folder);
  OK(vapl_eval(v, text, VAPL_STRLEN, NULL, NULL));
  all_are(v, texts, 19);
  snprintf(text, sizeof text, "3 ⎕NDELETE '%s'", folder);
  OK(vapl_eval(v, text, VAPL_STRLEN, NULL, NULL));
  close_host(&h, v);
}

/* Files within the folders of the configuration, and no way out of them. */
static void test_folders(void **state) {
  (void)state;
  static const char *const outside[] = {"⎕NGET '/etc/passwd'",
                                        "⎕NGET '/no/such'",
                                        "⎕NGET F,'/in/../out'",
                                        "⎕NGET F,'/in/up'",
                                        "⎕NGET F,'/in/away/out'",
                                        "⎕NEXISTS F,'/out'",
                                        "⎕NEXISTS F,'/none'",
                                        "⎕NINFO F,'/out'",
                                        "⎕NDELETE F,'/out'",
                                        "⎕NDELETE F,'/in/away/out'",
                                        "⎕MKDIR F,'/more'",
                                        "3 ⎕MKDIR F,'/more/more'",
                                        "'x' ⎕NPUT F,'/new'",
                                        "⎕SAVE F,'/w'",
                                        "(F,'/out')⎕NTIE 0",
                                        "(F,'/new')⎕NCREATE 0",
                                        "⎕NGET '.'",
                                        "(2 2⍴0)⎕CSV F,'/c.csv'",
                                        "(2 2⍴0)⎕IMG F,'/c.png'",
                                        "(2 2⍴0)⎕NPY F,'/in/away/c'",
                                        "⎕NGET '/proc/self/environ'",
                                        "(⎕NEXISTS⍠'Wildcard' 1)F,'/*'",
                                        NULL};
  static const char *const inside[] = {
      "⎕NGET F,'/in/file'",  "⎕NGET F,'/in/../in/file'", "'x' ⎕NPUT F,'/in/new'",
      "⎕NGET F,'/in/same'",  "3 ⎕MKDIR F,'/in/a/b'",     "⎕NEXISTS F,'/in'",
      "⎕NINFO F,'/in'",      "1 ⎕NINFO F,'/in/up'",      "⎕SAVE F,'/in/w'",
      "⎕LOAD F,'/in/w'",     "(F,'/in/file')⎕NTIE 0",    "(2 2⍴0)⎕CSV F,'/in/c.csv'",
      "⎕NDELETE F,'/in/up'", "3 ⎕NDELETE F,'/in/a'",     NULL};
  char folder[] = "/tmp/vapl-folder-XXXXXX", text[300], in[100];
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  assert_non_null(mkdtemp(folder));
  snprintf(text, sizeof text,
           "cd %s && mkdir in && echo a >in/file && echo b >out && ln -s ../out in/up && "
           "ln -s %s in/away && ln -s file in/same && ln -s none in/gone",
           folder, folder);
  assert_int_equal(system(text), 0);
  snprintf(in, sizeof in, "%s/in/", folder);
  k.may = VAPL_MAY_READ | VAPL_MAY_WRITE;
  k.folders = (const char *const[]){"/usr", in, NULL};
  OK(vapl_open(&k, &v));
  snprintf(text, sizeof text, "F←'%s'", folder);
  OK(vapl_eval(v, text, VAPL_STRLEN, NULL, NULL));
  all_are(v, outside, 19);
  assert_int_equal(number(v, "⎕NEXISTS F,'/in/gone'"), 1); /* the link is there */
  all_are(v, inside, VAPL_OK);
  close_host(&h, v);
  k.folders = (const char *const[]){NULL};
  OK(vapl_open(&k, &v));
  assert_int_equal(vapl_eval(v, "⎕NGET '/etc/passwd'", VAPL_STRLEN, NULL, NULL), 19);
  close_host(&h, v);
  k.folders = (const char *const[]){"/no/such", NULL};
  assert_int_equal(vapl_open(&k, &v), 22);
  snprintf(text, sizeof text, "rm -r %s", folder);
  assert_int_equal(system(text), 0);
}

/* A file that grows shorter while it is mapped: an error, and what is not vapl's is the program's. */
static vapl *mapping;
static sigjmp_buf own_fault;
static void on_sigbus(int sig, siginfo_t *info, void *context) {
  (void)sig, (void)context;
  if (!vapl_fault(mapping, info->si_addr)) siglongjmp(own_fault, 1);
}

enum { DAMAGED = 23, MAPPED = 1 << 20 };
static void shrinks(const char *path, int64_t bytes) {
  assert_int_equal(truncate(path, bytes), 0);
}

static void maps_again(vapl *v, const char *path, vapl_array **a) {
  char text[100];
  snprintf(text, sizeof text, "x←83 ¯1⎕MAP '%s'", path);
  shrinks(path, MAPPED);
  OK(vapl_eval(v, text, VAPL_STRLEN, NULL, NULL));
  if (a) OK(vapl_get(v, "x", a));
  shrinks(path, 4096);
}

static void test_fault(void **state) {
  (void)state;
  char path[] = "/tmp/vapl-fault-XXXXXX", *text = NULL;
  static char all[MAPPED];
  struct sigaction on = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO}, was;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  vapl_array *a, *r = NULL;
  vapl_view view = {.size = sizeof view};
  k.may = VAPL_MAY_READ;
  OK(vapl_open(&k, &v)); /* a copy is what it was */
  maps_again(v, path, NULL);
  assert_int_equal(number(v, "(⍴x)-+/x"), MAPPED);
  close_host(&h, v);
  k.may |= VAPL_MAY_MAP;
  k.threads = 4;
  OK(vapl_open(&k, &v));
  mapping = v;
  sigaction(SIGBUS, &on, &was);
  maps_again(v, path, NULL);
  assert_int_equal(vapl_eval(v, "⎕←+/x", VAPL_STRLEN, NULL, NULL), DAMAGED);
  assert_non_null(strstr(vapl_last_error(v)->message, path));
  assert_int_equal(vapl_eval(v, "⎕←⌈/x", VAPL_STRLEN, NULL, NULL), DAMAGED);
  assert_int_equal(number(v, "2+2"), 4);
  maps_again(v, path, &a);
  assert_int_equal(vapl_read(v, a, VAPL_I8, all, sizeof all), DAMAGED);
  assert_int_equal(vapl_map(v, a, VAPL_I32, &view), DAMAGED);
  assert_int_equal(vapl_item(v, a, MAPPED - 1, &r), DAMAGED);
  assert_null(r);
  assert_int_equal(vapl_format(v, a, 0, &text, NULL), DAMAGED);
  assert_null(text);
  OK(vapl_map(v, a, VAPL_I8, &view));
  assert_int_equal(((const volatile char *)view.data)[MAPPED - 1],
                   0); /* by the program */
  assert_int_equal(vapl_eval(v, "⎕←+/⍳1000", VAPL_STRLEN, NULL, NULL), DAMAGED);
  vapl_release(a);
  shrinks(path, MAPPED);
  char *own = mmap(NULL, MAPPED, PROT_READ, MAP_PRIVATE, fd, 0);
  shrinks(path, 4096);
  if (!sigsetjmp(own_fault, 1)) {
    all[0] = ((volatile char *)own)[MAPPED - 1];
    fail_msg("it was the program's fault");
  }
  munmap(own, MAPPED);
  maps_again(v, path, &a);
  vapl_close(v);
  assert_int_equal(vapl_read(NULL, a, VAPL_I8, all, sizeof all), DAMAGED);
  vapl_release(a);
  assert_int_equal(h.blocks, 0);
  assert_int_equal(vapl_fault(NULL, all), 0);
  sigaction(SIGBUS, &was, NULL);
  close(fd);
  unlink(path);
}

static void *stop_soon(void *v) {
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  vapl_interrupt(v);
  return NULL;
}

static void test_interrupt(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, stop_soon, v), 0);
  OK(vapl_eval(v, "kept←7", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(vapl_eval(v, "{∇ ⍵+1}0", VAPL_STRLEN, NULL, NULL), VAPL_INTERRUPT);
  pthread_join(thread, NULL);
  assert_string_equal(vapl_last_error(v)->name, "INTERRUPT");
  assert_int_equal(number(v, "kept"), 7);
  vapl_interrupt(v); /* kept for the next evaluation, and for that one only */
  assert_int_equal(vapl_eval(v, "1+1", VAPL_STRLEN, NULL, NULL), VAPL_INTERRUPT);
  assert_int_equal(number(v, "1+1"), 2);
  vapl_interrupt(NULL);
  close_host(&h, v);
}

static void test_ended(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  int code = 9;
  assert_int_equal(vapl_ended(v, &code), 0);
  assert_int_equal(code, 0);
  vapl_eval(v, "⎕OFF 3", VAPL_STRLEN, NULL, NULL);
  assert_int_equal(vapl_ended(v, &code), 1);
  assert_int_equal(code, 3);
  assert_int_equal(vapl_ended(NULL, NULL), 0);
  /* A host that goes on has statements and error guards as before. */
  OK(vapl_eval(v, "x←1 ⋄ y←{0::x+4 ⋄ ÷0}0", VAPL_STRLEN, NULL, NULL));
  OK(vapl_eval(v, "'no'⎕SIGNAL(y≢5)/11", VAPL_STRLEN, NULL, NULL));
  close_host(&h, v);
}

/* The numbers do not depend on the host's rounding mode, which is given back. */
static void test_rounding(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  double near = 0, up = 0;
  vapl_array *a = value(v, "1÷3");
  OK(vapl_read(v, a, VAPL_F64, &near, sizeof near));
  vapl_release(a);
  fesetround(FE_UPWARD);
  a = value(v, "1÷3");
  assert_int_equal(fegetround(), FE_UPWARD);
  fesetround(FE_TONEAREST);
  OK(vapl_read(v, a, VAPL_F64, &up, sizeof up));
  assert_true(near == up);
  vapl_release(a);
  close_host(&h, v);
}

/* ── functions of the host ──────────────────────────────────────────────────────────── */

static int drops;
static void count_drop(void *user) {
  (void)user;
  drops++;
}

/* ⍺+2×⍵, or with one argument ⍵ itself; user counts the calls. */
static vapl_status twice(void *user, vapl *v, vapl_array *left, vapl_array *right,
                         vapl_array **result) {
  int64_t x = 0, y;
  if (user) ++*(int *)user;
  if (!left) {
    *result = vapl_retain(right);
    return VAPL_OK;
  }
  vapl_status s = vapl_read(v, left, VAPL_I64, &x, sizeof x);
  if (!s) s = vapl_read(v, right, VAPL_I64, &y, sizeof y);
  if (s) return s;
  y = x + 2 * y;
  return vapl_new(v, VAPL_I64, 0, NULL, &y, result);
}

/* Runs its argument as a text, and counts itself down by calling APL, which calls it. */
static vapl_status runs(void *user, vapl *v, vapl_array *left, vapl_array *right,
                        vapl_array **result) {
  char *text;
  (void)user, (void)left;
  vapl_status s = vapl_utf8(v, right, &text, NULL);
  if (s) return s;
  s = vapl_eval(v, text, VAPL_STRLEN, "inner", result);
  vapl_free(v, text);
  return s;
}

static vapl_status fails(void *user, vapl *v, vapl_array *left, vapl_array *right,
                         vapl_array **result) {
  (void)user, (void)left, (void)right;
  *result = vapl_retain(right); /* is given back all the same */
  vapl_close(v);                /* is refused */
  return vapl_fail(v, VAPL_LENGTH, "too short for me");
}

static vapl_status gives_what(void *user, vapl *v, vapl_array *left, vapl_array *right,
                              vapl_array **result) {
  (void)v, (void)left, (void)right;
  *result = vapl_retain(user);
  return VAPL_OK;
}

static void test_def(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  int calls = 0;
  drops = 0;
  OK(vapl_def(v, "twice", twice, &calls, count_drop));
  assert_int_equal(number(v, "3 twice 4"), 11);
  assert_int_equal(number(v, "twice 4"), 4);
  calls = 0;
  assert_int_equal(number(v, "+/1 twice¨⍳100"), 100 + 2 * 5050);
  assert_int_equal(calls, 100);
  assert_int_equal(number(v, "twice/1 2 3"), 17); /* 1+2×2+2×3 */
  assert_int_equal(number(v, "{⍵ twice 1}⍤0⊢⍳2 ⋄ (2×twice)3"), 6);
  assert_int_equal(number(v, "10×⎕NC⊂'twice'"), 36);
  assert_int_equal(number(v, "'twice'≡⍕⎕CR'twice'"), 1);
  assert_int_equal(vapl_eval(v, "1 2 twice 3 4", VAPL_STRLEN, NULL, NULL), VAPL_EARG);
  assert_int_equal(vapl_eval(v, "'a'twice 3", VAPL_STRLEN, NULL, NULL), VAPL_DOMAIN);
  assert_int_equal(vapl_last_error(v)->column, 4);
  OK(vapl_eval(v, "f←twice ⋄ ⎕EX'twice'", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(drops, 0);
  assert_int_equal(number(v, "1 f 1"), 3);
  OK(vapl_eval(v, "f←0", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(drops, 1);
  OK(vapl_def(v, "f", twice, NULL, count_drop)); /* a name may be any class */
  OK(vapl_def(v, "f", twice, NULL, count_drop));
  assert_int_equal(drops, 2);
  EARG(vapl_def(v, "⎕IO", twice, NULL, count_drop));
  EARG(vapl_def(v, "a b", twice, NULL, count_drop));
  EARG(vapl_def(v, NULL, twice, NULL, count_drop));
  EARG(vapl_def(v, "f", NULL, NULL, count_drop));
  EARG(vapl_def(NULL, "f", twice, NULL, count_drop));
  assert_int_equal(drops, 2);
  close_host(&h, v);
  assert_int_equal(drops, 3);
}

typedef struct typed {
  const char *name;
  char text[32];
  int n;
} typed;

static void look_for(void *user, const char *name, const char *text) {
  typed *t = user;
  t->n++;
  if (!strcmp(name, t->name)) snprintf(t->text, sizeof t->text, "%s", text);
}

static void test_session(void **state) {
  (void)state;
  host h;
  vapl *v = open_host(&h);
  OK(vapl_session(v, "x←5 ⋄ 1+1\n'two'", VAPL_STRLEN, "cell"));
  assert_string_equal(h.out, "2\ntwo\n");
  *h.out = 0;
  OK(vapl_session(v, "]box on", VAPL_STRLEN, NULL));
  *h.out = 0;
  OK(vapl_session(v, "1 'ab'", VAPL_STRLEN, NULL));
  assert_non_null(strstr(h.out, "┌"));
  assert_int_not_equal(vapl_session(v, ")nonsense", VAPL_STRLEN, NULL), VAPL_OK);
  assert_int_equal(vapl_session(v, "1 2+1 2 3", VAPL_STRLEN, NULL), VAPL_LENGTH);
  EARG(vapl_session(v, NULL, 0, NULL));
  EARG(vapl_session(NULL, "1", 1, NULL));
  static const char *const pairs[][2] = {
      {"x", "x"}, {"⎕IO", "⎕IO"}, {"]box", "]box"}, {"iota", "⍳"}, {"`i", "⍳"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    typed t = {.name = pairs[i][0]};
    OK(vapl_names(v, look_for, &t));
    assert_string_equal(t.text, pairs[i][1]);
    assert_true(t.n > 200);
  }
  EARG(vapl_names(v, NULL, NULL));
  EARG(vapl_names(NULL, look_for, NULL));
  close_host(&h, v);
}

static void test_def_errors(void **state) {
  (void)state;
  host g, h;
  vapl *v = open_host(&h), *w = open_host(&g);
  vapl_array *other = value(w, "1 2 3");
  OK(vapl_def(v, "fails", fails, NULL, NULL));
  OK(vapl_def(v, "other", gives_what, other, NULL));
  OK(vapl_def(v, "none", gives_what, NULL, NULL));
  assert_int_equal(vapl_eval(v, "x←1\n2+fails x", VAPL_STRLEN, "t", NULL), VAPL_LENGTH);
  const vapl_error *e = vapl_last_error(v);
  assert_string_equal(e->message, "too short for me");
  assert_string_equal(e->name, "LENGTH ERROR");
  assert_int_equal(e->line, 2);
  assert_int_equal(e->column, 3);
  assert_int_equal(number(v, "{5::⎕EN ⋄ fails ⍵}0"), 5);
  assert_int_equal(number(v, "{0::≢⎕DMX.Message ⋄ fails ⍵}0"), 16);
  EARG(vapl_eval(v, "other 1", VAPL_STRLEN, NULL, NULL));
  assert_non_null(strstr(vapl_last_error(v)->message, "another interpreter"));
  OK(vapl_eval(v, "none 1", VAPL_STRLEN, NULL, NULL));
  assert_int_equal(vapl_eval(v, "1+none 1", VAPL_STRLEN, NULL, NULL), VAPL_VALUE);
  EARG(vapl_fail(NULL, VAPL_OK, NULL));
  vapl_release(other);
  close_host(&g, w);
  close_host(&h, v);
}

static void test_def_reenters(void **state) {
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  k.max_depth = 60;
  OK(vapl_open(&k, &v));
  OK(vapl_def(v, "runs", runs, NULL, NULL));
  assert_int_equal(number(v, "2+runs'3×4'"), 14);
  assert_int_equal(number(v, "n←5 ⋄ {n←7 ⋄ runs'n'}0"), 5); /* in the workspace */
  assert_int_equal(number(v, "{a←⍵ ⋄ b←runs'1+1' ⋄ a+b}40"), 42);
  assert_int_equal(vapl_eval(v, "y←3\nruns'1 2+1 2 3'", VAPL_STRLEN, "t", NULL),
                   VAPL_LENGTH);
  assert_string_equal(vapl_last_error(v)->file, "t");
  assert_int_equal(vapl_last_error(v)->line, 2);
  assert_int_equal(number(v, "y"), 3);
  assert_int_equal(number(v, "{0::9 ⋄ runs'÷0'}0"), 9);
  /* The error of pending work is not the function's. */
  assert_int_equal(vapl_eval(v, "z←÷(2×⍳3000)-8 ⋄ runs'1'", VAPL_STRLEN, NULL, NULL),
                   VAPL_DOMAIN);
  assert_int_equal(vapl_last_error(v)->column, 3);
  assert_int_equal(vapl_eval(v, "g←{runs'g 1'}\ng 0", VAPL_STRLEN, NULL, NULL),
                   VAPL_LIMIT);
  OK(vapl_def(v, "g", twice, NULL, NULL));
  assert_int_equal(vapl_eval(v, "runs'runs←1 ⋄ runs+1'", VAPL_STRLEN, NULL, NULL),
                   VAPL_OK);
  assert_int_equal(number(v, "runs"), 1);
  OK(vapl_def(v, "runs", runs, NULL, NULL));
  vapl_interrupt(v);
  assert_int_equal(vapl_eval(v, "runs'1'", VAPL_STRLEN, NULL, NULL), VAPL_INTERRUPT);
  OK(vapl_eval(v, "runs'⎕OFF 4' ⋄ ⎕←'no'", VAPL_STRLEN, NULL, NULL));
  int code;
  assert_int_equal(vapl_ended(v, &code), 1);
  assert_int_equal(code, 4);
  assert_null(strstr(h.out, "no"));
  close_host(&h, v);
}

/* Programs that want all there is, written down by people who tried. Each ends soon with an error
 * that says what it used up, and leaves the workspace as it was. */
static const char *const HOSTILE[] = {"{∇ ⍵}0",
                                      "{1+∇ ⍵+1}0",
                                      "{0::∇ ⍵ ⋄ ∇ ⍵}0",
                                      "f←{0::f ⍵ ⋄ 1+f ⍵} ⋄ f 0",
                                      "{0::0 ⋄ {∇ ⍵}⍵}¨⍳1000000",
                                      "+⍣{0}⊢0",
                                      "{⍵>1E18:⍵ ⋄ ∇ ⍵+1}¨⍳1000",
                                      "f←{⍎'f ⍵'} ⋄ f 1",
                                      "f←{back'f 1'} ⋄ f 1",
                                      "{0::∇ ⍵ ⋄ back'∇ ⍵'}0",
                                      "+/,∘.×⍨⍳1E6",
                                      "⎕←1E12⍴1",
                                      "x←{⍵,⍵}⍣100⊢1 2 3",
                                      "⎕←{⍵ ⍵}⍣60⊢1",
                                      "x←(15⍴99)⍴0",
                                      "x←⍳9223372036854775807",
                                      "⎕←⍕⍳1E8",
                                      "x←∘.,⍨⍳30000",
                                      "x←{1+⍵÷1.5}⍣1000000⊢1E6⍴1",
                                      "x←('^(a|aa)+$'⎕R'')¨9⍴⊂(100⍴'a'),'b'",
                                      "⎕DL 100",
                                      "x←⌹3500 3500⍴?12250000⍴0",
                                      "⍎10000000⍴'('",
                                      "⍎10000000⍴'{'",
                                      "{⎕←⍵ ⋄ ∇ ⍵}'spam'",
                                      "x←1E9 1E9↑0",
                                      "x←⍞ ⋄ x"};

static void test_hostile(void **state) {
  enum { SOON = 60 }; /* seconds, where other programs keep every processor busy */
  (void)state;
  host h = {0};
  vapl_config k = config_of(&h);
  vapl *v;
  k.max_seconds = -1;
  EARG(vapl_open(&k, &v));
  k.max_seconds = 0.25;
  k.max_steps = 200000;
  k.max_host_bytes = 200 << 20;
  k.threads = 3;
  OK(vapl_open(&k, &v));
  OK(vapl_def(v, "back", runs, NULL, NULL));
  OK(vapl_eval(v, "kept←'safe' ⋄ x←7", VAPL_STRLEN, NULL, NULL));
  for (size_t i = 0; i < sizeof HOSTILE / sizeof *HOSTILE; i++) {
    time_t begun = time(NULL);
    vapl_status s = vapl_eval(v, HOSTILE[i], VAPL_STRLEN, NULL, NULL);
    if (s == VAPL_OK || time(NULL) - begun > SOON)
      print_error("%s: %d after %ld s\n", HOSTILE[i], (int)s, (long)(time(NULL) - begun));
    assert_true(s == VAPL_LIMIT || s == VAPL_WS_FULL || s == VAPL_SYNTAX ||
                s == VAPL_EOF_INTERRUPT);
    assert_true(time(NULL) - begun <= SOON);
    assert_int_equal(number(v, "(kept≡'safe')∧x=7"), 1);
  }
  close_host(&h, v);
  k.max_seconds = 0; /* steps alone, however long they take */
  OK(vapl_open(&k, &v));
  assert_int_equal(vapl_eval(v, "{∇ ⍵}0", VAPL_STRLEN, NULL, NULL), VAPL_LIMIT);
  assert_non_null(strstr(vapl_last_error(v)->message, "used up"));
  for (int i = 0; i < 15; i++) /* each call has its own */
    OK(vapl_eval(v, "{⍵=0:0 ⋄ ∇ ⍵-1}15000", VAPL_STRLEN, NULL, NULL));
  close_host(&h, v);
}

/* ── a host without memory ──────────────────────────────────────────────────────────── */

/* A little of everything; the status of the first call that failed. */
static vapl_status a_day(vapl *v) {
  int64_t n = 3, two = 2;
  double data[3] = {1, 2, 3};
  vapl_array *a = NULL, *b = NULL, *r = NULL, *z = NULL, *i = NULL;
  vapl_view w = {.size = sizeof w};
  char *text = NULL, *json = NULL;
  vapl_status s = vapl_new(v, VAPL_F64, 1, &n, data, &a);
  if (!s) s = vapl_text(v, "tëxt", VAPL_STRLEN, &b);
  if (!s) s = vapl_set(v, "a", a);
  if (!s) s = vapl_eval(v, "f←{⍺+2×⍵}\nm←2 3⍴⍳6\nw←'ab' m", VAPL_STRLEN, "day", NULL);
  if (!s) s = vapl_def(v, "twice", twice, NULL, NULL);
  if (!s) s = vapl_eval(v, "1 twice¨⍳3", VAPL_STRLEN, NULL, NULL);
  if (!s) s = vapl_eval(v, "x←⍳3000 ⋄ +/x×x", VAPL_STRLEN, NULL, NULL);
  if (!s) s = vapl_call(v, "f", a, a, &r);
  if (!s) s = vapl_map(v, r, VAPL_F32, &w);
  if (!s) s = vapl_new_nested(v, 1, &two, (vapl_array *const[]){a, b}, &z);
  if (!s) s = vapl_item(v, z, 1, &i);
  if (!s) s = vapl_format(v, z, 0, &text, NULL);
  if (!s) s = vapl_stats(v, &json, NULL);
  if (!s && vapl_eval(v, "1 2+m", VAPL_STRLEN, "wrong", NULL) == VAPL_WS_FULL)
    s = VAPL_WS_FULL;
  vapl_free(v, text), vapl_free(v, json);
  vapl_release(a), vapl_release(b), vapl_release(r), vapl_release(z), vapl_release(i);
  return s;
}

/* Every operator, on frames with cells and without; likewise. */
static vapl_status operators_day(vapl *v) {
  static const char *const lines[] = {
      "m←2 3⍴⍳6 ⋄ n←'ab' m 'ab' ⋄ d←{⍺,⍵}",
      "{⍵}¨n ⋄ n d¨3 4 5 ⋄ {⍵}¨0⍴n",
      "{+/⍵}⍤1⊢m ⋄ 1 2(d⍤0 1)m ⋄ (+⍤1)m ⋄ {⍵,1}⍤1⊢0 3⍴0 ⋄ (⌽⍤2)m",
      "n∘.d 1 2 ⋄ 1 2∘.+3 4 ⋄ (0⍴n)∘.d n ⋄ m d.{⍺×⍵}⍉m ⋄ m+.×⍉m ⋄ (0 2⍴0)d.,m",
      "d/1 2 3 ⋄ d/n ⋄ ,/n ⋄ 2 d/⍳4 ⋄ ¯2-/⍳4 ⋄ 0+/⍳4 ⋄ d\\⍳4 ⋄ ,\\n ⋄ +/0⍴n ⋄ ,/0⍴n",
      "(d⍠'Assoc' 1)\\⍳3 ⋄ (d⍠('Assoc' 1)('Forward' 1))\\⍳3",
      "h←0.5 ⋄ {⍺+h×⍵}/0.5 1 2 ⋄ {a←⍺ ⋄ {a⌈⍵}⍵-1}⍀2 3⍴⍳6 ⋄ {⍵>2:⍺ ⋄ ⍺-⍵}\\⍳4 ⋄ ÷\\⍳3",
      "({⍺-÷⍵}⍠'Forward' 1)\\3 2 1.5 ⋄ ({⍺⌊⍵}⍠('Assoc' 1)('Identity' 9))/⍬ ⋄ (-⍥|)/⍳3",
      "{⍺(+/⍵)}⌸1 2 1 ⋄ {≢⍵}⌸1 2 1 ⋄ {⍺,≢⍵}⌸m ⋄ n d⌸⍳3 ⋄ {⍵}⌸⍬",
      "{+/,⍵}⌺3 3⊢m ⋄ {⊂⍺,⊂⍵}⌺(2 1⍴3 2)⊢⍳5",
      "9@2⊢⍳3 ⋄ -@(2∘<)⍳4 ⋄ 1({⍺+⍵}@1)⍳3",
      "{⍵+1}⍣3⊢0 ⋄ {⌊⍵÷2}⍣≡⊢9 ⋄ (2∘+∘-)⍣¯1⊢m ⋄ (+\\⍣¯1)⍳4 ⋄ (-\\⍣¯1)m",
      "1 2(∘.×)⍣¯1⊢2 2⍴1 2 2 4",
      "⍸⍣¯1⊢2 3 ⋄ 2∘⊥⍣¯1⊢9 ⋄ (,∘3⍣¯1)1 3 ⋄ (2 1∘⍉⍣¯1)m ⋄ ×⍨⍣¯1⊢9 ⋄ 3⌽⍣¯1⍳4 ⋄ 1○⍣¯1⊢0",
      "+⍨2 ⋄ 2 d∘-3 ⋄ 2 d⍥-3 ⋄ 2-⍛d 3 ⋄ (2∘d)3 ⋄ (d∘2)3 ⋄ 2(-⍤d)3"};
  vapl_status s = VAPL_OK;
  for (size_t i = 0; !s && i < sizeof lines / sizeof *lines; i++)
    s = vapl_eval(v, lines[i], VAPL_STRLEN, "operators", NULL);
  return s;
}

/* Makes the n-th allocation fail, for every n until none is reached: no crash, no leak, the
 * right status, and the same interpreter works once there is memory again. */
static void fail_each(vapl_status day(vapl *v), bool and_all_after) {
  bool reached = true;
  for (long n = 1; reached; n++) {
    host h = {.fail_at = n, .fail_on = and_all_after};
    vapl_config k = config_of(&h);
    vapl *v = NULL;
    vapl_status s = vapl_open(&k, &v);
    if (!s) s = day(v);
    reached = h.calls >= n;
    if (s != VAPL_OK) assert_int_equal(s, VAPL_WS_FULL);
    h.fail_at = 0;
    if (v && reached) OK(day(v));
    vapl_close(v);
    if (h.blocks) print_error("failing allocation %ld\n", n);
    assert_int_equal(h.blocks, 0);
  }
}

static void test_no_memory_once(void **state) {
  (void)state;
  fail_each(a_day, false);
  fail_each(operators_day, false);
}
static void test_no_memory_ever(void **state) {
  (void)state;
  fail_each(a_day, true);
  fail_each(operators_day, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_open),
                                     cmocka_unit_test(test_config_size),
                                     cmocka_unit_test(test_no_such_device),
                                     cmocka_unit_test(test_eval),
                                     cmocka_unit_test(test_error_record),
                                     cmocka_unit_test(test_call),
                                     cmocka_unit_test(test_run_file),
                                     cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_round_trip),
                                     cmocka_unit_test(test_conversions),
                                     cmocka_unit_test(test_special_floats),
                                     cmocka_unit_test(test_new_refuses),
                                     cmocka_unit_test(test_wrap),
                                     cmocka_unit_test(test_wrap_refuses),
                                     cmocka_unit_test(test_nested),
                                     cmocka_unit_test(test_text),
                                     cmocka_unit_test(test_format),
                                     cmocka_unit_test(test_view),
                                     cmocka_unit_test(test_two),
                                     cmocka_unit_test(test_arrays_outlive),
                                     cmocka_unit_test(test_namespaces),
                                     cmocka_unit_test(test_arrays_outlive_device),
                                     cmocka_unit_test(test_callbacks),
                                     cmocka_unit_test(test_limits),
                                     cmocka_unit_test(test_permissions),
                                     cmocka_unit_test(test_system_files),
                                     cmocka_unit_test(test_folders),
                                     cmocka_unit_test(test_fault),
                                     cmocka_unit_test(test_fork),
                                     cmocka_unit_test(test_fork_device),
                                     cmocka_unit_test(test_def),
                                     cmocka_unit_test(test_def_errors),
                                     cmocka_unit_test(test_session),
                                     cmocka_unit_test(test_def_reenters),
                                     cmocka_unit_test(test_hostile),
                                     cmocka_unit_test(test_interrupt),
                                     cmocka_unit_test(test_ended),
                                     cmocka_unit_test(test_rounding),
                                     cmocka_unit_test(test_no_memory_once),
                                     cmocka_unit_test(test_no_memory_ever)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
