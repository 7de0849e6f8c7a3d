/* SPDX-License-Identifier: MIT */
/* replicate.c - replicate and expand: x/y and x\y as functions.
 *
 * They see their argument as outer × axis × inner, and copy the cells of `inner` elements
 * that the left argument names along the axis. Cells of one element of whole bytes are selected
 * and repeated by loops over vectors (array/bits.h). */
#include "axis.h"
#include "scalar.h"
#include "struct.h"
#include "../base/arith.h"
#include "../base/each.h"
#include "../array/bits.h"
#include "../array/convert.h"
#include "../array/element.h"

typedef struct plan { /* how an axis of n cells is copied to one of `total` */
  const arr *m;       /* the left argument; one element stands for all */
  int64_t n, steps, total;
  bool expand, fills;
} plan;

static int64_t mark(const plan *p, int64_t i) {
  if (p->m->count == 1) i = 0;
  return arr_get_int(p->m, i);
}

/* The numbers of steps i to i+n-1. */
static void marks(const plan *p, int64_t i, int64_t n, int64_t *v) {
  bool one = p->m->count == 1;
  sc_load(p->m, one ? 0 : i, !one, n, SC_I64, v);
}

/* Cells that number v makes in the result. */
static uint64_t cells_of(const plan *p, int64_t v) {
  if (v < 0) return 0 - (uint64_t)v;
  return (uint64_t)v + (p->expand & !v);
}

/* The total with the cells of n ≤ SC_BLOCK more numbers, of x\\y `used`
 * with how many of them take one. */
static bool add_marks(ctx *c, plan *p, const int64_t *v, int64_t n, int64_t *used) {
  uint64_t total = (uint64_t)p->total, most = INT64_MAX;
  int64_t low, high;
  sc_block()->range(SC_I64, v, n, &low, &high);
  if (low < 0 || (p->expand && !low)) p->fills = true;
  for (int64_t i = 0; i < n && total <= most; i++) {
    uint64_t more = cells_of(p, v[i]);
    total = more > most ? more : total + more;
    *used += v[i] > 0;
  }
  if (total > most) return err_set(c, ERR_LIMIT, "more than 2*63 elements");
  p->total = (int64_t)total;
  return true;
}

static bool plan_total(prim_env *e, plan *p) {
  int64_t used = 0, v[SC_BLOCK];
  if (p->m->type == ET_BIT && p->m->count == p->steps && !p->expand) {
    p->total = sc_ones(p->m);
    return true;
  }
  for (int64_t i = 0; i < p->steps; i += SC_BLOCK) {
    int64_t n = min_i64(p->steps - i, SC_BLOCK);
    marks(p, i, n, v);
    if (stops_at(e->c, i) || !add_marks(e->c, p, v, n, &used)) return false;
  }
  if (p->expand && p->n != 1 && used != p->n)
    return err_set(e->c, ERR_LENGTH, "%lld cells are wanted of %lld", (long long)used,
                   (long long)p->n);
  return true;
}

static bool plan_new(prim_env *e, plan *p, const arr *m, int64_t n, bool expand) {
  *p = (plan){.m = m, .n = n, .expand = expand, .steps = m->count};
  if (expand) return plan_total(e, p);
  if (m->count != 1 && m->count != n && n != 1)
    return err_set(e->c, ERR_LENGTH, "the left argument has %lld elements for %lld cells",
                   (long long)m->count, (long long)n);
  if (m->count == 1) p->steps = n;
  return plan_total(e, p);
}

/* The cell of the argument that is used at step i, when `used` have been. */
static int64_t cell_at(const plan *p, int64_t i, int64_t used) {
  if (p->n == 1) return 0;
  return p->expand ? used : i;
}

/* Are the cells elements of whole bytes? */
static bool has_element_loops(const arr *y, split s) {
  return s.inner == 1 && y->type != ET_NEST && bits_size(elt_bits((elt)y->type)) >= 0;
}

/* r[i] becomes the next element of y, which has `left` more, where v[i] is 1; where it is 0 it stays. */
#define EXPAND(T)                                                                        \
  {                                                                                      \
    const T *from = y;                                                                   \
    T *to = r;                                                                           \
    for (int64_t i = 0, at = 0; i < n; i++) {                                            \
      T next = from[at < left ? at : left - 1], is = (T)(0 - (uint64_t)v[i]);            \
      to[i] = (T)((next & is) | (to[i] & ~is));                                          \
      at += v[i];                                                                        \
    }                                                                                    \
    break;                                                                               \
  }
static void expand_elements(const int64_t *v, int64_t n, const void *y, int64_t left,
                            size_t size, void *r) {
  switch (size) {
  case 1: EXPAND(uint8_t)
  case 2: EXPAND(uint16_t)
  case 4: EXPAND(uint32_t)
  default: EXPAND(uint64_t)
  }
}

/* The same of truth values: y's from bit `at` on, r's from bit i on, zeros so far. */
static void expand_bits(const int64_t *v, int64_t n, const void *y, int64_t at,
                        int64_t left, void *r, int64_t i) {
  for (int64_t k = 0, end = at + left; k < n; k++) {
    bit_add(r, i + k, v[k] & bit_at(y, at < end ? at : end - 1));
    at += v[k];
  }
}

static bool is_truths(const int64_t *v, int64_t n) {
  int64_t low, high;
  sc_block()->range(SC_I64, v, n, &low, &high);
  return low >= 0 && high <= 1;
}

/* Line o along the axis, where there are fill elements between the cells: r has them. */
static bool run_line(ctx *c, const plan *p, arr *r, const arr *y, split s, int64_t o) {
  int64_t used = 0, yo = o * s.n * s.inner, ro = o * p->total * s.inner, v[SC_BLOCK];
  bool bits = y->type == ET_BIT && s.inner == 1;
  bool loops = (bits || has_element_loops(y, s)) && p->expand && s.n > 1;
  size_t size = (size_t)elt_bits((elt)y->type) / 8;
  for (int64_t i = 0, n; i < p->steps; i += n) {
    n = min_i64(p->steps - i, SC_BLOCK);
    marks(p, i, n, v);
    if (interrupted(c)) return false;
    if (loops && used < s.n && is_truths(v, n)) {
      const char *from = (const char *)y->host + (size_t)(yo + used) * size;
      char *to = (char *)r->host + (size_t)ro * size;
      if (bits) expand_bits(v, n, y->host, yo + used, s.n - used, r->host, ro);
      else expand_elements(v, n, from, s.n - used, size, to);
      for (int64_t k = 0; k < n; k++) used += v[k];
      ro += n;
      continue;
    }
    for (int64_t at = 0; at < n; at++) {
      int64_t from = yo + cell_at(p, i + at, used) * s.inner;
      for (int64_t k = 0; k < v[at]; k++) {
        arr_copy(r, ro + k * s.inner, y, from, s.inner);
        if (stops_at(c, k + 1)) return false;
      }
      if (v[at] > 0) used++;
      ro += (int64_t)cells_of(p, v[at]) * s.inner;
    }
  }
  return true;
}

enum { CELLS = 4096 }; /* cells of a line whose positions are listed at a time */

/* All lines, where the cells stand side by side: by the list of the cells that are
 * used. */
static bool gather_cells(ctx *c, const plan *p, arr *r, const arr *y, split s) {
  OWNED arr *list = arr_vec(c, ET_I64, min_i64(p->total, CELLS));
  if (!list) return false;
  view_part part = {.rank = 3,
                    .len = {s.outer, 0, s.inner},
                    .to_stride = {p->total * s.inner, s.inner, 1},
                    .stride = {s.n * s.inner, s.inner, 1},
                    .list = {NULL, list, NULL}};
  int64_t used = 0, *n = &part.len[1];
  for (int64_t i = 0; i < p->steps; i++) {
    int64_t v = mark(p, i), cell = cell_at(p, i, used);
    if (v) used++;
    for (; v > 0; v--) {
      ((int64_t *)list->host)[(*n)++] = cell;
      if (*n < list->count) continue;
      if (!view_copy_part(r, y, &part)) return false;
      part.to += *n * s.inner;
      *n = 0;
    }
  }
  return view_copy_part(r, y, &part);
}

/* ── cells of one element ───────────────────────────────────────────────────────────── */

/* Elements of whole bytes, by the loops of bits.h, line by line. A long line is selected from by
 * pieces: where the elements of a piece go follows from how many ones stand before it. */
enum { PIECE = 2048 };
typedef struct element_job {
  const arr *m;
  const char *y; /* the line, and its result */
  char *r;
  int64_t n, size;   /* of the line, and in bytes of an element */
  const int64_t *at; /* of the pieces and their end, in r */
  const bit_loops *loops;
} element_job;

static void select_pieces(void *job, int64_t first, int64_t last) {
  const element_job *k = job;
  int64_t from = first * PIECE, n = min_i64(last * PIECE, k->n) - from;
  k->loops->select[bits_size((int)k->size * 8)](
      (const char *)k->m->host + from / 8, n, k->y + from * k->size,
      k->r + k->at[first] * k->size, k->at[last] - k->at[first]);
}

/* By threads: how many ones the pieces have is counted first. */
static bool select_shared(ctx *c, element_job *k, each_loop *loop) {
  OWNED arr *before = sc_ones_before(c, k->m, PIECE);
  if (!before) return false;
  k->at = before->host;
  return each_part(c, loop);
}

static bool select_line(ctx *c, element_job *k, int64_t total) {
  enum { AT_ONCE = 1 << 20, BYTES = 16 }; /* of elements in a step */
  each_loop loop = {.n = ceil_div(k->n, PIECE), .steps = 1};
  loop.cell = PIECE * k->size / BYTES;
  loop.task = select_pieces;
  loop.job = k;
  if (each_is_shared(c, &loop)) return select_shared(c, k, &loop);
  for (int64_t i = 0, to = 0; i < k->n; i += AT_ONCE) {
    to += k->loops->select[bits_size((int)k->size * 8)](
        (const char *)k->m->host + i / 8, min_i64(k->n - i, AT_ONCE), k->y + i * k->size,
        k->r + to * k->size, total - to);
    if (i && interrupted(c)) return false;
  }
  return true;
}

/* Elements y[i], n of them, as often as v says, `left` at most; how many, or -1 where it is to stop. */
static int64_t repeat_block(ctx *c, const element_job *k, const int64_t *v, int64_t n,
                            const char *y, char *to, int64_t left) {
  enum { FEW = 1 << 12, AT_ONCE = 1 << 20 };
  int64_t low, high, j = 0, m;
  if (stop_is_due(c)) return -1;
  sc_block()->range(SC_I64, v, n, &low, &high);
  const int size = bits_size((int)k->size * 8);
  if (high <= FEW) return k->loops->repeat[size](v, n, y, to, left);
  for (int64_t i = 0; i < n; i++)
    for (int64_t times = v[i]; times > 0; times -= m) {
      m = min_i64(times, AT_ONCE);
      k->loops->repeat[size](&m, 1, y + i * k->size, to + j * k->size, left - j);
      j += m;
      if (m == AT_ONCE && stop_is_due(c)) return -1;
    }
  return j;
}

/* A line whose elements are repeated, by threads in pieces, which are counted first. */
typedef struct repeat_job {
  ctx *c;
  const element_job *k;
  const plan *p;
  int64_t *at; /* as in element_job */
} repeat_job;

/* Elements i to end - 1 of the line, to elements `to` to last - 1 of the result. */
static void repeat_some(const repeat_job *w, int64_t i, int64_t end, int64_t to,
                        int64_t last) {
  const element_job *k = w->k;
  int64_t v[SC_BLOCK];
  for (int64_t n, done; i < end; i += n, to += done) {
    n = min_i64(end - i, SC_BLOCK);
    marks(w->p, i, n, v);
    done =
        repeat_block(w->c, k, v, n, k->y + i * k->size, k->r + to * k->size, last - to);
    if (done < 0) return;
  }
}

static void repeat_pieces(void *job, int64_t first, int64_t last) {
  const repeat_job *w = job;
  int64_t end = min_i64(last * PIECE, w->k->n);
  repeat_some(w, first * PIECE, end, w->at[first], w->at[last]);
}

/* at[i + 1] becomes how many elements piece i makes. */
static void count_pieces(void *job, int64_t first, int64_t last) {
  const repeat_job *w = job;
  int64_t v[SC_BLOCK], end = min_i64(last * PIECE, w->k->n);
  for (int64_t i = first; i < last; i++) w->at[i + 1] = 0;
  for (int64_t i = first * PIECE, n; i < end; i += n) {
    n = min_i64(end - i, SC_BLOCK);
    marks(w->p, i, n, v);
    for (int64_t k = 0; k < n; k++) w->at[i / PIECE + 1] += v[k];
  }
}

static bool repeat_shared(repeat_job *w, each_loop *loop) {
  OWNED arr *ends = arr_vec(w->c, ET_I64, loop->n + 1);
  if (!ends) return false;
  w->at = ends->host;
  w->at[0] = 0;
  loop->task = count_pieces;
  if (!each_part(w->c, loop)) return false;
  for (int64_t i = 0; i < loop->n; i++) w->at[i + 1] += w->at[i];
  loop->task = repeat_pieces;
  return each_part(w->c, loop);
}

static bool repeat_line(ctx *c, const element_job *k, const plan *p) {
  enum { STEPS = 8 };
  repeat_job w = {c, k, p, NULL};
  each_loop loop = {.n = ceil_div(k->n, PIECE), .cell = PIECE, .steps = STEPS, .job = &w};
  if (k->n == 1) repeat_block(c, k, &p->total, 1, k->y, k->r, p->total);
  else if (!each_is_shared(c, &loop)) repeat_some(&w, 0, k->n, 0, p->total);
  else if (!repeat_shared(&w, &loop)) return false;
  return !interrupted(c);
}

/* Where there are no fill elements: what expands takes each cell then. */
static bool copy_elements(ctx *c, const plan *p, arr *r, const arr *y, split s) {
  bool selects = p->m->type == ET_BIT && p->m->count == s.n && s.n > 1;
  element_job k = {.m = p->m, .n = s.n, .loops = bits_loops()};
  k.size = elt_bits((elt)y->type) / 8;
  for (int64_t o = 0; o < s.outer; o++) {
    k.y = (const char *)y->host + o * s.n * k.size;
    k.r = (char *)r->host + o * p->total * k.size;
    if (!(selects ? select_line(c, &k, p->total) : repeat_line(c, &k, p))) return false;
    if (stops_at(c, o + 1)) return false;
  }
  return true;
}

/* ── cells of one truth value ───────────────────────────────────────────────────────── */

typedef struct bit_writer { /* writes whole words; n bits wait in the last one */
  uint8_t *to;
  uint64_t word;
  int n;
} bit_writer;

/* `many` ≤ 64 more; zeros are above them. */
INLINE void write_bits(bit_writer *w, uint64_t bits, int many) {
  w->word |= bits << w->n;
  w->n += many;
  if (w->n < 64) return;
  memcpy(w->to, &w->word, 8);
  w->to += 8;
  w->n -= 64;
  w->word = w->n ? bits >> (many - w->n) : 0;
}

/* The bits of x where m has ones, side by side: each goes right by as many zeros as m has below it,
 * first by 1 where that number is odd, then by 2, 4 and so on. */
static uint64_t bits_where(uint64_t x, uint64_t m) {
  uint64_t zeros = ~m << 1; /* below each bit */
  x &= m;
  for (int by = 1; by < 64; by *= 2) {
    uint64_t odd = zeros;
    for (int k = 1; k < 64; k *= 2) odd ^= odd << k;
    uint64_t go = odd & m, moved = x & go;
    m = (m ^ go) | go >> by;
    x = (x ^ moved) | moved >> by;
    zeros &= ~odd;
  }
  return x;
}

/* The line of y that begins at bit yo; false after INTERRUPT. */
static bool select_bits(ctx *c, const plan *p, const arr *y, int64_t yo, bit_writer *to) {
  for (int64_t i = 0; i < p->n; i += 64) {
    uint64_t m = sc_word(p->m, i);
    if (m)
      write_bits(to, bits_where(sc_word_from(y, yo + i), m), __builtin_popcountll(m));
    if (stops_at(c, i / 64 + 1)) return false;
  }
  return true;
}

static bool repeat_bits(ctx *c, const plan *p, const arr *y, int64_t yo, bit_writer *to) {
  int64_t v[SC_BLOCK];
  for (int64_t i = 0, n; i < p->steps; i += n) {
    n = min_i64(p->steps - i, SC_BLOCK);
    marks(p, i, n, v);
    if (interrupted(c)) return false;
    for (int64_t k = 0; k < n; k++) {
      uint64_t ones = bit_at(y->host, yo + (p->n == 1 ? 0 : i + k)) ? UINT64_MAX : 0;
      for (int64_t times = v[k], m; times > 0; times -= m) {
        m = min_i64(times, 64);
        write_bits(to, ones >> (64 - m), (int)m);
        if (stops_at(c, times / 64 + 1)) return false;
      }
    }
  }
  return true;
}

/* As copy_elements. The lines of r follow one another without a gap. */
static bool copy_truths(ctx *c, const plan *p, arr *r, const arr *y, split s) {
  bool selects = p->m->type == ET_BIT && p->m->count == s.n && s.n > 1;
  bit_writer to = {r->host, 0, 0};
  for (int64_t o = 0; o < s.outer; o++) {
    if (!(selects ? select_bits : repeat_bits)(c, p, y, o * s.n, &to)) return false;
    if (stops_at(c, o + 1)) return false;
  }
  if (to.n) memcpy(to.to, &to.word, 8);
  return true;
}

/* ── x/y and x\y ───────────────────────────────────────────────────────────────────── */

static arr *copy_cells(prim_env *e, arr *x, arr *y, int axis, bool expand) {
  plan p;
  int64_t shape[ARR_MAX_RANK] = {1};
  int rank = y->rank;
  if (!rank) { /* a scalar counts as a vector */
    rank = 1;
    axis = 0;
  }
  if (x->rank > 1)
    return fail(e, ERR_RANK, "the left argument must be a scalar or a vector");
  OWNED arr *m = prim_ints(e, x, "the left argument");
  if (!m) return NULL;
  for (int k = 0; k < y->rank; k++) shape[k] = y->shape[k];
  if (!plan_new(e, &p, m, shape[axis], expand)) return NULL;
  split s = {1, shape[axis], 1};
  shape[axis] = p.total;
  OWNED arr *r = arr_like(e->c, y, rank, shape);
  if (!r || !r->count) return arr_move(&r);
  for (int k = axis + 1; k < rank; k++) s.inner *= shape[k];
  s.outer = r->count / p.total / s.inner; /* r may have elements where y has none */
  if (p.fills) {
    if (!arr_blank(r)) return NULL;
    for (int64_t o = 0; o < s.outer; o++)
      if (!run_line(e->c, &p, r, y, s, o)) return NULL;
    return arr_fill_rest(e->c, arr_move(&r), y);
  }
  bool ok;
  if (has_element_loops(y, s)) ok = copy_elements(e->c, &p, r, y, s);
  else if (y->type == ET_BIT && s.inner == 1) ok = copy_truths(e->c, &p, r, y, s);
  else ok = gather_cells(e->c, &p, r, y, s);
  if (!ok) return NULL;
  return arr_squeeze(e->c, arr_move(&r));
}

arr *prim_replicate(prim_env *e, arr *x, arr *y, int axis) {
  return cx_demote(e->c, copy_cells(e, x, y, axis, false));
}
arr *prim_expand(prim_env *e, arr *x, arr *y, int axis) {
  return copy_cells(e, x, y, axis, true);
}
