/* SPDX-License-Identifier: MIT */
/* ir.h - the lazy graph: primitives on long arrays build nodes, short ones just compute;
 * forcing a node infers, fuses, plans kernels and runs them on the host or on the device.
 *
 * An ir belongs to one interpreter. Arguments are borrowed, results owned, NULL on an
 * error. An error of pending work is found when it is verified; it then carries the place
 * that its node's ir_call had. Of several, the one built first wins: the error that eager
 * evaluation would have raised. */
#ifndef VAPL_IR_H
#define VAPL_IR_H
#include "../prim/direct.h"
#include "../base/str.h"

struct gpu;
struct gpu_given;
typedef struct ir ir;

typedef struct ir_config {
  ctx *c;
  /* NULL or "auto": choose for each kernel; "host": never a device; else see gpu.h. */
  const char *device;
  int nth;                       /* as in gpu_config */
  const struct gpu_given *given; /* as in gpu_config */
  const char *cache_dir;
  int threads;
  bool validate;
  void (*log)(void *user, const char *text);
  void (*hint)(void *user, const char *text); /* with log_user; NULL: no hints */
  void *log_user;
  uint64_t max_device_bytes;
  const char *tune; /* tests and benchmarks: "name=value …", see ir.c; NULL */
} ir_config;

ir *ir_new(const ir_config *cfg); /* opens no device */
void ir_free(ir *g);

uint64_t ir_seq(const ir *g);          /* grows with every node: a journal's clock */
const uint64_t *ir_clock(const ir *g); /* where that stands */
/* A call that stands there, and began when ir_seq was `since`, ends: errors of what it built, which
 * may be found later, have gone through it. False after WS FULL. */
bool ir_left_call(ir *g, span at, uint64_t since);
/* After ir_first_error: the sequence number of what is at fault. */
uint64_t ir_error_seq(const ir *g);
/* After an INTERRUPT: is earlier work left to be verified? */
bool ir_unverified(const ir *g);
/* May work that was built before fail still, here or on another rank? */
bool ir_may_fail(const ir *g);

/* What a primitive depends on besides its arguments, and where it stands in the
 * source. */
typedef struct ir_call {
  ir *g;
  prim_env env;
  span at; /* borrowed; a node that is built keeps its source */
} ir_call;
/* The same with ⎕IO←0, and with ⎕CT←0. */
static inline ir_call from_zero(ir_call call) {
  call.env.io = 0;
  return call;
}
static inline ir_call exactly(ir_call call) {
  call.env.ct = 0;
  return call;
}

/* Primitives: the same meanings as in prim/direct.h, lazy where that pays. Of NULL, which an
 * earlier step gave, they give NULL, so that steps follow one another without a test between. */
arr *ir_monadic(const ir_call *call, prim f, arr *y);
arr *ir_dyadic(const ir_call *call, prim f, arr *x, arr *y);
/* Primitives of simple arrays at hand of up to that many elements are prim/direct.h's if the result is no
 * longer: these two need not be asked. -1: they must, for somebody looks on. */
int64_t ir_at_once(const ir *g, bool scalar);
arr *ir_reduce(const ir_call *call, prim f, arr *y, int axis);
/* y repeated to an array of that shape, whose axis k[i] is y's axis i, of the same
 * length: no element moves until something reads them all. */
arr *ir_spread(const ir_call *call, arr *y, int rank, const int64_t *shape, const int *k);
arr *ir_reshape(const ir_call *call, arr *y, int rank, const int64_t *shape);
/* y's windows, as move_windows has them (prim/move.h): likewise. */
typedef struct ir_stencil {
  int n; /* axes that the windows move along */
  int64_t size[ARR_MAX_RANK], step[ARR_MAX_RANK], frame[ARR_MAX_RANK];
} ir_stencil;
arr *ir_windows(const ir_call *call, arr *y, const ir_stencil *s);
/* ⍋ or ⍒ of each line along y's last axis. NULL without an error: they are for the host. */
arr *ir_order_lines(const ir_call *call, prim f, arr *y);
/* The different elements of the vector y, whole numbers or characters, in the order in which they
 * come and, unless `numbers` is NULL, for each element the number of its equal among them, from 0:
 * where a device has y and they are of a small range. NULL without an error: it is not so. */
arr *ir_few_different(const ir_call *call, arr *y, arr **numbers);
/* The first places, from ⎕IO, of m in x's lines along its last axis, m being their greatest or least
 * elements, which nobody has computed yet. NULL without an error: it is not, or one fold cannot tell. */
arr *ir_place_of_extreme(const ir_call *call, arr *x, const arr *m);
/* y's elements in that order, where x is such a result, of y or of an array as long, that nobody has
 * computed yet. NULL without an error: it is none, or its numbers are to be looked up. */
arr *ir_sorted(const ir_call *call, arr *y, const arr *x);
/* The same, on the host where it is for the host. */
arr *index_there(const ir_call *call, arr *y, int n, arr *const *at);
/* The box of y that begins at from[k] along each axis and is size[k] long there. */
arr *ir_box(const ir_call *call, arr *y, const int64_t *from, const int64_t *size);
/* y[at[0];…], NULL standing for all of an axis, where a kernel reads through it; NULL without
 * an error: it is for prim_index. */
arr *ir_index(const ir_call *call, arr *y, int n, arr *const *at);
/* The numbers of the elements that y[at[0];…] has, in y's ravel, from ⎕IO; likewise. */
arr *ir_places(const ir_call *call, arr *y, int n, arr *const *at);
/* The numbers in `at`, of n places, are looked at before the array is made ready that takes puts: pending ones of
 * little work are computed by the kernel that puts, then, instead of stored. */
void ir_look(const ir_call *call, arr *at, int64_t n);
/* Has a device a alone, or is a so long that a device is to have it? */
bool ir_is_for_device(const ir_call *call, const arr *a);
/* Is putting v to the places `at` of x, NULL: unknown yet, a matter for a device? */
bool ir_takes_puts(const ir_call *call, const arr *x, const arr *at, const arr *v);
/* The elements of *x whose numbers, from ⎕IO, `at` has become those of v, or the only one of
 * v: of those that have one place the last. *x is written over if it has no other reference,
 * else replaced. False without an error: it is for the host, and nothing has happened. */
bool ir_put(const ir_call *call, arr **x, arr *at, arr *v);
/* They become what they are f these, one after the other; likewise. */
bool ir_put_joined(const ir_call *call, prim f, arr **x, arr *at, arr *v);
bool ir_put_ordered(const ir_call *call, prim f, arr **x, arr *at, arr *v);
/* Is none of the numbers in `at`, places of x, there twice? Kernels are asked only if
 * `surely`. -1 after an error. */
int ir_distinct(const ir_call *call, const arr *x, arr *at, bool surely);
/* f[axis] y, x NULL, and x f[axis] y of what is no scalar function. */
arr *ir_along(const ir_call *call, prim f, arr *x, arr *y, arr *axis);
/* x/y of a vector of truth values and one as long. */
arr *ir_compress(const ir_call *call, arr *x, arr *y);
/* x/y along axis k, from 0, of y; x\y if `expand`. */
arr *ir_replicate(const ir_call *call, arr *x, arr *y, int k, bool expand);
/* The vector whose items are stretches of the vector y, which pairs tells as
 * ir_reduce_segments has it, at least one; none of them is made before it is asked for. */
arr *ir_items(const ir_call *call, arr *y, arr *pairs);
/* Is a such a vector still? Then its parts, borrowed. */
bool ir_stretches(const arr *a, arr **y, arr **pairs);
/* Is it the rows of a matrix? That, owned; NULL without an error: no. */
arr *ir_rows(const ir_call *call, const arr *a);
/* The stretches one behind the other. */
arr *ir_together(const ir_call *call, arr *y, arr *pairs);
/* Where stretches of these lengths lie that follow one another. */
arr *ir_part_pairs(const ir_call *call, arr *lengths);
/* Numbers, one for each stretch: its length, or its first or last position; and the least and the
 * greatest length. */
typedef enum part_number { PART_LENGTH, PART_BEGIN, PART_END } part_number;
arr *ir_part_numbers(const ir_call *call, arr *pairs, part_number what);
bool ir_part_lengths(const ir_call *call, arr *pairs, int64_t *least, int64_t *most);
/* f/x/y without the selection: of an exact fold, or one that finds out if it is not. NULL
 * without an error: it is none such, or too short. */
arr *ir_reduce_where(const ir_call *call, prim f, arr *x, arr *y);
/* How many ones x has; NULL without an error: it is no vector of truth values. */
arr *ir_ones(const ir_call *call, arr *x);
/* The least and the greatest of the integers in y, which has some; they are computed. False without an error: it has
 * become real. */
bool ir_extremes(const ir_call *call, arr *y, int64_t *lo, int64_t *hi);
/* The Fourier transform of y, numbers, along that axis, or the inverse one, times `by`. */
arr *ir_fourier(const ir_call *call, arr *y, int axis, bool inverse, double by);
/* y's numbers as floats of type t; ⎕UCS of characters, or numbers; and characters each as what
 * change(it, how) says. NULL without an error: they are for the host. */
arr *ir_floats(const ir_call *call, arr *y, elt t);
arr *ir_code_points(const ir_call *call, arr *y);
arr *ir_translate(const ir_call *call, arr *y, uint32_t (*change)(uint32_t, int),
                  int how);
/* The least and the greatest of the whole numbers in a, which has some: computed, unless they
 * are known. */
bool ir_bounds(const ir_call *call, arr *a, int64_t *lo, int64_t *hi);
/* Batches of x f.g y (prim/inner_product.h), of scalar functions and simple arrays: the result has
 * elements, k is not 0, and x and y are not both of rank 1 at most. */
struct prim_factors;
arr *ir_product(const ir_call *call, const struct prim_factors *p);
/* x⌹y, or ⌹y where x is NULL, of all cells behind the first `frame` axes, which are the same of both. NULL without
 * an error: they are for calls. (build_solve.c, a leaf) */
arr *ir_divide_cells(const ir_call *call, arr *x, arr *y, int frame);
/* x∘.f y of truth values at hand, at once; NULL without an error: they are something else. */
arr *ir_outer_truths(const ir_call *call, prim f, const arr *x, const arr *y);
/* f/ of stretches of the vector y: pairs, which is computed, has a row of two i64 for each, its first
 * position and the one behind its last; none lies over another, and they ascend. Each is folded as f/
 * folds it alone. NULL without an error: some have no elements. */
arr *ir_reduce_segments(const ir_call *call, prim f, arr *y, arr *pairs);
/* f\ of such stretches, each where its elements are: elsewhere the result has any values. */
arr *ir_scan_segments(const ir_call *call, prim f, arr *y, arr *pairs);
/* r, just made, whose stretches are all of y; or which is y[x], all numbers of x being those of elements. */
arr *ir_certain(arr *r);
arr *ir_scan(const ir_call *call, prim f, arr *y, int axis);
/* f/ and f\ along an axis, f being a function of two scalars that was told from its
 * definition (kir/expr.h). NULL without an error: no kernel does it, call f. */
struct kexpr;
union kimm;
typedef struct ir_function {
  const struct kexpr *e;
  const union kimm *param; /* KEXPR_PARAMS scalars of the call */
  bool forward, assoc;     /* the options of the same names */
} ir_function;
arr *ir_fold_function(const ir_call *call, const ir_function *f, arr *y, int axis,
                      bool scan);
/* f of each element of y, and x, which is NULL, a scalar or of y's shape (or y is a scalar), with
 * its elements made. *mixed: of some of them the class may be less than the result's. NULL likewise;
 * an error is left to calls of f. */
arr *ir_map(const ir_call *call, const ir_function *f, arr *x, arr *y, bool *mixed);
/* Element i (from 0) of the ravel of what is pending or on the device, as a scalar: the rest
 * of it is neither made nor moved. NULL without an error where that cannot be: index on
 * the host. */
arr *ir_pick(const ir_call *call, arr *y, int64_t i);
/* Structural ones with an axis, indexing and the like settle their arguments and run on
 * the host: use ir_host, then prim/direct.h. */

/* Makes the type definite and the elements present somewhere. */
bool ir_settle(ir *g, arr *a);
/* ... and on the host, of no nested array; without a hint. */
bool ir_await(ir *g, arr *a);
/* The same where that need not wait for a device: else a's elements are under way, and a is pending
 * still for whoever asks what they are, but not for the kernels that read them. */
bool ir_begin(ir *g, arr *a);
/* Does an element of a, which is pending, come of several of y? Then the same function of a would
 * compute each element of a several times, if a had none. */
bool ir_spreads(const arr *a, const arr *y);
/* Makes the type definite; the elements may be pending still. */
bool ir_resolve(ir *g, arr *a);
/* Makes the elements present on the host, at every depth. */
bool ir_host(ir *g, arr *a);
/* The same of its own elements alone: items of a nested array stay where they are. */
bool ir_host_own(ir *g, arr *a);
/* The same where a nested array has long items that are pending, or on the device; else as ir_host: for who
 * hands items on. And: does it have such? */
bool ir_host_frame(ir *g, arr *a);
bool ir_keeps_items(const ir *g, const arr *a);
/* As ir_host of an array of which a part is used: its length says nothing of the work. */
bool ir_host_part(ir *g, arr *a);
/* Makes them present on the device: opens it if needed. */
bool ir_device(ir *g, arr *a);
/* The buffer, which it takes over, has the elements of a, which had none. */
struct gpu_buf;
void ir_adopt(ir *g, arr *a, struct gpu_buf *b);
/* Runs or checks all pending work that can fail: before a prompt, a return to C, a guard,
 * a branch, input or output. False: the first error is recorded and all pending work that
 * came after it is dropped. */
bool ir_verify(ir *g);

/* An error has just been raised, at once or by ir_verify: if pending work that was built
 * before it is at fault too, that error takes its place, as eager evaluation would have
 * it. */
void ir_first_error(ir *g);

/* When the next program begins: of the work that an INTERRUPT left to be verified, what nobody has
 * the result of is not done any more. */
void ir_drop_unused(ir *g);

/* An attempt at what can be done in another way, say the calls of a function for many cells as
 * one for all of them: ir_attempt begins it, ir_attempt_end ends it. r is what came of it, or
 * NULL. True: no node made since is at fault or has left the type it was taken to have, nor
 * will be; r's elements are there if that had to be found out. False: nothing of the attempt
 * remains; no error is recorded but an interrupt, or one of earlier work. */
uint64_t ir_attempt(ir *g);
bool ir_attempt_end(ir *g, uint64_t since, arr *r);
/* Are so many calls worth an attempt to make them one? */
bool ir_lifts(const ir *g, int64_t calls);

/* ── what is done, for whoever looks on (steps.c) ── */
/* A function that is being applied. Between begin and end, what is made present on the host
 * is of this step, unless another one begins. Without effect while nobody looks on. */
typedef struct ir_step {
  struct ir_step *outer;
  bool on;
  int64_t elements; /* of the longest array that it used on the host */
  int64_t calls;    /* of an operand, cell by cell */
  const char *met;  /* what has no rule for all cells at once; NULL: that is not known */
  uint64_t came;    /* bytes, from the device */
} ir_step;
void ir_step_begin(ir *g, ir_step *s);
bool ir_step_end(ir *g, ir_step *s); /* is it worth telling? */
/* Another C stack goes on, with its own innermost step: that of the one before. */
ir_step *ir_step_now(ir *g, ir_step *s);
void ir_step_calls(ir *g, int64_t n, const char *met);
/* why: NULL where a kernel could do it. */
void ir_step_tell(ir *g, const ir_step *s, const char *name, const char *why);
/* ]plan: every step between the two, as text; none if nothing long was done. s NULL: they
 * are forgotten. */
void ir_watch(ir *g);
bool ir_watch_end(ir *g, str *s);
/* Benchmarks: nanoseconds of device time that the kernel which forces pending `a` takes,
 * each of `n` samples the mean of `repeat` runs back to back; `a` stays pending. Its
 * region must be one kernel; the device is opened if need be. *bytes: what the kernel
 * must move. */
bool ir_bench(ir *g, arr *a, int n, int repeat, double *ns, uint64_t *bytes);
/* Bytes a nanosecond that move when the device, or the host, copies about so many in all,
 * timed when first asked for; 0: that cannot be had. */
double ir_copy_rate(ir *g, bool device, uint64_t moved);
/* ]device and ]mem: which back end and why; what is held and was moved. */
bool ir_describe(ir *g, str *out);
/* What was measured of the device that is open, and what its driver is known for; nothing where none is. */
bool ir_examine(ir *g, str *out);
bool ir_memory(ir *g, str *out);
/* ]time: what was done between the two, in lines, none if no kernel ran. End waits for
 * the device. */
void ir_time_begin(ir *g);
bool ir_time_end(ir *g, str *out);
/* ]time -n: what kernels have done so far, those on the host and those on the device. The
 * device's own time counts while the meter is on. ir_read waits for the device. */
typedef struct ir_reading {
  uint64_t kernels[2], bytes[2], dispatches; /* bytes: that kernels had to move */
  uint64_t steps, crossed; /* what the host did at once; bytes to or from the device */
  double device_ns;
} ir_reading;
void ir_meter(ir *g, bool on);
bool ir_read(ir *g, ir_reading *r);
/* Who is told when lazy work is done: of the node (its ir_seq) for which a kernel runs, and what the
 * device took for it, while the meter is on. begins gives what ended is given. */
typedef struct ir_onlooker {
  void *(*begins)(void *user, uint64_t seq);
  void (*ended)(void *user, void *begun);
  void (*took)(void *user, uint64_t seq, double ns);
  void *user;
} ir_onlooker;
void ir_look_on(ir *g, const ir_onlooker *o); /* NULL: nobody; borrowed */
ir_reading ir_since(const ir_reading *now, const ir_reading *was);
/* One run by one timing: `run` is what it did, t how long it took. */
struct steady;
bool ir_time_report(ir *g, const struct steady *t, int samples, const ir_reading *run,
                    str *out);
struct gpu *ir_gpu(ir *g); /* opens the device; NULL after DEVICE ERROR */
/* While set, the sink is given each kernel that runs, 'g' as ]plan shows it and 'k' as
 * KIR, and 's' each SPIR-V module when it is emitted (VAPL_DUMP, tests). */
typedef void (*ir_sink)(void *user, char stage, const char *text, const uint32_t *words,
                        size_t n);
void ir_set_sink(ir *g, ir_sink sink, void *user);
#endif
