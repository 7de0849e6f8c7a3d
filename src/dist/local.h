/* SPDX-License-Identifier: MIT */
/* local.h - results whose parts are made of parts of arguments, without a word to the others. */
#ifndef VAPL_DIST_LOCAL_H
#define VAPL_DIST_LOCAL_H
#include "part.h"

/* Makes this rank's part, owned, between inside_begin and inside_end. It may be asked again: arguments' parts are
 * to be asked for by part_for each time. NULL after an error. */
typedef arr *local_fn(const ir_call *call, void *user);
/* That part, once all ranks have theirs and none of what they are made of left its type; *type is the greatest of
 * their types. NULL after an error, which all ranks have. An operation has begun. */
arr *local_part(const ir_call *call, local_fn *make, void *user, elt *type);
/* The cut array of that shape that these parts are. */
arr *local_cut(const ir_call *call, local_fn *make, void *user, int rank,
               const int64_t *shape);
#endif
