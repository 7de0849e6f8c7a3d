/* SPDX-License-Identifier: MIT */
/* class.h - classes and instances, as the files of runtime/ext/class… have them.
 *
 *   class.c         scripts to classes; ⎕NEW ⎕CLASS ⎕INSTANCES
 *   class_member.c  names: who sees which member, and what reading and assigning it does
 *   class_index.c   parts of properties: x.p[i], i⌷x, and ←
 *   class_life.c    instances: made, constructed, destroyed, collected
 *
 * An instance is a chain of parts, one for its class and one for each base:
 *
 *   p ──▶ part of Parrot ──▶ its fields; names that its methods made
 *         behind it ▼
 *         part of Bird ────▶ likewise
 *
 * so that each class's methods run among their own names. All parts have one reference that programs hold, and each
 * a second one, `inside`, while its methods run or are held, which holds the first. */
#ifndef VAPL_EXT_CLASS_H
#define VAPL_EXT_CLASS_H
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/space.h"

typedef enum member_kind { FIELD, METHOD, PROPERTY, CONSTRUCTOR } member_kind;
typedef enum property_kind { SIMPLE, NUMBERED, KEYED } property_kind;

struct class;
typedef struct member {
  sym *name;
  struct class *of;
  uint8_t kind;  /* member_kind */
  uint8_t asked; /* of a property: property_kind */
  bool is_public, shared, read_only, overridable, overrides, included;
  bool counted;  /* among its symbol's `labels`: it is not plainly assigned */
  uint32_t slot; /* of an instance field: its place among the part's names */
  value
      val; /* the method; what a field begins with; a function that stands for a property */
  fn *get, *set, *shape; /* of a property; owned, NULL: it has none */
  fn *spare; /* the last one that was bound, without its instance, until the next call; owned, NULL: none */
  struct member
      *trigger; /* the method that runs when the field was assigned; NULL: none */
} member;

typedef VEC(member *) member_list;
typedef struct member_row {
  const sym *name;
  member *m; /* NULL: the row is free */
} member_row;

/* A method that implements one of an interface. */
typedef struct implements {
  arr *interface; /* owned */
  sym *name;
  member *by;
} implements;

struct part;
typedef struct class {
  uint32_t
      refs; /* its own part's, those of instances, and of functions that are members */
  ctx *c;
  struct part *own;                /* its names; NULL: they are gone */
  arr *ref;                        /* that programs hold; not counted */
  bool is_interface, destroys;     /* destroys: it or a base of it has a destructor */
  arr *base;                       /* owned; NULL: none */
  VEC(arr *) interfaces, included; /* included: namespaces */
  VEC(implements) implements;
  member_list members;        /* its own */
  member_list fields, makers; /* of instances, by slot; constructors */
  member *destructor;
  member *by_default; /* the property that indices of an instance are of; NULL: none */
  member_row
      *row; /* own members, and public ones of bases, by hash; rows: a power of 2 */
  uint32_t n, rows;
  arr *spare;            /* a second reference that leads nowhere; owned, NULL: none */
  arr *title_in, *title; /* what an instance is shown as that was made there; owned */
} class;

typedef struct part {
  space s;
  class *cls;                                  /* NULL: it was emptied */
  bool is_class, is_made, is_destroyed, waits; /* waits: for its destructor */
  /* Of an instance: is there one that derives from it before it in their block, its base's behind it? */
  bool is_base, has_base;
  arr *inside; /* the second reference, while there is one */
  arr *weak;   /* by which spaces that were made in it know it, while there are any */
  arr *more;   /* names that were given from outside; owned, NULL: none */
} part;

static inline part *part_of(const arr *a) { return space_of(a)->part; }
static inline part *part_below(part *p) { return p->has_base ? p + 1 : NULL; }
static inline part *whole_of(part *p) {
  while (p->is_base) p--;
  return p;
}
/* Does the reference see all? */
static inline bool is_inside(const arr *in) { return in == part_of(in)->inside; }
/* The class that a refers to; NULL: it does not refer to one. */
static inline class *class_of(const arr *a) {
  part *p = a->ref ? part_of(a) : NULL;
  return p && p->is_class ? p->cls : NULL;
}

/* class.c */
void class_release(class *k);
/* A class without members; its reference, owned. */
arr *class_new(vm *v, arr *in, const char *name, bool is_interface);
/* What a class is made of besides its script; borrowed. */
typedef struct class_pieces {
  arr *base; /* NULL: none */
  arr **interfaces;
  size_t interfaces_n;
  arr **included;
  size_t included_n;
} class_pieces;
/* The class `of`, which is new, gets its members, without any line being run. */
bool class_restore(vm *v, arr *of, const str *text, const class_pieces *pieces);

/* class_member.c */
/* The row of the name, or the free one where it would be. */
static inline member_row *class_row(member_row *row, uint32_t rows, const sym *s) {
  uint32_t i = s->hash & (rows - 1);
  while (row[i].name && row[i].name != s) i = (i + 1) & (rows - 1);
  return &row[i];
}
static inline member *class_find(const class *k, const sym *s) {
  return k && k->rows ? class_row(k->row, k->rows, s)->m : NULL;
}
bool class_put_row(class *k, member *m); /* of its name from now on */
part *class_level(part *p,
                  const class *k); /* the part of the class; NULL: it is of no such */
value *member_cell(const arr *in, sym *s, bool make);
/* The cell of a public member; NULL: it is none. `own`: as p's class has it, whatever overrides it. */
value *member_public(part *p, sym *s, bool own);
const value *member_around(const arr *in, sym *s);
bool member_own(const arr *in, sym *s);
bool member_may_change(vm *v, const arr *in, const sym *s);
bool member_assign(vm *v, arr *in, sym *s, value x, bool *done);
fn *member_bound(vm *v, fn *f, const arr *in);
void member_takes(member *m, fn *f); /* f is m from now on, whose class it holds */
bool member_keeps(fn *f);
fn *member_in(part *p, member *m); /* the method, to be called there; owned */
bool class_read(vm *v, fn *f, const arr *in, value *r);
/* What the functions of a property and a trigger are given besides their member's name; NULL: it is not. */
typedef struct property_told {
  const value *new, *old;
  arr *indexers, *specified;
} property_told;
arr *class_told(vm *v, const member *m, const property_told *t); /* a namespace of that */
/* The member that s is for who has the reference; NULL: it is none, or there is another name before it. */
member *member_seen(const arr *in, const sym *s);
/* The part of the instance or class, or one around it, of which m is; NULL: there is none. */
part *member_part(const arr *in, const member *m);
/* Calls get, set or shape, which is f, of the property m of p. */
bool member_ask(vm *v, part *p, const member *m, fn *f, const property_told *t, value *r);
double member_class(const arr *in, sym *s, bool fine);

/* class_index.c */
fn *property_by_default(const arr *in);
arr *property_places(vm *v, fn *f, arr *in);
arr *property_get_part(vm *v, fn *f, arr *in, int n, arr *const *at);
bool property_put_part(vm *v, fn *f, arr *in, int n, arr *const *at, arr *y);
/* All of a numbered one; what it is, owned. */
arr *numbered_get(vm *v, part *p, const member *m);
bool numbered_put(vm *v, part *p, const member *m, arr *y);

/* class_life.c */
arr *class_inside(part *p); /* the second reference; owned */
/* One that sees what is public in a base's part; `own`: for ⎕BASE, for which nothing overrides it. Owned. */
arr *class_view(part *p, bool own);
bool class_sees_own(const arr *in); /* is it such a one? */
arr *class_as_parent(arr *in);
arr *instance_new(vm *v, class *k, arr *in); /* not constructed yet */
/* By the constructor that takes x; NULL: nothing. `base`: of a part below another one. */
bool instance_construct(part *p, arr *x, bool base);
/* What fills an array of instances: another one of y's class, whose constructor runs when it is used. */
arr *instance_fill(ctx *c, const arr *y);
bool instance_from_fill(arr *in);
bool instance_base_step(vm *v, env *e, const value *x);
bool instance_stays(space *p);
void instance_empty(space *p);
void instance_settle(vm *v);
void instance_end(vm *v);
/* The field m of p was assigned; what it was. */
bool instance_note(part *p, member *m, const value *was);
bool class_follow(const arr *a, void (*each)(void *g, value x), void *g);
/* Calls f, a method, where the program stands; y is NULL or none: it has no argument. */
bool class_call(vm *v, fn *f, const value *y, value *r);
#endif
