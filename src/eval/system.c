/* SPDX-License-Identifier: MIT */
/* system.c - the ⎕-names: variables, constants and functions, one row each.
 *
 * A row says how the name is read, assigned and called; a name that is part of the language
 * but has no row answers NONCE ERROR. The variables that steer primitives belong to an
 * environment: a dfn that assigns one has its own from then on, which the dfns inside it see
 * too. Whatever is seen from outside (output, input, time) waits for pending work. */
#include "internal.h"
#include <math.h>
#include <string.h>
#include <time.h>

typedef struct sys_row {
  const char *name;
  uint8_t nc;
  arr *(*get)(vm *v, env *e);
  bool (*set)(vm *v, env *e, value x);
  bool (*call)(vm *v, arr *x, arr *y, arr **r);
} sys_row;

/* ── output and input ───────────────────────────────────────────────────────────────── */

bool put_out(vm *v, const char *p, size_t n) {
  if (v->cfg.write && n) v->cfg.write(v->cfg.user, 1, p, n);
  return true;
}

static fmt_opts options(const vm *v) {
  return (fmt_opts){.pp = v->sv->pp, .pw = v->sv->pw, .boxed = v->boxed};
}

/* The arrays that a function's text will show must be at hand. */
static bool fn_host(vm *v, const fn *f) {
  const value part[3] = {f->l, f->m, f->r};
  for (int i = 0; i < 3; i++)
    if (part[i].cls && !(part[i].cls == C_ARR ? ir_host(v->g, part[i].a) : fn_host(v, part[i].f)))
      return false;
  return !f->axis || ir_host(v->g, f->axis);
}

bool show_value(vm *v, value x) {
  str s = {.c = v->c};
  fmt_opts o = options(v);
  if (!verify(v)) return false;
  bool ok = true;
  if (x.cls == C_ARR) ok = ir_host(v->g, x.a) && arr_display(v->c, x.a, &o, &s);
  else if ((ok = fn_host(v, x.f))) {
    fn_text(x.f, &s);
    str_puts(&s, "\n");
  }
  ok = ok && !s.failed && put_out(v, s.at ? s.at : "", s.n);
  if (ok && s.n) v->open_columns = 0;
  str_free(&s);
  return ok;
}

static bool set_quad(vm *v, env *e, value x) {
  UNUSED(e);
  return show_value(v, x);
}

/* ⍞← shows a character vector as it is, and nothing ends the line. */
static bool set_quote(vm *v, env *e, value x) {
  str s = {.c = v->c};
  fmt_opts o = options(v);
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⍞ takes an array");
  if (!verify(v) || !ir_host(v->g, x.a)) return false;
  bool text = x.a->rank == 1 && elt_is_char((elt)x.a->type), ok = true;
  for (int64_t i = 0; text && i < x.a->count; i++) str_putc(&s, (uint32_t)arr_get_int(x.a, i));
  if (!text) ok = arr_display(v->c, x.a, &o, &s);
  if (!text && s.n && s.at[s.n - 1] == '\n') s.n--;
  ok = ok && !s.failed && put_out(v, s.at ? s.at : "", s.n);
  for (const char *p = s.at; ok && p && p < s.at + s.n;) {
    uint32_t u = utf8_next(p, s.at + s.n, &p);
    v->open_columns = u == '\n' ? 0 : v->open_columns + 1;
  }
  str_free(&s);
  return ok;
}

enum { LINE_MAX_BYTES = 65536 };

/* One line of input into s, without its line end. EOF INTERRUPT. */
static bool read_line(vm *v, int mode, const char *prompt, str *s) {
  if (!verify(v)) return false;
  char *buf = mem_alloc(v->c, LINE_MAX_BYTES);
  if (!buf) return false;
  ptrdiff_t n = v->cfg.read ? v->cfg.read(v->cfg.user, mode, prompt, buf, LINE_MAX_BYTES) : -1;
  if (n > LINE_MAX_BYTES) n = LINE_MAX_BYTES;
  while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == '\r')) n--;
  if (n >= 0) str_put(s, buf, (size_t)n);
  mem_free(v->c, buf);
  if (n >= 0) return !s->failed && !interrupted(v->c);
  return !interrupted(v->c) && err_set(v->c, ERR_EOF, "no more input");
}

static arr *get_quote(vm *v, env *e) {
  str s = {.c = v->c};
  UNUSED(e);
  str_pad(&s, v->open_columns); /* what ⍞← has put on the line comes back as blanks */
  bool ok = read_line(v, 1, "", &s);
  v->open_columns = 0;
  arr *r = ok ? arr_text(v->c, s.at ? s.at : "", s.n) : NULL;
  str_free(&s);
  return r;
}

static arr *get_quad(vm *v, env *e) {
  value r = {0};
  UNUSED(e);
  for (bool ok = true, shy; ok && r.cls != C_ARR;) {
    str s = {.c = v->c};
    value_release(v, r);
    r = (value){0};
    ok = read_line(v, 0, "⎕:\n      ", &s) &&
         run_text(v, "", s.at ? s.at : "", s.n, false, &r, &shy);
    str_free(&s);
  }
  return r.cls == C_ARR ? r.a : NULL;
}

/* ── variables ──────────────────────────────────────────────────────────────────────── */

static sysvars *own(vm *v, env *e) {
  if (e->body->node && e->sv != &e->own) {
    e->own = *e->sv;
    e->sv = &e->own;
  }
  v->sv = e->sv;
  return e->sv;
}

static arr *get_io(vm *v, env *e) { return arr_int(v->c, e->sv->io); }
static arr *get_ct(vm *v, env *e) {
  return e->sv->ct == 0 ? arr_int(v->c, 0) : arr_float(v->c, e->sv->ct);
}
static arr *get_pp(vm *v, env *e) { return arr_int(v->c, e->sv->pp); }
static arr *get_pw(vm *v, env *e) { return arr_int(v->c, e->sv->pw); }
static arr *get_one(vm *v, env *e) { UNUSED(e); return arr_int(v->c, 1); }
static arr *get_zero(vm *v, env *e) { UNUSED(e); return arr_int(v->c, 0); }

static bool number_of(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n) {
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "%s takes a number", name);
  if (!get_int(v, x.a, n, name)) return false;
  return (*n >= lo && *n <= hi) ||
         err_set(v->c, ERR_DOMAIN, "%s takes %lld to %lld", name, (long long)lo, (long long)hi);
}

static bool set_io(vm *v, env *e, value x) {
  int64_t n;
  if (!number_of(v, x, 0, 1, "⎕IO", &n)) return false;
  own(v, e)->io = (int)n;
  return true;
}

static bool set_pp(vm *v, env *e, value x) {
  int64_t n;
  if (!number_of(v, x, 1, 34, "⎕PP", &n)) return false;
  own(v, e)->pp = (int)n;
  return true;
}

static bool set_pw(vm *v, env *e, value x) {
  int64_t n;
  if (!number_of(v, x, 42, 32767, "⎕PW", &n)) return false;
  own(v, e)->pw = (int)n;
  return true;
}

static bool set_ct(vm *v, env *e, value x) {
  if (x.cls != C_ARR || !ir_host(v->g, x.a) || x.a->count != 1 || x.a->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "⎕CT takes a number");
  double d = arr_get_float(x.a, 0);
  if (!(d >= 0 && d <= 1.0 / 4294967296.0))
    return err_set(v->c, ERR_DOMAIN, "⎕CT takes 0 to 2*¯32");
  own(v, e)->ct = d;
  return true;
}

/* Variables that have one value in this version. */
static bool set_fixed(vm *v, value x, int64_t only, const char *name) {
  int64_t n;
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "%s takes a number", name);
  if (!get_int(v, x.a, &n, name)) return false;
  return n == only || err_set(v->c, ERR_NONCE, "%s can only be %lld in this version", name,
                              (long long)only);
}

static bool set_ml(vm *v, env *e, value x) { UNUSED(e); return set_fixed(v, x, 1, "⎕ML"); }
static bool set_div(vm *v, env *e, value x) { UNUSED(e); return set_fixed(v, x, 0, "⎕DIV"); }

/* ── constants, time, errors ────────────────────────────────────────────────────────── */

static arr *get_letters(vm *v, env *e) {
  UNUSED(e);
  return arr_text(v->c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 26);
}
static arr *get_digits(vm *v, env *e) { UNUSED(e); return arr_text(v->c, "0123456789", 10); }

static arr *ints(vm *v, int n, const int64_t *x) {
  int64_t lo = 0, hi = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < lo) lo = x[i];
    if (x[i] > hi) hi = x[i];
  }
  arr *a = arr_vec(v->c, elt_for_range(lo, hi), n);
  for (int i = 0; a && i < n; i++) arr_put_int(a, i, x[i]);
  return a;
}

double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static arr *get_ts(vm *v, env *e) {
  struct timespec t;
  struct tm d;
  UNUSED(e);
  if (!verify(v)) return NULL;
  clock_gettime(CLOCK_REALTIME, &t);
  localtime_r(&t.tv_sec, &d);
  return ints(v, 7, (int64_t[]){d.tm_year + 1900, d.tm_mon + 1, d.tm_mday, d.tm_hour, d.tm_min,
                                d.tm_sec, t.tv_nsec / 1000000});
}

static arr *get_ai(vm *v, env *e) {
  UNUSED(e);
  if (!verify(v)) return NULL;
  int64_t cpu = (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
  return ints(v, 4, (int64_t[]){0, cpu, (int64_t)((now_seconds() - v->opened) * 1000), 0});
}

static arr *texts(vm *v, int64_t n, arr **items) {
  for (int64_t i = 0; i < n; i++)
    if (!items[i]) {
      for (int64_t j = 0; j < n; j++) arr_release(v->c, items[j]);
      return NULL;
    }
  return collect(v, items, 1, &n);
}

static arr *get_arg(vm *v, env *e) {
  UNUSED(e);
  if (!v->argc) {
    arr *like = arr_text(v->c, "", 0),
        *r = like ? collect_none(v, like, 1, (int64_t[]){0}) : NULL;
    arr_release(v->c, like);
    return r;
  }
  arr **items = mem_alloc(v->c, (size_t)v->argc * sizeof *items);
  for (int i = 0; items && i < v->argc; i++)
    items[i] = arr_text(v->c, v->argv[i], strlen(v->argv[i]));
  arr *r = items ? texts(v, v->argc, items) : NULL;
  mem_free(v->c, items);
  return r;
}

static arr *get_en(vm *v, env *e) { UNUSED(e); return arr_int(v->c, v->en); }

static arr *get_dm(vm *v, env *e) {
  arr *items[3];
  UNUSED(e);
  for (int i = 0; i < 3; i++)
    items[i] = arr_text(v->c, v->dm[i].at ? v->dm[i].at : "", v->dm[i].n);
  return texts(v, 3, items);
}

static bool switch_off(vm *v, int how) {
  if (!verify(v)) return false;
  v->off = true;
  v->off_code = how;
  return err_set(v->c, ERR_INTERRUPT, "⎕OFF");
}

static arr *get_off(vm *v, env *e) {
  UNUSED(e);
  switch_off(v, 0);
  return NULL;
}

static bool call_off(vm *v, arr *x, arr *y, arr **r) {
  int64_t n;
  UNUSED(r);
  if (x) return err_set(v->c, ERR_SYNTAX, "⎕OFF takes no left argument");
  return number_of(v, (value){.cls = C_ARR, .a = y}, 0, 255, "⎕OFF", &n) && switch_off(v, (int)n);
}

/* The error is raised where the dfn that signals it was called. */
static bool call_signal(vm *v, arr *x, arr *y, arr **r) {
  int64_t n;
  char msg[sizeof v->c->err.msg];
  size_t used = 0;
  UNUSED(r);
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return false;
  if (!y->count) return true;
  if (!number_of(v, (value){.cls = C_ARR, .a = y}, 0, 999, "⎕SIGNAL", &n)) return false;
  if (!n) return true;
  if (x && (x->rank > 1 || (x->count && !elt_is_char((elt)x->type))))
    return err_set(v->c, ERR_DOMAIN, "the message must be text");
  for (int64_t i = 0; x && i < x->count && used + 5 < sizeof msg; i++)
    used += (size_t)utf8_put(msg + used, (uint32_t)arr_get_int(x, i));
  msg[used] = 0;
  err_set(v->c, (int)n, "%s", msg);
  if (v->env) {
    err_at(v->c, v->env->called);
    v->signalled = v->env;
  }
  return false;
}

static bool call_delay(vm *v, arr *x, arr *y, arr **r) {
  if (x) return err_set(v->c, ERR_SYNTAX, "⎕DL takes no left argument");
  if (!verify(v) || !ir_host(v->g, y)) return false;
  if (y->count != 1 || y->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "⎕DL takes a number of seconds");
  double start = now_seconds(), end = start + arr_get_float(y, 0);
  if (!(end >= start)) return err_set(v->c, ERR_DOMAIN, "⎕DL takes a number of seconds");
  for (double left; (left = end - now_seconds()) > 0;) {
    double part = left < 0.05 ? left : 0.05;
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)(part * 1e9)};
    nanosleep(&t, NULL);
    if (interrupted(v->c)) return false;
  }
  v->shy = true;
  return (*r = arr_float(v->c, now_seconds() - start)) != NULL;
}

/* ── characters and types ───────────────────────────────────────────────────────────── */

static arr *ucs(vm *v, arr *y) {
  if (deep(v)) return NULL;
  if (y->type == ET_NEST) {
    int64_t n = y->count ? y->count : 1;
    arr *r = arr_new(v->c, ET_NEST, y->rank, y->shape);
    for (int64_t i = 0; r && i < n; i++)
      if (!(((arr **)r->host)[i] = ucs(v, arr_item(y, i)))) {
        arr_release(v->c, r);
        return NULL;
      }
    return r;
  }
  int64_t top = 0;
  bool chars = elt_is_char((elt)y->type);
  if (!chars && y->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "⎕UCS takes characters or code points"), NULL;
  for (int64_t i = 0; i < y->count; i++) {
    double d = chars ? (double)arr_get_int(y, i) : arr_get_float(y, i);
    if (!(d >= 0 && d <= 0x10FFFF) || d != floor(d))
      return err_set(v->c, ERR_DOMAIN, "there is no such character"), NULL;
    if ((int64_t)d > top) top = (int64_t)d;
  }
  elt t = chars ? elt_for_range(0, top) : top < 0x100 ? ET_C8 : top < 0x10000 ? ET_C16 : ET_C32;
  arr *r = arr_new(v->c, t, y->rank, y->shape);
  for (int64_t i = 0; r && i < y->count; i++)
    arr_put_int(r, i, chars ? arr_get_int(y, i) : (int64_t)arr_get_float(y, i));
  return r;
}

/* 'UTF-8' ⎕UCS: text to its bytes, bytes to text. */
static arr *ucs_utf8(vm *v, arr *x, arr *y) {
  static const char want[] = "UTF-8";
  bool is = x->rank == 1 && x->count == 5 && elt_is_char((elt)x->type);
  for (int64_t i = 0; is && i < 5; i++) is = arr_get_int(x, i) == want[i];
  if (!is) return err_set(v->c, ERR_NONCE, "⎕UCS knows 'UTF-8' in this version"), NULL;
  if (y->rank > 1 || y->type == ET_NEST || y->type == ET_C128)
    return err_set(v->c, y->rank > 1 ? ERR_RANK : ERR_DOMAIN,
                   "a vector of characters or bytes is wanted"),
           NULL;
  str s = {.c = v->c};
  bool chars = elt_is_char((elt)y->type) && y->count, ok = true;
  for (int64_t i = 0; i < y->count && ok; i++) {
    double d = chars ? (double)arr_get_int(y, i) : arr_get_float(y, i);
    if (chars) str_putc(&s, (uint32_t)d);
    else if (d >= 0 && d <= 255 && d == floor(d)) str_put(&s, &(char){(char)(unsigned char)d}, 1);
    else ok = err_set(v->c, ERR_DOMAIN, "a byte is 0 to 255");
  }
  arr *r = NULL;
  if (ok && !s.failed && !chars) r = arr_text(v->c, s.at ? s.at : "", s.n);
  else if (ok && !s.failed && (r = arr_vec(v->c, ET_I16, (int64_t)s.n)))
    for (size_t i = 0; i < s.n; i++) arr_put_int(r, (int64_t)i, (unsigned char)s.at[i]);
  str_free(&s);
  return r;
}

static bool call_ucs(vm *v, arr *x, arr *y, arr **r) {
  if ((x && !ir_host(v->g, x)) || !ir_host(v->g, y)) return false;
  return (*r = x ? ucs_utf8(v, x, y) : ucs(v, y)) != NULL;
}

static bool call_dr(vm *v, arr *x, arr *y, arr **r) {
  static const int16_t numbers[ET_COUNT] = {
      [ET_BIT] = 11,  [ET_I8] = 83,   [ET_I16] = 163, [ET_I32] = 323,
      [ET_I64] = 643, [ET_F32] = 325, [ET_F64] = 645, [ET_C128] = 1289,
      [ET_C8] = 80,   [ET_C16] = 160, [ET_C32] = 320, [ET_NEST] = 326};
  if (x) return err_set(v->c, ERR_NONCE, "conversion by ⎕DR is not in this version");
  return ir_settle(v->g, y) && (*r = arr_int(v->c, numbers[y->type]));
}

static bool convert(vm *v, arr *x, arr *y, elt t, arr **r) {
  if (x) return err_set(v->c, ERR_SYNTAX, "it takes no left argument");
  if (!ir_host(v->g, y)) return false;
  if (y->type > ET_F64) return err_set(v->c, ERR_DOMAIN, "real numbers are wanted");
  if (y->type == t) return *r = arr_retain(y), true;
  arr *a = arr_new(v->c, t, y->rank, y->shape);
  for (int64_t i = 0; a && i < y->count; i++) {
    double d = arr_get_float(y, i);
    if (t == ET_F32 && isfinite(d) && !isfinite((float)d)) {
      err_set(v->c, ERR_DOMAIN, "element %lld is too large", (long long)i + v->sv->io);
      arr_release(v->c, a);
      return false;
    }
    arr_put_float(a, i, d);
  }
  return (*r = a) != NULL;
}

static bool call_f32(vm *v, arr *x, arr *y, arr **r) { return convert(v, x, y, ET_F32, r); }
static bool call_f64(vm *v, arr *x, arr *y, arr **r) { return convert(v, x, y, ET_F64, r); }

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* Characters from..from+n of a as UTF-8, blanks around them left out. */
static bool name_text(vm *v, const arr *a, int64_t from, int64_t n, str *s) {
  if (!elt_is_char((elt)a->type) && a->count)
    return err_set(v->c, ERR_DOMAIN, "a name must be text");
  while (n > 0 && arr_get_int(a, from + n - 1) == ' ') n--;
  while (n > 0 && arr_get_int(a, from) == ' ') from++, n--;
  s->n = 0;
  for (int64_t i = 0; i < n; i++) str_putc(s, (uint32_t)arr_get_int(a, from + i));
  str_put(s, "", 0);
  return !s->failed;
}

static bool is_valid_name(const str *s) {
  lexer l = {.text = s->at, .len = s->n};
  token t = lex_next(&l);
  return (t.kind == TOK_NAME || t.kind == TOK_SYSNAME) && t.begin == 0 && t.end == s->n;
}

static double class_of(vm *v, const str *s, bool fine) {
  if (!is_valid_name(s)) return -1;
  int row = sys_find(s->at, s->n);
  if (row >= 0) return sys_class(row);
  sym *k = sym_find(v, s->at, s->n);
  value x = k ? (v->env ? *env_find(v->env, k, -1) : k->val) : (value){0};
  for (uint32_t i = 0; v->env && k && i < v->env->body->n; i++)
    if (v->env->body->local[i] == k && v->env->slot[i].cls) x = v->env->slot[i];
  if (!fine || !x.cls) return x.cls;
  if (x.cls == C_ARR) return 2.1;
  bool dfn = x.f->kind == F_DFN || x.f->kind == F_DOP || x.f->kind == F_DOPPED;
  return x.cls + (dfn ? 0.2 : 0.3);
}

/* Erases the name where it is seen; false if it cannot be erased. */
static bool erase(vm *v, const str *s) {
  sym *k = sym_find(v, s->at, s->n);
  for (uint32_t i = 0; v->env && k && i < v->env->body->n; i++)
    if (v->env->body->local[i] == k && v->env->slot[i].cls) {
      value_release(v, v->env->slot[i]);
      v->env->slot[i] = (value){0};
      return true;
    }
  return is_valid_name(s) && sys_find(s->at, s->n) < 0 && (!k || name_set(v, k, (value){0}));
}

/* What each name in y stands for, or whether it was erased. */
static bool on_names(vm *v, arr *y, bool erasing, arr **r) {
  str s = {.c = v->c};
  if (!ir_host(v->g, y)) return false;
  bool nested = y->type == ET_NEST, many = nested || y->rank == 2, ok = true;
  if (y->rank > 2 || (nested && y->rank > 1))
    return err_set(v->c, ERR_RANK, "names are a vector or a matrix");
  int64_t n = nested         ? y->count
              : y->rank == 2 ? y->shape[0]
                             : 1,
          each = n && !nested ? y->count / n : 0;
  arr *a = arr_new(v->c, nested && !erasing ? ET_F64 : ET_I8, many, &n);
  ok = a != NULL;
  for (int64_t i = 0; ok && i < n; i++) {
    const arr *t = nested ? arr_item(y, i) : y;
    ok = (t->rank < 2 || !nested) &&
         name_text(v, t, nested ? 0 : i * each, nested ? t->count : each, &s);
    if (ok && erasing) arr_put_int(a, i, erase(v, &s));
    else if (ok) arr_put_float(a, i, class_of(v, &s, nested));
  }
  if (ok && err_is(v->c)) ok = false;
  if (!ok) {
    err_set(v->c, ERR_RANK, "a name must be a vector");
    arr_release(v->c, a);
    a = NULL;
  }
  str_free(&s);
  return (*r = a) != NULL;
}

static bool call_nc(vm *v, arr *x, arr *y, arr **r) {
  if (x) return err_set(v->c, ERR_SYNTAX, "⎕NC takes no left argument");
  return on_names(v, y, false, r);
}

static bool call_ex(vm *v, arr *x, arr *y, arr **r) {
  if (x) return err_set(v->c, ERR_SYNTAX, "⎕EX takes no left argument");
  bool ok = on_names(v, y, true, r);
  v->shy = true;
  return ok;
}

/* ── the table ──────────────────────────────────────────────────────────────────────── */

static const sys_row rows[] = {
    {"⎕", C_ARR, get_quad, set_quad, NULL},
    {"⍞", C_ARR, get_quote, set_quote, NULL},
    {"⎕IO", C_ARR, get_io, set_io, NULL},
    {"⎕CT", C_ARR, get_ct, set_ct, NULL},
    {"⎕PP", C_ARR, get_pp, set_pp, NULL},
    {"⎕PW", C_ARR, get_pw, set_pw, NULL},
    {"⎕ML", C_ARR, get_one, set_ml, NULL},
    {"⎕DIV", C_ARR, get_zero, set_div, NULL},
    {"⎕A", C_ARR, get_letters, NULL, NULL},
    {"⎕D", C_ARR, get_digits, NULL, NULL},
    {"⎕TS", C_ARR, get_ts, NULL, NULL},
    {"⎕AI", C_ARR, get_ai, NULL, NULL},
    {"⎕ARG", C_ARR, get_arg, NULL, NULL},
    {"⎕EN", C_ARR, get_en, NULL, NULL},
    {"⎕DM", C_ARR, get_dm, NULL, NULL},
    {"⎕OFF", C_FN, get_off, NULL, call_off},
    {"⎕UCS", C_FN, NULL, NULL, call_ucs},
    {"⎕DR", C_FN, NULL, NULL, call_dr},
    {"⎕NC", C_FN, NULL, NULL, call_nc},
    {"⎕EX", C_FN, NULL, NULL, call_ex},
    {"⎕DL", C_FN, NULL, NULL, call_delay},
    {"⎕F32", C_FN, NULL, NULL, call_f32},
    {"⎕F64", C_FN, NULL, NULL, call_f64},
    {"⎕SIGNAL", C_FN, NULL, NULL, call_signal},
};

int sys_find(const char *name, size_t n) {
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n)) return (int)i;
  return -1;
}

int sys_class(int row) { return rows[row].nc; }
const char *sys_name(int row) { return rows[row].name; }
arr *sys_get(vm *v, env *e, int row) { return rows[row].get(v, e); }

bool sys_set(vm *v, env *e, int row, value x) {
  if (!rows[row].set) return err_set(v->c, ERR_SYNTAX, "%s cannot be assigned", rows[row].name);
  /* The journal keeps names, not system variables: what is pending is checked first. */
  return verify(v) && rows[row].set(v, e, x);
}

bool sys_call(vm *v, int row, arr *x, arr *y, arr **r) { return rows[row].call(v, x, y, r); }
