/* SPDX-License-Identifier: MIT */
/* isa.c - which instruction sets this machine has. The Makefile's ISA_ rows say the same. */
#include "isa.h"

#include <stdatomic.h>

#if defined(__x86_64__)
static bool has_bytes(void) {
  return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("vpclmulqdq") &&
         __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

bool isa_has(int set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (set == ISA_BASE) return true;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("popcnt"))
    return false;
  if (set == ISA_AVX2) return true;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         (set == ISA_AVX512 || has_bytes());
#else
  return set == ISA_BASE;
#endif
}

int isa_best_of(int last) {
  static atomic_int known; /* and 1 more */
  int best = atomic_load_explicit(&known, memory_order_relaxed) - 1;
  if (best < 0) {
    for (int i = 0; i <= ISA_AVX512B; i++)
      if (isa_has(i)) best = i;
    atomic_store_explicit(&known, best + 1, memory_order_relaxed);
  }
  return best < last ? best : last;
}

int isa_best(void) { return isa_best_of(ISA_COUNT - 1); }
