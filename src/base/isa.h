/* SPDX-License-Identifier: MIT */
/* isa.h - files that are compiled once for each instruction set, and which one this machine has.
 *
 * The Makefile compiles them with ISA set to the set's name and the compiler's target switched
 * (its ISA_ rows), so that each gives a table named ISA_NAME(table). One table each, rather than
 * the compiler's function clones: these need the GNU linker's indirect functions, and a test
 * could not compare the sets bit for bit. Contraction is off: where a product is added with one
 * rounding, the text says so (MUL_ADD).
 *
 * Loops are vectorised where -O2 alone would have to be sure that it pays; only processors without AVX2 run the
 * first set, small code. Peeling lays out short loops turn by turn: folds, transforms and comparisons need it, a file
 * that does not says ISA_NO_PEELING. TRIED: -O3, which is no faster and adds 220 KB to the library. The float exception
 * flags are never read: without that promise gcc does not turn a choice into a blend.
 * Loops begin at multiples of 32: a short one that crosses such a line takes three times as long
 * on some processors. IVDEP says that results overlap no operand, but for equal elements.
 * Include this first. */
#ifndef VAPL_BASE_ISA_H
#define VAPL_BASE_ISA_H
#include <stdbool.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wpass-failed" /* IVDEP is a permission, not an order */
#define IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
/* The pragma would optimise builds without optimisation, too, and those with a sanitizer, where it takes four
 * times as long to compile. */
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#if defined(ISA) || !defined(__x86_64__)
#pragma GCC optimize("O2,tree-vectorize,vect-cost-model=dynamic,align-loops=32")
#ifndef ISA_NO_PEELING
#pragma GCC optimize("peel-loops")
#endif
#endif
#pragma GCC optimize("no-trapping-math,fp-contract=off")
#endif
#if defined(__OPTIMIZE__)
#define IVDEP _Pragma("GCC ivdep")
#else
#define IVDEP
#endif
#endif

#ifndef ISA
#define ISA base
#define ISA_IS_BASE
#endif
#define ISA_CAT2(a, b) a##_##b
#define ISA_CAT(a, b) ISA_CAT2(a, b)
#define ISA_NAME(table) ISA_CAT(table, ISA)

/* On x86-64 there are three: what every such processor has, AVX2, and AVX-512. A file of loops over
 * bits and bytes is compiled for a fourth, what came to AVX-512 later for these. */
enum { ISA_BASE, ISA_AVX2, ISA_AVX512, ISA_COUNT, ISA_AVX512B = ISA_COUNT };
bool isa_has(int set);
extern int isa_known;                     /* the best one; -1: not found yet */
int isa_find(void);                       /* which it is from now on */
static inline int isa_best_of(int last) { /* of the sets up to `last` */
  int best = __atomic_load_n(&isa_known, __ATOMIC_RELAXED);
  if (best < 0) best = isa_find();
  return best < last ? best : last;
}
static inline int isa_best(void) { return isa_best_of(ISA_COUNT - 1); }
/* The tables of that name, one for each set; and with the fourth. */
#if defined(__x86_64__)
#define FOR_ISA(table)                                                                   \
  { &table##_base, &table##_avx2, &table##_avx512 }
#define FOR_BIT_ISA(table)                                                               \
  { &table##_base, &table##_avx2, &table##_avx512, &table##_avx512b }
#else
#define FOR_ISA(table)                                                                   \
  { &table##_base }
#define FOR_BIT_ISA(table) FOR_ISA(table)
#endif
#endif
