/* SPDX-License-Identifier: MIT */
/* bind.h - bound statements: what bind makes of a row of items, and what eval runs. */
#ifndef VAPL_EVAL_BIND_H
#define VAPL_EVAL_BIND_H
#include "../value/vm.h"

typedef enum bkind {
  B_CONST,   /* val: array, function or operator */
  B_NAME,    /* s, slot */
  B_NILADIC, /* likewise, of a function without arguments, which is called */
  B_ALPHA,
  B_OMEGA,
  B_LOP,
  B_ROP,
  B_DEL,
  B_DEL2,
  B_SYS,     /* code: its row */
  B_STRAND,  /* kids */
  B_INDEX,   /* kid[0] [kid[1]; …], NULL where elided */
  B_CHAIN,   /* kid[0], then step[n], right to left; as it is run: flat, code steps */
  B_DFN,     /* tree */
  B_DERIVED, /* kid: operator, left operand, right operand or NULL, axis or NULL */
  B_AXIS,    /* kid: function, axis */
  B_ATOP,
  B_FORK,
  B_VECTOR,
  B_MATRIX, /* array notation: kids */
  B_SPACE,  /* kids: names and values by turns */
  B_HASH,   /* code: 1 #, 2 ##; of kid[0], where there is one */
  B_MEMBER, /* kid[0]: namespaces; kid[1], in each: a name, a ⎕-name, a dfn, B_STATEMENT */
  B_STATEMENT, /* tree */
  B_EXECUTE,   /* kid: the text that ⍎ runs, which gives a function or an operator */
  B_ERROR,     /* code, text */
  /* targets of assignment */
  G_NAME,
  G_ALPHA,
  G_SYS,
  G_STRAND,
  G_INDEX,
  G_MEMBER, /* kid[0]: namespaces; kid[1]: the target in them */
  G_SELECT  /* kid[0]: the expression that selects from the name it ends in */
} bkind;

/* One application of a chain, to the value so far. */
typedef enum skind { S_MONADIC, S_DYADIC, S_SET, S_MODIFY } skind;
/* How a step is run. A chain is run as a row of steps in which the chains that are its base or
 * left arguments stand where their turn is, so that no call is made for them (flat.c). */
typedef enum rkind {
  R_END,
  R_LOAD,        /* the value so far is x */
  R_LOAD_WHOLE,  /* likewise; the next step is an R_WHOLE_CONST or R_WHOLE_NAME */
  R_HOLD,        /* it is put aside until the left argument is made */
  R_PAREN,       /* what was shy is not any more, and there must be a value */
  R_WHOLE_CONST, /* a primitive of prim_whole_in_line, x being an integer */
  R_WHOLE_NAME,  /* likewise, x being ⍺, ⍵ or a name of the dfn */
  R_WHOLE_HELD,  /* … the value so far */
  R_TALLY,       /* ≢ */
  R_PRIMITIVE,
  R_FOLD,   /* f/ of a primitive that is a scalar function */
  R_SELECT, /* x/y or ⍸y, of which the next step makes one number */
  R_CALL,
  R_OPEN, /* of two arguments, the left of which may turn out to be a function */
  R_SET,  /* at AT_ENV: of a name that has a slot */
  R_MODIFY
} rkind;
/* Where the number x is, if it is one: `own` or in the environment, `offset` bytes behind its
 * beginning. HELD: x is the value so far, the right argument having been put aside. */
typedef enum arg_at { AT_NONE, AT_STEP, AT_ENV, AT_HELD } arg_at;
typedef struct bnode bnode;
typedef struct step {
  uint8_t kind, run, at;
  bool feeds;          /* a load: the next step is a primitive on numbers */
  bool scalar;         /* the primitive is a scalar function */
  uint16_t prim;       /* the function is this primitive; P_COUNT: another one */
  uint32_t begin, end; /* of the function; a load, R_PAREN: of the value */
  bnode *f, *x;        /* function; left argument or target */
  prim_on_number on;   /* of a primitive: what it does on numbers */
  value own;           /* x, if it is a constant; else none */
  size_t offset;
} step;
static inline bool is_primitive(const step *s) {
  return s->run >= R_WHOLE_CONST && s->run <= R_PRIMITIVE;
}
enum { HELD_MOST = 8 }; /* values that a chain puts aside at once */

struct bnode {
  uint8_t kind, cls;
  uint32_t code, begin, end, n;
  int slot;           /* B_NAME, G_NAME: index in the environment, -1: not a local name */
  bnode *next;        /* in a strand that is being bound */
  const tnode *lit;   /* T_NUMBERS of several: in a strand each is an item of its own */
  prim_number number; /* B_CONST: what val is, if it is one; else CLS_NONE */
  union {
    value val;
    sym *s;
    tnode *tree;
    const char *text;
    struct {
      bnode **kid;
      step *step, *flat;
      const value
          *found; /* B_MEMBER of a name: what it was when its class was looked for last */
    };
  };
};

typedef struct bkey {
  uint8_t kind, cls;
  int slot;
  sym *s;
  bnode *node;         /* B_MEMBER */
} bkey;                /* kind: of bnode */
typedef struct bound { /* a statement bound for certain classes of its names */
  struct bound *next;
  const body *of; /* whose slots its names have */
  bnode *root;
  const step *row; /* of the root; NULL: it is no chain */
  bkey *key;
  uint32_t n;
  bool assigns;      /* its last step is an assignment */
  bool sets_default; /* … to ⍺: it is skipped where there is a left argument */
} bound;

/* The class now of what k names, C_HYBRID and up for / ⌿ \ ⍀ (binder.h). */
uint8_t bind_class_now(env *e, const bkey *k);
static inline bool bind_key_fits(env *e, const bkey *k) {
  const value *x = NULL;
  if (LIKELY(k->kind == B_NAME)) x = env_at_once(e, k->s, k->slot);
  else if (k->kind == B_ALPHA) x = &e->alpha;
  if (LIKELY(x && x->cls == C_ARR)) return k->cls == C_ARR;
  if (x && x->cls == C_FN && x->f->kind != F_REPLICATE && !fn_is_niladic(x->f))
    return k->cls == C_FN;
  return bind_class_now(e, k) == k->cls;
}
static inline bool bind_fits(env *e, const bound *k) {
  if (!LIKELY(k->of == e->body)) return false; /* within :With names have other places */
  for (uint32_t i = 0; i < k->n; i++)
    if (!LIKELY(bind_key_fits(e, &k->key[i]))) return false;
  return true;
}

/* The statement (T_STMT) bound for the classes that its names have in e; cached. */
bound *bind_cached(vm *v, env *e, tnode *stmt);

/* body.c: the symbol of a name's node, kept there; what is known of a dfn. NULL when memory is out. */
sym *symbol_of(vm *v, tnode *t);
body *body_of(vm *v, unit *u, tnode *dfn);

/* All names that stand in t, NULL: none, some perhaps more than once. */
bool body_mentions(vm *v, tnode *t, name_list *out);
/* k, in mem, gets each of the names once; those of many are indexed. */
bool body_names(body *k, arena *mem, const name_list *names);
/* As if the text, run by ⍎ in e, were a dfn without names of its own. */
body *body_of_text(unit *u, const env *e);

/* ── derive.c: functions made of functions, operators applied to operands, axes, trains. Making one runs nothing, so
 * those whose parts are constants are made once. ── */

enum { DERIVE_PARTS = 4 };
/* What the node b, a B_DERIVED, B_AXIS, B_ATOP or B_FORK, is with the parts part[i] of its
 * kids: a function or operator, owned, or NULL. The parts are borrowed. */
fn *derive(vm *v, const bnode *b, const value *part);
/* Are operands of these classes what the operator takes? False after an error. */
bool derive_takes(vm *v, const oper_row *op, value l, value r);
#endif
