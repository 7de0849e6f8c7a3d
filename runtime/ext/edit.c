/* SPDX-License-Identifier: MIT */
/* edit.c - ⎕ED and )ED: functions, arrays and namespaces as texts that a person edits.
 *
 * What a name stands for becomes a text with the ending that its kind has in folders of sources:
 *
 *   .aplf .aplo   a function or an operator: its lines
 *   .txt          characters: a vector, the lines of a matrix, or a vector of lines
 *   .apla         any other array, in array notation
 *   .apln         a namespace as a script
 *
 * and is defined by what the text is afterwards, if that has changed. What cannot be defined is
 * shown and offered again. A text that would lose something is not offered: it is an error. */
#include "../../src/array/element.h"
#include "../../src/array/number.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/command.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/trad/trad.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "../../src/base/utf8.h"
#include <string.h>

typedef enum form { FUNCTION, VECTOR, LINES, MATRIX, NOTATION, SCRIPT, NO_FORM } form;

/* ── arrays in array notation ───────────────────────────────────────────────────────── */

static bool put_notation(vm *v, arr *a, int depth, str *s);

static bool cannot_tell(vm *v, const char *what) {
  return err_set(v->c, ERR_NONCE, "%s cannot be edited as a text", what);
}

static void edit_put_number(const arr *a, int64_t i, str *s) {
  if (elt_is_int((elt)a->type)) num_format_int(s, arr_get_int(a, i), 17);
  else num_format_float(s, arr_get_float(a, i), 17);
  if (a->type != ET_C128) return;
  str_puts(s, "J");
  num_format_float(s, arr_get_imag(a, i), 17);
}

/* n characters from element `from` on; those that cannot stand in quotes by their numbers. */
static void edit_put_chars(const arr *a, int64_t from, int64_t n, str *s) {
  bool plain = true;
  for (int64_t i = from; i < from + n; i++) {
    int64_t u = arr_get_int(a, i);
    plain &= u >= ' ' && u != 127 && (u < 128 || u >= 160);
  }
  str_puts(s, plain ? "'" : "(⎕UCS");
  for (int64_t i = from; i < from + n; i++) {
    int64_t u = arr_get_int(a, i);
    if (!plain) str_printf(s, " %lld", (long long)u);
    else if (u == '\'') str_puts(s, "''");
    else str_putc(s, (uint32_t)u);
  }
  str_puts(s, plain ? "'" : ")");
}

static void edit_put_line(int depth, str *s) {
  str_puts(s, "\n");
  str_pad(s, (size_t)depth);
}

static bool put_items(vm *v, arr *a, int64_t from, int64_t n, int depth, str *s) {
  str_puts(s, "(");
  for (int64_t i = from; i < from + n; i++) {
    OWNED arr *item = item_at(v, a, i);
    if (n > 1) edit_put_line(depth + 1, s);
    if (!item || !put_notation(v, item, depth + 1, s)) return false;
  }
  if (n > 1) edit_put_line(depth, s);
  str_puts(s, n > 1 ? ")" : " ⋄)");
  return true;
}

/* n elements from `from` on as a vector; `row`: of a matrix, where one element may be a scalar. */
static bool put_vector(vm *v, arr *a, int64_t from, int64_t n, bool row, int depth,
                       str *s) {
  if (a->type == ET_NEST) return put_items(v, a, from, n, depth, s);
  bool one = n == 1 && !row;
  if (one) str_puts(s, "(");
  if (elt_is_char((elt)a->type)) edit_put_chars(a, from, n, s);
  else
    for (int64_t i = from; i < from + n; i++) {
      if (i > from) str_puts(s, " ");
      edit_put_number(a, i, s);
    }
  if (one) str_puts(s, " ⋄)");
  return !interrupted(v->c);
}

/* The cells of rank `rank` from element `from` on, in brackets. */
static bool put_cells(vm *v, arr *a, int rank, int64_t from, int depth, str *s) {
  if (rank == 1) return put_vector(v, a, from, a->shape[a->rank - 1], true, depth, s);
  int64_t n = a->shape[a->rank - rank], size = 1;
  for (int k = a->rank - rank + 1; k < a->rank; k++) size *= a->shape[k];
  str_puts(s, "[");
  for (int64_t i = 0; i < n; i++) {
    if (n > 1) edit_put_line(depth + 1, s);
    if (!put_cells(v, a, rank - 1, from + i * size, depth + 1, s)) return false;
  }
  if (n > 1) edit_put_line(depth, s);
  str_puts(s, n > 1 ? "]" : " ⋄]");
  return true;
}

static bool put_empty(vm *v, const arr *a, str *s) {
  bool text = elt_is_char((elt)a->type);
  if (a->type == ET_NEST) return cannot_tell(v, "an empty nested array");
  for (int k = 0; a->rank > 1 && k < a->rank; k++)
    str_printf(s, "%s%lld", k ? " " : "", (long long)a->shape[k]);
  str_puts(s, a->rank > 1 ? "⍴" : "");
  str_puts(s, text ? "''" : "⍬");
  return true;
}

static bool put_notation(vm *v, arr *a, int depth, str *s) {
  if (!ir_host(v->g, a) || out_of_stack(v->c) || s->failed) return false;
  if (a->ref) return cannot_tell(v, "an array with namespaces in it");
  if (!a->count) return put_empty(v, a, s);
  if (a->rank > 1) return put_cells(v, a, a->rank, 0, depth, s);
  if (a->rank) return put_vector(v, a, 0, a->count, false, depth, s);
  if (a->type != ET_NEST) return put_vector(v, a, 0, 1, true, depth, s);
  OWNED arr *item = item_at(v, a, 0);
  str_puts(s, "⊂");
  return item && put_notation(v, item, depth, s);
}

/* ── namespaces as scripts ──────────────────────────────────────────────────────────── */

static bool put_function(vm *v, const fn *f, const char *name, str *s) {
  OWNED_STR str text = {.c = v->c};
  fn_put_definition(f, name, &text);
  if (text.failed) return false;
  bool lines = fn_is_trad(f) || f->kind == F_DFN || f->kind == F_DOP;
  if (!lines && strstr(text.at, "…")) return cannot_tell(v, name);
  str_put(s, text.at, text.n);
  return !s->failed;
}

static bool edit_put_space(vm *v, const arr *a, const char *name, int depth, str *s);

static bool put_member(vm *v, const arr *in, const space_name *k, int depth, str *s) {
  const char *name = k->s->text;
  value x = *space_read(k);
  if (x.cls == C_ARR && x.a->ref) {
    const space *p = space_of(x.a);
    if (p->parent != in) return cannot_tell(v, name);
    return edit_put_space(v, x.a, name, depth, s);
  }
  bool by_del = x.cls > C_ARR && fn_is_trad(x.f);
  if (x.cls > C_ARR &&
      (x.f->space != in || (by_del && strcmp(name, x.f->node->trad->name->text))))
    return cannot_tell(v, name);
  if (by_del) str_puts(s, "∇ ");
  if (x.cls == C_ARR) str_printf(s, "%s←", name);
  bool ok = x.cls == C_ARR ? put_notation(v, x.a, 0, s) : put_function(v, x.f, name, s);
  str_puts(s, by_del ? "\n∇\n" : "\n");
  return ok;
}

static bool edit_put_space(vm *v, const arr *a, const char *name, int depth, str *s) {
  const space *p = space_of(a);
  if (p->part && !p->script.src) return cannot_tell(v, name);
  if (p->part) { /* a class is its text */
    str_put(s, p->script.src->text + p->script.begin, p->script.end - p->script.begin);
    str_puts(s, "\n");
    return !s->failed;
  }
  if (p->is_workspace || depth > 100) return cannot_tell(v, name);
  str_printf(s, ":Namespace %s\n", name);
  if (p->vars.io != v->vars.io) str_printf(s, "⎕IO←%d\n", p->vars.io);
  if (p->vars.ml != v->vars.ml) str_printf(s, "⎕ML←%d\n", p->vars.ml);
  for (uint32_t i = 0; i < p->n; i++)
    if (space_read(&p->at[i])->cls && !put_member(v, a, &p->at[i], depth + 1, s))
      return false;
  str_puts(s, ":EndNamespace\n");
  return !s->failed;
}

/* ── what a name stands for ─────────────────────────────────────────────────────────── */

typedef struct edited {
  vm *v;
  const char *name; /* the last of its path */
  arr *in;          /* NULL: the workspace */
  value now;        /* borrowed; none: it is new */
  form as;
} edited;

/* The form that a new thing has by the sign before its name; `sign` 0: none was there. */
static form form_of_sign(uint32_t sign) {
  switch (sign) {
  case 0:
  case 0x2207: return FUNCTION; /* ∇ */
  case 0x2192: return VECTOR;   /* → */
  case 0x220A: return LINES;    /* ∊ */
  case '-': return MATRIX;
  case 0x22C4: return NOTATION; /* ⋄ */
  case 0x235F: return SCRIPT;   /* ⍟ */
  default: return NO_FORM;      /* ○ ∘: classes, interfaces */
  }
}

static bool is_sign(uint32_t u) {
  return u == 0x25CB || u == 0x2218 || (u && form_of_sign(u) != NO_FORM);
}

static bool is_text(const arr *a, int rank) {
  return a->rank == rank && elt_is_char((elt)a->type);
}

static form form_of_array(arr *a, uint32_t sign) {
  bool lines = a->rank == 1 && a->count && arr_nests(a);
  if (a->ref) return SCRIPT;
  if (sign == 0x22C4) return NOTATION;
  for (int64_t i = 0; lines && i < a->count; i++) {
    const arr *item = arr_item(a, i);
    lines = is_text(item, 1) && item->host;
  }
  if (lines) return LINES;
  if (is_text(a, 2)) return MATRIX;
  return is_text(a, 1) ? VECTOR : NOTATION;
}

static void edit_put_rows(const arr *a, str *s) {
  int64_t n = a->rank == 2 ? a->shape[0] : 1,
          width = a->rank == 2 ? a->shape[1] : a->count;
  for (int64_t i = 0; i < n; i++) {
    if (i) str_puts(s, "\n");
    for (int64_t k = 0; k < width; k++)
      str_putc(s, (uint32_t)arr_get_int(a, i * width + k));
  }
}

static bool edit_put_text(const edited *e, str *s) {
  arr *a = e->now.cls == C_ARR ? e->now.a : NULL;
  bool ok = true;
  if (!e->now.cls && e->as == SCRIPT)
    str_printf(s, ":Namespace %s\n:EndNamespace\n", e->name);
  else if (!e->now.cls && e->as == FUNCTION) str_printf(s, "%s", e->name);
  else if (e->as == FUNCTION) ok = put_function(e->v, e->now.f, e->name, s);
  else if (e->as == SCRIPT && a) ok = edit_put_space(e->v, a, e->name, 0, s);
  else if (e->as == NOTATION && a) ok = put_notation(e->v, a, 0, s);
  for (int64_t i = 0; a && e->as == LINES && i < a->count; i++) {
    if (i) str_puts(s, "\n");
    edit_put_rows(arr_item(a, i), s);
  }
  if (a && (e->as == MATRIX || e->as == VECTOR)) edit_put_rows(a, s);
  if (!s->n || s->at[s->n - 1] != '\n') str_puts(s, "\n");
  return ok && !s->failed;
}

static const char *ending(const edited *e) {
  static const char *const endings[] = {[VECTOR] = "txt",
                                        [LINES] = "txt",
                                        [MATRIX] = "txt",
                                        [NOTATION] = "apla",
                                        [SCRIPT] = "apln"};
  if (e->as == FUNCTION) return e->now.cls == C_OP ? "aplo" : "aplf";
  return endings[e->as];
}

/* ── what the text is afterwards ────────────────────────────────────────────────────── */

static bool set(const edited *e, arr *a) {
  OWNED arr *kept = a;
  sym *k = sym_intern(e->v, e->name, strlen(e->name));
  return kept && k && name_set(e->v, e->in, k, value_arr(kept));
}

static arr *lines_of(vm *v, const char *p, const char *end) {
  OWNED_LIST arr_list lines = {.v = v};
  for (const char *stop; p <= end; p = stop + 1) {
    stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    size_t n = (size_t)(stop - p);
    if (n && p[n - 1] == '\r') n--;
    if (!list_add(&lines, arr_text(v->c, p, n))) return NULL;
  }
  return list_array(&lines);
}

static bool fix_function(const edited *e, const char *file, const str *text) {
  static const char del[] = "∇";
  vm *v = e->v;
  OWNED_STR str s = {.c = v->c};
  OWNED_STR str name = {.c = v->c};
  bool shy, derived = e->now.cls > C_ARR && !fn_is_trad(e->now.f) &&
                      e->now.f->kind != F_DFN && e->now.f->kind != F_DOP;
  if (derived) {
    OWNED_VALUE value r = {0};
    vm_text whole = {.name = file, .at = text->at, .n = text->n};
    return run_text_in(v, &whole, e->in, false, &r, &shy);
  }
  const char *p = text->at;
  while (*p == ' ' || *p == '\n') p++;
  bool has = !strncmp(p, del, strlen(del));
  str_printf(&s, "%s%s%s", has ? "" : del, text->at, has ? "" : del);
  if (s.failed) return false;
  return trad_fix(v, &(vm_text){.name = file, .at = s.at, .n = s.n}, e->in, &name);
}

static bool fix_array(const edited *e, const char *file, const str *text) {
  OWNED_VALUE value r = {0};
  bool shy;
  vm_text t = {.name = file, .at = text->at, .n = text->n};
  if (!run_text_in(e->v, &t, e->in, false, &r, &shy)) return false;
  if (r.cls != C_ARR)
    return err_set(e->v->c, ERR_SYNTAX, "%s is to be an array", e->name);
  return set(e, arr_retain(r.a));
}

/* By ⎕FIX, in the namespace where the name is. */
static bool fix_script(const edited *e, arr *lines) {
  vm *v = e->v;
  OWNED arr *y = lines;
  arr *r = NULL;
  space_visit i;
  int row = sys_find("⎕FIX", strlen("⎕FIX"));
  if (row < 0) return err_set(v->c, ERR_NONCE, "this build has no ⎕FIX");
  OWNED_FN fn *f = fn_new(v, F_SYS, (uint32_t)row);
  if (!y || !f || (e->in && !space_enter(&i, v, v->env, e->in))) return false;
  bool ok = sys_call(v, f, NULL, y, &r);
  if (e->in) space_leave(&i);
  arr_release(r);
  return ok;
}

static bool fix(const edited *e, const char *file, const str *text) {
  vm *v = e->v;
  const char *end = text->at + text->n;
  if (text->n && end[-1] == '\n') end--; /* which editors put there */
  switch (e->as) {
  case FUNCTION: return fix_function(e, file, text);
  case VECTOR: return set(e, arr_text(v->c, text->at, (size_t)(end - text->at)));
  case LINES: return set(e, lines_of(v, text->at, end));
  case MATRIX: {
    prim_env pe = env_of(v);
    OWNED arr *lines = lines_of(v, text->at, end);
    return lines && set(e, prim_mix(&pe, lines));
  }
  case NOTATION: return fix_array(e, file, text);
  case SCRIPT: return fix_script(e, lines_of(v, text->at, end));
  case NO_FORM: break;
  }
  return false;
}

/* As vm_config has it; of several ranks the first one has the person. */
static bool ask_person(vm *v, const char *file, const char *why, str *text) {
  bool again = false;
  if (!is_ranked(v->c)) return v->cfg.edit(v->cfg.user, file, why, text);
  if (dist_alone_begins(v->c)) again = v->cfg.edit(v->cfg.user, file, why, text);
  if (!dist_alone_ends(v->c, NULL) || !dist_same(v->c, &again, sizeof again))
    return false;
  OWNED_STR str s = {.c = v->c};
  str_put(&s, text->at, text->n);
  void *at = s.at;
  bool ok = !s.failed && dist_same_bytes(v->c, &at, &s.n);
  s.at = at;
  text->n = 0;
  if (ok) str_put(text, s.at, s.n);
  return ok && again;
}

/* Lets the text be edited until it can be defined, or is given up. */
static bool edit(const edited *e, bool *fixed) {
  vm *v = e->v;
  OWNED_STR str text = {.c = v->c};
  OWNED_STR str was = {.c = v->c};
  OWNED_STR str file = {.c = v->c};
  OWNED_STR str why = {.c = v->c};
  str_printf(&file, "%s.%s", e->name, ending(e));
  if (file.failed || !edit_put_text(e, &text)) return false;
  str_put(&was, text.at, text.n);
  for (;;) {
    if (!ask_person(v, file.at, why.at, &text)) return !err_is(v->c);
    if (was.failed || text.failed) return false;
    if (text.n == was.n && !memcmp(text.at, was.at, was.n)) return true;
    *fixed = fix(e, file.at, &text) && verify(v);
    if (*fixed || v->off) return *fixed;
    settle_error(v);
    if (v->c->err.code == ERR_INTERRUPT) return false;
    why.n = 0;
    vm_error_text(v, &why);
    err_clear(v->c);
    if (why.failed) return false;
  }
}

/* ── names ──────────────────────────────────────────────────────────────────────────── */

static bool may_edit(vm *v, const char *who) {
  if (!ext_may(v, MAY_RUN, who)) return false;
  return v->cfg.edit ||
         err_set(v->c, ERR_NONCE, "%s needs a session at a terminal, with a person", who);
}

/* The thing of that path, new ones by the sign; what cannot be edited is passed over. */
static bool edit_named(vm *v, const str *path, uint32_t sign, bool *fixed) {
  OWNED arr *in = NULL;
  sym *k;
  if (!path_of(v, path, &in, &k)) return !err_is(v->c);
  edited e = {.v = v, .name = k->text, .in = in};
  const value *x = name_there(v, in, k).val;
  if (!in && v->env) e.in = v->env->space;
  if (x) e.now = *x;
  OWNED_VALUE value kept = value_retain(e.now);
  e.now = kept; /* whatever its name stands for by then */
  if (e.now.cls == C_ARR && !ir_host(v->g, e.now.a)) return false;
  e.as = form_of_sign(sign);
  if (e.now.cls == C_ARR) e.as = form_of_array(e.now.a, sign);
  else if (e.now.cls) e.as = FUNCTION;
  if (e.as == NO_FORM) return cannot_tell(v, "a class or an interface");
  return edit(&e, fixed);
}

/* One name, perhaps with a sign before it. */
static bool edit_word(vm *v, const char *p, size_t n, uint32_t sign, bool *fixed) {
  OWNED_STR str name = {.c = v->c};
  const char *next, *end = p + n, *bracket;
  uint32_t u = n ? utf8_next(p, end, &next) : 0;
  *fixed = false;
  if (is_sign(u)) {
    sign = u;
    p = next;
  }
  bracket = memchr(p, '[', (size_t)(end - p)); /* a line, where an editor might begin */
  str_put(&name, p, (size_t)((bracket ? bracket : end) - p));
  str_put(&name, "", 0);
  if (name.failed) return false;
  return edit_named(v, &name, sign, fixed);
}

bool ext_cmd_ed(vm *v, const char *at, const char *end) {
  bool fixed;
  if (!command_more(&at, end))
    return err_set(v->c, ERR_SYNTAX, ")ED needs names behind it");
  if (!may_edit(v, ")ED")) return false;
  while (command_more(&at, end)) {
    OWNED_STR str word = {.c = v->c};
    if (!command_word(v, &at, end, &word)) return false;
    if (!edit_word(v, word.at, word.n, 0, &fixed)) return false;
  }
  return true;
}

bool ext_ed(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str name = {.c = v->c};
  OWNED_STR str signs = {.c = v->c};
  OWNED_LIST arr_list done = {.v = v};
  names_in names;
  str_put(&signs, "", 0);
  if (x && !arg_text(v, x, "⎕ED's left argument", &signs)) return false;
  if (!may_edit(v, "⎕ED") || !names_open(v, y, &names)) return false;
  const char *sign = signs.at, *signs_end = signs.at + signs.n;
  int64_t n_signs = (int64_t)utf8_count(signs.at, signs.n);
  if (x && n_signs != 1 && n_signs != names.n)
    return err_set(v->c, ERR_LENGTH, "⎕ED wants one type, or one for each name");
  for (int64_t i = 0; i < names.n; i++) {
    const char *next = sign;
    uint32_t u = sign < signs_end ? utf8_next(sign, signs_end, &next) : 0;
    bool fixed;
    if (n_signs > 1) sign = next;
    if (!name_at(v, &names, i, &name) || !edit_word(v, name.at, name.n, u, &fixed))
      return false;
    if (fixed && !list_add(&done, arr_text(v->c, name.at, name.n))) return false;
  }
  v->shy = true;
  if (done.n) return give_result(r, list_array(&done));
  OWNED arr *none = arr_text(v->c, "", 0);
  return none && give_result(r, collect_none(v, none, 1, (int64_t[]){0}));
}
