/* SPDX-License-Identifier: MIT */
/* npz.c - ⎕NPZ: several arrays in one file, a ZIP archive of .npy files as NumPy writes it.
 *
 * Reading goes by the archive's directory at its end; entries that are compressed need the
 * library zlib, which is loaded then. Writing stores them as they are. */
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/base/mem.h"
#include "npy.h"
#include <stdio.h>
#include <string.h>

#ifdef __has_include
#if __has_include(<zlib.h>) && !defined(NO_ZLIB)
#include <zlib.h>
#endif
#endif

enum { END_BYTES = 22, ENTRY_BYTES = 46, LOCAL_BYTES = 30, STORED = 0, DEFLATED = 8 };
enum { END_MARK = 0x06054B50, ENTRY_MARK = 0x02014B50, LOCAL_MARK = 0x04034B50 };
enum { WIDE_MARK = 1 };
static const uint64_t MOST_FIELD = 0xFFFFFFFFu;

static uint64_t number_at(const char *p, int bytes) {
  uint64_t r = 0;
  for (int i = 0; i < bytes; i++) r |= (uint64_t)(unsigned char)p[i] << 8 * i;
  return r;
}

/* CRC-32 of what *sum stands for and n bytes more; false after INTERRUPT. */
static bool checksum(ctx *c, const void *at, size_t n, uint32_t *sum) {
  uint32_t table[256];
  const unsigned char *p = at;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t t = i;
    for (int k = 0; k < 8; k++) t = t & 1 ? t >> 1 ^ 0xEDB88320u : t >> 1;
    table[i] = t;
  }
  uint32_t t = ~*sum;
  for (size_t i = 0; i < n; i++) {
    if (stops_at(c, (int64_t)i)) return false;
    t = table[(t ^ p[i]) & 0xFF] ^ t >> 8;
  }
  *sum = ~t;
  return true;
}

/* ── reading ────────────────────────────────────────────────────────────────────────── */

typedef struct entry {
  const char *name;
  size_t name_bytes;
  int method;
  uint32_t sum;
  uint64_t packed, bytes, local; /* local: where its own header stands */
} entry;

typedef struct archive {
  vm *v;
  const char *path, *at;
  size_t n;
} archive;

static bool damaged(const archive *z, const char *why) {
  return err_set(z->v->c, ERR_FILE_DAMAGED, "⎕NPZ: %s: %s", z->path, why);
}

#ifdef ZLIB_VERSION
#define LIBRARY(X) X(inflateInit2_) X(inflate) X(inflateEnd)
#define LIBRARY_USER "⎕NPZ"
#define LIBRARY_FILE "libz.so.1"
#include "library.h"

static voidpf zip_alloc(voidpf c, uInt n, uInt size) {
  return mem_alloc(c, (size_t)n * size);
}
static void zip_free(voidpf c, voidpf p) { mem_free(c, p); }

static bool unpack(const archive *z, const char *p, const entry *e, char *to) {
  library *l = library_of(z->v);
  if (!l) return false;
  z_stream s = {.next_in = (Bytef *)(uintptr_t)p,
                .zalloc = zip_alloc,
                .zfree = zip_free,
                .opaque = z->v->c};
  if (l->inflateInit2_(&s, -15, ZLIB_VERSION, (int)sizeof s) != Z_OK)
    return damaged(z, "zlib failed");
  uint64_t in = 0, out = 0;
  int rc = Z_OK;
  while (rc == Z_OK && !interrupted(z->v->c)) { /* its counts have 32 bits */
    uint64_t some_in = e->packed - in, some_out = e->bytes - out;
    s.next_in = (Bytef *)(uintptr_t)(p + in);
    s.next_out = (Bytef *)to + out;
    s.avail_in = (uInt)(some_in < 1 << 24 ? some_in : 1 << 24);
    s.avail_out = (uInt)(some_out < 1 << 24 ? some_out : 1 << 24);
    uInt had_in = s.avail_in, had_out = s.avail_out;
    rc = l->inflate(&s, Z_NO_FLUSH);
    in += had_in - s.avail_in;
    out += had_out - s.avail_out;
  }
  l->inflateEnd(&s);
  if (err_is(z->v->c)) return false;
  return (rc == Z_STREAM_END && out == e->bytes) ||
         damaged(z, "an entry does not unpack");
}
#else
static bool unpack(const archive *z, const char *p, const entry *e, char *to) {
  UNUSED(p);
  UNUSED(e);
  UNUSED(to);
  return err_set(z->v->c, ERR_NONCE, "⎕NPZ: this program was built without zlib");
}
#endif

/* The wide numbers of an entry whose narrow ones are full, out of its extra field. */
static bool read_wide(const char *p, const char *end, entry *e) {
  uint64_t *const field[] = {&e->bytes, &e->packed, &e->local};
  while (end - p >= 4) {
    uint64_t id = number_at(p, 2), n = number_at(p + 2, 2);
    p += 4;
    if (n > (uint64_t)(end - p)) return false;
    const char *at = p;
    for (size_t k = 0; id == WIDE_MARK && k < ARRAY_LEN(field); k++) {
      if (*field[k] != MOST_FIELD) continue;
      if (at + 8 > p + n) return false;
      *field[k] = number_at(at, 8);
      at += 8;
    }
    p += n;
  }
  return true;
}

/* The entry at *p of the directory, and *p behind it. */
static bool next_entry(const archive *z, const char **p, entry *e) {
  const char *at = *p, *end = z->at + z->n;
  if (end - at < ENTRY_BYTES || number_at(at, 4) != ENTRY_MARK) return false;
  size_t name = number_at(at + 28, 2), extra = number_at(at + 30, 2);
  size_t note = number_at(at + 32, 2);
  if ((size_t)(end - at) < ENTRY_BYTES + name + extra + note) return false;
  *e = (entry){.name = at + ENTRY_BYTES,
               .name_bytes = name,
               .method = (int)number_at(at + 10, 2),
               .sum = (uint32_t)number_at(at + 16, 4),
               .packed = number_at(at + 20, 4),
               .bytes = number_at(at + 24, 4),
               .local = number_at(at + 42, 4)};
  *p = at + ENTRY_BYTES + name + extra + note;
  return read_wide(e->name + name, e->name + name + extra, e);
}

/* Where the bytes of an entry are; NULL: not within the file. */
static const char *entry_bytes(const archive *z, const entry *e) {
  if (e->local > z->n || z->n - e->local < LOCAL_BYTES) return NULL;
  const char *at = z->at + e->local;
  if (number_at(at, 4) != LOCAL_MARK) return NULL;
  uint64_t skip = LOCAL_BYTES + number_at(at + 26, 2) + number_at(at + 28, 2);
  uint64_t left = z->n - e->local;
  if (skip > left || e->packed > left - skip) return NULL;
  return at + skip;
}

static arr *entry_array(const archive *z, const entry *e) {
  vm *v = z->v;
  char name[256];
  npy_head h;
  const char *p = entry_bytes(z, e);
  snprintf(name, sizeof name, "%.*s", (int)(e->name_bytes < 200 ? e->name_bytes : 200),
           e->name);
  bool known = e->method == DEFLATED || (e->method == STORED && e->packed == e->bytes);
  if (!p || !known || e->bytes / 2000 > e->packed) {
    damaged(z, "an entry is wrong");
    return NULL;
  }
  char *made = NULL;
  if (e->method == DEFLATED) {
    made = mem_alloc(v->c, e->bytes + 1);
    if (!made) return NULL;
    if (!unpack(z, p, e, made)) p = NULL;
    else p = made;
  }
  arr *r = NULL;
  uint32_t sum = 0;
  if (!p || !checksum(v->c, p, e->bytes, &sum)) p = NULL;
  else if (sum != e->sum) damaged(z, "the checksum of an entry is wrong");
  else if (npy_read_head(v, name, p, e->bytes, &h))
    r = npy_array(v, name, &h, p + h.offset, e->bytes - h.offset);
  mem_free(v->c, made);
  return r;
}

/* The directory's first entry; *n: how many there are. */
static const char *directory(const archive *z, uint64_t *n) {
  const char *end = z->at + z->n;
  for (const char *p = end - END_BYTES; p >= z->at && p > end - 70000; p--) {
    if (number_at(p, 4) != END_MARK) continue;
    uint64_t at = number_at(p + 16, 4);
    *n = number_at(p + 10, 2);
    if (at == MOST_FIELD && p - z->at >= 20) { /* archives above 4 GB have a second end */
      uint64_t wide = number_at(p - 20 + 8, 8);
      if (wide > z->n || z->n - wide < 56) return NULL;
      *n = number_at(z->at + wide + 32, 8);
      at = number_at(z->at + wide + 48, 8);
    }
    return at <= z->n ? z->at + at : NULL;
  }
  return NULL;
}

/* Their names, without .npy, and the arrays. */
static arr *read_all(const archive *z) {
  vm *v = z->v;
  uint64_t n = 0;
  OWNED_LIST arr_list names = {.v = v}, arrays = {.v = v};
  const char *p = z->n >= END_BYTES ? directory(z, &n) : NULL;
  entry e;
  if (!p) {
    damaged(z, "it is no archive");
    return NULL;
  }
  for (uint64_t i = 0; i < n; i++) {
    if (!next_entry(z, &p, &e)) {
      damaged(z, "its directory is wrong");
      return NULL;
    }
    size_t bare = e.name_bytes;
    if (bare > 4 && !memcmp(e.name + bare - 4, ".npy", 4)) bare -= 4;
    if (!list_add(&arrays, entry_array(z, &e)) ||
        !list_add(&names, arr_text(v->c, e.name, bare)))
      return NULL;
  }
  arr *values = arr_vec(v->c, ET_NEST, (int64_t)arrays.n);
  if (!values) return NULL;
  if (arrays.n) memcpy(values->host, arrays.at, arrays.n * sizeof(arr *));
  else ((arr **)values->host)[0] = arr_vec(v->c, ET_BIT, 0);
  arrays.n = 0;
  if (!arr_item(values, 0)) {
    arr_release(values);
    return NULL;
  }
  return items_pair(v, list_array(&names), values);
}

/* ── writing ────────────────────────────────────────────────────────────────────────── */

typedef struct packer {
  vm *v;
  ext_file file;
  str directory;
  uint64_t at;
  int64_t entries;
} packer;

static void npz_put_number(str *s, uint64_t n, int bytes) {
  for (int i = 0; i < bytes; i++) str_put(s, &(char){(char)(n >> 8 * i & 0xFF)}, 1);
}

/* What the header of an entry and its line of the directory share. */
static void put_common(str *s, uint32_t sum, uint64_t bytes, size_t name) {
  npz_put_number(s, 20, 2);
  npz_put_number(s, 0x800, 2); /* the name is UTF-8 */
  npz_put_number(s, STORED, 2);
  npz_put_number(s, 0x21 << 16, 4); /* the first day that the format knows */
  npz_put_number(s, sum, 4);
  npz_put_number(s, bytes, 4);
  npz_put_number(s, bytes, 4);
  npz_put_number(s, name, 2);
  npz_put_number(s, 0, 2);
}

static bool npz_pack(packer *k, arr *name, arr *x) {
  vm *v = k->v;
  OWNED_STR str path = {.c = v->c};
  OWNED_STR str head = {.c = v->c};
  OWNED_STR str local = {.c = v->c};
  OWNED arr *made = NULL;
  if (!arg_text(v, name, "⎕NPZ: a name", &path) || !ir_host(v->g, x) ||
      !npy_put_head(v, "⎕NPZ", x, &head, &made))
    return false;
  str_puts(&path, ".npy");
  const arr *a = made ? made : x;
  size_t n = elt_bytes((elt)a->type, a->count);
  uint32_t sum = 0;
  if (!checksum(v->c, head.at, head.n, &sum) || !checksum(v->c, a->host, n, &sum))
    return false;
  uint64_t bytes = head.n + n;
  if (bytes >= MOST_FIELD || k->at + bytes >= MOST_FIELD - 65536)
    return err_set(v->c, ERR_LIMIT, "⎕NPZ: an archive holds 4 GB; ⎕NPY has no limit");
  npz_put_number(&local, LOCAL_MARK, 4);
  put_common(&local, sum, bytes, path.n);
  str_put(&local, path.at, path.n);
  npz_put_number(&k->directory, ENTRY_MARK, 4);
  npz_put_number(&k->directory, 20, 2);
  put_common(&k->directory, sum, bytes, path.n);
  npz_put_number(&k->directory, 0, 4);
  npz_put_number(&k->directory, 0, 6);
  npz_put_number(&k->directory, k->at, 4);
  str_put(&k->directory, path.at, path.n);
  if (local.failed || k->directory.failed) return false;
  k->at += local.n + bytes;
  k->entries++;
  return ext_put(&k->file, local.at, local.n) && ext_put(&k->file, head.at, head.n) &&
         ext_put(&k->file, a->host, n);
}

static bool write_all(packer *k, arr *names, arr *arrays) {
  vm *v = k->v;
  if (!ir_host(v->g, names) || !ir_host(v->g, arrays)) return false;
  if (!is_nested(names) || !is_nested(arrays) || names->count != arrays->count)
    return err_set(v->c, ERR_LENGTH, "⎕NPZ takes as many names as arrays");
  for (int64_t i = 0; i < names->count; i++)
    if (!npz_pack(k, arr_item(names, i), arr_item(arrays, i))) return false;
  uint64_t from = k->at, n = k->directory.n;
  npz_put_number(&k->directory, END_MARK, 4);
  npz_put_number(&k->directory, 0, 4);
  npz_put_number(&k->directory, (uint64_t)k->entries, 2);
  npz_put_number(&k->directory, (uint64_t)k->entries, 2);
  npz_put_number(&k->directory, n, 4);
  npz_put_number(&k->directory, from, 4);
  npz_put_number(&k->directory, 0, 2);
  k->at += k->directory.n;
  return !k->directory.failed && ext_put(&k->file, k->directory.at, k->directory.n) &&
         ext_commit(&k->file);
}

/* names arrays ⎕NPZ file; ⎕NPZ file gives names and arrays. */
bool ext_npz(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  if (!ext_may(v, x ? MAY_WRITE : MAY_READ, "⎕NPZ") || !ext_path(v, y, "⎕NPZ", &path))
    return false;
  if (x) {
    packer k = {.v = v, .directory = {.c = v->c}};
    if (!is_nested(x) || x->rank != 1 || x->count != 2)
      return err_set(v->c, ERR_LENGTH, "⎕NPZ takes names and arrays");
    bool ok = ext_begin(&k.file, v, "⎕NPZ", path.at) &&
              write_all(&k, arr_item(x, 0), arr_item(x, 1));
    ext_abandon(&k.file);
    str_free(&k.directory);
    v->shy = true;
    return ok && give_result(r, arr_int(v->c, (int64_t)k.at));
  }
  ext_mapping m;
  if (!ext_map(v, "⎕NPZ", path.at, &m)) return false;
  *r = read_all(&(archive){v, path.at, m.at, m.bytes});
  ext_unmap(&m);
  return *r != NULL;
}
