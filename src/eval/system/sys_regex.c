/* SPDX-License-Identifier: MIT */
/* sys_regex.c - ⎕R and ⎕S: text searched by regular expressions, replaced or gathered.
 *
 *   patterns ─▶ PCRE2 ─┐
 *   text ─▶ UTF-8 ─▶ blocks (lines, or the whole) ─▶ matches ─▶ transformation ─▶ out or
 * items
 *
 * The library is the system's libpcre2-8, opened when it is first needed, so that a program
 * that never searches does without it; a build without its header refuses by name. Of
 * several patterns the earliest match wins, then the first pattern; each remembers its next
 * match until the search has passed it. */
#include "../bind/variant.h"
#include "../run/call.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/record.h"
#include "system.h"
#include "../../base/utf8.h"
#include "../../array/element.h"
#include <string.h>

#ifdef __has_include
#if __has_include(<pcre2.h>) && !defined(NO_PCRE2)
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#endif
#endif

#ifndef PCRE2_MAJOR

bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  *r = NULL;
  return err_set(v->c, ERR_NONCE,
                 "%s needs the library PCRE2, which was not there when vapl was built",
                 f->code == OP_QUAD_R ? "⎕R" : "⎕S");
}

void regex_close(vm *v) { UNUSED(v); }

#else
#include <dlfcn.h>

/* ── the library ────────────────────────────────────────────────────────────────────── */

/* clang-format off */
#define LIBRARY(X)                                                                       \
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
  LIBRARY(X)
#undef X
} regex_lib;

static void *lib_alloc(size_t n, void *c) { return mem_alloc(c, n); }
static void lib_free(void *p, void *c) { mem_free(c, p); }

void regex_close(vm *v) {
  regex_lib *l = v->regex;
  if (!l) return;
  if (l->compile) l->pcre2_compile_context_free(l->compile);
  if (l->general) l->pcre2_general_context_free(l->general);
  dlclose(l->handle);
  mem_free(v->c, l);
  v->regex = NULL;
}

static bool lib_load(regex_lib *l) {
  static const char *const names[] = {"libpcre2-8.so.0", "libpcre2-8.so",
                                      "libpcre2-8.0.dylib"};
  bool ok = false;
  for (size_t i = 0; i < ARRAY_LEN(names) && !l->handle; i++)
    l->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!l->handle) return false;
  ok = true;
#define X(f)                                                                             \
  {                                                                                      \
    void *at = dlsym(l->handle, #f "_8");                                                \
    memcpy(&l->f, &at, sizeof at);                                                       \
    ok = ok && at;                                                                       \
  }
  LIBRARY(X)
#undef X
  return ok;
}

static bool lib_open(vm *v) {
  if (v->regex) return true;
  regex_lib *l = v->regex = mem_zalloc(v->c, sizeof *l);
  if (!l) return false;
  if (!lib_load(l)) {
    if (l->handle) dlclose(l->handle);
    mem_free(v->c, l);
    v->regex = NULL;
    return err_set(v->c, ERR_NONCE,
                   "⎕R and ⎕S need the library libpcre2-8, which is not installed");
  }
  l->general = l->pcre2_general_context_create(lib_alloc, lib_free, v->c);
  l->compile = l->general ? l->pcre2_compile_context_create(l->general) : NULL;
  if (l->compile) return l->pcre2_set_newline(l->compile, PCRE2_NEWLINE_ANY), true;
  regex_close(v);
  return false;
}

/* ── a job: patterns, a text, what becomes of a match ───────────────────────────────── */

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

/* Operand a as `count` texts: a scalar or vector is one, a nested vector several. */
static int64_t texts_in(const arr *a) { return a->type == ET_NEST ? a->count : 1; }

static bool text_in(vm *v, arr *a, int64_t i, const char *what, str *s) {
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "%s must be a vector", what);
  return arg_text(v, a->type == ET_NEST ? arr_item(a, i) : a, what, s);
}

static bool compile(job *j, pattern *p, const str *s) {
  const fn *f = j->f;
  int code = 0, mode = regex_says(f, REGEX_MODE);
  PCRE2_SIZE where = 0;
  uint32_t how = PCRE2_UTF;
  if (regex_says(f, REGEX_IC)) how |= PCRE2_CASELESS;
  if (!regex_says(f, REGEX_SEARCH)) how |= PCRE2_LITERAL;
  else {
    how |= PCRE2_NEVER_BACKSLASH_C;
    if (regex_says(f, REGEX_UCP)) how |= PCRE2_UCP;
    if (regex_says(f, REGEX_DOTALL)) how |= PCRE2_DOTALL;
    if (!regex_says(f, REGEX_GREEDY)) how |= PCRE2_UNGREEDY;
    if (mode == 2) how |= PCRE2_MULTILINE;
  }
  p->code =
      j->lib->pcre2_compile((PCRE2_SPTR)s->at, s->n, how, &code, &where, j->lib->compile);
  if (p->code)
    p->data = j->lib->pcre2_match_data_create_from_pattern(p->code, j->lib->general);
  if (p->data) p->at = j->lib->pcre2_get_ovector_pointer(p->data);
  if (p->code || err_is(j->v->c)) return p->data != NULL;
  char why[160] = "";
  j->lib->pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
  return err_set(j->v->c, ERR_DOMAIN, "a pattern, behind its character %zu: %s",
                 utf8_count(s->at, where < s->n ? where : s->n), why);
}

static bool patterns_new(job *j) {
  vm *v = j->v;
  arr *l = j->f->l.a,
      *r = j->f->r.cls == C_ARR && !elt_is_num((elt)j->f->r.a->type) ? j->f->r.a : NULL;
  str s = {.c = v->c};
  int64_t n = texts_in(l), m = r ? texts_in(r) : 1;
  if (m != 1 && m != n)
    return err_set(v->c, ERR_LENGTH, "%lld patterns, but %lld transformations",
                   (long long)n, (long long)m);
  if (!(j->pat = mem_zalloc(v->c, (size_t)(n + 1) * sizeof *j->pat))) return false;
  j->patterns = n;
  bool ok = true;
  for (int64_t i = 0; i < n && ok; i++) {
    s.n = 0;
    j->pat[i].to.c = v->c;
    ok = text_in(v, l, i, "a search pattern", &s) && compile(j, &j->pat[i], &s) &&
         (!r || text_in(v, r, m == 1 ? 0 : i, "a transformation", &j->pat[i].to));
  }
  str_free(&s);
  return ok;
}

static void job_free(job *j) {
  ctx *c = j->v->c;
  for (int64_t i = 0; i < j->patterns; i++) {
    j->lib->pcre2_match_data_free(j->pat[i].data);
    j->lib->pcre2_code_free(j->pat[i].code);
    str_free(&j->pat[i].to);
  }
  mem_free(c, j->pat);
  list_free(&j->found);
  arr_release(j->block_arr);
  str_free(&j->text);
  str_free(&j->out);
}

/* ── what becomes of a match ────────────────────────────────────────────────────────── */

static int64_t chars(const char *from, size_t n) { return (int64_t)utf8_count(from, n); }

/* How many characters of the block are before p; mostly it is further on than last time. */
static int64_t offset(job *j, const char *p) {
  if (p < j->mark) j->mark = j->block, j->marked = 0;
  j->marked += chars(j->mark, (size_t)(p - j->mark));
  j->mark = p;
  return j->marked;
}

/* Group i of a match, or of nothing where it is not part of it. */
static const char *group(const job *j, const pattern *p, int i, size_t *n) {
  bool is =
      i < p->groups && p->at[2 * i] != PCRE2_UNSET && p->at[2 * i + 1] >= p->at[2 * i];
  *n = is ? p->at[2 * i + 1] - p->at[2 * i] : 0;
  return is ? j->block + p->at[2 * i] : j->block;
}

static void put_cased(str *out, const char *p, size_t n, int how) {
  if (!how) str_put(out, p, n);
  else
    for (const char *end = p + n; p < end;)
      str_putc(out, sys_fold_char(utf8_next(p, end, &p), how));
}

/* The digits in [p, end) up to `close`: behind it, or NULL. */
static const char *number_to(const char *p, const char *end, char close, int base,
                             int64_t *n) {
  const char *from = p;
  for (*n = 0; p < end && *n < 0x110000; p++) {
    int d = *p >= '0' && *p <= '9'                 ? *p - '0'
            : (*p | 32) >= 'a' && (*p | 32) <= 'f' ? (*p | 32) - 'a' + 10
                                                   : 99;
    if (d >= base) break;
    *n = *n * base + d;
  }
  return p > from && p < end && *p == close ? p + 1 : NULL;
}

/* Puts what [p, end), which starts behind a backslash, stands for; behind it, NULL:
 * nothing. */
static const char *put_escape(job *j, const pattern *m, const char *p, const char *end,
                              str *out) {
  int how = p < end && *p == 'u'   ? 1
            : p < end && *p == 'l' ? -1
            : p < end && *p == 'f' ? -3
                                   : 0;
  if (how) p++;
  if (p == end) return NULL;
  size_t n = 0;
  int64_t k = -1;
  char c = *p++;
  uint32_t count = 0;
  if (!how && (c == '\\' || c == '%' || c == '&')) return str_put(out, &c, 1), p;
  if (!how && (c == 'n' || c == 'r')) return str_puts(out, c == 'n' ? "\n" : "\r"), p;
  if (!how && c == 'x') {
    if (p == end || *p++ != '{' || !(p = number_to(p, end, '}', 16, &k)) || k < 1 ||
        k > 0x10FFFF)
      return NULL;
    return str_putc(out, (uint32_t)k), p;
  }
  if (c == '%') return put_cased(out, j->block, j->n, how), p;
  if (c == '&') k = 0;
  else if (c >= '0' && c <= '9') k = c - '0';
  else if (c == '(') p = number_to(p, end, ')', 10, &k);
  else if (c == '<') {
    const char *close = memchr(p, '>', (size_t)(end - p));
    str name = {.c = j->v->c};
    if (!close) return NULL;
    str_put(&name, p, (size_t)(close - p));
    if (!name.failed)
      k = j->lib->pcre2_substring_number_from_name(m->code, (PCRE2_SPTR)name.at);
    str_free(&name);
    p = close + 1;
  }
  j->lib->pcre2_pattern_info(m->code, PCRE2_INFO_CAPTURECOUNT, &count);
  if (!p || k < 0 || k > (int64_t)count) return NULL;
  const char *text = group(j, m, (int)k, &n);
  return put_cased(out, text, n, how), p;
}

static bool put_transformed(job *j, const pattern *m, str *out) {
  const char *p = m->to.at, *end = p + m->to.n;
  size_t n;
  if (!regex_says(j->f, REGEX_TO)) return str_put(out, p, m->to.n), true;
  while (p && p < end) {
    const char *q = p;
    while (q < end && *q != '\\' && *q != '%' && *q != '&') q++;
    str_put(out, p, (size_t)(q - p));
    if ((p = q) == end) break;
    if (*p == '%') str_put(out, j->block, j->n), p++;
    else if (*p == '&') {
      const char *text = group(j, m, 0, &n);
      str_put(out, text, n);
      p++;
    } else p = put_escape(j, m, p + 1, end, out);
  }
  return p ? !out->failed
           : err_set(j->v->c, ERR_DOMAIN,
                     "the transformation %s has an unknown sequence behind \\", m->to.at);
}

/* Code k of a match: where it begins, its length, the block's number, the pattern's. */
static int64_t code_value(job *j, const pattern *m, int64_t k) {
  size_t n;
  const char *p = group(j, m, 0, &n);
  return k == 0 ? offset(j, p) : k == 1 ? chars(p, n) : k == 2 ? j->number : m - j->pat;
}

static arr *by_codes(job *j, const pattern *m) {
  const arr *codes = j->f->r.a;
  arr *r = arr_new(j->v->c, ET_I64, codes->rank, codes->shape);
  for (int64_t i = 0; r && i < codes->count; i++)
    arr_put_int(r, i, code_value(j, m, arr_get_int(codes, i)));
  return r;
}

/* The names of the groups of m, none for most. */
static arr *names_of(job *j, const pattern *m) {
  ctx *c = j->v->c;
  uint32_t n = 0, size = 0;
  PCRE2_SPTR table = NULL;
  j->lib->pcre2_pattern_info(m->code, PCRE2_INFO_NAMECOUNT, &n);
  j->lib->pcre2_pattern_info(m->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
  j->lib->pcre2_pattern_info(m->code, PCRE2_INFO_NAMETABLE, &table);
  OWNED_LIST arr_list items = {.v = j->v};
  for (int i = 0; i < m->groups; i++) {
    const char *name = "";
    for (uint32_t k = 0; k < n; k++)
      if ((table[k * size] << 8 | table[k * size + 1]) == i)
        name = (const char *)&table[k * size + 2];
    if (!list_add(&items, arr_text(c, name, strlen(name)))) return NULL;
  }
  return list_array(&items);
}

/* The record that a transformation function is given. */
static arr *match_record(job *j, const pattern *m) {
  ctx *c = j->v->c;
  size_t n;
  const char *text = group(j, m, 0, &n);
  arr *l = j->f->l.a, *at = arr_vec(c, ET_I64, m->groups),
      *len = arr_vec(c, ET_I64, m->groups);
  for (int i = 0; at && len && i < m->groups; i++) {
    size_t k;
    const char *p = group(j, m, i, &k);
    bool is = m->at[2 * i] != PCRE2_UNSET;
    arr_put_int(at, i, is ? offset(j, p) : -1);
    arr_put_int(len, i, is ? chars(p, k) : -1);
  }
  if (!j->block_arr) j->block_arr = arr_text(c, j->block, j->n);
  return record_new(
      j->v, REC_MATCH,
      (arr *[]){j->block_arr ? arr_retain(j->block_arr) : NULL, arr_int(c, j->number),
                arr_retain(l->type == ET_NEST ? arr_item(l, m - j->pat) : l),
                arr_int(c, m - j->pat), arr_text(c, text, n), at, len, names_of(j, m),
                arr_int(c, j->replaces), arr_int(c, j->replaces)});
}

static bool by_function(job *j, const pattern *m, arr **r) {
  arr *y = match_record(j, m);
  bool ok = y && call(j->v, j->f->r.f, NULL, y, r) && (!*r || ir_host(j->v->g, *r));
  arr_release(y);
  if (ok && j->replaces) {
    str s = {.c = j->v->c};
    ok = *r ? arg_text(j->v, *r, "what replaces a match", &s)
            : err_set(j->v->c, ERR_VALUE, "the function gave no result");
    str_put(&j->out, s.at ? s.at : "", s.n);
    str_free(&s);
  }
  return ok;
}

/* The match goes into `out`, or an item is made of it. */
static bool transform(job *j, const pattern *m) {
  value to = j->f->r;
  arr *r = NULL;
  bool ok = true;
  if (to.cls == C_FN) ok = by_function(j, m, &r);
  else if (elt_is_num((elt)to.a->type)) ok = (r = by_codes(j, m)) != NULL;
  else if (j->replaces) return put_transformed(j, m, &j->out);
  else {
    str s = {.c = j->v->c};
    ok = put_transformed(j, m, &s);
    r = ok ? str_take(j->v, &s) : (str_free(&s), NULL);
    ok = r != NULL;
  }
  if (ok && r && !j->replaces) return list_add(&j->found, r);
  arr_release(r);
  return ok;
}

/* ── matches ────────────────────────────────────────────────────────────────────────── */

/* Looks for p from byte `from` on; `full`: an empty match there does not count. */
static bool seek(job *j, pattern *p, size_t from, bool full) {
  uint32_t how = PCRE2_NO_UTF_CHECK | (full ? PCRE2_NOTEMPTY_ATSTART : 0);
  int rc =
      j->lib->pcre2_match(p->code, (PCRE2_SPTR)j->block, j->n, from, how, p->data, NULL);
  p->sought = true;
  p->groups = rc > 0 ? rc : 0;
  if (rc > 0 || rc == PCRE2_ERROR_NOMATCH) return true;
  char why[160] = "";
  j->lib->pcre2_get_error_message(rc, (PCRE2_UCHAR *)why, sizeof why);
  return err_set(j->v->c, ERR_LIMIT, "a pattern: %s", why);
}

/* The first match from `from` on, *m NULL: none. */
static bool next_match(job *j, size_t from, bool full, pattern **m) {
  *m = NULL;
  for (int64_t i = 0; i < j->patterns; i++) {
    pattern *p = &j->pat[i];
    bool passed =
        p->groups && (p->at[0] < from || (full && p->at[0] == from && p->at[1] == from));
    if ((!p->sought || passed) && !seek(j, p, from, full)) return false;
    if (p->groups && (!*m || p->at[0] < (*m)->at[0])) *m = p;
  }
  return true;
}

static size_t one_on(const job *j, size_t at) {
  const char *next = j->block + at;
  if (at < j->n) utf8_next(next, j->block + j->n, &next);
  return at < j->n ? (size_t)(next - j->block) : j->n + 1;
}

/* Every match in the block; with ⎕R what is between them is copied. */
static bool search_block(job *j) {
  int ml = regex_says(j->f, REGEX_ML), seen = 0;
  bool overlap = regex_says(j->f, REGEX_OM) && !j->replaces, full = false;
  size_t from = 0, copied = 0;
  for (int64_t i = 0; i < j->patterns; i++) j->pat[i].sought = false;
  while (from <= j->n) {
    pattern *m;
    if (interrupted(j->v->c) || !next_match(j, from, full, &m)) return false;
    if (!m) break;
    size_t begin = m->at[0], end = m->at[1] < m->at[0] ? m->at[0] : m->at[1];
    if (++seen == -ml || ml >= 0) {
      if (j->replaces) str_put(&j->out, j->block + copied, begin - copied);
      if (!transform(j, m)) return false;
      copied = end;
    }
    if (ml && seen == (ml < 0 ? -ml : ml)) break;
    full = !overlap && begin == end;
    from = overlap ? one_on(j, begin) : end;
  }
  if (j->replaces) str_put(&j->out, j->block + copied, j->n - copied);
  return !j->out.failed;
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

/* In the order of the option EOL's words. */
static const char *const line_ends[] = {"\r\n",     "\r", "\n",     "\v",
                                        "\xC2\x85", "\f", "\u2028", "\u2029"};

/* The bytes of the line end at p, 0 if there is none. */
static size_t line_end(const char *p, const char *end) {
  unsigned char c = (unsigned char)*p;
  if (p == end || (c > '\r' && c != 0xC2 && c != 0xE2)) return 0;
  for (size_t i = 0; i < ARRAY_LEN(line_ends); i++) {
    size_t n = strlen(line_ends[i]);
    if ((size_t)(end - p) >= n && !memcmp(p, line_ends[i], n)) return n;
  }
  return 0;
}

static bool put_text(job *j, arr *a) {
  const char *eol = line_ends[regex_says(j->f, REGEX_EOL)];
  str s = {.c = j->v->c};
  for (int64_t i = 0; i < a->count && elt_is_char((elt)a->type); i++)
    if (arr_get_int(a, i) >> 11 == 0xD800 >> 11)
      return err_set(j->v->c, ERR_DOMAIN, "element %lld is half a character",
                     (long long)i + j->v->sv->io);
  if (!regex_says(j->f, REGEX_NEOL)) return arg_text(j->v, a, "the text", &j->text);
  bool ok = arg_text(j->v, a, "the text", &s);
  for (const char *p = s.at, *end = p ? p + s.n : p; ok && p < end;) {
    size_t n = line_end(p, end);
    str_put(&j->text, n ? eol : p, n ? strlen(eol) : 1);
    p += n ? n : 1;
  }
  str_free(&s);
  return ok;
}

/* The whole text in UTF-8, lines joined by the line end. */
static bool text_new(job *j, arr *y) {
  if (y->rank > 1) return err_set(j->v->c, ERR_RANK, "the text must be a vector");
  j->nested = y->type == ET_NEST;
  if (!j->nested) return put_text(j, y);
  for (int64_t i = 0; i < y->count; i++) {
    if (i) str_puts(&j->text, line_ends[regex_says(j->f, REGEX_EOL)]);
    if (!put_text(j, arr_item(y, i))) return false;
  }
  str_put(&j->text, "", 0);
  return !j->text.failed;
}

static bool search(job *j, int64_t lines) {
  const char *p = j->text.at, *end = p + j->text.n;
  bool by_line = regex_says(j->f, REGEX_MODE) == 0;
  if (by_line && regex_says(j->f, REGEX_DOTALL))
    return err_set(j->v->c, ERR_DOMAIN, "⍠: DotAll needs Mode D or M");
  for (size_t eol = 0; lines && p <= end; j->number++) {
    const char *stop = by_line ? p : end;
    for (; stop < end && !(eol = line_end(stop, end)); stop++) {}
    if (stop == end) eol = 0;
    arr_release(j->block_arr);
    j->block_arr = NULL;
    j->block = j->mark = p;
    j->marked = 0;
    j->n = (size_t)(stop - p);
    if (!search_block(j)) return false;
    if (j->replaces) str_put(&j->out, stop, eol);
    p = stop + eol;
    if (!eol || (p == end && !j->nested)) break;
  }
  return !j->out.failed;
}

/* The lines of what was put out. */
static arr *out_lines(job *j, int64_t lines) {
  vm *v = j->v;
  OWNED_LIST arr_list items = {.v = v};
  const char *p = j->out.at ? j->out.at : "", *end = p + j->out.n;
  bool ok = true;
  for (size_t eol = 1; lines && ok && eol;) {
    const char *stop = p;
    for (eol = 0; stop < end && !(eol = line_end(stop, end)); stop++) {}
    ok = list_add(&items, arr_text(v->c, p, (size_t)(stop - p)));
    p = stop + eol;
  }
  return ok ? list_array(&items) : NULL;
}

/* What ⎕S gives: an item for each match. */
static arr *found_items(job *j) {
  value to = j->f->r;
  vm *v = j->v;
  int64_t n = 0;
  if (j->found.n) return list_array(&j->found);
  if (to.cls == C_FN) return arr_vec(v->c, ET_I8, 0);
  return elt_is_num((elt)to.a->type) ? collect_none(v, to.a, 1, &n)
                                     : items_of(v, 0, NULL);
}

static bool check_codes(vm *v, const fn *f) {
  const arr *a = f->r.a;
  if (f->r.cls != C_ARR || !elt_is_num((elt)a->type)) return true;
  if (f->code == OP_QUAD_R)
    return err_set(v->c, ERR_DOMAIN, "⎕R: a transformation is text or a function");
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "⎕S: codes are a scalar or a vector");
  for (int64_t i = 0; i < a->count; i++)
    if (!elt_is_int((elt)a->type) || arr_get_int(a, i) < 0 || arr_get_int(a, i) > 3)
      return err_set(v->c, ERR_DOMAIN, "⎕S: codes are 0 to 3");
  return true;
}

bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (x) return err_set(v->c, ERR_NONCE, "⎕R and ⎕S write to no stream in this version");
  if (!verify(v) || !ir_host(v->g, y) || !ir_host(v->g, f->l.a) ||
      (f->r.cls == C_ARR && !ir_host(v->g, f->r.a)))
    return false;
  if (!check_codes(v, f) || !lib_open(v)) return false;
  job j = {.v = v,
           .f = f,
           .lib = v->regex,
           .replaces = f->code == OP_QUAD_R,
           .text = {.c = v->c},
           .out = {.c = v->c},
           .found = {.v = v}};
  int64_t lines = y->type == ET_NEST ? y->count : 1;
  bool ok = patterns_new(&j) && text_new(&j, y) && search(&j, lines);
  int how = regex_says(f, REGEX_RESULT);
  if (ok && !j.replaces) *r = found_items(&j);
  else if (ok && (how == 2 || (how == 0 && j.nested))) *r = out_lines(&j, lines);
  else if (ok) *r = arr_text(v->c, j.out.at, j.out.n);
  job_free(&j);
  return *r != NULL;
}
#endif
