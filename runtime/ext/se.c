/* SPDX-License-Identifier: MIT */
/* se.c - of ⎕SE what needs more than lib/se.apl, the script of the other names there: ⎕SE.UCMD runs a command
 * of the session and gives what it shows, and arrays are given as boxes and as array notation. */
#include "../../src/array/display.h"
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/prim/direct.h"
#include "../vapl.h"
#include "link.h"
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ── commands ───────────────────────────────────────────────────────────────────────── */

/* The text that the command shows; "* Command Execution Failed: …" if it fails. */
static bool run_command(vm *v, const str *line, str *shown) {
  str *outer = v->captured;
  v->captured = shown;
  bool ok = v->command(v, line->at, line->at + line->n);
  v->captured = outer;
  if (ok || v->off) return ok;
  shown->n = 0;
  str_puts(shown, "* Command Execution Failed: ");
  return link_tell(v, shown);
}

bool ext_ucmd(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str line = {.c = v->c};
  OWNED_STR str shown = {.c = v->c};
  UNUSED(x);
  if (!arg_text(v, y, "⎕SE.UCMD", &text)) return false;
  const char *at = text.at + strspn(text.at, " ");
  str_puts(&line, *at == ']' ? "" : "]");
  str_put(&line, at, (size_t)(text.at + text.n - at));
  if (line.failed || !run_command(v, &line, &shown)) return false;
  while (shown.n && shown.at[shown.n - 1] == '\n') shown.n--;
  v->shy = false;
  return !shown.failed &&
         give_result(r, arr_text(v->c, shown.at ? shown.at : "", shown.n));
}

/* ]repr expr: the value in array notation. */
bool ext_cmd_repr(vm *v, const char *at, const char *end) {
  OWNED_VALUE value got = {0};
  OWNED_STR str s = {.c = v->c};
  vm_text t = {.name = "", .at = at, .n = (size_t)(end - at)};
  bool shy;
  if (!run_text(v, &t, false, &got, &shy) || !value_box(v->c, &got)) return false;
  if (got.cls != C_ARR) return err_set(v->c, ERR_DOMAIN, "]repr takes an array");
  if (!verify(v) || !ir_host(v->g, got.a) || !array_source(v, got.a, &s)) return false;
  str_puts(&s, "\n");
  return !s.failed && put_out(v, s.at, s.n);
}

bool ext_cmd_version(vm *v, const char *at, const char *end) {
  static const char text[] = "vapl " VAPL_VERSION_TEXT "\n";
  UNUSED(at);
  UNUSED(end);
  return put_out(v, text, sizeof text - 1);
}

/* Goes to the folder, and shows where the program is. */
static bool change_folder(vm *v, const char *path, str *s) {
  char now[PATH_MAX];
  if (*path && chdir(path)) return ext_os_error(v, "]cd", path);
  if (!getcwd(now, sizeof now)) return ext_os_error(v, "]cd", ".");
  str_printf(s, "%s\n", now);
  return !s->failed;
}

bool ext_cmd_cd(vm *v, const char *at, const char *end) {
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  str_put(&path, "", 0);
  if (path.failed || (command_more(&at, end) && !command_word(v, &at, end, &path)))
    return false;
  if (!command_ends(v, "]cd", "one folder", at, end) || !ext_may(v, MAY_READ, "]cd"))
    return false;
  if (v->reach) return err_set(v->c, ERR_PERM, "]cd: the program is kept to folders");
  if (is_ranked(v->c))
    return err_set(v->c, ERR_NONCE, "]cd: there are several processes");
  return change_folder(v, path.at, &s) && put_out(v, s.at, s.n);
}

/* ── arrays as text ─────────────────────────────────────────────────────────────────── */

/* What a is displayed as in that style, the lines as a matrix. */
static arr *boxed(vm *v, arr *a, int style) {
  OWNED_STR str s = {.c = v->c};
  fmt_opts o = {.pp = v->sv->pp, .pw = INT32_MAX, .boxed = style};
  if (!arr_display(v->c, a, &o, &s) || s.failed) return NULL;
  if (s.n) s.n--; /* the last line's end */
  OWNED arr *text = arr_text(v->c, s.at ? s.at : "", s.n);
  return text ? arr_format_matrix(v->c, text, o.pp) : NULL;
}

/* 1 disp y: with the marks of ]disp; 0, as without: boxes alone. */
bool ext_disp(vm *v, arr *x, arr *y, arr **r) {
  if (x && (!x->count || !elt_is_int((elt)x->type)))
    return err_set(v->c, ERR_DOMAIN, "disp takes 0 or 1 on its left");
  bool marks = x && arr_get_int(x, 0);
  v->shy = false;
  return give_result(r, boxed(v, y, marks ? BOX_DISP : BOX_MIN));
}

bool ext_display(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  v->shy = false;
  return give_result(r, boxed(v, y, BOX_MAX));
}

bool ext_serialise(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  UNUSED(x);
  v->shy = false;
  return array_source(v, y, &s) && give_result(r, str_take(v, &s));
}

/* The value of a text, or of lines, in array notation; nothing in it has a name that lasts. */
bool ext_deserialise(vm *v, arr *x, arr *y, arr **r) {
  static const char who[] = "⎕SE.Dyalog.Array.Deserialise";
  OWNED_STR str text = {.c = v->c};
  OWNED_VALUE value got = {0};
  OWNED arr *in = space_new(v, NULL, NULL);
  sym *name;
  UNUSED(x);
  if (!in) return false;
  for (int64_t i = 0; i < (is_nested(y) ? y->count : 1); i++) {
    if (!arg_text(v, is_nested(y) ? arr_item(y, i) : y, who, &text)) return false;
    str_puts(&text, "\n");
  }
  vm_text t = {.name = "", .at = text.at ? text.at : "", .n = text.n};
  if (text.failed || !link_define(v, in, &t, &name, &got) || !value_box(v->c, &got))
    return false;
  if (got.cls != C_ARR) return err_set(v->c, ERR_DOMAIN, "%s: the text is no array", who);
  v->shy = false;
  return give_result(r, value_move(&got).a);
}
