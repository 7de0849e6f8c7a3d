/* SPDX-License-Identifier: MIT */
/* describe.c - what was chosen for a pass, in plain words: for ]plan. */
#include "product.h"

#include "../base/str.h"

/* How the threads of a row, `width` of a subgroup, fold what they have. */
static void describe_group(const kir *k, const cg_opts *o, uint32_t width, str *s) {
  if (width < 2) return;
  bool by = cg_group_exact(k, o) && (o->group & CG_GROUP_CLUSTERED);
  if (cg_group_exact(k, o) && (o->group & CG_GROUP_WHOLE) && width == o->subgroup)
    by = true;
  str_puts(s, by ? ", subgroup instruction" : ", subgroup shuffles");
}

/* Does the pass read memory? */
static bool loads(const kir *k, const cg_opts *o) { return o->from_partials || k->n_in; }

static void describe_loads(const kir *k, const cg_opts *o, uint32_t adjacent, str *s) {
  if (!loads(k, o)) return;
  if (reduce_reads_words(k, o)) str_puts(s, ", whole words of bits");
  else if (adjacent > 1) str_puts(s, ", 16 bytes a load");
  else str_printf(s, ", %s a load", o->width == 4 ? "4 elements" : "an element");
}

static void describe_tile(const kir *k, const cg_opts *o, str *s) {
  uint32_t width = o->subgroup < 32 ? o->subgroup : 32;
  const reduce_tile_opts *t = &o->reduce_tile;
  describe_loads(k, o, t->batch % 4 == 0 ? t->adjacent : 1, s);
  if (loads(k, o) && !reduce_reads_words(k, o))
    str_printf(s, ", %u loads together", t->batch);
  if (t->abreast) str_printf(s, ", %u rows together", t->abreast);
  describe_group(k, o, width, s);
}

static void describe_threads(uint32_t threads, str *s) {
  if (threads == 1) str_puts(s, ", a thread a row");
  else str_printf(s, ", %u threads a row", threads);
}

static void describe_scan(const cg_opts *o, str *s) {
  static const char *const how[] = {"a row of one tile or less", "tiles' totals",
                                    "tiles, behind the totals of those before",
                                    "one pass: tiles look ahead at one another's totals"};
  str_printf(s, ", %s", how[o->scan_tile.prefix]);
}

static void describe_product(const kir *k, const cg_opts *o, str *s) {
  const product_opts *p = &o->product;
  if (p->phase == PRODUCT_JOIN) {
    str_printf(s, ", the parts of k, %u threads a result", CG_WORKGROUP / p->bn);
    return;
  }
  str_printf(s, ", tiles of %u×%u, %u of k at a time, %u×%u a thread", p->bm, p->bn,
             p->bk, p->tm, p->tn);
  if ((p->along >> 4 & 3) == 3) str_puts(s, ", loads of 16 bytes");
  if (!o->final) str_puts(s, ", parts of k");
  if (k->digits) str_puts(s, ", in any order");
  parting part;
  product_part(k, &part);
  if (product_contracts(k, &part, o->float64)) str_puts(s, ", contracted");
}

static void describe_order(const cg_opts *o, str *s) {
  static const char *const how[] = {
      "the digits of each tile",
      "what comes before each tile",
      "all digits of all keys, counted",
      "where they begin; digits that all share are left out",
      "elements to their places by a digit",
      "rows that a tile holds, all digits"};
  str_printf(s, ", %s", how[o->order.phase]);
  if (o->order.looks) str_puts(s, ": tiles look back at one another's counts");
}

static void describe_fourier(const cg_opts *o, str *s) {
  str_puts(s, ", steps of radix");
  for (uint32_t left = o->fourier.radices; left; left >>= 4)
    str_printf(s, " %u", (left & 15) + 1);
  str_printf(s, ", %u lines through workgroup memory", o->fourier.columns);
}

void cg_describe(const kir *k, const cg_opts *o, str *s) {
  static const char *const matrix[] = {", exponents of lines", ", packs both sides",
                                       ", tiles of 256×128 by units for matrices"};
  switch ((cg_template)o->template) {
  case CG_REDUCE_TILE: describe_tile(k, o, s); return;
  case CG_REDUCE_EXACT_ROWS:
    describe_threads(o->reduce_exact_rows.threads, s);
    describe_loads(k, o, 1, s);
    describe_group(k, o, o->reduce_exact_rows.threads, s);
    return;
  case CG_MAP:
    if (o->map.places) str_puts(s, ", joined in workgroup memory first");
    return;
  case CG_TRANSPOSE: str_puts(s, ", squares through workgroup memory"); return;
  case CG_REDUCE_SHARED:
    describe_loads(k, o, 1, s);
    str_puts(s, ", workgroup memory");
    return;
  case CG_REDUCE_STRIDED:
    str_puts(s,
             o->reduce_strided.four ? ", a thread for 4 columns" : ", a thread a column");
    return;
  case CG_ROW_MAPS:
    describe_threads(o->rows.threads, s);
    describe_loads(k, o, o->rows.rounds * o->rows.deep, s);
    return;
  case CG_PRODUCT: describe_product(k, o, s); return;
  case CG_PRODUCT_MATRIX:
    str_puts(s, matrix[o->matrix.phase]);
    if (!o->final) str_puts(s, ", parts of k");
    return;
  case CG_PRODUCT_THIN:
    str_printf(s, ", a thread a line, %u of the few a thread", o->thin.columns);
    if (o->thin.staged) str_puts(s, ", through workgroup memory");
    if (!o->final) str_puts(s, ", parts of k");
    return;
  case CG_SCAN_TILE: describe_scan(o, s); return;
  case CG_ORDER: describe_order(o, s); return;
  case CG_FOURIER: describe_fourier(o, s); return;
  default: return;
  }
}
