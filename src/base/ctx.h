/* SPDX-License-Identifier: MIT */
/* ctx.h - the context: the allocator, the recorded error, the interrupt flag.
 *
 * There is no global state. A `ctx` is the first parameter of everything that can fail or
 * allocate. A fallible function returns false or NULL after err_set(); the first error
 * wins and stays until err_clear(). All memory comes through the context's `resize`,
 * which tests can make fail at the n-th call (mem.h). */
#ifndef VAPL_CTX_H
#define VAPL_CTX_H
#include "macros.h"
#include "source_text.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* APL event numbers, then vapl's own; the public vapl_status has the same. */
enum err_code {
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
  ERR_FILE = 18, /* no such tie; 19 to 38 are more exact file errors */
  ERR_FILE_ACCESS = 19,
  ERR_FILE_INDEX = 20,
  ERR_FILE_FULL = 21,
  ERR_FILE_NAME = 22,
  ERR_FILE_DAMAGED = 23,
  ERR_FILE_TIED = 24,
  ERR_FILE_SYSTEM = 26,
  ERR_FILE_TIES_USED_UP = 30,
  ERR_FILE_NO_SPACE = 34,
  ERR_STOP = 1001, /* before a line that has a stop */
  ERR_INTERRUPT = 1003,
  ERR_EOF = 1005,
  ERR_TIMEOUT = 1006,
  ERR_DEADLOCK = 1008,
  ERR_PERM = 2001,
  ERR_DEVICE = 2002,
  ERR_ARG = 2003,
  ERR_RANKS = 2004
};

struct ctx;
struct blk_pool;

/* The place of a call that an error left; `times` in a row, as in a recursion. */
typedef struct err_call {
  span at; /* holds a reference to its source */
  uint32_t times;
} err_call;

enum { ERR_CALLS = 12 };

/* From the innermost call outwards. If not all fit, the outermost is the last, and n_hidden
 * calls stand between it and those before. */
typedef struct err_calls {
  err_call call[ERR_CALLS];
  uint32_t n, n_hidden;
} err_calls;

void calls_add(struct ctx *c, err_calls *k, span at);
err_calls calls_copy(const err_calls *k); /* NULL: none */
void calls_drop(struct ctx *c, err_calls *k);

typedef struct err {
  int code; /* ERR_NONE: no error is recorded */
  span at;  /* holds a reference to its source */
  err_calls calls;
  /* 1 + the number of the node of a lazy array that it is attributed to: calls that began later
   * have nothing to do with it. 0: none. */
  uint64_t built;
  bool agreed; /* all ranks have it (src/dist) */
  bool last;   /* one function's other faults come before it */
  bool passes; /* nothing is suspended on its way outwards */
  /* The depth of the function whose ⎕TRAP catches it; UINT32_MAX: none; 0: not known
   * yet. */
  uint32_t trap;
  /* The first `event` bytes of msg are the event message, instead of the code's name. */
  uint16_t event;
  char msg[480];
} err;

/* What a program may do outside its workspace: nothing, unless the opener of the context
 * permits it. */
enum {
  MAY_READ = 1,
  MAY_WRITE = 2,
  MAY_RUN = 4,
  MAY_ENV = 8,
  MAY_MAP = 16,
  MAY_CALL = 32, /* functions of C libraries: what they do nobody bounds */
  MAY_NET = 64,
  MAY_ALL = 127
};

/* As realloc, given the old size too. A new size of 0 frees. */
typedef void *resize_fn(void *user, void *p, size_t old_size, size_t new_size);

/* Blocks that were freed and wait to be given out again (mem.c). Only of the C library's
 * memory: what a program or a test gives by a function of its own is asked for each time. */
enum { MEM_FINE = 512, MEM_SMALL = 64 << 10, MEM_STEP = 16 }; /* small blocks: class_of */
enum { MEM_CLASSES = MEM_FINE / MEM_STEP + 1 + 8 * 7 };
typedef struct mem_idle {
  bool on;
  struct mem_block *small[MEM_CLASSES], *large; /* large: the latest first */
  size_t small_bytes, large_bytes;              /* with what each block takes besides */
} mem_idle;

/* What one call from outside may use, 0: as much as it likes, and what it has used. A program may
 * trap the LIMIT ERROR, but gets it again wherever it is looked whether to go on, until
 * limits_begin: so a limit cannot be outrun. Memory is bounded by bytes_max and depth by the
 * evaluator, at all times. */
typedef struct ctx_limits {
  double seconds;
  uint64_t max_steps;
  bool on; /* there are any */
  double deadline;
  uint64_t steps; /* calls of functions, statements of texts */
} ctx_limits;

/* How much of the present work is done, for a progress display; total 0: unknown. */
typedef struct work_share {
  atomic_llong done, total;
} work_share;

/* The C stack of the thread that is in a call from outside: `room` bytes from `low` upwards may be
 * recursed into, `reserve` below it are for what does not recurse. */
typedef struct ctx_stack {
  char *low;
  size_t room, reserve;
  bool known; /* else assumed */
} ctx_stack;

/* Threads that share long loops (each.h): share calls task(job, i) for each i below n. Without
 * share there are none. */
typedef struct ctx_team {
  void (*share)(struct blk_pool *pool, struct ctx *c, int64_t n,
                void (*task)(void *job, int64_t i), void *job);
  struct blk_pool *pool;
  int64_t part;  /* elements of a stretch */
  int64_t least; /* steps of work from which threads share it */
  bool
      busy; /* a stretch is being done: what it calls is for one thread, and not interrupted */
} ctx_team;

typedef struct ctx {
  resize_fn *resize;
  void *user;
  mem_idle idle;
  size_t bytes_live, bytes_peak, blocks_live; /* what mem_* has out */
  size_t
      bytes_held; /* bytes from the system: those in use, those kept for reuse, and each block's overhead */
  size_t bytes_max; /* of both; 0: no limit */
  uint64_t seed; /* of hashes of programs' data, so that data cannot be made to collide */
  ctx_stack stack;
  unsigned may; /* MAY_… */
  ctx_limits limit;
  work_share share;
  ctx_team team;
  _Atomic(struct mapped_file *) mapped; /* mapped.h */
  atomic_int faulting;                  /* signal handlers that look through them */
  err err;
  /* Set from any thread or signal handler; read by interrupted(). */
  atomic_bool interrupt;
  bool (*tick)(struct ctx *c); /* where there are: asked now and then whether to go on */
  bool (*stops)(
      struct ctx *c); /* and, instead of the flag `interrupt`, whether to stop */
  struct dist
      *dist; /* the ranks of which this is one (src/dist/dist.h); NULL: there are none */
  /* A call from outside runs on all ranks alike, so none of them stops by itself. */
  bool together;
  bool follows; /* another rank's clock tells when the time is used up */
  bool late;    /* it is used up, and all of them know */
  /* The step before which step_is_due is asked: where they meet next, or there is an errand. */
  uint64_t tick_at;
  void (*errand)(void *user); /* to be done before the next step; NULL: there is none */
  void *errand_user;
  /* What fills an array where the reference y was; owned. NULL: a number. */
  struct arr *(*fill_of_ref)(struct ctx *c, const struct arr *y);
} ctx;

/* Zeroes `c`, which may recurse in the thread that calls. When `resize` is NULL it gets the C library's allocator, limited to what
 * the machine has. */
void ctx_init(ctx *c, resize_fn *resize, void *user);
/* Frees the blocks kept for reuse; the last call on a context. */
void ctx_close(ctx *c);

const char *err_name(int code); /* "DOMAIN ERROR"; "" for ERR_NONE */
/* Records an error unless one is recorded already. Always returns false. `fmt` says which
 * argument and why; it may be "". */
bool err_set(ctx *c, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same where a pointer is returned: always NULL. */
void *err_null(ctx *c, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Gives the recorded error its place, if it has none yet. */
void err_at(ctx *c, span at);
/* The recorded error leaves a call that stands there, and that began when `since` was the number
 * of the next node. */
void err_called(ctx *c, span at, uint64_t since);
void err_clear(ctx *c);
/* err_take moves the recorded error out of the context; err_put_back puts it back in
 * place of any error recorded since. An error that is not put back is dropped. */
err err_take(ctx *c);
void err_put_back(ctx *c, err e);
void err_drop(ctx *c, err *e);
static inline bool err_is(const ctx *c) { return c->err.code != ERR_NONE; }
/* By the clock that is never set. */
double now_ns(void);
static inline double now_seconds(void) { return now_ns() * 1e-9; }
/* A call from outside begins: it may use what limit.seconds and limit.max_steps say. */
void limits_begin(ctx *c);
bool limit_is_reached(const ctx *c);
bool time_is_up(const ctx *c); /* by this process's clock */

/* True, with INTERRUPT recorded, when the user asked to stop, whose flag it resets; with LIMIT
 * ERROR when a limit is reached. */
bool interrupt_taken(ctx *c);
static inline bool interrupted(ctx *c) {
  bool look = atomic_load_explicit(&c->interrupt, memory_order_relaxed) | c->limit.on;
  return look && interrupt_taken(c);
}
/* In a loop over elements, of which i are done: the same, checked now and then. At the loop's start
 * only Ctrl-C is checked: a program that traps a limit may go on with short loops. */
static inline bool stops_at(ctx *c, int64_t i) {
  if (i & 0xFFFF) return false;
  if (!i && !atomic_load_explicit(&c->interrupt, memory_order_relaxed)) return false;
  return interrupted(c);
}
/* The same for threads that help, which record nothing. */
static inline bool stop_is_due(const ctx *c) {
  if (atomic_load_explicit(&c->interrupt, memory_order_relaxed)) return !c->together;
  return c->limit.on && limit_is_reached(c);
}
/* Work of so many parts begins. Returns whether it is shown; work inside shown work is
 * not. */
static inline bool share_begins(ctx *c, int64_t total) {
  if (total < 2 || atomic_load_explicit(&c->share.total, memory_order_relaxed))
    return false;
  atomic_store_explicit(&c->share.done, 0, memory_order_relaxed);
  atomic_store_explicit(&c->share.total, total, memory_order_relaxed);
  return true;
}
static inline void share_is(ctx *c, bool shown, int64_t done) {
  if (shown) atomic_store_explicit(&c->share.done, done, memory_order_relaxed);
}
static inline void share_ends(ctx *c, bool shown) {
  if (shown) atomic_store_explicit(&c->share.total, 0, memory_order_relaxed);
}

/* ── the C stack (stack.c) ──────────────────────────────────────────────────────────── */

/* A call from outside begins, perhaps in another thread than the last: finds its stack. */
void stack_enter(ctx *c);
bool stack_has_ended(const ctx *c);
bool stack_error(ctx *c); /* LIMIT ERROR; true */
/* WebAssembly keeps frames on a stack that cannot be looked at, and on the one that can only what has an address.
 * There each question takes some of that, so that it ends first (web/web.mk). */
#ifdef __EMSCRIPTEN__
#define STACK_INLINE INLINE
#define STACK_HERE(at)                                                                   \
  volatile char at[384];                                                                 \
  at[0] = 0
#else
#define STACK_INLINE static inline
#define STACK_HERE(at) char *at = __builtin_frame_address(0)
#endif
/* Is there no room to recurse? Every recursion over a text or an array asks at each
 * level; helper threads may ask, too. */
STACK_INLINE bool stack_is_low(const ctx *c) {
  STACK_HERE(here);
  uintptr_t above = (uintptr_t)here - (uintptr_t)c->stack.low;
  return !LIKELY(above < c->stack.room) && stack_has_ended(c);
}
STACK_INLINE bool out_of_stack(ctx *c) { /* the same, with its error */
  return stack_is_low(c) && stack_error(c);
}

bool step_is_due(
    ctx *c); /* does what is to be done before it; false if it may not be made */
/* The errand is done before the next step. */
static inline void step_errand(ctx *c, void (*errand)(void *user), void *user) {
  c->errand = errand;
  c->errand_user = user;
  c->tick_at = 0;
}
/* One more step; false if it may not be made. */
static inline bool step_begins(ctx *c) {
  c->limit.steps++;
  if (!LIKELY(c->limit.steps < c->tick_at) && !step_is_due(c)) return false;
  return !interrupted(c);
}
#endif
