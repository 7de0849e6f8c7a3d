/* SPDX-License-Identifier: MIT */
/* vm.h - the interpreter's state. Every file of the evaluator includes it.
 *
 *   value   what names stand for, and their lifetimes; this page. Evaluates nothing
 *   bind    a statement's row of items → nodes, by the classes of its names. Runs nothing
 *   run     nodes → values: eval.c is THE PAGE TO READ FIRST
 *   oper    the operators
 *   trad    traditional functions, control structures
 *   system  ⎕-names, commands, errors as they are shown
 *   vm.c    the interpreter's life and entries (eval.h), above them all
 *
 * What the words mean in these folders:
 *
 *   text     characters that are run: a script, a line of the session, what ⍎ is given
 *   unit     a text that was parsed, with the constants that bind made for it; it lives as long
 *            as a function made from it (fn.h)
 *   body     what is known of a dfn, or of a text, before it runs: the names that it assigns
 *   env      the names of one call of a dfn; a slot is the place of one name in it (env.h)
 *   item     of a statement: a literal, a name, a glyph, a parenthesis; of a nested array: what
 *            an element holds
 *   node     of the tree: tnode, of the parser; bnode, of bind, which is what runs
 *   chain    a bound row of items: a value and the steps that are applied to it
 *   class    array, function or operator, as ⎕NC numbers them
 *   frame    of an array, its leading axes; a cell has the others (oper/cells.h)
 *   space    a namespace; # is the workspace (space.h)
 *
 * bind keeps what it made of a statement in the tree's arena, once per combination of name
 * classes. */
#ifndef VAPL_EVAL_VM_H
#define VAPL_EVAL_VM_H
#include "../eval.h"
#include "names.h"

/* Who is told of calls of functions and of their lines, while somebody measures. */
typedef struct call_watch {
  void (*enter)(vm *v, const env *e);
  void (*line)(vm *v, uint32_t line); /* of the call that was entered last begins */
  void (*leave)(vm *v);
} call_watch;

enum { DMX_FIELDS = 10 };  /* of ⎕DMX (system/sys_error.c) */
enum { FAILED_MOST = 12 }; /* calls whose names are kept */

/* A traditional function that is suspended, whose C stack stays: a session runs within it. */
typedef struct halt {
  struct halt *outer;
  env *e;          /* where its entries run; borrowed, like what follows */
  shadow *k;       /* of the function */
  struct run *run; /* its steps */
  uint32_t depth;  /* of calls */
  bool goes;       /* on, with line `to` */
  int64_t to;
} halt;

typedef struct failed_call { /* of a dfn that an error has ended */
  env *e;                    /* owned */
  uint32_t at;               /* the byte of its text where it stood */
} failed_call;

typedef struct host_fn {
  vm_host_fn as;
  const char *source; /* of as.user: what ⎕CR gives; NULL: its name */
  char name[];        /* that it was defined under */
} host_fn;

struct vm {
  ctx *c;
  ir *g;                 /* the lazy graph, and the device */
  const uint64_t *clock; /* ir_clock */
  vm_config cfg;

  /* names.c: symbols by hash, and what to undo if pending work proves wrong */
  sym **bucket;
  uint32_t buckets, symbols;
  VEC(change) journal;
  uint64_t verified_seq; /* work up to here is known to be right: it needs no journal */
  fn *prim_fn[P_COUNT];  /* fn_prim: one of each, NULL until it is needed */

  struct space *spaces, *dying; /* all namespaces; those that are going (space.c) */
  fn *dead_fns;                 /* functions that are going (value.c) */
  const char
      *unlifted; /* what the last attempt at all cells at once met that has no rule */
  bool drops, frees;
  uint32_t clears;             /* how often the workspace was cleared */
  size_t spaces_n, collect_at; /* how many there are; when circles are looked for */
  arr *workspace,
      *null; /* # as a namespace, and ⎕NULL, once they were asked for; owned */
  /* What stands above that which runs programs, and is known here alone, for vm.c sets it: the ⎕-names
   * (run/sys_call.h); the call of what an operator derived; a line such as )OFF or ]box; the lines of a T_EDIT. */
  const struct sys_row *sys;
  bool (*derived)(vm *v, fn *f, arr *x, arr *y, arr **r);
  bool (*command)(vm *v, const char *at, const char *end);
  bool (*edit_lines)(vm *v, const env *e, const tnode *t);
  str *captured;                      /* what is shown goes here; NULL: it is written */
  const struct thread_hooks *threads; /* threads.h; NULL: there are none in this build */
  uint32_t spawned;                   /* threads that have not ended, besides the first */
  /* What s is by ⎕PATH to the namespace `in`, which has it not; NULL: nothing. NULL: ⎕PATH is empty. */
  const value *(*path)(struct vm *v, arr *in, sym *s);
  const struct class_hooks *classes; /* class.h; NULL: this build has none */
  arr *(*se)(struct vm *v); /* gives ⎕SE, borrowed; NULL: this build has it not */

  /* what is in force where the program stands */
  sysvars vars, *sv; /* the workspace's; the current ones */
  span at;           /* the application in progress; borrowed */
  env *env;          /* of the dfn that runs; NULL: a text's statement */
  /* A text runs in this call: what it signals is an error of this call. */
  const env *executes;
  const env *signalled; /* ⎕SIGNAL ends this call: no guard before its end catches it */
  env *tail;            /* a call that the caller of the dfn should make; owned */
  env *frame;      /* empty environments that wait for a call, linked by their outer */
  uint32_t frames; /* how many there are that wait, or will */
  struct shadow *shadow; /* of the traditional function that was called last */
  arr *trap;             /* the workspace's ⎕TRAP; owned, NULL: empty */
  uint32_t
      trap_over; /* the depth of the function where a ⎕TRAP had its way: those that called it
                          * have none for that error; 0: none did */
  const call_watch *watch; /* NULL: nobody measures */
  struct run *run;         /* the steps that run, the innermost ones (trad/steps.c) */
  bool aborts;             /* → alone: all that runs is left, and no error is caught */
  /* trad/suspend.c. Without `suspend`, which eval.h describes, nothing is suspended. */
  bool (*suspend)(void *user);
  halt *halt;                      /* the newest suspension; NULL: none */
  uint32_t resets;                 /* suspensions that are still to be given up */
  failed_call failed[FAILED_MOST]; /* the last error's, the innermost first */
  uint32_t failed_n;
  bool shy; /* the last call's result was assigned */
  bool off; /* ⎕OFF was evaluated, and with which exit code */
  int off_code;

  uint32_t depth,
      running; /* how deep calls are nested; entries of eval.h within each other */

  /* the last error: ⎕EN, ⎕DM, and the fields of ⎕DMX */
  int en;
  bool executed; /* it was in a text that ⍎ ran: ⎕DM says so */
  str dm[3], message;
  struct error_stack { /* the places of its calls, for )SI; at: owned */
    span at;
    err_calls calls;
  } suspended;
  arr *dmx[DMX_FIELDS];    /* that ⎕SIGNAL set; NULL: as for any error */
  arr *signal[DMX_FIELDS]; /* … that the error under way will set */

  /* the session: ⎕RL, ⎕WSID, ]box and ]rows, ⎕ARG, ⍞, ⎕AI */
  prim_random random; /* one for the whole interpreter */
  bool rl_hidden;     /* its seed is ⍬ */
  int rl_generator;
  str wsid;
  struct {
    bool on, fns, long_rows;
    int style, trains; /* BOX_… TRAINS_… */
    int fold;          /* lines of a result that are shown; 0: by the terminal, -1: all */
  } box;
  const char *const *argv;
  int argc;
  arr *last;     /* ⎕_: the value of the last entry, NULL: none yet; owned */
  str open_line; /* what ⍞← has put on the current line */
  double opened;
  int columns, lines;       /* of the terminal, where there are ranks: the first one's */
  struct regex_lib *regex;  /* PCRE2, once it was needed */
  struct reach *reach;      /* the folders that files are in (reach.c); NULL: anywhere */
  struct ext_state *states; /* of runtime/ext, once they were needed */
  arr *
      options; /* that ⍠ gave the system function which is being called, or NULL; borrowed */
  arr *axis; /* in brackets behind it; likewise */
};

/* What prim/direct.h takes: the variables in force. */
static inline prim_env env_of(vm *v) {
  return (prim_env){
      .c = v->c, .ct = v->sv->ct, .io = v->sv->io, .pp = v->sv->pp, .random = &v->random};
}
/* What ir/ir.h takes: a primitive that is called where v stands. */
static inline ir_call call_of(vm *v) {
  return (ir_call){.g = v->g, .env = env_of(v), .at = v->at};
}

/* Whatever runs has no error, or it is recorded. */
/* Does a change in `where` by what runs in e need no journal now? A dfn's own names go with it; those of a
 * traditional function are seen by a :Trap, and in a session. */
static inline bool needs_no_journal(const vm *v, const env *e, const env *where) {
  return (where == e && !(e && e->trad)) || *v->clock == v->verified_seq;
}
/* Are names of the call in e given numbers without more ado: no guard keeps what they were, nor does the
 * journal? */
static inline bool env_is_plain(const vm *v, const env *e) {
  return !e->holds && needs_no_journal(v, e, e);
}
static inline bool verify(vm *v) {
  return LIKELY(*v->clock == v->verified_seq) || verify_pending(v);
}
/* A text is run, or names are looked for by their text: the traditional function that runs sees all that
 * it can. */
static inline bool names_lend(vm *v) {
  shadow *k = v->shadow;
  return LIKELY(!k || !k->lender || k->has_all) || shadow_lend(v, k, NULL);
}
#endif
