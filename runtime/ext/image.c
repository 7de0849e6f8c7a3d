/* SPDX-License-Identifier: MIT */
/* image.c - ⎕IMG: images as arrays: PNG by libpng, which is loaded when it is first needed, and
 * PPM and PGM, which need no library.
 *
 * An image is rows × columns of 0 to 255 if it is grey, else rows × columns × 2, 3 or 4: grey
 * and opacity; red, green and blue; these and opacity. The format that is read is known by its
 * first bytes, the one that is written by the file's name. */
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include <string.h>
#include <strings.h>

#ifdef __has_include
#if __has_include(<png.h>) && !defined(NO_PNG)
#include <png.h>
#endif
#endif

typedef struct picture { /* bytes, row by row */
  int64_t rows, columns, channels;
  unsigned char *at; /* owned */
} picture;

static bool wrong(vm *v, const char *path, const char *why) {
  return err_set(v->c, ERR_DOMAIN, "⎕IMG: %s: %s", path, why);
}

static bool picture_new(vm *v, const char *path, picture *p) {
  int64_t shape[] = {p->rows, p->columns, p->channels};
  int64_t n = arr_product(3, shape);
  if (p->rows <= 0 || p->columns <= 0 || n > (int64_t)1 << 36)
    return wrong(v, path, "its size is wrong");
  p->at = mem_alloc(v->c, (size_t)n);
  return p->at != NULL;
}

/* ── PNG ────────────────────────────────────────────────────────────────────────────── */

#ifdef PNG_LIBPNG_VER
/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(png_image_begin_read_from_memory) X(png_image_finish_read) X(png_image_free)         \
  X(png_image_write_to_memory)
/* clang-format on */

#define LIBRARY_USER "⎕IMG"
#define LIBRARY_FILE "libpng16.so.16"
#include "library.h"

static png_uint_32 format_of(int64_t channels) {
  static const png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                        PNG_FORMAT_RGBA};
  return formats[channels - 1];
}

static bool read_png(vm *v, const char *path, const arr *bytes, picture *p) {
  const library *l = library_of(v);
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!l) return false;
  if (!l->png_image_begin_read_from_memory(&image, bytes->host, (size_t)bytes->count))
    return wrong(v, path, image.message);
  p->channels = image.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1;
  if (image.format & PNG_FORMAT_FLAG_ALPHA) p->channels++;
  p->rows = image.height;
  p->columns = image.width;
  image.format = format_of(p->channels);
  bool ok = picture_new(v, path, p);
  if (ok && !l->png_image_finish_read(&image, NULL, p->at, 0, NULL))
    ok = wrong(v, path, image.message);
  l->png_image_free(&image);
  return ok;
}

static bool put_png(vm *v, const picture *p, const char *path, ext_file *f) {
  const library *l = library_of(v);
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)p->columns,
                     .height = (png_uint_32)p->rows,
                     .format = format_of(p->channels)};
  if (!l) return false;
  size_t n = PNG_IMAGE_PNG_SIZE_MAX(image);
  char *out = mem_alloc(v->c, n);
  if (!out) return false;
  bool ok = l->png_image_write_to_memory(&image, out, &n, 0, p->at, 0, NULL) ||
            wrong(v, path, image.message);
  ok = ok && ext_put(f, out, n);
  mem_free(v->c, out);
  return ok;
}
#else
static bool read_png(vm *v, const char *path, const arr *bytes, picture *p) {
  UNUSED(path);
  UNUSED(bytes);
  UNUSED(p);
  return err_set(v->c, ERR_NONCE, "⎕IMG: this program was built without libpng");
}
static bool put_png(vm *v, const picture *p, const char *path, ext_file *f) {
  UNUSED(f);
  return read_png(v, path, NULL, (picture *)(uintptr_t)p);
}
#endif

/* ── PPM and PGM ────────────────────────────────────────────────────────────────────── */

typedef struct tokens {
  const unsigned char *at, *end;
} tokens;

/* The next number, blanks and comments passed; -1: there is none. */
static int64_t next_number(tokens *t) {
  int64_t n = 0;
  while (t->at < t->end && (strchr(" \t\r\n", *t->at) || *t->at == '#')) {
    if (*t->at == '#')
      while (t->at < t->end && *t->at != '\n') t->at++;
    else t->at++;
  }
  const unsigned char *from = t->at;
  while (t->at < t->end && *t->at >= '0' && *t->at <= '9' && n < 1000000000)
    n = n * 10 + *t->at++ - '0';
  return t->at > from ? n : -1;
}

/* The next sample: a number, or one byte or two. */
static int64_t next_sample(tokens *t, bool plain, int64_t most) {
  if (plain) return next_number(t);
  int wide = most > 255 ? 2 : 1;
  if (t->end - t->at < wide) return -1;
  int64_t n = *t->at++;
  if (wide == 2) n = n << 8 | *t->at++;
  return n;
}

static bool read_ppm(vm *v, const char *path, const arr *bytes, picture *p) {
  const unsigned char *from = bytes->host;
  tokens t = {from + 2, from + bytes->count};
  bool plain = from[1] < '4';
  p->channels = from[1] == '3' || from[1] == '6' ? 3 : 1;
  p->columns = next_number(&t);
  p->rows = next_number(&t);
  int64_t most = next_number(&t), n = p->columns * p->rows * p->channels;
  if (most < 1 || most > 65535 || t.at == t.end)
    return wrong(v, path, "its header is damaged");
  t.at++; /* one blank */
  if (p->columns < 0 || p->rows < 0 || n > 2 * bytes->count)
    return wrong(v, path, "it ends too early");
  if (!picture_new(v, path, p)) return false;
  for (int64_t i = 0; i < n; i++) {
    int64_t x = next_sample(&t, plain, most);
    if (x < 0) return wrong(v, path, "it ends too early");
    if (x > most) return wrong(v, path, "a sample is above the greatest");
    p->at[i] = (unsigned char)(most == 255 ? x : (x * 255 + most / 2) / most);
    if (i % 1048576 == 0 && interrupted(v->c)) return false;
  }
  return true;
}

static bool put_ppm(vm *v, const picture *p, const char *path, ext_file *f) {
  OWNED_STR str head = {.c = v->c};
  if (p->channels % 2 == 0) return wrong(v, path, "PPM has no opacity");
  str_printf(&head, "P%c\n%lld %lld\n255\n", p->channels == 3 ? '6' : '5',
             (long long)p->columns, (long long)p->rows);
  return !head.failed && ext_put(f, head.at, head.n) &&
         ext_put(f, p->at, (size_t)(p->rows * p->columns * p->channels));
}

/* ── ⎕IMG ───────────────────────────────────────────────────────────────────────────── */

static arr *array_of(vm *v, const picture *p) {
  int64_t shape[] = {p->rows, p->columns, p->channels};
  arr *r = arr_new(v->c, ET_I16, p->channels > 1 ? 3 : 2, shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < r->count; i++) ((int16_t *)r->host)[i] = p->at[i];
  arr_set_range(r, 0, 255);
  return r;
}

static arr *read_image(vm *v, const char *path) {
  picture p = {.at = NULL};
  OWNED arr *bytes = ext_read(v, "⎕IMG", path);
  if (!bytes) return NULL;
  const unsigned char *b = bytes->host;
  bool png = bytes->count > 8 && !memcmp(b, "\x89PNG\r\n\x1A\n", 8);
  bool ppm = bytes->count > 8 && b[0] == 'P' && memchr("2356", b[1], 4);
  bool ok = false;
  if (png) ok = read_png(v, path, bytes, &p);
  else if (ppm) ok = read_ppm(v, path, bytes, &p);
  else wrong(v, path, "it is no PNG, PPM or PGM");
  arr *r = ok ? array_of(v, &p) : NULL;
  mem_free(v->c, p.at);
  return r;
}

static bool picture_of(vm *v, const arr *x, const char *path, picture *p) {
  if (x->rank != 2 && x->rank != 3)
    return err_set(v->c, ERR_RANK, "⎕IMG takes rows × columns, perhaps × 1 to 4");
  *p = (picture){.rows = x->shape[0], .columns = x->shape[1], .channels = 1};
  if (x->rank == 3) p->channels = x->shape[2];
  if (p->channels < 1 || p->channels > 4)
    return err_set(v->c, ERR_LENGTH, "⎕IMG takes 1 to 4 numbers for each point");
  if (!elt_is_num((elt)x->type)) return err_set(v->c, ERR_DOMAIN, "⎕IMG takes numbers");
  if (!picture_new(v, path, p)) return false;
  for (int64_t i = 0; i < x->count; i++) {
    double d = arr_get_float(x, i);
    if (!(d >= 0 && d <= 255) || d != (double)(int)d)
      return err_set(v->c, ERR_DOMAIN, "⎕IMG takes whole numbers of 0 to 255");
    p->at[i] = (unsigned char)d;
  }
  return true;
}

static bool ends_in(const str *path, const char *end) {
  size_t n = strlen(end);
  return path->n > n && !strcasecmp(path->at + path->n - n, end);
}

static bool write_image(vm *v, const arr *x, const str *path) {
  ext_file f __attribute__((cleanup(ext_abandon))) = {.fd = -1};
  picture p = {.at = NULL};
  bool png = ends_in(path, ".png");
  if (!png && !ends_in(path, ".ppm") && !ends_in(path, ".pgm"))
    return err_set(v->c, ERR_DOMAIN, "⎕IMG writes names that end in .png, .ppm or .pgm");
  bool ok = picture_of(v, x, path->at, &p) && ext_begin(&f, v, "⎕IMG", path->at) &&
            (png ? put_png(v, &p, path->at, &f) : put_ppm(v, &p, path->at, &f)) &&
            ext_commit(&f);
  mem_free(v->c, p.at);
  return ok;
}

bool ext_image(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str path = {.c = v->c};
  if (!ext_may(v, x ? MAY_WRITE : MAY_READ, "⎕IMG") || !ext_path(v, y, "⎕IMG", &path))
    return false;
  if (!x) return give_result(r, read_image(v, path.at));
  v->shy = true;
  return write_image(v, x, &path) && give_result(r, arr_retain(x));
}
