/* SPDX-License-Identifier: MIT */
/* plot.c - ]plot [options] [FILE] EXPR: a picture of numbers, in braille in the session, or in
 * the file that is named, SVG or PNG.
 *
 * What is drawn follows from the shape: a vector is a line over its indices, an array of two
 * columns points, any other matrix a heat map; -line, -scatter, -bars, -hist and -heat say
 * otherwise. Numbers that are not finite are left out. Where there are more elements than
 * columns of the page, a line is the range of each column, a cell of a heat map a mean. */
#include "plot.h"
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command_word.h"
#include "../../src/eval/system/show.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum drawn { AUTO, LINE, SCATTER, BARS, HIST, HEAT } drawn;
static const char *const kinds[] = {"-auto", "-line", "-scatter",
                                    "-bars", "-hist", "-heat"};

typedef struct plot {
  vm *v;
  page *page;
  const arr *a;
  drawn kind;
  int bins, rows;
  str title, path;
  double *bars; /* owned: what bars and histograms show */
  int64_t n, series;
  double from[2], to[2]; /* what is shown of x and y */
  double io;
} plot;

static void plot_free(plot *p) {
  str_free(&p->title);
  str_free(&p->path);
  mem_free(p->v->c, p->bars);
}

/* ── the words of the line ──────────────────────────────────────────────────────────── */

/* The word at `at`; a quote in it goes on over blanks. */
static const char *word_end(const char *at, const char *end) {
  bool quoted = false;
  for (; at < end && (quoted || !is_blank(*at)); at++)
    if (*at == '\'') quoted = !quoted;
  return at;
}

static bool number_option(const char *at, size_t n, const char *name, int most, int *to) {
  size_t skip = strlen(name);
  if (n <= skip || n > skip + 6 || strncmp(at, name, skip)) return false;
  for (size_t i = skip; i < n; i++)
    if (at[i] < '0' || at[i] > '9') return false;
  *to = atoi(at + skip);
  if (*to < 2) *to = 2;
  if (*to > most) *to = most;
  return true;
}

/* An option; false: it is none. */
static bool read_option(plot *p, const char *at, size_t n) {
  static const char title[] = "-title=";
  size_t skip = sizeof title - 1;
  for (size_t k = LINE; k < ARRAY_LEN(kinds); k++)
    if (strlen(kinds[k]) == n && !memcmp(kinds[k], at, n)) {
      p->kind = (drawn)k;
      return true;
    }
  if (n > skip && !strncmp(at, title, skip)) {
    for (size_t i = skip; i < n; i++)
      if (at[i] != '\'') str_put(&p->title, at + i, 1);
    return true;
  }
  return number_option(at, n, "-bins=", 1000, &p->bins) ||
         number_option(at, n, "-rows=", 200, &p->rows);
}

static bool is_picture(const char *at, size_t n) {
  return n > 4 &&
         (!strncasecmp(at + n - 4, ".svg", 4) || !strncasecmp(at + n - 4, ".png", 4));
}

/* Does a word look like the name of a file that it would be an error to take for an expression:
 * ASCII, and an extension at its end, before which there is no namespace? */
static bool is_file(const vm *v, const char *at, size_t n) {
  size_t i = n, head = 0;
  while (i && ((at[i - 1] | 32) >= 'a' && (at[i - 1] | 32) <= 'z')) i--;
  if (i < 2 || at[i - 1] != '.' || n - i < 2 || n - i > 5) return false;
  for (size_t k = 0; k < n; k++)
    if (at[k] < 0 || strchr("()[]{}'\"+!=<>,?|", at[k])) return false;
  while (head < n && at[head] != '.' && at[head] != '/') head++;
  const sym *s = sym_find(v, at, head);
  const value *x = s ? sym_read(s) : NULL;
  return !x || x->cls != C_ARR || x->a->type != ET_NEST;
}

/* The file's name at *at, if it is one, with an expression behind it. */
static bool read_file(plot *p, const char **at, const char *end) {
  vm *v = p->v;
  const char *begin = *at, *behind = begin;
  OWNED_STR str word = {.c = v->c};
  if (begin == end || p->path.n) return true;
  bool quoted = *begin == '\'' || *begin == '"';
  if (!command_word(v, &behind, end, &word)) {
    if (v->c->err.code == ERR_SYNTAX) err_clear(v->c); /* it begins an expression */
    return !err_is(v->c);
  }
  bool alone = !command_more(&behind, end), picture = is_picture(word.at, word.n);
  bool file = !quoted && is_file(v, word.at, word.n);
  if (picture && file && alone)
    return err_set(v->c, ERR_SYNTAX, "]plot needs an expression behind %s", word.at);
  if (!picture && file && !alone)
    return err_set(v->c, ERR_DOMAIN, "]plot writes .svg and .png, not %s", word.at);
  picture = picture && !alone;
  if (!picture) return true;
  str_put(&p->path, word.at, word.n);
  *at = behind;
  return !p->path.failed;
}

/* Reads options and a file's name; *at is then where the expression begins. */
static bool read_words(plot *p, const char **at, const char *end) {
  for (;;) {
    while (*at < end && is_blank(**at)) (*at)++;
    const char *stop = word_end(*at, end);
    size_t n = (size_t)(stop - *at);
    bool letter = n > 1 && (*at)[1] >= 'a' && (*at)[1] <= 'z';
    if (n && **at == '-' && letter) {
      if (read_option(p, *at, n)) *at = stop;
      else if (memchr(*at, '=', n) || stop < end)
        return err_set(
            p->v->c, ERR_SYNTAX,
            "]plot knows -line -scatter -bars -hist -heat -title= -bins= -rows=");
      else return true;
    } else {
      const char *before = *at;
      if (!read_file(p, at, end)) return false;
      if (*at == before) return !p->title.failed;
    }
  }
}

/* ── what is shown ──────────────────────────────────────────────────────────────────── */

static int64_t columns_of(const arr *a) { return a->rank == 2 ? a->shape[1] : 1; }

static bool plot_choose(plot *p) {
  const arr *a = p->a;
  if (!elt_is_num((elt)a->type) || a->type == ET_C128)
    return err_set(p->v->c, ERR_DOMAIN, "]plot takes real numbers");
  if (a->rank > 2) return err_set(p->v->c, ERR_RANK, "]plot takes a vector or a matrix");
  bool pairs = columns_of(a) == 2 && a->rank == 2;
  if (p->kind == AUTO) {
    if (a->rank < 2 || columns_of(a) == 1) p->kind = LINE;
    else p->kind = pairs ? SCATTER : HEAT;
  }
  if (p->kind == BARS && columns_of(a) != 1)
    return err_set(p->v->c, ERR_RANK, "]plot -bars takes a vector");
  if (p->kind == HEAT && a->rank != 2)
    return err_set(p->v->c, ERR_RANK, "]plot -heat takes a matrix");
  p->series = pairs && p->kind != HEAT ? 1 : columns_of(a);
  p->n = a->rank ? a->shape[0] : 1;
  return true;
}

/* The point i of a series: its second column over its first, or the number over the index. */
static bool point(const plot *p, int64_t series, int64_t i, double at[2]) {
  int64_t m = columns_of(p->a);
  at[0] = (double)i + p->io;
  if (p->bars) at[1] = p->bars[i];
  else if (m == 2 && p->kind != HEAT) {
    at[0] = arr_get_float(p->a, 2 * i);
    at[1] = arr_get_float(p->a, 2 * i + 1);
  } else at[1] = arr_get_float(p->a, i * m + series);
  return isfinite(at[0]) && isfinite(at[1]);
}

static void widen(plot *p, int axis, double x) {
  if (x < p->from[axis]) p->from[axis] = x;
  if (x > p->to[axis]) p->to[axis] = x;
}

static bool none(const plot *p) { return p->from[1] > p->to[1]; }

/* An axis on which all is the same place gets some room. */
static void pad_axis(plot *p, int axis) {
  double room = fabs(p->from[axis]) / 2;
  if (p->to[axis] / 2 - p->from[axis] / 2 > 1e-300) return;
  if (room < 1e-300) room = 0.5;
  p->from[axis] -= room;
  p->to[axis] += room;
}

static bool plot_measure(plot *p) {
  double at[2];
  for (int64_t s = 0; s < p->series; s++)
    for (int64_t i = 0; i < p->n; i++) {
      if (i % 65536 == 0 && interrupted(p->v->c)) return false;
      if (!point(p, s, i, at)) continue;
      widen(p, 0, at[0]);
      widen(p, 1, at[1]);
    }
  return true;
}

/* Counts of the elements in intervals of one length. */
static bool count_bins(plot *p) {
  int64_t n = p->a->count, finite = 0;
  for (int64_t i = 0; i < n; i++) {
    double x = arr_get_float(p->a, i);
    if (i % 65536 == 0 && interrupted(p->v->c)) return false;
    if (!isfinite(x)) continue;
    widen(p, 0, x);
    finite++;
  }
  if (!finite) return true;
  pad_axis(p, 0);
  if (!p->bins) p->bins = (int)fmax(5, fmin(60, ceil(sqrt((double)finite))));
  p->bars = mem_zalloc(p->v->c, (size_t)p->bins * sizeof *p->bars);
  if (!p->bars) return false;
  for (int64_t i = 0; i < n; i++) {
    double x = arr_get_float(p->a, i);
    if (!isfinite(x)) continue;
    double at = plot_part(x, p->from[0], p->to[0]) * p->bins;
    p->bars[(int)fmin(at, p->bins - 1)]++;
  }
  p->n = p->bins;
  for (int64_t i = 0; i < p->n; i++) widen(p, 1, p->bars[i]);
  p->from[1] = 0;
  return true;
}

/* ── drawing ────────────────────────────────────────────────────────────────────────── */

static double place(const plot *p, int axis, double x) {
  double t = plot_part(x, p->from[axis], p->to[axis]);
  return axis ? (1 - t) * p->page->h : t * p->page->w;
}

/* A line on its way: where the pen is, and of the points in the column of the page that it has
 * reached the lowest and the highest, if there are so many that these stand for them. */
typedef struct pen {
  bool down, held;
  double x, y, column, low, high;
} pen;

static void pen_to(const plot *p, pen *k, double x, double y) {
  if (!k->down) page_line(p->page, x, y, x, y);
  else page_line(p->page, k->x, k->y, x, y);
  k->down = true;
  k->x = x;
  k->y = y;
}

static void pen_flush(const plot *p, pen *k) {
  if (!k->held) return;
  k->held = false;
  pen_to(p, k, k->column, k->low);
  if (k->high > k->low) pen_to(p, k, k->column, k->high);
}

/* Holds back a point of a crowd. */
static void pen_hold(const plot *p, pen *k, double x, double y) {
  if (k->held && round(x) != k->column) pen_flush(p, k);
  if (!k->held) {
    k->held = true;
    k->column = round(x);
    k->low = k->high = y;
  }
  k->low = fmin(k->low, y);
  k->high = fmax(k->high, y);
}

static bool draw_line(plot *p, int64_t series) {
  double at[2];
  pen k = {0};
  bool crowd = p->n > 4 * (int64_t)p->page->w && (p->series > 1 || columns_of(p->a) == 1);
  for (int64_t i = 0; i < p->n; i++) {
    if (i % 65536 == 0 && interrupted(p->v->c)) return false;
    if (!point(p, series, i, at)) {
      pen_flush(p, &k);
      k.down = false;
      continue;
    }
    double x = place(p, 0, at[0]), y = place(p, 1, at[1]);
    if (crowd) pen_hold(p, &k, x, y);
    else pen_to(p, &k, x, y);
  }
  pen_flush(p, &k);
  return true;
}

static bool draw_points(plot *p) {
  double at[2];
  for (int64_t s = 0; s < p->series; s++)
    for (int64_t i = 0; i < p->n; i++) {
      if (i % 65536 == 0 && interrupted(p->v->c)) return false;
      if (point(p, s, i, at)) page_dot(p->page, place(p, 0, at[0]), place(p, 1, at[1]));
    }
  return true;
}

/* Bar i stands over its index, or over its interval, a tenth narrower. */
static bool draw_bars(plot *p) {
  double at[2], bar = p->page->w / (double)p->n, gap = bar * 0.05;
  for (int64_t i = 0; i < p->n; i++) {
    if (i % 65536 == 0 && interrupted(p->v->c)) return false;
    if (!point(p, 0, i, at)) continue;
    double y = place(p, 1, at[1]), base = place(p, 1, 0);
    double left = (double)i * bar + gap, right = left + bar - 2 * gap;
    page_fill(p->page, (double[]){left, fmin(y, base)}, (double[]){right, fmax(y, base)},
              -1);
  }
  return true;
}

/* The mean of a matrix over rows r[0] to r[1] and columns c[0] to c[1]; NaN: nothing is finite. */
static double mean_of(const arr *a, const int64_t r[2], const int64_t c[2]) {
  double sum = 0;
  int64_t n = 0;
  for (int64_t i = r[0]; i < r[1]; i++)
    for (int64_t k = c[0]; k < c[1]; k++) {
      double x = arr_get_float(a, i * a->shape[1] + k);
      if (!isfinite(x)) continue;
      sum += x;
      n++;
    }
  return n ? sum / (double)n : NAN;
}

/* Cells of the matrix, or of a smaller one that is shown for it. */
static bool draw_heat(plot *p) {
  const arr *a = p->a;
  int64_t rows = a->shape[0], columns = a->shape[1];
  int64_t down = rows < 100 ? rows : 100, across = columns < 160 ? columns : 160;
  double h = p->page->h, w = p->page->w;
  for (int64_t i = 0; i < down; i++) {
    if (interrupted(p->v->c)) return false;
    for (int64_t k = 0; k < across; k++) {
      int64_t r[] = {i * rows / down, (i + 1) * rows / down};
      int64_t c[] = {k * columns / across, (k + 1) * columns / across};
      double x = mean_of(a, r, c);
      double from[] = {(double)k * w / (double)across, (double)i * h / (double)down};
      double to[] = {(double)(k + 1) * w / (double)across,
                     (double)(i + 1) * h / (double)down};
      double shade = fmax(0, fmin(1, plot_part(x, p->from[1], p->to[1])));
      if (isfinite(x)) page_fill(p->page, from, to, shade);
    }
  }
  return true;
}

static bool draw(plot *p) {
  if (p->kind == HEAT) return draw_heat(p);
  if (p->kind == BARS || p->kind == HIST) return draw_bars(p);
  if (p->kind == SCATTER) return draw_points(p);
  for (int64_t s = 0; s < p->series; s++)
    if (!draw_line(p, s)) return false;
  return true;
}

/* ── the command ────────────────────────────────────────────────────────────────────── */

/* The ranges of x and y; false after an error, or with nothing to show. */
static bool find_ranges(plot *p) {
  for (int k = 0; k < 2; k++) {
    p->from[k] = INFINITY;
    p->to[k] = -INFINITY;
  }
  p->io = (double)p->v->sv->io;
  if (p->kind == HIST) {
    if (!count_bins(p)) return false;
  } else if (!plot_measure(p)) return false;
  if (none(p)) return true;
  if (p->kind == BARS) {
    widen(p, 1, 0);
    p->from[0] = p->io - 0.5;
    p->to[0] = (double)p->n + p->io - 0.5;
  }
  pad_axis(p, 0);
  pad_axis(p, 1);
  return true;
}

static bool show(plot *p, page *pg) {
  char note[80] = "";
  labels l = {.title = p->title.at ? p->title.at : "", .note = note};
  memcpy(l.from, p->from, sizeof l.from);
  memcpy(l.to, p->to, sizeof l.to);
  if (p->kind == HEAT) {
    snprintf(note, sizeof note, "%.5g to %.5g", p->from[1], p->to[1]);
    for (int k = 0; k < 2; k++) {
      l.from[k] = p->io - 0.5;
      l.to[k] = (double)p->a->shape[1 - k] + p->io - 0.5;
    }
    l.down = true;
    l.inset[1] = 0.5;
  }
  if (p->kind == HEAT || p->kind == BARS) l.inset[0] = 0.5;
  if (pg->medium == BRAILLE) return page_show(pg, &l);
  return page_write(pg, &l, p->path.at);
}

static bool plot_value(plot *p, arr *a) {
  static const char nothing[] = "]plot: there is no finite number to show\n";
  page pg = {.v = p->v, .svg = {.c = p->v->c}};
  medium m = BRAILLE;
  if (p->path.n) m = strcasecmp(p->path.at + p->path.n - 4, ".svg") ? PIXELS : SVG;
  p->a = a;
  p->page = &pg;
  if (!ir_host(p->v->g, a) || !plot_choose(p) || !find_ranges(p)) return false;
  if (none(p)) return put_out(p->v, nothing, sizeof nothing - 1);
  int columns = line_width(p->v, 80);
  if (columns > 120) columns = 120;
  bool ok = page_new(&pg, p->v, m, columns, p->rows) && draw(p) && show(p, &pg);
  page_free(&pg);
  return ok;
}

bool ext_cmd_plot(vm *v, const char *at, const char *end) {
  __attribute__((cleanup(plot_free)))
  plot p = {.v = v, .rows = 12, .title = {.c = v->c}, .path = {.c = v->c}};
  OWNED_VALUE value r = {0};
  bool shy;
  if (!read_words(&p, &at, end)) return false;
  if (p.path.n && !ext_may(v, MAY_WRITE, "]plot")) return false;
  vm_text t = {.name = "", .at = at, .n = (size_t)(end - at)};
  if (!run_text(v, &t, false, &r, &shy)) return false;
  if (r.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "]plot takes an array");
  return plot_value(&p, r.a);
}
