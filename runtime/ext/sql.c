/* SPDX-License-Identifier: MIT */
/* sql.c - ⎕SQL: databases of SQLite, whose tables come as columns.
 *
 *   db←⎕SQL 'file'                  opens it, '' one in memory; a number
 *   names columns←db ⎕SQL 'select …'
 *   changed←db ⎕SQL 'insert … ? ?' values
 *   ⎕SQL db                         closes it
 *
 * A column is a vector of one type. Values are bound, never pasted into a text: once, or for each row of a
 * matrix or of columns, in one transaction. Of several ranks the first one has the databases. */
#include "sqlite.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/base/mem.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include <math.h>
#include <string.h>
#ifdef HAS_SQLITE

typedef struct sql_base {
  struct sql_base *next;
  int64_t number;
  sqlite3 *db;
} sql_base;
typedef struct sql_bases {
  sql_base *first;
} sql_bases;

/* ── databases ──────────────────────────────────────────────────────────────────────── */

static void close_base(vm *v, sql_base *b) {
  sqlite_of(v)->sqlite3_close_v2(b->db);
  mem_free(v->c, b);
}

static void close_all(vm *v, void *state) {
  sql_bases *all = state;
  while (all->first) {
    sql_base *b = all->first;
    all->first = b->next;
    close_base(v, b);
  }
}

static sql_bases *bases_of(vm *v) {
  return sqlite_of(v) ? ext_state_of(v, close_all, sizeof(sql_bases)) : NULL;
}

/* The place of the database in the list. */
static sql_base **base_at(vm *v, arr *x) {
  int64_t n;
  sql_bases *all = bases_of(v);
  if (!all || !arg_int(v, x, &n, "⎕SQL's database")) return NULL;
  sql_base **at = &all->first;
  while (*at && (*at)->number != n) at = &(*at)->next;
  if (*at) return at;
  return err_null(v->c, ERR_FILE, "⎕SQL: %lld is no database", (long long)n);
}

/* What is wrong in a statement is no matter of the file. */
static bool sql_fails(vm *v, sqlite3 *db) {
  const library *l = sqlite_of(v);
  switch (l->sqlite3_extended_errcode(db) & 0xFF) {
  case SQLITE_ERROR:
  case SQLITE_CONSTRAINT:
  case SQLITE_MISMATCH:
  case SQLITE_MISUSE:
  case SQLITE_RANGE: return err_set(v->c, ERR_DOMAIN, "⎕SQL: %s", l->sqlite3_errmsg(db));
  default: return sqlite_fails(v, db, "⎕SQL", "the database");
  }
}

/* A program that is confined reaches no other file by a statement, and no more memory. */
static bool confine(vm *v, sqlite3 *db) {
  const library *l = sqlite_of(v);
  OWNED_STR str sql = {.c = v->c};
  size_t most = v->c->bytes_max ? v->c->bytes_max : (size_t)1 << 40;
  str_printf(&sql, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
                   "PRAGMA foreign_keys = ON; PRAGMA schema_version;");
  l->sqlite3_limit(db, SQLITE_LIMIT_LENGTH, most < 1000000000 ? (int)most : 1000000000);
  if (v->reach || !(v->c->may & MAY_RUN)) {
    l->sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    str_printf(&sql, "PRAGMA temp_store = MEMORY; PRAGMA max_page_count = %zu",
               most / 4096 < 4294967294 ? most / 4096 : 4294967294);
  }
  return !sql.failed && sqlite_run(v, db, "⎕SQL", "the database", sql.at);
}

static arr *open_base(vm *v, arr *y) {
  OWNED_STR str path = {.c = v->c};
  sql_bases *all = bases_of(v);
  bool writes = v->c->may & MAY_WRITE;
  if (!all || !ext_may(v, MAY_READ, "⎕SQL") || !ext_name(v, y, "⎕SQL", &path))
    return NULL;
  sql_base *b = mem_zalloc(v->c, sizeof *b);
  if (!b) return NULL;
  b->db = sqlite_open(v, "⎕SQL", path.n ? path.at : "",
                      writes || !path.n ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                        : SQLITE_OPEN_READONLY);
  if (!b->db || !confine(v, b->db)) {
    close_base(v, b);
    return NULL;
  }
  sql_base **at = &all->first;
  for (b->number = 1; *at && (*at)->number == b->number; at = &(*at)->next) b->number++;
  b->next = *at;
  *at = b;
  return arr_int(v->c, b->number);
}

/* ── values into statements ─────────────────────────────────────────────────────────── */

typedef struct sql_job {
  vm *v;
  const library *l;
  sqlite3 *db;
  sqlite3_stmt *s;
} sql_job;

static bool bind_text(sql_job *j, int place, arr *x) {
  OWNED_STR str s = {.c = j->v->c};
  OWNED arr *vector = x->rank ? arr_retain(x) : arr_reshape(j->v->c, x, 1, &x->count);
  if (!vector || !arg_text(j->v, vector, "a text for ⎕SQL", &s)) return false;
  return !j->l->sqlite3_bind_text64(j->s, place, s.at, s.n, SQLITE_TRANSIENT,
                                    SQLITE_UTF8) ||
         sql_fails(j->v, j->db);
}

/* Element i of the simple x. */
static bool bind_element(sql_job *j, int place, arr *x, int64_t i) {
  int failed;
  if (elt_is_int((elt)x->type))
    failed = j->l->sqlite3_bind_int64(j->s, place, arr_get_int(x, i));
  else if (elt_is_float((elt)x->type))
    failed = j->l->sqlite3_bind_double(j->s, place, arr_get_float(x, i));
  else if (elt_is_char((elt)x->type)) {
    OWNED arr *one = arr_scalar_at(j->v->c, x, i);
    return one && bind_text(j, place, one);
  } else return err_set(j->v->c, ERR_DOMAIN, "⎕SQL takes numbers, texts and ⎕NULL");
  return !failed || sql_fails(j->v, j->db);
}

/* A value: a number, a text, ⎕NULL. */
static bool bind_value(sql_job *j, int place, arr *x) {
  vm *v = j->v;
  if (x->ref && x == v->null)
    return !j->l->sqlite3_bind_null(j->s, place) || sql_fails(v, j->db);
  if (x->ref || is_nested(x) || x->rank > 1)
    return err_set(v->c, ERR_DOMAIN, "⎕SQL takes numbers, texts and ⎕NULL");
  if (elt_is_char((elt)x->type)) return bind_text(j, place, x);
  if (!x->rank) return bind_element(j, place, x, 0);
  return err_set(v->c, ERR_DOMAIN, "⎕SQL takes numbers, texts and ⎕NULL");
}

/* Is it one value, not a column of them? */
static bool is_value(const arr *x) {
  return !x->rank || x->ref ||
         (!is_nested(x) && x->rank == 1 && elt_is_char((elt)x->type));
}

/* Place k of row i. */
typedef struct sql_values {
  arr *x;       /* NULL: none */
  bool columns; /* its items are columns, else a vector, or a matrix of rows */
  int64_t rows, places;
} sql_values;

static bool bind_place(sql_job *j, const sql_values *p, int64_t i, int64_t k) {
  arr *x = p->x;
  int place = (int)k + 1;
  if (p->columns) {
    x = arr_item(x, k);
    if (is_value(x)) return bind_value(j, place, x);
  } else {
    i = i * p->places + k;
  }
  if (x->ref) return bind_value(j, place, x);
  if (!arr_nests(x)) return bind_element(j, place, x, i);
  return bind_value(j, place, arr_item(x, i));
}

static bool has_columns(const arr *x) {
  bool has = false;
  for (int64_t k = 0; x->rank == 1 && arr_nests(x) && k < x->count; k++)
    has |= !is_value(arr_item(x, k));
  return has;
}

static bool wrong_values(vm *v, int places, int64_t given) {
  return err_set(v->c, ERR_LENGTH, "⎕SQL: %d values are wanted, %lld given", places,
                 (long long)given);
}

/* How the values go with a statement of so many places. */
static bool arrange(vm *v, arr *x, int places, sql_values *p) {
  *p = (sql_values){.x = x, .rows = 1, .places = places};
  if (!x) return !places || wrong_values(v, places, 0);
  if (x->rank > 2) return err_set(v->c, ERR_RANK, "⎕SQL: its values");
  bool text = x->rank == 1 && elt_is_char((elt)x->type) && places == 1;
  p->columns = text || has_columns(x);
  int64_t given = x->rank == 2 ? x->shape[1] : x->count;
  if (text) return true;
  if (given != places) return wrong_values(v, places, given);
  if (x->rank == 2) p->rows = x->shape[0];
  if (!p->columns) return true;
  p->rows = -1;
  for (int64_t k = 0; k < places; k++) {
    const arr *c = arr_item(x, k);
    if (is_value(c)) continue;
    if (c->rank != 1) return err_set(v->c, ERR_RANK, "⎕SQL: a column is a vector");
    if (p->rows >= 0 && p->rows != c->count)
      return err_set(v->c, ERR_LENGTH, "⎕SQL: columns have one length");
    p->rows = c->count;
  }
  return true;
}

static bool bind_row(sql_job *j, const sql_values *p, int64_t i) {
  j->l->sqlite3_reset(j->s);
  if (p->x && !p->x->ref && p->places == 1 && p->x->rank == 1 &&
      elt_is_char((elt)p->x->type))
    return bind_text(j, 1, p->x);
  for (int64_t k = 0; k < p->places; k++)
    if (!bind_place(j, p, i, k)) return false;
  return true;
}

/* ── columns out of them ────────────────────────────────────────────────────────────── */

typedef enum sql_kind { SQL_NONE, SQL_INTS, SQL_FLOATS, SQL_ITEMS } sql_kind;

/* A column as it grows. nulls: of each row, is it NULL? */
typedef struct sql_column {
  sql_kind kind;
  VEC(int64_t) ints;
  VEC(double) floats;
  VEC(uint8_t) nulls;
  bool has_null;
  arr_list items;
} sql_column;

static void column_free(ctx *c, sql_column *k) {
  vec_free(c, &k->ints);
  vec_free(c, &k->floats);
  vec_free(c, &k->nulls);
  list_free(&k->items);
}

/* What it has becomes floats, or items. */
static bool widen(vm *v, sql_column *k, sql_kind to) {
  size_t n = k->nulls.n;
  for (size_t i = 0; i < n; i++) {
    bool null = k->nulls.at[i];
    double d = NAN;
    int64_t whole = 0;
    if (k->kind == SQL_INTS) whole = k->ints.at[i];
    if (k->kind == SQL_FLOATS) d = k->floats.at[i];
    if (k->kind == SQL_INTS && !null) d = (double)whole;
    arr *item = NULL;
    if (to == SQL_FLOATS) {
      if (!vec_push(v->c, &k->floats, d)) return false;
      continue;
    }
    if (to == SQL_INTS) {
      if (!vec_push(v->c, &k->ints, 0)) return false;
      continue;
    }
    if (null) item = arr_text(v->c, "", 0);
    else if (k->kind == SQL_INTS) item = arr_int(v->c, whole);
    else item = arr_float(v->c, d);
    if (!list_add(&k->items, item)) return false;
  }
  k->kind = to;
  return true;
}

static bool add_null(vm *v, sql_column *k) {
  k->has_null = true;
  if (!vec_push(v->c, &k->nulls, 1)) return false;
  switch (k->kind) {
  case SQL_INTS: return vec_push(v->c, &k->ints, 0);
  case SQL_FLOATS: return vec_push(v->c, &k->floats, NAN);
  case SQL_ITEMS: return list_add(&k->items, arr_text(v->c, "", 0));
  default: return true;
  }
}

static arr *blob(vm *v, const unsigned char *p, int64_t n) {
  arr *r = arr_vec(v->c, ET_I16, n);
  for (int64_t i = 0; r && i < n; i++) arr_put_int(r, i, p[i]);
  return r;
}

/* The value in column i of the row that the statement stands on. */
static bool add_value(sql_job *j, sql_column *k, arr_pool *pool, int i) {
  vm *v = j->v;
  const library *l = j->l;
  int type = l->sqlite3_column_type(j->s, i);
  if (type == SQLITE_NULL) return add_null(v, k);
  sql_kind kind = SQL_ITEMS;
  if (type == SQLITE_INTEGER) kind = SQL_INTS;
  if (type == SQLITE_FLOAT) kind = SQL_FLOATS;
  if (kind > k->kind && !widen(v, k, kind)) return false;
  if (!vec_push(v->c, &k->nulls, 0)) return false;
  if (k->kind == SQL_INTS)
    return vec_push(v->c, &k->ints, l->sqlite3_column_int64(j->s, i));
  if (k->kind == SQL_FLOATS)
    return vec_push(v->c, &k->floats, l->sqlite3_column_double(j->s, i));
  arr *item;
  if (type == SQLITE_INTEGER) item = arr_int(v->c, l->sqlite3_column_int64(j->s, i));
  else if (type == SQLITE_FLOAT)
    item = arr_float(v->c, l->sqlite3_column_double(j->s, i));
  else if (type == SQLITE_BLOB)
    item = blob(v, l->sqlite3_column_blob(j->s, i), l->sqlite3_column_bytes(j->s, i));
  else {
    const char *text = (const char *)l->sqlite3_column_text(j->s, i);
    item = arr_pool_text(v->c, pool, text, (size_t)l->sqlite3_column_bytes(j->s, i));
  }
  return list_add(&k->items, item);
}

/* The column, and where it has NULLs that its type cannot tell; each as an array. */
static arr *column_array(vm *v, sql_column *k) {
  int64_t n = (int64_t)k->nulls.n;
  if (k->has_null && k->kind != SQL_FLOATS && k->kind != SQL_ITEMS &&
      !widen(v, k, SQL_ITEMS))
    return NULL;
  bool tells = k->has_null && k->kind == SQL_ITEMS;
  OWNED arr *nulls = arr_vec(v->c, ET_BIT, tells ? n : 0);
  if (nulls && nulls->count) memset(nulls->host, 0, elt_bytes(ET_BIT, n));
  OWNED arr *r = NULL;
  if (k->kind == SQL_FLOATS) {
    r = arr_vec(v->c, ET_F64, n);
    if (r && n) memcpy(r->host, k->floats.at, (size_t)n * sizeof(double));
  } else if (k->kind == SQL_ITEMS) {
    r = arr_new(v->c, ET_NEST, 1, &n);
    for (int64_t i = 0; r && i < n; i++)
      ((arr **)r->host)[i] = arr_retain(k->items.at[i]);
  } else {
    r = arr_int_vec(v->c, n, k->ints.at);
  }
  for (int64_t i = 0; nulls && tells && i < n; i++)
    bit_add(nulls->host, i, k->nulls.at[i]);
  if (!nulls || !r) return NULL;
  arr *of[] = {arr_move(&r), arr_move(&nulls)};
  return items_of(v, 2, of);
}

/* All rows: names, then columns. */
static arr *read_rows(sql_job *j, int n) {
  vm *v = j->v;
  arr_pool pool = {0};
  OWNED_LIST arr_list names = {.v = v};
  OWNED_LIST arr_list columns = {.v = v};
  sql_column *k = mem_zalloc(v->c, (size_t)n * sizeof *k);
  bool ok = k != NULL;
  int got = SQLITE_ROW;
  for (int i = 0; ok && i < n; i++) k[i].items.v = v;
  while (ok && (got = j->l->sqlite3_step(j->s)) == SQLITE_ROW)
    for (int i = 0; ok && i < n; i++) ok = add_value(j, &k[i], &pool, i);
  if (ok && got != SQLITE_DONE) ok = sql_fails(v, j->db);
  arr_pool_end(&pool);
  for (int i = 0; ok && i < n; i++) {
    const char *name = j->l->sqlite3_column_name(j->s, i);
    ok = list_add(&names, arr_text(v->c, name ? name : "", name ? strlen(name) : 0)) &&
         list_add(&columns, column_array(v, &k[i]));
  }
  for (int i = 0; k && i < n; i++) column_free(v->c, &k[i]);
  mem_free(v->c, k);
  if (!ok) return NULL;
  arr *of[] = {list_array(&names), list_array(&columns)};
  return items_of(v, 2, of);
}

/* ── statements ─────────────────────────────────────────────────────────────────────── */

/* A statement without rows, once for each row of values: how many rows have changed. */
static arr *run_rows(sql_job *j, const sql_values *p) {
  vm *v = j->v;
  int64_t changed = 0;
  bool all = p->rows != 1 && j->l->sqlite3_get_autocommit(j->db);
  bool ok = !all || sqlite_run(v, j->db, "⎕SQL", "the database", "BEGIN");
  for (int64_t i = 0; ok && i < p->rows; i++) {
    ok = bind_row(j, p, i);
    int64_t before = j->l->sqlite3_total_changes64(j->db);
    int got = ok ? j->l->sqlite3_step(j->s) : SQLITE_DONE;
    if (got != SQLITE_DONE && got != SQLITE_ROW) ok = sql_fails(v, j->db);
    if (ok && j->l->sqlite3_total_changes64(j->db) != before)
      changed += j->l->sqlite3_changes64(j->db); /* without those of triggers */
    ok = ok && !stops_at(v->c, i);
  }
  j->l->sqlite3_reset(j->s);
  if (all && ok) ok = sqlite_run(v, j->db, "⎕SQL", "the database", "COMMIT");
  if (all && !ok && !j->l->sqlite3_get_autocommit(j->db)) {
    j->l->sqlite3_progress_handler(j->db, 0, NULL, NULL);
    j->l->sqlite3_exec(j->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite_guard(v, j->db);
  }
  return ok ? arr_int(v->c, changed) : NULL;
}

static bool is_blank(const char *p) { return !p[strspn(p, " \t\r\n;")]; }

/* Each statement of the text in turn; the last one's result. */
static arr *run_here(vm *v, arr *x, const str *text, arr *values) {
  sql_base **at = base_at(v, x);
  const char *p = text->at;
  OWNED arr *r = NULL;
  if (!at || !verify(v)) return NULL;
  sql_job j = {.v = v, .l = sqlite_of(v), .db = (*at)->db};
  do {
    sql_values bound;
    if (j.l->sqlite3_prepare_v3(j.db, p, -1, 0, &j.s, &p)) {
      sql_fails(v, j.db);
      return NULL;
    }
    if (!j.s) break; /* a comment */
    int columns = j.l->sqlite3_column_count(j.s);
    arr_release(r);
    r = NULL;
    if (arrange(v, values, j.l->sqlite3_bind_parameter_count(j.s), &bound)) {
      bool once = columns && bound.rows == 1;
      if (!once) r = run_rows(&j, &bound);
      else if (bind_row(&j, &bound, 0)) r = read_rows(&j, columns);
    }
    j.l->sqlite3_finalize(j.s);
    if (!r) return NULL;
    values = NULL;
  } while (!is_blank(p));
  return r ? arr_move(&r) : arr_int(v->c, 0);
}

/* ── ⎕SQL ───────────────────────────────────────────────────────────────────────────── */

/* The column of a pair of it and its NULLs, which become ⎕NULL. */
static arr *with_nulls(void *user, ctx *c, const arr *y, int64_t i) {
  vm *v = user;
  const arr *pair = arr_item(y, i);
  arr *column = arr_item(pair, 0);
  const arr *nulls = arr_item(pair, 1);
  if (!y->count) return arr_vec(c, ET_BIT, 0);
  if (!nulls->count) return arr_retain(column);
  OWNED arr *null = space_null(v);
  OWNED arr *r = arr_new(c, ET_NEST, 1, &column->count);
  for (int64_t k = 0; null && r && k < column->count; k++)
    ((arr **)r->host)[k] =
        arr_retain(bit_at(nulls->host, k) ? null : arr_item(column, k));
  return null ? arr_move(&r) : NULL;
}

static bool query(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str text = {.c = v->c};
  arr *got = NULL;
  bool bare = !is_nested(y);
  if (!ir_host(v->g, x) || y->rank > 1 || (!bare && (y->count < 1 || y->count > 2)))
    return err_set(v->c, ERR_LENGTH, "⎕SQL takes a statement, and values for it");
  if (!arg_text(v, bare ? y : arr_item(y, 0), "⎕SQL's statement", &text)) return false;
  if (strlen(text.at) != text.n) return err_set(v->c, ERR_DOMAIN, "⎕SQL: a NUL");
  arr *values = !bare && y->count > 1 ? arr_item(y, 1) : NULL;
  if (dist_alone_begins(v->c)) got = run_here(v, x, &text, values);
  if (!dist_alone_ends(v->c, &got)) return false;
  OWNED arr *all = got;
  if (!all) return false;
  if (!is_nested(all)) return give_result(r, arr_move(&all));
  arr *of[] = {arr_retain(arr_item(all, 0)),
               arr_map(v->c, arr_item(all, 1), with_nulls, v)};
  return give_result(r, items_of(v, 2, of));
}

static arr *close_here(vm *v, arr *y) {
  sql_base **at = base_at(v, y);
  if (!at || !verify(v)) return NULL;
  sql_base *b = *at;
  *at = b->next;
  close_base(v, b);
  return arr_retain(y);
}

bool ext_sql(vm *v, arr *x, arr *y, arr **r) {
  arr *got = NULL;
  if (!ir_host(v->g, y)) return false;
  if (x) return query(v, x, y, r);
  bool opens = elt_is_char((elt)y->type) || (!y->count && y->rank == 1);
  if (dist_alone_begins(v->c)) got = opens ? open_base(v, y) : close_here(v, y);
  if (!dist_alone_ends(v->c, &got)) return false;
  v->shy = !opens;
  return give_result(r, got);
}
#else
bool ext_sql(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  UNUSED(r);
  return err_set(v->c, ERR_NONCE,
                 "⎕SQL: this program was built without SQLite (libsqlite3-dev)");
}
#endif
