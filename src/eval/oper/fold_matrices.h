/* SPDX-License-Identifier: MIT */
/* fold_matrices.h - folds and scans of square matrices by their products. */
#ifndef VAPL_EVAL_FOLD_MATRICES_H
#define VAPL_EVAL_FOLD_MATRICES_H
#include "../value/vm.h"

/* Is f, on the items of y, a product of square matrices of one size: +.× ⌈.+ or ⌊.+? Then it
 * is associative (of floats but for rounding). */
bool is_matrix_product(const fn *f, const arr *y);
/* f/y, or f\y if `scan`, of a vector of 2×2 matrices on the host; forward: each product has the
 * later matrix on its left. NULL without an error: it is to be done item by item, since they
 * are not of that kind, or something overflows. */
arr *fold_matrices(vm *v, const fn *f, arr *y, bool scan, bool forward);
#endif
