/* SPDX-License-Identifier: MIT */
/* mem.c - the memory, vectors and arenas of mem.h.
 *
 * Every block that mem_alloc gives out carries its size in a 16-byte header in front of
 * it, so that a free needs no size, alignment stays 16, and bytes_live is exact. */
#include "mem.h"
#include <string.h>
#include <unistd.h>

enum { HEADER = 16 };

static size_t block_size(void *p) {
  size_t n;
  memcpy(&n, (char *)p - HEADER, sizeof n);
  return n;
}

static void *out_of_memory(ctx *c, size_t n) {
  err_set(c, ERR_WS_FULL, "%zu bytes are wanted, %zu are in use", n, c->bytes_live);
  return NULL;
}

/* Resizes to n bytes, header not counted; p may be NULL. */
static void *block_resize(ctx *c, void *p, size_t n) {
  size_t old = 0;
  if (p) old = block_size(p);
  if (n > SIZE_MAX - HEADER) return out_of_memory(c, n);
  size_t live = c->bytes_live - old;
  if (c->bytes_max && n > old && (live > c->bytes_max || n > c->bytes_max - live))
    return out_of_memory(c, n);
  char *base = NULL;
  if (p) base = c->resize(c->user, (char *)p - HEADER, old + HEADER, n + HEADER);
  else base = c->resize(c->user, NULL, 0, n + HEADER);
  if (!base) return out_of_memory(c, n);
  memcpy(base, &n, sizeof n);
  c->bytes_live = live + n;
  if (c->bytes_live > c->bytes_peak) c->bytes_peak = c->bytes_live;
  if (!p) c->blocks_live++;
  return base + HEADER;
}

void *mem_alloc(ctx *c, size_t n) { return block_resize(c, NULL, n); }

void *mem_zalloc(ctx *c, size_t n) {
  void *p = block_resize(c, NULL, n);
  if (p) memset(p, 0, n);
  return p;
}

void *mem_resize(ctx *c, void *p, size_t n) { return block_resize(c, p, n); }

void mem_free(ctx *c, void *p) {
  if (!p) return;
  size_t n = block_size(p);
  c->bytes_live -= n;
  c->blocks_live--;
  c->resize(c->user, (char *)p - HEADER, n + HEADER, 0);
}

size_t mem_installed(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 0;
  return (size_t)pages * (size_t)size;
}

size_t mem_of_machine(void) {
  const size_t rest = (size_t)16 << 30;
  size_t all = mem_installed();
  if (all / 2 > rest) return all - rest;
  return all / 2;
}

bool vec_room(ctx *c, void **at, size_t n, size_t *cap, size_t item) {
  if (n < *cap) return true;
  size_t more = *cap ? *cap * 2 : 8;
  if (more > SIZE_MAX / item) {
    out_of_memory(c, SIZE_MAX);
    return false;
  }
  void *p = mem_resize(c, *at, more * item);
  if (!p) return false;
  *at = p;
  *cap = more;
  return true;
}

/* ── arena: blocks chained, the newest first ── */

enum { FIRST_BLOCK = 1024, LARGE_BLOCK = 65536 }; /* they double up to that */

typedef struct arena_block {
  struct arena_block *next;
  size_t used, size;
} arena_block;

void *arena_alloc(arena *a, size_t n) {
  if (n > SIZE_MAX / 2) return out_of_memory(a->c, n);
  n = (n + 15) & ~(size_t)15;
  size_t head = (sizeof(arena_block) + 15) & ~(size_t)15;
  arena_block *b = a->head;
  if (!b || b->size - b->used < n) {
    size_t size = FIRST_BLOCK;
    if (b) size = b->size * 2;
    if (size > LARGE_BLOCK) size = LARGE_BLOCK;
    if (size < n) size = n;
    b = mem_alloc(a->c, head + size);
    if (!b) return NULL;
    b->next = a->head;
    b->used = 0;
    b->size = size;
    a->head = b;
  }
  void *p = (char *)b + head + b->used;
  b->used += n;
  return memset(p, 0, n);
}

void arena_free(arena *a) {
  for (arena_block *b = a->head, *next; b; b = next) {
    next = b->next;
    mem_free(a->c, b);
  }
  a->head = NULL;
}
