/* SPDX-License-Identifier: MIT */
/* loops.c - which of the instruction sets that the loops are compiled for this machine has.
 */
#include "../base/isa.h"
#include "loops.h"

#define TABLES(isa)                                                                      \
  extern const blk_map blk_map_##isa;                                                    \
  extern const blk_quads blk_quads_##isa;                                                \
  static const blk_isa isa = {#isa, &blk_map_##isa, &fold_loops_##isa, &blk_quads_##isa};

TABLES(base)

extern const blk_map blk_map_one;
const blk_isa blk_isa_one = {"one", &blk_map_one, NULL, NULL};

#if defined(__x86_64__)
TABLES(avx2)
TABLES(avx512)

const blk_isa *blk_isa_at(int i) {
  static const blk_isa *const all[ISA_COUNT] = {&base, &avx2, &avx512};
  int at = isa_best() - i;
  return at < 0 ? NULL : all[at];
}
#else
const blk_isa *blk_isa_at(int i) { return i == 0 ? &base : NULL; }
#endif
