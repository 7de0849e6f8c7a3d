/* SPDX-License-Identifier: MIT */
/* progress.c - on a terminal, how long work takes that takes longer than two seconds.
 *
 * A thread of its own looks, so that work need not: it writes the seconds, and the share that is
 * done where the work tells it (ctx.h), and takes that away before anything else is written. */
#include "progress.h"
#include "../src/base/mem.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { PATIENCE = 2, PERIOD_NS = 200000000 };

struct progress {
  const session *s;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t change;
  struct timespec begun, due; /* when it is drawn next */
  bool on, shown, quit;
};

/* Negative where t is to come. */
static double seconds_since(const struct timespec *t) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) * 1e-9;
}

/* Not before a period from now. */
static void put_off(progress *p) {
  clock_gettime(CLOCK_REALTIME, &p->due);
  p->due.tv_nsec += PERIOD_NS;
  p->due.tv_sec += p->due.tv_nsec / 1000000000;
  p->due.tv_nsec %= 1000000000;
}

static void erase(progress *p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = false;
}

/* Behind an open line, a prompt, nothing is written. */
static void draw(progress *p) {
  double seconds = seconds_since(&p->begun);
  double total = (double)atomic_load(&p->s->c.share.total);
  double done = (double)atomic_load(&p->s->c.share.done);
  if (*p->s->tail) return;
  erase(p);
  fprintf(stderr, "… %.0f s", seconds);
  if (total > 0 && done > 0 && done <= total) {
    double left = seconds * (total - done) / done;
    fprintf(stderr, ", %.0f %%, about %.0f s to go", 100 * done / total, left);
  }
  fflush(stderr);
  p->shown = true;
}

static void *watch(void *user) {
  progress *p = user;
  pthread_mutex_lock(&p->lock);
  while (!p->quit) {
    if (!p->on) {
      pthread_cond_wait(&p->change, &p->lock);
      continue;
    }
    if (seconds_since(&p->due) >= 0) {
      draw(p);
      put_off(p);
    }
    struct timespec due = p->due;
    pthread_cond_timedwait(&p->change, &p->lock, &due);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

progress *progress_new(session *s) {
  progress *p = mem_zalloc(&s->c, sizeof *p);
  sigset_t all, old;
  if (!p) return NULL;
  p->s = s;
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->change, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all,
                  &old); /* the interrupt is for the session's thread */
  bool ok = !pthread_create(&p->thread, NULL, watch, p);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (ok) return p;
  mem_free(&s->c, p);
  return NULL;
}

static void set(progress *p, bool on, bool quit) {
  pthread_mutex_lock(&p->lock);
  erase(p);
  p->on = on;
  p->quit = quit;
  clock_gettime(CLOCK_REALTIME, &p->begun);
  p->due = p->begun;
  p->due.tv_sec += PATIENCE;
  pthread_cond_signal(&p->change);
  pthread_mutex_unlock(&p->lock);
}

void progress_set(progress *p, bool on) {
  if (p) set(p, on, false);
}

void progress_free(progress *p) {
  if (!p) return;
  set(p, false, true);
  pthread_join(p->thread, NULL);
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->change);
}

void progress_lock(progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->lock);
  erase(p);
}

/* What was written is often the end of the work: nothing is drawn at once behind it. */
void progress_unlock(progress *p) {
  if (!p) return;
  if (seconds_since(&p->begun) >= PATIENCE) put_off(p);
  pthread_mutex_unlock(&p->lock);
}
