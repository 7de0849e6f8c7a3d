/* SPDX-License-Identifier: MIT */
/* profile.c - ⎕PROFILE and ]profile: where time goes, by functions and their lines.
 *
 * While it measures, the evaluator tells of each call, each line, each return (vm.watch). The clock
 * is read then, and what has passed is put down to the place that was running: a node of the tree
 * of calls, which alternates between functions and lines.
 *
 *   f ─┬─ [1]
 *      └─ [2] ─── g ─┬─ [1]       exclusive: what was put down to a node itself
 *                    └─ [2]       inclusive: that, and what is below it
 *
 * So nothing is counted twice, and the sum of all is the time that has passed. A kernel of lazy
 * work that runs on the host is put down to the line whose statement made it, if that is known; so
 * is the device's own time, which is told apart. Functions that become kernels (f¨, f/) are a part
 * of the line that applies them. */
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/error.h"
#include "../../src/eval/system/show.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/base/utf8.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

typedef enum timer { NO_TIMER, CPU, ELAPSED, COUNTS, COVERAGE } timer;
static const char *const timer_names[] = {"", "CPU", "elapsed", "none", "coverage"};

/* ── the tree ───────────────────────────────────────────────────────────────────────── */

/* Figures of a function, or of a line. reads: of the clock. all_: including its calls. */
typedef struct figures {
  double ns, all_ns, device_ns;
  uint64_t calls, reads, all_reads;
} figures;

typedef struct node {
  struct node *parent, *child, *next, *recent; /* recent: the child that was found last */
  uint32_t fn;
  int64_t line;         /* -1: the whole function */
  double ns, device_ns; /* that were put down to it */
  uint64_t calls;
  figures is; /* what figures_of made of them */
} node;

typedef struct row { /* all nodes of a function or line */
  figures is;
  uint32_t open; /* how many of them are above the node that is visited */
} row;

typedef struct func {
  unit *u; /* keeps the definition */
  const tnode *node;
  str name;
  VEC(row) rows; /* the whole, then its lines from 0 on */
} func;

typedef struct maker { /* of the nodes of lazy work with numbers below `end` */
  uint64_t end;
  node *at;
} maker;

enum { MAKERS = 1 << 16 }; /* that are remembered; half of them go when it is full */

typedef struct profile {
  timer by;
  bool active, failed;
  node root, *at;
  uint32_t lost; /* calls that have no node */
  double last;
  uint64_t made,
      from; /* numbers of nodes of lazy work: at the last reading, the first known */
  VEC(maker) makers;
  double bias, grain; /* ms */
  VEC(func) fns;
} profile;

typedef struct profiles {
  profile asked, own; /* of ⎕PROFILE, of ]profile */
  profile *now;       /* that measures */
  ir_onlooker lazy;
} profiles;

static void clear(vm *v, profile *p) {
  for (node *n = p->root.child, *up; n; n = up) {
    if (n->child) {
      up = n->child;
      n->child = NULL;
      continue;
    }
    up = n->next;
    if (!up && n->parent != &p->root) up = n->parent;
    mem_free(v->c, n);
  }
  for (size_t i = 0; i < p->fns.n; i++) {
    func *f = &p->fns.at[i];
    unit_release(f->u);
    str_free(&f->name);
    vec_free(v->c, &f->rows);
  }
  vec_free(v->c, &p->fns);
  vec_free(v->c, &p->makers);
  *p = (profile){.root = {.line = -1}};
}

static void close_profiles(vm *v, void *state) {
  profiles *k = state;
  clear(v, &k->asked);
  clear(v, &k->own);
}

static profiles *profiles_of(vm *v) {
  profiles *k = ext_state_of(v, close_profiles, sizeof *k);
  if (k && !k->asked.root.line) k->asked.root.line = k->own.root.line = -1;
  return k;
}

/* ── measuring ──────────────────────────────────────────────────────────────────────── */

static double read_clock(timer by) {
  struct timespec t;
  clockid_t which = by == CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  /* A browser has no other clock. */
  if (clock_gettime(which, &t)) clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A profile must not make the program fail: without memory it is not complete. */
static void lose(vm *v, profile *p) {
  p->failed = true;
  if (v->c->err.code == ERR_WS_FULL) err_clear(v->c);
}

/* The nodes of lazy work that came since the last reading are made by the node that ran. */
static void note_maker(vm *v, profile *p) {
  uint64_t now = *v->clock;
  if (now == p->made) return;
  if (p->makers.n == MAKERS) {
    p->makers.n /= 2;
    p->from = p->makers.at[p->makers.n - 1].end;
    memmove(p->makers.at, p->makers.at + p->makers.n, p->makers.n * sizeof *p->makers.at);
  }
  if (!vec_push(v->c, &p->makers, ((maker){now, p->at}))) lose(v, p);
  p->made = now;
}

/* The function that made node number seq; the running one, if that is unknown. */
static node *maker_of(const profile *p, uint64_t seq) {
  size_t from = 0, to = p->makers.n;
  while (from < to) {
    size_t i = from + (to - from) / 2;
    if (p->makers.at[i].end <= seq) from = i + 1;
    else to = i;
  }
  bool known = from < p->makers.n && seq >= p->from;
  return known ? p->makers.at[from].at : p->at;
}

/* What has passed goes to the node that ran. */
static void charge(vm *v, profile *p) {
  if (!p->active || p->by > ELAPSED) return;
  double t = read_clock(p->by);
  p->at->ns += t - p->last;
  p->last = t;
  note_maker(v, p);
}

/* Kernels run for node number seq and are charged to its maker; then the waiting function runs again. */
static void *on_work(void *user, uint64_t seq) {
  vm *v = user;
  profile *p = profiles_of(v)->now;
  node *waits = p->at;
  charge(v, p);
  p->at = maker_of(p, seq);
  return waits;
}

static void on_work_ended(void *user, void *waits) {
  vm *v = user;
  profile *p = profiles_of(v)->now;
  charge(v, p);
  p->at = waits;
}

static void on_device(void *user, uint64_t seq, double ns) {
  profile *p = profiles_of(user)->now;
  maker_of(p, seq)->device_ns += ns;
}

/* The child of n for the function or line; made where it is not. NULL: no memory. */
static node *child_of(vm *v, node *n, uint32_t of, int64_t line) {
  node **at = &n->child, *k = n->recent;
  if (k && k->fn == of && k->line == line) return k;
  while (*at && ((*at)->fn != of || (*at)->line != line) &&
         (line < 0 || (*at)->line < line))
    at = &(*at)->next;
  k = *at;
  if (!k || k->fn != of || k->line != line) {
    k = mem_zalloc(v->c, sizeof *k);
    if (!k) return NULL;
    *k = (node){.parent = n, .next = *at, .fn = of, .line = line};
    *at = k;
  }
  n->recent = k;
  return k;
}

/* The name as ⎕SI has it, behind the namespace's. */
static bool profile_put_name(vm *v, const env *e, str *s) {
  const arr *shown = e->space ? arr_ref_text(e->space) : NULL;
  for (int64_t i = 0; shown && i < shown->count; i++)
    str_putc(s, (uint32_t)arr_get_int(shown, i));
  str_puts(s, shown ? "." : "#.");
  size_t n = s->n;
  call_name(v, e, s);
  if (s->n == n) str_puts(s, "{…}");
  str_put(s, "", 0);
  return !s->failed;
}

/* The number of the function that runs in e. */
static bool func_of(vm *v, profile *p, const env *e, uint32_t *number) {
  const tnode *def = e->self->node;
  uint32_t i = 0;
  while (i < p->fns.n && p->fns.at[i].node != def) i++;
  *number = i;
  if (i < p->fns.n) return true;
  func f = {.node = def, .name = {.c = v->c}};
  if (!profile_put_name(v, e, &f.name) || !vec_push(v->c, &p->fns, f)) {
    str_free(&f.name);
    return false;
  }
  p->fns.at[i].u = unit_retain(e->self->u);
  return true;
}

static profile *measuring(vm *v) { return profiles_of(v)->now; }

static void on_enter(vm *v, const env *e) {
  profile *p = measuring(v);
  uint32_t of;
  node *n = NULL;
  charge(v, p);
  if (!p->lost && func_of(v, p, e, &of)) n = child_of(v, p->at, of, -1);
  if (n) {
    p->at = n;
    n->calls++;
  } else {
    p->lost++;
    lose(v, p);
  }
}

static node *function_at(const profile *p) {
  return p->at->line < 0 ? p->at : p->at->parent;
}

static void on_line(vm *v, uint32_t line) {
  profile *p = measuring(v);
  node *f = function_at(p);
  if (p->lost || f == &p->root) return;
  charge(v, p);
  node *n = child_of(v, f, f->fn, line);
  if (!n) lose(v, p);
  if (!n) return;
  p->at = n;
  n->calls++;
}

static void on_leave(vm *v) {
  profile *p = measuring(v);
  if (!p) return;
  charge(v, p);
  if (p->lost) p->lost--;
  else if (function_at(p) != &p->root) p->at = function_at(p)->parent;
}

static const call_watch watch = {on_enter, on_line, on_leave};

/* Calls that go on were entered without it, or are forgotten: they return to the root. */
static void profile_start(vm *v, profiles *k, profile *p, timer by) {
  p->by = by;
  p->active = true;
  if (!p->at) p->at = &p->root;
  k->now = p;
  v->watch = &watch;
  p->makers.n = 0;
  p->made = p->from = *v->clock;
  k->lazy = (ir_onlooker){on_work, on_work_ended, on_device, v};
  if (by <= ELAPSED) ir_look_on(v->g, &k->lazy);
  p->last = by > ELAPSED ? 0 : read_clock(by);
}

static void stop(vm *v, profile *p) {
  if (p->at) charge(v, p);
  p->active = false;
  v->watch = NULL;
  ir_look_on(v->g, NULL);
}

/* ── figures ────────────────────────────────────────────────────────────────────────── */

typedef struct visit {
  vm *v;
  profile *p;
  node *at;
  int depth; /* of at: 0 is a function that was called from outside */
} visit;

/* The node after at, those below it first, each of which is left in turn; false behind the last. */
static bool go_on(visit *k, void (*left)(const visit *k, node *n)) {
  node *n = k->at, *root = &k->p->root;
  if (n->child) {
    k->at = n->child;
    k->depth++;
    return true;
  }
  for (; n != root && !n->next; n = n->parent, k->depth--)
    if (left) left(k, n);
  if (left) left(k, n);
  k->at = n->next;
  return n != root;
}

static row *profile_row(const visit *k, const node *n) {
  func *f = &k->p->fns.at[n->fn];
  while ((int64_t)f->rows.n <= n->line + 1)
    if (!vec_push(k->v->c, &f->rows, ((row){.open = 0}))) return NULL;
  return &f->rows.at[n->line + 1];
}

/* A line's own time is its function's, too, and its clock was read once more by that one. */
static void add_to_parent(const figures *is, bool line, figures *up) {
  up->all_ns += is->all_ns;
  up->all_reads += is->all_reads;
  if (line) {
    up->ns += is->ns;
    up->device_ns += is->device_ns;
    up->reads += is->reads + is->calls;
    up->all_reads += is->calls;
  } else {
    up->reads += is->calls;
    up->all_reads += is->calls;
  }
}

static void profile_leave(const visit *k, node *n) {
  const figures *is = &n->is;
  if (!n->parent) return;
  row *r = profile_row(k, n);
  r->is.calls += is->calls;
  r->is.reads += is->reads;
  r->is.ns += is->ns;
  r->is.device_ns += is->device_ns;
  if (k->p->by == COVERAGE) r->is.calls = 1;
  if (!--r->open) { /* of a recursion the outermost call has all */
    r->is.all_ns += is->all_ns;
    r->is.all_reads += is->all_reads;
  }
  add_to_parent(is, n->line >= 0, &n->parent->is);
}

/* The figures of all nodes and rows. */
static bool figures_of(vm *v, profile *p) {
  visit k = {v, p, &p->root, -1};
  for (size_t i = 0; i < p->fns.n; i++) p->fns.at[i].rows.n = 0;
  do {
    node *n = k.at;
    n->is = (figures){n->ns, n->ns, n->device_ns, n->calls, n->calls, n->calls};
    if (p->by == COVERAGE && n->calls) n->is.calls = 1;
    if (!n->parent) continue;
    row *r = profile_row(&k, n);
    if (!r || interrupted(v->c)) return false;
    r->open++;
  } while (go_on(&k, profile_leave));
  return true;
}

/* ── ⎕PROFILE ───────────────────────────────────────────────────────────────────────── */

enum { COLUMNS = 8 };

typedef struct
    table { /* the columns of a result, of which the first one may be left out */
  vm *v;
  bool flat, marks; /* marks: ¯1 is the line of a whole function */
  arr_list column[COLUMNS];
} table;

static bool add_row(table *t, int depth, const func *f, int64_t line, const figures *is) {
  ctx *c = t->v->c;
  arr *no_line = t->marks ? arr_int(c, -1) : arr_vec(c, ET_I32, 0);
  arr *cells[COLUMNS] = {arr_int(c, depth),
                         arr_text(c, f->name.at, f->name.n),
                         line < 0 ? arr_retain(no_line) : arr_int(c, line),
                         arr_int(c, (int64_t)is->calls),
                         arr_float(c, is->ns / 1e6),
                         arr_float(c, is->all_ns / 1e6),
                         arr_int(c, (int64_t)is->reads),
                         arr_int(c, (int64_t)is->all_reads)};
  bool ok = true;
  arr_release(no_line);
  for (int i = 0; i < COLUMNS; i++) ok &= list_add(&t->column[i], cells[i]);
  return ok && !interrupted(c);
}

static bool flat_rows(table *t, const profile *p) {
  for (size_t i = 0; i < p->fns.n; i++) {
    const func *f = &p->fns.at[i];
    for (size_t k = 0; k < f->rows.n; k++)
      if (f->rows.at[k].is.calls && !add_row(t, 0, f, (int64_t)k - 1, &f->rows.at[k].is))
        return false;
  }
  return true;
}

static bool tree_rows(table *t, profile *p) {
  visit k = {t->v, p, &p->root, -1};
  while (go_on(&k, NULL)) {
    const node *n = k.at;
    if (!add_row(t, k.depth, &p->fns.at[n->fn], n->line, &n->is)) return false;
  }
  return true;
}

/* The columns that x names, as vectors. */
static arr *columns_of(table *t, const arr *x) {
  vm *v = t->v;
  int from = t->flat, n = COLUMNS - from;
  OWNED_LIST arr_list picked = {.v = v};
  if (x->rank > 1 || (x->count && x->type > ET_F64))
    return err_null(v->c, ERR_DOMAIN, "⎕PROFILE: a vector of columns is wanted");
  for (int64_t i = 0; i < x->count; i++) {
    double d = arr_get_float(x, i) - v->sv->io;
    if (!(d >= 0 && d < n) || d != (double)(int)d)
      return err_null(v->c, ERR_INDEX, "⎕PROFILE: columns are %d to %d", v->sv->io,
                      n - 1 + v->sv->io);
    const arr_list *c = &t->column[from + (int)d];
    OWNED_LIST arr_list copy = {.v = v};
    for (size_t k = 0; k < c->n; k++)
      if (!list_add(&copy, arr_retain(c->at[k]))) return NULL;
    if (!list_add(&picked, list_array(&copy))) return NULL;
  }
  return list_array(&picked);
}

static arr *matrix_of(table *t) {
  vm *v = t->v;
  int from = t->flat, n = COLUMNS - from;
  int64_t shape[2] = {(int64_t)t->column[0].n, n};
  OWNED_LIST arr_list all = {.v = v};
  for (int64_t i = 0; i < shape[0]; i++)
    for (int k = from; k < COLUMNS; k++)
      if (!list_add(&all, arr_retain(t->column[k].at[i]))) return NULL;
  if (!all.n) return arr_new(v->c, ET_I32, 2, shape);
  all.n = 0; /* collect takes them over */
  return collect(v, all.at, 2, shape);
}

static bool data(vm *v, profile *p, bool flat, const arr *x, arr **r) {
  table t = {.v = v, .flat = flat, .marks = x != NULL};
  if (p->active) charge(v, p);
  for (int i = 0; i < COLUMNS; i++) t.column[i].v = v;
  bool ok = figures_of(v, p) && (flat ? flat_rows(&t, p) : tree_rows(&t, p));
  if (ok) *r = x ? columns_of(&t, x) : matrix_of(&t);
  for (int i = 0; i < COLUMNS; i++) list_free(&t.column[i]);
  v->shy = false;
  return ok && *r;
}

/* What a reading costs, and how fine it is: the least of many. */
static void calibrate(profile *p) {
  double least = 1e9, fine = 1e9;
  if (p->by != CPU && p->by != ELAPSED) return;
  for (int i = 0; i < 2000; i++) {
    double t = read_clock(p->by), took = read_clock(p->by) - t;
    if (took < least) least = took;
    if (took > 0 && took < fine) fine = took;
  }
  if (p->bias <= 0 || least / 1e6 < p->bias) p->bias = least / 1e6;
  if (p->grain <= 0 || fine / 1e6 < p->grain) p->grain = fine / 1e6;
}

static bool state(vm *v, const profile *p, arr **r) {
  const char *is = p->active ? "active" : "inactive", *by = timer_names[p->by];
  arr *items[] = {arr_text(v->c, is, strlen(is)), arr_text(v->c, by, strlen(by)),
                  arr_float(v->c, p->bias), arr_float(v->c, p->grain)};
  return give_result(r, items_of(v, ARRAY_LEN(items), items));
}

static bool is_word(const str *s, const char *word) { return !strcasecmp(s->at, word); }

/* Whoever else is told of calls goes on. */
static bool is_free(vm *v, const char *who) {
  return !v->watch || v->watch == &watch ||
         err_set(v->c, ERR_NONCE, "%s: ⎕MONITOR counts now, or threads run", who);
}

static bool start_by(vm *v, profiles *k, const str *word) {
  profile *p = &k->asked;
  if (!is_free(v, "⎕PROFILE")) return false;
  timer by = p->by ? p->by : CPU;
  if (word->n) {
    by = CPU;
    while (by <= COVERAGE && !is_word(word, timer_names[by])) by++;
    if (by > COVERAGE)
      return err_set(v->c, ERR_DOMAIN,
                     "⎕PROFILE: a timer is CPU, elapsed, none or coverage");
  }
  if (by != p->by) p->bias = p->grain = 0;
  p->by = by;
  if (p->bias <= 0) calibrate(p);
  profile_start(v, k, p, by);
  return true;
}

static bool act(vm *v, profiles *k, const str *what, const str *word, const arr *x,
                arr **r) {
  profile *p = &k->asked;
  bool flat = is_word(what, "data"), starts = is_word(what, "start");
  if (flat || is_word(what, "tree")) return data(v, p, flat, x, r);
  if (word->n && !starts)
    return err_set(v->c, ERR_DOMAIN, "⎕PROFILE: %s takes nothing more", what->at);
  if (starts && !start_by(v, k, word)) return false;
  else if (is_word(what, "stop")) {
    if (p->active) stop(v, p);
  } else if (is_word(what, "clear")) {
    if (p->active) stop(v, p);
    clear(v, p);
  } else if (is_word(what, "calibrate")) {
    if (!p->by) return err_set(v->c, ERR_DOMAIN, "⎕PROFILE: no timer was chosen yet");
    calibrate(p);
  } else if (!starts && !is_word(what, "state"))
    return err_set(v->c, ERR_DOMAIN,
                   "⎕PROFILE takes start, stop, clear, calibrate, state, data or tree");
  v->shy = !is_word(what, "state");
  return state(v, p, r);
}

bool ext_profile(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str what = {.c = v->c};
  OWNED_STR str word = {.c = v->c};
  profiles *k = profiles_of(v);
  arr *first = is_nested(y) && y->count ? arr_item(y, 0) : y;
  str_put(&word, "", 0);
  if (!k || !arg_text(v, first, "⎕PROFILE", &what)) return false;
  if (is_nested(y) && y->count > 2)
    return err_set(v->c, ERR_LENGTH, "⎕PROFILE takes an action and a timer");
  if (is_nested(y) && y->count == 2 &&
      !arg_text(v, arr_item(y, 1), "⎕PROFILE: a timer", &word))
    return false;
  return act(v, k, &what, &word, x, r) && dist_same_array(v->c, r);
}

/* ── ]profile ───────────────────────────────────────────────────────────────────────── */

typedef enum view { BY_LINE, BY_FUNCTION, AS_TREE } view;

typedef struct report {
  vm *v;
  profile *p;
  view as;
  str csv, folded;      /* files, empty: none */
  const char *at, *end; /* the expression */
} report;

/* The words before the expression. */
static bool read_words(report *k, const char *at, const char *end) {
  static const char csv[] = "-csv=", folded[] = "-folded=";
  while (command_more(&at, end)) {
    words w = {at, end}, word = next_word(&w);
    OWNED_STR str s = {.c = k->v->c};
    put_word(&s, word);
    str_put(&s, "", 0);
    if (s.failed) return false;
    if (is_word(&s, "-lines")) k->as = BY_LINE;
    else if (is_word(&s, "-fns")) k->as = BY_FUNCTION;
    else if (is_word(&s, "-tree")) k->as = AS_TREE;
    else if (!strncasecmp(s.at, csv, strlen(csv))) str_puts(&k->csv, s.at + strlen(csv));
    else if (!strncasecmp(s.at, folded, strlen(folded)))
      str_puts(&k->folded, s.at + strlen(folded));
    else break;
    at = w.at;
  }
  k->at = at;
  k->end = end;
  if (at == end) return err_set(k->v->c, ERR_SYNTAX, "]profile needs an expression");
  return !k->csv.failed && !k->folded.failed;
}

static void profile_put_place(const report *k, uint32_t of, int64_t line, str *s) {
  str_puts(s, k->p->fns.at[of].name.at);
  if (line >= 0) str_printf(s, "[%lld]", (long long)line);
}

enum { SOURCE_COLUMNS = 48 };

/* The text of a line, without the blanks around it. */
static void put_source(const func *f, int64_t line, str *s) {
  const source *src = f->u->t->src;
  const trad *t = f->node->kind == T_TRAD ? f->node->trad : NULL;
  const char *p = src->text + (t ? t->begin : f->node->begin),
             *end = src->text + src->len;
  for (; line > 0 && p; line--) {
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  if (!p || line < 0) return;
  const char *stop = memchr(p, '\n', (size_t)(end - p));
  if (!stop) stop = end;
  if (!t && stop > src->text + f->node->end) stop = src->text + f->node->end;
  while (p < stop && (*p == ' ' || *p == '\t')) p++;
  while (p < stop && (stop[-1] == ' ' || stop[-1] == '\r')) stop--;
  const char *shown = p;
  for (int i = 0; i < SOURCE_COLUMNS && shown < stop; i++) utf8_next(shown, stop, &shown);
  str_put(s, p, (size_t)(shown - p));
  if (shown < stop) str_puts(s, "…");
}

static void put_ms(double ns, str *s) { str_printf(s, "%11.3f", ns / 1e6); }

/* A line of the table: the figures of what is called `name`. */
static void put_figures(const report *k, const figures *is, str *s) {
  double all = k->p->root.is.all_ns;
  put_ms(is->ns, s);
  str_printf(s, " %5.1f%%", all > 0 ? 100 * is->ns / all : 0);
  put_ms(is->device_ns, s);
  put_ms(is->all_ns, s);
  str_printf(s, " %10llu  ", (unsigned long long)is->calls);
}

typedef struct listed { /* a row of the report */
  uint32_t fn;
  int64_t line;
  const figures *is;
} listed;
typedef VEC(listed) listing;

static int by_time(const void *a, const void *b) {
  double x = ((const listed *)a)->is->ns, y = ((const listed *)b)->is->ns;
  return (x < y) - (x > y);
}

/* The functions or their lines; a function's own time, where it is in no line, is its line -1. */
static bool list_rows(report *k, bool lines, listing *all) {
  for (uint32_t i = 0; i < k->p->fns.n; i++) {
    const func *f = &k->p->fns.at[i];
    for (size_t j = lines; j < f->rows.n && (lines || !j); j++) {
      listed l = {i, (int64_t)j - 1, &f->rows.at[j].is};
      if (l.is->calls && !vec_push(k->v->c, all, l)) return false;
    }
  }
  if (all->n) qsort(all->at, all->n, sizeof *all->at, by_time);
  return true;
}

/* What was in no function's lines: the expression itself, and what calls cost. */
static figures rest_of(const report *k, const listing *all) {
  figures r = k->p->root.is;
  r.calls = 1;
  r.ns = r.all_ns;
  r.device_ns = k->p->root.device_ns;
  for (size_t i = 0; i < all->n; i++) r.ns -= all->at[i].is->ns;
  if (r.ns < 0) r.ns = 0;
  return r;
}

static void put_table(const report *k, const listing *all, str *s) {
  figures rest = rest_of(k, all);
  for (size_t i = 0; i < all->n; i++) {
    const listed *l = &all->at[i];
    put_figures(k, l->is, s);
    profile_put_place(k, l->fn, l->line, s);
    if (l->line >= 0) str_puts(s, "  ");
    put_source(&k->p->fns.at[l->fn], l->line, s);
    str_puts(s, "\n");
  }
  put_figures(k, &rest, s);
  str_puts(s, "the expression, and calls\n");
}

static bool put_tree(report *k, str *s) {
  visit at = {k->v, k->p, &k->p->root, -1};
  put_figures(k, &k->p->root.is, s);
  str_puts(s, "the expression\n");
  while (go_on(&at, NULL)) {
    const node *n = at.at;
    put_figures(k, &n->is, s);
    str_pad(s, 2 * (size_t)(at.depth + 1));
    profile_put_place(k, n->fn, n->line, s);
    str_puts(s, "\n");
    if (interrupted(k->v->c) || s->failed) return false;
  }
  return true;
}

static bool show(report *k, const listing *all) {
  OWNED_STR str s = {.c = k->v->c};
  str_puts(&s, "    host ms            device ms     all ms      calls\n");
  if (k->as == AS_TREE) {
    if (!put_tree(k, &s)) return false;
  } else put_table(k, all, &s);
  if (k->p->failed) str_puts(&s, "there was no memory for all of it\n");
  return !s.failed && put_out(k->v, s.at, s.n);
}

static bool write_file(vm *v, const char *path, const str *s) {
  ext_file f OWNED_FILE = {.fd = -1, .place = {.folder = -1}};
  return !s->failed && ext_begin(&f, v, "]profile", path) && ext_put(&f, s->at, s->n) &&
         ext_commit(&f);
}

static bool write_csv(report *k, const listing *all) {
  OWNED_STR str s = {.c = k->v->c};
  str_puts(&s, "function,line,calls,host_ms,device_ms,all_ms\n");
  for (size_t i = 0; i < all->n; i++) {
    const listed *l = &all->at[i];
    str_printf(&s, "%s,", k->p->fns.at[l->fn].name.at);
    if (l->line >= 0) str_printf(&s, "%lld", (long long)l->line);
    str_printf(&s, ",%llu,%.6f,%.6f,%.6f\n", (unsigned long long)l->is->calls,
               l->is->ns / 1e6, l->is->device_ns / 1e6, l->is->all_ns / 1e6);
  }
  return write_file(k->v, k->csv.at, &s);
}

/* A line for each node that took time: the places down to it, and microseconds. */
static bool write_folded(report *k) {
  OWNED_STR str s = {.c = k->v->c};
  VEC(const node *) path = {0};
  visit at = {k->v, k->p, &k->p->root, -1};
  bool ok = true;
  str_printf(&s, "all %.0f\n", k->p->root.ns / 1e3);
  while (ok && go_on(&at, NULL)) {
    path.n = 0;
    for (const node *n = at.at; ok && n->parent; n = n->parent)
      ok = vec_push(k->v->c, &path, n);
    double us = at.at->ns / 1e3;
    if (us < 0.5) continue;
    str_puts(&s, "all");
    for (size_t i = path.n; i > 0; i--) {
      const node *n = path.at[i - 1];
      if (n->line < 0 && i > 1 && path.at[i - 2]->parent == n)
        continue; /* its line says it */
      str_puts(&s, ";");
      profile_put_place(k, n->fn, n->line, &s);
    }
    str_printf(&s, " %.0f\n", us);
    ok = ok && !interrupted(k->v->c) && !s.failed;
  }
  vec_free(k->v->c, &path);
  return ok && write_file(k->v, k->folded.at, &s);
}

static bool profile_print(report *k) {
  listing all = {0};
  bool ok = figures_of(k->v, k->p) && list_rows(k, k->as != BY_FUNCTION, &all) &&
            show(k, &all) && (!k->csv.n || write_csv(k, &all)) &&
            (!k->folded.n || write_folded(k));
  vec_free(k->v->c, &all);
  return ok;
}

/* Runs it, and all that its value waits for. */
static bool profile_measure(report *k, profiles *all) {
  vm *v = k->v;
  OWNED_VALUE value r = {0};
  bool shy;
  profile *before = v->watch ? all->now : NULL;
  ir_reading unused;
  vm_text t = {.name = "", .at = k->at, .n = (size_t)(k->end - k->at)};
  ir_meter(v->g, true);
  profile_start(v, all, k->p, ELAPSED);
  bool ok = run_text(v, &t, false, &r, &shy);
  if (ok && r.cls == C_ARR) ok = ir_settle(v->g, r.a);
  ok = ok && verify(v) && ir_read(v->g, &unused);
  stop(v, k->p);
  ir_meter(v->g, false);
  if (before) profile_start(v, all, before, before->by);
  return ok;
}

bool ext_cmd_profile(vm *v, const char *at, const char *end) {
  profiles *all = profiles_of(v);
  report k = {.v = v, .csv = {.c = v->c}, .folded = {.c = v->c}};
  bool ok = all && is_free(v, "]profile") && read_words(&k, at, end) &&
            ((!k.csv.n && !k.folded.n) || ext_may(v, MAY_WRITE, "]profile"));
  if (ok) {
    k.p = &all->own;
    clear(v, k.p);
    ok = profile_measure(&k, all) && profile_print(&k);
    clear(v, k.p);
  }
  str_free(&k.csv);
  str_free(&k.folded);
  return ok;
}
