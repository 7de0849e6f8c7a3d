/* SPDX-License-Identifier: MIT */
/* types.h - the element types of arrays, one row each.
 *
 * ELT(id, bits, kind, name): bits in storage; kind as the user sees it. An integer's
 * width is storage only: bit, i8, i16, i32 and i64 are all "integer" to a program, and
 * f32 and f64 both "float". Bits are packed over the ravel, lowest bit of the lowest byte
 * first, tail bits zero. */
#ifndef VAPL_TYPES_H
#define VAPL_TYPES_H
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#define ELT_TABLE(ELT)                                                                   \
  ELT(BIT, 1, KIND_INT, "bit")                                                           \
  ELT(I8, 8, KIND_INT, "i8")                                                             \
  ELT(I16, 16, KIND_INT, "i16")                                                          \
  ELT(I32, 32, KIND_INT, "i32")                                                          \
  ELT(I64, 64, KIND_INT, "i64")                                                          \
  ELT(F32, 32, KIND_FLOAT, "f32")                                                        \
  ELT(F64, 64, KIND_FLOAT, "f64")                                                        \
  ELT(C128, 128, KIND_COMPLEX, "c128")                                                   \
  ELT(C8, 8, KIND_CHAR, "char8")                                                         \
  ELT(C16, 16, KIND_CHAR, "char16")                                                      \
  ELT(C32, 32, KIND_CHAR, "char32")                                                      \
  ELT(NEST, 8 * sizeof(void *), KIND_NEST, "nested")

enum kind { KIND_INT, KIND_FLOAT, KIND_COMPLEX, KIND_CHAR, KIND_NEST };
typedef enum elt {
#define ELT(id, bits, kind, name) ET_##id,
  ELT_TABLE(ELT)
#undef ELT
      ET_COUNT
} elt;

typedef struct elt_row {
  uint8_t bits, kind;
  const char *name;
} elt_row;
extern const elt_row elt_table[ET_COUNT];

static inline int elt_bits(elt t) { return elt_table[t].bits; }
static inline enum kind elt_kind(elt t) { return (enum kind)elt_table[t].kind; }
static inline bool elt_is_num(elt t) { return t <= ET_C128; }
static inline bool elt_is_int(elt t) { return t <= ET_I64; }
static inline bool elt_is_float(elt t) { return t == ET_F32 || t == ET_F64; }
static inline bool elt_is_char(elt t) { return elt_table[t].kind == KIND_CHAR; }
/* With addresses of 32 bits no array has so many elements: then 128 bytes of each do not overflow. */
enum { ELT_MOST_32 = 1 << 25 };
/* Bytes that n elements take, bits rounded up to whole bytes; n >= 0. */
static inline size_t elt_bytes(elt t, int64_t n) {
  if (sizeof(size_t) < sizeof n && n >= ELT_MOST_32) return (size_t)1 << 30;
  if (t == ET_BIT) return ((size_t)n + 7) / 8;
  return (size_t)n * (elt_table[t].bits / 8u);
}
/* The narrowest integer type that holds lo..hi. */
elt elt_for_range(int64_t lo, int64_t hi);
/* The narrowest character type that holds code points up to `top`. */
static inline elt elt_for_char(uint32_t top) {
  if (top < 0x100) return ET_C8;
  return top < 0x10000 ? ET_C16 : ET_C32;
}
#endif
