/* SPDX-License-Identifier: MIT */
/* solve.c - the template of many small systems x⌹y, or ⌹y, by the order of operations of prim/linear_loops.c: same
 * bits.
 *
 *   SOLVE_WHOLE    up to SOLVE_UNROLLED numbers of a matrix: a thread for each right-hand side, which makes the
 *                  factors, too, all of it in registers: loops are unrolled
 *   SOLVE_FACTOR   larger ones: a workgroup for each matrix, a thread for each column, in workgroup memory
 *   SOLVE_EACH     a thread for each right-hand side, or of few a team: a thread for each row and column; what a sum, or
 *                  another thread, needs goes through workgroup memory
 *
 * One emission serves all but teams: a `num` is a number that is known, or an id. Loops from one known number to
 * another are unrolled. A column of a matrix lies behind the one before it.
 *
 * What is not solved here (a singular matrix, columns of extreme size, a result that is no number) is an error's
 * flag: the host does it all again, and says what there is to say.
 *
 * On one H200 2^18 inverses of 4×4 take 0.72 ms (torch.linalg.inv 0.74), of 3×3 0.30 (0.57), 2^14 of 8×8 0.40 (0.14): six
 * refinements in twice the precision are most of the work. By teams 2^12 solutions of 16 equations take 0.38 ms, of 64 equations
 * 2^8 1.3 ms, by a thread each 0.96 and 11.8; 2^12 inverses of 16×16 2.6 ms, by threads 1.2.
 *
 * TRIED: SUMS threads for each right-hand side, each with every eighth element in registers, a sum of a dot product each,
 * one barrier for a dot product: 16 equations 0.36 ms, least squares of 20×4 0.40 → 0.29, but 64 equations 2.2, inverses
 * of 16×16 2.0, of 32×32 3.2 → 4.2, of 64×64 10 → 11.5, of 8×8 1.3. */
#include "template.h"

#include "../base/arith.h"
#include "cg_arith.h"

/* ── how ────────────────────────────────────────────────────────────────────────────── */

enum {
  SOLVE_UNROLLED = 64,
  THREADS = 64,      /* of a workgroup */
  SUMS = 8,          /* of linear_loops.c's sums, side by side */
  LEAST = 16,        /* threads of a team: more than SUMS */
  ENOUGH = 1 << 14,  /* right-hand sides that keep a device busy without teams */
  ROWS_TOGETHER = 4, /* residuals that read a value once */
  SLACK = 512,       /* elements that such rows read beyond a matrix */
  REFINE_STEPS = 6,
  MODERATE = 500
};

bool solve_serves(const cg_task *t) { return t->kind == CG_TASK_SOLVE; }

static cg_pass *add_pass(cg_passes *p, const cg_task *t, solve_phase phase) {
  const solve_geom *s = &t->systems;
  cg_pass *pass = cg_add_pass(p, t, CG_SOLVE);
  pass->o.width = 1;
  pass->o.workgroup = THREADS;
  pass->o.solve.phase = phase;
  pass->o.solve.inverts = t->inverts;
  pass->geom = (cg_geom){.rows = 1, .len = t->len, .inner = 1, .tiles = 1};
  pass->geom.solve = *s;
  int64_t each = THREADS; /* right-hand sides of a workgroup */
  pass->o.solve.m = (uint32_t)s->m;
  pass->o.solve.n = (uint32_t)s->n;
  if (phase != SOLVE_WHOLE) {
    if (phase == SOLVE_FACTOR) pass->to = CG_OWN;
    else pass->from = CG_OWN;
    pass->o.solve.m = (uint32_t)next_pow2(s->m);
    pass->o.solve.n = (uint32_t)next_pow2(s->n);
  }
  if (phase == SOLVE_EACH && s->count * s->cols >= ENOUGH) {
    pass->o.solve.m = (uint32_t)max_i64(pass->o.solve.m, ROWS_TOGETHER);
    pass->o.solve.n = (uint32_t)max_i64(pass->o.solve.n, ROWS_TOGETHER);
  } else if (phase == SOLVE_EACH) {
    pass->o.solve.m = (uint32_t)max_i64(pass->o.solve.m, LEAST);
    pass->o.solve.n = 0;
    each /= pass->o.solve.m;
  }
  pass->geom.workgroups = ceil_div(s->count * s->cols, each);
  if (phase == SOLVE_FACTOR) pass->geom.workgroups = s->count;
  return pass;
}

void solve_passes(const cg_task *t, cg_passes *p) {
  const solve_geom *s = &t->systems;
  if (s->m * s->n <= SOLVE_UNROLLED) {
    add_pass(p, t, SOLVE_WHOLE);
    return;
  }
  p->own[0] = s->count * (2 * s->m * s->n + 3 * s->n) + SLACK;
  add_pass(p, t, SOLVE_FACTOR);
  add_pass(p, t, SOLVE_EACH);
}

/* ── numbers and loops ──────────────────────────────────────────────────────────────── */

typedef struct num { /* u32 */
  bool known;
  uint32_t n, id;
} num;

static num known(uint32_t n) { return (num){.known = true, .n = n}; }
static num of_id(uint32_t id) { return (num){.id = id}; }
static uint32_t id_of(cg *g, num a) { return a.known ? spv_u32(g->b, a.n) : a.id; }

static num num_op(cg *g, SpvOp op, num a, num b) {
  if (!a.known || !b.known) return of_id(cg_u(g, op, id_of(g, a), id_of(g, b)));
  switch (op) {
  case SpvOpIAdd: return known(a.n + b.n);
  case SpvOpISub: return known(a.n - b.n);
  case SpvOpIMul: return known(a.n * b.n);
  case SpvOpUDiv: return known(a.n / b.n);
  default: return known(a.n % b.n);
  }
}
static num plus(cg *g, num a, num b) { return num_op(g, SpvOpIAdd, a, b); }
static num less(cg *g, num a, num b) { return num_op(g, SpvOpISub, a, b); }
static num times(cg *g, num a, num b) { return num_op(g, SpvOpIMul, a, b); }

typedef struct
    each { /* i: from, from + step, … below `to`, which may end within a step */
  num i, to;
  uint32_t step;
  bool done;
  spv_loop l;
} each;

static each each_begin(cg *g, num from, num to, uint32_t step) {
  each e = {.i = from, .to = to, .step = step};
  if (from.known && to.known) return e;
  num n = plus(g, less(g, to, from), known(step - 1));
  n = num_op(g, SpvOpUDiv, n, known(step));
  e.l = spv_for(g->b, id_of(g, n));
  e.i = plus(g, times(g, of_id(e.l.i), known(step)), from);
  return e;
}
static bool each_goes_on(const each *e) {
  return e->l.head ? !e->done : e->i.n < e->to.n;
}
static void each_next(cg *g, each *e) {
  if (e->l.head) spv_endfor(g->b, &e->l);
  else e->i.n += e->step;
  e->done = true;
}
#define EACH(e, from, to, step)                                                          \
  for (each e = each_begin(g, from, to, step); each_goes_on(&e); each_next(g, &e))

/* ── memory ─────────────────────────────────────────────────────────────────────────── */

typedef enum place { IN_THREAD, IN_WORKGROUP, IN_MEMORY } place;
typedef struct vec { /* of f64, from element `from` on */
  place where;
  uint32_t at; /* a variable, or u64: an address */
  num from;
} vec;

typedef struct solve_state {
  uint32_t type; /* f64 */
  num m, n, cols;
  uint32_t matrix, job, there; /* ix, ix, bool */
  num column;                  /* the right-hand side */
  vec minus, qr;               /* the scaled matrix, negated; n×m */
  vec beta, diag, scale;       /* n; scale: 2^-e, by which column k was multiplied */
  vec xh, xl, rh, rl, f, z;    /* n, n, m, m, m, n */
  uint32_t most;               /* a variable */
} solve_state;

static const solve_opts *opts(const cg *g) { return &g->o->solve; }
static bool together(const cg *g) { return opts(g)->phase == SOLVE_FACTOR; }

static vec from(cg *g, vec v, num i) {
  v.from = plus(g, v.from, i);
  return v;
}
static uint32_t pointer(cg *g, const solve_state *z, vec v, num i) {
  uint32_t at = id_of(g, plus(g, v.from, i));
  if (v.where == IN_WORKGROUP) return cg_shared_ptr(g, z->type, v.at, at);
  uint32_t ptr = spv_ptr(g->b, SpvStorageClassFunction, z->type);
  return spv_op(g->b, ptr, SpvOpAccessChain, v.at, at);
}
static uint32_t address(cg *g, vec v, num i) {
  return cg_addr(g, v.at, cg_to_ix(g, id_of(g, plus(g, v.from, i))), 3);
}
static uint32_t get(cg *g, const solve_state *z, vec v, num i) {
  if (v.where == IN_MEMORY) return cg_load(g, z->type, address(g, v, i), 8);
  return spv_op(g->b, z->type, SpvOpLoad, pointer(g, z, v, i));
}
static void put(cg *g, const solve_state *z, vec v, num i, uint32_t to) {
  if (v.where == IN_MEMORY) cg_store(g, z->type, address(g, v, i), to, 8);
  else spv_do(g->b, SpvOpStore, pointer(g, z, v, i), to);
}
static vec own(cg *g, const solve_state *z, uint32_t n) {
  uint32_t type = spv_array(g->b, z->type, n);
  return (vec){.at = spv_local(g->b, type, 0), .from = known(0)};
}
static uint32_t var_get(cg *g, const solve_state *z, uint32_t var) {
  return spv_op(g->b, z->type, SpvOpLoad, var);
}
static uint32_t var_new(cg *g, const solve_state *z) {
  uint32_t var = spv_local(g->b, z->type, 0);
  spv_do(g->b, SpvOpStore, var, cg_real(g, KF64, 0));
  return var;
}

/* ── arithmetic ─────────────────────────────────────────────────────────────────────── */

static uint32_t add(cg *g, uint32_t a, uint32_t b) {
  return cg_arith(g, KOP_ADD, KF64, a, b);
}
static uint32_t sub(cg *g, uint32_t a, uint32_t b) {
  return cg_arith(g, KOP_SUB, KF64, a, b);
}
static uint32_t mul(cg *g, uint32_t a, uint32_t b) {
  return cg_arith(g, KOP_MUL, KF64, a, b);
}

typedef struct dd { /* twice the precision, as linear.c has it */
  uint32_t hi, lo;
} dd;

static dd dd_add(cg *g, dd a, uint32_t b) {
  uint32_t s = add(g, a.hi, b), t = sub(g, s, a.hi);
  uint32_t u = sub(g, a.hi, sub(g, s, t)), e = add(g, u, sub(g, b, t));
  e = add(g, e, a.lo);
  uint32_t hi = add(g, s, e), lo = sub(g, e, sub(g, hi, s));
  return (dd){hi, lo};
}
static dd dd_fma(cg *g, dd a, uint32_t b, dd c) {
  uint32_t p = mul(g, b, c.hi), e = cg_fma(g, b, c.hi, cg_neg(g, KF64, p));
  e = add(g, e, mul(g, b, c.lo));
  return dd_add(g, dd_add(g, a, p), e);
}

static void add_product(cg *g, const solve_state *z, uint32_t var, vec x, vec y, num i) {
  uint32_t a = get(g, z, x, i), p = mul(g, a, get(g, z, y, i));
  spv_do(g->b, SpvOpStore, var, add(g, var_get(g, z, var), p));
}

static uint32_t dot(cg *g, const solve_state *z, vec x, vec y, num n) {
  uint32_t sum[SUMS], rest = var_new(g, z);
  num blocks = num_op(g, SpvOpUDiv, n, known(SUMS));
  num whole = times(g, blocks, known(SUMS));
  bool none = blocks.known && !blocks.n;
  for (uint32_t j = 0; j < SUMS && !none; j++) sum[j] = var_new(g, z);
  EACH(e, known(0), whole, SUMS) {
    for (uint32_t j = 0; j < SUMS; j++)
      add_product(g, z, sum[j], x, y, plus(g, e.i, known(j)));
  }
  EACH(e, whole, n, 1) add_product(g, z, rest, x, y, e.i);
  if (none) return var_get(g, z, rest);
  uint32_t v[SUMS];
  for (uint32_t j = 0; j < SUMS; j++) v[j] = var_get(g, z, sum[j]);
  for (uint32_t half = SUMS / 2; half; half /= 2)
    for (uint32_t j = 0; j < half; j++) v[j] = add(g, v[j], v[j + half]);
  return add(g, v[0], var_get(g, z, rest));
}

static void add_times(cg *g, const solve_state *z, vec y, uint32_t by, vec x, num n) {
  EACH(e, known(0), n, 1) {
    uint32_t p = mul(g, by, get(g, z, x, e.i));
    put(g, z, y, e.i, add(g, get(g, z, y, e.i), p));
  }
}

/* Reflection k of y, a column. */
static void reflect(cg *g, const solve_state *z, num k, uint32_t beta, vec y) {
  num n = less(g, z->m, k);
  vec v = from(g, z->qr, plus(g, times(g, k, z->m), k));
  y = from(g, y, k);
  uint32_t by = dot(g, z, v, y, n);
  by = mul(g, cg_neg(g, KF64, beta), by);
  add_times(g, z, y, by, v, n);
}

static vec column(cg *g, const solve_state *z, vec a, num k) {
  return from(g, a, times(g, k, z->m));
}

/* ── factors ────────────────────────────────────────────────────────────────────────── */

static void fault(cg *g, uint32_t is) { cg_raise(g, is, 0, g->k->acc[0].fault, false); }

/* Element i of row-major memory behind `first` × size, ix. */
static uint32_t element(cg *g, uint32_t first, num size, num i) {
  uint32_t at = cg_x(g, SpvOpIMul, first, cg_to_ix(g, id_of(g, size)));
  return cg_x(g, SpvOpIAdd, at, cg_to_ix(g, id_of(g, i)));
}

/* 2^-e, e being the exponent by which most is 0.5 to 1; 1 of 0. */
static uint32_t scale_of(cg *g, uint32_t most) {
  uint32_t i64 = cg_type(g, KI64), bits = cg_bits(g, KI64, most);
  uint32_t e = cg_shift(g, KI64, SpvOpShiftRightLogical, bits, 52);
  uint32_t far = cg_cmp(g, KOP_GT, KI64, e, cg_int(g, KI64, 1022 + MODERATE));
  uint32_t near = cg_cmp(g, KOP_LT, KI64, e, cg_int(g, KI64, 1022 - MODERATE));
  fault(g, spv_op(g->b, spv_bool(g->b), SpvOpLogicalOr, far, near));
  e = spv_op(g->b, i64, SpvOpISub, cg_int(g, KI64, 2045), e);
  return cg_bits(g, KF64, cg_shift(g, KI64, SpvOpShiftLeftLogical, e, 52));
}

static void load_column(cg *g, const solve_state *z, num k) {
  uint32_t most = var_new(g, z);
  vec a = column(g, z, z->qr, k), minus = column(g, z, z->minus, k);
  num size = times(g, z->m, z->n);
  EACH(e, known(0), z->m, 1) {
    num i = plus(g, times(g, e.i, z->n), k);
    cg_pos p = {.i = element(g, z->matrix, size, i)};
    uint32_t v = cg_source(g, &p, NULL).id[0], abs = cg_abs(g, KF64, v);
    uint32_t old = var_get(g, z, most), more = cg_cmp(g, KOP_GT, KF64, abs, old);
    put(g, z, a, e.i, v);
    spv_do(g->b, SpvOpStore, most, cg_pick(g, z->type, more, abs, old));
  }
  uint32_t by = scale_of(g, var_get(g, z, most));
  put(g, z, z->scale, k, by);
  EACH(e, known(0), z->m, 1) {
    uint32_t v = mul(g, get(g, z, a, e.i), by);
    put(g, z, a, e.i, v);
    put(g, z, minus, e.i, cg_neg(g, KF64, v));
  }
  /* What is left of the column has to be longer; it is where the diagonal will be. */
  uint32_t least = cg_sqrt(g, KF64, dot(g, z, a, a, z->m)), rows;
  rows = spv_op(g->b, z->type, SpvOpConvertUToF, id_of(g, z->m));
  least = mul(g, mul(g, least, rows), cg_real(g, KF64, 0x1p-52));
  put(g, z, z->diag, k, least);
}

/* With `together` only the threads of these columns: those from k on, or behind it. */
static uint32_t only_columns(cg *g, const solve_state *z, num k, bool behind) {
  uint32_t has = id_of(g, k), is = cg_less(g, g->thread, id_of(g, z->n));
  if (behind) has = cg_less(g, has, g->thread);
  else has = cg_not(g, KB, cg_less(g, g->thread, has));
  return spv_if(g->b, cg_both(g, is, has));
}

static void reflect_others(cg *g, const solve_state *z, num k, uint32_t beta) {
  if (!together(g)) {
    EACH(e, plus(g, k, known(1)), z->n, 1) {
      reflect(g, z, k, beta, column(g, z, z->qr, e.i));
    }
    return;
  }
  uint32_t merge = only_columns(g, z, k, true);
  reflect(g, z, k, beta, column(g, z, z->qr, of_id(g->thread)));
  spv_endif(g->b, merge);
}

static void reflect_column(cg *g, const solve_state *z, num k) {
  num at = known(0);
  vec v = from(g, column(g, z, z->qr, k), k);
  if (together(g)) cg_barrier(g);
  uint32_t left = cg_sqrt(g, KF64, dot(g, z, v, v, less(g, z->m, k)));
  uint32_t is = cg_cmp(g, KOP_GT, KF64, left, get(g, z, z->diag, k));
  fault(g, cg_not(g, KB, cg_both(g, is, cg_finite(g, KF64, left))));
  uint32_t first = get(g, z, v, at), one = cg_real(g, KF64, -1);
  uint32_t minus = cg_cmp(g, KOP_GT, KF64, first, cg_real(g, KF64, 0));
  uint32_t r = cg_pick(g, z->type, minus, cg_neg(g, KF64, left), left), merge = 0;
  first = sub(g, first, r);
  uint32_t beta = cg_div(g, KF64, one, mul(g, r, first));
  if (together(g)) {
    cg_barrier(g);
    merge = spv_if(g->b, cg_is_zero(g, g->thread));
  }
  put(g, z, v, at, first);
  put(g, z, z->diag, k, r);
  put(g, z, z->beta, k, beta);
  if (together(g)) {
    spv_endif(g->b, merge);
    cg_barrier(g);
  }
  reflect_others(g, z, k, beta);
}

static void factor(cg *g, const solve_state *z) {
  if (together(g)) {
    uint32_t merge = only_columns(g, z, known(0), false);
    load_column(g, z, of_id(g->thread));
    spv_endif(g->b, merge);
  } else {
    EACH(e, known(0), z->n, 1) load_column(g, z, e.i);
  }
  EACH(e, known(0), z->n, 1) reflect_column(g, z, e.i);
}

/* ── a right-hand side ──────────────────────────────────────────────────────────────── */

static void solve_step(cg *g, const solve_state *z) {
  EACH(e, known(0), z->n, 1) { /* R'z = g */
    uint32_t d = dot(g, z, column(g, z, z->qr, e.i), z->z, e.i);
    d = sub(g, get(g, z, z->z, e.i), d);
    put(g, z, z->z, e.i, cg_div(g, KF64, d, get(g, z, z->diag, e.i)));
  }
  EACH(e, known(0), z->n, 1) reflect(g, z, e.i, get(g, z, z->beta, e.i), z->f);
  EACH(e, known(0), z->n, 1) {
    uint32_t f = get(g, z, z->f, e.i), was = get(g, z, z->z, e.i);
    put(g, z, z->f, e.i, was);
    put(g, z, z->z, e.i, sub(g, f, was));
  }
  EACH(e, known(0), z->n, 1) { /* R dx = d - z */
    num k = less(g, less(g, z->n, known(1)), e.i);
    uint32_t v = get(g, z, z->z, k);
    v = cg_div(g, KF64, v, get(g, z, z->diag, k));
    put(g, z, z->z, k, v);
    add_times(g, z, z->z, cg_neg(g, KF64, v), column(g, z, z->qr, k), k);
    dd x = {.hi = get(g, z, z->xh, k)};
    x.lo = get(g, z, z->xl, k);
    x = dd_add(g, x, v);
    put(g, z, z->xh, k, x.hi);
    put(g, z, z->xl, k, x.lo);
  }
  EACH(e, known(0), z->n, 1) {
    num k = less(g, less(g, z->n, known(1)), e.i);
    reflect(g, z, k, get(g, z, z->beta, k), z->f);
  }
  EACH(e, known(0), z->m, 1) {
    dd r = {.hi = get(g, z, z->rh, e.i)};
    r.lo = get(g, z, z->rl, e.i);
    r = dd_add(g, r, get(g, z, z->f, e.i));
    put(g, z, z->rh, e.i, r.hi);
    put(g, z, z->rl, e.i, r.lo);
  }
}

static uint32_t right_side(cg *g, const solve_state *z, num i) {
  if (opts(g)->inverts) {
    uint32_t is = cg_is(g, SpvOpIEqual, id_of(g, i), id_of(g, z->column));
    return cg_pick(g, z->type, is, cg_real(g, KF64, 1), cg_real(g, KF64, 0));
  }
  num at = plus(g, times(g, i, z->cols), z->column);
  uint32_t x = element(g, z->matrix, times(g, z->m, z->cols), at);
  return cg_load(g, z->type, cg_addr(g, cg_slot(g, CG_SLOT_INPUTS), x, 3), 8);
}

/* b - r, in twice the precision. */
static dd what_is_left(cg *g, uint32_t b, uint32_t rh, uint32_t rl) {
  dd t = {b, cg_real(g, KF64, 0)};
  t = dd_add(g, t, cg_neg(g, KF64, rh));
  return dd_add(g, t, cg_neg(g, KF64, rl));
}

/* `to` ← starts + Σ minus × by: element i of `to` belongs to row i of the matrix, or to column i. */
typedef struct residual {
  bool rows;
  num n, inner;
  vec to, hi, lo; /* lo: of what is multiplied with */
} residual;

static void find_residuals(cg *g, const solve_state *z, const residual *q) {
  uint32_t hi[ROWS_TOGETHER], lo[ROWS_TOGETHER];
  EACH(e, known(0), q->n, ROWS_TOGETHER) {
    uint32_t some = ROWS_TOGETHER;
    if (e.i.known && e.i.n + some > q->n.n) some = q->n.n - e.i.n;
    for (uint32_t j = 0; j < some; j++) {
      num i = plus(g, e.i, known(j));
      hi[j] = var_new(g, z);
      lo[j] = var_new(g, z);
      if (!q->rows) continue;
      uint32_t b = right_side(g, z, i), rh = get(g, z, z->rh, i);
      dd t = what_is_left(g, b, rh, get(g, z, z->rl, i));
      spv_do(g->b, SpvOpStore, hi[j], t.hi);
      spv_do(g->b, SpvOpStore, lo[j], t.lo);
    }
    EACH(f, known(0), q->inner, 1) {
      dd by = {.hi = get(g, z, q->hi, f.i)};
      by.lo = get(g, z, q->lo, f.i);
      for (uint32_t j = 0; j < some; j++) {
        num i = plus(g, e.i, known(j)), k = q->rows ? f.i : i;
        uint32_t a = get(g, z, column(g, z, z->minus, k), q->rows ? i : f.i);
        dd t = {.hi = var_get(g, z, hi[j])};
        t.lo = var_get(g, z, lo[j]);
        t = dd_fma(g, t, a, by);
        spv_do(g->b, SpvOpStore, hi[j], t.hi);
        spv_do(g->b, SpvOpStore, lo[j], t.lo);
      }
    }
    for (uint32_t j = 0; j < some; j++)
      put(g, z, q->to, plus(g, e.i, known(j)), var_get(g, z, hi[j]));
  }
}

static void begin_vectors(cg *g, solve_state *z) {
  uint32_t m = opts(g)->m, n = opts(g)->n, none = cg_real(g, KF64, 0);
  z->xh = own(g, z, n);
  z->xl = own(g, z, n);
  z->rh = own(g, z, m);
  z->rl = own(g, z, m);
  z->f = own(g, z, m);
  z->z = own(g, z, n);
  EACH(e, known(0), z->n, 1) {
    put(g, z, z->xh, e.i, none);
    put(g, z, z->xl, e.i, none);
    put(g, z, z->z, e.i, none);
  }
  EACH(e, known(0), z->m, 1) {
    put(g, z, z->rh, e.i, none);
    put(g, z, z->rl, e.i, none);
    put(g, z, z->f, e.i, right_side(g, z, e.i));
  }
  z->most = var_new(g, z);
}

/* The largest element of the first solution; an infinity or a NaN is kept. */
static void find_most(cg *g, const solve_state *z) {
  EACH(e, known(0), z->n, 1) {
    uint32_t v = cg_abs(g, KF64, get(g, z, z->xh, e.i)), old = var_get(g, z, z->most);
    fault(g, cg_not(g, KB, cg_finite(g, KF64, v)));
    uint32_t more = cg_cmp(g, KOP_GT, KF64, v, old);
    spv_do(g->b, SpvOpStore, z->most, cg_pick(g, z->type, more, v, old));
  }
}

/* Element i of the solution, x, to the result; step: what was added last. */
static void store_element(cg *g, const solve_state *z, num i, uint32_t x, uint32_t step) {
  uint32_t least = mul(g, var_get(g, z, z->most), cg_real(g, KF64, 0x1p-80));
  uint32_t size = cg_abs(g, KF64, x), some = mul(g, size, cg_real(g, KF64, 0x1p-20));
  uint32_t none = cg_cmp(g, KOP_LT, KF64, size, least);
  step = cg_abs(g, KF64, step);
  none = cg_both(g, none, cg_cmp(g, KOP_GT, KF64, step, some));
  x = cg_pick(g, z->type, none, cg_real(g, KF64, 0), x);
  x = mul(g, x, get(g, z, z->scale, i));
  fault(g, cg_not(g, KB, cg_finite(g, KF64, x)));
  num at = plus(g, times(g, i, z->cols), z->column);
  uint32_t to = element(g, z->matrix, times(g, z->n, z->cols), at);
  uint32_t merge = spv_if(g->b, z->there);
  cg_store(g, z->type, cg_addr(g, g->out[0], to, 3), x, 8);
  spv_endif(g->b, merge);
}

static void store_solution(cg *g, const solve_state *z) {
  EACH(e, known(0), z->n, 1) {
    uint32_t x = get(g, z, z->xh, e.i);
    store_element(g, z, e.i, x, get(g, z, z->z, e.i));
  }
}

static void solve_one(cg *g, solve_state *z) {
  begin_vectors(g, z);
  residual rows = {true, z->m, z->n, z->f, z->xh, z->xl};
  residual columns = {false, z->n, z->m, z->z, z->rh, z->rl};
  spv_loop l = spv_for(g->b, spv_u32(g->b, REFINE_STEPS + 1));
  uint32_t merge = spv_if(g->b, cg_not(g, KB, cg_is_zero(g, l.i)));
  find_residuals(g, z, &rows);
  find_residuals(g, z, &columns);
  spv_endif(g->b, merge);
  solve_step(g, z);
  merge = spv_if(g->b, cg_is_zero(g, l.i));
  find_most(g, z);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
  store_solution(g, z);
}

/* ── a right-hand side, by a team ───────────────────────────────────────────────────── */

/* Variables: what a thread has of row and column t. Workgroup memory: products, their sums, two values of all. */
typedef struct team {
  uint32_t t, first,
      sums; /* u32: in the team; its places in workgroup memory, those of its sums */
  uint32_t row, col;             /* u32: t, or the last one */
  uint32_t f, z, xh, xl, rh, rl; /* variables */
  uint32_t b;                    /* the right-hand side */
  uint32_t product, sum, hi, lo; /* workgroup memory */
} team;

static uint32_t here(cg *g, const solve_state *z, uint32_t array, uint32_t i) {
  return spv_op(g->b, z->type, SpvOpLoad, cg_shared_ptr(g, z->type, array, i));
}
static void leave(cg *g, const solve_state *z, uint32_t array, uint32_t i, uint32_t v) {
  spv_do(g->b, SpvOpStore, cg_shared_ptr(g, z->type, array, i), v);
}
static void set(cg *g, uint32_t var, uint32_t v) { spv_do(g->b, SpvOpStore, var, v); }
static void set_where(cg *g, const solve_state *z, uint32_t is, uint32_t var,
                      uint32_t v) {
  set(g, var, cg_pick(g, z->type, is, v, var_get(g, z, var)));
}
static uint32_t place_of(cg *g, const team *m, uint32_t i) {
  return cg_u(g, SpvOpIAdd, m->first, i);
}
static uint32_t is_at(cg *g, const team *m, uint32_t k) {
  return cg_is(g, SpvOpIEqual, m->t, k);
}
static void dd_put(cg *g, const solve_state *z, uint32_t hi, uint32_t lo, uint32_t by) {
  dd v = {.hi = var_get(g, z, hi)};
  v.lo = var_get(g, z, lo);
  v = dd_add(g, v, by);
  set(g, hi, v.hi);
  set(g, lo, v.lo);
}

/* Element t of column k, and of row t of column i. */
static uint32_t element_of(cg *g, const solve_state *z, vec a, uint32_t k, uint32_t i) {
  return get(g, z, column(g, z, a, of_id(k)), of_id(i));
}

/* One of the sums of `len` products, or of those that fill no SUMS, by each of the first threads. */
static void add_products(cg *g, const solve_state *z, const team *m, uint32_t len) {
  uint32_t blocks = cg_ui(g, SpvOpUDiv, len, SUMS), v = var_new(g, z);
  uint32_t whole = cg_ui(g, SpvOpIMul, blocks, SUMS), one = spv_u32(g->b, 1);
  uint32_t is = cg_less(g, m->t, spv_u32(g->b, SUMS)), step = spv_u32(g->b, SUMS);
  uint32_t n = cg_pick(g, g->u32, is, blocks, cg_u(g, SpvOpISub, len, whole));
  uint32_t at = cg_pick(g, g->u32, is, m->t, whole);
  step = cg_pick(g, g->u32, is, step, one);
  spv_loop l = spv_for(g->b, n);
  uint32_t i = cg_u(g, SpvOpIAdd, at, cg_u(g, SpvOpIMul, l.i, step));
  i = here(g, z, m->product, place_of(g, m, i));
  set(g, v, add(g, var_get(g, z, v), i));
  spv_endfor(g->b, &l);
  leave(g, z, m->sum, cg_u(g, SpvOpIAdd, m->sums, m->t), var_get(g, z, v));
}

/* The dot product of what the threads from number `from` to end - 1 have. */
static uint32_t team_dot(cg *g, const solve_state *z, const team *m, uint32_t x,
                         uint32_t var, uint32_t from, uint32_t end) {
  uint32_t v[SUMS], len = cg_u(g, SpvOpISub, end, from);
  uint32_t before = cg_less(g, m->t, from), is = cg_less(g, m->t, end);
  uint32_t p = mul(g, x, var_get(g, z, var)), at = cg_u(g, SpvOpISub, m->t, from);
  uint32_t merge = spv_if(g->b, cg_both(g, is, cg_not(g, KB, before)));
  leave(g, z, m->product, place_of(g, m, at), p);
  spv_endif(g->b, merge);
  cg_barrier(g);
  merge = spv_if(g->b, cg_less(g, m->t, spv_u32(g->b, SUMS + 1)));
  add_products(g, z, m, len);
  spv_endif(g->b, merge);
  cg_barrier(g);
  for (uint32_t j = 0; j < SUMS; j++) v[j] = here(g, z, m->sum, cg_next(g, m->sums, j));
  for (uint32_t half = SUMS / 2; half; half /= 2)
    for (uint32_t j = 0; j < half; j++) v[j] = add(g, v[j], v[j + half]);
  return add(g, v[0], here(g, z, m->sum, cg_next(g, m->sums, SUMS)));
}

static void team_reflect(cg *g, const solve_state *z, const team *m, uint32_t k) {
  uint32_t v = element_of(g, z, z->qr, k, m->row), rows = id_of(g, z->m);
  uint32_t beta = cg_neg(g, KF64, get(g, z, z->beta, of_id(k)));
  uint32_t by = mul(g, beta, team_dot(g, z, m, v, m->f, k, rows));
  uint32_t f = add(g, var_get(g, z, m->f), mul(g, by, v));
  set_where(g, z, cg_not(g, KB, cg_less(g, m->t, k)), m->f, f);
}

static void team_step(cg *g, const solve_state *z, const team *m) {
  uint32_t n = id_of(g, z->n), last = cg_ui(g, SpvOpISub, n, 1), none = spv_u32(g->b, 0);
  spv_loop l = spv_for(g->b, n); /* R'z = g */
  uint32_t d = element_of(g, z, z->qr, l.i, m->row);
  d = team_dot(g, z, m, d, m->z, none, l.i);
  d = sub(g, var_get(g, z, m->z), d);
  d = cg_div(g, KF64, d, get(g, z, z->diag, of_id(l.i)));
  set_where(g, z, is_at(g, m, l.i), m->z, d);
  spv_endfor(g->b, &l);
  l = spv_for(g->b, n);
  team_reflect(g, z, m, l.i);
  spv_endfor(g->b, &l);
  uint32_t f = var_get(g, z, m->f), was = var_get(g, z, m->z), is = cg_less(g, m->t, n);
  set_where(g, z, is, m->f, was);
  set_where(g, z, is, m->z, sub(g, f, was));
  l = spv_for(g->b, n); /* R dx = d - z */
  uint32_t k = cg_u(g, SpvOpISub, last, l.i), v = element_of(g, z, z->qr, k, m->row);
  d = cg_div(g, KF64, var_get(g, z, m->z), get(g, z, z->diag, of_id(k)));
  uint32_t merge = spv_if(g->b, is_at(g, m, k));
  leave(g, z, m->hi, place_of(g, m, k), d);
  spv_endif(g->b, merge);
  cg_barrier(g);
  d = here(g, z, m->hi, place_of(g, m, k));
  v = add(g, var_get(g, z, m->z), mul(g, cg_neg(g, KF64, d), v));
  v = cg_pick(g, z->type, is_at(g, m, k), d, v);
  set_where(g, z, cg_not(g, KB, cg_less(g, k, m->t)), m->z, v);
  spv_endfor(g->b, &l);
  dd_put(g, z, m->xh, m->xl, var_get(g, z, m->z));
  l = spv_for(g->b, n);
  team_reflect(g, z, m, cg_u(g, SpvOpISub, last, l.i));
  spv_endfor(g->b, &l);
  dd_put(g, z, m->rh, m->rl, var_get(g, z, m->f));
}

/* t + Σ -a × v: of the row's elements, or of the column's, v being what each thread has in hi and lo. */
static uint32_t team_residual(cg *g, const solve_state *z, const team *m, dd t,
                              bool row) {
  uint32_t hi = var_new(g, z), lo = var_new(g, z);
  set(g, hi, t.hi);
  set(g, lo, t.lo);
  cg_barrier(g);
  leave(g, z, m->hi, place_of(g, m, m->t), var_get(g, z, row ? m->xh : m->rh));
  leave(g, z, m->lo, place_of(g, m, m->t), var_get(g, z, row ? m->xl : m->rl));
  cg_barrier(g);
  spv_loop l = spv_for(g->b, id_of(g, row ? z->n : z->m));
  uint32_t a = row ? element_of(g, z, z->minus, l.i, m->row)
                   : element_of(g, z, z->minus, m->col, l.i);
  dd v = {.hi = here(g, z, m->hi, place_of(g, m, l.i))};
  v.lo = here(g, z, m->lo, place_of(g, m, l.i));
  t.hi = var_get(g, z, hi);
  t.lo = var_get(g, z, lo);
  t = dd_fma(g, t, a, v);
  set(g, hi, t.hi);
  set(g, lo, t.lo);
  spv_endfor(g->b, &l);
  return var_get(g, z, hi);
}

static void team_residuals(cg *g, const solve_state *z, const team *m) {
  uint32_t rh = var_get(g, z, m->rh);
  dd t = what_is_left(g, m->b, rh, var_get(g, z, m->rl)),
     none = {.hi = cg_real(g, KF64, 0)};
  none.lo = none.hi;
  set(g, m->f, team_residual(g, z, m, t, true));
  set(g, m->z, team_residual(g, z, m, none, false));
}

/* The largest element of the first solution. */
static void team_most(cg *g, const solve_state *z, const team *m) {
  uint32_t v = cg_abs(g, KF64, var_get(g, z, m->xh)),
           is = cg_less(g, m->t, id_of(g, z->n));
  fault(g, cg_both(g, is, cg_not(g, KB, cg_finite(g, KF64, v))));
  cg_barrier(g);
  leave(g, z, m->hi, place_of(g, m, m->t), v);
  cg_barrier(g);
  spv_loop l = spv_for(g->b, id_of(g, z->n));
  v = here(g, z, m->hi, place_of(g, m, l.i));
  uint32_t old = var_get(g, z, z->most), more = cg_cmp(g, KOP_GT, KF64, v, old);
  set(g, z->most, cg_pick(g, z->type, more, v, old));
  spv_endfor(g->b, &l);
}

static team team_begin(cg *g, solve_state *z) {
  team m = {.t = cg_ui(g, SpvOpUMod, g->thread, opts(g)->m)};
  uint32_t own = cg_ui(g, SpvOpUDiv, g->thread, opts(g)->m);
  m.first = cg_u(g, SpvOpISub, g->thread, m.t);
  m.sums = cg_ui(g, SpvOpIMul, own, LEAST);
  uint32_t rows = cg_ui(g, SpvOpISub, id_of(g, z->m), 1);
  m.row = cg_least(g, g->u32, m.t, rows);
  m.col = cg_least(g, g->u32, m.t, cg_ui(g, SpvOpISub, id_of(g, z->n), 1));
  uint32_t *const var[] = {&m.f, &m.z, &m.xh, &m.xl, &m.rh, &m.rl, &z->most};
  for (size_t i = 0; i < ARRAY_LEN(var); i++) *var[i] = var_new(g, z);
  uint32_t *const array[] = {&m.product, &m.sum, &m.hi, &m.lo};
  for (size_t i = 0; i < ARRAY_LEN(array); i++)
    *array[i] = spv_shared(g->b, z->type, THREADS);
  m.b = right_side(g, z, of_id(m.row));
  set(g, m.f, m.b);
  return m;
}

static void solve_by_team(cg *g, solve_state *z) {
  team m = team_begin(g, z);
  spv_loop l = spv_for(g->b, spv_u32(g->b, REFINE_STEPS + 1));
  uint32_t merge = spv_if(g->b, cg_not(g, KB, cg_is_zero(g, l.i)));
  team_residuals(g, z, &m);
  spv_endif(g->b, merge);
  team_step(g, z, &m);
  merge = spv_if(g->b, cg_is_zero(g, l.i));
  team_most(g, z, &m);
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
  z->there = cg_both(g, z->there, cg_less(g, m.t, id_of(g, z->n)));
  merge = spv_if(g->b, z->there);
  uint32_t x = var_get(g, z, m.xh);
  store_element(g, z, of_id(m.t), x, var_get(g, z, m.z));
  spv_endif(g->b, merge);
}

/* ── the body ───────────────────────────────────────────────────────────────────────── */

/* The right-hand side of the thread, or its team, each a workgroup's of so many; behind the last one that one
 * again. */
static void find_job(cg *g, solve_state *z, uint32_t many, uint32_t mine) {
  uint32_t one = cg_ixc(g, 1), cols = cg_slot_ix(g, CG_OWN_SLOT(solve_geom, cols));
  uint32_t jobs = cg_slot_ix(g, CG_OWN_SLOT(solve_geom, count));
  jobs = cg_x(g, SpvOpIMul, jobs, cols);
  z->job = cg_x(g, SpvOpIMul, cg_to_ix(g, g->wid), cg_ixc(g, many));
  z->job = cg_x(g, SpvOpIAdd, z->job, cg_to_ix(g, mine));
  z->there = cg_less(g, z->job, jobs);
  z->job = cg_least(g, g->ix, z->job, cg_x(g, SpvOpISub, jobs, one));
  z->matrix = cg_x(g, SpvOpUDiv, z->job, cols);
  uint32_t before = cg_x(g, SpvOpIMul, z->matrix, cols);
  z->column = of_id(cg_to_u32(g, cg_x(g, SpvOpISub, z->job, before)));
}

/* The matrix's factors in the memory of the passes. */
static void find_factors(cg *g, solve_state *z) {
  num area = times(g, z->m, z->n), three = times(g, z->n, known(3));
  num size = plus(g, times(g, area, known(2)), three);
  uint32_t at = element(g, z->matrix, size, known(0));
  vec all = {.where = IN_MEMORY, .from = known(0)};
  uint32_t memory = cg_slot(g, together(g) ? CG_SLOT_TO : CG_SLOT_FROM);
  all.at = cg_addr(g, memory, at, 3);
  z->minus = all;
  z->qr = from(g, all, area);
  z->beta = from(g, z->qr, area);
  z->diag = from(g, z->beta, z->n);
  z->scale = from(g, z->diag, z->n);
}

/* A workgroup makes the factors in its memory; what others need goes out. */
static void factor_together(cg *g, solve_state *z) {
  vec qr = z->qr, diag = z->diag, here = {.where = IN_WORKGROUP, .from = known(0)};
  z->qr = z->diag = here;
  z->qr.at = spv_shared(g->b, z->type, opts(g)->m * opts(g)->n);
  z->diag.at = spv_shared(g->b, z->type, opts(g)->n);
  factor(g, z);
  cg_barrier(g);
  num size = times(g, z->m, z->n);
  uint32_t first = cg_least(g, g->u32, g->thread, id_of(g, size));
  EACH(e, of_id(first), size, THREADS) { put(g, z, qr, e.i, get(g, z, z->qr, e.i)); }
  uint32_t merge = only_columns(g, z, known(0), false);
  put(g, z, diag, of_id(g->thread), get(g, z, z->diag, of_id(g->thread)));
  spv_endif(g->b, merge);
}

void solve_emit(cg *g) {
  solve_state z = {.type = cg_scalar_type(g, KF64)};
  const solve_opts *o = opts(g);
  bool whole = o->phase == SOLVE_WHOLE;
  z.m = whole ? known(o->m) : of_id(cg_slot_u32(g, CG_OWN_SLOT(solve_geom, m)));
  z.n = whole ? known(o->n) : of_id(cg_slot_u32(g, CG_OWN_SLOT(solve_geom, n)));
  z.cols = of_id(cg_slot_u32(g, CG_OWN_SLOT(solve_geom, cols)));
  if (together(g)) {
    z.matrix = cg_to_ix(g, g->wid);
    find_factors(g, &z);
    factor_together(g, &z);
    return;
  }
  if (!whole && !o->n) {
    find_job(g, &z, THREADS / o->m, cg_ui(g, SpvOpUDiv, g->thread, o->m));
    find_factors(g, &z);
    solve_by_team(g, &z);
    return;
  }
  find_job(g, &z, THREADS, g->thread);
  if (whole) {
    z.minus = own(g, &z, o->m * o->n);
    z.qr = own(g, &z, o->m * o->n);
    z.beta = own(g, &z, o->n);
    z.diag = own(g, &z, o->n);
    z.scale = own(g, &z, o->n);
    factor(g, &z);
  } else {
    find_factors(g, &z);
  }
  solve_one(g, &z);
}
