/* SPDX-License-Identifier: MIT */
/* help.h - the topics of ]help, as help.def lists them, and the words that each is found by. */
#ifndef VAPL_HELP_H
#define VAPL_HELP_H
#include "../base/macros.h"
#include <stdbool.h>
#include <stddef.h>

enum { HELP_EXAMPLES = 5, HELP_NAMES = 24 };
typedef struct help_topic {
  const char *key, *words, *runs;
  const char *examples[2 * HELP_EXAMPLES + 1]; /* text, result, …; behind the last NULL */
} help_topic;
const help_topic *help_at(size_t i); /* NULL behind the last one */

typedef struct help_sign {
  const char *key, *name, *help;
} help_sign;
const help_sign *help_sign_at(size_t i);
const help_sign *help_sign_of(const char *key); /* NULL: it is no syntax */

/* Is the example run, and has it the same result each time? */
bool help_runs(const char *result);
bool help_compares(const char *result);

/* hints.c: what a word of another language is called here; NULL: none is known. */
const char *hint_of(const char *word);

/* A name of a topic, n bytes, and what Tab turns it into. */
typedef struct help_name {
  const char *at;
  size_t n;
  const char *text;
  size_t text_n;
} help_name;
/* The topic's names in turn, the key first; returns how many. */
size_t help_names(const help_topic *t, help_name names[HELP_NAMES]);
/* Are the names equal, blanks within them and the case of letters aside? */
bool help_same(const help_name *name, const char *word, size_t n);
/* The name of a glyph or a ⎕-name that the word is; false: of none. */
bool help_type(const char *word, size_t n, help_name *name);
#endif
