/* SPDX-License-Identifier: MIT */
/* plot.h - ⎕PLOT and ]plot: what the files of the one engine share.
 *
 *   options ─▶ plot_options.c ─┐
 *                              ├─▶ plot_draw.c ─▶ plot_page.c (SVG, pixels, braille) ─▶ plot.c
 *   data ────▶ plot_data.c ────┘   plot_frame.c      plot_font.c (glyphs of pixels)
 *                                  plot_axis.c
 *
 * plot.c asks for each in turn, and gives the result; plot_command.c has the command. */
#ifndef VAPL_PLOT_H
#define VAPL_PLOT_H
#include "../../src/eval/system/system.h"
#include <math.h>

typedef enum medium { BRAILLE, SVG, PIXELS } medium; /* as the words of `format` */
typedef enum drawn { AUTO = -1, LINE, POINTS, BARS, HIST, HEAT } drawn;
enum { PALETTE = 16 };
typedef enum scale { LINEAR, LOG, DATES } scale;

typedef struct colour {
  unsigned char r, g, b;
} colour;
/* What the options say; arrays are borrowed from them. */
typedef struct plot_options {
  str title, label[2], file; /* label: of x and of y */
  int64_t format;            /* a medium; -1: as the file's name says, else braille */
  int64_t scale[2], legend, grid, bins, rows, sharp; /* sharp: pixels of PNG for a unit */
  int64_t size[2];                                   /* 0: as usual */
  double range[2][2];      /* from x and y, to; NaN: of the data */
  arr *kinds, *names, *x;  /* NULL: not said */
  colour palette[PALETTE]; /* of series */
  int colours;             /* how many of it there are */
} plot_options;

/* The options in x: a namespace, pairs, or one word; NULL: none. */
bool plot_read_options(vm *v, const char *who, arr *x, plot_options *o);
/* One as a command has it, a name and a text, as a pair of them; SYNTAX ERROR. */
arr *plot_word_option(vm *v, const char *name, const str *text);
void plot_options_free(plot_options *o);

typedef struct series {
  str name;
  double *x, *y; /* owned; x may be NULL: the index. NaN: nothing is there */
  int64_t n;
  drawn kind;
  bool sorted; /* x does not fall */
} series;

/* The data: series, or one heat map. */
typedef struct plot_data {
  series *s;
  size_t n, cap;
  int64_t rows, columns; /* of the heat map, which is s[0].y */
  arr *ticks;            /* texts that stand for x; borrowed, NULL: numbers do */
} plot_data;

bool plot_read_data(vm *v, const char *who, const plot_options *o, arr *y, plot_data *d);
void plot_data_free(vm *v, plot_data *d);
static inline double series_x(const series *s, int64_t i, double io) {
  return s->x ? s->x[i] : (double)i + io;
}

/* ── axes ───────────────────────────────────────────────────────────────────────────── */

enum { TICKS = 64, TICK_TEXT = 64 };
typedef struct axis {
  scale scale;
  double from, to; /* what the area spans */
  bool plain;      /* numbers as APL writes them, with ¯ */
  const arr *names;
  double io; /* of names */
  int n;
  struct tick {
    double at;
    bool minor; /* a line without a label */
    char text[TICK_TEXT];
  } tick[TICKS];
} axis;

/* How far x lies from one end to the other, of which the difference may be no float. */
static inline double plot_part(double x, double from, double to) {
  return (x / 2 - from / 2) / (to / 2 - from / 2);
}
static inline double axis_part(const axis *a, double x) {
  if (a->scale != LOG) return plot_part(x, a->from, a->to);
  return plot_part(log10(x), log10(a->from), log10(a->to));
}
/* Can x stand on it? */
static inline bool axis_has(const axis *a, double x) {
  return isfinite(x) && (a->scale != LOG || x > 0);
}
void axis_ticks(axis *a, int most);                            /* at most about so many */
void axis_text(const axis *a, double x, char text[TICK_TEXT]); /* one number alone */

/* ── pages ──────────────────────────────────────────────────────────────────────────── */

typedef struct ink {
  colour colour;
  double width, opacity;
  int pattern; /* of braille's lines: solid, dashed, dotted … */
  int dash;    /* of a picture's: solid, dashed, dotted */
} ink;
enum { LABEL_SIZE = 13 };
typedef enum anchor { BEGINS, CENTRED, ENDS } anchor;

/* x from the left, y from the top. A picture is in units, which a PNG may have several pixels
 * for; in braille a unit is a dot, and (0, 0) the middle of the first one. */
typedef struct page {
  vm *v;
  medium medium;
  int columns, rows, sharp; /* of dots or pixels; pixels for a unit */
  double w, h;              /* units */
  unsigned char *at,
      *mask;            /* a byte for each dot, three for a pixel; how much of a pixel a
                               * path covers; owned */
  unsigned char *taken; /* places of a picture where a mark is; owned */
  int box[4];           /* what of the mask is not 0: from column and row, to */
  int clip[4];          /* no pixel outside is drawn */
  str svg;              /* its text so far */
  ink ink;              /* of the path under way */
  double last[2];       /* where its pen is */
  int steps;            /* that it went, for patterns */
  double gone;          /* the same in pixels */
} page;

bool page_new(page *p, vm *v, medium m, int64_t w, int64_t h, int64_t sharp);
void page_free(page *p);
void page_begin(page *p,
                const ink *k); /* a path of lines; page_move or page_line follow */
void page_move(page *p, double x, double y);
void page_line(page *p, double x, double y);
void page_end(page *p);
/* Points: between page_marks and page_end. `shape` differs from series to series. */
void page_marks(page *p, const ink *k, int shape);
void page_mark(page *p, int shape, double x, double y);
void page_fill(page *p, const double from[2], const double to[2], const ink *k);
/* A cell of a heat map, `shade` from 0 to 1. */
void page_shade(page *p, const double from[2], const double to[2], double shade);
/* A text whose baseline is at y; `up`: turned, it reads upwards. */
typedef struct lettering {
  double size;
  anchor anchor;
  bool bold, up;
  colour colour;
} lettering;
void page_text(page *p, double x, double y, const lettering *l, const char *text);
/* Nothing outside is drawn until page_unclip. */
void page_clip(page *p, double x, double y, double w, double h);
void page_unclip(page *p);
/* The whole SVG, the bytes of a PNG, behind what `to` has. */
bool page_svg(page *p, const char *title, str *to);
bool page_png(page *p, str *to);
void page_cells(const page *p, int row, str *to); /* a line of braille */

/* How wide a text is about, in units. */
double font_width(const char *text, double size);
/* The glyphs of a text, as the strokes of a path that is begun. */
void font_strokes(page *p, double x, double y, double size, bool up, const char *text);

/* ── the picture ────────────────────────────────────────────────────────────────────── */

typedef struct plot {
  vm *v;
  const char *who;
  plot_options o;
  plot_data d;
  medium medium;
  page page;
  axis axis[2];
  double x, y, w, h; /* the area inside the axes */
  double low, high;  /* of a heat map's numbers */
  double slot;       /* so much of x is there for the bars of one place */
  int bars, bins;    /* series that are bars; intervals of a histogram */
  double io;
  int columns; /* of the session, for braille */
} plot;

/* Places of the area; y grows upwards, but the rows of a matrix count from the top. */
static inline double plot_x(const plot *p, double x) {
  return p->x + fmax(-99, fmin(99, axis_part(&p->axis[0], x))) * p->w;
}
static inline double plot_y(const plot *p, double y) {
  return p->y + (1 - fmax(-99, fmin(99, axis_part(&p->axis[1], y)))) * p->h;
}
bool plot_is_heat(const plot *p);
static inline colour plot_colour(const plot *p, size_t k) { /* of a series */
  return p->o.palette[k % (size_t)p->o.colours];
}
bool plot_ranges(plot *p, bool *any); /* of the axes; any: there is something to show */
bool plot_draw(plot *p);              /* the data */
bool plot_picture(plot *p, bool any, str *to); /* with all that stands around */
bool plot_lines(plot *p, str *to);             /* the same in braille */
/* The picture of y, by p's options, behind what `to` has. Without a finite number it is empty:
 * axes from 0 to 1, and in braille a line that says so. */
bool plot_render(plot *p, arr *y, str *to);
bool plot_write(plot *p, const str *picture); /* to the file that the options name */
void plot_free(plot *p);
#define OWNED_PLOT __attribute__((cleanup(plot_free)))
#endif
