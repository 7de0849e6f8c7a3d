/* SPDX-License-Identifier: MIT */
/* plan.h - from nodes to one kernel: infer.c gives nodes their types, fuse.c makes the
 * plan, which is the kernel with what it reads and writes. How the device runs it, in
 * which passes, is its schedule (schedule.h). */
#ifndef VAPL_IR_PLAN_H
#define VAPL_IR_PLAN_H
#include "../kir/lower.h"
#include "../kir/range.h"
#include "graph.h"

/* From an element of the kernel's domain to one of an array's ravel: element i is number
 * off + step×i, or off + step×W(i) behind a view that is strided; or any other, that the kernel
 * computes. `all`: these are all elements of the array; `random`: they come in no order;
 * `quads`: an aligned group of four stays one (kir.h). */
typedef struct index_map {
  const ir_node *strided;
  int64_t off, step;
  bool computed, all, random, quads;
  bool im;  /* of complex numbers the imaginary part */
  kv place; /* that number, once the kernel has it */
} index_map;

typedef struct plan_memo { /* a's element where the index map leads is the value v */
  const arr *a;            /* NULL: v is the parameter number at.off, a ⎕CT */
  index_map at;
  int phase;
  kv v;
} plan_memo;

enum { PLAN_ROW_NODES = 12 };

/* One kernel to be: what it computes, what it reads, which nodes its flags belong to. */
typedef struct plan {
  ir *g;
  ctx *c;
  arr *root;
  /* What it computes: the root, and other reductions (multi_reduce.c). */
  arr *out[KIR_MAX_ACC];
  uint32_t n_out;
  uint8_t
      first[KIR_MAX_ACC]; /* the number of its output, or of its PAIR_RE, in the kernel */
  kir k;
  int64_t rows, len, inner; /* as in kir_bind */
  arr *in[KIR_MAX_IN];
  arr *table; /* one of `in`, owned: of segments' strips; or NULL */
  index_map at[KIR_MAX_IN];
  const ir_node *strided[KIR_MAX_STRIDED];
  kimm param[KIR_MAX_PARAM];
  ir_node *fault[KIR_MAX_FAULT];
  ir_node *fold;
  /* In a map of rows the kernel computes their reductions, too, and functions of what these give;
   * and a view repeats them (row_fusion.c). */
  ir_node *row_node[PLAN_ROW_NODES];
  uint32_t n_row_nodes;
  const ir_node *row_view;
  bool relaxed; /* the kernel's errors say only that it has some (relax.c) */
  int64_t near; /* of a map with NEARs: the columns of what they read; else 0 */
  uint32_t flags_at, slots_at; /* its flags and single results in ir.results */
  kout put;                    /* where the root's elements go, of a selection or a put */
  int phase;                   /* 0 before the FOLD, 1 behind it */
  bool full;                   /* it did not fit one kernel: a part must be made first */
  ir_node *unsupported; /* no kernel computes this one: the reference path does, first */
  VEC(plan_memo) memo;
  VEC(ir_node *) whole; /* nodes all of whose elements this kernel computes */
} plan;

/* ── infer.c ── */
/* a and what is pending below it: types and ranges up to date. */
void infer(ir *g, arr *a);
range range_of(const arr *a); /* that its integers are known to have */
void infer_node(ir_node *n);  /* this node, its arguments being up to date */
/* The class that holds the elements of both; x may be NULL. */
cls arguments_class(const arr *x, const arr *y);
/* May an argument become complex? */
bool may_read_complex(const ir_node *n);
/* May it fault where an argument becomes what its type does not say? < of complex numbers
 * fails, of real ones never; 2×⌈/b/v fails where the integers b/v are none. */
bool may_fault_later(const ir_node *n);
/* For the rows of kinds (kind.h): sets the type and the range of a, of numbers of that class; its range
 * alone; a's type and range for n, without faults, and y's; nothing, for no kernel computes n. */
void set_result(arr *a, cls result, elt float_type, range r);
void set_range(arr *a, range r);
void infer_same(ir_node *n, const arr *a);
void infer_as_y(ir_node *n);
void infer_unsupported(ir_node *n);
kty class_type(cls row, elt float_type,
               bool narrow);           /* in which such numbers are computed */
range range_with_fill(elt t, range r); /* r, and the fill element of type t */
/* 2 or 0.5 where p is * and y that scalar; else 0. */
double short_exponent(prim p, const arr *y);
/* One f64 that f32 cannot hold: the direct path says what is wrong. */
bool beyond_f32(const arr *a);

/* ── edge.c ── */
extern const index_map identity_map; /* element i of the domain is element i */
bool plan_same_map(index_map a, index_map b);
bool plan_same_strides(const ir_node *a, const ir_node *b);
bool plan_is_direct(index_map at); /* the identity, or its imaginary part */
/* Must a be in memory before a kernel reads it so? */
bool plan_is_edge(const plan *p, const arr *a, index_map at);
/* Where the map leads in n's argument x, or y, but for the place if that is computed. */
index_map plan_below(const plan *p, const ir_node *n, bool of_x, index_map at);
/* Does the map lead to every element of n, of a kernel that has `domain` elements? */
bool plan_reaches_all(index_map at, const ir_node *n, int64_t domain);
int64_t plan_domain(const plan *p); /* elements that the body is computed for */
bool plan_is_line(const plan *p);   /* a single row: positions are numbers */
bool plan_has_segments(const plan *p);
uint64_t plan_bytes_read(const plan *p);
uint64_t plan_bytes_written(const plan *p);
/* Is a held by something besides the region that is being planned, and asked for again? */
bool plan_asked_again(const arr *a);
/* Does n have element r of its argument for each element (r, i)? */
bool plan_repeats_rows(const ir_node *n);
/* Is n one of the plan's row_node, and does the map lead from an element to its row? */
bool plan_of_row(const plan *p, const ir_node *n, index_map at);
index_map plan_row_map(const plan *p, index_map at); /* one map for all such */

/* Has a kernel of a special shape room for what it computes? */
bool plan_fits(const plan *p);

/* ── pieces of a kernel (fuse.c), for join_emit.c and the files of kinds ── */
static inline kv plan_op(plan *p, kop op, kty ty, kv a, kv b, int64_t imm) {
  kins in = {.op = (uint8_t)op, .ty = (uint8_t)ty, .a = a, .b = b, .imm.i = imm};
  return kir_add(p->c, &p->k, in);
}
static inline kv plan_constant(plan *p, kty ty, kimm value) {
  return kir_add(p->c, &p->k, (kins){.op = KOP_CONST, .ty = (uint8_t)ty, .imm = value});
}
static inline kv plan_integer(plan *p, kty ty, int64_t value) {
  return plan_constant(p, ty, (kimm){.i = value});
}
/* `is` ? a : b, both of type ty. */
static inline kv plan_select(plan *p, kty ty, kv is, kv a, kv b) {
  kins sel = {.op = KOP_SEL, .ty = (uint8_t)ty, .a = is, .b = a, .c = b};
  return kir_add(p->c, &p->k, sel);
}
static inline kty plan_type(const plan *p, kv v) {
  return v < p->k.n_ins ? (kty)p->k.ins[v].ty : KB;
}
kv plan_param(plan *p, kty ty, kimm value); /* a new parameter */
int plan_fault(plan *p, ir_node *n);        /* n's fault id */
/* The fault id of a node whose body can fault; 0, which nobody uses, where it cannot. */
int plan_fault_if_any(plan *p, ir_node *n);
kv plan_convert(plan *p, kv v, kty to);
kv plan_element(plan *p, arr *a, index_map at, kty ty);        /* a's element as a ty */
void plan_remember(plan *p, const arr *a, index_map at, kv v); /* that is its value */
kv plan_value(plan *p, arr *a, index_map at);                /* in the type that it has */
kv plan_scalar(plan *p, arr *a, kty ty, bool im);            /* the only element of a */
void plan_input(plan *p, arr *a, index_map at, uint8_t how); /* another input */
/* Gives up: one kernel cannot hold the region, or none computes n; 0. */
int plan_full(plan *p);
kv plan_unsupported(plan *p, ir_node *n);

/* ── places.c ── */
kv plan_place(plan *p, index_map at, kty ty); /* the number that the map gives */
kv plan_get(plan *p, arr *a, index_map at);   /* the element of a there, by GET */
int64_t plan_fetched(plan *p, arr *a);        /* the number of an input that is for GET */
kv plan_fill_element(plan *p, const arr *a);
/* The type of places in arrays of x and y elements; a number of that type; v times or plus one. */
kty plan_place_type(const plan *p, int64_t x, int64_t y);
kv plan_number(plan *p, kty ty, int64_t v);
kv plan_times(plan *p, kty ty, kv v, int64_t by);
kv plan_plus(plan *p, kty ty, kv v, int64_t by);
/* The positions c of element i along axes of lengths n, but for the first, which is not reduced; Σ c ×
 * stride; both, by n's strides. */
void plan_positions(plan *p, kty ty, kv i, int rank, const int64_t *n, kv *c);
kv plan_sum(plan *p, kty ty, int rank, const kv *c, const int64_t *stride);
kv plan_strided_place(plan *p, kty ty, kv i, const ir_node *n);
/* a ∧ b; a where `is`, else b. a and `is` may be 0: they always are. */
static inline kv plan_and(plan *p, kv a, kv b) {
  return a ? plan_op(p, KOP_AND, KB, a, b, 0) : b;
}
static inline kv plan_where(plan *p, kty ty, kv is, kv a, kv b) {
  return is ? plan_select(p, ty, is, a, b) : a;
}

/* ── node_lookup.c, node_order.c ── */
void plan_seat(plan *p, ir_node *n); /* where a put of seats puts */
/* In which type the elements of two arrays are compared, real numbers or characters. */
kty plan_compared(const arr *x, const arr *y);
/* Of REDUCEs that seek (node_order.c): types, what is folded, what is made of that. */
void infer_seek(ir_node *n);
kacc seek_operand(plan *p, ir_node *n);
kv seek_value(plan *p, ir_node *n, kv v);
/* Of folds by functions that are no primitives: the error that sends them to the evaluator, who knows how to
 * call those (node_fold.c). */
arr *folded_by_calls(prim_env *e, ir_node *n);
int64_t order_key_bytes(const arr *y); /* of the keys of ⍋y: a pass each */

/* ── build_select.c ── */
/* The table of pairs' strips (kir.h) of so many elements; how many of these there are. */
arr *strips_of_segments(ctx *c, const arr *pairs, int64_t strip, int64_t *strips);

/* ── fuse.c ── */
void plan_begin(plan *p, ir *g, arr *root);
void plan_free(plan *p);
/* OWNED_PLAN plan p; plan_begin(&p, …); frees p where its block ends. */
#define OWNED_PLAN __attribute__((cleanup(plan_free)))
/* The k-th pending array that must be in memory before the kernel runs; NULL: fewer. */
arr *plan_edge(plan *p, int k);
/* The kernel, when no edge is pending. False: an error is recorded, and `full` or
 * `unsupported` says what has to be made first, if that helps. */
bool plan_emit(plan *p);
bool plan_emit_alone(plan *p); /* anew, the root and no other reductions */
/* About half of what pending `a` has to compute, by weight; `a` itself if nothing is
 * below it. */
arr *heavy_part(arr *a);
/* The array whose memory the root's elements are put into; NULL: memory of their own. */
static inline arr *plan_into(const plan *p) {
  return p->root->node ? p->root->node->into : NULL;
}
#endif
