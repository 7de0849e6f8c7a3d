/* SPDX-License-Identifier: MIT */
/* fold_join.h - REDUCE and SCAN by a join: what run.c calls, and what the files of it share.
 *
 *   fold_unit.c    the tree of tables/fold.h within tiles, or short lines, side by side
 *   fold_join.c    tiles: their totals, what comes before each, tasks, results
 *   fold_line.c    joins that are not associative: one element after the other */
#ifndef VAPL_HOST_FOLD_JOIN_H
#define VAPL_HOST_FOLD_JOIN_H
#include "body.h"
#include "threads.h"

enum { BLK_GROUP_QUADS = KIR_SCAN_GROUP / 4, BLK_NODES = 5 };
/* A unit's elements and lines: as many as stay in the cache and make lanes worth while. */
enum { BLK_UNIT = 8192, BLK_UNIT_LINES = 512 };

/* Groups with the same number of elements, side by side: lane l of row q of s[j] is element j of
 * quad q of group l. */
typedef struct blk_groups {
  size_t w, pitch;    /* groups; lanes from row to row */
  size_t quads, last; /* of a group; elements of its last quad */
  size_t no_run;      /* the first so many are the first ones of their strips */
  size_t alone;       /* so many have nothing before their strip */
  blk_tuple s[4], t;  /* rows for quads */
  blk_tuple run;      /* run of fold.h: a row */
  blk_tuple before;   /* P ∘ off: the same row as often as BLK_MAX lanes hold it */
  uint8_t *pad, *skip,
      *keep;    /* of a row, for masks: what is no group; nor a needed one */
  uint32_t *at; /* where a group's first element is in the unit */
} blk_groups;

/* Some segments of the same length: tiles of a line, or whole lines that are no longer. */
typedef struct blk_unit {
  int64_t row, at;          /* of the first segment: its line, its place there */
  int64_t n;                /* elements of a segment */
  size_t m;                 /* segments */
  size_t first;             /* so many have nothing before them in their line */
  bool scan, exclusive;     /* else only totals are made */
  bool total;               /* are the segments' totals asked for? */
  int64_t strips, whole_of; /* strips of a segment; whole ones among them */
  int64_t groups, tail; /* whole groups of a segment; in the strip that is not whole */
} blk_unit;

/* A super-tile's totals as they come: by batches of 32, of which some are full. */
typedef struct blk_tier {
  blk_tuple full, node[BLK_NODES], v;
  uint32_t batches, n;
} blk_tier;

typedef struct blk_join_shape {
  int64_t strip;     /* groups of a strip */
  int64_t tile;      /* elements */
  int64_t tiles, m;  /* of a line; segments of a unit at most */
  int64_t units;     /* of a line, or of all lines where a line is one segment */
  int64_t rows, len; /* of this level: the next one folds tiles' totals */
  int64_t lanes;     /* of a sequential join: lines side by side; 0: line by line */
  int64_t columns;   /* of these, at a time */
  blk_tuple from;    /* NULL: what the producer makes */
  blk_tuple to;      /* totals, where there are several of a line */
} blk_join_shape;

typedef struct blk_join_thread {
  blk_job *job;
  const blk_join_shape *shape;
  blk_joiner join;
  blk_groups whole, part; /* groups of 128, and those that are not full */
  blk_tuple x, r;         /* elements; results */
  blk_tuple cols, acc;    /* of a sequential join: turned elements; where it is */
  blk_tuple strip, off, base, prefix, total;
  blk_tuple identity;
  int64_t line; /* of a scan by prefixes */
  /* The prefix of a line's tiles. Of the first thread: everybody's. */
  blk_tier tier[KIR_SCAN_TIERS];
} blk_join_thread;

blk_join_shape blk_join_shape_of(const blk_plan *p, const blk_body *y, int threads);
size_t blk_join_bytes(const blk_plan *p, const blk_body *y, const blk_join_shape *s);
/* False when memory is out. */
bool blk_join_run(ctx *c, blk_pool *pool, blk_job *j, const blk_body *y,
                  blk_join_shape *s);

/* ── fold_unit.c ── */

/* The limits of a unit's groups, from n, m and the shape. */
void blk_unit_measure(const blk_join_shape *s, blk_unit *u);
/* Room for units of that size at most. */
void blk_unit_take(const blk_body *y, const blk_join_shape *s, blk_join_thread *w,
                   uintptr_t *mem);
/* The tree within the unit whose elements are x: up to its totals, if it has any. */
void blk_unit_up(blk_join_thread *w, const blk_unit *u, blk_tuple x);
/* Its results, to r, behind what w->prefix has for segments first, first + 1, … */
void blk_unit_down(blk_join_thread *w, const blk_unit *u, blk_tuple r);

/* ── fold_join.c ── */

/* n elements of the producer from number e0 on, whose position is pos: where they lie in
 * memory, or are made at `room`. */
blk_tuple blk_join_make(blk_thread *t, blk_tuple room, int64_t e0, int64_t pos,
                        int64_t n);
/* Where a scan's results are to be made: at the outputs, or else at r; and what is made of
 * them. */
blk_tuple blk_join_aim(const blk_thread *t, blk_tuple r, int64_t e0);
void blk_join_scanned(blk_thread *t, blk_tuple r, int64_t e0, int64_t pos, int64_t n);
/* n results of lines, from number o on. */
void blk_join_reduced(blk_thread *t, blk_tuple r, int64_t o, size_t n);

/* ── fold_line.c ── */

void blk_line_shape(const blk_plan *p, blk_join_shape *s);
void blk_line_take(const blk_plan *p, const blk_body *y, const blk_join_shape *s,
                   blk_join_thread *w, uintptr_t *mem);
/* False when memory is out. */
bool blk_line_run(ctx *c, blk_pool *pool, blk_job *j, const blk_join_shape *s);
#endif
