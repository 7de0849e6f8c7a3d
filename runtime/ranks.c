/* SPDX-License-Identifier: MIT */
/* ranks.c - the engine of ranks is a library of its own, which dlopen finds: no program of vapl
 * links MPI, and one without --ranks does not load it. It stays open until the process ends. */
#include "ranks.h"
#include "vapl_mpi.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char ENGINE[] = "vapl-mpi.so";

/* The folder of the running program, ending in /. */
static bool program_folder(char to[PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", to, PATH_MAX - 1);
  if (n <= 0) return false;
  to[n] = 0;
  char *slash = strrchr(to, '/');
  if (slash) slash[1] = 0;
  return slash != NULL;
}

bool ranks_find(char to[PATH_MAX], char *why, size_t n) {
  static const char *const places[] = {"", "../lib/vapl/"};
  char folder[PATH_MAX];
  if (!program_folder(folder)) folder[0] = 0;
  for (int i = 0; i < 2; i++) {
    int length = snprintf(to, PATH_MAX, "%s%s%s", folder, places[i], ENGINE);
    if (length < PATH_MAX && !access(to, R_OK)) return true;
  }
  snprintf(
      why, n,
      "%s is neither in %.200s nor in ../lib/vapl: `make mpi` builds it, by mpicc (on "
      "Debian the packages openmpi-bin and libopenmpi-dev)",
      ENGINE, folder);
  return false;
}

static const vapl_comm *open_world(const char *path, char *why, size_t n) {
  char found[PATH_MAX];
  if (!path && !ranks_find(found, why, n)) return NULL;
  void *library = dlopen(path ? path : found, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(why, n, "%s", dlerror());
    return NULL;
  }
  vapl_mpi_world_fn *world;
  *(void **)&world = dlsym(library, "vapl_mpi_world");
  if (world) return world(why, n);
  snprintf(why, n, "%.200s is no engine of ranks", path ? path : found);
  return NULL;
}

/* A signal that interrupts is for the thread that reads and computes. */
const vapl_comm *ranks_open(const char *path, char *why, size_t n) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const vapl_comm *m = open_world(path, why, n);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return m;
}

static void fail(const vapl_comm *m, int error) {
  fprintf(stderr, "vapl: rank %d: %s\n", m->rank, m->text(m->user, error));
  m->abort(m->user, RANKS_FAILED);
}

/* Looks often at first, then every two milliseconds. */
static void await(const vapl_comm *m, int begun, void **request) {
  enum { FIRST_NS = 1000, LONGEST_NS = 2000000 };
  struct timespec t = {.tv_nsec = FIRST_NS};
  int done = 0, error = begun;
  while (!error && !(error = m->test(m->user, request, &done)) && !done) {
    nanosleep(&t, NULL);
    if (t.tv_nsec < LONGEST_NS) t.tv_nsec += t.tv_nsec / 4 + 1;
  }
  if (error) fail(m, error);
}

void ranks_share(const vapl_comm *m, void *at, size_t n) {
  enum { MOST = 256 << 20 };
  for (size_t i = 0; i < n; i += MOST) {
    void *request = NULL;
    size_t part = n - i < MOST ? n - i : MOST;
    await(m, m->bcast(m->user, (char *)at + i, part, 0, &request), &request);
  }
}

void ranks_agree(const vapl_comm *m, const vapl_agreement *mine, vapl_agreement *all) {
  void *request = NULL;
  await(m, m->agree(m->user, mine, all, &request), &request);
}
