/* SPDX-License-Identifier: MIT */
/* sys_regex.c - ⎕R and ⎕S: text searched by regular expressions, replaced or gathered.
 *
 *   patterns ─▶ PCRE2 ─┐
 *   text ─▶ UTF-8 ─▶ blocks (lines, or the whole) ─▶ matches ─▶ regex_put.c ─▶ out or items
 *
 * Of several patterns the earliest match wins, then the first pattern; each remembers its
 * next match until the search has passed it. */
#include <string.h>
#include "../../array/element.h"
#include "../../base/utf8.h"
#include "../value/arg.h"
#include "regex.h"
#include "system.h"

#ifndef PCRE2_MAJOR

bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  *r = NULL;
  return err_set(v->c, ERR_NONCE,
                 "%s needs the library PCRE2, which was not there when vapl was built",
                 oper_find(f->code)->glyph);
}

#else

/* ── matches ────────────────────────────────────────────────────────────────────────── */

/* Looks for p from byte `from` on; `full`: an empty match there does not count. */
static bool seek(job *j, pattern *p, size_t from, bool full) {
  uint32_t how = PCRE2_NO_UTF_CHECK;
  if (full) how |= PCRE2_NOTEMPTY_ATSTART;
  int rc =
      j->lib->pcre2_match(p->code, (PCRE2_SPTR)j->block, j->n, from, how, p->data, NULL);
  p->sought = true;
  p->groups = rc > 0 ? rc : 0;
  if (rc > 0 || rc == PCRE2_ERROR_NOMATCH) return true;
  char why[160] = "";
  j->lib->pcre2_get_error_message(rc, (PCRE2_UCHAR *)why, sizeof why);
  return err_set(j->v->c, ERR_LIMIT, "a pattern: %s", why);
}

/* Is the match that p remembers no longer ahead? */
static bool is_passed(const pattern *p, size_t from, bool full) {
  if (!p->groups) return false;
  bool empty_here = p->at[0] == from && p->at[1] == from;
  return p->at[0] < from || (full && empty_here);
}

/* The first match from `from` on, *m NULL: none. */
static bool next_match(job *j, size_t from, bool full, pattern **m) {
  *m = NULL;
  for (int64_t i = 0; i < j->patterns; i++) {
    pattern *p = &j->pat[i];
    bool again = !p->sought || is_passed(p, from, full);
    if (again && !seek(j, p, from, full)) return false;
    if (p->groups && (!*m || p->at[0] < (*m)->at[0])) *m = p;
  }
  return true;
}

/* The byte behind the character at `at`. */
static size_t one_on(const job *j, size_t at) {
  const char *next = j->block + at;
  if (at >= j->n) return j->n + 1;
  utf8_next(next, j->block + j->n, &next);
  return (size_t)(next - j->block);
}

/* Every match in the block; with ⎕R what is between them is copied. ML is how many matches
 * count: 0 all, n the first n, ¯n the n-th alone. */
static bool search_block(job *j) {
  int ml = regex_says(j->f, REGEX_ML), seen = 0, last = ml < 0 ? -ml : ml;
  bool overlap = regex_says(j->f, REGEX_OM) && !j->replaces, full = false;
  size_t from = 0, copied = 0;
  for (int64_t i = 0; i < j->patterns; i++) j->pat[i].sought = false;
  while (from <= j->n) {
    pattern *m;
    if (interrupted(j->v->c) || !next_match(j, from, full, &m)) return false;
    if (!m) break;
    size_t begin = m->at[0], end = m->at[1];
    if (end < begin) end = begin;
    seen++;
    if (ml >= 0 || seen == last) {
      if (j->replaces) str_put(&j->out, j->block + copied, begin - copied);
      if (!regex_transform(j, m)) return false;
      copied = end;
    }
    if (ml && seen == last) break;
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

/* The first line end in [p, end), *n bytes; end and 0 if there is none. */
static const char *find_line_end(const char *p, const char *end, size_t *n) {
  *n = 0;
  for (; p < end; p++) {
    *n = line_end(p, end);
    if (*n) break;
  }
  return p;
}

static bool put_text(job *j, arr *a) {
  const char *eol = line_ends[regex_says(j->f, REGEX_EOL)];
  OWNED_STR str s = {.c = j->v->c};
  for (int64_t i = 0; i < a->count && elt_is_char((elt)a->type); i++)
    if (arr_get_int(a, i) >> 11 == 0xD800 >> 11)
      return err_set(j->v->c, ERR_DOMAIN, "element %lld is half a character",
                     (long long)i + j->v->sv->io);
  if (!regex_says(j->f, REGEX_NEOL)) return arg_text(j->v, a, "the text", &j->text);
  if (!arg_text(j->v, a, "the text", &s)) return false;
  for (const char *p = s.at, *end = p + s.n; p < end;) {
    size_t n;
    const char *stop = find_line_end(p, end, &n);
    str_put(&j->text, p, (size_t)(stop - p));
    if (n) str_puts(&j->text, eol);
    p = stop + n;
  }
  return true;
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

/* The n bytes from p on are the block. */
static void block_begin(job *j, const char *p, size_t n) {
  arr_release(j->block_arr);
  j->block_arr = NULL;
  j->block = j->mark = p;
  j->marked = 0;
  j->n = n;
}

static bool search(job *j, int64_t lines) {
  const char *p = j->text.at, *end = p + j->text.n;
  bool by_line = regex_says(j->f, REGEX_MODE) == 0;
  if (by_line && regex_says(j->f, REGEX_DOTALL))
    return err_set(j->v->c, ERR_DOMAIN, "⍠: DotAll needs Mode D or M");
  for (; lines && p <= end; j->number++) {
    size_t eol = 0;
    const char *stop = end;
    if (by_line) stop = find_line_end(p, end, &eol);
    block_begin(j, p, (size_t)(stop - p));
    if (!search_block(j)) return false;
    if (j->replaces) str_put(&j->out, stop, eol);
    p = stop + eol;
    if (!eol || (p == end && !j->nested)) break;
  }
  return !j->out.failed;
}

/* ── results ────────────────────────────────────────────────────────────────────────── */

/* The lines of what was put out. */
static arr *out_lines(job *j, int64_t lines) {
  OWNED_LIST arr_list items = {.v = j->v};
  const char *p = j->out.at ? j->out.at : "", *end = p + j->out.n;
  for (size_t eol = 1; lines && eol;) {
    const char *stop = find_line_end(p, end, &eol);
    if (!list_add(&items, arr_text(j->v->c, p, (size_t)(stop - p)))) return NULL;
    p = stop + eol;
  }
  return list_array(&items);
}

/* What ⎕S gives: an item for each match. */
static arr *found_items(job *j) {
  static const int64_t none = 0;
  value to = j->f->r;
  if (j->found.n) return list_array(&j->found);
  if (to.cls == C_FN) return arr_vec(j->v->c, ET_I8, 0);
  if (elt_is_num((elt)to.a->type)) return collect_none(j->v, to.a, 1, &none);
  return items_of(j->v, 0, NULL);
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

static bool on_host(vm *v, value x) { return x.cls != C_ARR || ir_host(v->g, x.a); }

static void job_free(job *j) {
  patterns_free(j);
  list_free(&j->found);
  arr_release(j->block_arr);
  str_free(&j->text);
  str_free(&j->out);
}

static arr *run(job *j, arr *y) {
  int64_t lines = y->type == ET_NEST ? y->count : 1;
  int how = regex_says(j->f, REGEX_RESULT);
  if (!patterns_new(j) || !text_new(j, y) || !search(j, lines)) return NULL;
  if (!j->replaces) return found_items(j);
  if (how == 2 || (how == 0 && j->nested)) return out_lines(j, lines);
  return arr_text(j->v->c, j->out.at, j->out.n);
}

bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (x) return err_set(v->c, ERR_NONCE, "⎕R and ⎕S write to no stream in this version");
  if (!verify(v) || !ir_host(v->g, y)) return false;
  if (!on_host(v, f->l) || !on_host(v, f->r)) return false;
  if (!check_codes(v, f) || !regex_open(v)) return false;
  job j = {.v = v,
           .f = f,
           .lib = v->regex,
           .replaces = f->code == OP_QUAD_R,
           .text = {.c = v->c},
           .out = {.c = v->c},
           .found = {.v = v}};
  *r = run(&j, y);
  job_free(&j);
  return *r != NULL;
}
#endif
