/* SPDX-License-Identifier: MIT */
/* test_schedule.c - the array of passes that every kernel becomes, whatever its lengths: each
 * pass reads what an earlier one wrote, all elements are there, the last one alone is final,
 * and there is always room for the passes. Nothing runs; a device is asked what it can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/arith.h"
#include "src/codegen/codegen.h"
#include "src/ir/place.h"
#include "src/ir/plan.h"
#include "src/ir/schedule.h"
#include "src/vk/vk.h"

static ctx c;
static ir *g; /* NULL: there is no device, nothing is tested */

static uint64_t seed = 88172645463325252ull;
static uint64_t random64(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

/* A length up to 2^bits: short and long ones, powers of two and their neighbours. */
static int64_t random_length(int bits) {
  int64_t n = INT64_C(1) << (random64() % (uint64_t)(bits + 1));
  switch (random64() % 4) {
  case 0: return n;
  case 1: return n + 1;
  case 2: return max_i64(n - 1, 1);
  default: return n + (int64_t)(random64() % (uint64_t)n);
  }
}

/* A fold or scan of ⍳ or of one input. */
static void fold_plan(plan *p, kir_kind kind, kfold fold, kty t, bool wide) {
  memset(p, 0, sizeof *p);
  p->g = g;
  p->c = &c;
  p->k.kind = kind;
  p->k.acc[0].monoid = (uint8_t)fold;
  p->k.acc[0].wide = wide;
  kv x = kir_add(&c, &p->k, (kins){.op = KOP_IOTA, .ty = KI64});
  if (t != KI64) x = kir_add(&c, &p->k, (kins){.op = KOP_CVT, .ty = (uint8_t)t, .a = x});
  p->k.fold_at = kir_add(&c, &p->k, (kins){.op = KOP_FOLD, .ty = (uint8_t)t, .a = x});
  p->k.out[0] = (kout){.value = (kv)p->k.fold_at, .type = ET_I64};
  p->k.n_out = 1;
}

/* Every scratch buffer is written before it is read, and every one is read. */
static void check_flow(const schedule *s) {
  bool written[SCHEDULE_PASSES] = {0}, read[SCHEDULE_PASSES] = {0};
  for (uint32_t i = 0; i < s->n; i++) {
    const sched_pass *p = &s->pass[i];
    if (p->from != NO_SCRATCH) assert_true(written[p->from]);
    if (p->carry != NO_SCRATCH) assert_true(written[p->carry]);
    if (p->from != NO_SCRATCH) read[p->from] = true;
    if (p->carry != NO_SCRATCH) read[p->carry] = true;
    assert_int_equal(p->o.final, i + 1 == s->n);
    if (last_workgroup_finishes(p)) read[p->to] = true;
    else assert_int_equal(p->o.final, p->to == NO_SCRATCH);
    if (p->o.from_partials) assert_true(p->from != NO_SCRATCH);
    if (p->to != NO_SCRATCH) written[p->to] = true;
    assert_true(p->geom.workgroups > 0 && p->geom.tiles > 0);
    assert_true(p->bytes > 0 && p->work > 0);
  }
  for (uint32_t i = 0; i < s->n_scratch; i++) {
    assert_true(written[i] && read[i]);
    assert_true(s->scratch[i] > 0);
  }
}

/* A fold folds all elements: each pass has what the one before left. */
static void check_fold(const plan *p, const schedule *s) {
  int64_t have = p->rows * p->len * p->inner;
  for (uint32_t i = 0; i < s->n; i++) {
    const cg_geom *z = &s->pass[i].geom;
    assert_int_equal(z->rows * z->len * z->inner, have);
    if (s->pass[i].o.final) break;
    have = (int64_t)s->scratch[s->pass[i].to] / cg_acc_bytes(&p->k);
  }
}

static void test_folds(void **state) {
  static const struct {
    kfold fold;
    kty type;
    bool wide;
  } folds[] = {{KF_ADD, KI64, false}, {KF_ADD, KI64, true},  {KF_ADD, KF64, false},
               {KF_MAX, KI32, false}, {KF_MUL, KI64, false}, {KF_MIN, KF32, false}};
  (void)state;
  for (int i = 0; i < 20000 && g; i++) {
    plan p;
    arr root = {.type = ET_I64};
    int which = i % (int)ARRAY_LEN(folds), scan = i / 8 % 2;
    fold_plan(&p, scan ? KIR_SCAN : KIR_REDUCE, folds[which].fold, folds[which].type,
              folds[which].wide);
    p.root = p.out[0] = &root;
    p.n_out = 1;
    int bits = (int)(random64() % 41);
    p.len = random_length(bits);
    p.rows = i % 2 ? 1 : random_length((40 - bits) / 2);
    p.inner = i % 3 ? random_length((40 - bits) / 2) : 1;
    root.count = p.rows * p.inner * (scan ? p.len : 1);
    schedule s;
    schedule_make(&p, &s);
    assert_false(err_is(&c));
    assert_in_range(s.n, 1, SCHEDULE_PASSES);
    check_flow(&s);
    if (!scan) check_fold(&p, &s);
    kir_free(&c, &p.k);
  }
}

/* A whole array of two to CG_FINISH_TILES tiles is one dispatch, whose last workgroup
 * finishes; rows and longer arrays are not, and nothing is where the option is off. */
static void check_finish(int64_t rows, int64_t len, bool finish) {
  plan p;
  schedule s;
  arr root = {.type = ET_I64, .count = rows};
  fold_plan(&p, KIR_REDUCE, KF_ADD, KF64, false);
  p.root = p.out[0] = &root;
  p.n_out = 1;
  p.rows = rows;
  p.len = len;
  p.inner = 1;
  schedule_make(&p, &s);
  assert_int_equal(last_workgroup_finishes(&s.pass[s.n - 1]), finish);
  if (finish) {
    assert_int_equal(s.n, 1);
    assert_int_equal(s.n_scratch, 1);
    assert_int_equal(s.scratch[0], (uint64_t)s.pass[0].geom.workgroups * 8);
    assert_int_equal(s.pass[0].geom.tiles, s.pass[0].geom.workgroups);
  }
  kir_free(&c, &p.k);
}

static void test_finish(void **state) {
  enum { TILE = KIR_REDUCE_ROWS * KIR_LANES };
  const int64_t most = g ? g->tune.finish : 0;
  (void)state;
  if (!g) return;
  assert_int_equal(most, CG_FINISH_TILES);
  check_finish(1, TILE, false);
  check_finish(1, TILE + 1, true);
  check_finish(1, most * TILE, true);
  check_finish(1, most * TILE + 1, false);
  check_finish(2, 2 * TILE, false);
  g->tune.finish = 0;
  check_finish(1, 2 * TILE, false);
  g->tune.finish = INT64_MAX;
  check_finish(1, KIR_LANES * TILE, true);
  check_finish(1, KIR_LANES * TILE + 1, false);
  g->tune.finish = most;
}

/* What ]plan says of the first pass of a fold of rows × len × inner elements. */
static void says(kfold fold, kty t, const int64_t dims[3], const char *text) {
  plan p;
  schedule s;
  arr root = {.type = ET_I64};
  str got = {.c = &c};
  fold_plan(&p, KIR_REDUCE, fold, t, false);
  p.root = p.out[0] = &root;
  p.n_out = 1;
  p.rows = dims[0], p.len = dims[1], p.inner = dims[2];
  schedule_make(&p, &s);
  cg_describe(&p.k, &s.pass[0].o, &got);
  assert_false(got.failed);
  if (!strstr(got.at ? got.at : "", text))
    fail_msg("\"%s\" is not in \"%s\"", text, got.at ? got.at : "");
  str_free(&got);
  kir_free(&c, &p.k);
}

/* The template and how threads meet are named: exact folds by an instruction where the device has
 * it, floats by shuffles. */
static void test_words(void **state) {
  static const int64_t whole[3] = {1, 1 << 20, 1}, rows[3] = {1 << 17, 100, 1},
                       columns[3] = {1, 5000, 9000};
  UNUSED(state);
  if (!g) skip();
  bool has = gpu_get_info(ir_gpu(g))->arithmetic;
  says(KF_MAX, KI64, whole, has ? "subgroup instruction" : "subgroup shuffles");
  says(KF_ADD, KF64, whole, "subgroup shuffles");
  says(KF_MAX, KI64, rows, "threads a row");
  says(KF_ADD, KF64, rows, "workgroup memory");
  says(KF_ADD, KF64, columns, "a thread a column");
  says(KF_MIN, KI64, columns, "a thread a column");
}

/* Options are compared as bytes: the same plan gives the same. */
static void test_options_are_bytes(void **state) {
  (void)state;
  plan p;
  schedule s, again;
  arr root = {.type = ET_I64, .count = 3000};
  if (!g) return;
  memset(&s, 0xaa, sizeof s);
  memset(&again, 0x55, sizeof again);
  fold_plan(&p, KIR_REDUCE, KF_ADD, KI64, false);
  p.root = p.out[0] = &root;
  p.n_out = 1;
  p.rows = 3;
  p.inner = 1000;
  for (p.len = 1; p.len < 1 << 24; p.len = 3 * p.len + 1) {
    schedule_make(&p, &s);
    schedule_make(&p, &again);
    assert_int_equal(s.n, again.n);
    for (uint32_t i = 0; i < s.n; i++)
      assert_memory_equal(&s.pass[i].o, &again.pass[i].o, sizeof s.pass[i].o);
  }
  kir_free(&c, &p.k);
}

/* ── what the driver says of pipelines ── */

/* A driver that has statistics: the first `spilling` pipelines spill much, if they can be asked. */
static struct {
  int made, spilling;
  VkResult result;
  PFN_vkCreateComputePipelines create;
} driver;

static VKAPI_ATTR VkResult VKAPI_CALL
create_pipelines(VkDevice d, VkPipelineCache cache, uint32_t n,
                 const VkComputePipelineCreateInfo *info, const VkAllocationCallbacks *a,
                 VkPipeline *p) {
  VkComputePipelineCreateInfo plain = *info;
  assert_int_equal(info->flags, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
  plain.flags = 0;
  driver.made++;
  return driver.create(d, cache, n, &plain, a, p);
}

static VKAPI_ATTR VkResult VKAPI_CALL properties(VkDevice d,
                                                 const VkPipelineInfoKHR *info,
                                                 uint32_t *n,
                                                 VkPipelineExecutablePropertiesKHR *p) {
  UNUSED(d);
  assert_true(info->pipeline != VK_NULL_HANDLE && !p);
  *n = 1;
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL statistics(VkDevice d,
                                                 const VkPipelineExecutableInfoKHR *info,
                                                 uint32_t *n,
                                                 VkPipelineExecutableStatisticKHR *s) {
  UNUSED(d);
  UNUSED(info);
  if (driver.result < 0) return driver.result;
  assert_true(*n >= 2);
  *n = 2;
  strcpy(s[0].name, "Register Count");
  strcpy(s[1].name, "Spill Count");
  s[0].format = s[1].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
  s[0].value.u64 = 40;
  s[1].value.u64 = driver.made <= driver.spilling ? 65 : 64;
  return VK_SUCCESS;
}

static ir *open_with_statistics(const char *cache_dir, int spilling) {
  ir *r = ir_new(&(ir_config){.c = &c, .device = "cpu", .cache_dir = cache_dir});
  assert_non_null(r);
  assert_true(device_open(r));
  gpu *dev = ir_gpu(r);
  c.team.share = NULL; /* which pipeline is the first is not left to chance */
  driver.made = 0;
  driver.spilling = spilling;
  driver.result = VK_SUCCESS;
  driver.create = dev->vk.CreateComputePipelines;
  dev->vk.CreateComputePipelines = create_pipelines;
  dev->vk.GetPipelineExecutablePropertiesKHR = properties;
  dev->vk.GetPipelineExecutableStatisticsKHR = statistics;
  dev->info.statistics = true;
  return r;
}

/* Loads together of a pass over many columns; how many steps down it is. */
static uint32_t loads_of(ir *r, uint32_t *smaller) {
  plan p;
  schedule s;
  arr root = {.type = ET_I32, .count = 9000};
  fold_plan(&p, KIR_REDUCE, KF_MAX, KI32, false);
  p.g = r;
  p.root = p.out[0] = &root;
  p.n_out = 1;
  p.rows = 1, p.len = 1000, p.inner = 9000;
  schedule_make(&p, &s);
  assert_true(schedule_ready(&p, &s));
  for (uint32_t i = 0; i < s.n; i++) assert_non_null(s.pass[i].kernel);
  *smaller = s.smaller;
  kir_free(&c, &p.k);
  return s.pass[0].o.reduce_strided.batch;
}

/* A shape that spills much is left for a smaller one, once: the next start begins with that. Where
 * nothing is known, or the smallest spills too, it is used. */
static void test_spills(void **state) {
  char dir[] = "/tmp/test_schedule_XXXXXX", remove_it[80];
  uint32_t smaller;
  UNUSED(state);
  if (!g) skip();
  assert_non_null(mkdtemp(dir));
  ir *r = open_with_statistics(dir, 0);
  assert_int_equal(loads_of(r, &smaller), 16);
  assert_int_equal(smaller, 0);
  ir_free(r);
  r = open_with_statistics(dir, 1);
  assert_int_equal(loads_of(r, &smaller), 8);
  assert_int_equal(smaller, 2); /* one step down nothing changes here */
  int made = driver.made;
  assert_int_equal(loads_of(r, &smaller), 8);
  assert_int_equal(driver.made, made);
  ir_free(r);
  r = open_with_statistics(dir, 0);
  assert_int_equal(loads_of(r, &smaller), 8);
  assert_true(driver.made < made);
  ir_free(r);
  r = open_with_statistics(NULL, 9);
  assert_int_equal(loads_of(r, &smaller), 8);
  ir_free(r);
  r = open_with_statistics(NULL, 9);
  driver.result = VK_ERROR_OUT_OF_HOST_MEMORY;
  assert_int_equal(loads_of(r, &smaller), 16);
  assert_false(err_is(&c));
  ir_free(r);
  snprintf(remove_it, sizeof remove_it, "rm -r %s", dir);
  assert_int_equal(system(remove_it), 0);
}

static int set_up(void **state) {
  (void)state;
  ctx_init(&c, NULL, NULL);
  g = ir_new(&(ir_config){.c = &c, .device = "cpu"});
  if (!g) return 1;
  if (device_open(g)) return 0;
  print_message("no device: nothing is tested\n");
  err_clear(&c);
  ir_free(g);
  g = NULL;
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ir_free(g);
  assert_int_equal(c.blocks_live, 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_folds), cmocka_unit_test(test_finish),
      cmocka_unit_test(test_words), cmocka_unit_test(test_options_are_bytes),
      cmocka_unit_test(test_spills)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
