/* SPDX-License-Identifier: MIT */
/* body.c - a join's body as steps.
 *
 * The body is planned twice: with the loops of blocks, for many lanes side by side, and with
 * those of single elements, where lanes are few or wait for one another. Its arguments are
 * cells that are pointed at the lanes; nothing is copied to get there.
 *
 * Blocks are multiples of 64 lanes, so loops see lanes that are not there, and some that have
 * no part. What lies in these is made use of by nobody; only a fault that they seem to raise
 * has to be looked into: the step is run again on the lanes that count. */
#include "body.h"

enum { FEW = 4 }; /* lanes that are joined one by one */

/* ── making ─────────────────────────────────────────────────────────────────────────── */

size_t blk_body_bytes(const kir *k) {
  if (!k->join) return 0;
  return 2 * (blk_plan_bytes(k->join) + 64);
}

/* The last step that reads a cell, and whether a fault may make it be read again. */
static int32_t last_use(const blk_plan *p, uint16_t cell) {
  int32_t last = -1;
  for (int32_t i = 0; i < (int32_t)p->n_step; i++) {
    const blk_step *s = &p->step[i];
    bool looks = s->fa == cell || s->fb == cell || s->fc == cell;
    bool reads = s->a == cell || s->b == cell || s->c == cell;
    if (looks || (reads && s->flag >= 0)) last = i + 1;
    else if (reads) last = i;
  }
  for (uint32_t i = 0; i < p->k->n_out; i++)
    if (p->out[i].cell == cell) last = INT32_MAX;
  return last;
}

static bool in_place(const blk_body *y, uint32_t i) {
  const blk_plan *p = &y->many;
  uint16_t cell = p->out[i].cell;
  int32_t def = p->cell[cell].def;
  if (!blk_is_made(p, cell)) return false;
  for (uint32_t j = 0; j < i; j++)
    if (p->out[j].cell == cell) return false;
  return def >= last_use(p, y->arg_many[i]) && def >= last_use(p, y->arg_many[y->n + i]);
}

void blk_body_make(blk_body *y, const blk_isa *isa, const kir *k, const kir_bind *b,
                   void *mem) {
  y->n = k->n_acc;
  for (uint32_t i = 0; i < y->n; i++) y->size[i] = (size_t)kty_bytes(k->acc[i].ty);
  blk_plan_body(&y->many, isa, k, b, y->arg_many, mem);
  blk_plan_body(&y->one, &blk_isa_one, k, b, y->arg_one,
                (char *)mem + blk_body_bytes(k) / 2);
  for (uint32_t i = 0; i < y->n; i++) y->in_place[i] = in_place(y, i);
}

static void take_thread(blk_thread *t, const blk_plan *p, uint32_t *flags,
                        uintptr_t *mem) {
  *t = (blk_thread){.plan = p, .flags = flags};
  t->at = blk_take(mem, p->n_cell * sizeof(void *));
  t->regs = blk_take(mem, p->n_reg * p->stride);
}

void blk_joiner_take(blk_joiner *w, const blk_body *y, uint32_t *flags, uintptr_t *mem) {
  w->body = y;
  take_thread(&w->many, &y->many, flags, mem);
  take_thread(&w->one, &y->one, flags, mem);
  w->tmp = blk_take(mem, KIR_MAX_ACC * 8 * BLK_MAX);
}

void blk_joiner_init(blk_joiner *w) {
  blk_thread_init(&w->many);
  blk_thread_init(&w->one);
}

blk_tuple blk_lanes_take(const blk_body *y, size_t n, uintptr_t *mem) {
  blk_tuple t = {{NULL}};
  for (uint32_t c = 0; c < y->n; c++) t.at[c] = blk_take(mem, (n + BLK_UNI) * y->size[c]);
  return t;
}

/* ── faults ─────────────────────────────────────────────────────────────────────────── */

static bool has_part(const blk_mask *m, size_t from, size_t i) {
  return !m || !m->skip[(from + i) % m->period];
}

/* The operand of a step, copied to `to`: a lane that has no part is another one that has. */
static void *only_parts(const blk_joiner *w, uint16_t cell, size_t from, size_t n,
                        const blk_mask *mask, char *to) {
  const blk_thread *t = &w->many;
  const blk_cell *c = &t->plan->cell[cell];
  size_t size = (size_t)kty_bytes(c->ty), some = 0;
  const char *x = t->at[cell];
  if (!cell || c->uni) return t->at[cell];
  while (!has_part(mask, from, some)) some++;
  for (size_t i = 0; i < n || i % BLK_UNI; i++) {
    bool part = i < n && has_part(mask, from, i);
    if (part) some = i;
    memcpy(to + i * size, x + some * size, size);
  }
  return to;
}

/* A step saw a fault in n lanes, the first being number `from`: is it in one that has a part? */
static bool really(blk_joiner *w, const blk_step *s, size_t from, size_t n,
                   const blk_mask *mask) {
  blk_thread *t = &w->many;
  if (s->kind == STEP_FIN) {
    for (size_t i = 0; i < n; i++)
      if (has_part(mask, from, i) && blk_fin_fault(t, s, i)) return true;
    return false;
  }
  size_t room = 8 * BLK_MAX, some = 0;
  while (some < n && !has_part(mask, from, some)) some++;
  if (some == n) return false;
  const void *a = only_parts(w, s->a, from, n, mask, w->tmp + room);
  const void *b = only_parts(w, s->b, from, n, mask, w->tmp + 2 * room);
  const void *c = only_parts(w, s->c, from, n, mask, w->tmp + 3 * room);
  return s->fn(w->tmp, a, b, c, (n + BLK_UNI - 1) & ~(size_t)(BLK_UNI - 1)) != 0;
}

/* ── many lanes ─────────────────────────────────────────────────────────────────────── */

/* n results, the first being number `from`: a run of lanes that have a part after another. */
static void put_lanes(char *to, const char *x, size_t size, size_t from, size_t n,
                      const blk_mask *mask) {
  if (!mask || !mask->keep) {
    memcpy(to, x, n * size);
    return;
  }
  size_t at = from % mask->period;
  for (size_t i = 0, run; i < n; i += run, at = (at + run) % mask->period) {
    size_t most = min_u64(n - i, mask->period - at);
    bool skip = mask->skip[at];
    for (run = 1; run < most && (mask->skip[at + run] != 0) == skip;) run++;
    if (!skip) memcpy(to + i * size, x + i * size, run * size);
  }
}

/* n ≤ a block of lanes, the first being number `from`. */
static void join_block(blk_joiner *w, blk_tuple r, blk_tuple a, blk_tuple b, size_t from,
                       size_t n, const blk_mask *mask) {
  const blk_body *y = w->body;
  const blk_plan *p = &y->many;
  blk_thread *t = &w->many;
  size_t m = (n + BLK_UNI - 1) & ~(size_t)(BLK_UNI - 1);
  bool whole = m == n && !(mask && mask->keep);
  for (uint32_t c = 0; c < y->n; c++) {
    t->at[y->arg_many[c]] = a.at[c];
    t->at[y->arg_many[y->n + c]] = b.at[c];
    if (!y->in_place[c]) continue;
    uint16_t cell = p->out[c].cell;
    t->at[cell] = r.at[c];
    if (!whole) t->at[cell] = t->regs + p->cell[cell].reg * p->stride;
  }
  for (const blk_step *s = p->step, *end = s + p->n_step; s < end; s++) {
    uint32_t f = s->fn(t->at[s->r], t->at[s->a], t->at[s->b], t->at[s->c], m);
    if (f && s->flag >= 0 && !t->flags[s->flag] && really(w, s, from, n, mask))
      t->flags[s->flag] = 1;
  }
  for (uint32_t c = 0; c < y->n; c++) { /* an argument may lie where a result will */
    uint16_t cell = p->out[c].cell;
    if (p->cell[cell].def >= 0 || p->cell[cell].uni || t->at[cell] == r.at[c]) continue;
    memcpy(w->tmp + c * 8 * BLK_MAX, t->at[cell], n * y->size[c]);
  }
  for (uint32_t c = 0; c < y->n; c++) {
    uint16_t cell = p->out[c].cell;
    const char *x = t->at[cell];
    if (x == r.at[c]) continue;
    if (p->cell[cell].def < 0 && !p->cell[cell].uni) x = w->tmp + c * 8 * BLK_MAX;
    put_lanes(r.at[c], x, y->size[c], from, n, mask);
  }
}

/* ── one lane ───────────────────────────────────────────────────────────────────────── */

static inline void put_one(void *to, const void *x, size_t size) {
  if (size == 8) memcpy(to, x, 8);
  else if (size == 4) memcpy(to, x, 4);
  else memcpy(to, x, 1);
}

static inline void run_one(blk_thread *t, const blk_body *y, blk_tuple r) {
  const blk_plan *p = &y->one;
  for (const blk_step *s = p->step, *end = s + p->n_step; s < end; s++) {
    uint32_t f = s->fn(t->at[s->r], t->at[s->a], t->at[s->b], t->at[s->c], 1);
    if (f && s->flag >= 0 && (s->kind == STEP_RUN || blk_fin_fault(t, s, 0)))
      t->flags[s->flag] = 1;
  }
  if (y->n == 1) {
    put_one(r.at[0], t->at[p->out[0].cell], y->size[0]);
    return;
  }
  uint64_t v[KIR_MAX_ACC]; /* an argument may lie where a result will */
  for (uint32_t c = 0; c < y->n; c++) put_one(&v[c], t->at[p->out[c].cell], y->size[c]);
  for (uint32_t c = 0; c < y->n; c++) put_one(r.at[c], &v[c], y->size[c]);
}

void blk_join_each(blk_joiner *w, blk_tuple r, blk_tuple a, blk_tuple b, size_t n,
                   blk_steps_of by) {
  const blk_body *y = w->body;
  blk_thread *t = &w->one;
  void **at = t->at;
  ptrdiff_t step_a[KIR_MAX_ACC], step_b[KIR_MAX_ACC], step_r[KIR_MAX_ACC];
  for (uint32_t c = 0; c < y->n; c++) {
    step_a[c] = by.a * (ptrdiff_t)y->size[c];
    step_b[c] = by.b * (ptrdiff_t)y->size[c];
    step_r[c] = by.r * (ptrdiff_t)y->size[c];
  }
  for (; n; n--) {
    for (uint32_t c = 0; c < y->n; c++) {
      at[y->arg_one[c]] = a.at[c];
      at[y->arg_one[y->n + c]] = b.at[c];
      a.at[c] += step_a[c];
      b.at[c] += step_b[c];
    }
    run_one(t, y, r);
    for (uint32_t c = 0; c < y->n; c++) r.at[c] += step_r[c];
  }
}

void blk_join(blk_joiner *w, blk_tuple r, blk_tuple a, blk_tuple b, size_t n,
              const blk_mask *mask) {
  const blk_body *y = w->body;
  size_t block = y->many.block, some;
  for (size_t i = 0; n <= FEW && i < n; i++)
    if (has_part(mask, 0, i))
      blk_join_each(w, blk_lane(y, r, i), blk_lane(y, a, i), blk_lane(y, b, i), 1,
                    (blk_steps_of){0, 0, 0});
  if (n <= FEW) return;
  for (size_t i = 0; i < n; i += some) {
    some = min_u64(n - i, block);
    join_block(w, blk_lane(y, r, i), blk_lane(y, a, i), blk_lane(y, b, i), i, some, mask);
  }
}
