/* SPDX-License-Identifier: MIT */
/* graph.h - the lazy graph's nodes, and the state that the files of src/ir share. The
 * layers, each of which uses those above it alone:
 *
 *   graph.c      a node's end, the list of the unverified                      graph.h
 *   join.c       functions that fold, compiled                                 join.h
 *   infer.c      types, ranges and rows of nodes                               plan.h
 *   multi_reduce.c   reductions that one kernel computes together
 *   row_fusion.c   reductions of rows and the map behind them
 *   stencil.c    maps that read neighbours
 *   fuse.c       a node and what it draws in → one kernel (plan)
 *   node_*.c     the kinds of nodes: all that the layers above and below ask about one      kind.h
 *   resident.c   which arrays are on the device, which leave when it is full   device.h
 *   pipeline.c   the pipelines of kernels that were met before
 *   probe.c      what has to be measured of a device                           place.h
 *   measure.c    ... of its subgroups, when it is opened                       place.h
 *   schedule.c   a plan's kernel as an array of passes                         schedule.h
 *   device.c     these passes on the device                                    device.h
 *   place.c      the host or the device?                                       place.h
 *   steady.c     time that is worth quoting                              steady.h
 *   rate.c       the speed of a copy
 *   report.c     ]device, ]mem, ]time                                          show.h
 *   show.c       ]plan, dumps
 *   steps.c      what is done, for whoever looks on
 *   exec.c       THE PAGE TO READ FIRST: the stages in order, redo, verification        exec.h
 *   node_cut.c   an array of which other ranks have the rest                            cuts.h
 *   ir.c         the ir itself, options, moving between host and device        ir.h
 *   build_node.c a new node, and the entries to
 *   build.c      primitives → nodes (or, when short, → prim/direct.h at once), with
 *   build_few.c, build_windows.c (windows), build_select.c (x/y, y[x]), build_segments.c (parts),
 *                build_put.c (y[x]←v),
 *                build_sets.c (⍳ ∊ ∪ ∩ ~), build_search.c (⍸ ⍷ ≡) and build_fold.c (folds by functions)
 *
 * An array is pending while `a->node` is set. Its node owns references to the arguments;
 * the array owns the node. */
#ifndef VAPL_IR_GRAPH_H
#define VAPL_IR_GRAPH_H
#include "../array/view.h"
#include "../base/mem.h"
#include "../kir/kir.h"
#include "../prim/inner_product.h"
#include "../vk/gpu.h"
#include "ir.h"
#include "kind.h"

/* Boxes side by side: a view (array/view.h) along the fewest axes that tell its parts. Part k is what
 * lies from position lo[k][a] on along each axis a; source 0 is x, or y where there is no x. */
typedef struct node_move {
  int rank, parts;
  bool fills;
  int64_t n[ARR_MAX_RANK], lo[2][ARR_MAX_RANK];
  view_part part[2];
} node_move;

typedef enum seek { SEEK_NONE, SEEK_UP, SEEK_DOWN, SEEK_LEAST } seek;

typedef struct ir_node {
  ir *g;
  arr *self; /* the pending array: it owns this node */
  const node_kind *kind;
  prim p;
  arr *x, *y;
  int axis; /* of y: REDUCE and SCAN */
  int64_t rows, len, inner;
  /* REDUCE and SCAN of segments of y (kir.h), of at most len elements: these. PUT: NULL, or for each
   * place the number of the only element of y that goes there; of a JOIN one that those have which go
   * there are less than. */
  arr *pairs;
  arr *into; /* PUT: its elements become those of self, in its memory. Nobody else's */
  /* REDUCE: NULL, or of which product; owned, with its arrays. y is all x g y then, which has no
   * memory: a DYAD whose `of` is this node. */
  prim_factors *factors;
  struct ir_node *of;
  /* REDUCE: not the least value, but where the first element is in the order of ⍋, of ⍒, or of ⌊ */
  seek seeks;
  bool words; /* REDUCE of a product: y and the result are 32 truth values at a time */
  kput put;   /* PUT: how, and by which monoid */
  kfold monoid;
  elt as; /* CONVERT; LOOKUP and PUT of seats: what keys are compared as */
  int64_t first, step;
  bool sorted;     /* ORDER: elements themselves */
  bool exclusive;  /* SCAN: of the elements before each one; sums of integers alone */
  bool few;        /* PARTS of a few scalars that waited: no work for a kernel */
  node_move *move; /* of PARTS, owned; else NULL */
  bool fills;      /* INDEX */
  bool
      certain; /* INDEX: x has numbers of elements alone; of segments: they are all of y */
  uint8_t dims; /* of a VIEW that is strided (see kir.h), in strided; 0: none */
  kstrided strided;
  bool inverse; /* FOURIER, whose result is multiplied by `by`, too */
  double by, ct;
  span at;
  err_calls *calls; /* that were left since it was built; NULL: none */
  uint64_t seq;
  uint32_t weight;  /* of the pending expression below it: bounds what one kernel holds */
  uint32_t at_step; /* ctx_limits' steps when it was built */
  /* REDUCE and SCAN of a function of two scalars (join.h), of which p is P_COUNT unless it
   * is a primitive; both NULL: by a monoid of p's. */
  struct join_fn *fn;
  struct join_code *code; /* fn for y's type: infer made it */
  bool serial;            /* one element after the other */
  bool wide;              /* escaped: compute it in the next wider type */
  bool verified;          /* every element has been computed without a fault */
  bool bounded;           /* self's range is that of its elements, which were measured */
  bool unresolved;        /* its type may change still, or that of something below it */
  bool complex;           /* it may become complex */
  bool none; /* it may be ⌈ or ⌊ of no elements, or what was made of such */
  /* Its elements left the reals: it is computed as complex. And: all of them, which were computed as
   * complex, are real. */
  bool left, real;
  bool listed; /* in ir.unverified, which holds a reference to self */
  /* 1 + the place in ir.chain of the kernel that computes it, and which of its outputs it is:
   * elements on the device that kernels may read, and that are not verified yet. */
  uint8_t link, link_out;
  bool
      begun; /* it was one once: it is stored, for what reads a part of it relies on that */
  uint8_t forced;                  /* how often a kernel computed it without storing it */
  struct ir_node *earlier, *later; /* in ir.unverified, by seq */
  struct ir_node *reader;          /* the latest node that has it as x or y; NULL: none */
  struct ir_node *next_reduction, *previous_reduction; /* REDUCE: in ir.reductions */
  /* What infer made of it, valid while `epoch` is the ir's: */
  uint64_t epoch;
  cls row;      /* of prim.def; NONE: since an argument escaped only the host has one */
  bool inexact; /* escapes where an argument is an integer that is no double */
  bool float_variant, no_overflow, may_fault, wide_sum, leaves_reals;
  uint8_t form, faults; /* which form its body has, and what that may do (prim_faults) */
  bool loops;           /* its kernel has a LOOP */
  kty ty;               /* in which the body (or the fold) computes */
} ir_node;

static inline arr *part_source(const ir_node *n, int k) {
  return n->x && n->move->part[k].source == 0 ? n->x : n->y;
}
/* Is n a view of neighbouring elements of y? */
static inline bool is_slice(const ir_node *n) {
  return n->kind->view && !n->dims && n->step == 1;
}
static inline bool is_pending(const arr *a) { return a->node != NULL; }
static inline bool is_linked(const arr *a) { return a->node && a->node->link; }
/* Does it lie among ir.results? Longer arrays of the chain have memory of their own. */
static inline bool in_results(const arr *a) { return is_linked(a) && !a->dev; }
/* 0 of what has elements, on the device at least, and of no array. */
static inline uint32_t weight_of(const arr *a) {
  return a && a->node && !a->node->link ? a->node->weight : 0;
}
void steps_tell(ir *g);          /* what g->tells rests on has changed */
void node_drop(ir *g, arr *a);   /* the array is no longer pending: its node is freed */
void reductions_add(ir_node *n); /* until node_drop */
void node_read_by(ir_node *n, arr *a); /* n reads a, or NULL, until node_drop */
void node_verified(ir_node *n); /* no fault can come of it any more: it leaves the list */
void unverified_add(ir_node *n);
/* Without effect where it is not listed. May release the last reference to its array. */
void unverified_remove(ir_node *n);

typedef struct ir_tune {
  int64_t direct;         /* arrays of at most this many elements are computed at once */
  int64_t threads, share; /* 0: as many as processors, and from a measured size on */
  int64_t middle;         /* or this many, where that is one loop over elements at hand */
  int64_t
      at_once; /* or this many, where that loop does several instructions in vectors */
  bool any_length; /* several, but few of floats: however many, where threads are few */
  bool given_middle, given_at_once;
  int64_t measure; /* 0: none of these is measured */
  /* Bytes that a kernel must move to be worth a device, in automatic choice; negative: to
   * be measured when the device is opened. */
  int64_t device_min;
  int64_t allocation, staging, cut; /* gpu_config's */
  bool fuse;
  int64_t wg;     /* workgroup of MAP */
  int64_t items;  /* loads per thread of MAP; 0: chosen */
  int64_t width;  /* elements per load of MAP, 1 or 4; 0: chosen */
  int64_t loop;   /* steps that a LOOP may take on a device; 0: chosen */
  int64_t finish; /* tiles that a fold's last workgroup folds at most; 0: another pass */
  enum { SCAN_CHOSEN, SCAN_ONE_PASS, SCAN_TWO_PASSES } scan;
  int64_t lift;             /* fewest calls that are lifted; 0: none are */
  int64_t patience, starve; /* of scans that look ahead (codegen/pass.h) */
  int64_t hints;
  int64_t smaller;      /* steps down from the shapes that are chosen */
  int64_t device_class; /* row + 1 of codegen/choice.c; 0: that of the device */
  int64_t
      exchange_from; /* bytes of an array whose elements are exchanged by devices, not from the host */
  int64_t rank_wait; /* seconds that a rank waits for others; 0: without end */
  int64_t cut_from;  /* elements from which arrays are cut, where there are ranks */
  const char *mask;  /* gpu_config's; borrowed */
  bool kernels;      /* movement is by kernels, on the host too */
} ir_tune;

/* What was measured of this machine (costs.c); 0: nothing, what is built in holds. */
typedef struct host_costs {
  uint32_t version;
  double wake;   /* ns until all threads have been woken and are done */
  int64_t share; /* steps of work from which threads share it */
  int64_t middle, at_once;
} host_costs;

/* What was measured of a device; kept beside its pipelines. All zero: nothing yet. */
enum { NOTE_LARGE = 1024 };
enum { ROUNDS_UNKNOWN, ROUNDS_EXACTLY, ROUNDS_ROUGHLY };
enum { PROGRESS_UNKNOWN, PROGRESS_MADE, PROGRESS_NONE };
typedef struct device_note {
  uint32_t version, rounds[4]; /* by bit of CG_NATIVE_… */
  /* What the device said of its subgroups when they were measured, 0: never; their size, 0: they have
   * none; facts; do workgroups that began go on while others wait (measure.c)? */
  uint32_t said, subgroup, facts, progress;
  double round_trip; /* ns from handing a small kernel over to having its result */
  double host_rate;  /* bytes a ns that the host's threads move */
  /* Passes whose shape is too large for the device (pipeline.c): how many were, their names by hash. */
  uint64_t n_large, large[NOTE_LARGE];
} device_note;

/* Pipelines by a hash of what they were made from (pipeline.c). */
typedef struct pipeline_table {
  struct pipeline_entry *at; /* open addressing; NULL: there is none yet */
  size_t n;
} pipeline_table;

enum { IR_COPY_SIZES = 19 }; /* of a copy: 2^10 to 2^28 bytes */
enum { IR_JOINS = 64 };
enum { IR_TABLES = 8 };

/* ir.results: what the kernels of the chain, and the one that ends it, tell the host. From IR_RESULT_MIDDLE on their
 * flags, before it their single results, those of the first nearest to it; so all of them lie side by side,
 * and no byte more is read. Then two counters.
 *
 *     …  results 2  results 1 │ flags 1  flags 2  …  counters
 *
 * A single result has the bytes and the alignment of the widest store, for a kernel stores whole vectors also
 * where it has one element. */
enum {
  IR_CHAIN = 128,
  IR_RESULT_FLAGS = KIR_MAX_FAULT * 2 * 4, /* of one kernel, at most */
  IR_RESULT_SLOT = 16,
  IR_RESULT_MIDDLE = IR_CHAIN * KIR_MAX_OUT * IR_RESULT_SLOT,
  IR_RESULT_COUNTER = IR_RESULT_MIDDLE + IR_CHAIN * IR_RESULT_FLAGS,
  IR_RESULT_BYTES = IR_RESULT_COUNTER + 8
};

struct step_line { /* of ]plan */
  char *text;      /* owned */
  uint64_t times;
};

struct blk_pool;
struct ir_cuts;
struct ir_primitives;
struct ir {
  arr_owner owner; /* first: arr_release finds the ir by it */
  ir_config cfg;
  ctx *c;
  ir_tune tune;
  uint64_t seq, epoch; /* of the next node; of the latest inference */
  const struct ir_primitives
      *primitives; /* which of them become nodes, by whom (build.h) */
  /* Several ranks run the program (cuts.h): arrays of more elements are computed in parts, and what
   * knows how; INT64_MAX and NULL: one does. */
  int64_t cut_above;
  const struct ir_cuts *cuts;
  /* Errors and verification: exec.c. */
  uint64_t error_seq;    /* the node that the recorded error is attributed to */
  bool error_attributed; /* it is attributed to one */
  bool error_is_first;   /* and no earlier node faults: ir_first_error need not look */
  uint64_t fault_seq;    /* the latest node that a fault was found of */
  int depth;             /* forces that run inside one another */
  ir_node *unverified;   /* the latest of them */
  size_t n_unverified;
  ir_node *reductions; /* all pending ones, the latest first */
  size_t memory_mark;  /* bytes_live at which what only the list holds is computed */
  /* The host and the device. */
  struct blk_pool *pool;
  gpu *dev;
  bool dev_tried;   /* automatic choice has looked for a device */
  int64_t asked_at; /* ns of this thread: when a large array first asked for one; 0 */
  /* Small results and flags, read back together; then a counter of workgroups, 0
   * between dispatches if counter_clean. */
  gpu_buf *results;
  arr *awaited; /* the host waits for this one's elements; NULL: for none */
  bool counter_clean;
  bool flags_clean; /* all flags are zero but for those of kernels under way */
  /* The words in which workgroups of a scan publish totals; the tag that the last such
   * dispatch had; may they hold tags that are still to come? */
  gpu_buf *words;
  uint32_t tag;
  bool words_clean;
  /* Kernels that were recorded, and whose flags wait for those of the next (exec.c). */
  struct plan *chain[IR_CHAIN - 1];
  uint32_t n_chain;
  uint64_t chain_bytes;  /* that their results take */
  bool chain_tells;      /* some have flags, or results for the host */
  bool begins;           /* the outermost force may end with a link: ir_begin */
  bool chain_off, apart; /* until the outermost force is done */
  uint32_t doubts;       /* so many kernels to come are not relaxed (relax.c) */
  unsigned char back[IR_RESULT_COUNTER]; /* the same as it was last read */
  pipeline_table young, old;             /* pipelines met lately, and before */
  VEC(gpu_buf *) scratch;     /* partial accumulators of the kernel being recorded */
  const struct plan *running; /* on the device: its arrays must stay there */
  device_note note;
  struct ir_words { /* of the kernel that copies, once it is needed (rate.c) */
    uint32_t *at;
    size_t n;
  } copier;
  uint8_t asked[4]; /* how often it was asked what note.rounds does not say */
  host_costs costs;
  /* Elements from which it is asked what ways cost, and whom: costs.c, which builds nodes and
   * forces them, and so is above both: NULL in a build without it. */
  int64_t costs_from;
  void (*costs_wanted)(struct ir *g, int64_t n);
  struct join_code *join[IR_JOINS]; /* functions compiled lately (join.c) */
  uint32_t join_next;
  struct ir_table { /* of Fourier transforms, made lately (build_fourier.c) */
    int64_t n;
    int what;
    arr *a; /* owned, or NULL */
  } table[IR_TABLES];
  uint32_t table_next;
  /* What others are shown. */
  bool tells, watching; /* somebody looks on: steps.c; it is ]plan */
  struct ir_step *step; /* the innermost function being applied */
  VEC(struct step_line) steps;
  ir_reading watch_was;
  uint64_t host_steps, hinted[8];
  bool told_lack; /* that the device has no f64 */
  ir_sink sink;
  void *sink_user;
  uint64_t host_runs, device_runs, evicted, bytes_evicted;
  uint64_t fallbacks; /* kernels that ran on the host for want of device memory */
  const ir_onlooker *onlooker; /* NULL: none */
  uint64_t works_for;          /* the node for which kernels run, while there is one */
  bool metering;               /* ]time: since these counts */
  gpu_usage was;
  ir_reading time_was;
  uint64_t bytes_worked[2]; /* that kernels had to move: the host's, the device's */
  /* rate.c: bytes a ns of copies by the host and by the device, by size; 0: not yet timed. */
  double copy_rate[2][IR_COPY_SIZES];
};

enum { IR_MAX_WEIGHT = 2400, IR_MAX_UNVERIFIED = 512, IR_MEMORY_STEP = 256 << 20 };
#endif
