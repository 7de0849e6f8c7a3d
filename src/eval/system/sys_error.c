/* SPDX-License-Identifier: MIT */
/* sys_error.c - errors as data: ⎕EN ⎕EM ⎕DM ⎕DMX, and ⎕SIGNAL, which makes them. */
#include <string.h>
#include "../../array/convert.h"
#include "../../array/element.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "error.h"
#include "system.h"

/* ── ⎕DMX ───────────────────────────────────────────────────────────────────────────── */

enum { CATEGORY, DM, EM, EN, ENX, HELP_URL, LOCATION, MESSAGE, OS_ERROR, VENDOR };
static const char *const fields[DMX_FIELDS] = {
    "Category",         "DM",      "EM",      "EN",    "ENX", "HelpURL",
    "InternalLocation", "Message", "OSError", "Vendor"};

/* -1: there is no such field. */
static int field_of(const char *name) {
  for (int i = 0; i < DMX_FIELDS; i++)
    if (!strcmp(fields[i], name)) return i;
  return -1;
}

/* ── the last error ─────────────────────────────────────────────────────────────────── */

arr *sys_get_en(vm *v) { return arr_int(v->c, v->en); }

static arr *text_of(vm *v, const str *s) { return arr_text(v->c, s->at, s->n); }
static arr *no_text(vm *v) { return arr_text(v->c, "", 0); }

arr *sys_get_dm(vm *v) {
  if (!v->en) return items_of(v, 0, NULL);
  arr *lines[] = {text_of(v, &v->dm[0]), text_of(v, &v->dm[1]), text_of(v, &v->dm[2])};
  return items_of(v, 3, lines);
}

/* What a field of ⎕DMX is unless ⎕SIGNAL set it. */
static arr *dmx_field(vm *v, int field) {
  switch (field) {
  case DM: return sys_get_dm(v);
  case EM:
    if (!v->executed) return text_of(v, &v->dm[0]);
    return arr_text(v->c, v->dm[0].at + strlen("⍎"), v->dm[0].n - strlen("⍎"));
  case EN: return sys_get_en(v);
  case ENX: return arr_int(v->c, 0);
  case MESSAGE: return text_of(v, &v->message);
  case VENDOR:
    if (!v->en) return no_text(v);
    return arr_text(v->c, "vapl", 4);
  case LOCATION: return items_pair(v, no_text(v), arr_int(v->c, 0));
  case OS_ERROR: {
    arr *none[] = {arr_int(v->c, 0), arr_int(v->c, 0), no_text(v)};
    return items_of(v, 3, none);
  }
  default: return no_text(v);
  }
}

/* How ⎕DMX shows: names and values of what it has to say. */
static arr *shown_as(vm *v, arr *em, arr *message) {
  int64_t shape[2] = {em && em->count ? 2 : 0, 2};
  OWNED_LIST arr_list items = {.v = v};
  if (!em || !message) return NULL;
  if (!shape[0]) return arr_new(v->c, ET_C8, 2, shape);
  if (!list_add(&items, arr_text(v->c, "EM", 2)) || !list_add(&items, arr_retain(em)) ||
      !list_add(&items, arr_text(v->c, "Message", 7)) ||
      !list_add(&items, arr_retain(message)))
    return NULL;
  OWNED arr *rows = list_array(&items);
  return rows ? arr_reshape(v->c, rows, 2, shape) : NULL;
}

arr *sys_get_dmx(vm *v) {
  arr *item[DMX_FIELDS];
  for (int i = 0; i < DMX_FIELDS; i++) {
    if (v->dmx[i]) item[i] = arr_retain(v->dmx[i]);
    else item[i] = dmx_field(v, i);
  }
  return space_of_items(v, shown_as(v, item[EM], item[MESSAGE]), DMX_FIELDS, fields,
                        item);
}

/* ⎕EM n: the name of the error with that number. */
static arr *event_name(vm *v, const arr *y, int64_t i) {
  str s = {.c = v->c};
  double d = arr_get_float(y, i);
  if (!(d >= 0 && d < 1e6)) return err_null(v->c, ERR_DOMAIN, "⎕EM takes error numbers");
  error_event(&(err){.code = (int)d}, &s);
  return str_take(v, &s);
}

bool sys_em(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕EM takes a vector");
  if (y->type > ET_F64) return err_set(v->c, ERR_DOMAIN, "⎕EM takes error numbers");
  OWNED_LIST arr_list items = {.v = v};
  if (!y->rank) return give_result(r, event_name(v, y, 0));
  for (int64_t i = 0; i < y->count; i++)
    if (!list_add(&items, event_name(v, y, i))) return false;
  return give_result(r, list_array(&items));
}

/* ── ⎕SIGNAL ────────────────────────────────────────────────────────────────────────── */

typedef struct raise {
  int64_t en;
  str em, message;
} raise;

static void raise_free(raise *s) {
  str_free(&s->em);
  str_free(&s->message);
}

/* Can x be that field of ⎕DMX? */
static bool can_be_field(int field, const arr *x) {
  if (field == OS_ERROR) return true;
  if (field == ENX) return !x->rank && elt_is_int((elt)x->type);
  return x->rank <= 1 && (!x->count || elt_is_char((elt)x->type));
}

static bool raise_field(vm *v, arr *name, arr *x, raise *s) {
  OWNED_STR str text = {.c = v->c};
  if (!arg_text(v, name, "⎕SIGNAL: a name", &text)) return false;
  int i = field_of(text.at);
  switch (i) {
  case -1:
  case DM:
  case LOCATION:
    return err_set(v->c, ERR_DOMAIN,
                   "⎕SIGNAL: unexpected name in the specification of ⎕DMX");
  case EN: return arg_int(v, x, &s->en, "⎕SIGNAL: EN");
  case EM: return arg_text(v, x, "⎕SIGNAL: EM and Message", &s->em);
  case MESSAGE: return arg_text(v, x, "⎕SIGNAL: EM and Message", &s->message);
  default: break;
  }
  if (!can_be_field(i, x))
    return err_set(v->c, ERR_DOMAIN, "⎕SIGNAL: the value of %s does not fit", fields[i]);
  arr_release(v->signal[i]);
  v->signal[i] = arr_retain(x);
  return true;
}

/* Items 2i and 2i+1 of a matrix of two columns, or the pair that is item i. */
static bool raise_pair(vm *v, arr *a, int64_t i, raise *s) {
  arr *of = a;
  int64_t at = 2 * i;
  if (a->rank < 2) {
    of = arr_item(a, i);
    at = 0;
    if (of->rank != 1 || of->count != 2) return false;
  }
  OWNED arr *name = item_at(v, of, at);
  OWNED arr *x = item_at(v, of, at + 1);
  return name && x && raise_field(v, name, x, s);
}

static bool raise_pairs(vm *v, arr *a, raise *s) {
  s->en = -1;
  bool ok = a->type == ET_NEST && (a->rank < 2 || (a->rank == 2 && a->shape[1] == 2));
  int64_t n = a->rank < 2 ? a->count : a->shape[0];
  for (int64_t i = 0; ok && i < n; i++) ok = raise_pair(v, a, i, s);
  if (ok && s->en >= 0) return true;
  return err_set(v->c, ERR_DOMAIN,
                 "⎕SIGNAL takes an error number, or names and values with EN");
}

/* Raises what s says where the dfn that signals was called, of nested dfns the outermost that
 * is running (it has its ⍵ then) or that ⍎ made; always false. */
static bool raise_now(vm *v, const raise *s) {
  const char *em = s->em.n ? s->em.at : "", *message = s->message.n ? s->message.at : "";
  if (s->em.failed || s->message.failed) return false;
  err_set(v->c, (int)s->en, "%s%s", em, message);
  size_t event = strlen(v->c->err.msg); /* a long message was cut */
  if (s->em.n < event) event = s->em.n;
  v->c->err.event = (uint16_t)event;
  if (v->env && v->env != v->executes) {
    const env *e = v->env;
    while (e->outer && e->outer->omega.cls && !e->outer->text) e = e->outer;
    err_at(v->c, e->called);
    v->signalled = e;
  }
  return false;
}

/* What x ⎕SIGNAL y asks for, y being no empty vector. */
static bool raise_read(vm *v, arr *x, arr *y, raise *s, bool *reset) {
  OWNED arr *first = ir_host(v->g, y) ? item_at(v, y, 0) : NULL;
  if (!first) return false;
  if (first->type == ET_NEST || first->rank) {
    if (x)
      return err_set(v->c, ERR_DOMAIN,
                     "⎕SIGNAL with names and values takes no left argument");
    if (!raise_pairs(v, first, s)) return false;
  } else {
    if (!arg_int(v, first, &s->en, "⎕SIGNAL: the error number")) return false;
    if (x && !arg_text(v, x, "⎕SIGNAL: the message", &s->em)) return false;
    *reset = !s->en && !x;
  }
  bool known = *reset || (s->en >= 1 && s->en <= 999) || s->en == 1006;
  if (known) return true;
  return err_set(v->c, ERR_DOMAIN, "⎕SIGNAL takes 0 to 999, and 0 without a message");
}

bool sys_signal(vm *v, arr *x, arr *y, arr **r) {
  __attribute__((cleanup(raise_free)))
  raise s = {.em = {.c = v->c}, .message = {.c = v->c}};
  bool reset = false;
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕SIGNAL takes a scalar or a vector");
  v->shy = true;
  if (y->count && !raise_read(v, x, y, &s, &reset)) {
    error_fields_clear(v->signal);
    return false;
  }
  if (reset) error_forget(v);
  if (y->count && !reset) return raise_now(v, &s);
  return give_result(r, arr_retain(y));
}
