/* SPDX-License-Identifier: MIT */
/* ranks.c - one array on several processes: each makes its own rows, APL computes with all of them, and each takes
 * its own rows of the result. The numbers are the same for any number of processes.
 *
 *   cc ranks.c $(pkg-config --cflags --libs vapl) -ldl -o ranks
 *   mpirun -n 4 ./ranks /usr/lib/vapl/vapl-mpi.so
 *
 * Every call of vapl.h is made by all processes in one order; what one of them does wrong, all are told. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vapl.h>
#include <vapl_mpi.h>

enum { ROWS = 6000000, COLUMNS = 4 };

static int complain(vapl *apl, const vapl_comm *comm) {
  const vapl_error *e = vapl_last_error(apl);
  if (!comm->rank) fprintf(stderr, "%s: %s\n", e->name, e->message);
  return 1;
}

/* This process's rows of a table: row i is i, i÷2, i÷3, i÷4. Its memory is the array's. */
static vapl_status my_rows(vapl *apl, const int64_t *shape, vapl_array **rows) {
  int64_t first, mine[2] = {0, COLUMNS};
  vapl_status s = vapl_cut(apl, 2, shape, &first, &mine[0]);
  float *data = s ? NULL : (float *)malloc((size_t)mine[0] * COLUMNS * sizeof *data);
  if (!data) return s ? s : VAPL_WS_FULL;
  for (int64_t i = 0; i < mine[0]; i++)
    for (int j = 0; j < COLUMNS; j++)
      data[i * COLUMNS + j] = (float)(first + i) / (float)(j + 1);
  s = vapl_new(apl, VAPL_F32, 2, mine, data, rows);
  free(data);
  return s;
}

static int work(vapl *apl, const vapl_comm *comm) {
  const int64_t shape[2] = {ROWS, COLUMNS};
  vapl_array *rows = NULL, *table = NULL, *mean = NULL, *centred = NULL, *mine = NULL;
  vapl_view view;
  double column[COLUMNS];
  int64_t first;
  view.size = sizeof view;
  vapl_status s = my_rows(apl, shape, &rows);
  if (!s) s = vapl_from_part(apl, 2, shape, rows, &table);
  if (!s) s = vapl_call(apl, "{(+⌿⍵)÷≢⍵}", NULL, table, &mean); /* the same on all */
  if (!s) s = vapl_read(apl, mean, VAPL_F64, column, sizeof column);
  if (!s) s = vapl_call(apl, "{⍵-⍤1⊢(+⌿⍵)÷≢⍵}", NULL, table, &centred); /* cut */
  if (!s) s = vapl_part(apl, centred, &first, &mine);
  if (!s) s = vapl_map(apl, mine, VAPL_F64, &view);
  if (!s && !comm->rank) { /* from here on this process needs no other */
    printf("means %.17g %.17g %.17g %.17g\n", column[0], column[1], column[2], column[3]);
    printf("row %lld less them: %.17g …\n", (long long)first,
           ((const double *)view.data)[0]);
  }
  vapl_release(rows);
  vapl_release(table);
  vapl_release(mean);
  vapl_release(centred);
  vapl_release(mine);
  return s ? complain(apl, comm) : 0;
}

int main(int argc, char **argv) {
  char why[200] = "it cannot be opened";
  void *engine =
      dlopen(argc > 1 ? argv[1] : "/usr/lib/vapl/vapl-mpi.so", RTLD_NOW | RTLD_LOCAL);
  vapl_mpi_world_fn *world = NULL;
  if (engine) *(void **)&world = dlsym(engine, "vapl_mpi_world");
  const vapl_comm *comm = world ? world(why, sizeof why) : NULL;
  if (!comm) {
    fprintf(stderr, "no engine: %s\n", why);
    return 77;
  }
  vapl_config config;
  memset(&config, 0, sizeof config);
  config.size = sizeof config;
  config.comm = comm;
  vapl *apl;
  if (vapl_open(&config, &apl)) return 1;
  int failed = work(apl, comm);
  vapl_close(apl);
  return failed;
}
