/* SPDX-License-Identifier: MIT */
/* class.h - what the interpreter asks of classes, which are runtime/ext/class.c and may be left out.
 *
 * A class and an instance are spaces with a `part` (space.h). Two references lead to such a space: `ref`, which
 * programs hold and which sees what is public, and, while methods run in it, one that sees all: these have it as
 * the space of their environment. So who looks for a name sees by the reference which names there are. */
#ifndef VAPL_EVAL_CLASS_H
#define VAPL_EVAL_CLASS_H
#include "vm.h"

struct space;
/* at[0]⌷f, or ⌷f where that is NULL; the elements whose numbers, from 1, at[0] has. */
enum { PART_SQUAD = -1, PART_PLACES = -2 };
typedef struct class_hooks {
  /* ── names ── */

  /* The cell of s as who has the reference `in` sees it; `make`: in which it would be assigned. NULL: it has no
   * such name, or no memory. */
  value *(*cell)(const arr *in, sym *s, bool make);
  /* What s is around the space `in`, which has it not; NULL: nothing. */
  const value *(*around)(const arr *in, sym *s);
  /* May the member s be given a value? Notes that it was. */
  bool (*may_change)(vm *v, const arr *in, const sym *s);
  /* The name s of `in` is about to change: an instance gets a value of its own of what a line of its class gave one.
   * False: no memory. */
  bool (*own)(const arr *in, sym *s);
  /* s←x where s is a property; else *done stays false. */
  bool (*assign)(vm *v, arr *in, sym *s, value x, bool *done);

  /* ── members that are functions ── */

  /* The method f of `in`, to be called; owned. */
  fn *(*bound)(vm *v, fn *f, const arr *in);
  /* The last reference to a bound one has gone: is it kept for the next call? */
  bool (*keeps)(fn *f);
  /* Calls one without arguments, or the function that gives the property's value. */
  bool (*read)(vm *v, fn *f, const arr *in, value *r);
  /* :Implements Constructor in e: the base's constructor runs, of x unless that is none. */
  bool (*base_step)(vm *v, env *e, const value *x);

  /* ── parts of properties ── */

  /* The function that stands for the property which indices of `in` are of; NULL: there is none. */
  fn *(*by_default)(const arr *in);
  /* What a selection from the property f of `in` runs on: numbers of its elements from 1, or its value; owned. */
  arr *(*places)(vm *v, fn *f, arr *in);
  /* f[at[0];…], owned, and what it becomes; n is how many indices, or one of PART_…. Where f is no property, of
   * what it gives. */
  arr *(*get_part)(vm *v, fn *f, arr *in, int n, arr *const *at);
  bool (*put_part)(vm *v, fn *f, arr *in, int n, arr *const *at, arr *y);

  /* ── what the language tells of them ── */

  /* The class of what a refers to, as ⎕NC has it. */
  double (*space_class)(const arr *a);
  /* Of the name s as `in` sees it; 0: it is none; fine: with its subclass. */
  double (*name_class)(const arr *in, sym *s, bool fine);
  arr *(*base)(vm *v, const env *e); /* ⎕BASE in e; owned, NULL: an error */
  const value *(*base_find)(const env *e, sym *s); /* what ⎕BASE.s is; NULL: not known */

  /* ── life ── */

  bool (*construct)(arr *in); /* runs the constructor of a fill */
  /* The last reference to p has gone: does it stay for its destructor? */
  bool (*stays)(struct space *p);
  void (*empty)(struct space *p); /* gives back what p has besides its names */
  void (*settle)(vm *v);          /* runs the destructors that wait */
  void (*end)(vm *v);             /* runs those of all instances */
  /* A space that is made within `in` refers to it by this; owned. */
  arr *(*as_parent)(arr *in);
  /* Each array and function that a holds besides its names, where it is a class or an instance. False: it is
   * the second reference, and holds that array alone. */
  bool (*follow)(const arr *a, void (*each)(void *g, value x), void *g);

  /* ── scripts ── */

  bool (*fix)(vm *v, env *e, const tnode *script, value *r);
} class_hooks;
#endif
