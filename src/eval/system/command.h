/* SPDX-License-Identifier: MIT */
/* command.h - the commands of the session, ) and ]. */
#ifndef VAPL_EVAL_COMMAND_H
#define VAPL_EVAL_COMMAND_H
#include "../value/vm.h"

bool command(vm *v, const char *p, const char *end);

typedef struct words { /* the rest of the line, or one word of it */
  const char *at, *end;
} words;

typedef struct command_row {
  const char *name, *args, *help;
  bool (*run)(vm *v, words w);
  bool (*beyond)(vm *v, const char *at,
                 const char *end); /* NULL run: it is in runtime/ext */
  bool unsuspended;                /* not while functions are suspended */
} command_row;
const command_row *command_at(size_t i); /* NULL behind the last one */

/* help.c: what there is to say about a topic; which topics there are. */
void help_about(str *s, const char *word, size_t n);
void help_all(str *s);

/* ── command_word.c: the words of a command's line ── */

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
