/* SPDX-License-Identifier: MIT */
/* regex.h - a text searched for regular expressions, several at once, by PCRE2; and templates
 * of what takes a match's place.
 *
 *   regex x = {.c = c, .lib = lib};                  patterns are added once,
 *   regex_add(&x, &pattern, mode) …                  then any number of texts searched:
 *   regex_begin(&x, text, n);
 *   while (regex_next(&x, &m) && m.pattern) …        regex_group, regex_expand
 *   regex_free(&x);
 *
 * The earliest match wins; of several there the one of the first pattern. Offsets are in
 * bytes. */
#ifndef VAPL_REGEX_H
#define VAPL_REGEX_H
#include "../base/mem.h"
#include "../base/str.h"

/* The library; NULL after an error: NONCE ERROR if it is not installed. */
typedef struct regex_lib regex_lib;
regex_lib *regex_lib_open(ctx *c);
void regex_lib_close(regex_lib *l); /* NULL is fine */

typedef struct regex_mode { /* how a pattern is read */
  bool literal;             /* it is no expression; nothing below but caseless counts */
  bool caseless, multiline, dotall, ungreedy;
  bool ucp; /* classes like \w are Unicode's */
} regex_mode;

typedef struct regex_pattern {
  struct pcre2_real_code_8 *code;
  struct pcre2_real_match_data_8 *data;
  size_t index; /* among the patterns */
  str text;     /* it was compiled from */
  regex_mode mode;
  bool asks; /* whether to go on, at each step: it takes long */
  /* Begin and end of each group of the next match; SIZE_MAX where one took no part. */
  const size_t *at;
  int groups;  /* how many of them are known; 0: there is no further match */
  bool sought; /* `at` and `groups` hold for the search under way */
} regex_pattern;

typedef struct regex {
  ctx *c;
  const regex_lib *lib;
  bool overlap; /* the next match may begin within the last one */
  VEC(regex_pattern) patterns;
  /* The search under way: through the n bytes of text, from byte `from` on, where an empty
   * match counts unless skip_empty. */
  const char *text;
  size_t n, from;
  bool skip_empty;
  const char *mark; /* a place in the text, `marked` characters from its beginning */
  int64_t marked;
} regex;

typedef struct regex_match {
  const regex_pattern *pattern; /* NULL: there is none */
  size_t begin, end;
} regex_match;

bool regex_add(regex *x, const str *pattern, regex_mode mode); /* DOMAIN ERROR */
void regex_free(regex *x);

void regex_begin(regex *x, const char *text, size_t n); /* borrows the text */
/* The next match; LIMIT ERROR if one takes too long, INTERRUPT. */
bool regex_next(regex *x, regex_match *m);

/* What group i of a match is in the text, 0 being all of it. One that took no part in the match
 * is not found and empty. */
typedef struct regex_part {
  const char *at;
  size_t n;
  bool found;
} regex_part;
regex_part regex_group(const regex *x, const regex_match *m, int i);
/* How many characters of the text are before p. */
int64_t regex_offset(regex *x, const char *p);
/* How many groups a pattern has, 0 left out; the number of a named one, negative if there is no
 * such; the name of a group, empty if it has none. */
int regex_groups(const regex *x, const regex_pattern *p);
int regex_group_number(const regex *x, const regex_pattern *p, const char *name);
const char *regex_group_name(const regex *x, const regex_pattern *p, int i);

/* Appends the template with what its sequences stand for (regex_template.c); DOMAIN ERROR. */
bool regex_expand(const regex *x, const regex_match *m, const str *template, str *out);
#endif
