/* SPDX-License-Identifier: MIT */
/* fn_tree.c - functions drawn as trees. A tree grows downwards:
 *
 *     ┌─┼─┐      a train joins the roots of its parts; an operator with one operand stands
 *     / ÷ ≢      above it to the right, one with two between them; parts are moved together
 *   ┌─┘          until one blank is left between them in some line */
#include "../../array/canvas.h"
#include "../../array/element.h"
#include "../value/items.h"
#include "show.h"

typedef struct drawing {
  canvas b;
  int64_t root; /* its column in line 0 */
} drawing;

static void drawing_free(drawing *d) { canvas_free(&d->b); }
#define OWNED_DRAWING __attribute__((cleanup(drawing_free)))

/* A text, its lines under each other. */
static bool draw_text(vm *v, str *s, drawing *t) {
  OWNED arr *text = str_take(v, s);
  OWNED arr *m = text ? arr_format_matrix(v->c, text, 10) : NULL;
  if (!m || !canvas_new(v->c, &t->b, m->shape[0], m->shape[1])) return false;
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
static bool mesh(vm *v, const drawing *x, const drawing *y, int64_t top, drawing *t,
                 int64_t *at) {
  int64_t from = x->b.w + 1 - nearest(&x->b, &y->b), shift = from < 0 ? -from : 0;
  int64_t w = shift + larger(from + y->b.w, x->b.w);
  if (!canvas_new(v->c, &t->b, larger(x->b.h, y->b.h) + top, w)) return false;
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

static bool draw_value(vm *v, value x, drawing *t);

/* f->l and f->r with a bar above them: an atop, or what an operator stands above. */
static bool draw_two(vm *v, const fn *f, drawing *t) {
  OWNED_DRAWING drawing l = {0};
  OWNED_DRAWING drawing r = {0};
  int64_t at;
  if (!draw_value(v, f->l, &l) || !draw_value(v, f->r, &r)) return false;
  if (!mesh(v, &l, &r, 1, t, &at)) return false;
  int64_t first = t->root, last = r.root + at;
  t->root = (first + last) / 2;
  draw_bar(&t->b, first, last, t->root, U'┴');
  return true;
}

static bool draw_fork(vm *v, const fn *f, drawing *t) {
  OWNED_DRAWING drawing l = {0};
  OWNED_DRAWING drawing m = {0};
  OWNED_DRAWING drawing r = {0};
  OWNED_DRAWING drawing right = {0};
  int64_t at, at_r;
  if (!draw_value(v, f->l, &l) || !draw_value(v, f->m, &m)) return false;
  if (!draw_value(v, f->r, &r) || !mesh(v, &m, &r, 0, &right, &at_r)) return false;
  if (!mesh(v, &l, &right, 1, t, &at)) return false;
  int64_t first = t->root;
  t->root = right.root + at;
  draw_bar(&t->b, first, r.root + at_r + at, t->root, U'┼');
  return true;
}

/* f->l alone, with a bar to the right, above which the operator stands. */
static bool draw_one(vm *v, const fn *f, drawing *t) {
  OWNED_DRAWING drawing l = {0};
  if (!draw_value(v, f->l, &l)) return false;
  if (!canvas_new(v->c, &t->b, l.b.h + 1, larger(l.b.w, l.root + 3))) return false;
  canvas_draw(&t->b, 1, 0, &l.b);
  t->root = l.root + 2;
  draw_bar(&t->b, l.root, t->root, t->root, U'─');
  canvas_put(&t->b, 0, t->root, U'┘');
  return true;
}

/* The operator's text above its operands. */
static bool draw_operator(vm *v, const fn *f, drawing *t) {
  OWNED_DRAWING drawing op = {0};
  OWNED_DRAWING drawing below = {0};
  OWNED_STR str s = {.c = v->c};
  fn bare, wrap;
  f = fn_unwrap_axis(f, &bare, &wrap);
  if (f->kind == F_AXIS) {
    str_puts(&s, "[");
    fn_axis_text(f, &s);
    str_puts(&s, "]");
  } else oper_text(f, &s);
  if (!draw_text(v, &s, &op)) return false;
  bool ok;
  if (f->r.cls) ok = draw_two(v, f, &below);
  else ok = draw_one(v, f, &below);
  if (!ok) return false;
  t->root = below.root;
  int64_t w = larger(below.b.w, t->root + op.b.w);
  if (!canvas_new(v->c, &t->b, op.b.h + below.b.h, w)) return false;
  canvas_draw(&t->b, 0, t->root, &op.b);
  canvas_draw(&t->b, op.b.h, 0, &below.b);
  return true;
}

static bool draw_value(vm *v, value x, drawing *t) {
  OWNED_STR str s = {.c = v->c};
  if (deep(v)) return false;
  if (x.cls == C_ARR) {
    fn holder = {.kind = F_AXIS, .axis = x.a};
    fn_axis_text(&holder, &s);
    return draw_text(v, &s, t);
  }
  if (x.f->kind == F_ATOP) return draw_two(v, x.f, t);
  if (x.f->kind == F_FORK) return draw_fork(v, x.f, t);
  if (x.f->kind >= F_DERIVED) return draw_operator(v, x.f, t);
  fn_text(x.f, &s);
  return draw_text(v, &s, t);
}

bool fn_show_tree(vm *v, fn *f, str *s) {
  OWNED_DRAWING drawing t = {0};
  if (!draw_value(v, (value){.cls = C_FN, .f = f}, &t)) return false;
  for (int64_t y = 0; y < t.b.h; y++) {
    for (int64_t x = 0; x < t.b.w; x++) str_putc(s, t.b.at[y * t.b.w + x]);
    str_puts(s, "\n");
  }
  return true;
}
