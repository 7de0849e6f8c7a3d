/* SPDX-License-Identifier: MIT */
/* plot_frame.c - a whole picture: how much room title, labels and legend take, and what stands there.
 *
 *                    title
 *          ┌────────────────────────┐
 *   ylabel │  the area              │  legend, or a scale of colours
 *    ticks │                        │
 *          └────────────────────────┘
 *              ticks, xlabel
 *
 * In braille the area is all that is drawn, and its ends are labelled. */
#include "plot.h"
#include "../../src/base/utf8.h"
#include <string.h>

enum { WIDE = 640, HIGH = 400, EDGE = 14, TITLE_SIZE = 17, NAME_SIZE = 14, TICK = 5 };
enum {
  NAME_LEAST = 30 /* units that a name below needs */,
  KEY = 26,
  SCALE_WIDE = 16,
  MARGIN = 12,
  DOTS_ACROSS = 2,
  DOTS_DOWN = 4
};

static const colour dark = {34, 34, 34}, soft = {85, 85, 85}, faint = {228, 228, 228};

/* ── room ───────────────────────────────────────────────────────────────────────────── */

static const char *text_of(const str *s) { return s->n ? s->at : ""; }

/* What a text takes: whoever shows an SVG may have a font that is wider than ours. */
static double text_room(const plot *p, const char *text, double size) {
  return font_width(text, size) * (p->medium == SVG ? 1.12 : 1);
}

/* The text, cut to a width. */
static void fit(const plot *p, const char *text, double size, double room, str *to) {
  const char *end = text + strlen(text);
  str_puts(to, text);
  while (!to->failed && text_room(p, to->at, size) > room && end > text) {
    do end--;
    while (end > text && (*end & 0xC0) == 0x80);
    to->n = 0;
    str_put(to, text, (size_t)(end - text));
    str_puts(to, "…");
  }
}

static double widest_tick(const plot *p, const axis *a) {
  double most = 0;
  for (int i = 0; i < a->n; i++)
    most = fmax(most, text_room(p, a->tick[i].text, LABEL_SIZE));
  return most;
}

static int labelled(const axis *a) {
  int n = 0;
  for (int i = 0; i < a->n; i++) n += !a->tick[i].minor;
  return n;
}

/* Is there a legend? Not of one series without a name. */
static bool has_legend(const plot *p) {
  bool named = false;
  for (size_t i = 0; i < p->d.n; i++) named |= p->d.s[i].name.n > 0;
  return p->o.legend && named && !plot_is_heat(p);
}

static double legend_room(const plot *p) {
  double most = 0;
  for (size_t i = 0; i < p->d.n; i++)
    most = fmax(most, text_room(p, text_of(&p->d.s[i].name), LABEL_SIZE));
  return fmin(KEY + most + 16, p->page.w * 0.4);
}

static axis scale_axis(const plot *p) {
  axis a = {.from = p->low, .to = p->high};
  axis_ticks(&a, 6);
  return a;
}

static void place_area(plot *p) {
  bool title = p->o.title.n, below = p->o.label[0].n, beside = p->o.label[1].n;
  double right = EDGE;
  p->y = title ? EDGE + TITLE_SIZE + 12 : EDGE + 4;
  p->h = p->page.h - p->y - EDGE - TICK - LABEL_SIZE - 4 - (below ? NAME_SIZE + 8 : 0);
  axis_ticks(&p->axis[1], (int)fmax(2, p->h / 50));
  p->x = EDGE + TICK + 4 + widest_tick(p, &p->axis[1]) + (beside ? NAME_SIZE + 10 : 0);
  if (has_legend(p)) right += legend_room(p);
  if (plot_is_heat(p)) {
    axis a = scale_axis(p);
    right += 14 + SCALE_WIDE + TICK + 4 + widest_tick(p, &a);
  }
  p->w = p->page.w - p->x - right;
  int most = (int)fmax(2, p->w / 60);
  if (p->axis[0].names && p->w / (double)p->axis[0].names->count >= NAME_LEAST) {
    axis_ticks(&p->axis[0], TICKS); /* all names, which are cut */
    return;
  }
  for (; most > 1; most--) { /* until their texts have room beside one another */
    axis_ticks(&p->axis[0], most);
    if (labelled(&p->axis[0]) * (widest_tick(p, &p->axis[0]) + 14) < p->w + 40) break;
  }
}

/* ── what stands around ─────────────────────────────────────────────────────────────── */

/* Lines one unit wide, on whole pixels. */
static void lines_begin(page *p, colour c) {
  page_begin(p, &(ink){.colour = c, .width = 1, .opacity = 1});
}
static void put_line(page *p, double x0, double y0, double x1, double y1) {
  page_move(p, floor(x0) + 0.5, floor(y0) + 0.5);
  page_line(p, floor(x1) + 0.5, floor(y1) + 0.5);
}

/* Lines over the area at the ticks, below the data. */
static void put_grid(plot *p) {
  double right = p->x + p->w, low = p->y + p->h;
  if (!p->o.grid || plot_is_heat(p)) return;
  lines_begin(&p->page, faint);
  for (int i = 0; i < p->axis[0].n && !p->axis[0].names; i++) {
    double x = plot_x(p, p->axis[0].tick[i].at);
    if (!p->axis[0].tick[i].minor) put_line(&p->page, x, p->y, x, low);
  }
  for (int i = 0; i < p->axis[1].n; i++) {
    double y = plot_y(p, p->axis[1].tick[i].at);
    if (!p->axis[1].tick[i].minor) put_line(&p->page, p->x, y, right, y);
  }
  page_end(&p->page);
}

/* Where the tick i of y is; the rows of a matrix count from the top. */
static double tick_y(const plot *p, int i) {
  double at = p->axis[1].tick[i].at;
  return plot_is_heat(p) ? p->y + axis_part(&p->axis[1], at) * p->h : plot_y(p, at);
}

static void put_ticks(plot *p) {
  double low = p->y + p->h;
  lines_begin(&p->page, soft);
  for (int i = 0; i < p->axis[0].n && !p->axis[0].names; i++) {
    double x = plot_x(p, p->axis[0].tick[i].at);
    put_line(&p->page, x, low, x, low + (p->axis[0].tick[i].minor ? 2 : TICK));
  }
  for (int i = 0; i < p->axis[1].n; i++) {
    double y = tick_y(p, i);
    put_line(&p->page, p->x - (p->axis[1].tick[i].minor ? 2 : TICK), y, p->x, y);
  }
  page_end(&p->page);
}

/* What stands below a tick: a number, or a name, cut to its place. */
static bool put_below(plot *p, const struct tick *t, double room) {
  lettering l = {.size = LABEL_SIZE, .anchor = CENTRED, .colour = dark};
  OWNED_STR str text = {.c = p->v->c};
  fit(p, t->text, LABEL_SIZE, room, &text);
  if (text.failed) return false;
  double half = text_room(p, text_of(&text), LABEL_SIZE) / 2;
  double x = fmin(plot_x(p, t->at), p->page.w - half - 3); /* none ends outside */
  page_text(&p->page, x, p->y + p->h + TICK + 3 + LABEL_SIZE, &l, text_of(&text));
  return true;
}

static bool put_numbers(plot *p) {
  const axis *a = &p->axis[0];
  lettering left = {.size = LABEL_SIZE, .anchor = ENDS, .colour = dark};
  double room = p->page.w;
  if (a->names && a->n) room = p->w / a->n - 6;
  for (int i = 0; i < a->n; i++)
    if (!put_below(p, &a->tick[i], room)) return false;
  for (int i = 0; i < p->axis[1].n; i++)
    page_text(&p->page, p->x - TICK - 4, tick_y(p, i) + LABEL_SIZE * 0.36, &left,
              p->axis[1].tick[i].text);
  return true;
}

static void put_frame(plot *p) {
  double right = p->x + p->w, low = p->y + p->h;
  const axis *a = &p->axis[1];
  lines_begin(&p->page, soft);
  put_line(&p->page, p->x, low, right, low);
  put_line(&p->page, p->x, p->y, p->x, low);
  bool crosses = p->bars && a->scale == LINEAR && a->from < 0 && a->to > 0;
  if (crosses) put_line(&p->page, p->x, plot_y(p, 0), right, plot_y(p, 0));
  page_end(&p->page);
}

/* In the middle of the area, smaller if it is long, and cut if it is too long. */
static bool put_title(plot *p) {
  const char *title = text_of(&p->o.title);
  lettering l = {.size = TITLE_SIZE, .anchor = CENTRED, .bold = true, .colour = dark};
  OWNED_STR str cut = {.c = p->v->c};
  const double bold = 1.1; /* that it is wider */
  double room = p->page.w - 8, wide = text_room(p, title, TITLE_SIZE) * bold;
  if (wide > room) l.size = fmax(12, TITLE_SIZE * room / wide);
  fit(p, title, l.size * bold, room, &cut);
  double half = text_room(p, text_of(&cut), l.size) * bold / 2;
  double x = fmax(fmin(p->x + p->w / 2, p->page.w - half - 4), half + 4);
  page_text(&p->page, x, EDGE + TITLE_SIZE - 2, &l, text_of(&cut));
  return !cut.failed;
}

static bool put_labels(plot *p) {
  lettering name = {.size = NAME_SIZE, .anchor = CENTRED, .colour = dark}, up = name;
  up.up = true;
  page_text(&p->page, p->x + p->w / 2, p->page.h - EDGE + 2, &name,
            text_of(&p->o.label[0]));
  page_text(&p->page, EDGE + NAME_SIZE - 2, p->y + p->h / 2, &up,
            text_of(&p->o.label[1]));
  return put_title(p);
}

/* ── legend ─────────────────────────────────────────────────────────────────────────── */

static void put_key(plot *p, size_t s, double x, double y) {
  ink k = {.colour = plot_colour(p, s), .width = 2, .opacity = 1};
  k.dash = (int)s / p->o.colours;
  drawn kind = p->d.s[s].kind;
  if (kind == LINE) {
    page_begin(&p->page, &k);
    page_move(&p->page, x, y);
    page_line(&p->page, x + KEY - 8, y);
    page_end(&p->page);
  } else if (kind == POINTS) {
    k.width = 7;
    page_marks(&p->page, &k, (int)s);
    page_mark(&p->page, (int)s, x + (KEY - 8) / 2.0, y);
    page_end(&p->page);
  } else {
    if (kind == HIST && p->d.n > 1) k.opacity = 0.55;
    page_fill(&p->page, (double[]){x + 3, y - 6}, (double[]){x + 15, y + 6}, &k);
  }
}

static bool put_legend(plot *p) {
  lettering l = {.size = LABEL_SIZE, .anchor = BEGINS, .colour = dark};
  double x = p->x + p->w + 14, y = p->y + 10, high = LABEL_SIZE + 7;
  for (size_t i = 0; i < p->d.n; i++) {
    if (!p->d.s[i].name.n) continue;
    OWNED_STR str name = {.c = p->v->c};
    bool more = i + 1 < p->d.n && y + 2 * high > p->y + p->h;
    if (!more) put_key(p, i, x, y);
    fit(p, more ? "…" : text_of(&p->d.s[i].name), LABEL_SIZE, p->page.w - x - KEY - 6,
        &name);
    if (name.failed) return false;
    page_text(&p->page, x + KEY, y + LABEL_SIZE * 0.36, &l, text_of(&name));
    if (more) return true; /* there is no room */
    y += high;
  }
  return true;
}

/* The colours of a heat map, and which numbers they stand for. */
static void put_scale(plot *p) {
  axis a = scale_axis(p);
  double left = p->x + p->w + 14, right = left + SCALE_WIDE;
  lettering l = {.size = LABEL_SIZE, .anchor = BEGINS, .colour = dark};
  int n = (int)fmin(p->h, 128);
  for (int i = 0; i < n; i++) {
    double from[] = {left, p->y + i * p->h / n},
           to[] = {right, p->y + (i + 1) * p->h / n};
    page_shade(&p->page, from, to, 1 - (i + 0.5) / n);
  }
  for (int i = 0; i < a.n; i++) {
    double y = p->y + (1 - axis_part(&a, a.tick[i].at)) * p->h;
    lines_begin(&p->page, soft);
    put_line(&p->page, right, y, right + TICK, y);
    page_end(&p->page);
    page_text(&p->page, right + TICK + 4, y + LABEL_SIZE * 0.36, &l, a.tick[i].text);
  }
}

static void put_nothing(plot *p) {
  lettering l = {.size = NAME_SIZE, .anchor = CENTRED, .colour = soft};
  page_text(&p->page, p->x + p->w / 2, p->y + p->h / 2, &l, "no data");
}

bool plot_picture(plot *p, bool any, str *to) {
  int64_t w = p->o.size[0] ? p->o.size[0] : WIDE, h = p->o.size[1] ? p->o.size[1] : HIGH;
  page *g = &p->page;
  if (!page_new(g, p->v, p->medium, w, h, p->o.sharp)) return false;
  place_area(p);
  if (p->w < 40 || p->h < 30)
    return err_set(p->v->c, ERR_DOMAIN, "%s: size leaves no room for the data", p->who);
  put_grid(p);
  if (any && !plot_draw(p)) return false;
  if (!any) put_nothing(p);
  put_frame(p);
  put_ticks(p);
  if (!put_numbers(p) || (has_legend(p) && !put_legend(p))) return false;
  if (plot_is_heat(p)) put_scale(p);
  if (!put_labels(p)) return false;
  return p->medium == SVG ? page_svg(g, text_of(&p->o.title), to) : page_png(g, to);
}

/* ── braille ────────────────────────────────────────────────────────────────────────── */

static void put_margin(str *s, const char *text) {
  size_t n = utf8_count(text, strlen(text));
  if (n < MARGIN) str_pad(s, MARGIN - n);
  str_puts(s, text);
}

/* The text at column k of a line that ends before it, or not at all. */
static void put_at(str *s, size_t *used, size_t k, const char *text) {
  if (k < *used) return;
  str_pad(s, k - *used);
  str_puts(s, text);
  *used = k + utf8_count(text, strlen(text));
}

/* What a line of the page has at its left: the ends of y, and round numbers between if there
 * is room. */
static void row_text(const plot *p, int row, int rows, char text[TICK_TEXT]) {
  const axis *a = &p->axis[1];
  bool heat = plot_is_heat(p);
  *text = 0;
  double inset = heat ? 0.5 : 0;
  if (row == 0) axis_text(a, heat ? a->from + inset : a->to, text);
  else if (row == rows - 1) axis_text(a, heat ? a->to - inset : a->from, text);
  for (int i = 0; i < a->n && !*text && row > 1 && row < rows - 2; i++) {
    double part = axis_part(a, a->tick[i].at);
    if ((int)((heat ? part : 1 - part) * rows) == row) strcpy(text, a->tick[i].text);
  }
}

/* The ticks of x that have room from column `used` to `most`. */
static void put_middle(axis *a, str *s, int across, size_t *used, size_t most) {
  axis_ticks(a, across / (a->names ? 8 : 16));
  for (int i = 0; i < a->n; i++) {
    size_t n = utf8_count(a->tick[i].text, strlen(a->tick[i].text));
    double at = round(axis_part(a, a->tick[i].at) * (across - 1) - (double)n / 2);
    bool room = at >= (double)(*used ? *used + 2 : 0) && at + (double)n <= (double)most;
    if (room && n) put_at(s, used, (size_t)at, a->tick[i].text);
  }
}

/* The ends of x, and round ones between; names stand where they belong. */
static void put_columns(plot *p, str *s, int across) {
  axis *a = &p->axis[0];
  char text[TICK_TEXT], last[TICK_TEXT];
  double inset = p->bars ? p->slot / 2 : 0;
  size_t used = 0, wide = (size_t)across;
  if (plot_is_heat(p)) inset = 0.5;
  str_pad(s, MARGIN + 1);
  axis_text(a, a->to - inset, last);
  size_t end = utf8_count(last, strlen(last));
  axis_text(a, a->from + inset, text);
  if (a->names) put_middle(a, s, across, &used, wide);
  else {
    put_at(s, &used, 0, text);
    if (across >= 40 && wide > end + 2) put_middle(a, s, across, &used, wide - end - 2);
    size_t k = wide > end ? wide - end : 0;
    put_at(s, &used, k > used ? k : used + 1, last);
  }
  str_puts(s, "\n");
}

/* Names of series by the patterns of their lines and bars. */
static void put_names(const plot *p, str *s) {
  static const char *const keys[] = {"⠤⠤⠤", "⠤⠤⠄", "⠄⠄⠄", "⠤⠄⠄", "⠠⠤⠄", "⠄⠀⠄"};
  static const char *const fills[] = {"⣿⣿", "⢕⢕", "⠅⠅", "⢵⢵"};
  if (!has_legend(p)) return;
  str_pad(s, MARGIN + 1);
  for (size_t i = 0; i < p->d.n; i++) {
    const char *key = keys[i % ARRAY_LEN(keys)];
    if (p->d.s[i].kind == POINTS) key = "⠂";
    else if (p->d.s[i].kind != LINE) key = fills[i % ARRAY_LEN(fills)];
    str_printf(s, "%s%s %s", i ? "   " : "", key, text_of(&p->d.s[i].name));
  }
  str_puts(s, "\n");
}

static void put_head(str *s, const char *text) {
  if (*text) str_printf(s, "%*s%s\n", MARGIN + 1, "", text);
}

bool plot_lines(plot *p, str *to) {
  int64_t wide = p->o.size[0] ? p->o.size[0] : p->columns;
  int64_t rows = p->o.size[1] ? p->o.size[1] : 12;
  if (p->o.rows) rows = p->o.rows;
  int across = (int)(wide - MARGIN - 1);
  char text[TICK_TEXT];
  if (across < 8 || rows < 2)
    return err_set(p->v->c, ERR_DOMAIN, "%s: size leaves no room for the data", p->who);
  if (!page_new(&p->page, p->v, BRAILLE, DOTS_ACROSS * across, DOTS_DOWN * rows, 1))
    return false;
  p->x = p->y = 0;
  p->w = DOTS_ACROSS * across - 1;
  p->h = (double)(DOTS_DOWN * rows - 1);
  if (!plot_draw(p)) return false;
  put_head(to, text_of(&p->o.title));
  put_head(to, text_of(&p->o.label[1]));
  axis_ticks(&p->axis[1], (int)rows / 3);
  for (int y = 0; y < rows; y++) {
    row_text(p, y, (int)rows, text);
    put_margin(to, text);
    str_puts(to, *text ? "┤" : "│");
    page_cells(&p->page, y, to);
    str_puts(to, "\n");
  }
  put_columns(p, to, across);
  const char *below = text_of(&p->o.label[0]);
  if (*below) {
    size_t n = utf8_count(below, strlen(below));
    str_pad(to, MARGIN + 1 + ((size_t)across > n ? ((size_t)across - n) / 2 : 0));
    str_printf(to, "%s\n", below);
  }
  put_names(p, to);
  if (plot_is_heat(p))
    str_printf(to, "%*s%.5g to %.5g\n", MARGIN + 1, "", p->low, p->high);
  return !to->failed;
}
