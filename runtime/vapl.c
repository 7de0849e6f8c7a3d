/* SPDX-License-Identifier: MIT */
/* vapl.c - the library: vapl.h over the evaluator. Here are opening and closing, running and
 * names; api_make.c and api_read.c move arrays in and out, api_handle.c has the handles.
 *
 * Every public function is a bracket of api_enter() and api_leave(), see api_error.c. */
#include "vapl.h"
#include "../src/lexer/token.h"
#include "api.h"
#include "script.h"
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
  return to->threads >= 0;
}

static bool by_name(const char *device) {
  return device && strcmp(device, "auto") && strcmp(device, "host");
}

static void limit_memory(ctx *c, uint64_t most) {
  if (!most) return;
  c->bytes_max = SIZE_MAX;
  if (most < SIZE_MAX) c->bytes_max = (size_t)most;
}

static bool start(vapl *v, const vapl_config *cfg) {
  limit_memory(&v->c, cfg->max_host_bytes);
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
  v->c.may = cfg->may & MAY_ALL;
  if (v->c.may & MAY_ENV) m.getenv = on_getenv;
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
  api_clear_record(v);
  api_enter(v);
  vapl_status status = api_leave(v, start(v, &k));
  if (status) {
    on_log(v, v->message);
    vapl_close(v);
    return status;
  }
  *out = v;
  return VAPL_OK;
}

void vapl_close(vapl *v) {
  if (!v || !v->refs || v->busy) return;
  atomic_store(&v->c.interrupt, false);
  for (vapl_array *h = v->arrays; h; h = h->next) api_detach(v, h);
  vm_free(v->m);
  v->m = NULL;
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

static vapl_status check_args(vapl *v, int argc, const char *const *argv) {
  if (argc < 0 || (argc && !argv)) return api_bad(v, "argc and argv do not agree");
  for (int i = 0; i < argc; i++)
    if (!argv[i]) return api_bad(v, "argv[%d] is NULL", i);
  return VAPL_OK;
}

vapl_status vapl_run_file(vapl *v, const char *path, int argc, const char *const *argv) {
  if (!v) return VAPL_EARG;
  if (!path) return api_bad(v, "the path is NULL");
  if (check_args(v, argc, argv) || !api_enter(v)) return VAPL_EARG;
  char *text = NULL;
  size_t n = 0;
  bool ok = script_read(&v->c, path, &text, &n);
  if (ok) {
    vm_set_args(v->m, argc, argv);
    ok = vm_run(v->m, &(vm_text){.name = path, .at = text, .n = n}, true, NULL, NULL);
    vm_set_args(v->m, 0, NULL);
  }
  mem_free(&v->c, text);
  return api_leave(v, ok);
}

/* A name of the language, and nothing else. Call inside the bracket. */
static bool is_name(vapl *v, const char *name) {
  lexer l = {.c = &v->c, .text = name, .len = strlen(name)};
  token t = lex_next(&l);
  err_clear(&v->c);
  bool whole = t.begin == 0 && t.end == l.len;
  if (whole && (t.kind == TOK_NAME || t.kind == TOK_SYSNAME)) return true;
  return err_set(&v->c, ERR_ARG, "\"%.80s\" is no name", name);
}

vapl_status vapl_call(vapl *v, const char *fn, const vapl_array *left,
                      const vapl_array *right, vapl_array **result) {
  if (result) *result = NULL;
  if (v && !fn) return api_bad(v, "the function's name is NULL");
  if (!v || !api_home(v, right) || (left && !api_home(v, left))) return VAPL_EARG;
  if (!api_enter(v)) return VAPL_EARG;
  OWNED arr *r = NULL;
  arr *x = left ? left->a : NULL;
  bool ok = is_name(v, fn) && vm_call(v->m, fn, x, right->a, &r);
  if (ok && r && result) ok = api_give(v, arr_move(&r), false, result);
  return api_leave(v, ok);
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
  if (!api_enter(v)) return VAPL_EARG;
  return api_leave(v, ir_verify(vm_ir(v->m)));
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

vapl_status vapl_get(vapl *v, const char *name, vapl_array **out) {
  if (out) *out = NULL;
  if (v && !name) return api_bad(v, "the name is NULL");
  if (v && !out) return api_bad(v, "out is NULL");
  if (!api_enter(v)) return VAPL_EARG;
  if (!is_name(v, name)) return api_leave(v, false);
  OWNED arr *a = vm_get(v->m, name);
  bool ok = a && !err_is(&v->c); /* pending work may have failed on the way */
  return api_leave(v, ok && api_give(v, arr_move(&a), false, out));
}

vapl_status vapl_set(vapl *v, const char *name, const vapl_array *value) {
  if (v && !name) return api_bad(v, "the name is NULL");
  if (!v || !api_home(v, value) || !api_enter(v)) return VAPL_EARG;
  return api_leave(v, is_name(v, name) && vm_set(v->m, name, value->a));
}
