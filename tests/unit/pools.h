/* SPDX-License-Identifier: MIT */
/* pools.h - what the tests of the host's back end share: a pool for every instruction set of
 * the machine, of one thread and of three; pieces of kernels; random numbers. */
#ifndef VAPL_TESTS_POOLS_H
#define VAPL_TESTS_POOLS_H
#include "src/host/host.h"
#include "src/host/threads.h"

#include <stdio.h>
#include <stdlib.h>

static ctx C;
static uint64_t seed = 88172645463325252u;
static inline uint64_t rnd(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed * 0x9E3779B97F4A7C15u >> 11;
}
static inline int64_t below(int64_t n) { return (int64_t)(rnd() % (uint64_t)n); }

enum { N_POOL = 8 };
static blk_pool *pools[N_POOL];
static char pool_name[N_POOL][32];
static int n_pool;

static inline int set_up_pools(void **state) {
  (void)state;
  ctx_init(&C, NULL, NULL);
  for (int i = 0; blk_isa_at(i); i++)
    for (int threads = 1; threads <= 3; threads += 2) {
      pools[n_pool] = blk_pool_new(&C, threads);
      blk_pool_tune(pools[n_pool], blk_isa_at(i), 1);
      snprintf(pool_name[n_pool], sizeof pool_name[0], "%s, %d threads",
               blk_isa_at(i)->name, threads);
      n_pool++;
    }
  return 0;
}

static inline int tear_down_pools(void **state) {
  (void)state;
  while (n_pool) blk_pool_free(&C, pools[--n_pool]);
  return C.blocks_live == 0 && C.bytes_live == 0 ? 0 : -1;
}

/* ASan sees every overrun. */
static inline void *exact_alloc(size_t n) { return malloc(n ? n : 1); }

/* ── pieces of kernels ── */

static inline kv add(kir *k, kop op, kty ty, kv a, kv b, kv c, int64_t imm) {
  return kir_add(&C, k, (kins){(uint8_t)op, (uint8_t)ty, a, b, c, {.i = imm}});
}
static inline kv number(kir *k, kty ty, double v) {
  kins n = {.op = KOP_CONST, .ty = (uint8_t)ty};
  if (kty_is_float(ty)) n.imm.f = ty == KF32 ? (double)(float)v : v;
  else n.imm.i = ty == KB ? v != 0 : (int64_t)v;
  return kir_add(&C, k, n);
}
static inline elt elt_of(kty ty) {
  static const elt t[KTY_COUNT] = {ET_BIT, ET_I32, ET_I64, ET_F32, ET_F64};
  return t[ty];
}
static inline void output(kir *k, kv v, elt t) {
  k->out[k->n_out++] = (kout){.value = v, .type = (uint8_t)t};
}
#endif
