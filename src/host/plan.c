/* SPDX-License-Identifier: MIT */
/* plan.c - a kir and its scalars become the steps that are run for every block.
 *
 * One pass over the instructions that somebody needs:
 *   - what depends on scalars alone is computed here, once, with the same loops;
 *   - BITS, conversions to the same type and FIN give back their operand's cell: a cell's
 *     type says how large it is, an instruction's type what is in it;
 *   - FIN after a + - × ÷ turns that step into one that looks at its results while they are
 *     in registers: nearly every float operation of a program is such a pair;
 *   - everything else becomes a step whose loop is chosen by type and by which operands are
 *     scalars.
 * Then registers are given out by first and last use, and the block's size is chosen by how
 * many are live at once.
 *
 * TRIED: blocks that run the rows of prim.def (prim/rows.c) instead of these steps, straight from nodes: registers of 512
 * elements, truth values as bits. Its bound, the rows' loops alone on 14 expressions without planning, against today's way,
 * which is a loop for each primitive at once up to a measured length, then these blocks (bench/results/host-rows.tsv): today's
 * takes 1.4, 1.3, 1.3, 1.15, 1.15 times as long at 1000, 3000, 10^4, 10^5, 10^6 elements. At 10^5 and 10^6: (A×B)+C 1.2
 * and 1.1, 0.5×A+B 1.25 and 1.3, A⌊B⌈C 1.15, (A<B)∧B<C 1.0; 1+2×A*2 1.65 and 2.1, which is done at once and by
 * these blocks would be 1.25 and 1.1. These blocks where they are forced: 1.75 and 1.6, most of it comparisons, which are
 * done at once. Less than 1.5, for a second planner beside this one. */
#include "plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../kir/folds.h"

/* Short blocks win, well before L1 is full: while the last steps of one block compute, the
 * processor already reads the next one's inputs. A chain of ten + and × on f64 took 26 ms
 * with blocks that filled L1, and 12 ms, memory speed, with these. */
enum { LIVE_BYTES = 6 * 1024, REG_GAP = 192 };

typedef struct planner {
  blk_plan *p;
  uint16_t *cell_of;        /* per instruction */
  uint8_t *live;            /* per instruction: somebody needs it */
  uint16_t *free_reg;       /* a stack */
  char *uni;                /* the next free 512 bytes */
  uintptr_t loops;          /* the next free memory for a loop's body */
  uint16_t raw[KIR_MAX_IN]; /* cells of inputs in kir_arg_type; 0: not loaded yet */
  const uint16_t *arg;      /* of a join's or loop's body: the cells of its arguments */
  const kloop *of;          /* the loop whose body it is */
} planner;

/* Cells: 0 is none; an instruction makes at most three (load, conversion, splat), a loop those
 * of its results and of steps that hold registers. */
static size_t max_cells(const kir *k) {
  return 3 * (size_t)k->n_ins + KIR_MAX_IN + 2 * KIR_MAX_ACC + KIR_MAX_OUT + 2 +
         k->n_loop * (KIR_MAX_CARRIED + KIR_MAX_IN);
}
static size_t up64(size_t n) { return (n + 63) & ~(size_t)63; }

static size_t loops_bytes(const kir *k) {
  size_t n = up64(k->n_loop * sizeof(blk_loop));
  for (uint32_t i = 0; i < k->n_loop; i++) {
    const kir *body = k->loop[i].body;
    n += up64(blk_plan_bytes(body) + 64) + up64(max_cells(body) * sizeof(uint16_t));
  }
  return n;
}

size_t blk_plan_bytes(const kir *k) {
  size_t cells = max_cells(k), ins = k->n_ins + 1u;
  return up64(cells * sizeof(blk_cell)) + up64(cells * sizeof(blk_step)) +
         up64(ins * sizeof(uint16_t)) + up64(ins) + up64(cells * sizeof(uint16_t)) +
         up64(2 * KIR_MAX_FAULT * sizeof(uint32_t)) + cells * 8 * BLK_UNI + 64 +
         loops_bytes(k);
}

/* ── cells and steps ────────────────────────────────────────────────────────────────── */

static uint16_t new_cell(planner *w, kty ty) {
  blk_plan *p = w->p;
  p->cell[p->n_cell] = (blk_cell){.def = -1, .last = -1, .ty = (uint8_t)ty};
  return (uint16_t)p->n_cell++;
}

static uint16_t new_uni(planner *w, kty ty) {
  uint16_t c = new_cell(w, ty);
  w->p->cell[c].uni = w->uni;
  w->uni += 8 * BLK_UNI;
  return c;
}

/* The step that makes a cell, or NULL. */
static blk_step *maker_of(const blk_plan *p, uint16_t cell) {
  int32_t at = p->cell[cell].def;
  return at < 0 ? NULL : &p->step[at];
}

static bool is_uni(const planner *w, uint16_t c) { return w->p->cell[c].uni != NULL; }

static uint16_t literal(planner *w, kty ty, kimm v) {
  uint16_t c = new_uni(w, ty);
  union {
    uint8_t b;
    int32_t i;
    int64_t l;
    float f;
    double d;
  } x = {0};
  switch (ty) {
  case KB: x.b = v.i != 0; break;
  case KI32: x.i = (int32_t)v.i; break;
  case KI64: x.l = v.i; break;
  case KF32: x.f = (float)v.f; break;
  default: x.d = v.f; break;
  }
  w->p->isa->map->splat[blk_size(ty)](w->p->cell[c].uni, &x, NULL, NULL, BLK_UNI);
  return c;
}

static uint16_t append(planner *w, kty ty, blk_step s) {
  blk_plan *p = w->p;
  s.r = new_cell(w, ty);
  p->cell[s.r].def = (int32_t)p->n_step;
  p->step[p->n_step++] = s;
  return s.r;
}

static uint16_t spread(planner *w, uint16_t a) { /* a uniform cell as a vector */
  if (!is_uni(w, a)) return a;
  kty ty = w->p->cell[a].ty;
  blk_step s = {.fn = w->p->isa->map->splat[blk_size(ty)], .a = a, .flag = -1};
  return append(w, ty, s);
}

/* Appends a step, or runs it here and now if its operands are uniform. Returns its cell. A
 * fault in a loop counts when an element gets there: such a step is left to the run. */
static uint16_t emit(planner *w, kty ty, blk_step s) {
  blk_plan *p = w->p;
  if (s.kind == STEP_RUN && (!s.a || is_uni(w, s.a)) && (!s.b || is_uni(w, s.b)) &&
      (!s.c || is_uni(w, s.c))) {
    uint16_t r = new_uni(w, ty);
    uint32_t f = s.fn(p->cell[r].uni, p->cell[s.a].uni, p->cell[s.b].uni,
                      p->cell[s.c].uni, BLK_UNI);
    if (!f || s.flag < 0) return r;
    if (!w->of) {
      p->flags[s.flag] = 1;
      return r;
    }
    s.a = spread(w, s.a);
    s.b = spread(w, s.b);
    s.c = spread(w, s.c);
  }
  return append(w, ty, s);
}

static uint16_t convert(planner *w, uint16_t a, kty from, kty to) {
  if (from == to) return a;
  return emit(w, to, (blk_step){.fn = w->p->isa->map->cvt[from][to], .a = a, .flag = -1});
}

/* ── elements one by one ────────────────────────────────────────────────────────────── */

/* Types that are stored in whole bytes: as what, and as what they are computed with. */
#define STORED(F)                                                                        \
  F(I8, int8_t, int32_t)                                                                 \
  F(I16, int16_t, int32_t)                                                               \
  F(I32, int32_t, int32_t)                                                               \
  F(I64, int64_t, int64_t)                                                               \
  F(F32, float, float)                                                                   \
  F(F64, double, double)                                                                 \
  F(C8, uint8_t, int32_t)                                                                \
  F(C16, uint16_t, int32_t)                                                              \
  F(C32, uint32_t, int32_t)

static uint8_t bit_at(const void *bits, int64_t e) {
  return ((const uint8_t *)bits)[e >> 3] >> (e & 7) & 1;
}

void blk_fetch(elt type, const void *src, void *r, int64_t at, int64_t step, size_t n) {
#define FETCH(type, T, R)                                                                \
  case ET_##type:                                                                        \
    for (size_t i = 0; i < n; i++)                                                       \
      ((R *)r)[i] = (R)((const T *)src)[at + (int64_t)i * step];                         \
    break;
  switch (type) {
    STORED(FETCH)
  default: /* ET_BIT; kir_check lets nothing else through */
    for (size_t i = 0; i < n; i++)
      ((uint8_t *)r)[i] = bit_at(src, at + (int64_t)i * step);
  }
#undef FETCH
}

void blk_gather(elt type, const void *src, void *r, const int64_t *at, size_t n) {
#define GATHER(type, T, R)                                                               \
  case ET_##type:                                                                        \
    for (size_t i = 0; i < n; i++) ((R *)r)[i] = (R)((const T *)src)[at[i]];             \
    break;
  switch (type) {
    STORED(GATHER)
  default:
    for (size_t i = 0; i < n; i++) ((uint8_t *)r)[i] = bit_at(src, at[i]);
  }
#undef GATHER
}

/* ── instructions ───────────────────────────────────────────────────────────────────── */

static uint16_t plan_arg(planner *w, const kins *n) {
  blk_plan *p = w->p;
  uint32_t in = (uint32_t)n->imm.i;
  if (w->arg) return w->arg[in];
  kty raw = kir_arg_type(p->k->in[in].type);
  if (!w->raw[in] && p->k->in[in].view == KV_ONE) {
    union {
      uint64_t u;
      char bytes[8];
    } x = {0};
    w->raw[in] = new_uni(w, raw);
    blk_fetch((elt)p->k->in[in].type, p->b->in[in].host, &x, 0, 0, 1);
    p->isa->map->splat[blk_size(raw)](p->cell[w->raw[in]].uni, &x, NULL, NULL, BLK_UNI);
  }
  if (!w->raw[in])
    w->raw[in] =
        emit(w, raw, (blk_step){.kind = STEP_LOAD, .in = (uint8_t)in, .flag = -1});
  return convert(w, w->raw[in], raw, n->ty);
}

static uint16_t plan_get(planner *w, const kins *n, uint16_t index) {
  uint8_t in = (uint8_t)n->imm.i;
  kty raw = kir_arg_type(w->p->top->in[in].type);
  blk_step s = {.kind = STEP_GET, .in = in, .a = spread(w, index), .flag = -1};
  return convert(w, emit(w, raw, s), raw, n->ty);
}

static uint16_t plan_sel(planner *w, kty ty, uint16_t a, uint16_t b, uint16_t c) {
  if (is_uni(w, a)) return *(const uint8_t *)w->p->cell[a].uni ? b : c;
  int form = is_uni(w, b) + 2 * is_uni(w, c);
  return emit(w, ty,
              (blk_step){.fn = w->p->isa->map->sel[blk_size(ty)][form],
                         .a = a,
                         .b = b,
                         .c = c,
                         .flag = -1});
}

static int16_t flag_of(const kins *n, bool escape) {
  return (int16_t)(2 * n->imm.i + escape);
}

/* The loop of + - × ÷ that also looks at its results, if step s is one without; else NULL. */
static blk_fn with_fin(const blk_plan *p, const blk_step *s, kty ty) {
  if (s->kind != STEP_RUN) return NULL;
  for (int op = 0; op < 4; op++)
    for (int form = 0; form < FORM_COUNT; form++)
      if (s->fn == p->isa->map->op[KOP_ADD + op][ty][form])
        return p->isa->map->fin[op][ty - KF32][form];
  return NULL;
}
_Static_assert(KOP_DIV == KOP_ADD + 3, "blk_isa.fin is in the order of the operations");

static uint16_t plan_fin(planner *w, const kins *n, uint16_t a, uint16_t b, uint16_t c) {
  blk_plan *p = w->p;
  kty ty = n->ty;
  blk_fn look = p->isa->map->op[KOP_FIN][ty][0];
  if (is_uni(w, a)) {
    if (!look(NULL, p->cell[a].uni, NULL, NULL, BLK_UNI)) return a;
    bool one_look = a == b && a == c; /* ir/relax.c */
    a = spread(w, a);
    if (one_look) b = c = a;
  }
  int32_t at = p->cell[a].def;
  blk_step *s = maker_of(p, a);
  blk_fn fn = NULL;
  if (s) fn = with_fin(p, s, ty);
  bool early = at < (int32_t)p->n_test; /* in a loop's test, which more elements take */
  if (fn && !early && p->cell[b].def < at && p->cell[c].def < at) {
    s->fn = fn;
    s->kind = STEP_FIN;
    s->flag = flag_of(n, false);
    s->fa = a, s->fb = b, s->fc = c;
  } else {
    emit(w, ty,
         (blk_step){.fn = look,
                    .kind = STEP_FIN,
                    .a = a,
                    .flag = flag_of(n, false),
                    .fa = a,
                    .fb = b,
                    .fc = c});
  }
  return a;
}

/* The FOLD of a tuple: how it is folded is fold_join.c's or fold_several.c's to know. */
static uint16_t plan_tuple(planner *w) {
  blk_plan *p = w->p;
  const kir *k = p->k;
  for (uint32_t i = 0; i < k->n_acc; i++)
    p->tuple_x[i] = spread(w, w->cell_of[k->acc[i].from]);
  p->n_pre = p->n_step;
  memset(w->raw, 0, sizeof w->raw); /* blocks are others behind the fold */
  for (uint32_t i = 0; i < k->n_acc; i++) p->tuple_r[i] = new_cell(w, k->acc[i].ty);
  p->fold_x = p->tuple_x[0];
  return p->fold_r = p->tuple_r[0];
}

static uint16_t plan_fold(planner *w, const kins *n, uint16_t a) {
  blk_plan *p = w->p;
  if (p->k->join || p->k->n_acc > 1) return plan_tuple(w);
  kfold f = p->k->acc[0].monoid;
  kty from = p->k->ins[n->a].ty, src = kfold_type(f, from);
  bool tree = kfold_table[f].on[src].order == KORDER_TREE;
  p->sum = kfold_table[f].on[src].order == KORDER_SUM;
  a = convert(w, a, from, src);
  /* A sum of truth values needs no integers: the conversion is left out. */
  const blk_step *s = maker_of(p, a);
  if (p->sum && s && s->fn && s->fn == p->isa->map->cvt[KB][src]) {
    a = s->a;
    src = KB;
    if (s == &p->step[p->n_step - 1]) p->n_step--;
  }
  if (tree) p->tree = &p->isa->folds->tree[f][src];
  else p->exact = &p->isa->folds->exact[f][src];
  p->fold_x = p->tuple_x[0] = spread(w, a);
  p->fold_src = (uint8_t)src;
  p->fold_flag = 2 * (int)n->imm.i + 1;
  p->n_pre = p->n_step;
  memset(w->raw, 0, sizeof w->raw); /* blocks are others behind the fold */
  p->fold_r = p->tuple_r[0] = new_cell(w, n->ty);
  return p->fold_r;
}

/* An operation that is one loop: which of its forms serves these operands. */
static int form_of(const planner *w, const kins *n, const blk_step *s) {
  if (kop_table[n->op].imm == KIMM_COUNT) return FORM_VS;
  if (!s->b || is_uni(w, s->a) == is_uni(w, s->b)) return FORM_VV;
  return is_uni(w, s->a) ? FORM_SV : FORM_VS;
}

static uint16_t plan_loop(planner *w, const kins *n, uint16_t a, uint16_t b) {
  blk_plan *p = w->p;
  blk_step s = {.a = a, .b = b, .flag = -1};
  kop op = n->op;
  if (op == KOP_GT || op == KOP_GE) {
    op = op == KOP_GT ? KOP_LT : KOP_LE;
    s.a = b;
    s.b = a;
  }
  if (kop_table[op].imm == KIMM_COUNT) s.b = literal(w, KI64, n->imm);
  if (kop_has_effect(op)) s.flag = flag_of(n, op != KOP_ERR);
  s.fn = p->isa->map->op[op][p->k->ins[n->a].ty][form_of(w, n, &s)];
  return emit(w, n->ty, s);
}

/* Of vectors, or of numbers, here and now. */
static uint16_t plan_fma(planner *w, const kins *n, uint16_t a, uint16_t b, uint16_t c) {
  bool some = !is_uni(w, a) || !is_uni(w, b) || !is_uni(w, c);
  blk_step s = {
      .fn = w->p->isa->map->op[KOP_FMA][n->ty][0], .a = a, .b = b, .c = c, .flag = -1};
  if (some) s.a = spread(w, a);
  if (some) s.b = spread(w, b);
  if (some) s.c = spread(w, c);
  return emit(w, n->ty, s);
}

static void plan_body(planner *outer, blk_loop *l, const kloop *of);

/* What it starts with has its registers until then, its results have theirs from then on. */
static uint16_t plan_loop_of(planner *w, const kins *n) {
  blk_plan *p = w->p;
  const kloop *of = &p->k->loop[n->imm.i];
  blk_loop *l = &p->loop[n->imm.i];
  blk_step hold = {.kind = STEP_HOLD, .flag = -1};
  for (uint32_t i = 0; i < of->body->n_in; i++) l->start[i] = w->cell_of[of->from[i]];
  plan_body(w, l, of);
  for (uint32_t i = 1; i < of->n; i++)
    l->result[i] = append(w, p->k->ins[of->from[i]].ty, hold);
  blk_step s = {.kind = STEP_LOOP, .in = (uint8_t)n->imm.i, .flag = -1};
  l->result[0] = append(w, n->ty, s);
  for (uint32_t i = 0; i < of->body->n_in; i++) {
    hold.a = l->start[i];
    hold.b = i < of->n ? l->result[i] : 0;
    append(w, KB, hold);
  }
  return l->result[0];
}

static uint16_t plan_part(planner *w, const kins *n) {
  const kins *of = &w->p->k->ins[n->a];
  if (of->op == KOP_LOOP) return w->p->loop[of->imm.i].result[n->imm.i];
  return w->p->tuple_r[n->imm.i];
}

static uint16_t plan_ins(planner *w, const kins *n) {
  blk_plan *p = w->p;
  uint16_t a = w->cell_of[n->a], b = w->cell_of[n->b], c = w->cell_of[n->c];
  const int operands = kop_table[n->op].operands;
  if (operands < 1) a = 0;
  if (operands < 2) b = 0;
  if (operands < 3) c = 0;
  switch ((kop)n->op) {
  case KOP_ARG: return plan_arg(w, n);
  case KOP_GET: return plan_get(w, n, a);
  case KOP_IOTA: return emit(w, n->ty, (blk_step){.kind = STEP_IOTA, .flag = -1});
  case KOP_NUMBER: return emit(w, n->ty, (blk_step){.kind = STEP_NUMBER, .flag = -1});
  case KOP_CONST: return literal(w, n->ty, n->imm);
  case KOP_PARAM: return literal(w, n->ty, p->b->param[n->imm.i]);
  case KOP_BITS: return a;
  case KOP_CVT: return convert(w, a, p->k->ins[n->a].ty, n->ty);
  case KOP_SEL: return plan_sel(w, n->ty, a, b, c);
  case KOP_FMA: return plan_fma(w, n, a, b, c);
  case KOP_FIN: return plan_fin(w, n, a, b, c);
  case KOP_FOLD: return plan_fold(w, n, a);
  case KOP_LOOP: return plan_loop_of(w, n);
  case KOP_PART: return plan_part(w, n);
  default: return plan_loop(w, n, a, b);
  }
}

static void mark_live(const kir *k, uint8_t *live) {
  memset(live, 0, k->n_ins);
  for (uint32_t i = 0; i < k->n_out; i++) {
    const kout *o = &k->out[i];
    live[o->value] = 1;
    if (o->put) live[o->at] = live[o->when] = 1;
    if (o->put == KPUT_INSERT) live[o->mask] = 1;
  }
  for (uint32_t i = k->n_ins; i-- > 0;) {
    const kins *n = &k->ins[i];
    kv v[3] = {n->a, n->b, n->c};
    live[i] |= kop_has_effect(n->op);
    for (int j = 0; live[i] && j < kop_table[n->op].operands; j++) live[v[j]] = 1;
    for (uint32_t j = 0; n->op == KOP_FOLD && j < k->n_acc; j++) live[k->acc[j].from] = 1;
    for (uint32_t j = 0; n->op == KOP_LOOP && j < k->loop[n->imm.i].body->n_in; j++)
      live[k->loop[n->imm.i].from[j]] = 1;
  }
}

/* ── outputs ────────────────────────────────────────────────────────────────────────── */

typedef struct extent {
  uintptr_t lo, hi;
} extent;

static extent bytes_at(const void *p, elt t, int64_t first, int64_t n) {
  uintptr_t base = (uintptr_t)p, skip = (uintptr_t)first * elt_table[t].bits / 8;
  return (extent){base + skip, base + skip + elt_bytes(t, n) + 1};
}

/* Whether an output lies over an input: then no step may write to it before the block's last
 * one has read its inputs. */
static bool overlaps(const kir *k, const kir_bind *b, uint32_t o) {
  int64_t lines = b->rows * b->inner, all = lines * b->len;
  int64_t results = k->kind == KIR_REDUCE ? lines : all;
  extent w = bytes_at(b->out[o].host, k->out[o].type, 0, results);
  for (uint32_t i = 0; i < k->n_in; i++) {
    int64_t first = 0, n = all;
    if (k->in[i].view == KV_ONE) continue; /* read before the first block */
    if (k->in[i].view >= KV_GET) continue; /* kir.h: never */
    if (k->in[i].view == KV_STEP) {
      int64_t reach = b->in[i].step * (b->len - 1);
      first = b->in[i].offset + min_i64(reach, 0);
      n = llabs(reach) + 1;
    }
    extent r = bytes_at(b->in[i].host, k->in[i].type, first, n);
    if (r.lo < w.hi && w.lo < r.hi) return true;
  }
  return false;
}

/* Is c where the engine of folds puts a result? */
static bool is_result(const blk_plan *p, uint16_t c) {
  for (uint32_t i = 0; i < p->k->n_acc; i++)
    if (c == p->tuple_r[i]) return true;
  return false;
}

static bool same_layout(elt t, kty ty) {
  return kir_arg_type(t) == ty && elt_bits(t) == 8 * kty_bytes(ty);
}

static void plan_outputs(planner *w) {
  blk_plan *p = w->p;
  for (uint32_t i = 0; i < p->k->n_out; i++) {
    blk_out *o = &p->out[i];
    elt t = p->k->out[i].type;
    o->cell = spread(w, w->cell_of[p->k->out[i].value]);
    kty ty = p->k->ins[p->k->out[i].value].ty;
    o->fn = same_layout(t, ty) ? NULL : p->isa->map->store[ty][t];
    bool scanned = p->k->kind == KIR_SCAN && is_result(p, o->cell);
    bool made = scanned || blk_is_made(p, o->cell);
    o->direct = made && same_layout(t, ty) && !overlaps(p->k, p->b, i);
    for (uint32_t j = 0; j < i; j++)
      if (p->out[j].direct && p->out[j].cell == o->cell) o->direct = false;
    if (p->k->out[i].pair) o->direct = false;
    if (p->k->out[i].put) {
      o->direct = false;
      o->at = spread(w, w->cell_of[p->k->out[i].at]);
      o->when = spread(w, w->cell_of[p->k->out[i].when]);
      if (p->k->out[i].put == KPUT_INSERT)
        o->mask = spread(w, w->cell_of[p->k->out[i].mask]);
    }
    bool shared = p->b->rows * p->b->inner > 1 || p->k->segments;
    if (t == ET_BIT && (shared || p->k->out[i].put)) p->or_bits = true;
  }
}

/* ── registers ──────────────────────────────────────────────────────────────────────── */

static void use(blk_plan *p, uint16_t c, int32_t at) {
  if (p->cell[c].last < at) p->cell[c].last = at;
}

static void give_registers(planner *w) {
  blk_plan *p = w->p;
  int32_t n = (int32_t)p->n_step;
  for (int32_t i = 0; i < n; i++) {
    const blk_step *s = &p->step[i];
    uint16_t c[7] = {s->r, s->a, s->b, s->c, s->fa, s->fb, s->fc};
    for (int j = 0; j < 7; j++) use(p, c[j], i);
  }
  for (uint32_t i = 0; i < p->k->n_out; i++) {
    use(p, p->out[i].cell, n);
    use(p, p->out[i].at, n);
    use(p, p->out[i].when, n);
    use(p, p->out[i].mask, n);
  }
  for (uint32_t i = 0; i < p->k->n_acc; i++) {
    use(p, p->tuple_x[i], (int32_t)p->n_pre);
    use(p, p->tuple_r[i], n);
  }
  size_t n_free = 0, live = 0, peak = 0;
  for (int32_t i = 0; i < n; i++) {
    blk_step *s = &p->step[i];
    blk_cell *r = &p->cell[s->r];
    if (i == (int32_t)p->n_pre && p->fold_r) /* all that was before is done with */
      for (n_free = 0, live = 0; n_free < p->n_reg; n_free++)
        w->free_reg[n_free] = (uint16_t)n_free;
    if (n_free) r->reg = w->free_reg[--n_free];
    else r->reg = (uint16_t)p->n_reg++;
    live += (size_t)kty_bytes(r->ty);
    if (live > peak) peak = live;
    uint16_t c[7] = {s->r, s->a, s->b, s->c, s->fa, s->fb, s->fc};
    for (int j = 0; j < 7; j++) {
      blk_cell *d = &p->cell[c[j]];
      if (!c[j] || d->uni || d->last != i || is_result(p, c[j])) continue;
      d->last = -2; /* freed */
      if (d->def < 0 || (i >= (int32_t)p->n_pre) != (d->def >= (int32_t)p->n_pre))
        continue;
      w->free_reg[n_free++] = d->reg;
      live -= (size_t)kty_bytes(d->ty);
    }
  }
  for (uint32_t i = 0; i < p->k->n_acc; i++)
    p->cell[p->tuple_r[i]].reg = (uint16_t)p->n_reg++;
  p->block = BLK_MAX;
  while (p->block > BLK_MIN && p->block * peak > LIVE_BYTES) p->block /= 2;
  for (uint32_t i = 0; i < p->k->n_loop; i++)
    p->block = min_u64(p->block, p->loop[i].body.block);
  blk_plan_limit(p, p->block);
}

void blk_plan_limit(blk_plan *p, size_t block) {
  p->block = min_u64(p->block, block);
  p->stride = p->block * 8 + REG_GAP;
}

/* Lays the plan's memory out. */
static void lay_out(planner *w, void *mem) {
  blk_plan *p = w->p;
  const kir *k = p->k;
  uintptr_t m = ((uintptr_t)mem + 63) & ~(uintptr_t)63;
  size_t cells = max_cells(k), ins = k->n_ins + 1u;
  p->cell = blk_take(&m, cells * sizeof(blk_cell));
  p->step = blk_take(&m, cells * sizeof(blk_step));
  w->cell_of = blk_take(&m, ins * sizeof(uint16_t));
  w->live = blk_take(&m, ins);
  w->free_reg = blk_take(&m, cells * sizeof(uint16_t));
  p->flags = blk_take(&m, 2 * KIR_MAX_FAULT * sizeof(uint32_t));
  p->loop = blk_take(&m, k->n_loop * sizeof(blk_loop));
  w->uni = blk_take(&m, cells * 8 * BLK_UNI);
  w->loops = m;
  p->cell[0] = (blk_cell){.def = -1, .last = -1};
  memset(p->flags, 0, p->n_flag * sizeof(uint32_t));
  w->cell_of[0] = 0;
  mark_live(k, w->live);
}

static void plan_instructions(planner *w, uint32_t from, uint32_t to) {
  const kir *k = w->p->k;
  for (uint32_t i = from; i < to; i++) {
    w->cell_of[i] = 0;
    if (w->live[i]) w->cell_of[i] = plan_ins(w, &k->ins[i]);
  }
}

/* ── a loop's body ──────────────────────────────────────────────────────────────────── */

static void keep(blk_loop *l, uint16_t cell) {
  const blk_cell *c = &l->body.cell[cell];
  if (c->uni || c->def < 0 || c->def >= (int32_t)l->body.n_test) return;
  for (uint32_t i = 0; i < l->n_kept; i++)
    if (l->kept[i] == cell) return;
  l->kept[l->n_kept++] = cell;
}

static void find_kept(blk_loop *l) {
  const blk_plan *p = &l->body;
  for (uint32_t i = p->n_test; i < p->n_step; i++) {
    const blk_step *s = &p->step[i];
    uint16_t c[6] = {s->a, s->b, s->c, s->fa, s->fb, s->fc};
    for (int j = 0; j < 6; j++) keep(l, c[j]);
  }
  for (uint32_t i = 0; i + 1 < p->k->n_out; i++) keep(l, p->out[i].cell);
}

static void plan_body(planner *outer, blk_loop *l, const kloop *of) {
  const blk_plan *around = outer->p;
  const kir *k = of->body;
  blk_plan *p = &l->body;
  planner w = {.p = p, .arg = l->arg, .of = of};
  *p = (blk_plan){.k = k, .top = around->top, .b = around->b, .isa = around->isa};
  p->n_cell = 1;
  p->n_flag = around->n_flag;
  void *mem = blk_take(&outer->loops, blk_plan_bytes(k) + 64);
  l->kept = blk_take(&outer->loops, max_cells(k) * sizeof(uint16_t));
  l->n_kept = 0;
  lay_out(&w, mem);
  for (uint32_t i = 0; i < k->n_in; i++) {
    const blk_cell *start = &around->cell[l->start[i]];
    l->arg[i] = new_cell(&w, start->ty);
    if (i >= of->n) p->cell[l->arg[i]].uni = start->uni;
  }
  plan_instructions(&w, 0, of->test);
  p->out[of->n].cell = spread(&w, w.cell_of[k->out[of->n].value]);
  p->n_test = p->n_step;
  plan_instructions(&w, of->test, k->n_ins);
  for (uint32_t i = 0; i < of->n; i++)
    p->out[i].cell = spread(&w, w.cell_of[k->out[i].value]);
  find_kept(l);
  give_registers(&w);
}

void blk_plan_make(blk_plan *p, const blk_isa *isa, const kir *k, const kir_bind *b,
                   void *mem) {
  assert(kir_check(k));
  *p = (blk_plan){.k = k, .top = k, .b = b, .isa = isa, .n_cell = 1};
  p->n_flag = 2 * k->n_fault;
  planner w = {.p = p};
  lay_out(&w, mem);
  plan_instructions(&w, 0, k->n_ins);
  plan_outputs(&w);
  give_registers(&w);
}

void blk_plan_body(blk_plan *p, const blk_isa *isa, const kir *outer, const kir_bind *b,
                   uint16_t *arg, void *mem) {
  const kir *k = outer->join;
  *p = (blk_plan){.k = k, .top = k, .b = b, .isa = isa, .n_cell = 1};
  p->n_flag = 2 * outer->n_fault;
  planner w = {.p = p, .arg = arg};
  lay_out(&w, mem);
  for (uint32_t i = 0; i < k->n_in; i++)
    arg[i] = new_cell(&w, outer->acc[i % outer->n_acc].ty);
  plan_instructions(&w, 0, k->n_ins);
  for (uint32_t i = 0; i < k->n_out; i++)
    p->out[i].cell = spread(&w, w.cell_of[k->out[i].value]);
  give_registers(&w);
}
