/* SPDX-License-Identifier: MIT */
/* pass.h - what one pass of a kernel is: its template, options and geometry.
 *
 * A kernel is done in tasks (ir/schedule.c makes them): map, fold lines, scan lines.
 * A task goes to the first template of kernels.def that serves it, which says by how many
 * passes it does the task, and how. Options are compiled into a pass's module, geometry
 * goes into its argument block. */
#ifndef VAPL_CG_PASS_H
#define VAPL_CG_PASS_H
#include "../kir/kir.h"

typedef enum cg_template {
#define TEMPLATE(id, name) CG_##id,
#include "kernels.def"
  CG_TEMPLATES
} cg_template;

enum { CG_WORKGROUP = 256 }; /* threads of most passes */

/* ── options ── */

typedef struct map_opts {
  uint32_t items; /* loads of `width` per thread, 1 to 16, strided by the workgroup */
  /* Sums of i32 at so many places, a multiple of the workgroup, are made in workgroup memory
   * first, of some tiles; 0: they are not. */
  uint32_t places;
} map_opts;

typedef struct transpose_opts {
  uint32_t axis; /* of the output, along which neighbours of the input lie */
} transpose_opts;

typedef struct near_opts {
  uint32_t rows; /* of a thread, 1 to 8 */
} near_opts;

/* tile_rows: rows of KIR_LANES in a tile, KIR_REDUCE_ROWS; the single
 * tile of a row may have fewer, 1 2 4 8, if they hold the row.
 * finish: 1, the only row has up to KIR_LANES tiles, and the workgroup that is the last
 * to leave its accumulator folds them all (finish.c). */
typedef struct reduce_tile_opts {
  uint32_t tile_rows;
  uint32_t finish;
  uint32_t batch;    /* rows whose loads are issued together, 1 to 16 */
  uint32_t adjacent; /* quads of a thread that are neighbours, up to 4; 0 or 1: none */
  uint32_t abreast;  /* rows of a table that a workgroup folds together; 0: one */
  uint32_t line; /* strided maps: a tile's positions differ in the last dimension alone */
} reduce_tile_opts;

/* Powers of two; rounds: 1, or threads. */
typedef struct reduce_exact_rows_opts {
  uint32_t threads; /* that share a row, up to the subgroup's */
  uint32_t rounds;  /* rows that each thread takes part in */
  uint32_t batch;   /* units whose loads are issued together */
} reduce_exact_rows_opts;

typedef struct reduce_segments_opts {
  uint32_t threads; /* of a subgroup, on a row: a power of two, from 4 */
  uint32_t top;     /* the last level that the longest row reaches */
} reduce_segments_opts;

typedef enum shared_layout {
  SHARED_LANES, /* some lanes of a few columns, down the rows of a tile */
  SHARED_QUADS  /* rows, cut into quads that the threads that load them fold */
} shared_layout;
typedef struct reduce_shared_opts {
  uint32_t layout;
  uint32_t each;  /* elements of a thread, 1 to 24; SHARED_QUADS: its quads, 1 to 8 */
  uint32_t batch; /* SHARED_LANES: rows of a tile whose loads are issued together */
  uint32_t deep;  /* SHARED_QUADS: 1 if rows have more than KIR_LANES elements */
} reduce_shared_opts;

typedef struct reduce_strided_opts {
  uint32_t batch; /* lanes whose loads are issued together, 1 to 16 */
  uint32_t four;  /* 1: a thread has four columns; a line is one batch */
  uint32_t deep;  /* 1: a line may have more lanes than a batch */
  uint32_t rows;  /* 1: a tile may have more than one row of KIR_LANES */
} reduce_strided_opts;

/* Where the prefix of a tile comes from (scan_tile.c). */
typedef enum scan_prefix_kind {
  SCAN_ALONE,   /* there is none: rows of one tile */
  SCAN_TOTALS,  /* the pass makes tiles' totals */
  SCAN_READS,   /* from these */
  SCAN_AHEAD,   /* from what other workgroups of the dispatch publish */
  SCAN_TILES,   /* of strips: the pass makes tiles' totals of theirs (scan_segments.c) */
  SCAN_BEFORES, /* it makes what comes before each of them */
  SCAN_LINES    /* SCAN_ALONE, each row in one line of every strided index map */
} scan_prefix_kind;

/* row_threads: the workgroup, which has a tile; or a power of two of at most 32, so many
 * threads share a row of one strip. */
typedef struct scan_tile_opts {
  uint32_t prefix; /* scan_prefix_kind */
  uint32_t row_threads;
  uint32_t groups;   /* of a strip, in the registers of a thread */
  uint32_t parts;    /* strips of a thread */
  uint32_t lookers;  /* SCAN_READS, _AHEAD: threads that look at totals, the first ones */
  uint32_t look;     /* totals that each looks at together */
  uint32_t patience; /* looks before it gives up */
  uint32_t starve;   /* tests: every so many tiles one is not published; 0: all are */
  uint32_t tiers;    /* of super-tiles that a row may fill; 0: it has one at most */
  uint32_t super;    /* tiles of a super-tile, where there are several */
} scan_tile_opts;

/* A thread's piece is a strip, a tile or a super-tile of a column. */
typedef enum scan_phase {
  SCAN_STRIP_TOTALS, /* strips → their totals */
  SCAN_TILE_TOTALS,  /* these → tiles' totals */
  SCAN_SUPER_TOTALS, /* these → super-tiles', each in the place of its last tile's */
  SCAN_OFFSETS,      /* these → what comes before each strip, in place */
  SCAN_STRIPS        /* strips, from there, → running accumulators */
} scan_phase;
typedef struct scan_columns_opts {
  uint32_t phase;
  uint32_t quads;  /* SCAN_STRIPS: whose loads are issued together, 1 2 4 */
  uint32_t prefix; /* 1: what comes before a piece is read */
  /* SCAN_OFFSETS: scan_tile_opts. SCAN_SUPER_TOTALS: of what the totals are read, 0 of tiles. */
  uint32_t tiers;
  uint32_t super; /* tiles of a super-tile */
} scan_columns_opts;

typedef enum order_phase {
  ORDER_COUNT,
  ORDER_BASES,
  ORDER_DIGITS,
  ORDER_STARTS,
  ORDER_PLACE,
  ORDER_ROWS
} order_phase;
typedef struct order_opts {
  uint32_t phase;
  uint32_t keys;   /* elements of a thread, up to 28 */
  uint32_t rounds; /* by which a tile goes through workgroup memory; they divide keys */
  uint32_t many;   /* ORDER_ROWS: 1, a workgroup has several rows */
  uint32_t digits; /* of a key */
  uint32_t looks;  /* ORDER_PLACE: 1, tiles look back at one another's counts */
  uint32_t starve; /* tests: every so many tiles one is not seen; 0: all are */
} order_opts;

typedef struct scan_pick_opts {
  uint32_t phase; /* pick_phase */
} scan_pick_opts;

/* A thread has rounds × deep quads of a row; deep rows of KIR_LANES only where rounds × threads
 * are the quads of one. */
typedef struct rows_opts {
  uint32_t threads; /* that share a row: a power of two, up to the workgroup's */
  uint32_t rounds;  /* a power of two */
  uint32_t deep;
} rows_opts;
/* The longest row; the most quads of a thread. */
enum { ROWS_MOST_QUADS = 8, ROWS_MOST = ROWS_MOST_QUADS * KIR_LANES };

typedef enum panel_phase { PANEL_FIRST, PANEL_STEP } panel_phase;
typedef struct panel_opts {
  uint32_t phase;
  uint32_t columns; /* of panel_shape */
} panel_opts;

typedef enum held_phase { HELD_COPY, HELD_STEP, HELD_JOIN } held_phase;
typedef struct held_opts {
  uint32_t phase, patience;          /* as scan_tile_opts have it */
  uint32_t columns, threads, length; /* of a workgroup; rows of a thread */
  uint32_t alone;                    /* 1: a dispatch for each workgroup */
} held_opts;

typedef enum solve_phase {
  SOLVE_WHOLE,
  SOLVE_FACTOR,
  SOLVE_EACH,
  SOLVE_TEAMS
} solve_phase;
typedef struct solve_opts {
  uint32_t phase, inverts;
  uint32_t m, n; /* SOLVE_WHOLE, SOLVE_TEAMS: the matrix's; else what arrays have */
} solve_opts;
enum { SOLVE_MOST = 64 }; /* rows and columns */

typedef enum product_phase { PRODUCT_TILES, PRODUCT_JOIN } product_phase;
typedef struct product_opts {
  uint32_t phase;
  uint32_t bm, bn,
      bk;          /* rows, columns of the result, places of k of a tile: powers of two */
  uint32_t tm, tn; /* rows and columns of a thread */
  uint32_t blocks; /* tiles of a block of the sum; 0: a workgroup has one block at most */
  /* Bit 0 of x, 1 of y: neighbouring threads load along k; 2 and 3: tiles are inside; 4 and 5: a
   * load has 16 bytes; 6: two tiles a round. */
  uint32_t along;
} product_opts;

typedef struct thin_opts {
  uint32_t few;      /* the side of few lines: 0 x, 1 y */
  uint32_t columns;  /* few lines of a thread */
  uint32_t deep;     /* places of k that are loaded together */
  uint32_t staged;   /* places of k of a tile in workgroup memory; 0: none */
  uint32_t wide;     /* 1: a load of it brings 4 places of k */
  uint32_t few_wide; /* of the few lines: 4 places of k (1), or lines (2), a load */
  uint32_t blocks;   /* 1: a chain may have several blocks of the sum */
  uint32_t
      axes; /* bit 0: there are parts, 1: batches, 2: workgroups side by side for the few */
} thin_opts;

/* Quotients (of f64 where there is f64: those of f32 go by these), square roots, a×b+c at once. What
 * is not is settled in integers, or made of several operations. */
enum {
  CG_NATIVE_DIV = 1,
  CG_NATIVE_SQRT32 = 2,
  CG_NATIVE_SQRT64 = 4,
  CG_NATIVE_FMA = 8,
  CG_NATIVE_KINDS = 4,   /* that a device is asked for (ir/probe.c) */
  CG_NATIVE_ROUND64 = 16 /* f64 to whole numbers: as its driver is known (vk/known.def) */
};

typedef enum matrix_phase { MATRIX_SCALE, MATRIX_PACK, MATRIX_MULTIPLY } matrix_phase;
typedef struct matrix_opts {
  uint32_t phase;
  uint32_t pieces; /* of f16 that a number is made of; 0: numbers are bytes */
  uint32_t along;  /* bit 0 of x, 1 of y: elements lie along k; else along lines */
  uint32_t wide;   /* likewise: what is loaded begins at whole words */
  uint32_t one;    /* likewise: all batches have the same */
  uint32_t limbs;  /* bytes that an integer is made of */
} matrix_opts;

typedef struct fourier_opts {
  uint32_t radices; /* of the steps, less 1, 4 bits each, the first the lowest */
  uint32_t roots;   /* where each step's are, 2 bits each */
  uint32_t columns; /* of a tile */
  uint32_t along;   /* bits: neighbouring threads load, or store, along a column */
} fourier_opts;

/* Execution modes of floats. Without the first a driver may take b<a ? b : a for a minimum that drops NaN;
 * without the second numbers below the normal ones are 0, where f32 is compared, say. */
enum {
  CG_KEEPS_SPECIAL = 1,  /* SignedZeroInfNanPreserve */
  CG_KEEPS_SUBNORMAL = 2 /* DenormPreserve */
};

enum { CG_OWN_OPTS = 10 }; /* of one template, all of them u32 */

/* Which subgroup instructions may fold exact monoids (group.c), without which shuffles do;
 * and what those may shuffle. */
enum {
  CG_GROUP_CLUSTERED = 1, /* reductions of clusters */
  /* Reductions and scans of whole subgroups: the pipeline's have just `subgroup`
   * threads, 32 at most. */
  CG_GROUP_WHOLE = 2,
  CG_GROUP_EXACT = CG_GROUP_CLUSTERED | CG_GROUP_WHOLE,
  CG_GROUP_WORDS = 4 /* no 64-bit integers: they are shuffled as two words */
};

/* What is compiled into a module, besides the kernel. Options are made from zeroed memory
 * and have no padding: a pipeline is found by a hash of their bytes. */
typedef struct cg_opts {
  uint32_t template;  /* cg_template */
  uint32_t subgroup;  /* 4 to 128, a power of two: what the pipeline will require */
  uint32_t workgroup; /* CG_WORKGROUP; MAP: a multiple of 64; scans of rows: of 32 */
  uint32_t width;     /* elements per load: 4, or 1 where rows start anywhere */
  uint32_t group;     /* CG_GROUP_…: subgroup instructions that there are */
  /* Steps of its loops after which an element leaves them, and escapes: no driver waits
   * without end. 0 where the kernel has none. */
  uint32_t loop_steps;
  uint32_t words;  /* 1: the device has no 64-bit integers, they are pairs of words */
  bool wide_index; /* element positions need 64 bits */
  bool float64;    /* the device has it */
  uint8_t keeps32,
      keeps64;        /* CG_KEEPS_…: what the device offers to keep of f32 and f64 */
  uint8_t native;     /* CG_NATIVE_…: what the device is known to round correctly */
  bool from_partials; /* reads accumulators at `from`, instead of the producer's inputs */
  bool final;  /* runs the consumer and stores outputs; else accumulators at `to` */
  bool single; /* the output has one element, in a word of its own: nothing to clear */
  union {
    uint32_t own[CG_OWN_OPTS];
    map_opts map;
    transpose_opts transpose;
    reduce_tile_opts reduce_tile;
    reduce_exact_rows_opts reduce_exact_rows;
    reduce_segments_opts reduce_segments;
    reduce_shared_opts reduce_shared;
    reduce_strided_opts reduce_strided;
    scan_tile_opts scan_tile;
    scan_columns_opts scan_columns;
    scan_pick_opts scan_pick;
    order_opts order;
    rows_opts rows;
    near_opts near;
    product_opts product;
    thin_opts thin;
    panel_opts panel;
    held_opts panel_held;
    solve_opts solve;
    matrix_opts matrix;
    fourier_opts fourier;
  };
} cg_opts;
_Static_assert(
    sizeof(cg_opts) == (7 + CG_OWN_OPTS) * sizeof(uint32_t) + 5 * sizeof(bool) + 3,
    "options are hashed as bytes: no padding, CG_OWN_OPTS of a template at most");

/* ── geometry ── */

enum { CG_OWN_SLOTS = 5 }; /* of the argument block, for what a template alone knows */

typedef struct map_geom {
  int64_t rounds; /* tiles of a workgroup, with `places` */
} map_geom;

typedef struct transpose_geom {
  int64_t first;        /* length of the output's first axis */
  int64_t down, across; /* squares along the input's fastest axis, and the output's */
} transpose_geom;

typedef struct near_geom {
  int64_t across; /* workgroups side by side */
} near_geom;

typedef struct reduce_shared_geom {
  int64_t parts;   /* of a tile's lanes, a workgroup each (SHARED_LANES) */
  int64_t values;  /* of a line in workgroup memory: lanes of a part, or quads of a row */
  int64_t rows;    /* of a workgroup (SHARED_QUADS) */
  int64_t phases;  /* before the last: each makes one value of eight */
  int64_t inverse; /* SHARED_QUADS: 2^CG_INVERSE_SHIFT ÷ values, rounded up */
} reduce_shared_geom;
enum { CG_INVERSE_SHIFT = 20 }; /* exact: below 2^11 quads, rows of at most 2^8 */

typedef struct reduce_strided_geom {
  int64_t parts;  /* of a tile's lanes, a workgroup each */
  int64_t lanes;  /* of a part */
  int64_t blocks; /* workgroups side by side */
} reduce_strided_geom;

typedef struct reduce_ordered_geom {
  int64_t lines;  /* of a workgroup */
  int64_t groups; /* of a line, or of a tile of it */
} reduce_ordered_geom;

typedef struct scan_columns_geom {
  int64_t blocks;      /* workgroups side by side */
  int64_t pieces;      /* of a column, as the phase has them */
  int64_t across_log2; /* threads side by side */
  int64_t strips;      /* of a column */
  int64_t totals_at;   /* where tiles' totals begin, behind those of all strips */
} scan_columns_geom;

typedef struct order_geom {
  int64_t number;   /* of the pass, of those that place */
  int64_t parts;    /* of a row, a workgroup each (ORDER_DIGITS) */
  int64_t rows;     /* of a workgroup (ORDER_ROWS) */
  int64_t patience; /* looks at a missing count before it is made here */
} order_geom;

typedef struct scan_segments_geom {
  int64_t strip_tiles; /* of segments of several strips */
} scan_segments_geom;

typedef struct product_geom {
  int64_t down, across; /* tiles of a result */
  int64_t chunk;        /* places of k of a part */
} product_geom;

typedef struct matrix_geom {
  product_geom tiles; /* MATRIX_MULTIPLY */
  int64_t left;       /* tiles of x, of all batches */
} matrix_geom;

typedef struct thin_geom {
  int64_t chunk, whole;    /* places of k of a part; parts that have so many */
  int64_t whole_groups;    /* workgroups of these */
  int64_t batches, across; /* workgroups for all few lines */
} thin_geom;
typedef struct panel_geom {
  int64_t step; /* number of the pass */
  int64_t rows, length, blocks, steps;
} panel_geom;

typedef struct solve_geom {
  int64_t count, m, n,
      cols; /* systems of m equations, n unknowns, cols right-hand sides */
} solve_geom;

typedef struct fourier_geom {
  int64_t done, rest; /* products of the radices before those of the pass, and behind */
  int64_t low;        /* roots of the first table */
} fourier_geom;

typedef struct cg_geom {
  int64_t rows, len, inner; /* of what the pass works on: elements, or accumulators */
  int64_t workgroups;
  int64_t tiles; /* of a line */
  union {
    int64_t own[CG_OWN_SLOTS];
    map_geom map;
    transpose_geom transpose;
    near_geom near;
    reduce_shared_geom reduce_shared;
    reduce_strided_geom reduce_strided;
    reduce_ordered_geom reduce_ordered;
    scan_columns_geom scan_columns;
    order_geom order;
    scan_segments_geom scan_segments;
    product_geom product;
    matrix_geom matrix;
    thin_geom thin;
    panel_geom panel;
    solve_geom solve;
    fourier_geom fourier;
  };
} cg_geom;
#endif
