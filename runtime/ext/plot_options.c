/* SPDX-License-Identifier: MIT */
/* plot_options.c - the options of ⎕PLOT, a row each. They come as a namespace, as pairs of a name
 * and a value, as one word, or as words of a command: all become pairs. */
#include "plot.h"
#include "../../src/array/element.h"
#include "../../src/base/utf8.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SIZE_LEAST = 16, SIZE_MOST = 8000, PIXELS_MOST = 1 << 26 };

/* ── values ─────────────────────────────────────────────────────────────────────────── */

static bool set_text(vm *v, str *to, const char *what, arr *x) {
  to->n = 0;
  return (!x->count && x->rank == 1) || arg_text(v, x, what, to);
}
static bool set_title(vm *v, void *to, const char *what, arr *x) {
  return set_text(v, &((plot_options *)to)->title, what, x);
}
static bool set_xlabel(vm *v, void *to, const char *what, arr *x) {
  return set_text(v, &((plot_options *)to)->label[0], what, x);
}
static bool set_ylabel(vm *v, void *to, const char *what, arr *x) {
  return set_text(v, &((plot_options *)to)->label[1], what, x);
}
static bool set_file(vm *v, void *to, const char *what, arr *x) {
  str *file = &((plot_options *)to)->file;
  file->n = 0;
  return ext_path(v, x, what, file);
}

/* Two finite numbers. */
static bool two_numbers(vm *v, const char *what, const arr *x, double to[2]) {
  bool ok =
      x->count == 2 && x->rank == 1 && elt_is_num((elt)x->type) && x->type != ET_C128;
  for (int i = 0; ok && i < 2; i++) {
    to[i] = arr_get_float(x, i);
    ok = isfinite(to[i]);
  }
  return ok || err_set(v->c, ERR_DOMAIN, "%s takes two numbers", what);
}

static bool set_size(vm *v, void *to, const char *what, arr *x) {
  double size[2];
  if (!two_numbers(v, what, x, size)) return false;
  for (int i = 0; i < 2; i++) {
    if (!(size[i] >= 1 && size[i] <= SIZE_MOST))
      return err_set(v->c, ERR_DOMAIN, "%s is width and height, to %d", what, SIZE_MOST);
    ((plot_options *)to)->size[i] = (int64_t)size[i];
  }
  return true;
}

static bool set_range(vm *v, double to[2], const char *what, arr *x) {
  if (!x->count) return true; /* that of the data */
  if (!two_numbers(v, what, x, to)) return false;
  return to[0] < to[1] ||
         err_set(v->c, ERR_DOMAIN, "%s: its end is not above its start", what);
}
static bool set_xrange(vm *v, void *to, const char *what, arr *x) {
  return set_range(v, ((plot_options *)to)->range[0], what, x);
}
static bool set_yrange(vm *v, void *to, const char *what, arr *x) {
  return set_range(v, ((plot_options *)to)->range[1], what, x);
}

/* A text, or a vector of texts. */
static bool set_texts(vm *v, arr **to, const char *what, arr *x) {
  bool ok = x->rank < 2 && (is_nested(x) || elt_is_char((elt)x->type) || !x->count);
  for (int64_t i = 0; ok && is_nested(x) && i < x->count; i++)
    ok = elt_is_char((elt)arr_item(x, i)->type) || !arr_item(x, i)->count;
  *to = x->count ? x : NULL;
  return ok || err_set(v->c, ERR_DOMAIN, "%s takes texts", what);
}
static bool set_names(vm *v, void *to, const char *what, arr *x) {
  return set_texts(v, &((plot_options *)to)->names, what, x);
}
static bool set_kinds(vm *v, void *to, const char *what, arr *x) {
  return set_texts(v, &((plot_options *)to)->kinds, what, x);
}

/* Blue, vermilion, green, purple, orange, sky blue, black: people who see two of the three primary
 * colours tell them apart (after Okabe and Ito). */
static const colour usual[] = {{0, 114, 178},   {213, 94, 0},  {0, 158, 115},
                               {204, 121, 167}, {230, 159, 0}, {86, 180, 233},
                               {0, 0, 0}};

static bool hex_colour(const str *s, colour *c) {
  unsigned r, g, b;
  bool ok = s->n == 7 && strspn(s->at + 1, "0123456789abcdefABCDEF") == 6 &&
            sscanf(s->at, "#%2x%2x%2x", &r, &g, &b) == 3;
  if (ok) *c = (colour){(unsigned char)r, (unsigned char)g, (unsigned char)b};
  return ok;
}

static bool set_colours(vm *v, void *to, const char *what, arr *x) {
  plot_options *o = to;
  arr *texts;
  int64_t n = is_nested(x) ? x->count : 1;
  if (!set_texts(v, &texts, what, x)) return false;
  for (int64_t i = 0; texts && i < n && i < PALETTE; i++) {
    OWNED_STR str s = {.c = v->c};
    if (!arg_text(v, is_nested(x) ? arr_item(x, i) : x, what, &s)) return false;
    if (!hex_colour(&s, &o->palette[i]))
      return err_set(v->c, ERR_DOMAIN, "%s takes colours such as '#0072B2'", what);
    o->colours = (int)i + 1;
  }
  return true;
}

/* Numbers, or texts: a vector of them, or of characters. */
static bool set_x(vm *v, void *to, const char *what, arr *x) {
  arr **at = &((plot_options *)to)->x;
  bool texts = is_nested(x) || elt_is_char((elt)x->type), gaps = false;
  for (int64_t i = 0; is_nested(x) && i < x->count && !gaps; i++)
    gaps = arr_item(x, i)->ref; /* numbers and ⎕NULL: plot_data.c looks at them */
  if (texts && !gaps && !set_texts(v, at, what, x)) return false;
  bool ok = x->rank == 1 &&
            (texts || !x->count || (elt_is_num((elt)x->type) && x->type != ET_C128));
  *at = x;
  return ok ||
         err_set(v->c, ERR_DOMAIN, "%s takes a vector of numbers or of texts", what);
}

#define FIELD(f) .at = offsetof(plot_options, f)
#define FORMATS "text svg png "
#define SCALES "linear log date "
static const option_row rows[] = {
    {"title", .set = set_title},
    {"xlabel", .set = set_xlabel},
    {"ylabel", .set = set_ylabel},
    {"kind", .set = set_kinds},
    {"names", .set = set_names},
    {"x", .set = set_x},
    {"xscale", .words = SCALES, FIELD(scale[0])},
    {"yscale", .words = SCALES, FIELD(scale[1])},
    {"xrange", .set = set_xrange},
    {"yrange", .set = set_yrange},
    {"size", .set = set_size},
    {"scale", .lo = 1, .hi = 8, FIELD(sharp)},
    {"bins", .lo = 2, .hi = 1000, FIELD(bins)},
    {"rows", .lo = 2, .hi = 200, FIELD(rows)},
    {"legend", .lo = 0, .hi = 1, FIELD(legend)},
    {"grid", .lo = 0, .hi = 1, FIELD(grid)},
    {"colours", .set = set_colours},
    {"format", .words = FORMATS, FIELD(format)},
    {"file", .set = set_file},
    {NULL, .at = 0},
};

/* ── the forms that they come in ────────────────────────────────────────────────────── */

static bool is_known(const char *name, size_t n) {
  for (const option_row *o = rows; o->name; o++)
    if (strlen(o->name) == n && !memcmp(o->name, name, n)) return true;
  return false;
}

static bool unknown(vm *v, const char *who, const char *name, size_t n) {
  OWNED_STR str all = {.c = v->c};
  for (const option_row *o = rows; o->name; o++) str_printf(&all, " %s", o->name);
  return !all.failed && err_set(v->c, ERR_DOMAIN, "%s has no option %.*s; it has%s", who,
                                (int)n, name, all.at);
}

static bool give(vm *v, const char *who, const char *name, size_t n, arr *x,
                 plot_options *o) { /* x: NULL after an error */
  if (!x) return false;
  if (!is_known(name, n)) return unknown(v, who, name, n);
  OWNED arr *pair = items_pair(v, arr_text(v->c, name, n), arr_retain(x));
  return pair && arg_option_rows(v, pair, who, rows, o);
}

typedef struct taker {
  const char *who;
  plot_options *o;
} taker;

static bool give_pair(vm *v, void *user, arr *name, arr *x) {
  const taker *t = user;
  OWNED_STR str s = {.c = v->c};
  return arg_text(v, name, "the name of an option", &s) &&
         give(v, t->who, s.at ? s.at : "", s.n, x, t->o);
}

static bool give_fields(vm *v, const char *who, const arr *in, plot_options *o) {
  const space *p = space_of(in);
  for (uint32_t i = 0; i < p->n; i++) {
    const value *x = space_read(&p->at[i]);
    if (!x->cls) continue;
    if (x->cls != C_ARR)
      return err_set(v->c, ERR_DOMAIN, "%s: %s is no array", who, p->at[i].s->text);
    if (!give(v, who, p->at[i].s->text, p->at[i].s->len, x->a, o)) return false;
  }
  return true;
}

static bool ends_in(const str *s, const char *end) {
  size_t n = strlen(end);
  return s->n > n && !strcasecmp(s->at + s->n - n, end);
}

/* A word alone: a kind, a format, or the name of a file. */
static bool give_word(vm *v, const char *who, arr *x, plot_options *o) {
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, x, "the options", &s)) return false;
  bool format = s.n && strstr(" " FORMATS, s.at) && !strchr(s.at, ' ');
  bool file = s.n && strchr(s.at, '.');
  if (format) return give(v, who, "format", 6, x, o);
  return file ? give(v, who, "file", 4, x, o) : give(v, who, "kind", 4, x, o);
}

static bool give_all(vm *v, const char *who, arr *x, plot_options *o) {
  if (!x || (!x->count && x->rank)) return true;
  if (x->ref) return give_fields(v, who, x, o);
  if (elt_is_char((elt)x->type) && x->rank < 2) return give_word(v, who, x, o);
  if (!is_nested(x) || x->rank > 1)
    return err_set(v->c, ERR_DOMAIN,
                   "%s: options are a namespace, names and values, or a word", who);
  return arg_options(v, x, give_pair, &(taker){who, o});
}

/* The format that the file's name says, if none is asked for. */
static bool settle_format(vm *v, const char *who, plot_options *o) {
  const str *f = &o->file;
  if (o->format >= 0 || !f->n) return true;
  if (ends_in(f, ".svg")) o->format = SVG;
  else if (ends_in(f, ".png")) o->format = PIXELS;
  else if (ends_in(f, ".txt")) o->format = BRAILLE;
  else
    return err_set(v->c, ERR_DOMAIN, "%s writes .svg, .png and .txt, not %s", who, f->at);
  return true;
}

static void begin(vm *v, plot_options *o) {
  *o = (plot_options){.title.c = v->c, .format = -1, .legend = 1, .grid = 1, .sharp = 1};
  o->colours = ARRAY_LEN(usual);
  memcpy(o->palette, usual, sizeof usual);
  o->label[0].c = o->label[1].c = o->file.c = v->c;
  for (int k = 0; k < 4; k++) o->range[k / 2][k % 2] = NAN;
}

bool plot_read_options(vm *v, const char *who, arr *x, plot_options *o) {
  begin(v, o);
  if (!give_all(v, who, x, o) || !settle_format(v, who, o)) return false;
  bool picture = o->format == SVG || o->format == PIXELS;
  if (picture && o->size[0] && (o->size[0] < 160 || o->size[1] < 100))
    return err_set(v->c, ERR_DOMAIN, "%s: size of a picture is 160 100 at least", who);
  if (o->size[0] * o->size[1] * o->sharp * o->sharp > PIXELS_MOST)
    return err_set(v->c, ERR_LIMIT, "%s: size has too many pixels", who);
  return true;
}

/* ── a command's words ──────────────────────────────────────────────────────────────── */

/* Numbers between commas or blanks, ¯ or - before negative ones. */
static arr *numbers_of(vm *v, const char *name, const str *text) {
  double at[2] = {0};
  int64_t k = 0;
  OWNED_STR str plain = {.c = v->c};
  for (const char *p = text->at, *end = p + text->n; p < end;) {
    uint32_t u = utf8_next(p, end, &p);
    if (u == 0xAF) u = '-';
    str_putc(&plain, u == ',' ? ' ' : u);
  }
  if (plain.failed) return NULL;
  char *p = plain.at, *stop = p;
  for (; p && k < 2; p = stop, k++) {
    at[k] = strtod(p, &stop);
    if (stop == p) break;
  }
  if (!p || !k || *stop)
    return err_null(v->c, ERR_DOMAIN, "]plot -%s= takes a number or two, not %s", name,
                    text->at ? text->at : "nothing");
  OWNED arr *r = k == 1 ? arr_float(v->c, at[0]) : arr_vec(v->c, ET_F64, 2);
  if (r && k == 2) memcpy(r->host, at, sizeof at);
  return arr_move(&r);
}

/* Texts between commas. */
static arr *texts_of(vm *v, const str *text) {
  OWNED_LIST arr_list items = {.v = v};
  const char *p = text->at, *end = p + text->n;
  for (;;) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    const char *stop = comma ? comma : end;
    if (!list_add(&items, arr_text(v->c, p, (size_t)(stop - p)))) return NULL;
    if (!comma) return list_array(&items);
    p = comma + 1;
  }
}

static bool is_one_of(const char *name, const char *blank_separated) {
  const char *at = strstr(blank_separated, name);
  return at && at[strlen(name)] == ' ';
}

arr *plot_word_option(vm *v, const char *name, const str *text) {
  arr *x = NULL;
  if (!is_known(name, strlen(name)) || !text->n)
    return err_null(v->c, ERR_SYNTAX, "]plot has no option -%s=%s", name,
                    text->n ? "…" : "");
  if (is_one_of(name, "title xlabel ylabel xscale yscale format file "))
    x = arr_text(v->c, text->at, text->n);
  else if (is_one_of(name, "kind names x colours ")) x = texts_of(v, text);
  else x = numbers_of(v, name, text);
  if (!x) return NULL;
  return items_pair(v, arr_text(v->c, name, strlen(name)), x);
}

void plot_options_free(plot_options *o) {
  str_free(&o->title);
  str_free(&o->label[0]);
  str_free(&o->label[1]);
  str_free(&o->file);
}
