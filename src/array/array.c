/* SPDX-License-Identifier: MIT */
/* array.c - making and releasing arrays.
 *
 *   one block:  | arr | shape[rank] | pad to 16 | elements, rounded up to whole 8 bytes |
 *
 * Elements made by arr_new follow the header in the same block; arr_alloc_host gives a
 * block of its own to an array that had none, and `drop` marks host memory that came from
 * outside. The last 8 bytes of the elements are zeroed, so that bits may be read and
 * written as 64-bit words and the tail of a bit array is always zero.
 *
 * A nested array may be a million levels deep, so releasing one never recurses: dead arrays
 * are linked into a list through their `owner` field. Its items go from the last one on: blocks
 * that were made last wait for others then, and keep the C library's heap from being cut above
 * those that it gets back, which would cost its pages. */
#include "array.h"
#include "../base/mem.h"
#include "../base/utf8.h"
#include "element.h"
#include "grow.h"

#include <assert.h>
#include <string.h>

/* ── making ─────────────────────────────────────────────────────────────────────────── */

/* False if the product is above 2^63-1. */
INLINE bool multiply(int rank, const int64_t *shape, int64_t *product) {
  int64_t all = 1;
  bool none = false, lost = false; /* none: however large the others are */
  for (int k = 0; k < rank; k++) {
    assert(shape[k] >= 0);
    none |= !shape[k];
    lost |= __builtin_mul_overflow(all, shape[k], &all);
  }
  *product = none ? 0 : all;
  return none || !lost;
}

int64_t arr_product(int rank, const int64_t *shape) {
  int64_t n;
  return multiply(rank, shape, &n) ? n : INT64_MAX;
}

INLINE bool array_count(ctx *c, int rank, const int64_t *shape, int64_t *count) {
  if (rank > ARR_MAX_RANK)
    return err_set(c, ERR_LIMIT, "rank %d is above %d", rank, ARR_MAX_RANK);
  return multiply(rank, shape, count) || err_set(c, ERR_LIMIT, "more than 2*63 elements");
}

bool arr_count(ctx *c, int rank, const int64_t *shape, int64_t *count) {
  return array_count(c, rank, shape, count);
}

/* Bytes of storage for n elements, in whole words of 8; false after WS FULL. */
INLINE bool storage_of(ctx *c, elt t, int64_t n, size_t *bytes) {
  /* More than there is memory for. */
  const int64_t many = sizeof(size_t) < sizeof n ? ELT_MOST_32 : (int64_t)1 << 48;
  size_t bits = (size_t)elt_bits(t);
  if (n >= many)
    return err_set(c, ERR_WS_FULL, "%lld elements of %zu bits", (long long)n, bits);
  if (t == ET_NEST && n == 0) n = 1;
  *bytes = ((size_t)n * bits + 63) / 64 * 8;
  return true;
}

static bool clear_storage(ctx *c, elt t, void *p, size_t bytes) {
  if (t == ET_NEST) return mem_fill(c, p, 0, bytes);
  if (bytes) memset((char *)p + bytes - 8, 0, 8);
  return true;
}

INLINE arr *make(ctx *c, elt t, int rank, const int64_t *shape, int64_t n,
                 bool with_host) {
  size_t bytes = 0, head = arr_header(rank);
  if (with_host && !storage_of(c, t, n, &bytes)) return NULL;
  arr *a = mem_alloc(c, head + bytes);
  if (!a) return NULL;
  *a = (arr){.c = c, .refs = 1, .type = (uint8_t)t, .rank = (uint8_t)rank};
  if (rank == 1) a->shape[0] = shape[0]; /* the most frequent */
  else
    for (int k = 0; k < rank; k++) a->shape[k] = shape[k];
  a->count = n;
  if (!with_host) return a;
  a->host = (char *)a + head;
  if (LIKELY(clear_storage(c, t, a->host, bytes))) return a;
  mem_free(c, a);
  return NULL;
}

/* The most frequent array: its fields are known without looking. */
static arr *make_scalar(ctx *c, elt t) {
  enum { ELEMENT = 16 }; /* the largest one */
  const size_t head = arr_header(0);
  arr *a = mem_alloc(c, head + ELEMENT);
  if (!a) return NULL;
  *a = (arr){.c = c, .refs = 1, .type = (uint8_t)t, .count = 1};
  a->host = (char *)a + head;
  memset(a->host, 0, ELEMENT);
  return a;
}

/* A vector from the blocks kept for reuse, the most frequent case. Returns NULL, with
 * no error, if not applicable. */
INLINE arr *make_short(ctx *c, elt t, int64_t n) {
  const size_t head = arr_header(1);
  if (!LIKELY(n < 8 * MEM_FINE && t != ET_NEST)) return NULL;
  size_t bytes = ((size_t)n * (size_t)elt_bits(t) + 63) / 64 * 8;
  if (!LIKELY(head + bytes <= MEM_FINE)) return NULL;
  arr *a = mem_try_alloc(c, head + bytes);
  if (!LIKELY(a)) return NULL;
  *a = (arr){.c = c, .refs = 1, .type = (uint8_t)t, .rank = 1, .count = n};
  a->shape[0] = n;
  a->host = (char *)a + head;
  if (bytes) *(uint64_t *)(void *)((char *)a->host + bytes - 8) = 0;
  return a;
}

static SELDOM arr *make_any(ctx *c, elt t, int rank, const int64_t *shape, int64_t n) {
  return make(c, t, rank, shape, n, true);
}

arr *arr_new(ctx *c, elt t, int rank, const int64_t *shape) {
  int64_t n = 0;
  if (!rank) return make_scalar(c, t);
  if (rank == 1) return arr_vec(c, t, shape[0]);
  return array_count(c, rank, shape, &n) ? make(c, t, rank, shape, n, true) : NULL;
}

arr *arr_new_as(ctx *c, elt t, const arr *like) {
  arr *a = LIKELY(like->rank == 1) ? make_short(c, t, like->count) : NULL;
  return LIKELY(a) ? a : make_any(c, t, like->rank, like->shape, like->count);
}

arr *arr_vec(ctx *c, elt t, int64_t n) {
  arr *a = make_short(c, t, n);
  return LIKELY(a) ? a : make_any(c, t, 1, &n, n);
}

arr *arr_new_pending(ctx *c, elt t, int rank, const int64_t *shape) {
  int64_t n = 0;
  return array_count(c, rank, shape, &n) ? make(c, t, rank, shape, n, false) : NULL;
}

bool arr_items_fit(ctx *c, int64_t n) {
  const size_t each = sizeof(arr *) + sizeof(arr);
  size_t bytes;
  if (__builtin_mul_overflow((size_t)n, each, &bytes)) bytes = SIZE_MAX;
  return mem_fits(c, bytes);
}

arr *arr_new_items(ctx *c, int rank, const int64_t *shape) {
  int64_t n;
  if (!arr_count(c, rank, shape, &n) || !arr_items_fit(c, n)) return NULL;
  return arr_new(c, ET_NEST, rank, shape);
}

bool arr_alloc_host(ctx *c, arr *a) {
  size_t bytes = 0;
  if (a->host) return true;
  if (!storage_of(c, (elt)a->type, a->count, &bytes)) return false;
  if (!bytes) bytes = 8;
  a->host = mem_alloc(c, bytes);
  if (!a->host) return false;
  return clear_storage(c, (elt)a->type, a->host, bytes);
}

/* ── pools ──────────────────────────────────────────────────────────────────────────── */

/* A block of a pool's vectors. The vector that lives longest keeps the whole block, so
 * a block is not large. */
typedef struct arr_block {
  ctx *c;
  uint32_t refs,
      used; /* refs: its vectors, and the pool while it has room; used: bytes */
} arr_block;
enum { BLOCK_BYTES = 16000, POOLED_BYTES = 512 };

static void block_release(arr_block *b) {
  if (b && !--b->refs) mem_free(b->c, b);
}

void arr_pool_end(arr_pool *p) {
  block_release(p->block);
  p->block = NULL;
}

static bool block_room(ctx *c, arr_pool *p, size_t bytes) {
  if (p->block && p->block->used + bytes <= BLOCK_BYTES) return true;
  arr_pool_end(p);
  p->block = mem_alloc(c, BLOCK_BYTES);
  if (p->block) *p->block = (arr_block){c, 1, sizeof *p->block};
  return p->block != NULL;
}

arr *arr_pool_vec(ctx *c, arr_pool *p, elt t, int64_t n) {
  if (!p || n > POOLED_BYTES || t == ET_NEST) return arr_vec(c, t, n);
  size_t head = arr_header(1), bytes = (elt_bytes(t, n) + 7) & ~(size_t)7;
  if (!block_room(c, p, head + bytes)) return NULL;
  arr *a = (arr *)(void *)((char *)p->block + p->block->used);
  *a = (arr){.c = c,
             .refs = 1,
             .type = (uint8_t)t,
             .rank = 1,
             .pooled = true,
             .count = n,
             .host = (char *)a + head,
             .drop_user = p->block};
  a->shape[0] = n;
  clear_storage(c, t, a->host, bytes); /* which are few */
  p->block->used += (uint32_t)(head + bytes + 15) & ~15u;
  p->block->refs++;
  return a;
}

/* The room of a short vector, whatever its length, so that lengths need no prediction. The bytes
 * behind its elements are unused. */
enum { AT_ONCE = 64 };

static bool copy_at_once(const arr_pool *p, arr *r, const char *from, size_t n) {
  char *to = r->host, *end = (char *)p->block + BLOCK_BYTES;
  if (n > AT_ONCE || !n || (size_t)(end - to) < AT_ONCE) return false;
  size_t last = (n - 1) & ~(size_t)7;
  uint64_t tail;
  memcpy(to, from, AT_ONCE);
  memcpy(&tail, from + last, sizeof tail);
  tail &= ~(uint64_t)0 >> 8 * (8 - (n - last));
  memcpy(to + last, &tail, sizeof tail);
  return true;
}

/* The same for so few bits that a word holds them wherever the first byte begins. */
static bool copy_bits_at_once(arr *r, const arr *y, int64_t from) {
  uint64_t word;
  if (r->count > 56 || !r->count || from / 8 + 8 > (y->count + 7) / 8) return false;
  memcpy(&word, (const char *)y->host + from / 8, sizeof word);
  *(uint64_t *)r->host = word >> (from & 7) & (((uint64_t)1 << r->count) - 1);
  return true;
}

arr *arr_pool_part(ctx *c, arr_pool *p, const arr *y, int64_t from, int64_t n) {
  arr *r = arr_pool_vec(c, p, (elt)y->type, n);
  size_t each = elt_bytes((elt)y->type, 1), at = (size_t)from * each;
  if (!r) return NULL;
  if (y->has_range) arr_set_range(r, y->lo, y->hi);
  if (y->type == ET_BIT) {
    if (!copy_bits_at_once(r, y, from)) arr_copy(r, 0, y, from, n);
    return r;
  }
  bool more = (size_t)(y->count - from) * each >= AT_ONCE && r->pooled;
  const char *first = (const char *)y->host + at;
  if (!more || !copy_at_once(p, r, first, (size_t)n * each))
    memcpy(r->host, first, (size_t)n * each);
  return r;
}

/* Are n elements of y's type few enough, and is y simple and on the host? */
static bool are_few(const arr *y, int64_t n) {
  enum { MOST_BYTES = 1 << 11 };
  int bits = elt_bits((elt)y->type);
  return y->host && y->type != ET_NEST && bits <= 64 && n <= 8 * MOST_BYTES / bits;
}

arr *arr_few(ctx *c, const arr *y, int64_t from, int64_t n) {
  bool in = y->rank == 1 && from >= 0 && n >= 0 && from <= y->count - n;
  return in && are_few(y, n) ? arr_pool_part(c, NULL, y, from, n) : NULL;
}

arr *arr_few_same(ctx *c, const arr *y, int64_t n) {
  arr *r = are_few(y, n) ? arr_vec(c, (elt)y->type, n) : NULL;
  if (!r) return NULL;
  if (y->has_range) arr_set_range(r, y->lo, y->hi);
  arr_copy(r, 0, y, 0, 1);
  arr_repeat(r, 1); /* of so few nothing stops it */
  return r;
}

/* ── releasing ──────────────────────────────────────────────────────────────────────── */

static void give_up(arr *a) {
  if (a->pooled) block_release(a->drop_user);
  else mem_put_back(a->c, a);
}

/* An array without references joins the list of arrays to free, if it holds other
 * arrays. */
static void bury(arr *a, arr **dead) {
  if (arr_is_alone(a)) {
    give_up(a);
    return;
  }
  if (a->owner) a->owner->release(a->owner, a);
  a->owner = (struct arr_owner *)(void *)*dead;
  *dead = a;
}

static void let_go(arr *a, arr **dead) {
  if (a && !--a->refs) bury(a, dead);
}

void arr_shared(void *owner, void *data) {
  UNUSED(data);
  arr_release(owner);
}

static SELDOM void free_all(arr *a) {
  arr *dead = NULL;
  bury(a, &dead);
  while (dead) {
    a = dead;
    dead = (arr *)(void *)a->owner;
    a->owner = NULL;
    if (a->type == ET_NEST && a->host && !a->drop)
      for (int64_t i = arr_item_count(a); i-- > 0;) let_go(arr_item(a, i), &dead);
    if (a->drop == arr_shared) let_go(a->drop_user, &dead);
    else if (a->drop) {
      a->drop(a->drop_user, a->host);
      if (a->refs) continue; /* it is needed once more */
    } else if (a->host != (char *)a + arr_header(a->rank)) mem_free(a->c, a->host);
    give_up(a);
  }
}

void arr_free(arr *a) {
  if (LIKELY(arr_is_alone(a))) give_up(a);
  else free_all(a);
}

/* ── out of C values ────────────────────────────────────────────────────────────────── */

arr *arr_int(ctx *c, int64_t v) {
  arr *a = make_scalar(c, elt_for_range(v, v));
  if (!a) return NULL;
  arr_put_int(a, 0, v);
  arr_set_range(a, v, v);
  return a;
}

arr *arr_float(ctx *c, double v) {
  arr *a = make_scalar(c, ET_F64);
  if (a) *(double *)a->host = v;
  return a;
}

/* Is it a scalar with memory of its own? */
static bool is_free_scalar(const arr *a) {
  return !a->rank && a->refs == 1 && !a->pooled && !a->ref && !a->dev && arr_is_alone(a);
}

bool arr_to_int(arr *a, int64_t v) {
  if (!is_free_scalar(a)) return false;
  a->type = (uint8_t)elt_for_range(v, v);
  *(int64_t *)a->host = 0; /* bits end with zeros */
  arr_put_int(a, 0, v);
  arr_set_range(a, v, v);
  return true;
}

bool arr_to_float(arr *a, double v) {
  if (!is_free_scalar(a)) return false;
  a->type = ET_F64;
  a->has_range = false;
  *(double *)a->host = v;
  return true;
}

arr *arr_char(ctx *c, uint32_t code_point) {
  arr *a = make_scalar(c, elt_for_char(code_point));
  if (a) arr_put_int(a, 0, code_point);
  return a;
}

arr *arr_ref(ctx *c, arr *text, void (*drop)(void *user, void *data), void *user) {
  arr *a = text ? make_scalar(c, ET_NEST) : NULL;
  if (!a) {
    arr_release(text);
    return NULL;
  }
  arr **at = a->host; /* an element has room for two */
  at[0] = a;
  at[1] = text;
  a->ref = a->items_on_host = true;
  a->drop = drop;
  a->drop_user = user;
  return a;
}

arr *arr_pool_text(ctx *c, arr_pool *pool, const char *utf8, size_t n) {
  const char *end = utf8;
  if (n) end += n;
  if (utf8_ascii(utf8, end) == end) {
    arr *plain = arr_pool_vec(c, pool, ET_C8, (int64_t)n);
    if (plain && n) memcpy(plain->host, utf8, n);
    return plain;
  }
  uint32_t top = 0;
  int64_t count = 0;
  for (const char *p = utf8; p < end; count++) {
    if (stops_at(c, count)) return NULL;
    uint32_t u = utf8_next(p, end, &p);
    if (u > top) top = u;
  }
  OWNED arr *a = arr_pool_vec(c, pool, elt_for_char(top), count);
  if (!a) return NULL;
  const char *p = utf8;
  for (int64_t i = 0; i < count; i++) {
    if (stops_at(c, i)) return NULL;
    arr_put_int(a, i, utf8_next(p, end, &p));
  }
  return arr_move(&a);
}

arr *arr_text(ctx *c, const char *utf8, size_t n) {
  return arr_pool_text(c, NULL, utf8, n);
}

arr *arr_ints(ctx *c, int rank, const int64_t *shape, const int64_t *v) {
  int64_t n = arr_product(rank, shape), lo = 0, hi = 0;
  if (n > 0) lo = hi = v[0];
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(c, i)) return NULL;
    if (v[i] < lo) lo = v[i];
    if (v[i] > hi) hi = v[i];
  }
  OWNED arr *a = arr_new(c, elt_for_range(lo, hi), rank, shape);
  if (!a) return NULL;
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(c, i)) return NULL;
    arr_put_int(a, i, v[i]);
  }
  arr_set_range(a, lo, hi);
  return arr_move(&a);
}

arr *arr_chars(ctx *c, int rank, const int64_t *shape, const uint32_t *v) {
  int64_t n = arr_product(rank, shape);
  uint32_t top = 0;
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(c, i)) return NULL;
    if (v[i] > top) top = v[i];
  }
  OWNED arr *a = arr_new(c, elt_for_char(top), rank, shape);
  if (!a) return NULL;
  for (int64_t i = 0; i < n; i++) {
    if (stops_at(c, i)) return NULL;
    arr_put_int(a, i, v[i]);
  }
  return arr_move(&a);
}

/* ── shape ──────────────────────────────────────────────────────────────────────────── */

bool arr_same_shape(const arr *x, const arr *y) {
  int rank = x->rank, k = 0;
  if (rank != y->rank) return false;
  while (k < rank && x->shape[k] == y->shape[k]) k++;
  return k == rank;
}
