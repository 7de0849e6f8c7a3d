/* SPDX-License-Identifier: MIT */
/* drawing.c - trees drawn downwards: canvases put side by side, with bars above them. */
#include "drawing.h"
#include "../array/display.h"
#include "../array/element.h"

void drawing_free(drawing *t) { canvas_free(&t->b); }

bool draw_label(ctx *c, const str *s, drawing *t) {
  if (s->failed) return false;
  OWNED arr *text = arr_text(c, s->at, s->n);
  if (!text) return false;
  OWNED arr *m = arr_format_matrix(c, text, 10);
  if (!m || !canvas_new(c, &t->b, m->shape[0], m->shape[1])) return false;
  for (int64_t i = 0; i < m->count; i++) t->b.at[i] = (uint32_t)arr_get_int(m, i);
  return true;
}

static bool is_blank(const canvas *b, int64_t y, int64_t x) {
  return y >= b->h || b->at[y * b->w + x] == ' ';
}

static int64_t larger(int64_t x, int64_t y) { return x > y ? x : y; }

/* How many columns there are between x and y, put side by side, where they come nearest. */
static int64_t nearest(const canvas *x, const canvas *y) {
  int64_t near = INT64_MAX;
  for (int64_t i = 0; i < x->h && i < y->h; i++) {
    int64_t l = 0, r = 0;
    while (l < x->w && is_blank(x, i, x->w - 1 - l)) l++;
    while (r < y->w && is_blank(y, i, r)) r++;
    if (l + r < near) near = l + r;
  }
  return near;
}

/* Puts y to the right of x, as near as their outlines allow, below `top` free lines: *t, its
 * root being x's. *at is where y begins. */
static bool mesh(ctx *c, const drawing *x, const drawing *y, int64_t top, drawing *t,
                 int64_t *at) {
  int64_t from = x->b.w + 1 - nearest(&x->b, &y->b), shift = from < 0 ? -from : 0;
  int64_t w = shift + larger(from + y->b.w, x->b.w);
  if (!canvas_new(c, &t->b, larger(x->b.h, y->b.h) + top, w)) return false;
  canvas_draw(&t->b, top, shift, &x->b);
  for (int64_t i = 0; i < y->b.h; i++)
    for (int64_t k = 0; k < y->b.w; k++)
      if (!is_blank(&y->b, i, k))
        canvas_put(&t->b, i + top, shift + from + k, y->b.at[i * y->b.w + k]);
  t->root = shift + x->root;
  *at = shift + from;
  return true;
}

/* A bar in line 0, from the root of the first part to that of the last, with a joint. */
static void draw_bar(canvas *b, int64_t first, int64_t last, int64_t mid,
                     uint32_t joint) {
  for (int64_t x = first; x <= last; x++) canvas_put(b, 0, x, U'─');
  canvas_put(b, 0, mid, joint);
  canvas_put(b, 0, first, U'┌');
  canvas_put(b, 0, last, U'┐');
}

bool draw_pair(ctx *c, const drawing *l, const drawing *r, drawing *t) {
  int64_t at;
  if (!mesh(c, l, r, 1, t, &at)) return false;
  int64_t first = t->root, last = r->root + at;
  t->root = (first + last) / 2;
  draw_bar(&t->b, first, last, t->root, U'┴');
  return true;
}

bool draw_three(ctx *c, const drawing *l, const drawing *m, const drawing *r,
                drawing *t) {
  OWNED_DRAWING drawing right = {0};
  int64_t at_right, at_r;
  if (!mesh(c, m, r, 0, &right, &at_r) || !mesh(c, l, &right, 1, t, &at_right))
    return false;
  int64_t first = t->root;
  t->root = right.root + at_right;
  draw_bar(&t->b, first, r->root + at_r + at_right, t->root, U'┼');
  return true;
}

bool draw_single(ctx *c, const drawing *l, drawing *t) {
  if (!canvas_new(c, &t->b, l->b.h + 1, larger(l->b.w, l->root + 3))) return false;
  canvas_draw(&t->b, 1, 0, &l->b);
  t->root = l->root + 2;
  draw_bar(&t->b, l->root, t->root, t->root, U'─');
  canvas_put(&t->b, 0, t->root, U'┘');
  return true;
}

bool draw_above(ctx *c, const drawing *label, const drawing *below, drawing *t) {
  int64_t w = larger(below->b.w, below->root + label->b.w);
  if (!canvas_new(c, &t->b, label->b.h + below->b.h, w)) return false;
  t->root = below->root;
  canvas_draw(&t->b, 0, t->root, &label->b);
  canvas_draw(&t->b, label->b.h, 0, &below->b);
  return true;
}

void draw_lines(const drawing *t, str *s) {
  for (int64_t y = 0; y < t->b.h; y++) {
    for (int64_t x = 0; x < t->b.w; x++) str_putc(s, t->b.at[y * t->b.w + x]);
    str_puts(s, "\n");
  }
}
