/* SPDX-License-Identifier: MIT */
/* block_ops.c - block_loops.h compiled once per instruction set, and the choice at run time.
 *
 * On x86-64 with gcc or clang there are three: what every such processor has, AVX2, and
 * AVX-512. One table each, rather than the compiler's function clones: these need the GNU
 * linker's indirect functions, and a test could not compare the sets bit for bit. AVX2 is
 * switched on without FMA, and contraction is off besides.
 *
 * The loops are worth -O3 (gcc's -O2 vectorises only what is sure to pay), and nobody reads
 * the float exception flags: without that promise gcc does not turn a choice into a blend. */
#include "block.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bit vectors are moved as little-endian words"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpass-failed" /* IVDEP is a permission, not an order */
#define IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#pragma GCC optimize("O3,no-trapping-math,fp-contract=off")
#define IVDEP _Pragma("GCC ivdep")
#endif

#define APART __attribute__((noinline)) /* large, and called from several places */

/* Shuffles of vectors are spelt alike since gcc 12. Four doubles need registers of 32 bytes. */
#if defined(__clang__) || __GNUC__ >= 12
#define BLK_GROUP32 TREE_VECTORS
#else
#define BLK_GROUP32 TREE_LOOPS
#endif
#define BLK_GROUP64 TREE_LOOPS

#define BLK_ISA base
#define BLK_NAME "base"
#include "loops.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define BLK_X86
#undef BLK_GROUP64
#define BLK_GROUP64 BLK_GROUP32
#undef BLK_ISA
#undef BLK_NAME
#define BLK_ISA avx2
#define BLK_NAME "avx2"
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif
#include "loops.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#undef BLK_ISA
#undef BLK_NAME
#define BLK_ISA avx512
#define BLK_NAME "avx512"
#if defined(__clang__)
#pragma clang attribute push(                                                            \
    __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,popcnt"))),                \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,popcnt")
#endif
#include "loops.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

const blk_isa *blk_isa_at(int i) {
#ifdef BLK_X86
  __builtin_cpu_init();
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
  bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (avx512 && i-- == 0) return &blk_isa_avx512;
  if (avx2 && i-- == 0) return &blk_isa_avx2;
#endif
  return i == 0 ? &blk_isa_base : NULL;
}
