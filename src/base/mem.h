/* SPDX-License-Identifier: MIT */
/* mem.h - memory through the context's allocator: blocks, growable vectors, arenas. */
#ifndef VAPL_MEM_H
#define VAPL_MEM_H
#include "ctx.h"
#include <string.h>

/* At least n bytes, aligned to 16, uninitialised; NULL after recording WS FULL. */
void *mem_alloc(ctx *c, size_t n);
void *mem_zalloc(ctx *c, size_t n);
/* As realloc: NULL leaves the old block alone. p may be NULL. */
void *mem_resize(ctx *c, void *p, size_t n);
void mem_free(ctx *c, void *p); /* p may be NULL */
size_t
mem_room(const void *p); /* how many bytes it has: as many as were asked for, or more */
void mem_trim(ctx *c);   /* what was freed and waits to be used again goes back */

/* ── the machine's (machine.c) ── */

/* How much memory there is in bytes, or may be used by the groups that this process runs in, as those of a
 * container; 0 if that is unknown. A system may grant more than that, and ends the process when it writes
 * to it. */
size_t mem_installed(void);
/* What a program may set bytes_max to, so that WS FULL comes before the system ends it: half
 * of that memory, or all but 16 GiB; 0 if that is unknown. */
size_t mem_of_machine(void);
/* The least limit of the control groups that the file `groups` names as /proc/self/cgroup does, and of those
 * they are in, which are mounted at `mount`; SIZE_MAX: there is none. */
size_t mem_of_groups(const char *groups, const char *mount);

/* As memcpy, in line for what is short. */
static inline void mem_copy(void *to, const void *from, size_t n) {
  char *r = to;
  const char *p = from;
  uint64_t a, b;
  if (n > 16) memcpy(r, p, n);
  else if (n >= 8) {
    memcpy(&a, p, 8);
    memcpy(&b, p + n - 8, 8);
    memcpy(r, &a, 8);
    memcpy(r + n - 8, &b, 8);
  } else if (n >= 4) {
    memcpy(&a, p, 4);
    memcpy(&b, p + n - 4, 4);
    memcpy(r, &a, 4);
    memcpy(r + n - 4, &b, 4);
  } else if (n) {
    char first = p[0], middle = p[n / 2], last = p[n - 1];
    r[0] = first;
    r[n / 2] = middle;
    r[n - 1] = last;
  }
}

/* Growable vector: VEC(int) v = {0}; if (!vec_push(c, &v, 3)) fail; vec_free(c, &v). */
#define VEC(T)                                                                           \
  struct {                                                                               \
    T *at;                                                                               \
    size_t n, cap;                                                                       \
  }
#define vec_push(c, v, item)                                                             \
  (vec_room((c), (void **)&(v)->at, (v)->n, &(v)->cap, sizeof *(v)->at) &&               \
   ((v)->at[(v)->n++] = (item), true))
#define vec_free(c, v)                                                                   \
  do {                                                                                   \
    mem_free((c), (v)->at);                                                              \
    (v)->at = NULL;                                                                      \
    (v)->n = (v)->cap = 0;                                                               \
  } while (0)
/* Makes room for one more item behind n of them, each `item` bytes. */
bool vec_room(ctx *c, void **at, size_t n, size_t *cap, size_t item);

/* Arena: many small allocations, freed whole. Zero-initialise but for the context. */
typedef struct arena {
  ctx *c;
  struct arena_block *head;
} arena;
void *arena_alloc(arena *a, size_t n); /* zeroed, aligned to 16; NULL after WS FULL */
void arena_free(arena *a);
#endif
