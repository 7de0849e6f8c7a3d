/* SPDX-License-Identifier: MIT */
/* map.c - the map template: `items` loads of `width` elements per thread, strided by the
 * workgroup so that neighbouring threads touch neighbouring memory. The loads of all
 * items are issued first, so that they are in flight together; then each item is computed
 * and stored. The last workgroup's loads are clamped and its stores guarded: one path for
 * all, since the guards are a few instructions per 16 bytes of a kernel that waits for
 * memory.
 *
 * What is added to few places is added up in workgroup memory first, of several tiles: every
 * workgroup brings each place one sum, where every element would bring one. Minima and maxima
 * likewise. TRIED on an H200: two or four loads of a thread at once there, 249 us for 2^26 f32, not 253; loads and stores
 * beside gathers marked as Nontemporal, no change. */
#include "template.h"

#include "../base/arith.h"

#include <assert.h>

enum { MAP_MAX_ITEMS = 16 };

/* ── how ────────────────────────────────────────────────────────────────────────────── */

/* The widest element that a map moves, in bits: narrow ones want more loads in flight. */
static int widest(const kir *k) {
  int bits = 1;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (elt_bits((elt)k->in[i].type) > bits) bits = elt_bits((elt)k->in[i].type);
  for (uint32_t i = 0; i < k->n_out; i++)
    if (elt_bits((elt)k->out[i].type) > bits) bits = elt_bits((elt)k->out[i].type);
  return bits;
}

static uint32_t items_for(int bits, uint32_t width) {
  if (width == 1) return bits >= 64 ? 2 : 4;
  if (bits >= 32) return 1;
  return bits == 16 ? 2 : 4;
}

static uint64_t map_tile(const cg_opts *o) {
  return (uint64_t)o->workgroup * o->map.items * o->width;
}

/* ── sums at few places ── */

enum { MOST_PLACES = 4096, FLUSH_SHARE = 8, FEWEST_GROUPS = 64, MOST_GROUPS = 2048 };

/* Workgroups, of which each brings a sum for each place: few beside the elements. */
static int64_t groups_for(int64_t len, int64_t places) {
  return min_i64(len / (FLUSH_SHARE * places), MOST_GROUPS);
}

bool cg_sums_nearby(int64_t len, int64_t places) {
  return places > 0 && places <= MOST_PLACES && groups_for(len, places) >= FEWEST_GROUPS;
}

static bool makes_sums(const cg_task *t) {
  const kout *o = &t->k->out[0];
  bool is = t->k->n_out == 1 && o->put == KPUT_JOIN && 4 * t->places <= t->choice->shared;
  return is && o->type == ET_I32 && !t->k->n_loop && cg_sums_nearby(t->len, t->places);
}

static void add_up(const cg_task *t, cg_pass *s) {
  uint32_t wg = s->o.workgroup;
  int64_t tiles = s->geom.workgroups;
  s->geom.map.rounds = ceil_div(tiles, groups_for(t->len, t->places));
  s->geom.workgroups = ceil_div(tiles, s->geom.map.rounds);
  s->o.map.places = wg * (uint32_t)ceil_div(t->places, wg);
}

bool map_serves(const cg_task *t) { return t->kind == CG_TASK_MAP; }

/* Quads of 8 bytes would be stored in two halves, 32 bytes apart from thread to thread:
 * single elements that neighbouring threads hold side by side are faster. So they are where a chain is too long for
 * the registers of four lanes. */
void map_passes(const cg_task *t, cg_passes *p) {
  cg_pass *s = cg_add_pass(p, t, CG_MAP);
  int bits = widest(t->k);
  bool one =
      t->k->n_loop || t->choice->smaller; /* lanes of a loop wait for one another */
  s->o.width = bits >= 64 || one ? 1 : 4;
  if (t->map_width) s->o.width = t->map_width;
  s->o.map.items = one ? 1 : items_for(bits, s->o.width);
  if (t->map_items) s->o.map.items = t->map_items;
  s->geom.workgroups = ceil_div(t->len, (int64_t)map_tile(&s->o));
  if (makes_sums(t) && !t->map_items) add_up(t, s);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

static cg_pos map_pos(cg *g, uint32_t base, uint32_t item) {
  uint32_t t = g->thread, stride = spv_u32(g->b, item * g->o->workgroup);
  if (item) t = cg_u(g, SpvOpIAdd, t, stride);
  t = cg_ui(g, SpvOpIMul, t, g->o->width);
  return (cg_pos){.i = cg_x(g, SpvOpIAdd, base, cg_to_ix(g, t)), .tail = true};
}

static void map_tile_at(cg *g, uint32_t tile) {
  uint32_t raw[MAP_MAX_ITEMS][KIR_MAX_IN], items = g->o->map.items;
  cg_pos p[MAP_MAX_ITEMS];
  assert(items <= MAP_MAX_ITEMS);
  uint32_t base = cg_x(g, SpvOpIMul, cg_to_ix(g, tile), cg_ixc(g, map_tile(g->o)));
  for (uint32_t n = 0; n < items; n++) {
    p[n] = map_pos(g, base, n);
    cg_load_raw(g, 0, g->k->n_ins, &p[n], raw[n]);
  }
  for (uint32_t n = 0; n < items; n++) {
    cg_range(g, 0, g->k->n_ins, &p[n], raw[n]);
    cg_put_outputs(g, &p[n]);
  }
}

void map_emit(cg *g) {
  uint32_t places = g->o->map.places;
  g->lanes = g->o->width;
  g->packs = true;
  if (!places) {
    map_tile_at(g, g->wid);
    return;
  }
  uint32_t rounds = cg_slot_u32(g, CG_OWN_SLOT(map_geom, rounds));
  uint32_t first = cg_u(g, SpvOpIMul, g->wid, rounds);
  cg_begin_sums(g, places);
  spv_loop l = spv_for(g->b, rounds);
  map_tile_at(g, cg_u(g, SpvOpIAdd, first, l.i));
  spv_endfor(g->b, &l);
  cg_end_sums(g, places);
}
