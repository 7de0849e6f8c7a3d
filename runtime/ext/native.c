/* SPDX-License-Identifier: MIT */
/* native.c - tied files: ⎕NTIE ⎕NCREATE ⎕NUNTIE ⎕NERASE ⎕NREAD ⎕NAPPEND ⎕NREPLACE ⎕NSIZE
 * ⎕NRESIZE ⎕NNUMS ⎕NNAMES, and ⎕MAP.
 *
 * A file is tied to a number, negative as a rule, under which elements are read and written at
 * byte offsets, counted from 0. What is read is of the type that a ⎕DR code names, as its bytes
 * stand, the lowest first; bits stand from the highest down. */
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "native.h"
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct tie {
  struct tie *next;
  int64_t number, at; /* at: behind what was read or written last */
  int fd;
  char path[];
} tie;
typedef struct ties {
  tie *first;
} ties;

/* ── the table of ties ──────────────────────────────────────────────────────────────── */

static void untie(vm *v, ties *all, tie *t) {
  tie **at = &all->first;
  while (*at != t) at = &(*at)->next;
  *at = t->next;
  close(t->fd);
  mem_free(v->c, t);
}

static void close_all(vm *v, void *state) {
  ties *all = state;
  while (all->first) untie(v, all, all->first);
}

static ties *ties_of(vm *v) { return ext_state_of(v, close_all, sizeof(ties)); }

static tie *find(const ties *all, int64_t number) {
  tie *t = all->first;
  while (t && t->number != number) t = t->next;
  return t;
}

/* Element k of y, a number. */
static bool number_at(vm *v, const arr *y, int64_t k, const char *who, int64_t *n) {
  if (y->rank > 1) return err_set(v->c, ERR_RANK, "%s takes a vector of numbers", who);
  if (k >= y->count) return err_set(v->c, ERR_LENGTH, "%s takes more numbers", who);
  if (!elt_is_num((elt)y->type))
    return err_set(v->c, ERR_DOMAIN, "%s takes a vector of numbers", who);
  OWNED arr *one = arr_scalar_at(v->c, y, k);
  return one && arg_int(v, one, n, who);
}

/* y has no more than so many numbers. */
static bool at_most(vm *v, const arr *y, int64_t n, const char *who) {
  return y->count <= n ||
         err_set(v->c, ERR_LENGTH, "%s takes at most %lld numbers", who, (long long)n);
}

/* The tied file that element k of y names. FILE TIE ERROR. */
static tie *tied(vm *v, const arr *y, int64_t k, const char *who) {
  int64_t n;
  const ties *all = ties_of(v);
  if (!all || !number_at(v, y, k, who, &n)) return NULL;
  tie *t = find(all, n);
  if (!t) err_set(v->c, ERR_FILE, "%s: no file is tied to that number", who);
  return t;
}

const char *native_name(vm *v, const arr *y, const char *who, int64_t *at) {
  const tie *t = tied(v, y, 0, who);
  if (t) *at = t->at;
  return t ? t->path : NULL;
}

/* The number that a new tie gets: the one asked for, or for 0 the next negative one. */
static bool new_number(vm *v, const ties *all, const char *who, int64_t *n) {
  if (*n && find(all, *n))
    return err_set(v->c, ERR_FILE, "%s: a file is tied to that number already", who);
  if (!*n)
    for (*n = -1; find(all, *n);) --*n;
  return true;
}

/* Ties the open file to a number; fd less than 0: it could not be opened. */
static bool tie_file(vm *v, const char *who, const char *path, int fd, int64_t number,
                     arr **r) {
  struct stat st;
  if (fd >= 0 && !fstat(fd, &st) && S_ISDIR(st.st_mode)) {
    close(fd);
    fd = -1;
    errno = EISDIR;
  }
  if (fd < 0) return ext_os_error(v, who, path);
  ties *all = ties_of(v);
  tie *t = all ? mem_zalloc(v->c, sizeof *t + strlen(path) + 1) : NULL;
  if (!t) {
    close(fd);
    return false;
  }
  t->number = number;
  t->fd = fd;
  strcpy(t->path, path);
  t->next = all->first;
  all->first = t;
  return give_result(r, arr_int(v->c, number));
}

typedef struct create_options {
  int64_t unique, replace;
} create_options;
static const option_row create_rows[] = {
    {.name = "Unique", .hi = 1, .at = offsetof(create_options, unique)},
    {.name = "IfExists",
     .words = "Error Replace ",
     .at = offsetof(create_options, replace)},
    {0}};

/* Makes a file; with Unique of a name extended in front of what follows its last point. -1 with the
 * error. */
static int create(vm *v, str *path, const create_options *o) {
  int how = O_RDWR | O_CREAT | (o->replace ? O_TRUNC : O_EXCL);
  if (!o->unique) return ext_open(v, "⎕NCREATE", path->at, how);
  const char *slash = strrchr(path->at, '/'), *base = slash ? slash + 1 : path->at;
  const char *dot = strrchr(base, '.');
  if (!dot || dot == base) dot = path->at + path->n;
  for (int i = 0; i < EXT_TRIES; i++) {
    OWNED_STR str name = {.c = v->c};
    struct stat st;
    str_put(&name, path->at, (size_t)(dot - path->at));
    ext_extend(&name, i);
    str_puts(&name, dot);
    if (name.failed) return -1;
    bool there = ext_stat(v, "⎕NCREATE", name.at, false, &st);
    if (err_is(v->c)) return -1;
    if (there) continue;
    path->n = 0;
    str_puts(path, name.at);
    return path->failed ? -1 : ext_open(v, "⎕NCREATE", path->at, how | O_EXCL);
  }
  errno = EEXIST;
  return -1;
}

bool ext_ncreate(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  create_options o = {0};
  int64_t n;
  const ties *all = ties_of(v);
  if (!all || !ext_may(v, MAY_READ | MAY_WRITE, "⎕NCREATE") ||
      !arg_option_rows(v, v->options, "⎕NCREATE", create_rows, &o) ||
      !ext_path(v, x, "⎕NCREATE", &path) || !at_most(v, y, 1, "⎕NCREATE") ||
      !number_at(v, y, 0, "⎕NCREATE", &n) || !new_number(v, all, "⎕NCREATE", &n))
    return false;
  v->shy = true;
  return tie_file(v, "⎕NCREATE", path.at, create(v, &path, &o), n, r);
}

/* Modes: 0 to read, 1 to write, 2 both; with 64 besides others may do all (nothing is locked). */
bool ext_ntie(vm *v, arr *x, arr *y, arr **r) {
  static const int how[] = {O_RDONLY, O_WRONLY, O_RDWR};
  OWNED_STR str path = {.c = v->c};
  int64_t n, mode = v->c->may & MAY_WRITE ? 2 : 0;
  const ties *all = ties_of(v);
  if (!x) return err_set(v->c, ERR_NONCE, "⎕NTIE without a name is not in this version");
  if (!all || !ext_path(v, x, "⎕NTIE", &path) || !at_most(v, y, 2, "⎕NTIE") ||
      !number_at(v, y, 0, "⎕NTIE", &n))
    return false;
  bool asked = y->count > 1;
  if (asked && !number_at(v, y, 1, "⎕NTIE", &mode)) return false;
  if (mode < 0 || mode % 16 > 2)
    return err_set(v->c, ERR_DOMAIN,
                   "⎕NTIE: modes are 0 to read, 1 to write, 2 for both");
  mode %= 16;
  unsigned may = mode == 0 ? MAY_READ : MAY_READ | MAY_WRITE;
  v->shy = n != 0;
  if (!ext_may(v, may, "⎕NTIE") || !new_number(v, all, "⎕NTIE", &n)) return false;
  int fd = ext_open(v, "⎕NTIE", path.at, how[mode]);
  if (fd < 0 && !asked && mode && (errno == EACCES || errno == EROFS)) {
    err_clear(v->c);
    fd = ext_open(v, "⎕NTIE", path.at, O_RDONLY);
  }
  return tie_file(v, "⎕NTIE", path.at, fd, n, r);
}

bool ext_nuntie(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  if (!verify(v)) return false;
  for (int64_t i = 0; i < y->count; i++) {
    tie *t = tied(v, y, i, "⎕NUNTIE");
    if (!t) return false;
    untie(v, ties_of(v), t);
  }
  v->shy = true;
  return give_result(r, arr_retain(y));
}

bool ext_nerase(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  tie *t = tied(v, y, 0, "⎕NERASE");
  if (!t || !ext_may(v, MAY_WRITE, "⎕NERASE") || !ext_path(v, x, "⎕NERASE", &path))
    return false;
  if (strcmp(path.at, t->path))
    return err_set(v->c, ERR_FILE_NAME, "⎕NERASE: %s is tied there", t->path);
  OWNED_PLACE ext_place p;
  bool ok =
      ext_find(&p, v, "⎕NERASE", t->path, false) && !unlinkat(p.folder, p.name.at, 0);
  if (!ok) return ext_os_error(v, "⎕NERASE", t->path);
  untie(v, ties_of(v), t);
  v->shy = true;
  return give_result(r, arr_retain(y));
}

arr *ext_nnums(vm *v) {
  OWNED_LIST arr_list items = {.v = v};
  const ties *all = ties_of(v);
  if (!all) return NULL;
  for (const tie *t = all->first; t; t = t->next)
    if (!list_add(&items, arr_int(v->c, t->number))) return NULL;
  if (!items.n) return arr_vec(v->c, ET_BIT, 0);
  return list_array(&items);
}

arr *ext_nnames(vm *v) {
  OWNED_LIST arr_list items = {.v = v};
  const ties *all = ties_of(v);
  if (!all) return NULL;
  for (const tie *t = all->first; t; t = t->next)
    if (!list_add(&items, arr_text(v->c, t->path, strlen(t->path)))) return NULL;
  OWNED arr *names = list_array(&items);
  if (!names) return NULL;
  prim_env e = env_of(v);
  return names->count ? prim_monadic(&e, P_TAKE, names)
                      : arr_new(v->c, ET_C8, 2, (int64_t[]){0, 0});
}

/* ── reading and writing ────────────────────────────────────────────────────────────── */

static bool size_of(vm *v, const tie *t, const char *who, int64_t *bytes) {
  struct stat st;
  if (fstat(t->fd, &st)) return ext_os_error(v, who, t->path);
  *bytes = st.st_size;
  return true;
}

bool ext_nsize(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  OWNED arr *sizes = arr_new(v->c, ET_I64, y->rank, y->shape);
  for (int64_t i = 0; sizes && i < y->count; i++) {
    int64_t bytes = 0;
    const tie *t = tied(v, y, i, "⎕NSIZE");
    if (!t || !size_of(v, t, "⎕NSIZE", &bytes)) return false;
    arr_put_int(sizes, i, bytes);
  }
  return give_result(r, arr_move(&sizes));
}

bool ext_nresize(vm *v, arr *x, arr *y, arr **r) {
  int64_t bytes = 0;
  tie *t = tied(v, y, 0, "⎕NRESIZE");
  if (!t || !ext_may(v, MAY_WRITE, "⎕NRESIZE") || !number_at(v, x, 0, "⎕NRESIZE", &bytes))
    return false;
  if (ftruncate(t->fd, bytes)) return ext_os_error(v, "⎕NRESIZE", t->path);
  v->shy = true;
  return give_result(r, arr_retain(y));
}

/* Characters are below 0x110000, whatever the file says. */
static bool check_chars(vm *v, const arr *r, int64_t at) {
  for (int64_t i = 0; r->type == ET_C32 && i < r->count; i++)
    if (((const uint32_t *)r->host)[i] > 0x10FFFF)
      return err_set(v->c, ERR_DOMAIN, "⎕NREAD: at offset %lld is no character",
                     (long long)(at + 4 * i));
  return true;
}

/* Bytes of the file from `at` on into r; *n: how many there were. */
static bool read_at(vm *v, const tie *t, arr *r, int64_t at, size_t bytes, size_t *n) {
  for (*n = 0; *n < bytes;) {
    size_t part = bytes - *n < 1 << 22 ? bytes - *n : 1 << 22;
    ssize_t got = pread(t->fd, (char *)r->host + *n, part, at + (int64_t)*n);
    if (got < 0 && errno != EINTR) return ext_os_error(v, "⎕NREAD", t->path);
    if (interrupted(v->c)) return false;
    if (got == 0) break;
    if (got > 0) *n += (size_t)got;
  }
  return true;
}

arr *native_next(vm *v, const arr *y, const char *who, int64_t bytes, bool *more) {
  int64_t size = 0;
  const tie *t = tied(v, y, 0, who);
  if (!t || !ext_may(v, MAY_READ, who) || !size_of(v, t, who, &size)) return NULL;
  int64_t rest = size > t->at ? size - t->at : 0;
  *more = rest > bytes;
  if (*more) rest = bytes;
  OWNED arr *a = arr_vec(v->c, ET_C8, rest);
  size_t n;
  if (!a || !read_at(v, t, a, t->at, (size_t)rest, &n)) return NULL;
  if (n == (size_t)rest) return arr_move(&a);
  return err_null(v->c, ERR_FILE_SYSTEM, "%s: %s became shorter", who, t->path);
}

void native_pass(vm *v, const arr *y, int64_t bytes) {
  tie *t = tied(v, y, 0, "");
  if (t) t->at += bytes;
}

/* tie, type, count (of bits bytes; ¯1: to the end), offset (¯1 or none: behind the last read). */
bool ext_nread(vm *v, arr *x, arr *y, arr **r) {
  int64_t code, count, at = -1, size = 0;
  elt type;
  tie *t = tied(v, y, 0, "⎕NREAD");
  UNUSED(x);
  if (!t || !at_most(v, y, 4, "⎕NREAD") || !number_at(v, y, 1, "⎕NREAD", &code) ||
      !number_at(v, y, 2, "⎕NREAD", &count) ||
      (y->count > 3 && !number_at(v, y, 3, "⎕NREAD", &at)) ||
      !ext_may(v, MAY_READ, "⎕NREAD"))
    return false;
  if (code == 82) code = 80;
  if (!sys_element_type(v, code, &type) || !size_of(v, t, "⎕NREAD", &size)) return false;
  if (count < -1 || at < -1)
    return err_set(v->c, ERR_DOMAIN,
                   "⎕NREAD: a count and an offset are 0 or more, or ¯1");
  if (at < 0) at = t->at;
  if (type == ET_BIT && count > 0 && count < INT64_MAX / 8) count *= 8;
  int64_t rest = size > at ? size - at : 0;
  int64_t most = type == ET_BIT ? rest * 8 : rest / (elt_bits(type) / 8);
  if (count < 0 || count > most) count = most;
  OWNED arr *a = arr_vec(v->c, type, count);
  if (!a) return false;
  size_t bytes = elt_bytes(type, count), n;
  if (!read_at(v, t, a, at, bytes, &n)) return false;
  if (n < bytes)
    return err_set(v->c, ERR_FILE_SYSTEM, "⎕NREAD: %s became shorter", t->path);
  t->at = at + (int64_t)n;
  if (type == ET_BIT) sys_turn_bits(a->host, n);
  return check_chars(v, a, at) && give_result(r, arr_move(&a));
}

/* Has the type a value for element i of x? A float is the nearest one. */
static bool holds(elt type, const arr *x, int64_t i) {
  if (elt_is_char(type)) return elt_for_char((uint32_t)arr_get_int(x, i)) <= type;
  if (type == ET_C128) return true;
  if (arr_get_imag(x, i) != 0) return false;
  double d = arr_get_float(x, i);
  if (type == ET_F32) return d - d != 0 || fabs(d) <= (double)FLT_MAX;
  if (type == ET_F64) return true;
  if (elt_is_int((elt)x->type)) {
    int64_t n = arr_get_int(x, i);
    return elt_for_range(n, n) <= type;
  }
  bool whole = d >= -0x1p63 && d < 0x1p63 && d == floor(d);
  return whole && elt_for_range((int64_t)d, (int64_t)d) <= type;
}

/* x in the type of that code; 0: its own, of characters 80. Its bytes, bits turned. */
static arr *native_bytes(vm *v, arr *x, int64_t code, const char *who) {
  elt type = (elt)x->type;
  if (!code && elt_is_char(type)) code = 80;
  if (is_nested(x)) return err_null(v->c, ERR_DOMAIN, "%s writes simple arrays", who);
  if (code == 82) code = 80;
  if (code && !sys_element_type(v, code, &type)) return NULL;
  if (elt_is_char(type) != elt_is_char((elt)x->type))
    return err_null(v->c, ERR_DOMAIN, "%s: type %lld does not hold this", who,
                    (long long)code);
  for (int64_t i = 0; type != x->type && i < x->count; i++) {
    if (!holds(type, x, i))
      return err_null(v->c, ERR_DOMAIN, "%s: type %lld does not hold element %lld", who,
                      (long long)code, (long long)(i + v->sv->io));
    if (stops_at(v->c, i)) return NULL;
  }
  OWNED arr *own = arr_convert(v->c, x, type);
  if (!own) return NULL;
  if (type != ET_BIT) return arr_plain_nan(v->c, own);
  if (own->count % 8)
    return err_null(v->c, ERR_LENGTH, "%s: bits are written by eights", who);
  arr *bits = arr_vec(v->c, ET_BIT, own->count);
  if (!bits) return NULL;
  memcpy(bits->host, own->host, elt_bytes(ET_BIT, own->count));
  sys_turn_bits(bits->host, elt_bytes(ET_BIT, own->count));
  return bits;
}

/* Writes a at that offset; the file's position, behind it then, is the result. */
static bool write_at(vm *v, tie *t, const arr *a, int64_t at, const char *who, arr **r) {
  size_t n = elt_bytes((elt)a->type, a->count);
  if (lseek(t->fd, at, SEEK_SET) < 0) return ext_os_error(v, who, t->path);
  if (!ext_write(v, t->fd, a->host, n, who, t->path)) return false;
  t->at = at + (int64_t)n;
  v->shy = true;
  return give_result(r, arr_int(v->c, t->at));
}

bool ext_nappend(vm *v, arr *x, arr *y, arr **r) {
  int64_t code = 0, size = 0;
  tie *t = tied(v, y, 0, "⎕NAPPEND");
  if (!t || !at_most(v, y, 2, "⎕NAPPEND") ||
      (y->count > 1 && !number_at(v, y, 1, "⎕NAPPEND", &code)) ||
      !ext_may(v, MAY_WRITE, "⎕NAPPEND") || !size_of(v, t, "⎕NAPPEND", &size))
    return false;
  OWNED arr *a = native_bytes(v, x, code, "⎕NAPPEND");
  return a && write_at(v, t, a, size, "⎕NAPPEND", r);
}

bool ext_nreplace(vm *v, arr *x, arr *y, arr **r) {
  int64_t code = 0, at;
  tie *t = tied(v, y, 0, "⎕NREPLACE");
  if (!t || !at_most(v, y, 3, "⎕NREPLACE") || !number_at(v, y, 1, "⎕NREPLACE", &at) ||
      (y->count > 2 && !number_at(v, y, 2, "⎕NREPLACE", &code)) ||
      !ext_may(v, MAY_WRITE, "⎕NREPLACE"))
    return false;
  if (at == -1) at = t->at;
  if (at < 0)
    return err_set(v->c, ERR_DOMAIN, "⎕NREPLACE: an offset of %lld", (long long)at);
  OWNED arr *a = native_bytes(v, x, code, "⎕NREPLACE");
  return a && write_at(v, t, a, at, "⎕NREPLACE", r);
}

/* ── ⎕MAP ───────────────────────────────────────────────────────────────────────────── */

/* The shape behind the type in x, one of whose lengths may be ¯1: what the file holds. */
static bool map_shape(vm *v, const arr *x, elt type, int64_t bytes, int64_t *shape) {
  int64_t open = -1, known = 1, rank = x->count - 1;
  int64_t all = type == ET_BIT ? bytes * 8 : bytes / (elt_bits(type) / 8);
  for (int64_t k = 0; k < rank; k++) {
    if (!number_at(v, x, k + 1, "⎕MAP", &shape[k])) return false;
    if (shape[k] == -1 && open < 0) open = k;
    else if (shape[k] < 0)
      return err_set(v->c, ERR_DOMAIN, "⎕MAP: a length of %lld", (long long)shape[k]);
    else if (__builtin_mul_overflow(known, shape[k], &known))
      return err_set(v->c, ERR_LIMIT, "⎕MAP: more than 2*63 elements");
  }
  if (open >= 0) {
    shape[open] = known ? all / known : 0;
    known *= shape[open];
  }
  if (known <= all) return true;
  return err_set(v->c, ERR_LENGTH, "⎕MAP: %lld elements, but the file has %lld",
                 (long long)known, (long long)all);
}

/* type shape ⎕MAP name, or name and offset; alone: a vector of bytes as characters. What is
 * mapped is the program's own: nothing is written back. */
bool ext_map_file(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  ext_mapping m;
  OWNED arr *bytes = arr_int_vec(v->c, 2, (int64_t[]){80, -1});
  int64_t code, at = 0, shape[ARR_MAX_RANK] = {0};
  elt type;
  arr *name = is_nested(y) && y->count ? arr_item(y, 0) : y;
  if (!x) x = bytes;
  if (!bytes || !ext_may(v, MAY_READ, "⎕MAP") || !ext_path(v, name, "⎕MAP", &path) ||
      (is_nested(y) && y->count > 1 &&
       !arg_int(v, arr_item(y, 1), &at, "⎕MAP's offset")) ||
      !number_at(v, x, 0, "⎕MAP", &code) || !sys_element_type(v, code, &type))
    return false;
  if (x->count > ARR_MAX_RANK + 1) return err_set(v->c, ERR_LIMIT, "⎕MAP: rank above 15");
  if (!ext_map(v, "⎕MAP", path.at, &m)) return false;
  OWNED arr *a = NULL;
  if (at < 0 || at > (int64_t)m.bytes)
    err_set(v->c, ERR_INDEX, "⎕MAP: an offset of %lld", (long long)at);
  else if (map_shape(v, x, type, (int64_t)m.bytes - at, shape))
    a = ext_mapped_array(&m, (size_t)at, type, (int)x->count - 1, shape);
  ext_unmap(&m);
  if (a && type == ET_BIT) {
    sys_turn_bits(a->host, elt_bytes(type, a->count));
    if (a->count % 8)
      ((unsigned char *)a->host)[a->count / 8] &=
          (unsigned char)((1u << a->count % 8) - 1);
  }
  return a && check_chars(v, a, at) && give_result(r, arr_move(&a));
}
