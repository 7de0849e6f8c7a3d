/* SPDX-License-Identifier: MIT */
/* command.c - the commands of the session: ) for the workspace, ] for the machine.
 *
 * A row per command. They write like output does. A word that a command does not know, or one too
 * many, is SYNTAX ERROR; a name may stand in quotes (command_word). */
#include "../run/eval.h"
#include "../value/items.h"
#include "command.h"
#include "error.h"
#include "../value/threads.h"
#include "show.h"
#include "system.h"
#include "../../dist/dist.h"
#include "../../base/utf8.h"
#include "../../text/lines.h"
#include "../../lexer/token.h"
#include "../../tables/fast.h"
#include "../../ir/steady.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool say(vm *v, const str *s) { return !s->failed && put_out(v, s->at, s->n); }

static char lower(char c) {
  if (c >= 'A' && c <= 'Z') return (char)(c + 32);
  return c;
}

static bool is_word(words w, const char *text) {
  size_t n = strlen(text), same = 0;
  if ((size_t)(w.end - w.at) != n) return false;
  while (same < n && lower(w.at[same]) == lower(text[same])) same++;
  return same == n;
}

/* ── the workspace ──────────────────────────────────────────────────────────────────── */

typedef struct from {
  int nc;
  const char *text;
} from;

static bool is_from(void *user, const sym *k, location at) {
  const from *f = user;
  return at.val->cls == f->nc && strcmp(k->text, f->text) >= 0;
}

/* Names side by side, each beginning at a multiple of eight columns. */
static void put_names(const name_list *list, size_t pw, str *s) {
  size_t column = 0;
  for (size_t i = 0; i < list->n; i++) {
    const sym *k = list->at[i];
    size_t n = utf8_count(k->text, k->len), wide = n / 8 * 8 + 8;
    if (column && column + n > pw) {
      str_puts(s, "\n");
      column = 0;
    }
    str_puts(s, k->text);
    if (i + 1 < list->n) str_pad(s, wide - n);
    column += wide;
  }
  if (list->n) str_puts(s, "\n");
}

/* The names of a class from the given one on. */
static bool list_names(vm *v, const char *name, int nc, words w) {
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str first = {.c = v->c};
  name_list list = {0};
  put_word(&first, next_word(&w));
  if (first.failed || !verify(v)) return false;
  if (!command_ends(v, name, "one name to begin with", w.at, w.end)) return false;
  bool ok = names_sorted(v, is_from, &(from){nc, first.at}, &list);
  if (ok) put_names(&list, (size_t)line_width(v, INT32_MAX), &s);
  vec_free(v->c, &list);
  return ok && say(v, &s);
}

static bool cmd_vars(vm *v, words w) { return list_names(v, ")VARS", C_ARR, w); }
static bool cmd_fns(vm *v, words w) { return list_names(v, ")FNS", C_FN, w); }
static bool cmd_ops(vm *v, words w) { return list_names(v, ")OPS", C_OP, w); }

/* What replaces the workspace would take the names of suspended functions away. */
static bool none_suspended(vm *v, const char *name) {
  return !v->halt ||
         err_set(v->c, ERR_NONCE,
                 "%s while functions are suspended: )RESET gives them up", name);
}

static bool cmd_clear(vm *v, words w) {
  UNUSED(w);
  if (!none_suspended(v, ")CLEAR") || !verify(v)) return false;
  if (v->spawned) v->threads->end(v);
  names_clear(v);
  if (!sys_reset(v)) return false;
  error_forget(v);
  arr_release(v->last);
  v->last = NULL;
  str_free(&v->wsid);
#ifdef EXT_keep
  ext_clear_lx(v);
#endif
#ifdef EXT_compat
  ext_clear_kept(v);
#endif
  return put_out(v, "clear ws\n", strlen("clear ws\n"));
}

static bool cmd_erase(vm *v, words w) {
  OWNED_STR str s = {.c = v->c};
  if (!verify(v)) return false;
  for (words k = next_word(&w); !is_none(k); k = next_word(&w)) {
    sym *name = sym_find(v, k.at, (size_t)(k.end - k.at));
    if (name && sym_read(name)->cls) name_set(v, NULL, name, (value){0});
    else {
      if (!s.n) str_puts(&s, "not found");
      str_puts(&s, " ");
      put_word(&s, k);
    }
  }
  if (s.n) str_puts(&s, "\n");
  return say(v, &s);
}

/* The workspace's name is that of the file that )SAVE writes. */
static bool cmd_wsid(vm *v, words w) {
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  bool changes = command_more(&w.at, w.end);
  str_printf(&s, "%s %s\n", changes ? "was" : "is", wsid_text(v));
  if (!changes) return say(v, &s);
  if (!command_word(v, &w.at, w.end, &name) ||
      !command_ends(v, ")WSID", "one name", w.at, w.end))
    return false;
  wsid_set(v, &name);
  return say(v, &s);
}

/* The first n lines of the text or, where `last`, the last ones are left. */
static void keep_lines(str *s, size_t n, bool last) {
  size_t lines = 0, at = 0;
  for (size_t i = 0; i < s->n; i++) lines += s->at[i] == '\n';
  if (n >= lines) return;
  for (size_t skip = last ? lines - n : n; skip; at++) skip -= s->at[at] == '\n';
  if (last) memmove(s->at, s->at + at, s->n - at);
  s->n = last ? s->n - at : at;
}

/* What is suspended, or else what the last error left: all, or n lines, ¯n the last ones. */
static bool say_stack(vm *v, words w, const char *who, bool names) {
  OWNED_STR str s = {.c = v->c};
  words k = next_word(&w);
  const char *p = k.at;
  bool last = !is_none(k) && !strncmp(p, "¯", strlen("¯"));
  size_t n = 0;
  for (p += last ? strlen("¯") : 0; p < k.end && *p >= '0' && *p <= '9' && n < 1000000;
       p++)
    n = 10 * n + (size_t)(*p - '0');
  if (p < k.end) return refuse_word(v, who, k, "how many lines");
  if (!command_ends(v, who, "one number", w.at, w.end) || !stack_put(v, names, &s))
    return false;
  if (!is_none(k)) keep_lines(&s, n, last);
  return say(v, &s);
}

static bool cmd_si(vm *v, words w) { return say_stack(v, w, ")SI", false); }
static bool cmd_sinl(vm *v, words w) { return say_stack(v, w, ")SINL", true); }

/* )RESET n: the newest n suspensions are given up; else all. */
static bool cmd_reset(vm *v, words w) {
  words k = next_word(&w);
  uint32_t all = stack_halts(v), n = 0;
  for (const char *p = k.at; p < k.end; p++) {
    if (*p < '0' || *p > '9' || n > all) return refuse_word(v, ")RESET", k, "how many");
    n = 10 * n + (uint32_t)(*p - '0');
  }
  if (!command_ends(v, ")RESET", "one number", w.at, w.end)) return false;
  if (is_none(k) || n > all) n = all;
  v->resets = n;
  stack_forget(v);
  return true;
}

static bool cmd_off(vm *v, words w) {
  UNUSED(w);
  v->off = true;
  v->off_code = 0;
  return true;
}

/* ── how values are shown ───────────────────────────────────────────────────────────── */

/* The answer to a command, shown as a character vector is. */
static bool answer(vm *v, str *s) {
  OWNED arr *a = str_take(v, s);
  return a && show_value(v, (value){.cls = C_ARR, .a = a});
}

static const char *const box_styles[] = {"", "min", "mid", "max", NULL},
                         *const box_trains[] = {"box", "tree", "parens", "def", NULL},
                         *const off_on[] = {"off", "on", NULL};

/* If k is -name=value, or -na=value: which value it is, -2: none of them. -1: it is not. */
static int modifier(words k, const char *name, const char *const *values) {
  size_t len = (size_t)(k.end - k.at);
  if (len < 4 || *k.at != '-') return -1;
  const char *equals = memchr(k.at, '=', len);
  if (!equals) return -1;
  size_t n = (size_t)(equals - k.at) - 1;
  if (n > strlen(name) || memcmp(k.at + 1, name, n)) return -1;
  for (int i = 0; values[i]; i++)
    if (is_word((words){equals + 1, k.end}, values[i])) return i;
  return -2;
}

static void put_on(bool on, str *s) { str_puts(s, on ? "ON" : "OFF"); }

/* Sets what a modifier says and adds to s what was; false if it is none. */
static bool box_modifier(vm *v, words k, str *s) {
  int style = modifier(k, "style", box_styles);
  int trains = modifier(k, "trains", box_trains);
  int fns = modifier(k, "fns", off_on);
  if (style > 0) {
    str_printf(s, " -style=%s", box_styles[v->box.style]);
    v->box.style = style;
  } else if (trains >= 0) {
    str_printf(s, " -trains=%s", box_trains[v->box.trains]);
    v->box.trains = trains;
  } else if (fns >= 0) {
    str_printf(s, " -fns=%s", off_on[v->box.fns]);
    v->box.fns = fns;
  } else return false;
  return true;
}

/* Does what a word of ]box says, and adds to s what was. */
static bool box_word(vm *v, words k, str *s) {
  bool on = is_word(k, "on"), reset = is_word(k, "reset");
  if (on || is_word(k, "off")) {
    str_puts(s, " ");
    put_on(v->box.on, s);
    v->box.on = on;
    return true;
  }
  if (reset || is_word(k, "?")) {
    if (reset) {
      v->box.style = BOX_MIN;
      v->box.trains = TRAINS_BOX;
      v->box.fns = false;
    }
    s->n = 0;
    str_puts(s, "]boxing ");
    put_on(v->box.on, s);
    str_printf(s, " -style=%s -trains=%s -fns=%s", box_styles[v->box.style],
               box_trains[v->box.trains], off_on[v->box.fns]);
    return true;
  }
  return box_modifier(v, k, s) ||
         refuse_word(v, "]box", k,
                     "on off reset ? -style=min|mid|max -trains=box|tree|parens|def "
                     "-fns=on|off");
}

/* ]box [on|off|reset|?] [-style=] [-trains=] [-fns=], answered with what was. */
static bool cmd_box(vm *v, words w) {
  OWNED_STR str s = {.c = v->c};
  words k = next_word(&w);
  if (is_none(k)) {
    str_puts(&s, "Is ");
    put_on(v->box.on, &s);
  } else str_puts(&s, "Was");
  for (; !is_none(k); k = next_word(&w))
    if (!box_word(v, k, &s)) return false;
  return answer(v, &s);
}

/* -fold=off, or on (by the terminal), or a number of lines. */
static bool fold_modifier(vm *v, words k) {
  static const char name[] = "-fold=";
  size_t n = strlen(name);
  if ((size_t)(k.end - k.at) <= n || memcmp(k.at, name, n)) return false;
  words what = {k.at + n, k.end};
  int64_t lines = 0;
  if (is_word(what, "off")) lines = -1;
  else if (!is_word(what, "on"))
    for (const char *p = what.at; p < what.end; p++) {
      if (*p < '0' || *p > '9' || lines > 1000000) return false;
      lines = lines * 10 + *p - '0';
    }
  v->box.fold = (int)lines;
  return true;
}

/* ]rows on: lines as long as they are. */
static bool cmd_rows(vm *v, words w) {
  OWNED_STR str s = {.c = v->c};
  words k = next_word(&w);
  str_puts(&s, is_none(k) ? "Is " : "Was ");
  put_on(v->box.long_rows, &s);
  if (v->box.fold < 0) str_puts(&s, " -fold=off");
  if (v->box.fold > 0) str_printf(&s, " -fold=%d", v->box.fold);
  for (; !is_none(k); k = next_word(&w)) {
    bool on = is_word(k, "on");
    if (on || is_word(k, "off")) v->box.long_rows = on;
    else if (!fold_modifier(v, k))
      return refuse_word(v, "]rows", k, "on off -fold=off|on|LINES");
  }
  return answer(v, &s);
}

/* open: the text may go on over several lines. */
static bool run_words(vm *v, words w, bool open, value *r) {
  bool shy;
  vm_text t = {.name = "", .at = w.at, .n = (size_t)(w.end - w.at)};
  return run_text(v, &t, open, r, &shy);
}

static bool display_as(vm *v, words w, int style) {
  OWNED_VALUE value r = {0};
  if (!run_words(v, w, false, &r)) return false;
  if (!r.cls) return true;
  bool was_on = v->box.on;
  int was = v->box.style;
  v->box.on = true;
  v->box.style = style;
  bool ok = show_value(v, r);
  v->box.on = was_on;
  v->box.style = was;
#ifdef EXT_locals
  if (ok && r.cls == C_ARR && !r.num && r.a->ref) ok = ext_show_members(v, r.a);
#endif
  return ok;
}

/* What is typed is taken in lines anyway: this is for texts made for Dyalog APL. */
static bool cmd_dinput(vm *v, words w) {
  OWNED_VALUE value r = {0};
  return run_words(v, w, true, &r);
}

static bool cmd_disp(vm *v, words w) { return display_as(v, w, BOX_DISP); }
static bool cmd_display(vm *v, words w) { return display_as(v, w, BOX_MAX); }

/* ── the machine ────────────────────────────────────────────────────────────────────── */

static bool tell(vm *v, bool (*what)(ir *, str *)) {
  OWNED_STR str s = {.c = v->c};
  return what(v->g, &s) && say(v, &s);
}

static bool cmd_device(vm *v, words w) {
  words k = next_word(&w);
  if (!is_none(k) && !is_word(k, "measure"))
    return refuse_word(v, "]device", k, "measure");
  if (!command_ends(v, "]device", "measure alone", w.at, w.end)) return false;
#define FAST_MEASURE(way)                                                                \
  if (!is_none(k) && !way(v->g)) return false;
#include "../../tables/fast.def"
  return tell(v, ir_describe);
}
/* The bytes of "800M", "4G" or "1000"; 0: it is no such text. */
static uint64_t bytes_of(words k) {
  char *end, text[32] = "";
  size_t n = (size_t)(k.end - k.at);
  if (n >= sizeof text) return 0;
  memcpy(text, k.at, n);
  double m = strtod(text, &end);
  if (*end == 'K') m *= 1 << 10;
  if (*end == 'M') m *= 1 << 20;
  if (*end == 'G') m *= 1 << 30;
  if (*end) end++;
  return *end || m < 1 || m > 1e18 ? 0 : (uint64_t)m;
}

static bool cmd_ranks(vm *v, words w) {
  words k = next_word(&w);
  if (!is_none(k)) {
    words n = next_word(&w);
    if (!is_word(k, "gather")) return refuse_word(v, "]ranks", k, "gather");
    if (!command_ends(v, "]ranks", "gather and a size alone", w.at, w.end)) return false;
    if (!bytes_of(n))
      return refuse_word(v, "]ranks gather", n, "a size such as 800M or 8G");
    return dist_gather_up_to(v->c, bytes_of(n));
  }
  OWNED_STR str s = {.c = v->c};
  return dist_describe(v->c, &s) && say(v, &s);
}
static bool cmd_mem(vm *v, words w) {
  UNUSED(w);
  return tell(v, ir_memory);
}

static void put_seconds(double t, str *s) {
  if (t < 1e-3) str_printf(s, "%.1f µs\n", t * 1e6);
  else if (t < 1) str_printf(s, "%.3f ms\n", t * 1e3);
  else str_printf(s, "%.3f s\n", t);
}

/* Runs the words, and what their value still waits for. */
static bool run_all(vm *v, words w, value *r) {
  if (!run_words(v, w, false, r)) return false;
  if (r->cls == C_ARR && !ir_settle(v->g, r->a)) return false;
  return verify(v);
}

static bool cmd_plan(vm *v, words w) {
  OWNED_VALUE value r = {0};
  OWNED_STR str s = {.c = v->c};
  dist_talk was = dist_talk_now(v->c);
  ir_watch(v->g);
  bool ok = run_all(v, w, &r);
  if (!ir_watch_end(v->g, ok ? &s : NULL) || !ok) return false;
  if (!s.n) str_puts(&s, "no kernel, and nothing long on the host\n");
  dist_tell_since(v->c, was, &s);
  return say(v, &s);
}

/* ]time -n expr: the words, and what their runs took of the device, the latest of them. */
typedef struct timed_words {
  vm *v;
  words w;
  int runs;
  double device_ns[STEADY_MOST];
  ir_reading last;
} timed_words;

static double time_words(void *user, int repeat) {
  timed_words *t = user;
  ir *g = t->v->g;
  ir_reading was;
  double took = 0;
  for (int i = 0; i < repeat; i++) {
    OWNED_VALUE value r = {0};
    if (!ir_read(g, &was)) return -1;
    double start = now_seconds();
    if (!run_all(t->v, t->w, &r) || !ir_read(g, &t->last)) return -1;
    took += (now_seconds() - start) * 1e9;
    if (!dist_same(t->v->c, &took, sizeof took))
      return -1; /* it tells how often to run */
    t->last = ir_since(&t->last, &was);
    t->device_ns[t->runs++ % STEADY_MOST] = t->last.device_ns;
  }
  return took / repeat;
}

static bool time_often(vm *v, words w, int samples) {
  OWNED_STR str s = {.c = v->c};
  timed_words t = {.v = v, .w = w};
  ir_meter(v->g, true);
  steady r = steady_samples(time_words, &t, &(steady_how){samples, 0, STEADY_WAKE_NS});
  ir_meter(v->g, false);
  if (r.failed) return false;
  double ns[STEADY_MOST]; /* the samples are the latest runs */
  for (int i = 0; i < samples; i++) ns[i] = t.device_ns[(t.runs - 1 - i) % STEADY_MOST];
  t.last.device_ns = steady_median(ns, samples);
  return ir_time_report(v->g, &r, samples, &t.last, &s) && say(v, &s);
}

/* The n of -n if that is the first of several words, which it then leaves; 0: it is not. */
static int repeats(words *w) {
  words rest = *w, k = next_word(&rest), more = rest;
  int n = 0;
  if (is_none(k) || *k.at != '-' || is_none(next_word(&more))) return 0;
  for (const char *p = k.at + 1; p < k.end; p++) {
    if (*p < '0' || *p > '9' || n > STEADY_MOST) return 0;
    n = 10 * n + *p - '0';
  }
  if (n == 0) return 0;
  *w = rest;
  return n < STEADY_MOST ? n : STEADY_MOST;
}

static bool cmd_time(vm *v, words w) {
  OWNED_VALUE value r = {0};
  int samples = repeats(&w);
  if (samples) return time_often(v, w, samples);
  OWNED_STR str s = {.c = v->c};
  ir_time_begin(v->g);
  double start = now_seconds();
  bool ok = run_all(v, w, &r);
  double took = now_seconds() - start;
  ok = ok && dist_same(v->c, &took, sizeof took);
  put_seconds(took, &s);
  value_clear(&r);
  bool told = ir_time_end(v->g, &s);
  return ok && told && say(v, &s);
}

static bool cmd_help(vm *v, words w);

/* A command that is done here; one of runtime/ext; such a one that takes the names of suspended functions away. */
#define HERE(f) f, NULL, false
#define BEYOND(f) NULL, f, false
#define UNSUSPENDED(f) NULL, f, true
static const command_row commands[] = {
    {")VARS", " [from]", "the names of arrays", HERE(cmd_vars)},
    {")FNS", " [from]", "the names of functions", HERE(cmd_fns)},
    {")OPS", " [from]", "the names of operators", HERE(cmd_ops)},
    {")ERASE", " names", "removes names from the workspace", HERE(cmd_erase)},
    {")CLEAR", "", "clears the workspace", HERE(cmd_clear)},
    {")WSID", " [name]", "shows the workspace's name, or changes it", HERE(cmd_wsid)},
#ifdef EXT_keep
    {")SAVE", " [file]", "saves the workspace to a file", UNSUSPENDED(ext_cmd_save)},
    {")LOAD", " file", "loads a saved workspace in place of this one",
     UNSUSPENDED(ext_cmd_load)},
    {")XLOAD", " file", "as )LOAD, without running its ⎕LX", UNSUSPENDED(ext_cmd_xload)},
    {")COPY", " file [names]", "copies names from a saved workspace or a script",
     BEYOND(ext_cmd_copy)},
    {")COPY_ONCE", " file [names]", "as )COPY, unless that file was copied before",
     BEYOND(ext_cmd_copy_once)},
    {")PCOPY", " file [names]", "as )COPY, but names that have a value keep it",
     BEYOND(ext_cmd_pcopy)},
#endif
#ifdef EXT_source
    {"]save", " file [names]", "writes all names, or these, to a file, as a script",
     BEYOND(ext_cmd_script)},
#endif
#ifdef EXT_edit
    {")ED", " names", "opens names in your editor; a sign before a new one: ∇ → ∊ - ⋄ ⍟",
     BEYOND(ext_cmd_ed)},
    {"]edit", " names", "as )ED", BEYOND(ext_cmd_ed)},
#endif
    {")SI", " [n]",
     "the calls that are suspended, or that the last error ended, each with its line; "
     "n: the first n, ¯n: the last",
     HERE(cmd_si)},
    {")SINL", " [n]", "as )SI, with local names", HERE(cmd_sinl)},
    {")RESET", " [n]", "drops the newest n suspended calls, or all", HERE(cmd_reset)},
    {")SIC", "", "drops all suspended calls", HERE(cmd_reset)},
#ifdef EXT_name_tree
    {"]map", " [ns]", "a tree of the names, namespace by namespace", BEYOND(ext_cmd_map)},
#endif
#ifdef EXT_locals
    {"]locals", "",
     "the names of the call that failed, and of its callers, with their values",
     BEYOND(ext_cmd_locals)},
#endif
    {")OFF", "", "ends the session", HERE(cmd_off)},
    {"]box", " [on|off] …",
     "shows results in boxes: -style=min|mid|max -trains=box|tree|parens|def",
     HERE(cmd_box)},
    {"]boxing", " [on|off] …", "as ]box", HERE(cmd_box)},
    {"]rows", " [on|off] …",
     "does not fold long lines; -fold=off|on|n: how many lines of a result are shown",
     HERE(cmd_rows)},
    {"]dinput", " [expr]", "runs an expression, which may go on over several lines",
     HERE(cmd_dinput)},
    {"]disp", " expr", "shows a value in boxes, in the style mid", HERE(cmd_disp)},
    {"]display", " expr",
     "shows a value in boxes, in the style max; for a namespace its names, too",
     HERE(cmd_display)},
    {"]time", " [-n] expr",
     "how long an expression takes: the median of n runs, and GB/s", HERE(cmd_time)},
    {"]runtime", " [-n] expr", "as ]time", HERE(cmd_time)},
#ifdef EXT_profile
    {"]profile", " [-lines|-fns|-tree] [-csv=file] [-folded=file] expr",
     "where the time of an expression goes, by function and line",
     BEYOND(ext_cmd_profile)},
#endif
    {"]plan", " expr", "what an expression does, step by step, and where",
     HERE(cmd_plan)},
#ifdef EXT_link
    {"]link.create", " [ns] folder",
     "defines what is in a folder's files, and follows their changes",
     BEYOND(ext_cmd_link_create)},
    {"]link.import", " [ns] folder", "as ]link.create, but does not follow changes",
     BEYOND(ext_cmd_link_import)},
    {"]link.export", " [ns] folder", "writes a namespace to files; -arrays -overwrite",
     BEYOND(ext_cmd_link_export)},
    {"]link.status", " [ns]", "lists the links", BEYOND(ext_cmd_link_status)},
    {"]link.break", " ns", "ends a link", BEYOND(ext_cmd_link_break)},
    {"]link.expunge", " names", "removes names and deletes their files",
     BEYOND(ext_cmd_link_expunge)},
    {"]link.refresh", " [ns]", "reads the files of a link again",
     BEYOND(ext_cmd_link_refresh)},
    {"]load", " file", "defines what is in a file or at a URL; -target=ns",
     BEYOND(ext_cmd_get)},
    {"]get", " file", "as ]load", BEYOND(ext_cmd_get)},
#endif
#ifdef EXT_se
    {"]repr", " expr", "shows a value in array notation", BEYOND(ext_cmd_repr)},
    {"]cd", " [folder]", "shows the current folder, or changes it", BEYOND(ext_cmd_cd)},
    {"]version", "", "the version of vapl", BEYOND(ext_cmd_version)},
#endif
#ifdef EXT_plot
    {"]plot", " [-kind] [file] expr",
     "draws a picture, here or to file.svg or file.png; -line -points -bars -hist -heat "
     "-title= -bins=",
     BEYOND(ext_cmd_plot)},
#endif
    {"]device", " [measure]",
     "the devices, and which work goes to which; measure: measures anew",
     HERE(cmd_device)},
    {"]ranks", " [gather size]",
     "the processes that run the program; gather: the most that is brought together",
     HERE(cmd_ranks)},
    {"]mem", "", "the memory in use, and how much was moved to and from the device",
     HERE(cmd_mem)},
    {"]help", " [topic]",
     "this list, or what a glyph, a name or a word means, with examples", HERE(cmd_help)},
    {")HELP", " [topic]", "as ]help", HERE(cmd_help)},
};

const command_row *command_at(size_t i) {
  return i < ARRAY_LEN(commands) ? &commands[i] : NULL;
}

static void help_commands(str *s) {
  for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
    const command_row *c = &commands[i];
    str_printf(s, "%s%s", c->name, c->args);
    size_t n = strlen(c->name) + strlen(c->args);
    str_pad(s, n < 18 ? 18 - n : 1);
    str_printf(s, "%s\n", c->help);
  }
}

static bool cmd_help(vm *v, words w) {
  OWNED_STR str s = {.c = v->c};
  words rest = w;
  if (is_none(next_word(&rest))) {
    help_commands(&s);
    help_all(&s);
    return say(v, &s);
  }
  while (is_blank(*w.at)) w.at++;
  while (is_blank(w.end[-1])) w.end--;
  help_about(&s, w.at, (size_t)(w.end - w.at));
  lines_wrap(&s, line_width(v, INT_MAX));
  return say(v, &s);
}

/* ── the entry ──────────────────────────────────────────────────────────────────────── */

/* Where a comment begins, or the end. (Expressions are cut by the lexer, which knows strings.) */
static const char *before_comment(const char *p, const char *end) {
  static const char lamp[] = "⍝";
  size_t n = strlen(lamp);
  while ((size_t)(end - p) >= n && memcmp(p, lamp, n))
    if (!is_blank(p[-1]) || !quoted_word(&p, end, NULL)) p++;
  return (size_t)(end - p) >= n ? p : end;
}

/* The statement of a script that it needs another one. */
static bool cmd_require(vm *v, const char *at, const char *end) {
#ifdef EXT_link
  return ext_cmd_require(v, at, end);
#else
  UNUSED(at);
  UNUSED(end);
  return err_set(v->c, ERR_NONCE, ":Require is not in this build");
#endif
}

bool command(vm *v, const char *p, const char *end) {
  while (end > p && (end[-1] == '\n' || end[-1] == '\r')) end--;
  words w = {p, end};
  words name = next_word(&w), rest = w;
  size_t i = 0;
  if (is_word(name, ":Require")) return cmd_require(v, w.at, before_comment(w.at, w.end));
  while (i < ARRAY_LEN(commands) && !is_word(name, commands[i].name)) i++;
  if (i == ARRAY_LEN(commands))
    return err_set(v->c, *name.at == ']' ? ERR_NONCE : ERR_SYNTAX,
                   "%.*s is no command of this version: see ]help",
                   (int)lex_shown(name.at, (size_t)(name.end - name.at)), name.at);
  const command_row *row = &commands[i];
  bool needs_expression = strstr(row->args, " expr") != NULL;
  if (!needs_expression) w.end = before_comment(w.at, w.end);
  if (!*row->args && !command_ends(v, row->name, "nothing behind it", w.at, w.end))
    return false;
  if (needs_expression && is_none(next_word(&rest)))
    return err_set(v->c, ERR_SYNTAX, "%s needs an expression behind it", row->name);
  if (row->run) return row->run(v, w);
  return (!row->unsuspended || none_suspended(v, row->name)) &&
         row->beyond(v, w.at, w.end);
}
