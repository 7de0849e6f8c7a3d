/* SPDX-License-Identifier: MIT */
/* outcome.h - what comes of a kernel's run: elements, a wider type, the reference path's value
 * or its error. */
#ifndef VAPL_IR_OUTCOME_H
#define VAPL_IR_OUTCOME_H
#include "plan.h"

/* Its escape tells that it has an element that is not real. */
static inline bool is_complex(const ir_node *n) { return n->self->type == ET_C128; }

/* The node that the flags name, the one built first; NULL: none. */
ir_node *first_fault(const plan *p, const uint32_t *flags, bool *escaped);
/* What comes of the fault that flags named. */
bool outcome_fault(ir *g, ir_node *fault, bool escaped);
/* The outputs have their elements: their nodes are gone. */
void outcome_commit(plan *p);
/* Are all elements of an output real that were computed as complex numbers? They are computed
 * anew, as real ones, for a type is by value. */
bool became_real(plan *p, const uint32_t *flags);
/* The node's elements come from the reference path: the value, or the error. */
bool run_reference(ir *g, ir_node *n, const char *why);
bool force_arguments(ir *g, const ir_node *n);

/* Has it the elements of y as they stand, in another shape, or most of those that the host has?
 * a takes them then. */
bool shows_argument(const ir *g, const ir_node *n);
bool show_argument(ir *g, arr *a);

/* The recorded error is that of the node numbered seq, which the calls k left; they go to it. */
void attribute_error(ir *g, uint64_t seq, span at, err_calls *k);
#endif
