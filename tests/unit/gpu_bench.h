/* SPDX-License-Identifier: MIT */
/* gpu_bench.h - what tests of src/vk stand on: a context whose allocator and Vulkan calls can be made
 * to fail, under the validation layer with synchronisation validation, where it is installed; any
 * message fails the test. */
#ifndef VAPL_TEST_GPU_BENCH_H
#define VAPL_TEST_GPU_BENCH_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "src/vk/vk.h"

static const char *device = "cpu";

/* A context whose allocator and Vulkan calls can fail, and what happened. */
struct bench {
  ctx c;
  long alloc_left, call_left; /* the one that reaches 0 fails; negative: none */
  int code, messages;         /* code: with which result */
  const char *only;           /* fail only calls of this name */
  bool fired;
  char failed[64];
};

static void *resize(void *user, void *p, size_t old_size, size_t new_size) {
  struct bench *b = user;
  (void)old_size;
  if (!new_size) {
    free(p);
    return NULL;
  }
  if (b->alloc_left >= 0 && b->alloc_left-- == 0) {
    b->fired = true;
    return NULL;
  }
  return realloc(p, new_size);
}

static int fail_call(void *user, const char *call) {
  struct bench *b = user;
  if (b->only && strcmp(b->only, call)) return 0;
  if (b->call_left < 0 || b->call_left-- != 0) return 0;
  b->fired = true;
  snprintf(b->failed, sizeof b->failed, "%s", call);
  return b->code;
}

static void on_log(void *user, const char *text) {
  ((struct bench *)user)->messages++;
  fprintf(stderr, "validation: %s\n", text);
}

static void bench_init(struct bench *b) {
  *b = (struct bench){.alloc_left = -1, .call_left = -1};
  ctx_init(&b->c, resize, b);
}

static void bench_end(struct bench *b) {
  assert_int_equal(b->messages, 0);
  assert_int_equal(b->c.blocks_live, 0);
}

static gpu_config config(struct bench *b) {
  return (gpu_config){.device = device,
                      .validate = true,
                      .log = on_log,
                      .log_user = b,
                      .fail = fail_call,
                      .fail_user = b};
}

static inline gpu *opened(struct bench *b, const gpu_config *cfg) {
  gpu *g = gpu_open(&b->c, cfg);
  if (!g) print_error("%s\n", b->c.err.msg);
  assert_non_null(g);
  return g;
}

static inline uint32_t *numbers(size_t n, uint32_t seed) {
  uint32_t *p = malloc((n + 1) * sizeof *p);
  assert_non_null(p);
  for (size_t i = 0; i < n; i++) p[i] = (seed = seed * 1664525u + 1013904223u);
  return p;
}

/* The layer is kept loaded: it starts faster, and the leak checker can tell what is its
 * own: it leaves about 20 KB behind with each instance, and that alone is suppressed. Our
 * own memory is counted by the context, our Vulkan objects by the layer. */
static void keep_loaded(void) {
  dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_NODELETE);
}
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void) {
  return "leak:libVkLayer_khronos_validation\n";
}
#endif
