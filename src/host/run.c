/* SPDX-License-Identifier: MIT */
/* run.c - the block interpreter: a kernel's run on the host.
 *
 *   loops  ──▶  plan   ──▶  steps   ──▶  threads  ──▶  fold     ──▶  run
 *   loops of    steps       a block's    tasks         REDUCE        memory,
 *   an operation from KIR   run                        and SCAN      MAP, flags
 *
 * Each file knows those to its left. A run makes a plan, cuts the work into tasks, and gives
 * every thread its registers. All memory of a run is two pieces that are taken here, and that
 * a pool keeps. */
#include <string.h>

#include "../base/ctx.h"
#include "../base/mem.h"
#include "fold.h"
#include "fold_join.h"
#include "../tables/fast.h"

enum { MAP_CHUNK = 32, LOOP_STEPS = 32 }; /* a guess: those of a loop */

/* A run: the job of its threads and what they share. */
typedef struct run {
  blk_job j;
  blk_plan plan;
  blk_shape shape; /* of a fold */
  blk_body body;   /* or of one by a join */
  blk_join_shape join;
} run;

/* ── a map ──────────────────────────────────────────────────────────────────────────── */

/* Blocks of a task. Those of loops differ. */
static int64_t map_chunk(const blk_plan *p) { return p->k->n_loop ? 1 : MAP_CHUNK; }

static void map_task(blk_job *j, blk_thread *t, int64_t task) {
  const blk_plan *p = t->plan;
  int64_t step = (int64_t)p->block, len = p->b->len;
  int64_t chunk = map_chunk(p), e0 = task * chunk * step, end = e0 + chunk * step;
  for (; e0 < end && e0 < len && !blk_stopped(j); e0 += step) {
    blk_at w = {e0, e0, len, (size_t)min_i64(len - e0, step), 1};
    blk_aim(t, &w);
    blk_post(t, &w);
  }
}

static void run_map(blk_pool *pool, run *r) {
  int64_t chunk = map_chunk(&r->plan) * (int64_t)r->plan.block;
  r->j.task = map_task;
  r->j.n_task = ceil_div(r->plan.b->len, chunk);
  blk_each(pool, &r->j);
}

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

static void *keep_room(ctx *c, blk_keep *k, size_t size) {
  if (k->size >= size) return k->at;
  mem_free(c, k->at);
  k->at = mem_alloc(c, size);
  k->size = k->at ? size : 0;
  return k->at;
}

/* One fold, by a monoid. */
static bool is_fold(const kir *k) { return k->n_acc == 1 && !k->join; }

/* What a thread needs, laid out from *mem on; called with mem at 0 to learn the size. */
static void thread_layout(blk_thread *t, run *r, uintptr_t *mem) {
  const blk_plan *p = &r->plan;
  blk_thread_take(t, p, mem);
  if (p->k->join) t->join = blk_take(mem, blk_join_bytes(p, &r->body, &r->join));
  else if (is_fold(p->k)) t->fold = blk_take(mem, blk_fold_bytes(p, &r->shape));
}

static bool make_threads(ctx *c, blk_keep *k, run *r) {
  blk_thread probe;
  uintptr_t each = 0;
  size_t n = (size_t)r->j.threads, head = n * sizeof(blk_thread) + 128;
  thread_layout(&probe, r, &each);
  blk_thread *t = keep_room(c, k, head + n * each);
  if (!t) return false;
  r->j.team = t;
  uintptr_t m = ((uintptr_t)t + head) & ~(uintptr_t)63;
  for (size_t i = 0; i < n; i++) {
    thread_layout(&t[i], r, &m);
    t[i].c = c;
    blk_thread_init(&t[i]);
  }
  return true;
}

/* Outputs of bits to which blocks are or-ed begin as zeros. */
static void clear_bits(const blk_plan *p) {
  const kir *k = p->k;
  const kir_bind *b = p->b;
  int64_t n = b->rows * b->inner;
  if (k->kind == KIR_SCAN && k->segments) n = b->len;
  else if (k->kind != KIR_REDUCE) n *= b->len;
  for (uint32_t i = 0; i < k->n_out && p->or_bits; i++) {
    int64_t bits = k->out[i].put ? b->out[i].count : n;
    if (k->out[i].type == ET_BIT && !k->out[i].kept)
      memset(b->out[i].host, 0, elt_bytes(ET_BIT, bits));
  }
}

static void merge_flags(const run *r) {
  const blk_plan *p = &r->plan;
  for (uint32_t f = 0; f < p->n_flag; f++) {
    uint32_t v = p->flags[f];
    for (int i = 0; i < r->j.threads; i++) v |= r->j.team[i].flags[f];
    if (p->k->join && p->b->len > 1) v |= r->body.many.flags[f]; /* it joins */
    if (v) p->b->flags[f] = 1;
  }
}

/* ── a run ──────────────────────────────────────────────────────────────────────────── */

/* How many element-steps a run takes. */
static int64_t work_of(const run *r) {
  const kir_bind *b = r->plan.b;
  int64_t elements = b->rows * b->len * b->inner, steps = 1 + (int64_t)r->plan.n_step;
  if (r->plan.k->segments) elements = b->len;
  for (uint32_t i = 0; i < r->plan.k->n_loop; i++)
    steps += LOOP_STEPS * (int64_t)r->plan.loop[i].body.n_step;
  if (r->plan.k->join) steps += 4 * (int64_t)r->body.many.n_step;
  return elements <= INT64_MAX / steps ? elements * steps : INT64_MAX;
}

static bool run_in(ctx *c, blk_pool *pool, blk_keep *keep, const kir *k,
                   const kir_bind *b) {
  run r = {.j = {.c = c}};
  size_t plan = blk_plan_bytes(k);
  char *mem = keep_room(c, &keep[0], plan + blk_body_bytes(k));
  if (!mem) return false;
  blk_plan_make(&r.plan, blk_pool_isa(pool), k, b, mem);
  if (k->join) blk_body_make(&r.body, blk_pool_isa(pool), k, b, mem + plan);
  r.j.threads = blk_threads_for(pool, work_of(&r));
  if (k->join) r.join = blk_join_shape_of(&r.plan, &r.body, r.j.threads);
  else if (is_fold(k)) r.shape = blk_fold_shape(&r.plan, 1, r.j.threads);
  if (!make_threads(c, &keep[1], &r)) return false;
  clear_bits(&r.plan);
  bool ok = true;
  if (k->join) ok = blk_join_run(c, pool, &r.j, &r.body, &r.join);
  else if (k->kind == KIR_MAP) run_map(pool, &r);
#define FAST_SEVERAL(way) else if (k->n_acc > 1) ok = way(c, pool, &r.j);
#include "../tables/fast.def"
  else ok = blk_fold_run(c, pool, &r.j, &r.shape);
  if (!ok) return false;
  merge_flags(&r);
  bool stopped = blk_stopped(&r.j);
  if (stopped && !interrupted(c)) err_set(c, ERR_INTERRUPT, "stopped");
  return !stopped;
}

bool blk_run(ctx *c, blk_pool *pool, const kir *k, const kir_bind *b) {
  if (pool) return run_in(c, pool, blk_pool_keep(pool), k, b);
  blk_keep own[2] = {{0}, {0}};
  bool ok = run_in(c, NULL, own, k, b);
  mem_free(c, own[1].at);
  mem_free(c, own[0].at);
  return ok;
}

/* ── copying ────────────────────────────────────────────────────────────────────────── */

enum { COPY_PIECE = 512 << 10, COPY_ALONE = 1 << 20 };
typedef struct copy_job {
  blk_job j; /* first: the task gets its address */
  char *to;
  const char *from;
  size_t n;
} copy_job;

static void copy_task(blk_job *j, blk_thread *t, int64_t i) {
  const copy_job *k = (const copy_job *)(void *)j;
  size_t at = (size_t)i * COPY_PIECE, left = k->n - at;
  UNUSED(t);
  memcpy(k->to + at, k->from + at, min_u64(left, COPY_PIECE));
}

void blk_copy(blk_pool *p, void *to, const void *from, size_t n) {
  copy_job k = {.j = {.threads = 1, .task = copy_task}, .to = to, .from = from, .n = n};
  k.j.n_task = ceil_div((int64_t)n, COPY_PIECE);
  if (n > COPY_ALONE) k.j.threads = blk_threads_for(p, INT64_MAX);
  blk_each(p, &k.j);
}
