/* SPDX-License-Identifier: MIT */
/* fast.h - the places that try leaves (fast.def), and what the functions of each take and give.
 *
 * A place defines its macro anew, as what it does with each function, and includes fast.def:
 *
 *   #define FAST_GRADE(way) FAST_FIRST(r, e->c, way(e, y, down))
 *   #include "../tables/fast.def"
 *
 * Functions that give an array, or true, have done all of the work. NULL, or false, with no error: not
 * applicable; the next one is tried, and behind the last one the general way. */
#ifndef VAPL_FAST_H
#define VAPL_FAST_H
#include "prim.h"

typedef struct arr arr;
typedef struct ctx ctx;
typedef struct prim_env prim_env;
typedef struct vm vm;
typedef struct fn fn;
typedef struct ir ir;
typedef struct ir_call ir_call;
typedef struct ir_node ir_node;
struct index_map;
struct plan;
struct walk;
struct walk_frame;
struct part_derived;
struct kir;
struct cg;
struct cg_acc;
struct cg_opts;
struct cg_place;
struct groups;
struct cells;
struct env;
struct bnode;
struct indices;
struct value;
typedef struct kclass kclass;
typedef struct kclass_ask kclass_ask;
typedef struct blk_pool blk_pool;
typedef struct blk_job blk_job;
typedef uint16_t kv;

#define FAST_FIRST(r, c, call)                                                           \
  if (!(r) && !err_is(c)) (r) = (call);

/* x f y of doubles, the result in a new array or `spare` written over, x or y, which only the caller holds,
 * or NULL; x or y is NULL, and the number stands for it (run/primitive.c) */
#define FAST_SCALAR(way)                                                                 \
  arr *way(prim_env *e, prim f, arr *x, arr *y, double number, arr *spare);
/* f\y of a vector (fold_direct.c, ir/build.c), and of a short one (oper/scan.c) */
#define FAST_SCAN(way) arr *way(prim_env *e, prim f, const arr *y);
#define FAST_SHORT_SCAN(way) arr *way(prim_env *e, prim f, const arr *y);
/* ⍋y or ⍒y (`down`), and y in that order, of a vector that is not empty (grade.c, sort_keys.c) */
#define FAST_GRADE(way) arr *way(prim_env *e, const arr *y, bool down);
#define FAST_SORT(way) arr *way(ctx *c, const arr *y, bool down);
/* of[k], k < n, grows by how often lo + k is in y (buffers.c) */
#define FAST_COUNTS(way)                                                                 \
  bool way(ctx *c, const arr *y, int64_t lo, int64_t n, int64_t *of);
/* the elements of the vector y, of which number i belongs to group of[i], from 0 to n - 1, by groups one
 * behind the other (oper/groups.c) */
#define FAST_GROUPS(way) arr *way(ctx *c, const arr *of, int64_t n, const arr *y);
/* how often each element of x is in the vector y, both whole numbers or both characters, x not empty
 * (build_count.c, oper/groups.c) */
#define FAST_COUNT_EQUAL(way) arr *way(prim_env *e, const arr *x, const arr *y);
/* (,x)[at] f v in x or in a vector, of one v or as many as places, each joined with what those before it
 * made of its place (run/assign.c) */
#define FAST_JOIN(way) arr *way(prim_env *e, prim f, arr *x, const arr *at, const arr *v);
/* x⍳y; x∊y, or its negation if not `in`; ≠y of what has an axis (sets.c) */
#define FAST_INDEX_OF(way) arr *way(prim_env *e, arr *x, arr *y);
#define FAST_LOOKUP(way) bool way(struct cells *s); /* lookup.c */
#define FAST_MEMBER(way) arr *way(prim_env *e, arr *x, arr *y, bool in);
#define FAST_UNIQUE(way) arr *way(prim_env *e, arr *y);
/* f¨ y, x f¨ y (x may be NULL). Both are on the host at every depth and not empty; the result has the
 * shape of `like`, one of them (oper/each.c) */
#define FAST_EACH(way)                                                                   \
  arr *way(prim_env *e, prim f, arr *x, const arr *y, const arr *like);
/* the element of the array that the name b stands for which the numbers of ix name (run/eval.c); it becomes y, or what it
 * is f y, where nothing else holds the array, which can hold that number; and a number by the name b becomes what it is f
 * y (run/assign.c). False: nothing has happened */
#define FAST_ELEMENT(way)                                                                \
  bool way(vm *v, struct env *e, const struct bnode *b, const struct indices *ix,        \
           struct value *r);
#define FAST_ELEMENT_PUT(way)                                                            \
  bool way(vm *v, struct env *e, const struct bnode *b, const struct indices *ix,        \
           const fn *f, const struct value *y);
#define FAST_NUMBER_PUT(way)                                                             \
  bool way(vm *v, struct env *e, const struct bnode *b, const fn *f,                     \
           const struct value *y);
/* f/y and f\y of the vector of matrices y (oper/reduce.c, oper/scan.c) */
#define FAST_MATRICES(way) arr *way(vm *v, const fn *f, arr *y, bool scan, bool forward);
/* x f¨ y, x f⍤k y, x ∘.f y, by the operator's code; k and x may be NULL (oper/each.c, oper/rank.c, oper/product.c) */
#define FAST_DERIVED(way) arr *way(vm *v, uint32_t code, fn *f, arr *k, arr *x, arr *y);
/* x f y of the cells of y, which are behind its first `frame` axes, and of x's (oper/stencil.c) */
#define FAST_WINDOWS(way) arr *way(vm *v, fn *f, arr *x, arr *y, int frame);
/* x f⌸ y: g's groups of y's elements, one for each cell (oper/key.c) */
#define FAST_GROUPED(way) arr *way(vm *v, fn *f, struct groups *g, arr *y);
/* f¨y, of stretches of a vector that are never made arrays, or of many items (oper/each.c) */
#define FAST_SEGMENTS(way) arr *way(vm *v, fn *f, arr *y);
/* of functions of scalars told from their definition (oper/scalar_fn.c): x f⍣k y; x f y of a dfn that calls itself; step
 * *i of a traditional function and those that belong to it */
#define FAST_POWER(way)                                                                  \
  int way(struct walk *w, const struct part_derived *f, int x, int y);
#define FAST_RECURSION(way) int way(struct walk *w, fn *f, int x, int y);
#define FAST_CONTROL(way)                                                                \
  bool way(struct walk *w, struct walk_frame *at, uint32_t *i, uint32_t end);
/* is f, on y's items, associative, of floats but for rounding (oper/scan.c) */
#define FAST_ASSOCIATIVE(way) bool way(const fn *f, const arr *y);
/* which class of functions a fold's is; why it is none (classify.c) */
#define FAST_CLASS(way) bool way(ctx *c, const kclass_ask *ask, kclass *r);
#define FAST_NO_CLASS(way) const char *way(ctx *c, const kclass_ask *ask, kclass *r);
/* of a new graph, from which length on which way is taken on the host (vm.c): read, or measured, when long arrays are
 * first computed with; and measured anew, for ]device measure (command.c) */
#define FAST_USE_COSTS(way) void way(ir *g);
#define FAST_MEASURE(way) bool way(ir *g);
/* x○y (build.c) */
#define FAST_CIRCLE(way) arr *way(const ir_call *call, arr *x, arr *y);
/* +/[axis] of a matrix that nobody has computed (build.c) */
#define FAST_REDUCE(way) arr *way(const ir_call *call, const arr *y, int axis);
/* the view v of an order, not yet made (build_order.c) */
#define FAST_ORDER_PART(way)                                                             \
  arr *way(const ir_call *call, const ir_node *v, int rank, const int64_t *shape);
/* f/ along y's last axis, whose lines are windows (ir_windows). Within an attempt alone: where an element is
 * at fault need not be what is said (oper/lift_prim.c) */
#define FAST_LINES(way) arr *way(const ir_call *call, prim f, arr *y);
/* f/ of the windows of so many elements along an axis, by as many steps whatever their length, where no
 * bracketing shows (oper/n_wise.c) */
#define FAST_SLIDING(way)                                                                \
  arr *way(const ir_call *call, prim f, arr *y, int axis, int64_t size);
/* adds other pending reductions to what the plan computes; its edges are not pending (fuse.c) */
#define FAST_REDUCTIONS(way) void way(struct plan *p);
/* runs a reduction by several folds; false when memory is out (host/run.c) */
#define FAST_SEVERAL(way) bool way(ctx *c, blk_pool *pool, blk_job *j);
/* a map on a device: does a kernel of a special shape compute it (fuse.c); has it room (plan.h) */
#define FAST_MAP(way) bool way(struct plan *p);
#define FAST_FITS(way) bool way(const struct plan *p);
/* of such a map: a shifted array's element (node_move.c), an array's own (fuse.c), and what is done when all
 * has been emitted */
#define FAST_SHIFTED(way) bool way(struct plan *p, ir_node *n, kv *v);
#define FAST_ITSELF(way) bool way(struct plan *p, arr *a, kv *v);
#define FAST_EMITTED(way) void way(struct plan *p);
/* does a fold's pass on a device read whole words of bits; this thread's part of its tile (reduce_tile.c) */
#define FAST_WORDS(way) bool way(const struct kir *k, const struct cg_opts *o);
#define FAST_WORDS_FOLD(way) struct cg_acc way(struct cg *g, const struct cg_place *w);
#include "fast.def"
#endif
