/* SPDX-License-Identifier: MIT */
/* internal.h - the evaluator's insides, shared by the files of src/eval only.
 *
 *   bind.c    a statement's row of items → nodes: applications by the classes of its names;
 *             bind_target.c what is left of an arrow; body.c the names that a dfn assigns
 *   eval.c    THE PAGE TO READ FIRST: nodes → values; dfn.c dfns, guards, tail calls
 *   fn.c      function values: making, releasing, their text; fn_show.c how they are displayed
 *   oper.c    the primitive operators; fold.c / and \; cells.c ⍤ ⌸ ⌺ @; inverse.c f⍣¯1
 *   names.c   symbols, environments, the journal; assign.c the forms of assignment
 *   execute.c ⍎
 *   system.c  ⎕-names (sys_*.c: by theme); command.c ) and ] commands; error.c how an error
 *             looks and what is left of it
 *   vm.c      the interpreter's life and entries
 *
 * A text is parsed to a tree and kept in a `unit` as long as a function made from it lives.
 * bind keeps what it made of a statement in the tree's arena, once per combination of name
 * classes. Functions are values (`fn`); a dfn is its tree node and the environment it was
 * made in. An environment is emptied when its call ends, which breaks every cycle between it
 * and the functions that are stored in it. */
#ifndef VAPL_EVAL_INTERNAL_H
#define VAPL_EVAL_INTERNAL_H
#include "eval.h"

typedef struct fn fn;
typedef struct env env;
typedef struct bnode bnode;

/* ── values and names ───────────────────────────────────────────────────────────────── */

enum {
  C_NONE = 0,
  C_ARR = 2,
  C_FN = 3,
  C_OP = 4, /* name classes */
  C_HYBRID = 5
}; /* and up, for bind: a name for / ⌿ \ ⍀ */

typedef struct value {
  uint8_t cls;
  union {
    arr *a;
    fn *f;
  };
} value;

typedef struct sym { /* an interned name, for the life of the vm; val: in the workspace */
  struct sym *next;
  value val;
  uint32_t hash, len;
  char text[];
} sym;

/* A text, its tree, and the constants that bind made for it. */
typedef struct unit {
  uint32_t refs;
  tree *t;
  VEC(value) held;
  struct body *top;
} unit;

/* What is known of a dfn before it runs, or of a whole text (node NULL). In the tree's arena. */
typedef struct body {
  unit *u; /* borrowed */
  tnode *node;
  sym **local; /* names that it assigns */
  uint32_t n;
} body;

typedef struct sysvars {
  double ct;
  int io, pp, pw, ml, div;
} sysvars;
enum { DMX_FIELDS = 10 }; /* of ⎕DMX */

typedef struct errguard { /* an error guard in force */
  struct errguard *next;
  arr *codes;
  tnode *node; /* T_ERRGUARD */
  value alpha; /* what the names of the dfn were when it was set */
  value slot[];
} errguard;

struct env { /* the names of one call of a dfn */
  uint32_t refs;
  body *body;
  env *outer; /* of the enclosing dfn's call; NULL: the workspace */
  fn *self;
  value alpha; /* an array; ⍺←f makes it a function */
  arr *omega;
  sysvars *sv, own; /* sv points to own once this dfn has assigned one */
  errguard *guard;
  env *
      more; /* texts that ⍎ ran here and the names that they made; linked by their more */
  unit *text; /* this is such a text's environment: it shares outer's ⍺ ⍵ and names */
  span called;  /* the application in the caller */
  value slot[]; /* body->n */
};

/* ── functions and operators ────────────────────────────────────────────────────────── */

typedef enum fkind {
  F_PRIM,    /* prim */
  F_REPL,    /* / ⌿ \ ⍀ as a function: code */
  F_SYS,     /* a system function: code, its row */
  F_DFN,     /* node, env */
  F_OPER,    /* a primitive operator: code */
  F_DOP,     /* a dfn with ⍺⍺ (valence 1) or ⍵⍵ (2): node, env */
  F_DERIVED, /* code with operands l and r, axis; of ⍠: prim, what it says */
  F_DOPPED,  /* a dop with its operands: node, env, l, r; m: the dop */
  F_AXIS,    /* l with an axis */
  F_ATOP,    /* l r */
  F_FORK     /* l m r; l may be an array */
} fkind;

struct fn {
  uint32_t refs;
  uint8_t kind, valence; /* valence: of operators */
  uint16_t prim;
  uint32_t code, depth; /* depth: of functions made of functions */
  value l, m, r;
  arr *axis;
  unit *u;
  tnode *node;
  env *env;
};

/* ── bound statements ───────────────────────────────────────────────────────────────── */

typedef enum bkind {
  B_CONST, /* val: array, function or operator */
  B_NAME,  /* s, slot */
  B_ALPHA,
  B_OMEGA,
  B_LOP,
  B_ROP,
  B_DEL,
  B_DEL2,
  B_SYS,     /* code: its row */
  B_STRAND,  /* kids */
  B_INDEX,   /* kid[0] [kid[1]; …], NULL where elided */
  B_CHAIN,   /* kid[0], then step[n], right to left */
  B_DFN,     /* tree */
  B_DERIVED, /* kid: operator, left operand, right operand or NULL, axis or NULL */
  B_AXIS,    /* kid: function, axis */
  B_ATOP,
  B_FORK,
  B_VECTOR,
  B_MATRIX, /* array notation: kids */
  B_MEMBER, /* kid: a record; text: the field */
  B_ERROR,  /* code, text */
  /* targets of assignment */
  G_NAME,
  G_ALPHA,
  G_SYS,
  G_STRAND,
  G_INDEX,
  G_SELECT /* kid[0]: the expression that selects from the name it ends in */
} bkind;

/* One application of a chain, to the value so far. */
typedef enum skind { S_MONADIC, S_DYADIC, S_SET, S_MODIFY } skind;
typedef struct step {
  uint8_t kind;
  uint32_t begin, end; /* of the function */
  bnode *f, *x;        /* function; left argument or target */
} step;

struct bnode {
  uint8_t kind, cls;
  uint32_t code, begin, end, n;
  int slot;         /* B_NAME, G_NAME: index in the environment, -1: not a local name */
  bnode *next;      /* in a strand that is being bound */
  const tnode *lit; /* T_NUMBERS of several: in a strand each is an item of its own */
  union {
    value val;
    sym *s;
    tnode *tree;
    const char *text;
    struct {
      bnode **kid;
      step *step;
    };
  };
};

typedef struct bkey {
  uint8_t kind, cls;
  int slot;
  sym *s;
} bkey;                /* kind: of bnode */
typedef struct bound { /* a statement bound for certain classes of its names */
  struct bound *next;
  bnode *root;
  bkey *key;
  uint32_t n;
  bool assigns;  /* its last step is an assignment */
  bool defaults; /* … to ⍺ */
} bound;

/* ── the interpreter ────────────────────────────────────────────────────────────────── */

typedef struct change { /* a journal entry: what a name was before */
  sym *s;
  env *e;
  uint32_t slot;
  value old;
  uint64_t seq;
} change;

struct vm {
  ctx *c;
  ir *g;
  vm_config cfg;
  sym **bucket;
  uint32_t buckets, symbols;
  fn *prim_fn[P_COUNT];
  sysvars vars, *sv;  /* the workspace's, the current ones */
  prim_random random; /* ⎕RL: one for the whole interpreter */
  span at;            /* the application in progress; borrowed */
  env *env;           /* of the dfn that runs; NULL: a text's statement */
  const env
      *executes; /* a text runs in this call: what it signals is an error of this call */
  const env *signalled; /* ⎕SIGNAL ends this call: no guard before its end catches it */
  char *stack_low, *stack_top; /* the C stack must stay above stack_low */
  uint32_t depth, running;
  struct {
    fn *f;
    arr *x, *y;
  } tail; /* a call that the caller of the dfn should make */
  VEC(change) journal;
  uint64_t verified_seq;
  int en; /* ⎕EN, ⎕DM: the last error */
  str dm[3], message;
  arr *dmx[DMX_FIELDS]; /* fields of ⎕DMX that ⎕SIGNAL set; NULL: as for any error */
  arr *signal[DMX_FIELDS]; /* … that the error under way will set */
  bool rl_hidden;          /* ⎕RL: its seed is ⍬ */
  int rl_generator;
  str wsid;
  struct regex_lib *regex; /* once it was needed */
  bool shy;                /* the last call's result was assigned */
  bool off;
  struct {
    bool on, fns, long_rows;
    int style, trains;
  } box; /* ]box, ]rows: BOX_… TRAINS_… */
  int off_code;
  const char *const *argv;
  int argc;
  str open_line; /* what ⍞← has put on the current line */
  double opened;
};

/* names.c */
sym *sym_intern(vm *v, const char *text, size_t n);
sym *sym_find(const vm *v, const char *text, size_t n); /* NULL: never seen */
void value_release(vm *v, value x);
value value_retain(value x);
env *env_new(vm *v, fn *f, arr *x, arr *y);
env *env_text(vm *v, env *e, unit *u); /* of a text that ⍎ runs within e; owned */
/* Where s is among the names of e's dfn, or of the texts that ⍎ ran in it; NULL: nowhere. */
env *env_own_name(env *e, const sym *s, uint32_t *index);
void env_leave(vm *v, env *e);   /* empties it */
void env_release(vm *v, env *e); /* NULL is fine */
void errguard_free(vm *v, errguard *g, uint32_t slots);
value *env_find(env *e, const sym *s, int slot); /* never NULL: the workspace's at last */
/* Where a name is: *where NULL for the workspace. Where it is nowhere, the place in which a
 * plain assignment would put it. */
value *name_locate(env *e, const sym *s, int slot, env **where, uint32_t *index);
bool name_set(vm *v, sym *s, value x); /* in the workspace, journaled; retains x */
bool name_put(vm *v, env *e, sym *s, env *where, uint32_t index,
              value x); /* where it was found */
bool name_quiet(vm *v, const env *e,
                const env *where);         /* a change there needs no journal now */
void value_set(vm *v, value *at, value x); /* retains x, releases what was there */
bool verify(vm *v);                        /* ir_verify, and the journal with it */
void settle_error(
    vm *v); /* an error is recorded: the first one, later assignments undone */
void names_free(vm *v);
void names_clear(vm *v);

/* assign.c */
bool assign(vm *v, env *e, const bnode *target, value x);
bool assign_with(vm *v, env *e, const bnode *target, fn *f, arr *y); /* target f← y */

/* fn.c */
fn *fn_new(vm *v, fkind kind, uint32_t code);
fn *fn_prim(vm *v, prim p); /* borrowed: the vm keeps one of each */
fn *fn_closure(vm *v, env *e, unit *u, tnode *dfn);
void fn_release(vm *v, fn *f);
static inline fn *fn_retain(fn *f) {
  f->refs++;
  return f;
}
bool fn_uses(const fn *f, const env *e); /* does it hold e? */
static inline bool fn_is(const fn *f, prim p) {
  return f->kind == F_PRIM && f->prim == p;
}
static inline bool fn_is_scalar(const fn *f, bool dyadic) {
  return f->kind == F_PRIM && prim_is_scalar((prim)f->prim, dyadic);
}
void fn_text(const fn *f, str *s);        /* on one line, as it could be typed */
void fn_text_parens(const fn *f, str *s); /* the same with every parenthesis */
void fn_axis_text(const fn *f, str *s);
void oper_text(const fn *f, str *s); /* the operator of a derived function, its axis */
unit *unit_new(vm *v, const char *name, const char *text, size_t n);
void unit_release(vm *v, unit *u);

/* bind.c */
bound *bind(vm *v, env *e, tnode *stmt);             /* T_STMT; cached */
arr *numbers_of(ctx *c, const tnum *num, int64_t n); /* a scalar if n is 1 */
/* body.c */
body *body_of(vm *v, unit *u, tnode *dfn);
/* As if the text were a dfn whose names are those it assigns and `known` does not know. */
body *body_of_text(vm *v, unit *u, env *e, bool known(env *e, const sym *s));

/* eval.c */
bool deep(vm *v); /* LIMIT ERROR if the C stack is used up */
bool eval(vm *v, env *e, const bnode *b, value *r);
arr *eval_arr(vm *v, env *e, const bnode *b);
bool eval_stmt(vm *v, env *e, tnode *stmt, bool tail, value *r, bool *shy);
/* The statement bound; NULL, the error having its place, when memory is out. */
bound *bound_of(vm *v, env *e, tnode *stmt);
bool eval_bound(vm *v, env *e, const bound *k, bool tail, value *r, bool *shy);
bool call_dfn(vm *v, fn *f, arr *x, arr *y, arr **r); /* dfn.c */
/* f y, x f y (x may be NULL). *r is NULL if the function gave no result. */
bool call(vm *v, fn *f, arr *x, arr *y, arr **r);
/* The same where a result is wanted: VALUE ERROR if there is none. */
arr *call1(vm *v, fn *f, arr *y);
arr *call2(vm *v, fn *f, arr *x, arr *y); /* x may be NULL */
/* What p is at the ⎕ML and ⎕DIV in force, where these are not 1 and 0. */
prim prim_in_force(const vm *v, prim p, bool dyadic);
arr *prim1(vm *v, prim p, arr *y);
arr *prim2(vm *v, prim p, arr *x, arr *y);
static inline arr *prim_call(vm *v, prim p, arr *x, arr *y) { /* x may be NULL */
  return x ? prim2(v, p, x, y) : prim1(v, p, y);
}
arr *prim_axis_call(vm *v, prim p, arr *x, arr *y,
                    arr *axis); /* f[axis] y, x f[axis] y */
ir_call call_of(vm *v); /* for ir/ir.h: a primitive that is called where v stands */
prim_env env_of(vm *v); /* for prim/host.h */
/* Items to an array: simple if all are simple scalars. Takes the items' references over. */
arr *collect(vm *v, arr **items, int rank, const int64_t *shape);
/* The empty array of that shape whose items would look like `like`. */
arr *collect_none(vm *v, arr *like, int rank, const int64_t *shape);
arr *index_of(vm *v, arr *y, int n, arr *const *at); /* y[…] */
/* The indices of a B_INDEX or G_INDEX node, right to left, NULL where elided; at[] is to be
 * released also after an error. */
bool indices_of(vm *v, env *e, const bnode *b, arr **at);
void indices_release(arr **at);
span span_in(const env *e, uint32_t begin, uint32_t end);
bool fail_at(vm *v, const env *e, const bnode *b); /* gives the error its place; false */
bool fail_node(vm *v, const env *e, const bnode *b, int code,
               const char *msg);                           /* false */
bool get_int(vm *v, arr *a, int64_t *n, const char *what); /* one integer, or an error */

/* oper.c, fold.c */
enum {
  OP_EACH = 0xA8,
  OP_SELF = 0x2368,
  OP_POWER = 0x2363,
  OP_DOT = '.',
  OP_JOT = 0x2218,
  OP_RANK = 0x2364,
  OP_OVER = 0x2365,
  OP_BEHIND = 0x235B,
  OP_AT = '@',
  OP_KEY = 0x2338,
  OP_STENCIL = 0x233A,
  OP_VARIANT = 0x2360,
  OP_SPAWN = '&',
  OP_IBEAM = 0x2336,
  OP_REDUCE = '/',
  OP_REDUCE1 = 0x233F,
  OP_SCAN = '\\',
  OP_SCAN1 = 0x2340,
  OP_OUTER = 0x110000, /* ∘. */
  OP_QUAD_R,
  OP_QUAD_S /* ⎕R ⎕S */
};
int oper_valence(uint32_t code); /* 1 or 2 */
static inline bool is_scan(uint32_t code) { return code == OP_SCAN || code == OP_SCAN1; }
static inline bool is_fold(uint32_t code) { /* one of / ⌿ \ ⍀ */
  return code == OP_REDUCE || code == OP_REDUCE1 || is_scan(code);
}
/* The axis, from 0, that one of / ⌿ \ ⍀ goes along; axis: what stood in brackets, or NULL. */
bool fold_axis(vm *v, uint32_t code, arr *axis, const arr *y, int *k);
/* The operator applied to its operands, r.cls C_NONE if it takes one. All borrowed. */
fn *oper_apply(vm *v, fn *op, value l, value r, arr *axis);
bool oper_call(vm *v, fn *f, arr *x, arr *y, arr **r);
arr *fold_call(vm *v, fn *f, arr *x, arr *y);   /* / ⌿ \ ⍀ derived */
fn *fold_variant(vm *v, fn *f, arr *options);   /* f⍠options, for / and \ */
arr *fold_with(vm *v, fn *g, arr *y, int axis); /* g/[axis] y */
arr *replace_leaves(vm *v, arr *y, arr *id);  /* y, every simple scalar in it being id */
arr *item_at(vm *v, arr *a, int64_t i);       /* the item itself, owned */
arr *each_call(vm *v, fn *f, arr *x, arr *y); /* x f¨ y; x may be NULL */
typedef struct pile {
  arr **at;
  int64_t n;
} pile; /* results that are gathered one by one */
bool pile_new(vm *v, pile *s, int64_t n);
bool pile_add(vm *v, pile *s,
              arr *a); /* takes a over; false if it is NULL, or on an interrupt */
arr *pile_end(vm *v, pile *s, bool ok, int rank, const int64_t *shape); /* frees s */
/* inverse.c */
arr *power_times(vm *v, fn *f, int64_t n, arr *x,
                 arr *y); /* x (f⍣n) y; n negative: inverses */
/* cells.c */
arr *rank_call(vm *v, fn *f, arr *k, arr *x, arr *y);  /* x (f⍤k) y */
arr *key_call(vm *v, fn *f, arr *x, arr *y);           /* x f⌸ y */
arr *stencil_call(vm *v, fn *f, arr *g, arr *y);       /* f⌺g y */
arr *at_call(vm *v, value f, value g, arr *x, arr *y); /* x (f@g) y */
static inline bool is_nested(const arr *a) { return !a->node && a->type == ET_NEST; }

/* fn_show.c */
enum { TRAINS_BOX, TRAINS_TREE, TRAINS_PARENS, TRAINS_DEF };
bool fn_show(vm *v, const fn *f, const fmt_opts *o,
             str *s);                          /* as its lines are displayed */
arr *fn_parts(vm *v, const fn *f, bool cells); /* ⎕CR; cells: glyphs as vectors */

/* system.c */
void sys_reset(vm *v);                      /* every variable gets its default */
int sys_find(const char *name, size_t n);   /* row, -1 */
bool sys_known(const char *name, size_t n); /* in the language, but not here */
uint32_t sys_oper(int row);                 /* an operator's code */
int sys_class(int row);                     /* C_ARR, C_FN, C_OP */
const char *sys_name(int row);              /* NULL behind the last one */
const char *sys_help(int row);
const char *command_name(size_t i); /* likewise */
arr *sys_get(vm *v, env *e, int row);
bool sys_set(vm *v, env *e, int row, value x);
bool sys_call(vm *v, int row, arr *x, arr *y, arr **r);
double now_seconds(void);
bool put_out(vm *v, const char *p, size_t n);
bool show_value(vm *v, value x); /* displays it */

/* sys_regex.c: ⎕R and ⎕S, operands in l and r, the options of ⍠ in axis */
static inline bool regex_is(value x) {
  return x.cls == C_FN && x.f->kind == F_DERIVED && x.f->code >= OP_QUAD_R;
}
fn *regex_variant(vm *v, fn *f, arr *options); /* f⍠options */
bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r);
void regex_close(vm *v);

/* sys_name.c */
typedef VEC(sym *) name_list;
/* The names that have a value here and are wanted, in the order of their characters. */
bool names_sorted(vm *v, bool (*wanted)(void *user, const sym *k, value x), void *user,
                  name_list *out);

/* Arrays with named fields, until there are namespaces: a nested vector whose lo is its kind. */
enum { REC_DMX = 1, REC_MATCH, REC_KINDS };
arr *record_new(vm *v, int kind, arr **items); /* takes the items over; NULL if one is */
arr *record_field(vm *v, const arr *a,
                  const char *name); /* owned; an error if there is none */
/* How a record shows: the names and values of what it has to say. NULL without an error: `a`
 * is no record, or shows as an array. */
arr *record_view(vm *v, const arr *a);
bool record_has(const char *name); /* is it a field of any kind? */

/* command.c */
bool command(vm *v, const char *p, const char *end);

/* error.c */
void error_note(vm *v); /* ⎕EN ⎕DM ⎕DMX from the recorded error */
void error_forget(vm *v);

/* vm.c */
bool run_text(vm *v, const char *name, const char *text, size_t n, bool show, value *r,
              bool *shy);
#endif
