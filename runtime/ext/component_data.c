/* SPDX-License-Identifier: MIT */
/* component_data.c - what is in component files: ⎕FAPPEND ⎕FREPLACE ⎕FREAD ⎕FDROP ⎕FSIZE ⎕FRDCI ⎕FRDAC
 * ⎕FSTAC ⎕FCOPY ⎕FCHK ⎕FPROPS ⎕FRESIZE. Each is one piece of work: all of it is done, or nothing. */
#include "component.h"
#include "workspace.h"
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#ifdef HAS_SQLITE
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIXTIETHS = 60 };

/* ── arrays as bytes ────────────────────────────────────────────────────────────────── */

static bool damaged(vm *v, const char *who, int64_t n) {
  err_clear(v->c);
  return err_set(v->c, ERR_FILE_DAMAGED, "%s: component %lld", who, (long long)n);
}

/* The first column of the row that the statement stands on. */
static arr *bytes_in(vm *v, sqlite3_stmt *row) {
  const library *l = sqlite_of(v);
  const void *at = l->sqlite3_column_blob(row, 0);
  int64_t n = l->sqlite3_column_bytes(row, 0);
  arr *bytes = arr_vec(v->c, ET_I8, n);
  if (bytes && at && n) memcpy(bytes->host, at, (size_t)n);
  return bytes;
}

/* The array that the bytes of component n are. FILE DAMAGED. */
static arr *array_of(vm *v, const char *who, int64_t n, arr *bytes) {
  arr *a = ws_unpack(v, who, bytes);
  if (!a && v->c->err.code == ERR_DOMAIN) damaged(v, who, n);
  return a;
}

static bool bind_array(vm *v, cf *f, const char *who, cf_ask which, int place,
                       const arr *bytes) {
  int failed = sqlite_of(v)->sqlite3_bind_blob64(
      f->ask[which], place, bytes->host, (sqlite3_uint64)bytes->count, SQLITE_STATIC);
  return !failed || cf_fails(v, f, who);
}

/* ── numbers of components ──────────────────────────────────────────────────────────── */

static bool in_range(vm *v, const cf *f, const cf_meta *m, int64_t n, const char *who) {
  if (n >= m->first && n < m->next) return true;
  return err_set(v->c, ERR_FILE_INDEX, "%s: %s has no component %lld", who, f->name.at,
                 (long long)n);
}

static bool bytes_of(vm *v, cf *f, const char *who, int64_t *bytes) {
  bool row;
  if (!cf_asks(v, f, who, CF_BYTES, 0, NULL) || !cf_steps(v, f, who, CF_BYTES, &row))
    return false;
  *bytes = sqlite_of(v)->sqlite3_column_int64(f->ask[CF_BYTES], 0);
  sqlite_of(v)->sqlite3_reset(f->ask[CF_BYTES]);
  return true;
}

static bool has_room(vm *v, cf *f, const cf_meta *m, int64_t more, const char *who) {
  int64_t bytes;
  if (!m->limit) return true;
  if (!bytes_of(v, f, who, &bytes)) return false;
  return bytes + more <= m->limit ||
         err_set(v->c, ERR_FILE_FULL, "%s: %s may have %lld bytes", who, f->name.at,
                 (long long)m->limit);
}

/* ── ⎕FAPPEND ⎕FREPLACE ─────────────────────────────────────────────────────────────── */

/* The bytes as component n, or in its place. */
static bool put_component(vm *v, cf *f, const char *who, int64_t n, const arr *bytes,
                          cf_ask how) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t numbers[] = {n, 0,
                       now.tv_sec * SIXTIETHS + now.tv_nsec / (1000000000 / SIXTIETHS)};
  bool row;
  return cf_asks(v, f, who, how, 3, numbers) && bind_array(v, f, who, how, 4, bytes) &&
         cf_steps(v, f, who, how, &row);
}

static bool append_one(vm *v, cf *f, const arr *bytes, int64_t *n) {
  cf_meta m = {0};
  bool row;
  if (!cf_reads_meta(v, f, "⎕FAPPEND", &m) ||
      !has_room(v, f, &m, bytes->count, "⎕FAPPEND"))
    return false;
  *n = m.next;
  return put_component(v, f, "⎕FAPPEND", m.next, bytes, CF_ADD) &&
         cf_asks(v, f, "⎕FAPPEND", CF_SET_RANGE, 2, (int64_t[]){m.first, m.next + 1}) &&
         cf_steps(v, f, "⎕FAPPEND", CF_SET_RANGE, &row);
}

bool ext_fappend(vm *v, arr *x, arr *y, arr **r) {
  int64_t n = 0;
  cf *f = cf_counts(v, y, 1, 2, "⎕FAPPEND") ? cf_tied(v, y, 0, "⎕FAPPEND") : NULL;
  if (!f || !ext_may(v, MAY_WRITE, "⎕FAPPEND")) return false;
  OWNED arr *bytes = ws_pack(v, "⎕FAPPEND", x);
  if (!bytes || !cf_begin(v, f, "⎕FAPPEND", true) ||
      !cf_commit(v, f, "⎕FAPPEND", true, append_one(v, f, bytes, &n)))
    return false;
  v->shy = true;
  return give_result(r, arr_int(v->c, n));
}

static bool replace_one(vm *v, cf *f, int64_t n, const arr *bytes) {
  cf_meta m = {0};
  return cf_reads_meta(v, f, "⎕FREPLACE", &m) && in_range(v, f, &m, n, "⎕FREPLACE") &&
         has_room(v, f, &m, bytes->count, "⎕FREPLACE") &&
         put_component(v, f, "⎕FREPLACE", n, bytes, CF_REPLACE);
}

bool ext_freplace(vm *v, arr *x, arr *y, arr **r) {
  int64_t n;
  cf *f = cf_counts(v, y, 2, 3, "⎕FREPLACE") ? cf_tied(v, y, 0, "⎕FREPLACE") : NULL;
  if (!f || !ext_may(v, MAY_WRITE, "⎕FREPLACE") || !cf_number(v, y, 1, "⎕FREPLACE", &n))
    return false;
  OWNED arr *bytes = ws_pack(v, "⎕FREPLACE", x);
  if (!bytes || !cf_begin(v, f, "⎕FREPLACE", true) ||
      !cf_commit(v, f, "⎕FREPLACE", true, replace_one(v, f, n, bytes)))
    return false;
  v->shy = true;
  return give_result(r, arr_int(v->c, n));
}

/* ── ⎕FREAD ─────────────────────────────────────────────────────────────────────────── */

static arr *read_one(vm *v, cf *f, const char *who, const cf_meta *m, int64_t n) {
  bool row;
  if (!in_range(v, f, m, n, who) || !cf_asks(v, f, who, CF_READ, 1, &n) ||
      !cf_steps(v, f, who, CF_READ, &row))
    return NULL;
  arr *bytes = NULL;
  if (row) bytes = bytes_in(v, f->ask[CF_READ]);
  else damaged(v, who, n);
  sqlite_of(v)->sqlite3_reset(f->ask[CF_READ]);
  return bytes;
}

/* The bytes of all components in `which`. */
static bool read_them(vm *v, cf *f, arr *which, arr_list *all) {
  cf_meta m = {0};
  int64_t n = 0;
  if (!cf_reads_meta(v, f, "⎕FREAD", &m)) return false;
  for (int64_t i = 0; i < which->count; i++)
    if (interrupted(v->c) || !cf_number(v, which, i, "⎕FREAD", &n) ||
        !list_add(all, read_one(v, f, "⎕FREAD", &m, n)))
      return false;
  return true;
}

static arr *read_here(vm *v, arr *y, arr *which) {
  OWNED_LIST arr_list all = {.v = v};
  cf *f = cf_tied(v, y, 0, "⎕FREAD");
  if (!f || !ext_may(v, MAY_READ, "⎕FREAD") || !cf_begin(v, f, "⎕FREAD", false))
    return NULL;
  bool ok = read_them(v, f, which, &all);
  if (!cf_commit(v, f, "⎕FREAD", false, ok)) return NULL;
  OWNED arr *r = arr_new_items(v->c, 1, &which->count);
  for (int64_t i = 0; r && i < which->count; i++)
    ((arr **)r->host)[i] = arr_retain(all.at[i]);
  if (r && !r->count) ((arr **)r->host)[0] = arr_vec(v->c, ET_I8, 0);
  return r && arr_item(r, 0) ? arr_move(&r) : NULL;
}

/* One component, or a vector of those whose numbers are one. Of several ranks the first one reads the
 * bytes, and each makes arrays of them, which may be namespaces. */
bool ext_fread(vm *v, arr *x, arr *y, arr **r) {
  OWNED_LIST arr_list items = {.v = v};
  arr *bytes = NULL;
  int64_t n = 0;
  UNUSED(x);
  if (!ir_host(v->g, y) || !cf_counts(v, y, 2, 3, "⎕FREAD")) return false;
  OWNED arr *which = item_at(v, y, 1);
  if (!which || !ir_host(v->g, which)) return false;
  if (dist_alone_begins(v->c)) bytes = read_here(v, y, which);
  if (!dist_alone_ends(v->c, &bytes)) return false;
  OWNED arr *all = bytes;
  for (int64_t i = 0; i < which->count; i++)
    if (!cf_number(v, which, i, "⎕FREAD", &n) ||
        !list_add(&items, array_of(v, "⎕FREAD", n, arr_item(all, i))))
      return false;
  if (!which->rank) return give_result(r, arr_retain(items.at[0]));
  return give_result(r, list_array(&items));
}

/* ── ⎕FDROP ⎕FSIZE ⎕FRDCI ───────────────────────────────────────────────────────────── */

static bool drop_some(vm *v, cf *f, int64_t k, cf_meta *m, int64_t *from, int64_t *to) {
  bool row;
  if (!cf_reads_meta(v, f, "⎕FDROP", m)) return false;
  if (k > m->next - m->first || k < m->first - m->next)
    return err_set(v->c, ERR_FILE_INDEX, "⎕FDROP: %s has %lld components", f->name.at,
                   (long long)(m->next - m->first));
  *from = k >= 0 ? m->first : m->next + k;
  *to = k >= 0 ? m->first + k : m->next;
  int64_t range[] = {k >= 0 ? *to : m->first, k >= 0 ? m->next : *from};
  return cf_asks(v, f, "⎕FDROP", CF_DROP, 2, (int64_t[]){*from, *to - 1}) &&
         cf_steps(v, f, "⎕FDROP", CF_DROP, &row) &&
         cf_asks(v, f, "⎕FDROP", CF_SET_RANGE, 2, range) &&
         cf_steps(v, f, "⎕FDROP", CF_SET_RANGE, &row);
}

bool ext_fdrop(vm *v, arr *x, arr *y, arr **r) {
  int64_t k, from = 0, to = 0;
  cf_meta m = {0};
  UNUSED(x);
  cf *f = cf_counts(v, y, 2, 3, "⎕FDROP") ? cf_tied(v, y, 0, "⎕FDROP") : NULL;
  if (!f || !ext_may(v, MAY_WRITE, "⎕FDROP") || !cf_number(v, y, 1, "⎕FDROP", &k) ||
      !cf_begin(v, f, "⎕FDROP", true) ||
      !cf_commit(v, f, "⎕FDROP", true, drop_some(v, f, k, &m, &from, &to)))
    return false;
  OWNED arr *numbers = arr_vec(v->c, ET_I64, to - from);
  for (int64_t i = 0; numbers && i < to - from; i++) arr_put_int(numbers, i, from + i);
  v->shy = true;
  return give_result(r, arr_move(&numbers));
}

bool ext_fsize(vm *v, arr *x, arr *y, arr **r) {
  cf_meta m = {0};
  int64_t bytes = 0;
  UNUSED(x);
  cf *f = cf_counts(v, y, 1, 2, "⎕FSIZE") ? cf_tied(v, y, 0, "⎕FSIZE") : NULL;
  if (!f || !cf_begin(v, f, "⎕FSIZE", false) ||
      !cf_commit(v, f, "⎕FSIZE", false,
                 cf_reads_meta(v, f, "⎕FSIZE", &m) && bytes_of(v, f, "⎕FSIZE", &bytes)))
    return false;
  arr *of[] = {arr_int(v->c, m.first), arr_int(v->c, m.next), arr_int(v->c, bytes),
               m.limit ? arr_int(v->c, m.limit) : arr_float(v->c, 0x1p64)};
  return give_result(r, items_of(v, ARRAY_LEN(of), of));
}

static bool read_info(vm *v, cf *f, int64_t n, int64_t info[3]) {
  cf_meta m = {0};
  bool row;
  if (!cf_reads_meta(v, f, "⎕FRDCI", &m) || !in_range(v, f, &m, n, "⎕FRDCI") ||
      !cf_asks(v, f, "⎕FRDCI", CF_INFO, 1, &n) ||
      !cf_steps(v, f, "⎕FRDCI", CF_INFO, &row))
    return false;
  if (!row) return damaged(v, "⎕FRDCI", n);
  for (int i = 0; i < 3; i++)
    info[i] = sqlite_of(v)->sqlite3_column_int64(f->ask[CF_INFO], i);
  return true;
}

bool ext_frdci(vm *v, arr *x, arr *y, arr **r) {
  int64_t n, info[3] = {0};
  UNUSED(x);
  cf *f = cf_counts(v, y, 2, 3, "⎕FRDCI") ? cf_tied(v, y, 0, "⎕FRDCI") : NULL;
  return f && cf_number(v, y, 1, "⎕FRDCI", &n) && cf_begin(v, f, "⎕FRDCI", false) &&
         cf_commit(v, f, "⎕FRDCI", false, read_info(v, f, n, info)) &&
         give_result(r, arr_int_vec(v->c, 3, info));
}

/* ── ⎕FRDAC ⎕FSTAC ──────────────────────────────────────────────────────────────────── */

static bool read_access(vm *v, cf *f, arr **r) {
  bool row;
  if (!cf_asks(v, f, "⎕FRDAC", CF_ACCESS, 0, NULL) ||
      !cf_steps(v, f, "⎕FRDAC", CF_ACCESS, &row))
    return false;
  if (row) {
    OWNED arr *bytes = bytes_in(v, f->ask[CF_ACCESS]);
    return bytes && give_result(r, array_of(v, "⎕FRDAC", 0, bytes));
  }
  return give_result(r, arr_new(v->c, ET_BIT, 2, (int64_t[]){0, 3}));
}

bool ext_frdac(vm *v, arr *x, arr *y, arr **r) {
  OWNED arr *got = NULL;
  UNUSED(x);
  cf *f = cf_counts(v, y, 1, 2, "⎕FRDAC") ? cf_tied(v, y, 0, "⎕FRDAC") : NULL;
  return f && cf_begin(v, f, "⎕FRDAC", false) &&
         cf_commit(v, f, "⎕FRDAC", false, read_access(v, f, &got)) &&
         give_result(r, arr_move(&got));
}

static bool set_access(vm *v, cf *f, const arr *bytes) {
  bool row;
  return cf_asks(v, f, "⎕FSTAC", CF_SET_ACCESS, 0, NULL) &&
         bind_array(v, f, "⎕FSTAC", CF_SET_ACCESS, 1, bytes) &&
         cf_steps(v, f, "⎕FSTAC", CF_SET_ACCESS, &row);
}

bool ext_fstac(vm *v, arr *x, arr *y, arr **r) {
  cf *f = cf_counts(v, y, 1, 2, "⎕FSTAC") ? cf_tied(v, y, 0, "⎕FSTAC") : NULL;
  if (!f || !ext_may(v, MAY_WRITE, "⎕FSTAC")) return false;
  bool right = x->rank == 2 && x->shape[1] == 3 && elt_is_int((elt)x->type);
  if (!right) return err_set(v->c, ERR_DOMAIN, "⎕FSTAC takes a matrix of three columns");
  OWNED arr *bytes = ws_pack(v, "⎕FSTAC", x);
  if (!bytes || !cf_begin(v, f, "⎕FSTAC", true) ||
      !cf_commit(v, f, "⎕FSTAC", true, set_access(v, f, bytes)))
    return false;
  v->shy = true;
  return give_result(r, arr_retain(y));
}

/* ── ⎕FPROPS ────────────────────────────────────────────────────────────────────────── */

static const char property_names[] = "JCZ";

/* Sets, for a pair in x of a letter and a value, which one it is and what it was. */
static bool set_property(vm *v, cf_meta *m, arr *x, arr **was) {
  int64_t n;
  OWNED_STR str name = {.c = v->c};
  if (!arg_text(v, arr_item(x, 0), "a property of ⎕FPROPS", &name)) return false;
  const char *at = name.n == 1 ? strchr(property_names, *name.at) : NULL;
  if (!at) return err_set(v->c, ERR_DOMAIN, "⎕FPROPS sets J, C and Z, not %s", name.at);
  int64_t *to = &m->property[at - property_names];
  if (!arg_number(v, value_arr(arr_item(x, 1)), 0, *at == 'J' ? 3 : 1,
                  "that property of ⎕FPROPS", &n))
    return false;
  *was = arr_int(v->c, *to);
  *to = n;
  return *was;
}

static bool is_pair(const arr *x) {
  return is_nested(x) && x->count == 2 && elt_is_char((elt)arr_item(x, 0)->type) &&
         !is_nested(arr_item(x, 1));
}

static bool set_properties(vm *v, cf *f, arr *x, arr **r) {
  OWNED_LIST arr_list old = {.v = v};
  cf_meta m = {0};
  arr *was = NULL;
  bool row, ok = cf_reads_meta(v, f, "⎕FPROPS", &m);
  if (ok && is_pair(x)) ok = set_property(v, &m, x, &was) && list_add(&old, was);
  else
    for (int64_t i = 0; ok && i < x->count; i++) {
      ok = is_pair(arr_item(x, i)) ||
           err_set(v->c, ERR_DOMAIN, "⎕FPROPS takes pairs of a letter and a value");
      ok = ok && set_property(v, &m, arr_item(x, i), &was) && list_add(&old, was);
    }
  ok = ok && cf_asks(v, f, "⎕FPROPS", CF_SET_PROPERTIES, 3, m.property) &&
       cf_steps(v, f, "⎕FPROPS", CF_SET_PROPERTIES, &row);
  if (!ok) return false;
  if (is_pair(x)) return give_result(r, arr_retain(old.at[0]));
  return give_result(r, list_array(&old));
}

/* The values of the letters in x. */
static bool tell_properties(vm *v, cf *f, const arr *x, arr **r) {
  cf_meta m = {0};
  if (!cf_reads_meta(v, f, "⎕FPROPS", &m)) return false;
  OWNED arr *values = arr_new(v->c, ET_I8, x->rank, x->shape);
  for (int64_t i = 0; values && i < x->count; i++) {
    int letter = (int)arr_get_int(x, i);
    const char *at = letter ? strchr(property_names, letter) : NULL;
    int64_t of = 1; /* U; E: the bytes' order is this machine's */
    if (at) of = m.property[at - property_names];
    else if (letter == 'S') of = 64;
    else if (!letter || !strchr("UE", letter))
      return err_set(v->c, ERR_DOMAIN, "⎕FPROPS knows S E U J C Z");
    arr_put_int(values, i, of);
  }
  return give_result(r, arr_move(&values));
}

bool ext_fprops(vm *v, arr *x, arr *y, arr **r) {
  OWNED arr *got = NULL;
  OWNED arr *all = arr_text(v->c, "SEUJCZ", 6);
  cf *f = cf_counts(v, y, 1, 2, "⎕FPROPS") ? cf_tied(v, y, 0, "⎕FPROPS") : NULL;
  if (!f || !all || (x && !ir_host(v->g, x))) return false;
  if (!x) x = all;
  bool sets = is_nested(x);
  if (x->rank > 1) return err_set(v->c, ERR_RANK, "⎕FPROPS takes a vector");
  if (!sets && !elt_is_char((elt)x->type))
    return err_set(v->c, ERR_DOMAIN,
                   "⎕FPROPS takes letters, or pairs of one and a value");
  if ((sets && !ext_may(v, MAY_WRITE, "⎕FPROPS")) || !cf_begin(v, f, "⎕FPROPS", sets))
    return false;
  bool ok = sets ? set_properties(v, f, x, &got) : tell_properties(v, f, x, &got);
  if (!cf_commit(v, f, "⎕FPROPS", sets, ok)) return false;
  cf_meta m = {0};
  if (sets && cf_reads_meta(v, f, "⎕FPROPS", &m))
    sqlite_run(v, f->db, "⎕FPROPS", f->name.at,
               m.property[0] < 2 ? "PRAGMA synchronous = NORMAL"
                                 : "PRAGMA synchronous = FULL");
  return give_result(r, arr_move(&got));
}

/* ── ⎕FRESIZE ⎕FCOPY ⎕FCHK ──────────────────────────────────────────────────────────── */

static bool set_limit(vm *v, cf *f, int64_t limit) {
  bool row;
  return cf_asks(v, f, "⎕FRESIZE", CF_SET_LIMIT, 1, &limit) &&
         cf_steps(v, f, "⎕FRESIZE", CF_SET_LIMIT, &row);
}

bool ext_fresize(vm *v, arr *x, arr *y, arr **r) {
  int64_t limit = 0;
  cf *f = cf_counts(v, y, 1, 2, "⎕FRESIZE") ? cf_tied(v, y, 0, "⎕FRESIZE") : NULL;
  if (!f || !ext_may(v, MAY_WRITE, "⎕FRESIZE") ||
      (x && !arg_number(v, value_arr(x), 0, INT64_MAX, "⎕FRESIZE's limit", &limit)))
    return false;
  if (x && (!cf_begin(v, f, "⎕FRESIZE", true) ||
            !cf_commit(v, f, "⎕FRESIZE", true, set_limit(v, f, limit))))
    return false;
  if (f->read_only)
    return err_set(v->c, ERR_FILE_ACCESS, "⎕FRESIZE: %s may be read only", f->name.at);
  if (!sqlite_run(v, f->db, "⎕FRESIZE", f->name.at, "VACUUM")) return false;
  v->shy = true;
  return give_result(r, arr_retain(y));
}

bool ext_fcopy(vm *v, arr *x, arr *y, arr **r) {
  const library *l = sqlite_of(v);
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str full = {.c = v->c};
  OWNED_PLACE ext_place p = {.folder = -1};
  sqlite3_stmt *s = NULL;
  cf *f = cf_counts(v, y, 1, 2, "⎕FCOPY") ? cf_tied(v, y, 0, "⎕FCOPY") : NULL;
  if (!f || !ext_may(v, MAY_WRITE, "⎕FCOPY") || !ext_path(v, x, "⎕FCOPY", &path))
    return false;
  int made = !cf_extension(&path)
                 ? -1
                 : ext_open(v, "⎕FCOPY", path.at, O_WRONLY | O_CREAT | O_EXCL);
  if (made < 0) return false;
  close(made); /* an empty file is what VACUUM INTO fills, too */
  bool ok =
      (ext_find(&p, v, "⎕FCOPY", path.at, true) || ext_os_error(v, "⎕FCOPY", path.at)) &&
      sqlite_path(v, "⎕FCOPY", &p, &full);
  if (ok)
    ok = (!l->sqlite3_prepare_v3(f->db, "VACUUM INTO ?1", -1, 0, &s, NULL) &&
          !l->sqlite3_bind_text64(s, 1, full.at, full.n, SQLITE_STATIC, SQLITE_UTF8) &&
          l->sqlite3_step(s) == SQLITE_DONE) ||
         cf_fails(v, f, "⎕FCOPY");
  l->sqlite3_finalize(s);
  if (!ok && p.folder >= 0) unlinkat(p.folder, p.name.at, 0);
  v->shy = true;
  return ok && give_result(r, arr_retain(y));
}

/* The numbers of the components that cannot be read. */
static bool check_components(vm *v, cf *f, arr_list *bad) {
  cf_meta m = {0};
  if (!cf_reads_meta(v, f, "⎕FCHK", &m)) return false;
  for (int64_t n = m.first; n < m.next; n++) {
    OWNED arr *bytes = read_one(v, f, "⎕FCHK", &m, n);
    OWNED arr *a = bytes ? array_of(v, "⎕FCHK", n, bytes) : NULL;
    if (interrupted(v->c)) return false;
    if (a) continue;
    if (err_is(v->c) && v->c->err.code != ERR_FILE_DAMAGED) return false;
    err_clear(v->c);
    if (!list_add(bad, arr_int(v->c, n))) return false;
  }
  return true;
}

static const option_row check_rows[] = {{.name = "Repair", .hi = 1, .at = 0},
                                        {.name = "Force", .hi = 1, .at = sizeof(int64_t)},
                                        {0}};

bool ext_fchk(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  OWNED_LIST arr_list bad = {.v = v};
  int64_t options[2];
  UNUSED(x);
  if (!ext_may(v, MAY_READ, "⎕FCHK") || !sqlite_of(v) ||
      !arg_option_rows(v, v->options, "⎕FCHK", check_rows, options) ||
      !ext_path(v, y, "⎕FCHK", &path))
    return false;
  bool opened;
  cf *f = cf_borrow(v, "⎕FCHK", &path, &opened);
  if (!f) return false;
  bool ok = cf_begin(v, f, "⎕FCHK", false) &&
            cf_commit(v, f, "⎕FCHK", false, check_components(v, f, &bad));
  if (opened) cf_close(v, f);
  if (!ok) return false;
  return give_result(r, bad.n ? list_array(&bad) : arr_vec(v->c, ET_BIT, 0));
}
#endif
