/* SPDX-License-Identifier: MIT */
/* kir_ref.h - kir.h, word by word, one element at a time: the reference that every back end
 * is compared with. Slow and plain on purpose; it shares no code with src/.
 *
 *   ref_run(k, b)          fills b->out[].host and b->flags, as a back end does
 *   ref_same(t, a, b, n)   equal bits; any NaN equals any NaN
 *
 * Where kir.h allows any value: a float out of an integer's range becomes the least integer.
 * Storage: bit outputs are whole bytes, tail zero. */
#ifndef VAPL_TESTS_KIR_REF_H
#define VAPL_TESTS_KIR_REF_H
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/kir/kir.h"

/* What op gives, if it is there for t; 0: it has no value. */
static inline kty kop_gives(kop op, kty t) {
  if (!kop_has_value(op)) return (kty)0;
  return kop_table[op].form == KFORM_COMPARE ? KB : t;
}

__extension__ typedef __int128 ref_wide;
typedef struct ref_val {
  int64_t i;
  double d;
  float f;
  ref_wide w;
} ref_val; /* by kty */

typedef struct ref_tuple {
  ref_val v[KIR_MAX_ACC];
} ref_tuple;

typedef struct ref_state {
  const kir *k;
  const kir_bind *b;
  ref_val *v;    /* per instruction */
  bool overflow; /* of a product in the fold */
  const struct ref_monoid *monoid;
  ref_val part[KIR_MAX_ACC]; /* the FOLD's results */
  ref_val loop[KIR_MAX_LOOP][KIR_MAX_CARRIED];
  const kir *top;     /* of a loop's body: the kernel whose inputs GETs read */
  const ref_val *arg; /* a join's two tuples; else NULL */
  /* Where there is a join the fold's functions work on numbers of tuples (ref_val.i).
   * Number 0 is the identity. */
  ref_tuple *pool;
  size_t n_pool, cap_pool;
} ref_state;

static inline void ref_flag(const ref_state *s, int64_t fault, int escape) {
  s->b->flags[2 * fault + escape] = 1;
}

/* ── storage ── */

static inline ref_val ref_load(elt t, const void *p, int64_t i) {
  ref_val r = {0};
  switch (t) {
  case ET_BIT: r.i = ((const uint8_t *)p)[i / 8] >> (i % 8) & 1; break;
  case ET_I8: r.i = ((const int8_t *)p)[i]; break;
  case ET_I16: r.i = ((const int16_t *)p)[i]; break;
  case ET_I32: r.i = ((const int32_t *)p)[i]; break;
  case ET_I64: r.i = ((const int64_t *)p)[i]; break;
  case ET_C8: r.i = ((const uint8_t *)p)[i]; break;
  case ET_C16: r.i = ((const uint16_t *)p)[i]; break;
  case ET_C32: r.i = (int32_t)((const uint32_t *)p)[i]; break;
  case ET_F32: r.f = ((const float *)p)[i]; break;
  default: r.d = ((const double *)p)[i]; break;
  }
  return r;
}

static inline void ref_store(elt t, void *p, int64_t i, kty ty, ref_val v) {
  switch (t) {
  case ET_BIT: {
    uint8_t *b = (uint8_t *)p + i / 8;
    *b = (uint8_t)((*b & ~(1u << i % 8)) | (unsigned)(v.i & 1) << i % 8);
    break;
  }
  case ET_I8:
  case ET_C8: ((uint8_t *)p)[i] = (uint8_t)v.i; break;
  case ET_I16:
  case ET_C16: ((uint16_t *)p)[i] = (uint16_t)v.i; break;
  case ET_I32:
  case ET_C32: ((uint32_t *)p)[i] = (uint32_t)v.i; break;
  case ET_I64: ((int64_t *)p)[i] = v.i; break;
  case ET_F32: ((float *)p)[i] = v.f; break;
  default: ((double *)p)[i] = v.d; break;
  }
  (void)ty;
}

/* ── conversions ── */

static inline ref_val ref_wrap(kty ty, uint64_t u) { /* an integer of type ty */
  ref_val r = {0};
  if (ty == KB) r.i = (int64_t)(u & 1);
  else if (ty == KI32) r.i = (int32_t)(uint32_t)u;
  else r.i = (int64_t)u;
  return r;
}

static inline int64_t ref_to_int(kty to, double x) {
  if (to == KI32) return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
  return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

static inline ref_val ref_cvt(kty from, kty to, ref_val a) {
  ref_val r = {0};
  if (from == to) return a;
  if (kty_is_float(from)) {
    double x = from == KF32 ? (double)a.f : a.d;
    if (to == KB) r.i = x != 0;
    else if (to == KF32) r.f = (float)x;
    else if (to == KF64) r.d = x;
    else r.i = ref_to_int(to, x);
  } else if (to == KB) {
    r.i = a.i != 0;
  } else if (to == KF32) {
    r.f = (float)a.i;
  } else if (to == KF64) {
    r.d = (double)a.i;
  } else {
    r = ref_wrap(to, (uint64_t)a.i);
  }
  return r;
}

static inline ref_val ref_bits(kty from, kty to, ref_val a) {
  ref_val r = {0};
  if (from == to) return a;
  if (from == KF64) memcpy(&r.i, &a.d, 8);
  else if (to == KF64) memcpy(&r.d, &a.i, 8);
  else if (from == KF32) {
    int32_t x;
    memcpy(&x, &a.f, 4);
    r.i = x;
  } else if (to == KF32) {
    int32_t x = (int32_t)a.i;
    memcpy(&r.f, &x, 4);
  }
  return r;
}

/* ── operations ── */

static inline int ref_rel(kty ty, ref_val a, ref_val b, kop op) {
#define REF_REL(x, y)                                                                    \
  switch (op) {                                                                          \
  case KOP_EQ: return (x) == (y);                                                        \
  case KOP_NE: return (x) != (y);                                                        \
  case KOP_LT: return (x) < (y);                                                         \
  case KOP_LE: return (x) <= (y);                                                        \
  case KOP_GT: return (x) > (y);                                                         \
  default: return (x) >= (y);                                                            \
  }
  if (ty == KF32) { REF_REL(a.f, b.f) }
  if (ty == KF64) { REF_REL(a.d, b.d) }
  REF_REL(a.i, b.i)
#undef REF_REL
}

/* Is x what MIN or MAX of x and y gives? A NaN is, and of zeros ¯0 is the lesser. */
static inline bool ref_is_extreme(kop op, double x, double y) {
  bool least = op == KOP_MIN;
  if (isnan(x) || isnan(y)) return isnan(x);
  if (x == 0 && y == 0) return least == (signbit(x) != 0);
  return least ? x < y : x > y;
}

static inline ref_val ref_float(kop op, kty ty, ref_val a, ref_val b) {
  ref_val r = {0};
#define REF_FLT(T, m, suffix)                                                            \
  {                                                                                      \
    T x = a.m, y = b.m, z;                                                               \
    switch (op) {                                                                        \
    case KOP_ADD: z = x + y; break;                                                      \
    case KOP_SUB: z = x - y; break;                                                      \
    case KOP_MUL: z = x * y; break;                                                      \
    case KOP_DIV: z = x / y; break;                                                      \
    case KOP_SQRT: z = sqrt##suffix(x); break;                                           \
    case KOP_NEG: z = -x; break;                                                         \
    case KOP_ABS: z = fabs##suffix(x); break;                                            \
    case KOP_MIN:                                                                        \
    case KOP_MAX: z = ref_is_extreme(op, x, y) ? x : y; break;                           \
    case KOP_FLOOR: z = floor##suffix(x); break;                                         \
    default: z = rint##suffix(x); break;                                                 \
    }                                                                                    \
    r.m = z;                                                                             \
  }
  if (ty == KF32) REF_FLT(float, f, f)
  else REF_FLT(double, d, )
#undef REF_FLT
  return r;
}

static inline ref_val ref_int(const ref_state *s, const kins *n, kty ty, ref_val a,
                              ref_val b) {
  uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
  ref_wide exact = 0;
  switch ((kop)n->op) {
  case KOP_ADDO: exact = (ref_wide)a.i + b.i; break;
  case KOP_SUBO: exact = (ref_wide)a.i - b.i; break;
  case KOP_MULO: exact = (ref_wide)a.i * b.i; break;
  case KOP_ADD: return ref_wrap(ty, x + y);
  case KOP_SUB: return ref_wrap(ty, x - y);
  case KOP_MUL: return ref_wrap(ty, x * y);
  case KOP_QUOT:
    if (b.i == 0) return a;
    return ref_wrap(ty, b.i == -1 ? 0 - x : (uint64_t)(a.i / b.i));
  case KOP_NEG: return ref_wrap(ty, 0 - x);
  case KOP_ABS: return ref_wrap(ty, a.i < 0 ? 0 - x : x);
  case KOP_MIN: return b.i < a.i ? b : a;
  case KOP_MAX: return b.i > a.i ? b : a;
  case KOP_AND: return ref_wrap(ty, x & y);
  case KOP_OR: return ref_wrap(ty, x | y);
  case KOP_XOR: return ref_wrap(ty, x ^ y);
  case KOP_NOT: return ref_wrap(ty, ~x);
  case KOP_SHL: return ref_wrap(ty, x << n->imm.i);
  default: return ref_wrap(ty, (uint64_t)(a.i >> n->imm.i)); /* SAR */
  }
  ref_val r = ref_wrap(ty, (uint64_t)exact);
  if (r.i != exact) ref_flag(s, n->imm.i, 1);
  return r;
}

static inline bool ref_finite(kty ty, ref_val a) {
  return ty == KF32 ? isfinite(a.f) : isfinite(a.d);
}

/* Where a STRIDED input's element for position `flat` is. */
static inline int64_t ref_strided(const kir *k, const kir_bind *b, int64_t in,
                                  int64_t flat) {
  int w = k->in[in].view - KV_STRIDED;
  int64_t sum = 0;
  for (int d = k->strided[w] - 1; d >= 0; d--) {
    int64_t n = d ? b->strided[w].n[d] : flat + 1;
    sum += flat % n * b->strided[w].stride[d];
    flat /= n;
  }
  return b->in[in].offset + b->in[in].step * sum;
}

/* Moves the offset of a STRIDED input so that its least element is number 0; how many it
 * needs. */
static inline int64_t ref_strided_fit(const kir *k, kir_bind *b, int64_t in,
                                      int64_t all) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (int64_t i = 0; i < all; i++) {
    int64_t e = ref_strided(k, b, in, i);
    lo = e < lo ? e : lo;
    hi = e > hi ? e : hi;
  }
  b->in[in].offset -= lo;
  return hi - lo + 1;
}

static inline void ref_loop(ref_state *s, int64_t number);

/* Instructions [from, to) for the element at position `pos` of its line; `flat` is its number
 * among all elements of this phase. */
static inline void ref_ins(ref_state *s, uint32_t from, uint32_t to, int64_t pos,
                           int64_t flat) {
  const kir *k = s->k;
  for (uint32_t i = from; i < to; i++) {
    const kins *n = &k->ins[i];
    ref_val a = s->v[n->a], b = s->v[n->b], c = s->v[n->c], r = {0};
    kty ty = n->ty, A = k->ins[n->a].ty;
    switch ((kop)n->op) {
    case KOP_ARG: {
      int64_t in = n->imm.i;
      if (s->arg) {
        r = s->arg[in];
        break;
      }
      elt t = k->in[in].type;
      int64_t e = k->in[in].view == KV_ONE       ? 0
                  : k->in[in].view >= KV_STRIDED ? ref_strided(k, s->b, in, flat)
                  : k->in[in].view == KV_FLAT
                      ? flat
                      : s->b->in[in].offset + s->b->in[in].step * pos;
      r = ref_cvt(kir_arg_type(t), ty, ref_load(t, s->b->in[in].host, e));
      break;
    }
    case KOP_GET: {
      int64_t in = n->imm.i, last = s->b->in[in].offset;
      elt t = (s->top ? s->top : k)->in[in].type;
      int64_t e = a.i < 0 || a.i > last ? last : a.i;
      r = ref_cvt(kir_arg_type(t), ty, ref_load(t, s->b->in[in].host, e));
      break;
    }
    case KOP_NEAR: {
      int64_t in = knear_in(n->imm.i), columns = s->b->in[in].offset;
      int64_t row = flat / columns + knear_down(n->imm.i);
      int64_t column = flat % columns + knear_right(n->imm.i);
      elt t = k->in[in].type;
      bool there = row >= 0 && row < s->b->in[in].step && column >= 0 && column < columns;
      if (there) r = ref_load(t, s->b->in[in].host, row * columns + column);
      else if (t == ET_C8 || t == ET_C16 || t == ET_C32) r.i = ' ';
      r = ref_cvt(kir_arg_type(t), ty, r);
      break;
    }
    case KOP_IOTA: r = ref_wrap(ty, (uint64_t)pos); break;
    case KOP_NUMBER: r = ref_wrap(ty, (uint64_t)flat); break;
    case KOP_CONST:
    case KOP_PARAM: {
      kimm m = n->op == KOP_CONST ? n->imm : s->b->param[n->imm.i];
      if (ty == KF32) r.f = (float)m.f;
      else if (ty == KF64) r.d = m.f;
      else r.i = m.i;
      break;
    }
    case KOP_LOOP:
      ref_loop(s, n->imm.i);
      r = s->loop[n->imm.i][0];
      break;
    case KOP_PART:
      if (k->ins[n->a].op == KOP_LOOP) r = s->loop[k->ins[n->a].imm.i][n->imm.i];
      else r = s->part[n->imm.i];
      break;
    case KOP_CVT: r = ref_cvt(A, ty, a); break;
    case KOP_BITS: r = ref_bits(A, ty, a); break;
    case KOP_EQ:
    case KOP_NE:
    case KOP_LT:
    case KOP_LE:
    case KOP_GT:
    case KOP_GE: r.i = ref_rel(A, a, b, n->op); break;
    case KOP_SEL: r = a.i ? b : c; break;
    case KOP_FMA: r.d = fma(a.d, b.d, c.d); break;
    case KOP_FIN:
      r = a;
      bool one = n->a == n->b && n->a == n->c;
      if (!ref_finite(ty, a) && (one || (ref_finite(ty, b) && ref_finite(ty, c))))
        ref_flag(s, n->imm.i, 0);
      break;
    case KOP_ERR:
      if (a.i) ref_flag(s, n->imm.i, 0);
      break;
    case KOP_ESC:
      if (a.i) ref_flag(s, n->imm.i, 1);
      break;
    default: r = kty_is_float(ty) ? ref_float(n->op, ty, a, b) : ref_int(s, n, ty, a, b);
    }
    s->v[i] = r;
  }
}

/* while (again(s)) s = next(s) */
static inline void ref_loop(ref_state *s, int64_t number) {
  const kloop *l = &s->k->loop[number];
  const kir *body = l->body;
  ref_val arg[KIR_MAX_IN], *v = calloc(body->n_ins + 1, sizeof *v);
  ref_state inner = {.k = body, .b = s->b, .v = v, .arg = arg};
  inner.top = s->top ? s->top : s->k;
  for (uint32_t i = 0; i < body->n_in; i++) arg[i] = s->v[l->from[i]];
  for (;;) {
    ref_ins(&inner, 0, l->test, 0, 0);
    if (!v[body->out[l->n].value].i) break;
    ref_ins(&inner, l->test, body->n_ins, 0, 0);
    for (uint32_t i = 0; i < l->n; i++) arg[i] = v[body->out[i].value];
  }
  memcpy(s->loop[number], arg, l->n * sizeof *arg);
  free(v);
}

/* ── the fold ── */

/* The rows of folds.def, read once more. */
enum { REF_B, REF_I, REF_F };
enum { REF_EXACT, REF_SUM, REF_TREE };
typedef struct ref_monoid {
  kfold fold;
  int of, order;
  kop op;
  double identity; /* infinite: the end of the type */
} ref_monoid;

static inline kty ref_src(const kir *k) { return k->ins[k->acc[0].from].ty; }

/* Bytes of an accumulator whose bracketing shows. */
static inline int64_t ref_size(const kir *k) {
  int64_t bytes = 0;
  if (!k->join) return kty_bytes(ref_src(k));
  for (uint32_t n = 0; n < k->n_acc; n++) bytes += kty_bytes(k->acc[n].ty) < 8 ? 4 : 8;
  return bytes;
}

/* The row that folds: that of the operand's class, or else that of truth values. */
static inline const ref_monoid *ref_row(const kir *k) {
  static const ref_monoid rows[] = {
#define HIGHEST HUGE_VAL
#define LOWEST -HUGE_VAL
#define ON(id, class, order, op, identity, group)                                        \
  {KF_##id, REF_##class, REF_##order, KOP_##op, identity},
#include "src/tables/folds.def"
#undef HIGHEST
#undef LOWEST
  };
  kty ty = ref_src(k);
  int of = REF_I;
  if (kty_is_float(ty)) of = REF_F;
  else if (ty == KB) of = REF_B;
  const ref_monoid *r = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].fold == k->acc[0].monoid &&
        (rows[i].of == of || (rows[i].of == REF_B && !r)))
      r = &rows[i];
  return r;
}

/* ── tuples and their join ── */

static inline ref_val ref_tuple_put(ref_state *s, const ref_val *v) {
  if (s->n_pool == s->cap_pool) {
    s->cap_pool = s->cap_pool ? 2 * s->cap_pool : 64;
    s->pool = realloc(s->pool, s->cap_pool * sizeof *s->pool);
  }
  memcpy(s->pool[s->n_pool].v, v, s->k->n_acc * sizeof *v);
  return (ref_val){.i = (int64_t)s->n_pool++};
}

static inline ref_val ref_tuple_join(ref_state *s, ref_val a, ref_val b) {
  const kir *k = s->k, *j = k->join;
  uint32_t n = k->n_acc;
  ref_val arg[2 * KIR_MAX_ACC], r[KIR_MAX_ACC], v[KIR_MAX_INS];
  memset(v, 0, j->n_ins * sizeof *v);
  memcpy(arg, s->pool[a.i].v, n * sizeof *arg);
  memcpy(arg + n, s->pool[b.i].v, n * sizeof *arg);
  ref_state inner = {.k = j, .b = s->b, .v = v, .arg = arg};
  ref_ins(&inner, 0, j->n_ins, 0, 0);
  for (uint32_t i = 0; i < n; i++) r[i] = v[j->out[i].value];
  return ref_tuple_put(s, r);
}

static inline void ref_tuples_begin(ref_state *s) {
  ref_val v[KIR_MAX_ACC] = {{0}};
  for (uint32_t n = 0; n < s->k->n_acc; n++) {
    v[n].d = s->k->identity[n].f;
    v[n].f = (float)v[n].d;
    if (!kty_is_float(s->k->acc[n].ty)) v[n].i = s->k->identity[n].i;
  }
  s->n_pool = 0;
  (void)ref_tuple_put(s, v);
}

static inline ref_val ref_identity(const kir *k) {
  if (k->join) return (ref_val){0};
  double v = ref_row(k)->identity;
  ref_val r = {.d = v, .f = (float)v};
  if (v == HUGE_VAL) r.i = ref_src(k) == KI32 ? INT32_MAX : INT64_MAX;
  else if (v == -HUGE_VAL) r.i = ref_src(k) == KI32 ? INT32_MIN : INT64_MIN;
  else r.i = (int64_t)v;
  r.w = r.i;
  return r;
}

static inline ref_val ref_join(ref_state *s, ref_val a, ref_val b) {
  if (s->k->join) return ref_tuple_join(s, a, b);
  const ref_monoid *m = s->monoid;
  kty ty = ref_src(s->k);
  ref_val r = {0};
  if (m->of == REF_F) return ref_float(m->op, ty, a, b);
  switch (m->op) {
  case KOP_ADD: r.w = a.w + b.w; return r;
  case KOP_MULO: {
    ref_wide p = (ref_wide)a.i * b.i;
    r = ref_wrap(ty, (uint64_t)p);
    s->overflow |= r.i != p;
    return r;
  }
  case KOP_MIN: return b.i < a.i ? b : a;
  case KOP_MAX: return b.i > a.i ? b : a;
  case KOP_AND: r.i = a.i & b.i; return r;
  case KOP_OR: r.i = a.i | b.i; return r;
  case KOP_XOR: r.i = a.i ^ b.i; return r;
  default: abort(); /* another operation: say here what it is */
  }
}

/* Reduce n values by the tree. */
static inline ref_val ref_reduce(ref_state *s, const ref_val *x, int64_t n) {
  int64_t tile = KIR_REDUCE_ROWS * KIR_LANES, tiles = (n + tile - 1) / tile;
  ref_val *part = malloc((size_t)tiles * sizeof *part),
          *v = malloc(KIR_LANES * sizeof *v), r;
  for (int64_t t = 0; t < tiles; t++) {
    for (int64_t l = 0; l < KIR_LANES; l++) {
      v[l] = ref_identity(s->k);
      for (int64_t j = t * tile + l; j < n && j < (t + 1) * tile; j += KIR_LANES)
        v[l] = ref_join(s, v[l], x[j]);
    }
    for (int w = KIR_LANES / 2; w; w /= 2)
      for (int i = 0; i < w; i++) v[i] = ref_join(s, v[2 * i], v[2 * i + 1]);
    part[t] = v[0];
  }
  r = tiles > 1 ? ref_reduce(s, part, tiles) : part[0];
  free(v);
  free(part);
  return r;
}

/* p joined with x behind it, or x alone where there was nothing yet. */
static inline void ref_append(ref_state *s, ref_val *p, bool *any, ref_val x) {
  if (*any) *p = ref_join(s, *p, x);
  else *p = x;
  *any = true;
}

/* Sklansky on n ≤ 32 values, all of a level at once. */
static inline void ref_sklansky(ref_state *s, ref_val *t, int n) {
  for (int k = 0; k < 5; k++)
    for (int q = 0; q < n; q++)
      if (q >> k & 1) t[q] = ref_join(s, t[(q >> k << k) - 1], t[q]);
}

/* 32 places by neighbours, of which the first n have something. */
static inline ref_val ref_neighbours(ref_state *s, const ref_val *x, int n) {
  ref_val v[32] = {{0}};
  memcpy(v, x, (size_t)n * sizeof *v);
  for (; n > 1; n = (n + 1) / 2)
    for (int i = 0; 2 * i < n; i++)
      v[i] = 2 * i + 1 < n ? ref_join(s, v[2 * i], v[2 * i + 1]) : v[2 * i];
  return v[0];
}

/* The total of a strip, which is whole, of a monoid that commutes. */
static inline ref_val ref_strip(ref_state *s, const ref_val *x) {
  int groups = (int)KIR_SCAN_GROUPS(ref_size(s->k));
  ref_val h[32];
  for (int l = 0; l < 32; l++) {
    ref_val c[4];
    for (int j = 0; j < 4; j++) {
      c[j] = x[4 * l + j];
      for (int g = 1; g < groups; g++)
        c[j] = ref_join(s, c[j], x[KIR_SCAN_GROUP * g + 4 * l + j]);
    }
    h[l] = ref_join(s, ref_join(s, c[0], c[1]), ref_join(s, c[2], c[3]));
  }
  return ref_neighbours(s, h, 32);
}

/* Tiles of a super-tile; tests may have fewer. */
static int64_t ref_super = KIR_SCAN_SUPER;

/* What n > 0 totals of one super-tile come to. */
static inline ref_val ref_totals(ref_state *s, const ref_val *total, int64_t n) {
  ref_val acc[32], p = {0};
  bool any = false;
  for (int64_t i = 0; i < n && s->k->join; i += 32)
    ref_append(s, &p, &any, ref_neighbours(s, total + i, n - i < 32 ? (int)(n - i) : 32));
  if (s->k->join) return p;
  for (int64_t i = 0; i < n; i++)
    acc[i % 32] = i < 32 ? total[i] : ref_join(s, acc[i % 32], total[i]);
  return ref_neighbours(s, acc, n < 32 ? (int)n : 32);
}

/* What comes before tile t, of the totals of those before it; t > 0. */
static inline ref_val ref_prefix(ref_state *s, const ref_val *total, int64_t t) {
  int64_t supers = t / ref_super, rest = t % ref_super;
  if (!supers) return ref_totals(s, total, t);
  ref_val *sum = malloc((size_t)supers * sizeof *sum);
  for (int64_t i = 0; i < supers; i++)
    sum[i] = ref_totals(s, total + i * ref_super, ref_super);
  ref_val q = ref_prefix(s, sum, supers);
  free(sum);
  return rest ? ref_join(s, q, ref_totals(s, total + supers * ref_super, rest)) : q;
}

/* One group of n elements behind `before`, if there is something. Nothing is joined that only
 * what follows the last element would need, except that `total` is made if it is asked for. */
static inline void ref_scan_group(ref_state *s, const ref_val *x, int n,
                                  const ref_val *before, const ref_val *run, ref_val *out,
                                  ref_val *total) {
  ref_val e[KIR_SCAN_GROUP], t[32];
  bool exclusive = s->k->exclusive;
  int quads = total ? 32 : (n - 1) / 4; /* whose totals something follows */
  for (int i = 0; i < n; i++) {
    e[i] = x[i];
    if (i % 4 && (!exclusive || i / 4 < quads || i + 1 < n))
      e[i] = ref_join(s, e[i - 1], e[i]);
  }
  for (int q = 0; q < quads; q++) t[q] = e[4 * q + 3];
  ref_sklansky(s, t, quads);
  if (total) *total = t[31];
  for (int i = 0; i < n; i++) {
    ref_val p = {0}, b = {0};
    bool has = false, any = false;
    if (run) ref_append(s, &b, &has, *run);
    if (i >= 4) ref_append(s, &b, &has, t[i / 4 - 1]);
    if (!exclusive) ref_append(s, &b, &has, e[i]);
    else if (i % 4) ref_append(s, &b, &has, e[i - 1]);
    if (before) ref_append(s, &p, &any, *before);
    if (has) ref_append(s, &p, &any, b);
    out[i] = any ? p : ref_identity(s->k);
  }
}

/* Scans a tile behind the prefix `p`, if there is one; makes its total if that is asked for. */
static inline void ref_scan_tile(ref_state *s, const ref_val *x, int64_t n,
                                 const ref_val *p, ref_val *out, ref_val *total) {
  const int64_t strip = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(ref_size(s->k));
  ref_val off = {0}; /* the strips so far */
  bool has_off = false;
  for (int64_t at = 0; at < n; at += strip) {
    int64_t m = n - at < strip ? n - at : strip;
    ref_val before = {0}, run = {0}, t;
    bool any = false, has_run = false;
    if (p) ref_append(s, &before, &any, *p);
    if (has_off) ref_append(s, &before, &any, off);
    bool sum = at + strip < n || total, in_order = sum && s->k->join;
    for (int64_t g = 0; g < m; g += KIR_SCAN_GROUP) {
      bool more = g + KIR_SCAN_GROUP < m;
      ref_scan_group(s, x + at + g, more ? KIR_SCAN_GROUP : (int)(m - g),
                     any ? &before : NULL, has_run ? &run : NULL, out + at + g,
                     more || in_order ? &t : NULL);
      if (more || in_order) ref_append(s, &run, &has_run, t);
    }
    if (sum) ref_append(s, &off, &has_off, in_order ? run : ref_strip(s, x + at));
  }
  if (total) *total = off;
}

static inline void ref_scan(ref_state *s, const ref_val *x, int64_t n, ref_val *out) {
  int64_t tile = KIR_SCAN_TILE(ref_size(s->k)), tiles = (n + tile - 1) / tile;
  ref_val *total = malloc((size_t)(tiles + 1) * sizeof *total);
  for (int64_t t = 0; t < tiles; t++) {
    bool last = t + 1 == tiles; /* its total is nobody's carry */
    int64_t at = t * tile;
    ref_val p;
    if (t) p = ref_prefix(s, total, t);
    ref_scan_tile(s, x + at, last ? n - at : tile, t ? &p : NULL, out + at,
                  last ? NULL : &total[t]);
  }
  free(total);
}

/* ── folds by a join ── */

/* By neighbours; what is missing, always on the right, is left out. */
static inline ref_val ref_ordered_group(ref_state *s, const ref_val *x, int64_t n) {
  ref_val q[32];
  int m = 0;
  for (int64_t i = 0; i < n; i++) {
    if (i % 4 == 0) q[m++] = x[i];
    else q[m - 1] = ref_join(s, q[m - 1], x[i]);
  }
  for (; m > 1; m = (m + 1) / 2)
    for (int i = 0; 2 * i < m; i++) {
      q[i] = q[2 * i];
      if (2 * i + 1 < m) q[i] = ref_join(s, q[i], q[2 * i + 1]);
    }
  return q[0];
}

/* The total of n elements: groups of 128 from left to right in a strip, ten strips from left
 * to right in a tile, and the tiles by the same rule. */
static inline ref_val ref_reduce_ordered(ref_state *s, const ref_val *x, int64_t n) {
  const int64_t strip = KIR_SCAN_GROUP * KIR_SCAN_GROUPS(ref_size(s->k));
  const int64_t tile = KIR_SCAN_STRIPS * strip, tiles = (n + tile - 1) / tile;
  ref_val *total = malloc((size_t)tiles * sizeof *total), r;
  for (int64_t t = 0; t < tiles; t++) {
    int64_t end = n < (t + 1) * tile ? n : (t + 1) * tile;
    for (int64_t k = t * tile; k < end; k += strip) {
      ref_val run = {0};
      int64_t last = k + strip < end ? k + strip : end;
      for (int64_t i = k; i < last; i += 128) {
        ref_val g = ref_ordered_group(s, x + i, last - i < 128 ? last - i : 128);
        run = i == k ? g : ref_join(s, run, g);
      }
      total[t] = k == t * tile ? run : ref_join(s, total[t], run);
    }
  }
  if (tiles > 1) r = ref_reduce_ordered(s, total, tiles);
  else r = total[0];
  free(total);
  return r;
}

/* x0 f (x1 f (… f xn)). */
static inline ref_val ref_from_right(ref_state *s, const ref_val *x, int64_t n) {
  ref_val r = x[n - 1];
  for (int64_t i = n - 1; i-- > 0;) r = ref_join(s, x[i], r);
  return r;
}

static inline void ref_sequence(ref_state *s, const ref_val *x, int64_t n, ref_val *y) {
  if (s->k->kind == KIR_REDUCE) {
    y[0] = ref_from_right(s, x, n);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    if (s->k->join_order == KJOIN_RIGHT) y[i] = ref_from_right(s, x, i + 1);
    else if (i) y[i] = ref_join(s, x[i], y[i - 1]);
    else y[i] = x[0];
  }
}

/* ── lines ── */

/* The accumulator becomes the FOLD's result. */
static inline ref_val ref_result(ref_state *s, ref_val a) {
  const kacc *n = &s->k->acc[0];
  if (s->monoid->order != REF_SUM) return a;
  ref_val r = {0};
  r.i = (int64_t)a.w;
  if (n->ty == KF64) r.d = (double)a.w;
  else if (n->wide && r.i != a.w) ref_flag(s, n->fault, 1);
  return r;
}

/* What a JOIN leaves where b is, of integers and truth values. */
static inline ref_val ref_meet(uint8_t monoid, ref_val a, ref_val b) {
  bool b_counts = monoid == KF_MIN || monoid == KF_AND ? b.i < a.i : b.i > a.i;
  if (monoid == KF_ADD) a.i += b.i;
  else if (b_counts) a.i = b.i;
  return a;
}

/* The place that v takes, and what stays there. */
static inline int64_t ref_seat(ref_state *s, const kout *o, const int32_t *out,
                               ref_val *v) {
  const kin *in = &s->k->in[o->keys];
  const void *keys = s->b->in[o->keys].host;
  int64_t last = s->b->in[o->keys].offset, at = s->v[o->at].i;
  for (;; at = (at + 1) & s->v[o->mask].i) {
    if (out[at] < 0 || out[at] > last) return at;
    ref_val a = ref_load((elt)in->type, keys, v->i),
            b = ref_load((elt)in->type, keys, out[at]);
    if (a.i == b.i && a.d == b.d && a.f == b.f) break;
  }
  if (out[at] < v->i) v->i = out[at];
  return at;
}

static inline void ref_outs(ref_state *s, int64_t flat) {
  for (uint32_t i = 0; i < s->k->n_out; i++) {
    const kout *o = &s->k->out[i];
    int64_t at = o->put ? s->v[o->at].i : flat;
    if (o->put && !s->v[o->when].i) continue;
    ref_val v = s->v[o->value];
    void *out = s->b->out[i].host;
    if (o->put == KPUT_INSERT) at = ref_seat(s, o, out, &v);
    if (o->put == KPUT_JOIN) v = ref_meet(o->monoid, v, ref_load(o->type, out, at));
    ref_store(o->type, out, at, s->k->ins[o->value].ty, v);
  }
}

/* x, len values of acc[0], become y, one or len results. */
static inline void ref_fold_values(ref_state *s, ref_val *x, ref_val *y, int64_t len) {
  const kir *k = s->k;
  s->monoid = ref_row(k);
  bool truth = s->monoid->of == REF_B, tree = s->monoid->order == REF_TREE;
  for (int64_t i = 0; i < len; i++) {
    if (truth) x[i] = ref_cvt(ref_src(k), KB, x[i]);
    x[i].w = x[i].i;
  }
  s->overflow = false;
  if (k->kind == KIR_REDUCE && tree) {
    y[0] = len ? ref_reduce(s, x, len) : ref_identity(k);
  } else if (tree) {
    ref_scan(s, x, len, y);
  } else {
    ref_val acc = ref_identity(k);
    y[0] = acc;
    for (int64_t i = 0; i < len; i++) {
      ref_val before = acc;
      acc = ref_join(s, acc, x[i]);
      y[k->kind == KIR_REDUCE ? 0 : i] = k->exclusive ? before : acc;
    }
  }
  if (s->overflow) ref_flag(s, k->acc[0].fault, 1);
  int64_t n = k->kind == KIR_REDUCE ? 1 : len;
  for (int64_t i = 0; i < n; i++) y[i] = ref_result(s, y[i]);
}

/* The same by the join: value n of element i is x[n × len + i]. */
static inline void ref_fold_tuples(ref_state *s, ref_val *x, ref_val *y, int64_t len) {
  const kir *k = s->k;
  ref_val *t = malloc((size_t)len * sizeof *t), *r = malloc((size_t)len * sizeof *r);
  int64_t results = k->kind == KIR_REDUCE ? 1 : len;
  ref_tuples_begin(s);
  for (int64_t i = 0; i < len; i++) {
    ref_val v[KIR_MAX_ACC];
    for (uint32_t n = 0; n < k->n_acc; n++) v[n] = x[n * len + i];
    t[i] = ref_tuple_put(s, v);
  }
  if (k->join_order >= KJOIN_RIGHT) ref_sequence(s, t, len, r);
  else if (k->kind == KIR_REDUCE) r[0] = ref_reduce_ordered(s, t, len);
  else ref_scan(s, t, len, r);
  for (int64_t i = 0; i < results; i++)
    for (uint32_t n = 0; n < k->n_acc; n++) y[n * len + i] = s->pool[r[i].i].v[n];
  free(r);
  free(t);
}

/* ── an ORDER's rows ── */

typedef struct ref_keyed {
  uint64_t key;
  double value; /* of keys that are the bits of floats */
  const kir *k;
  int64_t at;
} ref_keyed;

static inline double ref_key_value(const kir *k, uint64_t key) {
  bool narrow = k->ins[k->acc[0].from].ty == KI32;
  uint64_t sign = narrow ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  if (k->key_floats == KEY_FLOATS_DOWN) key = ~key;
  key = key & sign ? key ^ sign : ~key;
  uint32_t low = (uint32_t)key;
  float f;
  double d;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &key, sizeof d);
  return narrow ? (double)f : d;
}

static inline int ref_compare_keyed(const void *a, const void *b) {
  const ref_keyed *x = a, *y = b;
  int by = 0;
  if (!x->k->key_floats) by = (x->key > y->key) - (x->key < y->key);
  else if (x->value != x->value || y->value != y->value)
    by = (x->value != x->value) - (y->value != y->value);
  else by = (x->value > y->value) - (x->value < y->value);
  if (x->k->key_floats == KEY_FLOATS_DOWN) by = -by;
  return by ? by : (x->at > y->at) - (x->at < y->at);
}

static inline void ref_order(ref_state *s, const ref_val *x, ref_val *y, int64_t len) {
  const kir *k = s->k;
  bool narrow = k->ins[k->acc[0].from].ty == KI32;
  ref_keyed *list = malloc((size_t)len * sizeof *list);
  for (int64_t i = 0; i < len; i++) {
    uint64_t key = narrow ? (uint32_t)x[i].i : (uint64_t)x[i].i;
    list[i] = (ref_keyed){key, k->key_floats ? ref_key_value(k, key) : 0, k, i};
  }
  qsort(list, (size_t)len, sizeof *list, ref_compare_keyed);
  for (uint32_t n = 0; n < k->n_acc; n++)
    for (int64_t i = 0; i < len; i++) y[n * len + i] = x[n * len + list[i].at];
  free(list);
}

static inline void ref_fold(ref_state *s, ref_val *x, ref_val *y, int64_t len) {
  const kir *k = s->k;
  if (k->kind == KIR_ORDER) {
    ref_order(s, x, y, len);
    return;
  }
  if (k->join) {
    ref_fold_tuples(s, x, y, len);
    return;
  }
  for (uint32_t n = 0; n < k->n_acc; n++) { /* each as if it were alone */
    kir one = *k;
    one.acc[0] = k->acc[n];
    s->k = &one;
    ref_fold_values(s, x + n * len, y + n * len, len);
    s->k = k;
  }
}

/* Line j of row r: elements (r, i, j). */
static inline void ref_line(ref_state *s, int64_t r, int64_t j, ref_val *x, ref_val *y) {
  const kir *k = s->k;
  int64_t len = s->b->len, inner = s->b->inner;
  int64_t first = r * len;
  if (k->segments) {
    int64_t columns = k->kind == KIR_SCAN ? 3 : 2;
    const int64_t *pair = (const int64_t *)s->b->in[k->segments - 1].host + columns * r;
    if (columns == 3 && pair[2]) return; /* a strip behind a segment's first */
    first = pair[0];
    len = pair[1] - first;
  }
  for (int64_t i = 0; i < len; i++) {
    ref_ins(s, 0, k->fold_at, i, (first + i) * inner + j);
    for (uint32_t n = 0; n < k->n_acc; n++) x[n * len + i] = s->v[k->acc[n].from];
  }
  ref_fold(s, x, y, len);
  int64_t n = k->kind == KIR_REDUCE ? 1 : len;
  for (int64_t i = 0; i < n; i++) {
    int64_t flat = k->kind == KIR_REDUCE ? r * inner + j : (first + i) * inner + j;
    int64_t pos = k->kind == KIR_REDUCE ? flat : i;
    for (uint32_t a = 0; a < k->n_acc; a++) s->part[a] = y[a * len + i];
    s->v[k->fold_at] = s->part[0];
    ref_ins(s, k->fold_at + 1, k->n_ins, pos, flat);
    ref_outs(s, flat);
  }
}

/* Row r of a ROWS: all elements as far as the next FOLD, then it. */
static inline void ref_row_line(ref_state *s, int64_t r, ref_val *x, ref_val *y) {
  const kir *k = s->k;
  int64_t len = s->b->len, first = r * len;
  ref_val *all = calloc((size_t)len * k->n_ins, sizeof *all), *own = s->v;
  kir one = *k;
  one.kind = KIR_REDUCE;
  one.n_acc = 1;
  for (uint32_t from = 0, to; from < k->n_ins; from = to + 1) {
    for (to = from; to < k->n_ins && k->ins[to].op != KOP_FOLD;) to++;
    for (int64_t i = 0; i < len; i++) {
      s->v = all + i * k->n_ins;
      ref_ins(s, from, to, i, first + i);
      if (to < k->n_ins) x[i] = s->v[k->ins[to].a];
      else ref_outs(s, first + i);
    }
    if (to == k->n_ins) break;
    one.acc[0] = k->acc[k->ins[to].b];
    s->k = &one;
    ref_fold_values(s, x, y, len);
    s->k = k;
    for (int64_t i = 0; i < len; i++) all[i * k->n_ins + to] = y[0];
  }
  s->v = own;
  free(all);
}

static inline void ref_run(const kir *k, const kir_bind *b) {
  ref_state s = {.k = k, .b = b, .v = calloc(k->n_ins + 1u, sizeof(ref_val))};
  int64_t outs = b->rows * b->inner * (k->kind == KIR_REDUCE ? 1 : b->len);
  if (k->kind == KIR_SCAN && k->segments) outs = b->len;
  for (uint32_t o = 0; o < k->n_out; o++)
    if (k->out[o].type == ET_BIT && !k->out[o].kept)
      memset(b->out[o].host, 0,
             elt_bytes(ET_BIT, k->out[o].put ? b->out[o].count : outs));
  if (k->kind == KIR_MAP) {
    for (int64_t i = 0; i < b->len; i++) {
      ref_ins(&s, 0, k->n_ins, i, i);
      ref_outs(&s, i);
    }
  } else {
    size_t all = (size_t)b->len * k->n_acc;
    ref_val *x = malloc(all * sizeof *x), *y = malloc(all * sizeof *y);
    for (int64_t r = 0; r < b->rows; r++)
      for (int64_t j = 0; j < b->inner; j++) {
        if (k->kind == KIR_ROWS) ref_row_line(&s, r, x, y);
        else ref_line(&s, r, j, x, y);
      }
    free(y);
    free(x);
  }
  free(s.pool);
  free(s.v);
}

/* The first of n elements that differ, or -1. */
static inline int64_t ref_differs(elt t, const void *a, const void *b, int64_t n) {
  if (t != ET_F32 && t != ET_F64 && !memcmp(a, b, elt_bytes(t, n))) return -1;
  for (int64_t i = 0; i < n; i++) {
    ref_val x = ref_load(t, a, i), y = ref_load(t, b, i);
    if (t == ET_F32 && isnan(x.f) && isnan(y.f)) continue;
    if (t == ET_F64 && isnan(x.d) && isnan(y.d)) continue;
    if (x.i != y.i || memcmp(&x.d, &y.d, 8) || memcmp(&x.f, &y.f, 4)) return i;
  }
  return t == ET_BIT && memcmp(a, b, elt_bytes(t, n)) ? n : -1; /* tail bits */
}
static inline bool ref_same(elt t, const void *a, const void *b, int64_t n) {
  return ref_differs(t, a, b, n) < 0;
}
#endif
