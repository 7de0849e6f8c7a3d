/* SPDX-License-Identifier: MIT */
/* regex.c - a text searched for regular expressions, by PCRE2.
 *
 * The library is the system's libpcre2-8, opened when it is first needed, so that a program
 * that never searches does without it. A build without its header says so when it is asked to
 * search.
 *
 * Every pattern remembers its next match until the search has passed it, so that a pattern
 * which matches seldom is not sought again after each match of another one. */
#include "regex.h"
#include "../base/utf8.h"

#ifdef __has_include
#if __has_include(<pcre2.h>) && !defined(NO_PCRE2)
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
#endif

#ifdef PCRE2_MAJOR
#include <dlfcn.h>
#include <string.h>

/* ── the library ────────────────────────────────────────────────────────────────────── */

/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(pcre2_general_context_create) X(pcre2_general_context_free)                          \
  X(pcre2_compile_context_create) X(pcre2_compile_context_free) X(pcre2_set_newline)     \
  X(pcre2_match_context_create) X(pcre2_match_context_free) X(pcre2_set_match_limit)     \
  X(pcre2_set_callout) X(pcre2_compile) X(pcre2_code_free) X(pcre2_pattern_info)                              \
  X(pcre2_match_data_create_from_pattern) X(pcre2_match_data_free) X(pcre2_match)        \
  X(pcre2_get_ovector_pointer) X(pcre2_get_error_message)                                \
  X(pcre2_substring_number_from_name)
/* clang-format on */

struct regex_lib {
  ctx *c;
  void *handle;
  pcre2_general_context *general;
  pcre2_compile_context *compile;
  pcre2_match_context *quick,
      *patient;   /* for a match that takes few steps, for any other */
  unsigned asked; /* how often the latter asked whether to go on */
#define X(f) __typeof__(&f) f;
  LIBRARY(X)
#undef X
};

static void *lib_alloc(size_t n, void *c) { return mem_alloc(c, n); }
static void lib_free(void *p, void *c) { mem_free(c, p); }

/* A match goes on for so many steps without being asked, some hundredths of a second. */
enum { QUICK_STEPS = 200000, ASKED_EVERY = 256 };

static int may_go_on(pcre2_callout_block *b, void *user) {
  regex_lib *l = user;
  UNUSED(b);
  bool stops = ++l->asked % ASKED_EVERY == 0 && interrupted(l->c);
  return stops ? PCRE2_ERROR_CALLOUT : 0;
}

/* Finds a function and stores its address in *to. */
static bool find_function(void *handle, const char *name, void *to) {
  void *at = dlsym(handle, name);
  memcpy(to, &at, sizeof at);
  return at != NULL;
}

static bool regex_load(regex_lib *l) {
  static const char *const names[] = {"libpcre2-8.so.0", "libpcre2-8.so",
                                      "libpcre2-8.0.dylib"};
  for (size_t i = 0; i < ARRAY_LEN(names) && !l->handle; i++)
    l->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) return false;
#define X(f)                                                                             \
  if (!find_function(l->handle, #f "_8", &l->f)) return false;
  LIBRARY(X)
#undef X
  return true;
}

static bool regex_start(regex_lib *l) {
  if (!regex_load(l))
    return err_set(l->c, ERR_NONCE,
                   "⎕R and ⎕S need the library libpcre2-8, which is not installed");
  l->general = l->pcre2_general_context_create(lib_alloc, lib_free, l->c);
  if (!l->general) return false;
  l->compile = l->pcre2_compile_context_create(l->general);
  if (!l->compile) return false;
  l->pcre2_set_newline(l->compile, PCRE2_NEWLINE_ANY);
  l->quick = l->pcre2_match_context_create(l->general);
  l->patient = l->pcre2_match_context_create(l->general);
  if (!l->quick || !l->patient) return false;
  l->pcre2_set_match_limit(l->quick, QUICK_STEPS);
  l->pcre2_set_callout(l->patient, may_go_on, l);
  return true;
}

regex_lib *regex_lib_open(ctx *c) {
  regex_lib *l = mem_zalloc(c, sizeof *l);
  if (!l) return NULL;
  l->c = c;
  if (regex_start(l)) return l;
  regex_lib_close(l);
  return NULL;
}

void regex_lib_close(regex_lib *l) {
  if (!l) return;
  if (l->quick) l->pcre2_match_context_free(l->quick);
  if (l->patient) l->pcre2_match_context_free(l->patient);
  if (l->compile) l->pcre2_compile_context_free(l->compile);
  if (l->general) l->pcre2_general_context_free(l->general);
  if (l->handle) dlclose(l->handle);
  mem_free(l->c, l);
}

/* ── patterns ───────────────────────────────────────────────────────────────────────── */

static uint32_t compile_options(regex_mode mode) {
  uint32_t how = PCRE2_UTF;
  if (mode.caseless) how |= PCRE2_CASELESS;
  if (mode.literal) return how | PCRE2_LITERAL;
  how |= PCRE2_NEVER_BACKSLASH_C; /* it would match a part of a character */
  if (mode.ucp) how |= PCRE2_UCP;
  if (mode.dotall) how |= PCRE2_DOTALL;
  if (mode.ungreedy) how |= PCRE2_UNGREEDY;
  if (mode.multiline) how |= PCRE2_MULTILINE;
  return how;
}

static bool compile(const regex *x, regex_pattern *p) {
  const regex_lib *l = x->lib;
  const str *s = &p->text;
  uint32_t how = compile_options(p->mode) | (p->asks ? PCRE2_AUTO_CALLOUT : 0);
  int code = 0;
  PCRE2_SIZE where = 0;
  p->code = l->pcre2_compile((PCRE2_SPTR)s->at, s->n, how, &code, &where, l->compile);
  if (!p->code) {
    char why[160] = "";
    l->pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
    if (where > s->n) where = s->n;
    return err_set(x->c, ERR_DOMAIN, "a pattern, behind its character %zu: %s",
                   utf8_count(s->at, where), why);
  }
  p->data = l->pcre2_match_data_create_from_pattern(p->code, l->general);
  if (!p->data) return false;
  p->at = l->pcre2_get_ovector_pointer(p->data);
  return true;
}

bool regex_add(regex *x, const str *pattern, regex_mode mode) {
  size_t i = x->patterns.n;
  if (!vec_push(x->c, &x->patterns, (regex_pattern){.index = i})) return false;
  regex_pattern *p = &x->patterns.at[i];
  p->mode = mode;
  p->text.c = x->c;
  str_put(&p->text, pattern->at, pattern->n);
  return !p->text.failed && compile(x, p);
}

static void drop_code(const regex *x, regex_pattern *p) {
  x->lib->pcre2_match_data_free(p->data);
  x->lib->pcre2_code_free(p->code);
  p->data = NULL;
  p->code = NULL;
}

void regex_free(regex *x) {
  for (size_t i = 0; i < x->patterns.n; i++) {
    drop_code(x, &x->patterns.at[i]);
    str_free(&x->patterns.at[i].text);
  }
  vec_free(x->c, &x->patterns);
}

static int match(const regex *x, const regex_pattern *p) {
  uint32_t how = PCRE2_NO_UTF_CHECK;
  if (x->skip_empty) how |= PCRE2_NOTEMPTY_ATSTART;
  return x->lib->pcre2_match(p->code, (PCRE2_SPTR)x->text, x->n, x->from, how, p->data,
                             p->asks ? x->lib->patient : x->lib->quick);
}

/* From now on p asks whether to go on. */
static bool become_patient(const regex *x, regex_pattern *p) {
  drop_code(x, p);
  p->asks = true;
  return compile(x, p);
}

/* Finds the next match of p. */
static bool seek(const regex *x, regex_pattern *p) {
  int rc = match(x, p);
  if (rc == PCRE2_ERROR_MATCHLIMIT && !p->asks) {
    if (!become_patient(x, p)) return false;
    rc = match(x, p);
  }
  if (err_is(x->c)) return false;
  p->sought = true;
  p->groups = 0;
  if (rc > 0) p->groups = rc;
  if (rc > 0 || rc == PCRE2_ERROR_NOMATCH) return true;
  char why[160] = "";
  x->lib->pcre2_get_error_message(rc, (PCRE2_UCHAR *)why, sizeof why);
  return err_set(x->c, ERR_LIMIT, "a pattern: %s", why);
}

/* ── groups ─────────────────────────────────────────────────────────────────────────── */

static uint32_t pattern_info(const regex *x, const regex_pattern *p, uint32_t what) {
  uint32_t n = 0;
  x->lib->pcre2_pattern_info(p->code, what, &n);
  return n;
}

int regex_groups(const regex *x, const regex_pattern *p) {
  return (int)pattern_info(x, p, PCRE2_INFO_CAPTURECOUNT);
}

int regex_group_number(const regex *x, const regex_pattern *p, const char *name) {
  return x->lib->pcre2_substring_number_from_name(p->code, (PCRE2_SPTR)name);
}

const char *regex_group_name(const regex *x, const regex_pattern *p, int i) {
  uint32_t n = pattern_info(x, p, PCRE2_INFO_NAMECOUNT);
  uint32_t size = pattern_info(x, p, PCRE2_INFO_NAMEENTRYSIZE);
  PCRE2_SPTR table = NULL;
  x->lib->pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
  const char *name = "";
  for (uint32_t k = 0; k < n; k++) {
    PCRE2_SPTR entry = table + k * size; /* the number in two bytes, the name */
    if ((entry[0] << 8 | entry[1]) == i) name = (const char *)entry + 2;
  }
  return name;
}

#else

regex_lib *regex_lib_open(ctx *c) {
  err_set(c, ERR_NONCE,
          "⎕R and ⎕S need the library PCRE2, which was not there when vapl was built");
  return NULL;
}

/* Without a library there is nothing to search with: the rest is never called. */
void regex_lib_close(regex_lib *l) { UNUSED(l); }
bool regex_add(regex *x, const str *pattern, regex_mode mode) {
  UNUSED(pattern);
  UNUSED(mode);
  UNUSED(x);
  return false;
}
void regex_free(regex *x) { UNUSED(x); }
static bool seek(const regex *x, regex_pattern *p) {
  UNUSED(x);
  UNUSED(p);
  return false;
}
int regex_groups(const regex *x, const regex_pattern *p) {
  UNUSED(x);
  UNUSED(p);
  return 0;
}
int regex_group_number(const regex *x, const regex_pattern *p, const char *name) {
  UNUSED(x);
  UNUSED(p);
  UNUSED(name);
  return -1;
}
const char *regex_group_name(const regex *x, const regex_pattern *p, int i) {
  UNUSED(x);
  UNUSED(p);
  UNUSED(i);
  return "";
}
#endif

/* ── matches ────────────────────────────────────────────────────────────────────────── */

void regex_begin(regex *x, const char *text, size_t n) {
  x->text = text;
  x->n = n;
  x->from = 0;
  x->skip_empty = false;
  x->mark = text;
  x->marked = 0;
  for (size_t i = 0; i < x->patterns.n; i++) x->patterns.at[i].sought = false;
}

/* Is the match that p remembers before the place that the search has reached? */
static bool is_passed(const regex *x, const regex_pattern *p) {
  if (!p->groups) return false;
  if (p->at[0] < x->from) return true;
  return x->skip_empty && p->at[0] == x->from && p->at[1] == x->from;
}

/* The byte behind the character at byte `at`. */
static size_t behind_character(const regex *x, size_t at) {
  if (at >= x->n) return x->n + 1;
  const char *next;
  utf8_next(x->text + at, x->text + x->n, &next);
  return (size_t)(next - x->text);
}

bool regex_next(regex *x, regex_match *m) {
  const regex_pattern *first = NULL;
  *m = (regex_match){0};
  if (x->from > x->n) return true;
  if (interrupted(x->c)) return false;
  for (size_t i = 0; i < x->patterns.n; i++) {
    regex_pattern *p = &x->patterns.at[i];
    if (!p->sought || is_passed(x, p)) {
      if (!seek(x, p)) return false;
    }
    if (p->groups && (!first || p->at[0] < first->at[0])) first = p;
  }
  if (!first) return true;
  *m = (regex_match){first, first->at[0], first->at[1]};
  if (m->end < m->begin) m->end = m->begin; /* \K in an assertion can turn them round */
  if (x->overlap) x->from = behind_character(x, m->begin);
  else {
    x->from = m->end;
    x->skip_empty = m->begin == m->end;
  }
  return true;
}

regex_part regex_group(const regex *x, const regex_match *m, int i) {
  const regex_pattern *p = m->pattern;
  regex_part none = {.at = x->text};
  if (i >= p->groups || p->at[2 * i] == SIZE_MAX) return none;
  size_t begin = p->at[2 * i], end = p->at[2 * i + 1];
  none.found = true;
  if (end < begin) return none;
  return (regex_part){x->text + begin, end - begin, true};
}

/* It is counted from the place that was asked for last, since mostly p is behind that. */
int64_t regex_offset(regex *x, const char *p) {
  if (p < x->mark) {
    x->mark = x->text;
    x->marked = 0;
  }
  x->marked += (int64_t)utf8_count(x->mark, (size_t)(p - x->mark));
  x->mark = p;
  return x->marked;
}
