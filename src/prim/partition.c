/* SPDX-License-Identifier: MIT */
/* partition.c - x⊂y and x⊆y: an axis is cut into parts, which become items. */
#include "scalar.h"
#include "struct.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../base/arith.h"

#include <string.h>

/* Positions from..to-1 along axis k of y as an array of their own. */
static arr *slice(prim_env *e, arr *y, int k, int64_t from, int64_t to) {
  int64_t shape[ARR_MAX_RANK];
  view v;
  memcpy(shape, y->shape, (size_t)y->rank * sizeof *shape);
  shape[k] = to - from;
  if (!view_shape(e->c, &v, y->rank, shape)) return NULL;
  view_part *p = view_add(&v);
  strides_of(y->rank, y->shape, p->stride);
  if (v.count) p->from = from * p->stride[k];
  return view_copy(e->c, &v, &y);
}

typedef struct parts { /* a vector of slices along axis k of y while it is made */
  prim_env *e;
  arr *y, *r;
  int k;
  int64_t n;
  arr_pool pool; /* where parts of a simple vector stand */
} parts;

static bool add_part(parts *p, int64_t from, int64_t to) {
  bool simple = p->y->rank == 1 && p->y->type != ET_NEST;
  arr *item = NULL;
  if (simple) item = arr_pool_part(p->e->c, &p->pool, p->y, from, to - from);
  else item = slice(p->e, p->y, p->k, from, to);
  ((arr **)p->r->host)[p->n++] = item;
  return item != NULL;
}

/* Makes room for n parts; without any the vector is empty, with an empty part as its
 * prototype. */
static bool parts_new(parts *p, int64_t n) {
  p->r = arr_new_items(p->e->c, 1, &n);
  return p->r && (n || add_part(p, 0, 0));
}

static arr *parts_done(parts *p, bool ok) {
  arr_pool_end(&p->pool);
  if (ok) return p->r;
  arr_release(p->r);
  return NULL;
}

/* The left argument of a partition: whole numbers ≥ 0, one for each position or a scalar
 * for all. ⊂ may leave some out at the end, or have one more. */
static arr *part_marks(prim_env *e, arr *x, const arr *y, int k, bool uneven) {
  int64_t n = y->shape[k];
  if (x->rank > 1) return fail(e, ERR_RANK, "the left argument must be a vector");
  bool fits = x->count == n || x->count == 1;
  if (uneven) fits = x->count <= n + 1;
  if (x->rank && !fits)
    return fail(e, ERR_LENGTH, "the left argument does not fit the axis that is cut");
  OWNED arr *m = prim_ints(e, x, "the left argument");
  bool may_be_negative = m && m->type != ET_BIT && !(m->has_range && m->lo >= 0);
  for (int64_t i = 0; may_be_negative && i < m->count; i++)
    if (arr_get_int(m, i) < 0)
      return fail(e, ERR_DOMAIN, "the left argument must not be negative");
  if (!m || uneven || m->count != 1) return arr_move(&m);
  return arr_scalar_at(e->c, m, 0);
}

/* ── where the parts lie ────────────────────────────────────────────────────────────── */

/* The marks of positions 0 to n-1, and of the end. */
typedef struct marks {
  const int64_t *each;  /* of whole numbers, `count` of them; what is behind them is 0 */
  const uint64_t *bits; /* of truth values, likewise */
  int64_t all;          /* neither: of a scalar, which says nothing of the end */
  int64_t count;
} marks;

/* `as` keeps the numbers where they had to be converted. */
static bool marks_open(prim_env *e, arr *m, int64_t n, marks *to, arr **as) {
  *to = (marks){.count = m->count};
  if (!m->rank) {
    to->all = arr_get_int(m, 0);
    to->count = n;
  } else if (m->type == ET_BIT) {
    to->bits = m->host;
  } else {
    *as = arr_convert(e->c, m, ET_I64);
    if (!*as) return false;
    to->each = (*as)->host;
  }
  return true;
}

static int64_t mark_at(const marks *m, int64_t i) {
  if (i >= m->count) return 0;
  if (m->each) return m->each[i];
  if (m->bits) return (int64_t)(m->bits[i / 64] >> (i % 64) & 1);
  return m->all;
}

/* The first position from i on whose mark is not 0, or the count. */
static int64_t next_mark(const marks *m, int64_t i) {
  if (m->each)
    while (i < m->count && !m->each[i]) i++;
  if (!m->bits) return m->each || m->all ? min_i64(i, m->count) : m->count;
  while (i < m->count) {
    uint64_t word = m->bits[i / 64] >> (i % 64);
    if (word) return min_i64(i + __builtin_ctzll(word), m->count);
    i += 64 - i % 64;
  }
  return m->count;
}

/* Rows of two numbers: the positions from … to - 1 of a part. They are counted first. */
typedef struct part_rows {
  int64_t *at; /* NULL while they are counted */
  int64_t n;
} part_rows;

static void add_row(part_rows *r, int64_t from, int64_t to) {
  if (r->at) {
    r->at[2 * r->n] = from;
    r->at[2 * r->n + 1] = to;
  }
  r->n++;
}

/* x⊂y: x[i] parts start in front of position i, all but the last of them empty. */
static bool enclosed_rows(prim_env *e, const marks *m, int64_t n, part_rows *r) {
  int64_t open = -1;
  for (int64_t i = next_mark(m, 0); i < m->count; i = next_mark(m, i + 1)) {
    int64_t v = mark_at(m, i);
    if (v > INT64_MAX / 16 - r->n) return err_set(e->c, ERR_WS_FULL, "too many parts");
    if (interrupted(e->c)) return false;
    if (!r->at) {
      r->n += v - (open < 0);
      open = i;
      continue;
    }
    for (; v > 0; v--) {
      if (open >= 0) add_row(r, open, i);
      open = i;
    }
  }
  if (open >= 0) add_row(r, open, n);
  return true;
}

/* x⊆y: a part starts where x grows, positions with x of 0 are in none. */
static bool nested_rows(prim_env *e, const marks *m, int64_t n, part_rows *r) {
  int64_t from = -1, before = 0;
  for (int64_t i = 0; i <= n; i++) {
    int64_t v = i < n ? mark_at(m, i) : 0;
    if (from >= 0 && (!v || v > before)) {
      add_row(r, from, i);
      from = -1;
    }
    if (v > before) from = i;
    before = v;
    if (i % 65536 == 0 && interrupted(e->c)) return false;
  }
  return true;
}

static bool fill_rows(prim_env *e, prim f, const marks *m, int64_t n, part_rows *r) {
  r->n = 0;
  if (f == P_ENCLOSE) return enclosed_rows(e, m, n, r);
  return nested_rows(e, m, n, r);
}

/* Those of x⊂y of truth values x, a word at a time. */
static arr *rows_of_truths(prim_env *e, const arr *x, int64_t n) {
  enum { WORD = 64 };
  int64_t count = 0, k = 0;
  for (int64_t i = 0; i < x->count; i += WORD)
    count += __builtin_popcountll(sc_word(x, i));
  OWNED arr *r = arr_new(e->c, ET_I64, 2, (int64_t[]){count, 2});
  int64_t *at = r ? r->host : NULL;
  for (int64_t i = 0; r && i < x->count; i += WORD) {
    for (uint64_t w = sc_word(x, i); w; w &= w - 1) {
      int64_t from = i + __builtin_ctzll(w);
      if (k) at[2 * k - 1] = from; /* where the part before it ends */
      at[2 * k++] = from;
    }
    if (interrupted(e->c)) return NULL;
  }
  if (r && count) at[2 * count - 1] = n;
  return arr_move(&r);
}

/* Which of the 64 bits from i on differ from the one before; in front of all and behind them are
 * zeros. */
static uint64_t changes(const arr *x, int64_t i) {
  uint64_t before = i ? sc_word(x, i - 64) >> 63 : 0, word = sc_word(x, i);
  return word ^ (word << 1 | before);
}

/* Those of x⊆y of truth values x: parts begin and end in turn where they change. */
static arr *rows_of_runs(prim_env *e, const arr *x) {
  enum { WORD = 64 };
  int64_t count = 0, k = 0;
  for (int64_t i = 0; i < x->count; i += WORD)
    count += __builtin_popcountll(changes(x, i));
  count = (count + 1) / 2;
  OWNED arr *r = arr_new(e->c, ET_I64, 2, (int64_t[]){count, 2});
  int64_t *at = r ? r->host : NULL;
  for (int64_t i = 0; r && i < x->count; i += WORD) {
    for (uint64_t w = changes(x, i); w; w &= w - 1) at[k++] = i + __builtin_ctzll(w);
    if (interrupted(e->c)) return NULL;
  }
  if (r && k < 2 * count) at[k] = x->count; /* the last one ends with x */
  return arr_move(&r);
}

/* The rows of partition_rows; `items`: each is going to be an item. */
static arr *rows_of(prim_env *e, prim f, arr *x, const arr *y, int k, bool items) {
  OWNED arr *of = part_marks(e, x, y, k, f == P_ENCLOSE), *as = NULL;
  marks m;
  part_rows rows = {0};
  if (!of || !marks_open(e, of, y->shape[k], &m, &as)) return NULL;
  bool truths = f == P_ENCLOSE && of->type == ET_BIT && of->count == m.count;
  if (truths && of->rank == 1) return rows_of_truths(e, of, y->shape[k]);
  if (f == P_NEST && of->type == ET_BIT && of->rank == 1) return rows_of_runs(e, of);
  if (!fill_rows(e, f, &m, y->shape[k], &rows)) return NULL;
  if (items && !arr_items_fit(e->c, rows.n)) return NULL;
  OWNED arr *r = arr_new(e->c, ET_I64, 2, (int64_t[]){rows.n, 2});
  if (!r) return NULL;
  rows.at = r->host;
  if (!fill_rows(e, f, &m, y->shape[k], &rows)) return NULL;
  return arr_move(&r);
}

arr *partition_rows(prim_env *e, prim f, arr *x, const arr *y, int k) {
  return rows_of(e, f, x, y, k, false);
}

/* ── the parts ──────────────────────────────────────────────────────────────────────── */

/* The parts of axis k of y that the rows name. */
static arr *parts_of(prim_env *e, const arr *rows, arr *y, int k) {
  const int64_t *at = rows->host;
  parts p = {.e = e, .y = y, .k = k};
  bool ok = parts_new(&p, rows->shape[0]);
  for (int64_t i = 0; ok && i < rows->shape[0]; i++) {
    ok = add_part(&p, at[2 * i], at[2 * i + 1]);
    if (i % 65536 == 0 && interrupted(e->c)) ok = false;
  }
  return parts_done(&p, ok);
}

arr *partition_items(prim_env *e, const arr *rows, arr *y) {
  return parts_of(e, rows, y, 0);
}

arr *partition_axis(prim_env *e, arr *x, arr *y, int k) {
  OWNED arr *rows = rows_of(e, P_ENCLOSE, x, y, k, true);
  if (!rows) return NULL;
  return parts_of(e, rows, y, k);
}

/* Rank above 1: the parts are vectors along axis k, one vector of them for each line. */
arr *nest_axis(prim_env *e, arr *x, arr *y, int k) {
  int64_t to[ARR_MAX_RANK];
  view v;
  OWNED arr *rows = rows_of(e, P_NEST, x, y, k, true);
  if (!rows) return NULL;
  if (y->rank == 1) return parts_of(e, rows, y, 0);
  OWNED arr *lines = enclose_axes(e, y, 1, &k);
  if (!lines) return NULL;
  for (int64_t i = 0; i < arr_item_count(lines); i++) {
    OWNED arr *line = arr_item(lines, i);
    arr *nested = parts_of(e, rows, line, 0);
    ((arr **)lines->host)[i] = nested;
    if (!nested) return NULL;
  }
  OWNED arr *mixed = prim_mix(e, lines);
  if (!mixed) return NULL;
  /* The axis of the parts goes where it came from. */
  for (int j = 0; j < y->rank - 1; j++) to[j] = j + (j >= k);
  to[y->rank - 1] = k;
  if (!move_transpose(e, mixed, to, y->rank, &v)) return NULL;
  return view_copy(e->c, &v, &mixed);
}

/* A scalar is cut as the vector of its one element. */
static arr *with_an_axis(prim_env *e, arr *y) {
  if (y->rank) return arr_retain(y);
  return prim_ravel(e, y);
}

arr *prim_partition(prim_env *e, arr *x, arr *y) {
  OWNED arr *of = with_an_axis(e, y);
  if (!of) return NULL;
  return partition_axis(e, x, of, last_axis(of->rank));
}

arr *prim_nest_by(prim_env *e, arr *x, arr *y) {
  OWNED arr *of = with_an_axis(e, y);
  if (!of) return NULL;
  return nest_axis(e, x, of, last_axis(of->rank));
}
