/* SPDX-License-Identifier: MIT */
/* exec.c - the stages, in order. Forcing an array goes
 *
 *   plan_make    prepare (force the region's edge) → infer → emit          fuse.c, infer.c
 *   on_device    host or device?                                           here
 *   run          host: block interpreter    device: passes, codegen, vk    prim/block.c, device.c
 *   judge        what the kernel's flags say: done, escape or error        here
 *   commit       the root has its elements; its node is gone               here
 *
 * and starts again when a node escaped, at most twice for each node: first the node goes the
 * wider way (`wide`), and what the wider way cannot do (a float fold that left the finite
 * numbers, a function that left the real ones), or an error, goes through the direct path,
 * whose word is final: the same value, the same message, as the host's.
 *
 * ERRORS. A fault's flag means "somewhere this node faults". Of the faults that are set the one
 * built first (lowest seq) counts. When the outermost force has failed, pending work built
 * before it is verified too, so that the error is the one that eager evaluation meets, and
 * what was built after it is dropped: eager evaluation would not have come so far. */
#include "graph.h"
#include <string.h>

/* ── where ── */

enum {
  FIRST_OPEN_BYTES = 64 << 20
}; /* opening a device costs what moving this much does */

static bool automatic(const ir *g) {
  return !g->cfg.device || !strcmp(g->cfg.device, "auto");
}

/* Automatic choice: is there a device that is no CPU? Opened at most once, failures kept quiet. */
static bool find_device(ir *g) {
  if (g->dev) return true;
  if (g->dev_tried) return false;
  g->dev_tried = true;
  gpu_info *list = NULL;
  int n = 0;
  bool some = false;
  char why[160];
  if (gpu_list(g->c, &list, &n, why))
    for (int i = 0; i < n; i++) some |= !list[i].cpu && !list[i].refused[0];
  mem_free(g->c, list);
  if (some) device_open(g);
  err_clear(g->c);
  return g->dev != NULL;
}

bool on_device(ir *g, const plan *p, bool dry) {
  if (g->cfg.device && !strcmp(g->cfg.device, "host")) return false;
  if (!automatic(g)) return device_open(g) && device_serves(g, p);
  uint64_t bytes = plan_bytes_read(p) + plan_bytes_written(p);
  /* A reduction of ⍳n moves nothing but does count: an element is worth its 8 bytes. */
  uint64_t work = (uint64_t)(p->rows * p->len * p->inner) * 8;
  if (bytes < work) bytes = work;
  if (!g->dev && (bytes < FIRST_OPEN_BYTES || dry || !find_device(g))) return false;
  if (gpu_get_info(g->dev)->cpu || gpu_lost(g->dev) || !device_serves(g, p)) return false;
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (p->in[i]->dev && !p->in[i]->host) return true;
  return bytes >= (uint64_t)g->tune.device_min;
}

/* ── run on the host ── */

blk_pool *host_pool(ir *g) {
  if (!g->pool) g->pool = blk_pool_new(g->c, g->cfg.threads);
  return g->pool;
}

static bool host_run(plan *p, uint32_t *flags) {
  ir *g = p->g;
  if (!host_pool(g)) return false;
  kir_bind b = {.rows = p->rows, .len = p->len, .inner = p->inner, .flags_host = flags};
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    if (!ir_download(g, p->in[i])) return false;
    b.in[i].host = p->in[i]->host;
    b.in[i].offset = p->at[i].off;
    b.in[i].step = p->at[i].step;
  }
  for (uint32_t i = 0; i < p->k.n_strided; i++) b.strided[i] = p->strided[i]->strided;
  memcpy(b.param, p->param, sizeof b.param);
  if (!arr_alloc_host(g->c, p->root)) return false;
  b.out[0].host = p->root->host;
  g->host_runs++;
  return blk_run(g->c, g->pool, &p->k, &b);
}

/* Takes back what a run left in the root: it is pending still. */
static void undo_run(plan *p) {
  arr *a = p->root;
  mem_free(p->c, a->host);
  a->host = NULL;
  if (a->dev) gpu_free(p->g->dev, a->dev);
  a->dev = NULL;
}

/* A device that is full is no error while the host has room; one that is gone, or too small ever
 * to hold the array, is none either where it was chosen automatically. */
static bool is_refuge(const ir *g) {
  int code = g->c->err.code;
  return code == ERR_WS_FULL ||
         (automatic(g) && (code == ERR_DEVICE || code == ERR_LIMIT));
}

/* What the device could not do. Where the host has no room either, the device's word stands. */
static bool host_instead(plan *p, uint32_t *flags) {
  ctx *c = p->c;
  err was = c->err;
  memset(&c->err, 0, sizeof c->err);
  undo_run(p);
  memset(flags, 0, IR_RESULT_FLAGS);
  p->g->refuges++;
  bool ok = host_run(p, flags);
  if (ok || c->err.code != ERR_WS_FULL) {
    source_release(c, was.at.src);
    return ok;
  }
  err_clear(c);
  c->err = was;
  return false;
}

static bool run(plan *p, uint32_t *flags) {
  ir *g = p->g;
  memset(flags, 0, IR_RESULT_FLAGS);
  bool device = on_device(g, p, false);
  if (err_is(g->c)) return false;
  if (!device) {
    if (host_run(p, flags)) return true;
  } else {
    g->device_runs++;
    if (device_run(p, flags)) return true;
    if (is_refuge(g) && host_instead(p, flags)) return true;
  }
  undo_run(p);
  return false;
}

/* ── judge ── */

static void prune(ir *g) {
  size_t kept = 0;
  for (size_t i = 0; i < g->unverified.n; i++) {
    arr *a = g->unverified.at[i];
    if (a->node && !a->node->verified) g->unverified.at[kept++] = a;
    else {
      if (a->node) a->node->listed = false;
      arr_release(a);
    }
  }
  g->unverified.n = kept;
}

/* Drops from the list what was built at or after seq: an error undoes that work. */
static void forget_from(ir *g, uint64_t seq) {
  for (size_t i = 0; i < g->unverified.n; i++) {
    ir_node *n = g->unverified.at[i]->node;
    if (n && n->seq >= seq) n->verified = true;
  }
  prune(g);
}

static arr *latest_unverified(ir *g, uint64_t before) {
  arr *best = NULL;
  for (size_t i = 0; i < g->unverified.n; i++) {
    ir_node *n = g->unverified.at[i]->node;
    if (n && !n->verified && n->seq < before && (!best || n->seq > best->node->seq))
      best = g->unverified.at[i];
  }
  return best;
}

static void accuse(ir *g, uint64_t seq, span at) {
  err_at(g->c, at);
  g->error_seq = seq;
  g->faulted = true;
}

/* The node's elements come from the direct path: a value, or the error. */
static bool settle_by_oracle(ir *g, ir_node *n) {
  arr *self = arr_retain(n->self);
  uint64_t seq = n->seq;
  span at = n->at;
  source_retain(at.src);
  arr *r = node_oracle(n);
  bool ok = r != NULL;
  if (ok && is_pending(self)) {
    self->type = r->type;
    self->has_range = r->has_range;
    self->lo = r->lo;
    self->hi = r->hi;
    ok = arr_alloc_host(g->c, self);
    if (ok) arr_copy(self, 0, r, 0, r->count);
    if (ok) node_drop(g, self);
  } else if (!ok && !g->faulted && g->c->err.code != ERR_INTERRUPT) {
    accuse(g, seq, at);
  }
  arr_release(r);
  source_release(g->c, at.src);
  arr_release(self);
  prune(g);
  return ok;
}

/* The node that the flags accuse, the one built first; NULL: none. */
static ir_node *accused(const plan *p, const uint32_t *flags, bool *escaped) {
  ir_node *worst = NULL;
  for (uint32_t s = 0; s < p->k.n_fault; s++) {
    if (!flags[2 * s] && !flags[2 * s + 1]) continue;
    if (worst && worst->seq < p->fault[s]->seq) continue;
    worst = p->fault[s];
    *escaped = flags[2 * s + 1] != 0;
  }
  return worst;
}

static void commit(plan *p) {
  ir *g = p->g;
  for (size_t i = 0; i < p->whole.n; i++) {
    ir_node *n = p->whole.at[i];
    n->verified = true;
    if (n->self != p->root && n->forced < 255) n->forced++;
  }
  p->root->owner = p->root->dev ? &g->owner : NULL;
  arr *root = arr_retain(p->root);
  node_drop(g, root);
  prune(g);
  arr_release(root);
}

/* A node that escaped takes the wider way once; a float fold, what leaves the real numbers and
 * the rest the direct path. */
static bool can_widen(const ir_node *n) {
  return !n->wide && (n->row != CLS_F || (n->kind <= N_DYAD && !n->leaves_reals));
}

static bool make(ir *g, arr *a, bool dry, str *out) {
  return !a || !is_pending(a) || force(g, a, dry, out);
}

/* The heavier argument, again and again, down to half of what a weighs. */
static arr *half(arr *a) {
  uint32_t want = a->node->weight / 2;
  do {
    const ir_node *n = a->node;
    arr *x = n->x && is_pending(n->x) ? n->x : NULL,
        *y = n->y && is_pending(n->y) ? n->y : NULL;
    arr *next = !y || (x && x->node->weight > y->node->weight) ? x : y;
    if (!next) break;
    a = next;
  } while (a->node->weight > want);
  return a;
}

/* One turn: plan, run, judge. *again: the root is not there yet. */
static bool turn(ir *g, arr *root, bool dry, str *out, bool *again) {
  plan p;
  uint32_t flags[IR_RESULT_FLAGS / 4];
  bool ok = plan_make(&p, g, root, dry, out), escaped = false;
  *again = false;
  if (!ok && p.full) {
    /* Too much for one kernel: about half of it first, by kernels of its own. */
    arr *part = half(root);
    if (part != root) err_clear(g->c);
    ok = part != root && make(g, part, dry, out);
    *again = ok && !dry;
  } else if (!ok && p.odd) {
    err_clear(g->c);
    ok = make(g, p.odd->x, dry, out) && make(g, p.odd->y, dry, out);
    ok = ok && (dry || settle_by_oracle(g, p.odd));
    *again = ok && !dry;
  } else if (ok && dry) {
    show_kernel(&p, out);
  } else if (ok && (show_stages(&p), ok = run(&p, flags))) {
    ir_node *n = accused(&p, flags, &escaped);
    if (!n) commit(&p);
    else {
      *again = true;
      undo_run(&p);
      if (escaped && can_widen(n)) n->wide = true;
      else ok = settle_by_oracle(g, n);
    }
  }
  plan_free(&p);
  return ok;
}

/* Turn by turn until a is there. A failure that no node is to blame for by itself (memory, the
 * device, an interrupt) is that of `a` if its verification was due. */
static bool force_inside(ir *g, arr *a, bool dry, str *out) {
  bool again = true, ok = true;
  g->depth++;
  arr_retain(a);
  while (ok && again && is_pending(a))
    ok = !interrupted(g->c) && turn(g, a, dry, out, &again);
  g->depth--;
  if (!ok && !dry && !g->depth && !g->faulted && a->node && a->node->listed)
    accuse(g, a->node->seq, a->node->at);
  arr_release(a);
  return ok;
}

/* Some node's error is recorded; but what was built earlier may be at fault too: then that is
 * the error. Not by recursion, for thousands may be. */
static void blame(ir *g) {
  for (arr *a;
       g->c->err.code != ERR_INTERRUPT && (a = latest_unverified(g, g->error_seq));) {
    err mine = g->c->err;
    uint64_t seq = g->error_seq;
    memset(&g->c->err, 0, sizeof g->c->err);
    g->faulted = false;
    if (force_inside(g, a, false, NULL)) {
      g->c->err = mine;
      g->error_seq = seq;
    } else {
      source_release(g->c, mine.at.src);
    }
  }
  forget_from(g, g->error_seq);
  g->faulted = false;
  g->blamed = true;
}

bool force(ir *g, arr *a, bool dry, str *out) {
  if (!g->depth) g->blamed = g->faulted = false;
  bool ok = force_inside(g, a, dry, out);
  if (!ok && !g->depth && g->faulted) blame(g);
  return ok;
}

bool ir_verify(ir *g) {
  for (arr *a; (a = latest_unverified(g, UINT64_MAX));)
    if (!force(g, a, false, NULL)) return false;
  g->relief = g->c->bytes_live + IR_RELIEF;
  return true;
}

/* Something that nobody but the list of the unverified holds. */
static arr *dead(const ir *g) {
  for (size_t i = 0; i < g->unverified.n; i++)
    if (g->unverified.at[i]->refs == 1 && g->unverified.at[i]->node)
      return g->unverified.at[i];
  return NULL;
}

bool relieve(ir *g) {
  if (g->unverified.n >= IR_MAX_UNVERIFIED) return ir_verify(g);
  if (g->c->bytes_live <= g->relief) return true;
  for (arr *a; (a = dead(g));)
    if (!force(g, a, false, NULL)) return false;
  g->relief = g->c->bytes_live + IR_RELIEF;
  return true;
}

void ir_first_error(ir *g) {
  bool known = g->blamed;
  g->blamed = false;
  if (known) return;
  if (g->unverified.n && g->c->err.code != ERR_INTERRUPT) {
    err mine = g->c->err;
    memset(&g->c->err, 0, sizeof g->c->err);
    bool ok = ir_verify(g);
    g->blamed = false;
    if (!ok) {
      source_release(g->c, mine.at.src);
      return;
    }
    g->c->err = mine;
  }
  g->error_seq = g->seq++;
}

bool ir_plan(ir *g, arr *a, str *out) {
  return (!is_pending(a) || force(g, a, true, out)) && !out->failed;
}

void ir_watch(ir *g, str *out) { g->watch = out; }

bool ir_bench(ir *g, arr *a, int n, int repeat, double *ns, uint64_t *bytes) {
  plan p;
  bool ok = device_open(g) && is_pending(a) && plan_make(&p, g, a, false, NULL);
  if (!ok) return false;
  *bytes = plan_bytes_read(&p) + plan_bytes_written(&p);
  for (int i = 0; ok && i < n; i++) ok = device_time(&p, repeat, &ns[i]);
  plan_free(&p);
  return ok;
}
