/* SPDX-License-Identifier: MIT */
/* link_write.c - definitions to files, a file for each name: .aplf and .aplo for functions and
 * operators of lines, .apln for scripted namespaces, folders for the others, .apla for arrays. */
#include "../../src/dist/dist.h"
#include "../../src/eval/system/ext.h"
#include "../../src/eval/value/fn.h"
#include "link.h"
#include <errno.h>
#include <string.h>

static void no_arrays(void *user, arr *a, str *s) {
  UNUSED(user);
  UNUSED(a);
  UNUSED(s);
}

/* The function's lines, with its name; false: it has none that a file could hold. */
static bool put_function(const sym *name, const fn *f, str *s) {
  if (fn_is_trad(f)) {
    fn_put_trad(f, s);
    return true;
  }
  if (f->kind != F_DFN && f->kind != F_DOP) return false;
  str_printf(s, "%s←", name->text);
  fn_source(f, no_arrays, NULL, NULL, s);
  return true;
}

/* What the file of the name holds, and its extension; NULL: it cannot be in one. */
static const char *link_put_text(link_writing *w, const sym *name, value x, str *s) {
  if (x.cls > C_ARR) {
    if (!put_function(name, x.f, s)) return NULL;
    return x.cls == C_OP ? "aplo" : "aplf";
  }
  if (x.a->ref) {
    const span at = space_of(x.a)->script;
    if (!at.src) return NULL;
    str_put(s, at.src->text + at.begin, at.end - at.begin);
    double c = space_has_members(x.a) ? w->v->classes->space_class(x.a) : 0;
    if (c > 0) return c < 9.5 ? "aplc" : "apli";
    return "apln";
  }
  return array_source(w->v, x.a, s) ? "apla" : NULL;
}

static bool link_write_file(link_writing *w, const char *path, const str *s) {
  ext_file f __attribute__((cleanup(ext_abandon))) = {.fd = -1, .place = {.folder = -1}};
  struct stat st;
  if (!w->overwrite && ext_stat(w->v, w->who, path, true, &st)) {
    str_printf(w->errors, "%s: there is such a file\n", path);
    return !w->errors->failed;
  }
  err_clear(w->v->c);
  return ext_begin(&f, w->v, w->who, path) && ext_put(&f, s->at, s->n) &&
         ext_put(&f, "\n", 1) && ext_commit(&f);
}

bool link_write_name(link_writing *w, arr *in, sym *name, value x, const char *folder) {
  OWNED_STR str text = {.c = w->v->c};
  OWNED_STR str path = {.c = w->v->c};
  if (x.cls == C_ARR && x.a->ref && !space_of(x.a)->script.src) {
    if (space_has_members(x.a)) return true;                  /* an instance is a value */
    if (link_space(space_of(x.a)->parent) != in) return true; /* another one's */
    str_printf(&path, "%s/%s", folder, name->text);
    return !path.failed && link_write(w, x.a, path.at);
  }
  const char *ending = link_put_text(w, name, x, &text);
  while (text.n && (text.at[text.n - 1] == '\n' || text.at[text.n - 1] == ' ')) text.n--;
  if (!ending || text.failed) {
    if (err_is(w->v->c) || text.failed) return false;
    str_printf(w->errors, "%s: a function that is no definition of lines\n", name->text);
    return !w->errors->failed;
  }
  link_item *k = w->l ? link_item_of(w->l, in, name) : NULL;
  if (k) str_puts(&path, k->path);
  else str_printf(&path, "%s/%s.%s", folder, name->text, ending);
  return !path.failed && link_write_file(w, path.at, &text) &&
         (!w->l || link_note(w->v, w->l, path.at, in, name));
}

static bool make_here(link_writing *w, const char *path) {
  OWNED_PLACE ext_place p = {.folder = -1, .name = {.c = w->v->c}};
  struct stat st;
  if (ext_stat(w->v, w->who, path, true, &st)) return true;
  if (err_is(w->v->c)) return false;
  if (ext_find(&p, w->v, w->who, path, true) && !mkdirat(p.folder, p.name.at, 0777))
    return true;
  return ext_os_error(w->v, w->who, path);
}

static bool link_make_folder(link_writing *w, const char *path) {
  if (dist_alone_begins(w->v->c)) make_here(w, path);
  return dist_alone_ends(w->v->c, NULL);
}

static bool write_one(link_writing *w, arr *in, sym *name, value x, const char *folder) {
  bool array = x.cls == C_ARR && (x.num || !x.a->ref);
  if (!x.cls || (array && !w->arrays)) return true;
  OWNED_VALUE value own = value_retain(x);
  return !interrupted(w->v->c) && value_box(w->v->c, &own) &&
         link_write_name(w, in, name, own, folder);
}

bool link_write(link_writing *w, arr *in, const char *folder) {
  vm *v = w->v;
  in = link_space(in);
  if (out_of_stack(v->c) || !link_make_folder(w, folder)) return false;
  if (!in) {
    for (uint32_t i = 0; i < v->buckets; i++)
      for (sym *k = v->bucket[i]; k; k = k->next)
        if (!write_one(w, NULL, k, *sym_read(k), folder)) return false;
    return true;
  }
  const space *p = space_of(in);
  for (uint32_t i = 0; i < p->n; i++)
    if (!write_one(w, in, p->at[i].s, *space_read(&p->at[i]), folder)) return false;
  return true;
}
