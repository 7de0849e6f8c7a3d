/* SPDX-License-Identifier: MIT */
/* node_cut.c - an array of which every rank has a part (cuts.h): no kernel reads it as it is. */
#include "cuts.h"

static void infer_nothing(ir_node *n) { UNUSED(n); }

KIND(cut, .infer = infer_nothing, .show = "cut", .typed = true);
