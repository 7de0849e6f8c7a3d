/* SPDX-License-Identifier: MIT */
/* vm.c - the interpreter's life, and the entries of eval.h.
 *
 * Every entry calls enter(), which finds out how far the C stack of this thread reaches, so
 * that recursion can be bounded by it, and leave(), which verifies all that ran.
 * A text is run statement by statement; its unit goes when the last function that was made
 * from it goes. */
#include <string.h>
#include "oper/oper.h"
#include "run/call.h"
#include "run/eval.h"
#include "system/command.h"
#include "system/error.h"
#include "system/ext.h"
#include "system/show.h"
#include "system/system.h"
#include "trad/trad.h"
#include "value/space.h"
#include "value/threads.h"
#include "value/sysname.h"
#include "../base/mapped.h"
#include "../dist/dist.h"
#include "../lexer/token.h"
#include "../tables/fast.h"
#include "../text/regex.h"

/* ── what all ranks have to know alike ──────────────────────────────────────────────── */

/* Stands for what another rank has; it is called on that rank alone. */
static bool edits_elsewhere(void *user, const char *file, const char *again, str *text) {
  UNUSED(user);
  UNUSED(file);
  UNUSED(again);
  UNUSED(text);
  return false;
}

/* When the ranks begin. The order in which names are met goes by the hash's seed. */
static bool same_start(vm *v) {
  struct start {
    uint64_t seed, may, edits;
  } s = {v->c->seed, v->c->may, v->cfg.edit != NULL};
  if (!is_ranked(v->c)) return true;
  if (!dist_same(v->c, &s, sizeof s)) return false;
  v->c->seed = s.seed;
  v->c->may = (unsigned)s.may;
  if (!s.edits) v->cfg.edit = NULL;
  else if (!v->cfg.edit) v->cfg.edit = edits_elsewhere;
  return sys_reset(v);
}

/* When a call from outside begins: the first rank's terminal, and the least of the stacks. */
static SELDOM bool same_entry(vm *v) {
  ctx *c = v->c;
  char *here = __builtin_frame_address(0);
  int lines = 0, columns = 80;
  if (!is_ranked(c)) return true;
  if (v->cfg.terminal) columns = v->cfg.terminal(v->cfg.user, &lines);
  int64_t fact[3] = {INT64_MIN, INT64_MIN, -(int64_t)(here - c->stack.low)};
  if (is_first_rank(c)) fact[0] = columns;
  if (is_first_rank(c)) fact[1] = lines;
  if (!dist_most(c, fact, 3)) return false;
  v->columns = (int)fact[0];
  v->lines = (int)fact[1];
  ptrdiff_t less = here + fact[2] - c->stack.low;
  c->stack.low += less;
  c->stack.room -= (size_t)less;
  c->stack.reserve += (size_t)less;
  c->together = true;
  return true;
}

/* ── life ───────────────────────────────────────────────────────────────────────────── */

vm *vm_new(const vm_config *cfg) {
  vm *v = mem_zalloc(cfg->c, sizeof *v);
  if (!v) return NULL;
  v->c = cfg->c;
  v->cfg = *cfg;
  v->command = command;
  v->sys = sys_rows;
  v->derived = oper_call;
  v->edit_lines = line_editor;
  v->cfg.ir.c = cfg->c;
  sys_reset(v); /* of no ranks yet */
  v->sv = &v->vars;
  v->box.style = BOX_MIN;
  v->open_line.c = v->c;
  v->opened = now_seconds();
  error_forget(v);
  v->g = ir_new(&v->cfg.ir);
  if (!v->g) {
    mem_free(cfg->c, v);
    return NULL;
  }
#define FAST_USE_COSTS(way) way(v->g);
#include "../tables/fast.def"
  if (!dist_open(v->c, v->g, cfg->comm) || !same_start(v)) {
    vm_free(v);
    return NULL;
  }
  v->clock = ir_clock(v->g);
  v->verified_seq = *v->clock;
#ifdef EXT_link
  v->se = ext_se_seen;
#endif
#ifdef EXT_class
  v->classes = &ext_classes;
#endif
#ifdef EXT_thread
  v->threads = &thread_hooks_of_vm;
#endif
  if (dist_alone_begins(v->c)) reach_open(v, cfg->folders);
  if (dist_alone_ends(v->c, NULL)) return v;
  vm_free(v);
  return NULL;
}

void vm_free(vm *v) {
  if (!v) return;
  if (v->spawned) v->threads->end(v);
  if (v->classes && v->spaces) {
    stack_enter(v->c); /* destructors run */
    v->classes->end(v);
  }
  str_free(&v->open_line);
  failed_forget(v);
  arr_release(v->last);
  arr_release(v->trap);
  names_free(v);
  arr_release(v->workspace);
  arr_release(v->null);
  spaces_free(v);
  for (int p = 0; p < P_COUNT; p++) fn_release(v->prim_fn[p]);
  error_forget(v);
  error_fields_clear(v->signal);
  str_free(&v->wsid);
  regex_lib_close(v->regex);
  ext_close(v);
  reach_close(v);
  frames_free(v);
  dist_close(v->c);
  ir_free(v->g);
  mem_free(v->c, v);
}

ir *vm_ir(vm *v) { return v->g; }

bool vm_off(const vm *v, int *how) {
  if (v->off && how) *how = v->off_code;
  return v->off;
}

void vm_set_args(vm *v, int argc, const char *const *argv) {
  v->argc = argc;
  v->argv = argv;
}

/* ── the C stack ────────────────────────────────────────────────────────────────────── */

static bool enter(vm *v) {
  if (v->running++) return true;
  v->off = false; /* of an earlier text, whose host went on */
  stack_enter(v->c);
  ir_drop_unused(v->g);
  return same_entry(v);
}

/* Ends an entry: pending work is verified, an error settled and noted. */
static bool leave(vm *v, bool ok) {
  if (v->c->errand && v->running == 1) v->classes->settle(v); /* a trigger may fail */
  ok = ok && !err_is(v->c) && verify(v) && mapped_whole(v->c);
  v->running--;
  if (!v->running) {
    ok = dist_end(v->c, ok);
    v->c->together = false;
  }
  if (ok) return true;
  if (v->off || trad_aborted(v)) {
    err_clear(v->c);
    return true;
  }
  settle_error(v);
  error_note(v);
  return false;
}

/* ── running ────────────────────────────────────────────────────────────────────────── */

bool vm_run(vm *v, const vm_text *t, bool show, arr **result, bool *shy) {
  OWNED_VALUE value r = {0};
  bool quiet;
  if (result) *result = NULL;
  quiet = false;
  bool ok = leave(v, enter(v) && run_text(v, t, show, &r, &quiet));
  if (shy) *shy = quiet;
  if (ok && result && r.cls == C_ARR) *result = value_move(&r).a;
  return ok;
}

/* An entry of the session or a script, whose value is ⎕_ from then on. */
static bool run_entry(vm *v, const vm_text *t) {
  OWNED_VALUE value r = {0};
  bool shy, ok;
  if (!enter(v)) ok = false;
  else if (v->halt) ok = run_suspended(v, t, &r, &shy);
  else ok = run_text(v, t, true, &r, &shy);
  if (!leave(v, ok)) return false;
  if (r.cls != C_ARR || shy) return true;
  arr *before = v->last;
  v->last = value_move(&r).a;
  arr_release(before);
  return true;
}

/* What a person's entry edits: ∇f[2], or ∇f of a function, whose name *name is then. */
static bool edits(const vm *v, const char *p, size_t n, token *name) {
  static const char del[] = "∇";
  lexer l = {.text = p, .len = n};
  token t = lex_next(&l);
  bool closed;
  *name = (token){.kind = TOK_END};
  if (t.kind != TOK_GREEK || memcmp(p + t.begin, del, strlen(del))) return false;
  if (parse_edit(p + t.end, p + n, &closed)) return !memchr(p, '\n', n);
  t = lex_next(&l);
  if (t.kind != TOK_NAME || lex_next(&l).kind != TOK_END) return false;
  const sym *s = sym_find(v, p + t.begin, t.end - t.begin);
  *name = t;
  return s && sym_read(s)->cls > C_ARR;
}

bool vm_entry_is_open(const vm *v, const char *text, size_t n) {
  token name;
  return parse_open(text, n) && !edits(v, text, n, &name);
}

/* )ED with the name behind ∇. */
static bool edit_function(vm *v, const vm_text *t, const token *name) {
  OWNED_STR str s = {.c = v->c};
  str_printf(&s, ")ED %.*s", (int)(name->end - name->begin), t->at + name->begin);
  if (s.failed) return false;
  return run_entry(v, &(vm_text){.name = "", .at = s.at, .n = s.n, .as = TEXT_COMMANDS});
}

bool vm_line(vm *v, const vm_text *t, bool *off, int *how) {
  token name;
  vm_text k = *t;
  k.as |= TEXT_COMMANDS;
  bool ok;
  if (v->cfg.edit && edits(v, t->at, t->n, &name) && name.kind == TOK_NAME)
    ok = edit_function(v, t, &name);
  else ok = run_entry(v, &k);
  if (off) *off = v->off;
  if (how) *how = v->off_code;
  return ok;
}

/* ── programs in folders ────────────────────────────────────────────────────────────── */

bool vm_import(vm *v, const char *path, bool kept, str *errors) {
#ifdef EXT_link
  return leave(v, enter(v) && ext_import(v, path, kept, errors));
#else
  UNUSED(kept);
  UNUSED(errors);
  return leave(
      v, enter(v) && err_set(v->c, ERR_NONCE, "%s: folders are not in this build", path));
#endif
}

void vm_look(vm *v) {
#ifdef EXT_component
  ext_fhold_ends(v);
#endif
#ifdef EXT_link
  if (!leave(v, enter(v) && ext_link_look(v))) err_clear(v->c);
#else
  UNUSED(v);
#endif
}

bool vm_is_niladic(vm *v, const char *path) {
  OWNED_STR str s = {.c = v->c};
  OWNED arr *in = NULL;
  sym *k;
  str_puts(&s, path);
  bool is = !s.failed && path_of(v, &s, &in, &k);
  const value *x = is ? space_find(in, k) : NULL;
  err_clear(v->c);
  return x && x->cls == C_FN && fn_is_niladic(x->f);
}

/* ── names from outside ─────────────────────────────────────────────────────────────── */

/* A callback may ask while a dfn runs: it is given what the workspace has all the same. */

arr *vm_get(vm *v, const char *name) {
  size_t n = strlen(name);
  int row = sys_find(name, n);
  arr *r = NULL;
  sysvars *sv = v->sv;
  bool ok = enter(v);
  v->sv = &v->vars;
  const sym *s = row < 0 ? sym_find(v, name, n) : NULL;
  const value *x = s ? sym_read(s) : NULL;
  if (!ok) r = NULL;
  else if (row >= 0 && sys_class(row) == C_ARR) r = sys_get(v, row);
  else if (x && x->cls == C_ARR) r = arr_retain(x->a);
  else if (x && x->cls) err_set(v->c, ERR_VALUE, "%s is no array", name);
  else err_set(v->c, ERR_VALUE, "%s has no value", name);
  v->sv = sv;
  leave(v, r != NULL);
  return r;
}

bool vm_set(vm *v, const char *name, arr *a) {
  size_t n = strlen(name);
  int row = sys_find(name, n);
  value x = {.cls = C_ARR, .a = a};
  if (!enter(v)) return leave(v, false);
  if (row < 0) {
    sym *s = sym_intern(v, name, n);
    return leave(v, s && name_set(v, NULL, s, x));
  }
  body none = {0};
  env workspace = {.refs = 1, .body = &none, .sv = &v->vars};
  sysvars *sv = v->sv;
  bool ok = sys_set(v, &workspace, row, x);
  v->sv = sv;
  return leave(v, ok);
}

/* The function that a text gives: what a name stands for, or an expression. */
static bool function_of(vm *v, const char *text, value *f) {
  size_t n = strlen(text);
  const sym *s = sym_find(v, text, n);
  bool shy, ok = true;
  if (s) *f = value_retain(*sym_read(s));
  else ok = run_text(v, &(vm_text){.name = "", .at = text, .n = n}, false, f, &shy);
  if (!ok || f->cls == C_FN) return ok;
  return err_set(v->c, ERR_VALUE, "%.80s is no function", text);
}

bool vm_call(vm *v, const char *text, arr *left, arr *right, arr **result) {
  OWNED_VALUE value f = {0};
  OWNED arr *r = NULL;
  *result = NULL;
  bool ok = enter(v) && function_of(v, text, &f) && call(v, f.f, left, right, &r);
  if (!leave(v, ok)) return false;
  *result = arr_move(&r);
  return true;
}

bool vm_def(vm *v, const char *name, const vm_host_fn *f) {
  sym *s = sym_intern(v, name, strlen(name));
  OWNED_FN fn *k = s ? fn_of_host(v, name) : NULL;
  if (!k) return false;
  k->host->as = (vm_host_fn){.call = f->call, .user = f->user};
  if (!leave(v, enter(v) && name_set(v, NULL, s, value_fn(k, C_FN)))) return false;
  k->host->as.drop = f->drop;
  return true;
}

bool vm_library(vm *v, const char *library, size_t n, const char *const *names,
                void (*const *functions)(void)) {
#ifdef EXT_na
  bool ok = enter(v);
  for (size_t i = 0; ok && i < n; i++)
    ok = ext_na_register(v, library, names[i], functions[i]);
  return leave(v, ok);
#else
  UNUSED(library);
  UNUSED(n);
  UNUSED(names);
  UNUSED(functions);
  return leave(v, enter(v) && err_set(v->c, ERR_NONCE, "⎕NA is not in this build"));
#endif
}

bool vm_format(vm *v, arr *a, int boxed, str *out) {
  fmt_opts o = {.pp = v->vars.pp, .pw = line_width(v, INT32_MAX), .boxed = boxed};
  return ir_host(v->g, a) && arr_display(v->c, a, &o, out) && !out->failed;
}

void vm_names(const vm *v, void (*each)(void *user, const char *name, int name_class),
              void *user) {
  for (size_t i = 0; command_at(i); i++) each(user, command_at(i)->name, C_NONE);
  for (int i = 0; sys_name(i); i++) each(user, sys_name(i), sys_class(i));
  for (uint32_t i = 0; i < v->buckets; i++)
    for (const sym *s = v->bucket[i]; s; s = s->next)
      if (sym_read(s)->cls) each(user, s->text, sym_read(s)->cls);
}
