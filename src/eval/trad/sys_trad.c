/* SPDX-License-Identifier: MIT */
/* sys_trad.c - ⎕-names of traditional functions: ⎕FX ⎕SHADOW ⎕TRAP ⎕STOP ⎕TRACE. */
#include "../../array/element.h"
#include "../run/eval.h"
#include "../system/system.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "trad.h"
#include <string.h>

/* ── ⎕FX ────────────────────────────────────────────────────────────────────────────── */

/* The lines y, nested or a matrix, between two ∇ unless they have these. */
static bool read_lines(vm *v, arr *y, str *s) {
  int64_t n = y->count, width = 0;
  bool nested = is_nested(y);
  if (y->rank > 2 || (nested && y->rank > 1))
    return err_set(v->c, ERR_RANK, "⎕FX takes lines");
  if (!nested && !elt_is_char((elt)y->type))
    return err_set(v->c, ERR_DOMAIN, "⎕FX takes lines of text");
  if (!nested) {
    n = y->rank == 2 ? y->shape[0] : 1;
    width = y->rank == 2 ? y->shape[1] : y->count;
  }
  for (int64_t i = 0; i < n; i++) {
    OWNED_STR str line = {.c = v->c};
    if (nested && !arg_text(v, arr_item(y, i), "⎕FX: a line", &line)) return false;
    for (int64_t j = 0; !nested && j < width; j++)
      str_putc(&line, (uint32_t)arr_get_int(y, i * width + j));
    str_put(&line, "", 0);
    const char *p = line.at ? line.at : "";
    while (*p == ' ') p++;
    bool del = !strncmp(p, "∇", strlen("∇")) || !strncmp(p, "⍫", strlen("⍫"));
    if (!i && !del) str_puts(s, "∇");
    str_put(s, line.at, line.n);
    if (i + 1 < n || !del) str_puts(s, "\n");
    if (i + 1 == n && (!del || !i)) str_puts(s, "∇");
    if (line.failed) return false;
  }
  return !s->failed;
}

/* The number of the line where the recorded error is, from ⎕IO; NULL: it is of another kind. */
static arr *bad_line(vm *v) {
  const err *e = &v->c->err;
  int64_t line = v->sv->io;
  if (e->code != ERR_SYNTAX && e->code != ERR_NONCE && e->code != ERR_DOMAIN) return NULL;
  for (uint32_t i = 0; e->at.src && i < e->at.begin; i++)
    line += e->at.src->text[i] == '\n';
  err_clear(v->c);
  return arr_int(v->c, line);
}

static bool is_dfn_definition(const tnode *t) {
  return t->kind == T_STMT && t->n == 3 && t->kid[0]->kind == T_NAME &&
         t->kid[1]->kind == T_ASSIGN && t->kid[2]->kind == T_DFN;
}

/* The text, between two ∇, as one definition: f←{…}, or one by ∇. NULL: an error. */
static unit *read_definition(vm *v, const vm_text *t) {
  static const char dfn[] = "←{", del[] = "∇";
  size_t skip = strlen(del);
  if (memmem(t->at, t->n, dfn, strlen(dfn)) && t->n > 2 * skip) {
    vm_text bare = {.name = t->name, .at = t->at + skip, .n = t->n - 2 * skip};
    OWNED_UNIT unit *u = unit_new(v, &bare);
    if (u && u->t->root->n == 1 && is_dfn_definition(u->t->root->kid[0]))
      return unit_retain(u);
    if (v->c->err.code != ERR_WS_FULL) err_clear(v->c);
  }
  return err_is(v->c) ? NULL : unit_new(v, t);
}

bool trad_fix(vm *v, const vm_text *text, arr *in, str *name) {
  OWNED_VALUE value made = {0};
  OWNED_UNIT unit *u = read_definition(v, text);
  if (!u) return false;
  tnode *root = u->t->root, *t = root->n == 1 ? root->kid[0] : NULL;
  env e = {.v = v, .refs = 1, .body = u->top, .sv = v->sv, .space = in};
  if (!t || (t->kind != T_TRAD && !is_dfn_definition(t)))
    return err_set(v->c, ERR_SYNTAX, "it is no definition of one function");
  bool ok = t->kind == T_TRAD ? trad_define(v, &e, t) : eval_stmt(v, &e, t, false, &made);
  const tnode *of = t->kind == T_TRAD ? t->trad->name : t->kid[0];
  name->n = 0;
  str_put(name, of->text, of->n);
  str_put(name, "", 0);
  return ok && !name->failed;
}

bool sys_fx(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  UNUSED(x);
  v->shy = false;
  if (!read_lines(v, y, &s)) return false;
  vm_text t = {.name = "", .at = s.at, .n = s.n};
  if (!trad_fix(v, &t, v->env ? v->env->space : NULL, &name))
    return give_result(r, bad_line(v));
  v->shy = true;
  return give_result(r, arr_text(v->c, name.at, name.n));
}

/* ── ⎕SHADOW ────────────────────────────────────────────────────────────────────────── */

bool sys_shadow(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str s = {.c = v->c};
  names_in names;
  UNUSED(x);
  if (!names_open(v, y, &names)) return false;
  for (int64_t i = 0; i < names.n; i++) {
    if (!name_at(v, &names, i, &s)) return false;
    for (char *p = s.at, *end; p && *p; p = end) {
      while (*p == ' ') p++;
      end = p + strcspn(p, " ");
      size_t n = (size_t)(end - p);
      if (!n) break;
      if (!is_own_name(p, n)) return err_set(v->c, ERR_DOMAIN, "⎕SHADOW takes names");
      sym *k = v->shadow ? sym_intern(v, p, n) : NULL;
      if (v->shadow && (!k || !shadow_name(v, v->shadow, k))) return false;
      if (interrupted(v->c)) return false;
    }
  }
  v->shy = true;
  return give_result(r, arr_retain(y));
}

/* ── ⎕TRAP ──────────────────────────────────────────────────────────────────────────── */

/* Of the innermost function in which it is local, or the workspace's. */
static arr **trap_in_force(vm *v) {
  shadow *k = v->shadow;
  while (k && !(k->sys & SHADOW_TRAP)) k = k->outer;
  return k ? &k->trap : &v->trap;
}

arr *sys_get_trap(vm *v) {
  arr *a = *trap_in_force(v);
  return a ? arr_retain(a) : items_of(v, 0, NULL);
}

/* Codes, one of the letters, and perhaps a text. */
static bool is_trap_item(const arr *a) {
  if (!arr_nests(a) || a->rank > 1 || a->count < 2 || a->count > 3) return false;
  const arr *codes = arr_item(a, 0), *letter = arr_item(a, 1);
  if (codes->rank > 1 || (codes->count && codes->type > ET_F64)) return false;
  if (!elt_is_char((elt)letter->type) || letter->count != 1) return false;
  int64_t l = arr_get_int(letter, 0);
  return l == 'E' || l == 'C' || l == 'N' || l == 'S';
}

bool sys_set_trap(vm *v, env *e, value x) {
  UNUSED(e);
  if (x.cls != C_ARR || !ir_host(v->g, x.a))
    return err_set(v->c, ERR_DOMAIN, "⎕TRAP is an array");
  OWNED arr *a = arr_retain(x.a);
  bool nested = is_nested(a) && a->count;
  if (a->count && !nested)
    return err_set(v->c, ERR_DOMAIN, "⎕TRAP has items of codes, a letter, and a text");
  if (nested && !is_nested(arr_item(a, 0)) && a->count > 1 &&
      elt_is_char((elt)arr_item(a, 1)->type)) { /* one item, that need not be enclosed */
    arr *one = arr_retain(a);
    arr *list = items_of(v, 1, &one);
    if (!list) return false;
    arr_release(a);
    a = list;
  }
  for (int64_t i = 0; i < a->count; i++)
    if (!is_trap_item(arr_item(a, i)))
      return err_set(v->c, ERR_DOMAIN,
                     "an item of ⎕TRAP is codes, E, C, N or S, and a text");
  arr **at = trap_in_force(v);
  arr_release(*at);
  *at = a->count ? arr_move(&a) : NULL;
  return true;
}

/* ── ⎕STOP ⎕TRACE ───────────────────────────────────────────────────────────────────── */

/* The function that y names; NULL without an error: it is no traditional one. */
static const fn *function_named(vm *v, arr *y, const char *who) {
  OWNED_STR str s = {.c = v->c};
  OWNED arr *in = NULL;
  sym *k;
  if (!arg_text(v, y, who, &s) || !path_of(v, &s, &in, &k)) return NULL;
  const value *x = name_there(v, in, k).val;
  return x->cls > C_ARR && fn_is_trad(x->f) ? x->f : NULL;
}

static bool has_line(const uint64_t *bits, uint32_t i) {
  return bits && bits[i / 64] >> i % 64 & 1;
}

static arr *lines_set(vm *v, const uint64_t *bits, uint32_t lines) {
  int64_t n = 0;
  for (uint32_t i = 0; i <= lines; i++) n += has_line(bits, i);
  arr *r = arr_vec(v->c, ET_I32, n);
  n = 0;
  for (uint32_t i = 0; r && i <= lines; i++)
    if (has_line(bits, i)) arr_put_int(r, n++, i);
  return r;
}

/* The lines in x that the function has, as bits in its tree's memory. */
static bool set_lines(vm *v, const fn *f, const arr *x, uint64_t **bits) {
  uint32_t lines = f->node->trad->lines;
  size_t words = lines / 64 + 1;
  if (x->count && x->type > ET_F64)
    return err_set(v->c, ERR_DOMAIN, "numbers of lines are wanted");
  if (!*bits) *bits = arena_alloc(&f->u->t->mem, words * sizeof **bits);
  if (!*bits) return false;
  memset(*bits, 0, (size_t)words * sizeof **bits);
  for (int64_t i = 0; i < x->count; i++) {
    double d = arr_get_float(x, i);
    if (!(d >= 0 && d <= lines) || d != (double)(uint32_t)d) continue;
    (*bits)[(uint32_t)d / 64] |= (uint64_t)1 << (uint32_t)d % 64;
  }
  return true;
}

/* The steps are told what is looked at: a stop is before the first step of a line, or that behind it if it
 * has none. */
static void mark_steps(trad *t) {
  for (uint32_t i = 0; i < t->n; i++)
    t->step[i].look = has_line(t->trace, t->step[i].line) ? LOOK_TRACE : 0;
  for (uint32_t i = 1; i <= t->lines; i++)
    if (has_line(t->stop, i) && t->line[i] < t->n) t->step[t->line[i]].look |= LOOK_STOP;
  t->look_at_exit = has_line(t->stop, 0) ? LOOK_STOP : 0;
  if (has_line(t->trace, 0)) t->look_at_exit |= LOOK_TRACE;
}

static bool on_lines(vm *v, arr *x, arr *y, bool trace, const char *who, arr **r) {
  const fn *f = function_named(v, y, who);
  if (err_is(v->c)) return false;
  if (!f) return give_result(r, arr_vec(v->c, ET_I32, 0));
  trad *t = f->node->trad;
  uint64_t **bits = trace ? &t->trace : &t->stop;
  if (x && !set_lines(v, f, x, bits)) return false;
  if (x) mark_steps(t);
  v->shy = x != NULL;
  return give_result(r, lines_set(v, *bits, t->lines));
}

bool sys_stop(vm *v, arr *x, arr *y, arr **r) {
  return on_lines(v, x, y, false, "⎕STOP", r);
}
bool sys_trace(vm *v, arr *x, arr *y, arr **r) {
  return on_lines(v, x, y, true, "⎕TRACE", r);
}
