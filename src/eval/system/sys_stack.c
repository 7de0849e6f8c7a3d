/* SPDX-License-Identifier: MIT */
/* sys_stack.c - the calls in progress, ⎕SI and ⎕LC, and those that the last error left, )SI.
 *
 * A dfn has the name that its text gives it, f←{…}, and lines from 0 on. Who called whom is
 * known by the environments of the calls; of an error, by the places that it has kept. */
#include "../../lexer/token.h"
#include "../../base/utf8.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "../value/space.h"
#include "error.h"
#include "system.h"
#include <string.h>

typedef struct dfn_text { /* a dfn in a text; NULL src: none */
  const source *src;
  token brace, name; /* name: empty if it has none */
} dfn_text;

/* The innermost dfn around a place. */
static dfn_text dfn_around(vm *v, span at) {
  VEC(dfn_text) open = {0};
  token none = {0}, last[2] = {none, none};
  dfn_text found = {0};
  if (!at.src) return found;
  lexer l = {.text = at.src->text, .len = at.src->len};
  for (token t = lex_next(&l); t.kind > TOK_ERROR && t.begin < at.begin;
       t = lex_next(&l)) {
    bool is_set = last[1].kind == TOK_PUNCT && last[1].code == 0x2190;
    dfn_text d = {at.src, t, none};
    if (is_set && last[0].kind == TOK_NAME) d.name = last[0];
    if (t.kind == TOK_PUNCT && t.code == '{' && !vec_push(v->c, &open, d)) break;
    if (t.kind == TOK_PUNCT && t.code == '}' && open.n) open.n--;
    last[0] = last[1];
    last[1] = t;
  }
  if (open.n) found = open.at[open.n - 1];
  vec_free(v->c, &open);
  return found;
}

/* The line of a place in the dfn d; 0 if it is not there. */
static int line_in(const dfn_text *d, span at) {
  int line = 0;
  if (d->src != at.src) return 0;
  for (uint32_t i = d->brace.begin; i < at.begin; i++) line += d->src->text[i] == '\n';
  return line;
}

static void put_name(const dfn_text *d, str *s) {
  str_put(s, d->src->text + d->name.begin, d->name.end - d->name.begin);
}

/* ── in progress ────────────────────────────────────────────────────────────────────── */

/* Is e of a call, and not of a statement in another namespace within one? */
static bool is_call(const env *e) { return e->trad || e->body->node; }

/* The dfn that runs in e. */
static dfn_text dfn_of(vm *v, const env *e) {
  if (e->trad) {
    const tnode *name = e->self->node->trad->name;
    token t = {.begin = name->begin, .end = name->end};
    return (dfn_text){e->self->u->t->src, t, t};
  }
  const tnode *node = e->self->node;
  return dfn_around(v, (span){e->self->u->t->src, node->begin + 1, node->begin + 1});
}

/* The call that e is, or from which it was made: the script of a namespace is none. */
static const env *call_from(const env *e) {
  while (e && !e->self) e = e->caller;
  return e;
}

void call_name(vm *v, const env *e, str *s) {
  dfn_text d = dfn_of(v, e);
  if (d.src) put_name(&d, s);
}

/* What `one` gives of each call, which stands at `at`, the innermost first. `names`: texts, an empty vector of which there
 * is where nothing runs. */
static arr *of_calls(vm *v, arr *(*one)(vm *v, const env *e, span at), bool names) {
  OWNED_LIST arr_list all = {.v = v};
  span at = v->at;
  for (const env *e = call_from(v->env); e; e = call_from(e->caller)) {
    if (interrupted(v->c) || !list_add(&all, one(v, e, at))) return NULL;
    at = e->called;
  }
  if (all.n || !names) return list_array(&all);
  OWNED arr *no_name = arr_text(v->c, "", 0);
  return no_name ? collect_none(v, no_name, 1, (int64_t[]){0}) : NULL;
}

static arr *name_of(vm *v, const env *e, span at) {
  str s = {.c = v->c};
  UNUSED(at);
  call_name(v, e, &s);
  return str_take(v, &s);
}

/* The path of a namespace; NULL: #. */
static bool put_space(vm *v, const arr *in, str *s) {
  arr *text = (arr *)(uintptr_t)space_title(in);
  if (text) return arg_text(v, text, "", s);
  str_puts(s, "#");
  return !s->failed;
}

/* The name with the namespace in which the function lives. */
static arr *path_in(vm *v, const env *e, span at) {
  OWNED_STR str s = {.c = v->c};
  UNUSED(at);
  if (!put_space(v, e->space, &s)) return NULL;
  str_puts(&s, ".");
  call_name(v, e, &s);
  return str_take(v, &s);
}

/* The namespace from which e was called; NULL: #. */
static arr *called_from(const env *e) { return e->caller ? e->caller->space : NULL; }

static arr *path_from(vm *v, const env *e, span at) {
  OWNED_STR str s = {.c = v->c};
  UNUSED(at);
  return put_space(v, called_from(e), &s) ? str_take(v, &s) : NULL;
}

static arr *space_from(vm *v, const env *e, span at) {
  arr *in = called_from(e);
  UNUSED(at);
  return in ? arr_retain(space_of(in)->ref) : space_workspace(v);
}

static arr *line_at(vm *v, const env *e, span at) {
  dfn_text d = dfn_of(v, e);
  return arr_int(v->c, e->trad ? (int)e->trad->line : line_in(&d, at));
}

arr *sys_get_si(vm *v) { return of_calls(v, name_of, true); }
arr *sys_get_xsi(vm *v) { return of_calls(v, path_in, true); }
arr *sys_get_nsi(vm *v) { return of_calls(v, path_from, true); }
arr *sys_get_rsi(vm *v) { return of_calls(v, space_from, false); }
arr *sys_get_lc(vm *v) { return of_calls(v, line_at, false); }

/* ── of the last error ──────────────────────────────────────────────────────────────── */

static void put_call(vm *v, span at, uint32_t times, str *s) {
  dfn_text d = dfn_around(v, at);
  const source_def *def = at.src ? source_def_at(at.src, at.begin) : NULL;
  if (def)
    d = (dfn_text){
        at.src, {.begin = def->begin}, {.begin = def->name, .end = def->name_end}};
  if (!d.src) return;
  bool first = !s->n;
  put_name(&d, s);
  str_printf(s, "[%d]", line_in(&d, at));
  if (times > 1) str_printf(s, " %u times", (unsigned)times);
  str_puts(s, first ? "*\n" : "\n");
}

/* The places alone: whoever catches errors does not wait until their texts were read. */
void stack_note(vm *v, const err *e) {
  stack_forget(v);
  source_retain(e->at.src);
  v->suspended = (struct error_stack){e->at, calls_copy(&e->calls)};
}

void stack_forget(vm *v) {
  struct error_stack *k = &v->suspended;
  source_release(v->c, k->at.src);
  calls_drop(v->c, &k->calls);
  k->at = (span){0};
}

/* ── suspended ──────────────────────────────────────────────────────────────────────── */

uint32_t stack_halts(const vm *v) {
  uint32_t n = 0;
  for (const halt *h = v->halt; h; h = h->outer) n++;
  return n;
}

bool stack_is_halted(const vm *v, const env *e) {
  const halt *h = v->halt;
  while (h && h->e != e) h = h->outer;
  return h != NULL;
}

void stack_put_call(vm *v, const env *e, uint32_t at, str *s) {
  dfn_text d = dfn_of(v, e);
  arr *in = e->space ? (arr *)(uintptr_t)arr_ref_text(e->space) : NULL;
  OWNED_STR str name = {.c = v->c};
  if (in && in->rank == 1 && arg_text(v, in, "", &name)) str_puts(s, name.at);
  else str_puts(s, "#");
  str_puts(s, ".");
  if (d.src) put_name(&d, s);
  if (d.name.begin == d.name.end) str_puts(s, "{…}");
  int line = e->trad ? (int)e->trad->line : line_in(&d, (span){e->body->src, at, at});
  str_printf(s, "[%d]", line);
}

static void put_column(const char *text, size_t *wide, str *s) {
  size_t n = utf8_count(text, strlen(text));
  str_pad(s, *wide < 8 ? 8 - *wide : 8 - *wide % 8);
  str_puts(s, text);
  *wide = n;
}

/* The names that are local to the call in e, in columns. */
static void put_locals(const env *e, size_t from, str *s) {
  size_t wide = utf8_count(s->at + from, s->n - from);
  const shadow *k = e->trad;
  const sym *name;
  for (size_t i = 0; k && (name = shadow_nth(k, i)); i++)
    put_column(name->text, &wide, s);
  const tnames *t = k ? &e->self->node->trad->local : NULL;
  for (uint32_t i = 0; t && i < t->n; i++)
    if (t->at[i]->kind == T_SYSNAME) put_column(t->at[i]->text, &wide, s);
  for (uint32_t i = 0; !k && i < e->body->n; i++)
    if (e->slot[i].cls) put_column(e->body->local[i]->text, &wide, s);
}

bool stack_put(vm *v, bool names, str *s) {
  span at = v->at;
  const struct error_stack *k = &v->suspended;
  if (!v->halt) put_call(v, k->at, 1, s);
  for (uint32_t i = 0; !v->halt && i < k->calls.n; i++) {
    if (k->calls.n_hidden && i + 1 == k->calls.n)
      str_printf(s, "… %u more\n", (unsigned)k->calls.n_hidden);
    put_call(v, k->calls.call[i].at, k->calls.call[i].times, s);
  }
  for (const env *e = v->halt ? v->halt->e : NULL; e; e = e->caller) {
    if (!is_call(e)) continue;
    size_t from = s->n;
    stack_put_call(v, e, at.begin, s);
    if (stack_is_halted(v, e)) str_puts(s, "*");
    if (names && !s->failed) put_locals(e, from, s);
    str_puts(s, "\n");
    at = e->called;
    if (interrupted(v->c)) return false;
  }
  return !s->failed;
}

/* ── the calls of dfns that failed ──────────────────────────────────────────────────── */

bool failed_keep(vm *v, env *e) {
  const err *k = &v->c->err;
  span at = k->calls.n ? k->calls.call[k->calls.n - 1].at : k->at;
  if (!v->suspend || v->off || v->aborts || v->failed_n == FAILED_MOST) return false;
  if (at.src != e->body->src) at.begin = e->body->node->begin;
  v->failed[v->failed_n++] = (failed_call){e, at.begin};
  return true;
}

void failed_forget(vm *v) {
  while (v->failed_n) {
    env *e = v->failed[--v->failed_n].e;
    env_leave(e);
    env_release(e);
  }
}
