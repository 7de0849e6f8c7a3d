/* SPDX-License-Identifier: MIT */
/* npy.h - arrays in NumPy's format (npy.c), which npz.c finds in archives. */
#ifndef VAPL_EXT_NPY_H
#define VAPL_EXT_NPY_H
#include "../../src/eval/system/ext.h"

typedef struct npy_head { /* what the header of a .npy file says */
  char type[24];          /* as it is written, such as <f8 */
  char order, kind;       /* < > | and b i u f c U S, or what is not read */
  int bytes;              /* of an element; of U and S: characters */
  bool fortran;           /* the first axis varies fastest */
  int rank;
  int64_t shape[ARR_MAX_RANK];
  size_t offset; /* where the elements begin */
} npy_head;

/* Reads the header of the n bytes at p. DOMAIN ERROR with `name`. */
bool npy_read_head(vm *v, const char *name, const char *p, size_t n, npy_head *h);
/* The array whose elements are at p, n bytes of them. */
arr *npy_array(vm *v, const char *name, const npy_head *h, const char *p, size_t n);
/* The header that the array x gets, and what follows it: x's own elements, or *made, owned. */
bool npy_put_head(vm *v, const char *who, arr *x, str *head, arr **made);
#endif
