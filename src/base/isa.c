/* SPDX-License-Identifier: MIT */
/* isa.c - which instruction sets this machine has. The Makefile's ISA_ rows say the same. */
#include "isa.h"

bool isa_has(int set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (set == ISA_BASE) return true;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("popcnt"))
    return false;
  return set == ISA_AVX2 ||
         (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"));
#else
  return set == ISA_BASE;
#endif
}

int isa_best(void) {
  int best = ISA_BASE;
  for (int i = 0; i < ISA_COUNT; i++)
    if (isa_has(i)) best = i;
  return best;
}
