/* SPDX-License-Identifier: MIT */
/* fold_several.c - a REDUCE by several folds, each by the monoid of its own.
 *
 * Each value of the tuple is a kernel of its own: the producer's instructions, and a FOLD of one
 * value. Their plans have blocks of one size and one shape of tasks, and a task of all is a task
 * of each, one after the other: what the first one has read from memory the others find in the
 * cache. Their results wait until all are there, and the consumer goes over them. */
#include "fold.h"
#include "../tables/fast.h"

#include <string.h>

#include "../base/ctx.h"
#include "../base/mem.h"

enum { BLOCKS = 32 }; /* of results, that are consumed by a task */

typedef struct several {
  blk_job j; /* first: the task gets its address */
  uint32_t n;
  kir k[KIR_MAX_ACC];
  blk_plan plan[KIR_MAX_ACC];
  blk_job each[KIR_MAX_ACC];
  blk_shape shape; /* of all */
  char *results[KIR_MAX_ACC];
} several;

static size_t up64(size_t n) { return (n + 63) & ~(size_t)63; }

/* ── plans ──────────────────────────────────────────────────────────────────────────── */

static size_t plans_bytes(const kir *k) {
  return k->n_acc * (up64((k->fold_at + 1) * sizeof(kins)) + up64(blk_plan_bytes(k)));
}

/* Value c alone. */
static void make_kernel(const kir *k, uint32_t c, kir *one, kins *ins) {
  memcpy(ins, k->ins, k->fold_at * sizeof *ins);
  const kacc *a = &k->acc[c];
  ins[k->fold_at] = (kins){.op = KOP_FOLD, .ty = a->ty, .a = a->from, .imm.i = a->fault};
  *one = *k;
  one->ins = ins;
  one->n_ins = k->fold_at + 1;
  one->n_out = 0;
  one->n_acc = 1;
  one->acc[0] = *a;
}

static void make_plans(several *s, const blk_plan *all, void *mem) {
  uintptr_t m = ((uintptr_t)mem + 63) & ~(uintptr_t)63;
  size_t block = all->block;
  for (uint32_t c = 0; c < s->n; c++) {
    kins *ins = blk_take(&m, (all->k->fold_at + 1) * sizeof *ins);
    make_kernel(all->k, c, &s->k[c], ins);
    blk_plan_make(&s->plan[c], all->isa, &s->k[c], all->b,
                  blk_take(&m, blk_plan_bytes(all->k)));
    block = min_u64(block, s->plan[c].block);
  }
  for (uint32_t c = 0; c < s->n; c++) blk_plan_limit(&s->plan[c], block);
}

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

static int64_t results_of(const blk_plan *p) { return p->b->rows * p->b->inner; }

/* Teams, and results, from *mem on. */
static void layout(several *s, bool set, uintptr_t *mem) {
  for (uint32_t c = 0; c < s->n; c++) {
    const blk_plan *p = &s->plan[c];
    blk_thread probe, *team = blk_take(mem, (size_t)s->j.threads * sizeof *team);
    for (int i = 0; i < s->j.threads; i++) {
      blk_thread *t = set ? &team[i] : &probe;
      blk_thread_take(t, p, mem);
      t->fold = blk_take(mem, blk_fold_bytes(p, &s->shape));
      if (!set) continue;
      t->c = s->j.c;
      blk_thread_init(t);
    }
    s->each[c].team = team;
    size_t size = (size_t)kty_bytes(s->k[c].acc[0].ty);
    s->results[c] = blk_take(mem, ((size_t)results_of(p) + BLK_UNI) * size);
  }
}

/* ── tasks ──────────────────────────────────────────────────────────────────────────── */

static void each_task(blk_job *j, blk_thread *t, int64_t i) {
  several *s = (several *)(void *)j;
  for (uint32_t c = 0; c < s->n; c++)
    s->each[c].task(&s->each[c], &s->each[c].team[t - j->team], i);
}

/* The consumer on some blocks of results. */
static void consume_task(blk_job *j, blk_thread *t, int64_t i) {
  const several *s = (const several *)(void *)j;
  const blk_plan *p = t->plan;
  int64_t n = results_of(p), step = (int64_t)p->block, e0 = i * BLOCKS * step;
  int64_t end = min_i64(n, e0 + BLOCKS * step);
  for (; e0 < end && !blk_stopped(j); e0 += step) {
    blk_at w = {e0, e0, n, (size_t)min_i64(step, end - e0), 1};
    blk_aim(t, &w);
    for (uint32_t c = 0; c < s->n; c++) {
      void *r = t->at[p->tuple_r[c]];
      size_t size = (size_t)kty_bytes(p->k->acc[c].ty);
      memcpy(r, s->results[c] + (size_t)e0 * size, w.n * size);
      blk_pad(r, size, w.n);
    }
    blk_post(t, &w);
  }
}

static void merge_flags(several *s) {
  blk_thread *t = s->j.team;
  for (uint32_t c = 0; c < s->n; c++)
    for (uint32_t f = 0; f < t->plan->n_flag; f++) {
      uint32_t v = s->plan[c].flags[f];
      for (int i = 0; i < s->j.threads; i++) v |= s->each[c].team[i].flags[f];
      t->flags[f] |= v;
    }
}

/* ── a run ──────────────────────────────────────────────────────────────────────────── */

static bool run_folds(ctx *c, blk_pool *pool, several *s) {
  uint32_t begun = 0;
  bool ok = true;
  for (; begun < s->n && ok; begun += ok) {
    blk_job *j = &s->each[begun];
    j->c = c;
    j->threads = s->j.threads;
    ok = blk_fold_begin(c, j, &s->shape, s->results[begun]);
  }
  s->j.task = each_task;
  s->j.n_task = s->each[0].n_task;
  if (ok) blk_each(pool, &s->j);
  for (uint32_t i = 0; i < begun; i++) {
    if (!ok) atomic_store(&s->each[i].stop, true); /* there is nothing to join */
    blk_fold_end(c, &s->each[i]);
  }
  return ok;
}

bool blk_several_run(ctx *c, blk_pool *pool, blk_job *j) {
  const blk_plan *p = j->team[0].plan;
  several *s = mem_zalloc(c, sizeof *s + plans_bytes(p->k) + 64);
  char *mem = NULL;
  uintptr_t m = 0;
  if (!s) return false;
  s->j.c = c;
  s->j.threads = j->threads;
  s->j.team = j->team;
  s->n = p->k->n_acc;
  make_plans(s, p, s + 1);
  s->shape = blk_fold_shape(s->plan, (int)s->n, s->j.threads);
  layout(s, false, &m);
  mem = mem_alloc(c, m + 64);
  bool ok = mem != NULL;
  if (ok) {
    m = ((uintptr_t)mem + 63) & ~(uintptr_t)63;
    layout(s, true, &m);
    ok = run_folds(c, pool, s);
  }
  if (ok && !blk_stopped(&s->j)) {
    s->j.task = consume_task;
    s->j.n_task = ceil_div(results_of(p), BLOCKS * (int64_t)p->block);
    blk_each(pool, &s->j);
    merge_flags(s);
  }
  if (blk_stopped(&s->j)) atomic_store(&j->stop, true);
  mem_free(c, mem);
  mem_free(c, s);
  return ok;
}
