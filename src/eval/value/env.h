/* SPDX-License-Identifier: MIT */
/* env.h - environments: the names of one call of a dfn.
 *
 * An environment has a slot for each name that the dfn assigns. It is emptied when its call
 * ends, which breaks every cycle between it and the functions that are stored in it. What
 * nothing holds any more then waits, empty, for the next call. */
#ifndef VAPL_EVAL_ENV_H
#define VAPL_EVAL_ENV_H
#include "fn.h"

typedef struct sym { /* an interned name, for the life of the vm; val: in the workspace */
  struct sym *next;
  ctx *c;
  value val;                /* a cell: to be read by cell_read */
  uint32_t hash, len, last; /* last: where it was in a namespace (space.c) */
  uint32_t
      labels; /* calls that run in which it is a label, members that are not plainly assigned */
  uint32_t
      overrides; /* 1 + the number of its leftmost in the statement that is bound; 0: none */
  char text[];
} sym;

/* What is known of a dfn before it runs, or of a whole text (node NULL). In the tree's
 * arena. */
typedef struct body {
  unit *u;     /* borrowed */
  source *src; /* its text's */
  tnode *node;
  sym **local; /* names that it assigns */
  uint32_t n, mask,
      *index;     /* places of names: 1 + their slots; NULL: there are few names */
  uint64_t bits;  /* one for each name, perhaps of several (body_bit) */
  uint32_t fixed; /* the first names are labels, which cannot be assigned */
  bool
      open; /* what it assigns is the space's: a text, or space.( … ); local names are those
                       * of a traditional function, which all others find by their cells */
  struct body *inner; /* of space.( … ) in it; NULL until it is needed */
} body;

/* The variables that steer primitives: ⎕CT ⎕IO ⎕PP ⎕PW ⎕ML ⎕DIV. pw 0: that of the terminal. */
typedef struct sysvars {
  double ct;
  int io, pp, pw, ml, div;
} sysvars;

/* What a name's cell says, never a number without an array. A name that is local to a traditional
 * function that runs has its value in a slot of the call. */
const value *slot_read(const sym *s, value *at);
static inline const value *cell_read(const sym *s, const value *cell) {
  return LIKELY(cell->cls != C_SLOT) ? cell : slot_read(s, cell->at);
}
static inline const value *sym_read(const sym *s) { return cell_read(s, &s->val); }
/* Where the value stands that a cell says, perhaps a number without an array. */
static inline value *cell_place(value *cell) {
  return LIKELY(cell->cls != C_SLOT) ? cell : cell->at;
}

typedef struct kept_name {
  value *at;
  value was; /* owned */
} kept_name;

typedef struct errguard { /* an error guard in force */
  struct errguard *next;
  ctx *c;
  arr *codes;
  tnode *node;         /* T_ERRGUARD */
  VEC(kept_name) kept; /* what the dfn has changed since, each once */
  bool keeps[];        /* by slot: is it among them? The last one is ⍺'s */
} errguard;

typedef struct env {
  vm *v;
  uint32_t refs;
  bool waits; /* empty, it waits for the next call */
  bool holds; /* it had error guards, or is of a text that ⍎ runs */
  body *body;
  struct env *outer; /* of the enclosing dfn's call; NULL: there is none */
  arr *
      space; /* where names are that no call has; NULL: the workspace. Borrowed of self */
  fn *self;
  value alpha; /* an array; ⍺←f makes it a function */
  value omega;
  sysvars *sv, own; /* sv points to own once this dfn has assigned one */
  errguard *guard;
  unit *text; /* this is such a text's environment: it shares outer's ⍺ ⍵ and names */
  struct shadow *trad; /* of a traditional function: its local names; NULL: of none */
  struct shadow
      *locals; /* of its :With: those, which are found in its namespace; else NULL */
  span called; /* the application in the caller */
  struct env *caller; /* whose call goes on as long as this one; NULL: a text */
  value slot[];       /* body->n */
} env;

typedef struct pending_call { /* owned */
  fn *f;
  value x, y;
} pending_call;
void frames_free(vm *v); /* the environments that wait */
/* Of the text u, whose body is k, that ⍎ runs within e; owned. */
env *env_text(vm *v, body *k, env *e, unit *u);
/* Of a statement of e's in the namespace `in`: it sees ⍺ and ⍵ but not e's names.
 * e NULL: of the workspace. Owned. */
env *env_within(vm *v, env *e, arr *in);
void env_leave(env *e);                 /* empties it */
void env_release(env *e);               /* NULL is fine */
static inline env *env_retain(env *e) { /* likewise */
  if (e) e->refs++;
  return e;
}
/* The innermost guard of e is in force no more; restoring: the names are what it has kept. */
void env_end_guard(env *e, bool restoring);

enum { BODY_FEW = 8 }; /* names that are searched one by one */
static inline uint64_t body_bit(const sym *s) { return (uint64_t)1 << (s->hash & 63); }
/* The place of k's index where s is or would be. */
uint32_t *body_place(const body *k, const sym *s);
int slot_of(const body *k,
            const sym *s); /* of s among k's names; -1: it is none of them */
/* e, where s is among the names of its dfn; NULL: it is not. */
env *env_own_name(env *e, const sym *s, uint32_t *index);
/* Likewise, perhaps a number without an array, where that needs no search; NULL: it does. */
static inline const value *env_at_once(const env *e, const sym *s, int slot) {
  if (slot >= 0) return e->slot[slot].cls ? &e->slot[slot] : NULL;
  uintptr_t elsewhere = (uintptr_t)e->outer | (uintptr_t)e->space | (uintptr_t)e->locals;
  if (elsewhere) return NULL;
  return LIKELY(s->val.cls != C_SLOT) ? &s->val : s->val.at;
}
/* Are names that are no slots of e its namespace's, or the workspace's? */
static inline bool env_has_no_other(const env *e) { return !e->outer && !e->locals; }
/* What s stands for, never NULL: the workspace's at last. slot: its index in e, or -1. It is no
 * number without an array; where there is no memory for one, it is nothing. */
const value *env_find(env *e, sym *s, int slot);
/* What s stands for where it is read, perhaps by ⎕PATH; perhaps a number, or nothing. */
const value *env_read(env *e, sym *s, int slot);
typedef struct location { /* where a name is */
  env *e;                 /* NULL: in `space` */
  arr *space;             /* NULL: in the workspace */
  uint32_t slot;
  value *val; /* what stands there, perhaps a number; there until a name is made or an
               * environment goes */
} location;
/* Where s is nowhere, the place in which a plain assignment would put it. */
location env_locate(env *e, sym *s, int slot);
/* The namespace where s is if no call has it. */
arr *env_home(const env *e, const sym *s);
location location_in(arr *in, sym *s); /* in a namespace, NULL the workspace */
#endif
