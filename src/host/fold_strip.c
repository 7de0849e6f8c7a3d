/* SPDX-License-Identifier: MIT */
/* fold_strip.c - strips: where a fold's values come from.
 *
 * What the fold's input is made of decides how its rows are had: where they lie, if the
 * producer does nothing but read them, else as blocks of the producer, one for several rows
 * where the strip has all columns, or one for each row. */
#include "fold.h"

const char *blk_plain(const blk_plan *p) {
  const blk_step *s = p->step;
  if (p->n_pre != 1 || s->kind != STEP_LOAD || p->k->in[s->in].view != KV_FLAT)
    return NULL;
  elt type = p->k->in[s->in].type;
  return p->isa->map->load[type] ? NULL : p->b->in[s->in].host;
}

blk_strip blk_strip_at(const blk_plan *p, int64_t r, int64_t i, int64_t j0, size_t w) {
  blk_strip s = {.plain = blk_plain(p),
                 .e0 = (r * p->b->len + i) * p->b->inner + j0,
                 .i = i,
                 .w = w,
                 .pitch = (size_t)p->b->inner};
  if (s.plain) s.plain += (size_t)s.e0 * blk_src_size(p);
  return s;
}

blk_strip blk_strip_behind(const blk_plan *p, const blk_strip *s, int64_t from) {
  blk_strip r = *s;
  size_t skip = (size_t)from * s->pitch * blk_src_size(p);
  if (r.plain) r.plain += skip;
  r.e0 += from * p->b->inner;
  r.i += from;
  return r;
}

blk_at blk_strip_block(const blk_plan *p, const blk_strip *s, int64_t i, size_t rows) {
  return (blk_at){s->e0 + i * p->b->inner, s->i + i, p->b->len, rows * s->w, p->b->inner};
}

const char *blk_strip_rows(blk_thread *t, const blk_strip *s, int64_t i, size_t rows) {
  const blk_plan *p = t->plan;
  size_t skip = (size_t)i * s->pitch * blk_src_size(p);
  if (s->plain) return s->plain + skip;
  blk_at b = blk_strip_block(p, s, i, rows);
  blk_pre(t, &b);
  return t->at[p->fold_x];
}

size_t blk_strip_step(const blk_plan *p, const blk_strip *s) {
  size_t step = 1;
  if (s->w != s->pitch) return 1;
  while (2 * step * s->w <= p->block) step *= 2;
  return step;
}

/* Asks for what will be read after the next rows: the processor sees no stream in rows that lie
 * far apart. Nothing is read: an address behind the end does no harm. */
void blk_prefetch(const blk_strip *s, const char *x, size_t rows, size_t size) {
  if (!s->plain || s->w == 1) return;
  for (size_t k = 0; k < rows; k++)
    for (size_t at = 0; at < s->w * size; at += 64)
      __builtin_prefetch(x + (rows + k) * s->pitch * size + at);
}
