/* SPDX-License-Identifier: MIT */
/* shift.c - what moves elements, in parts: ↑ ↓ ⌽ ⊖ , ⍪ ⍴ ⌷, boxes, windows and whatever else is a view.
 *
 *   view of whole arrays ─▶ what each rank reads of each source ─▶ these elements here ─▶ view of them: the part
 *
 * A view (array/view.h) tells where each element of the result comes from, and is made of shapes alone. The rows
 * that a rank has of the result read one stretch of the source for each of its parts: from the first element that
 * is read to the last one. If that lies in the rank's own part on all ranks, nothing is sent, and the part of the
 * result is a view of the part. Else the stretches are fetched (fetch.h), and it is a view of those.
 *
 * Where stretches are much longer than what is read of them, as those of ⍉ are, ranks send blocks (transpose.c). */
#include "forms.h"
#include "../array/convert.h"
#include "../base/arith.h"
#include "../ir/build.h"
#include "fetch.h"
#include <string.h>

enum { SOURCES = 2 };

typedef struct shift {
  dist *d;
  const view *v;
  arr *of[SOURCES];         /* the sources, borrowed; NULL: there is none */
  int64_t *starts[SOURCES]; /* of a cut one: where parts begin, in elements */
  bool fetches[SOURCES];    /* some rank reads what it does not have */
  int64_t inner;            /* elements of a row of the result */
  bool blocks;              /* every rank reads of every other one (transpose.c) */
} shift;

/* One of the sources, for fetched(). */
typedef struct shift_source {
  const shift *s;
  int k;
} shift_source;

/* ── what ranks read ── */

/* The rows of the result that rank r has: from *a to *b - 1. */
static void rows_of(const shift *s, int r, int64_t *a, int64_t *b) {
  int64_t n = s->v->shape[0];
  *a = cut_at(n, s->d->ranks, r);
  *b = cut_at(n, s->d->ranks, r + 1);
}

/* Which positions along p's first axis stand in rows of rank r: from *i to *j - 1. False: none, or nothing else. */
static bool positions_of(const shift *s, const view_part *p, int r, int64_t *i,
                         int64_t *j) {
  int64_t a, b, lo = p->to / s->inner;
  rows_of(s, r, &a, &b);
  *i = max_i64(a - lo, 0);
  *j = min_i64(b - lo, p->len[0]);
  bool some = *i < *j;
  for (int k = 1; k < p->rank; k++) some = some && p->len[k] > 0;
  return some;
}

/* The source's elements that positions i to j - 1 read: *lo to *hi - 1, or some of them. */
static void read_between(const view_part *p, int64_t i, int64_t j, int64_t *lo,
                         int64_t *hi) {
  int64_t step = p->stride[0], first = p->from + i * step,
          last = first + (j - 1 - i) * step;
  *lo = min_i64(first, last);
  *hi = max_i64(first, last) + 1;
  for (int k = 1; k < p->rank; k++) {
    int64_t reach = (p->len[k] - 1) * p->stride[k];
    if (reach < 0) *lo += reach;
    else *hi += reach;
  }
}

/* The elements of the result that rank r has are, modulo m, those from *from on; is each of them among these? */
static bool reads_all(const shift *s, int r, int64_t *from, int64_t *n) {
  int64_t a, b, m = s->v->modulo;
  rows_of(s, r, &a, &b);
  *n = (b - a) * s->inner;
  *from = a * s->inner % m;
  return *n >= m;
}

static void want_cycle(const shift *s, wanted *w) {
  int64_t from, n, m = s->v->modulo;
  if (reads_all(s, w->rank, &from, &n)) {
    want(w, 0, m);
    return;
  }
  want(w, from, min_i64(from + n, m));
  want(w, 0, from + n - m);
}

static void want_source(const void *user, wanted *w) {
  const shift_source *of = user;
  const shift *s = of->s;
  int64_t i, j, lo, hi;
  if (s->v->modulo) want_cycle(s, w);
  for (int k = 0; k < s->v->parts; k++) {
    const view_part *p = &s->v->part[k];
    if (p->source != of->k || !positions_of(s, p, w->rank, &i, &j)) continue;
    read_between(p, i, j, &lo, &hi);
    want(w, lo, hi);
  }
}

/* ── is there such a form? ── */

static bool are_rows(const shift *s) {
  for (int k = 0; k < s->v->parts; k++) {
    const view_part *p = &s->v->part[k];
    if (p->rank != s->v->rank || p->to_stride[0] != s->inner) return false;
    for (int j = 0; j < p->rank; j++)
      if (p->list[j]) return false;
  }
  return true;
}

/* What comes from source k. */
static fetching fetching_of(const shift *s, const shift_source *of, elt t) {
  return (fetching){.starts = s->starts[of->k], .wants = want_source, .user = of, .t = t};
}

/* Finds out what is fetched, and whether that is by blocks. False: it is too much. */
static bool is_little(shift *s) {
  int64_t all = 0, most = s->v->count, n = s->v->count;
  for (int k = 0; k < SOURCES; k++) {
    if (!s->starts[k]) continue;
    shift_source part = {s, k};
    fetching f = fetching_of(s, &part, ET_I8);
    int64_t some = fetch_count(&f, s->d->ranks);
    s->fetches[k] = some > 0;
    most += s->of[k]->count;
    all += some;
  }
  s->blocks = all > n - n / s->d->ranks && !s->of[0] && block_axis(s->v, s->of[1]);
  return s->blocks || all < most;
}

static bool are_simple(const arr *x, const arr *y) {
  if (y->type == ET_NEST || (x && x->type == ET_NEST)) return false;
  return !x || !x->count || !y->count ||
         elt_is_char((elt)x->type) == elt_is_char((elt)y->type);
}

static bool find_starts(shift *s) {
  for (int k = 0; k < SOURCES; k++) {
    arr *a = s->of[k];
    if (!is_cut(a)) continue;
    s->starts[k] = part_starts(s->d, a->rank, a->shape);
    if (!s->starts[k]) return false;
  }
  return true;
}

/* ── the type ── */

/* Beside f32 the values of integers decide, wherever they are. */
static bool joined_type(const shift *s, elt *t) {
  dist *d = s->d;
  arr_joined j = {0};
  inside_begin(d);
  for (int k = 0; k < SOURCES; k++) {
    arr *a = is_cut(s->of[k]) ? part_of(d, s->of[k]) : s->of[k];
    if (a && ir_host(d->g, a)) arr_join_add(&j, a);
  }
  inside_end(d);
  int64_t is_long = j.long_integers;
  bool met = dist_meet_values(d, AGREE_VALUES, &is_long, 1);
  j.long_integers = is_long > 0;
  *t = arr_joined_type(&j);
  return met;
}

/* The type of the result's elements; their sources are settled then. */
static bool find_type(const shift *s, elt *t) {
  arr *x = s->of[0], *y = s->of[1];
  if ((x && !parts_settle(s->d, x)) || !parts_settle(s->d, y)) return false;
  bool both = x && x->count && y->count;
  if (both) *t = elt_join((elt)x->type, (elt)y->type);
  else *t = (elt)(x && !y->count ? x->type : y->type);
  bool singles = both && x->type != y->type && (x->type == ET_F32 || y->type == ET_F32);
  return !singles || joined_type(s, t);
}

/* ── this rank's part ── */

/* What this rank reads of source k, owned, in type t. */
static arr *window_of(const ir_call *call, shift *s, int k, elt t) {
  arr *a = s->of[k];
  OWNED arr *w = NULL;
  if (!is_cut(a)) w = arr_retain(a);
  else if (!s->fetches[k]) w = arr_retain(part_of(s->d, a));
  else {
    shift_source part = {s, k};
    fetching f = fetching_of(s, &part, t);
    return fetched(call, part_of(s->d, a), &f);
  }
  if (w->type == t || !w->count) return arr_move(&w);
  return ir_host(call->g, w) ? arr_convert(s->d->c, w, t) : NULL;
}

/* Where element `lo` of source k's ravel, which is the first of stretch `at` of what is fetched, stands in its
 * window, less lo. */
static int64_t moved_by(const shift *s, int k, int64_t lo, int64_t at) {
  if (!s->starts[k]) return 0;
  return s->fetches[k] ? at - lo : -s->starts[k][s->d->me];
}

/* The view of the windows that the part is. */
static bool local_view(const shift *s, view *l) {
  int64_t a, b, i, j, lo, hi, at[SOURCES] = {0}, shape[ARR_MAX_RANK];
  const view *v = s->v;
  rows_of(s, s->d->me, &a, &b);
  memcpy(shape, v->shape, (size_t)v->rank * sizeof *shape);
  shape[0] = b - a;
  if (!view_shape(s->d->c, l, v->rank, shape)) return false;
  l->fills = v->fills;
  for (int k = 0; k < v->parts; k++) {
    const view_part *p = &v->part[k];
    if (!positions_of(s, p, s->d->me, &i, &j)) continue;
    read_between(p, i, j, &lo, &hi);
    view_part *q = &l->part[l->parts++];
    *q = *p;
    q->len[0] = j - i;
    q->to = p->to + (i - a) * s->inner;
    q->from = p->from + i * p->stride[0] + moved_by(s, p->source, lo, at[p->source]);
    at[p->source] += hi - lo;
  }
  return true;
}

static arr *blanks(ctx *c, elt t, const view *v) {
  OWNED arr *r = arr_new(c, t, v->rank, v->shape);
  return r && arr_blank(r) ? arr_move(&r) : NULL;
}

static arr *cycle_part(const ir_call *call, const shift *s, arr *window, const view *l) {
  int64_t from, n;
  bool all = reads_all(s, s->d->me, &from, &n) || !s->fetches[1];
  OWNED arr *line = ir_monadic(call, P_COMMA, window);
  OWNED arr *by = line ? arr_int(call->env.c, all ? from : 0) : NULL;
  OWNED arr *turned = by && all && from ? ir_dyadic(call, P_REVERSE, by, line) : NULL;
  if (!by || (all && from && !turned)) return NULL;
  return ir_reshape(call, turned ? turned : line, l->rank, l->shape);
}

static arr *view_part_made(const ir_call *call, prim p, const shift *s,
                           arr *const *window, elt t) {
  view l;
  if (!local_view(s, &l)) return NULL;
  if (!l.count || (!l.parts && !s->v->modulo)) return blanks(call->env.c, t, &l);
  if (s->v->modulo) return cycle_part(call, s, window[1], &l);
  bool both = l.parts == SOURCES && l.part[0].source != l.part[1].source;
  if (both) return viewed_both(call, p, &l, window[0], window[1]);
  int k = l.part[0].source;
  for (int i = 0; i < l.parts; i++) l.part[i].source = 0;
  return viewed(call, P_TAKE, &l, window[k]); /* some of ⍉y is not ⍉ of anything */
}

static arr *part_made(const ir_call *call, prim p, shift *s, elt t) {
  if (s->blocks) return blocks_part(call, s->v, s->of[1], t);
  OWNED arr *x = s->of[0] ? window_of(call, s, 0, t) : NULL;
  OWNED arr *y = s->of[1] ? window_of(call, s, 1, t) : NULL;
  if ((s->of[0] && !x) || (s->of[1] && !y)) return NULL;
  inside_begin(s->d);
  arr *part = view_part_made(call, p, s, (arr *[]){x, y}, t);
  inside_end(s->d);
  return part;
}

/* ── the entry ── */

/* The only element. */
static arr *one_element(const ir_call *call, const shift *s) {
  const view *v = s->v;
  for (int k = 0; k < v->parts; k++) {
    const view_part *p = &v->part[k];
    arr *from = s->of[p->source];
    if (!arr_product(p->rank, p->len)) continue;
    if (!is_cut(from)) return NULL;
    OWNED arr *one = part_pick(call, from, p->from);
    return one ? arr_reshape(call->env.c, one, v->rank, v->shape) : NULL;
  }
  return NULL;
}

static arr *made_in_parts(const ir_call *call, prim p, shift *s) {
  const view *v = s->v;
  elt t;
  if (!op_begins(s->d, call->at) || !find_type(s, &t)) return NULL;
  if (!v->count) return arr_new(call->env.c, t, v->rank, v->shape);
  if (!is_cut_shape(s->d, v->rank, v->shape) && !may_gather(s->d, t, v->count))
    return NULL;
  return cut_array_as(call, part_made(call, p, s, t), t, v->rank, v->shape);
}

arr *shift_view(const ir_call *call, prim p, const view *v, arr *x, arr *y) {
  dist *d = dist_of(call);
  if (!are_simple(x, y) || !parts_ready(call, x, y)) return NULL;
  view own = *v;
  for (int k = 0; k < own.parts && !x; k++) own.part[k].source = 1;
  shift s = {.d = d, .v = &own, .of = {x, y}};
  if (v->count == 1) return one_element(call, &s);
  if (v->count) s.inner = v->count / v->shape[0];
  arr *r = NULL;
  bool is = find_starts(&s) && (!v->count || are_rows(&s));
  if (is && v->count) is = is_little(&s);
  if (is) r = made_in_parts(call, p, &s);
  for (int k = 0; k < SOURCES; k++) mem_free(d->c, s.starts[k]);
  return r;
}
