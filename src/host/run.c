/* SPDX-License-Identifier: MIT */
/* block.c - the block interpreter: kernels on the host.
 *
 * A run makes a plan (block_plan.c), gives every thread its registers, and cuts the work
 * into tasks whose limits depend on the lengths alone, so that the result does not depend
 * on who does which: threads take the next number from a counter. In a task the steps of
 * the plan are run for one block after the other:
 *
 *   loads ──▶ loop, loop, loop … ──▶ stores        block: 256 to 1024 elements, in L1
 *
 * An input that is stored as it is computed is not copied: the loops read it where it is.
 * Likewise an output is written by the loop that makes it. Only a block that is not whole
 * is staged, padded with copies of its last element.
 *
 * Threads are started at the first long run and kept until blk_pool_free. They never
 * allocate: all memory of a run is one piece that the caller takes, and the pool keeps. */
#include "block.h"
#include "../base/mem.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { MAX_THREADS = 64, MAP_CHUNK = 32 };
/* Below this many element-steps a run is not worth waking threads for (about 100 µs). */
enum { THREAD_WORK = 1 << 19 };

typedef struct worker {
  blk_pool *pool;
  int index; /* into the run's threads; the caller is 0 */
  pthread_t id;
} worker;

typedef struct keep { /* memory that is kept from run to run */
  void *at;
  size_t size;
} keep;

struct blk_pool {
  const blk_isa *isa;
  int64_t thread_work;
  int want, n; /* threads besides the caller's: wanted, started */
  keep plan, threads;
  pthread_mutex_t lock;
  pthread_cond_t go, done;
  uint64_t round; /* counts jobs */
  int busy;       /* workers that have not finished this round */
  bool quit;
  blk_job *job; /* and the memory of its threads: */
  blk_thread *team;
  worker workers[MAX_THREADS];
};

/* ── loading ────────────────────────────────────────────────────────────────────────── */

void blk_pad(void *v, size_t size, size_t n) {
  char *p = v;
  for (size_t i = n; i % BLK_UNI; i++) memcpy(p + i * size, p + (n - 1) * size, size);
}

/* n elements at, at+step, … of an input, in kir_arg_type. */
void blk_fetch(const kir *k, const kir_bind *b, uint32_t in, void *r, int64_t at,
               int64_t step, size_t n) {
  const void *src = b->in[in].host;
#define FETCH(type, T, R)                                                                \
  case ET_##type:                                                                        \
    for (size_t i = 0; i < n; i++)                                                       \
      ((R *)r)[i] = (R)((const T *)src)[at + (int64_t)i * step];                         \
    break;
  switch ((elt)k->in[in].type) {
    FETCH(I8, int8_t, int32_t)
    FETCH(I16, int16_t, int32_t)
    FETCH(I32, int32_t, int32_t)
    FETCH(I64, int64_t, int64_t)
    FETCH(F32, float, float)
    FETCH(F64, double, double)
    FETCH(C8, uint8_t, int32_t)
    FETCH(C16, uint16_t, int32_t)
    FETCH(C32, uint32_t, int32_t)
  default: /* ET_BIT; kir_check lets nothing else through */
    for (size_t i = 0; i < n; i++) {
      int64_t e = at + (int64_t)i * step;
      ((uint8_t *)r)[i] = ((const uint8_t *)src)[e >> 3] >> (e & 7) & 1;
    }
  }
#undef FETCH
}

/* n elements from position e0 of a STRIDED: runs along its last dimension. */
static void fetch_strided(const blk_plan *p, uint32_t in, char *r, size_t size,
                          int64_t e0, size_t n) {
  int number = p->k->in[in].view - KV_STRIDED;
  const kstrided *w = &p->b->strided[number];
  int64_t at[KIR_STRIDED_DIMS], sum = 0, step = p->b->in[in].step,
                                offset = p->b->in[in].offset;
  int last = p->k->strided[number] - 1;
  for (int d = last; d >= 0; d--) {
    at[d] = d ? e0 % w->n[d] : e0;
    if (d) e0 /= w->n[d];
    sum += at[d] * w->stride[d];
  }
  for (;;) {
    int64_t left = last ? w->n[last] - at[last] : (int64_t)n;
    size_t run = left < (int64_t)n ? (size_t)left : n;
    blk_fetch(p->k, p->b, in, r, offset + step * sum, step * w->stride[last], run);
    if (!(n -= run)) return;
    r += run * size;
    sum += (int64_t)run * w->stride[last];
    at[last] += (int64_t)run;
    for (int d = last; d && at[d] == w->n[d]; d--) {
      sum += w->stride[d - 1] - w->n[d] * w->stride[d];
      at[d] = 0;
      at[d - 1]++;
    }
  }
}

static void *reg_of(const blk_thread *t, uint16_t cell) {
  const blk_plan *p = &t->job->plan;
  return t->regs + p->cell[cell].reg * p->stride;
}

static void load(blk_thread *t, const blk_step *s, const blk_at *w) {
  const blk_plan *p = &t->job->plan;
  elt type = p->k->in[s->in].type;
  size_t size = (size_t)kty_bytes(p->cell[s->r].ty);
  char *r = reg_of(t, s->r);
  const char *src = p->b->in[s->in].host;
  t->at[s->r] = r;
  if (p->k->in[s->in].view >= KV_STRIDED) {
    fetch_strided(p, s->in, r, size, w->e0, w->n);
  } else if (p->k->in[s->in].view == KV_STEP) {
    int64_t step = p->b->in[s->in].step;
    blk_fetch(p->k, p->b, s->in, r, p->b->in[s->in].offset + step * w->pos, step, w->n);
  } else if (type ==
             ET_BIT) { /* whole bytes, of which the first few bits may be skipped */
    size_t skip = (size_t)(w->e0 & 7);
    p->isa->load[type](r, src + (w->e0 >> 3), NULL, NULL, skip + w->n);
    t->at[s->r] = r += skip;
  } else if (p->isa->load[type]) {
    p->isa->load[type](r, src + (size_t)w->e0 * elt_bytes(type, 1), NULL, NULL, w->n);
  } else if (w->n % BLK_UNI == 0) {
    t->at[s->r] = (void *)(uintptr_t)(src + (size_t)w->e0 * size);
    return;
  } else {
    memcpy(r, src + (size_t)w->e0 * size, w->n * size);
  }
  blk_pad(r, size, w->n);
}

static void iota(blk_thread *t, const blk_step *s, const blk_at *w) {
  const blk_plan *p = &t->job->plan;
  kty ty = p->cell[s->r].ty;
  char *r = reg_of(t, s->r);
  size_t size = (size_t)kty_bytes(ty), n = w->n;
  t->at[s->r] = r;
  if (w->inner == 1 && w->pos + (int64_t)n <= w->row_len) {
    p->isa->iota[ty - KI32](r, &w->pos, NULL, NULL, n + BLK_UNI - 1);
  } else {
    int64_t at = w->pos, left = w->inner - w->e0 % w->inner;
    for (size_t i = 0; i < n; i++) {
      if (ty == KI32) ((int32_t *)(void *)r)[i] = (int32_t)at;
      else ((int64_t *)(void *)r)[i] = at;
      if (--left) continue;
      left = w->inner;
      if (++at == w->row_len) at = 0;
    }
  }
  blk_pad(r, size, n);
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

static double element(const blk_plan *p, uint16_t cell, const void *at, size_t i) {
  if (p->cell[cell].uni) i = 0;
  return kty_bytes(p->cell[cell].ty) == 4 ? (double)((const float *)at)[i]
                                          : ((const double *)at)[i];
}

static bool finite(double x) { return x - x == 0; }

/* The loop saw a result that is not finite: an error if its arguments are. */
static bool fin_fault(const blk_thread *t, const blk_step *s, size_t n) {
  const blk_plan *p = &t->job->plan;
  for (size_t i = 0; i < n; i++)
    if (!finite(element(p, s->fa, t->at[s->fa], i)) &&
        finite(element(p, s->fb, t->at[s->fb], i)) &&
        finite(element(p, s->fc, t->at[s->fc], i)))
      return true;
  return false;
}

static void run_steps(blk_thread *t, uint32_t from, uint32_t to, const blk_at *w) {
  const blk_plan *p = &t->job->plan;
  size_t m = (w->n + BLK_UNI - 1) & ~(size_t)(BLK_UNI - 1);
  for (const blk_step *s = p->step + from, *end = p->step + to; s < end; s++) {
    if (s->kind <= STEP_FIN) {
      uint32_t f = s->fn(t->at[s->r], t->at[s->a], t->at[s->b], t->at[s->c], m);
      if (f && s->flag >= 0 && (s->kind == STEP_RUN || fin_fault(t, s, w->n)))
        t->flags[s->flag] = 1;
    } else if (s->kind == STEP_LOAD) {
      load(t, s, w);
    } else {
      iota(t, s, w);
    }
  }
}

void blk_pre(blk_thread *t, blk_at w) { run_steps(t, 0, t->job->plan.n_pre, &w); }

/* ── storing ────────────────────────────────────────────────────────────────────────── */

/* Bits that share bytes with other blocks are or-ed into zeros. */
static void or_bits(uint8_t *out, const uint8_t *bits, int64_t e0, size_t n) {
  unsigned shift = (unsigned)(e0 & 7);
  size_t bytes = (shift + n + 7) / 8, have = (n + 7) / 8;
  out += e0 >> 3;
  for (size_t i = 0; i < bytes; i++) {
    unsigned v = i < have ? (unsigned)bits[i] << shift : 0;
    if (i) v |= bits[i - 1] >> (8 - shift) & 0xffu;
    if (i == 0 || i == bytes - 1)
      __atomic_fetch_or(out + i, (uint8_t)v, __ATOMIC_RELAXED);
    else out[i] = (uint8_t)v;
  }
}

static void store_bits(blk_thread *t, const blk_out *o, uint8_t *out, const blk_at *w) {
  uint8_t *bits = t->tmp;
  o->fn(bits, t->at[o->cell], NULL, NULL, (w->n + BLK_UNI - 1));
  if (w->n % 8) bits[w->n / 8] &= (uint8_t)((1u << w->n % 8) - 1);
  if (t->job->plan.or_bits) or_bits(out, bits, w->e0, w->n);
  else memcpy(out + (w->e0 >> 3), bits, (w->n + 7) / 8);
}

static void store(blk_thread *t, uint32_t i, const blk_at *w) {
  const blk_plan *p = &t->job->plan;
  const blk_out *o = &p->out[i];
  elt type = p->k->out[i].type;
  const void *v = t->at[o->cell];
  if (type == ET_BIT) {
    store_bits(t, o, p->b->out[i].host, w);
    return;
  }
  size_t size = elt_bytes(type, 1);
  char *out = (char *)p->b->out[i].host + (size_t)w->e0 * size;
  if (v == out) return; /* made in place */
  if (!o->fn) {
    memcpy(out, v, w->n * size);
  } else if (w->n % BLK_UNI == 0) {
    o->fn(out, v, NULL, NULL, w->n);
  } else {
    o->fn(t->tmp, v, NULL, NULL, w->n + BLK_UNI - 1);
    memcpy(out, t->tmp, w->n * size);
  }
}

void blk_aim(blk_thread *t, blk_at at) {
  const blk_plan *p = &t->job->plan;
  const blk_at *w = &at;
  if (p->fold_r) t->at[p->fold_r] = reg_of(t, p->fold_r);
  for (uint32_t i = 0; i < p->k->n_out; i++) {
    const blk_out *o = &p->out[i];
    if (!o->direct) continue;
    char *out =
        (char *)p->b->out[i].host + (size_t)w->e0 * elt_bytes(p->k->out[i].type, 1);
    t->at[o->cell] = w->n % BLK_UNI == 0 ? out : reg_of(t, o->cell);
  }
}

void blk_post(blk_thread *t, blk_at w) {
  const blk_plan *p = &t->job->plan;
  run_steps(t, p->n_pre, p->n_step, &w);
  for (uint32_t i = 0; i < p->k->n_out; i++) store(t, i, &w);
}

static void map_task(blk_job *j, blk_thread *t, int64_t task) {
  int64_t step = (int64_t)j->plan.block, len = j->plan.b->len;
  int64_t e0 = task * MAP_CHUNK * step, end = e0 + MAP_CHUNK * step;
  for (; e0 < end && e0 < len && !blk_stopped(j); e0 += step) {
    int64_t n = len - e0 < step ? len - e0 : step;
    blk_at w = {e0, e0, len, (size_t)n, 1};
    blk_aim(t, w);
    blk_post(t, w);
  }
}

/* ── threads ────────────────────────────────────────────────────────────────────────── */

bool blk_stopped(blk_job *j) {
  if (atomic_load_explicit(&j->c->interrupt, memory_order_relaxed))
    atomic_store_explicit(&j->stop, true, memory_order_relaxed);
  return atomic_load_explicit(&j->stop, memory_order_relaxed);
}

static void work(blk_job *j, blk_thread *t) {
  for (;;) {
    int64_t i = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
    if (i >= j->n_task || atomic_load_explicit(&j->stop, memory_order_relaxed)) return;
    j->task(j, t, i);
  }
}

static void *worker_main(void *arg) {
  worker *me = arg;
  blk_pool *p = me->pool;
  uint64_t seen = 0;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    while (p->round == seen && !p->quit) pthread_cond_wait(&p->go, &p->lock);
    if (p->quit) break;
    seen = p->round;
    pthread_mutex_unlock(&p->lock);
    work(p->job, &p->team[me->index]);
    pthread_mutex_lock(&p->lock);
    if (--p->busy == 0) pthread_cond_signal(&p->done);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* Signals are for the program's own threads: workers block them all. */
static void start_workers(blk_pool *p) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  while (p->n < p->want) {
    worker *w = &p->workers[p->n];
    *w = (worker){.pool = p, .index = p->n + 1};
    if (pthread_create(&w->id, NULL, worker_main, w))
      p->want = p->n; /* do with what we have */
    else p->n++;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void blk_each(blk_pool *pool, blk_job *j, blk_thread *t) {
  atomic_store(&j->next, 0);
  atomic_store(&j->turn, 0);
  if (j->threads == 1 || j->n_task < 2) {
    work(j, t);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  pool->job = j;
  pool->team = t;
  pool->busy = pool->n;
  pool->round++;
  pthread_cond_broadcast(&pool->go);
  pthread_mutex_unlock(&pool->lock);
  work(j, t);
  pthread_mutex_lock(&pool->lock);
  while (pool->busy) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

blk_pool *blk_pool_new(ctx *c, int threads) {
  blk_pool *p = mem_zalloc(c, sizeof *p);
  if (!p) return NULL;
  if (threads <= 0) threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
  p->want = threads < 1 ? 0 : threads > MAX_THREADS ? MAX_THREADS - 1 : threads - 1;
  p->isa = blk_isa_at(0);
  p->thread_work = THREAD_WORK;
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->go, NULL);
  pthread_cond_init(&p->done, NULL);
  return p;
}

void blk_pool_free(ctx *c, blk_pool *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  p->quit = true;
  pthread_cond_broadcast(&p->go);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->n; i++) pthread_join(p->workers[i].id, NULL);
  pthread_cond_destroy(&p->done);
  pthread_cond_destroy(&p->go);
  pthread_mutex_destroy(&p->lock);
  mem_free(c, p->plan.at);
  mem_free(c, p->threads.at);
  mem_free(c, p);
}

void blk_pool_tune(blk_pool *p, const blk_isa *isa, int64_t thread_work) {
  p->isa = isa;
  p->thread_work = thread_work;
}

/* ── a run ──────────────────────────────────────────────────────────────────────────── */

static void *keep_room(ctx *c, keep *k, size_t size) {
  if (k->size >= size) return k->at;
  mem_free(c, k->at);
  k->at = mem_alloc(c, size);
  k->size = k->at ? size : 0;
  return k->at;
}

static void *take(uintptr_t *mem, size_t n) {
  uintptr_t at = *mem;
  *mem += (n + 63) & ~(size_t)63;
  return (void *)at;
}

/* What a thread needs, laid out from *mem on; called with mem at 0 to learn the size. */
static void thread_layout(blk_thread *t, blk_job *j, uintptr_t *mem) {
  const blk_plan *p = &j->plan;
  bool folds = p->k->kind != KIR_MAP;
  t->job = j;
  t->at = take(mem, p->n_cell * sizeof(void *));
  t->flags = take(mem, (p->n_flag + 2) * sizeof(uint32_t));
  t->regs = take(mem, p->n_reg * p->stride);
  t->tmp = take(mem, 8 * p->block);
  t->lanes = take(mem, folds && !j->w ? 8 * KIR_LANES : 0);
  t->res = take(mem, folds ? 16 * p->block : 0);
  t->tile =
      take(mem, p->k->kind == KIR_SCAN && j->threads > 1 && !j->w ? 8 * SCAN_TILE : 0);
  t->cols = take(mem, j->w ? blk_cols_bytes(j) : 0);
}

static void thread_init(blk_thread *t) {
  const blk_plan *p = &t->job->plan;
  memset(t->flags, 0, p->n_flag * sizeof(uint32_t));
  for (uint16_t i = 0; i < p->n_cell; i++)
    t->at[i] = p->cell[i].uni ? p->cell[i].uni : reg_of(t, i);
}

static blk_thread *make_threads(ctx *c, keep *k, blk_job *j) {
  blk_thread probe;
  uintptr_t each = 0;
  size_t n = (size_t)j->threads, head = n * sizeof(blk_thread) + 128;
  thread_layout(&probe, j, &each);
  blk_thread *t = keep_room(c, k, head + n * each);
  if (!t) return NULL;
  uintptr_t m = ((uintptr_t)t + head) & ~(uintptr_t)63;
  for (size_t i = 0; i < n; i++) {
    thread_layout(&t[i], j, &m);
    thread_init(&t[i]);
  }
  return t;
}

static bool run_job(ctx *c, blk_pool *pool, blk_job *j, blk_thread *t) {
  const blk_plan *p = &j->plan;
  if (j->w) return blk_cols_run(c, pool, j, t);
  if (p->k->kind == KIR_REDUCE) return blk_reduce(c, pool, j, t);
  if (p->k->kind == KIR_SCAN) return blk_scan_run(c, pool, j, t);
  int64_t chunk = MAP_CHUNK * (int64_t)p->block;
  j->task = map_task;
  j->n_task = (p->b->len + chunk - 1) / chunk;
  blk_each(pool, j, t);
  return true;
}

static void merge_flags(const blk_job *j, const blk_thread *t) {
  const blk_plan *p = &j->plan;
  for (uint32_t f = 0; f < p->n_flag; f++) {
    uint32_t v = p->flags[f];
    for (int i = 0; i < j->threads; i++) v |= t[i].flags[f];
    if (v) p->b->flags_host[f] = 1;
  }
}

bool blk_run(ctx *c, blk_pool *pool, const kir *k, const kir_bind *b) {
  keep own[2] = {{0}, {0}};
  keep *plan_mem = pool ? &pool->plan : &own[0],
       *thread_mem = pool ? &pool->threads : &own[1];
  blk_job j = {.c = c, .threads = 1};
  blk_thread *t = NULL;
  bool ok = false;
  void *mem = keep_room(c, plan_mem, blk_plan_bytes(k));
  if (mem) {
    blk_plan_make(&j.plan, pool ? pool->isa : blk_isa_at(0), k, b, mem);
    int64_t work = b->rows * b->len * b->inner;
    if (pool && pool->want && work >= pool->thread_work / (1 + j.plan.n_step)) {
      start_workers(pool);
      j.threads = pool->n + 1;
    }
    if (k->kind != KIR_MAP) blk_cols_choose(&j);
    t = make_threads(c, thread_mem, &j);
  }
  if (t) {
    int64_t outs = b->rows * b->inner * (k->kind == KIR_REDUCE ? 1 : b->len);
    for (uint32_t i = 0; i < k->n_out && j.plan.or_bits; i++)
      if (k->out[i].type == ET_BIT) memset(b->out[i].host, 0, elt_bytes(ET_BIT, outs));
    ok = run_job(c, pool, &j, t);
    merge_flags(&j, t);
  }
  if (ok && atomic_load(&j.stop) && !interrupted(c)) err_set(c, ERR_INTERRUPT, "stopped");
  mem_free(c, own[1].at);
  mem_free(c, own[0].at);
  return ok && !atomic_load(&j.stop);
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
  memcpy(k->to + at, k->from + at, left < COPY_PIECE ? left : COPY_PIECE);
}

void blk_copy(blk_pool *p, void *to, const void *from, size_t n) {
  blk_thread team[MAX_THREADS];
  copy_job k = {.j = {.threads = 1, .task = copy_task}, .to = to, .from = from, .n = n};
  k.j.n_task = (int64_t)((n + COPY_PIECE - 1) / COPY_PIECE);
  if (p && p->want && n > COPY_ALONE) {
    start_workers(p);
    k.j.threads = p->n + 1;
  }
  blk_each(p, &k.j, team);
}
