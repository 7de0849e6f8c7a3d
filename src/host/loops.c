/* SPDX-License-Identifier: MIT */
/* loops.c - which of the instruction sets that the loops are compiled for this machine has.
 *
 * On x86-64 there are three: what every such processor has, AVX2, and AVX-512. The Makefile's
 * ISA_ rows say the same. */
#include "loops.h"

#define TABLES(isa)                                                                      \
  extern const blk_map blk_map_##isa;                                                    \
  extern const blk_folds blk_folds_##isa;                                                \
  extern const blk_quads blk_quads_##isa;                                                \
  static const blk_isa isa = {#isa, &blk_map_##isa, &blk_folds_##isa, &blk_quads_##isa};

TABLES(base)

extern const blk_map blk_map_one;
const blk_isa blk_isa_one = {"one", &blk_map_one, NULL, NULL};

#if defined(__x86_64__)
TABLES(avx2)
TABLES(avx512)

const blk_isa *blk_isa_at(int i) {
  __builtin_cpu_init();
  bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
  bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512vl");
  const blk_isa *all[4];
  int n = 0;
  if (has_avx512) all[n++] = &avx512;
  if (has_avx2) all[n++] = &avx2;
  all[n++] = &base;
  return i < n ? all[i] : NULL;
}
#else
const blk_isa *blk_isa_at(int i) { return i == 0 ? &base : NULL; }
#endif
