/* SPDX-License-Identifier: MIT */
/* command_word.c - the words of a command's line: names, which may stand in quotes. */
#include "command.h"
#include "../../lexer/token.h"

words next_word(words *w) {
  while (w->at < w->end && is_blank(*w->at)) w->at++;
  words r = {w->at, w->at};
  while (r.end < w->end && !is_blank(*r.end)) r.end++;
  w->at = r.end;
  return r;
}

bool refuse_word(vm *v, const char *name, words k, const char *takes) {
  return err_set(v->c, ERR_SYNTAX, "%s takes %s, not %.*s", name, takes,
                 (int)lex_shown(k.at, (size_t)(k.end - k.at)), k.at);
}

bool command_more(const char **at, const char *end) {
  while (*at < end && is_blank(**at)) ++*at;
  return *at < end;
}

bool quoted_word(const char **at, const char *end, str *word) {
  char quote = **at;
  if (quote != '"' && quote != '\'') return false;
  for (const char *p = *at + 1; p < end; p++) {
    bool ends = *p == quote;
    if (ends && p + 1 < end && p[1] == quote) p++;
    else if (ends && p + 1 < end && !is_blank(p[1])) return false;
    else if (ends) {
      *at = p + 1;
      return true;
    }
    if (word) str_put(word, p, 1);
  }
  return false;
}

bool command_word(vm *v, const char **at, const char *end, str *word) {
  if (!command_more(at, end)) return true;
  words w = {*at, end}, k = next_word(&w);
  word->n = 0;
  if (quoted_word(at, end, word)) {
    str_put(word, "", 0);
  } else if (*k.at == '"' || *k.at == '\'') {
    return err_set(v->c, ERR_SYNTAX,
                   "a name in quotes ends with the same quote, and a blank");
  } else {
    put_word(word, k);
    *at = k.end;
  }
  if (word->n || word->failed) return !word->failed;
  return err_set(v->c, ERR_SYNTAX, "a name is empty");
}

bool command_ends(vm *v, const char *name, const char *takes, const char *at,
                  const char *end) {
  words w = {at, end}, k = next_word(&w);
  return is_none(k) || refuse_word(v, name, k, takes);
}
