/* SPDX-License-Identifier: MIT */
/* store.h - assignment to elements of a cut array. */
#ifndef VAPL_DIST_STORE_H
#define VAPL_DIST_STORE_H
#include "part.h"

/* As ir_put, for the table of functions (ir/cuts.h): all ranks call it. False without an error: it is not for parts, and
 * nothing has happened. */
bool store_put(const ir_call *call, arr **x, arr *at, arr *v);
/* As ir_put_joined, likewise, of an x that is the same everywhere (store_join.c). */
bool store_join(const ir_call *call, prim f, arr **x, arr *at, arr *v);
#endif
