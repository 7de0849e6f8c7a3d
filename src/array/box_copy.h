/* SPDX-License-Identifier: MIT */
/* box_copy.h - moving the elements of a box between two host arrays, for view.c. */
#ifndef VAPL_COPY_H
#define VAPL_COPY_H
#include "view.h"

/* The elements of y that b reads go to its box of r. Where r is of another type than y no axis
 * may have a list. Both functions may reorder b's axes. Copying is false after INTERRUPT. */
bool copy_box(arr *r, const arr *y, view_part *b);
/* The same of a part that has one axis, which is often all that there is. */
bool copy_line(arr *r, const arr *y, const view_part *p);
/* The other way: the packed elements of y go to where b reads in r. One type. */
void put_box(arr *r, const arr *y, view_part *b);
#endif
