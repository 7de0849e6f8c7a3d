/* SPDX-License-Identifier: MIT */
/* mem.c - the memory, vectors and arenas of mem.h.
 *
 * Every block that mem_alloc gives out has a 16-byte header in front of it with its size, so
 * that a free needs no size, alignment stays 16, and bytes_live is exact.
 *
 * The context keeps freed blocks for reuse: a small one in the list of its class of sizes, a
 * large one with its pages, for new pages from the system cost more than writing to them. The kept
 * bytes are bounded and count against the limit. They go back to the system when memory is short.
 *
 * TRIED: asking the system for the next block while computing with one: helped as often as it cost. */
#include "mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { HEADER = sizeof(mem_block) };
_Static_assert(sizeof(mem_block) == MEM_STEP, "blocks are aligned to 16");

/* So many bytes of large blocks may be kept, or as many as are in use: three arrays of ten million doubles. */
enum { LARGE_MOST = 256 << 20 };
enum { WORTH_A_TRIM = 1 << 20 };

static mem_block *block_of(const void *p) { return (mem_block *)(void *)p - 1; }

static void *out_of_memory(ctx *c, size_t n) {
  char most[40] = "";
  if (c->bytes_max) snprintf(most, sizeof most, " of at most %zu", c->bytes_max);
  err_set(c, ERR_WS_FULL, "%zu bytes are wanted, %zu%s are in use", n, c->bytes_live,
          most);
  return NULL;
}

/* ── blocks that wait ───────────────────────────────────────────────────────────────── */

/* The size class of n bytes, up to MEM_SMALL: classes differ by MEM_STEP up to MEM_FINE, then by an eighth. */
static unsigned step_of(size_t n) { return 60 - (unsigned)__builtin_clzll(n - 1); }
static size_t class_of(size_t n) {
  if (n <= MEM_FINE) return (n + MEM_STEP - 1) / MEM_STEP;
  unsigned step = step_of(n);
  return MEM_FINE / MEM_STEP + 8 * (step - step_of(MEM_FINE + 1)) + ((n - 1) >> step) - 7;
}
static size_t room_of(size_t n) {
  if (n <= MEM_FINE) return n ? (n + MEM_STEP - 1) & ~(size_t)(MEM_STEP - 1) : MEM_STEP;
  return ((n - 1) | (((size_t)1 << step_of(n)) - 1)) + 1;
}

/* A block of class k; NULL: none waits. */
static mem_block *small_pop(ctx *c, size_t k) {
  if (!c->idle.small[k]) return NULL;
  mem_block *b = mem_pop(&c->idle.small[k]);
  c->idle.small_bytes -= b->room + MEM_BESIDE;
  return b;
}

static void give_back(ctx *c, mem_block *b) {
  c->bytes_held -= b->room + MEM_BESIDE;
  c->resize(c->user, b, b->room + HEADER, 0);
}

/* The best fit for n bytes among the large blocks used last; NULL: each would waste too much. */
static mem_block *take_large(ctx *c, size_t n) {
  enum { LOOK_AT = 64 };
  mem_block **best = NULL, **p = &c->idle.large;
  for (int k = 0; k < LOOK_AT && *p; k++, p = mem_next(*p)) {
    size_t room = (*p)->room;
    if (room >= n && room - n <= n / 4 && (!best || room < (*best)->room)) best = p;
  }
  if (!best) return NULL;
  mem_block *b = mem_pop(best);
  c->idle.large_bytes -= b->room + MEM_BESIDE;
  return b;
}

/* So many bytes were freed: the system gets their pages, which the C library would keep. */
static void give_pages(size_t freed) {
#ifdef __GLIBC__
  if (freed > WORTH_A_TRIM) malloc_trim(0);
#else
  (void)freed;
#endif
}

/* Frees the longest unused blocks until at most `most` bytes are kept. */
static void trim_large(ctx *c, size_t most) {
  while (c->idle.large_bytes > most) {
    mem_block **last = &c->idle.large;
    while (*mem_next(*last)) last = mem_next(*last);
    mem_block *b = mem_pop(last);
    c->idle.large_bytes -= b->room + MEM_BESIDE;
    give_back(c, b);
  }
}

void mem_trim(ctx *c) {
  trim_large(c, 0);
  size_t small = c->idle.small_bytes;
  if (!small) return;
  for (size_t k = 0; k < MEM_CLASSES; k++)
    while (c->idle.small[k]) give_back(c, mem_pop(&c->idle.small[k]));
  c->idle.small_bytes = 0;
  give_pages(small);
}

/* Is there room for n more bytes, if need be after freeing the kept blocks? */
static bool may_hold(ctx *c, size_t n) {
  if (!mem_is_above(c, c->bytes_held, n)) return true;
  size_t large = c->idle.large_bytes;
  trim_large(c, 0);
  give_pages(large);
  if (!mem_is_above(c, c->bytes_held, n)) return true;
  mem_trim(c);
  return !mem_is_above(c, c->bytes_held, n);
}

/* Does b wait from now on? */
static bool block_waits(ctx *c, mem_block *b) {
  mem_idle *idle = &c->idle;
  if (!idle->on) return false;
  if (b->room <= MEM_SMALL) {
    if (!mem_may_wait(c)) return false;
    idle->small_bytes += b->room + MEM_BESIDE;
    mem_push(&idle->small[class_of(b->room)], b);
    return true;
  }
  mem_push(&idle->large, b);
  idle->large_bytes += b->room + MEM_BESIDE;
  trim_large(c, c->bytes_live > LARGE_MOST ? c->bytes_live : LARGE_MOST);
  return true;
}

/* ── blocks ─────────────────────────────────────────────────────────────────────────── */

/* As the context's resize; if that fails, it frees the kept blocks and tries again. */
static mem_block *resized(ctx *c, mem_block *b, size_t n) {
  size_t old = b ? b->room + HEADER : 0;
  mem_block *r = c->resize(c->user, b, old, n + HEADER);
  if (r || !c->idle.on) return r;
  mem_trim(c);
  return c->resize(c->user, b, old, n + HEADER);
}

/* A block of n bytes or more: a large kept one, or a new one. */
static mem_block *block_new(ctx *c, size_t n) {
  mem_block *b = n > MEM_SMALL ? take_large(c, n) : NULL;
  if (b) return b;
  if (n <= MEM_SMALL && c->idle.on) n = room_of(n);
  if (!may_hold(c, n + MEM_BESIDE)) return NULL;
  b = resized(c, NULL, n);
  if (!b) return NULL;
  b->room = n;
  c->bytes_held += n + MEM_BESIDE;
  return b;
}

static SELDOM void *alloc_otherwise(ctx *c, size_t n) {
  mem_block *b = NULL;
  if (n > SIZE_MAX - HEADER || mem_is_above(c, c->bytes_live, n))
    return out_of_memory(c, n);
  if (n <= MEM_SMALL) b = small_pop(c, class_of(n));
  if (!b) b = block_new(c, n);
  return b ? mem_put_in_use(c, b, n) : out_of_memory(c, n);
}

void *mem_alloc(ctx *c, size_t n) {
  void *p = NULL;
  if (LIKELY(n <= MEM_FINE)) p = mem_try_alloc(c, n);
  return LIKELY(p != NULL) ? p : alloc_otherwise(c, n);
}

bool mem_fits(ctx *c, size_t n) {
  size_t used = c->bytes_held - c->idle.small_bytes - c->idle.large_bytes;
  return !mem_is_above(c, used, n) || out_of_memory(c, n);
}

void *mem_zalloc(ctx *c, size_t n) {
  void *p = mem_alloc(c, n);
  if (p) memset(p, 0, n);
  return p;
}

bool mem_fill(ctx *c, void *to, int byte, size_t n) {
  enum { AT_ONCE = 16 << 20 };
  char *p = to;
  for (size_t part; n; p += part, n -= part) {
    part = n < AT_ONCE ? n : AT_ONCE;
    memset(p, byte, part);
    if (part < n && interrupted(c)) return false;
  }
  return true;
}

void mem_free_otherwise(ctx *c, mem_block *b) {
  if (!block_waits(c, b)) give_back(c, b);
}

void mem_free(ctx *c, void *p) {
  if (p) mem_put_back(c, p);
}

size_t mem_room(const void *p) { return block_of(p)->room; }

/* A small block that grows, or one that becomes small, moves: its list is that of its size. */
static void *move_block(ctx *c, void *p, size_t n) {
  size_t old = block_of(p)->size;
  void *to = mem_alloc(c, n);
  if (!to) return NULL;
  memcpy(to, p, old < n ? old : n);
  mem_free(c, p);
  return to;
}

void *mem_resize(ctx *c, void *p, size_t n) {
  if (!p) return mem_alloc(c, n);
  mem_block *b = block_of(p);
  size_t old = b->size, live = c->bytes_live - old;
  if (n > SIZE_MAX - HEADER || (n > old && mem_is_above(c, live, n)))
    return out_of_memory(c, n);
  bool fits = n <= b->room && n >= b->room / 2;
  if (!fits && c->idle.on && (b->room <= MEM_SMALL || n <= MEM_SMALL))
    return move_block(c, p, n);
  if (!fits || !c->idle.on) {
    size_t room = b->room;
    if (n > room && !may_hold(c, n - room)) return out_of_memory(c, n);
    b = resized(c, b, n);
    if (!b) return out_of_memory(c, n);
    b->room = n;
    c->bytes_held += n - room; /* which may wrap: it became less */
  }
  b->size = n;
  mem_count(c, live + n);
  return b + 1;
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
