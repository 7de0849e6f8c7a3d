/* SPDX-License-Identifier: MIT */
/* test_arrow.c - columns in and out by the Arrow C data interface: every format by hand, and what goes out comes
 * back the same. */
#include "api.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "runtime/vapl_arrow.h"

static vapl *apl;

static int open_apl(void **state) {
  vapl_config k = {.size = sizeof k, .device = "host"};
  (void)state;
  return vapl_open(&k, &apl) == VAPL_OK ? 0 : -1;
}
static int close_apl(void **state) {
  (void)state;
  vapl_close(apl);
  return 0;
}

/* ── arrays by hand ── */

static int released;
static void release_given(struct ArrowArray *a) {
  released++;
  a->release = NULL;
}

static struct ArrowArray given(int64_t n, int64_t offset, const void **buffers,
                               int count) {
  return (struct ArrowArray){.length = n,
                             .null_count = buffers[0] ? -1 : 0,
                             .offset = offset,
                             .n_buffers = count,
                             .buffers = buffers,
                             .release = release_given};
}

static void shows(const vapl_array *a, const char *text) {
  char *got;
  OK(vapl_format(apl, a, 0, &got, NULL));
  got[strcspn(got, "\n")] = 0;
  assert_string_equal(got, text);
  vapl_free(apl, got);
}

/* The format's elements are shown as the text; `from` of them are passed over. */
static void comes_as(const char *format, const void *data, int64_t n, int64_t from,
                     const char *text) {
  const void *buffers[] = {NULL, data};
  struct ArrowSchema s = {.format = format};
  struct ArrowArray a = given(n, from, buffers, 2);
  vapl_array *got, *valid;
  int before = released;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  assert_null(valid);
  assert_null(a.release);
  shows(got, text);
  vapl_release(got);
  assert_int_equal(released, before + 1);
}

static void test_formats(void **state) {
  (void)state;
  _Alignas(64) static const int8_t c[] = {1, -2, 127};
  static const int16_t s[] = {1, -2, 32767};
  static const int32_t i[] = {1, -2, 70000};
  static const int64_t l[] = {1, -2, 1234567890};
  static const float f[] = {0.5f, -2, 3};
  static const double g[] = {0.5, -2, 3};
  static const uint8_t uc[] = {1, 200, 255};
  static const uint16_t us[] = {1, 60000, 3};
  static const uint32_t ui[] = {1, 4000000000u, 3};
  static const uint64_t ul[] = {1, 2, UINT64_MAX};
  static const uint8_t b[] = {0x35, 1};
  comes_as("c", c, 3, 0, "1 ¯2 127");
  comes_as("s", s, 2, 1, "¯2 32767");
  comes_as("i", i, 3, 0, "1 ¯2 70000");
  comes_as("l", l, 3, 0, "1 ¯2 1234567890");
  comes_as("f", f, 3, 0, "0.5 ¯2 3");
  comes_as("g", g, 2, 1, "¯2 3");
  comes_as("C", uc, 3, 0, "1 200 255");
  comes_as("S", us, 3, 0, "1 60000 3");
  comes_as("I", ui, 3, 0, "1 4000000000 3");
  comes_as("L", ul, 2, 0, "1 2");
  comes_as("L", ul, 3, 0, "1 2 1.844674407E19");
  comes_as("b", b, 9, 0, "1 0 1 0 1 1 0 0 1");
  comes_as("b", b, 7, 2, "1 0 1 1 0 0 1");
  comes_as("tdD", i, 3, 0, "1 ¯2 70000");
  comes_as("tsn:UTC", l, 2, 0, "1 ¯2");
  comes_as("g", NULL, 0, 0, "");
}

static void test_in_place(void **state) {
  (void)state;
  static double many[1000];
  const void *buffers[] = {NULL, many};
  struct ArrowSchema s = {.format = "g"};
  for (int i = 0; i < 1000; i++) many[i] = i;
  struct ArrowArray a = given(1000, 0, buffers, 2);
  vapl_array *got;
  vapl_view k = {.size = sizeof k};
  OK(vapl_arrow_import(apl, &s, &a, &got, NULL));
  OK(vapl_map(apl, got, VAPL_F64, &k));
  assert_ptr_equal(k.data, many);
  OK(vapl_set(apl, "x", got));
  vapl_release(got);
  assert_int_equal(number(apl, "+/x"), 499500);
  int before = released;
  vapl_release(value(apl, "⎕EX'x'"));
  assert_int_equal(released, before + 1);
}

static void test_nulls_and_texts(void **state) {
  (void)state;
  static const uint8_t there[] = {5};
  static const int32_t ends[] = {0, 3, 3, 8}, numbers[] = {7, 0, 9};
  static const char letters[] = "abcgr\xC3\xBC!";
  const void *buffers[] = {there, ends, letters};
  const void *plain[] = {there, numbers};
  struct ArrowSchema s = {.format = "u"}, d = {.format = "i"};
  struct ArrowArray a = given(3, 0, buffers, 3);
  vapl_array *got, *valid;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  shows(got, " abc    grü! ");
  shows(valid, "1 0 1");
  vapl_release(got);
  vapl_release(valid);
  a = given(3, 0, plain, 2);
  int before = released;
  assert_int_equal(vapl_arrow_import(apl, &d, &a, &got, NULL), VAPL_DOMAIN);
  assert_int_equal(released, before);
  assert_non_null(a.release);
  OK(vapl_arrow_import(apl, &d, &a, &got, &valid));
  shows(valid, "1 0 1");
  vapl_release(got);
  vapl_release(valid);
  d.format = "+l";
  a = given(3, 0, plain, 2);
  assert_int_equal(vapl_arrow_import(apl, &d, &a, &got, &valid), VAPL_DOMAIN);
  a.release = NULL;
  EARG(vapl_arrow_import(apl, &s, &a, &got, &valid));
}

/* ── out and back ── */

static void comes_back(const char *text, const char *format) {
  struct ArrowSchema s;
  struct ArrowArray a;
  vapl_array *x = value(apl, text), *got, *valid;
  OK(vapl_arrow_export(apl, x, "name", &s, &a));
  vapl_release(x);
  assert_string_equal(s.format, format);
  assert_string_equal(s.name, "name");
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  s.release(&s);
  OK(vapl_set(apl, "y", got));
  char test[300];
  snprintf(test, sizeof test, "y≡%s", text);
  assert_int_equal(number(apl, test), 1);
  vapl_release(got);
  vapl_release(valid);
}

static void test_back(void **state) {
  (void)state;
  comes_back("1 0 1 1", "b");
  comes_back("257⍴1 0 0", "b");
  comes_back("⍳100", "c");
  comes_back("⍳1000", "s");
  comes_back("1000×⍳1000", "i");
  comes_back("1E10×⍳100", "l");
  comes_back("⌊2*40+⍳9", "l");
  comes_back("÷⍳100", "g");
  comes_back("⎕F32 ÷⍳100", "f");
  comes_back("'abc' 'grüß' ''", "U");
  comes_back("0⍴0", "b");
  vapl_release(value(apl, "⎕EX'y'"));
}

static void test_refused(void **state) {
  (void)state;
  struct ArrowSchema s;
  struct ArrowArray a;
  static const struct {
    const char *text;
    vapl_status status;
  } rows[] = {{"5", VAPL_RANK},         {"2 3⍴⍳6", VAPL_RANK},
              {"1J2 3", VAPL_DOMAIN},   {"(1 2)(3 4)", VAPL_DOMAIN},
              {"1 'abc'", VAPL_DOMAIN}, {"(⎕NS ⍬)(⎕NS ⍬)", VAPL_DOMAIN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    vapl_array *x = value(apl, rows[i].text);
    assert_int_equal(vapl_arrow_export(apl, x, NULL, &s, &a), rows[i].status);
    vapl_release(x);
  }
}

static void test_table(void **state) {
  (void)state;
  const char *names[] = {"a", "b", "c", "d"};
  vapl_array *x[] = {value(apl, "⍳3"), value(apl, "'x' 'yy' ⎕NULL"),
                     value(apl, "0.5 ⎕NULL 2"), value(apl, "3⍴'abc'")};
  struct ArrowSchema s;
  struct ArrowArray a;
  OK(vapl_arrow_export_table(apl, 4, names, x, &s, &a));
  assert_int_equal(a.length, 3);
  assert_int_equal(s.n_children, 4);
  assert_string_equal(s.children[1]->name, "b");
  assert_int_equal(a.children[1]->null_count, 1);
  vapl_array *got, *valid;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  s.release(&s);
  shows(got, " 1 2 3   x  yy     0.5 0 2   a  b  c  ");
  shows(valid, "   1 1 0  1 0 1   ");
  vapl_release(got);
  vapl_release(valid);
  vapl_array *other = value(apl, "⍳4");
  vapl_array *uneven[] = {x[0], other};
  assert_int_equal(vapl_arrow_export_table(apl, 2, names, uneven, &s, &a), VAPL_LENGTH);
  vapl_release(other);
  for (int i = 0; i < 4; i++) vapl_release(x[i]);
}

/* What was given out lives on when the interpreter is closed. */
static void test_later(void **state) {
  (void)state;
  struct ArrowSchema s;
  struct ArrowArray a;
  vapl *own;
  OK(vapl_open(NULL, &own));
  vapl_array *x = value(own, "0.5×⍳100");
  OK(vapl_arrow_export(own, x, NULL, &s, &a));
  vapl_release(x);
  vapl_close(own);
  assert_true(((const double *)a.buffers[1])[99] == 50);
  a.release(&a);
  s.release(&s);
}

/* ── dictionaries and views ── */

static void test_dictionary(void **state) {
  (void)state;
  static const uint8_t there[] = {0xF7}, first_there[] = {5};
  static const int32_t ends[] = {0, 2, 5, 6};
  static const int8_t at[] = {9, 2, 0, 9, 1, 2, 0};
  static const uint64_t far[] = {1, UINT64_MAX};
  const void *texts[] = {NULL, ends, "abcdef"}, *indices[] = {there, at};
  struct ArrowSchema words = {.format = "u"}, s = {.format = "c", .dictionary = &words};
  struct ArrowArray d = given(3, 0, texts, 3);
  vapl_array *got, *valid;
  struct ArrowArray a = given(6, 1, indices, 2);
  a.dictionary = &d;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid)); /* the fourth index is null */
  shows(got, " f  ab    cde  f  ab ");
  shows(valid, "1 1 0 1 1 1");
  vapl_release(got);
  vapl_release(valid);
  /* nulls of the dictionary itself */
  texts[0] = first_there;
  indices[0] = NULL;
  d = given(3, 0, texts, 3);
  a = given(3, 4, indices, 2);
  a.dictionary = &d;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  shows(got, " cde  f  ab ");
  shows(valid, "0 1 1");
  vapl_release(got);
  vapl_release(valid);
  /* of numbers; an index that is not there; a dictionary that is not there */
  static const double numbers[] = {0.5, 1.5, 2.5};
  const void *plain[] = {NULL, numbers};
  struct ArrowSchema floats = {.format = "g"};
  s.dictionary = &floats;
  d = given(3, 0, plain, 2);
  a = given(3, 4, indices, 2);
  a.dictionary = &d;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  shows(got, "1.5 2.5 0.5");
  assert_null(valid);
  vapl_release(got);
  a = given(4, 0, indices, 2);
  a.dictionary = &d;
  assert_int_equal(vapl_arrow_import(apl, &s, &a, &got, &valid), VAPL_DOMAIN);
  indices[1] = far;
  s.format = "L";
  a = given(2, 0, indices, 2);
  a.dictionary = &d;
  assert_int_equal(vapl_arrow_import(apl, &s, &a, &got, &valid), VAPL_DOMAIN);
  a.dictionary = NULL;
  assert_int_equal(vapl_arrow_import(apl, &s, &a, &got, &valid), VAPL_DOMAIN);
}

/* A view: length, and 12 bytes, or 4 bytes, which buffer, from where. */
static void test_views(void **state) {
  (void)state;
  static const char far[] = "....a text of more than twelve bytes";
  static const int64_t sizes[] = {sizeof far - 1};
  struct view {
    int32_t n;
    char first[4];
    int32_t buffer, at;
  } views[] = {
      {5, "shor", 't', 0}, {32, "a te", 0, 4}, {0, "", 0, 0}, {33, "a te", 0, 4}};
  const void *buffers[] = {NULL, views, far, sizes};
  struct ArrowSchema s = {.format = "vu"};
  struct ArrowArray a = given(3, 0, buffers, 4);
  vapl_array *got, *valid;
  OK(vapl_arrow_import(apl, &s, &a, &got, &valid));
  shows(got, " short  a text of more than twelve bytes   ");
  vapl_release(got);
  a = given(4, 0, buffers, 4);
  assert_int_equal(vapl_arrow_import(apl, &s, &a, &got, &valid), VAPL_DOMAIN);
  views[1].buffer = 1;
  assert_int_equal(vapl_arrow_import(apl, &s, &a, &got, &valid), VAPL_DOMAIN);
}

/* ── streams ── */

typedef struct made { /* a stream by hand: arrays, then an error or the end */
  struct ArrowSchema schema;
  struct ArrowArray *at;
  int n, i, fails;
} made;

static int made_schema(struct ArrowArrayStream *s, struct ArrowSchema *out) {
  *out = ((made *)s->private_data)->schema;
  return 0;
}
static int made_next(struct ArrowArrayStream *s, struct ArrowArray *out) {
  made *m = s->private_data;
  if (m->i < m->n) *out = m->at[m->i++];
  else if (m->fails) return m->fails;
  else *out = (struct ArrowArray){0};
  return 0;
}
static const char *made_error(struct ArrowArrayStream *s) {
  (void)s;
  return "it broke";
}
static void made_release(struct ArrowArrayStream *s) { s->release = NULL; }

static void test_stream_in(void **state) {
  (void)state;
  static const uint8_t there[] = {1};
  static const int64_t numbers[100] = {1, 2, 3};
  const void *plain[] = {NULL, numbers}, *nulls[] = {there, numbers};
  struct ArrowArray a[] = {given(2, 1, plain, 2), given(0, 0, plain, 2),
                           given(2, 0, nulls, 2)};
  made m = {.schema = {.format = "l"}, .at = a, .n = 3};
  struct ArrowArrayStream s = {made_schema, made_next, made_error, made_release, &m};
  vapl_array *got, *valid;
  int before = released;
  OK(vapl_arrow_import_stream(apl, &s, NULL, &got, &valid));
  shows(got, "2 3 1 2");
  shows(valid, "1 1 1 0");
  assert_int_equal(released, before + 3);
  vapl_release(got);
  vapl_release(valid);
  /* one array stays where it lies */
  a[0] = given(100, 0, plain, 2);
  m.i = 0, m.n = 1;
  OK(vapl_arrow_import_stream(apl, &s, NULL, &got, &valid));
  assert_null(valid);
  vapl_view view = {.size = sizeof view};
  OK(vapl_map(apl, got, VAPL_I64, &view));
  assert_ptr_equal(view.data, numbers);
  vapl_release(got);
  /* none, a failure, nulls without a place */
  m.i = 0, m.n = 0;
  OK(vapl_arrow_import_stream(apl, &s, NULL, &got, &valid));
  shows(got, "");
  vapl_release(got);
  a[0] = given(2, 0, plain, 2);
  m.i = 0, m.n = 1, m.fails = 5;
  assert_int_equal(vapl_arrow_import_stream(apl, &s, NULL, &got, &valid), VAPL_DOMAIN);
  assert_non_null(strstr(vapl_last_error(apl)->message, "it broke"));
  a[0] = given(2, 0, nulls, 2);
  m.i = 0, m.fails = 0;
  assert_int_equal(vapl_arrow_import_stream(apl, &s, NULL, &got, NULL), VAPL_DOMAIN);
  s.release = NULL;
  EARG(vapl_arrow_import_stream(apl, &s, NULL, &got, &valid));
}

static void test_stream_back(void **state) {
  (void)state;
  const char *names[] = {"n", "t"};
  vapl_array *x[] = {value(apl, "1 ⎕NULL 3"), value(apl, "'a' 'bc' 'd'")}, *got, *valid;
  struct ArrowArrayStream s;
  struct ArrowSchema schema;
  struct ArrowArray a;
  OK(vapl_arrow_export_stream(apl, 2, names, x, &s));
  OK(vapl_arrow_import_stream(apl, &s, &schema, &got, &valid));
  assert_string_equal(schema.children[1]->name, "t");
  schema.release(&schema);
  shows(got, " 1 0 3   a  bc  d  ");
  shows(valid, " 1 0 1   ");
  vapl_release(got);
  vapl_release(valid);
  assert_int_equal(s.get_next(&s, &a), 0);
  assert_null(a.release); /* it has ended */
  s.release(&s);
  OK(vapl_arrow_export_stream(apl, 1, NULL, x + 1, &s));
  OK(vapl_arrow_import_stream(apl, &s, NULL, &got, &valid));
  shows(got, " a  bc  d ");
  vapl_release(got);
  s.release(&s);
  vapl_array *matrix = value(apl, "2 2⍴⍳4");
  assert_int_equal(vapl_arrow_export_stream(apl, 1, NULL, &matrix, &s), VAPL_RANK);
  EARG(vapl_arrow_export_stream(apl, 2, NULL, x, &s));
  vapl_release(matrix);
  vapl_release(x[0]);
  vapl_release(x[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_formats, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_in_place, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_nulls_and_texts, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_back, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_refused, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_table, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_dictionary, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_views, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_stream_in, open_apl, close_apl),
      cmocka_unit_test_setup_teardown(test_stream_back, open_apl, close_apl),
      cmocka_unit_test(test_later)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
