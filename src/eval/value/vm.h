/* SPDX-License-Identifier: MIT */
/* vm.h - the interpreter's state. Every file of the evaluator includes it.
 *
 *   value   what names stand for, and their lifetimes; this page. Evaluates nothing
 *   bind    a statement's row of items → nodes, by the classes of its names. Runs nothing
 *   run     nodes → values: eval.c is THE PAGE TO READ FIRST
 *   oper    the operators
 *   system  ⎕-names, commands, errors as they are shown
 *   vm.c    the interpreter's life and entries (eval.h), above them all
 *
 * A text is parsed to a tree and kept in a `unit` as long as a function made from it lives.
 * bind keeps what it made of a statement in the tree's arena, once per combination of name
 * classes. */
#ifndef VAPL_EVAL_VM_H
#define VAPL_EVAL_VM_H
#include "../eval.h"
#include "names.h"

enum { DMX_FIELDS = 10 }; /* of ⎕DMX */

typedef struct pending_call { /* owned; f NULL: none */
  fn *f;
  arr *x, *y;
} pending_call;

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
  /* A text runs in this call: what it signals is an error of this call. */
  const env *executes;
  const env *signalled; /* ⎕SIGNAL ends this call: no guard before its end catches it */
  char *stack_low, *stack_top; /* the C stack must stay above stack_low */
  uint32_t depth, running;
  pending_call tail; /* a call that the caller of the dfn should make */
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

/* What prim/host.h takes: the variables in force. */
static inline prim_env env_of(vm *v) {
  return (prim_env){
      .c = v->c, .ct = v->sv->ct, .io = v->sv->io, .pp = v->sv->pp, .random = &v->random};
}
/* What ir/ir.h takes: a primitive that is called where v stands. */
static inline ir_call call_of(vm *v) {
  return (ir_call){.g = v->g, .env = env_of(v), .at = v->at};
}

/* stack.c: what recurses is bounded by the C stack of the thread that runs. */
void stack_enter(vm *v); /* finds out how far it reaches */
bool deep(vm *v);        /* LIMIT ERROR if it is used up */
#endif
