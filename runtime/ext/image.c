/* SPDX-License-Identifier: MIT */
/* image.c - ⎕IMG: images as arrays: PNG by libpng, which is loaded when it is first needed, and
 * PPM and PGM, which need no library.
 *
 * An image is rows × columns of 0 to 255 if it is grey, else rows × columns × 2, 3 or 4: grey
 * and opacity; red, green and blue; these and opacity. The format that is read is known by its
 * first bytes, the one that is written by the file's name. */
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "image.h"
#include "../../src/base/mem.h"
#include <setjmp.h>
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
  if (!mem_fits(v->c, 3 * (size_t)n)) return false; /* they and an array of them */
  p->at = mem_alloc(v->c, (size_t)n);
  return p->at != NULL;
}

/* ── PNG ────────────────────────────────────────────────────────────────────────────── */

#ifdef PNG_LIBPNG_VER
/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(png_create_read_struct_2) X(png_create_write_struct_2) X(png_create_info_struct)     \
  X(png_destroy_read_struct) X(png_destroy_write_struct) X(png_set_read_fn)              \
  X(png_set_write_fn) X(png_read_info) X(png_set_expand) X(png_set_scale_16)             \
  X(png_set_interlace_handling) X(png_read_update_info) X(png_get_image_width)           \
  X(png_get_image_height) X(png_get_channels) X(png_read_row) X(png_set_IHDR)            \
  X(png_write_info) X(png_write_row) X(png_write_end)
/* clang-format on */

#define LIBRARY_USER "⎕IMG"
#define LIBRARY_FILE "libpng16.so.16"
#include "library.h"

typedef struct png_job {
  vm *v;
  const library *l;
  const char *path;
  picture *p;
  const arr *bytes; /* that are read */
  size_t at;        /* so many are behind us */
  ext_file *file;   /* that is written; NULL: `to` is, or the bytes are read */
  str *to;
  png_structp png;
  png_infop info;
  jmp_buf out; /* libpng knows no other way out of an error */
  bool done;
} png_job;

/* What libpng calls finds its job here, for only a function of the library tells it of another
 * place. */
static _Thread_local png_job *job;

static void job_stops(void) { longjmp(job->out, 1); }
static void job_fails(png_structp png, png_const_charp why) {
  UNUSED(png);
  wrong(job->v, job->path, why);
  job_stops();
}
static void job_warns(png_structp png, png_const_charp why) {
  UNUSED(png);
  UNUSED(why);
}
static png_voidp job_alloc(png_structp png, png_alloc_size_t n) {
  UNUSED(png);
  return mem_alloc(job->v->c, n);
}
static void job_frees(png_structp png, png_voidp p) {
  UNUSED(png);
  mem_free(job->v->c, p);
}

static void job_reads(png_structp png, png_bytep to, size_t n) {
  if (n > (size_t)job->bytes->count - job->at) job_fails(png, "it ends too early");
  memcpy(to, (const char *)job->bytes->host + job->at, n);
  job->at += n;
}
static void job_writes(png_structp png, png_bytep from, size_t n) {
  UNUSED(png);
  if (job->to) str_put(job->to, (const char *)from, n);
  if (job->to ? job->to->failed : !ext_put(job->file, from, n)) job_stops();
}
static void job_flushes(png_structp png) { UNUSED(png); }

/* `work` does the job; whatever fails in it comes back here. */
static bool job_does(png_job *j, void (*work)(png_job *j)) {
  const library *l = j->l;
  job = j;
  if (!setjmp(j->out)) {
    work(j);
    j->done = true;
  }
  if (!j->bytes) l->png_destroy_write_struct(&j->png, &j->info);
  else l->png_destroy_read_struct(&j->png, &j->info, NULL);
  job = NULL;
  return j->done;
}

static unsigned char *image_row(const png_job *j, int64_t row) {
  if (interrupted(j->v->c)) job_stops();
  return j->p->at + row * j->p->columns * j->p->channels;
}

/* Deflate makes a byte of a thousand at most, so a header that promises more is wrong. */
static void take_size(png_job *j) {
  enum { BITS_OF_ONE = 1100 * 8 };
  picture *p = j->p;
  p->rows = j->l->png_get_image_height(j->png, j->info);
  p->columns = j->l->png_get_image_width(j->png, j->info);
  p->channels = j->l->png_get_channels(j->png, j->info);
  if (p->rows * p->columns / BITS_OF_ONE > j->bytes->count)
    job_fails(j->png, "it ends too early");
  if (!picture_new(j->v, j->path, p)) job_stops();
}

static void read_rows(png_job *j) {
  const library *l = j->l;
  j->png = l->png_create_read_struct_2(PNG_LIBPNG_VER_STRING, NULL, job_fails, job_warns,
                                       NULL, job_alloc, job_frees);
  if (j->png) j->info = l->png_create_info_struct(j->png);
  if (!j->info) job_fails(j->png, "libpng does not begin");
  l->png_set_read_fn(j->png, NULL, job_reads);
  l->png_read_info(j->png, j->info);
  l->png_set_expand(j->png);
  l->png_set_scale_16(j->png);
  int passes = l->png_set_interlace_handling(j->png);
  l->png_read_update_info(j->png, j->info);
  take_size(j);
  for (int k = 0; k < passes; k++)
    for (int64_t row = 0; row < j->p->rows; row++)
      l->png_read_row(j->png, image_row(j, row), NULL);
}

static bool read_png(vm *v, const char *path, const arr *bytes, picture *p) {
  png_job j = {.v = v, .l = library_of(v), .path = path, .p = p, .bytes = bytes};
  return j.l && job_does(&j, read_rows);
}

static void write_rows(png_job *j) {
  static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                              PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  const library *l = j->l;
  const picture *p = j->p;
  if (p->rows > INT32_MAX || p->columns > INT32_MAX) job_fails(NULL, "its size is wrong");
  j->png = l->png_create_write_struct_2(PNG_LIBPNG_VER_STRING, NULL, job_fails, job_warns,
                                        NULL, job_alloc, job_frees);
  if (j->png) j->info = l->png_create_info_struct(j->png);
  if (!j->info) job_fails(j->png, "libpng does not begin");
  l->png_set_write_fn(j->png, NULL, job_writes, job_flushes);
  l->png_set_IHDR(j->png, j->info, (png_uint_32)p->columns, (png_uint_32)p->rows, 8,
                  types[p->channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
                  PNG_FILTER_TYPE_BASE);
  l->png_write_info(j->png, j->info);
  for (int64_t row = 0; row < p->rows; row++) l->png_write_row(j->png, image_row(j, row));
  l->png_write_end(j->png, NULL);
}

static bool put_png(vm *v, picture *p, const char *path, ext_file *f, str *to) {
  png_job j = {.v = v, .l = library_of(v), .path = path, .p = p, .file = f, .to = to};
  return j.l && job_does(&j, write_rows);
}
#else
static bool read_png(vm *v, const char *path, const arr *bytes, picture *p) {
  UNUSED(path);
  UNUSED(bytes);
  UNUSED(p);
  return err_set(v->c, ERR_NONCE, "⎕IMG: this program was built without libpng");
}
static bool put_png(vm *v, picture *p, const char *path, ext_file *f, str *to) {
  UNUSED(f);
  UNUSED(to);
  return read_png(v, path, NULL, p);
}
#endif

bool image_png(vm *v, const unsigned char *at, int columns, int rows, str *to) {
  picture p = {rows, columns, 3, (unsigned char *)at}; /* which is only read */
  return put_png(v, &p, "a picture", NULL, to);
}

/* ── PPM and PGM ────────────────────────────────────────────────────────────────────── */

typedef struct tokens {
  const unsigned char *at, *end;
} tokens;

/* The next number, or 10*9 and more if it is larger, blanks and comments passed; -1: there is
 * none. */
static int64_t next_number(tokens *t) {
  int64_t n = 0;
  while (t->at < t->end && (strchr(" \t\r\n", *t->at) || *t->at == '#')) {
    if (*t->at == '#')
      while (t->at < t->end && *t->at != '\n') t->at++;
    else t->at++;
  }
  const unsigned char *from = t->at;
  for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
    if (n < 1000000000) n = n * 10 + *t->at - '0';
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
  int64_t most = next_number(&t);
  if (most < 1 || most > 65535 || t.at == t.end)
    return wrong(v, path, "its header is damaged");
  t.at++; /* one blank */
  if (p->columns < 0 || p->rows < 0) return wrong(v, path, "its header is damaged");
  int64_t n = arr_product(3, (int64_t[]){p->rows, p->columns, p->channels});
  if (n > bytes->count) return wrong(v, path, "it ends too early");
  if (!picture_new(v, path, p)) return false;
  for (int64_t i = 0; i < n; i++) {
    int64_t x = next_sample(&t, plain, most);
    if (x < 0) return wrong(v, path, "it ends too early");
    if (x > most) return wrong(v, path, "a sample is above the greatest");
    p->at[i] = (unsigned char)(most == 255 ? x : (x * 255 + most / 2) / most);
    if (stops_at(v->c, i)) return false;
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
  OWNED arr *r = arr_new(v->c, ET_I16, p->channels > 1 ? 3 : 2, shape);
  if (!r) return NULL;
  for (int64_t i = 0; i < r->count; i++) {
    if (stops_at(v->c, i)) return NULL;
    ((int16_t *)r->host)[i] = p->at[i];
  }
  arr_set_range(r, 0, 255);
  return arr_move(&r);
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
    if (stops_at(v->c, i)) return false;
    double d = arr_get_float(x, i);
    if (!(d >= 0 && d <= 255) || d != (double)(int)d || arr_get_imag(x, i) != 0)
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
            (png ? put_png(v, &p, path->at, &f, NULL) : put_ppm(v, &p, path->at, &f)) &&
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
