/* SPDX-License-Identifier: MIT */
/* types.c - the element type table of types.h. */
#include "types.h"

const elt_row elt_table[ET_COUNT] = {
#define ELT(id, bits, kind, name) {bits, kind, name},
    ELT_TABLE(ELT)
#undef ELT
};

elt elt_for_range(int64_t lo, int64_t hi) {
  if (lo >= 0 && hi <= 1) return ET_BIT;
  if (lo >= INT8_MIN && hi <= INT8_MAX) return ET_I8;
  if (lo >= INT16_MIN && hi <= INT16_MAX) return ET_I16;
  if (lo >= INT32_MIN && hi <= INT32_MAX) return ET_I32;
  return ET_I64;
}
