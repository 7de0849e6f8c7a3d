/* SPDX-License-Identifier: MIT */
/* stack.c - how far the C stack of this thread reaches, so that recursion is bounded by it. */
#include <pthread.h>
#include "vm.h"

enum { STACK_ASSUMED = 512 << 10, STACK_RESERVE = 1 << 20 };

/* The lowest and highest address of this thread's stack, the lowest that may be used. */
static void measure(vm *v, char *here) {
  char *low = here - STACK_ASSUMED, *high = here;
  size_t size = STACK_ASSUMED;
#ifdef __linux__
  pthread_attr_t attr;
  void *at;
  size_t n;
  if (!pthread_getattr_np(pthread_self(), &attr)) {
    if (!pthread_attr_getstack(&attr, &at, &n) && (char *)at < here &&
        here <= (char *)at + n) {
      low = at;
      high = low + n;
      size = n;
    }
    pthread_attr_destroy(&attr);
  }
#endif
  v->stack_top = high;
  v->stack_low = low + (size / 2 < STACK_RESERVE ? size / 2 : STACK_RESERVE);
}

void stack_enter(vm *v) {
  char *here = __builtin_frame_address(0);
  if (here > v->stack_top || here < v->stack_low ||
      (size_t)(v->stack_top - v->stack_low) <= STACK_ASSUMED)
    measure(v, here);
}

bool deep(vm *v) {
  if ((char *)__builtin_frame_address(0) > v->stack_low) return false;
  err_set(v->c, ERR_LIMIT, "calls or parentheses are nested too deeply (%u calls)",
          v->depth);
  return true;
}
