/* SPDX-License-Identifier: MIT */
/* hash.h - a hash of bytes, 64 bits, not cryptographic. */
#ifndef VAPL_HASH_H
#define VAPL_HASH_H
#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *p, size_t n, uint64_t seed);
#endif
