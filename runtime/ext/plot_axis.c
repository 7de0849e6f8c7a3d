/* SPDX-License-Identifier: MIT */
/* plot_axis.c - where the ticks of an axis are, and what they say: round numbers, powers of ten,
 * whole times, or names. All numbers of one axis have as many digits behind the point. */
#include "plot.h"
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include <stdio.h>
#include <string.h>
#ifdef EXT_dt
#include "dt.h"
#endif

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

/* The text with the minus that the axis wants, and APL's E. */
static void put_signs(const axis *a, const char *plain, char text[TICK_TEXT]) {
  char *to = text, *end = text + TICK_TEXT - 4;
  for (const char *p = plain; *p && to < end; p++)
    if (*p == '-') to += utf8_put(to, a->plain ? 0xAF : 0x2212);
    else if (*p == 'e') *to++ = 'E';
    else if (*p != '+') *to++ = *p;
  *to = 0;
}

/* Thin spaces between thousands, which APL does not have. */
static void group_digits(char text[TICK_TEXT]) {
  char plain[TICK_TEXT];
  size_t whole = strspn(text + (*text == '-'), "0123456789"), k = 0, n = strlen(text);
  if (whole < 5 || n > 20) return;
  memcpy(plain, text, n + 1);
  if (*plain == '-') k = 1;
  for (const char *first = plain + k, *p = first; *p; p++) {
    if (p > first && whole && whole % 3 == 0) k += (size_t)utf8_put(text + k, 0x2009);
    text[k++] = *p;
    if (whole) whole--;
  }
  text[k] = 0;
}

/* With so many digits behind the point; below 0: as many as it takes. */
static void put_number(const axis *a, double x, int digits, char text[TICK_TEXT]) {
  char plain[TICK_TEXT];
  if (digits < 0) snprintf(plain, sizeof plain, "%.5g", x);
  else snprintf(plain, sizeof plain, "%.*f", digits, x);
  if (!strcmp(plain, "-0")) strcpy(plain, "0");
  if (!a->plain) group_digits(plain);
  put_signs(a, plain, text);
}

/* x as m×10*k for all numbers of an axis: 1.5E9, with k of the largest. */
static void put_power(const axis *a, double x, int k, int digits, char text[TICK_TEXT]) {
  char plain[TICK_TEXT];
  double m = x / pow(10, k);
  if (x == 0) strcpy(plain, "0");
  else snprintf(plain, sizeof plain, "%.*fe%d", digits, m, k);
  put_signs(a, plain, text);
}

/* At most about n round numbers between two: their distance. */
static double step_of(double from, double to, int n) {
  double raw = to / n - from / n, power = pow(10, floor(log10(raw)));
  if (raw <= power) return power;
  if (raw <= 2 * power) return 2 * power;
  return raw <= 5 * power ? 5 * power : 10 * power;
}

static struct tick *new_tick(axis *a, double at, bool minor) {
  if (a->n == TICKS) return NULL;
  struct tick *t = &a->tick[a->n++];
  *t = (struct tick){.at = at, .minor = minor};
  return t;
}

static void linear_ticks(axis *a, int most) {
  double step = step_of(a->from, a->to, most), last = fmax(fabs(a->from), fabs(a->to));
  if (!(step > 0 && isfinite(step)))
    return; /* there is hardly a number between the ends */
  int fine = (int)floor(log10(step) + 1e-9), high = (int)floor(log10(last) + 1e-9);
  bool power = high >= 7 || fine < -5;
  int digits = power ? high - fine : -fine;
  if (digits < 0) digits = 0;
  for (double k = ceil(a->from / step - 1e-9); (k - 1e-9) * step <= a->to; k++) {
    struct tick *t = new_tick(a, k == 0 ? 0 : k * step, false); /* no -0 */
    if (!t) return;
    if (power && digits < 16) put_power(a, t->at, high, digits, t->text);
    else if (digits < 16) put_number(a, t->at, digits, t->text);
    else put_number(a, t->at, -1, t->text);
  }
}

/* ── powers of ten ──────────────────────────────────────────────────────────────────── */

/* 10⁶ in a picture, 1E6 as APL; in full where all are short. */
static void put_decade(const axis *a, int k, bool full, char text[TICK_TEXT]) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];
  if (full) {
    put_number(a, pow(10, k), k < 0 ? -k : 0, text);
    return;
  }
  if (a->plain) {
    put_power(a, pow(10, k), k, 0, text);
    return;
  }
  strcpy(text, "10");
  if (k < 0) strcat(text, "⁻");
  snprintf(plain, sizeof plain, "%d", k < 0 ? -k : k);
  for (const char *p = plain; *p; p++) strcat(text, raised[*p - '0']);
}

static void log_ticks(axis *a, int most) {
  double low = log10(a->from), high = log10(a->to);
  if (floor(high + 1e-9) - ceil(low - 1e-9) < 1) { /* no two powers of ten */
    linear_ticks(a, most);
    int n = 0;
    for (int i = 0; i < a->n; i++)
      if (a->tick[i].at > 0) a->tick[n++] = a->tick[i];
    a->n = n;
    return;
  }
  int step = (int)ceil((high - low) / most);
  bool full = low >= -3.01 && high < 4.99;
  for (int k = (int)floor(low - 1e-9); k <= high + 1e-9 && a->n < TICKS; k++) {
    bool minor = k % step != 0;
    struct tick *t = k < low - 1e-9 ? NULL : new_tick(a, pow(10, k), minor);
    if (t && !minor) put_decade(a, k, full, t->text);
    for (int m = 2; m < 10 && high - low < 4; m++) {
      double at = m * pow(10, k);
      if (at >= a->from && at <= a->to) new_tick(a, at, true);
    }
  }
}

/* ── times ──────────────────────────────────────────────────────────────────────────── */

#ifdef EXT_dt
/* A day number of ⎕DT (day 1 is the first of 1900) as a moment. */
static moment moment_at(double day) {
  double whole = floor(day), rest = day - whole;
  int64_t ns = (int64_t)(round(rest * 86400e3) * 1e6);
  instant t = {day_of(1899, 12, 31) + (int64_t)whole, ns};
  if (t.ns >= NS_PER_DAY) t = (instant){t.day + 1, 0};
  return moment_of(t);
}
static double day_number(int64_t year, int64_t month, int64_t day) {
  return (double)(day_of(year, month, day) - day_of(1899, 12, 31));
}
static bool is_date(double x) { return x > -1e6 && x < 3e6; }

enum { YEARS, MONTHS, DAYS, MINUTES, SECONDS };

static void put_time(double x, int of, char text[TICK_TEXT]) {
  moment m = moment_at(x);
  int year = (int)m.year, month = (int)m.month, day = (int)m.day;
  if (of == YEARS) snprintf(text, TICK_TEXT, "%d", year);
  else if (of == MONTHS) snprintf(text, TICK_TEXT, "%d-%02d", year, month);
  else if (of == DAYS) snprintf(text, TICK_TEXT, "%d-%02d-%02d", year, month, day);
  else if (!m.hour && !m.minute && !m.second)
    snprintf(text, TICK_TEXT, "%02d-%02d", month, day);
  else if (of == MINUTES)
    snprintf(text, TICK_TEXT, "%02d:%02d", (int)m.hour, (int)m.minute);
  else
    snprintf(text, TICK_TEXT, "%02d:%02d:%02d", (int)m.hour, (int)m.minute,
             (int)m.second);
}

static void put_tick(axis *a, double at, int of) {
  bool in = at >= a->from - 1e-9 && at <= a->to + 1e-9;
  struct tick *t = in ? new_tick(a, at, false) : NULL;
  if (t) put_time(at, of, t->text);
}

/* Every `step` months. */
static void month_ticks(axis *a, int step) {
  moment m = moment_at(a->from);
  int64_t k = m.year * 12 + m.month - 1;
  for (k -= k % step; a->n < TICKS; k += step) {
    double at = day_number(k / 12, k % 12 + 1, 1);
    if (at > a->to) return;
    put_tick(a, at, step % 12 ? MONTHS : YEARS);
  }
}

/* Every `step` days, which is a part of one for hours and less. */
static void day_ticks(axis *a, double step, int of) {
  for (double k = ceil(a->from / step - 1e-6); k * step <= a->to + 1e-9; k++) {
    if (a->n == TICKS) return;
    put_tick(a, k * step, of);
  }
}

static void date_ticks(axis *a, int most) {
  static const double seconds[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                   600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
  static const int days[] = {1, 2, 7, 14},
                   months[] = {1, 2, 3, 6, 12, 24, 60, 120, 240, 600};
  double raw = (a->to - a->from) / most;
  for (size_t i = 0; i < ARRAY_LEN(seconds); i++)
    if (raw <= seconds[i] / 86400) {
      day_ticks(a, seconds[i] / 86400, seconds[i] < 60 ? SECONDS : MINUTES);
      return;
    }
  for (size_t i = 0; i < ARRAY_LEN(days); i++)
    if (raw <= days[i]) {
      day_ticks(a, days[i], DAYS);
      return;
    }
  for (size_t i = 0; i < ARRAY_LEN(months); i++)
    if (raw <= months[i] * 30.44 || i + 1 == ARRAY_LEN(months)) {
      month_ticks(a, months[i]);
      return;
    }
}

static void date_text(const axis *a, double x, char text[TICK_TEXT]) {
  char more[TICK_TEXT];
  put_time(x, DAYS, text);
  if (a->to - a->from >= 3) return;
  moment m = moment_at(x);
  snprintf(more, sizeof more, " %02d:%02d", (int)m.hour, (int)m.minute);
  strcat(text, more);
}
#else
static bool is_date(double x) { return x < -INFINITY; }
static void date_ticks(axis *a, int most) { linear_ticks(a, most); }
static void date_text(const axis *a, double x, char text[TICK_TEXT]) {
  put_number(a, x, -1, text);
}
#endif

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* The text that stands for the index x; longer ones end in …. */
static void put_name(const axis *a, int64_t i, char text[TICK_TEXT]) {
  const arr *one = arr_nests(a->names) ? arr_item(a->names, i) : a->names;
  int64_t n = one->count, first = one == a->names ? i : 0;
  char *to = text;
  if (one == a->names) n = 1;
  for (int64_t k = 0; k < n; k++) {
    if (to > text + TICK_TEXT - 12) {
      strcpy(to, "…");
      return;
    }
    to += utf8_put(to, (uint32_t)arr_get_int(one, first + k));
  }
  *to = 0;
}

static void name_ticks(axis *a, int most) {
  int64_t n = a->names->count, step = (n + most - 1) / most;
  if (step < 1) step = 1;
  for (int64_t i = 0; i < n; i += step) {
    double at = (double)i + a->io;
    struct tick *t = at >= a->from && at <= a->to ? new_tick(a, at, false) : NULL;
    if (t) put_name(a, i, t->text);
  }
}

/* ── all ────────────────────────────────────────────────────────────────────────────── */

void axis_ticks(axis *a, int most) {
  a->n = 0;
  if (a->names) name_ticks(a, most);
  else if (a->scale == LOG) log_ticks(a, most);
  else if (a->scale == DATES && is_date(a->from) && is_date(a->to)) date_ticks(a, most);
  else linear_ticks(a, most);
}

void axis_text(const axis *a, double x, char text[TICK_TEXT]) {
  double at = round(x - a->io);
  if (a->names && at >= 0 && at < (double)a->names->count) put_name(a, (int64_t)at, text);
  else if (a->scale == DATES && is_date(x)) date_text(a, x, text);
  else put_number(a, x, -1, text);
}
