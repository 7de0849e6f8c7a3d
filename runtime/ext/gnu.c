/* SPDX-License-Identifier: MIT */
/* gnu.c - what APL2 and GNU APL have for errors, ⎕EA ⎕EC ⎕ES ⎕ET, and ⎕AF. An event is two
 * numbers there, which the table below has for each error. */
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/error.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"

enum { UNCLASSIFIED = 500 }; /* the number here of an event that is none of these */

static const struct {
  int code;
  int8_t major, minor;
} events[] = {{ERR_NONE, 0, 0},    {UNCLASSIFIED, 0, 1}, {ERR_INTERRUPT, 1, 1},
              {ERR_WS_FULL, 1, 3}, {ERR_LIMIT, 1, 10},   {ERR_SYNTAX, 2, 1},
              {ERR_VALUE, 3, 1},   {ERR_SYNTAX, 5, 1},   {ERR_RANK, 5, 2},
              {ERR_LENGTH, 5, 3},  {ERR_DOMAIN, 5, 4},   {ERR_INDEX, 5, 5},
              {ERR_RANK, 5, 6}};

/* The event of an error; 0 1: it has none. */
static arr *event_of(vm *v, int code) {
  size_t i = 0;
  while (i < ARRAY_LEN(events) && events[i].code != code) i++;
  if (i == ARRAY_LEN(events)) i = 1;
  return arr_int_vec(v->c, 2, (int64_t[]){events[i].major, events[i].minor});
}

arr *ext_et(vm *v) { return event_of(v, v->en); }

/* ── ⎕EA ⎕EC ────────────────────────────────────────────────────────────────────────── */

/* Is it an error that the program may go on after? It is noted then, and forgotten. */
static bool is_caught(vm *v) {
  OWNED arr *any = NULL;
  if (v->off || v->aborts || v->signalled) return false;
  settle_error(v);
  err kept = err_take(v->c);
  any = arr_int(v->c, 0);
  bool among = any && error_among(any, kept.code);
  if (err_is(v->c)) err_clear(v->c);
  err_put_back(v->c, kept);
  if (!among) return false;
  error_note(v);
  if (v->executed) { /* not ⍎ ran it */
    size_t n = strlen("⍎");
    memmove(v->dm[0].at, v->dm[0].at + n, (v->dm[0].n -= n) + 1);
    v->executed = false;
  }
  err_clear(v->c);
  return true;
}

/* Runs the text y where it stands, with all that it asked for; false after an error. */
static bool attempt(vm *v, arr *y, value *got) {
  bool ok = verify(v) && execute(v, v->env, y, got) && verify(v);
  if (ok && got->cls > C_ARR) ok = err_set(v->c, ERR_SYNTAX, "the text gives a function");
  if (!ok) value_clear(got);
  return ok;
}

static bool give_value(vm *v, value *got, arr **r) {
  *r = NULL;
  if (!value_box(v->c, got)) return false;
  if (got->cls == C_ARR) *r = value_move(got).a;
  return true;
}

/* x ⎕EA y: y, or if that fails x. */
bool ext_ea(vm *v, arr *x, arr *y, arr **r) {
  OWNED_VALUE value got = {0};
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, x, "⎕EA's left argument", &s) || !arg_text(v, y, "⎕EA", &s))
    return false;
  if (attempt(v, y, &got)) return give_value(v, &got, r);
  if (!is_caught(v)) return false;
  return execute(v, v->env, x, &got) && give_value(v, &got, r);
}

/* The three lines of the last error, as a matrix. */
static arr *error_lines(vm *v) {
  OWNED arr *lines = sys_get_dm(v);
  prim_env pe = env_of(v);
  return lines ? prim_mix(&pe, lines) : NULL;
}

enum { FAILED, SHOWN, ASSIGNED, NO_VALUE };

/* ⎕EC y: what came of it (0 an error, 1 a value, 2 one that was assigned, 3 none), the event, and
 * the value or the error's lines. */
bool ext_ec(vm *v, arr *x, arr *y, arr **r) {
  OWNED_VALUE value got = {0};
  OWNED_STR str s = {.c = v->c};
  arr *part[3] = {NULL};
  int how = FAILED;
  UNUSED(x);
  if (!arg_text(v, y, "⎕EC", &s)) return false;
  if (attempt(v, y, &got)) {
    if (!give_value(v, &got, &part[2])) return false;
    how = part[2] ? SHOWN : NO_VALUE;
    if (part[2] && v->shy) how = ASSIGNED;
    if (!part[2]) part[2] = arr_new(v->c, ET_BIT, 2, (int64_t[]){0, 0});
  } else {
    if (!is_caught(v)) return false;
    part[2] = error_lines(v);
  }
  part[0] = arr_int(v->c, how);
  part[1] = event_of(v, how == FAILED ? v->en : 0);
  v->shy = false;
  return give_result(r, items_of(v, 3, part));
}

/* ── ⎕ES ────────────────────────────────────────────────────────────────────────────── */

/* The error of the event y, 0: none. */
static bool code_of(vm *v, const arr *y, int *code) {
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕ES takes a vector");
  if (y->count != 2) return err_set(v->c, ERR_LENGTH, "⎕ES takes an event: two numbers");
  if (!elt_is_int((elt)y->type))
    return err_set(v->c, ERR_DOMAIN, "⎕ES takes whole numbers");
  *code = UNCLASSIFIED;
  for (size_t i = 0; i < ARRAY_LEN(events); i++)
    if (events[i].major == arr_get_int(y, 0) && events[i].minor == arr_get_int(y, 1))
      *code = events[i].code;
  return true;
}

/* [text] ⎕ES event, ⎕ES text: an error where this function was called. */
bool ext_es(vm *v, arr *x, arr *y, arr **r) {
  int code = UNCLASSIFIED;
  bool text = y->count && elt_is_char((elt)y->type);
  v->shy = true;
  if (!y->count) return give_result(r, arr_retain(y));
  if (text && x)
    return err_set(v->c, ERR_DOMAIN, "⎕ES: text stands on the left of an event");
  if (!text && !code_of(v, y, &code)) return false;
  if (!code) return give_result(r, arr_retain(y));
  OWNED arr *number = arr_int(v->c, code == ERR_INTERRUPT ? UNCLASSIFIED : code);
  return number && sys_signal(v, text ? y : x, number, r);
}

/* ── ⎕AF ────────────────────────────────────────────────────────────────────────────── */

/* Characters and their numbers in GNU APL's ⎕AV, which begins as ASCII does; what is behind that
 * has other places in each APL. */
bool ext_af(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  bool simple = elt_is_char((elt)y->type) || elt_is_int((elt)y->type);
  if (!simple && y->count)
    return err_set(v->c, ERR_DOMAIN, "⎕AF takes characters, or numbers");
  for (int64_t i = 0; simple && i < y->count; i++) {
    if (stops_at(v->c, i)) return false;
    int64_t n = arr_get_int(y, i);
    if (n < 0 || n > 255)
      return err_set(v->c, ERR_DOMAIN, "⎕AF takes characters of ⎕AV, or 0 to 255");
    if (n > 127)
      return err_set(v->c, ERR_NONCE, "⎕AF: of ⎕AV only ASCII is in this version");
  }
  return sys_ucs(v, NULL, y, r);
}
