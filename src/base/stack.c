/* SPDX-License-Identifier: MIT */
/* stack.c - how far the C stack of this thread reaches, so that recursion is bounded by it.
 *
 * An entry to the library finds out where the stack of its thread ends. Half of the rest, or the last
 * 1 MiB, is kept for code that does not check. Helper threads (each.h) have stacks of their own,
 * which are looked at when they check. */
#include "ctx.h"
#ifdef __EMSCRIPTEN__
#include <emscripten/stack.h>
#else
#include <pthread.h>
#endif

enum { STACK_ASSUMED = 512 << 10, STACK_RESERVE = 1 << 20 };

/* Its lowest address and its size; false if they are not known. */
static bool extent_of_stack(const char *here, char **low, size_t *size) {
#ifdef __linux__
  pthread_attr_t attr;
  void *at;
  if (pthread_getattr_np(pthread_self(), &attr)) return false;
  bool known = !pthread_attr_getstack(&attr, &at, size);
  pthread_attr_destroy(&attr);
  *low = at;
  return known && *low < here && here <= *low + *size;
#elif defined(__EMSCRIPTEN__)
  *low = (char *)emscripten_stack_get_end();
  *size = emscripten_stack_get_base() - emscripten_stack_get_end();
  return *low < here;
#else
  return false;
#endif
}

/* The part of a stack of that size that recursion must not use. */
static size_t reserve_of(size_t size) {
  return size / 2 < STACK_RESERVE ? size / 2 : STACK_RESERVE;
}

static bool is_inside(const ctx_stack *s, const char *here) {
  return (uintptr_t)here - (uintptr_t)s->low < s->room;
}

void stack_enter(ctx *c) {
  char *here = __builtin_frame_address(0), *low;
  size_t size, reserve;
  if (is_inside(&c->stack, here) && c->stack.known) return;
  bool known = extent_of_stack(here, &low, &size);
  if (!known) {
    size = STACK_ASSUMED;
    low = here - size;
  }
  reserve = reserve_of(size);
  c->stack = (ctx_stack){low + reserve, size - reserve, reserve, known};
}

bool stack_has_ended(const ctx *c) {
  char *here = __builtin_frame_address(0), *low;
  size_t size;
  const ctx_stack *s = &c->stack;
  if (here < s->low && here >= s->low - s->reserve) return true;
  return extent_of_stack(here, &low, &size) && here < low + reserve_of(size);
}
