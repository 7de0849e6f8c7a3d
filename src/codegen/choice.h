/* SPDX-License-Identifier: MIT */
/* choice.h - which shapes kernels have on a device: the one table is choice.c's.
 *
 *   what a device says (cg_device)  ──▶  its class's row, within what it allows (cg_choice)
 *                                            │
 *   a task  ──▶  its template  ◀─────────────┘  takes the first of its shapes that fits */
#ifndef VAPL_CG_CHOICE_H
#define VAPL_CG_CHOICE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct cg_device {
  uint32_t vendor; /* as Vulkan numbers them */
  bool cpu;
  uint32_t subgroup, least,
      most;            /* threads by itself; that may be asked for, or both 0 */
  uint32_t shared;     /* bytes of workgroup memory */
  uint32_t processors; /* 0: not known */
  bool matrix, halves; /* matrices of bytes, and of f16, have units of their own */
} cg_device;

/* None of these changes a result, but for how soon it is there. */
typedef struct cg_choice {
  const char *name;  /* of the class */
  uint32_t subgroup; /* threads; what a pipeline requires */
  uint32_t shared;   /* bytes of workgroup memory for elements; arguments come besides */
  uint32_t results;  /* words of 32 bits of a product that a thread holds */
  uint32_t keys;     /* elements that a thread puts in order */
  uint32_t
      loads;     /* how often a thread repeats a producer, its loads in flight together */
  uint32_t busy; /* workgroups that keep the device's arithmetic busy */
  uint32_t
      resident; /* workgroups side by side that may look at one another's words; 0: none */
  uint32_t smaller;    /* steps down, for what did not fit registers */
  bool matrix, halves; /* the device's */
} cg_choice;

enum { CG_CLASSES = 10, CG_SMALLER = 2 };
/* The row for a device; row `forced` - 1 if that is not 0 (tests). */
cg_choice cg_choose(const cg_device *d, uint32_t forced);

/* ── shapes, each list from the largest to the smallest ── */

/* Rows, columns and places of k of a tile; rows and columns of a thread. */
typedef struct cg_tile {
  uint32_t bm, bn, bk, tm, tn;
} cg_tile;
typedef enum cg_tiles {
  CG_TILES_WORDS,   /* values and results of 4 bytes */
  CG_TILES_BLOCKS,  /* ... and as many sums of blocks */
  CG_TILES_DOUBLES, /* values of 8 */
  CG_TILES_BLOCKS_8,
  CG_TILES_SUMS,    /* values of 4, results of 8 */
  CG_TILES_WIDE,    /* results of 16 */
  CG_TILES_COMPLEX, /* values of 16 */
  CG_TILES_MUCH,    /* much is computed of every x g y, or there is little of it all */
  CG_TILES_KINDS
} cg_tiles;
const cg_tile *cg_tiles_of(cg_tiles kind, int *n);
/* With as many results and bytes of workgroup memory as the choice has, of results of so many
 * bytes and values of x and y in workgroup memory. */
cg_tile cg_tile_within(const cg_choice *c, cg_tile s, uint32_t result, uint32_t value);

/* Has each thread an element of x and one of y to load, where a tile has so many places of k? */
bool cg_tile_feeds(const cg_tile *s, uint32_t bk);

/* Units of 32 threads, elements of a thread, rounds by which they are exchanged. */
typedef struct cg_sorter {
  uint32_t units, keys, rounds;
} cg_sorter;
typedef enum cg_sorters {
  CG_SORTERS_WORDS, /* keys alone */
  CG_SORTERS_PAIRS, /* with what goes along; or of floats */
  CG_SORTERS_WIDE,  /* keys alone, of 8 bytes */
  CG_SORTERS_WIDE_PAIRS,
  CG_SORTERS_SHORT, /* rows of few tiles */
  CG_SORTERS_ROWS,  /* of a row that a tile holds, the longest first */
  CG_SORTERS_UNITS, /* units of fewer threads: compiled code grows with the shapes */
  CG_SORTERS_KINDS
} cg_sorters;
/* The first that the choice allows. value: bytes of the largest value; unit: threads. */
cg_sorter cg_sorter_of(const cg_choice *c, cg_sorters kind, uint32_t value,
                       uint32_t unit);
#endif
