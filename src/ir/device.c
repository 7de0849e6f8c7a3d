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

/* The slots of a strided index map: what divides by a length is not needed of the first.
 * */
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

static uint32_t arguments(const recording *r, const sched_pass *s, uint64_t *a) {
  const plan *p = r->p;
  uint32_t n = CG_SLOT_INPUTS;
  a[CG_SLOT_LEN] = (uint64_t)s->geom.len;
  a[CG_SLOT_ROWS] = (uint64_t)s->geom.rows;
  a[CG_SLOT_GROUPS] = (uint64_t)s->geom.workgroups;
  a[CG_SLOT_TILES] = (uint64_t)s->geom.tiles;
  a[CG_SLOT_INNER] = (uint64_t)s->geom.inner;
  a[CG_SLOT_FLAGS] = gpu_address(r->g->results);
  a[CG_SLOT_FROM] = address_of(r->g, s->from);
  a[CG_SLOT_TO] = address_of(r->g, s->to);
  a[CG_SLOT_CARRY] = address_of(r->g, s->carry);
  a[CG_SLOT_COUNTER] = gpu_address(r->g->results) + IR_RESULT_COUNTER;
  memcpy(a + CG_SLOT_OWN, s->geom.own, sizeof s->geom.own);
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    a[n++] = gpu_address(p->in[i]->dev);
    a[n++] = (uint64_t)p->at[i].off;
    a[n++] = (uint64_t)p->at[i].step;
  }
  for (uint32_t i = 0; i < p->k.n_out; i++) a[n++] = r->out[i];
  for (uint32_t i = 0; i < p->k.n_param; i++)
    a[n++] = param_bits((kty)p->k.param[i], p->param[i]);
  for (uint32_t w = 0; w < p->k.n_strided; w++)
    n += strided_arguments(&p->strided[w]->strided, p->k.strided[w], a + n);
  return n;
}

/* The buffers that a pass reads and writes. */
static uint32_t uses(const recording *r, const sched_pass *s, gpu_use *u) {
  const plan *p = r->p;
  gpu_buf **scratch = r->g->scratch.at;
  uint32_t n = 0;
  if (s->from == NO_SCRATCH || s->o.final)
    for (uint32_t i = 0; i < p->k.n_in; i++) u[n++] = (gpu_use){p->in[i]->dev, false};
  if (s->from != NO_SCRATCH) u[n++] = (gpu_use){scratch[s->from], false};
  if (s->carry != NO_SCRATCH) u[n++] = (gpu_use){scratch[s->carry], false};
  if (s->to != NO_SCRATCH) u[n++] = (gpu_use){scratch[s->to], true};
  bool listed = s->o.final && r->out_buf[0] == r->g->results;
  if (listed) u[n++] = (gpu_use){r->g->results, true};
  for (uint32_t i = 0; i < p->n_out && s->o.final && !listed; i++)
    u[n++] = (gpu_use){r->out_buf[i], true};
  bool writes = p->k.n_fault || last_workgroup_finishes(s);
  if (writes && !listed) u[n++] = (gpu_use){r->g->results, true};
  return n;
}

static bool record(const recording *r, const sched_pass *s) {
  gpu_kernel *kernel = pipeline_get(r->g, &r->p->k, &s->o);
  if (!kernel) return false;
  uint64_t args[MAX_SLOTS];
  gpu_use use[KIR_MAX_IN + KIR_MAX_ACC + 5];
  uint32_t slots = arguments(r, s, args);
  gpu_dispatch d = {.kernel = kernel,
                    .groups = (uint64_t)s->geom.workgroups,
                    .args = args,
                    .arg_bytes = slots * 8,
                    .range_at = CG_SLOT_GROUPS * 8,
                    .work = s->work,
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
    if (!cg_needs_clear(&r->p->k, &s->pass[s->n - 1].o, i)) continue;
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

static void free_scratch(ir *g) {
  for (size_t i = 0; i < g->scratch.n; i++) gpu_free(g->dev, g->scratch.at[i]);
  g->scratch.n = 0;
}

/* The counter of a pass whose last workgroup finishes. Only what failed or was
 * interrupted leaves it at anything but zero. */
static bool clear_counter(ir *g, const schedule *s) {
  if (g->counter_clean || !last_workgroup_finishes(&s->pass[s->n - 1])) return true;
  g->counter_clean = gpu_clear(g->dev, g->results, IR_RESULT_COUNTER, 4);
  return g->counter_clean;
}

/* Records them all. The scratch goes back, for when they have run. */
static bool record_all(const recording *r, const schedule *s) {
  bool ok = clear_outputs(r, s) && clear_counter(r->g, s) && alloc_scratch(r->g, s);
  for (uint32_t i = 0; ok && i < s->n; i++) ok = record(r, &s->pass[i]);
  free_scratch(r->g);
  return ok;
}

static bool upload_inputs(plan *p) {
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (!ir_upload(p->g, p->in[i])) return false;
  return true;
}

/* Reads back the flags and, if the results are single, their elements. */
static bool read_back(const recording *r, uint32_t *flags, bool single) {
  ir *g = r->g;
  const plan *p = r->p;
  if (!p->k.n_fault && !single) return gpu_submit(g->dev);
  unsigned char back[IR_RESULT_BYTES];
  uint64_t from = p->k.n_fault ? 0 : IR_RESULT_FLAGS;
  uint64_t to = IR_RESULT_FLAGS + (single ? 8 * p->n_out : 0);
  if (!gpu_download(g->dev, g->results, from, back + from, to - from)) return false;
  if (p->k.n_fault) memcpy(flags, back, IR_RESULT_FLAGS);
  for (uint32_t i = 0; i < p->n_out && single; i++) {
    arr *a = p->out[i];
    if (!arr_alloc_host(g->c, a)) return false;
    memcpy(a->host, back + IR_RESULT_FLAGS + 8 * i, elt_bytes((elt)a->type, 1));
  }
  return true;
}

/* Where output i goes: single ones side by side behind the flags. */
static bool place_output(recording *r, uint32_t i, bool single) {
  ir *g = r->g;
  arr *a = r->p->out[i];
  if (single) {
    r->out_buf[i] = g->results;
    r->out[i] = gpu_address(g->results) + IR_RESULT_FLAGS + 8 * i;
    return true;
  }
  a->dev = r->out_buf[i] = device_alloc(g, elt_bytes((elt)a->type, a->count), a);
  if (!a->dev) return false;
  r->out[i] = gpu_address(a->dev);
  return true;
}

static bool run_plan(plan *p, uint32_t *flags) {
  ir *g = p->g;
  bool single = p->root->count == 1;
  recording r = {.p = p, .g = g};
  if (!upload_inputs(p)) return false;
  for (uint32_t i = 0; i < p->n_out; i++)
    if (!place_output(&r, i, single)) return false;
  if (p->k.n_fault && !gpu_clear(g->dev, g->results, 0, IR_RESULT_FLAGS)) return false;
  schedule s;
  schedule_make(p, &s);
  return record_all(&r, &s) && read_back(&r, flags, single);
}

/* What a run uploads goes to the device with its kernels: where that failed, it may not
 * have arrived. Whatever the device alone had was there before. */
bool device_run(plan *p, uint32_t *flags) {
  bool was_there[KIR_MAX_IN];
  for (uint32_t i = 0; i < p->k.n_in; i++) was_there[i] = p->in[i]->dev;
  p->g->running = p;
  bool ok = run_plan(p, flags);
  p->g->running = NULL;
  if (!ok) p->g->counter_clean = false;
  for (uint32_t i = 0; i < p->k.n_in && !ok; i++)
    if (!was_there[i]) device_forget(p->g, p->in[i]);
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
  bool ok = gpu_time_begin(r->g->dev);
  for (int i = 0; ok && i < repeat; i++) ok = record_all(r, &s);
  ok = gpu_time_end(r->g->dev, ns) && ok;
  *ns /= repeat;
  return ok;
}

bool device_time(plan *p, int repeat, double *ns) {
  ir *g = p->g;
  recording r = {.p = p, .g = g};
  bool ok = upload_inputs(p) && alloc_outputs(&r) && time_runs(&r, repeat, ns);
  if (!ok) g->counter_clean = false;
  for (uint32_t i = 0; i < p->n_out; i++) gpu_free(g->dev, r.out_buf[i]);
  return ok;
}
