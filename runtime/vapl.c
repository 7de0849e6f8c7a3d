/* SPDX-License-Identifier: MIT */
/* vapl.c - the library: vapl.h over the evaluator.
 *
 *   vapl ─┬─ ctx          allocator, error, interrupt flag
 *         ├─ vm           the interpreter; gone after vapl_close
 *         └─ vapl_array ⇄ vapl_array ⇄ …   the handles that the host holds
 *
 * A handle wraps one reference to an `arr`, remembers its interpreter, and keeps what vapl_map
 * converted for it. The core (this struct and its ctx) is counted by the handles, so that arrays
 * outlive vapl_close: closing first brings each to the host as an array that needs nobody.
 *
 * Every public function is a bracket: enter() checks the interpreter and sets the floating-point
 * environment that the numbers of vapl are defined in, leave() turns the context's error into
 * the record that the host reads and restores the environment. Breaches of the header's rules
 * never reach the context: bad() writes the record itself. */
#include "vapl.h"
#include "../src/eval/eval.h"
#include "convert.h"
#include "script.h"
#include "../src/base/utf8.h"
#include "../src/array/convert.h"
#include "../src/array/element.h"
#include <stdarg.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>

typedef struct copy {
  vapl_type type;
  void *data;
} copy; /* data: mem_alloc'ed */

struct vapl_array {
  vapl *owner;
  arr *a; /* NULL: lost when the interpreter was closed */
  size_t refs;
  bool shy;
  VEC(copy) copies;
  vapl_array *prev, *next; /* in the owner's list */
};

struct vapl {
  ctx c;
  vm *m;       /* NULL: closed */
  size_t refs; /* one for the open interpreter, one for each handle */
  vapl_array *arrays;
  bool busy; /* inside a call that may call back */
  fenv_t fenv;
  char *device, *cache_dir;
  void (*write)(void *user, int fd, const char *utf8, size_t n);
  ptrdiff_t (*read)(void *user, int mode, const char *prompt, char *buf, size_t n);
  void (*log)(void *user, const char *utf8);
  void *user;
  vapl_error error; /* its strings: below, or static */
  char message[480];
  source *error_source;
  char *error_line;
};

/* ── the error record ───────────────────────────────────────────────────────────────── */

static void clear_record(vapl *v) {
  source_release(&v->c, v->error_source);
  mem_free(&v->c, v->error_line);
  v->error_source = NULL;
  v->error_line = NULL;
  v->error = (vapl_error){.size = sizeof v->error,
                          .name = "",
                          .message = v->message,
                          .file = "",
                          .source = ""};
  v->message[0] = 0;
}

/* Where a span lies in its text: line and column from 1, and the line itself. */
static void record_place(vapl *v, span at) {
  vapl_error *e = &v->error;
  const char *text = at.src->text;
  size_t begin = at.begin < at.src->len ? at.begin : at.src->len, end = at.end,
         from = begin, to;
  if (end > at.src->len) end = at.src->len;
  if (end < begin) end = begin;
  while (from && text[from - 1] != '\n') from--;
  for (to = from; to < at.src->len && text[to] != '\n';) to++;
  e->line = (int)at.src->first_line;
  for (size_t i = 0; i < from; i++) e->line += text[i] == '\n';
  e->column = (int)utf8_count(text + from, begin - from) + 1;
  if (begin < to)
    e->length = (int)utf8_count(text + begin, (end < to ? end : to) - begin);
  e->byte_offset = begin;
  e->byte_length = end - begin;
  v->error_source = source_retain(at.src);
  e->file = at.src->name;
  if (to > from && text[to - 1] == '\r') to--;
  v->error_line = mem_alloc(&v->c, to - from + 1);
  if (!v->error_line) return;
  memcpy(v->error_line, text + from, to - from);
  v->error_line[to - from] = 0;
  e->source = v->error_line;
}

/* Moves the context's error to the record. */
static vapl_status record(vapl *v) {
  int code = v->c.err.code;
  span at = v->c.err.at;
  clear_record(v);
  v->error.status = (vapl_status)code;
  v->error.name = err_name(code);
  memcpy(v->message, v->c.err.msg, sizeof v->message);
  if (at.src) record_place(v, at);
  err_clear(&v->c);
  return (vapl_status)code;
}

/* A breach of the header's rules. */
static vapl_status bad(vapl *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
static vapl_status bad(vapl *v, const char *fmt, ...) {
  if (!v) return VAPL_EARG;
  clear_record(v);
  v->error.status = VAPL_EARG;
  v->error.name = err_name(ERR_ARG);
  va_list args;
  va_start(args, fmt);
  vsnprintf(v->message, sizeof v->message, fmt, args);
  va_end(args);
  return VAPL_EARG;
}

const vapl_error *vapl_last_error(const vapl *v) { return v ? &v->error : NULL; }

/* Begins a call. False, with the record written, if it may not be made. */
static bool enter(vapl *v) {
  if (!v) return false;
  if (v->busy) {
    bad(v, "vapl was called from inside one of its callbacks");
    return false;
  }
  err_clear(&v->c);
  v->busy = true;
  fegetenv(&v->fenv);
  fesetenv(FE_DFL_ENV);
  return true;
}

static vapl_status leave(vapl *v, bool ok) {
  fesetenv(&v->fenv);
  v->busy = false;
  if (ok) {
    err_clear(&v->c);
    return VAPL_OK;
  }
  return record(v);
}

/* ── handles ────────────────────────────────────────────────────────────────────────── */

static void drop_core(vapl *v) {
  if (--v->refs) return;
  clear_record(v);
  err_clear(&v->c);
  mem_free(&v->c, v->device);
  mem_free(&v->c, v->cache_dir);
  v->c.resize(v->c.user, v, sizeof *v, 0);
}

/* A handle for a, whose reference it takes over even when it fails. */
static bool give(vapl *v, arr *a, bool shy, vapl_array **out) {
  if (!a) return false;
  vapl_array *h = mem_zalloc(&v->c, sizeof *h);
  if (!h) {
    arr_release(a);
    return false;
  }
  *h = (vapl_array){.owner = v, .a = a, .refs = 1, .shy = shy, .next = v->arrays};
  if (v->arrays) v->arrays->prev = h;
  v->arrays = h;
  v->refs++;
  *out = h;
  return true;
}

vapl_array *vapl_retain(vapl_array *a) {
  if (a) a->refs++;
  return a;
}

void vapl_release(vapl_array *a) {
  if (!a || --a->refs) return;
  vapl *v = a->owner;
  if (a->prev) a->prev->next = a->next;
  else v->arrays = a->next;
  if (a->next) a->next->prev = a->prev;
  arr_release(a->a);
  for (size_t i = 0; i < a->copies.n; i++) mem_free(&v->c, a->copies.at[i].data);
  vec_free(&v->c, &a->copies);
  mem_free(&v->c, a);
  drop_core(v);
}

/* Lets go of the interpreter's device and graph: everything in a is on the host. */
static void cut_loose(arr *a) {
  if (a->owner) a->owner->release(a->owner, a);
  if (a->type != ET_NEST) return;
  for (int64_t i = 0; i < (a->count ? a->count : 1); i++)
    if (arr_item(a, i)) cut_loose(arr_item(a, i));
}

/* Makes a handle's array independent of the interpreter; if it cannot be brought to the host
 * (no memory, a lost device, nested beyond what ir_host walks) it is lost. */
static void detach(vapl *v, vapl_array *h) {
  if (ir_host(vm_ir(v->m), h->a)) {
    cut_loose(h->a);
    return;
  }
  err_clear(&v->c);
  arr_release(h->a);
  h->a = NULL;
}

/* Checks an array argument and makes it present; `host`: its elements too. Call inside the
 * bracket. */
static bool present(vapl *v, const vapl_array *h, bool host) {
  if (!h->a)
    return err_set(&v->c, ERR_WS_FULL, "the array was lost when its interpreter closed");
  if (!v->m) return true;
  return host ? ir_host(vm_ir(v->m), h->a) : ir_settle(vm_ir(v->m), h->a);
}

/* The interpreter to use for an array when the caller named v or none; NULL, with the record
 * written, if they do not belong together. */
static vapl *home(vapl *v, const vapl_array *h) {
  if (!h) {
    bad(v, "the array is NULL");
    return NULL;
  }
  if (v && v != h->owner) {
    bad(v, "the array belongs to another interpreter");
    return NULL;
  }
  return h->owner;
}

/* ── opening and closing ────────────────────────────────────────────────────────────── */

uint32_t vapl_version(void) {
  return VAPL_VERSION_MAJOR << 16 | VAPL_VERSION_MINOR << 8 | VAPL_VERSION_PATCH;
}

static void on_write(void *user, int fd, const char *utf8, size_t n) {
  vapl *v = user;
  if (v->write) v->write(v->user, fd, utf8, n);
}

static ptrdiff_t on_read(void *user, int mode, const char *prompt, char *buf, size_t n) {
  vapl *v = user;
  return v->read ? v->read(v->user, mode, prompt, buf, n) : -1;
}

static void on_log(void *user, const char *text) {
  vapl *v = user;
  if (v->log) v->log(v->user, text);
}

static bool keep_text(ctx *c, const char *text, char **kept) {
  *kept = NULL;
  if (!text) return true;
  if (!(*kept = mem_alloc(c, strlen(text) + 1))) return false;
  memcpy(*kept, text, strlen(text) + 1);
  return true;
}

/* Accepts smaller configurations (of older headers) and larger ones whose tail is zero. */
static bool read_config(const vapl_config *cfg, vapl_config *to) {
  *to = (vapl_config){.size = sizeof *to};
  if (!cfg) return true;
  if (cfg->size < offsetof(vapl_config, cache_dir) || cfg->size > 65536) return false;
  for (size_t i = sizeof *to; i < cfg->size; i++)
    if (((const unsigned char *)cfg)[i]) return false;
  memcpy(to, cfg, cfg->size < sizeof *to ? cfg->size : sizeof *to);
  return to->threads >= 0;
}

static bool by_name(const char *device) {
  return device && strcmp(device, "auto") && strcmp(device, "host");
}

static bool start(vapl *v, const vapl_config *cfg) {
  uint64_t most = cfg->max_host_bytes;
  if (most) v->c.bytes_max = most > SIZE_MAX ? SIZE_MAX : (size_t)most;
  if (!keep_text(&v->c, cfg->device, &v->device)) return false;
  if (!keep_text(&v->c, cfg->cache_dir, &v->cache_dir)) return false;
  vm_config m = {.c = &v->c,
                 .ir = {.device = v->device,
                        .cache_dir = v->cache_dir,
                        .threads = cfg->threads,
                        .log = on_log,
                        .log_user = v,
                        .max_device_bytes = cfg->max_device_bytes},
                 .write = on_write,
                 .read = on_read,
                 .user = v,
                 .max_depth = cfg->max_depth};
  v->write = cfg->write;
  v->read = cfg->read;
  v->log = cfg->log;
  v->user = cfg->user;
  v->m = vm_new(&m);
  return v->m && (!by_name(v->device) || ir_gpu(vm_ir(v->m)));
}

vapl_status vapl_open(const vapl_config *cfg, vapl **out) {
  vapl_config k;
  if (!out) return VAPL_EARG;
  *out = NULL;
  if (!read_config(cfg, &k)) return VAPL_EARG;
  ctx c; /* only for the allocator that it chooses */
  ctx_init(&c, k.resize, k.user);
  vapl *v = c.resize(c.user, NULL, 0, sizeof *v);
  if (!v) return VAPL_WS_FULL;
  memset(v, 0, sizeof *v);
  ctx_init(&v->c, k.resize, k.user);
  v->refs = 1;
  clear_record(v);
  enter(v);
  vapl_status status = leave(v, start(v, &k));
  if (status) {
    on_log(v, v->message);
    vapl_close(v);
  } else *out = v;
  return status;
}

void vapl_close(vapl *v) {
  if (!v || !v->refs || v->busy) return;
  atomic_store(&v->c.interrupt, false);
  for (vapl_array *h = v->arrays; h; h = h->next) detach(v, h);
  vm_free(v->m);
  v->m = NULL;
  drop_core(v);
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

static size_t text_length(const char *utf8, size_t n) {
  return n == VAPL_STRLEN ? strlen(utf8) : n;
}

vapl_status vapl_eval(vapl *v, const char *utf8, size_t n, const char *name,
                      vapl_array **result) {
  arr *r = NULL;
  bool shy = false;
  if (result) *result = NULL;
  if (v && !utf8) return bad(v, "the text is NULL");
  if (!enter(v)) return VAPL_EARG;
  bool ok = vm_run(v->m, name ? name : "", utf8, text_length(utf8, n), false,
                   result ? &r : NULL, &shy);
  if (ok && r) ok = give(v, r, shy, result);
  return leave(v, ok);
}

vapl_status vapl_run_file(vapl *v, const char *path, int argc, const char *const *argv) {
  char *text = NULL;
  size_t n = 0;
  if (v && !path) return bad(v, "the path is NULL");
  if (v && (argc < 0 || (argc && !argv))) return bad(v, "argc and argv do not agree");
  for (int i = 0; v && i < argc; i++)
    if (!argv[i]) return bad(v, "argv[%d] is NULL", i);
  if (!enter(v)) return VAPL_EARG;
  bool ok = script_read(&v->c, path, &text, &n);
  if (ok) {
    vm_set_args(v->m, argc, argv);
    ok = vm_run(v->m, path, text, n, true, NULL, NULL);
    vm_set_args(v->m, 0, NULL);
  }
  mem_free(&v->c, text);
  return leave(v, ok);
}

/* A name of the language, and nothing else. Call inside the bracket. */
static bool is_name(vapl *v, const char *name) {
  lexer l = {.c = &v->c, .text = name, .len = strlen(name)};
  token t = lex_next(&l);
  err_clear(&v->c);
  return ((t.kind == TOK_NAME || t.kind == TOK_SYSNAME) && t.begin == 0 &&
          t.end == l.len) ||
         err_set(&v->c, ERR_ARG, "\"%.80s\" is no name", name);
}

vapl_status vapl_call(vapl *v, const char *fn, const vapl_array *left,
                      const vapl_array *right, vapl_array **result) {
  arr *r = NULL;
  if (result) *result = NULL;
  if (v && !fn) return bad(v, "the function's name is NULL");
  if (!v || !home(v, right) || (left && !home(v, left))) return VAPL_EARG;
  if (!enter(v)) return VAPL_EARG;
  bool ok = is_name(v, fn) && vm_call(v->m, fn, left ? left->a : NULL, right->a, &r);
  if (r && !result) arr_release(r);
  else if (ok && r) ok = give(v, r, false, result);
  return leave(v, ok);
}

void vapl_interrupt(vapl *v) {
  if (v) atomic_store(&v->c.interrupt, true);
}

int vapl_ended(const vapl *v, int *code) {
  int n = 0;
  int ended = v && v->m && vm_off(v->m, &n);
  if (code) *code = ended ? n : 0;
  return ended;
}

vapl_status vapl_sync(vapl *v) {
  if (!enter(v)) return VAPL_EARG;
  return leave(v, ir_verify(vm_ir(v->m)));
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

vapl_status vapl_get(vapl *v, const char *name, vapl_array **out) {
  if (out) *out = NULL;
  if (v && (!name || !out)) return bad(v, "%s is NULL", name ? "out" : "the name");
  if (!enter(v)) return VAPL_EARG;
  arr *a = is_name(v, name) ? vm_get(v->m, name) : NULL;
  bool ok = a && !err_is(&v->c); /* pending work may have failed on the way */
  if (!ok) arr_release(a);
  return leave(v, ok && give(v, a, false, out));
}

vapl_status vapl_set(vapl *v, const char *name, const vapl_array *value) {
  if (v && !name) return bad(v, "the name is NULL");
  if (!v || !home(v, value) || !enter(v)) return VAPL_EARG;
  return leave(v, is_name(v, name) && vm_set(v->m, name, value->a));
}

/* ── making arrays ──────────────────────────────────────────────────────────────────── */

/* The number of elements, or -1 with the record written. */
static int64_t count_of(vapl *v, uint32_t rank, const int64_t *shape) {
  int64_t n = 1;
  bool empty = false;
  if (rank > ARR_MAX_RANK) return bad(v, "rank %u is above %d", rank, ARR_MAX_RANK), -1;
  if (rank && !shape) return bad(v, "the shape is NULL"), -1;
  for (uint32_t i = 0; i < rank; i++) {
    if (shape[i] < 0) return bad(v, "extent %lld is negative", (long long)shape[i]), -1;
    empty = empty || shape[i] == 0;
  }
  for (uint32_t i = 0; i < rank && !empty; i++) {
    if (shape[i] > INT64_MAX / n) return bad(v, "the shape's count is above 2^63-1"), -1;
    n *= shape[i];
  }
  return empty ? 0 : n;
}

/* What vapl_new and vapl_wrap check alike; the count, or -1. */
static int64_t check_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                         const void *data, vapl_array **out) {
  if (out) *out = NULL;
  if (!v) return -1;
  if (!out) return bad(v, "out is NULL"), -1;
  if (convert_elt(t) == ET_COUNT) return bad(v, "%d is no element type", (int)t), -1;
  if (t == VAPL_NESTED) return bad(v, "nested arrays are made by vapl_new_nested"), -1;
  int64_t n = count_of(v, rank, shape);
  if (n > 0 && !data) return bad(v, "data is NULL"), -1;
  if (n > 0 && convert_bytes(t, n) == SIZE_MAX) return bad(v, "the size overflows"), -1;
  return n;
}

vapl_status vapl_new(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                     const void *data, vapl_array **out) {
  if (check_new(v, t, rank, shape, data, out) < 0 || !enter(v)) return VAPL_EARG;
  arr *r = arr_new(&v->c, convert_elt(t), (int)rank, shape);
  bool ok = r && convert_in(&v->c, r, t, data);
  if (!ok) arr_release(r);
  return leave(v, ok && give(v, r, false, out));
}

/* The drop of memory that needs none: without one the array would free what is not its own. */
static void keep_it(void *user, void *data) { UNUSED(user), UNUSED(data); }

/* Bits are read as whole words of 64: what lies behind the last must be there, and zero. */
static bool tail_is_zero(const uint64_t *data, int64_t n) {
  return n % 64 == 0 || data[n / 64] >> (n % 64) == 0;
}

vapl_status vapl_wrap(vapl *v, vapl_type t, uint32_t rank, const int64_t *shape,
                      void *data, void (*drop)(void *user, void *data), void *user,
                      vapl_array **out) {
  int64_t n = check_new(v, t, rank, shape, data, out);
  if (n < 0) return VAPL_EARG;
  if (!data) return bad(v, "data is NULL");
  if (t == VAPL_BOOL || t == VAPL_U8)
    return bad(v, "%s is not stored as such: use vapl_new", convert_name(t));
  if ((uintptr_t)data % convert_align(t))
    return bad(v, "data is not aligned to %zu bytes", convert_align(t));
  if (t == VAPL_BIT && !tail_is_zero(data, n))
    return bad(v, "the bits behind the last element are not zero");
  if (!enter(v)) return VAPL_EARG;
  arr *r = arr_new_pending(&v->c, convert_elt(t), (int)rank, shape);
  if (r) r->host = data;
  bool ok = r && convert_check(&v->c, r);
  if (!ok) {
    if (r) r->host = NULL;
    arr_release(r);
    return leave(v, false);
  }
  /* The drop callback is set last: on failure the memory stays the caller's. */
  ok = give(v, arr_retain(r), false, out);
  if (ok) r->drop = drop ? drop : keep_it, r->drop_user = user;
  else r->host = NULL;
  arr_release(r);
  return leave(v, ok);
}

/* The type that holds all items as elements of a plain array; NEST if there is none. */
static elt plain_type(vapl_array *const *items, int64_t n) {
  elt t = ET_NEST;
  for (int64_t i = 0; i < n; i++) {
    const arr *a = items[i]->a;
    if (a->rank || a->type == ET_NEST) return ET_NEST;
    t = i ? elt_join(t, (elt)a->type) : (elt)a->type;
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
    arr *same = arr_convert(c, items[i]->a, (elt)r->type);
    if (!same) return false;
    arr_copy(r, i, same, 0, 1);
    arr_release(same);
  }
  return true;
}

static arr *nested(vapl *v, uint32_t rank, const int64_t *shape, vapl_array *const *items,
                   int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (!present(v, items[i], items[i]->a && items[i]->a->rank == 0)) return NULL;
  arr *r = arr_new(&v->c, n ? plain_type(items, n) : ET_BIT, (int)rank, shape);
  if (r && !put_items(&v->c, r, items)) {
    arr_release(r);
    return NULL;
  }
  return r;
}

vapl_status vapl_new_nested(vapl *v, uint32_t rank, const int64_t *shape,
                            vapl_array *const *items, vapl_array **out) {
  if (out) *out = NULL;
  if (v && !out) return bad(v, "out is NULL");
  int64_t n = v ? count_of(v, rank, shape) : -1;
  if (n < 0) return VAPL_EARG;
  if (n && !items) return bad(v, "items is NULL");
  for (int64_t i = 0; i < n; i++)
    if (!home(v, items[i])) return VAPL_EARG;
  if (!enter(v)) return VAPL_EARG;
  return leave(v, give(v, nested(v, rank, shape, items, n), false, out));
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
  if (v && (!out || !utf8)) return bad(v, "%s is NULL", out ? "the text" : "out");
  if (!v) return VAPL_EARG;
  n = text_length(utf8, n);
  if (utf8_bad(utf8, n) < n)
    return bad(v, "malformed UTF-8 at byte %zu", utf8_bad(utf8, n));
  if (!enter(v)) return VAPL_EARG;
  return leave(v, give(v, arr_text(&v->c, utf8, n), false, out));
}

/* ── reading arrays ─────────────────────────────────────────────────────────────────── */

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
  if (!out || out->size != sizeof *out) {
    bad(v, out ? "view.size is not sizeof(vapl_view)" : "out is NULL");
    return false;
  }
  *out = (vapl_view){.size = sizeof *out};
  return true;
}

vapl_status vapl_info(const vapl_array *a, vapl_view *out) {
  vapl *v = home(NULL, a);
  if (!v || !view_ok(v, out) || !enter(v)) return VAPL_EARG;
  bool ok = present(v, a, false);
  if (ok) fill_view(a, convert_type((elt)a->a->type), NULL, out);
  return leave(v, ok);
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
  bad(v, "%d is no type to read elements as", (int)t);
  return false;
}

vapl_status vapl_map(vapl *v, vapl_array *a, vapl_type want, vapl_view *out) {
  v = home(v, a);
  if (!v || !view_ok(v, out) || (want != VAPL_AS_IT_IS && !readable(v, want)) ||
      !enter(v))
    return VAPL_EARG;
  bool ok = present(v, a, true);
  if (ok) {
    vapl_type t = want == VAPL_AS_IT_IS ? convert_type((elt)a->a->type) : want;
    const void *data = mapped(v, a, t);
    if (data) fill_view(a, t, data, out);
    else ok = false;
  }
  return leave(v, ok);
}

vapl_status vapl_read(vapl *v, const vapl_array *a, vapl_type as, void *dst,
                      size_t bytes) {
  v = home(v, a);
  if (!v || !readable(v, as)) return VAPL_EARG;
  size_t need = a->a ? convert_bytes(as, a->a->count) : 0;
  if (need && !dst) return bad(v, "dst is NULL");
  if (bytes < need)
    return bad(v, "%zu bytes are too few: the array takes %zu", bytes, need);
  if (!enter(v)) return VAPL_EARG;
  return leave(v, present(v, a, true) && convert_out(&v->c, a->a, as, dst));
}

vapl_status vapl_item(vapl *v, const vapl_array *a, size_t i, vapl_array **out) {
  if (out) *out = NULL;
  v = home(v, a);
  if (v && !out) return bad(v, "out is NULL");
  if (!enter(v)) return VAPL_EARG;
  bool ok = present(v, a, true);
  if (ok && i >= (size_t)a->a->count)
    ok = err_set(&v->c, ERR_INDEX, "element %zu of %lld", i, (long long)a->a->count);
  return leave(v, ok && give(v, arr_scalar_at(&v->c, a->a, (int64_t)i), false, out));
}

/* ── texts for the host ─────────────────────────────────────────────────────────────── */

/* Hands a builder's text over; NUL-terminated even if nothing was put. */
static bool give_text(str *s, char **utf8, size_t *n) {
  str_put(s, "", 0);
  if (s->failed) {
    str_free(s);
    return err_set(s->c, ERR_WS_FULL, "no memory for the text");
  }
  *utf8 = s->at;
  if (n) *n = s->n;
  return true;
}

/* The start of a call that gives a text about `a`, which may be NULL if `any`. */
static bool enter_text(vapl *v, const vapl_array *a, bool any, char **utf8, size_t *n) {
  if (utf8) *utf8 = NULL;
  if (n) *n = 0;
  if (!v || (!any && !home(v, a))) return false;
  if (!utf8) {
    bad(v, "the out-parameter of the text is NULL");
    return false;
  }
  return enter(v);
}

vapl_status vapl_utf8(vapl *v, const vapl_array *a, char **utf8, size_t *n) {
  if (!enter_text(v, a, false, utf8, n)) return VAPL_EARG;
  str s = {.c = &v->c};
  bool ok = present(v, a, true);
  if (ok && !elt_is_char((elt)a->a->type) && a->a->count)
    ok = err_set(&v->c, ERR_DOMAIN, "the elements are no characters");
  for (int64_t i = 0; ok && i < a->a->count; i++)
    str_putc(&s, (uint32_t)arr_get_int(a->a, i));
  return leave(v, ok && give_text(&s, utf8, n));
}

vapl_status vapl_format(vapl *v, const vapl_array *a, int boxed, char **utf8, size_t *n) {
  if (!enter_text(v, a, false, utf8, n)) return VAPL_EARG;
  str s = {.c = &v->c};
  bool ok = present(v, a, true) && vm_format(v->m, a->a, boxed != 0, &s);
  if (ok) ok = give_text(&s, utf8, n);
  else str_free(&s);
  return leave(v, ok);
}

vapl_status vapl_stats(vapl *v, char **json, size_t *n) {
  if (!enter_text(v, NULL, true, json, n)) return VAPL_EARG;
  str s = {.c = &v->c};
  size_t handles = v->refs - 1;
  str_printf(&s,
             "{\"version\":\"%s\",\"bytes\":%zu,\"bytes_peak\":%zu,\"bytes_max\":%zu,"
             "\"blocks\":%zu,\"arrays\":%zu}",
             VAPL_VERSION_TEXT, v->c.bytes_live, v->c.bytes_peak, v->c.bytes_max,
             v->c.blocks_live, handles);
  return leave(v, give_text(&s, json, n));
}

void vapl_free(vapl *v, void *p) {
  if (v) mem_free(&v->c, p);
}
