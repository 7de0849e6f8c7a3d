/* SPDX-License-Identifier: MIT */
/* binder.h - a statement that is being bound: what bind.c shares with item.c, target.c and
 * body.c. */
#ifndef VAPL_EVAL_BINDER_H
#define VAPL_EVAL_BINDER_H
#include "bind.h"

/* A class for bind alone: a name that stands for / ⌿ \ ⍀, C_HYBRID and up. */
enum { C_HYBRID = 5 };

typedef struct run_of { /* a unit */
  bnode *first, *last;
  uint32_t n;
  uint8_t cls;
  bnode *cut; /* the last item with brackets: those of a later one do not reach over it */
  uint32_t cut_n; /* items up to it */
} run_of;
typedef struct over {
  sym *s;
  uint32_t at;
  uint8_t cls;
} over; /* what this statement assigns */
typedef struct looked {
  tnode *t;
  bnode *as;
} looked;

typedef struct binder {
  vm *v;
  env *e;
  body *k;
  arena *mem;
  bnode *bad;    /* the syntax error that was found */
  bnode *record; /* left of `.(`: names of fields in the parentheses are its */
  VEC(bkey) keys;
  VEC(over) overs;
  VEC(run_of) units;
  VEC(step) steps;
  VEC(looked)
  seen; /* parentheses bound ahead of their turn, for their class or because they
                     * assign, and what they became: each is bound once however deep it lies */
} binder;

/* item.c: nodes in the tree's arena, NULL when memory is out. */
bnode *bind_node(binder *b, bkind kind, int nc, uint32_t begin, uint32_t end);
bnode *bind_kids(binder *b, bkind kind, int nc, uint32_t n, bnode **kid);
/* The whole statement is wrong: remembers why; NULL. */
bnode *bind_bad(binder *b, int code, uint32_t begin, uint32_t end, const char *msg);
bnode *bind_syntax(binder *b, const tnode *t, const char *msg);
/* A constant; x's reference goes to the unit. */
bnode *bind_constant(binder *b, value x, uint32_t begin, uint32_t end);
/* A node all of whose kids are constants becomes one, if nothing is wrong with them. */
bnode *bind_fold(binder *b, bnode *n);
uint8_t bind_class_now(env *e, const bkey *k);
uint8_t bind_class(binder *b, tnode *t); /* of a name; C_NONE: out of memory */
/* One item, brackets not yet attached; `last`: nothing follows it. */
bnode *bind_item(binder *b, tnode *t, bool last);
bnode *bind_system(binder *b, tnode *t, bool last);
bnode *bind_operator(binder *b, uint32_t op, uint32_t begin, uint32_t end);
bnode *bind_paren(binder *b, tnode *t);
bnode *bind_member(binder *b, bnode *on,
                   tnode *t); /* on.t, t being the name of a field */
/* What stands in the brackets behind an item: an index or an axis. */
bnode *bind_bracket(binder *b, bnode *on, tnode *t);
bool bind_indices(binder *b, tnode *t, bnode **kid); /* NULL where elided */

/* bind.c */
bnode *bind_row(binder *b, tnode **it, uint32_t n, uint32_t begin, uint32_t end);

/* target.c: what the arrow at it[p] assigns to; *begin is the first item of it, st->f the
 * function of a modified assignment. */
bool bind_target(binder *b, tnode **it, uint32_t p, uint8_t nc, uint32_t *begin,
                 step *st);

/* body.c */
sym *symbol_of(vm *v, tnode *t);
int slot_of(const body *k, const sym *s); /* -1: not a local name */
bool is_names(const tnode *t); /* a name or ⎕IO …, or names in parentheses */
#endif
