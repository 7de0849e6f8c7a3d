/* SPDX-License-Identifier: MIT */
/* json.c - ⎕JSON: what is asked for; json_read.c has text as arrays, json_write.c arrays as
 * text. */
#include "json.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include <stddef.h>

static bool set_null(vm *v, void *to, const char *what, arr *x) {
  UNUSED(v);
  UNUSED(what);
  ((json_options *)to)->null = x;
  return true;
}

static bool read_options(vm *v, json_options *o) {
#define FIELD(f) .at = offsetof(json_options, f)
  static const option_row rows[] = {
      {.name = "Format", .words = "D M T ", FIELD(format), .principal = true},
      {.name = "Compact", .hi = 1, FIELD(compact)},
      {.name = "Null", .set = set_null},
      {.name = "HighRank", .words = "Error Split ", FIELD(split)},
      {.name = "Charset", .words = "Unicode ASCII ", FIELD(ascii)},
      {.name = "Dialect", .words = "JSON JSON5 ", FIELD(dialect)},
      {0}};
#undef FIELD
  return arg_option_rows(v, v->options, "⎕JSON", rows, o);
}

/* 0 ⎕JSON reads, 1 ⎕JSON writes; without a left argument text is read, all else written. */
bool ext_json(vm *v, arr *x, arr *y, arr **r) {
  json_options o = {.compact = 1};
  int64_t writes = !elt_is_char((elt)y->type);
  if (x && !arg_number(v, value_arr(x), 0, 1, "⎕JSON's left argument", &writes))
    return false;
  if (!read_options(v, &o)) return false;
  return writes ? json_write(v, &o, y, r) : json_read(v, &o, y, r);
}
