/* SPDX-License-Identifier: MIT */
/* fold_exact.c - REDUCE and SCAN of strips where the order cannot show: sums of integers,
 * extremes of integers, truth values.
 *
 * An accumulator has 128 bits where it leaves a strip. Within one it has the type of the
 * loops: sums are in 64 bits, or in two halves of a 64-bit element. */
#include "fold.h"

#include <string.h>

#include "../kir/folds.h"

static bool in_halves(const blk_plan *p) { return p->sum && p->fold_src == KI64; }

static kty acc_type(const blk_plan *p) { return p->sum ? KI64 : (kty)p->fold_src; }

static int64_t get(kty ty, const void *x, size_t i) {
  if (ty == KB) return ((const uint8_t *)x)[i];
  if (ty == KI32) return ((const int32_t *)x)[i];
  return ((const int64_t *)x)[i];
}

static void put(kty ty, void *x, size_t i, int64_t v) {
  if (ty == KB) ((uint8_t *)x)[i] = (uint8_t)v;
  else if (ty == KI32) ((int32_t *)x)[i] = (int32_t)v;
  else ((int64_t *)x)[i] = v;
}

static blk_wide identity(const blk_plan *p) {
  if (p->sum) return 0;
  return kfold_identity(p->k->acc[0].monoid, p->fold_src).i;
}

blk_wide blk_exact_join(const blk_plan *p, blk_wide a, blk_wide b) {
  int64_t acc, x;
  if (p->sum) return a + b;
  put(p->fold_src, &acc, 0, (int64_t)a);
  put(p->fold_src, &x, 0, (int64_t)b);
  p->exact->fold(&acc, &x, 1, 1, 1);
  return get(p->fold_src, &acc, 0);
}

void blk_exact_put(blk_thread *t, void *r, const blk_wide *v, size_t n) {
  const blk_plan *p = t->plan;
  kty ty = blk_res_type(p);
  for (size_t i = 0; i < n; i++) {
    if (ty == KF64) ((double *)r)[i] = (double)v[i];
    else put(ty, r, i, (int64_t)v[i]);
    if (ty == KI64 && p->k->acc[0].wide) blk_flag(t, v[i] != (int64_t)v[i]);
  }
}

/* ── reduce ─────────────────────────────────────────────────────────────────────────── */

/* x ∘ x ∘ …, n of them: in a commutative monoid of two values x ∘ x is x or the identity. */
static blk_wide power(const blk_plan *p, blk_wide x, int64_t n) {
  blk_wide twice = blk_exact_join(p, x, x);
  if (n == 0) return identity(p);
  if (n % 2) return x;
  return twice;
}

/* Bits that are nothing but read are counted where they are. */
static bool only_bits(const blk_plan *p, const blk_strip *s) {
  const blk_step *first = p->step;
  return s->w == 1 && s->pitch == 1 && !s->plain && p->fold_src == KB && p->n_pre == 1 &&
         first->kind == STEP_LOAD && p->k->in[first->in].view == KV_FLAT;
}

static blk_wide fold_bits(const blk_plan *p, int64_t from, int64_t n) {
  int64_t ones = p->isa->folds->count(p->b->in[p->step[0].in].host, from, n);
  if (p->sum) return ones;
  return blk_exact_join(p, power(p, 1, ones), power(p, 0, n - ones));
}

/* The accumulators of a strip; few columns go several rows abreast. */
static blk_wide acc_at(const blk_plan *p, const blk_fold *f, size_t j) {
  blk_wide v = get(acc_type(p), f->acc, j);
  if (!in_halves(p)) return v;
  return v + (blk_wide)get(KI64, f->acc, BLK_MAX + j) * ((blk_wide)1 << 32);
}

static void clear(const blk_plan *p, blk_fold *f, size_t n) {
  int64_t none = (int64_t)identity(p);
  if (in_halves(p)) memset(f->acc + 8 * BLK_MAX, 0, 8 * n);
  if (p->sum) memset(f->acc, 0, 8 * n);
  else
    for (size_t j = 0; j < n; j++) put(acc_type(p), f->acc, j, none);
}

void blk_exact_fold(blk_thread *t, const blk_strip *s, int64_t n, void *r) {
  const blk_plan *p = t->plan;
  const exact_loops *e = p->exact;
  blk_fold *f = t->fold;
  size_t w = s->w, size = blk_src_size(p), step = blk_strip_step(p, s), abreast = 1;
  if (only_bits(p, s)) {
    f->wide[0] = fold_bits(p, s->e0, n);
    if (r) blk_exact_put(t, r, f->wide, 1);
    return;
  }
  while (w > 1 && 2 * abreast <= step && abreast * w < BLK_UNI) abreast *= 2;
  if (s->plain && w != s->pitch) step = 64;
  clear(p, f, abreast * w);
  for (int64_t i = 0; i < n && !blk_stopped(f->job); i += (int64_t)step) {
    size_t rows = (size_t)min_i64((int64_t)step, n - i), full = rows / abreast;
    const char *x = blk_strip_rows(t, s, i, rows);
    e->fold(f->acc, x, full, abreast * w, abreast * s->pitch);
    x += full * abreast * s->pitch * size;
    if (rows % abreast) e->fold(f->acc, x, 1, rows % abreast * w, 0);
  }
  if (r && abreast == 1 && !in_halves(p) && blk_res_type(p) != KF64) {
    memcpy(r, f->acc, w * blk_res_size(p));
    return;
  }
  for (size_t j = 0; j < w; j++) {
    blk_wide v = acc_at(p, f, j);
    for (size_t k = 1; k < abreast; k++)
      v = blk_exact_join(p, v, acc_at(p, f, k * w + j));
    f->wide[j] = v;
  }
  if (r) blk_exact_put(t, r, f->wide, w);
}

void blk_exact_lines(blk_thread *t, void *r, const char *x, size_t lines, size_t len) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  int64_t none = (int64_t)identity(p);
  char *to = r;
  for (size_t i = 0; i < lines; i++) {
    put(acc_type(p), f->acc, 0, none);
    put(KI64, f->acc, BLK_MAX, 0);
    p->exact->fold(f->acc, x, len, 1, 1);
    blk_wide v = acc_at(p, f, 0);
    blk_exact_put(t, to, &v, 1);
    to += blk_res_size(p);
    x += len * blk_src_size(p);
  }
}

/* ── scan ───────────────────────────────────────────────────────────────────────────── */

void blk_exact_begin(blk_thread *t, const blk_wide *from, size_t w) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  blk_wide none = identity(p);
  f->is_wide = false;
  for (size_t j = 0; j < w; j++) {
    f->wide_acc[j] = from ? from[j] : none;
    put(acc_type(p), f->scan_acc, j, (int64_t)f->wide_acc[j]);
    f->is_wide |= f->wide_acc[j] != (int64_t)f->wide_acc[j];
  }
}

/* i64 sums become the FOLD's f64, where they are. */
static void sums_as_f64(char *at, size_t n) {
  for (size_t i = 0; i < n; i++, at += 8) {
    int64_t v;
    memcpy(&v, at, sizeof v);
    double d = (double)v;
    memcpy(at, &d, sizeof d);
  }
}

static void scan_wide(blk_thread *t, fold_rows m) {
  const blk_plan *p = t->plan;
  blk_wide *acc = t->fold->wide_acc, *now = acc;
  const char *x = m.x;
  char *r = m.r;
  if (p->k->exclusive) now = t->fold->wide;
  for (; m.rows--; r += m.r_pitch * blk_res_size(p), x += m.pitch * blk_src_size(p)) {
    if (p->k->exclusive) memcpy(now, acc, m.w * sizeof *acc);
    for (size_t j = 0; j < m.w; j++) acc[j] += get(p->fold_src, x, j);
    blk_exact_put(t, r, now, m.w);
  }
}

/* Sums run in 64 bits until one does not fit, from then on, element by element, in 128. */
void blk_exact_scan(blk_thread *t, fold_rows m) {
  const blk_plan *p = t->plan;
  blk_fold *f = t->fold;
  if (f->is_wide) {
    scan_wide(t, m);
    return;
  }
  if (p->k->acc[0].wide) memcpy(f->saved, f->scan_acc, m.w * 8);
  f->is_wide = p->exact->scan(&m, f->scan_acc, p->k->exclusive) && p->k->acc[0].wide;
  if (f->is_wide) {
    for (size_t j = 0; j < m.w; j++) f->wide_acc[j] = get(KI64, f->saved, j);
    scan_wide(t, m);
  } else if (blk_res_type(p) == KF64) {
    if (m.r_pitch == m.w) sums_as_f64(m.r, m.rows * m.w);
    else
      for (size_t i = 0; i < m.rows; i++)
        sums_as_f64((char *)m.r + i * m.r_pitch * 8, m.w);
  }
}
