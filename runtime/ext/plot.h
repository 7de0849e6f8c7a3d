/* SPDX-License-Identifier: MIT */
/* plot.h - what ]plot draws on: a page of braille, of pixels or of SVG. */
#ifndef VAPL_PLOT_H
#define VAPL_PLOT_H
#include "../../src/eval/system/system.h"

typedef enum medium { BRAILLE, PIXELS, SVG } medium;

/* The area inside the axes: w by h units, from the top left corner; (0, 0) is the middle of the
 * first dot or pixel, (w, h) that of the last. */
typedef struct page {
  vm *v;
  medium medium;
  double w, h;
  int columns, rows; /* of dots or pixels, margins included */
  unsigned char *at; /* a byte for each dot, of pixels red, green, blue; owned */
  str svg;
  double last[2]; /* where SVG's pen is */
  bool drawing;   /* a path is open */
} page;

typedef struct labels { /* what stands around it */
  const char *title, *note;
  double from[2],
      to[2];       /* what the area spans: x from left to right, y from low to high */
  double inset[2]; /* how far inside the ends the first and last label stand */
  bool down;       /* rows of a matrix: y counts from the top */
} labels;

/* How far x lies from one end to the other, of which the difference may be no float. */
static inline double plot_part(double x, double from, double to) {
  return (x / 2 - from / 2) / (to / 2 - from / 2);
}

/* A page for a width of `columns` characters and `rows` lines of braille, or of a fixed size. */
bool page_new(page *p, vm *v, medium m, int columns, int rows);
void page_free(page *p);
void page_line(page *p, double x0, double y0, double x1, double y1);
void page_dot(page *p, double x, double y);
/* A rectangle: `shade` from 0 to 1 of the colours for heat, or below 0 that of lines. */
void page_fill(page *p, const double from[2], const double to[2], double shade);
bool page_show(page *p, const labels *l);                    /* braille, to the session */
bool page_write(page *p, const labels *l, const char *path); /* the others, to a file */
#endif
