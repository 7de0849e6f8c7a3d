/* SPDX-License-Identifier: MIT */
/* fn_show.c - how functions are displayed.
 *
 * A primitive is its glyph, a dfn its text. What is made of functions is a nested array of
 * its parts (fn_parts, which ⎕CR gives too) and is displayed as such; with ]box on it is
 * drawn in boxes, as a tree, or written on a line. A tree grows downwards:
 *
 *     ┌─┼─┐      a train joins the roots of its parts; an operator with one operand stands
 *     / ÷ ≢      above it to the right, one with two between them; parts are moved together
 *   ┌─┘          until one blank is left between them in some line */
#include <string.h>
#include "../../array/canvas.h"
#include "../value/items.h"
#include "show.h"
#include "../../array/element.h"

/* ── parts ──────────────────────────────────────────────────────────────────────────── */

/* A text as a part: a glyph, a vector, or lines as a matrix. */
static arr *text_part(vm *v, str *s, bool cells) {
  bool lines = s->at && memchr(s->at, '\n', s->n);
  arr *r = NULL, *t = str_take(v, s);
  if (t)
    r = lines                     ? arr_format_matrix(v->c, t, 10)
        : t->count == 1 && !cells ? arr_scalar_at(v->c, t, 0)
                                  : arr_retain(t);
  arr_release(t);
  return r;
}

static arr *value_parts(vm *v, value x, bool cells) {
  return x.cls == C_ARR ? arr_retain(x.a) : fn_parts(v, x.f, cells);
}

/* f[axis] is shown as the operator [axis] applied to f: *bare and *wrap hold it. */
static const fn *unwrap_axis(const fn *f, fn *bare, fn *wrap) {
  if (f->kind != F_DERIVED || !f->axis) return f;
  *bare = *f;
  bare->axis = NULL;
  *wrap = (fn){.kind = F_AXIS, .axis = f->axis, .l = {.cls = C_FN, .f = bare}};
  return wrap;
}

/* One text: no operands, nor an operator's right operand alone. */
static bool one_part(const fn *f) { return f->kind < F_DERIVED && !f->r.cls; }

arr *fn_parts(vm *v, const fn *f, bool cells) {
  arr *part[5] = {NULL};
  int n = 0;
  str s = {.c = v->c};
  if (deep(v)) return NULL;
  fn bare, wrap;
  f = unwrap_axis(f, &bare, &wrap);
  bool derived = f->kind == F_DERIVED, outer = derived && f->code == OP_OUTER;
  if (one_part(f)) {
    fn_text(f, &s);
    return text_part(v, &s, cells);
  }
  if (f->kind < F_DERIVED) {
    bare = *f, bare.r = (value){0};
    fn_text(&bare, &s);
    part[n++] = text_part(v, &s, cells);
  } else if (!outer) part[n++] = value_parts(v, f->l, cells);
  for (int i = 0; outer && i < 2; i++) { /* ∘ and . */
    str_puts(&s, i ? "." : "∘");
    part[n++] = text_part(v, &s, cells);
  }
  if (f->kind == F_AXIS) {
    str_puts(&s, "[");
    if (cells) fn_axis_text(f, &s), str_puts(&s, "]");
    part[n++] = text_part(v, &s, cells);
    if (!cells) part[n++] = arr_retain(f->axis);
  } else if (derived && !outer) {
    fn oper = {.kind = F_DERIVED, .code = f->code};
    oper_text(&oper, &s);
    part[n++] = text_part(v, &s, cells);
  } else if (f->m.cls) part[n++] = value_parts(v, f->m, cells);
  if (outer) part[n++] = value_parts(v, f->l, cells);
  if (f->r.cls) part[n++] = value_parts(v, f->r, cells);
  return items_of(v, n, part);
}

/* ── trees ──────────────────────────────────────────────────────────────────────────── */

typedef struct tree_of {
  canvas b;
  int64_t root;
} tree_of; /* root: its column in line 0 */

/* A text, its lines under each other; blanks are dots, for blanks let parts come closer. */
static bool leaf(ctx *c, vm *v, str *s, tree_of *t) {
  arr *text = str_take(v, s);
  arr *m = text ? arr_format_matrix(v->c, text, 10) : NULL;
  bool ok = m && canvas_new(c, &t->b, m->shape[0], m->shape[1]);
  for (int64_t i = 0; ok && i < m->count; i++) t->b.at[i] = (uint32_t)arr_get_int(m, i);
  arr_release(text);
  arr_release(m);
  return ok;
}

static bool blank_at(const canvas *b, int64_t y, int64_t x) {
  return y >= b->h || b->at[y * b->w + x] == ' ';
}

/* Puts y to the right of x, as near as their outlines allow, below `top` free lines. Both
 * are consumed; *gap is where y begins. */
static bool mesh(ctx *c, tree_of *x, tree_of *y, int64_t top, tree_of *t, int64_t *at) {
  int64_t h = x->b.h > y->b.h ? x->b.h : y->b.h, near = INT64_MAX;
  for (int64_t i = 0; i < x->b.h && i < y->b.h; i++) {
    int64_t l = 0, r = 0;
    while (l < x->b.w && blank_at(&x->b, i, x->b.w - 1 - l)) l++;
    while (r < y->b.w && blank_at(&y->b, i, r)) r++;
    if (l + r < near) near = l + r;
  }
  int64_t from = x->b.w + 1 - near, shift = from < 0 ? -from : 0;
  int64_t w = shift + (from + y->b.w > x->b.w ? from + y->b.w : x->b.w);
  bool ok = canvas_new(c, &t->b, h + top, w);
  if (ok) canvas_draw(&t->b, top, shift, &x->b);
  for (int64_t i = 0; ok && i < y->b.h; i++)
    for (int64_t k = 0; k < y->b.w; k++)
      if (!blank_at(&y->b, i, k))
        t->b.at[(i + top) * w + shift + from + k] = y->b.at[i * y->b.w + k];
  canvas_free(&x->b);
  canvas_free(&y->b);
  x->b = y->b = (canvas){0};
  t->root = shift + x->root;
  *at = shift + from;
  return ok;
}

/* Line y from column a to b, which has a joint at `mid`. */
static void join(canvas *b, int64_t y, int64_t from, int64_t mid, int64_t to,
                 uint32_t joint) {
  for (int64_t x = from; x <= to; x++)
    b->at[y * b->w + x] = x == from  ? 0x250C
                          : x == to  ? 0x2510
                          : x == mid ? joint
                                     : 0x2500;
}

static bool grow(ctx *c, vm *v, value x, tree_of *t);

static bool grow_train(ctx *c, vm *v, const fn *f, tree_of *t) {
  tree_of k[3] = {{{0}, 0}}, right = {{0}, 0};
  int64_t at = 0, roots[3] = {0};
  bool fork = f->kind == F_FORK;
  bool ok = grow(c, v, f->l, &k[0]) && (!fork || grow(c, v, f->m, &k[1])) &&
            grow(c, v, f->r, &k[2]);
  roots[2] = k[2].root;
  if (ok && fork) {
    roots[1] = k[1].root;
    ok = mesh(c, &k[1], &k[2], 0, &right, &at);
    roots[1] = right.root;
    roots[2] += at;
  } else right = k[2], k[2].b = (canvas){0};
  ok = ok && mesh(c, &k[0], &right, 1, t, &at);
  for (int i = 0; i < 3; i++) canvas_free(&k[i].b);
  canvas_free(&right.b);
  if (!ok) return false;
  int64_t first = t->root, last = roots[2] + at;
  t->root = fork ? roots[1] + at : (first + last) / 2;
  join(&t->b, 0, first, t->root, last, fork ? 0x253C : 0x2534);
  return true;
}

/* The operator's text above two operands, or above one to its right. */
static bool grow_operator(ctx *c, vm *v, const fn *f, tree_of *t) {
  tree_of l = {{0}, 0}, r = l, op = l, both = l;
  str s = {.c = v->c};
  int64_t at = 0, mid, w;
  fn bare, wrap;
  f = unwrap_axis(f, &bare, &wrap);
  bool two = f->r.cls != C_NONE;
  if (f->kind == F_AXIS) str_puts(&s, "["), fn_axis_text(f, &s), str_puts(&s, "]");
  else oper_text(f, &s);
  bool ok = leaf(c, v, &s, &op) && grow(c, v, f->l, &l) && (!two || grow(c, v, f->r, &r));
  int64_t last = r.root;
  if (ok && two) ok = mesh(c, &l, &r, 1, &both, &at);
  if (ok && !two) {
    both.root = l.root;
    ok = canvas_new(c, &both.b, l.b.h + 1, l.b.w > l.root + 3 ? l.b.w : l.root + 3);
    if (ok) canvas_draw(&both.b, 1, 0, &l.b);
  }
  mid = !ok ? 0 : two ? (both.root + last + at) / 2 : both.root + 2;
  if (ok && two) join(&both.b, 0, both.root, mid, last + at, 0x2534);
  if (ok && !two) {
    join(&both.b, 0, both.root, -1, mid, 0);
    both.b.at[mid] = 0x2518;
  }
  w = ok && both.b.w > mid + op.b.w ? both.b.w : mid + op.b.w;
  ok = ok && canvas_new(c, &t->b, op.b.h + both.b.h, w);
  if (ok) canvas_draw(&t->b, 0, mid, &op.b), canvas_draw(&t->b, op.b.h, 0, &both.b);
  t->root = mid;
  canvas_free(&l.b), canvas_free(&r.b), canvas_free(&op.b), canvas_free(&both.b);
  return ok;
}

static bool grow(ctx *c, vm *v, value x, tree_of *t) {
  str s = {.c = v->c};
  if (deep(v)) return false;
  if (x.cls == C_ARR) {
    fn holder = {.kind = F_AXIS, .axis = x.a};
    fn_axis_text(&holder, &s);
    return leaf(c, v, &s, t);
  }
  if (x.f->kind == F_ATOP || x.f->kind == F_FORK) return grow_train(c, v, x.f, t);
  if (x.f->kind >= F_DERIVED) return grow_operator(c, v, x.f, t);
  fn_text(x.f, &s);
  return leaf(c, v, &s, t);
}

/* ── display ────────────────────────────────────────────────────────────────────────── */

static bool show_tree(vm *v, const fn *f, str *s) {
  tree_of t = {{0}, 0};
  bool ok = grow(v->c, v, (value){.cls = C_FN, .f = (fn *)(uintptr_t)f}, &t);
  for (int64_t y = 0; ok && y < t.b.h; y++) {
    for (int64_t x = 0; x < t.b.w; x++) str_putc(s, t.b.at[y * t.b.w + x]);
    str_puts(s, "\n");
  }
  canvas_free(&t.b);
  return ok;
}

bool fn_show(vm *v, const fn *f, const fmt_opts *o, str *s) {
  fmt_opts plain = {o->pp, o->pw, o->boxed ? BOX_MIN : BOX_NONE};
  bool line = one_part(f) || (o->boxed && v->box.trains >= TRAINS_PARENS);
  if (line) {
    if (v->box.trains == TRAINS_PARENS) fn_text_parens(f, s);
    else fn_text(f, s);
    str_puts(s, "\n");
    return !s->failed;
  }
  if (o->boxed && v->box.trains == TRAINS_TREE) return show_tree(v, f, s);
  arr *parts = fn_parts(v, f, o->boxed != BOX_NONE);
  bool ok = parts && arr_display(v->c, parts, &plain, s);
  arr_release(parts);
  return ok;
}
