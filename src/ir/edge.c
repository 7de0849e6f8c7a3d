/* SPDX-License-Identifier: MIT */
/* edge.c - which pending nodes a kernel computes itself, and where in their ravels it finds its
 * elements.
 *
 * A region is the root and every pending node below it that the kernel can compute too. An array
 * that the kernel reads is at the region's edge: it is in memory, or has to be made first. An index
 * map says for a node of the region which of its elements belongs to an element of the kernel's
 * domain; it is changed by each node on the way down (plan_below). */
#include <string.h>
#include "../base/arith.h"
#include "plan.h"

bool plan_has_segments(const plan *p) { return p->fold && p->fold->pairs; }

int64_t plan_domain(const plan *p) {
  if (plan_has_segments(p)) return p->len;
  return p->rows * p->len * p->inner;
}

uint64_t plan_bytes_read(const plan *p) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    int64_t count = p->in[i]->count;
    if (i && p->in[i] == p->in[i - 1]) continue; /* the other parts */
    if (i + 1 != p->k.segments && plan_domain(p) < count) count = plan_domain(p);
    n += elt_bytes((elt)p->in[i]->type, count);
  }
  return n;
}

uint64_t plan_bytes_written(const plan *p) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->n_out; i++) {
    int64_t count = p->out[i]->count;
    if (plan_into(p)) count = plan_domain(p);
    n += elt_bytes((elt)p->out[i]->type, count);
  }
  return n;
}

enum { COSTLY_WEIGHT = 600 };

/* Does computing it again read memory, draw, or much work? */
static bool costly(const arr *a) {
  const ir_node *n = a->node;
  if (!n || n->begun) return a->count > 1;
  if (n->kind->draws || n->weight > COSTLY_WEIGHT) return true;
  return (n->x && costly(n->x)) || (n->y && costly(n->y));
}

bool plan_asked_again(const arr *a) {
  const ir_node *n = a->node;
  return n->forced > 0 && a->refs > 1u + n->listed && costly(a);
}

const index_map identity_map = {.step = 1, .quads = true};

bool plan_same_strides(const ir_node *a, const ir_node *b) {
  return a->dims == b->dims && !memcmp(&a->strided, &b->strided, sizeof a->strided);
}

bool plan_same_map(index_map a, index_map b) {
  if (a.im != b.im) return false;
  if (a.computed || b.computed) return a.computed && b.computed && a.place == b.place;
  return a.strided == b.strided && a.off == b.off && a.step == b.step;
}

bool plan_is_direct(index_map at) {
  at.im = false;
  return plan_same_map(at, identity_map);
}

/* Does the strided view turn its axes, so that neighbours come from afar? To read through two
 * such, or through one of something moved, is slower than to store that first. */
static bool turns_axes(const ir_node *n) {
  int64_t last = n->dims ? n->strided.stride[n->dims - 1] : 1;
  return last < -1 || last > 1;
}

/* Would a fold or a scan, whose threads go along lines, read so much of n's argument from places far apart that it is
 * better stored first? Turned axes are stored through squares: +/,⍉w of 16384² f32 on an H200 5.3 ms as it lies, 0.86
 * so; of 4096² 0.30 and 0.08. Products have ways of theirs. Elements by their numbers are read so by scans and orders,
 * whose tiles are too few at a time for that, and read them twice. */
static bool read_from_afar(const plan *p, const ir_node *n) {
  enum { TURNED = 1 << 20, NUMBERED = 1 << 17 };
  const ir_node *f = p->fold;
  if (!f || !n->y) return false;
  if (turns_axes(n))
    return !f->factors && n->y->count == n->self->count && n->y->count >= TURNED;
  bool twice = f->kind->task != KIR_REDUCE;
  return n->kind->by_x && twice && min_i64(n->y->count, p->root->count) > NUMBERED;
}

bool plan_is_line(const plan *p) { return p->rows * p->inner == 1; }

/* ── rows that are folded beside the map behind them (row_fusion.c) ── */

bool plan_repeats_rows(const ir_node *n) {
  const kstrided *w = &n->strided;
  return n->dims == 2 && !n->first && n->step == 1 && w->stride[0] == 1 &&
         w->stride[1] == 0;
}

static bool leads_to_row(const plan *p, index_map at) {
  return !at.computed && at.strided && !at.off && at.step == 1 &&
         plan_repeats_rows(at.strided) && at.strided->strided.n[1] == p->len;
}

bool plan_of_row(const plan *p, const ir_node *n, index_map at) {
  if (!p->n_row_nodes || !leads_to_row(p, at)) return false;
  for (uint32_t i = 0; i < p->n_row_nodes; i++)
    if (p->row_node[i] == n) return true;
  return false;
}

index_map plan_row_map(const plan *p, index_map at) {
  if (p->n_row_nodes && leads_to_row(p, at)) at.strided = p->row_view;
  return at;
}

/* ── the edge ── */

/* Are segments folded, which only what lies as it was stored can feed? */
static bool breaks_segments(const ir_node *n, index_map at, bool direct) {
  bool moved = n->kind->view && (n->first != 0 || n->step != 1);
  if (n->kind->unordered || (n->dims && !direct)) return true;
  return !at.strided && (moved || !direct);
}

/* Is it better stored before its elements are read in the order that a computed map has? What
 * others read too might be computed for each place that it is read at, which may be many: in a
 * stencil, or in the next step of a loop. Moves of moves cost places alone, if they are few. */
static bool stored_first(const plan *p, const arr *a, index_map at) {
  enum { MOVES = 64 };
  const ir_node *n = a->node;
  if (!n->y) return false;
  bool more = a->refs > 1u + n->listed || a->count < plan_domain(p) / 2;
  /* In no order it had better be one array that is read. */
  if (n->kind->computes && (more || at.random)) return true;
  if (!n->kind->computes && n->weight > MOVES) return true;
  return !at.all && n->listed; /* all of it has to be computed anyway */
}

bool plan_is_edge(const plan *p, const arr *a, index_map at) {
  if (!is_pending(a) || is_linked(a)) return true;
  if (a == p->root) return false;
  const ir_node *n = a->node;
  if (n->of) return false;
  if (n->begun) return true;
  if (a->count == 1 && n->kind->scalar && plan_domain(p) > 1) return true;
  if (plan_of_row(p, n, at)) return false;
  bool direct = plan_is_direct(at);
  if (n == p->fold) return n->kind->task == KIR_REDUCE || !direct;
  /* A fold's threads have many elements each: not the loops of all of these. */
  bool no_loop = p->fold || p->n_row_nodes || p->root->node->kind->puts;
  bool ends = n->kind->task != KIR_MAP || n->kind->puts;
  if (ends || (n->loops && no_loop)) return true;
  if (!direct && turns_axes(n)) return true;
  if (at.strided && turns_axes(at.strided) && (n->move || n->dims)) return true;
  if (at.strided && !n->kind->free && a->count < plan_domain(p)) return true;
  if (at.computed && stored_first(p, a, at)) return true;
  if (direct && read_from_afar(p, n)) return true;
  if (plan_has_segments(p) && breaks_segments(n, at, direct)) return true;
  return !n->kind->same && plan_asked_again(a);
}

/* ── where a map leads ── */

bool plan_reaches_all(index_map at, const ir_node *n, int64_t domain) {
  if (at.computed) return at.all;
  if (n->self->count != domain) return false;
  if (at.strided) return at.step == 1 && at.off == at.strided->first;
  return at.step == 1 || at.step == -1;
}

index_map plan_below(const plan *p, const ir_node *n, bool of_x, index_map at) {
  if (n->kind->task == KIR_REDUCE) return identity_map;
  return n->kind->below ? n->kind->below(p, n, of_x, at) : at;
}
