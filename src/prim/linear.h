/* SPDX-License-Identifier: MIT */
/* linear.h - many systems at once, and what those of more than LINEAR_REFINED elements are solved by. */
#ifndef VAPL_PRIM_LINEAR_H
#define VAPL_PRIM_LINEAR_H
#include "direct.h"

enum { LINEAR_REFINED = 4096 };

/* So many systems of m equations, n unknowns and `cols` right-hand sides. */
typedef struct linear_shape {
  int64_t count, m, n, cols;
} linear_shape;
/* x⌹y of each of them, or ⌹y where x is NULL, behind one another: m × n of y, m × cols of x, n × cols of the
 * result, whose shape is given. (linear.c) */
arr *prim_divide_systems(prim_env *e, const arr *x, const arr *y, const linear_shape *s,
                         int rank, const int64_t *shape);

/* The panel y, f64, whose first `steps` columns become reflections: m + 3×steps rows, by tables/panel.h. square:
 * what squares these columns had in the whole matrix. DOMAIN ERROR: one depends on those before it. (qr_panel.c) */
arr *prim_qr_panel(prim_env *e, const arr *y, int64_t steps, const double *square);
#endif
