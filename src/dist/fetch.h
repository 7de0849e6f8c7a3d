/* SPDX-License-Identifier: MIT */
/* fetch.h - elements come to the ranks that want them: what every exchange of arrays is made of.
 *
 * An array lies in parts, one behind the other in its ravel: rank r has elements starts[r] to starts[r + 1] - 1.
 * What each rank wants of it is a few stretches of the ravel, which all ranks know of all ranks: so each of them
 * finds by itself what it sends and what it gets, and no sizes are sent. */
#ifndef VAPL_DIST_FETCH_H
#define VAPL_DIST_FETCH_H
#include "part.h"

struct fetch;
struct fetching;
/* What a rank wants, as it is told. */
typedef struct wanted {
  const struct fetching *of;
  int rank;
  int64_t foreign;    /* how many elements other ranks have */
  struct fetch *into; /* NULL: they are only counted */
} wanted;

/* One more stretch, elements lo to hi - 1, behind those before. */
void want(wanted *w, int64_t lo, int64_t hi);
/* Tells by want() what rank w->rank wants. */
typedef void want_fn(const void *user, wanted *w);

/* All that there is to say of it. */
typedef struct fetching {
  const int64_t *starts; /* where parts begin, and the last one ends */
  want_fn *wants;
  const void *user;
  elt t; /* of the elements */
  int rank;
  const int64_t *shape; /* of what this rank wants, together; NULL: a vector */
} fetching;

/* How many elements go from rank to rank. */
int64_t fetch_count(const fetching *of, int ranks);
/* What this rank wants, owned, of type t unless that is complex and no element is: what it has itself is not copied.
 * All ranks call it, each with its part, or NULL after an error, which all of them hear of. */
arr *fetched(const ir_call *call, arr *part, const fetching *of);
/* The same as the elements of `to`, which has none yet; NULL after an error, likewise. */
bool fetched_into(dist *d, arr *part, const fetching *of, arr *to);

/* The elements of a vector and those of another one behind them, a node. */
arr *side_by_side(const ir_call *call, arr *x, arr *y);

/* counts[r × ranks + q] is how many elements rank r has for rank q: of this rank before, if `ok`, of all behind. False
 * after an error, likewise. */
bool counts_shared(dist *d, int64_t *counts, bool ok);
/* Array out[r], computed, is for rank r, and in[r] elements come from rank r: these, one behind the other, as a vector,
 * owned. All are of type t; truth values travel as integers (sent_as). out NULL after an error, likewise. */
static inline elt sent_as(elt t) { return t == ET_BIT ? ET_I8 : t; }
arr *exchanged(const ir_call *call, arr *const *out, const int64_t *in, elt t);

/* ── numbers of what lies in parts, by the ranks that have it (by_owner.c) ── */

typedef struct by_owner {
  dist *d;
  int64_t *starts; /* the number of the first one that each rank has; that behind all */
  arr **
      places; /* for each rank: which ones of its part, from 0, in the order of the numbers */
  arr **chosen; /* and which of the numbers these are */
  int64_t *
      counts; /* [r × ranks + q]: how many rank r has for q: of this rank alone, until counts_shared */
  bool fills; /* one less than ⎕IO is no INDEX ERROR: a selection has it for its fills */
} by_owner;

/* Lists `at`, which is on the host and of ET_I64, of numbers from io on, in an array of that shape: for all ranks, or for
 * this one `alone`. False after an error; and without one where there are fills. */
bool by_owner_list(by_owner *b, const arr *at, int io, int rank, const int64_t *shape,
                   bool alone);
void by_owner_free(by_owner *b);
#endif
