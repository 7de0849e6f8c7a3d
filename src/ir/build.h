/* SPDX-License-Identifier: MIT */
/* build.h - what the files that build nodes share. */
#ifndef VAPL_IR_BUILD_H
#define VAPL_IR_BUILD_H
#include "join.h"

/* What build.c gives to the graph that it makes: ir_monadic, ir_dyadic, and ir_reduce or ir_scan, of what is not cut
 * (build_node.c). */
typedef struct ir_primitives {
  arr *(*monadic)(const ir_call *call, prim f, arr *y);
  arr *(*dyadic)(const ir_call *call, prim f, arr *x, arr *y);
  arr *(*fold)(const ir_call *call, bool scan, prim f, arr *y, int axis);
} ir_primitives;
ir *graph_new(const ir_config *cfg); /* without them (ir.c) */

/* Do the types of x and y join as their storage types do? The width of an integer, which f32
 * would see, may change while it is pending. (build_move.c) */
bool types_join(const arr *x, const arr *y);
/* A simple array of real numbers, or of characters if `chars`, that a kernel can read. */
bool is_readable(const arr *a, bool chars);
/* Complex ones too. */
bool is_movable(const arr *a);
/* Is this many elements enough for a node? */
bool is_long(const ir_call *call, int64_t n);
/* And that many of y, where one loop at once is done before a kernel has begun? */
bool is_worth_a_node(const ir_call *call, int64_t n, const arr *y);
/* Are n elements of a better read by a kernel than moved by the host, whose own loops are
 * faster than its kernels are? */
bool is_for_kernels(const ir_call *call, const arr *a, int64_t n);
/* *a, computed, as the caller's; NULL after an error, or where there is none. What makes nodes of
 * arrays gives NULL where an argument is missing, too: an error is asked for once, at the end. */
arr *settled(const ir_call *call, arr **a);
/* *a, which may be under way still, likewise. */
arr *begun(const ir_call *call, arr **a);
/* ── build_put.c ── */
/* y's elements as those of type t; 0 to n-1. */
arr *node_convert(const ir_call *call, arr *y, elt t);
/* The same of an array that is not cut, whose first element is number `first` for an error. */
arr *node_convert_from(const ir_call *call, arr *y, elt t, int64_t first);
arr *node_numbers(const ir_call *call, int64_t n);
/* n elements v of type t, in memory. */
arr *stored_fill(const ir_call *call, int64_t n, int64_t v, elt t);
/* *to, which nobody else holds, with what a put puts into it, computed at once. */
bool put_at_once(const ir_call *call, ir_node put, arr **to);
/* How many of the numbers in `at`, none of them below `first` or beyond the table, are first, first
 * + 1, … is added to *table's elements, which are zeros and nobody else's. */
bool put_counts(const ir_call *call, arr **table, arr *at, int64_t first);
/* The range of a's integers, of which there are `from` or more, is found where it may be much less than their type's.
 * False after an error. (build_put.c) */
bool find_range(const ir_call *call, arr *a, int64_t from);
/* As ir_bounds, computed anew: what is known may be more than the truth. */
bool ir_measure(const ir_call *call, arr *a, int64_t *lo, int64_t *hi);
/* Are all of them from `from` on, and less than from + n? */
bool ir_within(const ir_call *call, arr *a, int64_t from, int64_t n);
/* Is it pending, or on the device only? */
bool not_on_host(const arr *a);
/* Does it come of what is, or will be, on a device alone, near enough to see it? */
bool is_away(const ir_call *call, const arr *a);
/* Does the scalar a come of reductions of long arrays that are pending still? What is made of it waits, too: others
 * that read the same arrays may come, and one kernel does them all (multi_reduce.c). Or a short list's elements? */
bool scalar_waits(const ir_call *call, const arr *a);
bool list_waits(const ir_call *call, const arr *a);
/* f y and x f y at once, on the host. */
arr *direct1(const ir_call *call, prim f, arr *y);
arr *direct2(const ir_call *call, prim f, arr *x, arr *y);
/* v of y, which p names; f y for , ⍪ ⌽ ⊖ ⍉; x f y for ⍴ ↑ ↓ ⍉; ⌽ ⊖; , ⍪. (build_move.c) */
arr *viewed(const ir_call *call, prim p, const view *v, arr *y);
/* The same of x, source 0, and y, source 1. */
arr *viewed_both(const ir_call *call, prim p, const view *v, arr *x, arr *y);
arr *moved1(const ir_call *call, prim f, arr *y);
arr *moved2(const ir_call *call, prim f, arr *x, arr *y);
arr *rotated(const ir_call *call, prim f, arr *x, arr *y);
arr *catenated(const ir_call *call, prim f, arr *x, arr *y);
/* x⌽y, each line along axis k by a number of its own; x⌷y and x⌷[axis]y, axis NULL: the
 * first ones; x⊃y. NULL without an error: they are for the host. (build_select.c) */
arr *rotate_lines(const ir_call *call, arr *x, arr *y, int k);
arr *squad_along(const ir_call *call, arr *x, arr *y, arr *axis);
arr *picked(const ir_call *call, arr *x, arr *y);
/* y's elements whose numbers along axis k x has, from `first` on: x's axes take its place.
 * `fills`: numbers below that are fill elements. */
arr *index_axis(const ir_call *call, arr *y, arr *x, int k, int64_t first, bool fills);
/* x f y, of which y is given up; NULL if it is. */
arr *with_number(const ir_call *call, prim f, int64_t x, arr *y);
/* Are all of these truth values 1? False of NULL, and after an error. */
bool are_all(const ir_call *call, arr *truths);
/* `want` as a node of an array of that shape, owned. */
arr *node_new(const ir_call *call, ir_node want, int rank, const int64_t *shape);
/* f/ or f\ of a primitive that is no monoid, where it is one of a class. NULL without an
 * error: it is not. (build_fold.c) */
arr *fold_by_class(const ir_call *call, bool scan, prim f, arr *y, int axis);
/* x⊤y and x⊥y. NULL without an error: it is for the host. (build_radix.c) */
arr *ir_encode(const ir_call *call, arr *x, arr *y);
arr *ir_decode(const ir_call *call, arr *x, arr *y);
/* x⌹y, or ⌹y where x is NULL. NULL without an error: it is for the host. (build_linear.c) */
arr *ir_divide(const ir_call *call, arr *x, arr *y);
/* ?y. NULL without an error: it is for prim_roll. (node_numbers.c) */
arr *ir_roll(const ir_call *call, arr *y);
arr *ir_deal(const ir_call *call, arr *x, arr *y); /* x?y; likewise, prim_deal */
/* Are its elements 0 and 1, whatever is found out of them yet? Settled it may be integers or
 * floats otherwise: 2|x of an x that leaves the integers. */
bool is_truths(const arr *a);
/* y's elements as whole numbers that are not negative; NULL without an error: they are none. */
arr *counts_of(const ir_call *call, arr *y);
/* How many ones x has; -1 after an error. (build_select.c) */
int64_t ones_of(const ir_call *call, arr *x);
/* x⊂y or x⊆y as ir_items has them. NULL without an error: it is for the host. (build_segments.c) */
arr *partitioned(const ir_call *call, prim f, arr *x, arr *y);
/* ⍸y: the numbers of y's elements, of which its truth values select some. NULL without an
 * error: it is for prim_where. (build_select.c) */
arr *where_ones(const ir_call *call, arr *y);
/* ⍋y or ⍒y; and y[x] where x is such a grade of y. NULL without an error: it is not, or not for
 * a kernel. (build_order.c) */
arr *ir_grade(const ir_call *call, prim f, arr *y);
/* Where the first element in an order (SEEK_…) is in each of y's lines along the last axis, from `first` on: of
 * that shape. NULL without an error: one fold cannot tell. (build_fold.c) */
arr *first_in_order(const ir_call *call, seek seeks, arr *y, int64_t first, int rank,
                    const int64_t *shape);
/* The view v, not yet made, of the first elements of the lines of such a grade, by one fold: likewise. */
arr *first_of_order(const ir_call *call, const ir_node *v, int rank,
                    const int64_t *shape);
arr *ir_collate(const ir_call *call, prim f, arr *x, arr *y);
/* f y and x f y of the functions of sets: ∪ ≠, ⍳ ∊ ~ ∩ ∪. NULL without an error: they are for the
 * host. (build_sets.c) */
arr *set_monadic(const ir_call *call, prim f, arr *y);
arr *set_dyadic(const ir_call *call, prim f, arr *x, arr *y);
/* The elements as whole numbers; NULL: they are none. Is a table of the numbers lo to hi fit for n
 * elements? lo-1 to hi+1 in place of y's numbers below lo and above hi. The table's elements number
 * y - first. */
arr *whole_numbers(const ir_call *call, arr *a);
/* Columns from - n to from - 1 of the matrix y, of integers from lo on, as one number of so many bits
 * each, the first one the highest (build_order.c). */
arr *columns_as_one(const ir_call *call, arr *y, int64_t from, int64_t n, int64_t lo,
                    int bits);
/* Bits that tell integers of that range apart; 62: or more. */
int bits_between(int64_t lo, int64_t hi);
bool fits_table(int64_t lo, int64_t hi, int64_t n);
/* Are there fewer than `most` numbers between a's least and greatest? What is known of it may be more
 * than the truth, and is measured where that is much. */
bool has_small_range(const ir_call *call, arr *a, int64_t most, int64_t *lo, int64_t *hi);
arr *clamped(const ir_call *call, arr *y, int64_t lo, int64_t hi);
arr *looked_up(const ir_call *call, arr *table, int64_t first, arr *y);
/* x⍸y, x⍷y; x≡y or, f being ≢, x≢y. NULL without an error: they are for the host.
 * (build_search.c) */
arr *ir_interval(const ir_call *call, arr *x, arr *y);
arr *ir_find(const ir_call *call, arr *x, arr *y);
arr *ir_match(const ir_call *call, prim f, arr *x, arr *y);
/* ↓y of a matrix, without items, and ↑ of such rows. NULL without an error: that cannot be. */
arr *split_rows(const ir_call *call, arr *y);
arr *mixed_rows(const ir_call *call, arr *y);
/* Of build_windows.c, a leaf: how many of the view's last axes are a line, 0 if its end is not between two of them; f/ of
 * y, whose lines are windows that overlap, by few steps for each element, NULL without an error: it is not so. */
int axes_of_line(const ir_node *n, int64_t len);
arr *reduce_windows(const ir_call *call, prim f, arr *y);
/* What makes a node of f y, or of x f y, or gives NULL without an error: prim/direct.h does it. */
/* clang-format off */
#define BUILD_MONADIC(ROW) \
  ROW(P_WHERE, where_ones(call, y))           ROW(P_ROLL, ir_roll(call, y)) \
  ROW(P_UP, ir_grade(call, f, y))             ROW(P_DOWN, ir_grade(call, f, y)) \
  ROW(P_UNION, set_monadic(call, f, y))       ROW(P_NE, set_monadic(call, f, y)) \
  ROW(P_DROP, split_rows(call, y))            ROW(P_TAKE, mixed_rows(call, y)) \
  ROW(P_DOMINO, ir_divide(call, NULL, y))
#define BUILD_DYADIC(ROW) \
  ROW(P_MEMBER, set_dyadic(call, f, x, y))    ROW(P_NOT, set_dyadic(call, f, x, y)) \
  ROW(P_INTERSECT, set_dyadic(call, f, x, y)) ROW(P_UNION, set_dyadic(call, f, x, y)) \
  ROW(P_ENCLOSE, partitioned(call, f, x, y))  ROW(P_NEST, partitioned(call, f, x, y)) \
  ROW(P_ROLL, ir_deal(call, x, y))            ROW(P_WHERE, ir_interval(call, x, y)) \
  ROW(P_FIND, ir_find(call, x, y))            ROW(P_MATCH, ir_match(call, f, x, y)) \
  ROW(P_TALLY, ir_match(call, f, x, y))       ROW(P_UP, ir_collate(call, f, x, y)) \
  ROW(P_DOWN, ir_collate(call, f, x, y))      ROW(P_DOMINO, ir_divide(call, x, y)) \
  ROW(P_ENCODE, ir_encode(call, x, y))        ROW(P_DECODE, ir_decode(call, x, y))
/* clang-format on */
#endif
