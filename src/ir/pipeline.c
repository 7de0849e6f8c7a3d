/* SPDX-License-Identifier: MIT */
/* pipeline.c - the pipelines of kernels that were met before.
 *
 * A pipeline is found by two hashes of all that codegen makes it from: the kernel and its
 * options. So an expression that was met before emits no SPIR-V again.
 *
 * There are two hash tables. New pipelines enter the young one; when it is full it
 * becomes the old one, and what was in the old one and not asked for since is forgotten.
 * What is found in the old one enters the young one again, and vk is told that it is
 * still in use: vk destroys the pipelines used longest ago when it has more than twice as
 * many as both tables hold, so no pointer here outlives its pipeline.
 *
 * Where the driver tells what it made of a shape (gpu_kernel_statistics), one that spills more than a few
 * registers is noted, beside the pipelines on disk: from then on schedule_make takes the next
 * smaller one. A kernel of which the smallest does is noted, too: exec.c divides it. */
#include "device.h"
#include "schedule.h"
#include "../base/hash.h"
#include "../base/mem.h"
#include <string.h>

enum {
  SLOTS = 2048,
  MOST = 700
}; /* slots are a power of two; a table is at most a third full */

typedef struct pipeline_entry {
  uint64_t key[2];
  gpu_kernel *kernel; /* NULL: the slot is free */
} entry;

static void hash_more(uint64_t key[2], const void *p, size_t n) {
  const uint64_t k[] = {0x9E3779B97F4A7C15u, 0xD6E8FEB86659FD93u};
  const unsigned char *b = p;
  uint64_t h[] = {hash_word(key[0], n, k[0]), hash_word(key[1], n, k[1])};
  for (size_t i = 0; i < n; i += 8) {
    uint64_t w = 0;
    if (n - i >= 8) memcpy(&w, b + i, 8);
    else memcpy(&w, b + i, n - i);
    h[0] = hash_word(h[0], w, k[0]);
    h[1] = hash_word(h[1], w, k[1]);
  }
  memcpy(key, h, sizeof h);
}

static void hash_kernel(const kir *k, uint64_t key[2]) {
  uint64_t head[] = {(uint64_t)k->kind, k->n_ins,   k->n_in,      k->n_out,
                     k->n_param,        k->n_fault, k->n_strided, k->segments,
                     k->n_loop,         k->quads,   k->still,     k->roots};
  hash_more(key, head, sizeof head);
  hash_more(key, k->ins, k->n_ins * sizeof *k->ins);
  hash_more(key, k->in, k->n_in * sizeof *k->in);
  hash_more(key, k->param, k->n_param);
  hash_more(key, k->plain, k->n_param * sizeof *k->plain);
  hash_more(key, k->strided, k->n_strided);
  for (uint32_t i = 0; i < k->n_out; i++) {
    const kout *o = &k->out[i];
    uint64_t out[] = {o->value, o->type, o->put,  o->monoid, o->kept,
                      o->keys,  o->at,   o->when, o->mask,   o->pair};
    hash_more(key, out, sizeof out);
  }
  uint64_t how[] = {k->n_acc,   k->join != NULL, k->join_order, k->exclusive,
                    k->fold_at, k->product,      k->digits};
  hash_more(key, how, sizeof how);
  for (uint32_t i = 0; i < k->n_acc; i++) {
    const kacc *a = &k->acc[i];
    uint64_t acc[] = {a->from, a->monoid, a->wide, a->ty, (uint64_t)a->fault};
    hash_more(key, acc, sizeof acc);
    hash_more(key, &k->identity[i], sizeof k->identity[i]);
  }
  for (uint32_t i = 0; i < k->n_loop; i++) {
    const kloop *l = &k->loop[i];
    uint64_t loop[] = {l->n, (uint64_t)l->fault, l->test};
    hash_more(key, loop, sizeof loop);
    hash_more(key, l->from, l->body->n_in * sizeof *l->from);
  }
  const kir *inner;
  for (uint32_t i = 0; (inner = kir_inner(k, i)); i++) hash_kernel(inner, key);
}

/* The key's slot: the entry that has it, or the free one where it would be. */
static entry *find(const pipeline_table *t, const uint64_t key[2]) {
  for (uint64_t i = key[0];; i++) {
    entry *e = &t->at[i & (SLOTS - 1)];
    if (!e->kernel || (e->key[0] == key[0] && e->key[1] == key[1])) return e;
  }
}

static gpu_kernel *look_up(const pipeline_table *t, const uint64_t key[2]) {
  return t->at ? find(t, key)->kernel : NULL;
}

/* The table's memory, or new one, without an entry. */
static bool begin_young(ir *g) {
  entry *at = g->old.at;
  if (g->young.at && g->young.n < MOST) return true;
  if (at && g->young.at) memset(at, 0, SLOTS * sizeof *at);
  else at = mem_zalloc(g->c, SLOTS * sizeof *at);
  if (!at) return false;
  g->old = g->young;
  g->young = (pipeline_table){.at = at};
  return true;
}

static bool insert(ir *g, const uint64_t key[2], gpu_kernel *kernel) {
  if (!begin_young(g)) return false;
  *find(&g->young, key) = (entry){.key = {key[0], key[1]}, .kernel = kernel};
  g->young.n++;
  return true;
}

/* Bytes a thread that a driver may spill: drivers do to let more workgroups run side by side, and
 * the fastest shapes of orders have up to 52, which lie in workgroup memory and local
 * memory. */
enum { FEW_SPILLED = 64 };

/* Did the pipeline not get the registers that it needs? Registers that are spilled to workgroup
 * memory are what it has more of than the module. */
static bool is_short(const sched_pass *s, const cg_module *m) {
  gpu_statistics is = gpu_kernel_statistics(s->kernel);
  uint64_t beside = 0;
  if (!is.known) return false;
  if (is.shared > m->shared) beside = (is.shared - m->shared) / s->o.workgroup;
  return is.spilled + beside > FEW_SPILLED;
}

static void hash_pass(const uint64_t kernel[2], const cg_opts *o, uint64_t key[2]) {
  memcpy(key, kernel, 2 * sizeof *key);
  hash_more(key, o, sizeof *o);
}

/* The pass's pipeline, of a kernel with that hash, if it was met before. False: an error. */
static bool look(ir *g, const uint64_t hash[2], sched_pass *s) {
  uint64_t key[2];
  hash_pass(hash, &s->o, key);
  s->kernel = look_up(&g->young, key);
  if (s->kernel) return true;
  s->kernel = look_up(&g->old, key);
  if (!s->kernel) return true;
  gpu_kernel_keep(g->dev, s->kernel);
  return insert(g, key, s->kernel);
}

/* Does a pass before it lack the same one? */
static bool is_repeated(const schedule *s, uint32_t i) {
  const cg_opts *o = &s->pass[i].o;
  for (uint32_t j = 0; j < i; j++)
    if (!s->pass[j].kernel && !memcmp(&s->pass[j].o, o, sizeof *o)) return true;
  return false;
}

/* The pipelines that are missing, together, for drivers take long. */
static bool make_missing(ir *g, const kir *k, const uint64_t hash[2], schedule *s,
                         uint32_t *too_large) {
  _Static_assert((int)SCHEDULE_PASSES <= (int)GPU_TOGETHER, "one call makes them");
  cg_module m[SCHEDULE_PASSES] = {{0}};
  gpu_code code[SCHEDULE_PASSES] = {{0}};
  gpu_kernel *made[SCHEDULE_PASSES];
  uint32_t pass[SCHEDULE_PASSES];
  uint64_t key[2];
  int n = 0;
  bool ok = true;
  for (uint32_t i = 0; i < s->n && ok; i++) {
    const cg_opts *o = &s->pass[i].o;
    const char *name = cg_template_name((cg_template)o->template);
    if (s->pass[i].kernel || is_repeated(s, i)) continue;
    ok = cg_emit(g->c, k, o, &m[n]);
    if (ok && g->sink) g->sink(g->sink_user, 's', name, m[n].words, m[n].n);
    code[n] = (gpu_code){m[n].words, m[n].n, o->subgroup, name};
    pass[n++] = i;
  }
  ok = ok && gpu_kernels_get(g->dev, code, n, made);
  for (int i = 0; i < n && ok; i++) {
    sched_pass *p = &s->pass[pass[i]];
    p->kernel = made[i];
    if (is_short(p, &m[i])) *too_large |= 1u << pass[i];
    hash_pass(hash, &p->o, key);
    ok = insert(g, key, p->kernel);
  }
  for (uint32_t i = 0; i < s->n && ok; i++)
    ok = s->pass[i].kernel || look(g, hash, &s->pass[i]);
  for (int i = 0; i < n; i++) mem_free(g->c, m[i].words);
  return ok;
}

/* ── shapes that are too large ── */

static SELDOM uint64_t name_of(const kir *k, const cg_opts *o) {
  uint64_t kernel[2] = {1, 2}, key[2];
  hash_kernel(k, kernel);
  if (!o) return kernel[0];
  hash_pass(kernel, o, key);
  return key[0];
}

bool pipelines_is_noted(const ir *g, const kir *k, const cg_opts *o) {
  if (!g->note.n_large) return false;
  uint64_t name = name_of(k, o);
  return g->note.large[name % NOTE_LARGE] == name;
}

void pipelines_note(ir *g, const kir *k, const cg_opts *o) {
  uint64_t name = name_of(k, o);
  g->note.n_large++;
  g->note.large[name % NOTE_LARGE] = name;
  gpu_note_write(g->dev, &g->note, sizeof g->note);
}

bool pipelines_get(ir *g, const kir *k, schedule *s, uint32_t *too_large) {
  uint64_t kernel[2] = {1, 2};
  bool all = true;
  hash_kernel(k, kernel);
  *too_large = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    if (!look(g, kernel, &s->pass[i])) return false;
    all &= s->pass[i].kernel != NULL;
  }
  return all || make_missing(g, k, kernel, s, too_large);
}

void pipelines_free(ir *g) {
  mem_free(g->c, g->young.at);
  mem_free(g->c, g->old.at);
}
