/* SPDX-License-Identifier: MIT */
/* error.c - how an error looks: its name and message, the line, a caret under the place.
 *
 *   DOMAIN ERROR: a divisor is 0            job.apl:12:7: DOMAIN ERROR: a divisor is 0
 *         1÷0                               mean←{(+/⍵)÷≢⍵}
 *          ^                                           ^
 *
 * Lines and columns count from 1, columns in characters; the caret is placed by display
 * width. A line of the prompt is indented as it was typed. */
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/record.h"
#include "error.h"
#include "system.h"
#include "../../base/utf8.h"
#include "../../array/convert.h"
#include "../../array/element.h"
#include <string.h>

typedef struct place {
  const char *from, *at, *to;
  int line, column;
} place;

/* Where the recorded error lies in its text; false if that is not known. */
static bool find_place(const ctx *c, place *p) {
  const source *s = c->err.at.src;
  if (!s) return false;
  const char *end = s->text + s->len;
  p->at = c->err.at.begin < s->len ? s->text + c->err.at.begin : end;
  p->from = p->to = p->at;
  while (p->from > s->text && p->from[-1] != '\n') p->from--;
  while (p->to < end && *p->to != '\n') p->to++;
  if (p->to > p->from && p->to[-1] == '\r') p->to--;
  p->line = (int)s->first_line;
  for (const char *q = s->text; q < p->from; q++) p->line += *q == '\n';
  p->column = (int)utf8_count(p->from, (size_t)(p->at - p->from)) + 1;
  return true;
}

/* The event message: the error's name, or what ⎕SIGNAL made it. */
static void put_event(const err *e, str *s) {
  const char *name = err_name(e->code);
  if (e->event) str_put(s, e->msg, e->event);
  else if (strcmp(name, "ERROR")) str_puts(s, name);
  else str_printf(s, "ERROR %d", e->code);
}

static void put_head(const ctx *c, str *s) {
  put_event(&c->err, s);
  if (c->err.msg[c->err.event]) str_printf(s, ": %s", c->err.msg + c->err.event);
}

static void put_line(const place *p, int indent, str *s) {
  str_pad(s, (size_t)indent);
  str_put(s, p->from, (size_t)(p->to - p->from));
}

static void put_caret(const place *p, int indent, str *s) {
  str_pad(s, (size_t)indent);
  for (const char *q = p->from; q < p->at;) {
    uint32_t u = utf8_next(q, p->to, &q);
    if (u == '\t') str_puts(s, "\t");
    else str_pad(s, (size_t)utf8_width(u));
  }
  str_puts(s, "^");
}

void vm_error_text(const vm *v, str *out) {
  place p;
  const ctx *c = v->c;
  bool known = find_place(c, &p), named = known && c->err.at.src->name[0];
  int indent = named ? 0 : 6;
  if (!err_is(c)) return;
  if (named) str_printf(out, "%s:%d:%d: ", c->err.at.src->name, p.line, p.column);
  put_head(c, out);
  str_puts(out, "\n");
  if (!known) return;
  put_line(&p, indent, out);
  str_puts(out, "\n");
  put_caret(&p, indent, out);
  str_puts(out, "\n");
}

/* ── what is left of an error ───────────────────────────────────────────────────────── */

void error_forget(vm *v) {
  v->en = 0;
  for (int i = 0; i < 3; i++) str_free(&v->dm[i]), v->dm[i].c = v->c;
  str_free(&v->message);
  v->message.c = v->c;
  for (int i = 0; i < DMX_FIELDS; i++) {
    arr_release(v->dmx[i]);
    v->dmx[i] = NULL;
  }
}

void error_note(vm *v) {
  place p;
  error_forget(v);
  err kept = v->c->err; /* a failed allocation here must not hide it */
  v->en = kept.code;
  put_event(&kept, &v->dm[0]);
  str_puts(&v->message, kept.msg + kept.event);
  if (find_place(v->c, &p)) {
    put_line(&p, 6, &v->dm[1]);
    put_caret(&p, 6, &v->dm[2]);
  }
  for (int i = 0; i < DMX_FIELDS; i++) {
    v->dmx[i] = v->signal[i];
    v->signal[i] = NULL;
  }
  v->c->err = kept;
}

arr *sys_get_en(vm *v, env *e) {
  UNUSED(e);
  return arr_int(v->c, v->en);
}

static arr *text_of(vm *v, const str *s) { return arr_text(v->c, s->at, s->n); }

arr *sys_get_dm(vm *v, env *e) {
  UNUSED(e);
  if (!v->en) return items_of(v, 0, NULL);
  return items_of(
      v, 3,
      (arr *[]){text_of(v, &v->dm[0]), text_of(v, &v->dm[1]), text_of(v, &v->dm[2])});
}

/* ⎕EM n: the name of the error with that number. */
static arr *event_name(vm *v, const arr *y, int64_t i) {
  str s = {.c = v->c};
  double d = arr_get_float(y, i);
  if (!(d >= 0 && d < 1e6))
    return err_set(v->c, ERR_DOMAIN, "⎕EM takes error numbers"), NULL;
  put_event(&(err){.code = (int)d}, &s);
  return str_take(v, &s);
}

bool sys_em(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕EM takes a vector");
  if (y->type > ET_F64) return err_set(v->c, ERR_DOMAIN, "⎕EM takes error numbers");
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; y->rank && i < y->count; i++)
    if (!list_add(&items, event_name(v, y, i))) return false;
  *r = y->rank ? list_array(&items) : event_name(v, y, 0);
  return *r != NULL;
}

/* ── records ────────────────────────────────────────────────────────────────────────── */

arr *sys_get_dmx(vm *v, env *e) {
  arr *item[DMX_FIELDS];
  for (int i = 0; i < DMX_FIELDS; i++)
    item[i] = v->dmx[i]       ? arr_retain(v->dmx[i])
              : i == DM       ? sys_get_dm(v, e)
              : i == EM       ? text_of(v, &v->dm[0])
              : i == EN       ? arr_int(v->c, v->en)
              : i == ENX      ? arr_int(v->c, 0)
              : i == MESSAGE  ? text_of(v, &v->message)
              : i == OS_ERROR ? items_of(v, 3,
                                         (arr *[]){arr_int(v->c, 0), arr_int(v->c, 0),
                                                   arr_text(v->c, "", 0)})
              : i == LOCATION
                  ? items_of(v, 2, (arr *[]){arr_text(v->c, "", 0), arr_int(v->c, 0)})
                  : arr_text(v->c, "vapl", i == VENDOR && v->en ? 4 : 0);
  return record_new(v, REC_DMX, item);
}

/* ── ⎕SIGNAL ────────────────────────────────────────────────────────────────────────── */

typedef struct raise {
  int64_t en;
  str em, message;
} raise;

static bool raise_field(vm *v, arr *name, arr *x, raise *s) {
  str text = {.c = v->c};
  bool ok = arg_text(v, name, "⎕SIGNAL: a name", &text);
  int i = ok ? record_index(REC_DMX, text.at) : -1;
  str_free(&text);
  if (ok && (i < 0 || i == DM || i == LOCATION))
    return err_set(v->c, ERR_DOMAIN,
                   "⎕SIGNAL: unexpected name in the specification of ⎕DMX");
  if (!ok) return false;
  if (i == EN) return arg_int(v, x, &s->en, "⎕SIGNAL: EN");
  if (i == EM || i == MESSAGE)
    return arg_text(v, x, "⎕SIGNAL: EM and Message", i == EM ? &s->em : &s->message);
  bool number = i == ENX, any = i == OS_ERROR;
  if (!any &&
      (x->rank > (number ? 0 : 1) ||
       (x->count && (number ? !elt_is_int((elt)x->type) : !elt_is_char((elt)x->type)))))
    return err_set(v->c, ERR_DOMAIN, "⎕SIGNAL: the value of %s does not fit",
                   record_name(REC_DMX, i));
  arr_release(v->signal[i]);
  v->signal[i] = arr_retain(x);
  return true;
}

/* Names and values: a matrix of two columns, or pairs. */
static bool raise_fields(vm *v, arr *a, raise *s) {
  bool pairs = a->rank < 2,
       ok = a->type == ET_NEST && (pairs || (a->rank == 2 && a->shape[1] == 2));
  int64_t n = pairs ? a->count : a->rank == 2 ? a->shape[0] : 0;
  s->en = -1;
  for (int64_t i = 0; ok && i < n; i++) {
    arr *of = pairs ? arr_item(a, i) : a;
    ok = !pairs || (of->rank == 1 && of->count == 2);
    arr *name = ok ? item_at(v, of, pairs ? 0 : 2 * i) : NULL,
        *x = name ? item_at(v, of, pairs ? 1 : 2 * i + 1) : NULL;
    ok = x && raise_field(v, name, x, s);
    arr_release(name);
    arr_release(x);
  }
  if (ok && s->en >= 0) return true;
  return err_set(v->c, ERR_DOMAIN,
                 "⎕SIGNAL takes an error number, or names and values with EN");
}

/* Raises what s says where the dfn that signals was called, of nested dfns the outermost that
 * is running (it has its ⍵ then) or that ⍎ made; always false. */
static bool raise_now(vm *v, const raise *s) {
  if (s->em.failed || s->message.failed) return false;
  err_set(v->c, (int)s->en, "%s%s", s->em.n ? s->em.at : "",
          s->message.n ? s->message.at : "");
  size_t whole = strlen(v->c->err.msg);
  v->c->err.event = (uint16_t)(s->em.n < whole ? s->em.n : whole);
  if (v->env && v->env != v->executes) {
    const env *e = v->env;
    while (e->outer && e->outer->omega && !e->outer->text) e = e->outer;
    err_at(v->c, e->called);
    v->signalled = e;
  }
  return false;
}

bool sys_signal(vm *v, arr *x, arr *y, arr **r) {
  raise s = {.em = {.c = v->c}, .message = {.c = v->c}};
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕SIGNAL takes a scalar or a vector");
  v->shy = true;
  if (!y->count) return *r = arr_retain(y), true;
  arr *first = item_at(v, y, 0);
  bool ok = first != NULL, named = ok && (first->type == ET_NEST || first->rank);
  if (named && x)
    ok =
        err_set(v->c, ERR_DOMAIN, "⎕SIGNAL with names and values takes no left argument");
  else if (named) ok = raise_fields(v, first, &s);
  else if (ok) ok = arg_int(v, first, &s.en, "⎕SIGNAL: the error number");
  ok = ok && (!x || arg_text(v, x, "⎕SIGNAL: the message", &s.em));
  bool reset = ok && !s.en && !named && !x;
  if (ok && !reset && (s.en < 1 || (s.en > 999 && s.en != 1006)))
    ok = err_set(v->c, ERR_DOMAIN, "⎕SIGNAL takes 0 to 999, and 0 without a message");
  if (reset) error_forget(v);
  for (int i = 0; !ok && i < DMX_FIELDS; i++) {
    arr_release(v->signal[i]);
    v->signal[i] = NULL;
  }
  if (ok && !reset) ok = raise_now(v, &s);
  str_free(&s.em);
  str_free(&s.message);
  arr_release(first);
  return ok && (*r = arr_retain(y));
}
