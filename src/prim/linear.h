/* SPDX-License-Identifier: MIT */
/* linear.h - what systems of more than LINEAR_REFINED elements are solved by. */
#ifndef VAPL_PRIM_LINEAR_H
#define VAPL_PRIM_LINEAR_H
#include "direct.h"

enum { LINEAR_REFINED = 4096 };

/* The panel y, f64, whose first `steps` columns become reflections: m + 3×steps rows, by tables/panel.h. square:
 * what squares these columns had in the whole matrix. DOMAIN ERROR: one depends on those before it. (qr_panel.c) */
arr *prim_qr_panel(prim_env *e, const arr *y, int64_t steps, const double *square);
#endif
