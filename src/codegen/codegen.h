/* SPDX-License-Identifier: MIT */
/* codegen.h - KIR to SPIR-V words.
 *
 * cg_emit makes one SPIR-V 1.5 compute module, entry point "main", from a kernel and the pass
 * of it that is wanted. It never calls Vulkan and never fails but for memory or a device
 * feature that the caller should have looked at. The module has no descriptor: its one push
 * constant is the 64-bit address of its argument block, read as a struct of 8-byte slots:
 *
 *   slot 0 len      elements of a row (of the producer's domain)
 *        1 rows
 *        2 groups   two u32: the end of the workgroups that this dispatch runs, and its first
 *                   (long work is cut); a 2-D grid may have more, they leave at once
 *        3 tiles    tiles of a row: group g works on row g ÷ tiles, tile g mod tiles
 *        4 flags    address of the flag words (u32), pairs (error, escape) as in kir_bind
 *        5 from     address of the partial accumulators read   (`from_partials`)
 *        6 to       address of the partial accumulators written (unless `final`)
 *        7 carry    address of a scan's carries                 (`carry`)
 *        8 inner    elements right of the folded axis
 *        9 parts    10 part    11 each    12 steps   13 blocks: see cg_geom
 *        14..       inputs: address, offset, step (3 slots each); outputs: address (1 slot
 *                   each); params: value (1 slot each: KI32 KI64 sign-extended, KF32 in the
 *                   low 32 bits, KF64 as bits, KB 0 or 1)
 *
 * Buffers are allocated with at least 16 bytes of slack behind their data, so that 4-wide
 * loads and stores at the tail are safe; what is read there is garbage, and raises no flag.
 *
 * What the planner must see to:
 *   - width 4 wants rows that start at a multiple of 4 elements (len % 4 == 0 if rows > 1), and
 *     in a SCAN with a bit output at a multiple of 32 (len % 32 == 0 if rows > 1), of 8-bit and
 *     16-bit ones at whole words, which the first rule gives. Else width 1: right for any rows,
 *     slower. A STEP input is read element by element at either width.
 *   - an output for which cg_needs_clear is true must be zeroed before the kernel runs: its
 *     elements are OR-ed in, since rows or threads of several workgroups share words.
 *   - wide_index from 2^31 - 2^16 elements on (rows × len, the largest input, STEP positions).
 *   - subgroup: the pipeline's subgroups must have full size and this many invocations or a
 *     multiple of it (a kernel for 8 also runs at 32), and shuffle and vote operations. A MAP
 *     without narrow outputs runs at any size. */
#ifndef VAPL_CODEGEN_H
#define VAPL_CODEGEN_H
#include "../kir/kir.h"

enum {
  CG_SLOT_LEN,
  CG_SLOT_ROWS,
  CG_SLOT_GROUPS,
  CG_SLOT_TILES,
  CG_SLOT_FLAGS,
  CG_SLOT_FROM,
  CG_SLOT_TO,
  CG_SLOT_CARRY,
  CG_SLOT_INNER,
  CG_SLOT_PARTS,
  CG_SLOT_PART,
  CG_SLOT_EACH,
  CG_SLOT_STEPS,
  CG_SLOT_BLOCKS,
  CG_SLOT_INPUTS
};

/* How a pass of a REDUCE works.
 *   TILE     a workgroup folds a tile of a row (inner 1)
 *   STAGE    a workgroup loads a panel of neighbouring elements into its memory, and folds
 *            there what lies `inner` apart: many short lines, or some lanes of a long one
 *   COLUMNS  a thread folds lanes of one column, or of four, next to its neighbours'
 *   FEW      a thread folds four rows of a few elements
 * And a SCAN of columns (march.c): the totals of tiles by COLUMNS, then
 *   MARCH    a thread scans a tile of one column, or of four
 *   GROUPS, BASES, GROUP   where that makes few threads: totals of groups of 128; these become
 *            what comes before each group, in place; threads scan groups from there */
typedef enum cg_way {
  CG_TILE,
  CG_STAGE,
  CG_COLUMNS,
  CG_FEW,
  CG_MARCH,
  CG_GROUPS,
  CG_BASES,
  CG_GROUP
} cg_way;

typedef struct cg_opts {
  uint32_t subgroup;  /* 4 to 128, a power of two: what the pipeline will require */
  uint32_t workgroup; /* 256 for REDUCE and SCAN; MAP: a multiple of 64 */
  uint32_t width;     /* elements per load: 4, or 1 where an input is a STEP */
  uint32_t items;  /* MAP: loads of `width` per thread, 1 to 16, strided by the workgroup;
                         STAGE: quads per thread, 1 to 8; COLUMNS: lanes of a batch, 1 to 16;
                         FEW: elements of a row, 1 to 7 */
  bool wide_index; /* element positions need 64 bits */
  bool float64, int64_mulhi;   /* what the device has */
  bool preserve32, preserve64; /* the device offers SignedZeroInfNanPreserve: without it a
                     driver may take b<a ? b : a for a minimum that drops NaN (NVIDIA does) */
  bool exact_div; /* quotients settled in integers: for devices whose f64 division is not
                     correctly rounded; f32 goes by f64 where there is f64, always right */
  /* REDUCE and SCAN are made of passes over rows × tiles workgroups. */
  uint32_t tile_rows; /* rows of KIR_LANES in a tile: KIR_REDUCE_ROWS or KIR_SCAN_ROWS; a
                         single tile {final} may have fewer, 1 2 4 8, if they hold the row */
  uint32_t
      row_threads; /* SCAN. 0 or 256: a workgroup has one row (or tile). A power of two
                           below: this many threads share a row of at most 4 times as many
                           elements, groups is ⌈rows ÷ (256÷row_threads)⌉, tiles 1; only {final} */
  bool small;   /* REDUCE: few pipelines for many shapes are worth more than the fastest
                         for each; no part of the module */
  cg_way way;   /* REDUCE; SCAN of columns */
  bool columns; /* STAGE: inner is not 1. SCAN: likewise */
  bool lanes;   /* STAGE: some lanes of a line, down the rows of its tile; with quads, all
                         lanes of rows that are at most a tile. COLUMNS: a tile
                         may have more than one row */
  bool quads;   /* STAGE: rows, cut into quads that the threads that load them fold.
                         COLUMNS: a thread has four columns; not deep; of one row if width is 1 */
  bool deep;    /* COLUMNS: a line may have more lanes than a batch */
  bool totals;  /* a SCAN kernel's first pass: tile totals by the reduce rule → `to` */
  bool
      from_partials; /* read accumulators at `from`, len of them a row, instead of the producer */
  bool
      final; /* run the consumer and store the outputs; else store accumulators at `to` */
  bool single; /* the output has one element, in a word of its own: nothing to clear */
  bool
      carry; /* SCAN: accumulator carry[row × tiles + tile - 1] (not in tile 0) is the carry in */
} cg_opts;
/* Passes: REDUCE with one tile {final}; else {} then {from_partials}… then {from_partials, final}.
 * SCAN with one tile {final}; else {totals}, an inclusive scan of the totals (a scan of
 * from_partials, not final, recursively: {from_partials, totals}, …, {from_partials, carry}),
 * then {final, carry}. A not final scan may write where it reads if its rows are one tile.
 * A REDUCE of whole rows (inner 1, way TILE) may be planned by hand so; cg_reduce_pass chooses
 * the way for any geometry.
 * Only what the carries need is computed: neither a row's last total nor, in a not final scan
 * of an integer product, its last element can escape. An accumulator in memory takes
 * cg_acc_bytes: KB 4 (a u32 0 or 1), KI32 KF32 4, KI64 KF64 8, wide 16 (low, high). */
typedef struct cg_geom {
  int64_t rows, len,
      inner;             /* of what the pass folds: its kernel's input, or accumulators */
  int64_t groups, tiles; /* workgroups; tiles of a line */
  int64_t
      parts; /* of a tile's lanes, a workgroup each: STAGE lanes, COLUMNS. STAGE quads:
                    2^CG_QUAD_SHIFT ÷ part, rounded up */
  int64_t
      part; /* lanes of a part or, COLUMNS, of a thread, a power of two. STAGE quads: quads of a row side by side */
  int64_t each; /* STAGE: rows of a panel. COLUMNS: log2 of the threads side by side */
  int64_t
      steps; /* STAGE: phases before the last. COLUMNS: log2 of the threads on a column */
  int64_t blocks; /* COLUMNS: workgroups side by side */
  /* MARCH and its like: parts: workgroups side by side; each as in COLUMNS; part: tiles or
   * groups of a column; steps: groups of a column */
} cg_geom;
/* Chooses the way, and what of *o depends on it, for a pass over z->rows × len × inner; fills
 * in the rest of *z. What it leaves is rows × tiles × inner accumulators, or, if cg_parts_left
 * says more than 1, (rows × tiles) × parts × inner, which a pass folds into the former. A STEP is for one
 * line only. */
void cg_reduce_pass(const kir *k, cg_opts *o, cg_geom *z);
/* Into how many parts it leaves each tile. */
int64_t cg_parts_left(const cg_opts *o, const cg_geom *z);
enum { CG_QUAD_SHIFT = 20 }; /* exact: below 2^11 quads, rows of at most 2^8 */
/* The same for a SCAN of columns. The totals of all tiles but the last: rows × (tiles - 1) ×
 * inner accumulators, whose inclusive scan (not final, MARCH) is the carries of MARCH and BASES.
 * A pass of o->way MARCH, GROUPS, BASES or GROUP; cg_march_cuts: whether the last three serve
 * better. GROUPS leaves rows × steps × inner, the carries of GROUP when BASES has been there. */
void cg_totals_pass(const kir *k, cg_opts *o, cg_geom *z);
void cg_march_pass(const kir *k, cg_opts *o, cg_geom *z);
bool cg_march_cuts(const cg_geom *z);
/* Elements up to which a dispatch's own time counts, whatever it does: there few pipelines for
 * many shapes are worth more than the fastest for each. */
enum { CG_SMALL = 1 << 17 };

int cg_acc_bytes(const kir *k);
kty cg_acc_type(const kir *k); /* KI64 when wide */

/* Must output number `out` be zeroed before the (final) kernel runs? */
bool cg_needs_clear(const kir *k, const cg_opts *o, uint32_t out);

/* Threads that share a row: 256, or fewer for short rows. */
uint32_t cg_row_threads(const cg_opts *o);
/* Is this pass one over words of bits (count.c)? */
bool cg_counts(const kir *k, const cg_opts *o);
/* Elements of a row that one workgroup handles in this pass. Sums, ∧/ and ∨/ of bits are made
 * a word at a time and their order does not show: their tiles are CG_COUNT_ROWS times as long. */
enum { CG_COUNT_ROWS = 16 };
int64_t cg_tile(const kir *k, const cg_opts *o);
/* 8-byte slots that the argument block takes; the first of dimension d of a strided, behind all
 * else: its stride, and but for the first dimension its length and cg_magic of that. */
enum { CG_STRIDED_STRIDE, CG_STRIDED_N, CG_STRIDED_MAGIC, CG_STRIDED_SLOTS };
uint32_t cg_arg_slots(const kir *k);
uint32_t cg_out_slot(const kir *k, uint32_t out);
uint32_t cg_param_slot(const kir *k, uint32_t param);
uint32_t cg_strided_slot(const kir *k, uint32_t strided, uint32_t dim);
/* What divides a position below 2^31 by n, 2 ≤ n < 2^31: the low word is m, the high word s,
 * and p÷n is the upper half of p×m, shifted right by s. */
uint64_t cg_magic(uint64_t n);

typedef struct cg_module {
  uint32_t *words;
  size_t n;
} cg_module; /* freed with mem_free */
bool cg_emit(ctx *c, const kir *k, const cg_opts *o, cg_module *out);

/* The kernels that are written by hand rather than made from a kir: the benchmarks' floor.
 * A plain copy of 16-byte words: slot 0 is their count, input 0 → output 0. */
bool cg_emit_copy(ctx *c, uint32_t workgroup, cg_module *out);
#endif
