/* SPDX-License-Identifier: MIT */
/* solve.c - the template of many small systems x⌹y, or ⌹y, by the order of operations of prim/linear_loops.c: same
 * bits.
 *
 *   SOLVE_WHOLE    up to SOLVE_UNROLLED numbers of a matrix: a thread for each right-hand side, which makes the
 *                  factors, too, all of it in registers: loops are unrolled
 *   SOLVE_FACTOR   larger ones: a workgroup for each matrix, a thread for each column, in workgroup memory
 *   SOLVE_EACH     a thread for each right-hand side
 *   SOLVE_TEAMS    a team of SUMS threads of a subgroup for each, which have its numbers in registers: each adds up one
 *                  of a dot product's sums
 *
 * One emission serves all but teams: a `num` is a number that is known, or an id. Loops from one known number to
 * another are unrolled. A column of a matrix lies behind the one before it.
 *
 * What is not solved here (a singular matrix, columns of extreme size, a result that is no number) is an error's
 * flag: the host does it all again, and says what there is to say.
 *
 * On one H200 2^18 inverses of 4×4 take 0.34 ms (torch.linalg.inv 0.74), of 3×3 0.13 (0.57), 2^14 of 8×8 0.19 (0.14), 2^12 of
 * 16×16 0.52 (0.16), 2^10 of 32×32 0.80 (0.36), 2^8 of 64×64 1.5 (0.59); 2^12 solutions of 16 equations 0.15 (0.10), 2^8 of 64
 * equations 0.71 (0.48). Refining in twice the precision, two steps for nearly all, is most of it; the factors of 64×64 are 0.2.
 *
 * TRIED: teams for all right-hand sides or a thread for each: 9×9 to 16×16 by threads takes 0.86 of the time, 32×32 2.5 times, solutions
 * of 64 equations 8 times as long. A team of a thread for each row, by way of workgroup memory: 2^8 solutions of 64 equations 1.3
 * ms, inverses of 64×64 10. A team in workgroup memory, one barrier for a dot product: 2.2, 11.5. An end of refining whose
 * margin is a part of each component and not of what changed: where few are solved, the one that never ends is
 * waited for (64×64 1.8). */
#include "template.h"

#include "../base/arith.h"
#include "../tables/refine.h"
#include "cg_arith.h"

/* ── how ────────────────────────────────────────────────────────────────────────────── */

enum {
  SOLVE_UNROLLED = 64,
  THREADS = 64, /* of a workgroup */
  SUMS = 8,     /* of linear_loops.c's sums, side by side; threads of a team */
  HELD = SOLVE_MOST / SUMS, /* of a vector's elements, by a thread of a team */
  ROWS_TOGETHER = 4,        /* residuals that read a value once */
  SLACK = 512,              /* elements that are read beyond a matrix */
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
  if (phase == SOLVE_FACTOR) pass->to = CG_OWN;
  else if (phase != SOLVE_WHOLE) pass->from = CG_OWN;
  if (phase == SOLVE_TEAMS) each /= SUMS;
  if (phase == SOLVE_FACTOR || phase == SOLVE_EACH) {
    pass->o.solve.m = (uint32_t)next_pow2(s->m);
    pass->o.solve.n = (uint32_t)next_pow2(s->n);
  }
  if (phase == SOLVE_EACH) {
    pass->o.solve.m = (uint32_t)max_i64(pass->o.solve.m, ROWS_TOGETHER);
    pass->o.solve.n = (uint32_t)max_i64(pass->o.solve.n, ROWS_TOGETHER);
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
  p->own[0] = s->count * (3 * s->m * s->n + 3 * s->n) + SLACK;
  add_pass(p, t, SOLVE_FACTOR);
  add_pass(p, t, t->common->subgroup >= SUMS ? SOLVE_TEAMS : SOLVE_EACH);
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
  default: return known(a.n | b.n); /* SpvOpBitwiseOr */
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
  num step; /* of a matrix: from one column to the next */
} vec;

typedef struct solve_state {
  uint32_t type; /* f64 */
  num m, n, cols;
  uint32_t matrix, job, there; /* ix, ix, bool */
  num column;                  /* the right-hand side */
  vec minus, qr;               /* the scaled matrix, negated; n×m */
  vec turned;                  /* minus, m×n; of teams */
  vec beta, diag, scale;       /* n; scale: 2^-e, by which column k was multiplied */
  vec xh, xl, rh, rl, f, z;    /* n, n, m, m, m, n */
  uint32_t most, noise;        /* variables */
} solve_state;

static const solve_opts *opts(const cg *g) { return &g->o->solve; }
static bool together(const cg *g) { return opts(g)->phase == SOLVE_FACTOR; }

static vec from(cg *g, vec v, num i) {
  v.from = plus(g, v.from, i);
  return v;
}
static vec column(cg *g, vec a, num k) { return from(g, a, times(g, k, a.step)); }
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
  return (vec){.at = spv_local(g->b, type, 0), .from = known(0), .step = z->m};
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

/* y[i] + by × x[i] */
static uint32_t with_product(cg *g, const solve_state *z, vec y, uint32_t by, vec x,
                             num i) {
  uint32_t p = mul(g, by, get(g, z, x, i));
  return add(g, get(g, z, y, i), p);
}

static void add_times(cg *g, const solve_state *z, vec y, uint32_t by, vec x, num n) {
  num whole = times(g, num_op(g, SpvOpUDiv, n, known(SUMS)), known(SUMS));
  EACH(e, known(0), whole, SUMS) {
    uint32_t v[SUMS];
    for (uint32_t j = 0; j < SUMS; j++)
      v[j] = with_product(g, z, y, by, x, plus(g, e.i, known(j)));
    for (uint32_t j = 0; j < SUMS; j++) put(g, z, y, plus(g, e.i, known(j)), v[j]);
  }
  EACH(e, whole, n, 1) put(g, z, y, e.i, with_product(g, z, y, by, x, e.i));
}

/* Reflection k of y, a column. */
static void reflect(cg *g, const solve_state *z, num k, uint32_t beta, vec y) {
  num n = less(g, z->m, k);
  vec v = from(g, column(g, z->qr, k), k);
  y = from(g, y, k);
  uint32_t by = dot(g, z, v, y, n);
  by = mul(g, cg_neg(g, KF64, beta), by);
  add_times(g, z, y, by, v, n);
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
  vec a = column(g, z->qr, k), minus = column(g, z->minus, k);
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
    if (!together(g)) put(g, z, minus, e.i, cg_neg(g, KF64, v));
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
      reflect(g, z, k, beta, column(g, z->qr, e.i));
    }
    return;
  }
  uint32_t merge = only_columns(g, z, k, true);
  reflect(g, z, k, beta, column(g, z->qr, of_id(g->thread)));
  spv_endif(g->b, merge);
}

static void reflect_column(cg *g, const solve_state *z, num k) {
  num at = known(0);
  vec v = from(g, column(g, z->qr, k), k);
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

/* From workgroup memory, each thread a row. */
static void copy_out(cg *g, const solve_state *z, vec to, bool minus) {
  num row = of_id(g->thread);
  uint32_t merge = spv_if(g->b, cg_less(g, g->thread, id_of(g, z->m)));
  EACH(e, known(0), z->n, 1) {
    uint32_t v = get(g, z, column(g, z->qr, e.i), row);
    put(g, z, column(g, to, e.i), row, minus ? cg_neg(g, KF64, v) : v);
  }
  spv_endif(g->b, merge);
}

/* minus, its rows behind one another, each thread a column. */
static void copy_turned(cg *g, const solve_state *z) {
  num k = of_id(g->thread);
  uint32_t merge = only_columns(g, z, known(0), false);
  EACH(e, known(0), z->m, 1) {
    uint32_t v = get(g, z, column(g, z->qr, k), e.i);
    put(g, z, column(g, z->turned, e.i), k, cg_neg(g, KF64, v));
  }
  spv_endif(g->b, merge);
}

static void factor(cg *g, const solve_state *z) {
  if (together(g)) {
    uint32_t merge = only_columns(g, z, known(0), false);
    load_column(g, z, of_id(g->thread));
    spv_endif(g->b, merge);
    cg_barrier(g);
    copy_out(g, z, z->minus, true);
    copy_turned(g, z);
  } else {
    EACH(e, known(0), z->n, 1) load_column(g, z, e.i);
  }
  EACH(e, known(0), z->n, 1) reflect_column(g, z, e.i);
}

/* ── a right-hand side ──────────────────────────────────────────────────────────────── */

static void solve_step(cg *g, const solve_state *z) {
  EACH(e, known(0), z->n, 1) { /* R'z = g */
    uint32_t d = dot(g, z, column(g, z->qr, e.i), z->z, e.i);
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
    add_times(g, z, z->z, cg_neg(g, KF64, v), column(g, z->qr, k), k);
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
        uint32_t a = get(g, z, column(g, z->minus, k), q->rows ? i : f.i);
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
  z->noise = var_new(g, z);
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

/* A component x of the solution: 0 if it keeps no digit; step: what was added last. */
static uint32_t refined(cg *g, const solve_state *z, uint32_t x, uint32_t step) {
  uint32_t least = mul(g, var_get(g, z, z->most), cg_real(g, KF64, NONE_BELOW));
  uint32_t size = cg_abs(g, KF64, x), some = mul(g, size, cg_real(g, KF64, NONE_DIGITS));
  uint32_t none = cg_cmp(g, KOP_LT, KF64, size, least);
  step = cg_abs(g, KF64, step);
  none = cg_both(g, none, cg_cmp(g, KOP_GT, KF64, step, some));
  return cg_pick(g, z->type, none, cg_real(g, KF64, 0), x);
}

/* x becomes element i of the result. */
static void store_element(cg *g, const solve_state *z, num i, uint32_t x) {
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
    store_element(g, z, e.i, refined(g, z, x, get(g, z, z->z, e.i)));
  }
}

/* ── the end of refining, as tables/refine.h has it ────────────────────────────────── */

static uint32_t greater(cg *g, const solve_state *z, uint32_t a, uint32_t b) {
  return cg_pick(g, z->type, cg_cmp(g, KOP_GT, KF64, a, b), a, b);
}
/* Is x rounded to its first half, also with a change? */
static uint32_t stays(cg *g, dd x, uint32_t by) {
  uint32_t more = add(g, x.hi, add(g, x.lo, by)), less = add(g, x.hi, sub(g, x.lo, by));
  more = cg_cmp(g, KOP_EQ, KF64, more, x.hi);
  return cg_both(g, more, cg_cmp(g, KOP_EQ, KF64, less, x.hi));
}
/* What may come after a largest change by step i. */
static uint32_t margin(cg *g, const solve_state *z, uint32_t i, uint32_t change) {
  uint32_t is = cg_is(g, SpvOpIEqual, i, spv_u32(g->b, 1));
  uint32_t noise = mul(g, change, cg_real(g, KF64, SETTLED_NOISE));
  noise = cg_pick(g, z->type, is, noise, var_get(g, z, z->noise));
  spv_do(g->b, SpvOpStore, z->noise, noise);
  return add(g, mul(g, change, cg_real(g, KF64, SETTLED_NEAR)), noise);
}

static uint32_t flag_new(cg *g) {
  uint32_t yes = spv_true(g->b, true, 1), var = spv_local(g->b, spv_bool(g->b), yes);
  spv_do(g->b, SpvOpStore, var, yes);
  return var;
}
static uint32_t flag_get(cg *g, uint32_t var) {
  return spv_op(g->b, spv_bool(g->b), SpvOpLoad, var);
}
static void flag_keep(cg *g, uint32_t var, uint32_t only) {
  spv_do(g->b, SpvOpStore, var, cg_both(g, flag_get(g, var), only));
}

static uint32_t is_settled(cg *g, const solve_state *z, uint32_t step) {
  uint32_t is = flag_new(g), most = var_new(g, z);
  for (int of_rows = 0; of_rows < 2; of_rows++)
    EACH(e, known(0), of_rows ? z->m : z->n, 1) {
      uint32_t v = cg_abs(g, KF64, get(g, z, of_rows ? z->f : z->z, e.i));
      spv_do(g->b, SpvOpStore, most, greater(g, z, v, var_get(g, z, most)));
    }
  uint32_t by = margin(g, z, step, var_get(g, z, most));
  EACH(e, known(0), z->n, 1) {
    dd x = {.hi = get(g, z, z->xh, e.i)};
    x.lo = get(g, z, z->xl, e.i);
    flag_keep(g, is, stays(g, x, by));
  }
  return flag_get(g, is);
}

static void solve_one(cg *g, solve_state *z) {
  begin_vectors(g, z);
  residual rows = {true, z->m, z->n, z->f, z->xh, z->xl};
  residual columns = {false, z->n, z->m, z->z, z->rh, z->rl};
  uint32_t open = flag_new(g);
  spv_loop l = spv_for(g->b, spv_u32(g->b, REFINE_STEPS + 1));
  spv_break_if(g->b, &l, cg_not(g, KB, flag_get(g, open)));
  uint32_t later = cg_not(g, KB, cg_is_zero(g, l.i)), merge = spv_if(g->b, later);
  find_residuals(g, z, &rows);
  find_residuals(g, z, &columns);
  spv_endif(g->b, merge);
  solve_step(g, z);
  merge = spv_if(g->b, cg_is_zero(g, l.i));
  find_most(g, z);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, later);
  flag_keep(g, open, cg_not(g, KB, is_settled(g, z, l.i)));
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
  store_solution(g, z);
}

/* ── a right-hand side, by a team ───────────────────────────────────────────────────── */

/* Thread t of a team has elements t, t + SUMS, … of each vector. */
typedef struct team {
  uint32_t t, first;    /* u32: in the team; the subgroup's lane of its first thread */
  uint32_t rows, cols;  /* elements of a thread: numbers */
  uint32_t place[HELD]; /* u32: which they are */
  uint32_t f[HELD], z[HELD], xh[HELD], xl[HELD], rh[HELD], rl[HELD]; /* variables */
} team;

static void set(cg *g, uint32_t var, uint32_t v) { spv_do(g->b, SpvOpStore, var, v); }
static void set_where(cg *g, const solve_state *z, uint32_t is, uint32_t var,
                      uint32_t v) {
  set(g, var, cg_pick(g, z->type, is, v, var_get(g, z, var)));
}
static uint32_t is_at_least(cg *g, uint32_t a, uint32_t b) {
  return cg_not(g, KB, cg_less(g, a, b));
}
/* What thread i of the team has. */
static uint32_t of_thread(cg *g, const solve_state *z, const team *m, uint32_t v,
                          uint32_t i) {
  return cg_shuffle_word(g, z->type, v, cg_u(g, SpvOpIAdd, m->first, i), false);
}
static uint32_t of_other(cg *g, const solve_state *z, uint32_t v, uint32_t half) {
  return cg_shuffle_word(g, z->type, v, spv_u32(g->b, half), true);
}
/* This thread's element q of column k. */
static uint32_t element_of(cg *g, const solve_state *z, const team *m, vec a, uint32_t k,
                           uint32_t q) {
  return get(g, z, column(g, a, of_id(k)), of_id(m->place[q]));
}

/* v, or `other` behind the vector's n elements. */
static uint32_t within(cg *g, const solve_state *z, const team *m, uint32_t q, num n,
                       uint32_t v, uint32_t other) {
  if ((q + 1) * SUMS <= n.n) return v;
  return cg_pick(g, z->type, cg_less(g, m->place[q], id_of(g, n)), v, other);
}

/* A thread's part of a dot product: a sum, and the product of one of the elements that fill no SUMS. */
typedef struct dot_part {
  uint32_t sum, last;
  uint32_t first,
      count; /* u32: the thread that has the first of these; how many there are */
} dot_part;

static uint32_t team_sum(cg *g, const solve_state *z, const team *m, const dot_part *d) {
  uint32_t sum = d->sum, rest = cg_real(g, KF64, 0);
  for (uint32_t half = SUMS / 2; half; half /= 2)
    sum = add(g, sum, of_other(g, z, sum, half));
  for (uint32_t j = 0; j + 1 < SUMS; j++) {
    uint32_t i = cg_ui(g, SpvOpBitwiseAnd, cg_next(g, d->first, j), SUMS - 1);
    uint32_t more = add(g, rest, of_thread(g, z, m, d->last, i));
    rest = cg_pick(g, z->type, cg_less(g, spv_u32(g->b, j), d->count), more, rest);
  }
  return add(g, sum, rest);
}

/* Reflection k of f, k being one of elements s×SUMS …. */
static void team_reflect(cg *g, const solve_state *z, const team *m, uint32_t s,
                         uint32_t k) {
  uint32_t v[HELD], none = cg_real(g, KF64, 0), rows = id_of(g, z->m);
  dot_part d = {.sum = none, .last = none};
  d.count = cg_ui(g, SpvOpBitwiseAnd, cg_u(g, SpvOpISub, rows, k), SUMS - 1);
  d.first = cg_u(g, SpvOpISub, rows, d.count);
  uint32_t begun = is_at_least(g, m->place[s], k);
  for (uint32_t q = s; q < m->rows; q++) {
    v[q] = element_of(g, z, m, z->qr, k, q);
    uint32_t p = mul(g, v[q], var_get(g, z, m->f[q])), rest = p;
    if (q == s) rest = p = cg_pick(g, z->type, begun, p, none);
    if (q + 2 >= m->rows) { /* those that fill no SUMS may be here */
      uint32_t is = cg_less(g, m->place[q], d.first);
      rest = within(g, z, m, q, z->m, cg_pick(g, z->type, is, d.last, p), d.last);
      d.last = rest;
      p = cg_pick(g, z->type, is, p, none);
    }
    d.sum = add(g, d.sum, p);
  }
  uint32_t beta = cg_neg(g, KF64, get(g, z, z->beta, of_id(k)));
  uint32_t by = mul(g, beta, team_sum(g, z, m, &d));
  for (uint32_t q = s; q < m->rows; q++) {
    uint32_t f = add(g, var_get(g, z, m->f[q]), mul(g, by, v[q]));
    if (q == s) set_where(g, z, begun, m->f[q], f);
    else set(g, m->f[q], f);
  }
}

/* Element k of R'z = g. */
static void team_forward(cg *g, const solve_state *z, const team *m, uint32_t s,
                         uint32_t k) {
  dot_part d = {.sum = cg_real(g, KF64, 0), .first = spv_u32(g->b, 0)};
  d.count = cg_ui(g, SpvOpBitwiseAnd, k, SUMS - 1);
  for (uint32_t q = 0; q <= s; q++) {
    uint32_t v = element_of(g, z, m, z->qr, k, q);
    v = mul(g, v, var_get(g, z, m->z[q]));
    if (q == s) d.last = v;
    else d.sum = add(g, d.sum, v);
  }
  uint32_t v = sub(g, var_get(g, z, m->z[s]), team_sum(g, z, m, &d));
  v = cg_div(g, KF64, v, get(g, z, z->diag, of_id(k)));
  set_where(g, z, cg_is(g, SpvOpIEqual, m->place[s], k), m->z[s], v);
}

/* Element k of R dx = d - z. */
static void team_back(cg *g, const solve_state *z, const team *m, uint32_t s,
                      uint32_t k) {
  uint32_t i = cg_ui(g, SpvOpBitwiseAnd, k, SUMS - 1);
  uint32_t d = of_thread(g, z, m, var_get(g, z, m->z[s]), i);
  d = cg_div(g, KF64, d, get(g, z, z->diag, of_id(k)));
  for (uint32_t q = 0; q <= s; q++) {
    uint32_t v = element_of(g, z, m, z->qr, k, q);
    v = add(g, var_get(g, z, m->z[q]), mul(g, cg_neg(g, KF64, d), v));
    if (q == s) set_where(g, z, cg_less(g, m->place[q], k), m->z[q], v);
    else set(g, m->z[q], v);
  }
  set_where(g, z, cg_is(g, SpvOpIEqual, m->place[s], k), m->z[s], d);
}

typedef void team_way(cg *g, const solve_state *z, const team *m, uint32_t s, uint32_t k);

/* How many of elements s×SUMS … there are of n. */
static uint32_t count_of(uint32_t s, num n) {
  return n.n - s * SUMS < SUMS ? n.n - s * SUMS : SUMS;
}
/* For each k below n. */
static void team_up(cg *g, const solve_state *z, const team *m, team_way *way) {
  for (uint32_t s = 0; s < m->cols; s++) {
    spv_loop l = spv_for(g->b, spv_u32(g->b, count_of(s, z->n)));
    way(g, z, m, s, cg_next(g, l.i, s * SUMS));
    spv_endfor(g->b, &l);
  }
}
static void team_down(cg *g, const solve_state *z, const team *m, team_way *way) {
  for (uint32_t s = m->cols; s-- > 0;) {
    uint32_t n = count_of(s, z->n), last = spv_u32(g->b, s * SUMS + n - 1);
    spv_loop l = spv_for(g->b, spv_u32(g->b, n));
    way(g, z, m, s, cg_u(g, SpvOpISub, last, l.i));
    spv_endfor(g->b, &l);
  }
}

static void dd_put(cg *g, const solve_state *z, uint32_t hi, uint32_t lo, uint32_t by) {
  dd v = {.hi = var_get(g, z, hi)};
  v.lo = var_get(g, z, lo);
  v = dd_add(g, v, by);
  set(g, hi, v.hi);
  set(g, lo, v.lo);
}

static void team_step(cg *g, const solve_state *z, const team *m) {
  team_up(g, z, m, team_forward);
  team_up(g, z, m, team_reflect);
  for (uint32_t q = 0; q < m->cols; q++) {
    uint32_t f = var_get(g, z, m->f[q]), was = var_get(g, z, m->z[q]);
    set(g, m->f[q], within(g, z, m, q, z->n, was, f));
    set(g, m->z[q], sub(g, f, was));
  }
  team_down(g, z, m, team_back);
  for (uint32_t q = 0; q < m->cols; q++)
    dd_put(g, z, m->xh[q], m->xl[q], var_get(g, z, m->z[q]));
  team_down(g, z, m, team_reflect);
  for (uint32_t q = 0; q < m->rows; q++)
    dd_put(g, z, m->rh[q], m->rl[q], var_get(g, z, m->f[q]));
}

/* Of n variables that of number i, u32. */
static uint32_t some_of(cg *g, const solve_state *z, const uint32_t *var, uint32_t n,
                        uint32_t i) {
  uint32_t v = var_get(g, z, var[0]);
  for (uint32_t q = 1; q < n; q++) {
    uint32_t is = cg_is(g, SpvOpIEqual, i, spv_u32(g->b, q));
    v = cg_pick(g, z->type, is, var_get(g, z, var[q]), v);
  }
  return v;
}

/* What `rows` and `columns` of find_residuals are for a team: `to`, which begins with hi and lo, has n elements of a thread. */
typedef struct team_residual {
  bool rows;
  uint32_t n, inner; /* numbers; elements of a thread that it is multiplied with */
  const uint32_t *to, *hi, *lo;
} team_residual;

static void add_residuals(cg *g, const solve_state *z, const team *m,
                          const team_residual *r, const uint32_t *low) {
  uint32_t all = id_of(g, r->rows ? z->n : z->m);
  spv_loop s = spv_for(g->b, spv_u32(g->b, r->inner));
  uint32_t hi = some_of(g, z, r->hi, r->inner, s.i),
           lo = some_of(g, z, r->lo, r->inner, s.i);
  uint32_t first = cg_ui(g, SpvOpIMul, s.i, SUMS), left = cg_u(g, SpvOpISub, all, first);
  spv_loop l = spv_for(g->b, cg_least(g, g->u32, left, spv_u32(g->b, SUMS)));
  uint32_t k = cg_u(g, SpvOpIAdd, first, l.i);
  dd by = {.hi = of_thread(g, z, m, hi, l.i)};
  by.lo = of_thread(g, z, m, lo, l.i);
  for (uint32_t q = 0; q < r->n; q++) {
    uint32_t a = element_of(g, z, m, r->rows ? z->minus : z->turned, k, q);
    dd t = {.hi = var_get(g, z, r->to[q])};
    t.lo = var_get(g, z, low[q]);
    t = dd_fma(g, t, a, by);
    set(g, r->to[q], t.hi);
    set(g, low[q], t.lo);
  }
  spv_endfor(g->b, &l);
  spv_endfor(g->b, &s);
}

static uint32_t team_right_side(cg *g, const solve_state *z, const team *m, uint32_t q) {
  uint32_t last = cg_ui(g, SpvOpISub, id_of(g, z->m), 1);
  return right_side(g, z, of_id(cg_least(g, g->u32, m->place[q], last)));
}

static void team_residuals(cg *g, const solve_state *z, const team *m) {
  uint32_t low[HELD], none = cg_real(g, KF64, 0);
  for (uint32_t q = 0; q < m->rows; q++) {
    uint32_t rh = var_get(g, z, m->rh[q]), b = team_right_side(g, z, m, q);
    dd t = what_is_left(g, b, rh, var_get(g, z, m->rl[q]));
    low[q] = var_new(g, z);
    set(g, m->f[q], t.hi);
    set(g, low[q], t.lo);
  }
  team_residual of_rows = {true, m->rows, m->cols, m->f, m->xh, m->xl};
  add_residuals(g, z, m, &of_rows, low);
  for (uint32_t q = 0; q < m->cols; q++) {
    set(g, m->z[q], none);
    set(g, low[q], none);
  }
  team_residual of_columns = {false, m->cols, m->rows, m->z, m->rh, m->rl};
  add_residuals(g, z, m, &of_columns, low);
}

static uint32_t team_greatest(cg *g, const solve_state *z, uint32_t v) {
  for (uint32_t half = SUMS / 2; half; half /= 2)
    v = greater(g, z, of_other(g, z, v, half), v);
  return v;
}

/* The largest element of the first solution. */
static void team_most(cg *g, const solve_state *z, const team *m) {
  uint32_t most = cg_real(g, KF64, 0);
  for (uint32_t q = 0; q < m->cols; q++) {
    uint32_t v = cg_abs(g, KF64, var_get(g, z, m->xh[q]));
    uint32_t is = cg_less(g, m->place[q], id_of(g, z->n));
    fault(g, cg_both(g, is, cg_not(g, KB, cg_finite(g, KF64, v))));
    v = within(g, z, m, q, z->n, v, most);
    most = greater(g, z, v, most);
  }
  set(g, z->most, team_greatest(g, z, most));
}

static uint32_t team_settled(cg *g, const solve_state *z, const team *m, uint32_t step) {
  uint32_t none = cg_real(g, KF64, 0), most = none, is = spv_true(g->b, true, 1);
  for (int of_rows = 0; of_rows < 2; of_rows++)
    for (uint32_t q = 0; q < (of_rows ? m->rows : m->cols); q++) {
      uint32_t v = cg_abs(g, KF64, var_get(g, z, of_rows ? m->f[q] : m->z[q]));
      v = within(g, z, m, q, of_rows ? z->m : z->n, v, none);
      most = greater(g, z, v, most);
    }
  most = team_greatest(g, z, most);
  uint32_t by = margin(g, z, step, most);
  for (uint32_t q = 0; q < m->cols; q++) {
    dd x = {.hi = var_get(g, z, m->xh[q])};
    x.lo = var_get(g, z, m->xl[q]);
    uint32_t stay = stays(g, x, by);
    if ((q + 1) * SUMS > z->n.n) {
      uint32_t beyond = is_at_least(g, m->place[q], id_of(g, z->n));
      stay = cg_is(g, SpvOpLogicalOr, stay, beyond);
    }
    is = cg_both(g, is, stay);
  }
  uint32_t open = cg_pick(g, g->u32, is, spv_u32(g->b, 0), spv_u32(g->b, 1));
  for (uint32_t half = SUMS / 2; half; half /= 2) {
    uint32_t other = cg_shuffle_word(g, g->u32, open, spv_u32(g->b, half), true);
    open = cg_u(g, SpvOpBitwiseOr, open, other);
  }
  return cg_is_zero(g, open);
}

static team team_begin(cg *g, solve_state *z) {
  team m = {.t = cg_ui(g, SpvOpBitwiseAnd, g->thread, SUMS - 1)};
  m.first = cg_u(g, SpvOpISub, g->lane, m.t);
  m.rows = (z->m.n + SUMS - 1) / SUMS;
  m.cols = (z->n.n + SUMS - 1) / SUMS;
  uint32_t *const all[] = {m.f, m.z, m.xh, m.xl, m.rh, m.rl};
  for (uint32_t q = 0; q < m.rows; q++) {
    m.place[q] = cg_next(g, m.t, q * SUMS);
    for (size_t i = 0; i < ARRAY_LEN(all); i++) all[i][q] = var_new(g, z);
    set(g, m.f[q], team_right_side(g, z, &m, q));
  }
  z->most = var_new(g, z);
  z->noise = var_new(g, z);
  return m;
}

static void team_store(cg *g, const solve_state *z, const team *m) {
  for (uint32_t q = 0; q < m->cols; q++) {
    uint32_t merge = spv_if(g->b, cg_less(g, m->place[q], id_of(g, z->n)));
    uint32_t x = var_get(g, z, m->xh[q]);
    x = refined(g, z, x, var_get(g, z, m->z[q]));
    store_element(g, z, of_id(m->place[q]), x);
    spv_endif(g->b, merge);
  }
}

static void solve_by_team(cg *g, solve_state *z) {
  team m = team_begin(g, z);
  uint32_t open = flag_new(g);
  spv_loop l = spv_for(g->b, spv_u32(g->b, REFINE_STEPS + 1));
  spv_break_if(g->b, &l, cg_not(g, KB, cg_any(g, flag_get(g, open))));
  uint32_t last = cg_is(g, SpvOpIEqual, l.i, spv_u32(g->b, REFINE_STEPS));
  uint32_t later = cg_not(g, KB, cg_is_zero(g, l.i)), merge = spv_if(g->b, later);
  team_residuals(g, z, &m);
  spv_endif(g->b, merge);
  team_step(g, z, &m);
  merge = spv_if(g->b, cg_is_zero(g, l.i));
  team_most(g, z, &m);
  spv_endif(g->b, merge);
  merge = spv_if(g->b, later);
  uint32_t settled = team_settled(g, z, &m, l.i),
           done = cg_is(g, SpvOpLogicalOr, settled, last);
  uint32_t store = spv_if(g->b, cg_both(g, flag_get(g, open), done));
  team_store(g, z, &m);
  spv_endif(g->b, store);
  flag_keep(g, open, cg_not(g, KB, settled));
  spv_endif(g->b, merge);
  spv_endfor(g->b, &l);
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
  num size = plus(g, times(g, area, known(3)), three);
  uint32_t at = element(g, z->matrix, size, known(0));
  vec all = {.where = IN_MEMORY, .from = known(0), .step = z->m};
  uint32_t memory = cg_slot(g, together(g) ? CG_SLOT_TO : CG_SLOT_FROM);
  all.at = cg_addr(g, memory, at, 3);
  z->minus = all;
  z->qr = from(g, all, area);
  z->beta = from(g, z->qr, area);
  z->diag = from(g, z->beta, z->n);
  z->scale = from(g, z->diag, z->n);
  z->turned = from(g, z->scale, z->n);
  z->turned.step = z->n;
}

/* A workgroup makes the factors in its memory; what others need goes out. */
static void factor_together(cg *g, solve_state *z) {
  vec qr = z->qr, diag = z->diag, here = {.where = IN_WORKGROUP, .from = known(0)};
  z->qr = z->diag = here;
  z->qr.step = num_op(g, SpvOpBitwiseOr, z->m, known(1)); /* for other banks */
  z->qr.at = spv_shared(g->b, z->type, (opts(g)->m + 1) * opts(g)->n);
  z->diag.at = spv_shared(g->b, z->type, opts(g)->n);
  factor(g, z);
  cg_barrier(g);
  copy_out(g, z, qr, false);
  uint32_t merge = only_columns(g, z, known(0), false);
  put(g, z, diag, of_id(g->thread), get(g, z, z->diag, of_id(g->thread)));
  spv_endif(g->b, merge);
}

void solve_emit(cg *g) {
  solve_state z = {.type = cg_scalar_type(g, KF64)};
  const solve_opts *o = opts(g);
  bool whole = o->phase == SOLVE_WHOLE, is_known = whole || o->phase == SOLVE_TEAMS;
  z.m = is_known ? known(o->m) : of_id(cg_slot_u32(g, CG_OWN_SLOT(solve_geom, m)));
  z.n = is_known ? known(o->n) : of_id(cg_slot_u32(g, CG_OWN_SLOT(solve_geom, n)));
  z.cols = of_id(cg_slot_u32(g, CG_OWN_SLOT(solve_geom, cols)));
  if (together(g)) {
    z.matrix = cg_to_ix(g, g->wid);
    find_factors(g, &z);
    factor_together(g, &z);
    return;
  }
  if (o->phase == SOLVE_TEAMS) {
    find_job(g, &z, THREADS / SUMS, cg_ui(g, SpvOpUDiv, g->thread, SUMS));
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
