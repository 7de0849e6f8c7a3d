/* SPDX-License-Identifier: MIT */
/* threads.c - an interpreter for each thread, side by side; and one that another thread stops.
 *
 *   cc threads.c $(pkg-config --cflags --libs vapl) -lpthread -o threads
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <vapl.h>

enum { THREADS = 4 };

static vapl *open_one(void) {
  vapl_config config;
  memset(&config, 0, sizeof config);
  config.size = sizeof config;
  config.threads = 1; /* there are enough */
  vapl *apl;
  return vapl_open(&config, &apl) == VAPL_OK ? apl : NULL;
}

/* The sum of the k-th powers of 1 to 1000; the workspaces have nothing to do with each other. */
typedef struct job {
  int64_t k;
  double sum;
  int failed;
} job;

static void *work(void *user) {
  job *j = (job *)user;
  vapl_array *k = NULL, *sum = NULL;
  vapl *apl = open_one();
  vapl_status s = apl ? vapl_new(apl, VAPL_I64, 0, NULL, &j->k, &k) : VAPL_WS_FULL;
  if (!s) s = vapl_set(apl, "k", k);
  if (!s) s = vapl_eval(apl, "+/(⍳1000)*k", VAPL_STRLEN, NULL, &sum);
  if (!s) s = vapl_read(apl, sum, VAPL_F64, &j->sum, sizeof j->sum);
  vapl_release(sum);
  vapl_release(k);
  vapl_close(apl);
  j->failed = s != VAPL_OK;
  return NULL;
}

static void *run_for_ever(void *user) {
  vapl *apl = (vapl *)user;
  vapl_status s = vapl_eval(apl, "{∇ ⍵+1}0", VAPL_STRLEN, NULL, NULL);
  printf("stopped: %s\n", s == VAPL_INTERRUPT ? vapl_last_error(apl)->name : "by itself");
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i].k = i + 1;
    if (pthread_create(&thread[i], NULL, work, &jobs[i])) return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    if (jobs[i].failed) return 1;
    printf("powers %d: %.0f\n", (int)jobs[i].k, jobs[i].sum);
  }
  vapl *apl = open_one();
  if (!apl || pthread_create(&thread[0], NULL, run_for_ever, apl)) return 1;
  vapl_interrupt(apl); /* is kept if it has not begun yet */
  pthread_join(thread[0], NULL);
  vapl_close(apl);
  return 0;
}
