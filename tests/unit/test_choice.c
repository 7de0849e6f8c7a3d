/* SPDX-License-Identifier: MIT */
/* test_choice.c - which shapes are chosen for a device (codegen/choice.c): for a range of tasks
 * those of an H200 are as they were when they were measured, told by a hash of the options and the
 * geometry of all passes; those of every other class keep to what it and the device allow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/arith.h"
#include "src/base/hash.h"
#include "src/base/mem.h"
#include "src/codegen/task.h"
#include "src/prim/inner_product.h"

static ctx c;

/* ── kernels ── */

static uint8_t element_of(kty t) {
  static const uint8_t of[KTY_COUNT] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  return of[t];
}

/* A fold, scan or order of one input. */
static kir line_kernel(kir_kind kind, kfold fold, elt type, kty ty, bool wide) {
  kir k = {.kind = kind};
  k.in[k.n_in++] = (kin){.type = (uint8_t)type, .view = KV_FLAT};
  kv x = kir_add(&c, &k, (kins){.op = KOP_ARG, .ty = (uint8_t)kir_arg_type(type)});
  if (kir_arg_type(type) != ty)
    x = kir_add(&c, &k, (kins){.op = KOP_CVT, .ty = (uint8_t)ty, .a = x});
  kacc acc = {.from = x, .monoid = (uint8_t)fold, .ty = (uint8_t)ty, .wide = wide};
  k.n_fault = 1;
  k.out[k.n_out++] = (kout){.value = kir_fold(&c, &k, &acc, 1), .type = element_of(ty)};
  if (kind != KIR_ORDER) return k;
  k.key_bits = (uint8_t)(8 * kty_bytes(ty));
  return k;
}

/* Elements and their numbers. */
static kir pair_kernel(elt type, kty ty) {
  kir k = {.kind = KIR_ORDER, .key_bits = (uint8_t)(8 * kty_bytes(ty))};
  k.in[k.n_in++] = (kin){.type = (uint8_t)type, .view = KV_FLAT};
  kacc acc[2] = {{.fault = -1, .ty = (uint8_t)ty}, {.fault = -1, .ty = KI32}};
  acc[0].from = kir_add(&c, &k, (kins){.op = KOP_ARG, .ty = (uint8_t)ty});
  acc[1].from = kir_add(&c, &k, (kins){.op = KOP_IOTA, .ty = KI32});
  (void)kir_fold(&c, &k, acc, 2);
  k.out[k.n_out++] = (kout){.value = kir_part(&c, &k, 1), .type = ET_I32};
  return k;
}

/* x f.g y. */
static kir product_kernel(kfold f, kop g, elt type, kty ty, bool wide) {
  kir k = {.kind = KIR_REDUCE, .product = true, .n_strided = 2};
  kty from = kir_arg_type(type);
  kv x[2];
  for (int i = 0; i < 2; i++) {
    k.strided[i] = 4;
    k.in[k.n_in++] = (kin){.type = (uint8_t)type, .view = (uint8_t)(KV_STRIDED + i)};
    x[i] = kir_add(&c, &k, (kins){.op = KOP_ARG, .ty = (uint8_t)from, .imm.i = i});
  }
  kty of = g == KOP_EQ ? KB : from;
  kv v =
      kir_add(&c, &k, (kins){.op = (uint8_t)g, .ty = (uint8_t)of, .a = x[0], .b = x[1]});
  if (of != ty) v = kir_add(&c, &k, (kins){.op = KOP_CVT, .ty = (uint8_t)ty, .a = v});
  kacc acc = {.from = v, .monoid = (uint8_t)f, .ty = (uint8_t)ty, .wide = wide};
  k.n_fault = 1;
  k.out[k.n_out++] = (kout){.value = kir_fold(&c, &k, &acc, 1), .type = element_of(ty)};
  return k;
}

/* ── tasks ── */

static cg_opts common;
static cg_choice choice;
static cg_device device;
static uint64_t choices;  /* a hash of all that was chosen */
static uint32_t matrices; /* passes by units for matrices */
static uint32_t integers; /* digits of a product's */
static bool emits;        /* each module is made, and its workgroup memory looked at */
static uint64_t seen[1 << 14]; /* more than there are: open addressing */

static bool is_new(uint64_t h) {
  uint64_t at = h;
  while (seen[at % ARRAY_LEN(seen)] && seen[at % ARRAY_LEN(seen)] != h) at++;
  if (seen[at % ARRAY_LEN(seen)]) return false;
  seen[at % ARRAY_LEN(seen)] = h;
  return true;
}

/* Of all options but `words`: what integers the device has is no choice. */
static uint64_t shape_hash(const cg_opts *o) {
  enum { BEFORE = offsetof(cg_opts, words) };
  char bytes[sizeof *o - sizeof o->words];
  memcpy(bytes, o, BEFORE);
  memcpy(bytes + BEFORE, (const char *)(&o->words + 1), sizeof bytes - BEFORE);
  return hash_bytes(bytes, sizeof bytes, choices);
}

static void look_at_module(const kir *k, const cg_opts *o) {
  cg_module m;
  uint64_t h = hash_bytes(o, sizeof *o, choice.shared + choice.results);
  h = hash_bytes(k->ins, k->n_ins * sizeof *k->ins, hash_bytes(k->in, sizeof *k->in, h));
  if (!is_new(hash_bytes(&k->kind, sizeof k->kind, h))) return;
  assert_true(cg_emit(&c, k, o, &m));
  if (m.shared > device.shared)
    fail_msg("%s: %s has %u bytes of workgroup memory, there are %u", choice.name,
             cg_template_name((cg_template)o->template), m.shared, device.shared);
  mem_free(&c, m.words);
}

static void look(const kir *k, const cg_task *t) {
  cg_passes p;
  cg_task_passes(t, &p);
  for (uint32_t i = 0; i < p.n; i++) {
    cg_opts o = p.at[i].o;
    const char *name = cg_template_name((cg_template)o.template);
    o.template = 0; /* it has another number where a template comes or goes */
    choices = hash_bytes(name, strlen(name), shape_hash(&o));
    o.template = p.at[i].o.template;
    choices = hash_bytes(&p.at[i].geom, sizeof p.at[i].geom, choices);
    assert_true(p.at[i].geom.workgroups > 0);
    matrices += o.template == CG_PRODUCT_MATRIX;
    if (o.template == CG_PRODUCT && o.product.tm > 1)
      assert_true((int)(o.product.tm * o.product.tn) * cg_acc_bytes(k) <=
                  4 * (int)choice.results);
    o.final = i + 1 == p.n && p.tiles <= 1 && p.parts <= 1;
    if (emits) look_at_module(k, &o);
  }
}

static cg_task task_of(const kir *k, cg_task_kind kind, int64_t rows, int64_t len,
                       int64_t inner) {
  common.wide_index = rows * len * inner > INT32_MAX - 65536;
  return (cg_task){.k = k,
                   .kind = kind,
                   .small = cg_is_small(rows * len * inner),
                   .rows = rows,
                   .len = len,
                   .inner = inner,
                   .common = &common,
                   .choice = &choice,
                   .finish_tiles = CG_FINISH_TILES,
                   .most_threads = 1024,
                   .resident = choice.resident,
                   .patience = CG_PATIENCE};
}

static const int64_t lengths[] = {
    1,    7,    64,      333,     1000,          1025,          2047,
    4096, 5000, 1 << 14, 1 << 22, (1 << 17) + 1, (1 << 18) + 1, 1 << 28};

static void lines(const kir *k, cg_task_kind kind) {
  for (size_t a = 0; a < ARRAY_LEN(lengths); a++)
    for (size_t b = 0; b < ARRAY_LEN(lengths); b++)
      for (int64_t inner = 1; inner < 5000; inner = 3 * inner + 1) {
        int64_t rows = lengths[b], len = lengths[a];
        if (inner > 1 && kind == CG_TASK_ORDER) break;
        if (rows * len > (INT64_C(1) << 34) / inner) continue;
        cg_task t = task_of(k, kind, rows, len, inner);
        look(k, &t);
      }
}

static void product(const kir *k, int64_t rows, int64_t len, int64_t columns, bool turn) {
  kstrided x = {{0, rows, len, columns}, {0, len, 1, 0}};
  kstrided y = {{0, rows, len, columns}, {0, 0, columns, 1}};
  if (turn) {
    x.stride[1] = y.stride[2] = 1;
    x.stride[2] = rows;
    y.stride[3] = len;
  }
  cg_task t = task_of(k, CG_TASK_FOLD, rows, len, columns);
  t.strided = &x;
  t.right = &y;
  t.digits = integers;
  look(k, &t);
}

static void products(const kir *k) {
  static const int64_t n[] = {1, 3, 8, 16, 64, 100, 256, 1024, 2048, 4100};
  for (size_t a = 0; a < ARRAY_LEN(n); a++)
    for (size_t b = 0; b < ARRAY_LEN(n); b++)
      for (size_t d = 0; d < ARRAY_LEN(lengths); d++)
        for (int turn = 0; turn < 2; turn++) product(k, n[a], lengths[d], n[b], turn);
}

typedef struct value {
  kfold fold;
  elt type;
  kty ty;
  bool wide;
} value;
static const value values[] = {
    {KF_ADD, ET_F64, KF64, false}, {KF_ADD, ET_F32, KF32, false},
    {KF_ADD, ET_I32, KI64, false}, {KF_ADD, ET_I64, KI64, true},
    {KF_MAX, ET_I8, KI32, false},  {KF_MIN, ET_I64, KI64, false}};

static void all_lines(void) {
  for (size_t i = 0; i < 2 * ARRAY_LEN(values); i++) {
    const value *v = &values[i / 2];
    bool scan = i % 2;
    kir k = line_kernel(scan ? KIR_SCAN : KIR_REDUCE, v->fold, v->type, v->ty, v->wide);
    lines(&k, scan ? CG_TASK_SCAN : CG_TASK_FOLD);
    kir_free(&c, &k);
  }
}

static void all_orders(void) {
  for (int i = 0; i < 5; i++) {
    bool wide = i % 2;
    elt t = wide ? ET_I64 : ET_I32;
    kty ty = wide ? KI64 : KI32;
    kir k = i < 3 ? line_kernel(KIR_ORDER, KF_ADD, t, ty, false) : pair_kernel(t, ty);
    if (i == 2) k.key_floats = KEY_FLOATS_UP;
    lines(&k, CG_TASK_ORDER);
    kir_free(&c, &k);
  }
}

static void all_products(void) {
  for (size_t i = 0; i < 2 * ARRAY_LEN(values); i++) {
    const value *v = &values[i / 2];
    kop g = v->fold == KF_ADD ? KOP_MUL : KOP_ADD;
    kir k = product_kernel(v->fold, g, v->type, v->ty, v->wide);
    k.digits = i % 2 ? PRODUCT_ALL_DIGITS : 0;
    products(&k);
    kir_free(&c, &k);
  }
}

static void choose(const cg_device *d, uint32_t forced) {
  device = *d;
  choice = cg_choose(d, forced);
  memset(&common, 0, sizeof common);
  common.subgroup = choice.subgroup;
  common.group = CG_GROUP_CLUSTERED;
  if (choice.subgroup <= 32) common.group = CG_GROUP_EXACT;
  common.workgroup = CG_WORKGROUP;
  common.float64 = true;
  common.keeps32 = common.keeps64 = CG_KEEPS_SPECIAL;
}

/* What an H200 says of itself. */
static const cg_device h200 = {.vendor = 0x10DE,
                               .subgroup = 32,
                               .least = 32,
                               .most = 32,
                               .shared = 48 << 10,
                               .processors = 132};

static void is_chosen(void (*all)(void), uint64_t as) {
  choices = 0;
  all();
  if (choices != as) fail_msg("%#llx is chosen", (unsigned long long)choices);
}

/* These were taken before there was a table, of the rules that the measurements are of. Who
 * changes a shape measures it, and puts the new number here. */
static void test_h200(void **state) {
  UNUSED(state);
  choose(&h200, 0);
  is_chosen(all_lines, 0xf339772afe28626f);
  is_chosen(all_orders, 0x5ef4e2ecde25ec0f);
  is_chosen(all_products, 0x692671502b3f4404);
}

/* Whatever the class, nothing has more workgroup memory than the device: 16 KiB are the least. */
static void test_limits(void **state) {
  UNUSED(state);
  emits = true;
  for (uint32_t class = 1; class <= CG_CLASSES; class ++)
    for (uint32_t shared = 16; shared <= (class == 1 ? 32 : 16); shared *= 2) {
      cg_device d = {.subgroup = 16, .least = 8, .most = 64, .shared = shared << 10};
      choose(&d, class);
      all_lines();
      all_orders();
      all_products();
      choice.smaller = CG_SMALLER;
      all_products();
      memset(seen, 0, sizeof seen);
    }
  emits = false;
}

static const char *name_of(uint32_t vendor, bool cpu, uint32_t least) {
  cg_device d = {.vendor = vendor, .cpu = cpu, .subgroup = 64, .shared = 32 << 10};
  d.least = least;
  d.most = 64;
  return cg_choose(&d, 0).name;
}

static void test_classes(void **state) {
  UNUSED(state);
  assert_string_equal(name_of(0x10DE, false, 32), "NVIDIA");
  assert_string_equal(name_of(0x1002, false, 32), "AMD RDNA");
  assert_string_equal(name_of(0x1002, false, 64), "AMD GCN or CDNA");
  assert_string_equal(name_of(0x8086, false, 8), "Intel");
  assert_string_equal(name_of(0x106B, false, 32), "Apple");
  assert_string_equal(name_of(0x8086, true, 8), "CPU");
  assert_string_equal(name_of(0x10005, true, 8), "CPU");
  assert_string_equal(name_of(0x14E4, false, 16), "unknown");
  /* A size that cannot be asked for is not. */
  assert_int_equal(cg_choose(&(cg_device){.vendor = 0x8086, .subgroup = 32}, 0).subgroup,
                   32);
  assert_int_equal(cg_choose(&h200, 0).resident, 264);
}

/* Each step down has fewer results, or elements, until there are no smaller ones. */
static void test_smaller(void **state) {
  UNUSED(state);
  for (uint32_t n = 0; n < CG_SMALLER; n++) {
    cg_choice c0 = cg_choose(&h200, 0), c1;
    c0.smaller = n;
    c1 = c0;
    c1.smaller = n + 1;
    int count;
    cg_tile s = *cg_tiles_of(CG_TILES_WORDS, &count);
    cg_tile a = cg_tile_within(&c0, s, 4, 4), b = cg_tile_within(&c1, s, 4, 4);
    assert_int_equal(a.tm * a.tn, 2 * b.tm * b.tn);
    assert_int_equal(a.bm / a.tm * (a.bn / a.tn), b.bm / b.tm * (b.bn / b.tn));
    for (int kind = 0; kind <= CG_SORTERS_PAIRS; kind++)
      assert_true(cg_sorter_of(&c0, (cg_sorters)kind, 4, 32).keys >
                  cg_sorter_of(&c1, (cg_sorters)kind, 4, 32).keys);
  }
}

/* Each thread has an element of x and one of y to load, whatever class a device is of and however little of its registers
 * is used. */
static void test_tiles_have_loads(void **state) {
  UNUSED(state);
  for (uint32_t class = 1; class <= CG_CLASSES; class ++)
    for (uint32_t smaller = 0; smaller <= CG_SMALLER; smaller++)
      for (int kind = 0; kind < CG_TILES_KINDS; kind++) {
        static const uint32_t result[] = {4, 4, 8, 8, 8, 16, 16, 16};
        static const uint32_t bytes[] = {4, 4, 8, 8, 4, 8, 16, 16};
        cg_choice by = cg_choose(&h200, class);
        by.smaller = smaller;
        int n;
        const cg_tile *list = cg_tiles_of((cg_tiles)kind, &n);
        for (int i = 0; i < n; i++) {
          cg_tile s = cg_tile_within(&by, list[i], result[kind], bytes[kind]);
          uint32_t threads = s.bm / s.tm * (s.bn / s.tn);
          assert_true(s.bm * s.bk >= threads && s.bn * s.bk >= threads);
          assert_true(threads <= CG_WORKGROUP);
        }
      }
}

/* Products of bytes, and of floats to few digits, go to units for matrices where there are some, of any size from 64 on;
 * their modules are made. */
static void test_matrices(void **state) {
  UNUSED(state);
  static const struct {
    elt type;
    kty ty;
    uint8_t digits; /* of floats, and of integers */
    bool ever;
  } of[] = {{ET_I8, KI64, 0, true},   {ET_I16, KI64, 14, true},  {ET_I16, KI64, 15, true},
            {ET_I32, KI64, 22, true}, {ET_I32, KI64, 23, false}, {ET_F32, KF32, 11, true},
            {ET_F64, KF64, 22, true}, {ET_F64, KF64, 23, false}};
  cg_device d = h200;
  emits = true;
  for (size_t i = 0; i < 2 * ARRAY_LEN(of); i++) {
    kir k = product_kernel(KF_ADD, KOP_MUL, of[i / 2].type, of[i / 2].ty, false);
    bool floats = elt_is_float(of[i / 2].type);
    k.digits = floats ? of[i / 2].digits : 0;
    integers = floats ? 0 : of[i / 2].digits;
    d.matrix = d.halves = i % 2;
    choose(&d, 0);
    matrices = 0;
    products(&k);
    assert_true((of[i / 2].ever && i % 2) == (matrices > 100));
    kir_free(&c, &k);
  }
  emits = false;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_h200),
                                     cmocka_unit_test(test_limits),
                                     cmocka_unit_test(test_classes),
                                     cmocka_unit_test(test_smaller),
                                     cmocka_unit_test(test_tiles_have_loads),
                                     cmocka_unit_test(test_matrices)};
  ctx_init(&c, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
