/* SPDX-License-Identifier: MIT */
/* dt_text.c - times as text by a pattern, and texts read by it.
 *
 * A pattern is a row of sequences: one letter, repeated, in either case, perhaps behind a `_`
 * that pads with blanks. What is between quotes, and what is no letter, stands for itself.
 * Names are English. */
#include "dt.h"
#include "../../src/base/arith.h"
#include "../../src/base/utf8.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};
static const char *const days[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                   "Friday", "Saturday", "Sunday"};

typedef struct sequence { /* the next thing in a pattern */
  const char *at;         /* its first letter, or the literal */
  int n;                  /* letters or bytes, the `_` counted */
  char letter;            /* 0: a literal */
  bool padded, lower;     /* behind `_`; its first letter is small */
} sequence;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static char small(char c) { return (char)(c | 32); }

/* Takes the next sequence off [*p, end); quote: within quotes of that kind, or 0. */
static sequence next_of(const char **p, const char *end, char *quote) {
  const char *at = *p, *from = at;
  while (at < end &&
         (*at == '"' || *at == '\'')) { /* a quote opens, closes, or is doubled */
    if (!*quote) *quote = *at++;
    else if (*at != *quote) break;
    else if (at + 1 < end && at[1] == *quote) {
      *p = at + 2;
      return (sequence){.at = at, .n = 1};
    } else {
      *quote = 0;
      at++;
    }
  }
  from = at;
  if (at == end) {
    *p = at;
    return (sequence){.at = at};
  }
  bool padded = !*quote && *at == '_' && at + 1 < end && is_letter(at[1]);
  if (padded) at++;
  if (*quote || !is_letter(*at)) {
    uint32_t u = utf8_next(from, end, p);
    UNUSED(u);
    return (sequence){.at = from, .n = (int)(*p - from)};
  }
  sequence r = {.at = at, .letter = small(*at), .padded = padded, .lower = *at >= 'a'};
  while (at < end && small(*at) == r.letter) at++;
  r.n = (int)(at - from);
  *p = at;
  return r;
}

/* The pattern with %ISO% replaced and __en__ dropped. SYNTAX ERROR for others. */
static bool plain_pattern(vm *v, const str *pattern, str *to) {
  static const char iso[] = "%ISO%", english[] = "__en__", britain[] = "__en_GB__";
  const char *p = pattern->at, *end = p + pattern->n;
  while (p < end) {
    if (end - p >= 5 && !memcmp(p, iso, 5)) {
      str_puts(to, "YYYY-MM-DD\"T\"hh:mm:ss");
      p += 5;
    } else if (end - p >= 6 && !memcmp(p, english, 6)) p += 6;
    else if (end - p >= 9 && !memcmp(p, britain, 9)) p += 9;
    else if (*p == '%' || *p == '$' || (end - p > 1 && p[0] == '_' && p[1] == '_'))
      return err_set(v->c, ERR_NONCE,
                     "⎕DT: %%ISO%% and English are all that patterns know");
    else str_put(to, p++, 1);
  }
  return !to->failed;
}

static bool unknown(vm *v, const sequence *s) {
  return err_set(v->c, ERR_SYNTAX, "⎕DT: a pattern has no %.*s", s->n, s->at);
}

/* ── writing ────────────────────────────────────────────────────────────────────────── */

static void dt_put_number(str *out, const sequence *s, int64_t n, int wide) {
  if (s->n == 1) str_printf(out, "%lld", (long long)n);
  else if (s->padded) str_printf(out, "%*lld", wide, (long long)n);
  else str_printf(out, "%0*lld", wide, (long long)n);
}

/* What a letter stands for, in small letters and in capitals. */
static int64_t either(const sequence *s, int64_t small_letter, int64_t capital) {
  if (s->lower) return small_letter;
  return capital;
}

/* In capitals, small, or with one capital, as the sequence has its letters. */
static void dt_put_name(str *out, const sequence *s, const char *name, size_t n) {
  bool all = !s->padded && s->n > 1 && s->at[1] < 'a', none = !s->padded && s->lower;
  for (size_t i = 0; i < n; i++) {
    char c = name[i];
    if (all) c = (char)(c & ~32);
    if (none) c = small(c);
    str_put(out, &c, 1);
  }
}

/* Letters of a name that a sequence shows or reads: three, or all. */
static size_t letters_of(const sequence *s, const char *name) {
  if (s->n == 3) return 3;
  return strlen(name);
}

static bool put_named(str *out, const sequence *s, const char *name) {
  dt_put_name(out, s, name, letters_of(s, name));
  return s->n <= 4;
}

static const char *ordinal(int64_t day) {
  static const char *const of_digit[] = {"th", "st", "nd", "rd"};
  if (day / 10 == 1 || day % 10 > 3) return "th";
  return of_digit[day % 10];
}

static bool put_year(str *out, const sequence *s, int64_t year) {
  if (s->n == 2) str_printf(out, "%02lld", (long long)(year % 100));
  else str_printf(out, "%04lld", (long long)year);
  return s->n == 2 || s->n == 4;
}

static bool put_fraction(str *out, const sequence *s, int64_t ns) {
  char digits[12];
  snprintf(digits, sizeof digits, "%09lld", (long long)(ns % 1000000000));
  str_put(out, digits, (size_t)min_i64(s->n, 6));
  return s->n <= 6;
}

static void put_half(str *out, const sequence *s, bool morning) {
  const char *text = s->lower ? "pm" : "PM";
  if (morning) text = s->lower ? "am" : "AM";
  str_put(out, text, (size_t)min_i64(s->n, 2));
}

static bool put_sequence(vm *v, const sequence *s, instant t, str *out) {
  moment m = moment_of(t);
  int64_t year, week, noon = (m.hour + 11) % 12 + 1;
  bool ok = s->n <= 2;
  iso_week(t.day, &year, &week);
  switch (s->letter) {
  case 0: str_put(out, s->at, (size_t)s->n); return true;
  case 'y':
    if (!s->lower) ok = put_year(out, s, m.year);
    else dt_put_number(out, s, t.day - day_of(m.year, 1, 1) + 1, 3);
    break;
  case 'm':
    if (s->n > 2) ok = put_named(out, s, months[m.month - 1]);
    else dt_put_number(out, s, either(s, m.minute, m.month), 2);
    break;
  case 'd':
    if (s->n > 2) ok = put_named(out, s, days[week_day(t.day) - 1]);
    else dt_put_number(out, s, either(s, week_day(t.day), m.day), 2);
    break;
  case 'h': dt_put_number(out, s, m.hour, 2); break;
  case 's': dt_put_number(out, s, m.second, 2); break;
  case 't': dt_put_number(out, s, noon, 2); break;
  case 'f': ok = put_fraction(out, s, m.ns); break;
  case 'w':
    if (!s->lower) ok = put_year(out, s, year);
    else dt_put_number(out, s, week, 2);
    break;
  case 'o':
    if (ok) dt_put_name(out, s, ordinal(m.day), (size_t)s->n);
    if (!s->lower && s->n == 1 && !out->failed)
      out->at[out->n - 1] = (char)(out->at[out->n - 1] & ~32);
    break;
  case 'p': put_half(out, s, m.hour < 12); break;
  default: ok = false;
  }
  return ok || unknown(v, s);
}

bool dt_write(vm *v, const str *pattern, instant t, str *out) {
  OWNED_STR str plain = {.c = v->c};
  char quote = 0;
  str_put(&plain, "", 0);
  if (!plain_pattern(v, pattern, &plain)) return false;
  for (const char *p = plain.at, *end = p + plain.n; p < end;) {
    sequence s = next_of(&p, end, &quote);
    if (!put_sequence(v, &s, t, out)) return false;
  }
  return !out->failed;
}

/* ── reading ────────────────────────────────────────────────────────────────────────── */

typedef struct reading {
  const char *at, *end;
  moment m;
  int64_t year_day; /* 0: not read */
  int half;         /* 1 AM, 2 PM, 0: not read */
} reading;

/* Up to `most` digits, or as many if `exactly`; blanks in front count as digits. */
static bool get_number(reading *r, const sequence *s, int most, int64_t *n) {
  int have = 0, digits = 0;
  *n = 0;
  while (s->padded && have < most - 1 && r->at < r->end && *r->at == ' ') r->at++, have++;
  for (; have < most && r->at < r->end && *r->at >= '0' && *r->at <= '9';
       have++, digits++)
    *n = *n * 10 + *r->at++ - '0';
  return digits && (s->n == 1 || have == most);
}

static bool get_name(reading *r, const sequence *s, const char *const *names, int n,
                     int64_t *which) {
  for (int i = 0; i < n; i++) {
    size_t length = letters_of(s, names[i]);
    if ((size_t)(r->end - r->at) < length || strncasecmp(r->at, names[i], length))
      continue;
    r->at += length;
    *which = i + 1;
    return true;
  }
  return false;
}

static bool get_fraction(reading *r, const sequence *s) {
  int64_t worth = 100000000, n = 0;
  int digits = 0;
  for (; digits < s->n && r->at < r->end && *r->at >= '0' && *r->at <= '9'; digits++) {
    n += (*r->at++ - '0') * worth;
    worth /= 10;
  }
  r->m.ns = n;
  return digits == s->n;
}

static bool get_half(reading *r, const sequence *s) {
  if (r->end - r->at < s->n) return false;
  r->half = 0;
  if (small(*r->at) == 'a') r->half = 1;
  if (small(*r->at) == 'p') r->half = 2;
  bool right = r->half && (s->n == 1 || small(r->at[1]) == 'm');
  r->at += s->n;
  return right;
}

static bool get_year(reading *r, const sequence *s) {
  if (!get_number(r, s, s->n, &r->m.year)) return false;
  if (s->n == 2) r->m.year += 1900;
  if (s->n == 2 && r->m.year < 1970) r->m.year += 100;
  return true;
}

static bool get_sequence(vm *v, const sequence *s, reading *r) {
  int64_t ignored;
  switch (s->letter) {
  case 0:
    if (r->end - r->at < s->n || memcmp(r->at, s->at, (size_t)s->n)) return false;
    r->at += s->n;
    return true;
  case 'y':
    if (s->lower) return get_number(r, s, 3, &r->year_day);
    return get_year(r, s);
  case 'm':
    if (s->n > 2) return get_name(r, s, months, 12, &r->m.month);
    if (s->lower) return get_number(r, s, 2, &r->m.minute);
    return get_number(r, s, 2, &r->m.month);
  case 'd':
    if (s->n > 2) return get_name(r, s, days, 7, &ignored);
    if (s->lower) return get_number(r, s, 1, &ignored);
    return get_number(r, s, 2, &r->m.day);
  case 'h':
  case 't': return get_number(r, s, 2, &r->m.hour);
  case 's': return get_number(r, s, 2, &r->m.second);
  case 'f': return get_fraction(r, s);
  case 'p': return get_half(r, s);
  case 'o':
    if (r->end - r->at < s->n) return false;
    r->at += s->n;
    return true;
  case 'w': return err_set(v->c, ERR_NONCE, "⎕DT: weeks are not read in this version");
  default: return unknown(v, s);
  }
}

bool dt_read(vm *v, const str *pattern, const char *p, size_t n, instant *t) {
  OWNED_STR str plain = {.c = v->c};
  reading r = {.at = p, .end = p + n, .m = {.year = 1, .month = 1, .day = 1}};
  char quote = 0;
  str_put(&plain, "", 0);
  if (!plain_pattern(v, pattern, &plain)) return false;
  for (const char *q = plain.at, *end = q + plain.n; q < end;) {
    sequence s = next_of(&q, end, &quote);
    if (!get_sequence(v, &s, &r)) return false;
  }
  if (r.half && r.m.hour == 12) r.m.hour = 0;
  if (r.half == 2) r.m.hour += 12;
  if (r.at != r.end || !instant_of(&r.m, t)) return false;
  if (r.year_day) t->day = day_of(r.m.year, 1, 1) + r.year_day - 1;
  return true;
}
