/* SPDX-License-Identifier: MIT */
/* mem.h - memory through the context's allocator: blocks, growable vectors, arenas. */
#ifndef VAPL_MEM_H
#define VAPL_MEM_H
#include "ctx.h"
#include <string.h>

/* At least n bytes, aligned to 16, uninitialised; NULL after recording WS FULL. */
void *mem_alloc(ctx *c, size_t n);
void *mem_zalloc(ctx *c, size_t n);
/* Would there be room for n bytes in all, in however many blocks? False after WS FULL. */
bool mem_fits(ctx *c, size_t n);
/* As realloc: NULL leaves the old block alone. p may be NULL. */
void *mem_resize(ctx *c, void *p, size_t n);
void mem_free(ctx *c, void *p); /* p may be NULL */
size_t
mem_room(const void *p); /* how many bytes it has: as many as were asked for, or more */
void mem_trim(ctx *c);   /* frees the blocks kept for reuse */

/* ── blocks of up to MEM_FINE bytes, in line ── */

/* What stands before the bytes that mem_alloc gives. */
typedef struct mem_block {
  _Alignas(MEM_STEP) size_t size; /* bytes that are in use */
  size_t room;                    /* that there are */
} mem_block;
/* The overhead of a block: its header, and the C library's. */
enum { MEM_BESIDE = sizeof(mem_block) + 16 };
enum {
  MEM_SMALL_MOST = 128 << 20
}; /* of small blocks may wait: a list of a million texts */
void mem_free_otherwise(ctx *c, mem_block *b); /* one that is not such, or may not wait */

/* Kept blocks are linked through the bytes behind their headers. */
static inline mem_block **mem_next(mem_block *b) { return (mem_block **)(void *)(b + 1); }
static inline mem_block *mem_pop(mem_block **list) {
  mem_block *b = *list;
  *list = *mem_next(b);
  return b;
}
static inline void mem_push(mem_block **list, mem_block *b) {
  *mem_next(b) = *list;
  *list = b;
}
static inline bool mem_may_wait(const ctx *c) { /* one more small block */
  return c->idle.on && c->idle.small_bytes < MEM_SMALL_MOST;
}

/* memset; false after INTERRUPT, for much memory takes long the first time. */
bool mem_fill(ctx *c, void *to, int byte, size_t n);

/* Is there no room for n bytes besides `live`? */
static inline bool mem_is_above(const ctx *c, size_t live, size_t n) {
  return c->bytes_max && (live > c->bytes_max || n > c->bytes_max - live);
}
static inline void mem_count(ctx *c, size_t live) {
  c->bytes_live = live;
  if (live > c->bytes_peak) c->bytes_peak = live;
}
/* b, of n bytes, is in use from now on. */
static inline void *mem_put_in_use(ctx *c, mem_block *b, size_t n) {
  b->size = n;
  mem_count(c, c->bytes_live + n);
  c->blocks_live++;
  return b + 1;
}

/* mem_alloc of up to MEM_FINE bytes from the blocks kept for reuse. Returns NULL, with no error, if there is
 * none, or a limit forbids it. */
INLINE void *mem_try_alloc(ctx *c, size_t n) {
  mem_block **list = &c->idle.small[(n + MEM_STEP - 1) / MEM_STEP];
  if (!LIKELY(*list) || mem_is_above(c, c->bytes_live, n)) return NULL;
  mem_block *b = mem_pop(list);
  c->idle.small_bytes -= b->room + MEM_BESIDE;
  return mem_put_in_use(c, b, n);
}

/* mem_free. */
INLINE void mem_put_back(ctx *c, void *p) {
  mem_block *b = (mem_block *)p - 1;
  c->bytes_live -= b->size;
  c->blocks_live--;
  if (!LIKELY(b->room <= MEM_FINE && mem_may_wait(c))) {
    mem_free_otherwise(c, b);
    return;
  }
  c->idle.small_bytes += b->room + MEM_BESIDE;
  mem_push(&c->idle.small[b->room / MEM_STEP], b);
}

/* ── the machine's (machine.c) ── */

/* How much memory there is in bytes, or may be used by the groups that this process runs in, as those of a
 * container; 0 if that is unknown. A system may grant more than that, and ends the process when it writes
 * to it. */
size_t mem_installed(void);
/* What ctx_init sets bytes_max to, so that WS FULL comes before the system ends the program: half
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
