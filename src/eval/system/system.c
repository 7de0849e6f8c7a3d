/* SPDX-License-Identifier: MIT */
/* system.c - the ⎕-names, a row each: how a name is read, assigned and called.
 *
 * What is part of the language but has no row answers NONCE ERROR; any other name is a SYNTAX
 * ERROR. Variables that hold one small integer are fields of `sysvars` that their row bounds.
 * Whatever is seen from outside (output, input, time) waits for pending work. */
#include "system.h"
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct sys_row {
  const char *name;
  uint8_t nc,
      valence; /* of a function: 1 monadic, 2 dyadic, 3 both; 4: fetches what it reads */
  sys_getter *get;
  sys_setter *set;
  sys_caller *call;
  uint16_t field; /* without get: an int in sysvars, lo to hi */
  int lo, hi;
  const char *help;
} sys_row;

/* ── output and input ───────────────────────────────────────────────────────────────── */

bool put_out(vm *v, const char *p, size_t n) {
  if (v->cfg.write && n) v->cfg.write(v->cfg.user, 1, p, n);
  return true;
}

static fmt_opts options(const vm *v) {
  bool boxed = v->box.on && (v->box.fns || !v->env);
  return (fmt_opts){.pp = v->sv->pp,
                    .pw = v->box.long_rows ? INT32_MAX : v->sv->pw,
                    .boxed = boxed ? v->box.style : BOX_NONE};
}

/* The arrays that a function's text will show must be at hand. */
static bool fn_host(vm *v, const fn *f) {
  const value part[3] = {f->l, f->m, f->r};
  for (int i = 0; i < 3; i++)
    if (part[i].cls &&
        !(part[i].cls == C_ARR ? ir_host(v->g, part[i].a) : fn_host(v, part[i].f)))
      return false;
  return !f->axis || ir_host(v->g, f->axis);
}

bool show_value(vm *v, value x) {
  str s = {.c = v->c};
  fmt_opts o = options(v);
  if (!verify(v)) return false;
  bool ok = true;
  if (x.cls != C_ARR) ok = fn_host(v, x.f) && fn_show(v, x.f, &o, &s);
  else if ((ok = ir_host(v->g, x.a))) {
    arr *view = record_view(v, x.a);
    ok = !err_is(v->c) && arr_display(v->c, view ? view : x.a, &o, &s);
    arr_release(view);
  }
  ok = ok && !s.failed && put_out(v, s.at, s.n);
  if (ok && s.n) v->open_line.n = 0;
  str_free(&s);
  return ok;
}

static bool set_quad(vm *v, env *e, value x) {
  UNUSED(e);
  return show_value(v, x);
}

/* ⍞← shows a vector or scalar without ending the line, whatever ⎕PW; what is on the line then
 * is kept, for ⍞ reads it as a part of the answer. */
static bool set_quote(vm *v, env *e, value x) {
  str s = {.c = v->c};
  fmt_opts o = options(v);
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⍞ takes an array");
  if (!verify(v) || !ir_host(v->g, x.a)) return false;
  o.pw = INT32_MAX;
  bool ok = arr_display(v->c, x.a, &o, &s);
  if (ok && x.a->rank < 2 && s.n) s.n--;
  ok = ok && !s.failed && put_out(v, s.at, s.n);
  const char *last = s.n ? memrchr(s.at, '\n', s.n) : NULL;
  if (ok && last) v->open_line.n = 0;
  last = last ? last + 1 : s.at;
  if (ok && s.n) str_put(&v->open_line, last, (size_t)(s.at + s.n - last));
  str_free(&s);
  return ok && !v->open_line.failed;
}

enum { LINE_MAX_BYTES = 65536 };

/* One line of input into s, without its line end. EOF INTERRUPT. */
static bool read_line(vm *v, int mode, const char *prompt, str *s) {
  if (!verify(v)) return false;
  char *buf = mem_alloc(v->c, LINE_MAX_BYTES);
  if (!buf) return false;
  ptrdiff_t n =
      v->cfg.read ? v->cfg.read(v->cfg.user, mode, prompt, buf, LINE_MAX_BYTES) : -1;
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
  if (v->open_line.n) str_put(&s, v->open_line.at, v->open_line.n);
  bool ok = read_line(v, 1, "", &s);
  v->open_line.n = 0;
  arr *r = ok ? arr_text(v->c, s.at, s.n) : NULL;
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

/* ── arrays for the ⎕-names' files ──────────────────────────────────────────────────── */

bool sys_number(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n) {
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "%s takes a number", name);
  if (!get_int(v, x.a, n, name)) return false;
  return (*n >= lo && *n <= hi) || err_set(v->c, ERR_DOMAIN, "%s takes %lld to %lld",
                                           name, (long long)lo, (long long)hi);
}

arr *sys_items(vm *v, int64_t n, arr **items) {
  bool ok = true;
  arr *like = NULL, *r = NULL;
  for (int64_t i = 0; i < n; i++) ok = ok && items[i];
  if (ok && n) return collect(v, items, 1, &n);
  for (int64_t i = 0; i < n; i++) arr_release(items[i]);
  if (ok && (like = arr_text(v->c, "", 0))) r = collect_none(v, like, 1, &n);
  arr_release(like);
  return r;
}

arr *sys_pair(vm *v, arr *x, arr *y) { return sys_items(v, 2, (arr *[]){x, y}); }

bool sys_add(vm *v, arr_list *l, arr *a) {
  if (a && vec_push(v->c, l, a)) return true;
  arr_release(a);
  return false;
}

arr *sys_list(vm *v, arr_list *l, bool ok) {
  for (size_t i = 0; !ok && i < l->n; i++) arr_release(l->at[i]);
  arr *r = ok ? sys_items(v, (int64_t)l->n, l->at) : NULL;
  vec_free(v->c, l);
  return r;
}

static bool is_option(const arr *a) {
  return a->type == ET_NEST && a->rank == 1 && a->count == 2 &&
         elt_is_char((elt)arr_item(a, 0)->type) && arr_item(a, 0)->rank < 2;
}

bool sys_options(vm *v, arr *x, bool (*set)(vm *v, void *user, arr *name, arr *value),
                 void *user) {
  if (is_option(x)) return set(v, user, arr_item(x, 0), arr_item(x, 1));
  for (int64_t i = 0; i < x->count; i++) {
    arr *p = x->type == ET_NEST ? arr_item(x, i) : x;
    if (!is_option(p)) return err_set(v->c, ERR_DOMAIN, "⍠ takes names and values");
    if (!set(v, user, arr_item(p, 0), arr_item(p, 1))) return false;
  }
  return true;
}

arr *sys_str(vm *v, str *s) {
  arr *r = s->failed ? NULL : arr_text(v->c, s->at, s->n);
  str_free(s);
  return r;
}

bool sys_utf8(vm *v, arr *a, const char *what, str *s) {
  if (!ir_host(v->g, a)) return false;
  if (a->rank > 1) return err_set(v->c, ERR_RANK, "%s must be a vector", what);
  if (a->count && !elt_is_char((elt)a->type))
    return err_set(v->c, ERR_DOMAIN, "%s must be text", what);
  for (int64_t i = 0; i < a->count; i++) str_putc(s, (uint32_t)arr_get_int(a, i));
  str_put(s, "", 0);
  return !s->failed;
}

/* ── time and surroundings ──────────────────────────────────────────────────────────── */

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
  return arr_int_vec(v->c, 7,
                     (int64_t[]){d.tm_year + 1900, d.tm_mon + 1, d.tm_mday, d.tm_hour,
                                 d.tm_min, d.tm_sec, t.tv_nsec / 1000000});
}

static arr *get_ai(vm *v, env *e) {
  UNUSED(e);
  if (!verify(v)) return NULL;
  int64_t cpu = (int64_t)clock() * 1000 / CLOCKS_PER_SEC;
  return arr_int_vec(
      v->c, 4, (int64_t[]){0, cpu, (int64_t)((now_seconds() - v->opened) * 1000), 0});
}

static arr *get_arg(vm *v, env *e) {
  UNUSED(e);
  arr_list items = {0};
  bool ok = true;
  for (int i = 0; ok && i < v->argc; i++)
    ok = sys_add(v, &items, arr_text(v->c, v->argv[i], strlen(v->argv[i])));
  return sys_list(v, &items, ok);
}

/* A variable of the program's surroundings; empty if there is none of that name. */
static bool call_env(vm *v, arr *x, arr *y, arr **r) {
  str s = {.c = v->c};
  UNUSED(x);
  bool ok = sys_utf8(v, y, "⎕ENV's argument", &s);
  const char *text = ok && v->cfg.getenv ? v->cfg.getenv(v->cfg.user, s.at) : NULL;
  *r = ok ? arr_text(v->c, text ? text : "", text ? strlen(text) : 0) : NULL;
  str_free(&s);
  return *r != NULL;
}

/* Bytes that an array may take. */
static arr *get_wa(vm *v, env *e) {
  UNUSED(e);
  int64_t pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  int64_t left = pages > 0 && size > 0 ? pages * size : 0, max = (int64_t)v->c->bytes_max;
  if (max && max - (int64_t)v->c->bytes_live < left)
    left = max - (int64_t)v->c->bytes_live;
  return arr_int(v->c, left);
}

static arr *get_wsid(vm *v, env *e) {
  UNUSED(e);
  return arr_text(v->c, v->wsid.n ? v->wsid.at : "CLEAR WS", v->wsid.n ? v->wsid.n : 8);
}

static bool set_wsid(vm *v, env *e, value x) {
  str s = {.c = v->c};
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⎕WSID takes a name");
  bool ok = sys_utf8(v, x.a, "⎕WSID", &s);
  str *out = ok ? &v->wsid : &s, old = *out;
  if (ok) *out = s;
  str_free(&old);
  return ok;
}

static bool call_delay(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  if (!verify(v)) return false;
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
  UNUSED(x);
  UNUSED(r);
  return sys_number(v, (value){.cls = C_ARR, .a = y}, 0, 255, "⎕OFF", &n) &&
         switch_off(v, (int)n);
}

/* ── the table ──────────────────────────────────────────────────────────────────────── */

#define INT(f, lo, hi) NULL, NULL, NULL, offsetof(sysvars, f), lo, hi
#define VAR(get, set) get, set, NULL, 0, 0, 0
#define CALL(f) NULL, NULL, f, 0, 0, 0
#define OPER(code) NULL, NULL, NULL, 0, code, 0
static const sys_row rows[] = {
    {"⎕", C_ARR, 0, VAR(get_quad, set_quad),
     "asks for an expression and gives its value; ⎕←y shows y"},
    {"⍞", C_ARR, 0, VAR(get_quote, set_quote),
     "a line typed, as text; ⍞←y shows y without ending the line"},
    {"⎕IO", C_ARR, 0, INT(io, 0, 1), "where indices start: 1, or 0"},
    {"⎕ML", C_ARR, 0, INT(ml, 0, 3),
     "migration level, 0 to 3: what ∊ ↑ ⊃ ≡ ⊂ mean; 1 is usual"},
    {"⎕DIV", C_ARR, 0, INT(div, 0, 1),
     "1: a quotient by 0 is 0; 0: 0÷0 is 1, others are errors"},
    {"⎕PP", C_ARR, 0, INT(pp, 1, 34), "significant digits that are shown, 1 to 34"},
    {"⎕PW", C_ARR, 0, INT(pw, 42, 32767), "columns of a line, 42 to 32767"},
    {"⎕CT", C_ARR, 0, VAR(sys_get_ct, sys_set_ct), "relative tolerance of comparisons"},
    {"⎕FR", C_ARR, 0, VAR(sys_get_fr, sys_set_fr), "representation of floats: 645"},
    {"⎕RL", C_ARR, 0, VAR(sys_get_rl, sys_set_rl),
     "the seed of ? and, after a draw, its state"},
    {"⎕WSID", C_ARR, 0, VAR(get_wsid, set_wsid), "the workspace's name"},
    {"⎕A", C_ARR, 0, VAR(sys_get_letters, NULL), "the letters A to Z"},
    {"⎕D", C_ARR, 0, VAR(sys_get_digits, NULL), "the digits 0 to 9"},
    {"⎕AV", C_ARR, 0, VAR(sys_get_av, NULL), "256 characters, Dyalog's classic set"},
    {"⎕TC", C_ARR, 0, VAR(sys_get_tc, NULL), "backspace, line feed, carriage return"},
    {"⎕TS", C_ARR, 0, VAR(get_ts, NULL),
     "now: year, month, day, hour, minute, second, millisecond"},
    {"⎕AI", C_ARR, 0, VAR(get_ai, NULL),
     "user; milliseconds: of the processor, since the start, of typing"},
    {"⎕WA", C_ARR, 0, VAR(get_wa, NULL), "bytes that are free"},
    {"⎕ARG", C_ARR, 0, VAR(get_arg, NULL), "the arguments of the script"},
    {"⎕EN", C_ARR, 0, VAR(sys_get_en, NULL), "the number of the last error"},
    {"⎕DM", C_ARR, 0, VAR(sys_get_dm, NULL), "the last error: name, line, caret"},
    {"⎕DMX", C_ARR, 0, VAR(sys_get_dmx, NULL),
     "the last error by fields: ⎕DMX.(EN EM Message …)"},
    {"⎕OFF", C_FN, 1, get_off, NULL, call_off, 0, 0, 0,
     "⎕OFF n  ends the program with exit code n"},
    {"⎕UCS", C_FN, 3, CALL(sys_ucs), "characters ↔ code points; 'UTF-8' ⎕UCS y  bytes"},
    {"⎕C", C_FN, 3, CALL(sys_case),
     "y with its case folded; 1 ⎕C y  upper case, ¯1 ⎕C y  lower case"},
    {"⎕VFI", C_FN, 3, CALL(sys_vfi),
     "numbers in a text: which words are valid, and their values; x: separators"},
    {"⎕DR", C_FN, 3 | 4, CALL(sys_dr),
     "how y is stored; x ⎕DR y  read as, or converted to, another type"},
    {"⎕F32", C_FN, 1, CALL(sys_f32), "y as 32-bit floats"},
    {"⎕F64", C_FN, 1, CALL(sys_f64), "y as 64-bit floats"},
    {"⎕NC", C_FN, 1, CALL(sys_nc),
     "classes of names: 2 array, 3 function, 4 operator, 0 none"},
    {"⎕NL", C_FN, 3, CALL(sys_nl), "names of the classes y, from the letters x"},
    {"⎕EX", C_FN, 1, CALL(sys_ex), "forgets names: 1 for each that is gone"},
    {"⎕CR", C_FN, 1, CALL(sys_cr), "the text of a function as a matrix"},
    {"⎕NR", C_FN, 1, CALL(sys_nr), "the text of a function as lines"},
    {"⎕VR", C_FN, 1, CALL(sys_vr), "the text of a function, numbered"},
    {"⎕DL", C_FN, 1, CALL(call_delay), "waits y seconds"},
    {"⎕ENV", C_FN, 1, CALL(call_env), "an environment variable"},
    {"⎕EM", C_FN, 1, CALL(sys_em), "the message of an error number"},
    {"⎕SIGNAL", C_FN, 3, CALL(sys_signal), "[message] ⎕SIGNAL n  makes an error"},
    {"⍎", C_FN, 3, CALL(sys_execute),
     "runs the text y: the value of its last statement, or none"},
    {"⎕FMT", C_FN, 3, CALL(sys_fmt),
     "y as a character matrix; x ⎕FMT y  a report by the format x"},
    {"⎕R", C_OP, 0, OPER(OP_QUAD_R), "'pattern' ⎕R 'new' ⊢text  replaces"},
    {"⎕S", C_OP, 0, OPER(OP_QUAD_S),
     "'pattern' ⎕S what ⊢text  finds; what: 0 offset, 1 length, or text"},
    {"⎕OPT", C_OP, 0, OPER(OP_VARIANT), "as ⍠"},
};

/* What Dyalog APL has and this version has not. */
static const char elsewhere[] =
    " AN ARBIN ARBOUT AT ATX AVU BASE CLASS CLEAR CMD CS CSV CT CY DCT DF DQ DT ED "
    "EXCEPTION EXPORT"
    " FAPPEND FAVAIL FCHK FCOPY FCREATE FDROP FERASE FHIST FHOLD FIX FLIB FNAMES FNUMS "
    "FPROPS"
    " FRDAC FRDCI FREAD FRENAME FREPLACE FRESIZE FSIZE FSTAC FSTIE FTIE FUNTIE FX "
    "INSTANCES JSON"
    " KL LC LOAD LOCK LX MAP MKDIR MONITOR NA NAPPEND NATTRIBUTES NCOPY NCREATE NDELETE "
    "NERASE NEW"
    " NEXISTS NGET NINFO NLOCK NMOVE NNAMES NNUMS NPARTS NPUT NQ NREAD NRENAME NREPLACE "
    "NRESIZE NS"
    " NSI NSIZE NTIE NULL NUNTIE NXLATE OR PATH PFKEY PROFILE REFS RSI RTL SAVE SD SE SH"
    " SHADOW SHELL SI SM SPACE SR SRC STACK STATE STOP SVC SVO SVQ SVR SVS TALLOC TCNUMS "
    "TGET THIS"
    " TID TKILL TNAME TNUMS TPOOL TPUT TRACE TRAP TREQ TSYNC UCSX USING VGET VSET WC WG "
    "WN WS WX XML"
    " XSI XT ";

bool sys_known(const char *name, size_t n) {
  char word[16] = " ";
  size_t skip = strlen("⎕");
  if (n <= skip || n - skip > sizeof word - 3) return false;
  memcpy(word + 1, name + skip, n - skip);
  word[n - skip + 1] = ' ';
  return strstr(elsewhere, word) != NULL;
}

int sys_find(const char *name, size_t n) {
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n)) return (int)i;
  return -1;
}

int sys_class(int row) { return rows[row].nc; }
uint32_t sys_oper(int row) { return (uint32_t)rows[row].lo; }
const char *sys_name(int row) {
  return row < (int)ARRAY_LEN(rows) ? rows[row].name : NULL;
}
const char *sys_help(int row) { return rows[row].help; }

arr *sys_get(vm *v, env *e, int row) {
  const sys_row *w = &rows[row];
  if (w->get) return w->get(v, e);
  return arr_int(v->c, *(const int *)((const char *)e->sv + w->field));
}

bool sys_set(vm *v, env *e, int row, value x) {
  const sys_row *w = &rows[row];
  int64_t n;
  if (!w->set && !w->field)
    return err_set(v->c, ERR_SYNTAX, "%s cannot be assigned", w->name);
  /* The journal keeps names, not system variables: what is pending is checked first. */
  if (!verify(v)) return false;
  if (w->set) return w->set(v, e, x);
  if (!sys_number(v, x, w->lo, w->hi, w->name, &n)) return false;
  *(int *)((char *)sys_own(v, e) + w->field) = (int)n;
  return true;
}

bool sys_call(vm *v, int row, arr *x, arr *y, arr **r) {
  const sys_row *w = &rows[row];
  *r = NULL;
  if (x && !(w->valence & 2))
    return err_set(v->c, ERR_SYNTAX, "%s takes no left argument", w->name);
  bool at_hand = (w->valence & 4) || ((!x || ir_host(v->g, x)) && ir_host(v->g, y));
  return at_hand && w->call(v, x, y, r);
}
