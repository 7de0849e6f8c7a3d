/* SPDX-License-Identifier: MIT */
/* compiler.h - what a driver's compiler makes of modules, for a device that is not here. */
#ifndef VAPL_TESTS_COMPILER_H
#define VAPL_TESTS_COMPILER_H
#include <stdint.h>

enum { COMPILED_MOST = 64, COMPILED_NAME = 48 };

/* A module's pipeline: VkResult, and the driver's statistics by their names. */
typedef struct compiled {
  uint64_t module; /* a hash of its words */
  unsigned subgroup;
  int code;
  unsigned n;
  struct {
    char name[COMPILED_NAME];
    unsigned long long value;
  } of[COMPILED_MOST];
} compiled;

uint64_t compiler_hash(const uint32_t *words, size_t n);
/* By the driver whose library WRAP_COMPILER names. What WRAP_COMPILED, a file, has of it already is not compiled
 * again. subgroup: the threads that the pipeline demands, 0: none. Of the compiler's, until the next call. */
const compiled *compiler_make(const uint32_t *words, size_t n, unsigned subgroup);
#endif
