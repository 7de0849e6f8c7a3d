/* SPDX-License-Identifier: MIT */
/* steps.c - the steps of a plan, run for one block after the other:
 *
 *   loads ──▶ loop, loop, loop … ──▶ stores        block: 256 to 1024 elements, in L1
 *
 * An input that is stored as it is computed is not copied: the loops read it where it is.
 * Likewise an output is written by the loop that makes it. Only a block that is not whole
 * goes through registers, padded with copies of its last element. */
#include "steps.h"

#include <string.h>

/* ── loading ────────────────────────────────────────────────────────────────────────── */

void blk_pad(void *v, size_t size, size_t n) {
  char *p = v;
  for (size_t i = n; i % BLK_UNI; i++) memcpy(p + i * size, p + (n - 1) * size, size);
}

/* n elements from position e0 of a STRIDED: runs along its last dimension. */
static void fetch_strided(const blk_plan *p, uint32_t in, char *r, size_t size,
                          int64_t e0, size_t n) {
  int number = p->k->in[in].view - KV_STRIDED;
  const kstrided *w = &p->b->strided[number];
  const void *src = p->b->in[in].host;
  elt type = (elt)p->k->in[in].type;
  int64_t at[KIR_STRIDED_DIMS], sum = 0, step = p->b->in[in].step,
                                offset = p->b->in[in].offset;
  int last = p->k->strided[number] - 1;
  for (int d = last; d >= 0; d--) {
    at[d] = d ? e0 % w->n[d] : e0;
    if (d) e0 /= w->n[d];
    sum += at[d] * w->stride[d];
  }
  for (;;) {
    int64_t left = (int64_t)n;
    if (last) left = w->n[last] - at[last];
    size_t run = (size_t)min_i64(left, (int64_t)n);
    blk_fetch(type, src, r, offset + step * sum, step * w->stride[last], run);
    n -= run;
    if (!n) return;
    r += run * size;
    sum += (int64_t)run * w->stride[last];
    at[last] += (int64_t)run;
    for (int d = last; d && at[d] == w->n[d]; d--) {
      sum += w->stride[d - 1] - w->n[d] * w->stride[d];
      at[d] = 0;
      at[d - 1]++;
    }
  }
}

static void *reg_of(const blk_thread *t, uint16_t cell) {
  const blk_plan *p = t->plan;
  return t->regs + p->cell[cell].reg * p->stride;
}

void blk_thread_take(blk_thread *t, const blk_plan *p, uintptr_t *mem) {
  t->plan = p;
  t->raised = false;
  t->at = blk_take(mem, p->n_cell * sizeof(void *));
  t->flags = blk_take(mem, (p->n_flag + 2) * sizeof(uint32_t));
  t->regs = blk_take(mem, p->n_reg * p->stride);
  t->tmp = blk_take(mem, 8 * p->block);
  t->loop = blk_take(mem, blk_loops_bytes(p));
  t->fold = NULL;
  t->join = NULL;
}

void blk_thread_init(blk_thread *t) {
  const blk_plan *p = t->plan;
  memset(t->flags, 0, p->n_flag * sizeof(uint32_t));
  for (uint16_t i = 0; i < p->n_cell; i++) {
    if (p->cell[i].uni) t->at[i] = p->cell[i].uni;
    else t->at[i] = reg_of(t, i);
  }
  if (p->k->n_loop) blk_loops_init(t);
}

static void load(blk_thread *t, const blk_step *s, const blk_at *w) {
  const blk_plan *p = t->plan;
  elt type = p->k->in[s->in].type;
  size_t size = (size_t)kty_bytes(p->cell[s->r].ty);
  char *r = reg_of(t, s->r);
  const char *src = p->b->in[s->in].host;
  t->at[s->r] = r;
  if (p->k->in[s->in].view >= KV_STRIDED) {
    fetch_strided(p, s->in, r, size, w->e0, w->n);
  } else if (p->k->in[s->in].view == KV_STEP) {
    int64_t step = p->b->in[s->in].step;
    blk_fetch(type, src, r, p->b->in[s->in].offset + step * w->pos, step, w->n);
  } else if (type == ET_BIT) {
    /* Whole bytes, of which the first few bits may be skipped. */
    size_t skip = (size_t)(w->e0 & 7);
    p->isa->map->load[type](r, src + (w->e0 >> 3), NULL, NULL, skip + w->n);
    t->at[s->r] = r += skip;
  } else if (p->isa->map->load[type]) {
    p->isa->map->load[type](r, src + (size_t)w->e0 * elt_bytes(type, 1), NULL, NULL,
                            w->n);
  } else if (w->n % BLK_UNI == 0) {
    t->at[s->r] = (void *)(uintptr_t)(src + (size_t)w->e0 * size);
    return;
  } else {
    memcpy(r, src + (size_t)w->e0 * size, w->n * size);
  }
  blk_pad(r, size, w->n);
}

/* The numbers of elements, n of type ty, none beyond the last one. */
static void within(kty ty, const void *index, uint64_t last, int64_t *to, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int64_t e = ty == KI32 ? ((const int32_t *)index)[i] : ((const int64_t *)index)[i];
    to[i] = (int64_t)min_u64((uint64_t)e, last);
  }
}

static void get(blk_thread *t, const blk_step *s, const blk_at *w) {
  const blk_plan *p = t->plan;
  const void *src = p->b->in[s->in].host;
  int64_t at[BLK_MAX];
  char *r = reg_of(t, s->r);
  t->at[s->r] = r;
  within(p->cell[s->a].ty, t->at[s->a], (uint64_t)p->b->in[s->in].offset, at, w->n);
  blk_gather((elt)p->top->in[s->in].type, src, r, at, w->n);
  blk_pad(r, (size_t)kty_bytes(p->cell[s->r].ty), w->n);
}

static void iota(blk_thread *t, const blk_step *s, const blk_at *w) {
  const blk_plan *p = t->plan;
  kty ty = p->cell[s->r].ty;
  char *r = reg_of(t, s->r);
  size_t size = (size_t)kty_bytes(ty), n = w->n;
  t->at[s->r] = r;
  if (s->kind == STEP_NUMBER) {
    p->isa->map->iota[ty - KI32](r, &w->e0, NULL, NULL, n + BLK_UNI - 1);
  } else if (w->inner == 1 && w->pos + (int64_t)n <= w->len) {
    p->isa->map->iota[ty - KI32](r, &w->pos, NULL, NULL, n + BLK_UNI - 1);
  } else {
    int64_t at = w->pos, left = w->inner - w->e0 % w->inner;
    for (size_t i = 0; i < n; i++) {
      if (ty == KI32) ((int32_t *)(void *)r)[i] = (int32_t)at;
      else ((int64_t *)(void *)r)[i] = at;
      if (--left) continue;
      left = w->inner;
      if (++at == w->len) at = 0;
    }
  }
  blk_pad(r, size, n);
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

static double element(const blk_plan *p, uint16_t cell, const void *at, size_t i) {
  if (p->cell[cell].uni) i = 0;
  return kty_bytes(p->cell[cell].ty) == 4 ? (double)((const float *)at)[i]
                                          : ((const double *)at)[i];
}

static bool finite(double x) { return x - x == 0; }

bool blk_fin_fault(const blk_thread *t, const blk_step *s, size_t i) {
  const blk_plan *p = t->plan;
  if (finite(element(p, s->fa, t->at[s->fa], i))) return false;
  if (s->fa == s->fb && s->fa == s->fc) return true;
  return finite(element(p, s->fb, t->at[s->fb], i)) &&
         finite(element(p, s->fc, t->at[s->fc], i));
}

static bool fin_fault(const blk_thread *t, const blk_step *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (blk_fin_fault(t, s, i)) return true;
  return false;
}

void blk_run_steps(blk_thread *t, uint32_t from, uint32_t to, const blk_at *w) {
  const blk_plan *p = t->plan;
  size_t m = (w->n + BLK_UNI - 1) & ~(size_t)(BLK_UNI - 1);
  for (const blk_step *s = p->step + from, *end = p->step + to; s < end; s++) {
    if (s->kind <= STEP_FIN) {
      uint32_t f = s->fn(t->at[s->r], t->at[s->a], t->at[s->b], t->at[s->c], m);
      if (f && s->flag >= 0 && (s->kind == STEP_RUN || fin_fault(t, s, w->n))) {
        t->flags[s->flag] = 1;
        t->raised = true;
      }
    } else if (s->kind == STEP_LOAD) {
      load(t, s, w);
    } else if (s->kind == STEP_GET) {
      get(t, s, w);
    } else if (s->kind == STEP_IOTA || s->kind == STEP_NUMBER) {
      iota(t, s, w);
    } else if (s->kind == STEP_LOOP) {
      blk_loop_run(t, s, w->n);
    }
  }
}

void blk_pre(blk_thread *t, const blk_at *w) { blk_run_steps(t, 0, t->plan->n_pre, w); }

/* ── storing ────────────────────────────────────────────────────────────────────────── */

/* Bits that share bytes with other blocks are or-ed into zeros. */
static void or_bits(uint8_t *out, const uint8_t *bits, int64_t e0, size_t n) {
  unsigned shift = (unsigned)(e0 & 7);
  size_t bytes = (shift + n + 7) / 8, have = (n + 7) / 8;
  out += e0 >> 3;
  for (size_t i = 0; i < bytes; i++) {
    unsigned v = i < have ? (unsigned)bits[i] << shift : 0;
    if (i) v |= bits[i - 1] >> (8 - shift) & 0xffu;
    if (i == 0 || i == bytes - 1)
      __atomic_fetch_or(out + i, (uint8_t)v, __ATOMIC_RELAXED);
    else out[i] = (uint8_t)v;
  }
}

static void store_bits(blk_thread *t, const blk_out *o, uint8_t *out, const blk_at *w) {
  uint8_t *bits = t->tmp;
  o->fn(bits, t->at[o->cell], NULL, NULL, (w->n + BLK_UNI - 1));
  if (w->n % 8) bits[w->n / 8] &= (uint8_t)((1u << w->n % 8) - 1);
  if (t->plan->or_bits) or_bits(out, bits, w->e0, w->n);
  else memcpy(out + (w->e0 >> 3), bits, (w->n + 7) / 8);
}

static int64_t place_at(kty ty, const void *at, size_t i) {
  if (ty == KI32) return ((const int32_t *)at)[i];
  return ((const int64_t *)at)[i];
}

/* Elements that go nowhere are written to a place of no use: a branch on random truth values
 * costs more. */
#define PUT(T)                                                                           \
  {                                                                                      \
    T nowhere, *to = out;                                                                \
    const T *x = v;                                                                      \
    for (size_t k = 0; k < n; k++) {                                                     \
      T *place = &nowhere;                                                               \
      if (when[k]) place = to + place_at(ty, at, k);                                     \
      *place = x[k];                                                                     \
    }                                                                                    \
    break;                                                                               \
  }

/* Ones are or-ed in; a zero counts where it takes the place of what was there, or by ∧. */
static void put_bits(const kout *o, void *out, const uint8_t *v, const uint8_t *when,
                     kty ty, const void *at, size_t n) {
  bool ones = o->put != KPUT_JOIN || o->monoid == KF_OR;
  bool zeros = o->kept && (o->put != KPUT_JOIN || o->monoid == KF_AND);
  for (size_t i = 0; i < n; i++) {
    if (!when[i]) continue;
    int64_t e = place_at(ty, at, i);
    uint8_t *byte = (uint8_t *)out + (e >> 3), bit = (uint8_t)(1u << (e & 7));
    if (v[i] && ones) __atomic_fetch_or(byte, bit, __ATOMIC_RELAXED);
    if (!v[i] && zeros) __atomic_fetch_and(byte, (uint8_t)~bit, __ATOMIC_RELAXED);
  }
}

/* Other threads may join elements with the same place. */
#define JOIN(T)                                                                          \
  static void join_##T(kfold f, void *out, const void *v, const uint8_t *when, kty ty,   \
                       const void *at, size_t n) {                                       \
    for (size_t k = 0; k < n; k++) {                                                     \
      if (!when[k]) continue;                                                            \
      T x = ((const T *)v)[k], *to = (T *)out + place_at(ty, at, k);                     \
      T old = __atomic_load_n(to, __ATOMIC_RELAXED);                                     \
      if (f == KF_ADD) __atomic_fetch_add(to, x, __ATOMIC_RELAXED);                      \
      while ((f == KF_MIN && x < old) || (f == KF_MAX && x > old))                       \
        if (__atomic_compare_exchange_n(to, &old, x, true, __ATOMIC_RELAXED,             \
                                        __ATOMIC_RELAXED))                               \
          break;                                                                         \
    }                                                                                    \
  }
JOIN(int32_t)
JOIN(int64_t)

static bool same_key(elt t, const void *keys, int64_t i, int64_t j) {
  if (t == ET_F32) return ((const float *)keys)[i] == ((const float *)keys)[j];
  if (t == ET_F64) return ((const double *)keys)[i] == ((const double *)keys)[j];
  size_t n = elt_bytes(t, 1);
  const char *at = keys;
  return !memcmp(at + (size_t)i * n, at + (size_t)j * n, n);
}

/* Other threads look for places in the same table. */
static void take_seat(const kir_bind *b, const kin *in, const kout *how, int32_t *out,
                      int32_t number, const int32_t at[2]) {
  const void *keys = b->in[how->keys].host;
  int64_t last = b->in[how->keys].offset;
  for (int32_t h = at[0];; h = (h + 1) & at[1]) {
    int32_t old = __atomic_load_n(out + h, __ATOMIC_RELAXED);
    for (;;) {
      bool vacant = (uint32_t)old > (uint64_t)last;
      if (!vacant && !same_key(in->type, keys, number, old)) break;
      if (!vacant && old <= number) return;
      if (__atomic_compare_exchange_n(out + h, &old, number, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        return;
    }
  }
}

static void put_seats(blk_thread *t, uint32_t i, size_t n) {
  const blk_plan *p = t->plan;
  const blk_out *o = &p->out[i];
  const kout *how = &p->k->out[i];
  const uint8_t *when = t->at[o->when];
  const int32_t *at = t->at[o->at], *v = t->at[o->cell], *mask = t->at[o->mask];
  for (size_t k = 0; k < n; k++) {
    const int32_t way[2] = {at[k], mask[p->cell[o->mask].uni ? 0 : k]};
    if (when[k]) take_seat(p->b, &p->k->in[how->keys], how, p->b->out[i].host, v[k], way);
  }
}

/* The block's elements to the places that the kernel computes. */
static void put(blk_thread *t, uint32_t i, const blk_at *w) {
  const blk_plan *p = t->plan;
  const blk_out *o = &p->out[i];
  const uint8_t *when = t->at[o->when];
  const void *at = t->at[o->at], *v = t->at[o->cell];
  void *out = p->b->out[i].host;
  elt type = p->k->out[i].type;
  kty ty = p->cell[o->at].ty;
  size_t n = w->n;
  const kout *how = &p->k->out[i];
  if (how->put == KPUT_INSERT) {
    put_seats(t, i, n);
    return;
  }
  if (type == ET_BIT) {
    put_bits(how, out, v, when, ty, at, n);
    return;
  }
  if (how->put == KPUT_JOIN) {
    if (type == ET_I32) join_int32_t((kfold)how->monoid, out, v, when, ty, at, n);
    else join_int64_t((kfold)how->monoid, out, v, when, ty, at, n);
    return;
  }
  if (o->fn) {
    o->fn(t->tmp, v, NULL, NULL, n + BLK_UNI - 1);
    v = t->tmp;
  }
  switch (elt_bytes(type, 1)) {
  case 1: PUT(uint8_t)
  case 2: PUT(uint16_t)
  case 4: PUT(uint32_t)
  default: PUT(uint64_t)
  }
}

/* A part of complex numbers, every second f64. */
static void store_part(blk_thread *t, uint32_t i, const blk_at *w) {
  const blk_out *o = &t->plan->out[i];
  const kout *how = &t->plan->k->out[i];
  const double *v = t->at[o->cell];
  const uint8_t *when = t->at[o->when];
  double *to = (double *)t->plan->b->out[i].host + (how->pair == PAIR_IM);
  for (size_t k = 0; k < w->n && !how->put; k++) to[2 * (w->e0 + (int64_t)k)] = v[k];
  for (size_t k = 0; k < w->n && how->put; k++)
    if (when[k]) to[2 * place_at(t->plan->cell[o->at].ty, t->at[o->at], k)] = v[k];
}

static void store(blk_thread *t, uint32_t i, const blk_at *w) {
  const blk_plan *p = t->plan;
  const blk_out *o = &p->out[i];
  elt type = p->k->out[i].type;
  const void *v = t->at[o->cell];
  if (p->k->out[i].pair) {
    store_part(t, i, w);
    return;
  }
  if (p->k->out[i].put) {
    put(t, i, w);
    return;
  }
  if (type == ET_BIT) {
    store_bits(t, o, p->b->out[i].host, w);
    return;
  }
  size_t size = elt_bytes(type, 1);
  char *out = (char *)p->b->out[i].host + (size_t)w->e0 * size;
  if (v == out) return; /* made in place */
  if (!o->fn) {
    memcpy(out, v, w->n * size);
  } else if (w->n % BLK_UNI == 0) {
    o->fn(out, v, NULL, NULL, w->n);
  } else {
    o->fn(t->tmp, v, NULL, NULL, w->n + BLK_UNI - 1);
    memcpy(out, t->tmp, w->n * size);
  }
}

void blk_aim(blk_thread *t, const blk_at *w) {
  const blk_plan *p = t->plan;
  for (uint32_t i = 0; i < p->k->n_acc; i++)
    t->at[p->tuple_r[i]] = reg_of(t, p->tuple_r[i]);
  for (uint32_t i = 0; i < p->k->n_out; i++) {
    const blk_out *o = &p->out[i];
    if (!o->direct) continue;
    char *out =
        (char *)p->b->out[i].host + (size_t)w->e0 * elt_bytes(p->k->out[i].type, 1);
    t->at[o->cell] = out;
    if (w->n % BLK_UNI) t->at[o->cell] = reg_of(t, o->cell);
  }
}

void blk_post(blk_thread *t, const blk_at *w) {
  const blk_plan *p = t->plan;
  blk_run_steps(t, p->n_pre, p->n_step, w);
  for (uint32_t i = 0; i < p->k->n_out; i++) store(t, i, w);
}
