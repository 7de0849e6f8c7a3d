/* SPDX-License-Identifier: MIT */
/* mapped.c - the files of mapped.h, in a list. */
#include "mapped.h"
#include "mem.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

mapped_file *mapped_add(ctx *c, const char *name, void *base, size_t length) {
  size_t n = strlen(name) + 1;
  mapped_file *m = mem_alloc(c, sizeof *m + n);
  if (!m) return NULL;
  *m = (mapped_file){.next = c->mapped, .base = base, .length = length};
  memcpy(m->name, name, n);
  c->mapped = m;
  return m;
}

void mapped_remove(ctx *c, mapped_file *m) {
  mapped_file **at = &c->mapped;
  if (!m) return;
  while (*at != m) at = &(*at)->next;
  *at = m->next;
  mem_free(c, m);
}

bool mapped_fault(ctx *c, void *at) {
  uintptr_t page = (uintptr_t)at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  char *from = (char *)page;
  for (mapped_file *m = c->mapped; m; m = m->next) {
    if (from < m->base || from >= m->base + m->length) continue;
    size_t n = (size_t)(m->base + m->length - from);
    int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap(from, n, PROT_READ | PROT_WRITE, how, -1, 0) == MAP_FAILED) return false;
    if (!m->lost || from < m->lost) m->lost = from;
    atomic_store(&c->interrupt, true);
    return true;
  }
  return false;
}

/* Reading m's lost part is to raise SIGBUS: it is that of a file without a byte. */
static void rearm(mapped_file *m) {
  int none = memfd_create("vapl", MFD_CLOEXEC);
  if (none < 0) return;
  mmap(m->lost, (size_t)(m->base + m->length - m->lost), PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_FIXED, none, 0);
  close(none);
  m->lost = NULL;
}

bool mapped_whole(ctx *c) {
  for (mapped_file *m = c->mapped; m; m = m->next) {
    if (!m->lost) continue;
    rearm(m);
    atomic_store(&c->interrupt, false);
    return err_set(c, ERR_FILE_DAMAGED, "%s has become shorter while it was mapped",
                   m->name);
  }
  return true;
}
