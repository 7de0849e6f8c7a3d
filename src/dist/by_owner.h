/* SPDX-License-Identifier: MIT */
/* by_owner.h - numbers of what lies in parts, by the ranks that have it. */
#ifndef VAPL_DIST_BY_OWNER_H
#define VAPL_DIST_BY_OWNER_H
#include "part.h"

typedef struct by_owner {
  dist *d;
  int64_t *starts; /* the number of the first one that each rank has; that behind all */
  arr **
      places; /* for each rank: which ones of its part, from 0, in the order of the numbers */
  arr **chosen; /* and which of the numbers these are */
  int64_t *
      counts; /* [r × ranks + q]: how many rank r has for q: of this rank alone, until counts_shared (fetch.h) */
  bool fills; /* one less than ⎕IO is no INDEX ERROR: a selection has it for its fills */
} by_owner;

/* Lists `at`, which is on the host and of ET_I64, of numbers from io on, in an array of that shape: for all ranks, or for
 * this one `alone`. False after an error; and without one where there are fills. */
bool by_owner_list(by_owner *b, const arr *at, int io, int rank, const int64_t *shape,
                   bool alone);
void by_owner_free(by_owner *b);
#endif
