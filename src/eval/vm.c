/* SPDX-License-Identifier: MIT */
/* vm.c - the interpreter's life, and the entries of eval.h.
 *
 * Every entry calls enter(), which finds out how far the C stack of this thread reaches, so
 * that recursion can be bounded by it, and leave(), which verifies all that ran.
 * A text is run statement by statement; its unit goes when the last function that was made
 * from it goes. */
#include <string.h>
#include "run/call.h"
#include "run/eval.h"
#include "system/command.h"
#include "system/error.h"
#include "system/ext.h"
#include "system/show.h"
#include "system/system.h"
#include "trad/trad.h"
#include "value/space.h"
#include "value/sysname.h"
#include "../base/mapped.h"
#include "../lexer/token.h"
#include "../text/regex.h"

/* ── life ───────────────────────────────────────────────────────────────────────────── */

vm *vm_new(const vm_config *cfg) {
  vm *v = mem_zalloc(cfg->c, sizeof *v);
  if (!v) return NULL;
  v->c = cfg->c;
  v->cfg = *cfg;
  v->command = command;
  v->cfg.ir.c = cfg->c;
  sys_reset(v);
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
  ir_use_costs(v->g);
  v->clock = ir_clock(v->g);
  v->verified_seq = *v->clock;
#ifdef EXT_link
  v->se = ext_se_seen;
#endif
  if (reach_open(v, cfg->folders)) return v;
  vm_free(v);
  return NULL;
}

void vm_free(vm *v) {
  if (!v) return;
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

static void enter(vm *v) {
  if (v->running++) return;
  v->off = false; /* of an earlier text, whose host went on */
  stack_enter(v->c);
  ir_drop_unused(v->g);
}

/* Ends an entry: pending work is verified, an error settled and noted. */
static bool leave(vm *v, bool ok) {
  ok = ok && verify(v) && mapped_whole(v->c);
  v->running--;
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
  enter(v);
  bool ok = leave(v, run_text(v, t, show, &r, &quiet));
  if (shy) *shy = quiet;
  if (ok && result && r.cls == C_ARR) *result = value_move(&r).a;
  return ok;
}

/* An entry of the session or a script, whose value is ⎕_ from then on. */
static bool run_entry(vm *v, const vm_text *t) {
  OWNED_VALUE value r = {0};
  bool shy, ok;
  enter(v);
  if (v->halt) ok = run_suspended(v, t, &r, &shy);
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
  enter(v);
#ifdef EXT_link
  return leave(v, ext_import(v, path, kept, errors));
#else
  UNUSED(kept);
  UNUSED(errors);
  return leave(v, err_set(v->c, ERR_NONCE, "%s: folders are not in this build", path));
#endif
}

void vm_look(vm *v) {
#ifdef EXT_link
  enter(v);
  if (!leave(v, ext_link_look(v))) err_clear(v->c);
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
  return x && x->cls == C_FN && x->f->kind == F_NILADIC;
}

/* ── names from outside ─────────────────────────────────────────────────────────────── */

/* A callback may ask while a dfn runs: it is given what the workspace has all the same. */

arr *vm_get(vm *v, const char *name) {
  size_t n = strlen(name);
  int row = sys_find(name, n);
  arr *r = NULL;
  sysvars *sv = v->sv;
  enter(v);
  v->sv = &v->vars;
  const sym *s = row < 0 ? sym_find(v, name, n) : NULL;
  const value *x = s ? sym_read(s) : NULL;
  if (row >= 0 && sys_class(row) == C_ARR) r = sys_get(v, row);
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
  enter(v);
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
  enter(v);
  if (!leave(v, function_of(v, text, &f) && call(v, f.f, left, right, &r))) return false;
  *result = arr_move(&r);
  return true;
}

bool vm_def(vm *v, const char *name, const vm_host_fn *f) {
  sym *s = sym_intern(v, name, strlen(name));
  OWNED_FN fn *k = s ? fn_of_host(v, name) : NULL;
  if (!k) return false;
  k->host->as = (vm_host_fn){.call = f->call, .user = f->user};
  enter(v);
  if (!leave(v, name_set(v, NULL, s, value_fn(k, C_FN)))) return false;
  k->host->as.drop = f->drop;
  return true;
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
