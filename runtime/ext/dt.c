/* SPDX-License-Identifier: MIT */
/* dt.c - ⎕DT: times between the forms that programs count them in.
 *
 *   number, vector, text or zone ─▶ instant (day, nanosecond) ─▶ number, vector or text
 *
 * Codes are Dyalog's: positive ones are numbers (days or ticks since some day, or decimal
 * digits), negative ones vectors, texts are patterns. The calendar is Gregorian throughout. */
#include "dt.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include <math.h>
#include <string.h>
#include <time.h>

/* ── the calendar ───────────────────────────────────────────────────────────────────── */

static int64_t floor_div(int64_t x, int64_t y) {
  int64_t q = x / y;
  return q * y > x ? q - 1 : q;
}

/* Years begin in March here, so that the leap day is the last one. */
int64_t day_of(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  int64_t era = floor_div(year, 400), of_era = year - era * 400;
  int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

moment moment_of(instant t) {
  int64_t z = t.day + 719468, era = floor_div(z, 146097), of_era = z - era * 146097;
  int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
  int64_t m = (5 * of_year + 2) / 153, seconds = t.ns / NS_PER_SECOND;
  moment r = {.day = of_year - (153 * m + 2) / 5 + 1,
              .month = m < 10 ? m + 3 : m - 9,
              .hour = seconds / 3600,
              .minute = seconds / 60 % 60,
              .second = seconds % 60,
              .ns = t.ns % NS_PER_SECOND};
  r.year = years + era * 400 + (r.month <= 2);
  return r;
}

static bool within(int64_t x, int64_t lo, int64_t hi) { return x >= lo && x <= hi; }

bool instant_of(const moment *m, instant *t) {
  if (!within(m->year, -9999999, 9999999) || !within(m->month, 1, 12) ||
      !within(m->day, 1, 31) || !within(m->hour, 0, 23) || !within(m->minute, 0, 59) ||
      !within(m->second, 0, 59) || !within(m->ns, 0, NS_PER_SECOND - 1))
    return false;
  t->day = day_of(m->year, m->month, m->day);
  t->ns = ((m->hour * 60 + m->minute) * 60 + m->second) * NS_PER_SECOND + m->ns;
  return moment_of(*t).day == m->day;
}

int week_day(int64_t day) { return (int)(day + 3 - floor_div(day + 3, 7) * 7) + 1; }

/* The week belongs to the year of its Thursday. */
void iso_week(int64_t day, int64_t *year, int64_t *week) {
  int64_t thursday = day - week_day(day) + 4;
  *year = moment_of((instant){thursday, 0}).year;
  *week = (thursday - day_of(*year, 1, 1)) / 7 + 1;
}

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

/* Days or ticks since an epoch. A tick is num÷den nanoseconds; num 0: days with a fraction. */
typedef struct number_row {
  int code;
  int64_t num, den;
  int year, month, day, hour; /* the epoch */
  bool negative;
} number_row;
static const number_row numbers[] = {
    {1, 0, 1, 1899, 12, 31, 0, true},         {2, 1000000000, 60, 1970, 1, 1, 0, true},
    {10, 1, 1, 2000, 1, 1, 0, true},          {11, 1000000, 1, 2024, 1, 1, 0, true},
    {12, 1000000, 1, 1970, 1, 1, 0, true},    {13, 0, 1, 1970, 1, 1, 0, true},
    {14, 1000000, 1, 2001, 1, 1, 0, true},    {15, 1000, 1, 1970, 1, 1, 0, true},
    {16, 1, 1, 1970, 1, 1, 0, true},          {17, 1000, 1, 1900, 1, 1, 0, false},
    {20, 1000000000, 1, 1970, 1, 1, 0, true}, {21, 4000, 1, 1980, 1, 1, 0, false},
    {22, 1, 1, 1582, 10, 15, 0, false},       {31, 100, 1, 1601, 1, 1, 0, false},
    {32, 100, 1, 1, 1, 1, 0, false},          {33, 0, 1, 1899, 12, 30, 0, true},
    {40, 0, 1, 1899, 12, 31, 0, false},       {41, 0, 1, 1904, 1, 1, 0, false},
    {42, 1000000, 1, 1960, 1, 1, 0, true},    {43, 1000000000, 1, 1582, 10, 14, 0, false},
    {44, 1000000000, 1, 1960, 1, 1, 0, true}, {50, 0, 1, -4713, 11, 24, 12, false},
    {51, 0, 1, 1800, 1, 1, 0, false},         {52, 0, 1, 1858, 11, 16, 12, true},
    {53, 0, 1, 1858, 11, 17, 0, true},        {54, 0, 1, 1899, 12, 31, 12, true},
    {55, 0, 1, 1950, 1, 1, 0, true},          {56, 0, 1, 1958, 1, 1, 0, true},
    {70, 1000000, 1, 1978, 1, 1, 0, false}};
enum { DOS = 30, OLE = 33, EXCEL = 40, DECIMAL = 60, DIGITS = 61 };

static const number_row *dt_row(int64_t code) {
  for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
    if (numbers[i].code == code) return &numbers[i];
  return NULL;
}

static void shift(instant *t, int64_t ns) { /* less than a day either way */
  t->ns += ns;
  if (t->ns >= NS_PER_DAY) t->ns -= NS_PER_DAY, t->day++;
  if (t->ns < 0) t->ns += NS_PER_DAY, t->day--;
}

/* ── counts of days and ticks ── */

__extension__ typedef __int128 wide;

static wide wide_div(wide x, wide y) { /* rounded down */
  wide q = x / y;
  return q * y > x ? q - 1 : q;
}

/* A time number: whole units of its type and a part of one more; `ulp`, of a float: what its last
 * bit is worth, in units. */
typedef struct amount {
  wide n;
  double part, ulp;
} amount;

static amount amount_of(const arr *a) {
  if (elt_is_int((elt)a->type)) return (amount){.n = arr_get_int(a, 0)};
  double d = arr_get_float(a, 0), size = fabs(d), whole = floor(d);
  return (amount){(wide)whole, d - whole, nextafter(size, INFINITY) - size};
}

static wide unit_of(const number_row *k) { return k->num ? k->num : NS_PER_DAY; }

/* The multiple of `grid` next to t, if it is not further from it than `most`; else t. */
static wide snapped(wide t, int64_t grid, int64_t most) {
  wide near = wide_div(t + grid / 2, grid) * grid, off = near < t ? t - near : near - t;
  return off <= most ? near : t;
}

/* A float is seldom exactly the time that was meant: that is the whole millisecond, else the whole
 * microsecond, which its last bit does not tell apart from it. */
static wide snap(wide t, double tolerance) {
  int64_t most = (int64_t)fmin(tolerance, 5e5);
  wide r = snapped(t, 1000000, most);
  if (r != t) return r;
  return snapped(t, 1000, most < 500 ? most : 500);
}

static bool instant_at(const number_row *k, wide since, instant *t) {
  since += (wide)k->hour * 3600 * NS_PER_SECOND;
  wide day = wide_div(since, NS_PER_DAY);
  if (day > 3000000000 || day < -3000000000) return false;
  t->day = day_of(k->year, k->month, k->day) + (int64_t)day;
  t->ns = (int64_t)(since - day * NS_PER_DAY);
  return true;
}

/* 1900 was no leap year, but is one in Excel: its day 60. An OLE number before its epoch counts
 * days backwards, and the part of a day forwards. */
static bool from_amount(const number_row *k, amount x, instant *t) {
  if (k->code == EXCEL && x.n >= 60) x.n--;
  if (k->code == OLE && x.n < 0 && x.part > 0) {
    x.n++;
    x.part = 1 - x.part;
  }
  double size = (double)unit_of(k) / (double)k->den;
  wide ns = wide_div(x.n * unit_of(k) + k->den / 2, k->den);
  ns += (wide)(x.part * size + 0.5);
  return instant_at(k, snap(ns, x.ulp * size), t);
}

static bool from_dos(int64_t n, instant *t) {
  moment m = {.year = 1980 + (n >> 25),
              .month = n >> 21 & 15,
              .day = n >> 16 & 31,
              .hour = n >> 11 & 31,
              .minute = n >> 5 & 63,
              .second = (n & 31) * 2};
  return n >= 0 && n >> 32 == 0 && instant_of(&m, t);
}

static bool from_decimal(int64_t date, int64_t clock, instant *t) {
  moment m = {.year = date / 10000,
              .month = date / 100 % 100,
              .day = date % 100,
              .hour = clock / 10000,
              .minute = clock / 100 % 100,
              .second = clock % 100};
  return date >= 0 && clock >= 0 && instant_of(&m, t);
}

/* The number a, a scalar, as an instant. */
static bool from_number(int64_t code, const arr *a, instant *t) {
  double d = arr_get_float(a, 0);
  const number_row *k = dt_row(code);
  if (!(fabs(d) < 1e22)) return false;
  amount x = amount_of(a);
  if (k) return (d >= 0 || k->negative) && from_amount(k, x, t);
  if (!(fabs(d) < 0x1p63)) return false;
  int64_t n = (int64_t)x.n;
  if (code == DOS) return from_dos(n, t);
  if (code == DIGITS) return from_decimal(n / 1000000, n % 1000000, t);
  return from_decimal(n, (int64_t)(x.part * 1e6 + 0.5), t);
}

/* whole + part, or OLE's whole - part, without reaching the day after. */
static double join_days(double whole, double part, bool backwards) {
  double d = backwards ? whole - part : whole + part;
  return backwards && d <= whole - 1 ? nextafter(d, 0) : d;
}

static arr *to_days(vm *v, const number_row *k, instant t) {
  shift(&t, -k->hour * 3600 * NS_PER_SECOND);
  int64_t whole = t.day - day_of(k->year, k->month, k->day);
  if (k->code == EXCEL && whole >= 60) whole++;
  if (!t.ns) return arr_int(v->c, whole);
  double part = (double)t.ns / (double)NS_PER_DAY;
  return arr_float(v->c, join_days((double)whole, part, k->code == OLE && whole < 0));
}

/* The last whole tick; of those that are no whole nanoseconds (code 2) the nearest, so that they
 * come back from a time in milliseconds. */
static arr *to_ticks(vm *v, const number_row *k, instant t) {
  wide ns = (wide)(t.day - day_of(k->year, k->month, k->day)) * NS_PER_DAY + t.ns;
  int64_t half = k->den > 1 ? k->num / 2 : 0;
  wide ticks = wide_div(ns * k->den + half, k->num);
  if (ticks >= INT64_MIN && ticks <= INT64_MAX) return arr_int(v->c, (int64_t)ticks);
  return arr_float(v->c, (double)ticks);
}

static arr *to_number(vm *v, int64_t code, instant t) {
  const number_row *k = dt_row(code);
  moment m = moment_of(t);
  int64_t date = (m.year * 100 + m.month) * 100 + m.day;
  int64_t clock = (m.hour * 100 + m.minute) * 100 + m.second;
  if (k) return k->num ? to_ticks(v, k, t) : to_days(v, k, t);
  if (code == DIGITS) return arr_int(v->c, date * 1000000 + clock);
  if (code == DECIMAL) return arr_float(v->c, (double)date + (double)clock / 1e6);
  if (m.year < 1980 || m.year > 2107)
    return err_null(v->c, ERR_DOMAIN, "⎕DT: the time is beyond what code 30 holds");
  return arr_int(v->c, ((m.year - 1980) << 9 | m.month << 5 | m.day) << 16 |
                           m.hour << 11 | m.minute << 5 | m.second / 2);
}

/* ── vectors ────────────────────────────────────────────────────────────────────────── */

enum { PARTS = 7 };

typedef struct stamp_row {
  int code, parts;
  int64_t unit_ns; /* of the last part; 0: it is no fraction of a second */
  int8_t missing;  /* how many of the first parts are 1 where they are left out */
} stamp_row;
static const stamp_row stamps[] = {{-1, 7, 1000000, 3}, {-2, 7, 1000, 3},  {-3, 7, 1, 3},
                                   {-10, 6, 1000, 2},   {-11, 7, 1000, 3}, {-20, 2, 0, 0},
                                   {-30, 4, 0, 0}};

static const stamp_row *stamp_of(int64_t code) {
  for (size_t i = 0; i < ARRAY_LEN(stamps); i++)
    if (stamps[i].code == code) return &stamps[i];
  return NULL;
}

static bool set_clock(const int64_t *p, int64_t ns, moment *m) {
  m->hour = p[0];
  m->minute = p[1];
  m->second = p[2];
  m->ns = ns;
  return true;
}

static bool from_parts(const stamp_row *k, const int64_t *p, instant *t) {
  moment m = {.year = p[0], .month = 1, .day = 1};
  int64_t fraction = k->unit_ns ? p[k->parts - 1] * k->unit_ns : 0;
  int64_t day;
  switch (k->code) {
  case -10:
    set_clock(p + 2, fraction, &m);
    if (!instant_of(&m, t)) return false;
    t->day += p[1] - 1;
    return p[1] >= 1 && moment_of(*t).year == m.year;
  case -11:
    set_clock(p + 3, fraction, &m);
    if (!instant_of(&m, t) || !within(p[1], 1, 53) || !within(p[2], 1, 7)) return false;
    day = day_of(p[0], 1, 4); /* is always in the first week */
    t->day = day - week_day(day) + (p[1] - 1) * 7 + p[2];
    iso_week(t->day, &m.year, &m.month);
    return m.year == p[0];
  case -20: return from_decimal(p[0], p[1], t);
  case -30:
    set_clock(p + 1, 0, &m);
    m.year = 1970;
    if (!instant_of(&m, t)) return false;
    t->day = day_of(1899, 12, 31) + p[0];
    return within(p[0], -3000000, 3000000);
  default:
    m.month = p[1];
    m.day = p[2];
    set_clock(p + 3, fraction, &m);
    return instant_of(&m, t);
  }
}

static bool from_stamp(const stamp_row *k, const arr *a, instant *t) {
  int64_t p[PARTS] = {0};
  if (a->rank > 1 || a->count > k->parts || (a->count && !elt_is_num((elt)a->type)))
    return false;
  for (int i = 0; i < k->missing; i++) p[i] = 1;
  if (k->code == -20) p[0] = 10101;
  for (int64_t i = 0; i < a->count; i++) {
    double d = arr_get_float(a, i);
    if (d != floor(d) || !(fabs(d) < 1e15)) return false;
    p[i] = (int64_t)d;
    if (k->unit_ns && i == k->parts - 1 &&
        !within(p[i], 0, NS_PER_SECOND / k->unit_ns - 1))
      return false;
  }
  return from_parts(k, p, t);
}

static arr *to_stamp(vm *v, const stamp_row *k, instant t) {
  moment m = moment_of(t);
  int64_t year, week;
  iso_week(t.day, &year, &week);
  int64_t f = k->unit_ns ? m.ns / k->unit_ns : 0;
  int64_t usual[] = {m.year, m.month, m.day, m.hour, m.minute, m.second, f};
  int64_t by_day[] = {
      m.year, t.day - day_of(m.year, 1, 1) + 1, m.hour, m.minute, m.second, f};
  int64_t by_week[] = {year, week, week_day(t.day), m.hour, m.minute, m.second, f};
  int64_t decimal[] = {(m.year * 100 + m.month) * 100 + m.day,
                       (m.hour * 100 + m.minute) * 100 + m.second};
  int64_t idn[] = {t.day - day_of(1899, 12, 31), m.hour, m.minute, m.second};
  const int64_t *p = usual;
  if (k->code == -10) p = by_day;
  if (k->code == -11) p = by_week;
  if (k->code == -20) p = decimal;
  if (k->code == -30) p = idn;
  return arr_int_vec(v->c, k->parts, p);
}

/* ── now, in a zone ─────────────────────────────────────────────────────────────────── */

/* A to M without J are east of Greenwich, N to Y west; Z is there, J here. */
static bool now_in(int64_t zone, instant *t) {
  static const char east[] = "ABCDEFGHIKLM", west[] = "NOPQRSTUVWXY";
  struct timespec at;
  struct tm d;
  clock_gettime(CLOCK_REALTIME, &at);
  int64_t seconds = at.tv_sec, off = 0;
  if (zone < 'A' || zone > 'Z') return false;
  const char *e = strchr(east, (int)zone), *w = strchr(west, (int)zone);
  if (e) off = 3600 * (e - east + 1);
  if (w) off = -3600 * (w - west + 1);
  if (zone == 'J' && localtime_r(&at.tv_sec, &d)) off = d.tm_gmtoff;
  seconds += off;
  t->day = floor_div(seconds, 86400);
  t->ns = (seconds - t->day * 86400) * NS_PER_SECOND + at.tv_nsec;
  return true;
}

/* ── ⎕DT ────────────────────────────────────────────────────────────────────────────── */

typedef struct form { /* of what is read or made */
  bool given;
  int64_t code; /* 0 where there is a pattern */
  str pattern;
} form;

typedef struct job {
  vm *v;
  form from, to;
} job;

static bool read_form(vm *v, arr *a, bool made, form *f) {
  f->given = true;
  if (!ir_host(v->g, a)) return false;
  if (elt_is_char((elt)a->type)) return arg_text(v, a, "⎕DT: a pattern", &f->pattern);
  if (!arg_int(v, a, &f->code, "⎕DT: a code")) return false;
  bool other =
      f->code == DOS || f->code == DECIMAL || f->code == DIGITS || (made && !f->code);
  if (dt_row(f->code) || stamp_of(f->code) || other) return true;
  return err_set(v->c, ERR_DOMAIN, "⎕DT: there is no such code");
}

static bool read_forms(vm *v, arr *x, job *j) {
  bool text = elt_is_char((elt)x->type) && x->count;
  if (text || x->count == 1) {
    OWNED arr *one = text ? arr_retain(x) : item_at(v, x, 0);
    return one && read_form(v, one, true, &j->to);
  }
  if (x->count != 2 || x->rank > 1)
    return err_set(v->c, ERR_LENGTH, "⎕DT's left argument is one code or two");
  OWNED arr *from = item_at(v, x, 0);
  OWNED arr *to = item_at(v, x, 1);
  return from && to && read_form(v, from, false, &j->from) &&
         read_form(v, to, true, &j->to);
}

/* Is element a of y a time, and which? */
static bool read_time(const job *j, arr *a, instant *t) {
  const form *f = &j->from;
  bool text = elt_is_char((elt)a->type);
  if (f->pattern.n && text) {
    OWNED_STR str s = {.c = j->v->c};
    return arg_text(j->v, a, "⎕DT: a text", &s) &&
           dt_read(j->v, &f->pattern, s.at, s.n, t);
  }
  if (text) return !a->rank && now_in(arr_get_int(a, 0), t);
  if (f->pattern.n || is_nested(a)) return false;
  int64_t code = 1;
  if (f->given) code = f->code;
  else if (a->rank) code = -1;
  if (code < 0) return from_stamp(stamp_of(code), a, t);
  return !a->rank && elt_is_num((elt)a->type) && from_number(code, a, t);
}

static arr *dt_convert(const job *j, arr *a) {
  vm *v = j->v;
  instant t = {0, 0};
  if (!ir_host(v->g, a)) return NULL;
  bool right = read_time(j, a, &t);
  bool checks = !j->to.pattern.n && !j->to.code;
  if (checks && err_is(v->c) && v->c->err.code == ERR_DOMAIN) err_clear(v->c);
  if (err_is(v->c)) return NULL;
  if (checks) return arr_int(v->c, right);
  if (!right) return err_null(v->c, ERR_DOMAIN, "⎕DT: there is no such time");
  if (j->to.pattern.n) {
    OWNED_STR str s = {.c = v->c};
    if (!dt_write(v, &j->to.pattern, t, &s)) return NULL;
    return str_take(v, &s);
  }
  if (j->to.code < 0) return to_stamp(v, stamp_of(j->to.code), t);
  return to_number(v, j->to.code, t);
}

bool ext_dt(vm *v, arr *x, arr *y, arr **r) {
  job j = {.v = v, .from = {.pattern = {.c = v->c}}, .to = {.pattern = {.c = v->c}}};
  OWNED_LIST arr_list items = {.v = v};
  bool ok = read_forms(v, x, &j);
  for (int64_t i = 0; ok && i < y->count; i++) {
    OWNED arr *one = item_at(v, y, i);
    ok = one && list_add(&items, dt_convert(&j, one));
    if (i % 4096 == 4095) ok = ok && !interrupted(v->c);
  }
  str_free(&j.from.pattern);
  str_free(&j.to.pattern);
  if (!ok) return false;
  if (!y->count) return give_result(r, arr_new(v->c, ET_BIT, y->rank, y->shape));
  items.n = 0;
  return give_result(r, collect(v, items.at, y->rank, y->shape));
}
