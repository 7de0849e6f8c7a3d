/* SPDX-License-Identifier: MIT */
/* callback.c - C functions that APL calls: one that computes, with a message where it cannot;
 * one with a state of its own, which is freed with it; one that calls APL in turn.
 *
 *   cc callback.c $(pkg-config --cflags --libs vapl) -lm -o callback
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vapl.h>

/* x hypot y, element by element: lengths of the sides of right triangles. */
static vapl_status sides(void *user, vapl *apl, vapl_array *left, vapl_array *right,
                         vapl_array **result) {
  vapl_view x, y;
  x.size = y.size = sizeof x;
  (void)user;
  if (!left) return vapl_fail(apl, VAPL_SYNTAX, "hypot takes two arguments");
  vapl_status s = vapl_map(apl, left, VAPL_F64, &x); /* any numbers, as doubles */
  if (!s) s = vapl_map(apl, right, VAPL_F64, &y);
  if (s) return s; /* its message goes with it */
  if (x.count != y.count)
    return vapl_fail(apl, VAPL_LENGTH, "hypot takes as many on both sides");
  double *r = (double *)malloc((y.count + 1) * sizeof *r);
  if (!r) return vapl_fail(apl, VAPL_WS_FULL, "");
  for (size_t i = 0; i < y.count; i++)
    r[i] = hypot(((const double *)x.data)[i], ((const double *)y.data)[i]);
  s = vapl_new(apl, VAPL_F64, y.rank, y.shape, r, result);
  free(r);
  return s;
}

/* Adds its argument to a total that belongs to the function, and gives the total. */
static vapl_status add_up(void *user, vapl *apl, vapl_array *left, vapl_array *right,
                          vapl_array **result) {
  double *total = (double *)user, more;
  (void)left;
  vapl_status s = vapl_read(apl, right, VAPL_F64, &more, sizeof more);
  if (s) return s;
  *total += more;
  return vapl_new(apl, VAPL_F64, 0, NULL, total, result);
}

/* Calls the function of the workspace whose name it is given, on 1 2 3. */
static vapl_status call_it(void *user, vapl *apl, vapl_array *left, vapl_array *right,
                           vapl_array **result) {
  char *name;
  vapl_array *numbers = NULL;
  (void)user, (void)left;
  vapl_status s = vapl_utf8(apl, right, &name, NULL);
  if (!s) s = vapl_eval(apl, "1 2 3", VAPL_STRLEN, NULL, &numbers);
  if (!s) s = vapl_call(apl, name, NULL, numbers, result);
  vapl_release(numbers);
  vapl_free(apl, name);
  return s;
}

static void show(void *user, int fd, const char *utf8, size_t n) {
  (void)user;
  fwrite(utf8, 1, n, fd == 2 ? stderr : stdout);
}

static int run(vapl *apl, const char *text) {
  if (vapl_eval(apl, text, VAPL_STRLEN, "callback", NULL) == VAPL_OK) return 0;
  const vapl_error *e = vapl_last_error(apl);
  printf("%s:%d:%d: %s: %s\n", e->file, e->line, e->column, e->name, e->message);
  return 1;
}

int main(void) {
  vapl_config config;
  memset(&config, 0, sizeof config);
  config.size = sizeof config;
  config.write = show;
  vapl *apl;
  double *total = (double *)calloc(1, sizeof *total);
  if (!total || vapl_open(&config, &apl)) return 1;
  vapl_status s = vapl_def(apl, "hypot", sides, NULL, NULL);
  if (!s) s = vapl_def(apl, "addup", add_up, total, free); /* freed with the function */
  if (!s) s = vapl_def(apl, "onthree", call_it, NULL, NULL);
  if (s) return 1;
  int failed = run(apl, "⎕←3 5 8 hypot 4 12 15");
  failed += run(apl, "⎕←addup¨1 2 3 4");
  failed += run(apl, "mean←{(+/⍵)÷≢⍵} ⋄ ⎕←onthree'mean'");
  failed += run(apl, "⎕←{11::'caught: ',⎕DMX.Message ⋄ 1 hypot'a'}0");
  failed += !run(apl, "1 2 hypot 3"); /* fails, as it should */
  vapl_close(apl);
  return failed != 0;
}
