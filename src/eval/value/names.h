/* SPDX-License-Identifier: MIT */
/* names.h - symbols, the workspace's names, and the journal of their changes. */
#ifndef VAPL_EVAL_NAMES_H
#define VAPL_EVAL_NAMES_H
#include "env.h"

sym *sym_intern(vm *v, const char *text, size_t n);
sym *sym_find(const vm *v, const char *text, size_t n); /* NULL: never seen */
typedef VEC(sym *) name_list;

/* In a namespace, NULL the workspace; journaled; retains x. A dfn becomes one of the space. */
bool name_set(vm *v, arr *in, sym *s, value x);
/* The name at `at`, where env_locate found it, becomes x; e is the environment that runs. */
bool name_put(vm *v, env *e, sym *s, location at, value x);
/* What runs in e (NULL: a ⎕-name) is about to give the name at `at` another value, or to write in the
 * array that it stands for. If it is one of the names of the dfn that runs, the dfn's error guard
 * keeps what it was. */
bool name_kept(vm *v, env *e, location at);
static inline bool name_changes(vm *v, env *e, location at) {
  return LIKELY(!e || !e->holds) || name_kept(v, e, at);
}
/* Does a change in `where` need no journal now? */
bool needs_no_journal(vm *v, const env *e, const env *where);
void names_clear(vm *v); /* the workspace */
void names_free(vm *v);

typedef struct change { /* a journal entry: what a name was before */
  sym *s;
  env *e;
  arr *space; /* where e is NULL; NULL: the workspace */
  uint32_t slot;
  value old; /* owned */
  uint64_t seq;
} change;

bool verify_pending(vm *v); /* ir_verify, and the journal with it */
/* An error is recorded: the first one is found, later assignments are undone. */
void settle_error(vm *v);
#endif
