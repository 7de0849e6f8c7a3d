/* SPDX-License-Identifier: MIT */
/* api_arrow.c - the Arrow C data interface: columns in and out (vapl_arrow.h). */
#include "../src/array/element.h"
#include "../src/eval/value/vm.h"
#include "api.h"
#include "vapl_arrow.h"
#include <math.h>
#include <string.h>

/* ── in ─────────────────────────────────────────────────────────────────────────────── */

/* What was taken over, until no array uses it any more. */
typedef struct holder {
  ctx *c;
  struct ArrowArray array;
  size_t refs;
} holder;

static void holder_drop(void *user, void *data) {
  holder *h = user;
  UNUSED(data);
  if (--h->refs) return;
  if (h->array.release) h->array.release(&h->array);
  mem_free(h->c, h);
}

/* A field: n elements from `from` on. */
typedef struct column {
  ctx *c;
  const struct ArrowSchema *schema;
  const struct ArrowArray *array;
  int64_t from, n;
  holder *h;
} column;

static bool arrow_bit(const void *bits, int64_t i) {
  return ((const uint8_t *)bits)[i >> 3] >> (i & 7) & 1;
}

static arr *no_bits(ctx *c, int64_t n) {
  arr *r = arr_vec(c, ET_BIT, n);
  if (r && n) memset(r->host, 0, elt_bytes(ET_BIT, n));
  return r;
}

/* Which elements are there; NULL without an error: all are. */
static arr *plain_valid(const column *k) {
  const void *bits = k->array->n_buffers ? k->array->buffers[0] : NULL;
  bool none = *k->schema->format == 'n';
  if (!none && (!k->array->null_count || !bits)) return NULL;
  bool all = true;
  OWNED arr *r = no_bits(k->c, k->n);
  for (int64_t i = 0; r && i < k->n; i++) {
    bool is = !none && arrow_bit(bits, k->from + i);
    if (is) bit_add(r->host, i, true);
    all &= is;
  }
  return all && r ? NULL : arr_move(&r);
}

/* The integers of dates, times and durations have 4 or 8 bytes. */
static char plain_format(const char *f) {
  if (*f != 't') return f[1] ? 0 : *f;
  bool short_time = f[1] == 't' && (f[2] == 's' || f[2] == 'm');
  return f[1] == 'd' ? (f[2] == 'D' ? 'i' : 'l') : short_time ? 'i' : 'l';
}

static arr *in_place(const column *k, elt t) {
  size_t width = (size_t)elt_bits(t) / 8;
  const char *at = k->array->buffers[1];
  if (k->n) at += (size_t)k->from * width;
  bool lies_right = (uintptr_t)at % width == 0 && k->n * (int64_t)width >= 64;
  OWNED arr *r = lies_right ? arr_new_pending(k->c, t, 1, &k->n) : arr_vec(k->c, t, k->n);
  if (!r) return NULL;
  if (!lies_right) {
    if (k->n) memcpy(r->host, at, (size_t)k->n * width);
    return arr_move(&r);
  }
  r->host = (void *)(uintptr_t)at;
  r->drop = holder_drop;
  r->drop_user = k->h;
  k->h->refs++;
  return arr_move(&r);
}

static arr *naturals(const column *k, size_t width, elt t) {
  const char *at = (const char *)k->array->buffers[1] + (size_t)k->from * width;
  bool large = false;
  for (int64_t i = 0; width == 8 && i < k->n; i++) large |= at[8 * i + 7] < 0;
  arr *r = arr_vec(k->c, large ? ET_F64 : t, k->n);
  for (int64_t i = 0; r && i < k->n; i++) {
    uint64_t u = 0;
    memcpy(&u, at + (size_t)i * width, width);
    if (large) arr_put_float(r, i, (double)u);
    else arr_put_int(r, i, (int64_t)u);
  }
  return r;
}

static arr *bits(const column *k) {
  arr *r = no_bits(k->c, k->n);
  for (int64_t i = 0; r && i < k->n; i++)
    if (arrow_bit(k->array->buffers[1], k->from + i)) bit_add(r->host, i, true);
  return r;
}

static int64_t text_end(const column *k, bool large, int64_t i) {
  if (large) return ((const int64_t *)k->array->buffers[1])[k->from + i];
  return ((const int32_t *)k->array->buffers[1])[k->from + i];
}

static arr *texts(const column *k, bool large) {
  const char *p = k->array->buffers[2];
  arr_pool pool = {0};
  OWNED arr *r = arr_new_items(k->c, 1, &k->n);
  if (r && !k->n) ((arr **)r->host)[0] = arr_text(k->c, "", 0);
  for (int64_t i = 0; r && i < k->n && !stops_at(k->c, i); i++) {
    int64_t from = text_end(k, large, i), to = text_end(k, large, i + 1);
    arr *text =
        arr_pool_text(k->c, &pool, to > from ? p + from : "", (size_t)(to - from));
    ((arr **)r->host)[i] = text;
    if (!text) break;
  }
  arr_pool_end(&pool);
  return err_is(k->c) ? NULL : arr_move(&r);
}

/* A text of 16 bytes: its length, then itself if it has at most 12, else where it lies: four bytes of it, which buffer,
 * and from where. The last buffer says how long these are. */
static bool view_text(const column *k, int64_t i, const char **text, int32_t *n) {
  enum { VIEW = 16, SHORT_TEXT = 12, FIRST = 2 };
  const char *view = (const char *)k->array->buffers[1] + (k->from + i) * VIEW;
  int64_t more = k->array->n_buffers - FIRST - 1;
  int32_t at, of;
  memcpy(n, view, sizeof *n);
  *text = view + 4;
  if (*n <= SHORT_TEXT) return *n >= 0;
  memcpy(&of, view + 8, sizeof of);
  memcpy(&at, view + 12, sizeof at);
  if (of < 0 || of >= more || at < 0) return false;
  const int64_t *bytes = k->array->buffers[FIRST + more];
  *text = (const char *)k->array->buffers[FIRST + of] + at;
  return (int64_t)at + *n <= bytes[of];
}

static arr *viewed_texts(const column *k) {
  const char *p;
  int32_t n;
  arr_pool pool = {0};
  const void *there = k->array->null_count ? k->array->buffers[0] : NULL;
  OWNED arr *r = arr_new_items(k->c, 1, &k->n);
  if (r && !k->n) ((arr **)r->host)[0] = arr_text(k->c, "", 0);
  for (int64_t i = 0; r && i < k->n && !stops_at(k->c, i); i++) {
    bool is = !there || arrow_bit(there, k->from + i);
    if (is && !view_text(k, i, &p, &n)) {
      err_set(k->c, ERR_DOMAIN, "a text of the Arrow array lies outside its buffers");
      break;
    }
    ((arr **)r->host)[i] = arr_pool_text(k->c, &pool, is ? p : "", is ? (size_t)n : 0);
    if (!((arr **)r->host)[i]) break;
  }
  arr_pool_end(&pool);
  return err_is(k->c) ? NULL : arr_move(&r);
}

static arr *plain_values(const column *k) {
  const char *format = k->schema->format;
  if (*format != 'n' && (k->array->n_buffers < 2 || !k->array->buffers))
    return err_null(k->c, ERR_DOMAIN, "the Arrow array has no elements");
  if (!strcmp(format, "vu")) {
    if (k->array->n_buffers > 2) return viewed_texts(k);
    return err_null(k->c, ERR_DOMAIN, "the Arrow array's texts have no lengths");
  }
  switch (plain_format(format)) {
  case 'c': return in_place(k, ET_I8);
  case 's': return in_place(k, ET_I16);
  case 'i': return in_place(k, ET_I32);
  case 'l': return in_place(k, ET_I64);
  case 'f': return in_place(k, ET_F32);
  case 'g': return in_place(k, ET_F64);
  case 'C': return naturals(k, 1, ET_I16);
  case 'S': return naturals(k, 2, ET_I32);
  case 'I': return naturals(k, 4, ET_I64);
  case 'L': return naturals(k, 8, ET_I64);
  case 'b': return bits(k);
  case 'u': return texts(k, false);
  case 'U': return texts(k, true);
  case 'n': {
    arr *none = arr_vec(k->c, ET_I8, k->n);
    if (none && k->n) memset(none->host, 0, (size_t)k->n);
    return none;
  }
  default:
    return err_null(k->c, ERR_DOMAIN, "vapl has no elements of Arrow's format %.20s",
                    format);
  }
}

/* ── dictionaries ───────────────────────────────────────────────────────────────────── */

static column dictionary_of(const column *k) {
  const struct ArrowArray *d = k->array->dictionary;
  return (column){k->c, k->schema->dictionary, d, d->offset, d->length, k->h};
}

/* Element i of the column of indices; -1: it is beyond all dictionaries. */
static int64_t index_at(const column *k, char format, int64_t i) {
  const void *p = k->array->buffers[1];
  i += k->from;
  switch (format) {
  case 'c': return ((const int8_t *)p)[i];
  case 'C': return ((const uint8_t *)p)[i];
  case 's': return ((const int16_t *)p)[i];
  case 'S': return ((const uint16_t *)p)[i];
  case 'i': return ((const int32_t *)p)[i];
  case 'I': return ((const uint32_t *)p)[i];
  case 'l': return ((const int64_t *)p)[i];
  default: return ((const uint64_t *)p)[i] <= INT64_MAX ? ((const int64_t *)p)[i] : -1;
  }
}

static bool is_index(const column *k) {
  const char *f = k->schema->format;
  bool fits = *f && strchr("cCsSiIlL", *f) && !f[1] && k->array->n_buffers >= 2 &&
              k->array->dictionary;
  return fits || err_set(k->c, ERR_DOMAIN, "the Arrow array has no right dictionary");
}

/* What stands for a null element of such a vector. */
static arr *nothing(ctx *c, const arr *like) {
  return like->type == ET_NEST ? arr_text(c, "", 0) : arr_int(c, 0);
}

static arr *taken_by(const column *k, const arr *of) {
  char format = *k->schema->format;
  const void *there = k->array->null_count ? k->array->buffers[0] : NULL;
  bool nest = of->type == ET_NEST;
  OWNED arr *none = nothing(k->c, of);
  OWNED arr *r =
      nest ? arr_new_items(k->c, 1, &k->n) : arr_vec(k->c, (elt)of->type, k->n);
  if (r && nest && !k->n) ((arr **)r->host)[0] = arr_text(k->c, "", 0);
  if (r && !nest && k->n) memset(r->host, 0, elt_bytes((elt)of->type, k->n));
  for (int64_t i = 0; none && r && i < k->n && !stops_at(k->c, i); i++) {
    bool is = !there || arrow_bit(there, k->from + i);
    int64_t at = is ? index_at(k, format, i) : 0;
    if (is && (at < 0 || at >= of->count))
      return err_null(k->c, ERR_DOMAIN,
                      "an index of the Arrow array is not in its dictionary");
    if (nest) ((arr **)r->host)[i] = arr_retain(is ? arr_item(of, at) : none);
    else if (is) arr_copy(r, i, of, at, 1);
  }
  return none && !err_is(k->c) ? arr_move(&r) : NULL;
}

static arr *values_of(const column *k) {
  if (!k->schema->dictionary) return plain_values(k);
  if (!is_index(k)) return NULL;
  column d = dictionary_of(k);
  if (d.schema->dictionary || *d.schema->format == '+')
    return err_null(k->c, ERR_DOMAIN, "a dictionary of Arrow's within another one");
  OWNED arr *of = plain_values(&d);
  return of ? taken_by(k, of) : NULL;
}

/* Which elements are there; NULL without an error: all are. An index may be of a null. */
static arr *valid_of(const column *k) {
  OWNED arr *r = plain_valid(k);
  if (err_is(k->c) || !k->schema->dictionary) return arr_move(&r);
  column d = dictionary_of(k);
  OWNED arr *of = plain_valid(&d);
  if (!of) return arr_move(&r);
  OWNED arr *both = no_bits(k->c, k->n);
  for (int64_t i = 0; both && i < k->n && !stops_at(k->c, i); i++) {
    bool is = !r || bit_at(r->host, i);
    if (is && bit_at(of->host, index_at(k, *k->schema->format, i)))
      bit_add(both->host, i, true);
  }
  return err_is(k->c) ? NULL : arr_move(&both);
}

/* A nested vector of n items, which it takes over. */
static arr *vector_of(ctx *c, int64_t n, arr **items) {
  OWNED arr *r = arr_new_items(c, 1, &n);
  bool ok = r != NULL;
  for (int64_t i = 0; i < n; i++) {
    ok = ok && items[i];
    if (r) ((arr **)r->host)[i] = items[i];
    else arr_release(items[i]);
  }
  if (r && !n) ok = (((arr **)r->host)[0] = arr_vec(c, ET_BIT, 0)) != NULL;
  return ok ? arr_move(&r) : NULL;
}

static bool import_struct(const column *whole, arr **values, arr **valid) {
  int64_t n = whole->schema->n_children;
  bool nulls = false, ok = true;
  arr **items = mem_zalloc(whole->c, (size_t)(2 * n + 1) * sizeof *items);
  for (int64_t i = 0; items && ok && i < n; i++) {
    column k = *whole;
    k.schema = whole->schema->children[i];
    k.array = whole->array->children[i];
    k.from = k.array->offset + whole->from;
    items[i] = values_of(&k);
    arr *is = items[i] ? valid_of(&k) : NULL;
    nulls |= is != NULL;
    if (!is && !err_is(whole->c)) is = arr_vec(whole->c, ET_BIT, 0);
    items[n + i] = is;
    ok = items[i] && is;
  }
  if (items) {
    *values = vector_of(whole->c, n, items);
    *valid = vector_of(whole->c, n, items + n);
  }
  mem_free(whole->c, items);
  ok = ok && items && *values && *valid;
  if (ok && !nulls) {
    arr_release(*valid);
    *valid = NULL;
  }
  return ok;
}

static bool import_column(const column *k, arr **values, arr **valid) {
  if (!strcmp(k->schema->format, "+s")) return import_struct(k, values, valid);
  *values = values_of(k);
  if (!*values) return false;
  *valid = valid_of(k);
  return !err_is(k->c);
}

vapl_status vapl_arrow_import(vapl *v, const struct ArrowSchema *schema,
                              struct ArrowArray *array, vapl_array **values,
                              vapl_array **valid) {
  if (values) *values = NULL;
  if (valid) *valid = NULL;
  if (!v) return VAPL_EARG;
  if (!values || !schema || !array || !schema->format)
    return api_bad(v, "a structure, or out, is NULL");
  if (!array->release) return api_bad(v, "the Arrow array was released already");
  if (array->length < 0 || array->offset < 0) return api_bad(v, "a length is negative");
  if (!api_enter(v)) return VAPL_EARG;
  OWNED arr *got = NULL;
  OWNED arr *is = NULL;
  holder *h = mem_zalloc(&v->c, sizeof *h);
  bool ok = h != NULL;
  if (ok) {
    *h = (holder){.c = &v->c, .array = *array, .refs = 1};
    column k = {&v->c, schema, &h->array, array->offset, array->length, h};
    ok = import_column(&k, &got, &is);
  }
  if (ok && is && !valid)
    ok = err_set(&v->c, ERR_DOMAIN,
                 "the Arrow array has nulls, and there is no place for them");
  ok = ok && api_give(v, arr_move(&got), false, values);
  if (ok && is && !api_give(v, arr_move(&is), false, valid)) {
    vapl_release(*values);
    *values = NULL;
    ok = false;
  }
  if (ok) array->release = NULL;
  else if (h) h->array.release = NULL; /* it stays the caller's */
  arr_release(arr_move(&got));
  if (h) holder_drop(h, NULL);
  return api_leave(v, ok);
}

/* ── out ────────────────────────────────────────────────────────────────────────────── */

enum { BUFFERS = 3 };

/* What a structure that is given out needs: the interpreter's core lives as long. */
typedef struct lent {
  vapl *v;
  vapl_array *a; /* whose elements are used where they lie, or NULL */
  const void *buffer[BUFFERS];
  void *own[BUFFERS]; /* of these, what was made */
} lent;

static void release_schema(struct ArrowSchema *s) {
  vapl *v = s->private_data;
  for (int64_t i = 0; i < s->n_children; i++) {
    struct ArrowSchema *k = s->children[i];
    if (k && k->release) k->release(k);
    mem_free(&v->c, k);
  }
  mem_free(&v->c, s->children);
  mem_free(&v->c, (void *)(uintptr_t)s->name);
  s->release = NULL;
  api_drop_core(v);
}

static void release_array(struct ArrowArray *a) {
  lent *l = a->private_data;
  vapl *v = l->v;
  for (int64_t i = 0; i < a->n_children; i++) {
    struct ArrowArray *k = a->children[i];
    if (k && k->release) k->release(k);
    mem_free(&v->c, k);
  }
  mem_free(&v->c, a->children);
  for (int i = 0; i < BUFFERS; i++) mem_free(&v->c, l->own[i]);
  vapl_release(l->a);
  mem_free(&v->c, l);
  a->release = NULL;
  api_drop_core(v);
}

static bool begin_schema(vapl *v, const char *format, const char *name,
                         struct ArrowSchema *s) {
  size_t n = strlen(name ? name : "") + 1;
  char *own = mem_alloc(&v->c, n);
  if (!own) return false;
  memcpy(own, name ? name : "", n);
  *s = (struct ArrowSchema){.format = format,
                            .name = own,
                            .flags = ARROW_FLAG_NULLABLE,
                            .release = release_schema,
                            .private_data = v};
  v->refs++;
  return true;
}

static lent *begin_array(vapl *v, int64_t n, int64_t buffers, struct ArrowArray *a) {
  lent *l = mem_zalloc(&v->c, sizeof *l);
  if (!l) return NULL;
  l->v = v;
  *a = (struct ArrowArray){.length = n,
                           .n_buffers = buffers,
                           .buffers = l->buffer,
                           .release = release_array,
                           .private_data = l};
  v->refs++;
  return l;
}

static void *own_buffer(lent *l, int i, size_t bytes) {
  l->own[i] = mem_zalloc(&l->v->c, bytes + 64);
  l->buffer[i] = l->own[i];
  return l->own[i];
}

/* An item as Arrow has it; 0: as none. */
static char item_format(const vapl *v, const arr *a) {
  if (a->ref) return a == v->m->null ? 'n' : 0;
  if (a->type == ET_NEST || a->rank > 1) return 0;
  if (elt_is_char((elt)a->type)) return 'u';
  if (a->rank || a->type == ET_C128) return 0;
  return elt_is_int((elt)a->type) ? 'l' : 'g';
}

/* The format that all items have; 0: there is none. */
static char items_format(const vapl *v, const arr *a) {
  char all = 'n';
  for (int64_t i = 0; i < a->count; i++) {
    char f = item_format(v, arr_item(a, i));
    if (!f) return 0;
    if (f == 'n' || f == all) continue;
    bool numbers = (f == 'l' || f == 'g') && (all == 'l' || all == 'g');
    if (all != 'n' && !numbers) return 0;
    all = numbers ? 'g' : f;
  }
  return all == 'n' ? 'u' : all;
}

static bool put_valid(const vapl *v, const arr *a, lent *l, struct ArrowArray *out) {
  uint8_t *to = NULL;
  for (int64_t i = 0; i < a->count; i++) out->null_count += arr_item(a, i) == v->m->null;
  if (!out->null_count) return true;
  if (!(to = own_buffer(l, 0, (size_t)a->count / 8 + 1))) return false;
  for (int64_t i = 0; i < a->count; i++)
    if (arr_item(a, i) != v->m->null) bit_add(to, i, true);
  return true;
}

/* Characters i of a, or of its item i, as UTF-8. */
static bool put_text(const vapl *v, const arr *a, int64_t i, str *s) {
  const arr *text = a;
  if (a->type != ET_NEST) {
    str_putc(s, (uint32_t)arr_get_int(a, i));
    return !s->failed;
  }
  text = arr_item(a, i);
  if (text == v->m->null) return true;
  for (int64_t k = 0; k < text->count; k++) str_putc(s, (uint32_t)arr_get_int(text, k));
  return !s->failed;
}

static bool export_texts(vapl *v, const arr *a, lent *l) {
  str s = {.c = &v->c};
  int64_t *ends = own_buffer(l, 1, (size_t)(a->count + 1) * sizeof *ends);
  str_put(&s, "", 0);
  for (int64_t i = 0; ends && i < a->count; i++) {
    if (!put_text(v, a, i, &s) || interrupted(&v->c)) break;
    ends[i + 1] = (int64_t)s.n;
  }
  l->own[2] = s.at;
  l->buffer[2] = s.at;
  return ends && !s.failed && !err_is(&v->c);
}

static bool export_numbers(vapl *v, const arr *a, lent *l, bool whole) {
  void *to = own_buffer(l, 1, (size_t)a->count * 8);
  for (int64_t i = 0; to && i < a->count; i++) {
    const arr *item = arr_item(a, i);
    if (item == v->m->null) continue;
    if (whole) ((int64_t *)to)[i] = arr_get_int(item, 0);
    else ((double *)to)[i] = arr_get_float(item, 0);
  }
  return to != NULL;
}

static const char *format_of(const vapl *v, const arr *a) {
  static const char *const plain[] = {
      [ET_BIT] = "b", [ET_I8] = "c",  [ET_I16] = "s",  [ET_I32] = "i",
      [ET_I64] = "l", [ET_F32] = "f", [ET_F64] = "g",  [ET_C8] = "U",
      [ET_C16] = "U", [ET_C32] = "U", [ET_C128] = NULL};
  if (a->ref) return NULL;
  if (a->type != ET_NEST) return plain[a->type];
  switch (items_format(v, a)) {
  case 'u': return "U";
  case 'l': return "l";
  case 'g': return "g";
  default: return NULL;
  }
}

static bool export_one(vapl *v, vapl_array *x, const char *name,
                       struct ArrowSchema *schema, struct ArrowArray *out) {
  *schema = (struct ArrowSchema){0};
  *out = (struct ArrowArray){0};
  if (!api_to_host(v, x)) return false;
  const arr *a = x->a;
  if (a->rank != 1) return err_set(&v->c, ERR_RANK, "a column is a vector");
  const char *format = format_of(v, a);
  if (!format) return err_set(&v->c, ERR_DOMAIN, "Arrow has no such column");
  bool text = *format == 'U';
  if (!begin_schema(v, format, name, schema)) return false;
  lent *l = begin_array(v, a->count, text ? 3 : 2, out);
  if (!l) return false;
  if (text)
    return export_texts(v, a, l) && (a->type != ET_NEST || put_valid(v, a, l, out));
  if (a->type == ET_NEST)
    return export_numbers(v, a, l, *format == 'l') && put_valid(v, a, l, out);
  l->a = vapl_retain(x);
  l->buffer[1] = a->host;
  return true;
}

static void take_back(struct ArrowSchema *schema, struct ArrowArray *array) {
  if (schema->release) schema->release(schema);
  if (array->release) array->release(array);
}

static bool right_call(vapl *v, const void *schema, const void *array) {
  if (schema && array) return api_enter(v);
  api_bad(v, "a structure is NULL");
  return false;
}

vapl_status vapl_arrow_export(vapl *v, vapl_array *a, const char *name,
                              struct ArrowSchema *schema, struct ArrowArray *array) {
  if (!v || !v->m || api_home(v, a) != v || !right_call(v, schema, array))
    return VAPL_EARG;
  bool ok = export_one(v, a, name, schema, array);
  if (!ok) take_back(schema, array);
  return api_leave(v, ok);
}

static bool export_table(vapl *v, size_t n, const char *const *names,
                         vapl_array *const *columns, struct ArrowSchema *schema,
                         struct ArrowArray *array) {
  *schema = (struct ArrowSchema){0};
  *array = (struct ArrowArray){0};
  if (!begin_schema(v, "+s", "", schema) || !begin_array(v, 0, 1, array)) return false;
  schema->flags = 0;
  schema->children = mem_zalloc(&v->c, (n + 1) * sizeof(void *));
  array->children = mem_zalloc(&v->c, (n + 1) * sizeof(void *));
  if (!schema->children || !array->children) return false;
  for (size_t i = 0; i < n; i++) {
    schema->n_children = array->n_children = (int64_t)i + 1;
    schema->children[i] = mem_zalloc(&v->c, sizeof *schema);
    array->children[i] = mem_zalloc(&v->c, sizeof *array);
    if (!schema->children[i] || !array->children[i] ||
        !export_one(v, columns[i], names[i], schema->children[i], array->children[i]))
      return false;
    if (i && array->children[i]->length != array->length)
      return err_set(&v->c, ERR_LENGTH, "columns have one length");
    array->length = array->children[i]->length;
  }
  return true;
}

vapl_status vapl_arrow_export_table(vapl *v, size_t n, const char *const *names,
                                    vapl_array *const *columns,
                                    struct ArrowSchema *schema,
                                    struct ArrowArray *array) {
  if (!v || !v->m) return VAPL_EARG;
  if (n && (!names || !columns)) return api_bad(v, "names or columns are NULL");
  for (size_t i = 0; i < n; i++)
    if (!names[i] || api_home(v, columns[i]) != v) return VAPL_EARG;
  if (!right_call(v, schema, array)) return VAPL_EARG;
  bool ok = export_table(v, n, names, columns, schema, array);
  if (!ok) take_back(schema, array);
  return api_leave(v, ok);
}
