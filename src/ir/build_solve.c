/* SPDX-License-Identifier: MIT */
/* build_solve.c - ⌹ of many small matrices at once, those of cells: a node for a kernel (codegen/solve.c), or the
 * host's loop, which threads share (prim/linear.c). Both have the bits of a call for each cell. */
#include "../base/arith.h"
#include "../codegen/pass.h"
#include "../prim/linear.h"
#include "../prim/scalar.h"
#include "build.h"
#include "exec.h"
#include "place.h"
#include "plan.h"

/* Elements of an argument or the result of a kernel; bytes of workgroup memory for its arguments. */
enum { MOST_ELEMENTS = 1 << 29, KEPT = 1024 };

static arr *solve_reference(prim_env *e, ir_node *n) {
  linear_shape s = {.count = n->y->count / n->axis / n->step, .m = n->axis, .n = n->step};
  s.cols = n->self->count / s.count / s.n;
  return prim_divide_systems(e, n->x, n->y, &s, n->self->rank, n->self->shape);
}

static KIND(solve, .infer = infer_systems, .fold = fold_systems,
            .reference = solve_reference, .task = KIR_SOLVE, .real = true);

typedef struct divided { /* x⌹y of cells: their shape, and the result's */
  linear_shape s;
  int rank;
  int64_t shape[ARR_MAX_RANK];
} divided;

static int64_t axis_of(const arr *a, int k) { return k < a->rank ? a->shape[k] : 1; }

/* false: the cells are none to divide, or too large to be many. */
static bool shape_of(const arr *x, const arr *y, int frame, divided *d) {
  int64_t m = axis_of(y, frame), n = axis_of(y, frame + 1), cols = m;
  if (x) cols = axis_of(x, frame + 1);
  if (y->rank > frame + 2 || m < n || !y->count || m * n > LINEAR_REFINED) return false;
  if (x && (x->rank > frame + 2 || !x->count || axis_of(x, frame) != m)) return false;
  *d = (divided){.s = {y->count / m / n, m, n, cols}, .rank = frame};
  for (int k = 0; k < frame; k++) d->shape[k] = y->shape[k];
  if (y->rank == frame + 2) d->shape[d->rank++] = n;
  if (x ? x->rank == frame + 2 : y->rank > frame) d->shape[d->rank++] = cols;
  return true;
}

/* One may be still to be opened: a host takes as long for each element as for some two bytes of each column. */
static bool has_device(ir *g, const linear_shape *s) {
  if (!chooses_ways(g)) return g->dev || device_open(g);
  opens_device(g, 2 * (uint64_t)(s->count * s->m * s->n * s->n));
  return g->dev;
}

/* Workgroup memory has a matrix with a row more, and a number for each column, in arrays of powers of two. */
static bool fits_kernel(const ir_call *call, const divided *d) {
  const linear_shape *s = &d->s;
  int64_t m = next_pow2(s->m), n = next_pow2(s->n);
  bool fits = has_device(call->g, s) && m <= SOLVE_MOST &&
              s->count <= MOST_ELEMENTS / s->m / s->n &&
              s->count <= MOST_ELEMENTS / s->m / max_i64(s->cols, 1);
  int64_t bytes = 8 * (m + 2) * n;
  return fits && s->cols && bytes <= gpu_get_info(call->g->dev)->max_shared - KEPT;
}

static arr *doubles(const ir_call *call, arr *a) {
  OWNED arr *r = a->type == ET_F64 ? arr_retain(a) : node_convert(call, a, ET_F64);
  return begun(call, &r);
}

static arr *by_kernel(const ir_call *call, arr *x, arr *y, const divided *d) {
  OWNED arr *a = doubles(call, y), *b = x ? doubles(call, x) : NULL;
  if (!a || (x && !b)) return NULL;
  ir_node n = {.kind = &kind_solve, .p = P_DOMINO, .x = b, .y = a, .axis = (int)d->s.m};
  n.step = d->s.n;
  n.rows = n.inner = 1;
  n.len = a->count;
  OWNED arr *r = node_new(call, n, d->rank, d->shape);
  if (!r || sc_number_type(x, y) == ET_F64) return arr_move(&r);
  return node_convert(call, r, ET_F32);
}

arr *ir_divide_cells(const ir_call *call, arr *x, arr *y, int frame) {
  enum { WORK = 64 }; /* how many times that of a map's element */
  divided d;
  bool real = is_readable(y, false) && (!x || is_readable(x, false));
  if (!real || !shape_of(x, y, frame, &d)) return NULL;
  if (is_for_kernels(call, y, WORK * y->count) && fits_kernel(call, &d))
    return by_kernel(call, x, y, &d);
  if (err_is(call->env.c)) return NULL;
  if (!ir_host(call->g, y) || (x && !ir_host(call->g, x))) return NULL;
  prim_env e = call->env;
  return prim_divide_systems(&e, x, y, &d.s, d.rank, d.shape);
}
