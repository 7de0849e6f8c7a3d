/* SPDX-License-Identifier: MIT */
/* isa.c - which instruction sets this machine has. The Makefile's ISA_ rows say the same. */
#include "isa.h"

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

int isa_known = -1;

int isa_find(void) {
  int best = ISA_BASE;
  for (int i = 0; i <= ISA_AVX512B; i++)
    if (isa_has(i)) best = i;
  __atomic_store_n(&isa_known, best, __ATOMIC_RELAXED);
  return best;
}
