/* SPDX-License-Identifier: MIT */
/* plot_draw.c - what the axes span, and the data drawn between them.
 *
 * Where there are more points than a page can show, a line is the range of each of its columns,
 * and a cell of a heat map a mean. */
#include "plot.h"
#include "../../src/base/mem.h"
#include <float.h>
#include <stdlib.h>

bool plot_is_heat(const plot *p) { return p->d.n && p->d.s[0].kind == HEAT; }
static bool is_hist(const plot *p) { return p->d.n && p->d.s[0].kind == HIST; }
static bool is_asked(const plot *p, int k) { return isfinite(p->o.range[k][0]); }

/* ── ranges ─────────────────────────────────────────────────────────────────────────── */

static void widen(axis *a, double x) {
  if (x < a->from) a->from = fmax(x, -DBL_MAX);
  if (x > a->to) a->to = fmin(x, DBL_MAX);
}

static bool is_empty(const axis *a) { return !(a->from <= a->to); }

/* An axis on which all is the same place gets some room. */
static void pad_point(axis *a) {
  double room = fabs(a->from) / 2;
  if (a->scale == LOG) {
    if (a->from < a->to) return;
    if (a->from / 2 > 0) a->from /= 2;
    if (isfinite(a->to * 2)) a->to *= 2;
    return;
  }
  if (a->to / 2 - a->from / 2 > 1e-300) return;
  if (room < 1e-300) room = 0.5;
  a->from -= room;
  a->to += room;
}

/* Room beyond the ends of the data, a part of the axis; none where a float has no such number. */
static void pad_ends(axis *a, double low, double high) {
  double from = a->from, to = a->to;
  if (a->scale == LOG) {
    double decades = log10(to) - log10(from);
    from *= pow(10, -low * decades);
    to *= pow(10, high * decades);
  } else {
    from -= low * (a->to - a->from);
    to += high * (a->to - a->from);
  }
  if (isfinite(from) && (a->scale != LOG || from > 0)) a->from = from;
  if (isfinite(to)) a->to = to;
}

static int by_size(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* The least distance of two x of a series; 1 where they are an index. 0: WS FULL. */
static double least_gap(const plot *p, const series *s) {
  double least = INFINITY;
  if (!s->x) return 1;
  double *x = mem_alloc(p->v->c, (size_t)(s->n + 1) * sizeof *x);
  if (!x) return 0;
  int64_t n = 0;
  for (int64_t i = 0; i < s->n; i++)
    if (isfinite(s->x[i])) x[n++] = s->x[i];
  qsort(x, (size_t)n, sizeof *x, by_size);
  for (int64_t i = 1; i < n; i++)
    if (x[i] > x[i - 1] && x[i] - x[i - 1] < least) least = x[i] - x[i - 1];
  mem_free(p->v->c, x);
  return isfinite(least) ? least : 1;
}

/* Bars have a width: that of the closest two. */
static bool measure_bars(plot *p) {
  p->slot = INFINITY;
  p->bars = 0;
  for (size_t i = 0; i < p->d.n; i++) {
    if (p->d.s[i].kind != BARS) continue;
    double gap = least_gap(p, &p->d.s[i]);
    if (gap <= 0) return false;
    p->slot = fmin(p->slot, gap);
    p->bars++;
  }
  return true;
}

static bool measure_series(plot *p) {
  axis *ax = &p->axis[0], *ay = &p->axis[1];
  const double *asked = p->o.range[0];
  for (size_t k = 0; k < p->d.n; k++) {
    const series *s = &p->d.s[k];
    double room = s->kind == BARS ? p->slot / 2 : 0;
    for (int64_t i = 0; i < s->n; i++) {
      double x = series_x(s, i, p->io);
      if (stops_at(p->v->c, i)) return false;
      if (!axis_has(ax, x) || !axis_has(ay, s->y[i])) continue;
      if (is_asked(p, 0) && !(x >= asked[0] && x <= asked[1])) continue;
      widen(ax, ax->scale == LOG && room > 0 ? x / 1.25 : x - room);
      widen(ax, ax->scale == LOG && room > 0 ? x * 1.25 : x + room);
      widen(ay, s->y[i]);
    }
  }
  if (p->bars && !is_empty(ay) && ay->scale == LINEAR) widen(ay, 0);
  return true;
}

/* What a histogram spans; the numbers of the longest series. */
static bool measure_hist(plot *p, int64_t *most) {
  axis *ax = &p->axis[0];
  *most = 0;
  for (size_t k = 0; k < p->d.n; k++) {
    const series *s = &p->d.s[k];
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; i++) {
      if (stops_at(p->v->c, i)) return false;
      if (!axis_has(ax, s->y[i])) continue;
      widen(ax, s->y[i]);
      n++;
    }
    if (n > *most) *most = n;
  }
  return true;
}

/* How many numbers of s are in each interval, by their places on the axis. */
static bool count_in(const plot *p, const series *s, double *counts) {
  const axis *ax = &p->axis[0];
  for (int64_t i = 0; i < s->n; i++) {
    if (stops_at(p->v->c, i)) return false;
    if (!axis_has(ax, s->y[i])) continue;
    double at = axis_part(ax, s->y[i]) * p->bins;
    if (at >= 0 && at <= p->bins) counts[(int)fmin(at, p->bins - 1)]++;
  }
  return true;
}

/* A histogram's series become counts of the elements in intervals of one length. */
static bool count_bins(plot *p) {
  axis *ax = &p->axis[0];
  int64_t most;
  if (!measure_hist(p, &most)) return false;
  if (!most) return true;
  pad_point(ax);
  if (is_asked(p, 0)) {
    ax->from = p->o.range[0][0];
    ax->to = p->o.range[0][1];
  }
  p->bins = (int)p->o.bins;
  if (!p->bins) p->bins = (int)fmax(5, fmin(60, ceil(sqrt((double)most))));
  for (size_t k = 0; k < p->d.n; k++) {
    series *s = &p->d.s[k];
    double *counts = mem_zalloc(p->v->c, (size_t)p->bins * sizeof *counts);
    bool ok = counts && count_in(p, s, counts);
    mem_free(p->v->c, s->y);
    s->y = counts;
    s->n = p->bins;
    if (!ok) return false;
    for (int i = 0; i < p->bins; i++)
      if (axis_has(&p->axis[1], counts[i])) widen(&p->axis[1], counts[i]);
  }
  widen(&p->axis[1], p->axis[1].scale == LOG ? 0.5 : 0);
  return true;
}

static bool measure_heat(plot *p) {
  const series *s = &p->d.s[0];
  axis all = {.from = INFINITY, .to = -INFINITY};
  int64_t n[] = {p->d.columns, p->d.rows};
  for (int64_t i = 0; i < s->n; i++) {
    if (stops_at(p->v->c, i)) return false;
    if (isfinite(s->y[i])) widen(&all, s->y[i]);
  }
  if (is_empty(&all)) return true;
  pad_point(&all);
  p->low = all.from;
  p->high = all.to;
  for (int k = 0; k < 2; k++) {
    p->axis[k].scale = LINEAR;
    p->axis[k].from = p->io - 0.5;
    p->axis[k].to = (double)n[k] + p->io - 0.5;
  }
  return true;
}

/* Pictures show points that lie within the frame, not on it. */
static void pad_picture(plot *p) {
  bool points = false;
  double under = p->bars || is_hist(p) ? 0 : 0.05;
  for (size_t k = 0; k < p->d.n; k++) points |= p->d.s[k].kind == POINTS;
  if (points) pad_ends(&p->axis[0], 0.025, 0.025);
  if (p->bars && p->axis[1].from < 0) under = 0.05;
  bool over = p->axis[1].to > 0 || !p->bars;
  pad_ends(&p->axis[1], under, over ? 0.05 : 0);
}

/* With nothing to show: 0 to 1. */
static void set_empty(plot *p) {
  for (int k = 0; k < 2; k++) {
    p->axis[k].from = p->axis[k].scale == LOG ? 0.1 : 0;
    p->axis[k].to = 1;
  }
  p->low = 0;
  p->high = p->bins = 1;
}

bool plot_ranges(plot *p, bool *any) {
  for (int k = 0; k < 2; k++) {
    p->axis[k] = (axis){.from = INFINITY,
                        .to = -INFINITY,
                        .io = p->io,
                        .scale = (scale)p->o.scale[k],
                        .plain = p->medium == BRAILLE};
  }
  bool heat = plot_is_heat(p), ok = measure_bars(p);
  if (heat) ok = ok && measure_heat(p);
  else if (is_hist(p)) ok = ok && count_bins(p);
  else ok = ok && measure_series(p);
  if (!ok) return false;
  *any = !is_empty(&p->axis[1]) && !is_empty(&p->axis[0]);
  if (!*any) set_empty(p);
  p->axis[0].names = p->d.ticks;
  for (int k = 0; k < 2 && !heat; k++) pad_point(&p->axis[k]);
  if (p->medium != BRAILLE && !heat) pad_picture(p);
  for (int k = 0; k < 2; k++) {
    if (!is_asked(p, k) || heat) continue;
    p->axis[k].from = p->o.range[k][0];
    p->axis[k].to = p->o.range[k][1];
    if (p->axis[k].scale == LOG && p->axis[k].from <= 0)
      return err_set(p->v->c, ERR_DOMAIN, "%s: the range of a log axis is above 0",
                     p->who);
  }
  return true;
}

/* ── lines ──────────────────────────────────────────────────────────────────────────── */

/* A line on its way: where the pen is, and of the points in the column of the page that it has
 * reached the lowest and the highest, if there are so many that these stand for them. */
typedef struct crowd {
  page *page;
  bool down, held;
  double x, y, column, low, high;
} crowd;

static void crowd_to(crowd *k, double x, double y) {
  if (!k->down) page_move(k->page, x, y);
  if (!k->down || x != k->x || y != k->y) page_line(k->page, x, y);
  k->down = true;
  k->x = x;
  k->y = y;
}

static void crowd_flush(crowd *k) {
  if (!k->held) return;
  k->held = false;
  crowd_to(k, k->column, k->low);
  if (k->high > k->low) crowd_to(k, k->column, k->high);
}

/* Holds back a point of a crowd. */
static void crowd_hold(crowd *k, double x, double y) {
  if (k->held && round(x) != k->column) crowd_flush(k);
  if (!k->held) {
    k->held = true;
    k->column = round(x);
    k->low = k->high = y;
  }
  k->low = fmin(k->low, y);
  k->high = fmax(k->high, y);
}

/* Is a point of a line that goes to and fro too near to the last one to be seen? */
static bool is_near(const crowd *k, double x, double y) {
  return k->down && fabs(k->x - x) < 0.5 && fabs(k->y - y) < 0.5;
}

static ink ink_of(const plot *p, size_t s, double width) {
  return (ink){plot_colour(p, s), width, 1, (int)s, (int)s / p->o.colours};
}

static bool draw_line(plot *p, size_t number) {
  const series *s = &p->d.s[number];
  crowd k = {.page = &p->page};
  bool many = s->n > 4 * (int64_t)p->w;
  ink pen = ink_of(p, number, many ? 1.2 : 2);
  page_begin(&p->page, &pen);
  for (int64_t i = 0; i < s->n; i++) {
    double x = series_x(s, i, p->io), y = s->y[i];
    if (stops_at(p->v->c, i)) return false;
    if (!axis_has(&p->axis[0], x) || !axis_has(&p->axis[1], y)) {
      crowd_flush(&k);
      k.down = false;
      continue;
    }
    x = plot_x(p, x);
    y = plot_y(p, y);
    if (many && s->sorted) crowd_hold(&k, x, y);
    else if (!many || !is_near(&k, x, y)) crowd_to(&k, x, y);
  }
  crowd_flush(&k);
  page_end(&p->page);
  return true;
}

static bool draw_points(plot *p, size_t number) {
  const series *s = &p->d.s[number];
  ink pen = ink_of(p, number, s->n > 400 ? 3.5 : 6);
  page_marks(&p->page, &pen, (int)number);
  for (int64_t i = 0; i < s->n; i++) {
    double x = series_x(s, i, p->io);
    if (stops_at(p->v->c, i)) return false;
    if (axis_has(&p->axis[0], x) && axis_has(&p->axis[1], s->y[i]))
      page_mark(&p->page, (int)number, plot_x(p, x), plot_y(p, s->y[i]));
  }
  page_end(&p->page);
  return true;
}

/* ── bars ───────────────────────────────────────────────────────────────────────────── */

static void draw_bar(plot *p, double left, double right, double y, const ink *k) {
  const axis *a = &p->axis[1];
  double base = plot_y(p, fmin(fmax(0, a->from), a->to)), top = plot_y(p, y);
  page_fill(&p->page, (double[]){left, fmin(top, base)},
            (double[]){right, fmax(top, base)}, k);
}

/* The bars of several series stand side by side over one x. */
static bool draw_bars(plot *p, size_t number, int place) {
  const series *s = &p->d.s[number];
  ink pen = ink_of(p, number, 0);
  double slot = p->w * (p->slot / 2 / (p->axis[0].to / 2 - p->axis[0].from / 2));
  if (p->axis[0].scale == LOG) slot = p->w / (double)(s->n + 1);
  double gap = slot * (p->medium == BRAILLE ? 0.05 : 0.1),
         bar = (slot - 2 * gap) / p->bars;
  for (int64_t i = 0; i < s->n; i++) {
    double x = series_x(s, i, p->io);
    if (stops_at(p->v->c, i)) return false;
    if (!axis_has(&p->axis[0], x) || !axis_has(&p->axis[1], s->y[i])) continue;
    double left = plot_x(p, x) - slot / 2 + gap + place * bar;
    draw_bar(p, left, left + bar, s->y[i], &pen);
  }
  return true;
}

/* Of several histograms one is seen through the other. */
static void draw_hist(plot *p, size_t number) {
  const series *s = &p->d.s[number];
  ink pen = ink_of(p, number, 0);
  double bar = p->w / p->bins, gap = bar * (p->medium == BRAILLE ? 0.05 : 0.02);
  if (p->d.n > 1) pen.opacity = 0.55;
  for (int i = 0; i < p->bins; i++) {
    double left = p->x + i * bar + gap;
    if (s->y[i] > 0 || p->medium == BRAILLE)
      draw_bar(p, left, left + bar - 2 * gap, s->y[i], &pen);
  }
}

/* ── heat maps ──────────────────────────────────────────────────────────────────────── */

/* The mean of rows r[0] to r[1] and columns c[0] to c[1]; NaN: nothing is finite. */
static double mean_of(const plot *p, const int64_t r[2], const int64_t c[2]) {
  double sum = 0;
  int64_t n = 0;
  for (int64_t i = r[0]; i < r[1]; i++)
    for (int64_t k = c[0]; k < c[1]; k++) {
      double x = p->d.s[0].y[i * p->d.columns + k];
      if (!isfinite(x)) continue;
      sum += x;
      n++;
    }
  return n ? sum / (double)n : NAN;
}

/* Cells of the matrix, or of a smaller one that is shown for it. */
static bool draw_heat(plot *p) {
  int64_t rows = p->d.rows, columns = p->d.columns;
  int64_t down = rows < 100 ? rows : 100, across = columns < 160 ? columns : 160;
  for (int64_t i = 0; i < down; i++) {
    if (interrupted(p->v->c)) return false;
    for (int64_t k = 0; k < across; k++) {
      int64_t r[] = {i * rows / down, (i + 1) * rows / down};
      int64_t c[] = {k * columns / across, (k + 1) * columns / across};
      double x = mean_of(p, r, c);
      double from[] = {p->x + (double)k * p->w / (double)across,
                       p->y + (double)i * p->h / (double)down};
      double to[] = {p->x + (double)(k + 1) * p->w / (double)across,
                     p->y + (double)(i + 1) * p->h / (double)down};
      double shade = fmax(0, fmin(1, plot_part(x, p->low, p->high)));
      if (isfinite(x)) page_shade(&p->page, from, to, shade);
    }
  }
  return true;
}

/* ── all ────────────────────────────────────────────────────────────────────────────── */

static bool draw_series(plot *p) {
  int place = 0;
  bool ok = true;
  for (size_t k = 0; ok && k < p->d.n; k++) { /* bars lie below all else */
    if (p->d.s[k].kind == BARS) ok = draw_bars(p, k, place++);
    if (p->d.s[k].kind == HIST) draw_hist(p, k);
  }
  for (size_t k = 0; ok && k < p->d.n; k++) {
    if (p->d.s[k].kind == LINE) ok = draw_line(p, k);
    if (p->d.s[k].kind == POINTS) ok = draw_points(p, k);
  }
  return ok;
}

bool plot_draw(plot *p) {
  bool clips = is_asked(p, 0) || is_asked(p, 1);
  if (clips) page_clip(&p->page, p->x, p->y, p->w, p->h);
  bool ok = plot_is_heat(p) ? draw_heat(p) : draw_series(p);
  if (clips) page_unclip(&p->page);
  return ok;
}
