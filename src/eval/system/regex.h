/* SPDX-License-Identifier: MIT */
/* regex.h - a search of ⎕R or ⎕S under way: the library, patterns, the text, what was found.
 *
 *   regex_lib.c   PCRE2 opened, patterns compiled
 *   regex_put.c   what becomes of a match
 *   sys_regex.c   texts, and the matches in them
 *
 * Without PCRE2's header at hand nothing of this is there, and sys_regex.c refuses by name. */
#ifndef VAPL_EVAL_REGEX_H
#define VAPL_EVAL_REGEX_H
#include "../bind/variant.h"
#include "../value/items.h"

#ifdef __has_include
#if __has_include(<pcre2.h>) && !defined(NO_PCRE2)
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
#endif

#ifdef PCRE2_MAJOR

/* clang-format off */
#define REGEX_LIBRARY(X)                                                                 \
  X(pcre2_general_context_create) X(pcre2_general_context_free)                          \
  X(pcre2_compile_context_create) X(pcre2_compile_context_free) X(pcre2_set_newline)     \
  X(pcre2_compile) X(pcre2_code_free) X(pcre2_pattern_info)                              \
  X(pcre2_match_data_create_from_pattern) X(pcre2_match_data_free) X(pcre2_match)        \
  X(pcre2_get_ovector_pointer) X(pcre2_get_error_message)                                \
  X(pcre2_substring_number_from_name)
/* clang-format on */

typedef struct regex_lib {
  void *handle;
  pcre2_general_context *general;
  pcre2_compile_context *compile;
#define X(f) __typeof__(&f) f;
  REGEX_LIBRARY(X)
#undef X
} regex_lib;

typedef struct pattern {
  pcre2_code *code;
  pcre2_match_data *data;
  const PCRE2_SIZE *at; /* of the next match: begin and end of each group */
  int groups;           /* how many of them are known; 0: there is no further match */
  bool sought; /* `at` and `groups` are about the text from where the search is */
  str to;      /* its transformation pattern */
} pattern;

typedef struct job {
  vm *v;
  fn *f;
  const regex_lib *lib;
  pattern *pat;
  int64_t patterns;
  bool replaces, nested; /* ⎕R; is the text a vector of lines? */
  str text, out;
  arr_list found;
  const char *block; /* of the text: n bytes, number `number`, as an array once wanted */
  size_t n;
  int64_t number;
  arr *block_arr;
  const char *mark; /* in the block, behind `marked` characters of it */
  int64_t marked;
} job;

/* regex_lib.c */
bool regex_open(vm *v);    /* v->regex */
bool patterns_new(job *j); /* the operands of j->f */
void patterns_free(job *j);

/* regex_put.c: the match goes into j->out, or an item is made of it. */
bool regex_transform(job *j, const pattern *m);
#endif
#endif
