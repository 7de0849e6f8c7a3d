/* SPDX-License-Identifier: MIT */
/* device.c - a plan on the device: its passes, their strategies, their argument blocks.
 *
 *   MAP      one dispatch
 *   REDUCE   along any axis, by whichever template suits (codegen/way.c): tiles of 16384
 *            elements of a line, then tiles of their results, until one is left:
 *            n ≤ 2^14 one dispatch, ≤ 2^28 two, else three; of bits: ≤ 2^18 one, ≤ 2^32 two
 *   SCAN     one tile (8192): one dispatch; else reduce-then-scan: the tiles' totals, the scan
 *            of the totals (this same rule), the tiles with their carries
 *
 * Dispatches are recorded into one submission; barriers come from the buffers' uses. Flags
 * and single results lie in one small buffer, so that a reduction costs one read-back. */
#include "device.h"
#include "place.h"
#include "plan.h"
#include "show.h"
#include "../base/arith.h"
#include <string.h>

/* ── strategy ── */

static uint32_t subgroup_of(const gpu_info *info) {
  if (info->subgroup_control && info->subgroup_min <= 32 && info->subgroup_max >= 32)
    return 32;
  return info->subgroup;
}

/* Widest element that a map moves, in bits: narrow ones want more loads in flight. */
static int widest(const kir *k) {
  int bits = 1;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (elt_bits((elt)k->in[i].type) > bits) bits = elt_bits((elt)k->in[i].type);
  for (uint32_t i = 0; i < k->n_out; i++)
    if (elt_bits((elt)k->out[i].type) > bits) bits = elt_bits((elt)k->out[i].type);
  return bits;
}

static bool has_bit_output(const kir *k) {
  for (uint32_t i = 0; i < k->n_out; i++)
    if (k->out[i].type == ET_BIT) return true;
  return false;
}

/* Are there quotients that a device may round wrongly? Those of f32 go by f64 where there is f64. */
static bool divides(const plan *p) {
  kty t = gpu_get_info(p->g->dev)->float64 ? KF64 : KF32;
  for (uint32_t i = 0; i < p->k.n_ins; i++)
    if (p->k.ins[i].op == KOP_DIV && p->k.ins[i].ty == (uint8_t)t) return true;
  return false;
}

/* Rows that are few or short take as long as a dispatch does, however they are done: then there
 * are two kinds for short rows and one for others, where large arrays have one per power of two
 * and one for aligned rows, so that tables of many shapes make few pipelines. */
static bool is_small(const plan *p) { return p->rows * p->len * p->inner <= CG_SMALL; }

/* Options for a pass over rows of `len`, whatever the pass. */
static cg_opts options(const plan *p, const gpu_info *info, int64_t len) {
  const kir *k = &p->k;
  cg_opts o = {.subgroup = subgroup_of(info),
               .workgroup = k->kind == KIR_MAP ? (uint32_t)p->g->tune.wg : 256,
               .width = 4,
               .items = 1,
               .float64 = info->float64,
               .preserve32 = info->preserve32,
               .preserve64 = info->preserve64,
               .exact_div = divides(p) && !division_is_exact(p->g),
               .single = k->kind == KIR_REDUCE && p->rows * p->inner == 1,
               .small = is_small(p),
               .tile_rows = k->kind == KIR_SCAN ? KIR_SCAN_ROWS : KIR_REDUCE_ROWS};
  if (o.workgroup > info->max_workgroup) o.workgroup = 256;
  if (p->rows > 1 && (len % 4 || is_small(p))) o.width = 1;
  if (p->rows > 1 && len % 32 && k->kind == KIR_SCAN && has_bit_output(k)) o.width = 1;
  if (k->kind == KIR_MAP) {
    /* Quads of 8 bytes would be stored in two halves, 32 bytes apart from thread to thread:
     * single elements that neighbouring threads hold side by side are faster. */
    if (widest(k) >= 64) o.width = 1;
    if (p->g->tune.width) o.width = (uint32_t)p->g->tune.width;
    o.items = o.width == 1      ? (widest(k) >= 64 ? 2 : 4)
              : widest(k) >= 32 ? 1
              : widest(k) == 16 ? 2
                                : 4;
    if (p->g->tune.items) o.items = (uint32_t)p->g->tune.items;
  }
  /* Positions, in the inputs of views too, are compared and rounded up within 32 bits. */
  int64_t longest = p->rows * p->len * p->inner;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (p->in[i]->count > longest) longest = p->in[i]->count;
  o.wide_index = longest > INT32_MAX - 65536;
  return o;
}

/* ── one pass ── */

typedef struct run {
  plan *p;
  ir *g;
  const gpu_info *info;
  uint64_t out; /* address of the output */
  gpu_buf *out_buf;
} run;

typedef struct pass {
  cg_opts o;
  cg_geom z;
  gpu_buf *from, *to, *carry;
} pass;

enum {
  MAX_SLOTS = CG_SLOT_INPUTS + 3 * KIR_MAX_IN + KIR_MAX_OUT + KIR_MAX_PARAM +
              KIR_MAX_STRIDED * KIR_STRIDED_DIMS * CG_STRIDED_SLOTS
};

static uint64_t param_bits(kty ty, kimm v) {
  uint64_t bits = 0;
  if (ty == KF64) memcpy(&bits, &v.f, 8);
  else if (ty == KF32) {
    float f = (float)v.f;
    memcpy(&bits, &f, 4);
  } else bits = (uint64_t)v.i;
  return bits;
}

static uint32_t arguments(const run *r, const pass *s, uint64_t *a) {
  const plan *p = r->p;
  uint32_t n = CG_SLOT_INPUTS;
  a[CG_SLOT_LEN] = (uint64_t)s->z.len;
  a[CG_SLOT_ROWS] = (uint64_t)s->z.rows;
  a[CG_SLOT_GROUPS] = (uint64_t)s->z.groups;
  a[CG_SLOT_TILES] = (uint64_t)s->z.tiles;
  a[CG_SLOT_INNER] = (uint64_t)s->z.inner;
  a[CG_SLOT_PARTS] = (uint64_t)s->z.parts;
  a[CG_SLOT_PART] = (uint64_t)s->z.part;
  a[CG_SLOT_EACH] = (uint64_t)s->z.each;
  a[CG_SLOT_STEPS] = (uint64_t)s->z.steps;
  a[CG_SLOT_BLOCKS] = (uint64_t)s->z.blocks;
  a[CG_SLOT_FLAGS] = gpu_address(r->g->results);
  a[CG_SLOT_FROM] = s->from ? gpu_address(s->from) : 0;
  a[CG_SLOT_TO] = s->to ? gpu_address(s->to) : 0;
  a[CG_SLOT_CARRY] = s->carry ? gpu_address(s->carry) : 0;
  for (uint32_t i = 0; i < p->k.n_in; i++) {
    a[n++] = gpu_address(p->in[i]->dev);
    a[n++] = (uint64_t)p->at[i].off;
    a[n++] = (uint64_t)p->at[i].step;
  }
  for (uint32_t i = 0; i < p->k.n_out; i++) a[n++] = r->out;
  for (uint32_t i = 0; i < p->k.n_param; i++)
    a[n++] = param_bits((kty)p->k.param[i], p->param[i]);
  for (uint32_t w = 0; w < p->k.n_strided; w++)
    for (uint32_t d = 0; d < p->k.strided[w]; d++, n += CG_STRIDED_SLOTS) {
      const kstrided *strided = &p->strided[w]->strided;
      uint64_t of = d ? (uint64_t)strided->n[d] : 2;
      a[n + CG_STRIDED_STRIDE] = (uint64_t)strided->stride[d];
      a[n + CG_STRIDED_N] = of;
      a[n + CG_STRIDED_MAGIC] = of <= INT32_MAX ? cg_magic(of) : 0;
    }
  return n;
}

static uint32_t uses(const run *r, const pass *s, gpu_use *u) {
  const plan *p = r->p;
  uint32_t n = 0;
  if (!s->o.from_partials || s->o.final)
    for (uint32_t i = 0; i < p->k.n_in; i++) u[n++] = (gpu_use){p->in[i]->dev, false};
  if (s->from) u[n++] = (gpu_use){s->from, false};
  if (s->carry) u[n++] = (gpu_use){s->carry, false};
  if (s->to) u[n++] = (gpu_use){s->to, true};
  if (s->o.final) u[n++] = (gpu_use){r->out_buf, true};
  bool listed = s->o.final && r->out_buf == r->g->results;
  if (p->k.n_fault && !listed) u[n++] = (gpu_use){r->g->results, true};
  return n;
}

/* Elements × instructions; what an element costs besides is worth a few. */
static double work_of(const run *r, const pass *s) {
  const cg_geom *z = &s->z;
  double all = (double)z->rows * (double)z->len * (double)z->inner;
  return all * (s->o.from_partials ? 4 : r->p->k.n_ins + 4);
}

static bool record(run *r, const pass *s) {
  gpu_kernel *kernel = pipeline_get(r->g, &r->p->k, &s->o);
  if (!kernel) return false;
  uint64_t args[MAX_SLOTS];
  gpu_use use[KIR_MAX_IN + 6];
  uint32_t slots = arguments(r, s, args);
  gpu_dispatch d = {.kernel = kernel,
                    .groups = (uint64_t)s->z.groups,
                    .args = args,
                    .arg_bytes = slots * 8,
                    .range_at = CG_SLOT_GROUPS * 8,
                    .work = work_of(r, s),
                    .uses = use,
                    .n_uses = uses(r, s, use)};
  return gpu_record(r->g->dev, &d);
}

/* ── passes ── */

/* Device memory for n accumulators; freed when the plan's kernels are recorded. */
static gpu_buf *scratch(run *r, int64_t n) {
  uint64_t bytes = (uint64_t)n * (uint64_t)cg_acc_bytes(&r->p->k);
  gpu_buf *b = device_alloc(r->g, bytes, NULL);
  if (b && !vec_push(r->g->c, &r->g->scratch, b)) gpu_free(r->g->dev, b), b = NULL;
  return b;
}

/* A pass over rows of `len` elements, or accumulators of an earlier pass. */
static pass pass_over(const run *r, int64_t len, bool partials) {
  pass s = {.o = options(r->p, r->info, len),
            .z = {.rows = r->p->rows, .len = len, .inner = 1}};
  s.o.from_partials = partials;
  s.z.tiles = ceil_div(len, cg_tile(&r->p->k, &s.o));
  s.z.groups = s.z.rows * s.z.tiles;
  return s;
}

/* The only pass of a scan of rows that one tile holds: short rows share a workgroup, and a
 * tile has no more lanes than the row fills. */
static void fit_short_rows(const plan *p, pass *s) {
  cg_geom *z = &s->z;
  if (z->rows > 1 && z->len <= 512) {
    s->o.tile_rows = s->o.row_threads = 1;
    while (s->o.row_threads * 4 < z->len) s->o.row_threads *= 2;
    if (is_small(p)) s->o.row_threads = z->len <= 32 ? 8 : 128;
    z->groups = ceil_div(z->rows, 256 / s->o.row_threads);
  } else if (!(z->rows > 1 && is_small(p)) && z->len <= 4 * KIR_LANES) {
    s->o.tile_rows = z->len <= KIR_LANES ? 1 : 4;
  }
}

/* The next pass of a reduction: of what the kernel reads, or of what `before` left. *after:
 * tiles that are folded when the parts of a tile are. */
static pass reduce_pass(const run *r, const pass *before, int64_t *after) {
  const plan *p = r->p;
  pass s = {.o = options(p, r->info, p->len),
            .z = {.rows = p->rows, .len = p->len, .inner = p->inner}};
  if (before) {
    const cg_geom *b = &before->z;
    bool parts = cg_parts_left(&before->o, b) > 1;
    s.o.from_partials = true;
    s.from = before->to;
    s.z.rows = parts ? b->rows * b->tiles : b->rows;
    s.z.len = parts ? b->parts : b->tiles;
    if (parts)
      *after *= b->tiles; /* one of them is 1: parts are fewer than a tile's lanes */
    else if (b->tiles == 1) s.z.rows /= *after, s.z.len = *after, *after = 1;
  } else *after = 1;
  cg_reduce_pass(&p->k, &s.o, &s.z);
  s.o.final = s.z.tiles == 1 && cg_parts_left(&s.o, &s.z) == 1 && *after == 1;
  return s;
}

static bool run_reduce(run *r) {
  int64_t after;
  for (pass s = reduce_pass(r, NULL, &after);; s = reduce_pass(r, &s, &after)) {
    int64_t left = s.z.rows * s.z.tiles * s.z.inner * cg_parts_left(&s.o, &s.z);
    if (!s.o.final && !(s.to = scratch(r, left))) return false;
    if (!record(r, &s)) return false;
    if (s.o.final) return true;
  }
}

/* Totals of the tiles of a row of `len`, then their inclusive scan: what carries into tiles. */
static gpu_buf *carries(run *r, gpu_buf *from, int64_t len);

/* The inclusive scan of `len` accumulators a row. */
static gpu_buf *scan_partials(run *r, gpu_buf *from, int64_t len) {
  pass s = pass_over(r, len, true);
  s.from = from;
  if (s.z.tiles > 1 && !(s.carry = carries(r, from, len))) return NULL;
  s.o.carry = s.carry != NULL;
  s.to = scratch(r, s.z.rows * len);
  return s.to && record(r, &s) ? s.to : NULL;
}

static gpu_buf *carries(run *r, gpu_buf *from, int64_t len) {
  pass s = pass_over(r, len, from != NULL);
  s.o.totals = true;
  s.from = from;
  s.to = scratch(r, s.z.rows * s.z.tiles);
  if (!s.to || !record(r, &s)) return NULL;
  return scan_partials(r, s.to, s.z.tiles);
}

/* ── scans of columns ── */

static pass column_pass(const run *r, int64_t len, cg_way way, gpu_buf *from) {
  const plan *p = r->p;
  pass s = {.o = options(p, r->info, len),
            .z = {.rows = p->rows, .len = len, .inner = p->inner},
            .from = from};
  s.o.way = way;
  s.o.from_partials = from != NULL;
  if (way == CG_COLUMNS) cg_totals_pass(&p->k, &s.o, &s.z);
  else cg_march_pass(&p->k, &s.o, &s.z);
  return s;
}

/* What carries into the tiles of columns of `len`, all but the first. */
static gpu_buf *column_carries(run *r, gpu_buf *from, int64_t len) {
  pass totals = column_pass(r, len, CG_COLUMNS, from);
  int64_t n = totals.z.tiles, lines = r->p->rows * r->p->inner;
  if (!(totals.to = scratch(r, lines * n)) || !record(r, &totals)) return NULL;
  pass s = column_pass(r, n, CG_MARCH, totals.to);
  if (s.z.tiles > 1 && !(s.carry = column_carries(r, totals.to, n))) return NULL;
  s.o.carry = s.carry != NULL;
  s.to = scratch(r, lines * n);
  return s.to && record(r, &s) ? s.to : NULL;
}

static bool scan_columns(run *r) {
  pass s = column_pass(r, r->p->len, CG_MARCH, NULL);
  s.o.final = true;
  if (s.z.tiles > 1 && !(s.carry = column_carries(r, NULL, s.z.len))) return false;
  s.o.carry = s.carry != NULL;
  if (!cg_march_cuts(&s.z)) return record(r, &s);
  pass groups = column_pass(r, s.z.len, CG_GROUPS, NULL),
       bases = column_pass(r, s.z.len, CG_BASES, NULL);
  groups.to = bases.to = scratch(r, r->p->rows * groups.z.steps * r->p->inner);
  bases.carry = s.carry;
  bases.o.carry = s.o.carry;
  s = column_pass(r, s.z.len, CG_GROUP, NULL);
  s.o.final = s.o.carry = true;
  s.carry = groups.to;
  return groups.to && record(r, &groups) && record(r, &bases) && record(r, &s);
}

static bool run_scan(run *r) {
  if (r->p->inner > 1) return scan_columns(r);
  pass s = pass_over(r, r->p->len, false);
  if (s.z.tiles == 1) fit_short_rows(r->p, &s);
  s.o.final = true;
  if (s.z.tiles > 1 && !(s.carry = carries(r, NULL, s.z.len))) return false;
  s.o.carry = s.carry != NULL;
  return record(r, &s);
}

static bool run_map(run *r) {
  pass s = pass_over(r, r->p->len, false);
  s.o.final = true;
  return record(r, &s);
}

/* ── the plan ── */

/* Is some output's memory shared between workgroups, its elements OR-ed in? */
static bool clear_output(run *r) {
  cg_opts o = pass_over(r, r->p->len, false).o;
  if (r->p->k.kind == KIR_SCAN && r->p->inner > 1)
    o = column_pass(r, r->p->len, CG_MARCH, NULL).o;
  uint64_t bytes =
      (elt_bytes((elt)r->p->root->type, r->p->root->count) + 3) & ~(uint64_t)3;
  uint64_t at = r->out - gpu_address(r->out_buf);
  return !cg_needs_clear(&r->p->k, &o, 0) || gpu_clear(r->g->dev, r->out_buf, at, bytes);
}

/* Records them all; the scratch that they share goes back, for when they have run. */
static bool all_passes(run *r) {
  ir *g = r->g;
  kir_kind kind = r->p->k.kind;
  bool ok = clear_output(r) && (kind == KIR_REDUCE ? run_reduce(r)
                                : kind == KIR_SCAN ? run_scan(r)
                                                   : run_map(r));
  for (size_t i = 0; i < g->scratch.n; i++) gpu_free(g->dev, g->scratch.at[i]);
  g->scratch.n = 0;
  return ok;
}

static bool upload_inputs(plan *p) {
  for (uint32_t i = 0; i < p->k.n_in; i++)
    if (!ir_upload(p->g, p->in[i])) return false;
  return true;
}

/* Reads back the flags and, if the result is single, its element. */
static bool read_back(run *r, uint32_t *flags, bool single) {
  ir *g = r->g;
  arr *root = r->p->root;
  if (!r->p->k.n_fault && !single) return gpu_submit(g->dev);
  unsigned char back[IR_RESULT_BYTES];
  uint64_t from = r->p->k.n_fault ? 0 : IR_RESULT_FLAGS;
  uint64_t to = single ? IR_RESULT_FLAGS + 8 : IR_RESULT_FLAGS;
  if (!gpu_download(g->dev, g->results, from, back + from, to - from)) return false;
  if (r->p->k.n_fault) memcpy(flags, back, IR_RESULT_FLAGS);
  if (!single) return true;
  if (!arr_alloc_host(g->c, root)) return false;
  memcpy(root->host, back + IR_RESULT_FLAGS, elt_bytes((elt)root->type, 1));
  return true;
}

static bool run_plan(plan *p, uint32_t *flags) {
  ir *g = p->g;
  arr *root = p->root;
  bool single = root->count == 1;
  run r = {.p = p, .g = g, .info = gpu_get_info(g->dev)};
  if (!upload_inputs(p)) return false;
  uint64_t bytes = elt_bytes((elt)root->type, root->count);
  if (single) r.out_buf = g->results;
  else if (!(r.out_buf = root->dev = device_alloc(g, bytes, root))) return false;
  r.out = gpu_address(r.out_buf) + (single ? IR_RESULT_FLAGS : 0);
  bool ok = !p->k.n_fault || gpu_clear(g->dev, g->results, 0, IR_RESULT_FLAGS);
  return ok && all_passes(&r) && read_back(&r, flags, single);
}

/* What a run uploads goes to the device with its kernels: where that failed, it may not have
 * arrived. Whatever the device alone had was there before. */
bool device_run(plan *p, uint32_t *flags) {
  bool was_there[KIR_MAX_IN];
  for (uint32_t i = 0; i < p->k.n_in; i++) was_there[i] = p->in[i]->dev;
  p->g->running = p;
  bool ok = run_plan(p, flags);
  p->g->running = NULL;
  for (uint32_t i = 0; i < p->k.n_in && !ok; i++)
    if (!was_there[i]) device_forget(p->g, p->in[i]);
  return ok;
}

bool device_time(plan *p, int repeat, double *ns) {
  ir *g = p->g;
  run r = {.p = p, .g = g, .info = gpu_get_info(g->dev)};
  if (!upload_inputs(p)) return false;
  r.out_buf = gpu_alloc(g->dev, elt_bytes((elt)p->root->type, p->root->count));
  if (!r.out_buf) return false;
  r.out = gpu_address(r.out_buf);
  bool ok = gpu_time_begin(g->dev);
  for (int i = 0; ok && i < repeat; i++) ok = all_passes(&r);
  ok = gpu_time_end(g->dev, ns) && ok;
  gpu_free(g->dev, r.out_buf);
  *ns /= repeat;
  return ok;
}

void device_passes(const plan *p, str *out) {
  run r = {.p = (plan *)p, .g = p->g, .info = gpu_get_info(p->g->dev)};
  int64_t after;
  bool reduce = p->k.kind == KIR_REDUCE;
  bool columns = p->k.kind == KIR_SCAN && p->inner > 1;
  pass first = reduce    ? reduce_pass(&r, NULL, &after)
               : columns ? column_pass(&r, p->len, CG_MARCH, NULL)
                         : pass_over(&r, p->len, false);
  pass s = first;
  int n = 1;
  if (columns && cg_march_cuts(&first.z))
    first = column_pass(&r, p->len, CG_GROUP, NULL), n = 3;
  for (; reduce && !s.o.final; n++) s = reduce_pass(&r, &s, &after);
  for (int64_t t = s.z.tiles; p->k.kind == KIR_SCAN && t > 1; n += 2)
    t = pass_over(&r, t, true).z.tiles;
  if (n == 1 && p->k.kind == KIR_SCAN && !columns) fit_short_rows(p, &first);
  show_count(out, (uint64_t)n, "pass", "es");
  str_puts(out, ", ");
  show_count(out, (uint64_t)first.z.groups, "workgroup", "s");
  str_printf(out, " of %u, loads of %u, subgroup %u", first.o.workgroup, first.o.width,
             first.o.subgroup);
}
