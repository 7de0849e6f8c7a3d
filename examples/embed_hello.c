/* SPDX-License-Identifier: MIT */
/* embed_hello.c - vapl inside a C program: run a text, hand an array over, call a function of
 * the workspace, read its result, look at an error, close.
 *
 *   cc embed_hello.c $(pkg-config --cflags --libs vapl) -o embed_hello
 *
 * Every call returns a status. An array that a call gave is given back by vapl_release. */
#include <stdio.h>
#include <string.h>
#include <vapl.h>

/* Output of the APL program itself: what ⎕← says. */
static void show(void *user, int fd, const char *utf8, size_t n) {
  (void)user;
  fwrite(utf8, 1, n, fd == 2 ? stderr : stdout);
}

static int complain(vapl *apl, const char *what) {
  const vapl_error *e = vapl_last_error(apl);
  fprintf(stderr, "%s: %s: %s\n", what, e->name, e->message);
  return 1;
}

/* Calls the function `mean` of the workspace on six numbers of ours. */
static int mean_of_ours(vapl *apl) {
  const double data[6] = {2, 3, 5, 7, 11, 13};
  const int64_t shape[1] = {6};
  vapl_array *numbers = NULL, *result = NULL;
  double mean = 0;
  vapl_status s = vapl_new(apl, VAPL_F64, 1, shape, data, &numbers);
  if (!s) s = vapl_call(apl, "mean", NULL, numbers, &result);
  if (!s) s = vapl_read(apl, result, VAPL_F64, &mean, sizeof mean);
  vapl_release(result);
  vapl_release(numbers);
  if (s) return complain(apl, "mean");
  printf("mean of 2 3 5 7 11 13: %g\n", mean);
  return 0;
}

/* Gives an array a name, computes with it in APL, and reads a matrix back in place. */
static int table(vapl *apl) {
  const int32_t data[3] = {1, 2, 3};
  const int64_t shape[1] = {3};
  vapl_array *row = NULL, *both = NULL;
  vapl_view view;
  view.size = sizeof view;
  vapl_status s = vapl_new(apl, VAPL_I32, 1, shape, data, &row);
  if (!s) s = vapl_set(apl, "row", row);
  if (!s) s = vapl_eval(apl, "2 3⍴row,row×10", VAPL_STRLEN, NULL, &both);
  if (!s) s = vapl_map(apl, both, VAPL_I64, &view);
  if (!s)
    for (int64_t i = 0; i < view.shape[0]; i++) {
      for (int64_t j = 0; j < view.shape[1]; j++)
        printf("%4lld", (long long)((const int64_t *)view.data)[i * view.shape[1] + j]);
      printf("\n");
    }
  vapl_release(both); /* view.data is gone with it */
  vapl_release(row);
  return s ? complain(apl, "table") : 0;
}

/* An error is a status and a record; the workspace lives on. */
static int an_error(vapl *apl) {
  if (vapl_eval(apl, "a←1 2 3\nb←a+4 5", VAPL_STRLEN, "lengths", NULL) != VAPL_LENGTH)
    return 1;
  const vapl_error *e = vapl_last_error(apl);
  printf("%s:%d:%d: %s in: %s\n", e->file, e->line, e->column, e->name, e->source);
  return 0;
}

int main(void) {
  vapl_config config;
  memset(&config, 0, sizeof config);
  config.size = sizeof config;
  config.write = show;
  vapl *apl;
  if (vapl_open(&config, &apl)) return 1;
  int failed = 0;
  if (vapl_eval(apl, "mean←{(+/⍵)÷≢⍵} ⋄ ⎕←'hello from APL'", VAPL_STRLEN, NULL, NULL))
    failed = complain(apl, "hello");
  if (!failed) failed = mean_of_ours(apl);
  if (!failed) failed = table(apl);
  if (!failed) failed = an_error(apl);
  vapl_close(apl);
  return failed;
}
