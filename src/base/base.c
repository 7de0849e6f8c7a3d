/* SPDX-License-Identifier: MIT */
/* base.c - the context, memory, vectors, arenas, strings and UTF-8 of base.h.
 *
 * Every block that mem_alloc gives out carries its size in a 16-byte header in front of it,
 * so that a free needs no size, alignment stays 16, and bytes_live is exact. */
#include "base.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── context and errors ── */

#ifdef __SANITIZE_ADDRESS__
/* WS FULL is an answer: what the sanitizer would stop for is refused instead. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
#endif

static void *libc_resize(void *user, void *p, size_t old_size, size_t new_size) {
  UNUSED(user);
  UNUSED(old_size);
  if (new_size == 0) {
    free(p);
    return NULL;
  }
  return realloc(p, new_size);
}

/* What the machine has: a system that promises more ends the process that takes it at its word. */
static size_t memory_installed(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : 0;
}

void ctx_init(ctx *c, void *(*resize)(void *, void *, size_t, size_t), void *user) {
  memset(c, 0, sizeof *c);
  if (!resize) c->bytes_max = memory_installed();
  c->resize = resize ? resize : libc_resize;
  c->user = user;
  atomic_init(&c->interrupt, false);
}

const char *err_name(int code) {
  switch (code) {
  case ERR_NONE: return "";
  case ERR_WS_FULL: return "WS FULL";
  case ERR_SYNTAX: return "SYNTAX ERROR";
  case ERR_INDEX: return "INDEX ERROR";
  case ERR_RANK: return "RANK ERROR";
  case ERR_LENGTH: return "LENGTH ERROR";
  case ERR_VALUE: return "VALUE ERROR";
  case ERR_FORMAT: return "FORMAT ERROR";
  case ERR_LIMIT: return "LIMIT ERROR";
  case ERR_DOMAIN: return "DOMAIN ERROR";
  case ERR_NONCE: return "NONCE ERROR";
  case ERR_FILE_NAME: return "FILE NAME ERROR";
  case ERR_INTERRUPT: return "INTERRUPT";
  case ERR_EOF: return "EOF INTERRUPT";
  case ERR_PERM: return "PERMISSION ERROR";
  case ERR_DEVICE: return "DEVICE ERROR";
  case ERR_ARG: return "ARGUMENT ERROR";
  default: return code >= ERR_FILE && code <= 38 ? "FILE ERROR" : "ERROR";
  }
}

bool err_set(ctx *c, int code, const char *fmt, ...) {
  if (err_is(c)) return false;
  c->err.code = code;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(c->err.msg, sizeof c->err.msg, fmt, ap);
  va_end(ap);
  /* A message that was cut must not end inside a UTF-8 sequence. */
  size_t n = strlen(c->err.msg);
  if (n == sizeof c->err.msg - 1) {
    while (n > 0 && ((unsigned char)c->err.msg[n - 1] & 0xC0) == 0x80) n--;
    if (n > 0 && (unsigned char)c->err.msg[n - 1] >= 0x80) n--;
    c->err.msg[n] = 0;
  }
  return false;
}

void err_at(ctx *c, span at) {
  if (!err_is(c) || c->err.at.src || !at.src) return;
  c->err.at = at;
  source_retain(at.src);
}

void err_clear(ctx *c) {
  source *s = c->err.at.src;
  memset(&c->err, 0, sizeof c->err);
  source_release(c, s);
}

bool interrupted(ctx *c) {
  if (!atomic_load_explicit(&c->interrupt, memory_order_relaxed)) return false;
  atomic_store(&c->interrupt, false);
  err_set(c, ERR_INTERRUPT, "%s", "");
  return true;
}

/* ── memory ── */

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
  size_t old = p ? block_size(p) : 0;
  if (n > SIZE_MAX - HEADER) return out_of_memory(c, n);
  size_t live = c->bytes_live - old;
  if (c->bytes_max && n > old && (live > c->bytes_max || n > c->bytes_max - live))
    return out_of_memory(c, n);
  char *base =
      c->resize(c->user, p ? (char *)p - HEADER : NULL, p ? old + HEADER : 0, n + HEADER);
  if (!base) return out_of_memory(c, n);
  memcpy(base, &n, sizeof n);
  c->bytes_live = live + n;
  if (c->bytes_live > c->bytes_peak) c->bytes_peak = c->bytes_live;
  if (!p) c->blocks_live++;
  return base + HEADER;
}

size_t mem_of_machine(void) {
  const size_t rest = (size_t)16 << 30;
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return 0;
  size_t all = (size_t)pages * (size_t)size;
  return all / 2 > rest ? all - rest : all / 2;
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

source *source_new(ctx *c, const char *name, const char *text, size_t len) {
  size_t name_len = strlen(name);
  if (len > UINT32_MAX - 1 || name_len > UINT32_MAX) {
    err_set(c, ERR_LIMIT, "the text is too long");
    return NULL;
  }
  source *s = mem_alloc(c, sizeof *s + name_len + len + 2);
  if (!s) return NULL;
  s->refs = 1;
  s->first_line = 1;
  s->len = len;
  s->text = (char *)(s + 1);
  s->name = s->text + len + 1;
  memcpy(s->text, text, len);
  s->text[len] = 0;
  memcpy(s->name, name, name_len + 1);
  return s;
}

source *source_retain(source *s) {
  if (s) s->refs++;
  return s;
}

void source_release(ctx *c, source *s) {
  if (s && --s->refs == 0) mem_free(c, s);
}

bool vec_room(ctx *c, void **at, size_t n, size_t *cap, size_t item) {
  if (n < *cap) return true;
  size_t more = *cap ? *cap * 2 : 8;
  if (more > SIZE_MAX / item) return out_of_memory(c, SIZE_MAX), false;
  void *p = mem_resize(c, *at, more * item);
  if (!p) return false;
  *at = p;
  *cap = more;
  return true;
}

/* ── arena: blocks chained, the newest first ── */

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
    size_t grow = b ? b->size * 2 : 1024;
    if (grow > 65536) grow = 65536;
    size_t size = n > grow ? n : grow;
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

/* ── strings ── */

static bool str_room(str *s, size_t n) {
  if (s->failed) return false;
  if (s->cap - s->n > n) return true;
  size_t cap = s->cap ? s->cap * 2 : 64;
  while (cap - s->n <= n) cap *= 2;
  char *p = mem_resize(s->c, s->at, cap);
  if (!p) {
    s->failed = true;
    return false;
  }
  s->at = p;
  s->cap = cap;
  return true;
}

void str_put(str *s, const char *p, size_t n) {
  if (!str_room(s, n)) return;
  if (n) memcpy(s->at + s->n, p, n);
  s->n += n;
  s->at[s->n] = 0;
}

void str_puts(str *s, const char *z) { str_put(s, z, strlen(z)); }

void str_putc(str *s, uint32_t code_point) {
  char b[4];
  str_put(s, b, (size_t)utf8_put(b, code_point));
}

void str_printf(str *s, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  if (n >= 0 && str_room(s, (size_t)n)) {
    vsnprintf(s->at + s->n, (size_t)n + 1, fmt, again);
    s->n += (size_t)n;
  }
  va_end(again);
}

void str_pad(str *s, size_t n) {
  if (!str_room(s, n)) return;
  memset(s->at + s->n, ' ', n);
  s->n += n;
  s->at[s->n] = 0;
}

void str_free(str *s) {
  mem_free(s->c, s->at);
  s->at = NULL;
  s->n = s->cap = 0;
  s->failed = false;
}

/* ── UTF-8 ── */

uint32_t utf8_next(const char *p, const char *end, const char **next) {
  const unsigned char *u = (const unsigned char *)p;
  *next = p + 1;
  if (u[0] < 0x80) return u[0];
  int n = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
  if (u[0] < 0xC2 || u[0] > 0xF4 || end - p < n) return 0xFFFD;
  uint32_t cp = u[0] & (0xFFu >> (n + 1));
  for (int i = 1; i < n; i++) {
    if ((u[i] & 0xC0) != 0x80) return 0xFFFD;
    cp = cp << 6 | (u[i] & 0x3F);
  }
  bool overlong = cp < (n == 4 ? 0x10000u : n == 3 ? 0x800u : 0x80u);
  if (overlong || cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000)) return 0xFFFD;
  *next = p + n;
  return cp;
}

int utf8_put(char *p, uint32_t cp) {
  if (cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000)) cp = 0xFFFD;
  if (cp < 0x80) return p[0] = (char)cp, 1;
  if (cp < 0x800)
    return p[0] = (char)(0xC0 | cp >> 6), p[1] = (char)(0x80 | (cp & 63)), 2;
  if (cp < 0x10000)
    return p[0] = (char)(0xE0 | cp >> 12), p[1] = (char)(0x80 | (cp >> 6 & 63)),
           p[2] = (char)(0x80 | (cp & 63)), 3;
  return p[0] = (char)(0xF0 | cp >> 18), p[1] = (char)(0x80 | (cp >> 12 & 63)),
         p[2] = (char)(0x80 | (cp >> 6 & 63)), p[3] = (char)(0x80 | (cp & 63)), 4;
}

size_t utf8_count(const char *p, size_t n) {
  size_t count = 0;
  for (const char *end = p + n; p < end; count++) utf8_next(p, end, &p);
  return count;
}

int utf8_width(uint32_t cp) {
  if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0)) return 0;
  if (cp >= 0x300 && cp < 0x370) return 0; /* combining marks */
  if (cp == 0x200B || (cp >= 0xFE00 && cp <= 0xFE0F)) return 0;
  bool wide = (cp >= 0x1100 && cp <= 0x115F) ||
              (cp >= 0x2E80 && cp <= 0xA4CF && cp != 0x303F) ||
              (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) ||
              (cp >= 0xFE30 && cp <= 0xFE6F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
              (cp >= 0xFFE0 && cp <= 0xFFE6) || (cp >= 0x1F300 && cp <= 0x1FAFF) ||
              (cp >= 0x20000 && cp <= 0x3FFFD);
  return wide ? 2 : 1;
}

/* ── hashing: 8 bytes at a time, multiplied and folded ── */

static uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b;
  a *= 0x9E3779B97F4A7C15u;
  a ^= a >> 32;
  a *= 0xD6E8FEB86659FD93u;
  return a ^ a >> 29;
}

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed) {
  const unsigned char *b = p;
  uint64_t h = mix(seed, n);
  for (; n >= 8; n -= 8, b += 8) {
    uint64_t w;
    memcpy(&w, b, 8);
    h = mix(h, w);
  }
  uint64_t tail = 0;
  if (n) memcpy(&tail, b, n);
  return mix(h, tail);
}
