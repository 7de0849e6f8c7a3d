/* SPDX-License-Identifier: MIT */
/* ibeam.c - n⌶: services by number, a row each. Most are functions that have a name here; the
 * others tell what there is to tell of a program without a session of Dyalog's around it. */
#include "../../src/array/element.h"
#include "../../src/eval/oper/oper.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "../../src/ir/ir.h"
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <time.h>
#ifdef EXT_about
#include "about.h"
#endif
#ifdef EXT_json
#include "json.h"
#endif
#ifdef EXT_workspace
#include "workspace.h"
#endif

/* ── of the program ─────────────────────────────────────────────────────────────────── */

/* 900: was the traditional function that runs called without a left argument? */
static bool called_monadically(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  return give_result(r, arr_int(v->c, v->shadow && v->shadow->monadic));
}

enum { NO_RESULT = 85 }; /* the error of 85⌶, as Dyalog numbers it */

/* 85: ⍎y, whose value need not show; without one, or if x is 1 with one that does not show, ERROR 85. */
static bool execute_for_value(vm *v, arr *x, arr *y, arr **r) {
  OWNED_VALUE value got = {0};
  int64_t drops;
  if (!arg_number(v, value_arr(x), 0, 1, "85⌶'s left argument", &drops)) return false;
  if (!execute(v, v->env, y, &got) || !value_box(v->c, &got)) return false;
  if (got.cls != C_ARR || (drops && v->shy)) return err_set(v->c, NO_RESULT, "%s", "");
  v->shy = false;
  *r = value_move(&got).a;
  return true;
}

/* The environment of the n-th call outwards, 0 the innermost; NULL: the session. */
static bool call_at(vm *v, int64_t n, env **e) {
  for (*e = v->env; *e && n > 0; n--) *e = (*e)->caller;
  return !n || err_set(v->c, ERR_DOMAIN, "86⌶: there are not so many calls");
}

/* 86: ⍎y in the x-th call outwards. */
static bool execute_in_caller(vm *v, arr *x, arr *y, arr **r) {
  OWNED_VALUE value got = {0};
  int64_t n;
  env *at, *here = v->env;
  sysvars *sv = v->sv;
  if (!arg_number(v, value_arr(x), 0, INT32_MAX, "86⌶'s left argument", &n) ||
      !call_at(v, n, &at))
    return false;
  v->env = at;
  v->sv = at ? at->sv : &v->vars;
  bool ok = execute(v, at, y, &got) && value_box(v->c, &got);
  v->env = here;
  v->sv = sv;
  if (!ok) return false;
  if (got.cls > C_ARR) return err_set(v->c, ERR_SYNTAX, "86⌶: the text gives a function");
  *r = value_move(&got).a;
  return true;
}

/* 1500: a marked array is the array. */
static bool mark_array(vm *v, arr *x, arr *y, arr **r) {
  int64_t how = 2;
  if (x && !arg_number(v, value_arr(x), 1, 2, "1500⌶'s left argument", &how))
    return false;
  return give_result(r, how == 1 ? arr_int(v->c, 0) : arr_retain(y));
}

/* ── settings ───────────────────────────────────────────────────────────────────────── */

/* A setting of 0 to `most` that is only 0 here, and so it was. */
static bool setting(vm *v, arr *y, const char *who, int64_t most, arr **r) {
  int64_t n;
  if (!arg_number(v, value_arr(y), 0, most, who, &n)) return false;
  if (n) return err_set(v->c, ERR_NONCE, "%s: only 0 is in this version", who);
  return give_result(r, arr_int(v->c, 0));
}

/* 600: traps are always in force; 2 is about sessions with something suspended. */
static bool disable_traps(vm *v, arr *x, arr *y, arr **r) {
  int64_t n;
  UNUSED(x);
  if (!arg_number(v, value_arr(y), 0, 2, "600⌶", &n)) return false;
  if (n == 2) return give_result(r, arr_int(v->c, 0));
  return setting(v, y, "600⌶", 2, r);
}

/* 2503: there is one thread, which Ctrl-C interrupts. */
static bool uninterruptible(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  return setting(v, y, "2503⌶", 3, r);
}

/* 400: nothing is compiled that would not be anyhow. */
static bool compiler(vm *v, arr *x, arr *y, arr **r) {
  int64_t how = 0;
  names_in names;
  if (x && !arg_number(v, value_arr(x), 0, 4, "400⌶'s left argument", &how)) return false;
  if (how == 0) return setting(v, y, "400⌶", 3, r);
  if (how == 3) return give_result(r, arr_int(v->c, 0));
  if (how != 1) return err_set(v->c, ERR_NONCE, "%d⌶: there is no compiler to ask", 400);
  if (!names_open(v, y, &names)) return false;
  bool one = !is_nested(y) && y->rank < 2;
  OWNED arr *none = arr_new(v->c, ET_BIT, !one, &names.n);
  for (int64_t i = 0; none && i < names.n; i++) arr_put_int(none, i, 0);
  return give_result(r, arr_move(&none));
}

/* What 2000⌶ calls `what`; what it does not know is 0. */
static int64_t memory_figure(const vm *v, int64_t what, int64_t available) {
  const ctx *c = v->c;
  switch (what) {
  case 0: return available;
  case 1: return (int64_t)c->bytes_live;
  case 13: return (int64_t)c->bytes_held;
  case 14: return (int64_t)c->bytes_peak;
  case 16: return (int64_t)c->bytes_max;
  default: return 0;
  }
}

/* With a left argument of zeros the highest mark is the present one; nothing else can be set. */
static bool set_memory(vm *v, const arr *x, const arr *y, arr **r) {
  if (!elt_is_int((elt)x->type)) return err_set(v->c, ERR_DOMAIN, "2000⌶ takes numbers");
  if (x->rank > 1) return err_set(v->c, ERR_RANK, "2000⌶ takes a vector");
  if (x->rank && x->count != y->count)
    return err_set(v->c, ERR_LENGTH, "2000⌶: as many values as figures are wanted");
  for (int64_t i = 0; i < x->count; i++)
    if (arr_get_int(x, i)) return err_set(v->c, ERR_NONCE, "2000⌶: only 0 can be set");
  for (int64_t i = 0; i < y->count; i++)
    if (arr_get_int(y, i) == 14) v->c->bytes_peak = v->c->bytes_live;
  return give_result(r, arr_vec(v->c, ET_BIT, 0));
}

static bool memory(vm *v, arr *x, arr *y, arr **r) {
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "2000⌶ takes a vector");
  if (!elt_is_int((elt)y->type) && y->count)
    return err_set(v->c, ERR_DOMAIN, "2000⌶ takes numbers of figures");
  if (x) return set_memory(v, x, y, r);
  OWNED arr *wa = sys_get(v, sys_find("⎕WA", strlen("⎕WA")));
  OWNED arr *all = wa ? arr_new(v->c, ET_I64, y->rank, y->shape) : NULL;
  for (int64_t i = 0; all && i < y->count; i++)
    arr_put_int(all, i, memory_figure(v, arr_get_int(y, i), arr_get_int(wa, 0)));
  return give_result(r, arr_move(&all));
}

/* ── of the system ──────────────────────────────────────────────────────────────────── */

/* 739: the folder for temporary files. */
static bool temporary_folder(vm *v, arr *x, arr *y, arr **r) {
  int64_t n;
  const char *name = NULL;
  UNUSED(x);
  if (!arg_number(v, value_arr(y), 0, 0, "739⌶", &n)) return false;
  if (v->c->may & MAY_ENV && v->cfg.getenv) name = v->cfg.getenv(v->cfg.user, "TMPDIR");
  if (!name || !*name) name = "/tmp";
  size_t bytes = strlen(name);
  while (bytes > 1 && name[bytes - 1] == '/') bytes--;
  return give_result(r, arr_text(v->c, name, bytes));
}

/* 120: a UUID of version 0 (none), 4 (random) or 7 (by time). */
static bool uuid(vm *v, arr *x, arr *y, arr **r) {
  unsigned char b[16] = {0};
  int64_t version;
  str s = {.c = v->c};
  UNUSED(x);
  if (!arg_number(v, value_arr(y), 0, 7, "120⌶", &version)) return false;
  if (version && version != 4 && version != 7)
    return err_set(v->c, ERR_DOMAIN, "120⌶ takes 0, 4 or 7");
  if (version && getentropy(b, sizeof b))
    return ext_os_error(v, "120⌶", "random numbers");
  if (version == 7) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    for (int i = 0; i < 6; i++) b[i] = (unsigned char)(ms >> (40 - 8 * i));
  }
  if (version) {
    b[6] = (unsigned char)((b[6] & 0x0F) | version << 4);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
  }
  for (int i = 0; i < 16; i++)
    str_printf(&s, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", b[i]);
  return give_result(r, str_take(v, &s));
}

/* 3500, 111: what is sent to a window of Ride; there is none. */
static bool not_sent(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  return give_result(r, arr_int(v->c, -1));
}

/* 3501 2250: is Ride connected, is .NET there? */
static bool is_not(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  return give_result(r, arr_int(v->c, 0));
}

/* 3502: 1, to begin, does not find the library that it needs; 0, to end, and its settings do. */
static bool manage_ride(vm *v, arr *x, arr *y, arr **r) {
  enum { NO_LIBRARY = 32 };
  bool begins = !y->count || !elt_is_char((elt)y->type);
  int64_t n = !y->count;
  UNUSED(x);
  if (begins && y->count && !arg_number(v, value_arr(y), 0, 1, "3502⌶", &n)) return false;
  return give_result(r, arr_int(v->c, begins && n ? NO_LIBRARY : 0));
}

/* ── files that names came from ─────────────────────────────────────────────────────── */

#ifdef EXT_about
/* When the file was changed, as ⎕TS has it; zeros where that may not be known. */
static arr *time_of_file(vm *v, const char *file) {
  int64_t to[7] = {0};
  struct stat st;
  struct tm d;
  if (*file && v->c->may & MAY_READ && ext_stat(v, "5179⌶", file, true, &st)) {
    localtime_r(&st.st_mtime, &d);
    const int part[] = {d.tm_year + 1900, d.tm_mon + 1, d.tm_mday,
                        d.tm_hour,        d.tm_min,     d.tm_sec};
    for (size_t i = 0; i < ARRAY_LEN(part); i++) to[i] = part[i];
  }
  if (v->c->err.code == ERR_FILE_ACCESS) err_clear(v->c);
  return arr_int_vec(v->c, 7, to);
}

/* Name, namespace, class, file, first line, lines (0 of what has it alone), no checksum, time. */
static arr *file_object(vm *v, arr *name, arr *in, double class, const origin *at) {
  arr *part[] = {name,
                 in,
                 arr_float(v->c, class),
                 arr_text(v->c, at->file, strlen(at->file)),
                 arr_int(v->c, at->line),
                 arr_int(v->c, at->alone ? 0 : at->lines),
                 arr_text(v->c, "        ", 8),
                 time_of_file(v, at->file)};
  return items_of(v, (int64_t)ARRAY_LEN(part), part);
}

static arr *no_object(vm *v) {
  return file_object(v, arr_text(v->c, "", 0), space_null(v), 0, &(origin){.file = ""});
}

/* 5179: of a name, or of a namespace. */
static bool object_info(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  OWNED arr *in = NULL;
  sym *k;
  value of = {.cls = C_ARR, .a = y};
  UNUSED(x);
  if (!y->ref) {
    if (!arg_text(v, y, "5179⌶", &s)) return false;
    if (!name_value(v, &s, &of) && err_is(v->c)) return false;
  }
  origin at = about_origin(of);
  if (!*at.file) return give_result(r, no_object(v));
  if (y->ref) {
    in = space_of(y)->parent ? arr_retain(space_of(y)->parent) : space_workspace(v);
    return give_result(r, file_object(v, arr_retain(y), arr_move(&in), 9, &at));
  }
  if (!path_of(v, &s, &in, &k)) return false;
  if (!in) in = sys_get_this(v);
  return give_result(r, file_object(v, arr_text(v->c, k->text, k->len), arr_move(&in),
                                    name_class(v, &s, false), &at));
}

static bool came_from_file(void *user, const sym *k, location at) {
  UNUSED(user);
  UNUSED(k);
  return *about_origin(*at.val).file;
}

/* 5177: of all names here. */
static bool all_objects(vm *v, arr *x, arr *y, arr **r) {
  OWNED_LIST arr_list items = {.v = v};
  name_list names = {0};
  UNUSED(x);
  if (y->count) return err_set(v->c, ERR_DOMAIN, "5177⌶ takes an empty array");
  bool ok = names_sorted(v, came_from_file, NULL, &names);
  for (size_t i = 0; ok && i < names.n; i++) {
    arr *one = NULL;
    OWNED arr *name = arr_text(v->c, names.at[i]->text, names.at[i]->len);
    ok = name && object_info(v, NULL, name, &one) && list_add(&items, one);
  }
  bool none = ok && !names.n;
  vec_free(v->c, &names);
  if (none) {
    OWNED arr *like = no_object(v);
    return like && give_result(r, collect_none(v, like, 1, (int64_t[]){0}));
  }
  return ok && give_result(r, list_array(&items));
}
#endif

/* ── JSON ───────────────────────────────────────────────────────────────────────────── */

#ifdef EXT_json
/* ⎕JSON one way: 1 to text; x: 0 or 'D', 1 or 'M' for a table. */
static bool json_one_way(vm *v, arr *x, arr *y, int64_t writes, arr **r) {
  OWNED arr *how = arr_int(v->c, writes);
  arr *was = v->options;
  OWNED arr *format = NULL;
  int64_t table = 0;
  bool number = x && !elt_is_char((elt)x->type);
  if (!how) return false;
  if (number && !arg_number(v, value_arr(x), 0, 1, "⌶: a format", &table)) return false;
  format = x && !number ? arr_retain(x) : arr_char(v->c, table ? 'M' : 'D');
  OWNED arr *name = arr_text(v->c, "Format", 6);
  OWNED arr *option =
      name && format ? items_pair(v, arr_move(&name), arr_move(&format)) : NULL;
  if (!option) return false;
  v->options = option;
  bool ok = ext_json(v, how, y, r);
  v->options = was;
  return ok;
}

static bool json_import(vm *v, arr *x, arr *y, arr **r) {
  return json_one_way(v, x, y, 0, r);
}

static bool json_export(vm *v, arr *x, arr *y, arr **r) {
  return json_one_way(v, x, y, 1, r);
}

/* 7162: a JSON name as an APL name, or with x 1 back. */
static arr *name_changed(vm *v, arr *y, bool back) {
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str to = {.c = v->c};
  if (!arg_text(v, y, "7162⌶", &s)) return NULL;
  if (back) json_unmangle(s.at, s.n, &to);
  else json_mangle(s.at, s.n, &to);
  return str_take(v, &to);
}

/* One name, or a vector of them. */
static bool json_name(vm *v, arr *x, arr *y, arr **r) {
  OWNED_LIST arr_list items = {.v = v};
  int64_t back;
  if (!arg_number(v, value_arr(x), 0, 1, "7162⌶'s left argument", &back)) return false;
  if (!is_nested(y)) return give_result(r, name_changed(v, y, back));
  for (int64_t i = 0; i < y->count; i++)
    if (!list_add(&items, name_changed(v, arr_item(y, i), back))) return false;
  return give_result(r, list_array(&items));
}
#endif

/* ── bytes ──────────────────────────────────────────────────────────────────────────── */

#ifdef EXT_workspace
/* 220: 1 an array as bytes, 0 back. */
static bool serialise(vm *v, arr *x, arr *y, arr **r) {
  int64_t packs;
  if (!arg_number(v, value_arr(x), 0, 1, "220⌶'s left argument", &packs)) return false;
  return give_result(r, packs ? ws_pack(v, "220⌶", y) : ws_unpack(v, "220⌶", y));
}
#endif

/* ── the table ──────────────────────────────────────────────────────────────────────── */

static const struct {
  int number;
  uint8_t valence; /* SYS_… */
  sys_caller *call;
} rows[] = {
    {85, SYS_DYADIC, execute_for_value},
    {86, SYS_DYADIC, execute_in_caller},
    {111, SYS_EITHER, not_sent},
    {120, SYS_MONADIC | SYS_OUTSIDE, uuid},
    {180, SYS_MONADIC, sys_cr},
#ifdef EXT_deflate
    {219, SYS_DYADIC | SYS_OUTSIDE, ext_deflate},
#endif
#ifdef EXT_workspace
    {220, SYS_DYADIC, serialise},
#endif
    {400, SYS_EITHER, compiler},
    {600, SYS_MONADIC, disable_traps},
    {739, SYS_MONADIC | SYS_OUTSIDE, temporary_folder},
    {819, SYS_EITHER, sys_case},
    {900, SYS_MONADIC, called_monadically},
#ifdef EXT_dt
    {1200, SYS_DYADIC | SYS_OUTSIDE, ext_dt},
#endif
    {1500, SYS_EITHER, mark_array},
    {2000, SYS_EITHER | SYS_OUTSIDE, memory},
    {2250, SYS_EITHER, is_not},
    {2503, SYS_MONADIC, uninterruptible},
    {3500, SYS_EITHER, not_sent},
    {3501, SYS_MONADIC, is_not},
    {3502, SYS_MONADIC, manage_ride},
#ifdef EXT_about
    {5177, SYS_MONADIC, all_objects},
    {5179, SYS_MONADIC, object_info},
#endif
#ifdef EXT_json
    {7159, SYS_EITHER, json_import},
    {7160, SYS_EITHER, json_export},
    {7162, SYS_DYADIC, json_name},
#endif
};

/* The row of the operand. */
static bool ibeam_row(vm *v, value operand, size_t *row) {
  int64_t n;
  if (operand.cls != C_ARR)
    return err_set(v->c, ERR_DOMAIN, "⌶ takes the number of a service on its left");
  if (!value_box(v->c, &operand) || !arg_int(v, operand.a, &n, "the number on ⌶'s left"))
    return false;
  for (*row = 0; *row < ARRAY_LEN(rows); ++*row)
    if (rows[*row].number == n) return true;
  return err_set(v->c, ERR_NONCE, "%s%lld⌶ is not in this version", n < 0 ? "¯" : "",
                 (long long)(n < 0 ? -n : n));
}

bool ext_ibeam(vm *v, fn *f, arr *x, arr *y, arr **r) {
  size_t row;
  *r = NULL;
  if (!ibeam_row(v, f->l, &row)) return false;
  if (!(rows[row].valence & (x ? SYS_DYADIC : SYS_MONADIC)))
    return err_set(v->c, ERR_SYNTAX, "%d⌶ takes %s left argument", rows[row].number,
                   x ? "no" : "a");
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return false;
  v->shy = false;
  v->options = NULL;
  return sys_apply(v, rows[row].valence, rows[row].call, x, y, r);
}
