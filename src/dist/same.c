/* SPDX-License-Identifier: MIT */
/* same.c - what comes from outside becomes the same on all ranks: clocks, seeds, input, files, processes.
 *
 * The first rank alone asks, writes or waits. What came of it goes to the others: an error as its code and its
 * message; an array as a text, in which each array is a head, its shape, its elements, and of a nested one its
 * items. Elements of long arrays are not in the text: they are sent behind it, from where they are to where they
 * will be. */
#include "../base/str.h"
#include "../ir/ir.h"
#include "agree.h"
#include <string.h>

/* ── few bytes, and bytes ── */

/* What the first rank says is the greatest where nobody else says more than the least. */
static bool same_words(dist *d, void *at, size_t n) {
  int64_t word[AGREE_VALUES_MOST];
  int words = (int)((n + sizeof *word - 1) / sizeof *word);
  for (int i = 0; i < words; i++) word[i] = d->me ? INT64_MIN : 0;
  if (!d->me) memcpy(word, at, n);
  if (!dist_meet_values(d, AGREE_SAME, word, words)) return false;
  memcpy(at, word, n);
  return true;
}

bool dist_same(ctx *c, void *at, size_t n) {
  dist *d = c->dist;
  if (!d || d->inside) return !err_is(c);
  if (n <= AGREE_VALUES_MOST * sizeof(int64_t)) return same_words(d, at, n);
  return dist_meet(d, AGREE_SAME) && dist_send_all(d, at, n, 0);
}

bool dist_same_bytes(ctx *c, void **at, size_t *n) {
  dist *d = c->dist;
  if (!d || d->inside) return !err_is(c);
  uint64_t size = d->me ? 0 : *n;
  if (!dist_same(c, &size, sizeof size)) return false;
  if (d->me) {
    mem_free(c, *at);
    *at = mem_alloc(c, size ? size : 1);
    *n = size;
  }
  return dist_meet(d, AGREE_SAME) && dist_send_all(d, *at, *n, 0);
}

/* ── arrays as a text ── */

enum { FAR_BYTES = 1 << 20 }; /* elements of more are sent by themselves */

typedef struct array_head {
  uint8_t type, rank, has_range, distinct;
  int64_t lo, hi;
} array_head;

typedef struct same_text {
  ctx *c;
  str text;
  size_t at;      /* read so far */
  VEC(arr *) far; /* borrowed */
} same_text;

static void same_text_free(same_text *t) {
  str_free(&t->text);
  vec_free(t->c, &t->far);
}
#define OWNED_TEXT __attribute__((cleanup(same_text_free)))

/* Items that an array has, an empty one its prototype. */
static int64_t items_of(const arr *a) { return a->count ? a->count : 1; }

static bool put_array(same_text *t, arr *a) {
  if (out_of_stack(t->c)) return false;
  if (a->ref)
    return err_set(t->c, ERR_NONCE,
                   "a reference that one rank has made is not given to others");
  array_head h = {.type = a->type, .rank = a->rank, .distinct = a->distinct};
  h.has_range = a->has_range;
  if (a->has_range) h.lo = a->lo;
  if (a->has_range) h.hi = a->hi;
  str_put(&t->text, (const char *)&h, sizeof h);
  if (a->rank) str_put(&t->text, (const char *)a->shape, a->rank * sizeof *a->shape);
  if (a->type != ET_NEST) {
    size_t bytes = elt_bytes((elt)a->type, a->count);
    if (bytes > FAR_BYTES) return vec_push(t->c, &t->far, a);
    if (bytes) str_put(&t->text, a->host, bytes);
    return !t->text.failed;
  }
  bool ok = true;
  for (int64_t i = 0; ok && i < items_of(a); i++) ok = put_array(t, ((arr **)a->host)[i]);
  return ok;
}

static void take(same_text *t, void *to, size_t n) {
  if (n) memcpy(to, t->text.at + t->at, n);
  t->at += n;
}

static arr *take_array(same_text *t);

static bool take_items(same_text *t, arr *a) {
  for (int64_t i = 0; i < items_of(a); i++) {
    arr *item = take_array(t);
    if (!item) return false;
    ((arr **)a->host)[i] = item;
  }
  return true;
}

static arr *take_array(same_text *t) {
  array_head h;
  int64_t shape[ARR_MAX_RANK];
  if (out_of_stack(t->c)) return NULL;
  take(t, &h, sizeof h);
  take(t, shape, h.rank * sizeof *shape);
  OWNED arr *a = arr_new(t->c, (elt)h.type, h.rank, shape);
  if (!a) return NULL;
  if (h.type == ET_NEST) return take_items(t, a) ? arr_move(&a) : NULL;
  if (h.has_range) arr_set_range(a, h.lo, h.hi);
  a->distinct = h.distinct;
  size_t bytes = elt_bytes((elt)h.type, a->count);
  if (bytes <= FAR_BYTES) take(t, a->host, bytes);
  else if (!vec_push(t->c, &t->far, a)) return NULL;
  return arr_move(&a);
}

/* ── what one rank alone does ── */

bool dist_alone_begins(ctx *c) {
  dist *d = c->dist;
  if (!d) return true;
  if (!d->inside && (!dist_meet(d, AGREE_OUTCOME) || d->me)) return false;
  inside_begin(d);
  return true;
}

/* The recorded error, which then is recorded no longer. Who is asked to stop tells that by itself. */
static error_note take_outcome(const dist *d) {
  error_note o = {.code = d->c->err.code, .event = d->c->err.event};
  memcpy(o.msg, d->c->err.msg, sizeof o.msg);
  if (o.code == ERR_INTERRUPT && d->stop) o.code = ERR_NONE;
  err_clear(d->c);
  return o;
}

static bool same_far(dist *d, same_text *t, size_t n) {
  if (n && !dist_meet(d, AGREE_SAME)) return false; /* all have room */
  for (size_t i = 0; i < n; i++) {
    arr *a = t->far.at[i];
    if (!dist_send_all(d, a->host, elt_bytes((elt)a->type, a->count), 0)) return false;
  }
  return true;
}

/* The others' *r becomes what the first rank's text says, of that many bytes and long arrays. */
static bool same_array(dist *d, same_text *t, size_t bytes, size_t far, arr **r) {
  ctx *c = d->c;
  void *at = t->text.at;
  if (d->me) t->text.at = at = mem_alloc(c, bytes);
  if (!dist_meet(d, AGREE_SAME) || !dist_send_all(d, at, bytes, 0)) return false;
  OWNED arr *a = d->me ? take_array(t) : NULL;
  if (!same_far(d, t, far)) return false;
  if (d->me) *r = arr_move(&a);
  return *r != NULL;
}

/* The first rank's outcome becomes everybody's. */
static bool same_outcome(dist *d, arr **r) {
  ctx *c = d->c;
  OWNED_TEXT same_text t = {.c = c, .text = {.c = c}};
  error_note o = {0};
  int64_t value[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
  if (d->inside) {
    if (!err_is(c) && r && *r && ir_host(d->g, *r)) put_array(&t, *r);
    inside_end(d);
    o = take_outcome(d);
    value[0] = o.code;
    value[1] = o.code ? 0 : (int64_t)t.text.n;
    value[2] = (int64_t)t.far.n;
  }
  d->patient = d->me != 0;
  bool met = dist_meet_values(d, AGREE_OUTCOME, value, 3);
  d->patient = false;
  if (!met) return false;
  if (value[0]) {
    if (dist_send_all(d, &o, sizeof o, 0)) note_raise(c, &o);
    return false;
  }
  return !value[1] || same_array(d, &t, (size_t)value[1], (size_t)value[2], r);
}

static void drop_result(arr **r) {
  if (r) arr_release(arr_move(r));
}

bool dist_alone_ends(ctx *c, arr **r) {
  dist *d = c->dist;
  if (!d) return !err_is(c);
  bool begun = d->me ? !err_is(c) : d->inside > 0;
  if (!begun) return false;
  bool within = d->inside > 1; /* what is done alone, too */
  if (within) inside_end(d);
  bool ok = within ? !err_is(c) : same_outcome(d, r);
  if (!ok) drop_result(r);
  return ok;
}

bool dist_same_array(ctx *c, arr **r) {
  if (!dist_alone_begins(c)) drop_result(r);
  return dist_alone_ends(c, r);
}

bool dist_most(ctx *c, int64_t *value, int n) {
  dist *d = c->dist;
  return !d || d->inside || dist_meet_values(d, AGREE_VALUES, value, n);
}
