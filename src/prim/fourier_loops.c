/* SPDX-License-Identifier: MIT */
/* fourier_loops.c - the steps of a Fourier transform (tables/fourier.h) for one instruction set, some
 * butterflies side by side. */
#include "../base/isa.h"

#include <string.h>

#include "fourier.h"

#ifdef ISA_IS_BASE
enum { SIDE = 2 }; /* butterflies side by side */
#else
enum { SIDE = 4 };
#endif
typedef double several __attribute__((vector_size(8 * SIDE)));

static inline several all_of(double d) {
  several v = {0};
  for (int i = 0; i < SIDE; i++) v[i] = d;
  return v;
}

#define V several
#define W int
#define ADD(w, a, b) ((void)(w), (a) + (b))
#define SUB(w, a, b) ((void)(w), (a) - (b))
#define MUL(w, a, b) ((void)(w), (a) * (b))
#define NEG(w, a) ((void)(w), -(a))
#define OF(w, d) ((void)(w), all_of(d))
#include "../tables/fourier.def"

typedef struct place { /* of a butterfly: j, and where in its line of done × inner */
  int64_t j, q;
} place;

static inline place next_place(place at, int64_t line) {
  at.q++;
  if (at.q == line) at = (place){at.j + 1, 0};
  return at;
}

static inline several lane_of(several v, int lane, double d) {
  v[lane] = d;
  return v;
}

static inline fourier_number entry(fourier_number to, int lane, const double *table,
                                   int64_t e) {
  to.re = lane_of(to.re, lane, table[2 * e]);
  to.im = lane_of(to.im, lane, table[2 * e + 1]);
  return to;
}

/* Roots number k × e[lane]. */
static inline fourier_number root_of(const fourier_step *s, const int64_t *e, int k) {
  fourier_number low = {0}, high = {0};
  const double *highs = s->table + 2 * fourier_low(s->n);
  for (int lane = 0; lane < SIDE; lane++) {
    int64_t at = k * e[lane];
    int64_t rest = at & ((INT64_C(1) << FOURIER_LOW) - 1);
    if (s->roots == FOURIER_IS_LOW) rest = at;
    if (s->roots != FOURIER_IS_HIGH) low = entry(low, lane, s->table, rest);
    if (s->roots != FOURIER_IS_LOW) high = entry(high, lane, highs, at >> FOURIER_LOW);
  }
  if (s->roots == FOURIER_IS_LOW) return low;
  return s->roots == FOURIER_IS_HIGH ? high : fourier_times(0, low, high);
}

static inline several get(const double *from, int n) {
  several v = {0};
  if (n == SIDE) memcpy(&v, from, sizeof v);
  else
    for (int i = 0; i < n; i++) v[i] = from[i];
  return v;
}

static inline void put(double *to, const int64_t *at, bool together, int n, several v) {
  if (together) memcpy(to + at[0], &v, sizeof v);
  else
    for (int i = 0; i < n; i++) to[at[i]] = v[i];
}

/* The step with radix r, for the compiler to unroll. */
static inline __attribute__((always_inline)) void step_of(const fourier_step *s, int r,
                                                          double *const in[2],
                                                          double *const out[2],
                                                          int64_t from, int64_t end) {
  const int64_t line = s->done * s->inner, all = s->m * line;
  fourier_number a[FOURIER_RADIX], root[FOURIER_RADIX] = {0};
  place at = {from / line, from % line};
  int64_t known = -1; /* all lanes have the roots of this j */
  for (int64_t b = from; b < end; b += SIDE) {
    int n = end - b < SIDE ? (int)(end - b) : SIDE;
    int64_t to[SIDE], e[SIDE] = {0}, first = at.j, last = at.j;
    for (int i = 0; i < n; i++, at = next_place(at, line)) {
      to[i] = at.j * r * line + at.q;
      e[i] = at.j * s->done;
      last = at.j;
    }
    for (int i = 0; i < r; i++)
      a[i] = (fourier_number){get(in[0] + i * all + b, n), get(in[1] + i * all + b, n)};
    fourier_butterfly(0, r, a);
    if (s->m > 1) {
      if (first != last || known != first || n < SIDE)
        for (int k = 1; k < r; k *= 2) root[k] = root_of(s, e, k);
      known = first == last ? first : -1;
      fourier_turn(0, r, a, root);
    }
    bool together = first == last && n == SIDE;
    for (int k = 0; k < r; k++, to[0] += line) {
      put(out[0], to, together, n, a[k].re);
      put(out[1], to, together, n, a[k].im);
      for (int i = 1; i < n; i++) to[i] += line;
    }
  }
}

#define STEP(r)                                                                          \
  case r: step_of(s, r, in, out, from, end); break;
static void step(const fourier_step *s, double *const in[2], double *const out[2],
                 int64_t from, int64_t end) {
  switch (s->radix) {
    STEP(2)
    STEP(3)
    STEP(4)
    STEP(5)
    STEP(7)
    STEP(8)
    STEP(11)
    STEP(13)
    STEP(16)
  }
}
fourier_loop *const ISA_NAME(fourier_loop) = step;
