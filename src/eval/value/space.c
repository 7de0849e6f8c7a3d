/* SPDX-License-Identifier: MIT */
/* space.c - namespaces: their names, and their lifetimes. */
#include "frame.h"
#include <string.h>
#include "arg.h"

enum { FEW = 8 };            /* names that are searched one by one */
enum { COLLECT_MIN = 1000 }; /* namespaces before circles are looked for */

/* ── names ──────────────────────────────────────────────────────────────────────────── */

/* The place of the index where s is or would be. */
static uint32_t *indexed(const space *p, const sym *s) {
  uint32_t i = s->hash & (p->hashes - 1);
  while (p->index[i] && p->at[p->index[i] - 1].s != s) i = (i + 1) & (p->hashes - 1);
  return &p->index[i];
}

static value *find(const space *p, sym *s) {
  value *last = space_cell_at_last(p, s);
  if (last || !space_may_have(p, s)) return last;
  uint32_t i = 0;
  if (p->hashes) i = *indexed(p, s) - 1; /* huge if it is 0 */
  else
    while (i < p->n && p->at[i].s != s) i++;
  if (i >= p->n) return NULL;
  s->last = i;
  return &p->at[i].val;
}

value *space_cell(const arr *in, sym *s) {
  const space *p = in ? space_of(in) : NULL;
  if (!p || p->is_workspace) return &s->val;
  return LIKELY(!p->part) ? find(p, s) : p->v->classes->cell(in, s, false);
}

const value *space_find(const arr *in, sym *s) {
  const value *cell = space_cell(in, s);
  return cell ? cell_read(s, cell) : NULL;
}

void space_free_names(space *p) {
  if (!p->names_inside) mem_free(p->c, p->at);
  mem_free(p->c, p->index);
  p->names_inside = false;
  p->at = NULL;
  p->index = NULL;
  p->n = p->cap = p->hashes = 0;
}

/* Room for one more name, of which the index is at most half full. */
static bool make_room(space *p) {
  ctx *c = p->v->c;
  if (p->n < p->cap) return true;
  uint32_t cap =
      FEW; /* a power of two, though an instance begins with room for its fields */
  while (cap <= p->cap) cap *= 2;
  uint32_t hashes = cap > FEW ? 2 * cap : 0;
  uint32_t *index = hashes ? mem_zalloc(c, hashes * sizeof *index) : NULL;
  space_name *at = mem_alloc(c, cap * sizeof *at);
  if (!at || (hashes && !index)) {
    mem_free(c, index);
    mem_free(c, at);
    return false;
  }
  uint32_t n = p->n;
  if (n) memcpy(at, p->at, n * sizeof *at);
  space_free_names(p);
  p->n = n;
  p->at = at;
  p->index = index;
  p->cap = cap;
  p->hashes = hashes;
  for (uint32_t i = 0; hashes && i < p->n; i++) *indexed(p, at[i].s) = i + 1;
  return true;
}

value *space_make_cell(const arr *in, sym *s) {
  space *p = in ? space_of(in) : NULL;
  if (!p || p->is_workspace) return &s->val;
  return LIKELY(!p->part) ? space_own_cell(p, s, true) : p->v->classes->cell(in, s, true);
}

value *space_own_cell(space *p, sym *s, bool make) {
  value *at = find(p, s);
  if (at || !make) return at;
  if (!make_room(p)) return NULL;
  if (p->hashes) *indexed(p, s) = p->n + 1;
  s->last = p->n;
  p->bits |= body_bit(s);
  p->at[p->n] = (space_name){.s = s};
  return &p->at[p->n++].val;
}

value *space_place(const arr *in, sym *s) {
  value *cell = space_make_cell(in, s);
  return cell ? cell_place(cell) : NULL;
}

/* ── lifetimes ──────────────────────────────────────────────────────────────────────── */

void space_empty(space *p) {
  if (p->part) p->v->classes->empty(p);
  for (uint32_t i = 0; i < p->n; i++) value_clear(&p->at[i].val);
  arr *parent = p->parent;
  p->parent = NULL;
  arr_release(parent);
}

static void space_free(space *p) {
  space_free_names(p);
  source_release(p->c, p->script.src);
  mem_free(p->c, p);
}

/* Spaces may be a list of a million that each holds the next: what dies while another one is
 * let go of waits for its turn. */
static void drop(void *user, void *data) {
  space *p = user;
  vm *v = p->v;
  if (p->part && v && v->classes->stays(p)) return;
  arr_release(((arr **)data)[1]);
  arr_release(p->title);
  if (!v) {
    space_free(p);
    return;
  }
  *p->link = p->next;
  if (p->next) p->next->link = p->link;
  v->spaces_n--;
  p->next = v->dying;
  v->dying = p;
  if (v->drops) return;
  v->drops = true;
  while (v->dying) {
    p = v->dying;
    v->dying = p->next;
    space_empty(p);
    space_free(p);
  }
  v->drops = false;
}

/* "#.name" within `parent`; "….name" where that would be long, as in a list of namespaces. (⎕DMX is
 * shown as what it says.) */
arr *space_text(vm *v, arr *parent, const char *name) {
  enum { SHOWN_MOST = 1000 };
  OWNED_STR str s = {.c = v->c};
  arr *above = parent ? (arr *)(uintptr_t)space_title(parent) : NULL;
  if (!above) str_puts(&s, "#");
  else if (above->rank != 1) str_puts(&s, "#.[Namespace]");
  else if (above->count > SHOWN_MOST) str_puts(&s, "…");
  else if (!arg_text(v, above, "", &s)) return NULL;
  str_printf(&s, ".%s", name);
  return s.failed ? NULL : arr_text(v->c, s.at, s.n);
}

/* What a space in `parent` refers to it by, owned; NULL: that is the workspace. */
static arr *as_parent(arr *parent) {
  if (!parent || space_of(parent)->is_workspace) return NULL;
  const space *p = space_of(parent);
  return p->part ? p->v->classes->as_parent(parent) : arr_retain(parent);
}

/* Takes the text over. */
arr *space_open(vm *v, space *p, arr *text, arr *parent) {
  if (v->spaces_n >= v->collect_at) {
    spaces_collect(v);
    v->collect_at = 2 * v->spaces_n + COLLECT_MIN;
  }
  p->ref = arr_ref(v->c, text, drop, p);
  if (!p->ref) return NULL;
  p->v = v;
  p->c = v->c;
  p->vars = *v->sv;
  p->parent = as_parent(parent);
  p->next = v->spaces;
  p->link = &v->spaces;
  if (p->next) p->next->link = &p->next;
  v->spaces = p;
  v->spaces_n++;
  return p->ref;
}

static arr *make(vm *v, arr *text, arr *parent) {
  space *p = text ? mem_zalloc(v->c, sizeof *p) : NULL;
  if (!p) arr_release(text);
  arr *r = p ? space_open(v, p, text, parent) : NULL;
  if (!r) mem_free(v->c, p);
  return r;
}

arr *space_new(vm *v, arr *parent, const char *name) {
  if (!name) name = "[Namespace]";
  return make(v, space_text(v, parent, name), parent);
}

arr *space_of_items(vm *v, arr *text, uint32_t n, const char *const *names, arr **items) {
  OWNED arr *r = make(v, text, NULL);
  bool ok = r != NULL;
  for (uint32_t i = 0; i < n; i++) {
    OWNED_VALUE value x = value_arr(items[i]);
    sym *s = ok && x.cls ? sym_intern(v, names[i], strlen(names[i])) : NULL;
    value *at = s ? space_place(r, s) : NULL;
    ok = at != NULL;
    if (ok) *at = value_move(&x);
  }
  return ok ? arr_move(&r) : NULL;
}

arr *space_workspace(vm *v) {
  if (!v->workspace) v->workspace = make(v, arr_text(v->c, "#", 1), NULL);
  if (!v->workspace) return NULL;
  space_of(v->workspace)->is_workspace = true;
  return arr_retain(v->workspace);
}

arr *space_null(vm *v) {
  if (!v->null) v->null = make(v, arr_text(v->c, "[Null]", 6), NULL);
  return v->null ? arr_retain(v->null) : NULL;
}

void spaces_free(vm *v) {
  for (space *p = v->spaces; p; p = p->next) arr_retain(p->ref);
  for (space *p = v->spaces; p; p = p->next) space_empty(p);
  for (space *p = v->spaces, *next; p; p = next) {
    next = p->next;
    p->v = NULL; /* a handle of the host program may still hold it */
    arr_release(p->ref);
  }
  v->spaces = NULL;
}

/* ── going into one ─────────────────────────────────────────────────────────────────── */

bool space_enter(space_visit *i, vm *v, env *e, arr *in) {
  *i = (space_visit){v, env_within(v, e, in), v->env, v->sv};
  if (!i->e) return false;
  i->e->caller = e;
  v->env = i->e;
  v->sv = i->e->sv;
  return true;
}

void space_leave(space_visit *i) {
  vm *v = i->v;
  if (v->signalled == i->e) v->signalled = NULL;
  v->env = i->outer;
  v->sv = i->sv;
  env_end(i->e);
}
