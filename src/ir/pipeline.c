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
 * many as both tables hold, so no pointer here outlives its pipeline. */
#include "../codegen/task.h"
#include "device.h"
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
  key[0] = hash_bytes(p, n, key[0]);
  key[1] = hash_bytes(p, n, key[1] ^ 0x5851F42D4C957F2Du);
}

static void hash_folds(const kir *k, uint64_t key[2]) {
  uint64_t how[] = {k->n_acc,   k->join != NULL, k->join_order, k->exclusive,
                    k->fold_at, k->product,      k->fast};
  hash_more(key, how, sizeof how);
  for (uint32_t i = 0; i < k->n_acc; i++) {
    const kacc *a = &k->acc[i];
    uint64_t acc[] = {a->from, a->monoid, a->wide, a->ty, (uint64_t)a->fault};
    hash_more(key, acc, sizeof acc);
    hash_more(key, &k->identity[i], sizeof k->identity[i]);
  }
}

static void hash_kernel(const kir *k, uint64_t key[2]) {
  uint64_t head[] = {(uint64_t)k->kind, k->n_ins,     k->n_in,     k->n_out,  k->n_param,
                     k->n_fault,        k->n_strided, k->segments, k->n_loop, k->quads};
  hash_more(key, head, sizeof head);
  hash_more(key, k->ins, k->n_ins * sizeof *k->ins);
  hash_more(key, k->in, k->n_in * sizeof *k->in);
  hash_more(key, k->param, k->n_param);
  hash_more(key, k->strided, k->n_strided);
  for (uint32_t i = 0; i < k->n_out; i++) {
    const kout *o = &k->out[i];
    uint64_t out[] = {o->value, o->type, o->put,  o->monoid, o->kept,
                      o->keys,  o->at,   o->when, o->mask,   o->pair};
    hash_more(key, out, sizeof out);
  }
  hash_folds(k, key);
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

static gpu_kernel *make(ir *g, const kir *k, const cg_opts *o) {
  cg_module m;
  if (!cg_emit(g->c, k, o, &m)) return NULL;
  if (g->sink) g->sink(g->sink_user, 's', NULL, m.words, m.n);
  gpu_kernel *kernel = gpu_kernel_get(g->dev, m.words, m.n, o->subgroup,
                                      cg_template_name((cg_template)o->template));
  mem_free(g->c, m.words);
  return kernel;
}

gpu_kernel *pipeline_get(ir *g, const kir *k, const cg_opts *o) {
  uint64_t key[2] = {1, 2};
  hash_kernel(k, key);
  hash_more(key, o, sizeof *o);
  gpu_kernel *kernel = look_up(&g->young, key);
  if (kernel) return kernel;
  kernel = look_up(&g->old, key);
  if (kernel) gpu_kernel_keep(g->dev, kernel);
  else kernel = make(g, k, o);
  if (!kernel || !insert(g, key, kernel)) return NULL;
  return kernel;
}

void pipelines_free(ir *g) {
  mem_free(g->c, g->young.at);
  mem_free(g->c, g->old.at);
}
