/* SPDX-License-Identifier: MIT */
/* library.h - a library that is loaded when it is first needed, included once by the file that
 * uses it, which defines
 *
 *   LIBRARY(X)     X(function) for each function of it
 *   LIBRARY_USER   the ⎕-name that needs it
 *   LIBRARY_FILE   the file's name
 *
 * and has a struct library with these functions, which library_of(v) gives; NULL: an error.
 * With LIBRARY_TYPE defined there is the struct alone, for another file has the library. */
#include <dlfcn.h>

/* What a newer version of it calls deprecated is still there. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
typedef struct library {
  void *handle;
#define X(f) __typeof__(&f) f;
  LIBRARY(X)
#undef X
} library;
#pragma GCC diagnostic pop

#ifndef LIBRARY_TYPE
static void close_library(vm *v, void *state) {
  library *l = state;
  UNUSED(v);
  if (l->handle) dlclose(l->handle);
}

static library *library_of(vm *v) {
#define X(f) #f,
  static const char *const names[] = {LIBRARY(X) NULL};
#undef X
  void *f[ARRAY_LEN(names)];
  library *l = ext_state_of(v, close_library, sizeof *l);
  if (!l || l->handle) return l;
  l->handle = ext_library(v, LIBRARY_USER, LIBRARY_FILE, names, f);
  if (!l->handle) return NULL;
  int i = 0;
#define X(name) memcpy(&l->name, &f[i++], sizeof l->name);
  LIBRARY(X)
#undef X
  return l;
}
#endif
