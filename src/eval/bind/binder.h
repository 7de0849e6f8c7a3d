/* SPDX-License-Identifier: MIT */
/* binder.h - a statement that is being bound: what the files of bind share.
 *
 *   node.c     nodes, constants, the classes of names
 *   item.c     one item of a row
 *   phrase.c   a segment's items from left to right
 *   target.c   what is left of an arrow
 *   bind.c     rows, segments from right to left, statements */
#ifndef VAPL_EVAL_BINDER_H
#define VAPL_EVAL_BINDER_H
#include "bind.h"

/* Classes for bind alone: a name that stands for / ⌿ \ ⍀, C_HYBRID and up; one for a function without
 * arguments; one for an operator with two operands. */
enum { C_HYBRID = 5, C_NILADIC = 10, C_DYADIC = 11 };

typedef struct extent { /* bytes of the source */
  uint32_t begin, end;
} extent;
static inline extent extent_of(const tnode *t) { return (extent){t->begin, t->end}; }
static inline extent extent_of_node(const bnode *n) { return (extent){n->begin, n->end}; }

typedef struct phrase { /* a strand, a function, or a derived function */
  bnode *first, *last;
  uint32_t n;
  uint8_t cls;
  bnode *cut; /* the last item with brackets: those of a later one do not reach over it */
  uint32_t cut_n; /* items up to it */
} phrase;

typedef struct
    override { /* a class that this statement gives a name, from `at` leftwards */
  sym *s;
  uint32_t at;
  uint32_t next; /* 1 + the number of the name's next one further right; 0: none */
  uint8_t cls;
} override;

typedef struct early { /* a parenthesis that was bound ahead of its turn */
  tnode *t;
  bnode *as;
} early;

typedef struct binder {
  vm *v;
  env *e;
  body *k;
  arena *mem;
  bnode *bad; /* the syntax error that was found */
  VEC(bkey) keys;
  VEC(override) overrides;
  VEC(phrase) phrases;
  VEC(step) steps;
  /* Bound early for their class or because they assign: each is bound once however deep it
   * lies. */
  VEC(early) early;
} binder;

typedef struct segment { /* the items of a row between two arrows */
  tnode **it;
  uint32_t n, i; /* i: the next item */
  size_t from;   /* where its phrases begin */
} segment;

/* node.c: nodes in the tree's arena, NULL when memory is out. */
bnode *bind_node(binder *b, bkind kind, int nc, extent at);
bnode *bind_kids(binder *b, bkind kind, int nc, uint32_t n, bnode **kid);
/* An error that is raised when the node is evaluated; fmt takes arg. */
bnode *bind_error(binder *b, int nc, int code, extent at, const char *fmt,
                  const char *arg);
/* The whole statement is wrong: remembers why; NULL. */
bnode *bind_bad(binder *b, int code, extent at, const char *msg);
bnode *bind_syntax(binder *b, const tnode *t, const char *msg);
/* The same; false. */
static inline bool bind_refuse(binder *b, const tnode *t, const char *msg) {
  bind_syntax(b, t, msg);
  return false;
}
/* A constant; x's reference goes to the unit. */
bnode *bind_constant(binder *b, value x, extent at);
/* A node all of whose kids are constants becomes one, if nothing is wrong with them. */
bnode *bind_fold(binder *b, bnode *n);
uint8_t bind_note(binder *b, bkey k); /* that class, on which the binding depends */
/* The class of ⍺, ⍺⍺ or ⍵⍵ now, on which the binding depends; C_NONE: out of memory. */
uint8_t bind_class_of(binder *b, bkind kind);
uint8_t bind_class(binder *b, tnode *t);           /* of a name, likewise */
uint8_t bind_class_or_hybrid(binder *b, tnode *t); /* … C_HYBRID and up for / ⌿ \ ⍀ */
uint8_t bind_plain_class(uint8_t nc);              /* as ⎕NC has it */
/* The code of a node of class nc: which of / ⌿ \ ⍀, how many operands; 0: of what is neither. */
uint32_t bind_code(uint8_t nc);

/* May the array that the node stands for turn out to be a function when it is evaluated: what ⍎ makes of a
 * text, a member that cannot be looked at before? */
bool bind_is_open(const bnode *n);

/* item.c: one item, brackets not yet attached; `last`: nothing follows it. */
bnode *bind_item(binder *b, tnode *t, bool last);
bnode *bind_system(binder *b, tnode *t, bool last);
bnode *bind_operator(binder *b, uint32_t op, extent at);
/* If the items are ⍎ and a text that stands for a function or an operator; else NULL. */
bnode *bind_execute(binder *b, tnode **it, uint32_t n);
bnode *bind_paren(binder *b, tnode *t);
/* `on`, or what the points that come next take from it. */
bnode *bind_members(binder *b, segment *s, bnode *on);
/* What stands in the brackets behind an item: an index or an axis. */
bnode *bind_bracket(binder *b, bnode *on, tnode *t);
bool bind_indices(binder *b, tnode *t, bnode **kid); /* NULL where elided */

/* phrase.c */
bool bind_phrases(binder *b, segment *s); /* on b->phrases */
bool phrase_push(binder *b, size_t from, bnode *n);
bnode *phrase_array(binder *b,
                    const phrase *p); /* the array that a strand's parts make */

/* flat.c: the chain r with the steps that run it; NULL when memory is out. */
bnode *bind_flat(binder *b, bnode *r);

/* target.c: what the arrow at it[p] assigns to, being of class nc; *begin is the first item of
 * it, st->f the function of a modified assignment. */
bool bind_target(binder *b, tnode **it, uint32_t p, uint8_t nc, uint32_t *begin,
                 step *st);

/* bind.c */
bnode *bind_row(binder *b, tnode **it, uint32_t n, extent at);
static inline bnode *bind_statement(binder *b, const tnode *s) {
  return bind_row(b, s->kid, s->n, extent_of(s));
}

/* body.c */
/* The first item of the path that ends in it[i]: i where no point is before it. */
uint32_t path_begin(tnode *const *it, uint32_t i);
bool is_names(const tnode *t); /* a name or ⎕IO …, or names in parentheses */
#endif
