/* SPDX-License-Identifier: MIT */
/* keep.c - what the session does with workspaces in files: )SAVE )LOAD )COPY )PCOPY, ⎕SAVE ⎕LOAD
 * ⎕CY. A file is read whole before anything of the workspace changes. What is copied may as well be
 * what a script defines, which runs in a namespace of its own: so a library is a script. */
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/error.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "lib.h"
#include "text.h"
#include "workspace.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The file of a workspace: its name, ".vws" behind it if it has no extension. */
static void put_path(str *path, const char *name, size_t n) {
  if (n > 7 && !memcmp(name, "file://", 7)) name += 7, n -= 7;
  const char *slash = memrchr(name, '/', n), *last = slash ? slash + 1 : name;
  str_put(path, name, n);
  if (!memchr(last, '.', (size_t)(name + n - last))) str_puts(path, ".vws");
}

/* "FILE saved 2026-11-22 10:00:00". */
static bool say_saved(vm *v, const char *path) {
  OWNED_STR str s = {.c = v->c};
  struct stat st;
  char when[32] = "";
  struct tm d;
  if (ext_stat(v, "", path, true, &st) && localtime_r(&st.st_mtime, &d))
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &d);
  str_printf(&s, "%s saved %s\n", path, when);
  return !s.failed && put_out(v, s.at, s.n);
}

/* ── ⎕LX ────────────────────────────────────────────────────────────────────────────── */

typedef struct latent {
  arr *text; /* owned; NULL: none */
  int reading; /* so many scripts are read for what they define: )COPY in one shows nothing */
} latent;

static void close_latent(vm *v, void *state) {
  UNUSED(v);
  arr_release(((latent *)state)->text);
}

static latent *latent_of(vm *v) { return ext_state_of(v, close_latent, sizeof(latent)); }

static bool set_latent(vm *v, arr *text) {
  latent *k = latent_of(v);
  if (!k) return false;
  arr_release(k->text);
  k->text = text && text->count ? arr_retain(text) : NULL;
  return true;
}

void ext_clear_lx(vm *v) { set_latent(v, NULL); }

arr *ext_get_lx(vm *v) {
  latent *k = latent_of(v);
  if (!k) return NULL;
  return k->text ? arr_retain(k->text) : arr_text(v->c, "", 0);
}

bool ext_set_lx(vm *v, env *e, value x) {
  OWNED_STR str s = {.c = v->c};
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⎕LX takes text");
  return arg_text(v, x.a, "⎕LX", &s) && set_latent(v, x.a);
}

/* Runs it as a line of the session. */
static bool run_latent(vm *v) {
  OWNED_STR str s = {.c = v->c};
  OWNED_VALUE value r = {0};
  OWNED arr *text = ext_get_lx(v);
  bool shy;
  if (!text || !arg_text(v, text, "⎕LX", &s)) return false;
  return !s.n ||
         run_text(v, &(vm_text){.name = "", .at = s.at, .n = s.n}, true, &r, &shy);
}

/* ── saving ─────────────────────────────────────────────────────────────────────────── */

static bool save(vm *v, const char *who, const str *path, bool force) {
  if (!ext_may(v, MAY_WRITE, who)) return false;
  bool own = v->wsid.n && !strcmp(v->wsid.at, path->at);
  struct stat st;
  if (!own && !force && ext_stat(v, who, path->at, true, &st))
    return err_set(v->c, ERR_FILE_NAME,
                   "%s: %s is another workspace's file; -force replaces it", who,
                   path->at);
  OWNED arr *lx = ext_get_lx(v);
  if (!lx || !ws_write(v, who, path->at, lx)) return false;
  OWNED_STR str name = {.c = v->c};
  str_put(&name, path->at, path->n);
  if (name.failed) return false;
  wsid_set(v, &name);
  return true;
}

bool ext_cmd_save(vm *v, const char *at, const char *end) {
  OWNED_STR str path = {.c = v->c};
  bool force = false;
  while (command_more(&at, end)) {
    OWNED_STR str word = {.c = v->c};
    bool plain = *at == '-';
    if (!command_word(v, &at, end, &word)) return false;
    if (plain && !strcmp(word.at, "-force")) force = true;
    else if (plain || path.n)
      return err_set(v->c, ERR_SYNTAX, ")SAVE takes one name and -force, not %s",
                     word.at);
    else put_path(&path, word.at, word.n);
  }
  if (!path.n && v->wsid.n) put_path(&path, v->wsid.at, v->wsid.n);
  if (path.failed) return false;
  if (!path.n) {
    static const char text[] =
        "not saved: the workspace has no name, )SAVE name gives it one\n";
    return put_out(v, text, strlen(text));
  }
  return save(v, ")SAVE", &path, force) && say_saved(v, path.at);
}

static bool arg_path(vm *v, arr *y, const char *who, str *path) {
  OWNED_STR str name = {.c = v->c};
  if (!ext_path(v, y, who, &name)) return false;
  put_path(path, name.at, name.n);
  return !path->failed;
}

bool ext_save(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  UNUSED(x);
  if (!arg_path(v, y, "⎕SAVE", &path) || !save(v, "⎕SAVE", &path, true)) return false;
  v->shy = true;
  return give_result(r, arr_int(v->c, 1));
}

/* ── loading ────────────────────────────────────────────────────────────────────────── */

static bool keep_load(vm *v, const char *who, const str *path) {
  OWNED_CONTENTS ws_contents w = {.v = v};
  OWNED_STR str name = {.c = v->c};
  str_put(&name, path->at, path->n);
  if (name.failed || !ext_may(v, MAY_READ, who) || !ws_read(v, who, path->at, &w))
    return false;
  if (!verify(v)) return false;
  names_clear(v);
  int pw = v->vars.pw; /* the terminal's */
  if (!sys_reset(v)) return false;
  v->vars = w.vars;
  v->vars.pw = pw;
  error_forget(v);
  for (size_t i = 0; i < w.entries.n; i++)
    value_set(cell_place(&w.entries.at[i].name->val), w.entries.at[i].x);
  wsid_set(v, &name);
  return set_latent(v, w.lx);
}

static bool load_command(vm *v, const char *who, const char *at, const char *end) {
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str word = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  if (!command_more(&at, end)) {
    str_printf(&s, "%s needs the name of a workspace behind it\n", who);
    return !s.failed && put_out(v, s.at, s.n);
  }
  if (!command_word(v, &at, end, &word) || !command_ends(v, who, "one name", at, end))
    return false;
  put_path(&path, word.at, word.n);
  return !path.failed && keep_load(v, who, &path) && say_saved(v, path.at);
}

bool ext_cmd_load(vm *v, const char *at, const char *end) {
  bool named = command_more(&at, end);
  return load_command(v, ")LOAD", at, end) && (!named || run_latent(v));
}

bool ext_cmd_xload(vm *v, const char *at, const char *end) {
  return load_command(v, ")XLOAD", at, end);
}

bool ext_load(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  UNUSED(x);
  if (v->env)
    return err_set(v->c, ERR_NONCE, "⎕LOAD within a function is not in this version");
  if (!arg_path(v, y, "⎕LOAD", &path) || !keep_load(v, "⎕LOAD", &path) || !run_latent(v))
    return false;
  v->shy = true;
  return give_result(r, arr_int(v->c, 1));
}

/* ── copying ────────────────────────────────────────────────────────────────────────── */

typedef struct copying {
  vm *v;
  const ws_contents *from;
  bool protects;  /* names that have a value keep it */
  str kept, none; /* names that did, and that the file has not */
} copying;

/* Where the program stands: in a local name of the function that runs, or in its namespace. */
static bool copy_entry(copying *k, const ws_entry *e) {
  vm *v = k->v;
  location at = name_here(v, e->name);
  if (err_is(v->c)) return false;
  if (k->protects && at.val->cls) {
    str_printf(&k->kept, " %s", e->name->text);
    return !k->kept.failed;
  }
  OWNED_VALUE value x = value_retain(e->x);
  if (x.cls > C_ARR) {
    OWNED_FN fn *f = fn_in_space(v, x.f, at.e ? at.e->space : at.space);
    if (!f) return false;
    value_set(&x, value_fn(f, x.cls));
  }
  return at.e ? name_put(v, v->env, e->name, at, x) : name_set(v, at.space, e->name, x);
}

/* What the script's text defines, in a namespace that only what is copied keeps. */
static bool read_definitions(vm *v, const char *path, const str *text, ws_contents *w) {
  OWNED arr *in = space_new(v, NULL, NULL);
  OWNED_VALUE value got = {0};
  bool shy;
  latent *state = latent_of(v);
  if (!in || !state) return false;
  vm_text t = {.name = path,
               .at = text->at ? text->at : "",
               .n = text->n,
               .as = TEXT_COMMANDS | TEXT_DEFINITION};
  state->reading++;
  bool ok = run_text_in(v, &t, in, false, &got, &shy) && verify(v);
  state->reading--;
  if (!ok) return false;
  const space *p = space_of(in);
  for (uint32_t i = 0; i < p->n; i++) {
    value x = *space_read(&p->at[i]);
    if (!x.cls) continue;
    if (!vec_push(v->c, &w->entries, ((ws_entry){p->at[i].s, value_retain(x)})))
      return false;
  }
  return true;
}

static bool read_script(vm *v, const char *who, const char *path, ws_contents *w) {
  OWNED_STR str text = {.c = v->c};
  return text_read(v, who, path, &text) && read_definitions(v, path, &text, w);
}

static bool ends_with(const str *s, const char *end) {
  size_t n = strlen(end);
  return s->n >= n && !memcmp(s->at + s->n - n, end, n);
}

/* Reads the workspace of that name, name.vws, or else the script name.apl; *path becomes its file. The
 * workspaces of Dyalog, .dws, are sought as scripts, too. */
static bool read_named(vm *v, const char *who, const str *name, str *path,
                       ws_contents *w) {
  static const char *const as_it_is[] = {"", NULL};
  static const char *const endings[] = {".vws", ".apl", NULL};
  OWNED_STR str bare = {.c = v->c};
  bool foreign = ends_with(name, ".dws");
  str_put(&bare, name->at, name->n - (foreign ? 4 : 0));
  str_put(&bare, "", 0);
  OWNED_STR str text = {.c = v->c};
  if (bare.failed) return false;
  const char *slash = strrchr(bare.at, '/');
  bool extended = strchr(slash ? slash : bare.at, '.') != NULL;
  if (v->c->may & MAY_READ && !lib_find(v, bare.at, extended ? as_it_is : endings, path))
    return false;
  if (!path->n && !extended && !lib_own(v, bare.at, path, &text)) return false;
  if (text.n) return read_definitions(v, path->at, &text, w);
  if (!ext_may(v, MAY_READ, who)) return false;
  if (!path->n) put_path(path, name->at, name->n); /* which tells that it is not there */
  if (path->failed) return false;
  if (ends_with(path, ".apl")) return read_script(v, who, path->at, w);
  return ws_read(v, who, path->at, w);
}

/* The entry of that name; NULL, and the name is told, if the file has none. */
static const ws_entry *entry_of(copying *k, const char *name, size_t n) {
  for (size_t i = 0; i < k->from->entries.n; i++) {
    const ws_entry *e = &k->from->entries.at[i];
    if (e->name->len == n && !memcmp(e->name->text, name, n)) return e;
  }
  str_puts(&k->none, " ");
  str_put(&k->none, name, n);
  return NULL;
}

static bool copy_name(copying *k, const char *name, size_t n) {
  const ws_entry *e = entry_of(k, name, n);
  return e ? copy_entry(k, e) : !k->none.failed;
}

static bool copy_all(copying *k) {
  for (size_t i = 0; i < k->from->entries.n; i++)
    if (!copy_entry(k, &k->from->entries.at[i])) return false;
  return true;
}

/* Is the first word the number of one of GNU APL's libraries, with a name behind it? There is one
 * list of folders here. */
static bool is_library(const str *word, const char *at, const char *end) {
  return word->n && strspn(word->at, "0123456789") == word->n && command_more(&at, end);
}

static bool copy_command(vm *v, const char *who, const char *at, const char *end,
                         bool protects) {
  OWNED_CONTENTS ws_contents w = {.v = v};
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str word = {.c = v->c};
  if (!command_more(&at, end)) {
    str_printf(&s, "%s needs the name of a workspace behind it\n", who);
    return !s.failed && put_out(v, s.at, s.n);
  }
  if (!command_word(v, &at, end, &word)) return false;
  if (is_library(&word, at, end)) {
    word.n = 0;
    if (!command_word(v, &at, end, &word)) return false;
  }
  if (!read_named(v, who, &word, &path, &w)) return false;
  copying k = {v, &w, protects, {.c = v->c}, {.c = v->c}};
  bool ok = command_more(&at, end) || copy_all(&k);
  while (ok && command_more(&at, end))
    ok = command_word(v, &at, end, &word) && copy_name(&k, word.at, word.n);
  if (k.kept.n) str_printf(&s, "not copied:%s\n", k.kept.at);
  if (k.none.n) str_printf(&s, "not found:%s\n", k.none.at);
  str_free(&k.kept);
  str_free(&k.none);
  const latent *state = latent_of(v);
  if (ok && !s.n && state && state->reading) return true;
  return ok && say_saved(v, path.at) && !s.failed && put_out(v, s.at, s.n);
}

bool ext_cmd_copy(vm *v, const char *at, const char *end) {
  return copy_command(v, ")COPY", at, end, false);
}

/* The files that )COPY_ONCE has copied, a line each. */
static void close_once(vm *v, void *state) {
  UNUSED(v);
  str_free(state);
}

bool ext_cmd_copy_once(vm *v, const char *at, const char *end) {
  str *once = ext_state_of(v, close_once, sizeof *once);
  const char *next = at;
  OWNED_STR str line = {.c = v->c};
  OWNED_STR str word = {.c = v->c};
  if (!once || !command_word(v, &next, end, &word)) return false;
  once->c = v->c;
  str_printf(&line, "\n%s\n", word.n ? word.at : "");
  if (line.failed) return false;
  if (once->n && strstr(once->at, line.at)) return true;
  if (!copy_command(v, ")COPY_ONCE", at, end, false)) return false;
  str_puts(once, line.at);
  return !once->failed;
}

bool ext_cmd_pcopy(vm *v, const char *at, const char *end) {
  return copy_command(v, ")PCOPY", at, end, true);
}

/* The names in x, all of which the file has before one is copied. */
static bool copy_given(copying *k, arr *x) {
  vm *v = k->v;
  int64_t n = is_nested(x) ? x->count : 1;
  VEC(const ws_entry *) found = {0};
  bool ok = true;
  for (int64_t i = 0; ok && i < n; i++) {
    OWNED_STR str name = {.c = v->c};
    ok = arg_text(v, is_nested(x) ? arr_item(x, i) : x, "⎕CY's names", &name);
    const ws_entry *e = ok ? entry_of(k, name.at, name.n) : NULL;
    if (e) ok = vec_push(v->c, &found, e);
  }
  for (size_t i = 0; ok && !k->none.n && i < found.n; i++)
    ok = copy_entry(k, found.at[i]);
  vec_free(v->c, &found);
  return ok;
}

/* Names that begin as the one that the file has not do, for a person who mistyped it. */
static void put_near(const copying *k, str *s) {
  const char *wanted = k->none.at + 1;
  size_t n = strcspn(wanted, " "), same = n > 3 ? 3 : n;
  bool any = false;
  for (size_t i = 0; i < k->from->entries.n; i++) {
    const sym *name = k->from->entries.at[i].name;
    if (strncmp(name->text, wanted, same)) continue;
    str_printf(s, "%s %s", any ? "," : "; it has", name->text);
    any = true;
  }
}

/* names ⎕CY 'file': those, or all. DOMAIN ERROR for one that the file has not. */
bool ext_cy(vm *v, arr *x, arr *y, arr **r) {
  OWNED_CONTENTS ws_contents w = {.v = v};
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  if (!ext_path(v, y, "⎕CY", &name) || !read_named(v, "⎕CY", &name, &path, &w))
    return false;
  copying k = {v, &w, false, {.c = v->c}, {.c = v->c}};
  bool ok = x ? copy_given(&k, x) : copy_all(&k);
  if (ok && k.none.n) {
    put_near(&k, &k.none);
    ok = err_set(v->c, ERR_DOMAIN, "⎕CY: %s has no%s", path.at, k.none.at);
  }
  str_free(&k.kept);
  str_free(&k.none);
  v->shy = true;
  return ok && give_result(r, items_of(v, 0, NULL));
}
