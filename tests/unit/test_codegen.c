/* SPDX-License-Identifier: MIT */
/* test_codegen.c - KIR to SPIR-V: every module is validated by spirv-val (if it is there) and
 * run on a Vulkan device (if there is one: the first CPU device, lavapipe); outputs and flags
 * are compared with kir_ref.h, which takes kir.h at its word, one element at a time. The
 * passes of folds are recorded by a small planner here.
 *
 * A kernel made for subgroups of 4 or 8 also runs where they are wider, so that the ways for
 * small subgroups are all run, and on a GPU those for 16 and 32 too. VAPL_TEST_DEVICE names
 * another device. Every fourth kernel that could is made of pairs of words besides, as for a device
 * without 64-bit integers; on such a device all are, and those of f64 are left out. */
#include "src/base/arith.h"
#include "src/kir/folds.h"
#include "src/codegen/template.h"
#include "src/ir/plan.h"
#include "src/vk/gpu.h"
#include "src/base/hash.h"
#include "src/base/mem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kir_ref.h"
#include "loop_kernels.h"

typedef struct flags {
  uint32_t word[2 * KIR_MAX_FAULT];
} flags; /* as in kir_bind */

static ctx c;
static gpu *dev; /* NULL: nothing runs, modules are only validated */
static bool have_val;
static uint32_t native = 8; /* the device's subgroups */

/* ── arrays in memory ───────────────────────────────────────────────────────────────── */

static ref_val of_int(int64_t i) { return (ref_val){.i = i}; }
static ref_val of_double(kty t, double d) {
  return t == KF32 ? (ref_val){.f = (float)d} : (ref_val){.d = d};
}
static void write_element(elt t, void *p, int64_t i, ref_val v) {
  ref_store(t, p, i, kir_arg_type(t), v);
}

static uint64_t seed = 88172645463325252ull;
static uint64_t random64(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}

/* Data of a type. mode 0: anything, extremes, NaN, infinities; 1: small whole numbers;
 * 2: fractions; 3: mostly 1, now and then 2 (products stay small) */
static ref_val sample(elt t, int mode) {
  static const double odd[] = {0.0,    -0.0,   INFINITY, -INFINITY, NAN, 1e300,
                               -1e300, 1e-300, 0.5,      1.5,       2.5, -2.5};
  uint64_t r = random64();
  kty ty = kir_arg_type(t);
  if (ty == KB) return of_int(r >> 20 & 1);
  if (mode == 3)
    return kty_is_float(ty) ? of_double(ty, 1 + (double)(r >> 50) / 65536 - 0.06)
                            : of_int(r % 999 == 0 ? -2 : 1);
  if (kty_is_float(ty)) {
    double d = ((double)(int64_t)r) * 0x1p-50;
    if (mode == 1) return of_double(ty, (double)(int64_t)(r % 201) - 100);
    if (mode == 2) return of_double(ty, d);
    if (r % 5 == 0) return of_double(ty, odd[r / 5 % 12]);
    if (ty == KF32) d = (double)(float)d * ldexp(1, (int)(r >> 9 & 63) - 32);
    else d = d * ldexp(1, (int)(r >> 9 & 1023) - 512);
    return of_double(ty, d);
  }
  if (mode) return of_int(elt_is_char(t) ? (int64_t)(r % 100) : (int64_t)(r % 201) - 100);
  if (r % 7 == 0) return of_int((int64_t)(r >> 8 & 1) - (int64_t)(r >> 9 & 1));
  if (r % 7 == 1)
    return of_int(t == ET_I64   ? (r >> 8 & 1 ? INT64_MAX : INT64_MIN)
                  : t == ET_I32 ? (r >> 8 & 1 ? INT32_MAX : INT32_MIN)
                                : 0);
  int64_t v = (int64_t)(r >> 3) >> (random64() % 48);
  switch (t) { /* as it will be read back */
  case ET_I8: return of_int((int8_t)v);
  case ET_C8: return of_int((uint8_t)v);
  case ET_I16: return of_int((int16_t)v);
  case ET_C16: return of_int((uint16_t)v);
  case ET_I64: return of_int(v);
  default: return of_int((int32_t)v);
  }
}

static size_t padded(elt t, int64_t n) { return (elt_bytes(t, n) + 4 + 3) / 4 * 4; }

static void *make_data(elt t, int64_t n, int mode) {
  uint8_t *p = calloc(1, padded(t, n));
  for (int64_t i = 0; i < n; i++) write_element(t, p, i, sample(t, mode));
  return p;
}

/* ── running it on the device: a small planner ──────────────────────────────────────── */

/* What a test asks of the passes; else they are as cg_task_passes has them. */
typedef struct shape {
  uint32_t subgroup;
  uint32_t width; /* 1: of every load; 4: where it may be */
  uint32_t items; /* of a MAP; quads of a scan of columns */
  bool wide_index, exact_div;
  bool ahead;                /* a scan of long rows is one pass, if the device can */
  bool narrow;               /* no workgroup has more than 256 threads */
  uint32_t starve, patience; /* of a scan that looks ahead */
  uint32_t super;            /* of a scan: tiles of a super-tile; 0: as the tree has it */
  uint32_t loop_steps;       /* of an element; 0: plenty */
  bool tiles;                /* a reduction is made of whole tiles */
  bool small;                /* a reduction is planned as a small one */
  bool uncut;                /* by cut_work */
  bool finish;               /* the last workgroup folds the tiles of a whole array */
  bool soft;                 /* f64 in integers */
  bool words;                /* 64-bit integers in pairs of words */
  bool group; /* exact monoids by the subgroup instructions that there are */
  /* A reduction's first pass is made by this cg_template; 0: by the first choice. */
  uint32_t by;
} shape;
static const shape usual = {.subgroup = 8, .width = 4, .items = 2};

static void validate(const cg_module *m) {
  if (!have_val) return;
  FILE *p = popen("spirv-val --target-env vulkan1.2 -", "w");
  assert_non_null(p);
  fwrite(m->words, 4, m->n, p);
  if (pclose(p)) {
    FILE *d = fopen("build/vapl_bad.spv", "wb");
    if (d) fwrite(m->words, 4, m->n, d), fclose(d);
    fail_msg("spirv-val refuses a module (kept in build/vapl_bad.spv)");
  }
}

static uint64_t seen[4096];
static size_t n_seen;

static cg_module emit(const kir *k, const cg_opts *o) {
  cg_module m;
  assert_true(kir_check(k));
  if (!cg_emit(&c, k, o, &m)) fail_msg("cg_emit: %s", c.err.msg);
  uint64_t h = hash_bytes(m.words, m.n * 4, 0);
  for (size_t i = 0; i < n_seen; i++)
    if (seen[i] == h) return m;
  if (n_seen < ARRAY_LEN(seen)) seen[n_seen++] = h;
  validate(&m);
  return m;
}

typedef struct run {
  const kir *k;
  const kir_bind *b;
  shape s;
  cg_opts common;
  gpu_buf *in[KIR_MAX_IN], *out[KIR_MAX_OUT], *flag, *counter;
} run;

/* The instructions of the device that runs a kernel for `subgroup` threads; all of them
 * where it is validated alone. */
static uint32_t group_of(uint32_t subgroup) {
  const gpu_info *info = dev ? gpu_get_info(dev) : NULL;
  uint32_t has = 0;
  if (!info || info->clustered || subgroup > native) has |= CG_GROUP_CLUSTERED;
  if (subgroup > 32) return has;
  if (!info || (info->arithmetic && subgroup == native) || subgroup > native)
    has |= CG_GROUP_WHOLE;
  return has;
}

static cg_opts common_options(const kir *k, const shape *s) {
  cg_opts o;
  memset(&o, 0, sizeof o);
  o.subgroup = s->subgroup;
  o.workgroup = k->kind == KIR_MAP ? 64 : CG_WORKGROUP;
  if (s->group) o.group = group_of(s->subgroup);
  o.wide_index = s->wide_index;
  o.float64 = !s->soft && !s->words;
  o.words = s->words;
  if (!s->exact_div) o.native = CG_NATIVE_DIV;
  if (k->n_loop) o.loop_steps = s->loop_steps ? s->loop_steps : 1 << 20;
  const gpu_info *info = dev ? gpu_get_info(dev) : NULL;
  o.keeps32 = !info || info->preserve32 ? CG_KEEPS_SPECIAL : 0;
  o.keeps64 = !info || info->preserve64 ? CG_KEEPS_SPECIAL : 0;
  if (!info || info->subnormal32) o.keeps32 |= CG_KEEPS_SUBNORMAL;
  if (!info || info->subnormal64) o.keeps64 |= CG_KEEPS_SUBNORMAL;
  return o;
}

static bool looks_ahead(const shape *s) {
  return s->ahead && !s->words && (!dev || gpu_get_info(dev)->atomic_i64);
}

static int64_t columns_of(const run *r) {
  for (uint32_t i = 0; i < r->k->n_in; i++)
    if (r->k->in[i].view == KV_NEAR) return dev ? r->b->in[i].offset : 64;
  return 0;
}

static const cg_choice *choice(void) {
  static cg_choice r;
  r = cg_choose(&(cg_device){.cpu = true, .shared = 32 << 10}, 0);
  return &r;
}

static cg_task task_of(const run *r, cg_task_kind kind, int64_t len, bool from_partials) {
  return (cg_task){.k = r->k,
                   .kind = kind,
                   .from_partials = from_partials,
                   .small = r->s.small,
                   .strided = r->k->n_strided ? &r->b->strided[0] : NULL,
                   .rows = r->b->rows,
                   .places = r->k->out[0].put ? r->b->out[0].count : 0,
                   .columns = columns_of(r),
                   .len = len,
                   .inner = r->b->inner,
                   .common = &r->common,
                   .choice = choice(),
                   .map_width = r->s.width,
                   .map_items = r->s.items,
                   .finish_tiles = r->s.finish ? KIR_LANES : 0,
                   .most_threads = r->s.narrow ? 256 : 1024,
                   .resident = looks_ahead(&r->s) ? 3 : 0,
                   .patience = r->s.patience ? r->s.patience : 500,
                   .starve = r->s.starve,
                   .super = r->s.super};
}

static uint64_t address(gpu_buf *b) { return b ? gpu_address(b) : 0; }

/* The accumulators that a pass reads, leaves, carries; NULL: none. */
typedef struct buffers {
  gpu_buf *from, *to, *carry;
} buffers;

enum { TAG = 77 }; /* of the words that workgroups publish */

/* One pass; with nothing to leave accumulators in it is the final one. */
static void pass(run *r, const cg_pass *p, buffers at) {
  const kir *k = r->k;
  cg_opts o = p->o;
  const cg_geom *z = &p->geom;
  uint64_t a[CG_SLOT_INPUTS + 3 * KIR_MAX_IN + KIR_MAX_OUT + KIR_MAX_PARAM +
             KIR_MAX_STRIDED * KIR_STRIDED_DIMS * CG_STRIDED_SLOTS] = {0};
  bool finish = o.template == CG_REDUCE_TILE && o.reduce_tile.finish;
  bool ahead = o.template == CG_SCAN_TILE && o.scan_tile.prefix == SCAN_AHEAD;
  o.final = !at.to || finish;
  const uint64_t head[CG_SLOT_OWN] = {(uint64_t)z->len,
                                      (uint64_t)z->rows,
                                      (uint64_t)z->workgroups,
                                      (uint64_t)z->tiles,
                                      address(r->flag),
                                      address(at.from),
                                      address(at.to),
                                      address(at.carry),
                                      (uint64_t)z->inner,
                                      address(r->counter),
                                      TAG};
  memcpy(a, head, sizeof head);
  memcpy(a + CG_SLOT_OWN, z->own, sizeof z->own);
  gpu_use use[KIR_MAX_IN + KIR_MAX_OUT + 5];
  uint32_t s = CG_SLOT_INPUTS, n = 0;
  for (uint32_t i = 0; i < k->n_in; i++) {
    a[s++] = address(r->in[i]);
    a[s++] = (uint64_t)r->b->in[i].offset;
    a[s++] = (uint64_t)r->b->in[i].step;
    use[n++] = (gpu_use){r->in[i], false};
  }
  for (uint32_t i = 0; i < k->n_out; i++) {
    a[s++] = address(r->out[i]);
    use[n++] = (gpu_use){r->out[i], true};
  }
  for (uint32_t i = 0; i < k->n_param; i++) {
    a[s++] = (uint64_t)r->b->param[i].i;
    float f = (float)r->b->param[i].f;
    if (k->param[i] != KF32) continue;
    a[s - 1] = 0;
    memcpy(&a[s - 1], &f, 4);
  }
  for (uint32_t w = 0; w < k->n_strided; w++)
    for (uint32_t d = 0; d < k->strided[w]; d++, s += CG_STRIDED_SLOTS) {
      a[s + CG_STRIDED_STRIDE] = (uint64_t)r->b->strided[w].stride[d];
      a[s + CG_STRIDED_N] = (uint64_t)r->b->strided[w].n[d];
      a[s + CG_STRIDED_MAGIC] = d ? cg_magic((uint64_t)r->b->strided[w].n[d]) : 0;
    }
  use[n++] = (gpu_use){r->flag, true};
  if (r->counter) use[n++] = (gpu_use){r->counter, true};
  if (at.from) use[n++] = (gpu_use){at.from, false};
  if (at.to) use[n++] = (gpu_use){at.to, true};
  if (at.carry) use[n++] = (gpu_use){at.carry, ahead};
  assert_int_equal(s, cg_arg_slots(k));
  cg_module m = emit(k, &o);
  gpu_kernel *kernel = gpu_kernel_get(dev, m.words, m.n, native, "test");
  mem_free(&c, m.words);
  if (!kernel) fail_msg("pipeline: %s", c.err.msg);
  gpu_dispatch d = {kernel,
                    (uint64_t)z->workgroups,
                    a,
                    s * 8,
                    use,
                    n,
                    r->s.uncut ? 0 : (double)z->workgroups,
                    ahead ? 0 : CG_SLOT_GROUPS * 8,
                    k->n_loop > 0};
  assert_true(gpu_record(dev, &d));
}

static gpu_buf *partials(run *r, int64_t n) {
  gpu_buf *p = gpu_alloc(dev, (uint64_t)(n * cg_acc_bytes(r->k)));
  assert_non_null(p);
  return p;
}

/* Zeroes the outputs that the pass ORs its elements into. */
static void clear_outputs(run *r, const cg_pass *p) {
  for (uint32_t n = 0; n < r->k->n_out; n++)
    if (cg_needs_clear(r->k, &p->o, n))
      gpu_clear(dev, r->out[n], 0, gpu_bytes(r->out[n]) / 4 * 4);
}

static void map_pass(run *r) {
  cg_task t = task_of(r, CG_TASK_MAP, r->b->len, false);
  cg_passes p;
  cg_task_passes(&t, &p);
  clear_outputs(r, &p.at[0]);
  pass(r, &p.at[0], (buffers){NULL, NULL, NULL});
}

/* A reduction's next pass, by whole tiles if the shape has it so. */
static cg_pass *plan_fold(const run *r, const cg_task *t, cg_passes *p) {
  cg_pass *s = &p->at[0];
  if (r->s.by && !t->from_partials) {
    cg_task_passes_by((cg_template)r->s.by, t, p);
    return s;
  }
  if (r->s.tiles) {
    cg_task_passes_by(CG_REDUCE_TILE, t, p);
    s->o.reduce_tile.tile_rows = KIR_REDUCE_ROWS;
  } else {
    cg_task_passes(t, p);
  }
  bool narrow = s->o.template == CG_REDUCE_SHARED || t->rows == 1 || r->s.tiles;
  if (r->s.width == 1 && narrow) s->o.width = 1;
  return s;
}

static int64_t longest, strip_tiles; /* of segments */

static void reduce_passes(run *r) {
  cg_task t = task_of(r, CG_TASK_FOLD, r->b->len, false);
  if (r->k->segments) t.longest = longest;
  gpu_buf *from = NULL;
  for (int64_t after = 1;;) {
    cg_passes p;
    cg_pass *s = plan_fold(r, &t, &p);
    gpu_buf *to = NULL;
    bool final = p.tiles == 1 && p.parts == 1 && after == 1;
    if (final) clear_outputs(r, s);
    if (p.own[0]) to = partials(r, p.own[0]);
    else if (!final) to = partials(r, t.rows * p.tiles * p.parts * t.inner);
    pass(r, s, (buffers){from, to, NULL});
    gpu_free(dev, from);
    if (final) gpu_free(dev, to);
    if (final) return;
    from = to;
    t.from_partials = true;
    if (p.parts > 1) {
      after *= p.tiles;
      t.rows *= p.tiles;
      t.len = p.parts;
    } else if (p.tiles == 1) {
      t.rows /= after;
      t.len = after;
      after = 1;
    } else {
      t.len = p.tiles;
    }
  }
}

/* Small arrays have one width and few quads; here they have all. */
static void vary_columns(const run *r, cg_pass *s) {
  scan_columns_geom *z = &s->geom.scan_columns;
  scan_phase phase = (scan_phase)s->o.scan_columns.phase;
  if (r->s.items) s->o.scan_columns.quads = r->s.items;
  bool reads = phase == SCAN_STRIP_TOTALS || phase == SCAN_STRIPS;
  bool four = r->s.width != 1 && s->geom.inner % 4 == 0 && cg_acc_bytes(r->k) <= 8;
  if (reads && four) s->o.width = 4;
  int64_t columns = s->geom.rows * s->geom.inner / s->o.width;
  z->blocks = ceil_div(columns, INT64_C(1) << z->across_log2);
  s->geom.workgroups = z->blocks * ceil_div(z->pieces, CG_WORKGROUP >> z->across_log2);
}

static void plan_scan(const run *r, const cg_task *t, cg_passes *p) {
  cg_task_passes(t, p);
  for (uint32_t i = 0; i < p->n; i++) {
    if (r->s.width == 1) p->at[i].o.width = 1;
    if (p->at[i].o.template == CG_SCAN_COLUMNS) vary_columns(r, &p->at[i]);
  }
}

static gpu_buf *own_buffer(gpu_buf *const *own, cg_buffer which) {
  return which >= CG_OWN ? own[which - CG_OWN] : NULL;
}

/* Of a task that is the whole kernel. */
static void whole_passes(run *r, cg_task_kind kind) {
  cg_task t = task_of(r, kind, r->b->len, false);
  cg_passes p;
  if (r->k->segments) {
    t.len = longest;
    t.strip_tiles = strip_tiles;
  }
  plan_scan(r, &t, &p);
  gpu_buf *own[CG_OWNS] = {NULL}, *words = NULL;
  for (int i = 0; i < CG_OWNS; i++)
    if (p.own[i]) own[i] = partials(r, p.own[i]);
  if (p.clears) assert_true(gpu_clear(dev, own[0], 0, gpu_bytes(own[0]) / 4 * 4));
  if (p.words) {
    words = gpu_alloc(dev, (uint64_t)p.words * 8);
    assert_non_null(words);
    assert_true(gpu_clear(dev, words, 0, (uint64_t)p.words * 8));
  }
  clear_outputs(r, &p.at[p.n - 1]);
  for (uint32_t i = 0; i < p.n; i++) {
    const cg_pass *s = &p.at[i];
    buffers at = {own_buffer(own, s->from), own_buffer(own, s->to),
                  own_buffer(own, s->carry)};
    if (words) at.carry = words;
    pass(r, s, at);
  }
  for (int i = 0; i < CG_OWNS; i++) gpu_free(dev, own[i]);
  gpu_free(dev, words);
}

static gpu_buf *upload(const void *p, size_t n) {
  gpu_buf *b = gpu_alloc(dev, n);
  assert_non_null(b);
  if (p) assert_true(gpu_upload(dev, b, 0, p, n));
  return b;
}

/* out: what the device wrote; the outputs begin as ones, to show what is not written. */
static void device_run(const kir *k, const kir_bind *b, shape s, const size_t *in_bytes,
                       const size_t *out_bytes, void *const *out, flags *f) {
  run r = {.k = k, .b = b, .s = s, .common = common_options(k, &s)};
  *f = (flags){{0}};
  for (uint32_t i = 0; i < k->n_in; i++) r.in[i] = upload(b->in[i].host, in_bytes[i]);
  for (uint32_t i = 0; i < k->n_out; i++) {
    if (!k->out[i].kept) memset(out[i], 0xff, out_bytes[i]);
    r.out[i] = upload(out[i], out_bytes[i]);
  }
  r.flag = upload(f->word, sizeof f->word);
  uint64_t counter = 0; /* two u32 */
  r.counter = upload(&counter, sizeof counter);
  if (k->kind == KIR_MAP) map_pass(&r);
  else if (k->kind == KIR_REDUCE) reduce_passes(&r);
  else if (k->kind == KIR_SCAN) whole_passes(&r, CG_TASK_SCAN);
  else if (k->kind == KIR_ROWS) whole_passes(&r, CG_TASK_ROWS);
  else whole_passes(&r, CG_TASK_ORDER);
  for (uint32_t i = 0; i < k->n_out; i++)
    assert_true(gpu_download(dev, r.out[i], 0, out[i], out_bytes[i]));
  assert_true(gpu_download(dev, r.flag, 0, f->word, sizeof f->word));
  assert_true(gpu_download(dev, r.counter, 0, &counter, sizeof counter));
  assert_int_equal(counter, 0); /* as the next dispatch needs it */
  for (uint32_t i = 0; i < k->n_in; i++) gpu_free(dev, r.in[i]);
  for (uint32_t i = 0; i < k->n_out; i++) gpu_free(dev, r.out[i]);
  gpu_free(dev, r.flag);
  gpu_free(dev, r.counter);
}

/* Every pass of a task, as it stores accumulators and as it ends the kernel. */
static void emit_task(const run *r, const cg_task *t) {
  cg_passes p;
  if (t->kind == CG_TASK_SCAN) plan_scan(r, t, &p);
  else if (t->kind >= CG_TASK_ORDER) cg_task_passes(t, &p);
  else if (t->kind == CG_TASK_FOLD) plan_fold(r, t, &p);
  else cg_task_passes(t, &p);
  for (uint32_t i = 0; i < p.n; i++)
    for (int final = 0; final < 2; final++) {
      cg_opts o = p.at[i].o;
      o.final = final;
      bool finish = o.template == CG_REDUCE_TILE && o.reduce_tile.finish;
      if (finish && !final) continue;
      if (!final && t->kind >= CG_TASK_SCAN && p.at[i].to < CG_OWN) continue;
      if (final && p.at[i].to != CG_RESULT && !finish) continue;
      mem_free(&c, emit(r->k, &o).words);
    }
}

/* Without a device: validates passes over lines of all kinds. */
static void emit_all(const kir *k, shape s) {
  static const int64_t dims[][3] = {{1, 100000, 1}, {5000, 3, 1},   {500, 100, 1},
                                    {500, 1500, 1}, {4000, 9, 3},   {2, 100000, 3},
                                    {1, 5, 10000},  {1, 300, 5000}, {3, 9000, 64}};
  static const cg_task_kind steps[] = {CG_TASK_MAP, CG_TASK_FOLD, CG_TASK_SCAN,
                                       CG_TASK_ORDER, CG_TASK_ROWS};
  for (size_t d = 0; d < ARRAY_LEN(dims); d++)
    for (int i = 0; i < 4; i++) {
      bool partials_too = i & 1;
      kir_bind b = {.rows = dims[d][0], .inner = dims[d][2]};
      run r = {.k = k, .b = &b, .s = s, .common = common_options(k, &s)};
      cg_task t = task_of(&r, steps[k->kind], dims[d][1], partials_too);
      if ((k->kind == KIR_MAP || k->kind >= KIR_ORDER) && b.inner > 1) continue;
      if (k->kind == KIR_ROWS && dims[d][1] > ROWS_MOST) continue;
      if (k->kind != KIR_REDUCE && partials_too) continue;
      emit_task(&r, &t);
    }
}

static void show(const kir *k, shape s, const kir_bind *b) {
  str t = {.c = &c};
  kir_dump(k, &t);
  printf("%s  rows %lld len %lld inner %lld subgroup %u width %u ahead %d "
         "wide_index %d\n",
         t.at ? t.at : "", (long long)b->rows, (long long)b->len, (long long)b->inner,
         s.subgroup, s.width, s.ahead, s.wide_index);
  str_free(&t);
}

static void compare(const kir *k, shape s, const kir_bind *b, uint32_t o, const void *got,
                    int64_t n) {
  elt t = (elt)k->out[o].type;
  kty ty = kir_arg_type(t);
  int64_t i = ref_differs(t, b->out[o].host, got, n);
  if (i < 0) return;
  ref_val w = ref_load(t, b->out[o].host, i), g = ref_load(t, got, i);
  show(k, s, b);
  if (ty == KF32) w.d = (double)w.f, g.d = (double)g.f;
  if (kty_is_float(ty))
    fail_msg("output %u [%lld]: want %a got %a", o, (long long)i, w.d, g.d);
  fail_msg("output %u [%lld]: want %lld got %lld", o, (long long)i, (long long)w.i,
           (long long)g.i);
}

/* Is it for devices without 64-bit integers, which have no f64 and no 64-bit atomics? */
static bool fits_words(const kir *k) {
  const kir *inner;
  for (uint32_t i = 0; i < k->n_ins; i++)
    if (k->ins[i].ty == KF64) return false;
  for (uint32_t i = 0; i < k->n_in; i++)
    if (k->in[i].type == ET_F64) return false;
  for (uint32_t i = 0; i < k->n_param; i++)
    if (k->param[i] == KF64) return false;
  for (uint32_t i = 0; i < k->n_out; i++)
    if (k->out[i].put == KPUT_JOIN && k->out[i].type == ET_I64) return false;
  for (uint32_t i = 0; (inner = kir_inner(k, i)); i++)
    if (!fits_words(inner)) return false;
  return true;
}

static void check_as(const kir *k, kir_bind b, shape s, const int64_t *in_n) {
  size_t in_bytes[KIR_MAX_IN], out_bytes[KIR_MAX_OUT];
  void *out[KIR_MAX_OUT];
  flags want = {{0}}, got;
  if (s.subgroup > native) s.subgroup = native;
  int64_t all = b.rows * b.len * b.inner,
          n = k->kind == KIR_REDUCE ? b.rows * b.inner : all;
  if (k->kind == KIR_SCAN && k->segments) n = b.len;
  if (k->kind == KIR_SCAN && k->out[0].put) n = b.out[0].count;
  for (uint32_t i = 0; i < k->n_in; i++)
    in_bytes[i] = padded((elt)k->in[i].type, in_n ? in_n[i] : all);
  for (uint32_t i = 0; i < k->n_out; i++) {
    if (k->out[i].kept) n = b.out[i].count;
    out_bytes[i] = padded((elt)k->out[i].type, n);
    out[i] = malloc(out_bytes[i]);
    b.out[i].host = calloc(1, out_bytes[i]);
    for (int64_t j = 0; k->out[i].kept && j < n; j++)
      write_element((elt)k->out[i].type, b.out[i].host, j,
                    of_int(k->out[i].put == KPUT_INSERT ? -1 : j % 5));
    memcpy(out[i], b.out[i].host, out_bytes[i]);
  }
  b.flags = want.word;
  ref_super = s.super ? s.super : KIR_SCAN_SUPER;
  ref_run(k, &b);
  device_run(k, &b, s, in_bytes, out_bytes, out, &got);
  for (uint32_t o = 0; o < k->n_out; o++) {
    compare(k, s, &b, o, out[o], n);
    free(out[o]);
    free(b.out[o].host);
  }
  for (uint32_t i = 0; i < 2 * k->n_fault; i++)
    if (got.word[i] != want.word[i]) {
      show(k, s, &b);
      fail_msg("slot %u %s: want %u, got %u", i / 2, i % 2 ? "escape" : "error",
               want.word[i], got.word[i]);
    }
}

/* As for a device without 64-bit integers. */
static void check_words(const kir *k, kir_bind b, shape s) {
  s.words = true;
  s.ahead = false;
  if (dev) check_as(k, b, s, NULL);
  else emit_all(k, s);
}

/* Runs k on both and compares everything; in_n: elements of the inputs, NULL: rows × len. */
static void check(const kir *k, kir_bind b, shape s, const int64_t *in_n) {
  static uint32_t turn;
  bool fits = fits_words(k), all = getenv("VAPL_TEST_ALL");
  bool has = !dev || gpu_get_info(dev)->int64;
  if (!dev) emit_all(k, s);
  else if (has) check_as(k, b, s, in_n);
  if (!fits || (has && !all && turn++ % 4)) return;
  s.words = true;
  s.ahead = false;
  if (dev) check_as(k, b, s, in_n);
  else emit_all(k, s);
}

/* ── building kernels ───────────────────────────────────────────────────────────────── */

static kv add(kir *k, kop op, kty t, kv a, kv b, int64_t imm) {
  return kir_add(
      &c, k, (kins){.op = (uint8_t)op, .ty = (uint8_t)t, .a = a, .b = b, .imm.i = imm});
}
static kv add3(kir *k, kop op, kty t, kv a, kv b, kv d, int64_t imm) {
  return kir_add(
      &c, k,
      (kins){.op = (uint8_t)op, .ty = (uint8_t)t, .a = a, .b = b, .c = d, .imm.i = imm});
}
static kv arg(kir *k, elt t, kview how, kty ty) {
  k->in[k->n_in] = (kin){(uint8_t)t, (uint8_t)how};
  return add(k, KOP_ARG, ty, 0, 0, k->n_in++);
}
static void put(kir *k, kv v, elt t) {
  k->out[k->n_out++] = (kout){.value = v, .type = (uint8_t)t};
}
static elt elt_of(kty t) {
  static const elt e[KTY_COUNT] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  return e[t];
}
static void end(kir *k) { kir_free(&c, k); }

/* Fills the inputs with data of a mode, checks, frees. */
static void try_lines(const kir *k, int64_t rows, int64_t len, int64_t inner, shape s,
                      int mode) {
  kir_bind b = {.rows = rows, .len = len, .inner = inner};
  void *data[KIR_MAX_IN];
  int64_t n[KIR_MAX_IN];
  for (uint32_t i = 0; i < k->n_in; i++) {
    n[i] = rows * len * inner;
    if (k->in[i].view == KV_STEP)
      n[i] = 3 * len + 7, b.in[i].offset = i % 2 ? 3 * len + 2 : 5,
      b.in[i].step = i % 2 ? -3 : 3;
    if (k->in[i].view >= KV_STRIDED) {
      b.strided[k->in[i].view - KV_STRIDED] = (kstrided){{0, 3, 2, 19}, {7, -2, 0, 31}};
      b.in[i].step = 1;
      n[i] = ref_strided_fit(k, &b, i, n[i]);
    }
    data[i] = make_data((elt)k->in[i].type, n[i], mode);
    b.in[i].host = data[i];
  }
  for (uint32_t i = 0; i < k->n_param; i++)
    if (kty_is_float(k->param[i])) b.param[i].f = 2.5;
    else b.param[i].i = k->param[i] == KB ? 1 : -3;
  check(k, b, s, n);
  for (uint32_t i = 0; i < k->n_in; i++) free(data[i]);
}

static void try_kernel(const kir *k, int64_t rows, int64_t len, shape s, int mode) {
  try_lines(k, rows, len, 1, s, mode);
}

/* ── element operations ─────────────────────────────────────────────────────────────── */

static const shape shapes[] = {
    /* each way of loading, storing and combining */
    {.subgroup = 8, .width = 4, .items = 2},
    {.subgroup = 4, .width = 4, .items = 1},
    {.subgroup = 8, .width = 1, .items = 3, .exact_div = true},
    {.subgroup = 4, .width = 1, .items = 1, .wide_index = true},
};

static void ops_kernel(kty t, const kop *ops, size_t n, bool compare) {
  kir k = {.kind = KIR_MAP};
  elt e = elt_of(t);
  kv x = arg(&k, e, KV_FLAT, t), y = arg(&k, e, KV_FLAT, t);
  for (size_t i = 0; i < n; i++) {
    kv v =
        add(&k, ops[i], compare ? KB : t, x, kop_table[ops[i]].operands > 1 ? y : 0, 0);
    put(&k, v, compare ? ET_BIT : e);
  }
  for (size_t i = 0; i < ARRAY_LEN(shapes); i++) try_kernel(&k, 1, 1003, shapes[i], 0);
  end(&k);
}

static void test_arithmetic(void **state) {
  static const kop both[] = {KOP_ADD, KOP_SUB, KOP_MUL, KOP_NEG,
                             KOP_ABS, KOP_MIN, KOP_MAX};
  static const kop ints[] = {KOP_QUOT, KOP_AND, KOP_OR, KOP_XOR, KOP_NOT};
  static const kop floats[] = {KOP_DIV, KOP_SQRT, KOP_FLOOR, KOP_RINT};
  UNUSED(state);
  for (kty t = KI32; t < KTY_COUNT; t++) {
    ops_kernel(t, both, ARRAY_LEN(both), false);
    if (kty_is_int(t)) ops_kernel(t, ints, ARRAY_LEN(ints), false);
    else ops_kernel(t, floats, ARRAY_LEN(floats), false);
  }
  ops_kernel(KB, ints + 1, 4, false);
}

/* Divisors -3 … 296, so also 0 and -1, of any number and of the least one. */
static void test_quotients(void **state) {
  UNUSED(state);
  for (kty t = KI32; t <= KI64; t++) {
    int64_t least = t == KI32 ? INT32_MIN : INT64_MIN;
    kir k = {.kind = KIR_MAP};
    kv x = arg(&k, elt_of(t), KV_FLAT, t), i = add(&k, KOP_IOTA, t, 0, 0, 0);
    kv y = add(&k, KOP_SUB, t, i, add(&k, KOP_CONST, t, 0, 0, 3), 0);
    put(&k, add(&k, KOP_QUOT, t, x, y, 0), elt_of(t));
    put(&k, add(&k, KOP_QUOT, t, add(&k, KOP_CONST, t, 0, 0, least), y, 0), elt_of(t));
    for (size_t s = 0; s < ARRAY_LEN(shapes); s++) try_kernel(&k, 1, 300, shapes[s], 0);
    end(&k);
  }
}

static void test_compare(void **state) {
  static const kop ops[] = {KOP_EQ, KOP_NE, KOP_LT, KOP_LE, KOP_GT, KOP_GE};
  UNUSED(state);
  for (kty t = KB; t < KTY_COUNT; t++) ops_kernel(t, ops, ARRAY_LEN(ops), true);
}

/* A widened integer against a constant: Mesa 22.3 had its own idea of that. */
static void test_compare_widened(void **state) {
  UNUSED(state);
  for (int t = ET_BIT; t <= ET_I32; t++) {
    kir k = {.kind = KIR_MAP};
    kv x = arg(&k, (elt)t, KV_FLAT, KI64), y = add(&k, KOP_CONST, KI64, 0, 0, 7);
    for (kop op = KOP_EQ; op <= KOP_GE; op++) put(&k, add(&k, op, KB, x, y, 0), ET_BIT);
    put(&k, add(&k, KOP_ABS, KI64, x, 0, 0), ET_I64);
    try_kernel(&k, 1, 300, usual, 1);
    end(&k);
  }
}

static void test_shift_select(void **state) {
  UNUSED(state);
  for (kty t = KI32; t <= KI64; t++)
    for (int64_t by = 0; by < 64; by += 21) {
      if (t == KI32 && by > 31) continue;
      kir k = {.kind = KIR_MAP, .n_param = 2, .param = {KB, (uint8_t)t}};
      kv x = arg(&k, elt_of(t), KV_FLAT, t), p = add(&k, KOP_PARAM, t, 0, 0, 1);
      kv l = add(&k, KOP_SHL, t, x, 0, by);
      put(&k, l, elt_of(t));
      put(&k, add(&k, KOP_SAR, t, x, 0, by), elt_of(t));
      put(&k, add3(&k, KOP_SEL, t, add(&k, KOP_LT, KB, x, p, 0), l, p, 0), elt_of(t));
      put(&k, add(&k, KOP_PARAM, KB, 0, 0, 0), ET_BIT);
      try_kernel(&k, 1, 517, shapes[by % 4], 0);
      end(&k);
    }
}

static void test_convert(void **state) { /* also BITS, IOTA, CONST and float PARAMs */
  UNUSED(state);
  for (kty from = KB; from < KTY_COUNT; from++) {
    kir k = {.kind = KIR_MAP, .n_param = 2, .param = {KF32, KF64}};
    kv x = arg(&k, elt_of(from), KV_FLAT, from);
    for (kty to = KB; to < KTY_COUNT; to++)
      put(&k, add(&k, KOP_CVT, to, x, 0, 0), elt_of(to));
    if (from != KB) {
      kty float_variant = from == KI32   ? KF32
                          : from == KF32 ? KI32
                          : from == KI64 ? KF64
                                         : KI64;
      put(&k, add(&k, KOP_BITS, float_variant, x, 0, 0), elt_of(float_variant));
    }
    kty it = from % 2 ? KI32 : KI64;
    put(&k, add(&k, KOP_IOTA, it, 0, 0, 0), elt_of(it));
    kty ft = from % 2 ? KF32 : KF64;
    kv p = add(&k, KOP_PARAM, ft, 0, 0, ft == KF64);
    kv half = kir_add(&c, &k, (kins){.op = KOP_CONST, .ty = (uint8_t)ft, .imm.f = -0.75});
    put(&k, add(&k, KOP_ADD, ft, p, half, 0), elt_of(ft));
    /* whole numbers, since what is out of range has any value */
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
      try_kernel(&k, 1, 700, shapes[i], kty_is_float(from) ? 1 : 0);
    end(&k);
  }
}

/* Numbers around each power of 2, and around the halves between two of f32. */
static int64_t near_power(int i) {
  uint64_t power = UINT64_C(1) << (i % 64), half = power >> 25;
  uint64_t v = power + half * (random64() % 8) + random64() % 5 - 2;
  if (i / 64 % 3 == 0) v = power + random64() % 3 - 1;
  return (int64_t)(random64() % 2 ? v : -v);
}

/* Each conversion without f64, from all powers of 2; and every shift. */
static void test_words(void **state) {
  enum { N = 64 * 24 };
  UNUSED(state);
  int64_t *x = calloc(N + 2, 8);
  float *f = calloc(N + 4, 4);
  for (int i = 0; i < N; i++) {
    x[i] = near_power(i);
    f[i] = (float)x[i];
    if (f[i] >= 0x1p63f) f[i] = -f[i];
    if (i % 4 == 0) f[i] = ldexpf(f[i], -(int)(random64() % 64));
  }
  kir_bind b = {.rows = 1, .inner = 1, .len = N};
  b.in[0].host = x, b.in[1].host = f;
  kir k = {.kind = KIR_MAP};
  kv i = arg(&k, ET_I64, KV_FLAT, KI64), v = arg(&k, ET_F32, KV_FLAT, KF32);
  put(&k, add(&k, KOP_CVT, KF32, i, 0, 0), ET_F32);
  put(&k, add(&k, KOP_CVT, KI32, i, 0, 0), ET_I32);
  put(&k, add(&k, KOP_CVT, KB, i, 0, 0), ET_BIT);
  put(&k, add(&k, KOP_CVT, KI64, v, 0, 0), ET_I64);
  for (int e = 0; e < 4; e += 3) check_words(&k, b, shapes[e]);
  end(&k);
  k = (kir){.kind = KIR_MAP};
  i = arg(&k, ET_I64, KV_FLAT, KI64);
  kv all = i, odd = add(&k, KOP_CONST, KI64, 0, 0, 0x10001);
  for (int64_t by = 0; by < 64; by++) {
    all = add(&k, KOP_XOR, KI64, all, add(&k, KOP_SHL, KI64, i, 0, by), 0);
    all = add(&k, KOP_MUL, KI64, all, odd, 0);
    all = add(&k, KOP_XOR, KI64, all, add(&k, KOP_SAR, KI64, i, 0, by), 0);
  }
  put(&k, all, ET_I64);
  check_words(&k, b, usual);
  end(&k);
  free(x), free(f);
}

static void test_out_of_range(void **state) { /* no trap, nothing else disturbed */
  UNUSED(state);
  if (!dev || !gpu_get_info(dev)->float64) return;
  kir k = {.kind = KIR_MAP};
  kv x = arg(&k, ET_F64, KV_FLAT, KF64);
  kv i = add(&k, KOP_CVT, KI64, x, 0, 0), zero = add(&k, KOP_CONST, KI64, 0, 0, 0);
  kv and = add(&k, KOP_AND, KI64, i, zero, 0);
  put(&k, and, ET_I64);
  put(&k, x, ET_F64);
  double v[5] = {NAN, INFINITY, -INFINITY, 1e300, -0x1p63}, f[5];
  int64_t r[6];
  kir_bind b = {.rows = 1, .inner = 1, .len = 5};
  b.in[0].host = v;
  flags got;
  void *out[2] = {r, f};
  device_run(&k, &b, usual, (size_t[]){40}, (size_t[]){40, 40}, out, &got);
  for (int j = 0; j < 5; j++) assert_int_equal(r[j], 0);
  assert_memory_equal(v, f, 40);
  end(&k);
}

/* Roots and quotients, and f64 in integers, of what is hard: next to squares, ends of the range, ties that are not. */
static void test_roots(void **state) {
  enum { N = 60000 };
  UNUSED(state);
  if (!dev) return;
  for (int w = 0; w < 2; w++) {
    kty t = w ? KF64 : KF32;
    kir k = {.kind = KIR_MAP};
    kv x = arg(&k, elt_of(t), KV_FLAT, t), y = arg(&k, elt_of(t), KV_FLAT, t);
    put(&k, add(&k, KOP_SQRT, t, x, 0, 0), elt_of(t));
    put(&k, add(&k, KOP_DIV, t, x, y, 0), elt_of(t));
    static const kop others[] = {KOP_ADD, KOP_SUB, KOP_MUL, KOP_FLOOR, KOP_RINT};
    for (size_t j = 0; w && j < ARRAY_LEN(others); j++)
      put(&k, add(&k, others[j], t, x, j < 3 ? y : 0, 0), ET_F64);
    kv square = add(&k, KOP_MUL, t, y, y, 0);
    if (w) put(&k, add(&k, KOP_SUB, t, x, square, 0), ET_F64);
    double *p = calloc(N + 2, 8), *q = calloc(N + 2, 8);
    for (int i = 0; i < N; i++) {
      double s = (double)(random64() >> (w ? 11 : 40)), r = s * s;
      if (i % 3 == 1) s = r, r = nextafter(r, i % 2 ? 0 : INFINITY);
      if (i % 3 == 2)
        r = ldexp(s, (int)(random64() % (w ? 1800 : 200)) - (w ? 950 : 124)),
        s = ldexp((double)(random64() >> 12) + 1, -60);
      if (i < 64) r = ldexp(1.0 - (i & 1) * (w ? 0x1p-53 : 0x1p-24), i - 32);
      if (w) p[i] = r, q[i] = s;
      else ((float *)p)[i] = (float)r, ((float *)q)[i] = (float)s;
    }
    kir_bind b = {.rows = 1, .inner = 1, .len = N};
    b.in[0].host = p, b.in[1].host = q;
    for (int e = 0; e < 4; e++) {
      shape s = {
          .subgroup = 8, .width = 4, .items = 1, .exact_div = e > 0, .soft = e > 1};
      if (e == 3) check_words(&k, b, s);
      else check(&k, b, s, NULL);
    }
    free(p), free(q);
    end(&k);
  }
}

/* ── loads and stores ───────────────────────────────────────────────────────────────── */

static const int64_t lengths[] = {1, 3, 4, 5, 31, 32, 33, 127, 1023, 1024, 1025, 5003};

static void test_types(void **state) {
  UNUSED(state);
  for (int t = ET_BIT; t <= ET_C32; t++) {
    if (t == ET_C128) continue;
    kir k = {.kind = KIR_MAP,
             .n_strided = 1,
             .strided = {(uint8_t)(1 + t % KIR_STRIDED_DIMS)}};
    kty ty = kir_arg_type((elt)t);
    kv w = arg(&k, (elt)t, KV_STRIDED, ty);
    put(&k, w, (elt)t);
    kv x = arg(&k, (elt)t, KV_FLAT, ty), y = arg(&k, (elt)t, KV_STEP, ty);
    kv z = arg(&k, (elt)t, KV_STEP, ty), one = arg(&k, (elt)t, KV_ONE, ty);
    put(&k, x, (elt)t), put(&k, y, (elt)t), put(&k, z, (elt)t), put(&k, one, (elt)t);
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
      for (size_t j = 0; j < ARRAY_LEN(lengths); j++)
        try_kernel(&k, 1, lengths[j], shapes[i], 0);
    end(&k);
  }
}

/* Neighbours within a matrix, at its edges too, beside inputs that are read as they lie. */
static void test_near(void **state) {
  static const elt types[] = {ET_F32, ET_BIT, ET_F64, ET_I8,
                              ET_C8,  ET_I16, ET_I64, ET_I32};
  static const int64_t dims[][2] = {{40, 64}, {1, 32}, {33, 128}, {100, 32}, {5, 160}};
  static const int reach[][2] = {{-1, -1}, {0, 0}, {1, 3}, {-4, 0}, {2, -4}, {0, 4}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(types) * ARRAY_LEN(dims); i++) {
    elt t = types[i % ARRAY_LEN(types)];
    const int64_t *d = dims[i % ARRAY_LEN(dims)];
    bool words = elt_bits(t) >= 32;
    int64_t rows = d[0], columns = words && i % 2 ? d[1] + 1 + (int64_t)i % 3 : d[1];
    kir k = {
        .kind = KIR_MAP, .n_in = 2, .in = {{(uint8_t)t, KV_NEAR}, {ET_F32, KV_NEAR}}};
    for (size_t j = 0; j < ARRAY_LEN(reach); j++) {
      if (i < ARRAY_LEN(types) && j > i) continue; /* few reach less far */
      put(&k,
          add(&k, KOP_NEAR, kir_arg_type(t), 0, 0, knear(0, reach[j][0], reach[j][1])),
          t);
    }
    put(&k, add(&k, KOP_NEAR, KF32, 0, 0, knear(1, 1, -1)), ET_F32);
    if (words) put(&k, arg(&k, ET_I32, KV_FLAT, KI32), ET_I32);
    kir_bind b = {.rows = 1, .len = rows * columns, .inner = 1};
    void *data[3];
    for (uint32_t n = 0; n < k.n_in; n++) {
      data[n] = make_data((elt)k.in[n].type, b.len, 0);
      b.in[n].host = data[n];
      b.in[n].offset = columns;
      b.in[n].step = rows;
    }
    check(&k, b, shapes[i % ARRAY_LEN(shapes)], NULL);
    for (uint32_t n = 0; n < k.n_in; n++) free(data[n]);
    end(&k);
  }
}

/* Elements of any number, some of which there are not. */
static void test_get(void **state) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64};
  enum { COUNT = 777, LEN = 3001 };
  int64_t n[2] = {LEN, COUNT};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(types); i++) {
    elt t = types[i], at = i % 2 ? ET_I32 : ET_I64;
    kir k = {.kind = KIR_MAP};
    kv index = arg(&k, at, KV_FLAT, kir_arg_type(at));
    k.in[k.n_in] = (kin){(uint8_t)t, KV_GET};
    put(&k, add(&k, KOP_GET, kir_arg_type(t), index, 0, k.n_in++), t);
    kir_bind b = {.rows = 1, .len = LEN, .inner = 1};
    void *numbers = make_data(at, LEN, 1), *data = make_data(t, COUNT, 0);
    for (int64_t j = 0; j < LEN; j++) {
      int64_t e = (int64_t)(random64() % COUNT);
      if (j % 100 == 0) e = j % 200 ? -1 - j : COUNT + j;
      write_element(at, numbers, j, of_int(e));
    }
    b.in[0].host = numbers;
    b.in[1].host = data;
    b.in[1].offset = COUNT - 1;
    check(&k, b, shapes[i % ARRAY_LEN(shapes)], n);
    free(data);
    free(numbers);
    end(&k);
  }
}

/* Inputs whose axes are turned, beside one that lies as the output does: squares, edges of any
 * length, axes around them. */
static void test_turned(void **state) {
  static const struct {
    uint8_t dims;
    kstrided map;
    int64_t first;
  } turns[] = {
      {2, {{0, 64}, {1, 96}}, 96},
      {2, {{0, 101}, {1, 37}}, 37},
      {2, {{0, 33}, {1, -65}}, 65},
      {3, {{0, 40, 32}, {1, 5 * 32, 5}}, 5},
      {3, {{0, 32, 96}, {96 * 32, 1, 32}}, 3},
      {4, {{0, 9, 3, 64}, {1, 2, 18, 54}}, 2},
      {4, {{0, 3, 35, 32}, {3 * 35, 35, -1, 210}}, 2},
  };
  UNUSED(state);
  for (int t = ET_BIT; t <= ET_C32; t++) {
    if (t == ET_C128) continue;
    kty ty = kir_arg_type((elt)t);
    for (size_t i = 0; i < ARRAY_LEN(turns); i++) {
      kir k = {.kind = KIR_MAP, .n_strided = 1, .strided = {turns[i].dims}};
      kir_bind b = {.rows = 1, .len = turns[i].first, .inner = 1};
      int64_t n[2];
      kv x = arg(&k, (elt)t, KV_STRIDED, ty), y = arg(&k, (elt)t, KV_FLAT, ty);
      put(&k, x, (elt)t);
      put(&k, add(&k, KOP_NE, KB, x, y, 0), ET_BIT);
      put(&k, add(&k, KOP_IOTA, KI32, 0, 0, 0), ET_I32);
      if (turns[i].map.n[turns[i].dims - 1] % 32) k.n_out = 1;
      for (int d = 1; d < turns[i].dims; d++) b.len *= turns[i].map.n[d];
      b.strided[0] = turns[i].map;
      b.in[0].step = 1;
      n[0] = ref_strided_fit(&k, &b, 0, b.len);
      n[1] = b.len;
      void *p = make_data((elt)t, n[0], 0), *q = make_data((elt)t, n[1], 0);
      b.in[0].host = p;
      b.in[1].host = q;
      shape s = shapes[(i + (size_t)t) % ARRAY_LEN(shapes)];
      s.small = false;
      check(&k, b, s, n);
      free(p), free(q);
      end(&k);
    }
  }
}

/* Every loop of loop_kernels.h, at any width; and one that is not given enough steps. */
static void test_loops(void **state) {
  enum { LEN = 1003, READ = 9 };
  int64_t n[3] = {LEN, LEN, READ}, few[READ] = {12, 0, 35, -8, 1, 720, 7, 64, 9};
  UNUSED(state);
  int32_t *x = make_data(ET_I32, LEN, 1);
  double *y = make_data(ET_F64, LEN, 1), escape[LEN];
  uint8_t *z = calloc(1, padded(ET_I64, READ));
  memcpy(z, few, sizeof few);
  for (int i = 0; i < LEN; i++) y[i] = y[i] / 40;
  for (int which = 0; which < LOOP_KERNELS; which++) {
    kir k = loop_kernel(&c, which);
    kir_bind b = {.rows = 1, .len = LEN, .inner = 1, .param[0].f = 0.3};
    b.in[0].host = x, b.in[1].host = y, b.in[2].host = z;
    b.in[2].offset = READ - 1;
    for (size_t s = 0; s < ARRAY_LEN(shapes); s++) check(&k, b, shapes[s], n);
    end(&k);
  }
  if (dev) {
    kir k = loop_kernel(&c, 4);
    kir_bind b = {.rows = 1, .len = LEN, .inner = 1};
    size_t in_bytes[3] = {padded(ET_I32, LEN), padded(ET_F64, LEN), padded(ET_I64, READ)};
    size_t out_bytes[KIR_MAX_OUT];
    void *out[KIR_MAX_OUT];
    b.in[0].host = x, b.in[1].host = y, b.in[2].host = z;
    for (uint32_t i = 0; i < k.n_out; i++)
      out[i] = escape, out_bytes[i] = padded(ET_F32, LEN);
    for (uint32_t enough = 0; enough < 2; enough++) {
      flags got;
      shape s = usual;
      s.loop_steps = 30 + enough;
      s.words = !gpu_get_info(dev)->int64;
      device_run(&k, &b, s, in_bytes, out_bytes, out, &got);
      assert_int_equal(got.word[0], 0);
      assert_int_equal(got.word[1], !enough);
    }
    end(&k);
  }
  free(x), free(y), free(z);
}

/* Every element to a place of its own: the line turned round. */
static void test_put(void **state) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(types); i++) {
    elt t = types[i];
    kty where = i % 2 ? KI32 : KI64;
    kir k = {.kind = KIR_MAP, .n_param = 1, .param = {(uint8_t)where}};
    kv x = arg(&k, t, KV_FLAT, kir_arg_type(t));
    kv at = add(&k, KOP_IOTA, where, 0, 0, 0);
    kv last = add(&k, KOP_PARAM, where, 0, 0, 0);
    at = add(&k, KOP_SUB, where, last, at, 0);
    kv when = add(&k, KOP_GE, KB, at, add(&k, KOP_CONST, where, 0, 0, 0), 0);
    put(&k, x, t);
    k.out[0].put = true;
    k.out[0].at = at;
    k.out[0].when = when;
    for (size_t j = 0; j < ARRAY_LEN(lengths); j += 2) {
      kir_bind b = {.rows = 1, .len = lengths[j], .inner = 1};
      void *data = make_data(t, lengths[j], 0);
      b.in[0].host = data;
      b.param[0].i = lengths[j] - 1;
      b.out[0].count = lengths[j];
      check(&k, b, shapes[i % ARRAY_LEN(shapes)], NULL);
      free(data);
    }
    end(&k);
  }
}

/* What bits select, over several tiles, by subgroups of all sizes. */
static void test_pick(void **state) {
  static const elt types[] = {ET_F32, ET_I8, ET_F64, ET_BIT, ET_I64};
  static const int64_t lens[] = {32769, 65536, 100001, 300000};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(types); i++) {
    elt t = types[i];
    kir k = {.kind = KIR_SCAN};
    kv bit = arg(&k, ET_BIT, KV_FLAT, KB);
    kacc count = {.monoid = KF_ADD, .ty = KI64, .fault = -1};
    count.from = add(&k, KOP_CVT, KI32, bit, 0, 0);
    kv upto = kir_fold(&c, &k, &count, 1);
    kv one = add(&k, KOP_CONST, KI64, 0, 0, 1);
    kv at = add(&k, KOP_SUB, KI64, upto, one, 0);
    kv when = add(&k, KOP_ARG, KB, 0, 0, 0);
    put(&k, arg(&k, t, KV_FLAT, kir_arg_type(t)), t);
    k.out[0].put = KPUT_ONCE;
    k.out[0].at = at;
    k.out[0].when = when;
    for (size_t j = 0; j < ARRAY_LEN(lens); j++) {
      kir_bind b = {.rows = 1, .len = lens[j], .inner = 1};
      uint32_t *bits = calloc((size_t)lens[j] / 32 + 5, 4);
      void *data = make_data(t, lens[j], 0);
      int64_t n = 0;
      for (int64_t e = 0; e < lens[j]; e++)
        if (random64() % 3 == 0 || j == 2) bits[e / 32] |= 1u << (e % 32), n++;
      b.in[0].host = bits;
      b.in[1].host = data;
      b.out[0].count = n;
      check(&k, b, shapes[(i + j) % ARRAY_LEN(shapes)], NULL);
      free(data);
      free(bits);
    }
    end(&k);
  }
}

/* Into elements that stay where nothing goes: each to some place, or of each third alone. */
static void try_kept(kout how, elt t, kty where, shape s) {
  enum { LEN = 3001, COUNT = 9007 };
  const int64_t n[2] = {LEN, LEN};
  elt at = elt_of(where);
  kir k = {.kind = KIR_MAP};
  kv x = arg(&k, t, KV_FLAT, kir_arg_type(t));
  how.value = x;
  how.type = (uint8_t)t;
  how.kept = true;
  how.at = arg(&k, at, KV_FLAT, where);
  how.when = add(&k, KOP_GE, KB, how.at, add(&k, KOP_CONST, where, 0, 0, 0), 0);
  k.out[k.n_out++] = how;
  assert_true(kir_check(&k));
  kir_bind b = {.rows = 1, .len = LEN, .inner = 1};
  void *data = make_data(t, LEN, 1), *places = make_data(at, LEN, 1);
  for (int64_t j = 0; j < LEN; j++) {
    int64_t to = how.put == KPUT_ONCE ? j * 3 : (int64_t)(random64() % 100) * 90;
    write_element(at, places, j, of_int(random64() % 4 ? to : -1));
  }
  b.in[0].host = data;
  b.in[1].host = places;
  b.out[0].count = COUNT;
  check(&k, b, s, n);
  free(places);
  free(data);
  end(&k);
}

static void test_kept(void **state) {
  static const elt types[] = {ET_BIT, ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(types); i++)
    try_kept((kout){.put = KPUT_ONCE}, types[i], i % 2 ? KI32 : KI64,
             shapes[i % ARRAY_LEN(shapes)]);
  for (uint8_t f = 0; f < KF_EACH_AND; f++)
    for (kty ty = KB; ty <= KI64; ty++) {
      uint8_t order = kfold_table[f].on[ty].order;
      if (order != KORDER_EXACT && order != KORDER_SUM) continue;
      kout join = {.put = KPUT_JOIN, .monoid = f};
      try_kept(join, elt_of(ty), f % 2 ? KI64 : KI32, shapes[f % ARRAY_LEN(shapes)]);
    }
}

/* Sums at few places, of one tile of each workgroup and of several. */
static void test_sums(void **state) {
  static const int64_t sizes[][2] = {{3001, 5}, {110001, 200}, {9001, 16}, {110001, 1}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
    int64_t len = sizes[i][0], count = sizes[i][1];
    assert_true(cg_sums_nearby(len, count));
    kir k = {.kind = KIR_MAP};
    kout sum = {.put = KPUT_JOIN, .monoid = KF_ADD, .type = ET_I32, .kept = true};
    sum.value = arg(&k, ET_I8, KV_FLAT, KI32);
    sum.at = arg(&k, ET_I16, KV_FLAT, KI32);
    sum.when = add(&k, KOP_GE, KB, sum.at, add(&k, KOP_CONST, KI32, 0, 0, 0), 0);
    k.out[k.n_out++] = sum;
    assert_true(kir_check(&k));
    kir_bind b = {.rows = 1, .len = len, .inner = 1};
    void *data = make_data(ET_I8, len, 1), *at = make_data(ET_I16, len, 1);
    for (int64_t j = 0; j < len; j++)
      write_element(ET_I16, at, j,
                    of_int((int64_t)(random64() % (uint64_t)(count + 1)) - 1));
    b.in[0].host = data;
    b.in[1].host = at;
    b.out[0].count = count;
    const int64_t n[2] = {len, len};
    check(&k, b, shapes[i % ARRAY_LEN(shapes)], n);
    free(at);
    free(data);
    end(&k);
  }
}

/* The lowest number of each key; keys are apart, for else chance says which has which place. */
static void test_seats(void **state) {
  static const elt types[] = {ET_I8, ET_I16, ET_I32, ET_I64, ET_F32, ET_F64};
  enum { LEN = 3001, COUNT = 1024 };
  const int64_t n[2] = {LEN, LEN};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(types); i++) {
    elt t = types[i];
    kir k = {.kind = KIR_MAP, .n_in = 1, .in = {{(uint8_t)t, KV_GET}}};
    kv at = arg(&k, ET_I32, KV_FLAT, KI32);
    kv v = add(&k, KOP_IOTA, KI32, 0, 0, 0);
    put(&k, v, ET_I32);
    k.out[0].put = KPUT_INSERT;
    k.out[0].kept = true;
    k.out[0].at = at;
    k.out[0].when = add(&k, KOP_NE, KB, v, add(&k, KOP_CONST, KI32, 0, 0, 3), 0);
    k.out[0].mask = add(&k, KOP_CONST, KI32, 0, 0, COUNT - 1);
    assert_true(kir_check(&k));
    kir_bind b = {.rows = 1, .len = LEN, .inner = 1};
    void *keys = make_data(t, LEN, 1), *places = make_data(ET_I32, LEN, 1);
    for (int64_t j = 0; j < LEN; j++) {
      int64_t key = (int64_t)(random64() % 100);
      write_element(t, keys, j, of_int(key));
      write_element(ET_I32, places, j, of_int(key * 8));
    }
    b.in[0].host = keys;
    b.in[0].offset = LEN - 1;
    b.in[1].host = places;
    b.out[0].count = COUNT;
    check(&k, b, shapes[i % ARRAY_LEN(shapes)], n);
    free(places);
    free(keys);
    end(&k);
  }
}

/* Positions divided by multiplying: around every multiple of n that may go wrong. */
static void test_magic(void **state) {
  UNUSED(state);
  for (uint64_t n = 2; n < (1u << 31); n += n < 3000 ? 1 : n / 7 + 1) {
    uint64_t m = cg_magic(n), low = (uint32_t)m, shift = 32 + (m >> 32);
    for (uint64_t at = 0; at < (1u << 31); at += n * (1 + at / n / 50))
      for (uint64_t p = at ? at - 1 : 0; p < at + 2 && p < (1u << 31); p++)
        assert_true(p * low >> shift == p / n);
    assert_true((uint64_t)INT32_MAX * low >> shift == INT32_MAX / n);
  }
}

/* Flags: none from what lies behind the end, one from any single element. */
static void test_flags(void **state) {
  static const kop ops[] = {KOP_ADDO, KOP_SUBO, KOP_MULO};
  UNUSED(state);
  for (kty t = KI32; t <= KI64; t++) {
    kir k = {.kind = KIR_MAP, .n_fault = 8};
    kv x = arg(&k, elt_of(t), KV_FLAT, t), y = arg(&k, elt_of(t), KV_FLAT, t);
    for (int i = 0; i < 3; i++) put(&k, add(&k, ops[i], t, x, y, i), elt_of(t));
    add(&k, KOP_ERR, 0, add(&k, KOP_EQ, KB, x, y, 0), 0, 3);
    add(&k, KOP_ESC, 0, add(&k, KOP_LT, KB, x, y, 0), 0, 4);
    kv f = add(&k, KOP_CVT, KF64, x, 0, 0), g = add(&k, KOP_CVT, KF64, y, 0, 0);
    kv q = add(&k, KOP_DIV, KF64, f, g, 0);
    put(&k, add3(&k, KOP_FIN, KF64, q, f, g, 5), ET_F64);
    int64_t max = t == KI32 ? INT32_MAX : INT64_MAX;
    const int64_t pairs[][2] = {{max, 1},
                                {-max - 1, 1},
                                {-max - 1, -1},
                                {max, 0},
                                {5, 0},
                                {0, 0},
                                {3, 3},
                                {3, 4},
                                {max / 2 + 1, 2},
                                {max / 2 + 1, -2},
                                {-max - 1, max},
                                {1ll << 31, 1ll << 31},
                                {(1ll << 32) - 1, 1ll << 31},
                                {-(1ll << 32), 1ll << 31},
                                {1ll << 32, 1ll << 31},
                                {3037000500, 3037000500},
                                {3037000499, 3037000499},
                                {-1, -max - 1}};
    for (size_t s = 0; s < ARRAY_LEN(shapes); s++)
      for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        if (t == KI32 &&
            (pairs[i][0] != (int32_t)pairs[i][0] || pairs[i][1] != (int32_t)pairs[i][1]))
          continue;
        int64_t n = 1 + (int64_t)(random64() % 300),
                at = (int64_t)(random64() % (uint64_t)n);
        void *p = calloc(1, padded(ET_I64, n)), *r = calloc(1, padded(ET_I64, n));
        for (int64_t j = 0; j < n; j++)
          write_element(elt_of(t), p, j, of_int(2)),
              write_element(elt_of(t), r, j, of_int(1));
        write_element(elt_of(t), p, at, of_int(pairs[i][0]));
        write_element(elt_of(t), r, at, of_int(pairs[i][1]));
        kir_bind b = {.rows = 1, .inner = 1, .len = n};
        b.in[0].host = p, b.in[1].host = r;
        check(&k, b, shapes[s], NULL);
        free(p), free(r);
      }
    end(&k);
  }
}

static void test_random_products(void **state) { /* MULO at the edge of 64 bits */
  UNUSED(state);
  kir k = {.kind = KIR_MAP, .n_fault = 1};
  kv x = arg(&k, ET_I64, KV_FLAT, KI64), y = arg(&k, ET_I64, KV_FLAT, KI64);
  put(&k, add(&k, KOP_MULO, KI64, x, y, 0), ET_I64);
  for (int i = 0; i < 200; i++) {
    int64_t p = (int64_t)random64() >> (random64() % 63),
            q = (int64_t)random64() >> (random64() % 63);
    if (i % 2 && p) /* a quotient of the limit, and its neighbours */
      q = (int64_t)((uint64_t)((i % 4 < 2 ? INT64_MAX : INT64_MIN) / (p == -1 ? 1 : p)) +
                    random64() % 3 - 1);
    kir_bind b = {.rows = 1, .inner = 1, .len = 1};
    b.in[0].host = &p, b.in[1].host = &q;
    shape s = usual;
    int64_t pp[2] = {p, 0}, qq[2] = {q, 0};
    b.in[0].host = pp, b.in[1].host = qq;
    check(&k, b, s, NULL);
    if (!dev) break;
  }
  end(&k);
}

/* ── folds ──────────────────────────────────────────────────────────────────────────── */

typedef struct fold_case {
  kfold f;
  kty from, to;
  bool wide;
  elt in;
  int mode;
} fold_case;
static const fold_case folds[] = {
    {KF_ADD, KF64, KF64, false, ET_F64, 2}, {KF_ADD, KF32, KF32, false, ET_F32, 0},
    {KF_ADD, KF64, KF64, false, ET_F32, 0}, {KF_MUL, KF64, KF64, false, ET_F64, 3},
    {KF_MUL, KF32, KF32, false, ET_F32, 3}, {KF_MIN, KF64, KF64, false, ET_F64, 0},
    {KF_MAX, KF64, KF64, false, ET_F64, 0}, {KF_MAX, KF32, KF32, false, ET_F32, 0},
    {KF_MIN, KI32, KI32, false, ET_I32, 0}, {KF_MAX, KI64, KI64, false, ET_I64, 0},
    {KF_ADD, KI32, KI64, false, ET_BIT, 0}, {KF_ADD, KI32, KI64, false, ET_I8, 0},
    {KF_ADD, KI64, KI64, true, ET_I64, 0},  {KF_ADD, KI64, KF64, true, ET_I64, 0},
    {KF_ADD, KI64, KI64, true, ET_I16, 0},  {KF_MUL, KI64, KI64, false, ET_I64, 3},
    {KF_MUL, KI64, KI64, false, ET_I64, 1}, {KF_MUL, KI32, KI32, false, ET_I32, 3},
    {KF_AND, KB, KB, false, ET_BIT, 0},     {KF_OR, KI32, KB, false, ET_I32, 1},
};

/* in → FOLD → a consumer that uses the result, an iota and the input again (in a scan). */
static kir fold_kernel(kir_kind kind, const fold_case *f) {
  kir k = {
      .kind = kind, .acc[0] = {.monoid = (uint8_t)f->f, .wide = f->wide}, .n_fault = 2};
  kv x = arg(&k, f->in, KV_FLAT, f->from);
  if (f->from == KF64 && f->mode == 2) x = add(&k, KOP_ADD, KF64, x, x, 0);
  kv r = add(&k, KOP_FOLD, f->to, x, 0, 1);
  put(&k, r, elt_of(f->to));
  if (kty_is_int(f->to))
    put(&k, add(&k, KOP_LT, KB, r, add(&k, KOP_CONST, f->to, 0, 0, 7), 0), ET_BIT);
  if (kind == KIR_SCAN) put(&k, add(&k, KOP_ARG, f->from, 0, 0, 0), elt_of(f->from));
  put(&k, add(&k, KOP_IOTA, KI32, 0, 0, 0), ET_I32);
  return k;
}

static shape fold_shape(size_t i) {
  shape s = {.subgroup = i % 2 ? 4 : 8,
             .width = i % 5 == 4 ? 1 : 4,
             .wide_index = i % 7 == 3,
             .ahead = i % 4 == 1,
             .narrow = i % 3 == 1,
             .group = i % 5 != 1};
  if (native >= 32 && i % 3) s.subgroup = i % 3 == 1 ? 32 : 16;
  return s;
}

/* A kernel of a scan takes lavapipe half a second to compile: the folds take turns with the
 * shapes, unless VAPL_TEST_ALL asks for every case. */
static bool every_case(void) { return getenv("VAPL_TEST_ALL") != NULL; }

static void test_reduce(void **state) {
  static const int64_t lens[] = {1,    3,    4,    5,     33,    1023,  1024,
                                 1025, 4096, 4097, 16383, 16384, 16385, 100003};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    kir k = fold_kernel(KIR_REDUCE, &folds[i]);
    for (size_t j = 0; j < ARRAY_LEN(lens); j++)
      try_kernel(&k, 1, lens[j], fold_shape(i), folds[i].mode);
    try_kernel(&k, 1, 1000, (shape){.subgroup = 4, .width = 1}, folds[i].mode);
    end(&k);
  }
}

static void test_reduce_rows(void **state) {
  static const int64_t dims[][2] = {{3, 1},    {70, 1},    {7, 5},     {5, 36},
                                    {3, 1001}, {2, 16400}, {33, 1024}, {2, 16387}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i += 3) {
    kir k = fold_kernel(KIR_REDUCE, &folds[i]);
    for (size_t j = 0; j < ARRAY_LEN(dims); j++) {
      shape s = fold_shape(i + 1);
      s.tiles = true;
      try_kernel(&k, dims[j][0], dims[j][1], s, folds[i].mode);
    }
    end(&k);
  }
}

static shape lines_shape(size_t i, size_t j) {
  shape s = fold_shape(i + j);
  s.small = j % 4 == 3;
  return s;
}

/* in → FOLD f → what differs from it → its greatest → outputs of every kind of value. */
static kir rows_kernel(const fold_case *f) {
  kir k = {.kind = KIR_ROWS, .n_fault = 2};
  kop away = f->to == KB ? KOP_XOR : KOP_SUB, below = f->to == KB ? KOP_NE : KOP_LT;
  kv x = arg(&k, f->in, KV_FLAT, f->from);
  kacc a = {.from = x,
            .monoid = (uint8_t)f->f,
            .wide = f->wide,
            .ty = (uint8_t)f->to,
            .fault = 1};
  kv r = kir_row_fold(&c, &k, &a), own = add(&k, KOP_CVT, f->to, x, 0, 0);
  assert_int_equal(kir_row_fold(&c, &k, &a), r);
  kv d = add(&k, away, f->to, own, r, 0);
  a = (kacc){.from = d,
             .monoid = f->to == KB ? KF_OR : KF_MAX,
             .ty = (uint8_t)f->to,
             .fault = -1};
  kv most = kir_row_fold(&c, &k, &a), two = add(&k, away, f->to, most, r, 0);
  put(&k, d, elt_of(f->to));
  put(&k, add(&k, below, KB, d, two, 0), ET_BIT);
  put(&k, two, elt_of(f->to));
  put(&k, add(&k, KOP_IOTA, KI32, 0, 0, 0), ET_I32);
  put(&k, add(&k, KOP_NUMBER, KI32, 0, 0, 0), ET_I32);
  return k;
}

static void test_rows(void **state) {
  static const int64_t dims[][2] = {{1, 1},    {300, 3},  {70, 4},   {37, 33},  {9, 128},
                                    {40, 129}, {5, 500},  {7, 513},  {3, 1001}, {4, 1024},
                                    {2, 1025}, {3, 4096}, {2, 8192}, {1, 5000}, {65, 32}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    kir k = rows_kernel(&folds[i]);
    for (size_t j = every_case() ? 0 : i % 8; j < ARRAY_LEN(dims);
         j += every_case() ? 1 : 8)
      try_kernel(&k, dims[j][0], dims[j][1], fold_shape(i + j), folds[i].mode);
    end(&k);
  }
}

/* Every template of a fold: short lines, some lanes of long ones, columns; one pass and more;
 * lines that fill shared-memory tiles, tiles and workgroups, and such that do not. */
static void test_lines(void **state) {
  static const int64_t dims[][3] = {
      {70, 1, 1},     {300, 3, 1},   {50, 20, 1},   {7, 5, 1},     {37, 64, 1},
      {9, 129, 1},    {5, 500, 1},   {3, 1001, 1},  {33, 1024, 1}, {200, 2, 3},
      {40, 9, 5},     {3, 130, 31},  {1, 5000, 2},  {2, 1025, 3},  {1, 17000, 7},
      {1, 40000, 24}, {3, 133, 9},   {1, 2, 5000},  {1, 3, 4000},  {2, 9, 1001},
      {1, 100, 100},  {1, 1024, 64}, {2, 1030, 32}, {1, 300, 33},  {1, 20000, 36},
      {1, 16385, 35}, {5, 11, 1000}, {1, 2000, 2},  {5, 1500, 1},  {30, 300, 5},
      {3, 1025, 1},   {7, 1000, 3},  {4, 2047, 1},  {9, 301, 7},   {2, 300, 20},
      {2, 1030, 7},   {1, 40000, 65}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    kir k = fold_kernel(KIR_REDUCE, &folds[i]);
    for (size_t j = i * 7 % 10; j < ARRAY_LEN(dims);
         j += 10) /* kernels take a while to compile */
      try_lines(&k, dims[j][0], dims[j][1], dims[j][2], lines_shape(i, j), folds[i].mode);
    end(&k);
  }
}

static bool is_exact(const fold_case *f) {
  kir k = fold_kernel(KIR_REDUCE, f);
  bool exact = cg_fold_exact(&k);
  end(&k);
  return exact;
}

/* Rows of all lengths, that begin anywhere in units and words. */
static void test_exact_rows(void **state) {
  static const int64_t dims[][2] = {{1000, 9}, {300, 3},   {70, 31},  {33, 100},
                                    {513, 33}, {5, 1001},  {3, 5000}, {600, 8},
                                    {257, 64}, {40, 2048}, {1, 7000}, {300, 257}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    if (!is_exact(&folds[i])) continue;
    kir k = fold_kernel(KIR_REDUCE, &folds[i]);
    for (size_t j = i % 2; j < ARRAY_LEN(dims); j += 2) {
      shape s = fold_shape(i + j);
      s.by = CG_REDUCE_EXACT_ROWS;
      try_kernel(&k, dims[j][0], dims[j][1], s, folds[i].mode);
    }
    end(&k);
  }
}

/* Rows that lie anywhere in one line: of every length, with gaps, some over others, some empty, at the end
 * too. Few threads have a row where rows are short, even if some are not. */
static void try_segments(const int64_t *lens, int64_t rows) {
  enum { MOST = 128 };
  int64_t pairs[2 * MOST + 1], end_at = 0, n[2] = {0, 2 * rows}; /* one is slack */
  assert_true(rows <= MOST);
  longest = 0;
  for (int64_t r = 0; r < rows; r++) {
    int64_t from = end_at + r % 4 - (r > 8 && r % 5 == 0 && lens[r] > 100 ? 100 : 0);
    pairs[2 * r] = from;
    pairs[2 * r + 1] = end_at = from + lens[r];
    if (lens[r] > longest) longest = lens[r];
  }
  n[0] = end_at;
  pairs[2 * rows] = 0;
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    kir k = fold_kernel(KIR_REDUCE, &folds[i]);
    k.in[k.n_in] = (kin){ET_I64, KV_ONE};
    k.segments = (uint8_t)++k.n_in;
    kir_bind b = {.rows = rows, .len = end_at, .inner = 1};
    void *data = make_data(folds[i].in, end_at, folds[i].mode);
    b.in[0].host = data;
    b.in[1].host = pairs;
    check(&k, b, fold_shape(i), n);
    free(data);
    end(&k);
  }
}

static void test_segments(void **state) {
  static const int64_t lens[] = {
      1,   2,   3,   0,   7,   8,   9,    31,   32,   33,   63,   64,   65,    127,   255,
      256, 257, 511, 512, 513, 999, 1023, 1024, 1025, 2047, 2049, 5000, 16383, 16384, 0};
  int64_t mixed[125];
  UNUSED(state);
  for (size_t r = 0; r < ARRAY_LEN(mixed); r++) mixed[r] = (int64_t)r % 7;
  mixed[77] = 1023;
  try_segments(lens, 6);
  try_segments(lens, 9);
  try_segments(lens, 13);
  try_segments(lens, ARRAY_LEN(lens));
  try_segments(mixed, ARRAY_LEN(mixed));
}

/* Scans of rows that follow one another: all of a strip at most, or some of several strips, or
 * of several tiles. */
static void test_scanned_segments(void **state) {
  static const int64_t lens[] = {1,    2,     3,     7,    8,    9,     31,    32,   33,
                                 127,  128,   129,   255,  256,  257,   383,   384,  385,
                                 767,  768,   769,   1535, 1536, 1537,  3840,  3841, 7680,
                                 7681, 15360, 15361, 5000, 1,    40000, 500000};
  static const size_t some[] = {3, 10, 19, 30, 32, 33, ARRAY_LEN(lens)};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    size_t rows = some[(i + 6) % ARRAY_LEN(some)];
    arr *pairs = arr_new(&c, ET_I64, 2, (int64_t[]){(int64_t)rows, 2});
    int64_t *pair = pairs->host, end_at = 0, strips;
    longest = 0;
    for (size_t r = 0; r < rows; r++) {
      *pair++ = end_at;
      *pair++ = end_at += lens[r];
      if (lens[r] > longest) longest = lens[r];
    }
    for (int exclusive = 0; exclusive < 2; exclusive++) {
      kir k = fold_kernel(KIR_SCAN, &folds[i]);
      k.exclusive = exclusive;
      k.in[k.n_in] = (kin){ET_I64, KV_ONE};
      k.segments = (uint8_t)++k.n_in;
      arr *table = strips_of_segments(
          &c, pairs, KIR_SCAN_GROUP * KIR_SCAN_GROUPS(cg_acc_bytes(&k)), &strips);
      strip_tiles = (table->count - 3 * strips) / 4;
      kir_bind b = {.rows = strips, .len = end_at, .inner = 1};
      void *data = make_data(folds[i].in, end_at, folds[i].mode);
      b.in[0].host = data;
      const int64_t n[2] = {end_at, table->count};
      int64_t *padded_table = calloc((size_t)table->count + 8, 8);
      memcpy(padded_table, table->host, (size_t)table->count * 8);
      b.in[1].host = padded_table;
      shape s = fold_shape(i + (size_t)exclusive);
      s.super = 32;
      check(&k, b, s, n);
      free(padded_table);
      free(data);
      end(&k);
      arr_release(table);
    }
    arr_release(pairs);
  }
}

/* A fold of x + y, where y is read along axes of its own. */
static void test_strided_lines(void **state) {
  static const int64_t dims[][3] = {{1, 5000, 1},  {7, 5, 1},    {50, 20, 1},
                                    {3, 1001, 1},  {200, 2, 3},  {1, 5000, 2},
                                    {3, 133, 9},   {2, 9, 1001}, {1, 2000, 36},
                                    {1, 17000, 7}, {2, 16387, 1}};
  UNUSED(state);
  for (kty t = KI32; t <= KF64; t += 2) {
    kir k = {.kind = KIR_REDUCE, .acc[0].monoid = KF_MAX, .n_strided = 1, .strided = {3}};
    kv x = arg(&k, elt_of(t), KV_FLAT, t), y = arg(&k, elt_of(t), KV_STRIDED, t);
    put(&k, add(&k, KOP_FOLD, t, add(&k, KOP_SUB, t, x, y, 0), 0, 0), elt_of(t));
    for (int scan = 0; scan < 2; scan++) {
      k.kind = scan ? KIR_SCAN : KIR_REDUCE;
      for (size_t j = 0; j < ARRAY_LEN(dims); j++)
        if (!scan || j % 2)
          try_lines(&k, dims[j][0], dims[j][1], dims[j][2], fold_shape(j), 1);
    }
    end(&k);
  }
}

static void test_scan_columns(void **state) {
  static const int64_t dims[][3] = {{40, 3, 3},    {3, 130, 7},  {1, 300, 12},
                                    {1, 2, 1000},  {2, 1030, 5}, {1, 8192, 3},
                                    {1, 9, 700},   {1, 1537, 2}, {2, 15361, 4},
                                    {1, 47000, 8}, {5, 4, 64},   {1, 520000, 2}};
  UNUSED(state);
  size_t each = every_case() ? 6 : 12;
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    kir k = fold_kernel(KIR_SCAN, &folds[i]);
    for (size_t j = i * 5 % each; j < ARRAY_LEN(dims); j += each) {
      shape s = fold_shape(i + j);
      s.items = 1u << (i / 2 + j) % 3;
      try_lines(&k, dims[j][0], dims[j][1], dims[j][2], s, folds[i].mode);
    }
    end(&k);
  }
}

static void test_scan(void **state) {
  static const int64_t lens[] = {1,    3,    4,    5,    127,   128,   129,   767,
                                 1537, 3000, 7680, 7681, 15360, 15361, 16000, 40001};
  enum { FIRST_LONG = 10 }; /* from here on a line takes other kernels */
  static const uint8_t some[] = {0, 1, 5, 8, 12, 13, 15, 18};
  UNUSED(state);
  for (size_t at = 0; at < ARRAY_LEN(some); at++) {
    size_t i = some[at];
    kir k = fold_kernel(KIR_SCAN, &folds[i]);
    size_t from = 0, to = ARRAY_LEN(lens);
    if (!every_case() && at % 2) from = FIRST_LONG;
    else if (!every_case()) to = FIRST_LONG;
    for (size_t j = from; j < to; j++)
      try_kernel(&k, 1, lens[j], fold_shape(i), folds[i].mode);
    end(&k);
  }
}

static void test_scan_rows(void **state) {
  static const int64_t dims[][2] = {{3, 1},    {7, 5},     {5, 36},    {4, 64},
                                    {3, 1001}, {2, 16200}, {2, 15361}, {3, 2000}};
  UNUSED(state);
  for (size_t i = 1; i < ARRAY_LEN(folds); i += 3) {
    kir k = fold_kernel(KIR_SCAN, &folds[i]);
    size_t each = every_case() ? 1 : 2;
    for (size_t j = i / 3 % each; j < ARRAY_LEN(dims); j += each)
      try_kernel(&k, dims[j][0], dims[j][1], fold_shape(i), folds[i].mode);
    end(&k);
  }
}

static void test_short_rows(void **state) {
  static const int64_t dims[][2] = {{1, 1},   {300, 3}, {100, 4},  {50, 20},
                                    {37, 64}, {9, 129}, {10, 512}, {5, 1500}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i += 2) {
    kir k = fold_kernel(KIR_SCAN, &folds[i]);
    for (size_t j = i / 2 % 2; j < ARRAY_LEN(dims); j += 2) {
      shape s = fold_shape(i / 2);
      s.small = (i + j) % 3 == 0;
      try_kernel(&k, dims[j][0], dims[j][1], s, folds[i].mode);
    }
    end(&k);
  }
}

static void test_long(void **state) { /* more than one level of tiles */
  UNUSED(state);
  const int64_t n = (1 << 20) + 1;
  for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
    kir k = {.kind = (kir_kind)kind, .acc[0].monoid = KF_ADD};
    kv r = add(&k, KOP_FOLD, KF64, arg(&k, ET_F64, KV_FLAT, KF64), 0, 0);
    put(&k, r, ET_F64);
    try_kernel(&k, 1, n, usual, 2);
    end(&k);
  }
}

/* The last workgroup finishes: every monoid, whole and broken tiles, one accumulator
 * too many for a second row. cut_work has a dispatch cut into parts of five workgroups.
 * */
static void test_finish(void **state) {
  static const int64_t lens[] = {16383, 16384, 16385, 32768, 49153, 100003, 262145};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
    kir k = fold_kernel(KIR_REDUCE, &folds[i]);
    for (size_t j = 0; j < ARRAY_LEN(lens); j++) {
      shape s = fold_shape(i);
      s.finish = true;
      try_kernel(&k, 1, lens[j], s, folds[i].mode);
    }
    end(&k);
  }
}

/* Tiles in all numbers, up to a full row of accumulators and beyond it. */
static void test_finish_long(void **state) {
  static const int64_t lens[] = {(1 << 20) + 1, (1 << 22) - 1,  1 << 22,
                                 (1 << 22) + 1, (1 << 24) - 77, (1 << 24) + 1};
  UNUSED(state);
  kir k = {.kind = KIR_REDUCE, .acc[0].monoid = KF_ADD};
  put(&k, add(&k, KOP_FOLD, KF64, arg(&k, ET_F64, KV_FLAT, KF64), 0, 0), ET_F64);
  for (size_t j = 0; j < ARRAY_LEN(lens) && (j < 4 || every_case()); j++) {
    shape s = usual;
    s.finish = true;
    try_kernel(&k, 1, lens[j], s, 2);
  }
  end(&k);
}

/* One kernel many times over the same memory: whoever reads an accumulator too early
 * finds that of the run before, which had other data. */
static void test_finish_often(void **state) {
  enum { RUNS = 3000 };
  UNUSED(state);
  if (!dev) return;
  const int64_t tiles = gpu_get_info(dev)->cpu ? 37 : 250, len = tiles * 16384 - 5;
  kir k = {.kind = KIR_REDUCE, .acc[0].monoid = KF_ADD, .n_param = 1, .param = {KI32}};
  kv i = add(&k, KOP_IOTA, KI64, 0, 0, 0);
  kv p = add(&k, KOP_CVT, KI64, add(&k, KOP_PARAM, KI32, 0, 0, 0), 0, 0);
  put(&k, add(&k, KOP_FOLD, KI64, add(&k, KOP_ADD, KI64, i, p, 0), 0, 0), ET_I64);
  int64_t got[64];
  uint64_t counter = 0; /* two u32 */
  kir_bind b = {.rows = 1, .inner = 1, .len = len};
  shape s = usual;
  s.finish = true;
  run r = {.k = &k, .b = &b, .s = s, .common = common_options(&k, &s)};
  gpu_buf *out[ARRAY_LEN(got)];
  for (size_t j = 0; j < ARRAY_LEN(got); j++) out[j] = upload(NULL, 16);
  r.flag = upload(NULL, sizeof(flags));
  r.counter = upload(&counter, sizeof counter);
  cg_task t = task_of(&r, CG_TASK_FOLD, len, false);
  cg_passes passes;
  cg_task_passes(&t, &passes);
  assert_int_equal(passes.own[0], tiles);
  assert_int_equal(passes.tiles, 1);
  gpu_buf *to = partials(&r, passes.own[0]);
  for (int64_t n = 0; n < RUNS; n++) {
    size_t at = (size_t)n % ARRAY_LEN(got);
    b.param[0].i = n;
    r.s.uncut = n / 64 % 2;
    r.out[0] = out[at];
    pass(&r, &passes.at[0], (buffers){NULL, to, NULL});
    if (at + 1 < ARRAY_LEN(got) && n + 1 < RUNS) continue;
    for (size_t j = 0; j <= at; j++) {
      assert_true(gpu_download(dev, out[j], 0, &got[j], 8));
      int64_t add = n - (int64_t)(at - j);
      assert_int_equal(got[j], len * (len - 1) / 2 + len * add);
    }
  }
  assert_true(gpu_download(dev, r.counter, 0, &counter, sizeof counter));
  assert_int_equal(counter, 0);
  for (size_t j = 0; j < ARRAY_LEN(got); j++) gpu_free(dev, out[j]);
  gpu_free(dev, to);
  gpu_free(dev, r.flag);
  gpu_free(dev, r.counter);
  end(&k);
}

/* Tiles whose totals are never published: those behind make them themselves. Every third,
 * or all; whole rows of tiles; more than a batch of 32. */
static void test_starved(void **state) {
  static const int64_t dims[][2] = {{1, 40001}, {3, 50000}, {1, 600000}};
  static const uint8_t some[] = {0, 1, 5, 6, 12, 15};
  UNUSED(state);
  for (size_t at = 0; at < ARRAY_LEN(some); at++) {
    size_t i = some[at];
    kir k = fold_kernel(KIR_SCAN, &folds[i]);
    for (size_t j = 0; j < ARRAY_LEN(dims); j++) {
      if (!every_case() && (at + j) % 3) continue;
      shape s = fold_shape(i);
      s.ahead = true;
      s.starve = (at + j) % 2 ? 1 : 3;
      s.patience = 20;
      try_kernel(&k, dims[j][0], dims[j][1], s, folds[i].mode);
    }
    end(&k);
  }
}

static void
test_wide_values(void **state) { /* sums at the limits of i64 and of f64's rounding */
  UNUSED(state);
  static const int64_t sets[][5] = {
      {INT64_MAX, 1, 0, 0, 0},
      {INT64_MAX, 1, -1, 0, 0},
      {INT64_MIN, -1, 0, 0, 0},
      {INT64_MAX, INT64_MAX, 2, 0, 0},
      {INT64_MAX, INT64_MAX, 1024, 1, 0},
      {INT64_MAX, INT64_MAX, 1026, 0, 0},
      {INT64_MAX, INT64_MAX, 3074, 0, 0},
      {INT64_MAX, INT64_MAX, 3073, 0, 0},
      {INT64_MIN, INT64_MIN, -2048, 0, -1},
      {INT64_MIN, INT64_MIN, -2048, 0, 0},
      {0, 0, 0, 0, 0},
      {-1, 0, 0, 0, 0},
      {1ll << 53, 1, 0, 0, 0},
      {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN}};
  for (int to = KI64; to <= KF64; to += KF64 - KI64)
    for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
      const fold_case f = {KF_ADD, KI64, (kty)to, true, ET_I64, 0};
      kir k = fold_kernel((kir_kind)kind, &f);
      for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
        int64_t v[6];
        memcpy(v, sets[i], 40);
        v[5] = INT64_MAX; /* behind the end */
        kir_bind b = {.rows = 1, .inner = 1, .len = 5};
        b.in[0].host = v;
        check(&k, b, usual, NULL);
      }
      end(&k);
    }
}

/* Producers whose instructions raise flags, in every pass and at the tails. */
static void test_fold_flags(void **state) {
  UNUSED(state);
  for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
    kir k = {.kind = (kir_kind)kind, .acc[0].monoid = KF_ADD, .n_fault = 3};
    kv x = arg(&k, ET_I32, KV_FLAT, KI32), y = arg(&k, ET_I8, KV_FLAT, KI32);
    kv sum = add(&k, KOP_ADDO, KI32, x, y, 0);
    add(&k, KOP_ERR, 0, add(&k, KOP_EQ, KB, x, add(&k, KOP_CONST, KI32, 0, 0, 0), 0), 0,
        1);
    kv r = add(&k, KOP_FOLD, KI64, sum, 0, 0);
    add(&k, KOP_ESC, 0, add(&k, KOP_GT, KB, r, add(&k, KOP_CONST, KI64, 0, 0, 100000), 0),
        0, 2);
    put(&k, r, ET_I64);
    for (int64_t n = 1; n < 20000; n = n * 6 + 1)
      for (int bad = 0; bad < 4; bad++) {
        int32_t *p = malloc(padded(ET_I32, n + 8));
        int8_t *q = calloc(1, padded(ET_I8, n + 8));
        for (int64_t i = 0; i < n + 8 && i < (int64_t)(padded(ET_I32, n) / 4); i++)
          p[i] = i < n ? 1 : 0;
        int64_t at = (int64_t)(random64() % (uint64_t)n);
        if (bad == 1) p[at] = INT32_MAX, q[at] = 1;
        if (bad == 2) p[at] = 0;
        if (bad == 3) p[at] = 100000;
        kir_bind b = {.rows = 1, .inner = 1, .len = n};
        b.in[0].host = p, b.in[1].host = q;
        shape s = fold_shape((size_t)bad % 2);
        s.finish = bad % 2;
        check(&k, b, s, NULL);
        free(p), free(q);
        if (!dev) break;
      }
    end(&k);
  }
}

/* Products that overflow in one order and not in another. */
static void test_product_escapes(void **state) {
  UNUSED(state);
  const fold_case f = {KF_MUL, KI64, KI64, false, ET_I64, 0};
  for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
    kir k = fold_kernel((kir_kind)kind, &f);
    for (int i = 0; i < (dev ? 60 : 1); i++) {
      int64_t n = i % 3 == 0 ? 20 : i % 3 == 1 ? 3000 : 20000, big = i % 5 == 0 ? 40 : 64;
      int64_t *p = malloc(padded(ET_I64, n));
      for (int64_t j = 0; j < n; j++) p[j] = j % 7 ? 1 : -1;
      for (int64_t j = 0; j < big; j++) p[random64() % (uint64_t)n] = 2;
      if (i % 2) p[random64() % (uint64_t)n] = 0;
      if (i % 4 == 3) p[n - 1] = INT64_MAX, p[n - 2] = 2;
      kir_bind b = {.rows = 1, .inner = 1, .len = n};
      b.in[0].host = p;
      shape s = fold_shape((size_t)i % 2);
      s.finish = i % 4 > 1;
      check(&k, b, s, NULL);
      free(p);
    }
    end(&k);
  }
}

/* ── the module itself ──────────────────────────────────────────────────────────────── */

static void test_all_subgroups(void **state) { /* validity where no device can run them */
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(folds); i += 2)
    for (int kind = KIR_REDUCE; kind <= KIR_SCAN; kind++) {
      kir k = fold_kernel((kir_kind)kind, &folds[i]);
      static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128};
      uint32_t s = sizes[(i / 2 + (size_t)kind) % 6];
      emit_all(&k, (shape){.subgroup = s,
                           .width = i % 4 ? 4 : 1,
                           .wide_index = i % 3 == 0,
                           .group = true});
      emit_all(&k, (shape){.subgroup = sizes[i % 6], .width = 4, .ahead = true});
      emit_all(&k, (shape){.subgroup = sizes[(i + 3) % 6],
                           .width = 4,
                           .finish = true,
                           .group = true});
      if (kind == KIR_REDUCE && is_exact(&folds[i]))
        emit_all(&k, (shape){.subgroup = sizes[(i + 2) % 6],
                             .width = 4,
                             .group = true,
                             .by = CG_REDUCE_EXACT_ROWS});
      end(&k);
    }
}

static void
test_long_grid(void **state) { /* positions from x and y of the group: by the copy */
  enum { N = 3000 };
  UNUSED(state);
  cg_module m;
  assert_true(cg_emit_copy(&c, 256, !gpu_get_info(dev)->int64, &m));
  validate(&m);
  if (dev) {
    uint32_t *x = make_data(ET_I32, N * 4, 0), *y = calloc(N * 4 + 4, 4);
    gpu_buf *from = upload(x, N * 16), *to = upload(y, N * 16 + 16);
    uint64_t a[CG_SLOT_INPUTS + 4] = {
        N, 1, (N + 255) / 256, [CG_SLOT_INPUTS] = gpu_address(from),
        [CG_SLOT_INPUTS + 3] = gpu_address(to)};
    gpu_use use[2] = {{from, false}, {to, true}};
    gpu_dispatch d = {gpu_kernel_get(dev, m.words, m.n, 0, "copy"),
                      (N + 255) / 256 + 3,
                      a,
                      sizeof a,
                      use,
                      2,
                      0,
                      0,
                      false};
    assert_true(gpu_record(dev, &d));
    assert_true(gpu_download(dev, to, 0, y, N * 16 + 16));
    assert_memory_equal(x, y, N * 16);
    for (int i = 0; i < 4; i++) assert_int_equal(y[N * 4 + i], 0);
    gpu_free(dev, from), gpu_free(dev, to);
    free(x), free(y);
  }
  mem_free(&c, m.words);
}

/* Every allocation of an emission fails once; nothing leaks, the error is recorded. */
typedef struct failing {
  long left;
} failing;
static void *fail_resize(void *user, void *p, size_t old, size_t size) {
  failing *f = user;
  UNUSED(old);
  if (!size) return free(p), NULL;
  return f->left-- > 0 ? realloc(p, size) : NULL;
}

static void test_no_memory(void **state) {
  UNUSED(state);
  kir k = fold_kernel(KIR_SCAN, &folds[12]);
  shape s = {.subgroup = 4, .width = 4};
  kir_bind b = {.rows = 1, .inner = 1};
  run r = {.k = &k, .b = &b, .s = s, .common = common_options(&k, &s)};
  cg_task t = task_of(&r, CG_TASK_SCAN, 8192, false);
  cg_passes p;
  cg_task_passes(&t, &p);
  cg_opts o = p.at[0].o;
  o.final = true;
  for (long n = 0;; n++) {
    failing f = {n};
    ctx d;
    ctx_init(&d, fail_resize, &f);
    cg_module m;
    bool ok = cg_emit(&d, &k, &o, &m);
    assert_int_equal(err_is(&d), !ok);
    if (ok) mem_free(&d, m.words);
    assert_int_equal(d.blocks_live, 0);
    if (ok) break;
    assert_true(n < 1000);
  }
  end(&k);
}

/* ── tuples ─────────────────────────────────────────────────────────────────────────── */

typedef struct tuple_case {
  uint32_t n;
  elt in;
  int mode;
  struct {
    kfold f;
    kty from, to;
    bool wide;
  } acc[KIR_MAX_ACC];
} tuple_case;

/* Folds of every type and order side by side, of 8 to 64 bytes in all. */
static const tuple_case tuples[] = {
    {2, ET_F32, 0, {{KF_ADD, KF32, KF32, false}, {KF_MAX, KF32, KF32, false}}},
    {3,
     ET_F64,
     0,
     {{KF_MIN, KF64, KF64, false},
      {KF_MAX, KF64, KF64, false},
      {KF_ADD, KF64, KF64, false}}},
    {2, ET_I64, 0, {{KF_ADD, KI64, KF64, true}, {KF_MIN, KI64, KI64, false}}},
    {3,
     ET_BIT,
     0,
     {{KF_AND, KB, KB, false}, {KF_OR, KB, KB, false}, {KF_ADD, KI32, KI64, false}}},
    {4,
     ET_I32,
     3,
     {{KF_MUL, KI64, KI64, false},
      {KF_MIN, KF64, KF64, false},
      {KF_ADD, KI32, KI64, false},
      {KF_MAX, KI32, KI32, false}}},
    {3,
     ET_I8,
     1,
     {{KF_MUL, KF32, KF32, false},
      {KF_MAX, KI32, KI32, false},
      {KF_MUL, KF64, KF64, false}}},
    {4,
     ET_I64,
     0,
     {{KF_ADD, KI64, KI64, true},
      {KF_ADD, KI64, KF64, true},
      {KF_ADD, KI64, KI64, true},
      {KF_ADD, KI64, KF64, true}}},
};

/* Every second value is folded from the negative. */
static kir tuple_kernel(const tuple_case *t) {
  kir k = {.kind = KIR_REDUCE, .n_fault = KIR_MAX_ACC};
  kacc acc[KIR_MAX_ACC] = {{0}};
  kv x = arg(&k, t->in, KV_FLAT, kir_arg_type(t->in));
  for (uint32_t n = 0; n < t->n; n++) {
    kty from = t->acc[n].from;
    kv v = x;
    if (k.ins[x].ty != from) v = add(&k, KOP_CVT, from, x, 0, 0);
    if (n % 2 && from != KB) v = add(&k, KOP_NEG, from, v, 0, 0);
    acc[n] = (kacc){.from = v, .fault = (int16_t)n, .ty = (uint8_t)t->acc[n].to};
    acc[n].monoid = (uint8_t)t->acc[n].f;
    acc[n].wide = t->acc[n].wide;
  }
  kir_fold(&c, &k, acc, t->n);
  for (uint32_t n = 0; n < t->n; n++) put(&k, kir_part(&c, &k, n), elt_of(t->acc[n].to));
  put(&k, add(&k, KOP_IOTA, KI32, 0, 0, 0), ET_I32);
  return k;
}

static void test_tuples(void **state) {
  static const int64_t dims[][3] = {
      {1, 1, 1},      {1, 5, 1},    {1, 1025, 1}, {1, 16384, 1}, {1, 40001, 1},
      {300, 3, 1},    {50, 20, 1},  {9, 129, 1},  {3, 1001, 1},  {2, 16387, 1},
      {40, 9, 5},     {200, 2, 3},  {3, 130, 31}, {2, 1025, 3},  {1, 17000, 7},
      {1, 20000, 36}, {1, 3, 4000}, {2, 9, 1001}, {1, 1024, 64}, {5, 11, 1000}};
  UNUSED(state);
  for (size_t i = 0; i < ARRAY_LEN(tuples); i++) {
    kir k = tuple_kernel(&tuples[i]);
    size_t each = every_case() ? 1 : 4;
    for (size_t j = i % each; j < ARRAY_LEN(dims); j += each) {
      shape s = lines_shape(i, j);
      s.finish = j % 2;
      try_lines(&k, dims[j][0], dims[j][1], dims[j][2], s, tuples[i].mode);
    }
    end(&k);
  }
}

/* ── joins ── */

/* A join of n values of these types, whose 2n arguments are v. */
static kir *join_begin(kir *k, uint32_t n, const kty *t, kv *v) {
  kir *j = k->join = mem_zalloc(&c, sizeof *j);
  j->n_fault = k->n_fault;
  j->n_param = k->n_param;
  memcpy(j->param, k->param, sizeof j->param);
  for (uint32_t i = 0; i < 2 * n; i++) v[i] = arg(j, elt_of(t[i % n]), KV_FLAT, t[i % n]);
  return j;
}

static void join_end(kir *k, uint32_t n, const kty *t, const kv *from) {
  kacc acc[KIR_MAX_ACC] = {{0}};
  for (uint32_t i = 0; i < n; i++)
    acc[i] = (kacc){.from = from[i], .ty = (uint8_t)t[i], .fault = -1};
  kir_fold(&c, k, acc, n);
  for (uint32_t i = 0; i < n; i++) put(k, kir_part(&c, k, i), elt_of(t[i]));
  put(k, add(k, KOP_IOTA, KI32, 0, 0, 0), ET_I32);
}

static kv real(kir *k, kty t, double v) {
  return kir_add(&c, k, (kins){.op = KOP_CONST, .ty = (uint8_t)t, .imm.f = v});
}

/* 1 1, 0 1 and a little, of f64: 32 bytes, of which 1280 are a tile. */
static kir real_matrices(void) {
  static const kty t[4] = {KF64, KF64, KF64, KF64};
  kir k = {.kind = KIR_SCAN, .join_order = KJOIN_TREE, .identity = {{.f = 1}}};
  k.identity[3].f = 1;
  kv x = arg(&k, ET_F64, KV_FLAT, KF64), v[8];
  x = add(&k, KOP_MUL, KF64, x, real(&k, KF64, 1e-6), 0);
  kv one = real(&k, KF64, 1), from[4] = {one, x, real(&k, KF64, 0), one};
  kir *j = join_begin(&k, 4, t, v);
  for (int i = 0; i < 4; i++) {
    kv p = add(j, KOP_MUL, KF64, v[i / 2 * 2], v[4 + i % 2], 0);
    kv q = add(j, KOP_MUL, KF64, v[i / 2 * 2 + 1], v[6 + i % 2], 0);
    put(j, add(j, KOP_ADD, KF64, p, q, 0), ET_F64);
  }
  join_end(&k, 4, t, from);
  return k;
}

/* Products of 2×2 matrices, modulo 2^32. */
static kir matrices(kir_kind kind) {
  static const kty t[4] = {KI32, KI32, KI32, KI32};
  kir k = {.kind = kind, .join_order = KJOIN_EXACT, .identity = {{1}, {0}, {0}, {1}}};
  kv x = arg(&k, ET_I32, KV_FLAT, KI32), v[8], from[4];
  for (int i = 0; i < 4; i++) {
    kv by = add(&k, KOP_CONST, KI32, 0, 0, 3 + 2 * i);
    from[i] = add(&k, KOP_MUL, KI32, x, by, 0);
  }
  from[3] = add(&k, KOP_SUB, KI32, from[3], from[0], 0);
  kir *j = join_begin(&k, 4, t, v);
  for (int i = 0; i < 4; i++) {
    kv p = add(j, KOP_MUL, KI32, v[i / 2 * 2], v[4 + i % 2], 0);
    kv q = add(j, KOP_MUL, KI32, v[i / 2 * 2 + 1], v[6 + i % 2], 0);
    put(j, add(j, KOP_ADD, KI32, p, q, 0), ET_I32);
  }
  join_end(&k, 4, t, from);
  return k;
}

/* Maps x → a×x + b, applied from left to right: their order and bracketing show. */
static kir affine(kir_kind kind, kty ty) {
  const kty t[2] = {ty, ty};
  kir k = {.kind = kind, .join_order = KJOIN_TREE, .identity = {{.f = 1}, {.f = 0}}};
  k.n_param = 1;
  k.param[0] = (uint8_t)ty;
  kv x = arg(&k, elt_of(ty), KV_FLAT, ty), v[4];
  kv tame = add(&k, KOP_MUL, ty, x, real(&k, ty, 1e-6f), 0);
  kv from[2] = {add(&k, KOP_ADD, ty, tame, real(&k, ty, 1), 0), x};
  kir *j = join_begin(&k, 2, t, v);
  kv b = add(j, KOP_ADD, ty, add(j, KOP_MUL, ty, v[2], v[1], 0), v[3], 0);
  put(j, add(j, KOP_MUL, ty, v[0], v[2], 0), elt_of(ty));
  put(j, add(j, KOP_ADD, ty, b, add(j, KOP_PARAM, ty, 0, 0, 0), 0), elt_of(ty));
  join_end(&k, 2, t, from);
  return k;
}

/* The last value that is there, and whether there is one. */
static kir last_there(kir_kind kind) {
  static const kty t[2] = {KB, KF64};
  kir k = {.kind = kind, .join_order = KJOIN_EXACT};
  kv x = arg(&k, ET_F64, KV_FLAT, KF64), v[4];
  kv from[2] = {add(&k, KOP_GT, KB, x, real(&k, KF64, 8000), 0), x};
  kir *j = join_begin(&k, 2, t, v);
  put(j, add(j, KOP_OR, KB, v[0], v[2], 0), ET_BIT);
  put(j, add3(j, KOP_SEL, KF64, v[2], v[3], v[1], 0), ET_F64);
  join_end(&k, 2, t, from);
  return k;
}

/* The least value with its first place; a sum of all beside it, which escapes. */
static kir least_at(kir_kind kind) {
  static const kty t[3] = {KI64, KF32, KI32};
  kir k = {.kind = kind, .join_order = KJOIN_TREE, .n_fault = 2};
  kv x = arg(&k, ET_I64, KV_FLAT, KI64), v[6];
  kv from[3] = {x, add(&k, KOP_CVT, KF32, x, 0, 0), add(&k, KOP_IOTA, KI32, 0, 0, 0)};
  kir *j = join_begin(&k, 3, t, v);
  put(j, add(j, KOP_ADDO, KI64, v[0], v[3], 1), ET_I64);
  kv less = add(j, KOP_LT, KB, v[4], v[1], 0);
  put(j, add3(j, KOP_SEL, KF32, less, v[4], v[1], 0), ET_F32);
  put(j, add3(j, KOP_SEL, KI32, less, v[5], v[2], 0), ET_I32);
  join_end(&k, 3, t, from);
  return k;
}

/* One value, and none of the monoids: a ∘ b = a + b + a×b, wrapping. */
static kir circle(kir_kind kind) {
  static const kty t[1] = {KI32};
  kir k = {.kind = kind, .join_order = KJOIN_EXACT};
  kv x = arg(&k, ET_I16, KV_FLAT, KI32), v[2];
  kv even = add(&k, KOP_ADD, KI32, x, x, 0); /* so that no value swallows all others */
  kir *j = join_begin(&k, 1, t, v);
  kv sum = add(j, KOP_ADD, KI32, v[0], v[1], 0);
  put(j, add(j, KOP_ADD, KI32, sum, add(j, KOP_MUL, KI32, v[0], v[1], 0), 0), ET_I32);
  join_end(&k, 1, t, &even);
  return k;
}

enum { JOINS = 6 };
static kir join_kernel(int which, kir_kind kind) {
  switch (which) {
  case 0: return matrices(kind);
  case 1: return affine(kind, KF32);
  case 2: return affine(kind, KF64);
  case 3: return last_there(kind);
  case 4: return least_at(kind);
  default: return circle(kind);
  }
}

static int join_mode(int which, size_t j) {
  if (which == 4) return j % 2 ? 0 : 1; /* escapes, and does not */
  return which ? 2 : 0;
}

static void test_joins(void **state) {
  static const int64_t dims[][2] = {
      {1, 1},    {1, 2},    {1, 3},     {1, 4},     {1, 5},     {1, 127},    {1, 128},
      {1, 129},  {1, 511},  {1, 1280},  {1, 1281},  {1, 3840},  {1, 3841},   {1, 7681},
      {1, 7000}, {1, 9001}, {1, 15360}, {1, 15361}, {1, 40001}, {1, 200003}, {300, 3},
      {70, 1},   {50, 20},  {37, 64},   {10, 128},  {9, 129},   {5, 500},    {3, 1001},
      {4, 1280}, {3, 4000}, {2, 16387}};
  UNUSED(state);
  for (int i = 0; i < JOINS; i++) {
    kir k = join_kernel(i, KIR_REDUCE);
    for (size_t j = 0; j < ARRAY_LEN(dims); j++)
      if (every_case() || (i + (int)j) % 3 == 0)
        try_kernel(&k, dims[j][0], dims[j][1], lines_shape((size_t)i, j),
                   join_mode(i, j));
    end(&k);
  }
}

/* The same of columns. */
static void test_super_columns(void **state) {
  static const int some[] = {0, 1, 4, 3};
  UNUSED(state);
  for (size_t i = 0; i < (every_case() ? ARRAY_LEN(some) : 1); i++) {
    kir k = fold_kernel(KIR_SCAN, &folds[some[i]]);
    int64_t tile = (int64_t)KIR_SCAN_TILE(cg_acc_bytes(&k));
    shape s = fold_shape(i);
    s.super = i == 2 ? 64 : 32;
    k.exclusive = i % 2;
    try_lines(&k, 1, (i == 3 ? 1060 : 2 * s.super + 3) * tile + 99, 2, s,
              folds[some[i]].mode);
    end(&k);
  }
}

/* What workgroup memory holds before a total is there must not escape: a kernel of large numbers runs
 * before each. */
static void test_joined_scans(void **state) {
  kir large = fold_kernel(KIR_SCAN, &folds[9]);
  UNUSED(state);
  for (int i = every_case() ? 0 : 4; i < JOINS; i++) {
    kir k = join_kernel(i, KIR_SCAN);
    shape s = fold_shape((size_t)i);
    try_kernel(&large, 1, 40001, s, 0);
    try_kernel(&k, 1, 40001, s, join_mode(i, 0));
    end(&k);
  }
  end(&large);
}

/* Validity of scans of one tier and of two, for subgroups of all sizes. */
static void emit_super(const kir *k) {
  const int64_t tile = KIR_SCAN_TILE(cg_acc_bytes(k));
  kir_bind b = {.rows = 1, .inner = 1};
  for (uint32_t subgroup = 4; subgroup <= 128; subgroup *= 2)
    for (int i = 0; i < 4; i++) {
      shape s = {.subgroup = subgroup, .width = 4, .ahead = i % 2, .super = 32};
      run r = {.k = k, .b = &b, .s = s, .common = common_options(k, &s)};
      cg_task t = task_of(&r, CG_TASK_SCAN, (i / 2 ? 1100 : 40) * tile, false);
      emit_task(&r, &t);
    }
}

/* Scans of more than a super-tile, which has few tiles here: 32, so that 1024 of them are one of the
 * next tier, or 64. One pass, with totals that are never published, and two. */
static void test_super_tiles(void **state) {
  static const int some[] = {0, 1, 6, 15}; /* of the monoids; then all joins */
  UNUSED(state);
  for (int i = 0; i < 4 + JOINS; i++) {
    if (!every_case() && i != 0 && i != 3 && i != 5 && i != 8) continue;
    bool join = i >= 4;
    kir k = join ? join_kernel(i - 4, KIR_SCAN) : fold_kernel(KIR_SCAN, &folds[some[i]]);
    int64_t tile = (int64_t)KIR_SCAN_TILE(cg_acc_bytes(&k));
    int mode = join ? join_mode(i - 4, (size_t)i) : folds[some[i]].mode;
    shape s = fold_shape((size_t)i);
    s.super = i % 3 ? 32 : 64;
    s.ahead = i % 2;
    if (s.ahead && i % 3) s.starve = 3, s.patience = 20;
    k.exclusive = i % 5 == 2;
    if (i == 0 || i == 8) emit_super(&k);
    try_kernel(&k, 1 + i % 2, (s.super + 2) * tile + 99, s, mode);
    s.ahead = !s.ahead;
    if (every_case()) try_kernel(&k, 1, (2 * s.super + 40) * tile + 99, s, mode);
    end(&k);
  }
  kir k = real_matrices();
  for (int i = 0; i < 3; i++) {
    shape s = fold_shape((size_t)i + 1);
    s.super = i ? 32 : 64;
    s.ahead = i % 2;
    if (every_case() || i == 1) try_kernel(&k, 1, (i ? 1060 : 2150) * 1280 + 99, s, 2);
  }
  end(&k);
}

static int set_up(void **state) {
  UNUSED(state);
  ctx_init(&c, NULL, NULL);
  have_val = system("spirv-val --version >/dev/null 2>&1") == 0;
  if (!have_val) print_message("spirv-val is missing: modules are not validated\n");
  const char *name = getenv("VAPL_TEST_DEVICE");
  dev = gpu_open(&c, &(gpu_config){.device = name ? name : "cpu", .cut_work = 5});
  if (!dev) print_message("no device (%s): modules are only validated\n", c.err.msg);
  err_clear(&c);
  if (dev) native = gpu_get_info(dev)->subgroup;
  return 0;
}

static int tear_down(void **state) {
  UNUSED(state);
  gpu_close(dev);
  assert_int_equal(c.blocks_live, 0);
  return 0;
}

/* ── orders ─────────────────────────────────────────────────────────────────────────── */

/* The bits of a float as a key (kir.h). */
static kv float_key(kir *k, kv x, kty key, bool down) {
  bool narrow = key == KI32;
  kv bits = add(k, KOP_BITS, key, x, 0, 0);
  kv sign = add(k, KOP_SAR, key, bits, 0, narrow ? 31 : 63);
  kv top = add(k, KOP_CONST, key, 0, 0, narrow ? INT32_MIN : INT64_MIN);
  kv flip = add(k, KOP_OR, key, sign, top, 0);
  kv r = add(k, KOP_XOR, key, bits, flip, 0);
  return down ? add(k, KOP_NOT, key, r, 0, 0) : r;
}

/* Elements of that type put in order, with their numbers or alone. */
static kir order_kernel(elt t, bool numbers, bool down) {
  kir k = {.kind = KIR_ORDER};
  kty ty = kir_arg_type(t), key = kty_bytes(ty) == 8 ? KI64 : KI32;
  kacc acc[2] = {{.fault = -1}, {.fault = -1}};
  kv x = arg(&k, t, KV_FLAT, ty), v;
  k.key_bits = (uint8_t)(8 * kty_bytes(key));
  if (kty_is_float(ty)) {
    v = float_key(&k, x, key, down);
    k.key_floats = down ? KEY_FLOATS_DOWN : KEY_FLOATS_UP;
  } else {
    int64_t least = key == KI32 ? INT32_MIN : INT64_MIN;
    kv top = add(&k, KOP_CONST, key, 0, 0, t == ET_I8 ? INT8_MIN : least);
    v = add(&k, t == ET_I8 ? KOP_SUB : KOP_XOR, key, x, top, 0);
    if (t == ET_I8) k.key_bits = 8;
  }
  acc[0].from = v;
  acc[0].ty = (uint8_t)key;
  if (numbers) acc[1].from = add(&k, KOP_IOTA, KI32, 0, 0, 0);
  acc[1].ty = KI32;
  v = kir_fold(&c, &k, acc, numbers ? 2 : 1);
  put(&k, v, key == KI64 ? ET_I64 : ET_I32);
  if (numbers) put(&k, kir_part(&c, &k, 1), ET_I32);
  return k;
}

static void check_order(elt t, bool numbers, bool down, int64_t rows, int64_t len,
                        int mode) {
  kir k = order_kernel(t, numbers, down);
  kir_bind b = {.rows = rows, .len = len, .inner = 1};
  void *data = make_data(t, rows * len, mode);
  shape s = usual;
  b.in[0].host = data;
  s.subgroup = native < 8 ? 4 : 8;
  check(&k, b, s, NULL);
  if (native > 8) s.subgroup = native, check(&k, b, s, NULL);
  if (len > 256) { /* tiles look back; and must do without some that are not published */
    s.ahead = true;
    check(&k, b, s, NULL);
    s.starve = 2, s.patience = 10;
    check(&k, b, s, NULL);
    s.ahead = false, s.wide_index = true;
    check(&k, b, s, NULL);
  }
  free(data);
  kir_free(&c, &k);
}

/* A type has up to twelve kernels: by default every second one is tried. */
static void test_order(void **state) {
  static const elt types[] = {ET_I8, ET_I32, ET_F32, ET_I64, ET_F64};
  static const int64_t lines[][2] = {{1, 1},    {1, 33},   {7, 100}, {100, 3},
                                     {1, 1025}, {3, 1500}, {1, 9000}};
  UNUSED(state);
  bool all = getenv("VAPL_TEST_ALL");
  for (size_t i = 0; i < ARRAY_LEN(types); i += all ? 1 : 2)
    for (size_t d = 0; d < ARRAY_LEN(lines); d++) {
      check_order(types[i], i == 4, i == 2, lines[d][0], lines[d][1], (int)(d % 3));
      if (all) check_order(types[i], i != 4, i != 2, lines[d][0], lines[d][1], 0);
    }
}

int main(int argc, char **argv) {
  /* test_codegen PATTERN: only tests of that name; -PATTERN: only the others. */
  if (argc > 1 && *argv[1] == '-') cmocka_set_skip_filter(argv[1] + 1);
  else if (argc > 1) cmocka_set_test_filter(argv[1]);
  /* clang-format off */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_all_subgroups),
      cmocka_unit_test(test_long_grid),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_quotients),
      cmocka_unit_test(test_compare),
      cmocka_unit_test(test_compare_widened),
      cmocka_unit_test(test_shift_select),
      cmocka_unit_test(test_convert),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_out_of_range),
      cmocka_unit_test(test_roots),
      cmocka_unit_test(test_near), cmocka_unit_test(test_get),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_turned),
      cmocka_unit_test(test_put),
      cmocka_unit_test(test_pick),
      cmocka_unit_test(test_kept),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_seats),
      cmocka_unit_test(test_magic),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_random_products),
      cmocka_unit_test(test_reduce),
      cmocka_unit_test(test_reduce_rows), cmocka_unit_test(test_rows),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_exact_rows),
      cmocka_unit_test(test_segments),
      cmocka_unit_test(test_scanned_segments),
      cmocka_unit_test(test_strided_lines),
      cmocka_unit_test(test_scan_columns),
      cmocka_unit_test(test_scan),
      cmocka_unit_test(test_scan_rows),
      cmocka_unit_test(test_short_rows),
      cmocka_unit_test(test_long),
      cmocka_unit_test(test_finish),
      cmocka_unit_test(test_finish_long),
      cmocka_unit_test(test_finish_often),
      cmocka_unit_test(test_starved),
      cmocka_unit_test(test_wide_values),
      cmocka_unit_test(test_fold_flags),
      cmocka_unit_test(test_product_escapes),
      cmocka_unit_test(test_tuples),
      cmocka_unit_test(test_joins),
      cmocka_unit_test(test_joined_scans),
      cmocka_unit_test(test_super_tiles),
      cmocka_unit_test(test_super_columns),
      cmocka_unit_test(test_order),
  };
  /* clang-format on */
  /* VAPL_TEST_TURN: only every eighth, from that one on. */
  struct CMUnitTest taken[ARRAY_LEN(tests)];
  const char *turn = getenv("VAPL_TEST_TURN");
  size_t n = 0;
  for (size_t i = 0; i < ARRAY_LEN(tests); i++)
    if (!turn || i % 8 == strtoull(turn, NULL, 10) % 8) taken[n++] = tests[i];
  return _cmocka_run_group_tests("test_codegen", taken, n, set_up, tear_down);
}
