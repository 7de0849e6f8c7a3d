/* SPDX-License-Identifier: MIT */
/* api_make.c - arrays out of the host program's memory: vapl_new, vapl_wrap,
 * vapl_new_nested, vapl_text. */
#include "../src/array/convert.h"
#include "../src/array/element.h"
#include "../src/base/utf8.h"
#include "api.h"
#include "api_convert.h"
#include <string.h>

/* ── checking what was given ────────────────────────────────────────────────────────── */

int64_t api_count(vapl *v, uint32_t rank, const int64_t *shape) {
  if (rank > ARR_MAX_RANK) {
    api_bad(v, "rank %u is above %d", rank, ARR_MAX_RANK);
    return -1;
  }
  if (rank && !shape) {
    api_bad(v, "the shape is NULL");
    return -1;
  }
  bool empty = false;
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] < 0) {
      api_bad(v, "extent %lld is negative", (long long)shape[i]);
      return -1;
    }
    if (!shape[i]) empty = true;
  }
  if (empty) return 0;
  int64_t n = 1;
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] > INT64_MAX / n) {
      api_bad(v, "the shape's count is above 2^63-1");
      return -1;
    }
    n *= shape[i];
  }
  return n;
}

static bool is_plain_type(vapl *v, vapl_type t) {
  if (convert_elt(t) == ET_COUNT) {
    api_bad(v, "%d is no element type", (int)t);
    return false;
  }
  if (t == VAPL_NESTED) {
    api_bad(v, "nested arrays are made by vapl_new_nested");
    return false;
  }
  return true;
}

/* What vapl_new and vapl_wrap check alike; the count, or -1. */
int64_t api_check_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                      const void *data, vapl_array **out) {
  if (out) *out = NULL;
  if (!v) return -1;
  if (!out) {
    api_bad(v, "out is NULL");
    return -1;
  }
  if (!is_plain_type(v, t)) return -1;
  int64_t n = api_count(v, rank, shape);
  if (n <= 0) return n;
  if (!data) {
    api_bad(v, "data is NULL");
    return -1;
  }
  if (convert_bytes(t, n) == SIZE_MAX) {
    api_bad(v, "the size overflows");
    return -1;
  }
  return n;
}

/* ── plain arrays ───────────────────────────────────────────────────────────────────── */

vapl_status vapl_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                     const void *data, vapl_array **out) {
  if (api_check_new(v, t, rank, shape, data, out) < 0 || !api_enter(v)) return VAPL_EARG;
  OWNED arr *r = arr_new(&v->c, convert_elt(t), (int)rank, shape);
  bool ok = r && convert_in(&v->c, r, t, data);
  return api_leave(v, ok && api_give(v, arr_move(&r), false, out));
}

/* The drop of memory that needs none: without one the array would free what is not its own. */
static void keep_it(void *user, void *data) {
  UNUSED(user);
  UNUSED(data);
}

/* Bits are read as whole words of 64: what lies behind the last must be there, and zero. */
static bool tail_is_zero(const uint64_t *data, int64_t n) {
  return n % 64 == 0 || data[n / 64] >> (n % 64) == 0;
}

/* Can the n elements at data be used where they are? */
static vapl_status check_wrap(vapl *v, vapl_type t, const void *data, int64_t n) {
  if (!data) return api_bad(v, "data is NULL");
  if (t == VAPL_BOOL || t == VAPL_U8)
    return api_bad(v, "%s is not stored as such: use vapl_new", convert_name(t));
  if ((uintptr_t)data % convert_align(t))
    return api_bad(v, "data is not aligned to %zu bytes", convert_align(t));
  if (t == VAPL_BIT && !tail_is_zero(data, n))
    return api_bad(v, "the bits behind the last element are not zero");
  return VAPL_OK;
}

vapl_status vapl_wrap(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                      void *data, void (*drop)(void *user, void *data), void *user,
                      vapl_array **out) {
  int64_t n = api_check_new(v, t, rank, shape, data, out);
  if (n < 0 || check_wrap(v, t, data, n) || !api_enter(v)) return VAPL_EARG;
  OWNED arr *r = arr_new_pending(&v->c, convert_elt(t), (int)rank, shape);
  if (!r) return api_leave(v, false);
  /* The caller's drop is set last: on failure the memory stays the caller's. */
  r->host = data;
  r->drop = keep_it;
  bool ok = convert_check(&v->c, r) && api_give(v, arr_retain(r), false, out);
  if (ok && drop) {
    r->drop = drop;
    r->drop_user = user;
  }
  return api_leave(v, ok);
}

/* ── nested arrays ──────────────────────────────────────────────────────────────────── */

/* The type that holds all items as elements of a plain array; NEST if there is none. */
static elt plain_type(vapl_array *const *items, int64_t n) {
  if (!n) return ET_BIT;
  elt t = (elt)items[0]->a->type;
  for (int64_t i = 0; i < n; i++) {
    const arr *a = items[i]->a;
    if (a->rank || a->type == ET_NEST) return ET_NEST;
    t = elt_join(t, (elt)a->type);
    if (t == ET_NEST) return ET_NEST;
  }
  return t;
}

static bool put_items(ctx *c, arr *r, vapl_array *const *items) {
  for (int64_t i = 0; i < r->count; i++) {
    if (r->type == ET_NEST) {
      ((arr **)r->host)[i] = arr_retain(items[i]->a);
      continue;
    }
    OWNED arr *same = arr_convert(c, items[i]->a, (elt)r->type);
    if (!same) return false;
    arr_copy(r, i, same, 0, 1);
  }
  return true;
}

/* Scalars may become elements, so that their values are needed at once. */
static bool items_present(vapl *v, vapl_array *const *items, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    bool scalar = items[i]->a && items[i]->a->rank == 0;
    bool ok = scalar ? api_to_host(v, items[i]) : api_settle(v, items[i]);
    if (!ok) return false;
  }
  return true;
}

static arr *nested(vapl *v, uint32_t rank, const int64_t *shape, vapl_array *const *items,
                   int64_t n) {
  if (!items_present(v, items, n)) return NULL;
  OWNED arr *r = arr_new(&v->c, plain_type(items, n), (int)rank, shape);
  if (!r || !put_items(&v->c, r, items)) return NULL;
  return arr_move(&r);
}

vapl_status vapl_new_nested(vapl *v, uint32_t rank, const int64_t *shape,
                            vapl_array *const *items, vapl_array **out) {
  if (out) *out = NULL;
  if (!v) return VAPL_EARG;
  if (!out) return api_bad(v, "out is NULL");
  int64_t n = api_count(v, rank, shape);
  if (n < 0) return VAPL_EARG;
  if (n && !items) return api_bad(v, "items is NULL");
  for (int64_t i = 0; i < n; i++)
    if (!api_home(v, items[i]) || !api_is_whole(v, items[i])) return VAPL_EARG;
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, api_give(v, nested(v, rank, shape, items, n), false, out));
}

/* ── texts ──────────────────────────────────────────────────────────────────────────── */

size_t api_text_length(const char *utf8, size_t n) {
  return n == VAPL_STRLEN ? strlen(utf8) : n;
}

/* The offset of the first malformed byte, n if there is none. */
static size_t utf8_bad(const char *p, size_t n) {
  const char *at = p, *end = p + n, *next;
  for (; at < end; at = next)
    if (utf8_next(at, end, &next) == 0xFFFD && next == at + 1) break;
  return (size_t)(at - p);
}

vapl_status vapl_text(vapl *v, const char *utf8, size_t n, vapl_array **out) {
  if (out) *out = NULL;
  if (!v) return VAPL_EARG;
  if (!out) return api_bad(v, "out is NULL");
  if (!utf8) return api_bad(v, "the text is NULL");
  n = api_text_length(utf8, n);
  size_t malformed = utf8_bad(utf8, n);
  if (malformed < n) return api_bad(v, "malformed UTF-8 at byte %zu", malformed);
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, api_give(v, arr_text(&v->c, utf8, n), false, out));
}
