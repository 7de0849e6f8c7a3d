/* SPDX-License-Identifier: MIT */
/* fold_loops.c - the tree of tables/fold.h as loops, for one instruction set: fold_tree.h once for
 * every C type. */
#include "../base/isa.h"

#include "fold_loops.h"
#include "../base/arith.h"
#include "ops.h"

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t mul_or_escape(sc_state *s, int64_t a, int64_t b) {
  int64_t r;
  s->esc |= __builtin_mul_overflow(a, b, &r);
  return r;
}

#define JOIN_ADD(a, b) ADD(a, b)
#define JOIN_MUL(a, b) MUL(a, b)
#define JOIN_MULO(a, b) mul_or_escape(s, a, b)
#define JOIN_MIN(a, b) MIN(a, b)
#define JOIN_MAX(a, b) MAX(a, b)
#define JOIN_AND(a, b) ((a) & (b))
#define JOIN_OR(a, b) ((a) | (b))
#define JOIN_XOR(a, b) ((a) ^ (b))
#define KEEP(...) __VA_ARGS__
#define SKIP(...)
#define CLASS_B SKIP

#define CLASS_I KEEP
#define CLASS_F SKIP
#define SUF i
#define T int64_t
#define LOWEST INT64_MIN
#define HIGHEST INT64_MAX
#include "fold_tree.h"
#undef CLASS_I
#undef CLASS_F
#undef LOWEST
#undef HIGHEST

/* Is one of them infinite, NaN or, of products, below the normal numbers? */
#define IS_OFF(suf, T, abs, most, normal)                                                \
  static bool any_off_##suf(const void *at, int64_t n, bool product) {                   \
    const T *v = at, low = product ? normal : -1;                                        \
    int64_t off = 0;                                                                     \
    IVDEP for (int64_t i = 0; i < n; i++) off |=                                         \
        !(abs(v[i]) <= most) | (abs(v[i]) < low);                                        \
    return off != 0;                                                                     \
  }
IS_OFF(d, double, fabs, DBL_MAX, DBL_MIN)
IS_OFF(s, float, fabsf, FLT_MAX, FLT_MIN)

#define CLASS_I SKIP
#define CLASS_F KEEP
#define LOWEST (-(T)HUGE_VAL)
#define HIGHEST ((T)HUGE_VAL)
#define SUF d
#define T double
#include "fold_tree.h"
#define SUF s
#define T float
#include "fold_tree.h"

const sc_trees ISA_NAME(sc_trees) = {
    {[SC_I64] = {reduce_i, blocks_i, columns_i, scan_i, NULL},
     [SC_F64] = {reduce_d, blocks_d, columns_d, scan_d, any_off_d},
     [SC_F32] = {reduce_s, blocks_s, columns_s, scan_s, any_off_s}}};
