/* SPDX-License-Identifier: MIT */
/* linear.h - what systems of many columns are solved by: the factors of QR_PANEL of them. */
#ifndef VAPL_PRIM_LINEAR_H
#define VAPL_PRIM_LINEAR_H
#include "direct.h"

enum { QR_PANEL = 64 };

/* Householder's factors of the m×n panel whose columns are the rows of `columns`, f64, n at most
 * QR_PANEL: Q' = I - VT'V'. `columns` becomes V', t (n×n) T' and inverse (n×n) R's inverse.
 * length: how long the columns were in the whole matrix. DOMAIN ERROR: one depends on those before
 * it. */
bool prim_qr_panel(prim_env *e, arr *columns, double *length, arr *t, arr *inverse);
#endif
