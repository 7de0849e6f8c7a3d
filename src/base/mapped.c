/* SPDX-License-Identifier: MIT */
/* mapped.c - the files of mapped.h, in a list that a signal handler of another thread may read
 * while it changes: what leaves it is freed when no handler is in it any more. */
#include "mapped.h"
#include "mem.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

mapped_file *mapped_add(ctx *c, const char *name, void *base, size_t length) {
  size_t n = strlen(name) + 1;
  mapped_file *m = mem_alloc(c, sizeof *m + n);
  if (!m) return NULL;
  *m = (mapped_file){.base = base, .length = length};
  atomic_store(&m->next, atomic_load(&c->mapped));
  memcpy(m->name, name, n);
  atomic_store(&c->mapped, m);
  return m;
}

void mapped_remove(ctx *c, mapped_file *m) {
  _Atomic(mapped_file *) *at = &c->mapped;
  if (!m) return;
  while (atomic_load(at) != m) at = &atomic_load(at)->next;
  atomic_store(at, atomic_load(&m->next));
  while (atomic_load(&c->faulting)) sched_yield();
  mem_free(c, m);
}

/* Puts zeros where m is lost, from there on. */
static bool lose(mapped_file *m, char *from) {
  size_t n = (size_t)(m->base + m->length - from);
  int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (mmap(from, n, PROT_READ | PROT_WRITE, how, -1, 0) == MAP_FAILED) return false;
  char *was = atomic_load(&m->lost);
  while ((!was || from < was) && !atomic_compare_exchange_weak(&m->lost, &was, from))
    ;
  return true;
}

bool mapped_fault(ctx *c, void *at) {
  int was = errno;
  uintptr_t page = (uintptr_t)at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  char *from = (char *)page;
  bool ok = false;
  atomic_fetch_add(&c->faulting, 1);
  for (mapped_file *m = atomic_load(&c->mapped); m && !ok; m = atomic_load(&m->next))
    if (from >= m->base && from < m->base + m->length) ok = lose(m, from);
  if (ok) atomic_store(&c->interrupt, true);
  atomic_fetch_sub(&c->faulting, 1);
  errno = was;
  return ok;
}

/* Reading m's lost part is to raise SIGBUS: it is that of a file without a byte. */
static void rearm(mapped_file *m) {
  int none = memfd_create("vapl", MFD_CLOEXEC);
  if (none < 0) return;
  char *lost = atomic_exchange(&m->lost, NULL);
  mmap(lost, (size_t)(m->base + m->length - lost), PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_FIXED, none, 0);
  close(none);
}

bool mapped_whole(ctx *c) {
  for (mapped_file *m = atomic_load(&c->mapped); m; m = atomic_load(&m->next)) {
    if (!atomic_load(&m->lost)) continue;
    rearm(m);
    atomic_store(&c->interrupt, false);
    return err_set(c, ERR_FILE_DAMAGED, "%s has become shorter while it was mapped",
                   m->name);
  }
  return true;
}
