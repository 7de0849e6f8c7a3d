/* SPDX-License-Identifier: MIT */
/* find.c - which of rows.c's loops serves a function of arguments of a class, for the best
 * instruction set that this machine has; and what is said of faults. */
#include "complex.h"
#include "math.h"
#include "relations.h"

#include "../base/isa.h"

/* ── the table ──────────────────────────────────────────────────────────────────────── */

const sc_rows *const sc_rows_of[] = FOR_ISA(sc_rows);
static const sc_rows *rows(void) { return sc_rows_of[isa_best()]; }

const sc_blocks *sc_block(void) {
  static const sc_blocks *const all[] = FOR_ISA(sc_blocks);
  return all[isa_best()];
}

cx_loop *cx_loop_of(prim f, bool dyadic) {
  static const cx_loops *const all[] = FOR_ISA(cx_loops);
  cx_loop *best = all[isa_best()]->of[f][dyadic];
  return best ? best : cx_loops_base.of[f][dyadic];
}

sc_relation sc_relation_of(prim f, sc_type t, sc_fn *fn, double ct) {
  bool is = f == P_LT || f == P_LE || f == P_EQ || f == P_GE || f == P_GT || f == P_NE;
  sc_relation r = {.f = f, .fn = fn, .ct = ct, .size = (int64_t)sc_size(t)};
  if (!is || ct > 0x1p-20) return r;
#define FAST_RELATION(table)                                                             \
  static const sc_relations *const all[] = FOR_ISA(table);                               \
  r.run = all[isa_best()]->of[t];
#include "../tables/fast.def"
  /* Doubles above a power of two are 2^-53 of the greater one apart, or more; those below it half
   * of that. The last digits are for what is rounded. */
  if (ct > 0) r.near = (int64_t)(ct * 0x1.004p54) + 4;
  return r;
}

void sc_relate(const sc_relation *how, sc_arg x, sc_arg y, int64_t n, uint8_t *bits) {
  bool are[SC_BLOCK];
  if (how->run) {
    how->run(how, x, y, n, bits);
    return;
  }
  for (int64_t i = 0, m; i < n; i += m) {
    sc_state s = {.ct = how->ct};
    m = n - i < SC_BLOCK ? n - i : SC_BLOCK;
    how->fn(&s, x, y, are, m);
    sc_block()->pack(are, m, bits + i / 8);
    x.at = (const char *)x.at + m * x.step * how->size;
    y.at = (const char *)y.at + m * y.step * how->size;
  }
}

const sc_row *sc_find(prim p, bool dyadic, cls at_least, bool single, cls *row) {
  const sc_row *const *of = rows()->row[dyadic];
  if (at_least < CLS_B) at_least = CLS_B;
  for (cls c = at_least; c <= CLS_F; c++) {
    const sc_row *r = sc_row_in(of, sc_type_of(c, single), p);
    if (!r) continue;
    *row = c;
    return r;
  }
  *row = CLS_NONE;
  return NULL;
}

const sc_row *sc_row_of(prim p, bool dyadic, sc_type t) {
  return sc_row_in(rows()->row[dyadic], t, p);
}

const sc_row *sc_float_variant(prim p, bool dyadic, cls on, bool single) {
  return sc_row_in(rows()->variant[dyadic], sc_type_of(on, single), p);
}

/* ── one number ─────────────────────────────────────────────────────────────────────── */

bool prim_number_at(const arr *a, int64_t i, prim_number *v) {
  const void *at = a->host;
  if (!at) return false;
  v->of = CLS_I;
  switch (a->type) {
  case ET_BIT: v->as.i = ((const uint8_t *)at)[i >> 3] >> (i & 7) & 1; return true;
  case ET_I8: v->as.i = ((const int8_t *)at)[i]; return true;
  case ET_I16: v->as.i = ((const int16_t *)at)[i]; return true;
  case ET_I32: v->as.i = ((const int32_t *)at)[i]; return true;
  case ET_I64: v->as.i = ((const int64_t *)at)[i]; return true;
  case ET_F64:
    v->of = CLS_F;
    v->as.d = ((const double *)at)[i];
    return true;
  default: return false;
  }
}

arr *prim_of_number(ctx *c, prim_number n) {
  return n.of == CLS_I ? arr_int(c, n.as.i) : arr_float(c, n.as.d);
}

prim_on_number prim_number_find(prim f, bool dyadic) {
  static const prim_number_row none;
  prim_on_number r = {&prim_number_rows[dyadic][0][f], &prim_number_rows[dyadic][1][f]};
  if (dyadic && f == P_CIRCLE) r.floats = &none; /* which function it is, x says */
  return r;
}

/* ── faults ─────────────────────────────────────────────────────────────────────────── */

arr *sc_fault(ctx *c, prim p, bool dyadic, const sc_state *s) {
  static const char *const texts[P_COUNT + 1][2] = {
#define FAULT(id, monadic, dyadic) [P_##id] = {monadic, dyadic},
#include "../tables/prim.def"
      [P_COUNT] = {0}};
  const char *text = texts[p][dyadic];
  bool too_large = !s->err || !text, first = !err_is(c);
  if (too_large) text = "the result is too large for a number";
  err_set(c, ERR_DOMAIN, "%s: %s", prim_table[p].glyph, text);
  if (first) c->err.last = too_large;
  return NULL;
}
