/* SPDX-License-Identifier: MIT */
/* json.c - ⎕JSON: what is asked for; json_read.c has text as arrays, json_write.c arrays as
 * text. */
#include "json.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include <string.h>

static bool set_option(vm *v, void *user, arr *name, arr *x) {
  json_options *o = user;
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str given = {.c = v->c};
  int64_t n = 0;
  if (!arg_text(v, name, "⍠: an option's name", &s)) return false;
  if (!strcmp(s.at, "Compact")) {
    if (!arg_number(v, value_arr(x), 0, 1, "⎕JSON: Compact", &n)) return false;
    o->spread = !n;
    return true;
  }
  if (!strcmp(s.at, "Null")) {
    o->null = x;
    return ir_host(v->g, x);
  }
  bool format = !strcmp(s.at, "Format"), high = !strcmp(s.at, "HighRank");
  if (!format && !high) return err_set(v->c, ERR_DOMAIN, "⎕JSON has no option %s", s.at);
  if (!arg_text(v, x, "⎕JSON's option", &given)) return false;
  if (format) {
    o->matrix = !strcmp(given.at, "M");
    o->table = !strcmp(given.at, "T");
  }
  if (high) o->split = !strcmp(given.at, "Split");
  if (format && !o->matrix && !o->table && strcmp(given.at, "D"))
    return err_set(v->c, ERR_DOMAIN, "⎕JSON: Format is D, M or T");
  if (high && !o->split && strcmp(given.at, "Error"))
    return err_set(v->c, ERR_DOMAIN, "⎕JSON: HighRank is Error or Split");
  return true;
}

/* 0 ⎕JSON reads, 1 ⎕JSON writes; without a left argument text is read, all else written. */
bool ext_json(vm *v, arr *x, arr *y, arr **r) {
  json_options o = {.spread = false};
  int64_t writes = !elt_is_char((elt)y->type);
  if (x && !arg_number(v, value_arr(x), 0, 1, "⎕JSON's left argument", &writes))
    return false;
  if (!ext_options(v, set_option, &o)) return false;
  return writes ? json_write(v, &o, y, r) : json_read(v, &o, y, r);
}
