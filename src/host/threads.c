/* SPDX-License-Identifier: MIT */
/* threads.c - the pool of threads.
 *
 * Threads are started at the first long run and kept until blk_pool_free. They sleep between
 * jobs. A job wakes as many as have a task to take, and ends when those that have come to it have
 * found none left: it does not wait for one that is still waking. They never allocate. fork() copies
 * none of them: a child starts its own. */
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "../base/ctx.h"
#include "../base/mem.h"

enum { MAX_THREADS = 64 };
/* Below this many element-steps a run is not worth waking threads for (about 100 µs). */
enum { THREAD_WORK = 1 << 19 };

typedef struct worker {
  blk_pool *pool;
  int index;     /* into the job's threads; the caller is 0 */
  uint64_t seen; /* the last round that it has woken in, or that was before it */
  pthread_t id;
} worker;

struct blk_pool {
  const blk_isa *isa;
  int64_t thread_work;
  int want, n; /* threads besides the caller's: wanted, started */
  blk_keep keep[2];
  pthread_mutex_t lock;
  pthread_cond_t go, done;
  uint64_t round; /* counts jobs */
  bool open;      /* this round's job takes workers */
  int busy;       /* workers that are at it */
  pid_t process;  /* that the workers are in */
  bool quit;
  blk_job *job;
  worker workers[MAX_THREADS];
};

bool blk_stopped(blk_job *j) {
  if (stop_is_due(j->c)) atomic_store_explicit(&j->stop, true, memory_order_relaxed);
  return atomic_load_explicit(&j->stop, memory_order_relaxed);
}

bool blk_wait_turn(blk_job *j, int64_t i) {
  for (int spins = 0; atomic_load_explicit(&j->turn, memory_order_acquire) != i;
       spins++) {
    if (blk_stopped(j)) return false;
    if (spins > 100) sched_yield();
  }
  return true;
}

void blk_next_turn(blk_job *j, int64_t i) {
  atomic_store_explicit(&j->turn, i + 1, memory_order_release);
}

static void work(blk_job *j, int index) {
  blk_thread *t = j->team;
  if (t) t += index;
  for (;;) {
    int64_t i = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
    if (i >= j->n_task || atomic_load_explicit(&j->stop, memory_order_relaxed)) return;
    share_is(j->c, j->shown, i);
    j->task(j, t, i);
  }
}

static void *worker_main(void *arg) {
  worker *me = arg;
  blk_pool *p = me->pool;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    while (p->round == me->seen && !p->quit) pthread_cond_wait(&p->go, &p->lock);
    if (p->quit) break;
    me->seen = p->round;
    if (!p->open) continue;
    p->busy++;
    pthread_mutex_unlock(&p->lock);
    work(p->job, me->index);
    pthread_mutex_lock(&p->lock);
    if (--p->busy == 0) pthread_cond_signal(&p->done);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

static void init_locks(blk_pool *p) {
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->go, NULL);
  pthread_cond_init(&p->done, NULL);
}

/* In a child the workers are gone, and what they held and waited for is as it was then. */
static void forget_workers(blk_pool *p) {
  if (!p->n || p->process == getpid()) return;
  p->n = p->busy = 0;
  p->open = false;
  init_locks(p);
}

/* Signals are for the program's own threads: workers block them all. If one cannot be started,
 * the pool does with those it has. */
static void start_workers(blk_pool *p) {
  sigset_t all, old;
  forget_workers(p);
  if (p->n == p->want) return;
  p->process = getpid();
  sigfillset(&all);
  sigdelset(&all, SIGBUS); /* of a mapped file: blocked, it would end the process */
  pthread_sigmask(SIG_SETMASK, &all, &old);
  while (p->n < p->want) {
    worker *w = &p->workers[p->n];
    *w = (worker){.pool = p, .index = p->n + 1, .seen = p->round};
    if (pthread_create(&w->id, NULL, worker_main, w)) p->want = p->n;
    else p->n++;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

int blk_pool_size(const blk_pool *p) {
  if (!p) return 1;
  return p->want + 1;
}

int blk_threads_for(blk_pool *p, int64_t work_steps) {
  if (!p || !p->want || work_steps < p->thread_work) return 1;
  start_workers(p);
  return p->n + 1;
}

static void work_all(blk_pool *p, blk_job *j) {
  if (j->threads == 1 || j->n_task < 2) {
    work(j, 0);
    return;
  }
  pthread_mutex_lock(&p->lock);
  p->job = j;
  p->open = true;
  p->round++;
  if (j->n_task > p->n) pthread_cond_broadcast(&p->go);
  else
    for (int64_t i = 1; i < j->n_task; i++) pthread_cond_signal(&p->go);
  pthread_mutex_unlock(&p->lock);
  work(j, 0);
  pthread_mutex_lock(&p->lock);
  p->open = false;
  while (p->busy) pthread_cond_wait(&p->done, &p->lock);
  pthread_mutex_unlock(&p->lock);
}

void blk_each(blk_pool *p, blk_job *j) {
  atomic_store(&j->next, 0);
  atomic_store(&j->turn, 0);
  j->shown = j->c && share_begins(j->c, j->n_task);
  work_all(p, j);
  share_ends(j->c, j->shown);
}

/* ── each.h ── */

typedef struct lent_job {
  blk_job j; /* first: the task gets its address */
  void (*task)(void *job, int64_t i);
  void *job;
} lent_job;

static void lent_task(blk_job *j, blk_thread *t, int64_t i) {
  const lent_job *l = (const lent_job *)(void *)j;
  UNUSED(t);
  l->task(l->job, i);
}

static void share_lent(blk_pool *p, ctx *c, int64_t n, void (*task)(void *job, int64_t i),
                       void *job) {
  lent_job l = {.j = {.c = c, .task = lent_task, .n_task = n}, .task = task, .job = job};
  l.j.threads = blk_threads_for(p, INT64_MAX);
  blk_each(p, &l.j);
}

void blk_pool_lend(blk_pool *p, ctx *c) {
  if (!p->want) return;
  c->team.pool = p;
  c->team.share = share_lent;
  c->team.least = p->thread_work;
}

/* How many processors this process may use, which may be fewer than there are. */
static int processors(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof set, &set)) return CPU_COUNT(&set);
#endif
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

blk_pool *blk_pool_new(ctx *c, int threads) {
  blk_pool *p = mem_zalloc(c, sizeof *p);
  if (!p) return NULL;
  if (threads <= 0) threads = processors();
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  if (threads > 1) p->want = threads - 1;
  p->isa = blk_isa_at(0);
  p->thread_work = THREAD_WORK;
  init_locks(p);
  return p;
}

void blk_pool_free(ctx *c, blk_pool *p) {
  if (!p) return;
  if (c->team.pool == p) c->team.share = NULL;
  forget_workers(p);
  pthread_mutex_lock(&p->lock);
  p->quit = true;
  pthread_cond_broadcast(&p->go);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < p->n; i++) pthread_join(p->workers[i].id, NULL);
  pthread_cond_destroy(&p->done);
  pthread_cond_destroy(&p->go);
  pthread_mutex_destroy(&p->lock);
  mem_free(c, p->keep[0].at);
  mem_free(c, p->keep[1].at);
  mem_free(c, p);
}

void blk_pool_tune(blk_pool *p, const blk_isa *isa, int64_t thread_work) {
  p->isa = isa;
  p->thread_work = thread_work;
}

const blk_isa *blk_pool_isa(const blk_pool *p) { return p ? p->isa : blk_isa_at(0); }
blk_keep *blk_pool_keep(blk_pool *p) { return p->keep; }
