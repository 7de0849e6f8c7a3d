/* SPDX-License-Identifier: MIT */
/* view.h - movement: the shape of a result, and where each of its elements comes from.
 *
 *   arguments ──prim/move.c──▶ view ──view_copy──▶ a host array
 *                                 └──ir/build.c──▶ a lazy node, where a kernel can read it
 *   indices ────prim/index.c──▶ view ──view_put───▶ elements of an array written over
 *
 * A primitive that only moves elements (⌽ ⊖ ⍉ ↑ ↓ ⍴ , ⍪ ⌷ and indexing) is one function from
 * its arguments to a view. Only that function has its shape rule and its errors. A view is
 * copied by view_copy, or read through.
 *
 * A view is a shape and up to two parts. A part is a box of the result and the place in a
 * source that each of its elements comes from: a linear function of the position, or a list of
 * positions along an axis (indexing). One part suffices but for a catenation, which has two
 * sources, and a rotation, which reads one source in two pieces. Elements that are in no part
 * are fill elements. */
#ifndef VAPL_VIEW_H
#define VAPL_VIEW_H
#include "array.h"

/* A box of elements with axes of its own, which need not be the result's. Element (i0, i1, …)
 * goes to element `to` + Σ i×to_stride of the result's ravel, and comes from element `from` +
 * Σ p×stride of the source's, where p is element i of list[k], or i itself where that is NULL. */
typedef struct view_part {
  int source; /* which argument, from 0 */
  int rank;
  int64_t to, from;
  int64_t len[ARR_MAX_RANK], to_stride[ARR_MAX_RANK], stride[ARR_MAX_RANK];
  const arr *list[ARR_MAX_RANK]; /* borrowed integers */
} view_part;

typedef struct view {
  int rank;
  int64_t shape[ARR_MAX_RANK];
  int64_t count; /* the product of shape, which has been checked */
  bool itself;   /* the result is the source as it stands; there are no parts */
  bool fills;    /* some elements are in no part */
  int like;      /* the source that an empty result is of the type of */
  int64_t
      modulo; /* not 0: there are no parts; element i of the ravel is number i mod modulo */
  int parts;
  view_part part[2];
} view;

/* ── making views ── */
/* A view of that shape without parts. False after LIMIT ERROR: the rank or the count is too
 * large. */
bool view_shape(ctx *c, view *v, int rank, const int64_t *shape);
/* A part of `v` that is all of the result, axis by axis; its element 0 of source 0 stands
 * everywhere until the caller sets strides. */
view_part *view_add(view *v);
bool view_itself(ctx *c, view *v, const arr *y);
/* The elements of y from number `first` on, in their order, as many as the shape has. */
bool view_ravelled(ctx *c, view *v, int64_t first, int rank, const int64_t *shape);
/* The same part with the fewest axes: those of length 1 are dropped, neighbours that both sides
 * step through alike are joined. Rank 0 is one element, rank -1 none. */
void view_simplify(const view_part *p, view_part *to);

/* ── running them on the host ── */
/* The array that v describes. from[i] is source i: all are host arrays. */
arr *view_copy(ctx *c, const view *v, arr *const *from);
/* One part of that: elements of `from` go to r, which is of a type that holds them. Where the
 * types differ no axis may have a list, and r is not nested. False after INTERRUPT. */
bool view_copy_part(arr *r, const arr *from, const view_part *p);
/* Writes v's elements into r through a view of r that has one part: the element of v with the
 * same number in ravel order, or its only one, goes to where the view reads. r is of v's type
 * and not shared. */
void view_put(arr *r, const view *at, const arr *v);

/* ── results and their fill elements ── */
/* A new array that will hold elements of y: y's type and range, y's prototype if it is empty
 * and nested. Other items are NULL. */
arr *arr_like(ctx *c, const arr *y, int rank, const int64_t *shape);
/* r, which has the elements of x and y, gets what is known of both. */
void arr_join_ranges(arr *r, const arr *x, const arr *y);
/* Simple r: every element becomes the fill element of its type, which joins its range. Nested:
 * nothing. */
bool arr_blank(arr *r);
/* Nested r: every item that is still NULL becomes the prototype of y's first item. Simple:
 * nothing. Takes r over; gives it back squeezed, or NULL. */
arr *arr_fill_rest(ctx *c, arr *r, const arr *y);

/* ── shapes ── */
/* How many elements of the ravel a step along each axis is. */
void strides_of(int rank, const int64_t *shape, int64_t *strides);
/* An array as outer × n × inner elements, n along axis k. */
typedef struct split {
  int64_t outer, n, inner;
} split;
split split_at(const arr *y, int k);
#endif
