/* SPDX-License-Identifier: MIT */
/* formats.h - the files that vapl reads: how one is written to be damaged (test_damage.c, the fuzz
 * targets), how it is read, and checksums that fit what was damaged, so that a reader gets
 * beyond them. F is the file's name. */
#ifndef VAPL_TEST_FORMATS_H
#define VAPL_TEST_FORMATS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "src/base/hash.h"

typedef struct format {
  const char *file, *write, *read;
} format;
static const format formats[] = {
    {"a.vws",
     "x←⍳300 ⋄ n←(1(2 'ab'))⍬(⊂'é') ⋄ f←{⍵+1} ⋄ g←(⍳40)∘+ ⋄ m←2 3⍴÷⍳6 ⋄ s←(a:1 ⋄ "
     "b:(c:2)) ⋄ "
     "s.h←{⍵×a} ⋄ ⎕SAVE F",
     "⎕CY F"},
    {"n.vws",
     "s←⎕NS⍬ ⋄ s.x←⍳9 ⋄ s.t←⎕NS⍬ ⋄ s.t.g←{⍵-1} ⋄ t←s.t ⋄ h←s.t.g ⋄ d←+/∘÷⍤1 ⋄ p←2 3∘× ⋄ "
     "q←(⊂s)∘, ⋄ c←{⍺⍺¨⍵} ⋄ ⎕SAVE F",
     "⎕CY F"},
    {"a.npy", "(5 7⍴÷⍳35)⎕NPY F", "⎕NPY F"},
    {"u.npy", "(2 3⍴'abcdéf')⎕NPY F", "⎕NPY F"},
    {"a.npz", "('p' 'qq')((⍳300)(3 4⍴1 0))⎕NPZ F", "⎕NPZ F"},
    {"a.png", "(9 7 3⍴¯1+⍳189)⎕IMG F", "⎕IMG F"},
    {"a.ppm", "(9 7 3⍴¯1+⍳189)⎕IMG F", "⎕IMG F"},
    {"a.csv", "(3 2⍴1 'a\"b' 2.5 'c,d' ¯7E30 'é')⎕CSV F", "(⎕CSV⍠'Ragged' 1)F '' 4 1"},
    {"a.json", "'{\"a\":[1,2.5,\"x\\u00e9\",{\"b\":null}],\"c\":true}' ⎕NPUT F",
     "⎕JSON⊃⎕NGET F"},
    {"a.txt", "(⊂'héllo' 'wörld' '')⎕NPUT F", "⎕NGET F 1"},
    {"u.txt", "('a€b' 'UTF-16LE-BOM')⎕NPUT F", "⎕NGET F 1"}};

/* The header of a workspace, of version 1 or 2, that fits its body (docs/data.md). */
static inline void mend_workspace(unsigned char *p, size_t n) {
  if (n < 32) return;
  uint64_t bytes = n - 32, hash = hash_bytes(p + 32, bytes, 0);
  memcpy(p, "vapl ws\n", 8);
  if (p[8] != 1) p[8] = 2;
  memset(p + 9, 0, 3);
  memcpy(p + 16, &bytes, 8);
  memcpy(p + 24, &hash, 8);
}

static inline uint32_t crc_of(const unsigned char *p, size_t n) {
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

/* The signature of a PNG file, and the sum behind each chunk: length, kind, data, sum. */
static inline void mend_png(unsigned char *p, size_t n) {
  if (n < 8) return;
  memcpy(p, "\211PNG\r\n\032\n", 8);
  for (size_t at = 8; n - at >= 12;) {
    size_t some = (size_t)p[at] << 24 | (size_t)p[at + 1] << 16 | (size_t)p[at + 2] << 8 |
                  p[at + 3];
    if (some > n - at - 12) return;
    uint32_t crc = crc_of(p + at + 4, some + 4);
    for (size_t k = 0; k < 4; k++)
      p[at + 8 + some + k] = (unsigned char)(crc >> (24 - 8 * k));
    at += some + 12;
  }
}

/* As the file's name says. */
static inline void mend(const char *file, unsigned char *p, size_t n) {
  if (strstr(file, ".vws")) mend_workspace(p, n);
  if (strstr(file, ".png")) mend_png(p, n);
}
#endif
