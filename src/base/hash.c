/* SPDX-License-Identifier: MIT */
/* hash.c - the hash of hash.h: 8 bytes at a time, multiplied and folded. */
#include "hash.h"
#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b) {
  a ^= b;
  a *= 0x9E3779B97F4A7C15u;
  a ^= a >> 32;
  a *= 0xD6E8FEB86659FD93u;
  return a ^ a >> 29;
}

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed) {
  const unsigned char *b = p;
  uint64_t h = mix(seed, n);
  for (; n >= 8; n -= 8, b += 8) {
    uint64_t w;
    memcpy(&w, b, 8);
    h = mix(h, w);
  }
  uint64_t tail = 0;
  if (n) memcpy(&tail, b, n);
  return mix(h, tail);
}
