/* SPDX-License-Identifier: MIT */
/* link_read.c - the files of a folder to definitions, by Link's conventions.
 *
 *   .aplf .aplo   a function or operator: lines with its header first, or name←{…}
 *   .apla         an array in array notation, or (name.vec.apla) lines of text
 *   .apln .dyalog a scripted namespace; the latter what its first line says
 *   a folder      a namespace
 *
 * A definition has the name that it says, an array and a folder those of the file. In each folder
 * functions, arrays and folders come first, for the lines of a scripted namespace may use them.
 * What fails is tried again as long as that helps any file: it may use what a later one defines.
 * A file that was taken up is taken up again when its time or size has changed. */
#include "../../src/array/element.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/system.h"
#include "link.h"
#include "text.h"
#include <string.h>
#include <strings.h>

typedef struct reader {
  vm *v;
  const char *who;
  linked *l;
  bool again;
  str *errors;
  size_t failed; /* files of this round */
  str causes;    /* what is wrong in them */
} reader;

/* ── items ──────────────────────────────────────────────────────────────────────────── */

link_item *link_item_at(linked *l, const char *path) {
  for (size_t i = 0; i < l->items.n; i++)
    if (!strcmp(l->items.at[i].path, path)) return &l->items.at[i];
  return NULL;
}

link_item *link_item_of(linked *l, const arr *in, const sym *name) {
  for (size_t i = 0; i < l->items.n; i++)
    if (l->items.at[i].name == name && l->items.at[i].in == in) return &l->items.at[i];
  return NULL;
}

static void item_free(vm *v, link_item *k) {
  mem_free(v->c, k->path);
  arr_release(k->in);
}

void link_drop(vm *v, linked *l, link_item *k) {
  item_free(v, k);
  *k = l->items.at[--l->items.n];
}

void link_free(vm *v, linked *l) {
  for (size_t i = 0; i < l->items.n; i++) item_free(v, &l->items.at[i]);
  vec_free(v->c, &l->items);
  arr_release(l->in);
  str_free(&l->path);
}

static bool add_item(vm *v, linked *l, const char *path) {
  size_t n = strlen(path) + 1;
  link_item k = {.path = mem_alloc(v->c, n)};
  if (!k.path) return false;
  memcpy(k.path, path, n);
  if (vec_push(v->c, &l->items, k)) return true;
  mem_free(v->c, k.path);
  return false;
}

bool link_note(vm *v, linked *l, const char *path, arr *in, sym *name) {
  struct stat st;
  if (!link_item_at(l, path) && !add_item(v, l, path)) return false;
  link_item *k = link_item_at(l, path);
  arr *was = k->in;
  k->in = in ? arr_retain(in) : NULL;
  arr_release(was);
  k->name = name;
  k->seen = true;
  if (!ext_stat(v, "", path, true, &st)) return !err_is(v->c);
  k->changed = st.st_mtim;
  k->bytes = st.st_size;
  return true;
}

/* ── what a file defines ────────────────────────────────────────────────────────────── */

enum { OTHER, CODE, ARRAY, SCRIPT };

static const char *extension(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : "";
}

static int kind_of(const char *name) {
  static const struct {
    const char *name;
    int kind;
  } known[] = {{"aplf", CODE},   {"aplo", CODE},     {"apla", ARRAY},
               {"apln", SCRIPT}, {"dyalog", SCRIPT}, {"aplc", SCRIPT},
               {"apli", SCRIPT}, {"charmat", ARRAY}};
  for (size_t i = 0; i < ARRAY_LEN(known); i++)
    if (!strcasecmp(known[i].name, extension(name))) return known[i].kind;
  return OTHER;
}

bool link_is_code(const char *name) {
  int kind = kind_of(name);
  return kind == CODE || kind == SCRIPT;
}

/* The name that a text defines last; NULL: none. */
static const tnode *defined(const tnode *root) {
  for (uint32_t i = root->n; i-- > 0;) {
    const tnode *t = root->kid[i];
    if (t->kind == T_TRAD) return t->trad->name;
    if (t->kind == T_SCRIPT && t->kid[0]) return t->kid[0];
    bool assigns = t->kind == T_STMT && t->n > 2 && t->kid[1]->kind == T_ASSIGN;
    if (assigns && t->kid[0]->kind == T_NAME) return t->kid[0];
  }
  return NULL;
}

bool link_define(vm *v, arr *in, const vm_text *t, sym **name, value *got) {
  bool shy;
  OWNED_UNIT unit *u = unit_new(v, t);
  *name = NULL;
  if (!u || !run_unit_in(v, u, in, false, got, &shy) || !verify(v)) return false;
  const tnode *k = defined(u->t->root);
  if (k) *name = sym_intern(v, k->text, k->n);
  return !k || *name;
}

/* ── arrays ── */

/* Lines of text as a matrix. */
static arr *matrix_of(vm *v, arr *lines) {
  int64_t wide = 0, n = arr_nests(lines) ? lines->count : 0;
  for (int64_t i = 0; i < n; i++)
    if (arr_item(lines, i)->count > wide) wide = arr_item(lines, i)->count;
  arr *r = arr_new(v->c, ET_C32, 2, (int64_t[]){n, wide});
  for (int64_t i = 0; r && i < n; i++) {
    const arr *line = arr_item(lines, i);
    for (int64_t j = 0; j < wide; j++)
      arr_put_int(r, i * wide + j, j < line->count ? arr_get_int(line, j) : ' ');
  }
  return r;
}

/* The text, whose lines end as `end` says. */
static arr *text_with(vm *v, const str *text, const char *end) {
  OWNED_STR str s = {.c = v->c};
  for (size_t i = 0; i < text->n; i++) {
    if (text->at[i] == '\n') str_puts(&s, end);
    else str_put(&s, text->at + i, 1);
  }
  return s.failed ? NULL : arr_text(v->c, s.at ? s.at : "", s.n);
}

static bool has_form(const char *form, const char *name) {
  size_t n = strlen(name);
  return !strncasecmp(form, name, n) && form[n] == '.';
}

/* The array of the file, whose name is followed by `form`. */
static bool array_of(vm *v, const vm_text *t, const str *text, arr *in, const char *form,
                     value *got) {
  sym *ignored;
  OWNED arr *plain = arr_text(v->c, text->at, text->n);
  bool matrix = has_form(form, ".mat") || !strcasecmp(form, ".charmat");
  OWNED arr *lines =
      plain && (matrix || has_form(form, ".vec")) ? text_lines(v, plain) : NULL;
  if (!plain || err_is(v->c)) return false;
  if (matrix) *got = value_arr(matrix_of(v, lines));
  else if (lines) *got = value_arr(arr_move(&lines));
  else if (has_form(form, ".LF")) *got = value_arr(arr_move(&plain));
  else if (has_form(form, ".CR")) *got = value_arr(text_with(v, text, "\r"));
  else if (has_form(form, ".CRLF")) *got = value_arr(text_with(v, text, "\r\n"));
  else if (!link_define(v, in, t, &ignored, got)) return false;
  if (got->cls == C_ARR) return true;
  return err_set(v->c, ERR_DOMAIN, "%s is no array", t->name);
}

/* The file's name up to its first point, without the case code of Link (name-5). */
static bool link_put_name(vm *v, const char *file, str *name) {
  const char *dash = strchr(file, '-');
  size_t n = strcspn(file, ".");
  if (dash && dash < file + n &&
      strspn(dash + 1, "01234567") == n - 1 - (size_t)(dash - file))
    n = (size_t)(dash - file);
  str_put(name, file, n);
  str_put(name, "", 0);
  if (name->failed || is_valid_name(name)) return !name->failed;
  return err_set(v->c, ERR_DOMAIN, "%s: a file's name is that of its array", file);
}

static bool take_array(vm *v, const vm_text *t, const str *text, arr *in,
                       const char *file, sym **name) {
  OWNED_STR str s = {.c = v->c};
  OWNED_VALUE value got = {0};
  if (!link_put_name(v, file, &s)) return false;
  *name = sym_intern(v, s.at, s.n);
  return *name && array_of(v, t, text, in, file + strcspn(file, "."), &got) &&
         name_set(v, in, *name, got);
}

/* ── files ──────────────────────────────────────────────────────────────────────────── */

bool link_tell(vm *v, str *errors) {
  settle_error(v);
  int code = v->c->err.code;
  if (v->off || (code >= 1000 && code < 2000)) return false;
  vm_error_text(v, errors);
  err_clear(v->c);
  return !errors->failed;
}

static bool take_file(reader *k, arr *in, const char *path, const char *file,
                      sym **name) {
  vm *v = k->v;
  OWNED_STR str text = {.c = v->c};
  OWNED_VALUE value got = {0};
  *name = NULL;
  if (!text_read(v, k->who, path, &text)) return false;
  vm_text t = {.name = path, .at = text.at, .n = text.n, .as = TEXT_DEFINITION};
  if (kind_of(file) == ARRAY) return take_array(v, &t, &text, in, file, name);
  return link_define(v, in, &t, name, &got);
}

/* Takes up the file, and notes whether that failed. */
static bool try_file(reader *k, arr *in, const char *path, const char *file) {
  link_item *was = link_item_at(k->l, path);
  sym *name, *old = was ? was->name : NULL;
  bool ok = take_file(k, in, path, file, &name);
  if (!ok && !link_tell(k->v, &k->causes)) return false;
  if (!ok) k->failed++;
  if (!link_note(k->v, k->l, path, in, ok ? name : old)) return false;
  link_item_at(k->l, path)->failed = !ok;
  return true;
}

/* The file, if it is new or has changed. */
static bool look_at(reader *k, arr *in, const char *path, const char *file,
                    const struct stat *st) {
  link_item *was = link_item_at(k->l, path);
  bool same = was && was->changed.tv_sec == st->st_mtim.tv_sec &&
              was->changed.tv_nsec == st->st_mtim.tv_nsec && was->bytes == st->st_size;
  if (!same || k->again) return try_file(k, in, path, file);
  was->seen = true;
  return true;
}

/* The files that failed, once more. */
static bool try_again(reader *k) {
  k->failed = 0;
  k->causes.n = 0;
  for (size_t i = 0; i < k->l->items.n; i++) {
    const link_item *it = &k->l->items.at[i];
    if (!it->failed || !it->seen) continue;
    OWNED arr *in = it->in ? arr_retain(it->in) : NULL;
    OWNED_STR str path = {.c = k->v->c};
    str_puts(&path, it->path);
    if (path.failed || interrupted(k->v->c)) return false;
    const char *slash = strrchr(path.at, '/');
    if (!try_file(k, in, path.at, slash ? slash + 1 : path.at)) return false;
  }
  return true;
}

/* Until all are there or no more will be; then tells what is wrong. */
static bool finish(reader *k) {
  size_t before = SIZE_MAX;
  while (k->failed && k->failed < before) {
    before = k->failed;
    if (!try_again(k)) return false;
  }
  if (k->failed) str_put(k->errors, k->causes.at, k->causes.n);
  return !k->errors->failed;
}

/* The namespace of that name in `in`, made if there is none, with the variables of `in`; owned. */
static arr *space_in(vm *v, arr *in, const char *name) {
  sym *k = sym_intern(v, name, strlen(name));
  if (!k) return NULL;
  const value *x = space_find(in, k);
  if (x && x->cls == C_ARR && !x->num && x->a->ref) return arr_retain(x->a);
  OWNED arr *r = space_new(v, in, name);
  if (r) space_of(r)->vars = in ? space_of(in)->vars : v->vars;
  return r && name_set(v, in, k, value_arr(r)) ? arr_move(&r) : NULL;
}

static bool walk(reader *k, arr *in, const char *folder);

/* A folder in a folder; one whose name is none, such as .git, is skipped. */
static bool walk_into(reader *k, arr *in, const char *path, const char *file) {
  OWNED_STR str name = {.c = k->v->c};
  str_puts(&name, file);
  if (name.failed || *file == '.') return !name.failed;
  if (k->l->flatten) return walk(k, in, path);
  if (!is_valid_name(&name)) return true;
  OWNED arr *sub = space_in(k->v, in, file);
  return sub && walk(k, sub, path);
}

/* The i-th name of a folder, if its turn has come. */
static bool walk_at(reader *k, arr *in, const char *folder, const char *file, bool last) {
  OWNED_STR str path = {.c = k->v->c};
  struct stat st;
  int kind = kind_of(file);
  str_printf(&path, "%s/%s", folder, file);
  if (path.failed) return false;
  if (!ext_stat(k->v, k->who, path.at, true, &st))
    return !err_is(k->v->c) || link_tell(k->v, k->errors);
  if (S_ISDIR(st.st_mode)) return last || walk_into(k, in, path.at, file);
  bool turn = kind != OTHER && *file != '.' && last == (kind == SCRIPT);
  return !turn || look_at(k, in, path.at, file, &st);
}

static bool walk(reader *k, arr *in, const char *folder) {
  OWNED_NAMES ext_names names = {.c = k->v->c};
  if (out_of_stack(k->v->c)) return false;
  if (!ext_list(k->v, k->who, folder, &names)) return link_tell(k->v, k->errors);
  for (int last = 0; last < 2; last++)
    for (size_t i = 0; i < names.n; i++)
      if (interrupted(k->v->c) || !walk_at(k, in, folder, names.at[i], last))
        return false;
  return true;
}

/* Names of files that are gone go too. */
static bool forget_unseen(vm *v, linked *l) {
  for (size_t i = l->items.n; i-- > 0;) {
    link_item *k = &l->items.at[i];
    if (k->seen) continue;
    const value *x = k->name ? space_find(k->in, k->name) : NULL;
    if (x && x->cls && !name_set(v, k->in, k->name, (value){0})) return false;
    link_drop(v, l, k);
  }
  return true;
}

/* flatten: 1 or true in the settings of .linkconfig, which are JSON5. */
static bool says_flatten(const char *p) {
  bool is = false;
  for (; *p; p++) {
    if (!strncmp(p, "//", 2)) p += strcspn(p, "\n");
    if (!*p) break;
    if (strncasecmp(p, "flatten", 7)) continue;
    p += 7;
    p += strspn(p, "\"' \t\r\n:");
    is = *p == '1' || !strncmp(p, "true", 4);
  }
  return is;
}

static bool read_config(reader *k) {
  OWNED_STR str path = {.c = k->v->c};
  OWNED_STR str text = {.c = k->v->c};
  struct stat st;
  str_printf(&path, "%s/.linkconfig", k->l->path.at);
  if (path.failed) return false;
  if (!ext_stat(k->v, k->who, path.at, true, &st)) {
    err_clear(k->v->c);
    return true;
  }
  if (!text_read(k->v, k->who, path.at, &text)) return link_tell(k->v, k->errors);
  k->l->flatten |= says_flatten(text.at);
  return true;
}

static bool read_all(reader *k) {
  const char *path = k->l->path.at, *slash = strrchr(path, '/');
  struct stat st;
  if (!ext_may(k->v, MAY_READ, k->who)) return false;
  if (!ext_stat(k->v, k->who, path, true, &st)) return ext_os_error(k->v, k->who, path);
  for (size_t i = 0; i < k->l->items.n; i++) k->l->items.at[i].seen = false;
  if (!S_ISDIR(st.st_mode))
    return look_at(k, k->l->in, path, slash ? slash + 1 : path, &st) && finish(k);
  return read_config(k) && walk(k, k->l->in, path) && finish(k) &&
         forget_unseen(k->v, k->l);
}

bool link_read(vm *v, const char *who, linked *l, bool again, str *errors) {
  reader k = {.v = v, .who = who, .l = l, .again = again, .errors = errors};
  k.causes.c = v->c;
  bool ok = read_all(&k);
  str_free(&k.causes);
  return ok;
}
