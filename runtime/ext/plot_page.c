/* SPDX-License-Identifier: MIT */
/* plot_page.c - the pages of plot.h.
 *
 * Braille and pixels are rasters: lines are stepped along their longer side, a rectangle sets
 * all it covers; in braille a shade is a pattern of dots. SVG gets the shapes themselves, lines
 * that go on from one another as one path. Beside pixels stand ticks and a frame with labels in a
 * small alphabet of 3 by 5; PNG is written by ⎕IMG (image.c). */
#include "plot.h"
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/system/show.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 640, HIGH = 400, LEFT = 70, RIGHT = 16, TOP = 34, LOW = 34 };
enum { DOTS_ACROSS = 2, DOTS_DOWN = 4, LABEL = 12 };
static const unsigned char ink[3] = {31, 90, 160}, grey[3] = {90, 90, 90};

bool page_new(page *p, vm *v, medium m, int columns, int rows) {
  *p = (page){.v = v, .medium = m, .columns = WIDE, .rows = HIGH, .svg = {.c = v->c}};
  p->w = WIDE - LEFT - RIGHT;
  p->h = HIGH - TOP - LOW;
  if (m == BRAILLE) {
    p->columns = DOTS_ACROSS * (columns - LABEL - 1);
    p->rows = DOTS_DOWN * rows;
    p->w = p->columns - 1;
    p->h = p->rows - 1;
  }
  size_t n = (size_t)p->columns * (size_t)p->rows * (m == PIXELS ? 3 : 1);
  p->at = mem_zalloc(v->c, n);
  if (p->at && m == PIXELS) memset(p->at, 255, n);
  return p->at != NULL;
}

void page_free(page *p) {
  mem_free(p->v->c, p->at);
  str_free(&p->svg);
}

/* ── rasters ────────────────────────────────────────────────────────────────────────── */

static void set(page *p, int64_t x, int64_t y, const unsigned char *colour) {
  if (x < 0 || y < 0 || x >= p->columns || y >= p->rows) return;
  size_t i = (size_t)y * (size_t)p->columns + (size_t)x;
  if (p->medium == BRAILLE) p->at[i] = 1;
  else memcpy(p->at + 3 * i, colour, 3);
}

/* A point of the area, on pixels 2 by 2 of them. */
static void set_point(page *p, double x, double y) {
  int64_t i = llround(x), k = llround(y);
  if (p->medium == BRAILLE) {
    set(p, i, k, NULL);
    return;
  }
  for (int n = 0; n < 4; n++) set(p, i + LEFT + n % 2, k + TOP + n / 2, ink);
}

static void raster_line(page *p, double x0, double y0, double x1, double y1) {
  double n = fmax(fabs(x1 - x0), fabs(y1 - y0));
  int64_t steps = (int64_t)ceil(n);
  for (int64_t i = 0; i <= steps; i++) {
    double t = steps ? (double)i / (double)steps : 0;
    set_point(p, x0 + t * (x1 - x0), y0 + t * (y1 - y0));
  }
}

/* Dark to light, at quarters of the way. */
static void colour_of(double shade, unsigned char *c) {
  static const unsigned char stops[5][3] = {
      {38, 24, 74}, {46, 80, 140}, {30, 140, 140}, {110, 190, 90}, {250, 230, 60}};
  if (shade < 0) {
    memcpy(c, ink, 3);
    return;
  }
  int k = (int)fmin(3, shade * 4);
  double t = shade * 4 - k;
  for (int i = 0; i < 3; i++)
    c[i] = (unsigned char)lround(stops[k][i] + t * (stops[k + 1][i] - stops[k][i]));
}

static bool is_dark(double shade, int64_t x, int64_t y) {
  static const int order[4][4] = {
      {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  return shade < 0 || shade * 16 > order[y % 4][x % 4] + 0.5;
}

static void raster_fill(page *p, const double from[2], const double to[2], double shade) {
  unsigned char colour[3];
  int64_t right = llround(to[0]), low = llround(to[1]);
  bool braille = p->medium == BRAILLE;
  colour_of(shade, colour);
  for (int64_t y = llround(from[1]); y <= low; y++)
    for (int64_t x = llround(from[0]); x <= right; x++) {
      if (!braille) set(p, x + LEFT, y + TOP, colour);
      else if (is_dark(shade, x, y)) set(p, x, y, NULL);
    }
}

/* ── SVG ────────────────────────────────────────────────────────────────────────────── */

static void end_path(page *p) {
  if (p->drawing) str_puts(&p->svg, "\"/>\n");
  p->drawing = false;
}

static void svg_line(page *p, double x0, double y0, double x1, double y1) {
  bool on = p->drawing && x0 == p->last[0] && y0 == p->last[1];
  if (!p->drawing)
    str_puts(&p->svg, "<path fill=\"none\" stroke=\"#1f5aa0\" stroke-width=\"1.5\" "
                      "stroke-linecap=\"round\" d=\"");
  p->drawing = true;
  if (!on) str_printf(&p->svg, "M%.2f %.2f", x0 + LEFT, y0 + TOP);
  str_printf(&p->svg, "L%.2f %.2f", x1 + LEFT, y1 + TOP);
  p->last[0] = x1;
  p->last[1] = y1;
}

static void svg_fill(page *p, const double from[2], const double to[2], double shade) {
  unsigned char c[3];
  colour_of(shade, c);
  end_path(p);
  str_printf(&p->svg,
             "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
             "fill=\"#%02x%02x%02x\"/>\n",
             from[0] + LEFT, from[1] + TOP, to[0] - from[0], to[1] - from[1], c[0], c[1],
             c[2]);
}

/* ── on whatever page ───────────────────────────────────────────────────────────────── */

void page_line(page *p, double x0, double y0, double x1, double y1) {
  if (p->medium == SVG) svg_line(p, x0, y0, x1, y1);
  else raster_line(p, x0, y0, x1, y1);
}

void page_fill(page *p, const double from[2], const double to[2], double shade) {
  if (p->medium == SVG) svg_fill(p, from, to, shade);
  else raster_fill(p, from, to, shade);
}

void page_dot(page *p, double x, double y) {
  if (p->medium == BRAILLE) {
    set_point(p, x, y);
  } else if (p->medium == SVG) {
    size_t i = (size_t)llround(y + TOP) * (size_t)p->columns + (size_t)llround(x + LEFT);
    if (p->at[i]) return; /* one of several at that place is enough */
    p->at[i] = 1;
    end_path(p);
    str_printf(&p->svg, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.5\" fill=\"#1f5aa0\"/>\n",
               x + LEFT, y + TOP);
  } else {
    raster_fill(p, (double[]){x - 1, y - 1}, (double[]){x + 1, y + 1}, -1);
  }
}

/* ── labels ─────────────────────────────────────────────────────────────────────────── */

/* At most about n round numbers between two: their distance. */
static double step_of(double from, double to, int n) {
  double raw = to / n - from / n, power = pow(10, floor(log10(raw)));
  if (raw <= power) return power;
  if (raw <= 2 * power) return 2 * power;
  return raw <= 5 * power ? 5 * power : 10 * power;
}

enum { NUMBER = 48 };

/* As APL writes numbers. */
static void number_text(double x, char text[NUMBER]) {
  char plain[32];
  snprintf(plain, sizeof plain, "%.5g", x);
  for (const char *p = plain; *p; p++)
    if (*p == '-') text += utf8_put(text, 0xAF);
    else if (*p == 'e') *text++ = 'E';
    else if (*p != '+') *text++ = *p;
  *text = 0;
}

/* Five rows of three dots from the top, as octal digits; a sixth digit is a row below the line. */
static const struct {
  char c;
  int rows;
} alphabet[] = {
    {'0', 075557},  {'1', 026227},  {'2', 071747}, {'3', 071717},  {'4', 055711},
    {'5', 074717},  {'6', 074757},  {'7', 071122}, {'8', 075757},  {'9', 075717},
    {'.', 000002},  {'-', 000700},  {'+', 002720}, {'A', 025755},  {'B', 065656},
    {'C', 034443},  {'D', 065556},  {'E', 074647}, {'F', 074644},  {'G', 034553},
    {'H', 055755},  {'I', 072227},  {'J', 011152}, {'K', 055655},  {'L', 044447},
    {'M', 057755},  {'N', 065555},  {'O', 025552}, {'P', 065644},  {'Q', 025563},
    {'R', 065655},  {'S', 034216},  {'T', 072222}, {'U', 055557},  {'V', 055552},
    {'W', 055775},  {'X', 055255},  {'Y', 055222}, {'Z', 071247},  {'a', 006357},
    {'b', 044656},  {'c', 003443},  {'d', 011353}, {'e', 002563},  {'f', 012722},
    {'g', 0603531}, {'h', 044655},  {'i', 020222}, {'j', 0610111}, {'k', 044565},
    {'l', 062223},  {'m', 007755},  {'n', 006555}, {'o', 002552},  {'p', 0406564},
    {'q', 0103531}, {'r', 005644},  {'s', 003636}, {'t', 027223},  {'u', 005553},
    {'v', 005552},  {'w', 005577},  {'x', 005225}, {'y', 0605531}, {'z', 007127},
    {'%', 051245},  {'_', 000007},  {'<', 012421}, {'>', 042124},  {'!', 022202},
    {'*', 005250},  {'\'', 022000}, {',', 000024}, {':', 002020},  {'/', 011244},
    {'(', 012221},  {')', 042224},  {'=', 007070}, {'?', 071202}};

enum { CELL_W = 8, CELL_H = 10 };

/* One character, each of its dots 2 by 2 pixels; what the alphabet lacks is a ?. */
static void draw_char(page *p, int64_t x, int64_t y, uint32_t c) {
  if (c == ' ') return;
  if (c == 0xAF) c = '-';
  size_t k = 0;
  while (k + 1 < ARRAY_LEN(alphabet) && (uint32_t)alphabet[k].c != c) k++;
  for (int i = 0; i < 18 * 4; i++) {
    int dot = i / 4, column = dot % 3, row = dot / 3, bit = 14 - dot;
    if (row == 5) bit = 17 - column;
    if (alphabet[k].rows >> bit & 1)
      set(p, x + 2 * column + i % 2, y + 2 * row + i / 2 % 2, grey);
  }
}

/* A text at (x, y): `anchor` -1 begins there, 0 is centred, 1 ends there. */
static void page_put_text(page *p, double x, double y, int anchor, const char *text) {
  static const char *const names[] = {"start", "middle", "end"};
  const char *end = text + strlen(text);
  if (!*text) return;
  if (p->medium == SVG) {
    str_printf(&p->svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y + 4,
               names[anchor + 1]);
    for (; *text; text++)
      if (*text == '<') str_puts(&p->svg, "&lt;");
      else if (*text == '&') str_puts(&p->svg, "&amp;");
      else str_put(&p->svg, text, 1);
    str_puts(&p->svg, "</text>\n");
    return;
  }
  int64_t at =
      llround(x) - (anchor + 1) * (int64_t)utf8_count(text, strlen(text)) * CELL_W / 2;
  for (; text < end; at += CELL_W)
    draw_char(p, at, llround(y) - CELL_H / 2, utf8_next(text, end, &text));
}

static void frame_line(page *p, double x0, double y0, double x1, double y1) {
  if (p->medium == SVG) {
    str_printf(&p->svg, "<path stroke=\"#5a5a5a\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x0, y0,
               x1, y1);
    return;
  }
  for (int64_t y = llround(y0); y <= llround(y1); y++)
    for (int64_t x = llround(x0); x <= llround(x1); x++) set(p, x, y, grey);
}

/* Ticks and their numbers along an axis: 0 below, 1 on the left. */
static void put_ticks(page *p, const labels *l, int axis) {
  double from = l->from[axis], to = l->to[axis], step = step_of(from, to, axis ? 6 : 8);
  for (int64_t k = (int64_t)ceil(from / step - 1e-9);
       (double)k * step <= to + 1e-9 * step; k++) {
    char text[NUMBER];
    double at = plot_part((double)k * step, from, to);
    number_text((double)k * step, text);
    if (axis == 0) {
      double x = LEFT + at * p->w;
      frame_line(p, x, TOP + p->h, x, TOP + p->h + 4);
      page_put_text(p, x, TOP + p->h + 14, 0, text);
    } else {
      double y = TOP + (l->down ? at : 1 - at) * p->h;
      frame_line(p, LEFT - 4, y, LEFT, y);
      page_put_text(p, LEFT - 8, y, 1, text);
    }
  }
}

static void put_frame(page *p, const labels *l) {
  frame_line(p, LEFT, TOP, LEFT, TOP + p->h);
  frame_line(p, LEFT, TOP + p->h, LEFT + p->w, TOP + p->h);
  put_ticks(p, l, 0);
  put_ticks(p, l, 1);
  page_put_text(p, LEFT + p->w / 2, TOP / 2, 0, l->title);
  page_put_text(p, LEFT + p->w, HIGH - 8, 1, l->note);
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

/* The cell of braille at (x, y): which of its eight dots are set. */
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

static void put_margin(str *s, const char *text) {
  size_t n = utf8_count(text, strlen(text));
  if (n < LABEL) str_pad(s, LABEL - n);
  str_puts(s, text);
}

/* The numbers at both ends of an axis. */
static void ends_of(const labels *l, int axis, char low[NUMBER], char high[NUMBER]) {
  number_text(l->from[axis] + l->inset[axis], low);
  number_text(l->to[axis] - l->inset[axis], high);
}

bool page_show(page *p, const labels *l) {
  OWNED_STR str s = {.c = p->v->c};
  int across = p->columns / DOTS_ACROSS, down = p->rows / DOTS_DOWN;
  char low[NUMBER], high[NUMBER];
  if (*l->title) str_printf(&s, "%*s%s\n", LABEL + 1, "", l->title);
  ends_of(l, 1, low, high);
  for (int y = 0; y < down; y++) {
    const char *label = "";
    if (y == 0) label = l->down ? low : high;
    if (y == down - 1) label = l->down ? high : low;
    put_margin(&s, label);
    str_puts(&s, *label ? "┤" : "│");
    for (int x = 0; x < across; x++) str_putc(&s, cell_at(p, x, y));
    str_puts(&s, "\n");
  }
  ends_of(l, 0, low, high);
  str_printf(&s, "%*s%s", LABEL + 1, "", low);
  size_t used = utf8_count(low, strlen(low)) + utf8_count(high, strlen(high));
  str_pad(&s, (size_t)across > used ? (size_t)across - used : 1);
  str_printf(&s, "%s\n", high);
  if (*l->note) str_printf(&s, "%*s%s\n", LABEL + 1, "", l->note);
  return !s.failed && put_out(p->v, s.at, s.n);
}

static bool write_svg(page *p, const labels *l, const char *path) {
  ext_file f __attribute__((cleanup(ext_abandon))) = {.fd = -1};
  OWNED_STR str head = {.c = p->v->c};
  end_path(p);
  put_frame(p, l);
  str_puts(&p->svg, "</svg>\n");
  str_printf(&head,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\" font-size=\"11\">\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             WIDE, HIGH);
  return !head.failed && !p->svg.failed && ext_begin(&f, p->v, "]plot", path) &&
         ext_put(&f, head.at, head.n) && ext_put(&f, p->svg.at, p->svg.n) &&
         ext_commit(&f);
}

static bool write_png(page *p, const labels *l, const char *path) {
#ifdef EXT_image
  int64_t shape[] = {p->rows, p->columns, 3};
  put_frame(p, l);
  OWNED arr *name = arr_text(p->v->c, path, strlen(path)), *done = NULL;
  OWNED arr *pixels = arr_new(p->v->c, ET_I16, 3, shape);
  if (!name || !pixels) return false;
  for (int64_t i = 0; i < pixels->count; i++) ((int16_t *)pixels->host)[i] = p->at[i];
  arr_set_range(pixels, 0, 255);
  return ext_image(p->v, pixels, name, &done);
#else
  UNUSED(l);
  UNUSED(path);
  return err_set(p->v->c, ERR_NONCE, "]plot: this program has no ⎕IMG to write a PNG");
#endif
}

bool page_write(page *p, const labels *l, const char *path) {
  OWNED_STR str s = {.c = p->v->c};
  bool ok = p->medium == SVG ? write_svg(p, l, path) : write_png(p, l, path);
  str_printf(&s, "%s: %d by %d\n", path, WIDE, HIGH);
  return ok && !s.failed && put_out(p->v, s.at, s.n);
}
