/* SPDX-License-Identifier: MIT */
/* ranks_parts.c - vapl_cut, vapl_part and vapl_from_part of vapl.h, from a program that runs as several ranks.
 *
 *   mpirun -n 3 ranks_parts ENGINE.so
 *
 * Arrays have 2^24 elements and more, as few as are cut without a setting of tests. */
#include "runtime/vapl.h"
#include "runtime/vapl_mpi.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static vapl *v;
static const vapl_comm *comm;
static int failed, passed;

static void check(bool right, const char *what) {
  if (right) {
    passed++;
    return;
  }
  failed++;
  fprintf(stderr, "FAIL rank %d: %s: %s\n", comm->rank, what,
          vapl_last_error(v)->message);
}

/* The number that a text gives. */
static double number(const char *text) {
  vapl_array *r = NULL;
  double x = -1;
  if (!vapl_eval(v, text, VAPL_STRLEN, NULL, &r) && r)
    vapl_read(v, r, VAPL_F64, &x, sizeof x);
  vapl_release(r);
  return x;
}

/* The rows of this rank of the array whose element i of the ravel is i|7, as that type. */
static vapl_array *rows_of(vapl_type t, uint32_t rank, const int64_t *shape,
                           int64_t *first) {
  int64_t rows, inner = 1, own[15];
  vapl_array *r = NULL;
  check(!vapl_cut(v, rank, shape, first, &rows), "vapl_cut");
  for (uint32_t i = 1; i < rank; i++) inner *= own[i] = shape[i];
  own[0] = rows;
  size_t n = (size_t)(rows * inner);
  signed char *small = malloc(n);
  short *wide = malloc(2 * n);
  if (!small || !wide) abort();
  for (size_t i = 0; i < n; i++) {
    wide[i] = (short)(((int64_t)i + *first * inner) % 7);
    small[i] = (signed char)wide[i];
  }
  check(!vapl_new(v, t, rank, own, t == VAPL_I8 ? (void *)small : wide, &r), "vapl_new");
  free(small);
  free(wide);
  return r;
}

/* Rows of every rank become one array, of which each takes its rows again. */
static void round_trip(int64_t n) {
  int64_t shape[] = {n, 3}, first, again;
  /* The second rank has a wider type. */
  vapl_array *mine = rows_of(comm->rank == 1 ? VAPL_I16 : VAPL_I8, 2, shape, &first);
  vapl_array *all = NULL, *part = NULL;
  check(!vapl_from_part(v, 2, shape, mine, &all), "vapl_from_part");
  check(!vapl_set(v, "m", all), "vapl_set");
  check(number("≢m") == (double)n, "rows");
  check(number("∧/,m=(⍴m)⍴7|(⍳×/⍴m)-⎕IO") == 1, "elements");
  check(!vapl_part(v, all, &again, &part) && again == first, "vapl_part");
  vapl_view a = {.size = sizeof a}, b = {.size = sizeof b};
  check(!vapl_map(v, part, VAPL_I16, &a) && !vapl_map(v, mine, VAPL_I16, &b), "vapl_map");
  check(a.count == b.count && !memcmp(a.data, b.data, a.bytes), "the part's elements");
  if (comm->rank == 1) { /* one rank reads alone */
    vapl_array *item = NULL;
    check(!vapl_item(v, part, 4, &item), "vapl_item");
    vapl_release(item);
  }
  vapl_array *r = NULL;
  bool cut = a.count < 3 * (size_t)n;
  check((vapl_call(v, "+/", NULL, part, NULL) == VAPL_EARG) == cut,
        "vapl_call refuses a part");
  check((vapl_set(v, "p", part) == VAPL_EARG) == cut, "vapl_set refuses a part");
  check((vapl_new_nested(v, 1, (int64_t[]){1}, &part, &r) == VAPL_EARG) == cut,
        "vapl_new_nested refuses it");
  vapl_release(r);
  r = NULL;
  check(!vapl_from_part(v, 2, shape, part, &r), "a part is given back");
  check(!vapl_set(v, "again", r) && number("m≡again") == 1, "and is the same");
  vapl_release(r);
  vapl_release(all);
  vapl_release(part);
  vapl_release(mine);
}

/* What one rank does wrong, all are told. */
static void errors(int64_t n) {
  int64_t shape[] = {n, 3}, first;
  vapl_array *mine = rows_of(VAPL_I8, 2, shape, &first), *other = mine, *r = NULL;
  if (comm->rank == comm->ranks - 1)
    check(!vapl_text(v, "text", VAPL_STRLEN, &other), "vapl_text");
  check(vapl_from_part(v, 2, shape, other, &r) == VAPL_RANK && !r, "another rank");
  if (other != mine) vapl_release(other);
  int64_t two[] = {2, 3};
  other = mine;
  if (!comm->rank) check(!vapl_new(v, VAPL_I8, 2, two, "abcdef", &other), "vapl_new");
  check(vapl_from_part(v, 2, shape, other, &r) == VAPL_LENGTH && !r, "another length");
  if (other != mine) vapl_release(other);
  check(number("2+2") == 4, "the ranks go on together");
  int64_t low[] = {-1}, huge[] = {INT64_MAX, 2};
  check(vapl_cut(v, 1, low, &first, &first) == VAPL_EARG, "a negative extent");
  check(vapl_cut(v, 2, huge, &first, &first) == VAPL_EARG, "too many elements");
  check(vapl_cut(v, 16, NULL, &first, &first) == VAPL_EARG, "rank 16");
  check(vapl_part(v, NULL, &first, &r) == VAPL_EARG, "no array");
  vapl_release(mine);
}

/* A scalar and a short vector are the same everywhere: the first rank's. */
static void short_ones(void) {
  int64_t first, rows, shape[] = {3};
  vapl_array *mine = NULL, *all = NULL, *part = NULL;
  check(!vapl_cut(v, 0, NULL, &first, &rows) && first == 0 && rows == 1, "a scalar");
  check(!vapl_cut(v, 1, shape, &first, &rows) && first == 0 && rows == 3,
        "a short vector");
  double at[] = {comm->rank, 1, 2};
  check(!vapl_new(v, VAPL_F64, 1, shape, at, &mine), "vapl_new");
  check(!vapl_from_part(v, 1, shape, mine, &all) && !vapl_set(v, "s", all),
        "vapl_from_part");
  check(number("+/s") == 3, "the first rank's");
  check(!vapl_part(v, all, NULL, &part) && !vapl_set(v, "t", part), "its part is itself");
  vapl_release(mine);
  vapl_release(all);
  vapl_release(part);
}

int main(int argc, char **argv) {
  char why[256] = "";
  void *engine = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  vapl_mpi_world_fn *world = NULL;
  if (engine) *(void **)&world = dlsym(engine, "vapl_mpi_world");
  comm = world ? world(why, sizeof why) : NULL;
  if (!comm) {
    fprintf(stderr, "ranks_parts: no engine: %s\n", why);
    return 2;
  }
  vapl_config config = {.size = sizeof config, .comm = comm, .device = "host"};
  if (argc > 2) config.device = argv[2];
  if (vapl_open(&config, &v)) return 2;
  round_trip((1 << 24) / 3 + 1);
  round_trip(6000011);
  round_trip(1000);
  errors(6000011);
  short_ones();
  vapl_close(v);
  if (!comm->rank) printf("ranks_parts: %d passed, %d failed\n", passed, failed);
  return failed != 0;
}
