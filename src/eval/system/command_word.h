/* SPDX-License-Identifier: MIT */
/* command_word.h - the words of a command's line. */
#ifndef VAPL_EVAL_COMMAND_WORD_H
#define VAPL_EVAL_COMMAND_WORD_H
#include "../value/vm.h"

typedef struct words { /* the rest of the line, or one word of it */
  const char *at, *end;
} words;

static inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
static inline bool is_none(words w) { return w.at == w.end; }
words next_word(words *w);
static inline void put_word(str *s, words w) { str_put(s, w.at, (size_t)(w.end - w.at)); }
/* The word in quotes at *at, if it is one; word may be NULL. */
bool quoted_word(const char **at, const char *end, str *word);
/* SYNTAX ERROR: the command takes something else; false. */
bool refuse_word(vm *v, const char *name, words k, const char *takes);

/* The next word of a command's line, if *at is not behind the last one (command_more): up to a
 * blank, or between quotes, of which two are one. SYNTAX ERROR. */
bool command_more(const char **at, const char *end);
bool command_word(vm *v, const char **at, const char *end, str *word);
/* SYNTAX ERROR if there is a further word; `takes` says what the command takes. */
bool command_ends(vm *v, const char *name, const char *takes, const char *at,
                  const char *end);
#endif
