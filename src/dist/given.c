/* SPDX-License-Identifier: MIT */
/* given.c - parts that a program around vapl takes out of cut arrays, and of which it makes them. */
#include "part.h"

bool dist_rows(const ctx *c, int rank, const int64_t *shape, int64_t *first,
               int64_t *rows) {
  const dist *d = c->dist;
  bool cut = d && is_cut_shape(d, rank, shape);
  *first = cut ? my_first(d, shape[0]) : 0;
  *rows = 1;
  if (rank) *rows = cut ? my_rows(d, shape[0]) : shape[0];
  return cut;
}

arr *dist_part(ctx *c, arr *a) {
  dist *d = c->dist;
  if (!part_settle(d->g, a)) return NULL;
  arr *part = part_of(d, a);
  return part ? arr_retain(part) : NULL;
}

arr *dist_from_part(ctx *c, arr *part, int rank, const int64_t *shape) {
  dist *d = c->dist;
  ir_call call = {.g = d->g, .env = {.c = c}}; /* no text has made it */
  if (!op_begins(d, call.at)) return NULL;
  return cut_array(&call, arr_retain(part), rank, shape);
}
