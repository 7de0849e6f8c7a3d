/* SPDX-License-Identifier: MIT */
/* stack.c - how far the C stack of this thread reaches, so that recursion is bounded by it. */
#include <pthread.h>
#include "vm.h"

enum { STACK_ASSUMED = 512 << 10, STACK_RESERVE = 1 << 20 };

/* Its lowest and highest address; false if they are not known. */
static bool extent_of_stack(const char *here, char **low, size_t *size) {
#ifdef __linux__
  pthread_attr_t attr;
  void *at;
  if (pthread_getattr_np(pthread_self(), &attr)) return false;
  bool known = !pthread_attr_getstack(&attr, &at, size);
  pthread_attr_destroy(&attr);
  *low = at;
  return known && *low < here && here <= *low + *size;
#else
  return false;
#endif
}

static void measure(vm *v, char *here) {
  char *low;
  size_t size;
  if (extent_of_stack(here, &low, &size)) v->stack_top = low + size;
  else {
    low = here - STACK_ASSUMED;
    size = STACK_ASSUMED;
    v->stack_top = here;
  }
  v->stack_low = low + (size / 2 < STACK_RESERVE ? size / 2 : STACK_RESERVE);
}

void stack_enter(vm *v) {
  char *here = __builtin_frame_address(0);
  bool inside = v->stack_low <= here && here <= v->stack_top;
  if (!inside || (size_t)(v->stack_top - v->stack_low) <= STACK_ASSUMED) measure(v, here);
}

bool stack_is_used_up(vm *v) {
  err_set(v->c, ERR_LIMIT, "calls or parentheses are nested too deeply (%u calls)",
          v->depth);
  return true;
}
