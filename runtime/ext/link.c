/* SPDX-License-Identifier: MIT */
/* link.c - programs in folders: ⎕SE.Link and ⎕SE.SALT, ]link and ]load, and vapl FOLDER.
 *
 *   ⎕SE.Link.Create ns folder ─┐
 *   ]link.create ns folder     ├▶ request ─▶ link_read.c: files to definitions
 *   vapl FOLDER                ┘          ─▶ link_write.c: definitions to files
 *
 * ⎕SE is a namespace beside #, made when it is first named; )CLEAR leaves it. A link is forgotten when
 * its workspace is cleared. Nothing is watched: changed files are looked for before the prompt of a
 * session, and by Refresh. */
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "lib.h"
#include "link.h"
#include "text.h"
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

typedef struct session_state {
  arr *se; /* ⎕SE, owned; NULL: not named yet */
  VEC(linked *) links;
  str required; /* the paths of the files that :Require has taken up, each with its NUL */
  uint32_t clears; /* vm.clears then */
} session_state;

static void remove_link(vm *v, session_state *s, size_t i) {
  link_free(v, s->links.at[i]);
  mem_free(v->c, s->links.at[i]);
  s->links.at[i] = s->links.at[--s->links.n];
}

static void close_state(vm *v, void *state) {
  session_state *s = state;
  while (s->links.n) remove_link(v, s, s->links.n - 1);
  vec_free(v->c, &s->links);
  str_free(&s->required);
  arr_release(s->se);
}

/* The links of this workspace. */
static session_state *state_of(vm *v) {
  session_state *s = ext_state_of(v, close_state, sizeof *s);
  for (size_t i = s ? s->links.n : 0; i-- > 0;)
    if (s->links.at[i]->clears != v->clears) remove_link(v, s, i);
  return s;
}

/* ── ⎕SE ────────────────────────────────────────────────────────────────────────────── */

/* Those of sysname.def whose names begin with it, each in its namespace. */
static bool add_functions(vm *v, arr *se) {
  static const char begin[] = "⎕SE.";
  for (int row = 0; sys_name(row); row++) {
    const char *at = sys_name(row), *dot;
    OWNED arr *in = arr_retain(se);
    if (strncmp(at, begin, strlen(begin))) continue;
    for (at += strlen(begin); (dot = strchr(at, '.')); at = dot + 1) {
      OWNED_STR str name = {.c = v->c};
      str_put(&name, at, (size_t)(dot - at));
      str_put(&name, "", 0);
      sym *k = name.failed ? NULL : sym_intern(v, name.at, name.n);
      if (!k) return false;
      const value *x = space_find(in, k);
      arr *next = x && x->cls ? arr_retain(x->a) : space_new(v, in, name.at);
      bool ok = next && name_set(v, in, k, value_arr(next));
      arr_release(in);
      in = next;
      if (!ok) return false;
    }
    sym *k = sym_intern(v, at, strlen(at));
    OWNED_FN fn *f = k ? fn_new(v, F_SYS, (uint32_t)row) : NULL;
    value *to = f ? space_place(in, k) : NULL;
    if (!to) return false;
    *to = value_fn(fn_move(&f), C_FN); /* one that runs where it is called, not in `in` */
  }
  return true;
}

/* What is written in APL: lib/se.apl, where it is found. */
static bool add_script(vm *v, arr *se) {
  static const char *const endings[] = {".apl", NULL};
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str text = {.c = v->c};
  OWNED_VALUE value got = {0};
  bool ignored, shy = v->shy;
  if (v->c->may & MAY_READ && !lib_find(v, "se", endings, &path)) return false;
  bool own = !path.n;
  if (own && !lib_own(v, "se", &path, &text)) return false;
  if (!path.n) return true;
  if (!own && !text_read(v, "⎕SE", path.at, &text)) return false;
  vm_text t = {.name = path.at, .at = text.at, .n = text.n, .as = TEXT_DEFINITION};
  bool ok = run_text_in(v, &t, se, false, &got, &ignored) && verify(v);
  v->shy = shy;
  return ok;
}

arr *ext_se_seen(vm *v) {
  session_state *s = state_of(v);
  if (!s || s->se) return s ? s->se : NULL;
  arr *se = space_of_items(v, arr_text(v->c, "⎕SE", strlen("⎕SE")), 0, NULL, NULL);
  if (se && add_functions(v, se)) s->se = se;
  else arr_release(se);
  if (s->se && !add_script(v, s->se)) {
    arr_release(s->se);
    s->se = NULL;
  }
  return s->se;
}

arr *ext_se(vm *v) {
  arr *se = ext_se_seen(v);
  return se ? arr_retain(se) : NULL;
}

/* ── what is asked for ──────────────────────────────────────────────────────────────── */

typedef struct request {
  vm *v;
  const char *who;
  arr *in; /* owned; NULL: the workspace */
  bool named, flatten, overwrite, arrays, from_space;
  str path;
  str errors;
} request;

static void request_free(request *q) {
  arr_release(q->in);
  str_free(&q->path);
  str_free(&q->errors);
}
#define OWNED_REQUEST __attribute__((cleanup(request_free)))

static request request_of(vm *v, const char *who) {
  return (request){.v = v, .who = who, .path = {.c = v->c}, .errors = {.c = v->c}};
}

static void put_space_name(arr *in, str *s) {
  const arr *text = in ? arr_ref_text(in) : NULL;
  if (!text) str_puts(s, "#");
  for (int64_t i = 0; text && text->rank == 1 && i < text->count; i++)
    str_putc(s, (uint32_t)arr_get_int(text, i));
}

/* The namespace that x is or names, made if there is none. */
static bool set_space(request *q, arr *x) {
  vm *v = q->v;
  arr *made = NULL;
  OWNED arr *none = arr_vec(v->c, ET_BIT, 0);
  if (!none || (!x->ref && !sys_ns(v, x, none, &made))) return false;
  arr_release(made);
  arr *in = space_named(v, x, q->who);
  if (!in) return false;
  q->named = true;
  arr_release(q->in);
  q->in = NULL;
  if (link_space(in)) q->in = in;
  else arr_release(in);
  return true;
}

static void set_here(request *q) {
  arr *in = link_space(q->v->env ? q->v->env->space : NULL);
  if (in) q->in = arr_retain(in);
}

static bool set_path(request *q, arr *x) {
  if (!ext_path(q->v, x, q->who, &q->path)) return false;
  while (q->path.n > 1 && q->path.at[q->path.n - 1] == '/') q->path.at[--q->path.n] = 0;
  return true;
}

static bool option_is(request *q, const arr *x, const char *name, bool *to) {
  sym *k = sym_intern(q->v, name, strlen(name));
  const value *at = k ? space_find(x, k) : NULL;
  OWNED_VALUE value own = {0};
  if (!k) return false;
  if (at && at->cls == C_ARR) own = value_retain(*at);
  if (!own.cls) return true;
  if (!value_box(q->v->c, &own) || !ir_host(q->v->g, own.a)) return false;
  if (elt_is_char((elt)own.a->type)) *to = own.a->count > 0;
  else if (own.a->count == 1 && own.a->type <= ET_F64) *to = arr_get_float(own.a, 0) != 0;
  return true;
}

/* source: 'ns' or 'dir' */
static bool option_source(request *q, const arr *x) {
  sym *k = sym_intern(q->v, "source", 6);
  const value *at = k ? space_find(x, k) : NULL;
  OWNED_STR str s = {.c = q->v->c};
  if (!k || (at && at->cls == C_ARR && !at->num && !arg_text(q->v, at->a, q->who, &s)))
    return false;
  q->from_space = s.at && !strcmp(s.at, "ns");
  return true;
}

static bool set_options(request *q, arr *x) {
  if (!x) return true;
  if (!x->ref) return err_set(q->v->c, ERR_DOMAIN, "%s: options are a namespace", q->who);
  return option_is(q, x, "flatten", &q->flatten) &&
         option_is(q, x, "overwrite", &q->overwrite) &&
         option_is(q, x, "arrays", &q->arrays) && option_source(q, x);
}

/* x: options; y: a folder or file, or a namespace and one. */
static bool set_arguments(request *q, arr *x, arr *y) {
  if (!set_options(q, x)) return false;
  bool pair = is_nested(y) && y->rank == 1 && y->count == 2;
  if (is_nested(y) && !pair && y->count != 1)
    return err_set(q->v->c, ERR_LENGTH, "%s takes a namespace and a folder", q->who);
  if (pair) return set_space(q, arr_item(y, 0)) && set_path(q, arr_item(y, 1));
  set_here(q);
  return set_path(q, is_nested(y) ? arr_item(y, 0) : y);
}

/* The words of a command: [namespace] folder -options; `folder`: there is to be one. */
static bool set_words(request *q, const char *at, const char *end, bool folder) {
  vm *v = q->v;
  OWNED_STR str one = {.c = v->c};
  OWNED_STR str two = {.c = v->c};
  int n = 0;
  while (command_more(&at, end)) {
    OWNED_STR str word = {.c = v->c};
    bool option = *at == '-';
    if (!command_word(v, &at, end, &word)) return false;
    if (option && !strcasecmp(word.at, "-flatten")) q->flatten = true;
    else if (option && !strcasecmp(word.at, "-overwrite")) q->overwrite = true;
    else if (option && !strcasecmp(word.at, "-arrays")) q->arrays = true;
    else if (option && !strcasecmp(word.at, "-source=ns")) q->from_space = true;
    else if (option && !strncasecmp(word.at, "-source=", 8)) q->from_space = false;
    else if (option || n == (folder ? 2 : 1))
      return err_set(v->c, ERR_SYNTAX,
                     "%s takes [namespace] folder -flatten -source= -overwrite -arrays, "
                     "not %s",
                     q->who, word.at);
    else str_put(n++ ? &two : &one, word.at, word.n);
  }
  if (folder && !n)
    return err_set(v->c, ERR_SYNTAX, "%s needs a folder behind it", q->who);
  OWNED arr *first = n ? arr_text(v->c, one.at, one.n) : NULL;
  OWNED arr *second = n > 1 ? arr_text(v->c, two.at, two.n) : NULL;
  if ((n && !first) || (n > 1 && !second)) return false;
  if (folder && n == 1) return set_path(q, first);
  return (!n || set_space(q, first)) && (n < 2 || set_path(q, second));
}

/* ── reading ────────────────────────────────────────────────────────────────────────── */

static void put_errors(const request *q, str *s) {
  if (q->errors.n) str_printf(s, "\nERRORS ENCOUNTERED:\n%s", q->errors.at);
  while (s->n && s->at[s->n - 1] == '\n') s->at[--s->n] = 0;
}

static void put_now(str *s) {
  char text[32] = "";
  time_t now = time(NULL);
  struct tm d;
  if (!dist_same(s->c, &now, sizeof now)) return;
  if (localtime_r(&now, &d)) strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &d);
  str_printf(s, " [%s]", text);
}

static bool import(request *q, str *s) {
  linked l = {.path = {.c = q->v->c}, .flatten = q->flatten};
  if (q->in) l.in = arr_retain(q->in);
  str_put(&l.path, q->path.at, q->path.n);
  bool ok = !l.path.failed && link_read(q->v, q->who, &l, true, &q->errors);
  link_free(q->v, &l);
  str_puts(s, "Imported: ");
  put_space_name(q->in, s);
  str_printf(s, " ← %s", q->path.at);
  put_errors(q, s);
  return ok && !s->failed;
}

static linked *find_link(session_state *k, const arr *in) {
  for (size_t i = 0; i < k->links.n; i++)
    if (k->links.at[i]->in == in) return k->links.at[i];
  return NULL;
}

static void put_linked(const request *q, str *s) {
  str_puts(s, "Linked: ");
  put_space_name(q->in, s);
  str_printf(s, " ←→ %s", q->path.at);
  put_now(s);
  put_errors(q, s);
}

/* A namespace called as the folder, where none is given. */
static bool space_by_folder(request *q) {
  const char *slash = strrchr(q->path.at, '/'), *name = slash ? slash + 1 : q->path.at;
  OWNED arr *x = arr_text(q->v->c, name, strcspn(name, "."));
  return x && set_space(q, x);
}

static linked *new_link(request *q, session_state *k) {
  vm *v = q->v;
  linked *l = mem_zalloc(v->c, sizeof *l);
  if (!l) return NULL;
  *l = (linked){.path = {.c = v->c}, .flatten = q->flatten, .clears = v->clears};
  if (q->in) l->in = arr_retain(q->in);
  str_put(&l->path, q->path.at, q->path.n);
  if (!l->path.failed && vec_push(v->c, &k->links, l)) return l;
  link_free(v, l);
  mem_free(v->c, l);
  return NULL;
}

static bool export(request *q, linked *l) {
  link_writing w = {q->v, q->who, q->overwrite, q->arrays, l, &q->errors};
  return ext_may(q->v, MAY_WRITE, q->who) && link_write(&w, q->in, q->path.at);
}

/* Has the namespace no names? */
static bool is_empty(const arr *in) {
  const space *p = in ? space_of(in) : NULL;
  for (uint32_t i = 0; p && i < p->n; i++)
    if (space_read(&p->at[i])->cls) return false;
  return true;
}

static bool create(request *q, str *s) {
  vm *v = q->v;
  session_state *k = state_of(v);
  struct stat st;
  if (!k || !ext_may(v, MAY_READ, q->who)) return false;
  if (!q->named && !space_by_folder(q)) return false;
  if (find_link(k, q->in)) {
    err_set(v->c, ERR_DOMAIN, "%s: the namespace is linked to %s", q->who,
            find_link(k, q->in)->path.at);
    return false;
  }
  bool missing = !ext_stat(v, q->who, q->path.at, true, &st);
  if (missing && err_is(v->c)) return false;
  q->from_space |= missing && q->named && !is_empty(q->in); /* auto */
  linked *l = new_link(q, k);
  bool ok = l != NULL;
  if (ok && q->from_space) ok = export(q, l);
  ok = ok && link_read(v, q->who, l, false, &q->errors);
  if (!ok && l) remove_link(v, k, k->links.n - 1);
  if (ok) put_linked(q, s);
  return ok && !s->failed;
}

/* Reads the files of the links of the namespace again, of all if none is given. */
static bool refresh(request *q, str *s) {
  session_state *k = state_of(q->v);
  bool any = false;
  for (size_t i = 0; k && i < k->links.n; i++) {
    linked *l = k->links.at[i];
    if (q->named && l->in != q->in) continue;
    request one = request_of(q->v, q->who);
    if (l->in) one.in = arr_retain(l->in);
    str_put(&one.path, l->path.at, l->path.n);
    bool ok = !one.path.failed && link_read(q->v, q->who, l, true, &one.errors);
    if (any) str_puts(s, "\n");
    if (ok) put_linked(&one, s);
    request_free(&one);
    any = true;
    if (!ok) return false;
  }
  if (!any) str_puts(s, "Not linked");
  return k && !s->failed;
}

static bool break_link(request *q, str *s) {
  session_state *k = state_of(q->v);
  bool any = false;
  for (size_t i = k ? k->links.n : 0; i-- > 0;) {
    if (q->named && k->links.at[i]->in != q->in) continue;
    if (any) str_puts(s, "\n");
    str_puts(s, "Unlinked: ");
    put_space_name(k->links.at[i]->in, s);
    remove_link(q->v, k, i);
    any = true;
  }
  if (!any) {
    str_puts(s, "Not linked: ");
    put_space_name(q->in, s);
  }
  return k && !s->failed;
}

static bool export_text(request *q, str *s) {
  if (!export(q, NULL)) return false;
  str_puts(s, "Exported: ");
  put_space_name(q->in, s);
  str_printf(s, " → %s", q->path.at);
  put_errors(q, s);
  return !s->failed;
}

/* ── the functions ──────────────────────────────────────────────────────────────────── */

typedef bool asked(request *q, str *s);

static bool answer(request *q, asked *f, arr **r) {
  OWNED_STR str s = {.c = q->v->c};
  if (!f(q, &s)) return false;
  q->v->shy = false;
  return give_result(r, str_take(q->v, &s));
}

static bool with_folder(vm *v, arr *x, arr *y, const char *who, asked *f, arr **r) {
  OWNED_REQUEST request q = request_of(v, who);
  return set_arguments(&q, x, y) && answer(&q, f, r);
}

/* y: a namespace; '': all */
static bool with_space(vm *v, arr *x, arr *y, const char *who, asked *f, arr **r) {
  OWNED_REQUEST request q = request_of(v, who);
  bool one = is_nested(y) && y->count == 1;
  if (one) y = arr_item(y, 0);
  return set_options(&q, x) && (!y->count || set_space(&q, y)) && answer(&q, f, r);
}

bool ext_link_import(vm *v, arr *x, arr *y, arr **r) {
  return with_folder(v, x, y, "⎕SE.Link.Import", import, r);
}
bool ext_link_create(vm *v, arr *x, arr *y, arr **r) {
  return with_folder(v, x, y, "⎕SE.Link.Create", create, r);
}
bool ext_link_export(vm *v, arr *x, arr *y, arr **r) {
  return with_folder(v, x, y, "⎕SE.Link.Export", export_text, r);
}
bool ext_link_break(vm *v, arr *x, arr *y, arr **r) {
  return with_space(v, x, y, "⎕SE.Link.Break", break_link, r);
}
bool ext_link_refresh(vm *v, arr *x, arr *y, arr **r) {
  return with_space(v, x, y, "⎕SE.Link.Refresh", refresh, r);
}

static bool status_row(vm *v, linked *l, arr_list *items) {
  OWNED arr *in = l->in ? arr_retain(l->in) : space_workspace(v);
  return in && list_add(items, arr_move(&in)) &&
         list_add(items, arr_text(v->c, l->path.at, l->path.n)) &&
         list_add(items, arr_int(v->c, (int64_t)l->items.n));
}

/* A table of the links, below names of its columns. */
static arr *status(vm *v, const request *q) {
  static const char *const head[] = {"Namespace", "Directory", "Files"};
  OWNED_LIST arr_list items = {.v = v};
  session_state *k = state_of(v);
  for (size_t i = 0; i < ARRAY_LEN(head); i++)
    if (!list_add(&items, arr_text(v->c, head[i], strlen(head[i])))) return NULL;
  for (size_t i = 0; k && i < k->links.n; i++)
    if (!q->named || k->links.at[i]->in == q->in)
      if (!status_row(v, k->links.at[i], &items)) return NULL;
  if (!k) return NULL;
  int64_t rows = (int64_t)items.n / 3;
  if (rows == 1) return arr_text(v->c, "No active links", 15);
  items.n = 0;
  return collect(v, items.at, 2, (int64_t[]){rows, 3});
}

bool ext_link_status(vm *v, arr *x, arr *y, arr **r) {
  OWNED_REQUEST request q = request_of(v, "⎕SE.Link.Status");
  UNUSED(x);
  if (y->count && !set_space(&q, y)) return false;
  v->shy = false;
  return give_result(r, status(v, &q));
}

/* ── names of linked namespaces ─────────────────────────────────────────────────────── */

/* The link that the namespace belongs to, and its folder there; NULL: none. */
static linked *link_around(vm *v, arr *in, str *folder) {
  session_state *k = state_of(v);
  linked *l = k ? find_link(k, in) : NULL;
  if (l) {
    str_puts(folder, l->path.at);
    return l;
  }
  if (!in || out_of_stack(v->c)) return NULL;
  OWNED_STR str name = {.c = v->c};
  l = link_around(v, link_space(space_of(in)->parent), folder);
  put_space_name(in, &name);
  const char *dot = l && !name.failed ? strrchr(name.at, '.') : NULL;
  if (dot) str_printf(folder, "/%s", dot + 1);
  return l;
}

/* What a name or path means: its namespace (owned, NULL: #), and its symbol. */
static bool link_place(vm *v, const str *path, arr **in, sym **k) {
  if (!path_of(v, path, in, k)) {
    if (!err_is(v->c)) err_set(v->c, ERR_DOMAIN, "%s is no name", path->at);
    return false;
  }
  arr *here = *in ? NULL : link_space(v->env ? v->env->space : NULL);
  if (here) *in = arr_retain(here);
  if (*in && !link_space(*in)) {
    arr_release(*in);
    *in = NULL;
  }
  return true;
}

static bool each_name(vm *v, arr *y, const char *who,
                      bool (*f)(vm *v, const str *name, void *to), void *to) {
  names_in names;
  OWNED_STR str s = {.c = v->c};
  UNUSED(who);
  if (!names_open(v, y, &names)) return false;
  for (int64_t i = 0; i < names.n; i++)
    if (!name_at(v, &names, i, &s) || !f(v, &s, to)) return false;
  return true;
}

static bool write_place(vm *v, const char *who, arr *in, sym *k, bool *written) {
  OWNED_STR str folder = {.c = v->c};
  OWNED_STR str errors = {.c = v->c};
  linked *l = link_around(v, in, &folder);
  const value *x = space_find(in, k);
  *written = l != NULL;
  if (!l || !x || !x->cls) return !err_is(v->c);
  OWNED_VALUE value own = value_retain(*x);
  link_writing w = {v, who, true, true, l, &errors};
  return !folder.failed && ext_may(v, MAY_WRITE, who) && value_box(v->c, &own) &&
         link_write_name(&w, in, k, own, folder.at) &&
         (!errors.n || err_set(v->c, ERR_NONCE, "%s: %s", who, errors.at));
}

typedef struct added {
  str yes, no, none;
} added;

static bool add_name(vm *v, const str *name, void *to) {
  added *a = to;
  OWNED arr *in = NULL;
  sym *k;
  bool written;
  if (!link_place(v, name, &in, &k)) return false;
  const value *x = space_find(in, k);
  if (!x || !x->cls) str_printf(&a->none, " %s", name->at);
  else if (!write_place(v, "⎕SE.Link.Add", in, k, &written)) return false;
  else str_printf(written ? &a->yes : &a->no, " %s", name->at);
  return true;
}

bool ext_link_add(vm *v, arr *x, arr *y, arr **r) {
  added a = {{.c = v->c}, {.c = v->c}, {.c = v->c}};
  OWNED_STR str s = {.c = v->c};
  UNUSED(x);
  bool ok = each_name(v, y, "⎕SE.Link.Add", add_name, &a);
  if (a.yes.n) str_printf(&s, "Added:%s\n", a.yes.at);
  if (a.no.n) str_printf(&s, "Not linked:%s\n", a.no.at);
  if (a.none.n) str_printf(&s, "Not found:%s\n", a.none.at);
  if (s.n) s.n--;
  str_free(&a.yes);
  str_free(&a.no);
  str_free(&a.none);
  v->shy = false;
  return ok && give_result(r, str_take(v, &s));
}

static bool delete_here(vm *v, const char *who, const char *path) {
  OWNED_PLACE ext_place p = {.folder = -1, .name = {.c = v->c}};
  if (ext_find(&p, v, who, path, false) && !unlinkat(p.folder, p.name.at, 0)) return true;
  return (!err_is(v->c) && errno == ENOENT) || ext_os_error(v, who, path);
}

static bool delete_file(vm *v, const char *who, const char *path) {
  if (!ext_may(v, MAY_WRITE, who)) return false;
  if (dist_alone_begins(v->c)) delete_here(v, who, path);
  return dist_alone_ends(v->c, NULL);
}

/* Forgets the name, and deletes its file. */
static bool expunge(vm *v, const str *name, void *to) {
  OWNED arr *in = NULL;
  sym *k;
  session_state *s = state_of(v);
  if (!s || !link_place(v, name, &in, &k)) return false;
  for (size_t i = 0; i < s->links.n; i++) {
    linked *l = s->links.at[i];
    link_item *at = link_item_of(l, in, k);
    if (!at) continue;
    if (!delete_file(v, "⎕SE.Link.Expunge", at->path)) return false;
    link_drop(v, l, at);
  }
  const value *x = space_find(in, k);
  return (!x || !x->cls || name_set(v, in, k, (value){0})) &&
         list_add(to, arr_int(v->c, 1));
}

bool ext_link_expunge(vm *v, arr *x, arr *y, arr **r) {
  OWNED_LIST arr_list items = {.v = v};
  UNUSED(x);
  if (!each_name(v, y, "⎕SE.Link.Expunge", expunge, &items)) return false;
  v->shy = true;
  return give_result(r, list_array(&items));
}

/* ns name ⎕SE.Link.Fix lines */
bool ext_link_fix(vm *v, arr *x, arr *y, arr **r) {
  static const char who[] = "⎕SE.Link.Fix";
  OWNED_REQUEST request q = request_of(v, who);
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str given = {.c = v->c};
  OWNED_VALUE value got = {0};
  sym *name;
  bool written, parts = x && is_nested(x) && x->count > 1;
  arr *ns = parts ? arr_item(x, 0) : x;
  if (ns && ns->count ? !set_space(&q, ns) : (set_here(&q), false)) return false;
  if (parts && !arg_text(v, arr_item(x, 1), who, &given)) return false;
  for (int64_t i = 0; i < (is_nested(y) ? y->count : 1); i++) {
    if (!arg_text(v, is_nested(y) ? arr_item(y, i) : y, who, &text)) return false;
    str_puts(&text, "\n");
  }
  vm_text t = {.name = "", .at = text.at, .n = text.n, .as = TEXT_DEFINITION};
  if (!link_define(v, q.in, &t, &name, &got)) return false;
  if (!name && given.n && got.cls == C_ARR) {
    name = sym_intern(v, given.at, given.n);
    if (!name || !name_set(v, q.in, name, got)) return false;
  }
  if (!name) return err_set(v->c, ERR_DOMAIN, "%s: the lines define nothing", who);
  v->shy = true;
  return write_place(v, who, q.in, name, &written) &&
         give_result(r, arr_text(v->c, name->text, name->len));
}

/* ── ⎕SE.SALT.Load ──────────────────────────────────────────────────────────────────── */

typedef struct loading {
  request *q;
  bool nameless;
  arr_list *items;
} loading;

static bool is_url(const char *path) {
  return !strncmp(path, "http", 4) && strstr(path, "://") && !strchr(path, '\'');
}

/* The text at a URL, by ⎕HTTP. */
static bool fetch_text(vm *v, const char *who, const char *url, str *to) {
  OWNED_STR str ask = {.c = v->c};
  OWNED_VALUE value got = {0};
  bool shy;
  str_printf(&ask,
             "{0≠⍵.rc:⍵.msg ⎕SIGNAL 22 ⋄ 2≠⌊⍵.HttpStatus÷100:((⍕⍵.HttpStatus),' "
             "',⍵.HttpMessage)⎕SIGNAL 22 ⋄ ⍵.Data}⎕HTTP'%s'",
             url);
  vm_text t = {.name = who, .at = ask.at, .n = ask.n};
  return !ask.failed && run_text(v, &t, false, &got, &shy) && got.cls == C_ARR &&
         arg_text(v, got.a, who, to);
}

/* The reference or name of what a file, or what is at a URL, defines goes to the items. */
static bool load_file(loading *k, const char *path) {
  vm *v = k->q->v;
  OWNED_STR str text = {.c = v->c};
  OWNED_VALUE value got = {0};
  OWNED arr *apart = k->nameless ? space_new(v, k->q->in, NULL) : NULL;
  sym *name;
  if (k->nameless && !apart) return false;
  bool ok = is_url(path) ? fetch_text(v, k->q->who, path, &text)
                         : text_read(v, k->q->who, path, &text);
  if (!ok) return false;
  vm_text t = {.name = path, .at = text.at, .n = text.n, .as = TEXT_DEFINITION};
  if (!link_define(v, k->nameless ? apart : k->q->in, &t, &name, &got)) return false;
  if (got.cls == C_ARR && !got.num && got.a->ref)
    return list_add(k->items, arr_retain(got.a));
  if (!name) return list_add(k->items, arr_text(v->c, "", 0));
  return list_add(k->items, arr_text(v->c, name->text, name->len));
}

/* The text of the recorded error behind ***; NULL: it ends what was asked for. */
static arr *told(vm *v) {
  OWNED_STR str s = {.c = v->c};
  str_puts(&s, "*** ");
  if (!link_tell(v, &s) || s.failed) return NULL;
  while (s.n && s.at[s.n - 1] == '\n') s.n--;
  return arr_text(v->c, s.at, s.n);
}

/* The files of the folder whose names match; what is wrong in one stands in its place, and the others are loaded. */
static bool load_matching(loading *k, const str *path) {
  vm *v = k->q->v;
  OWNED_NAMES ext_names names = {.c = v->c};
  OWNED_STR str folder = {.c = v->c};
  const char *slash = strrchr(path->at, '/'), *last = slash ? slash + 1 : path->at;
  str_put(&folder, path->at, (size_t)(last - path->at));
  if (!folder.n) str_puts(&folder, "./");
  if (folder.failed || !ext_list(v, k->q->who, folder.at, &names)) return false;
  for (size_t i = 0; i < names.n; i++) {
    OWNED_STR str file = {.c = v->c};
    str_printf(&file, "%s%s", folder.at, names.at[i]);
    bool fits = !fnmatch(last, names.at[i], 0) && link_is_code(names.at[i]);
    if (file.failed) return false;
    if (fits && !load_file(k, file.at) && !list_add(k->items, told(v))) return false;
  }
  return k->items->n || err_set(v->c, ERR_FILE_NAME, "no file is called %s", path->at);
}

static bool load_words(loading *k, const str *text) {
  static const char *const endings[] = {"",      ".dyalog", ".apln", ".aplc",
                                        ".aplf", ".aplo",   ".apla", NULL};
  static const char library[] = "[SALT]/"; /* Dyalog's own, for which ours stand */
  vm *v = k->q->v;
  const char *at = text->at, *end = text->at + text->n;
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str path = {.c = v->c};
  while (command_more(&at, end)) {
    OWNED_STR str word = {.c = v->c};
    bool option = *at == '-';
    if (!command_word(v, &at, end, &word)) return false;
    if (!option && !name.n) str_put(&name, word.at, word.n);
    else if (option && !strncasecmp(word.at, "-noname", 7)) k->nameless = true;
    else if (option && !strncasecmp(word.at, "-target=", 8)) {
      OWNED arr *x = arr_text(v->c, word.at + 8, word.n - 8);
      if (!x || !set_space(k->q, x)) return false;
    } else if (!option) return err_set(v->c, ERR_DOMAIN, "one file is wanted");
  }
  if (!name.n) return err_set(v->c, ERR_DOMAIN, "a file is wanted");
  if (is_url(name.at)) return load_file(k, name.at);
  if (strpbrk(name.at, "*?")) return load_matching(k, &name);
  const char *bare =
      name.at + (strncmp(name.at, library, strlen(library)) ? 0 : strlen(library));
  if (!lib_find(v, bare, endings, &path)) return false;
  if (path.n) return load_file(k, path.at);
  return err_set(v->c, ERR_FILE_NAME, "there is no file %s", name.at);
}

static arr *link_load(vm *v, const str *text, const char *who) {
  OWNED_LIST arr_list items = {.v = v};
  OWNED_REQUEST request q = request_of(v, who);
  loading k = {.q = &q, .items = &items};
  set_here(&q);
  if (!ext_may(v, MAY_READ, who)) return NULL;
  if (load_words(&k, text))
    return items.n == 1 ? arr_retain(items.at[0]) : list_array(&items);
  return told(v);
}

bool ext_salt_load(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str text = {.c = v->c};
  UNUSED(x);
  if (!arg_text(v, y, "⎕SE.SALT.Load", &text)) return false;
  *r = link_load(v, &text, "⎕SE.SALT.Load");
  v->shy = false;
  return *r != NULL;
}

/* ── commands ───────────────────────────────────────────────────────────────────────── */

static bool say(vm *v, asked *f, const char *who, const char *at, const char *end,
                bool folder) {
  OWNED_REQUEST request q = request_of(v, who);
  OWNED_STR str s = {.c = v->c};
  if (!set_words(&q, at, end, folder) || !f(&q, &s)) return false;
  str_puts(&s, "\n");
  return !s.failed && put_out(v, s.at, s.n);
}

bool ext_cmd_link_import(vm *v, const char *at, const char *end) {
  return say(v, import, "]link.import", at, end, true);
}
bool ext_cmd_link_create(vm *v, const char *at, const char *end) {
  return say(v, create, "]link.create", at, end, true);
}
bool ext_cmd_link_export(vm *v, const char *at, const char *end) {
  return say(v, export_text, "]link.export", at, end, true);
}
bool ext_cmd_link_break(vm *v, const char *at, const char *end) {
  return say(v, break_link, "]link.break", at, end, false);
}
bool ext_cmd_link_refresh(vm *v, const char *at, const char *end) {
  return say(v, refresh, "]link.refresh", at, end, false);
}

bool ext_cmd_link_status(vm *v, const char *at, const char *end) {
  OWNED_REQUEST request q = request_of(v, "]link.status");
  OWNED arr *r = set_words(&q, at, end, false) ? status(v, &q) : NULL;
  return r && show_value(v, value_arr(r));
}

bool ext_cmd_link_expunge(vm *v, const char *at, const char *end) {
  OWNED_LIST arr_list items = {.v = v};
  while (command_more(&at, end)) {
    OWNED_STR str word = {.c = v->c};
    if (!command_word(v, &at, end, &word) || !expunge(v, &word, &items)) return false;
  }
  return true;
}

bool ext_cmd_get(vm *v, const char *at, const char *end) {
  OWNED_STR str text = {.c = v->c};
  str_put(&text, at, (size_t)(end - at));
  str_put(&text, "", 0);
  OWNED arr *r = text.failed ? NULL : link_load(v, &text, "]load");
  return r && show_value(v, value_arr(r));
}

/* ── :Require ───────────────────────────────────────────────────────────────────────── */

/* Is the file one of those that were taken up before? It is one then. */
static bool is_required(vm *v, const char *path, bool *is) {
  session_state *s = state_of(v);
  if (!s) return false;
  if (s->clears != v->clears) s->required.n = 0;
  s->clears = v->clears;
  s->required.c = v->c;
  *is = false;
  for (size_t i = 0; i < s->required.n && !*is; i += strlen(s->required.at + i) + 1)
    *is = !strcmp(s->required.at + i, path);
  if (!*is) str_put(&s->required, path, strlen(path) + 1);
  return !s->required.failed;
}

/* The path that is given, relative to the script that has the statement. */
static bool required_path(vm *v, const char *given, str *path) {
  const char *script = v->at.src ? v->at.src->name : "", *slash = strrchr(script, '/');
  if (*given != '/' && slash) str_put(path, script, (size_t)(slash + 1 - script));
  str_puts(path, given + (strncmp(given, "./", 2) ? 0 : 2));
  return !path->failed;
}

/* :Require file://name: what the file defines is defined where the script is, once in a workspace. */
bool ext_cmd_require(vm *v, const char *at, const char *end) {
  static const char who[] = ":Require", scheme[] = "file://";
  OWNED_STR str word = {.c = v->c};
  OWNED_STR str path = {.c = v->c};
  OWNED_LIST arr_list items = {.v = v};
  OWNED_REQUEST request q = request_of(v, who);
  loading k = {.q = &q, .items = &items};
  bool is;
  if (!command_more(&at, end) || !command_word(v, &at, end, &word) ||
      strncmp(word.at, scheme, strlen(scheme)))
    return !err_is(v->c) &&
           err_set(v->c, ERR_SYNTAX, ":Require takes file:// and a name");
  if (!command_ends(v, who, "one file", at, end) || !ext_may(v, MAY_READ, who) ||
      !required_path(v, word.at + strlen(scheme), &path) || !is_required(v, path.at, &is))
    return false;
  set_here(&q);
  return is || load_file(&k, path.at);
}

/* ── the command line ───────────────────────────────────────────────────────────────── */

/* Is it the folder of one of Cider's projects? lib/se.apl opens those. */
static bool is_project(vm *v, const char *path) {
  OWNED_STR str file = {.c = v->c};
  struct stat st;
  str_printf(&file, "%s/cider.config", path);
  bool is = !file.failed && ext_stat(v, "vapl", file.at, true, &st);
  if (err_is(v->c)) err_clear(v->c);
  return is;
}

static bool open_project(vm *v, const char *path) {
  OWNED_STR str text = {.c = v->c};
  OWNED_VALUE value got = {0};
  bool shy;
  str_puts(&text, "⎕SE.Cider.OpenProject,'");
  for (; *path; path++)
    str_put(&text, *path == '\'' ? "''" : path, *path == '\'' ? 2 : 1);
  str_puts(&text, "'");
  vm_text t = {.name = "", .at = text.at, .n = text.n};
  return !text.failed && run_text(v, &t, false, &got, &shy);
}

bool ext_import(vm *v, const char *path, bool kept, str *errors) {
  OWNED_REQUEST request q = request_of(v, "vapl");
  OWNED_STR str s = {.c = v->c};
  OWNED arr *x = arr_text(v->c, path, strlen(path));
  q.named = true;
  if (x && is_project(v, path)) return open_project(v, path);
  if (!x || !set_path(&q, x) || !(kept ? create : import)(&q, &s)) return false;
  str_puts(errors, q.errors.n ? q.errors.at : "");
  return !errors->failed;
}

bool ext_link_look(vm *v) {
  OWNED_STR str errors = {.c = v->c};
  session_state *k = v->states ? state_of(v) : NULL;
  for (size_t i = 0; k && i < k->links.n; i++)
    if (!link_read(v, "]link", k->links.at[i], false, &errors)) return false;
  if (errors.n && v->cfg.write) v->cfg.write(v->cfg.user, 2, errors.at, errors.n);
  return !errors.failed;
}
