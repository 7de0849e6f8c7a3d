/* SPDX-License-Identifier: MIT */
/* watch.c - a rank that waits long says so, for a rank that does not come leaves the others without a word.
 *
 * After some seconds every waiting rank tells ranks 0 and 1. Rank 0 says which ranks have not told it; where it is
 * missing itself, rank 1 does. After tune.rank_wait seconds the job ends. What the first rank does alone (same.c)
 * may take as long as it takes: it may wait for a person. */
#include "agree.h"
#include <stdio.h>
#include <string.h>

enum { FIRST = 10, THEN = 2, EXIT_CODE = 70 };

typedef struct watch_note {
  uint64_t agreements; /* of another number is a note of a wait that is over */
} watch_note;
_Static_assert(sizeof(watch_note) <= VAPL_COMM_NOTE, "a note has room for it");

static void tell(dist *d, int to) {
  unsigned char note[VAPL_COMM_NOTE] = {0};
  memcpy(note, &(watch_note){d->agreements}, sizeof(watch_note));
  if (to != d->me) d->comm->tell(d->comm->user, to, note);
}

/* Notes that have come: whose they are is marked. */
static void listen(dist *d, bool *waits) {
  unsigned char bytes[VAPL_COMM_NOTE];
  for (int from = 0;;) {
    watch_note note;
    if (d->comm->told(d->comm->user, &from, bytes) || from < 0) return;
    memcpy(&note, bytes, sizeof note);
    if (note.agreements == d->agreements && from < d->ranks) waits[from] = true;
  }
}

static void say(dist *d, const bool *waits, double waited) {
  const ir_config *cfg = &d->g->cfg;
  char missing[200] = "", text[400]; /* "3, 9" of those that do not wait */
  for (size_t r = 0, at = 0; r < (size_t)d->ranks && at + 16 < sizeof missing; r++)
    if (!waits[r])
      at +=
          (size_t)snprintf(missing + at, sizeof missing - at, "%s%zu", at ? ", " : "", r);
  snprintf(text, sizeof text,
           "rank %d has waited %.0f s at operation %llu, step %llu, for rank %s", d->me,
           waited, (unsigned long long)d->op, (unsigned long long)d->c->limit.steps,
           missing);
  if (cfg->hint) cfg->hint(cfg->log_user, text);
  else if (cfg->log) cfg->log(cfg->log_user, text);
}

void watch_wait(dist *d, watch *w) {
  double now = now_seconds();
  if (d->patient) return;
  if (w->since <= 0) w->since = now;
  double waited = now - w->since;
  if (waited < FIRST) return;
  if (!w->told) {
    tell(d, 0);
    if (d->ranks > 1) tell(d, 1);
    w->told = true;
  }
  if (d->me < 2 && !w->said && waited > FIRST + THEN) {
    bool *waits = mem_zalloc(d->c, (size_t)d->ranks);
    if (waits) {
      listen(d, waits);
      waits[d->me] = true;
      if (d->me == 0 || !waits[0]) say(d, waits, waited);
    }
    mem_free(d->c, waits);
    w->said = true;
  }
  int64_t most = d->g->tune.rank_wait;
  if (most > 0 && waited > (double)most) d->comm->abort(d->comm->user, EXIT_CODE);
}
