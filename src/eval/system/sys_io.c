/* SPDX-License-Identifier: MIT */
/* sys_io.c - output and input, time, and what surrounds a program. Whatever is seen from outside waits for
 * pending work. */
#include "../run/eval.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/threads.h"
#include "show.h"
#include "system.h"
#include "../../array/element.h"
#include "../../base/utf8.h"
#include "../../dist/dist.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ── output and input ───────────────────────────────────────────────────────────────── */

bool sys_set_quad(vm *v, env *e, value x) {
  UNUSED(e);
  return show_value(v, x);
}

/* ⍞← shows a vector or scalar without ending the line, whatever ⎕PW; what is on the line then
 * is kept, for ⍞ reads it as a part of the answer. */
bool sys_set_quote(vm *v, env *e, value x) {
  OWNED_STR str s = {.c = v->c};
  fmt_opts o = show_options(v);
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⍞ takes an array");
  if (!verify(v) || !ir_host(v->g, x.a)) return false;
  o.pw = INT32_MAX;
  if (!arr_display(v->c, x.a, &o, &s) || s.failed) return false;
  if (x.a->rank < 2 && s.n) s.n--;
  if (!put_out(v, s.at, s.n)) return false;
  const char *feed = s.n ? memrchr(s.at, '\n', s.n) : NULL;
  if (feed) v->open_line.n = 0; /* what was written last stays on the line */
  const char *from = feed ? feed + 1 : s.at;
  if (s.n) str_put(&v->open_line, from, (size_t)(s.at + s.n - from));
  return !v->open_line.failed;
}

enum { LINE_MAX_BYTES = 65536 };

/* Of several ranks one reads. */
static bool read_here(vm *v, int mode, const char *prompt, str *s) {
  char *buf = mem_alloc(v->c, LINE_MAX_BYTES);
  if (!buf) return false;
  ptrdiff_t n = -1;
  if (v->cfg.read) n = v->cfg.read(v->cfg.user, mode, prompt, buf, LINE_MAX_BYTES);
  if (n > LINE_MAX_BYTES) {
    mem_free(v->c, buf);
    return err_set(v->c, ERR_LIMIT, "a line of %lld bytes: ⎕NGET reads longer ones",
                   (long long)n);
  }
  while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == '\r')) n--;
  if (n >= 0) str_put(s, buf, (size_t)n);
  mem_free(v->c, buf);
  if (n >= 0) return !s->failed && !interrupted(v->c);
  return !interrupted(v->c) && err_set(v->c, ERR_EOF, "no more input");
}

bool read_line(vm *v, int mode, const char *prompt, str *s) {
  if (!verify(v)) return false;
  if (!is_ranked(v->c)) return read_here(v, mode, prompt, s);
  OWNED_STR str line = {.c = v->c};
  if (dist_alone_begins(v->c)) read_here(v, mode, prompt, &line);
  if (!dist_alone_ends(v->c, NULL)) return false;
  void *at = line.at;
  bool ok = dist_same_bytes(v->c, &at, &line.n);
  line.at = at;
  if (ok) str_put(s, line.at, line.n);
  return ok && !s->failed;
}

/* A byte that is no UTF-8 would become another character unseen. */
static bool check_text(vm *v, const str *s) {
  const char *end = s->at + s->n;
  for (const char *p = s->at, *next; p < end; p = next)
    if (utf8_next(p, end, &next) == 0xFFFD && next == p + 1)
      return err_set(v->c, ERR_DOMAIN, "⍞: the byte %d at offset %lld is not UTF-8",
                     *p & 0xFF, (long long)(p - s->at));
  return true;
}

arr *sys_get_quote(vm *v) {
  OWNED_STR str s = {.c = v->c};
  if (v->open_line.n) str_put(&s, v->open_line.at, v->open_line.n);
  bool ok = read_line(v, 1, "", &s);
  v->open_line.n = 0;
  if (!ok || !check_text(v, &s)) return NULL;
  return str_take(v, &s);
}

arr *sys_get_quad(vm *v) {
  OWNED_VALUE value r = {0};
  while (r.cls != C_ARR) { /* asks again until an answer has a value */
    bool shy;
    OWNED_STR str s = {.c = v->c};
    value_clear(&r);
    if (!read_line(v, 0, "⎕:\n      ", &s)) return NULL;
    vm_text t = {.name = "", .at = s.at, .n = s.n};
    if (!run_text(v, &t, false, &r, &shy)) return NULL;
  }
  return value_move(&r).a;
}

/* ── time and surroundings ──────────────────────────────────────────────────────────── */

arr *sys_get_ts(vm *v) {
  struct timespec t;
  struct tm d;
  if (!verify(v)) return NULL;
  clock_gettime(CLOCK_REALTIME, &t);
  localtime_r(&t.tv_sec, &d);
  return arr_int_vec(v->c, 7,
                     (int64_t[]){d.tm_year + 1900, d.tm_mon + 1, d.tm_mday, d.tm_hour,
                                 d.tm_min, d.tm_sec, t.tv_nsec / 1000000});
}

arr *sys_get_ai(vm *v) {
  if (!verify(v)) return NULL;
  int64_t cpu = (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
  return arr_int_vec(
      v->c, 4, (int64_t[]){0, cpu, (int64_t)((now_seconds() - v->opened) * 1000), 0});
}

arr *sys_get_arg(vm *v) {
  OWNED_LIST arr_list items = {.v = v};
  for (int i = 0; i < v->argc; i++)
    if (!list_add(&items, arr_text(v->c, v->argv[i], strlen(v->argv[i])))) return NULL;
  return list_array(&items);
}

/* A variable of the program's surroundings; empty if there is none of that name. */
bool sys_env(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  UNUSED(x);
  if (!(v->c->may & MAY_ENV))
    return err_set(v->c, ERR_PERM, "⎕ENV: reading the environment is not permitted here");
  if (!arg_text(v, y, "⎕ENV's argument", &s)) return false;
  if (strlen(s.at) != s.n)
    return err_set(v->c, ERR_DOMAIN, "⎕ENV: a name has no NUL in it");
  const char *text = NULL;
  if (v->cfg.getenv) text = v->cfg.getenv(v->cfg.user, s.at);
  if (!text) text = "";
  return give_result(r, arr_text(v->c, text, strlen(text)));
}

/* Bytes that an array may take. */
arr *sys_get_wa(vm *v) {
  int64_t pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  int64_t left = 0, max = (int64_t)v->c->bytes_max;
  if (pages > 0 && size > 0) left = pages * size;
  if (max && max - (int64_t)v->c->bytes_live < left)
    left = max - (int64_t)v->c->bytes_live;
  return arr_int(v->c, left);
}

const char *wsid_text(const vm *v) {
  if (v->wsid.n) return v->wsid.at;
  return "CLEAR WS";
}

void wsid_set(vm *v, str *name) {
  str_free(&v->wsid);
  v->wsid = *name;
  *name = (str){.c = v->c};
}

arr *sys_get_last(vm *v) {
  if (v->last) return arr_retain(v->last);
  err_set(v->c, ERR_VALUE, "⎕_: no entry has shown a value yet");
  return NULL;
}

arr *sys_get_wsid(vm *v) {
  const char *name = wsid_text(v);
  return arr_text(v->c, name, strlen(name));
}

bool sys_set_wsid(vm *v, env *e, value x) {
  OWNED_STR str name = {.c = v->c};
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⎕WSID takes a name");
  if (!arg_text(v, x.a, "⎕WSID", &name)) return false;
  wsid_set(v, &name);
  return true;
}

bool sys_delay(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  if (!verify(v)) return false;
  if (y->count != 1 || y->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "⎕DL takes a number of seconds");
  double start = now_seconds(), end = start + arr_get_float(y, 0);
  if (!(end >= start)) return err_set(v->c, ERR_DOMAIN, "⎕DL takes a number of seconds");
  if (v->spawned && !v->threads->delay(v, end)) return false;
  for (;;) { /* in parts, for it can be interrupted */
    double left = end - now_seconds();
    if (left <= 0) break;
    if (left > 0.05) left = 0.05;
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)(left * 1e9)};
    nanosleep(&t, NULL);
    if (interrupted(v->c)) return false;
  }
  v->shy = true;
  return give_result(r, arr_float(v->c, now_seconds() - start));
}

/* ⎕FMT */
bool sys_fmt(vm *v, arr *x, arr *y, arr **r) {
  prim_env e = env_of(v);
  if (x) *r = prim_fmt(&e, x, y);
  else *r = arr_format_matrix(v->c, y, e.pp);
  return *r != NULL;
}

static bool switch_off(vm *v, int how) {
  if (!verify(v)) return false;
  v->off = true;
  v->off_code = how;
  return err_set(v->c, ERR_INTERRUPT, "⎕OFF");
}

arr *sys_get_off(vm *v) {
  switch_off(v, 0);
  return NULL;
}

bool sys_off(vm *v, arr *x, arr *y, arr **r) {
  int64_t n;
  UNUSED(x);
  UNUSED(r);
  return arg_number(v, (value){.cls = C_ARR, .a = y}, 0, 255, "⎕OFF", &n) &&
         switch_off(v, (int)n);
}
