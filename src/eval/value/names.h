/* SPDX-License-Identifier: MIT */
/* names.h - symbols, the workspace's names, and the journal of their changes. */
#ifndef VAPL_EVAL_NAMES_H
#define VAPL_EVAL_NAMES_H
#include "../../prim/direct.h"
#include "env.h"

sym *sym_intern(vm *v, const char *text, size_t n);
sym *sym_find(const vm *v, const char *text, size_t n); /* NULL: never seen */
typedef VEC(sym *) name_list;

/* In a namespace, NULL the workspace; journaled; retains x. A dfn becomes one of the space. */
bool name_set(vm *v, arr *in, sym *s, value x);
/* The same by ←, SYNTAX ERROR for an array where the name is that of a definition by ∇: a function that came by a path, f←ns.g, stays one of the space where it was. */
bool name_assign(vm *v, arr *in, sym *s, value x);
/* The name at `at`, where env_locate found it, becomes x; e is the environment that runs. */
bool name_put(vm *v, env *e, sym *s, location at, value x);
/* What runs in e (NULL: a ⎕-name) is about to give the name at `at` another value, or to write in the
 * array that it stands for. If it is one of the names of the dfn that runs, the dfn's error guard
 * keeps what it was. */
bool name_kept(vm *v, env *e, location at);
static inline bool name_changes(vm *v, env *e, location at) {
  return LIKELY(!e || !e->holds) || name_kept(v, e, at);
}
bool name_is_label(const vm *v, arr *in, const sym *s); /* in the namespace `in` */
/* SYNTAX ERROR if it is one, or a member of a class that cannot be assigned. */
bool name_no_label(vm *v, arr *in, const sym *s);
static inline bool name_may_change(vm *v, arr *in, const sym *s) {
  return LIKELY(!s->labels) || name_no_label(v, in, s);
}
void names_clear(vm *v); /* the workspace */
void names_free(vm *v);

/* ── local names of traditional functions ──
 *
 * While such a function runs, the cell of each of its local names, in its namespace, is its own:
 * what stood there waits here. So whoever looks a name up finds what it means now, and nobody
 * pays for it. */

typedef struct shadowed {
  sym *s;
  value old; /* owned */
  env *
      of; /* the call of a dfn that lends the name, its slot; NULL: none does. Borrowed */
  uint32_t slot;
} shadowed;

enum { SHADOW_FEW = 8 };

struct run;
typedef struct shadow {
  struct shadow *outer;
  struct run *run; /* its steps (trad/steps.c) */
  uint32_t depth;
  env *e;          /* of the call; borrowed */
  uint64_t since;  /* the number of the first node that the call may have made */
  arr *space;      /* NULL: the workspace; borrowed */
  uint32_t line;   /* that runs */
  bool monadic;    /* it was called with a right argument alone */
  const body *own; /* the names of the header */
  uint32_t n;      /* how many of them wait in `old` */
  value *old, few[SHADOW_FEW]; /* what they were; few: of a short list */
  VEC(shadowed) more;          /* added by ⎕SHADOW, and what dfns lend */
  env *lender;   /* the nearest call with names of a dfn that led here; NULL: none */
  uint32_t past; /* the functions down to this depth are nearer */
  bool has_all;  /* everything that it can see is lent */
  sysvars vars;  /* what the local ones of SHADOW_… were */
  unsigned sys;
  prim_random random;
  bool rl_hidden;
  int rl_generator;
  arr **kept;  /* what other local ⎕-names were (trad.c); owned */
  arr *trap;   /* the local ⎕TRAP; owned */
  arr *branch; /* where a → that ⍎ ran goes, while the statement is left; owned */
} shadow;
enum {
  SHADOW_IO = 1,
  SHADOW_ML = 2,
  SHADOW_CT = 4,
  SHADOW_DIV = 8,
  SHADOW_PP = 16,
  SHADOW_PW = 32,
  SHADOW_RL = 64,
  SHADOW_TRAP = 128
};

bool shadow_enter(vm *v, shadow *k, const body *own);
bool shadow_name(vm *v, shadow *k, sym *s); /* is local from now on, without a value */
bool shadow_has(const shadow *k, const sym *s);
sym *shadow_nth(const shadow *k,
                size_t i); /* the i-th of its names; NULL: it has fewer */
/* Where the name s of the namespace `in` is, as the shadow of that depth sees it (0: who called them all): in
 * its cell, or waiting since. */
value *shadow_cell(vm *v, const arr *in, sym *s, uint32_t depth);
void shadow_leave(vm *v,
                  shadow *k); /* all names are what they were; those that k has go */

/* lend.c: the names of the dfns that led to a call. */
void shadow_lenders(shadow *k, env *caller); /* finds out who they are */
/* Lends k those of `names` (NULL: all) that it has no nearer ones of. */
bool shadow_lend(vm *v, shadow *k, const body *names);
/* What was noted of lent names is of their slots from now on. */
void lent_changes(vm *v, const shadow *k);
/* Would a function that mentions these names, called by `caller`, perhaps see a dfn's? */
bool shadow_may_see(const env *caller, const body *names);
arr *plain_space(arr *in); /* the workspace is NULL, however it is named */

typedef struct change { /* a journal entry: what a name was before */
  sym *s;               /* NULL: no name, but how many random numbers had been drawn */
  env *e;
  arr *space; /* where e is NULL; NULL: the workspace */
  uint32_t slot;
  value old; /* owned */
  uint64_t seq;
  uint32_t depth; /* of the shadow that was the innermost then */
} change;

bool note_draws(vm *v); /* random numbers are drawn, which errors of earlier work undo */
bool verify_pending(vm *v); /* ir_verify, and the journal with it */
/* An error is recorded: the first one is found, later assignments are undone. */
void settle_error(vm *v);
#endif
