/* SPDX-License-Identifier: MIT */
/* plot.c - ⎕PLOT: pictures of numbers. [options] ⎕PLOT data gives the text of an SVG, the bytes of
 * a PNG, or a matrix of braille, or writes it to a file. */
#include "plot.h"
#include "../../src/base/utf8.h"
#include "../../src/base/mem.h"
#include <string.h>

void plot_free(plot *p) {
  plot_options_free(&p->o);
  plot_data_free(p->v, &p->d);
  page_free(&p->page);
}

bool plot_render(plot *p, arr *y, str *to) {
  bool any = false;
  p->io = (double)p->v->sv->io;
  p->medium = p->o.format < 0 ? BRAILLE : (medium)p->o.format;
  p->columns = line_width(p->v, 80);
  if (p->columns > 120) p->columns = 120;
  if (!plot_read_data(p->v, p->who, &p->o, y, &p->d) || !plot_ranges(p, &any))
    return false;
  if (!any && p->medium == BRAILLE) {
    str_printf(to, "%s: there is no finite number to show\n", p->who);
    return !to->failed;
  }
  if (p->medium == BRAILLE) return plot_lines(p, to);
  return plot_picture(p, any, to);
}

bool plot_write(plot *p, const str *picture) {
  OWNED_FILE ext_file f = {.fd = -1};
  return ext_begin(&f, p->v, p->who, p->o.file.at) &&
         ext_put(&f, picture->at, picture->n) && ext_commit(&f);
}

/* ── ⎕PLOT ──────────────────────────────────────────────────────────────────────────── */

/* Bytes as numbers of 0 to 255. */
static arr *bytes_of(vm *v, const str *s) {
  arr *r = arr_vec(v->c, ET_I16, (int64_t)s->n);
  if (!r) return NULL;
  for (size_t i = 0; i < s->n; i++) ((int16_t *)r->host)[i] = (unsigned char)s->at[i];
  arr_set_range(r, 0, 255);
  return r;
}

/* Lines as a matrix of characters. */
static arr *matrix_of(vm *v, const str *s) {
  int64_t rows = 0, wide = 0, at = 0;
  const char *end = s->at + s->n;
  for (const char *p = s->at, *stop; p < end; p = stop + 1, rows++) {
    stop = memchr(p, '\n', (size_t)(end - p));
    int64_t n = (int64_t)utf8_count(p, (size_t)(stop - p));
    if (n > wide) wide = n;
  }
  uint32_t *u = mem_alloc(v->c, (size_t)(rows * wide + 1) * sizeof *u);
  if (!u) return NULL;
  for (const char *p = s->at; p < end;) {
    uint32_t c = utf8_next(p, end, &p);
    if (c != '\n') u[at++] = c;
    else
      while (at % wide) u[at++] = ' ';
  }
  arr *r = arr_chars(v->c, 2, (int64_t[]){rows, wide}, u);
  mem_free(v->c, u);
  return r;
}

bool ext_plot(vm *v, arr *x, arr *y, arr **r) {
  OWNED_PLOT plot p = {.v = v, .who = "⎕PLOT"};
  OWNED_STR str picture = {.c = v->c};
  if (x && !ir_host(v->g, x)) return false;
  if (!plot_read_options(v, p.who, x, &p.o)) return false;
  if (p.o.file.n && !ext_may(v, MAY_WRITE, p.who)) return false;
  if (!plot_render(&p, y, &picture)) return false;
  if (p.o.file.n) {
    v->shy = true;
    return plot_write(&p, &picture) &&
           give_result(r, arr_text(v->c, p.o.file.at, p.o.file.n));
  }
  if (p.medium == PIXELS) return give_result(r, bytes_of(v, &picture));
  if (p.medium == SVG) return give_result(r, arr_text(v->c, picture.at, picture.n));
  return give_result(r, matrix_of(v, &picture));
}
