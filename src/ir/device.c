/* SPDX-License-Identifier: MIT */
/* device.c - a plan on the device: its schedule is recorded, pass by pass, with scratch
 * and argument blocks.
 *
 * Dispatches are recorded into one submission; barriers come from the buffers' uses.
 * Flags and single results lie in one small buffer, so that a reduction costs one
 * read-back. */
#include "device.h"
#include "../base/arith.h"
#include "plan.h"
#include "schedule.h"
#include <string.h>

/* ── one pass ── */

/* A plan that is being recorded, and where its outputs go. */
typedef struct recording {
  plan *p;
  ir *g;
  uint64_t out[KIR_MAX_ACC]; /* addresses */
  gpu_buf *out_buf[KIR_MAX_ACC];
} recording;

enum {
  MAX_SLOTS = CG_SLOT_INPUTS + 3 * KIR_MAX_IN + KIR_MAX_OUT + KIR_MAX_PARAM +
              KIR_MAX_STRIDED * KIR_STRIDED_DIMS * CG_STRIDED_SLOTS
};

static uint64_t param_bits(kty ty, kimm v) {
  uint64_t bits = 0;
  float f = (float)v.f;
  if (!kty_is_float(ty)) return (uint64_t)v.i;
  if (ty == KF32) memcpy(&bits, &f, sizeof f);
  else memcpy(&bits, &v.f, sizeof v.f);
  return bits;
}

static uint64_t address_of(const ir *g, int scratch) {
  return scratch == NO_SCRATCH ? 0 : gpu_address(g->scratch.at[scratch]);
}

/* Writes the stride, the length and the constant for dividing by it of each dimension. Nothing divides by the length of the
 * first, for which 2 stands. */
static uint32_t strided_arguments(const kstrided *map, uint32_t dims, uint64_t *a) {
  for (uint32_t d = 0; d < dims; d++, a += CG_STRIDED_SLOTS) {
    uint64_t n = 2;
    if (d) n = (uint64_t)map->n[d];
    a[CG_STRIDED_STRIDE] = (uint64_t)map->stride[d];
    a[CG_STRIDED_N] = n;
    a[CG_STRIDED_MAGIC] = n <= INT32_MAX ? cg_magic(n) : 0;
  }
  return dims * CG_STRIDED_SLOTS;
}

static uint64_t input_address(const ir *g, const arr *a) {
  if (!in_results(a)) return gpu_address(a->dev);
  const plan *link = g->chain[a->node->link - 1];
  return gpu_address(g->results) + link->slots_at +
         (uint64_t)IR_RESULT_SLOT * a->node->link_out;
}

static uint32_t arguments(const recording *r, const sched_pass *s, uint64_t *a) {
  const plan *p = r->p;
  uint32_t n = CG_SLOT_INPUTS;
  a[CG_SLOT_LEN] = (uint64_t)s->geom.len;
  a[CG_SLOT_ROWS] = (uint64_t)s->geom.rows;
  a[CG_SLOT_GROUPS] = (uint64_t)s->geom.workgroups;
  a[CG_SLOT_TILES] = (uint64_t)s->geom.tiles;
  a[CG_SLOT_INNER] = (uint64_t)s->geom.inner;
  a[CG_SLOT_FLAGS] = gpu_address(r->g->results) + p->flags_at;
  a[CG_SLOT_FROM] = address_of(r->g, s->from);
  a[CG_SLOT_TO] = address_of(r->g, s->to);
  a[CG_SLOT_CARRY] = address_of(r->g, s->carry);
  a[CG_SLOT_COUNTER] = gpu_address(r->g->results) + IR_RESULT_COUNTER;
  a[CG_SLOT_TAG] = r->g->tag;
  if (s->words) a[CG_SLOT_CARRY] = gpu_address(r->g->words);
  memcpy(a + CG_SLOT_OWN, s->geom.own, sizeof s->geom.own);
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    a[n++] = input_address(r->g, p->in[i]);
    a[n++] = (uint64_t)p->at[i].off;
    a[n++] = (uint64_t)p->at[i].step;
  }
  for (uint32_t i = 0; i < p->n_out; i++) {
    a[n++] = r->out[i];
    if (p->k.out[p->first[i]].pair) a[n++] = r->out[i];
  }
  for (uint32_t i = 0; i < p->k.n_param; i++)
    a[n++] = param_bits((kty)p->k.param[i], p->param[i]);
  for (uint32_t w = 0; w < p->k.n_strided; w++)
    n += strided_arguments(&p->strided[w]->strided, p->k.strided[w], a + n);
  return n;
}

enum { FEWEST_WORDS = 1 << 13 };

static bool uses_counter(const sched_pass *s) {
  return last_workgroup_finishes(s) || s->words;
}

/* Does the pass touch the results: flags, single outputs, scalars of the chain, counter? */
static bool uses_results(const recording *r, const sched_pass *s, bool reads) {
  const plan *p = r->p;
  for (uint32_t i = 0; i < p->n_out && s->o.final; i++)
    if (r->out_buf[i] == r->g->results) return true;
  for (uint32_t i = 0; i < p->k.n_in && reads; i++)
    if (in_results(p->in[i])) return true;
  return p->k.n_fault || uses_counter(s);
}

/* The buffers that a pass reads and writes. */
static uint32_t uses(const recording *r, const sched_pass *s, gpu_use *u) {
  const plan *p = r->p;
  gpu_buf **scratch = r->g->scratch.at;
  bool reads = s->from == NO_SCRATCH || s->o.final;
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->k.n_in && reads; i++)
    if (!in_results(p->in[i])) u[n++] = (gpu_use){p->in[i]->dev, false};
  if (s->from != NO_SCRATCH) u[n++] = (gpu_use){scratch[s->from], false};
  if (s->carry != NO_SCRATCH) u[n++] = (gpu_use){scratch[s->carry], false};
  if (s->to != NO_SCRATCH) u[n++] = (gpu_use){scratch[s->to], true};
  for (uint32_t i = 0; i < p->n_out && s->o.final; i++)
    if (r->out_buf[i] != r->g->results) u[n++] = (gpu_use){r->out_buf[i], true};
  if (uses_results(r, s, reads)) u[n++] = (gpu_use){r->g->results, true};
  if (s->words) u[n++] = (gpu_use){r->g->words, true};
  return n;
}

/* Words for a pass whose workgroups look ahead, and a tag that none of them has. They are
 * cleared when they are new, when tags begin again, and when something failed: then it is
 * not known what they hold. */
static bool next_tag(ir *g, const sched_pass *s) {
  uint64_t bytes = (uint64_t)s->words * 8;
  if (!s->words) return true;
  if (!g->words || gpu_bytes(g->words) < bytes) {
    gpu_buf *more = device_alloc(g, max_u64(bytes, FEWEST_WORDS * 8), NULL);
    if (!more) return false;
    gpu_free(g->dev, g->words);
    g->words = more;
    g->words_clean = false;
  }
  if (g->tag == UINT32_MAX) g->words_clean = false;
  if (!g->words_clean) {
    if (!gpu_clear(g->dev, g->words, 0, gpu_bytes(g->words) / 4 * 4)) return false;
    g->tag = 0;
    g->words_clean = true;
  }
  g->tag++;
  return true;
}

static bool record(const recording *r, const sched_pass *s, uint32_t number) {
  if (!next_tag(r->g, s)) return false;
  uint64_t args[MAX_SLOTS];
  gpu_use use[KIR_MAX_IN + KIR_MAX_ACC + 6];
  uint32_t slots = arguments(r, s, args);
  if (s->times) args[CG_SLOT_OWN] = number;
  gpu_dispatch d = {.kernel = s->kernel,
                    .groups = (uint64_t)s->geom.workgroups,
                    .args = args,
                    .arg_bytes = slots * 8,
                    /* Workgroups that wait for others are not to be parted from them. */
                    .range_at = s->words ? 0 : CG_SLOT_GROUPS * 8,
                    .work = plan_into(r->p) ? 0 : s->work, /* all of it, or nothing */
                    .guessed = r->p->k.n_loop > 0,
                    .uses = use,
                    .n_uses = uses(r, s, use)};
  return gpu_record(r->g->dev, &d);
}

/* ── the plan ── */

/* Outputs whose words several workgroups share are cleared: their elements are OR-ed
 * in. */
static bool clear_outputs(const recording *r, const schedule *s) {
  for (uint32_t i = 0; i < r->p->n_out; i++) {
    const arr *a = r->p->out[i];
    if (!cg_needs_clear(&r->p->k, &s->pass[s->n - 1].o, r->p->first[i])) continue;
    uint64_t bytes = round_up_u64(elt_bytes((elt)a->type, a->count), 4);
    uint64_t at = r->out[i] - gpu_address(r->out_buf[i]);
    if (!gpu_clear(r->g->dev, r->out_buf[i], at, bytes)) return false;
  }
  return true;
}

static bool alloc_scratch(ir *g, const schedule *s) {
  for (uint32_t i = 0; i < s->n_scratch; i++) {
    gpu_buf *b = device_alloc(g, s->scratch[i], NULL);
    if (!b) return false;
    if (!vec_push(g->c, &g->scratch, b)) {
      gpu_free(g->dev, b);
      return false;
    }
  }
  return true;
}

/* The counter of a pass whose last workgroup finishes, or whose workgroups draw their
 * tiles. Only what failed or was interrupted leaves it at anything but zero. */
static bool clear_counter(ir *g, const schedule *s) {
  if (g->counter_clean || !uses_counter(&s->pass[s->n - 1])) return true;
  g->counter_clean = gpu_clear(g->dev, g->results, IR_RESULT_COUNTER, 8);
  return g->counter_clean;
}

/* Records them all. The scratch goes back, for when they have run. */
static bool record_all(const recording *r, const schedule *s) {
  bool ok = clear_outputs(r, s) && clear_counter(r->g, s) && alloc_scratch(r->g, s);
  if (ok && s->cleared != NO_SCRATCH)
    ok = gpu_clear(r->g->dev, r->g->scratch.at[s->cleared], 0,
                   round_up_u64(s->scratch[s->cleared], 4));
  for (uint32_t i = 0; i < s->n; i++)
    for (uint32_t t = 0; ok && t < max_u64(s->pass[i].times, 1); t++)
      ok = record(r, &s->pass[i], t);
  for (size_t i = 0; i < r->g->scratch.n; i++) gpu_free(r->g->dev, r->g->scratch.at[i]);
  r->g->scratch.n = 0;
  return ok;
}

static bool upload_inputs(plan *p) {
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (!in_results(p->in[i]) && !ir_upload(p->g, p->in[i])) return false;
  return true;
}

static uint32_t flag_bytes(const plan *p) {
  return p->k.n_fault * (IR_RESULT_FLAGS / KIR_MAX_FAULT);
}

/* Its flags and single results lie beside those of the chain. */
static void place_results(plan *p) {
  const ir *g = p->g;
  const plan *before = g->n_chain ? g->chain[g->n_chain - 1] : NULL;
  p->flags_at = p->slots_at = IR_RESULT_MIDDLE;
  if (before) {
    p->flags_at = before->flags_at + flag_bytes(before);
    p->slots_at = before->slots_at;
  }
  if (p->root->count == 1) p->slots_at -= IR_RESULT_SLOT * p->n_out;
}

/* The elements of p's root come along if the host waits for them, and they are few. */
static bool read_with_root(ir *g, const plan *p, const gpu_piece *results) {
  enum { FEW = 1 << 20 };
  arr *a = p->root;
  uint64_t n = elt_bytes((elt)a->type, a->count);
  if (a != g->awaited || !a->dev || a->host || !n || n > FEW)
    return gpu_download(g->dev, results->b, results->offset, results->to, results->n);
  if (!arr_alloc_host(g->c, a)) return false;
  return gpu_download_two(g->dev,
                          (gpu_piece[]){*results, {.b = a->dev, .n = n, .to = a->host}});
}

/* Submits. If p or the chain before it has flags or single results, waits and copies them to g->back. */
static bool read_results(ir *g, const plan *p) {
  uint32_t from = p->slots_at, to = p->flags_at + flag_bytes(p);
  if (from == to) return gpu_submit(g->dev);
  const gpu_piece all = {
      .b = g->results, .offset = from, .n = to - from, .to = g->back + from};
  if (!read_with_root(g, p, &all)) return false;
  for (uint32_t i = IR_RESULT_MIDDLE; i < to; i++)
    if (g->back[i]) g->flags_clean = false;
  return true;
}

bool device_read_chain(ir *g) { return read_results(g, g->chain[g->n_chain - 1]); }

/* The same; then copies the flags of p, and its elements if they are single, to the host's memory. */
static bool read_back(const recording *r, uint32_t *flags) {
  ir *g = r->g;
  const plan *p = r->p;
  if (!read_results(g, p)) return false;
  memcpy(flags, g->back + p->flags_at, flag_bytes(p));
  for (uint32_t i = 0; i < p->n_out && p->root->count == 1; i++) {
    arr *a = p->out[i];
    if (a->dev) continue; /* complex */
    if (!arr_alloc_host(g->c, a)) return false;
    memcpy(a->host, g->back + p->slots_at + IR_RESULT_SLOT * i,
           elt_bytes((elt)a->type, 1));
  }
  return true;
}

/* Where output i goes: single ones side by side behind the flags. */
static bool place_output(recording *r, uint32_t i, bool single) {
  ir *g = r->g;
  arr *a = r->p->out[i], *into = plan_into(r->p);
  if (into) {
    if (!ir_upload(g, into)) return false;
    r->out_buf[i] = into->dev;
    r->out[i] = gpu_address(into->dev);
    return true;
  }
  if (single && a->type != ET_C128) {
    r->out_buf[i] = g->results;
    r->out[i] = gpu_address(g->results) + r->p->slots_at + IR_RESULT_SLOT * i;
    return true;
  }
  a->dev = r->out_buf[i] = device_alloc(g, elt_bytes((elt)a->type, a->count), a);
  if (!a->dev) return false;
  r->out[i] = gpu_address(a->dev);
  return true;
}

static bool record_plan(recording *r) {
  ir *g = r->g;
  plan *p = r->p;
  bool single = p->root->count == 1;
  place_results(p);
  if (!upload_inputs(p)) return false;
  for (uint32_t i = 0; i < p->n_out; i++)
    if (!place_output(r, i, single)) return false;
  if (p->k.n_fault && !g->flags_clean)
    g->flags_clean =
        gpu_clear(g->dev, g->results, p->flags_at, IR_RESULT_COUNTER - p->flags_at);
  if (p->k.n_fault && !g->flags_clean) return false;
  schedule s;
  schedule_make(p, &s);
  return schedule_ready(p, &s) && record_all(r, &s);
}

/* What a run uploads goes to the device with its kernels: where that failed, it may not
 * have arrived. Whatever the device alone had was there before. flags: NULL for the chain. */
bool device_run(plan *p, uint32_t *flags) {
  recording r = {.p = p, .g = p->g};
  bool was_there[KIR_MAX_IN];
  arr *into = plan_into(p);
  bool into_was_there = into && into->dev;
  for (uint32_t i = 0; i < p->k.n_in; i++) was_there[i] = p->in[i]->dev;
  p->g->running = p;
  bool ok = record_plan(&r);
  if (flags) ok = ok && read_back(&r, flags);
  p->g->running = NULL;
  if (!ok) p->g->counter_clean = p->g->words_clean = false;
  if (!ok) p->g->flags_clean = false;
  for (uint32_t i = 0; i < p->k.n_in && !ok; i++)
    if (!was_there[i]) device_forget(p->g, p->in[i]);
  if (!ok && into && !into_was_there) device_forget(p->g, into);
  return ok;
}

/* Room for the outputs that is nobody's. */
static bool alloc_outputs(recording *r) {
  for (uint32_t i = 0; i < r->p->n_out; i++) {
    const arr *a = r->p->out[i];
    r->out_buf[i] = gpu_alloc(r->g->dev, elt_bytes((elt)a->type, a->count));
    if (!r->out_buf[i]) return false;
    r->out[i] = gpu_address(r->out_buf[i]);
  }
  return true;
}

static bool time_runs(const recording *r, int repeat, double *ns) {
  schedule s;
  schedule_make(r->p, &s);
  if (!schedule_ready(r->p, &s)) return false;
  bool ok = gpu_time_begin(r->g->dev);
  for (int i = 0; ok && i < repeat; i++) ok = record_all(r, &s);
  ok = gpu_time_end(r->g->dev, ns) && ok;
  *ns /= repeat;
  return ok;
}

bool device_time(plan *p, int repeat, double *ns) {
  ir *g = p->g;
  recording r = {.p = p, .g = g};
  place_results(p);
  bool ok = upload_inputs(p) && alloc_outputs(&r) && time_runs(&r, repeat, ns);
  if (!ok) g->counter_clean = g->words_clean = false;
  g->flags_clean = false; /* nobody has looked */
  for (uint32_t i = 0; i < p->n_out; i++) gpu_free(g->dev, r.out_buf[i]);
  return ok;
}
