/* SPDX-License-Identifier: MIT */
/* help.c - ]help TOPIC: what a glyph, a ⎕-name or a command does, with examples, found by itself,
 * by one of its names or by what people call the task.
 *
 * All that is shown are rows of src/tables: a topic's examples and names of help.def, what it is of
 * prim.def, oper.def, sysname.def and command.c. The topics that fit best are shown: those
 * that have the name, else those that have it as a word of one, else those whose
 * explanation has it. One of them is shown whole, several by a line each. What fits none is answered by what is spelled alike. */
#include "../value/sysname.h"
#include "command.h"
#include "../../base/utf8.h"
#include "../../tables/glyphs.h"
#include "../../tables/help.h"
#include "../../tables/oper.h"
#include "../../tables/prim.h"
#include <string.h>
#include <strings.h>

/* ── what a topic is ────────────────────────────────────────────────────────────────── */

typedef struct help_row {
  const char *monadic, *dyadic;
} help_row;
static const help_row help[P_COUNT] = {
#define HELP(id, monadic, dyadic) [P_##id] = {monadic, dyadic},
#include "../../tables/prim.def"
};

static prim prim_of_key(const char *key) {
  const char *end = key + strlen(key), *next;
  prim p = prim_of(utf8_next(key, end, &next));
  return next == end ? p : P_COUNT;
}

static void put_form(str *s, const char *form, const char *glyph, const char *name,
                     const char *text) {
  if (!*name) return;
  str_printf(s, form, glyph);
  str_printf(s, "%s: %s\n", name, text ? text : "");
}

static void put_prim(str *s, prim p) {
  const prim_row *row = &prim_table[p];
  put_form(s, "%s y    ", row->glyph, row->monadic, help[p].monadic);
  put_form(s, "x %s y  ", row->glyph, row->dyadic, help[p].dyadic);
  if (p != P_CIRCLE) return;
  for (prim q = P_CO_SIN; q <= P_EXP_I; q++) /* circle.def */
    str_printf(s, "  %s: %s\n", prim_table[q].monadic, help[q].monadic);
}

static int row_of_name(const char *key) { return sys_find(key, strlen(key)); }

/* The lines that say what it is. None: this build has it not. */
static void put_meaning(str *s, const char *key) {
  prim p = prim_of_key(key);
  const help_sign *sign = help_sign_of(key);
  int row = row_of_name(key);
  if (p < P_COUNT) put_prim(s, p);
  for (size_t i = 0; oper_at_row(i); i++) {
    const oper_row *op = oper_at_row(i);
    if (!strcmp(key, op->glyph) && *op->help)
      str_printf(s, "%s  %s: %s\n", key, op->name, op->help);
  }
  if (sign) str_printf(s, "%s  %s: %s\n", key, sign->name, sign->help);
  if (row >= 0) str_printf(s, "%s  %s\n", key, sys_help(row));
  for (size_t i = 0; command_at(i); i++) {
    const command_row *k = command_at(i);
    if (!strcmp(key, k->name)) str_printf(s, "%s%s  %s\n", key, k->args, k->help);
  }
}

/* ── where it runs ──────────────────────────────────────────────────────────────────── */

static void put_place(str *s, prim p, bool dyadic) {
  bool host;
  const char *note = prim_note(p, dyadic, &host);
  if (!prim_has(p, dyadic)) return;
  if (s->n && s->at[s->n - 1] != '\n') str_puts(s, "; ");
  else str_puts(s, "runs: ");
  if (dyadic) str_puts(s, "x ");
  str_printf(s, "%s y ", prim_table[p].glyph);
  if (prim_is_scalar(p, dyadic)) str_puts(s, "in kernels, fused");
  else if (!strcmp(prim_device(p, dyadic), "SHAPE"))
    str_puts(s, "nowhere: no element moves");
  else if (host) str_puts(s, "on the host");
  else str_puts(s, "in kernels");
  if (*note) str_printf(s, " (%s)", note);
}

static void put_places(str *s, const help_topic *t) {
  prim p = prim_of_key(t->key);
  if (*t->runs) str_printf(s, "runs: %s", t->runs);
  else if (p < P_COUNT) {
    put_place(s, p, false);
    put_place(s, p, true);
  } else if (row_of_name(t->key) >= 0) str_puts(s, "runs: on the host");
  else return;
  str_puts(s, "\n");
}

/* ── a topic ────────────────────────────────────────────────────────────────────────── */

static void put_examples(str *s, const help_topic *t) {
  for (size_t i = 0; t->examples[i]; i += 2) {
    const char *result = t->examples[i + 1];
    str_printf(s, "      %s\n", t->examples[i]);
    if (!strncmp(result, "! ", 2)) result += 2;
    if (*result && help_runs(result)) str_printf(s, "%s\n", result);
  }
}

/* What arguments it takes, where the lines of its meaning leave that open. */
static void put_arguments(str *s, const char *key) {
  prim p = prim_of_key(key);
  int row = row_of_name(key), valence = row < 0 ? 0 : sys_valence(row);
  if (p < P_COUNT && prim_is_scalar(p, true))
    str_puts(s, "arguments: of one shape, or one of them of one element; else RANK ERROR "
                "or LENGTH ERROR\n");
  if (!(valence & SYS_EITHER)) return;
  str_puts(s, "arguments:");
  if (valence & SYS_MONADIC) str_printf(s, " %s y", key);
  if ((valence & SYS_EITHER) == SYS_EITHER) str_puts(s, ",");
  if (valence & SYS_DYADIC) str_printf(s, " x %s y", key);
  str_puts(s, "\n");
}

static void put_topic(str *s, const help_topic *t) {
  const glyph_row *g = glyph_of(t->key);
  put_meaning(s, t->key);
  if (g) str_printf(s, "typed: `%c, or %s and Tab\n", g->key, g->name);
  put_arguments(s, t->key);
  put_places(s, t);
  put_examples(s, t);
}

/* ── finding topics ─────────────────────────────────────────────────────────────────── */

typedef enum fit { FIT_NONE, FIT_TEXT, FIT_WORD, FIT_NAME, FIT_KEY } fit;

static bool has_word(const char *text, size_t text_n, const char *word, size_t n) {
  const char *end = text + text_n;
  for (const char *p = text; p + n <= end; p++) {
    bool begins = p == text || strchr(" -,;:()", p[-1]);
    bool ends = p + n == end || strchr(" -,;:()\n", p[n]);
    if (begins && ends && !strncasecmp(p, word, n)) return true;
  }
  return false;
}

/* A key without the sign that it begins with. */
static const char *bare(const char *key) {
  static const char quad[] = "⎕";
  if (!strncmp(key, quad, sizeof quad - 1)) return key + sizeof quad - 1;
  return key + (key[1] && strchr(")]", *key));
}

static fit fit_of(const help_topic *t, const char *word, size_t n, const str *meaning) {
  help_name names[HELP_NAMES];
  size_t count = help_names(t, names);
  if (help_same(&names[0], word, n)) return FIT_KEY;
  if (help_same(&(help_name){.at = bare(t->key), .n = strlen(bare(t->key))}, word, n))
    return FIT_NAME;
  for (size_t i = 1; i < count; i++)
    if (help_same(&names[i], word, n)) return FIT_NAME;
  for (size_t i = 1; i < count; i++)
    if (has_word(names[i].at, names[i].n, word, n)) return FIT_WORD;
  if (has_word(meaning->at, meaning->n, word, n)) return FIT_TEXT;
  return FIT_NONE;
}

/* Calls for each topic of this build that fits: of those that fit best how many there are,
 * the first of them, and a line for each. */
typedef struct found {
  fit best;
  int n;
  const help_topic *first;
  str lines;
} found;

static void find_topics(ctx *c, const char *word, size_t n, found *f) {
  for (size_t i = 0; help_at(i); i++) {
    const help_topic *t = help_at(i);
    OWNED_STR str meaning = {.c = c};
    put_meaning(&meaning, t->key);
    if (meaning.failed) f->lines.failed = true;
    if (!meaning.n || meaning.failed) continue;
    fit is = fit_of(t, word, n, &meaning);
    if (is == FIT_NONE || is < f->best) continue;
    if (is > f->best) {
      f->best = is;
      f->n = 0;
      f->lines.n = 0;
    }
    if (!f->n++) f->first = t;
    str_put(&f->lines, meaning.at,
            is < FIT_WORD ? strcspn(meaning.at, "\n") + 1 : meaning.n);
  }
}

/* ── what is spelled alike ──────────────────────────────────────────────────────────── */

enum { WORD_MOST = 20 };

/* How many letters must be put, taken or changed; more than WORD_MOST are not compared. */
static size_t distance(const help_name *name, const char *word, size_t n) {
  size_t row[WORD_MOST + 1];
  if (name->n > WORD_MOST || n > WORD_MOST) return WORD_MOST;
  for (size_t k = 0; k <= n; k++) row[k] = k;
  for (size_t i = 1; i <= name->n; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t k = 1; k <= n; k++) {
      size_t above = row[k];
      size_t least = corner + (strncasecmp(name->at + i - 1, word + k - 1, 1) != 0);
      if (above + 1 < least) least = above + 1;
      if (row[k - 1] + 1 < least) least = row[k - 1] + 1;
      row[k] = least;
      corner = above;
    }
  }
  return row[n];
}

static bool is_near(const help_name *name, const char *word, size_t n) {
  size_t letters = utf8_count(word, n), most = 1;
  if (letters < 3 || name->n < 3) return false;
  if (letters > 4) most = 2;
  bool begins = name->n > n && !strncasecmp(name->at, word, n);
  return begins || distance(name, word, n) <= most;
}

static void put_near(str *s, const char *word, size_t n) {
  int shown = 0;
  for (size_t i = 0; help_at(i); i++) {
    help_name names[HELP_NAMES];
    size_t count = help_names(help_at(i), names);
    for (size_t k = 0; k < count && shown < 8; k++) {
      if (!is_near(&names[k], word, n)) continue;
      str_puts(s, shown ? ", " : "; near it: ");
      shown++;
      str_put(s, names[k].at, names[k].n);
      break;
    }
  }
}

/* Of several words, or glyphs, that nothing has as a whole what each is, once. */
static void find_parts(ctx *c, const char *word, size_t n, found *f) {
  const char *end = word + n, *next;
  bool letters = memchr(word, ' ', n) || bare(word) > word || (*word | 32) >= 'a';
  for (const char *p = word; p < end; p = next) {
    utf8_next(p, end, &next);
    while (letters && next < end && *next != ' ') next++;
    while (p < next && *p == ' ') p++;
    found part = {.lines = {.c = c}};
    bool whole = next - p == end - word, brief = letters && next - p < 3;
    if (p < next && !whole && !brief) find_topics(c, p, (size_t)(next - p), &part);
    bool said = f->n && part.lines.at && strstr(f->lines.at, part.lines.at);
    if (part.best > FIT_TEXT && !said) {
      str_put(&f->lines, part.lines.at, part.lines.n);
      f->first = part.first;
      f->n += part.n;
    }
    if (part.lines.failed) f->lines.failed = true;
    str_free(&part.lines);
  }
}

void help_about(str *s, const char *word, size_t n) {
  found f = {.lines = {.c = s->c}};
  OWNED_STR str own = {.c = s->c};
  str_put(&own, word, n);
  const char *hint = own.failed ? NULL : hint_of(own.at);
  if (hint) str_printf(s, "%s\n", hint);
  find_topics(s->c, word, n, &f);
  if (!f.n) find_parts(s->c, word, n, &f);
  if (f.n == 1) put_topic(s, f.first);
  else if (f.n) str_printf(s, "%s]help and one of these says more\n", f.lines.at);
  else if (!hint) {
    str_puts(s, "nothing is known about ");
    str_put(s, word, n);
    put_near(s, word, n);
    str_puts(s, "\n");
  }
  if (own.failed || f.lines.failed) s->failed = true;
  str_free(&f.lines);
}

/* Without a topic: the glyphs, and how to ask. */
void help_all(str *s) {
  str_puts(s, "\n");
  for (size_t i = 0; help_at(i) && !strchr(")]", *help_at(i)->key); i++) {
    const char *key = help_at(i)->key;
    if (row_of_name(key) >= 0 && strcmp(key, "⍎")) continue;
    str_printf(s, "%s%s", i ? " " : "", key);
  }
  str_puts(s, "\n]help and one of these, of the ⎕-names, a name or a task says more: "
              "]help ⍋  ]help reduce  ]help sort  ]help ⎕CSV  ]help ]plan\n");
}
