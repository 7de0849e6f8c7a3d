/* SPDX-License-Identifier: MIT */
/* sys_regex.c - ⎕R and ⎕S: text searched by regular expressions, replaced or gathered.
 *
 *   text ─▶ UTF-8 ─▶ blocks (lines, or the whole) ─▶ matches ─▶ transformed ─▶ out or items
 *
 * Searching and templates are text/regex.h's; here is what the operands, the options and the
 * text of ⎕R and ⎕S mean, and what becomes of a match: text, numbers, or what a function
 * makes of it. */
#include "../bind/variant.h"
#include "../run/call.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "system.h"
#include "../../base/utf8.h"
#include "../../array/element.h"
#include "../../dist/dist.h"
#include "../../text/lines.h"
#include "../../text/regex.h"
#include <stdlib.h>
#include <string.h>

typedef struct job {
  vm *v;
  const fn *f;
  bool replaces; /* ⎕R */
  bool nested;   /* the text is a vector of lines */
  int64_t lines; /* how many it has; a text that is none counts as one */
  regex x;       /* searches the block */
  str *template; /* one for each pattern, or one for all */
  int64_t templates;
  str text, out;  /* out: of ⎕R */
  arr_list found; /* of ⎕S */
  int64_t number; /* of the block in the text */
  arr *block;     /* as an array, once it was wanted */
} job;

static void job_free(job *j) {
  regex_free(&j->x);
  for (int64_t i = 0; i < j->templates; i++) str_free(&j->template[i]);
  mem_free(j->v->c, j->template);
  list_free(&j->found);
  arr_release(j->block);
  str_free(&j->text);
  str_free(&j->out);
}
#define OWNED_JOB __attribute__((cleanup(job_free)))

static bool gives_codes(const fn *f) {
  return f->r.cls == C_ARR && elt_is_num((elt)f->r.a->type);
}

/* ── the operands ───────────────────────────────────────────────────────────────────── */

/* Operand a as texts: a scalar or vector is one, a nested vector several. */
static int64_t texts_in(const arr *a) { return a->type == ET_NEST ? a->count : 1; }

static arr *text_item(arr *a, int64_t i) {
  return a->type == ET_NEST ? arr_item(a, i) : a;
}

static bool text_in(vm *v, arr *a, int64_t i, const char *what, str *s) {
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "%s must be a vector", what);
  return arg_text(v, text_item(a, i), what, s);
}

static regex_mode mode_of(const fn *f) {
  return (regex_mode){.literal = !regex_option_of(f, REGEX_SEARCH),
                      .caseless = regex_option_of(f, REGEX_IC),
                      .multiline = regex_option_of(f, REGEX_MODE) == 2,
                      .dotall = regex_option_of(f, REGEX_DOTALL),
                      .ungreedy = !regex_option_of(f, REGEX_GREEDY),
                      .ucp = regex_option_of(f, REGEX_UCP)};
}

static bool patterns_new(job *j) {
  vm *v = j->v;
  arr *search = j->f->l.a, *templates = NULL;
  if (j->f->r.cls == C_ARR && !gives_codes(j->f)) templates = j->f->r.a;
  int64_t n = texts_in(search), m = 0;
  if (templates) m = texts_in(templates);
  if (templates && m != 1 && m != n)
    return err_set(v->c, ERR_LENGTH, "%lld patterns, but %lld transformations",
                   (long long)n, (long long)m);
  j->template = mem_zalloc(v->c, (size_t)(m + 1) * sizeof *j->template);
  if (!j->template) return false;
  j->templates = m;
  for (int64_t i = 0; i < m; i++) j->template[i].c = v->c;
  for (int64_t i = 0; i < n; i++) {
    OWNED_STR str s = {.c = v->c};
    if (!text_in(v, search, i, "a search pattern", &s)) return false;
    if (!regex_add(&j->x, &s, mode_of(j->f))) return false;
    if (i < m && !text_in(v, templates, i, "a transformation", &j->template[i]))
      return false;
  }
  return true;
}

static bool check_codes(vm *v, const fn *f) {
  if (!gives_codes(f)) return true;
  const arr *a = f->r.a;
  if (f->code == OP_QUAD_R)
    return err_set(v->c, ERR_DOMAIN, "⎕R: a transformation is text or a function");
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "⎕S: codes are a scalar or a vector");
  for (int64_t i = 0; i < a->count; i++)
    if (!elt_is_int((elt)a->type) || arr_get_int(a, i) < 0 || arr_get_int(a, i) > 3)
      return err_set(v->c, ERR_DOMAIN, "⎕S: codes are 0 to 3");
  return true;
}

/* ── what becomes of a match ────────────────────────────────────────────────────────── */

static int64_t chars(regex_part g) { return (int64_t)utf8_count(g.at, g.n); }

static bool put_transformed(const job *j, const regex_match *m, str *out) {
  const str *template = j->template;
  if (j->templates > 1) template += m->pattern->index;
  if (regex_option_of(j->f, REGEX_TO)) return regex_expand(&j->x, m, template, out);
  str_put(out, template->at, template->n);
  return true;
}

static int64_t code_value(job *j, const regex_match *m, int64_t code) {
  regex_part whole = regex_group(&j->x, m, 0);
  switch (code) {
  case 0: return regex_offset(&j->x, whole.at);
  case 1: return chars(whole);
  case 2: return j->number;
  default: return (int64_t)m->pattern->index;
  }
}

static arr *by_codes(job *j, const regex_match *m) {
  const arr *codes = j->f->r.a;
  arr *r = arr_new(j->v->c, ET_I64, codes->rank, codes->shape);
  for (int64_t i = 0; r && i < codes->count; i++)
    arr_put_int(r, i, code_value(j, m, arr_get_int(codes, i)));
  return r;
}

/* The names of the groups of a match, empty for most. */
static arr *names_of(job *j, const regex_match *m) {
  OWNED_LIST arr_list items = {.v = j->v};
  for (int i = 0; i < m->pattern->groups; i++) {
    const char *name = regex_group_name(&j->x, m->pattern, i);
    if (!list_add(&items, arr_text(j->v->c, name, strlen(name)))) return NULL;
  }
  return list_array(&items);
}

/* The namespace that a transformation function is given. */
static arr *match_space(job *j, const regex_match *m) {
  ctx *c = j->v->c;
  const regex_pattern *p = m->pattern;
  OWNED arr *offsets = arr_vec(c, ET_I64, p->groups);
  OWNED arr *lengths = arr_vec(c, ET_I64, p->groups);
  if (!offsets || !lengths) return NULL;
  for (int i = 0; i < p->groups; i++) {
    regex_part g = regex_group(&j->x, m, i);
    int64_t at = -1, n = -1;
    if (g.found) {
      at = regex_offset(&j->x, g.at);
      n = chars(g);
    }
    arr_put_int(offsets, i, at);
    arr_put_int(lengths, i, n);
  }
  if (!j->block) j->block = arr_text(c, j->x.text, j->x.n);
  if (!j->block) return NULL;
  regex_part whole = regex_group(&j->x, m, 0);
  static const char *const names[] = {"Block",       "BlockNum", "Pattern", "PatternNum",
                                      "Match",       "Offsets",  "Lengths", "Names",
                                      "ReplaceMode", "TextOnly"};
  arr *items[] = {arr_retain(j->block),
                  arr_int(c, j->number),
                  arr_retain(text_item(j->f->l.a, (int64_t)p->index)),
                  arr_int(c, (int64_t)p->index),
                  arr_text(c, whole.at, whole.n),
                  arr_move(&offsets),
                  arr_move(&lengths),
                  names_of(j, m),
                  arr_int(c, j->replaces),
                  arr_int(c, j->replaces)};
  return space_of_items(j->v, arr_text(c, "#.[Match]", 9), ARRAY_LEN(items), names,
                        items);
}

/* What the function makes of a match; *r is NULL if it gave no result. */
static bool by_function(job *j, const regex_match *m, arr **r) {
  OWNED arr *y = match_space(j, m);
  if (!y || !call(j->v, j->f->r.f, NULL, y, r)) return false;
  return !*r || ir_host(j->v->g, *r);
}

/* Puts out what takes the place of a match. */
static bool replace(job *j, const regex_match *m) {
  if (j->f->r.cls != C_FN) return put_transformed(j, m, &j->out);
  OWNED arr *r = NULL;
  OWNED_STR str s = {.c = j->v->c};
  if (!by_function(j, m, &r)) return false;
  if (!r) return err_set(j->v->c, ERR_VALUE, "the function gave no result");
  if (!arg_text(j->v, r, "what replaces a match", &s)) return false;
  str_put(&j->out, s.at, s.n);
  return true;
}

/* Adds the item that a match becomes. */
static bool gather(job *j, const regex_match *m) {
  if (gives_codes(j->f)) return list_add(&j->found, by_codes(j, m));
  if (j->f->r.cls == C_FN) {
    OWNED arr *r = NULL;
    if (!by_function(j, m, &r)) return false;
    return !r || list_add(&j->found, arr_move(&r));
  }
  OWNED_STR str s = {.c = j->v->c};
  return put_transformed(j, m, &s) && list_add(&j->found, str_take(j->v, &s));
}

/* ── the text ───────────────────────────────────────────────────────────────────────── */

/* Every match in a block, or as many as ML says: the first ML, or the one of number -ML. ⎕R
 * copies what is between them. */
static bool search_block(job *j, const char *text, size_t n) {
  int ml = regex_option_of(j->f, REGEX_ML), last = abs(ml);
  size_t copied = 0;
  arr_release(j->block);
  j->block = NULL;
  regex_begin(&j->x, text, n);
  for (int seen = 1;; seen++) {
    regex_match m;
    if (!regex_next(&j->x, &m)) return false;
    if (!m.pattern) break;
    bool wanted = ml >= 0 || seen == last;
    if (wanted && j->replaces) {
      str_put(&j->out, text + copied, m.begin - copied);
      if (!replace(j, &m)) return false;
      copied = m.end;
    } else if (wanted && !gather(j, &m)) return false;
    if (seen == last) break;
  }
  if (j->replaces) str_put(&j->out, text + copied, n - copied);
  return !j->out.failed;
}

/* The blocks of the text, and with ⎕R the line ends between them. */
static bool search(job *j) {
  const char *p = j->text.at, *end = p + j->text.n;
  bool by_line = regex_option_of(j->f, REGEX_MODE) == 0;
  if (by_line && regex_option_of(j->f, REGEX_DOTALL))
    return err_set(j->v->c, ERR_DOMAIN, "⍠: DotAll needs Mode D or M");
  str_put(&j->out, "", 0); /* a text, though an empty one, if nothing is put */
  for (bool more = j->lines > 0; more; j->number++) {
    const char *stop = end;
    size_t eol = 0;
    if (by_line) stop = line_stop(p, end, &eol);
    if (!search_block(j, p, (size_t)(stop - p))) return false;
    if (j->replaces) str_put(&j->out, stop, eol);
    p = stop + eol;
    more = eol && (p < end || j->nested);
  }
  return !j->out.failed;
}

static const char *eol_of(const fn *f) {
  return line_ends[regex_option_of(f, REGEX_EOL)];
}

/* Half a character has no UTF-8. */
static bool check_characters(vm *v, const arr *a) {
  for (int64_t i = 0; i < a->count && elt_is_char((elt)a->type); i++)
    if (arr_get_int(a, i) >> 11 == 0xD800 >> 11)
      return err_set(v->c, ERR_DOMAIN, "element %lld is half a character",
                     (long long)i + v->sv->io);
  return true;
}

/* Adds a to the text; NEOL makes every line end the one of EOL. */
static bool put_text(job *j, arr *a) {
  if (!check_characters(j->v, a)) return false;
  if (!regex_option_of(j->f, REGEX_NEOL)) return arg_text(j->v, a, "the text", &j->text);
  OWNED_STR str s = {.c = j->v->c};
  if (!arg_text(j->v, a, "the text", &s)) return false;
  lines_put(&j->text, s.at, s.n, eol_of(j->f));
  return !j->text.failed;
}

/* The whole text in UTF-8, lines joined by the line end. */
static bool text_new(job *j, arr *y) {
  if (y->rank > 1) return err_set(j->v->c, ERR_RANK, "the text must be a vector");
  j->nested = y->type == ET_NEST;
  if (!j->nested) return put_text(j, y);
  for (int64_t i = 0; i < y->count; i++) {
    if (i) str_puts(&j->text, eol_of(j->f));
    if (!put_text(j, arr_item(y, i))) return false;
  }
  str_put(&j->text, "", 0);
  return !j->text.failed;
}

/* ── the result ─────────────────────────────────────────────────────────────────────── */

/* The lines of what was put out. */
static arr *out_lines(const job *j) {
  OWNED_LIST arr_list items = {.v = j->v};
  const char *p = j->out.at, *end = p + j->out.n;
  for (bool more = j->lines > 0; more;) {
    size_t eol;
    const char *stop = line_stop(p, end, &eol);
    if (!list_add(&items, arr_text(j->v->c, p, (size_t)(stop - p)))) return NULL;
    p = stop + eol;
    more = eol != 0;
  }
  return list_array(&items);
}

/* What ⎕R gives. ResultText: 1 is Simple, 2 Nested, 0 as the text was. */
static arr *replaced(const job *j) {
  int how = regex_option_of(j->f, REGEX_RESULT);
  if (how == 2 || (how == 0 && j->nested)) return out_lines(j);
  return arr_text(j->v->c, j->out.at, j->out.n);
}

/* What ⎕S gives: an item for each match. */
static arr *gathered(job *j) {
  vm *v = j->v;
  int64_t none = 0;
  if (j->found.n) return list_array(&j->found);
  if (j->f->r.cls == C_FN) return arr_vec(v->c, ET_I8, 0);
  if (gives_codes(j->f)) return collect_none(v, j->f->r.a, 1, &none);
  return items_of(v, 0, NULL);
}

/* The library has to be there on all ranks. */
static bool open_library(vm *v) {
  if (v->regex) return true;
  v->regex = regex_lib_open(v->c);
  if (dist_most(v->c, NULL, 0) && v->regex) return true;
  regex_lib_close(v->regex);
  v->regex = NULL;
  return false;
}

bool regex_call(vm *v, fn *f, arr *x, arr *y, arr **r) {
  *r = NULL;
  if (x) return err_set(v->c, ERR_NONCE, "⎕R and ⎕S write to no stream in this version");
  if (!verify(v) || !ir_host(v->g, y) || !ir_host(v->g, f->l.a)) return false;
  if (f->r.cls == C_ARR && !ir_host(v->g, f->r.a)) return false;
  if (!check_codes(v, f) || !open_library(v)) return false;
  bool replaces = f->code == OP_QUAD_R;
  OWNED_JOB job j = {.v = v,
                     .f = f,
                     .replaces = replaces,
                     .lines = texts_in(y),
                     .x = {.c = v->c,
                           .lib = v->regex,
                           .overlap = !replaces && regex_option_of(f, REGEX_OM)},
                     .text = {.c = v->c},
                     .out = {.c = v->c},
                     .found = {.v = v}};
  if (!patterns_new(&j) || !text_new(&j, y) || !search(&j)) return false;
  if (replaces) return give_result(r, replaced(&j));
  return give_result(r, gathered(&j));
}
