/* SPDX-License-Identifier: MIT */
/* help.c - the topics of ]help. A topic's names stand where they belong: those of a primitive
 * in prim.def, of an operator in oper.def, of a glyph in glyphs.def; help.def adds what people
 * call the task. */
#include "help.h"
#include "../base/utf8.h"
#include "glyphs.h"
#include "oper.h"
#include "prim.h"
#include <string.h>
#include <strings.h>

static const help_topic topics[] = {
#define TOPIC(key, words, runs, ...) {key, words, runs, {__VA_ARGS__}},
#include "help.def"
};

static const help_sign signs[] = {
#define SIGN(key, name, help) {key, name, help},
#include "help.def"
};

const help_topic *help_at(size_t i) { return i < ARRAY_LEN(topics) ? &topics[i] : NULL; }

const help_sign *help_sign_at(size_t i) {
  return i < ARRAY_LEN(signs) ? &signs[i] : NULL;
}

const help_sign *help_sign_of(const char *key) {
  for (size_t i = 0; i < ARRAY_LEN(signs); i++)
    if (!strcmp(signs[i].key, key)) return &signs[i];
  return NULL;
}

bool help_runs(const char *result) { return strcmp(result, "⍝") != 0; }

bool help_compares(const char *result) {
  return help_runs(result) && strcmp(result, "…") != 0;
}

/* ── names ─────────────────────────────────────────────────────────────────────────── */

static size_t add(help_name *to, size_t n, const char *name, const char *key) {
  if (!name || !*name || n == HELP_NAMES) return n;
  to[n] = (help_name){name, strlen(name), key, strlen(key)};
  return n + 1;
}

/* The words of help.def, of which each may say behind a colon what it is. */
static size_t add_words(help_name *to, size_t n, const help_topic *t) {
  for (const char *p = t->words; *p && n < HELP_NAMES;) {
    size_t all = strcspn(p, " "), word = strcspn(p, ": ");
    to[n] = (help_name){p, word, t->key, strlen(t->key)};
    if (word < all) {
      to[n].text = p + word + 1;
      to[n].text_n = all - word - 1;
    }
    n++;
    p += all + (p[all] == ' ');
  }
  return n;
}

size_t help_names(const help_topic *t, help_name names[HELP_NAMES]) {
  size_t n = add(names, 0, t->key, t->key);
  const char *end = t->key + strlen(t->key), *next;
  prim p = prim_of(utf8_next(t->key, end, &next));
  const glyph_row *g = glyph_of(t->key);
  const help_sign *sign = help_sign_of(t->key);
  if (p < P_COUNT && next == end) {
    n = add(names, n, prim_table[p].monadic, t->key);
    n = add(names, n, prim_table[p].dyadic, t->key);
  }
  for (size_t i = 0; oper_at_row(i); i++)
    if (!strcmp(oper_at_row(i)->glyph, t->key))
      n = add(names, n, oper_at_row(i)->name, t->key);
  if (g) n = add(names, n, g->name, t->key);
  if (sign) n = add(names, n, sign->name, t->key);
  return add_words(names, n, t);
}

bool help_same(const help_name *name, const char *word, size_t n) {
  size_t i = 0, k = 0;
  while (i < name->n || k < n) {
    if (i < name->n && name->at[i] == ' ') i++;
    else if (k < n && word[k] == ' ') k++;
    else if (i == name->n || k == n || strncasecmp(name->at + i, word + k, 1))
      return false;
    else {
      i++;
      k++;
    }
  }
  return true;
}

static bool is_typed(const help_topic *t) {
  if (strchr(")]", *t->key)) return false;
  return (*t->key | 32) < 'a' || (*t->key | 32) > 'z'; /* J and trains are no glyphs */
}

bool help_type(const char *word, size_t n, help_name *name) {
  for (size_t i = 0; i < ARRAY_LEN(topics); i++) {
    help_name names[HELP_NAMES];
    size_t count = help_names(&topics[i], names);
    for (size_t k = 1; is_typed(&topics[i]) && k < count; k++) {
      *name = names[k];
      if (help_same(name, word, n)) return true;
    }
  }
  return false;
}
