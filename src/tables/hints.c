/* SPDX-License-Identifier: MIT */
/* hints.c - what a word without a value may have been meant to be. */
#include "help.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *word, *hint;
} hints[] = {
#define HINT(word, hint) {word, hint},
#include "hints.def"
#undef HINT
};

const char *hint_of(const char *word) {
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (!strcmp(hints[i].word, word)) return hints[i].hint;
  return NULL;
}
