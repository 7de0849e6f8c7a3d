/* SPDX-License-Identifier: MIT */
/* regex_lib.c - PCRE2 opened, and patterns compiled.
 *
 * The library is the system's libpcre2-8, opened when it is first needed, so that a program
 * that never searches does without it. */
#include <string.h>
#include "../../array/element.h"
#include "../../base/utf8.h"
#include "../value/arg.h"
#include "regex.h"
#include "system.h"

#ifndef PCRE2_MAJOR

void regex_close(vm *v) { UNUSED(v); }

#else
#include <dlfcn.h>

/* ── the library ────────────────────────────────────────────────────────────────────── */

static void *lib_alloc(size_t n, void *c) { return mem_alloc(c, n); }
static void lib_free(void *p, void *c) { mem_free(c, p); }

void regex_close(vm *v) {
  regex_lib *l = v->regex;
  if (!l) return;
  if (l->compile) l->pcre2_compile_context_free(l->compile);
  if (l->general) l->pcre2_general_context_free(l->general);
  if (l->handle) dlclose(l->handle);
  mem_free(v->c, l);
  v->regex = NULL;
}

/* Finds the library and all that is needed of it. */
static bool lib_load(regex_lib *l) {
  static const char *const names[] = {"libpcre2-8.so.0", "libpcre2-8.so",
                                      "libpcre2-8.0.dylib"};
  bool ok = true;
  for (size_t i = 0; i < ARRAY_LEN(names) && !l->handle; i++)
    l->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) return false;
#define X(f)                                                                             \
  {                                                                                      \
    void *at = dlsym(l->handle, #f "_8");                                                \
    memcpy(&l->f, &at, sizeof at);                                                       \
    ok = ok && at;                                                                       \
  }
  REGEX_LIBRARY(X)
#undef X
  return ok;
}

static bool lib_begin(regex_lib *l, ctx *c) {
  l->general = l->pcre2_general_context_create(lib_alloc, lib_free, c);
  if (!l->general) return false;
  l->compile = l->pcre2_compile_context_create(l->general);
  if (!l->compile) return false;
  l->pcre2_set_newline(l->compile, PCRE2_NEWLINE_ANY);
  return true;
}

bool regex_open(vm *v) {
  if (v->regex) return true;
  v->regex = mem_zalloc(v->c, sizeof *v->regex);
  if (!v->regex) return false;
  if (!lib_load(v->regex))
    err_set(v->c, ERR_NONCE,
            "⎕R and ⎕S need the library libpcre2-8, which is not installed");
  else if (lib_begin(v->regex, v->c)) return true;
  regex_close(v);
  return false;
}

/* ── patterns ───────────────────────────────────────────────────────────────────────── */

/* How many texts an operand is: a scalar or vector is one, a nested vector several. */
static int64_t texts_in(const arr *a) { return a->type == ET_NEST ? a->count : 1; }

static bool text_in(vm *v, arr *a, int64_t i, const char *what, str *s) {
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "%s must be a vector", what);
  return arg_text(v, a->type == ET_NEST ? arr_item(a, i) : a, what, s);
}

/* The options of ⍠ as PCRE2 has them. */
static uint32_t flags_of(const fn *f) {
  uint32_t flags = PCRE2_UTF;
  if (regex_says(f, REGEX_IC)) flags |= PCRE2_CASELESS;
  if (!regex_says(f, REGEX_SEARCH)) return flags | PCRE2_LITERAL;
  flags |= PCRE2_NEVER_BACKSLASH_C;
  if (regex_says(f, REGEX_UCP)) flags |= PCRE2_UCP;
  if (regex_says(f, REGEX_DOTALL)) flags |= PCRE2_DOTALL;
  if (!regex_says(f, REGEX_GREEDY)) flags |= PCRE2_UNGREEDY;
  if (regex_says(f, REGEX_MODE) == 2) flags |= PCRE2_MULTILINE;
  return flags;
}

static bool compile(job *j, pattern *p, const str *s) {
  const regex_lib *l = j->lib;
  int code = 0;
  PCRE2_SIZE where = 0;
  uint32_t flags = flags_of(j->f);
  p->code = l->pcre2_compile((PCRE2_SPTR)s->at, s->n, flags, &code, &where, l->compile);
  if (p->code) p->data = l->pcre2_match_data_create_from_pattern(p->code, l->general);
  if (p->data) p->at = l->pcre2_get_ovector_pointer(p->data);
  if (p->code || err_is(j->v->c)) return p->data != NULL;
  char why[160] = "";
  l->pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
  if (where > s->n) where = s->n;
  return err_set(j->v->c, ERR_DOMAIN, "a pattern, behind its character %zu: %s",
                 utf8_count(s->at, where), why);
}

bool patterns_new(job *j) {
  vm *v = j->v;
  arr *l = j->f->l.a, *r = NULL; /* r: transformation patterns */
  if (j->f->r.cls == C_ARR && !elt_is_num((elt)j->f->r.a->type)) r = j->f->r.a;
  OWNED_STR str s = {.c = v->c};
  int64_t n = texts_in(l), m = r ? texts_in(r) : 1;
  if (m != 1 && m != n)
    return err_set(v->c, ERR_LENGTH, "%lld patterns, but %lld transformations",
                   (long long)n, (long long)m);
  j->pat = mem_zalloc(v->c, (size_t)(n + 1) * sizeof *j->pat);
  if (!j->pat) return false;
  j->patterns = n;
  for (int64_t i = 0; i < n; i++) j->pat[i].to.c = v->c;
  for (int64_t i = 0; i < n; i++) {
    pattern *p = &j->pat[i];
    s.n = 0;
    if (!text_in(v, l, i, "a search pattern", &s) || !compile(j, p, &s)) return false;
    if (r && !text_in(v, r, m == 1 ? 0 : i, "a transformation", &p->to)) return false;
  }
  return true;
}

void patterns_free(job *j) {
  for (int64_t i = 0; i < j->patterns; i++) {
    j->lib->pcre2_match_data_free(j->pat[i].data);
    j->lib->pcre2_code_free(j->pat[i].code);
    str_free(&j->pat[i].to);
  }
  mem_free(j->v->c, j->pat);
}
#endif
