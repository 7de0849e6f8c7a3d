/* SPDX-License-Identifier: MIT */
/* vapl.c - the library: vapl.h over the evaluator. Here are opening and closing, running and
 * names; api_make.c and api_read.c move arrays in and out, api_handle.c has the handles.
 *
 * Every public function is a bracket of api_enter() and api_leave(), see api_error.c. */
#include "vapl.h"
#include "../src/dist/dist.h"
#include "../src/lexer/token.h"
#include "../src/tables/glyphs.h"
#include "../src/tables/help.h"
#include "../src/vk/gpu.h"
#include "api.h"
#include "script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *on_getenv(void *user, const char *name) {
  UNUSED(user);
  return getenv(name);
}

static void on_log(void *user, const char *text) {
  vapl *v = user;
  if (v->log) v->log(v->user, text);
}

/* A copy that lives as long as the interpreter; *kept is NULL if there is no text. */
static bool keep_text(ctx *c, const char *text, char **kept) {
  *kept = NULL;
  if (!text) return true;
  size_t n = strlen(text) + 1;
  *kept = mem_alloc(c, n);
  if (*kept) memcpy(*kept, text, n);
  return *kept != NULL;
}

/* Accepts smaller configurations (of older headers) and larger ones whose tail is zero. */
static bool read_config(const vapl_config *cfg, vapl_config *to) {
  *to = (vapl_config){.size = sizeof *to};
  if (!cfg) return true;
  if (cfg->size < offsetof(vapl_config, cache_dir) || cfg->size > 65536) return false;
  for (size_t i = sizeof *to; i < cfg->size; i++)
    if (((const unsigned char *)cfg)[i]) return false;
  memcpy(to, cfg, cfg->size < sizeof *to ? cfg->size : sizeof *to);
  return to->threads >= 0 && to->max_seconds >= 0;
}

static void limit_memory(ctx *c, uint64_t most) {
  if (!most) return;
  c->bytes_max = SIZE_MAX;
  if (most < SIZE_MAX) c->bytes_max = (size_t)most;
}

static bool start(vapl *v, const vapl_config *cfg, const struct gpu_given *given) {
  limit_memory(&v->c, cfg->max_host_bytes);
  v->c.limit.max_steps = cfg->max_steps;
  v->c.limit.seconds = cfg->max_seconds;
  if (!keep_text(&v->c, cfg->device, &v->device)) return false;
  if (!keep_text(&v->c, cfg->cache_dir, &v->cache_dir)) return false;
  if (given && !(v->given = gpu_given_copy(&v->c, given))) return false;
  vm_config m = {.c = &v->c,
                 .ir = {.device = v->device,
                        .given = v->given,
                        .cache_dir = v->cache_dir,
                        .threads = cfg->threads,
                        .log = on_log,
                        .log_user = v,
                        .max_device_bytes = cfg->max_device_bytes},
                 .write = on_write,
                 .read = on_read,
                 .user = v,
                 .max_depth = cfg->max_depth,
                 .comm = cfg->comm,
                 .folders = cfg->folders};
  v->c.may = cfg->may & MAY_ALL;
  if (v->c.may & MAY_ENV) m.getenv = on_getenv;
  v->write = cfg->write;
  v->read = cfg->read;
  v->log = cfg->log;
  v->user = cfg->user;
  v->m = vm_new(&m);
  bool by_name = v->device && strcmp(v->device, "auto") && strcmp(v->device, "host");
  return v->m && (!(by_name || v->given) || ir_gpu(vm_ir(v->m)));
}

vapl_status vapl_open(const vapl_config *cfg, vapl **out) {
  return api_open(cfg, NULL, NULL, out);
}

vapl_status api_open(const vapl_config *cfg, const struct gpu_given *given,
                     char why[API_WHY], vapl **out) {
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
  api_clear_record(v);
  api_enter(v);
  vapl_status status = api_leave(v, start(v, &k, given));
  if (status) {
    on_log(v, v->message);
    if (why) snprintf(why, API_WHY, "%.255s", v->message);
    vapl_close(v);
    return status;
  }
  *out = v;
  return VAPL_OK;
}

void vapl_close(vapl *v) {
  if (!v || !v->refs || v->busy || v->inside) return;
  v->busy = true; /* what is dropped now must not call */
  atomic_store(&v->c.interrupt, false);
  for (vapl_array *h = v->arrays; h; h = h->next) api_detach(v, h);
  if (v->attend) v->attend(v, true);
  vm_free(v->m);
  v->m = NULL;
  v->busy = false;
  api_drop_core(v);
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

vapl_status vapl_eval(vapl *v, const char *utf8, size_t n, const char *name,
                      vapl_array **result) {
  if (result) *result = NULL;
  if (v && !utf8) return api_bad(v, "the text is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  OWNED arr *r = NULL;
  arr **wanted = result ? &r : NULL;
  bool shy = false;
  if (!name) name = "";
  bool ok =
      vm_run(v->m, &(vm_text){.name = name, .at = utf8, .n = api_text_length(utf8, n)},
             false, wanted, &shy);
  if (ok && r) ok = api_give(v, arr_move(&r), shy, result);
  return api_leave(v, ok);
}

vapl_status vapl_session(vapl *v, const char *utf8, size_t n, const char *name) {
  if (v && !utf8) return api_bad(v, "the text is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  if (!name) name = "";
  vm_text t = {.name = name, .at = utf8, .n = api_text_length(utf8, n)};
  return api_leave(v, vm_line(v->m, &t, NULL, NULL));
}

static vapl_status check_args(vapl *v, int argc, const char *const *argv) {
  if (argc < 0 || (argc && !argv)) return api_bad(v, "argc and argv do not agree");
  for (int i = 0; i < argc; i++)
    if (!argv[i]) return api_bad(v, "argv[%d] is NULL", i);
  return VAPL_OK;
}

/* The file's text, and a NUL: what the first of several ranks reads. */
static bool read_script(vapl *v, const char *path, char **text, size_t *n) {
  ctx *c = &v->c;
  if (!is_ranked(c)) return script_read(c, path, text, n);
  if (dist_alone_begins(c)) script_read(c, path, text, n);
  if (!dist_alone_ends(c, NULL)) return false;
  void *at = *text;
  size_t bytes = *n + 1;
  bool ok = dist_same_bytes(c, &at, &bytes);
  *text = at;
  *n = bytes - 1;
  return ok;
}

vapl_status vapl_run_file(vapl *v, const char *path, int argc, const char *const *argv) {
  if (!v) return VAPL_EARG;
  if (!path) return api_bad(v, "the path is NULL");
  if (check_args(v, argc, argv) || !api_enter(v)) return VAPL_EARG;
  char *text = NULL;
  size_t n = 0;
  bool ok = read_script(v, path, &text, &n);
  if (ok) {
    vm_set_args(v->m, argc, argv);
    ok = vm_run(v->m, &(vm_text){.name = path, .at = text, .n = n}, true, NULL, NULL);
    vm_set_args(v->m, 0, NULL);
  }
  mem_free(&v->c, text);
  return api_leave(v, ok);
}

/* A name of the language, of the system too if `any`, and nothing else. Call inside the
 * bracket. */
static bool is_name(vapl *v, const char *name, bool any) {
  lexer l = {.c = &v->c, .text = name, .len = strlen(name)};
  token t = lex_next(&l);
  err_clear(&v->c);
  bool whole = t.begin == 0 && t.end == l.len;
  if (whole && (t.kind == TOK_NAME || (any && t.kind == TOK_SYSNAME))) return true;
  return err_set(&v->c, ERR_ARG, "\"%.80s\" is no name", name);
}

/* ── what may be typed ──────────────────────────────────────────────────────────────── */

typedef struct asker {
  ctx *c;
  void (*each)(void *user, const char *name, const char *text);
  void *user;
} asker;

static void tell_name(void *user, const char *name, int name_class) {
  const asker *a = user;
  UNUSED(name_class);
  a->each(a->user, name, name);
}

/* One text made of the bytes of both, NUL behind each. */
static bool tell_pair(const asker *a, const char *name, size_t n, const char *text,
                      size_t text_n) {
  OWNED_STR str s = {.c = a->c};
  str_put(&s, name, n);
  str_put(&s, "", 1);
  str_put(&s, text, text_n);
  if (s.failed) return err_set(a->c, ERR_WS_FULL, "no memory for a name");
  a->each(a->user, s.at, s.at + n + 1);
  return true;
}

static bool tell_topic(const asker *a, const help_topic *t) {
  help_name names[HELP_NAMES], typed;
  size_t n = help_names(t, names);
  for (size_t k = 1; k < n; k++)
    if (!memchr(names[k].at, ' ', names[k].n) &&
        help_type(names[k].at, names[k].n, &typed) &&
        !tell_pair(a, names[k].at, names[k].n, typed.text, typed.text_n))
      return false;
  return true;
}

vapl_status vapl_names(vapl *v,
                       void (*each)(void *user, const char *name, const char *text),
                       void *user) {
  if (v && !each) return api_bad(v, "the function is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  asker a = {&v->c, each, user};
  bool ok = true;
  vm_names(v->m, tell_name, &a);
  for (size_t i = 0; ok && help_at(i); i++) ok = tell_topic(&a, help_at(i));
  for (int i = 0; ok && i < glyph_count; i++) {
    const glyph_row *g = &glyph_table[i];
    ok = tell_pair(&a, (char[]){'`', g->key}, 2, g->glyph, strlen(g->glyph));
  }
  return api_leave(v, ok);
}

/* ── functions of the host ──────────────────────────────────────────────────────────── */

typedef struct host_function {
  vapl *v;
  vapl_fn *fn;
  void (*drop)(void *user);
  void *user;
} host_function;

static void drop_function(void *user) {
  host_function *h = user;
  if (h->drop) h->drop(h->user);
  mem_free(&h->v->c, h);
}

/* What the host answered: its error with the message that it left, or its result. */
static bool take_answer(vapl *v, vapl_status status, const vapl_array *result, arr **r) {
  const char *message = v->message;
  if (status && status != v->error.status) message = "";
  if (status) return err_set(&v->c, (int)status, "%s", message);
  if (!result) return true;
  if (result->owner != v)
    return err_set(&v->c, ERR_ARG, "the result belongs to another interpreter");
  if (!result->a) return err_set(&v->c, ERR_ARG, "the result has no elements any more");
  if (result->part) return err_set(&v->c, ERR_ARG, "the result is a part, of one rank");
  *r = arr_retain(result->a);
  return true;
}

static bool call_out(void *user, arr *x, arr *y, arr **r) {
  const host_function *h = user;
  vapl *v = h->v;
  vapl_array *left = NULL, *right = NULL, *result = NULL;
  bool ok = !x || api_give(v, arr_retain(x), false, &left);
  ok = ok && api_give(v, arr_retain(y), false, &right);
  if (ok) {
    fenv_t fenv = api_step_out(v);
    vapl_status status = h->fn(h->user, v, left, right, &result);
    api_step_in(v, &fenv);
    err_clear(&v->c);
    ok = take_answer(v, status, result, r);
  }
  vapl_release(result);
  vapl_release(right);
  vapl_release(left);
  return ok;
}

vapl_status vapl_def(vapl *v, const char *name, vapl_fn *fn, void *user,
                     void (*drop)(void *user)) {
  if (v && !name) return api_bad(v, "the name is NULL");
  if (v && !fn) return api_bad(v, "the function is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  if (!is_name(v, name, false)) return api_leave(v, false);
  host_function *h = mem_alloc(&v->c, sizeof *h);
  if (!h) return api_leave(v, false);
  *h = (host_function){.v = v, .fn = fn, .drop = drop, .user = user};
  bool ok = vm_def(v->m, name, &(vm_host_fn){call_out, drop_function, h});
  if (!ok) mem_free(&v->c, h);
  return api_leave(v, ok);
}

vapl_status vapl_library(vapl *v, const char *library, size_t n, const char *const *names,
                         const vapl_code *functions) {
  if (v && (!library || (n && (!names || !functions))))
    return api_bad(v, "a name, or the functions, are NULL");
  for (size_t i = 0; v && i < n; i++)
    if (!names[i] || !functions[i]) return api_bad(v, "function %zu is NULL", i);
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, vm_library(v->m, library, n, names, functions));
}

vapl_status vapl_call(vapl *v, const char *fn, const vapl_array *left,
                      const vapl_array *right, vapl_array **result) {
  if (result) *result = NULL;
  if (v && !fn) return api_bad(v, "the function's name is NULL");
  if (!v || !api_home(v, right) || (left && !api_home(v, left))) return VAPL_EARG;
  if (!api_is_whole(v, left) || !api_is_whole(v, right)) return VAPL_EARG;
  if (!api_enter(v)) return VAPL_EARG;
  OWNED arr *r = NULL;
  arr *x = left ? left->a : NULL;
  bool ok = vm_call(v->m, fn, x, right->a, &r);
  if (ok && r && result) ok = api_give(v, arr_move(&r), false, result);
  return api_leave(v, ok);
}

void vapl_interrupt(vapl *v) {
  if (v) atomic_store(&v->c.interrupt, true);
}

double vapl_progress(const vapl *v) {
  if (!v) return -1;
  double total = (double)atomic_load(&v->c.share.total);
  double done = (double)atomic_load(&v->c.share.done);
  return total > 0 && done >= 0 && done <= total ? done / total : -1;
}

int vapl_ended(const vapl *v, int *code) {
  int n = 0;
  int ended = v && v->m && vm_off(v->m, &n);
  if (code) *code = ended ? n : 0;
  return ended;
}

vapl_status vapl_sync(vapl *v) {
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, ir_verify(vm_ir(v->m)));
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

vapl_status vapl_get(vapl *v, const char *name, vapl_array **out) {
  if (out) *out = NULL;
  if (v && !name) return api_bad(v, "the name is NULL");
  if (v && !out) return api_bad(v, "out is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  if (!is_name(v, name, true)) return api_leave(v, false);
  OWNED arr *a = vm_get(v->m, name);
  bool ok = a && !err_is(&v->c); /* pending work may have failed on the way */
  return api_leave(v, ok && api_give(v, arr_move(&a), false, out));
}

vapl_status vapl_set(vapl *v, const char *name, const vapl_array *value) {
  if (v && !name) return api_bad(v, "the name is NULL");
  if (!v || !api_home(v, value) || !api_is_whole(v, value)) return VAPL_EARG;
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, is_name(v, name, true) && vm_set(v->m, name, value->a));
}
