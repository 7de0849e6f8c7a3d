/* SPDX-License-Identifier: MIT */
/* lib.c - finds scripts that others use. The folders of libraries, in this order:
 *
 *   $VAPL_LIB, in which a colon stands between folders
 *   $XDG_DATA_HOME/vapl/lib, without that variable ~/.local/share/vapl/lib
 *   PREFIX/share/vapl/lib, if PREFIX/bin/vapl is the running program, or PREFIX/lib has libvapl: `make install`
 *   TREE/lib, if TREE/build/release/vapl is the running program: the source tree
 *   $APLLIB, of GNU APL */
#include "lib.h"
#include "text.h"
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/system/ext.h"
#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct search {
  vm *v;
  const char *name;
  const char *const *endings;
  str *path; /* what is tried, at last what was found */
} search;

/* The file in the folder of n bytes; a slash is put behind that if there is none. */
static bool is_in(search *k, const char *folder, size_t n, const char *below) {
  struct stat st;
  for (int i = 0; k->endings[i] && !err_is(k->v->c); i++) {
    str *s = k->path;
    s->n = 0;
    str_put(s, folder, n);
    if (n && folder[n - 1] != '/') str_puts(s, "/");
    str_printf(s, "%s%s%s", below, k->name, k->endings[i]);
    if (s->failed) return false;
    if (ext_stat(k->v, "", s->at, true, &st) && !S_ISDIR(st.st_mode)) return true;
    /* A folder that the program may not reach has nothing for it. */
    if (k->v->c->err.code == ERR_FILE_ACCESS) err_clear(k->v->c);
  }
  return false;
}

static const char *variable(vm *v, const char *name) {
  const char *text = NULL;
  if (v->c->may & MAY_ENV && v->cfg.getenv) text = v->cfg.getenv(v->cfg.user, name);
  return text ? text : "";
}

/* In one of the folders, between which colons stand. */
static bool is_in_any(search *k, const char *folders, const char *below) {
  for (const char *p = folders; *p;) {
    size_t n = strcspn(p, ":");
    if (n && is_in(k, p, n, below)) return true;
    p += n + (p[n] == ':');
  }
  return false;
}

/* The bytes of a full path without so many of its last parts; 0: it has no more. */
static size_t above(const char *path, int parts) {
  size_t n = *path == '/' ? strlen(path) : 0;
  for (; parts && n; parts--)
    for (n--; n && path[n] != '/'; n--) {}
  return n;
}

static bool is_beside(search *k, const char *program) {
  return is_in(k, program, above(program, 2), "share/vapl/lib/") ||
         (!err_is(k->v->c) && is_in(k, program, above(program, 3), "lib/"));
}

static bool is_installed(search *k) {
  char program[PATH_MAX];
  Dl_info library;
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = 0;
  if (is_beside(k, program)) return true;
  if (err_is(k->v->c) || !dladdr((const void *)(uintptr_t)lib_find, &library))
    return false;
  return library.dli_fname && is_beside(k, library.dli_fname);
}

static bool is_anywhere(search *k) {
  vm *v = k->v;
  const char *script = v->at.src ? v->at.src->name : "", *slash = strrchr(script, '/');
  const char *data = variable(v, "XDG_DATA_HOME");
  bool full = *k->name == '/';
  if (slash && !full && is_in(k, script, (size_t)(slash + 1 - script), "")) return true;
  if (is_in(k, "", 0, "")) return true;
  if (full || err_is(v->c)) return false;
  if (is_in_any(k, variable(v, "VAPL_LIB"), "")) return true;
  if (*data ? is_in(k, data, strlen(data), "vapl/lib/")
            : is_in_any(k, variable(v, "HOME"), ".local/share/vapl/lib/"))
    return true;
  return is_installed(k) || is_in_any(k, variable(v, "APLLIB"), "");
}

bool lib_find(vm *v, const char *name, const char *const *endings, str *path) {
  OWNED arr *found = NULL;
  search k = {v, name, endings, path};
  if (dist_alone_begins(v->c)) {
    bool any = is_anywhere(&k);
    if (!err_is(v->c)) found = arr_text(v->c, any ? path->at : "", any ? path->n : 0);
  }
  if (!dist_alone_ends(v->c, &found) || !found) return false;
  path->n = 0;
  for (int64_t i = 0; i < found->count; i++)
    str_putc(path, (uint32_t)arr_get_int(found, i));
  str_put(path, "", 0);
  return !path->failed;
}

bool lib_own(vm *v, const char *name, str *path, str *text) {
  static const char *const endings[] = {".apl", NULL};
  search k = {v, name, endings, path};
  struct reach *reach = v->reach;
  unsigned may = v->c->may;
  path->n = 0;
  if (strchr(name, '/')) return true;
  v->reach = NULL;
  v->c->may |= MAY_READ;
  bool any = is_installed(&k);
  if (!any) path->n = 0;
  bool ok = !err_is(v->c) && (!any || text_read(v, "a library", path->at, text));
  v->c->may = may;
  v->reach = reach;
  return ok;
}
