/* SPDX-License-Identifier: MIT */
/* fold.h - folds and scans along the first axis, in parts: what fold_rows.c gives to fold.c, scan.c and strips.c, and
 * what they give. */
#ifndef VAPL_DIST_FOLD_H
#define VAPL_DIST_FOLD_H
#include "../tables/prim_fold.h"
#include "forms.h"

/* f/ or f\, or those of a function of two scalars. */
typedef struct fold_call {
  prim f;
  const ir_function *fn; /* NULL: f */
  bool scan;
} fold_call;
/* Along another axis than the first: every rank folds its rows' lines. (map.c) */
arr *map_fold(const ir_call *call, const fold_call *of, arr *y, int axis);

/* How rows of a class are folded by f. */
typedef enum fold_way {
  WAY_NONE,    /* in no way that parts know */
  WAY_SUM,     /* whole numbers, as 128 bits */
  WAY_PARITY,  /* truth values: whether their sum is odd */
  WAY_EXTREME, /* neither order nor bracketing shows, and each result is an element */
  WAY_TREE     /* floats: by the tree of tables/fold.h */
} fold_way;
fold_way fold_way_of(prim f, cls on);
/* Of what EXTREMEs of truth values are: P_CEIL or P_FLOOR. */
prim fold_extreme_of(prim f, cls on);

/* Everybody's rows, one rank's behind another's. */
typedef struct fold_rows_of {
  size_t *each; /* bytes of each rank */
  char *all;
} fold_rows_of;
/* Room for rows[r] rows of so many bytes of each rank r. */
bool fold_room(dist *d, fold_rows_of *of, const int64_t *rows, size_t bytes);
void fold_room_free(dist *d, fold_rows_of *of);
/* They have agreed. */
bool fold_gather(dist *d, fold_rows_of *of, const void *mine);

/* ── a fold of rows, or a scan ── */

typedef struct first_fold {
  const ir_call *call;
  dist *d;
  prim f;
  bool scan;
  arr *y, *mask;    /* the elements where mask is 1; NULL: all */
  bool any;         /* there are such */
  int64_t n, inner; /* rows; elements of each */
  cls on;           /* of the elements, and what follows of it */
  fold_way way;
  elt type;  /* of the elements, where they are floats */
  bool wide; /* a sum: two words of it */
  bool off;  /* by the tree: some number that ranks have is not finite */
  arr *
      mine; /* on the host, owned: its rows' fold, or each tile's; of a scan by the tree none */
  arr *line, *tops,
      *column; /* owned: the tail and what completes it; tiles of the next level; room for a column */
  int64_t *rows;
  fold_rows_of all;
} first_fold;

/* An operation begins. False: f is folded in no way, or after an error. Either way it ends. */
bool fold_begins(first_fold *z, const ir_call *call, bool scan, prim f, arr *y);
void fold_ends(first_fold *z);
/* Until all ranks have their rows folded, of one class; then z->way says how, and z->all has room for what they
 * tell. False: after an error. */
bool fold_parts(first_fold *z);

/* The same again where what they tell is not enough (wide). Other ways than a scan's need it. */
bool fold_again(first_fold *z);
/* Tiles of a rank, so many of which are one of the next level: those that complete what ranks before it began, wholes,
 * and those of what the ranks behind it complete. */
typedef struct fold_told {
  int64_t head, whole, tail;
} fold_told;
fold_told fold_told_of(int64_t from, int64_t to,
                       int64_t many); /* tiles number `from` to `to` - 1 */
/* Of a fold by the tree: rank r's, and the rank that began what its head completes. */
fold_told fold_tells(const first_fold *z, int r);
int fold_owner(const first_fold *z, int r);
/* Element j of row i of everybody's whole numbers; what the first so many ranks' come to, by PARITY or an EXTREME. */
int64_t fold_whole(const first_fold *z, int64_t i, int64_t j);
int64_t fold_wholes(const first_fold *z, int ranks, int64_t j);
/* The same of floats by an EXTREME: an array of that shape. */
arr *fold_reals(const first_fold *z, int ranks, int rank, const int64_t *shape);
/* Is it done, and has every rank found that it can be done so? False without an error: no. */
bool fold_agreed(first_fold *z, bool ok);

/* f⌿y or f⍀y: every rank gets whole columns of it, and folds those. NULL without an error: it has too few, or no
 * kernel folds them. */
arr *fold_by_columns(const ir_call *call, const fold_call *of, arr *y);
/* Is +\ of n such rows computed where they are? Then by this. NULL without an error: it is not. (strips.c) */
bool is_for_strips(const dist *d, prim f, int64_t n, int64_t inner);
arr *scan_by_strips(first_fold *z);
/* f⍀y of rows, behind what the ranks before have. NULL without an error: it is not for parts. */
arr *scan_first(const ir_call *call, prim f, arr *y);
#endif
