/* SPDX-License-Identifier: MIT */
/* each.h - long loops over elements that do not depend on one another, cut into stretches, which
 * threads may share.
 *
 * src/host/threads.c puts its threads into the context. A loop becomes a function of a stretch, which
 * each_part calls. The results of a stretch must not depend on where it begins and ends, nor on the
 * thread that does it. It writes to no other stretch's memory, allocates nothing, checks no
 * interrupt and records no error: flags are gathered and read when all stretches are done. */
#ifndef VAPL_EACH_H
#define VAPL_EACH_H
#include "ctx.h"

/* Stretches begin at multiples of this, so that bits of two are in no word together. */
enum { EACH_ALIGN = 64 };

typedef struct each_loop {
  int64_t n;     /* positions */
  int64_t cell;  /* elements at each of them */
  int64_t steps; /* of work for an element, each of about 0.2 ns */
  int64_t per;   /* or for so many positions, where it is less; 0 is 1 */
  void (*task)(void *job, int64_t from, int64_t to);
  void *job;
  bool whole; /* once begun it is done: an interrupt waits */
} each_loop;

/* More than one chunk? */
static inline bool each_is_long(const ctx *c, int64_t elements) {
  return elements > EACH_ALIGN && elements > c->team.part;
}
/* Will threads share it? */
bool each_is_shared(const ctx *c, const each_loop *l);
/* Calls the task for stretches that are together 0 to n, one after the other or by threads;
 * false after INTERRUPT, which is looked for between them. */
bool each_part(ctx *c, const each_loop *l);
#endif
