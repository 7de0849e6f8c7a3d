/* SPDX-License-Identifier: MIT */
/* exec.c - THE PAGE TO READ FIRST: how a pending array gets its elements.
 *
 * An array that waits for its elements is a node of the lazy graph (graph.h; build.c
 * makes them). force calls step (both below) until the array has its elements. A step runs
 * at most one kernel for it. It may instead make an array first that the kernel reads, settle
 * the chain of kernels under way, split the kernel, or use the reference path. The stages:
 *
 *   function         file          what it does
 *   plan_edge        fuse.c        finds what the kernel reads that is pending itself, which
 *                                  comes first; edge.c decides which nodes one kernel takes in
 *   plan_emit        fuse.c        infers types and ranges (infer.c), then emits each node's
 *                                  instructions (node_*.c), cheaper ones where ranges allow
 *   on_device        place.c       chooses the host or the device
 *   host_run         here          on the host: the block interpreter (src/host)
 *   device_run       device.c      on the device:
 *     schedule_make  schedule.c      plans the passes and their memory; cg_task_passes
 *                                    (codegen/emit.c) chooses the template
 *     pipelines_get  pipeline.c      finds each pass's pipeline, or creates it: cg_emit
 *                                    (codegen/emit.c) gives its SPIR-V
 *     record_all     device.c        records the commands
 *     read_back      device.c        submits, and waits only if the host needs bytes: the
 *                                    flags of faults, or a single result
 *   first_fault      outcome.c     reads the flags
 *   outcome_commit   outcome.c     no fault: the array has its elements, its node is gone
 *
 * A fault is of two sorts. An escape says that a result left its type: the node is marked
 * `wide` and its next step computes in the wider type. What the wider type cannot hold
 * either (a float fold that left the finite numbers, a function that left the real ones)
 * and every error go through the reference path (outcome.c), which gives the value or
 * the message of the direct path. So a node's value is computed at most three times.
 *
 * ERRORS. A fault's flag means "somewhere this node faults". Of the faults that are set
 * the one built first (lowest seq) counts. When the outermost force has failed, pending
 * work built before it is verified too, so that the error is the one that eager
 * evaluation meets, and what was built after it is dropped: eager evaluation would not
 * have come so far. */
#include "exec.h"
#include <string.h>
#include "../host/host.h"
#include "cuts.h"
#include "device.h"
#include "outcome.h"
#include "place.h"
#include "plan.h"
#include "schedule.h"
#include "show.h"

/* ── run ── */

/* The host does not run every kernel. An ORDER, PANEL, SOLVE, FOURIER or product fails here, and `divide` computes its node
 * by the reference path. A kernel that fuses rows or reads neighbours fails, and compute_apart plans it again without. */
static bool host_run(plan *p, uint32_t *flags) {
  ir *g = p->g;
  if (kir_is_for_device(&p->k)) return plan_unsupported(p, p->root->node);
  bool whole = p->k.kind == KIR_ORDER || p->k.kind == KIR_PANEL ||
               p->k.kind == KIR_SOLVE || p->k.kind == KIR_FOURIER;
  if (whole || p->k.product) return plan_unsupported(p, p->fold);

  kir_bind b = {.rows = p->rows, .len = p->len, .inner = p->inner, .flags = flags};
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    if (!ir_download(g, p->in[i])) return false;
    b.in[i].host = p->in[i]->host;
    b.in[i].offset = p->at[i].off;
    b.in[i].step = p->at[i].step;
  }
  for (uint32_t i = 0; i < p->k.n_strided; i++) b.strided[i] = p->strided[i]->strided;
  memcpy(b.param, p->param, sizeof b.param);
  const arr *into = plan_into(p);
  if (into && !ir_download(g, plan_into(p))) return false;
  for (uint32_t i = 0; i < p->n_out; i++) {
    uint32_t first = p->first[i], parts = p->k.out[first].pair ? 2 : 1;
    if (!arr_alloc_host(g->c, p->out[i])) return false;
    if (into)
      memcpy(p->out[i]->host, into->host, elt_bytes((elt)into->type, into->count));
    for (uint32_t o = first; o < first + parts; o++) {
      b.out[o].host = p->out[i]->host;
      b.out[o].count = p->out[i]->count;
    }
  }
  g->host_runs++;
  return blk_run(g->c, g->pool, &p->k, &b);
}

/* What was left in a, which is pending still, is taken back. */
static void forget_elements(ir *g, arr *a) {
  mem_free(g->c, a->host);
  a->host = NULL;
  if (a->dev) device_forget(g, a);
}

static void undo_run(plan *p) {
  for (uint32_t i = 0; i < p->n_out; i++) forget_elements(p->g, p->out[i]);
}

/* May the host do what the device could not? A device that is full is no error while the
 * host has room; one that is gone, or too small ever to hold the array, is none either
 * where it was chosen automatically. */
static bool allows_fallback(const ir *g) {
  int code = g->c->err.code;
  if (code == ERR_WS_FULL) return true;
  return is_automatic(g) && (code == ERR_DEVICE || code == ERR_LIMIT);
}

/* Where the host has no room either, the device's error stands. */
static bool fall_back_to_host(plan *p, uint32_t *flags) {
  ctx *c = p->c;
  err was = err_take(c);
  undo_run(p);
  memset(flags, 0, IR_RESULT_FLAGS);
  p->g->fallbacks++;
  bool ok = host_run(p, flags);
  if (ok || c->err.code != ERR_WS_FULL) err_drop(c, &was);
  else err_put_back(c, was);
  return ok;
}

/* May the device have stopped a loop at its limit of steps? A loop that it stopped sets its node's flag of escapes, so that
 * any escape of such a kernel looks like it. */
static bool gave_up(const plan *p, const uint32_t *flags) {
  if (!plan_may_give_up(p)) return false;
  for (uint32_t i = 0; i < p->k.n_fault; i++)
    if (flags[2 * i + 1] && !is_complex(p->fault[i])) return true;
  return false;
}

static bool run(plan *p, uint32_t *flags) {
  ir *g = p->g;
  memset(flags, 0, IR_RESULT_FLAGS);
  bool device = on_device(g, p, true);
  if (err_is(g->c)) return false;
  g->bytes_worked[device] += plan_bytes_read(p) + plan_bytes_written(p);
  if (device) {
    g->device_runs++;
    bool ok = device_run(p, flags);
    if (ok && !gave_up(p, flags)) return true;
    if (ok) {
      undo_run(p);
      memset(flags, 0, IR_RESULT_FLAGS);
      if (host_run(p, flags)) return true;
    } else if (!g->n_chain && allows_fallback(g) && fall_back_to_host(p, flags)) {
      return true;
    }
  } else if (host_run(p, flags)) return true;
  undo_run(p);
  return false;
}

/* ── the chain ──
 *
 * The value of a reduction that only the next kernel needs does not come to the host: the
 * kernel is recorded as a link of the chain, its result stays among ir.results, where the
 * next kernel reads it, and its flags are read with those of the kernel that somebody
 * waits for. So the variance and softmax wait once:
 *
 *     +/x ──▶ ÷n ──▶ +/×⍨x-m ──▶ ÷n        one submission, then the flags of all
 *
 * Likewise an array that only the next kernel needs: it is handed over and stays where it is, and
 * the host does not wait for its flags before it plans on. So the rounds of a loop follow one another
 * on the device while the host plans those to come (ir_begin): the chain outlives the force.
 *
 * If a link faults, the results of all later links are discarded. To settle the chain means to submit it, to wait, to read
 * all flags and to commit the links. A step that needs a value on the host, or takes a node away without its kernel,
 * settles the chain first and then plans again, because links point to their nodes. */

/* Its kernels have no results any more. What they uploaded may not have arrived unless
 * somebody has waited for it. */
static void chain_end(ir *g, bool arrived) {
  if (!arrived && g->n_chain) g->flags_clean = false;
  for (uint32_t i = 0; i < g->n_chain; i++) {
    plan *p = g->chain[i];
    for (uint32_t k = 0; k < p->k.n_in && !arrived; k++)
      if (p->in[k]->host) device_forget(g, p->in[k]);
    for (uint32_t k = 0; k < p->n_out; k++) {
      arr *a = p->out[k];
      if (a->node && a->node->link) forget_elements(g, a);
      if (a->node) a->node->link = 0;
      arr_release(a);
    }
    plan_free(p);
    mem_free(g->c, p);
  }
  g->n_chain = 0;
  g->chain_bytes = 0;
  g->chain_tells = false;
}

/* The values of link number i come from what was read back. */
static bool take_values(ir *g, uint32_t i) {
  plan *p = g->chain[i];
  for (uint32_t k = 0; k < p->n_out; k++) {
    arr *a = p->out[k];
    bool stays = !in_results(a);
    a->node->link = 0;
    if (stays) continue;
    if (!arr_alloc_host(g->c, a)) return false;
    memcpy(a->host, g->back + p->slots_at + IR_RESULT_SLOT * k,
           elt_bytes((elt)a->type, 1));
  }
  outcome_commit(p);
  return true;
}

/* A relaxed kernel (relax.c) looks once for infinite numbers, so its flag of errors does not say which node is at fault: the
 * kernel is planned again with all checks, and so are the next DOUBTS ones, which are likely to meet them, too. Its flags of
 * escapes do say which node. */
static bool retry_unrelaxed(const plan *p, const uint32_t *flags) {
  enum { DOUBTS = 64 };
  bool error = false;
  for (uint32_t s = 0; s < p->k.n_fault; s++) error |= flags[2 * s] != 0;
  if (!p->relaxed || !error) return false;
  p->g->doubts = DOUBTS;
  return p->g->apart = true;
}

/* The areas have been read. *whole: no link had a fault; else what came behind it is
 * void. */
static bool chain_commit(ir *g, bool *whole) {
  *whole = true;
  for (uint32_t i = 0; i < g->n_chain; i++) {
    plan *p = g->chain[i];
    uint32_t flags[IR_RESULT_FLAGS / 4] = {0};
    bool escaped = false;
    memcpy(flags, g->back + p->flags_at, p->k.n_fault * 2 * sizeof *flags);
    ir_node *fault = first_fault(p, flags, &escaped);
    bool real = !fault && became_real(p, flags);
    if (!fault && !real && take_values(g, i)) continue;
    *whole = false;
    if (real) chain_end(g, true);
    if (!fault) return real;
    OWNED arr *self = arr_retain(fault->self); /* the chain may be all that holds it */
    UNUSED(self);
    bool again = retry_unrelaxed(p, flags);
    chain_end(g, true);
    return again || outcome_fault(g, fault, escaped);
  }
  chain_end(g, true);
  return true;
}

static bool chain_settle(ir *g) {
  bool whole;
  if (device_read_chain(g)) return chain_commit(g, &whole);
  chain_end(g, false);
  return false;
}

static bool force_edges(plan *p);

/* The host alone computes scalar functions of scalars, and few scalars put together. */
static bool is_scalar(const arr *a) { return a->count == 1 && a->node->kind->scalar; }
static bool is_for_host(const arr *a) { return is_scalar(a) || a->node->few; }

/* Does it come of what a kernel of the chain leaves? */
static bool reads_chain(const arr *a) {
  if (!a || !a->node) return false;
  if (a->node->link) return true;
  return a->node->kind->scalar && (reads_chain(a->node->x) || reads_chain(a->node->y));
}

/* Is the outermost force done when its kernel is under way? */
static bool only_begins(const ir *g) { return g->begins && g->depth == 1; }

/* The results of links hold memory of the device until the chain is settled. A force that waits may have FEW links; any other
 * chain is full at IR_CHAIN - 1 links, or when its results take 1/PART of the memory. */
static bool chain_is_full(const ir *g) {
  enum { FEW = 5, PART = 16 };
  if (!g->n_chain || (g->n_chain <= FEW && !only_begins(g))) return false;
  return g->n_chain == IR_CHAIN - 1 ||
         g->chain_bytes > gpu_get_usage(g->dev).limit / PART;
}

static bool may_link(const ir *g, const arr *a) {
  if (!g->dev || g->chain_off || !g->tune.fuse || chain_is_full(g)) return false;
  if (a->count == 1) return is_scalar(a) || a->node->kind->task == KIR_REDUCE;
  const node_kind *k = a->node->kind;
  return !k->puts && k->task != KIR_ORDER && !a->node->few;
}

/* May the kernel of p, which is there, be one? Of one complex number the place among the results is
 * too small. */
static bool fits_chain(const plan *p) {
  ir *g = p->g;
  if (p->root->count == 1 && p->root->type == ET_C128) return false;
  return !p->k.n_loop && plan_fits(p) && !chain_is_full(g) && on_device(g, p, true);
}

static void plan_drop(plan *p) {
  ctx *c = p->c;
  plan_free(p);
  mem_free(c, p);
}

/* It becomes the next link, which takes p over. False without an error: not in a chain. */
static bool add_link(plan *p) {
  ir *g = p->g;
  show_stages(p);
  g->device_runs++;
  g->bytes_worked[1] += plan_bytes_read(p) + plan_bytes_written(p);
  bool whole, tells = p->k.n_fault || p->root->count == 1;
  if (!device_run(p, NULL) || (p->root->count > 1 && !gpu_flush(g->dev))) {
    undo_run(p);
    plan_drop(p);
    chain_end(g, false);
    g->chain_off = allows_fallback(g);
    if (g->chain_off) err_clear(g->c);
    return false;
  }
  g->chain[g->n_chain++] = p;
  g->chain_bytes += plan_bytes_written(p);
  g->chain_tells |= tells;
  for (uint32_t i = 0; i < p->n_out; i++) {
    ir_node *n = arr_retain(p->out[i])->node;
    n->link = (uint8_t)g->n_chain;
    n->link_out = (uint8_t)i;
    n->begun = true;
  }
  return g->chain_tells || gpu_is_recording(g->dev) || chain_commit(g, &whole);
}

/* Is what a scan reads better made first? A thread of a scan has up to 96 elements in registers, and its module what makes
 * each of them. On an H200, 2^24 f64, device µs in one kernel and in two, and ms of a process that uses it first:
 * +\1○x×2 250 and 186, 800 and 420; +\x*1.7 315 and 315, 2100 and 500; +\?n⍴0 136 and 166, 870 and 450; of 26 instructions,
 * +\(x>0.5)∧x<0.7, 72 and 92. */
static bool reads_what_is_long(const plan *p) {
  enum { LONG = 48, PART = 16 };
  const ir_node *n = p->fold;
  if (p->k.kind != KIR_SCAN || p->k.fold_at <= LONG || !n->kind->folds) return false;
  if (!is_pending(n->y) || is_linked(n->y) || !on_device(p->g, p, true)) return false;
  return elt_bytes(ET_F64, n->y->count) <= gpu_get_usage(p->g->dev).limit / PART;
}

/* Could the kernel of p->root, which is made now, be the next link? */
static bool plan_link(plan *p) {
  if (!force_edges(p)) return false;
  if (!is_pending(p->root) || is_linked(p->root)) return false;
  if (is_scalar(p->root) && !reads_chain(p->root)) return false;
  if (plan_emit(p)) return !reads_what_is_long(p) && fits_chain(p);
  err_clear(p->c);
  return false;
}

/* The kernel of a becomes the next link. False without an error: it must be forced. */
static bool link_edge(ir *g, arr *a) {
  if (!may_link(g, a)) return false;
  plan *p = mem_alloc(g->c, sizeof *p); /* there may be many, one within another */
  if (!p) return false;
  plan_begin(p, g, a);
  if (plan_link(p)) return add_link(p);
  plan_drop(p);
  return false;
}

/* The same of a plan that has its kernel; what it has goes to the link. */
static bool link_root(plan *p) {
  ir *g = p->g;
  plan *link = mem_alloc(g->c, sizeof *link);
  if (!link) return false;
  *link = *p;
  plan_begin(p, g, p->root);
  return add_link(link) || !err_is(g->c);
}

/* The outermost force is done: nothing is left in the chain. */
static bool chain_close(ir *g, bool ok) {
  if (g->depth) return ok;
  while (ok && g->n_chain && !g->begins) ok = chain_settle(g);
  if (!ok) chain_end(g, false);
  g->chain_off = g->apart = false;
  return ok;
}

/* ── the stages ── */

/* What the kernel reads comes first. Forcing one array may compute another that was taken
 * to be inside the region, so the region is looked at anew each time. */
static bool force_edges(plan *p) {
  ir *g = p->g;
  for (arr *edge; (edge = plan_edge(p, 0));) {
    if (link_edge(g, edge)) continue;
    if (err_is(g->c)) return false;
    if (is_pending(edge) && !is_linked(edge) && !force(g, edge)) return false;
  }
  return true;
}

/* The kernel that reads a comes later. */
static bool make_first(ir *g, arr *a) {
  return link_edge(g, a) || (!err_is(g->c) && force(g, a));
}

/* What cannot be one kernel yet: too much for one, of which about half comes first, by
 * kernels of its own; or a node that no kernel computes. */
static bool divide(plan *p) {
  ir *g = p->g;
  if (p->full) {
    arr *part = heavy_part(p->root);
    if (part == p->root) return false;
    err_clear(g->c);
    return make_first(g, part);
  }
  ir_node *n = p->unsupported;
  if (!n) return false;
  if (n->of) n = n->of;
  err_clear(g->c);
  return force_arguments(g, n) && run_reference(g, n, "no kernel has it for this type");
}

/* After a run that failed: may it be tried again without a chain? */
static bool unchain(ir *g) {
  if (!g->n_chain || !allows_fallback(g)) return false;
  chain_end(g, false);
  g->chain_off = true;
  err_clear(g->c);
  return true;
}

/* A kernel that is only for devices is to run on the host, or is too long: its nodes are planned again, apart. */
static bool compute_apart(plan *p) {
  if (!kir_is_for_device(&p->k) || p->c->err.code == ERR_INTERRUPT) return false;
  err_clear(p->c);
  p->g->apart = true;
  return true;
}

/* Must the chain be settled before the root's kernel? If there is a chain, the kernel is emitted here, to find out. */
static bool ends_chain(plan *p) {
  ir *g = p->g;
  if (!g->n_chain) return false;
  if (is_for_host(p->root)) return true;
  if (!plan_emit(p)) {
    err_clear(g->c);
    return true;
  }
  /* What is done in place is done once, with what is certain. */
  return plan_into(p) || p->k.n_loop || !on_device(g, p, true);
}

static bool is_at_hand(const arr *a) { return !is_pending(a) && a->host && !a->dev; }

/* Is the direct path faster on the host? It is if nothing is fused with the root and its arguments are there: it copies a view
 * by runs, lines and tiles, where a kernel would look for one element after the other; it alone makes an order; ⍳n and a
 * single function of elements are one loop each. */
static bool is_at_once(const ir *g, const ir_node *n) {
  const arr *of = n->y ? n->y : n->self;
  if (!n->kind->at_once || n->fn || (n->kind->task == KIR_ORDER && n->x)) return false;
  if (n->y ? !is_at_hand(n->y) : n->step != 1) return false;
  if (n->x && !is_at_hand(n->x)) return false;
  if (g->tune.middle == g->tune.direct) return false;
  return !prefers_device(g, 2 * elt_bytes((elt)of->type, n->self->count));
}

/* Of views of views, each about as long as what it is of, the first is copied first, for the same reason: returns it, or NULL. */
static arr *copied_first(const ir *g, const ir_node *n) {
  enum { SHORTER = 4 };
  while (n->kind->view && !n->x && n->y && is_pending(n->y)) {
    arr *y = n->y;
    if (!y->node->kind->view || n->self->count < y->count / SHORTER) return NULL;
    n = y->node;
    if (is_at_once(g, n)) return y;
  }
  return NULL;
}

/* One kernel, towards the root's elements: all stages in their order. The root may be
 * pending still when it is done. */
static bool step(plan *p) {
  ir *g = p->g;
  uint32_t flags[IR_RESULT_FLAGS / 4];
  bool escaped = false, whole = true;
  bool shows = shows_argument(g, p->root->node);
  if (g->n_chain && (shows || (only_begins(g) && chain_is_full(g))))
    return chain_settle(g);
  if (shows) return show_argument(g, p->root);
  if (!force_edges(p)) return false;
  bool emitted = g->n_chain > 0;
  if (ends_chain(p)) return !err_is(g->c) && chain_settle(g);
  if (is_for_host(p->root) || p->root->type == ET_NEST)
    return run_reference(g, p->root->node, "items are made on the host");
  if (is_at_once(g, p->root->node))
    return run_reference(g, p->root->node, "it is made at once");
  arr *first = copied_first(g, p->root->node);
  if (first) return make_first(g, first);
  if (!emitted && !plan_emit(p)) return compute_apart(p) || divide(p);
  if (!plan_fits(p)) return compute_apart(p);
  if (reads_what_is_long(p)) return make_first(g, p->fold->y);
  if (only_begins(g) && may_link(g, p->root) && fits_chain(p)) return link_root(p);
  show_stages(p);
  if (!run(p, flags))
    return unchain(g) || (p->unsupported && (compute_apart(p) || divide(p)));
  if (g->n_chain) {
    OWNED arr *root = arr_retain(p->root); /* likewise */
    UNUSED(root);
    bool ok = chain_commit(g, &whole);
    if (!whole) undo_run(p);
    if (!whole) return ok;
  }
  ir_node *fault = first_fault(p, flags, &escaped);
  if (!fault && became_real(p, flags)) {
    undo_run(p);
    return true;
  }
  if (!fault) {
    outcome_commit(p);
    return true;
  }
  undo_run(p);
  return retry_unrelaxed(p, flags) || outcome_fault(g, fault, escaped);
}

/* Kernels run for node number seq; what the device does for different ones is submitted apart. */
static bool works_for(ir *g, uint64_t seq) {
  g->works_for = seq;
  return !g->dev || gpu_own(g->dev, seq);
}

static bool force_told(ir *g, arr *array);

/* force_steps with an onlooker. */
static SELDOM bool force_seen(ir *g, arr *a) {
  const ir_onlooker *o = g->onlooker;
  uint64_t before = g->works_for;
  void *begun = o->begins(o->user, a->node->seq);
  bool ok = works_for(g, a->node->seq) && force_told(g, a);
  if (!works_for(g, before)) ok = false;
  o->ended(o->user, begun);
  return ok;
}

/* Step by step until a has its elements. A failure that no node has caused by itself
 * (memory, the device, an interrupt) is that of `a` if its verification was due. */
static bool force_told(ir *g, arr *array) {
  OWNED arr *a = arr_retain(array);
  bool ok = true;
  g->depth++;
  while (ok && is_pending(a) && !(only_begins(g) && is_linked(a))) {
    OWNED_PLAN plan p;
    plan_begin(&p, g, a);
    if (is_linked(a)) ok = chain_settle(g);
    else ok = !interrupted(g->c) && step(&p);
  }
  g->depth--;
  ok = chain_close(g, ok);
  if (!ok && !g->depth && !g->error_attributed && a->node && a->node->listed) {
    err_calls calls = calls_copy(a->node->calls);
    attribute_error(g, a->node->seq, a->node->at, &calls);
  }
  return ok;
}

static bool force_steps(ir *g, arr *a) {
  if (!LIKELY(!g->onlooker) && is_pending(a)) return force_seen(g, a);
  return force_told(g, a);
}

/* Some node's error is recorded; but what was built earlier may be at fault too: then
 * that is the error. In a loop and not by recursion, for there may be thousands. What was
 * built later need not be verified any more: the error undoes that work. */
static void find_first_error(ir *g) {
  ctx *c = g->c;
  for (;;) {
    while (g->unverified && g->unverified->seq >= g->error_seq)
      node_verified(g->unverified);
    if (!g->unverified || c->err.code == ERR_INTERRUPT) break;
    uint64_t seq = g->error_seq;
    err later = err_take(c);
    g->error_attributed = false;
    if (force_steps(g, g->unverified->self)) {
      err_put_back(c, later);
      g->error_seq = seq;
    } else err_drop(c, &later);
  }
  g->error_attributed = false;
  g->error_is_first = true;
}

bool force(ir *g, arr *a) {
  if (is_cut(a)) return g->cuts->settle(g, a);
  if (!g->depth) g->error_is_first = g->error_attributed = false;
  if (force_steps(g, a)) return true;
  g->begins = false;
  if (!g->depth && g->error_attributed) find_first_error(g);
  return false;
}

bool ir_begin(ir *g, arr *a) {
  if (!is_pending(a) || is_linked(a) || is_cut(a)) return true;
  g->begins = !g->depth;
  bool ok = force(g, a);
  g->begins = false;
  return ok;
}

bool force_alone(ir *g, arr *a) {
  ctx *c = g->c;
  g->depth++;
  bool ok = is_cut(a) ? g->cuts->settle(g, a) : force_steps(g, a);
  g->depth--;
  ok = chain_close(g, ok);
  if (ok) return true;
  g->error_attributed = false;
  bool stays = c->err.code == ERR_INTERRUPT || c->err.code == ERR_WS_FULL;
  if (!stays && !c->err.agreed) err_clear(c);
  return false;
}

/* ── verification ── */

/* What n is verified with: a function or fold of all of it that alone reads it, and is no larger,
 * is one kernel with it, as where somebody asks for that, and n is not stored. */
static arr *verified_with(const ir_node *n) {
  for (const ir_node *r; (r = n->reader); n = r) {
    bool whole = r->kind->scalar || r->kind->folds;
    bool alone = n->self->refs == 1u + n->listed;
    if (!whole || !alone || r->self->count > n->self->count) break;
  }
  return n->self;
}

/* What this rank has. */
static bool verify_here(ir *g) {
  while (g->unverified || g->n_chain) /* by what is under way, the first of it */
    if (!force(g, g->n_chain ? g->chain[0]->root : verified_with(g->unverified)))
      return false;
  g->memory_mark = g->c->bytes_live + IR_MEMORY_STEP;
  return true;
}

bool ir_verify(ir *g) {
  bool ok = verify_here(g);
  return g->cuts ? g->cuts->verified(g, ok) : ok;
}

uint64_t ir_attempt(ir *g) { return g->seq; }

/* The latest of the unverified, if it was made since. */
static ir_node *unverified_since(const ir *g, uint64_t since) {
  return g->unverified && g->unverified->seq >= since ? g->unverified : NULL;
}

bool ir_attempt_end(ir *g, uint64_t since, arr *r) {
  ctx *c = g->c;
  bool ok = r && !err_is(c);
  bool due = is_cut(r) || unverified_since(g, since);
  if (ok && due && is_pending(r)) ok = force_alone(g, r);
  for (ir_node *n; ok && (n = unverified_since(g, since));)
    ok = force_alone(g, g->n_chain ? g->chain[0]->root : n->self);
  if (g->cuts) ok = g->cuts->all(g, since, ok && g->fault_seq < since);
  if (ok && g->fault_seq < since) return true;
  chain_end(g, false); /* what is void is not to fault later */
  for (ir_node *n; (n = unverified_since(g, since));) node_verified(n);
  bool earlier = g->error_is_first && g->error_seq < since;
  if (err_is(c) && c->err.code != ERR_INTERRUPT && !earlier) err_clear(c);
  if (!err_is(c)) g->error_is_first = false; /* the attempt's is nobody's any more */
  return false;
}

/* The earliest array to which only the list of the unverified has a reference; NULL:
 * there is none. */
static arr *unused(const ir *g) {
  arr *a = NULL;
  for (const ir_node *n = g->unverified; n; n = n->earlier)
    if (n->self->refs == 1) a = n->self;
  return a;
}

bool bound_unverified(ir *g) {
  if (g->n_unverified >= IR_MAX_UNVERIFIED) return verify_here(g);
  if (g->c->bytes_live <= g->memory_mark) return true;
  for (arr *a; (a = unused(g));)
    if (!force(g, a)) return false;
  g->memory_mark = g->c->bytes_live + IR_MEMORY_STEP;
  return true;
}

bool ir_first_error_here(ir *g) {
  bool known = g->error_is_first;
  g->error_is_first = false;
  if (known) return false;
  if (g->unverified && g->c->err.code != ERR_INTERRUPT) {
    err later = err_take(g->c);
    bool ok = verify_here(g);
    g->error_is_first = false;
    if (!ok) {
      err_drop(g->c, &later);
      return true;
    }
    err_put_back(g->c, later);
  }
  g->error_seq = g->seq++;
  return false;
}

void ir_first_error(ir *g) {
  if (g->cuts) g->cuts->first_error(g);
  if (!g->c->err.agreed) ir_first_error_here(g);
  g->error_is_first = false;
}

void ir_drop_unused(ir *g) {
  chain_end(g, false);
  for (ir_node *n = g->unverified, *earlier; n; n = earlier) {
    earlier = n->earlier; /* listed, so it lives on */
    if (n->self->refs == 1) node_verified(n);
  }
}

bool ir_bench(ir *g, arr *a, int n, int repeat, double *ns, uint64_t *bytes) {
  if (!device_open(g) || !is_pending(a)) return false;
  OWNED_PLAN plan p;
  plan_begin(&p, g, a);
  g->chain_off = true;
  bool ok = force_edges(&p) && plan_emit(&p);
  if (ok && p.n_out > 1) ok = plan_emit_alone(&p); /* others may be pending */
  g->chain_off = false;
  if (!ok) return false;
  *bytes = plan_bytes_read(&p) + plan_bytes_written(&p);
  for (int i = 0; i < n; i++)
    if (!device_time(&p, repeat, &ns[i])) return false;
  return true;
}
