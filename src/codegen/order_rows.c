/* SPDX-License-Identifier: MIT */
/* order_rows.c - the whole radix sort (order.c) of rows that a tile holds, one or several.
 *
 *   load ─┬─ digit ─ ranks ─ places ─ through workgroup memory, word by word ─┬─ store
 *         └──────────────────────── the next digit ──────────────────────────┘
 *
 * Several short rows are put in order as if they were one; then a digit more, the number of
 * the row, puts each element back into its own: the passes are stable. */
#include <string.h>

#include "order.h"

typedef struct row_sorter {
  placer p;
  uint32_t len, first, all; /* u32: of a row; number of the first row; elements of all */
  uint32_t inverse;         /* u32: for the row of a place (cg_inverse) */
  uint32_t t[MOST_KEYS];    /* u32: places of the thread's elements in the tile */
  uint32_t value[MOST_KEYS][CG_ACC_IDS], row[MOST_KEYS]; /* variables */
} row_sorter;

/* Where place t (u32) of the tile is. */
static cg_pos position(cg *g, const row_sorter *z, uint32_t t) {
  uint32_t row = z->first, last = cg_ui(g, SpvOpISub, z->all, 1);
  cg_pos p = {.i = cg_to_ix(g, t), .tail = true};
  if (order_of(g)->many) {
    uint32_t q = cg_least(g, g->u32, t, last), i = q;
    i = cg_split_small(g, &q, z->len, z->inverse);
    row = cg_u(g, SpvOpIAdd, row, q);
    p = (cg_pos){.i = cg_to_ix(g, i)};
  }
  p.row_at = cg_x(g, SpvOpIMul, cg_to_ix(g, row), g->len);
  return p;
}

static void begin_rows(cg *g, row_sorter *z) {
  sorter *s = &z->p.s;
  *s = order_begin(g);
  uint32_t tile = g->o->workgroup * s->keys, counters = s->unit.count * DIGITS;
  z->p.memory = spv_shared(g->b, g->u32, counters > tile ? counters : tile);
  z->len = cg_to_u32(g, g->len);
  uint32_t each = cg_slot_u32(g, CG_OWN_SLOT(order_geom, rows));
  z->first = cg_u(g, SpvOpIMul, g->wid, each);
  uint32_t left = cg_u(g, SpvOpISub, cg_slot_u32(g, CG_SLOT_ROWS), z->first);
  z->all = cg_u(g, SpvOpIMul, cg_least(g, g->u32, left, each), z->len);
  s->left = z->all;
  if (order_of(g)->many) z->inverse = cg_inverse(g, z->len);
  uint32_t t = cg_ui(g, SpvOpIMul, s->unit.number, s->unit.size * s->keys);
  t = cg_u(g, SpvOpIAdd, t, s->unit.in);
  for (uint32_t i = 0; i < s->keys; i++) z->t[i] = cg_next(g, t, i * s->unit.size);
}

static void order_rows_keep(cg *g, uint32_t *var, uint32_t type, uint32_t v) {
  if (!*var) *var = spv_local(g->b, type, 0);
  spv_do(g->b, SpvOpStore, *var, v);
}

static void load_rows(cg *g, row_sorter *z) {
  uint32_t raw[MOST_KEYS][KIR_MAX_IN], n = z->p.s.keys;
  cg_pos at[MOST_KEYS];
  for (uint32_t i = 0; i < n; i++) {
    at[i] = position(g, z, z->t[i]);
    cg_load_raw(g, 0, g->k->fold_at, &at[i], raw[i]);
  }
  for (uint32_t i = 0; i < n; i++) {
    cg_acc v = cg_source(g, &at[i], raw[i]);
    for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2)
      order_rows_keep(g, &z->value[i][id], cg_scalar_type(g, cg_acc_type(g->k, id)),
                      v.id[id]);
    uint32_t row = z->t[i];
    if (!order_of(g)->many) continue;
    (void)cg_split_small(g, &row, z->len, z->inverse);
    order_rows_keep(g, &z->row[i], g->u32, row);
  }
}

static uint32_t get(cg *g, uint32_t var, uint32_t type) {
  return spv_op(g->b, type, SpvOpLoad, var);
}

/* v[i] of the thread becomes that of place t[i], from the elements' new places. */
static void exchange(cg *g, const row_sorter *z, uint32_t *v) {
  const placer *p = &z->p;
  for (uint32_t i = 0; i < p->s.keys; i++)
    order_put(g, p->memory, order_place_of(g, p, i), v[i]);
  cg_barrier(g);
  for (uint32_t i = 0; i < p->s.keys; i++) v[i] = order_get(g, p->memory, z->t[i]);
  cg_barrier(g);
}

static void exchange_value(cg *g, const row_sorter *z, uint32_t id) {
  kty t = cg_acc_type(g->k, id);
  uint32_t type = cg_scalar_type(g, t), v2 = spv_vec(g->b, g->u32, 2);
  uint32_t low[MOST_KEYS], high[MOST_KEYS] = {0}, n = z->p.s.keys;
  for (uint32_t i = 0; i < n; i++)
    low[i] = order_words(g, t, get(g, z->value[i][id], type), &high[i]);
  exchange(g, z, low);
  if (high[0]) exchange(g, z, high);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = low[i];
    if (high[0]) {
      v = spv_op(g->b, v2, SpvOpCompositeConstruct, low[i], high[i]);
      v = spv_op(g->b, type, SpvOpBitcast, v);
    }
    spv_do(g->b, SpvOpStore, z->value[i][id], v);
  }
}

static void exchange_rows(cg *g, const row_sorter *z) {
  uint32_t row[MOST_KEYS], n = z->p.s.keys;
  for (uint32_t i = 0; i < n; i++) row[i] = get(g, z->row[i], g->u32);
  exchange(g, z, row);
  for (uint32_t i = 0; i < n; i++) spv_do(g->b, SpvOpStore, z->row[i], row[i]);
}

/* Digit number `pass` (u32), or behind the last one that of the row. */
static uint32_t digit_of(cg *g, const row_sorter *z, uint32_t i, uint32_t pass) {
  uint32_t type = cg_scalar_type(g, cg_acc_type(g->k, 0));
  uint32_t digit = order_digit(g, &z->p.s, get(g, z->value[i][0], type));
  if (order_of(g)->many) {
    uint32_t is_row = cg_is(g, SpvOpIEqual, pass, spv_u32(g->b, order_of(g)->digits));
    digit = cg_pick(g, g->u32, is_row, get(g, z->row[i], g->u32), digit);
  }
  uint32_t is = order_has(g, &z->p.s, z->t[i]);
  return cg_pick(g, g->u32, is, digit, spv_u32(g->b, DIGITS - 1));
}

void order_emit_rows(cg *g) {
  row_sorter z;
  placer *p = &z.p;
  bool many = order_of(g)->many;
  uint32_t digits = order_of(g)->digits, last = spv_u32(g->b, digits - 1);
  memset(&z, 0, sizeof z);
  begin_rows(g, &z);
  load_rows(g, &z);
  spv_loop l = spv_for(g->b, spv_u32(g->b, digits + many));
  p->s.shift = cg_ui(g, SpvOpIMul, cg_least(g, g->u32, l.i, last), DIGIT_BITS);
  for (uint32_t i = 0; i < p->s.keys; i++) p->digit[i] = digit_of(g, &z, i, l.i);
  order_rank(g, p);
  order_place(g, p);
  for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2) exchange_value(g, &z, id);
  if (many) exchange_rows(g, &z);
  spv_endfor(g->b, &l);
  for (uint32_t i = 0; i < p->s.keys; i++) {
    cg_acc v = {{0}};
    uint32_t merge = spv_if(g->b, order_has(g, &p->s, z.t[i]));
    for (uint32_t id = 0; id < 2 * g->k->n_acc; id += 2)
      v.id[id] = get(g, z.value[i][id], cg_scalar_type(g, cg_acc_type(g->k, id)));
    cg_pos to = position(g, &z, z.t[i]);
    to.tail = false;
    cg_finish(g, 0, &to, v, 0);
    spv_endif(g->b, merge);
  }
}
