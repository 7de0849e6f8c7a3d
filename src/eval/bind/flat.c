/* SPDX-License-Identifier: MIT */
/* flat.c - a chain as the row of steps that runs it.
 *
 * The tree of a statement is what is bound and looked at; run is a row without branches. A left
 * argument that is a chain stands before its step, and the right one is put aside meanwhile:
 *
 *   (∇⍵-1)+∇⍵-2      2  ⍵-  ∇  hold  1  ⍵-  ∇  paren  + held
 *
 * What is nested too deeply, or is long, stays a node that is evaluated by a call: so a row has
 * a bounded number of values put aside, and no part of a text is copied more than so often. */
#include <string.h>
#include "binder.h"

enum { SPLICED_MOST = 64 }; /* steps of a chain that is copied into another one */

/* How many values the row puts aside at once. */
static uint32_t held_in(const step *s) {
  uint32_t now = 0, most = 0;
  for (; s->run != R_END; s++) {
    if (s->at == AT_HELD) now--;
    if (s->run == R_HOLD && ++now > most) most = now;
  }
  return most;
}

/* Does x stand in the row of the chain that it is a part of? */
static bool is_spliced(const bnode *x, bool left) {
  if (!x || x->kind != B_CHAIN || x->code > SPLICED_MOST) return false;
  return held_in(x->flat) + left <= HELD_MOST;
}

/* Where the number x of s will be, or a name that it sets. */
static void find_number(binder *b, step *s) {
  const bnode *x = s->x;
  s->at = AT_NONE;
  if (!x) return;
  s->at = AT_STEP;
  s->offset = offsetof(step, own);
  if (x->kind == B_CONST && x->number.of)
    value_put_number(&s->own, x->number.of, x->number.as.i);
  if (x->kind == B_CONST || x->cls != C_ARR) return;
  bool sets = s->run >= R_SET && x->kind == G_NAME && x->slot >= (int)b->k->fixed;
  bool local = x->slot >= 0 && (sets || x->kind == B_NAME);
  if (x->kind == B_OMEGA) s->offset = offsetof(env, omega);
  else if (x->kind == B_ALPHA) s->offset = offsetof(env, alpha);
  else if (local) s->offset = offsetof(env, slot) + (size_t)x->slot * sizeof(value);
  else return;
  s->at = AT_ENV;
}

static step *put(binder *b, step *to, rkind run, bnode *x) {
  *to = (step){.run = (uint8_t)run, .prim = P_COUNT, .x = x};
  find_number(b, to);
  if (x) to->begin = x->begin;
  if (x) to->end = x->end;
  return to + 1;
}

static step *splice(step *to, const bnode *x) {
  memcpy(to, x->flat, x->code * sizeof *to);
  return to + x->code;
}

/* A left argument: the step that takes it asks for a value itself. */
static step *splice_left(binder *b, step *to, const bnode *x) {
  to = splice(put(b, to, R_HOLD, NULL), x);
  return to[-1].run == R_PAREN ? to - 1 : to;
}

/* The base of the chain r: an error that it has no value is where it stands. */
static step *put_base(binder *b, step *to, const bnode *r) {
  bnode *base = r->kid[0];
  if (!is_spliced(base, false)) return put(b, to, R_LOAD, base);
  to = splice(to, base);
  return is_primitive(to - 1) ? to : put(b, to, R_PAREN, base);
}

/* A dyadic primitive that is in line on integers. */
static void find_whole(step *s) {
  int64_t y = 1;
  if (s->at == AT_NONE || !prim_whole_in_line((prim)s->prim, 1, &y)) return;
  if (s->at == AT_ENV) s->run = R_WHOLE_NAME;
  else if (s->at == AT_HELD) s->run = R_WHOLE_HELD;
  else if (s->own.num == CLS_I) s->run = R_WHOLE_CONST;
}

/* What is loaded is a number for a primitive on numbers; any other function is given the
 * constant's array. */
static void finish_row(step *row) {
  for (step *s = row; s->run != R_END; s++) {
    if (s->run == R_PRIMITIVE) find_whole(s);
    bool whole = s->run == R_WHOLE_CONST || s->run == R_WHOLE_NAME;
    if (whole && s > row && s[-1].run == R_LOAD && s[-1].feeds) s[-1].run = R_LOAD_WHOLE;
    if (s->run != R_LOAD) continue;
    bool at_hand = s->x->kind <= B_OMEGA; /* nothing need run to know it */
    bool next = is_primitive(s + 1) || (s[1].run == R_MODIFY && s[1].on.ints);
    s->feeds = at_hand && next && (s[1].on.ints->fn || s[1].on.floats->fn);
    if (!s->feeds) s->own = (value){0};
  }
}

bnode *bind_flat(binder *b, bnode *r) {
  size_t n = r->n + 4;
  if (is_spliced(r->kid[0], false)) n += r->kid[0]->code;
  for (uint32_t i = 0; i < r->n; i++)
    if (is_spliced(r->step[i].x, true)) n += r->step[i].x->code + 1;
  r->flat = arena_alloc(b->mem, n * sizeof *r->flat);
  if (!r->flat) return NULL;
  step *to = put_base(b, r->flat, r);
  if (!r->n && to[-1].run != R_PAREN) to = put(b, to, R_PAREN, r->kid[0]);
  for (uint32_t i = 0; i < r->n; i++) {
    const step *s = &r->step[i];
    bool held = s->kind == S_DYADIC && s->run != R_OPEN && is_spliced(s->x, true);
    if (held) to = splice_left(b, to, s->x);
    *to = *s;
    if (held) to->at = AT_HELD;
    else find_number(b, to);
    to++;
  }
  r->code = (uint32_t)(to - r->flat);
  put(b, to, R_END, NULL);
  finish_row(r->flat);
  return r;
}
