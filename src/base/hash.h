/* SPDX-License-Identifier: MIT */
/* hash.h - a hash of bytes, 64 bits, not cryptographic; few bytes as they are. */
#ifndef VAPL_HASH_H
#define VAPL_HASH_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);

/* Quicker, where nobody keeps the hash: what came before is h, one more word w, and k is odd and large. */
static inline uint64_t hash_word(uint64_t h, uint64_t w, uint64_t k) {
  __extension__ unsigned __int128 m = (unsigned __int128)(h ^ w) * k;
  return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Up to 7 bytes as a number, the first one lowest. */
static inline uint64_t few_bytes(const void *from, size_t n) {
  const unsigned char *p = from;
  uint64_t v = 0;
  uint32_t low, high;
  uint16_t pair;
  if (n >= 4) {
    memcpy(&low, p, 4);
    memcpy(&high, p + n - 4, 4);
    return low | (uint64_t)high << 8 * (n - 4);
  }
  if (n & 1) v = (uint64_t)p[n - 1] << 8 * (n - 1);
  if (n < 2) return v;
  memcpy(&pair, p, 2);
  return v | pair;
}
#endif
