/* SPDX-License-Identifier: MIT */
/* rungs.h - the rungs of the ladder: kernels that tutorials walk through one after the
 * other, each with what it changes. A rung is data; what its choices mean is emitted by
 * reduce.c and scan.c. */
#ifndef VAPL_BENCH_RUNGS_H
#define VAPL_BENCH_RUNGS_H
#include "bench/rungs/ladder.h"

/* ── reductions ── */

typedef enum tree {                 /* how a workgroup's values become one */
                    TREE_DIVERGENT, /* workgroup memory, neighbours; thread t works if t mod 2i is 0 */
                    TREE_STRIDED, /* the same places, by the first threads */
                    TREE_SEQUENTIAL, /* halves of the array that is left, by the first threads */
                    TREE_LAST_GROUP, /* so until one subgroup is left: that one by shuffles */
                    TREE_SHUFFLES, /* every subgroup by shuffles, their results likewise */
                    TREE_INSTRUCTION, /* … by the subgroup's reduce instruction */
                    TREE_LOCAL_ATOMIC /* every thread adds to one element of workgroup memory */
} tree;
typedef enum loading { LOAD_ONE, LOAD_TWO, LOAD_QUAD, LOAD_GRID } loading;
typedef enum finish { FINISH_PASSES, FINISH_ATOMIC, FINISH_LAST } finish;

typedef struct reduce_rung {
  rung_text text;
  tree tree;
  loading load;
  finish finish;
} reduce_rung;

extern const reduce_rung reduce_rungs[];
extern const int n_reduce_rungs;
bool reduce_emit(ctx *c, const reduce_rung *r, monoid m, uint32_t subgroup,
                 cg_module *out);
/* Workgroups for n elements; *own: the kernel's number. */
uint64_t reduce_groups(const reduce_rung *r, uint64_t n, uint64_t *own);

/* ── scans ── */

typedef enum block {                 /* how a workgroup scans its tile */
                     BLOCK_HILLIS,   /* every element, log2 n times: work-inefficient */
                     BLOCK_BLELLOCH, /* up a tree and down again */
                     BLOCK_STRIPS    /* 4-wide, subgroups by their scan instruction */
} block;
typedef enum scan_plan {
  PLAN_ADD,      /* scan tiles, scan their totals, add: 4n moved */
  PLAN_TOTALS,   /* totals of tiles, scan them, scan tiles from there: 3n moved */
  PLAN_LOOKBACK, /* one pass, 2n moved: a tile waits for what the ones before publish */
} scan_plan;
/* What one kernel of a plan does. */
typedef enum scan_role {
  ROLE_SCAN,
  ROLE_ADD,
  ROLE_TOTAL,
  ROLE_CARRY,
  ROLE_LOOKBACK
} scan_role;

typedef struct scan_rung {
  rung_text text;
  block block;
  scan_plan plan;
  uint32_t window; /* of look-back: predecessors looked at together; 0: a subgroup's */
} scan_rung;

extern const scan_rung scan_rungs[];
extern const int n_scan_rungs;
uint32_t scan_tile(const scan_rung *r); /* elements */
bool scan_emit(ctx *c, const scan_rung *r, scan_role role, monoid m, uint32_t subgroup,
               cg_module *out);

/* ── compaction ── */

typedef enum compact_way { BUMP_EACH, BUMP_GROUP, TWO_PASS, ONE_PASS } compact_way;
/* What one kernel of a way does. */
typedef enum compact_role { COMPACT_COUNT, COMPACT_WRITE, COMPACT_ALL } compact_role;

typedef struct compact_rung {
  rung_text text;
  compact_way way;
} compact_rung;

extern const compact_rung compact_rungs[];
extern const int n_compact_rungs;
enum { COMPACT_TILE = 4 * KERN_WG };
/* Keeps the words that are at least kern_args.own, as unsigned numbers. Word 0 of the scratch
 * counts them for BUMP_…; look-back's stands in its state, the others' totals from word 0. */
bool compact_emit(ctx *c, compact_way way, compact_role role, uint32_t subgroup,
                  cg_module *out);

/* ── look-back ── */

/* Scratch in words: a ticket, a word that says somebody gave up, and from LOOKBACK_STATE on
 * four for each tile. */
enum { LOOKBACK_TICKET, LOOKBACK_DEAD, LOOKBACK_STATE = 4 };
/* The next tile, for the whole workgroup. */
uint32_t lookback_ticket(kern *k);
/* The workgroup's total, which all of its threads have, is told to the tiles behind. */
void lookback_publish(kern *k, uint32_t tile, uint32_t total);
/* What the totals of the tiles before this one come to, for the whole workgroup; tells: the
 * total is published now. */
uint32_t lookback_before(kern *k, uint32_t tile, uint32_t total, uint32_t window,
                         bool tells);
#endif
