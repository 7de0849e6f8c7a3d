/* SPDX-License-Identifier: MIT */
/* loop.c - a LOOP on the host, for a block.
 *
 * The elements that are still in the loop stand side by side, in any order, so that the body's
 * steps see no others: no masks, and a fault is one of an element that is there. One that
 * leaves gives its values to its place in the results and its lane to the last element:
 *
 *   who    3 0 5 1        element 0 leaves         who    3 1 5
 *   state  a b c d   ─────────────────────────▶    state  a d c
 *
 * The lanes up to a multiple of 64 are copies of the last one.
 *
 * TRIED: next values that are made in turns in two places, without a copy: 1.0 to 1.2. */
#include "steps.h"

#include <string.h>

typedef struct blk_loop_thread {
  blk_thread t; /* runs the body */
  /* Where the values of each input of the body are; where the next values of carried ones go. */
  char *state[KIR_MAX_IN], *next[KIR_MAX_CARRIED];
  uint16_t *who; /* which element of the block each lane is */
} blk_loop_thread;

enum { POLL = 256 }; /* steps between looks whether to go on */

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

static void take(blk_loop_thread *x, const blk_loop *l, uintptr_t *mem) {
  const blk_plan *p = &l->body;
  *x = (blk_loop_thread){.t.plan = p};
  x->t.at = blk_take(mem, p->n_cell * sizeof(void *));
  x->t.regs = blk_take(mem, p->n_reg * p->stride);
  for (uint32_t i = 0; i < p->k->n_in; i++) x->state[i] = blk_take(mem, p->stride);
  for (uint32_t i = 0; i + 1 < p->k->n_out; i++) x->next[i] = blk_take(mem, p->stride);
  x->who = blk_take(mem, p->block * sizeof(uint16_t));
  x->t.loop = blk_take(mem, blk_loops_bytes(p));
}

size_t blk_loops_bytes(const blk_plan *p) {
  blk_loop_thread x;
  uintptr_t n = 0;
  blk_take(&n, p->k->n_loop * sizeof x);
  for (uint32_t i = 0; i < p->k->n_loop; i++) take(&x, &p->loop[i], &n);
  return n;
}

void blk_loops_init(blk_thread *t) {
  uintptr_t mem = (uintptr_t)t->loop;
  blk_take(&mem, t->plan->k->n_loop * sizeof *t->loop);
  for (uint32_t i = 0; i < t->plan->k->n_loop; i++) {
    const blk_loop *l = &t->plan->loop[i];
    blk_loop_thread *x = &t->loop[i];
    take(x, l, &mem);
    x->t.flags = t->flags;
    x->t.c = t->c;
    blk_thread_init(&x->t);
  }
}

/* ── elements in the loop ───────────────────────────────────────────────────────────── */

static size_t cell_size(const blk_plan *p, uint16_t cell) {
  return (size_t)kty_bytes((kty)p->cell[cell].ty);
}

static void copy_lane(char *to, size_t i, const char *from, size_t j, size_t size) {
  if (size == 8) memcpy(to + 8 * i, from + 8 * j, 8);
  else if (size == 4) memcpy(to + 4 * i, from + 4 * j, 4);
  else to[i] = from[j];
}

/* What the lanes' values are kept in: input i of the body, or what the test keeps. */
static void *lanes_of(const blk_loop *l, const blk_loop_thread *x, uint32_t i,
                      size_t *size) {
  uint32_t n_in = l->body.k->n_in;
  uint16_t cell = i < n_in ? l->arg[i] : l->kept[i - n_in];
  *size = cell_size(&l->body, cell);
  return l->body.cell[cell].uni ? NULL : x->t.at[cell];
}

static void pad(const blk_loop *l, const blk_loop_thread *x, size_t n) {
  size_t size;
  for (uint32_t i = 0; i < l->body.k->n_in + l->n_kept; i++) {
    void *v = lanes_of(l, x, i, &size);
    if (v) blk_pad(v, size, n);
  }
}

static void begin(const blk_thread *t, const blk_loop *l, blk_loop_thread *x, size_t n) {
  const blk_plan *p = &l->body;
  for (uint32_t i = 0; i < p->k->n_in; i++) {
    size_t size = cell_size(p, l->arg[i]);
    const char *from = t->at[l->start[i]];
    if (p->cell[l->arg[i]].uni) continue;
    x->t.at[l->arg[i]] = x->state[i];
    if (!t->plan->cell[l->start[i]].uni) memcpy(x->state[i], from, n * size);
    else
      for (size_t j = 0; j < n; j++) copy_lane(x->state[i], j, from, 0, size);
  }
  for (size_t j = 0; j < n; j++) x->who[j] = (uint16_t)j;
  pad(l, x, n);
}

/* Lane i leaves; the last of n takes its place. */
static void leave(const blk_thread *t, const blk_loop *l, blk_loop_thread *x, size_t i,
                  size_t last) {
  size_t size;
  for (uint32_t c = 0; c + 1 < l->body.k->n_out; c++)
    copy_lane(t->at[l->result[c]], x->who[i], x->state[c], i,
              cell_size(&l->body, l->arg[c]));
  if (i == last) return;
  x->who[i] = x->who[last];
  for (uint32_t c = 0; c < l->body.k->n_in + l->n_kept; c++) {
    char *v = lanes_of(l, x, c, &size);
    if (v) copy_lane(v, i, v, last, size);
  }
}

/* Those of n that do not go on leave; how many there are still. */
static size_t test(const blk_thread *t, const blk_loop *l, blk_loop_thread *x, size_t n) {
  const uint8_t *again = x->t.at[l->body.out[l->body.k->n_out - 1].cell];
  if (!memchr(again, 0, n)) return n;
  for (size_t i = n; i-- > 0;)
    if (!again[i]) leave(t, l, x, i, --n);
  if (n) pad(l, x, n);
  return n;
}

/* The next values are the step's own from now on. */
static void advance(const blk_loop *l, blk_loop_thread *x, size_t n) {
  const blk_plan *p = &l->body;
  size_t lanes = (n + BLK_UNI - 1) & ~(size_t)(BLK_UNI - 1);
  for (uint32_t c = 0; c + 1 < p->k->n_out; c++)
    if (p->out[c].cell != l->arg[c])
      memcpy(x->next[c], x->t.at[p->out[c].cell], lanes * cell_size(p, l->arg[c]));
  for (uint32_t c = 0; c + 1 < p->k->n_out; c++) {
    char *now = x->state[c];
    if (p->out[c].cell == l->arg[c]) continue;
    x->t.at[l->arg[c]] = x->state[c] = x->next[c];
    x->next[c] = now;
  }
}

/* Steps that come after look at the lanes behind the last element, too. */
static void pad_results(const blk_thread *t, const blk_loop *l, size_t n) {
  for (uint32_t c = 0; c + 1 < l->body.k->n_out; c++)
    blk_pad(t->at[l->result[c]], cell_size(&l->body, l->arg[c]), n);
}

/* What was computed from a fault may never end. */
static bool is_in_vain(const blk_thread *t) { return t->raised || stop_is_due(t->c); }

void blk_loop_run(blk_thread *t, const blk_step *s, size_t n) {
  const blk_loop *l = &t->plan->loop[s->in];
  blk_loop_thread *x = &t->loop[s->in];
  const blk_plan *p = &l->body;
  size_t all = n;
  begin(t, l, x, n);
  for (uint32_t step = 1;; step++) {
    blk_run_steps(&x->t, 0, p->n_test, &(blk_at){.len = (int64_t)n, .n = n, .inner = 1});
    n = test(t, l, x, n);
    if (!n) {
      pad_results(t, l, all);
      return;
    }
    blk_at at = {.len = (int64_t)n, .n = n, .inner = 1};
    blk_run_steps(&x->t, p->n_test, p->n_step, &at);
    advance(l, x, n);
    if (step % POLL == 0 && is_in_vain(&x->t)) {
      t->raised |= x->t.raised;
      return;
    }
  }
}
