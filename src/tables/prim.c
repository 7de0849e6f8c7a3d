/* SPDX-License-Identifier: MIT */
/* prim.c - the primitives' names and the classes of their rows as tables, made from
 * prim.def. */
#include "prim.h"
#include "../base/utf8.h"
#include <string.h>

const prim_row prim_table[P_COUNT] = {
#define GLYPH(id, glyph, monadic, dyadic) {glyph, monadic, dyadic},
#include "prim.def"
};

/* The lexer looks here for each glyph, so they stand close together and are compared as
 * words. Where several primitives share one (÷ and ÷ under ⎕DIV, the codes of ○), the
 * first has it. */
prim prim_of(uint32_t code_point) {
  static const char glyphs[P_COUNT][4] = {
#define GLYPH(id, glyph, monadic, dyadic) glyph,
#include "prim.def"
  };
  char utf8[5] = {0};
  utf8_put(utf8, code_point);
  for (int p = 0; p < P_COUNT; p++)
    if (memcmp(glyphs[p], utf8, 4) == 0) return (prim)p;
  return P_COUNT;
}

prim prim_of_code(int64_t code) {
  static const prim codes[25] = {
#define CODE(code, id) [code + 12] = P_##id,
#include "prim.def"
  };
  return code < -12 || code > 12 ? P_COUNT : codes[code + 12];
}

/* ── rows by class ─────────────────────────────────────────────────────────────────── */

const prim_class prim_classes[P_COUNT + 1][2][CLS_C + 1] = {
#define MON(id, class, result, ...) [P_##id][0][CLS_##class] = {CLS_##result, false},
#define DYA(id, class, result, ...) [P_##id][1][CLS_##class] = {CLS_##result, false},
#define HOSTDYA(id, class, result, function)                                             \
  [P_##id][1][CLS_##class] = {CLS_##result, true},
#define CPLX1(id, result, ...) [P_##id][0][CLS_C] = {CLS_##result, false},
#define CPLX2(id, result, ...) [P_##id][1][CLS_C] = {CLS_##result, false},
#define HOSTCPLX1(id, function) [P_##id][0][CLS_C] = {CLS_C, true},
#define HOSTCPLX2(id, function) [P_##id][1][CLS_C] = {CLS_C, true},
#include "prim.def"
    [P_COUNT] = {{{0}}}};

static const bool kernel_rows[P_COUNT + 1][CLS_C + 1] = {
#define KERNELDYA(id, class, ...) [P_##id][CLS_##class] = true,
#include "prim.def"
    [P_COUNT] = {false}};

static const bool float_variants[P_COUNT + 1][2][CLS_F + 1] = {
#define FLOAT_VARIANT(id, form, class, ...) [P_##id][FORM_##form][CLS_##class] = true,
#include "prim.def"
    [P_COUNT] = {{false}}};

/* The first row that holds `at_least`, whether it is for kernels or not. */
static cls first_row(prim p, bool dyadic, cls at_least) {
  for (cls row = at_least; row <= CLS_F; row++)
    if (prim_classes[p][dyadic][row].result) return row;
  bool has =
      prim_classes[p][dyadic][CLS_F].result || prim_classes[p][dyadic][CLS_C].result;
  return at_least == CLS_C && has ? CLS_C : CLS_NONE;
}

cls prim_row_of(prim p, bool dyadic, cls at_least) {
  cls row = first_row(p, dyadic, at_least);
  return prim_classes[p][dyadic][row].host && !kernel_rows[p][row] ? CLS_NONE : row;
}

bool prim_is_for_host(prim p, cls at_least) {
  return prim_classes[p][1][first_row(p, true, at_least)].host;
}

cls prim_result(prim p, bool dyadic, cls row) {
  const prim_class *own = prim_classes[p][dyadic];
  if (row == CLS_C && !own[CLS_C].result) row = CLS_F;
  return (cls)own[row].result;
}

bool prim_has_float_variant(prim p, bool dyadic, cls on) {
  return on <= CLS_F && float_variants[p][dyadic][on];
}

/* ── notes ─────────────────────────────────────────────────────────────────────────── */

static const char *const notes[P_COUNT + 1][2][2] = {/* what the device does; the note */
#define STRUCT1(id, function, device, note) [P_##id][0] = {#device, note},
#define STRUCT2(id, function, device, note) [P_##id][1] = {#device, note},
#include "prim.def"
                                                     [P_COUNT] = {{NULL}}};

const char *prim_note(prim p, bool dyadic, bool *host) {
  const char *const *n = notes[p][dyadic];
  *host = !strcmp(prim_device(p, dyadic), "HOST");
  return n[0] ? n[1] : "";
}

const char *prim_device(prim p, bool dyadic) {
  const char *kind = notes[p][dyadic][0];
  return kind ? kind : "";
}
