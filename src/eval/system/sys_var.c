/* SPDX-License-Identifier: MIT */
/* sys_var.c - the variables that steer primitives, and the constants.
 *
 * A dfn that assigns a variable has a copy of all of them from then on, which the dfns inside
 * it see too (sys_own, run/sys_call.c). Those that hold one small integer are plain fields that the
 * table in system.c bounds; here are the others. ⎕RL is one for the whole interpreter, as its random
 * numbers are one sequence. */
#include <math.h>
#include <time.h>
#include "../../array/element.h"
#include "../../base/hash.h"
#include "../../dist/dist.h"
#include "../value/arg.h"
#include "../value/items.h"
#include "system.h"

/* Where there are ranks, the seed that the system would give at the first draw is that of the first one. */
static bool same_seed(vm *v, prim_random *state) {
  if (!is_ranked(v->c) || state->seeded) return true;
  prim_random_choose(state);
  return dist_same(v->c, &state->seed, sizeof state->seed);
}

bool sys_reset(vm *v) {
  v->vars = (sysvars){.ct = 1e-14, .io = 1, .pp = 10, .ml = 1};
  v->random = (prim_random){0};
  v->rl_hidden = true;
  v->rl_generator = 1;
  return same_seed(v, &v->random);
}

/* ── ⎕PW ────────────────────────────────────────────────────────────────────────────── */

enum { PW_MIN = 42, PW_USUAL = 80 };

int terminal_of(vm *v, int *lines) {
  *lines = v->lines;
  if (is_ranked(v->c)) return v->columns;
  *lines = 0;
  return v->cfg.terminal ? v->cfg.terminal(v->cfg.user, lines) : PW_USUAL;
}

int line_width(vm *v, int none) {
  int lines, columns = v->sv->pw ? v->sv->pw : terminal_of(v, &lines);
  if (!columns) return none;
  return columns < PW_MIN ? PW_MIN : columns;
}

arr *sys_get_pw(vm *v) { return arr_int(v->c, line_width(v, PW_USUAL)); }

bool sys_set_pw(vm *v, env *e, value x) {
  int64_t n;
  if (!arg_number(v, x, PW_MIN, INT32_MAX, "⎕PW", &n)) return false;
  sys_own(v, e)->pw = (int)n;
  return true;
}

/* ── ⎕CT ⎕FR ────────────────────────────────────────────────────────────────────────── */

arr *sys_get_ct(vm *v) {
  if (v->sv->ct == 0) return arr_int(v->c, 0);
  return arr_float(v->c, v->sv->ct);
}

bool sys_set_ct(vm *v, env *e, value x) {
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, "⎕CT takes a number");
  if (!ir_host(v->g, x.a)) return false;
  if (x.a->count != 1)
    return err_set(v->c, x.a->rank > 1 ? ERR_RANK : ERR_LENGTH, "⎕CT must be one number");
  double d = -1;
  if (x.a->type <= ET_F64) d = arr_get_float(x.a, 0);
  if (!(d >= 0 && d <= 1.0 / 4294967296.0))
    return err_set(v->c, ERR_DOMAIN, "⎕CT takes 0 to 2*¯32");
  sys_own(v, e)->ct = d;
  return true;
}

arr *sys_get_fr(vm *v) { return arr_int(v->c, 645); }

bool sys_set_fr(vm *v, env *e, value x) {
  int64_t n;
  UNUSED(e);
  if (!arg_number(v, x, 645, 1287, "⎕FR", &n)) return false;
  if (n == 645) return true;
  if (n == 1287)
    return err_set(v->c, ERR_NONCE, "there are no decimal floats: ⎕FR can only be 645");
  return err_set(v->c, ERR_DOMAIN, "⎕FR takes 645");
}

/* ── ⎕RL ────────────────────────────────────────────────────────────────────────────── */

/* The generators of Dyalog, by number, accept these seeds; there is one here. A state, seed
 * and draws so far, is what ⎕RL shows once numbers were drawn. */
static bool seed_of(vm *v, arr *a, int64_t g, prim_random *state) {
  if (a->rank > 1 || !elt_is_num((elt)a->type)) return false;
  *state = (prim_random){0};
  if (a->rank == 1 && !a->count) return true; /* the system will choose, and hide it */
  double top = 0x1p31 - 1;
  if (g) top = 0x1p63;
  if (g == 2 || a->count > 2 || a->type > ET_F64) return false;
  for (int64_t i = 0; i < a->count; i++) {
    double d = arr_get_float(a, i);
    if (!(d >= 0 && d < top) || d != floor(d)) return false;
  }
  uint64_t seed = (uint64_t)arr_get_float(a, 0);
  if (elt_is_int((elt)a->type)) seed = (uint64_t)arr_get_int(a, 0);
  struct timespec t;
  if (!seed && !clock_gettime(CLOCK_REALTIME, &t)) /* 0: chosen, and seen */
    seed = hash_bytes(&t, sizeof t, 0) % 0x7FFFFFFD + 1;
  if (!dist_same(v->c, &seed, sizeof seed)) return false;
  prim_random_seed(state, seed);
  if (a->count == 2) state->drawn = (uint64_t)arr_get_float(a, 1);
  return true;
}

/* The seed as ⎕RL shows it: hidden, or with the draws since it was set, or alone. */
static arr *shown_seed(vm *v) {
  const prim_random *s = &v->random;
  if (v->rl_hidden) return arr_vec(v->c, ET_I8, 0);
  if (!s->drawn) return arr_int(v->c, (int64_t)s->seed);
  return arr_int_vec(v->c, 2, (int64_t[]){(int64_t)s->seed, (int64_t)s->drawn});
}

arr *sys_get_rl(vm *v) {
  return items_pair(v, shown_seed(v), arr_int(v->c, v->rl_generator));
}

/* A seed and a generator; *g and *state are set. */
static bool both_of(vm *v, arr *a, int64_t *g, prim_random *state) {
  OWNED arr *s = item_at(v, a, 0);
  OWNED arr *t = item_at(v, a, 1);
  if (!s || !t || !elt_is_int((elt)t->type) || t->count != 1) return false;
  *g = arr_get_int(t, 0);
  return *g >= 0 && *g <= 2 && seed_of(v, s, *g, state);
}

bool sys_set_rl(vm *v, env *e, value x) {
  static const char takes[] = "⎕RL takes a seed, or a seed and a generator";
  prim_random state;
  int64_t g = v->rl_generator;
  UNUSED(e);
  if (x.cls != C_ARR) return err_set(v->c, ERR_SYNTAX, takes);
  if (!ir_host(v->g, x.a)) return false;
  if (x.a->rank > 1) return err_set(v->c, ERR_RANK, takes);
  if (x.a->count > 2) return err_set(v->c, ERR_LENGTH, takes);
  bool ok;
  if (x.a->count == 2) ok = both_of(v, x.a, &g, &state);
  else ok = seed_of(v, x.a, g, &state);
  if (!ok)
    return err_set(v->c, ERR_DOMAIN,
                   "⎕RL takes ⍬, 0 or a seed, and a generator 0, 1 or 2 (2 with ⍬ only)");
  v->rl_generator = (int)g;
  v->rl_hidden = !state.seeded;
  if (!same_seed(v, &state)) return false;
  v->random = state;
  return true;
}

/* ── constants ──────────────────────────────────────────────────────────────────────── */

arr *sys_get_letters(vm *v) { return arr_text(v->c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 26); }

arr *sys_get_digits(vm *v) { return arr_text(v->c, "0123456789", 10); }

/* Backspace, line feed, carriage return; the last two change places from ⎕ML 3 on. */
arr *sys_get_tc(vm *v) { return arr_text(v->c, v->sv->ml < 3 ? "\b\n\r" : "\b\r\n", 3); }

/* The classic character set. */
arr *sys_get_av(vm *v) {
  static const uint32_t av[256] =
      U"\x00\b\n\r "
      U"\f\x06\a\x1B\t⌶ɫ%'⍺⍵_abcdefghijklmnopqrstuvwxyz\x01\x02¯.⍬0123456789\x03⊢¥$£¢"
      U"∆ABCDEFGHIJKLMNOPQRSTUVWXYZ\x04\x05ý·\x7F⍙ÁÂÃÇÈÊËÌÍÎÏÐÒÓÔÕÙÚÛÝþãìðòõ{€}"
      U"⊣⌷¨ÀÄÅÆ⍨ÉÑÖØÜßàáâäå"
      U"æçèéêëíîïñ[/⌿\\⍀<≤=≥>≠∨∧-+÷×?∊⍴~↑↓⍳○*⌈⌊∇∘(⊂⊃∩∪⊥⊤|;,⍱⍲⍒⍋⍉⌽⊖⍟⌹!⍕⍎⍫⍪≡≢óôöø\"#\x1E&´"
      U"┘┐┌└┼─├┤┴┬│@ùúû^ü`∣¶:⍷¿¡⋄←→⍝)]\x1F\u00A0§⎕⍞⍣";
  arr *r = arr_vec(v->c, ET_C16, 256);
  for (int i = 0; r && i < 256; i++) arr_put_int(r, i, av[i]);
  return r;
}
