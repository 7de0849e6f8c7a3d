/* SPDX-License-Identifier: MIT */
/* each.c - loops in stretches (each.h). */
#include "each.h"
#include "arith.h"

enum { MOST_STEPS = 1 << 20 };

static int64_t work_of(const each_loop *l) {
  int64_t each = l->cell * min_i64(l->steps, MOST_STEPS), work;
  if (__builtin_mul_overflow(l->n / max_i64(l->per, 1), each, &work)) return INT64_MAX;
  return work;
}

bool each_is_shared(const ctx *c, const each_loop *l) {
  const ctx_team *t = &c->team;
  return t->share && !t->busy && work_of(l) >= t->least;
}

typedef struct stretches {
  ctx *c;
  const each_loop *l;
  int64_t length;
  atomic_bool stop;
} stretches;

static void do_stretch(void *job, int64_t i) {
  stretches *s = job;
  int64_t from = i * s->length, to = min_i64(s->l->n, from + s->length);
  if (!s->l->whole && stop_is_due(s->c))
    atomic_store_explicit(&s->stop, true, memory_order_relaxed);
  if (!atomic_load_explicit(&s->stop, memory_order_relaxed))
    s->l->task(s->l->job, from, to);
}

bool each_part(ctx *c, const each_loop *l) {
  stretches s = {.c = c, .l = l};
  int64_t cells = ceil_div(c->team.part, max_i64(l->cell, 1));
  s.length = ceil_div(max_i64(cells, 1), EACH_ALIGN) * EACH_ALIGN;
  int64_t n = ceil_div(l->n, s.length);
  bool shared = n > 1 && each_is_shared(c, l), was = c->team.busy;
  if (!was) c->team.busy = true; /* within a stretch others read it */
  if (shared) c->team.share(c->team.pool, c, n, do_stretch, &s);
  for (int64_t i = 0; !shared && i < n && !s.stop; i++) do_stretch(&s, i);
  if (!was) c->team.busy = false;
  if (!s.stop || interrupted(c)) return !s.stop;
  return err_set(c, ERR_INTERRUPT, "stopped");
}
