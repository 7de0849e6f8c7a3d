/* SPDX-License-Identifier: MIT */
/* dist.h - one program on several processes, the RANKS, each with a device of its own.
 *
 * Every rank runs the whole program. Short arrays are the SAME on all of them; of a long one, which is CUT, each
 * rank has its PART: a run of rows that cut.h tells from the shape alone. What stands behind ctx.dist:
 *
 *   cut.c       where an array is cut
 *   agree.c     what all ranks have to know alike: the one message by which they stay together
 *   same.c      what comes from outside: one rank asks, all have the answer
 *   part.c      THE PAGE TO READ FIRST: cut arrays, their parts, and what they become elsewhere
 *   map.c …     primitives in parts, a file for each class of them
 *   watch.c     a rank that does not come; report.c: ]ranks
 *
 * A rank may only do what the others do not, if nobody can tell from outside. So whatever decides which
 * operation on cut arrays comes next is a function of the program and of what was agreed. */
#ifndef VAPL_DIST_H
#define VAPL_DIST_H
#include "../base/ctx.h"
#include "../base/str.h"

struct vapl_comm;
struct arr;
struct ir;
typedef struct dist dist;

/* Begins, once the interpreter's arrays have their ir; of one rank it is no matter of this folder. */
bool dist_open(ctx *c, struct ir *g, const struct vapl_comm *comm);
void dist_close(ctx *c);

static inline bool is_ranked(const ctx *c) { return c->dist != NULL; }
int dist_me(const ctx *c); /* the number of this rank; 0 of one */
/* Is it for this rank to read input, to write files and to print? */
static inline bool is_first_rank(const ctx *c) { return !dist_me(c); }

/* ── what comes from outside (same.c) ── */

/* The first rank's n bytes become everybody's. All ranks call it. An error that one of them has recorded
 * before becomes everybody's, too: false. True of one rank. */
bool dist_same(ctx *c, void *at, size_t n);
/* The same of a text or of any bytes whose number the others do not know: *at is of mem_alloc. */
bool dist_same_bytes(ctx *c, void **at, size_t *n);
/* What one rank alone does: it reads input, writes a file, waits. All ranks call both:
 *
 *   if (dist_alone_begins(c)) *r = …;
 *   return dist_alone_ends(c, r);
 *
 * The first one says whether it is this rank that does it, the second makes what came of it everybody's: an
 * error, or the array *r, owned, with all of its items; NULL: none. r may be NULL. Nothing in between may
 * need the other ranks: cut arrays are brought together before. Within another one, and of one rank, it is true, and
 * nothing else happens. */
bool dist_alone_begins(ctx *c);
bool dist_alone_ends(ctx *c, struct arr **r);
/* The first rank's array, owned, which all ranks have one of, becomes everybody's. */
bool dist_same_array(ctx *c, struct arr **r);
/* Each of the n numbers, at most 8, becomes the greatest of all ranks'. */
bool dist_most(ctx *c, int64_t *value, int n);

/* ── parts that a program around vapl takes and gives (given.c) ── */

/* The first of this rank's rows of an array of that shape, and how many it has: all, of one that is the same
 * everywhere; true: it is cut. */
bool dist_rows(const ctx *c, int rank, const int64_t *shape, int64_t *first,
               int64_t *rows);
/* This rank's part of a cut array, owned, whose elements are there. All ranks call it. */
struct arr *dist_part(ctx *c, struct arr *a);
/* The cut array of that shape of which this rank has that part, borrowed. All ranks call it. */
struct arr *dist_from_part(ctx *c, struct arr *part, int rank, const int64_t *shape);

/* ── */

/* A call from outside ends: an error or an interrupt of one rank is everybody's. */
bool dist_end(ctx *c, bool ok);
/* Now and then in a program that does nothing with cut arrays: was any rank interrupted? */
bool dist_tick(ctx *c);
/* ]ranks: who they are, and what they have said to one another. All ranks call it. */
bool dist_describe(ctx *c, str *out);
/* What this rank has said to the others so far; nothing of one rank. */
typedef struct dist_talk {
  uint64_t messages, bytes, agreements;
} dist_talk;
dist_talk dist_talk_now(const ctx *c);
/* A line of ]plan: what it has said since; none of one rank. */
void dist_tell_since(const ctx *c, dist_talk was, str *out);
/* Arrays of up to so many bytes are brought together where there is no form in parts. */
bool dist_gather_up_to(ctx *c, uint64_t bytes);
/* interrupted(), where there are ranks: an interrupt counts when all have heard of it. */
bool dist_interrupted(ctx *c);
#endif
