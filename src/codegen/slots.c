/* SPDX-License-Identifier: MIT */
/* slots.c - where a kernel's numbers lie: the slots of its argument block and the bytes
 * of its accumulators. Pure functions of the kernel, for the emitter and for ir, which fills
 * the block in. */
#include "codegen.h"

#include "../base/arith.h"
#include "../kir/folds.h"

uint32_t cg_out_slot(const kir *k, uint32_t out) {
  return CG_SLOT_INPUTS + 3 * k->n_in + out;
}

uint32_t cg_param_slot(const kir *k, uint32_t n) { return cg_out_slot(k, k->n_out) + n; }

uint32_t cg_strided_slot(const kir *k, uint32_t strided, uint32_t dim) {
  uint32_t at = cg_param_slot(k, k->n_param);
  for (uint32_t w = 0; w < strided; w++) at += CG_STRIDED_SLOTS * k->strided[w];
  return at + CG_STRIDED_SLOTS * dim;
}

uint32_t cg_arg_slots(const kir *k) { return cg_strided_slot(k, k->n_strided, 0); }

/* m = ⌈2^(31+s) ÷ n⌉ with s = ⌈log2 n⌉, so m×n exceeds 2^(31+s) by less than n ≤ 2^s:
 * p×m, p below 2^31, is off by less than one part in 2^31 of n. The upper half is shifted
 * by s-1. */
uint64_t cg_magic(uint64_t n) {
  uint32_t s = 1;
  while (((uint64_t)1 << s) < n) s++;
  int64_t m = ceil_div(INT64_C(1) << (31 + s), (int64_t)n);
  return (uint64_t)m | (uint64_t)(s - 1) << 32;
}

int cg_acc_bytes(const kir *k) {
  int bytes = 0, most = 4;
  for (uint32_t n = 0; n < k->n_acc; n++) {
    kty t = kfold_acc_type(k, n);
    int size = t == KB ? 4 : kty_bytes(t);
    if (size > most) most = size;
    bytes += k->acc[n].wide ? 16 : size;
  }
  return (bytes + most - 1) / most * most;
}
