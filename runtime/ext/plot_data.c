/* SPDX-License-Identifier: MIT */
/* plot_data.c - what ⎕PLOT is given, as series of doubles.
 *
 *   a vector                one series over the index, or over the option x
 *   a matrix                two columns: x and y of one series; else a heat map; with kinds, names
 *                           or x: each column is a series
 *   a vector of items       a series each: a vector; a pair of vectors x y or a matrix of these
 *                           two columns; a name in front of that
 *   a namespace             its arrays, likewise, under their names
 *
 * A number that is not finite, and ⎕NULL, is a gap. */
#include "plot.h"
#include "../../src/array/element.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include <string.h>

typedef struct reading {
  vm *v;
  const char *who;
  const plot_options *o;
  plot_data *d;
  drawn kind; /* of all series, where one is said; AUTO */
  bool texts; /* the option x has texts */
  double *x;  /* owned: the option x as numbers */
  int64_t x_n;
} reading;

static bool wrong(const reading *g, int code, const char *why) {
  return err_set(g->v->c, code, "%s: %s", g->who, why);
}

/* ── numbers ────────────────────────────────────────────────────────────────────────── */

static bool is_numbers(const arr *a) {
  return elt_is_num((elt)a->type) && a->type != ET_C128;
}

/* A vector of numbers, perhaps with ⎕NULL among them. */
static bool is_gapped(const arr *a) {
  if (!arr_nests(a) || a->rank != 1) return false;
  bool gap = false;
  for (int64_t i = 0; i < a->count; i++) {
    const arr *x = arr_item(a, i);
    if (x->rank || (!x->ref && !is_numbers(x))) return false;
    gap |= x->ref;
  }
  return gap;
}

/* Every step-th number of n from the first one on, owned. */
static double *numbers(const reading *g, const arr *a, int64_t first, int64_t step,
                       int64_t n) {
  double *r = mem_alloc(g->v->c, (size_t)(n ? n : 1) * sizeof *r);
  bool items = arr_nests(a);
  for (int64_t i = 0; r && i < n; i++) {
    int64_t at = first + i * step;
    if (stops_at(g->v->c, i)) {
      mem_free(g->v->c, r);
      return NULL;
    }
    if (!items) r[i] = arr_get_float(a, at);
    else r[i] = arr_item(a, at)->ref ? NAN : arr_get_float(arr_item(a, at), 0);
  }
  return r;
}

/* ── series ─────────────────────────────────────────────────────────────────────────── */

static series *new_series(reading *g, int64_t n) {
  plot_data *d = g->d;
  if (d->n == d->cap && !vec_room(g->v->c, (void **)&d->s, d->n, &d->cap, sizeof *d->s))
    return NULL;
  series *s = &d->s[d->n++];
  *s = (series){.n = n, .kind = AUTO, .name.c = g->v->c};
  return s;
}

/* The option x for a series of n numbers. */
static bool give_x(reading *g, series *s) {
  if (!g->o->x) return true;
  if (g->o->x->count != s->n)
    return err_set(g->v->c, ERR_LENGTH, "%s: x has %lld items, a series %lld", g->who,
                   (long long)g->o->x->count, (long long)s->n);
  if (g->texts) return true;
  s->x = numbers(g, g->o->x, 0, 1, s->n);
  return s->x != NULL;
}

static bool add_column(reading *g, const arr *a, int64_t k) {
  int64_t m = a->rank == 2 ? a->shape[1] : 1, n = a->rank ? a->shape[0] : 1;
  series *s = new_series(g, n);
  if (!s) return false;
  s->y = numbers(g, a, k, m, n);
  return s->y && give_x(g, s);
}

/* Two columns of a matrix as x and y. */
static bool add_points(reading *g, const arr *a) {
  series *s = new_series(g, a->shape[0]);
  if (!s) return false;
  s->x = numbers(g, a, 0, 2, s->n);
  s->y = numbers(g, a, 1, 2, s->n);
  return s->x && s->y;
}

static bool add_pair(reading *g, const arr *x, const arr *y) {
  bool ok = (is_numbers(x) || is_gapped(x)) && (is_numbers(y) || is_gapped(y));
  if (!ok || x->rank > 1 || y->rank > 1)
    return wrong(g, ERR_DOMAIN, "x and y of a series are vectors of numbers");
  if (x->count != y->count)
    return err_set(g->v->c, ERR_LENGTH, "%s: x of a series has %lld numbers, y %lld",
                   g->who, (long long)x->count, (long long)y->count);
  series *s = new_series(g, x->count);
  if (!s) return false;
  s->x = numbers(g, x, 0, 1, s->n);
  s->y = numbers(g, y, 0, 1, s->n);
  return s->x && s->y;
}

static bool is_name(const arr *a) {
  return elt_is_char((elt)a->type) && a->rank < 2 && a->count;
}

static bool add_item(reading *g, const arr *a) {
  if (is_gapped(a)) return add_column(g, a, 0);
  if (is_numbers(a) && a->rank == 1) return add_column(g, a, 0);
  if (is_numbers(a) && a->rank == 2 && a->shape[1] == 2) return add_points(g, a);
  bool pair = arr_nests(a) && a->rank == 1 && (a->count == 2 || a->count == 3);
  if (!pair)
    return wrong(g, ERR_DOMAIN, "a series is numbers, x and y, or a name and these");
  arr *first = arr_item(a, 0), *second = arr_item(a, 1);
  if (!is_name(first)) {
    if (a->count == 2) return add_pair(g, first, second);
    return wrong(g, ERR_DOMAIN, "a series of three items is a name, x and y");
  }
  size_t k = g->d->n;
  bool ok = a->count == 3 ? add_pair(g, second, arr_item(a, 2)) : add_item(g, second);
  return ok &&
         (g->d->s[k].name.n || arg_text(g->v, first, "a series' name", &g->d->s[k].name));
}

static bool add_fields(reading *g, const arr *in) {
  const space *p = space_of(in);
  for (uint32_t i = 0; i < p->n; i++) {
    const value *x = space_read(&p->at[i]);
    size_t k = g->d->n;
    if (x->cls != C_ARR) continue;
    if (!ir_host(g->v->g, x->a) || !add_item(g, x->a)) return false;
    str_puts(&g->d->s[k].name, p->at[i].s->text);
    if (g->d->s[k].name.failed) return false;
  }
  return true;
}

static bool add_heat(reading *g, const arr *a) {
  if (!is_numbers(a) || a->rank != 2)
    return wrong(g, ERR_RANK, "a heat map is a matrix of numbers");
  series *s = new_series(g, a->count);
  if (!s) return false;
  s->kind = HEAT;
  g->d->rows = a->shape[0];
  g->d->columns = a->shape[1];
  s->y = numbers(g, a, 0, 1, a->count);
  return s->y != NULL;
}

/* ── kinds ──────────────────────────────────────────────────────────────────────────── */

static drawn kind_of(const str *s) {
  static const char *const words[] = {"line", "points", "bars", "hist", "heat"};
  for (int k = 0; k < 5; k++)
    if (!strcmp(words[k], s->at)) return (drawn)k;
  return strcmp("scatter", s->at) ? AUTO : POINTS;
}

/* Text i of an option; false: an error, or there is none. */
static bool option_text(const reading *g, arr *texts, int64_t i, const char *what,
                        str *s) {
  arr *one = texts;
  s->n = 0;
  if (is_nested(texts)) one = i < texts->count ? arr_item(texts, i) : NULL;
  else if (i) return false;
  return one && one->count && arg_text(g->v, one, what, s);
}

/* The kind that the options say for a series; with one of them for all. */
static bool said_kind(const reading *g, int64_t i, drawn *kind) {
  OWNED_STR str s = {.c = g->v->c};
  arr *kinds = g->o->kinds;
  *kind = AUTO;
  if (!kinds) return true;
  if (!is_nested(kinds) || kinds->count == 1) i = 0;
  if (!option_text(g, kinds, i, "⎕PLOT's kind", &s)) return !err_is(g->v->c);
  *kind = kind_of(&s);
  return *kind != AUTO ||
         err_set(g->v->c, ERR_DOMAIN,
                 "%s knows the kinds line points bars hist heat, not %s", g->who, s.at);
}

static bool settle_kinds(reading *g, bool pairs) {
  drawn usual = g->texts ? BARS : LINE;
  if (pairs) usual = POINTS;
  for (size_t i = 0; i < g->d->n; i++) {
    series *s = &g->d->s[i];
    drawn kind;
    if (!said_kind(g, (int64_t)i, &kind)) return false;
    if (s->kind == HEAT) continue;
    s->kind = kind == AUTO ? usual : kind;
    if (s->kind == LINE && s->n == 1) s->kind = POINTS;
    if ((s->kind == HIST) != (g->d->s[0].kind == HIST) || s->kind == HEAT)
      return wrong(g, ERR_DOMAIN, "hist and heat do not go with other kinds");
  }
  return true;
}

/* Names of one character each are one text. */
static bool settle_names(reading *g) {
  arr *names = g->o->names;
  bool letters = names && !is_nested(names) && g->d->n > 1 && names->rank == 1 &&
                 names->count == (int64_t)g->d->n;
  for (size_t i = 0; names && i < g->d->n; i++) {
    str *name = &g->d->s[i].name;
    name->n = 0;
    if (letters) str_putc(name, (uint32_t)arr_get_int(names, (int64_t)i));
    else option_text(g, names, (int64_t)i, "names", name);
    if (err_is(g->v->c)) return false;
  }
  return true;
}

static bool is_sorted(const series *s) {
  for (int64_t i = 1; s->x && i < s->n; i++)
    if (s->x[i] < s->x[i - 1]) return false;
  return true;
}

/* ── the whole ──────────────────────────────────────────────────────────────────────── */

static bool read_matrix(reading *g, arr *y, bool *pairs) {
  int64_t m = y->rank == 2 ? y->shape[1] : 1;
  bool named = g->o->names && g->o->names->count == m && m > 1;
  bool columns = named || g->o->x;
  if (y->rank > 2) return wrong(g, ERR_RANK, "numbers are a vector or a matrix");
  if (g->kind == HEAT) return add_heat(g, y);
  if (g->kind == HIST) { /* of all of them */
    OWNED arr *flat = arr_retain(y);
    series *s = new_series(g, y->count);
    return s && (s->y = numbers(g, flat, 0, 1, y->count));
  }
  *pairs = y->rank == 2 && m == 2 && !columns;
  if (*pairs) return add_points(g, y);
  if (y->rank == 2 && m != 1 && !columns && g->kind == AUTO) return add_heat(g, y);
  for (int64_t k = 0; k < m; k++)
    if (!add_column(g, y, k)) return false;
  return true;
}

static bool read_items(reading *g, arr *y) {
  if (y->rank > 1) return wrong(g, ERR_RANK, "series are a vector");
  if (g->kind == HEAT) return wrong(g, ERR_RANK, "a heat map is a matrix of numbers");
  if (is_gapped(y)) return add_item(g, y);
  for (int64_t i = 0; i < y->count; i++)
    if (!add_item(g, arr_item(y, i))) return false;
  return true;
}

static bool read_all(reading *g, arr *y) {
  bool pairs = false, ok;
  g->d->ticks = g->texts ? g->o->x : NULL;
  if (!said_kind(g, 0, &g->kind)) return false;
  if (y->ref) ok = add_fields(g, y);
  else if (is_nested(y)) ok = read_items(g, y);
  else if (is_numbers(y)) ok = read_matrix(g, y, &pairs);
  else ok = wrong(g, ERR_DOMAIN, "the data are real numbers");
  if (!ok || !settle_kinds(g, pairs) || !settle_names(g)) return false;
  for (size_t i = 0; i < g->d->n; i++) g->d->s[i].sorted = is_sorted(&g->d->s[i]);
  return true;
}

bool plot_read_data(vm *v, const char *who, const plot_options *o, arr *y, plot_data *d) {
  reading g = {.v = v, .who = who, .o = o, .d = d};
  g.texts = o->x && (is_nested(o->x) || elt_is_char((elt)o->x->type)) && !is_gapped(o->x);
  for (int64_t i = 0; g.texts && is_nested(o->x) && i < o->x->count; i++)
    if (!elt_is_char((elt)arr_item(o->x, i)->type) && arr_item(o->x, i)->count)
      return wrong(&g, ERR_DOMAIN, "x takes numbers or texts, not both");
  return ir_host(v->g, y) && read_all(&g, y);
}

void plot_data_free(vm *v, plot_data *d) {
  for (size_t i = 0; i < d->n; i++) {
    str_free(&d->s[i].name);
    mem_free(v->c, d->s[i].x);
    mem_free(v->c, d->s[i].y);
  }
  mem_free(v->c, d->s);
}
