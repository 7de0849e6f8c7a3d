/* SPDX-License-Identifier: MIT */
/* compact.c - the ladder's compactions: the elements that are kept, side by side.
 *
 * The question is where a thread may write what it has, when how much the others have is only
 * known at run time: dynamic allocation. Either by an atomic that moves on a word (bump), or by
 * an exclusive scan of the sizes. The kernels work on words, whatever they stand for; what is
 * scanned are counts. */
#include "bench/rungs/rungs.h"

enum { COMPACT_WORDS = COMPACT_TILE / KERN_WG }; /* of a thread, neighbours */

const compact_rung compact_rungs[] = {
#define RUNG(name, way, change) {{name, change}, way},
#include "bench/rungs/compact.def"
};
const int n_compact_rungs = sizeof compact_rungs / sizeof *compact_rungs;

/* A thread's words, whether each is kept, and how many are kept before each. */
typedef struct kept {
  uint32_t v[COMPACT_WORDS], is[COMPACT_WORDS], before[COMPACT_WORDS], count;
} kept;

static void load_kept(kern *k, kept *q, uint32_t tile) {
  spv *b = &k->b;
  uint32_t one = spv_u32(b, 1), base = kern_ui(k, SpvOpIMul, tile, KERN_WG);
  uint32_t thread = kern_u(k, SpvOpIAdd, base, k->tid);
  uint32_t first = kern_ui(k, SpvOpIMul, thread, COMPACT_WORDS);
  uint32_t quad = kern_ui(k, SpvOpShiftRightLogical, first, 2);
  for (uint32_t r = 0; r < COMPACT_WORDS / 4; r++)
    kern_get_quad(k, kern_ui(k, SpvOpIAdd, quad, r), q->v + 4 * r);
  q->count = spv_u32(b, 0);
  for (uint32_t j = 0; j < COMPACT_WORDS; j++) {
    uint32_t in = kern_is(k, SpvOpULessThan, kern_ui(k, SpvOpIAdd, first, j), k->n);
    uint32_t big = kern_is(k, SpvOpUGreaterThanEqual, q->v[j], k->own);
    q->is[j] = spv_op(b, k->flag, SpvOpLogicalAnd, in, big);
    q->before[j] = q->count;
    uint32_t some = kern_pick(k, k->u32, q->is[j], one, k->zero);
    q->count = kern_u(k, SpvOpIAdd, q->count, some);
  }
}

/* Scans the threads' counts: returns what stands before this thread's; *total of all. */
static uint32_t scan_counts(kern *k, uint32_t count, uint32_t *total) {
  spv *b = &k->b;
  uint32_t before = kern_group(k, SpvGroupOperationExclusiveScan, count);
  uint32_t last = spv_u32(b, k->S - 1), sum[2] = {0, spv_u32(b, KERN_WG / k->S)};
  uint32_t merge = spv_if(b, kern_is(k, SpvOpIEqual, k->lane, last));
  kern_sput(k, k->shared, k->sub, kern_u(k, SpvOpIAdd, before, count));
  spv_endif(b, merge);
  kern_barrier(k);
  uint32_t ends[2] = {k->sub, sum[1]};
  for (int i = 0; i < 2; i++) { /* of the subgroups before, of all */
    uint32_t acc = spv_local(b, k->u32, 0);
    spv_do(b, SpvOpStore, acc, k->zero);
    spv_loop l = spv_for(b, ends[i]);
    uint32_t so_far = spv_op(b, k->u32, SpvOpLoad, acc);
    uint32_t next = kern_sget(k, k->shared, l.i);
    spv_do(b, SpvOpStore, acc, kern_u(k, SpvOpIAdd, so_far, next));
    spv_endfor(b, &l);
    sum[i] = spv_op(b, k->u32, SpvOpLoad, acc);
  }
  *total = sum[1];
  return kern_u(k, SpvOpIAdd, sum[0], before);
}

/* Writes the thread's words from place `at` on. */
static void write_kept(kern *k, const kept *q, uint32_t at) {
  for (uint32_t j = 0; j < COMPACT_WORDS; j++) {
    uint32_t merge = spv_if(&k->b, q->is[j]);
    kern_put(k, k->out, kern_u(k, SpvOpIAdd, at, q->before[j]), q->v[j]);
    spv_endif(&k->b, merge);
  }
}

static void bump_each(kern *k) {
  kept q;
  uint32_t none = spv_u32(&k->b, 0), one = spv_u32(&k->b, 1);
  load_kept(k, &q, k->wid);
  for (uint32_t j = 0; j < COMPACT_WORDS; j++) {
    uint32_t merge = spv_if(&k->b, q.is[j]);
    kern_put(k, k->out, kern_atomic_add(k, k->scratch, none, one), q.v[j]);
    spv_endif(&k->b, merge);
  }
}

/* A place for the workgroup's words by one atomic. */
static uint32_t bump_group(kern *k, uint32_t total) {
  spv *b = &k->b;
  uint32_t none = spv_u32(b, 0), at = spv_shared(b, k->u32, 1);
  uint32_t merge = spv_if(b, kern_first(k));
  kern_sput(k, at, none, kern_atomic_add(k, k->scratch, none, total));
  spv_endif(b, merge);
  kern_barrier(k);
  return kern_sget(k, at, none);
}

/* From the inclusive scan of the workgroups' totals. */
static uint32_t scanned_before(kern *k) {
  uint32_t none = spv_u32(&k->b, 0), some = kern_is(k, SpvOpINotEqual, k->wid, none);
  uint32_t at = kern_ui(k, SpvOpISub, k->wid, 1);
  at = kern_pick(k, k->u32, some, at, none);
  return kern_pick(k, k->u32, some, kern_get(k, k->scratch, at), none);
}

static void compact_tile(kern *k, compact_way way, compact_role role) {
  kept q;
  uint32_t tile = way == ONE_PASS ? lookback_ticket(k) : k->wid, total, at;
  load_kept(k, &q, tile);
  uint32_t inside = scan_counts(k, q.count, &total);
  if (role == COMPACT_COUNT) {
    uint32_t merge = spv_if(&k->b, kern_first(k));
    kern_put(k, k->scratch, k->wid, total);
    spv_endif(&k->b, merge);
    return;
  }
  if (way == BUMP_GROUP) at = bump_group(k, total);
  else if (way == TWO_PASS) at = scanned_before(k);
  else at = lookback_before(k, tile, total, k->S, true);
  write_kept(k, &q, kern_u(k, SpvOpIAdd, at, inside));
}

bool compact_emit(ctx *c, compact_way way, compact_role role, uint32_t subgroup,
                  cg_module *out) {
  kern k;
  kern_begin(&k, c, SUM_I32, subgroup);
  if (way == BUMP_EACH) bump_each(&k);
  else compact_tile(&k, way, role);
  return kern_end(&k, out);
}
