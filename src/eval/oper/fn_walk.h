/* SPDX-License-Identifier: MIT */
/* fn_walk.h - functions gone through from their definitions: bound trees, and functions made
 * of functions, with whatever the rules say in the place of values.
 *
 *   scalar_fn.c   instructions of a function of two scalars
 *   lift.c        arrays that have a value for every cell
 *
 * Nothing of the user's is run. A dfn is gone through as it would be called, with an
 * environment that only bind sees: its local names stand for values of the rules, which
 * `walk_frame` has; so is a traditional function of one result, whose lines assign local names only. What
 * changes anything outside ends the attempt: NONE.
 *
 * A value is a number from 0 on that the rules give out; NONE is none. What gives one gives a
 * reference to it, which drop takes back. Who fails need not: the rules forget all at the
 * end. */
#ifndef VAPL_EVAL_FN_WALK_H
#define VAPL_EVAL_FN_WALK_H
#include "../bind/bind.h"

enum { NONE = -1 };
enum { WALK_DEPTH = 24, WALK_LOCALS = 16, WALK_POWER = 16 };

typedef struct walk_frame { /* a dfn that is being gone through */
  struct walk_frame *caller;
  env *e;
  int alpha, omega;
  int local[WALK_LOCALS];
} walk_frame;

/* A function or an array: a value, or a node of a frame. Neither: there is none. */
typedef struct part {
  const value *v;
  const bnode *b;
  walk_frame *at;
} part;

typedef struct part_derived { /* a function made by an operator */
  uint32_t code;
  part l, r;
  part axis;
} part_derived;

typedef struct walk walk;
typedef struct walk_rules {
  int (*constant)(walk *w, arr *a); /* it stands in the text */
  /* It was bound to a function (name NULL), or a name outside of all frames has it. */
  int (*outer)(walk *w, const sym *name, arr *a);
  int (*primitive)(walk *w, prim p, int x, int y); /* x NONE: f y */
  /* Of the operators that walk_derived does not know. */
  int (*derived)(walk *w, const part_derived *f, int x, int y);
  /* x/y, x⌿y, x\y, x⍀y; may be NULL, as node. */
  int (*replicate)(walk *w, uint32_t code, int x, int y);
  int (*system)(walk *w, fn *f, int x, int y);          /* a ⎕-function; may be NULL */
  int (*node)(walk *w, walk_frame *at, const bnode *b); /* another array */
  int (*guard)(walk *w, walk_frame *at, uint32_t i); /* statement i and what follows it */
  /* NULL where there is none: item i of n of a value; a value of a name with v, or what f makes of its elements and
   * v, f NULL: none, at the indices of the target b; a call of a dfn. */
  int (*item)(walk *w, int x, uint32_t i, uint32_t n);
  int (*put)(walk *w, walk_frame *at, const bnode *b, int x, const part *f, int v);
  int (*call)(walk *w, fn *f, int x, int y);
  /* Step *i of a traditional function, which is no statement, up to where *i is then, `end` at most; false: it
   * cannot be gone through. NULL: none can. */
  bool (*control)(walk *w, walk_frame *at, uint32_t *i, uint32_t end);
  int (*keep)(walk *w,
              int x); /* another reference; both NULL: there is nothing to count */
  void (*drop)(walk *w, int x);
} walk_rules;

struct walk {
  vm *v;
  const walk_rules *rules;
  walk_frame *top;
  arr *dummy;       /* stands for every array where bind asks for classes */
  int depth, again; /* again: of functions that call themselves */
};

part part_of_value(const value *v);
uint8_t part_class(const part *p);
/* The primitive that f is; P_COUNT: none. */
prim part_prim(const part *f);
/* What it is without being computed, borrowed; NULL: it has to be. */
const value *part_value(const part *p);
/* The array, borrowed, that a was bound to; NULL: it is none, or has to be computed. */
arr *part_array(const part *a);

int walk_apply(walk *w, part f, int x, int y); /* x f y; x NONE: f y */
int walk_array(walk *w, part a);
int walk_node(walk *w, walk_frame *at, const bnode *b);
const bnode *walk_root(walk *w, walk_frame *at, tnode *stmt); /* the statement bound */
/* What a guard's expression gives, unless it ends in an assignment. */
int walk_shown(walk *w, walk_frame *at, tnode *stmt);
/* The result of the statements from number i on. One that ends in an assignment is not shown,
 * and so is left to a call. */
int walk_statements(walk *w, walk_frame *at, uint32_t i);
/* Begins a call of the dfn f: of those values. False: it cannot be gone through. */
bool walk_enter(walk *w, walk_frame *at, fn *f, int x, int y);
void walk_leave(walk *w, walk_frame *at);
int walk_call(walk *w, fn *f, int x, int y); /* all of that: the result */
/* Steps i to end-1 of the traditional function; false: they cannot be gone through. */
bool walk_steps(walk *w, walk_frame *at, uint32_t i, uint32_t end);

static inline int walk_keep(walk *w, int x) {
  return x >= 0 && w->rules->keep ? w->rules->keep(w, x) : x;
}
static inline void walk_drop(walk *w, int x) {
  if (x >= 0 && w->rules->drop) w->rules->drop(w, x);
}
#endif
