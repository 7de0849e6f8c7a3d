/* SPDX-License-Identifier: MIT */
/* join.h - folds by functions of two scalars: the function that a node folds with, and
 * what it is compiled to for elements of a type.
 *
 *   join_fn (kexpr, its numbers, options) ──(type, range)──▶ join_code: body ──▶ class
 *
 * A class (kir/classify.h) is a lift of the elements to tuples, a join of these, and what
 * becomes of a value by a tuple. What fits none is folded one element after the other. */
#ifndef VAPL_IR_JOIN_H
#define VAPL_IR_JOIN_H
#include "../kir/classify.h"
#include "../kir/expr.h"
#include "graph.h"

typedef struct join_fn {
  ctx *c;
  uint32_t refs;
  kexpr e;
  kimm param[KEXPR_PARAMS];
  bool forward; /* of a scan: each state from the one before it */
  bool assoc;   /* the user says that the function is associative: it is the join */
} join_fn;

typedef struct join_code {
  ctx *c;
  uint32_t refs;
  /* For what: */
  kexpr e;
  kexpr_ask ask;
  bool forward, assoc;
  /* What came of it: */
  const char *why; /* no kernel does it; NULL */
  kexpr_body body;
  kclass of;
  bool faults; /* an instruction of the class's may fault */
} join_code;

join_fn *join_fn_new(ctx *c, const kexpr *e, const kimm *param);
void join_fn_release(join_fn *f); /* NULL is fine */
void join_code_release(join_code *k);

/* f compiled for elements of that type and range; kept, so that the next fold finds it.
 * Owned; NULL: an error is recorded. */
join_code *join_compile(ir *g, const join_fn *f, const kexpr_ask *ask);
void join_forget(ir *g); /* what is kept */

/* n folds by n->fn elements of that range: its code, types and faults. False: no kernel
 * does it, or an error is recorded. */
bool infer_join(ir_node *n, range of_elements);
cls join_result(const ir_node *n); /* then: the class of its result, and its range */
range join_range(const ir_node *n);
/* The kernel of n escaped: does another one do it, one element after the other or in wider
 * types? Then that is noted. */
bool join_next_stage(ir_node *n);

/* Lines of up to so many elements are gone through one after the other, on every path: the
 * tree has nothing to gain there. */
enum { JOIN_SHORT = 8 };

/* n, a map by n->fn of the elements of n->x (or NULL) and n->y, of those ranges: likewise. */
bool infer_map(ir_node *n, range x, range y);

struct plan;
kv join_emit_map(struct plan *p, ir_node *n,
                 const kv *args);         /* of such elements: join_emit.c */
kv join_emit(struct plan *p, ir_node *n); /* n's FOLD and its result (join_emit.c) */
#endif
