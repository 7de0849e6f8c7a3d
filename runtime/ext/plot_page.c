/* SPDX-License-Identifier: MIT */
/* plot_page.c - the pages of plot.h.
 *
 * Braille is a raster of dots: lines are stepped along their longer side, a rectangle sets all it
 * covers, a shade is a pattern of dots. Pixels are drawn with smooth edges: what a path covers of
 * each pixel is gathered in a mask, which then lets its colour through once, so that strokes that
 * meet do not darken one another. SVG gets the shapes themselves, a path for each line, and no
 * line of it begins with blanks. PNG is written by ⎕IMG (image.c). */
#include "plot.h"
#include "../../src/base/mem.h"
#include "image.h"
#include <string.h>

enum { DOTS_ACROSS = 2, DOTS_DOWN = 4, SHAPES = 4 };

bool page_new(page *p, vm *v, medium m, int64_t w, int64_t h, int64_t sharp) {
  *p = (page){.v = v, .medium = m, .sharp = 1, .svg = {.c = v->c}};
  if (m == PIXELS) p->sharp = (int)sharp;
  p->columns = (int)w * p->sharp;
  p->rows = (int)h * p->sharp;
  p->w = (double)w;
  p->h = (double)h;
  p->clip[2] = p->columns;
  p->clip[3] = p->rows;
  size_t n = (size_t)p->columns * (size_t)p->rows;
  if (m != SVG) p->at = mem_zalloc(v->c, m == PIXELS ? 3 * n : n);
  if (m == PIXELS) p->mask = mem_zalloc(v->c, n);
  if (m != BRAILLE) p->taken = mem_alloc(v->c, n);
  bool ok = (p->at || m == SVG) && (p->mask || m != PIXELS) && (p->taken || m == BRAILLE);
  if (ok && m == PIXELS) memset(p->at, 255, 3 * n);
  return ok;
}

void page_free(page *p) {
  if (!p->v) return;
  mem_free(p->v->c, p->at);
  mem_free(p->v->c, p->mask);
  mem_free(p->v->c, p->taken);
  str_free(&p->svg);
}

/* ── dots ───────────────────────────────────────────────────────────────────────────── */

static void set_dot(page *p, int64_t x, int64_t y) {
  if (x < p->clip[0] || y < p->clip[1] || x >= p->clip[2] || y >= p->clip[3]) return;
  p->at[(size_t)y * (size_t)p->columns + (size_t)x] = 1;
}

/* Is a step of a line drawn, by the pattern of its series? */
static bool is_drawn(int pattern, int step) {
  static const char *const patterns[] = {"x",          "xxxxx...", "x..",
                                         "xxxxx..x..", "xx..",     "x....."};
  const char *of = patterns[pattern % (int)ARRAY_LEN(patterns)];
  return of[(size_t)step % strlen(of)] == 'x';
}

static void dots_line(page *p, double x0, double y0, double x1, double y1) {
  double n = fmax(fabs(x1 - x0), fabs(y1 - y0));
  if (!(n < 1e6)) return;
  int steps = (int)ceil(n);
  for (int i = 0; i <= steps; i++) {
    double t = steps ? (double)i / steps : 0;
    if (is_drawn(p->ink.pattern, p->steps + i))
      set_dot(p, llround(x0 + t * (x1 - x0)), llround(y0 + t * (y1 - y0)));
  }
  p->steps += steps;
}

static bool is_dark(double shade, int64_t x, int64_t y) {
  static const int order[4][4] = {
      {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  return shade < 0 || shade * 16 > order[y % 4][x % 4] + 0.5;
}

/* A rectangle; `shade` below 0: all of it. */
static void dots_fill(page *p, const double from[2], const double to[2], double shade) {
  int64_t right = llround(fmin(to[0], p->w)), low = llround(fmin(to[1], p->h));
  for (int64_t y = llround(fmax(0, from[1])); y <= low; y++)
    for (int64_t x = llround(fmax(0, from[0])); x <= right; x++)
      if (is_dark(shade, x, y)) set_dot(p, x, y);
}

/* ── pixels ─────────────────────────────────────────────────────────────────────────── */

static void mask_begin(page *p) {
  p->box[0] = p->columns;
  p->box[1] = p->rows;
  p->box[2] = p->box[3] = 0;
}

/* So much of a pixel is covered; what covers it most counts. */
static void mask_put(page *p, int x, int y, double part) {
  if (part <= 0 || x < p->clip[0] || y < p->clip[1] || x >= p->clip[2] || y >= p->clip[3])
    return;
  unsigned char *at = &p->mask[(size_t)y * (size_t)p->columns + (size_t)x];
  int covered = part >= 1 ? 255 : (int)(part * 255 + 0.5);
  if (covered > *at) *at = (unsigned char)covered;
  if (x < p->box[0]) p->box[0] = x;
  if (y < p->box[1]) p->box[1] = y;
  if (x >= p->box[2]) p->box[2] = x + 1;
  if (y >= p->box[3]) p->box[3] = y + 1;
}

/* The mask's colour is let through, and the mask is empty again. */
static void mask_end(page *p) {
  const unsigned char c[3] = {p->ink.colour.r, p->ink.colour.g, p->ink.colour.b};
  for (int y = p->box[1]; y < p->box[3]; y++)
    for (int x = p->box[0]; x < p->box[2]; x++) {
      size_t i = (size_t)y * (size_t)p->columns + (size_t)x;
      double part = p->mask[i] / 255.0 * p->ink.opacity;
      p->mask[i] = 0;
      for (int k = 0; part > 0 && k < 3; k++) {
        double was = p->at[3 * i + (size_t)k];
        p->at[3 * i + (size_t)k] = (unsigned char)(was + part * (c[k] - was) + 0.5);
      }
    }
  mask_begin(p);
}

static int clamp_to(double x, int most) {
  if (!(x > 0)) return 0;
  return x < most ? (int)x : most;
}

/* A stroke from a to b, r on either side, with round ends. */
typedef struct stroke {
  double a[2], d[2]; /* d: from a to b, of length 1 */
  double length, r;
} stroke;

/* The distance of (x, y) from the line between its ends. */
static double distance(const stroke *s, double x, double y) {
  double dx = x - s->a[0], dy = y - s->a[1];
  double along = dx * s->d[0] + dy * s->d[1], beside = dx * s->d[1] - dy * s->d[0];
  if (along >= 0 && along <= s->length) return fabs(beside);
  if (along > 0) along -= s->length;
  return sqrt(along * along + beside * beside);
}

/* Along its longer side, at each step the few pixels that are near. */
static void mask_stroke(page *p, const double a[2], const double b[2], double r) {
  int along = fabs(b[1] - a[1]) > fabs(b[0] - a[0]), across = !along;
  int most[2] = {p->columns, p->rows};
  double low = fmin(a[along], b[along]) - r - 1, high = fmax(a[along], b[along]) + r + 2;
  double length = hypot(b[0] - a[0], b[1] - a[1]), slope = 0;
  stroke s = {{a[0], a[1]}, {1, 0}, length, r};
  if (length > 0) {
    s.d[0] = (b[0] - a[0]) / length;
    s.d[1] = (b[1] - a[1]) / length;
    slope = s.d[across] / s.d[along];
  }
  double reach = (r + 1) * sqrt(1 + slope * slope);
  double first = fmin(a[along], b[along]), last = fmax(a[along], b[along]);
  for (int i = clamp_to(low, most[along]); i < clamp_to(high, most[along]); i++) {
    double middle = a[across] + slope * (fmax(first, fmin(last, i + 0.5)) - a[along]);
    int end = clamp_to(middle + reach + 1, most[across]);
    for (int k = clamp_to(middle - reach, most[across]); k < end; k++) {
      int x = along ? k : i, y = along ? i : k;
      mask_put(p, x, y, r + 0.5 - distance(&s, x + 0.5, y + 0.5));
    }
  }
}

/* How long a dash and the gap behind it are, in units. */
static const double dashes[][2] = {{1, 0}, {6, 4}, {2, 3}};

/* The dashes of a line. */
static void mask_dashes(page *p, const double a[2], const double b[2], double r) {
  const double *dash = dashes[p->ink.dash > 2 ? 2 : p->ink.dash];
  double on = dash[0] * p->sharp, both = on + dash[1] * p->sharp, at = 0;
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  while (at < length) {
    double phase = fmod(p->gone, both);
    double part = fmin((phase < on ? on : both) - phase, length - at), ends[2][2];
    if (part < 1e-6) part = 1e-6; /* it goes on, whatever is rounded */
    for (int k = 0; k < 2; k++) {
      ends[0][k] = a[k] + (b[k] - a[k]) * at / length;
      ends[1][k] = a[k] + (b[k] - a[k]) * (at + part) / length;
    }
    if (phase < on) mask_stroke(p, ends[0], ends[1], r);
    at += part;
    p->gone += part;
  }
}

/* How much of the pixel from i to i+1 lies between two places. */
static double overlap(int i, double from, double to) {
  return fmin(i + 1, to) - fmax(i, from);
}

static void mask_rectangle(page *p, const double from[2], const double to[2]) {
  double f[2] = {from[0] * p->sharp, from[1] * p->sharp};
  double t[2] = {to[0] * p->sharp, to[1] * p->sharp};
  for (int y = clamp_to(f[1], p->rows); y < clamp_to(ceil(t[1]), p->rows); y++)
    for (int x = clamp_to(f[0], p->columns); x < clamp_to(ceil(t[0]), p->columns); x++) {
      double wide = overlap(x, f[0], t[0]), high = overlap(y, f[1], t[1]);
      if (wide > 0 && high > 0) mask_put(p, x, y, wide * high);
    }
}

/* ── shapes of points ───────────────────────────────────────────────────────────────── */

/* Corners around (0, 0), clockwise, of squares, triangles and diamonds; 0 is round. */
static const double corners[SHAPES][4][2] = {
    {{0}},
    {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
    {{0, -1.2}, {1.15, 0.85}, {-1.15, 0.85}, {-1.15, 0.85}},
    {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}};

/* How far (x, y) lies within a shape of radius r. */
static double depth_in(int shape, double x, double y, double r) {
  double least = r;
  if (!shape) return r - hypot(x, y);
  for (int i = 0; i < 4; i++) {
    const double *a = corners[shape][i], *b = corners[shape][(i + 1) % 4];
    double dx = b[0] - a[0], dy = b[1] - a[1], n = hypot(dx, dy);
    if (n == 0) continue;
    least = fmin(least, ((y - a[1] * r) * dx - (x - a[0] * r) * dy) / n);
  }
  return least;
}

static void mask_shape(page *p, int shape, double x, double y) {
  double r = p->ink.width / 2 * p->sharp, room = 1.5 * r + 2;
  x *= p->sharp;
  y *= p->sharp;
  for (int k = clamp_to(y - room, p->rows); k < clamp_to(y + room, p->rows); k++)
    for (int i = clamp_to(x - room, p->columns); i < clamp_to(x + room, p->columns); i++)
      mask_put(p, i, k, depth_in(shape, i + 0.5 - x, k + 0.5 - y, r) + 0.5);
}

static void svg_shape(page *p, int shape, double x, double y) {
  double r = p->ink.width / 2;
  if (!shape) {
    str_printf(&p->svg, "M%.1f %.1fh0\n", x, y);
    return;
  }
  for (int i = 0; i < 4; i++)
    str_printf(&p->svg, "%c%.1f %.1f", i ? 'L' : 'M', x + r * corners[shape][i][0],
               y + r * corners[shape][i][1]);
  str_puts(&p->svg, "z\n");
}

/* ── paths ──────────────────────────────────────────────────────────────────────────── */

static void svg_colour(page *p, const char *what, const ink *k) {
  str_printf(&p->svg, " %s=\"#%02x%02x%02x\"", what, k->colour.r, k->colour.g,
             k->colour.b);
  if (k->opacity < 1) str_printf(&p->svg, " %s-opacity=\"%.2f\"", what, k->opacity);
}

void page_begin(page *p, const ink *k) {
  p->ink = *k;
  p->steps = 0;
  p->gone = 0;
  mask_begin(p);
  if (p->medium != SVG) return;
  str_puts(&p->svg, "<path fill=\"none\"");
  svg_colour(p, "stroke", k);
  if (k->dash) {
    const double *dash = dashes[k->dash > 2 ? 2 : k->dash];
    str_printf(&p->svg, " stroke-dasharray=\"%.0f %.0f\"", dash[0], dash[1]);
  }
  str_printf(&p->svg,
             " stroke-width=\"%.4g\" stroke-linejoin=\"round\" "
             "stroke-linecap=\"%s\" d=\"",
             k->width, k->dash ? "butt" : "round");
}

void page_move(page *p, double x, double y) {
  p->last[0] = x;
  p->last[1] = y;
  if (p->medium == SVG) str_printf(&p->svg, "M%.1f %.1f\n", x, y);
}

void page_line(page *p, double x, double y) {
  if (p->medium == SVG) {
    str_printf(&p->svg, "L%.1f %.1f\n", x, y);
  } else if (p->medium == BRAILLE) {
    dots_line(p, p->last[0], p->last[1], x, y);
  } else {
    double a[2] = {p->last[0] * p->sharp, p->last[1] * p->sharp};
    double b[2] = {x * p->sharp, y * p->sharp};
    double r = p->ink.width / 2 * p->sharp;
    if (p->ink.dash) mask_dashes(p, a, b, r);
    else mask_stroke(p, a, b, r);
  }
  p->last[0] = x;
  p->last[1] = y;
}

void page_end(page *p) {
  if (p->medium == SVG) str_puts(&p->svg, "\"/>\n");
  if (p->medium == PIXELS) mask_end(p);
}

void page_marks(page *p, const ink *k, int shape) {
  p->ink = *k;
  mask_begin(p);
  if (p->taken) memset(p->taken, 0, (size_t)p->columns * (size_t)p->rows);
  if (p->medium != SVG) return;
  str_puts(&p->svg, "<path");
  if (shape % SHAPES) svg_colour(p, "fill", k);
  else {
    svg_colour(p, "stroke", k);
    str_printf(&p->svg, " stroke-width=\"%.4g\" stroke-linecap=\"round\"", k->width);
  }
  str_puts(&p->svg, " d=\"");
}

void page_mark(page *p, int shape, double x, double y) {
  if (!(fabs(x) < 1e6 && fabs(y) < 1e6)) return;
  if (p->medium == BRAILLE) {
    set_dot(p, llround(x), llround(y));
    return;
  }
  int64_t i = llround(x * p->sharp), k = llround(y * p->sharp);
  if (i < 0 || k < 0 || i >= p->columns || k >= p->rows) return;
  unsigned char *taken = &p->taken[(size_t)k * (size_t)p->columns + (size_t)i];
  if (*taken) return; /* one of several at that place is enough */
  *taken = 1;
  if (p->medium == SVG) svg_shape(p, shape % SHAPES, x, y);
  else mask_shape(p, shape % SHAPES, x, y);
}

/* ── rectangles ─────────────────────────────────────────────────────────────────────── */

static void svg_rectangle(page *p, const double from[2], const double to[2],
                          const ink *k) {
  str_printf(&p->svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
             from[0], from[1], to[0] - from[0], to[1] - from[1]);
  svg_colour(p, "fill", k);
  str_puts(&p->svg, "/>\n");
}

void page_fill(page *p, const double from[2], const double to[2], const ink *k) {
  if (p->medium == BRAILLE) {
    static const double shades[] = {-1, 0.5, 0.25, 0.75};
    dots_fill(p, from, to, shades[k->pattern % (int)ARRAY_LEN(shades)]);
  } else if (p->medium == SVG) {
    svg_rectangle(p, from, to, k);
  } else {
    p->ink = *k;
    mask_begin(p);
    mask_rectangle(p, from, to);
    mask_end(p);
  }
}

/* Dark to light, even in lightness, at eighths of the way. */
static colour colour_of(double shade) {
  static const unsigned char stops[9][3] = {
      {36, 12, 78},   {52, 44, 128},  {40, 84, 150},  {24, 118, 148}, {26, 150, 138},
      {70, 180, 114}, {132, 206, 84}, {196, 222, 62}, {250, 234, 60}};
  unsigned char c[3];
  int k = (int)fmin(7, shade * 8);
  for (int i = 0; i < 3; i++)
    c[i] = (unsigned char)lround(stops[k][i] +
                                 (shade * 8 - k) * (stops[k + 1][i] - stops[k][i]));
  return (colour){c[0], c[1], c[2]};
}

/* Cells end at whole pixels, for no line is to be seen between them. */
void page_shade(page *p, const double from[2], const double to[2], double shade) {
  ink k = {.colour = colour_of(shade), .opacity = 1};
  double f[2], t[2];
  if (p->medium == BRAILLE) {
    dots_fill(p, from, to, shade);
    return;
  }
  for (int i = 0; i < 2; i++) {
    f[i] = round(from[i] * p->sharp) / p->sharp;
    t[i] = round(to[i] * p->sharp) / p->sharp;
  }
  page_fill(p, f, t, &k);
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

static void svg_escaped(str *s, const char *text) {
  for (; *text; text++)
    if (*text == '<') str_puts(s, "&lt;");
    else if (*text == '>') str_puts(s, "&gt;");
    else if (*text == '&') str_puts(s, "&amp;");
    else if (*text == '"') str_puts(s, "&quot;");
    else if ((unsigned char)*text >= ' ') str_put(s, text, 1);
}

static void svg_text(page *p, double x, double y, const lettering *l, const char *text) {
  static const char *const names[] = {"start", "middle", "end"};
  str_puts(&p->svg, "<text");
  if (l->up) str_printf(&p->svg, " transform=\"translate(%.1f %.1f) rotate(-90)\"", x, y);
  else str_printf(&p->svg, " x=\"%.1f\" y=\"%.1f\"", x, y);
  if (l->anchor != BEGINS) str_printf(&p->svg, " text-anchor=\"%s\"", names[l->anchor]);
  if (l->size != LABEL_SIZE) str_printf(&p->svg, " font-size=\"%.4g\"", l->size);
  if (l->bold) str_puts(&p->svg, " font-weight=\"bold\"");
  svg_colour(p, "fill", &(ink){.colour = l->colour, .opacity = 1});
  str_puts(&p->svg, ">");
  svg_escaped(&p->svg, text);
  str_puts(&p->svg, "</text>\n");
}

void page_text(page *p, double x, double y, const lettering *l, const char *text) {
  if (!*text) return;
  if (p->medium == SVG) {
    svg_text(p, x, y, l, text);
    return;
  }
  double back = (int)l->anchor * font_width(text, l->size) / 2;
  ink k = {.colour = l->colour, .opacity = 1};
  k.width = l->size * (l->bold ? 0.125 : 0.092);
  if (l->up) y += back;
  else x -= back;
  page_begin(p, &k);
  font_strokes(p, x, y, l->size, l->up, text);
  page_end(p);
}

/* ── clipping ───────────────────────────────────────────────────────────────────────── */

void page_clip(page *p, double x, double y, double w, double h) {
  if (p->medium == BRAILLE) return; /* there is no margin */
  p->clip[0] = clamp_to(x * p->sharp, p->columns);
  p->clip[1] = clamp_to(y * p->sharp, p->rows);
  p->clip[2] = clamp_to(ceil((x + w) * p->sharp), p->columns);
  p->clip[3] = clamp_to(ceil((y + h) * p->sharp), p->rows);
  if (p->medium == SVG)
    str_printf(&p->svg,
               "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
               "viewBox=\"%.1f %.1f %.1f %.1f\">\n",
               x, y, w, h, x, y, w, h);
}

void page_unclip(page *p) {
  p->clip[0] = p->clip[1] = 0;
  p->clip[2] = p->columns;
  p->clip[3] = p->rows;
  if (p->medium == SVG) str_puts(&p->svg, "</svg>\n");
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

bool page_svg(page *p, const char *title, str *to) {
  str_printf(to,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
             "viewBox=\"0 0 %d %d\" font-family=\"Helvetica,Arial,sans-serif\" "
             "font-size=\"%d\" role=\"img\"",
             p->columns, p->rows, p->columns, p->rows, LABEL_SIZE);
  if (*title) {
    str_puts(to, " aria-label=\"");
    svg_escaped(to, title);
    str_puts(to, "\"");
  }
  str_puts(to, ">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
  str_put(to, p->svg.at, p->svg.n);
  str_puts(to, "</svg>\n");
  return !p->svg.failed && !to->failed;
}

bool page_png(page *p, str *to) {
#ifdef EXT_image
  return image_png(p->v, p->at, p->columns, p->rows, to);
#else
  UNUSED(to);
  return err_set(p->v->c, ERR_NONCE, "⎕PLOT: this program has no ⎕IMG to write a PNG");
#endif
}

/* The cell of braille at column x of a line: which of its eight dots are set. */
static uint32_t cell_at(const page *p, int x, int y) {
  static const unsigned char bits[DOTS_DOWN][DOTS_ACROSS] = {
      {0, 3}, {1, 4}, {2, 5}, {6, 7}};
  uint32_t cell = 0x2800;
  for (int i = 0; i < DOTS_DOWN; i++)
    for (int k = 0; k < DOTS_ACROSS; k++)
      if (p->at[(DOTS_DOWN * y + i) * p->columns + DOTS_ACROSS * x + k])
        cell |= 1u << bits[i][k];
  return cell;
}

void page_cells(const page *p, int row, str *to) {
  for (int x = 0; x < p->columns / DOTS_ACROSS; x++) str_putc(to, cell_at(p, x, row));
}
