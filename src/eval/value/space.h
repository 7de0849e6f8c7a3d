/* SPDX-License-Identifier: MIT */
/* space.h - namespaces: what a reference (arr_ref) of the language refers to.
 *
 * A space and its reference are one thing with one count, that of the reference: who holds the
 * arr holds the space, and `⎕NS ⍬`, a literal or ⎕JSON make both. The workspace is a space too,
 * `#`, whose names are values of the symbols; where code says which space it runs in, NULL is the
 * workspace, so that what uses no namespaces pays nothing for them.
 *
 * A space keeps its names in the order in which they came, with an index of hashes once there
 * are many. A symbol remembers where it was found last, which is where it is in the next space
 * that was made alike.
 *
 * Spaces may hold one another, and functions that are defined in a space hold it. All are in a
 * list of the vm: spaces_collect finds those that only such circles keep, and all that are left
 * are emptied at the end. */
#ifndef VAPL_EVAL_SPACE_H
#define VAPL_EVAL_SPACE_H
#include "vm.h"

typedef struct space_name {
  sym *s;
  value val; /* a cell (env.h); C_NONE: it was erased, or never set */
} space_name;
static inline const value *space_read(const space_name *k) {
  return cell_read(k->s, &k->val);
}

typedef struct space {
  ctx *c;
  vm *v;                      /* NULL: it has been closed */
  arr *ref;                   /* its reference; not counted */
  arr *parent;                /* ##, owned; NULL: the workspace */
  struct space *next, **link; /* of vm.spaces; link: what points to it */
  arr *
      title; /* what it is shown as where ⎕DF says otherwise, owned; NULL: ⎕DF does not */
  bool is_workspace;
  span
      script; /* :Namespace … :EndNamespace that made it, owned; without a source: none */
  sysvars vars;
  uint32_t n, cap, hashes; /* hashes: places in `index`, 0: it is searched */
  space_name *at;
  uint32_t *index; /* 1 + a place in `at`; 0: none */
} space;

/* A new space whose ## is `parent` (NULL: #), with the system variables that are in force;
 * shown as #.name, as #.[Namespace] without one. Owned. */
arr *space_new(vm *v, arr *parent, const char *name);
/* One of n names and values, which it takes over with what it is shown as; NULL if one is NULL. */
arr *space_of_items(vm *v, arr *text, uint32_t n, const char *const *names, arr **items);
arr *space_workspace(vm *v); /* #, owned */
/* ⎕NULL, owned: a namespace without names, which it cannot get. */
arr *space_null(vm *v);
/* The space that a scalar refers to; NULL: it is none. */
static inline space *space_of(const arr *a) { return a->ref ? a->drop_user : NULL; }

/* Its path; NULL, the workspace: #. */
static inline const arr *space_title(const arr *in) {
  if (!in) return NULL;
  const space *p = space_of(in);
  return p->title ? p->title : arr_ref_text(in);
}

static inline arr *space_parent(const arr *in) {
  return in ? space_of(in)->parent : NULL;
}

/* Where s is in the space `in`, NULL the workspace. There until a name is made in it. NULL: it
 * has no such name. */
const value *space_find(const arr *in, sym *s);
value *space_place(const arr *in, sym *s); /* made where it is not; NULL: WS FULL */
value *space_cell(const arr *in,
                  sym *s); /* its cell (env.h); NULL: it has no such name */
value *space_make_cell(const arr *in,
                       sym *s); /* likewise, made where it is not; NULL: WS FULL */
/* Goes into a namespace, as the env e (NULL: the workspace) sees it, and back; false: WS FULL. */
typedef struct space_visit {
  vm *v;
  env *e, *outer; /* e: the environment there */
  sysvars *sv;
} space_visit;
bool space_enter(space_visit *i, vm *v, env *e, arr *in);
void space_leave(space_visit *i);
void space_empty(space *p);
void spaces_collect(vm *v); /* space_collect.c: empties those that only circles keep */
void spaces_free(vm *v);    /* empties all; those that nothing else holds go */
#endif
