/* SPDX-License-Identifier: MIT */
/* exec.h - pending arrays get their elements. */
#ifndef VAPL_IR_EXEC_H
#define VAPL_IR_EXEC_H
#include "graph.h"

bool force(ir *g, arr *a);
/* Forces a, of which the caller knows another way: where it fails no error stays recorded,
 * but WS FULL, INTERRUPT, and what all ranks have. */
bool force_alone(ir *g, arr *a);
/* Keeps the list of what is unverified, and the memory that it holds, bounded. */
bool bound_unverified(ir *g);
/* Gives a the elements that it would only show of an array that has them; else it waits. */
void ir_share_view(ir *g, arr *a);
/* As ir_first_error, of what this rank has. Returns true if an earlier one took the place of what was recorded. */
bool ir_first_error_here(ir *g);
#endif
