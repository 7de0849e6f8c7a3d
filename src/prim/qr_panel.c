/* SPDX-License-Identifier: MIT */
/* qr_panel.c - a panel's reflections on the host, by the order of operations of tables/panel.h. */
#include "../tables/panel.h"
#include "../base/mem.h"
#include "linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct panel {
  arena memory;
  int64_t m, n, steps; /* n: all columns */
  panel_shape shape;
  double *a, *t, *inverse, *r; /* m×n, and thrice steps×n: parts of the result */
  double *strip, *block;       /* sums of strips, strips × n; of blocks, blocks × n */
  double s[PANEL_COLUMNS], d[PANEL_COLUMNS], by[PANEL_COLUMNS];
} panel;
#define OWNED_PANEL __attribute__((cleanup(panel_free)))

static void panel_free(panel *p) { arena_free(&p->memory); }

static void add_times(double *to, double by, const double *v, int64_t n) {
  for (int64_t j = 0; j < n; j++) to[j] += by * v[j];
}

static void begin_strips(panel *p) {
  memset(p->strip, 0, (size_t)(p->shape.strips * p->n) * sizeof *p->strip);
}
static double *strip_of(panel *p, int64_t i) {
  return p->strip + i % p->shape.strips * p->n;
}
static void join_strips(panel *p, double *to) {
  for (int64_t half = p->shape.strips / 2; half; half /= 2)
    add_times(p->strip, 1, p->strip + half * p->n, half * p->n);
  memcpy(to, p->strip, (size_t)p->n * sizeof *to);
}

/* Row i less reflection k, or as it is where k is -1; below row k + 1 its products with its element k + 1
 * are added to its strip. */
static void reflect_row(panel *p, int64_t i, int64_t k) {
  double *row = p->a + i * p->n;
  if (k >= 0) add_times(row + k + 1, -row[k], p->by + k + 1, p->n - k - 1);
  if (i > k + 1 && k + 1 < p->steps) add_times(strip_of(p, i), row[k + 1], row, p->n);
}

/* The rows below k; then s is that of step k + 1. */
static bool reflect_rows(prim_env *e, panel *p, int64_t k) {
  int64_t size = p->shape.strips * p->shape.length;
  for (int64_t b = 0; b < p->shape.blocks; b++) {
    int64_t first = b * size, end = first + size < p->m ? first + size : p->m;
    if (interrupted(e->c)) return false;
    begin_strips(p);
    for (int64_t i = first > k ? first : k + 1; i < end; i++) reflect_row(p, i, k);
    join_strips(p, p->block + b * p->n);
  }
  begin_strips(p);
  for (int64_t b = 0; b < p->shape.blocks; b++)
    add_times(strip_of(p, b), 1, p->block + b * p->n, p->n);
  join_strips(p, p->s);
  return true;
}

/* Row k of T', or of R's inverse: `to` has the rows before, whose factors are from[i × step]. */
static void join_row(panel *p, int64_t k, double by, const double *from, int64_t step,
                     double *to) {
  double *row = to + k * p->n;
  begin_strips(p);
  for (int64_t i = 0; i < k; i++)
    add_times(strip_of(p, i), from[i * step], to + i * p->n, p->n);
  join_strips(p, row);
  for (int64_t j = 0; j < k; j++) row[j] = -(by * row[j]);
  row[k] = by;
}

static bool reflect_column(prim_env *e, panel *p, int64_t k, double square) {
  double *row = p->a + k * p->n, left = sqrt(p->s[k] + row[k] * row[k]);
  if (!(left > sqrt(square) * ((double)p->m * DBL_EPSILON)) || isinf(left))
    return err_set(e->c, ERR_DOMAIN, "⌹: the matrix is singular");
  double r = row[k] > 0 ? -left : left, v = row[k] - r, beta = -1 / (r * v);
  for (int64_t j = 0; j < p->n; j++) {
    p->d[j] = p->s[j] + v * row[j];
    p->by[j] = beta * p->d[j];
  }
  row[k] = v;
  p->r[k * p->n + k] = r;
  for (int64_t j = k + 1; j < p->n; j++) {
    p->r[k * p->n + j] = row[j] - v * p->by[j];
    row[j] = 0;
  }
  join_row(p, k, beta, p->d, 1, p->t);
  join_row(p, k, 1 / r, p->r + k, p->n, p->inverse);
  return true;
}

static bool panel_new(prim_env *e, panel *p, const arr *y, int64_t steps, arr *r) {
  int64_t m = y->shape[0], n = y->shape[1];
  size_t columns = (size_t)n * sizeof(double);
  *p = (panel){.memory = {.c = e->c}, .m = m, .n = n, .steps = steps};
  p->shape = panel_shape_of(m, n);
  p->a = r->host;
  p->t = p->a + m * n;
  p->inverse = p->t + steps * n;
  p->r = p->inverse + steps * n;
  p->strip = arena_alloc(&p->memory, (size_t)p->shape.strips * columns);
  p->block = arena_alloc(&p->memory, (size_t)p->shape.blocks * columns);
  if (err_is(e->c)) return false;
  memcpy(p->a, y->host, (size_t)m * columns);
  memset(p->t, 0, 3 * (size_t)steps * columns);
  return true;
}

arr *prim_qr_panel(prim_env *e, const arr *y, int64_t steps, const double *square) {
  int64_t rows = y->shape[0] + 3 * steps;
  OWNED arr *r = arr_new(e->c, ET_F64, 2, (int64_t[]){rows, y->shape[1]});
  OWNED_PANEL panel p = {.n = 0};
  if (!r || !panel_new(e, &p, y, steps, r)) return NULL;
  if (!reflect_rows(e, &p, -1)) return NULL;
  for (int64_t k = 0; k < steps; k++) {
    if (!reflect_column(e, &p, k, square[k]) || !reflect_rows(e, &p, k)) return NULL;
  }
  return arr_move(&r);
}
