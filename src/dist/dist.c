/* SPDX-License-Identifier: MIT */
/* dist.c - the state of a rank begins and ends; what the graph may ask it. */
#include "exchange.h"
#include "forms.h"

static const ir_cuts cuts = {.monadic = map_monadic,
                             .dyadic = map_dyadic,
                             .convert = map_convert,
                             .fold = part_fold,
                             .fold_where = part_fold_where,
                             .fold_stretches = fold_stretches,
                             .fold_function = part_fold_function,
                             .product = product_cut,
                             .numbers = map_numbers,
                             .pick = part_pick,
                             .view = shift_view,
                             .replicate = select_replicate,
                             .where = select_where,
                             .index = select_index,
                             .put = store_put,
                             .join = store_join,
                             .sorted = order_sorted,
                             .settle = part_settle,
                             .here = part_here,
                             .verified = dist_verified,
                             .all = dist_all,
                             .is_open = dist_is_open,
                             .first_error = dist_first_error,
                             .left_call = dist_left_call,
                             .left_type = dist_left_type};

/* A gather keeps the whole array on every rank. */
enum { GATHER_LIMIT = 1 << 30 };

bool dist_open(ctx *c, struct ir *g, const struct vapl_comm *comm) {
  if (!comm || comm->ranks < 2) return true;
  dist *d = mem_zalloc(c, sizeof *d);
  if (!d) return false;
  *d = (dist){.c = c, .g = g, .comm = comm, .me = comm->rank, .ranks = comm->ranks};
  d->each = mem_alloc(c, (size_t)d->ranks * sizeof *d->each);
  d->gather_limit = 4 * (uint64_t)GATHER_LIMIT;
  d->ordered = order_made;
  d->spins = pause_spins(comm);
  d->cut_from = g->tune.cut_from > d->ranks ? g->tune.cut_from : d->ranks;
  g->cfg.nth =
      1 + comm->host_rank; /* which device is this rank's, where there are several */
  c->dist = d;
  c->tick = dist_tick;
  c->stops = dist_interrupted;
  c->follows = d->me != 0;
  g->cuts = &cuts;
  g->cut_above = d->cut_from - 1;
  return d->each && dist_same(c, &c->seed, sizeof c->seed);
}

void dist_close(ctx *c) {
  dist *d = c->dist;
  if (!d) return;
  move_close(d->mover);
  forget_places(d);
  vec_free(c, &d->places);
  vec_free(c, &d->wide);
  mem_free(c, d->each);
  mem_free(c, d);
  c->dist = NULL;
  c->together = c->follows = c->late = false;
}
