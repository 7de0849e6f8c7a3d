/* SPDX-License-Identifier: MIT */
/* deflate.c - 219⌶: bytes packed and unpacked by zlib, which is loaded then, as zlib or as gzip
 * has them. LZ4, which Dyalog has besides, is not here. */
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/base/mem.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/items.h"
#include <string.h>

#ifdef __has_include
#if __has_include(<zlib.h>) && !defined(NO_ZLIB)
#include <zlib.h>
#endif
#endif

#ifndef ZLIB_VERSION
bool ext_deflate(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  UNUSED(r);
  return err_set(v->c, ERR_NONCE, "219⌶: this program was built without zlib");
}
#else

#define LIBRARY(X)                                                                       \
  X(deflateInit2_) X(deflate) X(deflateEnd) X(inflateInit2_) X(inflate) X(inflateEnd)
#define LIBRARY_USER "219⌶"
#define LIBRARY_FILE "libz.so.1"
#include "library.h"

enum { LZ4 = 1, ZLIB, GZIP, LZ4_FRAMES, HEAD = 8, PART = 1 << 16 };

typedef struct stream {
  vm *v;
  library *l;
  z_stream z;
  bool packs;
} stream;

static voidpf zlib_alloc(voidpf c, uInt n, uInt size) {
  return mem_alloc(c, (size_t)n * size);
}
static void zlib_free(voidpf c, voidpf p) { mem_free(c, p); }

/* The window's bits say to zlib which form it is. */
static bool deflate_begin(stream *s, int64_t library_number, int level) {
  int bits = library_number == GZIP ? 15 + 16 : 15, rc;
  s->z = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = s->v->c};
  s->l = library_of(s->v);
  if (!s->l) return false;
  if (s->packs)
    rc = s->l->deflateInit2_(&s->z, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY,
                             ZLIB_VERSION, (int)sizeof s->z);
  else rc = s->l->inflateInit2_(&s->z, bits, ZLIB_VERSION, (int)sizeof s->z);
  return rc == Z_OK || err_set(s->v->c, ERR_DOMAIN, "219⌶: zlib failed");
}

/* One step, whose output is put behind `out`. */
static int step(stream *s, int how, str *out) {
  unsigned char part[PART];
  s->z.next_out = part;
  s->z.avail_out = PART;
  int rc = s->packs ? s->l->deflate(&s->z, how) : s->l->inflate(&s->z, how);
  str_put(out, (const char *)part, PART - s->z.avail_out);
  return rc;
}

/* n bytes through zlib; its counts have 32 bits. */
static bool deflate_run(stream *s, const arr *bytes, str *out) {
  enum { MOST = 1 << 24 };
  int64_t done = 0;
  int rc = Z_OK;
  while (rc == Z_OK && !out->failed && !interrupted(s->v->c)) {
    int64_t n = bytes->count - done;
    bool last = n <= MOST;
    if (!last) n = MOST;
    s->z.next_in = (Bytef *)bytes->host + done;
    s->z.avail_in = (uInt)n;
    rc = step(s, last && s->packs ? Z_FINISH : Z_NO_FLUSH, out);
    done += n - (int64_t)s->z.avail_in;
  }
  if (s->packs) s->l->deflateEnd(&s->z);
  else s->l->inflateEnd(&s->z);
  if (err_is(s->v->c) || out->failed) return false;
  return rc == Z_STREAM_END ||
         err_set(s->v->c, ERR_DOMAIN, "219⌶: the bytes do not unpack");
}

static arr *as_bytes(vm *v, const str *s) {
  arr *r = arr_vec(v->c, ET_I8, (int64_t)s->n);
  if (r && s->n) memcpy(r->host, s->at, s->n);
  return r;
}

/* y as bytes; DOMAIN ERROR. */
static arr *deflate_bytes(vm *v, arr *y) {
  if (y->rank > 1) return err_null(v->c, ERR_RANK, "219⌶ takes a vector of bytes");
  bool ok = elt_is_int((elt)y->type) || !y->count;
  for (int64_t i = 0; ok && i < y->count; i++) {
    if (stops_at(v->c, i)) return NULL;
    ok = arr_get_int(y, i) >= -128 && arr_get_int(y, i) <= 127;
  }
  if (!ok) return err_null(v->c, ERR_DOMAIN, "219⌶ takes numbers of ¯128 to 127");
  return y->count ? arr_convert(v->c, y, ET_I8) : arr_vec(v->c, ET_I8, 0);
}

/* What tells of packed bytes: a mark, the library, how many they were, the highest byte first. */
static arr *head_of(vm *v, int64_t library_number, int64_t n) {
  int64_t head[HEAD] = {HEAD, -55, library_number};
  for (int i = 0; i < 5; i++) head[HEAD - 1 - i] = (int8_t)(n >> 8 * i & 0xFF);
  return arr_int_vec(v->c, HEAD, head);
}

static arr *deflate_pack(vm *v, arr *y, int64_t library_number, int level) {
  OWNED_STR str out = {.c = v->c};
  OWNED arr *bytes = deflate_bytes(v, y);
  stream s = {.v = v, .packs = true};
  if (!bytes || !deflate_begin(&s, library_number, level) ||
      !deflate_run(&s, bytes, &out))
    return NULL;
  return items_pair(v, head_of(v, library_number, bytes->count), as_bytes(v, &out));
}

static arr *deflate_unpack(vm *v, arr *y, int64_t library_number) {
  OWNED_STR str out = {.c = v->c};
  OWNED arr *bytes = deflate_bytes(v, y);
  stream s = {.v = v};
  if (!bytes || !deflate_begin(&s, library_number, 0) || !deflate_run(&s, bytes, &out))
    return NULL;
  return as_bytes(v, &out);
}

/* What pack gave. */
static arr *unpack_told(vm *v, arr *y) {
  const arr *head = is_nested(y) && y->rank == 1 && y->count == 2 ? arr_item(y, 0) : NULL;
  bool ok = head && head->count == HEAD && elt_is_int((elt)head->type) &&
            arr_get_int(head, 1) == -55;
  if (!ok) return err_null(v->c, ERR_DOMAIN, "0(219⌶) takes what 219⌶ has packed");
  int64_t n = arr_get_int(head, 2);
  if (n != ZLIB && n != GZIP)
    return err_null(v->c, ERR_NONCE, "219⌶: LZ4 is not in this version");
  return deflate_unpack(v, arr_item(y, 1), n);
}

/* 219: x is a library and how hard it tries; its negative, and perhaps how long the result is; or 0. */
bool ext_deflate(vm *v, arr *x, arr *y, arr **r) {
  if (x->rank > 1) return err_set(v->c, ERR_RANK, "219⌶'s left argument is a vector");
  if (x->count < 1 || x->count > 2)
    return err_set(v->c, ERR_LENGTH, "219⌶'s left argument has one or two numbers");
  if (!elt_is_int((elt)x->type))
    return err_set(v->c, ERR_DOMAIN, "219⌶'s left argument is a whole number");
  int64_t how = arr_get_int(x, 0), more = x->count > 1 ? arr_get_int(x, 1) : -1;
  int64_t number = how < 0 ? -how : how;
  if (!how && x->count == 1) return give_result(r, unpack_told(v, y));
  if (!how || number > LZ4_FRAMES || how < -GZIP || (how > 0 && more > 9) || more < -1)
    return err_set(v->c, ERR_DOMAIN,
                   "219⌶ takes 0, 2 or 3 and a level of 0 to 9, ¯2 or ¯3");
  if (number != ZLIB && number != GZIP)
    return err_set(v->c, ERR_NONCE, "219⌶: LZ4 is not in this version");
  return give_result(r, how > 0 ? deflate_pack(v, y, number, (int)more)
                                : deflate_unpack(v, y, number));
}
#endif
