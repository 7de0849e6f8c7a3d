/* SPDX-License-Identifier: MIT */
/* api_read.c - arrays into the host program's memory, as elements or as text. */
#include "../src/array/element.h"
#include "../src/base/mapped.h"
#include "../src/base/utf8.h"
#include "api.h"
#include "api_convert.h"

/* ── elements ───────────────────────────────────────────────────────────────────────── */

/* Fills what does not depend on where the elements are. */
static void fill_view(const vapl_array *h, vapl_type t, const void *data,
                      vapl_view *out) {
  *out = (vapl_view){.size = sizeof *out,
                     .type = t,
                     .shy = h->shy,
                     .rank = h->a->rank,
                     .shape = h->a->shape,
                     .count = (size_t)h->a->count,
                     .bytes = convert_bytes(t, h->a->count),
                     .data = data};
}

static bool view_ok(vapl *v, vapl_view *out) {
  if (!out) {
    api_bad(v, "out is NULL");
    return false;
  }
  if (out->size != sizeof *out) {
    api_bad(v, "view.size is not sizeof(vapl_view)");
    return false;
  }
  *out = (vapl_view){.size = sizeof *out};
  return true;
}

vapl_status vapl_info(const vapl_array *a, vapl_view *out) {
  vapl *v = api_home(NULL, a);
  if (!v || !view_ok(v, out) || !api_enter(v)) return VAPL_EARG;
  bool ok = api_settle(v, a);
  if (ok) fill_view(a, convert_type((elt)a->a->type), NULL, out);
  if (ok && a->a->ref) out->type = VAPL_NAMESPACE;
  return api_leave(v, ok);
}

/* The elements as type t, converted once. */
static const void *mapped(vapl *v, vapl_array *h, vapl_type t) {
  if (h->a->type == ET_NEST) {
    err_set(&v->c, ERR_DOMAIN, "a nested array has no plain elements: use vapl_item");
    return NULL;
  }
  if (convert_type((elt)h->a->type) == t) return h->a->host;
  for (size_t i = 0; i < h->copies.n; i++)
    if (h->copies.at[i].type == t) return h->copies.at[i].data;
  copy k = {t, mem_alloc(&v->c, convert_bytes(t, h->a->count) + 1)};
  if (!k.data) return NULL;
  if (convert_out(&v->c, h->a, t, k.data) && vec_push(&v->c, &h->copies, k))
    return k.data;
  mem_free(&v->c, k.data);
  return NULL;
}

static bool readable(vapl *v, vapl_type t) {
  if (convert_elt(t) != ET_COUNT && t != VAPL_NESTED) return true;
  api_bad(v, "%d is no type to read elements as", (int)t);
  return false;
}

/* Inside the bracket: maps a, which is on the host. */
static bool map_view(vapl *v, vapl_array *a, vapl_type want, vapl_view *out) {
  vapl_type t = want;
  if (want == VAPL_AS_IT_IS) t = convert_type((elt)a->a->type);
  const void *data = mapped(v, a, t);
  if (!data || !mapped_whole(&v->c)) return false;
  fill_view(a, t, data, out);
  return true;
}

vapl_status vapl_map(vapl *v, vapl_array *a, vapl_type want, vapl_view *out) {
  v = api_home(v, a);
  if (!v || !view_ok(v, out)) return VAPL_EARG;
  if (want != VAPL_AS_IT_IS && !readable(v, want)) return VAPL_EARG;
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, api_to_host(v, a) && map_view(v, a, want, out));
}

vapl_status vapl_read(vapl *v, const vapl_array *a, vapl_type as, void *dst,
                      size_t bytes) {
  v = api_home(v, a);
  if (!v || !readable(v, as)) return VAPL_EARG;
  size_t need = a->a ? convert_bytes(as, a->a->count) : 0;
  if (need && !dst) return api_bad(v, "dst is NULL");
  if (bytes < need)
    return api_bad(v, "%zu bytes are too few: the array takes %zu", bytes, need);
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, api_to_host(v, a) && convert_out(&v->c, a->a, as, dst) &&
                          mapped_whole(&v->c));
}

vapl_status vapl_item(vapl *v, const vapl_array *a, size_t i, vapl_array **out) {
  if (out) *out = NULL;
  v = api_home(v, a);
  if (v && !out) return api_bad(v, "out is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  bool ok = api_to_host(v, a);
  if (ok && i >= (size_t)a->a->count)
    ok = err_set(&v->c, ERR_INDEX, "element %zu of %lld", i, (long long)a->a->count);
  if (ok && a->a->ref)
    ok = err_set(&v->c, ERR_DOMAIN, "a namespace has no items: ⎕VGET reads its names");
  if (!ok) return api_leave(v, false);
  OWNED arr *item = arr_scalar_at(&v->c, a->a, (int64_t)i);
  ok = mapped_whole(&v->c) && api_give(v, arr_move(&item), false, out);
  return api_leave(v, ok);
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

/* Hands a builder's text over; NUL-terminated even if nothing was put. */
static bool give_text(str *s, char **utf8, size_t *n) {
  str_put(s, "", 0);
  if (s->failed) return err_set(s->c, ERR_WS_FULL, "no memory for the text");
  *utf8 = s->at;
  if (n) *n = s->n;
  *s = (str){.c = s->c};
  return true;
}

/* The start of a call that gives a text. */
static bool enter_text(vapl *v, char **utf8, size_t *n) {
  if (utf8) *utf8 = NULL;
  if (n) *n = 0;
  if (!v) return false;
  if (!utf8) {
    api_bad(v, "the out-parameter of the text is NULL");
    return false;
  }
  return api_enter(v);
}

/* The same for a text about an array. */
static bool enter_text_of(vapl *v, const vapl_array *a, char **utf8, size_t *n) {
  if (utf8) *utf8 = NULL;
  if (n) *n = 0;
  return v && api_home(v, a) && enter_text(v, utf8, n);
}

static bool put_chars(ctx *c, const arr *a, str *s) {
  if (!elt_is_char((elt)a->type) && a->count)
    return err_set(c, ERR_DOMAIN, "the elements are no characters");
  for (int64_t i = 0; i < a->count; i++) {
    uint32_t u = (uint32_t)arr_get_int(a, i);
    if (!utf8_holds(u)) return err_set(c, ERR_DOMAIN, "UTF-8 cannot hold U+%04X", u);
    str_putc(s, u);
  }
  return true;
}

vapl_status vapl_utf8(vapl *v, const vapl_array *a, char **utf8, size_t *n) {
  if (!enter_text_of(v, a, utf8, n)) return VAPL_EARG;
  OWNED_STR str s = {.c = &v->c};
  bool ok = api_to_host(v, a) && put_chars(&v->c, a->a, &s);
  return api_leave(v, ok && mapped_whole(&v->c) && give_text(&s, utf8, n));
}

vapl_status vapl_format(vapl *v, const vapl_array *a, int boxed, char **utf8, size_t *n) {
  if (!enter_text_of(v, a, utf8, n)) return VAPL_EARG;
  OWNED_STR str s = {.c = &v->c};
  bool ok = api_to_host(v, a) && vm_format(v->m, a->a, boxed != 0, &s);
  return api_leave(v, ok && mapped_whole(&v->c) && give_text(&s, utf8, n));
}

vapl_status vapl_stats(vapl *v, char **json, size_t *n) {
  if (!enter_text(v, json, n)) return VAPL_EARG;
  OWNED_STR str s = {.c = &v->c};
  size_t handles = v->refs - 1;
  str_printf(&s,
             "{\"version\":\"%s\",\"bytes\":%zu,\"bytes_peak\":%zu,\"bytes_max\":%zu,"
             "\"blocks\":%zu,\"arrays\":%zu}",
             VAPL_VERSION_TEXT, v->c.bytes_live, v->c.bytes_peak, v->c.bytes_max,
             v->c.blocks_live, handles);
  return api_leave(v, give_text(&s, json, n));
}

void vapl_free(vapl *v, void *p) {
  if (v) mem_free(&v->c, p);
}
