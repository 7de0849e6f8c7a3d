/* SPDX-License-Identifier: MIT */
/* component.c - component files: arrays in a file, by number. Here files are made, tied, locked, renamed and
 * erased; component_data.c reads and writes them.
 *
 * A file is a database of SQLite:
 *
 *   meta(first, next, size_limit, version, journal, checksum, compress, access)   one row
 *   component(n, data, user, time)   data: the array as in the file of a workspace, with its hash
 *
 * SQLite makes each change whole or not at all, whenever a process is killed, and lets many processes
 * read and write. On two bytes far behind its own locks are ours: one is shared by those who have tied
 * the file, unless one has it for himself; the other is held by who writes or has called ⎕FHOLD. */
#include "component.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#ifdef HAS_SQLITE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5, VERSION = 1 };
#define APPLICATION "1986097260" /* "vapl" */

typedef struct cf_files {
  cf *first;
} cf_files;

/* ── the table of tied files ────────────────────────────────────────────────────────── */

void cf_close(vm *v, cf *f) {
  const library *l = sqlite_of(v);
  for (int i = 0; i < CF_ASKS; i++) l->sqlite3_finalize(f->ask[i]);
  if (f->db && !f->read_only)
    l->sqlite3_wal_checkpoint_v2(f->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  l->sqlite3_close_v2(f->db);
  if (f->fd >= 0) close(f->fd); /* last: that gives up SQLite's locks, too */
  str_free(&f->name);
  mem_free(v->c, f);
}

static void close_all(vm *v, void *state) {
  cf_files *all = state;
  while (all->first) {
    cf *f = all->first;
    all->first = f->next;
    cf_close(v, f);
  }
}

/* The library is opened first: state goes in the reverse order. */
static cf_files *files_of(vm *v) {
  return sqlite_of(v) ? ext_state_of(v, close_all, sizeof(cf_files)) : NULL;
}

static cf *find(const cf_files *all, int64_t number) {
  cf *f = all->first;
  while (f && f->number != number) f = f->next;
  return f;
}

/* The tied file that is this one; NULL: none. A file is opened once in a process, for closing it would give up
 * all locks of the process on it. */
static cf *tied_as(const cf_files *all, const struct stat *st) {
  cf *f = all->first;
  while (f && (f->device != st->st_dev || f->inode != st->st_ino)) f = f->next;
  return f;
}

static void untie(vm *v, cf *f) {
  cf **at = &files_of(v)->first;
  while (*at != f) at = &(*at)->next;
  *at = f->next;
  cf_close(v, f);
}

bool cf_number(vm *v, arr *y, int64_t k, const char *who, int64_t *n) {
  if (k >= y->count) return err_set(v->c, ERR_LENGTH, "%s takes more numbers", who);
  OWNED arr *one = item_at(v, y, k);
  return one && arg_int(v, one, n, who);
}

bool cf_counts(vm *v, const arr *y, int64_t least, int64_t most, const char *who) {
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "%s takes a vector", who);
  return (y->count >= least && y->count <= most) ||
         err_set(v->c, ERR_LENGTH, "%s takes %lld to %lld numbers", who, (long long)least,
                 (long long)most);
}

cf *cf_tied(vm *v, arr *y, int64_t k, const char *who) {
  int64_t n;
  const cf_files *all = files_of(v);
  if (!all || !verify(v) || !cf_number(v, y, k, who, &n)) return NULL;
  cf *f = find(all, n);
  if (!f) err_set(v->c, ERR_FILE, "%s: no component file is tied to that number", who);
  return f;
}

static bool new_number(vm *v, const cf_files *all, const char *who, int64_t *n) {
  if (*n < 0) return err_set(v->c, ERR_FILE, "%s: numbers of ties are above 0", who);
  if (*n && find(all, *n))
    return err_set(v->c, ERR_FILE, "%s: a file is tied to that number already", who);
  if (!*n)
    for (*n = 1; find(all, *n);) ++*n;
  return true;
}

/* ── locks ──────────────────────────────────────────────────────────────────────────── */

typedef enum cf_lock { LOCK_TIED, LOCK_HELD } cf_lock;

static bool lock_now(const cf *f, cf_lock which, short how) {
  struct flock k = {.l_type = how,
                    .l_whence = SEEK_SET,
                    .l_start = ((off_t)1 << 62) + which,
                    .l_len = 1};
  return !fcntl(f->fd, F_OFD_SETLK, &k);
}

/* Waits until nobody else holds the file. */
static bool wait_for_lock(vm *v, const cf *f, const char *who) {
  while (!lock_now(f, LOCK_HELD, F_WRLCK)) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR)
      return ext_os_error(v, who, f->name.at);
    if (interrupted(v->c)) return false;
    poll(NULL, 0, LOOK_MS);
  }
  return true;
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

static const char *const texts[CF_ASKS] = {
    [CF_META] = "SELECT first, next, size_limit, journal, checksum, compress FROM meta",
    [CF_READ] = "SELECT data FROM component WHERE n = ?1",
    [CF_ADD] = "INSERT INTO component (n, user, time, data) VALUES (?1, ?2, ?3, ?4)",
    [CF_REPLACE] = "UPDATE component SET user = ?2, time = ?3, data = ?4 WHERE n = ?1",
    [CF_DROP] = "DELETE FROM component WHERE n BETWEEN ?1 AND ?2",
    [CF_INFO] = "SELECT length(data), user, time FROM component WHERE n = ?1",
    [CF_NUMBERS] = "SELECT data, n FROM component WHERE n > ?1 ORDER BY n LIMIT 1",
    [CF_SET_RANGE] = "UPDATE meta SET first = ?1, next = ?2",
    [CF_SET_LIMIT] = "UPDATE meta SET size_limit = ?1",
    [CF_SET_PROPERTIES] = "UPDATE meta SET journal = ?1, checksum = ?2, compress = ?3",
    [CF_ACCESS] = "SELECT access FROM meta WHERE access IS NOT NULL",
    [CF_SET_ACCESS] = "UPDATE meta SET access = ?1",
    [CF_BYTES] =
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"};

bool cf_fails(vm *v, cf *f, const char *who) {
  return sqlite_fails(v, f->db, who, f->name.at);
}

bool cf_asks(vm *v, cf *f, const char *who, cf_ask which, int n, const int64_t *number) {
  const library *l = sqlite_of(v);
  sqlite3_stmt **s = &f->ask[which];
  bool ok = *s || !l->sqlite3_prepare_v3(f->db, texts[which], -1,
                                         SQLITE_PREPARE_PERSISTENT, s, NULL);
  if (ok) l->sqlite3_reset(*s);
  for (int i = 0; ok && i < n; i++) ok = !l->sqlite3_bind_int64(*s, i + 1, number[i]);
  return ok || cf_fails(v, f, who);
}

bool cf_steps(vm *v, cf *f, const char *who, cf_ask which, bool *row) {
  int got = sqlite_of(v)->sqlite3_step(f->ask[which]);
  *row = got == SQLITE_ROW;
  return got == SQLITE_ROW || got == SQLITE_DONE || cf_fails(v, f, who);
}

bool cf_reads_meta(vm *v, cf *f, const char *who, cf_meta *m) {
  const library *l = sqlite_of(v);
  int64_t *const to[] = {&m->first,       &m->next,        &m->limit,
                         &m->property[0], &m->property[1], &m->property[2]};
  bool row;
  if (!cf_asks(v, f, who, CF_META, 0, NULL) || !cf_steps(v, f, who, CF_META, &row))
    return false;
  for (int i = 0; row && i < (int)ARRAY_LEN(to); i++)
    *to[i] = l->sqlite3_column_int64(f->ask[CF_META], i);
  bool right = row && m->first >= 1 && m->next >= m->first;
  l->sqlite3_reset(f->ask[CF_META]);
  return right || err_set(v->c, ERR_FILE_DAMAGED, "%s: %s: what it has is not counted",
                          who, f->name.at);
}

/* ── one piece of work ──────────────────────────────────────────────────────────────── */

bool cf_begin(vm *v, cf *f, const char *who, bool writes) {
  if (writes && f->read_only)
    return err_set(v->c, ERR_FILE_ACCESS, "%s: %s may be read only", who, f->name.at);
  if (writes && !f->held && !wait_for_lock(v, f, who)) return false;
  bool ok = sqlite_run(v, f->db, who, f->name.at, writes ? "BEGIN IMMEDIATE" : "BEGIN");
  if (!ok && writes && !f->held) lock_now(f, LOCK_HELD, F_UNLCK);
  return ok;
}

bool cf_commit(vm *v, cf *f, const char *who, bool writes, bool ok) {
  const library *l = sqlite_of(v);
  for (int i = 0; i < CF_ASKS; i++) {
    l->sqlite3_reset(f->ask[i]);
    if (f->ask[i]) l->sqlite3_clear_bindings(f->ask[i]);
  }
  ok = ok && sqlite_run(v, f->db, who, f->name.at, "COMMIT");
  if (!ok && !l->sqlite3_get_autocommit(f->db)) {
    l->sqlite3_progress_handler(f->db, 0, NULL, NULL); /* after Ctrl-C, too */
    l->sqlite3_exec(f->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite_guard(v, f->db);
  }
  if (writes && !f->held) lock_now(f, LOCK_HELD, F_UNLCK);
  return ok;
}

/* ── files opened ───────────────────────────────────────────────────────────────────── */

bool cf_extension(str *path) {
  const char *slash = strrchr(path->at, '/'), *base = slash ? slash + 1 : path->at;
  if (!strchr(base, '.')) str_puts(path, ".dcf");
  return !path->failed;
}

/* A file that is there: its name as it was given or, if there is none, with .dcf. */
static bool find_file(vm *v, const char *who, str *path, struct stat *st) {
  if (ext_stat(v, who, path->at, true, st)) return true;
  if (err_is(v->c) || !cf_extension(path)) return false;
  if (ext_stat(v, who, path->at, true, st)) return true;
  return !err_is(v->c) && ext_os_error(v, who, path->at);
}

static cf *open_new(vm *v, const char *who, const char *path, bool create) {
  cf *f = mem_zalloc(v->c, sizeof *f);
  if (!f) return NULL;
  f->fd = -1;
  f->name.c = v->c;
  str_puts(&f->name, path);
  int how = O_RDWR;
  if (create) how |= O_CREAT | O_EXCL;
  else if (!(v->c->may & MAY_WRITE)) how = O_RDONLY;
  f->fd = f->name.failed ? -1 : ext_open(v, who, path, how);
  if (f->fd < 0 && !create && how == O_RDWR && (errno == EACCES || errno == EROFS)) {
    err_clear(v->c);
    how = O_RDONLY;
    f->fd = ext_open(v, who, path, how);
  }
  f->read_only = how == O_RDONLY;
  if (f->fd >= 0) return f;
  cf_close(v, f);
  return NULL;
}

static bool is_database(const cf *f) {
  static const char magic[16] = "SQLite format 3";
  char head[sizeof magic];
  return pread(f->fd, head, sizeof head, 0) == sizeof head &&
         !memcmp(head, magic, sizeof head);
}

static bool begins_as_ours(vm *v, cf *f, const char *who) {
  const library *l = sqlite_of(v);
  sqlite3_stmt *s = NULL;
  bool ok = !l->sqlite3_prepare_v3(f->db, "PRAGMA application_id", -1, 0, &s, NULL) &&
            l->sqlite3_step(s) == SQLITE_ROW;
  bool ours = ok && l->sqlite3_column_int64(s, 0) == atoll(APPLICATION);
  l->sqlite3_finalize(s);
  if (!ok) return cf_fails(v, f, who);
  return ours || err_set(v->c, ERR_FILE_NAME, "%s: %s is no component file of vapl", who,
                         f->name.at);
}

static bool open_database(vm *v, cf *f, const char *who) {
  int how = f->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  f->db = sqlite_open(v, who, f->name.at, how);
  return f->db && sqlite_run(v, f->db, who, f->name.at,
                             "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
                             "PRAGMA synchronous = NORMAL");
}

static bool synchronises(vm *v, cf *f, const char *who) {
  cf_meta m = {0};
  return cf_reads_meta(v, f, who, &m) &&
         (m.property[0] < 2 ||
          sqlite_run(v, f->db, who, f->name.at, "PRAGMA synchronous = FULL"));
}

static bool lock_tie(vm *v, cf *f, const char *who, bool exclusive) {
  f->exclusive = exclusive;
  short how = F_RDLCK;
  if (exclusive && !f->read_only) how = F_WRLCK;
  if (lock_now(f, LOCK_TIED, how)) return true;
  if (errno != EAGAIN && errno != EACCES) return ext_os_error(v, who, f->name.at);
  return err_set(v->c, ERR_FILE_TIED, "%s: %s is tied by another process", who,
                 f->name.at);
}

static cf *cf_open(vm *v, const char *who, const char *path, bool exclusive) {
  cf *f = open_new(v, who, path, false);
  if (!f) return NULL;
  bool ok = is_database(f) || err_set(v->c, ERR_FILE_NAME,
                                      "%s: %s is no component file of vapl", who, path);
  ok = ok && lock_tie(v, f, who, exclusive) && open_database(v, f, who) &&
       begins_as_ours(v, f, who) && synchronises(v, f, who);
  if (ok) return f;
  cf_close(v, f);
  return NULL;
}

/* Ties the open file to the number, behind the others. */
static bool tie(vm *v, cf_files *all, cf *f, int64_t number, arr **r) {
  struct stat st;
  cf **at = &all->first;
  if (!fstat(f->fd, &st)) f->device = st.st_dev, f->inode = st.st_ino;
  while (*at) at = &(*at)->next;
  *at = f;
  f->number = number;
  v->shy = true;
  return give_result(r, arr_int(v->c, number));
}

/* ── ⎕FCREATE ⎕FTIE ⎕FSTIE ──────────────────────────────────────────────────────────── */

typedef struct create_options {
  int64_t journal, checksum, compress, unicode, size, mode;
} create_options;
static const option_row create_rows[] = {
    {.name = "J", .hi = 3, .at = offsetof(create_options, journal)},
    {.name = "C", .hi = 1, .at = offsetof(create_options, checksum)},
    {.name = "Z", .hi = 1, .at = offsetof(create_options, compress)},
    {.name = "U", .hi = 1, .at = offsetof(create_options, unicode)},
    {.name = "S", .lo = 32, .hi = 64, .at = offsetof(create_options, size)},
    {0}};

static bool make_tables(vm *v, cf *f, const create_options *o) {
  OWNED_STR str sql = {.c = v->c};
  str_printf(&sql,
             "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;"
             "PRAGMA application_id = " APPLICATION ";"
             "CREATE TABLE component (n INTEGER PRIMARY KEY, data BLOB NOT NULL,"
             " user INTEGER, time INTEGER);"
             "CREATE TABLE meta (first INTEGER, next INTEGER, size_limit INTEGER,"
             " version INTEGER, journal INTEGER, checksum INTEGER, compress INTEGER,"
             " access BLOB);"
             "INSERT INTO meta VALUES (1, 1, 0, %d, %lld, %lld, %lld, NULL); COMMIT",
             VERSION, (long long)o->journal, (long long)o->checksum,
             (long long)o->compress);
  return !sql.failed && sqlite_run(v, f->db, "⎕FCREATE", f->name.at, sql.at) &&
         synchronises(v, f, "⎕FCREATE");
}

/* Deletes the file, and what SQLite keeps beside it. */
static bool delete_file(vm *v, const char *who, const char *path) {
  static const char *const beside[] = {"-wal", "-shm", "-journal"};
  OWNED_PLACE ext_place p;
  if (!ext_find(&p, v, who, path, true) || unlinkat(p.folder, p.name.at, 0))
    return ext_os_error(v, who, path);
  size_t n = p.name.n;
  for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
    p.name.n = n;
    str_puts(&p.name, beside[i]);
    if (!p.name.failed) unlinkat(p.folder, p.name.at, 0);
  }
  return true;
}

bool ext_fcreate(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  create_options o = {.journal = 1, .checksum = 1, .unicode = 1, .size = 64};
  int64_t n;
  cf_files *all = files_of(v);
  if (!all || !ext_may(v, MAY_READ | MAY_WRITE, "⎕FCREATE") ||
      !arg_option_rows(v, v->options, "⎕FCREATE", create_rows, &o) ||
      !ext_path(v, x, "⎕FCREATE", &path) || !cf_extension(&path) ||
      !cf_counts(v, y, 1, 3, "⎕FCREATE") || !cf_number(v, y, 0, "⎕FCREATE", &n) ||
      !new_number(v, all, "⎕FCREATE", &n))
    return false;
  cf *f = open_new(v, "⎕FCREATE", path.at, true);
  if (!f) return false;
  bool ok = lock_tie(v, f, "⎕FCREATE", true) && open_database(v, f, "⎕FCREATE") &&
            make_tables(v, f, &o);
  if (ok) return tie(v, all, f, n, r);
  cf_close(v, f);
  err failed = err_take(v->c);
  delete_file(v, "⎕FCREATE", path.at);
  err_put_back(v->c, failed);
  return false;
}

static bool tie_there(vm *v, arr *x, arr *y, const char *who, bool exclusive, arr **r) {
  OWNED_STR str path = {.c = v->c};
  struct stat st;
  int64_t n;
  cf_files *all = files_of(v);
  if (!all || !ext_may(v, MAY_READ, who) || !ext_path(v, x, who, &path) ||
      !cf_counts(v, y, 1, 2, who) || !cf_number(v, y, 0, who, &n) ||
      !new_number(v, all, who, &n) || !find_file(v, who, &path, &st))
    return false;
  cf *f = tied_as(all, &st);
  if (f)
    return err_set(v->c, ERR_FILE_TIED, "%s: %s is tied to %lld", who, path.at,
                   (long long)f->number);
  f = cf_open(v, who, path.at, exclusive);
  return f && tie(v, all, f, n, r);
}

bool ext_ftie(vm *v, arr *x, arr *y, arr **r) {
  return tie_there(v, x, y, "⎕FTIE", true, r);
}
bool ext_fstie(vm *v, arr *x, arr *y, arr **r) {
  return tie_there(v, x, y, "⎕FSTIE", false, r);
}

cf *cf_borrow(vm *v, const char *who, str *path, bool *opened) {
  struct stat st;
  const cf_files *all = files_of(v);
  *opened = false;
  if (!all || !find_file(v, who, path, &st)) return NULL;
  cf *f = tied_as(all, &st);
  *opened = !f;
  return f ? f : cf_open(v, who, path->at, false);
}

/* ── ⎕FUNTIE ⎕FERASE ⎕FRENAME ⎕FNUMS ⎕FNAMES ────────────────────────────────────────── */

/* What was written is on the disk. */
static bool flush_all(vm *v) {
  const library *l = sqlite_of(v);
  for (cf *f = files_of(v)->first; f; f = f->next)
    if (!f->read_only &&
        l->sqlite3_wal_checkpoint_v2(f->db, NULL, SQLITE_CHECKPOINT_FULL, NULL, NULL))
      return cf_fails(v, f, "⎕FUNTIE");
  return true;
}

bool ext_funtie(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  if (!files_of(v) || !verify(v)) return false;
  if (!y->count && !flush_all(v)) return false;
  for (int64_t i = 0; i < y->count; i++) {
    cf *f = cf_tied(v, y, i, "⎕FUNTIE");
    if (!f) return false;
    untie(v, f);
  }
  v->shy = true;
  return give_result(r, arr_retain(y));
}

/* Is the file one that may be erased or renamed? */
static cf *tied_alone(vm *v, arr *y, const char *who) {
  cf *f = cf_counts(v, y, 1, 2, who) ? cf_tied(v, y, 0, who) : NULL;
  if (!f || !ext_may(v, MAY_WRITE, who)) return NULL;
  if (f->exclusive && !f->read_only) return f;
  return err_null(v->c, ERR_FILE_ACCESS, "%s: %s must be tied by ⎕FTIE", who, f->name.at);
}

bool ext_ferase(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  cf *f = tied_alone(v, y, "⎕FERASE");
  if (!f || !ext_path(v, x, "⎕FERASE", &path)) return false;
  if (strcmp(path.at, f->name.at) && cf_extension(&path) && strcmp(path.at, f->name.at))
    return err_set(v->c, ERR_FILE_NAME, "⎕FERASE: %s is tied there", f->name.at);
  if (!delete_file(v, "⎕FERASE", f->name.at)) return false;
  untie(v, f);
  v->shy = true;
  return give_result(r, arr_retain(y));
}

/* SQLite lets the file go while it gets another name. */
static bool rename_file(vm *v, cf *f, const char *to) {
  const library *l = sqlite_of(v);
  OWNED_PLACE ext_place old;
  OWNED_PLACE ext_place new = {.folder = -1};
  for (int i = 0; i < CF_ASKS; i++) {
    l->sqlite3_finalize(f->ask[i]);
    f->ask[i] = NULL;
  }
  if (!ext_find(&old, v, "⎕FRENAME", f->name.at, true) ||
      !ext_find(&new, v, "⎕FRENAME", to, true))
    return ext_os_error(v, "⎕FRENAME", f->name.at);
  if (l->sqlite3_wal_checkpoint_v2(f->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL))
    return cf_fails(v, f, "⎕FRENAME");
  l->sqlite3_close_v2(f->db);
  f->db = NULL;
  bool ok =
      !renameat2(old.folder, old.name.at, new.folder, new.name.at, RENAME_NOREPLACE);
  if (!ok) ext_os_error(v, "⎕FRENAME", to);
  err failed = err_take(v->c);
  if (ok) {
    f->name.n = 0;
    str_puts(&f->name, to);
  }
  bool opened = open_database(v, f, "⎕FRENAME") && synchronises(v, f, "⎕FRENAME");
  if (failed.code) err_put_back(v->c, failed);
  if (!opened) untie(v, f);
  return ok && opened;
}

bool ext_frename(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  cf *f = tied_alone(v, y, "⎕FRENAME");
  if (!f || !ext_path(v, x, "⎕FRENAME", &path) || !cf_extension(&path) ||
      !rename_file(v, f, path.at))
    return false;
  v->shy = true;
  return give_result(r, arr_retain(y));
}

arr *ext_fnums(vm *v) {
  OWNED_LIST arr_list items = {.v = v};
  const cf_files *all = files_of(v);
  if (!all) return NULL;
  for (const cf *f = all->first; f; f = f->next)
    if (!list_add(&items, arr_int(v->c, f->number))) return NULL;
  return items.n ? list_array(&items) : arr_vec(v->c, ET_BIT, 0);
}

static arr *name_matrix(vm *v, arr_list *items) {
  OWNED arr *names = list_array(items);
  prim_env e = env_of(v);
  if (!names) return NULL;
  if (!names->count) return arr_new(v->c, ET_C8, 2, (int64_t[]){0, 0});
  return prim_monadic(&e, P_TAKE, names);
}

arr *ext_fnames(vm *v) {
  OWNED_LIST arr_list items = {.v = v};
  const cf_files *all = files_of(v);
  if (!all) return NULL;
  for (const cf *f = all->first; f; f = f->next)
    if (!list_add(&items, arr_text(v->c, f->name.at, f->name.n))) return NULL;
  return name_matrix(v, &items);
}

arr *ext_favail(vm *v) {
  bool there = sqlite_of(v) != NULL;
  err_clear(v->c);
  return arr_int(v->c, there);
}

/* The component files of a folder. */
bool ext_flib(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  OWNED_NAMES ext_names k = {.c = v->c};
  OWNED_LIST arr_list items = {.v = v};
  UNUSED(x);
  if (!ext_may(v, MAY_READ, "⎕FLIB") || !ext_name(v, y, "⎕FLIB", &path)) return false;
  const char *folder = path.n ? path.at : ".";
  if (!ext_list(v, "⎕FLIB", folder, &k)) return ext_os_error(v, "⎕FLIB", folder);
  for (size_t i = 0; i < k.n; i++) {
    size_t n = strlen(k.at[i]);
    if (n < 4 || strcmp(k.at[i] + n - 4, ".dcf")) continue;
    OWNED_STR str name = {.c = v->c};
    str_puts(&name, path.n ? folder : "");
    if (path.n && folder[path.n - 1] != '/') str_puts(&name, "/");
    str_puts(&name, k.at[i]);
    if (!list_add(&items, str_take(v, &name))) return false;
  }
  return give_result(r, name_matrix(v, &items));
}

/* ── ⎕FHOLD ─────────────────────────────────────────────────────────────────────────── */

static void release_all(cf_files *all) {
  for (cf *f = all->first; f; f = f->next)
    if (f->held) f->held = !lock_now(f, LOCK_HELD, F_UNLCK);
}

/* All of the files, or none. */
static bool hold_now(vm *v, cf_files *all, arr *y, bool *all_held) {
  *all_held = true;
  for (int64_t i = 0; *all_held && i < y->count; i++) {
    cf *f = cf_tied(v, y, i, "⎕FHOLD");
    if (!f) return false;
    if (f->held) continue;
    f->held = lock_now(f, LOCK_HELD, F_WRLCK);
    *all_held = f->held;
    bool waits = errno == EAGAIN || errno == EACCES || errno == EINTR;
    if (!f->held && !waits) return ext_os_error(v, "⎕FHOLD", f->name.at);
  }
  if (!*all_held) release_all(all);
  return true;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool ext_fhold(vm *v, arr *x, arr *y, arr **r) {
  int64_t seconds = -1;
  cf_files *all = files_of(v);
  bool done = false;
  if (!all || !verify(v) || (x && !arg_int(v, x, &seconds, "⎕FHOLD's time-out")))
    return false;
  double until = seconds_now() + (double)seconds;
  release_all(all);
  while (!done) {
    if (interrupted(v->c) || !hold_now(v, all, y, &done)) {
      release_all(all);
      return false;
    }
    if (!done && seconds >= 0 && seconds_now() >= until)
      return err_set(v->c, ERR_TIMEOUT, "⎕FHOLD: another process holds a file");
    if (!done) poll(NULL, 0, LOOK_MS);
  }
  v->shy = true;
  return give_result(r, arr_retain(y));
}

void ext_fhold_ends(vm *v) {
  cf_files *all = ext_state_if(v, close_all);
  if (all) release_all(all);
}
#else
static bool none(vm *v) {
  return err_set(
      v->c, ERR_NONCE,
      "component files: this program was built without SQLite (libsqlite3-dev)");
}
#define NONE(name)                                                                       \
  bool name(vm *v, arr *x, arr *y, arr **r) {                                            \
    UNUSED(x);                                                                           \
    UNUSED(y);                                                                           \
    UNUSED(r);                                                                           \
    return none(v);                                                                      \
  }
NONE(ext_fcreate)
NONE(ext_ftie)
NONE(ext_fstie)
NONE(ext_funtie)
NONE(ext_ferase)
NONE(ext_frename)
NONE(ext_flib)
NONE(ext_fhold)
NONE(ext_fappend)
NONE(ext_freplace)
NONE(ext_fread)
NONE(ext_fdrop)
NONE(ext_fsize)
NONE(ext_frdci)
NONE(ext_frdac)
NONE(ext_fstac)
NONE(ext_fcopy)
NONE(ext_fchk)
NONE(ext_fprops)
NONE(ext_fresize)
arr *ext_fnums(vm *v) {
  none(v);
  return NULL;
}
arr *ext_fnames(vm *v) { return ext_fnums(v); }
arr *ext_favail(vm *v) { return arr_int(v->c, 0); }
void ext_fhold_ends(vm *v) { UNUSED(v); }
#endif
