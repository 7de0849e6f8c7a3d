/* SPDX-License-Identifier: MIT */
/* system.h - what the files of the ⎕-names share: how a row is read, assigned and called.
 *
 *   system.c    the table of names; input and output, time, the surroundings
 *   sys_var.c   the variables that steer primitives; constants
 *   sys_text.c  characters: ⎕UCS ⎕C ⎕VFI; sys_data.c representations: ⎕DR ⎕F32 ⎕F64
 *   execute.c   ⍎ ⎕FMT
 *   sys_regex.c ⎕R ⎕S, by PCRE2
 *   sys_name.c  names: ⎕NC ⎕NL ⎕EX ⎕CR ⎕NR ⎕VR
 *   error.c     ⎕SIGNAL and what is left of an error: ⎕EN ⎕EM ⎕DM ⎕DMX */
#ifndef VAPL_EVAL_SYSTEM_H
#define VAPL_EVAL_SYSTEM_H
#include "../internal.h"

typedef arr *sys_getter(vm *v, env *e);
typedef bool sys_setter(vm *v, env *e, value x);
typedef bool sys_caller(vm *v, arr *x, arr *y, arr **r);

/* system.c */
/* One whole number in lo..hi, or an error that names `name`. */
bool sys_number(vm *v, value x, int64_t lo, int64_t hi, const char *name, int64_t *n);
arr *sys_pair(vm *v, arr *x, arr *y); /* x y as a nested vector; takes both over */
/* n arrays as items; takes them over. If one of them is NULL, so is the result. */
arr *sys_items(vm *v, int64_t n, arr **items);
/* Items that are gathered one by one: sys_add takes a over, NULL is a failure; sys_list frees
 * the list. */
typedef VEC(arr *) arr_list;
bool sys_add(vm *v, arr_list *l, arr *a);
arr *sys_list(vm *v, arr_list *l, bool ok); /* as a vector; NULL if not ok */
/* Hands the names and values in an operand of ⍠ to `set`: one pair, or a vector of pairs. */
bool sys_options(vm *v, arr *x, bool (*set)(vm *v, void *user, arr *name, arr *value),
                 void *user);
arr *sys_str(vm *v, str *s); /* as a character vector; frees s */
/* A simple character scalar or vector as UTF-8 into s, NUL-terminated; else an error. */
bool sys_utf8(vm *v, arr *a, const char *what, str *s);

/* sys_var.c */
sysvars *sys_own(vm *v, env *e); /* the variables that e may change */
sys_getter sys_get_ct, sys_get_rl, sys_get_letters, sys_get_digits, sys_get_av,
    sys_get_tc, sys_get_fr;
sys_setter sys_set_ct, sys_set_rl, sys_set_fr;

/* sys_text.c, sys_data.c, sys_name.c, error.c */
uint32_t sys_fold_char(uint32_t u, int how); /* 1 upper case, -1 lower, else folded */
sys_caller sys_ucs, sys_case, sys_vfi, sys_dr, sys_f32, sys_f64;
sys_caller sys_execute, sys_fmt; /* ⍎ ⎕FMT */
sys_caller sys_nc, sys_nl, sys_ex, sys_cr, sys_nr, sys_vr, sys_signal, sys_em;
sys_getter sys_get_en, sys_get_dm, sys_get_dmx;
#endif
