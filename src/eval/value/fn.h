/* SPDX-License-Identifier: MIT */
/* fn.h - function values: immutable, reference-counted trees; and the texts they come from.
 *
 * Primitives are the leaves, operators and trains stand above them, closures of dfns
 * anywhere. A dfn is its node in the tree of a text and the environment it was made in; the
 * text is a `unit`, which lives as long as a function that was made from it. */
#ifndef VAPL_EVAL_FN_H
#define VAPL_EVAL_FN_H
#include "../../lexer/tree.h"
#include "../../tables/oper.h"
#include "value.h"

typedef struct vm vm;

typedef enum fkind {
  F_PRIM,         /* prim */
  F_REPLICATE,    /* / ⌿ \ ⍀ as a function: code */
  F_SYS,          /* a system function: code, its row */
  F_HOST,         /* a function of the host program: host */
  F_DFN,          /* node, env */
  F_TRAD,         /* a traditional function: node */
  F_NILADIC,      /* one without arguments: it is a value where it stands */
  F_HOST_NILADIC, /* one of the host program without arguments */
  F_SPREAD,       /* that of the name m, or m, in each namespace of the array l */
  F_OPER,         /* a primitive operator: code */
  F_DOP,          /* a dfn with ⍺⍺ (valence 1) or ⍵⍵ (2): node, env */
  F_TROP,         /* a traditional operator: node, valence */
  F_DERIVED, /* code with operands l and r, axis; m: what f⍠ of ⎕R and ⎕S calls */
  F_DOPPED,  /* a dop with its operands: node, env, l, r; m: the dop */
  F_TROPPED, /* a traditional operator with its operands: node, l, r; m: the operator */
  F_AXIS,    /* l with an axis */
  F_ATOP,    /* l r */
  F_FORK     /* l m r; l may be an array */
} fkind;

typedef struct fn {
  vm *v;           /* whose memory it is */
  struct fn *next; /* of those that are freed */
  uint32_t refs;
  uint8_t kind, valence; /* valence: of operators */
  uint8_t fold_options; /* FOLD_… (bind/variant.h): given to an operand of / and \ by ⍠ */
  uint8_t digits;       /* with PRODUCT_FAST: of elements (prim/inner_product.h) */
  uint16_t prim;
  uint32_t code, depth; /* depth: of functions made of functions */
  value l, m, r;
  arr *axis;
  arr *
      options; /* given by ⍠: to ⎕R and ⎕S, for regex_option_of; to an operand of / and \,
                 * the identity; NULL: none */
  struct unit *u;
  tnode *node;
  struct env *env;
  struct host_fn *host; /* owned; of F_HOST */
  arr *space;           /* a namespace in which it runs; NULL: the workspace */
  void *member; /* of a class: which one it is (runtime/ext/class.h); NULL: of none */
} fn;

/* A text, its tree, and the constants that bind made for it. */
typedef struct unit {
  ctx *c;
  uint32_t refs;
  tree *t;
  VEC(value) held;
  struct body *top; /* what is known of the whole text (env.h) */
} unit;

fn *fn_new(vm *v, fkind kind, uint32_t code);
fn *fn_of_host(vm *v, const char *name);
fn *fn_prim(vm *v, prim p); /* borrowed: the vm keeps one of each */
fn *fn_closure(vm *v, struct env *e, unit *u, tnode *dfn);
fn *fn_of_trad(vm *v, const struct env *e,
               tnode *t); /* what the T_TRAD defines, for e's namespace */
/* f as it is in the space `in`: a dfn, and what the system has, runs there. Owned. */
fn *fn_in_space(vm *v, fn *f, arr *in);
void fn_free(fn *f);                   /* which nothing holds */
static inline void fn_release(fn *f) { /* NULL is fine */
  if (f && !--f->refs) fn_free(f);
}
static inline fn *fn_retain(fn *f) {
  f->refs++;
  return f;
}

static inline value value_retain(value x) {
  if (x.cls > C_ARR) fn_retain(x.f);
  else if (x.cls && !x.num) arr_retain(x.a);
  return x;
}
static inline void value_set(value *at, value x) { /* releases what was there */
  value old = *at;
  *at = value_retain(x);
  value_release(old);
}
/* *to, where nothing is, becomes *x, by parts as value_copy does. */
static inline void value_share(value *to, const value *x) {
  value_copy(to, x);
  if (x->cls && !x->num) value_retain(*x);
}

#define OWNED_FN __attribute__((cleanup(fn_drop)))
static inline void fn_drop(fn **f) { fn_release(*f); }
static inline fn *fn_move(fn **f) {
  fn *r = *f;
  *f = NULL;
  return r;
}

bool fn_uses(const fn *f, const struct env *e); /* does it hold e? */
static inline bool fn_is(const fn *f, prim p) {
  return f->kind == F_PRIM && f->prim == p;
}
static inline bool fn_is_scalar(const fn *f, bool dyadic) {
  return f->kind == F_PRIM && prim_is_scalar((prim)f->prim, dyadic);
}

/* The function that f is the reduction or the scan of, along no axis that is named; or NULL. */
static inline fn *fn_folded(const fn *f) {
  bool folds = f->kind == F_DERIVED && is_fold(f->code) && !f->axis;
  return folds && f->l.cls == C_FN ? f->l.f : NULL;
}

/* Is it a definition by ∇? */
static inline bool fn_is_trad(const fn *f) {
  return f->kind == F_TRAD || f->kind == F_NILADIC || f->kind == F_TROP;
}

/* Is it a value where it stands, having no arguments? */
static inline bool fn_is_niladic(const fn *f) {
  return f->kind == F_NILADIC || f->kind == F_HOST_NILADIC;
}

/* Is its text kept from being shown, by ⎕LOCK or ⍫? */
static inline bool fn_is_locked(const fn *f) {
  return fn_is_trad(f) && f->node->trad->lock & LOCK_TEXT;
}

struct vm_text;
unit *unit_new(vm *v, const struct vm_text *text);
void unit_release(unit *u);                /* NULL is fine */
static inline unit *unit_retain(unit *u) { /* likewise */
  if (u) u->refs++;
  return u;
}
#define OWNED_UNIT __attribute__((cleanup(unit_drop)))
static inline void unit_drop(unit **u) { unit_release(*u); }

/* fn_text.c: a function as it could be typed, on one line. */
void fn_text(const fn *f, str *s);
void fn_put_trad(const fn *f, str *s); /* the header and lines of a definition by ∇ */
/* A definition by ∇ as that has it, any other function as name←… */
void fn_put_definition(const fn *f, const char *name, str *s);
void fn_text_parens(const fn *f, str *s); /* the same with every parenthesis */
/* The same, with each array as `array` tells it, so that it can be run; a definition by ∇ whole. */
typedef void fn_array_text(void *user, arr *a, str *s);
/* A definition by ∇ that a function is made of; where this is NULL its name is told. */
typedef void fn_trad_text(void *user, const fn *f, str *s);
void fn_source(const fn *f, fn_array_text *array, fn_trad_text *name, void *user, str *s);
void fn_axis_text(const fn *f, str *s);
void oper_text(const fn *f, str *s); /* the operator of a derived function, its axis */
#endif
