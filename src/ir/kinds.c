/* SPDX-License-Identifier: MIT */
/* kinds.c - the rows of kinds whose functions stand in the files of each pass still. */
#include "kind.h"
const node_kind kind_scalar = {.number = N_SCALAR, .scalar = true, .computes = true, .comparable = true, .at_once = true};
const node_kind kind_reduce = {.number = N_REDUCE, .folds = true, .comparable = true, .task=KIR_REDUCE};
const node_kind kind_scan = {.number = N_SCAN, .folds = true, .behind = true, .task=KIR_SCAN};
const node_kind kind_order = {.number = N_ORDER, .behind = true, .at_once = true, .task=KIR_ORDER};
const node_kind kind_parts = {.number = N_PARTS, .unordered = true};
const node_kind kind_index = {.number = N_INDEX, .by_x = true, .plain = true};
const node_kind kind_search = {.number = N_SEARCH, .computes = true};
const node_kind kind_find = {.number = N_FIND};
const node_kind kind_compress = {.number = N_COMPRESS, .task=KIR_SCAN};
const node_kind kind_iota = {.number = N_IOTA, .free = true, .unordered = true, .at_once = true};
const node_kind kind_fill = {.number = N_FILL, .free = true, .same = true};
const node_kind kind_roll = {.number = N_ROLL, .draws = true, .computes = true, .unordered = true};
const node_kind kind_deal = {.number = N_DEAL, .draws = true, .computes = true, .unordered = true};
const node_kind kind_convert = {.number = N_CONVERT, .typed = true};
const node_kind kind_put = {.number = N_PUT, .puts = true, .typed = true};
const node_kind kind_runs = {.number = N_RUNS};
const node_kind kind_lookup = {.number = N_LOOKUP};
const node_kind kind_items = {.number = N_ITEMS};
const node_kind kind_view = {.number = N_VIEW, .free = true, .comparable = true, .at_once = true};
