/* SPDX-License-Identifier: MIT */
/* local.c - results whose parts are made of parts of arguments, without a word to the others. */
#include "local.h"

arr *local_part(const ir_call *call, local_fn *make, void *user, elt *type) {
  dist *d = dist_of(call);
  for (;;) {
    inside_begin(d);
    OWNED arr *part = make(call, user);
    int64_t t = part && ir_settle(call->g, part) ? part->type : -1;
    inside_end(d);
    agreed is = dist_agree(d, AGREE_VALUES, &t, 1);
    if (is == AGREED_WIDER) continue;
    *type = (elt)t;
    return is == AGREED ? arr_move(&part) : NULL;
  }
}

arr *local_cut(const ir_call *call, local_fn *make, void *user, int rank,
               const int64_t *shape) {
  elt type;
  return cut_array(call, local_part(call, make, user, &type), rank, shape);
}
