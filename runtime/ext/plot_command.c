/* SPDX-License-Identifier: MIT */
/* plot_command.c - ]plot [options] [FILE] EXPR: ⎕PLOT with words for options, which shows the braille. */
#include "plot.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/value/items.h"
#include <string.h>
#include <strings.h>

/* ── the words of the line ──────────────────────────────────────────────────────────── */

typedef struct plot_line {
  vm *v;
  str path;
  arr_list pairs; /* options */
} plot_line;

static void command_free(plot_line *p) {
  str_free(&p->path);
  list_free(&p->pairs);
}

/* The word at `at`; a quote in it goes on over blanks. */
static const char *word_end(const char *at, const char *end) {
  bool quoted = false;
  for (; at < end && (quoted || !is_blank(*at)); at++)
    if (*at == '\'') quoted = !quoted;
  return at;
}

/* -kind, or -name=text: the option's pair goes to p->pairs. *known: it is one, right or wrong. */
static bool read_option(plot_line *p, const char *at, size_t n, bool *known) {
  static const char *const kinds[] = {"line", "points", "scatter",
                                      "bars", "hist",   "heat"};
  OWNED_STR str name = {.c = p->v->c};
  OWNED_STR str text = {.c = p->v->c};
  const char *equals = memchr(at, '=', n);
  str_put(&name, at + 1, (equals ? (size_t)(equals - at) : n) - 1);
  for (const char *q = equals ? equals + 1 : at + n; q < at + n; q++)
    if (*q != '\'') str_put(&text, q, 1);
  *known = equals != NULL;
  if (name.failed || text.failed) return false;
  for (size_t k = 0; !equals && k < ARRAY_LEN(kinds); k++) {
    if (strcmp(kinds[k], name.at)) continue;
    *known = true;
    name.n = 0;
    str_puts(&name, "kind");
    str_puts(&text, kinds[k]);
  }
  return !*known || list_add(&p->pairs, plot_word_option(p->v, name.at, &text));
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
static bool read_file(plot_line *p, const char **at, const char *end) {
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
static bool read_words(plot_line *p, const char **at, const char *end) {
  for (;;) {
    while (*at < end && is_blank(**at)) (*at)++;
    const char *stop = word_end(*at, end);
    size_t n = (size_t)(stop - *at);
    bool letter = n > 1 && (*at)[1] >= 'a' && (*at)[1] <= 'z';
    if (n && **at == '-' && letter) {
      bool known;
      if (!read_option(p, *at, n, &known)) return false;
      if (known) *at = stop;
      else if (stop < end)
        return err_set(
            p->v->c, ERR_SYNTAX,
            "]plot knows -line -points -bars -hist -heat, and ⎕PLOT's options as "
            "-title= -rows= …; not %.*s",
            (int)n, *at);
      else return true;
    } else {
      const char *before = *at;
      if (!read_file(p, at, end)) return false;
      if (*at == before) return true;
    }
  }
}

/* ── ]plot ──────────────────────────────────────────────────────────────────────────── */

/* A file is told of; what is drawn is shown. */
static bool show(plot *p, const str *picture) {
  OWNED_STR str s = {.c = p->v->c};
  if (!p->o.file.n) return put_out(p->v, picture->at, picture->n);
  if (!plot_write(p, picture)) return false;
  str_puts(&s, p->o.file.at);
  if (p->medium != BRAILLE) str_printf(&s, ": %.0f by %.0f", p->page.w, p->page.h);
  str_puts(&s, "\n");
  return !s.failed && put_out(p->v, s.at, s.n);
}

static bool plot_value(plot *p, arr *y) {
  OWNED_STR str picture = {.c = p->v->c};
  if (p->o.format == PIXELS && !p->o.file.n)
    return err_set(p->v->c, ERR_DOMAIN, "]plot -format=png needs the name of a file");
  return plot_render(p, y, &picture) && show(p, &picture);
}

bool ext_cmd_plot(vm *v, const char *at, const char *end) {
  __attribute__((cleanup(command_free)))
  plot_line k = {.v = v, .path = {.c = v->c}, .pairs = {.v = v}};
  OWNED_PLOT plot p = {.v = v, .who = "]plot"};
  OWNED_VALUE value r = {0};
  bool shy;
  if (!read_words(&k, &at, end)) return false;
  if (k.path.n && !list_add(&k.pairs, items_pair(v, arr_text(v->c, "file", 4),
                                                 arr_text(v->c, k.path.at, k.path.n))))
    return false;
  OWNED arr *options = k.pairs.n ? list_array(&k.pairs) : NULL;
  if (err_is(v->c) || !plot_read_options(v, p.who, options, &p.o)) return false;
  if (p.o.file.n && !ext_may(v, MAY_WRITE, p.who)) return false;
  vm_text t = {.name = "", .at = at, .n = (size_t)(end - at)};
  if (!run_text(v, &t, false, &r, &shy)) return false;
  if (r.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "]plot takes an array");
  return plot_value(&p, r.a);
}
