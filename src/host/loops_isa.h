/* SPDX-License-Identifier: MIT */
/* loops_isa.h - how loops_map.c and loops_fold.c are compiled, and the names of their tables.
 *
 * The Makefile compiles these two files once for each instruction set, with BLK_ISA set to its
 * name and the compiler's target switched. One table each, rather than the compiler's function
 * clones: these need the GNU linker's indirect functions, and a test could not compare the
 * sets bit for bit. AVX2 is switched on without FMA, and contraction is off besides.
 *
 * The loops are worth -O3 (gcc's -O2 vectorises only what is sure to pay), and nobody reads
 * the float exception flags: without that promise gcc does not turn a choice into a blend.
 * Loops begin at multiples of 32: a short one that crosses such a line takes three times as long
 * on some processors. IVDEP says that results overlap no operand, but for equal elements. */
#ifndef VAPL_HOST_LOOPS_ISA_H
#define VAPL_HOST_LOOPS_ISA_H
#include "loops.h"

#include <string.h>

#include "../base/macros.h"

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
#pragma GCC optimize("O3,no-trapping-math,fp-contract=off,align-loops=32")
#define IVDEP _Pragma("GCC ivdep")
#endif

#ifndef BLK_ISA
#define BLK_ISA base
#endif
#define BLK_CAT2(a, b) a##_##b
#define BLK_CAT(a, b) BLK_CAT2(a, b)

extern const blk_map BLK_CAT(blk_map, BLK_ISA);
extern const blk_folds BLK_CAT(blk_folds, BLK_ISA);
#endif
