/* SPDX-License-Identifier: MIT */
/* api_arrow_stream.c - streams of the Arrow C data interface: their arrays in, one behind the other, and a stream of
 * one record batch out (vapl_arrow.h). */
#include "../src/array/convert.h"
#include "../src/array/element.h"
#include "api.h"
#include "vapl_arrow.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ── in ─────────────────────────────────────────────────────────────────────────────── */

typedef struct chunk {
  vapl_array *values, *valid; /* valid NULL: all elements are there */
} chunk;
typedef struct chunk_list {
  chunk *at;
  size_t n, cap;
} chunk_list;

/* Part i of what is joined; NULL: all of it is valid. */
typedef arr *part_fn(const chunk_list *l, size_t i, int64_t column);

static arr *part_values(const chunk_list *l, size_t i, int64_t column) {
  arr *a = l->at[i].values->a;
  return column < 0 ? a : arr_item(a, column);
}

static arr *part_valid(const chunk_list *l, size_t i, int64_t column) {
  arr *a = l->at[i].valid ? l->at[i].valid->a : NULL;
  if (a && column >= 0) a = arr_item(a, column);
  return a && (a->count || !part_values(l, i, column)->count) ? a : NULL;
}

/* Arrays of one schema have one type, but that numbers of 64 bits without a sign may be floats. */
static arr *join_values(ctx *c, const chunk_list *l, int64_t column) {
  int64_t n = 0, at = 0;
  const arr *first = NULL;
  elt type = ET_BIT;
  for (size_t i = 0; i < l->n; i++) {
    const arr *a = part_values(l, i, column);
    if (a->count > INT64_MAX - n) return err_null(c, ERR_WS_FULL, "a stream is too long");
    n += a->count;
    if (!a->count) continue;
    if (!first || a->type == ET_F64) type = (elt)a->type;
    if (!first) first = a;
  }
  if (!first) return arr_retain(part_values(l, 0, column));
  if (first->count == n) return arr_retain((arr *)(uintptr_t)first);
  OWNED arr *r = type == ET_NEST ? arr_new_items(c, 1, &n) : arr_vec(c, type, n);
  if (r && type == ET_BIT) memset(r->host, 0, elt_bytes(type, n));
  for (size_t i = 0; r && i < l->n; i++) {
    arr *a = part_values(l, i, column);
    OWNED arr *same =
        a->type == type || !a->count ? arr_retain(a) : arr_convert(c, a, type);
    if (!same) return NULL;
    for (int64_t k = 0; type == ET_NEST && k < a->count && !stops_at(c, k); k++)
      ((arr **)r->host)[at + k] = arr_retain(arr_item(a, k));
    if (type != ET_NEST && a->count) arr_copy(r, at, same, 0, a->count);
    at += a->count;
  }
  return err_is(c) ? NULL : arr_move(&r);
}

/* Which are there, as bits; an empty vector if all are. */
static arr *join_valid(ctx *c, const chunk_list *l, int64_t column) {
  int64_t n = 0, at = 0;
  bool all = true;
  for (size_t i = 0; i < l->n; i++) {
    all &= !part_valid(l, i, column);
    n += part_values(l, i, column)->count;
  }
  OWNED arr *r = arr_vec(c, ET_BIT, all ? 0 : n);
  if (r && r->count) memset(r->host, 0, elt_bytes(ET_BIT, n));
  for (size_t i = 0; r && !all && i < l->n; i++) {
    const arr *is = part_valid(l, i, column);
    int64_t k = part_values(l, i, column)->count;
    for (int64_t m = 0; m < k && !stops_at(c, m); m++)
      if (!is || bit_at(is->host, m)) bit_add(r->host, at + m, true);
    at += k;
  }
  return err_is(c) ? NULL : arr_move(&r);
}

/* The columns of a struct, joined each by itself. */
static arr *join_columns(ctx *c, const chunk_list *l, int64_t columns,
                         arr *(*join)(ctx *, const chunk_list *, int64_t)) {
  OWNED arr *r = arr_new_items(c, 1, &columns);
  if (r && !columns) ((arr **)r->host)[0] = arr_vec(c, ET_BIT, 0);
  for (int64_t i = 0; r && i < columns; i++)
    if (!(((arr **)r->host)[i] = join(c, l, i))) return NULL;
  return arr_move(&r);
}

static bool any_null(const chunk_list *l, int64_t columns) {
  bool any = false;
  for (size_t i = 0; i < l->n; i++) any |= l->at[i].valid != NULL;
  return any && columns;
}

/* All chunks as one. */
static bool join(vapl *v, const chunk_list *l, int64_t columns, vapl_array **values,
                 vapl_array **valid) {
  ctx *c = &v->c;
  bool table = columns >= 0;
  OWNED arr *is = NULL;
  OWNED arr *all =
      table ? join_columns(c, l, columns, join_values) : join_values(c, l, -1);
  if (!all) return false;
  if (any_null(l, columns)) {
    if (!valid)
      return err_set(c, ERR_DOMAIN,
                     "the stream has nulls, and there is no place for them");
    is = table ? join_columns(c, l, columns, join_valid) : join_valid(c, l, -1);
    if (!is) return false;
  }
  if (!api_give(v, arr_move(&all), false, values)) return false;
  if (!is || api_give(v, arr_move(&is), false, valid)) return true;
  vapl_release(*values);
  *values = NULL;
  return false;
}

static vapl_status stream_fails(vapl *v, struct ArrowArrayStream *s, int number) {
  const char *why = s->get_last_error ? s->get_last_error(s) : NULL;
  if (!api_enter(v)) return VAPL_EARG;
  err_set(&v->c, ERR_DOMAIN, "the Arrow stream: %.300s",
          why && *why ? why : strerror(number));
  return api_leave(v, false);
}

/* ── a stream without arrays ── */

static void has_nothing(struct ArrowArray *a) { a->release = NULL; }

/* An empty array of that schema. */
static vapl_status no_chunk(vapl *v, const struct ArrowSchema *schema, chunk *k) {
  static const int64_t zeros[2];
  static const void *buffers[] = {NULL, zeros, zeros};
  size_t n = (size_t)schema->n_children;
  struct ArrowArray none = {.n_buffers = 3, .buffers = buffers, .release = has_nothing};
  struct ArrowArray words = none, child = none;
  struct ArrowArray **at = mem_zalloc(&v->c, (n + 1) * sizeof *at);
  child.dictionary = &words;
  for (size_t i = 0; at && i < n; i++) at[i] = &child;
  none.children = at;
  none.n_children = (int64_t)n;
  none.dictionary = &words;
  vapl_status got = VAPL_WS_FULL;
  if (at) got = vapl_arrow_import(v, schema, &none, &k->values, &k->valid);
  mem_free(&v->c, at);
  return got;
}

/* ── all of it ── */

/* The next array of the stream as a chunk; *ends: there is none. */
static vapl_status next_chunk(vapl *v, struct ArrowArrayStream *s,
                              const struct ArrowSchema *schema, chunk *k, bool *ends) {
  struct ArrowArray a = {0};
  int number = s->get_next(s, &a);
  if (number) return stream_fails(v, s, number);
  *ends = !a.release;
  if (*ends) return VAPL_OK;
  vapl_status got = vapl_arrow_import(v, schema, &a, &k->values, &k->valid);
  if (got && a.release) a.release(&a);
  return got;
}

static vapl_status read_chunks(vapl *v, struct ArrowArrayStream *s,
                               const struct ArrowSchema *schema, chunk_list *l) {
  for (bool ends = false; !ends;) {
    chunk k = {0};
    vapl_status got = next_chunk(v, s, schema, &k, &ends);
    if (!got && ends && !l->n) got = no_chunk(v, schema, &k);
    if (got) return got;
    if (!k.values) continue;
    if (!api_enter(v)) return VAPL_EARG;
    bool ok = vec_push(&v->c, l, k);
    if (!ok) {
      vapl_release(k.values);
      vapl_release(k.valid);
    }
    ok = ok && !interrupted(&v->c);
    got = api_leave(v, ok);
    if (got) return got;
  }
  return VAPL_OK;
}

vapl_status vapl_arrow_import_stream(vapl *v, struct ArrowArrayStream *stream,
                                     struct ArrowSchema *schema, vapl_array **values,
                                     vapl_array **valid) {
  struct ArrowSchema own = {0};
  chunk_list l = {0};
  if (values) *values = NULL;
  if (valid) *valid = NULL;
  if (schema) *schema = own;
  if (!v) return VAPL_EARG;
  if (!values || !stream) return api_bad(v, "the stream, or out, is NULL");
  if (!stream->release) return api_bad(v, "the Arrow stream was released already");
  int number = stream->get_schema(stream, &own);
  if (number) return stream_fails(v, stream, number);
  vapl_status got = read_chunks(v, stream, &own, &l);
  if (!got && !api_enter(v)) got = VAPL_EARG;
  else if (!got) {
    bool table = own.format && !strcmp(own.format, "+s");
    got = api_leave(v, join(v, &l, table ? own.n_children : -1, values, valid));
  }
  for (size_t i = 0; i < l.n; i++) {
    vapl_release(l.at[i].values);
    vapl_release(l.at[i].valid);
  }
  vec_free(&v->c, &l);
  if (schema && !got) *schema = own;
  else if (own.release) own.release(&own);
  return got;
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

/* What a stream that is given out holds: its columns, until they are asked for. */
typedef struct giver {
  vapl *v;
  size_t n;
  char **names; /* NULL: one column alone */
  vapl_array **columns;
  bool given;
  char why[200];
} giver;

static int give_out(giver *g, struct ArrowSchema *schema, struct ArrowArray *array) {
  const char *const *names = (const char *const *)g->names;
  vapl_status got =
      names ? vapl_arrow_export_table(g->v, g->n, names, g->columns, schema, array)
            : vapl_arrow_export(g->v, g->columns[0], NULL, schema, array);
  if (!got) return 0;
  const vapl_error *e = vapl_last_error(g->v);
  snprintf(g->why, sizeof g->why, "%s", e && e->message ? e->message : "");
  return got == VAPL_WS_FULL ? ENOMEM : EINVAL;
}

static int give_schema(struct ArrowArrayStream *s, struct ArrowSchema *out) {
  struct ArrowArray array;
  int failed = give_out(s->private_data, out, &array);
  if (!failed) array.release(&array);
  return failed;
}

static int give_next(struct ArrowArrayStream *s, struct ArrowArray *out) {
  giver *g = s->private_data;
  struct ArrowSchema schema;
  *out = (struct ArrowArray){0};
  if (g->given) return 0;
  int failed = give_out(g, &schema, out);
  if (failed) return failed;
  schema.release(&schema);
  g->given = true;
  return 0;
}

static const char *give_error(struct ArrowArrayStream *s) {
  const giver *g = s->private_data;
  return *g->why ? g->why : NULL;
}

static void release_giver(giver *g) {
  vapl *v = g->v;
  for (size_t i = 0; i < g->n; i++) {
    if (g->names) mem_free(&v->c, g->names[i]);
    if (g->columns) vapl_release(g->columns[i]);
  }
  mem_free(&v->c, g->names);
  mem_free(&v->c, g->columns);
  mem_free(&v->c, g);
  api_drop_core(v);
}

static void release_stream(struct ArrowArrayStream *s) {
  release_giver(s->private_data);
  s->release = NULL;
}

static char *copied(ctx *c, const char *text) {
  size_t n = strlen(text) + 1;
  char *own = mem_alloc(c, n);
  if (own) memcpy(own, text, n);
  return own;
}

/* False: memory is out. What was taken is in *g. */
static bool hold(giver *g, size_t n, const char *const *names,
                 vapl_array *const *columns) {
  ctx *c = &g->v->c;
  g->columns = mem_zalloc(c, (n + 1) * sizeof *g->columns);
  if (names) g->names = mem_zalloc(c, (n + 1) * sizeof *g->names);
  if (!g->columns || (names && !g->names)) return false;
  for (g->n = 0; g->n < n;) {
    size_t i = g->n++;
    g->columns[i] = vapl_retain(columns[i]);
    if (names && !(g->names[i] = copied(c, names[i]))) return false;
  }
  return true;
}

/* What the stream will give is tried at once, so that what is refused is refused here. */
vapl_status vapl_arrow_export_stream(vapl *v, size_t n, const char *const *names,
                                     vapl_array *const *columns,
                                     struct ArrowArrayStream *stream) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  if (!v || !v->m) return VAPL_EARG;
  if (!stream || (n && !columns) || (!names && n != 1))
    return api_bad(v, "the stream or its columns are NULL, or a column alone is not one");
  vapl_status got = names ? vapl_arrow_export_table(v, n, names, columns, &schema, &array)
                          : vapl_arrow_export(v, columns[0], NULL, &schema, &array);
  if (got) return got;
  schema.release(&schema);
  array.release(&array);
  if (!api_enter(v)) return VAPL_EARG;
  giver *g = mem_zalloc(&v->c, sizeof *g);
  if (g) {
    g->v = v;
    v->refs++;
    if (!hold(g, n, names, columns)) {
      release_giver(g);
      g = NULL;
    }
  }
  if (g)
    *stream =
        (struct ArrowArrayStream){give_schema, give_next, give_error, release_stream, g};
  return api_leave(v, g != NULL);
}
