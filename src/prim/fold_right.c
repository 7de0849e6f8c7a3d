/* SPDX-License-Identifier: MIT */
/* fold_right.c - see fold_right.h.
 *
 * A line waits for each result before it joins the next element, so + - × ÷ of floats are loops of
 * nothing else; what is not finite in the end is done again by the row, which knows where it began
 * and whether that is an error. Lines side by side, and prefixes of one line, do not wait for
 * one another: SIDE of them are joined with the next element at once, by the row's loop. */
#include "fold_right.h"

#include <math.h>

enum { SIDE = 256, POLL = 1 << 16 };

static bool has_struck(const right_fold *z) {
  return z->s->esc || z->s->err || z->s->inf;
}

static const void *at(const right_fold *z, const void *v, int64_t i) {
  return (const char *)v + (size_t)i * sc_size(z->of);
}
static void *into(const right_fold *z, void *v, int64_t i) {
  return (char *)v + (size_t)i * sc_size(z->of);
}

/* ── one line ───────────────────────────────────────────────────────────────────────── */

#define LOOP(op)                                                                         \
  for (; n > 0; n--) acc = v[n - 1] op acc;                                              \
  break
#define CHUNK(name, V)                                                                     \
  /* Folds the n elements before acc into it. A result that is not finite may be wrong. */ \
  static V name(prim f, const V *v, int64_t n, V acc) {                                    \
    switch (f) {                                                                           \
    case P_PLUS: LOOP(+);                                                                  \
    case P_MINUS: LOOP(-);                                                                 \
    case P_TIMES: LOOP(*);                                                                 \
    default: /* ÷: a value that is not finite would be lost, and 0 is no divisor */       \
      for (; n > 0 && acc != 0 && isfinite(acc); n--) acc = v[n - 1] / acc;                \
      return n > 0 ? (V)NAN : acc;                                                         \
    }                                                                                      \
    return acc;                                                                            \
  }
CHUNK(chunk_of_doubles, double)
CHUNK(chunk_of_floats, float)

/* Joins *to with the n elements of v before it, by arithmetic alone. Returns false if
 * the row must do it. */
static bool by_arithmetic(const right_fold *z, const void *v, int64_t n, void *to) {
  bool has = z->f == P_PLUS || z->f == P_MINUS || z->f == P_TIMES || z->f == P_DIVIDE;
  double d;
  if (!has || z->of < SC_F64) return false;
  if (z->of == SC_F64) {
    d = chunk_of_doubles(z->f, v, n, *(double *)to);
    if (isfinite(d)) *(double *)to = d;
  } else {
    float s = chunk_of_floats(z->f, v, n, *(float *)to);
    d = (double)s;
    if (isfinite(d)) *(float *)to = s;
  }
  return isfinite(d);
}

/* r ← x f y, of one element. */
static void join(const right_fold *z, const void *x, const void *y, void *r) {
  double one;
  z->row->one(z->s, (sc_arg){x, 0}, (sc_arg){y, 0}, &one, 1);
  memcpy(r, &one, sc_size(z->of));
}

bool right_line(const right_fold *z, const void *v, int64_t n, void *to) {
  memcpy(to, at(z, v, n - 1), sc_size(z->of));
  for (int64_t end = n - 1, m; end > 0 && !has_struck(z); end -= m) {
    m = end < POLL ? end : POLL;
    if (!by_arithmetic(z, at(z, v, end - m), m, to))
      for (int64_t k = end - 1; k >= end - m && !has_struck(z); k--)
        join(z, at(z, v, k), to, to);
    if (m == POLL && interrupted(z->c)) return false;
  }
  return true;
}

bool right_forward(const right_fold *z, const void *v, int64_t n, void *to) {
  memcpy(to, v, sc_size(z->of));
  for (int64_t k = 1; k < n && !has_struck(z); k++) {
    join(z, at(z, v, k), at(z, to, k - 1), into(z, to, k));
    if (k % POLL == 0 && interrupted(z->c)) return false;
  }
  return true;
}

/* ── side by side ───────────────────────────────────────────────────────────────────── */

/* acc ← x f acc, n ≤ SIDE times; x has n elements. */
static void join_side(const right_fold *z, const void *x, void *acc, int64_t n) {
  double r[SIDE];
  z->row->fn(z->s, (sc_arg){x, 1}, (sc_arg){acc, 1}, r, n);
  memcpy(acc, r, (size_t)n * sc_size(z->of));
}

/* The m prefixes that end at `from` and behind it. */
static bool side_of_prefixes(const right_fold *z, const void *v, int64_t from, int64_t m,
                             void *to) {
  double same[SIDE + 8];
  size_t size = sc_size(z->of);
  memcpy(to, at(z, v, from), (size_t)m * size);
  for (int64_t k = from + m - 2; k >= 0 && !has_struck(z); k--) {
    int64_t first = k < from ? 0 : k + 1 - from;
    memcpy(same, at(z, v, k), size);
    sc_block()->repeat(size, m - first, same);
    join_side(z, same, into(z, to, first), m - first);
    if (k % (POLL / SIDE) == 0 && interrupted(z->c)) return false;
  }
  return true;
}

bool right_prefixes(const right_fold *z, const void *v, int64_t n, void *to) {
  for (int64_t i = 0, m; i < n && !has_struck(z); i += m) {
    m = n - i < SIDE ? n - i : SIDE;
    if (!side_of_prefixes(z, v, i, m, into(z, to, i))) return false;
  }
  return true;
}

bool right_columns(const right_fold *z, const void *v, int64_t n, int64_t inner,
                   void *to) {
  for (int64_t i = 0, m; i < inner && !has_struck(z); i += m) {
    m = inner - i < SIDE ? inner - i : SIDE;
    void *acc = into(z, to, i);
    memcpy(acc, at(z, v, (n - 1) * inner + i), (size_t)m * sc_size(z->of));
    for (int64_t k = n - 2; k >= 0 && !has_struck(z); k--) {
      join_side(z, at(z, v, k * inner + i), acc, m);
      if (k % (POLL / SIDE) == 0 && interrupted(z->c)) return false;
    }
  }
  return true;
}
