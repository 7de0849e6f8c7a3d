/* SPDX-License-Identifier: MIT */
/* api_convert.h - elements between the public types of vapl.h and the storage of arrays.
 *
 * Everything goes through pieces of int64 or double, so that there is one loop per source
 * type and one per destination type instead of one per pair. */
#ifndef VAPL_API_CONVERT_H
#define VAPL_API_CONVERT_H
#include "../src/array/array.h"
#include "vapl.h"

/* The storage that a public type comes to; ET_COUNT for a number that is no type. */
elt convert_elt(vapl_type t);
vapl_type convert_type(elt t);         /* the public name of a storage type */
const char *convert_name(vapl_type t); /* "i16" */
/* Bytes of n elements; SIZE_MAX if that overflows. */
size_t convert_bytes(vapl_type t, int64_t n);
/* The alignment that memory used in place must have. */
size_t convert_align(vapl_type t);
/* Refuses characters that are none. */
bool convert_check(ctx *c, const arr *r);
/* Fills r (on the host, of type convert_elt(t)) from packed elements at any alignment. */
bool convert_in(ctx *c, arr *r, vapl_type t, const void *data);
/* Writes a's elements (on the host, not nested) packed to dst, at any alignment. */
bool convert_out(ctx *c, const arr *a, vapl_type t, void *dst);
#endif
