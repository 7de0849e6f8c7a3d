/* SPDX-License-Identifier: MIT */
/* case.c - letters in upper and lower case.
 *
 * A table has ranges of letters from upper to lower case (the simple mappings of Unicode 15,
 * one character to one). The way back searches the same table, so the first row that reaches a
 * letter is its upper case. A second table has the variants of letters that only fold. */
#include "case.h"
#include <stdbool.h>
#include <stddef.h>
#include "../base/macros.h"

/* A row of case.def. */
typedef struct case_row {
  uint32_t from, to;
  int32_t delta, step;
} case_row;
static const case_row cases[] = {
#define CASE(from, to, delta, step) {from, to, delta, step},
#include "../tables/case.def"
};

static const struct {
  uint32_t variant, letter;
} variants[] = {
#define FOLD_ONLY(variant, letter) {variant, letter},
#include "../tables/case.def"
};

static uint32_t lower(uint32_t u) {
  for (size_t i = 0; i < ARRAY_LEN(cases) && cases[i].from <= u; i++)
    if (u <= cases[i].to && (u - cases[i].from) % (uint32_t)cases[i].step == 0)
      return u + (uint32_t)cases[i].delta;
  return u;
}

/* A letter's variant as the letter that it is a variant of. */
static uint32_t plain(uint32_t u) {
  for (size_t i = 0; i < ARRAY_LEN(variants); i++)
    if (variants[i].variant == u) return variants[i].letter;
  return u;
}

static uint32_t upper(uint32_t u) {
  uint32_t low = lower(plain(u)); /* a title case letter goes by its lower case */
  if (u == 0xDF) return u;        /* ß: ẞ is not what it is written as */
  if (u == 0x131) return 'I';     /* dotless i */
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    uint32_t up = low - (uint32_t)cases[i].delta;
    if (up >= cases[i].from && up <= cases[i].to &&
        (up - cases[i].from) % (uint32_t)cases[i].step == 0)
      return up;
  }
  return u;
}

static uint32_t fold(uint32_t u) {
  bool cherokee = (u >= 0x13A0 && u < 0x1400) || (u >= 0xAB70 && u < 0xABC0);
  if (cherokee) return upper(u);
  return lower(plain(u));
}

/* The same without a search. */
static uint32_t change_ascii(uint32_t u, int to) {
  if (to == CASE_UPPER && u >= 'a' && u <= 'z') return u - 'a' + 'A';
  if (to != CASE_UPPER && u >= 'A' && u <= 'Z') return u - 'A' + 'a';
  return u;
}

uint32_t case_change(uint32_t u, int to) {
  if (u < 0x80) return change_ascii(u, to);
  if (to == CASE_UPPER) return upper(u);
  if (to == CASE_LOWER) return lower(u);
  return fold(u);
}
