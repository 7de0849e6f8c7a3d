/* SPDX-License-Identifier: MIT */
/* workspace.c - a workspace in a file: written, and read without trusting it.
 *
 *   header   "vapl ws\n", version, entries, bytes of the body, hash of the body
 *   body     the system variables, ⎕LX (from version 3 on), then an entry for each name: class, name, value
 *   value    an array: type, rank, shape, elements as they are in memory; of a function its
 *            text, in which a name stands for each array, and these arrays; of a namespace its
 *            number and, where it comes first, its text, parent, variables and entries; of a class its
 *            script, base, interfaces, and what it includes; of an instance its class and a part for each base
 *   tail     (from version 4 on) the parent, entries and fields of each class, for they may have instances
 *
 * Numbers are little-endian; everything begins at a multiple of 8. The body is checked against
 * its hash before anything in it is used, and then bounded at every step all the same. */
#include "workspace.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/base/hash.h"
#include "../../src/eval/run/eval.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include "../../src/eval/value/space.h"
#include "class.h"
#include <string.h>
#include <unistd.h>

static const char MAGIC[8] = "vapl ws\n";
enum { VERSION = 4, DEPTH_MAX = 1000, BUFFER = 1 << 20 };

typedef struct header {
  char magic[8];
  uint32_t version, entries;
  uint64_t bytes, hash;
} header;

/* Marks a function that runs in another namespace, which is written behind it. */
enum { ELSEWHERE = 0x100 };
typedef struct entry_head {
  uint32_t cls, name_bytes;
} entry_head;

typedef struct array_head {
  uint8_t type, rank, ref, has_range; /* ref: a namespace, 1; ⎕NULL, 2; CLASS; INSTANCE */
  uint32_t number; /* … which one, from 1; 0: #, or an instance that follows */
  int64_t lo, hi;
} array_head;

enum { GIVEN_MOST = 10000 };
typedef struct function_head {
  uint64_t text_bytes;
  uint32_t arrays, trads; /* how many follow the text, which has names for them */
} function_head;

typedef struct space_head {
  uint32_t has_parent, entries;
} space_head;

enum { CLASS = 3, INSTANCE = 4 };
typedef struct class_head {
  uint32_t is_interface, has_base, interfaces, included;
} class_head;

typedef struct part_head { /* of a class in the tail, or of a part of an instance */
  uint32_t more, has_parent, entries, fields; /* more: 0, in the tail: it ends */
} part_head;

typedef struct stored_vars {
  double ct;
  int32_t io, pp, pw, ml, div, unused;
} stored_vars;

/* The hash of a body is that of its parts of 1 MiB, each beginning with the last one's. */
static uint64_t hash_part(const void *p, size_t n, uint64_t so_far) {
  return hash_bytes(p, n, so_far);
}

/* The name that stands for array k of a function. */
static void array_name(size_t k, str *s) { str_printf(s, "∆∆vapl%zu", k); }
static void trad_name(size_t k, str *s) { str_printf(s, "∆∆vaplf%zu", k); }

/* ── writing ────────────────────────────────────────────────────────────────────────── */

typedef struct writer {
  vm *v;
  ext_file file;
  header h;
  char *part; /* BUFFER bytes, `used` of them */
  size_t used;
  str *packed;             /* to which it goes instead of the file */
  VEC(const arr *) spaces; /* that were written, by number */
  VEC(arr *) classes;      /* whose tail is to be written */
} writer;

static bool flush_part(writer *w) {
  w->h.hash = hash_part(w->part, w->used, w->h.hash);
  w->h.bytes += w->used;
  bool ok = !w->packed && ext_put(&w->file, w->part, w->used);
  if (w->packed) str_put(w->packed, w->part, w->used);
  if (w->packed) ok = !w->packed->failed;
  w->used = 0;
  return ok;
}

static bool workspace_put(writer *w, const void *at, size_t n) {
  const char *p = at;
  while (n) {
    size_t some = BUFFER - w->used;
    if (some > n) some = n;
    memcpy(w->part + w->used, p, some);
    w->used += some;
    p += some;
    n -= some;
    if (w->used == BUFFER && !flush_part(w)) return false;
  }
  return true;
}

/* The same, and zeros up to the next multiple of 8. */
static bool put_padded(writer *w, const void *at, size_t n) {
  static const char zeros[8];
  return workspace_put(w, at, n) && workspace_put(w, zeros, -n & 7);
}

static bool put_array(writer *w, arr *a, int depth);
static bool put_entry(writer *w, const sym *k, value x, arr *in, int depth);

static bool put_vars(writer *w, const sysvars *from) {
  stored_vars vars = {from->ct, from->io, from->pp, from->pw, from->ml, from->div, 0};
  return workspace_put(w, &vars, sizeof vars);
}

static bool put_shown(writer *w, const arr *a, int depth) {
  return put_array(w, (arr *)(uintptr_t)arr_ref_text(a), depth + 1);
}

/* The ## of p; NULL: it is the workspace. */
static arr *parent_of(const space *p) {
  arr *in = p->parent ? space_of(p->parent)->ref : NULL;
  return in && !space_of(in)->is_workspace ? in : NULL;
}

#ifdef EXT_class
/* The names of p that have values, as what runs `in` has them. */
static bool put_cells(writer *w, part_head h, const space *p, arr *in, int depth) {
  for (uint32_t i = 0; i < p->n; i++) h.entries += space_read(&p->at[i])->cls != C_NONE;
  bool ok = workspace_put(w, &h, sizeof h) && put_vars(w, &p->vars);
  for (uint32_t i = 0; ok && i < p->n; i++)
    if (space_read(&p->at[i])->cls)
      ok = put_entry(w, p->at[i].s, *space_read(&p->at[i]), in, depth + 1);
  return ok;
}

static bool put_class(writer *w, arr *a, int depth) {
  const class *k = class_of(a);
  const span at = space_of(a)->script;
  class_head h = {k->is_interface, k->base != NULL, (uint32_t)k->interfaces.n,
                  (uint32_t)k->included.n};
  if (!vec_push(w->v->c, &w->classes, a) || !workspace_put(w, &h, sizeof h)) return false;
  OWNED arr *text = arr_text(w->v->c, at.src->text + at.begin, at.end - at.begin);
  bool ok = text && put_array(w, text, depth + 1) && put_shown(w, a, depth);
  if (ok && k->base) ok = put_array(w, k->base, depth + 1);
  for (size_t i = 0; ok && i < k->interfaces.n; i++)
    ok = put_array(w, k->interfaces.at[i], depth + 1);
  for (size_t i = 0; ok && i < k->included.n; i++)
    ok = put_array(w, k->included.at[i], depth + 1);
  return ok;
}

/* The class comes before the instance has a number. */
static bool put_instance(writer *w, arr *a, int depth) {
  part *p = part_of(a);
  arr *parent = parent_of(&p->s);
  if (!put_array(w, p->cls->ref, depth + 1)) return false;
  if (!vec_push(w->v->c, &w->spaces, (const arr *)a) || !put_shown(w, a, depth))
    return false;
  for (part *q = p; q; q = part_below(q)) {
    part_head h = {.more = 1, .has_parent = q == p && parent};
    if (!put_cells(w, h, &q->s, q->inside ? q->inside : a, depth)) return false;
  }
  return !parent || put_array(w, parent, depth + 1);
}

/* What classes have by now; writing it may meet others. */
static bool put_tail(writer *w) {
  part_head end = {0};
  for (size_t i = 0; i < w->classes.n; i++) {
    arr *a = w->classes.at[i];
    class *k = class_of(a);
    arr *parent = parent_of(&k->own->s);
    part_head h = {.more = 1, .has_parent = parent != NULL};
    array_head which = {.type = ET_NEST, .ref = CLASS};
    while (which.number < w->spaces.n && w->spaces.at[which.number] != a) which.number++;
    which.number++;
    for (size_t j = 0; j < k->fields.n; j++)
      h.fields += k->fields.at[j]->val.cls != C_NONE;
    OWNED arr *in = class_inside(k->own);
    if (!in || !workspace_put(w, &which, sizeof which) ||
        !put_cells(w, h, &k->own->s, in, 0))
      return false;
    for (size_t j = 0; j < k->fields.n; j++) {
      const member *m = k->fields.at[j];
      if (m->val.cls && !put_entry(w, m->name, m->val, in, 0)) return false;
    }
    if (parent && !put_array(w, parent, 0)) return false;
  }
  array_head none = {0};
  return workspace_put(w, &none, sizeof none) && workspace_put(w, &end, sizeof end);
}
#else
static bool put_class(writer *w, arr *a, int depth) {
  UNUSED(a);
  UNUSED(depth);
  return err_set(w->v->c, ERR_NONCE, "classes are not in this build");
}
static bool put_instance(writer *w, arr *a, int depth) { return put_class(w, a, depth); }
static bool put_tail(writer *w) {
  array_head none = {0};
  part_head end = {0};
  return workspace_put(w, &none, sizeof none) && workspace_put(w, &end, sizeof end);
}
#endif

/* A namespace, whole where it comes first. */
static bool workspace_put_space(writer *w, arr *a, int depth) {
  const space *p = space_of(a);
  a = p->ref;
  array_head h = {.type = ET_NEST, .ref = 1};
  arr *parent = parent_of(p);
  space_head s = {.has_parent = parent != NULL};
  if (p->part) h.ref = w->v->classes->space_class(a) < 9.3 ? INSTANCE : CLASS;
  if (a == w->v->null) h.ref = 2;
  if (p->is_workspace || h.ref == 2) return workspace_put(w, &h, sizeof h);
  while (h.number < w->spaces.n && w->spaces.at[h.number] != a) h.number++;
  bool known = h.number++ < w->spaces.n;
  if (h.ref == INSTANCE && !known) h.number = 0;
  if (!workspace_put(w, &h, sizeof h)) return false;
  if (known) return true;
  if (h.ref == INSTANCE) return put_instance(w, a, depth);
  if (!vec_push(w->v->c, &w->spaces, (const arr *)a)) return false;
  if (h.ref == CLASS) return put_class(w, a, depth);
  for (uint32_t i = 0; i < p->n; i++) s.entries += space_read(&p->at[i])->cls != C_NONE;
  bool ok =
      workspace_put(w, &s, sizeof s) && put_vars(w, &p->vars) && put_shown(w, a, depth);
  if (ok && parent) ok = put_array(w, parent, depth + 1);
  for (uint32_t i = 0; ok && i < p->n; i++)
    if (space_read(&p->at[i])->cls)
      ok = put_entry(w, p->at[i].s, *space_read(&p->at[i]), a, depth + 1);
  return ok;
}

static bool put_array(writer *w, arr *a, int depth) {
  vm *v = w->v;
  if (out_of_stack(v->c) || interrupted(v->c)) return false;
  if (depth > DEPTH_MAX)
    return err_set(v->c, ERR_LIMIT, "%s: an array is nested deeper than %d levels",
                   w->file.who, DEPTH_MAX);
  if (a->ref) return workspace_put_space(w, a, depth);
  if (!ir_host(v->g, a)) return false;
  bool nested = a->type == ET_NEST;
  array_head h = {.type = a->type, .rank = a->rank, .has_range = !nested && a->has_range};
  if (h.has_range) h.lo = a->lo, h.hi = a->hi;
  if (!workspace_put(w, &h, sizeof h) ||
      !workspace_put(w, a->shape, a->rank * sizeof *a->shape))
    return false;
  if (!nested) return put_padded(w, a->host, elt_bytes((elt)a->type, a->count));
  for (int64_t i = 0; i < arr_item_count(a); i++)
    if (!put_array(w, arr_item(a, i), depth + 1)) return false;
  return true;
}

typedef VEC(arr *) arr_refs;
typedef struct
    told { /* the arrays of a function's text, and definitions by ∇; borrowed */
  ctx *c;
  arr_refs arrays;
  VEC(const fn *) trads;
  bool failed;
} told;

static void name_array(void *user, arr *a, str *s) {
  told *t = user;
  array_name(t->arrays.n, s);
  if (!vec_push(t->c, &t->arrays, a)) t->failed = true;
}

static void name_trad(void *user, const fn *f, str *s) {
  told *t = user;
  str_puts(s, " ");
  trad_name(t->trads.n, s);
  str_puts(s, " ");
  if (!vec_push(t->c, &t->trads, f)) t->failed = true;
}

static bool put_entry(writer *w, const sym *k, value x, arr *in, int depth);

/* A definition by ∇, as an entry under its own name. */
static bool put_trad(writer *w, const fn *f) {
  const trad *t = f->node->trad;
  sym *own = sym_intern(w->v, t->name->text, t->name->n);
  value x = value_fn((fn *)(uintptr_t)f, t->lop ? C_OP : C_FN);
  return own && put_entry(w, own, x, NULL, 0);
}

static bool put_function(writer *w, const fn *f) {
  OWNED_STR str text = {.c = w->v->c};
  told t = {.c = w->v->c};
  fn_source(f, name_array, name_trad, &t, &text);
  function_head h = {text.n, (uint32_t)t.arrays.n, (uint32_t)t.trads.n};
  bool ok = !text.failed && !t.failed;
  if (ok && (t.arrays.n > GIVEN_MOST || t.trads.n > GIVEN_MOST))
    ok = err_set(w->v->c, ERR_LIMIT, "%s: a function has too many arrays", w->file.who);
  ok = ok && workspace_put(w, &h, sizeof h) && put_padded(w, text.at, text.n);
  for (size_t i = 0; ok && i < t.arrays.n; i++) ok = put_array(w, t.arrays.at[i], 0);
  for (size_t i = 0; ok && i < t.trads.n; i++) ok = put_trad(w, t.trads.at[i]);
  vec_free(w->v->c, &t.arrays);
  vec_free(w->v->c, &t.trads);
  return ok;
}

bool ws_keeps(const fn *f, bool lines) {
  const value of[] = {f->l, f->m, f->r};
  if (f->host) return false;
  for (size_t i = 0; i < ARRAY_LEN(of); i++) {
    if (of[i].cls <= C_ARR) continue;
    if ((!lines && fn_is_trad(of[i].f)) || !ws_keeps(of[i].f, lines)) return false;
  }
  return true;
}

/* in: the namespace that the name is in, NULL the workspace. */
static bool put_entry(writer *w, const sym *k, value x, arr *in, int depth) {
  arr *runs = x.cls > C_ARR && x.f->space != in ? x.f->space : NULL;
  entry_head h = {x.cls | (runs ? ELSEWHERE : 0), k->len};
  if (!workspace_put(w, &h, sizeof h) || !put_padded(w, k->text, k->len)) return false;
  if (x.cls == C_ARR) return put_array(w, x.a, depth);
  if (ws_keeps(x.f, true))
    return put_function(w, x.f) && (!runs || put_array(w, runs, depth));
  return err_set(w->v->c, ERR_NONCE,
                 "%s: %s calls a function of the host program, or of ⎕NA", w->file.who,
                 k->text);
}

static bool put_body(writer *w, arr *lx) {
  if (!put_vars(w, &w->v->vars) || !put_array(w, lx, 0)) return false;
  for (uint32_t i = 0; i < w->v->buckets; i++)
    for (const sym *k = w->v->bucket[i]; k; k = k->next) {
      const value *x = sym_read(k);
      if (!x->cls) continue;
      w->h.entries++;
      if (!put_entry(w, k, *x, NULL, 0)) return false;
    }
  return put_tail(w) && flush_part(w);
}

bool ws_write(vm *v, const char *who, const char *path, arr *lx) {
  writer w = {.v = v, .h = {.version = VERSION}};
  memcpy(w.h.magic, MAGIC, sizeof MAGIC);
  bool ok = ext_begin(&w.file, v, who, path);
  w.part = ok ? mem_alloc(v->c, BUFFER) : NULL;
  ok = w.part && ext_put(&w.file, &w.h, sizeof w.h) && put_body(&w, lx);
  ok = ok && ext_rewind(&w.file) && ext_put(&w.file, &w.h, sizeof w.h) &&
       ext_commit(&w.file);
  vec_free(v->c, &w.spaces);
  vec_free(v->c, &w.classes);
  mem_free(v->c, w.part);
  ext_abandon(&w.file);
  return ok;
}

/* The bytes are a header and a body of one array. */
arr *ws_pack(vm *v, const char *who, arr *a) {
  OWNED_STR str bytes = {.c = v->c};
  writer w = {.v = v, .h = {.version = VERSION}, .packed = &bytes, .file = {.who = who}};
  arr *r = NULL;
  memcpy(w.h.magic, MAGIC, sizeof MAGIC);
  w.part = mem_alloc(v->c, BUFFER);
  if (w.part && put_array(&w, a, 0) && put_tail(&w) && flush_part(&w))
    r = arr_vec(v->c, ET_I8, (int64_t)(sizeof w.h + bytes.n));
  if (r) memcpy(r->host, &w.h, sizeof w.h);
  if (r && bytes.n) memcpy((char *)r->host + sizeof w.h, bytes.at, bytes.n);
  vec_free(v->c, &w.spaces);
  vec_free(v->c, &w.classes);
  mem_free(v->c, w.part);
  return r;
}

/* ── reading ────────────────────────────────────────────────────────────────────────── */

typedef struct reader {
  vm *v;
  const char *who, *path, *at, *end;
  uint32_t version;
  VEC(arr *) spaces; /* by number; owned */
} reader;

static bool damaged(const reader *p, const char *why) {
  return err_set(p->v->c, ERR_FILE_DAMAGED, "%s: %s: %s", p->who, p->path, why);
}

/* The next n bytes, padded; NULL if the file has no more. */
static const void *workspace_take(reader *p, size_t n) {
  const char *at = p->at;
  size_t left = (size_t)(p->end - p->at), padded = n + (-n & 7);
  if (n > left || padded > left) {
    damaged(p, "it ends too early");
    return NULL;
  }
  p->at += padded;
  return at;
}

static bool take_into(reader *p, void *to, size_t n) {
  const void *at = workspace_take(p, n);
  if (at) memcpy(to, at, n);
  return at != NULL;
}

static bool right_head(const array_head *h) {
  return h->type < ET_COUNT && h->rank <= ARR_MAX_RANK &&
         (!h->has_range || h->lo <= h->hi);
}

/* Elements that no other program could read without harm: characters, bits behind the last. */
static bool right_elements(ctx *c, const arr *a) {
  if (a->type == ET_BIT && a->count % 8)
    return ((const unsigned char *)a->host)[a->count / 8] >> a->count % 8 == 0;
  for (int64_t i = 0; a->type == ET_C32 && i < a->count; i++)
    if (((const uint32_t *)a->host)[i] > 0x10FFFF || stops_at(c, i)) return false;
  for (int64_t i = 0; a->has_range && a->type != ET_NEST && i < a->count; i++)
    if (arr_get_int(a, i) < a->lo || arr_get_int(a, i) > a->hi || stops_at(c, i))
      return false;
  return true;
}

/* What a namespace is shown as has none. */
static bool has_spaces(const arr *a) {
  bool has = a->ref != 0;
  for (int64_t i = 0; !has && arr_nests(a) && i < arr_item_count(a); i++)
    has = has_spaces(arr_item(a, i));
  return has;
}

/* May `parent` be the ## of `of`: a namespace whose parents do not come back to that? */
static bool may_be_parent(const arr *parent, const arr *of) {
  const arr *a = parent;
  for (int above = 0; a && above < DEPTH_MAX; above++) {
    if (a == of || !a->ref) return false;
    a = space_of(a)->parent;
  }
  return !a;
}

static arr *get_array(reader *p, int depth);
static bool get_entry(reader *p, sym **name, value *x, int depth);
static bool get_vars(reader *p, sysvars *to);

/* A namespace that was read already, or what follows: its text, parent, entries. */
static arr *get_space(reader *p, uint32_t number, int depth) {
  vm *v = p->v;
  space_head h;
  sysvars vars;
  if (!number) return space_workspace(v);
  if (number <= p->spaces.n) return arr_retain(p->spaces.at[number - 1]);
  if (number > p->spaces.n + 1) return damaged(p, "a namespace in it is wrong"), NULL;
  if (!take_into(p, &h, sizeof h) || !get_vars(p, &vars)) return NULL;
  OWNED arr *text = get_array(p, depth + 1);
  if (!text) return NULL;
  if (has_spaces(text)) return damaged(p, "a namespace in it is wrong"), NULL;
  OWNED arr *r = space_of_items(v, arr_move(&text), 0, NULL, NULL);
  if (!r || !vec_push(v->c, &p->spaces, r)) return NULL;
  arr_retain(r);
  space_of(r)->vars = vars;
  OWNED arr *parent = h.has_parent ? get_array(p, depth + 1) : NULL;
  if (h.has_parent && !parent) return NULL;
  if (parent && (!may_be_parent(parent, r) || space_of(parent)->is_workspace))
    return damaged(p, "a namespace in it is wrong"), NULL;
  space_of(r)->parent = arr_move(&parent);
  for (uint32_t i = 0; i < h.entries; i++) {
    OWNED_VALUE value x = {0};
    sym *s;
    if (!get_entry(p, &s, &x, depth + 1) || !name_set(v, r, s, x)) return NULL;
  }
  return arr_move(&r);
}

#ifdef EXT_class
/* One of n arrays that follow, each a reference, into `to`. */
static bool get_refs(reader *p, uint32_t n, int depth, arr_list *to) {
  for (uint32_t i = 0; i < n; i++) {
    OWNED arr *a = get_array(p, depth + 1);
    if (!a) return false;
    if (!a->ref) return damaged(p, "a class in it is wrong");
    if (!list_add(to, arr_move(&a))) return false;
  }
  return true;
}

/* The reference is shown as the next array. */
static bool get_shown(reader *p, arr *a, int depth) {
  OWNED arr *text = get_array(p, depth + 1);
  if (!text) return false;
  if (has_spaces(text)) return damaged(p, "a class in it is wrong");
  arr **at = &((arr **)a->host)[1], *was = *at;
  *at = arr_move(&text);
  arr_release(was);
  return true;
}

static arr *get_class(reader *p, uint32_t number, int depth) {
  vm *v = p->v;
  class_head h;
  OWNED_STR str text = {.c = v->c};
  OWNED_LIST arr_list interfaces = {.v = v};
  OWNED_LIST arr_list included = {.v = v};
  if (number && number <= p->spaces.n) return arr_retain(p->spaces.at[number - 1]);
  if (number != p->spaces.n + 1) return damaged(p, "a class in it is wrong"), NULL;
  if (!take_into(p, &h, sizeof h)) return NULL;
  OWNED arr *r = class_new(v, NULL, "[Class]", h.is_interface);
  if (!r || !vec_push(v->c, &p->spaces, r)) return NULL;
  arr_retain(r);
  OWNED arr *script = get_array(p, depth + 1);
  if (!script) return NULL;
  if (script->rank != 1 || !elt_is_char((elt)script->type))
    return damaged(p, "a class in it is wrong"), NULL;
  if (!arg_text(v, script, "", &text) || !get_shown(p, r, depth)) return NULL;
  OWNED arr *base = h.has_base ? get_array(p, depth + 1) : NULL;
  if (h.has_base && !base) return NULL;
  if (!get_refs(p, h.interfaces, depth, &interfaces)) return NULL;
  if (!get_refs(p, h.included, depth, &included)) return NULL;
  class_pieces pieces = {base, interfaces.at, interfaces.n, included.at, included.n};
  if (class_restore(v, r, &text, &pieces)) return arr_move(&r);
  if (v->c->err.code == ERR_SYNTAX || v->c->err.code == ERR_DOMAIN) {
    err_clear(v->c);
    damaged(p, "a class in it is wrong");
  }
  return NULL;
}

/* The entries of the names of s, in which functions run `in`. */
static bool get_cells(reader *p, uint32_t n, space *s, arr *in, int depth) {
  for (uint32_t i = 0; i < n; i++) {
    OWNED_VALUE value x = {0};
    sym *name;
    if (!get_entry(p, &name, &x, depth + 1)) return false;
    if (x.cls > C_ARR && !x.f->space) {
      fn *f = fn_in_space(p->v, x.f, in);
      fn_release(x.f);
      x = value_fn(f, x.cls);
      if (!f) return false;
    }
    value *at = space_own_cell(s, name, true);
    if (!at) return false;
    value_set(at, x);
  }
  return true;
}

static bool get_parent(reader *p, part *to, int depth) {
  OWNED arr *in = get_array(p, depth + 1);
  if (!in) return false;
  if (!may_be_parent(in, to->s.ref) || space_of(in)->is_workspace)
    return damaged(p, "a namespace in it is wrong");
  for (part *q = to; q; q = part_below(q)) {
    arr *was = q->s.parent;
    q->s.parent = space_has_members(in) ? class_as_parent(in) : arr_retain(in);
    arr_release(was);
    if (!q->s.parent) return false;
  }
  return true;
}

static arr *get_instance(reader *p, uint32_t number, int depth) {
  vm *v = p->v;
  part_head h, first = {0};
  if (number && number <= p->spaces.n) return arr_retain(p->spaces.at[number - 1]);
  OWNED arr *of = number ? NULL : get_array(p, depth + 1);
  if (!of && err_is(v->c)) return NULL;
  class *k = of ? class_of(of) : NULL;
  if (!k || k->is_interface || !space_of(of)->script.src)
    return damaged(p, "an instance in it is wrong"), NULL;
  OWNED arr *r = instance_new(v, k, NULL);
  if (!r || !vec_push(v->c, &p->spaces, r)) return NULL;
  arr_retain(r);
  if (!get_shown(p, r, depth)) return NULL;
  for (part *q = part_of(r); q; q = part_below(q)) {
    OWNED arr *in = class_inside(q);
    q->is_made = true;
    for (uint32_t i = 0; i < q->s.n; i++) value_clear(&q->s.at[i].val);
    if (!in || !take_into(p, &h, sizeof h) || !get_vars(p, &q->s.vars)) return NULL;
    if (!get_cells(p, h.entries, &q->s, in, depth)) return NULL;
    if (!q->is_base) first = h;
  }
  if (first.has_parent && !get_parent(p, part_of(r), depth)) return NULL;
  return arr_move(&r);
}

/* What a class begins its instances' field s with. */
static bool get_field(reader *p, class *k) {
  OWNED_VALUE value x = {0};
  sym *s;
  if (!get_entry(p, &s, &x, 0)) return false;
  member *m = class_find(k, s);
  if (!m || m->of != k || m->kind != FIELD || m->shared || x.cls != C_ARR)
    return damaged(p, "a class in it is wrong");
  value_set(&m->val, x);
  return true;
}

static bool get_tail(reader *p) {
  for (;;) {
    array_head which;
    part_head h;
    if (!take_into(p, &which, sizeof which) || !take_into(p, &h, sizeof h)) return false;
    if (!h.more) return true;
    class *k = which.number && which.number <= p->spaces.n
                   ? class_of(p->spaces.at[which.number - 1])
                   : NULL;
    if (!k) return damaged(p, "a class in it is wrong");
    OWNED arr *in = class_inside(k->own);
    if (!in || !get_vars(p, &k->own->s.vars) ||
        !get_cells(p, h.entries, &k->own->s, in, 0))
      return false;
    for (uint32_t i = 0; i < h.fields; i++)
      if (!get_field(p, k)) return false;
    if (h.has_parent && !get_parent(p, k->own, 0)) return false;
    if (interrupted(p->v->c)) return false;
  }
}
#else
static arr *get_class(reader *p, uint32_t number, int depth) {
  UNUSED(number);
  UNUSED(depth);
  return err_null(p->v->c, ERR_NONCE, "classes are not in this build");
}
static arr *get_instance(reader *p, uint32_t number, int depth) {
  return get_class(p, number, depth);
}
static bool get_tail(reader *p) {
  array_head which;
  part_head h;
  return take_into(p, &which, sizeof which) && take_into(p, &h, sizeof h) &&
         (!h.more || err_set(p->v->c, ERR_NONCE, "classes are not in this build"));
}
#endif

static arr *get_array(reader *p, int depth) {
  array_head h;
  int64_t shape[ARR_MAX_RANK], n;
  if (out_of_stack(p->v->c) || interrupted(p->v->c) || !take_into(p, &h, sizeof h))
    return NULL;
  if (p->version < 2) h.ref = 0;
  bool ok = right_head(&h) && depth <= DEPTH_MAX;
  if (ok && h.ref == 2) return space_null(p->v);
  if (ok && h.ref == CLASS) return get_class(p, h.number, depth);
  if (ok && h.ref == INSTANCE) return get_instance(p, h.number, depth);
  if (ok && h.ref) return get_space(p, h.number, depth);
  if (ok && !take_into(p, shape, h.rank * sizeof *shape)) return NULL;
  for (int k = 0; ok && k < h.rank; k++) ok = shape[k] >= 0;
  ok = ok && arr_product(h.rank, shape) < INT64_MAX / 16;
  n = ok ? arr_product(h.rank, shape) : 0;
  size_t bytes = ok ? elt_bytes((elt)h.type, n) : 0;
  if (!ok || bytes > (size_t)(p->end - p->at)) {
    damaged(p, "an array in it is wrong");
    return NULL;
  }
  OWNED arr *a = arr_new(p->v->c, (elt)h.type, h.rank, shape);
  if (!a) return NULL;
  if (h.type == ET_NEST) {
    for (int64_t i = 0; i < arr_item_count(a); i++)
      if (!(((arr **)a->host)[i] = get_array(p, depth + 1))) return NULL;
    return arr_move(&a);
  }
  const void *from = workspace_take(p, bytes);
  if (!from) return NULL;
  if (bytes) memcpy(a->host, from, bytes);
  bool ranged = h.has_range && (elt_is_int((elt)h.type) || elt_is_char((elt)h.type));
  if (ranged) arr_set_range(a, h.lo, h.hi);
  if (right_elements(p->v->c, a)) return arr_move(&a);
  damaged(p, "an array in it is wrong");
  return NULL;
}

/* Would another session, with more memory and time, find the same error? */
static bool is_of_the_text(int code) {
  return code != ERR_INTERRUPT && code != ERR_WS_FULL && code != ERR_LIMIT;
}

static bool get_entry(reader *p, sym **name, value *x, int depth);

/* Number k of what a function's text has by names: arrays, then definitions by ∇. */
static bool get_one_given(reader *p, bool lines, value *x) {
  sym *own;
  if (!lines) {
    *x = value_arr(get_array(p, 0));
    return x->cls;
  }
  if (!get_entry(p, &own, x, 0)) return false;
  return (x->cls > C_ARR && fn_is_trad(x->f)) || damaged(p, "a function in it is wrong");
}

static bool get_given(reader *p, const function_head *h, given_arrays *k) {
  ctx *c = p->v->c;
  uint32_t n = h->arrays + h->trads;
  if (out_of_stack(c)) return false;
  k->name = mem_zalloc(c, (n + 1) * sizeof *k->name);
  k->array = mem_zalloc(c, (n + 1) * sizeof *k->array);
  if (!k->name || !k->array) return false;
  for (uint32_t i = 0; i < n; i++) {
    OWNED_STR str name = {.c = c};
    bool lines = i >= h->arrays;
    if (lines) trad_name(i - h->arrays, &name);
    else array_name(i, &name);
    k->name[i] = name.failed ? NULL : sym_intern(p->v, name.at, name.n);
    k->n = i + 1;
    if (!k->name[i] || !get_one_given(p, lines, &k->array[i])) return false;
  }
  return true;
}

static void drop_given(ctx *c, given_arrays *k) {
  for (uint32_t i = 0; i < k->n; i++) value_release(k->array[i]);
  mem_free(c, k->name);
  mem_free(c, k->array);
}

static bool wrong_function(reader *p) {
  err_clear(p->v->c);
  return damaged(p, "a function in it is wrong");
}

static bool define_it(reader *p, const vm_text *t, const given_arrays *k, value *x) {
  if (define(p->v, t, k, x)) return true;
  return is_of_the_text(p->v->c->err.code) && wrong_function(p);
}

/* A function out of its text, which is a definition: nothing of it is run. */
static bool get_function(reader *p, uint32_t name_class, value *x) {
  function_head h;
  given_arrays k = {0};
  if (!take_into(p, &h, sizeof h)) return false;
  const char *text = workspace_take(p, h.text_bytes);
  if (!text) return false;
  if (h.arrays > GIVEN_MOST || h.trads > GIVEN_MOST) return wrong_function(p);
  vm_text t = {.name = "", .at = text, .n = h.text_bytes};
  bool ok = get_given(p, &h, &k) && define_it(p, &t, &k, x);
  drop_given(p->v->c, &k);
  return ok && (x->cls == name_class || wrong_function(p));
}

static bool get_entry(reader *p, sym **name, value *x, int depth) {
  entry_head h;
  vm *v = p->v;
  if (!take_into(p, &h, sizeof h)) return false;
  const char *text = workspace_take(p, h.name_bytes);
  if (!text) return false;
  uint32_t nc = h.cls & ~(uint32_t)ELSEWHERE;
  if (!is_own_name(text, h.name_bytes) || nc < C_ARR || nc > C_OP)
    return damaged(p, "a name in it is wrong");
  if (nc == C_ARR) *x = value_arr(get_array(p, depth));
  else if (!get_function(p, nc, x)) return false;
  if (nc > C_ARR && h.cls & ELSEWHERE) {
    OWNED arr *in = get_array(p, depth);
    if (!in) return false;
    if (!in->ref) return damaged(p, "a function in it is wrong");
#ifdef EXT_class
    if (space_has_members(in)) { /* it runs where methods do */
      arr *within = class_inside(part_of(in));
      arr_release(in);
      in = within;
      if (!in) return false;
    }
#endif
    fn *f = fn_in_space(v, x->f, in);
    value_clear(x);
    *x = value_fn(f, (int)nc);
  }
  *name = sym_intern(v, text, h.name_bytes);
  return x->cls && *name && !interrupted(v->c);
}

static bool get_vars(reader *p, sysvars *to) {
  stored_vars s;
  if (!take_into(p, &s, sizeof s)) return false;
  bool right = s.ct >= 0 && s.ct <= 1.0 / 4294967296.0 && s.io >> 1 == 0 &&
               s.ml >> 2 == 0 && s.div >> 1 == 0 && s.pp >= 1 && s.pp <= 34 && s.pw >= 0;
  if (!right) return damaged(p, "a system variable in it is wrong");
  *to =
      (sysvars){.ct = s.ct, .io = s.io, .pp = s.pp, .pw = s.pw, .ml = s.ml, .div = s.div};
  return true;
}

static bool right_header(reader *p, const ext_mapping *m, header *h) {
  if (m->bytes < sizeof *h || memcmp(m->at, MAGIC, sizeof MAGIC))
    return damaged(p, "it is no workspace");
  memcpy(h, m->at, sizeof *h);
  p->version = h->version;
  if (!h->version || h->version > VERSION)
    return err_set(p->v->c, ERR_NONCE, "%s: %s is of version %u, this program knows %d",
                   p->who, p->path, h->version, VERSION);
  if (h->bytes != m->bytes - sizeof *h)
    return damaged(p, "it has another length than it says");
  uint64_t hash = 0, done = 0;
  while (done < h->bytes) {
    uint64_t n = h->bytes - done;
    if (n > BUFFER) n = BUFFER;
    hash = hash_part(m->at + sizeof *h + done, n, hash);
    done += n;
    if (interrupted(p->v->c)) return false;
  }
  if (h->bytes % BUFFER == 0)
    hash = hash_part("", 0, hash); /* the last part is written */
  return hash == h->hash || damaged(p, "its checksum is wrong");
}

static bool get_body(reader *p, uint32_t entries, ws_contents *w) {
  if (!get_vars(p, &w->vars)) return false;
  if (p->version > 2 && !(w->lx = get_array(p, 0))) return false;
  if (w->lx && (w->lx->rank > 1 || (w->lx->count && !elt_is_char((elt)w->lx->type))))
    return damaged(p, "its ⎕LX is no text");
  for (uint32_t i = 0; i < entries; i++) {
    OWNED_VALUE value x = {0};
    ws_entry k = {0};
    if (!get_entry(p, &k.name, &x, 0)) return false;
    k.x = x;
    if (!vec_push(w->v->c, &w->entries, k)) return false;
    x = (value){0};
  }
  if (p->version > 3 && !get_tail(p)) return false;
  return p->at == p->end || damaged(p, "there is more in it than it says");
}

bool ws_read(vm *v, const char *who, const char *path, ws_contents *w) {
  ext_mapping m;
  header h;
  *w = (ws_contents){.v = v};
  if (!ext_map(v, who, path, &m)) return false;
  reader p = {
      .v = v, .who = who, .path = path, .at = m.at + sizeof h, .end = m.at + m.bytes};
  bool ok = right_header(&p, &m, &h) && get_body(&p, h.entries, w);
  for (size_t i = 0; i < p.spaces.n; i++) arr_release(p.spaces.at[i]);
  vec_free(v->c, &p.spaces);
  ext_unmap(&m);
  return ok;
}

void ws_contents_free(ws_contents *w) {
  for (size_t i = 0; i < w->entries.n; i++) value_release(w->entries.at[i].x);
  vec_free(w->v->c, &w->entries);
  arr_release(w->lx);
}

static bool is_bytes(const arr *y) {
  bool ok = y->rank < 2 && elt_is_int((elt)y->type);
  for (int64_t i = 0; ok && i < y->count; i++)
    ok = arr_get_int(y, i) >= -128 && arr_get_int(y, i) <= 127;
  return ok;
}

arr *ws_unpack(vm *v, const char *who, arr *y) {
  header h;
  if (!is_bytes(y))
    return err_null(v->c, ERR_DOMAIN, "%s takes numbers of ¯128 to 127", who);
  OWNED arr *bytes = arr_convert(v->c, y, ET_I8);
  if (!bytes) return NULL;
  ext_mapping m = {.c = v->c, .at = bytes->host, .bytes = (size_t)bytes->count};
  reader p = {.v = v,
              .who = who,
              .path = "its argument",
              .at = m.at + sizeof h,
              .end = m.at + m.bytes};
  OWNED arr *r = right_header(&p, &m, &h) ? get_array(&p, 0) : NULL;
  if (r && p.version > 3 && !get_tail(&p)) {
    arr_release(r);
    r = NULL;
  }
  if (r && p.at != p.end) {
    damaged(&p, "there is more in it than it says");
    arr_release(r);
    r = NULL;
  }
  for (size_t i = 0; i < p.spaces.n; i++) arr_release(p.spaces.at[i]);
  vec_free(v->c, &p.spaces);
  if (!r && v->c->err.code == ERR_FILE_DAMAGED) {
    err_clear(v->c);
    err_set(v->c, ERR_DOMAIN, "%s takes what it has made of an array", who);
  }
  return arr_move(&r);
}
