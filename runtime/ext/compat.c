/* SPDX-License-Identifier: MIT */
/* compat.c - names that programs written for other APLs use and that have little to do here:
 * variables that are kept (⎕WX ⎕DCT ⎕RTL ⎕AVU ⎕USING; GNU APL's ⎕FC ⎕L ⎕PR ⎕PS ⎕TZ ⎕X), ⎕PATH,
 * one thread's number, and what the root object of a window system tells of the program (⎕WG
 * ⎕NQ). A variable takes what it is documented to take. */
#include "../../src/array/element.h"
#include "../../src/base/hash.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "../vapl.h"
#include "lib.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ── variables that are kept ────────────────────────────────────────────────────────── */

enum { WX, DCT, RTL, AVU, PATH, USING, FC, LEFT, PR, PS, TZ, AXIS, KEPT };

typedef struct kept {
  arr *at[KEPT]; /* owned; NULL: not assigned yet */
} kept;

static void close_kept(vm *v, void *state) {
  kept *k = state;
  UNUSED(v);
  for (int i = 0; i < KEPT; i++) arr_release(k->at[i]);
}

/* What a variable is at first. */
static arr *first_value(vm *v, int i) {
  arr *r = NULL;
  switch (i) {
  case WX: return arr_int(v->c, 3);
  case DCT: return arr_float(v->c, 1e-28);
  case AVU: {
    OWNED arr *av = sys_get_av(v);
    return av && sys_ucs(v, NULL, av, &r) ? r : NULL;
  }
  case USING: return items_of(v, 0, NULL);
  case FC: return arr_text(v->c, ".,*0_¯", strlen(".,*0_¯"));
  case PS: return arr_int_vec(v->c, 2, (int64_t[2]){0});
  case RTL:
  case LEFT:
  case TZ:
  case AXIS: return arr_int(v->c, 0);
  case PR: return arr_text(v->c, " ", 1);
  default: return arr_text(v->c, "", 0);
  }
}

static arr *kept_get(vm *v, int i) {
  kept *k = ext_state_of(v, close_kept, sizeof *k);
  if (k && !k->at[i]) k->at[i] = first_value(v, i);
  return k && k->at[i] ? arr_retain(k->at[i]) : NULL;
}

/* All but ⎕PATH, which is the session's. */
void ext_clear_kept(vm *v) {
  kept *k = ext_state_of(v, close_kept, sizeof *k);
  for (int i = 0; k && i < KEPT; i++) {
    if (i == PATH) continue;
    arr_release(k->at[i]);
    k->at[i] = NULL;
  }
}

static bool is_wx(vm *v, arr *x) {
  int64_t n;
  return arg_number(v, value_arr(x), 0, 3, "⎕WX", &n) &&
         (n != 2 || err_set(v->c, ERR_DOMAIN, "⎕WX takes 0, 1 or 3"));
}

static bool is_rtl(vm *v, arr *x) {
  int64_t n;
  return arg_number(v, value_arr(x), 0, 32767, "⎕RTL", &n);
}

static bool is_dct(vm *v, arr *x) {
  if (x->count != 1)
    return err_set(v->c, x->rank > 1 ? ERR_RANK : ERR_LENGTH, "⎕DCT must be one number");
  double d = x->type <= ET_F64 ? arr_get_float(x, 0) : -1;
  return (d >= 0 && d <= 1.0 / 4294967296.0) ||
         err_set(v->c, ERR_DOMAIN, "⎕DCT takes 0 to 2*¯32");
}

static bool is_avu(vm *v, arr *x) {
  if (x->rank != 1) return err_set(v->c, ERR_RANK, "⎕AVU is a vector");
  if (x->count != 256) return err_set(v->c, ERR_LENGTH, "⎕AVU has 256 code points");
  bool ok = elt_is_int((elt)x->type);
  for (int64_t i = 0; ok && i < x->count; i++)
    ok = arr_get_int(x, i) >= 0 && arr_get_int(x, i) <= 0x10FFFF;
  return ok || err_set(v->c, ERR_DOMAIN, "⎕AVU has code points");
}

static bool is_path(vm *v, arr *x) {
  OWNED_STR str s = {.c = v->c};
  return arg_text(v, x, "⎕PATH", &s);
}

static bool is_using(vm *v, arr *x) {
  if (x->rank > 1) return err_set(v->c, ERR_RANK, "⎕USING is a vector");
  if (!is_nested(x) && x->count && !elt_is_char((elt)x->type))
    return err_set(v->c, ERR_DOMAIN, "⎕USING has names");
  return !x->count ||
         err_set(v->c, ERR_NONCE, "⎕USING: there is no .NET in this version");
}

static bool kept_set(vm *v, int i, const char *name, bool (*is)(vm *v, arr *x), value x) {
  kept *k = ext_state_of(v, close_kept, sizeof *k);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "%s takes an array", name);
  if (!k || !ir_host(v->g, x.a) || (is && !is(v, x.a))) return false;
  arr_release(k->at[i]);
  k->at[i] = arr_retain(x.a);
  return true;
}

#define KEEP(i, id, name, is)                                                            \
  arr *ext_get_##id(vm *v) { return kept_get(v, i); }                                    \
  bool ext_set_##id(vm *v, env *e, value x) {                                            \
    UNUSED(e);                                                                           \
    return kept_set(v, i, name, is, x);                                                  \
  }
KEEP(WX, wx, "⎕WX", is_wx)
KEEP(DCT, dct, "⎕DCT", is_dct)
KEEP(RTL, rtl, "⎕RTL", is_rtl)
KEEP(AVU, avu, "⎕AVU", is_avu)
KEEP(USING, using, "⎕USING", is_using)
KEEP(FC, fc, "⎕FC", NULL)
KEEP(LEFT, left, "⎕L", NULL)
KEEP(PR, pr, "⎕PR", NULL)
KEEP(PS, ps, "⎕PS", NULL)
KEEP(TZ, tz, "⎕TZ", NULL)
KEEP(AXIS, axis, "⎕X", NULL)

/* ── ⎕PATH ──────────────────────────────────────────────────────────────────────────── */

/* A function or operator that has lines. */
static const value *defined_in(arr *in, sym *s) {
  const value *x = space_find(in, s);
  bool is = x && x->cls > C_ARR &&
            (x->f->kind == F_DFN || x->f->kind == F_DOP || fn_is_trad(x->f));
  return is ? x : NULL;
}

/* In the namespaces around `in`. */
static const value *defined_above(vm *v, arr *in, sym *s) {
  const arr *se = v->se ? v->se(v) : NULL;
  const value *x = NULL;
  while (!x && in && in != se) x = defined_in(in = space_parent(in), s);
  return x;
}

/* In the namespace that the n bytes at p name. */
static const value *defined_there(vm *v, const char *p, size_t n, sym *s) {
  OWNED arr *to = NULL;
  OWNED arr *name = arr_text(v->c, p, n);
  if (v->se && n == strlen("⎕SE") && !memcmp(p, "⎕SE", n)) to = arr_retain(v->se(v));
  else if (name) to = space_named(v, name, "⎕PATH");
  if (to) return defined_in(to, s);
  if (v->c->err.code != ERR_WS_FULL) err_clear(v->c); /* there is none */
  return NULL;
}

static const value *by_path(vm *v, arr *in, sym *s) {
  OWNED_STR str path = {.c = v->c};
  const value *x = NULL;
  const kept *k = ext_state_of(v, close_kept, sizeof *k);
  if (err_is(v->c) || !k || !arg_text(v, k->at[PATH], "⎕PATH", &path)) return NULL;
  for (const char *p = path.at; !x && *(p += strspn(p, " ")) && !err_is(v->c);) {
    size_t n = strcspn(p, " ");
    bool up = n == strlen("↑") && !memcmp(p, "↑", n);
    x = up ? defined_above(v, in, s) : defined_there(v, p, n, s);
    p += n;
  }
  return x;
}

arr *ext_get_path(vm *v) { return kept_get(v, PATH); }
bool ext_set_path(vm *v, env *e, value x) {
  UNUSED(e);
  if (!kept_set(v, PATH, "⎕PATH", is_path, x)) return false;
  v->path = x.a->count ? by_path : NULL;
  return true;
}

/* ── ⎕WG ────────────────────────────────────────────────────────────────────────────── */

static arr *compat_text(vm *v, const char *z) { return arr_text(v->c, z, strlen(z)); }

/* Is it the root object: '.', '#' or #? NONCE ERROR. */
static bool is_root(vm *v, arr *x, const char *who) {
  OWNED_STR str s = {.c = v->c};
  if (x->ref && space_of(x)->is_workspace) return true;
  if (!x->ref && !arg_text(v, x, who, &s)) return false;
  if (!x->ref && (!strcmp(s.at, ".") || !strcmp(s.at, "#"))) return true;
  return err_set(v->c, ERR_NONCE, "%s: there are no objects but '.' in this version",
                 who);
}

/* The system, the version of the language that this one follows, and how it runs. */
static arr *version(vm *v) {
  arr *part[] = {compat_text(v, sizeof(void *) == 8 ? "Linux-64" : "Linux"),
                 compat_text(v, "20.0.0.0"), compat_text(v, "S"),
                 compat_text(v, "Development")};
  return items_of(v, 4, part);
}

static arr *property(vm *v, arr *name) {
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, name, "⎕WG: a property", &s)) return NULL;
  if (!strcasecmp(s.at, "APLVersion")) return version(v);
  if (!strcasecmp(s.at, "PropList"))
    return items_pair(v, compat_text(v, "APLVersion"), compat_text(v, "PropList"));
  return err_null(v->c, ERR_NONCE, "⎕WG: the property %s is not in this version", s.at);
}

bool ext_wg(vm *v, arr *x, arr *y, arr **r) {
  OWNED_LIST arr_list items = {.v = v};
  if (x && !is_root(v, x, "⎕WG")) return false;
  if (!is_nested(y)) return give_result(r, property(v, y));
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕WG takes a vector of properties");
  for (int64_t i = 0; i < y->count; i++)
    if (!list_add(&items, property(v, arr_item(y, i)))) return false;
  return give_result(r, list_array(&items));
}

/* ── ⎕NQ ────────────────────────────────────────────────────────────────────────────── */

/* The method's arguments are the items of y from number 2 on. */
typedef arr *method_fn(vm *v, arr *y);

/* The folder with the scripts of ⎕SE, which scripts for Dyalog's interpreter ask for. */
static arr *own_folder(vm *v) {
  static const char *const endings[] = {".aplf", NULL};
  OWNED_STR str path = {.c = v->c};
  if (v->c->may & MAY_READ && !lib_find(v, "StartupSession", endings, &path)) return NULL;
  const char *slash = path.n ? strrchr(path.at, '/') : NULL;
  return arr_text(v->c, path.at ? path.at : "", slash ? (size_t)(slash - path.at) : 0);
}

static arr *variable(vm *v, arr *name) {
  OWNED_STR str s = {.c = v->c};
  if (!arg_text(v, name, "GetEnvironment's argument", &s)) return NULL;
  if (strlen(s.at) != s.n)
    return err_null(v->c, ERR_DOMAIN, "GetEnvironment: a name has no NUL in it");
  const char *text = NULL;
  if (v->cfg.getenv) text = v->cfg.getenv(v->cfg.user, s.at);
  if (!text && !strcmp(s.at, "DYALOG")) return own_folder(v);
  return compat_text(v, text ? text : "");
}

static arr *get_environment(vm *v, arr *y) {
  OWNED_LIST arr_list items = {.v = v};
  if (!ext_may(v, MAY_ENV, "⎕NQ")) return NULL;
  if (y->count != 3)
    return err_null(v->c, ERR_SYNTAX, "GetEnvironment takes a name, or names");
  OWNED arr *names = item_at(v, y, 2);
  if (!names || !is_nested(names)) return names ? variable(v, names) : NULL;
  for (int64_t i = 0; i < names->count; i++)
    if (!list_add(&items, variable(v, arr_item(names, i)))) return NULL;
  return list_array(&items);
}

static arr *command_line_args(vm *v, arr *y) {
  OWNED_LIST arr_list items = {.v = v};
  UNUSED(y);
  if (!list_add(&items, compat_text(v, "vapl"))) return NULL;
  for (int i = 0; i < v->argc; i++)
    if (!list_add(&items, compat_text(v, v->argv[i]))) return NULL;
  return list_array(&items);
}

static arr *command_line(vm *v, arr *y) {
  str s = {.c = v->c};
  UNUSED(y);
  str_puts(&s, "vapl");
  for (int i = 0; i < v->argc; i++) str_printf(&s, " %s", v->argv[i]);
  return str_take(v, &s);
}

static arr *build_id(vm *v, arr *y) {
  static const char text[] = "vapl " VAPL_VERSION_TEXT;
  char digits[17];
  OWNED arr *of = y->count > 2 ? item_at(v, y, 2) : NULL;
  if (err_is(v->c)) return NULL;
  if (of && of->count)
    return err_null(v->c, ERR_NONCE, "GetBuildID of a file is not in this version");
  snprintf(digits, sizeof digits, "%08x",
           (unsigned)(hash_bytes(text, sizeof text, 0) & 0xFFFFFFFF));
  return compat_text(v, digits);
}

bool ext_nq(vm *v, arr *x, arr *y, arr **r) {
  static const struct {
    const char *name;
    method_fn *call;
  } methods[] = {{"GetEnvironment", get_environment},
                 {"GetCommandLineArgs", command_line_args},
                 {"GetCommandLine", command_line},
                 {"GetBuildID", build_id}};
  OWNED_STR str s = {.c = v->c};
  int64_t how = 0;
  if (x && !arg_number(v, value_arr(x), 0, 4, "⎕NQ's left argument", &how)) return false;
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "⎕NQ takes a vector");
  if (!is_nested(y) || y->count < 2)
    return err_set(v->c, ERR_DOMAIN, "⎕NQ takes an object, a method, and its arguments");
  OWNED arr *object = item_at(v, y, 0);
  OWNED arr *method = item_at(v, y, 1);
  if (!object || !method || !is_root(v, object, "⎕NQ")) return false;
  if (!elt_is_char((elt)method->type) || how != 2)
    return err_set(v->c, ERR_NONCE,
                   "⎕NQ: there are no events, methods alone: 2 ⎕NQ'.' NAME …");
  if (!arg_text(v, method, "⎕NQ: a method", &s)) return false;
  v->shy = true;
  for (size_t i = 0; i < ARRAY_LEN(methods); i++)
    if (!strcasecmp(s.at, methods[i].name)) return give_result(r, methods[i].call(v, y));
  return err_set(v->c, ERR_NONCE, "⎕NQ: the method %s is not in this version", s.at);
}
