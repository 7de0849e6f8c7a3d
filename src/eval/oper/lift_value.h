/* SPDX-License-Identifier: MIT */
/* lift_value.h - what a lifted function computes with: arrays that have a value for every
 * cell.
 *
 *     frame ┌ 4 3 ┐ cell         {(+/⍵)÷≢⍵}⍤1⊢m      m is 4 3⍴…, the frame 4
 *     ⍵     = m     frame 1
 *     +/⍵   4       frame 1, cells are scalars
 *     ≢⍵    3       frame 0: the same for all cells
 *
 * The leading axes of a value, `frame` many, are the first of the frame's: what differs
 * between fewer axes is not repeated along the others. A value of frame 0 is any array. Within
 * ¨ and ⍤ the frame is longer by the axes that these go along.
 *
 * lift.c has names, operators that call their operands for cells, guards; lift_prim.c has the
 * primitives, of which lift_move.c moves and selects, lift_fold.c folds; lift_loop.c has what
 * goes cell by cell. */
#ifndef VAPL_EVAL_LIFT_VALUE_H
#define VAPL_EVAL_LIFT_VALUE_H
#include "../value/items.h"
#include "fn_walk.h"
#include "groups.h"

enum { LIFT_VALUES = 192, LIFT_RAGGED = 96 };

typedef enum lift_kind {
  LIFT_ARRAY,
  LIFT_WHERE, /* ⍸a of truth values: ≢ asks these, others the numbers, which are LIFT_GROUPS */
  LIFT_GROUPS, /* elements of groups, or of cells of other lengths: lift_groups.c may ask */
  LIFT_SOME, /* ⍸a of groups, likewise; or ∪y of groups out of order: only ≢ may ask */
  LIFT_PARTS, /* parts of each cell: lift_select.c may ask */
  LIFT_MIXED, /* numbers, in some cells floats and in others integers: lift_select.c may ask */
  LIFT_CELLS, /* an array for each cell: the items of `a`; lift_loop.c may ask */
  LIFT_LAST   /* items, of which nothing is made but the result */
} lift_kind;

/* Other cells than the frame's: a side of a guard (lift_select.c), or what inner cells there are. */
typedef struct lift_scope {
  const struct lift_scope *outer;
  arr *at; /* for each the outer one's cell that it is in, from 0; borrowed */
} lift_scope;

typedef struct lifted {
  arr *a; /* owned; simple, and not empty, if it has a frame */
  int frame;
  uint8_t kind;
  uint8_t cls; /* of the elements when it was made, before they were computed */
  bool inside; /* LIFT_GROUPS: numbers of elements of the own group */
  groups *of;  /* LIFT_GROUPS: these; borrowed */
  groups *in;  /* LIFT_PARTS: of the parts, which are groups of elements; borrowed */
  const lift_scope *scope; /* whose cells it has, if it has a frame */
  int real; /* LIFT_MIXED: the value that tells of each cell whether it has floats; `a` has floats for all */
  uint32_t refs;
} lifted;

typedef struct lift {
  walk w;   /* first: the rules are given it */
  int rank; /* of the frame */
  int64_t shape[ARR_MAX_RANK];
  lifted at[LIFT_VALUES];
  groups *groups;          /* of the LIFT_GROUPS that is asked, or of all; borrowed */
  groups own[LIFT_RAGGED]; /* of cells of other lengths */
  int owned;
  bool alike, differ; /* guards that differ between cells end the walk; one did */
  bool split;         /* such guards divide the cells, whatever the sides cost */
  int splits;         /* so many may */
  const lift_scope *scope;
  int choosing; /* guards whose sides are both computed for all cells */
  int rolls; /* ? that there were; of all that a cell has drawn_each numbers, of `draws` that it will have */
  int64_t draws, drawn_each;
  uint64_t drawn; /* numbers that had been drawn before */
  bool
      left; /* elements of some cells have left the class that those of others may keep */
  bool loops, missed; /* what has no rule is looped over; that would have helped */
  const char *met;    /* what has no rule for its arguments: the innermost, first one */
} lift;

static inline bool is_of_groups(const lifted *x) {
  return x->kind == LIFT_GROUPS || x->kind == LIFT_SOME;
}
static inline lift *lift_of(walk *w) { return (lift *)w; }
static inline int cell_rank(const lifted *x) { return x->a->rank - x->frame; }
static inline const int64_t *cell_shape(const lifted *x) {
  return x->a->shape + x->frame;
}
/* The length of a cell along its first axis. */
static inline int64_t cell_tally(const lifted *y) {
  return cell_rank(y) ? cell_shape(y)[0] : 1;
}
static inline int longer_frame(const lifted *x, const lifted *y) {
  return x->frame > y->frame ? x->frame : y->frame;
}
static inline lifted *value_at(lift *l, int i) { return &l->at[i]; }
static inline cls class_of(const lifted *x) { return cls_of((elt)x->a->type); }
static inline bool is_char(const lifted *x) { return elt_is_char((elt)x->a->type); }
static inline bool is_f32(const lifted *x) { return x->a->type == ET_F32; }
/* Numbers or characters, as the other one. */
static inline bool alike(const lifted *x, const lifted *y) {
  return is_char(x) == is_char(y);
}
/* Do the elements of x and y make a simple array? */
static inline bool go_side_by_side(const lifted *x, const lifted *y) {
  return !is_nested(x->a) && !is_nested(y->a) && alike(x, y);
}
bool same_cells(const lifted *x, const lifted *y); /* have their cells one shape? */

/* A new value, which takes a over; NONE if a is NULL or cannot have that frame. */
int lift_add(lift *l, arr *a, int frame);
/* The same; none where elements have left the class that they have in a cell. */
int lift_add_class(lift *l, arr *a, int frame, cls most);
int lift_last(lift *l, arr *a);      /* of frame 1 */
int lift_add_cells(lift *l, arr *a); /* LIFT_CELLS, the frame being a's axes */
/* x with all of the first `frame` axes, and cells of that shape. x's are scalars, repeated
 * then, or have as many axes, or fewer: its are the last then. NULL: not to be had. */
arr *lift_align(lift *l, const lifted *x, int frame, int rank, const int64_t *cell);
/* a, whose first `frame` axes stay, with its other elements as cells of that shape. */
arr *lift_reshape(lift *l, arr *a, int frame, int rank, const int64_t *cell);

/* lift_prim.c */
int lift_primitive(walk *w, prim p, int x, int y);
int lift_roll(lift *l, int y);                /* ?y */
int lift_both(lift *l, prim p, int x, int y); /* x p y, which both are given up */
int lift_scalar(lift *l, prim p, const lifted *x, const lifted *y); /* x NULL: f y */
/* The numbers of a value that all cells share; -1: it has none, or more than a shape has. */
int lift_numbers(lift *l, const lifted *x, int64_t *to);
/* f32 with one number is f32, with an array of f64 is f64: a number for each cell is an array
 * here. */
bool lift_widths_agree(const lifted *x, const lifted *y);
/* The class of f y, x f y for such arguments; CLS_NONE: not known. x may be NULL. */
cls lift_result_class(prim p, const lifted *x, const lifted *y);
/* p/ of y along its last axis, which the cells have. */
arr *lift_reduce_last(lift *l, prim p, arr *y);

/* lift_move.c */
int lift_ravel(lift *l, const lifted *y, bool table); /* ,y or ⍪y */
int lift_first(lift *l, const lifted *y);
int lift_reshape_by(lift *l, const lifted *x, const lifted *y);
/* p along the first axis of the cells, or the last one. x may be NULL. */
int lift_along(lift *l, prim p, const lifted *x, const lifted *y);
int lift_take_or_drop(lift *l, prim p, const lifted *x, const lifted *y);
int lift_transpose(lift *l, const lifted *x, const lifted *y); /* x NULL: ⍉y */
int lift_catenate(lift *l, prim p, const lifted *x, const lifted *y);
int lift_strand(walk *w, int n, const int *item);
/* x⌷y, and x⊃y of vectors, for numbers that all cells share. */
int lift_pick(lift *l, const lifted *x, const lifted *y);
int lift_pick_own(lift *l, const lifted *x,
                  const lifted *y);                   /* or for one of each cell */
int lift_item(lift *l, const lifted *y, int64_t i);   /* item i, from 0, of vectors */
int lift_index(walk *w, int y, int n, const int *at); /* at[k] NONE: elided */
/* For each cell of the frame's first axes the place of its first element among those of cells of n
 * elements, from 0, along all of `places`. */
arr *lift_first_places(lift *l, int frame, int64_t n, const arr *places);
/* May their cells, which have one shape, be those of one array? */
bool lift_go_together(const lifted *x, const lifted *y);
/* yes where c is 1, no where it is 0: c has a truth value for each cell. */
int lift_select(walk *w, int c, int yes, int no);

/* lift_select.c: cells of other lengths, one behind the other (LIFT_GROUPS). */
int lift_compress(lift *l, const lifted *x, const lifted *y); /* x/y of truth values */
int lift_unfold(lift *l,
                int x); /* x itself, or the numbers of LIFT_WHERE and LIFT_SOME */
/* The elements of `line` where `truths` has 1, `sizes` of them for each of so many cells. */
int lift_ragged(lift *l, int64_t count, arr *sizes, arr *truths, arr *line);
int lift_unique(lift *l, const lifted *y, bool mask); /* ∪y of vectors, or ≠y */
int lift_parts(lift *l, prim p, int x, int y);        /* x⊂y, x⊆y of truth values */
int lift_of_cells_parts(lift *l, prim p, int y);      /* p of parts, or f¨ */
/* lift_select of floats and integers; what functions and folds make of them; for cells of fewer axes, or none. */
int lift_select_mixed(walk *w, int c, int yes, int no);
int lift_mixed_scalar(lift *l, prim p, int x, int y);
int lift_mixed_fold(walk *w, const part_derived *f, int y);
int lift_leave_mixed(lift *l, int x, int rank);
static inline bool is_mixed(lift *l, int x) {
  return x != NONE && l->at[x].kind == LIFT_MIXED;
}
int lift_each_part(walk *w, const part_derived *f, int y);

/* lift_put.c: y with v at y[at]; f@g y. */
int lift_put(walk *w, int y, int n, const int *at, int v);
int lift_at(walk *w, const part_derived *f, int x, int y);

/* lift_ragged.c: where some vectors have other lengths than others, or come to have. */
bool lift_is_far(const lift *l, const lifted *x); /* are kernels better than calls? */
groups *lift_groups_add(lift *l, arr *sizes);     /* NULL: none, or too many elements */
int lift_as_groups(lift *l, int x); /* vectors of one length, or scalars, too */
/* Groups, given up, that have as many elements each as such a cell: as cells. */
int lift_regular(lift *l, int x, int rank, const int64_t *cell);
/* The number of each element within its group, of those asked. */
int lift_own_numbers(lift *l, int64_t first);
int lift_iota(lift *l, int n);
int lift_repeat(lift *l, int n, int y); /* n⍴y, where n differs between cells */
int lift_first_or_fill(lift *l, int y); /* ⊃y of groups, some of which are empty */
int lift_ragged_move(walk *w, prim p, int x, int y); /* ↑ ↓ ⌽ , ⍴, and ⍳n */
/* x,y of vectors; or, c not NONE, each x where c is 1, y where it is 0. */
int lift_join(lift *l, int x, int y, int c);
int lift_group_windows(walk *w, const part_derived *f, int x, int y);
/* The groups that `at` numbers, from 0; those of x and then y, or cells, of which the result has number `at`. */
int lift_groups_at(lift *l, int x, arr *at);
int lift_groups_beside(lift *l, int x, int y, arr *at);

/* lift_select.c: statement i is a guard c that differs between cells, which go through its sides apart. */
int lift_split(walk *w, walk_frame *at, uint32_t i, int c);
int lift_in_scope(lift *l,
                  int x); /* x's own, or a new value: x of the cells that there are now */

/* lift_fold.c */
int lift_radix(lift *l, prim p, const lifted *x, const lifted *y); /* ⊥ ⊤ */
int lift_format(lift *l, int y);                                   /* ⍕ of integers */
int lift_execute(lift *l, int y);                                  /* ⍎ of digits */
int lift_inverse(walk *w, const part_derived *f, int x, int y);    /* x⊥⍣¯1 y */
int lift_fold(walk *w, const part_derived *f, int y);              /* f/ f⌿ f\ f⍀ */
int lift_windows(walk *w, const part_derived *f, int x, int y);    /* n f/ y */
int lift_replicate(walk *w, uint32_t code, int x, int y);
int lift_inner(walk *w, prim f, prim g, int x, int y);

/* lift_search.c: x⍳y, x∊y, x⍸y; whether elements are the same (a NaN is itself), or `not`. */
int lift_equals(lift *l, const lifted *x, const lifted *y, bool not );
int lift_search(lift *l, prim p, const lifted *x, const lifted *y);
int lift_group_search(walk *w, prim p, int x, int y); /* of groups, or of long tables */
int lift_sets(walk *w, prim p, int x, int y);         /* x~y x∩y x∪y */
int lift_find(walk *w, int x, int y);                 /* x⍷y */

/* lift_loop.c: cell by cell what has no rule, if the walk may; else NONE. */
int lift_loop_primitive(walk *w, prim p, int x, int y);
int lift_loop_index(walk *w, int y, int n, const int *at);
int lift_loop_put(walk *w, int y, int n, const int *at, int v);
int lift_loop_strand(walk *w, int n, const int *item);
int lift_loop_share(walk *w, int x, uint32_t i, uint32_t n); /* item i of n */
int lift_loop_select(walk *w, int c, int yes, int no);
int lift_loop_replicate(walk *w, uint32_t code, int x, int y);
int lift_loop_derived(walk *w, const part_derived *f, int x, int y);
bool lift_is_of_primitives(const value *f);
int lift_system(walk *w, fn *f, int x, int y); /* a ⎕-function of each element alone */

/* lift_groups.c: where x, if it is not NONE, or y is LIFT_GROUPS; f/ of such; x,y beside each
 * other whose elements are not alike. */
int lift_grouped(walk *w, prim p, int x, int y);
int lift_group_fold(walk *w, const part_derived *f, int y);
/* f¨, or x∘.f y of groups x, by `outer`. */
typedef int lift_rule(walk *w, const part_derived *f, int x, int y);
int lift_group_each(walk *w, const part_derived *f, int x, int y, lift_rule *outer);
/* p/ and p\ of a vector of the groups asked. */
arr *lift_group_total(lift *l, prim p, arr *y);
arr *lift_group_scan(lift *l, prim p, arr *y);
int lift_mixed(walk *w, int x, int y);
int lift_number(lift *l, int64_t n);
bool lift_same_sizes(lift *l, const groups *x, const groups *y); /* which lie in order */
/* Of the groups asked: a number for each, plus n; the numbers of all elements, from 0; those elements. */
int lift_of_parts(lift *l, part_number what, int64_t n);
int lift_group_numbers(lift *l);
int lift_grouped_line(lift *l, arr *a);
/* Items of a strand, of which one is LIFT_GROUPS. */
int lift_group_strand(walk *w, int n, const int *item);
int lift_group_inner(walk *w, const part_derived *f, int x, int y);
/* y[at], of which y or one of at is LIFT_GROUPS. */
int lift_group_index(walk *w, int y, int n, const int *at);
int lift_group_put(lift *l, int y, int at, int v); /* y with v at LIFT_GROUPS */
int lift_group_rows(lift *l, int y);               /* LIFT_GROUPS as a matrix */
int lift_group_items(lift *l, int y);              /* and as items */
/* x/y of both LIFT_GROUPS; and the numbers of LIFT_SOME's ones, as LIFT_GROUPS. */
int lift_group_select(lift *l, int x, int y);
int lift_group_where(lift *l, int x);
#endif
