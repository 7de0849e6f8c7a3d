/* SPDX-License-Identifier: MIT */
/* npy.c - ⎕NPY: arrays in NumPy's format, versions 1 to 3.
 *
 *   6 bytes "\x93NUMPY", version, length of the header, the header as a Python dictionary, then
 *   the elements as they are in memory
 *
 * Elements whose type is one of ours (integers of 1, 2, 4 and 8 bytes, floats of 4 and 8,
 * complex numbers of 16) stay where they are: the file is mapped, and its pages are read when
 * they are used. Unsigned integers go to the next wider type, halves to f32, truth values to
 * bits; texts of one length become rows of characters. */
#include "npy.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include <string.h>

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, ALIGN = 64 };

/* ── the header ─────────────────────────────────────────────────────────────────────── */

static bool wrong(vm *v, const char *name, const char *why) {
  return err_set(v->c, ERR_DOMAIN, "⎕NPY: %s: %s", name, why);
}

/* Behind the key 'word' and its colon in the dictionary; NULL: it is not there. */
static const char *value_of(const char *p, const char *end, const char *word) {
  size_t n = strlen(word);
  for (; p + n + 2 < end; p++) {
    bool here = (*p == '\'' || *p == '"') && !memcmp(p + 1, word, n) && p[n + 1] == *p;
    if (!here) continue;
    for (p += n + 2; p < end && (*p == ' ' || *p == ':'); p++)
      ;
    return p < end ? p : NULL;
  }
  return NULL;
}

static bool read_type(const char *p, const char *end, npy_head *h) {
  if (!p || end - p < 5 || (*p != '\'' && *p != '"') || !strchr("<>|=", p[1]))
    return false;
  const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
  size_t n = close ? (size_t)(close - p - 1) : 0;
  if (n < 2 || n >= sizeof h->type) return false;
  for (size_t i = 0; i < n; i++)
    if (p[i + 1] <= ' ' || p[i + 1] > '~') return false;
  memcpy(h->type, p + 1, n);
  h->order = p[1];
  h->kind = p[2];
  for (p += 3; *p >= '0' && *p <= '9' && h->bytes < 100000000; p++)
    h->bytes = h->bytes * 10 + *p - '0';
  if (p != close) h->kind = strchr("Mm", h->kind) ? h->kind : '?'; /* a unit of time */
  return true;
}

static bool read_shape(const char *p, const char *end, npy_head *h) {
  if (!p || *p++ != '(') return false;
  while (p < end && *p != ')') {
    int64_t n = 0;
    const char *from = p;
    if (*p == ' ' || *p == ',') {
      p++;
      continue;
    }
    for (; p < end && *p >= '0' && *p <= '9'; p++)
      if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *p - '0', &n))
        return false;
    if (p == from || h->rank == ARR_MAX_RANK) return false;
    if (p < end && *p == 'L') p++;
    h->shape[h->rank++] = n;
  }
  return p < end;
}

bool npy_read_head(vm *v, const char *name, const char *p, size_t n, npy_head *h) {
  *h = (npy_head){0};
  const unsigned char *u = (const unsigned char *)p;
  if (n < 12 || memcmp(p, MAGIC, MAGIC_BYTES) || u[6] < 1 || u[6] > 3)
    return wrong(v, name, "it is no .npy file");
  size_t length = u[8] | (size_t)u[9] << 8, at = 10;
  if (u[6] > 1) {
    length |= (size_t)u[10] << 16 | (size_t)u[11] << 24;
    at = 12;
  }
  if (length > n - at) return wrong(v, name, "it ends within its header");
  const char *from = p + at, *end = from + length;
  const char *order = value_of(from, end, "fortran_order");
  h->offset = at + length;
  h->fortran = order && *order == 'T';
  const char *type = value_of(from, end, "descr");
  if (type && *type == '[') return wrong(v, name, "its elements are records");
  if (!order || !read_type(type, end, h) ||
      !read_shape(value_of(from, end, "shape"), end, h))
    return wrong(v, name, "its header is damaged");
  return true;
}

/* ── bytes to elements ──────────────────────────────────────────────────────────────── */

/* Our type for elements of that kind; ET_COUNT: there is none. */
static elt type_for(const npy_head *h) {
  int k = h->kind, n = h->bytes;
  if (k == 'b' && n == 1) return ET_BIT;
  if (k == 'i' && n == 1) return ET_I8;
  if ((k == 'i' && n == 2) || (k == 'u' && n == 1)) return ET_I16;
  if ((k == 'i' && n == 4) || (k == 'u' && n == 2)) return ET_I32;
  if (n == 8 && (k == 'i' || k == 'u')) return ET_I64;
  if (k == 'u' && n == 4) return ET_I64;
  if (k == 'f' && (n == 2 || n == 4)) return ET_F32;
  if (k == 'f' && n == 8) return ET_F64;
  if (k == 'c' && (n == 8 || n == 16)) return ET_C128;
  if (k == 'S') return ET_C8;
  if (k == 'U') return ET_C32;
  return ET_COUNT;
}

/* Bytes that one number takes in the file. */
static size_t unit_of(const npy_head *h) {
  if (h->kind == 'U') return 4;
  if (h->kind == 'S') return 1;
  return (size_t)h->bytes / (h->kind == 'c' ? 2 : 1);
}

static float half_value(unsigned h) {
  int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
  uint32_t bits;
  float f;
  if (e == 0) f = (float)m / 16777216.0f;
  else {
    bits = (uint32_t)(e + 112) << 23 | (uint32_t)m << 13;
    if (e == 31) bits |= 0x7F800000u;
    memcpy(&f, &bits, 4);
  }
  if (h >> 15) return -f;
  return f;
}

/* One number of `width` bytes, which may stand the other way round. */
static uint64_t bits_at(const char *p, size_t width, bool swap) {
  uint64_t r = 0;
  for (size_t i = 0; i < width; i++)
    r |= (uint64_t)(unsigned char)p[swap ? width - 1 - i : i] << 8 * i;
  return r;
}

static bool put_element(arr *r, int64_t i, const npy_head *h, const char *p, size_t width,
                        bool swap) {
  uint64_t b = bits_at(p, width, swap);
  double d;
  float f;
  if (h->kind == 'f' || h->kind == 'c') {
    if (width == 2) d = (double)half_value((unsigned)b);
    else if (width == 4) {
      uint32_t half = (uint32_t)b;
      memcpy(&f, &half, 4);
      d = (double)f;
    } else memcpy(&d, &b, 8);
    if (h->kind == 'c') ((double *)r->host)[i] = d;
    else if (r->type == ET_F32 && width == 4) ((float *)r->host)[i] = f;
    else arr_put_float(r, i, d);
    return true;
  }
  if (h->kind == 'U' || h->kind == 'S') {
    arr_put_int(r, i, b ? (int64_t)b : ' ');
    return b <= 0x10FFFF;
  }
  if (h->kind == 'b') b = b != 0;
  if (h->kind == 'i' && width < 8 && b >> (8 * width - 1)) b |= ~(uint64_t)0 << 8 * width;
  arr_put_int(r, i, (int64_t)b);
  return h->kind == 'i' || b <= INT64_MAX;
}

static bool npy_convert(vm *v, const char *name, const npy_head *h, const char *p,
                        arr *r) {
  size_t width = unit_of(h);
  bool swap = h->order == '>';
  int64_t n = r->count * (h->kind == 'c' ? 2 : 1);
  for (int64_t i = 0; i < n; i++) {
    if (!put_element(r, i, h, p + (size_t)i * width, width, swap))
      return wrong(v, name, "an element is above 2*63, or no character");
    if (i % 1048576 == 0 && interrupted(v->c)) return false;
  }
  return true;
}

/* Its shape here: of texts with an axis for their characters, of arrays in Fortran's order the
 * other way round. False: it cannot be held. */
static bool shape_for(const npy_head *h, int *rank, int64_t *shape) {
  bool texts = h->kind == 'U' || h->kind == 'S';
  *rank = h->rank;
  for (int k = 0; k < h->rank; k++) shape[k] = h->shape[h->fortran ? h->rank - 1 - k : k];
  if (!texts) return true;
  if (*rank == ARR_MAX_RANK || h->fortran) return false;
  shape[(*rank)++] = h->bytes;
  return true;
}

/* Is the memory of such elements ours as it stands? */
static bool is_ours(const npy_head *h) {
  bool signed_or_float = h->kind == 'i' || (h->kind == 'f' && h->bytes >= 4);
  return h->order != '>' && (signed_or_float || (h->kind == 'c' && h->bytes == 16));
}

static arr *unturned(vm *v, const npy_head *h, arr *a) { /* takes a over */
  if (!a || !h->fortran || a->rank < 2) return a;
  prim_env e = env_of(v);
  arr *r = prim_monadic(&e, P_TRANSPOSE, a);
  arr_release(a);
  return r;
}

/* DOMAIN ERROR that says what the elements are. */
static bool wrong_type(vm *v, const char *name, const npy_head *h) {
  static const struct {
    char kind;
    const char *what;
  } rows[] = {{'M', ", which are times"},
              {'m', ", which are spans of time"},
              {'O', ", which are Python's objects"},
              {'V', ", which are bytes without a meaning"},
              {'f', ", floats of a width that is not here"},
              {'c', ", complex numbers of a width that is not here"}};
  const char *what = "";
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (rows[i].kind == h->kind) what = rows[i].what;
  return err_set(v->c, ERR_DOMAIN, "⎕NPY: %s: its elements are of type %s%s", name,
                 h->type, what);
}

/* The shape of the array, and that there are bytes enough for it. */
static bool check_size(vm *v, const char *name, const npy_head *h, size_t n, int *rank,
                       int64_t *shape) {
  int64_t count, numbers;
  if (type_for(h) == ET_COUNT) return wrong_type(v, name, h);
  if (!shape_for(h, rank, shape))
    return wrong(v, name, "its texts are in Fortran's order, or have too many axes");
  if (!arr_count(v->c, *rank, shape, &count)) return false;
  bool complex = h->kind == 'c';
  if (__builtin_mul_overflow(count, complex ? 2 : 1, &numbers) ||
      (size_t)numbers > n / unit_of(h))
    return wrong(v, name, "it is shorter than its shape says");
  return true;
}

arr *npy_array(vm *v, const char *name, const npy_head *h, const char *p, size_t n) {
  int rank;
  int64_t shape[ARR_MAX_RANK];
  if (!check_size(v, name, h, n, &rank, shape)) return NULL;
  OWNED arr *r = arr_new(v->c, type_for(h), rank, shape);
  if (!r) return NULL;
  if (is_ours(h)) {
    size_t bytes = elt_bytes((elt)r->type, r->count);
    if (bytes) memcpy(r->host, p, bytes);
  } else if (!npy_convert(v, name, h, p, r)) return NULL;
  return unturned(v, h, arr_move(&r));
}

static arr *read_file(vm *v, const char *path) {
  ext_mapping m;
  npy_head h;
  int rank;
  int64_t shape[ARR_MAX_RANK];
  if (!ext_map(v, "⎕NPY", path, &m)) return NULL;
  arr *r = NULL;
  if (npy_read_head(v, path, m.at, m.bytes, &h)) {
    size_t n = m.bytes - h.offset;
    if (!is_ours(&h)) r = npy_array(v, path, &h, m.at + h.offset, n);
    else if (check_size(v, path, &h, n, &rank, shape))
      r = unturned(v, &h, ext_mapped_array(&m, h.offset, type_for(&h), rank, shape));
  }
  ext_unmap(&m);
  return r;
}

/* ── writing ────────────────────────────────────────────────────────────────────────── */

static const char *descr_of(const arr *x) {
  switch (x->type) {
  case ET_BIT: return "|b1";
  case ET_I8: return "|i1";
  case ET_I16: return "<i2";
  case ET_I32: return "<i4";
  case ET_I64: return "<i8";
  case ET_F32: return "<f4";
  case ET_F64: return "<f8";
  default: return "<c16";
  }
}

/* Truth values as bytes, characters as 32 bits: what NumPy's types are; NULL in *made: x's own
 * elements serve. */
static bool as_numpy(vm *v, arr *x, arr **made) {
  *made = NULL;
  if (x->type == ET_BIT) *made = arr_convert(v->c, x, ET_I8);
  else if (x->type == ET_C8 || x->type == ET_C16) *made = arr_convert(v->c, x, ET_C32);
  else *made = arr_plain_nan(v->c, x);
  return *made != NULL;
}

bool npy_put_head(vm *v, const char *who, arr *x, str *head, arr **made) {
  bool text = elt_is_char((elt)x->type);
  int rank = text && x->rank ? x->rank - 1 : x->rank;
  if (x->type == ET_NEST)
    return err_set(v->c, ERR_DOMAIN, "%s: a nested array has no place in this format",
                   who);
  OWNED_STR str dict = {.c = v->c};
  str_puts(&dict, "{'descr': '");
  if (text) str_printf(&dict, "<U%lld", (long long)arr_last_axis(x));
  else str_puts(&dict, descr_of(x));
  str_puts(&dict, "', 'fortran_order': False, 'shape': (");
  for (int k = 0; k < rank; k++)
    str_printf(&dict, k + 1 < rank || rank == 1 ? "%lld, " : "%lld",
               (long long)x->shape[k]);
  str_puts(&dict, "), }");
  size_t bare = MAGIC_BYTES + 4 + dict.n + 1;
  str_pad(&dict, -bare & (ALIGN - 1));
  str_puts(&dict, "\n");
  if (dict.failed) return false;
  char front[] = {1, 0, (char)(dict.n & 0xFF), (char)(dict.n >> 8)};
  str_put(head, MAGIC, MAGIC_BYTES);
  str_put(head, front, sizeof front);
  str_put(head, dict.at, dict.n);
  return !head->failed && as_numpy(v, x, made);
}

static bool npy_write_file(vm *v, arr *x, const char *path, int64_t *bytes) {
  OWNED_STR str head = {.c = v->c};
  OWNED arr *made = NULL;
  ext_file f __attribute__((cleanup(ext_abandon))) = {.fd = -1};
  if (!npy_put_head(v, "⎕NPY", x, &head, &made)) return false;
  const arr *a = made ? made : x;
  size_t n = elt_bytes((elt)a->type, a->count);
  *bytes = (int64_t)(head.n + n);
  return ext_begin(&f, v, "⎕NPY", path) && ext_put(&f, head.at, head.n) &&
         ext_put(&f, a->host, n) && ext_commit(&f);
}

bool ext_npy(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  int64_t bytes;
  if (!ext_may(v, x ? MAY_WRITE : MAY_READ, "⎕NPY") || !ext_path(v, y, "⎕NPY", &path))
    return false;
  if (!x) return give_result(r, read_file(v, path.at));
  v->shy = true;
  return npy_write_file(v, x, path.at, &bytes) && give_result(r, arr_int(v->c, bytes));
}
