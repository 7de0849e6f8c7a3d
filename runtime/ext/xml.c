/* SPDX-License-Identifier: MIT */
/* xml.c - ⎕XML: a text in XML as a matrix, and back. It is read by expat, which is loaded when it is first needed.
 *
 * A row for each element, and for each part of a text that is mixed with elements, comments and the like:
 *
 *   depth, from 0 │ name │ text │ matrix of names and values of attributes │ sum of what it is and has
 *
 * An element whose only content is text has it in its own row; other text has a row of its own, without a name. */
#include "../../src/array/display.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include <limits.h>
#include <string.h>
#include <strings.h>

#ifdef __has_include
#if __has_include(<expat.h>) && !defined(NO_EXPAT)
#include <expat.h>
#endif
#endif

enum { LEVEL, NAME, TEXT, ATTRIBUTES, KIND, COLUMNS };
enum { ELEMENT = 1, CHILDREN = 2, DATA = 4, MARKUP = 8, COMMENT = 16, INSTRUCTION = 32 };

/* ── options ────────────────────────────────────────────────────────────────────────── */

enum { STRIP, TRIM, PRESERVE };
typedef struct xml_options {
  int64_t space;    /* what of blanks is kept */
  int64_t markup;   /* are comments and the like rows? */
  int64_t entities; /* is an unknown entity kept as it is written? Else it is a ? */
} xml_options;

/* Names and values may be in any case. */
static bool set_option(vm *v, void *user, arr *name, arr *x) {
  static const struct {
    const char *name, *words[4];
    size_t at;
  } rows[] = {
      {"Whitespace", {"Strip", "Trim", "Preserve"}, offsetof(xml_options, space)},
      {"Markup", {"Strip", "Preserve"}, offsetof(xml_options, markup)},
      {"UnknownEntity", {"Replace", "Preserve"}, offsetof(xml_options, entities)}};
  OWNED_STR str what = {.c = v->c};
  OWNED_STR str is = {.c = v->c};
  size_t i = 0;
  if (!arg_text(v, name, "⎕XML: an option's name", &what)) return false;
  while (i < ARRAY_LEN(rows) && strcasecmp(rows[i].name, what.at)) i++;
  if (i == ARRAY_LEN(rows))
    return err_set(v->c, ERR_DOMAIN,
                   "⎕XML has the options Whitespace, Markup and UnknownEntity");
  if (!arg_text(v, x, "⎕XML: an option", &is)) return false;
  for (int64_t k = 0; rows[i].words[k]; k++)
    if (!strcasecmp(rows[i].words[k], is.at)) {
      *(int64_t *)((char *)user + rows[i].at) = k;
      return true;
    }
  return err_set(v->c, ERR_DOMAIN, "⎕XML: %s is %s or %s%s%s", rows[i].name,
                 rows[i].words[0], rows[i].words[1], rows[i].words[2] ? " or " : "",
                 rows[i].words[2] ? rows[i].words[2] : "");
}

/* ── reading ────────────────────────────────────────────────────────────────────────── */

#ifndef XML_MAJOR_VERSION
static arr *xml_read(vm *v, arr *y, const xml_options *o) {
  UNUSED(y);
  UNUSED(o);
  return err_null(v->c, ERR_NONCE,
                  "⎕XML: this program was built without expat (Debian's libexpat1-dev)");
}
#else

/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(XML_ParserCreate) X(XML_ParserFree) X(XML_SetUserData) X(XML_SetElementHandler)      \
  X(XML_SetCharacterDataHandler) X(XML_SetCommentHandler) X(XML_UseForeignDTD)           \
  X(XML_SetProcessingInstructionHandler) X(XML_SetSkippedEntityHandler) X(XML_Parse)     \
  X(XML_SetStartDoctypeDeclHandler) X(XML_StopParser) X(XML_GetErrorCode)                \
  X(XML_ErrorString) X(XML_GetCurrentLineNumber) X(XML_GetCurrentColumnNumber)
/* clang-format on */
#define LIBRARY_USER "⎕XML"
#define LIBRARY_FILE "libexpat.so.1"
#include "library.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Bytes n at p without the blanks that the option drops. */
static void put_spaced(str *s, const char *p, size_t n, int64_t space) {
  const char *end = n ? p + n : p; /* a text that was never begun is NULL */
  if (space != PRESERVE) {
    while (p < end && is_space(*p)) p++;
    while (p < end && is_space(end[-1])) end--;
  }
  for (; p < end; p++) {
    bool blank = space == STRIP && is_space(*p);
    if (blank && is_space(p[-1])) continue;
    str_put(s, blank ? " " : p, 1);
  }
}

typedef struct reading {
  vm *v;
  library *l;
  XML_Parser p;
  const xml_options *o;
  arr_list
      items; /* of the rows, COLUMNS each; a row's kind and text are put there at its end */
  VEC(size_t) open;  /* rows of the elements that are open */
  VEC(int64_t) kind; /* of each row */
  str text;          /* that came since the last row */
  bool ok;
} reading;

static void stop_reading(reading *k) {
  if (!k->ok) return;
  k->ok = false;
  k->l->XML_StopParser(k->p, XML_FALSE);
}

static bool add_text_item(reading *k, const char *at, size_t n) {
  return list_add(&k->items, arr_text(k->v->c, at ? at : "", n));
}

static arr *no_attributes(vm *v) {
  OWNED arr *none = arr_text(v->c, "", 0);
  return none ? collect_none(v, none, 2, (int64_t[]){0, 2}) : NULL;
}

/* A row but for its kind, at the depth of the elements that are open. */
static bool add_row(reading *k, const char *name, const str *text, arr *attributes,
                    int64_t kind) {
  bool ok = list_add(&k->items, arr_int(k->v->c, (int64_t)k->open.n)) &&
            add_text_item(k, name, strlen(name));
  ok = ok && add_text_item(k, text ? text->at : "", text ? text->n : 0);
  if (!ok) {
    arr_release(attributes);
    return false;
  }
  return list_add(&k->items, attributes) && list_add(&k->items, arr_int(k->v->c, 0)) &&
         vec_push(k->v->c, &k->kind, kind);
}

/* The element that is open has that, too. */
static void mark(reading *k, int64_t what) {
  if (k->open.n) k->kind.at[k->open.at[k->open.n - 1]] |= what;
}

/* The text so far: of the element that `ends`, in its row if nothing else is in it. */
static bool flush_text(reading *k, bool ends) {
  OWNED_STR str s = {.c = k->v->c};
  put_spaced(&s, k->text.at, k->text.n, k->o->space);
  k->text.n = 0;
  if (s.failed || k->text.failed) return false;
  if (!s.n || !k->open.n) return true;
  size_t row = k->open.at[k->open.n - 1];
  mark(k, DATA);
  if (!ends || row + 1 < k->kind.n) return add_row(k, "", &s, no_attributes(k->v), DATA);
  arr **at = &k->items.at[row * COLUMNS + TEXT], *text = arr_text(k->v->c, s.at, s.n);
  if (!text) return false;
  arr_release(*at);
  *at = text;
  return true;
}

static arr *attributes_of(reading *k, const XML_Char **at) {
  OWNED_LIST arr_list items = {.v = k->v};
  for (; *at; at++)
    if (!list_add(&items, arr_text(k->v->c, *at, strlen(*at)))) return NULL;
  int64_t shape[] = {(int64_t)items.n / 2, 2};
  if (!items.n) return no_attributes(k->v);
  items.n = 0; /* collect takes them over */
  return collect(k->v, items.at, 2, shape);
}

static void XMLCALL on_start(void *user, const XML_Char *name,
                             const XML_Char **attributes) {
  reading *k = user;
  bool ok = !interrupted(k->v->c) && flush_text(k, false);
  mark(k, CHILDREN);
  ok = ok && add_row(k, name, NULL, attributes_of(k, attributes), ELEMENT);
  if (!ok || !vec_push(k->v->c, &k->open, k->kind.n - 1)) stop_reading(k);
}

static void XMLCALL on_end(void *user, const XML_Char *name) {
  reading *k = user;
  UNUSED(name);
  if (!flush_text(k, true)) stop_reading(k);
  else k->open.n--;
}

static void XMLCALL on_text(void *user, const XML_Char *at, int n) {
  reading *k = user;
  str_put(&k->text, at, (size_t)n);
  if (k->text.failed || interrupted(k->v->c)) stop_reading(k);
}

static void add_markup(reading *k, const char *before, const char *a, const char *b,
                       int64_t kind) {
  OWNED_STR str s = {.c = k->v->c};
  if (!k->o->markup) return;
  str_printf(&s, "%s%s%s%s%s", before, a, b ? " " : "", b ? b : "",
             kind == INSTRUCTION ? "?>" : "-->");
  bool ok = !s.failed && flush_text(k, false);
  mark(k, kind);
  if (!ok || !add_row(k, "", &s, no_attributes(k->v), kind)) stop_reading(k);
}

static void XMLCALL on_comment(void *user, const XML_Char *text) {
  add_markup(user, "<!--", text, NULL, COMMENT);
}

static void XMLCALL on_instruction(void *user, const XML_Char *name,
                                   const XML_Char *text) {
  add_markup(user, "<?", name, text, INSTRUCTION);
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int internal) {
  reading *k = user;
  OWNED_STR str s = {.c = k->v->c};
  UNUSED(internal);
  if (!k->o->markup) return;
  str_printf(&s, "<!DOCTYPE %s", name);
  if (public) str_printf(&s, " PUBLIC \"%s\" \"%s\"", public, system ? system : "");
  else if (system) str_printf(&s, " SYSTEM \"%s\"", system);
  str_puts(&s, ">");
  if (s.failed || !add_row(k, "", &s, no_attributes(k->v), MARKUP)) stop_reading(k);
}

static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter) {
  reading *k = user;
  if (is_parameter) return;
  if (k->o->entities) str_printf(&k->text, "&%s;", name);
  else str_puts(&k->text, "?");
}

static bool parse_all(reading *k, const str *text) {
  enum { PART = 1 << 20 };
  library *l = k->l;
  l->XML_SetUserData(k->p, k);
  l->XML_UseForeignDTD(k->p, XML_TRUE); /* what entities are not known is told */
  l->XML_SetElementHandler(k->p, on_start, on_end);
  l->XML_SetCharacterDataHandler(k->p, on_text);
  l->XML_SetCommentHandler(k->p, on_comment);
  l->XML_SetProcessingInstructionHandler(k->p, on_instruction);
  l->XML_SetStartDoctypeDeclHandler(k->p, on_doctype);
  l->XML_SetSkippedEntityHandler(k->p, on_entity);
  for (size_t i = 0, n; k->ok && (i < text->n || !i); i += n) {
    n = text->n - i < PART ? text->n - i : PART;
    if (interrupted(k->v->c)) return false;
    if (l->XML_Parse(k->p, text->at + i, (int)n, i + n == text->n)) {
      if (!n) break;
      continue;
    }
    if (!k->ok || err_is(k->v->c)) return false;
    return err_set(k->v->c, ERR_DOMAIN, "⎕XML: line %llu, column %llu: %s",
                   (unsigned long long)l->XML_GetCurrentLineNumber(k->p),
                   (unsigned long long)l->XML_GetCurrentColumnNumber(k->p) + 1,
                   l->XML_ErrorString(l->XML_GetErrorCode(k->p)));
  }
  return k->ok;
}

static arr *xml_read(vm *v, arr *y, const xml_options *o) {
  OWNED_STR str text = {.c = v->c};
  reading k = {.v = v, .o = o, .items = {.v = v}, .text = {.c = v->c}, .ok = true};
  arr *r = NULL;
  if (!arg_text(v, y, "⎕XML", &text) || !(k.l = library_of(v))) return NULL;
  k.p = k.l->XML_ParserCreate("UTF-8");
  if (!k.p) err_set(v->c, ERR_WS_FULL, "⎕XML: no memory for the parser");
  bool ok = k.p && parse_all(&k, &text);
  if (!ok && !err_is(v->c)) err_set(v->c, ERR_WS_FULL, "⎕XML: no memory for the rows");
  for (size_t i = 0; ok && i < k.kind.n; i++) {
    arr **at = &k.items.at[i * COLUMNS + KIND];
    arr_release(*at);
    *at = arr_int(v->c, k.kind.at[i]);
    ok = *at != NULL;
  }
  if (ok) {
    k.items.n = 0; /* collect takes them over */
    r = collect(v, k.items.at, 2, (int64_t[]){(int64_t)k.kind.n, COLUMNS});
  }
  if (k.p) k.l->XML_ParserFree(k.p);
  list_free(&k.items);
  vec_free(v->c, &k.open);
  vec_free(v->c, &k.kind);
  str_free(&k.text);
  return r;
}
#endif

/* ── writing ────────────────────────────────────────────────────────────────────────── */

typedef struct writing {
  vm *v;
  arr *y;
  bool spaced; /* each row on a line of its own */
  str s;
  VEC(int64_t) open; /* rows of the elements that are open */
} writing;

static bool cell_text(writing *w, int64_t row, int column, str *s) {
  OWNED arr *a = item_at(w->v, w->y, row * w->y->shape[1] + column);
  s->n = 0;
  if (a && a->count && a->type <= ET_F64) {
    OWNED arr *shown = arr_format(w->v->c, a, w->v->sv->pp);
    return shown && arg_text(w->v, shown, "⎕XML: a text", s);
  }
  return a && arg_text(w->v, a, "⎕XML: a text", s);
}

static bool cell_number(writing *w, int64_t row, int column, int64_t *n) {
  OWNED arr *a = item_at(w->v, w->y, row * w->y->shape[1] + column);
  return a && arg_number(w->v, value_arr(a), 0, INT32_MAX, "⎕XML: a depth or kind", n);
}

static void put_escaped(str *s, const str *text) {
  for (size_t i = 0; i < text->n; i++) {
    const char *as = NULL;
    switch (text->at[i]) {
    case '<': as = "&lt;"; break;
    case '>': as = "&gt;"; break;
    case '&': as = "&amp;"; break;
    case '"': as = "&quot;"; break;
    default: break;
    }
    if (as) str_puts(s, as);
    else str_put(s, text->at + i, 1);
  }
}

/* Is it a name that can stand in a tag? */
static bool is_tag(writing *w, const str *s) {
  static const char never[] = " \t\r\n<>&\"'/=";
  return (s->n && strcspn(s->at, never) == s->n && !strchr("-.0123456789", *s->at)) ||
         err_set(w->v->c, ERR_DOMAIN, "⎕XML: %s is no name of an element or attribute",
                 s->n ? s->at : "''");
}

static bool put_attributes(writing *w, int64_t row) {
  OWNED arr *a = item_at(w->v, w->y, row * w->y->shape[1] + ATTRIBUTES);
  OWNED_STR str name = {.c = w->v->c};
  OWNED_STR str is = {.c = w->v->c};
  if (!a) return false;
  if (!a->count) return true;
  if (a->rank != 2 || a->shape[1] != 2 || !is_nested(a))
    return err_set(w->v->c, ERR_DOMAIN,
                   "⎕XML: attributes are a matrix of names and values");
  for (int64_t i = 0; i < a->shape[0]; i++) {
    arr *x = arr_item(a, 2 * i + 1);
    name.n = is.n = 0;
    OWNED arr *shown =
        x->type <= ET_F64 ? arr_format(w->v->c, x, w->v->sv->pp) : arr_retain(x);
    if (!shown || !arg_text(w->v, arr_item(a, 2 * i), "⎕XML: an attribute", &name) ||
        !is_tag(w, &name) || !arg_text(w->v, shown, "⎕XML: an attribute", &is))
      return false;
    str_printf(&w->s, " %s=\"", name.at);
    put_escaped(&w->s, &is);
    str_puts(&w->s, "\"");
  }
  return true;
}

static void put_break(writing *w, int64_t depth) {
  if (!w->spaced) return;
  if (w->s.n) str_puts(&w->s, "\n");
  str_pad(&w->s, (size_t)(2 * depth));
}

/* Ends the elements down to that depth. */
static bool put_ends(writing *w, int64_t depth) {
  OWNED_STR str name = {.c = w->v->c};
  while ((int64_t)w->open.n > depth) {
    if (!cell_text(w, w->open.at[--w->open.n], NAME, &name)) return false;
    put_break(w, (int64_t)w->open.n);
    str_printf(&w->s, "</%s>", name.at);
  }
  return !w->s.failed;
}

/* An element; `inner`: the next row is in it. */
static bool put_element(writing *w, int64_t row, const str *name, bool inner) {
  OWNED_STR str text = {.c = w->v->c};
  if (!is_tag(w, name)) return false;
  str_printf(&w->s, "<%s", name->at);
  if (w->y->shape[1] > ATTRIBUTES && !put_attributes(w, row)) return false;
  if (w->y->shape[1] > TEXT && !cell_text(w, row, TEXT, &text)) return false;
  if (!inner && !text.n) str_puts(&w->s, "/>");
  else str_puts(&w->s, ">");
  put_escaped(&w->s, &text);
  if (inner) return vec_push(w->v->c, &w->open, row);
  if (text.n) str_printf(&w->s, "</%s>", name->at);
  return !w->s.failed;
}

/* What has no name: text, or markup as it is written. */
static bool put_other(writing *w, int64_t row) {
  OWNED_STR str text = {.c = w->v->c};
  int64_t kind = DATA;
  if (w->y->shape[1] > KIND && !cell_number(w, row, KIND, &kind)) return false;
  if (w->y->shape[1] > TEXT && !cell_text(w, row, TEXT, &text)) return false;
  if (kind & DATA) put_escaped(&w->s, &text);
  else str_put(&w->s, text.at, text.n);
  return !w->s.failed;
}

static bool put_row(writing *w, int64_t row) {
  OWNED_STR str name = {.c = w->v->c};
  int64_t depth, next = 0;
  bool last = row + 1 == w->y->shape[0];
  if (!cell_number(w, row, LEVEL, &depth) || !cell_text(w, row, NAME, &name))
    return false;
  if (!last && !cell_number(w, row + 1, LEVEL, &next)) return false;
  if (depth > (int64_t)w->open.n)
    return err_set(w->v->c, ERR_DOMAIN, "⎕XML: row %lld is in no element",
                   (long long)row + 1);
  if (!put_ends(w, depth)) return false;
  put_break(w, depth);
  if (name.n) return put_element(w, row, &name, next > depth);
  return put_other(w, row);
}

static arr *xml_write(vm *v, arr *y, const xml_options *o) {
  writing w = {.v = v, .y = y, .spaced = o->space != PRESERVE, .s = {.c = v->c}};
  if (y->shape[1] < NAME + 1 || y->shape[1] > COLUMNS)
    return err_null(v->c, ERR_LENGTH, "⎕XML: a matrix has 2 to 5 columns");
  bool ok = true;
  for (int64_t i = 0; ok && i < y->shape[0]; i++)
    ok = !interrupted(v->c) && put_row(&w, i);
  ok = ok && put_ends(&w, 0);
  vec_free(v->c, &w.open);
  if (!ok) str_free(&w.s);
  return ok ? str_take(v, &w.s) : NULL;
}

bool ext_xml(vm *v, arr *x, arr *y, arr **r) {
  xml_options o = {0};
  if ((v->options && !arg_options(v, v->options, set_option, &o)) ||
      (x && !arg_options(v, x, set_option, &o)))
    return false;
  v->shy = false;
  return give_result(r, y->rank == 2 ? xml_write(v, y, &o) : xml_read(v, y, &o));
}
