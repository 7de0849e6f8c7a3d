/* SPDX-License-Identifier: MIT */
/* scan_vector.c - f\ of vectors at hand: of truth values by words, of integers whose sums fit 32 bits, and of short ones
 * in a block on the stack. */
#include "../base/arith.h"
#include "../array/convert.h"
#include "../array/element.h"
#include "../fold/tree.h"
#include "../tables/fast.h"
#include "../tables/prim_fold.h"
#include "running_loops.h"
#include "scalar.h"

/* ∨\ ∧\ <\ ≤\ of a word of truth values: the first one, or the first zero, decides what is behind it. */
static uint64_t scan_word(prim f, uint64_t w, bool *decided) {
  bool by_zero = f == P_AND || f == P_LE, stays = f == P_AND || f == P_OR;
  uint64_t v = by_zero ? ~w : w, first = v & -v, r = stays ? -first : first;
  if (*decided) r = stays ? UINT64_MAX : 0;
  *decided |= v != 0;
  return by_zero ? ~r : r;
}

static bool scan_words(ctx *c, prim f, const arr *y, arr *r) {
  bool decided = false;
  for (int64_t i = 0; i < y->count; i += 64) {
    int64_t bits = min_i64(y->count - i, 64);
    uint64_t w = scan_word(f, sc_word(y, i), &decided);
    if (bits < 64) w &= ((uint64_t)1 << bits) - 1;
    memcpy((char *)r->host + i / 8, &w, (size_t)(bits + 7) / 8);
    if (!(i & 0xFFFFFF) && interrupted(c)) return false;
  }
  return true;
}

static bool has_words(prim f, const arr *y) {
  bool is = f == P_NE || f == P_OR || f == P_AND || f == P_PLUS || f == P_LT || f == P_LE;
  return is && y->type == ET_BIT && y->rank == 1 && y->count;
}

arr *prim_try_scan_words(prim_env *e, prim f, const arr *y) {
  if (!has_words(f, y)) return NULL;
  int64_t ones = f == P_PLUS ? sc_ones(y) : 0;
  if (f == P_PLUS && ones < 2) f = P_OR;
  elt type = f == P_PLUS ? elt_for_range(0, ones) : ET_BIT;
  OWNED arr *r = arr_vec(e->c, type, y->count);
  if (!r) return NULL;
  if (f == P_PLUS) {
    running_loops_here()->bits[bits_size(elt_bits(type))](y->host, y->count, r->host);
    arr_set_range(r, sc_word(y, 0) & 1, ones);
  } else if (f == P_NE) {
    running_loops_here()->parities(y->host, y->count, r->host);
  } else if (!scan_words(e->c, f, y, r)) {
    return NULL;
  }
  return arr_move(&r);
}

/* Of up to SC_BLOCK integers of 32 bits, joins each with the result before it; the
 * first stays. */
static bool scan_ints(prim f, int64_t *v, int64_t n) {
  switch (f) {
  case P_PLUS:
    for (int64_t i = 1; i < n; i++) v[i] += v[i - 1];
    return true;
  case P_CEIL:
    for (int64_t i = 1; i < n; i++) v[i] = v[i] > v[i - 1] ? v[i] : v[i - 1];
    return true;
  case P_FLOOR:
    for (int64_t i = 1; i < n; i++) v[i] = v[i] < v[i - 1] ? v[i] : v[i - 1];
    return true;
  default: return false;
  }
}

arr *prim_try_scan_short(prim_env *e, prim f, const arr *y) {
  int64_t n = y->count, v[SC_BLOCK];
  bool fits = y->rank == 1 && n > 1 && n <= SC_BLOCK;
  if (!fits || has_words(f, y)) return prim_try_scan_words(e, f, y);
  if (y->type <= ET_I32) {
    sc_load(y, 0, 1, n, SC_I64, v);
    return scan_ints(f, v, n) ? sc_whole(e->c, SC_I64, v, y) : NULL;
  }
  const fold_row *row = fold_of(f, CLS_F);
  bool by_tree = row && row->on != CLS_B && row->over == OVER_VALUES;
  if (y->type != ET_F64 || !by_tree) return NULL;
  OWNED arr *r = arr_new_as(e->c, ET_F64, y);
  if (!r) return NULL;
  (void)tree_scan_values(tree_loops_of(row->monoid, KF64), row->monoid, KF64, y->host, n,
                         r->host);
  bool off = sc_block()->off(SC_F64, r->host, n, row->monoid == KF_MUL);
  return off ? NULL : arr_move(&r);
}

/* The narrowest type that holds all running sums of n integers of y, in any order;
 * ET_I64: there is none, or y is something else. */
static elt type_of_sums(const arr *y) {
  int64_t lo, hi, least, most;
  if (y->rank != 1 || y->count < 2 || y->type < ET_I8 || y->type > ET_I32) return ET_I64;
  sc_bounds(y, &lo, &hi);
  if (__builtin_mul_overflow(min_i64(lo, -2), y->count, &least)) return ET_I64;
  if (__builtin_mul_overflow(max_i64(hi, 0), y->count, &most)) return ET_I64;
  return elt_for_range(least, most);
}

arr *prim_try_scan_ints(prim_env *e, prim f, const arr *y) {
  enum { BLOCK = 1024, POLL = 1 << 16 };
  elt t = f == P_PLUS ? type_of_sums(y) : ET_I64;
  if (t == ET_I64) return NULL;
  OWNED arr *r = arr_vec(e->c, t, y->count);
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  int32_t all = 0, b[BLOCK];
  size_t width = (size_t)elt_bits(t) / 8;
  for (int64_t i = 0; r && i < y->count; i += BLOCK) {
    int64_t n = min_i64(y->count - i, BLOCK), low, high;
    char *to = (char *)r->host + (size_t)i * width;
    sc_load(y, i, 1, n, SC_I32, b);
    all = running_loops_here()->ints(b, n, all, b);
    sc_block()->range(SC_I32, b, n, &low, &high);
    sc_block()->store(SC_I32, b, n, t, to);
    lo = min_i64(lo, low);
    hi = max_i64(hi, high);
    if (i % POLL == 0 && interrupted(e->c)) return NULL;
  }
  if (!r) return NULL;
  elt fits = elt_for_range(lo, hi);
  arr *narrow = arr_convert(e->c, r, fits);
  if (narrow) arr_set_range(narrow, lo, hi);
  return narrow;
}
