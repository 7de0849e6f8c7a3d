/* SPDX-License-Identifier: MIT */
/* wrap.c - large arrays without a copy, both ways: APL computes on your memory where it lies, and
 * you read its result where that lies.
 *
 *   cc wrap.c $(pkg-config --cflags --libs vapl) -o wrap
 */
#include <stdio.h>
#include <stdlib.h>
#include <vapl.h>

enum { ROWS = 1000, COLUMNS = 500 };

/* Called once, when nothing uses the memory any more. */
static void give_back(void *user, void *data) {
  printf("%s is free again\n", (const char *)user);
  free(data);
}

int main(void) {
  static char who[] = "the table";
  const int64_t shape[2] = {ROWS, COLUMNS};
  vapl_array *table, *means = NULL;
  vapl_view view;
  view.size = sizeof view;
  double *data = (double *)malloc(sizeof *data * ROWS * COLUMNS);
  vapl *apl;
  if (!data || vapl_open(NULL, &apl)) return 1;
  for (int i = 0; i < ROWS * COLUMNS; i++) data[i] = i % COLUMNS;

  /* From here on data must not change, until give_back. */
  if (vapl_wrap(apl, VAPL_F64, 2, shape, data, give_back, who, &table)) return 1;
  vapl_status s = vapl_call(apl, "{(+⌿⍵)÷≢⍵}", NULL, table, &means);
  if (!s) s = vapl_map(apl, means, VAPL_F64, &view); /* its own elements, in place */
  if (!s) {
    const double *mean = (const double *)view.data;
    printf("%d columns, means %g %g … %g\n", (int)view.count, mean[0], mean[1],
           mean[view.count - 1]);
  }
  /* Read in place, what was wrapped is the very memory. */
  if (!s) s = vapl_map(apl, table, VAPL_F64, &view);
  printf("the same memory: %s\n", view.data == data ? "yes" : "no");
  vapl_release(table);
  vapl_release(means);
  vapl_close(apl);
  return s != VAPL_OK;
}
