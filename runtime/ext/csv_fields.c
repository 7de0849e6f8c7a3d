/* SPDX-License-Identifier: MIT */
/* csv_fields.c - the fields of a record: between separators, quotes resolved; or, with Widths,
 * as many characters as each column is wide. */
#include "../../src/array/element.h"
#include "csv.h"

bool csv_wrong(const csv_reader *p, int64_t k, const char *why) {
  return err_set(p->v->c, ERR_DOMAIN, "⎕CSV: row %lld, column %lld: %s",
                 (long long)p->record, (long long)k + 1, why);
}

/* The byte at p->at into the field: a line end as a line feed, whichever it is. */
static void keep_byte(csv_reader *p) {
  char c = *p->at++;
  if (c == '\r') {
    c = '\n';
    if (p->at < p->end && *p->at == '\n') p->at++;
  }
  str_put(&p->unquoted, &c, 1);
}

/* What stands between quotes; p->at is behind the first of them. */
static bool quoted_part(csv_reader *p, int64_t k) {
  const csv_options *o = p->o;
  for (;;) {
    const char *from = p->at;
    while (p->at < p->end && *p->at != o->quote && *p->at != '\r' &&
           (!o->escape || *p->at != o->escape))
      p->at++;
    if (interrupted(p->v->c)) return false;
    str_put(&p->unquoted, from, (size_t)(p->at - from));
    if (p->at == p->end) return csv_wrong(p, k, "a quote is not closed");
    if (*p->at == '\r') {
      keep_byte(p);
      continue;
    }
    char c = *p->at++;
    bool twice = c == o->quote && o->double_quote && p->at < p->end && *p->at == o->quote;
    if (c == o->quote && !twice) return !p->unquoted.failed;
    if (p->at < p->end) keep_byte(p);
  }
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* A field with quotes or escapes in it. */
static bool special_field(csv_reader *p, int64_t k, csv_field *f) {
  const csv_options *o = p->o;
  size_t kept = 0; /* up to here it is quoted or escaped: nothing is trimmed */
  p->unquoted.n = 0;
  str_put(&p->unquoted, "", 0);
  while (o->trim && !csv_at_end(p) && is_blank(*p->at)) p->at++;
  while (!csv_at_end(p)) {
    if (stops_at(p->v->c, (int64_t)p->unquoted.n + 1)) return false;
    char c = *p->at;
    bool opens = o->quote && c == o->quote && !f->quoted;
    bool escapes = o->escape && c == o->escape && p->at + 1 < p->end;
    if (opens || escapes) p->at++;
    if (opens) {
      f->quoted = true;
      if (!quoted_part(p, k)) return false;
    } else keep_byte(p);
    if (opens || escapes) kept = p->unquoted.n;
  }
  f->at = p->unquoted.at;
  f->n = p->unquoted.n;
  while (o->trim && f->n > kept && is_blank(f->at[f->n - 1])) f->n--;
  csv_pass_end(p, f);
  return !p->unquoted.failed;
}

void csv_trim(csv_field *f) {
  while (f->n && is_blank(*f->at)) f->at++, f->n--;
  while (f->n && is_blank(f->at[f->n - 1])) f->n--;
}

/* Moves behind at most so many characters of the line; how many there were. */
static int64_t pass_chars(csv_reader *p, int64_t most) {
  int64_t n = 0;
  for (; n < most && p->at < p->end && *p->at != '\n' && *p->at != '\r'; n++) {
    p->at++;
    while (p->at < p->end && ((unsigned char)*p->at & 0xC0) == 0x80) p->at++;
  }
  return n;
}

/* A line has more characters than the columns up to k are wide, or (less than 0) fewer. */
static bool wrong_length(const csv_reader *p, int64_t k, int64_t more) {
  int64_t wide = 0, here = 0;
  for (int64_t i = 0; i < p->o->widths->count; i++) {
    wide += arr_get_int(p->o->widths, i);
    if (i == k) here = wide;
  }
  return err_set(p->v->c, ERR_DOMAIN, "⎕CSV: row %lld has %lld characters, not %lld",
                 (long long)p->record, (long long)(here + more), (long long)wide);
}

/* A ragged line is taken to have blanks behind it, and what is too much is passed over. */
static bool fixed_field(csv_reader *p, int64_t k, csv_field *f) {
  const csv_options *o = p->o;
  int64_t left = arr_get_int(o->widths, k), more = 0;
  left -= pass_chars(p, left);
  f->n = (size_t)(p->at - f->at);
  f->last = k == o->widths->count - 1;
  if (f->last) more = pass_chars(p, INT64_MAX);
  if ((left || more) && !o->ragged) return wrong_length(p, k, more - left);
  if (f->last) csv_pass_end(p, f);
  if (o->trim) csv_trim(f);
  if (o->trim || !left) return true;
  p->unquoted.n = 0;
  str_put(&p->unquoted, f->at, f->n);
  str_pad(&p->unquoted, (size_t)left);
  f->at = p->unquoted.at;
  f->n = p->unquoted.n;
  return !p->unquoted.failed;
}

bool csv_next_field(csv_reader *p, int64_t k, csv_field *f) {
  const char *from = p->at;
  *f = (csv_field){.at = from};
  if (p->o->widths) return fixed_field(p, k, f);
  while (p->at < p->end && !p->stops[(unsigned char)*p->at]) p->at++;
  if (!csv_at_end(p)) {
    p->at = from;
    return special_field(p, k, f);
  }
  f->n = (size_t)(p->at - from);
  if (p->o->trim) csv_trim(f);
  csv_pass_end(p, f);
  return true;
}
