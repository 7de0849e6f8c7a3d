/* SPDX-License-Identifier: MIT */
/* na.c - ⎕NA: names for functions of C libraries, called through libffi.
 *
 * ⎕NA reads a declaration (na_parse.c), opens the library, finds the function and gives a name to
 * it. A call puts each argument where its type wants it (na_value.c): numbers by value, arrays in
 * memory of the call's own, or as they lie where C only reads them and their storage has the type.
 * What is declared > or = is read back behind the call.
 *
 * Native code may do anything, so none is called without MAY_CALL. */
#include "na.h"
#include "../../src/array/convert.h"
#include "../../src/array/element.h"
#include "../../src/dist/dist.h"
#include "../../src/eval/system/system.h"
#include "../../src/eval/value/arg.h"
#include "../../src/eval/value/items.h"
#include <ctype.h>
#include <dlfcn.h>
#include <string.h>
#include <strings.h>

#ifdef __has_include
#if __has_include(<ffi.h>) && !defined(NO_FFI)
#include <ffi.h>
#define HAS_FFI
#endif
#endif

#ifdef HAS_FFI
/* clang-format off */
#define LIBRARY(X)                                                                       \
  X(ffi_prep_cif) X(ffi_call) X(ffi_type_void) X(ffi_type_sint8) X(ffi_type_sint16)      \
  X(ffi_type_sint32) X(ffi_type_sint64) X(ffi_type_uint8) X(ffi_type_uint16)             \
  X(ffi_type_uint32) X(ffi_type_uint64) X(ffi_type_float) X(ffi_type_double)             \
  X(ffi_type_complex_double) X(ffi_type_pointer)
/* clang-format on */
#define LIBRARY_USER "⎕NA"
#define LIBRARY_FILE "libffi.so.8"
#include "library.h"

typedef struct na_function {
  vm *v;
  na_declaration d;
  const library *ffi;
  void *library; /* owned */
  void (*code)(void);
  ffi_cif cif;
  ffi_type *type[NA_MOST];
} na_function;

/* ── one call ───────────────────────────────────────────────────────────────────────── */

typedef union na_number {
  uint64_t bits;
  double parts[2];
  void *p;
} na_number;

typedef struct na_slot {
  na_number by; /* what C gets: the value, or where the array is */
  arr *item;    /* owned */
  void *block;  /* owned; NULL: C reads the item as it lies, or gets a value */
  int64_t n;    /* elements */
} na_slot;

/* How many elements C gets, or writes. */
static bool count_elements(vm *v, const na_place *p, na_slot *s) {
  const na_type *t = p->d->arg[p->arg];
  s->n = 1;
  if (t->sized) s->n = t->n;
  else if (t->form == NA_ONE) return true;
  else if (t->way != '>') return na_length(v, t, s->item, &s->n);
  else if (!arg_int(v, s->item, &s->n, "the length of a result of ⎕NA")) return false;
  return s->n >= 0 || err_set(v->c, ERR_DOMAIN, "%s: argument %u: a length below 0",
                              p->d->function.at, p->arg + 1);
}

static bool prepare(vm *v, const na_place *p, na_slot *s) {
  const na_type *t = p->d->arg[p->arg];
  size_t bytes;
  if (!count_elements(v, p, s)) return false;
  if (na_lies_right(t, s->item) && s->n == s->item->count) {
    s->by.p = s->item->host;
    return true;
  }
  if (!na_bytes(t, s->n, &bytes))
    return err_set(v->c, ERR_LIMIT, "%s: argument %u is too long", p->d->function.at,
                   p->arg + 1);
  s->block = mem_alloc(v->c, bytes + !bytes);
  s->by.p = s->block;
  if (!s->block || !mem_fill(v->c, s->block, 0, bytes + !bytes)) return false;
  return t->way == '>' || na_put(v, p, t, s->item, s->n, s->block);
}

/* What C wrote; in place of an array it has that one's shape. */
static arr *written(vm *v, const na_place *p, const na_slot *s) {
  const na_type *t = p->d->arg[p->arg];
  OWNED arr *r = na_get(v, p, t, s->n, s->block);
  bool shaped = t->way == '=' && t->form == NA_ARRAY && s->item->rank != 1;
  if (!r || !shaped || r->count != s->item->count) return arr_move(&r);
  return arr_reshape(v->c, r, s->item->rank, s->item->shape);
}

/* What the function gave: a value, or what a pointer leads to. */
static arr *result_of(vm *v, const na_place *p, const na_number *got) {
  const na_type *t = p->d->result;
  if (!t->way) return na_get(v, p, t, 1, (const char *)got);
  bool text = t->form == NA_ZERO || t->form == NA_COUNTED;
  if (!got->p && text) return arr_text(v->c, "", 0);
  if (!got->p)
    return err_null(v->c, ERR_DOMAIN, "%s gave a null pointer", p->d->function.at);
  int64_t n = text ? INT64_MAX : 1;
  if (t->sized) n = t->n;
  return na_get(v, p, t, n, got->p);
}

/* Nothing but the declared result, if any, comes back. */
static bool gives_one(const na_declaration *d) {
  for (uint32_t i = 0; i < d->n; i++)
    if (d->arg[i]->way > '<') return false;
  return d->result;
}

static bool gather_results(const na_function *f, const na_number *got, na_slot *slot,
                           arr_list *out) {
  na_place p = {.d = &f->d};
  if (f->d.result && !list_add(out, result_of(f->v, &p, got))) return false;
  for (; p.arg < f->d.n; p.arg++) {
    char way = f->d.arg[p.arg]->way;
    bool back = way == '>' || way == '=';
    if (back && !list_add(out, written(f->v, &p, &slot[p.arg]))) return false;
  }
  return true;
}

static bool call_with(const na_function *f, const arr *y, na_slot *slot, arr **r) {
  vm *v = f->v;
  void *at[NA_MOST];
  na_number got = {0};
  OWNED_LIST arr_list out = {.v = v};
  na_place p = {.d = &f->d};
  for (; p.arg < f->d.n; p.arg++) {
    na_slot *s = &slot[p.arg];
    at[p.arg] = &s->by;
    if (!f->d.arg[p.arg]->way) {
      if (!na_put_number(v, &p, y, (char *)&s->by)) return false;
      continue;
    }
    s->item = arr_scalar_at(v->c, y, p.arg);
    if (!s->item || !prepare(v, &p, s)) return false;
  }
  f->ffi->ffi_call((ffi_cif *)(uintptr_t)&f->cif, f->code, &got, at);
  if (gives_one(&f->d)) return give_result(r, result_of(v, &p, &got));
  if (!gather_results(f, &got, slot, &out)) return false;
  if (!out.n) return give_result(r, arr_vec(v->c, ET_BIT, 0));
  if (out.n == 1) return give_result(r, arr_retain(out.at[0]));
  return give_result(r, list_array(&out));
}

static bool call_here(const na_function *f, const arr *y, arr **r) {
  na_slot slot[NA_MOST];
  memset(slot, 0, f->d.n * sizeof *slot);
  bool ok = call_with(f, y, slot, r);
  for (uint32_t i = 0; i < f->d.n; i++) {
    arr_release(slot[i].item);
    mem_free(f->v->c, slot[i].block);
  }
  return ok;
}

/* Of several ranks the first one calls the function. */
static bool na_call(void *user, arr *x, arr *y, arr **r) {
  const na_function *f = user;
  vm *v = f->v;
  const char *name = f->d.function.at;
  if (x) return err_set(v->c, ERR_SYNTAX, "%s takes no left argument", name);
  if (y && !ir_host(v->g, y)) return false;
  if (y && y->rank > 1) return err_set(v->c, ERR_RANK, "%s: its arguments", name);
  if (y && y->count != f->d.n)
    return err_set(v->c, ERR_LENGTH, "%s takes %u arguments, not %lld", name, f->d.n,
                   (long long)y->count);
  if (dist_alone_begins(v->c)) call_here(f, y, r);
  return dist_alone_ends(v->c, r);
}

/* ── libraries ──────────────────────────────────────────────────────────────────────── */

static void *open_as(vm *v, const char *form, const char *name, int number) {
  OWNED_STR str s = {.c = v->c};
  for (; *form; form++) {
    if (*form == '$') str_puts(&s, name);
    else if (*form == '#') str_printf(&s, "%d", number);
    else str_putc(&s, (unsigned char)*form);
  }
  return s.failed ? NULL : dlopen(s.at, RTLD_NOW | RTLD_LOCAL);
}

/* Is it a library of Windows, or of Dyalog's, whose functions the C library has? */
static bool is_of_c(const char *name) {
  static const char *const names[] = {"dyalog", "dyalog32", "dyalog64", "msvcrt",
                                      "ucrtbase"};
  for (size_t i = 0; i < ARRAY_LEN(names); i++) {
    size_t n = strlen(names[i]);
    if (strncasecmp(name, names[i], n)) continue;
    const char *end = name + n;
    if (!*end || !strcasecmp(end, ".dll") || !strcmp(end, ".so")) return true;
  }
  return false;
}

/* As it is written, or as such files are named; of numbered ones the latest. */
static void *open_library(vm *v, const char *name) {
  static const char *const forms[] = {"$", "$.so", "lib$.so"};
  static const char *const numbered[] = {"$.so.#", "lib$.so.#"};
  if (!*name || is_of_c(name)) return dlopen(NULL, RTLD_NOW);
  void *l = NULL;
  OWNED_STR str why = {.c = v->c};
  for (size_t i = 0; !l && i < ARRAY_LEN(forms); i++) {
    l = open_as(v, forms[i], name, 0);
    const char *text = l || i ? NULL : dlerror();
    if (text) str_puts(&why, text);
  }
  for (int number = 99; !l && number >= 0; number--)
    for (size_t i = 0; !l && i < ARRAY_LEN(numbered); i++)
      l = open_as(v, numbered[i], name, number);
  dlerror();
  if (l || err_is(v->c)) return l;
  return err_null(v->c, ERR_FILE_NAME, "⎕NA: %s", why.at ? why.at : name);
}

/* A function that the host program has registered: library and name, a NUL behind each. */
typedef struct na_own {
  struct na_own *next;
  void (*code)(void);
  char names[];
} na_own;
typedef struct na_owns {
  na_own *first;
} na_owns;

static void close_owns(vm *v, void *state) {
  na_owns *all = state;
  while (all->first) {
    na_own *k = all->first;
    all->first = k->next;
    mem_free(v->c, k);
  }
}

bool ext_na_register(vm *v, const char *library_name, const char *name,
                     void (*code)(void)) {
  size_t n = strlen(library_name) + 1, m = strlen(name) + 1;
  na_owns *all = ext_state_of(v, close_owns, sizeof *all);
  na_own *k = all ? mem_zalloc(v->c, sizeof *k + n + m) : NULL;
  if (!k) return false;
  memcpy(k->names, library_name, n);
  memcpy(k->names + n, name, m);
  k->code = code;
  k->next = all->first; /* the latest of a name is found */
  all->first = k;
  return true;
}

static const na_own *own_of(const na_function *f) {
  const na_owns *all = ext_state_if(f->v, close_owns);
  const na_own *k = all ? all->first : NULL;
  for (; k; k = k->next) {
    const char *name = k->names + strlen(k->names) + 1;
    if (!strcmp(k->names, f->d.library.at) && !strcmp(name, f->d.function.at)) break;
  }
  return k;
}

/* What the host program has given is permitted; any other library is a matter of MAY_CALL. */
static bool find_function(na_function *f) {
  const char *name = f->d.function.at;
  vm *v = f->v;
  const na_own *own = own_of(f);
  if (own) f->code = own->code;
  if (own || !ext_may(v, MAY_CALL, "⎕NA")) return own != NULL;
  OWNED_STR str lower = {.c = v->c};
  f->library = open_library(v, f->d.library.at);
  if (!f->library) return false;
  void *code = dlsym(f->library, name);
  if (!code && is_of_c(f->d.library.at)) {
    for (const char *p = name; *p; p++)
      str_putc(&lower, (unsigned)tolower((unsigned char)*p));
    if (lower.failed) return false;
    code = dlsym(f->library, lower.at);
  }
  memcpy(&f->code, &code, sizeof code);
  return code || err_set(v->c, ERR_VALUE, "⎕NA: %s is no function of %s", name,
                         *f->d.library.at ? f->d.library.at : "the C library");
}

/* ── ⎕NA ────────────────────────────────────────────────────────────────────────────── */

static ffi_type *type_of(const library *l, const na_type *t) {
  ffi_type *const ints[] = {l->ffi_type_sint8, l->ffi_type_sint16, l->ffi_type_sint32,
                            l->ffi_type_sint64};
  ffi_type *const naturals[] = {l->ffi_type_uint8, l->ffi_type_uint16, l->ffi_type_uint32,
                                l->ffi_type_uint64};
  if (t->way || t->kind == NA_POINTER) return l->ffi_type_pointer;
  int log = 31 - __builtin_clz(t->width); /* 1 2 4 8 16 */
  switch (t->kind) {
  case NA_INT: return ints[log];
  case NA_FLOAT: return t->width == 8 ? l->ffi_type_double : l->ffi_type_float;
  case NA_COMPLEX: return l->ffi_type_complex_double;
  default: return naturals[log];
  }
}

static bool prepare_call(na_function *f) {
  const library *l = f->ffi;
  ffi_type *result = f->d.result ? type_of(l, f->d.result) : l->ffi_type_void;
  for (uint32_t i = 0; i < f->d.n; i++) f->type[i] = type_of(l, f->d.arg[i]);
  ffi_status s = l->ffi_prep_cif(&f->cif, FFI_DEFAULT_ABI, f->d.n, result, f->type);
  return s == FFI_OK || err_set(f->v->c, ERR_NONCE, "⎕NA: libffi cannot call that");
}

static void drop_function(void *user) {
  na_function *f = user;
  ctx *c = f->v->c;
  if (f->library) dlclose(f->library);
  na_drop(&f->d);
  mem_free(c, f);
}

static na_function *declare(vm *v, arr *y) {
  const library *l = library_of(v);
  na_function *f = l ? mem_zalloc(v->c, sizeof *f) : NULL;
  if (!f) return NULL;
  f->v = v;
  f->ffi = l;
  f->d.mem.c = f->d.text.c = f->d.library.c = f->d.function.c = v->c;
  bool ok = arg_text(v, y, "⎕NA's declaration", &f->d.text) && na_parse(v, &f->d) &&
            find_function(f) && prepare_call(f);
  if (ok) return f;
  drop_function(f);
  return NULL;
}

/* The name where it is seen, or in the namespace that its path leads to. */
static bool associate(vm *v, const str *name, fn *f) {
  OWNED arr *in = NULL;
  sym *k;
  bool right = path_of(v, name, &in, &k) && is_own_name(k->text, k->len);
  if (!right) return err_set(v->c, ERR_DOMAIN, "⎕NA: %s is no name", name->at);
  location at = name_there(v, in, k);
  return name_put(v, NULL, k, at, value_fn(f, C_FN));
}

bool ext_na(vm *v, arr *x, arr *y, arr **r) {
  OWNED_STR str name = {.c = v->c};
  if (!verify(v) || (x && !arg_text(v, x, "⎕NA's name", &name))) return false;
  na_function *f = declare(v, y);
  if (!f) return false;
  if (!x) str_puts(&name, f->d.function.at);
  OWNED_FN fn *k = name.failed ? NULL : fn_of_host(v, name.at);
  if (!k) {
    drop_function(f);
    return false;
  }
  if (!f->d.n) k->kind = F_HOST_NILADIC;
  k->host->as = (vm_host_fn){.call = na_call, .drop = drop_function, .user = f};
  k->host->source = f->d.text.at;
  v->shy = true;
  return associate(v, &name, k) && give_result(r, str_take(v, &name));
}
#else
bool ext_na_register(vm *v, const char *library_name, const char *name,
                     void (*code)(void)) {
  UNUSED(library_name);
  UNUSED(name);
  UNUSED(code);
  return err_set(v->c, ERR_NONCE, "this program was built without libffi (libffi-dev)");
}
bool ext_na(vm *v, arr *x, arr *y, arr **r) {
  UNUSED(x);
  UNUSED(y);
  UNUSED(r);
  return ext_may(v, MAY_CALL, "⎕NA") &&
         err_set(v->c, ERR_NONCE,
                 "⎕NA: this program was built without libffi (libffi-dev)");
}
#endif
