/* SPDX-License-Identifier: MIT */
/* base.h - what every module stands on: the context (allocator, error record, interrupt
 * flag), growable vectors, arenas, string building and UTF-8.
 *
 * There is no global state. A `ctx` is the first parameter of everything that can fail or
 * allocate. A fallible function returns false or NULL after err_set(); the first error
 * wins and stays until err_clear(). All memory comes through the context's `resize`, which
 * tests can make fail at the n-th call. */
#ifndef VAPL_BASE_H
#define VAPL_BASE_H
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif
#define ARRAY_LEN(a) (sizeof(a) / sizeof *(a))
#define UNUSED(x) ((void)(x))

/* ── source texts and spans ─────────────────────────────────────────────────────────── */

/* A text that was given to the interpreter: kept while trees, functions or errors point
 * into it. `name` is a file's name or "" for the prompt. */
typedef struct source {
  uint32_t refs;
  uint32_t first_line; /* the number of its first line, from 1 */
  size_t len;          /* bytes of text, without the final NUL */
  char *name;
  char *text; /* UTF-8, NUL-terminated */
} source;

/* The bytes [begin, end) of a source; src == NULL: no place is known. Borrows the source. */
typedef struct span {
  source *src;
  uint32_t begin, end;
} span;

/* ── errors ─────────────────────────────────────────────────────────────────────────── */

enum err_code { /* APL event numbers, then vapl's own; the public vapl_status has the same */
                ERR_NONE = 0,
                ERR_WS_FULL = 1,
                ERR_SYNTAX = 2,
                ERR_INDEX = 3,
                ERR_RANK = 4,
                ERR_LENGTH = 5,
                ERR_VALUE = 6,
                ERR_FORMAT = 7,
                ERR_LIMIT = 10,
                ERR_DOMAIN = 11,
                ERR_NONCE = 16,
                ERR_FILE = 18, /* could not access; 19 to 38 are more exact file errors */
                ERR_FILE_NAME = 22,
                ERR_INTERRUPT = 1003,
                ERR_EOF = 1005,
                ERR_PERM = 2001,
                ERR_DEVICE = 2002,
                ERR_ARG = 2003
};

typedef struct err {
  int code; /* ERR_NONE: no error is recorded */
  span at;  /* holds a reference to its source */
  uint16_t
      event; /* the first bytes of msg are the event message, instead of the code's name */
  char msg[480];
} err;

typedef struct ctx {
  void *(*resize)(void *user, void *p, size_t old_size,
                  size_t new_size); /* new 0: free */
  void *user;
  size_t bytes_live, bytes_peak, blocks_live; /* what mem_* has out */
  size_t bytes_max;                           /* 0: no limit */
  err err;
  atomic_bool
      interrupt; /* set from any thread or signal handler; read by interrupted() */
} ctx;

/* Zeroes `c` and gives it the C library's allocator when `resize` is NULL, with what the machine
 * has as its limit. */
void ctx_init(ctx *c, void *(*resize)(void *, void *, size_t, size_t), void *user);

const char *err_name(int code); /* "DOMAIN ERROR"; "" for ERR_NONE */
/* Records an error unless one is recorded already. Always returns false. `fmt` says which
 * argument and why; it may be "". */
bool err_set(ctx *c, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Gives the recorded error its place, if it has none yet. */
void err_at(ctx *c, span at);
void err_clear(ctx *c);
static inline bool err_is(const ctx *c) { return c->err.code != ERR_NONE; }
/* True, with INTERRUPT recorded, when the user asked to stop; resets the flag. */
bool interrupted(ctx *c);

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

/* At least n bytes, aligned to 16, uninitialised; NULL after recording WS FULL. */
void *mem_alloc(ctx *c, size_t n);
void *mem_zalloc(ctx *c, size_t n);
/* As realloc: NULL leaves the old block alone. p may be NULL. */
void *mem_resize(ctx *c, void *p, size_t n);
void mem_free(ctx *c, void *p); /* p may be NULL */
/* What a program may set bytes_max to, so that WS FULL comes before the system ends it: half
 * of the machine's memory, or all but 16 GiB; 0 if that is unknown. */
size_t mem_of_machine(void);

source *source_new(ctx *c, const char *name, const char *text,
                   size_t len);         /* copies both */
source *source_retain(source *s);       /* NULL stays NULL */
void source_release(ctx *c, source *s); /* NULL is fine */

/* Growable vector: VEC(int) v = {0}; if (!vec_push(c, &v, 3)) fail; vec_free(c, &v). */
#define VEC(T)                                                                           \
  struct {                                                                               \
    T *at;                                                                               \
    size_t n, cap;                                                                       \
  }
#define vec_push(c, v, item)                                                             \
  (vec_room((c), (void **)&(v)->at, (v)->n, &(v)->cap, sizeof *(v)->at)                  \
       ? ((v)->at[(v)->n++] = (item), true)                                              \
       : false)
#define vec_free(c, v) (mem_free((c), (v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)
bool vec_room(ctx *c, void **at, size_t n, size_t *cap, size_t item);

/* Arena: many small allocations, freed whole. Zero-initialise but for the context. */
typedef struct arena {
  ctx *c;
  struct arena_block *head;
} arena;
void *arena_alloc(arena *a, size_t n); /* zeroed, aligned to 16; NULL after WS FULL */
void arena_free(arena *a);

/* ── strings ────────────────────────────────────────────────────────────────────────── */

/* String builder, NUL-terminated once anything was put. Sticky: after a failed allocation
 * the puts do nothing and `failed` is set; check once at the end. */
typedef struct str {
  ctx *c;
  char *at;
  size_t n, cap;
  bool failed;
} str;
void str_put(str *s, const char *p, size_t n);
void str_puts(str *s, const char *z);
void str_putc(str *s, uint32_t code_point); /* as UTF-8 */
void str_printf(str *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
void str_pad(str *s, size_t n); /* n blanks */
void str_free(str *s);

/* Decodes one code point from [p, end), p < end, and sets *next behind it. A malformed
 * byte decodes alone as 0xFFFD. */
uint32_t utf8_next(const char *p, const char *end, const char **next);
/* Writes 1 to 4 bytes, returns how many. */
int utf8_put(char *p, uint32_t code_point);
size_t utf8_count(const char *p, size_t n); /* code points in n bytes */
/* Columns that a code point takes on a terminal: 0, 1 or 2. */
int utf8_width(uint32_t code_point);

uint64_t hash_bytes(const void *p, size_t n,
                    uint64_t seed); /* 64-bit, not cryptographic */
#endif
