/* SPDX-License-Identifier: MIT */
/* utf8.c - UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above
 * 0x10FFFF. */
#include "utf8.h"
#include <stdio.h>
#include <string.h>

bool utf8_holds(uint32_t cp) { return cp <= 0x10FFFF && !(cp >= 0xD800 && cp < 0xE000); }

/* Bytes that a code point takes. */
static int length_of(uint32_t cp) {
  if (cp < 0x80) return 1;
  if (cp < 0x800) return 2;
  if (cp < 0x10000) return 3;
  return 4;
}

/* Bytes that a sequence takes by its first byte, which is not ASCII. */
static int length_by_lead(unsigned char lead) {
  if (lead >= 0xF0) return 4;
  if (lead >= 0xE0) return 3;
  return 2;
}

uint32_t utf8_next(const char *p, const char *end, const char **next) {
  const unsigned char *u = (const unsigned char *)p;
  *next = p + 1;
  if (u[0] < 0x80) return u[0];
  int n = length_by_lead(u[0]);
  if (u[0] < 0xC2 || u[0] > 0xF4 || end - p < n) return 0xFFFD;
  uint32_t cp = u[0] & (0xFFu >> (n + 1));
  for (int i = 1; i < n; i++) {
    if ((u[i] & 0xC0) != 0x80) return 0xFFFD;
    cp = cp << 6 | (u[i] & 0x3F);
  }
  bool overlong = length_of(cp) != n;
  if (overlong || !utf8_holds(cp)) return 0xFFFD;
  *next = p + n;
  return cp;
}

int utf8_put(char *p, uint32_t cp) {
  if (!utf8_holds(cp)) cp = 0xFFFD;
  int n = length_of(cp);
  if (n == 1) {
    p[0] = (char)cp;
    return 1;
  }
  /* The last bytes hold six bits each, lowest last; the first holds n ones and the
   * rest. */
  for (int i = n - 1; i > 0; i--) {
    p[i] = (char)(0x80 | (cp & 63));
    cp >>= 6;
  }
  uint32_t lead = 0xFF00u >> n & 0xFF;
  p[0] = (char)(lead | cp);
  return n;
}

const char *utf8_ascii(const char *p, const char *end) {
  uint64_t w[4];
  for (; end - p >= (int)sizeof w; p += sizeof w) {
    memcpy(w, p, sizeof w);
    if ((w[0] | w[1] | w[2] | w[3]) & 0x8080808080808080u) break;
  }
  while (p < end && !(*p & 0x80)) p++;
  return p;
}

bool utf8_among(uint32_t code_point, const char *p, const char *end) {
  while (p < end)
    if (utf8_next(p, end, &p) == code_point) return true;
  return false;
}

size_t utf8_count(const char *p, size_t n) {
  size_t count = 0;
  for (const char *end = p + n; p < end; count++) utf8_next(p, end, &p);
  return count;
}

/* Does it stand on or in the character before it, as on terminals? */
static const uint32_t marks[][2] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF},
    {0x05C1, 0x05C2}, {0x05C4, 0x05C5}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x0900, 0x0902},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0951, 0x0957},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1ACE},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20F0}, {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
enum { N_MARKS = sizeof marks / sizeof *marks };

uint32_t utf8_mark(uint32_t cp) {
  uint32_t before = 1;
  for (int i = 0; i < N_MARKS && cp >= marks[i][0]; i++) {
    if (cp <= marks[i][1]) return before + cp - marks[i][0];
    before += marks[i][1] - marks[i][0] + 1;
  }
  return 0;
}

uint32_t utf8_mark_at(uint32_t number) {
  for (int i = 0; i < N_MARKS; i++) {
    uint32_t n = marks[i][1] - marks[i][0] + 1;
    if (number <= n) return marks[i][0] + number - 1;
    number -= n;
  }
  return 0xFFFD;
}

int utf8_width(uint32_t cp) {
  if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0)) return 0;
  if (cp < 0x300) return 1;
  if (utf8_mark(cp)) return 0;
  bool wide = (cp >= 0x1100 && cp <= 0x115F) ||
              (cp >= 0x2E80 && cp <= 0xA4CF && cp != 0x303F) ||
              (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) ||
              (cp >= 0xFE30 && cp <= 0xFE6F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
              (cp >= 0xFFE0 && cp <= 0xFFE6) || (cp >= 0x1F300 && cp <= 0x1FAFF) ||
              (cp >= 0x20000 && cp <= 0x3FFFD);
  return wide ? 2 : 1;
}

int utf8_escape(uint32_t u, char to[12]) {
  bool plain = (u < 32 && u != '\t' && u != '\n') || u == 127;
  bool turns = (u >= 0x202A && u <= 0x202E) || (u >= 0x2066 && u <= 0x2069);
  if (plain) return snprintf(to, 12, "^%c", (char)(u ^ 64));
  if (turns || (u >= 128 && u < 160)) return snprintf(to, 12, "<U+%04X>", (unsigned)u);
  return 0;
}
