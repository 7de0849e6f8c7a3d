/* SPDX-License-Identifier: MIT */
/* graph.h - the lazy graph's insides, shared by the files of src/ir only.
 *
 *   ir.c      the ir itself, options, arrays' release, moving between host and device
 *   build.c   primitives → nodes (or, when short, → prim/host.h at once)
 *   infer.c   types, ranges and rows of nodes
 *   fuse.c    a node and what it draws in → one kernel (plan)
 *   exec.c    THE PAGE TO READ FIRST: the stages in order, redo, verification
 *   device.c  a plan's passes on the device
 *   pipeline.c the pipelines of kernels that were met before
 *   resident.c which arrays are on the device, and which leave when it is full
 *   probe.c   what has to be measured of a device
 *   show.c    ]plan, dumps
 *   report.c  ]device, ]mem, ]time
 *
 * An array is pending while `a->node` is set. Its node owns references to the arguments;
 * the array owns the node. */
#ifndef VAPL_IR_GRAPH_H
#define VAPL_IR_GRAPH_H
#include "ir.h"
#include "../codegen/codegen.h"
#include "../host/host.h"
#include "../kir/lower.h"
#include "../vk/gpu.h"
#include "../base/mem.h"

typedef enum nkind {
  N_MONAD,
  N_DYAD, /* scalar functions */
  N_REDUCE,
  N_SCAN, /* along an axis of y: rows × len × inner, len being the axis */
  N_IOTA, /* first + step×i, stored nowhere */
  N_FILL, /* the scalar y, everywhere */
  N_VIEW  /* element first + step×i of y's ravel; with `dims` first + step×W(i) */
} nkind;

typedef struct ir_node {
  ir *g;
  arr *self; /* the pending array: it owns this node */
  nkind kind;
  prim p;
  arr *x, *y;
  int axis; /* of y: REDUCE and SCAN */
  int64_t rows, len, inner;
  int64_t first, step;
  uint8_t dims; /* of a VIEW that is strided (see kir.h), in strided; 0: none */
  kstrided strided;
  double ct;
  span at;
  uint64_t seq;
  uint32_t weight; /* of the pending expression below it: bounds what one kernel holds */
  bool wide;       /* escaped: compute it in the next wider way */
  bool verified;   /* every element has been computed without a fault */
  bool loose;      /* its type may change still, or that of something below it */
  bool complex;    /* it may become complex */
  bool listed;     /* in ir.unverified, which holds a reference to self */
  uint8_t forced;  /* how often a kernel computed it without storing it */
  /* What infer made of it, valid while `epoch` is the ir's: */
  uint64_t epoch;
  cls row; /* of prim.def; NONE: since an argument escaped only the host has one */
  bool float_variant, no_overflow, faulty, wide_sum, leaves_reals;
  kty ty; /* in which the body (or the fold) computes */
} ir_node;

typedef struct ir_tune {
  int64_t direct; /* arrays of at most this many elements are computed at once */
  int64_t
      device_min; /* bytes a kernel must move to be worth a device, in automatic choice;
                         negative: to be measured when the device is opened */
  int64_t allocation, staging, cut; /* gpu_config's */
  bool fuse;
  int64_t wg;    /* workgroup of MAP */
  int64_t items; /* loads per thread of MAP; 0: chosen */
  int64_t width; /* elements per load of MAP, 1 or 4; 0: chosen */
} ir_tune;

/* What was measured of a device; kept beside its pipelines. All zero: nothing yet. */
enum { QUOTIENTS_UNKNOWN, QUOTIENTS_EXACT, QUOTIENTS_ROUGH };
typedef struct device_note {
  uint32_t version, quotients;
  double round_trip; /* ns from handing a small kernel over to having its result */
  double host_rate;  /* bytes a ns that the host's threads move */
} device_note;

/* Pipelines by a hash of what they were made from (pipeline.c). */
typedef struct pipeline_table {
  struct pipeline_entry *at; /* open addressing; NULL: there is none yet */
  size_t n;
} pipeline_table;

struct ir {
  arr_owner owner; /* first: arr_release finds the ir by it */
  ir_config cfg;
  ctx *c;
  ir_tune tune;
  uint64_t seq, error_seq, epoch;
  uint64_t dropped; /* nodes so far that are pending no more */
  int depth;        /* forces that run inside one another */
  bool faulted;     /* the recorded error is that of the node numbered error_seq */
  bool blamed;   /* and no earlier node is at fault: ir_first_error has nothing to do */
  size_t relief; /* bytes_live at which what only `unverified` holds is computed */
  blk_pool *pool;
  gpu *dev;
  bool dev_tried;   /* automatic choice has looked for a device */
  gpu_buf *results; /* flags, then small results: read back together */
  VEC(arr *) unverified;
  pipeline_table young, old; /* pipelines met lately, and before */
  VEC(gpu_buf *) scratch;    /* partial accumulators of the kernel being recorded */
  str *watch;                /* ]plan looks on */
  ir_sink sink;
  void *sink_user;
  uint64_t host_runs, device_runs, evicted, bytes_evicted,
      refuges;                /* runs for want of memory */
  const struct plan *running; /* on the device: its arrays must stay there */
  device_note note;
  bool metering; /* ]time: since these counts */
  gpu_usage was;
  uint64_t was_host, was_device;
};

enum {
  IR_RESULT_FLAGS = KIR_MAX_FAULT * 2 * 4,
  IR_RESULT_BYTES = IR_RESULT_FLAGS + KIR_MAX_OUT * 8
};
enum { IR_MAX_WEIGHT = 2400, IR_MAX_UNVERIFIED = 512, IR_RELIEF = 256 << 20 };

/* One kernel to be: what it computes, what it reads, which nodes its flags belong to. */
/* From an element of the kernel's domain to one of an array's ravel: element i is number
 * off + step×i, or off + step×W(i) behind a view that is strided. */
typedef struct route {
  const ir_node *strided;
  int64_t off, step;
} route;
typedef struct plan_memo {
  const arr *a;
  route at;
  int phase;
  kv v;
} plan_memo;
typedef struct plan {
  ir *g;
  ctx *c;
  arr *root;
  bool dry; /* ]plan: nothing may run */
  str *out; /* where ]plan prints */
  kir k;
  int64_t rows, len, inner; /* as in kir_bind */
  arr *in[KIR_MAX_IN];
  route at[KIR_MAX_IN];
  const ir_node *strided[KIR_MAX_STRIDED];
  kimm param[KIR_MAX_PARAM];
  ir_node *fault[KIR_MAX_FAULT];
  ir_node *fold;
  int phase; /* 0 before the FOLD, 1 behind it */
  bool full; /* it did not fit one kernel: the arguments must be made first */
  ir_node *
      odd; /* no kernel can compute this one: it must be made first, by the direct path */
  VEC(plan_memo) memo;
  VEC(ir_node *) whole; /* nodes all of whose elements this kernel computes */
} plan;

/* ir.c */
void node_drop(ir *g, arr *a); /* the array is no longer pending: its node is freed */
static inline bool is_pending(const arr *a) { return a->node != NULL; }
/* build.c */
arr *node_oracle(ir_node *n); /* the node by the direct path, its arguments made; owned */
double short_exponent(prim p,
                      const arr *y); /* 2 or 0.5 where p is * and y that scalar; else 0 */
bool beyond_f32(
    const arr *a); /* one f64 that f32 cannot hold: the direct path says what is wrong */
/* infer.c */
void infer(ir *g,
           arr *a); /* a and what is pending below it: types and ranges up to date */
bool may_read_complex(const ir_node *n); /* may an argument become complex? */
void infer_node(ir_node *n);             /* this node, its arguments being up to date */
bool fold_exists(prim p, cls on); /* can a kernel fold p over arguments of this class? */
kfold fold_monoid(const ir_node *n);
cls class_of(const arr *a);
/* fuse.c */
bool plan_make(plan *p, ir *g, arr *root, bool dry, str *out);
void plan_free(plan *p);
/* exec.c */
bool force(ir *g, arr *a, bool dry, str *out); /* dry: only print what it would take */
bool relieve(ir *g); /* keeps the list of what is unverified, and what it pins, bounded */
blk_pool *host_pool(ir *g);
bool on_device(ir *g, const plan *p, bool dry); /* where this kernel should run */
/* resident.c */
bool ir_upload(ir *g, arr *a);   /* its elements are on the device, too */
bool ir_download(ir *g, arr *a); /* ... on the host */
/* gpu_alloc; where memory is short other arrays leave the device. The buffer is that of `tag`, an
 * array that may leave in its turn; NULL: of nobody, and stays. */
gpu_buf *device_alloc(ir *g, uint64_t bytes, arr *tag);
void device_forget(ir *g, arr *a); /* its elements are on the host alone */
/* probe.c */
bool division_is_exact(ir *g); /* does the device round quotients correctly? */
void find_crossover(ir *g);    /* tune.device_min, unless it was given */
/* device.c */
bool device_open(ir *g); /* the device that was asked for, or the best; NULL-safe, once */
bool device_serves(const ir *g, const plan *p); /* has what the kernel needs */
bool device_run(plan *p, uint32_t *flags);      /* leaves the root with its elements */
/* Device time of one run of the plan's passes, the mean of `repeat`; stores no result. */
bool device_time(plan *p, int repeat, double *ns);
void device_passes(const plan *p, str *out); /* "2 passes, …" for ]plan */
/* pipeline.c */
gpu_kernel *pipeline_get(ir *g, const kir *k,
                         const cg_opts *o); /* NULL: it cannot be made */
void pipelines_free(ir *g);
/* show.c */
void show_bytes(str *s, uint64_t n);
void show_count(str *s, uint64_t n, const char *one,
                const char *more); /* "1 pass", "2 passes" */
void show_kernel(const plan *p, str *out);
void show_stages(const plan *p); /* a kernel that is about to run, to whoever looks on */
uint64_t plan_bytes_read(const plan *p);
uint64_t plan_bytes_written(const plan *p);
#endif
