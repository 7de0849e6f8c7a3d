/* SPDX-License-Identifier: MIT */
/* task.h - which passes do a task: what ir/schedule.c asks, and what templates answer
 * with. */
#ifndef VAPL_CG_PLAN_H
#define VAPL_CG_PLAN_H
#include "choice.h"
#include "codegen.h"

typedef enum cg_task_kind {
  CG_TASK_MAP,   /* elements → outputs */
  CG_TASK_FOLD,  /* each line → an accumulator a tile, or a part of one */
  CG_TASK_SCAN,  /* each line → its running accumulators */
  CG_TASK_ORDER, /* each row → its tuples in the order of their keys */
  CG_TASK_ROWS, /* each row → its outputs, folds of the row among what they are made of */
  CG_TASK_PANEL,  /* a matrix → its reflections */
  CG_TASK_SOLVE,  /* matrices → what they are divided into */
  CG_TASK_FOURIER /* each line → its Fourier transform */
} cg_task_kind;

/* A line runs along the axis; there are rows × inner of them, of len elements each. What
 * is worked on are the kernel's inputs or, from_partials, accumulators in its place. */
typedef struct cg_task {
  const kir *k;
  cg_task_kind kind;
  bool from_partials;
  bool small; /* the kernel's elements are few: cg_is_small */
  int64_t rows, len, inner;
  const cg_opts *common;   /* what does not depend on the template; else zero bytes */
  const cg_choice *choice; /* which shapes there may be */
  uint32_t map_width, map_items; /* MAP: 0, or what its options have to be */
  const kstrided *strided;       /* strided index map 0; NULL: none */
  /* MAP: elements of an output that is put to; 0: none. PANEL: its output's. */
  int64_t places;
  int64_t columns;       /* MAP: of inputs that NEARs read; 0: none. PANEL: of it */
  int64_t stretch;       /* last dimension of all strided index maps; 0: they differ */
  const kstrided *right; /* of a product: that of y */
  int64_t first[2];      /* of a product: where it begins to read x and y */
  uint32_t
      digits; /* likewise: binary digits of its integers' magnitudes, if that is known */
  solve_geom systems; /* SOLVE */
  bool inverts;       /* it has no right-hand sides of its own */
  /* FOLD: up to so many tiles of the only line may be folded by the last workgroup. */
  int64_t finish_tiles;
  int64_t longest; /* FOLD: of segments, of which the line has len elements */
  /* SCAN: */
  int64_t strip_tiles; /* of segments, of which the longest has len elements (kir.h) */
  bool
      table; /* FOLD: an input is the same in all rows, or in all of a row of `stretch` */
  uint32_t most_threads; /* of a workgroup, on this device */
  /* SCAN, ORDER: workgroups that are to look at one another's words, about; 0: it is not
   * done. */
  int64_t resident;
  uint32_t patience, starve; /* scan_tile_opts */
  uint32_t super; /* SCAN, of tests: tiles of a super-tile; 0: as the tree has it */
} cg_task;

typedef enum cg_buffer {
  CG_NOTHING, /* or the kernel's inputs or outputs */
  CG_SOURCE,  /* the accumulators that the task works on */
  CG_RESULT,  /* those that it leaves; if it ends the kernel, the outputs */
  CG_OWN,     /* memory that its passes share */
  CG_OWN_B
} cg_buffer;
enum { CG_OWNS = 2 };

typedef struct cg_pass {
  cg_opts o; /* but for `final`, which the scheduler sets */
  cg_geom geom;
  cg_buffer from, to, carry;
  uint32_t times; /* it is run so often, its number in the first own slot; 0: once */
} cg_pass;

enum { CG_MAX_PASSES = 24 };
typedef struct cg_passes {
  cg_pass at[CG_MAX_PASSES];
  uint32_t n;
  int64_t own[CG_OWNS]; /* accumulators of CG_OWN and CG_OWN_B */
  bool clears;          /* CG_OWN is zero before the first pass */
  int64_t words; /* of 64 bits, that workgroups publish: in place of a pass's carry */
  /* What a FOLD leaves of each line: tiles accumulators, or of each of these `parts`,
   * which lie side by side and are to be folded first. */
  int64_t tiles, parts;
} cg_passes;

/* The passes that do a task, by the first template that serves it. */
void cg_task_passes(const cg_task *t, cg_passes *p);
/* The same by a template that need not be the first choice. */
void cg_task_passes_by(cg_template by, const cg_task *t, cg_passes *p);
const char *cg_template_name(cg_template by);
/* What was chosen for a pass of a reduction, in plain words, each behind a comma: what a
 * load brings, how threads meet (describe.c). */
struct str;
void cg_describe(const kir *k, const cg_opts *o, struct str *s);

/* Elements up to which a dispatch's own time counts, whatever it does: there few
 * pipelines for many shapes are worth more than the fastest for each. */
enum { CG_SMALL = 1 << 17 };
static inline bool cg_is_small(int64_t elements) { return elements <= CG_SMALL; }

/* Tiles that the last workgroup folds at most, where a second pass would take 3 µs. */
enum { CG_FINISH_TILES = 1024 };

/* Looks at a total that is missing before a workgroup gives up: about 0.1 s. */
enum { CG_PATIENCE = 1 << 17 };

/* Workgroups that keep the device's memory busy, for one of them is always late; threads that
 * do. */
static inline int64_t cg_enough_groups(const cg_task *t) { return 64 * t->choice->busy; }
static inline int64_t cg_enough_threads(const cg_task *t) {
  return CG_WORKGROUP * (int64_t)t->choice->busy;
}

/* Must output number `out` be zeroed before a final pass with these options? */
bool cg_needs_clear(const kir *k, const cg_opts *o, uint32_t out);

/* ── for the templates (task.c) ── */

/* Instructions up to which a producer is short, and from which it is long, or very long:
 * it is repeated less often. */
enum { CG_SHORT_PRODUCER = 16, CG_LONG_PRODUCER = 48, CG_VERY_LONG_PRODUCER = 128 };

/* One more pass of the task: from its source to its result, one workgroup. */
cg_pass *cg_add_pass(cg_passes *p, const cg_task *t, cg_template by);
/* Loads of a thread that may be in flight together. */
static inline uint32_t cg_loads(const cg_task *t) {
  return t->choice->loads >> t->choice->smaller;
}
/* How often a producer's instructions are repeated, at most `want` times: long ones
 * seldom. */
uint32_t cg_repeat(const cg_task *t, uint32_t want);
/* Elements per load for tiles of rows. */
uint32_t cg_row_width(const cg_task *t);
/* Rows of KIR_LANES that the only tile of a row needs, 1 or 4, or `rows` of them. */
uint32_t cg_fit_tile(const cg_task *t, uint32_t rows);
#endif
