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
#include "class.h"

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
  void *
      part; /* of a class or an instance: what runtime/ext/class.c has of it; NULL: of neither */
  span
      script; /* :Namespace … :EndNamespace that made it, owned; without a source: none */
  sysvars vars;
  uint64_t bits;           /* one for each name, perhaps of several (body_bit) */
  uint32_t n, cap, hashes; /* hashes: places in `index`, 0: it is searched */
  bool is_workspace;
  bool is_fill; /* an instance that fills an array: its constructor is still to run */
  bool names_inside; /* `at` is in the block of the space, which is an instance */
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

/* It is about to be used, by who stands before a point. */
static inline bool space_ready(vm *v, arr *in) {
  return LIKELY(!space_of(in)->is_fill) || v->classes->construct(in);
}
/* Is it a class or an instance? */
static inline bool space_has_members(const arr *in) { return in && space_of(in)->part; }
/* env_locate of what is about to change; val is NULL without memory. */
static inline location space_locate_own(env *e, sym *s, int slot) {
  location at = env_locate(e, s, slot);
  if (LIKELY(at.e || !space_has_members(at.space))) return at;
  if (e->v->classes->own(at.space, s)) at = env_locate(e, s, slot);
  else at.val = NULL;
  return at;
}
/* The method f of `in`, ready to be called; owned. */
static inline fn *space_method(vm *v, fn *f, const arr *in) {
  return LIKELY(!f->member) ? fn_retain(f) : v->classes->bound(v, f, in);
}
/* What a name of `in` stands for, owned; false: an error. */
static inline bool space_take(vm *v, const value *x, const arr *in, value *r) {
  *r = value_retain(*x);
  if (LIKELY(x->cls <= C_ARR || !x->f->member)) return true;
  fn *f = r->f;
  *r = value_fn(v->classes->bound(v, f, in), x->cls);
  fn_release(f);
  return r->cls;
}

/* Where s is in the space `in`, NULL the workspace. There until a name is made in it. NULL: it
 * has no such name. */
const value *space_find(const arr *in, sym *s);
value *space_place(const arr *in, sym *s); /* made where it is not; NULL: WS FULL */
value *space_cell(const arr *in,
                  sym *s); /* its cell (env.h); NULL: it has no such name */
value *space_make_cell(const arr *in,
                       sym *s); /* likewise, made where it is not; NULL: WS FULL */
/* Likewise, of the space itself, where it is a class or an instance, too. */
value *space_own_cell(space *p, sym *s, bool make);
/* Likewise, if s was found last where it is in p, too; NULL: it is to be looked for. */
static inline value *space_cell_at_last(const space *p, const sym *s) {
  return s->last < p->n && p->at[s->last].s == s ? &p->at[s->last].val : NULL;
}
/* Has p perhaps a name s? */
static inline bool space_may_have(const space *p, const sym *s) {
  return p->bits & body_bit(s);
}
/* Makes a space of p, which is zeroed; its reference shows the text, which is taken over. Owned. */
arr *space_open(vm *v, space *p, arr *text, arr *parent);
arr *space_text(vm *v, arr *parent, const char *name); /* what one is shown as */
/* Goes into a namespace, as the env e (NULL: the workspace) sees it, and back; false: WS FULL. */
typedef struct space_visit {
  vm *v;
  env *e, *outer; /* e: the environment there */
  sysvars *sv;
} space_visit;
bool space_enter(space_visit *i, vm *v, env *e, arr *in);
void space_leave(space_visit *i);
void space_empty(space *p);
void space_free_names(space *p); /* which are empty */
void spaces_collect(vm *v); /* space_collect.c: empties those that only circles keep */
void spaces_free(vm *v);    /* empties all; those that nothing else holds go */
#endif
