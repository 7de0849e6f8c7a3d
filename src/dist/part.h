/* SPDX-License-Identifier: MIT */
/* part.h - cut arrays: how forms in parts read and make them. */
#ifndef VAPL_DIST_PART_H
#define VAPL_DIST_PART_H
#include "agree.h"
#include "cut.h"

static inline dist *dist_of(const ir_call *call) { return call->env.c->dist; }

/* Is a, cut or the same everywhere, so long that functions of it are computed in parts? */
static inline bool is_for_parts(const dist *d, const arr *a) {
  return a && a->rank && a->count >= d->cut_from && a->shape[0] >= d->ranks &&
         a->type != ET_NEST;
}
/* Is an array of that shape cut? */
bool is_cut_shape(const dist *d, int rank, const int64_t *shape);
/* The first row of this rank's part of an array of n rows; how many it has. */
int64_t my_first(const dist *d, int64_t n);
int64_t my_rows(const dist *d, int64_t n);
/* Are n rows cut between wholes of so many? */
bool is_cut_by(const dist *d, int64_t n, int64_t unit);
/* The number in the ravel of each rank's first element, and of the one behind the last; of mem_alloc, or NULL. */
int64_t *part_starts(dist *d, int rank, const int64_t *shape);

/* The part of a cut array as it is now, borrowed; NULL after an error of this rank. */
arr *part_of(dist *d, arr *a);
/* n rows of a from number `from` on, owned. */
arr *some_rows(const ir_call *call, arr *a, int64_t from, int64_t n);
/* This rank's rows of a, owned: of a cut array its part, of one that is the same everywhere a view of it. */
arr *part_for(const ir_call *call, arr *a);
/* The cut array of that shape with this part, which it takes over; without enough elements to be cut it is the same
 * everywhere, and the parts are gathered. NULL gives NULL: an error of this rank, of which the others hear later. */
arr *cut_array(const ir_call *call, arr *part, int rank, const int64_t *shape);
/* The same where it is cut, and its type is t for certain; but complex numbers may all turn out to be real. */
arr *cut_array_as(const ir_call *call, arr *part, elt t, int rank, const int64_t *shape);
/* f y, an order of a vector, which is made when its part is first needed: by d->ordered, if that is before anybody
 * asked for y in that order (order.c). */
arr *cut_later(const ir_call *call, prim f, arr *y, elt t);
/* Every form asks for it first of its arguments, which may be NULL: makes what was put off. False after an error. */
bool parts_ready(const ir_call *call, arr *x, arr *y);
bool part_settle(ir *g,
                 arr *a); /* for the table of functions (dist.c), as ir/cuts.h has it */
/* Has a its elements, here or in parts on all ranks, and its type for certain? False after an error. */
static inline bool parts_settle(dist *d, arr *a) {
  return is_cut(a) ? part_settle(d->g, a) : ir_settle(d->g, a);
}
/* What is here, as elements of type t: settled, for it may turn out to be of another. NULL after an error, or of NULL. */
arr *part_as(dist *d, arr *a, elt t);
/* The same of f y, x NULL, or of x f y, element by element: the part is made of their parts, and is made anew if
 * it turns out that it has another type on another rank. */
arr *cut_map(const ir_call *call, prim f, arr *x, arr *y, int rank, const int64_t *shape);
/* Makes this rank's part, owned, between inside_begin and inside_end. It may be asked again: arguments' parts are
 * to be asked for by part_for each time. NULL after an error. */
typedef arr *local_fn(const ir_call *call, void *user);
/* That part, once all ranks have theirs and none of what they are made of left its type; *type is the greatest of
 * their types. NULL after an error, which all ranks have. An operation has begun. */
arr *local_part(const ir_call *call, local_fn *make, void *user, elt *type);
/* Are so many elements not too many to be brought together? False after LIMIT ERROR, on all ranks alike. */
bool may_gather(dist *d, elt t, int64_t count);
/* All ranks' elements of parts, row by row, which have elements and one type: the array of that shape. */
arr *gathered(const ir_call *call, arr *part, int rank, const int64_t *shape);

/* All elements of a on every rank, there where it computes: not on the host, unless it does there. */
bool part_whole(ir *g, arr *a);

/* For the table of functions (dist.c): as ir/cuts.h has them. */
bool part_here(ir *g, arr *a);
arr *part_pick(const ir_call *call, arr *y, int64_t i);
/* a's elements at these places, which count from 0. */
arr *elements_at(const ir_call *call, arr *a, arr *places);
#endif
