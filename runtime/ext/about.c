/* SPDX-License-Identifier: MIT */
/* about.c - facts about names besides their values: ⎕AT ⎕ATX, ⎕LOCK, ⎕REFS, ⎕SIZE; the source of a
 * scripted namespace: ⎕SRC; the user and the terminal: ⎕AN ⎕SD.
 *
 * What a definition by ∇ is like stands in its tree (lexer/tree.h): header, lock, when it was
 * made. Little is known of anything else; the answers are Dyalog's for such things. */
#include "about.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "../../src/lexer/token.h"
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* Is y one name, so that the answer is not one for each of several? */
static bool is_one(const arr *y) { return is_nested(y) ? !y->rank : y->rank < 2; }

/* The i-th name and what it stands for, borrowed; none if it is none. */
static bool named(vm *v, const names_in *names, int64_t i, str *s, value *x) {
  *x = (value){0};
  return !interrupted(v->c) && name_at(v, names, i, s) &&
         (name_value(v, s, x) || !err_is(v->c));
}

static bool is_defined(value x) { return x.cls > C_ARR && fn_is_trad(x.f); }
static bool is_dfn(value x) {
  return x.cls > C_ARR && (x.f->kind == F_DFN || x.f->kind == F_DOP);
}

/* ── ⎕AN ⎕SD ────────────────────────────────────────────────────────────────────────── */

static arr *about_text(vm *v, const char *z) { return arr_text(v->c, z, strlen(z)); }

/* The user's name, as far as the program may know it. */
static const char *user_name(const vm *v) {
  const struct passwd *user = v->c->may & MAY_ENV ? getpwuid(getuid()) : NULL;
  return user ? user->pw_name : "";
}

arr *ext_an(vm *v) {
  return ext_may(v, MAY_ENV, "⎕AN") ? about_text(v, user_name(v)) : NULL;
}

/* Lines and columns of the terminal; what is usual where there is none. */
arr *ext_sd(vm *v) {
  int lines, columns = terminal_of(v, &lines);
  if (!lines) lines = 24;
  if (!columns) columns = 80;
  return arr_int_vec(v->c, 2, (int64_t[]){lines, columns});
}

/* ── ⎕SIZE ──────────────────────────────────────────────────────────────────────────── */

/* Bytes of an array, as if it shared none; -1: an error. Numbers count in the narrowest type that holds
 * them, for host and device choose by different rules. */
static int64_t about_bytes(vm *v, arr *a) {
  int64_t own = (int64_t)arr_header(a->rank);
  if (a->ref) return own;
  if (!is_nested(a)) {
    arr *code = NULL;
    if (!sys_dr(v, NULL, a, &code)) return -1;
    int64_t bits = arr_get_int(code, 0) / 10;
    arr_release(code);
    return own + (a->count / 8 * bits + (a->count % 8 * bits + 7) / 8);
  }
  if (!ir_host(v->g, a) || out_of_stack(v->c)) return -1;
  for (int64_t i = 0; i < arr_item_count(a); i++) {
    int64_t n = stops_at(v->c, i) ? -1 : about_bytes(v, arr_item(a, i));
    if (n < 0) return -1;
    own += n + (int64_t)sizeof(arr *);
  }
  return own;
}

static int64_t bytes_of_function(vm *v, const fn *f) {
  OWNED_STR str s = {.c = v->c};
  if (fn_is_trad(f)) fn_put_trad(f, &s);
  else fn_text(f, &s);
  return s.failed ? -1 : (int64_t)(sizeof *f + s.n);
}

static int64_t bytes_of_value(vm *v, value x) {
  if (!x.cls) return 0;
  if (x.num) return (int64_t)arr_header(0) + 8;
  return x.cls == C_ARR ? about_bytes(v, x.a) : bytes_of_function(v, x.f);
}

/* A namespace with what its names stand for, other namespaces apart. */
static int64_t size_of(vm *v, value x) {
  if (x.cls != C_ARR || !x.a->ref) return bytes_of_value(v, x);
  const space *p = space_of(x.a);
  int64_t all = (int64_t)(sizeof *p + p->cap * sizeof *p->at);
  for (uint32_t i = 0; i < p->n; i++) {
    int64_t n = bytes_of_value(v, *space_read(&p->at[i]));
    if (n < 0) return -1;
    all += n;
  }
  return all;
}

bool ext_size(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  names_in names;
  UNUSED(x);
  if (!names_open(v, y, &names)) return false;
  OWNED arr *sizes = arr_vec(v->c, ET_I64, names.n);
  for (int64_t i = 0; sizes && i < names.n; i++) {
    value k;
    int64_t n = named(v, &names, i, &s, &k) ? size_of(v, k) : -1;
    if (n < 0) return false;
    arr_put_int(sizes, i, n);
  }
  return give_result(r, arr_move(&sizes));
}

/* ── what is known of one ───────────────────────────────────────────────────────────── */

enum { SYNTAX = 3, STAMP = 7 };

/* Result, valence, operands. */
static void syntax_of(value x, int64_t *to) {
  memset(to, 0, SYNTAX * sizeof *to);
  if (x.cls <= C_ARR) return;
  const trad *t = fn_is_trad(x.f) ? x.f->node->trad : NULL;
  to[0] = t ? t->result.n != 0 : 1;
  if (t && t->shy) to[0] = -1;
  to[1] = -2;
  if (t && t->niladic) to[1] = 0;
  else if (t && !t->left) to[1] = 1;
  else if (t && !t->optional) to[1] = 2;
  if (x.cls == C_OP && x.f->kind == F_OPER) to[2] = oper_find(x.f->code)->valence;
  else if (x.cls == C_OP) to[2] = x.f->valence;
}

/* When a definition was made, as in ⎕TS but without milliseconds; false: unknown. */
static bool stamp_of(value x, int64_t *to) {
  struct tm d;
  memset(to, 0, STAMP * sizeof *to);
  if (!is_defined(x) || fn_is_locked(x.f)) return false;
  time_t at = (time_t)x.f->node->trad->fixed;
  localtime_r(&at, &d);
  const int part[] = {d.tm_year + 1900, d.tm_mon + 1, d.tm_mday,
                      d.tm_hour,        d.tm_min,     d.tm_sec};
  for (size_t i = 0; i < ARRAY_LEN(part); i++) to[i] = part[i];
  return true;
}

static int64_t lock_of(value x) { return is_defined(x) ? x.f->node->trad->lock : 0; }

static arr *author_of(vm *v, value x) {
  bool known = is_defined(x) && !fn_is_locked(x.f);
  return about_text(v, known ? user_name(v) : "");
}

/* ── ⎕AT ────────────────────────────────────────────────────────────────────────────── */

enum { VALENCES = 1, TIMES, EXECUTION, SIZES };
static const int columns_of[] = {
    [VALENCES] = SYNTAX, [TIMES] = STAMP, [EXECUTION] = 4, [SIZES] = 2};

/* What APL2 tells: columns_of[what] numbers. */
static bool told_of(vm *v, value x, int64_t what, int64_t *to) {
  memset(to, 0, STAMP * sizeof *to);
  if (what == VALENCES) {
    syntax_of(x, to);
    to[0] = to[0] != 0 || x.cls == C_ARR;
    if (to[1] < 0) to[1] = 2;
  } else if (what == TIMES) stamp_of(x, to);
  else if (what == EXECUTION) {
    to[0] = lock_of(x) & LOCK_TEXT;
    to[1] = (lock_of(x) & LOCK_SUSPENSION) != 0;
  } else to[0] = to[1] = size_of(v, x);
  return to[0] >= 0;
}

static arr *numbers_of_names(vm *v, arr *y, int64_t what) {
  OWNED_STR str s = {.c = v->c};
  names_in names;
  if (!names_open(v, y, &names)) return NULL;
  int64_t shape[] = {names.n, columns_of[what]}, row[STAMP];
  bool one = is_one(y);
  OWNED arr *r = arr_new(v->c, ET_I64, one ? 1 : 2, one ? shape + 1 : shape);
  for (int64_t i = 0; r && i < names.n; i++) {
    value x;
    if (!named(v, &names, i, &s, &x) || !told_of(v, x, what, row)) return NULL;
    for (int64_t k = 0; k < shape[1]; k++) arr_put_int(r, i * shape[1] + k, row[k]);
  }
  return arr_move(&r);
}

/* Header, time, lock, author. */
static bool add_attributes(vm *v, value x, arr_list *to) {
  int64_t syntax[SYNTAX], stamp[STAMP];
  syntax_of(x, syntax);
  stamp_of(x, stamp);
  return list_add(to, arr_int_vec(v->c, SYNTAX, syntax)) &&
         list_add(to, arr_int_vec(v->c, STAMP, stamp)) &&
         list_add(to, arr_int(v->c, lock_of(x))) && list_add(to, author_of(v, x));
}

static arr *attributes(vm *v, arr *y) {
  OWNED_STR str s = {.c = v->c};
  OWNED_LIST arr_list items = {.v = v};
  names_in names;
  if (!names_open(v, y, &names)) return NULL;
  int64_t shape[] = {names.n, 4};
  for (int64_t i = 0; i < names.n; i++) {
    value x;
    if (!named(v, &names, i, &s, &x) || !add_attributes(v, x, &items)) return NULL;
  }
  if (is_one(y)) return list_array(&items);
  if (!names.n) {
    OWNED arr *like = arr_int_vec(v->c, SYNTAX, (int64_t[SYNTAX]){0});
    return like ? collect_none(v, like, 2, shape) : NULL;
  }
  items.n = 0;
  return collect(v, items.at, 2, shape);
}

bool ext_at(vm *v, arr *x, arr *y, arr **r) {
  int64_t what;
  if (!x) return give_result(r, attributes(v, y));
  return arg_number(v, value_arr(x), VALENCES, SIZES, "⎕AT's left argument", &what) &&
         give_result(r, numbers_of_names(v, y, what));
}

/* ── ⎕ATX ───────────────────────────────────────────────────────────────────────────── */

static int64_t newlines(const source *src, uint32_t from, uint32_t to) {
  int64_t n = 0;
  for (uint32_t i = from; i < to; i++) n += src->text[i] == '\n';
  return n;
}

static bool is_blank(const source *src, size_t from, size_t to) {
  while (from < to && (unsigned char)src->text[from] <= ' ') from++;
  return from == to;
}

origin about_origin(value x) {
  span at = {0};
  if (x.cls == C_ARR && x.a->ref) at = space_of(x.a)->script;
  else if (is_defined(x)) {
    const trad *t = x.f->node->trad;
    at = (span){x.f->u->t->src, t->begin, t->end};
  } else if (is_dfn(x)) at = (span){x.f->u->t->src, x.f->node->begin, x.f->node->end};
  if (!at.src || !*at.src->name) return (origin){.file = ""};
  uint32_t end = at.end;
  while (end > at.begin && at.src->text[end - 1] == '\n') end--;
  return (origin){at.src->name,
                  (int64_t)at.src->first_line - 1 + newlines(at.src, 0, at.begin),
                  1 + newlines(at.src, at.begin, end),
                  is_blank(at.src, 0, at.begin) && is_blank(at.src, end, at.src->len)};
}

/* The lines of the definition that `name` stands for. */
static arr *lines_of(vm *v, const str *name, value x) {
  if (!is_defined(x) && !is_dfn(x)) return items_of(v, 0, NULL);
  OWNED arr *y = arr_text(v->c, name->at, name->n);
  arr *r = NULL;
  return y && sys_nr(v, NULL, y, &r) ? r : NULL;
}

static arr *day_number(vm *v, value x) {
  enum { DAY = 86400, EPOCH = 25568 }; /* 1970-01-01 */
  if (!is_defined(x) || fn_is_locked(x.f)) return arr_int(v->c, 0);
  return arr_float(v->c, EPOCH + (double)x.f->node->trad->fixed / DAY);
}

static arr *time_of(vm *v, value x) {
  int64_t stamp[STAMP];
  return arr_int_vec(v->c, stamp_of(x, stamp) ? STAMP : 0, stamp);
}

/* May a definition's text be shown, may it be suspended? -1: it is no definition. */
static int64_t allows(value x, int64_t lock) {
  return is_defined(x) ? (x.f->node->trad->lock & lock) == 0 : -1;
}

/* The class of a name, and its decimal alone. */
static arr *class_of(vm *v, const str *name, int64_t code) {
  double whole = name_class(v, name, false), fine = name_class(v, name, true);
  if (code == 40) return arr_int(v->c, (int64_t)whole);
  if (code == 41)
    return arr_int(v->c, whole < 0 ? 0 : (int64_t)round((fine - whole) * 10));
  return arr_float(v->c, fine);
}

/* What ⎕ATX calls `code`. */
static arr *fact(vm *v, const str *name, value x, int64_t code) {
  int64_t syntax[SYNTAX], n;
  origin at = about_origin(x);
  syntax_of(x, syntax);
  switch (code) {
  case 0: return arr_text(v->c, name->at, x.cls ? name->n : 0);
  case 10:
  case 11:
  case 12: return arr_int(v->c, syntax[code - 10]);
  case 20: return author_of(v, x);
  case 21: return day_number(v, x);
  case 22: return time_of(v, x);
  case 23: n = size_of(v, x); return n < 0 ? NULL : arr_int(v->c, n);
  case 30: return arr_int(v->c, allows(x, LOCK_TEXT));
  case 31: return arr_int(v->c, allows(x, LOCK_SUSPENSION));
  case 32: return arr_int(v->c, is_defined(x) ? 1 : -1);
  case 40:
  case 41:
  case 42: return class_of(v, name, code);
  case 50: return about_text(v, at.file);
  case 51:
  case 52: return about_text(v, "");
  case 53: return arr_vec(v->c, ET_BIT, 0);
  case 54: return arr_int(v->c, at.line);
  case 55: return arr_int(v->c, at.lines);
  case 60:
  case 61:
  case 62: return lines_of(v, name, x);
  default:
    return err_null(v->c, ERR_DOMAIN, "⎕ATX: there is no attribute %lld",
                    (long long)code);
  }
}

/* One fact of all names; one name's alone if y is no list of names. */
static arr *fact_of_names(vm *v, arr *y, int64_t code) {
  OWNED_STR str s = {.c = v->c};
  OWNED_LIST arr_list items = {.v = v};
  names_in names;
  if (!names_open(v, y, &names)) return NULL;
  for (int64_t i = 0; i < names.n; i++) {
    value x;
    if (!named(v, &names, i, &s, &x) || !list_add(&items, fact(v, &s, x, code)))
      return NULL;
  }
  return is_one(y) ? arr_retain(items.at[0]) : list_array(&items);
}

static arr *facts(vm *v, arr *x, arr *y) {
  OWNED_LIST arr_list items = {.v = v};
  for (int64_t i = 0; i < x->count; i++)
    if (!list_add(&items, fact_of_names(v, y, arr_get_int(x, i)))) return NULL;
  return x->rank ? list_array(&items) : arr_retain(items.at[0]);
}

bool ext_atx(vm *v, arr *x, arr *y, arr **r) {
  if (x->rank > 1 || y->rank > 1)
    return err_set(v->c, ERR_RANK, "⎕ATX takes attributes and names as vectors");
  if (!elt_is_int((elt)x->type) && x->count)
    return err_set(v->c, ERR_DOMAIN, "⎕ATX takes numbers of attributes");
  OWNED arr *all = facts(v, x, y);
  if (!all) return false;
  if (is_nested(y) && !y->rank) return give_result(r, arr_enclose(v->c, all));
  return give_result(r, arr_move(&all));
}

/* ── ⎕LOCK ──────────────────────────────────────────────────────────────────────────── */

bool ext_lock(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  int64_t lock = LOCK_ALL;
  value k;
  if (x && !arg_number(v, value_arr(x), 0, LOCK_ALL, "⎕LOCK's left argument", &lock))
    return false;
  if (!arg_text(v, y, "⎕LOCK", &s)) return false;
  if (!name_value(v, &s, &k))
    return !err_is(v->c) && err_set(v->c, ERR_DOMAIN, "⎕LOCK: %s is no name", s.at);
  v->shy = true;
  if (!is_defined(k)) return give_result(r, arr_int(v->c, 0));
  trad *t = k.f->node->trad;
  t->lock |= (uint8_t)lock;
  if (lock) t->stop = t->trace = NULL;
  return give_result(r, arr_int(v->c, t->lock));
}

/* ── ⎕REFS ──────────────────────────────────────────────────────────────────────────── */

typedef struct scan { /* the names of a text, each once */
  vm *v;
  name_list found;
  token last[2]; /* the tokens before; the latest is the last one */
} scan;

static bool is_punct(const token *t, uint32_t code) {
  return t->kind == TOK_PUNCT && t->code == code;
}

/* Is the name t a control word? It stands right behind a colon that begins a statement, but for :In. */
static bool is_control(const scan *s, const char *text, const token *t) {
  const token *colon = &s->last[1], *before = &s->last[0];
  if (!is_punct(colon, ':') || t->after_blank) return false;
  size_t n = t->end - t->begin;
  bool in = (n == 2 && !strncasecmp(text + t->begin, "In", n)) ||
            (n == 6 && !strncasecmp(text + t->begin, "InEach", n));
  return in || before->kind == TOK_END || is_punct(before, '\n') ||
         is_punct(before, 0x22C4) || is_punct(before, ':');
}

static bool add_name(scan *s, const char *text, const token *t) {
  sym *k = sym_intern(s->v, text + t->begin, t->end - t->begin);
  for (size_t i = 0; k && i < s->found.n; i++)
    if (s->found.at[i] == k) return true;
  return k && vec_push(s->v->c, &s->found, k);
}

static bool scan_names(scan *s, const str *text) {
  lexer l = {.text = text->at, .len = text->n};
  for (token t = lex_next(&l); t.kind > TOK_ERROR; t = lex_next(&l)) {
    bool name = t.kind == TOK_NAME && !is_control(s, text->at, &t);
    if (interrupted(s->v->c) || (name && !add_name(s, text->at, &t))) return false;
    s->last[0] = s->last[1];
    s->last[1] = t;
  }
  return true;
}

static int by_text(const void *a, const void *b) {
  return strcmp((*(const sym *const *)a)->text, (*(const sym *const *)b)->text);
}

/* The text in which the names are: of a locked function its name alone. */
static bool text_with_names(const str *name, value x, str *s) {
  if (!is_defined(x)) str_printf(s, "%s←", name->at);
  if (!is_defined(x)) fn_text(x.f, s);
  else if (fn_is_locked(x.f)) str_puts(s, x.f->node->trad->name->text);
  else fn_put_trad(x.f, s);
  return !s->failed;
}

bool ext_refs(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str text = {.c = v->c};
  OWNED_LIST arr_list items = {.v = v};
  scan s = {.v = v};
  value k;
  UNUSED(x);
  if (!arg_text(v, y, "⎕REFS", &name)) return false;
  if (!name_value(v, &name, &k) && err_is(v->c)) return false;
  if (!is_defined(k) && !is_dfn(k))
    return give_result(r, arr_new(v->c, ET_C8, 2, (int64_t[]){0, 0}));
  bool ok = text_with_names(&name, k, &text) && scan_names(&s, &text);
  if (ok && s.found.n) qsort(s.found.at, s.found.n, sizeof *s.found.at, by_text);
  for (size_t i = 0; ok && i < s.found.n; i++)
    ok = list_add(&items, arr_text(v->c, s.found.at[i]->text, s.found.at[i]->len));
  vec_free(v->c, &s.found);
  OWNED arr *all = ok ? list_array(&items) : NULL;
  prim_env pe = env_of(v);
  return all && give_result(r, prim_mix(&pe, all));
}

/* ── ⎕SRC ───────────────────────────────────────────────────────────────────────────── */

bool ext_src(vm *v, arr *x, arr *y, arr **r) {
  OWNED_LIST arr_list lines = {.v = v};
  UNUSED(x);
  const span at = y->ref ? space_of(y)->script : (span){0};
  if (!at.src)
    return err_set(v->c, ERR_DOMAIN, "⎕SRC takes a namespace that a script has made");
  const char *p = at.src->text + at.begin, *end = at.src->text + at.end, *stop;
  for (; p < end; p = stop + 1) {
    stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    size_t n = (size_t)(stop - p);
    if (n && p[n - 1] == '\r') n--;
    if (interrupted(v->c) || !list_add(&lines, arr_text(v->c, p, n))) return false;
  }
  return give_result(r, list_array(&lines));
}
