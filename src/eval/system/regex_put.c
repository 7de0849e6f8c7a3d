/* SPDX-License-Identifier: MIT */
/* regex_put.c - what becomes of a match: a text by a transformation pattern, numbers by codes,
 * or what a function makes of a record of it. */
#include <string.h>
#include "../../array/element.h"
#include "../../base/utf8.h"
#include "../run/call.h"
#include "../value/arg.h"
#include "../value/record.h"
#include "regex.h"
#include "system.h"

#ifdef PCRE2_MAJOR

/* ── places ─────────────────────────────────────────────────────────────────────────── */

typedef struct part { /* bytes of the text */
  const char *at;
  size_t n;
} part;

static int64_t chars(part t) { return (int64_t)utf8_count(t.at, t.n); }

/* How many characters of the block are before p; mostly it is further on than last time. */
static int64_t offset(job *j, const char *p) {
  if (p < j->mark) {
    j->mark = j->block;
    j->marked = 0;
  }
  j->marked += chars((part){j->mark, (size_t)(p - j->mark)});
  j->mark = p;
  return j->marked;
}

/* Group i of a match, or nothing where it is not part of it. */
static part group(const job *j, const pattern *p, int64_t i) {
  const PCRE2_SIZE *at = p->at + 2 * i;
  if (i >= p->groups || at[0] == PCRE2_UNSET || at[1] < at[0]) return (part){j->block, 0};
  return (part){j->block + at[0], at[1] - at[0]};
}

/* ── transformation patterns ────────────────────────────────────────────────────────── */

enum { AS_IT_IS = 0, UPPER = 1, LOWER = -1, FOLDED = -3 }; /* cases, as ⎕C has them */

static void put_cased(str *out, part t, int how) {
  if (how == AS_IT_IS) {
    str_put(out, t.at, t.n);
    return;
  }
  for (const char *p = t.at, *end = p + t.n; p < end;)
    str_putc(out, sys_fold_char(utf8_next(p, end, &p), how));
}

static int digit(char c) { /* 99: it is none */
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* The digits in [p, end) up to `close`: behind it, or NULL. */
static const char *number_to(const char *p, const char *end, char close, int base,
                             int64_t *n) {
  const char *from = p;
  for (*n = 0; p < end && *n < 0x110000 && digit(*p) < base; p++)
    *n = *n * base + digit(*p);
  return p > from && p < end && *p == close ? p + 1 : NULL;
}

/* The number of the group that is named in [p, end) up to >: behind that, or NULL. */
static const char *named_group(const job *j, const pattern *m, const char *p,
                               const char *end, int64_t *k) {
  const char *close = memchr(p, '>', (size_t)(end - p));
  OWNED_STR str name = {.c = j->v->c};
  if (!close) return NULL;
  str_put(&name, p, (size_t)(close - p));
  str_put(&name, "", 0);
  if (name.failed) return NULL;
  *k = j->lib->pcre2_substring_number_from_name(m->code, (PCRE2_SPTR)name.at);
  return close + 1;
}

/* The group that [p, end) names: & 1 (12) <name>; behind it, or NULL. */
static const char *which_group(const job *j, const pattern *m, const char *p,
                               const char *end, int64_t *k) {
  char c = *p++;
  *k = -1;
  if (c == '&') *k = 0;
  else if (c >= '0' && c <= '9') *k = c - '0';
  else if (c == '(') return number_to(p, end, ')', 10, k);
  else if (c == '<') return named_group(j, m, p, end, k);
  return p;
}

/* x{…}, n, r, or a sign that stands for itself, at p: behind it; NULL: none of them. */
static const char *put_char(const char *p, const char *end, str *out) {
  int64_t u = 0;
  switch (*p) {
  case '\\':
  case '%':
  case '&': str_put(out, p, 1); return p + 1;
  case 'n': str_puts(out, "\n"); return p + 1;
  case 'r': str_puts(out, "\r"); return p + 1;
  case 'x':
    p++;
    if (p == end || *p != '{') return NULL;
    p = number_to(p + 1, end, '}', 16, &u);
    if (p && (u < 1 || u > 0x10FFFF)) return NULL;
    if (p) str_putc(out, (uint32_t)u);
    return p;
  default: return NULL;
  }
}

/* Puts what [p, end), which starts behind a backslash, stands for; behind it, NULL:
 * nothing. */
static const char *put_escape(job *j, const pattern *m, const char *p, const char *end,
                              str *out) {
  int how = AS_IT_IS;
  int64_t k;
  uint32_t count = 0;
  if (p == end) return NULL;
  if (*p == 'u') how = UPPER;
  else if (*p == 'l') how = LOWER;
  else if (*p == 'f') how = FOLDED;
  if (how == AS_IT_IS && strchr("\\%&nrx", *p)) return put_char(p, end, out);
  if (how != AS_IT_IS) p++;
  if (p == end) return NULL;
  if (*p == '%') {
    put_cased(out, (part){j->block, j->n}, how);
    return p + 1;
  }
  p = which_group(j, m, p, end, &k);
  j->lib->pcre2_pattern_info(m->code, PCRE2_INFO_CAPTURECOUNT, &count);
  if (!p || k < 0 || k > (int64_t)count) return NULL;
  put_cased(out, group(j, m, k), how);
  return p;
}

static bool put_transformed(job *j, const pattern *m, str *out) {
  const char *p = m->to.at, *end = p + m->to.n;
  if (!regex_says(j->f, REGEX_TO)) {
    str_put(out, p, m->to.n);
    return true;
  }
  while (p < end) {
    const char *q = p;
    while (q < end && *q != '\\' && *q != '%' && *q != '&') q++;
    str_put(out, p, (size_t)(q - p));
    p = q;
    if (p == end) break;
    if (*p == '\\') p = put_escape(j, m, p + 1, end, out);
    else {
      if (*p == '%') str_put(out, j->block, j->n);
      else put_cased(out, group(j, m, 0), AS_IT_IS);
      p++;
    }
    if (!p)
      return err_set(j->v->c, ERR_DOMAIN,
                     "the transformation %s has an unknown sequence behind \\", m->to.at);
  }
  return !out->failed;
}

static arr *transformed(job *j, const pattern *m) {
  OWNED_STR str s = {.c = j->v->c};
  if (!put_transformed(j, m, &s)) return NULL;
  return str_take(j->v, &s);
}

/* ── codes ──────────────────────────────────────────────────────────────────────────── */

/* Code k of a match: where it begins, its length, the block's number, the pattern's. */
static int64_t code_value(job *j, const pattern *m, int64_t k) {
  part t = group(j, m, 0);
  switch (k) {
  case 0: return offset(j, t.at);
  case 1: return chars(t);
  case 2: return j->number;
  default: return m - j->pat;
  }
}

static arr *by_codes(job *j, const pattern *m) {
  const arr *codes = j->f->r.a;
  arr *r = arr_new(j->v->c, ET_I64, codes->rank, codes->shape);
  for (int64_t i = 0; r && i < codes->count; i++)
    arr_put_int(r, i, code_value(j, m, arr_get_int(codes, i)));
  return r;
}

/* ── functions ──────────────────────────────────────────────────────────────────────── */

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

/* Where the groups of m begin, in characters, and how many each has; ¯1 where one is no part. */
static bool group_places(job *j, const pattern *m, arr *at, arr *len) {
  if (!at || !len) return false;
  for (int i = 0; i < m->groups; i++) {
    bool is = m->at[2 * i] != PCRE2_UNSET;
    part t = group(j, m, i);
    arr_put_int(at, i, is ? offset(j, t.at) : -1);
    arr_put_int(len, i, is ? chars(t) : -1);
  }
  return true;
}

/* The record that a transformation function is given. */
static arr *match_record(job *j, const pattern *m) {
  ctx *c = j->v->c;
  part t = group(j, m, 0);
  arr *l = j->f->l.a;
  OWNED arr *at = arr_vec(c, ET_I64, m->groups);
  OWNED arr *len = arr_vec(c, ET_I64, m->groups);
  if (!group_places(j, m, at, len)) return NULL;
  if (!j->block_arr) j->block_arr = arr_text(c, j->block, j->n);
  if (!j->block_arr) return NULL;
  arr *fields[REC_FIELDS] = {arr_retain(j->block_arr),
                             arr_int(c, j->number),
                             arr_retain(l->type == ET_NEST ? arr_item(l, m - j->pat) : l),
                             arr_int(c, m - j->pat),
                             arr_text(c, t.at, t.n),
                             arr_move(&at),
                             arr_move(&len),
                             names_of(j, m),
                             arr_int(c, j->replaces),
                             arr_int(c, j->replaces)};
  return record_new(j->v, REC_MATCH, fields);
}

/* *r NULL: the function gave no result. */
static bool by_function(job *j, const pattern *m, arr **r) {
  OWNED arr *y = match_record(j, m);
  if (!y || !call(j->v, j->f->r.f, NULL, y, r)) return false;
  return !*r || ir_host(j->v->g, *r);
}

/* Puts what the function gave in the place of the match. */
static bool put_result(job *j, arr *r) {
  OWNED_STR str s = {.c = j->v->c};
  if (!r) return err_set(j->v->c, ERR_VALUE, "the function gave no result");
  if (!arg_text(j->v, r, "what replaces a match", &s)) return false;
  str_put(&j->out, s.at, s.n);
  return true;
}

/* ── all of them ────────────────────────────────────────────────────────────────────── */

bool regex_transform(job *j, const pattern *m) {
  value to = j->f->r;
  OWNED arr *r = NULL;
  if (to.cls == C_FN) {
    if (!by_function(j, m, &r)) return false;
    if (j->replaces) return put_result(j, r);
    return !r || list_add(&j->found, arr_move(&r));
  }
  if (j->replaces) return put_transformed(j, m, &j->out);
  if (elt_is_num((elt)to.a->type)) r = by_codes(j, m);
  else r = transformed(j, m);
  return list_add(&j->found, arr_move(&r));
}
#endif
