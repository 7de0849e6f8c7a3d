/* SPDX-License-Identifier: MIT */
/* build_linear.c - ⌹ of systems of more than LINEAR_REFINED elements, by Householder's QR in panels
 * of columns: a kernel makes the reflections of a panel, the rest is changed by products of matrices.
 * Both have the same bits wherever they are computed, and nobody waits before the end but for the
 * scales.
 *
 *   (P|A|B) of m rows     Q'P = R, Q' = I-VT'V'     (R|Q'(A|B)) is done with its first rows,
 *                                                   which wait; go on with those below
 *
 *   at the end, upwards:   x = R¯¹ (B's waiting rows - A's waiting rows × x below)
 *
 * The last panel takes B along if it is narrow: then there are no products of long columns where A is one
 * panel. Of ⌹A, whose B is the identity, that is changed by itself.
 *
 * Columns are scaled by powers of two first. What such powers do not reach and small systems are for
 * prim/linear.c. */
#include "../array/element.h"
#include "../base/arith.h"
#include "../base/mem.h"
#include "../prim/linear.h"
#include "../prim/inner_product.h"
#include "../prim/scalar.h"
#include "../tables/panel.h"
#include "build.h"
#include "exec.h"
#include "plan.h"

#include <math.h>
#include <string.h>

typedef struct matrix { /* what is below and to the right of a place of an array */
  arr *of;
  int64_t row, column;
} matrix;

typedef struct panel_rows {     /* what waits */
  arr *inverse, *above, *right; /* R's inverse */
} panel_rows;

typedef struct qr {
  const ir_call *call;
  arena memory;
  int64_t n, panels;
  arr *squares;    /* of the columns' lengths */
  matrix all;      /* A|B, or A */
  matrix identity; /* of ⌹A: all rows, and what became of them; `of` is NULL at first */
  bool inverts;
  int64_t height;   /* A's rows */
  panel_rows *rows; /* panels of them */
} qr;
#define OWNED_QR __attribute__((cleanup(qr_free)))

static void qr_free(qr *s) {
  arr_release(s->squares);
  arr_release(s->all.of);
  arr_release(s->identity.of);
  for (int64_t k = 0; k < s->panels; k++) {
    panel_rows *r = s->rows + k;
    arr *all[] = {r->inverse, r->above, r->right};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) arr_release(all[i]);
  }
  arena_free(&s->memory);
}

static arr *times(const ir_call *call, arr *x, arr *y) {
  prim_factors p = {.f = P_PLUS, .g = P_TIMES, .x = x, .y = y};
  return ir_product(call, &p);
}
static arr *minus_times(const ir_call *call, arr *from, arr *x, arr *y) {
  OWNED arr *by = x && y ? times(call, x, y) : NULL;
  OWNED arr *r = ir_dyadic(call, P_MINUS, from, by);
  return begun(call, &r);
}

static arr *part(const ir_call *call, matrix a, int64_t rows, int64_t columns) {
  int64_t from[2] = {a.row, a.column}, size[2] = {rows, columns};
  return ir_box(call, a.of, from, size);
}

static arr *rows_of(const ir_call *call, arr *a, int64_t from, int64_t n) {
  return part(call, (matrix){.of = a, .row = from}, n, a->shape[1]);
}

/* The first `columns` columns of these rows, as rows. */
static arr *turned_rows_of(const ir_call *call, arr *a, int64_t from, int64_t n,
                           int64_t columns) {
  view v;
  if (!view_shape(call->env.c, &v, 2, (int64_t[]){columns, n})) return NULL;
  view_part *p = view_add(&v);
  p->from = from * a->shape[1];
  p->stride[0] = 1;
  p->stride[1] = a->shape[1];
  return viewed(call, P_TRANSPOSE, &v, a);
}

/* ── scales ─────────────────────────────────────────────────────────────────────────── */

enum { MODERATE = 500 };

/* 2^-e, e being such that the largest element of each column is 0.5 to 1 times 2^e; NULL without
 * an error: of some column that is no moderate number. */
static arr *column_scales(const ir_call *call, arr *a) {
  OWNED arr *size = ir_monadic(call, P_RESIDUE, a);
  OWNED arr *most = ir_reduce(call, P_CEIL, size, 0);
  OWNED arr *r = arr_vec(call->env.c, ET_F64, a->shape[1]);
  if (!most || !r || !ir_host(call->g, most)) return NULL;
  const double *size_of = most->host;
  for (int64_t k = 0; k < r->count; k++) {
    double v = size_of[k];
    int e = 0;
    if (v != 0 && isfinite(v)) frexp(v, &e);
    if (!isfinite(v) || e < -MODERATE || e > MODERATE) return NULL;
    ((double *)r->host)[k] = ldexp(1, -e);
  }
  return arr_move(&r);
}

/* a's rows, or columns, times what `by` has. */
static arr *scaled(const ir_call *call, arr *a, arr *by, bool rows) {
  int k = !rows;
  OWNED arr *all = ir_spread(call, by, 2, a->shape, &k);
  return ir_dyadic(call, P_TIMES, a, all);
}

/* n of the scales, from number `from` on, or 1 ÷ them. */
static arr *some_scales(const ir_call *call, const arr *a, int64_t from, int64_t n,
                        bool inverse) {
  arr *r = arr_vec(call->env.c, ET_F64, n);
  for (int64_t k = 0; r && k < n; k++) {
    double v = ((const double *)a->host)[from + k];
    ((double *)r->host)[k] = inverse ? 1 / v : v;
  }
  return r;
}

/* ── factors ────────────────────────────────────────────────────────────────────────── */

void infer_systems(ir_node *n) {
  set_result(n->self, CLS_F, ET_F64, (range){0, 0});
  n->may_fault = true;
}

void fold_systems(plan *p, ir_node *n) {
  kacc a = {.monoid = KF_ADD, .ty = KF64, .fault = (int16_t)plan_fault(p, n)};
  if (n->x) plan_input(p, n->x, (index_map){.off = n->first}, KV_ONE);
  p->phase = 0;
  a.from = plan_element(p, n->y, identity_map, KF64);
  if (err_is(p->c)) return;
  p->phase = 1;
  plan_remember(p, n->self, identity_map, kir_fold(p->c, &p->k, &a, 1));
  vec_push(p->c, &p->whole, n);
}

static arr *panel_reference(prim_env *e, ir_node *n) {
  return prim_qr_panel(e, n->y, n->step, (const double *)n->x->host + n->first);
}

static const node_kind kind_panel = {.infer = infer_systems,
                                     .fold = fold_systems,
                                     .reference = panel_reference,
                                     .task = KIR_PANEL,
                                     .real = true};

/* The reflections of y's first `steps` columns, which are those from number `at` on. */
static arr *panel_of(qr *s, arr *y, int64_t at, int64_t steps) {
  int64_t shape[2] = {y->shape[0] + 3 * steps, y->shape[1]};
  ir_node n = {.kind = &kind_panel, .p = P_DOMINO, .x = s->squares, .y = y, .first = at};
  n.step = steps;
  n.rows = n.inner = 1;
  n.len = y->count;
  OWNED arr *r = node_new(s->call, n, 2, shape);
  return begun(s->call, &r);
}

static arr *identity_of(const ir_call *call, int64_t m, int64_t n) {
  int64_t shape[2] = {m, n};
  int first = 0, second = 1;
  OWNED arr *down = node_numbers(call, m), *across = node_numbers(call, n);
  OWNED arr *row = down ? ir_spread(call, down, 2, shape, &first) : NULL;
  OWNED arr *column = across ? ir_spread(call, across, 2, shape, &second) : NULL;
  OWNED arr *is = ir_dyadic(call, P_EQ, row, column);
  return node_convert(call, is, ET_F64);
}

typedef struct reflections { /* of a panel */
  arr *v, *y;                /* borrowed: V, and T'V' */
  bool last;
} reflections;

/* `width` columns of what is left of *a, or of the identity, less VT'V' times them. *top: the first rows
 * of that, which are done with; of the last panel the others are not needed. */
static bool reflect_rest(const ir_call *call, const reflections *by, matrix *a,
                         int64_t width, arr **top) {
  int64_t high = by->y->shape[0], all = by->y->shape[1], rows = by->last ? high : all;
  OWNED arr *rest = a->of ? part(call, *a, all, width) : NULL;
  OWNED arr *w = rest ? times(call, by->y, rest) : NULL;
  OWNED arr *from = a->of ? part(call, *a, rows, width) : identity_of(call, rows, width);
  OWNED arr *v = rows_of(call, by->v, 0, rows);
  OWNED arr *r = minus_times(call, from, v, a->of ? w : by->y);
  if (!r) return false;
  if (by->last) {
    *top = arr_move(&r);
    return true;
  }
  arr_release(a->of);
  *a = (matrix){.of = arr_move(&r)};
  OWNED arr *first = part(call, *a, high, width);
  *top = begun(call, &first);
  a->row = high;
  return *top;
}

/* The rest of the columns, and the identity, behind the panel of number k, f, of so many reflections. */
static bool reflect_others(qr *s, int64_t k, arr *f, int64_t steps) {
  const ir_call *call = s->call;
  panel_rows *to = s->rows + k;
  int64_t rows = f->shape[0] - 3 * steps, rest = s->all.of->shape[1] - s->all.column;
  if (!rest && !s->inverts) return true;
  OWNED arr *v = rows_of(call, f, 0, rows),
            *turned = turned_rows_of(call, f, 0, rows, steps);
  OWNED arr *t = rows_of(call, f, rows, steps);
  OWNED arr *product = t && turned ? times(call, t, turned) : NULL;
  OWNED arr *y = begun(call, &product);
  if (!v || !y) return false;
  reflections by = {.v = v, .y = y, .last = k + 1 == s->panels};
  if (rest && !reflect_rest(call, &by, &s->all, rest, &to->above)) return false;
  return !s->inverts || reflect_rest(call, &by, &s->identity, s->height, &to->right);
}

static bool factor_panel(qr *s, int64_t k) {
  const ir_call *call = s->call;
  panel_rows *to = s->rows + k;
  int64_t at = k * PANEL_COLUMNS, rows = s->all.of->shape[0] - s->all.row;
  int64_t steps = min_i64(s->n - at, PANEL_COLUMNS), wide = steps;
  int64_t left = s->all.of->shape[1] - s->all.column;
  if (at + steps == s->n && left <= PANEL_COLUMNS) wide = left;
  OWNED arr *columns = part(call, s->all, rows, wide);
  OWNED arr *f = columns ? panel_of(s, columns, at, steps) : NULL;
  if (!f) return false;
  OWNED arr *inverse = turned_rows_of(call, f, rows + steps, steps, steps);
  to->inverse = begun(call, &inverse);
  if (!to->inverse) return false;
  s->all.column += wide;
  if (wide == steps) return reflect_others(s, k, f, steps);
  matrix right = {.of = f, .row = rows + 2 * steps, .column = steps};
  OWNED arr *above = part(call, right, steps, wide - steps);
  to->above = begun(call, &above);
  return to->above;
}

/* Of panel k's waiting rows those of B, less those of A times x, what is below. */
static arr *right_side(qr *s, int64_t k, arr *x) {
  const ir_call *call = s->call;
  panel_rows *r = s->rows + k;
  int64_t high = r->inverse->shape[0], of_a = x ? x->shape[0] : 0;
  if (!x) return arr_retain(s->inverts ? r->right : r->above);
  OWNED arr *a = part(call, (matrix){.of = r->above}, high, of_a);
  if (s->inverts) return minus_times(call, r->right, a, x);
  matrix b = {.of = r->above, .column = of_a};
  OWNED arr *right = part(call, b, high, r->above->shape[1] - of_a);
  return minus_times(call, right, a, x);
}

/* The solution, from its last rows on. */
static arr *solve(qr *s) {
  const ir_call *call = s->call;
  OWNED arr *x = NULL;
  for (int64_t k = s->panels - 1; k >= 0; k--) {
    OWNED arr *right = right_side(s, k, x);
    OWNED arr *top = right ? times(call, s->rows[k].inverse, right) : NULL;
    OWNED arr *all = NULL;
    if (x) all = ir_dyadic(call, P_COMMA1, top, x);
    else all = arr_move(&top);
    arr_release(x);
    x = begun(call, &all);
    if (!x) return NULL;
  }
  return arr_move(&x);
}

/* ── ⌹ ──────────────────────────────────────────────────────────────────────────────── */

/* The numbers of y as f64. */
static arr *doubles(const ir_call *call, arr *y) {
  OWNED arr *a = y->type == ET_F64 ? arr_retain(y) : node_convert(call, y, ET_F64);
  if (!a || a->rank == 2) return arr_move(&a);
  return ir_reshape(call, a, 2, (int64_t[]){a->count, 1});
}

/* A|B, scaled; its columns' scales, NULL after an error or where they are for the host. */
static arr *load(qr *s, arr *x, arr *y) {
  const ir_call *call = s->call;
  OWNED arr *a = doubles(call, y), *b = x ? doubles(call, x) : NULL;
  OWNED arr *all = x ? ir_dyadic(call, P_COMMA, a, b) : arr_retain(a);
  OWNED arr *scales = all ? column_scales(call, all) : NULL;
  OWNED arr *small = scales ? scaled(call, all, scales, false) : NULL;
  s->all.of = begun(call, &small);
  return s->all.of ? arr_move(&scales) : NULL;
}

/* The result from x, that of scaled columns. */
static arr *scaled_back(qr *s, arr *x, arr *scales) {
  const ir_call *call = s->call;
  OWNED arr *of_a = some_scales(call, scales, 0, s->n, false);
  OWNED arr *rows = of_a ? scaled(call, x, of_a, true) : NULL;
  if (!rows || s->inverts) return arr_move(&rows);
  OWNED arr *of_b = some_scales(call, scales, s->n, scales->count - s->n, true);
  return of_b ? scaled(call, rows, of_b, false) : NULL;
}

static arr *divide_scaled(qr *s, arr *scales) {
  OWNED arr *squares = ir_dyadic(s->call, P_TIMES, s->all.of, s->all.of);
  OWNED arr *sums = ir_reduce(s->call, P_PLUS, squares, 0);
  s->squares = begun(s->call, &sums);
  if (!s->squares) return NULL;
  s->panels = ceil_div(s->n, PANEL_COLUMNS);
  s->rows = arena_alloc(&s->memory, (size_t)s->panels * sizeof *s->rows);
  if (!s->rows) s->panels = 0;
  for (int64_t k = 0; k < s->panels; k++)
    if (!factor_panel(s, k)) return NULL;
  OWNED arr *x = solve(s);
  return x ? scaled_back(s, x, scales) : NULL;
}

/* On a device what is short goes by kernels, too: nothing is to come to the host on the way. */
static arr *divide(qr *s, arr *x, arr *y) {
  ir_tune *tune = &s->call->g->tune;
  int64_t direct = tune->direct;
  s->n = y->shape[1];
  s->height = y->shape[0];
  s->inverts = !x;
  OWNED arr *scales = load(s, x, y);
  if (!scales) return NULL;
  if (not_on_host(s->all.of)) tune->direct = 0;
  OWNED arr *r = divide_scaled(s, scales);
  tune->direct = direct;
  if (r && x && x->rank == 1) return ir_monadic(s->call, P_COMMA, r);
  return arr_move(&r);
}

/* Are a's elements, which may be under way, real numbers? Complex numbers? */
static bool is_real(const ir_call *call, arr *a) {
  return is_readable(a, false) && ir_settle(call->g, a) && is_readable(a, false);
}
static bool is_number(const arr *a) { return !a || elt_is_num((elt)a->type); }
static bool is_complex(const ir_call *call, arr *a) {
  return a->type == ET_C128 && ir_settle(call->g, a) && a->type == ET_C128;
}

static arr *divide_real(const ir_call *call, arr *x, arr *y) {
  OWNED_QR qr s = {.call = call, .memory = {.c = call->env.c}};
  return divide(&s, x, y);
}

/* ── complex numbers ── A+Bi is (A,-B)⍪(B,A); real parts lie above imaginary ones. */

static arr *parts_below(const ir_call *call, arr *re, arr *im) {
  return re && im ? ir_dyadic(call, P_COMMA1, re, im) : NULL;
}

/* The result from its parts, the first and the second half of r's rows. */
static arr *of_halves(const ir_call *call, arr *r) {
  int64_t from[2] = {0}, size[2] = {r->shape[0] / 2, r->rank == 2 ? r->shape[1] : 1};
  OWNED arr *re = ir_box(call, r, from, size);
  from[0] = size[0];
  OWNED arr *im = re ? ir_box(call, r, from, size) : NULL;
  if (!im) return NULL;
  ir_node both = {.kind = &kind_scalar, .p = P_COMPLEX, .x = re, .y = im, .left = true};
  return node_new(call, both, im->rank, im->shape);
}

static arr *divide_complex(const ir_call *call, arr *x, arr *y) {
  OWNED arr *re = ir_monadic(call, P_REAL, y);
  OWNED arr *im = re ? ir_monadic(call, P_IMAGINARY, y) : NULL;
  OWNED arr *minus = im ? ir_monadic(call, P_MINUS, im) : NULL;
  OWNED arr *above = minus ? ir_dyadic(call, P_COMMA, re, minus) : NULL;
  OWNED arr *below = above ? ir_dyadic(call, P_COMMA, im, re) : NULL;
  OWNED arr *all = parts_below(call, above, below);
  if (!all) return NULL;
  OWNED arr *b = NULL;
  if (x) {
    OWNED arr *x_re = ir_monadic(call, P_REAL, x);
    OWNED arr *x_im = x_re ? ir_monadic(call, P_IMAGINARY, x) : NULL;
    b = parts_below(call, x_re, x_im);
  } else {
    b = identity_of(call, all->shape[0], y->shape[0]);
  }
  OWNED arr *r = b ? divide_real(call, b, all) : NULL;
  return r ? of_halves(call, r) : NULL;
}

arr *ir_divide(const ir_call *call, arr *x, arr *y) {
  enum { MOST_ROWS = 1 << 24 }; /* places of a panel's elements have 32 bits */
  bool complex = is_complex(call, y) || (x && is_complex(call, x));
  int parts = complex ? 2 : 1;
  bool fits = y->rank == 2 && y->count > LINEAR_REFINED / (parts * parts) &&
              y->shape[0] >= y->shape[1] && y->shape[0] < MOST_ROWS / parts;
  if (x) fits = fits && (x->rank == 1 || x->rank == 2) && x->shape[0] == y->shape[0];
  if (!fits || (x && !x->count) || err_is(call->env.c)) return NULL;
  if (complex) return is_number(x) && is_number(y) ? divide_complex(call, x, y) : NULL;
  if ((x && !is_real(call, x)) || !is_real(call, y)) return NULL;
  OWNED arr *r = divide_real(call, x, y);
  if (!r || sc_number_type(x, y) == ET_F64) return arr_move(&r);
  return node_convert(call, r, ET_F32);
}
