/* SPDX-License-Identifier: MIT */
/* ctx.c - the context and the recorded error of ctx.h. */
#include "ctx.h"
#include "mapped.h"
#include "mem.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The sanitizer must see every block go. */
#if defined(__SANITIZE_ADDRESS__)
enum { IDLE_BLOCKS = false };
#else
enum { IDLE_BLOCKS = true };
#endif

#ifdef __SANITIZE_ADDRESS__
/* Refuses sizes for which the sanitizer would stop the program: WS FULL is a valid
 * answer. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
#endif

/* A large block is made of huge pages where the system has them: a fault for each small page
 * costs more than writing it. */
static void *libc_large(size_t size) {
  enum { HUGE_PAGE = 2 << 20 };
  void *p = NULL;
  if (posix_memalign(&p, HUGE_PAGE, size)) return NULL;
#ifdef MADV_HUGEPAGE
  madvise(p, size, MADV_HUGEPAGE);
#endif
  return p;
}

static void *libc_resize(void *user, void *p, size_t old_size, size_t new_size) {
  const size_t large = (size_t)8 << 20;
  UNUSED(user);
  UNUSED(old_size);
  if (new_size == 0) {
    free(p);
    return NULL;
  }
  if (!p && new_size >= large) return libc_large(new_size);
  return realloc(p, new_size);
}

/* A random seed. Where the system has no random bytes, it still differs between runs. */
static uint64_t new_seed(const ctx *c) {
  uint64_t seed;
  struct timespec t;
  if (!getentropy(&seed, sizeof seed)) return seed;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_nsec << 32 ^ (uintptr_t)c;
}

enum { TEAM_PART = 1 << 15 }; /* elements: 256 KiB of doubles, some 20 µs */

void ctx_init(ctx *c, resize_fn *resize, void *user) {
  memset(c, 0, sizeof *c);
  c->resize = resize;
  if (!resize) {
    c->resize = libc_resize;
    c->bytes_max = mem_of_machine();
    c->idle.on = IDLE_BLOCKS;
  }
  c->user = user;
  c->seed = new_seed(c);
  c->team.part = TEAM_PART;
  atomic_init(&c->interrupt, false);
  stack_enter(c);
}

void ctx_close(ctx *c) {
  c->idle.on = false;
  mem_trim(c);
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
  case ERR_FILE: return "FILE TIE ERROR";
  case ERR_FILE_ACCESS: return "FILE ACCESS ERROR";
  case ERR_FILE_INDEX: return "FILE INDEX ERROR";
  case ERR_FILE_FULL: return "FILE FULL";
  case ERR_FILE_NAME: return "FILE NAME ERROR";
  case ERR_FILE_DAMAGED: return "FILE DAMAGED";
  case ERR_FILE_TIED: return "FILE TIED";
  case ERR_FILE_SYSTEM: return "FILE SYSTEM ERROR";
  case ERR_FILE_TIES_USED_UP: return "FILE SYSTEM TIES USED UP";
  case ERR_FILE_NO_SPACE: return "FILE SYSTEM NO SPACE";
  case ERR_STOP: return "STOP";
  case ERR_INTERRUPT: return "INTERRUPT";
  case ERR_EOF: return "EOF INTERRUPT";
  case ERR_TIMEOUT: return "TIMEOUT";
  case ERR_DEADLOCK: return "DEADLOCK";
  case ERR_PERM: return "PERMISSION ERROR";
  case ERR_DEVICE: return "DEVICE ERROR";
  case ERR_RANKS: return "RANKS ERROR";
  case ERR_ARG: return "ARGUMENT ERROR";
  default: return code >= ERR_FILE && code <= 38 ? "FILE ERROR" : "ERROR";
  }
}

static void record(ctx *c, int code, const char *fmt, va_list ap) PRINTF_LIKE(3, 0);
static void record(ctx *c, int code, const char *fmt, va_list ap) {
  if (err_is(c)) return;
  c->err.code = code;
  vsnprintf(c->err.msg, sizeof c->err.msg, fmt, ap);
  /* A message that was cut must not end inside a UTF-8 sequence. */
  size_t n = strlen(c->err.msg);
  if (n == sizeof c->err.msg - 1) {
    while (n > 0 && ((unsigned char)c->err.msg[n - 1] & 0xC0) == 0x80) n--;
    if (n > 0 && (unsigned char)c->err.msg[n - 1] >= 0x80) n--;
    c->err.msg[n] = 0;
  }
}

bool err_set(ctx *c, int code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  record(c, code, fmt, ap);
  va_end(ap);
  return false;
}

void *err_null(ctx *c, int code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  record(c, code, fmt, ap);
  va_end(ap);
  return NULL;
}

void err_at(ctx *c, span at) {
  if (!err_is(c) || c->err.at.src || !at.src) return;
  c->err.at = at;
  source_retain(at.src);
}

static bool is_same_place(span a, span b) {
  return a.src == b.src && a.begin == b.begin && a.end == b.end;
}

void calls_add(ctx *c, err_calls *k, span at) {
  err_call *last = k->n ? &k->call[k->n - 1] : NULL;
  if (last && is_same_place(last->at, at)) {
    last->times++;
    return;
  }
  if (k->n < ERR_CALLS) last = &k->call[k->n++];
  else {
    k->n_hidden += last->times;
    source_release(c, last->at.src);
  }
  *last = (err_call){at, 1};
  source_retain(at.src);
}

err_calls calls_copy(const err_calls *k) {
  if (!k) return (err_calls){0};
  for (uint32_t i = 0; i < k->n; i++) source_retain(k->call[i].at.src);
  return *k;
}

void calls_drop(ctx *c, err_calls *k) {
  for (uint32_t i = 0; i < k->n; i++) source_release(c, k->call[i].at.src);
  *k = (err_calls){0};
}

void err_called(ctx *c, span at, uint64_t since) {
  err *e = &c->err;
  if (!err_is(c) || !at.src || (e->built && e->built <= since)) return;
  /* ⎕SIGNAL puts its error where the call stands. */
  if (!e->calls.n && is_same_place(e->at, at)) return;
  calls_add(c, &e->calls, at);
}

void err_drop(ctx *c, err *e) {
  source_release(c, e->at.src);
  calls_drop(c, &e->calls);
  memset(e, 0, sizeof *e);
}

void err_clear(ctx *c) {
  err was = err_take(c);
  err_drop(c, &was);
}

err err_take(ctx *c) {
  err e = c->err;
  memset(&c->err, 0, sizeof c->err);
  return e;
}

void err_put_back(ctx *c, err e) {
  err_clear(c);
  c->err = e;
}

/* ── stopping ───────────────────────────────────────────────────────────────────────── */

double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The coarse clock, because it is read as often as the flag. */
static double seconds_now(void) {
  struct timespec t;
#ifdef CLOCK_MONOTONIC_COARSE
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
#else
  clock_gettime(CLOCK_MONOTONIC, &t);
#endif
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void limits_begin(ctx *c) {
  ctx_limits *l = &c->limit;
  l->on = l->seconds > 0 || l->max_steps;
  l->deadline = HUGE_VAL;
  if (l->seconds > 0 && !c->follows) l->deadline = seconds_now() + l->seconds;
  l->steps = 0;
  c->late = false;
  c->tick_at = 0;
}

static bool steps_are_used_up(const ctx_limits *l) {
  return l->max_steps && l->steps > l->max_steps;
}

bool time_is_up(const ctx *c) { return c->limit.on && seconds_now() > c->limit.deadline; }

bool limit_is_reached(const ctx *c) {
  if (steps_are_used_up(&c->limit) || c->late) return true;
  return !c->together && seconds_now() > c->limit.deadline;
}

bool interrupt_taken(ctx *c) {
  const ctx_limits *l = &c->limit;
  if (c->dist && c->stops(c)) return true;
  if (!c->dist && atomic_exchange(&c->interrupt, false)) {
    if (mapped_whole(c)) err_set(c, ERR_INTERRUPT, "%s", "");
  } else if (steps_are_used_up(l))
    err_set(c, ERR_LIMIT, "%llu steps are used up", (unsigned long long)l->max_steps);
  else if (l->on && limit_is_reached(c))
    err_set(c, ERR_LIMIT, "the time of %g s is used up", l->seconds);
  else return false;
  return true;
}

SELDOM bool step_is_due(ctx *c) {
  void (*errand)(void *) = c->errand;
  c->errand = NULL;
  if (!c->dist) c->tick_at = UINT64_MAX;
  if (errand) errand(c->errand_user);
  return !err_is(c) && (!c->dist || c->tick(c));
}

bool stack_error(ctx *c) {
  err_set(c, ERR_LIMIT, "calls, parentheses or items are nested too deeply");
  return true;
}
